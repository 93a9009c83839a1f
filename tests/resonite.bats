#!/usr/bin/env bats
# Which tracks Resonite binds: anim-lint, the notes of a conversion and --bind-sheet agree.

load helper

# track TYPE NODE PROPERTY VALUE: a track with one key.
track() {
	printf '{"trackType":"Discrete","valueType":"%s","data":{"node":"%s","property":"%s","keyframes":[{"time":0,"value":%s}]}}' "$@"
}

# agree FILE: the three name the same number of tracks that do not bind.
agree() {
	local status=0
	anim-lint --json --for resonite "$1" >lint.json || status=$?
	[ $status -le 1 ]
	anim-parse -q "$1" | anim-emit --force --bind-sheet sheet.json -o out.animj 2>told || return 0 # it cannot be written
	python3 - "$1" <<-'PY'
		import json, re, sys
		found = [f for f in json.load(open("lint.json"))["findings"] if f["kind"] in ("unbound", "field-type")]
		rows = [row for clip in json.load(open("sheet.json")) for row in clip["tracks"]]
		unbound = [row["property"] for row in rows if row["why"] is not None]
		told = 0
		for line in open("told"):
		    if re.search("single components|Resonite's slots have|DynamicBlend|will not bind", line):
		        told += int(re.search(r": (\d+) tracks?\b", line + ": 1 track").group(1))
		assert len(found) == len(unbound) == told, (sys.argv[1], len(found), unbound, told)
		assert [row["number"] for row in rows] == list(range(len(rows)))
		assert [row["why"] is None for row in rows] == sorted((row["why"] is None for row in rows), reverse=True)
		tracks = json.load(open("out.animj"))["tracks"]
		assert [(t["data"]["node"], t["data"]["property"], t["valueType"]) for t in tracks] == \
		    [(row["node"], row["property"], row["type"]) for row in rows], sys.argv[1]
	PY
}

@test "lint, the notes of a conversion and the sheet name the same tracks that Resonite cannot bind" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	printf '{"name":"all","globalDuration":1,"tracks":[%s]}' "$(
		track float Head BlendShape.Smile 1 && printf , && track float3 Head Position '{"x":1}' && printf ,
		track float Head Rotation 1 && printf , && track float Lamp light_energy 1 && printf ,
		track bool Lamp Active true && printf , && track string Lamp @method '"x"' && printf ,
		track float2 Head BlendShape.Smile '{"x":1}' && printf , && track float3 A.B.C Scale '{"x":1}'
	)" >all.animj
	agree all.animj
	run -1 --separate-stderr anim-lint --for resonite --ignore reading all.animj
	[ "$(grep -c "Resonite's\|DynamicBlend" <<<"$output")" -eq 5 ]
	run -0 --separate-stderr anim-emit --bind-sheet sheet.txt -o out.animj all.animj
	[[ $stderr == *"note: 2 tracks: Resonite's slots have no such field; --bind-sheet FILE lists all (first 'Lamp light_energy')"* ]]
	cat >wanted.txt <<-'TEXT'
		clip 'all'
		   0  Head                    Position            field Position
		   1  Lamp                    Active              field Active
		   2  A.B.C                   Scale               field Scale
		   3  Head                    BlendShape.Smile    not bound: Resonite binds blend shapes only through a DynamicBlendShapeDriver
		   4  Head                    Rotation            not bound: Resonite's field has another type
		   5  Lamp                    light_energy        not bound: Resonite's slots have no such field
		   6  Lamp                    @method             not bound: Resonite's slots have no such field
		   7  Head                    BlendShape.Smile    not bound: Resonite binds blend shapes only through a DynamicBlendShapeDriver
	TEXT
	same wanted.txt sheet.txt
	run -0 anim-lint --for resonite --ignore unbound,field-type,reading,lost,track-order,name-twice all.animj
}

