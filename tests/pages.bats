#!/usr/bin/env bats
# What the README, the manual pages and the helps show is typed as it stands there, and what they print comes.

load helper

# scene CLIP...: a Godot scene with a skeleton of two bones, a lamp, and these animations of a second that loop.
scene() {
	local name n=0
	printf '[gd_scene format=3]\n'
	for name; do
		n=$((n + 1))
		printf '\n[sub_resource type="Animation" id="a%s"]\nlength = 1.0\nloop_mode = 1\n' "$n"
		track 0 rotation_3d Armature/Skeleton3D:Hips '0, 1, 0, 0, 0, 1, 0.5, 1, 0, 0.38268343, 0, 0.9238795, 1, 1, 0, 0, 0, 1'
		track 1 position_3d Armature/Skeleton3D:Hips '0, 1, 0, 1, 0, 0.5, 1, 0, 1.5, 0, 1, 1, 0, 1, 0'
		track 2 rotation_3d Armature/Skeleton3D:LeftHand '0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1'
		track 3 position_3d Lamp '0, 1, 2, 0, 0, 1, 1, 2, 0, 0'
	done
	printf '\n[sub_resource type="AnimationLibrary" id="library"]\n_data = {\n'
	n=0
	for name; do
		n=$((n + 1))
		printf '&"%s": SubResource("a%s")%s\n' "$name" "$n" "$([ $n -lt $# ] && echo ,)"
	done
	printf '}\n\n[node name="Hero" type="Node3D"]\n\n[node name="Armature" type="Node3D" parent="."]\n'
	printf '\n[node name="Skeleton3D" type="Skeleton3D" parent="Armature"]\n'
	bone 0 Hips -1
	bone 1 LeftHand 0
	printf '\n[node name="Lamp" type="OmniLight3D" parent="."]\n'
	printf '\n[node name="Player" type="AnimationPlayer" parent="."]\nlibraries = {\n&"": SubResource("library")\n}\n'
}

track() { # track NUMBER TYPE PATH KEYS
	printf 'tracks/%s/type = "%s"\ntracks/%s/path = NodePath("%s")\n' "$1" "$2" "$1" "$3"
	printf 'tracks/%s/interp = 1\ntracks/%s/keys = PackedFloat32Array(%s)\n' "$1" "$1" "$4"
}

bone() { # bone NUMBER NAME PARENT
	printf 'bones/%s/name = "%s"\nbones/%s/parent = %s\n' "$1" "$2" "$1" "$3"
	printf 'bones/%s/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, %s, 0)\n' "$1" "$1"
}

# The files that the examples speak of, in the folder of that name.
setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "of the pages; what they show is in the programs' own tests, too"
}

