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

@test "an eased segment is followed within the tolerance, the error is told, and fewer keys do for a larger one" {
	scene "$(value Box:energy 1 '0, 2' '3, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ] # x^3 is a cubic
	scene "$(value Box:energy 1 '0, 2' '-2.5, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[[ $stderr == "anim-emit: warning: track 'Box energy' was approximated, at most "*"e-05 units off" ]]
	fine=$(grep -o '"time"' <<<"$output" | wc -l)
	pipe "anim-parse s.tscn | anim-emit animj --tol 0.01"
	coarse=$(grep -o '"time"' <<<"$output" | wc -l)
	[ "$coarse" -lt "$fine" ] && [ "$coarse" -ge 2 ]
}

@test "--strict refuses what can only be approximated, and nothing is left" {
	scene "$(value Box:energy 1 '0, 2' '-2.5, 1' '0.0, 1.0')" >s.tscn
	anim-parse s.tscn >s.axs
	run -1 --separate-stderr anim-emit animj --strict -o s.animj s.axs
	[ "$stderr" = "anim-emit: track 'Box energy' can only be approximated in animj: stopped by --strict" ]
	[ ! -e s.animj ]
}

@test "--tol takes a number above 0" {
	anim-parse "$ROOT/examples/box.tscn" >s.axs
	for word in 0 -1 x '' 1e9 0.1mm; do
		run -2 --separate-stderr anim-emit animj --tol "$word" s.axs
		[[ $stderr == "anim-emit: --tol '$word' is not a number above 0 and up to 1000"* ]]
	done
}

@test "a loop's seam and keys past the end become what the player shows inside the clip" {
	scene "$(value Box:energy 1 '0.5, 1.5, 2.5' '1, 1, 1' '0.0, 1.0, 9.0')" 'loop_mode = 1' >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj -q"
	[ "$status" -eq 0 ] && [ "$stderr" = "" ]
	[[ $output == *'[{"time":0,"value":0.5,"interpolation":"Linear"},{"time":0.5,"value":0,'*'{"time":1.5,"value":1,'*'{"time":2,"value":0.5,"interpolation":"Linear"}]'* ]]
}

@test "single lanes are joined; what is missing comes from the rest, and is told" {
	scene "$(value Box:position:x 1 '0, 2' '1, 1' '0.0, 1.0')" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj --axes keep"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: warning: track 'Box position.x' is one lane and was joined with the rest's others" ]
	[[ $output == *'"Position","keyframes":[{"time":0,"value":{"x":0,"y":8,"z":9},"interpolation":"Linear"},{"time":2,"value":{"x":1,"y":8,"z":9},'* ]]
	pipe "anim-parse s.tscn | anim-emit animj --axes keep --names source"
	[[ $output == *'"float","data":{"node":"Box","property":"position.x"'* ]]
}

@test "every real clip goes to AnimJ without resampling, off by no more than a hundredth of a degree or 1e-4" {
	[ -d "$ANIM_CORPUS/godot" ] || skip "the corpus is not here"
	mkdir out
	for file in "$ANIM_CORPUS"/godot/*.*scn "$ANIM_CORPUS"/godot/*.tres; do
		anim-parse --no-external "$file" >s.axs 2>/dev/null || continue
		anim-info s.axs 2>/dev/null | grep -q ' keys' || continue
		anim-axes resonite s.axs 2>/dev/null | anim-emit animj -q --force --each 'out/%f-%c.animj' 2>err ||
			grep -q 'holds no clip' err || { cat err && false; }
		sed -n 's/.*at most \(.*\) degrees off/\1/p' err | awk '$1 > 0.01 { exit 1 }'
		sed -n 's/.*at most \(.*\) units off/\1/p' err | awk '$1 > 0.001 { exit 1 }'
	done
}
