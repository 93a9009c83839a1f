#!/usr/bin/env bats
# BVH: what the reader takes, what the writer writes, and that both agree with the format's own words.

load helper

ARM=$DATA/bvh/arm.bvh

# motion NUMBERS: a file of one joint with three channels and two frames, with these numbers.
motion() {
	printf 'HIERARCHY\nROOT a\n{\n OFFSET 0 1 0\n CHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n%s\n' "$1"
}

# poses A B...: how far joints are apart, in parts of the height; fails where that is more than LIMIT, a millionth. B's places
# are multiplied by SCALE.
poses() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/bvh_poses.py" "${SCALE:-1}" "$@" >poses.txt || return 1
	[ "$(wc -l <poses.txt)" -eq $(($# - 1)) ]
	awk -v limit="${LIMIT:-1e-6}" '!($5 <= limit) { bad = 1 } END { exit bad }' poses.txt || { echo "$1: $(cat poses.txt)"; return 1; }
}

need_corpus() {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no files of others in ANIM_CORPUS"
}

@test "joints are a tree of bones, channels tracks in the file's own numbers" {
	run --separate-stderr anim-info --tree "$ARM"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	run anim-info "$ARM"
	same <(printf '%s\n' "$output" | head -n 6) - <<-'EOT'
		arm: 0.0667 s, 30/s, from bvh, gltf axes
		  node           property  type    kind      keys  time         values         notes
		  Hips           position  float3  Raw 30/s     3  0 .. 0.0667  -2e-7 .. 91.5
		  Hips           euler     float3  Raw 30/s     3  0 .. 0.0667  -170 .. 170    degrees, order ZXY
		  Hips/Arm       euler     float3  Raw 30/s     3  0 .. 0.0667  -20 .. 30      degrees, order YZX
		  Hips/Arm/Hand  euler     float3  Raw 30/s     3  0 .. 0.0667  -135 .. 90     degrees, order ZXY
	EOT
	pipe "anim-parse '$ARM' | anim-dump | grep -E '^node|bvh'"
	[ "$status" -eq 0 ]
	[[ $output == *Hips/Arm/Hand/Hand_end* && $output == *Hips/Hips_end* ]]
}

@test "a note says how high the hips are, because no file records its unit; other programs do not care" {
	run --separate-stderr anim-parse "$ARM" -o a.axs
	[ "$stderr" = "anim-parse: $ARM: note: no unit of length; in centimetres, the hips are at a human's height: 'Hips' is at a height of 91; --unit cm makes it 0.91 m" ]
	run --separate-stderr anim-parse --unit cm "$ARM" -o a.axs
	[ -z "$stderr" ]
	run --separate-stderr anim-info -l "$ARM"
	[ -z "$stderr" ]
}

@test "the height of the hips is measured, even below a reference joint on the ground" {
	cat >reference.bvh <<-'TEXT'
		HIERARCHY
		ROOT Reference
		{
		  OFFSET 0 0 0
		  CHANNELS 3 Xposition Yposition Zposition
		  JOINT Hips
		  {
		    OFFSET 0 80 0
		    CHANNELS 3 Xposition Yposition Zposition
		    JOINT LeftUpLeg
		    {
		      OFFSET 8 0 0
		      CHANNELS 0
		    }
		    JOINT RightUpLeg
		    {
		      OFFSET -8 0 0
		      CHANNELS 0
		    }
		  }
		}
		MOTION
		Frames: 1
		Frame Time: 0.1
		0 2 0 0 90 0
	TEXT
	run -0 --separate-stderr anim-parse reference.bvh -o a.axs
	[[ $stderr == *"'Hips' is at a height of 92; --unit cm makes it 0.92 m" ]]
}

@test "the unit that is proposed makes the hips as high as a human's; several files are named by their unit" {
	for hips in 95:cm 17.8693:cmu 39:in 0.97:m; do
		sed "s/^\([0-9.e-]* \)[0-9.e-]* /\1${hips%:*} /" "$ARM" >"${hips#*:}.bvh"
		run -0 --separate-stderr anim-parse --force "${hips#*:}.bvh" -o a.axs
		[[ $stderr == *"'Hips' is at a height of ${hips%:*}; --unit ${hips#*:} makes it "[01]*" m" ]]
	done
	sed 's/^\([0-9.e-]* \)[0-9.e-]* /\1-10 /' "$ARM" >down.bvh
	run -0 --separate-stderr anim-parse --force down.bvh -o a.axs
	[[ $stderr == *"'Hips' is at a height of -10; to convert to metres, use --unit cm, in, cmu or the length of the unit in metres" ]]
	cp cmu.bvh cmu2.bvh
	run -0 --separate-stderr anim-parse --force cm.bvh cmu.bvh cmu2.bvh -o a.axs
	[[ $stderr == *"cm.bvh: 'cm': note: no unit of length; in centimetres, the hips are at a human's height: 'Hips' is at a height of 95; --unit cm makes it 0.95 m"* ||
		$stderr == *"cm.bvh: note: no unit of length; in centimetres, the hips are at a human's height: 'Hips' is at a height of 95; --unit cm makes it 0.95 m"* ]]
	[[ $stderr == *"2 files: no unit of length; in the unit of the Carnegie Mellon files, the hips are at a human's height"* ]]
}

@test "--unit makes metres of places and offsets, not of angles" {
	for unit in cm m in cmu 0.5; do
		anim-parse --unit $unit "$ARM" | anim-emit json >a.json
		case $unit in cm) scale=100 ;; m) scale=1 ;; in) scale=39.37007874015748 ;; cmu) scale=17.716535433070867 ;; *) scale=2 ;; esac
		SCALE=$scale poses "$ARM" a.json
	done
	run --separate-stderr anim-parse --unit mile "$ARM"
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "anim-parse: --unit 'mile' is not a unit: use cm, m, in, cmu or a number of metres" ]
	for unit in 0 -1 inf 1e20 ''; do
		run anim-parse --unit "$unit" "$ARM"
		[ "$status" -eq 2 ]
	done
}

