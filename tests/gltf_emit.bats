#!/usr/bin/env bats
# anim-emit glb, gltf and vrma: keys as they are, in files that other programs take.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v python3 >/dev/null || skip "python3 is not installed, which reads what is written"
}

# keys FILE: each key of the file as a line.
keys() {
	python3 "$ROOT/tests/gltf_keys.py" "$1"
}

# document FILE: its JSON.
document() {
	python3 - "$1" <<-'PY'
		import json, struct, sys
		data = open(sys.argv[1], 'rb').read()
		if data[:4] == b'glTF':
		    data = data[20:20 + struct.unpack_from('<I', data, 12)[0]]
		print(json.dumps(json.loads(data)))
	PY
}

# validate FILE...: by Khronos' own validator where there is one.
validate() {
	local status=0

	command -v node >/dev/null || return 0
	node "$ROOT/tests/gltf_validate.js" "$@" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
}

# clip NAME END [SOURCE [AXES]]: the head of a clip as a line of JSON; track NODE PROPERTY TYPE KIND INTERP N COLUMNS [MORE].
clip() {
	printf '{"clip":{"name":"%s","root":".","source":"%s","start":0,"end":%s,"loop":"%s","axes":"%s","axes2d":"unknown","flags":[],"rate":null,"attributes":{}}}\n' \
		"$1" "${3:-x}" "$2" "${5:-none}" "${4:-gltf}"
}
track() {
	printf '{"track":{"node":"%s","property":"%s","component":null,"kind":"%s","type":"%s","rules":"plain","flags":[],"before":"hold","after":"hold","interp":%s,"keys":%s,"attributes":{},%s"columns":{%s}}}\n' \
		"$1" "$2" "$4" "$3" "$5" "$6" "${8:-}" "$7"
}
# stream: from lines of the above.
stream() {
	{ echo '{"anim_json":1}'; cat; echo '{"end":true}'; } | anim-parse -f json
}

@test "keys of the three modes are written as they are" {
	{
		clip walk 1
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[1,2,3],[4,5,6.1]]'
		track A/B rotation floatQ Curve '"Hold"' 2 '"time":[0,1],"value":[[0,0,0,1],[0,1,0,0]]'
		track A/B scale float3 Curve '"Hermite"' 2 \
			'"time":[0,1],"value":[[1,1,1],[2,2,2]],"left":[[7,8,9],[1,2,3]],"right":[[4,5,6],[0.1,0.2,0.3]]'
	} | stream | anim-emit -o a.glb
	keys a.glb >got
	cat >wanted <<-'TEXT'
		walk A.translation LINEAR 0 1 2 3
		walk A.translation LINEAR 1 4 5 6.0999999
		walk B.rotation STEP 0 0 0 0 1
		walk B.rotation STEP 1 0 1 0 0
		walk B.scale CUBICSPLINE 0 7 8 9 1 1 1 4 5 6
		walk B.scale CUBICSPLINE 1 1 2 3 2 2 2 0.100000001 0.200000003 0.300000012
	TEXT
	diff wanted got
	validate a.glb
	[ "$(document a.glb | grep -o '"input": [0-9]*' | sort -u | wc -l)" -eq 1 ]
}

@test "the text, the text with a file beside it, and the binary hold the same keys" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	anim-emit -q --pointer -o a.glb crane.axs
	anim-emit -q --pointer -o a.gltf crane.axs
	anim-emit -q --pointer --bin -o 'with blanks.gltf' crane.axs
	keys a.glb >wanted
	[ "$(wc -l <wanted)" -eq 13 ]
	keys a.gltf | diff wanted -
	keys 'with blanks.gltf' | diff wanted -
	[ "$(wc -c <'with blanks.bin')" -eq 368 ]
	grep -q '"uri":"with%20blanks.bin"' 'with blanks.gltf'
	validate a.glb a.gltf 'with blanks.gltf'
	anim-emit -q gltf --pointer crane.axs | cmp - a.gltf
	run -1 --separate-stderr anim-emit -q --bin -o no/where.gltf crane.axs
	[ ! -e no ]
	run -2 --separate-stderr anim-emit gltf --bin crane.axs
	[ "${stderr_lines[0]}" = "anim-emit: --bin writes beside a file; name it with -o or --each" ]
	run -2 --separate-stderr anim-emit --bin -o b.glb crane.axs
	[ "${stderr_lines[0]}" = "anim-emit: --bin is for gltf, not for glb" ]
	echo mine >c.bin
	run -1 --separate-stderr anim-emit -q --bin -o c.gltf crane.axs
	[ "$(cat c.bin)" = mine ]
	[ ! -e c.gltf ]
	anim-emit -q --bin --each 'out/%c.gltf' crane.axs
	[ -s out/lift.bin ]
	[ -s out/lift.gltf ]
}

