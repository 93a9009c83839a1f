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

@test "clips that were read from a file return to it unchanged" {
	anim-parse hero.tscn | anim-emit --into hero.tscn
	same before.tscn hero.tscn
}

@test "a new clip gets a resource, an entry in the library and a step of the head" {
	other | anim-emit --into hero.tscn 2>err
	[[ $(cat err) == *"note: clip 'run': new in hero.tscn"* ]]
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
	[ "$stderr" = "anim-emit: walk.tres: it has one animation, but there are several clips; choose one with -c NAME" ]
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
	[[ $stderr == "anim-emit: bare.tscn: it has no AnimationPlayer for 'run'; choose one with --player PATH" ]]
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
	[[ $stderr == "anim-emit: two.tscn: clip 'walk' matches several of its animations: 'AnimationPlayer:walk', 'Second:walk'; choose a player with --player PATH" ]]
	same was.tscn two.tscn
	anim-emit -q --into two.tscn --player Second else.axs
	[ "$(anim-parse -q two.tscn | anim-dump | grep -c '^track')" -eq 2 ]
}

@test "clips of one name that are new to one player are refused" {
	anim-parse -q before.tscn | anim-filter -c walk >walk.axs
	sed 's/"AnimationPlayer" type/"Else" type/; s/"walk"/"run"/' before.tscn >else.tscn
	sed 's/"walk"/"run"/' before.tscn >run.tscn
	anim-parse -q else.tscn run.tscn | anim-filter -c run >runs.axs
	run ! --separate-stderr anim-emit --into hero.tscn runs.axs
	[ "$stderr" = "anim-emit: hero.tscn: there are several clips for its 'run'; choose one with -c NAME" ]
	same before.tscn hero.tscn
}

@test "what cannot be read whole is not replaced without --force" {
	anim-parse hero.tscn | anim-filter -c walk >walk.axs
	sed -i 's/"value"/"dance"/' hero.tscn
	cp hero.tscn was.tscn
	run ! --separate-stderr anim-emit --into hero.tscn walk.axs
	[[ $stderr == "anim-emit: hero.tscn: part of 'Animation_walk' cannot be read and would be lost: an unknown type of track is not read: 'dance'; --force replaces it" ]]
	same was.tscn hero.tscn
	anim-emit --force --into hero.tscn walk.axs
	same before.tscn hero.tscn
}

@test "the suffix of the file with --into determines its format" {
	for name in x.scn x.animj x; do
		cp hero.tscn "$name"
		run -2 --separate-stderr anim-emit --into "$name" /dev/null
		[ "${stderr_lines[0]}" = "anim-emit: --into '$name': clips can be added only to files with the suffix .anim, .tres, .tscn, .gltf, .glb, .vrma, .escn, .asset, .controller, .prefab, .playable, .unity" ] || { echo "$stderr" && false; }
		same before.tscn "$name"
	done
	cp hero.tscn x.escn
	anim-parse hero.tscn | anim-emit --into x.escn
	same before.tscn x.escn
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

@test "extended attributes and access control lists stay, other names of the file are reported" {
	command -v python3 >/dev/null || skip "python3 is not installed, which sets the attributes"
	anim-parse hero.tscn | anim-retime --speed 2 >fast.axs
	python3 -c 'import os; os.setxattr("hero.tscn", "user.note", b"mine\0x")' 2>/dev/null || skip "this file system has no attributes"
	python3 - <<-'PY' || acl=none # user 65534 may read, beside the owner and a mask
		import os, struct
		entries = [(1, 6, -1), (2, 4, 65534), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
		acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *entry) for entry in entries)
		os.setxattr("hero.tscn", "system.posix_acl_access", acl)
	PY
	ln hero.tscn second.tscn
	python3 -c 'import os; print(sorted((n, os.getxattr("hero.tscn", n)) for n in os.listxattr("hero.tscn")))' >want
	stat -c %a hero.tscn >>want
	run -0 --separate-stderr anim-emit --into hero.tscn fast.axs
	[ "${stderr_lines[0]}" = "anim-emit: hero.tscn: note: it has other names (hard links), which keep the old content" ]
	python3 -c 'import os; print(sorted((n, os.getxattr("hero.tscn", n)) for n in os.listxattr("hero.tscn")))' >got
	stat -c %a hero.tscn >>got
	diff want got
	[ "${acl:-}" = none ] || grep -q posix_acl got
	same before.tscn second.tscn
}

