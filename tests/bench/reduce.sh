#!/bin/sh
# reduce.sh BUILD [CORPUS]: holds what anim-reduce proves against a dense look in double (bench_reduce: 64 points between two
# keys of the source), over ten tolerances, every player and both kinds of keys, of every file of the corpora that has joints:
# nothing may be farther off than the bound that was printed, and that may not be above the tolerance. Prints a row for each
# file, player and kind, and fails where one breaks. That takes an hour: with ROWS=FILE the rows are added to a file, and those
# that it has are not made again, so that a run that was cut off goes on.
set -eu

bin=$1/bin
corpus=${2:-$(dirname "$0")/../../../shared/corpus}
tolerances=${TOLERANCES:-0.02 0.05 0.1 0.2 0.5 1 2 5 10 30}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rows=${ROWS:-$dir/rows}
PATH=$bin:$PATH
export PATH
touch "$rows"

# source_of NAME FILE [OPTION...]: a file as it is where its keys have straight lines between them, else samples of it. False:
# it moves nothing.
source_of() {
	rm -f "$dir/s.axs"
	name=$1
	case $2 in
	*.glb | *.gltf) anim-parse -q "$2" -o "$dir/s.axs" 2>/dev/null ;;
	*)
		shift
		anim-parse -q "$@" 2>/dev/null | anim-bake -q -o "$dir/s.axs" 2>/dev/null
		;;
	esac || return 1
	anim-info --json "$dir/s.axs" | grep -qE '"property":"(position|rotation|scale)"'
}

# options: those that a row is made with, a line each.
options() {
	for target in godot unity resonite gltf; do
		echo "--for $target"
		echo "--for $target --fast"
		[ $target = godot ] || echo "--for $target --keys hermite"
	done
}

# check NAME OPTION...: the keys at each tolerance; a ! where a promise is broken.
check() {
	printf '%-36s %-30s' "$1" "$2"
	for tol in $tolerances; do
		# shellcheck disable=SC2086
		if ! anim-reduce -q $2 --tol "${tol}mm@10cm" -o "$dir/r.axs" --json "$dir/report" --force "$dir/s.axs" ||
			! bench_reduce "$dir/s.axs" "$dir/r.axs" 0.1 64 >"$dir/seen"; then
			printf ' !failed'
			continue
		fi
		# no bound: of a clip whose nodes no tree has
		sed -n 's/.*"bound_m":\([^,]*\),.*/\1/p' "$dir/report" | awk -v tol="$tol" '
			FNR == NR {if ($1 == "null") free = 1; else if (1000 * $1 > bound) bound = 1000 * $1; next}
			{printf " %d", $2; if (!free && (1000 * $3 > bound * 1.000001 + 1e-9 || bound > tol * 1.000001))
				printf "!(%g seen, %g proven, %g mm)", 1000 * $3, bound, tol}' - "$dir/seen"
	done
	echo
}

# small files first
find "$corpus"/*/ -type f -printf '%s %p\n' | sort -n | cut -d' ' -f2- >"$dir/files"
while read -r file; do
	name=$(basename "$file") unit=
	case $file in
	*/bvh/cmu*.bvh) unit="--unit cmu" ;;
	*.bvh) unit="--unit cm" ;;
	*.tsv | *.md | *.json | *.bin | *.meta) continue ;;
	esac
	[ "$(grep -cF "$name " "$rows")" -lt "$(options | wc -l)" ] || continue
	# shellcheck disable=SC2086
	source_of "$name" "$file" $unit || continue
	options | while read -r how; do
		grep -q "^$name  *$how  *[0-9]" "$rows" || check "$name" "$how" >"$dir/row"
		[ ! -s "$dir/row" ] || cat "$dir/row" >>"$rows"
		rm -f "$dir/row"
	done
done <"$dir/files"
cat "$rows"
! grep -q '!' "$rows"
