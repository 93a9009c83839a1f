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
	local lost="14:1: warning: clip 7400000 is not read from 'Assets/walk.anim'"
	refused ANIM_REFUSE_OPEN walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot open: Permission denied' "$lost: cannot open: Permission denied"
	refused ANIM_REFUSE_PATH walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot open: Permission denied' "$lost: cannot open: Permission denied"
	refused ANIM_REFUSE_READ walk.anim p/Assets/c.controller \
		'p/Assets/walk.anim: cannot read: Input/output error' "$lost: cannot read: Input/output error"
}

@test "a .meta file or a folder that may have the guid" {
	local head="what it names may be in 'p/Assets" guid=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	local lost="14:1: warning: clip 7400000 of guid $guid is not looked for"
	refused ANIM_REFUSE_OPEN walk.anim.meta p/Assets/c.controller \
		"p/Assets/c.controller: $head/walk.anim.meta', which cannot be read: Permission denied" "$lost: $head/walk.anim.meta', which cannot be read: Permission denied"
	refused ANIM_REFUSE_READ walk.anim.meta p/Assets/c.controller \
		"p/Assets/c.controller: $head/walk.anim.meta', which cannot be read: Input/output error" "$lost: $head/walk.anim.meta', which cannot be read: Input/output error"
	mkdir p/Assets/clips
	mv p/Assets/walk.anim* p/Assets/clips
	refused ANIM_REFUSE_OPEN clips p/Assets/c.controller \
		"p/Assets/c.controller: $head/clips/', which cannot be read: Permission denied" "$lost: $head/clips/', which cannot be read: Permission denied"
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
