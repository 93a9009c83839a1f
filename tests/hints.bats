#!/usr/bin/env bats
# What a message tells to type works as it stands; words are known without their case, slips get the word that was meant.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$ROOT/examples/crane.tscn" walk.tscn
	anim-parse walk.tscn >hero.axs
	anim-emit -q --axes keep -o walk.animj hero.axs 2>/dev/null
	anim-parse "$DATA/hints/two.tscn" | anim-emit -q -o fox.glb
	cp "$DATA/hints/two.tscn" .
	mkdir done
}

# hint: the line of shell that the first line of $stderr proposes.
hint() {
	sed -n '1s/.*try: //p' <<<"$stderr"
}

# types LINE: the line succeeds as it is, with a stream as its input. No file that existed is changed but one that it names
# after --into.
types() {
	local file
	rm -rf before && mkdir before && cp -p ./*.* before
	bash -o pipefail -c "$1" >typed 2>said <"$stream" || { echo "$1 fails:" && cat said && return 1; }
	for file in before/*; do
		case $1 in *"--into ${file#before/} "*) continue ;; esac
		cmp -- "$file" "./${file#before/}" || { echo "$1 changes it" && return 1; }
	done
}

# suggests 'LINE' COMMAND...: the message ends in the line, and the line can be typed.
suggests() {
	run --separate-stderr "${@:2}"
	[ "$status" -ne 0 ]
	[ "$(hint)" = "$1" ] || { echo "${stderr_lines[0]}" && false; }
	echo "${stderr_lines[0]}" >>messages
	types "$1"
}

# asked_of_terminals: the messages that only a terminal gets, without typing.
asked_of_terminals() {
	command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1 || {
		printf 'x: standard input is a terminal; try: x\nx: the stream is binary and stdout a terminal; try: x | anim-info\nThe screen is too small for the tracks; to see them, try: x | less\n' >>messages
		return 0
	}
	script -qec 'anim-info' /dev/null </dev/null >>messages 2>&1 || true
	LINES=2 script -qec 'anim-info walk.tscn' /dev/null </dev/null | tr -d '\r' >>messages
	stderr=$(script -qec 'anim-parse walk.tscn' /dev/null </dev/null | tr -d '\r') || true
	echo "$stderr" >>messages
	types "$(hint)"
}

suggested_by_commands() {
	rm walk.animj
	suggests 'anim help -s loop walk' anim help -s
	suggests 'anim-emit -o walk.tres walk.tscn' anim-emit walk.tscn
	[ -s walk.tres ]
	suggests 'anim-emit tres hero.axs' anim-emit hero.axs
	mkdir in && cp walk.tscn in
	suggests 'anim convert -f glb in made' anim convert in made.glb
	[ -s made/walk.glb ] && rm -r in made
	suggests 'anim-emit -o new.glb' anim-emit new.glb
	rm new.glb
	run -2 --separate-stderr anim-rename s/a/b/ walk.tscn
	[ "${stderr_lines[0]}" = "anim-rename: unexpected operand 's/a/b/'; did you mean -e 's/a/b/'?" ]
	for operands in 'new.svg walk.tscn' 'walk.tscn new.svg'; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr anim-plot $operands
		[ "${stderr_lines[0]}" = "anim-plot: unexpected operand 'new.svg'; did you mean -o new.svg?" ]
	done
	run -2 --separate-stderr anim-split -o new walk.tscn
	[ "${stderr_lines[0]}" = "anim-split: unknown option '-o'; did you mean --to?" ]
	suggests 'anim-parse walk.tscn hero.axs | anim-emit tres' anim-emit walk.tscn hero.axs
	suggests 'anim-parse hero.axs hero.axs | anim-emit tres' anim-emit hero.axs hero.axs
	suggests 'anim-emit tres hero.axs' anim-emit animk.x hero.axs
	suggests 'anim-emit animj walk.tscn' anim-emit walk.tscn animj
	suggests "anim-emit --same-tracks animj hero.axs --each '%c.animj'" anim-emit --same-tracks animj hero.axs
	suggests "anim-emit --each 'out/%f.animj' hero.axs" anim-emit -o 'out/%f.animj' hero.axs
	suggests 'anim-resample 30 walk.tscn' anim-resample walk.tscn
	suggests 'anim-resample 24 walk.tscn' anim-resample walk.tscn 24
	suggests 'anim-resample 24 hero.axs' anim-resample hero.axs 24
	suggests 'anim-axes unity walk.tscn' anim-axes walk.tscn unity
	suggests 'anim-pack hero.axs -o hero.axs.gz' anim-pack -l hero.axs
	suggests 'anim-pack walk.tscn -o walk.tscn.axs.gz' anim-pack -l walk.tscn
	suggests 'mkdir -p no/such' anim-emit animj -o no/such/x hero.axs
	suggests "anim-rename hero.axs -e 's/^Armature\\//Rig\\//'" anim-rename hero.axs
	suggests 'anim-retime hero.axs --speed 2' anim-retime hero.axs
	suggests "anim convert two.tscn 'out/%c.animj'" anim convert two.tscn
	suggests "anim convert --each 'done/%c.animj' two.tscn" anim convert two.tscn done
	suggests 'anim convert -f tres two.tscn -' anim convert two.tscn -
	mkdir clips && cp walk.tscn clips
	suggests 'anim convert -f tres clips done' anim convert clips done
	cp walk.tres other.tres
	run -1 --separate-stderr anim convert walk.tres other.tres
	[ "$stderr" = "anim-convert: 'other.tres' exists and has the suffix of the input, so it may be one; name another file, put the clips into it with --into, or use --force to replace it" ]
	suggests 'anim convert --into two.tscn -c idle --speed 2 two.tscn' anim convert -c idle --speed 2 two.tscn two.tscn
	anim convert -q walk.tscn walk.animj
	run -1 --separate-stderr anim convert w.animj walk.animj
	[[ $stderr == *"name another file, or use --force to replace it" ]] # no line to type: it would replace the file
	# The name of a file is quoted. One that begins like an option is still the name of a file.
	cp walk.tscn "it's \$HOME.tscn" && cp walk.tscn ./-x.tscn
	suggests "anim-resample 30 'it'\\''s \$HOME.tscn'" anim-resample "it's \$HOME.tscn"
	suggests "anim convert 'it'\\''s \$HOME.tscn' 'out/%c.animj'" anim convert "it's \$HOME.tscn"
	suggests "anim-resample 30 ./-x.tscn" anim-resample -- -x.tscn
}

# What is in tests/errors; FILE is what a message calls its standard input.
suggested_in_errors() {
	local folder
	for folder in $(grep -l 'try: ' "$ROOT"/tests/errors/*/message); do
		folder=${folder%/message}
		rm -rf trial && cp -r "$folder" trial && cd trial
		cp input.* FILE
		cat message >>../messages
		stderr=$(<message)
		types "$(hint)" || { echo "${folder##*/}" && false; }
		cd ..
	done
}

