#!/usr/bin/env bats
# anim-diff: what conversions change, which tracks and clips belong together, limits and exit statuses.

load helper

# library CLIPS TRACKS [CLIP TRACK KEY OFF]: a Godot library, with one key that is off where the last four are given.
library() {
	awk -v CLIPS="$1" -v TRACKS="$2" -v CLIP="${3--1}" -v TRACK="${4-0}" -v KEY="${5-0}" -v OFF="${6-0}" \
		-f "$DATA/diff/library.awk"
}

# cube Y: a Godot animation "a" of 1 s that lifts Cube to Y.
cube() {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "a"\nlength = 1.0\n'
	printf 'tracks/0/type = "position_3d"\ntracks/0/path = NodePath("Cube")\ntracks/0/interp = 1\n'
	printf 'tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 0, %s, 0)\n' "$1"
}

@test "--unit is the length unit of a bvh" {
	cp "$DATA/bvh/arm.bvh" .
	anim-parse --unit cm arm.bvh -o metres.axs
	run -1 anim-diff -q --max 1mm arm.bvh metres.axs
	run -0 anim-diff --unit cm --max 1mm arm.bvh metres.axs
	run -0 --separate-stderr anim-diff --unit cm --max 1mm metres.axs arm.bvh
	[ -z "$stderr" ]
	run -2 --separate-stderr anim-diff --unit cm metres.axs metres.axs
	[ "$stderr" = "anim-diff: --unit is for bvh, amc and asf, and neither file is one" ]
	run -2 --separate-stderr anim-diff --unit ell arm.bvh metres.axs
	[ "${stderr_lines[0]}" = "anim-diff: --unit 'ell' is not a unit: use cm, m, in, cmu or a number of metres" ]
}

@test "a file is the same as itself, in any form, and that is said with the status 0" {
	run -0 --separate-stderr anim-diff "$ROOT/examples/crane.tscn" "$ROOT/examples/crane.tscn"
	[ "$output" = 'lift: 5 tracks compared' ]
	[ -z "$stderr" ]
	anim-parse "$ROOT/examples/crane.tscn" | gzip >crane.axs.gz
	run -0 anim-diff -q crane.axs.gz "$ROOT/examples/crane.tscn"
	[ -z "$output" ]
	pipe "anim-parse '$ROOT/examples/crane.tscn' | anim-diff - crane.axs.gz"
	[ "$status" -eq 0 ]
	[ "$output" = 'lift: 5 tracks compared' ]
}

@test "a scene and the AnimJ made of it match in all tracks by themselves, with the axes brought over or not" {
	anim-parse "$ROOT/examples/crane.tscn" >crane.axs
	anim-axes resonite crane.axs | anim-emit -q -o crane.animj
	anim-emit -q --axes keep -o kept.animj crane.axs
	run -0 --separate-stderr anim-diff --max 0.1mm,0.01deg,0.01%,0.0001px "$ROOT/examples/crane.tscn" crane.animj
	[ "${lines[0]}" = 'lift: 5 tracks compared, 3 off within their limits' ]
	run -1 anim-diff --max 0.1mm,0.01deg,0.01%,0.0001px "$ROOT/examples/crane.tscn" kept.animj
	[ "${lines[0]}" = 'lift: 5 tracks compared, 2 off within their limits, 2 differ' ]
	run -0 anim-diff --axes keep --max 0.1mm,0.01deg,0.01%,0.0001px "$ROOT/examples/crane.tscn" kept.animj
	[ "${lines[0]}" = 'lift: 5 tracks compared, 3 off within their limits' ]
	anim-axes resonite crane.axs | anim-emit -q --names source -o source.animj
	run -0 anim-diff --match path --max 0.1mm,0.01deg,0.01%,0.0001px crane.axs source.animj
}

