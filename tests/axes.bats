#!/usr/bin/env bats
# anim-axes as a program: its targets and options, and whole scenes there and back.

load helper

# A scene with what the axes mean something to: a camera with a child, a sprite, an animation of them all.
scene() {
	cat <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		resource_name = "show"
		length = 1.0
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("Camera")
		tracks/0/interp = 1
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5, 0.5)
		tracks/1/type = "value"
		tracks/1/path = NodePath("Camera:rotation_degrees")
		tracks/1/interp = 1
		tracks/1/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [Vector3(10, 20, 30), Vector3(-40, 90, 0)]
		}
		tracks/2/type = "position_3d"
		tracks/2/path = NodePath("Camera/Arm")
		tracks/2/interp = 1
		tracks/2/keys = PackedFloat32Array(0, 1, 1, 2, 3)
		tracks/3/type = "value"
		tracks/3/path = NodePath("Sprite:position")
		tracks/3/interp = 1
		tracks/3/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [Vector2(16, 32), Vector2(-8, 0.1)]
		}
		tracks/4/type = "bezier"
		tracks/4/path = NodePath("Sprite:position:y")
		tracks/4/interp = 1
		tracks/4/keys = {
		"handle_modes": PackedInt32Array(0, 0),
		"points": PackedFloat32Array(64, -0.25, 16, 0.25, -16, 8, -0.25, 0, 0.25, 0),
		"times": PackedFloat32Array(0, 1)
		}
		tracks/5/type = "value"
		tracks/5/path = NodePath("Sprite:rotation")
		tracks/5/interp = 1
		tracks/5/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [0.5, -1.5]
		}

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "show": SubResource("a") }

		[node name="Root" type="Node3D"]

		[node name="Camera" type="Camera3D" parent="."]
		transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3)

		[node name="Arm" type="Node3D" parent="Camera"]

		[node name="Sprite" type="Sprite2D" parent="."]
		position = Vector2(160, -32)
		rotation = 0.25
		skew = 0.125

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
}

@test "there and back again, whatever the target, a scene is the same bytes" {
	scene | anim-parse --no-provenance >x.axs
	there_and_back() { # there_and_back 'ARGUMENTS' 'ARGUMENTS'
		anim-axes --no-provenance $1 x.axs >there.axs
		anim-axes --no-provenance $2 there.axs >back.axs
		run ! cmp -s x.axs there.axs
		same x.axs back.axs
	}
	there_and_back unity godot
	there_and_back resonite godot
	there_and_back '--flip z unity' '--flip z godot'
	there_and_back '--ppu 16 unity2d' '--ppu 16 godot2d'
}

@test "two dimensions and three are brought over one after the other, in either order" {
	scene | anim-parse --no-provenance >x.axs
	anim-axes --no-provenance unity x.axs | anim-axes --no-provenance unity2d >a.axs
	anim-axes --no-provenance unity2d x.axs | anim-axes --no-provenance unity >b.axs
	same a.axs b.axs
	anim-info --json a.axs >info.json
	[ "$(grep -c '"axes":"unity","axes2d":"unity"' info.json)" -eq 2 ] # the clip and the tree
}

@test "a camera looks the same way in the other engine's axes, and what hangs below it stays" {
	scene | anim-parse >x.axs
	anim-axes unity x.axs | anim-info --tree >tree
	# It looked along its -Z, which the quarter turn made -X of the world: mirrored, +X; so must its +Z look.
	grep -q 'Camera camera Camera3D position (-1, 2, 3) rotation (0, 0.7071, 0, 0.7071)' tree
	grep -q 'Arm Node3D rotation (0, -1, 0, 0)' tree
	anim-axes --flip z unity x.axs | anim-info --tree | grep -q 'Arm Node3D$'
}

