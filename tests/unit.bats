#!/usr/bin/env bats
# The unit tests of lib/, one program: each of its tests counts.

load helper

# Subjects run one by one, so that a crash in one is told apart from the others.
subjects() {
	for file in "$ROOT"/tests/unit/*.c; do
		grep -q '^TEST(' "$file" && basename "$file" .c
	done
}

@test "every unit test of lib/ passes" {
	local bad=0
	for subject in $(subjects); do
		unit "$subject" >out 2>err || {
			bad=1
			echo "in $subject:"
			grep -v '^ok' out
			cat err
		}
	done
	[ "$bad" = 0 ]
}

@test "no unit test is forgotten: the subjects together are all tests of the program" {
	local all one total=0
	all=$(unit 2>/dev/null | grep -cE '^(not )?ok ' || true)
	for subject in $(subjects); do
		one=$(unit "$subject" 2>/dev/null | grep -cE '^(not )?ok ' || true)
		total=$((total + one))
	done
	[ "$all" -gt 200 ]
	[ "$total" -eq "$all" ]
}
