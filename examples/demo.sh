#!/bin/sh
# demo.sh: one line, the pipe behind it, and a clip put back into its scene; prints what each step shows. BIN is the folder of
# the programs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=${BIN:-$here/../build/release/bin}:$PATH
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cp "$here"/*.tscn "$out"
cd "$out"

show() { # show LINE: as it is typed, then what it prints
	printf '$ %s\n' "$1"
	sh -c "$1" 2>&1
	echo
}

show 'anim convert -v -r 30 crane.tscn lift.animj'
show 'head -n 4 lift.animj | cut -c1-118'
show 'anim-parse crane.tscn | anim-info'
show 'anim-parse crane.tscn | anim-axes resonite | anim-resample 30 | anim-emit animj > lift.animj'
show 'cp crane.tscn fast.tscn'
show 'anim-parse fast.tscn | anim-retime --speed 2 | anim-emit --into fast.tscn'
show 'diff crane.tscn fast.tscn | head -n 8'
