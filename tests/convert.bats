#!/usr/bin/env bats
# What anim-emit makes of curves that its target does not have, and what it says.

load helper

# scene TRACK: a scene with one clip "c" of 2 s and this track.
scene() {
	cat <<-TEXT
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 2.0
		${2-}
		$1

		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"c": SubResource("a")
		}

		[node name="S" type="Node3D"]

		[node name="Box" type="Node3D" parent="."]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)

		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
}

# value PATH INTERP TIMES TRANSITIONS VALUES: a value track.
value() {
	cat <<-TEXT
		tracks/0/type = "value"
		tracks/0/path = NodePath("$1")
		tracks/0/interp = $2
		tracks/0/loop_wrap = true
		tracks/0/keys = {
		"times": PackedFloat32Array($3),
		"transitions": PackedFloat32Array($4),
		"update": 0,
		"values": [$5]
		}
	TEXT
}

@test "an eased segment is followed within the tolerance, the error is reported, and fewer keys do for a larger one" {
	scene "$(value Box:energy 1 '0, 2' '3, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[ "$status" -eq 0 ]
	[[ $stderr != *approximated* ]] # x^3 is a cubic
	scene "$(value Box:energy 1 '0, 2' '-2.5, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[[ ${stderr_lines[0]} == "anim-emit: s.tscn: 'c': note: curve 'Box energy': approximated, at most "*"e-05 units off" ]]
	fine=$(grep -o '"time"' <<<"$output" | wc -l)
	pipe "anim-parse s.tscn | anim-emit animj --tol 1%,1deg"
	coarse=$(grep -o '"time"' <<<"$output" | wc -l)
	[ "$coarse" -lt "$fine" ]
	[ "$coarse" -ge 2 ]
}

@test "what was approximated and then finds no place in the target is reported as left out, not as approximated" {
	scene "$(value Box:energy 1 '0, 2' '-2.5, 1' '0.0, 1.0')" | anim-parse -o s.axs
	run -1 --separate-stderr anim-emit -o s.anim s.axs
	[ "${stderr_lines[0]}" = "anim-emit: s.axs: 'c': warning: track 'Box energy': left out, because Unity does not have such a property" ]
	run -1 --separate-stderr anim-emit --bindable -o s.animj s.axs
	[ "${stderr_lines[0]}" = "anim-emit: s.axs: 'c': warning: track 'Box energy': left out by -x bindable: Resonite has no such field" ]
}

@test "--strict accepts approximations within the tolerance, refuses others, and then nothing is left" {
	scene "$(value Box:energy 1 '0, 2' '-2.5, 1' '0.0, 1.0')" >s.tscn
	anim-parse s.tscn >s.axs
	run -0 --separate-stderr anim-emit animj --strict s.axs
	[[ ${stderr_lines[0]} == "anim-emit: s.tscn: 'c': note: curve 'Box energy': approximated, at most "*"e-05 units off" ]]
	run -1 --separate-stderr anim-emit animj --strict -o s.animj "$ROOT/tests/errors/program-emit-approximated/input.axs"
	[ "$stderr" = "anim-emit: track 'N rotation' can only be approximated in animj: stopped by --strict" ]
	[ ! -e s.animj ]
}

@test "--tol takes limits above 0 with units" {
	anim-parse "$ROOT/examples/box.tscn" >s.axs
	for word in 0 -1 x '' 1e9m 1 0.001 0deg 1mm@10cm position=1mm; do
		run -2 --separate-stderr anim-emit animj --tol "$word" s.axs
		[[ $stderr == "anim-emit: --tol"* ]]
	done
	# rotations have a limit of their own
	anim-parse -q "$ROOT/examples/crane.tscn" >c.axs
	for limits in 5deg 0.1mm,5deg; do
		run -0 --separate-stderr anim-emit --tol $limits -o c.animj --force c.axs
		[[ $stderr == *"'Skeleton3D:arm rotation': approximated, at most 0.0"[1-9]*" degrees"* ]]
	done
}

