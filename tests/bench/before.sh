#!/bin/sh
# before.sh BUILD [COMMIT]: times what people wait for in BUILD and in an earlier version, by default the last tag, which is built in
# build/before once. One line for each version: CPU, and the ratio to the earlier one; above 1, the new version is faster. BENCH_ROUNDS
# (5) and BENCH_KEYS (2000) change the length of a run.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$1/bin
commit=${2:-$(git -C "$root" describe --tags --abbrev=0 2>/dev/null)} || commit=
[ -n "$commit" ] || { echo "before.sh: there is no tag, and no commit was given"; exit 0; }
name=$(git -C "$root" rev-parse --short "$commit^{commit}")
before=$root/build/before/$name
if [ ! -x "$before/build/release/bin/anim" ]; then
	echo "building $commit in build/before/$name"
	mkdir -p "$before"
	git -C "$root" archive "$name" | tar -x -C "$before"
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$before" all >"$before/log" 2>&1 ||
		{ echo "before.sh: $commit cannot be built here, see $before/log"; exit 0; }
fi
old=$before/build/release/bin
rounds=${BENCH_ROUNDS:-5}
keys=${BENCH_KEYS:-2000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# beside NAME COMMAND: both versions of a command whose programs are found in PATH.
beside() {
	(PATH=$old:$PATH; eval "$2") >out.txt 2>&1 || { printf '  %-34s not in %s\n' "$1" "$commit"; return 0; }
	"$bin/bench_ratio" -n "$rounds" "$1, $commit" "PATH=$old:\$PATH; $2" "$1" "PATH=$bin:\$PATH; $2"
}

# The earlier version makes the inputs, so that both can read them.
"$bin/bench_generate" tscn 50 "$keys" >l.tscn
"$old/anim-parse" -q -o l.axs l.tscn
"$old/anim-emit" -q -o l.glb l.axs
"$bin/bench_generate" tscn 8 "$((keys / 4))" | "$old/anim-parse" -q | "$old/anim-retime" -q --speed 0.25 -o few.axs
"$bin/anim-emit" -q --force -o few.fbx few.axs 2>/dev/null
mkdir many
for i in 1 2 3 4 5 6 7 8 9; do for k in 0 1 2 3 4 5 6 7 8 9; do cp "$root/examples/box.tscn" "many/$i$k.tscn"; done; done
awk 'BEGIN { n = 60; print "[gd_scene load_steps=" n + 2 " format=3]\n"
	for (i = 0; i < n; i++) print "[sub_resource type=\"Animation\" id=\"a" i "\"]\nlength = 1.0\ntracks/0/type = \"position_3d\"\n" \
		"tracks/0/path = NodePath(\"n" i "\")\ntracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 2, 3)\n"
	print "[sub_resource type=\"AnimationLibrary\" id=\"l\"]\n_data = {"
	for (i = 0; i < n; i++) print "\"c" i "\": SubResource(\"a" i "\")" (i + 1 < n ? "," : "")
	print "}\n\n[node name=\"Root\" type=\"Node3D\"]\n"
	for (i = 0; i < n; i++) print "[node name=\"n" i "\" type=\"Node3D\" parent=\".\"]\n"
	print "[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n\"\": SubResource(\"l\")\n}" }' >each.tscn

echo "50 bones x $keys keys, $rounds rounds, medians; below 1 in the second line of a pair: slower than $commit"
beside "plot svg" "anim-plot -q -o x\$\$.svg l.axs"
beside "resample 30" "anim-resample -q 30 l.axs >/dev/null"
beside "bake 30" "anim-bake -q -r 30 l.axs >/dev/null"
beside "emit glb" "anim-emit -q glb l.axs >/dev/null"
beside "emit animj" "anim-emit -q animj l.axs >/dev/null 2>&1"
beside "emit tres (bar: 150 MB/s)" "anim-emit -q tres l.axs >/dev/null"
beside "emit unity (bar: 150 MB/s)" "anim-emit -q unity l.axs >/dev/null 2>&1"
beside "emit json (bar: 150 MB/s)" "anim-emit -q json l.axs >/dev/null"
beside "emit csv (bar: 6 x cat)" "anim-emit -q csv l.axs >/dev/null"
beside "emit fbx (bar: 2 x emit glb)" "anim-emit -q fbx few.axs >/dev/null 2>&1"
beside "dump (bar: 20 x cat)" "anim-dump l.axs >/dev/null"
beside "retime --reverse (bar: 6 x cat)" "anim-retime -q --reverse l.axs >/dev/null"
beside "cat" "anim-cat l.axs >/dev/null"
beside "parse tscn" "anim-parse -q l.tscn >/dev/null"
beside "parse glb" "anim-parse -q l.glb >/dev/null"
beside "parse fbx" "anim-parse -q few.fbx >/dev/null"
beside "diff with itself (bar: 3 x parse)" "anim-diff -q l.tscn l.tscn"
beside "reduce, joints" "anim-reduce -q few.axs >/dev/null"
beside "reduce --keys hermite" "anim-reduce -q --keys hermite --tol 0.1mm,0.1deg few.axs >/dev/null"
beside "pack --tol" "anim-pack -q -j 1 --tol 0.1mm,0.1deg -o x\$\$.axs.gz few.axs"
beside "90 small scenes to glb" "anim convert -q -j 1 -f glb many out\$\$ && rm -r out\$\$"
beside "--each glb, 60 clips x 60 nodes" "anim-parse -q each.tscn | anim-emit -q glb --each 'out\$\$/%c.glb' && rm -r out\$\$"
beside "info -l" "anim-info -l l.glb >/dev/null"
