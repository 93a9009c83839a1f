#!/bin/sh
# reduce.sh BUILD [CORPUS]: holds what anim-reduce proves against a dense look in double (bench_reduce: 64 points between two
# keys of the source), over ten tolerances, every player and both kinds of keys: nothing may be farther off than the bound that
# was printed, and that may not be above the tolerance. Prints a row for each file, player and kind, and fails where one breaks.
set -eu

bin=$1/bin
corpus=${2:-$(dirname "$0")/../../../shared/corpus}
tolerances=${TOLERANCES:-0.02 0.05 0.1 0.2 0.5 1 2 5 10 30}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PATH=$bin:$PATH
export PATH

# source_of NAME FILE [OPTION...]: the samples of a file as whole rotations.
source_of() {
	name=$1
	shift
	[ -f "$1" ] || { echo "$name: not there"; return 0; }
	anim-parse -q "$@" | anim-bake -q -o "$dir/$name.axs"
}

source_of cmu_12_01 "$corpus/bvh/cmu_12_01_walk.bvh" --unit cmu
source_of mocapbank "$corpus/bvh/test_mocapbank.bvh" --unit cm
source_of walk01 "$corpus/bvh/walk01.bvh" --unit cm
for name in Fox RobotExpressive CesiumMan; do
	[ ! -f "$corpus/gltf/$name.glb" ] || anim-parse -q "$corpus/gltf/$name.glb" -o "$dir/$name.axs"
done

# check FILE OPTION...: prints the keys at each tolerance; a line with ! where a promise is broken.
check() {
	file=$1
	shift
	printf '%-16s %-28s' "$(basename "$file" .axs)" "$*"
	for tol in $tolerances; do
		anim-reduce "$@" --tol "${tol}mm@10cm" -o "$dir/r.out" --force "$file" 2>"$dir/note"
		bench_reduce "$file" "$dir/r.out" 0.1 64 >"$dir/seen"
		sed -n 's/.* joints at most \([^ ]*\) mm off$/\1/p' "$dir/note" | awk -v tol="$tol" '
			FNR == NR {if ($1 > bound) bound = $1; next}
			{printf " %d", $2; if (1000 * $3 > bound * 1.000001 || bound > tol * 1.000001)
				printf "!(%g seen, %g proven, %g mm)", 1000 * $3, bound, tol}' - "$dir/seen"
	done
	echo
}

for file in "$dir"/*.axs; do
	for target in godot unity resonite gltf; do
		check "$file" --for $target
		check "$file" --for $target --fast
		[ $target = godot ] || check "$file" --for $target --keys hermite
	done
done | tee "$dir/table"
! grep -q '!' "$dir/table"
