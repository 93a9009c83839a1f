#!/usr/bin/env bats
# anim-parse on AnimJ: what is read, refused and warned of, from files and pipes.

load helper

verdicts() { # "file verdict" of the manifest, where ours counts: three that Resonite refuses are read with a warning
	sed -n 's/^ *"\(file\|verdict\)": "\(.*\)",$/\2/p' "$DATA/animj/bad/manifest.json" | paste -d' ' - - |
		sed -E 's/^(bezier|type_unknown|bool_capital)\.animj refuse$/\1.animj warn/'
}

@test "every crafted document is accepted, warned of or refused as its manifest says" {
	local file verdict got count=0
	while read -r file verdict; do
		run --separate-stderr anim-parse --force -o out.axs "$DATA/animj/bad/$file"
		got=accept
		[ -z "$stderr" ] || got=warn
		[ "$status" -eq 0 ] || got=refuse
		[ "$verdict" = any ] || [ "$verdict" = "$got" ] || { echo "$file: $got, not $verdict: $stderr"; return 1; }
		[ "$got" != refuse ] || [ "$status" -eq 1 ] || return 1
		count=$((count + 1))
	done < <(verdicts)
	[ "$count" -eq "$(find "$DATA/animj/bad" -name '*.animj' | wc -l)" ]
}

@test "the examples of Resonite's own pages are read" {
	local file
	for file in "$DATA"/animj/example*.animj; do
		anim-parse --no-provenance "$file" >out.axs
		anim-dump out.axs | grep -v '^	attr "file" ' >dump
		same dump "${file%.animj}.dump"
	done
}

@test "a document reads the same from a file, a pipe, gzip, single bytes, and with nothing kept in memory" {
	local file=$DATA/animj/example_curve.animj
	cp "$file" x.animj
	anim-parse --no-provenance x.animj >whole.axs
	anim-parse --no-provenance --source-name x.animj <x.animj >pipe.axs
	same whole.axs pipe.axs
	gzip -c x.animj | anim-parse --no-provenance --source-name x.animj >gzip.axs
	same whole.axs gzip.axs
	ANIM_READ_MAX=1 anim-parse --no-provenance --source-name x.animj <x.animj >bytes.axs
	same whole.axs bytes.axs
	ANIM_STORE_MEMORY=0 anim-parse --no-provenance x.animj >stored.axs
	same whole.axs stored.axs
}

@test "AnimJ is known by what is in it, by its suffix, and by -f" {
	cp "$DATA/animj/example_curve.animj" x
	anim-parse x >/dev/null
	printf '{"tracks":[]}' >x.animj
	run -0 --separate-stderr anim-parse x.animj
	[ "$stderr" = "anim-parse: x.animj:1:14: warning: no tracks in this file" ]
	run -1 --separate-stderr bash -c 'anim-parse <x.animj'
	[ "$stderr" = "anim-parse: -:1:1: JSON, not an animation" ]
	run -0 --separate-stderr bash -c 'anim-parse -f animj <x.animj'
}

@test "a clip without a name is called after its file, or clip from a pipe" {
	printf '{"globalDuration":1,"tracks":[]}' >walk.cycle.animj
	[[ $(anim-parse -q walk.cycle.animj | anim-dump) == *'clip name="walk.cycle" '* ]]
	[[ $(anim-parse -q <walk.cycle.animj | anim-dump) == *'clip name="clip" '* ]]
	[[ $(anim-parse -q --source-name run.animj <walk.cycle.animj | anim-dump) == *'clip name="run" '* ]]
}

@test "what anim-emit writes is read back as the same animation" {
	anim-parse "$ROOT/examples/box.tscn" | anim-axes resonite | anim-resample 30 | anim-emit -q animj >one.animj
	anim-parse one.animj | anim-emit -q animj >two.animj
	same one.animj two.animj
	anim-parse one.animj | anim-emit -q animj --pretty >pretty.animj
	run ! cmp -s one.animj pretty.animj
	anim-parse pretty.animj | anim-emit -q animj >two.animj
	same one.animj two.animj
}