@test "a loop's seam and keys past the end become what the player shows inside the clip" {
	scene "$(value Box:energy 1 '0.5, 1.5, 2.5' '1, 1, 1' '0.0, 1.0, 9.0')" 'loop_mode = 1' >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj -q"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[[ $output == *'[{"time":0,"value":0.5,"interpolation":"Linear"},{"time":0.5,"value":0,'*'{"time":1.5,"value":1,'*'{"time":2,"value":0.5,"interpolation":"Linear"}]'* ]]
}

@test "single components are joined; missing ones come from the rest, with a message" {
	scene "$(value Box:position:x 1 '0, 2' '1, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj --axes keep"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: s.tscn: 'c': warning: track 'Box position.x': single components were joined with values of the rest pose" ]
	[[ $output == *'"Position","keyframes":[{"time":0,"value":{"x":0,"y":8,"z":9},"interpolation":"Linear"},{"time":2,"value":{"x":1,"y":8,"z":9},'* ]]
	pipe "anim-parse s.tscn | anim-emit animj --axes keep --names source"
	[[ $output == *'"float","data":{"node":"Box","property":"position.x"'* ]]
}

@test "every real clip goes to AnimJ without resampling, off by no more than a hundredth of a degree or 1e-4" {
	not_bytewise "of conversions; others' scenes are read byte by byte in godot.bats"
	[ -d "$ANIM_CORPUS/godot" ] || skip "the corpus is not here"
	mkdir out
	for file in "$ANIM_CORPUS"/godot/*.*scn "$ANIM_CORPUS"/godot/*.tres; do
		anim-parse --no-external "$file" >s.axs 2>/dev/null || continue
		anim-info s.axs 2>/dev/null | grep -q ' keys' || continue
		anim-axes resonite s.axs 2>/dev/null | anim-emit animj -q --force --each 'out/%f-%c.animj' 2>err ||
			grep -q 'no clip to write' err || { cat err && false; }
		# a larger error for moments beside a jump is reported apart if it is more than twice as large
		awk '/at most/ {
			for (i = 2; i < NF; i++) {
				off = $i == "most" ? $(i + 1) : $(i + 1) == "elsewhere" ? $i : off
				degrees = degrees || $i == "degrees"
			}
			if (off > (degrees ? 0.02 : 0.001)) { print; exit 1 }
		}' err
	done
}

# animj TYPE KIND KEYFRAMES: an AnimJ of 4 s with one track.
animj() {
	printf '{"name":"c","globalDuration":4,"tracks":[{"trackType":"%s","valueType":"%s","data":{"node":"A","property":"p","keyframes":[%s]}}]}\n' "$2" "$1" "$3"
}

@test "steps of Resonite's keep their times in types that Godot does not have" {
	animj bool2 Discrete '{"time":1,"value":{"x":false,"y":true}},{"time":2,"value":{"x":true,"y":true}},{"time":3,"value":{"x":true,"y":false}}' >s.animj
	pipe "anim-parse s.animj | anim-emit -q tres"
	[ "$status" -eq 0 ]
	[[ $output == *'"times": PackedFloat32Array(1, 2, 3),'* ]]
	[[ $output == *'"values": [Vector2(0, 1), Vector2(1, 1), Vector2(1, 0)]'* ]]
}

@test "curves of doubles become Bezier tracks with the same numbers as those of floats" {
	keys='{"time":0,"value":1,"interpolation":"Tangent","leftTangent":0,"rightTangent":2},{"time":4,"value":3,"interpolation":"Tangent","leftTangent":-1,"rightTangent":0}'
	animj double Curve "$keys" >d.animj
	animj float Curve "$keys" >f.animj
	anim-parse d.animj | anim-emit -q tres >d.tres
	anim-parse f.animj | anim-emit -q tres >f.tres
	grep -q '"points": PackedFloat32Array(1, ' d.tres
	same d.tres f.tres
}

# scene3 LENGTH TRACK: a Godot 3 animation, written for Godot 4.
scene3() {
	printf '[gd_resource type="Animation" format=2]\n[resource]\nlength = %s\n%s\n' "$1" "$2" >s.tres
	pipe "anim-parse s.tres | anim-emit -q tres"
	[ "$status" -eq 0 ]
}

# value3 UPDATE TIMES VALUES: a value track of Godot 3, cubic.
value3() {
	printf 'tracks/0/type = "value"\ntracks/0/path = NodePath("A:p")\ntracks/0/interp = 2\ntracks/0/loop_wrap = false\n'
	printf 'tracks/0/keys = {\n"times": PoolRealArray( %s ),\n"update": %d,\n"values": [ %s ]\n}\n' "$2" "$1" "$3"
}

@test "what Godot 3 holds and Godot 4 would blend is held" {
	scene3 2.0 "$(value3 3 '0, 1, 2' 'true, false, true')" # capture, which blends bools in Godot 4
	[[ $output == *'"update": 1,'*'"values": [true, false, true]'* ]]
	scene3 2.0 "$(value3 0 '0, 2' 'Plane( 0, 1, 0, 0 ), Plane( 1, 0, 0, 5 )' | sed 's/interp = 2/interp = 1/')"
	[[ $output == *'interp = 0'*'"values": [Plane(0, 1, 0, 0), Plane(1, 0, 0, 5)]'* ]]
}

@test "an AABB whose parts need keys at different times becomes tracks of its parts" {
	scene3 1.0 "$(value3 0 '0, 0.3, 1' 'AABB( 0, 0, 0, 1, 1, 1 ), AABB( 0, 5, 0, 1, 1, 1 ), AABB( 0, 0, 0, 1, 1, 1 )')"
	[[ $output == *'NodePath("A:p:position")'*'Vector3('*'NodePath("A:p:size")'*'Vector3('* ]]
	[[ $output != *AABB* ]]
	printf '%s\n' "$output" >t.tres
	run -0 --separate-stderr anim-parse t.tres -o /dev/null
}

@test "keys of Godot 3 that are nearer than its player can distinguish go through" {
	scene3 0.001 "$(value3 0 '0.0007117, 0.0007217, 0.0007417' 'Vector3( 0, 4, 5 ), Vector3( 0, -1, 3 ), Vector3( 1, 6, 9 )')"
	[[ $output == *'type = "value"'* ]]
	printf '%s\n' "$output" >t.tres
	run -0 --separate-stderr anim-parse t.tres -o /dev/null
}

@test "small steps among steep ones are kept as steps" {
	printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: c\n  serializedVersion: 6\n  m_FloatCurves:\n  - curve:\n      serializedVersion: 2\n      m_Curve:\n' >s.anim
	for key in '0 0 0 Infinity' '1 0.00001 Infinity 3' '2 5 1 0'; do
		read -r time value in out <<<"$key"
		printf '      - serializedVersion: 3\n        time: %s\n        value: %s\n        inSlope: %s\n        outSlope: %s\n        tangentMode: 0\n        weightedMode: 0\n        inWeight: 0.33333334\n        outWeight: 0.33333334\n' "$time" "$value" "$in" "$out"
	done >>s.anim
	printf '      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n    attribute: f\n    path: A\n    classID: 114\n  m_SampleRate: 60\n' >>s.anim
	anim-parse -q s.anim >s.axs
	anim-emit tres -o t.tres s.axs 2>err
	run -1 grep approximated err
	grep -q '"times": PackedFloat32Array(0, 0.99999994, 1, 2)' t.tres
}

@test "a rotation that jumps in the middle of a fast rotation stays a rotation" {
	cat >s.tres <<-TEXT
		[gd_resource type="Animation" format=2]
		[resource]
		length = 0.001
		loop = true
		tracks/0/type = "transform"
		tracks/0/path = NodePath("A")
		tracks/0/interp = 1
		tracks/0/loop_wrap = true
		tracks/0/keys = PoolRealArray( 0.00046513, 1, 0, 0, 0, 0.513242708, 0.378020317, -0.18150293, -0.748825245, 1, 1, 1, 0.000555009, 1, 0, 0, 0, 0.511098695, 0.378176831, -0.177626475, -0.751138632, 1, 1, 1, 0.000597897, 1, 0, 0, 0, -0.200301666, -0.787208266, 0.075982887, -0.578281064, 1, 1, 1, 0.001085, 1, 0, 0, 0, -0.716968775, -0.00103561359, -0.0691714476, -0.693664194, 1, 1, 1 )
	TEXT
	anim-parse s.tres | anim-emit -q tres -o t.tres
	anim-parse t.tres | anim-filter -p rotation | anim-emit csv | awk -F, 'NR > 1 {
		q = $10 * $10 + $11 * $11 + $12 * $12 + $13 * $13
		if (q < 0.9999 || q > 1.0001) bad = 1
	} END { exit bad || NR < 4 }'
}

# tres FORMAT LENGTH [PATH UPDATE TIMES VALUES]...: an Animation of value tracks.
tres() {
	local n=0
	printf '[gd_resource type="Animation" format=%s]\n[resource]\nlength = %s\n' "$1" "$2"
	shift 2
	while [ $# -gt 0 ]; do
		printf 'tracks/%s/type = "value"\ntracks/%s/path = NodePath("%s")\ntracks/%s/interp = 1\n' $n $n "$1" $n
		printf 'tracks/%s/keys = {\n"times": PoolRealArray(%s),\n"update": %s,\n"values": [%s]\n}\n' $n "$3" "$2" "$4"
		n=$((n + 1))
		shift 4
	done
}

@test "what steps and has no key inside its clip is left out with a message, whatever writes or samples it" {
	tres 2 0.5 N0:p 1 0.6 'PoolRealArray(-2.7, 4.7)' N1:text 1 '0.6, 0.7' '"a", "b"' N2:x 1 '0.6, 0.7' '1.5, 2.5' >s.tres
	for command in "anim-emit tres" "anim-emit animj"; do
		pipe "anim-parse s.tres | $command"
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[[ $stderr == "anim-emit: s.tres: 's': warning: 3 tracks: never a value inside the clip; left out"* ]]
	done
	for command in "anim-resample 10" "anim-bake -r 10"; do
		pipe "anim-parse s.tres | $command | anim-emit csv"
		[ "$status" -eq 0 ]
		[[ $output != *N* ]]
		[[ $stderr == "${command%% *}: s.tres: 's': warning: 3 tracks: never a value inside the clip; left out"* ]]
	done
	pipe "anim-parse s.tres | anim-emit tres --godot 3"
	[ "$stderr" = "" ]
	grep -q '"values": \[ "a", "b" \]' <<<"$output" # where it came from it plays as it did
}

@test "a text of Godot 3 that starts late starts late in Godot 4, and sampled has its first value before" {
	tres 2 1 N:text 0 '0.2, 0.7' '"abcdef", "abcdefgh"' >s.tres
	anim-parse s.tres | anim-emit tres -o t.tres 2>err
	grep -q '"times": PackedFloat32Array(0.2, 0.7)' t.tres
	run -1 grep 'first value' err
	pipe "anim-parse s.tres | anim-resample --all 10 | anim-emit -q animj"
	[[ $output == *'"keyframes":["abcdef","abcdef","abcdef",'* ]]
	[ "$stderr" = "anim-resample: s.tres: 's': warning: track 'N text': no value in parts of the clip; the rest value or the first value was used (at 2 of 11 samples: its first value)" ]
}

@test "a text that runs into the next one is held whole, as its key has it" {
	tres 2 1 N:text 0 '0, 0.5, 1' '"Hello", "Bye", ""' L:text 0 '0.2, 0.7' '"abcdef", "b"' >s.tres
	for command in "anim-emit tres" "anim-emit animj"; do
		pipe "anim-parse s.tres | $command"
		[[ $output == *Hello*Bye*abcdef*'"b"'* ]]
		[[ $stderr == "anim-emit: s.tres: 's': warning: 2 tracks: each text is held, because the target cannot blend from text to text"* ]]
	done
	tres 3 1 N:text 0 '0, 0.4, 1' '"a", "中", "b"' >s.tres # letters far apart: just behind a key the engine has another
	pipe "anim-parse s.tres | anim-emit animj"
	[[ $output == *'"value":"a"'*'"value":"中"'*'"value":"b"'* ]]
}

@test "a track of Godot 4 with all keys past the clip's end has what the engine sets then" {
	tres 3 0.5 B:modulate 0 0.6,1 'Color(1, 1, 0, 1), Color(0, 1, 1, 1)' B:scale 0 0.6,1 'Vector3(5, 6, 7), Vector3(5, 6, 7)' \
		L:text 0 0.6,1 '"a", "b"' >s.tres
	cat >>s.tres <<-TEXT
		tracks/3/type = "rotation_3d"
		tracks/3/path = NodePath("A")
		tracks/3/keys = PackedFloat32Array(0.6, 1, 0, 0, 0, 1, 0.8, 1, 0, 1, 0, 0)
		tracks/4/type = "position_3d"
		tracks/4/path = NodePath("A")
		tracks/4/keys = PackedFloat32Array(0.6, 1, 5, 6, 7)
		tracks/5/type = "scale_3d"
		tracks/5/path = NodePath("A")
		tracks/5/keys = PackedFloat32Array(0.6, 1, 5, 6, 7)
	TEXT
	pipe "anim-parse s.tres | anim-resample -q --all 2 | anim-emit animj --axes keep"
	[[ $output == *'"modulate","interval":0.5,"keyframes":[{"r":0,"g":0,"b":0,"a":1},{"r":0,"g":0,"b":0,"a":1}]'* ]]
	[[ $output == *'"node":"B","property":"Scale","interval":0.5,"keyframes":[{"x":0,"y":0,"z":0},'* ]]
	[[ $output == *'"text","interval":0.5,"keyframes":["",""]'* ]]
	[[ $output == *'"Rotation","interval":0.5,"keyframes":[{"x":0,"y":0,"z":0,"w":1},{"x":0,"y":0,"z":0,"w":1}]'* ]]
	[[ $output == *'"Position","interval":0.5,"keyframes":[{"x":0,"y":0,"z":0},'* ]]
	[[ $output == *'"node":"A","property":"Scale","interval":0.5,"keyframes":[{"x":1,"y":1,"z":1},'* ]]
	pipe "anim-parse s.tres | anim-filter -p position | anim-emit animj --axes keep"
	[[ $output == *'"value":{"x":0,"y":0,"z":0}'* ]]
	[ "$stderr" = "anim-emit: s.tres: 's': warning: track 'A position': all keys are past the end of the clip; Godot's default was used: the bone's rest, or 0, no rotation, scale 1" ]
}

@test "past the clip's end Godot 4 sets the bone's rest, and not the place of a node" {
	cat >s.tscn <<-TEXT
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		length = 0.5
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Box")
		tracks/0/keys = PackedFloat32Array(0.6, 1, 5, 6, 7)
		tracks/1/type = "position_3d"
		tracks/1/path = NodePath("S:Hips")
		tracks/1/keys = PackedFloat32Array(0.6, 1, 5, 6, 7)
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"c": SubResource("a")
		}
		[node name="R" type="Node3D"]
		[node name="Box" type="Node3D" parent="."]
		transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 8, 7)
		[node name="S" type="Skeleton3D" parent="."]
		bones/0/name = "Hips"
		bones/0/parent = -1
		bones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)
		[node name="P" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
	for command in "anim-resample -q 2" "anim-bake -q -r 2"; do
		pipe "anim-parse s.tscn | $command | anim-emit csv | cut -d, -f2,10-12"
		[ "$output" = $'node,v0,v1,v2\nBox,0,0,0\nBox,0,0,0\nS:Hips,1,2,3\nS:Hips,1,2,3' ]
	done
}

@test "names, paths and texts beside null reach other formats as what they say, not as source text" {
	tres 3 1 S:animation 1 '0, 0.5' '&"walk", &"say \"hi\""' S:path 1 '0, 0.5' 'NodePath("A/B"), NodePath("")' \
		S:text 1 '0, 0.5' 'null, "b"' >s.tres
	pipe "anim-parse s.tres | anim-emit animj"
	[[ $output == *'"value":"walk"},{"time":0.5,"value":"say \"hi\""}]'* ]]
	[[ $output == *'"value":"A/B"},{"time":0.5,"value":""}]'* ]]
	[[ $output == *'"value":null},{"time":0.5,"value":"b"}]'* ]]
	cat >s.animj <<<"$output"
	pipe "anim-parse s.animj | anim-emit tres | grep values"
	[ "$output" = $'"values": ["walk", "say \\"hi\\""]\n"values": ["A/B", ""]\n"values": [null, "b"]' ]
	pipe "anim-parse s.tres | anim-emit tres | grep values"
	[ "$output" = $'"values": [&"walk", &"say \\"hi\\""]\n"values": [NodePath("A/B"), NodePath("")]\n"values": [null, "b"]' ]
	pipe "anim-parse s.tres | anim-emit csv | cut -d, -f8-10 | tail -n +2"
	[ "$output" = $'0,Hold,walk\n0.5,Hold,"say ""hi"""\n0,Hold,A/B\n0.5,Hold,""\n0,Hold,\n0.5,Hold,b' ]
	anim-parse s.tres | anim-emit -o s.animx
	run -0 anim-diff s.tres s.animx
}

@test "transitions of a track that only steps come back, in Godot 4 and Godot 3" {
	tres 3 1 A:visible 1 '0, 0.5, 1' 'true, false, true' | sed 's/^"update"/"transitions": PackedFloat32Array(1, 0.5, -2),\n&/' >s.tres
	pipe "anim-parse s.tres | anim-emit tres | grep transitions"
	[ "$output" = '"transitions": PackedFloat32Array(1, 0.5, -2),' ]
	pipe "anim-parse s.tres | anim-retime --shift 0.25 | anim-emit tres --godot 3 | grep transitions"
	[ "$output" = '"transitions": PoolRealArray( 1, 0.5, -2 ),' ]
}

@test "a curve of Resonite that begins at 0 begins at 0 in Godot" {
	echo '{"name":"t","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float","data":{"node":"A","property":"P","keyframes":[{"time":0,"value":0,"interpolation":"CubicBezier","leftTangent":0,"rightTangent":0.9},{"time":1,"value":1,"interpolation":"Hold","leftTangent":0.1,"rightTangent":1}]}}]}' >s.animj
	pipe "anim-parse s.animj | anim-emit tres --axes keep | grep points"
	[ "$output" = '"points": PackedFloat32Array(0, 0, 0, 0.33333334, 0.9, 1, -0.33333334, -0.9, 0, 0),' ]
}

@test "a single key has its value at any time, infinities too" {
	tres 3 1 A:x 0 0 inf >s.tres
	pipe "anim-parse s.tres | anim-resample 2 | anim-emit csv | cut -d, -f10 | tail -n +2"
	[ "$output" = $'inf\ninf\ninf' ]
}

# eased TRANSITION: a value that goes to 1000 and back with that transition.
eased() {
	cat <<END
[gd_resource type="Animation" format=3]

[resource]
resource_name = "e"
length = 1.0
tracks/0/type = "value"
tracks/0/path = NodePath("A:v")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0, 0.5, 1),
"transitions": PackedFloat32Array($1, $1, 1),
"update": 0,
"values": [0.0, 1000.0, 0.0]
}
END
}

@test "the error that is reported for steep transitions is no less than what anim-diff finds" {
	local transition told found
	for transition in -0.5 -0.2 -0.01 0.01 0.2 100 -100; do
		eased "$transition" >e.tres
		anim-parse e.tres | anim-emit animj --force -o e.animj 2>err
		told=$(sed -n 's/.*at most \([0-9.e+-]*\) units off.*/\1/p' err)
		found=$(anim-diff e.tres e.animj | sed -n 's/^worst: \([0-9.e+-]*\),.*/\1/p')
		echo "$transition: told ${told:-nothing}, found ${found:-nothing}"
		awk -v told="${told:-0.0001}" -v found="${found:-0}" 'BEGIN { exit !(found + 0 <= told + 0) }'
	done
}