@test "of two programs that change a file at once one fails, and no change is lost" {
	anim-parse hero.tscn | anim-filter -c idle | anim-retime --duration 3 >a.axs
	anim-parse hero.tscn | anim-filter -c walk | anim-retime --duration 3 >b.axs
	for ((i = 0; i < 40; i++)); do
		cp before.tscn hero.tscn
		anim-emit -q --into hero.tscn a.axs 2>said.a & a=$!
		anim-emit -q --into hero.tscn b.axs 2>said.b & b=$!
		done_a=0 done_b=0
		wait $a || done_a=1
		wait $b || done_b=1
		[ $((done_a + done_b)) -le 1 ]
		[ $done_a -eq 1 ] || anim-info --csv hero.tscn >/dev/null
		[ "$(grep -c 'length = 3.0' hero.tscn)" -eq $((2 - done_a - done_b)) ] || { cat said.a said.b hero.tscn; false; }
		cat said.a said.b >said
		[ ! -s said ] || grep -q -e 'changed while the stream was read; nothing was written' -e 'another program is replacing it; nothing was written' said
	done
}

@test "a file that another program changes while the stream comes is left alone" {
	anim-parse hero.tscn | anim-retime --speed 2 >fast.axs
	mkfifo pipe
	anim-emit --into hero.tscn <pipe 2>said & emit=$!
	exec 9>pipe
	head -c -1 fast.axs >&9
	for i in $(seq 100); do [ -n "$(ls -A | grep -F .anim-)" ] && break; sleep 0.05; done
	echo '; mine' >>hero.tscn
	tail -c 1 fast.axs >&9
	exec 9>&-
	! wait $emit || false
	[ "$(cat said)" = "anim-emit: hero.tscn: it changed while the stream was read; nothing was written" ]
	same hero.tscn <(cat before.tscn; echo '; mine')
	[ -z "$(ls -A | grep -F .anim-)" ]
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
	anim-parse -q hero.tscn | anim-filter -c walk | anim-retime --speed 2 | anim-axes unity |
		anim-emit -q --axes keep --into walk.anim
	[ "$(diff was.anim walk.anim | grep '^<' | sed 's/: .*//; s/ //g' | sort -u | tr '\n' ' ')" = '<inSlope <m_StopTime <outSlope <time ' ]
	run ! --separate-stderr anim-emit --into walk.anim --only hero.axs
	[[ $stderr == "anim-emit: --only is for tres, tscn, gltf, glb and vrma, not for unity"* ]]
	run ! --separate-stderr anim-emit --into walk.anim --follow walk.anim
	[[ $stderr == "anim-emit: --follow is for tres and tscn, not for unity"* ]]
}

@test "a clip for another character is put into a .anim with a warning" {
	anim-filter -c walk "$ROOT/examples/walker.tscn" | anim-emit unity -q -o walk.anim 2>/dev/null
	anim-filter -p position walk.anim | anim-rename -e 's/.*/Body/' -o other.axs
	run --separate-stderr anim-emit --into walk.anim other.axs
	[ "$status" -eq 0 ]
	[[ $stderr == "anim-emit: "*": warning: clip 'walk' moves none of the nodes that it moved before (now 'Body', before "* ]]
	run --separate-stderr anim-emit --into walk.anim walk.anim
	[ "$stderr" = "" ]
}

@test "of several clips in a file of Unity's each takes the place of its name" {
	anim-parse -q hero.tscn | anim-filter -c walk | anim-axes unity | anim-emit -q --axes keep -o walk.anim 2>/dev/null
	{
		cat walk.anim
		printf -- '--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: mine\n  m_Events: [1]\n'
		sed '1,2d; s/&7400000/\&7400002/; s/m_Name: walk/m_Name: run/; s/m_ObjectHideFlags: 0/m_ObjectHideFlags: 3/' walk.anim
	} >two.anim
	cp two.anim kept.anim
	anim-parse -q two.anim | anim-emit --into two.anim
	same kept.anim two.anim
	anim-parse -q two.anim | anim-filter -c run | anim-retime --speed 2 | anim-emit --into two.anim
	same <(sed '/&7400002/,$d' kept.anim) <(sed '/&7400002/,$d' two.anim)
	[ "$(diff kept.anim two.anim | grep '^<' | sed 's/: .*//; s/ //g' | sort -u | tr '\n' ' ')" = '<inSlope <m_SampleRate <m_StopTime <outSlope <time ' ]
	cp kept.anim two.anim
	for suffix in asset controller prefab playable unity; do
		cp two.anim "two.$suffix"
		anim-parse -q two.anim | anim-retime --speed 2 | anim-emit --into "two.$suffix"
		[ "$(anim-info "two.$suffix" | grep -c ': 1 s')" -eq 2 ]
	done
	anim-parse -q two.anim | anim-rename --on clip -e s/run/jump/ >jump.axs
	run -1 --separate-stderr anim-emit --into two.anim jump.axs
	[ "$stderr" = "anim-emit: two.anim: it has no clip 'jump' to replace (available: walk, run); clips cannot be added to it" ]
	anim-parse -q two.anim | anim-rename --on clip -e s/run/walk/ >walks.axs
	run -1 --separate-stderr anim-emit --into two.anim walks.axs
	[ "$stderr" = "anim-emit: two.anim: several clips came for its 'walk'; choose one with -c NAME" ]
	same kept.anim two.anim
	sed 's/m_Name: run/m_Name: walk/' kept.anim >two.anim
	anim-parse -q walk.anim >walk.axs
	run -1 --separate-stderr anim-emit --into two.anim walk.axs
	[ "$stderr" = "anim-emit: two.anim: it has 2 clips named 'walk'" ]
	anim-emit -q --into walk.anim -c jump jump.axs
	sed -n '1,2p' kept.anim >none.anim
	printf -- '--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: mine\n' >>none.anim
	run -1 --separate-stderr anim-emit --into none.anim walk.axs
	[ "$stderr" = "anim-emit: none.anim: it contains no clip that could be replaced" ]
}

