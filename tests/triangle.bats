#!/usr/bin/env bats
# Round trips between Godot, Unity and Resonite: what is played before and after is the same within what is promised.

load helper

# near FILE FILE: nothing that both hold is farther off than the tolerance of one conversion, or of as many as given.
near() {
	local limits='0.0002m,0.0101deg,0.01%'
	[ "${3:-1}" -eq 1 ] || limits='0.0004m,0.0202deg,0.02%'
	timeout 60 anim-diff --axes keep -r 240 --max "$limits" "$1" "$2"
}

@test "weighted curves of Unity play the same as Bezier tracks of Godot, to a ten thousandth of a millimetre" {
	anim-parse -q "$DATA/unity/clip_weighted.anim" 2>warnings | anim-axes godot -o before.axs
	anim-emit -q tres -x bezier=always --keep-names -o after.tres before.axs 2>>warnings
	grep -q '"bezier"' after.tres
	run -1 grep approximated warnings
	run -0 alike --axes keep -r 1000 --max '0.01mm,0.001deg,0.001%,0.00001px' before.axs after.tres
}

@test "Godot to Unity and back plays the same" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o before.axs
	pipe "anim-axes unity before.axs | anim-emit -q unity | anim-parse -q -f unity - | anim-axes godot |
		anim-emit -q tres -o after.tres"
	[ "$status" -eq 0 ]
	run -0 near before.axs after.tres 2
}

@test "Godot to AnimJ and back plays the same" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o before.axs
	pipe "anim-axes resonite before.axs | anim-emit -q animj | anim-parse -q - | anim-axes godot |
		anim-emit -q tres -o after.tres"
	[ "$status" -eq 0 ]
	run -0 near before.axs after.tres 2
}

@test "Godot to Unity, AnimJ and back plays the same" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-filter -v -n Lamp -o before.axs # its name is Unity's in AnimJ
	pipe "anim-axes unity before.axs | anim-emit -q unity | anim-parse -q -f unity - | anim-emit -q animj |
		anim-parse -q - | anim-axes godot | anim-emit -q tres -o after.tres"
	[ "$status" -eq 0 ]
	run -0 near before.axs after.tres 2
}

@test "poses relative to the rests of another file become absolute with --rest, and without it a message says so" {
	scene() {
		printf '[gd_scene format=2]\n[sub_resource type="Animation" id=1]\nlength = 1.0\n'
		printf 'tracks/0/type = "transform"\ntracks/0/path = NodePath("Rig/Skeleton:Hips")\ntracks/0/interp = 1\n'
		printf 'tracks/0/keys = [0.0, 1.0, 1, 2, 3, 0, 0, 0, 1, 1, 1, 1]\n'
		printf '[node name="Root" type="Spatial"]\n'
		printf '[node name="AnimationPlayer" type="AnimationPlayer" parent="."]\nanims/a = SubResource( 1 )\n'
	}
	rest() {
		printf '[gd_scene format=2]\n[node name="Hero" type="Spatial"]\n'
		printf '[node name="Skeleton3D" type="Skeleton" parent="."]\nbones/0/name = "Hips"\nbones/0/parent = -1\n'
		printf 'bones/0/rest = Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 10, 20, 30 )\n'
	}
	scene >old.tscn
	rest >rest.tscn
	anim-parse -q old.tscn -o old.axs
	run -0 --separate-stderr anim-emit -q tres --rest rest.tscn old.axs
	[[ "$output" == *'PackedFloat32Array(0, 1, 11, 22, 33)'* ]]
	[[ "$stderr" != *"rest"* ]]
	run -0 --separate-stderr anim-emit -q tres old.axs
	[[ "$output" == *'PackedFloat32Array(0, 1, 1, 2, 3)'* ]]
	[[ "$stderr" == *"because the rest pose of the node is unknown"* ]]
	printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = 1.0\n' >none.tres
	run -1 --separate-stderr anim-emit -q tres --rest none.tres old.axs
	[[ "$stderr" == *"none.tres: has no nodes, so no rest poses; use a scene or a model" ]]
}

@test "anim-lint --for godot finds a component after a point, and nothing in a clip that was written for Godot" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "a"\nlength = 1.0\n' >a.tres
	printf 'tracks/0/type = "value"\ntracks/0/path = NodePath("Box:scale.x")\ntracks/0/interp = 1\n' >>a.tres
	printf 'tracks/0/keys = {\n"times": PackedFloat32Array(0),\n"update": 0,\n"values": [1.5]\n}\n' >>a.tres
	run -1 anim-lint --for godot a.tres
	[ "$output" = "a.tres:6:1: track 'Box:scale.x': the end of the path is read as a component, which Godot spells ':x'" ]
	pipe "anim-parse -q '$DATA/unity/clip_unity4.anim' | anim-axes godot | anim-emit -q tres -o b.tres"
	run -0 anim-lint --for godot b.tres
	[ -z "$output" ]
}

@test "whatever is read plays the same in every format that holds its keys" {
	not_bytewise "its files are read so in tests of their own"
	not_sanitized "it starts a hundred programs that other tests start, too"
	anim-parse -q "$ROOT/examples/walker.tscn" -o scene.axs
	anim-parse -q --unit cm "$DATA/bvh/arm.bvh" -o capture.axs
	anim-parse -q -c walk "$DATA/gltf/interpolations.gltf" | anim-filter -v -p position -o model.axs # one steps: at its time players differ
	anim-parse -q "$ROOT/examples/assets/unity/wave.anim" -o clip.axs
	for name in scene capture model clip; do
		for format in animj animx anim tres tscn glb; do
			anim convert -q $name.axs "out.$format"
			alike --max 0.2mm,0.0101deg,0.01%,0.0001px $name.axs "out.$format" >found ||
				{ echo "$name to $format" && cat found && false; }
			rm "out.$format"
		done
	done
}
