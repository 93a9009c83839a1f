#!/usr/bin/env bats
# The glTF reader: containers, accessors, samplers, names, pointers, compressed views, other files, hostile documents.

load helper

corpus=$ANIM_CORPUS/gltf

# document MEMBERS: a document with one animation of node 0's position, 2 keys, in base64; MEMBERS come last and count.
document() {
	cat <<-END
		{"asset":{"version":"2.0"},"nodes":[{"name":"a"}],
		"animations":[{"name":"go","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
		"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
		"buffers":[{"byteLength":32,"uri":"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAQAAAQEA="}]$1}
	END
}

# le32 NUMBER: its four bytes.
le32() {
	printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)))"
}

# glb JSON FILE OUT: the text as JSON, padded, and the file as BIN.
glb() {
	local json=$1
	while [ $((${#json} % 4)) -ne 0 ]; do json+=' '; done
	{ printf 'glTF'; le32 2; le32 $((28 + ${#json} + $(wc -c <"$2"))); le32 ${#json}; printf 'JSON%s' "$json"
	le32 "$(wc -c <"$2")"; printf 'BIN\0'; cat "$2"; } >"$3"
}

# keys FILE: what reading gives of the tracks, without the names of files.
keys() {
	anim-parse -q "$@" | anim-emit json -q | grep '^{"track'
}

# whole FILE...: those of the corpus that need nothing unpacked and are read.
whole() {
	ls "$corpus"/*.gltf "$corpus"/*.glb "$corpus"/*.vrma | grep -vE 'version1|-cc|-cz'
}

need_python() {
	command -v python3 >/dev/null || skip "no python3"
}

@test "a faulty clip among others is refused with the way to the others" {
	printf '{"asset":{"version":"2.0"},"nodes":[{"name":"A"}],"accessors":[{"componentType":5126,"count":0,"type":"SCALAR"},{"componentType":5126,"count":1,"type":"SCALAR"},{"componentType":5126,"count":1,"type":"VEC3"}],"animations":[{"name":"bad","samplers":[{"input":0,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},{"name":"good","samplers":[{"input":1,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}' >x.gltf
	run -1 --separate-stderr anim-parse x.gltf
	[ "$stderr" = "anim-parse: x.gltf: animations[0].channels[0]: accessors[0]: no elements; --keep-going leaves this clip out" ]
	[ "$(anim-parse -q --keep-going x.gltf | anim-info --csv | cut -d, -f1 | tail -n 1)" = good ]
}

@test "what is read of each file is what its dump says" {
	local file name bad=0
	for file in "$DATA"/gltf/*.gltf "$DATA"/gltf/*.glb "$DATA"/gltf/*.vrma; do
		name=$(basename "$file")
		anim-parse -q --no-provenance "$file" 2>err | anim-dump >out.dump
		[ -z "$REGOLD" ] || cp out.dump "$DATA/gltf/${name%.*}.dump"
		cmp "$DATA/gltf/${name%.*}.dump" out.dump || bad=1
	done
	[ "$bad" = 0 ]
}

@test "a file reads the same from a pipe, inflated, byte by byte, and with all of it in files" {
	local file name
	for file in "$DATA"/gltf/{interpolations,types,pointers}.gltf "$DATA/gltf/packed.glb" "$DATA/gltf/vrm.vrma"; do
		name=$(basename "$file")
		anim-parse -q --source-name "$name" "$file" 2>err >a.axs
		anim-parse -q --source-name "$name" <"$file" 2>err | cmp - a.axs
		gzip -c "$file" | anim-parse -q --source-name "$name" 2>err | cmp - a.axs
		ANIM_READ_MAX=1 anim-parse -q --source-name "$name" "$file" 2>err | cmp - a.axs
		ANIM_STORE_MEMORY=0 anim-parse -q --source-name "$name" "$file" 2>err | cmp - a.axs
		ANIM_STORE_MEMORY=100 anim-parse -q --source-name "$name" <"$file" 2>err | cmp - a.axs
		anim-parse -q --keep-going --no-provenance --source-name "$name" "$file" 2>err >b.axs
		anim-parse -q --no-provenance --source-name "$name" "$file" 2>err | cmp - b.axs
	done
}

@test "an evaluator of its own finds the same keys bit for bit, and the same values to 1e-6 at 1000 times a second" {
	local file
	need_python
	for file in "$DATA"/gltf/{interpolations,external,types,pointers}.gltf "$DATA/gltf/vrm.vrma"; do
		anim-parse -q "$file" 2>err | anim-emit json -q | python3 "$ROOT/tests/gltf_evaluate.py" "$file"
		anim-parse -q "$file" 2>err | anim-resample -q --all 1000 | anim-emit json -q | python3 "$ROOT/tests/gltf_evaluate.py" "$file" 1000
	done
}

@test "the same of the files of others" {
	local file count=0
	need_python
	not_bytewise "a window of one byte is tried on each of our own"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	for file in $(whole); do
		anim-parse -q "$file" >a.axs 2>err
		anim-emit json -q a.axs >"${file##*/}.keys"
		anim-resample -q --all 250 a.axs | anim-emit json -q >"${file##*/}.values"
	done
	not_sanitized "the evaluator's part, a check of values"
	for file in $(whole); do
		python3 "$ROOT/tests/gltf_evaluate.py" "$file" <"${file##*/}.keys"
		python3 "$ROOT/tests/gltf_evaluate.py" "$file" 250 <"${file##*/}.values"
		count=$((count + 1))
	done
	[ "$count" -ge 20 ]
}

@test "compressed files of others are near what they were made of" {
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	anim-diff --max 0.002m,0.002deg,0.2%,0.002px <(anim-parse -q "$corpus/AnimatedMorphCube.gltf") <(anim-parse -q "$corpus/gltfpack13_AnimatedMorphCube-cc-kn.glb")
	anim-parse -q "$corpus/CesiumMan.glb" | anim-filter -p rotation >a.axs
	anim-diff --max 0.05deg a.axs <(anim-parse -q "$corpus/gltfpack13_CesiumMan-cz.glb" | anim-filter -p rotation)
	anim-parse -q -c Survey "$corpus/Fox.glb" | anim-filter -p rotation >a.axs
	# gltfpack made it a little longer, and another length is a difference
	anim-parse -q -c Survey "$corpus/gltfpack13_Fox-cc.glb" | anim-filter -p rotation >b.axs
	run anim-diff --max 1deg a.axs b.axs
	[[ $output == *"20 tracks compared, 20 off within their limits"* ]]
}

@test "both codecs of compressed views give what was compressed" {
	keys "$DATA/gltf/packed.glb" >tracks
	[ "$(wc -l <tracks)" -eq 4 ]
	[ "$(sed -n 1p tracks | grep -o '"columns".*')" = "$(sed -n 3p tracks | grep -o '"columns".*')" ]
	[ "$(sed -n 2p tracks | grep -o '"columns".*')" = "$(sed -n 4p tracks | grep -o '"columns".*')" ]
	# key k of the rotations is k times 3 degrees about axis k mod 3
	sed -n 1p tracks | grep -q '"value":\[\[0,0,0,1\],\[0,0.026[0-9]*,0,0.9996[0-9]*\],\[0,0,0.052[0-9]*,0.9986[0-9]*\]'
	sed -n 1p tracks | grep -q '"gltf.component":"5122"'
}

@test "a file that has its asset after everything else is recognised by its first member, also from a slow pipe" {
	{ printf '{\n\t"animations" : [],'; printf '%5000s' ''; printf '"asset" : {"version" : "2.0"}}'; } >late.gltf
	ANIM_READ_MAX=1 run anim-parse - <late.gltf
	[[ $output != *"JSON, not an animation"* ]]
}

@test "every beginning of a GLB is refused, and so is one whose bytes were dropped" {
	local size file=$DATA/gltf/vrm.vrma
	size=$(wc -c <"$file")
	for ((n = 1; n < size; n += n < 40 || n > size - 40 ? 1 : 37)); do
		head -c "$n" "$file" >cut.glb
		run -1 --separate-stderr anim-parse -f gltf cut.glb
		[[ $stderr == "anim-parse: cut.glb:"* ]] || { echo "$n: $stderr"; return 1; }
	done
	head -c 200 "$file" >short.glb
	tail -c +202 "$file" >>short.glb
	run -1 anim-parse short.glb
}

@test "bytes of a GLB that no clip needs are passed over, and must be there" {
	python3 - <<-'PY'
		import json, struct
		text = json.dumps({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "a"}],
		                   "buffers": [{"byteLength": 1000000}]}).encode()
		text += b" " * (-len(text) % 4)
		data = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", 1000000, 0x4E4942) + bytes(1000000)
		data = b"glTF" + struct.pack("<II", 2, 12 + len(data)) + data
		open("whole.glb", "wb").write(data)
		open("cut.glb", "wb").write(data[:-1])
	PY
	anim-parse -q whole.glb >from_file.axs
	cat whole.glb | anim-parse -q -f gltf - >from_pipe.axs
	[ "$(anim-dump from_file.axs | grep -c '^node')" = 1 ]
	anim-dump from_pipe.axs | grep '^node' | diff - <(anim-dump from_file.axs | grep '^node')
	run -1 --separate-stderr anim-parse cut.glb
	[[ $stderr == "anim-parse: cut.glb: byte "*": the file is cut off"* ]]
}

@test "bytes after a GLB are passed over with a warning" {
	cat "$DATA/gltf/vrm.vrma" - >x.glb <<<extra
	run -0 --separate-stderr anim-parse x.glb -o x.axs
	[ "$stderr" = "anim-parse: x.glb: warning: there are bytes after the 1368 that the GLB should have; they are ignored" ]
}

@test "JSON padded with NULs, with a byte order mark, with arrays in another order reads the same" {
	keys "$(document >a.gltf; echo a.gltf)" >a
	{ printf '\xef\xbb\xbf'; cat a.gltf; } >b.gltf
	keys b.gltf | cmp - a
	printf '\0\0\0' >>b.gltf
	keys b.gltf | cmp - a
	sed -n '5{s/}]}$/}],/;s/^/{/;p}' a.gltf >c.gltf
	sed '1s/{//; 4s/,$//; 5d' a.gltf >>c.gltf
	echo '}' >>c.gltf
	keys c.gltf | cmp - a
}

@test "whole numbers may be written with a point or an exponent, and the last of doubled members counts" {
	keys "$(document >a.gltf; echo a.gltf)" >a
	sed 's/"count":2/"count":20e-1/; s/"byteLength":32/"byteLength":32.0/; s/"input":0/"input":7,"input":0/; s/"nodes"/"nodes":[],"nodes"/' a.gltf >b.gltf
	keys b.gltf | cmp - a
}

@test "base64 may lack its padding and have what JSON escapes" {
	keys "$(document >a.gltf; echo a.gltf)" >a
	sed 's/QEA=/QEA/; s|gD8A|gD\\u0038A|; s|IA/A|IA\\/A|' a.gltf >b.gltf
	run ! cmp -s a.gltf b.gltf
	keys b.gltf | cmp - a
}

@test "bytes of other files are found, with names in percents, and are in the depfile" {
	cp "$DATA"/gltf/external.gltf "$DATA/gltf/some keys.bin" .
	keys external.gltf >a
	keys "$DATA/gltf/interpolations.gltf" | cmp - a
	anim-parse -q --depfile x.d --target x.axs -o x.axs external.gltf
	grep -q 'some\\ keys.bin' x.d
	head -c 440 'some keys.bin' >cut
	mv cut 'some keys.bin'
	run -1 --separate-stderr anim-parse external.gltf
	[ "$stderr" = "anim-parse: some keys.bin: the file has 440 bytes, but buffers[0] should have 444" ]
}

@test "files are read in the folder of the document alone, regular ones, and not where the user says no" {
	mkdir -p in/side
	document | sed 's|data:;base64,[^"]*|side/x.bin|' >in/x.gltf
	document | grep -o 'base64,[^"]*' | cut -c 8- | base64 -d >in/side/x.bin
	keys in/x.gltf >a
	document >a.gltf
	keys a.gltf | cmp - a
	(cd in/side && keys ../x.gltf | cmp - ../../a)
	run -1 --separate-stderr anim-parse --no-external in/x.gltf
	[ "$stderr" = "anim-parse: in/x.gltf: buffers[0]: 'side/x.bin': other files are not followed" ]
	run -1 --separate-stderr bash -c 'anim-parse <in/x.gltf'
	[ "$stderr" = "anim-parse: -: buffers[0]: 'side/x.bin': the input is a pipe, so its folder is unknown" ]
	mv in/side/x.bin .
	ln -s ../../x.bin in/side/x.bin
	run -1 --separate-stderr anim-parse in/x.gltf
	[ "$stderr" = "anim-parse: in/x.gltf: buffers[0]: 'side/x.bin': it lies outside the file's folder" ]
	rm in/side/x.bin
	mkfifo in/side/x.bin
	run -1 --separate-stderr timeout 10 anim-parse in/x.gltf
	[ "$stderr" = "anim-parse: in/x.gltf: buffers[0]: 'side/x.bin': it is not a regular file" ]
	sed 's|side/x.bin|../x.bin|' in/x.gltf >in/y.gltf
	run -1 --separate-stderr anim-parse in/y.gltf
	[ "$stderr" = "anim-parse: in/y.gltf: buffers[0]: '../x.bin': it lies outside the file's folder" ]
}

@test "images, meshes and buffers that no animation needs are not opened" {
	document ',"images":[{"uri":"nowhere.png"}],"textures":[{"source":0}]' | sed 's|"buffers":\[|&{"byteLength":9,"uri":"nowhere.bin"},|; s|"buffer":0|"buffer":1|g' >x.gltf
	run -0 --separate-stderr anim-parse --strict x.gltf -o x.axs
	[ -z "$stderr" ]
}

@test "a scene of one root is that root; several are below one named after the file; what is animated is there in any case" {
	document ',"scenes":[{"nodes":[0]}],"nodes":[{"name":"top","children":[1]},{"name":"below"},{"name":"aside"}]' >one.gltf
	run -0 anim-info --tree one.gltf
	[ "${lines[0]}" = "tree of top, from one.gltf, gltf axes" ]
	[[ $(anim-parse -q one.gltf | anim-emit json | grep '^{"node' | grep -o '"path":"[^"]*"' | tr '\n' ' ') == '"path":"." "path":"below" ' ]]
	sed 's/"target":{"node":0/"target":{"node":2/' one.gltf >two.gltf
	[[ $(anim-parse -q two.gltf | anim-emit json | grep -E '^{"(node|track)' | grep -oE '"(path|node)":"[^"]*"' | tr '\n' ' ') == \
		'"path":"." "path":"top" "path":"top/below" "path":"aside" "node":"aside" ' ]]
	[[ $(anim-info --tree two.gltf) == "tree of two, from two.gltf, gltf axes"* ]]
	document ',"nodes":[{"name":"top","children":[1]},{"name":"below"}]' >none.gltf
	[[ $(anim-info --tree none.gltf) == "tree of top, from none.gltf"* ]]
}

@test "a chain of 100000 nodes is refused as too deep, in no time" {
	not_bytewise "a measure of time"
	nodes=$(awk 'BEGIN { for (i = 0; i < 99999; i++) printf "{\"children\":[%d]},", i + 1 }')
	document ",\"nodes\":[$nodes{}]" >deep.gltf
	run -1 --separate-stderr timeout 20 anim-parse deep.gltf -o deep.axs # 200 MB come before the fault
	[[ $stderr == "anim-parse: deep.gltf: nodes["*"]: a path of more than 65535 bytes" ]]
	[ ! -e deep.axs ]
}

@test "100000 siblings of one name all get their own" {
	not_bytewise "a measure of time"
	nodes=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf ",{\"name\":\"x\"}" }')
	document ",\"nodes\":[{\"name\":\"x\"}$nodes]" >wide.gltf
	timeout 20 anim-parse wide.gltf | anim-emit json -q | grep -c '"path":"x_[0-9]*"' | grep -qx 100000
}

@test "100000 channels of one sampler are read in no time" {
	not_bytewise "a measure of time"
	channels=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%s{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}", i ? "," : "" }')
	document ",\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[$channels]}]" >many.gltf
	run -0 --separate-stderr timeout 20 anim-parse many.gltf -o x.axs
	[ "$stderr" = "anim-parse: many.gltf: warning: 99999 channels: left out, because an earlier one of the animation drives the same property" ]
}

@test "a pointer of a million names is a long name, and refused as one" {
	not_bytewise "a measure of time"
	names=$(head -c 2000000 /dev/zero | sed 's/\x00\x00/\/a/g')
	document ",\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"$names\"}}}}]}]" >long.gltf
	run -1 --separate-stderr timeout 20 anim-parse long.gltf
	[[ $stderr == *"KHR_animation_pointer.pointer: a text of 2000000 bytes, at most 65535 are allowed" ]]
}

@test "channels that lead nowhere are left out and reported" {
	document ',"animations":[{"name":"x","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"path":"translation"}},{"sampler":0,"target":{"path":"translation"}},{"sampler":0,"target":{"node":0,"path":"colour"}},{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/9/scale"}}}},{"sampler":0,"target":{"path":"pointer"}}]}]' >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ "${stderr_lines[0]}" = "anim-parse: x.gltf: warning: 2 channels: no node; left out" ]
	[ "${stderr_lines[1]}" = "anim-parse: x.gltf: warning: 1 channel: left out, because of an unknown path" ]
	[ "${stderr_lines[2]}" = "anim-parse: x.gltf: warning: 1 channel: left out, because the pointer refers to a missing node" ]
	[ "${stderr_lines[3]}" = "anim-parse: x.gltf: warning: 1 channel: no pointer; left out" ]
	[[ $(anim-info x.axs) == "x: 0 s, "* ]]
}

@test "what the format does not allow but can be read is read with a warning" {
	document ',"nodes":[{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]}]' >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ "$stderr" = "anim-parse: x.gltf: warning: nodes[0]: animated with a matrix, which is decomposed" ]
	document | sed 's|AAAAAAAAgD8A|AAAAAAAAgL8A|' >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ "$stderr" = "anim-parse: x.gltf: warning: accessors[0]: times are not sorted" ]
	anim-info --json x.axs | grep -q unsorted
	document | sed 's|AAAAAAAAgD8A|AACAvwAAgD8A|' >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ "$stderr" = "anim-parse: x.gltf: warning: accessors[0]: times before 0, which glTF does not allow" ]
	printf '{"asset":{"version":"2.0"},"nodes":[{}]}' >x.gltf
	run -0 --separate-stderr anim-parse --force x.gltf -o x.axs
	[ "$stderr" = "anim-parse: x.gltf: warning: no animation in this file" ]
}

