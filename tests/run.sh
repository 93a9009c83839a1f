#!/bin/sh
# run.sh BUILD [TEST...]: runs the bats files (all of tests/*.bats, or those named) against the programs in BUILD and
# ends with a line "N passed, N failed". BUILD is a folder such as build/release. With GNU parallel as many files run at
# once as there are processors (or JOBS=1 for one after the other).
set -u

cd "$(dirname "$0")" || exit 2
ANIM_BUILD=$1
export ANIM_BUILD
shift
[ $# -gt 0 ] || set -- *.bats

# The files that take longest begin, longest first: begun last, one of them would leave the other processors idle.
long="determinism.bats unit.bats allocation.bats reduce.bats cost.bats fuzz.bats memory.bats emit_godot.bats gltf_into.bats \
	engine_gltf.bats godot_binary.bats pages.bats assets.bats gltf.bats anim_lint.bats into.bats plot.bats gltf_emit.bats bvh.bats \
	errors.bats stream.bats replace.bats anim_convert.bats viewer.bats pipeline.bats diff.bats corpus.bats"
ordered=
for file in $long; do
	case " $* " in *" $file "*) ordered="$ordered $file" ;; esac
done
for file; do
	case " $long " in *[[:space:]]"$file"[[:space:]]*) ;; *) ordered="$ordered $file" ;; esac
done
# shellcheck disable=SC2086 # names of files here, without blanks
set -- $ordered

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
# Without SHELL parallel would take what runs it for a shell.
export PARALLEL_SHELL="${PARALLEL_SHELL:-$(command -v bash)}" HOME="${HOME:-/tmp}"
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
at_once=
if [ "$jobs" -gt 1 ] && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	at_once="--jobs $jobs --no-parallelize-within-files"
fi
# shellcheck disable=SC2086 # the list of options is meant to be split
bats --tap $at_once "$@" >"$log" 2>&1 &
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
