#!/usr/bin/env bats
# anim-root: the motion of a body as a whole, between hips and root.

load helper

# sampled NAME...: each NAME.axs as JSON Lines of whole values, at times between the keys, too.
sampled() {
	local name
	for name in "$@"; do anim-bake -q -r 200 --all "$name.axs" | anim-emit -q --force -o "$name.json"; done
}

# body [still]: s.axs, a body whose bones are turned and scaled anyhow; with `still` its hips do nothing but move.
body() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/root.py" make s.gltf "$@"
	anim-parse -q s.gltf >s.axs
	sampled s
}

check() {
	python3 "$ROOT/tests/root.py" check s.json "$@"
}

@test "hips and root together keep their place, between keys within the reported bound" {
	body
	local options
	for options in "--yaw" "--for unity" "--axes none" "--fold" "--axes z --yaw"; do
		run -0 --separate-stderr anim-root --extract Hips --to Body $options -o r.axs --force s.axs
		[[ $stderr =~ at\ most\ ([0-9.e-]+)\ mm\ and\ ([0-9.e-]+)\ degrees ]]
		awk "BEGIN {exit !(${BASH_REMATCH[1]} <= 0.1 && ${BASH_REMATCH[2]} <= 0.01)}"
		sampled r
		check r.json same "$(awk "BEGIN {print ${BASH_REMATCH[1]} / 1000 * 1.05 + 2e-6}")" \
			"$(awk "BEGIN {print ${BASH_REMATCH[2]} * 1.05 + 2e-4}")"
	done
	# a looser bound needs fewer keys
	anim-root -q --extract Hips --to Body --yaw s.axs >a.axs
	anim-root -q --extract Hips --to Body --yaw --tol 5mm,1deg s.axs >b.axs
	[ "$(wc -c <b.axs)" -lt "$(wc -c <a.axs)" ]
}

@test "in place the hips keep their heights and leanings, and nothing of their way and yaw" {
	body
	anim-root -q --extract hips --to Body --yaw --in-place s.axs >r.axs
	sampled r
	check r.json place 1.1e-4 0.011
	[ "$(anim-info -l r.axs | grep -c Body)" -eq "$(anim-info -l r.axs | grep -c Hips)" ] # in the paths of the hips alone
	# what the hips are off at the end is spread over the clip
	run -0 --separate-stderr anim-root --extract Hips --to Body --yaw --in-place --loop -o l.axs s.axs
	[[ $stderr == *"note: the hips ended 0."*" m and 11.24 degrees away from their start; the difference is spread over the clip" ]]
	run -1 --separate-stderr anim-lint --loop-seam r.axs
	[[ $output == *Hips* ]]
	run -1 --separate-stderr anim-lint --loop-seam l.axs
	[[ $output != *"Hips position"* && $output != *"Hips rotation"* ]]
}

@test "a motion without rotations is exact: keys stay keys, and folding gives the source back" {
	body still
	local to
	for to in Body Armature .; do
		anim-root -q --extract Hips --to $to s.axs >r.axs
		sampled r
		check r.json same 1e-6 0
		anim-dump s.axs | grep -A3 'Hips.*position' | grep -o 'time.*' >keys
		anim-dump r.axs | grep -A3 'position' | grep -o 'time.*' | sort -u | cmp - keys
		anim-root -q --extract Hips --to $to --fold r.axs | anim-diff -q --max 0.1mm,0.0001deg - s.axs # of 150: their scale is 0.02
	done
	anim-root -q --extract Hips --in-place s.axs >r.axs
	sampled r
	check r.json ground 1e-6 0
}

# lift MODE: a crane of Godot whose hook moves in this mode; its tracks are in the scene.
lift() {
	cat >s.tscn <<-TEXT
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		loop_mode = 1
		$1

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "go": SubResource("a") }

		[node name="Yard" type="Node3D"]

		[node name="Crane" type="Node3D" parent="."]

		[node name="Hook" type="Node3D" parent="Crane"]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)

		[node name="Hook" type="Node3D" parent="."]

		[node name="Flat" type="Node2D" parent="."]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
}

@test "cubic ways keep their keys and modes; other tracks pass as they are" {
	lift 'tracks/0/type = "position_3d"
tracks/0/path = NodePath("Crane/Hook")
tracks/0/interp = 2
tracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3, 0.5, 1, 2, 2, 4, 1, 1, 3, 5, 6)
tracks/1/type = "scale_3d"
tracks/1/path = NodePath("Crane/Hook")
tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3)'
	pipe "anim-parse -q s.tscn | anim-root -q --extract Crane/Hook | anim-emit json | grep '^{.track' | sed -E 's/.*\"node\":\"([^\"]*).*\"property\":\"([^\"]*).*\"interp\":\"([^\"]*).*columns\":/\1 \2 \3 /'"
	[ "$output" = 'Crane/Hook scale Linear {"time":[0],"value":[[1,2,3]]}}}
Crane/Hook position CubicTime {"time":[0,0.5,1],"value":[[1,2,3],[1,2,3],[1,5,3]]}}}
Crane position CubicTime {"time":[0,0.5,1],"value":[[0,0,0],[1,0,1],[2,0,3]]}}}' ]
}