@test "a Unity clip without its tree rotates the nodes of its camera and light curves, also back" {
	local curve='serializedVersion: 2, m_Curve: [{serializedVersion: 3, time: 0, value: VALUE, inSlope: 0, outSlope: 0, tangentMode: 0, weightedMode: 0, inWeight: 0, outWeight: 0}], m_PreInfinity: 2, m_PostInfinity: 2, m_RotationOrder: 4'
	at() { echo "  - {curve: {${curve/VALUE/$1}}, path: $2}"; }
	number() { echo "  - {curve: {${curve/VALUE/1}}, attribute: $2, path: $1, classID: $3, script: {fileID: 0}}"; }
	{
		printf '%s\n' '%YAML 1.1' '%TAG !u! tag:unity3d.com,2011:' '--- !u!74 &7400000' 'AnimationClip:' '  m_Name: look' '  m_RotationCurves:'
		for node in Cam Lamp Cam/Box Box Box/Cam; do at '{x: 0, y: 0, z: 0, w: 1}' $node; done
		echo '  m_PositionCurves:'
		at '{x: 1, y: 2, z: 3}' Cam/Box
		at '{x: 1, y: 2, z: 3}' Cam
		# The classes come after the rotations.
		echo '  m_FloatCurves:'
		number Cam 'field of view' 20
		number Lamp m_Intensity 108
		number Lamp m_Color.r 108
		number Box m_IsActive 1
		printf '%s\n' '  m_AnimationClipSettings: {m_StopTime: 1}' '  m_Events: []'
	} >look.anim
	anim-parse -q --no-provenance look.anim >x.axs
	anim-axes --no-provenance godot x.axs >y.axs
	anim-dump y.axs | awk '/^track/ { node = $2 " " $3 } /^\t0/ { print node, $2 }' | grep -E 'rotation|position' | sort | same - <(sort <<-'END'
		node="Box" property="rotation" 0,0,0,1
		node="Box/Cam" property="rotation" 0,0,0,1
		node="Cam" property="position" -1,2,3
		node="Cam" property="rotation" 0,1,0,0
		node="Cam/Box" property="position" 1,2,-3
		node="Cam/Box" property="rotation" 0,-1,0,0
		node="Lamp" property="rotation" 0,1,0,0
	END
	)
	same <(anim-axes --no-provenance unity y.axs | anim-dump) <(anim-dump x.axs)
	anim-convert -q look.anim look.tscn
	anim-convert -q look.tscn back.anim
	anim-diff -q --max 0.001deg look.anim back.anim
}

@test "the scene of --into or --rest says which nodes of a Unity clip are cameras and lights" {
	local keys='serializedVersion: 2, m_Curve: [{serializedVersion: 3, time: 0, value: {x: 0, y: 0, z: 0, w: 1}, inSlope: {x: 0, y: 0, z: 0, w: 0}, outSlope: {x: 0, y: 0, z: 0, w: 0}, tangentMode: 0, weightedMode: 0}], m_PreInfinity: 2, m_PostInfinity: 2, m_RotationOrder: 4'
	{
		printf '%s\n' '%YAML 1.1' '%TAG !u! tag:unity3d.com,2011:' '--- !u!74 &7400000' 'AnimationClip:' '  m_Name: look' '  m_RotationCurves:'
		for node in Cam Cam/Box Box; do echo "  - {curve: {$keys}, path: $node}"; done
		printf '%s\n' '  m_AnimationClipSettings: {m_StopTime: 1}' '  m_Events: []'
	} >look.anim
	cat >level.tscn <<-'TSCN'
		[gd_scene format=3]
		[node name="Main" type="Node3D"]
		[node name="Cam" type="Camera3D" parent="."]
		[node name="Box" type="Node3D" parent="Cam"]
		[node name="Box" type="Node3D" parent="."]
		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
	TSCN
	cp level.tscn into.tscn
	anim-convert -q --into into.tscn look.anim
	anim-convert -q --rest level.tscn look.anim look.tres
	for file in into.tscn look.tres; do
		anim-parse -q "$file" | anim-dump | awk '/^track/ { node = $2 } /^\t0/ { print node, $2 }' | same - <(cat <<-'END'
			node="Cam" 0,1,0,0
			node="Cam/Box" 0,-1,0,0
			node="Box" 0,0,0,1
		END
		)
	done
	# A library has no tree either.
	anim-convert -q --rest level.tscn look.tres back.anim
	anim-diff -q look.anim back.anim
}

