# cost.bats: cost grows as the work. Processor time may grow by 2.6 for twice as many of something. Times too short to be told
# from noise are not judged. With ANIM_LONG the numbers are doubled three times and end twice as high.
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "what they cost is no measure"
}

NOISE_MS=30 SIZES="2 4"
[ -z "${ANIM_LONG:-}" ] || NOISE_MS=60 SIZES="1 2 4 8"
LIMIT=26 # tenths

# cost_ms COMMAND: processor time of a command and its children, whatever its exit status.
cost_ms() {
	local TIMEFORMAT='%3U %3S' spent
	rm -rf out && mkdir out # what --each made before
	spent=$({ time eval "$1" >/dev/null 2>&1; } 2>&1)
	awk -v counted="${COUNT_SYSTEM:-1}" '{ printf "%d", ($1 + counted * $2) * 1000 }' <<<"$spent"
}

# best_ms COMMAND: the best of five, for other tests run beside this one.
best_ms() {
	local best=999999 ms
	for _ in 1 2 3 4 5; do
		ms=$(cost_ms "$1")
		[ "$ms" -ge "$best" ] || best=$ms
	done
	echo "$best"
}

# grows KIND SUFFIX N COMMAND...: each command, with IN and STREAM for its input, over the sizes (times N) of a kind.
grows() {
	local kind=$1 suffix=$2 n=$3 i
	shift 3
	for i in $SIZES; do
		awk -v kind="$kind" -v n=$((n * i)) -f "$ROOT/tests/bench/grow.awk" >"in$i.$suffix"
		if [ "$suffix" = dump ]; then
			anim-undump "in$i.dump" -o "in$i.axs"
		else
			anim-parse -q "in$i.$suffix" -o "in$i.axs" 2>/dev/null || :
		fi
	done
	for command; do
		judge "$kind" "$suffix" "$command"
	done
}

