#!/bin/sh
# run.sh BUILD [TEST...]: runs the bats files (all of tests/*.bats, or those named) against the programs in BUILD and
# ends with a line "N passed, N failed". BUILD is a folder such as build/release.
set -u

cd "$(dirname "$0")" || exit 2
ANIM_BUILD=$1
export ANIM_BUILD
shift
[ $# -gt 0 ] || set -- *.bats

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
bats --tap "$@" >"$log" 2>&1 &
bats=$!
tail -n +1 -f --pid=$bats "$log" | grep --line-buffered -v '^ok [0-9]* ' &
shown=$!
wait $bats
status=$?
wait $shown 2>/dev/null
passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^not ok ' "$log")
skipped=$(grep -c '^ok .* # skip' "$log")
planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log" | head -n 1)
[ "$skipped" -eq 0 ] || grep '^ok .* # skip' "$log" | sed 's/^ok [0-9]* /skipped: /'
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ] || [ $((passed + failed)) -ne "${planned:-0}" ] || [ "${planned:-0}" -eq 0 ]; then
	echo "run.sh: bats stopped with status $status after $((passed + failed)) of ${planned:-?} tests"
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