# weighted PARENT: hips whose handles have times of their own; the root stands in what is turned so.
weighted() {
	cat <<-TEXT
		{"anim_json":1}
		{"tree":{"root":"Scene","axes":"gltf","axes2d":"unknown"}}
		{"node":{"path":".","kind":"node","has":["position","rotation"],"parent":null,"position":[0,0,0],"rotation":[$1]}}
		{"node":{"path":"Body","kind":"node","has":["position","rotation"],"parent":0,"position":[0,0,0],"rotation":[$2]}}
		{"node":{"path":"Body/Hips","kind":"node","has":["position"],"parent":1,"position":[0,1,0]}}
		{"clip":{"name":"c","end":2,"axes":"gltf","flags":["in_tree"],"root":"."}}
		{"track":{"node":"Body/Hips","property":"position","kind":"Curve","type":"float3","interp":"Weighted","columns":{"time":[0,1,2],"value":[[0,1,0],[1,1.5,2],[3,1,4]],"left":[[0,0,0],[1,0,1],[0,0,0]],"right":[[0,1,0],[1,0,1],[0,0,0]],"left_x":[[0.3,0.3,0.3],[0.2,0.3,0.4],[0.3,0.3,0.3]],"right_x":[[0.2,0.5,0.3],[0.2,0.3,0.4],[0.3,0.3,0.3]]}}}
		{"end":true}
	TEXT
}

@test "handles with times of their own stay where axes are alike; else both tracks become lines, once" {
	weighted 0,0,0,1 0,0,0,1 >s.json
	anim-parse -f json s.json | anim-root -q --extract Hips | anim-dump | grep ^track >tracks
	run -0 sed -E 's/.*node="([^"]*)".*interp=([A-Za-z]*) keys=(.*)/\1 \2 \3/' tracks
	[ "$output" = $'Body/Hips Weighted 3\nBody Weighted 3' ]
	weighted 0,0.38268343,0,0.9238795 0,-0.38268343,0,0.9238795 >s.json
	anim-parse -f json s.json >s.axs
	for axes in x y xz none; do
		anim-root -q --extract Hips --axes $axes s.axs | anim-dump | grep ^track >tracks
		[ "$(wc -l <tracks)" -eq 2 ]
		[ "$(cut -d ' ' -f 2 tracks | sort -u | wc -l)" -eq 2 ]
	done
}

@test "a clip without a node tree is refused, and gets one from its prefab or from its model" {
	local hint="clip 'walk' has no node tree; read it from the scene or prefab that plays it, or"
	anim convert -q -r 30 "$ROOT/examples/walker.tscn" walk.anim 2>/dev/null
	run -1 --separate-stderr anim convert --in-place walk.anim spot.anim
	[ "$stderr" = "anim-convert: $hint put it on a model first: anim retarget --from MODEL --to MODEL walk.anim -o posed.axs, and convert that" ]
	run -1 --separate-stderr anim-root --in-place -o r.axs walk.anim
	[ "$stderr" = "anim-root: $hint put 'anim-retarget --from MODEL --to MODEL' before this" ]
	cp "$ROOT/examples/walker.tscn" MODEL
	anim-axes godot walk.anim | anim-retarget -q --from MODEL --to MODEL | anim-root --in-place -o r.axs 2>told
	grep -q "note: removed a motion of" told
	anim-emit -q -o spot.anim r.axs
	cd "$DATA/unity/scene_project/Assets"
	anim-parse -c Walk Hero.prefab | anim-root --in-place --axes y --extract Body -o "$BATS_TEST_TMPDIR/w.axs" 2>"$BATS_TEST_TMPDIR/told"
	grep -q "note: removed a motion of 2 m and 0 degrees" "$BATS_TEST_TMPDIR/told"
}

