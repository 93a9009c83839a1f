#!/usr/bin/env bats
# anim-info: the table, the tree and the JSON.

load helper

@test "the table names clip, length, loop, axes, player, and each track with its keys and ranges" {
	run -0 --separate-stderr anim-info "$ROOT/examples/box.tscn"
	[ "$stderr" = "" ]
	[[ $output == *"scale_down: 1.5 s, ping-pong, from godot4, godot axes, player "* ]]
	[[ $output == *$'\n  node  property  type    kind          keys  time    values\n  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1\n'* ]]
}

@test "-l shows a line for each clip, and the sums" {
	printf '{"name":"a","globalDuration":1,"tracks":[]}' >a.animj
	run -0 --separate-stderr anim-info -l "$ROOT/examples/box.tscn" a.animj
	[ "${#lines[@]}" -eq 4 ]
	[[ ${lines[1]} == "scale_down: 1.5 s, ping-pong, from godot4, godot axes, player "*", file box.tscn, 1 track, 2 keys, 32 bytes" ]]
	[ "${lines[2]}" = 'a: 1 s, from animj, resonite axes, file a.animj, 0 tracks, 0 keys, 0 bytes' ]
	[[ ${lines[3]} == "3 clips, 2 tracks, 3 keys, 48 bytes, "* ]]
	run -2 anim-info -l --tree a.animj
}

@test "a stream says who made it" {
	pipe "anim-parse '$ROOT/examples/box.tscn' | anim-resample 30 | anim-info"
	[ "$status" -eq 0 ]
	[[ $output == *"  Box   scale     float3  Raw 30/s    46  0 .. 1.5  0 .. 1"* ]]
	[[ $output == *"made by anim-parse "*", anim-resample "* ]]
}

@test "a file and the stream made of it show the same table" {
	anim-info "$ROOT/examples/crane.tscn" >file
	anim-parse "$ROOT/examples/crane.tscn" | anim-info | grep -v '^made by ' >stream
	same file stream
}

@test "--tree shows each node below its parent with its type" {
	run -0 anim-info --tree "$ROOT/examples/crane.tscn"
	[[ ${lines[0]} == "tree of "*", from crane.tscn, godot axes" ]]
	[[ ${lines[1]} == "  . "* ]]
	[ "${#lines[@]}" -eq $(($(grep -c '^\[node ' "$ROOT/examples/crane.tscn") + 1 + $(grep -c '^bones/[0-9]*/name' "$ROOT/examples/crane.tscn"))) ]
}

@test "--tree shows a bone's name with the ':' that is its own, and without the skeleton that Godot puts before it" {
	printf '%s\n' HIERARCHY 'ROOT mixamorig:Hips' '{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation' \
		'JOINT mixamorig:Spine { OFFSET 0 1 0 CHANNELS 0 } }' MOTION 'Frames: 1' 'Frame Time: 1' '0 0 0' >m.bvh
	run -0 anim-info --tree m.bvh
	[[ ${lines[2]} == '    mixamorig:Hips bone '* && ${lines[3]} == '      mixamorig:Spine bone '* ]]
	run -0 anim-info --tree "$DATA/godot/skeleton_root.escn"
	[[ ${lines[3]} == '      bone bone '* ]]
}

@test "--bones shows the nodes of a human's bones and what is missing, by the file or by names, and as JSON" {
	run -0 anim-info --bones "$ROOT/examples/walker.tscn"
	[[ ${lines[0]} == "tree of "*", from walker.tscn, godot axes" ]]
	[[ ${lines[1]} == "  "*" of 55 bones of a human, found by names and parents" ]]
	[[ $output == *$'\n''  LeftUpperArm             Skeleton3D:LeftUpperArm'$'\n'* ]]
	[[ ${lines[-1]} == "  missing: "*"Jaw, "*"all fingers" ]]
	run -0 anim-info --bones "$DATA/unity/humanoid.fbx.meta"
	[[ ${lines[1]} == *", as the file says" ]]
	run -0 anim-info --bones "$ROOT/examples/crane.tscn"
	[ "${lines[1]}" = "  no bones of a human: their names are not known" ]
	run -0 anim-info --bones "$DATA/axs/good/end_only.axs"
	[ "$output" = "no node tree" ]
	run -2 anim-info --bones --tree "$ROOT/examples/walker.tscn"
	anim-info --bones --json "$ROOT/examples/walker.tscn" >walker.json
	anim-info --bones --json "$ROOT/examples/crane.tscn" >crane.json
	python3 - <<-'PY'
		import json
		tree = json.load(open("walker.json"))["trees"][0]
		assert tree["bones_by"] == "names" and len(tree["bones"]) == 55 and tree["bones"]["Jaw"] is None
		assert tree["bones"]["LeftUpperArm"] == "Skeleton3D:LeftUpperArm"
		tree = json.load(open("crane.json"))["trees"][0]
		assert tree["bones_by"] is None and tree["bones"] is None
		assert "bones" not in json.load(open("crane.json"))
	PY
}

