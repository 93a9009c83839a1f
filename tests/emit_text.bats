#!/usr/bin/env bats
# anim-emit csv and json: all keys as a table; everything as lines that anim-parse reads back.

load helper

crane() {
	anim-parse -q "$ROOT/examples/crane.tscn"
}

# kept FILE: its dump without what JSON does not hold: provenance, records and columns of others, forms.
kept() {
	anim-dump "$1" | awk '/^(prog|record) / { skip = 1; next } /^[a-z]/ { skip = 0 } skip { next }
		/^\t(prepared|other) / || /^\t\t/ { next } { print }'
}

@test "csv has a row of names and a row for each key" {
	pipe "anim-parse -q '$ROOT/examples/crane.tscn' | anim-emit csv"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "${#lines[@]}" -eq 14 ]
	[ "${lines[0]}" = "clip,node,property,component,type,kind,key,time,interp,v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15,source,player" ]
	[ "${lines[2]}" = "lift,Skeleton3D:base,rotation,,floatQ,Curve,1,1,Linear,0,0.38268343,0,0.9238795,,,,,,,,,,,,,crane.tscn,AnimationPlayer" ]
	[ "${lines[12]}" = "lift,Lamp,light_energy,,float,Curve,0,0.5,Bezier2D,0,,,,,,,,,,,,,,,,crane.tscn,AnimationPlayer" ]
}

@test "a reader of CSV finds 27 cells in every row of every stream, and their names" {
	command -v python3 >/dev/null || skip "python3 is not there"
	for file in "$DATA"/axs/good/*.axs; do
		case $file in */end_only.axs | */tree_only.axs | */two_trees.axs | */many_nodes.axs | */node_2d.axs) continue ;; esac
		anim-emit -q csv -o "${file##*/}.csv" "$file" 2>err || { cat err; return 1; }
	done
	python3 - *.csv <<-'PY'
		import csv, sys
		csv.field_size_limit(1 << 24)
		assert len(sys.argv) > 40
		for name in sys.argv[1:]:
		    rows = list(csv.reader(open(name, newline="", encoding="utf-8")))
		    assert rows and all(len(row) == 27 for row in rows), name
	PY
}

@test "csv and json hold all clips; -c picks one, --each gives each its file, -o names the format" {
	anim-parse -q "$ROOT/examples/crane.tscn" "$ROOT/examples/box.tscn" >both.axs
	[ "$(anim-emit csv both.axs | cut -d, -f1 | sort -u | tr '\n' ' ')" = "RESET clip lift scale_down " ]
	[ "$(anim-emit json both.axs | grep -c '^{"clip":')" = 3 ]
	[ "$(anim-emit csv -c lift both.axs | cut -d, -f1 | sort -u | tr '\n' ' ')" = "clip lift " ]
	anim-emit --each '%c.json' both.axs
	[ "$(grep -c '^{"track":' lift.json)" = 5 ]
	[ "$(grep -c '^{"track":' scale_down.json)" = 1 ]
	anim-emit -o lift.csv -c lift both.axs
	[ "$(wc -l <lift.csv)" = 14 ]
}

@test "disabled tracks are left out of csv with a warning, and kept in json" {
	pipe "anim-dump '$DATA/axs/good/optional_columns.axs' | sed '/^track/s/flags=[^ ]*/flags=disabled/' | anim-undump | anim-emit csv"
	[ "$status" -eq 0 ]
	[[ $stderr == "anim-emit: warning: "*disabled*"left out"* ]]
	[ "${#lines[@]}" -eq 1 ]
	run -0 --separate-stderr bash -c "anim-dump '$DATA/axs/good/optional_columns.axs' | sed '/^track/s/flags=[^ ]*/flags=disabled/' | anim-undump | anim-emit json"
	[ -z "$stderr" ]
	[[ $output == *'"flags":["disabled"]'* ]]
}

@test "a stream without a clip is no table" {
	run -1 --separate-stderr anim-emit csv "$DATA/axs/good/tree_only.axs"
	[ "$stderr" = "anim-emit: no clip to write, because no animation was read" ]
	run -1 --separate-stderr anim-emit json "$DATA/axs/good/end_only.axs"
	[ "$stderr" = "anim-emit: no clip to write, because no animation was read" ]
	anim-emit json "$DATA/axs/good/tree_only.axs" | anim-parse >tree.axs
	[ "$(anim-dump tree.axs | grep -c '^tree')" = 1 ]
}

