#!/usr/bin/env bats
# examples/assets: the rules for make, and the same work by GNU parallel.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "rules and scripts, whose programs have tests of their own"
	cp -R "$ROOT/examples/assets/." .
}

teardown() {
	! declare -F stop_hosts >/dev/null || { stop_hosts; stop_slurm; }
}

need_parallel() {
	command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
		skip "GNU parallel is not installed"
}

# delivered FOLDER: the names of what the rules make for use.
delivered() {
	(cd "$1" && find . -name '*.animj' -o -name '*.tres' -o -name '*.axs.gz' | LC_ALL=C sort)
}

@test "every clip of every player becomes an AnimJ and a tres, every asset an archive" {
	make -s -j 2 2>err
	[ "$(delivered build)" = "./scenes/gate.axs.gz
./scenes/gate/LeftPlayer-open.animj
./scenes/gate/LeftPlayer-open.tres
./scenes/gate/RightPlayer-open.animj
./scenes/gate/RightPlayer-open.tres
./scenes/hero.axs.gz
./scenes/hero/AnimationPlayer-RESET.tres
./scenes/hero/AnimationPlayer-idle.animj
./scenes/hero/AnimationPlayer-idle.tres
./scenes/hero/AnimationPlayer-walk.animj
./scenes/hero/AnimationPlayer-walk.tres
./unity/wave.axs.gz
./unity/wave/wave.animj
./unity/wave/wave.tres" ]
	[[ $(cat build/scenes/gate/RightPlayer-open.animj) == '{"name":"open","globalDuration":2,'* ]]
	anim-pack --test build/scenes/hero.axs.gz
	grep -q "NodePath(\"Body/Arm\")" build/unity/wave/wave.tres
	[[ $(cat build/unity/wave.budget) == 'wave: '*'1 track compared'* ]]
	for file in build/*/*.lint; do [ ! -s "$file" ]; done
}

@test "names of files with other characters are refused in one line, and nothing is run" {
	local name refused="names* may have A-Z a-z 0-9 . _ / @ + - only"
	for name in 'a`id>pwned`' 'a;id>pwned;' 'a$(id>pwned)' 'a b' 'a*' "a'b" $'a\nb' 'a#' 'a=b' 'é'; do
		cp scenes/gate.tscn "scenes/$name.tscn"
		run -2 --separate-stderr make -n
		[[ ${stderr_lines[-1]} == *'*** '*scenes/*'?'*".tscn: "$refused".  Stop." ]] || { echo "$stderr" && false; }
		run -2 --separate-stderr make -n -f "$ROOT/examples/Makefile" SCENES=scenes
		[[ ${stderr_lines[-1]} == *'*** '*scenes/*'?'*".tscn: "$refused".  Stop." ]]
		run -2 --separate-stderr ./farm.sh
		[[ $stderr == "farm.sh: 'scenes/a"*"': "$refused || $stderr == "farm.sh: 'scenes/?"*"': "$refused ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[ ! -e build ]
		rm "scenes/$name.tscn"
		mv unity/wave.anim "unity/$name.anim"
		run -2 make -n
		[[ ${lines[-1]} == *'*** '*unity/*'?'*".anim: "$refused".  Stop." ]]
		run -2 ./farm.sh
		[ ! -e build ]
		mv "unity/$name.anim" unity/wave.anim
		printf '%s\n' scenes/hero.tscn "scenes/$name.tscn" >list
		[ "$name" = $'a\nb' ] || {
			run -2 ./chunk.sh build list
			[[ $output == "chunk.sh: '"*"': "$refused ]]
		}
	done
	[ -z "$(find . -name '*pwned*')" ]
	run -2 ./farm.sh -o 'a;b' scenes/gate.tscn
	run -2 ./farm.sh -- -gate.tscn
}

@test "a scene that animates nothing is passed over, by make and by the farm" {
	printf '[gd_scene format=3]\n[node name="Rock" type="Node3D"]\n' >scenes/rock.tscn
	make -s 2>err
	[ -e build/scenes/gate.axs.gz ]
	[ -z "$(find build -name 'rock*')" ]
	make -s -f "$ROOT/examples/Makefile" SCENES=scenes OUT=least 2>err
	[ -e least/gate-open.animj ]
	need_parallel
	rm -r build
	run -0 --separate-stderr ./farm.sh
	[ -z "$(find build -name 'rock*')" ]
}

@test "a scene whose clips are elsewhere stops nothing, and no archive of a clip that is gone is packed" {
	printf '[gd_scene format=3]\n[node name="A" type="Node3D"]\n[node name="P" type="AnimationPlayer" parent="."]\n' >scenes/other.tscn
	make -s 2>err
	[ -e build/scenes/gate.axs.gz ]
	[ ! -s build/scenes/other.lint ]
	make -s build/scenes/gate.tar 2>err
	sed -i 's/&"open"/\&"unlock"/; s/"open"/"unlock"/' scenes/gate.tscn
	touch -d '+2 seconds' scenes/gate.tscn
	make -s build/scenes/gate.tar 2>err
	[[ $(tar -tf build/scenes/gate.tar) == *unlock* ]]
	[[ $(tar -tf build/scenes/gate.tar) != *open* ]]
}

@test "nothing is made again until a source changes, and then only what is of it" {
	make -s 2>err
	make -q
	sed -i 's/^length = 1.5/length = 1.4/' scenes/gate.tscn
	touch -d '+2 seconds' scenes/gate.tscn
	run ! make -q
	run -0 make
	[[ $output == *scenes/gate* ]]
	[[ $output != *hero* ]]
	[[ $output != *wave* ]]
	grep -q '"globalDuration":1.4' build/scenes/gate/LeftPlayer-open.animj
}

@test "a file that a scene refers to counts as its source" {
	make -s 2>err
	cp build/scenes/gate/LeftPlayer-open.tres scenes/own.tres
	cat >scenes/door.tscn <<-'TEXT'
		[gd_scene format=3]
		[ext_resource type="Animation" path="own.tres" id="1"]
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		&"swing": ExtResource("1")
		}
		[node name="Door" type="Node3D"]
		[node name="Left" type="Node3D" parent="."]
		[node name="Player" type="AnimationPlayer" parent="."]
		libraries = {
		&"": SubResource("l")
		}
	TEXT
	make -s 2>err
	[ -e build/scenes/door/Player-swing.animj ]
	make -q
	touch -d '+2 seconds' scenes/own.tres
	run ! make -q
}

@test "a clip that is gone from the source is gone from the build" {
	make -s 2>err
	sed -i 's/^&"idle": .*//' scenes/hero.tscn
	touch -d '+2 seconds' scenes/hero.tscn
	make -s 2>err || { cat err; false; }
	[ -e build/scenes/hero/AnimationPlayer-walk.animj ]
	[ ! -e build/scenes/hero/AnimationPlayer-idle.animj ]
}

@test "a file that is farther off than the budget fails the build, with the place" {
	run --separate-stderr make -k BUDGET=0.1mm,0.5deg
	[ "$status" -eq 2 ]
	[[ $output == *'worst: '*'Body position at '*'build/scenes/hero/AnimationPlayer-walk.animj: over the budget'* ]]
	[ ! -e build/scenes/hero.budget ]
	[ -e build/scenes/gate.budget ]
}

@test "what the lint finds fails the build, and is shown" {
	make -s build/scenes/gate.animj.stamp
	sed -i 's/"globalDuration":1.5/"globalDuration":0.5/' build/scenes/gate/LeftPlayer-open.animj
	run -2 --separate-stderr make build/scenes/gate.lint
	[[ $output == *"LeftPlayer-open.animj: clip 'open': globalDuration is missing or before the last key"* ]]
	[ ! -e build/scenes/gate.lint ]
}

@test "the sheet shows every clip with its sizes and errors, marks what is over the budget, and is made again with its source" {
	sed -i 's/"open"/"o\&#<b>"/' scenes/gate.tscn # as its file is called, "o__b_"
	make -s sheet BUDGET=0.1mm,0.5deg 2>err
	[ "$(grep -c '<figure class="within">' build/index.html)" -eq 4 ]
	[ "$(grep -c '<figure class="beyond">' build/index.html)" -eq 1 ]
	grep -A5 'class="beyond"' build/index.html | grep -q '>scenes/hero/AnimationPlayer-walk<'
	grep -q '^<p>source: 1 clip, 2 tracks, 8 keys, 140 bytes, 4 nodes<br>$' build/index.html
	grep -q "^shipped: .*, a file of $(wc -c <build/scenes/hero/AnimationPlayer-walk.animj) bytes</p>\$" build/index.html
	grep -q 'off by 0.001274 m, Body position at 0.2499 s' build/index.html
	run ! grep -F 'o&#<b>' build/index.html
	for link in $(sed -n 's/.*href="\([^"]*\)"><img src="\([^"]*\)".*/\1 \2/p' build/index.html); do
		[ -s "build/$link" ] || { echo "$link" && false; }
	done
	if command -v xmllint >/dev/null; then xmllint --noout build/*/*/*.svg; fi
	grep -q '>walk: 1 s, 8 poses' build/scenes/hero/AnimationPlayer-walk.svg
	grep -q '>wave: [0-9.]* s, 1 track moves<' build/unity/wave/wave.svg # no tree tells of its joints
	grep -q '1 track moves<' build/scenes/gate/Left*.svg # a hinge has no height
	make -q sheet BUDGET=0.1mm,0.5deg
	touch -d '+2 seconds' scenes/hero.tscn
	run -0 make sheet
	[[ $output == *scenes/hero* ]]
	[[ $output != *scenes/gate* ]]
	run ! grep 'class="beyond"' build/index.html
}

@test "GNU parallel on this machine makes the same files as make" {
	need_parallel
	make -s 2>err
	mv build made
	run -0 --separate-stderr ./farm.sh
	[ "$(delivered build)" = "$(delivered made)" ]
	for file in $(delivered made); do same "made/$file" "build/$file"; done
	[ -z "$(find build -name '*.tar')" ]
}

@test "GNU parallel on other machines makes the same files, and leaves nothing there" {
	need_parallel
	command -v rsync >/dev/null || skip "rsync is not installed"
	mkdir -p far/blue far/green home
	export FAR=$PWD/far HOME=$PWD/home PARALLEL_SSH=$DATA/assets/ssh PATH=$DATA/assets:$PATH
	unset SHELL
	make -s 2>err
	mv build made
	run -0 --separate-stderr ./farm.sh -S 1/blue,1/green || { echo "$stderr" && false; }
	[ "$(delivered build)" = "$(delivered made)" ]
	for file in $(delivered made); do same "made/$file" "build/$file"; done
	[ -z "$(find far -type f)" ]
	[ -e scenes/hero.tscn ]
	[ -e Makefile ]
}

@test "what was made but did not come back makes the farm fail, by name" {
	need_parallel
	command -v rsync >/dev/null || skip "rsync is not installed"
	mkdir -p far/blue home bin
	# An rsync that brings nothing home; parallel itself does not mind.
	printf '#!/bin/sh\ncase $* in *"blue:"*" ./"*) exit 23 ;; esac\nexec %s "$@"\n' "$(command -v rsync)" >bin/rsync
	chmod +x bin/rsync
	export FAR=$PWD/far HOME=$PWD/home PARALLEL_SSH=$DATA/assets/ssh PATH=$PWD/bin:$DATA/assets:$PATH
	run -1 --separate-stderr ./farm.sh -S 1/blue scenes/gate.tscn
	[[ $stderr == *'farm.sh: scenes/gate.tscn: nothing came back'* ]]
}

@test "an asset that fails makes the farm fail, the others are made" {
	need_parallel
	echo '[bad' >>scenes/gate.tscn
	run -1 --separate-stderr ./farm.sh
	[[ $(grep gate <<<"$stderr") == 'anim-parse: scenes/gate.tscn:'*'chunk.sh: scenes/gate.tscn: not made' ]]
	[ "$(grep -c gate <<<"$stderr")" -eq 2 ] # why, and what came of it
	run ! grep -q '^make' <<<"$stderr"
	[ ! -e build/scenes/gate.axs.gz ]
	[ -e build/scenes/hero.axs.gz ]
	[ -e build/unity/wave/wave.animj ]
}

# machines NAME...: a farm of machines that are folders below far/; what ssh is asked goes into asked.
machines() {
	need_parallel
	command -v rsync >/dev/null || skip "rsync is not installed"
	mkdir -p home bin "${@/#/far/}"
	cat >bin/ssh <<-TEXT
		#!/bin/sh
		echo "\$*" >>"$PWD/asked"
		case "\$*" in *" dead "*) exit 255 ;; esac
		exec "$DATA/assets/ssh" "\$@"
	TEXT
	chmod +x bin/ssh
	export FAR=$PWD/far HOME=$PWD/home PATH=$PWD/bin:$PATH
}