# literals: the messages of the source that propose a line, as extended regular expressions.
literals() {
	grep -rhoE '"([^"\\]|\\.)+try: ([^"\\]|\\.)*"' "$ROOT"/lib "$ROOT"/cmd --include='*.c' | grep -v '"-: ' | sort -u |
		sed 's/^"//; s/"$//; s/\\n$//; s/\\\([\\"]\)/\1/g; s/[][\\.*^$+?(){}|]/\\&/g; s/%%/%/g; s/%[a-z]*[su]/.*/g'
}

# Files that are read and not written: a package, a prefab, a controller.
suggested_for_projects() {
	local file name
	cp -R "$DATA/unity/scene_project/Assets/." .
	python3 "$ROOT/tests/unitypackage.py" "$DATA/unity/scene_project" pack.unitypackage
	for file in pack.unitypackage Hero.prefab Level.unity Hero.controller Hero.overrideController Cut.playable; do
		name=${file%.*}
		rm -f "$name".tres x.tres
		suggests "anim-emit -o $name.tres $file" anim-emit "$file"
		suggests "anim convert $file 'out/%c.animj'" anim convert "$file"
		suggests "anim convert -f tres $file -" anim convert "$file" -
		suggests "anim convert --each 'done/%c.animj' $file" anim convert "$file" done
		suggests "anim-emit --same-tracks animj $file --each '%c.animj'" anim-emit --same-tracks animj "$file"
		suggests "anim-resample 30 $file" anim-resample "$file"
		suggests "anim-axes godot $file" anim-axes "$file" godot
		suggests "anim-pack $file -o $file.axs.gz" anim-pack -l "$file"
		suggests "anim-retime $file --speed 2" anim-retime "$file"
		rm -f ./*.animj "$file.axs.gz"
		# These suffixes cannot be replaced, and no message says that --force does.
		cp "$file" kept
		run -1 --separate-stderr anim convert "$file" "$file"
		[ "$stderr" = "anim-convert: '$file' is also an input; name another file" ]
		run -2 anim convert --force "$file" "$file"
		cmp kept "$file"
		run -0 anim convert -q --force -f tres "$file" x.tres
	done
}

@test "each line that a message proposes can be typed, and loses nothing" {
	local literal bad=0
	not_sanitized "command lines; each message is in other tests, too"
	stream=$PWD/stream.of.one
	cp hero.axs stream.of.one
	suggested_by_commands
	suggested_in_errors
	(mkdir project && cd project && mkdir done && suggested_for_projects)
	asked_of_terminals
	while IFS= read -r literal; do
		grep -qE -- "$literal" messages || { echo "no test types: $literal"; bad=1; }
	done < <(literals)
	[ "$bad" = 0 ]
}

# options_in FILE...: "PROGRAM --option" for each option that a text of the source names; PROGRAM is - where none is before it.
options_in() {
	grep -hoE '"([^"\\]|\\.)*"' "$@" | grep -oE '(anim[ -][a-z]+ |[^-a-z.])(--|-x )[a-z][a-z-]+[a-z]' | sed 's/^anim /anim-/; s/^[^a]\?\(--\|-x \)/- \1/; s/^ //' | sort -u
}

@test "an option that a message names is one of anim convert, too, and means the same there" {
	not_sanitized "helps"
	local program option bad=0
	for program in "$ANIM_BUILD"/bin/anim-*; do "$program" --help all | grep -oE '^  (.{4}--|-x )[a-z-]+' | grep -oE -- '(--|-x ).*' >"${program##*/}"; done
	while read -r program option; do
		case $program in
		-) grep -qxFe "$option" anim-parse anim-emit && grep -qxFe "$option" anim-convert ;;
		*) grep -qxFe "$option" "$program" ;;
		esac || { echo "lib/format names $option of $program"; bad=1; }
	done < <(find "$ROOT/lib/format" -name '*.c' -print0 | sort -z | xargs -0 cat | sed '/\.lint =/d' >source && options_in source)
	[ "$bad" = 0 ]
	# Options that both ends of anim convert have would be one there.
	[ "$(grep -xFf anim-parse anim-emit | sort | tr '\n' ' ')" = '--clip --force --format --help --no-sync --output --quiet --set --strict --version ' ]
}

