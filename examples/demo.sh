#!/bin/sh
# demo.sh: the pipeline on an example scene, from Godot to Resonite; prints what each step shows. BIN is the folder of the programs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=${BIN:-$here/../build/release/bin}:$PATH
cd "$here"

echo '$ anim-parse crane.tscn | anim-info'
anim-parse crane.tscn | anim-info
echo
echo '$ anim-parse crane.tscn | anim-axes resonite | anim-resample 30 | anim-emit animj > lift.animj'
out=$(mktemp)
trap 'rm -f "$out"' EXIT
anim-parse crane.tscn | anim-axes resonite | anim-resample 30 | anim-emit animj >"$out"
echo
echo '$ head -n 4 lift.animj'
head -n 4 "$out" | cut -c1-118
echo
echo "lift.animj: $(wc -c <"$out") bytes"
