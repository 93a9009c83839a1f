#!/usr/bin/env bats
# The plug-in of integrations/godot in a real Godot (the command that GODOT names): import, options, errors, export.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "Godot runs the programs on the same bytes"
	not_bytewise "Godot runs the programs on the same bytes"
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	export ANIM_TOOLS=$ANIM_BUILD/bin
	mkdir -p p/addons p/in p/want
	touch p/want/.gdignore
	cp -R "$ROOT/integrations/godot/addons/anim_tools" p/addons
	cp "$ROOT/tests/engine/addon.gd" p
	cat >p/project.godot <<-'TEXT'
		config_version=5

		[application]

		config/name="test"

		[editor_plugins]

		enabled=PackedStringArray("res://addons/anim_tools/plugin.cfg")
	TEXT
}

import() { "$GODOT" --headless --path "$PWD/p" --import >said 2>&1; }

# want FILE OPTION...: what anim-convert makes of p/in/FILE, for `same_libraries`.
want() {
	local file=$1
	shift
	(cd p/in && anim-convert -q -f tres -x library --godot 4.5 "$@" "$file" -o "../want/$file.tres" 2>/dev/null) || return 1
	echo "res://in/$file res://want/$file.tres" >>p/pairs.txt
}

# same_libraries: fails if an imported library is another one than wanted.
same_libraries() {
	"$GODOT" --headless --path "$PWD/p" -s addon.gd 2>&1 | grep -E '^(same|OFF)' >compared
	[ "$(grep -c ^same compared)" -eq "$(wc -l <p/pairs.txt)" ] || { cat compared said && false; }
}

# set_option FILE NAME VALUE: as in the Import dock.
set_option() {
	grep -q "^$2=" "p/in/$1.import"
	sed -i "s|^$2=.*|$2=$3|" "p/in/$1.import"
}

