#!/usr/bin/env bash
# bats.sh FILE... | FILE TEXT: runs the tests of bats files, or those with the text in their names, as `bats --tap FILE` does, each in a
# subshell instead of a new bash, and without a trap at every command, which takes less than a tenth of the time. It knows what our
# files use of bats, and asks for nothing that bats 1.5 lacks. With ANIM_TIMES it says after each test how many seconds it took,
# and how many of a processor.
case ${2:-} in
*.bats)
	failed=0
	for file; do "$0" "$file" || failed=1; done
	exit "$failed"
	;;
esac
BATS_TEST_FILENAME=$(realpath "$1") BATS_RUN_TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/bats-run-XXXXXX") || exit 2
only=${2:-}
BATS_TEST_DIRNAME=${BATS_TEST_FILENAME%/*} BATS_FILE_TMPDIR=$BATS_RUN_TMPDIR/file
export BATS_TEST_FILENAME BATS_TEST_DIRNAME BATS_RUN_TMPDIR BATS_FILE_TMPDIR
mkdir "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR/test"
trap 'rm -rf "$BATS_RUN_TMPDIR"' EXIT
exec 3>&1 </dev/null

bats_require_minimum_version() { :; }
setup() { :; }
teardown() { :; }
setup_file() { :; }
teardown_file() { :; }
load() {
	# shellcheck source=/dev/null
	. "$BATS_TEST_DIRNAME/$1.bash"
}
skip() {
	printf '%s' "${1:-}" >"$BATS_RUN_TMPDIR/skipped"
	exit 0
}

# run [!|-N] [--separate-stderr] COMMAND...: gives $status, $output, $lines, $stderr and $stderr_lines.
# shellcheck disable=SC2034 # tests look at them
run() {
	local wanted='' apart='' was=$-
	while :; do
		case $1 in
		!) wanted='!' ;;
		-[0-9]*) wanted=${1#-} ;;
		--separate-stderr) apart=1 ;;
		*) break ;;
		esac
		shift
	done
	set +eET
	if [ -n "$apart" ]; then
		output=$("$@" 2>"$BATS_RUN_TMPDIR/stderr")
		status=$?
		stderr=$(<"$BATS_RUN_TMPDIR/stderr")
		IFS=$'\n' read -r -d '' -a stderr_lines <<<"$stderr" || :
	else
		output=$("$@" 2>&1)
		status=$?
	fi
	IFS=$'\n' read -r -d '' -a lines <<<"$output" || :
	[[ $was != *e* ]] || set -eET
	case $wanted in
	'') ;;
	!) [ "$status" -ne 0 ] || { echo "run succeeded: $*" && return 1; } ;;
	*) [ "$status" -eq "$wanted" ] || { echo "run ended with $status: $*" && return 1; } ;;
	esac
}

# The file with functions for tests: test_N, in the order of their names in $names.
program=$(awk '/^@test "/ { sub(/"([^"\\]|\\.)*" \{/, "test_" ++n "() {"); sub(/^@test /, "") } { print }' "$1")
names=()
while read -r name; do names+=("$name"); done < <(sed -n 's/^@test "\(\([^"\\]\|\\.\)*\)" {.*/\1/; T; s/\\\([\\"$`]\)/\1/g; p' "$1")

# one N: a test in a shell of its own, which ends at the first command that fails. It reads the file anew, as in bats.
one() (
	BATS_TEST_NUMBER=$1 BATS_TEST_DESCRIPTION=${names[$1 - 1]} BATS_TEST_NAME=test_$1 BATS_TEST_TMPDIR=$BATS_RUN_TMPDIR/test/$1
	exec >"$BATS_RUN_TMPDIR/out" 2>&1
	export BATS_TEST_NUMBER BATS_TEST_DESCRIPTION BATS_TEST_NAME BATS_TEST_TMPDIR
	mkdir "$BATS_TEST_TMPDIR"
	trap - ERR
	eval "$program"
	trap 'status=$?; trap - ERR; set +e; teardown || status=1; exit $status' EXIT
	trap 'echo "line ${BASH_LINENO[0]} of ${FUNCNAME[0]:-}: $BASH_COMMAND" >>"$BATS_RUN_TMPDIR/at"' ERR
	set -eET
	setup
	"test_$1"
)

echo "1..${#names[@]}"
eval "$program"
trap 'cd /; [ -z "$begins" ] || { sed "s/^/# /" "$BATS_RUN_TMPDIR/out"; echo "not ok 1 setup_file"; }; rm -rf "$BATS_RUN_TMPDIR"; exit $bad' EXIT
begins=1 bad=1
set -e
setup_file >"$BATS_RUN_TMPDIR/out" 2>&1
set +e
begins='' bad=0
TIMEFORMAT='# %R s, user %U, system %S'
for ((number = 1; number <= ${#names[@]}; number++)); do
	[[ ${names[number - 1]} == *"$only"* ]] || continue
	rm -f "$BATS_RUN_TMPDIR/skipped" "$BATS_RUN_TMPDIR/at"
	# Not as a condition, in which bash would not end at a failure.
	if [ -n "${ANIM_TIMES:-}" ]; then time one "$number"; else one "$number"; fi
	status=$?
	if [ $status -ne 0 ] && [ -n "${ANIM_WINE:-}" ]; then # of a thousand pipes, wine breaks one
		rm -rf "$BATS_RUN_TMPDIR/test/$number" "$BATS_RUN_TMPDIR/skipped" "$BATS_RUN_TMPDIR/at"
		one "$number"
		status=$?
	fi
	if [ $status -ne 0 ]; then
		bad=1
		echo "not ok $number ${names[number - 1]}"
		tail -n 3 "$BATS_RUN_TMPDIR/at" 2>/dev/null | cat "$BATS_RUN_TMPDIR/out" - | sed 's/^/# /'
	elif [ -e "$BATS_RUN_TMPDIR/skipped" ]; then
		echo "ok $number ${names[number - 1]} # skip $(<"$BATS_RUN_TMPDIR/skipped")"
	else
		echo "ok $number ${names[number - 1]}"
	fi
	rm -rf "$BATS_RUN_TMPDIR/test/$number"
done
teardown_file
