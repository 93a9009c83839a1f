#!/usr/bin/env bats
# anim-pack: archives that gunzip reads, that come back bit for bit, and that do not pass when they are not whole.

load helper

# smooth RATE: a stream of the example scene, baked.
smooth() {
	anim-parse "$ROOT/examples/crane.tscn" | anim-resample --all "$1"
}

# content FILE: what a stream or an archive holds, but for how its columns are kept.
content() {
	anim-dump "$1" | awk '/^record tag="iNDX"/ { skip = 1; next } /^[a-z]/ { skip = 0 } !skip && !/^\tprepared/'
}

@test "gunzip, zcat, gzip -t and python take an archive, and its content is the stream's" {
	smooth 2000 >x.axs
	anim-pack x.axs -o x.axs.gz
	gzip -t x.axs.gz
	gunzip <x.axs.gz >un.axs
	zcat x.axs.gz | same - un.axs
	if command -v pigz; then pigz -t x.axs.gz; fi
	if command -v python3; then
		python3 -c 'import gzip, sys; sys.stdout.buffer.write(gzip.open("x.axs.gz").read())' | same - un.axs
	fi
	content x.axs >expected
	content un.axs | same - expected
	content x.axs.gz | same - expected
}

@test "an archive unpacks to the bytes of the stream that was packed" {
	smooth 2000 >x.axs
	anim-parse "$ROOT/examples/crane.tscn" >y.axs
	for name in x y; do
		for level in '' -1 -6 -9; do
			anim-pack $level $name.axs -o $name.axs.gz
			anim-unpack $name.axs.gz | same - $name.axs
			anim-pack --test $name.axs.gz
		done
	done
}

@test "the bytes do not depend on the threads, nor on whether they come from a file or a pipe" {
	smooth 40000 >x.axs
	anim-pack -j 1 -o one.axs.gz x.axs
	[ "$(wc -c <one.axs.gz)" -gt 100000 ]
	anim-pack -j 2 x.axs | same - one.axs.gz
	anim-pack --jobs 7 <x.axs | same - one.axs.gz
	ANIM_READ_MAX=1000 anim-pack <x.axs | same - one.axs.gz
}

@test "baked motion takes at most 0.6 of what gzip -6 makes of it, less with -6" {
	smooth 2000 >x.axs
	plain=$(gzip -6c x.axs | wc -c)
	packed=$(anim-pack x.axs | wc -c)
	smaller=$(anim-pack -6 x.axs | wc -c)
	echo "gzip $plain, packed $packed, with -6 $smaller"
	[ $((packed * 10)) -le $((plain * 6)) ]
	[ "$smaller" -lt "$packed" ]
}

# take KEYS NOISE: the stream of a short take of 60 bones at 30 Hz.
take() {
	awk -v keys="$1" -v noise="$2" 'BEGIN {
		print "anim-dump 1"
		print "clip name=\"take\" root=\".\" source=\"x\" start=0 end=9 loop=none axes=godot axes2d=godot flags=- rate=30/1"
		for (bone = 0; bone < 60; bone++) {
			printf "track node=\"A/S:b%d\" property=\"position\" component=- kind=Raw type=float3 ", bone
			printf "rules=plain flags=- before=hold after=hold interp=Linear "
			printf "keys=%d start=0 step=0 rate=30/1\n\tcolumns value\n", keys
			for (k = 0; k < keys; k++) {
				for (lane = 0; lane < 3; lane++)
					printf "%s%.9g", lane ? "," : "\t", 1.5 + sin(k / 30 * (1 + bone / 60 + lane) + bone) + noise * rand()
				print ""
			}
		}
		print "end"
	}' | anim-undump
}

@test "short takes of some twenty keys a track gain too, with noise as well" {
	for keys in 25 40 90; do
		take "$keys" 0 >x.axs
		take "$keys" 0.001 >y.axs
		plain=$(gzip -6c x.axs | wc -c) packed=$(anim-pack x.axs | wc -c)
		noisy=$(gzip -6c y.axs | wc -c) packed_noisy=$(anim-pack y.axs | wc -c)
		echo "$keys keys: gzip $plain, packed $packed; noisy: $noisy, $packed_noisy"
		[ $((packed * 10)) -le $((plain * 8)) ]
		[ "$packed_noisy" -lt "$noisy" ]
	done
}

@test "a small archive, and the index of any, are packed as small as zlib can" {
	anim-parse -q "$DATA/oracle/godot-4.2/easing.tres" >x.axs
	anim-pack x.axs -o x.axs.gz
	anim-pack -9 x.axs | same - x.axs.gz
	[ "$(wc -c <x.axs.gz)" -lt "$(anim-pack -6 x.axs | wc -c)" ]
}

@test "packing an archive again gives the same bytes" {
	smooth 500 | anim-pack >x.axs.gz
	anim-pack x.axs.gz | same - x.axs.gz
	zcat x.axs.gz | anim-pack | same - x.axs.gz
}

@test "packing is not in the provenance, which --no-provenance drops" {
	smooth 10 | anim-pack >x.axs.gz
	run -0 --separate-stderr bash -c 'anim-dump x.axs.gz | grep -c ^prog'
	[ "$output" = 2 ]
	run -1 --separate-stderr bash -c 'anim-pack --no-provenance x.axs.gz | anim-dump | grep ^prog'
	[ "$output" = "" ]
}

