#!/usr/bin/env bats
# anim: finds the other programs, and becomes them.

load helper

# program FILE TEXT: a program of the user's own.
program() {
	mkdir -p "$(dirname "$1")"
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

@test "anim list has every program with the summary of its help" {
	run -0 --separate-stderr anim list
	[ -z "$stderr" ]
	for file in "$ANIM_BUILD"/bin/anim-*; do
		name=${file##*/anim-}
		summary=$("$file" --help | sed -n "/^anim-$name: /,/^usage: /{/^usage: /d; s/^anim-$name: //; s/^ //; p;}" | tr -d '\n')
		[ -n "$summary" ]
		grep -qxF "$(printf '%-10s  %s' "$name" "$summary")" <<<"$output" || { echo "$name" && false; }
	done
}

@test "what lies elsewhere in PATH is listed with its place, and not run for that" {
	program own/anim-wobble 'echo ran >>ran; echo "anim-wobble: $*"; exit 7'
	program own/anim-axes 'echo another'
	PATH=$PATH:$PWD/own
	run -0 anim list
	grep -qx "wobble      $PWD/own/anim-wobble" <<<"$output"
	[ "$(grep -c '^axes ' <<<"$output")" -eq 1 ]
	[[ $(grep '^axes ' <<<"$output") == *'converts the axes'* ]]
	[ ! -e ran ]
	run -7 anim wobble a 'b c' --help -o x
	[ "$output" = 'anim-wobble: a b c --help -o x' ]
}

@test "a program is run with all that follows, and its exit status is anim's" {
	anim-parse "$ROOT/examples/box.tscn" >x.axs
	anim resample --end grid 30 x.axs >a
	anim-resample --end grid 30 x.axs | cmp - a
	anim anim-resample --end grid 30 x.axs | cmp - a
	run -2 --separate-stderr anim resample x.axs
	[ "${stderr_lines[0]}" = "anim-resample: 'x.axs' is not a rate; try: anim-resample 30 x.axs" ]
	run -1 --separate-stderr anim info nowhere.axs
	run -0 anim axes --version
	[ "$output" = 'anim-axes 1.0.0' ]
}

@test "programs beside anim are found where PATH has none, through a link as well" {
	ln -s "$ANIM_BUILD/bin/anim" link
	for name in "$ANIM_BUILD/bin/anim" ./link; do
		run -0 env PATH=/nowhere "$name" axes -V
		[ "$output" = 'anim-axes 1.0.0' ]
	done
	mkdir bin
	ln -s "$ANIM_BUILD/bin/anim" bin/anim
	run -0 env PATH="$PWD/bin" anim axes -V
	[ "$output" = 'anim-axes 1.0.0' ]
}

@test "anim help shows a program's help where no terminal is, and its own" {
	not_sanitized "help texts"
	[ "$(anim help resample)" = "$(anim-resample --help)" ]
	[[ $(anim) == *"anim convert walk.tscn walk.animj"*"all programs: anim list"* ]]
	[[ $(anim --help) == *$'\nprograms:\n'"$(anim list)" ]]
	[ "$(anim help anim-resample)" = "$(anim-resample --help)" ]
	[ "$(anim help)" = "$(anim --help)" ]
	[[ $(anim help) == '  anim list'*'usage: anim '* ]]
}

@test "anim help shows the manual page on a terminal" {
	need_terminal
	mkdir -p bin lib share/man/man1
	cp "$ANIM_BUILD/bin/anim" "$ANIM_BUILD/bin/anim-axes" bin
	[ ! -d "$ANIM_BUILD/lib/anim-tools" ] || cp -R "$ANIM_BUILD/lib/anim-tools" lib
	program man/man 'echo "man reads $1"'
	: >share/man/man1/anim-axes.1
	run -0 script -qec "env PATH='$PWD/man:$PATH' bin/anim help axes" /dev/null
	[[ $output == *"man reads $PWD/bin/../share/man/man1/anim-axes.1"* ]]
	[ "$(PATH="$PWD/man:$PATH" bin/anim help axes)" = "$(anim-axes --help)" ]
	rm share/man/man1/anim-axes.1
	run -0 script -qec "env PATH='$PWD/man:$PATH' bin/anim help axes" /dev/null
	[[ $output == *'usage: anim-axes '* ]]
}

@test "a name that no program has gets the nearest one" {
	for pair in resampel:resample pars:parse emti:emit unpak:unpack anim-dmup:dump; do
		run -2 --separate-stderr anim "${pair%:*}" x
		[ "${stderr_lines[0]}" = "anim: unknown program '${pair%:*}'; did you mean ${pair#*:}?" ]
		[[ ${stderr_lines[1]} == 'usage: anim '* ]]
		run -2 --separate-stderr anim help "${pair%:*}"
		[ "${stderr_lines[0]}" = "anim: unknown program '${pair%:*}'; did you mean ${pair#*:}?" ]
	done
	for name in xyzzyxyzzy walk.tscn "$(printf '%0200d' 0)" ../anim-axes ''; do
		run -2 --separate-stderr anim "$name"
		[ "${stderr_lines[0]}" = "anim: unknown program '$name'; anim list shows all programs" ]
	done
}

@test "a wrong command line of anim itself is reported" {
	run -2 --separate-stderr anim list all
	[ "${stderr_lines[0]}" = "anim: unexpected operand 'all'" ]
	run -2 --separate-stderr anim help axes emit
	[ "${stderr_lines[0]}" = "anim: unexpected operand 'emit'" ]
	run -2 --separate-stderr anim --end list
	[ "${stderr_lines[0]}" = "anim: unknown option '--end'" ]
	[ -w /dev/full ] || skip 'no /dev/full on this system'
	run -1 --separate-stderr bash -c 'anim list >/dev/full'
	[ "$stderr" = 'anim: cannot write standard output: No space left on device' ]
}

@test "every long option of anim is in its manual page" {
	for option in $(anim --help | grep -oE -- '--[a-z-]+' | sort -u); do
		grep -qF -- "Fl -${option#--}" "$ROOT/man/anim.1"
	done
}

@test "anim list groups all programs by their jobs" {
	run -0 anim list
	[ "$(grep -c '^[A-Z].*:$' <<<"$output")" -ge 6 ]
	[ "$(grep -cE '^[a-z]+ ' <<<"$output")" -eq "$(find "$ANIM_BUILD"/bin/anim-* | wc -l)" ]
	[ "$(sed -n '/^Look/,/^$/p' <<<"$output" | grep -c '^info \|^lint ')" -eq 2 ]
}

@test "anim help -s finds tasks, options and pages that have all words, with command lines" {
	run -0 anim help -s LOOP walk
	[ "${lines[0]}" = 'cut the best loop out of a walk, and close it' ]
	[ "${lines[1]}" = '    anim convert --unit cm --find-loop walk.bvh loop.glb' ]
	run -0 anim help -s hermite
	[[ $output == *$'\n    anim reduce --keys KEYS\n'* ]]
	run -0 anim help -s rokoko
	[[ $output == *'anim rename --humanoid FROM:TO'* ]]
	run -0 anim help -s tutorial motion capture
	[[ $output == *$'\n    anim help mocap'* ]]
	# a row of the cookbook that continues the one before it
	run -0 anim help -s muscles import
	[[ $output == *'muscles'*': the same'*'.meta'* ]] || { echo "$output" && false; }
	run -1 --separate-stderr anim help -s xyzzy
	[ "$stderr" = 'anim: no task, option or page has these words; try fewer words, or: anim' ]
	run -2 anim help -s
	# every row of the tables is in it
	[ "$(anim help -s anim | grep -c '^    anim')" -ge "$(cat "$ROOT/COOKBOOK.md" "$ROOT/README.md" | grep '^|.*`anim ' | sort -u | wc -l)" ]
}

@test "anim help -s knows words of other programs and of people" {
	local words command
	while IFS='|' read -r words command; do
		# one word or several, in one argument or several
		anim help -s "$words" >found || { echo "$words" && false; }
		# shellcheck disable=SC2086
		anim help -s $words | cmp - found
		grep -qF -e "$command" found || { echo "$words: $command" && false; }
	done <<-'TEXT'
		foot slide|--pin
		foot sliding|--pin
		foot skating|--pin
		T-pose|--rest
		python|joints.npz
		javascript|-o walk.html
		fov|camera
		camera|camera
		lip sync|face.csv
		root motion|--in-place
		slow down|--speed 0.5
		slower|--speed 0.5
		faster|--speed 2
		half speed|--speed 0.5
		cut|-t 12..13
		crop|-t 12..13
		trim|--trim
		join|--append
		concatenate clips|--append
		sprite|--ppu
		timeline|prefab
		vtuber|dance.vmc
		blend shapes|--face
		blendshape|--face
		unreal|hero.fbx
		maya|hero.fbx
		compress|--reduce
		make smaller|--reduce
		resize|--height
		flip|--mirror
		fps|-r 30
		backwards|--reverse
		cycle|--find-loop
		spreadsheet|anim 
		batch|Assets out
		crossfade|--append --blend
		blend join|--append --blend
		bone mapping|--map
		which bones|info --bones
		parallel|convert -j 4
		two at a time|convert -j 4
		jobs|convert -j 4
		knee|--angles flexion
		without fingers|-n '!fingers'
		exclude fingers|-n '!fingers'
		seamless|--loop
		walk in place|--in-place
		preview|plot
		validate|anim lint
		merge|--merge
		angles|--angles
		mixamo|--humanoid
		github|anim lint --format
		sarif|anim lint --format
		ci|anim lint --format
		prefix|-e 's/mixamorig
		namespace|-e 's/mixamorig
		remove mixamorig:|-e 's/mixamorig
		vrchat|--muscles
	TEXT
}

@test "anim help -s finds the nearest tasks of a whole sentence, and none if hardly a word is known" {
	while IFS='|' read -r words wanted; do
		# shellcheck disable=SC2086 # the words
		run -0 anim help -s $words
		[[ $(head -n 5 <<<"$output") == *"$wanted"* ]] || { echo "$words: $output" && false; }
	done <<-'TEXT'
		remove the camera from a take|-n '!*Camera*'
		make the walk 20 % faster and keep the feet|--speed 1.2 --pin
		export only the face to CSV at 60 fps|-n face
		split this long take in 10 s pieces|-t 12..13 -t 13..14.5
		which bones of my avatar are human|info --bones
		the loop|--find-loop
		slow motion of a part|--speed 0.5 take.anim) <(anim retime -t 13..
	TEXT
	run -0 anim help -s remove the camera
	[ "${lines[0]}" = "leave out nodes by their names, such as a camera" ] || [ "${lines[0]}" = "The nearest tasks:" ]
	run -1 --separate-stderr anim help -s smooth a jittery take
	[[ $stderr == *"no task, option or page has these words"* ]]
}

@test "anim help shows pages that are not about a program, if they are installed" {
	mkdir -p bin lib share/man/man7
	cp "$ANIM_BUILD/bin/anim" bin
	[ ! -d "$ANIM_BUILD/lib/anim-tools" ] || cp -R "$ANIM_BUILD/lib/anim-tools" lib
	program man/man 'echo "man reads $1"'
	run -1 --separate-stderr env PATH="$PWD/man:$PATH" bin/anim help mocap
	[ "$stderr" = 'anim: the manual page anim-mocap(7) is not installed' ]
	: >share/man/man7/anim-mocap.7
	for name in mocap anim-mocap; do
		run -0 env PATH="$PWD/man:$PATH" bin/anim help $name
		[ "$output" = "man reads $PWD/bin/../share/man/man7/anim-mocap.7" ]
	done
}
