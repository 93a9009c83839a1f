#!/usr/bin/env bats
# anim-emit tres and tscn: files that Godot loads, in the spelling of each of its versions.

load helper

GODOT=$DATA/godot
ORACLE=$DATA/oracle

# spelling VERSION: the options that write as the engine of the oracle's folder does.
spelling() {
	case $1 in
	4.2) echo --godot 4.2 --digits 6 ;;
	*) echo --godot 4.6 ;;
	esac
}

# resave VERSION FILE: FILE read and written again, to out.tres or out.tscn; ids are the engine's own dice.
resave() {
	local file=$ORACLE/godot-$1/$2
	anim-parse -q "$file" >in.axs 2>read.log
	anim-emit -q "${2##*.}" $(spelling "$1") in.axs >"out.${2##*.}" 2>written.log
	plain_ids <"$file" >expected
	plain_ids <"out.${2##*.}" >actual
}

plain_ids() {
	sed -E 's/"([A-Za-z]+_|[0-9]_)[a-z0-9]+"/"\1"/g; s/ unique_id=[0-9]+//'
}

# clips FILE: everything that is read of a file's clips but for its name.
clips() {
	anim-parse -q "$1" 2>/dev/null | anim-dump | sed -n '/^clip/,$p' | grep -v '^	attr "file"'
}

# heads: clips, tracks and their attributes alone. Resources that are null now are of no class.
heads() {
	grep -E '^(clip|track|	attr)' | grep -v '"literal" "\(Object\|Nil\)"'
}

# tracks FILE: what each track drives, and how many keys it has.
tracks() {
	anim-dump "$1" | grep '^track' | sed -E 's/ (rules|flags|interp)=[^ ]*//g'
}

# unity_clip FILE: the stream of a Unity clip in Godot's axes.
unity_clip() {
	anim-parse -q "$DATA/unity/$1" 2>/dev/null | anim-axes godot
}

@test "what the engine wrote comes back byte for byte" {
	for version in 4.7 4.2; do
		for name in walk empty easing range_loop0 range_loop1 rotations bezier_loop0 bezier_loop1; do
			resave $version $name.tres
			same "$ORACLE/godot-$version/$name.tres" out.tres
		done
	done
	resave 4.7 odd.tres
	same "$ORACLE/godot-4.7/odd.tres" out.tres
}

@test "what does not come back is: ints among floats, resources inside the file" {
	# A track that begins with an int is rounded by the player, so it comes back as steps.
	local rounded='/^tracks\/|^\[|^$/{skip = 0} /^tracks\//{split($0, p, "/"); skip = index(n, " " p[2] " ")} !skip'
	local resources='/^\[sub_resource type="(AudioStreamWAV|Curve)"/,/^$/d; s/SubResource\("(AudioStreamWAV|Curve)_"\)/null/g'
	for version in 4.7 4.2; do
		for name in interp_edge_loop0 interp_edge_loop2 interp_loop0_wrap0 interp_loop1_wrap1 \
			interp_loop2_wrap1 update_modes events value_types; do
			resave $version $name.tres
			n=$(awk -F/ '/^tracks\//{n = $2} /\[0, 3.5, 10, 2.25\]/{printf " %s ", n}' expected)
			sed -E "$resources; 1s/ load_steps=2//" expected | awk -v n="$n" "$rounded" >wanted
			same wanted <(awk -v n="$n" "$rounded" actual)
		done
	done
	resave 4.7 library.tres
	sed -E "$ints; $resources" expected >wanted
	same wanted actual
}

@test "where Godot 4.2 shuffles its clips every line of the library comes back, in the order of the names" {
	resave 4.2 library.tres
	sed -E '/^\[sub_resource type="AudioStreamWAV"/,/^$/d; s/SubResource\("AudioStreamWAV_"\)/null/g; 1s/load_steps=[0-9]+/load_steps=5/' \
		expected | sort >wanted
	sed -E '1s/load_steps=[0-9]+/load_steps=5/' actual | sort | diff wanted -
}

@test "compressed tracks and scenes come back with every clip, track and attribute, and as many keys" {
	for version in 4.7 4.2; do
		for file in compressed.tres compressed_pages.tres scene_libs.tscn scene_ext.tscn; do
			resave $version $file
			cp "out.${file##*.}" "$file"
			# What was compressed comes back as plain keys, which Godot plays by its rules.
			diff <(clips "$ORACLE/godot-$version/$file" | heads | sed 's/ rules=[a-z0-9]*//') \
				<(clips "$file" | heads | sed 's/ rules=[a-z0-9]*//')
		done
	done
}

@test "each version's spelling of a scene is read and written back byte for byte" {
	for version in 4.6 4.5 4.2 3; do
		anim-parse -q "$GODOT/emit_$version.tscn" 2>/dev/null >in.axs
		anim-emit -q tscn --godot $version --digits 17 in.axs >/dev/null
		anim-emit tscn --godot $version in.axs >out.tscn
		same "$GODOT/emit_$version.tscn" out.tscn
	done
}

@test "a scene of the newest version is spelled for older ones" {
	anim-parse -q "$GODOT/emit_4.6.tscn" 2>/dev/null >in.axs
	anim-emit -o out.tscn in.axs
	same "$GODOT/emit_4.5.tscn" out.tscn
	anim-emit --godot 4.2 --digits 6 tscn in.axs >out.tscn
	same "$GODOT/emit_4.2.tscn" out.tscn
}

@test "a skeleton of Godot 3 becomes one of Godot 4: absolute bones, renamed properties, no track lost" {
	pipe "anim-parse -q '$GODOT/emit_3.tscn' | anim-emit tscn >out.tscn"
	[ "$status" -eq 0 ]
	diff <(grep -v loop_wrap "$GODOT/emit_3to4.tscn") <(grep -v loop_wrap out.tscn)
}

@test "--keep-names leaves properties as Godot 3 called them" {
	pipe "anim-parse -q '$GODOT/emit_3.tscn' | anim-emit tscn --keep-names | grep -c -e 'Label:rect_position' -e 'Label:percent_visible'"
	[ "$output" = 2 ]
}