@test "a faulty document leaves no file, and --keep-going leaves it out" {
	printf '{"globalDuration":1,"tracks":[{"trackType":"Raw"}]}' >bad.animj
	cp "$DATA/animj/example_curve.animj" good.animj
	run -1 --separate-stderr anim-parse --force -o out.axs good.animj bad.animj
	[ "$stderr" = "anim-parse: bad.animj:1:31: tracks[0]: a track without valueType" ]
	[ ! -e out.axs ]
	run -0 --separate-stderr anim-parse --keep-going --force -o out.axs bad.animj good.animj
	[ "$stderr" = "anim-parse: bad.animj:1:31: warning: left out: tracks[0]: a track without valueType" ]
	[ "$(anim-dump out.axs | grep -c '^clip ')" -eq 1 ]
}

@test "warnings under --strict end the run" {
	run -1 --separate-stderr anim-parse --strict "$DATA/animj/bad/track_order.animj"
	[[ ${stderr_lines[-1]} == *"stopped by --strict, which makes warnings errors"* ]]
}

@test "--slerp plays Linear rotations the short way, without it each component is linear" {
	cat >turn.animj <<'JSON'
{"name":"turn","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"floatQ","data":{"node":"A","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":0,"z":1,"w":0},"interpolation":"Linear"}]}}]}
JSON
	anim-parse turn.animj | anim-resample 4 | anim-dump | grep '0\.' >lanes
	anim-parse --slerp turn.animj | anim-resample 4 | anim-dump | grep '0\.' >slerp
	grep -q '0,0,0.31622776,0.9486833' lanes
	grep -q '0,0,0.38268343,0.9238795' slerp
}

# soon STATUS FILE: anim-parse with 4 seconds of the processor; what takes the square of the length needs more.
soon() {
	run "$1" --separate-stderr bash -c 'ulimit -t 4; exec anim-parse --force -o out.axs "$1"' soon "$2"
}

# A document whose one key is `$2` with `$3` in it $1 times.
long_key() {
	awk -v n="$1" -v around="$2" -v again="$3" 'BEGIN {
		at = index(around, "@")
		printf "{\"globalDuration\":1,\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"float3\",\"data\":{\"keyframes\":["
		printf "%s", substr(around, 1, at - 1)
		for (i = 0; i < n; i++) printf "%s", again
		printf "%s]}}]}", substr(around, at + 1)
	}'
}

@test "brackets without end are refused at the 65th, wherever they are, however many follow" {
	local head='{"globalDuration":1,"tracks":[{' types='"trackType":"Curve","valueType":"float",' open close
	open=$(printf '%0400000d' 0 | tr 0 '[')
	close=$(printf '%0400000d' 0 | tr 0 ']')
	printf '%s%s"data":{"keyframes":[%s' "$head" "$types" "$open" >key.animj
	printf '%s%s"data":{"keyframes":[{"time":0,"value":%s%s}]}}]}' "$head" "$types" "$open" "$close" >value.animj
	printf '%s"data":{"keyframes":[%s%s]},%s}]}' "$head" "$open" "$close" "${types%,}" >early.animj
	soon -1 key.animj
	[ "$stderr" = "anim-parse: key.animj:1:152: tracks[0].data.keyframes[0]: nested deeper than 64" ]
	soon -1 value.animj
	[ "$stderr" = "anim-parse: value.animj:1:169: tracks[0].data.keyframes[0].value: nested deeper than 64" ]
	soon -1 early.animj
	[ "$stderr" = "anim-parse: early.animj:1:112: tracks[0].data: nested deeper than 64" ]
}

@test "a key of 400,000 members or siblings is read in the time that its length takes" {
	not_bytewise "a measure of time"
	long_key 400000 '{@"value":{"x":1},"interpolation":"Hold"}' '"time":0,' >time.animj
	long_key 400000 '{"time":0@,"interpolation":"Hold"}' ',"value":{}' >value.animj
	long_key 400000 '{"time":0,"value":{@"x":1},"interpolation":"Hold"}' '"q":[],' >sibling.animj
	soon -0 time.animj
	[[ "$stderr" = "anim-parse: time.animj:1:"*"399999 members: repeated; the last one is used" ]]
	soon -0 value.animj
	[[ "$stderr" = "anim-parse: value.animj:1:"*"399999 members: repeated; the last one is used"* ]]
	soon -0 sibling.animj
	[ -z "$stderr" ]
}

