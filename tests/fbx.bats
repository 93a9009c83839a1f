#!/usr/bin/env bats
# The FBX reader, with small files that tests/data/fbx/make.py writes, and with real files if ANIM_CORPUS has them.

load helper

FBX=$DATA/fbx

# dump FILE: print it as exact text, without the name of the file.
dump() {
	anim-parse -q --no-provenance --source-name x "$1" 2>/dev/null | anim-dump
}

need_corpus() {
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	command -v python3 >/dev/null || skip "python3 is not installed"
}

@test "make.py writes the small files" {
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

@test "models become a tree in metres, stacks become clips, and keys stay unchanged" {
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

@test "takes of files before 7000 become clips, with every letter of their keys, shapes and defaults" {
	same <(dump "$FBX/takes.fbx") "$FBX/takes.dump"
	dump "$FBX/old.fbx" | grep -q '^node path="Top/Box" .* position=0.01,0.02,0.03'
	run -0 --separate-stderr anim-parse "$FBX/takes.fbx" -o x.axs
	dump "$FBX/takes.fbx" | grep -q '^track node="Box" property="Color" .* type=float '
	[[ $stderr == *"note: 1 animated model: missing in the file"* ]]
}

@test "Z up and metres become Y up at the top of the tree; curves repeat and continue inside the clip" {
	same <(dump "$FBX/turned.fbx") "$FBX/turned.dump"
	run -0 --separate-stderr anim-parse "$FBX/turned.fbx" -o x.axs
	[[ $stderr == *"note: 4 curves: only the part inside the clip is kept, because it continues beyond the keys"* ]]
}

@test "layers are blended, a scale that is not inherited is cancelled, and the error is reported" {
	same <(dump "$FBX/layers.fbx") "$FBX/layers.dump"
	run -0 --separate-stderr anim-parse "$FBX/layers.fbx" -o x.axs
	[[ $stderr == *"rotation 'Arm': new keys, because FBX uses a pre-rotation, other axes or layers, at most "*" degrees off"* ]]
	# Half of the time: 45 + 45 degrees, halfway to 45.
	anim-resample -q 2 x.axs | anim-dump | grep -A3 'node="Arm" property="rotation"' | sed -n 4p >half
	read -r z w < <(tr ',' ' ' <half | awk '{ print $3, $4 }')
	awk -v z="$z" -v w="$w" 'BEGIN { a = 2 * atan2(z, w) * 45 / atan2(1, 1); exit !(a > 67.499 && a < 67.501) }'
}

@test "a Mixamo file keeps the names of its bones, its take mixamo.com is called after the file, and pre-rotations become rotations" {
	run -0 --separate-stderr anim-parse "$FBX/mixamo.fbx" -o x.axs
	[[ $stderr == *"note: 1 animation stack: left out, because nothing moves"* ]]
	run -0 anim-info x.axs
	[[ $output == "mixamo: 0.3333 s, 30/s, from fbx, gltf axes"* ]]
	[[ $output == *"mixamorig:Hips/mixamorig:LeftLeg  rotation "* ]]
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.tres
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.anim
	run -0 anim-convert -q "$FBX/mixamo.fbx" x.glb
}

@test "eight revolutions between two keys stay eight under a pre-rotation" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		import make
		scene = make.Scene()
		wheel = scene.model("Wheel", more=[make.p("RotationActive", "bool", "", "", 1), make.vector("PreRotation", 0, 0, 30)])
		keys = [(0, 0, make.LINEAR, make.NO_DATA), (1, 2880, make.LINEAR, make.NO_DATA)]
		scene.drive(scene.layer(scene.stack("Turn")), wheel, "Lcl Rotation", [None, None, scene.curve(keys)])
		open("x.fbx", "wb").write(make.Binary(7400).file(scene.nodes(7400, make.settings(), make.definitions())))
	PY
	# After 1/128 s, 22.5 degrees are added to the pre-rotation of 30 degrees.
	anim-parse -q x.fbx 2>/dev/null | anim-resample -q 128 | anim-dump | sed -n '/property="rotation"/,/^track/p' | sed -n 4p |
		tr ',' ' ' | awk '{ a = 2 * atan2($3, $4) * 45 / atan2(1, 1); exit !(a > 52.499 && a < 52.501) }'
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *", at most "*e-05" degrees off" ]]
}