@test "--tree of a stream without one says so" {
	run -0 anim-info --tree "$DATA/axs/good/end_only.axs"
	[ "$output" = "no node tree" ]
}

@test "a disabled track is marked" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\ntracks/0/type = "position_3d"\n' >a.tres
	printf 'tracks/0/enabled = false\ntracks/0/path = NodePath("Box")\ntracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)\n' >>a.tres
	run -0 anim-info a.tres
	[[ $output == *"  Box   position  float3  Curve Linear     1  0     1 .. 3  disabled"* ]]
}

@test "the JSON of every crafted stream is one document with the same totals as its dump" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$DATA"/axs/good/*.axs; do
		name=${file##*/}
		anim-info --json "$file" >"$name.json"
		anim-dump "$file" | awk -v name="$name.json" '/^clip /{c++} /^track /{t++} /^tree /{r++} /^node /{n++} /^record /{o++}
			END{print name, c+0, t+0, r+0, n+0, o+0}' >>counted
	done
	python3 - *.json <<-'PY' >totals
		import json, sys
		for name in sys.argv[1:]:
		    d = json.load(open(name))
		    t = d["totals"]
		    assert t["clips"] == len(d["clips"]) and t["trees"] == len(d["trees"]), name
		    assert t["tracks"] == sum(len(c["tracks"]) for c in d["clips"]), name
		    assert t["keys"] == sum(k["keys"] for c in d["clips"] for k in c["tracks"]), name
		    assert t["nodes"] == sum(len(x["nodes"]) for x in d["trees"]), name
		    print(name, t["clips"], t["tracks"], t["trees"], t["nodes"], sum(d["other_records"].values()))
	PY
	[ "$(wc -l <counted)" -eq 50 ]
	diff <(sort counted) <(sort totals)
}

@test "the keys of the JSON say what cannot be a number with null" {
	anim-info --json "$DATA/axs/good/raw_unknown_interval.axs" >info.json
	grep -q '"first":null,"last":null' info.json
}

@test "a cut stream is an error, whatever the form" {
	anim-parse "$ROOT/examples/box.tscn" | head -c 400 >cut.axs
	for form in '' --tree --json; do
		run -1 --separate-stderr anim-info $form -o out cut.axs
		[[ $stderr == "anim-info: cut.axs: byte "* ]]
		[ ! -e out ]
	done
}

@test "-l, --tree, --spark, --json and --csv cannot be combined" {
	run -2 --separate-stderr anim-info --tree --json
	[[ $stderr == "anim-info: -l, --tree, --spark, --json and --csv cannot be combined, except -l --csv"* ]]
	run -2 --separate-stderr anim-info --csv --json
	[[ $stderr == "anim-info: -l, --tree, --spark, --json and --csv cannot be combined, except -l --csv"* ]]
}

@test "-l --csv has a row for each clip, with length and rate" {
	run -0 --separate-stderr anim-info -l --csv "$ROOT/examples/walker.tscn" "$ROOT/examples/crane.tscn"
	[ "${lines[0]}" = "clip,player,start,end,duration,rate,loop,tracks,keys,bytes,axes,source" ]
	[[ ${lines[1]} == "walk,AnimationPlayer,0,1.2,1.2,,wrap,17,"*",godot,walker.tscn" ]]
	[[ ${lines[2]} == *",crane.tscn" ]]
	anim convert -q -t 0.2..1 -r 30 "$ROOT/examples/walker.tscn" part.axs
	run -0 --separate-stderr anim-info -l --csv part.axs
	[[ ${lines[1]} == "walk,AnimationPlayer,0,0.8,0.8,30,"* ]] || { echo "$output" && false; }
	run -0 --separate-stderr anim-info -l --csv "$DATA/axs/good/tree_only.axs"
	[ "$output" = "clip,player,start,end,duration,rate,loop,tracks,keys,bytes,axes,source" ]
}

