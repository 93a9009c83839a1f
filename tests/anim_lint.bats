#!/usr/bin/env bats
# anim-lint: findings on standard output, its exit statuses, and what it says of files that cannot be read.

load helper

# keys 'FLOATS' [LENGTH]: a Godot animation "a" that turns Hips, with a key for every five of the floats: time, x y z w.
keys() {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "a"\nlength = %s\n' "${2:-1.0}"
	printf 'tracks/0/type = "rotation_3d"\ntracks/0/path = NodePath("Skeleton:Hips")\ntracks/0/interp = 1\n'
	printf 'tracks/0/keys = PackedFloat32Array(%s)\n' "$1"
}

# as_resonites [FILE]: a stream of a Godot animation as if it were Resonite's, whose player minds the signs of quaternions.
as_resonites() { anim-parse "$@" | anim-dump | sed 's/rules=godot4/rules=resonite/' | anim-undump; }

good='0, 1, 0, 0, 0, 1, 0.5, 1, 0, 0, 0, 1'
long='0, 1, 0, 0, 0, 1, 0.5, 1, 0, 0, 0, -1, 1, 1, 0, 0, 0, 1'

@test "a clean file says nothing and ends with 0, from a file and from a pipe" {
	keys "$good" >a.tres
	run -0 --separate-stderr anim-lint a.tres
	[ -z "$output$stderr" ]
	pipe "anim-parse a.tres | anim-axes resonite | anim-lint --for resonite"
	[ "$status" -eq 0 ]
	[ -z "$output$stderr" ]
	run -0 anim-lint - <a.tres
}

@test "what is found is a line with file, clip, track and key on standard output, and the status 1" {
	keys "$long" >a.tres
	as_resonites a.tres | anim-axes resonite -o a.axs
	run -1 --separate-stderr anim-lint --for resonite a.axs
	[ -z "$stderr" ]
	[ "$output" = "a.axs: clip 'a': track 'Skeleton:Hips rotation': key 1: at 0.5 s, by 360 degrees instead of 0: the rotation takes the long way; and 1 more key" ]
	run -1 anim-lint --for resonite <a.axs
	[ "$output" = "-: clip 'a': track 'Skeleton:Hips rotation': key 1: at 0.5 s, by 360 degrees instead of 0: the rotation takes the long way; and 1 more key" ]
}

@test "the crane is clean for Resonite but for a light, because its conversion loses nothing" {
	pipe "anim-parse -q '$ROOT/examples/crane.tscn' | anim-axes resonite | anim-resample 30 | anim-lint --for resonite --ignore unbound"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	run -1 anim-lint --for resonite "$ROOT/examples/crane.tscn"
	[ "$output" = "$ROOT/examples/crane.tscn: clip 'lift': track 'Lamp light_energy': Resonite's slots have no such field" ]
}

@test "a last key at the end is not past it, though 1.7 is a little less than its float" {
	for end in 1.7 0.7 2.3; do
		sed "s/^length = .*/length = $end/; s/\"times\": PackedFloat32Array(0, [0-9.]*)/\"times\": PackedFloat32Array(0, $end)/" \
			"$ROOT/examples/box.tscn" >box.tscn
		anim-parse -c scale_down box.tscn | anim-axes resonite | anim-emit -q -o box.animj
		grep -q "\"globalDuration\":$end," box.animj
		grep -q "\"time\":$end," box.animj
		run -0 anim-lint --for resonite box.animj
		[[ $(anim-dump box.animj) == *" end=$end "*" flags=- "* ]]
	done
}

@test "bones of an instanced scene that is not at hand are not said to be missing" {
	cat >s.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		length = 1.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Rig/Skeleton3D:Head")
		tracks/0/interp = 1
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0)
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"nod": SubResource("a")
		}
		[node name="Hero" type="Node3D"]
		[node name="Rig" type="Node3D" parent="."]
		[node name="Skeleton3D" type="Skeleton3D" parent="Rig"]
		bones/0/name = "Hips"
		bones/1/position = Vector3(0, 1, 0)
		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
	anim-info --tree s.tscn | grep -q '#1 bone'
	run -0 anim-lint --for godot s.tscn
	sed -i 's/^bones.1.*//' s.tscn
	run -1 anim-lint --for godot s.tscn
	[ "$output" = "s.tscn: clip 'nod': track 'Rig/Skeleton3D:Head position': the skeleton has no bone with this name" ]
}

@test "a blend shape with a colon in its name is found for Godot, and not once anim-emit renamed it" {
	data='{"node":"Face","property":"BlendShape.a:b","keyframes":[{"time":0,"value":1,"interpolation":"Linear"}]}'
	printf '{"name":"w","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float","data":%s}]}' "$data" >w.animj
	run -1 anim-lint --for godot w.animj
	[ "$output" = "w.animj: clip 'w': blend shape 'a:b' is written as 'a_b', as in the importer of Godot" ]
	[[ $(anim-lint --json --for godot w.animj) == *'"kinds":{"lost":1}'* ]]
	anim-parse w.animj | anim-emit -q tres -o w.tres 2>told
	grep -q "'a:b' is written as 'a_b'" told
	run -0 anim-lint --for godot w.tres
}

