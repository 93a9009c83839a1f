#!/usr/bin/env bats
# Archives: what comes out of them, whole and in part, what was read for it, and what is refused.

load helper

A=$DATA/archive

# plain FILE: the stream of an archive as text, without what packing adds.
plain() {
	anim-dump "$1" | awk '/^[^\t]/ { index_of_archive = /^record tag="iNDX"/ } !index_of_archive && !/^\tprepared /'
}

# both OPTION...: a part of archive.axs.gz by its index and out of a pipe must be the same bytes and the same messages.
both() {
	anim-unpack "$@" "$A/archive.axs.gz" >index.axs 2>index.err
	cat "$A/archive.axs.gz" | anim-unpack "$@" >pipe.axs 2>pipe.err
	sed -i 's/^anim-unpack: [^:]*archive.axs.gz: /anim-unpack: /' index.err
	same index.axs pipe.axs && same index.err pipe.err
}

@test "an archive unpacked is the stream that was packed, its columns plain again" {
	for name in archive archive_small archive_prog archive_end_only archive_members_of_1 archive_members_of_37 \
		plain_gzip; do
		anim-unpack --force "$A/$name.axs.gz" -o out.axs
		same <(plain "$A/$name.axs.gz") <(anim-dump out.axs)
		run ! grep -q prepared <(anim-dump out.axs)
		anim-unpack out.axs | cmp - out.axs
	done
	anim-dump "$A/archive.axs.gz" | grep -q '^	prepared '
}

@test "a part read by the index is the same as one cut out of a pipe" {
	both -t 1..2
	both -t 0.1..0.2 -p position
	both -c second
	both -n B
	both -n 'A/*' -p 'sc*' -t 0:00:05..0:00:06.5
	both -c take -c 'sec*' -n A -t -0.5..0.25
	both -p @method
	both -p @method -t 0.1..0.2
	both --no-provenance -t 300..302
	[ -s index.axs ]
}

# open_as_closed OPEN CLOSED OPTION...: an open range takes the same bytes out as the closed one.
open_as_closed() {
	both -t "$1" "${@:3}"
	mv index.axs open.axs
	both -t "$2" "${@:3}"
	same open.axs index.axs
}

@test "an open beginning is the clip's start, an open end its end" {
	open_as_closed 665.. 665..666
	open_as_closed 0:11:00.3.. 660.3..666 -n A
	open_as_closed ..-0.25 -1..-0.25
	open_as_closed ..0.3 -1..0.3 -p @method
	open_as_closed 0.5.. 0.5..1 -c second
	open_as_closed ..0.5 0..0.5 -c second
	anim-unpack -t 0.5.. "$A/archive.axs.gz" | anim-dump >open.dump
	[ "$(sed -n 's/^clip name=\(.*\) root=.* \(start=.*\) loop=.*/\1 \2/p' open.dump)" = $'"take" start=0.5 end=666\n"second" start=0.5 end=1' ]
	anim-unpack -t ..0.5 "$A/archive.axs.gz" | anim-dump >open.dump
	[ "$(sed -n 's/^clip name=\(.*\) root=.* \(start=.*\) loop=.*/\1 \2/p' open.dump)" = $'"take" start=-1 end=0.5\n"second" start=0 end=0.5' ]
}

@test "for an open range no more is read than for the closed one" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-retime -q --duration 3600 | anim-resample 30 | anim-pack -o take.axs.gz
	while read -r open closed; do
		anim-unpack --stats -t "$open" take.axs.gz -o open.axs 2>open.err
		anim-unpack --stats -t "$closed" take.axs.gz -o closed.axs 2>closed.err
		same open.axs closed.axs && same open.err closed.err
		[[ $(cat open.err) =~ " "([0-9]+)" of "([0-9]+)" bytes read, " ]]
		[ "${BASH_REMATCH[1]}" -lt $((BASH_REMATCH[2] / 2)) ]
	done <<<$'3590.. 3590..3600\n..2 0..2'
}

@test "only the members that are needed are read and inflated" {
	run -0 --separate-stderr anim-unpack --stats -p @method -t 0.4..0.6 "$A/archive_members_of_37.axs.gz" -o out.axs
	[[ $stderr =~ ^"anim-unpack: $A/archive_members_of_37.axs.gz: "([0-9]+)" of 29640 bytes read, "([0-9]+)" members inflated"$ ]]
	[ "${BASH_REMATCH[1]}" -lt 10000 ]
	[ "${BASH_REMATCH[2]}" -lt 200 ]
	run -0 --separate-stderr bash -c 'anim-unpack --stats -p @method -o out2.axs <'"'$A/archive_members_of_37.axs.gz'"
	[[ $stderr == "anim-unpack: -: "*" of 29640 bytes read, "* ]]
	run -0 --separate-stderr bash -c "cat '$A/archive_small.axs.gz' | anim-unpack --stats -o out3.axs"
	[[ $stderr == "anim-unpack: -: 383 bytes read, "*" members inflated" ]]
}

