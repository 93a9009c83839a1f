#!/usr/bin/env bats
# Skeleton3D.motion_scale: streams hold metres, files of Godot hold units that the engine multiplies by it.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$DATA/godot/motion_scale.tscn" up.tscn
}

# heights FILE: y of the hips at 0, 0.5 and 1 s.
heights() { anim-parse -q "$1" | anim-resample -q 2 | anim-emit -q csv | awk -F, '$3 == "position" { printf "%s ", $11 }'; }

# with_keys SCALE KEYS...: writes keys.tscn.
with_keys() {
	sed "s/^motion_scale = .*/motion_scale = $1/; s/^\(tracks.0.keys = \).*/\1PackedFloat32Array($2)/" up.tscn >keys.tscn
}

keys() { grep '^tracks/0/keys' "$1"; }

@test "positions of bones are read in metres: the skeleton's motion_scale times the file's" {
	[ "$(heights up.tscn)" = "0.5 0.75 1 " ]
	anim-parse -q up.tscn | anim-emit -q -o up.glb
	[ "$(heights up.glb)" = "0.5 0.75 1 " ]
	sed 's/^motion_scale.*//' up.tscn >one.tscn
	[ "$(heights one.tscn)" = "1 1.5 2 " ]
	sed 's/^motion_scale.*/motion_scale = -2.0/' up.tscn >below.tscn # the engine takes 1
	[ "$(heights below.tscn)" = "1 1.5 2 " ]
}

@test "only positions of bones are multiplied" {
	sed 's/position_3d/scale_3d/' up.tscn >scale.tscn
	anim-parse -q scale.tscn | anim-emit -q csv | grep -q 'scale,,float3,Curve,1,1,Linear,0,2,0'
	sed 's/"S:Hips"/"S"/' up.tscn >node.tscn
	[ "$(heights node.tscn)" = "1 1.5 2 " ]
}

@test "the scale is found by %Name and in instanced scenes, whose own may be changed" {
	sed 's/"S:Hips"/"%S:Hips"/; s/^motion_scale/unique_name_in_owner = true\n&/' up.tscn >unique.tscn
	[ "$(heights unique.tscn)" = "0.5 0.75 1 " ]
	anim-parse -q unique.tscn | anim-emit -q -o again.tscn
	[ "$(keys again.tscn)" = "$(keys up.tscn)" ]
	cat >outer.tscn <<-'TEXT'
		[gd_scene format=3]

		[ext_resource type="PackedScene" path="up.tscn" id="1"]

		[sub_resource type="Animation" id="1"]
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("up/S:Hips")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 1, 0, 1, 1, 0, 2, 0)

		[sub_resource type="AnimationLibrary" id="2"]
		_data = {&"up": SubResource("1")}

		[node name="Outer" type="Node3D"]

		[node name="up" parent="." instance=ExtResource("1")]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {&"": SubResource("2")}
	TEXT
	[ "$(heights outer.tscn)" = "0.5 0.75 1 " ]
	sed 's/^\[node name="AnimationPlayer"/[node name="S" parent="up" index="0"]\nmotion_scale = 0.25\n\n&/' outer.tscn >changed.tscn
	[ "$(heights changed.tscn)" = "0.25 0.375 0.5 " ]
}

