#!/usr/bin/env bats
# AnimX through the programs: read and written, in every encoding, from files and pipes, whole and cut.

load helper

GOOD=$DATA/animx/good
BAD=$DATA/animx/bad

# tracks FILE: all tracks and values of a file as text, without what tells where it came from.
tracks() {
	anim-parse -q --no-provenance --source-name x "$1" 2>/dev/null | anim-dump
}

@test "every file that is written in one encoding holds what it holds in the others" {
	for file in "$GOOD"/v1_plain_raw.animx "$GOOD"/v1_lzma_raw.animx "$GOOD"/order_value_time.animx "$GOOD"/no_tracks.animx; do
		anim-parse -q "$file" 2>/dev/null >in.axs
		for encoding in plain lz4 lzma; do
			anim-emit animx --encoding "$encoding" -o "$encoding.animx" in.axs
		done
		tracks plain.animx >plain
		tracks lz4.animx >lz4
		tracks lzma.animx >lzma
		same plain lz4
		same plain lzma
	done
}

@test "-o with the suffix animx is enough, and a pipe gives the bytes that a file gives" {
	anim-parse -q "$GOOD/v1_plain_raw.animx" | anim-emit -o a.animx
	same a.animx "$GOOD/v1_plain_raw.animx"
	anim-parse -q --source-name b "$GOOD/v1_lzma_raw.animx" >file.axs
	anim-parse -q --source-name b <"$GOOD/v1_lzma_raw.animx" >redirected.axs
	cat "$GOOD/v1_lzma_raw.animx" | anim-parse -q --source-name b >pipe.axs
	same redirected.axs pipe.axs
	anim-dump file.axs | grep -v '^prog' >file
	anim-dump pipe.axs | grep -v '^prog' >pipe
	same file pipe
}

@test "gzip around an AnimX file is seen through" {
	gzip -c "$GOOD/v1_lz4_curve_flags3.animx" >a.animx.gz
	tracks a.animx.gz >packed
	tracks "$GOOD/v1_lz4_curve_flags3.animx" >plain
	same packed plain
}

@test "a cut file is refused at any place, and leaves no stream that ends" {
	local size
	anim-parse -q "$GOOD/flags1_without_tangents.animx" | anim-emit animx --encoding lzma >whole.animx
	for file in whole.animx "$GOOD/flags1_without_tangents.animx"; do
		size=$(wc -c <"$file")
		for ((cut = 0; cut < size; cut += 3)); do
			head -c "$cut" "$file" >cut.animx
			run -1 --separate-stderr anim-parse -f animx --force -o cut.axs cut.animx
			[ ! -e cut.axs ]
			[[ $stderr == "anim-parse: cut.animx:"* ]]
		done
	done
}

@test "the value first on request, which is read back with a warning" {
	anim-parse -q "$GOOD/v1_plain_curve_flags0.animx" >in.axs
	anim-emit animx --to-key-order value-time -o v.animx in.axs
	anim-emit animx -o t.animx in.axs
	run ! cmp -s v.animx t.animx
	run -0 --separate-stderr anim-parse --force -o v.axs v.animx
	[[ $stderr == *"Curve keys of this file have the value before the time, and were read in this order" ]]
	run -1 --separate-stderr anim-parse --strict v.animx
	tracks v.animx >v
	tracks t.animx >t
	same v t
}

@test "anim-info shows the compression of a file" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-emit -q -o plain.animx
	for encoding in lz4 lzma; do
		anim-parse plain.animx | anim-emit --encoding $encoding -o $encoding.animx 2>err || {
			grep -q 'this build' err && skip "built without $encoding"
			false
		}
	done
	run -0 anim-info -l lz4.animx plain.animx lzma.animx "$ROOT/examples/crane.tscn"
	[[ ${lines[0]} == "lift: 2 s, from animx, lz4, resonite axes"* && ${lines[1]} == "lift: 2 s, from animx, resonite axes"* ]]
	[[ ${lines[2]} == "lift: 2 s, from animx, lzma, resonite axes"* && ${lines[3]} == "lift: 2 s, from godot4, godot axes"* ]]
	[[ $(anim-info --json plain.animx) == *'"source":"animx","encoding":"plain",'* ]]
	run -0 anim-info --json "$ROOT/examples/crane.tscn"
	[[ $output != *encoding* ]]
}