@test "tracks above the hips that stay at the rest pose change nothing, and are allowed" {
	local rest='tracks/0/type = "scale_3d"
tracks/0/path = NodePath("Crane")
tracks/0/keys = PackedFloat32Array(0, 1, 0.9999999, 1, 1, 1, 1, 1, 1, 1)
tracks/1/type = "position_3d"
tracks/1/path = NodePath("Crane/Hook")
tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3, 1, 1, 2, 3, 4)'
	lift "$rest"
	anim-parse -q s.tscn >s.axs
	anim-root -q --extract Crane/Hook --to . --in-place s.axs >r.axs
	anim-info r.axs | grep -q 'Crane  *scale'
	lift "${rest/0.9999999/0.999}"
	anim-parse -q s.tscn | { run -1 --separate-stderr anim-root --extract Crane/Hook --to . -o x.axs; [[ $stderr == *"'Crane scale' moves a node above the hips"* ]]; }
}

@test "nodes that cannot be the root or the hips are errors" {
	lift 'tracks/0/type = "position_3d"
tracks/0/path = NodePath("Crane")
tracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)
tracks/1/type = "scale_3d"
tracks/1/path = NodePath("Hook")
tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3)'
	anim-parse -q s.tscn >s.axs
	fails() { # fails MESSAGE OPTION...
		run -1 --separate-stderr anim-root "${@:2}" -o r.axs s.axs
		[[ $stderr == *": $1" ]] || { echo "$stderr" && false; }
		[ ! -e r.axs ]
	}
	fails "the tree has no node 'Hips'; list its nodes with 'anim-info --tree FILE'" --extract Hips
	fails "several nodes are named 'hook'; use a path" --extract hook
	fails "'Yard' is the tree's first node, so it has no node above it for the root motion" --extract Yard
	fails "'Flat' is not above 'Crane/Hook' in the tree" --extract Crane/Hook --to Flat
	fails "'Crane position' moves a node above the hips; only the root may be animated there" --extract Crane/Hook --to .
	anim-filter -n Hook s.axs >t.axs
	cp t.axs s.axs
	run -1 --separate-stderr anim-root s.axs
	[[ $stderr == *"no node of the tree moves or has a known name for hips" ]]
	run -2 --separate-stderr anim-root --extract a --axes xw s.axs
	[ "${stderr_lines[0]}" = "anim-root: --axes: 'xw' is not made of x, y and z" ]
	run -2 --separate-stderr anim-root --extract a --fold --yaw s.axs
	[ "${stderr_lines[0]}" = "anim-root: --fold cannot be combined with the options for moving motion to the root" ]
}

@test "without a name of the hips, what moves the body is found, and all its parts keep their places" {
	local file="$DATA/root/siblings.gltf"
	for option in "" --yaw; do
		anim-root -q $option "$file" -o r.axs --force
		anim-diff --world "$file" r.axs >differ || grep -q ': 7 tracks compared, 1 differs$' differ
		anim-root -q --fold r.axs | anim-diff -q --max 0.1mm,0.01deg - "$file"
	done
	run -1 --separate-stderr anim-root --extract Hips -o x.axs "$file"
	[[ $stderr == *": 'Body/UpperLeg.R' is below 'Body', but not below 'Body/Hips', so it would lose the motion of its parent; extract 'Body' instead" ]]
	# the node above the hips that moves is the root, wherever it is
	node() { printf '{"node":{"path":"%s","kind":"node","has":["position"],"parent":%s,"position":%s}}\n' "$@"; }
	track() { printf '{"track":{"node":"%s","property":"position","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1],"value":%s}}}\n' "$@"; }
	take() {
		printf '%s\n' '{"anim_json":1}' '{"tree":{"root":"Scene","axes":"gltf","axes2d":"unknown"}}'
		node . null '[0,0,0]' Armature 0 '[0,0,0]' Armature/Rig 1 '[0,0,0]' "Armature/Rig/$1" 2 '[0,1,0]' "Armature/Rig/$1/LeftUpLeg" 3 '[1,0,0]' \
			"Armature/Rig/$1/RightUpLeg" 3 '[-1,0,0]'
		echo '{"clip":{"name":"c","end":1,"axes":"gltf","flags":["in_tree"],"root":"."}}'
		track "Armature/Rig/$1" '[[0,1,0],[1,1.5,0]]' "${@:2}"
		echo '{"end":true}'
	}
	take Hips Armature '[[0,0,0],[0,0,2]]' >above.json
	anim-parse -q above.json | anim-root -q | anim-emit json | grep '"track' >tracks
	grep 'node":"Armature",' tracks | grep -q 'value":\[\[0,0,0\],\[1,0,2\]\]'
	grep 'node":"Armature/Rig/Hips"' tracks | grep -q 'value":\[\[0,1,0\],\[0,1.5,0\]\]'
	anim-convert -q --in-place above.json spot.json
	grep -c '"track' spot.json | grep -qx 1
	# several move: the topmost has the motion; a name that is none: the topmost that moves
	take Hips Armature '[[0,0,0],[0,0,2]]' Armature/Rig '[[0,0,0],[3,0,0]]' >above.json
	anim-parse -q above.json | anim-root -q --in-place | anim-emit json | grep 'node":"Armature",' | grep -q 'value":\[\[0,0,0\],\[0,0,0\]\]'
	take Blob >above.json
	anim-parse -q above.json | anim-root -q --in-place | anim-emit json | grep 'Blob"' | grep -q 'value":\[\[0,1,0\],\[0,1.5,0\]\]'
	anim-convert -v -q --root-motion --hips Armature/Rig/Blob above.json x.json 2>told
	grep -q 'anim-root --extract Armature/Rig/Blob' told
	run -2 --separate-stderr anim-convert --hips Blob above.json y.json
}

