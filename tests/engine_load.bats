#!/usr/bin/env bats
# A real Godot (4.5 or later, the command that GODOT names) loads, plays and saves what anim-emit writes.

load helper

# engine SCRIPT: runs it on ./project; what it prints is in said, its own errors in errors.
engine() {
	mkdir -p project/baked
	touch project/project.godot
	cp "$ROOT/tests/engine/$1" project/
	"$GODOT" --headless --path "$PWD/project" --script "res://$1" >said 2>errors
}

need_engine() {
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	mkdir -p project/in
}

# emit SOURCE NAME ARGUMENT...: writes project/in/NAME.
emit() {
	local source=$1 name=$2
	shift 2
	anim-parse -q "$source" 2>/dev/null | anim-axes -q godot | anim-emit -q -o "project/in/$name" "$@" 2>/dev/null
}

# agree OURS THEIRS: samples of the first and keys of the second are the same to a millionth of the track's largest value,
# row by row; a quaternion may have the other sign. Prints what is not, and how many values were compared.
agree() {
	anim-emit -q csv "$1" 2>/dev/null >ours.csv
	anim-emit -q csv "$2" 2>/dev/null >theirs.csv
	awk -F, -v OFS=, '
		FNR == 1 { next }
		{
			track = $2 "," $3 "," $4
			nth[FILENAME, track] += $7 == 0
			track = track "," nth[FILENAME, track]
			row = track "," $7
		}
		NR == FNR {
			if ($6 == "Raw")
				for (lane = 10; lane <= 13; lane++) {
					ours[row, lane] = $lane
					size = $lane < 0 ? -$lane : $lane + 0
					most[track] = size > most[track] ? size : most[track] + 0
				}
			next
		}
		(row, 10) in ours {
			same = other = 0
			for (lane = 10; lane <= 13; lane++) {
				a = ours[row, lane] - $lane; b = ours[row, lane] + $lane
				a = a < 0 ? -a : a; b = b < 0 ? -b : b
				same = a > same ? a : same; other = b > other ? b : other
			}
			if ($3 == "rotation" && other < same)
				same = other
			if (!(same <= 1e-6 * most[track]))
				print row, same, most[track]
			count++
		}
		END { print count + 0 }' ours.csv theirs.csv
}

# What the engine says of files: without the report of memory that it prints when it ends.
complaints() {
	awk '/^FILE/ { file = $2 } /^(SCRIPT )?(ERROR|WARNING): / && !/at exit|leaked/ { print file ": " $0 }' errors
}

@test "scenes of Godot 2 to 4 and of Unity open, every track is bound, and each clip plays without a complaint" {
	need_engine
	for file in crane.tscn box.tscn assets/scenes/hero.tscn assets/scenes/gate.tscn assets/unity/wave.anim; do
		for version in 4.6 4.5 4.2; do
			emit "$ROOT/examples/$file" "$(basename "$file").$version.tscn" --godot $version
		done
	done
	for file in clip_compressed.anim emit_legacy.anim tint.anim scene_project/Assets/Hero.prefab; do
		emit "$DATA/unity/$file" "$(basename "$file").tscn"
	done
	grep -v -e 'ext_resource' -e '"stream": Ext' "$DATA/godot/emit_3.tscn" >old.tscn
	emit old.tscn old.tscn
	engine load.gd
	[ "$(grep -c ^FILE errors)" -eq "$(find project/in -type f | wc -l)" ]
	run ! grep FAULT said
	complaints >found
	same found /dev/null
}

@test "what the engine plays at 240 Hz is what anim-resample says" {
	need_engine
	for file in "$DATA"/oracle/godot-4.7/*.tres "$DATA"/unity/clip_weighted.anim "$DATA"/rename/dance.anim; do
		name=$(basename "$file" .tres)
		case $name in library | events | empty | odd | value_types) continue ;; esac
		emit "$file" "$name.tres"
	done
	engine load.gd
	[ "$(find project/baked -type f | wc -l)" -eq "$(find project/in -type f | wc -l)" ]
	for file in project/baked/*.tres; do
		anim-parse -q "$file" >theirs.axs
		anim-parse -q "project/in/${file##*/}" | anim-resample -q 240 >ours.axs 2>/dev/null
		agree ours.axs theirs.axs >>table
	done
	run ! grep , table
	[ "$(paste -sd+ table | bc)" -gt 100000 ]
}

@test "the engine saves what it loaded as it was written" {
	need_engine
	for file in "$DATA"/oracle/godot-4.7/*.tres "$DATA"/unity/emit_all.anim "$ROOT"/examples/crane.tscn; do
		name=$(basename "$file")
		[ "$name" = odd.tres ] && continue # the engine reads its 1e-30 as another number
		[ "$name" = library.tres ] || emit "$file" "$name.tres" --godot 4.6
		emit "$file" "$name.tscn" --godot 4.6
	done
	engine load.gd
	for file in project/in/*; do
		for side in in saved; do
			sed -E 's/"([A-Za-z0-9]+_)[a-z0-9]+"/"\1"/g; 1s/ uid="[^"]*"//; s/ unique_id=[0-9]+//' \
				"project/$side/${file##*/}" >$side
		done
		same in saved
	done
}