@test "lines of a .anim end as they did" {
	for clip in emit_all emit_legacy clip_weighted; do
		cp "$DATA/unity/$clip.anim" x.anim
		anim-parse -q x.anim 2>/dev/null | anim-emit -q --force --into x.anim 2>/dev/null
		cp x.anim plain.anim
		sed 's/$/\r/' "$DATA/unity/$clip.anim" >x.anim
		anim-parse -q x.anim >x.axs 2>/dev/null
		anim-emit -q --force --into x.anim x.axs 2>/dev/null
		same <(sed 's/$/\r/' plain.anim) x.anim
		anim-emit -q --force --into x.anim x.axs 2>/dev/null
		same <(sed 's/$/\r/' plain.anim) x.anim
	done
	anim-parse hero.tscn | anim-filter -c walk | anim-retime --duration 600 | anim-resample 30 | anim-axes unity | anim-emit -q -o long.anim
	sed 's/$/\r/' long.anim >x.anim
	cp x.anim was.anim
	anim-parse x.anim | anim-emit -q --into x.anim
	same was.anim x.anim
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

# outside FILE: as rest, where a [resource], too, may be an Animation.
outside() {
	awk '
		FNR == 1 { lone = /^\[gd_resource.*type="Animation"/ }
		/^\[/ { skip = /^\[sub_resource type="Animation"/ || /^\[sub_resource id=[^ ]* type="Animation"/ || (lone && /^\[resource/); print; next }
		!skip || /^\r?$/ || /^metadata|^step|^resource_name/' "$1"
}

@test "Godot files of others come back with no byte outside of animations changed, and twice is once" {
	[ -d "$ANIM_CORPUS" ] || skip "no corpus"
	count=0
	while IFS= read -r file; do
		in=in.${file##*.}
		cp "$file" "$in"
		anim-parse -q "$in" >in.axs 2>/dev/null || continue
		anim-emit -q --into "$in" in.axs 2>err || {
			same "$file" "$in"
			grep -q "no clip to write\|; --force replaces it" err
			anim-emit -q --force --into "$in" in.axs 2>/dev/null || continue
		}
		same <(outside "$file") <(outside "$in")
		cp "$in" once
		anim-parse -q "$in" >again.axs 2>/dev/null
		anim-emit -q --force --into "$in" again.axs 2>/dev/null
		same once "$in"
		alike --max 0.001mm,0.001deg,0.001%,0.001px in.axs again.axs >said || { echo "$file" && cat said && false; }
		count=$((count + 1))
	done < <(find "$ANIM_CORPUS" -name '*.tscn' -o -name '*.tres' -o -name '*.escn')
	[ "$count" -ge 60 ]
}

@test "a resource with animations inside gets those that it has" {
	sed 's/^\[gd_scene.*/[gd_resource type="Resource" load_steps=5 format=3]/; /^\[sub_resource type="AnimationLibrary"/,$d' before.tscn >own.tres
	printf '[resource]\na = SubResource("Animation_walk")\nb = SubResource("Animation_idle")\n' >>own.tres
	cp own.tres was.tres
	anim-parse own.tres 2>/dev/null | anim-emit --into own.tres
	same was.tres own.tres
	anim-parse -q hero.tscn | anim-filter -c walk | anim-retime --speed 2 | anim-emit --into own.tres
	[ "$(diff was.tres own.tres | grep -c '^[<>]')" -eq 3 ]
	cp own.tres was.tres
	run -1 --separate-stderr anim-emit --into own.tres <(other)
	[ "$stderr" = "anim-emit: own.tres: it has several animations, none of them 'run', and no library to add one to" ]
	same was.tres own.tres
}

# A scene of Godot 2: blank lines after tags, all settings of an Animation, older names of types.
old_scene() {
	cat <<-'TEXT'
		[gd_scene load_steps=3 format=1]

		[ext_resource path="res://hero.gd" type="Script" id=1]

		[sub_resource type="Animation" id=1]

		resource/name = "walk"
		length = 2.0
		loop = false
		step = 0.25
		tracks/0/type = "value"
		tracks/0/path = NodePath("body:transform/rot")
		tracks/0/interp = 1
		tracks/0/imported = false
		tracks/0/keys = {
		"times": FloatArray( 0, 0.99422 ),
		"transitions": FloatArray( 1, -2 ),
		"update": 0,
		"values": [ 0.0, 360.0 ]
		}
		tracks/1/type = "method"
		tracks/1/path = NodePath(".")
		tracks/1/interp = 1
		tracks/1/imported = false
		tracks/1/keys = {
		"times": FloatArray( 1.5 ),
		"transitions": FloatArray( 1 ),
		"values": [ {
		"args": [ Matrix32( 1, 0, 0, 1, 0, 0 ), IntArray( 1, 2 ), StringArray( "a" ) ],
		"method": "hit"
		} ]
		}
		tracks/2/type = "transform"
		tracks/2/path = NodePath("body3")
		tracks/2/interp = 1
		tracks/2/imported = true
		tracks/2/keys = FloatArray( 0, 1, 1, 2, 3, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3, 4, 0, 0, 0, 1, 1, 1, 1 )
		tracks/3/type = "value"
		tracks/3/path = NodePath("body:transform")
		tracks/3/interp = 0
		tracks/3/imported = false
		tracks/3/keys = {
		"times": FloatArray( 0 ),
		"transitions": FloatArray( 1 ),
		"update": 2,
		"values": [ Matrix32( 1, 0, 0, 1, 4, 5 ) ]
		}

		[node name="hero" type="Node2D"]

		script/script = ExtResource( 1 )

		[node name="body" type="Sprite" parent="."]

		transform/pos = Vector2( 1, 2 )

		[node name="player" type="AnimationPlayer" parent="."]

		playback/process_mode = 1
		anims/walk = SubResource( 1 )

	TEXT
}

@test "a scene of Godot 2 is written into in its own spelling" {
	old_scene >old.tscn
	cp old.tscn was.tscn
	anim-parse -q old.tscn | anim-emit --into old.tscn
	same was.tscn old.tscn
	anim-parse -q old.tscn | anim-retime --speed 2 | anim-emit --into old.tscn
	same <(sed 's/length = 2.0/length = 1.0/; s/0, 0.99422/0, 0.49711/; s/FloatArray( 1.5/FloatArray( 0.75/
		s/1, 1, 1, 1, 1, 1, 2, 3, 4/1, 1, 1, 1, 0.5, 1, 2, 3, 4/' was.tscn) old.tscn
	cp was.tscn old.tscn
	anim-parse -q old.tscn | anim-rename --on clip -e s/walk/run/ | anim-emit -q --into old.tscn
	same <(sed 's/load_steps=3/load_steps=4/; s/^anims.walk.*/&\nanims\/run = SubResource( 2 )/; /^resource.name/d' was.tscn) \
		<(sed '/^\[sub_resource type="Animation" id=2/,/^\[node/{/^\[node/!d}; /^resource.name/d' old.tscn)
	[ "$(anim-parse -q old.tscn | anim-dump | grep -c '^clip')" -eq 2 ]
	diff <(anim-parse -q -c run old.tscn | anim-dump | grep -v '^prog\|^clip\|"clip"\|resource_name') <(anim-parse -q -c walk old.tscn | anim-dump | grep -v '^prog\|^clip\|"clip"\|resource_name')
	cp was.tscn old.tscn
	run -1 --separate-stderr bash -c 'anim-parse hero.tscn | anim-emit --into old.tscn'
	[ "$stderr" = "anim-emit: old.tscn: it is a Godot 2 file, where properties have other names than in 'idle'; save it in Godot 3 once" ]
	same was.tscn old.tscn
}

@test "properties that name an animation that --only deletes are reported" {
	sed -i 's/^libraries = {/autoplay = "walk"\n&/; s/^.node name="Hero"/[sub_resource type="AnimationNodeAnimation" id="n"]\nanimation = \&"walk"\n\n&/
		s/^position = Vector2/animation = \&"walk"\n&/' hero.tscn
	cp hero.tscn was.tscn
	anim-parse hero.tscn | anim-rename --on clip -e s/walk/run/ >run.axs
	run -0 --separate-stderr anim-emit --into hero.tscn --only run.axs
	[[ $stderr == *"hero.tscn:34:1: warning: 2 properties: a deleted animation is still named"* ]] || { echo "$stderr" && false; }
	same <(grep -v 'walk\|run\|^$' hero.tscn | grep -c .) <(grep -v 'walk\|run\|^$' was.tscn | grep -c .)
	# a name that is kept is not reported
	cp was.tscn hero.tscn
	run -0 --separate-stderr anim-emit --into hero.tscn run.axs
	[[ $stderr != *'still name'* ]]
	cp was.tscn hero.tscn
	run -0 --separate-stderr bash -c 'anim-parse hero.tscn | anim-filter -c walk | anim-emit --into hero.tscn --only'
	[[ $stderr != *'still name'* ]]
}

# project: hero.tscn with a library, and an animation, in other files; and was/ with all three as they were.
project() {
	touch project.godot
	mkdir -p moves was
	cat >moves/lib.tres <<-'TEXT'
		[gd_resource type="AnimationLibrary" load_steps=2 format=3 uid="uid://lib"]

		; mine
		[sub_resource type="Animation" id="1"]
		resource_name = "nod"
		length = 0.5
		step = 0.05
		tracks/0/type = "value"
		tracks/0/path = NodePath("Body:position")
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 0.5),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [Vector2(0, 0), SubResource("1")]
		}

		[sub_resource type="Animation" id="2"]
		length = 3.0

		[resource]
		_data = {
		&"nod": SubResource("1"),
		&"rest": SubResource("2")
		}
	TEXT
	sed 's/values.*/values": [1.0, 2.0]/; s/AnimationLibrary/Animation/; s/ load_steps=2//; s/^.sub_resource.*/[resource]/; /^$/,/^; mine/d; /^.sub_resource type="Animation" id="2"/,$d' \
		moves/lib.tres | sed 's/Body:position/Body:skew/; s/"nod"/"turn"/' | awk 'NR > 1 && /^\[sub_resource/ { exit } { print }' >moves/turn.tres
	sed -i 's|^\[ext_resource.*|&\n[ext_resource type="AnimationLibrary" path="res://moves/lib.tres" id="2_lib"]\n[ext_resource type="Animation" path="res://moves/turn.tres" id="3_turn"]|
		s|^&"idle": SubResource("Animation_idle"),|&\n\&"turn": ExtResource("3_turn"),|
		s|^&"": SubResource("AnimationLibrary_1")|&,\n\&"moves": ExtResource("2_lib")|' hero.tscn
	cp hero.tscn moves/*.tres was
}

@test "a clip of another file is written there with --follow, and named without it" {
	project
	anim-parse hero.tscn 2>/dev/null | anim-filter -c moves/nod | anim-retime --speed 2 >fast.axs
	run -1 --separate-stderr anim-emit --into hero.tscn fast.axs
	[ "$stderr" = "anim-emit: hero.tscn: 'moves/nod' is in another file: --into moves/lib.tres changes that, --follow changes both" ]
	same was/lib.tres moves/lib.tres
	anim-emit --into hero.tscn --follow fast.axs
	same was/hero.tscn hero.tscn
	diff was/lib.tres <(grep -v '^tracks/0/\(imported\|enabled\|interp\|loop_wrap\) =' moves/lib.tres) >change && false
	[ "$(grep '^[<>]' change)" = "$(printf '< length = 0.5\n> length = 0.25\n< "times": PackedFloat32Array(0, 0.5),\n> "times": PackedFloat32Array(0, 0.25),')" ] || { cat change && false; }
	grep -q '"values": \[Vector2(0, 0), SubResource("1")\]' moves/lib.tres
	run -2 --separate-stderr anim-emit --follow tres fast.axs
	[ "${stderr_lines[0]}" = "anim-emit: --follow requires --into" ]
	run -2 --separate-stderr anim-emit --into hero.tscn -o x.tscn --follow fast.axs
	[ "${stderr_lines[0]}" = "anim-emit: --follow cannot be combined with -o: it changes the files that the output refers to" ]
}

@test "several files change together, each whole, and twice is once" {
	project
	anim-parse hero.tscn | anim-retime --speed 2 | anim-emit --into hero.tscn --follow
	for file in hero.tscn moves/lib.tres moves/turn.tres; do
		same <(rest "was/${file##*/}" | sed '/^\[resource\]/,$d') <(rest "$file" | sed '/^\[resource\]/,$d')
		run ! cmp -s "was/${file##*/}" "$file"
	done
	grep -q '^length = 0.25$' moves/turn.tres
	mkdir once && cp hero.tscn moves/*.tres once
	anim-parse hero.tscn | anim-emit --into hero.tscn --follow
	for file in hero.tscn moves/lib.tres moves/turn.tres; do same "once/${file##*/}" "$file"; done
	[ "$(anim-parse hero.tscn | anim-dump | grep -c '^clip')" -eq 5 ]
}

@test "where one of several files cannot be replaced none is" {
	project
	anim-parse hero.tscn | anim-retime --speed 2 >fast.axs
	sed -i 's/"value"/"dance"/' moves/turn.tres
	cp moves/turn.tres was
	run -1 --separate-stderr anim-emit --into hero.tscn --follow fast.axs
	[[ $stderr == "anim-emit: moves/turn.tres: part of 'the animation' cannot be read and would be lost: an unknown type of track is not read: 'dance'"* ]]
	sed -i 's/"dance"/"value"/; s/format=3/format=2/; s/Packed/Pool/; s/PoolFloat32/PoolReal/' moves/turn.tres
	cp moves/turn.tres was
	run -1 --separate-stderr anim-emit --into hero.tscn --follow fast.axs
	[ "$stderr" = "anim-emit: hero.tscn: 'turn' is in a file of another Godot version: --into moves/turn.tres changes that" ]
	if [ "$(id -u)" -ne 0 ]; then
		chmod a-w moves
		run -1 --separate-stderr anim-emit --into hero.tscn --follow fast.axs
		chmod u+w moves
	fi
	for file in hero.tscn moves/lib.tres moves/turn.tres; do same "was/${file##*/}" "$file"; done
	[ -z "$(find . -name '.anim*')" ]
}

@test "files outside of the project are not written" {
	mkdir game
	mv hero.tscn before.tscn game
	cd game
	project
	mv moves/turn.tres ..
	ln -s ../../turn.tres moves/turn.tres
	cp ../turn.tres was
	cp hero.tscn was
	anim-parse ../turn.tres | anim-retime --speed 2 >turn.axs
	run -1 --separate-stderr anim-emit --into hero.tscn --follow --player AnimationPlayer turn.axs
	[ "$stderr" = "anim-emit: hero.tscn: its 'turn' cannot be read; anim-info hero.tscn says why" ]
	same was/hero.tscn hero.tscn
	same ../turn.tres was/turn.tres
}

@test "resources that new literals refer to are named in the file that needs them" {
	project
	sed 's/"values": \[Vector2(0, 0), SubResource("1")\]/"values": [ExtResource("9"), null]/; s/^; mine/[ext_resource type="Texture2D" path="res:\/\/face.png" id="9"]/' moves/lib.tres >other.tres
	sed 's/lib.tres/other.tres/' hero.tscn >in.tscn
	sed -i 's|res://moves/other|res://other|' in.tscn
	anim-parse -q in.tscn | anim-filter -c moves/nod >face.axs
	anim-emit -q --into hero.tscn --follow face.axs
	same was/hero.tscn hero.tscn
	grep -q '^\[ext_resource type="Texture2D" path="res://face.png" id="1"\]$' moves/lib.tres
	grep -q 'load_steps=3' moves/lib.tres
	grep -q '"values": \[ExtResource("1"), null\]' moves/lib.tres
}

@test "a change of one setting of a Unity clip changes one line" {
	for name in clip_editor clip_generic; do
		cp "$DATA/unity/$name.anim" in.anim
		cp in.anim out.anim
		loop=$(anim-info --json in.anim | grep -q '"loop": *"wrap"' && echo none || echo wrap)
		anim-parse -q in.anim | anim-retime --loop "$loop" | anim-emit -q --into out.anim
		diff in.anim out.anim >lines || true
		[ "$(grep -c '^[<>]' lines)" -eq 2 ] && grep -q '^> .*m_LoopTime' lines || { echo "$name" && cat lines && false; }
	done
}

@test "a new clip's key is a StringName beside StringNames, whatever the keys of the player's libraries are" {
	cat >mixed.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "bounce"
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"bounce": SubResource("a")
		}
		[node name="R" type="Node3D"]
		[node name="P" type="AnimationPlayer" parent="."]
		libraries = {"": SubResource("l")}
		[node name="Body" type="Node2D" parent="."]
	TEXT
	other | anim-emit -q --into mixed.tscn
	grep -q '^&"run": SubResource' mixed.tscn
}

# ---- Scenes that inherit a model, and players without animations ----

# inherit MODEL SCN: hero.tscn inherits MODEL, which Godot 4.6 has imported as SCN of data/godot/imported.
inherit() {
	touch project.godot
	cp "$GODOT/imported/$1" "$GODOT/imported/$2" .
	printf '[remap]\n\nimporter="scene"\ntype="PackedScene"\npath="res://%s"\n' "$2" >"$1.import"
	printf '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="PackedScene" path="res://%s" id="1"]\n\n' "$1" >hero.tscn
	printf '[node name="Hero" instance=ExtResource("1")]\n' >>hero.tscn
	anim-info hero.tscn 2>&1 | grep -q zstd && skip "built without zstd"
	cp hero.tscn before.tscn
}

# players FILE: name, player and node of every track.
players() {
	anim-parse -q "$1" | anim-dump | sed -n 's/^clip name="\([^"]*\)".*/\1/p; s/^	attr "player" "\(.*\)"/  by \1/p; s/^track node="\([^"]*\)".*/  \1/p'
}

@test "a new clip gets a library of its own in the player that an imported model has" {
	inherit char.glb char.scn
	run -0 --separate-stderr anim convert -c a -e 's/.*/fresh/' --on clip hero.tscn --into hero.tscn
	[ "${stderr_lines[0]}" = "anim-emit: res://char.glb: warning: clip 'fresh' (now 'char/fresh'): in a library of its own, because an inherited library cannot change" ]
	[ "$(tail -2 hero.tscn)" = '[node name="AnimationPlayer" parent="."]
libraries/char = SubResource("AnimationLibrary_1")' ]
	[ "$(grep -c '^\[node' hero.tscn)" -eq 2 ]
	[ "$(players hero.tscn | grep -v '^  R/N' | xargs)" = "a by AnimationPlayer b by AnimationPlayer char/fresh by AnimationPlayer" ]
	# Nothing else changes, and the same clip replaces itself.
	same before.tscn <(sed -e '/^\[sub_resource/,/^$/d' -e '/^\[node name="AnimationPlayer"/,$d' -e 's/load_steps=4/load_steps=2/' hero.tscn | sed '$d')
	cp hero.tscn once.tscn
	anim convert -q -c a -e 's/.*/fresh/' --on clip before.tscn --into hero.tscn
	same once.tscn hero.tscn
	# The name of another library is respected.
	anim convert -q -c a -e 's,.*,more/b,' --on clip hero.tscn --into hero.tscn
	[ "$(tail -1 hero.tscn)" = 'libraries/more = SubResource("AnimationLibrary_2")' ]
	[ "$(players hero.tscn | grep -c '^[a-z]')" -eq 4 ]
}

@test "clips of an imported model are not replaced" {
	inherit char.glb char.scn
	run -1 --separate-stderr anim convert --speed 2 hero.tscn --into hero.tscn
	[ "$stderr" = "anim-convert: hero.tscn: 'a' is in res://char.glb, which is binary and cannot be edited. Rename the clip to add it, for example to 'new/a'" ]
	same before.tscn hero.tscn
}

@test "paths are checked in the imported model that a scene inherits" {
	inherit rig.gltf rig.scn
	sed 's/"rig\/leg"/"leg"/; s/"walk"/"run"/' "$GODOT/imported/walk_rig.tres" >wrong.tres
	run -1 --separate-stderr anim convert --player Extra wrong.tres --into hero.tscn
	[ "$stderr" = "anim-convert: hero.tscn: no track of clip 'run' animates a node of the file: the clip has 'leg'; --force writes it anyway" ]
	same before.tscn hero.tscn
	anim convert -q --player Extra "$GODOT/imported/walk_rig.tres" --into hero.tscn
	grep -q '^\[node name="Extra" type="AnimationPlayer" parent="."\]' hero.tscn
	[ "$(players hero.tscn | xargs)" = "walk by AnimationPlayer rig/leg walk by Extra rig/leg" ]
}

@test "a player is not created in a model that is not read, because the model may have it" {
	inherit rig.gltf rig.scn
	rm rig.scn
	run -1 --separate-stderr anim convert --player AnimationPlayer "$GODOT/imported/walk_rig.tres" --into hero.tscn
	[[ $stderr == *"anim-convert: hero.tscn: 'res://rig.gltf', which may have the player 'AnimationPlayer', is not read: its imported file does not exist; open the project in Godot once, or give the file itself. --force creates the player" ]]
	same before.tscn hero.tscn
	anim convert -q --force --player Extra "$GODOT/imported/walk_rig.tres" --into hero.tscn
	grep -q '^\[node name="Extra" type="AnimationPlayer"' hero.tscn
}

@test "the player of an inherited text scene gets libraries, unless an old engine would drop its clips" {
	touch project.godot
	cp before.tscn base.tscn
	printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://base.tscn" id="1"]\n\n[node name="Heir" instance=ExtResource("1")]\n' >heir.tscn
	cp heir.tscn was.tscn
	run -1 --separate-stderr bash -c "$(declare -f other); other | anim-emit --into heir.tscn --player AnimationPlayer"
	[ "$stderr" = "anim-emit: heir.tscn: before Godot 4.6 the inherited player 'AnimationPlayer' would lose its clips: create another one with --player PATH" ]
	same was.tscn heir.tscn
	sed -i -e '/^libraries = {/d' -e 's,^&"": Sub,libraries/ = Sub,' base.tscn
	sed -i '/^libraries\/ /{n;d}' base.tscn
	other | anim-emit -q --into heir.tscn
	[ "$(players heir.tscn | grep '^[a-z]' | xargs)" = "idle walk other/run" ]
	same base.tscn <(sed -e '/^libraries = {/d' -e 's,^&"": Sub,libraries/ = Sub,' before.tscn | sed '/^libraries\/ /{n;d}')
}

@test "the only AnimationPlayer gets a clip, also if it has no library yet" {
	printf '[gd_scene format=3]\n\n[node name="Hero" type="Node3D"]\n\n[node name="rig" type="Node3D" parent="."]\n\n[node name="leg" type="Node3D" parent="rig"]\n\n[node name="AnimationPlayer" type="AnimationPlayer" parent="."]\n' >empty.tscn
	cp empty.tscn was.tscn
	anim convert -q "$GODOT/imported/walk_rig.tres" --into empty.tscn
	[ "$(players empty.tscn | xargs)" = "walk by AnimationPlayer rig/leg" ]
	[ -z "$(diff was.tscn empty.tscn | grep '^<')" ]
	# Two of them are a question.
	printf '\n[node name="Other" type="AnimationPlayer" parent="rig"]\n' | cat was.tscn - >two.tscn
	run -1 --separate-stderr anim convert "$GODOT/imported/walk_rig.tres" --into two.tscn
	[[ $stderr == *"two.tscn: it has no AnimationPlayer for 'walk'; choose one with --player PATH" ]]
	anim convert -q --force --player rig/Other "$GODOT/imported/walk_rig.tres" --into two.tscn
	[ "$(players two.tscn | xargs)" = "walk by rig/Other rig/leg" ]
}

@test "an animation of two players, or of two names, changes for both" {
	sed -i -e 's/^&"idle".*/\&"trot": SubResource("Animation_walk"),/' -e '/^\[sub_resource.*_idle"/,/^$/d' before.tscn # two names
	sed '/^\[connection/i\
[node name="Second" type="AnimationPlayer" parent="."]\
libraries = {\
\&"": SubResource("AnimationLibrary_1")\
}\
' before.tscn >hero.tscn # and two players
	cp hero.tscn was.tscn
	run -0 --separate-stderr anim convert --speed 2 hero.tscn --into hero.tscn
	[ "${stderr_lines[0]}" = "anim-emit: hero.tscn: note: animation 'trot' (4 names or players): played under several names or by several players, which all change" ]
	[ "$(diff was.tscn hero.tscn | grep -c '^[<>]')" -eq 3 ]
	[ "$(anim-parse -q hero.tscn | anim-dump | grep -c '^clip.*end=1 ')" -eq 4 ]
	# One of them changes all, and different ones are a question.
	cp was.tscn hero.tscn
	anim convert -q -c walk --speed 2 was.tscn --into hero.tscn
	[ "$(anim-parse -q hero.tscn | anim-dump | grep -c '^clip.*end=1 ')" -eq 4 ]
	anim-parse -q was.tscn | anim-filter -c trot | anim-retime --speed 2 >one.axs
	anim-parse -q was.tscn | anim-filter -c walk >other.axs
	cp was.tscn hero.tscn
	run -1 --separate-stderr anim-emit --into hero.tscn <(anim-parse -q one.axs other.axs)
	[[ $stderr == *"hero.tscn: there are several clips for its 'walk'; choose one with -c NAME" ]]
	same was.tscn hero.tscn
}

@test "a new clip has rest keys for tracks of other clips of its player, and a warning says that these lack its own" {
	local poses=$DATA/poses/partial_tracks.glb

	anim convert -q -c a "$poses" was.tscn
	anim convert -q -c b "$poses" b.glb
	cp was.tscn hero.tscn
	run -0 --separate-stderr anim convert b.glb --into hero.tscn
	[[ $stderr == *"1 of the other clips of hero.tscn (first 'a') have no key for tracks of new clips (first 'R/N position' of 'b')"* ]]
	[ "$(diff was.tscn hero.tscn | grep -c '^<')" -eq 2 ] # load_steps, and a comma
	grep -q '^tracks/1/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1)' hero.tscn
	# As an input, the scene gets them, too. Nothing is added twice.
	cp was.tscn hero.tscn
	anim convert -q hero.tscn b.glb --into hero.tscn
	grep -q '^tracks/1/keys = PackedFloat32Array(0, 1, 0.5, 7, 9)' hero.tscn
	cp hero.tscn was.tscn
	run -0 --separate-stderr anim convert b.glb --into hero.tscn
	[[ $stderr != *"no key"* ]]
	cmp was.tscn hero.tscn
	# Rest values are those of the file, also if its node is elsewhere. A clip from Godot stays as it is.
	anim convert -q --force -c a "$poses" hero.tscn
	sed -i '/name="N"/,/^$/s/^position.*/position = Vector3(1, 2, 3)/; /name="N"/,/^$/s/^transform.*/transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3)/' hero.tscn
	anim convert -q b.glb --into hero.tscn
	grep -q '^tracks/1/keys = PackedFloat32Array(0, 1, 0, 0.70710[0-9]*, 0, 0.70710[0-9]*)' hero.tscn
	anim convert -q -c b "$poses" b.tscn
	anim convert -q --force -c a "$poses" hero.tscn
	anim convert -q b.tscn --into hero.tscn
	run -1 grep -q '^tracks/1' hero.tscn
}

@test "a library without nodes gets rest keys from the model of the new clip" {
	local poses=$DATA/poses/partial_tracks.glb

	anim convert -q -x library -c a "$poses" moves.tres
	anim convert -q -c b "$poses" --into moves.tres
	grep -q '^tracks/1/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1)' moves.tres
}
