#!/usr/bin/env bats
# anim-retime: clips in other times, through the program.

load helper

# scene NAME: a scene with a clip of 4 s that moves from 0 to 8 along x, and a clip "b" of 1 s.
scene() {
	cat <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 4.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("A")
		tracks/0/interp = 1
		tracks/0/loop_wrap = false
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 4, 1, 8, 0, 0)

		[sub_resource type="Animation" id="b"]
		length = 1.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("A")
		tracks/0/interp = 1
		tracks/0/loop_wrap = false
		tracks/0/keys = PackedFloat32Array(0, 1, 1, 2, 3)

		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"a": SubResource("a"),
		&"b": SubResource("b")
		}

		[node name="Scene" type="Node3D"]

		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
}

stream() {
	scene >scene.tscn
	anim-parse scene.tscn -o scene.axs
}

@test "a part of a clip starts at 0 with keys of the values at its ends" {
	stream
	run --separate-stderr anim-retime -t 1..3 -c a scene.axs -o part.axs
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	anim-dump part.axs >part.dump
	grep -q '^clip name="a" .* start=0 end=2 ' part.dump
	run grep -A 4 'property="position"' part.dump
	[ "${lines[3]}" = $'\t0 2,0,0' ]
	[ "${lines[4]}" = $'\t2 6,0,0' ]
}

@test "--loop sets what clips do at their end, and every engine's file has it; no key changes" {
	stream
	for how in none wrap ping-pong; do
		anim-retime --no-provenance --loop $how scene.axs -o loop.axs
		[ "$(anim-dump loop.axs | grep -c "^clip .* loop=$how ")" -eq "$(anim-dump scene.axs | grep -c '^clip ')" ]
		diff <(anim-dump scene.axs | sed -e "/^prog/,+1d" -e '/^clip/s/ loop=[^ ]*//') <(anim-dump loop.axs | sed '/^clip/s/ loop=[^ ]*//')
	done
	anim convert -q --loop wrap -c a scene.tscn a.tres
	grep -qx 'loop_mode = 1' a.tres
	anim convert -q --loop wrap -c a scene.tscn a.anim
	grep -q 'm_LoopTime: 1' a.anim
	run -2 --separate-stderr anim-retime --loop round scene.axs
	[[ $stderr == *"none, wrap, ping-pong"* ]] || { echo "$stderr" && false; }
}

@test "twice as fast and back is the same stream but for its provenance" {
	stream
	anim-retime --no-provenance --speed 2 scene.axs | anim-retime --no-provenance --speed 0.5 -o back.axs
	anim-retime --no-provenance --shift 0 scene.axs -o same.axs
	same back.axs same.axs
}

@test "backwards twice is the same stream but for its provenance" {
	stream
	anim-retime --no-provenance --reverse scene.axs | anim-retime --no-provenance --reverse -o back.axs
	anim-retime --no-provenance --shift 0 scene.axs -o same.axs
	same back.axs same.axs
}

@test "a clip that has no time in the range is left out with a note, none at all is an error" {
	stream
	run --separate-stderr anim-retime -t 2..3 scene.axs -o part.axs
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-retime: scene.tscn: note: clip 'b' (0..1 s): left out, outside the range" ]
	run --separate-stderr anim-retime -t 7..9 scene.axs -o none.axs
	[ "$status" -eq 1 ]
	[ ! -e none.axs ]
	[[ "$stderr" == *"no clip overlaps the range; 'a' has the times "*" s"* ]]
	run -1 --separate-stderr anim convert -t 100f..220f "$ROOT/tests/data/bvh/arm.bvh" none.axs
	[[ "$stderr" == *"no clip overlaps the range; 'arm' has the times 0.."*" s and the frames 0 to "* ]]
	run -0 --separate-stderr anim-retime -t -1..1 -c b scene.axs -o early.axs
	[[ $stderr == *"note: clip 'b': the start comes after the start of the range, at 0 s"* ]]
}

@test "a clip name that fits none is an error that names the clips" {
	stream
	run --separate-stderr anim-retime --reverse -c wlak scene.axs -o x.axs
	[ "$status" -eq 1 ]
	[ ! -e x.axs ]
	[[ "$stderr" == *"no clip is named 'wlak'; the clips are a, b" ]]
}