@test "--up z rotates the axes so that Y points up, with every number the file's" {
	anim-parse -q --up z "$ARM" | anim-emit json >a.json
	grep -q '"path":"Hips","type":"","kind":"bone","has":\["position"\],"parent":0,"position":\[0,0,-90\]' a.json
	grep -q '"bvh.channels":"Xposition Zposition Yposition Yrotation Xrotation Zrotation"' a.json
	grep -q '"property":"position".*"value":\[\[0,0,-91\],\[1.5,-2e-7,-91.25\],\[3,0.125,-91.5\]\]' a.json
	grep -q '"order":"YXZ"' a.json
}

@test "--add-offset counts positions from the joint's OFFSET" {
	pipe "anim-parse -q --add-offset '$ARM' | anim-emit csv | grep position | cut -d, -f10-12"
	same <(printf '%s\n' "$output") - <<-'EOT'
		0,181,0
		1.5,181.25,-2e-7
		3,181.5,0.125
	EOT
}

@test "one line, carriage returns, tabs, capitals and blanks are all one" {
	anim-parse -q --no-provenance --source-name a.bvh "$ARM" >wanted.axs
	tr '\n\t' '  ' <"$ARM" >one.bvh
	sed 's/$/\r/' "$ARM" >crlf.bvh
	tr '\n' '\r' <"$ARM" >cr.bvh
	tr ' ' '\t' <"$ARM" | sed 's/End	Site/End Site/' >tabs.bvh
	sed 's/HIERARCHY/hierarchy/; s/OFFSET/Offset/; s/Frames:/FRAMES :/; s/Frame Time:/frame time:/; s/JOINT/joint/; s/Xrot/XROT/; s/End Site/END SITE/; s/ *$/  /' "$ARM" >case.bvh
	printf '\xef\xbb\xbf' | cat - "$ARM" >mark.bvh
	for file in one crlf cr tabs case mark; do
		anim-parse -q --no-provenance --source-name a.bvh $file.bvh >got.axs
		same wanted.axs got.axs || { echo "$file" && false; }
	done
	ANIM_READ_MAX=1 anim-parse -q --no-provenance --source-name a.bvh <"$ARM" >got.axs
	same wanted.axs got.axs
	ANIM_STORE_MEMORY=0 anim-parse -q --no-provenance --source-name a.bvh <"$ARM" >got.axs
	same wanted.axs got.axs
	gzip -c "$ARM" | anim-parse -q --no-provenance --source-name a.bvh >got.axs
	same wanted.axs got.axs
}

