#!/usr/bin/env bash
# mutate.sh [-n COUNT] [-s SEED] [-c CONFIG] [-j WORKERS] [FOLDER...]: would the tests notice? Makes random one-line changes in files of
# lib/ (or of these folders), one at a time in a copy of the tree, builds, and runs the tests of that area (area.sh) until one
# fails. Prints each change that no test noticed as a diff, and last a line for each folder: "N mutants, N killed, N survived". A
# change that does not compile, or that compiles to the same object, does not count. Standard error has a line for each mutant.
set -u
count=20 seed=$RANDOM config=release workers=$(nproc)
while getopts n:s:c:j: option; do
	case $option in
	n) count=$OPTARG ;; s) seed=$OPTARG ;; c) config=$OPTARG ;; j) workers=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || set -- lib
work=$(mktemp -d) || exit 2
# An endless loop may neither fill the disk nor the memory.
ulimit -f 4000000
[ "$config" = sanitize ] || ulimit -d 8000000
trap 'rm -rf "$work"' EXIT

# "FILE LINE CHANGE" for so many places, chosen by the seed. Lines of code that have an operator, a bound, a return or a call.
places() {
	git ls-files "$@" | grep '\.c$' | xargs awk -v count="$count" -v seed="$seed" '
		function add(change) { places[n++] = FILENAME " " FNR " " change }
		/^[ \t]*(\/?\*|\/\/|#)/ || /"/ || !/^\t/ { next }
		/ < /  { add("s/ < / <= /") } / <= / { add("s/ <= / < /") } / > / { add("s/ > / >= /") } / >= / { add("s/ >= / > /") }
		/ == / { add("s/ == / != /") } / != / { add("s/ != / == /") } / && / { add("s/ && / || /") } / \|\| / { add("s/ || / \\&\\& /") }
		/ \+ / { add("s/ + / - /") } / - / { add("s/ - / + /") } / \+ 1/ { add("s/ + 1//") } / - 1/ { add("s/ - 1//") }
		/ \* / { add("s/ \\* / \\/ /") } / \/ / { add("s/ \\/ / * /") }
		/^\t+if \(.*\)( \{)?$/ { add("s/if (\\(.*\\))/if (!(\\1))/") }
		/^\t+return -1;/ { add("s/return -1/return 0/") } /return true/ { add("s/true/false/") } /return false/ { add("s/false/true/") }
		/^\t+(break|continue);/ { add("s/.*/\\t;/") }
		/^\t+[a-z_>.\[\]-]+(\(.*\)| [+|&-]?= .*);$/ { add("s/.*/\\t;/") }
		END {
			srand(seed)
			for (i = 0; i < count && n > 0; i++) { at = int(rand() * n); print places[at]; places[at] = places[--n] }
		}'
}

# build TARGET...: in this copy of the tree; one program under all names, which is linked in no time.
build() {
	make --no-print-directory CONFIG="$config" STATIC=yes "$@" >make.log 2>&1
}

# passes SECONDS TEST: "unit SUBJECT" or "x.bats" has no failure and takes no longer. Ends at the first failure.
passes() {
	local output pid status failed
	if [ "${2%% *}" = unit ]; then
		timeout -k 2 "$1" "build/$config/bin/unit" "${2#unit }" >/dev/null 2>&1 </dev/null
		return
	fi
	mkdir -p tmp
	exec {output}< <(TMPDIR=$PWD/tmp ANIM_BUILD=$PWD/build/$config exec timeout -k 2 "$1" bats --tap "tests/$2" 2>&1 </dev/null)
	pid=$!
	failed=
	! grep -q '^not ok' <&"$output" || { failed=yes && kill "$pid"; }
	exec {output}<&-
	wait "$pid" 2>/dev/null && [ -z "$failed" ] # bats may end with 0 where it is killed
	status=$?
	rm -rf tmp 2>/dev/null
	return "$status"
}

# judge FILE LINE CHANGE: prints "killed by TEST" or "survived"; nothing if the change does not count.
judge() {
	local object=build/$config/${1%.c}.o seconds test
	cp "$object" before.o
	sed -i "$2$3" "$1"
	build "$object" && ! cmp -s "$object" before.o && build "build/$config/bin/unit" || return
	# Unit tests first, then the shortest; most need the programs alone.
	while IFS=$'\t' read -r seconds test; do
		case $test in
		unit*) ;;
		*) if grep -qE 'libanim|replay_' "tests/$test"; then build test_programs; else build all; fi || return ;;
		esac
		passes $((30 + 20 * seconds)) "$test" || { echo "killed by $test" && return; }
	done < <(tests/area.sh "$1" | sed 's/.*/\t&$/' | grep -f - ../took)
	echo survived
}

# Here the tests pass, or nothing that follows would mean a thing; how long they take gives their order.
places "$@" >"$work/places"
mkdir "$work/1"
git ls-files -z | xargs -0 cp --parents -t "$work/1" || exit 2
cd "$work/1" || exit 2
build -j"$(nproc)" test_programs || { tail make.log; exit 2; }
cut -d ' ' -f 1 ../places | sort -u | xargs tests/area.sh | while read -r test; do
	begun=$SECONDS
	passes 1000 "$test" || echo "mutate.sh: $test fails without a change" >&2
	printf '%d\t%s\n' $((SECONDS - begun)) "$test"
done >../unordered
grep -P '\tunit' ../unordered | sort -sn >../took
grep -vP '\tunit' ../unordered | sort -sn >>../took
for ((worker = 2; worker <= workers; worker++)); do cp -a . "../$worker"; done

export CCACHE_DISABLE=1 # no change comes twice
for ((worker = 1; worker <= workers; worker++)); do
	cd "$work/$worker" || exit 2
	awk -v worker="$worker" -v workers="$workers" 'NR % workers == worker % workers' ../places | while read -r file line change; do
		cp "$file" before.c
		begun=$SECONDS verdict=$(judge "$file" "$line" "$change")
		if [ -n "$verdict" ]; then
			echo "${file%/*} ${verdict%% *}" >>"$work/verdicts"
			echo "$file:$line $change: $verdict, $((SECONDS - begun)) s" >&2
			[ "$verdict" != survived ] || echo "survived: $file
$(diff -U2 before.c "$file" | sed 1,2d)"
		fi
		cp before.c "$file"
		cp before.o "build/$config/${file%.c}.o"
	done &
done
wait
echo "seed $seed, $config:"
awk '{ total[$1]++; $2 == "killed" ? killed[$1]++ : 0; total["all"]++; $2 == "killed" ? killed["all"]++ : 0 }
	END { for (folder in total) print folder ": " total[folder] " mutants, " killed[folder] + 0 " killed, " \
		total[folder] - killed[folder] " survived" }' "$work/verdicts" | sort