@test "a scene and what Unity gets of it match by bones, components, angles and pixels" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-axes unity | anim-emit -q -o crane.anim 2>/dev/null
	run -0 anim-diff --all --max 0.1mm,0.01deg,0.01%,0.0001px "$ROOT/examples/crane.tscn" crane.anim
	[ "${lines[0]}" = 'lift: 5 tracks compared, 4 off within their limits' ]
	[[ $output == *'  Skeleton3D:arm   rotation '*'against Skeleton3D/base/arm'* ]]
	[[ $output == *'  Lamp             light_energy '*'against m_Intensity'* ]]
	anim-parse "$DATA/diff/flat.tscn" | anim-axes unity2d >flat.axs
	run -0 anim-diff "$DATA/diff/flat.tscn" flat.axs
	[ "$output" = 'walk: 2 tracks compared' ]
	anim-axes unity flat.axs | anim-emit -q -o flat.anim 2>/dev/null
	run -0 anim-diff --max 1mm,0.01deg "$DATA/diff/flat.tscn" flat.anim
	run -1 anim-diff --max 1mm,0.01deg,1px --axes keep "$DATA/diff/flat.tscn" flat.anim
}

@test "--ppu sets how many of Godot's pixels are one of Unity's units" {
	anim-parse "$DATA/diff/flat.tscn" | anim-axes --ppu 16 unity2d >flat.axs
	run -0 anim-diff --ppu 16 "$DATA/diff/flat.tscn" flat.axs
	run -0 anim-diff --ppu 16 flat.axs "$DATA/diff/flat.tscn"
	run -1 anim-diff "$DATA/diff/flat.tscn" flat.axs
	anim-parse "$DATA/diff/flat.tscn" | anim-axes --ppu .5 unity2d >half.axs
	run -0 anim-diff --ppu 0.5 --max .5mm,.5px "$DATA/diff/flat.tscn" half.axs
	for bad in 0 -1 x 1x inf . .e5 2e ''; do
		run -2 --separate-stderr anim-diff --ppu "$bad" flat.axs flat.axs
		[[ ${stderr_lines[0]} == "anim-diff: --ppu: '$bad' is not a number above 0" ]]
	done
}

