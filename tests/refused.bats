#!/usr/bin/env bats
# Other files that the system does not let us open or read: an error with its reason, unless --keep-going.

load helper

setup_file() {
	"${CC:-cc}" -O1 -std=c11 -D_GNU_SOURCE -fPIC -shared -o "$BATS_FILE_TMPDIR/refusing.so" \
		"$BATS_TEST_DIRNAME/fuzz/refusing.c" -ldl || rm -f "$BATS_FILE_TMPDIR/refusing.so"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	refusing=$BATS_FILE_TMPDIR/refusing.so
	[ -e "$refusing" ] || skip "no shared object can be made"
	mkdir p
	cp -r "$DATA/unity/instances" p/Assets
	chmod -R u+w p
	run --separate-stderr env ANIM_REFUSE_OPEN=walk.anim LD_PRELOAD="$refusing" anim-parse -o x.axs p/Assets/walk.anim
	[[ $stderr == *"cannot open: Permission denied" ]] || skip "this system cannot be made to refuse a file from outside"
}

# refused VARIABLE NAME FILE MESSAGE WARNING: FILE names NAME, which is refused.
refused() {
	run -1 --separate-stderr env "$1=$2" LD_PRELOAD="$refusing" anim-parse -o out.axs "$3"
	[ "$stderr" = "anim-parse: $4" ]
	[ ! -e out.axs ]
	run -0 --separate-stderr env "$1=$2" LD_PRELOAD="$refusing" anim-parse --keep-going -o out.axs "$3"
	[ "$stderr" = "anim-parse: $3:$5" ]
	rm out.axs
}

@test "a clip that a controller names and the system refuses" {
	local lost="14:1: warning: clip '7400000' in 'Assets/walk.anim'"
	refused ANIM_REFUSE_OPEN walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot open: Permission denied' "$lost (cannot open: Permission denied): not read from another file"
	refused ANIM_REFUSE_PATH walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot open: Permission denied' "$lost (cannot open: Permission denied): not read from another file"
	refused ANIM_REFUSE_READ walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot read: Input/output error' "$lost (cannot read: Input/output error): not read from another file"
}

@test "a .meta file or a folder that may have the guid" {
	local head="its reference may lead to 'p/Assets" guid=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	local lost="14:1: warning: clip '7400000' of guid $guid: not searched for, because"
	refused ANIM_REFUSE_OPEN walk.anim.meta p/Assets/c.controller \
		"p/Assets/c.controller: $head/walk.anim.meta', which cannot be read: Permission denied" "$lost $head/walk.anim.meta', which cannot be read: Permission denied"
	refused ANIM_REFUSE_READ walk.anim.meta p/Assets/c.controller \
		"p/Assets/c.controller: $head/walk.anim.meta', which cannot be read: Input/output error" "$lost $head/walk.anim.meta', which cannot be read: Input/output error"
	mkdir p/Assets/clips
	mv p/Assets/walk.anim* p/Assets/clips
	refused ANIM_REFUSE_OPEN clips p/Assets/c.controller \
		"p/Assets/c.controller: $head/clips/', which cannot be read: Permission denied" "$lost $head/clips/', which cannot be read: Permission denied"
	ANIM_REFUSE_OPEN=P.prefab.meta LD_PRELOAD=$refusing anim-parse -o out.axs p/Assets/c.controller
}

@test "an animation that a Godot library names" {
	printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = 2.0\n' >walk.tres
	printf '[gd_resource type="AnimationLibrary" format=3]\n[ext_resource type="Animation" path="walk.tres" id="1"]\n[resource]\n_data = {\n"walk": ExtResource("1")\n}\n' >lib.tres
	anim-parse -o out.axs lib.tres
	rm out.axs
	refused ANIM_REFUSE_OPEN walk.tres lib.tres 'walk.tres: cannot open: Permission denied' \
		"5:9: warning: clip 'walk' is not read from 'walk.tres': cannot open: Permission denied"
	refused ANIM_REFUSE_PATH walk.tres lib.tres 'walk.tres: cannot open: Permission denied' \
		"5:9: warning: clip 'walk' is not read from 'walk.tres': cannot open: Permission denied"
	refused ANIM_REFUSE_READ walk.tres lib.tres 'walk.tres: cannot read: Input/output error' \
		"5:9: warning: clip 'walk' is not read from 'walk.tres': cannot read: Input/output error"
}

