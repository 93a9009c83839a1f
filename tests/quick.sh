#!/bin/sh
# quick.sh BUILD: runs the tests of the files that changed since the last commit (area.sh), or of a fixed set if none did. Long
# ones are left out: it is for the minute between two edits. The last line is "N passed, N failed, N skipped".
set -eu
cd "$(dirname "$0")/.."
build=$1
# shellcheck disable=SC2046 # names without blanks
set -- $(git diff --name-only HEAD) $(git ls-files --others --exclude-standard)
[ $# -gt 0 ] || set -- lib/format/godot/x lib/cli/x lib/run/anim-convert.c
tests=$(tests/area.sh "$@")
passed=0 failed=0
for subject in $(printf '%s\n' "$tests" | sed -n 's/^unit //p' | grep -vxE 'convert_bound|reduce_random|reduce_prove'); do
	if "$build/bin/unit" "$subject" >"$build/quick.log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "unit $subject:" && grep -v '^ok' "$build/quick.log"
	fi
done
files=$(printf '%s\n' "$tests" | grep -v '^unit ' | grep -vxE 'determinism.bats|allocation.bats|cost.bats|memory.bats|fuzz.bats' || true)
line="0 passed, 0 failed, 0 skipped"
if [ -n "$files" ]; then
	# shellcheck disable=SC2086 # names without blanks
	tests/run.sh "$build" $files >"$build/quick.log" || true
	grep -v '^skipped: ' "$build/quick.log" | sed '$d'
	line=$(tail -n 1 "$build/quick.log")
fi
passed=$((passed + ${line%% passed*})) line=${line#*, }
failed=$((failed + ${line%% failed*}))
echo "$passed passed, $failed failed, ${line#*, }"
[ "$failed" -eq 0 ]
