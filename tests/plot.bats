#!/usr/bin/env bats
# anim-plot: the pictures in the terminal; dot for dot they are checked in tests/unit/plot.c.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	unset COLUMNS COLORTERM
}

# ramp NAME: a track whose position goes from 0 to 1 in x, in a second.
ramp() {
	printf 'track node="%s" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n' "$1"
	printf '\tcolumns time value\n\t0 0,2,0\n\t1 %s,2,0\n' "${2:-1}"
}

clip() {
	printf 'anim-dump 1\nclip name="%s" root="." source="x" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=%s\n' "$1" "${2:-0/0}"
}

stream() {
	cat
	echo end
}

# whole FILE: an SVG whose headings go on in their line, however long.
whole() {
	sed 's/<[/]\{0,1\}tspan[^>]*>//g' "$1"
}

@test "a curve is drawn in ASCII, in half blocks and in braille" {
	{ clip c; ramp A; } | stream | anim-undump -o a.axs
	run -0 --separate-stderr anim-plot -w 34 a.axs
	[ "$stderr" = "" ]
	[ "$output" = "\
c: 1 s, 1 track moves
A position: x 0 .. 1, y 2, z 0 m, 2 keys
       2 |''''''''''''''''''''''''
         |
       1 |            ......:'''''
       0 |......:::::::...........
    keys |*                      *
         ++-----------+----------+
       s  0           0.5        1" ]
	run -0 anim-plot -w 34 --charset block a.axs
	[[ ${lines[2]} == "       2 │▀▀▀▀▀▀▀▀"* ]]
	LC_ALL=C.UTF-8 run -0 anim-plot -w 34 a.axs
	[[ ${lines[2]} == "       2 │⠉⠉⠉⠉⠉⠉⠉⠉"* ]]
	LC_ALL='' LC_CTYPE='' LANG=de_DE.utf8 anim-plot -w 34 a.axs >utf8
	anim-plot -w 34 --charset braille a.axs | cmp - utf8
	run -0 anim-plot a.axs
	[ "${#lines[2]}" -eq 80 ]
	COLUMNS=50 run -0 anim-plot a.axs
	[ "${#lines[2]}" -eq 50 ]
}

@test "rotations are vectors, quaternions, Euler angles or angles" {
	run -0 anim-plot -n '*arm' "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:arm rotation vector: x 0 .. 60, y 0, z 0 deg, 3 keys"* ]]
	run -0 anim-plot -n '*arm' --as quat "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:arm rotation quaternion: x 0 .. 0.5, y 0, z 0, w 0.866 .. 1, 3 keys"* ]]
	run -0 anim-plot -n '*base' --as euler "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:base rotation Euler angles: x 0, y 0 .. 90, z 0 deg, 3 keys"* ]]
	run -0 anim-plot -n '*base' --as angle "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:base rotation angle: 0 .. 90 deg, 3 keys"* ]]
}

@test "twelve tracks that travel farthest are drawn, all with --all; those that do not move are named" {
	{ clip c; for i in {1..20}; do ramp "N$i" "$i"; done; for i in {1..11}; do ramp "Still$i" 0; done; } | stream | anim-undump -o a.axs
	run -0 anim-plot a.axs
	[ "${lines[0]}" = "c: 1 s, 20 tracks move; these 12 travel farthest, -a shows the others" ]
	[[ ${lines[1]} == "N20 position: "* ]]
	[ "$(grep -c ' position: x' <<<"$output")" -eq 12 ]
	[[ ${lines[-1]} == "constant: Still1 position = 0 2 0, Still2 "*" and 3 more" ]]
	run -0 anim-plot --all a.axs
	[[ ${lines[1]} == "N1 position: "* ]]
	[ "$(grep -c ' position: x' <<<"$output")" -eq 20 ]
	[[ ${lines[-1]} == *"Still11 position = 0 2 0" ]]
	run -0 anim-plot -n N3 -n N4 a.axs
	[ "$(grep -c ' position: x' <<<"$output")" -eq 2 ]
	run -0 --separate-stderr anim-plot -p scale a.axs
	[[ $stderr == *"nothing"* || $stderr == *"no track"* ]]
}

@test "what only changes its signs is no rotation that travels far" {
	{
		clip c
		printf 'track node="Still" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=3\n'
		printf '\tcolumns time value\n\t0 0,0,0.6,0.8\n\t0.5 0,0,-0.6,-0.8\n\t1 0,0,0.6,0.8\n'
		printf 'track node="Turns" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=2\n'
		printf '\tcolumns time value\n\t0 0,0,0,1\n\t1 0,0,0.6,0.8\n'
	} | stream | anim-undump -o a.axs
	anim-plot a.axs | grep "rotation vector:" >rows
	[[ $(head -n 1 rows) == "Turns rotation"* ]]
	[[ $(tail -n 1 rows) == "Still rotation"*", flat, 3 keys" ]]
	anim-dump a.axs | sed 's/floatQ/doubleQ/' | anim-undump | anim-plot | grep "rotation vector:" >rows
	[[ $(head -n 1 rows) == "Turns rotation"* ]]
}

@test "the rounding of floats is no motion, a tenth of a millimetre at a metre is, and so is less where there are doubles" {
	swell() { # swell NODE TYPE VALUE
		printf 'track node="%s" property="scale" component=- kind=Curve type=%s rules=plain flags=- before=hold after=hold interp=Linear keys=3\n' "$1" "$2"
		printf '\tcolumns time value\n\t0 1\n\t0.5 %s\n\t1 1\n' "$3"
	}
	{ clip c; swell Noise float 1.0000006; } | stream | anim-undump | anim-plot | grep -q '^Noise scale: .*, flat, 3 keys$'
	{ clip c; swell Moves float 1.0001; } | stream | anim-undump | anim-plot | grep '^Moves scale: 1 .. 1' | grep -v flat
	{ clip c; swell Fine double 1.0000006; } | stream | anim-undump | anim-plot >fine
	grep '^Fine scale' fine | grep -v flat
	{ clip c; swell Noise float 1.0000006; } | stream | anim-undump | anim-plot -o a.svg
	grep -q '>Noise scale, flat</text>' a.svg
}

@test "a component without a value has no unit" {
	{
		clip c
		ramp A | sed 's/2,0$/2,nan/'
	} | stream | anim-undump | anim-plot | grep '^A position' >words
	[ "$(cat words)" = "A position: x 0 .. 1, y 2, z no value, 2 keys, not all of them finite" ] || { cat words && false; }
}

@test "panels of an SVG name their components, mark their times in seconds or frames, and differ in print" {
	{ clip c 30/1; ramp A; } | stream | anim-undump -o a.axs
	anim-plot -o a.svg a.axs
	grep -q '<path class="o" d="M238 102v3"/><text class="v" x="238" y="115">1</text>' a.svg
	grep -q '>A position (m) <tspan class="x">x</tspan> <tspan class="y">y</tspan> <tspan class="z">z</tspan></text>' a.svg
	grep -q '@media print{.y{stroke-dasharray' a.svg
	anim-plot --frames -o b.svg a.axs
	grep -q '<text class="v" x="38" y="115">0 frames</text>' b.svg
	grep -q '<text class="v" x="238" y="115">30</text>' b.svg
	{ clip c 30/1; ramp A; } | sed 's/end=1/end=0/' | stream | anim-undump | anim-plot -o c.svg # drawn to its last key
	grep -q '<text class="v" x="238" y="115">1</text>' c.svg
}

@test "a part of the time is drawn, and frames are counted" {
	{ clip c 30/1; ramp A; } | stream | anim-undump -o a.axs
	run -0 anim-plot -w 40 -t 0.25..0.75 --frames a.axs
	[[ ${lines[1]} == "A position: x 0.25 .. 0.75, "* ]]
	[[ ${lines[-1]} == "   frame "*" 10 "*" 20" ]]
	run -0 --separate-stderr anim-plot -t 5.. a.axs
	[[ $stderr == *"note: clip 'c' is outside the time range of -t" ]]
	run -2 anim-plot -t 2..1 a.axs
	run -2 anim-plot -w 5 a.axs
}

@test "a terminal has colours, as many as it says, and none where NO_COLOR is set" {
	need_terminal
	{ clip c; ramp A; } | stream | anim-undump -o a.axs
	script -qec 'anim-plot a.axs' /dev/null >few
	grep -q $'\[38;5;' few
	COLORTERM=truecolor script -qec 'anim-plot a.axs' /dev/null | grep -q $'\[38;2;'
	NO_COLOR=1 script -qec 'anim-plot a.axs' /dev/null >none
	run ! grep -q $'' none
}

@test "texts, disabled tracks and samples of unknown times are named" {
	{ clip c; ramp A; ramp B | sed 's/flags=-/flags=disabled/'; } | stream | anim-undump -o a.axs
	run -0 anim-plot a.axs
	[ "${lines[-1]}" = "not played: B position (disabled)" ]
	run -0 anim-plot "$DATA/axs/good/raw_unknown_interval.axs"
	[[ $output == *"(interval unknown)"* ]]
	{ clip c; ramp A; ramp B | sed 's/Linear/Tangent/; s/value/& left right/; s/[01],2,0/& 0,0,0 0,0,0/'; } | stream | anim-undump -o a.axs
	for all in "" --all; do
		run -0 anim-plot $all a.axs
		[ "${lines[0]}" = "c: 1 s, 1 track moves" ]
		[ "${lines[-1]}" = "not played: B position" ]
	done
}

@test "every crafted stream is drawn, with --all and in every form of rotations" {
	for file in "$DATA"/axs/good/*.axs; do
		anim-plot -q --all "$file" >/dev/null || { echo "$file" && false; }
	done
	anim-cat -q "$DATA"/axs/good/*.axs -o all.axs
	for how in rotvec quat euler angle; do
		anim-plot -q --all --as $how all.axs >$how || { echo "$how" && false; }
		[ "$(wc -l <$how)" -gt 500 ] || { wc -l $how && false; }
	done
}

@test "of a hundred thousand tracks those that are drawn are kept" {
	not_sanitized "their own memory would be measured"
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o peak "$ROOT/tests/bench/peak.c"
	clip c >dump
	ramp X | head -1 >head
	awk '{ split($0, around, "X"); for (i = 0; i < 100000; i++) { print around[1] "N" i around[2]
		printf "\tcolumns time value\n\t0 0,2,0\n\t1 %d,2,0\n", (i * 7919) % 100003 + 1 } print "end" }' head >>dump
	anim-undump -o a.axs dump
	./peak 3>peak.txt anim-plot a.axs >out
	[ "$(cat peak.txt)" -le 8192 ] # KiB
	[ "$(head -1 out)" = "c: 1 s, 100000 tracks move; these 12 travel farthest, -a shows the others" ]
	./peak 3>peak.txt anim-info --spark a.axs >out
	[ "$(cat peak.txt)" -le 8192 ]
	[ "$(wc -l <out)" -eq 100001 ]
	./peak 3>peak.txt anim-plot --against a.axs --heat a.axs >out # names and places of both files
	[ "$(cat peak.txt)" -le 49152 ]
}

# noise N MODE: a clip of one track of N keys of noise; of Hermite keys with slopes, else of straight lines.
noise() {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=%s loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n' $(($1 / 60))
	awk -v n="$1" -v mode="$2" 'BEGIN { srand(3); print "track node=\"N\" property=\"position\" component=- kind=Curve type=float3 rules=unity flags=- before=hold after=hold interp=" mode " keys=" n
		print "\tcolumns time value" (mode == "Hermite" ? " left right" : "")
		for (k = 0; k < n; k++) { line = sprintf("\t%.7g %.5g,%.5g,%.5g", k / 60, rand(), rand(), rand())
			if (mode == "Hermite") line = line sprintf(" %.5g,%.5g,%.5g %.5g,%.5g,%.5g", rand(), rand(), rand(), rand(), rand(), rand())
			print line } print "end" }'
}

@test "an SVG of a hundred thousand keys is small, and the same in every locale" {
	for mode in Linear Hermite; do
		noise 100000 $mode | anim-undump -o n.axs
		anim-plot -o a.svg n.axs
		LC_ALL=tr_TR.UTF-8 anim-plot -o b.svg n.axs
		LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 anim-plot -o c.svg n.axs
		same a.svg b.svg
		same a.svg c.svg
		[ "$(wc -c <a.svg)" -le 60000 ]
	done
	anim-plot -o a.svg n.axs # what it wrote before is replaced
}

@test "a key just after the end of Godot's clip changes nothing, nor does one long after it" {
	noise 40000 Linear | sed 's/rules=unity/rules=godot4/; s/ end=[^ ]*/ end=666.65/' | anim-undump -o whole.axs
	for end in 666.64996 600; do
		anim-dump whole.axs | sed "s/ end=[^ ]*/ end=$end/" | anim-undump -o cut.axs
		anim-plot -t 0..600 -w 1000 whole.axs | tail -n +2 | sed 's/, [0-9]* keys$//' >whole
		anim-plot -t 0..600 -w 1000 cut.axs | tail -n +2 | sed 's/, [0-9]* keys$//' >cut
		same whole cut
	done
}

@test "an SVG is well formed, whatever the names are" {
	command -v xmllint >/dev/null || skip "xmllint is not installed"
	{
		clip '<c>&"'
		ramp 'A<&>\x01é 漢 \x7f'
		ramp "$(printf 'long%.0s' {1..40})"
		ramp Still 0
	} | sed 's/name="<c>&""/name="<c>\&\\""/' | stream >dump
	anim-undump -o a.axs dump
	anim-plot -o a.svg a.axs
	xmllint --noout a.svg
	grep -q '>longlonglong…longlonglong position (m) <tspan class="x">x<' a.svg
	grep -q 'constant: Still position = 0 2 0</text>' a.svg
	grep -qx '<text class="h".*>&lt;c&gt;&amp;&quot;: 1 s, 2 tracks move</text>' a.svg
	{ clip c; ramp "$(printf 'A\342\200\256B')"; } | stream | anim-undump | anim-plot -o turned.svg
	grep -q '>A�B position (m) <tspan' turned.svg
	grep -q '<title>1 s: 1, 2, 0</title>' a.svg
	anim-plot --palette safe --all --as euler -o b.svg "$ROOT/examples/crane.tscn"
	xmllint --noout b.svg
	for file in "$DATA"/axs/good/*.axs; do
		anim-plot -q --all -o c.svg --force "$file" && xmllint --noout c.svg && run ! grep -E '[" ]-?(nan|inf)["hv]' c.svg || { echo "$file" && false; }
	done
}

@test "the lines of an SVG are where the curve is" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	printf 'track node="A" property="energy" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Hermite keys=3\n' >track
	printf '\tcolumns time value left right\n\t0 0 0 9\n\t0.5 2 -3 4\n\t1 1 8 0\n' >>track
	{ clip c && cat track; } | stream | anim-undump -o a.axs
	anim-plot -o a.svg a.axs
	anim-resample 1000 a.axs | anim-emit csv >a.csv
	python3 - <<-'PY'
		import csv, re
		path = re.search(r'<path class="c x" d="([^"]*)"', open("a.svg").read())[1]
		points, x, y = [], 0, 0
		for letter, text in re.findall(r"([Mlhv])([^A-Za-z]*)", path):
		    n = [int(v) for v in re.findall(r"-?\d+", text)]
		    if letter == "M": x, y = n
		    else:
		        x += n[0] if letter in "lh" else 0
		        y += n[-1] if letter in "lv" else 0
		    points.append((x, y))
		rows = [r for r in csv.reader(open("a.csv"))][1:]
		values = [(float(r[7]), float(r[9])) for r in rows]
		low, high = min(v for _, v in values), max(v for _, v in values)
		assert 10 < len(points) < 200 and points[0][0] == 0 and points[-1][0] == 2000, points
		for t, v in values:
		    i = max(j for j in range(len(points) - 1) if points[j][0] <= t * 2000 + 1e-6)
		    (x0, y0), (x1, y1) = points[i], points[i + 1]
		    at = y0 + (y1 - y0) * (t * 2000 - x0) / max(x1 - x0, 1)
		    assert abs(at - (high - v) / (high - low) * 840) < 6, (t, at, v)
	PY
}

@test "a result is drawn over its source, and the numbers are those of anim-diff" {
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	anim-resample 5 a.axs -o b.axs
	run -0 --separate-stderr anim-plot --against b.axs -n '*' --max 0.1deg,1mm,1% a.axs
	[ "$stderr" = "" ]
	[[ ${lines[0]} == "lift: 2 s, 4 tracks are off, by up to "*" deg, "*"; "?" exceed their limits" ]]
	anim-diff a.axs b.axs >table || [ $? -eq 1 ]
	awk '/^  [^ ]/ && $1 != "node" { sub(/^  */, ""); gsub(/  +/, "|"); split($0, c, "|"); sub(/^rotation$/, "rotation vector", c[2]); print c[1] " " c[2] "|" c[3] "|" c[5] }' table >wanted
	[ "$(wc -l <wanted)" -eq 4 ]
	while IFS='|' read -r track largest at; do
		[[ $output == *"$track: "*"; off by $largest at $at"* ]] || { echo "$track: $largest at $at" && false; }
	done <wanted
	[ "$(grep -cE '^ *off( [0-9.]+(mm)?)? ?\|' <<<"$output")" -eq 4 ]
	anim-plot --against b.axs -o a.svg a.axs
	grep -q '>off by 0.9032 deg at [0-9.]* s</text>' a.svg
	[ "$(grep -o 'class="c p ' a.svg | wc -l)" -eq "$(grep -o 'class="c [xyzw]' a.svg | wc -l)" ]
	run -1 anim-diff --plot b.svg a.axs b.axs
	same a.svg b.svg
	[ "$output" = "$(cat table)" ]
	if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
	run -0 anim-plot --against a.axs a.axs
	run -2 anim-diff --plot b.png a.axs b.axs
	run -2 anim-plot --max 1mm a.axs
	run -1 anim-plot --against missing.axs -o c.svg a.axs
	[ ! -e c.svg ]
}

@test "a pair of a vector of two numbers and one of three has the lines of both" {
	{ clip c; ramp A; } | stream | tee three | anim-undump -o 3.axs
	sed 's/float3/float2/; s/,2,0$/,2/; s/^\t1 1/\t1 2/' three | anim-undump -o 2.axs
	lines() { anim-plot --against "$2.axs" -o a.svg "$1.axs" && grep -o 'path class="c [^"]*' a.svg | cut -c 15- | tr '\n' ,; }
	[ "$(lines 2 3)" = "p x,p y,x,y,z," ] || { lines 2 3 && false; }
	[ "$(lines 3 2)" = "p x,p y,p z,x,y," ] || { lines 3 2 && false; }
}

# track NODE PROPERTY TYPE KIND INTERP COLUMNS: its keys, one a line, on standard input.
track() {
	local keys
	keys=$(cat)
	printf 'track node="%s" property="%s" component=- kind=%s type=%s rules=plain flags=- before=hold after=hold interp=%s keys=%d\n' "$1" "$2" "$4" "$3" "$5" "$(wc -l <<<"$keys")"
	printf '\tcolumns %s\n%s\n' "$6" "$(sed 's/^/\t/' <<<"$keys")"
}

@test "the text says how a result leaves its source: late, drifting, flipped, without a step, cut, open where it loops" {
	not_bytewise "it is of words"
	wave=$'0 0\n0.1 1\n0.3 -1\n0.4 0.5\n0.7 -0.5\n0.8 1\n1 0'
	late=$(awk '{ print $1 + 0.05, $2 }' <<<"$wave")
	make() { # make FILE PROPERTY TYPE KIND INTERP COLUMNS KEYS [LOOP]
		{ clip c 20/1 | sed "s/loop=none/loop=${8:-none}/"; track N "$2" "$3" "$4" "$5" "$6" <<<"$7"; } | stream | anim-undump -o "$1"
	}
	told() { # the line of words of b.axs against a.axs
		anim-plot --against b.axs a.axs | sed -n 3p
	}
	number=(value float Curve Linear "time value")
	make a.axs "${number[@]}" "$wave"
	make b.axs "${number[@]}" "$late"
	[ "$(told)" = "  37.5 % of the source's range; 0.05 s late (1 frame)" ]
	make a.axs "${number[@]}" "$late"
	make b.axs "${number[@]}" "$wave"
	[[ $(told) == *"; 0.05 s early (1 frame)" ]]
	make a.axs "${number[@]}" "$wave"
	make b.axs "${number[@]}" "$(awk '{ print $1, $2 + 0.25 * $1 }' <<<"$wave")"
	[[ $(told) == *"; drifts by 0.25 per second" ]]
	make b.axs "${number[@]}" "$(awk '{ print $1, $2 + 0.25 }' <<<"$wave")"
	[[ $(told) == *" range; the same error all the time" ]]
	make b.axs "${number[@]}" "$(sed 's/^0.4 0.5/0.4 0.3/' <<<"$wave")"
	[[ $(told) == "  10 % of the source's range; mostly at 0.3"[45]*" .. 0.55"*" s" ]]
	make b.axs "${number[@]}" "$(sed 's/^0.1 1/0.1 1.2/; s/^0.7 -0.5/0.7 -0.7/' <<<"$wave")"
	[[ $(told) == "  10 % of the source's range; mostly at 2 places in 0.0"[45]*" .. 0."* ]]
	make b.axs "${number[@]}" "$(sed 's/^1 0/1 0.5/' <<<"$wave")"
	[[ $(told) == *"; mostly at 0.895 .. 1 s; the source ends"* ]]
	[[ $(anim-plot --against b.axs -t 0..0.3 a.axs) == *"; mostly at 0.895 .. 1 s; the source ends"* ]]
	[[ $(anim-plot --against b.axs -t 0..0.95 a.axs) == *" % of the source's range in that time; "* ]]
	make b.axs "${number[@]}" "$(sed 's/^0.4 0.5/0.4 0.3/' <<<"$wave")"
	anim-plot --against b.axs -o s.svg a.axs
	grep -qF "$(told | sed 's/.*; //')</title>" s.svg # the same as in the terminal
	make a.axs "${number[@]}" "$wave" wrap
	make b.axs "${number[@]}" "$(sed '$d' <<<"$wave")" wrap
	[[ $(told) == *"; cut off 0.2 s early: its last key is at 0.8 s, the source's at 1 s; the source ends at its first value, the result ends 1 away from it, a jump in each loop" ]]
	make b.axs "${number[@]}" "$wave" ping-pong
	anim-plot --against b.axs a.axs | grep -qx 'c: 1 s, 0 tracks are off; the source loops, the result plays back and forth'
	step=(visible bool Discrete Hold "time value")
	make a.axs "${step[@]}" $'0 0\n0.2 1\n0.5 0\n0.6 1\n0.9 0'
	make b.axs "${step[@]}" $'0 0\n0.2 1\n0.9 0'
	[[ $(told) == *"; the source steps there and the result does not" ]]
	mv a.axs c.axs && mv b.axs a.axs && mv c.axs b.axs
	[[ $(told) == *"; the result steps there and the source does not" ]]
	turn=$'0 0,0,0,1 0,0,0,0 0,0,0,0\n0.4 0,0,0.1,0.995 0,0,0,0 0,0,0,0\n0.6 0,0,0.2,0.98 0,0,0,0 0,0,0,0\n1 0,0,0.3,0.954 0,0,0,0 0,0,0,0'
	make a.axs rotation floatQ Curve Hermite "time value left right" "$turn"
	make b.axs rotation floatQ Curve Hermite "time value left right" "$(sed '3,$s/ 0,0,\(0[^,]*\),\([^ ]*\)/ 0,0,-\1,-\2/' <<<"$turn")"
	[ "$(told)" = "  its keys are right, but between those at 0.4 and 0.6 s its quaternion changes sign and goes the long way round" ]
	anim-plot --against b.axs -o a.svg a.axs
	grep -q '; its keys are right, but between those at 0.4 and 0.6 s its .* the long way round</title>' a.svg
	anim-dump b.axs | sed 's/start=0 end=1 /start=10 end=11 /; s/^\t0 /\t10 /; s/^\t0\./\t10./; s/^\t1 /\t11 /' | anim-undump -o late.axs
	anim-plot --against late.axs a.axs | grep -q 'between those at 0.4 and 0.6 s its quaternion' # on the source's axis
	grep -q '>off by [0-9.]* deg at 0.5 s</text><text [^>]*>its keys are right' a.svg
	run -0 anim-plot --against a.axs b.axs
	[[ $output == *"; off by "*" at 0.5 s"* ]]
}

# value NODE KEYS: a track of numbers.
value() {
	track "$1" value float Curve Linear "time value" <<<"$2"
}

@test "each component and each tick has its own digits" {
	{ clip c | sed 's/end=1/end=1000000/'; track A position float3 Curve Linear "time value" <<<$'0 0,0.5,5000\n1000000 60000,0.6,5003'
	track B position float3 Curve Linear "time value" <<<$'0 5000,2e-3,100000.2\n1000000 5003,4e-3,100000.8'; } | stream | anim-undump -o a.axs
	run -0 anim-plot -w 80 a.axs
	[[ $output == *"A position: x 0 .. 60000, y 0.5 .. 0.6, z 5000 .. 5003 m"* && $output == *"B position: x 5000 .. 5003, y 0.002 .. 0.004, "* ]] || { echo "$output" && false; }
	[ "${lines[-1]}" = "       s  0             200000        400000        600000        800000 1000000" ] || { echo "${lines[-1]}" && false; }
	anim-plot -o a.svg a.axs
	run ! grep -oE '>[0-9.]*(99999|00000)[0-9.]*[1-9][^<]*<' a.svg
	{ clip c; track B value float Curve Linear "time value" <<<$'0 20000.2\n1 20001.8'; } | stream | anim-undump -o b.axs
	anim-plot -o b.svg b.axs
	[ "$(grep -o '>2000[^<]*</text>' b.svg | tr -d '\n')" = ">20000.5</text>>20001</text>>20001.5</text>" ] || { grep -o '>2000[^<]*</text>' b.svg && false; }
}

@test "what is off by no number has a mark of its own, and no scale goes up to it" {
	{ clip c; value A $'0 0\n1 1'; value B $'0 0\n0.5 1\n1 0'; } | stream | anim-undump -o a.axs
	{ clip c; value A $'0 0\n1 1.5'; value B $'0 0\n0.5 inf\n1 0'; } | stream | anim-undump -o b.axs
	run -0 anim-plot --heat -w 60 --against b.axs a.axs
	[[ ${lines[1]} == "A value "*[.:=#]*"| 0.5" && ${lines[2]} == "B value "*X*"| inf" && ${lines[-1]} == *". 0.005  : 0.0158  = 0.05  # 0.158  to 0.5  X no number" ]] || { echo "$output" && false; }
	anim-plot --heat --against b.axs -o a.svg a.axs
	grep -q '>above 0.5, or no number<' a.svg
	! grep -q '>inf<.*>inf<' a.svg || { grep -o '>inf<' a.svg && false; }
	run -0 anim-plot --heat -w 60 -n B --against b.axs a.axs
	[[ ${lines[-1]} =~ ^\ +(X no number|. .*  X no number)$ ]] || { echo "$output" && false; }
	{ clip c; value B $'0 inf\n1 inf'; } | stream | anim-undump -o b.axs
	anim-plot --heat --against b.axs -o a.svg a.axs
	[ "$(grep -o '<path class="s [^>]*h14"/>\|>[^<]*no number<' a.svg | tr -d '\n')" = '<path class="s x" d="M170 40h14"/>>no number<' ] || { grep '<path class="s' a.svg && false; }
}

@test "every view names what only one of two files has, and how each is played" {
	# lone: 3 values, events; one value of another name, one event more, longer, looping
	numbers() { value A $'0 0\n1 1'; value "$1" $'0 0\n1 1'; track . @method string Discrete Hold "time value" <<<"$2"; }
	{ clip c; numbers B $'0.5 "{\\"method\\":\\"step\\",\\"args\\":[]}"'; } | stream | anim-undump -o a.axs
	{ clip c | sed 's/end=1 loop=none/end=2 loop=wrap/'; numbers 'x<b>' $'0.5 "{\\"method\\":\\"hop\\",\\"args\\":[]}"'; } | stream | anim-undump -o b.axs
	alone='the source is played once, the result loops; the result lasts 2 s; 1 track is only in the source; 1 track is only in the result'
	for view in "" --heat; do
		run -0 --separate-stderr anim-plot $view --against b.axs a.axs
		[[ -z $stderr && ${lines[0]} == "c: 1 s, 0 tracks are off; $alone; 1 track of texts differs" ]] || { echo "$view: $output$stderr" && false; }
		[[ $output == *$'\nonly in the source: B value\nonly in the result: x<b> value' ]] || { echo "$view: $output" && false; }
		anim-plot $view --against b.axs -o a.svg a.axs
		whole a.svg | grep -q "$alone; 1 track of texts differs</text>"
		grep -q '>only in the result: x&lt;b&gt; value</text>' a.svg
	done
	anim-plot --dope --against b.axs a.axs | grep -q "$alone; 1 event differs$" || { anim-plot --dope --against b.axs a.axs && false; }
	anim-plot --against b.axs -o a.html a.axs
	grep -qF '{"is":"apart","clip":0,"text":"; '"$alone"'; 1 track of texts differs","source":"B value","result":"x\u003cb> value"}' a.html || { grep '"apart"' a.html && false; }
	run -0 --separate-stderr anim-plot -n B --against b.axs a.axs
	[[ -z $stderr && ${lines[0]} == *"; 1 track is only in the source" ]] || { echo "$output$stderr" && false; }
	run -1 --separate-stderr anim-plot -n C --against b.axs -o none.svg a.axs
	[ "$stderr" = "anim-plot: no track matches; run anim-info to list the tracks" ]
	[ ! -e none.svg ]
	run -1 anim-diff --plot d.svg a.axs b.axs
	[ "${lines[0]}" = "c: 1 s against 2 s, played once against looping, 2 tracks compared, 1 differs, 1 only in a.axs, 1 only in b.axs" ] || { echo "$output" && false; }
	whole d.svg | grep -q "$alone; 1 track of texts differs</text>"
	# clips that only one of them has
	clip other | sed 1d >other
	{ clip c; cat other; } | stream | anim-undump -o c.axs
	sed 's/other/another/' other | cat <(clip c) - | stream | anim-undump -o d.axs
	for view in "" --heat --dope; do
		run -0 anim-plot $view --against d.axs c.axs
		[[ $output == *"other: 1 s, only in the source"*"another: 1 s, only in the result" ]] || { echo "$view: $output" && false; }
	done
	for file in c d; do figure | sed '/^end$/d' | cat - <(anim-dump $file.axs | grep '^clip .*other') <(echo end) | anim-undump -o f$file.axs; done
	run -0 --separate-stderr anim-plot --strip 2 --against fd.axs fc.axs
	[[ -z $stderr && $output == *"; 0 joints are off"*"other: 1 s, only in the source"*"another: 1 s, only in the result" ]] || { echo "$output$stderr" && false; }
	figure | sed '/floatQ/,/0.70710678$/d; s/loop=none/loop=ping-pong/' | anim-undump -o g.axs
	for view in "--strip 2" --onion; do
		anim-plot $view --against g.axs -o a.svg fc.axs
		whole a.svg | grep -q '; the source is played once, the result plays back and forth; 1 track is only in the source</text>'
		anim-plot $view --against fd.axs -o a.svg fc.axs
		grep -q ': 1 s, only in the source</text>' a.svg
	done
}

@test "what holds for all tracks is printed once, with the largest errors and whether they are within their limits" {
	wave=$'0 0\n0.1 1\n0.3 -1\n0.4 0.5\n0.7 -0.5\n0.8 1\n1 0'
	twice=$(awk '{ print $1, 2 * $2 }' <<<"$wave")
	later() { awk '{ print $1 + 0.05, $2 }' <<<"$1"; }
	{ clip c 20/1; value A "$wave"; value B "$twice"; } | stream | anim-undump -o a.axs
	{ clip c 20/1; value A "$(later "$wave")"; value B "$(later "$twice")"; } | stream | anim-undump -o b.axs
	anim-plot --against b.axs a.axs >out
	[ "$(head -1 out)" = "c: 1 s, 2 tracks are off, by up to 1.5; all 2: 0.05 s late (1 frame)" ]
	[ "$(grep -c 'late' out)" -eq 1 ]
	[ "$(grep -c "^  37.5 % of the source's range$" out)" -eq 2 ]
	[ "$(grep -cE '^ *off (1.5|0.75) \|' out)" -eq 2 ]
	run -0 anim-plot --all --against a.axs a.axs
	[[ ${lines[0]} == "c: 1 s, 0 tracks are off" && $output == *"A value: "*"B value: "* ]] || { echo "$output" && false; }
	anim-plot --against b.axs --max 1m,1deg,100%,1px a.axs | grep -q '^c: .* by up to 1.5; 1 exceeds its limit; all 2: '
	anim-plot --against b.axs --max 2m,2deg,200%,2px a.axs | grep -q '^c: .* by up to 1.5; all are within their limits; all 2: '
	{ clip c 20/1; value A "$(later "$wave")"; value B "$(sed 's/^0.4 1/0.4 0/' <<<"$twice")"; } | stream | anim-undump -o b.axs
	run -0 anim-plot --against b.axs a.axs
	[[ ${lines[0]} == *" by up to 1" && $output == *"; 0.05 s late (1 frame)"* ]]
}

@test "tiny errors beside the worst are summed up in one line, and drawn on request" {
	wave=$'0 0\n0.1 1\n0.3 -1\n0.4 0.5\n0.7 -0.5\n0.8 1\n1 0'
	off() { sed "s/^0.4 0.5/0.4 $1/" <<<"$wave"; }
	{ clip c; for node in A B C; do value $node "$wave"; done; } | stream | anim-undump -o a.axs
	{ clip c; value A "$(off 0.501)"; value B "$(off 0)"; value C "$(off 0.502)"; } | stream | anim-undump -o b.axs
	drawn() { anim-plot --against b.axs "$@" a.axs | grep -c '; off by '; }
	run -0 anim-plot --against b.axs a.axs
	[ "${lines[0]}" = "c: 1 s, 3 tracks are off, by up to 0.5; this one is farthest off, -a shows the others" ]
	[ "${lines[-1]}" = "2 more are off by at most 0.002" ]
	[ "$(drawn)" -eq 1 ]
	[ "$(drawn --all)" -eq 3 ]
	[ "$(drawn -n A -n B)" -eq 2 ]
	[ "$(drawn -t 0..0.9)" -eq 3 ]
	[ "$(drawn --max 0.0015m,0.0015deg,0.15%,0.0015px)" -eq 2 ]
	anim-plot --against b.axs -o a.svg a.axs
	grep -q '>2 more are off by at most 0.002</text>' a.svg
	if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
	{ clip c; value A $'0 -0.000001\n1 10'; } | stream | anim-undump -o c.axs
	[[ $(anim-plot c.axs) == *"A value: 0 .. 10, "* ]]
}

@test "a heat map shows which joint is off, and when, with the numbers of anim-diff" {
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	anim-resample 5 a.axs -o b.axs
	run -0 --separate-stderr anim-plot --heat --against b.axs --max 5mm,1% a.axs
	[ "$stderr" = "" ]
	[ "$output" = "\
lift: 2 s, 3 joints and 1 track are off; these 3 are farthest off, -a shows the others; worst: hook 8.585 mm at 1.9 s (of points 10 cm around the joint), Lamp light_energy 0.09146 at 0.7036 s; beyond the limit: 2
 arm                   |====:===:..:.====.    .....::::::::::::::::| 1.573 mm
  hook                 |#XXX#####====XXXX=.:::====#########XXX#XXXX| 8.585 mm
Lamp light_energy      |        #XXXXXXXXXXXXXXXXXXXXXXXXX#        | 0.09146
                       ++---------+----------+----------+---------+
                     s  0         0.5        1          1.5       2
                        . 0.05 mm  : 0.158 mm  = 0.5 mm  # 1.58 mm  X above 5 mm
                        . 0.0001  : 0.000316  = 0.001  # 0.00316  X above 0.01" ]
	run -1 anim-diff --world a.axs b.axs
	[[ $output == *$'\n  Skeleton3D:hook  world         0.008585 m  '*"  1.9 s"* ]]
	run -0 anim-plot --heat --all --against b.axs -w 120 --charset block a.axs
	[[ ${lines[1]} == "base  "* && ${lines[3]} == "  hook  "*"█"* && ${#lines[@]} -eq 10 ]]
	anim-parse "$ROOT/examples/box.tscn" | anim-emit -q -c scale_down animj >box.animj
	anim-resample 3 <(anim-parse box.animj) -o box.axs
	run -0 anim-plot --heat --against box.axs box.animj
	[[ ${lines[0]} == "scale_down: 1.5 s, 1 track is off; worst: Box scale "* ]]
	run -0 anim-plot --heat --against a.axs a.axs
	[ "$output" = "lift: 2 s, 0 tracks are off" ]
	run -2 anim-plot --heat a.axs
	# joints compared by anim-diff are drawn so, too
	run -1 anim-diff --world --plot world.svg a.axs b.axs
	anim-plot --heat --against b.axs -o a.svg a.axs
	same a.svg world.svg
	whole a.svg | grep -q '>lift: 2 s, 3 joints and 1 track are off; these 3 are .*; worst: hook 8.585 mm at 1.9 s (of points .*, Lamp light_energy 0.09146 at 0.7036 s</text>'
}

@test "rows of errors and of keys are as wide as is asked for, narrow ones without their numbers" {
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	anim-resample 5 a.axs -o b.axs
	for width in 20 21 26 27 33 34 80; do
		for view in "--heat --against b.axs" --dope "--dope --against a.axs"; do
			anim-plot $view -w $width --charset ascii a.axs | grep '[|]' >rows
			awk -v width=$width 'length > width || length < width - 19 { exit 1 }' rows || { echo "$width $view" && cat rows && false; }
		done
	done
	# a legend that has no room below the picture begins farther left
	for file in a b; do anim-dump $file.axs | sed 's/-1.75/-1.7512345/' | anim-undump -o $file.long.axs; done
	anim-plot --heat --max 1.2345m -w 80 --charset ascii --against b.long.axs a.long.axs | awk '/above/ && length <= 80 { n++ } END { exit n != 1 }'
}

@test "an SVG of a heat map is well formed, whatever the names are, and the same in every locale" {
	{ clip c; ramp 'A<&>"é漢\x7f' 2; ramp B; } | sed 's/node="A<&>"/node="A<\&>\\"/' | stream | anim-undump -o a.axs
	{ clip c; ramp 'A<&>"é漢\x7f' 2.5; ramp B; } | sed 's/node="A<&>"/node="A<\&>\\"/' | stream | anim-undump -o b.axs
	for max in 1m,1deg,100% 0.1m,0.1deg,10%; do
		anim-plot --heat --against b.axs --max $max -o a.svg a.axs
		LC_ALL=tr_TR.UTF-8 anim-plot --heat --against b.axs --max $max -o b.svg a.axs
		same a.svg b.svg
		if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
	done
	grep -q 'worst: A&lt;&amp;&gt;&quot;é漢. position 500 mm at 1 s; beyond the limit: 1</text>' a.svg
	[ "$(grep -o '<path class="s x"' a.svg | wc -l)" -eq 2 ]
}

# walking: a clip, keys that are equal and keys that are not, and a ramp.
walking() {
	clip walk
	printf 'track node="A/Hips" property="energy" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=5\n'
	printf '\tcolumns time value\n\t0 1\n\t0.25 1\n\t0.5 2\n\t0.75 2\n\t1 2\n'
	printf 'track node="A/Hips" property="on" component=- kind=Discrete type=bool rules=plain flags=- before=hold after=hold interp=Hold keys=2\n'
	printf '\tcolumns time value\n\t0 1\n\t0.25 1\n'
	ramp A/Spine
}

@test "a dope sheet has keys, bars between equal ones, samples, and events as flags" {
	{
		walking
		printf 'track node="." property="@method" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=3\n'
		printf '\tcolumns time value\n\t0.1 "{\\"method\\":\\"step\\",\\"args\\":[]}"\n\t0.5 "{\\"stream\\":\\"Resource(\\\\\\"res://a/bark.wav\\\\\\")\\"}"\n\t0.9 null\n'
	} | stream >a
	anim-undump -o a.axs a
	run -0 --separate-stderr anim-plot --dope -w 60 a.axs
	[ "$stderr" = "" ]
	[ "$output" = "\
walk: 1 s, 4 tracks, 12 keys
A/Hips energy    |*======*      *======*=====*| 5 keys
A/Hips on        |*======*                    | 2 keys
A/Spine position |*                          *| 2 keys
. @method        |  >step       >bark.wav  >  | 3 keys
                 ++-------------+------------+
               s  0             0.5          1" ]
	run -0 anim-plot --dope -w 60 --depth 1 a.axs
	[ "${lines[1]}" = "A                |*      *      *      *     *| 9 keys" ]
	run -0 anim-plot --dope -w 60 --depth 2 -n '*Hips' --charset block a.axs
	[ "${lines[1]}" = "A/Hips           │◆━━━━━━◆      ◆      ◆     ◆│ 7 keys" ]
	anim-resample 10 --all a.axs | anim-filter -n '*Spine' -o b.axs
	run -0 anim-plot --dope -w 60 --depth 0 b.axs
	[ "${lines[1]}" = "all              |----------------------------| 11 samples" ]
	run -2 anim-plot --dope --heat a.axs
	run -2 anim-plot --dope --against a.axs --max 1mm a.axs
	run -2 anim-plot --depth 1 a.axs
	{ clip c; for i in {1..50}; do ramp "N$i" "$i"; done; } | stream | anim-undump -o many.axs
	run -0 anim-plot --dope many.axs
	[ "${lines[0]}" = "c: 1 s, 50 tracks, 100 keys; these are the first 40 rows, -a shows the others" ]
	[ "${#lines[@]}" -eq 43 ]
	run -0 anim-plot --dope --all many.axs
	[ "${#lines[@]}" -eq 53 ]
	for file in "$DATA"/axs/good/*.axs; do
		anim-plot -q --dope "$file" >/dev/null && anim-plot -q --dope -o c.svg --force "$file" || { echo "$file" && false; }
		if command -v xmllint >/dev/null; then xmllint --noout c.svg; fi
	done
	anim-plot --dope -o a.svg a.axs
	grep -q '<title>0.25 s</title></path>' a.svg
	[ "$(grep -o '<text y="[0-9]*"' a.svg | tr -d '\n')" = '<text y="12"<text y="28"<text y="44"<text y="60"' ]
	grep -q '<title>0.5 s: bark.wav</title>' a.svg
	# what a flag says ends before the next one, and that of the last before the count
	grep -q '<text x="[0-9]*" y="[0-9]*">step</text>' a.svg
	sed 's/null$/"{\\"method\\":\\"a_name_that_has_no_room_before_the_end\\"}"/; s/^\t0.9 "/\t1 "/' a | anim-undump -o end.axs
	anim-plot --dope -o b.svg end.axs
	grep -q '<text text-anchor="end" x="866" y="[0-9]*">a_name_that_has_no_room_before_the_end</text>' b.svg || { grep -o '<text[^>]*>a_name[^<]*' b.svg && false; }
}

@test "a dope sheet of two files shows which keys and events only one of them has" {
	{
		walking
		printf 'track node="." property="@method" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=4\n'
		printf '\tcolumns time value\n\t0.1 "{\\"method\\":\\"step\\",\\"args\\":[]}"\n\t0.4 "{\\"method\\":\\"hop\\",\\"args\\":[1]}"\n\t0.6 "{\\"stream\\":\\"res://bark.wav\\"}"\n\t0.9 null\n'
	} | stream >a
	anim-undump -o a.axs a
	# a key gone, one that came at another time, a track of another name; an event later, one with another argument, one of another sound
	sed 's/=5$/=4/; /\t0.75 2/d; s/^\t0.5 2/\t0.6 2/; s/"on"/"off"/; s/0.1 "{/0.2 "{/; s/\[1\]/[2]/; s/bark/meow/' a | anim-undump -o b.axs
	run -0 --separate-stderr anim-plot --dope -w 98 --against b.axs a.axs
	[ "$stderr" = "" ]
	[ "$output" = "\
walk: 1 s, 5 tracks, 13 -> 12 keys; 1 track is only in the source; 1 track is only in the result; 4 events differ
A/Hips energy               |*==========*           o    +======o==========*| 5 -> 4 keys
A/Hips on                   |o          o                                   | 2 -> 0 keys
A/Spine position            |*                                             *| 2 keys
. @method                   |    -step+step    !hop      !bark.w..w.wav>    | 4 keys
A/Hips off                  |+==========+                                   | 0 -> 2 keys
                            ++----------------------+----------------------+
                          s  0                      0.5                    1
                             * in both  o source only  + result only  - + ! events differ" ] || { echo "$output" && false; }
	run -0 anim-plot --dope -w 98 --against b.axs --depth 1 a.axs
	[[ ${lines[1]} == "A                           |*          *           o    +      o          *| 9 -> 8 keys" ]] || { echo "$output" && false; }
	# times that float32 cannot tell apart are one, and clips count from their own starts
	sed 's/start=0 end=1/start=2 end=3/; s/^\t0\.\([0-9]*\) /\t2.\1 /; s/^\t1 /\t3 /; s/^\t0 /\t2 /; s/^\t2\.25 /\t2.2500002 /' a | anim-undump -o c.axs
	run -0 anim-plot --dope --against c.axs a.axs
	[[ ${lines[0]} == "walk: 1 s, 4 tracks, 13 keys" && ${lines[1]} == *"|*=======*        *=======*=======*| 5 keys" ]] || { echo "$output" && false; }
	anim-resample 10 --all a.axs | anim-filter -n '*Spine' -o s.axs
	run -0 anim-plot --dope -w 78 --against a.axs -n '*Spine' s.axs
	[[ ${lines[0]} == "walk: 1 s, 1 track, 2 keys" && ${lines[1]} == *"|*                               *| 11 samples -> 2 keys" ]] || { echo "$output" && false; }
	run -0 anim-plot --dope -w 78 --against s.axs -n '*Spine' a.axs
	[[ ${lines[1]} == *"|o-------------------------------o| 2 keys -> 11 samples" ]] || { echo "$output" && false; }
	# no row, nor what its marks stand for, is longer than the line
	for width in 20 24 30 34 40 50 60 80; do
		run -0 anim-plot --dope -w $width --against s.axs a.axs
		for line in "${lines[@]:1}"; do [ "${#line}" -le $width ] || { echo "$width: $line" && false; }; done
	done
	[[ $output == *"2 keys -> 11 samples"* ]]
	anim-plot --dope --against b.axs -o a.svg a.axs
	LC_ALL=tr_TR.UTF-8 anim-plot --dope --against b.axs -o b.svg a.axs
	same a.svg b.svg
	if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
	[ "$(grep -o 'class="w" d="M[^"]*"><title>[^<]*' a.svg | sed 's/.*>//' | tr '\n' ,)" = "0 s,0.25 s,0.5 s,0.75 s,1 s,0 s,0.25 s,0 s,1 s," ]
	[ "$(grep -o 'class="i" d="M[^"]*"><title>[^<]*' a.svg | sed 's/.*>//' | tr '\n' ,)" = "0.6 s,0 s,0.25 s," ]
	grep -q '<g class="g w"><title>0.1 s: only in the source: step</title>' a.svg
	grep -q '<g class="g i"><title>0.2 s: only in the result: step</title>' a.svg
	grep -q '<title>0.4 s: different on both sides: hop</title>' a.svg
	for file in "$DATA"/axs/good/*.axs; do
		anim-plot -q --dope --against "$file" "$file" >c.txt || { echo "$file" && false; }
		! grep -q 'differ' c.txt || { cat c.txt && false; }
	done
}

@test "a figure is drawn in poses side by side, or over each other from the side" {
	run -0 --separate-stderr anim-plot --strip 3 -w 60 --view front "$ROOT/examples/crane.tscn"
	[ "$stderr" = "" ]
	[ "$output" = "\
lift: 2 s, 3 poses, one each 1 s; 2 m high, travels 0 m
          :'''.....           :                ..:
          :        '          :'.           .:'  :
          :                   :  :      ..''     :
          :                   :                  :
          :                   :                  :
          :                   :                  :
' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ''' ' ' ' '
        0 s                 1 s                 2 s" ] || { echo "$output" && false; }
	run -0 anim-plot --onion --strip 2 -w 60 --charset block "$ROOT/examples/crane.tscn"
	[[ ${lines[0]} == "lift: 2 s, 2 poses, one each 2 s; 2 m high, "* && $output == *"▄ ▄ ▄█▄ ▄"* ]]
	anim-plot --strip 8 "$ROOT/examples/crane.tscn" >eight
	anim-plot --strip "$ROOT/examples/crane.tscn" | cmp - eight
	anim-plot "$ROOT/examples/crane.tscn" --strip | cmp - eight
	run -2 anim-plot --strip 0 x.tscn
	run -2 anim-plot --strip 101 x.tscn
	run -2 anim-plot --view side x.tscn
	run -2 anim-plot --strip 2 --dope x.tscn
}

# A figure that turns its left hand up in a second while it goes 2 m along z.
figure() {
	printf 'anim-dump 1\ntree root="R" source="x" axes=%s axes2d=unknown\n' "${1:-gltf}"
	printf 'node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n'
	printf 'node path="S:%s" type="" kind=bone has=position,rotation,scale parent=%d position=%s rotation=0,0,0,1 scale=1,1,1\n' \
		Hips 0 0,1,0 LeftHand 1 1,0,0 thumb 2 0.5,0,0 RightHand 1 -1,0,0 Head 1 0,1,0
	clip go | sed "1d;s/axes=unknown/axes=${1:-gltf}/;s/flags=-/flags=in_tree/"
	printf 'track node="S:Hips" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n'
	printf '\tcolumns time value\n\t0 0,1,0\n\t1 0,1,2\n'
	printf 'track node="S:LeftHand" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=2\n'
	printf '\tcolumns time value\n\t0 0,0,0,1\n\t1 0,0,0.70710678,0.70710678\n'
	echo end
}

@test "an SVG has left limbs in one colour and right ones in another, where the clip puts them" {
	figure | anim-undump -o a.axs
	anim-plot --strip 2 --view front -o a.svg a.axs
	grep -q '>go: 1 s, 2 poses, one each 1 s; 1 m high, travels 2 m (2 m/s)</text>' a.svg || { cat a.svg && false; }
	# the hand is at the page's right; the thumb, which hangs on it, goes up by half of what the arm is long
	grep -o 'class="l" d="[^"]*"' a.svg | tr -d '"' | awk -F'[ML ]+' '{ printf "%.2f %.2f\n", ($7 - $5) / ($5 - $3), ($6 - $8) / ($5 - $3) }' >hands
	[ "$(cat hands)" = $'0.50 0.00\n0.00 0.50' ] || { cat hands && grep -o 'class="l" d="[^"]*"' a.svg && false; }
	figure unity | anim-undump -o u.axs
	anim-plot --strip 2 --view front -o u.svg u.axs # there +x is the right, so this figure faces backward and is turned around
	grep -o 'class="r" d="[^"]*"' u.svg | tr -d '"' | awk -F'[ML ]+' '{ print ($5 > $3) }' >hands
	[ "$(cat hands)" = $'0\n0' ] || { cat hands && false; }
	for view in front side three-quarter; do
		anim-plot --onion --view $view -o a.svg a.axs
		LC_ALL=tr_TR.UTF-8 anim-plot --onion --view $view -o b.svg a.axs
		same a.svg b.svg
		if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
		[ "$(grep -c 'class="l"' a.svg)" -eq 8 ]
	done
}

# limbs FILE CLASS: the lines of an SVG's figures.
limbs() {
	grep -o "class=\"$2\" d=\"[^\"]*\"" "$1"
}

@test "a result is drawn thin on its pale source, and the joint that is farthest off is anim-diff's" {
	figure | anim-undump -o a.axs
	figure | sed 's/1 0,0,0.70710678,0.70710678/1 0,0,0.38268343,0.92387953/; s/position=0.5,0,0/position=0.4,0,0/' | anim-undump -o b.axs
	anim-plot --strip 2 --view front -o a.svg a.axs
	anim-plot --strip 2 --view front --against a.axs -o aa.svg a.axs
	grep -q '>go: 1 s, 2 poses, one each 1 s; 1 m high, travels 2 m (2 m/s); 0 joints are off</text>' aa.svg
	for class in l r m p d; do same <(limbs aa.svg $class) <(limbs a.svg $class); done
	anim-plot --strip 2 --view front --against b.axs --max 9cm -o ab.svg a.axs
	same <(limbs aa.svg b) <(limbs ab.svg b)
	grep -q 'opacity=".40"><title>1 s</title><path class="b"' ab.svg
	# half way up; the thumb hangs on a shorter hand
	limbs ab.svg l | tail -1 | tr -d '"' | awk -F'[ML ]+' '{ printf "%.2f %.2f\n", ($7 - $5) / ($5 - $3), ($6 - $8) / ($5 - $3) }' >hand
	[ "$(cat hand)" = "0.28 0.28" ] || { cat hand && false; }
	# 0.5 m straight up against 0.4 m half way up, and 10 cm around it that are turned by an eighth of a turn
	run -0 awk 'BEGIN { a = atan2(1, 1); printf "%.1f mm", 1000 * (sqrt((0.4 * cos(a)) ^ 2 + (0.5 - 0.4 * sin(a)) ^ 2) + 0.2 * sin(a / 2)) }'
	grep -q "; 2 joints are off; worst: thumb $output at 1 s (of points 10 cm around the joint); beyond the limit: 1</text>" <(whole ab.svg) || { echo "$output" && grep '<text' ab.svg && false; }
	run -1 anim-diff --world a.axs b.axs
	[[ $output == *"S:thumb  "* ]]
	if command -v xmllint >/dev/null; then xmllint --noout ab.svg; fi
	anim-axes unity b.axs | anim-plot --onion --against - -o c.svg a.axs
	anim-plot --onion --against b.axs -o d.svg a.axs
	same <(limbs c.svg l) <(limbs d.svg l)
	anim-parse "$ROOT/examples/crane.tscn" | anim-resample 5 -o s.axs
	run -0 --separate-stderr anim-plot --strip 2 --view front -w 40 --against s.axs "$ROOT/examples/crane.tscn"
	[ "$stderr" = "" ]
	[[ ${lines[0]} == "lift: 2 s, 2 poses, one each 2 s; 2 m high, travels 0 m; 3 joints are off; worst: hook 8.585 mm at 1.9 s (of points 10 cm around the joint)" ]]
	anim-plot --strip 2 --view front -w 40 "$ROOT/examples/crane.tscn" | tail -n +2 | same - <(tail -n +2 <<<"$output")
	# without a tree of its own a result moves the source's bones
	anim-axes resonite s.axs | anim-emit -q -o b.animj
	run -0 anim-plot --strip 2 -t 0.5..1 --against b.animj "$ROOT/examples/crane.tscn"
	[[ ${lines[0]} == *"2 poses, one each 0.5 s; "*"; worst: hook 8.58"*" mm at 1.9 s (of points 10 cm around the joint)" ]] || { echo "${lines[0]}" && false; }
	anim-emit -q -o c.animj b.axs
	run -1 --separate-stderr anim-plot --strip 2 --against c.animj c.animj
	[[ $stderr == *"neither 'c.animj' nor 'c.animj' has a node tree"* ]]
}

@test "a result on another skeleton is drawn beside its source, each on its own ground" {
	anim-parse -q --unit cm "$DATA/rename/classic_names.bvh" -o a.axs
	anim-retarget -q --to "$ROOT/examples/walker.tscn" -o b.axs a.axs
	run -0 anim-plot --strip 3 --view front --against b.axs a.axs
	[[ ${lines[0]} == *" 3 poses, "*"; the skeletons differ: source at the left, result at the right" ]]
	anim-plot --strip 3 --view front --against b.axs -o ab.svg a.axs
	[ "$(grep -c '<title>' ab.svg)" -eq 6 ]
	run -1 grep 'opacity' <(grep '<title>' ab.svg)
	# in an SVG the limbs of both are in the colours of the sides
	[ "$(limbs ab.svg l | wc -l)" -eq 6 ]
	# on the same skeleton in another unit they are over each other
	anim-plot --strip 3 --against a.axs a.axs | head -1 | grep -q '0 joints are off'
	# nodes with other names, like those of a VRM without skin; then also with a root that moves, which both have
	for root in "" ramp; do
		{ figure | sed '/^end/d'; ${root:+ramp .}; echo end; } | anim-undump -o c.axs
		{ figure | sed '/^end/d; s/"S:\([A-Za-z]*\)"/"\1_b"/; s/kind=bone/kind=node/'; ${root:+ramp .}; echo end; } | anim-undump -o d.axs
		for pair in "c.axs d.axs" "d.axs c.axs"; do
			run -0 --separate-stderr anim-plot --strip 3 --view front --against $pair
			[[ -z $stderr && ${lines[0]} == *"; the skeletons differ: source at the left, result at the right" ]] || { echo "$root: ${lines[0]}$stderr" && false; }
			run -0 anim-plot --onion --against $pair
			[[ ${lines[0]} == *"; the skeletons differ" ]] || { echo "$root: ${lines[0]}" && false; }
		done
	done
	# the same names, but another body
	figure | sed 's/kind=bone/kind=node/; s/"S:/"/' >nodes
	anim-undump -o e.axs nodes
	sed 's/position=0.5,0,0/position=0.9,0,0/; s/position=-1,0,0/position=-0.5,0,0/' nodes | anim-undump -o f.axs
	anim-plot --strip 3 --against f.axs e.axs | head -1 | grep -q 'the skeletons differ'
	anim-plot --strip 3 --against e.axs e.axs | head -1 | grep -q '0 joints are off'
	# a clip that moves one bone of five
	figure | sed '/track node="S:Hips"/,/1 0,1,2/d' | anim-undump -o g.axs
	anim-plot --strip 3 --against g.axs g.axs | head -1 | grep -q '0 joints are off'
}

@test "muscles are not drawn as a still figure, and have no errors" {
	anim-parse -q -o m.axs "$DATA/unity/clip_humanoid.anim"
	figure | anim-undump -o a.axs
	for pair in "a.axs m.axs result source" "m.axs a.axs source result"; do
		read -r result source drawn other <<<"$pair"
		for view in "--strip 2" --onion; do
			run -0 --separate-stderr anim-plot $view --view front --against $result $source
			[[ -z $stderr && ${lines[0]} == *"; only the $drawn is drawn: muscles of the $other cannot be drawn without their avatar" ]] || { echo "${lines[0]}$stderr" && false; }
			anim-plot $view --view front a.axs | tail -n +2 | same - <(tail -n +2 <<<"$output")
		done
	done
}

@test "seen from above, the ground is below what is nearest" {
	figure | sed 's/1 0,0,0.70710678,0.70710678/1 0.70710678,0,0,0.70710678/' | anim-undump -o a.axs
	anim-plot --strip 2 -o a.svg a.axs
	ground=$(sed -n 's/.*class="g" d="M0 \([0-9]*\)h.*/\1/p' a.svg)
	lowest=$(grep -o 'class="[lrm]" d="[^"]*"' a.svg | grep -o '[ML][0-9]* [0-9]*' | cut -d' ' -f2 | sort -n | tail -1)
	[ "$ground" -eq "$lowest" ] || { echo "$ground $lowest" && false; }
	for width in {40..80}; do
		anim-plot --strip 2 -w $width --charset ascii a.axs | tail -2 | grep -q "['.] ['.:] ['.:] " || { echo "$width" && false; }
	done
}

@test "what is wider than an SVG goes on below" {
	long=$(printf 'word%.0s ' {1..80})
	{ clip "$long"; ramp A; for i in {1..9}; do ramp "still&$i$(printf '%.0s_' {1..30})" 0; done; } | stream | anim-undump -o a.axs
	anim-plot --dope -o a.svg a.axs
	anim-plot -o b.svg a.axs
	if command -v xmllint >/dev/null; then xmllint --noout a.svg b.svg; fi
	# name and line as they were, no line of more than the file's width, the rows below them
	grep '<text class="h"' a.svg | sed 's/<[^>]*>//g' | grep -qx "$long: 1 s, 10 tracks, 20 keys"
	for picture in a b; do
		grep '<text class="h"' $picture.svg | sed 's/<tspan[^>]*>/\n/g; s/<[^>]*>//g' | awk 'length > 130 { exit 1 } END { exit NR != 4 }' || { echo $picture && false; }
	done
	grep -q '<g transform="translate(12 81)">' a.svg
	sed -n '/constant: /,$p' b.svg | grep -q '</tspan><tspan x="12" dy="13">.* = 0 2 0 and 1 more</tspan></text>' || { grep constant b.svg && false; }
}

@test "a figure of the plane is drawn as it is on the screen, in pixels" {
	{
		printf 'anim-dump 1\ntree root="R" source="x" axes=godot axes2d=godot\n'
		printf 'node path="." type="Node2D" kind=node has=2d parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n'
		printf 'node path="%s" type="Bone2D" kind=bone has=position,2d parent=%d position=%s rotation=0,0,0,1 scale=1,1,1\n' \
			Hips 0 0,-100,0 Hips/LeftHand 1 100,0,0 Hips/LeftHand/thumb 2 50,0,0 Hips/RightFoot 1 0,80,0
		clip go | sed '1d;s/axes=unknown axes2d=unknown/axes=godot axes2d=godot/;s/flags=-/flags=in_tree/'
		printf 'track node="Hips" property="position" component=- kind=Curve type=float2 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n'
		printf '\tcolumns time value\n\t0 0,-100\n\t1 200,-100\n'
		printf 'track node="Hips/LeftHand" property="angle" component=- kind=Curve type=float rules=plain flags=degrees before=hold after=hold interp=Linear keys=2\n'
		printf '\tcolumns time value\n\t0 0\n\t1 -90\nend\n'
	} >a
	anim-undump -o a.axs a
	anim-plot --strip 2 -o a.svg a.axs
	# the foot, 80 below the hips, is the lowest; the thumb goes up by 50
	grep -q '>go: 1 s, 2 poses, one each 1 s; 130 px high, travels 200 px (200 px/s)</text>' a.svg || { cat a.svg && false; }
	limbs a.svg l | tr -d '"' | awk -F'[ML ]+' '{ printf "%.2f %.2f\n", ($7 - $5) / ($5 - $3), ($6 - $8) / ($5 - $3) }' >hands
	[ "$(cat hands)" = $'0.50 0.00\n0.00 0.50' ] || { cat hands && false; }
	for view in side three-quarter; do anim-plot --strip 2 --view $view a.axs | same - <(anim-plot --strip 2 --view front a.axs); done
	sed 's/1 -90/1 -45/' a | anim-undump -o b.axs
	run -0 anim-plot --onion --against b.axs a.axs
	# an eighth of a turn at 50 px, and in a circle of 10 px around it
	[[ ${lines[0]} == *"; 2 joints are off; worst: thumb $(awk 'BEGIN { printf "%.2f", 2 * sin(atan2(1, 1) / 2) * 60 }') px at 1 s (of points 10 px around the joint)" ]] || { echo "${lines[0]}" && false; }
}

@test "a message says what a figure lacks" {
	{ clip c; ramp A; } | stream | anim-undump -o a.axs
	run -1 --separate-stderr anim-plot --strip 2 a.axs
	[ "$stderr" = "anim-plot: clip 'c' has no figure: the input has no node tree. Use the scene or file from which it was made" ]
	figure | sed 's/S:LeftHand" property="rotation"/S:Hips" property="position"/;s/component=- kind=Curve type=float[3Q]/component=1 kind=Curve type=float/;s/ 0,.*/ 1/;s/^\(\t[01]\) .*/\1 1/' | anim-undump -o l.axs
	run -1 --separate-stderr anim-plot --strip 2 -o l.svg l.axs
	[[ $stderr == *"several tracks set the same position, rotation or scale; put 'anim-bake' before this" ]]
	[ ! -e l.svg ]
	for number in nan inf; do # at the end, of the hand alone
		figure | sed "s/1 0,0,0.70710678/1 $number,0,0.70710678/" | anim-undump -o n.axs
		run -1 --separate-stderr anim-plot --strip 2 -o n.svg n.axs
		[[ $stderr == *"no figure: the position of a joint is not finite" ]] || { echo "$number: $stderr" && false; }
		[ ! -e n.svg ]
	done
	figure | anim-undump | anim-cat - a.axs -o two.axs
	run -0 --separate-stderr anim-plot --onion two.axs
	[[ $stderr == *"warning: "*"clip 'c' has no figure: "* ]]
	for file in "$DATA"/axs/good/*.axs; do
		anim-plot -q --strip 3 "$file" >/dev/null 2>&1 || [ $? -eq 1 ] || { echo "$file" && false; }
	done
}

@test "a lone joint is drawn where it is, along its way" {
	{
		printf 'anim-dump 1\ntree root="R" source="x" axes=godot axes2d=godot\nnode path="." type="Node3D" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n'
		printf 'node path="Ball" type="Node3D" kind=node has=position parent=0 position=0,1,0 rotation=0,0,0,1 scale=1,1,1\n'
		clip c | sed 's/anim-dump 1//; s/axes=unknown/axes=godot/; s/flags=-/flags=in_tree/' | grep .
		ramp Ball 2
	} | stream | anim-undump -o a.axs
	run -0 anim-plot --strip 3 --view front -w 40 a.axs
	[ "${lines[0]}" = "c: 1 s, a single joint, 3 places, one each 0.5 s; travels 2 m (2 m/s)" ]
	anim-plot --strip 3 --view front -w 40 a.axs >strip
	anim-plot --onion --strip 3 --view front -w 40 a.axs | same - strip
	anim-plot --strip 3 -o a.svg a.axs
	if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
	grep -q '<g stroke-width="60" opacity=".99"><title>1 s</title><path class="m"' a.svg # a dot that is seen
	run -1 anim-plot --strip 3 "$ROOT/examples/assets/scenes/gate.tscn"
	[[ $output == *"no figure"*": its only joint does not move" ]]
}

@test "a name that promises another picture is refused" {
	for name in p.png out/p.pdf p.htm; do
		run -2 --separate-stderr anim-plot -o $name "$ROOT/examples/crane.tscn"
		[ "${stderr_lines[0]}" = "anim-plot: -o: '$name' must end in .svg (picture), .html (page) or .txt (text)" ]
	done
	anim-plot -o p.txt "$ROOT/examples/crane.tscn"
	anim-plot -o p "$ROOT/examples/crane.tscn"
	same p.txt p
}

@test "a stream without clips has no picture, with a message" {
	printf 'anim-dump 1\nend\n' | anim-undump -o none.axs
	for view in "" --dope "--heat --against none.axs" "--strip 2" "-o a.svg"; do
		run -0 --separate-stderr anim-plot $view none.axs
		[[ -z $output && $stderr == "anim-plot: note: the input has no clips to draw" ]] || { echo "$view: $output$stderr" && false; }
	done
}

@test "the times below a clip without length are those of its keys" {
	{ clip c; ramp A; } | stream | sed 's/end=1/end=0/' | anim-undump -o a.axs
	run -0 anim-plot -w 40 a.axs
	[[ $output == *"s  0"*"1" ]] || { echo "$output" && false; }
}

@test "a label that is cut keeps the side and the end of a name, and counts of two files end within an SVG" {
	above=root/_rootJoint/b_Root_00/b_Hip_01/b_Spine01_02/b_Spine02_03
	{ clip c; for side in Left Right; do ramp "$above/b_${side}UpperArm_09/b_${side}ForeArm_010"; done; } | stream >dump
	anim-undump -o a.axs dump
	anim-plot --dope -w 70 a.axs >rows
	[[ $(sed -n 2p rows) == "b_Le.._010 position |"* && $(sed -n 3p rows) == "b_Ri.._010 position |"* ]] || { cat rows && false; }
	sed 's/float3/floatQ/; s/position/rotation/; s/0,2,0$/0,0,0,1/; s/1,2,0$/0,1,0,0/' dump | anim-undump | anim-plot -o a.svg
	grep -q '>b_LeftFo…Arm_010 rotation vector (deg) <' a.svg && grep -q '>b_RightF…Arm_010 rotation vector (deg) <' a.svg || { grep -o '</title>b_[^<]*' a.svg && false; }
	anim-resample 20000 a.axs -o b.axs
	anim-plot --dope --against b.axs -o d.svg b.axs
	[ "$(grep -o '<text class="n" x="880"[^<]*' d.svg | sed 's/.*>//' | sort -u)" = "20001 -&gt; 20001 samples" ] || { grep -o '<text class="n"[^<]*' d.svg && false; }
}