@test "--csv has a row for each track, with range, rate and bytes" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	run -0 --separate-stderr anim-info --csv crane.axs
	[ "${#lines[@]}" -eq 6 ]
	[ "${lines[0]}" = "clip,player,node,property,component,type,kind,interp,rate,keys,first,last,min,max,bytes,flags,source" ]
	[ "${lines[3]}" = "lift,AnimationPlayer,Skeleton3D:hook,position,,float3,Curve,Linear,,2,0,2,-1.75,1.5,32,loop_wrap,crane.tscn" ]
	run -0 --separate-stderr bash -c 'anim-resample -q 30000/1001 crane.axs | anim-info --csv'
	[[ ${lines[1]} == "lift,AnimationPlayer,Skeleton3D:base,rotation,,floatQ,Raw,Linear,29.97002997002997,61,0,"* ]]
	run -0 --separate-stderr anim-info --csv "$DATA/axs/good/tree_only.axs"
	[ "${#lines[@]}" -eq 1 ]
}

@test "where there are several clips, each has its sums below its rows, in the table and in --json" {
	anim-parse -q "$ROOT/examples/crane.tscn" "$ROOT/examples/box.tscn" -o both.axs
	run -0 --separate-stderr anim-info both.axs
	[[ $output == *$'0 .. 4\n  5 tracks, 13 keys, 223 bytes\n\nRESET'* ]]
	[[ $output == *$'\n  1 track, 2 keys, 32 bytes\n'* ]]
	[[ $output == *$'3 clips, 7 tracks, 16 keys, 271 bytes, 10 nodes, 3 bones'* ]]
	run -0 --separate-stderr anim-info "$ROOT/examples/crane.tscn"
	[[ $output != *"  5 tracks, 13 keys"* ]]
	run -0 --separate-stderr anim-info --json both.axs
	[[ $output == *'],"keys":13,"bytes":223,"humanoid":0}'* ]]
}

@test "the bytes are those that the columns take in the stream, texts after their lengths included" {
	tr '>' '\t' >texts.txt <<-'TEXT'
		anim-dump 1
		clip name="a" root="." source="" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=0/0
		track node="N" property="p" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=3
		>columns time value
		>0 "ab"
		>0.5 null
		>1 "cde"
		end
	TEXT
	run -0 --separate-stderr bash -c 'anim-undump texts.txt | anim-info --csv'
	[ "${lines[1]}" = "a,,N,p,,string,Discrete,Hold,,3,0,1,,,33,," ]
}

@test "--reach prints how far joints are from the root and what they carry, in the table and in the document" {
	run -0 --separate-stderr anim-info --reach "$ROOT/examples/crane.tscn"
	[ -z "$stderr" ]
	cat >wanted <<-'TEXT'
		lift: 2 s, from godot4, godot axes, player AnimationPlayer
		  node             from root  reach  to
		  Skeleton3D:base        0.5  2.411  Skeleton3D:hook
		  Skeleton3D:arm         2.5  2.305  Skeleton3D:hook
		  Skeleton3D:hook      2.704
	TEXT
	[ "$output" = "$(cat wanted)" ] || { echo "$output" && false; }
	run -0 --separate-stderr anim-info --reach --json "$ROOT/examples/crane.tscn"
	[[ $output == *'"humanoid":0,"reach":['*'{"node":"Skeleton3D:hook","from_root":2.704'*',"reach":0,"farthest":null}]'* ]] || { echo "$output" && false; }
	run -0 anim-info --json "$ROOT/examples/crane.tscn"
	[[ $output != *'"reach"'* ]]
}

@test "--reach of several files has each clip under its own tree, and says where one has none" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-dump crane.axs | grep -v '^tree\|^node' | sed 's/flags=in_tree/flags=-/' | anim-undump >bare.axs
	run -0 --separate-stderr anim-info --reach crane.axs bare.axs crane.axs
	[ "$(grep -c '  Skeleton3D:arm ' <<<"$output")" -eq 2 ] || { echo "$output" && false; }
	[ "$(grep -c '^  the positions of its nodes are unknown$' <<<"$output")" -eq 1 ]
	run -2 anim-info --reach --tree crane.axs
	[[ $output == *"--reach can be combined only with --json"* ]]
}