@test "what a dead machine was to make is made by another" {
	machines live dead
	run -0 --separate-stderr ./farm.sh -n 1 -S 1/dead,1/live
	[ -e build/scenes/gate.axs.gz ]
	[ -e build/scenes/hero.axs.gz ]
	[ -e build/unity/wave/wave.animj ]
	grep -q ' live ' asked && grep -q ' dead ' asked
	grep -q -- '-o ConnectTimeout=5 .*-o ServerAliveInterval=3 .*-o ControlMaster=auto' asked
	[ ! -e build/.farm ]
}

@test "several files go as one job, and a log names each job" {
	machines live
	run -0 --separate-stderr ./farm.sh -n 2 -l farm.log -S 1/live
	[ "$(delivered build | wc -l)" -eq 14 ]
	[ "$(grep -c 'tar -xf' farm.log)" -eq 2 ]
	for wrong in 0 x -1; do run -2 ./farm.sh -n "$wrong"; done
}

@test "a farm that was cut off goes on where it was" {
	machines live
	mv bin/ssh bin/good
	printf '#!/bin/sh\n[ ! -e build/.farm/aaaaa.out ] || exit 255\nexec good "$@"\n' >bin/ssh
	chmod +x bin/ssh
	run -1 --separate-stderr ./farm.sh -n 1 -S 1/live
	[[ $stderr == *'scenes/hero.tscn: nothing came back'* ]]
	[ -e build/.farm/aaaaa.out ]
	mv bin/good bin/ssh
	: >asked
	run -0 --separate-stderr ./farm.sh -n 1 -S 1/live
	run ! grep -q 'aaaaa' asked
	[ "$(delivered build | wc -l)" -eq 14 ]
	[ ! -e build/.farm ]
}