@test "all animations of a VRM animation are read, and a note says that its players show the first" {
	local go='{"name":"NAME","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}'

	document ",\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\"}},\"animations\":[${go/NAME/a},${go/NAME/b}]" >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ "$stderr" = "anim-parse: x.gltf: note: it has 2 animations, but VRM players show only the first one" ]
	anim-info x.axs | grep -q '^2 clips'
	document ',"extensions":{"VRMC_vrm_animation":{"specVersion":"1.0"}}' >x.gltf
	run -0 --separate-stderr anim-parse --force x.gltf -o x.axs
	[ -z "$stderr" ]
}

@test "--keep-going leaves the animations at fault out and keeps the others" {
	document ',"animations":[{"name":"bad","samplers":[{"input":0,"output":9}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]},{"name":"good","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]},{"name":"short","samplers":[{"input":1,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}]' >x.gltf
	run -1 anim-parse x.gltf
	run -0 --separate-stderr anim-parse --keep-going x.gltf -o x.axs
	[ "${stderr_lines[0]}" = "anim-parse: x.gltf: warning: left out: animations[0].channels[0]: accessor 9 is missing" ]
	[ "${stderr_lines[1]}" = "anim-parse: x.gltf: warning: left out: animations[2].channels[0]: accessors[1]: times must be floats, one per key" ]
	[[ $(anim-info x.axs) == "good: 1 s, "*"1 clip, 1 track"* ]]
}

