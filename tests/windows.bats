#!/usr/bin/env bats
# The programs for Windows, which tests/wine.sh runs under wine: names, patterns, pipes, files that others hold, and the same bytes.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	[ -n "${ANIM_WINE:-}" ] || skip "only for Windows: tests/wine.sh"
	NATIVE=$ROOT/build/release/bin/anim
	[ -x "$NATIVE" ] || skip "no native programs in build/release"
	cp "$ROOT/examples/walker.tscn" .
}

@test "names of any letters, with backslashes and drives, also longer than 260 bytes" {
	export LC_ALL=C.UTF-8 # by which wine reads its arguments
	mkdir -p ä/日本
	anim convert -q walker.tscn 'ä\日本\wälk→.glb'
	"$NATIVE" convert -q walker.tscn native.glb
	same native.glb ä/日本/wälk→.glb
	anim convert -q "Z:${PWD//\//\\}\\walker.tscn" drive.glb
	same native.glb drive.glb
	long=$(printf 'folder%.0s' {1..30})
	mkdir -p "$long/$long"
	anim convert -q walker.tscn "$long/$long/walk.glb"
	same native.glb "$long/$long/walk.glb"
}

@test "names of devices and of streams of a file are refused" {
	for name in con.tres aux.tres COM1 NUL.tres nul.txt.tres ./nul walk.tres:b; do
		run -1 anim convert -q -f tres walker.tscn "$name"
		[[ $output == *"$name: cannot "*": Windows does not allow this name" ]]
	done
	anim convert -q -f tres walker.tscn nul
}

@test "a pattern that no shell expanded is expanded" {
	mkdir in
	cp walker.tscn in/a.tscn
	cp walker.tscn in/b.tscn
	run -0 anim info -l 'in/*.tscn'
	[ "$(grep -c '^walk: ' <<<"$output")" -eq 2 ]
	anim filter -q -n 'in/*' -o none.axs in/a.tscn # of an option, it is for the program
	run -0 anim 'in/*.tscn'
	[ "$(grep -c '^walk: ' <<<"$output")" -eq 2 ]
	run -1 anim info 'in/*.bvh'
	[[ $output == *'in/*.bvh: cannot open: '* ]]
}

@test "pipes are binary, and a closed one ends the program" {
	anim-parse walker.tscn | anim-resample 30 | anim-pack -q >out.axs.gz
	"$NATIVE" parse walker.tscn | "$NATIVE" resample 30 | "$NATIVE" pack -q >native.axs.gz
	same <(gunzip -c native.axs.gz | wc -c) <(gunzip -c out.axs.gz | wc -c)
	run -0 anim diff native.axs.gz out.axs.gz
	anim-dump walker.tscn | head -n 1 >line
	[ -s line ]
}

@test "files with Windows line ends give the same bytes" {
	sed 's/$/\r/' walker.tscn >crlf.tscn
	cp "$DATA/bvh/"*.bvh .
	anim convert -q --source-name x crlf.tscn a.glb || anim convert -q crlf.tscn a.glb
	"$NATIVE" convert -q walker.tscn b.glb
	same a.glb b.glb
}

@test "a file is replaced while it is read, and nothing is left beside it" {
	anim convert -q walker.tscn walk.glb
	anim convert -q --force --reverse --into walk.glb walk.glb
	[ -z "$(find . -name '*.tmp' -o -name '*.old')" ]
	run -1 anim convert -q walker.tscn missing/walk.glb
	[[ $output == *"folder 'missing' does not exist"* ]]
}

@test "a file that another program holds open stays, and one line says so" {
	anim convert -q walker.tscn walk.glb
	cat >hold.c <<-'END'
		#include <windows.h>
		int main(void)
		{
			CreateFileA("walk.glb", GENERIC_READ, 0, 0, OPEN_EXISTING, 0, 0);
			CreateFileA("held", GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0);
			Sleep(60000);
		}
	END
	x86_64-w64-mingw32-gcc-posix -o hold.exe hold.c
	sed 's|"[^"]*/anim.exe" info|hold.exe|' "$ANIM_BUILD/bin/anim-info" >hold
	sh hold &
	for ((i = 0; i < 100; i++)); do [ ! -e held ] || break; sleep 0.1; done
	run -1 anim convert -q --force --reverse walker.tscn walk.glb
	[ "$output" = "anim-convert: walk.glb: cannot create: another program has it open" ]
	run -1 anim info walk.glb
	[ "$output" = "anim-info: walk.glb: cannot open: another program has it open" ]
	kill $!
	[ -z "$(find . -name '*.tmp' -o -name '*.old')" ]
}