@test "a Unity clip whose nodes became bones moves these bones in the engine" {
	need_engine
	anim-parse -q "$DATA/rename/dance.anim" | anim-axes godot | anim-rename --bones Armature/Skeleton3D |
		anim-emit -q -o project/in/dance.tres
	engine skeleton.gd
	grep -qx 'BONES 3' said
	anim-parse -q project/in/dance.tres | anim-resample -q 240 >ours.axs
	anim-parse -q project/baked/dance.tres >theirs.axs
	agree ours.axs theirs.axs >table
	cat table
	[ "$(cat table)" -gt 500 ]
}

@test "a clip whose bones have Mixamo's names plays on one skeleton, and without one moves its nodes" {
	need_engine
	emit "$DATA/unity/mixamo.anim" nodes.tscn
	anim-parse -q "$DATA/unity/mixamo.anim" | anim-axes godot | anim-rename --bones Armature/Skeleton3D |
		anim-emit -q -o project/in/bones.tscn 2>/dev/null
	engine load.gd
	run ! grep FAULT said
	complaints >found
	same found /dev/null
	[ "$(grep -c 'type="Skeleton3D"' project/saved/bones.tscn)" -eq 1 ]
	[ "$(grep -c 'bones/[01]/name = "mixamorig_' project/saved/bones.tscn)" -eq 2 ]
	grep -q 'name="mixamorig_Spine" type="Node3D" parent="mixamorig_Hips"' project/saved/nodes.tscn
	run ! grep -q Skeleton3D project/saved/nodes.tscn
}

@test "tracks of %Name play in a scene that was written, and so do bones of the animated node itself" {
	need_engine
	emit "$DATA/godot/unique.tscn" unique.tscn
	emit "$DATA/godot/skeleton_root.escn" root.tscn
	anim-parse -q "$DATA/unity/mixamo.anim" | anim-axes godot |
		anim-rename --humanoid mixamo:godot --bones %GeneralSkeleton | anim-emit -q -o project/in/made.tscn 2>/dev/null
	engine load.gd
	run ! grep FAULT said
	complaints >found
	same found /dev/null
	[ "$(cat project/saved/unique.tscn project/saved/made.tscn | grep -c 'unique_name_in_owner = true')" -eq 3 ]
}

@test "a scene that was written into plays, with that clip changed and all else as it was" {
	need_engine
	cat >project/base.tscn <<-'TEXT'
		[gd_scene format=3]

		[node name="Base" type="Node3D"]

		[node name="Arm" type="Node3D" parent="."]
	TEXT
	cat >project/moves.tres <<-'TEXT'
		[gd_resource type="AnimationLibrary" load_steps=2 format=3]

		[sub_resource type="Animation" id="1"]
		length = 0.5
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Base/Arm")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 0.5, 1, 0, 1, 0)

		[resource]
		_data = {
		"nod": SubResource("1")
		}
	TEXT
	printf 'extends Node3D\n\nvar steps := 3\n' >project/hero.gd
	cat >project/in/old.tscn <<-'TEXT'
		[gd_scene load_steps=8 format=3]

		[ext_resource type="Script" path="res://hero.gd" id="1_s"]
		[ext_resource type="PackedScene" path="res://base.tscn" id="2_b"]
		[ext_resource type="AnimationLibrary" path="res://moves.tres" id="3_m"]

		[sub_resource type="BoxMesh" id="BoxMesh_1"]
		size = Vector3(1, 2, 3)

		[sub_resource type="AudioStreamGenerator" id="Sound_1"]

		[sub_resource type="Animation" id="Animation_walk"]
		resource_name = "walk"
		length = 2.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Base/Arm")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 2, 1, 0, 1, 0)
		tracks/1/type = "value"
		tracks/1/path = NodePath("Box:visible")
		tracks/1/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 1,
		"values": [true, false]
		}

		[sub_resource type="AnimationLibrary" id="AnimationLibrary_1"]
		_data = {
		"walk": SubResource("Animation_walk")
		}

		[node name="Hero" type="Node3D"]
		script = ExtResource("1_s")
		steps = 7

		[node name="Base" parent="." instance=ExtResource("2_b")]

		[node name="Arm" parent="Base" index="0"]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0)

		[node name="Box" type="MeshInstance3D" parent="."]
		mesh = SubResource("BoxMesh_1")

		[node name="Voice" type="AudioStreamPlayer" parent="."]
		stream = SubResource("Sound_1")

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {
		"": SubResource("AnimationLibrary_1"),
		"moves": ExtResource("3_m")
		}
		autoplay = "walk"
	TEXT
	cp project/in/old.tscn project/in/new.tscn
	anim-parse -q -c walk project/in/new.tscn | anim-retime --speed 2 | anim-emit --into project/in/new.tscn
	engine load.gd
	cat errors said
	run ! grep -q '^FAULT' said
	run ! grep -q ERROR errors
	diff <(plain project/saved/old.tscn) <(plain project/saved/new.tscn) >change && false
	[ "$(grep -c '^>' change)" -le 4 ]
	[ -z "$(grep '^[<>]' change | grep -v 'length = \|keys = Packed\|"times": ')" ]
}

# plain FILE: a scene as the engine saved it, without the ids that it throws dice for.
plain() {
	sed -E 's/ uid="[^"]*"//; s/ unique_id=[0-9]+//; s/"([A-Za-z0-9]+)_[a-z0-9]+"/"\1"/g' "$1"
}
