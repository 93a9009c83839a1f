#!/usr/bin/env bats
# anim-emit animj: documents that Resonite's importer takes, and what is said of what it cannot hold.

load helper

# scene TRACKS [ANIMATION PROPERTIES]: a scene "Scene" with one clip "walk" of 1 s and these tracks.
scene() {
	cat <<-TEXT
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		${2-}
		$1

		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"walk": SubResource("a")
		}

		[node name="Scene" type="Node3D"]

		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
}

# track NUMBER PATH VALUE VALUE [INTERP] [UPDATE]: a value track with keys at 0 and 1 s.
track() {
	cat <<-TEXT
		tracks/$1/type = "value"
		tracks/$1/path = NodePath("$2")
		tracks/$1/interp = ${5-1}
		tracks/$1/loop_wrap = false
		tracks/$1/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": ${6-0},
		"values": [$3, $4]
		}
	TEXT
}

@test "the example scene becomes one Raw track a line, with a note about ping-pong" {
	pipe "anim-parse '$ROOT/examples/box.tscn' | anim-resample 30 | anim-emit animj"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: box.tscn: note: clip 'scale_down': the loop mode is not kept, because animj has none; the Animator sets it (ping-pong)" ]
	[ "${lines[0]}" = '{"name":"scale_down","globalDuration":1.5,"tracks":[' ]
	head='{"trackType":"Raw","valueType":"float3","data":{"node":"Box","property":"Scale","interval":0.033333335,"keyframes":['
	[[ ${lines[1]} == "$head"'{"x":1,"y":1,"z":1},{"x":0.96666664,"y":0.96666664,"z":0.96666664},'* ]]
	[[ ${lines[1]} == *'{"x":0.03333336,"y":0.03333336,"z":0.03333336},{"x":0,"y":0,"z":0},'*'{"x":0,"y":0,"z":0}]}}' ]]
	[ "$(grep -o '"x":' <<<"${lines[1]}" | wc -l)" -eq 46 ]
	[ "${lines[2]}" = ']}' ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "-q silences the note, and the bytes are the same" {
	anim-parse "$ROOT/examples/box.tscn" | anim-resample 30 >box.axs
	run -0 --separate-stderr anim-emit -q animj box.axs
	[ "$stderr" = "" ]
	[ -n "$output" ]
	anim-emit animj box.axs >loud 2>/dev/null
	[ "$output" = "$(cat loud)" ]
}

@test "JSON readers take every form of the document" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	scene "$(track 0 'A/Box:scale' 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)'
		track 1 'A/Box:quaternion' 'Quaternion(0, 0, 0, 1)' 'Quaternion(0, 1, 0, 0)'
		track 2 'Label:text' '"a\"\\ \t\n é"' '"b"' 0 1
		track 3 'Label:visible' true false 1 1
		track 4 'Label:count' 1 -5
		track 5 'Label:modulate' 'Color(1, 0.5, 0, 1)' 'Color(0, 0, 0, 0)')" >s.tscn
	anim-parse s.tscn >s.axs
	anim-resample -q 7 s.axs >r.axs
	for options in '' --pretty '--raw-as curve' '--names source' '--double'; do
		for stream in s r; do
			anim-emit -q animj --axes keep $options $stream.axs >"$stream$options.animj"
		done
	done
	python3 - *.animj <<-'PY'
		import json, sys
		assert len(sys.argv) == 11
		for name in sys.argv[1:]:
		    document = json.load(open(name, encoding="utf-8"))
		    assert list(document) == ["name", "globalDuration", "tracks"], name
		    assert len(document["tracks"]) == 6, name
		    for track in document["tracks"]:
		        assert list(track) == ["trackType", "valueType", "data"], name
		        names = [name for name in track["data"] if name != "interval"]
		        assert names == ["node", "property", "keyframes"], name
		        assert ("interval" in track["data"]) == (track["trackType"] == "Raw"), name
		    text = next(t for t in document["tracks"] if t["valueType"] == "string")
		    assert text["data"]["keyframes"][0]["value"] == "a\"\\ \t\n \u00e9", name
	PY
}

@test "--pretty puts one key on a line" {
	scene "$(track 0 Box:energy 1.0 2.0)" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj --pretty"
	[ "$status" -eq 0 ]
	[[ $output == *$'\t"keyframes": [\n\t\t\t\t\t{"time":0,"value":1,"interpolation":"Linear"},\n\t\t\t\t\t{"time":1,"value":2,"interpolation":"Linear"}\n'* ]]
}