@test "a GLB made of a document and its bytes reads as the document does" {
	document >a.gltf
	keys a.gltf >a
	grep -o 'base64,[^"]*' a.gltf | cut -c 8- | base64 -d >a.bin
	glb "$(tr -d '\n' <a.gltf | sed 's|,"uri":"[^"]*"||')" a.bin a.glb
	keys a.glb | cmp - a
	keys <a.glb | cmp - a
}

@test "clips play at the ends and between as glTF says, through every program" {
	anim-parse -q -c walk "$DATA/gltf/interpolations.gltf" >walk.axs
	anim-bake -q -r 30 walk.axs | anim-info | grep -q rotation
	for target in godot unity resonite; do anim-axes $target walk.axs | anim-info >/dev/null; done
	anim-lint walk.axs >out || [ $? -eq 1 ]
	run -0 anim convert --dry-run x.glb y.anim
	[ "$output" = "anim-parse x.glb | anim-axes unity | anim-emit -o y.anim" ]
	run -0 anim convert --dry-run x.vrma y.tres
	[ "$output" = "anim-parse x.vrma | anim-emit -o y.tres" ]
}

@test "joints become bones of a Godot skeleton where one is named" {
	anim-parse -q -c walk "$DATA/gltf/interpolations.gltf" | anim-rename --bones rig/Skeleton3D >x.axs
	anim-emit tscn -q -o x.tscn x.axs
	grep -q 'path = NodePath("rig/Skeleton3D:arm_left_upper")' x.tscn
	grep -q 'bones/[0-9]*/name = "arm_left_upper"' x.tscn
}

# skin NODES SKINS [BYTES]: a document with these, and the matrices of three joints: turned by 90 degrees about z and at 0, 1 and 3
# on x, as columns.
skin() {
	python3 - "$@" <<-'PY'
		import base64, json, struct, sys
		joints = [[0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, -x, 0, 1] for x in (0, 1, 3)]
		data = b''.join(struct.pack('<16f', *m) for m in joints) + bytes(64)
		print(json.dumps({'asset': {'version': '2.0'}, 'nodes': json.loads(sys.argv[1]), 'skins': json.loads(sys.argv[2]),
		    'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'MAT4'},
		        {'bufferView': 1, 'componentType': 5126, 'count': 3, 'type': 'MAT4'},
		        {'bufferView': 0, 'componentType': 5126, 'count': 9, 'type': 'VEC4'}],
		    'bufferViews': [{'buffer': 0, 'byteLength': 192}, {'buffer': 0, 'byteOffset': 64, 'byteLength': 192}],
		    'buffers': [{'byteLength': len(data), 'uri': 'data:;base64,' + base64.b64encode(data).decode()}]}))
	PY
}

