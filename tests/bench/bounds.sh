#!/bin/sh
# bounds.sh BUILD [FOLDER...]: holds the errors that conversion reports against a dense look (bench_bounds), for all files below the
# folders and for every target. Prints the percentiles of reported over seen, of the largest error and of the error but for
# moments, and each track that is farther off than was reported. Fails if there is one. SECONDS_A_FILE (60) is the most for one file;
# of large files only some tracks are looked at.
set -eu

here=$(dirname "$0")
bin=$1/bin
shift
[ $# -gt 0 ] || set -- "$here/../../../shared/corpus" "$here/../data" "$here/../../examples"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
find "$@" -type f -size -3000k -size +1k | sort >"$dir/files"
while read -r file; do
	"$bin/anim-parse" -q --keep-going "$file" >"$dir/s.axs" 2>/dev/null || continue
	some=$(($(wc -c <"$dir/s.axs") / 20000 + 1))
	timeout "${SECONDS_A_FILE:-60}" "$bin/bench_bounds" "$dir/s.axs" "$some" 2>/dev/null | sed "s|^|$file: |" || continue
done <"$dir/files" >"$dir/rows"

# percentiles NAME COLUMN COLUMN: of the one over the other, where both are there
percentiles() {
	sed 's/^.*: //' "$dir/rows" | awk -v a="$2" -v b="$3" '$a > 0 && $b > 0 && $a < 1e30 {print $a / $b}' | sort -g | awk -v name="$1" '
		{r[NR] = $1}
		END {if (NR) printf "%s: %d tracks, reported over seen: p5 %.3g, p50 %.3g, p95 %.3g, max %.3g\n", name, NR,
			r[int(NR * 0.05) + 1], r[int(NR * 0.5) + 1], r[int(NR * 0.95) + 1], r[NR]}'
}
percentiles "largest error" 1 4
percentiles "but for moments" 2 5
awk '{
	row = $0
	sub(/^.*: /, "")
	if ($1 > 0 && ($4 > $1 || $5 > $2)) {
		print "reported too little: " row
		bad++
	}
}
END {
	printf "%d tracks are farther off than was reported\n", bad
	exit bad > 0
}' "$dir/rows"
