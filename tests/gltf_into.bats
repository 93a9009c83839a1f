#!/usr/bin/env bats
# anim-emit --into: clips go into a .glb or .gltf, and every byte that is not one of its animations stays.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v python3 >/dev/null || skip "python3 is not installed, which makes the files and looks at them"
}

# hero [--text | --data]: hero.glb, or hero.gltf with a .bin beside it or its numbers in it. Odd blanks, members and chunks
# that no program of ours knows, a mesh with two morph targets, two animations. EXTENSION: the one that it has.
hero() {
	python3 - "$@" <<-'PY'
		import base64, os, struct, sys
		data = struct.pack('<6f', 0, 1, 0, 0.5, 0.5, 1) + struct.pack('<6f', 1, 2, 3, 4, 5, 6) + b'\x89PNG....'
		data += struct.pack('<9f', *[0] * 9)
		uri = {'--text': ' "uri" : "hero.bin",', '--data': ' "uri": "data:application/octet-stream;base64,%s",' % base64.b64encode(data).decode()}
		text = '''{ "asset" : {"version":"2.0", "generator":"some \\u0041rtist"},
		  "extras": {"mine": [1.50, 2e0, "\u00e9"]},
		  "scene": 0, "scenes": [{"nodes": [0, 3]}],
		  "nodes": [
		    {"name":"Armature","children":[1, 2]}, {"name":"Hips","extras":{"a":"1"}}, {"name":"Face","mesh":0,"weights":[0.25,0.5]},
		    {"name":"Hips"}
		  ],
		  "meshes": [{"primitives":[{"attributes":{"POSITION":2},"targets":[{"POSITION":2},{"POSITION":2}]}],
		    "extras":{"targetNames":["smile","frown"]}}],
		  "animations" : [
		    {"name":"idle","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}]} ,
		    {"name":"walk","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}
		  ],
		  "accessors": [
		    {"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
		    {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"},
		    {"bufferView":3,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}
		  ],
		  "bufferViews": [{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":24,"byteLength":24},
		    {"buffer":0,"byteOffset":48,"byteLength":8},{"buffer":0,"byteOffset":56,"byteLength":36}],
		  "buffers": [{%s "byteLength":%d}], "extensionsUsed":["VENDOR_odd"], "extensions":{"VENDOR_odd":{"x":[ ]}}
		}''' % (uri.get(sys.argv[1], '') if len(sys.argv) > 1 else '', len(data))
		text = text.replace('VENDOR_odd', os.environ.get('EXTENSION', 'VENDOR_odd'))
		text = text.encode()
		if len(sys.argv) > 1:
		    open('hero.gltf', 'wb').write(b'\xef\xbb\xbf' + text + b'\n\n')
		    open('hero.bin', 'wb').write(data)
		else:
		    text += b' ' * (-len(text) % 4)
		    chunks = struct.pack('<II', len(text), 0x4E4F534A) + text + struct.pack('<II', len(data), 0x4E4942) + data
		    chunks += struct.pack('<II4s', 4, 0x12345678, b'mine')
		    open('hero.glb', 'wb').write(struct.pack('<III', 0x46546C67, 2, 12 + len(chunks)) + chunks)
	PY
	chmod u=rw,go=r hero.gl*
	cp hero.gl* before
}

# kept BEFORE AFTER: all that is no animation, nor a list that only grew, is the same: text, numbers, other chunks.
kept() {
	python3 - "$@" <<-'PY'
		import json, re, struct, sys
		def load(name):
		    data = open(name, 'rb').read()
		    if data[:4] != b'glTF':
		        return data, b'', b''
		    assert struct.unpack_from('<I', data, 8)[0] == len(data)
		    at, chunks = 12, []
		    while at < len(data):
		        size, kind = struct.unpack_from('<II', data, at)
		        assert size % 4 == 0
		        chunks.append(data[at + 8:at + 8 + size])
		        at += 8 + size
		    assert len(chunks) == 3
		    return chunks[0].rstrip(b' '), chunks[1], chunks[2]
		old, new = load(sys.argv[1]), load(sys.argv[2])
		a, b = json.loads(old[0]), json.loads(new[0])
		assert new[1].startswith(old[1]) and new[2] == old[2]
		for key in a:
		    if key in ('accessors', 'bufferViews', 'extensionsUsed') or (key == 'buffers' and 'uri' in a[key][0]):
		        assert b[key][:len(a[key])] == a[key], key
		    elif key == 'buffers':
		        assert b[key][0]['byteLength'] == len(new[1]) and len(b[key]) == 1
		    elif key != 'animations':
		        assert a[key] == b[key], key
		# The text itself, but for the four lists.
		def rest(text):
		    text = re.sub(rb'"animations" : \[.*?\n\t*  \],', b'', text, flags=re.S)
		    text = re.sub(rb'(?s)"accessors": \[.*?\n\t*  \],\n\t*  "bufferViews"', b'', text)
		    return text.split(b'"animations"')[0].split(b': [{"buffer":0')[0]
		assert rest(new[0]).startswith(rest(old[0])[:400]), 'text'
	PY
}

