#!/bin/sh
# peers.sh BUILD [CORPUS]: keys of anim-reduce over those of others' rules (bench_peers), whose tolerance is searched until what
# bench_reduce measures in space is the same, and keys with slopes over straight ones. The bars: at most 0.80 of glTF-Transform's
# resample, 0.97 of ozz', 0.75 of Godot's, 0.40 with slopes where the source is samples of a motion (keys that are few already
# leave slopes less to save: 1 there); a row that is above one has a ! behind the number. Each track needs a key, whatever the
# rule, and most tracks of some files have no other: in brackets is the ratio without that one. The row below is that of --move,
# whose keys are no longer the source's own: without bars.
set -eu

bin=$1/bin
corpus=${2:-$(dirname "$0")/../../../shared/corpus}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PATH=$bin:$PATH
export PATH

# tracks_of FILE: how many it has.
tracks_of() {
	anim-dump "$1" | grep -c '^track'
}

# measure SHELL: keys of r.axs and how far it is off in metres.
measure() {
	bench_reduce "$dir/s.axs" "$dir/r.axs" "$1" 4 | cut -d' ' -f2,3
}

# peer RULE SHELL METRES: the fewest keys with which the rule is not farther off.
peer() {
	low=-7 high=1 best=0
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		middle=$(awk -v a="$low" -v b="$high" 'BEGIN {printf "%.6f", (a + b) / 2}')
		bench_peers "$1" "$(awk -v x="$middle" 'BEGIN {printf "%.9g", 10 ^ x}')" "$dir/s.axs" "$dir/r.axs"
		found=$(measure "$2")
		if awk -v off="${found#* }" -v most="$3" 'BEGIN {exit !(off <= most)}'; then
			low=$middle best=${found% *}
		else
			high=$middle
		fi
	done
	echo "$best"
}

ratio() {
	awk -v a="$1" -v b="$2" -v bar="$3" -v tracks="$4" 'BEGIN {
		if (b == 0) print " never"
		else printf " %.3f%s (%.3f)", a / b, (a / b > bar ? "!" : ""), (a - tracks) / (b - tracks)}'
}

# compare NAME SHELL LIMIT SLOPES: of s.axs; SLOPES is the bar of keys with slopes.
compare() {
	anim-reduce -q --for gltf --tol "$3" "$dir/s.axs" -o "$dir/r.axs" --force
	found=$(measure "$2")
	keys=${found% *} off=${found#* } tracks=$(tracks_of "$dir/s.axs")
	anim-reduce -q --for unity --keys hermite --tol "$3" "$dir/s.axs" -o "$dir/r.axs" --force
	slopes=$(measure "$2")
	printf '%-16s %6d keys  resample%s  ozz%s  godot%s  slopes%s\n' "$1" "$keys" \
		"$(ratio "$keys" "$(peer resample "$2" "$off")" 0.80 "$tracks")" \
		"$(ratio "$keys" "$(peer ozz "$2" "$off")" 0.97 "$tracks")" \
		"$(ratio "$keys" "$(peer godot "$2" "$off")" 0.75 "$tracks")" "$(ratio "${slopes% *}" "$keys" "$4" "$tracks")"
	anim-reduce -q --for gltf --move --tol "$3" "$dir/s.axs" -o "$dir/r.axs" --force
	found=$(measure "$2")
	keys=${found% *} off=${found#* }
	printf '%-16s %6d keys  resample%s  ozz%s  godot%s\n' "  --move" "$keys" \
		"$(ratio "$keys" "$(peer resample "$2" "$off")" 1 "$tracks")" \
		"$(ratio "$keys" "$(peer ozz "$2" "$off")" 1 "$tracks")" \
		"$(ratio "$keys" "$(peer godot "$2" "$off")" 1 "$tracks")"
}

while read -r name file unit shell limit bar; do
	[ -f "$corpus/$file" ] || { echo "$name: not there" && continue; }
	if [ "$unit" = - ]; then
		anim-parse -q "$corpus/$file" -o "$dir/s.axs" --force
	else
		anim-parse -q --unit "$unit" "$corpus/$file" | anim-bake -q -o "$dir/s.axs" --force
	fi
	compare "$name" "$shell" "$limit" "$bar"
done <<-'TEXT' | tee "$dir/table"
	cmu_12_01 bvh/cmu_12_01_walk.bvh cmu 0.1 1mm@10cm 0.40
	cmu_01_01 bvh/cmu_01_01.bvh cmu 0.1 1mm@10cm 0.40
	mocapbank bvh/test_mocapbank.bvh cm 0.1 1mm@10cm 0.40
	Fox gltf/Fox.glb - 10 100mm@10m 1
	RobotExpressive gltf/RobotExpressive.glb - 0.1 1mm@10cm 1
TEXT
! grep -q '!' "$dir/table"