@test "names of other engines' nodes that Godot does not allow are found once each for it, and those of its own never" {
	cat >rig.prefab <<-'TEXT'
		--- !u!1 &1
		GameObject:
		  m_Component:
		  - component: {fileID: 2}
		  - component: {fileID: 5}
		  m_Name: hero.v2
		--- !u!4 &2
		Transform:
		  m_GameObject: {fileID: 1}
		  m_Father: {fileID: 0}
		--- !u!1 &3
		GameObject:
		  m_Component:
		  - component: {fileID: 4}
		  m_Name: 'mix:Hips'
		--- !u!4 &4
		Transform:
		  m_GameObject: {fileID: 3}
		  m_Father: {fileID: 2}
		--- !u!111 &5
		Animation:
		  m_GameObject: {fileID: 1}
		  m_Animations:
		  - {fileID: 6}
		--- !u!74 &6
		AnimationClip:
		  m_Name: walk
		  m_Legacy: 1
		  m_PositionCurves:
		  - curve:
		      m_Curve:
		      - time: 0
		        value: {x: 0, y: 0, z: 0}
		    path: mix:Hips
		  - curve:
		      m_Curve:
		      - time: 0
		        value: {x: 0, y: 0, z: 0}
		    path: mix:Hips/50%/a@b
		  - curve:
		      m_Curve:
		      - time: 0
		        value: {x: 0, y: 0, z: 0}
		    path: mix:Hips/plain name
	TEXT
	run -1 anim-lint --for godot rig.prefab
	[ "$output" = "$(printf "rig.prefab: clip 'walk': name '%s': '_' replaces characters that node names in Godot cannot have (. : @ / \" %%)\n" mix:Hips 50% a@b)" ] || { printf '%s\n' "$output"; return 1; }
	[[ $(anim-lint --json --for godot rig.prefab) == *'"node":"50%"'*'"kinds":{"lost":3}'* ]]
	run -0 anim-lint --for godot --ignore lost rig.prefab
	run -0 anim-lint rig.prefab
	pipe "anim-parse -q rig.prefab | anim-axes godot | anim-emit -q tscn >rig.tscn"
	grep -q 'name="mix_Hips"' rig.tscn
	grep -q '"mix_Hips/50_/a_b' rig.tscn
	run -0 anim-lint --for godot rig.tscn
	# what parts a bone from Godot's own skeletons is no part of a name, wherever the clip comes from
	data='{"node":"Skeleton3D:a.b%","property":"Position","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0},"interpolation":"Linear"}]}'
	printf '{"name":"w","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float3","data":%s}]}' "$data" >w.animj
	run -0 anim-lint --for godot w.animj
	sed -i 's/Skeleton3D:a/Armature:a/' w.animj
	run -1 anim-lint --for godot w.animj
	[ "$output" = "w.animj: clip 'w': name 'Armature:a.b%': '_' replaces characters that node names in Godot cannot have (. : @ / \" %)" ]
}

@test "what the reader warns of is a finding with its place" {
	keys "$good, 1" >a.tres
	run -0 --separate-stderr anim-parse a.tres -o a.axs
	[[ $stderr == "anim-parse: a.tres:9:"*": warning: "* ]]
	warning=${stderr#anim-parse: }
	run -1 --separate-stderr anim-lint a.tres
	[ -z "$stderr" ]
	[ "${lines[-1]}" = "${warning/: warning: /: }" ]
	[[ $(anim-lint --json a.tres) == *'"line":9,"column":'*'"kind":"reading"'* ]]
}

@test "files with faults are reported on standard output, the others are checked, and the status is 2" {
	keys "$good" >a.tres
	keys "$good" 0.25 >b.tres
	echo '[bad' >>a.tres
	run -2 --separate-stderr anim-lint a.tres b.tres
	[ -z "$stderr" ]
	[[ ${lines[0]} == "a.tres:"[0-9]*":"[0-9]*": "* ]]
	[ "${lines[1]}" = "b.tres: clip 'a': track 'Skeleton:Hips rotation': key 1: the time is past the clip's end" ]
	[ "${#lines[@]}" -eq 2 ]
	anim-parse b.tres | head -c -20 >cut.axs
	run -2 --separate-stderr anim-lint cut.axs
	[[ ${lines[-1]} == "cut.axs: byte "*": "* ]]
	[ -z "$stderr" ]
}

@test "every faulty stream has one finding of its fault, the message that other programs give" {
	run -2 --separate-stderr anim-lint --json "$DATA"/axs/bad/*.axs
	[ -z "$stderr" ]
	sed -n 's/^{"file":"\([^"]*\)".*"kind":"fault","count":1,.*/\1/p' <<<"$output" | diff - <(printf '%s\n' "$DATA"/axs/bad/*.axs)
	for file in "$DATA"/axs/bad/*.axs; do
		anim-dump "$file" 2>err >/dev/null || true
		run -2 anim-lint "$file"
		[ "anim-dump: ${lines[-1]}" = "$(<err)" ] || { echo "$output"; cat err; return 1; }
	done
}

@test "a file that is not there is an error on standard error, and the others are looked at" {
	keys "$good" 0.25 >b.tres
	mkdir empty
	run -2 --separate-stderr anim-lint nowhere.tres empty b.tres
	[ "${stderr_lines[0]}" = "anim-lint: nowhere.tres: cannot open: No such file or directory" ]
	[ "${stderr_lines[1]}" = "anim-lint: empty: the folder has no files with animation" ]
	[[ $output == "b.tres: clip 'a': "* ]]
}

@test "problems that Resonite would have with an AnimJ are found" {
	cat >w.animj <<-'TEXT'
		{"name":"w","globalDuration":0,"tracks":[
		{"valueType":"floatQ","trackType":"Curve","data":{"node":"Hips","property":"Rotation","keyframes":[
		{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},
		{"time":1,"value":{"x":0,"y":0,"z":0,"w":-1},"interpolation":"Tangent","leftTangent":{},"rightTangent":{}}]}},
		{"trackType":"Raw","valueType":"float","data":{"node":"A","property":"e","keyframes":[1,2]}},
		{"trackType":"Discrete","valueType":"double3","data":{"node":"A","property":"Position","keyframes":[
		{"time":0,"value":{"x":0,"y":0,"z":0}}]}}
		]}
	TEXT
	run -1 --separate-stderr anim-lint --for resonite w.animj
	[ -z "$stderr" ]
	[[ $output == *"track 'Hips rotation': key 1: the curve between Tangent keys is not documented; use CubicBezier keys"* ]]
	[[ $output == *"track 'Hips rotation': key 1: at "*" s, by 360 degrees instead of 0: the rotation takes the long way"* ]]
	[[ $output == *"track 'A e': the interval between its samples is unknown, so it cannot be played"* ]]
	[[ $output == *"track 'A Position': it is double3, but Resonite's field is float3"* ]]
	[[ $output == *"clip 'w': globalDuration is missing or before the last key"* ]]
	[[ $output == *"w.animj:2:1: tracks[0]: Resonite refuses the order of members: "* ]]
	sed 's/"time":1,/"time":1e99,/' w.animj >far.animj
	run -2 --separate-stderr anim-lint far.animj
	[[ $output == "far.animj:4:"*"tracks[0].data.keyframes[1].time: "* ]]
}

@test "problems that Unity would have with a Godot scene are found, and none after it is converted" {
	cat >s.tscn <<-'TEXT'
		[gd_scene format=3]

		[sub_resource type="Animation" id="a"]
		resource_name = "show"
		length = 1.0
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("Box")
		tracks/0/interp = 2
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 0.5, 1, 0, 0, 0, -1)
		tracks/1/type = "value"
		tracks/1/path = NodePath("Box:energy")
		tracks/1/interp = 1
		tracks/1/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(2, 1),
		"update": 0,
		"values": [0.5, 1.5]
		}

		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "show": SubResource("a") }

		[node name="Root" type="Node3D"]

		[node name="Box" type="Node3D" parent="."]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
	run -1 --separate-stderr anim-lint --for unity s.tscn
	[ -z "$stderr" ]
	cat >wanted <<-'TEXT'
		s.tscn: clip 'show': track 'Box energy': left out, because Unity does not have such a property
	TEXT
	[ "$output" = "$(cat wanted)" ] || { printf '%s\n' "$output"; return 1; }
	pipe "anim-parse s.tscn | anim-axes unity | anim-resample 30 | anim-lint --for unity"
	[ "$output" = "-: clip 'show': track 'Box energy': left out, because Unity does not have such a property" ]
	[[ $(anim-lint --for unity --json s.tscn) == '{"target":"unity",'*'"node":"Box energy"'*'"kind":"lost"'* ]]
}

@test "--for gltf reports what has no place in a channel, and what its players leave out" {
	sed 's/^  /\t/' >s.dump <<-'TEXT'
		anim-dump 1
		clip name="walk" root="." source="unity" start=0 end=1 loop=none axes=unity axes2d=unknown flags=- rate=0/0
		track node="A" property="position" component=- kind=Curve type=float3 rules=unity flags=- before=hold after=hold interp=column keys=3
		  columns time value interp left right
		  0 0,0,0 Linear 0,0,0 0,0,0
		  0.5 1,0,0 Hermite 0,0,0 0,0,0
		  1 0,0,0 Hold 0,0,0 0,0,0
		track node="A" property="rotation" component=- kind=Curve type=floatQ rules=unity flags=- before=loop after=hold interp=Hermite keys=2
		  columns time value left right
		  0 0,0,0,1 0,0,0,0 0,0,0,0
		  1 0,0,0,-1 0,0,0,0 0,0,0,0
		track node="A" property="m_Color" component=- kind=Curve type=color rules=unity flags=- before=hold after=hold interp=Weighted keys=1
		  columns time value left right left_x right_x weighted
		  0 0,0,0,1 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 3
		track node="A" property="/materials/0/alphaCutoff" component=- kind=Discrete type=float rules=plain flags=- before=hold after=hold interp=Hold keys=1
		  columns time value
		  0 1
		track node="A" property="blend_shape/Smile" component=- kind=Discrete type=float rules=plain flags=- before=hold after=hold interp=Hold keys=1
		  columns time value
		  0 1
		track node="A" property="scale" component=0 kind=Discrete type=float rules=plain flags=- before=hold after=hold interp=Hold keys=1
		  columns time value
		  0 1
		track node="." property="@event" component=- kind=Discrete type=string rules=unity flags=- before=hold after=hold interp=Hold keys=1
		  columns time value
		  0 "{}"
		end
	TEXT
	anim-undump s.dump >s.axs
	run -1 --separate-stderr anim-lint --for gltf s.axs
	cat >wanted <<-'TEXT'
		s.axs: clip 'walk': track 'A rotation': key 1: at 1 s, by 360 degrees instead of 0: the rotation takes the long way
		s.axs: clip 'walk': track 'A m_Color': left out, because glTF does not have the property
		s.axs: clip 'walk': track 'A /materials/0/alphaCutoff': left out, because glTF does not have the property
		s.axs: clip 'walk': track '. @event': events are left out; anim-emit -x extras writes them as extras
		s.axs: clip 'walk': track 'A scale.x': single components were joined with 0 (scales with 1), because the rest pose is unknown; set it with anim-bake --rest FILE
	TEXT
	[ "$output" = "$(cat wanted)" ] || { printf '%s\n' "$output"; return 1; }
}

@test "the document of every crafted stream is JSON, with a finding for each line of the text" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	local target
	cp "$DATA"/axs/good/*.axs .
	for target in '' '--for resonite' '--for unity' '--for gltf'; do
		anim-lint $target --json ./*.axs >"of$target.json" || [ $? -eq 1 ]
		anim-lint $target ./*.axs >"of$target.lines" || [ $? -eq 1 ]
	done
	python3 - ./*.axs <<-'PY'
		import collections, glob, json, sys
		for name in sorted(glob.glob("of*.json")):
		    d = json.load(open(name))
		    f, c = d["findings"], d["counts"]
		    lines = open(name[:-4] + "lines", "rb").read().split(b"\n")
		    assert len(f) == c["findings"] == len(lines) - 1 > 100, name
		    of = collections.Counter(x["file"].encode() for x in f)
		    assert of == collections.Counter(line.split(b":")[0] for line in lines[:-1]), name
		    assert sum(x["count"] for x in f) == sum(c["kinds"].values()), name
		    assert {x["kind"] for x in f} == set(c["kinds"]), name
		    assert c["files"] == len(sys.argv) - 1 > 40 and c["unreadable"] == 0, name
		assert name == "of.json", name
	PY
}

@test "every kind that the program reports is in its manual page, and no other" {
	local kinds
	keys "$good" >a.tres
	kinds=$(anim-lint --format sarif a.tres | sed -n 's/^{"id":"\([a-z-]*\)".*/\1/p' | sort)
	[ "$(printf '%s\n' "$kinds" | wc -l)" -gt 30 ]
	sed -n '/^.Ss Findings/,/^.Ss JSON/s/^\.It Cm \([a-z-]*\)$/\1/p' "$ROOT/man/anim-lint.1" | sort -u | diff - <(printf '%s\n' "$kinds")
}

@test "SARIF has a rule for each kind and a result for each finding, with its place as a reference" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	mkdir 'a b:c%'
	keys "$long" 0.75 >'a b:c%/ü.tres'
	{ sed 's/rotation_3d/rotation_9d/' 'a b:c%/ü.tres' && echo '[bad'; } >bad.tres
	head -c 100 "$DATA/axs/good/unsorted.axs" >cut.axs
	anim-lint --for resonite --json "$PWD/bad.tres" 'a b:c%/ü.tres' cut.axs >told.json || [ $? -eq 2 ]
	run -2 anim-lint --for resonite --format sarif "$PWD/bad.tres" 'a b:c%/ü.tres' cut.axs -o told.sarif
	keys "$good" >a.tres
	anim-lint --format sarif a.tres >none.sarif
	python3 - "$PWD/bad.tres" <<-'PY'
		import json, sys, urllib.parse
		def run_of(name):
		    log = json.load(open(name))
		    assert log["version"] == "2.1.0" and len(log["runs"]) == 1 and log["$schema"].endswith("sarif-schema-2.1.0.json")
		    return log["runs"][0]
		told, run, none = json.load(open("told.json"))["findings"], run_of("told.sarif"), run_of("none.sarif")
		driver = run["tool"]["driver"]
		assert driver["name"] == "anim-lint" and driver["version"][0].isdigit()
		rules = driver["rules"]
		assert len({r["id"] for r in rules}) == len(rules)
		for r in rules:
		    assert r["defaultConfiguration"]["level"] in ("note", "warning", "error"), r
		    for text in (r["shortDescription"]["text"], r["help"]["text"]):
		        assert text[0].isupper() or text.startswith("anim-"), r
		        assert text.endswith(".") and len(text) > 15, r
		assert none["results"] == [] and none["invocations"] == [{"executionSuccessful": True}]
		assert run["invocations"] == [{"executionSuccessful": False}]
		assert len(run["results"]) == len(told) > 2
		marks = set()
		for result, finding in zip(run["results"], told):
		    assert result["ruleId"] == finding["kind"] == rules[result["ruleIndex"]]["id"]
		    assert result["level"] == rules[result["ruleIndex"]]["defaultConfiguration"]["level"]
		    assert finding["message"] in result["message"]["text"] and result["occurrenceCount"] == finding["count"]
		    place, = result["locations"]
		    uri = place["physicalLocation"]["artifactLocation"]["uri"]
		    assert all(c.isalnum() and c.isascii() or c in "-._~/%:" for c in uri) and ":" not in uri[5:], uri
		    assert urllib.parse.unquote(uri) == ("file://" if finding["file"][0] == "/" else "") + finding["file"]
		    region = place["physicalLocation"].get("region", {})
		    assert region.get("startLine") == finding["line"] and region.get("startColumn") == finding["column"]
		    assert region.get("byteOffset") == finding["byte"]
		    named = {x["kind"]: x["name"] for x in place.get("logicalLocations", [])}
		    assert (named.get("clip"), named.get("object"), named.get("property")) == \
		        (finding["clip"], finding["node"], finding["property"]), named
		    # Where there is a line the service looks at its text.
		    assert ("partialFingerprints" in result) == (finding["line"] is None)
		    marks.add(json.dumps(result.get("partialFingerprints", len(marks))))
		assert len(marks) == len(told)
		assert {f["line"] is None for f in told} == {f["byte"] is None for f in told} == {True, False}
	PY
}

@test "--format github prints each finding as a command of a workflow, its special bytes escaped" {
	mkdir '50%,a:b'
	keys "$long" | sed 's/"a"$/"100% a"/' >a.tres
	as_resonites a.tres >'50%,a:b/a.axs'
	run -1 anim-lint --for resonite --format github '50%,a:b/a.axs'
	[ "$output" = "::warning file=50%25%2Ca%3Ab/a.axs,title=anim-lint%3A quaternion-long-way::clip '100%25 a': track 'Skeleton:Hips rotation': key 1: at 0.5 s, by 360 degrees instead of 0: the rotation takes the long way; and 1 more key" ] || { echo "$output" && false; }
	printf '[gd_resource format=3]\n[bad' >bad.tres
	run -2 anim-lint --format github bad.tres
	[[ ${lines[1]} == "::error file=bad.tres,line=2,col="*",title=anim-lint%3A fault::"* ]] || { echo "$output" && false; }
	run -0 anim-lint --format github "$ROOT/examples/crane.tscn"
	[ -z "$output" ]
	run -2 --separate-stderr anim-lint --json --format sarif a.tres
	[ "${stderr_lines[0]}" = "anim-lint: --json is --format json, and not sarif" ]
}

@test "--ignore takes several kinds, each where a glob fits the node, the clip or the file" {
	keys "$long" >a.tres
	as_resonites a.tres >a.axs
	run -1 anim-lint --for resonite a.axs
	[ "${#lines[@]}" -eq 1 ]
	run -0 anim-lint --for resonite --ignore Mode,Quaternion-Long-Way a.axs
	for glob in '*Hips' a 'a.*' '*.axs'; do
		run -0 anim-lint --for resonite --ignore "quaternion-long-way:$glob,mode" a.axs
	done
	for glob in '*Hand' b other/a.axs ''; do
		run -1 anim-lint --for resonite --ignore "quaternion-long-way:$glob,mode" a.axs
		[ "${#lines[@]}" -eq 1 ]
	done
	run -2 --separate-stderr anim-lint --ignore mode,xyzzy a.tres
	[[ ${stderr_lines[0]} == "anim-lint: --ignore: unknown kind of finding 'xyzzy'; known are fault, reading, "*", track-order, track-list" ]] || { echo "$stderr" && false; }
	run -2 anim-lint --ignore mode, a.tres
}

@test "-o has the findings, and comes into being where something was found or a file was faulty" {
	keys "$good" 0.25 >b.tres
	echo '[bad' >a.tres
	run -1 anim-lint b.tres -o found.txt
	[ -z "$output" ]
	[ "$(cat found.txt)" = "$(anim-lint b.tres)" ]
	run -2 anim-lint a.tres b.tres -o found.txt
	[ "$(wc -l <found.txt)" -eq 2 ]
}

@test "a wrong command line and an output that fails end with 2" {
	run -2 --separate-stderr anim-lint --for maya
	[[ ${stderr_lines[0]} == "anim-lint: --for: 'maya' is not one of resonite, unity, godot, gltf, "*bvh* ]]
	keys "$good" 0.25 >b.tres
	run -2 --separate-stderr bash -c 'anim-lint b.tres >&-'
	[ "$stderr" = "anim-lint: cannot write standard output: Bad file descriptor" ]
	[ -w /dev/full ] || skip "no /dev/full on this system"
	run -2 --separate-stderr bash -c 'anim-lint b.tres >/dev/full'
	[ "$stderr" = "anim-lint: cannot write standard output: No space left on device" ]
}

@test "a reader that closes early ends the program by SIGPIPE in silence" {
	run --separate-stderr bash -c "for i in {1..20000}; do printf '%s ' '$DATA/axs/good/unsorted.axs'; done | xargs -n 20000 anim-lint | head -n 1 >/dev/null; echo \${PIPESTATUS[1]}"
	[ "$output" = 125 ] || [ "$output" = 141 ] # xargs tells of a command that a signal ended
	[[ $stderr != *anim-lint:\ cannot* ]]
}

@test "whichever allocation fails, the program says so in one line, ends with 2 and leaves nothing" {
	cc -O1 -std=c11 -D_GNU_SOURCE -fPIC -shared -o failing.so "$BATS_TEST_DIRNAME/fuzz/failing_alloc.c"
	run env LD_PRELOAD=./failing.so anim-lint --version
	[ "$status" -eq 0 ] || skip "the programs are linked with an allocator of their own (a sanitizer's)"
	run env ANIM_FAIL_ALLOC=1+ LD_PRELOAD=./failing.so anim-lint "$ROOT/examples/crane.tscn"
	[ "$status" -ne 0 ] || skip "this C library's allocations cannot be made to fail from outside"
	for command in "anim-lint --for resonite $DATA/axs/good/same_names.axs" "anim-lint --for unity $ROOT/examples/crane.tscn" "anim-lint --json $ROOT/examples/crane.tscn"; do
		ANIM_COUNT_ALLOC=count LD_PRELOAD=./failing.so $command >/dev/null || [ $? -eq 1 ]
		[ "$(cat count)" -gt 5 ]
		for ((number = 1; number <= $(cat count); number++)); do
			status=0
			ANIM_FAIL_ALLOC=$number LD_PRELOAD=./failing.so $command -o out 2>err || status=$?
			[ "$status" -eq 2 ] && [ ! -e out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q ': out of memory$' err ||
				{ echo "allocation $number of $command: exit $status"; cat err; return 1; }
		done
	done
}

@test "a sample that covers the clip's end does not make the clip longer, in AnimJ and AnimX" {
	keys "$good" 1.01 >a.tres
	anim-parse a.tres | anim-resample -q 30 >a.axs
	for format in animj animx; do
		anim-emit -q --axes keep -o a.$format a.axs
		[ "$(anim-info --json a.$format | grep -o '"end":[0-9.]*')" = '"end":1.01' ]
		run -0 anim-lint --for resonite a.$format
	done
}

@test "a component of a transform is reported for Unity, which has whole transforms" {
	run anim-lint --for unity "$DATA/unity/lanes.tres"
	[ "$status" -eq 1 ]
	[[ $output == *"track 'Box euler.y': single components were joined with 0 (scales with 1), because the rest pose is unknown"* ]]
}

track() { # a track of AnimJ that holds one value
	printf '{"trackType":"Discrete","valueType":"%s","data":{"node":"%s","property":"%s","keyframes":[{"time":0,"value":%s}]}}' "$@"
}

document() { # an AnimJ of a name and tracks
	local name=$1 IFS=,
	shift
	printf '{"name":"%s","globalDuration":1,"tracks":[%s]}' "$name" "$*"
}

@test "tracks without a field that shift others, and clips of other lists, are reported for Resonite" {
	local place energy size
	place=$(track float3 Lamp Position '{"x":0,"y":0,"z":0}')
	size=$(track float3 Lamp Scale '{"x":1,"y":1,"z":1}')
	energy=$(track float Lamp Light.Energy 1)
	document idle "$place" "$energy" >idle.animj
	document run "$energy" "$place" >run.animj
	document walk "$place" "$energy" >walk.animj
	document jump "$place" "$size" "$energy" >jump.animj
	document door "$(track bool Door Active true)" >door.animj
	run -0 anim-lint --for resonite --ignore unbound idle.animj walk.animj door.animj
	[ -z "$output" ]
	run -1 anim-lint --for resonite --ignore unbound idle.animj run.animj walk.animj jump.animj
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[0]}" = "run.animj: clip 'run': Resonite finds no field for 'Lamp' 'Light.Energy', which shifts the following tracks; anim-emit writes such tracks last" ]
	[ "${lines[1]}" = "run.animj: clip 'run': its tracks differ from those of 'idle' (idle.animj) from number 1 on: 'Lamp' 'Light.Energy' instead of 'Lamp' 'Position'; an Animator that plays both needs equal lists: anim-emit --same-tracks --each" ]
	[[ ${lines[2]} == "jump.animj: clip 'jump': its tracks differ from those of 'idle' (idle.animj) from number 2 on: "* ]]
	run -0 anim-lint idle.animj run.animj jump.animj
	run -1 anim-lint --json --for resonite idle.animj run.animj
	[[ $output == *'"track-order":1,"track-list":1'* ]]
}

@test "rotations that their own player takes the long way are reported for every target, others are not" {
	keys "$long" >a.tres
	anim-parse a.tres >a.axs
	as_resonites a.tres >b.axs
	for target in "" "--for resonite" "--for unity" "--for gltf" "--for godot"; do
		# shellcheck disable=SC2086 # none or two words
		run -0 anim-lint $target --ignore lost a.axs
		run -1 anim-lint $target --ignore lost b.axs
		[ "$output" = "b.axs: clip 'a': track 'Skeleton:Hips rotation': key 1: at 0.5 s, by 360 degrees instead of 0: the rotation takes the long way; and 1 more key" ] || { echo "$target: $output" && false; }
	done
	anim-emit animj b.axs -q >raw.animj
	run -1 anim-lint raw.animj
	pipe "anim-parse --slerp raw.animj | anim-lint"
	[ "$status" -eq 0 ]
	# what is written of signs that mean nothing says nothing
	anim-parse a.tres | anim-axes resonite | anim-emit -q animj >a.animj
	run -0 anim-lint --for resonite a.animj
}

# walker POSITIONS: two legs of 2 units whose right foot is moved along x by "time x y" for each sample of a second.
walker() {
	cat <<-'TEXT'
		HIERARCHY
		ROOT Hips
		{
		  OFFSET 0 2 0
		  CHANNELS 3 Xposition Yposition Zposition
		  JOINT RightUpLeg
		  {
		    OFFSET -1 0 0
		    CHANNELS 0
		    JOINT RightLeg
		    {
		      OFFSET 0 -1 0
		      CHANNELS 0
		      JOINT RightFoot
		      {
		        OFFSET 0 -1 0
		        CHANNELS 3 Xposition Yposition Zposition
		        End Site
		        {
		          OFFSET 0 0 1
		        }
		      }
		    }
		  }
		}
		MOTION
	TEXT
	printf 'Frames: %s\nFrame Time: 0.25\n' "$#"
	for frame in "$@"; do printf '0 2 0 %s 0\n' "$frame"; done
}

@test "--feet reports how far a foot slides while it is on the ground, not while it is lifted" {
	walker '0 -1' '0.5 -0.5' '1 -1' '1 -1' '1.3 -1' '2 -0.5' >slide.bvh
	run -0 anim-lint slide.bvh
	run -1 --separate-stderr anim-lint --feet 5 slide.bvh
	[ "$output" = "slide.bvh: clip 'slide': node 'Hips/RightUpLeg/RightLeg/RightFoot': it slides 0.46 on the ground, 18 % of the leg length, from 0.467 s to 1.033 s" ] || { echo "$output"; return 1; }
	run -0 anim-lint --feet 20 slide.bvh
	run -0 anim-lint --feet 5 --ignore foot-slides slide.bvh
	walker '0 -1' '0 -0.5' '1 -0.5' '1 -1' '1 -1' '1 -0.5' >stand.bvh
	run -0 anim-lint --feet 5 stand.bvh
	[[ $(anim-lint --feet 5 --json slide.bvh) == *'"node":"Hips/RightUpLeg/RightLeg/RightFoot"'*'"kind":"foot-slides"'* ]]
}

@test "--feet reports no foot that swings low over the ground, past the other foot or before it lands" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no motion capture in $ANIM_CORPUS"
	anim convert -q --unit cm --pin "$ANIM_CORPUS/bvh/walk01.bvh" walk.glb
	run -0 anim-lint --feet 15 walk.glb
	anim convert -q --unit cm --retarget "$ROOT/examples/walker.tscn" --pin "$ANIM_CORPUS/bvh/cmu_12_01_walk.bvh" other.glb
	run -0 anim-lint --feet 5 other.glb
}

