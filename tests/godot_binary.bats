#!/usr/bin/env bats
# Godot's binary files: what text has of the same content comes out of every form of them, and nothing out of damaged ones.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	anim-parse -q "$DATA/godot-binary/walk.plain.res" -o walk.axs
	anim-parse -q "$DATA/godot-binary/crane.zstd.scn" -o crane.axs 2>messages || zstd=no
}

# need_zstd: skips where the build has no libzstd.
need_zstd() {
	[ "${zstd:-}" != no ] || { grep -q 'zstd, which this build does not read; build anim-tools with libzstd' messages && skip "built without zstd"; }
}

make() { python3 "$ROOT/tests/godot_binary.py" "$@"; }
dump() { anim-parse -q --no-external --source-name x "$1" | anim-dump; }

# same_dumps <LINES: dumps hold the same; each line is TOLERANCE A B...
same_dumps() { python3 "$ROOT/tests/same_clips.py"; }

# same_clips A B [TOLERANCE]: two files have the same nodes, clips, tracks and keys. `messages` has the messages about A.
same_clips() {
	dump "$1" >a.txt 2>messages
	dump "$2" >b.txt 2>/dev/null
	[ -s b.txt ]
	echo "${3:-0} b.txt a.txt" | same_dumps || { echo "$1"; return 1; }
}

big='a big-endian file; its keys are read correctly here, but not by Godot'

@test "a scene in every format, order of bytes and width of reals has what its text has" {
	local format options name tolerance
	for format in 0 1 2 3 4 5 6; do
		echo "$format.tscn text $format"
		for options in '' big inline double 'big double inline'; do
			[[ $format -lt 4 && $options = *double* ]] || echo "$format${options// /}.scn scene $format $options"
		done
	done | make files
	for name in *.scn; do
		dump $name >$name.txt 2>messages
		if [[ $name = *big* ]]; then
			[ "$(<messages)" = "anim-parse: $name: byte 12: warning: $big" ]
		else
			[ ! -s messages ]
		fi
	done
	for format in 0 1 2 3 4 5 6; do
		tolerance=$([ $format -lt 4 ] && echo 2e-6 || echo 0)
		dump $format.tscn >$format.txt 2>/dev/null
		echo $tolerance $format.txt $format*.scn.txt
	done | same_dumps
	[ "$(ls *.scn.txt | wc -l)" = 27 ]
	[ "$(grep -c '^track' 6big.scn.txt)" = 8 ]
	[ "$(grep -c '^node' 6big.scn.txt)" = 6 ]
}

@test "blocks of every size and packing inflate to the same" {
	local mode size name
	{
		for mode in fastlz deflate gzip; do
			for size in 1 7 100 4096 16777216; do echo "$mode$size.scn packed $mode $size 6"; done
		done
		printf '%s\n' 'old packed fastlz 4096 1 big' 'text.tscn text 6' 'old.tscn text 1'
	} | make files
	for name in *.scn; do
		dump $name >$name.txt 2>messages
		[ ! -s messages ]
	done
	dump text.tscn >text
	echo 0 text *.scn.txt | same_dumps
	[ "$(ls *.scn.txt | wc -l)" = 15 ]
	same_clips old old.tscn 2e-6
}

@test "what Godot saved in binary form is what it saved as text" {
	need_zstd
	local file name
	for file in "$DATA"/godot-binary/*; do
		file=${file##*/}
		name=${file%%.*}
		[ "$name" = scene_libs ] && continue # the engine read its 1e-30 as another number
		dump "$DATA/godot-binary/$file" >"$file.a" 2>/dev/null
		dump "$(ls "$DATA/oracle/godot-4.7/$name".t??? "$ROOT/examples/$name.tscn" 2>/dev/null)" >"$file.b" 2>/dev/null
		[ -s "$file.b" ]
		echo "0 $file.b $file.a" >>lines
	done
	same_dumps <lines
}

plain() { anim-parse -q --no-provenance --source-name x "$@" 2>/dev/null; }

@test "the same comes from a pipe as from a file, in windows of any size, and through gzip" {
	need_zstd
	local file
	for file in "$DATA"/godot-binary/{scene_libs.zstd.scn,value_types.bigzstd.res,walk.plain.res,library.zstd.res}; do
		plain -- "$file" >file.axs
		plain - <"$file" | cmp - file.axs
		cat "$file" | plain | cmp - file.axs
		ANIM_READ_MAX=1 ANIM_STORE_MEMORY=0 plain "$file" | cmp - file.axs
		gzip -c "$file" | plain | cmp - file.axs
		plain -f godot "$file" | cmp - file.axs
		plain -f scn "$file" | cmp - file.axs
	done
}