@test "--raw-as curve writes samples as Linear keys" {
	scene "$(track 0 Box:energy 1.0 2.0)" >s.tscn
	pipe "anim-parse s.tscn | anim-resample 2 | anim-emit animj --raw-as curve"
	[[ $output == *'"Curve","valueType":"float","data":{"node":"Box","property":"energy","keyframes":[{"time":0,"value":1,"interpolation":"Linear"},{"time":0.5,"value":1.5,"interpolation":"Linear"},{"time":1,"value":2,"interpolation":"Linear"}]'* ]]
}

@test "--double keeps doubles, else they are floats" {
	scene "$(track 0 Box:energy 0.30000000000000004 2.0)" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[[ $output == *'"valueType":"float",'*'"value":0.3,'* ]]
	pipe "anim-parse s.tscn | anim-emit animj --double"
	[[ $output == *'"valueType":"double",'*'"value":0.30000000000000004,'* ]]
}

@test "names are Resonite's, or the source's with --names source" {
	scene "$(track 0 A/B:position 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)'
		track 1 .:visible true false 1 1)" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj --axes keep"
	[[ $output == *'"node":"B","property":"Position"'*'"node":"Scene","property":"Active"'* ]]
	pipe "anim-parse s.tscn | anim-emit animj --axes keep --names source"
	[[ $output == *'"node":"A/B","property":"position"'*'"node":".","property":"visible"'* ]]
}

@test "a cubic track becomes CubicBezier keys at the same times, without a word" {
	scene "$(track 0 Box:position 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)' 2)" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj --strict --axes keep"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[[ $output == *'"keyframes":[{"time":0,"value":{"x":1,"y":2,"z":3},"interpolation":"CubicBezier",'* ||
		$output == *'"keyframes":[{"time":0,"value":{"x":1,"y":2,"z":3},"interpolation":"Linear"},{"time":1,'* ]]
}

@test "clips are written in the format's axes, and --axes keeps or names others" {
	scene "$(track 0 A:position 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)'
		track 1 B:position 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)'
		track 2 B:scale 'Vector3(1, 2, 3)' 'Vector3(0, 0, 0)')" >s.tscn
	anim-parse s.tscn >s.axs
	run -0 --separate-stderr anim-emit animj --strict s.axs
	[ -z "$stderr" ]
	[[ $output == *'"Position","keyframes":[{"time":0,"value":{"x":-1,"y":2,"z":3}'* ]]
	anim-axes resonite s.axs | anim-emit animj --strict >turned.animj 2>said
	[ ! -s said ]
	[ "$output" = "$(cat turned.animj)" ]
	run -0 --separate-stderr anim-emit animj --axes keep s.axs
	[ "$stderr" = "" ]
	[[ $output == *'"Position","keyframes":[{"time":0,"value":{"x":1,"y":2,"z":3}'* ]]
	run -0 --separate-stderr anim-emit tres --axes unity s.axs
	[ "$stderr" = "" ]
	[[ $output == *'-1, 2, 3'* ]]
	run -2 --separate-stderr anim-emit tres --axes maya s.axs
	[ "${stderr_lines[0]}" = "anim-emit: --axes: 'maya' is not one of keep, godot, unity, resonite, gltf, godot2d, unity2d" ]
	[ "$(anim-filter -p scale s.axs | anim-emit animj 2>&1 >/dev/null)" = "" ]
}

@test "Euler angles become quaternions, sampled or as curves, with a note; the source's names keep them" {
	scene "$(track 0 Box:rotation 'Vector3(0, 0, 0)' 'Vector3(0, 1, 0)')" >s.tscn
	anim-parse s.tscn | anim-axes resonite >s.axs
	pipe "anim-emit animj s.axs"
	[ "$status" -eq 0 ]
	[[ $stderr == "anim-emit: s.tscn: 'walk': note: track of Euler angles 'Box euler': became quaternions, at most "*" degrees off" ]]
	[[ $output == *'"Curve","valueType":"floatQ","data":{"node":"Box","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},'* ]]
	pipe "anim-resample 1 s.axs | anim-emit animj"
	[ "$status" -eq 0 ]
	[[ $stderr == *"note: track of Euler angles 'Box euler': became quaternions" ]]
	[[ $output == *'"floatQ","data":{"node":"Box","property":"Rotation","interval":1,"keyframes":[{"x":0,"y":0,"z":0,"w":1},'* ]]
	pipe "anim-emit animj --names source s.axs"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[[ $output == *'"float3","data":{"node":"Box","property":"euler"'* ]]
}