@test "what Godot wrote comes back byte for byte, whatever floats the keys are" {
	local scale
	for scale in 0.5 1.1732 0.9 1.9999999 0.033333335 7.0; do
		with_keys "$scale" "$(python3 -c '
import random, struct
random.seed(5)
single = lambda x: repr(struct.unpack("f", struct.pack("f", x))[0])
f32 = lambda x: struct.unpack("f", struct.pack("f", x))[0]
def shortest(x):
    for digits in range(1, 10):
        text = "%.*g" % (digits, x)
        if f32(float(text)) == x: return text
print(", ".join(", ".join([str(k), "1"] + ["%s" % shortest(f32(random.uniform(-2, 2))) for _ in range(3)]) for k in range(2000)))')"
		sed -i 's/^length = .*/length = 2000.0/' keys.tscn
		anim-parse -q keys.tscn >keys.axs
		anim-emit -q --force -o out.tscn keys.axs
		cmp <(grep -E '^(tracks|motion_scale)' keys.tscn) <(grep -E '^(tracks|motion_scale)' out.tscn)
		anim-emit -q --force -o out.tres keys.axs
		cmp <(keys keys.tscn) <(keys out.tres)
		sed 's/Array(0, 1, [^,]*/Array(0, 1, 9/' keys.tscn >into.tscn
		anim-emit -q --into into.tscn keys.axs
		cmp <(keys into.tscn) <(keys keys.tscn)
	done
}

@test "a clip is put into a scene in the units of that scene's skeleton" {
	sed 's/^motion_scale.*/motion_scale = 0.25/; s/1, 0, 2, 0)/1, 0, 9, 0)/' up.tscn >quarter.tscn
	anim-parse -q up.tscn | anim-emit -q --into quarter.tscn
	[ "$(keys quarter.tscn)" = "tracks/0/keys = PackedFloat32Array(0, 1, 0, 2, 0, 1, 1, 0, 4, 0)" ]
	anim-parse -q up.tscn | anim-rename -q --on clip -e s/up/higher/ | anim-emit -q --into quarter.tscn
	[ "$(grep -c '0, 1, 0, 2, 0, 1, 1, 0, 4, 0' quarter.tscn)" = 2 ]
	anim-parse -q up.tscn | anim-retarget -q --to quarter.tscn | anim-emit -q -o onto.tscn
	grep -q '^motion_scale = 0.25' onto.tscn
	[ "$(heights onto.tscn)" = "0.5 0.75 1 " ]
}

@test "a library without a tree is in such units already" {
	anim-parse -q up.tscn | anim-emit -q -o up.tres
	[ "$(heights up.tres)" = "1 1.5 2 " ]
	sed 's/1, 0, 2, 0)/1, 0, 9, 0)/' up.tscn >into.tscn
	anim-parse -q up.tres | anim-emit -q --into into.tscn
	[ "$(keys into.tscn)" = "$(keys up.tscn)" ]
}

@test "Godot 3, which has no such scale, gets metres" {
	anim-parse -q up.tscn | anim-emit -q --godot 3 -o old.tscn
	run ! grep -q motion_scale old.tscn
	anim-parse -q old.tscn | anim-bake -q -r 2 | anim-emit -q csv | grep -q ',position,,float3,Raw,2,1,.*,0,1,0,'
}

@test "the note of how a key was rounded stays with Godot" {
	with_keys 1.1732 '0, 1, 0.1, 1.71, 0.3, 1, 1, 0.7, 2.3, 0.9'
	anim-parse -q keys.tscn >keys.axs
	anim-dump keys.axs | grep -q 'columns time value hint'
	anim-emit -q unity keys.axs >keys.anim
	[ "$(grep -c 'tangentMode: 0' keys.anim)" = "$(grep -c tangentMode keys.anim)" ]
}

@test "the engine shows the heights that are read" {
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/motion_scale.gd" project
	cp up.tscn project/in/a.tscn
	sed 's/^motion_scale.*/motion_scale = 0.25/; s/1, 0, 2, 0)/1, 0, 9, 0)/' up.tscn >project/in/b.tscn
	anim-parse -q up.tscn | anim-emit -q --into project/in/b.tscn
	anim-parse -q up.tscn | anim-emit -q -o project/in/c.tscn
	"$GODOT" --headless --path "$PWD/project" --script res://motion_scale.gd >said 2>errors
	diff <(grep '^[abc]' said) - <<-'TEXT'
		a.tscn [0.5, 0.75, 1.0]
		b.tscn [0.5, 0.75, 1.0]
		c.tscn [0.5, 0.75, 1.0]
	TEXT
}