@test "every proper prefix is refused, but for one that lacks the mark at its end alone" {
	need_zstd
	local file size length status stride
	stride=$(stride 13)
	make packed deflate 200 6 >packed.scn
	make scene 1 >old.scn
	for file in "$DATA"/godot-binary/bezier_loop0.zstd.res packed.scn old.scn; do
		size=$(wc -c <"$file")
		for ((length = 1; length < size - 4; length += stride)); do
			head -c "$length" "$file" >cut.res
			status=0
			anim-parse -q cut.res -o cut.axs 2>/dev/null || status=$?
			[ $status -eq 1 ] || { echo "$file: $length" && false; }
			[ ! -e cut.axs ]
		done
		for length in 1 4; do
			head -c $((size - length)) "$file" >cut.res
			run -0 --separate-stderr anim-parse cut.res -o whole.axs --force
			[[ $stderr == *": warning: the end mark is missing; the file may be cut"* ]]
		done
		head -c $((size - 5)) "$file" >cut.res
		run ! anim-parse -q cut.res -o cut.axs
	done
}

@test "each byte changed is refused in a line, or read" {
	local at status seen= line stride
	stride=$(stride 3)
	make scene 6 >good.scn
	for ((at = 0; at < 1100; at += stride)); do
		cp good.scn bad.scn
		printf '\377' | dd of=bad.scn bs=1 seek=$at conv=notrunc 2>/dev/null
		status=0
		anim-parse --no-external bad.scn >out.axs 2>err || status=$?
		[ $status -le 1 ]
		while IFS= read -r line; do [[ $line == 'anim-parse: '* ]]; done <err
		[ $status -eq 0 ] || [ -s err ]
		seen+=$status
	done
	[[ $seen = *0* && $seen = *1* ]]
}

@test "a fault in one resource is reported with its byte, and the others are read" {
	make scene 6 >good.scn
	# The type of the library's first value becomes unknown; its animation comes out by itself.
	python3 - <<-'PY'
		data = bytearray(open('good.scn', 'rb').read())
		at = data.index(b'AnimationLibrary\0') + 17 + 4 + 4
		data[at] = 99
		open('bad.scn', 'wb').write(data)
	PY
	run -1 --separate-stderr anim-parse bad.scn
	[[ $stderr =~ ^anim-parse:\ bad.scn:\ byte\ [0-9]+:\ a\ value\ of\ the\ unknown\ type\ 99\ in\ format\ 6$ ]]
	run -0 --separate-stderr bash -c 'anim-parse --keep-going bad.scn 2>/dev/null | anim-dump'
	[[ $output == *'clip name="walk"'* ]]
	[[ $output == *'node path="Body/Lamp"'* ]]
}

# project: p/scene.tscn plays res://moves.res, res://steps.glb (imported) and res://exported.tres (exported), and inherits
# res://hero.glb.
project() {
	mkdir -p p/.godot/imported p/.godot/exported/1
	touch p/project.godot
	cp "$DATA/godot-binary/library.zstd.res" p/moves.res
	cp "$DATA/godot-binary/library.zstd.res" p/.godot/imported/steps.glb-1.res
	cp "$DATA/godot-binary/library.zstd.res" p/.godot/exported/1/export-2-exported.res
	cp "$DATA/godot-binary/scene_libs.zstd.scn" p/.godot/imported/hero.glb-2.scn
	touch p/steps.glb p/hero.glb
	printf '[remap]\n\nimporter="animation_library"\ntype="AnimationLibrary"\npath="res://.godot/imported/steps.glb-1.res"\n\n[deps]\n' >p/steps.glb.import
	printf '[remap]\n\nimporter="scene"\ntype="PackedScene"\npath="res://.godot/imported/hero.glb-2.scn"\n' >p/hero.glb.import
	printf '[remap]\n\npath="res://.godot/exported/1/export-2-exported.res"\n' >p/exported.tres.remap
	cat >p/scene.tscn <<-'TEXT'
		[gd_scene format=3]

		[ext_resource type="AnimationLibrary" path="res://moves.res" id="1"]
		[ext_resource type="AnimationLibrary" path="res://steps.glb" id="2"]
		[ext_resource type="AnimationLibrary" path="res://exported.tres" id="3"]
		[ext_resource type="PackedScene" path="res://hero.glb" id="4"]

		[node name="Root" type="Node3D"]

		[node name="Hero" parent="." instance=ExtResource("4")]

		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {"a": ExtResource("1"), "b": ExtResource("2"), "c": ExtResource("3")}
	TEXT
}