# rests: path, position and rotation of each node, where joints were bound.
rests() {
	anim-parse -q --joint-rest bind "$@" | anim-emit json -q | sed -n 's/^{"node":{"path":"\([^"]*\)".*"position":\(.*\),"rotation":\(.*\),"scale":.*/\1 \2 \3/p'
}

@test "a joint that is the only root, and a ':' in names, stay what they are, and are found by Godot's spelling" {
	printf '%s\n' HIERARCHY 'ROOT m:Hips' '{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation' \
		'JOINT m:Arm.L { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation } }' MOTION 'Frames: 2' 'Frame Time: 1' \
		'0 0 0 0 0 0' '10 20 30 40 50 60' >m.bvh
	anim-parse -q m.bvh | anim-bake -q | anim-emit -q -o m.glb
	anim-parse m.glb >m.axs
	anim-info --tree m.axs | grep -q '^      m:Arm.L bone'
	[ "$(anim-axes unity m.axs | anim-emit -q unity | grep -o '^    path: m.*' | sort -u)" = $'    path: m:Hips\n    path: m:Hips/m:Arm.L' ]
	anim-emit -q -o nodes.tscn m.axs
	anim-rename --bones A/Skeleton3D m.axs | anim-emit -q -o bones.tscn
	grep -q 'NodePath("m_Hips/m_Arm_L")' nodes.tscn && grep -q 'NodePath("A/Skeleton3D:m_Arm.L")' bones.tscn
	for scene in nodes bones; do
		run -0 anim-diff --max 1e-6m,1e-6deg,0.0001%,1e-6px m.glb $scene.tscn
		[[ $output == *'2 tracks compared'* ]]
		anim-parse -q $scene.tscn | anim-emit -q --into m.glb -o $scene.glb
		run -0 anim-diff --max 1e-6m,1e-6deg,0.0001%,1e-6px m.glb $scene.glb
		[ "$(anim-diff --world --json m.axs $scene.tscn | grep -c '"status":"same".*m:.*m_.*"property":"world"')" = 2 ]
	done
	# As Godot's skeletons call it, what only looks like one of their bones keeps no ':'.
	printf '{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"name":"Skeleton3D:Hips"}]}' >s.gltf
	anim-parse -q s.gltf | anim-info --tree | grep -q ' Skeleton3D_Hips'
}

