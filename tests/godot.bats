#!/usr/bin/env bats
# anim-parse on Godot scenes and resources: trees, players, libraries, files that name other files, faults.

load helper

PROJECT=$DATA/godot/project

# clips [OPTION...] FILE: "name root player file", one clip a line, - where there is none.
clips() {
	anim-parse "$@" | anim-dump | awk '
		function show() { if (name != "") print name, root, player, file }
		function text(field) { sub(/^[^"]*"/, "", field); sub(/"$/, "", field); return field }
		/^clip / { show(); name = text($2); root = text($3); player = file = "-" }
		$1 == "attr" && $2 == "\"player\"" { player = text($3) }
		$1 == "attr" && $2 == "\"file\"" { file = text($3) }
		END { show() }'
}

# nodes FILE: the paths of its nodes, one a line.
nodes() {
	anim-parse "$@" | anim-dump | sed -n 's/^node path="\([^"]*\)".*/\1/p'
}

# animation ID: a sub_resource with one key.
animation() {
	printf '[sub_resource type="Animation" id="%s"]\ntracks/0/type = "position_3d"\n' "$1"
	printf 'tracks/0/path = NodePath("Box")\ntracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)\n\n'
}

# animation_file: a .tres with one Animation.
animation_file() {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\ntracks/0/type = "position_3d"\n'
	printf 'tracks/0/path = NodePath("Box")\ntracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)\n'
}

# player PATH...: a scene with a player whose animations a0, a1 ... lie in these files.
player() {
	local path n=0
	printf '[gd_scene format=3]\n'
	for path; do
		printf '[ext_resource type="Animation" path="%s" id="%d"]\n' "$path" $n
		n=$((n + 1))
	done
	printf '[node name="Root" type="Node3D"]\n[node name="Player" type="AnimationPlayer" parent="."]\n'
	for ((n = 0; n < $#; n++)); do
		printf 'anims/a%d = ExtResource("%d")\n' $n $n
	done
}

# instance PATH NAME: a scene whose root is called NAME and has an instance of PATH.
instance() {
	printf '[gd_scene format=3]\n[ext_resource type="PackedScene" path="%s" id="1"]\n' "$1"
	printf '[node name="%s" type="Node3D"]\n[node name="Inner" parent="." instance=ExtResource("1")]\n' "$2"
}

@test "a scene of a project is read with the libraries, animations and scenes that it names" {
	anim-parse "$PROJECT/scenes/hero.tscn" | anim-dump >hero.dump
	[ -z "$REGOLD" ] || cp hero.dump "$ROOT/tests/golden/godot_hero.dump"
	same "$ROOT/tests/golden/godot_hero.dump" hero.dump
}

@test "it does not matter from where the scene is named" {
	not_windows "wine does not tell what a link means"
	anim-parse "$PROJECT/scenes/hero.tscn" -o absolute.axs --no-provenance
	cp -r "$PROJECT" project
	(cd project/scenes && anim-parse hero.tscn --no-provenance) >inside.axs
	(cd project/anims && anim-parse ../scenes/hero.tscn --no-provenance) >beside.axs
	ln -s project/scenes link
	anim-parse link/hero.tscn --no-provenance >linked.axs
	mkdir elsewhere
	ln -s ../project/scenes/hero.tscn elsewhere
	anim-parse elsewhere/hero.tscn --no-provenance >file_linked.axs
	same absolute.axs inside.axs
	same absolute.axs beside.axs
	same absolute.axs linked.axs
	same absolute.axs file_linked.axs
}

@test "the rule of --depfile names every file that was opened, as a person would type it" {
	cp -r "$PROJECT" project
	anim-parse project/scenes/hero.tscn -o hero.axs --depfile hero.d --target hero.axs
	run -0 cat hero.d
	for file in scenes/hero.tscn scenes/arm.tscn scenes/gem.tscn anims/moves.tres anims/run.tres; do
		[[ $output == *" project/$file"* ]]
	done
	[[ $output != *"$BATS_TEST_TMPDIR"* ]]
}

@test "without project.godot the scene's own folder is what res:// means" {
	animation_file >walk.tres
	player res://walk.tres >scene.tscn
	[ "$(clips scene.tscn)" = "a0 . Player res://walk.tres" ]
}

@test "a library of another file is read once and played by every player that names it" {
	mkdir sub
	animation_file >sub/run.tres
	cat >sub/lib.tres <<-'TEXT'
		[gd_resource type="AnimationLibrary" format=3]
		[ext_resource type="Animation" path="run.tres" id="1"]
		[sub_resource type="Animation" id="own"]
		[resource]
		_data = {"own": SubResource("own"), &"run": ExtResource("1")}
	TEXT
	cat >scene.tscn <<-'TEXT'
		[gd_scene format=3]
		[ext_resource type="AnimationLibrary" path="res://sub/lib.tres" id="1_x"]
		[node name="Root" type="Node3D"]
		[node name="P" type="AnimationPlayer" parent="."]
		libraries/ = ExtResource("1_x")
		[node name="Q" type="AnimationPlayer" parent="."]
		libraries = {"x": ExtResource("1_x")}
	TEXT
	run -0 clips scene.tscn
	[ "$output" = "own . P res://sub/lib.tres
run . P run.tres
x/own . Q res://sub/lib.tres
x/run . Q run.tres" ]
}

@test "an animation inside another scene is reached by Resource(\"res://file::id\")" {
	{ printf '[gd_scene format=3]\n'; animation walk; printf '[node name="R" type="Node"]\n'; } >other.tscn
	cat >scene.tscn <<-'TEXT'
		[gd_scene format=3]
		[node name="Root" type="Node3D"]
		[node name="P" type="AnimationPlayer" parent="."]
		anims/a = Resource("res://other.tscn::walk")
	TEXT
	[ "$(clips scene.tscn)" = "a . P res://other.tscn" ]
}

@test "an animation that cannot be read is named with the reason, the others are read" {
	animation_file >good.tres
	printf 'RSRC\0\0\0\0' >binary.res
	printf 'hello\n' >text.tres
	printf '[gd_resource type="Curve" format=3]\n[resource]\n' >curve.tres
	printf '[gd_resource type="Animation" format=9]\n[resource]\n' >newer.tres
	mkdir folder.tres
	mkfifo fifo.tres
	player res://gone.res binary.res text.tres curve.tres newer.tres folder.tres fifo.tres uid://abc user://x.tres \
		good.tres >scene.tscn
	run -0 --separate-stderr clips scene.tscn
	[ "$output" = "a9 . Player good.tres" ]
	[ "$stderr" = "anim-parse: scene.tscn:14:12: warning: clip 'a0' is not read from 'res://gone.res': no such file
anim-parse: scene.tscn:15:12: warning: clip 'a1' is not read from 'binary.res': the file ends before the end of its content
anim-parse: scene.tscn:16:12: warning: clip 'a2' is not read from 'text.tres': it is not a Godot file
anim-parse: scene.tscn:17:12: warning: clip 'a3' is not read from 'curve.tres': it is not an Animation
anim-parse: scene.tscn:18:12: warning: clip 'a4' is not read from 'newer.tres': format 9 is newer than the newest supported format, 4
anim-parse: scene.tscn:19:12: warning: clip 'a5' is not read from 'folder.tres': it is not a regular file
anim-parse: scene.tscn:20:12: warning: clip 'a6' is not read from 'fifo.tres': it is not a regular file
anim-parse: scene.tscn:21:12: warning: clip 'a7' is not read from 'uid://abc': only the Godot editor can resolve a uid://
anim-parse: scene.tscn:22:12: warning: clip 'a8' is not read from 'user://x.tres': only res:// and relative paths are followed" ]
}

@test "nothing outside of the project is opened, by .., absolute paths or links" {
	animation_file >secret.tres
	mkdir project
	touch project/project.godot
	mkdir project-too
	cp secret.tres project-too
	ln -s ../secret.tres project/link.tres
	player ../secret.tres res://../secret.tres "$PWD/secret.tres" link.tres ../project-too/secret.tres >project/scene.tscn
	run -0 --separate-stderr clips project/scene.tscn
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 5 ]
	for line in "${stderr_lines[@]}"; do
		[[ $line == *"it is outside the project folder" ]]
	done
}

@test "what comes from a pipe, or under --no-external, names files that are not followed, which is said" {
	animation_file >walk.tres
	player walk.tres >scene.tscn
	pipe 'cat scene.tscn | anim-parse | anim-info'
	[ "$status" -eq 0 ]
	[[ $stderr == *"-:5:12: warning: clip 'a0' is not read from 'walk.tres': input from a pipe has no folder to search"* ]]
	run -0 --separate-stderr anim-parse --no-external scene.tscn -o x.axs
	[ "$stderr" = "anim-parse: scene.tscn:5:12: warning: clip 'a0' is not read from 'walk.tres': other files are not followed" ]
}

@test "a fault in a named file counts like one in the scene itself" {
	printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = oops\n' >bad.tres
	animation_file >good.tres
	player bad.tres good.tres >scene.tscn
	run -1 --separate-stderr anim-parse scene.tscn -o x.axs
	[[ $stderr == *"anim-parse: bad.tres:3:10: unknown word 'oops'"* ]]
	[ ! -e x.axs ]
	run -0 --separate-stderr clips --keep-going scene.tscn
	[ "$output" = "a1 . Player good.tres" ]
	[[ $stderr == *"bad.tres: warning: clip 'a0' is left out: it has faults"* ]]
}

@test "an inherited scene has the nodes of the one it inherits" {
	cp -r "$PROJECT" project
	cat >project/big.tscn <<-'TEXT'
		[gd_scene format=3]
		[ext_resource type="PackedScene" path="res://scenes/gem.tscn" id="1"]
		[node name="BigGem" instance=ExtResource("1")]
		scale = Vector3(9, 9, 9)
		[node name="Shine" type="OmniLight3D" parent="Glow"]
	TEXT
	run -0 --separate-stderr anim-parse project/big.tscn -o big.axs
	[ "$stderr" = "anim-parse: project/big.tscn: warning: no animation in this file" ]
	run -0 anim-dump big.axs
	[[ $output == *'tree root="BigGem"'* ]]
	[[ $output == *'node path="." type="MeshInstance3D" kind=mesh has=scale'*'scale=9,9,9'* ]]
	[[ $output == *'path="Glow/Shine"'* ]]
}

@test "scenes that instance each other come to an end" {
	instance b.tscn A >a.tscn
	instance a.tscn B >b.tscn
	run -0 --separate-stderr nodes a.tscn
	[ "$output" = ".
Inner
Inner/Inner" ]
	[[ $stderr == *"b.tscn:4:1: note: instanced scene 'a.tscn': not read, so nodes are missing: the files refer to each other in a cycle"* ]]
}

@test "files that name files are followed eight deep" {
	for n in 0 1 2 3 4 5 6 7 8 9; do
		instance "s$((n + 1)).tscn" "N$n" >"s$n.tscn"
	done
	run -0 --separate-stderr nodes s0.tscn
	[ "${#lines[@]}" -eq 10 ]
	[[ $stderr == *"s8.tscn:4:1: note: instanced scene 's9.tscn': not read, so nodes are missing: files refer to other files too deeply"* ]]
}

@test "small files that multiply each other's nodes stop at the limit" {
	printf '[gd_scene format=3]\n[node name="L" type="Node"]\n' >m0.tscn
	for n in 1 2 3 4 5 6 7; do
		{
			printf '[gd_scene format=3]\n[ext_resource path="m%d.tscn" type="PackedScene" id="1"]\n' $((n - 1))
			printf '[node name="M" type="Node"]\n'
			for i in {1..10}; do printf '[node name="I%d" parent="." instance=ExtResource("1")]\n' "$i"; done
		} >"m$n.tscn"
	done
	run -0 --separate-stderr bash -c 'anim-parse m7.tscn | anim-dump | grep -c ^node'
	[ "$output" -lt 300000 ]
	[[ $stderr == *"instanced scenes: not read, so nodes are missing ('"** ]]
}

@test "more than 1024 other files are not opened" {
	for n in {0..1025}; do echo "res://f$n.tres"; animation_file >"f$n.tres"; done >names
	xargs bash -c "$(declare -f player); player \"\$@\"" _ <names >scene.tscn
	run -0 --separate-stderr clips scene.tscn
	[ "${#lines[@]}" -eq 1024 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ $stderr == *"clip 'a1025' is not read from 'res://f1025.tres': too many other files are referred to"* ]]
}

@test "all four spellings of libraries give the same clips" {
	head='[gd_scene format=3]'
	library='[sub_resource type="AnimationLibrary" id="L"]
_data = {&"walk": SubResource("w")}'
	node='[node name="R" type="Node3D"]
[node name="P" type="AnimationPlayer" parent="."]'
	printf '%s\n' "$head" "$(animation w)" "$library" "$node" 'libraries = {"": SubResource("L")}' >dictionary.tscn
	printf '%s\n' "$head" "$(animation w)" "$library" "$node" 'libraries/ = SubResource("L")' >property.tscn
	printf '%s\n' "$head" "$(animation w)" "$node" 'anims/walk = SubResource("w")' >anims.tscn
	printf '%s\n' "$head" "$(animation w)" "$library" "${node/ type=\"AnimationPlayer\"/}" \
		'"libraries/" = SubResource("L")' >untyped.tscn
	for file in dictionary property anims untyped; do
		[ "$(clips $file.tscn)" = "walk . P -" ]
	done
}

@test "the parse of a scene is the same from a store in memory, a store in a file and one-byte windows" {
	cp -r "$PROJECT" project
	anim-parse project/scenes/hero.tscn >normal.axs
	ANIM_STORE_MEMORY=0 anim-parse project/scenes/hero.tscn >stored.axs
	ANIM_READ_MAX=1 anim-parse project/scenes/hero.tscn >bytes.axs
	gzip -c project/scenes/hero.tscn >hero.gz
	cp hero.gz project/scenes/hero.tscn
	anim-parse project/scenes/hero.tscn >unzipped.axs
	same normal.axs stored.axs
	same normal.axs bytes.axs
	same normal.axs unzipped.axs
}

@test "an Animation without a name is called after its file, after --source-name, or clip" {
	animation_file >walk.tres
	gzip -k walk.tres
	[ "$(clips walk.tres)" = "walk . - walk.tres" ]
	[ "$(clips walk.tres.gz)" = "walk . - walk.tres.gz" ]
	[ "$(clips --source-name take.1.tres <walk.tres)" = "take.1 . - take.1.tres" ]
	[ "$(clips <walk.tres)" = "clip . - -" ]
}

@test "--strict turns warnings into errors and writes no file" {
	player gone.tres >scene.tscn
	run -1 --separate-stderr anim-parse --strict scene.tscn -o x.axs
	[[ $stderr == *"clip 'a0' is not read from 'gone.tres': no such file"* ]]
	[ ! -e x.axs ]
}

@test "every scene of the corpus parses, with as many tracks as it declares" {
	[ -d "$ANIM_CORPUS/godot" ] || skip "no corpus at $ANIM_CORPUS"
	for file in "$ANIM_CORPUS"/godot/*.tres "$ANIM_CORPUS"/godot/*.tscn; do
		declared=$(grep -ac 'tracks/[0-9]*/type = ' "$file" || true)
		transforms=$(grep -ac 'tracks/[0-9]*/type = "transform"' "$file" || true)
		run -0 --separate-stderr bash -o pipefail -c 'anim-parse -q "$1" | anim-dump | grep -c ^track || true' _ "$file"
		[ "$output" -eq $((declared + 2 * transforms)) ]
		[[ $stderr != *"error"* ]]
	done
}

@test "the clips of an inherited scene's base play in it, with what it adds to its players and takes away" {
	mkdir -p p/clips && touch p/project.godot
	sed 's,Box,Ext,' <(animation_file) >p/clips/ext.tres
	cat >p/base.tscn <<-'TEXT'
		[gd_scene format=3]
		[ext_resource type="Animation" path="res://clips/ext.tres" id="e"]
		[sub_resource type="Animation" id="1"]
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("Base")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1)
		[sub_resource type="AnimationLibrary" id="L"]
		_data = { &"own": SubResource("1"), &"ext": ExtResource("e"), &"lost": SubResource("9") }
		[node name="Hero" type="Node3D"]
		[node name="Body" type="Node3D" parent="."]
		[node name="AP" type="AnimationPlayer" parent="Body"]
		root_node = NodePath("../..")
		libraries/ = SubResource("L")
		libraries/old = SubResource("L")
		autoplay = &"own"
	TEXT
	cat >p/heir.tscn <<-'TEXT'
		[gd_scene format=3]
		[ext_resource type="PackedScene" path="res://base.tscn" id="1"]
		[sub_resource type="Animation" id="1"]
		tracks/0/type = "scale_3d"
		tracks/0/path = NodePath("Heir")
		tracks/0/keys = PackedFloat32Array(0, 1, 1, 1, 1)
		[sub_resource type="AnimationLibrary" id="L"]
		_data = { &"new": SubResource("1") }
		[node name="Hero2" instance=ExtResource("1")]
		[node name="AP" parent="Body" index="0"]
		libraries/old = SubResource("L")
		libraries/more = SubResource("L")
	TEXT
	run -0 --separate-stderr clips p/heir.tscn
	[ "$output" = "own . Body/AP res://base.tscn
ext . Body/AP res://clips/ext.tres
old/new . Body/AP -
more/new . Body/AP -" ]
	[ "$stderr" = "anim-parse: p/base.tscn:8:72: warning: clip 'lost' is not read from '9': no such sub_resource in this file" ]
	anim-parse -q p/heir.tscn 2>/dev/null | anim-dump | grep -q 'godot.autoplay'

	# A heir of the heir, which says all of its libraries anew, and one that only instances it.
	sed 's,base,heir,; s,^libraries/old.*,libraries = { \&"only": SubResource("L") },; /more/d' p/heir.tscn >p/third.tscn
	run -0 --separate-stderr clips p/third.tscn
	[ "$output" = 'only/new . Body/AP -' ]
	sed '/Body/,$d' p/third.tscn >p/fourth.tscn
	run -0 --separate-stderr clips p/fourth.tscn
	[ "${lines[*]:0:4}" = "own . Body/AP res://base.tscn ext . Body/AP res://clips/ext.tres old/new . Body/AP res://heir.tscn more/new . Body/AP res://heir.tscn" ]
	instance heir.tscn Level >p/level.tscn
	run -0 --separate-stderr clips p/level.tscn
	[ -z "$output" ]

	sed 's,base.tscn,hero.glb,' p/heir.tscn >p/model.tscn
	run -0 --separate-stderr clips p/model.tscn
	[[ $stderr == *"p/model.tscn:9:1: warning: nodes and clips of the scene that this one inherits, 'res://hero.glb', are not read: no such file"* ]]
	sed 's,base.tscn,none.tscn,' p/heir.tscn >p/none.tscn
	run -0 --separate-stderr clips p/none.tscn
	[[ $stderr == *"p/none.tscn:9:1: warning: nodes and clips of the scene that this one inherits, 'res://none.tscn', are not read: "* ]]
}

# values GENERATION LOOP INTERP TIMES VALUES: a clip of 2 s with one value track.
values() {
	printf '[gd_resource type="Animation" format=%s]\n[resource]\nlength = 2.0\nloop_mode = %s\ntracks/0/type = "value"\n' "$1" "$2"
	printf 'tracks/0/path = NodePath("A:x")\ntracks/0/interp = %s\ntracks/0/loop_wrap = true\ntracks/0/keys = {\n' "$3"
	printf '"times": %s(%s),\n"update": 0,\n"values": [%s]\n}\n' "$([ "$1" = 3 ] && echo PackedFloat32Array || echo PoolRealArray)" "$4" "$5"
}

@test "between two ints of a track with floats Godot shows ints: keys that hold; everywhere if the first is an int" {
	values 3 0 1 "0, 0.5, 1" "0, 2, 0.5" >s.tres
	pipe "anim-parse s.tres | anim-resample --all 20 | anim-emit csv"
	[ "$stderr" = "" ]
	mapfile -t rows < <(cut -d, -f10 <<<"$output" | tail -n +2 | head -14)
	[ "${rows[*]}" = "0 0 0 1 1 1 1 1 2 2 2 2 2 2" ] # as Godot 4.6's player; Animation alone does not round
	values 2 0 1 "0, 0.5, 1" "0, 2, 0.5" >s.tres # Godot 3 cuts
	pipe "anim-parse s.tres | anim-resample --all 20 | anim-emit csv"
	mapfile -t rows < <(cut -d, -f10 <<<"$output" | tail -n +2 | head -12)
	[ "${rows[*]}" = "0 0 0 0 0 1 1 1 1 1 2 1.8499999" ]
	values 3 1 1 "0, 0.5, 1" "4, 0.5, 0" >s.tres # round the end, too
	pipe "anim-parse s.tres | anim-resample --all 10 | anim-emit csv"
	mapfile -t rows < <(cut -d, -f10 <<<"$output" | tail -n +2)
	[ "${rows[*]:10}" = "0 0 1 1 2 2 2 3 3 4 4" ]
	values 3 0 1 "0, 0.5, 1" "0, 2000, 0.5" >s.tres # too many
	run -0 --separate-stderr anim-parse s.tres -o s.axs
	[[ $stderr == "anim-parse: s.tres:"*": warning: track 'A:x': ints among floats are interpolated, but Godot shows only ints" ]]
}

@test "a cubic of ints swings beyond 32 bits as Godot's does" {
	values 3 0 2 "0, 0.5, 0.51, 1.75" "0, 2000000000, 0, -2000000000" >s.tres
	pipe "anim-parse s.tres | anim-filter --type long | anim-resample --all 4 | anim-emit csv"
	[[ $output == *,1,0.25,Hold,13250011921,* && $output == *,4,1,Hold,-36256956383,* ]] # printed by Godot 4.6
	values 3 1 2 "0, 0.5, 0.51, 1.75" "0, 200, 0, -200" >s.tres
	pipe "anim-parse s.tres | anim-filter --type int --require -o i.axs"
	[ "$status" -eq 0 ]
}

@test "odd numbers have the values that Godot 4.6.3 showed" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	run -0 python3 "$ROOT/tests/engine/values.py" 12 "$DATA/oracle/godot-4.6/values.12.json" "$DATA/oracle/godot-4.6"
	[ "$output" = "32 tracks, 949 samples, 0 tracks off" ]
}