@test "an error beside a jump is reported with how long it lasts, and another number elsewhere" {
	eased -0.2 >e.tres
	pipe "anim-parse e.tres | anim-emit animj"
	[[ $stderr =~ 'at most '([0-9.]+)' units off for less than '([0-9]+)' microseconds beside a jump, '([0-9.]+)' elsewhere'$'\n'anim-emit ]] ||
		{ echo "$stderr" && false; }
	# Godot shows 1000 from 1e-5 s before the key on: 51 more than the curve comes to
	awk -v peak="${BASH_REMATCH[1]}" -v us="${BASH_REMATCH[2]}" -v rest="${BASH_REMATCH[3]}" \
		'BEGIN { exit !(peak >= 50.9 && peak < 100 && us < 40 && rest < 0.1) }'
}

@test "what Godot takes for a key's time counts for fast rotations" {
	animj floatQ Curve '{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":0.5,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":0.501,"value":{"x":0,"y":1,"z":0,"w":0.0001},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":1,"z":0,"w":0.0001},"interpolation":"Linear"}' |
		sed 's/"property":"[^"]*"/"property":"Rotation"/' >half.animj
	pipe "anim-parse half.animj | anim-emit tres"
	[[ $stderr =~ 'at most '([0-9.]+)' degrees off' ]] || { echo "$stderr" && false; }
	# played densely: 2.28 degrees, as between most keys there
	awk -v told="${BASH_REMATCH[1]}" 'BEGIN { exit !(told >= 2.28 && told < 3 * 2.28) }'
}

