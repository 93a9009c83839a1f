#!/usr/bin/env bats
# anim-delta: differences from a pose, and back.

load helper

corpus="$ANIM_CORPUS/gltf"

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >s.tscn <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("Arm")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0.6, 0.8, 0.5, 1, 0.5, 0.5, 0.5, 0.5, 1, 1, 0, 0.28, 0.96, 0)
		tracks/1/type = "scale_3d"
		tracks/1/path = NodePath("Arm")
		tracks/1/keys = PackedFloat32Array(0, 1, 2, 4, 0.5, 1, 1, 3, 6, 1)
		tracks/2/type = "position_3d"
		tracks/2/path = NodePath("Arm")
		tracks/2/interp = 2
		tracks/2/keys = PackedFloat32Array(0, 1, 1, 2, 3, 1, 1, 2, 2, 2)
		tracks/3/type = "blend_shape"
		tracks/3/path = NodePath("Face:smile")
		tracks/3/keys = PackedFloat32Array(0, 1, 0.25, 1, 1, 1)
		tracks/4/type = "value"
		tracks/4/path = NodePath("Arm:visible")
		tracks/4/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 1, "values": [true] }

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "go": SubResource("a") }

		[node name="Root" type="Node3D"]

		[node name="Arm" type="Node3D" parent="."]
		transform = Transform3D(2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 1, 1)

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
	anim-parse -q -o s.axs s.tscn
}

# values PROPERTY FILE...: of the track of Arm.
values() {
	anim-emit -q json "$2" | sed -n "s/.*\"node\":\"[A-Za-z]*\",\"property\":\"$1\".*\"value\":\(\[.*\]\).*\$/\1/p" | sed 's/,"interp.*//; s/}.*//'
}

@test "rotations, scales and numbers differ as each target has it, and keep their times" {
	anim-delta -o d.axs s.axs
	[ "$(values position d.axs)" = "[[0,0,0],[1,0,-1]]" ]
	[ "$(values scale d.axs)" = "[[1,1,1],[1.5,1.5,2]]" ]
	[ "$(values blend_shape.smile d.axs)" = "[0,0.75]" ]
	[ "$(values visible d.axs)" = "[true]" ]
	anim-delta --for godot s.axs -o d.axs
	[ "$(values scale d.axs)" = "[[0,0,0],[1,2,0.5]]" ]
	anim-delta --for unreal s.axs -o d.axs
	[ "$(values scale d.axs)" = "[[0,0,0],[0.5,0.5,1]]" ]
	anim-delta --from rest -o d.axs s.axs
	[ "$(values scale d.axs)" = "[[1,2,0.25],[1.5,3,0.5]]" ]
	[ "$(values position d.axs)" = "[[0,1,2],[1,1,1]]" ]
	anim-delta --from last -o d.axs s.axs
	[ "$(values position d.axs)" = "[[-1,0,1],[0,0,0]]" ]
	anim-delta --from @0.5 s.axs | anim-emit -q json | grep -q '"property":"rotation".*\[0,0,0,1\]'
	anim-info d.axs >info
	grep -q 'Curve Cubic' info
}

@test "rotations differ as an evaluator of its own has it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	for order in own parent; do
		anim-delta --order $order -o d.axs s.axs
		values rotation s.axs >s.json
		values rotation d.axs >d.json
		python3 - $order <<-'PY'
			import json, sys
			def mul(a, b):
			    return [a[3]*b[0]+a[0]*b[3]+a[1]*b[2]-a[2]*b[1], a[3]*b[1]+a[1]*b[3]+a[2]*b[0]-a[0]*b[2],
			            a[3]*b[2]+a[2]*b[3]+a[0]*b[1]-a[1]*b[0], a[3]*b[3]-a[0]*b[0]-a[1]*b[1]-a[2]*b[2]]
			s, d = json.load(open("s.json")), json.load(open("d.json"))
			back = [-x for x in s[0][:3]] + [s[0][3]]
			assert len(s) == len(d) == 3
			for q, got in zip(s, d):
			    want = mul(back, q) if sys.argv[1] == "own" else mul(q, back)
			    assert max(abs(a - b) for a, b in zip(want, got)) < 1e-6, (want, got)
		PY
	done
}

