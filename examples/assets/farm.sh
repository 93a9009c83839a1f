#!/bin/sh
# farm.sh: the asset rules for many files on all processors of this machine, or with -S on several machines at once.
#   farm.sh                                  scenes/*.tscn and unity/*.anim of this folder, into build/
#   farm.sh -S blue,4/green                  on blue and green (four at a time) through ssh; localhost is a machine, too
#   farm.sh -o OUT scenes/hero.tscn ...      these files, which lie below this folder
#   farm.sh -n 50 -l farm.log ...            50 files a job; a line for each job at the end of farm.log
# A run that was interrupted goes on where it was when the same command is given again. A machine that dies, or does not
# answer for six seconds, loses its jobs to the others.
# Needs GNU parallel here, and for -S rsync here and there; make, bash, tar and anim-tools on every machine. Machines that
# share one home folder are in each other's way: name one of them. A file that refers to others finds them only where
# they are: such scenes are made here, without -S. Exit status 0 when every file was made.
set -eu
export LC_ALL=C

machines='' out=build each='' log=''
usage() { echo "usage: farm.sh [-S MACHINE,...] [-o FOLDER] [-n FILES] [-l LOG] [FILE...]" >&2; exit 2; }
while getopts S:o:n:l: option; do
	case $option in
	S) machines=$OPTARG ;;
	o) out=$OPTARG ;;
	n) each=$OPTARG ;;
	l) log=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
case $out in
/*) echo "farm.sh: '$out' is not below this folder; name it from here" >&2; exit 2 ;;
esac
case $each in
*[!0-9]* | 0) usage ;;
esac
case $log in
'' | /*) ;;
*) log=$PWD/$log ;;
esac
cd "$(dirname "$0")"
if [ $# -eq 0 ]; then
	for file in scenes/*.tscn; do ! grep -qsE 'type="Animation|instance=' "$file" || set -- "$@" "$file"; done
	for file in unity/*.anim; do [ ! -e "$file" ] || set -- "$@" "$file"; done
fi
# Names go into lists, command lines and targets of make.
for file in "$out" "$@"; do
	case $file in
	'' | -* | *[!A-Za-z0-9._/@+-]*)
		echo "farm.sh: '$(printf %s "$file" | tr -c 'A-Za-z0-9._/@+-' '?')': names may have A-Z a-z 0-9 . _ / @ + - only" >&2
		exit 2
		;;
	esac
done
[ $# -gt 0 ] || { echo "farm.sh: nothing to do: no animation in scenes/*.tscn and unity/*.anim" >&2; exit 2; }

# A job is a list of files: each costs seconds of greetings between machines. A few jobs for each machine, so that the
# fast ones take more of them.
[ -n "$each" ] || each=$((($# + 7) / 8))
[ "$each" -le 20 ] || each=20

# What the jobs are given and bring back. Where the last run was cut off over the same files, its jobs are not done again.
jobs=$out/.farm
mkdir -p "$jobs"
cksum Makefile chunk.sh "$@" >"$jobs.new"
if cmp -s "$jobs.new" "$jobs/of"; then rm "$jobs.new"; else
	rm -rf "$jobs"
	mkdir "$jobs"
	printf '%s\n' "$@" | split -l "$each" -a 5 - "$jobs/"
	mv "$jobs.new" "$jobs/of"
fi

# Here a job runs where the files are. Over there it has a folder of its own, which --cleanup removes, and all it needs
# comes and goes as one file.
unpack=: carry=''
if [ -n "$machines" ]; then
	unpack='tar -xf {}.in'
	for list in "$jobs"/?????; do
		[ -e "$list.in" ] || { printf 'Makefile\nchunk.sh\n' && cat "$list" && echo "$list"; } | tar -cf "$list.in" -T -
	done
	carry='--workdir ... --transferfile {}.in --return {}.out --cleanup'
	sockets=$(mktemp -d)
	trap 'rm -rf "$sockets"' EXIT
	# One connection to each machine for all jobs; one that is silent counts as dead.
	: "${PARALLEL_SSH:=ssh -o ConnectTimeout=5 -o ServerAliveInterval=3 -o ServerAliveCountMax=2 \
-o ControlMaster=auto -o ControlPersist=20 -o ControlPath=$sockets/%C}"
	export PARALLEL_SSH
fi
job="$unpack && ./chunk.sh '$out' {}"
# Jobs are written for this shell, whatever the user's is; where SHELL is not set, parallel would guess one.
export PARALLEL_SHELL=/bin/sh
failed=0
# parallel gives a job that a dead machine refuses to another; what was made but did not come back it does not notice.
for round in 1 2 3; do
	todo=$(for list in "$jobs"/?????; do [ -e "$list.out" ] || echo "$list"; done)
	# shellcheck disable=SC2086 # the lists are meant to be split
	[ -z "$todo" ] || parallel --will-cite --halt never --retries 3 ${log:+--joblog +"$log"} ${machines:+--sshlogin "$machines"} \
		$carry "$job" ::: $todo ||
		echo "farm.sh: round $round of 3 left some work" >&2
done
lost=0
for list in "$jobs"/?????; do
	if [ -e "$list.out" ]; then tar -xf "$list.out"; else
		sed 's/.*/farm.sh: &: nothing came back/' "$list" >&2
		lost=1
	fi
done
for file in "$@"; do
	pack=$out/${file%.*}.tar
	[ -e "$pack" ] && tar -xf "$pack" -C "$out" && rm "$pack" || failed=1
done
[ $lost -eq 1 ] || rm -rf "$jobs"
exit $failed
