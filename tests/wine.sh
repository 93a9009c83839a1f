#!/bin/sh
# wine.sh [TEST...]: runs bats files with the programs of `make windows` under wine: windows.bats, and those that are quick and not
# about signals, modes, links or other programs. The programs see names and folders of Linux.
set -eu
cd "$(dirname "$0")/.."
wine=$(command -v /usr/lib/wine/wine64 wine64 wine | head -n 1)
[ -n "$wine" ] || { echo "wine.sh: no wine; DEPS=yes .ci/deps windows installs it" >&2; exit 1; }
packaging/windows build/windows/bin/anim.exe
bin=$PWD/build/windows/wine/bin
mkdir -p "$bin"
# In the folder of a test, wine would start a server of its own. In the "C" locale, it has no names but those of ASCII.
for file in cmd/anim.c cmd/anim-*.c lib/run/anim-*.c anim-bake.c; do
	name=$(basename "$file" .c)
	program=${name#anim}
	printf '#!/bin/sh\nLC_ALL=C.UTF-8 TMPDIR=/tmp exec "%s" "%s" %s "$@"\n' "$wine" "$PWD/build/windows/bin/anim.exe" "${program#-}" >"$bin/$name"
	chmod +x "$bin/$name"
done
export WINEDEBUG=-all WINEPREFIX="$PWD/build/windows/prefix" WINEDLLOVERRIDES='mscoree,mshtml=' ANIM_WINE=1
mkdir -p "$WINEPREFIX"
TMPDIR=/tmp wineserver -p60 2>/dev/null || true # one server for all programs
[ -e "$WINEPREFIX/system.reg" ] || TMPDIR=/tmp "$wine" wineboot >/dev/null 2>&1
[ $# -gt 0 ] || set -- windows.bats unity.bats rename.bats retime.bats animj.bats cat.bats root.bats split.bats filter.bats resample.bats \
	stream.bats godot.bats mirror.bats delta.bats dump.bats
tests/run.sh "$PWD/build/windows/wine" "$@"
