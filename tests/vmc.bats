#!/usr/bin/env bats
# Takes of the VMC protocol (.vmc): reading, writing, and takes that are damaged or incomplete.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
}

made() {
	python3 "$ROOT/tests/vmc_file.py" "$1" "$1.vmc"
}

# values FILE: its nodes and tracks as text.
values() {
	anim-parse -q --no-provenance "$1" | anim-dump | grep -v '^tree \|^clip '
}

# model VERSION: a VRM model with hips and a spine whose rest pose is turned, and a left leg.
model() {
	local bones='"hips":{"node":0},"spine":{"node":1},"leftUpperLeg":{"node":2}' side=0.1 extension
	extension="\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{$bones}}}"
	[ "$1" = 1 ] || {
		side=-0.1
		extension='"VRM":{"humanoid":{"humanBones":[{"bone":"hips","node":0},{"bone":"spine","node":1},{"bone":"leftUpperLeg","node":2}]}}'
	}
	cat <<-TEXT
		{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,"nodes":[
		{"name":"J_Hips","translation":[0.25,1,0.5],"children":[1,2]},
		{"name":"J_Spine","translation":[0,0.125,0],"rotation":[0.5,0.5,0.5,0.5]},
		{"name":"J_Leg","translation":[$side,0,0]}],
		"extensionsUsed":["VRMC_vrm"],"extensions":{$extension}}
	TEXT
}

@test "a take becomes a clip: bones in a tree, expressions by their names in VRM 1.0, the times of the sender" {
	made frames
	run -0 --separate-stderr anim-info frames.vmc
	[ -z "$stderr" ]
	same - <(printf '%s\n' "${lines[@]}") <<-'TEXT'
		frames: 0.375 s, 8/s, from vmc, unity axes
		  node        property           type    kind     keys  time        values
		  Hips        position           float3  Raw 8/s     4  0 .. 0.375  0 .. 1.375
		  Hips        rotation           floatQ  Raw 8/s     4  0 .. 0.375
		  Hips/Spine  rotation           floatQ  Raw 8/s     4  0 .. 0.375
		  .           expression/happy   float   Raw 8/s     4  0 .. 0.375  0 .. 0.75
		  .           expression/custom  float   Raw 8/s     4  0 .. 0.375  0.25 .. 1
		1 clip, 5 tracks, 20 keys, 208 bytes, 3 nodes, 2 bones
	TEXT
	anim-dump frames.vmc >a.txt
	grep -q 'attr "gltf.vrm" "spine"' a.txt
	made first # the time before the bones, a datagram for each message
	cmp <(values first.vmc) <(values frames.vmc)
}

@test "what is not VMC is left out and reported, and everything else is kept" {
	made hostile
	run -0 --separate-stderr anim-parse hostile.vmc -o a.axs
	same - <(printf '%s\n' "${stderr_lines[@]}") <<-'TEXT'
		anim-parse: hostile.vmc: warning: datagrams that are damaged or not OSC: 2 of 8, left out
		anim-parse: hostile.vmc: warning: messages with infinite numbers, or rotations that are not of length 1: 3, left out
		anim-parse: hostile.vmc: warning: messages with arguments that are missing or of wrong types: 2, left out
		anim-parse: hostile.vmc: note: messages with unknown bones or unsuitable names: 2, left out
	TEXT
	[ "$(anim-info -q a.axs | grep -c ' 3 ')" -ge 5 ]
}

@test "a take of a recording that was killed is read up to its last complete datagram" {
	local size step
	made frames
	size=$(stat -c %s frames.vmc) step=$(stride 11)
	for ((n = 0; n < size; n += step)); do
		head -c $n frames.vmc >cut.vmc
		run --separate-stderr anim-parse -f vmc cut.vmc --force -o a.axs
		[ "$status" -eq 0 ] && [ $n -gt 400 ] || [ "$status" -eq 1 ]
		[ -n "$stderr" ]
	done
	head -c $((size - 5)) frames.vmc >cut.vmc
	run -0 --separate-stderr anim-parse cut.vmc --force -o a.axs
	[ "${stderr_lines[0]}" = "anim-parse: cut.vmc: byte 1208: warning: the take was not ended: its last datagram is cut off and left out" ]
	run -1 --separate-stderr anim-parse -f vmc /dev/null --force -o a.axs
	printf AnimVMC1 >none.vmc
	run -1 --separate-stderr anim-parse none.vmc --force -o a.axs
	[ "$stderr" = "anim-parse: none.vmc: no motion: none of 0 datagrams has bones or expressions of VMC" ]
}

