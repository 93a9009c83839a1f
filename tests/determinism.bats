#!/usr/bin/env bats
# The same input gives the same bytes, whatever compiled the programs and wherever they run. The build under test is compared
# with two others; with ANIM_LONG set, with all of gcc and clang, -O0, -O2 and -O3 for this very processor.

load helper

# Compiles the programs into a folder: built NAME CC CFLAGS [CPPFLAGS]. Nothing of a make around us gets through. Of gcc, which
# compiles all of them elsewhere, those that are compared.
built() {
	local goals=(all)
	[ "$2" != gcc ] || goals=("$BATS_FILE_TMPDIR/$1/bin/anim-"{parse,axes,resample,emit,dump,reduce,info,plot})
	command -v "$2" >/dev/null || { echo "$2 is not installed" >"$BATS_FILE_TMPDIR/$1.skip"; return 0; }
	env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u LDFLAGS -u LDLIBS -u WERROR make -s -j2 -C "$ROOT" CONFIG=release \
		B="$BATS_FILE_TMPDIR/$1" CC="$2" CFLAGS="$3" CPPFLAGS="${4:-}" LDFLAGS= "${goals[@]}" >"$BATS_FILE_TMPDIR/$1.log" 2>&1 ||
		{ cat "$BATS_FILE_TMPDIR/$1.log"; return 1; }
}

# The wider loops are chosen by __builtin_cpu_supports, which asks the processor and heeds no tunable: where it is made to
# say no, the plain loops run.
PLAIN="'-D__builtin_cpu_supports(name)=0'"

setup_file() {
	load helper
	! sanitized || return 0
	results "$ANIM_BUILD/bin" "$BATS_FILE_TMPDIR/ours"
	built gcc-O0-plain gcc -O0 "$PLAIN"
	built clang-O2 clang -O2
	[ -n "${ANIM_LONG:-}" ] || return 0
	built gcc-O2 gcc -O2
	built gcc-O3-native gcc "-O3 -march=native"
	built clang-O0 clang -O0
	built clang-O3-native clang "-O3 -march=native"
	built clang-O2-plain clang -O2 "$PLAIN"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "a comparison of builds"
}

# results BIN DIR: what the programs in BIN make of the scenes, a file each in DIR.
results() {
	local scene name bin=$1
	mkdir -p "$2"
	while read -r scene; do
		name=$2/$(basename "$(dirname "$scene")")-$(basename "$scene")
		"$bin/anim-parse" -q --no-external "$scene" >"$name.axs" 2>/dev/null || continue
		"$bin/anim-axes" unity "$name.axs" >"$name.unity.axs"
		"$bin/anim-resample" --all 29.97 "$name.axs" >"$name.30.axs" 2>/dev/null
		"$bin/anim-resample" 24fps "$name.unity.axs" >"$name.unity.24.axs" 2>/dev/null
		"$bin/anim-emit" animj --axes keep --each "$name.%c.animj" --force "$name.unity.24.axs" 2>/dev/null || true
		"$bin/anim-dump" "$name.30.axs" >"$name.txt"
		"$bin/anim-reduce" -q "$name.30.axs" >"$name.reduced.axs" 2>/dev/null
		"$bin/anim-reduce" -q --fast --for unity --tol 1mm,1deg,1% "$name.30.axs" >"$name.fast.axs" 2>/dev/null
		"$bin/anim-info" --json "$name.axs" >"$name.json"
		"$bin/anim-info" "$name.30.axs" >"$name.table"
		"$bin/anim-plot" -q -o "$name.svg" "$name.axs"
		"$bin/anim-plot" -q --heat --against "$name.30.axs" -o "$name.heat.svg" "$name.axs" 2>/dev/null || true
		"$bin/anim-plot" -q --strip 4 -o "$name.strip.svg" "$name.axs" 2>/dev/null || true
	done < <(find "$ROOT/examples" "$DATA/oracle/godot-4.2" "$DATA/oracle/godot-4.7" -name '*.tscn' -o -name '*.tres' | sort)
}

# equal DIR DIR: both hold the same files with the same bytes, and not a few.
equal() {
	[ "$(find "$1" -type f | wc -l)" -gt 100 ]
	diff -rq "$1" "$2"
}

# compare NAME: that build gives what the one under test gives.
compare() {
	[ ! -e "$BATS_FILE_TMPDIR/$1.skip" ] || skip "$(cat "$BATS_FILE_TMPDIR/$1.skip")"
	[ -d "$BATS_FILE_TMPDIR/$1" ] || skip "only with ANIM_LONG set"
	results "$BATS_FILE_TMPDIR/$1/bin" others
	equal "$BATS_FILE_TMPDIR/ours" others
}

@test "gcc -O0 without wider instructions gives the same bytes" {
	compare gcc-O0-plain
	run ! cmp -s "$BATS_FILE_TMPDIR/gcc-O0-plain/bin/anim-parse" "$ANIM_BUILD/bin/anim-parse"
}

@test "clang -O2 gives the same bytes" {
	compare clang-O2
}

@test "gcc -O2 gives the same bytes" {
	compare gcc-O2
}

@test "gcc -O3 for this processor gives the same bytes" {
	compare gcc-O3-native
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

@test "a C library that sees no FMA and no AVX2 gives the same bytes" {
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX2_Usable,-FMA_Usable results "$ANIM_BUILD/bin" others
	equal "$BATS_FILE_TMPDIR/ours" others
}

@test "time zone, folder for temporaries, umask and small stacks change nothing" {
	mkdir elsewhere
	(
		umask 077
		ulimit -s 1024
		TZ=Asia/Kathmandu TMPDIR=$PWD/elsewhere HOME=/nowhere TERM=dumb ANIM_STORE_MEMORY=0 results "$ANIM_BUILD/bin" others
	)
	equal "$BATS_FILE_TMPDIR/ours" others
	[ -z "$(ls -A elsewhere)" ]
}

@test "a locale that writes 1,5 changes nothing" {
	local name
	name=$(locale -a 2>/dev/null | grep -iE '^(de|fr|ru)_[A-Z]*\.utf-?8$' | head -n 1)
	[ -n "$name" ] || skip "no German, French or Russian locale is installed"
	LC_ALL=$name results "$ANIM_BUILD/bin" others
	equal "$BATS_FILE_TMPDIR/ours" others
}