@test "places are right whatever was reported before, before or after them" {
	printf '{"globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"float3","data":{"keyframes":[{"time":0,"value":{}},\n  {"interpolation":"Hold",\n"time":0,\n\n  "time":1},\n{"time":3,\n "time":"x"}]}}]}' >lines.animj
	run -1 --separate-stderr anim-parse lines.animj
	[ "$stderr" = "anim-parse: lines.animj:7:10: tracks[0].data.keyframes[2].time: a time needs a number, found a string" ]
	sed -i 's/"x"/3/' lines.animj
	run -0 --separate-stderr anim-parse --force -o out.axs lines.animj
	[[ "$stderr" = *"lines.animj:5:4: warning: 2 members: repeated"* ]]
	[[ "$stderr" = *"lines.animj:2:3: warning: 2 keys: no value"* ]]
}

@test "a length that floats only nearly hold is the clip's, where samples go on to cover it" {
	local samples
	samples=$(printf '%.0s0,' {1..33})0
	printf '{"globalDuration":1.07,"tracks":[{"trackType":"Raw","valueType":"float","data":{"interval":0.033333335,"keyframes":[%s]}},{"trackType":"Discrete","valueType":"bool","data":{"keyframes":[{"time":0,"value":true},{"time":1.07,"value":false}]}}]}' "$samples" >length.animj
	anim-parse length.animj >length.axs
	anim-dump length.axs | grep -q 'start=0 end=1.07 '
	anim-emit -o length.animx length.axs
	anim-parse length.animx | anim-dump | grep -q 'start=0 end=1.07 '
	sed 's/"time":1.07,/"time":1.08,/' length.animj | anim-parse | anim-dump | grep -q 'start=0 end=1.1 .*flags=end_derived'
}

curve() { # an AnimJ of a Curve of floats with these keys
	printf '{"globalDuration":9,"tracks":[{"trackType":"Curve","valueType":"float","data":{"node":"A","property":"p","keyframes":[%s]}}]}' "$1"
}

@test "keys without time or interpolation are reported, zeros as tangents of Linear keys are not" {
	curve '{"value":1},{"value":2,"time":1},{"value":2,"time":2}' >missing.animj
	run -0 --separate-stderr anim-parse --force -o out.axs missing.animj
	[[ "$stderr" = *"missing.animj:1:119: warning: tracks[0].data.keyframes[0]: no time; 0 is read"* ]]
	[[ "$stderr" = *"missing.animj:1:119: warning: 3 keys: no interpolation; Hold is read"* ]]
	curve '{"time":0,"value":1,"interpolation":"Linear","leftTangent":0,"rightTangent":0}' >zeros.animj
	run -0 --separate-stderr anim-parse --strict --force -o out.axs zeros.animj
	[ -z "$stderr" ]
}

# object TYPE VALUE: a clip with one key of this value.
object() {
	printf '{"name":"t","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"%s","data":{"node":"Cube","property":"%s","keyframes":[{"time":0,"value":%s,"interpolation":"Linear"}]}}]}' "$1" "${3:-Field}" "$2" >object.animj
}

@test "members in upper case, rotations without w and values without members keep Resonite's value, with a warning" {
	while IFS='|' read -r type value wanted text; do
		object "$type" "$value"
		run -0 --separate-stderr anim-parse object.animj --force -o out.axs
		if [ -z "$text" ]; then [ -z "$stderr" ]; else [[ $stderr == "anim-parse: object.animj:1:"*": warning: tracks[0].data.keyframes[0].value: $text" ]]; fi || { echo "$type $value: $stderr"; return 1; }
		anim-emit -q json out.axs | grep -qF "\"value\":[$wanted]" || { echo "$type $value: $(anim-emit -q json out.axs)"; return 1; }
	done <<-'EOT'
		float3|{"X":1,"Y":2,"Z":3}|[0,0,0]|members in upper case are ignored, as in Resonite: 'Z' should be 'z'
		float3|{"x":1,"y":2,"Z":3}|[1,2,0]|members in upper case are ignored, as in Resonite: 'Z' should be 'z'
		floatQ|{"x":0,"y":0.5,"z":0,"W":0.5}|[0,0.5,0,0]|members in upper case are ignored, as in Resonite: 'W' should be 'w'
		color|{"R":1,"G":1,"B":1}|[0,0,0,1]|members in upper case are ignored, as in Resonite: 'B' should be 'b'
		floatQ|{"x":0,"y":90,"z":0}|[0,90,0,0]|no w, so w is 0: half a turn
		float3|{}|[0,0,0]|no member of the type, so the value is 0 (a float3 has members x to z)
		float3|{"a":1}|[0,0,0]|no member of the type, so the value is 0 (a float3 has members x to z)
		color|{"x":1,"y":1,"z":1}|[0,0,0,1]|no member of the type, so the value is 0 (a color has members r to a)
		float3|{"y":1}|[0,1,0]|
		float3|{"x":1,"y":2,"z":3,"note":"Z"}|[1,2,3]|
	EOT
	cp "$DATA/animj/example_curve.animj" .
	run -0 --separate-stderr anim-parse example_curve.animj --force -o out.axs
	[ -z "$stderr" ]
}