# at I COMMAND SUFFIX: the command for the input of that size.
at() {
	local command=${2//IN/in$1.$3}
	echo "${command//STREAM/in$1.axs}"
}

# is_long NOW BEFORE: whether NOW milliseconds are too many for an input of twice the size.
is_long() { [ "$1" -gt $NOISE_MS ] && [ $((10 * $1)) -gt $((LIMIT * ($2 > NOISE_MS ? $2 : NOISE_MS))) ]; }

judge() {
	local before=0 now i last= again
	for i in $SIZES; do
		now=$(cost_ms "$(at $i "$3" "$2")")
		# Noise only adds: what looks too long is measured again, and what it is held against, too.
		for again in 1 2 3; do
			[ -n "$last" ] && is_long "$now" "$before" || break
			now=$(best_ms "$(at $i "$3" "$2")")
			before=$(best_ms "$(at $last "$3" "$2")")
		done
		if [ -n "$last" ] && is_long "$now" "$before"; then
			echo "$1, '$3': $before ms, and $now ms for twice as many (at $i times the first)"
			return 1
		fi
		before=$now
		last=$i
	done
}

@test "clips: reading, writing, comparing, listing" {
	grows clips tscn 2000 'anim-parse IN' 'anim-emit --axes keep tscn STREAM' 'anim-emit --axes keep tres STREAM' \
		'anim-diff STREAM STREAM' 'anim-lint STREAM' 'anim-info STREAM' 'anim-cat --merge STREAM STREAM' \
		'anim-bake STREAM' 'anim-rename -e s/Box/Tin/ STREAM'
}

@test "names that collide: as clips of many players" {
	grows same tscn 1000 'anim-parse IN' 'anim-emit --axes keep tscn STREAM' 'anim-emit --axes keep tres STREAM' \
		'anim-diff STREAM STREAM' 'anim-lint STREAM' 'anim-cat --merge STREAM STREAM'
}

@test "clips of a scene of as many nodes" {
	grows crowd tscn 1000 'anim-parse IN' 'anim-axes unity STREAM | anim-diff STREAM -' 'anim-split --dry-run STREAM' \
		'anim-rename -e s/P0/Q/ STREAM | anim-cat --merge STREAM -' 'anim-diff STREAM STREAM' 'anim-lint STREAM' 'anim-info STREAM'
}

@test "clips of a scene of as many nodes, each of which moves its own" {
	grows own tscn 500 'anim-info --reach STREAM' 'anim-reduce STREAM' 'anim-reduce --fast --tol 1mm@10cm STREAM' \
		'anim-diff --world STREAM STREAM' 'anim-plot --heat --against STREAM STREAM' \
		'anim-bake --world STREAM' 'anim-mirror STREAM'
	COUNT_SYSTEM=0
	grows own tscn 250 'anim-emit --axes keep --each out/%c.animj STREAM' 'anim-emit --axes keep --each out/%c.animx STREAM' \
		'anim-emit --axes keep --each out/%c.anim STREAM' 'anim-emit --axes keep --each out/%c.tres STREAM'
}

@test "bones of a chain" {
	grows chain tscn 1000 'anim-parse IN' 'anim-info --reach STREAM' 'anim-axes unity STREAM' 'anim-emit --axes keep animj STREAM'
}

@test "trees, and clips of one name" {
	grows trees dump 2000 'anim-diff STREAM STREAM' 'anim-cat --merge STREAM STREAM' 'anim-axes unity STREAM | anim-diff STREAM -' \
		'anim-split --dry-run STREAM' 'anim-axes unity STREAM' 'anim-info STREAM'
}

@test "clips that are put into a scene that has them, and into one that does not" {
	grows clips tscn 2000 'anim-emit -q --into IN -o out/x STREAM' 'anim-emit -q --into IN --only -o out/x STREAM' \
		'sed s/clip/klip/ IN >out/x.tscn; anim-emit -q --into out/x.tscn STREAM'
	grows same tscn 1000 'anim-emit -q --into IN -o out/x STREAM' 'anim-emit -q --into IN --only -o out/x STREAM' \
		'sed s/take/make/ IN >out/x.tscn; anim-emit -q --into out/x.tscn STREAM'
}

@test "files of --each and anim-split, with names that differ and that collide" {
	grows clips tscn 2000 'anim-split --dry-run STREAM' 'anim-split --dry-run --to take.axs STREAM'
	COUNT_SYSTEM=0 # what a file costs depends on who else makes files
	grows clips tscn 250 'anim-emit --axes keep --each out/%c.animj STREAM' 'anim-emit --axes keep --each out/%c.anim STREAM'
}

@test "tracks, and nodes that they move" {
	grows tracks tscn 4000 'anim-parse IN' 'anim-emit --axes keep tres STREAM' 'anim-emit --axes keep animj STREAM' \
		'anim-emit --axes keep unity STREAM' 'anim-emit --axes keep animx STREAM' 'anim-diff STREAM STREAM' \
		'anim-lint --for unity STREAM' 'anim-rename --bones Root STREAM' 'anim-axes unity STREAM' 'anim-bake STREAM'
	grows nodes tscn 4000 'anim-parse IN' 'anim-emit --axes keep tscn STREAM' 'anim-emit --axes keep unity STREAM' \
		'anim-diff STREAM STREAM' 'anim-lint --for godot STREAM' 'anim-cat STREAM STREAM' 'anim-info --tree STREAM' \
		"anim-parse -q -o in.axs <(sed 's/\"N\([0-9]*[1-9]\)\"/\"M\1\"/' IN); anim-retarget -q --to in.axs STREAM; anim-diff --world in.axs STREAM"
}

@test "resources of a Godot scene, its own and other files" {
	grows sub_resources tscn 10000 'anim-parse IN'
	grows ext_resources tscn 10000 'anim-parse IN'
}

@test "overrides of a Unity prefab" {
	grows overrides prefab 4000 'anim-parse IN'
}

@test "keys of one track" {
	grows keys_tres tres 40000 'anim-parse IN' 'anim-emit --axes keep animj STREAM' 'anim-resample 30 STREAM' \
		'anim-diff STREAM STREAM' 'anim-lint STREAM'
	grows keys_animj animj 20000 'anim-parse IN' 'anim-emit --axes keep unity STREAM' 'anim-retime --reverse STREAM'
	grows keys_anim anim 20000 'anim-parse IN' 'anim-emit --axes keep tres STREAM'
}

@test "depth of nesting, which is refused, costs what its bytes cost" {
	grows depth_animj animj 20000 'anim-parse IN'
	grows depth_tres tres 20000 'anim-parse IN'
	grows depth_anim anim 20000 'anim-parse IN'
}

@test "members of one object" {
	grows members_animj animj 20000 'anim-parse IN'
	grows members_tres tres 20000 'anim-parse IN'
	grows members_anim anim 20000 'anim-parse IN'
}
