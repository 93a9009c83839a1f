# helper.bash: what every bats file loads. Our programs come first in PATH; nothing of the user's locale or settings counts.

ROOT=$(cd "$BATS_TEST_DIRNAME" && pwd)
while [ ! -f "$ROOT/Makefile" ]; do ROOT=$(dirname "$ROOT"); done
: "${ANIM_BUILD:=$ROOT/build/release}"
export PATH="$ANIM_BUILD/bin:$PATH" LC_ALL=C TMPDIR="${BATS_TEST_TMPDIR:-${TMPDIR:-/tmp}}"
unset ANIM_NO_COLOR NO_COLOR MAKEFLAGS MFLAGS MAKELEVEL CONFIG WERROR
export ANIM_DATA=$ROOT/tests/data
DATA=$ANIM_DATA
: "${ANIM_CORPUS:=$ROOT/../shared/corpus}"
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# pipe 'shell text': runs a pipeline with pipefail, as `run` does; $status, $output, $stderr.
pipe() {
	run --separate-stderr bash -o pipefail -c "$1"
}

# same FILE FILE: fails with the first difference.
same() {
	cmp "$1" "$2"
}

# need_terminal: skips where script(1), which gives a program a terminal, is not there or can make none (no /dev/pts).
need_terminal() {
	not_windows "wine's console is another one"
	command -v script >/dev/null || skip "script(1) is not installed, which gives a program a terminal"
	script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip "no terminal can be had here"
	export TERM=xterm # a dumb one shows no colour
}

# need_numpy: from here on python3 is one with numpy, for the first in PATH may be the user's own without it; else skips.
need_numpy() {
	! python3 -c 'import numpy' 2>/dev/null || return 0
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "python3-numpy is not installed"
	mkdir numpy.bin
	ln -s /usr/bin/python3 numpy.bin
	PATH=$PWD/numpy.bin:$PATH
}

# not_bytewise WHY, not_sanitized WHY: skip in the runs of continuous integration with windows of one byte, and under the
# sanitizers, what the plain run shows as well: tests whose subject is neither reading nor memory, and that take long.
not_bytewise() {
	[ "${ANIM_READ_MAX:-}" != 1 ] || skip "not with one-byte windows: $1"
}
not_sanitized() {
	! sanitized || skip "not under the sanitizers: $1"
}
# not_windows WHY: skips under wine (tests/wine.sh).
not_windows() {
	[ -z "${ANIM_WINE:-}" ] || skip "not for Windows: $1"
}
# stride N: how far a walk over the places of a file goes on at a time; in those two runs further, where programs start slowly.
stride() {
	if sanitized || [ "${ANIM_READ_MAX:-}" = 1 ]; then echo $((7 * $1)); else echo "$1"; fi
}
sanitized() {
	grep -q __asan_init "$ANIM_BUILD/bin/anim-parse"
}

# all_json FILE...: each is one JSON document. Where python3 is; one process looks at all.
all_json() {
	! command -v python3 >/dev/null || python3 - "$@" <<-'PY'
		import json, sys
		for name in sys.argv[1:]:
		    try:
		        json.load(open(name, encoding="utf-8"))
		    except ValueError as error:
		        sys.exit(f"{name}: {error}")
	PY
}

# alike OPTION... A B: as anim-diff with limits, but a limit may be exceeded for 1e-5 s (after a second, times the time): Godot
# takes such times for one, so that a file of Godot cannot hold a jump that is shorter.
alike() {
	local said status=0
	said=$(anim-diff "$@" 2>&1) || status=$?
	[ "$status" -le 1 ] || { echo "$said" && return 1; }
	[ "$status" -eq 0 ] || ! grep -q ' only in ' <<<"$said" || { echo "$said" && return 1; }
	[ "$status" -eq 0 ] || awk '/exceeded for/ { rows = 1; next } /^worst|^[^ ]/ { rows = 0 }
		rows { seen = 1; n = 0; for (i = 2; i <= NF; i++) if ($i == "s") second[++n] = $(i - 1) }
		rows && n > 1 && second[2] > 1.01e-5 * (second[1] > 1 ? second[1] : 1) { bad = 1 }
		END { exit bad || !seen }' <<<"$said" || { echo "$said" && return 1; }
}
