#!/bin/sh
# lint.sh: formatting, static checks, shell scripts, manual pages, headers that compile alone, functions of libm.
set -u
cd "$(dirname "$0")/.." || exit 2
CC=${1:-cc}
bad=0
note() { echo "lint: $*" >&2; bad=1; }
.ci/deps lint || exit 2
sources=$(find lib cmd -name '*.[ch]' | sort)
tests=$(find tests packaging -name '*.[ch]' | sort)

# What takes longest: the others run beside it.
cppcheck -j "$(nproc 2>/dev/null || echo 1)" --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
	-Ilib -D_XOPEN_SOURCE=700 -D__GNUC__=12 -D__FLT_MANT_DIG__=24 -D__DBL_MANT_DIG__=53 --suppress=missingIncludeSystem -i lib/base/system_windows.c lib cmd &
cppcheck=$!

# shellcheck disable=SC2086 # the lists are meant to be split
differs=$(clang-format --dry-run -Werror $sources $tests 2>&1) || {
	printf '%s\n' "$differs" | head -n 20 | sed 's/^/lint: /' >&2
	note "clang-format -i would change files"
}

for header in $(printf '%s\n' "$sources" | grep '^lib/.*\.h$'); do
	echo "#include \"${header#lib/}\"" | $CC -std=c11 -Ilib -D_XOPEN_SOURCE=700 -Wall -Wextra -fsyntax-only -x c - ||
		note "$header does not compile alone"
done

shellcheck -x tests/*.sh tests/bench/*.sh examples/*.sh examples/assets/*.sh .ci/run .ci/deps .ci/musl .ci/hooks/commit-msg packaging/musl packaging/cross packaging/wasm/build packaging/windows packaging/libraries.sh packaging/web/copy packaging/web/modules man/*.sh || note "shellcheck"
if command -v node >/dev/null; then
	for script in packaging/wasm/*.mjs packaging/npm/*.mjs tests/*.mjs; do node --check "$script" || note "$script"; done
fi
shellcheck -s bash -e SC2034,SC2154 packaging/PKGBUILD || note "shellcheck of PKGBUILD" # its variables are makepkg's
for page in man/*.[1357]; do
	mandoc -T lint -W warning "$page" || note "$page"
done

# Of libm only what IEEE makes exact: the rest differs from one processor and library to the next.
library=build/release/lib/all.a
make -s B=build/release CONFIG=release $library >/dev/null || note "does not build"
forbidden=$(nm -u $library | awk '$1 == "U" {print $2}' | sort -u |
	grep -xE '(a?(sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|fma|round|lround|remainder|nearbyint|sincos)[fl]?')
[ -z "$forbidden" ] || note "libm functions that are not exact: $forbidden"

# A function fits a screen, a file has one subject.
# shellcheck disable=SC2086 # as above
long=$(awk -v limit=2500 'FNR == 1 { if (lines > limit) print name ": " lines " lines"; name = FILENAME } { lines = FNR }
	END { if (lines > limit) print name ": " lines " lines" }' $sources
	awk 'FNR == 1 { open = 0 } /^\{/ { open = FNR }
	/^\}/ { if (open && FNR - open > 100) print FILENAME ":" open ": function of " FNR - open " lines"; open = 0 }' \
		$sources)
[ -z "$long" ] || note "$long"

# A hint only: files in which helpers with one caller are the rule. Each such call is a jump for the reader, so a helper of a
# few lines becomes a paragraph of its caller, unless its name says more than its body.
# shellcheck disable=SC2046,SC2086 # as above
awk 'function finish(  all, alone, n) {
		for (n in defined) { all++; alone += mentions[n] == 2 }
		if (all >= 12 && 2 * alone > all) print 100 * alone / all, file ": " alone " of " all " static functions have one caller"
		split("", defined); split("", mentions)
	}
	FNR == 1 { finish(); file = FILENAME; comment = 0; signature = "" }
	{
		line = $0
		gsub(/"([^"\\]|\\.)*"/, "", line)
		if (comment && !sub(/^.*\*\//, "", line)) next
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
		comment = sub(/\/\*.*/, "", line)
		count = split(line, words, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= count; i++) mentions[words[i]]++
		if (line ~ /^static [^=;]*\(/) { signature = line; sub(/ *\(.*/, "", signature); sub(/.*[ *]/, "", signature) }
		if (line ~ /;$/) { if (signature != "") mentions[signature]--; signature = "" }
		if (line ~ /^\{/ && signature != "") { defined[signature]; signature = "" }
	}
	END { finish() }' $(printf '%s\n' "$sources" | grep '\.c$') | sort -rn | sed -n '1,10s/^[^ ]* /lint: hint: /p' >&2

# Plain English: each file has a budget of hard phrases, which may only fall.
tests/prose.py >&2 || note "prose"

# The first line says what a file is for.
for file in $sources; do
	head -n 1 "$file" | grep -q "^/\* $(basename "$file"): " || note "$file does not begin with its name and purpose"
done
wait $cppcheck || note "cppcheck"
exit $bad