@test "cameras look along -Z as in glTF, lights too, and nodes below them keep their places" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		import make
		scene = make.Scene()
		eye = scene.model("Eye", "Camera")
		box = scene.model("Box", "Null", eye)
		sun = scene.model("Sun", "Light")
		scene.model("Lamp", "Light", box)
		layer = scene.layer(scene.stack("Look"))
		def line(a, b): return scene.curve([(0, a, make.LINEAR, make.NO_DATA), (1, b, make.LINEAR, make.NO_DATA)])
		scene.drive(layer, eye, "Lcl Rotation", [None, line(0, 90), None])
		scene.drive(layer, eye, "Lcl Scaling", [line(1, 2), line(1, 3), line(1, 4)], (1.0, 1.0, 1.0))
		scene.drive(layer, box, "Lcl Translation", [line(100, 200), line(0, 50), line(0, 0)])
		scene.drive(layer, sun, "Lcl Rotation", [line(0, 30), line(0, 10), line(0, 20)])
		open("x.fbx", "wb").write(make.Binary(7400).file(scene.nodes(7400, make.settings(), make.definitions())))
	PY
	# The camera looks along +X, and the lights along -Y.
	run -0 anim-info --tree x.fbx
	[[ $output == *"Eye camera "*" rotation (0, -0.7071, 0, 0.7071) "* ]]
	[[ $output == *"Box "*" rotation (0, 0.7071, 0, 0.7071) "* ]]
	[[ $output == *"Lamp light "*" rotation (-0.7071, 0, 0, 0.7071) "* ]]
	[[ $output == *"Sun light "*" rotation (-0.7071, 0, 0, 0.7071) "* ]]
	anim-parse -q x.fbx 2>/dev/null | anim-dump >dump
	# The box moves ahead of the camera and up. The angles of the light keep their keys. Scales are along the new axes.
	grep -A3 'node="Eye/Box" property="position"' dump | tail -2 | same - <(printf '\t0 0,0,-1\n\t1 0,0.5,-2\n')
	grep -A4 'node="Sun" property="euler"' dump | tail -2 | same - <(printf '\t0 -90,0,0\n\t1 -60,10,20\n')
	grep -A3 'node="Eye" property="scale"' dump | tail -2 | same - <(printf '\t0 1,1,1\n\t1 4,3,2\n')
	# After a second it looks along -Z.
	grep -A7 'node="Eye" property="rotation"' dump | tail -1 |
		tr ',' ' ' | awk '{ exit !(sqrt($3 * $3) < 1e-6 && $5 > 0.999999) }'
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
	[[ $stderr == *"scale 'Arm/Hand': new keys, because FBX uses layers or the scales of parents, at most "*"e-07 units off" ]]
	anim-resample -q 4 x.axs | anim-dump | sed -n '/"Arm\/Hand" property="scale"/,$p' | sed -n 3,4p >scales
	same scales - <<<$'\t1,1,1\n\t0.5,1,1'
}

