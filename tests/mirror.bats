#!/usr/bin/env bats
# anim-mirror: left and right exchanged, measured from rest.

load helper

corpus="$ANIM_CORPUS/gltf"

# sampled NAME: NAME.axs as JSON Lines of whole values.
sampled() {
	anim-bake -q -r 20 --all "$1.axs" | anim-emit -q --force -o "$1.json"
}

# mirrored KIND PAIRS [OPTION...]: a skeleton of that kind, mirrored, as an evaluator of its own finds it; and back.
mirrored() {
	local plane=x
	python3 "$ROOT/tests/mirror.py" make "$1" s.gltf
	anim-parse -q s.gltf >s.axs
	echo "$2" >pairs
	shift 2
	[[ "$*" != *z* ]] || plane=z
	anim-mirror --force -o m.axs "$@" s.axs
	sampled s
	sampled m
	python3 "$ROOT/tests/mirror.py" check s.json m.json $plane pairs 1e-6
	anim-mirror "$@" m.axs | anim-diff --max 0.001mm,0.0001deg - s.axs
	[ "$(anim-info -q s.axs | tail -n 2 | head -n 1)" = "$(anim-info -q m.axs | tail -n 2 | head -n 1)" ]
}

@test "every bone rotates from its rest as its partner did, mirrored, by each rule for partners" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	mirrored numbers "Arm_L_1,Arm_R_1 Hand_L_1,Hand_R_1 Finger_L_1,Finger_R_1 Finger_L_2,Finger_R_2"
	mirrored words "LeftUpperArm,RightUpperArm mixamorig_LeftHand,mixamorig_RightHand thumb_left,thumb_right LeftIndex,RightIndex"
	# numbers that differ from side to side, and names that say nothing
	mirrored bare "arm_L_1,arm_R_4 hand.L.2,hand.R.9 finger_L_4,finger_R_1 finger_L_1,finger_R_4"
	mirrored places "a,b c,d e,f g,h" --plane z
	# the plane is found where names tell the sides
	anim-parse -q s.gltf | anim-rename -q --on name -e 's/^[aceg]$/&_L/' -e 's/^b$/a_R/' -e 's/^d$/c_R/' -e 's/^f$/e_R/' -e 's/^h$/g_R/' >s.axs
	anim-mirror --no-provenance s.axs >m.axs
	anim-mirror --no-provenance --plane z s.axs | cmp - m.axs
}

@test "models of others: twice is the source, and asymmetry is reported" {
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	local name
	for name in CesiumMan Fox RobotExpressive; do
		anim-parse -q "$corpus/$name.glb" >s.axs
		anim-mirror -q s.axs >m.axs
		anim-mirror -q m.axs | anim-diff --max 0.001mm,0.0001deg - s.axs
		anim-mirror -q s.axs | cmp - m.axs
	done
	run -0 --separate-stderr anim-mirror -o m.axs s.axs
	[[ $stderr == *": note: the rest pose is not symmetric: 'Bone/Body/Hips/Abdomen/Torso/Shoulder."*"' and its partner differ by 1.1 % of its size; this difference remains" ]]
}

@test "Fox's mirror image is one by an evaluator of its own, too" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	anim-parse -q -c Walk "$corpus/Fox.glb" >s.axs
	anim-mirror -q s.axs >m.axs
	sampled s
	sampled m
	anim-info --tree s.axs | grep -oE 'b_(Left|Right)[A-Za-z0-9]*_[0-9]+' | sort -u >names
	while read -r name; do # their numbers count on from side to side
		other=$(grep -E "^${name/Left/Right}\$|^$(sed 's/Left/Right/; s/_[0-9]*$//' <<<"$name")_[0-9]+\$" names)
		echo "$name,$other"
	done < <(grep Left names) >pairs
	python3 "$ROOT/tests/mirror.py" check s.json m.json x pairs 0.1 # of a size of 150
}

# scene: two hands and a head between them; $1: keys of the left one's track.
scene() {
	cat <<-TEXT
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		$1

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "go": SubResource("a") }

		[node name="Root" type="Node3D"]

		[node name="HandL" type="Node3D" parent="."]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)

		[node name="Hand_L" type="Node3D" parent="."]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0)

		[node name="Hand_R" type="Node3D" parent="."]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 1, 0)

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
}