@test "numbers are read as people and programs write them" {
	motion '.5 -.25 +3 1e2 2.93577e-005 -0.00000' >a.bvh
	pipe "anim-parse -q a.bvh | anim-emit csv | cut -d, -f10-12 | tail -n 2"
	same <(printf '%s\n' "$output") <(printf '0.5,-0.25,3\n100,0.0000293577,-0\n')
	for bad in '1 2 3 4 5 x' '1 2 3 4 5 6e' '1 2 3 4 5 -' '1 2 3 4 5 nan' '1 2 3 4 5 1e39' '1 2 3 4 5 1-2' '1 2 3 4 5 0,5' '1 2 3 4 5 .'; do
		motion "$bad" >b.bvh
		run --separate-stderr anim-parse -q -o b.axs b.bvh
		[ "$status" -eq 1 ]
		[[ $stderr == "anim-parse: b.bvh:10:11: "* ]] || { echo "$bad: $stderr" && false; }
	done
}

@test "a frame time is the rate whose rounding it is" {
	while read -r time rate; do
		motion '1 2 3 4 5 6' | sed "s/Frame Time: 0.1/Frame Time: $time/" >a.bvh
		pipe "anim-parse -q a.bvh | anim-emit json | grep -o '\"loop.*rate\":{[^}]*}' | grep -o '[0-9]*,\"den\":[0-9]*' | sed 's/,.den.:/\//'"
		[ "$output" = "$rate" ] || { echo "$time: $output, not $rate" && false; }
	done <<-'EOT'
		.0083333 120/1
		0.008333 120/1
		0.033333 30/1
		0.0333333 30/1
		0.03333333333333333 30/1
		0.033 30/1
		0.0416667 24/1
		0.0417083 24000/1001
		0.0417083750417 24000/1001
		0.0333667 30000/1001
		0.04 25/1
		0.017 60/1
		0.01 100/1
		1 1/1
		0.0166 5000/83
		2.5 2/5
		1e-2 100/1
		0.00001 100000/1
		0.035 200/7
		0.03 100/3
		0.007 1000/7
		0.008 125/1
		0.0345 2000/69
		0.0344828 29/1
		0.03452 25000/863
		0.067 15/1
		0.042 24/1
	EOT
	motion '1 2 3 4 5 6' | sed "s/Frame Time: 0.1/Frame Time: 0.12345678901234/" >a.bvh
	pipe "anim-parse -q a.bvh | anim-emit csv | cut -d, -f8 | tail -n 1"
	[ "$output" = 0.12345678901234 ]
}