@test "what would mark a project's root, or a folder in it" {
	printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = 2.0\n' >p/walk.tres
	ANIM_REFUSE_STAT=other LD_PRELOAD=$refusing anim-parse -o out.axs p/walk.tres
	run -1 --separate-stderr env ANIM_REFUSE_STAT=project.godot LD_PRELOAD="$refusing" anim-parse p/walk.tres
	[ "$stderr" = "anim-parse: $(pwd -P)/p/project.godot: cannot check whether this exists: Input/output error" ]
	run -1 --separate-stderr env ANIM_REFUSE_STAT=ProjectSettings LD_PRELOAD="$refusing" anim-parse p/Assets/c.controller
	[ "$stderr" = "anim-parse: $(pwd -P)/p/ProjectSettings: cannot check whether this exists: Input/output error" ]
	mkdir p/Assets/clips
	mv p/Assets/walk.anim* p/Assets/clips
	run -1 --separate-stderr env ANIM_REFUSE_STAT=clips LD_PRELOAD="$refusing" anim-parse p/Assets/c.controller
	[ "$stderr" = "anim-parse: p/Assets/c.controller: its reference may lead to 'p/Assets/clips', which cannot be read: Input/output error" ]
}

@test "the .meta file of a sheet of sprites" {
	local guid=99999999999999999999999999999999
	printf 'fileFormatVersion: 2\nguid: %s\nTextureImporter:\n  spriteSheet:\n    sprites:\n    - name: run_1\n      internalID: 77\n' $guid >p/Assets/run.png.meta
	printf -- '--- !u!74 &7400000\nAnimationClip:\n  m_Name: flip\n  m_PPtrCurves:\n  - curve:\n    - time: 0\n      value: {fileID: 77, guid: %s, type: 3}\n    attribute: m_Sprite\n    path: Body\n    classID: 212\n    script: {fileID: 0}\n' $guid >p/Assets/flip.anim
	[[ $(anim-dump p/Assets/flip.anim) == *run_1* ]]
	run -1 --separate-stderr env ANIM_REFUSE_PATH=run.png.meta LD_PRELOAD="$refusing" anim-parse -o out.axs p/Assets/flip.anim
	[ "$stderr" = "anim-parse: p/Assets/run.png.meta: cannot open: Permission denied" ]
	run -0 --separate-stderr env ANIM_REFUSE_PATH=run.png.meta LD_PRELOAD="$refusing" anim-parse --keep-going -o out.axs p/Assets/flip.anim
	[ "$stderr" = "anim-parse: p/Assets/run.png.meta: warning: names of sprites are not read: cannot open: Permission denied" ]
}

@test "the removal of a file that was replaced: a note names what stays" {
	anim-parse -q --depfile x.d --target x.axs -o x.axs "$ROOT/examples/crane.tscn"
	run -0 --separate-stderr env ANIM_REFUSE_UNLINK=.old LD_PRELOAD="$refusing" \
		anim-parse --depfile x.d --target x.axs -o x.axs "$ROOT/examples/crane.tscn"
	[[ $stderr == "anim-parse: "*"/.anim-"*".old: note: this is the file that was replaced, which cannot be removed" ]]
	[ -e "$(ls -A | grep '\.old$')" ]
}

@test "an archive that can be opened and not read at its places" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-pack -o x.axs.gz
	run -1 --separate-stderr timeout 20 env ANIM_REFUSE_PREAD=x.axs.gz LD_PRELOAD="$refusing" anim-unpack --clip lift x.axs.gz
	[ "$stderr" = "anim-unpack: x.axs.gz: cannot read: Input/output error" ]
}

# The system may return fewer bytes than asked for, and a signal may interrupt any call.
@test "reads and writes in parts, interrupted by signals, give the same bytes" {
	local file
	mkdir -p walk
	cp "$ROOT"/examples/*.tscn "$DATA/unity/clip_editor.anim" walk
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-pack -o walk/x.axs.gz
	for file in p/Assets/*.prefab p/Assets/*.controller walk/*; do
		anim-parse -q "$file" >whole
		ANIM_SHORT_READS=1 ANIM_SHORT_WRITES=1 LD_PRELOAD=$refusing anim-parse -q "$file" >parts
		cmp whole parts
	done
	anim-unpack -c lift walk/x.axs.gz >whole
	ANIM_SHORT_READS=1 LD_PRELOAD=$refusing anim-unpack -c lift walk/x.axs.gz | cmp whole -
	for file in animj tres glb anim bvh fbx animx; do
		anim convert -q --bake -r 30 -c walk walk/walker.tscn "whole.$file"
		ANIM_SHORT_READS=1 ANIM_SHORT_WRITES=1 LD_PRELOAD=$refusing anim convert -q --bake -r 30 -c walk walk/walker.tscn "parts.$file"
		cmp "whole.$file" "parts.$file"
	done
}