# shear INHERIT MOVES: writes x.fbx, a chain of five nodes of this InheritType below a node with an uneven scale, which moves or is
# fixed, and places.tsv: where the nodes are at each eighth of the clip's second, by the definition of the SDK.
shear() {
	PYTHONPATH=$FBX python3 - "$@" <<-'PY'
		import math, sys
		from make import *
		inherit, moves = int(sys.argv[1]), sys.argv[2] == "moves"
		def turn(z, v): return (v[0] * math.cos(z) - v[1] * math.sin(z), v[0] * math.sin(z) + v[1] * math.cos(z), v[2])
		def columns(z): return [turn(z, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
		def apply(m, v): return [sum(m[k][i] * v[k] for k in range(3)) for i in range(3)]
		def times(a, b): return [apply(a, column) for column in b]
		scene, parent = Scene(), Long(0)
		layer = scene.layer(scene.stack("Shear", 0, SECOND))
		line = lambda *v: scene.curve([(i, x, LINEAR, NO_DATA) for i, x in enumerate(v)])
		nodes = []  # translation, angles, scales
		for i, (angles, scales) in enumerate([((0, 0), ((1, 1, 1), (2, 1, 1)) if moves else ((2, 1, 1), (2, 1, 1))), ((-50, 90), ((1, 1, 1), (1, 1, 1))),
		        ((30, 30), ((1, 1, 1), (1, 3, 1))), ((20, 20), ((1, 1, 1), (1, 1, 1))), ((0, 0), ((1, 1, 1), (1, 1, 1)))]):
		    t = (0, 0, 0) if i == 0 else (100, 20 * i, 10)
		    parent = scene.model("N%d" % i, "LimbNode", parent, t, (0, 0, angles[0]), scales[0], more=[p("InheritType", "enum", "", "", inherit)])
		    if angles[0] != angles[1]:
		        scene.drive(layer, parent, "Lcl Rotation", [None, None, line(*angles)], (0, 0, angles[0]))
		    if scales[0] != scales[1]:
		        scene.drive(layer, parent, "Lcl Scaling", [line(*pair) for pair in zip(*scales)], scales[0])
		    nodes.append((t, angles, scales))
		open("x.fbx", "wb").write(Binary(7400).file(scene.nodes(7400, settings(), definitions())))
		with open("places.tsv", "w") as file:
		    for step in range(9):
		        u = step / 8
		        place, whole, axes, scale, inherited = [0, 0, 0], columns(0), columns(0), [1, 1, 1], [1, 1, 1]
		        for i, (t, angles, scales) in enumerate(nodes):
		            own = [a + (b - a) * u for a, b in zip(*scales)]
		            rotation = columns(math.radians(angles[0] + (angles[1] - angles[0]) * u))
		            place = [a + b for a, b in zip(place, apply(whole, t))]
		            inherited = scale if inherit == 0 else inherited  # 0: along the axes, 2: not that of the parent
		            axes, scale = times(axes, rotation), [a * b for a, b in zip(inherited, own)]
		            whole = [[x * s for x in column] for column, s in zip(axes, scale)]
		            print(step, i, *(x / 100 for x in place), file=file)
	PY
}

@test "joints below uneven scales that are inherited along axes or not at all are at their places; the rest is reported" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	for inherit in 0 2; do
		for moves in moves stays; do
			shear $inherit $moves
			run -0 --separate-stderr anim-parse --force x.fbx -o x.axs
			[[ $stderr =~ "warning: 4 models inherit uneven scales along their own axes or not at all (InheritType RrSs or Rrs), which shears here: axes are up to "[0-9]+" degrees off, places at most "[0-9.]+e-0[6-9]" m" ]]
			anim-bake -q --world -r 8 x.axs | anim-emit -q json >x.jsonl
			python3 - <<-'PY'
				import json
				shown = {}
				for record in map(json.loads, open("x.jsonl")):
				    track = record.get("track", {})
				    if track.get("property") == "position":
				        shown[track["node"].split("/")[-1]] = track["columns"]["value"]
				for line in open("places.tsv"):
				    step, node, *place = map(float, line.split())
				    if node == 0:
				        continue
				    values = shown["N%d" % node]
				    value = values[min(int(step), len(values) - 1)]
				    assert all(abs(a - b) < 1e-5 for a, b in zip(value, place)), (line, value)
			PY
		done
	done
	# Scales that are even, or along the same axes, change nothing.
	scene <<-'PY'
		top = scene.model("Top", "LimbNode", s=(2, 2, 2), more=[p("InheritType", "enum", "", "", 0)])
		arm = scene.model("Arm", "LimbNode", top, (10, 0, 0), more=[p("InheritType", "enum", "", "", 0)])
		layer = scene.layer(scene.stack("Even"))
		scene.drive(layer, top, "Lcl Scaling", [line(2, 3), line(2, 3), line(2, 3)], (2, 2, 2))
		scene.drive(layer, arm, "Lcl Rotation", [None, None, line(0, 90)])
		scene.drive(layer, arm, "Lcl Translation", [line(10, 20), None, None], (10, 0, 0))
	PY
	run -0 --separate-stderr anim-parse --force x.fbx -o x.axs
	[ -z "$stderr" ]
	anim-dump x.axs | grep '^track' | grep -c 'interp=Linear keys=2' | grep -qx 3
}

@test "models far below uneven scales, or with very many keys, are left where they are with a warning" {
	scene <<-'PY'
		parent = Long(0)
		layer = scene.layer(scene.stack("Deep"))
		for i in range(300):
		    parent = scene.model("b%d" % i, "LimbNode", parent, (0, 1, 0), (0, 0, 1), (1, 1.01, 1), more=[p("InheritType", "enum", "", "", 2)])
		    scene.drive(layer, parent, "Lcl Rotation", [None, None, line(1, 2)], (0, 0, 1))
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *"possibly at a wrong place below uneven scales, because of too many keys or models above"* ]]
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
	[[ $stderr == *"warning: the axes of the file are left-handed; they stay unchanged"* ]]
	# 46186158000 ticks, of which a second has 141120000
	run -0 anim-info ticks.fbx
	[[ ${lines[0]} == "Turn: 327.2829 s, "* ]]
}