@test "wrong command lines end with 2 and say what to type" {
	for words in "" "--speed 0" "--speed -1" "--speed 24fps" "--speed 2 --duration 3" "--duration 0" "--duration x" \
		"--shift 1s" "--snap source" "--rate 0" "--tol -1 --reverse" "-t 3..1" "-t 3" "-t .."; do
		# shellcheck disable=SC2086 # words are options
		run --separate-stderr anim-retime $words none.axs
		[ "$status" -eq 2 ] || { echo "$words: $status" && false; }
		[[ "$stderr" == anim-retime:* ]]
	done
	run --separate-stderr anim-retime none.axs
	# shellcheck disable=SC2154 # set by run
	[ "${stderr_lines[0]}" = "anim-retime: nothing to do; try: anim-retime none.axs --speed 2" ]
	run --separate-stderr anim-retime --speed fast none.axs
	[ "${stderr_lines[0]}" = "anim-retime: 'fast' is not a speed such as 2, 0.5 or 30/24" ]
}

@test "a cut that no mode can follow is noted with its error, which --strict accepts if it is too small to see" {
	scene | sed 's/0, 1, 0, 0, 0, 4, 1, 8/0, 2, 0, 0, 0, 4, 1, 8/' >scene.tscn
	anim-parse scene.tscn -o scene.axs
	run --separate-stderr anim-retime -t 1..3 -c a scene.axs -o part.axs
	[ "$status" -eq 0 ]
	[[ "$stderr" =~ ^"anim-retime: scene.tscn: 'a': note: curve 'A position': approximated, at most "[0-9.]+e-05" units off"$ ]]
	run --separate-stderr anim-retime --strict -t 1..3 -c a scene.axs -o strict.axs
	[ "$status" -eq 0 ]
	[ -s strict.axs ]
}

@test "a part without length is the pose at its time, with one key for each track" {
	printf 'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n1 2 3\n4 5 6\n7 8 9\n' >take.bvh
	anim-parse -q take.bvh | anim-retime -t 0.5..0.5 -o pose.axs
	anim-dump pose.axs | grep -q '^clip .* end=0 '
	[ "$(anim-emit csv <pose.axs | tail -n +2 | wc -l)" -eq 1 ]
	anim convert -q -t 0.5..0.5 take.bvh pose.bvh
	[ "$(tail -n 1 pose.bvh)" = "4 5 6" ]
}

@test "RESET stays as it is where it is not asked for by its name" {
	anim-parse -q "$DATA/bake/lanes.tscn" -o lanes.axs
	run -0 --separate-stderr anim-retime -t 0.5..1 --reverse lanes.axs -o part.axs
	[ -z "$stderr" ]
	same <(anim-filter -c RESET lanes.axs | anim-dump | sed -n '/^clip/,$p') <(anim-filter -c RESET part.axs | anim-dump | sed -n '/^clip/,$p')
	anim-retime --duration 3 -c '*' lanes.axs | anim-dump | grep -q '^clip name="RESET" .* end=0.001 '
	anim-retime --duration 3 -c RESET lanes.axs | anim-dump | grep -q '^clip name="RESET" .* end=3 '
	anim-filter -c RESET lanes.axs -o reset.axs
	run -0 --separate-stderr anim-retime --duration 3 reset.axs -o same.axs
	[ "$stderr" = "anim-retime: lanes.tscn: note: RESET is the only clip and was not changed; use -c RESET to change it" ]
}

@test "a clip that would lie where times are coarse is warned of, one without length then refused" {
	stream
	run -0 --separate-stderr anim-retime --shift 3600 scene.axs -o far.axs
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-retime --shift 1e5 -c a scene.axs -o far.axs
	[ "$stderr" = "anim-retime: scene.tscn: warning: clip 'a': less precise times after the change, at most 0.004 s off" ]
	run -1 --separate-stderr anim-retime --shift 1e12 -c a scene.axs -o none.axs
	[ "$stderr" = "anim-retime: clip 'a': the new times are too large to represent its length" ]
	[ ! -e none.axs ]
}

# triggers: a Godot 3 animation of 2 s that plays a sound at 0.5 and 1.5 s.
triggers() {
	printf '[gd_resource type="Animation" format=2]\n\n[resource]\nresource_name = "t"\nlength = 2.0\ntracks/0/type = "value"\n'
	printf 'tracks/0/path = NodePath("A:playing")\ntracks/0/interp = 1\ntracks/0/loop_wrap = true\ntracks/0/imported = false\n'
	printf 'tracks/0/enabled = true\ntracks/0/keys = {\n"times": PoolRealArray( 0.5, 1.5 ),\n'
	printf '"transitions": PoolRealArray( 1, 1 ),\n"update": 2,\n"values": [ true, true ]\n}\n'
}