@test "the table is aligned, bold and red on a terminal, and plain everywhere else" {
	cube 0.02 >a.tres
	cube 1.02 >b.tres
	need_terminal
	script -qec "anim-diff a.tres b.tres" /dev/null >out || true
	grep -q $'\033\[1ma\033\[0m: ' out
	grep -q $'\033\[31m  Cube ' out
	run -1 anim-diff a.tres b.tres
	[ "$output" = 'a: 1 track compared, 1 differs
  node  property  largest  rms       at
  Cube  position  1 m      0.5774 m  1 s
worst: 1 m, Cube position at 1 s' ]
}

@test "every scene that both engines played matches the AnimJ made of it in all tracks that AnimJ holds" {
	local file count=0
	for file in "$DATA"/oracle/godot-4.7/*.tres "$DATA"/oracle/godot-4.7/*.tscn; do
		anim-parse -q "$file" >a.axs 2>/dev/null && anim-axes resonite a.axs >b.axs 2>/dev/null || continue
		rm -rf out && mkdir out
		anim-emit -q --each 'out/%c.animj' animj b.axs 2>err || continue
		for clip in out/*.animj; do
			[ -e "$clip" ] || continue
			run anim-diff --json a.axs "$clip"
			[ "$status" -le 1 ] || { echo "$file $clip: $output"; return 1; }
			grep -q '"only-b":0},' <<<"$output" || { echo "$file $clip"; return 1; }
			grep -qE 'left out|cannot hold' err || grep -q '"only-a":0,' <<<"$output" || { echo "$file $clip"; return 1; }
			count=$((count + 1))
		done
	done
	[ "$count" -ge 10 ]
}

@test "an error planted in a library of 10,000 tracks is found with its size and its place" {
	not_bytewise "it is many times a small file"
	library 100 100 >one.tres
	library 100 100 57 31 2 0.0078125 >other.tres
	run -1 --separate-stderr anim-diff -q one.tres other.tres
	[ "${lines[0]}" = 'clip57: 100 tracks compared, 1 differs' ]
	[ "${lines[2]}" = '  Skeleton:bone31  position  0.007812 m  0.003189 m  0.5 s' ]
	[ "${lines[3]}" = 'worst: 0.007812 m, Skeleton:bone31 position at 0.5 s of clip57' ]
	[ "${#lines[@]}" -eq 4 ]
	run -0 --separate-stderr anim-diff -q one.tres one.tres
	[ -z "$output$stderr" ]
}

@test "the error is found in one clip of 10,000 tracks, through other names and axes" {
	not_bytewise "it is many times a small file"
	library 1 10000 >one.tres
	library 1 10000 0 7777 3 0.0078125 >other.tres
	anim-parse other.tres | anim-axes resonite | anim-emit -q -o other.animj
	run -1 --separate-stderr anim-diff one.tres other.animj
	[ "${lines[0]}" = 'clip0: 10000 tracks compared, 1 differs' ]
	[ "${lines[2]}" = '  Skeleton:bone7777  position  0.007812 m  0.003189 m  0.75 s  against bone7777' ]
}

@test "make stops where a limit is passed, and goes on where none is" {
	cube 0.02 >a.tres
	cube 0.021 >b.tres
	printf 'close:\n\tanim-diff -q --max 2mm a.tres b.tres\nfar:\n\tanim-diff -q --max 0.5mm a.tres b.tres\n' >Makefile
	run -0 make -s close
	[ -z "$output" ]
	run -2 make -s far
	[[ $output == *'Cube  position  0.001 m'* ]]
}

@test "one clip is compared with the one of its name among many, or with the only one" {
	library 3 2 >many.tres
	library 3 2 1 0 0 1 >off.tres
	anim-parse -c clip1 many.tres >one.axs
	run -0 anim-diff one.axs many.tres
	[ "$output" = 'clip1: 2 tracks compared' ]
	run -1 anim-diff off.tres one.axs
	[ "${lines[0]}" = 'clip1: 2 tracks compared, 1 differs' ]
	run -1 anim-diff --all-clips one.axs many.tres
	[ "$output" = $'clip1: 2 tracks compared\nclip0: only in many.tres\nclip2: only in many.tres' ]
	cube 1 >a.tres
	anim-parse -c clip2 many.tres >two.axs
	run -1 anim-diff one.axs two.axs
	[[ ${lines[0]} == 'clip1 against clip2: 2 tracks compared'* ]]
	run -2 --separate-stderr anim-diff a.tres many.tres
	[ -z "$output" ]
	[ "$stderr" = "anim-diff: a.tres has only the clip 'a', and many.tres has no clip with that name, but has clip0, clip1, clip2. Select a clip with -c, or use --all-clips" ]
	run -0 anim-diff -c clip2 many.tres off.tres
	[ "$output" = 'clip2: 2 tracks compared' ]
}

@test "a clip of a library is the one that a format without libraries calls by its last name" {
	library 2 1 >a.tres
	sed 's/"clip0"/"lib\/clip0"/' a.tres >b.tres
	grep -q '"lib/clip0"' b.tres
	run -0 anim-diff a.tres b.tres
	[ "$output" = $'clip0 against lib/clip0: 1 track compared\nclip1: 1 track compared' ]
	anim-parse -q -c clip0 a.tres >one.axs
	run -0 anim-diff one.axs b.tres
	[ "$output" = 'clip0 against lib/clip0: 1 track compared' ]
}

@test "a last name of a clip that fits several others is reported" {
	library 1 1 >a.tres
	{ library 2 1 | sed 's/"clip0"/"one\/clip0"/; s/"clip1"/"two\/clip0"/'; } >b.tres
	run -0 --separate-stderr anim-diff a.tres b.tres
	[ "$output" = 'clip0 against one/clip0: 1 track compared' ]
	[ "$stderr" = "anim-diff: warning: 1 clip's name matches several others, and these were matched in order. Select one with -c PLAYER:NAME" ]
	run -0 --separate-stderr anim-diff b.tres b.tres
	[ -z "$stderr" ]
}

@test "RESET does not count beside other clips" {
	library 2 1 | sed 's/"clip0"/"RESET"/' >a.tres
	library 2 1 >b.tres
	anim-parse -c clip1 b.tres >one.axs
	run -0 anim-diff a.tres one.axs
	[ "$output" = 'clip1: 1 track compared' ]
	run -1 anim-diff --all-clips a.tres one.axs
	[ "${lines[1]}" = 'RESET: only in a.tres' ]
	anim-parse -c RESET a.tres >reset.axs
	run -0 anim-diff a.tres reset.axs
	[ "$output" = 'RESET: 1 track compared' ]
}

@test "a resampled clip differs from its source by what its rate cannot follow, and not from itself" {
	pipe "anim-parse '$ROOT/examples/crane.tscn' | anim-resample 30 | anim-diff --max 1mm,0.05deg,1% '$ROOT/examples/crane.tscn' -"
	[ "$status" -eq 0 ]
	pipe "anim-parse '$ROOT/examples/crane.tscn' | anim-resample 3 | anim-diff --max 1mm,0.05deg,1% '$ROOT/examples/crane.tscn' -"
	[ "$status" -eq 1 ]
}

@test "the JSON document is one, and its sums are the tracks' own" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	library 3 4 >a.tres
	library 3 4 2 3 0 0.5 >b.tres
	run -1 --separate-stderr anim-diff --json a.tres b.tres
	python3 - <<-PY
		import json
		d = json.loads('''$output''')
		tracks = [t for c in d['clips'] for t in c['tracks']]
		assert len(tracks) == 12 and d['counts']['same'] == 11 and d['counts']['differs'] == 1 and d['differs']
		worst = [t for t in tracks if t['status'] == 'differs'][0]
		assert worst['largest'] == d['worst'][0]['largest'] == 0.5 and worst['a']['node'] == 'Skeleton:bone3'
	PY
}

@test "what cannot be read ends with 2 and no table, on whichever side" {
	cube 1 >a.tres
	echo no >b.tres
	run -2 --separate-stderr anim-diff a.tres b.tres
	[ -z "$output" ]
	run -2 --separate-stderr anim-diff missing.tres a.tres
	[ "$stderr" = 'anim-diff: missing.tres: cannot open: No such file or directory' ]
	anim-parse a.tres | head -c 100 >cut.axs
	run -2 --separate-stderr anim-diff a.tres cut.axs
	[ -z "$output" ]
	run -2 bash -c 'anim-diff a.tres a.tres >/dev/full'
	run -2 --separate-stderr anim-diff -c gone a.tres a.tres
	[ "$stderr" = "anim-diff: a.tres: no clip is named 'gone'; the clips are a" ]
}

# curve INTERP SECONDS TRANSITION VALUE...: a Godot animation "a" of one track, its keys that many seconds apart.
curve() {
	local interp=$1 seconds=$2 transition=$3
	shift 3
	printf '%s\n' "$@" | awk -v INTERP="$interp" -v SECONDS="$seconds" -v EASE="$transition" '
		{ times = times (NR > 1 ? ", " : "") (NR - 1) * SECONDS; eases = eases (NR > 1 ? ", " : "") EASE
		  values = values (NR > 1 ? ", " : "") sprintf("%.1f", $1) }
		END {
			printf "[gd_resource type=\"Animation\" format=3]\n\n[resource]\nresource_name = \"a\"\n"
			printf "length = %.9g\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"A:v\")\n", (NR - 1) * SECONDS
			printf "tracks/0/interp = %s\ntracks/0/keys = {\n\"times\": PackedFloat32Array(%s),\n", INTERP, times
			printf "\"transitions\": PackedFloat32Array(%s),\n\"update\": 0,\n\"values\": [%s]\n}\n", eases, values
		}'
}

# largest A B [OPTION...]: what anim-diff says of the first track.
largest() {
	anim-diff "${@:3}" "$1" "$2" | awk 'NR == 3 { print $3 }'
}

@test "peaks of the error between keys are found, also where the keys lie nearer than the grid's points" {
	curve 2 0.016 1 0 3 >bent.tres
	curve 1 0.016 1 0 3 >straight.tres
	[ "$(largest bent.tres straight.tres)" = 0.2887 ] # sqrt(3) / 6
	curve 2 0.01 1 0 1 -1 3 2 0 >bent.tres
	curve 1 0.01 1 0 1 -1 3 2 0 >straight.tres
	[ "$(largest bent.tres straight.tres)" = "$(largest bent.tres straight.tres -r 1000000)" ]
	curve 2 0.1 1 0 1 -1 3 2 0 1 2 4 1 >bent.tres
	pipe "anim-parse bent.tres | anim-emit -q animj --tol 1%,1deg >bent.animj"
	[ "$status" -eq 0 ]
	[ "$(largest bent.tres bent.animj)" = "$(largest bent.tres bent.animj -r 100000)" ]
}

@test "what a clip of Resonite's shows at its end, where the source only steepens, is reported as it is measured" {
	curve 1 0.5 -0.5 0 1000 0 >steep.tres
	pipe "anim-parse steep.tres | anim-emit animj --tol 200%,200deg >steep.animj"
	[ "$status" -eq 0 ]
	[[ $stderr =~ 'at most '([0-9.]+)' units off' ]]
	awk -v told="${BASH_REMATCH[1]}" -v found="$(largest steep.tres steep.animj)" 'BEGIN { exit !(found > 2 && told >= found) }'
}

@test "an error beside keys, where Godot takes times for theirs, is found, with how long it exceeds its limit" {
	curve 1 0.5 -0.2 0 1000 0 >steep.tres
	pipe "anim-parse steep.tres | anim-emit -q animj >steep.animj"
	run -1 anim-diff --max 0.01m,0.01deg,1%,0.01px steep.tres steep.animj
	[[ ${lines[1]} == *"limit  exceeded for" ]]
	awk 'NR == 3 { exit !($3 > 50.9 && $3 < 51 && $8 > 1e-6 && $8 < 6e-5) }' <<<"$output"
	run -1 anim-diff --json --max 0.01m,0.01deg,1%,0.01px steep.tres steep.animj
	[[ $output == *'"exceeded_s":0.0000'* ]]
	run -0 anim-diff --max 60m,60deg,6000%,60px steep.tres steep.animj
	[[ $output != *exceeded* ]]
}

@test "how long a limit is exceeded at one go is measured between keys, too" {
	curve 1 1 1 0 1 0 >up.tres
	curve 1 1 1 0 0 0 >flat.tres
	run -1 anim-diff --max 0.5m,0.5deg,50%,0.5px up.tres flat.tres
	awk 'NR == 3 { exit !($8 > 0.99 && $8 < 1.01) }' <<<"$output"
}

@test "a step at a clip's very end, which Resonite does not come to, is no difference" {
	sed 's/^length = .*/length = 1.07/' <<-END >end.tres
	[gd_resource type="Animation" format=3]
	[resource]
	length = 1
	tracks/0/type = "value"
	tracks/0/path = NodePath("A:visible")
	tracks/0/keys = {
	"times": PackedFloat32Array(0, 1.07),
	"transitions": PackedFloat32Array(1, 1),
	"update": 1,
	"values": [true, false]
	}
	END
	anim-parse end.tres | anim-emit -q animj >end.animj
	run -0 anim-diff end.tres end.animj
	sed 's/false/true/' end.tres >other.tres
	run -1 anim-diff other.tres end.tres
}

@test "different frame rates are reported, and are no difference" {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=30/1\nend\n' >a
	anim-undump -o a.axs a
	sed 's,rate=30/1,rate=60/1,' a | anim-undump -o b.axs
	sed 's,rate=30/1,rate=60/2,' a | anim-undump -o same.axs
	sed 's,rate=30/1,rate=0/0,' a | anim-undump -o none.axs
	run -0 anim-diff a.axs b.axs
	[ "$output" = "c: 30 fps against 60 fps, 0 tracks compared" ]
	run -0 anim-diff --json a.axs b.axs
	[[ $output == *'"rates_differ":true,'* ]]
	for other in same none; do
		run -0 anim-diff a.axs $other.axs
		[ "$output" = "c: 0 tracks compared" ]
	done
	run -0 anim-diff -q a.axs b.axs
	[ -z "$output" ]
}

@test "loop modes are reported, and are no difference if a format cannot record them" {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\nend\n' >a
	anim-undump -o a.axs a
	sed 's/loop=none/loop=ping-pong/' a | anim-undump -o b.axs
	run -0 anim-diff a.axs b.axs
	[ "$output" = "c: played once against playing back and forth, 0 tracks compared" ]
	run -0 anim-diff --json a.axs b.axs
	[[ $output == *'"loop":"none"}'*'"loop":"ping-pong"}'*'"loops_differ":true,'* ]] || { echo "$output" && false; }
	run -0 anim-diff -q a.axs b.axs
	[ -z "$output" ]
	sed 's/source="x"/source="animj"/' a | anim-undump -o j.axs
	run -0 anim-diff b.axs j.axs
	[ "$output" = "c: 0 tracks compared" ]
}

# turn RULES END KEY...: a hip that turns a leg a metre long, which ends at END; keys with their times, or samples a second apart.
turn() {
	local rules=$1 end=$2 how columns=${columns-time value}
	shift 2
	how="kind=Curve type=floatQ rules=$rules flags=- before=hold after=hold interp=${interp-Linear} keys=$#"
	if [[ $* != *' '*' '* ]]; then
		how="kind=Raw type=floatQ rules=$rules flags=- before=hold after=hold interp=Linear keys=$# start=0 step=0 rate=1/1"
		columns=value
	fi
	sed 's/^  /\t/' <<-TEXT | anim-undump
		anim-dump 1
		tree root="R" source="r" axes=unity axes2d=unknown
		node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="A" type="" kind=bone has=position parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="A/B" type="" kind=bone has=position parent=1 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		clip name="c" root="." source="r" start=0 end=$end loop=none axes=unity axes2d=unknown flags=in_tree rate=0/0
		track node="A" property="rotation" component=- $how
		  columns $columns
		$(printf '  %s\n' "$@")
		end
	TEXT
}

# farthest ARG...: the largest error that anim-diff tells
farthest() { anim-diff "$@" | sed -n 's/^worst: \([^ ]*\) .*/\1/p'; }

@test "a rotation whose sign flips swings round where its player blends component by component, however near the keys and wherever the grid" {
	local q=0.04997917,0,0,0.9987503 n=-0.04997917,0,0,-0.9987503 rules end rate
	for rules in unity resonite; do
		for end in 1 0.033 3.7; do
			turn $rules $end '0 0,0,0,1' "$end $q" >a.axs
			turn $rules $end '0 0,0,0,1' "$end $n" >b.axs
			for rate in 60 61 7; do
				[ "$(farthest -r $rate a.axs b.axs)" = 180 ]
				run -1 anim-diff --max 170deg -r $rate a.axs b.axs
			done
			# where it stands: both ways of two metres and of what is around
			awk -v off="$(farthest --world a.axs b.axs)" 'BEGIN { exit !(off > 2.199 && off < 2.2001) }'
			run -1 anim-diff --max 2.19m@10cm a.axs b.axs
		done
		turn $rules 1 0,0,0,1 $q >a.axs # samples do as straight lines
		turn $rules 1 0,0,0,1 $n >b.axs
		[ "$(farthest a.axs b.axs)" = 180 ]
		turn $rules 1 '0 0,0,0,1' "1 $n" >c.axs
		run -0 anim-diff --max 0.00001deg b.axs c.axs
		anim-emit -q --raw-as curve -o b.animj b.axs
		[[ $rules == unity ]] || run -0 anim-diff --max 0.00001deg b.axs b.animj
	done
	turn godot4 1 '0 0,0,0,1' "1 $q" >a.axs
	turn godot4 1 '0 0,0,0,1' "1 $n" >b.axs
	run -0 anim-diff --max 0.001deg a.axs b.axs
	# the picture has the same numbers
	turn godot4 3.7 '0 0,0,0,1' "3.7 $q" >a.axs
	turn resonite 3.7 '0 0,0,0,1' "3.7 $n" >b.axs
	anim-plot --against a.axs b.axs | grep -q 'off by 180 deg'
	anim-plot --heat --against a.axs b.axs | grep -q 'worst: B 2.2 m'
}

@test "a curve of rotations that swings there and back between two keys is followed" {
	local interp=Hermite columns='time value left right'
	turn unity 1 '0 0.01,0,0,1 0,0,0,0 0,0,0,-8' '1 0.01,0,0,1 0,0,0,8 0,0,0,0' >a.axs
	turn unity 1 '0 0.01,0,0,1 0,0,0,0 0,0,0,0' '1 0.01,0,0,1 0,0,0,0 0,0,0,0' >b.axs
	[ "$(farthest a.axs b.axs)" = 180 ]
	awk -v off="$(farthest --world a.axs b.axs)" 'BEGIN { exit !(off > 2.199) }'
}

@test "takes of one human with other names of the bones match by the bones, with a note; --match path does not" {
	anim-parse -q "$ROOT/examples/walker.tscn" -o godot.axs
	anim-rename -q --humanoid godot:mixamo godot.axs -o mixamo.axs
	anim-rename -q --humanoid godot:smpl godot.axs | anim-filter -q -n '!left_shoulder' -o smpl.axs
	run -0 --separate-stderr anim-diff --max 0.1mm,0.01deg godot.axs mixamo.axs
	[[ $stderr == "anim-diff: note: clip 'walk': "*" tracks matched by the human bones, because the names differ" ]]
	run -1 --separate-stderr anim-diff godot.axs smpl.axs
	[[ $output == *"Skeleton3D:LeftUpperArm  rotation"*"only in godot.axs"* ]]
	[ "$(grep -c 'rotation.*only in' <<<"$output")" -eq 1 ]
	run -0 --separate-stderr anim-diff --world --max 0.1mm@10cm godot.axs mixamo.axs
	run -1 --separate-stderr anim-diff --match path godot.axs mixamo.axs
	[[ $stderr != *human* && $output == *"only in mixamo.axs"* ]]
	# Other axes at rest: a note says how to compare.
	anim-dump mixamo.axs | sed '/^node path="Skeleton3D:mixamorig:LeftUpLeg"/s/rotation=[^ ]*/rotation=0,0.6,0,0.8/' >turned.txt
	anim-dump mixamo.axs >straight.txt
	run -1 cmp -s straight.txt turned.txt
	anim-undump turned.txt >turned.axs
	run -0 --separate-stderr anim-diff --max 0.1mm,0.01deg godot.axs turned.axs
	[[ $stderr == *"warning: clip 'walk': 1 of the bones rest in other axes, so their rotations are not comparable; put one on the skeleton of the other before, with anim-retarget --to ONE OTHER"* ]]
}