@test "references lead to binary files, and through .import and .remap to what Godot made of a file" {
	need_zstd
	local own inner
	project
	run -0 --separate-stderr anim-parse -q p/scene.tscn --depfile d --target t -o scene.axs
	[ -z "$stderr" ]
	own=$(anim-parse -q p/moves.res | anim-dump | grep -c '^clip')
	[ "$(anim-dump scene.axs | grep -c '^clip')" = $((3 * own)) ]
	[ "$(anim-dump scene.axs | grep -c '	attr "file" "res://steps.glb"')" = "$own" ]
	inner=$(anim-parse -q --no-external "$DATA/godot-binary/scene_libs.zstd.scn" 2>/dev/null | anim-dump | grep -c '^node')
	[ "$(anim-dump scene.axs | grep -c '^node')" = $((inner + 2)) ]
	for file in moves.res steps.glb.import .godot/imported/steps.glb-1.res exported.tres.remap hero.glb.import \
		.godot/exported/1/export-2-exported.res .godot/imported/hero.glb-2.scn; do
		grep -q "p/$file" d
	done
}

@test "a scene that inherits an imported one plays its clips" {
	need_zstd
	project
	sed -e '/name="Root"/s/type="Node3D"/instance=ExtResource("4")/' -e '/name="Hero"/d' -e '/name="Player"/,$d' -i p/scene.tscn
	run -0 --separate-stderr bash -c 'anim-parse p/scene.tscn | anim-dump | grep -c ^clip'
	[ "$output" = "$(anim-parse -q --no-external "$DATA/godot-binary/scene_libs.zstd.scn" 2>/dev/null | anim-dump | grep -c '^clip')" ]
}

@test "missing imported files are reported with a remedy" {
	need_zstd
	project
	rm p/.godot/imported/steps.glb-1.res p/hero.glb.import
	run -0 --separate-stderr anim-parse p/scene.tscn -o scene.axs
	[ "${stderr_lines[1]}" = "anim-parse: p/scene.tscn:10:1: note: instanced scene 'res://hero.glb': not read, so nodes are missing: Godot has not imported it; open the project in Godot once, or give the file itself" ]
	[ "${stderr_lines[0]}" = "anim-parse: p/scene.tscn:13:42: warning: the clips of library 'b' are not read from 'res://steps.glb': its imported file does not exist; open the project in Godot once, or give the file itself" ]
	[ "${#stderr_lines[@]}" = 2 ]
	printf '[remap]\nimporter="scene"\npath="res://../../etc/passwd"\n' >p/steps.glb.import
	run -0 --separate-stderr anim-parse p/scene.tscn -o scene.axs --force
	[[ ${stderr_lines[0]} == *"'res://steps.glb': it is outside the project folder" || ${stderr_lines[0]} == *"does not exist; open"* ]]
	[ "$(anim-dump scene.axs | grep -c steps.glb)" = 0 ]
}

@test "every program takes them as any other file" {
	need_zstd
	cp "$DATA/godot-binary/walk.plain.res" walk.res
	cp "$DATA/oracle/godot-4.7/walk.tres" .
	run -0 anim-diff --max 0 walk.res walk.tres
	run -0 anim-info walk.res
	[ "${lines[0]}" = "walk: 0.8 s, loop, from godot4, godot axes" ]
	run anim-lint --for resonite walk.res
	[ "$status" -eq 1 ]
	run -0 anim convert -q walk.res walk.animj
	head -c 1 walk.animj | grep -q '{'
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	anim-bake -q --rest "$DATA/godot-binary/crane.zstd.scn" crane.axs | anim-dump >a.txt
	anim-bake -q --rest "$ROOT/examples/crane.tscn" crane.axs | anim-dump >b.txt
	same <(sed '/^prog/,/^clip/d' a.txt) <(sed '/^prog/,/^clip/d' b.txt)
}

@test "nothing is written into one, whatever it is called" {
	cp "$DATA/godot-binary/walk.plain.res" walk.tres
	anim-parse -q walk.tres >walk.axs
	run -1 --separate-stderr anim-emit --into walk.tres walk.axs
	[ "$stderr" = "anim-emit: walk.tres: a binary file cannot be edited; save it as .tscn or .tres in Godot" ]
	same walk.tres "$DATA/godot-binary/walk.plain.res"
}

# ---- Files of others ----

corpus() {
	others=$ANIM_CORPUS/godot-binary
	[ -d "$others" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
}

@test "real pairs of text and binary files, of four engines, hold the same" {
	need_zstd
	corpus
	local binary text tolerance
	while IFS=$'\t' read -r binary text; do
		case $binary in
		*brotli*) continue ;;
		v3* | v42*) tolerance=2e-5 ;; # their text has six digits
		*) tolerance=0 ;;
		esac
		dump "$others/pairs/$binary" >"$binary.a" 2>/dev/null
		dump "$others/pairs/$text" >"$binary.b" 2>/dev/null
		[ -s "$binary.b" ] || { echo "$text" && false; }
		echo "$tolerance $binary.b $binary.a" >>lines
	done <"$others/pairs/PAIRS.tsv"
	[ "$(wc -l <lines)" -gt 100 ]
	same_dumps <lines
}

