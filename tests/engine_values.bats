#!/usr/bin/env bats
# What our samplers predict against what a real Godot 4 returns. GODOT names the engine's command: GODOT=godot bats ...

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	[ -n "${GODOT-}" ] || skip "GODOT does not name an engine"
	command -v python3 >/dev/null || skip "python3 is not installed"
	mkdir project
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/*.gd project/
}

# engine SCRIPT ARGUMENT...: runs a script of ours inside the project.
engine() {
	# shellcheck disable=SC2086
	(cd project && $GODOT --headless --path . --script "$@") >engine.log 2>&1
}

# agree RATE: all .tres of the project, as the engine plays them and as we do.
agree() {
	engine values.gd -- "$1" engine.json $(cd project && ls ./*.tres)
	run python3 "$BATS_TEST_DIRNAME/engine/values.py" "$1" project/engine.json project
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "random tracks of every type and mode have the engine's values at any time" {
	for seed in 1 2; do
		rm -f project/*.tres
		python3 "$BATS_TEST_DIRNAME/engine/random_tracks.py" "$seed" 25 project
		agree 240
		[[ $output == *" tracks, "* ]]
		[ "${output%% *}" -gt 250 ]
	done
}

@test "the engine still shows the numbers of the oracle" {
	cp "$DATA"/oracle/godot-4.6/*.tres project/
	engine values.gd -- 12 engine.json $(cd "$DATA/oracle/godot-4.6" && ls ./*.tres)
	diff <(sed 's,"\./,",' project/engine.json) "$DATA/oracle/godot-4.6/values.12.json"
}

@test "what is written for Godot is played as the conversion measured it" {
	local n=0 file
	for file in "$DATA"/unity/*.anim "$DATA"/animj/example_c*.animj "$DATA"/godot/emit_3*.tscn "$ROOT"/examples/*.tscn \
		"$ANIM_CORPUS"/unity/*.anim "$ANIM_CORPUS"/resonite/*.animj; do
		[ -e "$file" ] && [[ $file != */emit_all.anim ]] || continue # its rotations turn faster than floats can tell
		anim-parse -q --no-external "$file" 2>/dev/null | anim-axes -q godot 2>/dev/null >made.axs || continue
		anim-emit -q tres --keep-names --force --each "project/$n-%c.tres" made.axs 2>/dev/null || continue
		n=$((n + 1))
	done
	[ "$n" -ge 5 ]
	agree 240
	[ "${output##*$'\n'}" != "0 tracks, 0 samples, 0 tracks off" ]
}
