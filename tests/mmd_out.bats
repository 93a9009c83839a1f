#!/usr/bin/env bats
# Motions of MikuMikuDance as output: names, bones, switches of IK, curves and whole frames. mmd_play.py is the judge: it reads
# the bytes itself, and plays them on a skeleton of its own.

load helper

corpus="$ANIM_CORPUS/mmd"
limbs() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/limbs.py" "$@"
}
sections() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/mmd_play.py" "$@"
}

# frames FILE OUT: the clip 30 times a second, as JSON Lines.
frames() {
	pipe "anim-bake -q -r 30 $1 | anim-emit -q --force -o $2"
}

# face SHAPE...: a clip with these properties, face.axt.
face() {
	printf 'anim-dump 1\nclip name="face" root="." source="gltf" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=- rate=0/0\n' >face.axt
	for shape; do
		printf 'track node="." property="%s" component=- kind=Curve type=float rules=plain flags=- ' "$shape"
		printf 'before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 0\n\t1 1\n'
	done >>face.axt
	echo end >>face.axt
}

@test "limbs of a walk point where they pointed, on the usual skeleton, and IK is off" {
	anim-axes -q gltf "$ROOT/examples/walker.tscn" -o s.axs
	frames s.axs s.json
	run -0 --separate-stderr anim convert "$ROOT/examples/walker.tscn" walk.vmd
	[[ $stderr == *"for a model whose arms rest 36 degrees below the horizontal"* ]]
	limbs s.json walk.vmd 0.05 0.2
	sections walk.vmd >sections
	grep -q "^bone センター 37$" sections
	grep -q "^bone 左ひざ 37$" sections
	grep -q "^switches 0 1 {'左足ＩＫ': 0, '右足ＩＫ': 0, '左つま先ＩＫ': 0, '右つま先ＩＫ': 0}$" sections
}

@test "a motion that is read and written again has the same bytes" {
	anim convert -q "$ROOT/examples/walker.tscn" walk.vmd
	anim convert -q walk.vmd again.vmd
	cmp walk.vmd again.vmd
}

@test "a human goes to the bones of MikuMikuDance and back, with limbs within 0.05 degrees" {
	anim-axes -q gltf "$ROOT/examples/walker.tscn" -o s.axs
	frames s.axs s.json
	anim-retarget -q --to mmd s.axs -o m.axs
	anim-info -q --tree m.axs >tree
	grep -q "センター" tree
	anim-retarget -q --partial --to s.axs m.axs -o back.axs
	frames back.axs back.json
	limbs s.json back.json 0.05 0.01
	# hips and spine are beside each other there
	anim-dump m.axs | grep -q '^track.*下半身.*rotation'
	! anim-dump m.axs | grep -q '^track.*下半身.*position' || false
}

@test "a motion for one model fits it, and plays the same when its model is read" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim-axes -q gltf "$ROOT/examples/walker.tscn" -o s.axs
	frames s.axs s.json
	python3 "$ROOT/tests/mmd_play.py" model.pmx
	anim convert -q --retarget model.pmx "$ROOT/examples/walker.tscn" walk.vmd
	limbs s.json walk.vmd 0.05 0.2
	anim-parse -q -x model=model.pmx walk.vmd -o played.axs
	frames played.axs played.json
	limbs s.json played.json 0.05 0.2
}

@test "keys that are left by a reduction are at whole frames, and stay the only ones" {
	anim convert -q "$ROOT/examples/walker.tscn" walk.vmd
	anim convert -q --reduce 0.5deg,5mm "$ROOT/examples/walker.tscn" few.vmd
	limbs walk.vmd few.vmd 0.5 0.01
	[ "$(stat -c %s few.vmd)" -lt "$(($(stat -c %s walk.vmd) * 2 / 3))" ]
}

@test "curves, cuts of cameras, lights, shadows and switches of real motions come back" {
	[ -d "$corpus" ] || skip "ANIM_CORPUS is not set"
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$corpus"/made/*.vmd "$corpus"/real/gene_33_angry.vmd "$corpus"/real/gene_02_laugh.vmd; do
		case ${file##*/} in
		v1.vmd | duplicates.vmd) continue ;; # another head, and two keys at one frame
		esac
		cp "$file" in.vmd
		anim convert -q --force in.vmd out.vmd
		python3 "$ROOT/tests/mmd_same.py" in.vmd out.vmd
	done
}

@test "two real motions on three VRM models and back: limbs within 1 degree, at most 5" {
	[ -d "$corpus" ] || skip "ANIM_CORPUS is not set"
	for motion in real/gene_02_laugh:real/gene_bones made/dance:made/biped; do
		anim-parse -q -x "model=$corpus/${motion#*:}.pmx" "$corpus/${motion%:*}.vmd" -o s.axs --force
		frames s.axs s.json
		for target in b01_eyes_front b09_target b10_target; do
			anim-retarget -q --to "$ROOT/tests/data/rests/$target.vrm" s.axs -o t.axs --force
			anim convert -q --force t.axs back.vmd
			limbs s.json back.vmd 1 0.05
		done
	done
}

@test "expressions of VRM become morphs, and a name is cut between characters of Shift-JIS" {
	face expression/aa expression/blinkLeft blend_shape/mouthLowerDownLeft blend_shape/あいうえおかきく
	run -0 --separate-stderr anim convert face.axt face.vmd
	[[ $stderr == *"2 names: cut at 15 bytes of Shift-JIS ('mouthLowerDownLeft', 'あいうえおかきく')"* ]]
	sections face.vmd >sections
	for name in あ ウィンク２ mouthLowerDownL あいうえおかき; do
		grep -q "^morph $name 2$" sections
	done
	anim-rename -q --face mmd:vrm face.vmd -o vrm.axs
	anim-dump vrm.axs | grep -q '^track.*expression/aa'
}