@test "each line of json is one JSON object, between the first and the last that say where it begins and ends" {
	crane | anim-emit json >crane.json
	[ "$(head -n 1 crane.json)" = '{"anim_json":1}' ]
	[ "$(tail -n 1 crane.json)" = '{"end":true}' ]
	[ "$(wc -l <crane.json)" = 16 ]
	command -v python3 >/dev/null || skip "python3 is not there"
	for file in "$DATA"/axs/good/*.axs; do
		[[ $file == */end_only.axs ]] && continue
		anim-emit json "$file" >"${file##*/}.json"
	done
	python3 - *.axs.json <<-'PY'
		import json, sys
		assert len(sys.argv) > 40
		for name in sys.argv[1:]:
		    for line in open(name, "rb"):
		        assert len(json.loads(line)) == 1, name
	PY
}

@test "json is read back to the same records, known by its content, by -f, and compressed" {
	for file in "$DATA"/axs/good/*.axs; do
		[[ $file == */end_only.axs ]] && continue
		anim-emit json "$file" >made.json
		anim-parse --no-provenance made.json >back.axs
		kept "$file" >wanted
		kept back.axs >got
		same wanted got || { echo "$file"; return 1; }
	done
	crane | anim-emit json >crane.json
	anim-parse --no-provenance crane.json >by_content.axs
	anim-parse --no-provenance -f json <crane.json >by_format.axs
	gzip -k crane.json
	anim-parse --no-provenance crane.json.gz >compressed.axs
	same by_content.axs by_format.axs
	same by_content.axs compressed.axs
	[ "$(anim-info crane.json | head -n 1)" = "lift: 2 s, from godot4, godot axes, player AnimationPlayer" ]
}

@test "the bits of NaNs, infinities and the sign of zero come through json" {
	tr '>' '\t' >odd.txt <<-'TEXT'
		anim-dump 1
		clip name="a" root="." source="" start=-0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=0/0
		track node="N" property="p" component=- kind=Curve type=float3 rules=plain flags=unsorted before=hold after=hold interp=Linear keys=2
		>columns time value
		>-0 nan:ffc12345,-inf,nan:7f800001
		>nan:7fc00000 inf,-0,1e-45
		track node="N" property="p" component=- kind=Raw type=double rules=plain flags=- before=hold after=hold interp=Linear keys=1 start=0 step=0.1 rate=0/0
		>columns value
		>nan:fff8000000000001
		end
	TEXT
	anim-undump odd.txt | anim-emit json | anim-parse --no-provenance | anim-dump >back.txt
	same odd.txt back.txt
}

@test "a script that reads each line and prints it again changes nothing, not even the sign of a zero" {
	command -v python3 >/dev/null || skip "python3 is not there"
	for file in "$DATA"/axs/good/*.axs; do
		[[ $file == */end_only.axs ]] && continue
		anim-emit json "$file" >"${file##*/}.json"
	done
	mkdir again
	python3 - *.json <<-'PY'
		import json, sys
		for name in sys.argv[1:]:
		    with open("again/" + name, "w") as again:
		        for line in open(name):
		            print(json.dumps(json.loads(line)), file=again)
	PY
	for file in *.json; do
		anim-parse --no-provenance "$file" >direct.axs
		anim-parse --no-provenance "again/$file" >again.axs
		same direct.axs again.axs || { echo "$file"; return 1; }
	done
}

@test "a clip written by hand or by a script is read" {
	cat >hand.json <<-'TEXT'
		{"anim_json":1}
		{"clip":{"name":"nod","end":1}}
		{"track":{"node":"Head","property":"position","kind":"Curve","type":"float3","columns":{"time":[0,0.5,1],"value":[[0,0,0],[0,0.1,0],[0,0,0]]}}}
		{"end":true}
	TEXT
	pipe "anim-parse hand.json | anim-resample 4 | anim-emit csv"
	[ "$status" -eq 0 ]
	[ "${lines[2]}" = "nod,Head,position,,float3,Raw,1,0.25,Linear,0,0.05,0,,,,,,,,,,,,,,," ]
}

@test "a program that filters lines of json fails where what is left is no clip" {
	crane | anim-emit json | grep -v '^{"clip":' >no_clip.json
	run -1 --separate-stderr anim-parse no_clip.json
	[ "$stderr" = "anim-parse: no_clip.json:10:10: a track before any clip" ]
	crane | anim-emit json | head -n 12 >cut.json
	run -1 --separate-stderr anim-parse cut.json
	[[ $stderr == "anim-parse: cut.json:12:"*': the text is cut off: the line {"end":true} is missing' ]]
}