@test "takes of files before 7000 repeat and continue beyond their keys as later files do, in text and bytes" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<-'PY'
		from make import *
		for type, count in ("R", -1), ("A", -1), ("M", 2), ("K", -1):
		    ends = [extrapolation(which, type, count) for which in ("Pre", "Post")]
		    def take():
		        key = Node("Key", Long(SECOND), 0.0, Letter("L"), Long(SECOND * 3 // 2), 90.0, Letter("L"))
		        x = Node("Channel", Letter("X"), below=[Node("Default", 0.0), Node("KeyVer", 4005), Node("KeyCount", 2), key, *ends])
		        return Node("Takes", below=[Node("Take", "Take 001", below=[Node("LocalTime", Long(0), Long(3 * SECOND)),
		            Node("Model", Name("Model", "Box"), below=[Node("Channel", "Transform", below=[
		                Node("Channel", Letter("T"), below=[x])])])])])
		    model = Node("Model", Name("Model", "Box"), "Mesh", below=[Node("Version", 232)])
		    before = [header(6100), Node("Objects", below=[model]),
		        Node("Connections", below=[Node("Connect", "OO", Name("Model", "Box"), Name("Model", "Scene"))]), take()]
		    old = [header(5800), Node("Model", Name("Model", "Box"), below=[Node("Version", 194)]), take()]
		    scene = Scene()
		    box = scene.model("Box")
		    curve = scene.curve([(1, 0, LINEAR, NO_DATA), (1.5, 90, LINEAR, NO_DATA)], *ends)
		    scene.drive(scene.layer(scene.stack("Take 001", 0, 3 * SECOND)), box, "Lcl Translation", [curve, None, None], (0.0, 0.0, 0.0))
		    files = {"want": Binary(7400).file(scene.nodes(7400, settings(), definitions())), "text": text_file(before, 6100),
		        "bytes": Binary(6100).file(before), "old_text": text_file(old, 5800), "old": Binary(5000, told=3000).file([header(5000), *old[1:]])}
		    for name, data in files.items():
		        open(f"{name}_{type}.fbx", "wb").write(data)
	PY
	for type in R A M K; do
		dump want_$type.fbx | sed -n '/property="position"/,$p' | sed 1d >want
		[ "$(wc -l <want)" -gt 4 ]
		for file in text bytes old_text old; do
			dump "${file}_$type.fbx" | sed -n '/property="position"/,/^track/p' | grep -v ^track | same want -
		done
	done
}

# scene: writes the file x.fbx that the Python lines on stdin describe: `scene`, and everything of make.py.
scene() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	{
		echo 'from make import *'
		echo 'scene, version, before = Scene(), 7400, [settings(), definitions()]'
		echo 'line = lambda *v: scene.curve([(i, x, LINEAR, NO_DATA) for i, x in enumerate(v)])'
		cat
		echo 'open("x.fbx", "wb").write(Binary(version).file(scene.nodes(version, *before)))'
	} | PYTHONPATH=$FBX python3 -B -
}

@test "numbers that a key does not use may be anything; a number that it uses must be finite, also as 32 bits" {
	scene <<-'PY'
		box = scene.model("Box")
		odd = (0x7fc00000, 0x7f800000, WEIGHTS, 0)
		scene.drive(scene.layer(scene.stack("Odd")), box, "Lcl Scaling", [scene.curve([(0, 1, LINEAR, odd), (1, 5, LINEAR, odd)]), None, None])
	PY
	dump x.fbx | grep -A3 'property="scale"' | grep -q '^	1 5,0,0$'
	scene <<-'PY'
		box = scene.model("Box")
		odd = (0x7fc00000, 0, WEIGHTS, 0)
		scene.drive(scene.layer(scene.stack("Odd")), box, "Lcl Scaling", [scene.curve([(0, 1, USER, odd), (1, 5, USER, odd)]), None, None])
	PY
	run -1 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == "anim-parse: x.fbx: byte "*": a number of key 0 of a curve is not finite" ]]
	scene <<-'PY'
		box = scene.model("Box")
		large = line(0, 0)
		scene.objects[-1].below[3] = Node("KeyValueFloat", Array("d", [1e300, 0]))
		scene.drive(scene.layer(scene.stack("Large")), box, "Lcl Scaling", [large, None, None])
	PY
	run -1 --separate-stderr anim-parse x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: 'Box': a number of 'scale' is too large for 32 bits" ]
}

@test "keys that go back in time are sorted, and equal times keep their order" {
	scene <<-'PY'
		box = scene.model("Box")
		keys = [(1, 1, CONSTANT, NO_DATA), (0, 2, CONSTANT, NO_DATA), (1, 3, CONSTANT, NO_DATA), (0, 4, CONSTANT, NO_DATA), (1, 5, CONSTANT, NO_DATA)]
		scene.drive(scene.layer(scene.stack("Back")), box, "Lcl Scaling", [scene.curve(keys), None, None], (0, 1, 1))
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *"1 curve: keys that go back in time are sorted" ]]
	[ "$(anim-dump x.axs | sed -n '/property="scale"/,$p' | grep '^	[01]' | tr '\n' ' ')" = '	0 2,1,1 	0 4,1,1 	1 1,1,1 	1 3,1,1 	1 5,1,1 ' ]
}

