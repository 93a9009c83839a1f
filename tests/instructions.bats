# instructions.bats: steps that run for many keys take as many instructions as when instructions.txt was recorded, which a busy
# machine does not change. The numbers are those of gcc 12 with -O2 on Debian 12, on a processor with AVX2. Other builds are skipped.
# ANIM_RECORD=FILE appends the numbers of this run to FILE, to replace the table after a change that is worth its cost.
load helper

TOLERANCE=20 # thousandths
START=50000  # in addition, for the environment and the place of the programs, which change how a program starts

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	anim-bake -q -r 60 --loops 40 "$ROOT/examples/walker.tscn" -o keys.axs
	anim-retime -q --speed 0.5 -o slow.axs keys.axs
	anim-emit -q --force -o keys.tscn keys.axs
	anim-emit -q -o keys.animj keys.axs
	anim-emit -q -o keys.glb keys.axs
}

# recorded_build: skips unless this is the build of the table.
recorded_build() {
	not_sanitized "other instructions"
	not_bytewise "other instructions"
	not_windows "valgrind counts there something else"
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	[ "$(sed -n 's/^ID=//p' /etc/os-release) $(sed -n 's/^VERSION_ID=//p' /etc/os-release)" = 'debian "12"' ] || skip "the numbers are those of Debian 12"
	grep -qw avx2 /proc/cpuinfo || skip "the numbers are those of a processor with AVX2"
	case " $(cat "$ANIM_BUILD/flags") " in
	" yes "* | *clang* | *musl*) skip "the numbers are those of gcc 12, glibc and a shared library" ;;
	*" -O2 -g "*) ;;
	*) skip "the numbers are those of -O2" ;;
	esac
	cc --version | grep -q ' 12\.' || skip "the numbers are those of gcc 12"
}

# counted NAME COMMAND...: fails if the command takes more instructions than recorded.
counted() {
	local name=$1 count recorded
	recorded_build
	shift
	cd "$BATS_FILE_TMPDIR" || return 1
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$name.log" "$@" >/dev/null || [ $? = "${ENDS:-0}" ]
	count=$(sed -n 's/.*Collected : //p' "$name.log")
	[ -n "$count" ]
	[ -z "${ANIM_RECORD:-}" ] || echo "$name $count" >>"$ANIM_RECORD"
	recorded=$(awk -v name="$name" '$1 == name { print $2 }' "$ROOT/tests/instructions.txt")
	echo "$name: $count instructions, recorded $recorded"
	[ "$count" -le $((recorded + recorded * TOLERANCE / 1000 + START)) ]
}

@test "reading a Godot scene" { counted parse-tscn anim-parse -q keys.tscn; }
@test "reading AnimJ" { counted parse-animj anim-parse -q keys.animj; }
@test "reading glTF" { counted parse-glb anim-parse -q keys.glb; }
@test "a filter that keeps everything" { counted cat anim-cat keys.axs; }
@test "sampling at another rate" { counted resample anim-resample -q 120 keys.axs; }
@test "reversing" { counted reverse anim-retime -q --reverse keys.axs; }
@test "comparing two files that differ" { ENDS=1 counted diff anim-diff -q keys.axs slow.axs; }
@test "writing a Godot scene" { counted emit-tres anim-emit -q tres keys.axs; }
@test "writing AnimJ" { counted emit-animj anim-emit -q animj keys.axs; }
@test "writing glTF" { counted emit-glb anim-emit -q glb keys.axs; }
@test "writing Unity's text" { counted emit-unity anim-emit -q unity keys.axs; }
@test "writing a table of keys" { counted emit-csv anim-emit -q csv keys.axs; }