@test "a frame time that is rounded or may be a rate gets a note that names the option" {
	note() { # TIME NOTE: the note of a file with this frame time
		motion '1 2 3 4 5 6' | sed "s/Frame Time: 0.1/Frame Time: $1/" >a.bvh
		run -0 --separate-stderr anim-parse --unit m a.bvh -o a.axs
		[[ $stderr == ${2:+"anim-parse: a.bvh: note: "}$2 ]] || { echo "$1: $stderr" && false; }
	}
	note 30 "a frame of a second or more: 'Frame Time: 30' is read as 30 seconds per frame; if it means frames per second, use -x fps=30; if it means milliseconds, use -x fps=33.3333"
	note 8.3333 "a frame of a second or more: 'Frame Time: 8.3333' is read as 8.3333 seconds per frame; if it means frames per second, use -x fps=8.3333; if it means milliseconds, use -x fps=120"
	note 0.033 "a rounded frame time: 'Frame Time: 0.033' is read as 30 frames per second; if it is exact, use -x fps=30.303"
	for time in 0.03 0.035 0.0333333 .0083333 0.04 0.0417083; do note $time ''; done
	note 30 "*"
	anim-parse -q -x fps=30 a.bvh -o a.axs
	[ "$(anim-info a.axs | head -n 1)" = "a: 0.0333 s, 30/s, from bvh, gltf axes" ]
	anim-emit -q a.axs -o b.bvh
	grep -q '^Frame Time: 0.0333333$' b.bvh
}

@test "a thousand frames of 0.035, 0.007 and 0.03 seconds last 35, 7 and 30 seconds" {
	for time in 0.035 0.007 0.03; do
		{ motion '' | sed "s/Frames: 2/Frames: 1001/;s/Frame Time: 0.1/Frame Time: $time/"; yes '1 2 3' | head -n 1001; } >a.bvh
		[ "$(anim-info --json a.bvh | grep -o '"end":[0-9.]*' | head -n 1)" = "\"end\":$(awk "BEGIN { print 1000 * $time }")" ]
	done
}

@test "names may repeat, hold blanks and slashes, and be no UTF-8" {
	printf 'HIERARCHY ROOT a b\n{ OFFSET 0 0 0 JOINT x/y { OFFSET 0 0 0 JOINT a b { OFFSET 0 0 0 } } JOINT a b { JOINT .. {} End Site tip { OFFSET 0 1 0 } } JOINT B\344r {} }\nMOTION Frames: 0 Frame Time: 0.1' >a.bvh
	run --separate-stderr anim-parse -q a.bvh -o a.axs
	[ "$stderr" = "anim-parse: a.bvh: warning: names that are not UTF-8 are read as Latin-1" ]
	pipe "anim-emit json a.axs 2>/dev/null | grep -oE '\"path\":\"[^\"]*|bvh.name\":\"[^\"]*'"
	pipe "anim-dump a.axs"
	for name in 'a b/x_y/a b-2' 'a b/a b-3/joint' 'a b/a b-3/tip' 'a b/Bär'; do
		[[ $output == *"$name"* ]] || { echo "$name" "$output" && false; }
	done
}

@test "channels of any number and order are read; several roots are side by side" {
	printf 'HIERARCHY ROOT a { CHANNELS 2 Yrotation Zposition OFFSET 1 2 3 } ROOT b { OFFSET 4 5 6 CHANNELS 0 } MOTION Frames: 2 Frame Time: 0.1 90 7 45 8' >a.bvh
	pipe "anim-parse -q a.bvh | anim-emit csv | tail -n +2 | cut -d, -f2,3,10-12"
	same <(printf '%s\n' "$output") - <<-'EOT'
		a,position,1,2,7
		a,position,1,2,8
		a,euler,0,90,0
		a,euler,0,45,0
	EOT
}

@test "frames too many are left out with a warning" {
	motion '1 2 3 4 5 6 7 8 9' >a.bvh
	run --separate-stderr anim-parse -q a.bvh -o a.axs
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-parse: a.bvh:10:12: warning: Frames: says 2, but the file has 3; the others are left out" ]
}