@test "weights of shapes, visibility and own properties are blended over layers" {
	scene <<-'PY'
		box = scene.model("Box", "Mesh")
		shapes, smile = scene.id(), scene.id()
		scene.objects += [Node("Geometry", Long(500), Name("Geometry", ""), "Mesh", below=[]),
		    Node("Deformer", shapes, Name("Deformer", ""), "BlendShape", below=[]),
		    Node("Deformer", smile, Name("SubDeformer", "smile"), "BlendShapeChannel", below=[Node("DeformPercent", 20.0)])]
		for child, parent in (Long(500), box), (shapes, Long(500)), (smile, shapes):
		    scene.connect(child, parent)
		stack = scene.stack("Blend")
		base, add, over = scene.layer(stack), scene.layer(stack, "Add"), scene.layer(stack, "Over",
		    p("BlendMode", "enum", "", "", 2), p("Weight", "Number", "", "A", 50.0), p("Mute", "bool", "", "", 1))
		def drive(layer, target, name, curve):
		    scene.drive(layer, target, name, [curve], (0,), [name])
		drive(add, smile, "DeformPercent", line(0, 40))
		drive(base, box, "Grip", line(0, 10))
		drive(add, box, "Grip", line(2, 2))
		drive(over, box, "Grip", line(20, 20))
		drive(add, box, "Lone", line(3, 4))
		steps = lambda a, b: scene.curve([(0, a, CONSTANT, NO_DATA), (0.5, b, CONSTANT, NO_DATA)])
		drive(base, box, "Visibility", steps(1, 0))
		drive(over, box, "Visibility", steps(0, 0))
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *"property 'Box Lone': moved in upper layers only; the value below them counts as 0"* ]]
	[[ $stderr == *"1 layer: played as if it were neither muted nor solo"* ]]
	anim-resample -q 2 x.axs | anim-dump >out
	# 20 % and what is added; half of (5 + 2) and 20.
	grep -A3 'property="blend_shape/smile"' out | sed -n '3,4p' | tr '\n' ' ' | grep -qx '	0.2 	0.4 '
	grep -A3 'property="Grip"' out | sed -n 4p | grep -qx '	13.5'
	anim-dump x.axs | grep -A3 'property="visible"' | sed -n '3,4p' | tr '\n' ' ' | grep -qx '	0 1 	0.5 0 '
}

@test "shapes inside a geometry, as up to version 7100, are blend shapes" {
	scene <<-'PY'
		version = 7100
		box = scene.model("Box", "Mesh")
		shapes = [Node("Shape", name, below=[Node("Indexes", Array("i", [0]))]) for name in ("smile", "wink")]
		head = Node("Geometry", Long(500), Name("Geometry", ""), "Mesh", below=[properties(p("smile", "Number", "", "A+", 50.0)), *shapes])
		scene.objects.append(head)
		scene.connect(Long(500), box)
		layer = scene.layer(scene.stack("Face"))
		scene.drive(layer, Long(500), "smile", [line(0, 100)], (50.0,), ["smile"])
		scene.drive(layer, Long(500), "wink", [None], (30.0,), ["wink"])
		scene.drive(layer, Long(500), "other", [line(0, 100)], (0,), ["other"])
		nodes = scene.nodes(version, *before)
		open("text.fbx", "w").write(text_file(nodes, version).decode())
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: warning: 1 animated property: left out, because materials, meshes, constraints and pivots are not read" ]
	anim-dump x.axs | grep '^track\|^	[0-9]' | cut -d' ' -f1-3 | tr -d '\t' >out
	same out - <<-'TEXT'
		track node="Box" property="blend_shape/smile"
		0 0
		1 1
		track node="Box" property="blend_shape/wink"
		0 0.3
	TEXT
	same <(dump x.fbx) <(dump text.fbx)
}

@test "a text that is cut between its lists is warned of" {
	sed '/^Connections/,$d' "$FBX/walk_text.fbx" >cut.fbx
	run -0 --separate-stderr anim-parse cut.fbx -o x.axs
	[[ $stderr == *"cut.fbx: warning: the file has no 'Connections'; it may be cut, and its animation lost"* ]]
	sed '/^Takes/,$d' "$FBX/takes_text.fbx" >cut.fbx
	run -0 --separate-stderr anim-parse --force cut.fbx -o x.axs
	[[ $stderr == *"cut.fbx: warning: the file has no 'Takes'; it may be cut, and its animation lost"* ]]
	sed '/^Objects/,$d' "$FBX/walk_text.fbx" >cut.fbx
	run -0 --separate-stderr anim-parse --force cut.fbx -o x.axs
	[[ $stderr == *"cut.fbx: warning: the file has no 'Objects'; it may be cut, and its animation lost"* ]]
	for file in walk_text walk_text_7100 takes_text old_text; do
		anim-parse "$FBX/$file.fbx" 2>&1 >/dev/null | run ! grep 'may be cut'
	done
}

