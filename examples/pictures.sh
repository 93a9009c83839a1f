#!/bin/sh
# pictures.sh: makes the pictures of README in examples/pictures with the commands in it, and prints them.
#   BIN   where the programs are, if not in PATH
#   OUT   where the pictures go
#   BROWSER   what takes the picture of the page; none: that one stays as it is
set -eu
cd "$(dirname "$0")"
PATH=${BIN:+$BIN:}$PATH
mkdir -p "${OUT:=pictures}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp walker.tscn "$work"

run() { # run 'command': in the work folder
	printf '$ %s\n' "$1"
	(cd "$work" && sh -c "$1") 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
}

run "anim convert --bake -r 60 --reduce 5mm@10cm walker.tscn small.axs"
run "anim plot --against small.axs --max 0.5deg -n '*LowerLeg' -n '*Foot' -o curves.svg walker.tscn"
run "anim plot --strip 8 --view side -o strip.svg walker.tscn"
run "anim plot -o walker.html walker.tscn"
cp "$work"/*.svg "$OUT"

echo "$ chromium --headless --window-size=960,540 --screenshot=viewer.png \"file://\$PWD/walker.html#t=0.15\""
: "${BROWSER:=$(command -v chromium || command -v chromium-browser || echo none)}"
[ "$BROWSER" != none ] || { echo "pictures.sh: no chromium: the picture of the page stays as it is" >&2; exit 0; }
# Where root has no sandbox, as in a container, chromium wants to be told.
[ "$(id -u)" != 0 ] || set -- --no-sandbox
"$BROWSER" --headless "$@" --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=960,540 \
	--virtual-time-budget=2000 --screenshot="$work/viewer.png" "file://$work/walker.html#t=0.15" 2>"$work/log" ||
	{ cat "$work/log" >&2; exit 1; }
cp "$work/viewer.png" "$OUT"