@test "--feet reports whether the feet float or sink, if the rest pose is on the ground" {
	walker '0 -1' '0 -0.5' '1 -0.5' '1 -1' '1 -1' '1 -0.5' >on.bvh
	sed 's/^0 2 0/0 2.3 0/' on.bvh >high.bvh
	sed 's/^0 2 0/0 1.7 0/' on.bvh >low.bvh
	run -0 anim-lint --feet 5 on.bvh
	run -0 anim-lint --feet 15 high.bvh low.bvh
	run -1 --separate-stderr anim-lint --feet 5 high.bvh low.bvh
	foot=Hips/RightUpLeg/RightLeg/RightFoot
	[ "$output" = "high.bvh: clip 'high': node '$foot': it floats: no foot comes nearer to the ground than 0.3, 13 % of the leg length
low.bvh: clip 'low': node '$foot': it sinks into the ground by 0.3, 13 % of the leg length" ] || { echo "$output" && false; }
	for file in high low; do sed 's/OFFSET 0 2 0/OFFSET 0 0 0/' $file.bvh >elsewhere.bvh && run -0 anim-lint --feet 5 elsewhere.bvh; done
}

@test "--feet reports files whose feet cannot be checked, but not the feet of an earlier file" {
	walker '0 -1' '0 -0.5' '1 -0.5' '1 -1' '1 -1' '1 -0.5' >on.bvh
	sed 's/RightFoot/Paw/' on.bvh >paw.bvh
	run -1 --separate-stderr anim-lint --feet 5 on.bvh "$DATA/unity/clip_humanoid.anim" paw.bvh
	[[ $output == *"clip_humanoid.anim: feet were not checked, because the file has no skeleton; add one with "* ]]
	[[ $output == *"paw.bvh: feet were not checked, because no bone has the name of a human's foot below a leg; rename with anim-rename"* ]]
	[[ $output != *"on.bvh: feet"* ]]
	run -0 anim-lint --feet 5 --ignore feet-unknown paw.bvh
	run -0 anim-lint paw.bvh
}

@test "--for unity finds nothing wrong with a humanoid clip" {
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-retarget -q --muscles | anim-emit -q -o h.anim
	run -0 anim-lint --for unity h.anim
	[ -z "$output" ]
}

@test "a muscle that rotates its joint over in one frame is found, fast motions and steps are not" {
	# three curves at 30 keys a second: a jump of 150 degrees and back, a fast wave, and a step that is meant
	muscle() {
		printf '{"track":{"node":".","property":"%s","component":null,"kind":"Curve","type":"float","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"%s","keys":6,"attributes":{"unity.class":"95","unity.humanoid":"muscle"},"columns":{"time":[0,0.0333,0.0667,0.1,0.1333,%s],"value":[%s]}}}\n' "$@"
	}
	{
		printf '{"anim_json":1}\n{"clip":{"name":"spin","root":".","loop":"none","start":0,"end":1,"rate":{"num":30,"den":1},"axes":"unity","flags":[],"attributes":{}}}\n'
		muscle "Left Arm Twist In-Out" Linear 0.1667 "0,0.01,-0.8,0.87,0.03,0"
		muscle "Right Arm Twist In-Out" Linear 0.1667 "0,0.4,0.8,0.4,0,-0.4"
		muscle "Left Forearm Twist In-Out" Hold 0.1667 "0,1,0,1,0,1"
		muscle "Right Forearm Twist In-Out" Linear 0.5 "0,0,0,0,0,1"
		printf '{"end":true}\n'
	} >spin.json
	run -1 --separate-stderr anim-lint spin.json
	[ "$output" = "spin.json: clip 'spin': track '. Left Arm Twist In-Out': key 3: at 0.1 s it turns by 150 degrees; the joint turns over in one frame; and 2 more keys" ] || { echo "$output" && false; }
	run -0 anim-lint --ignore muscle-jump spin.json
}

# judged FILE TARGET: anim-lint finds losses of a conversion if and only if the conversion warns of them.
judged() {
	local target=$2 each=(--each 'judged/%c.out') paths=()
	case $1:$2 in *.fbx:godot | *.fbx:tscn | *.gl*:godot | *.gl*:tscn) paths=(--godot-paths) ;; esac
	case $2 in
	resonite) target=animj ;;
	godot) target=tres each=(-o judged/out) ;;
	gltf) target=glb each=(-o judged/out) ;;
	fbx) each=(-o judged/out) ;;
	esac
	local status=0
	anim-lint --json --for "$2" "$1" >judged.json 2>judged.told || status=$?
	[ $status -ne 2 ] || return 0 # it cannot be read
	[ $status -le 1 ]
	mkdir -p judged
	anim-parse -q "${paths[@]}" "$1" 2>/dev/null | anim-emit "$target" "${each[@]}" 2>judged.told || true
	rm -rf judged
	python3 - "$1" "$2" <<-'PY'
		import json, sys
		found = [f for f in json.load(open("judged.json"))["findings"] if f["kind"] in ("lost", "approximated")]
		told = [t for t in open("judged.told") if ": note: " not in t and "no file is written" not in t]
		assert bool(found) == bool(told), (sys.argv[1:], found[:2], told[:2])
	PY
}