@test "--joint-rest bind puts joints where their skin was bound, each against the joint above it" {
	need_python
	local nodes='[{"name":"hips","children":[1],"translation":[5,6,7]},{"name":"between","children":[2],"translation":[0,0.5,0]},
		{"name":"spine","children":[3],"rotation":[0,1,0,0]},{"name":"head"}]' many="" i

	skin "$nodes" '[{"joints":[0,2,3],"inverseBindMatrices":0}]' >x.gltf
	rests x.gltf >got
	# In the joint's own axes, which are turned: x of the mesh is y there.
	printf '%s\n' '. [0,0,0] [0,0,0,1]' 'hips [5,6,7] [0,0,0,1]' 'hips/between [0,0.5,0] [0,0,0,1]' \
		'hips/between/spine [0,0.5,0] [0,0,0,1]' 'hips/between/spine/head [0,2,0] [0,0,0,1]' | diff - got
	anim-parse -q --joint-rest bind x.gltf | anim-emit json -q | python3 "$ROOT/tests/gltf_bind.py" x.gltf
	# Of two skins the first counts; without --joint-rest all is as the nodes are.
	skin "$nodes" '[{"joints":[0,3,2],"inverseBindMatrices":0},{"joints":[0,2,3],"inverseBindMatrices":0}]' >y.gltf
	[ "$(rests y.gltf | sed -n 4p)" = 'hips/between/spine [0,2.5,0] [0,0,0,1]' ]
	run ! cmp -s got <(rests y.gltf)
	cmp <(anim-parse -q --no-provenance x.gltf) <(anim-parse -q --joint-rest node --no-provenance x.gltf)
	# A joint with more between it and the one above than any skeleton has is one without.
	for ((i = 1; i < 70; i++)); do many+="{\"children\":[$((i + 1))]},"; done
	skin "[{\"children\":[1]},$many{\"name\":\"last\",\"translation\":[1,2,3]}]" '[{"joints":[0,70],"inverseBindMatrices":0}]' >z.gltf
	[ "$(rests z.gltf | tail -n 1 | cut -d ' ' -f 2)" = '[1,2,3]' ]
}