@test "the unit that a note proposes is the right one in anim convert as well" {
	cp "$DATA/bvh/arm.bvh" .
	run -0 --separate-stderr anim convert arm.bvh one.bvh
	[[ $stderr == *"no unit of length; in centimetres, the hips are at a human's height: 'Hips' is at a height of 91; --unit cm makes it 0.91 m"* ]]
	anim convert --unit cm arm.bvh x.json
	[ "$(grep -o '"position":\[0,0.9[0-9]*,0\]' x.json | head -n 1)" ]
	anim convert --unit cm arm.bvh two.bvh
	diff <(grep OFFSET one.bvh) <(grep OFFSET two.bvh)
	anim convert --unit cm --to-unit m arm.bvh three.bvh
	grep -q 'OFFSET 0 0.9' three.bvh
}

@test "a limit that is missing is named" {
	run -1 --separate-stderr anim-diff --max 0.1mm,0.05deg walk.tscn walk.animj
	[ "$stderr" = "anim-diff: note: --max has no limit for plain numbers such as 'Lamp light_energy'. Add '1%' or 'light_energy=1%'" ]
	run -0 --separate-stderr anim-diff --axes keep --max 0.1mm,0.05deg,1% walk.tscn walk.animj
	[ -z "$stderr" ]
	run -0 anim-diff --axes keep --max 0.1mm,0.05deg,light_energy=1% walk.tscn walk.animj
}

@test "-f, -r and -c mean in every program what they mean in others" {
	anim-emit -q --axes keep -f animj hero.axs 2>/dev/null | cmp - walk.animj
	run -2 --separate-stderr anim-emit -f animk hero.axs
	[[ ${stderr_lines[0]} == "anim-emit: --format: 'animk' is not one of "*"; did you mean animj?" ]]
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
	run -2 --separate-stderr anim-emit tscn --godot 5 hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --godot: '5' is not one of 4.5, 3, 4.2, 4.6" ]
	run -2 --separate-stderr anim-emit tscn --godot 4.4 hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --godot: '4.4' is not one of 4.5, 3, 4.2, 4.6; did you mean 4.5?" ]
	run -2 --separate-stderr anim-parse --fromat tscn walk.tscn
	[ "${stderr_lines[0]}" = "anim-parse: unknown option '--fromat'; did you mean --format?" ]
	run -2 --separate-stderr anim-axes unitee hero.axs
	[[ ${stderr_lines[0]} == *"did you mean unity?" ]]
	run -2 --separate-stderr anim-parse --wobble walk.tscn
	[ "${stderr_lines[0]}" = "anim-parse: unknown option '--wobble'" ]
}