@test "what is skipped may be wrong: numbers of meshes, and records without an end" {
	sed '/Vertices:/{n;s/a: 0,/a: 0.#INF,1.2.3,/}' "$FBX/walk_text.fbx" >x.fbx
	run ! cmp -s "$FBX/walk_text.fbx" x.fbx
	same <(dump "$FBX/walk_text.fbx") <(dump x.fbx)
	sed 's/Vertices: 0,0.25/Vertices: 0.#INF,0.2.5/' "$FBX/takes_text.fbx" >x.fbx
	run ! cmp -s "$FBX/takes_text.fbx" x.fbx
	same <(dump "$FBX/takes_text.fbx") <(dump x.fbx)
	python3 - "$FBX/walk_7700.fbx" <<-'PY'
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		at = data.index(b"\x07Version") - 24
		data[at:at + 8] = bytes(8)
		open("x.fbx", "wb").write(data)
	PY
	same <(dump "$FBX/walk_7700.fbx") <(dump x.fbx)
}

@test "bones are animated at any depth; objects with the number of another are warned of" {
	scene <<-'PY'
		parent = Long(0)
		for i in range(5000):
		    parent = scene.model("b%d" % i, "LimbNode", parent)
		scene.drive(scene.layer(scene.stack("Deep")), parent, "Lcl Scaling", [line(1, 2), None, None])
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[ -z "$stderr" ]
	anim-dump x.axs | grep -q '^track node="b0/b1/.*/b4999" property="scale"'
	scene <<-'PY'
		box = scene.model("Box")
		scene.objects.append(Node("Model", box, Name("Model", "Other"), "Null", below=[]))
		scene.drive(scene.layer(scene.stack("Twice")), box, "Lcl Scaling", [line(1, 2), None, None])
	PY
	run -0 --separate-stderr anim-parse --force x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: warning: 1 object: same number as another one, so only the first is connected" ]
}

@test "a user property with the label BlendShape is the weight of a shape" {
	scene <<-'PY'
		box = scene.model("Box", more=[p("smile", "Number", "BlendShape", "AU", 0.5), p("Grip", "Number", "", "AU", 0.5)])
		layer = scene.layer(scene.stack("Face"))
		for name in "smile", "Grip":
		    scene.drive(layer, box, name, [line(0, 1)], (0,), [name])
	PY
	anim-parse -q x.fbx | anim-dump | grep '^track' | cut -d'"' -f4 >out
	[ "$(tr '\n' ' ' <out)" = 'Grip blend_shape/smile ' ]
}

@test "the last of several curves for one property in one layer counts, and the first of equal names" {
	scene <<-'PY'
		box, eye = scene.model("Box"), scene.id()
		scene.objects.append(Node("NodeAttribute", eye, Name("NodeAttribute", ""), "Camera", below=[]))
		scene.connect(eye, box)
		layer = scene.layer(scene.stack("Twice"))
		scene.drive(layer, box, "Lcl Scaling", [line(1, 2), None, None], (1, 1, 1))
		scene.drive(layer, box, "Lcl Scaling", [line(1, 3), None, None], (1, 1, 1))
		scene.drive(layer, box, "Lcl Scaling", [None, None, None], (1, 1, 1))
		scene.drive(layer, box, "Zoom", [line(1, 2)], (1,), ["Zoom"])
		scene.drive(layer, eye, "Zoom", [line(1, 3)], (1,), ["Zoom"])
	PY
	run -0 --separate-stderr anim-parse x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: warning: 1 animated property: left out, because the node has another of the same name" ]
	[ "$(anim-dump x.axs | grep -c '^track')" -eq 2 ]
	anim-dump x.axs | grep -q '^	1 3,1,1$'
	anim-dump x.axs | grep -A3 'property="Zoom"' | grep -q '^	1 2$'
}