@test "positions, scales, other properties and blend shapes change sides; modes and times stay" {
	scene 'tracks/0/type = "position_3d"
tracks/0/path = NodePath("Hand_L")
tracks/0/interp = 2
tracks/0/keys = PackedFloat32Array(0, 1, 1, 1, 0, 0.5, 1, 2, 3, 4)
tracks/1/type = "scale_3d"
tracks/1/path = NodePath("Hand_R")
tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3)
tracks/2/type = "value"
tracks/2/path = NodePath("Hand_L:visible")
tracks/2/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 1, "values": [true] }
tracks/3/type = "blend_shape"
tracks/3/path = NodePath("Face:mouthSmileLeft")
tracks/3/keys = PackedFloat32Array(0, 1, 1)
tracks/4/type = "blend_shape"
tracks/4/path = NodePath("Face:brow_R")
tracks/4/keys = PackedFloat32Array(0, 1, 1)
tracks/5/type = "blend_shape"
tracks/5/path = NodePath("Face:Leftover")
tracks/5/keys = PackedFloat32Array(0, 1, 1)' >s.tscn
	pipe "anim-parse -q s.tscn | anim-mirror -q | anim-dump | grep '^track' | cut -d ' ' -f 2,3"
	[ "$output" = 'node="Hand_R" property="position"
node="Hand_L" property="scale"
node="Hand_R" property="visible"
node="Face" property="blend_shape/mouthSmileRight"
node="Face" property="blend_shape/brow_L"
node="Face" property="blend_shape/Leftover"' ]
	anim-parse -q s.tscn | anim-mirror | anim-emit json -q | grep '"position"' | tail -n 1 >out
	grep -q '"value":\[\[-1,1,0\],\[-2,3,4\]\]' out
}

@test "each tree has its own partners and its own messages" {
	scene 'tracks/0/type = "position_3d"
tracks/0/path = NodePath("Hand_L")
tracks/0/keys = PackedFloat32Array(0, 1, 1, 1, 0)' | sed 's/ -1, 1, 0)$/ -1.02, 1, 0)/' >lopsided.tscn
	scene '' | grep -v '1, [12], [03])$' | grep -v '"Hand' >bare.tscn
	anim-parse -q lopsided.tscn bare.tscn >s.axs
	run -0 --separate-stderr anim-mirror -o m.axs s.axs
	[[ $stderr == *"'Hand_L' and its partner differ by "*" % of its size; this difference remains" ]]
	anim-parse -q bare.tscn lopsided.tscn bare.tscn >s.axs
	run -0 --separate-stderr anim-mirror -o m.axs s.axs
	[ "${#stderr_lines[@]}" = 1 ]
}

@test "what has no partner, no rest or no mirror image is an error; --pairs and --rest mend it" {
	local keys='tracks/0/type = "position_3d"
tracks/0/path = NodePath("HandL")
tracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)'
	scene "$keys" >s.tscn
	anim-parse -q s.tscn >s.axs
	run -1 --separate-stderr anim-mirror -o m.axs s.axs
	[ "$stderr" = "anim-mirror: 'HandL position' moves a node that has no partner by name or place; name it with --pairs FILE" ]
	[ ! -e m.axs ]
	echo HandL,HandL >pairs.csv
	anim-mirror -q --pairs pairs.csv s.axs | anim-emit json -q | grep -q '"value":\[\[1,2,3\]\]'
	printf '%s\n' '{"name":"w","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float3","data":{"node":"Hand_L","property":"Position","keyframes":[{"time":0,"value":{"x":1,"y":2,"z":3},"interpolation":"Linear"}]}}]}' >w.animj
	anim-parse -q w.animj >w.axs
	run -1 --separate-stderr anim-mirror -o m.axs w.axs
	[ "$stderr" = "anim-mirror: 'Hand_L position' moves a node whose rest pose is unknown; set it with --rest FILE" ]
	sed s/HandL/FootL/g s.tscn >feet.tscn
	run -1 --separate-stderr anim-mirror --rest feet.tscn s.axs
	[ "$stderr" = "anim-mirror: 'HandL position' moves a node that the file with the rest poses does not have" ]
	run -1 --separate-stderr anim-mirror --rest s.tscn w.axs
	[ "$stderr" = "anim-mirror: clip 'w' is in resonite axes, the rests are in godot axes; convert one of them with anim-axes" ]
	anim-axes -q godot w.axs | anim-mirror -q --rest s.tscn | anim-emit json -q | grep '"Hand_R"' | grep -q '"value":\[\[1,2,3\]\]'
	run -1 --separate-stderr anim-mirror --pairs s.tscn -o m.axs s.axs
	[ ! -e m.axs ]
	run -2 anim-mirror --plane w s.axs
}