@test "an option that the format does not know is refused with the formats that do" {
	run -2 --separate-stderr anim-emit animj --encoding lz4 --library hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: -x encoding is for animx, not for animj" ]
	run -2 --separate-stderr anim-emit animj --library hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: -x library is for tres, not for animj" ]
	run -2 --separate-stderr anim-emit unity --godot 3 hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --godot is for tres and tscn, not for unity" ]
	run -2 --separate-stderr anim-emit tscn --pretty hero.axs
	[ "${stderr_lines[0]}" = "anim-emit: --pretty is for animj, not for tscn" ]
}

@test "anim-lint --ignore leaves a kind of finding out" {
	run -1 anim-lint --for bvh walk.tscn
	run -0 anim-lint --for bvh --ignore lost walk.tscn
	run -2 --separate-stderr anim-lint --ignore los walk.tscn
	[ "${stderr_lines[0]}" = "anim-lint: --ignore: unknown kind of finding 'los'; did you mean lost?" ]
}

@test "clips that a pattern without %c distinguishes by numbers get a warning" {
	anim-cat hero.axs hero.axs hero.axs -o three.axs
	run -0 --separate-stderr anim-emit -q --axes keep --each 'done/h.tres' three.axs
	[[ $stderr == *"warning: 2 files: numbered, because the pattern has no %c (the name of the clip)"* ]]
	run -1 anim-emit -q --strict --axes keep --each 'done/x.tres' three.axs
	run -0 --separate-stderr anim-split --to 'done/%c.axs' three.axs
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-split --to 'done/s.axs' hero.axs
	[ -z "$stderr" ]
}

@test "clips whose tracks drive nothing in the file that they are put into are reported" {
	cp two.tscn was.tscn
	run -1 --separate-stderr anim convert --into two.tscn walk.tscn
	[ "$stderr" = "anim-convert: two.tscn: no track of clip 'lift' animates a node of the file: the clip has 'Skeleton3D:base'; --force writes it anyway" ]
	cmp two.tscn was.tscn
	anim-rename -q -e 's/^Lamp$/Body/' hero.axs >some.axs
	run -0 --separate-stderr anim-emit -q --into two.tscn some.axs
	[[ $stderr == *"warning: "*" tracks of clip 'lift' animate no node of two.tscn (first 'Skeleton3D:base')"* ]]
	cp was.tscn two.tscn
	run -1 anim-emit -q --strict --into two.tscn some.axs
	cmp two.tscn was.tscn
	run -0 anim-emit -q --force --into two.tscn hero.axs
	# Nodes of a scene that cannot be read may be there.
	printf '\n[ext_resource type="PackedScene" path="res://gone.tscn" id="9"]\n' >ext
	{ sed '/^\[sub_resource type="BoxMesh"/,$d' was.tscn; cat ext; sed -n '/^\[sub_resource type="BoxMesh"/,$p' was.tscn; printf '\n[node name="Skeleton3D" parent="." instance=ExtResource("9")]\n\n[node name="Lamp" type="OmniLight3D" parent="."]\n'; } >open.tscn
	run -0 --separate-stderr anim-emit -q --into open.tscn hero.axs
	[ -z "$stderr" ]
}

@test "names of a human's bones are searched among bones alone, and a message says if hardly any was found" {
	local names='Hips Spine a b c d e f g h' bone
	{
		printf '[gd_scene format=3]\n\n[sub_resource type="Animation" id="a"]\nlength = 1.0\n'
		printf 'tracks/0/type = "position_3d"\ntracks/0/path = NodePath("Head")\ntracks/0/interp = 1\ntracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0)\n'
		printf 'tracks/1/type = "position_3d"\ntracks/1/path = NodePath("Bones:Spine")\ntracks/1/interp = 1\ntracks/1/keys = PackedFloat32Array(0, 1, 0, 0, 0)\n'
		printf '\n[sub_resource type="AnimationLibrary" id="l"]\n_data = {\n&"a": SubResource("a")\n}\n\n[node name="Hero" type="Node3D"]\n\n[node name="Head" type="MeshInstance3D" parent="."]\n'
		printf '\n[node name="Bones" type="Skeleton3D" parent="."]\n'
		local n=0
		for bone in $names; do
			printf 'bones/%d/name = "%s"\nbones/%d/parent = %d\n' $n $bone $n $((n - 1))
			n=$((n + 1))
		done
		printf '\n[node name="Player" type="AnimationPlayer" parent="."]\nlibraries = {\n&"": SubResource("l")\n}\n'
	} >human.tscn
	run -0 --separate-stderr bash -c 'anim-parse human.tscn | anim-rename --humanoid godot:vrm | anim-emit json >x.json'
	[ "$stderr" = "anim-rename: human.tscn: 'a': warning: only 2 of 10 bones have godot names; auto:NAMES finds the names by itself" ]
	grep -q '"node":"Head"' x.json
	grep -q '"node":"Bones:spine"' x.json
	grep -q '"path":"Head"' x.json
}