@test "Ctrl-C removes the file that was begun" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	"$NATIVE" parse -o walk.axs walker.tscn
	python3 - <<-'PY'
		import glob, os, pty, time
		def wait(is_there):
		    for _ in range(200):
		        if bool(glob.glob(".anim-*.tmp")) == is_there:
		            return
		        time.sleep(0.1)
		    raise SystemExit("it stays" if not is_there else "nothing was begun")
		pid, terminal = pty.fork()
		if pid == 0:
		    os.execlp("sh", "sh", "-c", "(head -c 3000 walk.axs; sleep 30) | anim-dump -o walk.txt")
		wait(True)
		os.write(terminal, b"\x03")
		wait(False)
	PY
	[ ! -e walk.txt ]
}

@test "a folder is converted, several files at once" {
	mkdir in
	cp walker.tscn "in/one two.tscn"
	echo nothing >in/bad.bvh
	run anim convert -j 2 in out -f tres
	[ "$status" -eq 1 ]
	[[ $output == *"in/bad.bvh:1:1: "*"files: 1 converted, 0 kept, 1 left out"* ]]
	"$NATIVE" convert -q "in/one two.tscn" native.tres
	same native.tres "out/one two.tres"
}

@test "anim FILE shows it, as if it was dropped on the program" {
	run -0 anim walker.tscn
	[[ $output == *"1 clip, 17 tracks"* ]]
}

@test "regular expressions and globs match as in other systems" {
	anim-parse -o all.axs walker.tscn
	while read -r expression; do
		anim-filter -E -n "$expression" all.axs >theirs.axs
		"$NATIVE" filter -E -n "$expression" all.axs >ours.axs
		same ours.axs theirs.axs
	done <<-'END'
		^Skeleton3D:(Left|Right)[A-Z][a-z]+Arm$
		(Upper|Lower).*Leg
		[[:digit:]]D:H
		o{2}t
		^.{10,18}$
		:L|:R
		a\.b|Chest
		(.)\1
		\bLeft|Foot\b
		[^[:lower:]][a-z]{0,3}$
	END
}

@test "sixty files in six formats are the same bytes as natively" {
	count=0
	for file in $(find "$ANIM_CORPUS" -type f -size -200k \( -name '*.fbx' -o -name '*.bvh' -o -name '*.glb' -o -name '*.tres' -o -name '*.anim' \
		-o -name '*.vmd' -o -name '*.tscn' -o -name '*.animj' \) ! -name '* *' 2>/dev/null | sort | awk 'NR % 4 == 1' | head -n "${ANIM_FILES:-6}"); do
		for to in glb anim tres animj csv axs; do
			"$NATIVE" convert -q --force "$file" "ours.$to" 2>ours.err || echo "$?" >>ours.err
			anim convert -q --force "$file" "theirs.$to" 2>theirs.err || echo "$?" >>theirs.err
			[ ! -e "ours.$to" ] || same "ours.$to" "theirs.$to"
			same <(sed 's/ours\./x./g' ours.err) <(sed 's/theirs\./x./g' theirs.err) || { echo "$file" && return 1; }
			rm -f ours.* theirs.*
		done
		count=$((count + 1))
	done
	[ "$count" -gt 0 ] || skip "no files in $ANIM_CORPUS"
}

@test "anim-udp records what it plays" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/vmc_file.py" frames take.vmc
	port=$(python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	anim-udp record --time 9 "$port" -o copy.vmc 2>record.err &
	for ((i = 0; i < 100; i++)); do ! grep -q listening record.err || break; sleep 0.1; done
	run -0 anim-udp play take.vmc "127.0.0.1:$port"
	run -1 anim-udp record --time 1 "$port"
	[[ $output == "anim-udp: $port: another program listens there: Address already in use" ]]
	wait $!
	grep -q '4 datagrams recorded, 0 of other senders ignored' record.err
	same <(python3 "$ROOT/tests/vmc_file.py" list take.vmc | cut -d' ' -f2-) <(python3 "$ROOT/tests/vmc_file.py" list copy.vmc | cut -d' ' -f2-)
	run -0 anim-udp play take.vmc "127.0.0.1:$port"
	[ "$output" = "anim-udp: note: no program listens at 127.0.0.1:$port" ]
}