@test "triggers are events: they are not made up at a cut, keep their moments backwards, and are never constant" {
	triggers >t.tres
	anim-parse -q t.tres -o t.axs
	[ "$(anim-retime -t 1..2 t.axs | anim-dump | awk '/^\t[0-9]/ { print $1 }')" = 0.5 ]
	[ "$(anim-retime --reverse t.axs | anim-dump | awk '/^\t[0-9]/ { print $1 }' | xargs)" = "0.5 1.5" ]
	[ "$(anim-cat --append t.axs t.axs | anim-dump | awk '/^\t[0-9]/ { print $1 }' | xargs)" = "0.5 1.5 2.5 3.5" ]
	run -0 --separate-stderr anim-filter --constant t.axs -o none.axs
	[ "$stderr" = "anim-filter: t.tres: note: no track matches; run anim-info to list the tracks" ]
}

# open_as_closed FILE OPEN CLOSED: an open range and its closed one make the same stream and say the same, whatever else is done.
open_as_closed() {
	for words in "" --reverse "--snap 7" "--reverse --snap 7" "--speed 3" "--duration 1.7" "--reverse --shift -1"; do
		# shellcheck disable=SC2086 # words are options
		anim-retime --no-provenance $words -t "$2" "$1" --force -o open.axs 2>open.err
		# shellcheck disable=SC2086
		anim-retime --no-provenance $words -t "$3" "$1" --force -o closed.axs 2>closed.err
		same open.axs closed.axs && same open.err closed.err || { echo "$1 -t $2 $words" && return 1; }
	done
}

@test "an open beginning is the clip's start, an open end its end: of curves, loops, events and samples, in any order" {
	not_bytewise "of ranges and orders, in streams that other tests read byte by byte"
	triggers >t.tres
	while read -r file clip; do
		anim-parse -q "$file" | anim-filter -q -c "$clip" --force -o one.axs
		anim-resample -q --force 30 one.axs -o raw.axs
		for stream in one.axs raw.axs; do
			read -r start end < <(anim-dump "$stream" | sed -n 's/^clip .* start=\(.*\) end=\(.*\) loop=.*/\1 \2/p')
			inside=$(awk "BEGIN { print $start + 0.37 * ($end - $start) }")
			open_as_closed "$stream" "$inside.." "$inside..$end"
			open_as_closed "$stream" "..$inside" "$start..$inside"
		done
	done <<-TEXT
		t.tres *
		$DATA/godot/emit_4.2.tscn walk
		$DATA/godot/emit_3.tscn walk
		$DATA/unity/clip_generic.anim *
		$DATA/unity/clip_odd.anim *
		$DATA/unity/emit_legacy.anim *
		$DATA/animj/example_discrete.animj *
	TEXT
}

@test "with an open range each clip has its own start or end" {
	stream
	anim-retime --no-provenance -c b --shift 0.25 scene.axs -o late.axs
	anim-retime --no-provenance -t 0.5.. late.axs -o open.axs
	[ "$(anim-dump open.axs | sed -n 's/^clip name=\(.*\) root=.* \(start=.*\) loop=.*/\1 \2/p')" = $'"a" start=0 end=3.5\n"b" start=0 end=0.75' ]
	anim-retime --no-provenance -c a -t 0.5..4 late.axs | anim-retime --no-provenance -c b -t 0.5..1.25 -o closed.axs
	same open.axs closed.axs
	anim-retime --no-provenance -t ..0.75 late.axs -o open.axs
	[ "$(anim-dump open.axs | sed -n 's/^clip name=\(.*\) root=.* \(start=.*\) loop=.*/\1 \2/p')" = $'"a" start=0 end=0.75\n"b" start=0 end=0.5' ]
	anim-retime --no-provenance -c a -t 0..0.75 late.axs | anim-retime --no-provenance -c b -t 0.25..0.75 -o closed.axs
	same open.axs closed.axs
	run -0 --separate-stderr anim-retime -t 2.. late.axs -o part.axs
	[ "$stderr" = "anim-retime: scene.tscn: note: clip 'b' (0.25..1.25 s): left out, outside the range" ]
	run -1 --separate-stderr anim-retime -t ..-1 late.axs -o none.axs
	[[ "$stderr" == *"no clip overlaps the range; 'a' has the times "* ]]
	[ ! -e none.axs ]
}

