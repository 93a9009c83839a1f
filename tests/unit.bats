#!/usr/bin/env bats
# The unit tests of lib/, one program: each of its tests counts.

load helper

# Subjects run one by one, so that a crash in one is told apart from the others.
@test "every unit test of lib/ passes" {
	local bad=0 total=0
	for subject in $(unit --subjects); do
		unit "$subject" >out 2>err || {
			bad=1
			echo "in $subject:"
			grep -v '^ok' out
			cat err
		}
		total=$((total + $(grep -c '^ok ' out)))
	done
	[ "$bad" = 0 ]
	[ "$total" -gt 200 ]
}