setup_file() {
	! sanitized || return 0
	cd "$BATS_FILE_TMPDIR"
	mkdir files && cd files
	mkdir hero out scenes Assets examples
	scene walk >walk.tscn
	cp "$DATA/bvh/arm.bvh" walk.bvh
	scene idle walk run >hero.tscn
	scene open | anim-parse -o door.axs
	for name in idle run; do scene $name | anim-parse -o $name.axs; done
	anim-parse -o walk.axs walk.tscn
	anim-parse -o hero.axs hero.tscn
	anim-emit -q -o idle.tres idle.axs
	cp hero.tscn scenes && cp walk.tscn level.tscn
	sed 's/^tracks.0.interp = 1/tracks\/0\/interp = one/' hero.tscn >broken.tscn
	anim-axes resonite walk.axs | anim-emit -q -o walk.animj
	anim-axes unity walk.axs | anim-emit -q -o walk.anim
	anim-dump walk.axs >walk.txt
	cp walk.axs a.axs && cp walk.axs small.axs && cp hero.axs all.axs
	anim-rename --on clip -e 's/$/_foe/' -o b.axs walk.axs && cp hero.axs foe.axs
	anim-filter -n 'Armature*' -o body.axs walk.axs && anim-filter -n Lamp -o face.axs walk.axs
	cp body.axs part1.axs && cp body.axs part2.axs
	cp "$DATA/rename/dance.anim" "$DATA/rename/ripped.anim" . && cp dance.anim hero.anim && cp dance.anim slide.anim
	anim-parse dance.anim | anim-emit -q -o dance.animj && anim-parse dance.anim | anim-emit -q -o dance.animx
	cp -R "$DATA/unity/scene_project/Assets/." Assets && cp Assets/Hero.prefab .
	mkdir skeletons && (cd skeletons && python3 "$ROOT/tests/asf_poses.py" human 01)
	cp skeletons/01.asf . && mv skeletons/01_01.amc 01_02.amc
	python3 "$ROOT/tests/unitypackage.py" "$DATA/unity/scene_project" dances.unitypackage
	cp "$DATA/godot/emit_3.tscn" old.tscn
	cp "$DATA/godot-binary/walk.plain.res" moves.res # without blocks, which not every build reads
	mkdir -p .godot/imported && cp "$DATA/godot-binary/box.plain.scn" .godot/imported/hero.glb-1.scn
	anim-parse -q hero.tscn | anim-emit -q -o hero.glb
	cp hero.glb walk.glb && cp hero.glb old.glb && cp hero.glb run.glb && cp "$DATA/fbx/mixamo.fbx" dance.fbx
	# A clip of muscles, a VRM animation and motion capture of a human, and models for them.
	cp "$DATA/unity/clip_humanoid.anim" wave.anim && anim-parse -q "$ROOT/examples/walker.tscn" | anim-emit -q -o robot.glb
	cp "$DATA/unity/humanoid.fbx.meta" Hero.fbx.meta
	cp "$ROOT/examples/walker.tscn" . && anim-parse -q -o walker.axs walker.tscn
	local way='{"track":{"node":"Skeleton3D","property":"position","component":null,"kind":"Curve","type":"float3","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"Linear","keys":2,"attributes":{},"columns":{"time":[0,1.2],"value":[[0,0,0],[0,0,1.2]]}}}'
	anim-emit -q json walker.axs | sed "/^{\"clip\"/s/\$/\\n${way//\//\\/}/" | anim-parse -q - >steps.axs && anim-emit -q -o steps.glb steps.axs
	printf 'LeftHand,0,0.5\n' >contacts.csv
	cp robot.glb avatar.vrm && echo LeftUpperArm,LeftUpperArm >robot.csv
	anim-rename -q --humanoid godot:vrm "$ROOT/examples/walker.tscn" | anim-emit -q -o dance.vrma
	anim-parse -q dance.vrma | anim-emit -q -o dance.vmc && cp dance.vmc take.vmc
	anim convert -q dance.vrma dance.vmd
	python3 "$ROOT/tests/mmd_play.py" model.pmx
	cp robot.glb avatar.glb && echo hips,Hips >avatar.csv
	anim convert -q -r 30 "$ROOT/examples/walker.tscn" person.bvh && anim convert -q robot.glb robot.anim
	# A long take, whose clip is called walk.
	anim-retime --duration 800 -o take.axs walk.axs
	anim-emit -q -o take.tscn take.axs && anim-emit -q -o take.tres take.axs
	anim convert -q -r 30 -c walk hero.tscn take.bvh
	anim-axes unity take.axs | anim-emit -q -o take.anim
	anim-resample 60 take.axs | anim-pack -o take.axs.gz
	printf 'Hips,Pelvis\nSpine,Chest\n' >bones.csv && printf 'position,place\n' >shapes.csv
	printf 'LeftHand,LeftHand\n' >pairs.csv
	cp "$ROOT/tests/fuzz/corpus/npz/smpl" amass.npz && cp "$ROOT/tests/fuzz/corpus/npz/joints" joints.npy
	cp "$ROOT/tests/fuzz/corpus/npz/live_link" face.csv
	python3 "$ROOT/tests/mmd_file.py" leg.vmd dance.vmd && python3 "$ROOT/tests/mmd_file.py" leg.pmx model.pmx
	python3 "$ROOT/tests/mmd_file.py" camera.vmd camera.vmd
	printf '#!/bin/sh\nexec cat\n' >mine.py && chmod +x mine.py
	cp "$ROOT"/examples/*.tscn examples && cp -R "$ROOT/examples/dance" .
}

# unroff: roff text of examples as the page shows it. Quotes that roff would take away are refused.
unroff() {
	awk '/^\.Dl .*"/ { print "a bare quote: " $0; exit } { sub(/^\.Dl /, ""); gsub(/\\\(dq/, "\""); gsub(/\\e/, "\\"); gsub(/\\&/, ""); print }'
}

# page_examples PAGE: the commands among a page's examples, one a line; those that go over several lines are joined.
page_examples() {
	awk '/^\.Sh EXAMPLES/ { on = 1; next } /^\.Sh/ { on = 0 } !on { next }
		/^\.Bd -literal/ { block = 1; next } /^\.Ed/ { block = session = 0 } block && sub(/^\$ /, "") { session = 1; print }
		session || /^%|^\t(anim|rm)|^\*\.axs|^-include/ { next } /^\.Dl / || block { print }' "$1" | unroff |
		awk '/\|$/ { printf "%s ", $0; next } sub(/\\$/, "") { printf "%s", $0; next } { sub(/^\t+/, ""); print }'
}

help_examples() { # those that go over several lines are joined
	"$1" --help | sed -n '/^$/q; s/^  //p' | awk '/\|$/ { printf "%s ", $0; next } { print }'
}

# The last column of the tables of commands in the README and the cookbook.
table_commands() {
	sed -n 's/^|.*| `\(anim .*\)` |$/\1/p' "$ROOT/README.md" "$ROOT/COOKBOOK.md" | sed 's/\\|/|/g'
}

# try COMMAND: types it among the files; programs that look for differences may find some.
try() {
	local status=0
	case $1 in
	*jq\ *) command -v jq >/dev/null || return 0 ;;
	'git config'*) return 0 ;;
	*anim[\ -]udp\ *) return 0 ;; # they wait for others or send to them: udp.bats
	esac
	rm -rf "$BATS_TEST_TMPDIR/try"
	cp -R "$BATS_FILE_TMPDIR/files" "$BATS_TEST_TMPDIR/try"
	(
		cd "$BATS_TEST_TMPDIR/try"
		case $1 in
		*broken.tscn*) ;;
		*'*.tscn'*) rm broken.tscn ;;
		*'anim-split hero.axs') rm idle.axs walk.axs run.axs ;;
		esac
		typed() { bash -o pipefail -c "less() { cat; }; $1" >../printed 2>../said </dev/null; }
		typed "$1" && exit
		status=$?
		# The files of all pages are here. A reader does not have a file of another page under the name of the output.
		lost=$(sed -n 's/^anim-[a-z]*: \([^:]*\): holds .* that would be lost.*/\1/p' ../said)
		[ -n "$lost" ] && rm "$lost" && typed "$1" || exit "$status"
	) || status=$?
	case $status,$1 in
	0,*) ;;
	1,diff\ *) ;;
	1,*anim[\ -]diff*) ! grep -q '^anim-diff: ' "$BATS_TEST_TMPDIR/said" || status=2 ;;
	1,*anim[\ -]lint*) [ -s "$BATS_TEST_TMPDIR/printed" ] || status=2 ;;
	2,*anim[\ -]lint*broken.tscn) [[ $(cat "$BATS_TEST_TMPDIR/printed") != broken.tscn:[1-9]* ]] || status=0 ;;
	*) status=2 ;;
	esac
	[ "$status" -ne 2 ] || { echo "\$ $1"; cat "$BATS_TEST_TMPDIR/said"; return 1; }
}

