#!/usr/bin/env bats
# anim-bake: lanes joined, gaps filled, Euler angles and rests resolved, loops written out.

load helper

# values NODE PROPERTY: the values of that track of the stream on stdin, line by line.
values() {
	anim-dump - | awk -v head="track node=\"$1\" property=\"$2\"" \
		'/^(track|clip|end)/ {on = index($0, head) == 1; next} on && /^\t[-0-9]/ {print $1}'
}

@test "missing components come from RESET, then the rest, then a neutral value, with a warning only for that" {
	anim-parse "$DATA/bake/lanes.tscn" >lanes.axs
	run -0 --separate-stderr bash -c 'anim-bake -r 2 lanes.axs >baked.axs'
	[ "$stderr" = "anim-bake: lanes.tscn: 'Drop': warning: track 'Lamp color.a': single components were joined with neutral values because RESET and the rest pose lack the others; set the rest pose with --rest FILE" ]
	[ "$(values Box position <baked.axs | head -n 3 | tr '\n' ' ')" = "7,4,1 7,2,2 7,0,3 " ]
	[ "$(values Ball scale <baked.axs | tr '\n' ' ')" = "1,3,4 1.5,3,4 2,3,4 " ]
	[ "$(values Lamp color <baked.axs | tr '\n' ' ')" = "1,1,1,0 1,1,1,0.5 1,1,1,1 " ]
	anim-bake -r 2 --strict lanes.axs 2>/dev/null >strict.axs && false
	[ "$(tail -c 32 strict.axs | grep -ca '^END ')" = 0 ]
}

@test "it is the same whether RESET comes before the clip or after it" {
	local file
	awk '/^\[sub_resource/ {n++}
		n == 1 {first = first $0 "\n"; next}
		/id="3"/ {printf "%s", first}
		/^&"Drop"/ {next}
		/^&"RESET"/ {print "&\"RESET\": SubResource(\"2\"),\n&\"Drop\": SubResource(\"1\")"; next}
		{print}' "$DATA/bake/lanes.tscn" >before.tscn
	cp "$DATA/bake/lanes.tscn" behind.tscn
	for file in before behind; do
		anim-parse --source-name x.tscn $file.tscn | anim-bake --no-provenance -r 2 2>/dev/null >$file.axs
		anim-dump $file.axs | awk '/^clip/ {on = /"Drop"/} on && !/^end/' >$file.txt
	done
	[ "$(anim-dump before.axs | grep '^clip' | head -n 1 | cut -d' ' -f2)" = 'name="RESET"' ]
	[ "$(anim-dump behind.axs | grep '^clip' | head -n 1 | cut -d' ' -f2)" = 'name="Drop"' ]
	[ "$(grep -c '^track' behind.txt)" = 5 ]
	same before.txt behind.txt
}

@test "without RESET the rest fills the gaps" {
	sed '/RESET.: Sub/d; s/SubResource("1"),/SubResource("1")/' "$DATA/bake/lanes.tscn" >alone.tscn
	anim-parse alone.tscn | anim-bake -r 2 2>/dev/null >alone.axs
	[ "$(values Box position <alone.axs | head -n 1)" = "-5,4,1" ]
}

@test "Euler angles become rotations, events stay where they are" {
	anim-parse "$DATA/bake/lanes.tscn" | anim-bake -r 2 2>/dev/null >baked.axs
	[ "$(values Box rotation <baked.axs | head -n 2 | tail -n 1)" = "0,0.70710677,0,0.70710677" ]
	values . @method <baked.axs | grep -qx 0.25
	[ "$(anim-dump baked.axs | grep -c 'property="euler"')" = 0 ]
}

@test "--loops writes runs out: there and back for ping-pong, and the clip loops no more" {
	sed '0,/^length = 1.0/s//length = 1.0\nloop_mode = 2/' "$DATA/bake/lanes.tscn" >pingpong.tscn
	anim-parse -c Drop pingpong.tscn | anim-bake -r 2 --loops 2 2>/dev/null >loops.axs
	anim-dump loops.axs | grep '^clip' | grep -q 'end=4 loop=none'
	[ "$(values Box position <loops.axs | cut -d, -f3 | tr '\n' ' ')" = "1 2 3 2 1 2 3 2 1 " ]
	[ "$(values . @method <loops.axs | tr '\n' ' ')" = "0.25 1.75 2.25 3.75 " ]
}