@test "--joint-rest bind reports what it cannot use, and refuses what is no matrix" {
	need_python
	local nodes='[{"children":[1]},{"children":[2]},{}]'

	skin "$nodes" '[{"joints":[0,1,2],"inverseBindMatrices":1}]' >x.gltf
	run -0 --separate-stderr anim-parse --joint-rest bind x.gltf -o x.axs
	[ "${stderr_lines[0]}" = "anim-parse: x.gltf: warning: 1 node: an inverse bind matrix without inverse; the node's own rest pose is used" ]
	skin "$nodes" '[{"joints":[0,1,2]}]' >x.gltf
	run -0 --separate-stderr anim-parse --joint-rest bind x.gltf -o x.axs --force
	[ "${stderr_lines[0]}" = "anim-parse: x.gltf: warning: no skin has inverse bind matrices; the nodes' own rest poses are used" ]
	skin "$nodes" '[{"joints":[0,1,2,0],"inverseBindMatrices":0}]' >x.gltf
	run -1 --separate-stderr anim-parse --joint-rest bind x.gltf
	[ "$stderr" = "anim-parse: x.gltf: skins[0]: 3 inverse bind matrices, but 4 joints" ]
	skin "$nodes" '[{"joints":[0,1,2],"inverseBindMatrices":2}]' >x.gltf
	run -1 --separate-stderr anim-parse --joint-rest bind x.gltf
	[ "$stderr" = "anim-parse: x.gltf: accessors[2]: matrices of 4 x 4 floats are needed" ]
	anim-parse -q x.gltf -o x.axs --force
}