@test "curves of Godot become curves that AnimX holds, in one go" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-axes resonite | anim-emit -q -o crane.animx
	run -0 anim-info crane.animx
	[[ ${lines[0]} == "lift: 2 s, from animx, resonite axes" ]]
	[[ $output == *"base  rotation"* && $output == *"CubicBezier"* ]]
}

@test "a full disk fails" {
	[ -w /dev/full ] || skip "no /dev/full"
	anim-parse -q "$GOOD/v1_plain_raw.animx" >in.axs
	for encoding in plain lz4 lzma; do
		run -1 --separate-stderr bash -c "anim-emit animx --encoding $encoding in.axs >/dev/full"
		[[ $stderr == "anim-emit: "*"No space left on device" ]]
	done
}

@test "memory stays small where a file announces more than it holds" {
	not_sanitized "more address space is needed"
	local refused=0
	for file in "$BAD"/keys_2_63.animx "$BAD"/lzma_bomb_usize.animx "$BAD"/tracks_huge.animx "$BAD"/name_2_62.animx; do
		run -1 --separate-stderr bash -c "ulimit -v 200000; anim-parse '$file' | cat >/dev/null; exit \${PIPESTATUS[0]}"
		[[ $stderr != *"out of memory"* ]]
		refused=$((refused + 1))
	done
	[ "$refused" -eq 4 ]
}