@test "--keep-going leaves out the clips of a curve that cannot be read" {
	scene <<-'PY'
		box = scene.model("Box")
		good, bad = line(1, 2), line(1, 2)
		scene.objects[-1].below[6] = Node("KeyAttrRefCount", Array("i", [1, 7]))
		scene.drive(scene.layer(scene.stack("Good")), box, "Lcl Scaling", [good, None, None])
		scene.drive(scene.layer(scene.stack("Bad")), box, "Lcl Scaling", [bad, None, None])
	PY
	run -1 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == "anim-parse: x.fbx: byte "*": the attributes of a curve do not match its 2 keys" ]]
	run -0 --separate-stderr anim-parse --keep-going x.fbx -o x.axs
	[[ $stderr == "anim-parse: x.fbx: warning: clip 'Bad' is left out: the attributes of a curve do not match its 2 keys (byte "*")" ]]
	[ "$(anim-dump x.axs | grep '^clip' | cut -d'"' -f2)" = Good ]
	# The same in the list of a take, and in an array of a text.
	sed "s/KeyVer: 4005/&/; 0,/,U,b,/s//,U,z,/" "$FBX/takes_text.fbx" >take.fbx
	run -1 --separate-stderr anim-parse take.fbx -o x.axs --force
	[[ $stderr == "anim-parse: take.fbx:"*": a key of 'Box': unknown tangents" ]]
	run -0 --separate-stderr anim-parse --keep-going take.fbx -o x.axs --force
	[[ $stderr == *"warning: clip 'Take 001' is left out: a key of 'Box': unknown tangents (line "* ]]
	sed '0,/KeyValueFloat: \*3 {/s//KeyValueFloat: *4 {/' "$FBX/walk_text.fbx" >text.fbx
	run -1 --separate-stderr anim-parse text.fbx -o x.axs --force
	[[ $stderr == "anim-parse: text.fbx:"*": 1 numbers of 'KeyValueFloat' are missing" ]]
	run -0 --separate-stderr anim-parse --keep-going text.fbx -o x.axs --force
	[[ $stderr == *"warning: clip 'Walk' is left out: 1 numbers of 'KeyValueFloat' are missing (line "* ]]
}

@test "joint-rest=bind puts joints where their skin was bound: by a cluster, or by a bind pose" {
	scene <<-'PY'
		before = [settings(up=2, front=1, front_sign=-1, unit=100.0), definitions()]
		top = scene.model("Top", t=(1, 0, 0))
		hips = scene.model("Hips", "LimbNode", top, t=(9, 9, 9))
		knee = scene.model("Knee", "LimbNode", hips, t=(9, 9, 9), s=(2, 2, 2))
		toe = scene.model("Toe", "LimbNode", knee, t=(0, 0, 5))
		bad = scene.model("Bad", "LimbNode", top, t=(3, 2, 1))
		# A quarter of a revolution about Z.
		quarter = lambda *at: Array("d", [0.0, 1.0, 0, 0, -1.0, 0, 0, 0, 0, 0, 1.0, 0, *map(float, at), 1.0])
		def cluster(bone, matrix):
		    number = scene.id()
		    scene.objects.append(Node("Deformer", number, Name("SubDeformer", ""), "Cluster", below=[Node("TransformLink", matrix)]))
		    scene.connect(bone, number)
		cluster(hips, quarter(1, 2, 3))
		cluster(bad, Array("d", [1.0] * 3))
		scene.objects.insert(0, Node("Pose", scene.id(), Name("Pose", "p"), "BindPose", below=[Node("Type", "BindPose"), *[
		    Node("PoseNode", below=[Node("Node", bone), Node("Matrix", matrix)])
		    for bone, matrix in ((hips, quarter(7, 7, 7)), (knee, quarter(1, 2, 1)), (Long(77), quarter(0, 0, 0)))]]))
		scene.drive(scene.layer(scene.stack("Move")), hips, "Lcl Scaling", [line(1, 2), None, None])
	PY
	anim-parse -q x.fbx | anim-dump | grep -q 'path="Top/Hips" .*position=9,9,9 rotation=0,0,0,1'
	run -0 --separate-stderr anim-parse -x joint-rest=bind x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: warning: 1 bind pose: not usable, so the node keeps its own rest pose" ]
	anim-dump x.axs >out
	grep -q 'path="Top/Hips" .*position=0,2,3 rotation=0,0,0.70710677,0.7071067[0-9]* scale=1,1,1$' out
	grep -q 'path="Top/Hips/Knee" .*position=0,0,-2 rotation=0,0,0,1 scale=1,1,1$' out
	grep -q 'path="Top/Hips/Knee/Toe" .*position=0,0,5 ' out
	grep -q 'path="Top/Bad" .*position=3,2,1 ' out
}

@test "a few bytes cannot ask for hours: layers, repetitions and rotations have limits" {
	scene <<-'PY'
		stack = scene.stack("Many")
		box = scene.model("Box")
		for i in range(129):
		    scene.drive(scene.layer(stack), box, "Lcl Scaling", [line(1, 2), None, None])
	PY
	run -1 --separate-stderr anim-parse x.fbx -o x.axs
	[ "$stderr" = "anim-parse: x.fbx: 'Many' has 129 layers; the limit is 128" ]
	scene <<-'PY'
		layer = scene.layer(scene.stack("Fast"))
		active = p("RotationActive", "bool", "", "", 1)
		for i in range(40):
		    wheel = scene.model("Wheel%d" % i, more=[active, vector("PreRotation", 0, 0, 30)])
		    scene.drive(layer, wheel, "Lcl Rotation", [line(0, 1e8), None, None])
	PY
	anim-parse -q x.fbx >x.axs
	# Without a limit for all tracks together, each would have 131072 keys.
	[ "$(stat -c %s x.axs)" -lt 40000000 ]
}