@test "joints of files of others are where their skins were bound, whatever pose they were saved in" {
	not_bytewise "others' files are read byte by byte where they come back"
	need_python
	[ -d "$corpus" ] || skip "no files of others at $ANIM_CORPUS"
	local file count=0

	for file in $(whole); do
		grep -aq inverseBindMatrices "$file" || continue
		anim-parse -q --joint-rest bind "$file" 2>/dev/null | anim-emit json -q | python3 "$ROOT/tests/gltf_bind.py" "$file"
		count=$((count + 1))
	done
	[ "$count" -ge 5 ]
}

@test "an interpolation that is none counts as LINEAR, with a warning; null counts as missing" {
	for value in 0 '"linear"' '{}' '"CATMULLROMSPLINE"'; do
		document '' | sed "s/\"output\":1}/\"output\":1,\"interpolation\":$value}/" >x.gltf
		run -0 --separate-stderr anim-parse x.gltf -o x.axs
		[ "$stderr" = "anim-parse: x.gltf: warning: 1 sampler: an unknown interpolation (known: STEP, LINEAR, CUBICSPLINE) counts as LINEAR" ]
		anim-dump x.axs | grep -q interp=Linear
	done
	document ',"scene":null' | sed 's/"output":1}/"output":1,"interpolation":null}/; s/{"name":"a"}/{"name":7,"children":null,"matrix":null,"mesh":null}/' >x.gltf
	run -0 --separate-stderr anim-parse x.gltf -o x.axs
	[ -z "$stderr" ]
	anim-dump x.axs | grep -q interp=Linear
}