@test "there and back through Godot 4 a scene of Godot 3 has the same rows of transforms" {
	pipe "anim-parse -q '$GODOT/emit_3to4.tscn' | anim-emit tscn --godot 3 | grep -A6 'type = \"transform\"' >back"
	grep -A6 'type = "transform"' "$GODOT/emit_3.tscn" >there
	diff <(grep -v loop_wrap there) <(grep -v loop_wrap back)
}

@test "one clip is an Animation, --library makes it a library, several are one" {
	anim-parse -q "$GODOT/emit_4.6.tscn" 2>/dev/null >in.axs
	anim-emit tres -c walk in.axs >one.tres
	[ "$(head -n1 one.tres)" = '[gd_resource type="Animation" load_steps=3 format=3]' ]
	anim-emit tres -c walk --library in.axs >library.tres
	[ "$(head -n1 library.tres)" = '[gd_resource type="AnimationLibrary" load_steps=4 format=3]' ]
	grep -qx '&"walk": SubResource("Animation_1")' library.tres
	# A library of one clip stays one, and its key stays, whatever that says.
	sed 's/&"walk"/\&"mixamo_com"/' library.tres >single.tres
	anim convert single.tres again.tres
	[ "$(head -n1 again.tres)" = "$(head -n1 single.tres)" ]
	grep -qx '&"mixamo_com": SubResource("Animation_1")' again.tres
	anim-emit tres in.axs >several.tres
	[ "$(grep -c '^&"' several.tres)" = 3 ]
	anim-emit --each '%c.tres' in.axs
	same one.tres walk.tres
}

@test "a clip without a tree gets the nodes that its tracks need, and plays" {
	unity_clip emit_all.anim >in.axs
	anim-emit -q tscn in.axs >out.tscn 2>/dev/null
	grep -qx '\[node name="日本" type="Node3D" parent="."\]' out.tscn
	grep -qx '\[node name="é" type="Node3D" parent="日本"\]' out.tscn
	grep -qx '\[node name="Body" type="MeshInstance3D" parent="."\]' out.tscn
	grep -qx '\[node name="AnimationPlayer" type="AnimationPlayer" parent="."\]' out.tscn
	anim-parse out.tscn | anim-info --json >info
	grep -q 'walk_ all' info
}

@test "a node without a scene gets a class that has the properties of its tracks" {
	unity_clip tint.anim >in.axs
	anim-emit -q tscn in.axs >out.tscn 2>warned
	grep '^.node name="[^A]' out.tscn >nodes
	printf '[node name="%s" type="%s"%s]\n' Root Sprite3D '' Lamp OmniLight3D ' parent="."' Cam Camera3D ' parent="."' |
		diff - nodes
	run ! grep -v "': approximated" warned
	anim-emit -q tscn --godot 3 in.axs | grep -e '"OmniLight"' -e '"Camera"' | wc -l | grep -qx 2
}

@test "a track is reported with the class if the class of its node lacks the property" {
	anim-parse -q "$DATA/unity/tint.anim" | anim-axes -q godot | anim-rename -q -e 's/Cam/Lamp/' >in.axs
	anim-emit -q tscn in.axs 2>&1 >out.tscn | grep -q "track 'Lamp fov' (class OmniLight3D has no property 'fov'): not played"
	run anim-emit -q --strict tscn in.axs
	[ "$status" -eq 1 ]
}

@test "the same bytes come from memory and from a store on disk" {
	unity_clip emit_all.anim >in.axs
	anim-emit -q tscn in.axs >a.tscn 2>/dev/null
	ANIM_STORE_MEMORY=0 anim-emit -q tscn in.axs >b.tscn 2>/dev/null
	same a.tscn b.tscn
}

@test "resources inside the source file become null with a warning" {
	run --separate-stderr anim-emit -o out.tres <(anim-parse -q "$ORACLE/godot-4.7/events.tres")
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: events.tres: 'events': warning: track 'Player/Audio @audio': keys with resources inside the source file, which are not in the stream, are null" ]
	run ! grep -q SubResource out.tres
}

@test "Unity's events call methods, noted, and its sprites become frames; a sheet that is unknown is a warning" {
	unity_clip emit_all.anim >in.axs
	run --separate-stderr anim-emit -o out.tres in.axs
	[[ "$stderr" == *"note: track '. @event': Unity events call methods of the animated root"* ]]
	[[ "$stderr" == *"warning: sprite '"*"': the places in an image are unknown; \`frame\` counts"*"do not have the place of each sprite"* ]]
	[[ "$stderr" == *"note: sprite '"*"': set the texture to "* ]]
	grep -q '^"method": &"' out.tres
	grep -q ':frame")$' out.tres
}

@test "all Unity calls of a method have the same number of arguments in Godot; objects are left out with a warning" {
	cat >ev.anim <<-'TEXT'
		%YAML 1.1
		%TAG !u! tag:unity3d.com,2011:
		--- !u!74 &7400000
		AnimationClip:
		  m_Name: ev
		  serializedVersion: 6
		  m_SampleRate: 60
		  m_AnimationClipSettings: {m_StartTime: 0, m_StopTime: 1}
		  m_Events:
		  - {time: 0.1, functionName: Step, data: left, floatParameter: 1.5, intParameter: 0}
		  - {time: 0.2, functionName: Step, data: "", floatParameter: 0, intParameter: 3}
		  - {time: 0.3, functionName: Stop, data: "", floatParameter: 0, intParameter: 0}
		  - {time: 0.4, functionName: Step, data: "", floatParameter: 0, intParameter: 0, objectReferenceParameter: {fileID: 83, guid: 0123456789abcdef0123456789abcdef, type: 3}}
	TEXT
	anim-parse ev.anim -o ev.axs
	run -0 --separate-stderr anim-emit -q -o ev.tres ev.axs
	[ "$stderr" = "anim-emit: ev.anim: 'ev': warning: track '. @event': Unity objects that events pass are left out, because Godot does not have them" ]
	[ "$(grep '"args"' ev.tres)" = '"args": [1.5, 0, "left"],
"args": [0.0, 3, ""],
"args": [],
"args": [0.0, 0, ""],' ]
	run -1 anim-emit -q --strict -o ev.tres ev.axs
}

@test "calls at the same time get additional tracks with a note; replaced keys are reported" {
	sed 's/^+/\t/' >e.txt <<-'TEXT'
		anim-dump 1
		clip name="c" root="." source="x" start=0 end=2 loop=none axes=godot axes2d=unknown flags=- rate=0/0
		track node="." property="@method" component=- kind=Discrete type=string rules=godot4 flags=- before=hold after=hold interp=Hold keys=4
		+columns time value
		+0.5 "{\"method\":\"a\",\"args\":[]}"
		+0.5 "{\"method\":\"b\",\"args\":[]}"
		+0.500005 "{\"method\":\"d\",\"args\":[]}"
		+1 "{\"method\":\"c\",\"args\":[]}"
		end
	TEXT
	anim-undump -o e.axs e.txt
	for version in 3 4.5; do
		run -0 --separate-stderr anim-emit --godot $version -o e.tres e.axs
		[ "$stderr" = "anim-emit: e.axs: 'c': note: track '. @method': several calls at the same time; Godot keeps one per track, so the others are in additional tracks" ]
		[ "$(grep -c 'type = "method"' e.tres)" = 3 ]
		anim-parse --strict e.tres | anim-dump | sed -n 's/^\t\([0-9.]*\) .*method..:..\([a-d]\).*/\1 \2/p' >calls
		[ "$(echo $(cat calls))" = "0.5 a 1 c 0.5 b 0.500005 d" ]
	done
	sed '/"[bd]\\/s/.*/\t0.5 "no call"/' e.txt | anim-undump -o bad.axs
	run -0 --separate-stderr anim-emit -o bad.tres bad.axs
	[ "$stderr" = "anim-emit: bad.axs: 'c': warning: track '. @method': invalid event keys are left out" ]
	[ "$(grep -c 'type = "method"' bad.tres)" = 1 ]
	sed 's/Array(0.5, 1)/Array(0.999995, 1)/; s/length = .*/&\nmarkers = [{ "name": \&"x", "time": 1.0 }, { "name": \&"y", "time": 1.0 }]/' e.tres >two.tres
	run -0 --separate-stderr anim-parse -o two.axs two.tres
	grep -q 'warning: .*2 tracks: only the last of several keys at the same time is kept, as in Godot' <<<"$stderr"
	[ "$(anim-info -q two.axs | grep -c '@method.* 1 ')" = 3 ]
}

@test "events that are not texts are left out with a warning" {
	for property in method event audio animation marker; do
		for value in float:1 bool:1 floatQ:0,0,0,1; do
			sed 's/^+/\t/' <<-TEXT | anim-undump -o e.axs
				anim-dump 1
				clip name="c" root="." source="x" start=0 end=2 loop=none axes=godot axes2d=unknown flags=- rate=0/0
				track node="." property="@$property" component=- kind=Discrete type=${value%:*} rules=godot4 flags=- before=hold after=hold interp=Hold keys=2
				+columns time value
				+0.5 ${value#*:}
				+0.5 ${value#*:}
				end
			TEXT
			for version in 3 4.5; do
				run -1 --separate-stderr anim-emit --godot $version -o e.tres e.axs
				[ "${stderr_lines[0]}" = "anim-emit: e.axs: 'c': warning: track '. @$property': left out, because Godot has no such track (events that are not texts)" ] || { echo "$stderr" && false; }
				[ ! -e e.tres ]
			done
		done
	done
}

@test "what Godot 3 has no place for is noted" {
	run --separate-stderr anim-emit tscn --godot 3 -o out.tscn <(anim-parse -q "$GODOT/emit_4.6.tscn" 2>/dev/null)
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"note: Godot 3 has no markers: they are left out"* ]]
	[[ "$stderr" == *"note: clip 'walk': will loop from the start, because Godot 3 has no ping-pong"* ]]
}

@test "a number of digits that is none is a wrong command line" {
	for digits in 0 18 six 6x ''; do
		run --separate-stderr anim-emit tres --digits "$digits" /dev/null
		[ "$status" -eq 2 ]
		[ "${stderr_lines[0]}" = "anim-emit: -x digits: '$digits' is not a whole number from 1 to 17" ]
	done
}

@test "a cut stream, a stream without clip and a full disk leave nothing" {
	anim-parse -q "$GODOT/emit_4.6.tscn" 2>/dev/null >in.axs
	head -c 2000 in.axs >cut.axs
	run anim-emit -o out.tscn cut.axs
	[ "$status" -eq 1 ]
	[ ! -e out.tscn ]
	printf '\005AnimS\001\000' >head
	run --separate-stderr anim-emit tscn head
	[ "$status" -eq 1 ]
	[ "$output" = "" ]
	run anim-emit tscn in.axs -o /dev/full
	[ "$status" -eq 1 ]
}

@test "every file of the engine's quirks that can be read can be written and read again" {
	for file in "$ORACLE"/quirks/*.tres; do
		anim-parse -q "$file" >in.axs 2>/dev/null || continue
		anim-emit -q tres in.axs >out.tres 2>log || grep -q 'no clip to write' log || { echo "$file" && cat log && false; }
		[ -s out.tres ] || continue
		anim-parse -q out.tres >again.axs || { echo "$file" && false; }
		diff <(tracks in.axs) <(tracks again.axs) || { echo "$file" && false; }
	done
}

@test "Godot 3, which has no interpolation of angles, gets the one without the wrap" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nlength = 1.0\n' >angle.tres
	for interp in 3 4; do
		printf 'tracks/%d/type = "value"\ntracks/%d/path = NodePath("A:r%d")\ntracks/%d/interp = %d\n' $((interp - 3)) $((interp - 3)) \
			"$interp" $((interp - 3)) "$interp"
		printf 'tracks/%d/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, ' $((interp - 3))
		printf '"values": [0.5, 1.5]}\n'
	done >>angle.tres
	anim-parse angle.tres | anim-emit tres --godot 3 -q -o old.tres
	[ "$(grep -c '^tracks/./interp = [12]$' old.tres)" -eq 2 ]
	anim-parse angle.tres | anim-emit tres -q -o new.tres
	[ "$(grep -c '^tracks/./interp = [34]$' new.tres)" -eq 2 ]
}

@test "a scene of Unity that anim-axes converted has nodes of Godot's classes, named as the tracks name them" {
	pipe "anim-parse -q '$DATA/unity/scene_project/Assets/Hero.prefab' | anim-axes -q godot >in.axs"
	sed 's/"path":"Body/"path":"Bo.dy/' <(anim-emit json in.axs) | anim-parse -f json | anim-emit -q tscn >out.tscn
	grep -qx '\[node name="Bo_dy" type="MeshInstance3D" parent="."\]' out.tscn
	anim-emit -q tscn in.axs >out.tscn
	grep -qx '\[node name="Hero" type="Node3D"\]' out.tscn
	grep -qx '\[node name="Body" type="MeshInstance3D" parent="."\]' out.tscn
	grep -qx '\[node name="Eye" type="Camera3D" parent="Body"\]' out.tscn
}

@test "nodes of Godot 2 and 3 get the classes that Godot 4 has in their place" {
	{
		printf '[gd_scene load_steps=2 format=2]\n\n[sub_resource type="Animation" id=1]\nlength = 1.0\n'
		printf 'tracks/0/type = "value"\ntracks/0/path = NodePath("Arm:transform/rot")\ntracks/0/keys = {\n'
		printf '"times": FloatArray( 0, 1 ),\n"transitions": FloatArray( 1, 1 ),\n"update": 0,\n"values": [ 0.0, 90.0 ]\n}\n\n'
		printf '[node name="Root" type="YSort"]\n\n[node name="Arm" type="Sprite" parent="."]\n\n'
		printf '[node name="S" type="SamplePlayer2D" parent="."]\n\n[node name="V" type="VisibilityEnabler" parent="."]\n\n'
		printf '[node name="Player" type="AnimationPlayer" parent="."]\nanims/a = SubResource( 1 )\n'
	} >old.tscn
	pipe "anim-parse -q old.tscn | anim-emit -q tscn | grep -e '^\[node' -e 'Arm:' -e values"
	[ "$output" = 'tracks/0/path = NodePath("Arm:rotation_degrees")
"values": [0.0, -90.0]
[node name="Root" type="Node2D"]
[node name="Arm" type="Sprite2D" parent="."]
[node name="S" type="AudioStreamPlayer2D" parent="."]
[node name="V" type="VisibleOnScreenEnabler3D" parent="."]
[node name="Player" type="AnimationPlayer" parent="."]' ]
	pipe "anim-parse -q old.tscn | anim-emit -q tscn --godot 3 | grep -e 'Arm:' -e values"
	[ "$output" = 'tracks/0/path = NodePath("Arm:rotation_degrees")
"values": [ 0.0, -90.0 ]' ]
	pipe "anim-parse -q old.tscn | anim-emit -q tscn --keep-names | grep -e 'Arm:' -e values"
	[ "$output" = 'tracks/0/path = NodePath("Arm:transform/rot")
"values": [0.0, 90.0]' ]
}

@test "a mesh has the blend shapes and a sprite the frames that its tracks drive" {
	unity_clip emit_all.anim | anim-emit -q tscn -o out.tscn 2>/dev/null
	grep -qx '_blend_shape_names = PackedStringArray(.*)' out.tscn
	grep -qx 'mesh = SubResource("ArrayMesh_1")' out.tscn
	grep -q '^hframes = ' out.tscn
}

@test "a number in the middle of two shortest texts is the upper one, as the engine writes it" {
	{
		printf '[gd_resource type="Animation" format=3]\n\n[resource]\n'
		printf 'tracks/0/type = "value"\ntracks/0/path = NodePath("A:v")\ntracks/0/keys = {\n'
		printf '"times": PackedFloat32Array(0, 1),\n"transitions": PackedFloat32Array(1, 1),\n"update": 0,\n'
		printf '"values": [Vector2(0.189453125, -0.345703125), Vector2(2.5, 4097.0009765625)]\n}\n'
	} >middle.tres
	pipe "anim-parse middle.tres | anim-emit tres | grep values"
	[ "$output" = '"values": [Vector2(0.18945313, -0.34570313), Vector2(2.5, 4097.001)]' ]
}

@test "for Godot 3 a transform without keys keeps its path, and an AnimationTree with clips becomes a player" {
	{
		printf '[gd_scene format=3]\n\n[sub_resource type="Animation" id="a"]\n'
		printf 'tracks/0/type = "position_3d"\ntracks/0/path = NodePath("Arm")\ntracks/0/keys = PackedFloat32Array()\n\n'
		printf '[sub_resource type="AnimationLibrary" id="l"]\n_data = {\n&"a": SubResource("a")\n}\n\n'
		printf '[node name="Root" type="Node3D"]\n\n[node name="Arm" type="Node3D" parent="."]\n\n'
		printf '[node name="Tree" type="AnimationTree" parent="."]\nlibraries/ = SubResource("l")\n'
	} >tree.tscn
	pipe "anim-parse -q tree.tscn | anim-emit -q tscn --godot 3 | grep -e 0/type -e 0/path -e Tree"
	[ "$output" = 'tracks/0/type = "transform"
tracks/0/path = NodePath("Arm")
[node name="Tree" type="AnimationPlayer" parent="."]' ]
	pipe "anim-parse -q tree.tscn | anim-emit -q tscn | grep Tree"
	[ "$output" = '[node name="Tree" type="AnimationTree" parent="."]' ]
}

@test "a blend shape of Godot 3 gets the track that Godot 4 has for it; captures and --keep-names leave it a property" {
	old=$GODOT/emit_3.tscn
	pipe "anim-parse -q '$old' | anim-emit -q tscn | grep -B3 -A3 '\"Face:'"
	[ "$output" = 'tracks/9/type = "blend_shape"
tracks/9/imported = false
tracks/9/enabled = true
tracks/9/path = NodePath("Face:smile")
tracks/9/interp = 1
tracks/9/loop_wrap = true
tracks/9/keys = PackedFloat32Array(0, 1, 0, 2, 1, 0.5)' ]
	sed '/smile")$/,/values/s/"update": 0/"update": 1/' "$old" >steps.tscn
	pipe "anim-parse -q steps.tscn | anim-emit -q tscn | grep -A1 '\"Face:'"
	[ "$output" = 'tracks/9/path = NodePath("Face:smile")
tracks/9/interp = 0' ]
	sed '/smile")$/,/values/s/"update": 0/"update": 3/' "$old" >capture.tscn
	for as in "$old --keep-names" "$old --godot 3" capture.tscn; do
		read -r file options <<<"$as"
		pipe "anim-parse -q '$file' | anim-emit -q tscn $options | grep '\"Face:'"
		[[ $output == *'NodePath("Face:blend_shapes/smile")' ]]
	done
}

@test "a name with a colon is reported once: blend shapes get the names of Godot's importer" {
	key='"keyframes":[{"time":0,"value":1,"interpolation":"Linear"}]'
	shape='{"trackType":"Curve","valueType":"float","data":{"node":"Face","property":"BlendShape.a:b:",'$key'}}'
	field=${shape/BlendShape.a:b:/my:field}
	for name in a b; do
		printf '{"name":"%s","globalDuration":1,"tracks":[%s,%s]}' "$name" "$shape" "$field" >"$name.animj"
	done
	for options in 'tscn --godot 4.6' 'tscn --godot 3'; do
		pipe "anim-parse -q a.animj b.animj | anim-emit -q $options -o out.tscn"
		[ "$stderr" = "anim-emit: a.animj: 'a': warning: blend shape 'a:b:' is written as 'a_b_', as in the importer of Godot
anim-emit: a.animj: 'a': warning: property 'my:field' is never found: in Godot, a ':' separates the parts of a path" ]
		[ "$(grep -c 'NodePath("Face:\(blend_shapes/\)\?a_b_")' out.tscn)" -eq 2 ]
		grep -q 'blend_shape.*Array( \?"a_b_" \?)' out.tscn
	done
	sed 's,blend_shapes/smile,blend_shapes/a:b,; s/Lamp:visible/Lamp:material:next_pass/' "$GODOT/emit_3.tscn" >own.tscn
	pipe "anim-parse -q own.tscn | anim-emit -q tscn --force -o out.tscn"
	[[ $stderr == *"warning: blend shape 'a:b' is never found: in Godot, a ':' separates the parts of a path"* ]]
	[[ $stderr != *next_pass* ]]
	grep -qF '"Face:a:b"' out.tscn
}

@test "names of nodes of other engines are made valid for Godot, in tracks and tree, with one warning" {
	warning="anim-emit: mixamo.anim: 'mixamo': warning: 2 names: '_' replaces characters that node names in Godot cannot have (. : @ / \" %) ('mixamorig:Hips', 'mixamorig:Spine')"
	for options in '' '--godot 3'; do
		pipe "anim-parse '$DATA/unity/mixamo.anim' | anim-axes godot | anim-emit tscn --tol 1m,100deg $options"
		grep -qxF "$warning" <<<"$stderr"
		grep -q '"mixamorig_Hips/mixamorig_Spine"' <<<"$output"
		grep -q 'name="mixamorig_Spine" type=".*" parent="mixamorig_Hips"' <<<"$output"
		run ! grep -e mixamorig: -e 'bones/' <<<"$output"
	done
	run --separate-stderr bash -o pipefail -c \
		"anim-parse '$DATA/unity/mixamo.anim' | anim-axes godot | anim-emit tscn -o o.tscn --strict"
	[ "$status" -ne 0 ]

	key='"keyframes":[{"time":0,"value":1,"interpolation":"Hold"}]'
	printf '{"name":"t","globalDuration":1,"tracks":[%s,%s,%s]}' \
		'{"trackType":"Curve","valueType":"float","data":{"node":"a:b","property":"Intensity",'"$key}}" \
		'{"trackType":"Curve","valueType":"float","data":{"node":"a_b","property":"Intensity",'"$key}}" \
		'{"trackType":"Curve","valueType":"float","data":{"node":"50%@L.\"x\"","property":"Intensity",'"$key}}" >t.animj
	pipe "anim-parse t.animj | anim-emit tscn"
	[ "$(grep -c 'NodePath("a_b:Intensity")' <<<"$output")" -eq 2 ]
	grep -qF 'NodePath("50__L__x_:Intensity")' <<<"$output"
	grep -qF 'node name="50__L__x_"' <<<"$output"
	[[ $stderr == *"warning: node 'a_b' (now 'a_b'): same name as another node in Godot"* ]]
	[[ $stderr == *"warning: 2 names: '_' replaces"*"('a:b', '50"* ]]
}

@test "the node before a bone that anim-rename made is a skeleton, and a bone's name keeps what only nodes' cannot have" {
	sed 's,mixamorig:Spine,mixamorig:Arm.L,' "$DATA/unity/mixamo.anim" >rig.anim
	as() { anim-parse -q rig.anim | anim-axes godot | anim-rename "$@" | anim-emit -q tres --tol 1m,100deg 2>said | grep -o 'NodePath(".*")'; }
	[ "$(as --bones Armature/Skeleton3D)" = 'NodePath("Armature/Skeleton3D:mixamorig_Arm.L")
NodePath("Armature/Skeleton3D:mixamorig_Hips")' ]
	run ! grep "'_' replaces\|name '" said
	[ "$(as -e 's,^.*:,My.Rig/Skeleton3D:,')" = 'NodePath("My_Rig/Skeleton3D:Arm.L")
NodePath("My_Rig/Skeleton3D:Hips")' ]
	grep -q "name 'My.Rig': '_' replaces characters that" said
	[ "$(as -e 's,^.*/,,' -e 's,Hips,Leg,' | head -1)" = 'NodePath("mixamorig_Arm_L")' ]
	anim-parse -q rig.anim | anim-rename --bones Armature/Skeleton3D | anim-emit -q animj >bones.animj 2>said
	grep -q '"node":"mixamorig_Arm.L"' bones.animj
}

@test "a component of a 3-D position is translation:x in Godot 3, of a 2-D node position:x" {
	value() {
		printf 'tracks/%s/type = "value"\ntracks/%s/path = NodePath("%s")\ntracks/%s/interp = 1\n' "$1" "$1" "$2" "$1"
		printf 'tracks/%s/keys = {\n"times": PackedFloat32Array(0, 1),\n"update": 0,\n"values": [0.0, 1.0]\n}\n' "$1"
	}
	tracks=$(value 0 N3:position:x; value 1 N2:position:x; value 2 N3:rotation:y)
	printf '[gd_scene format=3]\n[sub_resource type="Animation" id="A"]\n%s\n[sub_resource type="AnimationLibrary" id="L"]\n_data = {\n&"a": SubResource("A")\n}\n[node name="R" type="Node3D"]\n[node name="N3" type="Node3D" parent="."]\n[node name="N2" type="Node2D" parent="."]\n[node name="P" type="AnimationPlayer" parent="."]\nlibraries = {\n&"": SubResource("L")\n}\n' "$tracks" >s.tscn
	printf '[gd_resource type="Animation" format=3]\n[resource]\n%s\n' "$tracks" >s.tres # N3 turns as only 3-D nodes do
	for file in s.tscn s.tres; do
		anim-parse "$file" | anim-emit "${file#*.}" --godot 3 --force -o "3.$file"
		run grep -o 'NodePath("N[^"]*' "3.$file"
		[ "$output" = $'NodePath("N3:translation:x\nNodePath("N2:position:x\nNodePath("N3:rotation:y' ]
		# What Godot 3 called so is called so again, whatever else the node has, and position in Godot 4.
		anim-parse "3.$file" | anim-filter -p position | anim-emit tres --godot 3 >again.tres
		run grep -o 'NodePath("N[^"]*' again.tres
		[ "$output" = $'NodePath("N3:translation:x\nNodePath("N2:position:x' ]
		anim-parse "3.$file" | anim-filter -p position | anim-emit tres >4.tres
		run grep -o 'NodePath("N[^"]*' 4.tres
		[ "$output" = $'NodePath("N3:position:x\nNodePath("N2:position:x' ]
	done
}

@test "a node that %Name finds is found by it in the written scene, and is made where no tree has it" {
	for options in '' '--godot 3'; do
		pipe "anim-parse '$GODOT/unique.tscn' | anim-axes unity | anim-axes godot | anim-emit tscn $options"
		[ -z "$stderr" ]
		[ "$(grep -A1 '^.node' <<<"$output" | grep -B1 unique_name_in_owner | grep -o 'name="[^"]*"')" = \
			'name="GeneralSkeleton"
name="Ball"' ]
	done
	pipe "anim-parse '$GODOT/unique.tscn' | anim-dump | grep -c '\"godot.unique_name\" \"true\"'"
	[ "$output" = 2 ]

	{
		printf '[gd_resource type="Animation" format=3]\n\n[resource]\nlength = 1.0\n'
		printf 'tracks/%s/type = "position_3d"\ntracks/%s/path = NodePath("%s")\ntracks/%s/keys = PackedFloat32Array(0, 1, 0, 0, 0)\n' \
			0 0 %GeneralSkeleton:Hips 0 1 1 %GeneralSkeleton/Hat 1 2 2 %Ball 2 3 3 ../Other 3
	} >loose.tres
	pipe "anim-parse loose.tres | anim-emit tscn | grep -e '^.node' -e unique_name -e '/name'"
	[ "$output" = '[node name="Root" type="Node3D"]
[node name="GeneralSkeleton" type="Skeleton3D" parent="."]
unique_name_in_owner = true
bones/0/name = "Hips"
[node name="Hat" type="Node3D" parent="GeneralSkeleton"]
[node name="Ball" type="Node3D" parent="."]
unique_name_in_owner = true
[node name="AnimationPlayer" type="AnimationPlayer" parent="."]' ]
}

@test "a bone of the animated node, or after %Name, has the rest pose of its skeleton" {
	pipe "anim-parse '$GODOT/skeleton_root.escn' | anim-emit tscn"
	[ -z "$stderr" ]
	grep -qx 'tracks/0/path = NodePath(".:bone")' <<<"$output"
	grep -qx 'tracks/0/keys = PackedFloat32Array(0, 1, 5, 0, 0)' <<<"$output"
	grep -qx 'tracks/1/keys = PackedFloat32Array(0, 1, 0.70710677, 0, 0, 0.70710677)' <<<"$output"
	[ "$(grep -c '^.node' <<<"$output")" -eq 3 ]
	pipe "anim-parse '$GODOT/skeleton_root.escn' | anim-emit tscn --godot 3 | grep -c -e 'NodePath(\".:bone\")' -e 'bones/0/name' -e '^.node'"
	[ "$output" = 5 ]
	sed 's,"\.:bone","%Armature:bone",; s,^bones/0/name,unique_name_in_owner = true\n&,' "$GODOT/skeleton_root.escn" >unique.escn
	pipe "anim-parse unique.escn | anim-emit tscn | grep -c -e 'Array(0, 1, 5, 0, 0)' -e 'NodePath(\"%Armature:bone\")'"
	[ "$output" = 4 ]
	sed 's,root_node = .*,root_node = NodePath("../.."),; s,"\.:bone","Armature/../Armature:bone",' "$GODOT/skeleton_root.escn" >way.escn
	pipe "anim-parse way.escn | anim-emit tscn | grep -c 'Array(0, 1, 5, 0, 0)'"
	[ "$output" = 1 ]
}

@test "components of positions and materials of surfaces have the names of each Godot version" {
	cat >components.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="1"]
		tracks/0/type = "bezier"
		tracks/0/path = NodePath("Solid:position:x")
		tracks/0/keys = { "points": PackedFloat32Array(0, 0, 0, 0, 0), "times": PackedFloat32Array(0) }
		tracks/1/type = "value"
		tracks/1/path = NodePath("Flat:position:x")
		tracks/1/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [1.0] }
		tracks/2/type = "value"
		tracks/2/path = NodePath("Solid:surface_material_override/0:shader_parameter/energy")
		tracks/2/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [1.0] }
		tracks/3/type = "value"
		tracks/3/path = NodePath("Solid:surface_material_override/1:albedo_color:a")
		tracks/3/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [1.0] }
		[sub_resource type="AnimationLibrary" id="L"]
		_data = { &"a": SubResource("1") }
		[node name="Root" type="Node3D"]
		[node name="Solid" type="MeshInstance3D" parent="."]
		[node name="Flat" type="Sprite2D" parent="."]
		[node name="AP" type="AnimationPlayer" parent="."]
		libraries/ = SubResource("L")
	TEXT
	paths() { grep -o 'NodePath("[^"]*' "$1" | cut -c11-; }
	anim-parse components.tscn | anim-emit --godot 3 -o old.tscn
	[ "$(paths old.tscn)" = 'Solid:translation:x
Flat:position:x
Solid:material/0:shader_param/energy
Solid:material/1:albedo_color:a' ]
	anim-parse old.tscn | anim-emit -o new.tscn
	[ "$(paths new.tscn)" = "$(paths components.tscn)" ]
	anim-parse -q old.tscn | anim-emit --godot 3 -o again.tscn
	[ "$(paths again.tscn)" = "$(paths old.tscn)" ]
	sed -n 's/^\[sub_resource.*/[resource]/; /^\[resource/,/^\[node/p' old.tscn | sed '/^\[node/d; 1i[gd_resource type="Animation" format=2]' >old.tres
	anim-parse -q old.tres | anim-emit --godot 3 -o again.tres
	[ "$(paths again.tres)" = "$(paths old.tscn)" ]
}

@test "several bones with unknown parents are reported, a single one is not" {
	anim-parse -q "$DATA/unity/mixamo.anim" | anim-axes -q godot | anim-rename --bones Armature/Skeleton3D >two.axs
	run -0 --separate-stderr anim-emit -o two.tscn two.axs
	[[ $stderr == *"mixamo.anim: warning: skeleton 'Armature/Skeleton3D' (2 bones): unknown parents of bones, because the stream has no tree; a .tres plays on the skeleton of a character"* ]]
	run -0 --separate-stderr anim-emit -o two.tres two.axs
	[[ $stderr != *'no parents'* ]]
	anim-filter -n '*Hips' two.axs >one.axs
	run -0 --separate-stderr anim-emit -o one.tscn one.axs
	[[ $stderr != *'no parents'* ]]
}

@test "rotations that Godot refuses are normalised with a warning, but rotations from Godot stay unchanged" {
	sed 's/^  /\t/' >long.dump <<-'TEXT'
		anim-dump 1
		clip name="c" root="" source="c" start=0 end=1 loop=none axes=godot axes2d=godot flags=- rate=0/0
		track node="A" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=3
		  columns time value
		  0 0,0.6,0,0.8
		  0.5 0,1.2,0,1.6
		  1 0,0,0,0
		track node="B" property="rotation" component=- kind=Raw type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=2 start=0 step=0 rate=1/1
		  columns value
		  3,0,0,4
		  0.6,0,0,0.8
		end
	TEXT
	anim-undump long.dump >long.axs
	run -0 --separate-stderr anim-emit -o long.tres long.axs
	[[ $stderr == *"warning: 2 tracks: rotations that are not of length 1 were normalised, because Godot does not play them (first 'A rotation'"* ]]
	[ "$(grep keys long.tres)" = 'tracks/0/keys = PackedFloat32Array(0, 1, 0, 0.6, 0, 0.8, 0.5, 1, 0, 0.6, 0, 0.8, 1, 1, 0, 0, 0, 1)
tracks/1/keys = PackedFloat32Array(0, 1, 0.6, 0, 0, 0.8, 1, 1, 0.6, 0, 0, 0.8)' ]
	run -1 anim-emit --strict -o strict.tres long.axs
	anim-emit -q -o kept.tres <(anim-parse -q "$ORACLE/godot-4.6/refused.tres")
	[ "$(grep -c '0.5, 0.5, 0.5, 0.8' kept.tres)" = "$(grep -c '0.5, 0.5, 0.5, 0.8' "$ORACLE/godot-4.6/refused.tres")" ]
	anim convert -q "$ORACLE/godot-4.6/refused.tres" shown.animj 2>/dev/null
	alike -q --max 0.01deg "$ORACLE/godot-4.6/refused.tres" shown.animj
}

# keys FILE CLIP: path and keys of each 3-D track of a clip.
keys_of() {
	awk -v clip="resource_name = \"$2\"" '$0 == clip { on = 1 } /^\[/ && on { exit }
		on && /path = / { path = $3 } on && /keys = Packed/ { sub(/.*keys = /, ""); print path, $0 }' "$1"
}

@test "a part that another clip of the player animates gets its rest value in a key, also in a library" {
	for out in x.tscn x.tres; do
		anim-convert -q "$DATA/poses/partial_tracks.glb" $out
		keys_of $out a | grep -qx 'NodePath(".*N") PackedFloat32Array(0, 1, 0.5, 7, 9)'
		keys_of $out b | grep -qx 'NodePath(".*N") PackedFloat32Array(0, 1, 0, 0, 0, 1)'
		[ "$(grep -c '^tracks/.*/type' $out)" -eq 4 ]
	done
	anim-convert -q -c a "$DATA/poses/partial_tracks.glb" one.tscn
	[ "$(grep -c '^tracks/.*/type' one.tscn)" -eq 1 ]
	anim-emit -q tres --godot 3 x.tres -o old.tres # a transform track has all three parts
	[ "$(grep -c '^tracks/.*/type' old.tres)" -eq 2 ]
	# a clip from Godot keeps what its author chose
	anim-convert -q -c a "$DATA/poses/partial_tracks.glb" a.tscn
	anim-convert -q a.tscn b.tscn
	[ "$(grep -c '^tracks/.*/type' b.tscn)" -eq 1 ]
}

@test "clips that a level gets below an instance of their model have the rest keys of each other" {
	touch project.godot
	anim-convert -q "$DATA/poses/partial_tracks.glb" m.tscn
	for player in Anim M/Clips; do
		printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://m.tscn" id="1"]\n\n[node name="L" type="Node3D"]\n\n[node name="M" parent="." instance=ExtResource("1")]\n' >l.tscn
		run -0 --separate-stderr anim-convert --player $player "$DATA/poses/partial_tracks.glb" --into l.tscn
		[[ $stderr != *warning* ]]
		keys_of l.tscn a | grep -qx 'NodePath("M/R/N") PackedFloat32Array(0, 1, 0.5, 7, 9)'
		keys_of l.tscn b | grep -qx 'NodePath("M/R/N") PackedFloat32Array(0, 1, 0, 0, 0, 1)'
	done
}

@test "if several instances in a level have the nodes of a clip, they are named" {
	touch project.godot
	anim-convert -q "$DATA/poses/partial_tracks.glb" m.tscn
	printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://m.tscn" id="1"]\n\n[node name="L" type="Node3D"]\n\n[node name="A" parent="." instance=ExtResource("1")]\n\n[node name="B" parent="." instance=ExtResource("1")]\n' >l.tscn
	run -1 --separate-stderr anim-convert --player Anim "$DATA/poses/partial_tracks.glb" --into l.tscn
	[[ $stderr == *"l.tscn: several of its nodes have 'R/N': 'A', 'B'; choose one with a player there: --player A/Clips"* ]]
	anim-convert -q --player B/Clips "$DATA/poses/partial_tracks.glb" --into l.tscn
	keys_of l.tscn a | grep -q '^NodePath("B/R/N")'
}

@test "clips that a file already has get rest keys if it is an input, whatever its player is called" {
	touch project.godot
	anim-convert -q "$DATA/poses/partial_tracks.glb" m.tscn
	anim-convert -q -c a "$DATA/poses/partial_tracks.glb" own.tscn
	sed -i 's/"AnimationPlayer" type/"Anim" type/' own.tscn
	printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://m.tscn" id="1"]\n\n[node name="L" type="Node3D"]\n\n[node name="M" parent="." instance=ExtResource("1")]\n' >l.tscn
	anim-convert -q -c a --player M/Clips "$DATA/poses/partial_tracks.glb" --into l.tscn
	anim-parse -q "$DATA/poses/partial_tracks.glb" | anim-filter -q -c b -o b.axs
	for scene in own l; do
		anim-convert -q $scene.tscn b.axs --into $scene.tscn
		keys_of $scene.tscn a | grep -qx 'NodePath(".*R/N") PackedFloat32Array(0, 1, 0.5, 7, 9)'
		keys_of $scene.tscn b | grep -qx 'NodePath(".*R/N") PackedFloat32Array(0, 1, 0, 0, 0, 1)'
	done
}

@test "the rest key of a part comes from RESET; if the rest is unknown, a warning says so" {
	anim-parse -q "$DATA/poses/partial_tracks.glb" | anim-filter -q -c a | anim-rename -q --on clip -e s/a/RESET/ >reset.axs
	anim-parse -q "$DATA/poses/partial_tracks.glb" | anim-filter -q -c b -o b.axs
	anim-cat -q reset.axs b.axs | anim-emit -q tscn -o y.tscn
	keys_of y.tscn b | grep -qx 'NodePath(".*N") PackedFloat32Array(0, 1, 0, 0, 0, 1)'
	anim-parse -q "$DATA/poses/partial_tracks.glb" | anim-dump | sed '/^tree/,/^clip/{/^clip/!d}; s/,in_tree//' | anim-undump >bare.axs
	run -0 anim-emit -q tres bare.axs -o z.tres
	[[ "$output" == *"rest pose"*"unknown"* ]]
	[ "$(grep -c '^tracks/.*/type' z.tres)" -eq 2 ]
}

@test "components and Euler angles of other engines become one form of a part in all clips" {
	anim-convert -q "$DATA/poses/two_clips_components.fbx" x.tscn
	[ "$(grep -o '[a-z]*_3d"' x.tscn | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 position_3d" 2 scale_3d" ' ]
	anim-convert -q "$DATA/poses/components.fbx" y.tscn
	run -0 anim-diff --world --max 0.2mm "$DATA/poses/components.fbx" y.tscn
	[ "$(grep -c '"rotation_3d"' y.tscn)" -eq 3 ]
}

@test "a node with a scale of 0 keeps its rotation, in parts of the transform" {
	printf '%s' '{"asset":{"version":"2.0"},"nodes":[{"name":"R","children":[1,2]},' \
		'{"name":"Z","rotation":[0,0.70710677,0,0.70710677],"scale":[0,0,0],"translation":[1,2,3]},' \
		'{"name":"F","matrix":[0,0,-1,0, 0,0,0,0, 1,0,0,0, 0,0,0,1]}],' \
		'"animations":[{"name":"go","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}],' \
		'"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],' \
		'"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],' \
		'"buffers":[{"byteLength":32,"uri":"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAQAAAQEA="}]}' >flat.gltf
	for version in 4.5 3; do
		anim convert -q --force --godot $version flat.gltf flat.tscn
		anim info --tree flat.tscn >tree
		grep -q ' Z .* position (1, 2, 3) rotation (0, 0.7071, 0, 0.7071) scale (0, 0, 0)' tree
		grep -q ' F .* rotation (0, 0.7071, 0, 0.7071) scale (1, 0, 1)' tree
	done
}

@test "a stepped curve of Unity steps in Godot, also if a key repeats the value of the key before it" {
	cat >steps.animj <<-'JSON'
		{"name":"steps","globalDuration":3,"tracks":[{"trackType":"Curve","valueType":"float3","data":{"node":"Body","property":"Position","keyframes":[
		{"time":0,"value":{"x":0,"y":3,"z":0},"interpolation":"Hold"},{"time":1,"value":{"x":0,"y":2,"z":0},"interpolation":"Hold"},
		{"time":2,"value":{"x":0,"y":2,"z":0},"interpolation":"Hold"},{"time":3,"value":{"x":0,"y":5,"z":0},"interpolation":"Hold"}]}}]}
	JSON
	anim convert -q steps.animj steps.anim
	grep -q 'inSlope: {x: Infinity' steps.anim
	anim convert -q steps.anim steps.tscn
	grep -qxF 'tracks/0/interp = 0' steps.tscn
	grep -qxF 'tracks/0/keys = PackedFloat32Array(0, 1, 0, 3, 0, 1, 1, 0, 2, 0, 2, 1, 0, 2, 0, 3, 1, 0, 5, 0)' steps.tscn
}