@test "files of every format become the libraries that anim-convert writes, and nothing else is touched" {
	local file suffix

	for suffix in animj animx bvh axs; do anim-convert -q "$ROOT/examples/walker.tscn" "p/in/walk.$suffix" 2>/dev/null; done
	anim-convert -q --retarget mmd "$ROOT/examples/walker.tscn" p/in/dance.vmd 2>/dev/null
	cp "$DATA"/limb/*.bvh "$DATA"/rests/*.vrma "$DATA"/rests/*.npz "$DATA"/vrm/*.vrma p/in
	for file in bvh/walk01.bvh bvh/cmu_12_01_walk.bvh bvh/test_mocapbank.bvh gltf/test.vrma mmd/made/rig.vmd; do
		[ ! -e "$ANIM_CORPUS/$file" ] || cp "$ANIM_CORPUS/$file" p/in
	done
	for file in p/in/*; do want "${file##*/}"; done
	find p -type f -not -name '*.uid' | sort >before
	md5sum p/in/* >sums
	import
	same_libraries
	md5sum -c --quiet sums
	find p -type f -not -path '*/.godot/*' -not -name '*.import' -not -name '*.uid' | sort | diff - before
}

@test "options change the library; so does a file that changes, and one with a shell's signs in its name" {
	cp "$ROOT/tests/data/limb/knee.bvh" p/in
	cp "$ROOT/tests/data/limb/knee.bvh" p/in/'a `touch x` $HOME.bvh'
	cp "$ROOT/examples/walker.tscn" p
	import
	run ! grep -E '^ERROR' said
	set_option knee.bvh clips/rate 10.0
	set_option knee.bvh clips/loop 2
	set_option knee.bvh motion/mirror true
	set_option knee.bvh file/unit '"cm"'
	want knee.bvh --unit cm --rate 10 --loop wrap --mirror
	import
	same_libraries
	: >p/pairs.txt
	cp "$ROOT/tests/data/limb/sway.bvh" p/in/knee.bvh
	set_option knee.bvh skeleton/retarget_to '"res://walker.tscn"'
	want knee.bvh --unit cm --rate 10 --loop wrap --mirror --retarget ../walker.tscn
	import
	same_libraries
	[ ! -e p/x ]
	[ ! -e p/in/x ]
}

@test "clips without a skeleton are retargeted with the rest pose of a model, and humans to the profile of Godot" {
	anim-convert -q "$ROOT/examples/walker.tscn" p/in/walk.animj 2>/dev/null
	cp "$ROOT/examples/walker.tscn" p
	cp "$ROOT/tests/data/limb/knee.bvh" p/in
	import
	set_option walk.animj skeleton/retarget_to '"res://walker.tscn"'
	set_option walk.animj skeleton/rest_pose_of_source '"res://walker.tscn"'
	set_option knee.bvh skeleton/bones 1
	import
	run ! grep -E '^ERROR' said
	anim-convert -q p/in/walk.animj --axes godot -f axs - | anim-retarget -q --from p/walker.tscn --to p/walker.tscn | anim-emit -q --library -o p/want/w.tres tres
	echo "res://in/walk.animj res://want/w.tres" >p/pairs.txt
	(cd p/in && anim-convert -q --retarget ../.godot/anim_tools/humanoid.tscn -x library knee.bvh ../want/k.tres)
	sed -i 's/NodePath("GeneralSkeleton:/NodePath("%GeneralSkeleton:/' p/want/k.tres
	grep -q '%GeneralSkeleton:Hips' p/want/k.tres
	echo "res://in/knee.bvh res://want/k.tres" >>p/pairs.txt
	same_libraries
}

@test "a broken file is an error with its line; a program that is missing is named, with what to do" {
	cp "$ROOT/tests/data/limb/knee.bvh" p/in
	head -c 300 "$ROOT/tests/data/limb/knee.bvh" >p/in/cut.bvh
	import
	grep -qE 'res://in/cut.bvh: anim-[a-z]+: .*in/cut.bvh:16:13: ' said || { cat said && false; }
	grep -q "Error importing 'res://in/cut.bvh'" said
	run ! grep "Error importing 'res://in/knee.bvh'" said
	rm -r p/.godot p/in/*.import
	ANIM_TOOLS='' PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=$PWD import
	[ -e /usr/bin/anim ] || grep -q 'anim-tools is not installed, or its place is not known' said
}

# in_editor: runs the GDScript of standard input in the open editor, as the body of a function; `main` is the plug-in.
in_editor() {
	mkdir -p p/addons/tester
	printf '[plugin]\n\nname="t"\ndescription=""\nauthor=""\nversion=""\nscript="plugin.gd"\n' >p/addons/tester/plugin.cfg
	{
		cat <<'TEXT'
@tool
extends EditorPlugin

func _enter_tree() -> void:
	await get_tree().create_timer(1.0).timeout
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().create_timer(0.1).timeout
	var main = load("res://addons/anim_tools/plugin.gd").new()
	await run(main)
	print("ran")
	OS.kill(OS.get_process_id()) # the editor of 4.6 may hang in quit() if it has no window

func run(main) -> void:
TEXT
		sed 's/^/	/'
	} >p/addons/tester/plugin.gd
	sed -i 's|^enabled=.*|enabled=PackedStringArray("res://addons/anim_tools/plugin.cfg", "res://addons/tester/plugin.cfg")|' p/project.godot
	timeout 120 "$GODOT" --headless --editor --path "$PWD/p" >said 2>&1 || :
	grep -q '^ran' said || { cat said && false; }
}

@test "clips of the open scene are exported with what is not saved yet, and failed imports are tried again" {
	cp "$ROOT/examples/walker.tscn" p
	head -c 300 "$ROOT/tests/data/limb/knee.bvh" >p/in/knee.bvh
	import
	grep -q "valid=false" p/in/knee.bvh.import
	cp "$ROOT/tests/data/limb/knee.bvh" p/in/knee.bvh
	in_editor <<-TEXT
		main._reimport(true)
		EditorInterface.open_scene_from_path("res://walker.tscn")
		await get_tree().create_timer(1.0).timeout
		var root = EditorInterface.get_edited_scene_root()
		var player: AnimationPlayer = root.get_node("AnimationPlayer")
		print(main.export_player(player, "$PWD/walk.animj"))
		var copy = player.get_animation("walk").duplicate()
		copy.length = 0.5
		player.get_animation_library("").add_animation("short", copy)
		print(main.export_player(player, "$PWD/both.glb"))
		print(main.export_player(player, "$PWD/each.bvh"))
		print(main.export_player(player, "$PWD/x.doc"))
	TEXT
	run ! grep -q "valid=false" p/in/knee.bvh.import
	anim-convert -q "$ROOT/examples/walker.tscn" mine.animj
	anim-diff -q walk.animj mine.animj
	[ "$(anim-info -q --list both.glb | grep -c ' tracks, ')" -eq 3 ]
	[ -s each-walk.bvh ]
	[ -s each-short.bvh ]
	grep -q 'x.doc: choose one of these suffixes: animj' said
	[ -z "$(find p -name '*.tscn' -not -name walker.tscn)" ]
}