@test "--for finds what a conversion warns of, and nothing else" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$ROOT"/examples/*.tscn "$DATA"/godot/emit_4.5.tscn "$DATA"/unity/*.anim; do
		for target in resonite unity godot gltf fbx bvh; do judged "$file" $target; done
	done
}

@test "--for and conversions agree about files of other programs" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	for folder in bvh fbx gltf godot humanoid unity; do
		find "$ANIM_CORPUS/$folder" -type f -size -300k \( -name '*.bvh' -o -name '*.fbx' -o -name '*.glb' -o -name '*.tscn' \
			-o -name '*.tres' -o -name '*.anim' -o -name '*.vrma' \) | sort | { [ -n "${ANIM_LONG:-}" ] && cat || awk 'NR % 23 == 1' | head -n 4; }
	done >files
	while read -r file; do
		for target in resonite unity tscn gltf fbx bvh vrma vmd; do judged "$file" $target; done
	done <files
}

@test "--for reports muscles once if the target has only bones" {
	for target in resonite godot; do
		run -1 anim-lint --for $target "$DATA/unity/clip_humanoid.anim"
		[[ $output == *"clip 'Humanoid': muscle curves are not bones and move nothing; use anim-retarget --to MODEL"* ]]
	done
}

@test "--loop-seam reports tracks that end elsewhere than they start, in clips that loop" {
	keys '0, 1, 0, 0, 0, 1, 1, 1, 0.5, 0, 0, 0.8660254' >a.tres
	sed 's/^length/loop_mode = 1\n&/; $a tracks/0/loop_wrap = false' a.tres >loop.tres
	run -0 anim-lint --loop-seam a.tres
	run -0 anim-lint loop.tres
	run -1 anim-lint --loop-seam loop.tres
	[ "$output" = "loop.tres: clip 'a': track 'Skeleton:Hips rotation': its end (1 s) differs from its start by 60 degrees: the loop does not close" ] || { echo "$output"; return 1; }
	keys '0, 1, 0, 0, 0, 1, 0.5, 1, 0.5, 0, 0, 0.8660254, 1, 1, 0, 0, 0, -1' | sed 's/^length/loop_mode = 1\n&/' >closed.tres
	run -0 anim-lint --loop-seam closed.tres
	walker '0 -1' '0.5 -0.5' '1 -1' >step.bvh
	run -1 anim-lint --loop-seam step.bvh
	[ "$output" = "step.bvh: clip 'step': track 'Hips/RightUpLeg/RightLeg/RightFoot position': its end (0.5 s) differs from its start by 1, 100 % of its range: the loop does not close" ] || { echo "$output"; return 1; }
}

