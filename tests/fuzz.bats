#!/usr/bin/env bats
# Damaged files: every fuzz target over its corpus, and damaged copies of our own files through the programs.
# ANIM_MUTANTS (80) says how many copies a test makes; the first is number ANIM_MUTANT (1).

load helper

setup_file() {
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o "$BATS_FILE_TMPDIR/mutate" "$BATS_TEST_DIRNAME/fuzz/mutate.c" -lz
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	PATH=$BATS_FILE_TMPDIR:$PATH
	: "${ANIM_MUTANTS:=80}" "${ANIM_MUTANT:=1}"
}

# sane STATUS ERRORS: whether a program ended as it may: done or failed, with lines that name it, one at least where it failed.
sane() {
	local line
	[ "$1" -le 1 ] || return 1
	[ "$1" -eq 0 ] || [ -s "$2" ] || return 1
	while IFS= read -r line || [ -n "$line" ]; do
		[[ $line =~ ^anim-[a-z]*:\  && ! $line =~ Sanitizer|'runtime error' ]] || return 1
	done <"$2"
}

# tried NAME COMMAND...: runs it with its messages in NAME.err; where it does not end as it may, what led there is shown.
tried() {
	local status=0
	timeout 20 "${@:2}" 2>"$1.err" || status=$?
	sane "$status" "$1.err" || {
		echo "mutant $seed: ${*:2}: exit $status"
		head -n 20 "$1.err"
		return 2
	}
	return "$status"
}

# looked COMMAND...: anim-lint, which ends with 1 where it found something, with 2 where the file is at fault.
looked() {
	local status=0
	timeout 20 "$@" >/dev/null 2>lint.err || status=$?
	[ "$status" -le 2 ] && ! grep -qE 'Sanitizer|runtime error' lint.err || {
		echo "mutant $seed: $*: exit $status"
		head -n 20 lint.err
		return 1
	}
}

# further FILE.axs: a stream that was accepted goes through every program.
further() {
	local program
	for program in "anim-axes --from godot unity" "anim-axes --from unity --flip z godot" "anim-info" "anim-info --tree" \
		"anim-info --json" "anim-dump"; do
		tried "${program%% *}" $program "$1" >/dev/null || [ $? -eq 1 ] || return 1
	done
	looked anim-lint --for resonite "$1" && looked anim-lint --json "$1" || return 1
	if tried resample anim-resample 7 "$1" >resampled.axs; then
		rm -rf out
		mkdir out
		tried emit anim-emit animj --axes keep --each 'out/%c.animj' resampled.axs || [ $? -eq 1 ] || return 1
		tried dump anim-dump resampled.axs >/dev/null || {
			echo "mutant $seed: what anim-resample wrote is no stream"
			cat dump.err
			return 1
		}
	elif [ $? -ne 1 ]; then
		return 1
	fi
}

@test "every fuzz target accepts or refuses its whole corpus" {
	local target corpus count=0
	for target in "$ROOT"/tests/fuzz/fuzz_*.c; do
		target=$(basename "$target" .c)
		corpus=$ROOT/tests/fuzz/corpus/${target#fuzz_}
		run "replay_${target#fuzz_}" "$corpus"
		[ "$status" -eq 0 ] || { echo "$target: $output"; return 1; }
		[[ ${lines[-1]} == "$(find "$corpus" -type f | wc -l) inputs" ]] || { echo "$target: ${lines[-1]}"; return 1; }
		count=$((count + 1))
	done
	[ "$count" -ge 3 ]
}

@test "the filters accept or refuse every stream that is at hand" {
	run replay_filter "$ROOT/tests/fuzz/corpus/stream" "$DATA/axs"
	[ "$status" -eq 0 ]
}

@test "the same seed damages a file the same way, another one otherwise" {
	mutate 7 a "$ROOT/examples/crane.tscn"
	mutate 7 b "$ROOT/examples/crane.tscn"
	mutate 8 c "$ROOT/examples/crane.tscn"
	same a b
	run ! cmp -s a c
	run ! cmp -s a "$ROOT/examples/crane.tscn"
}

# damaged FORMAT MUTANT FILE...: mutants of the files are refused, or go through the whole line; some of each.
damaged() {
	local seed accepted=0 refused=0
	for ((seed = ANIM_MUTANT; seed < ANIM_MUTANT + ANIM_MUTANTS; seed++)); do
		mutate "$seed" "$2" "${@:3}"
		if tried parse anim-parse --no-external -f "$1" "$2" >parsed.axs; then
			accepted=$((accepted + 1))
			further parsed.axs
		else
			[ $? -eq 1 ] || return 1
			refused=$((refused + 1))
		fi
	done
	echo "$accepted accepted, $refused refused"
	[ "$accepted" -gt $((ANIM_MUTANTS / 10)) ] && [ "$refused" -gt $((ANIM_MUTANTS / 10)) ]
}

@test "a damaged scene is refused in plain words or goes through the whole line" {
	local files
	mapfile -t files < <(find "$ROOT/examples" "$DATA" "$ROOT/tests/fuzz/corpus/godot" -name '*.tscn' -o -name '*.tres' | sort)
	damaged godot mutant.tscn "${files[@]}"
}

@test "a damaged binary file of Godot is refused in plain words or goes through the whole line" {
	python3 "$ROOT/tests/godot_binary.py" clip 400 2 >clip.res # most of its bytes are numbers, any of which will do
	damaged res mutant.res clip.res clip.res clip.res "$DATA"/godot-binary/{walk,box}.plain.*
}

@test "a damaged Unity file is refused in plain words or goes through the whole line" {
	local files
	mapfile -t files < <(find "$DATA/unity" "$ROOT/tests/fuzz/corpus/unity" -name '*.anim' -o -name '*.prefab' -o \
		-name '*.unity' -o -name '*.controller' -o -name '*.playable' | sort)
	damaged unity mutant.anim "${files[@]}"
}

@test "a damaged glTF is refused in plain words or goes through the whole line" {
	# In the first most bytes are numbers, of which many others would do.
	anim-parse -q "$DATA/gltf/packed.glb" | anim-emit -q -o plain.glb
	damaged gltf mutant.glb plain.glb plain.glb plain.glb "$DATA"/gltf/{interpolations,types,pointers}.gltf "$DATA/gltf/vrm.vrma" \
		"$DATA/gltf/packed.glb"
}

@test "a damaged stream with right CRCs is refused in plain words or goes through every filter" {
	local seed accepted=0 refused=0 files
	for file in "$ROOT"/examples/*.tscn; do
		anim-parse -q "$file" -o "$(basename "$file").axs"
	done
	files=(*.tscn.axs "$DATA"/axs/good/*.axs)
	for ((seed = ANIM_MUTANT; seed < ANIM_MUTANT + ANIM_MUTANTS; seed++)); do
		mutate -c "$seed" mutant.axs "${files[@]}"
		if tried dump anim-dump mutant.axs >/dev/null; then
			accepted=$((accepted + 1))
			further mutant.axs
		else
			[ $? -eq 1 ]
			refused=$((refused + 1))
		fi
	done
	echo "$accepted accepted, $refused refused"
	[ "$accepted" -gt $((ANIM_MUTANTS / 10)) ]
	[ "$refused" -gt $((ANIM_MUTANTS / 10)) ]
}