@test "modes that one sampler cannot mix become one mode, without loss" {
	{
		clip mixed 3
		track A position float3 Curve '"mixed"' 4 \
			'"time":[0,1,2,3],"interp":["Linear","Hold","Linear","Linear"],"value":[[0,0,0],[1,0,0],[2,0,0],[3,0,0]]'
		track B position float3 Curve '"mixed"' 3 \
			'"time":[0,1,3],"interp":["Linear","Hermite","Hermite"],"value":[[0,0,0],[3,0,0],[5,0,0]],"left":[[0,0,0],[9,9,9],[2,0,0]],"right":[[9,9,9],[1,0,0],[0,0,0]]'
	} | sed 's/"mixed","keys"/null,"keys"/' | stream >mixed.axs
	anim-emit -o a.glb mixed.axs 2>told
	[ ! -s told ]
	keys a.glb | cut -d' ' -f2- >got
	cat >wanted <<-'TEXT'
		A.translation LINEAR 0 0 0 0
		A.translation LINEAR 1 1 0 0
		A.translation LINEAR 1.99999988 1 0 0
		A.translation LINEAR 2 2 0 0
		A.translation LINEAR 3 3 0 0
		B.translation CUBICSPLINE 0 0 0 0 0 0 0 3 0 0
		B.translation CUBICSPLINE 1 3 -0 -0 3 0 0 1 0 0
		B.translation CUBICSPLINE 3 2 -0 -0 5 0 0 0 0 0
	TEXT
	diff wanted got
	validate a.glb
}

@test "two keys at one time are a step, and a slope that is infinite holds" {
	{
		clip steps 2
		track A position float3 Curve '"Linear"' 4 '"time":[0,1,1,2],"value":[[0,0,0],[1,0,0],[5,0,0],[6,0,0]]'
		track B position float3 Curve '"Hermite"' 2 \
			'"time":[0,2],"value":[[0,0,0],[3,0,0]],"left":[[0,0,0],[0,0,0]],"right":[["inf",0,0],["nan",0,0]]'
	} | stream | anim-emit -o a.glb 2>told
	[ ! -s told ]
	keys a.glb | cut -d' ' -f2- >got
	cat >wanted <<-'TEXT'
		A.translation LINEAR 0 0 0 0
		A.translation LINEAR 0.99999994 1 0 0
		A.translation LINEAR 1 5 0 0
		A.translation LINEAR 2 6 0 0
		B.translation STEP 0 0 0 0
		B.translation STEP 2 3 0 0
	TEXT
	diff wanted got
	validate a.glb
}

@test "a clip lasts as long as in the stream: the track that ends last gets a key there" {
	{
		clip long 4
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
		track A scale float3 Curve '"Hermite"' 2 \
			'"time":[0,2],"value":[[1,1,1],[2,2,2]],"left":[[0,0,0],[1,1,1]],"right":[[1,1,1],[1,1,1]]'
		track A rotation floatQ Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0,1],[0,1,0,0]]'
		clip other 1
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
	} | stream | anim-emit -o a.glb
	keys a.glb >got
	cat >wanted <<-'TEXT'
		long A.translation LINEAR 0 0 0 0
		long A.translation LINEAR 1 1 0 0
		long A.scale CUBICSPLINE 0 0 0 0 1 1 1 1 1 1
		long A.scale CUBICSPLINE 2 1 1 1 2 2 2 0 0 0
		long A.scale CUBICSPLINE 4 0 0 0 2 2 2 0 0 0
		long A.rotation LINEAR 0 0 0 0 1
		long A.rotation LINEAR 1 0 1 0 0
		other A.translation LINEAR 0 0 0 0
		other A.translation LINEAR 1 1 0 0
	TEXT
	diff wanted got
	validate a.glb
}