@test "the error that is reported for a steep transition that is cut is no less than what is found" {
	local told found
	for transition in -0.2 0.05 -50; do
		cat >e.tres <<-END
			[gd_resource type="Animation" format=3]
			[resource]
			resource_name = "e"
			length = 1.0
			tracks/0/type = "value"
			tracks/0/path = NodePath("A:v")
			tracks/0/interp = 1
			tracks/0/keys = {
			"times": PackedFloat32Array(0, 1),
			"transitions": PackedFloat32Array($transition, 1),
			"update": 0,
			"values": [0.0, 1000.0]
			}
		END
		anim-parse e.tres >e.axs
		anim-retime -t 0..0.75 e.axs 2>err >cut.axs
		told=$(sed -n 's/.*at most \([0-9.e+-]*\) units off.*/\1/p' err)
		anim-resample 100000 -o a.axs e.axs
		anim-resample 100000 -o b.axs cut.axs
		found=$(anim-diff a.axs b.axs | sed -n 's/^worst: \([0-9.e+-]*\),.*/\1/p')
		echo "$transition: told ${told:-nothing}, found ${found:-nothing}"
		awk -v told="${told:-0.0001}" -v found="${found:-0}" 'BEGIN { exit !(found + 0 <= told + 0.002) }' # floats of 1000 and of such speeds
	done
}

# clip NAME END [RATE], ramp END X: records of a clip, and of a track that moves to x at its end; lines: a stream of them.
clip() {
	printf '{"clip":{"name":"%s","root":".","source":"x","start":0,"end":%s,"loop":"none","axes":"gltf","axes2d":"unknown","flags":[],"rate":%s,"attributes":{}}}\n' \
		"$1" "$2" "${3:-null}"
}
ramp() {
	printf '{"track":{"node":"Box","property":"position","component":null,"kind":"Curve","type":"float3","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"Linear","keys":2,"attributes":{},"columns":{"time":[0,%s],"value":[[0,0,0],[%s,0,0]]}}}\n' "$1" "$2"
}
lines() {
	{ echo '{"anim_json":1}'; cat; echo '{"end":true}'; } | anim-parse -f json
}

@test "a range can be frames of the clip's rate, or of --rate if it has none" {
	{
		clip a 3 '{"num":24,"den":1}'
		ramp 3 72
	} | lines >rated.axs
	anim-retime -t 12f..36f rated.axs | anim-dump | sed -n "/^clip/,\$p" >got
	anim-retime -t 0.5..1.5 rated.axs | anim-dump | sed -n "/^clip/,\$p" | diff - got
	anim-retime -t ..36f rated.axs | anim-dump | sed -n "/^clip/,\$p" >got
	anim-retime -t ..1.5 rated.axs | anim-dump | sed -n "/^clip/,\$p" | diff - got
	{
		clip a 3
		ramp 3 72
	} | lines >free.axs
	run --separate-stderr anim-retime -t 12f..36f free.axs -o no.axs
	[ "$status" -eq 1 ]
	[[ $stderr == *"clip 'a' has no frame rate; give the range in seconds" ]]
	[ ! -e no.axs ]
	[ "$(anim-retime --rate 24 -t 12f..36f free.axs | anim-info --json | grep -o '"end":[^,]*')" = '"end":1' ]
	anim-convert -q -r 24 -t 12f..36f free.axs part.axs
	[ "$(anim-info --json part.axs | grep -o '"end":[^,]*')" = '"end":1' ]
	anim-convert -q -r 24 -t 12f..36f -t 0..1 free.axs parts.axs
	[ "$(anim-info --json parts.axs | grep -c '"end":1,')" -eq 2 ]
	for wrong in 1f..2 1..2f f..2f 1f..f 0:01f..3f 3f..1f f..; do
		run ! anim-retime -t "$wrong" rated.axs -o no.axs
		[ "$status" -eq 2 ]
	done
}