@test "angles in degrees are reported in degrees" {
	scene "$(value Box:rotation_degrees 1 '0, 2' '-2.5, 1' 'Vector3(0, 0, 0), Vector3(0, 90, 0)')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit unity"
	[[ $stderr =~ 'at most '([0-9.e-]+)' degrees off' ]] || { echo "$stderr" && false; }
	awk -v told="${BASH_REMATCH[1]}" 'BEGIN { exit !(told > 0 && told <= 0.0125) }'
}

@test "Tangent keys stay what they are in AnimJ, and are reported where they are converted" {
	animj float Curve '{"time":0,"value":1,"interpolation":"Tangent","leftTangent":0,"rightTangent":2},{"time":2,"value":3,"interpolation":"Tangent","leftTangent":4,"rightTangent":0}' >t.animj
	pipe "anim-parse t.animj | anim-emit -q animj --strict"
	[ "$stderr" = "" ]
	[[ $output == *'"interpolation":"Tangent","leftTangent":0,"rightTangent":2},{"time":2,"value":3,"interpolation":"Tangent","leftTangent":4,"rightTangent":0}'* ]]
	for target in tres unity; do # a blend shape both have
		pipe "anim-parse t.animj | anim-rename --on property -e 's/.*/blend_shape\/A/' | anim-emit $target --axes keep"
		[[ $stderr == *"the curve of Tangent keys, which Resonite does not document, was read as a Hermite curve"* ]]
	done
}