@test "lint names each fault of a track once" {
	printf '{"name":"all","globalDuration":1,"tracks":[%s]}' "$(
		track float Head Rotation 1 && printf , && track float3 Head Position '{"x":1}' && printf ,
		track float3 Head Position '{"x":2}'
	)" >once.animj
	run -1 --separate-stderr anim-lint --for resonite once.animj
	same - <(grep -v shifts <<<"$output") <<-'TEXT'
		once.animj: clip 'all': track 'Head Rotation': it is float, but Resonite's field is floatQ
		once.animj: clip 'all': track 'Head position': an earlier track animates the same property of the same node
	TEXT
	run -1 --separate-stderr anim-lint --for resonite --ignore reading,unbound,name-twice,tangent,no-duration "$DATA/animj/example_tracks.animj"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"the interval between its samples is unknown, so it cannot be played" ]]
}

@test "the same of all AnimJ files of others and of scenes" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	for file in "$DATA"/animj/*.animj $(find "$ANIM_CORPUS/resonite" -name '*.animj' 2>/dev/null); do
		agree "$file"
	done
	for file in "$ROOT"/examples/*.tscn; do
		anim-emit -q --each '%c.animj' "$file"
	done
	for file in lift walk scale_down; do agree $file.animj; done
}

@test "one sheet has all clips, with the same bytes again, and is not written without the clips" {
	for suffix in txt csv json; do
		anim-emit -q --each 'out/%c.animj' --bind-sheet all.$suffix "$ROOT/examples/box.tscn"
		cp all.$suffix first
		anim-emit -q --force --each 'out/%c.animj' --bind-sheet all.$suffix "$ROOT/examples/box.tscn"
		same first all.$suffix
	done
	all_json all.json
	[ "$(grep -c scale_down all.csv)" -eq 1 ]
	[ "$(head -n 1 all.csv)" = clip,number,node,path,property,type,field,why ]
	[ "$(tail -n 1 all.csv)" = scale_down,0,Box,Box,Scale,float3,Scale, ]
	run -1 anim-emit -q --bind-sheet none.txt -o x.animj "$ROOT/examples/box.tscn" -c none
	[ ! -e none.txt ]
	run -2 --separate-stderr anim-emit --bind-sheet x.txt --names source -o x.animj "$ROOT/examples/box.tscn"
	[[ $stderr == "anim-emit: --bind-sheet cannot be combined with --names source"* ]]
	run -2 --separate-stderr anim-emit --bind-sheet x.txt -o x.glb "$ROOT/examples/box.tscn"
	[[ $stderr == "anim-emit: --bind-sheet is for animj and animx, not for glb"* ]]
	cp "$ROOT/examples/box.tscn" y.tscn
	run -1 anim-emit -q --bind-sheet y.tscn -o y.animj "$ROOT/examples/box.tscn" -c scale_down
	same "$ROOT/examples/box.tscn" y.tscn
}

# lamps: two slots of one name.
lamps() {
	cat >lamps.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "swing"
		length = 1.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Left/Lamp")
		tracks/0/interp = 1
		tracks/0/keys = PackedFloat32Array(0, 1, 1, 0, 0, 1, 1, 2, 0, 0)
		tracks/1/type = "position_3d"
		tracks/1/path = NodePath("Right/Lamp")
		tracks/1/interp = 1
		tracks/1/keys = PackedFloat32Array(0, 1, 3, 0, 0, 1, 1, 4, 0, 0)
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {"swing": SubResource("a")}
		[node name="Room" type="Node3D"]
		[node name="Left" type="Node3D" parent="."]
		[node name="Lamp" type="Node3D" parent="Left"]
		[node name="Right" type="Node3D" parent="."]
		[node name="Lamp" type="Node3D" parent="Right"]
		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {"": SubResource("l")}
	TEXT
}

@test "the path distinguishes slots of one name" {
	lamps
	anim-emit -q --bind-sheet lamps.txt -o lamps.animj lamps.tscn
	same - lamps.txt <<-'TEXT'
		clip 'swing'
		   0  Lamp                    Position            field Position  (Left/Lamp)
		   1  Lamp                    Position            field Position  (Right/Lamp)
	TEXT
}

@test "--force, --no-clobber and --backup cover the sheet" {
	anim convert -q --bind-sheet sheet.csv "$ROOT/examples/walker.tscn" walk.animj
	cp walk.animj first.animj
	anim convert -q --bind-sheet sheet.csv "$ROOT/examples/walker.tscn" walk.animj # our own list may be replaced
	for suffix in csv json; do
		echo '{"notes":1}' >sheet.$suffix
		cp sheet.$suffix notes
		run -1 --separate-stderr anim convert -q --bind-sheet sheet.$suffix "$ROOT/examples/walker.tscn" walk.animj
		[[ $stderr == "anim-convert: sheet.$suffix: holds "*" that would be lost; write another file, or use --force" ]]
		same notes sheet.$suffix
		same first.animj walk.animj
		run -0 --separate-stderr anim convert --no-clobber --bind-sheet sheet.$suffix "$ROOT/examples/walker.tscn" new.animj
		[ "$stderr" = "anim-convert: note: sheet.$suffix exists, so it is kept" ]
		[ ! -e new.animj ]
		run -1 anim convert --backup --bind-sheet sheet.$suffix missing.tscn walk.animj
		[ "$(echo sheet.$suffix~*)" = "sheet.$suffix~*" ]
		anim convert -q --backup --bind-sheet sheet.$suffix "$ROOT/examples/walker.tscn" walk.animj
		same notes sheet.$suffix~
		same first.animj walk.animj~
		[ "$(echo *~[0-9]*)" = "*~[0-9]*" ]
		rm *~
		cp notes sheet.$suffix
		anim convert -q --force --bind-sheet sheet.$suffix "$ROOT/examples/walker.tscn" walk.animj
		grep -q Hips sheet.$suffix
		anim convert -q --bind-sheet sheet.$suffix "$ROOT/examples/box.tscn" -c scale_down box.animj # also in JSON
	done
}

# linked CLIP: the example binds the clip in a host that behaves like ResoniteLink.
linked() {
	rm -f host
	anim convert -q --force "${@:2}" --bind-sheet sheet.json "$1" clip.animx
	node "$ROOT/tests/resonite_host.cjs" sheet.json >host &
	local host=$!
	for ((i = 0; i < 100; i++)); do [ ! -s host ] || break; sleep 0.05; done
	ANIM_LINK_ONCE=1 timeout 20 node "$ROOT/examples/resonite/link.cjs" "$(head -n 1 host)" Rig sheet.json clip.animx >link
	wait $host
	python3 - "$1" <<-'PY'
		import json, sys
		rows = json.load(open("sheet.json"))[0]["tracks"]
		lines = open("host").read().splitlines()[1:]
		names = {"Position": "position", "Rotation": "rotation", "Scale": "scale", "Active": "isActive"}
		for row, line in zip(rows, lines):
		    wanted = "-"
		    path = row["node"] if row["path"] == "." else row["path"].replace(":", "/")
		    if row["field"]: wanted = f"{path} {names[row['field']]}"
		    elif row["property"].startswith("BlendShape.") and row["type"] == "float": wanted = "shape " + row["property"][11:]
		    assert line == f"{row['number']} {wanted}", (sys.argv[1], line, wanted)
		last = lines[len(rows)].split()
		assert last[0] == "http://127.0.0.1/clip.animx" and last[1] == "true" and int(last[3]) <= 10, last
	PY
}

@test "the example binds all tracks that bind, and blend shapes, in at most 10 messages" {
	export NODE_PATH=$ROOT/build/live/node_modules
	command -v node >/dev/null && command -v python3 >/dev/null || skip "node or python3 is not installed"
	[ -d "$NODE_PATH/ws" ] || skip "npm's ws is not installed: npm install --prefix build/live osc ws"
	printf '{"name":"face","globalDuration":1,"tracks":[%s]}' "$(track float Head BlendShape.Smile 1 && printf , &&
		track float Body BlendShape.blendShape1.MTH_A 1 && printf , && track float Lamp light_energy 1 && printf , &&
		track float3 Head Position '{"x":1}' && printf , && track float Head BlendShape.Blink 1)" >face.animj
	linked face.animj
	grep -q '^face: 4 of 5 tracks bound' link
	linked "$ROOT/examples/walker.tscn"
	linked "$ROOT/examples/crane.tscn"
	linked "$ROOT/examples/box.tscn" -c scale_down
	linked "$DATA/animj/example_values.animj"
	lamps
	linked lamps.tscn
	grep -q '^swing: 2 of 2 tracks bound' link
}
