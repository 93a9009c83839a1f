#!/usr/bin/env bats
# FBX: what the reader takes from small files that tests/data/fbx/make.py writes, and from real ones where they are.

load helper

FBX=$DATA/fbx

# dump FILE: as exact text, without what names the file.
dump() {
	anim-parse -q --no-provenance --source-name x "$1" 2>/dev/null | anim-dump
}

need_corpus() {
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	command -v python3 >/dev/null || skip "python3 is not installed"
}

@test "the small files are those that make.py writes" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$FBX/make.py" .
	for file in *.fbx; do
		case $file in
		# Another zlib may pack the same numbers into other bytes.
		walk.fbx | walk_big.fbx | turned.fbx | layers.fbx | mixamo.fbx) same <(dump "$file") <(dump "$FBX/$file") ;;
		*) same "$file" "$FBX/$file" ;;
		esac
	done
}

@test "models are a tree in metres, stacks are clips, keys stay what they are" {
	run -0 --separate-stderr anim-info --tree "$FBX/walk.fbx"
	[ "$(printf '%s\n' "$output" | sed 's/ position.*//')" = 'tree of walk, from walk.fbx, gltf axes
  .
    Hero
      Hips bone
        Arm bone
      Door mesh
      Face "x"_y mesh' ]
	same <(dump "$FBX/walk.fbx") "$FBX/walk.dump"
}

@test "text and bytes of all versions read the same, little and big endian, packed and plain" {
	for file in walk_text walk_text_7100 walk_7700 walk_big; do
		same <(dump "$FBX/walk.fbx") <(dump "$FBX/$file.fbx")
	done
	same <(dump "$FBX/takes.fbx") <(dump "$FBX/takes_text.fbx")
	same <(dump "$FBX/old.fbx") <(dump "$FBX/old_text.fbx")
}

@test "pipes, gzip and windows of one byte read the same" {
	for file in walk walk_text takes_text; do
		dump "$FBX/$file.fbx" >want
		same want <(anim-parse -q --no-provenance --source-name x <"$FBX/$file.fbx" 2>/dev/null | anim-dump)
		same want <(gzip -c "$FBX/$file.fbx" | anim-parse -q --no-provenance --source-name x 2>/dev/null | anim-dump)
		same want <(ANIM_READ_MAX=1 anim-parse -q --no-provenance --source-name x "$FBX/$file.fbx" 2>/dev/null | anim-dump)
	done
}

@test "takes of files before 7000 are clips: every letter of their keys, shapes, defaults" {
	same <(dump "$FBX/takes.fbx") "$FBX/takes.dump"
	dump "$FBX/old.fbx" | grep -q '^node path="Top/Box" .* position=0.01,0.02,0.03'
	run -0 --separate-stderr anim-parse "$FBX/takes.fbx" -o x.axs
	dump "$FBX/takes.fbx" | grep -q '^track node="Box" property="Color" .* type=float '
	[[ $stderr == *"note: 1 model is animated that the file does not have"* ]]
}

@test "Z up and metres become Y up at the top of the tree; ends of curves are unrolled within the clip" {
	same <(dump "$FBX/turned.fbx") "$FBX/turned.dump"
	run -0 --separate-stderr anim-parse "$FBX/turned.fbx" -o x.axs
	[[ $stderr == *"note: 4 curves go on beyond their keys; they do so within their clips only"* ]]
}

@test "layers are blended, a scale that is not inherited is undone, and the error is told" {
	same <(dump "$FBX/layers.fbx") "$FBX/layers.dump"
	run -0 --separate-stderr anim-parse "$FBX/layers.fbx" -o x.axs
	[[ $stderr == *"'Arm': its rotation has a pre-rotation, other axes or layers, and became keys that are fitted to it, at most "*" degrees off"* ]]
	# Half of the time: 45 + 45 degrees, halfway to 45.
	anim-resample -q 2 x.axs | anim-dump | grep -A3 'node="Arm" property="rotation"' | sed -n 4p >half
	read -r z w < <(tr ',' ' ' <half | awk '{ print $3, $4 }')
	awk -v z="$z" -v w="$w" 'BEGIN { a = 2 * atan2(z, w) * 45 / atan2(1, 1); exit !(a > 67.499 && a < 67.501) }'
}

@test "a Mixamo file: its names stay, the take mixamo.com is the clip, pre-rotations are rotations" {
	run -0 --separate-stderr anim-parse "$FBX/mixamo.fbx" -o x.axs
	[[ $stderr == *"note: 1 animation stack moves nothing, and is left out"* ]]
	run -0 anim-info x.axs
	[[ $output == "mixamo.com: 0.3333 s, 30/s, from fbx, gltf axes"* ]]
	[[ $output == *"mixamorig:Hips/mixamorig:LeftLeg  rotation "* ]]
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.tres
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.anim
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.glb
}

@test "eight turns from one key to the next are eight turns under a pre-rotation too" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		import make
		scene = make.Scene()
		wheel = scene.model("Wheel", more=[make.p("RotationActive", "bool", "", "", 1), make.vector("PreRotation", 0, 0, 30)])
		keys = [(0, 0, make.LINEAR, make.NO_DATA), (1, 2880, make.LINEAR, make.NO_DATA)]
		scene.drive(scene.layer(scene.stack("Turn")), wheel, "Lcl Rotation", [None, None, scene.curve(keys)])
		open("x.fbx", "wb").write(make.Binary(7400).file(scene.nodes(7400, make.settings(), make.definitions())))
	PY
	# After 1/128 s a sixteenth of a turn, 22.5 degrees, on top of the pre-rotation: 52.5 degrees.
	anim-parse -q x.fbx 2>/dev/null | anim-resample -q 128 | anim-dump | sed -n '/property="rotation"/,/^track/p' | sed -n 4p |
		tr ',' ' ' | awk '{ a = 2 * atan2($3, $4) * 45 / atan2(1, 1); exit !(a > 52.499 && a < 52.501) }'
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *", at most "*e-05" degrees off" ]]
}