@test "without a rate of its own a clip is sampled at 30, and a note says so" {
	anim-parse -c Drop "$DATA/bake/lanes.tscn" >drop.axs
	run -0 --separate-stderr bash -c 'anim-bake drop.axs >baked.axs'
	[[ $stderr == *"anim-bake: lanes.tscn: note: clip 'Drop': no rate, so 30 samples per second were taken; give one with -r"* ]]
	anim-dump baked.axs | grep '^clip' | grep -q 'rate=30/1'
	run -0 --separate-stderr bash -c 'anim-bake -q drop.axs >baked.axs'
	[[ $stderr != *note* ]]
}

@test "--drop-constant leaves out what stays at its rest and keeps one sample of other constants" {
	sed 's/Vector3(0, 180, 0)/Vector3(0, 0, 0)/; s/"values": \[1.0, 2.0\]/"values": [1.0, 1.0]/' \
		"$DATA/bake/lanes.tscn" >constant.tscn
	anim-parse -c Drop constant.tscn | anim-bake -r 2 --drop-constant 2>/dev/null >baked.axs
	[ "$(anim-dump baked.axs | grep -c 'property="rotation"')" = 0 ]
	[ "$(values Ball scale <baked.axs)" = "1,3,4" ]
	[ "$(values Box position <baked.axs | wc -l)" = 3 ]
}

@test "--rest gives what the stream's trees do not, and a file without nodes is refused" {
	sed '/^\[node/,$d' "$DATA/bake/lanes.tscn" | sed 's/^\[gd_scene.*/[gd_resource type="AnimationLibrary" format=3]/; s/^\[sub_resource type="AnimationLibrary" id="3"\]/[resource]/; /RESET.: Sub/d; s/SubResource("1"),/SubResource("1")/' >library.tres
	anim-parse -c '*Drop' library.tres | anim-bake -r 2 --rest "$DATA/bake/lanes.tscn" 2>/dev/null >baked.axs
	[ "$(values Ball scale <baked.axs | head -n 1)" = "1,3,4" ]
	run -1 --separate-stderr bash -c 'anim-parse library.tres | anim-bake --rest library.tres >none.axs'
	[ "$stderr" = "anim-bake: library.tres: has no nodes, so no rest poses; use a scene or a model" ]
}

@test "quaternions that change sides come out on one" {
	printf '%s' '{"name":"q","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"floatQ","data":{"node":"A","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Hold"},{"time":0.5,"value":{"x":0,"y":0,"z":0,"w":-1},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":0,"z":0,"w":-1},"interpolation":"Linear"}]}}]}' >q.animj
	anim-parse q.animj | anim-bake -r 2 2>/dev/null >q.axs
	[ "$(values A rotation <q.axs | tr '\n' ' ')" = "0,0,0,1 0,0,0,1 0,0,0,1 " ]
}

@test "anim-resample --bake is anim-bake, and so is each option that only baking has" {
	local scene=$ROOT/examples/walker.tscn
	for options in '' '-r 24' '--loops 2 -r 24' '--world' '--drop-constant --end fit' "--rest $scene"; do
		# shellcheck disable=SC2086 # options
		cmp <(anim-bake -q --no-provenance $options "$scene") <(anim-resample -q --no-provenance --bake $options "$scene")
		[ "$options" = '' ] || [ "$options" = '-r 24' ] || # shellcheck disable=SC2086
			cmp <(anim-bake -q --no-provenance $options "$scene") <(anim-resample -q --no-provenance $options "$scene")
	done
	run -2 --separate-stderr anim-resample --bake 30 "$scene"
	[ "${stderr_lines[0]}" = "anim-resample: with --bake, the rate is an option: -r 30" ]
}
