#!/usr/bin/env bats
# Every folder of tests/errors: an input, the command that meets it, and the exact message. The command's first line says
# with what status it ends. REGOLD=1 writes the messages anew; look at them as a diff.

load helper

# trial FOLDER: the command in a copy of the folder; its status and stderr must be those told. A failing program may have
# begun its output, but a stream that ends is whole: no END there.
trial() {
	local name work status wanted
	name=$(basename "$1")
	work=$BATS_TEST_TMPDIR/$name
	mkdir "$work" && cp "$1"/input* "$work"
	wanted=$(sed -n 's/^# exits //p' "$1/command")
	(cd "$work" && bash -o pipefail "$1/command" >../out 2>../err </dev/null) && status=0 || status=$?
	[ -z "${REGOLD:-}" ] || cp err "$1/message"
	if [ "$status" != "$wanted" ]; then
		echo "$name: status $status instead of $wanted"
		return 1
	fi
	cmp -s err "$1/message" || { echo "$name:"; diff "$1/message" err; return 1; }
	[ "$status" = 0 ] || [ "$(tail -c 32 out | head -c 4 | tr -d '\0')" != 'END ' ] || { echo "$name: an END"; return 1; }
}

# trials AREA: all folders AREA-*, each failing one named.
trials() {
	local bad=0 folder count=0
	for folder in "$ROOT"/tests/errors/"$1"-*/; do
		trial "${folder%/}" || bad=1
		count=$((count + 1))
	done
	[ "$count" -ge "$2" ]
	[ "$bad" = 0 ]
}

@test "every folder under tests/errors has an input, a command that tells its status, and a message" {
	local bad=0 folder
	for folder in "$ROOT"/tests/errors/*/; do
		case $(basename "$folder") in
		godot-* | warning-* | stream-* | input-* | program-*) ;;
		*) echo "$folder: of no area"; bad=1 ;;
		esac
		[ "$(find "$folder" -type f | wc -l)" = 3 ] || { echo "$folder: not three files"; bad=1; }
		[ -e "$folder/message" ] && compgen -G "$folder/input*" >/dev/null || { echo "$folder: incomplete"; bad=1; }
		grep -q '^# exits [012]$' "$folder/command" || { echo "$folder: no status"; bad=1; }
	done
	[ "$bad" = 0 ]
}

@test "what no Godot reads is refused with its line and column" {
	trials godot 60
	[ -z "$(grep -LE '^anim-parse: input\.(tres|tscn):[0-9]+:[0-9]+: ' "$ROOT"/tests/errors/godot-*/message)" ]
}

@test "what Godot reads otherwise than it is written gets a warning, and the stream is whole" {
	trials warning 30
}

@test "what is no stream, or a damaged one, is refused with its place" {
	trials stream 80
}

@test "files of other kinds are named, with what to do about them" {
	trials input 35
}

@test "wrong command lines and impossible wishes are told in a line" {
	trials program 35
}