@test "disabled tracks are left out and reported" {
	scene "$(track 0 Box:energy 1.0 2.0)
tracks/0/enabled = false" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: s.tscn: 'walk': warning: track 'Box energy': disabled; left out" ]
	[ "$output" = '{"name":"walk","globalDuration":1,"tracks":[]}' ]
}

@test "two nodes of one name are warned of" {
	scene "$(track 0 A/Box:energy 1.0 2.0; track 1 B/Box:energy 1.0 2.0)" >s.tscn
	pipe "anim-parse s.tscn | anim-emit animj"
	[ "$status" -eq 0 ]
	[[ $stderr == "anim-emit: s.tscn: 'walk': warning: node 'B/Box' (named 'Box' in animj): same name as another node"* ]]
}

@test "what AnimJ cannot hold of the crafted streams is refused or warned of, never written wrongly" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	count=0
	for file in "$DATA"/axs/good/*.axs; do
		anim-emit animj "$file" >out 2>err && status=0 || status=$?
		[ "$status" -le 1 ] || { echo "$file: $status" && false; }
		if [ "$status" -eq 0 ]; then
			count=$((count + 1))
			mv out "${file##*/}.animj"
		else
			[ -s err ] || { echo "$file" && false; }
		fi
	done
	[ "$count" -ge 20 ]
	all_json *.animj
}

# Two clips of one scene: 'wave' drives what Resonite has no field for first, 'rest' lacks some of its tracks.
two_clips() {
	cat >two.tscn <<'TSCN'
[gd_scene format=3]
[sub_resource type="Animation" id="wave"]
resource_name = "wave"
length = 1.0
tracks/0/type = "value"
tracks/0/path = NodePath("Lamp:light_energy")
tracks/0/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [1.0, 2.5]}
tracks/1/type = "scale_3d"
tracks/1/path = NodePath("Box")
tracks/1/keys = PackedFloat32Array(0, 1, 1, 1, 1, 1, 1, 2, 1, 1)
tracks/2/type = "position_3d"
tracks/2/path = NodePath("Lamp")
tracks/2/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 0, 0)
[sub_resource type="Animation" id="rest"]
resource_name = "rest"
length = 1.0
tracks/0/type = "position_3d"
tracks/0/path = NodePath("Lamp")
tracks/0/keys = PackedFloat32Array(0, 1, 5, 5, 5)
tracks/1/type = "position_3d"
tracks/1/path = NodePath("Box")
tracks/1/keys = PackedFloat32Array(0, 1, 4, 4, 4)
[sub_resource type="AnimationLibrary" id="lib"]
_data = {"rest": SubResource("rest"), "wave": SubResource("wave")}
[node name="Root" type="Node3D"]
[node name="Lamp" type="OmniLight3D" parent="."]
[node name="Box" type="Node3D" parent="."]
transform = Transform3D(3, 0, 0, 0, 3, 0, 0, 0, 3, 7, 8, 9)
[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
libraries = {"": SubResource("lib")}
TSCN
	anim-parse two.tscn | anim-axes resonite >two.axs
}

lists() { # "Lamp Position" ...
	sed -n 's/.*"node":"\([^"]*\)","property":"\([^"]*\)".*/\1 \2/p' "$1" | paste -sd,
}

@test "tracks that Resonite finds a field for come first, the others after them, or not at all" {
	two_clips
	anim-emit -q -c wave -o w.animj two.axs
	[ "$(lists w.animj)" = "Box Scale,Lamp Position,Lamp light_energy" ]
	anim-emit -q -c wave -o w.animx two.axs
	anim-parse w.animx | anim-emit -q animj >x.animj
	[ "$(lists x.animj)" = "Box Scale,Lamp Position,Lamp light_energy" ]
	run -0 --separate-stderr anim-emit -q -c wave --bindable -o b.animj two.axs
	[ "$(lists b.animj)" = "Box Scale,Lamp Position" ]
	[ "$stderr" = "anim-emit: two.tscn: 'wave': warning: track 'Lamp light_energy': left out by -x bindable: Resonite has no such field" ]
	anim-emit -q -c wave --names source -o s.animj two.axs
	[ "$(lists s.animj)" = "Lamp light_energy,Box scale,Lamp position" ]
	run -2 --separate-stderr anim-emit --bindable -o b.anim two.axs
	[[ $stderr == "anim-emit: -x bindable is for animj and animx, not for unity"* ]]
}

