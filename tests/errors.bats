#!/usr/bin/env bats
# Every folder of tests/errors: an input, the command that meets it (its own where it is not the usual one of the area), and
# the exact message. A command's first line says with what status it ends. REGOLD=1 writes the messages anew; look at them
# as a diff.

load helper

# usual AREA: the command of a folder without one.
usual() {
	case $1 in
	stream) printf '# exits 1\nanim-dump input.*\n' ;;
	undump) printf '# exits 1\nanim-undump input.*\n' ;;
	warning) printf '# exits 0\nanim-parse input.*\n' ;;
	*) printf '# exits 1\nanim-parse input.*\n' ;;
	esac
}

# trial NAME COMMAND: the command in the folder; its status and stderr must be those told. A failing program may have begun
# its output, but a stream that ends is whole: no END there.
trial() {
	local status=0 wanted=${2:8:1} whole=no
	(cd "$1" && bash -o pipefail -c "$2" >../out 2>../err </dev/null) || status=$?
	[ -z "${REGOLD:-}" ] || cp err "$ROOT/tests/errors/$1/message"
	if [ "$status" != "$wanted" ]; then
		echo "$1: status $status instead of $wanted"
		return 1
	fi
	cmp -s err "$1/message" || {
		echo "$1:"
		diff "$1/message" err
		return 1
	}
	[ ! -s out ] || ! tail -c 32 out | grep -qa '^END ' || whole=yes
	case $status,$1,$whole in
	[12],*,yes) echo "$1: an END" ;;
	0,warning-*,no) echo "$1: no END" ;;
	*) return 0 ;;
	esac
	return 1
}

# trials AREA COUNT: copies of all folders AREA-*, at least COUNT; each failing one is named.
trials() {
	local bad=0 name count=0 usual command
	usual=$(usual "$1")
	cp -r "$ROOT"/tests/errors/"$1"-* .
	for name in "$1"-*; do
		command=$usual
		[ ! -e "$name/command" ] || command=$(<"$name/command")
		trial "$name" "$command" || bad=1
		count=$((count + 1))
	done
	[ "$count" -ge "$2" ]
	[ "$bad" = 0 ]
}

@test "every folder under tests/errors has an input, a message, and no command but one that prints its status" {
	local bad=0 folder files
	for folder in "$ROOT"/tests/errors/*; do
		files=$(cd "$folder" && echo *)
		[[ $files =~ ^(command\ )?input\.[a-z.]+\ message$ ]] || { echo "$folder: $files"; bad=1; }
		[[ ! -e $folder/command || $(head -n 1 "$folder/command") =~ ^#\ exits\ [012]$ ]] || { echo "$folder: no status"; bad=1; }
		[[ ${folder##*/} =~ ^(godot|animj|animx|bvh|fbx|unity|gltf|warning|stream|input|program|undump|json)- ]] || { echo "$folder: of no area"; bad=1; }
	done
	[ "$bad" = 0 ]
}

@test "what no Godot reads is refused with its line and column" {
	trials godot 70
	for folder in "$ROOT"/tests/errors/godot-*; do
		grep -qE '^anim-parse: input\.(tres|tscn):[0-9]+:[0-9]+: ' "$folder/message"
	done
}

@test "what is not AnimJ is refused with its line, its column and the path in the document" {
	trials animj 55
	[ -z "$(grep -LE '^anim-parse: input\.animj:[0-9]+:[0-9]+: ' "$ROOT"/tests/errors/animj-*/message)" ]
}

@test "BVH that is wrong is refused with line and column" {
	trials bvh 26
}

@test "FBX that is wrong is refused with its place" {
	trials fbx 45
}

@test "what is not AnimX is refused with its byte" {
	trials animx 34
	[ -z "$(grep -LE '^anim-parse: input\.animx: byte [0-9]+: ' "$ROOT"/tests/errors/animx-*/message)" ]
}

@test "what is no text asset of Unity, or a damaged one, is refused in one clear line each" {
	trials unity 20
	[ -z "$(grep -LE '^anim-parse: input\.[a-z]+:' "$ROOT"/tests/errors/unity-*/message)" ]
}

@test "what is not glTF 2.0 is refused with its line, its byte or the path of the object" {
	trials gltf 80
	[ -z "$(grep -LE '^anim-parse: input\.(gltf|glb):' "$ROOT"/tests/errors/gltf-*/message)" ]
}

@test "what Godot reads otherwise than it is written gets a warning, and the stream is whole" {
	trials warning 35
}

@test "what is no stream, or a damaged one, is refused with its place" {
	trials stream 85
}

@test "files of other kinds are named, with what to do about them" {
	trials input 29
}

@test "wrong command lines and impossible requests get a message of one line" {
	trials program 34
}

@test "what is not the text of anim-dump is refused with its line and column" {
	trials undump 36
}

@test "what is not the JSON of anim-emit is refused with its line and column" {
	trials json 15
}