@test "several ranges give a clip each, also from an archive; clips that are not asked for stay" {
	{
		clip a 3
		ramp 3 3
		clip b 2
		ramp 2 2
	} | lines >two.axs
	names() { anim-info --json "$1" | sed -n 's/.*{"name":"\([^"]*\)".*/\1/p' | tr '\n' ' '; }
	anim-retime -t 0..1 -t 1..3 two.axs -o four.axs
	[ "$(names four.axs)" = "a-1 a-2 b-1 b-2 " ]
	anim-filter --no-provenance -c a-2 four.axs | anim-dump | sed -n '/^clip/,$p' >got
	anim-retime -c a -t 1..3 two.axs | anim-filter -c a | anim-dump | sed -n 's/^clip name="a"/clip name="a-2"/; /^clip/,$p' | diff - got
	anim-retime -c a -t 0..1 -t 1..3 two.axs -o three.axs
	[ "$(names three.axs)" = "a-1 a-2 b " ]
	run --separate-stderr anim-retime -t 0..1 -t 2.5..3 two.axs -o some.axs
	[ "$status" -eq 0 ]
	[ "$(names some.axs)" = "a-1 a-2 b-1 " ]
	[[ $stderr == *"clip 'b' (0..2 s): left out, outside the range" ]]
	anim-pack two.axs -o two.axs.gz
	anim-convert -q -t 0..1 -t 1..3 two.axs.gz parts.axs
	[ "$(names parts.axs)" = "a-1 a-2 b-1 b-2 " ]
}

# walk OPTION...: walk.bvh, a walk of about 5.5 s whose steps differ; it stands still for a second before and after it.
walk() {
	python3 - "$@" <<-'PY'
		import math, sys
		stay = "stay" in sys.argv
		joints = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
		lines = ["HIERARCHY", "ROOT Hips", "{", "OFFSET 0 90 0", "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"]
		for side, x in (("Left", 10), ("Right", -10)):
		    for joint, offset in (("UpLeg", f"{x} 0 0"), ("Leg", "0 -40 0"), ("Foot", "0 -40 0")):
		        lines += [f"JOINT {side}{joint}", "{", f"OFFSET {offset}", "CHANNELS 3 Zrotation Yrotation Xrotation"]
		    lines += ["End Site", "{", "OFFSET 0 -5 12", "}"] + ["}"] * 3
		lines += ["}", "MOTION", "Frames: 226", "Frame Time: 0.0333333333"]
		phase = way = 0.0
		for frame in range(226):
		    speed = 0 if frame < 30 or frame >= 196 else 0.2 + 0.02 * math.sin(frame / 17)
		    phase += speed
		    way += 0 if stay else 20 * speed
		    swing = 25 + 2 * math.sin(frame / 29) if speed else 25
		    row = [0, 90 + 2 * math.cos(2 * phase), way, 0, 0, 3 * math.sin(phase)]
		    for sign in (1, -1):
		        row += [0, 0, sign * swing * math.sin(phase), 0, 0, 20 - 20 * sign * math.cos(phase), 0, 0, 5 * sign * math.sin(phase)]
		    lines.append(" ".join(f"{value:.5f}" for value in row))
		open("walk.bvh", "w").write("\n".join(lines) + "\n")
	PY
}

# seam FILE OPTION...: how many times the smallest seam of all pairs of samples that of the loop is which --find-loop finds.
seam() {
	local file=$1 said rate
	shift
	said=$(anim convert "$@" --force --find-loop "$file" loop.axs 2>&1)
	[[ $said =~ 'loops from '([0-9.e-]+)' to '([0-9.e-]+) ]] || { echo "$said" && return 1; }
	rate=$(anim info --json "$file" | python3 -c 'import json, sys; rate = json.load(sys.stdin)["clips"][0].get("rate"); print("{num}/{den}".format(**rate) if rate else 60)')
	anim convert -q "$@" --force --world -r "$rate" "$file" world.npz
	python3 "$ROOT/tests/loop_search.py" world.npz "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" |
		awk -v file="$file" '{ print file, $0 } !($1 <= 1.2) { exit 1 }'
}

@test "--find-loop cuts to the loop with the smallest seam of all pairs of samples, and closes it" {
	need_numpy
	for how in travel stay; do
		walk $how
		seam walk.bvh --unit cm
		anim info -l loop.axs | grep -Eq '^walk: (0.9|1.0)'
		anim-dump loop.axs | grep -q '^clip .* loop=wrap '
		# rotations end as they begin, and so does the height of the hips, which may have moved over the ground
		anim emit json loop.axs | python3 -c "$(cat <<-'PY'
			import json, sys
			seen = []
			for line in sys.stdin:
			    track = json.loads(line).get("track")
			    if track is None:
			        continue
			    seen.append(track["property"])
			    first, last = track["columns"]["value"][0], track["columns"]["value"][-1]
			    off = [abs(a - b) for a, b in zip(first, last)]
			    if track["property"] == "position":
			        assert off[1] < 1e-5, off
			        assert (off[2] > 1) == (sys.argv[1] == "travel"), off
			    else:
			        assert max(off) < 1e-5 or max(abs(a + b) for a, b in zip(first, last)) < 1e-5, track["node"]
			assert len(seen) > 7, seen
		PY
		)" "$how"
	done
	# on the spot, the turn of a round is removed as well
	[[ $(anim convert --dry-run --find-loop --in-place in.bvh out.glb) == *"anim-root --in-place --yaw --loop"* ]]
	file=$ANIM_CORPUS/bvh/cmu_12_01_walk.bvh
	[ ! -e "$file" ] || { anim convert -q --unit cmu --find-loop --in-place "$file" spot.glb && anim lint --loop-seam spot.glb; }
	for file in "$ANIM_CORPUS"/bvh/{cmu_12_01_walk,walk01,bn_dataset-2_walk-turn-right_elderly_021}.bvh; do
		[ ! -e "$file" ] || seam "$file" --unit cm
	done
	[ -e "$file" ] || skip "the walks of the corpus were not looked at: ANIM_CORPUS has none"
}

