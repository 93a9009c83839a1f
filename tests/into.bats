#!/usr/bin/env bats
# anim-emit --into: clips go into a Godot file, and every byte that is not one of its animations stays.

load helper

GODOT=$DATA/godot

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cat >hero.tscn <<-'TEXT'
		[gd_scene load_steps=5 format=3 uid="uid://b1"]

		; a comment that nobody may lose
		[ext_resource type="Script" path="res://hero.gd" id="1_abc"]

		[sub_resource type="Animation" id="Animation_walk"]
		resource_name = "walk"
		length = 2.0
		step = 0.1
		tracks/0/type = "value"
		tracks/0/imported = false
		tracks/0/enabled = true
		tracks/0/path = NodePath("Body:position")
		tracks/0/interp = 1
		tracks/0/loop_wrap = true
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 2),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [Vector2(0, 0), Vector2(8, 0)]
		}
		metadata/note = "mine"

		[sub_resource type="Animation" id="Animation_idle"]
		resource_name = "idle"

		[sub_resource type="AnimationLibrary" id="AnimationLibrary_1"]
		_data = {
		&"idle": SubResource("Animation_idle"),
		&"walk": SubResource("Animation_walk")
		}

		[node name="Hero" type="Node2D"]
		script = ExtResource("1_abc")

		[node name="Body" type="Sprite2D" parent="."]
		position = Vector2( 1,2 )

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("AnimationLibrary_1")
		}

		[connection signal="ready" from="." to="." method="_on_ready"]
	TEXT
	cp hero.tscn before.tscn
}

# rest FILE: the file without what its Animations hold.
rest() {
	awk '/^\[/ { skip = /^\[sub_resource type="Animation"/; print; next } !skip || /^$/ || /^metadata|^step|^resource_name/' "$1"
}

# other: a stream with a clip `run` and one `walk` of another engine.
other() {
	sed 's/"walk"/"run"/; s/^resource_name = .*/resource_name = "run"/; s/Vector2(8, 0)/Vector2(9, 0)/' before.tscn >other.tscn
	anim-parse -q other.tscn | anim-filter -c run
}

@test "a clip takes the place of the file's, and nothing else changes" {
	anim-parse hero.tscn | anim-filter -c walk | anim-retime --speed 2 | anim-emit --into hero.tscn
	same <(rest before.tscn) <(rest hero.tscn)
	diff before.tscn hero.tscn >change && false
	[ "$(grep -c '^[<>]' change)" -eq 3 ]
	grep -q '"times": PackedFloat32Array(0, 1)' hero.tscn
	run ! grep -q '^length = 2' hero.tscn
	cp hero.tscn once.tscn
	anim-parse hero.tscn | anim-emit --into hero.tscn
	same once.tscn hero.tscn
}

@test "what was read comes back as it stood" {
	anim-parse hero.tscn | anim-emit --into hero.tscn
	same before.tscn hero.tscn
}

