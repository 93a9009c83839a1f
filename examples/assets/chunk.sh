#!/bin/sh
# chunk.sh OUT LIST: makes the assets of the files that LIST names, a line each, in the folder OUT, and packs them into
# LIST.out, which is whole or not there. An asset that cannot be made is named and missing in it: that is no fault of the
# machine, and no other would do better. Nothing is left but OUT and LIST.out, nothing is needed but make and anim-tools: any
# queue can run it, anywhere, twice. Exit status 0 where LIST.out is there; 2, with one line, where a name in the list, which
# becomes a target for make, has other characters than A-Z a-z 0-9 . _ / @ + - or begins with a hyphen.
set -eu
export LC_ALL=C

out=$1 list=$2
if grep -qE '[^A-Za-z0-9._/@+-]|^-|^$' "$list"; then
	wrong=$(grep -E '[^A-Za-z0-9._/@+-]|^-|^$' "$list" | head -n 1 | tr -c 'A-Za-z0-9._/@+\n-' '?')
	echo "chunk.sh: '$wrong': names of files may have A-Z a-z 0-9 . _ / @ + - only" >&2
	exit 2
fi
packs=$(while read -r file; do echo "$out/${file%.*}.tar"; done <"$list")
# What make has to say of a rule that failed is said below, in fewer words.
# shellcheck disable=SC2086 # names have no blanks and no stars
{ make -s -k OUT="$out" $packs 2>&1 >&3 | grep -Ev '^make[^ ]*: (\*\*\* \[|Target .* not remade )' >&2 || :; } 3>&1
while read -r file; do [ -e "$out/${file%.*}.tar" ] || echo "chunk.sh: $file: not made" >&2; done <"$list"
for pack in $packs; do [ ! -e "$pack" ] || echo "$pack"; done | tar -cf "$list.new" -T -
mv "$list.new" "$list.out"