@test "Ctrl-Z, NULs and blanks after the last frame are accepted" {
	motion '1 2 3 4 5 6' >a.bvh
	anim-parse -q --no-provenance --source-name x a.bvh -o wanted.axs
	for tail in '\032' '\0' '\r\n\032\n\0\0'; do
		{ printf '%s' "$(cat a.bvh)"; printf "$tail"; } >b.bvh
		rm -f b.axs
		run -0 --separate-stderr anim-parse --unit m --no-provenance b.bvh -o b.axs
		[ -z "$stderr" ] || { echo "$stderr"; return 1; }
		anim-parse -q --no-provenance --source-name x b.bvh -o b.axs --force
		same wanted.axs b.axs
	done
	printf '%s\0 oops' "$(cat a.bvh)" >b.bvh
	run -1 anim-parse b.bvh -o b.axs
}

@test "zeros after gzip data are accepted, other bytes are not" {
	motion '1 2 3 4 5 6' >a.bvh
	anim-parse -q --no-provenance --source-name x a.bvh -o wanted.axs
	{ gzip -c a.bvh; head -c 100000 /dev/zero; } >b.bvh.gz
	anim-parse -q --no-provenance --source-name x b.bvh.gz -o b.axs
	same wanted.axs b.axs
	{ gzip -c a.bvh; printf '\0\0x'; } >b.bvh.gz
	run -1 --separate-stderr anim-parse b.bvh.gz -o c.axs
	[[ $stderr == *"unexpected bytes after the gzip data" ]]
	{ gzip -c a.bvh; printf '\0'; gzip -c a.bvh; } >b.bvh.gz
	run -1 anim-parse b.bvh.gz -o c.axs
}

@test "every beginning of a file is refused, whether cut in words or in motion" {
	local cut size
	size=$(wc -c <"$ARM")
	for ((cut = 0; cut < size - 4; cut += 3)); do
		head -c $cut "$ARM" >cut.bvh
		run --separate-stderr anim-parse -q -f bvh -o cut.axs cut.bvh
		[ "$status" -eq 1 ] && [[ $stderr == "anim-parse: cut.bvh:"* ]] || { echo "$cut: $status $stderr" && false; }
	done
}

@test "angles that jump are played the short way, as rotations" {
	pipe "anim-parse -q '$ARM' | anim-resample 60 | anim-emit csv | grep 'Hips,euler' | cut -d, -f11 | sed -n 4p"
	awk -v y="$output" 'BEGIN { exit !(y > 179.9 || y < -179.9) }'
	pipe "anim-parse -q '$ARM' | anim-bake -r 60 | anim-emit csv | grep -c rotation"
	[ "$output" -eq 15 ]
	run --separate-stderr bash -c "anim-parse -q '$ARM' | anim-axes resonite | anim-emit --strict animj"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *'"property":"Rotation"'* ]]
}

@test "an independent evaluator sees every joint of others' files where it is" {
	need_corpus
	not_bytewise "others' files are read byte by byte where they come back"
	local file name
	for file in "$ANIM_CORPUS"/bvh/*.bvh; do
		name=${file##*/}
		anim-parse -q --up y "$file" >a.axs 2>/dev/null
		anim-emit json a.axs >"$name.json"
		anim-bake a.axs | anim-emit json >"$name.baked.json"
	done
	not_sanitized "the evaluator's part, a check of values"
	for file in "$ANIM_CORPUS"/bvh/*.bvh; do
		name=${file##*/}
		poses "$file" "$name.json" "$name.baked.json"
	done
	[ -s poses.txt ]
}

# ---- the writer ----

# same_numbers A B...: each B has all words of A, numbers as the float32 that they are.
same_numbers() {
	python3 - "$@" <<-'PY'
		import array, sys
		def read(name):
		    words, numbers = [], array.array("f")
		    for word in open(name, newline="", encoding="latin-1").read().split():
		        try:
		            numbers.append(float(word))
		        except ValueError:
		            words.append((len(numbers), word))
		    return words, numbers
		wanted = read(sys.argv[1])
		for name in sys.argv[2:]:
		    if read(name) != wanted:
		        sys.exit(f"{sys.argv[1]}: {name}")
	PY
}