@test "a sound with distances in Unity has the volume of a sound in space, which Godot 3 calls unit_db" {
	local key='serializedVersion: 3, value: 0.5, inSlope: 0, outSlope: 0, tangentMode: 0, weightedMode: 0, inWeight: 0, outWeight: 0'
	number() { echo "  - {curve: {serializedVersion: 2, m_Curve: [{time: 0, $key}, {time: 1, $key}], m_PreInfinity: 2, m_PostInfinity: 2, m_RotationOrder: 4}, attribute: $2, path: $1, classID: 82, script: {fileID: 0}}"; }
	{
		printf '%s\n' '%YAML 1.1' '%TAG !u! tag:unity3d.com,2011:' '--- !u!74 &7400000' 'AnimationClip:' '  m_Name: sound' '  m_FloatCurves:'
		number Near m_Volume
		number Near MinDistance
		number Music m_Volume
		echo '  m_Events: []'
	} >sound.anim
	anim-convert -q --godot 3 sound.anim x.tscn
	grep -q 'NodePath("Near:unit_db")' x.tscn
	grep -q 'NodePath("Music:volume_db")' x.tscn
	grep -q 'name="Near" type="AudioStreamPlayer3D"' x.tscn
	anim-convert -q sound.anim y.tscn
	grep -q 'NodePath("Near:volume_linear")\|NodePath("Near:volume_db")' y.tscn
}

@test "two-dimensional targets take pixels per unit, by default 100" {
	scene | anim-parse >x.axs
	anim-axes unity2d x.axs | anim-info --tree | grep -q 'Sprite Sprite2D position (1.6, 0.32) '
	anim-axes --ppu 32 unity2d x.axs | anim-info --tree | grep -q 'Sprite Sprite2D position (5, 1) '
	anim-axes --ppu 32 godot2d x.axs | anim-info --tree | grep -q 'Sprite Sprite2D position (160, -32) '
}

@test "options that do not go with the target, and numbers that are none, are refused" {
	run -2 --separate-stderr anim-axes --ppu 16 unity
	[ "${stderr_lines[0]}" = "anim-axes: --ppu is for two-dimensional clips, whose axes are godot2d or unity2d" ]
	run -2 --separate-stderr anim-axes --flip z unity2d
	[ "${stderr_lines[0]}" = "anim-axes: --flip is for godot, unity, resonite and gltf" ]
	run -2 --separate-stderr anim-axes --from godot unity2d
	[ "${stderr_lines[0]}" = "anim-axes: --from: 'godot' and the target 'unity2d' are not of the same dimensions" ]
	run -2 --separate-stderr anim-axes --from unity2d godot
	[ "${stderr_lines[0]}" = "anim-axes: --from: 'unity2d' and the target 'godot' are not of the same dimensions" ]
	for ppu in 0 -1 1x '' nan 1e999 0x10 "$(printf '1%.0s' {1..100})"; do
		run -2 --separate-stderr anim-axes --ppu "$ppu" unity2d
		[ "${stderr_lines[0]}" = "anim-axes: --ppu: '$ppu' is not a number above 0" ] || { echo "$stderr"; return 1; }
	done
}

@test "a clip that does not say its two-dimensional axes is an error that says how to set them" {
	echo '{"name":"w","globalDuration":1,"tracks":[]}' | anim-parse -f animj >x.axs
	run -1 --separate-stderr anim-axes godot2d x.axs -o y.axs
	[ "$stderr" = "anim-axes: clip 'w' does not say which two-dimensional axes it is in; set them with --from godot2d (or another)" ]
	[ ! -e y.axs ]
	anim-axes --from unity2d godot2d x.axs | anim-info --json | grep -q '"axes2d":"godot"'
}