float_track() { # an AnimJ of a clip of $1 s with one track of floats: time value ...
	local length=$1 keys=
	shift
	while [ $# -gt 0 ]; do
		keys+=",{\"time\":$1,\"value\":$2,\"interpolation\":\"Linear\"}"
		shift 2
	done
	printf '{"name":"a","globalDuration":%s,"tracks":[{"trackType":"Curve","valueType":"float","data":{"node":"A","property":"p","keyframes":[%s]}}]}' "$length" "${keys#,}"
}

@test "what is written is read back without doubt, whatever its values are" {
	# Either half could be the time: within the clip, on its end, past it; and a value could be none, but for its neighbour.
	for keys in "1 0 0.25 0.5 0.75" "1 0 0.25 0.5 1" "0.5 0 0 1 0.5" "2 0 0 2 2" "1 0 0"; do
		# shellcheck disable=SC2086
		float_track $keys >in.animj
		anim-parse -q in.animj >in.axs
		for encoding in plain lzma; do
			anim-emit -q --encoding $encoding -o out.animx in.axs
			run -0 --separate-stderr anim-parse --strict --no-provenance --force -o back.axs out.animx
			[ -z "$stderr" ]
			anim-dump in.axs | sed -n '/columns/,$p' >before
			anim-dump back.axs | sed -n '/columns/,$p' >after
			same before after
		done
	done
}

@test "rotations of length 1 show which half of a key is its time" {
	cat >spin.animj <<'JSON'
{"name":"spin","globalDuration":2,"tracks":[{"trackType":"Curve","valueType":"floatQ","data":{"node":"A","property":"Rotation","keyframes":[{"time":0,"value":{"x":0,"y":0,"z":0,"w":1},"interpolation":"Linear"},{"time":1,"value":{"x":0,"y":1,"z":0,"w":0},"interpolation":"Linear"},{"time":2,"value":{"x":0,"y":0,"z":0,"w":-1},"interpolation":"Linear"}]}}]}
JSON
	anim-parse spin.animj | anim-dump | sed -n '/columns/,$p' >before
	for order in time-value value-time; do
		anim-parse spin.animj | anim-emit --to-key-order $order -o spin.animx
		anim-parse spin.animx 2>err | anim-dump | sed -n '/columns/,$p' >after
		same before after
	done
	[ "$(cat err)" = "anim-parse: spin.animx: byte 21: warning: Curve keys of this file have the value before the time, and were read in this order" ]
}

@test "--key-order says what a file does not, and refuses what cannot be" {
	float_track 1 0 0.25 0.5 0.75 | anim-parse -f animj | anim-emit --to-key-order value-time -o v.animx
	run -0 --separate-stderr anim-parse --force -o v.axs v.animx
	[[ $stderr == *"may have the time or the value first; they were read time first (to change this, use -x key-order)" ]]
	run -0 --separate-stderr anim-parse --strict --key-order value-time --force -o v.axs v.animx
	[ -z "$stderr" ]
	anim-dump v.axs | grep -qx $'\t0.5 0.75'
	anim-parse --key-order time-value v.animx | anim-dump | grep -qx $'\t0.75 0.5'
	float_track 1 0 5 1 4 | anim-parse -f animj | anim-emit -o t.animx
	run -1 --separate-stderr anim-parse --key-order value-time t.animx
	[[ $stderr == *"Curve keys with times that are not finite, negative or decreasing if they are read value first, as -x key-order requires" ]]
}

# An AnimX of $1 empty Discrete tracks of int with empty names: five bytes each.
many_tracks() {
	printf '\5AnimX\1\0\0\0'
	# The count in three groups of seven bits.
	printf "\\x$(printf %x $((($1 & 127) | 128)))\\x$(printf %x $((($1 >> 7 & 127) | 128)))\\x$(printf %x $(($1 >> 14)))"
	printf '\0\0\200\77\0\0'
	yes "$(printf '%s' '1 12 0 0 0')" | head -n "$1" | awk '{ printf "%c%c", 1, 10; for (i = 0; i < 3; i++) printf "%c", 0 }'
}

@test "an AnimX of more tracks than any clip has is refused, unless its size is trusted" {
	not_bytewise "it is many times a small file"
	[ "$(printf '' | awk 'END { printf "%c", 0 }' | wc -c)" -eq 1 ] || skip "this awk prints no NUL"
	many_tracks 262145 >many.animx
	run -1 --separate-stderr anim-parse -q --force -o out.axs many.animx
	[[ $stderr == *"more than 262144 tracks; if you trust the file, use -x trust-size" ]]
	anim-parse -q --trust-size --force -o out.axs many.animx
	many_tracks 262144 >most.animx
	anim-parse -q --force -o out.axs most.animx
}

@test "a compressed body that inflates to far more than its file is refused, unless its size is trusted" {
	anim-parse -q "$GOOD/v1_lzma_raw.animx" >/dev/null || skip "built without LZMA"
	not_bytewise "68 MB"
	# One Raw track of 17,000,000 floats that are 0, 30 samples a second.
	{
		printf '\5AnimX\1\0\0\0\1\0\0\200\77\0\0\0\25\0\0\xc0\xcc\x8d\x08\x89\x88\x08\x3d'
		head -c 68000000 /dev/zero
	} >plain.animx
	anim-parse -q plain.animx | anim-emit -q --encoding lzma -o small.animx
	[ "$(wc -c <small.animx)" -lt 20000 ]
	run -1 --separate-stderr anim-parse -q --force -o out.axs small.animx
	[[ $stderr == *"more than 67108864 bytes inflate from "*"; if you trust the file, use -x trust-size" ]]
	anim-parse -q --trust-size --force -o out.axs small.animx
	anim-parse -q --force -o out.axs plain.animx
}

@test "a track without keys is reported" {
	printf '\5AnimX\1\0\0\0\1\0\0\200\77\0\0\1\12\1A\1p\0' >empty.animx
	run -0 --separate-stderr anim-parse --force -o out.axs empty.animx
	[ "$stderr" = "anim-parse: empty.animx: byte 17: warning: track 'A p': no keys, which is said to crash Resonite" ]
}

@test "tangents that no key uses are reported where AnimJ drops them" {
	# A Curve of two Linear keys with tangents.
	{
		printf '\5AnimX\1\0\0\0\1\0\0\200\77\0\0\2\25\1A\1p\2\2\1'
		printf '\0\0\0\0\0\0\0\77\0\0\200\77\0\0\200\277\0\0\200\77\0\0\200\77\0\0\200\77\0\0\200\77'
	} >linear.animx
	anim-parse -q linear.animx --force -o linear.axs
	run -0 --separate-stderr anim-emit -o out.animj linear.axs
	[[ "$stderr" = *"warning: track 'A p': tangents that no key uses (Hold and Linear have none) were dropped"* ]]
	anim-emit --strict -o out.animx linear.axs
}