@test "a scale that is not inherited is undone at each key of the parent" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		import make
		scene = make.Scene()
		arm = scene.model("Arm")
		scene.model("Hand", "Null", arm, more=[make.p("InheritType", "enum", "", "", 2)])
		keys = [(t, v, make.LINEAR, make.NO_DATA) for t, v in [(0, 1), (0.25, 2), (1, 1)]]
		scene.drive(scene.layer(scene.stack("Grow")), arm, "Lcl Scaling", [scene.curve(keys), None, None], (1.0, 1.0, 1.0))
		open("x.fbx", "wb").write(make.Binary(7400).file(scene.nodes(7400, make.settings(), make.definitions())))
	PY
	# After a quarter of a second the parent is twice as wide.
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *"'Arm/Hand': its scale "*", at most "*"e-07 units off" ]]
	anim-resample -q 4 x.axs | anim-dump | sed -n '/"Arm\/Hand" property="scale"/,$p' | sed -n 3,4p >scales
	same scales - <<<$'\t1,1,1\n\t0.5,1,1'
}

@test "post-rotations are taken back, axes of the other hand are warned of, new files count other ticks" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		import make
		def write(name, head, settings):
		    scene = make.Scene()
		    wheel = scene.model("Wheel", more=[make.p("RotationActive", "bool", "", "", 1), make.vector("PostRotation", 0, 0, 60)])
		    keys = [(0, 0, make.LINEAR, make.NO_DATA), (1, 90, make.LINEAR, make.NO_DATA)]
		    scene.drive(scene.layer(scene.stack("Turn")), wheel, "Lcl Rotation", [None, None, scene.curve(keys)])
		    nodes = scene.nodes(7400, settings, make.definitions())
		    if head:
		        nodes[0] = head
		    open(name, "wb").write(make.Binary(7400).file(nodes))
		write("x.fbx", None, make.settings())
		write("left.fbx", None, make.settings(front_sign=-1))
		head = make.header(7400, make.Node("OtherFlags", below=[make.Node("TCDefinition", 10)]))
		head.below[0] = make.Node("FBXHeaderVersion", 1004)
		write("ticks.fbx", head, make.settings())
	PY
	# A turn of -60 degrees at the start.
	anim-parse -q x.fbx 2>/dev/null | anim-resample -q 1 | anim-dump | sed -n '/property="rotation"/,/^track/p' | sed -n 3p | tr -d '\t' >first
	same first - <<<0,0,-0.5,0.8660254
	run -0 --separate-stderr anim-parse left.fbx -o x.axs
	[[ $stderr == *"warning: the file's axes are left-handed; they are left as they are"* ]]
	# 46186158000 ticks, of which a second has 141120000
	run -0 anim-info ticks.fbx
	[[ ${lines[0]} == "Turn: 327.2829 s, "* ]]
}

@test "every proper prefix of a file is refused, with its place" {
	not_bytewise "each prefix is a run"
	not_sanitized "each prefix is a run"
	size=$(stat -c %s "$FBX/takes.fbx")
	# What comes after the last record is a footer that nobody needs.
	step=$(stride 97)
	for ((at = 30; at < size - 169; at += step)); do
		head -c "$at" "$FBX/takes.fbx" >cut.fbx
		run -1 --separate-stderr anim-parse cut.fbx -o x.axs
		[[ $stderr == "anim-parse: cut.fbx: byte "* ]] || { echo "$at: $stderr"; return 1; }
	done
	head -c 2000 "$FBX/walk_text.fbx" >cut.fbx
	run -1 --separate-stderr anim-parse cut.fbx -o x.axs
	[[ $stderr == "anim-parse: cut.fbx:"*": the file ends within or after "* ]]
}

@test "real files: poses, matrices, curves and weights are another reader's" {
	need_corpus
	not_sanitized "the values are the same"
	tables=() files=()
	for table in "$ANIM_CORPUS"/fbx/oracle/*.tsv; do
		name=$(basename "$table" .tsv)
		anim-parse -q "$ANIM_CORPUS/fbx/$name.fbx" 2>/dev/null | anim-emit json >"$name.jsonl"
		grep -q '^settings' "$table" || continue
		tables+=("$table") files+=("$name.jsonl")
	done
	[ ${#files[@]} -ge 50 ]
	run -0 python3 "$ROOT/tests/fbx_oracle.py" "${tables[@]}" "${files[@]}"
	run -0 python3 "$ROOT/tests/fbx_reference.py" "$ANIM_CORPUS/fbx/REFERENCE_CURVES.tsv" m*.jsonl
	[ "${#lines[@]}" -ge 10 ]
}

@test "real files go through the whole line" {
	need_corpus
	not_sanitized "the readers are looked at above"
	for file in "$ANIM_CORPUS"/fbx/*.fbx; do
		anim-parse -q "$file" -o x.axs 2>/dev/null || { echo "$file"; return 1; }
		anim-info x.axs | grep -q ' s, ' || continue
		anim-convert -q "$file" x.glb 2>err || { echo "$file: $(cat err)"; return 1; }
	done
}