@test "real binary files of Godot 0.99 to 4.7 are read to the last byte" {
	need_zstd
	corpus
	local file rest animations bad=0
	while IFS=$'\t' read -r file _ _ _ _ _ _ _ _ _ _ animations rest; do
		anim-parse -q "$others/real/$file" >out.axs 2>err || { cat err; bad=1; }
		! grep -v 'no animation in this file' err || bad=1
		[ "$(anim-dump out.axs | grep -c '^clip')" = "$animations" ] || { echo "$file: $animations"; bad=1; }
	done < <(tail -n +2 "$others/real/SOURCES.tsv")
	[ "$bad" = 0 ]
}

@test "crafted files that the engine crashes on, or hangs, are read or refused as they should be" {
	need_zstd
	corpus
	local file bytes verdict wanted status bad=0
	while IFS=$'\t' read -r file bytes verdict _; do
		status=0
		(
			sanitized || ulimit -v 200000
			timeout 20 anim-parse --no-external "$others/bad/$file" >out.axs 2>err
		) || status=$?
		case $verdict in
		accept | note) wanted='^0 0$' ;;
		warn | resolver) wanted='^0 [1-9]' ;;
		refuse | 'as text') wanted='^1 0$' ;;
		*) wanted='^[01] ' ;;
		esac
		[[ "$status $(grep -c ': warning: [^n]' err)" =~ $wanted ]] || { echo "$file: $verdict: $status $(cat err)"; bad=1; }
	done < <(tail -n +2 "$others/bad/manifest.tsv")
	[ "$bad" = 0 ]
}

@test "scenes whose clips lie in binary files have them where these are beside them" {
	need_zstd
	corpus
	mkdir -p p/addons/gdquest_gdbot/custom_animations p/.godot/imported
	touch p/project.godot p/robot.glb
	cp "$ANIM_CORPUS/godot/g46_gdbot_skin.tscn" p/skin.tscn
	cp "$others/pairs/v46_o4.7_library.zstd.res" p/addons/gdquest_gdbot/custom_animations/custom_lib.res
	anim-parse -q p/skin.tscn 2>/dev/null | anim-dump >dump
	[ "$(grep -c '^clip name="custom_lib/' dump)" -ge 3 ]
	cp "$others/pairs/v46_inh.tscn" p/inh.tscn
	cp "$others/pairs/v46_import_robot.scn" p/.godot/imported/robot.glb-0.scn
	printf '[remap]\nimporter="scene"\npath="res://.godot/imported/robot.glb-0.scn"\n' >p/robot.glb.import
	run -0 --separate-stderr bash -c 'anim-parse p/inh.tscn | anim-dump | grep -c ^clip'
	[ "$output" -ge 2 ]
	[[ $stderr != *'not read'* ]]
}

@test "what an engine at hand saves in each form is what it saves as text" {
	need_zstd
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	local file name count=0
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/binary.gd" project/
	cp "$DATA"/oracle/godot-4.7/*.t??? "$ROOT"/examples/*.tscn "$ROOT"/examples/assets/scenes/*.tscn "$DATA/godot/unique.tscn" project/in
	for name in crane box; do # as another engine would have it, through our own hands
		anim-parse -q "$ROOT/examples/$name.tscn" | anim-emit -q -o "project/in/again_$name.tscn"
	done
	"$GODOT" --headless --path "$PWD/project" --script res://binary.gd >said 2>errors
	run ! grep FAULT said
	for file in project/binary/*; do
		name=$(basename "$file")
		same_clips "$file" "$(ls project/saved/"${name%%.*}".*)"
		count=$((count + 1))
	done
	[ "$count" -ge 80 ]
}
