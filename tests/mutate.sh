#!/usr/bin/env bash
# mutate.sh [-n COUNT] [-s SEED] [-c CONFIG] [FOLDER...]: would the tests notice? Makes random one-line changes in files of lib/ (or of these
# folders), one at a time in a copy of the tree, builds, and runs the tests of that area (area.sh). Prints each change that no
# test noticed ("survived") as a diff, and last "N mutants, N killed, N survived". A change that does not compile does not count.
set -u
count=20 seed=$RANDOM config=release
while getopts n:s:c: option; do
	case $option in
	n) count=$OPTARG ;; s) seed=$OPTARG ;; c) config=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || set -- lib
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$work" || exit 2
cd "$work" || exit 2
git init -q . && git add -A && git -c user.name=x -c user.email=x commit -qm all
build=$PWD/build/$config
make -j"$(nproc)" CONFIG="$config" test_programs >make.log 2>&1 || { tail make.log; exit 2; }

# "FILE LINE CHANGE" for so many places, chosen by the seed. Lines of code that have an operator, a bound, a return or a call.
places() {
	git ls-files "$@" | grep '\.c$' | xargs awk -v count="$count" -v seed="$seed" '
		function add(change) { places[n++] = FILENAME " " FNR " " change }
		/^[ \t]*(\/?\*|\/\/|#)/ || /"/ || !/^\t/ { next }
		/ < /  { add("s/ < / <= /") } / <= / { add("s/ <= / < /") } / > / { add("s/ > / >= /") } / >= / { add("s/ >= / > /") }
		/ == / { add("s/ == / != /") } / != / { add("s/ != / == /") } / && / { add("s/ && / || /") } / \|\| / { add("s/ || / \\&\\& /") }
		/ \+ / { add("s/ + / - /") } / - / { add("s/ - / + /") } / \+ 1/ { add("s/ + 1//") } / - 1/ { add("s/ - 1//") }
		/^\t+if \(.*\)( \{)?$/ { add("s/if (\\(.*\\))/if (!(\\1))/") }
		/^\t+return -1;/ { add("s/return -1/return 0/") } /return true/ { add("s/true/false/") } /return false/ { add("s/false/true/") }
		/^\t+[a-z_>.\[\]-]+(\(.*\)| [+|&-]?= .*);$/ { add("s/.*/\\t;/") }
		END {
			srand(seed)
			for (i = 0; i < count && n > 0; i++) { at = int(rand() * n); print places[at]; places[at] = places[--n] }
		}'
}

# noticed FILE: a test of the area fails, or takes too long.
noticed() {
	local what name
	while read -r what name; do
		case $what in
		unit) timeout 120 "$build/bin/unit" "$name" >/dev/null 2>&1 || return 0 ;;
		*) (cd tests && ANIM_BUILD=$build timeout 300 bats "$what" >/dev/null 2>&1) || return 0 ;;
		esac
	done < <(tests/area.sh "$1" | sort -r) # unit tests first: they are quick
	return 1
}

mutants=0 killed=0 survived=0
while read -r file line change; do
	sed -i "${line}$change" "$file"
	if ! git diff --quiet "$file" && make -j"$(nproc)" CONFIG="$config" test_programs >make.log 2>&1; then
		mutants=$((mutants + 1))
		if noticed "$file"; then
			killed=$((killed + 1))
		else
			survived=$((survived + 1))
			echo "survived:"
			git diff -U2 "$file" | sed '1,4d'
			echo "  in $file"
		fi
	fi
	git checkout -q "$file"
done < <(places "$@")
echo "seed $seed: $mutants mutants, $killed killed, $survived survived"
