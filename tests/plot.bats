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
         ++----------------------+
       s  0                      1" ]
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
	[[ $output == *"Skeleton3D:arm rotation: x 0 .. 60, y 0, z 0 deg, 3 keys"* ]]
	run -0 anim-plot -n '*arm' --as quat "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:arm rotation: x 0 .. 0.5, y 0, z 0, w 0.866 .. 1, 3 keys"* ]]
	run -0 anim-plot -n '*base' --as euler "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:base rotation: x 0, y 0 .. 90, z 0 deg, 3 keys"* ]]
	run -0 anim-plot -n '*base' --as angle "$ROOT/examples/crane.tscn"
	[[ $output == *"Skeleton3D:base rotation: 0 .. 90 deg, 3 keys"* ]]
}

@test "twelve tracks that travel farthest are drawn, all with --all; those that do not move are told" {
	{ clip c; for i in {1..20}; do ramp "N$i" "$i"; done; for i in {1..11}; do ramp "Still$i" 0; done; } | stream | anim-undump -o a.axs
	run -0 anim-plot a.axs
	[ "${lines[0]}" = "c: 1 s, 20 tracks move; these 12 travel farthest, --all shows the others" ]
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

@test "a part of the time is drawn, and frames are counted" {
	{ clip c 30/1; ramp A; } | stream | anim-undump -o a.axs
	run -0 anim-plot -w 40 -t 0.25..0.75 --frames a.axs
	[[ ${lines[1]} == "A position: x 0.25 .. 0.75, "* ]]
	[[ ${lines[-1]} == "   frame "*" 10 "*" 20" ]]
	run -0 --separate-stderr anim-plot -t 5.. a.axs
	[[ $stderr == *"note: clip 'c' has nothing at that time" ]]
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

@test "texts, disabled tracks and samples of unknown times are told" {
	{ clip c; ramp A; ramp B | sed 's/flags=-/flags=disabled/'; } | stream | anim-undump -o a.axs
	run -0 anim-plot a.axs
	[ "${lines[-1]}" = "not played: B position (disabled)" ]
	run -0 anim-plot "$DATA/axs/good/raw_unknown_interval.axs"
	[[ $output == *"(interval unknown)"* ]]
}

@test "every crafted stream is drawn, with --all and in every form of rotations" {
	for file in "$DATA"/axs/good/*.axs; do
		for how in rotvec quat euler angle; do
			anim-plot -q --all --as $how "$file" >/dev/null || { echo "$file" && false; }
		done
	done
}

@test "of a hundred thousand tracks those that are drawn are kept" {
	! grep -q __asan_init "$ANIM_BUILD/bin/anim-plot" || skip "a sanitizer's own memory would be measured"
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o peak "$ROOT/tests/bench/peak.c"
	clip c >dump
	ramp X | head -1 >head
	awk 'NR == 1 { head = $0 } END { for (i = 0; i < 100000; i++) { line = head; sub(/"X"/, "\"N" i "\"", line); print line
		printf "\tcolumns time value\n\t0 0,2,0\n\t1 %d,2,0\n", (i * 7919) % 100003 + 1 } print "end" }' head >>dump
	anim-undump -o a.axs dump
	./peak 3>peak.txt anim-plot a.axs >out
	[ "$(cat peak.txt)" -le 8192 ] # KiB
	[ "$(head -1 out)" = "c: 1 s, 100000 tracks move; these 12 travel farthest, --all shows the others" ]
}