@test "samples share their times, and end where the clip ends" {
	{
		clip s 0.5
		track A position float3 Raw '"Linear"' 3 '"value":[[0,0,0],[1,0,0],[3,0,0]]' '"start":0,"step":0,"rate":{"num":3,"den":1},'
		track B position float3 Raw '"Linear"' 3 '"value":[[0,0,0],[2,0,0],[4,0,0]]' '"start":0,"step":0,"rate":{"num":3,"den":1},'
	} | stream | anim-emit -o a.glb
	keys a.glb | cut -d' ' -f2- >got
	cat >wanted <<-'TEXT'
		A.translation LINEAR 0 0 0 0
		A.translation LINEAR 0.333333343 1 0 0
		A.translation LINEAR 0.5 2 0 0
		B.translation LINEAR 0 0 0 0
		B.translation LINEAR 0.333333343 2 0 0
		B.translation LINEAR 0.5 3 0 0
	TEXT
	diff wanted got
	[ "$(document a.glb | grep -o '"input": [0-9]*' | sort -u | wc -l)" -eq 1 ]
	validate a.glb
}

@test "weights of one mesh are one sampler, whatever the times of the blend shapes" {
	{
		clip a 2
		track Face blend_shape/smile float Curve '"Linear"' 2 '"time":[0,2],"value":[0,1]'
		track Face blend_shape/wide float Curve '"Linear"' 3 '"time":[0,1,2],"value":[0,1,0]'
		clip b 2
		track Face blend_shape/frown float Curve '"Hermite"' 2 '"time":[0,2],"value":[0,1],"left":[0,1],"right":[0,0]'
		track Face blend_shape/smile float Discrete '"Hold"' 2 '"time":[0,1],"value":[0.25,0.5]'
	} | stream | anim-emit -o a.glb
	keys a.glb >got
	cat >wanted <<-'TEXT'
		a Face.weights LINEAR 0 0 0 0
		a Face.weights LINEAR 1 0.5 1 0
		a Face.weights LINEAR 2 1 0 0
		b Face.weights CUBICSPLINE 0 0 0 0 0.25 0 0 0 0 0
		b Face.weights CUBICSPLINE 0.99999994 0 0 0.49999997 0.25 0 0.24999997 0 0 0.49999997
		b Face.weights CUBICSPLINE 1 0 0 0.5 0.5 0 0.25 0 0 0.5
		b Face.weights CUBICSPLINE 2 0 0 1 0.5 0 1 0 0 0
	TEXT
	diff wanted got
	document a.glb | grep -q '"targetNames": \["smile", "wide", "frown"\]'
	validate a.glb
}

@test "visibility and properties named by pointers need --pointer, events --extras" {
	{
		clip x 1
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
		track A visible bool Discrete '"Hold"' 2 '"time":[0,0.5],"value":[true,false]'
		track . /materials/0/alphaCutoff float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		track . @method string Discrete '"Hold"' 2 '"time":[0,0.5],"value":["{\"method\":\"hit\"}","no JSON"]'
		track A energy float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
	} | stream >x.axs
	run --separate-stderr anim-emit -o a.glb x.axs
	[ "$status" -eq 0 ]
	[ "${#stderr_lines[@]}" -eq 3 ]
	[[ $stderr == *"2 tracks: left out, because only players that support KHR_animation_pointer can play such properties; -x pointer writes them"* ]]
	[[ $stderr == *"track '. @method': events are left out; -x extras writes them as extras"* ]]
	[[ $stderr == *"track 'A energy': left out, because glTF does not have the property"* ]]
	[ "$(keys a.glb | wc -l)" -eq 2 ]
	run --separate-stderr anim-emit -q --pointer --extras -o b.glb x.axs
	[ "$status" -eq 0 ]
	[ "${stderr_lines[0]}" = "anim-emit: x.axs: 'x': warning: track '. /materials/0/alphaCutoff': a new file does not have the property: /materials/0/alphaCutoff" ]
	keys b.glb | sed -n '3,$p' | cut -d' ' -f2- >got
	cat >wanted <<-'TEXT'
		/nodes/0/extensions/KHR_node_visibility/visible STEP 0 1
		/nodes/0/extensions/KHR_node_visibility/visible STEP 0.5 0
		/materials/0/alphaCutoff LINEAR 0 0
		/materials/0/alphaCutoff LINEAR 1 1
	TEXT
	diff wanted got
	document b.glb | grep -q '"extensionsUsed": \["KHR_animation_pointer", "KHR_node_visibility"\]'
	document b.glb | grep -qF '"extras": {"events": [{"time": 0, "track": "@method", "node": ".", "value": {"method": "hit"}}, {"time": 0.5, "track": "@method", "node": ".", "value": "no JSON"}]}'
	validate a.glb b.glb
}