@test "a new clip gets a resource, an entry in the library and a step of the head" {
	other | anim-emit --into hero.tscn 2>err
	[[ $(cat err) == *"note: clip 'run' is new in hero.tscn"* ]]
	grep -q '^\[gd_scene load_steps=6 format=3 uid="uid://b1"\]' hero.tscn
	grep -q '^&"run": SubResource("Animation_1")$' hero.tscn
	[ "$(anim-info hero.tscn 2>/dev/null | grep -c "idle\|walk\|run")" -ge 3 ]
	same <(grep -v 'load_steps\|walk": \|run": ' before.tscn | rest /dev/stdin) <(sed '/Animation_1"\]/,/^$/d' hero.tscn | grep -v 'load_steps\|walk": \|run": ' | rest /dev/stdin)
	other | anim-emit --into hero.tscn
	[ "$(grep -c 'Animation_1"' hero.tscn)" -eq 2 ]
}

@test "--only takes away what the stream does not have" {
	anim-parse hero.tscn | anim-filter -c walk | anim-emit --into hero.tscn --only
	run ! grep -q idle hero.tscn
	grep -q '^&"walk": SubResource("Animation_walk")$' hero.tscn
	grep -q 'load_steps=4' hero.tscn
	[ "$(anim-parse hero.tscn | anim-dump | grep -c '^clip')" -eq 1 ]
	cp before.tscn hero.tscn
	other | anim-emit -q --into hero.tscn --only
	[ "$(anim-parse hero.tscn | anim-dump | grep '^clip' | cut -d' ' -f2)" = 'name="run"' ]
}

@test "a library file and a lone animation are written into, too" {
	anim-parse -q "$ORACLE_LIBRARY" >library.axs
	cp "$ORACLE_LIBRARY" library.tres
	anim-filter -c walk library.axs | anim-emit -q --into library.tres
	same <(rest "$ORACLE_LIBRARY") <(rest library.tres)
	other | anim-emit -q --into library.tres
	grep -q 'SubResource("Animation_1")' library.tres
	cp "$DATA/oracle/godot-4.7/walk.tres" walk.tres
	other | anim-emit -q --into walk.tres
	[ "$(anim-parse walk.tres | anim-dump | grep -c '^track')" -eq 1 ]
	run ! --separate-stderr anim-emit --into walk.tres library.axs
	[ "$stderr" = "anim-emit: walk.tres: it holds one animation, and several clips came; choose one with -c" ]
}
ORACLE_LIBRARY=$DATA/oracle/godot-4.7/library.tres

@test "Godot 3's players hold their animations themselves" {
	cp "$GODOT/../oracle/godot-3.6/scene.tscn" old.tscn 2>/dev/null || anim-parse -q before.tscn | anim-emit -q --godot 3 -o old.tscn
	cp old.tscn was.tscn
	other | anim-emit -q --into old.tscn
	grep -q '^anims/run = SubResource( [0-9]* )' old.tscn
	grep -q 'PoolRealArray( 0, 2 )' old.tscn
	[ "$(anim-parse -q old.tscn | anim-dump | grep -c '^clip')" -eq $(($(anim-parse -q was.tscn | anim-dump | grep -c '^clip') + 1)) ]
	other | anim-emit -q --into old.tscn --only
	[ "$(anim-parse -q old.tscn | anim-dump | grep -c '^clip')" -eq 1 ]
}

@test "--player names the player, and makes it where there is none" {
	sed '/AnimationPlayer"/,/^}/d; /AnimationLibrary/,/^}/d; /^\[sub_resource/,/^$/d' before.tscn >bare.tscn
	other >run.axs
	run ! --separate-stderr anim-emit --into bare.tscn run.axs
	[[ $stderr == "anim-emit: bare.tscn: it has no player of animations for 'run'; name one with --player PATH" ]]
	anim-emit -q --into bare.tscn --player Body/Player run.axs
	grep -q '^\[node name="Player" type="AnimationPlayer" parent="Body"\]' bare.tscn
	[ "$(anim-parse bare.tscn | anim-dump | grep 'attr "player"')" = '	attr "player" "Body/Player"' ]
	tail -1 bare.tscn | grep -q '^\[connection'
}

@test "a name that fits several players is an error that lists them" {
	sed '/^\[connection/i\
[node name="Second" type="AnimationPlayer" parent="."]\
libraries = {\
\&"": SubResource("AnimationLibrary_2")\
}\
' before.tscn | sed '/^\[node name="Hero"/i\
[sub_resource type="Animation" id="Animation_2"]\
\
[sub_resource type="AnimationLibrary" id="AnimationLibrary_2"]\
_data = {\
\&"walk": SubResource("Animation_2")\
}\
' >two.tscn
	anim-parse -q "$DATA/unity/walk.anim" 2>/dev/null | anim-axes godot >unity.axs || anim-filter -c walk <(anim-parse before.tscn) >unity.axs
	cp two.tscn was.tscn
	anim-parse -q before.tscn | anim-filter -c walk | anim-rename --clip walk=walk 2>/dev/null >x.axs || true
	anim-emit json <(anim-parse -q before.tscn | anim-filter -c walk) | sed 's/"player":"[^"]*"/"player":"Else"/; s/\["player","[^"]*"\]/["player","Else"]/' | anim-parse -f json - >else.axs
	run ! --separate-stderr anim-emit --into two.tscn else.axs
	[[ $stderr == "anim-emit: two.tscn: clip 'walk' fits several of its animations: 'AnimationPlayer:walk', 'Second:walk'; name a player with --player" ]]
	same was.tscn two.tscn
	anim-emit -q --into two.tscn --player Second else.axs
	[ "$(anim-parse -q two.tscn | anim-dump | grep -c '^track')" -eq 2 ]
}

@test "what cannot be read whole is not replaced without --force" {
	anim-parse hero.tscn | anim-filter -c walk >walk.axs
	sed -i 's/"value"/"dance"/' hero.tscn
	cp hero.tscn was.tscn
	run ! --separate-stderr anim-emit --into hero.tscn walk.axs
	[[ $stderr == "anim-emit: hero.tscn: what it has of 'Animation_walk' cannot be read whole and would be lost: unknown track type 'dance'; the track is not read; --force replaces it" ]]
	same was.tscn hero.tscn
	anim-emit --force --into hero.tscn walk.axs
	same before.tscn hero.tscn
}

@test "mode and links stay, -o leaves the file as it is, line ends are the file's" {
	anim-parse hero.tscn | anim-retime --speed 2 >fast.axs
	chmod 640 hero.tscn
	ln -s hero.tscn link.tscn
	anim-emit --into link.tscn fast.axs
	[ -L link.tscn ]
	[ "$(stat -c %a hero.tscn)" = 640 ]
	grep -q '"times": PackedFloat32Array(0, 1)' hero.tscn
	cp before.tscn hero.tscn
	anim-emit --into hero.tscn -o other.tscn fast.axs
	same before.tscn hero.tscn
	same <(rest before.tscn) <(rest other.tscn)
	sed 's/$/\r/' before.tscn >crlf.tscn
	anim-emit --into crlf.tscn fast.axs
	same <(sed 's/$/\r/' other.tscn) crlf.tscn
}

@test "sub_resources that a clip names stay those of its file" {
	sed -i 's/Vector2(8, 0)/SubResource("Animation_idle")/; s/Vector2(0, 0)/SubResource("Animation_idle")/' hero.tscn
	cp hero.tscn was.tscn
	anim-parse -q hero.tscn | anim-emit -q --into hero.tscn
	grep -q '"values": \[SubResource("Animation_idle"), SubResource("Animation_idle")\]' hero.tscn
}

@test "a .anim keeps its name, its ids and what else only its own fields say" {
	anim-parse -q hero.tscn | anim-filter -c walk | anim-axes unity | anim-emit -q --axes keep -o walk.anim 2>/dev/null
	sed -i 's/^--- .*/--- !u!74 \&7654321/; s/m_Name: .*/m_Name: My Walk/; s/m_ObjectHideFlags: 0/m_ObjectHideFlags: 3/; s/m_Level: 0/m_Level: 2/
		s/^  m_Events: .*/&\n  m_Mine:\n  - a: 1\n    b: {c: 2}/; s/m_LoopBlend: 0/m_LoopBlend: 1/' walk.anim
	cp walk.anim was.anim
	anim-parse -q was.anim | anim-emit --into walk.anim
	same was.anim walk.anim
	anim-parse -q hero.tscn | anim-filter -c walk | anim-retime --speed 2 | anim-axes unity | anim-emit -q --into walk.anim
	[ "$(diff was.anim walk.anim | grep '^<' | sed 's/: .*//; s/ //g' | sort -u | tr '\n' ' ')" = '<inSlope <m_StopTime <outSlope <time ' ]
	run ! --separate-stderr anim-emit --into walk.anim --only hero.axs
	[[ $stderr == "anim-emit: --only goes with tres and tscn, not with unity"* ]]
	cat was.anim <(sed 1,2d was.anim) >two.anim
	cp two.anim kept.anim
	run ! --separate-stderr bash -c 'anim-parse -q was.anim | anim-emit --into two.anim'
	[ "$stderr" = "anim-emit: two.anim: it holds 2 clips; a clip is put into a file of one" ]
	same kept.anim two.anim
}

@test "killed at any moment the file is the old or the new one" {
	for ((i = 0; i < 4000; i++)); do printf 'metadata/m%d = PackedByteArray(%s0)\n' $i "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "; done >long
	sed -i '/^position/r long' hero.tscn
	cp hero.tscn old.tscn
	anim-parse hero.tscn | anim-retime --speed 2 >fast.axs
	anim-emit --into hero.tscn -o new.tscn fast.axs
	for ((i = 0; i < 60; i++)); do
		cp old.tscn hero.tscn
		anim-emit --into hero.tscn fast.axs &
		sleep 0.00$((i % 10))
		kill -9 $! 2>/dev/null || true
		wait $! 2>/dev/null || true
		cmp -s hero.tscn old.tscn || same new.tscn hero.tscn
	done
}

@test "Godot files of others come back with nothing else changed" {
	[ -d "$ANIM_CORPUS/godot" ] || skip "no corpus"
	for file in "$ANIM_CORPUS"/godot/*.tscn "$ANIM_CORPUS"/godot/*.tres; do
		cp "$file" "in.${file##*.}"
		anim-parse -q --keep-going "in.${file##*.}" >in.axs 2>/dev/null || continue
		anim-emit -q --force --into "in.${file##*.}" in.axs 2>err || { grep -q "Godot 2\|no clip\|another file" err && continue; }
		same <(rest "$file" | sed '/^\[resource\]/,$d') <(rest "in.${file##*.}" | sed '/^\[resource\]/,$d')
		cp "in.${file##*.}" "once.${file##*.}"
		anim-parse -q "in.${file##*.}" 2>/dev/null | anim-emit -q --force --into "in.${file##*.}" 2>/dev/null
		same "once.${file##*.}" "in.${file##*.}"
	done
}
