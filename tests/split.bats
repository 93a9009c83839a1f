#!/usr/bin/env bats
# anim-split: a file for every clip, all or none, and anim-cat undoes it.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-parse -q "$ROOT/examples/box.tscn" -o box.axs
	anim-cat crane.axs box.axs -o all.axs
}

@test "every clip gets a file with its tree and the provenance, named after it" {
	run -0 --separate-stderr anim-split all.axs
	[ -z "$output$stderr" ]
	[ "$(echo *.axs)" = "RESET.axs all.axs box.axs crane.axs lift.axs scale_down.axs" ]
	for clip in RESET lift scale_down; do
		anim-dump "$clip.axs" >dump
		[ "$(grep -c '^clip ' dump)" -eq 1 ]
		grep -q "^clip name=\"$clip\"" dump
		[ "$(grep -c '^tree ' dump)" -eq 1 ]
		[ "$(grep -c '^prog program="anim-parse"' dump)" -eq 2 ]
	done
	grep -q '^tree root="Crane"' <(anim-dump lift.axs)
	grep -q '^tree root=' <(anim-dump RESET.axs)
	run ! grep -q '^tree root="Crane"' <(anim-dump RESET.axs)
}

@test "anim-cat makes whole what anim-split took apart, byte for byte" {
	anim-split all.axs
	anim-cat lift.axs RESET.axs scale_down.axs -o again.axs
	same all.axs again.axs
	anim-parse -q "$DATA/godot/emit_4.5.tscn" -o many.axs
	mkdir parts
	anim-split --to 'parts/%c.axs' many.axs
	anim-split --to 'parts/%c.axs' --dry-run many.axs | tr '\n' '\0' | xargs -0 anim-cat >again.axs
	same many.axs again.axs
}

@test "--to names the files, --dry-run prints the names and writes nothing" {
	run -0 --separate-stderr anim-split --to 'out/%f-%p.%c.axs' --dry-run all.axs
	[ "$output" = "out/crane-AnimationPlayer.lift.axs
out/box-AnimationPlayer.RESET.axs
out/box-AnimationPlayer.scale_down.axs" ]
	[ ! -e out ]
	run -2 --separate-stderr anim-split --to '%x.axs' all.axs
	[ "${stderr_lines[0]}" = "anim-split: --to '%x.axs': a '%' must be followed by c (clip), p (player), f (source file) or %" ]
}

@test "names are made safe and distinct" {
	{
		printf '[gd_resource type="AnimationLibrary" format=3]\n'
		for i in 0 1 2; do printf '\n[sub_resource type="Animation" id="%s"]\nlength = 1.0\n' "$i"; done
		printf '\n[resource]\n_data = {\n&"Walk": SubResource("0"),\n&"walk": SubResource("1"),\n&"-a b": SubResource("2")\n}\n'
	} >lib.tres
	run -0 bash -c 'anim-parse lib.tres | anim-split --dry-run'
	[ "$output" = "Walk.axs
walk-2.axs
_a_b.axs" ]
}

@test "only animation is overwritten without --force, and else no file is written" {
	echo mine >x-lift.axs
	run -1 --separate-stderr anim-split --to 'x-%c.axs' all.axs
	[ "$stderr" = "anim-split: x-lift.axs: holds data other than animation that would be lost; write another file, or use --force" ]
	[ "$(echo x-*)" = x-lift.axs ]
	anim-split --force --to 'x-%c.axs' crane.axs
	anim-split --to 'x-%c.axs' crane.axs
	[ "$(echo x-*)" = x-lift.axs ]
	anim-split --force --to 'x-%c.axs' all.axs
	[ "$(echo x-*)" = "x-RESET.axs x-lift.axs x-scale_down.axs" ]
}

@test "a cut stream leaves no file, nor does one without clips" {
	head -c $(($(wc -c <all.axs) - 8)) all.axs >cut.axs
	mkdir out
	run -1 anim-split --to 'out/%c.axs' cut.axs
	[ -z "$(ls -A out)" ]
	anim-filter -q -n Nobody all.axs -o none.axs
	run -1 --separate-stderr anim-split --to 'out/%c.axs' none.axs
	[ "$stderr" = "anim-split: no clip to write, because no animation was read" ]
	[ -z "$(ls -A out)" ]
}

@test "every long option is in the manual page" {
	for option in $(anim-split --help | grep -oE -- '--[a-z-]+' | sort -u); do
		grep -qF -- "Fl -${option#--}" "$ROOT/man/anim-split.1"
	done
}

@test "records of other programs stay in their places" {
	anim-dump all.axs | awk '/^[a-z]/ && NR > 2 { print "record tag=\"abcd\" bytes=1"; printf "\t%02x\n", ++n } { print }' |
		anim-undump >odd.axs
	[ "$(anim-info odd.axs | grep -c 'other records: .* abcd')" -eq 1 ]
	anim-split --force odd.axs
	anim-cat lift.axs RESET.axs scale_down.axs -o again.axs
	same odd.axs again.axs
}

@test "thousands of clips of one name get names without delay" {
	awk 'BEGIN { print "anim-dump 1"; for (i = 0; i < 4000; i++) print "clip name=\"a\" root=\".\" source=\"x\" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=0/0"; print "end" }' |
		anim-undump >many.axs
	run -0 timeout 10 anim-split --dry-run many.axs
	[ "${#lines[@]}" -eq 4000 ]
	[ "${lines[0]}" = a.axs ]
	[ "${lines[1]}" = a-2.axs ]
	[ "${lines[3999]}" = a-4000.axs ]
	[ "$(printf '%s\n' "${lines[@]}" | sort -u | wc -l)" -eq 4000 ]
}

@test "anim-emit --each and anim convert make the same files" {
	local scene=$ROOT/examples/walker.tscn
	anim-parse -q "$scene" | anim-split --to 'a/%c.axs'
	anim-parse -q "$scene" | anim-emit -q --each 'b/%c.axs'
	anim convert -q "$scene" 'c/%c.axs'
	[ "$(ls a)" ]
	diff -r a b
	diff -r a c
	anim-parse -q "$scene" | cmp - <(anim-parse -q "$scene" | anim-emit axs)
}
