#!/usr/bin/env bats
# Skeletons that name the bones of a human: avatars and import settings of Unity, and what anim-retarget makes of them.

load helper

# A Godot humanoid whose bones have other names: odd.json, and its map: map.csv.
odd() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-emit -q -o hero.json
	sed 's/Skeleton3D:/Skeleton3D:b_/g' hero.json >odd.json
	python3 "$ROOT/tests/humanoid.py" clips
}

# Give the nodes of odd.json attributes: attributes OUT 'BONE KEY VALUE'...
attributes() {
	python3 - "$@" <<-'PYTHON'
		import json, sys
		rows = [json.loads(line) for line in open("odd.json")]
		for row in rows:
		    name = row.get("node", {}).get("path", "").split(":b_")
		    if len(name) > 1:
		        row["node"]["attributes"]["unity.human"] = name[1]
		        for bone, key, value in (text.split() for text in sys.argv[2:]):
		            if bone == name[1]: row["node"]["attributes"][key] = value
		open(sys.argv[1], "w").writelines(json.dumps(row) + "\n" for row in rows)
	PYTHON
}

tracks_of() {
	anim-dump "$1" | sed -n '/^track/,$p' | sed 's/:b_/:/'
}

@test "nodes that say which bone of a human they are need no names" {
	odd
	attributes named.json
	anim-retarget -q --to named.json tpose.json >a.axs
	anim-retarget -q --to hero.json tpose.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
}

@test "limits and twists of the target's bones count, and Unity's own limits change nothing" {
	odd
	attributes usual.json 'Spine unity.limits -40,-40.000001,-40,40,40,40' 'LeftUpperArm unity.twist 0.5'
	anim-retarget -q --to usual.json walk.json >a.axs
	anim-retarget -q --to hero.json walk.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
	# twice the range is twice the value
	attributes wide.json 'Spine unity.limits -80,-80,-80,80,80,80,0,0,0'
	sed '/"property": "Spine Left-Right"/s/"value": \[0, 0.4\]/"value": [0, 0.8]/' walk.json >double.json
	run cmp -s walk.json double.json
	[ "$status" = 1 ]
	anim-retarget -q --to wide.json walk.json >a.axs
	anim-retarget -q --to hero.json double.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
	# an arm that keeps all its twist leaves the forearm alone
	attributes stiff.json 'RightUpperArm unity.twist 0'
	anim-retarget -q --to stiff.json walk.json >a.axs
	run diff <(tracks_of a.axs) <(anim-retarget -q --to hero.json walk.json | tracks_of -)
	[ "$status" = 1 ]
	[ "$(grep -c '^[<>].*track' <<<"$output")" = 0 ]
	anim-emit -q -o a.json a.axs
	python3 - <<-'PYTHON'
		import json
		tracks = [json.loads(line).get("track") for line in open("a.json")]
		values = next(t["columns"]["value"] for t in tracks if t and t["node"].endswith("b_RightLowerArm"))
		assert len(values) == 11 and all(v == values[0] for v in values), values
	PYTHON
}

@test "attributes of bones that are not numbers are one error" {
	odd
	local value
	for value in 1,2,3,4,5 1,2,3,4,5,6,7 x '1,2,3,4,5,6,' 1,2,3,4,5,1e999 1,2,3,4,5,6,7,8,9,10; do
		attributes bad.json "Spine unity.limits $value"
		run -1 --separate-stderr anim-retarget -o x.axs --to bad.json walk.json
		[[ $stderr == *"the target's Spine has unity.limits that are not 6 or 9 numbers" ]]
		[ ! -e x.axs ]
	done
	attributes bad.json 'LeftUpperArm unity.twist half'
	run -1 --separate-stderr anim-retarget -o x.axs --to bad.json walk.json
	[[ $stderr == *": the target's LeftUpperArm has a unity.twist that is not a number" ]]
}
