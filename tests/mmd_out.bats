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
	# curves that a motion has take less room than samples
	anim convert -q -c walk "$DATA/godot/emit_4.6.tscn" curves.vmd
	run -0 --separate-stderr anim convert -c walk --reduce 1mm@10cm "$DATA/godot/emit_4.6.tscn" same.vmd
	[[ $stderr == *"note: all keys are left, because samples with fewer keys would need no less room"* ]]
	cmp curves.vmd same.vmd
	run -2 anim-reduce --smaller --for vmd --json - "$ROOT/examples/walker.tscn"
}

@test "the view angle of a camera goes to Unity" {
	[ -d "$corpus" ] || skip "ANIM_CORPUS is not set"
	anim convert -q "$corpus/made/camera.vmd" camera.anim
	anim info camera.anim | grep -qE '^  camera_target/camera +field of view +float .* 1 \.\. 125 +class 20$'
	anim-filter -q -p fov "$corpus/made/camera.vmd" -o angle.axs
	anim-filter -q -p 'field of view' camera.anim -o there.axs
	anim diff --max 0.001% angle.axs there.axs
}

@test "curves, cuts of cameras, lights, shadows and switches of real motions come back" {
	[ -d "$corpus" ] || skip "ANIM_CORPUS is not set"
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$corpus"/made/*.vmd "$corpus"/real/physics_toggle_test_v2_yyb10th.vmd "$corpus"/real/gene_33_angry.vmd "$corpus"/real/gene_02_laugh.vmd; do
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

@test "the check of MikuMikuDance reports the names that a conversion cuts or leaves out, and properties without a place" {
	face expression/aa blend_shape/mouthLowerDownLeft blend_shape/أ
	run -1 anim-lint --for vmd face.axt
	same <(printf '%s\n' "$output") - <<-'EOT'
		face.axt: clip 'face': name 'mouthLowerDownLeft': cut at 15 bytes of Shift-JIS
		face.axt: clip 'face': name 'أ': left out, because Shift-JIS lacks some characters
	EOT
	# a human gets other bones
	run -0 anim-lint --for vmd "$DATA/rests/b10_neck_behind.vrma"
	sed 's/node="\."/node="a_box_with_a_long_name"/; s/type=float/type=float3/; s/property="[^"]*"/property="position"/; s/\t1 1/\t1 1,1,1/; s/\t0 0/\t0 0,0,0/' face.axt | awk '/^track/ { n++ } n <= 1 || /^end/' >box.axt
	run -1 anim-lint --for vmd box.axt
	[[ $output == *"name 'a_box_with_a_long_name': cut at 15 bytes of Shift-JIS"* ]]
	face value
	run -1 anim-lint --for vmd face.axt
	[[ $output == *"a motion has only bones, morphs and a camera"* ]]
}

@test "a track that only shows a model is not missed, but one that hides it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/mmd_file.py" leg.vmd leg.vmd
	run -0 --separate-stderr anim convert leg.vmd leg.glb
	[[ $stderr != *visible* ]]
	! anim-lint --for gltf leg.vmd | grep visible || false
	anim-parse -q leg.vmd | anim-dump | sed '/property="visible"/,/^track/ s/^\t0 1$/\t0 0/' >hidden.axt
	run -0 --separate-stderr anim convert hidden.axt hidden.glb
	[[ $stderr == *"visible': left out, because only players that support KHR_animation_pointer"* ]]
}

# shown MODEL MOTION CLIP WORD...: babylon-mmd shows the motion as the clip is. Bones whose name contains a WORD are left out.
shown() {
	local model=$1 motion=$2 clip=$3
	shift 3
	# shellcheck disable=SC2046 # several frames
	node mmd_play.mjs "$model" "$motion" $(seq 0 9 36) >shown.tsv
	pipe "anim-bake -q -r 30 --world --all $clip | anim-emit -q --force -o shown.json"
	python3 "$ROOT/tests/mmd_values.py" shown.tsv "$@" <shown.json || { echo "$model $motion $clip" && false; }
}

@test "babylon-mmd shows the same poses of all bones as the clip that was written" {
	not_sanitized "another program shows the same files"
	command -v node >/dev/null || skip "node is not installed"
	[ -d "$ROOT/build/mmd/node_modules/babylon-mmd" ] || skip "npm's babylon-mmd is not installed: npm install --prefix build/mmd babylon-mmd @babylonjs/core"
	command -v python3 >/dev/null || skip "python3 is not installed"
	ln -s "$ROOT/build/mmd/node_modules" node_modules
	cp "$ROOT/tests/mmd_play.mjs" .
	sections model.pmx
	local file model motion
	for file in leg.pmx copies.vmd; do
		python3 "$ROOT/tests/mmd_file.py" $file $file
	done
	anim-axes -q gltf "$ROOT/examples/walker.tscn" | anim-retarget -q --to model.pmx -o walk.axs
	anim-emit -q walk.axs -o walk.vmd
	shown model.pmx walk.vmd walk.axs
	# of a motion and its model: IK, bones that copy others and have keys of their own, and morphs of bones are played once
	anim-parse -q -x model=leg.pmx copies.vmd -o copies.axs
	run -0 --separate-stderr anim-emit copies.axs -o played.vmd
	[[ $stderr == *"note: morph '動く': left out, because the bones that it moves have its motion"* ]]
	[[ $stderr == *"warning: morph '群': left out, because it also changes other things than bones, which have its motion"* ]]
	shown leg.pmx played.vmd copies.axs
	sections played.vmd >sections
	grep -q "^switches 0 1 {'左足ＩＫ': 0}$" sections
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	for file in made/biped:made/dance_linear made/biped:made/bone_morph made/biped:made/legs_far real/gene_bones:real/gene_02_laugh \
		real/gene_bones:real/gene_26_mortifying real/mmt_test_model:real/mmt_test_model_test_motion made/rig:made/rig; do
		model=$corpus/${file%:*}.pmx motion=$corpus/${file#*:}.vmd
		anim-parse -q -x "model=$model" "$motion" --force -o played.axs
		anim-emit -q played.axs --force -o played.vmd
		# players do not agree about these bones
		shown "$model" played.vmd played.axs 前クローク2_2錘 "early child" "low child" chain2
	done
}

@test "a motion that becomes a motion keeps its keys, also beside its model" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	local file
	for file in leg.pmx leg.vmd; do
		python3 "$ROOT/tests/mmd_file.py" $file $file
	done
	run -0 anim convert --dry-run leg.vmd out.vmd
	[ "$output" = "anim-parse --no-external leg.vmd | anim-emit -o out.vmd" ]
	anim convert -q leg.vmd out.vmd
	python3 "$ROOT/tests/mmd_same.py" leg.vmd out.vmd
	run -0 anim convert --dry-run -x model=leg.pmx leg.vmd other.vmd
	[ "$output" = "anim-parse -x model=leg.pmx leg.vmd | anim-emit -o other.vmd" ]
	run -0 anim convert --dry-run --reduce 1mm,1deg leg.vmd other.vmd
	[[ $output != *--no-external* ]]
}