@test "attributes that these programs write are known to anim-lint" {
	local crane="$ROOT/examples/crane.tscn" file
	anim-parse -q "$crane" >crane.axs
	anim-delta crane.axs >delta.axs
	anim-bake -q --world -r 5 crane.axs >world.axs
	anim-retarget -q --to "$crane" crane.axs >retarget.axs
	anim-rename --bones Rig/Skeleton3D -q <(anim-parse -q "$DATA/gltf/interpolations.gltf") >rename.axs
	anim-axes -q unity crane.axs >axes.axs
	anim-reduce -q --tol 1mm@10cm crane.axs >reduce.axs
	anim-retime --speed 2 -q crane.axs >retime.axs
	anim-pack crane.axs | anim-unpack -q -t 0.5..1 >unpack.axs
	for file in delta world retarget rename axes reduce retime unpack; do
		anim-dump "$file.axs" | grep -q '^track' || { echo "nothing of $file"; return 1; }
		anim-lint "$file.axs" >>said || [ $? -eq 1 ]
	done
	run -1 grep 'is not known; those of one format' said
}

@test "the suffix of -o selects the form of the findings, also if there are none" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nlength = 1.0\ntracks/0/type = "value"\ntracks/0/path = NodePath("A:b")\ntracks/0/keys = { "times": PackedFloat32Array(0), "transitions": PackedFloat32Array(1), "update": 0, "values": [1.0] }\n' >a.tres
	run -0 anim-lint -o r.sarif a.tres
	anim-lint --format sarif a.tres >told.sarif
	same told.sarif r.sarif
	grep -q '"results":\[' r.sarif
	run -0 anim-lint -o r.json a.tres
	anim-lint --json a.tres >told.json
	same told.json r.json
	run -0 anim-lint --format text -o t.json a.tres
	[ ! -s t.json ]
}

@test "a folder is checked with all its files, and a line says how many have findings" {
	mkdir -p Assets/deep Assets/.hidden
	cp "$ROOT/examples/crane.tscn" Assets/deep/crane.tscn
	cp "$ROOT/examples/walker.tscn" Assets/a.tscn
	echo text >Assets/notes.txt
	echo bad >Assets/.hidden/b.tscn
	run -0 --separate-stderr anim lint Assets
	[ "$stderr" = "anim-lint: Assets: 2 files checked, 0 with findings" ]
	run -1 --separate-stderr anim lint --for resonite Assets
	[[ $output == *"Assets/deep/crane.tscn"* ]]
	[ "$stderr" = "anim-lint: Assets: 2 files checked, $(cut -d: -f1 <<<"$output" | grep tscn | sort -u | wc -l) with findings" ]
	mkdir empty
	run -2 --separate-stderr anim lint empty
	[[ $stderr == *"empty: the folder has no files with animation" ]]
}