keys() {
	python3 "$ROOT/tests/gltf_keys.py" "$1"
}
names() {
	keys "$1" | cut -d' ' -f1 | uniq | tr '\n' ' '
}
validate() {
	local status=0

	command -v node >/dev/null || return 0
	node "$ROOT/tests/gltf_validate.js" "$@" >said || status=$?
	[ "$status" -eq 2 ] || ! grep -v 'GLB_UNKNOWN_CHUNK_TYPE' said
}

clip() {
	printf '{"clip":{"name":"%s","root":".","source":"x","start":0,"end":%s,"loop":"none","axes":"gltf","axes2d":"unknown","flags":[],"rate":null,"attributes":{}}}\n' "$1" "$2"
}
track() {
	printf '{"track":{"node":"%s","property":"%s","component":null,"kind":"Curve","type":"%s","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"Linear","keys":2,"attributes":{},"columns":{"time":[0,1],"value":%s}}}\n' "$1" "$2" "$3" "$4"
}
stream() {
	{ echo '{"anim_json":1}'; cat; echo '{"end":true}'; } | anim-parse -f json
}
# turn CLIP: a stream with the clip, which turns the face.
turn() {
	{ clip "$1" 1; track Armature/Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'; } | stream
}

@test "a clip takes the place of the file's of its name, another is added, and all else stays" {
	hero
	turn walk | anim-emit --into hero.glb
	kept before hero.glb
	[ "$(names hero.glb)" = "idle walk " ]
	keys hero.glb | grep -q '^walk Face.rotation LINEAR 1 0 1 0 0$'
	keys before | grep ^idle | diff - <(keys hero.glb | grep ^idle)
	turn run | anim-emit --into hero.glb 2>told
	[ "$(cat told)" = "anim-emit: note: clip 'run': new in hero.glb" ]
	kept before hero.glb
	[ "$(names hero.glb)" = "idle walk run " ]
	turn idle | anim-emit --into hero.glb
	[ "$(names hero.glb)" = "idle walk run " ]
	[ "$(keys hero.glb | grep -c rotation)" -eq 6 ]
	kept before hero.glb
	validate hero.glb
}

@test "-o leaves the file as it was; in its place it keeps its mode, and a failure leaves it alone" {
	hero
	turn run | anim-emit --into hero.glb -o other.glb
	cmp before hero.glb
	kept before other.glb
	chmod 640 hero.glb
	turn run | anim-emit --into hero.glb
	[ "$(stat -c %a hero.glb)" = 640 ]
	cmp hero.glb other.glb
	cp before hero.glb
	run -1 --separate-stderr bash -o pipefail -c "head -c 200 <(anim-pack --help; cat hero.glb) | anim-emit --into hero.glb"
	cmp before hero.glb
	turn run >run.axs
	head -c 500 before >hero.glb
	run -1 --separate-stderr anim-emit --into hero.glb run.axs
	[[ $stderr == "anim-emit: hero.glb: byte 500: "* ]]
	gzip -c before >hero.glb
	run -1 --separate-stderr anim-emit --into hero.glb run.axs
	[ "$stderr" = "anim-emit: hero.glb: it is gzip: unpack it first" ]
	[ "$(ls -A | grep -c -F .anim-)" -eq 0 ]
}

@test "--only takes the others out, wherever they are" {
	hero
	for name in idle walk run; do
		cp before hero.glb
		turn $name | anim-emit --only --into hero.glb
		[ "$(names hero.glb)" = "$name " ]
		kept before hero.glb
		validate hero.glb
	done
}

@test "a .gltf gets the new numbers as data of its own, whatever holds the old ones" {
	local kind

	for kind in --text --data; do
		hero $kind
		cp hero.bin bin.before
		turn run | anim-emit --into hero.gltf
		cmp bin.before hero.bin
		head -c 3 hero.gltf | cmp - <(printf '\xef\xbb\xbf')
		tail -c 4 hero.gltf | cmp - <(tail -c 4 before)
		tail -c +4 before >a.gltf
		tail -c +4 hero.gltf >b.gltf
		kept a.gltf b.gltf
		anim-parse -q hero.gltf | anim-filter -c run | anim-emit csv | cut -d, -f 2,3,8,10-13 >got
		printf 'node,property,time,v0,v1,v2,v3\nArmature/Face,rotation,0,0,0,0,1\nArmature/Face,rotation,1,0,1,0,0\n' | diff - got
		validate b.gltf
	done
}

@test "a file without animations, without numbers, without nodes that move" {
	printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Face"}]}' >a.gltf
	turn run >run.axs
	anim-emit --into a.gltf run.axs
	[ "$(keys a.gltf)" = "$(printf 'run Face.rotation LINEAR 0 0 0 0 1\nrun Face.rotation LINEAR 1 0 1 0 0')" ]
	validate a.gltf
	printf '{"asset":{"version":"2.0"},"nodes":[{"name":"Other"}],"animations":[ ],"accessors":[]}' >b.gltf
	cp b.gltf before
	run -1 --separate-stderr anim-emit -q --into b.gltf run.axs
	[ "${stderr_lines[-1]}" = "anim-emit: b.gltf: no track drives a node of the file: the input has 'Armature/Face', the file has 'Other'; use anim-retarget or anim-rename if it is for another character" ]
	cmp before b.gltf
	printf '{"asset":{"version":"2.0"},"nodes":[{"name":"Face"}],"animations":[ ],"accessors":[\n],"buffers":[ ],"bufferViews":[]}' >b.gltf
	anim-emit --into b.gltf run.axs
	[ "$(keys b.gltf)" = "$(keys a.gltf)" ]
}

@test "a node that is animated loses its matrix for what that is made of; one that is made of no such is refused" {
	at='1, 0, 0, 0, 0, 0, -2, 0, 0, 3, 0, 0, 4, 5, 6, 1'
	whole() { printf '{"asset":{"version":"2.0"},"nodes":[{%s},{"matrix":[%s],"name":"Other"}]}' "$1" "$at"; }
	parts='"translation":[4,5,6],"rotation":[-0.70710677,0,0,0.70710677],"scale":[1,2,3]'
	turn run >run.axs
	for first in "\"matrix\" : [$at]|$parts|,\"name\":\"Face\"" "\"name\":\"Face\"|\"name\":\"Face\",$parts| , \"matrix\":[$at]" \
		'"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]|"translation":[0,0,0]|,"name":"Face"'; do
		IFS='|' read -r before after more <<<"$first"
		[[ $more == *matrix* ]] && { whole "$before$more" >a.gltf; more=; } || whole "$before$more" >a.gltf
		anim-info --tree a.gltf | sed 's/-0\b/0/g' >want
		anim-emit --into a.gltf run.axs
		[[ $(head -c 4096 a.gltf) == "$(whole "$after$more" | head -c -2)"* ]] || { cat a.gltf; return 1; }
		anim-info --tree a.gltf | sed 's/-0\b/0/g' | diff want -
		validate a.gltf
	done
	for bad in '1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1' '1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1'; do
		whole "\"name\":\"Face\",\"matrix\":[$bad]" >b.gltf
		cp b.gltf before
		run -1 --separate-stderr anim-emit --into b.gltf run.axs
		[ "$stderr" = "anim-emit: b.gltf: nodes[0] has a matrix that is not a product of a translation, a rotation and a scale and cannot be animated: animated nodes can only have translation, rotation and scale" ]
		cmp before b.gltf
	done
}

@test "an animation without a name is called by the file, whatever folder that is in" {
	hero
	mkdir there
	sed 's/"name":"idle",/              /; s/"name":"walk",/              /' hero.glb >there/hero.glb
	anim-parse -q there/hero.glb | anim-retime --speed 2 | anim-emit -q --into there/hero.glb 2>told
	[ ! -s told ]
	[ "$(keys there/hero.glb | wc -l)" -eq 4 ]
	[ "$(keys there/hero.glb | grep -c ' 0.5 ')" -eq 2 ]
}

@test "the only clip without a name replaces the only animation without one, whatever the files are called" {
	other '' '{"sampler":0,"target":{"node":0,"path":"rotation"}}' '{"input":0,"output":1}'
	sed -i 's/"name":"walk" //; s/"animations":\[{,/"animations":[{/' other.gltf
	cp other.gltf hero.gltf
	run -0 --separate-stderr bash -c 'anim-parse other.gltf | anim-emit --into hero.gltf'
	[ "$stderr" = "anim-emit: hero.gltf: warning: 1 clip is replaced: hero; the old keys stay in the file; to drop them, use --compact
anim-emit: other.gltf: note: clip 'other', which has no name in its file, replaces the only animation without a name in hero.gltf" ]
	[ "$(anim-info --csv hero.gltf | tail -n +2 | cut -d, -f1)" = hero ]
	run ! grep -q '"name":"other"' hero.gltf
	# One that got a name meanwhile is another clip, and of several nobody knows which is meant.
	anim-parse other.gltf | anim-rename --on clip -e 's/.*/run/' | anim-emit -q --into hero.gltf
	[ "$(anim-info --csv hero.gltf | tail -n +2 | cut -d, -f1 | sort -u | tr '\n' ' ')" = "hero run " ]
	sed -i 's/"name":"run",//' hero.gltf
	anim-parse other.gltf | anim-emit -q --into hero.gltf
	[ "$(anim-info --csv hero.gltf | tail -n +2 | cut -d, -f1 | sort -u | tr '\n' ' ')" = "hero hero-2 other " ]
}

@test "a .vrma is written into as a .glb is: bones, the gaze and expressions find their nodes" {
	cp "$DATA/vrm/look.vrma" x.vrma
	anim-parse -q x.vrma | anim-emit --into x.vrma
	for file in "$DATA/vrm/look.vrma" x.vrma; do
		# a weight has no y and z; the hips are written when all above them are known
		keys "$file" | sed -E 's/ -0( |$)/ 0\1/g; s/ -0( |$)/ 0\1/g' | sort >"keys.${file##*/}"
	done
	diff <(grep -v cu_myFace keys.look.vrma) <(grep -v cu_myFace keys.x.vrma) # its cubic keys became linear
	{
		clip dance 1
		track . expression/happy float '[0,1]'
		track . expression/unknown float '[0,1]'
		track look rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
	} | stream | anim-emit --into x.vrma 2>said
	grep -q "track '. expression/unknown': left out, because the file does not have the expression" said
	[ "$(keys x.vrma | cut -d' ' -f2 | sort -u | tr '\n' ' ')" = "ex_happy.translation look.rotation " ]
	validate x.vrma
}

@test "nodes are found by path, else by a name that one alone has; tracks of others are left out" {
	hero
	{
		clip run 1
		track Armature/Hips rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
		track Elsewhere/Skeleton3D:Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
		track Elsewhere/Hips rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
		track Nobody rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
	} | stream | anim-emit --into hero.glb 2>told
	grep -q "2 tracks: left out, because the file does not have the node (first 'Elsewhere/Hips rotation'" told
	[ "$(keys hero.glb | grep -c ^run)" -eq 4 ]
	{ clip run 1; track Nobody rotation floatQ '[[0,0,0,1],[0,1,0,0]]'; } | stream >x.axs
	cp hero.glb before
	run -1 --separate-stderr anim-emit --strict --into hero.glb x.axs
	cmp before hero.glb
}

@test "blend shapes are found by their names, else by their numbers, and the others stay as the file has them" {
	hero
	{
		clip run 1
		track Armature/Face blend_shape/frown float '[0,1]'
		track Armature/Face blend_shape/other float '[0,1]'
		clip again 1
		track Armature/Face blend_shape/morph_0 float '[0,1]'
	} | stream | anim-emit --into hero.glb 2>told
	grep -q "track 'Armature/Face blend_shape/other': left out, because the mesh in the file does not have the blend shape" told
	keys hero.glb | grep weights >got
	printf '%s\n' 'run Face.weights LINEAR 0 0.25 0' 'run Face.weights LINEAR 1 0.25 1' \
		'again Face.weights LINEAR 0 0 0.5' 'again Face.weights LINEAR 1 1 0.5' | diff - got
	kept before hero.glb
	validate hero.glb
}

@test "visibility goes only where nodes have theirs, pointers wherever asked for" {
	hero
	{
		clip run 1
		track . /materials/0/alphaCutoff float '[0,1]'
		track Armature visible bool '[true,false]' | sed 's/Curve/Discrete/; s/"Linear"/"Hold"/'
	} | stream >x.axs
	anim-emit -q --pointer --into hero.glb x.axs 2>told
	grep -q "track 'Armature visible': left out, because the file does not use KHR_node_visibility" told
	keys hero.glb | grep ^run >got
	printf '%s\n' 'run /materials/0/alphaCutoff LINEAR 0 0' 'run /materials/0/alphaCutoff LINEAR 1 1' | diff - got
	kept before hero.glb
	printf '{"asset":{"version":"2.0"},"extensionsUsed":["KHR_animation_pointer","KHR_node_visibility"],"nodes":[{"name":"Armature","extensions":{"KHR_node_visibility":{"visible":true}}}]}' >a.gltf
	anim-emit -q --into a.gltf x.axs
	keys a.gltf | grep -q '^run /nodes/0/extensions/KHR_node_visibility/visible STEP 1 0$'
}

@test "what was read from a file goes back into it as it was" {
	hero
	anim-parse hero.glb | anim-emit --into hero.glb
	kept before hero.glb
	diff <(keys before) <(keys hero.glb)
	anim-parse hero.glb | anim-retime --speed 2 | anim-emit --into hero.glb
	[ "$(keys hero.glb | grep -c ' 0.5 ')" -eq 2 ]
	kept before hero.glb
}

# other MEMBERS CHANNELS SAMPLERS: a file with the animation "walk", which has these members, too.
other() {
	printf '{"asset":{"version":"2.0"},"extensionsUsed":["EXT_v"],"nodes":[{"name":"Face"},{"name":"Hips"}],"animations":[{"name":"walk" %s,"channels":[%s],"samplers":[%s]}],"accessors":[{"componentType":5126,"count":1,"type":"SCALAR"},{"componentType":5126,"count":1,"type":"VEC4"}]}' "$@" >other.gltf
}

@test "all members of an animation that is replaced stay but channels and samplers" {
	local spin='{"node":0,"path":"rotation"}'

	other ', "extras" : {"a": [1.50, "\u00e9"]} ,"extensions":{"EXT_v":{"x":[ ]}}' "{\"sampler\":0,\"target\":$spin}" '{"input":0,"output":1}'
	turn walk >walk.axs
	run -0 --separate-stderr anim-emit -q --force --into other.gltf walk.axs
	[ "$stderr" = "" ]
	grep -qF '"name":"walk" , "extras" : {"a": [1.50, "\u00e9"]} ,"extensions":{"EXT_v":{"x":[ ]}},"channels":[' other.gltf
	[ "$(keys other.gltf)" = "$(printf 'walk Face.rotation LINEAR 0 0 0 0 1\nwalk Face.rotation LINEAR 1 0 1 0 0')" ]
	validate other.gltf
	# It stays without a name, too.
	sed -i 's/"name":"walk" , //' other.gltf
	anim-parse other.gltf | anim-emit --into other.gltf
	grep -qF '"animations":[{"extras" : {' other.gltf
}

@test "members of channels and samplers stay where the clip drives the same property, and others are a warning" {
	local spin='"target":{ "node":0,"path":"rotation", "extras":7,"extensions":{"EXT_v":{}}}'

	other '' "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"scale\"}},{ \"x\":{\"y\":1} , \"sampler\":0,$spin,\"extras\":[2]}" \
		'{"extras":"s" ,"input":0,"output":1},{"input":0,"output":0}'
	turn walk >walk.axs
	run -0 --separate-stderr anim-emit -q --force --into other.gltf walk.axs
	[ "$stderr" = "" ]
	grep -qF "{\"sampler\":0,$spin,\"x\":{\"y\":1},\"extras\":[2]}" other.gltf
	grep -qF '{"input":2,"output":3,"extras":"s"}' other.gltf
	other '' "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"scale\"},\"extras\":1},{\"sampler\":0,$spin}" \
		'{"input":0,"output":1},{"input":0,"output":0}'
	cp other.gltf before
	run -1 --separate-stderr anim-emit --strict --into other.gltf walk.axs
	cmp before other.gltf
	run -0 --separate-stderr anim-emit -q --force --into other.gltf walk.axs
	[ "$stderr" = "anim-emit: walk.axs: 'walk': warning: animations[0].channels[0]: extras and extensions are lost, because the clip has no such track (other.gltf)" ]
	# A pointer, and the sampler that several channels have: its members stay once.
	spin='"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/alphaCutoff","z":1}}}'
	other '' "{\"sampler\":0,$spin},{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}" '{"input":0,"output":1,"extras":{}}'
	{
		clip walk 1
		track . /materials/0/alphaCutoff float '[0,1]'
		track Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
	} | stream | anim-emit -q --pointer --into other.gltf
	grep -qF "{\"sampler\":0,$spin}" other.gltf
	[ "$(grep -o '"extras":{}' other.gltf | wc -l)" -eq 1 ]
}

@test "--extras puts the events among the extras that the animation has" {
	local extras

	{
		clip walk 1
		track Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'
		track Face @method string '["1","2"]' | sed 's/Curve/Discrete/; s/"Linear"/"Hold"/'
	} | stream >walk.axs
	for extras in '' ', "extras":{ }' ', "extras":{"a":1}' ', "extras":{"events":[3], "a":1}'; do
		other "$extras" '{"sampler":0,"target":{"node":0,"path":"rotation"}}' '{"input":0,"output":1}'
		anim-emit -q --extras --into other.gltf walk.axs
		python3 - <<-'PY'
			import json
			a = json.load(open('other.gltf'))['animations'][0]
			assert [e['value'] for e in a['extras']['events']] == [1, 2]
			assert a['extras'].get('a', 1) == 1
		PY
		[[ $extras != *'"a"'* || $(grep -c '"a":1' other.gltf) -eq 1 ]]
		validate other.gltf
	done
	other ', "extras":5' '{"sampler":0,"target":{"node":0,"path":"rotation"}}' '{"input":0,"output":1}'
	run -0 --separate-stderr anim-emit -q --force --extras --into other.gltf walk.axs
	[ "$stderr" = "anim-emit: walk.axs: 'walk': warning: events are left out, because the extras of the animation in the file are not an object (animations[0] of other.gltf)" ]
	grep -qF '"extras":5' other.gltf
}

# compact BEFORE AFTER NUMBERS [CLIP...]: all that these clips and others than animations have is kept; so many bytes of numbers
# were and are there.
compact() {
	local numbers=$3

	[ "$(python3 "$ROOT/tests/gltf_kept.py" "$1" "$2" "${@:4}")" = "$numbers" ]
}

@test "--compact drops what only animations had that are replaced or go, and all else keeps its numbers and its bytes" {
	export EXTENSION=VRMC_springBone
	hero
	turn walk | anim-emit --compact --into hero.glb
	compact before hero.glb "92 132" idle # the other one has the same keys
	validate hero.glb
	turn walk | anim-emit --only --compact --into hero.glb
	[ "$(names hero.glb)" = "walk " ]
	keys hero.glb | grep -q '^walk Face.rotation LINEAR 1 0 1 0 0$'
	compact before hero.glb "92 100" # 32 bytes of the old ones, 40 of the new
	validate hero.glb
	{ clip walk 1; track Armature/Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'; track Armature scale float3 '[[1,1,1],[2,2,2]]'; } |
		stream | anim-emit --compact --into hero.glb
	compact before hero.glb "92 124"
	cp hero.glb more.glb
	turn walk | anim-emit --compact --into hero.glb
	compact before hero.glb "92 100"
	[ "$(stat -c %s hero.glb)" -lt "$(stat -c %s more.glb)" ]
}

@test "with --compact a clip that comes again and again needs no more room" {
	local kind file i

	export EXTENSION=VRMC_springBone
	turn walk >walk.axs
	{ clip walk 1; track Armature/Face rotation floatQ '[[0,0,0,1],[0,1,0,0]]'; track Armature scale float3 '[[1,1,1],[2,2,2]]'; } |
		stream >other.axs
	for kind in "" --text --data; do
		hero $kind
		file=$(echo hero.gl*)
		anim-emit -q --compact --into "$file" walk.axs
		cp "$file" first
		for ((i = 0; i < 25; i++)); do
			anim-emit -q --compact --into "$file" other.axs
			anim-emit -q --compact --into "$file" walk.axs
		done
		[ "$(stat -c %s "$file")" -le "$(stat -c %s first)" ]
		compact before "$file" "$(python3 "$ROOT/tests/gltf_kept.py" before first idle)" idle
		rm hero.*
	done
}

@test "--reduce into the file of the clips drops their old keys, so that it gets smaller, or a note says why not" {
	local file

	export EXTENSION=VRMC_springBone
	for file in hero.glb hero.gltf; do
		hero $([ $file = hero.glb ] || echo --data)
		{ clip walk 1; track Armature/Face rotation floatQ '[[0,0,0,1],[0,0,0,1]]'; } | stream | anim-resample -q 100 |
			anim-emit -q --compact --into $file
		cp $file full
		run -0 --separate-stderr anim convert --reduce 1mm@10cm --into $file $file
		[ "$(stat -c %s $file)" -lt $(($(stat -c %s full) - 1600)) ]
		[[ $stderr != *"stay"* ]]
		cp $file small
		anim convert -q --reduce 1mm@10cm --into $file $file
		[ "$(stat -c %s $file)" -le "$(stat -c %s small)" ]
		rm hero.*
	done
	# the numbers of another file cannot go
	hero --text
	run -0 --separate-stderr anim convert --reduce 1mm@10cm --into hero.gltf hero.gltf
	[ "$(stat -c %s hero.gltf)" -gt "$(stat -c %s before)" ]
	[[ $stderr == *"note: hero.gltf ("*" bytes) is larger than hero.gltf was ("*"): the old keys were packed, or stay in it" ]]
}

@test "of a bufferView that several animations have --compact drops what those had that go" {
	local part

	{
		clip idle 1; track A position float3 '[[0,0,0],[1,1,1]]'
		clip walk 1; track A position float3 '[[0,0,0],[2,2,2]]'; track A scale float3 '[[1,1,1],[2,2,2]]'
		clip run 1; track A position float3 '[[0,0,0],[3,3,3]]'
	} | stream >all.axs
	for part in glb gltf; do
		anim-emit -o "hero.$part" all.axs
		cp "hero.$part" before
		{ clip walk 1; track A position float3 '[[0,0,0],[4,4,4]]'; } | stream | anim-emit --compact --into "hero.$part"
		compact before "hero.$part" "104 88" idle run
		keys before | grep -v ^walk | diff - <(keys "hero.$part" | grep -v ^walk)
		keys "hero.$part" | grep -q '^walk A.translation LINEAR 1 4 4 4$'
		validate "hero.$part"
	done
}

@test "--compact drops nothing where an extension may have it, nor what another file has, and says so" {
	hero
	cp hero.glb other.glb
	turn walk >walk.axs
	anim-emit --only --into hero.glb walk.axs
	run -0 --separate-stderr anim-emit --only --compact --into other.glb walk.axs
	[[ $stderr == *"anim-emit: other.glb: note: the data of deleted animations is kept: the references of extension 'VENDOR_odd' are unknown"* ]]
	cmp hero.glb other.glb
	rm hero.glb
	EXTENSION=VRMC_springBone hero --text
	run -0 --separate-stderr anim-emit --only --compact --into hero.gltf walk.axs
	[[ $stderr == *"anim-emit: hero.gltf: note: numbers of deleted animations stay in 'hero.bin', which is another file"* ]]
	compact before hero.gltf "92 132"
	# Where nothing goes nothing needs to be known.
	rm hero.*
	hero
	run -0 --separate-stderr anim-emit --compact --into hero.glb <(turn run)
	[ "$stderr" = "anim-emit: note: clip 'run': new in hero.glb" ]
	run -2 --separate-stderr anim-emit --compact glb walk.axs
	[[ $stderr == "anim-emit: --compact requires --into"* ]]
	run -2 --separate-stderr anim-emit --compact --into hero.tscn walk.axs
	[[ $stderr == "anim-emit: --compact is for gltf, glb and vrma, not for tscn"* ]]
}

@test "with --compact a number in extras keeps the accessor or view that it may refer to, and a note says so" {
	export EXTENSION=VRMC_springBone
	hero
	sed -i 's/"extras":{"a":"1"}/"extras":{"a":0  }/' hero.glb before # a mesh's, and accessor 0, which stays for idle
	turn walk >walk.axs
	run -0 --separate-stderr anim-emit --compact --force --into hero.glb walk.axs
	[ "$stderr" = "anim-emit: hero.glb: note: 1 clip is replaced: walk" ]
	python3 - <<-'PY'
		import json
		d = {"asset": {"version": "2.0"}, "nodes": [{"name": "Face", "extras": {"deep": [{"baked": 1}], "half": 0.5, "many": -1, "text": "0"}}],
		     "animations": [{"name": "walk", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}],
		     "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]}, {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"}],
		     "bufferViews": [{"buffer": 0, "byteLength": 32}], "buffers": [{"byteLength": 32, "uri": "data:application/octet-stream;base64," + "AAAAAAAAgD8" + "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBA" + "="}]}
		json.dump(d, open('named.gltf', 'w'))
	PY
	cp named.gltf before
	run -0 --separate-stderr anim-emit --compact --into named.gltf walk.axs
	[ "${stderr_lines[1]}" = "anim-emit: named.gltf: note: of the accessors and views of deleted animations, 1 remains, because a number in extras may refer to them" ]
	python3 - <<-'PY'
		import base64, json
		def element(name):
		    d = json.load(open(name))
		    a = d["accessors"][1]
		    v = d["bufferViews"][a["bufferView"]]
		    data = base64.b64decode(d["buffers"][v["buffer"]]["uri"].split(",")[1])
		    at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
		    return a["type"], a["count"], data[at:at + 24]
		assert element("before") == element("named.gltf"), (element("before"), element("named.gltf"))
	PY
	keys named.gltf | grep -q '^walk Face.rotation LINEAR 1 0 1 0 0$'
}

# said_as_before BEFORE AFTER FILE...: of the files in both folders the validator says the same; one process looks at all of a folder.
said_as_before() {
	command -v node >/dev/null || return 0
	diff <(cd "$1" && node "$ROOT/tests/gltf_validate.js" "${@:3}") <(cd "$2" && node "$ROOT/tests/gltf_validate.js" "${@:3}")
}

@test "of files of others --compact drops what nothing else has, and the validator says what it said before" {
	not_bytewise "the same is tried on our own"
	not_sanitized "the same is tried on our own"
	local file written=()

	[ -d "$ANIM_CORPUS/gltf" ] || skip "no files of others at $ANIM_CORPUS"
	mkdir before after
	cp "$ANIM_CORPUS"/gltf/* before && cp before/* after && chmod u+w after/*
	for file in before/*.gl*; do
		file=${file#before/}
		anim-parse -q "before/$file" >a.axs 2>/dev/null || continue
		anim-emit -q --compact --into "after/$file" a.axs
		python3 "$ROOT/tests/gltf_kept.py" "before/$file" "after/$file" >/dev/null
		anim-parse -q "after/$file" >b.axs
		[ "$(anim-emit json a.axs | grep -c '"gltf.component"')" -gt 0 ] ||
			diff <(anim-emit json a.axs | grep '^{"track\|^{"clip' | sort) <(anim-emit json b.axs | grep '^{"track\|^{"clip' | sort) >/dev/null
		cp "after/$file" first
		anim-emit -q --compact --into "after/$file" b.axs
		[ "$(stat -c %s "after/$file")" -le "$(stat -c %s first)" ]
		written+=("$file")
	done
	[ "${#written[@]}" -gt 15 ]
	said_as_before before after "${written[@]}"
}

@test "of files of others, too, nothing but the animations changes, and the validator says what it said before" {
	not_bytewise "the same is tried on our own"
	not_sanitized "the same is tried on our own"
	local file written=()

	[ -d "$ANIM_CORPUS/gltf" ] || skip "no files of others at $ANIM_CORPUS"
	cp "$ANIM_CORPUS"/gltf/* . && chmod u+w ./*
	for file in *.glb *.gltf; do
		anim-parse -q "$file" >a.axs 2>/dev/null || continue
		anim-emit -q --into "$file" a.axs
		anim-parse -q "$file" >b.axs
		diff <(anim-emit json a.axs | grep '^{"track\|^{"clip' | sort) <(anim-emit json b.axs | grep '^{"track\|^{"clip' | sort) >/dev/null ||
			[ "$(grep -c '"gltf.component"' <(anim-emit json a.axs))" -gt 0 ] || { echo "$file" && return 1; }
		written+=("$file")
	done
	[ "${#written[@]}" -gt 15 ]
	said_as_before "$ANIM_CORPUS/gltf" . "${written[@]}"
}
