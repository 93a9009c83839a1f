#!/bin/sh
# wine.sh [TEST...]: runs windows.bats or the bats files named, with the programs of `make windows` under wine. They see
# names and folders of Linux; tests of signals, modes, links and other programs are not for it.
set -eu
cd "$(dirname "$0")/.."
wine=$(command -v /usr/lib/wine/wine64 wine64 wine | head -n 1)
[ -n "$wine" ] || { echo "wine.sh: no wine; DEPS=yes .ci/deps windows installs it" >&2; exit 1; }
packaging/windows build/windows/bin/anim.exe
bin=$PWD/build/windows/wine/bin
mkdir -p "$bin"
# In the folder of a test, wine would start a server of its own.
for file in cmd/anim.c cmd/anim-*.c lib/run/anim-*.c anim-bake.c; do
	name=$(basename "$file" .c)
	program=${name#anim}
	printf '#!/bin/sh\nTMPDIR=/tmp exec "%s" "%s" %s "$@"\n' "$wine" "$PWD/build/windows/bin/anim.exe" "${program#-}" >"$bin/$name"
	chmod +x "$bin/$name"
done
export WINEDEBUG=-all WINEPREFIX="$PWD/build/windows/prefix" WINEDLLOVERRIDES='mscoree,mshtml=' ANIM_WINE=1
[ -e "$WINEPREFIX/system.reg" ] || "$wine" wineboot >/dev/null 2>&1
wineserver -p600 >/dev/null 2>&1 || true # one server for all programs
[ $# -gt 0 ] || set -- windows.bats
tests/run.sh "$PWD/build/windows/wine" "$@"