@test "-l lists clips and tracks with their times" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-pack -o x.axs.gz
	run -0 --separate-stderr anim-pack -l x.axs.gz
	[ -z "$stderr" ]
	[ "$output" = "lift: 0 .. 2 s, 5 tracks
  Skeleton3D:base  rotation      floatQ  Curve     3 keys  0 .. 2
  Skeleton3D:arm   rotation      floatQ  Curve     3 keys  0 .. 2
  Skeleton3D:hook  position      float3  Curve     2 keys  0 .. 2
  Lamp             visible       bool    Discrete  3 keys  0 .. 1.5
  Lamp             light_energy  float   Curve     2 keys  0.5 .. 1.5" ]
	anim-pack --list x.axs.gz -o list.txt
	echo "$output" | same - list.txt
	anim-pack -l <x.axs.gz | same - list.txt
}

@test "-l reads no more than the index: damage elsewhere is not seen by it, but by --test" {
	smooth 4000 | anim-pack -o x.axs.gz
	anim-pack -l x.axs.gz >before
	printf '\377' | dd of=x.axs.gz bs=1 seek=3000 conv=notrunc status=none
	anim-pack -l x.axs.gz | same - before
	run -1 --separate-stderr anim-pack --test x.axs.gz
	[[ $stderr == "anim-pack: x.axs.gz: byte "*damaged* ]]
}

@test "what is no archive is neither listed nor tested, and the message says why" {
	smooth 10 >x.axs
	gzip -k x.axs
	for file in x.axs x.axs.gz; do
		for option in -l --test; do
			run -1 --separate-stderr anim-pack $option $file
			[ "$stderr" = "anim-pack: $file: no archive; try: anim-pack $file -o $file.gz" ]
		done
	done
	run -1 --separate-stderr bash -c 'anim-pack x.axs | anim-pack -l'
	[ "$stderr" = "anim-pack: -: no archive in a regular file; save it, then name it" ]
	run -1 --separate-stderr anim-pack -l missing.axs.gz
	[[ $stderr == "anim-pack: missing.axs.gz: "*"No such file or directory" ]]
}

@test "a cut stream leaves no archive: -o nothing, a pipe nothing that passes" {
	smooth 4000 >x.axs
	head -c -8 x.axs >cut.axs
	run -1 --separate-stderr anim-pack cut.axs -o cut.axs.gz
	[[ $stderr == "anim-pack: cut.axs: byte "*cut* ]]
	[ ! -e cut.axs.gz ]
	run -1 anim-pack cut.axs >pipe.axs.gz
	anim-pack cut.axs >pipe.axs.gz 2>/dev/null || true
	run -1 anim-info pipe.axs.gz
	run -1 anim-pack --test pipe.axs.gz
	run -1 --separate-stderr bash -o pipefail -c 'anim-pack cut.axs 2>/dev/null | anim-info >/dev/null'
}

@test "a killed anim-pack leaves nothing that passes, and no temporary" {
	smooth 40000 >x.axs
	mkfifo feed
	anim-pack -j 2 feed -o killed.axs.gz 3>&- &
	pack=$!
	exec 9>feed
	head -c 3000000 x.axs >&9
	kill -TERM $pack
	exec 9>&-
	status=0
	wait $pack || status=$?
	[ "$status" -eq 143 ]
	[ ! -e killed.axs.gz ]
	run -0 find . -name '.killed*' -o -name 'killed*'
	[ -z "$output" ]
}

@test "a full disk and a closed reader end it as they end every filter" {
	smooth 4000 >x.axs
	run -1 --separate-stderr bash -c 'anim-pack x.axs >/dev/full'
	[ "$stderr" = "anim-pack: cannot write standard output: No space left on device" ]
	smooth 40000 >large.axs
	run -0 --separate-stderr bash -c 'anim-pack -j 4 large.axs | head -c 10 >/dev/null'
	[ -z "$stderr" ]
}

@test "options that cannot be are refused" {
	run -2 --separate-stderr anim-pack -j 0 x.axs
	[ "${stderr_lines[0]}" = "anim-pack: --jobs: 0 is not a number from 1 to 256" ]
	run -2 --separate-stderr anim-pack -j 257 x.axs
	[ "${stderr_lines[0]}" = "anim-pack: --jobs: 257 is not a number from 1 to 256" ]
	run -2 --separate-stderr anim-pack -1 -9 x.axs
	[ "${stderr_lines[0]}" = "anim-pack: -1 and -9 cannot be combined" ]
	run -2 --separate-stderr anim-pack -l --test x.axs
	[ "${stderr_lines[0]}" = "anim-pack: --list and --test cannot be combined" ]
	run -2 anim-pack -0 x.axs
	run -2 --separate-stderr anim-pack -o x.tres x.axs
	[ "${stderr_lines[0]}" = "anim-pack: -o x.tres: an archive is not tres; call it .axs.gz" ]
	run -2 --separate-stderr anim-pack -o x.zip walk.axs
	[ "${stderr_lines[0]}" = "anim-pack: -o x.zip: an archive is not zip; call it .axs.gz" ]
}

@test "memory follows the largest track, not the stream: at most 8 MB + 3 x the track with two threads" {
	not_sanitized "their own memory would be measured"
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o peak "$ROOT/tests/bench/peak.c"
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/lib" -o generate "$ROOT/tests/bench/generate_stream.c" \
		"$ANIM_BUILD/lib/all.a" -lz -lm
	./generate smooth 12 100000 >x.axs
	./peak 3>file anim-pack -j 2 x.axs >/dev/null
	cat x.axs | ./peak 3>pipe anim-pack -j 2 >/dev/null
	echo "$(cat file pipe) KiB"
	for peak in $(cat file pipe); do
		[ "$peak" -gt 1000 ]
		[ $((peak * 1024)) -le $((8 * 1048576 + 3 * 1600000)) ]
	done
}
