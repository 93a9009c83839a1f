#!/usr/bin/env bats
# What all programs share: options, messages, exit statuses, files that come out whole or not at all.

load helper

PROGRAMS='anim-parse anim-axes anim-resample anim-bake anim-filter anim-rename anim-retime anim-cat anim-split anim-emit anim-pack
	anim-unpack anim-convert anim-info anim-diff anim-lint anim-dump anim-undump'

# scene NAME...: a scene with one player and these clips, each a linear track of Box:scale.
scene() {
	local name n=0
	printf '[gd_scene format=3]\n'
	for name; do
		printf '\n[sub_resource type="Animation" id="a%s"]\nlength = 1.0\n' "$n"
		cat <<-'TEXT'
			tracks/0/type = "value"
			tracks/0/path = NodePath("Box:scale")
			tracks/0/interp = 1
			tracks/0/keys = {
			"times": PackedFloat32Array(0, 1),
			"transitions": PackedFloat32Array(1, 1),
			"update": 0,
			"values": [Vector3(1, 1, 1), Vector3(0, 0, 0)]
			}
		TEXT
		n=$((n + 1))
	done
	printf '\n[sub_resource type="AnimationLibrary" id="library"]\n_data = {\n'
	n=0
	for name; do
		printf '&"%s": SubResource("a%s")%s\n' "$name" "$n" "$([ $((n + 1)) -lt $# ] && echo ,)"
		n=$((n + 1))
	done
	printf '}\n\n[node name="Root" type="Node3D"]\n'
	printf '\n[node name="Player" type="AnimationPlayer" parent="."]\nlibraries = {\n&"": SubResource("library")\n}\n'
	printf '\n[node name="Box" type="Node3D" parent="."]\n'
}

# on_terminal 'COMMAND': runs it with stdin, stdout and stderr on a terminal; its bytes come out without carriage returns.
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
	return "${PIPESTATUS[0]}"
}