# zeros FILE: the stream as text, zeros without their sign, which a mirror takes off.
zeros() {
	anim-dump "$1" | sed -E ':again; s/(^|[ ,	])-0($|[ ,])/\10\2/; t again'
}

@test "Unity's clips go to Godot's axes and back with every bit but the sign of a zero" {
	local count=0
	for file in "$DATA"/unity/*.anim "$ANIM_CORPUS"/unity/*.anim; do
		anim-parse -q --force --no-provenance "$file" -o x.axs 2>err || continue # what is refused is another test's matter
		anim-axes --no-provenance godot x.axs >there.axs
		anim-axes --no-provenance unity there.axs >back.axs
		zeros x.axs >x.txt
		zeros back.axs >back.txt
		same x.txt back.txt
		count=$((count + 1))
	done
	[ "$count" -ge 5 ]
}

@test "Unity's clips are made two-dimensional" {
	file=$DATA/unity/clip_generic.anim
	anim-parse -q "$file" | anim-axes --ppu 16 godot2d >x.axs 2>err
	anim-info --json x.axs | grep '"property":"position","component":null' >positions
	[ -s positions ]
	run ! grep -v '"type":"float2"' positions
	[ "$(anim-info --json x.axs | grep -c '"axes2d":"godot"')" -ge 1 ]
}

@test "mirrored zeros are 0, not -0; what is not mirrored keeps its sign" {
	cat >z.tres <<-TEXT
		[gd_resource type="Animation" format=3]
		[resource]
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("A")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, -0.0, 0.5, 1, 1, 2, 3)
		tracks/1/type = "rotation_3d"
		tracks/1/path = NodePath("A")
		tracks/1/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1)
		tracks/2/type = "bezier"
		tracks/2/path = NodePath("A:position:x")
		tracks/2/keys = {
		"points": PackedFloat32Array(0, -0.25, 0, 0.25, 0, 5, -0.25, 0, 0.25, 0),
		"times": PackedFloat32Array(0, 1)
		}
	TEXT
	for target in unity resonite gltf "unity --flip z"; do
		# shellcheck disable=SC2086
		anim-parse z.tres | anim-axes -q $target | anim-dump >dump
		run -1 grep -E '(^|[ ,	])-0(,| |$)' <(sed '0,/^	0 0,0,-0$/{/^	0 0,0,-0$/d}' dump)
	done
	anim-parse z.tres | anim-axes unity | anim-dump | grep -q '^	0 0,0,-0$'
}

@test "degrees that Godot wraps have no mirror image between the keys: a warning, and right where they are sampled before" {
	cat >deg.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="1"]
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("A:rotation_degrees")
		tracks/0/interp = 3
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [3.0, 5.0]
		}
		[sub_resource type="AnimationLibrary" id="2"]
		_data = {
		"a": SubResource("1")
		}
		[node name="R" type="Node2D"]
		[node name="A" type="Node2D" parent="."]
		[node name="P" type="AnimationPlayer" parent="."]
		libraries = {
		"": SubResource("2")
		}
	TEXT
	anim-parse deg.tscn >deg.axs
	run -0 --separate-stderr anim-axes -o turned.axs unity2d deg.axs
	[ "$stderr" = "anim-axes: deg.tscn: 'a': warning: track 'A angle': degrees that Godot wraps at 6.28, so the error after mirroring is up to 6.28 degrees; put 'anim-resample 30' before this" ]
	run -0 --separate-stderr bash -c 'anim-resample 4 deg.axs | anim-axes unity2d | anim-dump | tail -n 6'
	[ -z "$stderr" ]
	[ "$(tr -d '\t\n' <<<"$output")" = "-3-3.5-4-4.5-5end" ]
	sed 's/rotation_degrees/rotation/' deg.tscn | anim-parse | anim-axes --strict unity2d >/dev/null
}

@test "--scale multiplies lengths in nodes, poses, keys, slopes and matrices, in all dimensions; --scale back is the same" {
	anim-parse "$ROOT/examples/crane.tscn" -q -o crane.axs
	anim-axes --scale 4 crane.axs -o four.axs
	anim-axes --scale 0.25 four.axs -o back.axs
	diff <(anim-dump crane.axs | sed '/^prog/,/^[^p\t]/{/^[p\t]/d}') <(anim-dump back.axs | sed '/^prog/,/^[^p\t]/{/^[p\t]/d}')
	# joints in space are four times as far from each other, lamps and rotations stay
	anim convert -q -r 10 --world crane.axs one.npz
	anim convert -q -r 10 --world four.axs four.npz
	need_numpy
	python3 - <<-'PY'
		import numpy
		one, four = (numpy.load(name) for name in ("one.npz", "four.npz"))
		for column, name in enumerate(one["names"]):
		    factor = 4 if " position" in str(name) else 1
		    assert numpy.allclose(one["values"][:, column] * factor, four["values"][:, column], atol=1e-5), name
	PY
	# a walk in centimetres: the slopes of its curves as well
	for file in "$ROOT/examples/walker.tscn" "$DATA"/fbx/walk.fbx; do
		anim convert -q --scale 3 --force "$file" three.axs
		anim convert -q --scale 1 --force "$file" one.axs
		anim convert -q -r 17 --world --force one.axs one.npz
		anim convert -q -r 17 --world --force three.axs three.npz
		python3 - <<-'PY'
			import numpy
			one, three = (numpy.load(name) for name in ("one.npz", "three.npz"))
			for column, name in enumerate(one["names"]):
			    factor = 3 if " position" in str(name) else 1
			    assert numpy.allclose(one["values"][:, column] * factor, three["values"][:, column], atol=1e-5), name
		PY
	done
}

@test "--height scales a skeleton and its clips to a height, with and without clips, and with a target" {
	run -0 --separate-stderr anim-axes --height 1.7m "$ROOT/examples/walker.tscn" -o tall.axs
	[[ $stderr =~ "scaled by "([0-9.]+)": it was "([0-9.]+)" units high" ]]
	awk -v a="${BASH_REMATCH[1]}" -v b="${BASH_REMATCH[2]}" 'BEGIN { exit !(a * b > 1.699 && a * b < 1.701 && b > 1.5 && b < 2) }'
	run -0 --separate-stderr anim-axes --height 170cm tall.axs -o again.axs
	[[ $stderr =~ "scaled by "(1|0.99999|1.0000)[0-9]*": " ]] || { echo "$stderr" && false; }
	# without a clip, and in the axes of another engine
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-dump | sed -e '/^clip/,$d' >tree.dump
	echo end >>tree.dump
	anim-undump tree.dump | anim-axes -q --height 3m unity -o rest.axs
	[ "$(anim info --json rest.axs | grep -c unity)" -gt 0 ]
	run -0 --separate-stderr anim convert --dry-run --scale 0.01 walk.tscn walk.animj
	[ "$output" = "anim-parse walk.tscn | anim-axes --scale 0.01 resonite | anim-emit -o walk.animj" ]
	run -0 --separate-stderr anim convert --dry-run --height 2m walk.tscn walk.glb
	[ "$output" = "anim-parse walk.tscn | anim-axes --height 2m gltf | anim-emit -o walk.glb" ]
	for bad in '--scale 0' '--scale 1cm' '--height 2' '--height 0m' '--scale 2 --height 2m' '--scale 2 --flip z'; do
		# shellcheck disable=SC2086 # options and their values
		run -2 anim-axes $bad tall.axs
	done
	echo '{"name":"a","tracks":[{"trackType":"Raw","valueType":"float","data":{"node":"A","property":"B","interval":1,"keyframes":[1,2]}}]}' >alone.animj
	run -1 --separate-stderr anim-axes --height 2m alone.animj
	[[ $stderr == *"clip 'a' has no nodes, so its height is not known"* ]] || { echo "$stderr" && false; }
	run -1 --separate-stderr anim-axes --scale 1e39 tall.axs
	[[ $stderr == *"too large for a float"* ]] || { echo "$stderr" && false; }
}