@test "a text without a first comment has the version of its header, otherwise 7400, and a wrong version is refused without a header" {
	sed 1d "$FBX/walk_text.fbx" >x.fbx
	same <(dump "$FBX/walk_text.fbx") <(dump x.fbx)
	sed '1d; s/FBXVersion: 7700/Nothing: 1/' "$FBX/walk_text.fbx" >x.fbx
	same <(dump "$FBX/walk_text.fbx") <(dump x.fbx)
	{ echo '; FBX 4.0.0 project file'; sed '1,/^}/d' "$FBX/walk_text.fbx"; } >x.fbx
	run -1 --separate-stderr anim-parse x.fbx -o x.axs
	[[ $stderr == *": FBX version 4000 is not supported; 5000 to 7700 are" ]]
}

@test "every proper prefix of a file is refused, with its place" {
	not_bytewise "each prefix is a run"
	not_sanitized "each prefix is a run"
	size=$(stat -c %s "$FBX/takes.fbx")
	# The footer after the last record may be missing.
	step=$(stride 97)
	for ((at = 30; at < size - 169; at += step)); do
		head -c "$at" "$FBX/takes.fbx" >cut.fbx
		run -1 --separate-stderr anim-parse cut.fbx -o x.axs
		[[ $stderr == "anim-parse: cut.fbx: byte "* ]] || { echo "$at: $stderr"; return 1; }
	done
	head -c 2000 "$FBX/walk_text.fbx" >cut.fbx
	run -1 --separate-stderr anim-parse cut.fbx -o x.axs
	[[ $stderr == "anim-parse: cut.fbx:"*": the file is cut off: it ends within or after "* ]]
}

@test "real files have the poses, matrices, curves and weights that another reader finds" {
	need_corpus
	not_sanitized "the values are the same"
	tables=() files=()
	for table in "$ANIM_CORPUS"/fbx/oracle/*.tsv; do
		name=$(basename "$table" .tsv)
		[[ $name != *_depth_fail_* ]] || continue # refused by the other reader, too
		anim-parse -q "$ANIM_CORPUS/fbx/$name.fbx" 2>/dev/null | anim-emit json >"$name.jsonl"
		grep -q '^settings' "$table" || continue
		tables+=("$table") files+=("$name.jsonl")
	done
	[ ${#files[@]} -ge 50 ]
	run -0 python3 "$ROOT/tests/fbx_oracle.py" "${tables[@]}" "${files[@]}"
	run -0 python3 "$ROOT/tests/fbx_reference.py" "$ANIM_CORPUS/fbx/REFERENCE_CURVES.tsv" m*.jsonl
	[ "${#lines[@]}" -ge 10 ]
}

@test "real files can be converted to glTF" {
	need_corpus
	not_sanitized "the readers are looked at above"
	for file in "$ANIM_CORPUS"/fbx/*.fbx; do
		[[ $file != *_depth_fail_* ]] || continue # refused by the other reader, too
		anim-parse -q "$file" --force -o x.axs 2>/dev/null || { echo "$file"; return 1; }
		anim-info x.axs | grep -q ' s, ' || continue
		anim-convert -q --force "$file" x.glb 2>err || { echo "$file: $(cat err)"; return 1; }
	done
}

@test "curves that unpack to far more than any file of their size need -x trust-size" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$FBX python3 - <<'PY'
from make import Array, Binary, Node

n = 2200000
curve = Node("AnimationCurve", 7, below=[Node("KeyTime", Array("l", [0] * n)), Node("KeyValueFloat", Array("f", [1] * n)),
    Node("KeyAttrFlags", Array("i", [4])), Node("KeyAttrDataFloat", Array("f", [0] * 4)), Node("KeyAttrRefCount", Array("i", [n]))])
open("bomb.fbx", "wb").write(Binary(7400, packed=True).file([Node("Objects", below=[curve])]))
PY
	run -1 --separate-stderr anim-parse bomb.fbx --force -o out.axs
	[[ $stderr == "anim-parse: bomb.fbx: byte "*": 'KeyTime': the arrays of curves unpack to more than 16 times their size; if that is right, use -x trust-size" ]] || \
		{ echo "$stderr" && false; }
	[ ! -e out.axs ]
	not_sanitized "it takes long"
	anim-parse -q -x trust-size bomb.fbx --force -o out.axs
}