@test "a task of Slurm's makes every so many files of the list, and names what it cannot" {
	make -s 2>err
	mv build made
	printf '%s\n' scenes/gate.tscn scenes/hero.tscn unity/wave.anim >takes
	export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID
	SLURM_ARRAY_TASK_ID=1 run -0 --separate-stderr ./farm.slurm takes
	[ -e build/scenes/gate.axs.gz ]
	[ -e build/unity/wave.axs.gz ]
	[ ! -e build/scenes/hero.axs.gz ]
	mkdir -p build/.farm/7.2.0/new # of a run that died
	SLURM_RESTART_COUNT=1 SLURM_ARRAY_TASK_ID=2 run -0 --separate-stderr ./farm.slurm takes
	[ "$(delivered build)" = "$(delivered made)" ]
	for file in $(delivered made); do same "made/$file" "build/$file"; done
	[ ! -e build/.farm ]
	echo '[bad' >>scenes/gate.tscn
	SLURM_ARRAY_TASK_ID=3 run -1 --separate-stderr ./farm.slurm takes again 2 # 3 of 2: as if --array=3 were sent again
	[[ $stderr == *'anim-parse: scenes/gate.tscn:'*'chunk.sh: scenes/gate.tscn: not made'* ]]
	[ -e again/unity/wave/wave.animj ]
	[ ! -e again/.farm ]
}