@test "--reach joins a single component with the rest pose, and does not guess between two tracks of a node" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-dump crane.axs | sed -n '/^tree/p; /^node/p; /^anim-dump/p; /^clip/p' >l.dump
	printf 'track node="Skeleton3D:arm" property="position" component=0 kind=Curve type=float rules=godot4 flags=- before=hold after=hold interp=Linear keys=1\n\tcolumns time value\n\t0 1\n' >>l.dump
	{ cat l.dump; echo end; } | anim-undump >l.axs
	run -0 --separate-stderr anim-info --reach --strict l.axs
	[[ $output == *"  Skeleton3D:arm "* ]]
	{ cat l.dump; grep -A 2 '^track' l.dump; echo end; } | anim-undump >l.axs
	run -0 --separate-stderr anim-info --reach l.axs
	[[ $output == *"the positions of its nodes are unknown"* ]]
	[[ $stderr == *"the positions of some nodes are not determined by the tracks; put 'anim-bake' before this"* ]]
	run -1 --separate-stderr anim-info --strict --reach l.axs
}

@test "--spark has a line of blocks for each track, in letters where the locale is not UTF-8" {
	unset COLUMNS
	run -0 --separate-stderr anim-info --spark "$ROOT/examples/crane.tscn"
	[ "$stderr" = "" ]
	[[ ${lines[0]} == "lift: 2 s, from godot4, "* ]]
	[ "${lines[1]}" = "  Skeleton3D:base  rotation      ____.....::::---===+++++***#####  0 .. 90 deg" ]
	[ "${lines[4]}" = "  Lamp             visible       _______#################________  0 .. 1" ]
	COLUMNS=50 LC_ALL=C.UTF-8 run -0 anim-info --spark "$ROOT/examples/crane.tscn"
	[ "${lines[3]}" = "  Skeleton3D:hook  position      ███▇▇▇▆▆▅▅▄▄▃▃▃▂▂▁▁▁  y -1.75 .. -0.25 m" ]
	run -0 anim-info --spark "$ROOT/examples/box.tscn"
	[ "${lines[1]}" = "  Box  scale    1 1 1" ]
	run -0 anim-info --spark "$ROOT/examples/walker.tscn"
	[[ $output == *"Skeleton3D:Spine "*" 0 .. 10 deg"* ]] # not 8e-16, by rounding
	for file in "$DATA"/axs/good/*.axs; do
		anim-info -q --spark "$file" >/dev/null || { echo "$file" && false; }
	done
}

@test "on a terminal that is too small for the tracks their clips are listed, and how to see them all" {
	need_terminal
	run -0 script -qec "env LINES=5 anim-info '$ROOT/examples/crane.tscn'" /dev/null
	[[ $output == *lift*"5 tracks"*"try: anim-info $ROOT/examples/crane.tscn | less"* ]]
	[[ $output != *Skeleton3D* ]]
	run -0 script -qec "env LINES=50 anim-info '$ROOT/examples/crane.tscn'" /dev/null
	[[ $output == *Skeleton3D:hook* ]]
	run -0 script -qec "env LINES=5 anim-info '$ROOT/examples/crane.tscn' | cat" /dev/null
	[[ $output == *Skeleton3D:hook* ]]
	run -0 script -qec "env LINES=5 anim-info --tree '$ROOT/examples/crane.tscn'" /dev/null
	[[ $output == *Skeleton3D* && $output != *less* ]]
}

@test "each fault of a file is reported, also on a terminal" {
	need_terminal
	sed -E 's/^length = .*/length = one/' "$ROOT/examples/crane.tscn" >broken.tscn
	run -1 script -qec "anim-info broken.tscn" /dev/null
	[[ $output == *"anim-info: broken.tscn:"*"unknown word 'one'"* ]]
}

@test "keys of Unity whose weights are off are Hermite keys" {
	sed -E 's/(in|out)Weight: .*/\1Weight: 0.5/' "$DATA/engines/volume.anim" >off.anim
	[[ $(anim-info off.anim) == *"Curve Hermite  "* ]]
	sed 's/weightedMode: 0/weightedMode: 3/' off.anim >on.anim
	[[ $(anim-info on.anim) == *"Curve Weighted  "* ]]
	anim-parse off.anim | anim-emit -q -o back.anim # the weights stay
	[ "$(grep -c 'Weight: 0.5' back.anim)" -eq 4 ]
}
