#!/usr/bin/env bats
# The stream between programs: what is refused and where, that a cut one never passes for whole, and the manual's example.

load helper

# verdicts FOLDER: lines "file verdict offset" of a manifest, offset - where it tells none.
verdicts() {
	awk -F'"' '/"file"/ { file = $4 } /"verdict"/ { verdict = $4 } /"offset"/ { split($3, part, /[ ,:]+/); offset = part[2] }
		/}/ && file != "" { print file, verdict, offset == "" ? "-" : offset; file = offset = "" }' "$DATA/axs/$1/manifest.json"
}

# box: a small stream of a scene with one clip.
box() {
	anim-parse "$ROOT/examples/box.tscn" >box.axs
}

reader() {
	command -v python3 >/dev/null || skip "python3 is not installed, which runs the independent reader"
	READER=$ROOT/../shared/crafted/axs_read.py
	[ -f "$READER" ] || skip "the independent reader ../shared/crafted/axs_read.py is not here"
}

@test "every good stream is read" {
	count=0
	while read -r file verdict _; do
		[ "$verdict" = accept ]
		anim-dump "$DATA/axs/good/$file" >/dev/null || { echo "$file" && false; }
		count=$((count + 1))
	done < <(verdicts good)
	[ "$count" -eq 50 ]
}

@test "every bad stream is refused in one line with its byte offset, and nothing is left of the output" {
	count=0
	while read -r file verdict offset; do
		[ "$verdict" = refuse ]
		run -1 --separate-stderr anim-dump -o out "$DATA/axs/bad/$file"
		[[ $stderr == "anim-dump: $DATA/axs/bad/$file: byte "* && $stderr != *$'\n'* ]] || { echo "$file: $stderr" && false; }
		[ "$offset" = - ] || [[ $stderr == *": byte $offset: "* ]] || { echo "$file: $stderr" && false; }
		[ ! -e out ]
		count=$((count + 1))
	done < <(verdicts bad)
	[ "$count" -eq 122 ]
}

@test "a cut stream fails every later program, leaves nothing, and gives one line" {
	box
	size=$(wc -c <box.axs)
	for ((cut = 0; cut < size; cut += cut < size - 40 ? 37 : 1)); do
		head -c "$cut" box.axs >cut.axs
		run -1 --separate-stderr bash -o pipefail -c \
			'anim-resample 30 <cut.axs 2>reason | anim-emit animj --axes keep -o out.animj 2>later'
		[ "$(wc -l <reason)" -eq 1 ]
		[ "$(wc -l <later)" -eq 1 ]
		[ ! -e out.animj ]
		run -1 bash -c 'anim-resample 30 <cut.axs 2>/dev/null | anim-emit animj --axes keep >/dev/null 2>&1'
	done
}

@test "a byte after END is refused, a second stream with the advice to use anim-cat" {
	box
	{ cat box.axs && printf x; } >more.axs
	run -1 --separate-stderr anim-resample 30 more.axs
	[[ $stderr == "anim-resample: more.axs: byte $(wc -c <box.axs): bytes after the END" ]]
	cat box.axs box.axs >two.axs
	run -1 --separate-stderr anim-resample 30 two.axs
	[[ $stderr == *"use anim-cat"* ]]
}

@test "a flipped byte fails the program that reads it and those after it" {
	box
	size=$(wc -c <box.axs)
	for ((at = 0; at < size; at += 61)); do
		byte=$(od -An -tu1 -j "$at" -N 1 box.axs)
		cp box.axs bad.axs
		# shellcheck disable=SC2059
		printf "\\$(printf %03o $((byte ^ 16)))" | dd of=bad.axs bs=1 seek="$at" conv=notrunc status=none
		run -1 bash -c 'anim-resample 30 bad.axs 2>/dev/null | anim-emit animj --axes keep >/dev/null 2>&1'
		run -1 anim-resample 30 bad.axs
	done
}

@test "a file, a pipe, gzip and one-byte windows give the same bytes" {
	box
	anim-resample 30 --no-provenance box.axs >want.axs
	anim-resample 30 --no-provenance <box.axs | same - want.axs
	# shellcheck disable=SC2002
	cat box.axs | anim-resample 30 --no-provenance | same - want.axs
	gzip -c box.axs | anim-resample 30 --no-provenance | same - want.axs
	ANIM_READ_MAX=1 anim-resample 30 --no-provenance box.axs | same - want.axs
	gzip -c box.axs | ANIM_READ_MAX=1 anim-resample 30 --no-provenance | same - want.axs
}