@test "what is put back on its pose is the source" {
	local files=(s.axs) file name pose
	if [ -d "$corpus" ]; then
		for name in CesiumMan Fox RobotExpressive; do
			anim-parse -q -o $name.axs "$corpus/$name.glb"
			files+=($name.axs)
		done
	fi
	for file in "${files[@]}"; do
		for pose in rest "$file"; do
			for options in "" "--for unreal" "--for godot" "--order parent"; do
				# shellcheck disable=SC2086 # options are several words
				anim-delta $options --from "$pose" "$file" | anim-delta --apply "$pose" --force -o back.axs
				anim-diff --max 0.001mm,0.0001deg,0.0001% "$file" back.axs >/dev/null
			done
		done
	done
	anim-dump back.axs | run -1 grep 'attr "delta"'
}

@test "ozz's own class makes the same differences" {
	anim-parse -q "$DATA/ozz/additive.json" >o.axs
	for pose in first rest; do
		anim-filter -c take o.axs | anim-delta --for ozz --from $pose >d.axs
		anim-filter -c $pose o.axs | anim-diff --max 0.001mm,0.000057deg,0.0001% d.axs -
	done
}

@test "a clip of differences says so, is not taken for another, and is reported where it is written" {
	anim-delta -o d.axs s.axs
	anim-dump d.axs | grep -q 'attr "delta" "own,ratio"'
	run -1 --separate-stderr anim-delta d.axs
	[ "$stderr" = "anim-delta: clip 'go' already holds differences" ]
	anim-emit tres d.axs 2>said >/dev/null
	grep -q "note: clip 'go': differences from a pose; play them on an additive layer" said
}

@test "a whole clip that is put on a pose is warned of, one whose kind was given is not" {
	anim-delta -o d.axs s.axs
	run -0 --separate-stderr anim-delta --apply rest -o whole.axs d.axs
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-delta --apply rest -o twice.axs whole.axs
	[[ $stderr == *"warning: clip 'go': not marked as differences, but applied to the pose as such; give the kind with --order or --for" ]]
	run -1 anim-delta --strict --apply rest -o twice.axs whole.axs
	run -0 --separate-stderr anim-delta --strict --apply rest --for ozz -o others.axs whole.axs
	[ -z "$stderr" ]
}

@test "joints that rest without rotation, as in BVH, differ from none" {
	anim-parse -q "$DATA/bvh/arm.bvh" | anim-bake -q -o b.axs
	anim-delta --from rest -o d.axs b.axs
	anim-delta --apply rest d.axs | anim-diff - b.axs
}

@test "what has no difference is an error" {
	run -2 --separate-stderr anim-delta --from first --apply rest s.axs
	run -2 --separate-stderr anim-delta --apply first s.axs
	[ "${stderr_lines[0]}" = "anim-delta: --apply: 'first' is a pose of the clip itself; use rest or a file" ]
	run -2 anim-delta --from @x s.axs
	run -1 --separate-stderr anim-delta --from none.axs s.axs
	[[ $stderr == "anim-delta: none.axs: "* ]]
	sed 's/0, 1, 2, 4, 0.5,/0, 1, 0, 4, 0.5,/' s.tscn | anim-parse -q - >zero.axs
	run -1 --separate-stderr anim-delta -o d.axs zero.axs
	[ "$stderr" = "anim-delta: 'Arm scale' has scale 0 in the reference pose" ]
	[ ! -e d.axs ]
	anim-axes -q unity s.axs >u.axs
	run -1 --separate-stderr anim-delta --from u.axs s.axs
	[ "$stderr" = "anim-delta: clip 'go' is in godot axes, the pose is in unity axes; convert one of them with anim-axes" ]
	anim-parse -q "$DATA/bvh/arm.bvh" >e.axs
	run -1 --separate-stderr anim-delta --keep-euler e.axs
	[[ $stderr == *"has no difference key by key; put 'anim-bake' before this" ]]
}

@test "Euler angles become rotations, in the clip and in the pose" {
	anim-parse -q "$DATA/bvh/arm.bvh" >e.axs
	anim-bake -q e.axs >b.axs
	anim-delta -q -o d.axs e.axs
	anim-delta -q b.axs | anim-diff -q --max 0.001mm,0.0001deg - d.axs
	anim-delta -q --apply e.axs d.axs | anim-diff -q --max 0.001mm,0.0001deg b.axs -
}