@test "the tree is the scene, bones are the joints of a skin" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-emit -q -o a.glb
	document a.glb >got.json
	python3 - <<-'PY'
		import json
		d = json.load(open('got.json'))
		names = [node['name'] for node in d['nodes']]
		assert names == ['Crane', 'Skeleton3D', 'base', 'arm', 'hook', 'Lamp', 'AnimationPlayer'], names
		assert d['scenes'] == [{'nodes': [0]}] and d['scene'] == 0
		assert d['nodes'][0]['children'] == [1, 5, 6] and d['nodes'][2]['children'] == [3]
		assert d['nodes'][4]['translation'] == [1.5, -0.25, 0] and d['skins'] == [{'joints': [2, 3, 4]}]
	PY
}

@test "what a name says: loops if --loop-name is given, otherwise a note" {
	{
		clip walk 1 x gltf wrap
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
		clip run-cycle 1 x gltf wrap
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
	} | stream >x.axs
	run --separate-stderr anim-emit -o a.glb x.axs
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"note: clip 'walk': the loop mode is not kept, because glTF has none; for Godot add -x loop-name (loop)" ]]
	[ "$(keys a.glb | cut -d' ' -f1 | uniq | tr '\n' ' ')" = "walk run-cycle " ]
	anim-emit --loop-name -o b.glb x.axs 2>told
	[ ! -s told ]
	[ "$(keys b.glb | cut -d' ' -f1 | uniq | tr '\n' ' ')" = "walk-loop run-cycle " ]
}

@test "loops and their names come back from a .glb, and a clip that was renamed has its new name" {
	{
		clip walk 1 x gltf wrap
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
		clip jump 1
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
		clip 'Idle Loop' 1 x gltf wrap
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
	} | stream >x.axs
	loops() {
		anim-parse -q "$1" | anim-dump | sed -n 's/^clip name="\([^"]*\)".* loop=\([a-z]*\) .*/\1=\2/p' | tr '\n' ' '
	}
	anim-emit --loop-name -o a.glb x.axs
	[ "$(loops a.glb)" = "walk=wrap jump=none Idle Loop=wrap " ]
	# The name in the file stays, also without the option, and with --into.
	anim-parse -q a.glb | anim-emit -o b.glb 2>told
	[ ! -s told ]
	[ "$(keys b.glb | cut -d' ' -f1 | uniq | tr '\n' ' ')" = "walk-loop jump Idle " ]
	anim-parse -q a.glb | anim-emit -q --into a.glb -o c.glb
	[ "$(keys c.glb | cut -d' ' -f1 | uniq | tr '\n' ' ')" = "walk-loop jump Idle " ]
	anim-parse -q a.glb | anim-rename --on clip -e 's/walk/run/' | anim-emit -q -o d.glb
	[ "$(keys d.glb | cut -d' ' -f1 | uniq | head -1)" = "run" ]
}

@test "what cannot be held is reported: values that are no numbers, what two tracks move, empty clips, other axes" {
	{
		clip bad 1 unity unity
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[["nan",0,0],[1,0,0]]'
		track A scale float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[1,0,0],[1,0,0]]'
		track B/../A scale float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[1,0,0],[1,0,0]]'
		track A rotation floatQ Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0,2],[0,0,0,0]]'
		track ../A scale float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[1,0,0],[1,0,0]]'
		clip empty 1
		track A energy float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
	} | stream | anim-emit -o a.glb 2>told
	grep -q "track 'A position': values that are not finite; the values before them are held" told
	grep -q "track 'B/../A scale': left out, because an earlier track of the clip sets the same property" told
	grep -q "track '../A scale': left out, because the node is outside the tree" told
	grep -q "clip 'empty': left out, because glTF can hold no part" told
	keys a.glb | grep rotation | cut -d' ' -f2- >got
	printf 'A.rotation LINEAR 0 0 0 0 1\nA.rotation LINEAR 1 0 0 0 1\n' | diff - got
	validate a.glb
}

