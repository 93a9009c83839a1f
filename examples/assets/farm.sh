#!/bin/sh
# farm.sh: the asset rules for many files on all processors of this machine, or with -S on several machines at once.
#   farm.sh                                  scenes/*.tscn and unity/*.anim of this folder, into build/
#   farm.sh -S blue,4/green                  on blue and green (four at a time) through ssh; localhost is a machine, too
#   farm.sh -o OUT scenes/hero.tscn ...      these files, which lie below this folder
# Needs GNU parallel here, and for -S rsync here and there; make, bash and anim-tools on every machine. Machines that
# share one home folder are in each other's way: name one of them. A file that refers to others finds them only where
# they are: such scenes are made here, without -S. Exit status 0 when every file was made.
set -eu

machines='' out=build
usage() { echo "usage: farm.sh [-S MACHINE,...] [-o FOLDER] [FILE...]" >&2; exit 2; }
while getopts S:o: option; do
	case $option in
	S) machines=$OPTARG ;;
	o) out=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
case $out in
/*) echo "farm.sh: '$out' is not below this folder; name it from here" >&2; exit 2 ;;
esac
cd "$(dirname "$0")"
# shellcheck disable=SC2046 # names have no spaces
[ $# -gt 0 ] || set -- $(grep -ls 'type="Animation' scenes/*.tscn) unity/*.anim

# Each job runs in a folder of its own over there, which --cleanup removes; here it runs where the files are.
[ -z "$machines" ] || machines="--sshlogin $machines --workdir ... --transferfile Makefile --transferfile {} \
	--return $out/{.}.tar --cleanup"
# Jobs are written for this shell, whatever the user's is; where SHELL is not set, parallel would guess one.
export PARALLEL_SHELL=/bin/sh
failed=0
# shellcheck disable=SC2086 # the list of options is meant to be split
parallel --will-cite --halt never $machines "make -s OUT='$out' '$out'/{.}.tar" ::: "$@" || failed=1
for file in "$@"; do
	pack=$out/${file%.*}.tar
	if [ -e "$pack" ]; then
		tar -xf "$pack" -C "$out" && rm "$pack" || failed=1
	else
		echo "farm.sh: $file: nothing came back" >&2
		failed=1
	fi
done
exit $failed