@test "a store without memory gives the same bytes" {
	anim-parse "$ROOT/examples/crane.tscn" >want.axs
	ANIM_STORE_MEMORY=0 anim-parse "$ROOT/examples/crane.tscn" | same - want.axs
	ANIM_STORE_MEMORY=1000 anim-parse "$ROOT/examples/crane.tscn" | same - want.axs
}

@test "a full disk is an error of the program that meets it" {
	[ -w /dev/full ] || skip "there is no /dev/full"
	box
	run -1 --separate-stderr bash -c 'anim-resample 30 box.axs >/dev/full'
	[[ $stderr == *"No space left on device"* ]]
	run -1 bash -c 'anim-dump box.axs >/dev/full'
}

@test "a reader that closes early ends the program before it in silence" {
	not_windows "there are no signals"
	for i in 1 2 3 4 5 6; do cat "$DATA/axs/good/many_nodes.axs" >"$i.axs"; done
	# shellcheck disable=SC2016
	run --separate-stderr bash -c 'anim-dump 1.axs | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}'
	[ "$status" -eq 0 ] || [ "$status" -eq 141 ]
	[ -z "$stderr" ]
}

@test "what the programs write passes the independent reader's strict mode" {
	reader
	for scene in box crane; do
		anim-parse "$ROOT/examples/$scene.tscn" >parsed.axs
		anim-axes resonite parsed.axs >turned.axs
		anim-resample 30 turned.axs >sampled.axs
		for file in parsed.axs turned.axs sampled.axs; do
			python3 "$READER" --strict --head "$file" >/dev/null
		done
	done
}

@test "the independent reader refuses every damage to what the programs write" {
	reader
	box
	run -0 python3 "$READER" --damage box.axs
	[[ $output == *" 0 accepted" ]]
}

@test "every stream of the fuzz corpus is accepted or refused cleanly" {
	not_windows "replays are not built"
	run -0 replay_stream "$ROOT/tests/fuzz/corpus/stream" "$DATA/axs"
	[[ $output == *" inputs" && ${output% inputs} -gt 180 ]]
}

# example: compiles the program that is printed in anim-stream(5), taken out of the page.
example() {
	command -v "${CC:-cc}" >/dev/null || skip "there is no C compiler for the manual's example"
	sed -n '/axs-mute.c begins/,/axs-mute.c ends/{ /^\.[\\B E]/d; /^\.Ed/d; s/^\\&//; s/\\e/\\/g; p; }' \
		"$ROOT/man/anim-stream.5" >axs-mute.c
	"${CC:-cc}" -std=c11 -O1 -o axs-mute axs-mute.c -lz
}

@test "the manual's example is the program in examples" {
	example
	same axs-mute.c "$ROOT/examples/axs-mute.c"
}

@test "the manual's example leaves out one node's tracks and nothing else" {
	example
	anim-dump "$DATA/axs/good/components.axs" >want.txt
	./axs-mute Nobody <"$DATA/axs/good/components.axs" | anim-dump | grep -v '^prog program="axs-mute" version="1"$' |
		same - want.txt
	anim-parse "$ROOT/examples/crane.tscn" >crane.axs
	anim-dump crane.axs | awk '/^[a-z]/ { out = /^track node="Lamp" / } !out' >want.txt
	./axs-mute Lamp <crane.axs | anim-dump | grep -v '^prog program="axs-mute" version="1"$' | same - want.txt
	[ "$(anim-dump crane.axs | wc -l)" -gt "$(wc -l <want.txt)" ]
}

@test "the manual's example reads every good stream and writes streams that are whole" {
	example
	for file in "$DATA"/axs/good/*.axs; do
		./axs-mute Nobody <"$file" >out.axs
		anim-dump out.axs >/dev/null
	done
}

@test "the manual's example fails on a cut or damaged stream and on a full disk" {
	example
	box
	size=$(wc -c <box.axs)
	for ((cut = 0; cut < size; cut += 13)); do
		head -c "$cut" box.axs | run -1 ./axs-mute Box
	done
	for file in crc_TRAK cut_by_8 end_count end_twice length_all_ones tag_nul padding prog_after_clip index_twice; do
		run -1 bash -c "./axs-mute Box <'$DATA/axs/bad/$file.axs' | anim-dump"
	done
	run -1 bash -c './axs-mute Box <box.axs >/dev/full'
}
