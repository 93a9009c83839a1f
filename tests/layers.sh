#!/bin/sh
# layers.sh: no layer includes what it may not (CONTRIBUTING.md).
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0

# check FOLDER ALLOWED...: the quoted includes of the folder's files may begin with nothing else.
check() {
	folder=$1
	shift
	allowed=$(printf '%s\n' "$@" | paste -sd'|')
	found=$(grep -rn '#include "' "$folder" | grep -vE "#include \"($allowed)")
	[ -z "$found" ] && return
	printf '%s\n' "$found" | sed 's/^/layers: /' >&2
	bad=1
}

check lib/base base/
check lib/math base/ math/
check lib/clip base/ math/ clip/
check lib/stream base/ clip/ stream/
for format in lib/format/*/; do
	check "$format" base/ math/ clip/ stream/ format/read.h format/write.h format/wide.h format/fields.h format/imported.h "format/$(basename "$format")/"
done
check lib/format base/ math/ clip/ stream/ format/
check lib/filter base/ math/ clip/ stream/ filter/
check lib/cli base/ clip/ stream/ format/contents.h format/format.h format/load.h cli/
check lib/run base/ clip/ stream/ format/ filter/ cli/ run/
check lib/api base/ math/ clip/ stream/ format/ filter/ cli/advice.h run/run.h api/
check cmd base/ clip/ stream/ format/ filter/ cli/ run/ programs.h help.h

# What a header called internal tells is for the files beside it.
for header in $(find lib -name '*internal*.h' | sed 's|^lib/||'); do
	if grep -rn "#include \"$header\"" lib cmd | grep -v "^lib/$(dirname "$header")/[^/]*:" >&2; then bad=1; fi
done

# Only the format folders see the parser of YAML and the codecs of compressed files; that of JSON stands behind base/json.
if grep -rnE '#include [<"](libfyaml|lz4|lzma|zstd)' lib cmd | grep -v '^lib/format/' >&2; then bad=1; fi
if grep -rnE '#include [<"]jsmn' lib cmd | grep -v '^lib/base/json\.c:' >&2; then bad=1; fi
# The library prints nothing, ends no program, reads no environment. base/system_*.c alone knows the system.
if grep -rnE '(^|[^a-z_])(printf|fprintf|puts|perror|exit|abort|getenv|setlocale)\(' lib --include='*.c' | grep -vE '^lib/((cli|run)/|base/system_)' >&2; then bad=1; fi
# Texts of lib/ spell no program and no option: base/advice.h says what to write instead. Beginnings of files and names of temporary files
# are no advice.
spelled=$(grep -rn '"' lib --include='*.[ch]' | grep -vE '^lib/(cli|run)/|#(include|error)|:[[:space:]]*/?\*' | sed 's|/\*.*||' |
	grep -E '"([^"\\]|\\.)*(anim-[a-z]|anim (convert|info|lint|plot)|[ (:'"'"']--[a-z])|"--[a-z]|"-x ' |
	grep -vE '"anim-(pin|root)"|"anim-dump |<!-- anim-plot|(title=|name\\":\\")anim-lint|begins .anim-dump 1|python3 -c|gltf-pipeline|anim-tools"')
[ -z "$spelled" ] || { printf '%s\n' "$spelled" | sed 's/^/layers: a text spells a program or an option: /' >&2; bad=1; }
exit $bad