@test "an angle in degrees that Godot wraps at 6.28 jumps there elsewhere, too" {
	tres 3 1 A:rotation_degrees 0 '0, 0.5, 1' '0.5, 6.0, 1.0' | sed 's/interp = 1/interp = 3/' >s.tres
	pipe "anim-parse s.tres | anim-resample --all 10 | anim-emit csv | cut -d, -f10 | tail -n +2"
	want=$output
	[[ $want == 0.5*0.030088693*6.156637*6*1 ]]
	anim-parse s.tres | anim-emit unity --axes keep -o s.anim
	pipe "anim-parse s.anim | anim-resample --all 10 | anim-emit csv | tail -n +2 | awk -F, '{ print \$12 }'"
	paste <(printf '%s\n' "$want") <(printf '%s\n' "$output") | awk '{ d = $1 - $2 < 0 ? $2 - $1 : $1 - $2; if (d > 0.001) bad = 1; n++ } END { exit bad || n != 11 }'
}

@test "a rotation by thousands of revolutions between two keys is an error after a few seconds" {
	cat >spin.tscn <<-'SCENE'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		length = 100.0
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("N")
		tracks/0/interp = 2
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 0.001, 1, 0, 0.6, 0, 0.8, 100, 1, 0, 0, 1, 0)
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {&"run": SubResource("a")}
		[node name="R" type="Node3D"]
		[node name="P" type="AnimationPlayer" parent="."]
		libraries = {&"": SubResource("l")}
		[node name="N" type="Node3D" parent="."]
	SCENE
	run -1 --separate-stderr anim convert -q spin.tscn spin.animj
	[ "$stderr" = "anim-convert: track 'N rotation' turns too fast between its keys for animj: 180 degrees off, however many keys are added; cut it with -t FROM..TO" ]
	[ ! -e spin.animj ]
}

