#!/usr/bin/env bats
# The same input gives the same bytes, whatever compiled the programs and wherever they run. The build under test is compared
# with itself in another environment, and with arm64 under qemu if packaging/cross has fetched libraries. ANIM_MATRIX
# (make matrix) adds three builds of gcc and clang, ANIM_LONG four more: each is compiled as a whole, which takes minutes.

load helper

# The programs that chain.sh runs.
programs=$(grep -o 'anim-[a-z]*' "$ROOT/tests/chain.sh" | sort -u)

# compiled NAME COMMAND...: the programs of the chain by this make, which gets nothing of a make around us.
compiled() {
	# shellcheck disable=SC2086 # names of programs
	env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u CPPFLAGS -u CFLAGS -u LDFLAGS -u LDLIBS -u WERROR "${@:2}" -s -j"${JOBS:-2}" CONFIG=release \
		B="$builds/$1" $(printf "$builds/$1/bin/%s " $programs) >"$BATS_FILE_TMPDIR/$1.log" 2>&1 ||
		{ cat "$BATS_FILE_TMPDIR/$1.log"; return 1; }
}

# built NAME CC CFLAGS [CPPFLAGS]
built() {
	command -v "$2" >/dev/null || { echo "$2 is not installed" >"$BATS_FILE_TMPDIR/$1.skip"; return 0; }
	compiled "$1" make -C "$ROOT" CC="$2" CFLAGS="$3" CPPFLAGS="${4:-}" LDFLAGS=
}

# Nothing is fetched here: .ci/run does so, and make matrix.
crossed() {
	local missing=
	[ -e "$ROOT/build/arm64-libraries/complete" ] || missing="build/arm64-libraries"
	for name in aarch64-linux-gnu-gcc qemu-aarch64-static; do command -v $name >/dev/null || missing=$name; done
	[ -z "$missing" ] || { echo "no $missing: make matrix fetches what is missing" >"$BATS_FILE_TMPDIR/arm64.skip"; return 0; }
	compiled arm64 "$ROOT/packaging/cross" arm64
}

# The wider loops are chosen by __builtin_cpu_supports, which asks the processor and heeds no tunable: where it is made to
# say no, the plain loops run.
PLAIN="'-D__builtin_cpu_supports(name)=0'"

# Objects stay for the next run where the source tree may be written.
builds=$ROOT/build/matrix

setup_file() {
	load helper
	! sanitized || return 0
	mkdir -p "$builds" 2>/dev/null && [ -w "$builds" ] || builds=$BATS_FILE_TMPDIR
	export builds
	"$ROOT/tests/chain.sh" "$ANIM_BUILD/bin" "$BATS_FILE_TMPDIR/ours"
	crossed
	[ -n "${ANIM_MATRIX:-}${ANIM_LONG:-}" ] || return 0
	built gcc-O0-plain gcc -O0 "$PLAIN"
	built clang-O2 clang -O2
	built gcc-O3-native gcc "-O3 -march=native"
	[ -n "${ANIM_LONG:-}" ] || return 0
	built gcc-O2 gcc -O2
	built clang-O0 clang -O0
	built clang-O3-native clang "-O3 -march=native"
	built clang-O2-plain clang -O2 "$PLAIN"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "a comparison of builds"
}

# equal DIR [EXCLUDE...]: what the chain made there is what the build under test makes, and not a little.
equal() {
	[ "$(find "$1" -type f | wc -l)" -gt 1000 ]
	[ "$(find "$1/in" -type f | wc -l)" -gt 80 ]
	diff -rq "${@:2}" "$BATS_FILE_TMPDIR/ours" "$1"
}

# compare NAME [RUN]: that build gives what the one under test gives.
compare() {
	local part exclude=()
	[ ! -e "$BATS_FILE_TMPDIR/$1.skip" ] || skip "$(cat "$BATS_FILE_TMPDIR/$1.skip")"
	[ -e "$BATS_FILE_TMPDIR/$1.log" ] || skip "only with ${2:-ANIM_LONG} set"
	"$ROOT/tests/chain.sh" "$builds/$1/bin" others
	for part in ${WITHOUT:-}; do exclude+=(-x "$part" -x "$part.axs"); done
	equal others "${exclude[@]}"
}

@test "gcc -O0 without wider instructions gives the same bytes" {
	compare gcc-O0-plain ANIM_MATRIX
	run ! cmp -s "$builds/gcc-O0-plain/bin/anim-parse" "$ANIM_BUILD/bin/anim-parse"
}

@test "clang -O2 gives the same bytes" {
	compare clang-O2 ANIM_MATRIX
}

# The two parts that reduce the longest tracks take three fifths of the time, and qemu needs thirty times as much.
@test "arm64 gives the same bytes, under qemu" {
	[ -n "${ANIM_MATRIX:-}${ANIM_LONG:-}" ] || export WITHOUT="engine binary"
	RUN=qemu-aarch64-static compare arm64
}

# tests/wine.sh makes the programs.
@test "the programs for Windows give the same bytes, under wine" {
	[ -e "$ROOT/build/windows/wine/bin/anim-parse" ] || skip "no programs for Windows: tests/wine.sh makes them"
	export WINEDEBUG=-all WINEPREFIX=$ROOT/build/windows/prefix
	local part exclude=()
	export WITHOUT="engine binary unity gltf"
	[ -z "${ANIM_MATRIX:-}${ANIM_LONG:-}" ] || unset WITHOUT
	LC_ALL=C.UTF-8 "$ROOT/tests/chain.sh" "$ROOT/build/windows/wine/bin" others # by which wine names files
	for part in ${WITHOUT:-}; do exclude+=(-x "$part" -x "$part.axs"); done
	diff -rq "${exclude[@]}" "$BATS_FILE_TMPDIR/ours" others
}

@test "gcc -O2 gives the same bytes" {
	compare gcc-O2
}

@test "gcc -O3 for this processor gives the same bytes" {
	compare gcc-O3-native ANIM_MATRIX
}

@test "clang -O0 gives the same bytes" {
	compare clang-O0
}

@test "clang -O3 for this processor gives the same bytes" {
	compare clang-O3-native
}

@test "clang -O2 without wider instructions gives the same bytes" {
	compare clang-O2-plain
}

@test "time zone, locale, folder for temporaries, umask, small stacks and an older processor change nothing" {
	local name
	name=$(locale -a 2>/dev/null | grep -iE '^(de|fr|ru)_[A-Z]*\.utf-?8$' | head -n 1) # one that writes 1,5
	mkdir elsewhere
	(
		umask 077
		ulimit -s 1024
		GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX2_Usable,-FMA_Usable LC_ALL=${name:-C} \
			TZ=Asia/Kathmandu TMPDIR=$PWD/elsewhere HOME=/nowhere TERM=dumb ANIM_STORE_MEMORY=0 \
			"$ROOT/tests/chain.sh" "$ANIM_BUILD/bin" others
	)
	equal others
	[ -z "$(ls -A elsewhere)" ]
}
