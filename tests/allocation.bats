#!/usr/bin/env bats
# Allocations that fail: whichever it is, the program says so in one line, ends with 1 and leaves nothing behind.

load helper

setup_file() {
	"${CC:-cc}" -O1 -std=c11 -D_GNU_SOURCE -fPIC -shared -o "$BATS_FILE_TMPDIR/failing_alloc.so" \
		"$BATS_TEST_DIRNAME/fuzz/failing_alloc.c" || rm -f "$BATS_FILE_TMPDIR/failing_alloc.so"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	failing=$BATS_FILE_TMPDIR/failing_alloc.so
	[ -e "$failing" ] || skip "the C library has no entry points behind its allocations (glibc's have)"
	run --separate-stderr env LD_PRELOAD="$failing" anim-parse --version
	[ "$status" -eq 0 ] || skip "the programs are linked with an allocator of their own (a sanitizer's)"
	run --separate-stderr env ANIM_FAIL_ALLOC=1+ LD_PRELOAD="$failing" anim-parse "$ROOT/examples/crane.tscn"
	[ "$status" -ne 0 ] || skip "this C library's allocations cannot be made to fail from outside"
	mkdir out
}

# checked N COMMAND...: the run in which allocation N failed ended as it must. There are thousands of them: the shell itself
# looks at what is left, without a program for each question.
checked() {
	local status=0 lines left
	ANIM_FAIL_ALLOC=$1 LD_PRELOAD=$failing "${@:2}" >printed 2>messages || status=$?
	mapfile lines <messages
	left=(out/* out/.[!.]*)
	if [ "$status" -ne "${failed:-1}" ] || [ "${#lines[@]}" -ne 1 ] || [[ ${lines[0]} != *$': out of memory\n' ]] ||
		[ "${left[*]}" != 'out/* out/.[!.]*' ]; then
		echo "allocation $1 of ${*:2}: exit $status"
		cat messages
		ls -A out
		return 1
	fi
}

# each_failure COMMAND...: every allocation of the command fails, once alone and once with all behind it. After the first 20 it
# is every fifth without ANIM_LONG, from another one for each command.
each_failure() {
	local number count
	ANIM_COUNT_ALLOC=$PWD/count LD_PRELOAD=$failing "$@" >/dev/null 2>&1
	rm -f out/*
	count=$(cat count)
	[ "$count" -gt 5 ]
	skipped=$((${skipped:-0} + 1))
	for ((number = 1; number <= count; number++)); do
		[ -n "${ANIM_LONG:-}" ] || [ "$number" -le 20 ] || [ $(((number + skipped) % 5)) = 0 ] || continue
		checked "$number" "$@" || return 1
		checked "$number+" "$@" || return 1
	done
}

# libfyaml ends the process if the memory for its input is missing (0.7.12). It must not lose a text without a word, and no
# temporary file may be left.
@test "a Unity clip is complete, or the program fails, whichever allocation fails" {
	local number count status lines file=$DATA/unity/clip_editor.anim
	anim-parse "$file" >whole.axs
	ANIM_COUNT_ALLOC=$PWD/count LD_PRELOAD=$failing anim-parse "$file" -o out/a.axs
	rm out/a.axs
	count=$(cat count)
	[ "$count" -gt 50 ]
	for ((number = 1; number <= count; number++)); do
		[ -n "${ANIM_LONG:-}" ] || [ "$number" -le 20 ] || [ $((number % 5)) = 0 ] || continue
		status=0
		ANIM_FAIL_ALLOC=$number LD_PRELOAD=$failing anim-parse "$file" -o out/a.axs 2>messages || status=$?
		mapfile lines <messages
		[ "$status" -eq 0 ] || [ -z "$(ls -A out)" ]
		case $status in
		0) cmp out/a.axs whole.axs && rm out/a.axs ;;
		1) [[ ${#lines[@]} -eq 1 && ${lines[0]} == *$': out of memory\n' ]] || { cat messages && false; } ;;
		*) [ "$status" -eq 139 ] ;;
		esac
	done 2>/dev/null
}

@test "anim-parse reports every allocation that fails" {
	each_failure anim-parse "$ROOT/examples/crane.tscn" -o out/a.axs
	each_failure anim-parse --depfile out/a.d --target a "$ROOT/examples/box.tscn" "$ROOT/examples/crane.tscn" -o out/a.axs
	each_failure anim-parse --keep-going "$ROOT/tests/fuzz/corpus/godot/players.tscn" -o out/a.axs
	gzip -c "$ROOT/examples/crane.tscn" >crane.tscn.gz
	each_failure anim-parse crane.tscn.gz -o out/a.axs
	for file in interpolations.gltf types.gltf pointers.gltf external.gltf vrm.vrma; do
		each_failure anim-parse "$DATA/gltf/$file" -o out/a.axs
	done
	for file in deflated parts joints table live_link mp a2f; do
		each_failure anim-parse "$ROOT/tests/fuzz/corpus/npz/$file" -o out/a.axs
	done
	each_failure anim-parse --keep-going "$ROOT/tests/errors/gltf-nan/input.gltf" -o out/a.axs
	for file in takes.fbx layers.fbx old_text.fbx; do
		each_failure anim-parse -q "$DATA/fbx/$file" -o out/a.axs
	done
	if command -v python3 >/dev/null; then
		python3 "$ROOT/tests/asf_poses.py" make 1 take
		each_failure anim-parse -q take_01.amc -o out/a.axs
		# A package without clips, because the YAML library does not survive such failures.
		mkdir -p project/Assets && echo x >project/Assets/x.txt && echo 'guid: 0123456789abcdef0123456789abcdef' >project/Assets/x.txt.meta
		python3 "$ROOT/tests/unitypackage.py" project a.unitypackage
		each_failure anim-parse -q a.unitypackage -o out/a.axs
	fi
}

@test "anim-axes and anim-resample report every allocation that fails" {
	anim-parse "$ROOT/examples/crane.tscn" -o whole.axs
	each_failure anim-axes unity whole.axs -o out/a.axs
	each_failure anim-resample 30 whole.axs -o out/a.axs
	each_failure anim-resample --all 30 "$DATA/axs/good/all_types_curve.axs" -o out/a.axs
}

@test "anim-emit reports every allocation that fails" {
	anim-parse -q "$ROOT/examples/box.tscn" | anim-resample 30 -o whole.axs
	each_failure anim-emit animj -q --axes keep whole.axs -o out/a.animj
	each_failure anim-emit animj -q --axes keep whole.axs --each 'out/%c.animj' --force
	anim-parse -q "$DATA"/godot/project/scenes/*.tscn -o clips.axs
	anim-dump clips.axs | grep -q 'attr "file"'
	anim-resample 30 clips.axs -o external.axs
	each_failure anim-emit animj -q --axes keep external.axs --each 'out/%f-%c.animj' --force
	anim-parse -q "$DATA/unity/emit_all.anim" -o unity.axs
	each_failure anim-emit -q --meta auto --force unity.axs -o out/a.anim
	each_failure anim-emit fbx -q --force unity.axs -o out/a.fbx
}

@test "anim-diff reports every allocation that fails, by the status that is not that of a difference" {
	local failed=2
	anim-parse "$ROOT/examples/crane.tscn" -o whole.axs
	anim-axes resonite whole.axs -o turned.axs
	each_failure anim-diff --all whole.axs turned.axs -o out/a
	anim-resample -q 30 turned.axs | anim-emit -q -o whole.animj
	each_failure anim-diff --json --max 1m,90deg,1000%,10px whole.axs whole.animj -o out/a
}

@test "the tables and the texts, and what reads them, report every allocation that fails" {
	anim-parse "$ROOT/examples/crane.tscn" -o whole.axs
	each_failure anim-emit csv whole.axs -o out/a.csv
	each_failure anim-emit json whole.axs -o out/a.json
	anim-resample --all 10 whole.axs >sampled.axs
	each_failure anim-emit csv --wide sampled.axs -o out/a.csv
	each_failure anim-emit npz sampled.axs -o out/a.npz
	anim-emit json whole.axs >whole.json
	each_failure anim-parse whole.json -o out/a.axs
	anim-dump whole.axs >whole.txt
	each_failure anim-undump whole.txt -o out/a.axs
	anim-dump "$DATA/axs/good/unknown_column.axs" >unknown.txt
	each_failure anim-undump unknown.txt -o out/a.axs
}

@test "anim-info, anim-plot and anim-dump report every allocation that fails" {
	anim-parse "$ROOT/examples/crane.tscn" -o whole.axs
	each_failure anim-info whole.axs -o out/a
	each_failure anim-info --tree whole.axs -o out/a
	each_failure anim-info --json "$ROOT/examples/crane.tscn" -o out/a
	each_failure anim-info --csv whole.axs -o out/a
	each_failure anim-info --spark whole.axs -o out/a
	each_failure anim-plot whole.axs -o out/a
	each_failure anim-plot --dope --depth 2 whole.axs -o out/a.svg
	each_failure anim-plot --strip 2 whole.axs -o out/a.svg
	each_failure anim-plot --onion whole.axs -o out/a
	anim-resample 5 whole.axs | anim-emit -q animj >b.animj
	each_failure anim-plot --against b.animj whole.axs -o out/a.html
	each_failure anim-plot --heat --against b.animj whole.axs -o out/a.svg
	each_failure anim-plot --dope --against b.animj whole.axs -o out/a.svg
	each_failure anim-plot --strip 2 --against b.animj whole.axs -o out/a
	each_failure anim-dump whole.axs -o out/a
}

@test "anim-pack reports every allocation that fails" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-resample --all 500 -o x.axs
	each_failure anim-pack -j 1 x.axs -o out/x.axs.gz
	anim-pack x.axs -o x.axs.gz
	each_failure anim-pack -l x.axs.gz -o out/list
}

@test "anim-unpack reports every allocation that fails" {
	each_failure anim-unpack "$DATA/archive/archive_small.axs.gz" -o out/a.axs
	each_failure anim-unpack -t 0.1..0.2 -n B "$ROOT/tests/fuzz/corpus/archive/stored_blocks_unity" -o out/a.axs
}

# Without expressions: glibc's regcomp does without some allocations, and frees twice where others fail.
@test "anim-rename reports every allocation that fails" {
	anim-parse "$DATA/rename/dance.tscn" -o whole.axs
	printf 'Hips,Pelvis\nArmature/Hips/Spine,Rig/Chest\n' >map.csv
	each_failure anim-rename --map map.csv --humanoid unity:mixamo whole.axs -o out/a.axs
	each_failure anim-rename --crc "$DATA/rename/dance.tscn" --bones Armature/Skeleton3D whole.axs -o out/a.axs
	each_failure anim-rename --dry-run --map map.csv whole.axs -o out/list
}

# jointed NAME...: a stream of these bones below each other that all turn.
jointed() {
	local path=. number=0
	printf '{"anim_json":1}\n{"tree":{"root":"r","source":"r","axes":"gltf","axes2d":"unknown","attributes":{}}}\n'
	for name in . "$@"; do
		[ $number = 0 ] || path=${path#./}/$name path=${path#./}
		printf '{"node":{"path":"%s","type":"","kind":"node","has":["position","rotation","scale"],"parent":%s,"position":[0,1,0],' \
			"$path" "$([ $number = 0 ] && echo null || echo $((number - 1)))"
		printf '"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}\n'
		number=$((number + 1))
	done
	printf '{"clip":{"name":"go","root":".","source":"gltf","start":0,"end":1,"loop":"none","axes":"gltf","axes2d":"unknown",'
	printf '"flags":["in_tree"],"rate":null,"attributes":{}}}\n'
	path=.
	for name; do
		path=${path#./}/$name path=${path#./}
		printf '{"track":{"node":"%s","property":"rotation","component":null,"kind":"Curve","type":"floatQ","rules":"plain",' "$path"
		printf '"flags":[],"before":"hold","after":"hold","interp":"Linear","keys":2,"attributes":{},'
		printf '"columns":{"time":[0,1],"value":[[0,0,0,1],[0.1,0.2,0,1]]}}}\n'
	done
	printf '{"end":true}\n'
}

@test "anim-retarget reports every allocation that fails, also where rotations are put together" {
	jointed A B C | anim-parse -q -f json -o whole.axs
	jointed A X C | anim-parse -q -f json -o other.axs
	anim-retarget --to other.axs whole.axs 2>&1 >/dev/null | grep 'now with the motion'
	each_failure anim-retarget --to other.axs whole.axs -o out/a.axs
}

@test "anim-retarget reports every allocation that fails while it converts bones to muscles" {
	printf 'Skeleton3D:LeftHand,LeftHand\n' >map.csv
	each_failure anim-retarget --muscles --map map.csv "$ROOT/tests/fuzz/corpus/filter/human.axs" -o out/a.axs
}

@test "anim-mirror and anim-root report every allocation that fails in a humanoid clip" {
	anim-retarget -q --muscles "$ROOT/examples/walker.tscn" | anim-filter -q -p 'Root*' -p 'Left*Arm*' >m.axs
	each_failure anim-mirror m.axs -o out/a.axs
	each_failure anim-root --in-place --yaw --loop m.axs -o out/a.axs
}

@test "anim-pin reports every allocation that fails" {
	anim-parse -q "$DATA/limb/overstretched.bvh" | anim-retime -q -t 3..4.2 >m.axs
	each_failure anim-pin m.axs -o out/a.axs
}
