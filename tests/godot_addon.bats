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
	! grep -E '^ERROR' said
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
	[ ! -e p/x ] && [ ! -e p/in/x ]
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
	! grep -E '^ERROR' said
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
	! grep "Error importing 'res://in/knee.bvh'" said
	rm -r p/.godot p/in/*.import
	ANIM_TOOLS='' PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=$PWD import
	[ -e /usr/bin/anim ] || grep -q 'anim-tools is not installed, or its place is not known' said
}