@test "sides in lower case without a separator are known, and hair without a partner is mirrored in its own place" {
	hair() { # hair LEFT RIGHT HAIR
		printf '%s\n' '{"anim_json":1}' '{"tree":{"root":"Scene","axes":"gltf","axes2d":"unknown"}}'
		printf '{"node":{"path":"%s","kind":"%s","has":["position"],"parent":%s,"position":%s}}\n' . node null '[0,0,0]' hips bone 0 '[0,1,0]' \
			hips/head bone 1 '[0,1,0]' "hips/head/$3" bone 2 '[0.3,0.1,0]' "hips/$1" bone 1 '[0.5,0,0]' "hips/$2" bone 1 '[-0.4,0,0]'
		echo '{"clip":{"name":"c","end":1,"axes":"gltf","flags":["in_tree"],"root":"."}}'
		for n in "hips/head/$3" "hips/$1"; do
			printf '{"track":{"node":"%s","property":"rotation","kind":"Curve","type":"floatQ","interp":"Linear","columns":{"time":[0],"value":[[0,0.6,0,0.8]]}}}\n' "$n"
		done
		echo '{"end":true}'
	}
	hair lhand rhand tuft_L >h.json
	anim-parse -q h.json >h.axs
	run -0 --separate-stderr anim-mirror -o m.axs h.axs
	[[ "$stderr" == *"warning: track 'hips/head/tuft_L rotation': mirrored in place, without a partner; name one with --pairs FILE"* ]]
	anim-emit -q json m.axs >m.json
	grep '"hips/rhand"' m.json | grep -q '"value":\[\[0,-0.6,0,0.8\]\]'
	grep '"track".*"hips/head/tuft_L"' m.json | grep -q '"value":\[\[0,-0.6,0,0.8\]\]'
	hair handleft handright lock >h.json
	anim-parse -q h.json | anim-mirror 2>told | anim-emit -q json | grep '"track"' | grep -q '"hips/handright"'
	hair HandL Blob tuft_L >h.json # a bone of a human needs its partner
	run -1 anim-mirror -o x.axs h.json
}

@test "angles that run with the axes of the whole change their signs" {
	cat >a.bvh <<-'TEXT'
		HIERARCHY
		ROOT Hips
		{
		  OFFSET 0 1 0
		  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
		  JOINT LeftLeg
		  {
		    OFFSET 1 0 0
		    CHANNELS 3 Zrotation Xrotation Yrotation
		    End Site
		    {
		      OFFSET 0 -1 0
		    }
		  }
		  JOINT RightLeg
		  {
		    OFFSET -1 0 0
		    CHANNELS 3 Zrotation Xrotation Yrotation
		    End Site
		    {
		      OFFSET 0 -1 0
		    }
		  }
		}
		MOTION
		Frames: 1
		Frame Time: 0.1
		0.5 1 2 10 20 30 1 2 3 4 5 6
	TEXT
	anim-parse -q a.bvh | anim-mirror -q | anim-emit -q bvh | tail -n 1 >out
	run -0 cat out
	[ "$output" = "-0.5 1 2 -10 20 -30 -4 5 -6 -1 2 -3" ]
}