@test "a file that nobody changed comes back byte for byte" {
	anim-parse -q "$ARM" | anim-emit bvh >a.bvh
	same "$ARM" a.bvh
	anim-parse -q "$ARM" | anim-emit -o b.bvh
	same "$ARM" b.bvh
	anim-parse -q --up z "$ARM" | anim-emit bvh >a.bvh
	same "$ARM" a.bvh
	anim-parse -q "$ARM" | ANIM_STORE_MEMORY=0 anim-emit bvh >a.bvh
	same "$ARM" a.bvh
}

@test "others' files come back with every number, name and channel" {
	need_corpus
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$ANIM_CORPUS"/bvh/*.bvh; do
		anim-parse -q "$file" | anim-emit bvh >up_y.bvh
		anim-parse -q --up z "$file" | anim-emit bvh >up_z.bvh
		same_numbers "$file" up_y.bvh up_z.bvh
	done
}

@test "names that the tree cannot have, ends with names, joints without channels and short ones come back" {
	printf 'HIERARCHY\nROOT a\n{\n\tOFFSET 0 0 0\n\tCHANNELS 2 Yrotation Xposition\n\tJOINT b\n\t{\n\t\tOFFSET 0 1 0\n\t\tCHANNELS 0\n\t\tEnd Site tip\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t}\n\t}\n\tJOINT b\n\t{\n\t\tOFFSET 0 1 0\n\t\tCHANNELS 0\n\t}\n\tJOINT x/y\n\t{\n\t\tOFFSET 0 2 0\n\t\tCHANNELS 1 Zrotation\n\t}\n}\nROOT c\n{\n\tOFFSET 4 5 6\n\tCHANNELS 0\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n1 2 3\n4 5 6\n' >a.bvh
	anim-parse -q a.bvh | anim-emit bvh >b.bvh
	same a.bvh b.bvh
}

@test "--order, --to-up and --to-unit change the file, not the poses" {
	for order in XYZ XZY YXZ YZX ZXY ZYX; do
		anim-parse -q "$ARM" | anim-emit bvh --order $order >$order.bvh
		[ "$(grep -c "CHANNELS.*${order:0:1}rotation ${order:1:1}rotation ${order:2:1}rotation" $order.bvh)" -eq 3 ]
	done
	poses "$ARM" ???.bvh
	anim-parse -q "$ARM" | anim-emit bvh --to-unit cm >a.bvh
	SCALE=0.01 poses "$ARM" a.bvh
	anim-parse -q --unit in "$ARM" | anim-emit bvh --to-unit m >a.bvh
	SCALE=39.37007874015748 poses "$ARM" a.bvh
	anim-parse -q "$ARM" | anim-emit bvh --to-up z | anim-parse -q --up z | anim-emit bvh --to-up y >a.bvh
	same "$ARM" a.bvh
	for file in "$ANIM_CORPUS"/bvh/*.bvh; do
		[[ -e $file && $file != */cmu_01_01.bvh ]] || continue # a long one
		anim-parse -q "$file" | anim-emit bvh --order YZX >a.bvh
		poses "$file" a.bvh
	done
}

