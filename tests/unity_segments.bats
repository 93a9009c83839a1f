#!/usr/bin/env bats
# The table that Unity's curves are tested against is what its script computes.

load helper

@test "segments.tsv is what segments.py prints" {
	command -v python3 >/dev/null || skip "python3 is not here"
	python3 "$ROOT/tests/data/unity/segments.py" >again.tsv
	cmp again.tsv "$ROOT/tests/data/unity/segments.tsv"
}