@test "two dimensions: angles by their rotations from rest, places, and skews" {
	cat >s.tscn <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Body/ArmL:rotation")
		tracks/0/keys = { "times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [0.5, 0.75] }
		tracks/1/type = "value"
		tracks/1/path = NodePath("Body/ArmL:position")
		tracks/1/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [Vector2(12, 7)] }
		tracks/2/type = "value"
		tracks/2/path = NodePath("Body/ArmL/HandL:rotation")
		tracks/2/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [1.0] }
		tracks/3/type = "value"
		tracks/3/path = NodePath("Body/ArmL:skew")
		tracks/3/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [0.125] }

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "go": SubResource("a") }

		[node name="Root" type="Node2D"]

		[node name="Body" type="Node2D" parent="."]

		[node name="ArmL" type="Node2D" parent="Body"]
		position = Vector2(10, 5)
		rotation = 0.25

		[node name="HandL" type="Node2D" parent="Body/ArmL"]
		position = Vector2(0, 20)

		[node name="ArmR" type="Node2D" parent="Body"]
		position = Vector2(-10, 5)
		rotation = -0.5

		[node name="Turned" type="Node2D" parent="Body"]

		[node name="HandR" type="Node2D" parent="Body/ArmR"]
		position = Vector2(-4.55, 19.5)
		scale = Vector2(1, 1)

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
	anim-parse -q s.tscn >s.axs
	# ArmL turns by 0.25 and 0.5 from rest, 2 to the right and 2 down; its hand by 1
	anim-mirror -q s.axs | anim-emit json -q | grep '^{.track' | sed -E 's/.*"node":"([^"]*).*"property":"([^"]*).*"value":(.*)}}}/\1 \2 \3/' >out
	run -0 cat out
	[ "$output" = 'Body/ArmR angle [-0.75,-1]
Body/ArmR position [[-12,7]]
Body/ArmR/HandR angle [-1]
Body/ArmR skew [-0.125]' ]
	anim-mirror -q s.axs | anim-mirror -q | anim-diff --max 0.001px,0.0001deg - s.axs
	run -1 --separate-stderr anim-mirror -q --plane z s.axs
	[[ $stderr == *"is two-dimensional and cannot be mirrored along z" ]]
}