@test "a file of ours is written over, one with meshes is not without --force" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	anim-emit -q -o a.glb crane.axs
	anim-emit -q --pointer -o a.glb crane.axs
	[ "$(keys a.glb | grep -c visible)" -eq 3 ]
	anim-emit -q --bin -o a.gltf crane.axs
	anim-emit -q --bin -o a.gltf crane.axs
	sed 's/anim-tools/a modeller/' a.gltf >b.gltf
	run -1 --separate-stderr anim-emit -q -o b.gltf crane.axs
	[ "$stderr" = "anim-emit: b.gltf: holds a skin that would be lost; --into b.gltf changes its clips and keeps the rest, --force replaces it" ]
	anim-emit -q --force -o b.gltf crane.axs
}

@test "what was read is written again: the same keys, the same tracks" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-emit -q --pointer -o a.glb
	anim-parse --source-name x a.glb >a.axs
	anim-emit --pointer -o b.gltf a.axs
	diff <(keys a.glb) <(keys b.gltf)
	anim-parse --source-name x b.gltf | anim-dump >b.dump
	anim-dump a.axs | diff - b.dump
	for file in "$DATA"/gltf/*.gl*; do # but for angles of view, of cameras that are not there, and rotations of 8 bits, too far from length 1
		[ -e "$file" ] || continue
		anim-parse -q --source-name x "$file" >a.axs || continue
		anim-emit -q --pointer -o c.glb --force a.axs
		anim-parse -q --source-name x c.glb | anim-emit json | grep '^{"track' | grep -v 'fov"\|"spin"' | sed 's/"attributes":{[^}]*}//' | sort >after
		anim-emit json a.axs | grep '^{"track' | grep -v 'fov"\|"spin"' | sed 's/"attributes":{[^}]*}//' | sort | diff - after
	done
}

@test "a full disk, a closed reader and --strict leave no file" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	run -1 --separate-stderr anim-emit --strict -o a.glb crane.axs
	[ ! -e a.glb ]
	if [ -c /dev/full ]; then
		run -1 anim-emit -q -o /dev/full glb crane.axs
		run -1 anim-emit -q -o /dev/full gltf crane.axs
	fi
	head -c 300 crane.axs | { run -1 --separate-stderr anim-emit -o b.glb; [ ! -e b.glb ]; }
}

# human: a tree of the bones that VRM demands, and a clip of them.
human() {
	local at=1 bone parent

	echo '{"tree":{"root":"Hero","source":"x","axes":"gltf","axes2d":"unknown","attributes":{}}}'
	echo '{"node":{"path":".","type":"","kind":"node","has":[],"parent":null,"position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}'
	for bone in hips spine head leftUpperLeg leftLowerLeg leftFoot rightUpperLeg rightLowerLeg rightFoot leftUpperArm \
		leftLowerArm leftHand rightUpperArm rightLowerArm ${1:-rightHand}; do
		parent=$((at > 1))
		printf '{"node":{"path":"%s","type":"","kind":"bone","has":["position"],"parent":%s,"position":[0,1,0],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}\n' \
			"$bone" "$parent"
		at=$((at + 1))
	done
	clip wave 1 | sed 's/"flags":\[\]/"flags":["in_tree"]/'
	track hips position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,1,0],[0,1,1]]'
	track spine rotation floatQ Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0,1],[0,1,0,0]]'
	track spine position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,1,0],[0,1,1]]'
	track . expression/happy float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
	track . expression/odd float Curve '"Linear"' 2 '"time":[0,1],"value":[0.5,1]'
}

@test "each expression of a .vrma has a node of its own, whatever its name, also when it is written again" {
	{
		human
		for name in a/b a:b a_b hips head Armature; do
			track . "expression/$name" float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		done
	} | stream | anim-emit -q -o a.vrma
	anim-emit -q -o b.vrma a.vrma
	anim-emit -q -o c.vrma b.vrma
	for file in a b c; do
		document $file.vrma >got.json
		python3 - <<-'PY'
			import json
			d = json.load(open('got.json'))
			vrm = d['extensions']['VRMC_vrm_animation']
			faces = {**vrm['expressions']['preset'], **vrm['expressions']['custom']}
			assert sorted(faces) == sorted(['happy', 'odd', 'a/b', 'a:b', 'a_b', 'hips', 'head', 'Armature']), faces
			nodes = [face['node'] for face in faces.values()]
			bones = [bone['node'] for bone in vrm['humanoid']['humanBones'].values()]
			assert len(set(nodes + bones)) == len(nodes + bones), (nodes, bones)
			assert not any('children' in d['nodes'][node] for node in nodes)
			moved = [c['target']['node'] for c in d['animations'][0]['channels'] if c['target']['path'] == 'translation']
			assert sorted(moved) == sorted(nodes + [vrm['humanoid']['humanBones']['hips']['node']] * moved.count(vrm['humanoid']['humanBones']['hips']['node'])), moved
			open('count', 'a').write(f"{len(d['nodes'])}\n")
		PY
		validate $file.vrma
	done
	[ "$(sort -u count | wc -l)" -eq 1 ]
	anim-diff a.vrma c.vrma
}

@test "a .vrma names the bones of a human and where the weights of expressions are" {
	human | stream | anim-emit -o a.vrma 2>told
	grep -q "track 'spine position': left out, because VRM has only rotations and the position of the hips" told
	document a.vrma >got.json
	python3 - <<-'PY'
		import json
		d = json.load(open('got.json'))
		vrm = d['extensions']['VRMC_vrm_animation']
		assert d['extensionsUsed'] == ['VRMC_vrm_animation'] and vrm['specVersion'] == '1.0'
		bones = {name: d['nodes'][bone['node']]['name'] for name, bone in vrm['humanoid']['humanBones'].items()}
		assert len(bones) == 15 and all(name == node for name, node in bones.items()), bones
		assert d['nodes'][vrm['expressions']['preset']['happy']['node']]['name'] == 'happy'
		assert list(vrm['expressions']['custom']) == ['odd']
	PY
	keys a.vrma | grep '^wave odd' | cut -d' ' -f2- >got
	printf 'odd.translation LINEAR 0 0.5 0 0\nodd.translation LINEAR 1 1 0 0\n' | diff - got
	validate a.vrma
	human other | stream >o.axs
	run -1 --separate-stderr anim-emit -o b.vrma o.axs
	[[ $stderr == *"a VRM animation needs nodes for these bones: rightHand;"* ]]
	[ ! -e b.vrma ]
}

@test "the gaze of a .vrma comes back, whatever its node is called, with its offset from the head" {
	anim-parse -q "$DATA/vrm/look.vrma" >look.axs
	run -0 --separate-stderr anim-emit -o a.vrma look.axs
	[[ $stderr != *"'look"* ]]
	document "$DATA/vrm/look.vrma" >want.json
	document a.vrma >got.json
	python3 - <<-'PY'
		import json
		want, got = json.load(open('want.json')), json.load(open('got.json'))
		looks = [d['extensions']['VRMC_vrm_animation']['lookAt'] for d in (want, got)]
		assert looks[0]['offsetFromHeadBone'] == looks[1]['offsetFromHeadBone'] == [0, 0.06, 0.02]
		assert [d['nodes'][look['node']]['name'] for d, look in zip((want, got), looks)] == ['look', 'look']
	PY
	diff <(keys "$DATA/vrm/look.vrma" | grep look) <(keys a.vrma | grep look)
	[ "$(keys a.vrma | grep -c 'look.rotation')" -gt 1 ]
	validate a.vrma
	anim-dump look.axs | sed 's/"0,0.06,0.02"/"1,2,x"/' | anim-undump | anim-emit -q -o b.vrma
	! document b.vrma | grep -q offsetFromHeadBone || false
}

# need_validator: skips where it is not there.
need_validator() {
	local status=0

	command -v node >/dev/null || skip "node is not installed, which runs the validator"
	node "$ROOT/tests/gltf_validate.js" || status=$?
	[ "$status" -ne 2 ] || skip "the validator is not installed: npm install --prefix build/validator gltf-validator"
}

# emit_all: a .glb of each of the files named on standard input that holds a clip; how many there are.
emit_all() {
	local file at=0

	while read -r file; do
		case $file in
		*.axs) cp "$file" in.axs ;;
		*) anim-parse -q "$file" >in.axs 2>/dev/null || continue ;;
		esac
		at=$((at + 1))
		anim-emit -q --pointer --extras -o "$at.glb" in.axs 2>told ||
			grep -Eq "no clip to write|can hold none of the tracks|is not a finite number|between the samples is not known" told || { echo "$file" && cat told && return 1; }
	done
	echo "$at"
}

@test "Khronos' validator finds no error and no warning in what is written of any of the repository's files" {
	need_validator
	[ "$(ls "$ROOT"/examples/*.tscn "$DATA"/godot/*.t* "$DATA"/unity/*.anim "$DATA"/unity/*.prefab "$DATA"/animj/*.animj "$DATA"/axs/good/*.axs |
		emit_all)" -gt 20 ]
	node "$ROOT/tests/gltf_validate.js" ./*.glb
}

@test "... nor of files of others" {
	not_bytewise "others' files are read byte by byte where they come back"
	[ -d "$ANIM_CORPUS" ] || skip "no files of others at $ANIM_CORPUS"
	need_validator
	[ "$(find "$ANIM_CORPUS/godot" "$ANIM_CORPUS/unity" "$ANIM_CORPUS/resonite" "$ANIM_CORPUS/gltf" "$ANIM_CORPUS/bvh" -type f -regex '.*\.\(tscn\|escn\|tres\|anim\|prefab\|controller\|animj\|animx\|glb\|gltf\|bvh\)' |
		sort | emit_all)" -gt 50 ]
	node "$ROOT/tests/gltf_validate.js" ./*.glb
}

@test "a clip without a tree keeps the first name of its paths, under a root of its own" {
	anim-convert -q --axes keep "$DATA/unity/two_paths.anim" two.glb
	run -0 anim-info --csv two.glb
	[ "$(cut -d, -f3 <<<"$output" | xargs)" = "node Hips Hips/Spine" ]
}

@test "a VRM animation has linear keys, and a bone that VRM lacks moves those below it" {
	# three-vrm takes the values of a cubic sampler for those of a linear one
	anim convert -q --humanoid auto:vrm "$ROOT/examples/walker.tscn" w.vrma
	run ! grep -aq CUBICSPLINE w.vrma
	# a joint between neck and head that nods
	awk '$1 == "JOINT" && $2 == "Head" { print "JOINT Neck1\n{\nOFFSET 0 4 1\nCHANNELS 3 Zrotation Xrotation Yrotation"; open = depth + 1 }
		/{/ { depth++ }
		/}/ { depth--; if (open && depth == open - 1) { print; open = 0 } }
		nod { line = ""; for (i = 1; i <= NF; i++) line = line $i " " (i == 18 ? "0 " 2 + nod++ % 10 " 20 " : ""); $0 = line }
		/^Frame Time/ { nod = 1 }
		{ print }' "$DATA/rests/z1_world_axes.bvh" >neck.bvh
	anim convert -q --unit cm --humanoid auto:vrm neck.bvh n.axs
	run -0 --separate-stderr anim convert --unit cm --humanoid auto:vrm neck.bvh n.vrma
	[[ $stderr != *"left out"* ]]
	anim-diff -q --world --max 5cm n.axs n.vrma # the joint itself stays at rest
}

@test "the view angle of a camera is kept in a new file with -x pointer, and in Unity" {
	cat >camera.tscn <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 2.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Cam:fov")
		tracks/0/keys = { "times": PackedFloat32Array(0, 2), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [75.0, 30.0] }

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "go": SubResource("a") }

		[node name="Root" type="Node3D"]

		[node name="Cam" type="Camera3D" parent="."]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
	run -1 --separate-stderr anim convert camera.tscn plain.glb
	[[ $stderr == *"only players that support KHR_animation_pointer can play such properties; -x pointer writes them"* ]]
	run -0 --separate-stderr anim convert -x pointer camera.tscn camera.gltf
	[ "$stderr" = "" ]
	grep -q '"perspective":{"yfov":1.3089969,"znear":0.05}' camera.gltf
	grep -q '{"name":"Cam","camera":0}' camera.gltf
	anim diff --max 0.1% camera.tscn camera.gltf
	# a library does not say which class its nodes have
	anim convert -q camera.tscn camera.tres
	anim convert -q camera.tres camera.anim
	grep -q 'attribute: field of view' camera.anim
	grep -q 'classID: 20' camera.anim
	run --separate-stderr anim convert camera.tscn camera.fbx
	[[ $stderr == *"left out, because the view angle needs a camera, and none is written to FBX"* ]]
}
