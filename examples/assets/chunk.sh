#!/bin/sh
# chunk.sh OUT LIST: makes the assets of the files that LIST names, a line each, in the folder OUT, and packs them into
# LIST.out, which is whole or not there. An asset that cannot be made is told of and missing in it: that is no fault of the
# machine, and no other would do better. Nothing is left but OUT and LIST.out, nothing is needed but make and anim-tools: any
# queue can run it, anywhere, twice. Exit status 0 where LIST.out is there.
set -eu

out=$1 list=$2
packs=$(while read -r file; do echo "$out/${file%.*}.tar"; done <"$list")
# shellcheck disable=SC2086 # names have no spaces
make -s -k OUT="$out" $packs || echo "chunk.sh: not all of $list could be made" >&2
for pack in $packs; do [ ! -e "$pack" ] || echo "$pack"; done | tar -cf "$list.new" -T -
mv "$list.new" "$list.out"