@test "other angles become rotations, within a bound; --keep-euler refuses them" {
	{
		cat <<-'TEXT'
			{"anim_json":1}
			{"tree":{"root":"root"}}
			{"node":{"path":".","parent":null}}
			{"node":{"path":"LeftArm","has":["position","rotation"],"parent":0,"position":[1,1,0],"rotation":[0.5,0.1,0.7,0.5]}}
			{"node":{"path":"RightArm","has":["position","rotation"],"parent":0,"position":[-1,1,0],"rotation":[0.1,0.5,0.5,0.7]}}
			{"clip":{"name":"c","end":1,"root":".","flags":["in_tree"]}}
			{"track":{"node":"LeftArm","property":"euler","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,0.5,1],"value":[[0.1,0.2,0.3],[1,0.5,-0.3],[0,2,0.3]]}}}
			{"end":true}
		TEXT
	} >s.json
	anim-parse -q -f json s.json >s.axs
	run -1 --separate-stderr anim-mirror --plane x --keep-euler s.axs
	[[ $stderr == *"'LeftArm euler' cannot be mirrored key by key; put 'anim-bake' before this" ]]
	run -0 --separate-stderr anim-mirror --plane x -o m.axs s.axs
	[[ $stderr =~ "note: track of Euler angles 'LeftArm euler': became quaternions, at most 0.0"[0-9]+" degrees off" ]] || { echo "$stderr" && false; }
	anim-bake -q -r 100 s.axs | anim-mirror -q --plane x | anim-diff -q -r 100 --max 0.011deg - m.axs
}

@test "a bone whose name has no side is its own partner beside the plane, too, unless it rests across" {
	middle() { # the rest of the hips, that of the spine
		cat >s.bvh <<-TEXT
			HIERARCHY
			ROOT joint_Root
			{
			  OFFSET 0 0 0
			  CHANNELS 3 Zrotation Xrotation Yrotation
			  JOINT Hips
			  {
			    OFFSET $1
			    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
			    JOINT C_spine0001
			    {
			      OFFSET $2
			      CHANNELS 3 Zrotation Xrotation Yrotation
			    }
			    JOINT Leg_L
			    {
			      OFFSET 10 0 0
			      CHANNELS 3 Zrotation Xrotation Yrotation
			    }
			    JOINT Leg_R
			    {
			      OFFSET -10 0 0
			      CHANNELS 3 Zrotation Xrotation Yrotation
			    }
			  }
			}
			MOTION
			Frames: 1
			Frame Time: 0.1
			0 0 0  11 90 0  0 0 10  0 0 20  1 2 3  4 5 6
		TEXT
		anim-parse -q --unit m s.bvh | anim-bake -q >s.axs
	}
	middle "8 90 -10" "1.5 10 0"
	run -0 --separate-stderr anim-mirror -o m.axs s.axs
	[[ $stderr == *"warning: the rest pose is not symmetric: 'joint_Root/Hips' and its partner differ by "* ]]
	[ "$(anim-dump m.axs | grep -A2 '^track node="joint_Root/Hips" property="position"' | tail -n 1)" = $'\t5,90,0' ]
	anim-mirror -q m.axs | anim-diff --max 0.001mm,0.0001deg - s.axs
	middle "8 90 -10" "12 3 0"
	run -1 --separate-stderr anim-mirror s.axs
	[ "$stderr" = "anim-mirror: 'joint_Root/Hips/C_spine0001 rotation' moves a node without a partner that crosses the mirror plane in its rest pose; name its partner with --pairs FILE, or use a symmetric rest pose with --rest FILE" ]
}

# placed SOURCE [OPTION...]: the joints of a mirrored take are at the mirrored places, to 1e-5 of the height.
placed() {
	local source=$1
	shift
	run -0 --separate-stderr anim convert --unit cm --mirror "$@" --force "$source" placed.axs
	anim convert -q --unit cm --force "$source" s.axs
	sampled s
	sampled placed
	python3 "$ROOT/tests/mirror.py" places s.json placed.json 1e-5
}

@test "a rest that is no pose: joints are at the mirrored places, with or without a time of a pose" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	local name
	for name in z1_world_axes z2_x_axes z4_x_axes_zero_offsets; do
		placed "$DATA/rests/$name.bvh"
		placed "$DATA/rests/$name.bvh" --rest "$DATA/rests/$name.bvh@0"
		placed "$DATA/rests/$name.bvh" --rest "$DATA/rests/$name.bvh@1"
	done
	anim convert -q --unit cm "$DATA/rests/z2_x_axes.bvh" z2.axs
	sampled z2
	python3 "$ROOT/tests/mirror.py" flip z2.json >maya.json
	anim-parse -q maya.json | anim-mirror -o m.axs
	anim-parse -q maya.json >maya.axs
	sampled m
	python3 "$ROOT/tests/mirror.py" places maya.json m.json 1e-5
	anim-mirror -q m.axs | anim-diff --max 0.01mm,0.001deg - maya.axs
	# the pose is mirrored in the axes and by the names of its file
	run -0 --separate-stderr anim convert --unit cm --mirror --rest "$DATA/rests/z2_x_axes.bvh@0" --humanoid mixamo:vrm "$DATA/rests/z2_x_axes.bvh" m.anim
	[[ $stderr != *"not symmetric"* ]]
	run -2 --separate-stderr anim convert --unit cm --rest "$DATA/rests/z2_x_axes.bvh@0" "$DATA/rests/z2_x_axes.bvh" m.glb
	[[ $stderr == *"--rest FILE@SECONDS requires --retarget, --muscles or --mirror"* ]]
	run -1 --separate-stderr anim-mirror --unit cm --rest s.axs -o u.axs s.axs
	[[ $stderr == *"--unit is for a bvh, amc or asf that --rest names" ]]
}

@test "motion capture of others on bones with any axes: joints are at the mirrored places" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	sed -E 's/(Shoulder|UpperArm|LowerArm|Hand|UpperLeg|LowerLeg|Foot|Toes)_L/Left\1/; s/([A-Za-z]+)_R$/Right\1/' "$ANIM_CORPUS/bvh/bn_dataset-1_bow_feminine_001.bvh" >bow.bvh
	placed bow.bvh
	[[ $stderr == *"note: the rest pose is not symmetric, so bones such as 'joint_Root/Hips/"*"' are mirrored by their places" ]]
	placed bow.bvh --rest bow.bvh@0
}