@test "on two machines that are reached by ssh, one of which dies, all files are made and nothing is left" {
	need_parallel
	load hosts
	not_bytewise "of machines, not of reading"
	local missing name
	missing=$(hosts_missing)
	[ -z "$missing" ] || skip "$missing"
	for name in a b c; do sed "s/m_Name: .*/m_Name: $name/" unity/wave.anim >unity/$name.anim; done
	make -s 2>err
	mv build made
	mkdir home
	export HOME=$PWD/home PATH=$PWD/bin:$PATH
	start_host blue
	start_host green
	# Green dies when it has begun: what it was given is made by the other.
	(
		until [ -n "$(find far/green/.parallel -name '*.in' 2>/dev/null)" ]; do sleep 0.05; done
		signal_host KILL green
	) 3>&- &
	run --separate-stderr ./farm.sh -n 2 -S 1/blue,1/green
	stop_hosts
	[ "$status" -eq 0 ] || { echo "$stderr" && false; }
	for file in $(delivered made); do same "made/$file" "build/$file"; done
	[ "$(delivered build)" = "$(delivered made)" ]
	[ -z "$(find far/blue -mindepth 1 -name '*.in' -o -name '*.out' -o -name Makefile)" ]
	[ ! -e build/.farm ]
}

@test "on two nodes of Slurm's all files are made as make makes them, and the task of a faulty one fails" {
	load hosts
	not_bytewise "of machines, not of reading"
	local missing states
	missing=$(slurm_missing)
	[ -z "$missing" ] || skip "$missing"
	make -s 2>err
	mv build made
	sed "s/m_Curve/m_Curve: [/" unity/wave.anim >unity/bad.anim
	printf '%s\n' scenes/*.tscn unity/*.anim >takes
	start_slurm || skip "Slurm does not run here: $(tail -n 1 slurm/daemons.log)"
	of_slurm sbatch --array=1-4 farm.slurm takes build
	# sbatch --wait looks after two seconds and then after ten.
	for _ in {1..300}; do [ -n "$(of_slurm squeue -h)" ] || break; sleep 0.1; done
	states=$(of_slurm scontrol -o show job)
	stop_slurm
	[ "$(grep -c 'JobState=COMPLETED' <<<"$states")" -eq 3 ] || { echo "$states" && cat slurm/*.log && false; }
	[ "$(grep -c 'ArrayTaskId=3 .*JobState=FAILED' <<<"$states")" -eq 1 ]
	[ "$(grep -o ' NodeList=n.' <<<"$states" | sort -u | wc -l)" -eq 2 ]
	[ "$(delivered build)" = "$(delivered made)" ]
	for file in $(delivered made); do same "made/$file" "build/$file"; done
	[ "$(grep -c bad farm.*_3.log)" -eq 2 ] && grep -q '^anim-parse: unity/bad.anim:' farm.*_3.log
	[ ! -e build/.farm ]
}