# try_all COUNT <COMMANDS: tries every line, at least so many; each that fails is shown.
try_all() {
	local command bad=0 count=0
	while IFS= read -r command; do
		try "$command" || bad=1
		count=$((count + 1))
	done
	[ "$count" -ge "$1" ] || { echo "only $count commands"; return 1; }
	[ "$bad" = 0 ]
}

@test "every command in the tables of the README and the cookbook can be typed unchanged" {
	table_commands >commands
	[ "$(wc -l <commands)" -eq "$(cat "$ROOT/README.md" "$ROOT/COOKBOOK.md" | grep -c '^|.*`anim ')" ]
	try_all 80 <commands
}

@test "every example of the manual pages can be typed unchanged" {
	for page in "$ROOT"/man/*.1 "$ROOT"/man/anim-[abfgrtu]*.5 "$ROOT/man/anim.7"; do page_examples "$page" | grep . >page || { echo "$page: no example" && false; }; cat page; done >commands
	try_all 60 <commands
}

@test "examples of the manual pages fit a terminal, so that man does not break them" {
	for page in "$ROOT"/man/*.1 "$ROOT/man/anim.7"; do
		page_examples "$page" >/dev/null
		awk '/^\.Sh EXAMPLES/ { on = 1; next } /^\.Sh/ { on = 0 } !on { next }
			/^\.Bd -literal/ { block = 1; next } /^\.Ed/ { block = 0 } /^\.Dl / || block { print }' "$page" |
			grep -E '^(\.Dl )?(\$ )?anim' | unroff | run -1 grep -E '^.{70}' || { echo "$page" && false; }
	done
}

@test "every example of a help can be typed unchanged" {
	for program in "$ANIM_BUILD"/bin/anim "$ANIM_BUILD"/bin/anim-*; do help_examples "$program"; done >commands
	try_all 50 <commands
}

@test "every line that anim prints without an operand can be typed as it is" {
	anim | sed -n 's/^.\{30\}\(anim .*\)/\1/p' >commands
	try_all 19 <commands
}

@test "the run in the README prints what it shows" {
	cp "$ROOT/examples/crane.tscn" .
	sed -n '/^## What it reads/q; s/^    //p' "$ROOT/README.md" | sed -n '/^\$ /,$p' >shown
	grep '^\$ ' shown | while IFS= read -r command; do
		printf '%s\n' "$command"
		bash -o pipefail -c "${command#\$ }" 2>&1
	done >printed
	grep . shown | diff - <(grep . printed)
	[ "$(grep -c '^\$ ' shown)" -ge 3 ]
}

# play PAGE: a tutorial's commands, one after the other in one shell, with what they print, as the page shows them.
play() {
	local line command
	set +e -o pipefail
	while IFS= read -r line; do
		[[ $line == '$ '* ]] || continue
		printf '%s\n' "$line"
		command=${line#\$ }
		while [[ $command == *'|' ]]; do
			IFS= read -r line
			printf '%s\n' "$line"
			command="$command $line"
		done
		eval "$command" </dev/null 2>&1
	done <"$1"
}

@test "each tutorial, typed line by line, prints what it shows" {
	not_bytewise "the programs have tests of their own"
	command -v make >/dev/null || skip 'make is not installed'
	for page in $(grep -l '^\.Nd tutorial: ' "$ROOT"/man/*.7); do
		awk '/^\.Bd/ { block = 1; next } /^\.Ed/ { block = on = 0 } block && /^\$ / { on = 1 } on' "$page" | unroff >shown
		[ "$(grep -c '^\$ ' shown)" -ge 8 ]
		mkdir work
		cp -R "$ROOT/examples/." work
		rm -rf work/assets/build
		(cd work && play ../shown) >printed
		diff shown printed || { echo "$page" && false; }
		rm -rf work
	done
}

@test "what the page of anim-dump shows is what it prints" {
	awk '/^\.Bd/ { block = 1; next } /^\.Ed/ { block = on = 0 } block && /^\$ / { on = 1 } on' "$ROOT/man/anim-dump.1" >shown
	ln -s "$ROOT/examples" examples
	command=$(sed -n '1s/^\$ //p' shown)
	[ -n "$command" ]
	bash -o pipefail -c "$command" | diff <(sed 1d shown) -
}

@test "no manual page shows quotes within quotes or around nothing" {
	command -v mandoc >/dev/null || skip 'mandoc is not installed'
	for page in "$ROOT"/man/*.[1357]; do
		mandoc -T utf8 -O width=300 "$page" | LC_ALL=C.UTF-8 sed 's/.\x08//g' >shown
		[ -s shown ]
		! LC_ALL=C.UTF-8 grep -E '‘’|‘[^’]*‘' shown || { echo "$page" && false; }
	done
}

@test "what the pages at the top link to and name is there" {
	for page in README COOKBOOK INSTALL CONTRIBUTING; do
		for path in $(grep -oE '\]\([^)]*\)' "$ROOT/$page.md" | tr -d '()]' | sed 's/#.*//'); do
			[ -e "$ROOT/$path" ] || { echo "$page.md: $path" && false; }
		done
	done
	for function in $(grep -oE '`[a-z0-9_]+\(\)`' "$ROOT/lib/README.md" | tr -d '`()'); do
		grep -qrw "$function" "$ROOT/lib" "$ROOT/cmd" --include='*.c' || { echo "lib/README.md: $function" && false; }
	done
	for layer in "$ROOT"/lib/*/; do grep -qE "^    (lib/|    ) +$(basename "$layer") " "$ROOT/CONTRIBUTING.md" || { echo "$layer" && false; }; done
	for program in "$ANIM_BUILD"/bin/anim-*; do grep -q "^| .*\`${program##*/}[ \`]" "$ROOT/COOKBOOK.md" || { echo "$program" && false; }; done
}

@test "the make rules of the manual pages make an AnimJ" {
	command -v make >/dev/null || skip 'make is not installed'
	for page in anim.7 anim-diff.1; do
		mkdir "$page.made"
		cp "$BATS_FILE_TMPDIR/files/walk.tscn" "$page.made"
		sed -n '/^%/,/^\.Ed/p' "$ROOT/man/$page" | grep -v '^\.Ed' >"$page.made/Makefile"
		make -s -C "$page.made" walk.animj 2>err || { cat err && false; }
		[ -s "$page.made/walk.animj" ]
	done
}