@test "rotations whose signs change from key to key come out with one sign" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	awk 'BEGIN {
		print "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Yrotation Xrotation Zrotation\nEnd Site\n{\nOFFSET 0 5 0\n}\n}"
		print "MOTION\nFrames: 41\nFrame Time: 0.1"
		for (f = 0; f <= 40; f++)
			print 10 * f, 5, 0
	}' | anim-parse -q - | anim-bake -q | anim-emit json | python3 -c '
import json, sys
for line in sys.stdin:
    track = json.loads(line).get("track")
    if track and track["property"] == "rotation":
        values = [[-x for x in q] if i % 2 else q for i, q in enumerate(track["columns"]["value"])]
        line = json.dumps({"track": {**track, "columns": {"value": values}}}) + "\n"
    sys.stdout.write(line)' >s.json
	anim-parse -q s.json | anim-root -q --extract Hips --to . --yaw | anim-emit json >r.json
	python3 - <<-'PY'
		import json
		tracks = [json.loads(line).get("track") for line in open("r.json")]
		rotations = [t["columns"]["value"] for t in tracks if t and t["property"] == "rotation"]
		assert len(rotations) == 2
		for keys in rotations:
		    assert all(sum(x * y for x, y in zip(a, b)) > 0 for a, b in zip(keys, keys[1:]))
	PY
}

@test "ozz's own class parts motion and pose in the same way" {
	local file="$DATA/ozz/motion_skeleton.json" clip options
	alike() { # alike CLIP OPTION...: the clip of $file is what anim-root makes of its take, at the same keys
		anim-filter -c take s.axs | anim-root -q --extract Hips --tol 1m,180deg "${@:2}" >r.axs
		anim-filter -c "$1" s.axs | anim-diff --max 0.001mm,0.000057deg r.axs - || return
		[ "$(anim-dump r.axs | grep -c 'keys=13 ')" -eq "$(anim-filter -c "$1" s.axs | anim-dump | grep -c 'keys=13 ')" ]
	}
	anim-parse -q "$file" >s.axs
	alike "xz yaw" --for ozz
	alike "xyz yaw" --for ozz --axes xyz
	alike "none yaw" --for ozz --axes none
	alike "z yaw" --for ozz --axes z
	alike xz
	alike y --axes y
	run -1 alike "xz yaw" --yaw # they lean to two sides at once
	for file in "$DATA"/ozz/motion_{animation,identity}.json; do
		anim-parse -q "$file" >s.axs
		alike "xz yaw" --for ozz
		alike xz
	done
}

@test "whole job: a walk mirrored, on the spot and closed to a loop, in either order" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/retarget.py" make float
	spot() { anim-root -q --extract Hips --to . --yaw --in-place --loop "$@"; }
	anim-parse -q source.json | anim-rename -q --humanoid mixamo:unity >s.axs
	anim-mirror -q s.axs | spot >m.axs
	spot s.axs | anim-mirror -q | anim-diff --max 0.2mm,0.02deg - m.axs # each has its own keys between
	run -1 --separate-stderr anim-lint --loop-seam s.axs
	[[ $output == *Hips* ]]
	run --separate-stderr anim-lint --loop-seam m.axs
	[[ $output != *Hips\ * ]]
}

@test "takes of others: extracted and folded they are the source" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_sanitized "reading is tested elsewhere"
	local file
	for file in "$ANIM_CORPUS"/bvh/{cmu_12_01_walk,test_mocapbank,walk01}.bvh; do
		anim-parse -q --unit cm "$file" >s.axs
		for options in "--yaw" "--for unity" ""; do
			anim-root -q --extract Hips $options s.axs | anim-root -q --extract Hips --fold | anim-bake -q >r.axs
			anim-bake -q s.axs | anim-diff -q --max 0.001mm,0.0001deg - r.axs
		done
	done
}