@test "help goes to stdout with 0, begins with examples and shows usage and every option" {
	for program in $PROGRAMS; do
		local name=${program/#anim-convert/anim convert}
		run -0 --separate-stderr "$program" --help
		[ -z "$stderr" ]
		[[ ${output%%$'\n\n'*} == "  "*"$name"*$'\n  '*"$name"* ]]
		[[ $output == *"usage: $program "* ]]
		[[ $output == *"-h, --help"* ]]
		run -0 "$program" -h
	done
}

@test "the version is one line with the program's name" {
	for program in $PROGRAMS; do
		run -0 --separate-stderr "$program" -V
		[ "$output" = "$program 1.0.0" ]
		run -0 "$program" --version
		[ "$output" = "$program 1.0.0" ]
	done
}

@test "no line of a help is wider than a terminal" {
	for program in $PROGRAMS; do
		run -1 grep -nE '^.{81}' <("$program" --help all)
	done
}

@test "every long option of a program is in its manual page" {
	for program in $PROGRAMS; do
		page=$ROOT/man/$program.1
		[ -e "$page" ]
		"$program" --help all | grep -oE -- '--[a-z-]+' | sort -u | while read -r option; do
			grep -qF -- "Fl -${option#--}" "$page" || { echo "$page: $option is missing"; return 1; }
		done
		"$program" --help all | sed -n 's/^  -x \([a-z-]*\).*/\1/p' | while read -r option; do
			grep -qE -- "^.It Fl x Cm $option( |$)" "$page" || { echo "$page: -x $option is missing"; return 1; }
		done
	done
}

@test "a help shows 25 options at most, and help all every one" {
	for program in $PROGRAMS; do
		local few all
		few=$("$program" --help | grep -cE '^  (-.,|   ) --') all=$("$program" --help all | grep -cE '^  (-.,|   ) --|^  -x ')
		[ "$few" -le 25 ] || { echo "$program shows $few" && false; }
		[ "$all" -ge "$few" ]
	done
	[ "$(anim-convert --help all | grep -cE '^  (-.,|   ) --|^  -x ')" -gt 90 ]
	diff <(anim-parse -h all) <(anim-parse --help all)
}

@test "an option of one format is given with -x, and by its old name" {
	anim-parse -q "$ROOT/examples/walker.tscn" >w.axs
	anim-emit -q -x digits=3 tres w.axs >x.tres
	anim-emit -q --digits 3 tres w.axs | diff x.tres -
	anim-emit -q --set digits=3 tres w.axs | diff x.tres -
	anim-emit -q -xdigits=9 -x digits=3 tres w.axs | diff x.tres -
	run ! diff -q x.tres <(anim-emit -q tres w.axs)
	anim-emit -q -x bindable animj w.axs | diff <(anim-emit -q --bindable animj w.axs) -
	wrong() { # wrong MESSAGE OPTION...
		run -2 --separate-stderr anim-emit "${@:2}" tres w.axs
		[ "${stderr_lines[0]}" = "anim-emit: $1" ] || { echo "$stderr" && false; }
	}
	wrong "-x digits needs a value: -x digits=N" -x digits
	wrong "-x library takes no value" -x library=1
	wrong "unknown option '-x digit=3'; did you mean -x digits=?" -x digit=3
	wrong "unknown option '-x zzzzzzzzzz'; --help all lists them" -x zzzzzzzzzz
	wrong "-x bezier: 'often' is not one of auto, never, always" -x bezier=often
	wrong "-x digits: '99' is not a whole number from 1 to 17" -x digits=99
	[[ $(anim convert --dry-run -x digits=3 --slerp a.animj x.tres) == "anim-parse -x slerp a.animj | "*"anim-emit -x digits=3 -o x.tres" ]]
}

@test "a wrong command line gets two lines and exit status 2" {
	for program in $PROGRAMS; do
		run -2 --separate-stderr "$program" --no-such-option
		[ -z "$output" ]
		[ "${stderr_lines[0]}" = "$program: unknown option '--no-such-option'" ]
		[[ ${stderr_lines[1]} == "usage: $program "* ]]
		[ "${#stderr_lines[@]}" -eq 2 ]
		run -2 --separate-stderr "$program" -Z
		[ "${stderr_lines[0]}" = "$program: unknown option '-Z'" ]
	done
}

@test "options with a missing, superfluous or wrong value are named" {
	run -2 --separate-stderr anim-parse --depfile
	[ "${stderr_lines[0]}" = "anim-parse: --depfile needs a value: FILE" ]
	run -2 --separate-stderr anim-parse -o
	[ "${stderr_lines[0]}" = "anim-parse: --output needs a value: FILE" ]
	run -2 --separate-stderr anim-parse --no-external=yes
	[ "${stderr_lines[0]}" = "anim-parse: --no-external takes no value" ]
	run -2 --separate-stderr anim-resample --end middle 30
	[ "${stderr_lines[0]}" = "anim-resample: --end: 'middle' is not one of cover, grid, fit, loop" ]
	run -2 --separate-stderr anim-parse --godot-rules 4.2.1
	[ "${stderr_lines[0]}" = "anim-parse: -x godot-rules: '4.2.1' is not one of 4.2, newest; did you mean 4.2?" ]
	run -2 --separate-stderr anim-parse --depfile x
	[ "${stderr_lines[0]}" = "anim-parse: --depfile needs the target of its rule: --target NAME, or -o FILE" ]
	run -2 --separate-stderr anim-parse --source-name x a b
	[ "${stderr_lines[0]}" = "anim-parse: --source-name names one file, there are 2" ]
	run -2 --separate-stderr anim-info --tree --json x
	[ "${stderr_lines[0]}" = "anim-info: -l, --tree, --spark, --json and --csv cannot be combined, except -l --csv" ]
}

@test "operands in the wrong order get the command line that was meant" {
	run -2 --separate-stderr anim-resample walk.axs
	[ "${stderr_lines[0]}" = "anim-resample: 'walk.axs' is not a rate; try: anim-resample 30 walk.axs" ]
	run -2 --separate-stderr anim-resample walk.axs 24
	[ "${stderr_lines[0]}" = "anim-resample: 'walk.axs' is not a rate; try: anim-resample 24 walk.axs" ]
	run -2 --separate-stderr anim-resample
	[ "${stderr_lines[0]}" = "anim-resample: no rate; try: anim-resample 30" ]
	run -2 --separate-stderr anim-axes walk.axs
	[ "${stderr_lines[0]}" = "anim-axes: 'walk.axs' is not one of godot, unity, resonite, gltf, godot2d, unity2d" ]
	run -2 --separate-stderr anim-axes walk.axs godot2d
	[ "${stderr_lines[0]}" = "anim-axes: 'walk.axs' is not a target; try: anim-axes godot2d walk.axs" ]
	run -2 --separate-stderr anim-axes
	[ "${stderr_lines[0]}" = "anim-axes: no target; try: anim-axes resonite" ]
	run -2 --separate-stderr anim-axes godot a b
	[ "${stderr_lines[0]}" = "anim-axes: unexpected operand 'b'" ]
	run -2 --separate-stderr anim-emit walk.axs
	[ "${stderr_lines[0]}" = "anim-emit: no format; try: anim-emit tres walk.axs" ]
	run -2 --separate-stderr anim-emit walk.axs animj
	[ "${stderr_lines[0]}" = "anim-emit: 'walk.axs' is not a format; try: anim-emit animj walk.axs" ]
	run -2 --separate-stderr anim-emit animk
	[ "${stderr_lines[0]}" = "anim-emit: 'animk' is not one of axs, animj, animx, unity, tres, tscn, bvh, vmd, vmc, fbx, csv, json, axt, npz, gltf, glb, vrma; did you mean animj?" ]
	run -2 --separate-stderr anim-emit maya walk.axs
	[ "${stderr_lines[0]}" = "anim-emit: 'maya' is not one of axs, animj, animx, unity, tres, tscn, bvh, vmd, vmc, fbx, csv, json, axt, npz, gltf, glb, vrma" ]
	run -2 --separate-stderr anim-emit -o walk.maya walk.axs
	[ "${stderr_lines[0]}" = "anim-emit: -o: 'maya' is not one of axs, animj, animx, unity, tres, tscn, bvh, vmd, vmc, fbx, csv, json, axt, npz, gltf, glb, vrma" ]
	run -2 --separate-stderr anim-emit animj -c idle --each '%c.animj'
	[ "${stderr_lines[0]}" = "anim-emit: --each cannot be combined with -c" ]
	run -2 --separate-stderr anim-emit animj --each '%n.animj'
	[ "${stderr_lines[0]}" = "anim-emit: --each '%n.animj': a '%' must be followed by c (clip), p (player), f (source file) or %" ]
}

@test "files that are no animation are named, with what to do" {
	check() { # check NAME BYTES MESSAGE
		printf "$2" >"$1"
		run -1 --separate-stderr anim-parse "$1"
		[ -z "$output" ]
		[ "$stderr" = "anim-parse: $1$3" ] || { echo "$stderr"; return 1; }
	}
	export='export it from Blender as .glb, or save its animations in Godot as .tres'
	check x.html '<!DOCTYPE html><html>' ':1:1: a web page, not an animation; download the file itself'
	check x.glb 'glTF\002\0\0\0' ": byte 8: the file is cut off: it ends inside the GLB header"
	check x.fbx 'Kaydara FBX Binary  ' ': byte 0: the file ends too early'
	check ascii '; FBX 7.4.0 project file\n' ':2:1: the file has no records'
	check x.dae '<?xml version="1.0"?><COLLADA>' ": COLLADA is not read; $export"
	check x.scn 'RSRC\0\0\0\0' ': byte 8: the file ends before the end of its content'
	check x.xml 'OBDB\0\0\0\0' ': a scene of the first Godot is not read; open it in Godot 1 and save it as .scn'
	check x.anim '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n' ": not a Unity text file: no line begins with '--- '"
	check x.json '{"a": 1}' ':1:1: JSON, not an animation'
	check x.zip 'PK\003\004' ': a zip archive is not read; unpack it first'
	check x.txt '\xff\xfe[\0g\0' ': UTF-16 text is not read; save it as UTF-8'
	check empty '' ': the input is empty'
	check noise 'abc' ': unknown file format (known: godot, animj, animx, unity, unitypackage, tres, tscn, escn, res, scn, bvh, amc, asf, vmd, vmc, pmx, pmd, fbx, json, axt, npz, npy, gltf, glb, vrma, face); to choose one, use -f FORMAT'
	scene idle | anim-parse >x.axs
	anim-parse --no-provenance x.axs x.axs | cmp - <(anim-cat --no-provenance x.axs x.axs)
	anim-parse --no-provenance x.axs | cmp - <(anim-cat --no-provenance x.axs)
	run -1 --separate-stderr anim-parse --unit cm x.axs
	[ "$stderr" = "anim-parse: --unit is for bvh, amc, asf, vmd, pmx, pmd, npz and npy, not for axs" ]
	head -c 200 x.axs >cut.axs
	run -1 anim-parse -o y.axs cut.axs
	[ ! -e y.axs ]
}

@test "every filter reads what anim-parse reads, and writes what -o names" {
	scene idle >walk.tscn
	anim-parse -q walk.tscn | anim-resample --end fit 30 | anim-emit -q -o want.animj
	anim-resample -q --end fit 30 walk.tscn -o got.animj
	cmp want.animj got.animj
	anim-emit -q animj <walk.tscn | cmp - <(anim-emit -q animj walk.tscn)
	anim-parse -q walk.tscn -o x.glb
	anim-axes -q unity x.glb -o x.anim
	anim-mirror -q x.glb -o m.glb
	anim-resample -q 30 walk.tscn -o x.axs.gz
	anim-pack --test x.axs.gz
	run -1 --separate-stderr anim-resample 30 "$ROOT/README.md"
	[[ $stderr == "anim-resample: $ROOT/README.md: unknown file format"* ]]
	run -1 --separate-stderr anim-axes unity x.glb -o none/x.anim
	[ "$stderr" = "anim-axes: folder 'none' does not exist; try: mkdir -p none" ]
}

@test "an empty pipe points to the program before it" {
	for program in anim-info anim-dump anim-emit\ animj anim-resample\ 30; do
		run -1 --separate-stderr bash -c ": | $program"
		[ "$stderr" = "${program%% *}: -: the input is empty: the program before this one in the pipe wrote nothing" ]
		run -1 --separate-stderr bash -c "$program </dev/null"
		[ "$stderr" = "${program%% *}: -: the input is empty" ]
	done
}

@test "a file that is not there, a folder and a closed stdin are errors in plain words" {
	run -1 --separate-stderr anim-parse nowhere.tscn
	[ "$stderr" = "anim-parse: nowhere.tscn: cannot open: No such file or directory" ]
	run -1 --separate-stderr anim-info .
	[ "$stderr" = "anim-info: .: is a folder, not a file; name the files in it, as in FOLDER/*.glb" ]
	run -1 --separate-stderr bash -c 'anim-axes unity <&-'
	[ "$stderr" = "anim-axes: -: cannot read: Bad file descriptor" ]
}

@test "a binary stream is not written to a terminal" {
	need_terminal
	scene idle >walk.tscn
	run -1 on_terminal 'anim-parse walk.tscn'
	[ "$output" = "anim-parse: the stream is binary and stdout a terminal; try: anim-parse walk.tscn | anim-info" ]
	run -1 on_terminal 'anim-parse walk.tscn -o /dev/tty'
	[ "$output" = "anim-parse: the stream is binary and /dev/tty a terminal" ]
}

@test "no other binary is written to a terminal" {
	need_terminal
	scene idle >walk.tscn
	run -1 on_terminal 'anim-parse walk.tscn | anim-pack'
	[ "$output" = "anim-pack: the archive is binary and stdout a terminal; name a file with -o" ]
	run -1 on_terminal 'anim-parse walk.tscn | anim-emit animx'
	[ "$output" = "anim-emit: animx is binary and stdout a terminal; name a file with -o" ]
	run -0 on_terminal 'anim-parse walk.tscn | anim-emit --axes keep animj'
	[[ $output == '{"name":"idle"'* ]]
}

@test "no program waits for a stream from a terminal" {
	need_terminal
	for command in 'anim-parse' 'anim-axes unity' 'anim-resample 30' 'anim-emit animj' 'anim-info' 'anim-dump'; do
		run -1 on_terminal "$command"
		[[ $output == "${command%% *}: standard input is a terminal; try: "* ]] || { echo "$output"; return 1; }
	done
}

@test "names and text from the input cannot drive the terminal" {
	printf 'x' >$'a\e[31m\xe2\x80\xae.tscn'
	run -1 --separate-stderr anim-parse $'a\e[31m\xe2\x80\xae.tscn'
	[[ $stderr == *'a\x1b[31m\xe2\x80\xae.tscn'* ]]
	[[ $stderr != *$'\e'* ]]
}

@test "a file whose name is no UTF-8 is read, and its name is \\xNN in what is written" {
	cp "$DATA/bvh/arm.bvh" $'bad\xff.bvh'
	anim-info --json $'bad\xff.bvh' >info.json 2>err
	for format in json sarif; do anim-lint -q --format $format --for vrma $'bad\xff.bvh' >lint.$format 2>>err || [ $? = 1 ]; done
	anim-lint --json --for vrma $'bad\xff.bvh' >lint.json 2>>err || [ $? = 1 ]
	anim-convert -q -o a.tres $'bad\xff.bvh'
	anim-parse -q $'bad\xff.bvh' | anim-diff --json - $'bad\xff.bvh' >diff.json 2>>err
	all_json info.json lint.json lint.sarif diff.json
	run ! grep -ln $'\xff' *.json lint.sarif a.tres err
	grep -qF '"name":"bad\\xff"' info.json
	grep -qF '"file":"bad\\xff.bvh"' lint.json
	grep -qF '"b":"bad\\xff.bvh"' diff.json
	grep -q '^resource_name = "bad' a.tres
}

@test "a full disk and a closed stdout are errors" {
	[ -w /dev/full ] || skip "no /dev/full on this system"
	scene idle >walk.tscn
	anim-parse walk.tscn >x.axs
	for command in 'anim-parse walk.tscn' 'anim-axes unity x.axs' 'anim-resample 30 x.axs' 'anim-emit animj x.axs' \
		'anim-info x.axs' 'anim-dump x.axs'; do
		run -1 --separate-stderr bash -c "$command >/dev/full"
		[ "${stderr_lines[-1]}" = "${command%% *}: cannot write standard output: No space left on device" ]
		run -1 --separate-stderr bash -c "$command >&-"
		[ "${stderr_lines[-1]}" = "${command%% *}: cannot write standard output: Bad file descriptor" ]
	done
	run -1 --separate-stderr bash -c 'anim-parse --help >/dev/full'
	[ "$stderr" = "anim-parse: cannot write standard output" ]
}

@test "a closed descriptor is not taken by a file that is opened later" {
	scene idle >walk.tscn
	run -1 --separate-stderr bash -c 'anim-parse --depfile x.d --target x.axs walk.tscn >&-'
	[ "$stderr" = "anim-parse: cannot write standard output: Bad file descriptor" ]
	[ ! -e x.d ]
	anim-parse walk.tscn >x.axs
	bash -c 'anim-parse walk.tscn <&-' | cmp - x.axs
	bash -c 'anim-parse -o y.axs walk.tscn <&- >&- 2>&-'
	same x.axs y.axs
}

@test "-o leaves what was there when something fails, and nothing beside it" {
	scene idle >walk.tscn
	anim-parse walk.tscn >x.axs
	anim-dump x.axs >old
	cp old out.axs
	head -c 500 x.axs >cut.axs
	run -1 anim-axes unity -o out.axs cut.axs
	same out.axs old
	run -1 anim-parse -o out.axs nowhere.tscn
	same out.axs old
	run -1 anim-axes unity -o new.axs cut.axs
	[ ! -e new.axs ]
	[ -z "$(ls -A | grep -F .tmp)" ]
	anim-axes unity -o out.axs x.axs
	anim-axes unity x.axs | cmp - out.axs
}

@test "-o may name the input itself, or a link to it" {
	scene idle >walk.tscn
	anim-parse walk.tscn >x.axs
	anim-axes unity x.axs >expected.axs
	ln -s x.axs link.axs
	anim-axes unity x.axs -o link.axs
	[ -L link.axs ]
	same x.axs expected.axs
}

@test "a killed program leaves no temporary, whatever signal ends it" {
	local signal crashes='SEGV BUS FPE ILL ABRT'
	! sanitized || crashes= # which sanitizers report
	mkfifo pipe
	for signal in TERM HUP INT QUIT ALRM XCPU XFSZ USR1 USR2 $crashes; do
		bash -c 'ulimit -c 0; trap - INT QUIT; exec "$@"' - env --default-signal anim-axes unity -o out.axs pipe &
		exec 9>pipe
		for _ in $(seq 100); do
			[ -n "$(ls -A | grep -F .tmp)" ] && break
			sleep 0.02
		done
		[ -n "$(ls -A | grep -F .tmp)" ]
		kill -$signal $!
		status=0
		wait $! || status=$?
		[ "$status" -eq $((128 + $(kill -l $signal))) ]
		exec 9>&-
		[ -z "$(ls -A | grep -F .tmp)" ]
		[ ! -e out.axs ]
	done
}

@test "a reader that closes early ends the program by SIGPIPE in silence, even where it was ignored" {
	{
		printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = 1e5\ntracks/0/type = "position_3d"\n'
		printf 'tracks/0/path = NodePath("Box")\ntracks/0/interp = 1\ntracks/0/keys = PackedFloat32Array('
		awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%s%d, 1, %d, 0, 0", i ? ", " : "", i, i }'
		printf ')\n'
	} >long.tres
	for before in : 'trap "" PIPE'; do
		run --separate-stderr bash -c "$before; { anim-dump long.tres; echo \$? >&3; } 3>status | head -n 1 >/dev/null"
		[ -z "$stderr" ]
		[ "$(cat status)" -eq 141 ]
	done
}

@test "a producer that fails makes every later program fail" {
	scene idle >walk.tscn
	echo '[bad' >>walk.tscn
	run --separate-stderr bash -c 'anim-parse walk.tscn | anim-axes resonite | anim-resample 30 | anim-emit -o x.animj; echo "${PIPESTATUS[@]}"'
	[ "$output" = "1 1 1 1" ]
	[ ! -e x.animj ]
}

@test "provenance names programs, options and files, and can be dropped" {
	scene idle >walk.tscn
	anim-parse -c idle --keep-going walk.tscn | anim-resample --end grid 24fps >x.axs
	run -0 anim-info --json x.axs
	[[ $output == *'{"program":"anim-parse","version":"1.0.0","attributes":{"clip":"idle","files":"walk.tscn","keep-going":"true"}}'* ]]
	[[ $output == *'{"program":"anim-resample","version":"1.0.0","attributes":{"end":"grid","rate":"24fps"}}'* ]]
	run -0 bash -o pipefail -c 'anim-resample --no-provenance 30 x.axs | anim-info --json'
	[[ $output != *'"program":'* ]]
}

@test "a pipe, a file and a compressed file give the same bytes" {
	scene idle run >walk.tscn
	gzip -c walk.tscn >walk.tscn.gz
	anim-parse walk.tscn >x.axs
	anim-parse --source-name walk.tscn <walk.tscn | cmp - x.axs
	anim-parse --source-name walk.tscn walk.tscn.gz | cmp - x.axs
	gzip -c x.axs >x.axs.gz
	anim-axes --no-provenance unity x.axs >y.axs
	anim-axes --no-provenance unity <x.axs | cmp - y.axs
	anim-axes --no-provenance unity <x.axs.gz | cmp - y.axs
	ANIM_READ_MAX=1 anim-axes --no-provenance unity x.axs.gz | cmp - y.axs
	ANIM_STORE_MEMORY=0 anim-parse walk.tscn | cmp - x.axs
}

@test "a make rule lists what was opened, escaped for make" {
	scene idle >'a b#$.tscn'
	anim-parse --depfile x.d --target 'out dir/x.axs' -o x.axs 'a b#$.tscn'
	[ "$(cat x.d)" = 'out\ dir/x.axs: a\ b\#$$.tscn
a\ b\#$$.tscn:' ]
	rm x.d
	run -1 anim-parse --depfile x.d --target x.axs -o y.axs nowhere.tscn
	[ ! -e x.d ]
	[ ! -e y.axs ]
}

@test "make goes on where a file that was opened has another name now" {
	command -v make >/dev/null || skip "make is not installed"
	mkdir anims
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nlength = 1.0\n' >anims/idle.tres
	printf '[gd_scene format=3]\n\n[ext_resource type="Animation" path="anims/idle.tres" id="1"]\n\n[node name="N" type="Node"]\n\n[node name="P" type="AnimationPlayer" parent="."]\nanims/idle = ExtResource("1")\n' >s.tscn
	printf 's.axs: s.tscn\n\tanim-parse -q --depfile s.d --target $@ -o $@ $<\n-include s.d\n' >Makefile
	make -s
	grep -q '^anims/idle.tres:$' s.d
	mv anims/idle.tres anims/rest.tres
	sed -i 's|anims/idle.tres|anims/rest.tres|' s.tscn
	make -s
	run -1 grep idle s.d
	make -q
}

@test "a name that no make rule can hold matters to --depfile alone" {
	scene idle >$'line\nfeed.tscn'
	anim-parse $'line\nfeed.tscn' -o x.axs
	run -1 --separate-stderr anim-parse --depfile x.d --target x.axs -o y.axs $'line\nfeed.tscn'
	[ "$stderr" = "anim-parse: 'line\x0afeed.tscn' has a line feed in its name, no make rule can hold it" ]
	[ ! -e y.axs ]
	scene idle >speed=2.tscn
	anim-parse speed=2.tscn -o x.axs
	run -1 --separate-stderr anim-parse --depfile x.d --target x.axs -o y.axs speed=2.tscn
	[ "$stderr" = "anim-parse: 'speed=2.tscn' has a '=' in its name, no make rule can hold it" ]
}

@test "the player of PLAYER:NAME is its whole path, or a glob for it, in every program" {
	scene walk >two.tscn
	printf '[node name="Robot" type="Node3D" parent="."]\n[node name="Player" type="AnimationPlayer" parent="Robot"]\nlibraries = {\n&"": SubResource("library")\n}\n' >>two.tscn
	anim-parse -o two.axs two.tscn
	both='"player":"Player" "player":"Robot/Player" '
	players() { anim-info --json | grep -o '"player":"[^"]*"' | tr '\n' ' '; }
	for way in 'anim-parse two.tscn' 'anim-filter two.axs' 'anim-unpack two.axs'; do
		[ "$($way -c Player:walk | players)" = '"player":"Player" ' ]
		[ "$($way -c Robot/Player:walk | players)" = '"player":"Robot/Player" ' ]
		[ "$($way -c '*Player:walk' | players)" = "$both" ]
	done
	[ "$(anim-filter -v -c Player:walk two.axs | players)" = '"player":"Robot/Player" ' ]
	[ "$(anim-dump -c Player:walk two.axs | anim-undump | players)" = '"player":"Player" ' ]
	[ "$(anim-rename --on clip -e s/walk/run/ -c Player:walk two.axs | anim-filter -c run | players)" = '"player":"Player" ' ]
	[ "$(anim-retime --speed 2 -c Player:walk two.axs | anim-info --csv | grep -c ',0.5,')" = 1 ]
	anim-emit -c Player:walk -o x.animj two.axs
	run -1 --separate-stderr anim-parse -c Play:walk -o x.axs two.tscn
	[ "$stderr" = "anim-parse: no clip is named 'Play:walk'; the clips are Player:walk, Robot/Player:walk" ]
	anim-filter -c Robot/Player:walk -o lone.axs two.axs
	run -1 --separate-stderr anim-emit -c Player:walk -o y.animj lone.axs
	[ "$stderr" = "anim-emit: no clip is named 'Player:walk'; the clips are Robot/Player:walk" ]
}

@test "-c keeps the clips that match, and names the clips where none does" {
	scene idle run run_fast >walk.tscn
	[ "$(anim-parse -c 'run*' walk.tscn | anim-info --json | grep -o '"name":"[a-z_]*"' | tr -d '\n')" = '"name":"run""name":"run_fast"' ]
	[ "$(anim-parse -c Player:idle walk.tscn | anim-info --json | grep -o '"name":"[a-z_]*"')" = '"name":"idle"' ]
	run -1 --separate-stderr anim-parse -c idle -c jump -o x.axs walk.tscn
	[ "$stderr" = "anim-parse: no clip is named 'jump'; the clips are idle, run, run_fast" ]
	[ ! -e x.axs ]
}

@test "several clips and no choice: the clips and both ways out are named" {
	scene RESET idle run jump | anim-parse >x.axs
	run -1 --separate-stderr anim-emit animj x.axs
	[ "$stderr" = "anim-emit: animj holds one clip, but there are 3: idle, run, jump; pick one with -c NAME, or write all with --each '%c.animj' in place of the output" ]
	run -1 --separate-stderr anim-emit animj -c walk x.axs
	[ "$stderr" = "anim-emit: no clip is named 'walk'; the clips are RESET, idle, run, jump" ]
	run -1 --separate-stderr anim-emit animj -c '*u*' x.axs
	[ "$stderr" = "anim-emit: 2 clips match '*u*': run, jump; pick one with -c NAME" ]
	[[ $(anim-emit --axes keep animj -c 'i*' x.axs) == *'"name":"idle"'* ]]
	[[ $(anim-emit --axes keep animj -c RESET x.axs) == *'"name":"RESET"'* ]]
	printf '[gd_scene format=3]\n[node name="A" type="Node3D"]\n' | anim-parse 2>/dev/null >none.axs
	run -1 --separate-stderr anim-emit animj none.axs
	[ "$stderr" = "anim-emit: no clip to write, because no animation was read" ]
}

@test "RESET counts only where no other clip is" {
	scene RESET idle | anim-parse >x.axs
	[[ $(anim-emit --axes keep animj x.axs) == *'"name":"idle"'* ]]
	scene idle RESET | anim-parse >x.axs
	[[ $(anim-emit --axes keep animj x.axs) == *'"name":"idle"'* ]]
	scene RESET | anim-parse >x.axs
	[[ $(anim-emit --axes keep animj x.axs) == *'"name":"RESET"'* ]]
	[[ $(ANIM_STORE_MEMORY=0 anim-emit --axes keep animj x.axs) == *'"name":"RESET"'* ]]
}

@test "--each writes every clip, or none where the stream is cut" {
	scene RESET idle run | anim-parse --source-name walk.tscn >x.axs
	mkdir out
	anim-emit --axes keep --each 'out/%f-%c.animj' x.axs
	[ "$(ls out | tr '\n' ' ')" = "walk-RESET.animj walk-idle.animj walk-run.animj " ]
	anim-emit --axes keep animj -c run x.axs | cmp - out/walk-run.animj
	anim-emit --axes keep --each 'out/%f-%c.animj' x.axs
	echo mine >out/walk-run.animj
	run -1 --separate-stderr anim-emit --axes keep --each 'out/%f-%c.animj' x.axs
	[[ $stderr == "anim-emit: out/walk-run.animj: holds data other than animation that would be lost"* ]]
	anim-emit --axes keep --force --each 'out/%f-%c.animj' x.axs
	rm out/*
	head -c $(($(wc -c <x.axs) - 8)) x.axs >cut.axs
	run -1 anim-emit --axes keep --each 'there/is/%c.animj' cut.axs
	[ ! -e there ]
	anim-emit --axes keep --each 'there/is/%c.animj' x.axs
	[ "$(ls there/is | wc -l)" = 3 ]
	anim-split --to 'here/%p/%c.axs' x.axs
	[ "$(ls here/* | wc -l)" = 3 ]
	run -1 --separate-stderr anim-emit --axes keep --each 'x.axs/%c.animj' x.axs
	[[ "$stderr" == "anim-emit: x.axs/RESET.animj: "*"Not a directory" ]]
	run -1 anim-emit --axes keep --each 'out/%c.animj' cut.axs
	[ -z "$(ls -A out)" ]
}

@test "file names made from clips are safe and distinct" {
	scene '../a' '.hid' '-x' 'Run' 'run' 'ä b' | anim-parse >x.axs
	mkdir out
	anim-emit --axes keep --each 'out/%c.animj' x.axs
	[ "$(ls out | LC_ALL=C sort | tr '\n' ' ')" = "Run.animj _._a.animj _hid.animj _x.animj run-2.animj ä_b.animj " ]
	anim-emit --axes keep --force --each 'out/%p.%%.animj' x.axs
	[ -e 'out/Player.%.animj' ]
	[ -e 'out/Player.%-6.animj' ]
}

@test "--strict makes a warning an error that leaves nothing, -q silences notes" {
	scene idle | anim-parse >x.axs
	anim-resample 7 x.axs -o y.axs
	run -0 --separate-stderr anim-resample 1.3 x.axs -o y.axs
	[[ $stderr == "anim-resample: x.axs: note: "* ]]
	run -0 --separate-stderr anim-resample -q 1.3 x.axs -o y.axs
	[ -z "$stderr" ]
	printf '[gd_scene format=3]\n[node name="A" type="Node3D"]\n' >none.tscn
	run -0 --separate-stderr anim-parse none.tscn -o none.axs
	[[ $stderr == "anim-parse: none.tscn: warning: "* ]]
	run -1 --separate-stderr anim-parse --strict none.tscn -o strict.axs
	[ "${stderr_lines[1]}" = "anim-parse: stopped by --strict, which makes warnings errors" ]
	[ ! -e strict.axs ]
}

@test "--keep-going leaves out files that cannot be read and names them" {
	scene idle >walk.tscn
	printf 'BLENDER' >x.blend
	run -0 --separate-stderr anim-parse --keep-going -o x.axs x.blend nowhere.tscn walk.tscn
	[ "${stderr_lines[0]}" = "anim-parse: x.blend: warning: left out: a Blender file is not read; export it from Blender as .glb, or save its animations in Godot as .tres" ]
	[ "${stderr_lines[1]}" = "anim-parse: nowhere.tscn: warning: left out: cannot open: No such file or directory" ]
	[[ $(anim-info x.axs) == "idle: "* ]]
}

@test "a job over a second shows its progress on a terminal, and wipes it at the end" {
	need_terminal
	scene idle >walk.tscn
	mkfifo pipe
	{ head -c 100 walk.tscn; sleep 1.3; tail -c +101 walk.tscn; } >pipe &
	run -0 on_terminal 'anim-info pipe >shown; echo done'
	[[ $output == "anim-info: 0.0 MB, "*" MB/s "$'\e[K\e[K'done ]]
	[[ $(cat shown) == "idle: "* ]]
	{ head -c 100 walk.tscn; sleep 0.6; tail -c +101 walk.tscn; } >pipe &
	run -0 on_terminal 'anim-info pipe >shown; echo done'
	[ "$output" = done ]
	# work after the last read also shows, and a pipeline has one line at a time
	run -0 on_terminal '{ cat walk.tscn; sleep 1.3; } | anim-parse -o walk.axs; echo done'
	[[ $output == "anim-parse: 0.0 MB read, working for 1 s "*$'\e[K\e[K'done ]]
}

@test "colour is for terminals only, and NO_COLOR is honoured" {
	need_terminal
	scene idle >walk.tscn
	run -0 on_terminal 'anim-info walk.tscn'
	[[ $output == *$'\e['* ]]
	run -0 on_terminal 'NO_COLOR=1 anim-info walk.tscn'
	[[ $output != *$'\e['* ]]
	run -0 anim-info walk.tscn
	[[ $output != *$'\e['* ]]
}

@test "an option that none of the files takes is refused by name, one that some take is fine" {
	cp "$DATA/gltf/interpolations.gltf" x.gltf
	anim-parse -q x.gltf | anim-emit -q json >x.json
	scene walk >walk.tscn
	for option in "--unit cm:bvh, amc, asf, vmd, pmx, pmd, npz and npy" "--up z:bvh, amc, asf, npz and npy" "-x asf=a:amc" "-x model=a:vmd" "-x asset=a:unitypackage" "-x fps=30:bvh, amc, vmd, npz, npy and face" "-x add-offset:bvh" "-x slerp:animj, animx and json" \
		"-x key-order=time-value:animx" "-x trust-size:animx, unitypackage, fbx, npz and npy" "-x godot-rules=4.2:godot, res and json"; do
		run -1 --separate-stderr anim-parse ${option%:*} x.gltf -o x.axs
		spelled=${option%%:*} spelled=${spelled%%=*}
		[[ $stderr == "anim-parse: ${spelled% [cz]*} is for ${option#*:}, not for gltf"* ]]
		[ ! -e x.axs ]
	done
	run -1 --separate-stderr anim-parse --joint-rest bind walk.tscn -o x.axs
	[ "$stderr" = "anim-parse: -x joint-rest is for fbx and gltf, not for godot" ]
	run -0 --separate-stderr anim-parse -q --joint-rest node --godot-rules 4.2 x.gltf walk.tscn -o x.axs
	run -0 anim-parse -q --godot-rules 4.2 x.json -o y.axs
}

@test "a message says that the shell emptied an input that is also the output" {
	scene walk >walk.tscn
	anim-parse -o x.axs walk.tscn
	cp x.axs y.axs
	run -1 --separate-stderr bash -c 'anim-resample 30 x.axs >x.axs'
	[ "$stderr" = "anim-resample: x.axs: the input is empty: the shell has emptied it for the output; use -o FILE instead" ]
	cp y.axs x.axs
	run -0 --separate-stderr anim-resample 30 -o x.axs x.axs
	: >none.axs
	run -1 --separate-stderr bash -c 'anim-resample 30 none.axs >x.axs'
	[ "$stderr" = "anim-resample: none.axs: the input is empty" ]
}

@test "options of other tools get their name here" {
	for pair in framerate:rate output-format:format json:format crop:time overwrite:force simplify:reduce "exclude:node '!GLOB'"; do
		run -2 --separate-stderr anim convert --"${pair%:*}" 1 a.tscn b.glb
		[ "${stderr_lines[0]}" = "anim-convert: unknown option '--${pair%:*}'; did you mean --${pair#*:}?" ] ||
			{ echo "$stderr" && false; }
	done
	for pair in lint:target:for diff:tol:max reduce:reduce:tol retarget:retarget:to; do
		IFS=: read -r name typed meant <<<"$pair"
		run -2 --separate-stderr anim-"$name" --"$typed" 1 a.tscn
		[ "${stderr_lines[0]}" = "anim-$name: unknown option '--$typed'; did you mean --$meant?" ] || { echo "$stderr" && false; }
	done
	run -2 --separate-stderr anim-retarget --fps 30 x.axs
	[ "${stderr_lines[0]}" = "anim-retarget: unknown option '--fps'" ]
}