@test "a rate that is the time of a frame is refused, one below 1 is warned of" {
	for command in 'anim-resample 1/30' 'anim-resample -r 1/30' 'anim-bake -r 1/30' 'anim-retime --snap 1/30' 'anim-retime --rate 1/30' 'anim convert -r 1/30 -o x.tres'; do
		run -2 --separate-stderr $command hero.axs
		[[ ${stderr_lines[0]} == *"'1/30' is 0.033 samples per second; did you mean 30?" ]] || { echo "$command: $stderr" && false; }
	done
	run -0 --separate-stderr anim-resample -q 0.5 hero.axs -o x.axs
	[ "${stderr_lines[0]}" = 'anim-resample: warning: the rate is 0.5 samples per second: one sample every 2 seconds' ]
	run -0 --separate-stderr anim-retime --speed 1/2 hero.axs -o y.axs
	[ -z "$stderr" ]
}

@test "%c, %p and %f mean the same in every name of an output" {
	anim-retime --speed 2 hero.axs | anim-rename -q --on clip -e s/lift/drop/ | anim-emit -q --axes keep -o second.animj 2>/dev/null
	anim convert -q walk.animj 'a/%f.json'
	[ -s a/walk.json ]
	anim convert -q walk.animj second.animj 'b/%f.json'
	[ "$(ls b | tr '\n' ' ')" = 'second.json walk.json ' ]
	anim convert -q walk.animj second.animj -o 'c/%f-%c.json'
	[ "$(ls c | tr '\n' ' ')" = 'second-drop.json walk-lift.json ' ]
	run -1 --separate-stderr anim convert -q walk.animj second.animj x.animj
	[[ $stderr == *"or write all with --each '%c.animj'"* ]]
}

@test "curves of a humanoid get hints that can work" {
	cp "$DATA/unity/clip_humanoid.anim" human.anim
	run -0 --separate-stderr bash -c "anim-parse -q human.anim | anim-filter -n '*Spine*' -o x.axs"
	[[ $stderr == *"no track matches; curves of a humanoid have no nodes, so select them by property: -p '*Hand*'"* ]]
	run -1 --separate-stderr anim convert -q human.anim x.vrma
	[[ $stderr == *"humanoid curves of Unity are muscles, and a VRM animation has bones; add --retarget MODEL" ]]
}

@test "mistaken commands that name an existing file as the output lose nothing" {
	local command
	anim convert -q two.tscn two.fbx 2>/dev/null
	cp "$DATA/replace/level_of_nodes.tscn" "$DATA/replace/nodes_only.gltf" .
	cp "$DATA/bvh/arm.bvh" take.bvh && cp take.bvh other.bvh
	rm -rf before && mkdir before && cp -p ./*.* before
	while IFS= read -r command; do
		eval "$command" >/dev/null 2>said && echo "$command succeeds" && false
		for file in before/*; do cmp -- "$file" "./${file#before/}" || { echo "$command changes it" && false; }; done
		stderr=$(<said)
		[ -z "$(hint)" ] || types "$(hint)"
	done <<-'END'
		anim convert -c run --each '%f.tscn' two.tscn
		anim convert -c run --each '%f.tscn' --strict two.tscn
		anim-filter -c run fox.glb -o fox.glb
		anim-parse -c run two.tscn -o two.tscn
		anim-emit -c run -o fox.glb fox.glb
		anim convert -c run two.fbx two.fbx
		anim convert -o two.fbx -c run two.fbx
		anim convert take.bvh two.tscn
		anim convert take.bvh level_of_nodes.tscn
		anim convert take.bvh nodes_only.gltf
		anim convert take.bvh fox.glb
		anim convert take.bvh other.bvh
		anim convert *.bvh
		anim convert --into two.tscn --keep -c run --speed 2 two.tscn
		anim convert --reduce 1 take.bvh x.glb
		anim convert --reduce 1,0.1deg take.bvh x.glb
		anim convert --tol 1 take.bvh x.glb
		anim-split --to two.fbx two.tscn
		anim-pack -o two.fbx hero.axs
		anim-dump -o two.fbx hero.axs
	END
}
