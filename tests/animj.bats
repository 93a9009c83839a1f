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
		run --separate-stderr anim-parse -o out.axs "$DATA/animj/bad/$file"
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
		anim-dump out.axs >dump
		same dump "${file%.animj}.dump"
	done
}

@test "a document reads the same from a file, a pipe, gzip, single bytes, and with nothing kept in memory" {
	local file=$DATA/animj/example_curve.animj
	cp "$file" x.animj
	anim-parse --no-provenance x.animj >whole.axs
	anim-parse --no-provenance <x.animj >pipe.axs
	same whole.axs pipe.axs
	gzip -c x.animj | anim-parse --no-provenance >gzip.axs
	same whole.axs gzip.axs
	ANIM_READ_MAX=1 anim-parse --no-provenance <x.animj >bytes.axs
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

@test "a faulty document leaves nothing behind, and --keep-going leaves it out" {
	printf '{"globalDuration":1,"tracks":[{"trackType":"Raw"}]}' >bad.animj
	cp "$DATA/animj/example_curve.animj" good.animj
	run -1 --separate-stderr anim-parse -o out.axs good.animj bad.animj
	[ "$stderr" = "anim-parse: bad.animj:1:31: tracks[0]: a track without valueType" ]
	[ ! -e out.axs ]
	run -0 --separate-stderr anim-parse --keep-going -o out.axs bad.animj good.animj
	[ "$stderr" = "anim-parse: bad.animj:1:31: warning: left out: tracks[0]: a track without valueType" ]
	[ "$(anim-dump out.axs | grep -c '^clip ')" -eq 1 ]
}

@test "warnings under --strict end the run" {
	run -1 --separate-stderr anim-parse --strict "$DATA/animj/bad/track_order.animj"
	[[ ${stderr_lines[-1]} == *"stopped by --strict: 1 warning"* ]]
}

@test "--slerp plays Linear rotations the short way, without it they go lane by lane" {
	cat >turn.animj <<'JSON'
{"name":"turn","globalDuration":1,"tracks":[{"trackType":"Curve","valueType":"floatQ","data":{"node":"A","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":0,"z":1,"w":0},"interpolation":"Linear"}]}}]}
JSON
	anim-parse turn.animj | anim-resample 4 | anim-dump | grep '0\.' >lanes
	anim-parse --slerp turn.animj | anim-resample 4 | anim-dump | grep '0\.' >slerp
	grep -q '0,0,0.31622776,0.9486833' lanes
	grep -q '0,0,0.38268343,0.9238795' slerp
}
