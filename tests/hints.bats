#!/usr/bin/env bats
# What a message tells to type works as it stands; words are known without their case, slips get the word that was meant.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$ROOT/examples/crane.tscn" walk.tscn
	anim-parse walk.tscn >hero.axs
	anim-emit -q --axes keep -o walk.animj hero.axs 2>/dev/null
	mkdir done
}

# suggests 'LINE' COMMAND...: the message ends in the line, and the line can be typed.
suggests() {
	run --separate-stderr "${@:2}"
	[ "$status" -ne 0 ]
	[[ ${stderr_lines[0]} == *"; try: $1" ]] || { echo "${stderr_lines[0]}" && false; }
	bash -o pipefail -c "$1" >typed || { echo "$1 fails" && false; }
}

@test "what a message tells to type can be typed and loses nothing" {
	suggests 'anim-parse walk.tscn | anim-cat - hero.axs' anim-cat walk.tscn hero.axs
	[ "$(anim-info typed | grep -c '^lift: 2 s')" -eq 2 ]
	suggests 'anim-parse walk.tscn | anim-cat' anim-cat walk.tscn
	rm walk.animj
	suggests 'anim-parse walk.tscn | anim-emit -o walk.animj' anim-emit walk.tscn
	[ -s walk.animj ]
	suggests 'anim-emit animj hero.axs' anim-emit hero.axs
	suggests 'anim-parse walk.tscn | anim-cat - hero.axs | anim-emit tres' anim-emit walk.tscn hero.axs
	suggests 'anim-cat hero.axs hero.axs | anim-emit tres' anim-emit hero.axs hero.axs
	suggests 'anim-parse walk.tscn | anim-resample 30' anim-resample walk.tscn
	suggests 'anim-parse walk.tscn | anim-resample 24' anim-resample walk.tscn 24
	suggests 'anim-resample 24 hero.axs' anim-resample hero.axs 24
	suggests 'anim-parse walk.tscn | anim-axes unity' anim-axes walk.tscn unity
	suggests 'anim-pack hero.axs -o hero.axs.gz' anim-pack -l hero.axs
	suggests 'anim-parse walk.tscn | anim-pack -o walk.tscn.axs.gz' anim-pack -l walk.tscn
	suggests 'anim-emit -o w.animj hero.axs' anim-pack -o w.animj hero.axs
	suggests 'mkdir -p no/such' anim-emit animj -o no/such/x hero.axs
}

@test "a limit that is missing is named" {
	run -1 --separate-stderr anim-diff --max 0.1mm,0.05deg walk.tscn walk.animj
	[ "$stderr" = "anim-diff: note: --max has no limit for plain numbers such as 'Lamp light_energy'; '1%' or 'light_energy=1%' is one" ]
	run -0 --separate-stderr anim-diff --axes keep --max 0.1mm,0.05deg,1% walk.tscn walk.animj
	[ -z "$stderr" ]
	run -0 anim-diff --axes keep --max 0.1mm,0.05deg,light_energy=1% walk.tscn walk.animj
}

@test "-f, -r and -c mean in every program what they mean in others" {
	anim-emit -q --axes keep -f animj hero.axs 2>/dev/null | cmp - walk.animj
	run -2 --separate-stderr anim-emit -f animk hero.axs
	[[ ${stderr_lines[0]} == "anim-emit: --format: 'animk' is none of "*"; did you mean animj?" ]]
	anim-resample -q -r 30 hero.axs | anim-dump | grep -v '^prog\|^.attr' >a
	anim-resample -q 30 hero.axs | anim-dump | grep -v '^prog\|^.attr' | cmp - a
	anim-resample -q -r 30 hero.axs | anim-dump | grep -qF 'attr "rate" "30"'
	run -2 anim-resample -r 30 hero.axs x.axs
	for program in anim-info anim-dump anim-lint; do
		"$program" -c lift hero.axs >a || [ "$program" = anim-lint ]
		run --separate-stderr "$program" -c nobody hero.axs
		[ "$status" -ne 0 ]
		[[ $stderr == *nobody* ]]
	done
}

@test "words are taken without their case, a slip gets what was meant" {
	anim-axes Unity hero.axs | cmp - <(anim-axes unity hero.axs) || anim-axes Unity hero.axs >/dev/null
	anim-emit -q --axes keep AnimJ hero.axs 2>/dev/null | cmp - walk.animj
	anim-parse -f TSCN walk.tscn >/dev/null
	local pair
	for pair in anim:unity resonite:animj Godot:tres tsn:tscn; do
		run -2 --separate-stderr anim-emit -f "${pair%:*}" hero.axs
		[[ ${stderr_lines[0]} == *"did you mean ${pair#*:}?" ]]
	done
	run -2 --separate-stderr anim-emit tscn --godot 4.4 hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --godot: '4.4' is none of 4.5, 3, 4.2, 4.6; did you mean 4.5?" ]
	run -2 --separate-stderr anim-parse --fromat tscn walk.tscn
	[ "${stderr_lines[0]}" = "anim-parse: unknown option '--fromat'; did you mean --format?" ]
	run -2 --separate-stderr anim-axes unitee hero.axs
	[[ ${stderr_lines[0]} == *"did you mean unity?" ]]
	run -2 --separate-stderr anim-parse --wobble walk.tscn
	[ "${stderr_lines[0]}" = "anim-parse: unknown option '--wobble'" ]
}

@test "an option that the format does not know is refused with the formats that do" {
	run -2 --separate-stderr anim-emit animj --encoding lz4 --library hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --encoding goes with animx, not with animj" ]
	run -2 --separate-stderr anim-emit animj --library hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --library goes with tres, not with animj" ]
	run -2 --separate-stderr anim-emit unity --godot 3 hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --godot goes with tres and tscn, not with unity" ]
	run -2 --separate-stderr anim-emit tscn --pretty hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --pretty goes with animj, not with tscn" ]
}

@test "anim-lint --ignore leaves a kind of finding out" {
	run -1 anim-lint --for resonite walk.tscn
	[[ $output == *"it is in godot axes"* ]]
	run -1 anim-lint --for resonite --ignore axes-other walk.tscn
	[[ $output != *"it is in godot axes"* ]]
	run -0 anim-lint --for resonite --ignore axes-other --ignore mode walk.tscn
	run -2 --separate-stderr anim-lint --ignore modus walk.tscn
	[ "${stderr_lines[0]}" = "anim-lint: --ignore: 'modus' is no kind of finding; did you mean modes?" ]
}

@test "clips that a pattern without %c tells apart by numbers are warned of" {
	anim-cat hero.axs hero.axs hero.axs -o three.axs
	run -0 --separate-stderr anim-emit -q --axes keep --each 'done/h.tres' three.axs
	[[ $stderr == *"warning: 2 files are told apart by numbers: the pattern has no %c, the clip's name"* ]]
	run -1 anim-emit -q --strict --axes keep --each 'done/x.tres' three.axs
	run -0 --separate-stderr anim-split --to 'done/%c.axs' three.axs
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-split --to 'done/s.axs' hero.axs
	[ -z "$stderr" ]
}