@test "--same-tracks gives all clips one list of tracks, what they lack at its rest" {
	local list="Lamp Position,Box Position,Box Scale,Lamp light_energy"
	two_clips
	run -0 --separate-stderr anim-emit -q --same-tracks --each '%c.animj' two.axs
	[ "$(lists rest.animj)" = "$list" ]
	[ "$(lists wave.animj)" = "$list" ]
	[[ $stderr == "anim-emit: two.tscn: warning: track 'Lamp light_energy' (missing in clip 'rest'): added with a default value (0,"* ]]
	[ "$(grep -c . <<<"$stderr")" -eq 1 ]
	grep -q '"node":"Box","property":"Position","keyframes":\[{"time":0,"value":{"x":-7,"y":8,"z":9},' wave.animj
	grep -q '"node":"Box","property":"Scale","keyframes":\[{"time":0,"value":{"x":3,"y":3,"z":3},' rest.animj
	anim-emit -q --same-tracks --each '%c.animx' two.axs
	anim-parse wave.animx | anim-emit -q animj >x.animj
	[ "$(lists x.animj)" = "$list" ]
	run -2 --separate-stderr anim-emit --same-tracks -c wave -o w.animj two.axs
	[[ $stderr == "anim-emit: --same-tracks is for several clips, -c picks one"* ]]
}

@test "--same-tracks keeps each file's clips by their own tree, and tracks of one name apart" {
	two_clips
	sed 's/7, 8, 9/1, 2, 3/' two.tscn >b.tscn
	anim-parse two.tscn b.tscn | anim-axes resonite | anim-emit -q --same-tracks --each '%f-%c.animj'
	for file in two-rest b-rest b-wave; do
		[ "$(lists $file.animj)" = "$(lists two-wave.animj)" ]
	done
	grep -q '"node":"Box","property":"Position","keyframes":\[{"time":0,"value":{"x":-1,"y":2,"z":3},' b-wave.animj
	grep -q '"node":"Box","property":"Position","keyframes":\[{"time":0,"value":{"x":-7,"y":8,"z":9},' two-wave.animj
	sed 's/Box"/Lamp"/; s/scale_3d/position_3d/' two.tscn >twice.tscn
	anim-parse twice.tscn | anim-emit -q --axes keep --same-tracks --each '%c.animj'
	[ "$(lists wave.animj)" = "$(lists rest.animj)" ]
	[ "$(lists wave.animj | tr , '\n' | grep -c 'Lamp Position')" -eq 2 ]
}

@test "a known format that is not written is named, with one that is" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	run -2 --separate-stderr anim-emit -o crane.usd crane.axs
	[[ ${stderr_lines[0]} == "anim-emit: -o: 'usd' is not one of axs, "* ]]
	run -2 --separate-stderr anim-emit --each '%c.dae' crane.axs
	[ "${stderr_lines[0]}" = "anim-emit: --each: '%c.dae': COLLADA is not written; write a .glb, which Blender imports" ]
	run -2 --separate-stderr anim convert crane.axs crane.blend
	[ "${stderr_lines[0]}" = "anim-convert: 'crane.blend': a Blender file is not written; write a .glb, which Blender imports" ]
}

@test "a file that would hold none of the tracks is not written, and the warnings say why" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	anim-filter -p light_energy crane.axs >lamp.axs
	anim-axes resonite lamp.axs >lamp.r.axs
	local name count
	for name in x.glb x.gltf x.animj x.animx; do
		count=$([[ $name == x.g* ]] && echo 2 || echo 1)
		run -1 --separate-stderr anim-emit -q $([[ $name == x.g* ]] || echo --bindable) -o $name $([[ $name == x.g* ]] && echo lamp.axs || echo lamp.r.axs)
		[ ! -e $name ]
		[ "${#stderr_lines[@]}" -eq $((count + 1)) ]
		[[ ${stderr_lines[0]} == *"warning: track 'Lamp light_energy': left out"* ]]
		[ "${stderr_lines[count]}" = "anim-emit: no file is written: ${name#x.} can hold none of the tracks (1)" ]
	done
	cp "$DATA/hints/two.tscn" . && anim-emit -q -o into.glb <(anim-parse two.tscn)
	cp into.glb before.glb
	run -1 anim-emit -q --into into.glb lamp.axs
	cmp into.glb before.glb
	run -0 anim-emit -q -o x.glb crane.axs # one that fits is enough
}