@test "a part keeps the take's own times, and says its start and end" {
	anim-unpack -c take -p position -t 12..14.5 "$A/archive.axs.gz" -o part.axs
	run -0 anim-info part.axs
	[[ ${lines[0]} == "take: 2.5 s (12 .. 14.5), "* ]]
	[[ $output == *" Raw 30/s       76  12 .. 14.5 "* ]]
	run -0 anim-info --tree part.axs
	[[ $output == *A* ]]
}

@test "records of other programs stay in the whole stream and go with a part, provenance stays" {
	anim-unpack "$A/archive.axs.gz" -o whole.axs
	anim-unpack -c take "$A/archive.axs.gz" -o part.axs
	anim-dump whole.axs | grep -q '^record tag="abcd"'
	run ! grep -q 'abcd' <(anim-dump part.axs)
	anim-dump part.axs | grep -q '^prog '
	run ! grep -q '^prog ' <(anim-unpack --no-provenance -c take "$A/archive.axs.gz" | anim-dump)
}

@test "what does not exist is named: clips by name, times with the range, tracks with a warning" {
	run -1 --separate-stderr anim-unpack -c walk -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: no clip is named 'walk'; the clips are take, second" ]
	run -1 --separate-stderr bash -o pipefail -c "cat '$A/archive.axs.gz' | anim-unpack -c walk -o out.axs"
	[ "$stderr" = "anim-unpack: no clip is named 'walk'; the clips are take, second" ]
	run -1 --separate-stderr anim-unpack -t 700..701.5 -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: no clip overlaps 700..701.5; run anim-info to see their times" ]
	run -1 --separate-stderr anim-unpack -t 700.. -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: no clip overlaps 700..; run anim-info to see their times" ]
	[ ! -e out.axs ]
	run -0 --separate-stderr anim-unpack -t ..-0.5 -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: $A/archive.axs.gz: note: clip 'second' (0..1 s): left out, because it is outside ..-0.5" ]
	run -0 --separate-stderr anim-unpack -t 300..301 -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: $A/archive.axs.gz: note: clip 'second' (0..1 s): left out, because it is outside 300..301" ]
	run -0 --separate-stderr anim-unpack -q -t 300..301 -o out.axs "$A/archive.axs.gz"
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-unpack -n Leg -o out.axs "$A/archive.axs.gz"
	[ "$stderr" = "anim-unpack: $A/archive.axs.gz: warning: no track matches; run anim-info to list the tracks" ]
	run -1 --separate-stderr anim-unpack --strict -n Leg -o out2.axs "$A/archive.axs.gz"
	[ ! -e out2.axs ]
}

@test "a range of time that is none gets two lines and exit status 2" {
	run -2 --separate-stderr anim-unpack -t 12-14 "$A/archive.axs.gz"
	[ "${stderr_lines[0]}" = "anim-unpack: '12-14' is not a range of time; write FROM..TO in seconds, as h:mm:ss or in frames, with one left out for the clip's own: 12..14.5, 0:12:00..0:12:02, 360f..435f, 12.." ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	run -2 --separate-stderr anim-unpack -t .. "$A/archive.axs.gz"
	[[ ${stderr_lines[0]} == "anim-unpack: '..' is not a range of time; "* ]]
	run -2 --separate-stderr anim-unpack -t 14..12 "$A/archive.axs.gz"
	[ "${stderr_lines[0]}" = "anim-unpack: the range '14..12' ends before it begins" ]
}

@test "a curve under Godot's rules that cannot be cut exactly is warned of" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	run -0 --separate-stderr anim-unpack -t 0.25..0.75 crane.axs -o part.axs
	[ "$stderr" = "anim-unpack: crane.tscn: 'lift': warning: 2 tracks: changed at an end of the range because of a curve or unsorted keys there; resample before packing (first 'Skeleton3D:arm rotation')" ]
	run -0 --separate-stderr anim-unpack -n Lamp -t 0.25..0.75 crane.axs -o part.axs
	[ "$stderr" = "anim-unpack: crane.tscn: 'lift': warning: track 'Lamp light_energy': changed at an end of the range because of a curve or unsorted keys there; resample before packing" ]
	run -0 --separate-stderr anim-unpack -n '*hook' -t 0.25..0.75 crane.axs -o part.axs
	[ -z "$stderr" ]
	run -1 --separate-stderr anim-unpack --strict -t 0.25..0.75 crane.axs -o strict.axs
	[ ! -e strict.axs ]
	anim-resample 30 crane.axs | anim-unpack --strict -t 0.25..0.75 -o part.axs
}