@test "names of blend shapes are also read from the extras of a primitive" {
	local old='{"targets":[{},{}],"extras":{"targetNames":["Blink","Smile"]}}' new='"extras":{"targetNames":["a","b"]}'
	while IFS='	' read -r mesh wanted; do
		document ",\"meshes\":[{$mesh}]" | sed 's/{"name":"a"}/{"name":"a","mesh":0}/; s/translation/weights/; s/"count":2,"type":"VEC3"/"count":4,"type":"SCALAR"/' >x.gltf
		[ "$(anim-parse -q x.gltf | anim-dump | sed -n 's/^track.*property="\([^"]*\)".*/\1/p' | tr '\n' ' ')" = "$wanted" ]
	done <<-EOT
		"primitives":[$old]	blend_shape/Blink blend_shape/Smile 
		"primitives":[$old],$new	blend_shape/a blend_shape/b 
		$new,"primitives":[$old]	blend_shape/a blend_shape/b 
	EOT
}

@test "names that say a loop are read as Godot's importer does" {
	# Printed by the importer of Godot 4 for these names, but it makes '_' of '.' and ':'.
	names='walk-loop run_loop Idle_Loop LoopB cycle_b jump Swim-loop_001 a$loopb fly-cycle hop_cycle2 turn-loop_mode LOOPED x_loop_mode1 two-loop-cycle re-Loop my-loops -loop walk Fly.loop dance.loop.001 Loop.Dive x:y.cycle'
	for name in $names; do
		printf '{"name":"%s","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}\n' "$name"
	done | paste -sd, >animations
	document '' | sed "s/^\"animations\":.*/\"animations\":[$(sed 's/[&$]/\\&/g' animations)],/" >names.gltf
	[ "$(anim-parse -q names.gltf | anim-dump | sed -n 's/^clip name="\([^"]*\)".* loop=\([a-z]*\) .*/\1=\2/p' | tr '\n' ' ')" = "walk-loop=wrap run=wrap Idle=wrap LoopB=wrap cycle_b=wrap jump=none Swim_001=wrap ab=wrap fly=wrap hop2=wrap turn=wrap LOOPED=wrap x1=wrap two-loop=wrap re=wrap my-loops=none -loop=wrap walk=none Fly=wrap dance.001=wrap Loop.Dive=wrap x:y=wrap " ]
}