@test "rests that rotate and scale become offsets, and what hangs between joints is folded in" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 - >a.json <<-'PY'
		import json, math, random
		random.seed(3)
		def turn():
		    q = [random.gauss(0, 1) for _ in range(4)]
		    n = math.sqrt(sum(v * v for v in q))
		    return [v / n for v in q]
		def node(path, parent, kind, scale=1):
		    print(json.dumps({"node": {"path": path, "type": "", "kind": kind, "has": ["position", "rotation", "scale"],
		        "parent": parent, "position": [random.uniform(-1, 1) for _ in range(3)], "rotation": turn(),
		        "scale": [scale] * 3, "attributes": {}}}))
		def track(path, name, kind, values):
		    print(json.dumps({"track": {"node": path, "property": name, "component": None, "kind": "Raw", "type": kind,
		        "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": len(values),
		        "start": 0, "step": 0, "rate": {"num": 30, "den": 1}, "attributes": {}, "columns": {"value": values}}}))
		print('{"anim_json":1}')
		print('{"tree":{"root":"x","source":"","axes":"godot","axes2d":"unknown","attributes":{}}}')
		node(".", None, "node")
		node("S", 0, "node", 2)
		node("S/a", 1, "bone")
		node("S/a/b", 2, "bone")
		node("S/a/b/n", 3, "node", 0.5)
		node("S/a/b/n/c", 4, "bone")
		node("S/a/b/n/c/d", 5, "bone")
		print(json.dumps({"clip": {"name": "x", "root": ".", "source": "godot4", "start": 0, "end": 1, "loop": "none",
		    "axes": "godot", "axes2d": "unknown", "flags": ["in_tree"], "rate": {"num": 30, "den": 1}, "attributes": {}}}))
		for path in ["S/a", "S/a/b", "S/a/b/n/c"]:
		    track(path, "rotation", "floatQ", [turn() for _ in range(31)])
		for path in ["S/a", "S/a/b/n/c/d"]:
		    track(path, "position", "float3", [[random.uniform(-1, 1) for _ in range(3)] for _ in range(31)])
		print('{"end":true}')
	PY
	anim-parse -q a.json | anim-emit bvh >a.bvh
	grep -E 'ROOT|JOINT|CHANNELS' a.bvh | tr -d '\t' >joints
	same joints - <<-'EOT'
		ROOT a
		CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
		JOINT b
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT c
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT d
		CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	EOT
	LIMIT=1e-5 poses a.bvh a.json # the skeleton is small beside its bones
}

@test "a scene that names no bones is written without the roots beside the skeleton that no track moves" {
	python3 - >a.json <<-'PY'
		import json
		print('{"anim_json":1}')
		print('{"tree":{"root":"x","source":"","axes":"gltf","axes2d":"unknown","attributes":{}}}')
		for path, parent in [(".", None), ("Body", 0), ("Hips", 0), ("Hips/Leg", 2), ("Hair", 0), ("Hair/tip", 4)]:
		    print(json.dumps({"node": {"path": path, "kind": "node", "type": "", "has": [],
		        "parent": parent, "position": [0, 1, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "attributes": {}}}))
		print(json.dumps({"clip": {"name": "x", "root": ".", "source": "fbx", "start": 0, "end": 1, "loop": "none",
		    "axes": "gltf", "axes2d": "unknown", "flags": ["in_tree"], "rate": {"num": 30, "den": 1}, "attributes": {}}}))
		print(json.dumps({"track": {"node": "Hips/Leg", "property": "rotation", "component": None, "kind": "Raw",
		    "type": "floatQ", "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 31,
		    "start": 0, "step": 0, "rate": {"num": 30, "den": 1}, "attributes": {}, "columns": {"value": [[0, 0, 0, 1]] * 31}}}))
		print('{"end":true}')
	PY
	anim-parse -q a.json >a.axs
	run --separate-stderr anim-emit -o a.bvh a.axs
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: a.axs: 'x': note: left out 3 nodes beside the skeleton, which no track moves: 'Body', ..." ]
	[ "$(grep -E 'ROOT|JOINT' a.bvh | tr -d '\t' | tr '\n' ' ')" = "ROOT Hips JOINT Leg " ]
}

@test "a skeleton of Godot's goes to BVH and comes back to a skeleton" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-resample 30 >crane.axs
	run --separate-stderr anim-emit -o crane.bvh crane.axs
	[ "$status" -eq 0 ]
	[ "${stderr_lines[0]}" = "anim-emit: crane.tscn: 'lift': warning: 2 tracks: left out, because BVH has only positions and rotations of joints (first 'Lamp visible'; anim-lint --for bvh lists all)" ]
	anim-emit json crane.axs >crane.json
	poses crane.bvh crane.json
	anim-parse -q crane.bvh | anim-axes godot | anim-rename --bones Skeleton3D | anim-emit -o back.tscn
	grep -q 'bones/2/name = "hook"' back.tscn
	grep -q 'NodePath("Skeleton3D:hook")' back.tscn
	anim-parse -q back.tscn | anim-resample 30 | anim-emit bvh >back.bvh
	poses crane.bvh back.bvh
}

