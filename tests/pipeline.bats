#!/usr/bin/env bats
# Streams that are cut, producers that die, disks that are full, readers that leave: nothing half-written is taken for whole.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	anim-parse "$ROOT/examples/crane.tscn" -o whole.axs
	size=$(wc -c <whole.axs)
}

# one_line FILE: it has one line, a whole one. Without a program, as it is asked hundreds of times.
one_line() {
	local lines
	mapfile lines <"$1"
	[ ${#lines[@]} -eq 1 ] && [[ ${lines[0]} == *$'\n' ]]
}

@test "a cut stream fails every later program, at every length" {
	local n left stride
	stride=$(stride 1)
	set +e
	for ((n = 0; n < size; n += stride + n % 7)); do
		head -c "$n" whole.axs | anim-resample 30 2>resample.err | anim-emit animj -o out.animj 2>emit.err
		set -- "${PIPESTATUS[@]}"
		[ "$2" -eq 1 ] && [ "$3" -eq 1 ] || { echo "cut at $n: $*"; return 1; }
		one_line resample.err && one_line emit.err || { echo "cut at $n: $(cat resample.err emit.err)"; return 1; }
		[ ! -e out.animj ] || { echo "cut at $n left a file"; return 1; }
		left=(* .[!.]*)
		[ "${left[*]}" = 'emit.err resample.err whole.axs .[!.]*' ] || { ls -A; return 1; }
	done
}

@test "one byte too many, a second stream and an empty one are refused in plain words" {
	run --separate-stderr anim-resample 30 <(cat whole.axs; printf x)
	[ "$status" -eq 1 ]
	[[ $stderr == *"byte $size:"* ]]
	run --separate-stderr anim-resample 30 <(cat whole.axs whole.axs)
	[ "$status" -eq 1 ]
	[[ $stderr == *"byte $size:"*"anim-cat"* ]]
	run --separate-stderr anim-resample 30 /dev/null
	[ "$status" -eq 1 ]
	[[ $stderr == *"empty"* ]]
}

@test "a flipped bit anywhere is refused" {
	local n bytes flipped status stride
	stride=$(stride 11)
	read -r -d '' -a bytes < <(od -An -v -tu1 whole.axs) || true
	[ "${#bytes[@]}" -eq "$size" ]
	for ((n = 0; n < size; n += stride)); do
		cp whole.axs bad.axs
		printf -v flipped '\\x%x' $((bytes[n] ^ (1 << n % 8)))
		printf "$flipped" | dd of=bad.axs bs=1 seek="$n" conv=notrunc status=none
		status=0
		anim-info bad.axs >/dev/null 2>&1 || status=$?
		[ "$status" -eq 1 ] || { echo "byte $n"; return 1; }
	done
}

@test "when the producer dies, nothing of what it began is taken for whole" {
	set +e
	bash -c "anim-parse '$ROOT/examples/crane.tscn' | head -c 700; kill -9 \$\$" 2>/dev/null | anim-resample 30 2>err | anim-emit animj -o out.animj 2>err2
	set -- "${PIPESTATUS[@]}"
	set -e
	[ "$2" -eq 1 ]
	[ "$3" -eq 1 ]
	[ ! -e out.animj ]
}

@test "a fault in the source leaves no END: every later program fails too" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nlength = foo\n' >bad.tres
	pipe "anim-parse bad.tres | anim-resample 30 | anim-emit animj -o out.animj"
	[ "$status" -eq 1 ]
	[[ $stderr == *"anim-parse: bad.tres:4:10: "* ]]
	[[ $stderr == *"anim-emit: "* ]]
	[ ! -e out.animj ]
}

@test "a full disk is an error of every program" {
	[ -e /dev/full ] || skip "no /dev/full"
	anim-resample 30 whole.axs -o baked.axs
	for command in "anim-parse '$ROOT/examples/crane.tscn'" "anim-axes unity whole.axs" "anim-resample 30 whole.axs" \
		"anim-emit animj --axes keep baked.axs" "anim-info whole.axs" "anim-info --json whole.axs" "anim-dump whole.axs"; do
		pipe "$command >/dev/full"
		[ "$status" -eq 1 ] || { echo "$command: $status"; return 1; }
		[[ $stderr == *"No space left on device"* ]] || { echo "$command: $stderr"; return 1; }
	done
}

@test "a reader that leaves early ends a program in silence" {
	for command in "anim-dump whole.axs" "anim-info --json whole.axs" "anim-resample --all 100000 whole.axs"; do
		bash -c "$command 2>err | head -c 1 >/dev/null; exit \${PIPESTATUS[0]}" && status=0 || status=$?
		[ "$status" -eq 141 ] || [ "$status" -eq 0 ] || { echo "$command: $status"; return 1; }
		[ ! -s err ] || { cat err; return 1; }
	done
}

@test "a file, a pipe and gzip give the same bytes" {
	anim-resample 30 whole.axs --no-provenance >a
	anim-resample 30 --no-provenance <whole.axs >b
	gzip -c whole.axs | anim-resample 30 --no-provenance >c
	same a b
	same a c
}

@test "one-byte reads and a store on disk change nothing" {
	anim-parse --no-provenance "$ROOT/examples/crane.tscn" >a
	ANIM_READ_MAX=1 anim-parse --no-provenance "$ROOT/examples/crane.tscn" >b
	ANIM_STORE_MEMORY=0 anim-parse --no-provenance "$ROOT/examples/crane.tscn" >c
	ANIM_READ_MAX=1 anim-resample 30 whole.axs >d
	anim-resample 30 whole.axs >e
	same a b
	same a c
	same d e
}

@test "axes there and back give the same stream" {
	anim-parse --no-provenance "$ROOT/examples/crane.tscn" >a
	anim-axes --no-provenance unity a | anim-axes --no-provenance godot >b
	same a b
}

@test "an error with -o leaves the old file as it was" {
	echo old >out.animj
	run --separate-stderr anim-emit animj -o out.animj <(head -c 300 whole.axs)
	[ "$status" -eq 1 ]
	[ "$(cat out.animj)" = old ]
}

@test "a signal removes the temporary" {
	mkfifo source
	anim-resample 30 -o out.axs source &
	pid=$!
	exec 9>source
	head -c 600 whole.axs >&9
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ "$(ls -A | wc -l)" -gt 2 ] && break; sleep 0.1; done
	kill -TERM $pid
	wait $pid && status=0 || status=$?
	exec 9>&-
	[ "$status" -gt 128 ]
	[ "$(ls -A | sort | tr '\n' ' ')" = "source whole.axs " ]
}