@test "lost and exchanged datagrams are reported, and the motion stays near" {
	anim convert -q -r 60 "$ROOT/examples/walker.tscn" w.vmc
	python3 "$ROOT/tests/vmc_file.py" lose w.vmc lost.vmc
	run -0 --separate-stderr anim-parse lost.vmc -o lost.axs
	[[ $stderr == *"warning: frames that lack bones of other frames: "*" of "*"; their values are interpolated"* ]]
	[[ $stderr == *"warning: frames that are missing: about "*", beside "*"; their values are interpolated"* ]]
	anim-diff -q --max 1cm,3deg w.vmc lost.axs
}

@test "bones of few frames and arguments of wrong types are reported" {
	made rare
	run -0 --separate-stderr anim-parse rare.vmc -o a.axs
	same - <(printf '%s\n' "${stderr_lines[@]}") <<-'TEXT'
		anim-parse: rare.vmc: warning: messages with arguments that are missing or of wrong types: 5, left out
		anim-parse: rare.vmc: warning: frames that lack bones of other frames: 1 of 10; their values are interpolated
		anim-parse: rare.vmc: note: bone 'Jaw': sent in at most half of the frames (1 of 10)
	TEXT
}

@test "a clip that becomes a take and a clip again has all its values" {
	anim convert -q -r 60 "$ROOT/examples/walker.tscn" small.vmc
	anim convert -q -r 60 -x packets=one "$ROOT/examples/walker.tscn" one.vmc
	anim convert -q -r 60 --axes unity "$ROOT/examples/walker.tscn" wanted.axs
	python3 "$ROOT/tests/vmc_file.py" list small.vmc >small
	python3 "$ROOT/tests/vmc_file.py" list one.vmc >one
	[ "$(wc -l <one)" -eq 73 ]
	[ "$(awk '$2 > 1400' small)" = "" ]
	cmp <(values small.vmc) <(values one.vmc)
	anim-diff --max 1e-6m,1e-4deg wanted.axs small.vmc >diff || [ "$(grep -vc 'only in small' diff)" -le 2 ] || { cat diff && false; }
	anim convert -q small.vmc again.vmc
	same small.vmc again.vmc
	# other programs need names of VRM
	anim convert -q small.vmc walk.vrma
	anim-diff -q --max 0.1mm,0.1deg walk.vrma <(anim convert -q --humanoid auto:vrm -r 60 "$ROOT/examples/walker.tscn" - -f vrma) >/dev/null || [ $? -eq 1 ]
}

@test "expressions are sent by their names in VRM 0.x, and read once if a sender sends both" {
	made frames
	anim convert -q frames.vmc again.vmc
	python3 "$ROOT/tests/vmc_file.py" list again.vmc >again
	grep -q 'Blend/Val(Joy 0.25)' again && grep -q 'Blend/Val(custom 0.75)' again && grep -q 'Blend/Apply()' again
	python3 - <<-PY
		import sys
		sys.path.insert(0, "$ROOT/tests")
		from vmc_file import *
		write("both.vmc", [(k / 8, bundle(*frame(k)[:5], message("/VMC/Ext/Blend/Val", "happy", k / 4), frame(k)[-1])) for k in range(4)])
	PY
	[ "$(anim-info both.vmc | grep -c expression/happy)" -eq 1 ]
	# two expressions that have one name in VRM 0.x
	anim-parse -q frames.vmc | anim-dump | sed 's|expression/custom|expression/Joy|' | anim-undump >two.axs
	run -0 --separate-stderr anim-emit -o two.vmc two.axs
	[[ $stderr == *"warning: track '. expression/Joy': left out, because another expression has the same name in VRM 0.x" ]]
	[ "$(anim-info two.vmc | grep -c expression/happy)" -eq 1 ]
}