@test "without bones nodes are joints; a track of a node that the tree lacks is reported" {
	anim-emit -q json "$ARM" >arm.json
	sed 's/"kind":"bone"/"kind":"node"/' arm.json | anim-emit -q bvh >nodes.bvh
	same "$ARM" nodes.bvh
	sed 's/{"track":{"node":"Hips\/Arm\/Hand"/{"track":{"node":"Gone"/' arm.json >gone.json
	run -0 --separate-stderr anim-emit -o gone.bvh gone.json
	[ "$stderr" = "anim-emit: gone.json: warning: track 'Gone euler': left out, because the tree lacks this bone; the skeleton may be in another file" ]
}

@test "curves, components and frames of several rates become frames of one rate; what is no motion of a skeleton is refused" {
	run -0 --separate-stderr bash -c "anim-parse '$ROOT/examples/crane.tscn' | anim-emit -o crane.bvh"
	[[ $stderr == *"note: clip 'lift': no rate, so 30 samples per second were taken; give one with anim-bake --rate"* ]]
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 30 | anim-emit -q bvh | cmp - crane.bvh
	# joints with frames of their own times get those of the first
	anim-emit -q json "$ARM" >arm.json
	python3 - <<-'PY'
		import json
		rows = [json.loads(line) for line in open("arm.json")]
		tracks = [r["track"] for r in rows if "track" in r]
		tracks[-1]["columns"]["value"] = tracks[-1]["columns"]["value"][::2]
		tracks[-1]["keys"] = 2
		tracks[-1]["rate"]["num"] = 15
		open("mixed.json", "w").writelines(json.dumps(r) + "\n" for r in rows)
	PY
	anim-emit -q -o mixed.bvh mixed.json
	[ "$(grep Frames: mixed.bvh)" = "$(grep Frames: "$ARM" | tr -d '\r')" ]
	anim-parse -q "$ARM" | anim-emit animj --axes keep >a.animj
	run --separate-stderr bash -c "anim-parse a.animj | anim-emit bvh"
	[ "$status" -eq 1 ]
	[[ $stderr == *"BVH needs a skeleton, but the input has no tree of bones; another format, such as .glb, needs none" ]]
	run --separate-stderr bash -c "anim-parse -q '$ARM' | anim-axes unity | anim-emit -o a.bvh"
	[ "$status" -eq 0 ]
	anim-parse -q "$ARM" | anim-emit -q bvh | cmp - a.bvh
	run --separate-stderr anim-emit animj --to-unit cm "$ARM"
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "anim-emit: --to-unit is for bvh, not for animj" ]
}

@test "BVH keeps the unit of a BVH source, with a note, unless --to-unit is given" {
	run -0 --separate-stderr anim convert --unit cm "$DATA/rests/z1_world_axes.bvh" own.bvh
	[[ $stderr == *"note: lengths stay in the unit of the source, cm; --to-unit m writes metres" ]]
	run -0 --separate-stderr anim convert --unit cm --to-unit m "$DATA/rests/z1_world_axes.bvh" metres.bvh
	[[ $stderr != *"unit of the source"* ]]
	run -0 --separate-stderr anim convert -r 30 "$ROOT/examples/walker.tscn" t.bvh
	[[ $stderr != *"unit of the source"* ]]
}
