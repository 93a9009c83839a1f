#!/bin/sh
# run.sh BUILD [TEST...]: runs the bats files (all of tests/*.bats, or those named) against the programs in BUILD. Prints a line
# for each file when it ends, with what failed, and last "N passed, N failed, N skipped". BUILD is a folder such as build/release. With
# GNU parallel as many files run at once as there are processors (or JOBS=1 for one after the other).
set -u

# run.sh --file FOLDER FILE: one file; its output and counts go into the folder, its line to the terminal.
if [ "$1" = --file ]; then
	log=$2/$3 begun=$(date +%s)
	./bats.sh "$3" >"$log" 2>&1
	status=$?
	skipped=$(grep -c '^ok .* # skip' "$log")
	passed=$(($(grep -c '^ok ' "$log") - skipped))
	failed=$(grep -c '^not ok ' "$log")
	planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log" | head -n 1)
	if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ] || [ $((passed + failed + skipped)) -ne "${planned:-0}" ] || [ "${planned:-0}" -eq 0 ]; then
		echo "run.sh: bats.sh stopped with status $status after $((passed + failed + skipped)) of ${planned:-?} tests" >>"$log"
		failed=$((failed + 1))
	fi
	echo "$passed $failed $skipped" >"$log.counts"
	printf '%-22s %3d passed, %d failed, %d skipped, %d s\n' "$3" "$passed" "$failed" "$skipped" $(($(date +%s) - begun))
	[ "$failed" -eq 0 ] || grep -v -e '^ok ' -e '^1\.\.' "$log"
	exit 0
fi

cd "$(dirname "$0")" || exit 2
ANIM_BUILD=$1
export ANIM_BUILD
shift
[ $# -gt 0 ] || set -- *.bats

# The files that take longest begin, longest first: begun last, one of them would leave the other processors idle.
long="determinism.bats web.bats npm.bats unit.bats allocation.bats reduce.bats cost.bats fuzz.bats memory.bats emit_godot.bats gltf_into.bats \
	engine_gltf.bats godot_binary.bats pages.bats assets.bats gltf.bats anim_lint.bats into.bats plot.bats gltf_emit.bats bvh.bats \
	errors.bats stream.bats replace.bats anim_convert.bats viewer.bats pipeline.bats diff.bats corpus.bats"
ordered=
for file in $long; do
	case " $* " in *" $file "*) ordered="$ordered $file" ;; esac
done
for file; do
	case " $long " in *[[:space:]]"$file"[[:space:]]*) ;; *) ordered="$ordered $file" ;; esac
done
# shellcheck disable=SC2086 # names of files here, without blanks
set -- $ordered

logs=$(mktemp -d) || exit 2
trap 'rm -rf "$logs"' EXIT
# python3 may be a script of a version manager, which starts slowly: tests call the interpreter itself, where one has numpy that one.
for python in python3 /usr/bin/python3; do
	python=$($python -c 'import sys; print(sys.executable)' 2>/dev/null) || continue
	[ -e "$logs/bin/python3" ] && ! "$python" -c 'import numpy' 2>/dev/null && continue
	mkdir -p "$logs/bin"
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$logs/bin/python3"
	chmod +x "$logs/bin/python3"
	! "$python" -c 'import numpy' 2>/dev/null || break
done
PATH=$logs/bin:$PATH
# Without SHELL parallel would take what runs it for a shell.
export PARALLEL_SHELL="${PARALLEL_SHELL:-$(command -v bash)}" HOME="${HOME:-/tmp}"
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
if [ "$jobs" -gt 1 ] && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	parallel --will-cite --jobs "$jobs" ./run.sh --file "$logs" ::: "$@"
else
	for file; do ./run.sh --file "$logs" "$file"; done
fi
cat "$logs"/*.bats | sed -n '/^ok .* # skip/s/^ok [0-9]* /skipped: /p'
for file; do [ -e "$logs/$file.counts" ] || echo "0 1 0"; done | cat - "$logs"/*.counts |
	awk '{ passed += $1; failed += $2; skipped += $3 }
		END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