@test "a sender of a face alone has a frame for each round of its expressions" {
	python3 - <<-'PY'
		import struct
		def text(s):
		    s = s.encode() + b"\0"
		    return s + b"\0" * (-len(s) % 4)
		out = b"AnimVMC1"
		for frame in range(30):
		    for name, value in ("happy", frame / 30), ("blinkLeft", 1 - frame / 30):
		        data = text("/VMC/Ext/Blend/Val") + text(",sf") + text(name) + struct.pack(">f", value)
		        out += struct.pack("<QI", frame * 33333333, len(data)) + data
		    data = text("/VMC/Ext/Blend/Apply") + text(",")
		    out += struct.pack("<QI", frame * 33333333, len(data)) + data
		open("face.vmc", "wb").write(out)
	PY
	[[ $(anim-info face.vmc) == *"expression/happy"*" 30 "* ]]
	[[ $(anim-info -l face.vmc) == *"30/s"* ]]
}

@test "the avatar gives the rest poses, of VRM 1.0 and 0.x in the axes of Unity" {
	made frames
	for version in 1 0; do
		model $version >avatar.gltf
		anim-parse -q -x avatar=avatar.gltf frames.vmc --force -o a.axs
		anim-emit json a.axs >tree.json
		python3 - $version <<-'PY'
			import json, sys
			records = [json.loads(line) for line in open("tree.json")]
			nodes = {r["node"]["path"]: r["node"] for r in records if "node" in r}
			x, z = (-1, 1) if sys.argv[1] == "1" else (1, -1)
			hips, spine, leg = (nodes[p] for p in ("Hips", "Hips/Spine", "Hips/LeftUpperLeg"))
			assert hips["position"] == [0.25 * x, 1, 0.5 * z], hips
			assert spine["rotation"] == [-0.5 * x, -0.5, -0.5 * z, 0.5] , spine
			assert leg["position"][0] < 0, leg
		PY
	done
	run -0 anim convert --dry-run --rest avatar.gltf frames.vmc out.vrma
	[ "$output" = "anim-parse -x avatar=avatar.gltf frames.vmc | anim-axes gltf | anim-emit -o out.vrma" ]
	run -1 --separate-stderr anim-parse -q -x avatar="$DATA/gltf/none.gltf" frames.vmc --force -o a.axs
	run -1 --separate-stderr anim-parse -q -x avatar=a.axs frames.vmc --force -o b.axs
	[ "$stderr" = "anim-parse: a.axs: not a VRM model" ]
	sed 's/^"extensionsUsed.*/"extras":0}/; s/J_Hips/x/; s/J_Spine/y/; s/J_Leg/z/' avatar.gltf >nodes.gltf
	run -1 --separate-stderr anim-parse -q -x avatar=nodes.gltf frames.vmc --force -o b.axs
	[ "$stderr" = "anim-parse: nodes.gltf: not a VRM model: it has no human bones" ]
	# a sender without lengths
	python3 - <<-PY
		import sys
		sys.path.insert(0, "$ROOT/tests")
		from vmc_file import *
		write("flat.vmc", [(k / 8, bundle(bone("Hips", *TURN), bone("Spine", *REST), message("/VMC/Ext/T", k / 8))) for k in range(4)])
	PY
	run -0 --separate-stderr anim-parse flat.vmc --force -o a.axs
	[ "$stderr" = "anim-parse: flat.vmc: warning: the sender does not send the lengths of bones; add its avatar: -x avatar=MODEL.vrm" ]
}

@test "clips without human bones or with other tracks are refused or reported" {
	run -1 --separate-stderr anim convert "$ROOT/examples/box.tscn" box.vmc
	[[ $stderr == *"add --humanoid auto:unity"* ]]
	[ ! -e box.vmc ]
	anim convert -q -r 30 "$ROOT/examples/walker.tscn" w.vmc
	anim convert -q -r 30 --humanoid godot:unity "$ROOT/examples/walker.tscn" w.animj # without rest poses
	run -0 --separate-stderr anim convert w.animj bare.vmc
	[[ $stderr == *"warning: 15 bones have the position 0,0,0, because the input has no skeleton: players that move bones show"* ]]
	run -1 --separate-stderr anim-emit -o w.vmc w.vmc
	run -1 --separate-stderr anim convert -r 30 "$ROOT/examples/walker.tscn" w.vmc # a take may be the only copy
	run -2 --separate-stderr anim-emit -x packets=one -o x.bvh w.vmc
	[[ $stderr == "anim-emit: -x packets is for vmc, not for bvh"* ]]
}
