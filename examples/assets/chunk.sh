#!/bin/sh
# chunk.sh OUT LIST: makes the assets of the files that LIST names, a line each, in the folder OUT, and packs them into
# LIST.out, which is whole or not there. An asset that cannot be made is named and missing in it: that is no fault of the
# machine, and no other would do better. Nothing is left but OUT and LIST.out, nothing is needed but make and anim-tools: any
# queue can run it, anywhere, twice. Exit status 0 where LIST.out is there.
set -eu

out=$1 list=$2
packs=$(while read -r file; do echo "$out/${file%.*}.tar"; done <"$list")
# What make has to say of a rule that failed is said below, in fewer words.
# shellcheck disable=SC2086 # names have no spaces
{ make -s -k OUT="$out" $packs 2>&1 >&3 | grep -Ev '^make[^ ]*: (\*\*\* \[|Target .* not remade )' >&2 || :; } 3>&1
while read -r file; do [ -e "$out/${file%.*}.tar" ] || echo "chunk.sh: $file: not made" >&2; done <"$list"
for pack in $packs; do [ ! -e "$pack" ] || echo "$pack"; done | tar -cf "$list.new" -T -
mv "$list.new" "$list.out"