@test "--find-loop searches inside of -t, several times, and leaves clips without a loop as they are" {
	need_numpy
	walk
	anim convert -q --unit cm walk.bvh walk.axs
	run --separate-stderr anim-retime -t 1..3.5 -t 3.5..6.5 --find-loop walk.axs -o two.axs
	[ "$status" -eq 0 ]
	[[ $stderr =~ "loops from "[12][.0-9]*" to "[23] && $stderr =~ "loops from "[345][.0-9]*" to "[456] ]] || { echo "$stderr" && false; }
	[ "$(anim info -l two.axs | grep -c '^walk-[12]: ')" -eq 2 ]
	run --separate-stderr anim-retime -t 0..1.2 --find-loop walk.axs -o none.axs
	[ "$status" -eq 0 ]
	[[ $stderr == *"clip 'walk': not cut, because no loop was found"* ]] || { echo "$stderr" && false; }
	run -1 anim-retime --strict -t 0..1.2 --find-loop walk.axs -o none.axs
	run -2 anim-retime --find-loop --trim 1mm walk.axs
	# the other clips of a scene stay
	stream
	anim-retime -q --find-loop -c b scene.axs | anim-dump | grep -q '^clip name="a" .* start=0 end=4 '
}

@test "--trim leaves out stillness at both ends, but neither events nor other values that change there" {
	not_windows "there is no /dev/fd"
	need_numpy
	walk
	anim convert -q --unit cm walk.bvh walk.axs
	run --separate-stderr anim convert --unit cm --trim 1mm@10cm walk.bvh part.axs
	[ "$status" -eq 0 ]
	[[ $stderr =~ "part that moves, without 0."9[67].*" s before it and "0.9[67] ]] || { echo "$stderr" && false; }
	anim diff --max 0.1mm@10cm part.axs <(anim-retime -t 29f..196f walk.axs)
	# what moves by less than the limit is still
	anim convert -q --unit cm --trim 1m --force walk.bvh far.axs
	[ "$(anim info -l far.axs | grep -oE '[0-9.]+ s' | head -n 1 | cut -d. -f1)" -lt 6 ]
	# an event and a light
	scene | sed -e 's/PackedFloat32Array(0, 1, 0, 0, 0, 4, 1, 8, 0, 0)/PackedFloat32Array(1, 1, 0, 0, 0, 2, 1, 8, 0, 0)/' >still.tscn
	anim convert -q -c a --trim 1mm still.tscn cut.axs
	anim-dump cut.axs | grep -Eq '^clip name="a" .* start=0 end=1(\.0[0-9]*)? '
	sed 's|^tracks/0/keys = PackedFloat32Array(1.*|&\ntracks/1/type = "value"\ntracks/1/path = NodePath("L:energy")\ntracks/1/interp = 1\ntracks/1/keys = {"times": PackedFloat32Array(0.5, 3.5), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [0.0, 1.0]}|' still.tscn >lit.tscn
	anim convert -q -c a --trim 1mm lit.tscn lit.axs
	anim-dump lit.axs | grep -Eq '^clip name="a" .* start=0 end=3 '
	run --separate-stderr anim-retime -t 0..0.5 --trim 1mm <(anim-parse -q -c a still.tscn) -o none.axs
	[ "$status" -eq 0 ]
	[[ $stderr == *"not cut, because nothing moves"* ]] || { echo "$stderr" && false; }
	for bad in 1 1deg position=1mm 1mm,2mm 0mm; do run -2 anim-retime --trim $bad walk.axs; done
}