@test "two archives put one after the other are refused with the advice to use anim-cat" {
	cat "$A/archive.axs.gz" "$A/archive.axs.gz" >same.axs.gz
	cat "$A/archive.axs.gz" "$A/archive_small.axs.gz" >shorter.axs.gz
	cat "$A/archive_small.axs.gz" "$A/archive.axs.gz" >longer.axs.gz
	for file in same shorter longer; do
		for option in -q '-n*'; do
			run -1 --separate-stderr anim-unpack "$option" -o out.axs "$file.axs.gz"
			[[ $stderr == "anim-unpack: $file.axs.gz: byte "*"; use anim-cat to join files" ]]
			[ "${#stderr_lines[@]}" -eq 1 ]
		done
		run -1 --separate-stderr anim-info "$file.axs.gz"
		[[ $stderr == *"; use anim-cat to join files" ]]
	done
	[ ! -e out.axs ]
}

@test "cut, appended and damaged archives are named and leave nothing" {
	for size in 30 100 94678 94720; do
		head -c "$size" "$A/archive.axs.gz" >bad.axs.gz
		run -1 --separate-stderr anim-unpack -n '*' -o out.axs bad.axs.gz
		[[ $stderr == "anim-unpack: bad.axs.gz: byte $size: the archive is cut: its last member is missing" ]]
		run -1 --separate-stderr anim-unpack -o out.axs bad.axs.gz
		[[ $stderr == "anim-unpack: bad.axs.gz: byte "*cut* ]]
	done
	{ cat "$A/archive.axs.gz"; echo more; } >bad.axs.gz
	run -1 --separate-stderr anim-unpack -o out.axs bad.axs.gz
	[[ $stderr == *"unexpected bytes after the gzip data" ]]
	run -1 --separate-stderr anim-unpack -n '*' -o out.axs bad.axs.gz
	[[ $stderr == *"the archive is cut: its last member is missing" ]]
	{ head -c 50000 "$A/archive.axs.gz"; printf '\0'; tail -c +50002 "$A/archive.axs.gz"; } >bad.axs.gz
	run -1 --separate-stderr anim-unpack -n '*' -o out.axs bad.axs.gz
	[[ $stderr == "anim-unpack: bad.axs.gz: byte "*": the member that begins here is damaged: "* ]]
	run -1 --separate-stderr anim-unpack -o out.axs bad.axs.gz
	[[ $stderr == "anim-unpack: bad.axs.gz: byte "*damaged* ]]
	[ ! -e out.axs ]
}

@test "a trailer that leads elsewhere is refused by the index; only its own fixed bytes count as one" {
	for offset in '\0\0' '\377\377\377\377\377\377\377\177'; do
		{ head -c -18 "$A/archive.axs.gz"; printf "$offset" | head -c 8; tail -c 18 "$A/archive.axs.gz" |
			tail -c +"$(($(printf "$offset" | wc -c) + 1))"; } >bad.axs.gz
		[ "$(wc -c <bad.axs.gz)" = 94721 ]
		run -1 --separate-stderr anim-unpack -n '*' -o out.axs bad.axs.gz
		[[ $stderr == "anim-unpack: bad.axs.gz: byte "* ]]
	done
	[ ! -e out.axs ]
}

@test "every program reads an archive, a stream that gzip packed, and what zcat makes of them" {
	for file in archive plain_gzip; do
		anim-info "$A/$file.axs.gz" | grep -q '^2 clips, 10 tracks, 29620 keys'
		zcat "$A/$file.axs.gz" | anim-info | grep -q '^2 clips, 10 tracks, 29620 keys'
		anim-resample --all 1 "$A/$file.axs.gz" >/dev/null 2>&1 || [ $? -eq 1 ]
		anim-axes unity "$A/$file.axs.gz" 2>/dev/null | anim-dump | grep -q '^clip .*unity'
	done
	anim-unpack "$A/archive.axs.gz" | gzip -1 >again.axs.gz
	same <(anim-unpack -t 1..2 again.axs.gz) <(anim-unpack -t 1..2 "$A/archive.axs.gz")
}

@test "a named pipe is read as a pipe, its writer undisturbed" {
	mkfifo fifo
	cat "$A/archive.axs.gz" >fifo &
	anim-unpack -t 1..2 fifo >out.axs 2>/dev/null
	wait $!
	same out.axs <(anim-unpack -t 1..2 "$A/archive.axs.gz" 2>/dev/null)
}

@test "what is no archive is reported as by any filter" {
	run -1 --separate-stderr anim-unpack -n x missing.axs.gz -o out.axs
	[ "$stderr" = "anim-unpack: missing.axs.gz: cannot open: No such file or directory" ]
	: >empty.axs.gz
	run -1 --separate-stderr anim-unpack -n x empty.axs.gz -o out.axs
	[[ $stderr == *"empty"* ]]
	[ ! -e out.axs ]
}