# The source plays in float32. Keys that follow its rounding would be thousands, with jumps between neighbouring floats.
@test "the rounding of floats is not fitted as motion, however large the numbers are" {
	local scale keys
	for scale in 1 0.1 30 3000; do
		sed -E "/Vector2/s/Vector2\(([-0-9]+), ([-0-9]+)\)/Vector2(\1e0, \2e0)/g" "$DATA/godot/cubic_eased_300px.tscn" |
			awk -v scale="$scale" '/Vector2/ {while (match($0, /-?[0-9]+e0/)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART, RLENGTH - 2) * scale substr($0, RSTART + RLENGTH)} {print}' >big.tscn
		for format in anim glb animj fbx; do
			anim convert -q --force big.tscn "out.$format" 2>told
			keys=$(anim-info "out.$format" | sed -n 's/.*track, \([0-9]*\) keys.*/\1/p')
			[ "$keys" -lt 200 ] || { echo "$scale $format: $keys keys"; return 1; }
			! anim-dump "out.$format" | grep -q 'inf,' || { echo "$scale $format: jumps"; return 1; }
		done
	done
}

# Godot takes times within a hundred-thousandth of a key's time for that time.
@test "the error reported for a jump for Godot includes that it is shown too early" {
	local at lasts
	for at in 91 191; do
		printf '{"name":"j","globalDuration":%d,"tracks":[{"trackType":"Curve","valueType":"floatQ","data":{"node":"N","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":%d,"value":{"x":0,"y":0.7071068,"z":0,"w":0.7071068},"interpolation":"Hold"},{"time":%d,"value":{"x":0,"y":1,"z":0,"w":0},"interpolation":"Linear"},{"time":%d,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"}]}}]}' \
			$((at + 9)) $((at - 1)) "$at" $((at + 4)) >j.animj
		run -0 --separate-stderr anim-emit tscn -o "j$at.tscn" j.animj
		[[ $stderr =~ at\ most\ ([0-9.e+]+)\ degrees\ off\ for\ less\ than\ ([0-9]+)\ (micro|milli)seconds ]]
		lasts=${BASH_REMATCH[2]}
		[ "${BASH_REMATCH[3]}" = micro ] || lasts=${lasts}000
		awk -v off="${BASH_REMATCH[1]}" -v lasts="$lasts" -v at="$at" 'BEGIN {exit !(off >= 90 && lasts >= 10 * at && lasts < 40 * at)}'
		run -0 anim-lint --for godot j.animj # nobody sees it
	done
}

@test "a value that is not finite holds the one before it, in every format of keys" {
	printf 'anim-dump 1\nclip name="c" root="." source="" start=0 end=2 loop=none axes=gltf axes2d=unknown flags=- rate=1/1\ntrack node="A" property="position" component=- kind=Raw type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=3 start=0 step=0 rate=1/1\n\tcolumns value\n\tnan,1,1\n\t2,3,4\n\tinf,5,5\ntrack node="A" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 0,0,0,1\n\t2 0,nan,0,1\nend\n' |
		anim-undump >n.axs
	for format in anim glb gltf tres tscn animj animx fbx; do
		run -0 --separate-stderr anim convert --force n.axs "n.$format"
		[[ $stderr == *"values that are not finite; the values before them are held"* ]]
		! anim-dump "n.$format" | grep -q 'nan\|inf' || { echo "$format"; return 1; }
		! grep -aqwi nan "n.$format" || { echo "$format: nan"; return 1; }
	done
}