@test "a property with the name of a field in other case gets a warning, also from anim-lint and in AnimX" {
	local name
	for name in position ROTATION active; do
		object float3 '{"x":1,"y":2,"z":3}' $name
		run -0 --separate-stderr anim-parse object.animj --force -o out.axs
		[[ $stderr == *"warning: tracks[0]"*"does not bind, because upper and lower case differ: '$name' should be '"[A-Z][a-z]*"'" ]] || { echo "$stderr"; return 1; }
	done
	object float3 '{"x":1,"y":2,"z":3}' position
	run -1 anim-lint --for resonite object.animj
	[[ $output == *"does not bind, because upper and lower case differ: 'position' should be 'Position'"* ]]
	anim-convert -q object.animj out.animx
	run -0 --separate-stderr anim-parse out.animx -o out.axs --force
	[ "$stderr" = "anim-parse: out.animx: warning: property 'position' (the field is 'Position'): does not bind, because upper and lower case differ" ]
	object float3 '{"x":1,"y":2,"z":3}' Position
	run -0 --separate-stderr anim-parse object.animj --force -o out.axs
	[ -z "$stderr" ]
}

@test "Hold and Linear keys are written without tangents, but for the one that ends a curve" {
	local key=$'{"time":0,"value":1,"interpolation":"CubicBezier","leftTangent":11,"rightTangent":12}'
	key+=',{"time":1,"value":2,"interpolation":"Linear","leftTangent":13,"rightTangent":14}'
	key+=',{"time":2,"value":3,"interpolation":"Hold","leftTangent":15,"rightTangent":16}'
	key+=',{"time":3,"value":4,"interpolation":"Tangent","leftTangent":17,"rightTangent":18}'
	key+=',{"time":4,"value":5,"interpolation":"Linear","leftTangent":19,"rightTangent":20}'
	curve "$key" >mixed.animj
	anim-parse --strict mixed.animj | anim-emit --strict -o out.animj
	grep -o '"[lr][a-zT]*Tangent":[0-9]*' out.animj | grep -o '[0-9]*' | tr '\n' ' ' >used
	[ "$(cat used)" = "11 12 13 17 18 19 " ]
	run -0 --separate-stderr anim-parse --strict --force -o back.axs out.animj
	[ -z "$stderr" ]
}

@test "a string that is too long has its line and its path" {
	not_bytewise "of 16 MB; strings over the ends of windows are below"
	{
		printf '{"globalDuration":1,"tracks":[{"trackType":"Discrete","valueType":"string","data":{"keyframes":[\n{"time":0,"value":"'
		head -c 16777217 /dev/zero | tr '\0' x
		printf '"}]}}]}'
	} >long.animj
	run -1 --separate-stderr anim-parse long.animj
	[ "$stderr" = "anim-parse: long.animj:2:19: tracks[0].data.keyframes[0].value: a string of more than 16777216 bytes" ]
	sed -i 's/x"}/"}/' long.animj
	run -0 anim-parse -q --force -o x.axs long.animj
}

@test "a skipped string is checked wherever a window ends in it" {
	local text='Zürich \\ud83d\\ude00 \\" \\\\ 日本 \\u0041' file
	printf '{"before":"%s","globalDuration":1,"tracks":[],"behind":["%s"]}' "$(printf '%.0sé' {1..99})" "$(printf "$text%.0s" {1..50})" >strings.animj
	anim-parse -q --no-provenance --source-name x strings.animj >whole.axs
	ANIM_READ_MAX=1 anim-parse -q -f animj --no-provenance --source-name x <strings.animj >bytes.axs
	same whole.axs bytes.axs
	sed 's/日本/\xff/50' strings.animj >bad.animj
	run -1 --separate-stderr anim-parse bad.animj
	[[ "$stderr" = "anim-parse: bad.animj:1:"*": behind: a byte that is not UTF-8" ]]
	run -1 --separate-stderr bash -c 'ANIM_READ_MAX=1 anim-parse -f animj <bad.animj'
	[[ "$stderr" = "anim-parse: -:1:"*": behind: a byte that is not UTF-8" ]]
}
