#!/usr/bin/env bats
# anim-convert: picks the programs by the files, runs them as a pipe, and shows the line of shell that does the same.

load helper

# scene CLIP...: a Godot scene with a skeleton of one bone and these animations.
scene() {
	local name n=0
	printf '[gd_scene format=3]\n'
	for name; do
		printf '\n[sub_resource type="Animation" id="a%s"]\nlength = 1.0\n' $((n += 1))
		printf 'tracks/0/type = "rotation_3d"\ntracks/0/path = NodePath("Armature/Skeleton3D:Hips")\ntracks/0/interp = 1\n'
		printf 'tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 0.38268343, 0, 0, 0.9238795)\n'
		printf 'tracks/1/type = "position_3d"\ntracks/1/path = NodePath("Armature")\ntracks/1/interp = 1\n'
		printf 'tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3, 1, 1, 2, 3, 4)\n'
	done
	printf '\n[sub_resource type="AnimationLibrary" id="library"]\n_data = {\n'
	n=0
	for name; do printf '&"%s": SubResource("a%s")%s\n' "$name" $((n += 1)) "$([ $n -eq $# ] || echo ,)"; done
	printf '}\n\n[node name="Hero" type="Node3D"]\n\n[node name="Armature" type="Node3D" parent="."]\n'
	skeleton Skeleton3D
	printf '\n[node name="Player" type="AnimationPlayer" parent="."]\nlibraries = {\n&"": SubResource("library")\n}\n'
}

skeleton() { # skeleton NAME
	printf '\n[node name="%s" type="Skeleton3D" parent="Armature"]\nbones/0/name = "Hips"\nbones/0/parent = -1\n' "$1"
	printf 'bones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0)\n'
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	scene walk >walk.tscn
	scene idle run >hero.tscn
	cp "$DATA/rename/dance.anim" .
	anim-parse walk.tscn -o walk.axs
	anim-parse hero.tscn -o hero.axs
	anim-pack walk.axs -o walk.axs.gz
	anim-parse dance.anim | anim-emit -o dance.animj
}

# shows LINE ARGUMENT...: what --dry-run prints.
shows() {
	run -0 --separate-stderr anim convert --dry-run "${@:2}"
	[ -z "$stderr" ]
	[ "$output" = "$1" ] || { echo "$output" && false; }
}

@test "axes are changed where what is read has others than what is written" {
	shows 'anim-parse walk.tscn | anim-axes resonite | anim-emit -o walk.animj' walk.tscn walk.animj
	shows 'anim-parse walk.tscn | anim-axes unity | anim-emit -o walk.anim' walk.tscn walk.anim
	shows 'anim-parse dance.anim | anim-emit -o out.animj' dance.anim out.animj
	shows 'anim-parse dance.animj | anim-emit -o out.animx' dance.animj out.animx
	shows 'anim-parse walk.tscn | anim-emit -o walk.tres' walk.tscn walk.tres
	shows 'anim-parse walk.tscn dance.anim | anim-axes godot | anim-emit -o lib.tres' walk.tscn dance.anim lib.tres
	shows 'anim-parse walk.tscn | anim-emit -o walk.csv' walk.tscn walk.csv
	shows 'anim-parse - | anim-axes godot | anim-emit -o x.tres' - x.tres
	shows 'anim-parse -f godot - | anim-emit -o x.tres' --read godot - x.tres
	shows 'anim-parse walk.tscn | anim-emit --axes keep -o x.anim' --axes keep walk.tscn x.anim
	shows 'anim-parse walk.tscn | anim-axes gltf | anim-emit -o x.json' --axes gltf walk.tscn x.json
	shows 'anim-parse walk.tscn | anim-axes --flip z unity | anim-emit -o x.anim' --flip z walk.tscn x.anim
}

@test "--retarget puts tracks on bones, so no skeleton is chosen" {
	cp "$ROOT/examples/walker.tscn" w.tscn
	shows 'anim-parse dance.anim | anim-axes godot | anim-retarget --to w.tscn | anim-emit --into w.tscn' --retarget w.tscn --into w.tscn dance.anim
	shows 'anim-parse dance.anim | anim-axes godot | anim-rename --bones Skeleton3D | anim-emit --into w.tscn' --into w.tscn dance.anim
	anim-convert -q --muscles w.tscn h.anim
	run -0 --separate-stderr anim-convert --retarget w.tscn h.anim --into w.tscn
	[[ $stderr != *"no track was moved"* ]]
}

@test "the short help has --muscles, and help all has --partial and --contacts" {
	[[ $(anim-convert --help) == *--muscles* ]]
	[[ $(anim-convert --help all) == *--partial*--contacts* ]]
	shows 'anim-parse walk.tscn | anim-pin --contacts c.csv | anim-emit -o x.tres' --contacts c.csv walk.tscn x.tres
	[[ $(anim-rename --help) != *--face* && $(anim-rename --help all) == *"rename the blend shapes of a face"* ]]
}

@test "content identifies a file whose name does not" {
	cp dance.anim walk
	shows 'anim-parse walk | anim-axes godot | anim-emit -o x.tres' walk x.tres
	cp walk.axs other
	shows 'anim-axes godot other | anim-emit -o x.tres' other x.tres
}

@test "options bring the programs that know them, each in its place" {
	shows "anim-parse -c 'i*' -c run hero.tscn | anim-filter -n '*Hips' -p rotation --require | anim-retime -t 0..0.5 --speed 2 | anim-axes resonite | anim-resample -r 30 --end loop | anim-emit -x raw-as=curve --each 'out/%c.animj'" \
		-r 30 --raw-as curve -c 'i*' -n '*Hips' -p rotation --speed 2 -t 0..0.5 -c run --end loop hero.tscn 'out/%c.animj'
	shows "anim-parse dance.anim | anim-axes godot | anim-rename --humanoid unity:godot --bones Armature/Skeleton3D | anim-emit -o x.tres" \
		--skeleton Armature/Skeleton3D --humanoid unity:godot dance.anim x.tres
	shows 'anim-parse walk.tscn | anim-axes resonite | anim-bake -r 60 --drop-constant | anim-emit -o x.animj' \
		--drop-constant -r 60 walk.tscn x.animj
	shows 'anim-parse walk.tscn | anim-axes resonite | anim-bake --rest hero.tscn | anim-emit --rest hero.tscn -o x.animj' \
		--bake --rest hero.tscn walk.tscn x.animj
	shows 'anim-parse dance.anim | anim-resample -r 30 | anim-axes --ppu 16 godot2d | anim-emit -o x.tres' \
		--ppu 16 -r 30 dance.anim x.tres
	shows 'anim-parse walk.tscn | anim-axes unity | anim-reduce --tol 1mm@10cm --smaller --for unity | anim-emit -o x.anim' \
		--reduce 1mm@10cm walk.tscn x.anim
	shows 'anim-parse walk.tscn | anim-axes unity | anim-bake -r 30 | anim-reduce --tol 1mm@10cm --keys hermite --smaller --for unity | anim-emit -o x.anim' \
		--bake -r 30 --reduce 1mm@10cm --keys hermite walk.tscn x.anim
	shows 'anim-parse dance.anim | anim-resample -r 30 --end grid | anim-axes --ppu 16 godot2d | anim-reduce --tol 0.1px --smaller --for tres | anim-emit -o x.tres' \
		--ppu 16 -r 30 --end grid --reduce 0.1px dance.anim x.tres
	shows 'anim-parse walk.tscn | anim-reduce --tol 1mm --smaller -o x.axs' --reduce 1mm walk.tscn x.axs
	shows 'anim-parse walk.tscn | anim-reduce --tol 1mm --smaller --for glb | anim-emit -o x.glb' --reduce 1mm walk.tscn x.glb
	shows 'anim-parse --keep-going --no-external walk.tscn | anim-emit --godot 3 -x library -o x.tres' \
		--library --godot 3 --no-external --keep-going walk.tscn x.tres
	shows 'anim-parse -f animx -x key-order=value-time -x slerp x | anim-axes --from unity godot | anim-emit --godot 3 -x to-key-order=time-value -x digits=6 -x keep-names -o x.tres' \
		--digits 6 --read animx --godot 3 --key-order value-time --to-key-order time-value --keep-names --slerp --from unity x x.tres
	shows "anim-parse walk.tscn | anim-retime --duration 2 --shift -1 --snap 30 | anim-axes resonite | anim-rename -e s/a/b/ --on name --crc x | anim-bake --world | anim-filter --type 'float*' --type bool --kind raw --constant --min-keys 2 --require | anim-emit -x tangent-order=right-left -o x.animx" \
		--world --crc x --on name -e s/a/b/ --snap 30 --shift -1 --duration 2 --require --min-keys 2 --constant --kind raw --type 'float*' --type bool --tangent-order right-left walk.tscn x.animx
	shows 'anim-parse -q --strict walk.tscn | anim-emit -q --strict --force -o x.tres' --force --strict -q walk.tscn x.tres
}

@test "each option is one of the program that it goes to" {
	not_sanitized "command lines"
	local letter option argument program line count=0
	while IFS= read -r line; do
		letter=${line:2:2}
		read -r option argument _ <<<"${line:6}"
		case $option in
		--each | --into | --axes | --skeleton | --bake | --reduce | --retarget | --mirror | --pin | --root-motion | --additive | --hips | --source-rate | --foot-speed | --foot-height | --keep-scale | --verbose | --dry-run | --no-clobber | --backup | --list | --output | --help | --version) continue ;;
		--format) argument=animj ;;
		--read) argument=godot ;; --up | --to-up) argument=y ;; --loop) argument=none ;; --on) argument=node ;;
		--angles) argument=xyz ;;
		--end) argument=cover ;; --names) argument=source ;; --godot) argument=3 ;; --loops) argument=2 ;; --flip) argument=z ;;
		--set) continue ;;
		esac
		[[ ${line:6} == "$option "[A-Zs]* ]] || argument=
		[ "${letter// /}" ] || letter=$option
		out=x.animj
		case $option in --muscles) out=x.anim ;; --angles) out=x.csv ;; --jobs | --fast | --best | --override) out=x.axs.gz ;; --keys) argument="linear --reduce 1mm" ;; --partial) argument="--retarget walk.tscn" ;;
			--pairs) argument="pairs.csv --mirror" ;; --height) argument=1m ;; --trim) argument=1mm ;;
			--character) argument="walk --retarget walk.tscn" ;; esac
		line=$(anim-convert --dry-run "$option" $argument walk.tscn $out)
		[ "$option" != --read ] || option=--format letter=-f
		program=$(echo "$line" | tr '|' '\n' | grep -e " $letter" | awk 'NR == 1 { print $1 }')
		[ -n "$program" ] || { echo "$option goes nowhere" && false; }
		"$program" --help all | grep -qE "^  .{4}$option( |\$)" || { echo "$program has no $option" && false; }
		[ "$letter" = "$option" ] || "$program" --help all | grep -qE "^  $letter, $option( |\$)" || { echo "$program has no $letter" && false; }
		count=$((count + 1))
	done < <(anim-convert --help all | grep -E '^  (-.,|   ) --')
	[ "$count" -ge 45 ]
}

@test "the line that -v prints makes the same bytes in a pipe of processes" {
	local line
	run_both() { # run_both OUT ARGUMENT...: by anim convert, and by the line that it prints
		line=$(anim-convert --dry-run -q "${@:2}" "$1")
		bash -c "$line"
		mv "$1" want
		anim-convert -q "${@:2}" "$1"
		cmp want "$1" || { echo "$line" && false; }
		rm want "$1"
	}
	run_both x.animj walk.tscn
	run_both x.axs -r 30 walk.tscn
	run_both x.axs --speed 2 -n '*Hips' -e s/Hips/Pelvis/ hero.tscn
	run_both x.glb -r 30 --mirror --in-place "$ROOT/examples/walker.tscn"
	run_both x.axs --bake --reduce 1mm@10cm --additive first "$ROOT/examples/walker.tscn"
	run_both x.tres --retarget "$ROOT/examples/walker.tscn" "$ROOT/examples/walker.tscn"
	run_both x.anim --muscles --mirror "$ROOT/examples/walker.tscn"
	run_both x.axs.gz walk.tscn hero.tscn
	run_both x.tres --merge walk.tscn hero.tscn walk.axs
	run_both x.csv -c walk -t 0..0.5 walk.axs.gz
	run_both x.anim --axes unity -r 30 walk.axs
}

@test "streams are read as they are, and written where OUT is called so" {
	shows 'anim-emit -o x.json walk.axs' walk.axs x.json
	shows 'anim-resample -r 30 -o x.axs walk.axs' -r 30 walk.axs x.axs
	shows 'anim-unpack -c walk -n Armature -o x.axs walk.axs.gz' -n Armature -c walk walk.axs.gz x.axs
	shows 'anim-unpack -t 0..0.5 walk.axs.gz | anim-retime -t 0..0.5 --speed 2 -o x.axs' -t 0..0.5 --speed 2 walk.axs.gz x.axs
	shows 'anim-parse hero.axs walk.axs.gz | anim-filter -n Armature | anim-retime -t 0..0.5 -o x.axs' -n Armature -t 0..0.5 hero.axs walk.axs.gz x.axs
	shows 'anim-parse walk.tscn | anim-pack -j 2 -9 -o x.axs.gz' -9 -j 2 walk.tscn x.axs.gz
	shows 'anim-parse --merge walk.tscn hero.tscn | anim-emit -o x.tres' --merge walk.tscn hero.tscn x.tres
	shows 'anim-parse -o x.axs walk.axs' walk.axs -o x.axs
	shows 'anim-parse walk.axs hero.axs | anim-axes godot | anim-emit -o x.tres' walk.axs hero.axs x.tres
	shows 'anim-parse hero.axs walk.tscn dance.anim | anim-axes godot | anim-emit -o x.tres' hero.axs walk.tscn dance.anim x.tres
	shows 'anim-parse walk.tscn | anim-pack -o x.axs.gz' walk.tscn x.axs.gz
	shows 'anim-parse -o x.axs walk.tscn' walk.tscn x.axs
	shows 'anim-parse walk.tscn | anim-emit -f json' -f json walk.tscn -
}

@test "bones are those of the only skeleton of the scene on the other side" {
	shows 'anim-parse dance.anim | anim-axes godot | anim-rename --bones Armature/Skeleton3D | anim-emit --into hero.tscn' dance.anim --into hero.tscn
	shows 'anim-parse dance.animj | anim-axes godot | anim-rename --bones Armature/Skeleton3D | anim-emit --rest hero.tscn -o x.tres' --rest hero.tscn dance.animj x.tres
	shows 'anim-parse walk.tscn | anim-emit --into hero.tscn' walk.tscn --into hero.tscn
	shows 'anim-parse dance.anim | anim-axes godot | anim-emit --into hero.tscn' --skeleton none dance.anim --into hero.tscn
	shows 'anim-parse dance.anim | anim-axes godot | anim-emit --into nowhere.tscn' dance.anim --into nowhere.tscn
	skeleton Other >>hero.tscn
	run -2 --separate-stderr anim convert --dry-run dance.anim --into hero.tscn
	[ "${stderr_lines[0]}" = "anim-convert: hero.tscn has more than one skeleton: Armature/Skeleton3D, Armature/Other; say whose bones: --skeleton Armature/Skeleton3D, or none" ]
}

@test "the line, pasted into a shell, makes the same bytes, and so does -v" {
	mkdir 'a b' out
	cp walk.tscn "a b/it's \$HOME \"x\" \\.tscn"
	cp dance.anim -- -d.anim
	cp dance.anim -- -e.anim
	cp walk.tscn $'tab\there\n.tscn'
	while IFS= read -r arguments; do
		rm -rf x.* out/* said
		eval "set -- $arguments"
		line=$(anim convert --dry-run "$@")
		anim convert -v "$@" >standard 2>said || { echo "$arguments"; cat said; false; }
		grep -qxF "$(head -n 1 <<<"$line")" said
		mkdir first && mv standard first
		for file in x.* out/*; do [ ! -e "$file" ] || mv "$file" first; done
		sh -c "$line" >standard 2>>said
		for file in first/*; do
			name=${file##*/}
			if [ -e "$name" ]; then cmp "$file" "$name"; else cmp "$file" "out/$name"; fi
		done
		[ "$(ls first | wc -l)" -ge 2 ] || [ -s first/standard ]
		rm -r first
	done <<'TEXT'
walk.tscn x.animj
-r 30 hero.tscn 'out/%c.animj'
--same-tracks -c '[ir]*' -r 24 --end loop hero.tscn 'out/%p %c.animj'
"a b/it's \$HOME \"x\" \\.tscn" x.animx
$'tab\there\n.tscn' x.json
--skeleton Armature/Skeleton3D dance.anim -- x.tres
-- -d.anim x.tres
-- -d.anim -e.anim x.tres
-n '*Hips*' -f csv dance.animj -
walk.tscn hero.axs x.tres
-t ..0.5 walk.axs.gz x.axs
TEXT
}

# keys_of FILE: how many there are in all.
keys_of() {
	anim-info --csv "$1" | awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "keys") k = i; next} {n += $k} END {print n}'
}

@test "--reduce leaves no more keys than the source has, and -r is no reason to" {
	run -0 --separate-stderr anim convert -r 30 --reduce 1mm@10cm "$ROOT/examples/walker.tscn" small.tres
	[ "$(keys_of small.tres)" -le "$(keys_of "$ROOT/examples/walker.tscn")" ]
	[ "$(wc -c <small.tres)" -lt "$(wc -c <"$ROOT/examples/walker.tscn")" ]
	[[ $stderr == *"anim-convert: note: --reduce works on the curves themselves, so -r 30 has no effect; add --bake to sample them first" ]]
	anim convert -q --bake -r 30 --reduce 1mm@10cm "$ROOT/examples/walker.tscn" sampled.tres
	[ "$(keys_of sampled.tres)" -gt "$(keys_of small.tres)" ]
	run -0 --separate-stderr anim convert --reduce 1mm@10cm "$DATA/bvh/arm.bvh" arm.anim
	[[ $stderr == *"anim-convert: note: arm.anim ("*" bytes) is larger than $DATA/bvh/arm.bvh ("*"): its format needs more bytes for a key" ]]
	run -0 --separate-stderr anim convert --reduce 1mm@10cm "$DATA/bvh/arm.bvh" small.bvh
	[[ $stderr == *"anim-convert: note: --reduce has no effect on the size, because BVH holds every frame"* ]]
}

@test "a clip of a model that is reduced takes no more room than the clip as it was" {
	[ -d "$ANIM_CORPUS/gltf" ] || skip "no models in $ANIM_CORPUS"
	for clip in Survey Walk Run; do
		anim convert -q -c $clip "$ANIM_CORPUS/gltf/Fox.glb" $clip.glb
		anim convert -q -c $clip --reduce 1mm@10cm "$ANIM_CORPUS/gltf/Fox.glb" $clip.small.glb
		[ "$(wc -c <$clip.small.glb)" -le "$(wc -c <$clip.glb)" ]
		anim-diff -q --max 1mm@10cm $clip.glb $clip.small.glb
	done
}

@test "--reduce leaves keys out, and what is left is as near as it says" {
	run -0 --separate-stderr anim convert --bake -r 30 --reduce 1mm@10cm "$ROOT/examples/crane.tscn" small.tres
	[[ $stderr == *"anim-reduce: crane.tscn: note: clip 'lift': 62 of 247 keys and 3035 of 9251 bytes are left, joints at most 0.9"*" mm off"* ]] || { echo "$stderr" && false; }
	anim convert -q --bake -r 30 "$ROOT/examples/crane.tscn" whole.axs
	[ "$(wc -c <small.tres)" -lt "$(anim-emit -q tres whole.axs | wc -c)" ]
	run -0 anim-diff -q --max 1mm@10cm,1% whole.axs small.tres
	run -2 --separate-stderr anim convert --keys hermite walk.tscn x.anim
	[ "${stderr_lines[0]}" = "anim-convert: --keys requires --reduce" ]
	run -2 --separate-stderr anim convert --reduce 1parsec walk.tscn x.tres
	[[ $stderr == "anim-convert: --reduce: "* ]] || { echo "$stderr" && false; }
	[ ! -e x.tres ]
}

@test "it works where PATH has none of the programs, and runs none" {
	env PATH=/usr/bin:/bin "$ANIM_BUILD/bin/anim" convert walk.tscn x.tres
	[ -s x.tres ]
	run -0 env PATH=/nowhere "$ANIM_BUILD/bin/anim-convert" walk.tscn y.tres
	cmp x.tres y.tres
}

@test "a failure is reported once, by the program that failed, and leaves nothing" {
	sed 's/^tracks.1.interp = 1/tracks\/1\/interp = one/' walk.tscn >broken.tscn
	run -1 --separate-stderr anim convert -r 30 broken.tscn x.animj
	[[ $stderr == 'anim-parse: broken.tscn:'*"unknown word 'one'" ]]
	run -1 --separate-stderr anim convert hero.tscn x.animj
	[[ $stderr == 'anim-convert: animj holds one clip, but there are 2: idle, run; pick one with -c NAME'* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -2 --separate-stderr anim convert -r fast walk.tscn x.animj
	[[ $stderr == "anim-convert: --rate: 'fast' is not a rate"*'usage: anim-convert '* ]]
	[ "${#stderr_lines[@]}" -eq 2 ]
	run -1 --separate-stderr anim convert nowhere.tscn x.animj
	[ "$stderr" = 'anim-convert: nowhere.tscn: cannot open: No such file or directory' ]
	run -0 --separate-stderr anim convert -q --keep-going walk.tscn broken.tscn x.tres
	[[ $stderr == *'broken.tscn'* ]]
	[ -s x.tres ]
	[ -z "$(find . -name 'x.animj*' -o -name '.x*')" ]
}

@test "--keep-going leaves out files, and hides no error of a filter" {
	cp "$ROOT/examples/crane.tscn" .
	anim convert -q -n '*base*' crane.tscn two.glb 2>/dev/null
	anim-parse two.glb | anim-rename --on clip -e s/lift/drop/ | anim-emit -q --into two.glb
	for from in crane.tscn two.glb; do
		for keep in --keep-going ''; do
			run -1 --separate-stderr anim convert $keep --in-place --hips Nobody $from x.axs
			[[ $stderr == "anim-convert: "*"the tree has no node 'Nobody'; list its nodes with 'anim-info --tree FILE'" ]]
			[ ! -e x.axs ]
		done
	done
}

@test "what is read fails long after what is written has begun, and nothing is written" {
	anim-retime --duration 600 walk.axs | anim-resample 240 | anim-emit -q -o long.animj
	truncate -s -200 long.animj
	[ "$(stat -c %s long.animj)" -gt 3000000 ]
	run -1 --separate-stderr anim convert long.animj x.animx
	[[ $stderr == 'anim-convert: long.animj:'* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -1 --separate-stderr anim convert long.animj - -f json
	[ "$(ls -A)" = "$(ls)" ]
	[ ! -e x.animx ]
}

@test "--strict is passed to all programs, and their warnings come in their order" {
	run -0 --separate-stderr anim convert --dry-run --strict -r 30 dance.anim x.tscn
	[ "$(grep -o -- --strict <<<"$output" | wc -l)" -eq 4 ]
	sed 's/Box:position/Box:nothing/' walk.tscn >odd.tscn
	run -0 --separate-stderr anim convert -r 30 --loop ping-pong odd.tscn x.animj
	[ "$(grep -oE '^anim-[a-z]+' <<<"$stderr" | uniq | sort | uniq -d)" = "" ]
}

@test "a signal ends it, and nothing is left" {
	for signal in INT TERM HUP QUIT ALRM XCPU XFSZ USR1 USR2; do
		mkfifo slow.tscn
		bash -c 'ulimit -c 0; trap - INT QUIT; exec "$@"' - env --default-signal anim convert slow.tscn x.animj 2>said &
		sleep 0.3
		kill -$signal $!
		status=0
		wait $! || status=$?
		[ "$status" -eq $((128 + $(kill -l $signal))) ]
		rm slow.tscn
		[ ! -e x.animj ]
	done
}

@test "a reader that leaves ends it in silence, and a full disk is reported" {
	run -0 --separate-stderr bash -c 'anim convert -q -f csv -r 2000 walk.tscn - | head -n 1; [ ${PIPESTATUS[0]} -eq 141 ]'
	[ -z "$stderr" ]
	[ -w /dev/full ] || skip 'no /dev/full on this system'
	run -1 --separate-stderr bash -c 'anim convert -f json walk.tscn - >/dev/full'
	[[ $stderr == 'anim-convert: '*'No space left on device' ]]
	run -1 --separate-stderr bash -c 'anim convert --dry-run walk.tscn x.json >/dev/full'
	[ "$stderr" = 'anim-convert: cannot write standard output: No space left on device' ]
}

# refused ARGUMENT... -- MESSAGE
refused() {
	run -2 --separate-stderr anim convert "${@:1:$#-1}"
	[ "${stderr_lines[0]}" = "anim-convert: ${!#}" ] || { echo "$stderr" && false; }
	[ "${stderr_lines[1]}" = 'usage: anim-convert [OPTION...] IN... OUT' ]
}

@test "a wrong command line is reported before anything runs" {
	refused 'missing operand'
	refused walk.tscn 'OUT is missing; its suffix chooses the format, such as .glb, .vrma, .tres, .anim or .fbx; try: anim convert walk.tscn '\''out/%c.animj'\'''
	refused walk.tscn x.foo "the suffix of 'x.foo' is not one of a format; choose one with -f: axs, animj, animx, unity, tres, tscn, bvh, vmd, vmc, fbx, csv, json, axt, npz, gltf, glb, vrma"
	refused walk.tscn - 'standard output has no suffix to choose a format by; try: anim convert -f tres walk.tscn -'
	refused -f maya walk.tscn - "--format: 'maya' is not one of axs, animj, animx, unity, tres, tscn, bvh, vmd, vmc, fbx, csv, json, axt, npz, gltf, glb, vrma"
	refused walk.tscn -o x.tres --each '%c.tres' '--each cannot be combined with -o or --into'
	refused --keep-going walk.axs x.tres '--keep-going is for files, but the input is a stream'
	refused --pretty walk.tscn x.axs '--pretty is for files, but the output is a stream'
	refused --fast walk.tscn x.axs '--fast is for archives, which are called .axs.gz'
	refused --jobs=2 walk.tscn x.axs '--jobs is for folders, lists and archives, which are called .axs.gz'
	refused -j 2 walk.tscn hero.tscn --each '%f.glb' "--jobs is for folders, lists and archives, which are called .axs.gz; list several files with --list"
	refused --slerp walk.axs x.axs '-x slerp is for files, but the input is a stream'
	mkdir out
	refused hero.tscn out "'out' is a folder; try: anim convert --each 'out/%c.animj' hero.tscn"
	refused -f tres hero.tscn out "'out' is a folder; try: anim convert --each 'out/%c.tres' -f tres hero.tscn"
	[ -z "$(ls out)" ]
}

@test "the last of the files that are read is not written over" {
	cp dance.anim other.anim
	run -1 --separate-stderr anim convert dance.anim other.anim
	[ "$stderr" = "anim-convert: 'other.anim' exists and has the suffix of the input, so it may be one; name another file, put the clips into it with --into, or use --force to replace it" ]
	cmp dance.anim other.anim
	anim convert -q dance.anim new.anim
	anim convert -q dance.anim -o new.anim
	anim convert -q dance.anim x.animj
	anim convert -q dance.anim x.animj
}

@test "a stream may come on standard input, as a file may" {
	anim-parse walk.tscn >w.axs
	anim convert w.axs want.tres
	anim-convert - -o got.tres <w.axs
	same want.tres got.tres
	cp walk.tscn into.tscn
	anim-retime --speed 2 w.axs | anim-convert - --into into.tscn
	anim-retime --speed 2 w.axs | anim-emit --into walk.tscn
	same walk.tscn into.tscn
}

@test "clips of a scene are changed in it, and another engine's put into it, in one line" {
	cp hero.tscn was.tscn
	anim convert -c run --speed 2 --into hero.tscn hero.tscn
	anim-info hero.tscn | grep -q '^run: 0.5 s'
	anim-info hero.tscn | grep -q '^idle: 1 s'
	cp hero.tscn once.tscn
	anim convert -q --into hero.tscn dance.anim
	anim-info hero.tscn | grep -q 'Skeleton3D:Hips'
	anim-info hero.tscn | grep -q '^run: 0.5 s'
	diff <(grep '^\[node\|^bones\|^parent' once.tscn) <(grep '^\[node\|^bones\|^parent' hero.tscn)
	[ "$(anim-parse -q hero.tscn | anim-dump | grep -c '^clip')" -eq 3 ]
	anim convert --speed 2 --follow --into hero.tscn hero.tscn
	anim-info hero.tscn | grep -q '^run: 0.25 s'
}

@test "with --into all operands are read: one that is not there is not taken for what is written" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-emit -q -o a.glb
	cp a.glb b.glb
	run -2 --separate-stderr anim convert --into a.glb b.glb out.glb
	[ "${stderr_lines[0]}" = "anim-convert: 'out.glb' does not exist; with --into 'a.glb', all operands are inputs; -o writes another file" ]
}

@test "--mirror takes the rests of --rest, and a make rule has OUT for its target" {
	cp "$ROOT/examples/walker.tscn" .
	anim convert -q --mirror walker.tscn mirrored.tres
	anim convert -q --mirror --rest walker.tscn mirrored.tres back.tres
	run -1 --separate-stderr anim convert -q --mirror mirrored.tres none.tres
	[[ $stderr == *"moves a node whose rest pose is unknown; set it with --rest FILE"* ]]
	anim diff --max 0.01mm@10cm back.tres walker.tscn || anim diff --max 0.01mm,0.01deg back.tres walker.tscn
	anim convert -q --depfile w.d walker.tscn w.animj
	[ "$(head -n 1 w.d)" = "w.animj: walker.tscn" ]
	anim-parse --depfile s.d -o s.axs walker.tscn
	[ "$(head -n 1 s.d)" = "s.axs: walker.tscn" ]
}

@test "a new file that lacks what the old one holds is noted, and tracks that none matches are named" {
	cp "$DATA"/gltf/into/* . 2>/dev/null || cp "$DATA"/gltf/*.gl* .
	local model
	for model in *.gl*; do
		anim convert --dry-run --into "$model" "$model" >/dev/null 2>&1 || continue
		run --separate-stderr anim convert --force "$model" new.glb
		[[ $status -eq 0 && $stderr == *"$model also holds "*", which the new file does not have; to keep them, copy the file and use --into"* ]] && break
	done
	[[ $stderr == *"also holds"* ]]
	run --separate-stderr anim convert --force --into new.glb "$model"
	[[ $stderr != *"also holds"* ]]
	cp "$ROOT/examples/walker.tscn" .
	run -1 --separate-stderr anim convert -n '*Nothing*' walker.tscn x.animj
	[ "$stderr" = "anim-convert: walker.tscn: no node has the path -n '*Nothing*'; run anim-info to list the tracks" ]
}

@test "--world comes before -n, because the place of a node depends on its parents" {
	anim-parse -q -c walk "$ROOT/examples/walker.tscn" | anim-bake -q --world -r 10 | anim-filter -n '*Foot*' | anim-emit -q csv >want.csv
	anim-convert -q -c walk -r 10 --world -n '*Foot*' "$ROOT/examples/walker.tscn" got.csv
	[ -s want.csv ]
	diff <(cut -d, -f2-20 want.csv) <(cut -d, -f2-20 got.csv)
}

@test "samples at the start of a part that -t takes stay there, so that AnimJ can hold them" {
	anim-parse -q -c walk "$ROOT/examples/walker.tscn" | anim-resample -q 30 | anim-pack -o w.axs.gz
	for part in 0.1..0.6 0.2..0.7 0.3..0.5 0.7..0.9; do
		anim-convert -q -t $part w.axs.gz w.animj
		anim-parse -q w.animj | anim-info | grep -q 'Raw 30/s .* 0 \.\. 0\.'
		anim-parse -q -c walk "$ROOT/examples/walker.tscn" | anim-resample -q 30 | anim-retime -t $part | anim-emit -q -o v.animj
	done
}

@test "an error comes with the warnings of the reader, which may name its cause" {
	printf '[gd_scene format=3]\n[ext_resource type="AnimationLibrary" path="res://gone.tres" id="1"]\n[node name="A" type="Node"]\n[node name="P" type="AnimationPlayer" parent="."]\nlibraries = {\n"": ExtResource("1")\n}\n' >a.tscn
	run -1 --separate-stderr anim-convert -c walk a.tscn a.animj
	[[ $stderr == *"gone.tres"* ]]
}

# called FILE...: the names of its clips, in one line.
called() {
	anim-parse -q "$@" 2>/dev/null | anim-dump | sed -n 's/^clip name="\([^"]*\)".*/\1/p' | tr '\n' ' '
}

@test "a clip whose name says nothing is called after its file, in every later name and message" {
	mkdir mixamo
	cp "$DATA/fbx/mixamo.fbx" mixamo/walking.fbx
	cp "$DATA/fbx/mixamo.fbx" mixamo/running.fbx
	[ "$(called mixamo/walking.fbx)" = 'walking ' ]
	anim convert -q mixamo/*.fbx all.tres
	[ "$(called all.tres)" = 'running walking ' ]
	anim convert -q mixamo/*.fbx --each 'a/%f-%c.glb'
	[ "$(ls a | tr '\n' ' ')" = 'running-running.glb walking-walking.glb ' ]
	# also on another skeleton, whose file has another name
	cp mixamo/walking.fbx target.fbx
	anim convert -q --retarget target.fbx mixamo/*.fbx --each 'b/%f-%c.glb'
	[ "$(ls b | tr '\n' ' ')" = 'running-running.glb walking-walking.glb ' ]
	run -0 --separate-stderr anim convert --rest target.fbx --retarget target.fbx mixamo/walking.fbx c.tres
	[[ $stderr == *"anim-emit: walking.fbx: 'walking': warning: "* ]]
	[[ $stderr != *"emit: target.fbx"* ]]
	# The old name still finds the clip, and the clip finds its place in its own file.
	for name in mixamo.com 'mixamo*' walking; do [ "$(called -c "$name" mixamo/walking.fbx)" = 'walking ' ]; done
	anim-parse -q mixamo/walking.fbx | anim-dump | grep -qF 'attr "old_name" "mixamo.com"'
	anim-parse -q mixamo/walking.fbx | anim-rename -q --on clip -e s/walking/walk/ | anim-dump >renamed
	run ! grep -q old_name renamed
	# Rules find it by both names, and a rule for the new name goes first.
	echo 'mixamo.com,jump' >old.csv
	[ "$(called <(anim convert -q --on clip --map old.csv -f axs mixamo/walking.fbx -))" = 'jump ' ]
	[ "$(called <(anim convert -q --on clip -e 's/^mixamo[.]com$/jump/' -f axs mixamo/*.fbx -))" = 'jump jump ' ]
	[ "$(called <(anim convert -q --on clip -e 's/w/W/' -f axs mixamo/walking.fbx -))" = 'Walking ' ]
	anim-parse -q mixamo/walking.fbx | anim-rename -q --on clip --map old.csv | anim-dump >renamed
	run ! grep -q old_name renamed
	# The source file has no .gz in its name.
	gzip mixamo/walking.fbx
	anim convert -q mixamo/walking.fbx.gz --each 'c/%f-%c.glb'
	anim parse -q mixamo/walking.fbx.gz | anim split --to 'c/%f.axs'
	[ "$(ls c | tr '\n' ' ')" = 'walking-walking.glb walking.axs ' ]
}

# gltf_of NAME...: a file of one animation per name.
gltf_of() {
	local list='' name
	for name; do list+="${list:+,}{\"name\":\"$name\",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}"; done
	printf '{"asset":{"version":"2.0"},"nodes":[{"name":"A"}],"animations":[%s],"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],"buffers":[{"byteLength":32,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8="}]}' "$list"
}

@test "names that say nothing, and names that say something" {
	local name
	for name in mixamo.com mixamo_com 'Take 001' 'take 1' Take001 Take Take_02.003 'Default Take' 'Unreal Take' 'Armature|mixamo.com' \
		'Armature|mixamo.com|Layer0' 'Armature.001|Take 001|BaseLayer' ArmatureAction Armature 'Armature|ArmatureAction.002' Action Scene \
		animation Animation_0 'Animation 1' mocap default 'New Animation' untitled ''; do
		gltf_of "$name" >dance.gltf
		[ "$(called dance.gltf)" = 'dance ' ] || { echo "$name: $(called dance.gltf)" && false; }
	done
	for name in Walk 'Take off' takeover Takedown 'Armature|Walk' 'Walk|mixamo.com' actionHero 'Scene of the crime' animated defaulted 'Take 001 run' mixamo; do
		gltf_of "$name" >dance.gltf
		[ "$(called dance.gltf)" = "$name " ] || { echo "$name: $(called dance.gltf)" && false; }
	done
	# beside others a word may be meant; what programs write is not
	gltf_of idle action default Take\ 001 mixamo.com walk >hero.gltf
	[ "$(called hero.gltf)" = 'idle action default hero hero-2 walk ' ]
	[ "$(called -c 'Take 001' hero.gltf)" = 'hero ' ]
	gltf_of hero Take\ 001 >hero.gltf
	[ "$(called hero.gltf)" = 'hero hero-2 ' ]
	# In its own file a clip is changed in its place.
	gltf_of idle Take\ 001 >hero.gltf
	anim convert -q -c hero --speed 2 --into hero.gltf hero.gltf
	[ "$(grep -o '"name":"[^"]*"' hero.gltf | tr '\n' ' ')" = '"name":"A" "name":"idle" "name":"Take 001" ' ]
	# Scripts of a scene know the names of its clips.
	gltf_of idle walk >hero.gltf
	anim convert -q hero.gltf x.tscn 2>/dev/null
	sed 's/"idle"/"mixamo_com"/' x.tscn >scene.tscn
	[[ "$(called scene.tscn)" == *'mixamo_com '* ]]
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "mixamo_com"\nlength = 1.0\n' >run.tres
	[ "$(called run.tres)" = 'run ' ]
	# A pipe has no name.
	gltf_of mixamo.com | anim-parse -q | anim-dump | grep -q '^clip name="mixamo.com"'
}

@test "-x trust-size is for sampling as well, whatever the input" {
	printf '{"anim_json":1}\n{"clip":{"name":"long","end":1000000}}\n{"track":{"node":"A","property":"x","kind":"Curve","type":"float","interp":"Linear","columns":{"time":[0,1000000],"value":[0,1]}}}\n{"end":true}\n' >long.json
	run -1 --separate-stderr anim-convert -r 30 long.json out.csv
	[[ $stderr == *"more than 4194304; allow it with -x trust-size" ]] || { echo "$stderr" && false; }
	run -0 --separate-stderr anim-convert --dry-run -x trust-size -r 30 long.json out.csv
	[[ $output$stderr == *"anim-resample"*"--trust-size"* && $output$stderr != *"-x trust-size"* ]]
}

@test "a file in the place of a limit is named, not a missing output" {
	cp "$ROOT/examples/box.tscn" .
	for option in reduce trim; do
		run -2 --separate-stderr anim-convert --$option box.tscn x.tres
		[ "${stderr_lines[0]}" = "anim-convert: --$option: 'box.tscn' is a file, and not a limit such as 1mm@10cm" ]
	done
}

@test "a blend without clips to append is refused, and nothing is left" {
	cp "$ROOT/examples/box.tscn" .
	run -2 --separate-stderr anim-convert --blend 1 box.tscn x.tres
	[ "${stderr_lines[0]}" = "anim-parse: --blend requires --append" ] || [ "${stderr_lines[0]}" = "anim-convert: --blend requires --append" ]
	[ -z "$(find . -name '.anim*')" ]
}

@test "a rate that differs from the one of a BVH file is reported" {
	run -0 --separate-stderr anim-convert --fps 15 "$DATA/bvh/arm.bvh" x.tres
	[[ $stderr == *"note: another frame rate than in the file: 15 in place of "*"so the clip lasts "*"use -r 15"* ]] || { echo "$stderr" && false; }
}

@test "a reduction never makes a file larger, whatever the target, and says keys, bytes and the error" {
	local file target how
	for file in "$ROOT"/examples/walker.tscn "$ROOT"/tests/data/{fbx,gltf,unity}/*.{fbx,glb,anim}; do
		[ -f "$file" ] || continue
		for target in tres anim animj animx glb fbx axs.gz; do
			anim convert -q --force "$file" -o "all.$target" 2>/dev/null || continue
			anim convert -q --force --reduce 1mm@10cm "$file" -o "few.$target"
			echo "$file $target"
			[ "$(wc -c <"few.$target")" -le "$(wc -c <"all.$target")" ]
		done
	done
	# An archive that would not become smaller has no word of the attempt, and one that does has all.
	for how in '' '-r 30 --bake'; do
		anim convert -q --force $how "$ROOT/examples/walker.tscn" all.axs.gz
		run -0 anim convert --force $how --reduce 1mm@10cm "$ROOT/examples/walker.tscn" few.axs.gz
		cmp all.axs.gz few.axs.gz
		[[ $output == *"note: all keys are left, because an archive with fewer keys would not be smaller; for a small archive, use --tol instead of --reduce" ]]
	done
	run -0 anim convert --force -r 30 --bake --reduce 5mm@10cm "$ROOT/examples/walker.tscn" few.axs.gz
	[ "$(wc -c <few.axs.gz)" -lt "$(wc -c <all.axs.gz)" ]
	anim-unpack few.axs.gz | anim-info --json | grep -q anim-reduce
	run -0 anim convert --bake -r 60 --reduce 5mm@10cm "$ROOT"/examples/walker.tscn small.tres
	[[ $output == *"240 of 1241 keys and 15045 of 63302 bytes are left, joints at most 4.9"*" mm off"* ]]
	[ "$(wc -c <small.tres)" -eq 15045 ]
	grep -q '63,302 bytes become 15,045' "$ROOT/README.md"
}

@test "a limit in percent alone is not an error of joints" {
	run -2 anim convert --reduce 50% "$ROOT"/examples/walker.tscn x.tres
	[[ ${lines[0]} == "anim-convert: --reduce '50%': percent is for scales, colours and other numbers; limit the error of joints"*1mm@10cm* ]]
	anim convert -q --reduce 1mm@10cm,50% "$ROOT"/examples/walker.tscn x.tres
}

@test "--into with -o adds clips to a copy, and the file stays as it was" {
	cp "$ROOT/examples/walker.tscn" old.tscn
	sed 's/"walk"/"lift"/' old.tscn >other.tscn
	anim convert -q --into old.tscn -o new.tscn other.tscn
	cmp old.tscn "$ROOT/examples/walker.tscn"
	[ "$(anim info -l new.tscn | grep -cE 'walk|lift')" -ge 2 ]
}

@test "a folder is converted with its structure, and a line says why a file was left out" {
	mkdir -p in/sub/.hidden in/sub/deep
	cp "$ROOT/examples/box.tscn" "$ROOT/examples/crane.tscn" in
	cp "$ROOT/examples/box.tscn" in/sub/arm.tscn
	cp "$ROOT/examples/box.tscn" in/sub/.hidden
	cp "$DATA/bvh/arm.bvh" in/sub
	cp "$DATA/bvh/arm.bvh" in/sub/deep
	echo text >in/bad.glb
	echo text >in/notes.txt
	echo 'a,b' >in/table.csv
	ln -s .. in/sub/loop
	ln -s ../box.tscn in/sub/link.tscn
	run -1 --separate-stderr anim-convert -f glb in in/out
	[ "$(grep -v warning <<<"$stderr")" = "anim-convert: in/bad.glb:1:1: an object is needed, found 't'
anim-convert: note: files: 6 converted, 0 kept, 1 left out" ]
	[ "$(cd in/out && find . -type f | sort | tr '\n' ' ')" = './box.glb ./crane.glb ./sub/arm.glb ./sub/arm.tscn.glb ./sub/deep/arm.glb ./sub/link.glb ' ]
	# a second run makes what is missing, and does not read its own outputs
	rm in/out/box.glb
	run -0 --separate-stderr anim-convert --keep-going --no-clobber -f glb in in/out
	[ "${stderr_lines[-1]}" = 'anim-convert: note: files: 1 converted, 5 kept, 1 left out' ]
	# formats of one clip: a folder for a file with several; a message without the file gets its name
	cp "$DATA/gltf/types.gltf" in
	run -1 --separate-stderr anim-convert -f bvh -n '*' in out
	run -1 --separate-stderr anim-convert -f animj -c 'Wa*' in none
	[[ $stderr == *"anim-convert: in/box.tscn: no clip is named 'Wa*'"* ]]
	[ ! -e none ]
	# folders that were made for a file without a result go, and those that were there stay
	mkdir -p kept/sub
	run -1 anim-convert -f animj -c 'Wa*' in kept
	[ "$(find kept | sort | tr '\n' ' ')" = 'kept kept/sub ' ]
	anim-convert -q -f animj "$ROOT/tests/data/fbx" fbx 2>/dev/null
	[ -e fbx/walk.animj ]
	# folders without end are left out with a word
	deep=chain/$(printf 'd/%.0s' {1..105})
	mkdir -p "$deep"
	cp "$ROOT/examples/box.tscn" chain
	cp "$ROOT/examples/box.tscn" "$deep"
	run -0 --separate-stderr anim-convert -f glb chain chained
	[[ $stderr == *"warning: folder 'chain/d/"*"/d': more than 100 folders deep, left out"* ]] || { echo "$stderr" && false; }
	for wrong in 'in out' '-f glb in in' '-f glb --merge in out' '-f glb in in/box.tscn' '-f glb in box.glb out' '-f glb in'; do
		run -2 anim-convert $wrong
	done
}

@test "many files at once give the files and messages of one after another" {
	local i
	mkdir in
	for i in {1..40}; do
		cp "$ROOT/examples/box.tscn" "in/b$i.tscn"
		[ $((i % 7)) -gt 0 ] || cp "$ROOT/examples/walker.tscn" "in/b$i.tscn"
		[ $((i % 9)) -gt 0 ] || cp "$ROOT/examples/crane.tscn" "in/b$i.tscn"
		[ $((i % 11)) -gt 0 ] || echo nothing >"in/b$i.bvh"
	done
	run -1 --separate-stderr anim-convert -j 1 -f glb in one
	[ "${stderr_lines[-1]}" = 'anim-convert: note: files: 40 converted, 0 kept, 3 left out' ]
	printf '%s\n' "$stderr" >one.err
	for i in 2 7; do
		run -1 --separate-stderr anim-convert -j $i -f glb in "many$i"
		printf '%s\n' "$stderr" | diff one.err -
		diff -r one "many$i"
	done
	# each file is converted as by itself, and -v shows how
	anim-convert -q in/b7.tscn alone.glb
	cmp alone.glb one/b7.glb
	run -0 --separate-stderr anim-convert -j 3 --dry-run -f glb in none
	[ "$(grep -c "^anim-parse" <<<"$output")" -eq 43 ] # also those that cannot be read
	[ ! -e none ]
	for i in 0 257 x; do
		run -2 anim-convert -j $i -f glb in out
	done
	# a folder that cannot be made ends the run
	mkdir readonly
	if chmod 500 readonly && ! touch readonly/x 2>/dev/null; then
		run -1 --separate-stderr anim-convert -j 2 -f glb in readonly/out
		[ "$stderr" = "anim-convert: folder 'readonly/out' cannot be made: Permission denied" ]
	fi
}

@test "many files show on a terminal how many are converted" {
	command -v script >/dev/null || skip "script is not installed"
	mkfifo slow.bvh
	(sleep 1.5 && cat "$DATA/bvh/arm.bvh" >slow.bvh) &
	printf '%s\n' slow.bvh "$DATA/bvh/arm.bvh" >list
	script -qec 'anim-convert --unit cm -j 1 -f glb --list list out' /dev/null </dev/null | tr -d '\r' >shown
	grep -q $'anim-convert: 1 of 2 files \e\\[K\e\\[K' shown || { cat -v shown && false; }
	anim-convert --unit cm -f glb --list list out2 2>err & # without a terminal nothing is shown
	cat "$DATA/bvh/arm.bvh" >slow.bvh
	wait
	run ! grep -q ' of 2 files' err
}

@test "--list converts the files of a list to a folder, by lines or with NULs" {
	mkdir -p in/sub 'in/one two'
	cp "$ROOT/examples/box.tscn" in/sub/arm.tscn
	cp "$ROOT/examples/box.tscn" 'in/one two/arm.tscn'
	cp "$ROOT/examples/crane.tscn" in
	find in -name '*.tscn' | sort | anim-convert -q -f glb --list - out 2>/dev/null
	[ "$(cd out && find . -type f | sort | tr '\n' '|')" = './in/crane.glb|./in/one two/arm.glb|./in/sub/arm.glb|' ]
	find "$PWD/in" -name 'arm.tscn' -print0 | anim-convert -q -f glb --list - nul
	cmp "nul$PWD/in/sub/arm.glb" out/in/sub/arm.glb
	# two files of one name stay two, a file outside of the folder stays inside of the outputs, and errors have their file
	printf '%s\r\n' in/sub/arm.tscn ../test/../in/sub/arm.tscn ./in/sub/arm.tscn missing.bvh >list
	(cd in && run -1 --separate-stderr anim-convert -f glb --list ../list out && [[ $stderr == *'in/sub/arm.tscn: cannot open'* ]])
	run -1 --separate-stderr anim-convert -f glb --list list dots
	[[ $stderr == *'missing.bvh: cannot open'*'files: 2 converted, 0 kept, 2 left out' ]] || { echo "$stderr" && false; }
	[ -e dots/in/sub/arm.glb ]
	[ -e dots/in/sub/arm.tscn.glb ]
	: >list
	run -1 --separate-stderr anim-convert -f glb --list list out
	[ "$stderr" = 'anim-convert: the list has no files' ]
	run -2 anim-convert --list list in/crane.tscn out
	run -2 anim-convert --list list out
}

@test "files of folders and lists never share an output" {
	local long
	mkdir P Q R S
	for i in P Q R S; do cp "$DATA/bvh/arm.bvh" $i/w.bvh; done
	anim convert -q -f animj P Q R S P o
	[ "$(ls o | tr '\n' ' ')" = 'w.animj w.bvh.2.animj w.bvh.3.animj w.bvh.animj ' ]
	printf '%s\n' ./P/w.bvh P/w.bvh P//w.bvh P/w.bvh >list
	anim convert -q -f animj --list list l
	[ "$(ls l/P | tr '\n' ' ')" = 'w.animj w.bvh.2.animj w.bvh.animj ' ]
	printf -v long '%5000s' ''
	printf '%s\n' "${long// /a}.bvh" >list
	run -1 --separate-stderr anim convert -f animj --list list l
	[ "$stderr" = "anim-convert: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...': a name in the list has 5004 bytes, and the system takes 4095" ]
}

@test "files of a folder are not written through links that lead out of the output folder" {
	mkdir -p in/a in/b out/real other
	cp "$DATA/bvh/arm.bvh" in/one.bvh
	cp "$DATA/bvh/arm.bvh" in/a
	cp "$DATA/bvh/arm.bvh" in/b
	ln -s ../other out/a
	ln -s ../other/one.glb out/one.glb
	ln -s real out/b
	run -1 --separate-stderr anim convert -f glb in out
	[[ $stderr == *"anim-convert: in/a/arm.bvh: the output 'out/a' is a link that leads out of 'out'"* ]]
	[[ $stderr == *"anim-convert: in/one.bvh: the output 'out/one.glb' is a link that leads out of 'out'"* ]]
	[[ $stderr == *"files: 1 converted, 0 kept, 2 left out" ]]
	[ -z "$(ls other)" ]
	[ -f out/real/arm.glb ]
	cp "$DATA/gltf/types.gltf" in/many.gltf # a folder of clips, and a clip in it
	ln -s ../other out/many
	run -1 --separate-stderr anim convert -f animj in out
	[[ $stderr == *"anim-convert: in/many.gltf: the output 'out/many' is a link that leads out of 'out'"* ]]
	rm out/many
	mkdir out/many
	ln -s ../../other/a.animj out/many/rotation_2.animj
	run -1 --separate-stderr anim convert -f animj in out
	[[ $stderr == *"in/many.gltf: the output 'out/many/rotation_2.animj' is a link that leads out of 'out'"* ]]
	[ "$(ls out/many)" = rotation_2.animj ]
	rm in/many.gltf
	[ -z "$(ls other)" ]
	ln -s out here # the folder itself may be a link
	run -1 --separate-stderr anim convert -f glb --no-clobber in here
	[[ $stderr == *"files: 0 converted, 1 kept, 2 left out" ]]
}

@test "a file of a folder gets a folder of clips only if it has several" {
	mkdir in out
	cp "$DATA/bvh/arm.bvh" in/one.bvh
	cp "$DATA/gltf/types.gltf" in/many.gltf
	echo 'not an animation' >out/one.animj
	run -1 --separate-stderr anim convert -f animj in out
	[ "$(cat out/one.animj)" = 'not an animation' ]
	[ ! -e out/one ]
	[ -d out/many ]
	[[ $stderr == *out/one.animj* ]]
}

@test "a folder that cannot be read is left out, and names are made safe" {
	local name=$'red\e[31m.bvh'
	mkdir -p in/closed
	cp "$DATA/bvh/arm.bvh" in
	cp "$ROOT/examples/crane.tscn" in/lift.tscn
	echo nothing >"in/$name"
	run -1 --separate-stderr anim convert -f animj in out
	[[ $stderr != *$'\e'* && $stderr == *'in/red\x1b[31m.bvh'* ]] || { cat -v <<<"$stderr" && false; }
	run -1 --separate-stderr anim convert -f animj -c lift in chosen
	[[ $stderr != *$'\e'* && $stderr == *'in/arm.bvh: '* ]] || { cat -v <<<"$stderr" && false; }
	rm "in/$name"
	chmod 0 in/closed
	if ! ls in/closed 2>/dev/null; then
		run -1 --separate-stderr anim convert -f animj in left
		[ -e left/arm.animj ]
		[[ $stderr == *"cannot read folder 'in/closed': Permission denied"*'2 converted, 0 kept, 1 left out' ]]
		run -0 anim convert -q --keep-going -f animj in left2
		[ -e left2/arm.animj ]
	fi
	chmod 700 in/closed
}

@test "--no-clobber keeps an output, --backup keeps what it replaces" {
	anim-convert -q "$ROOT/examples/box.tscn" out.tres
	cp out.tres old.tres
	run -0 --separate-stderr anim-convert --no-clobber "$ROOT/examples/crane.tscn" out.tres
	[ "$stderr" = 'anim-convert: note: out.tres exists, so it is kept' ]
	cmp out.tres old.tres
	run -1 anim-convert --backup missing.tscn out.tres
	run ! ls out.tres~* 2>/dev/null
	anim-convert -q --backup "$ROOT/examples/crane.tscn" out.tres
	cmp out.tres~ old.tres
	run ! cmp -s out.tres old.tres
	run -2 anim-convert --backup --each '%c.animj' "$ROOT/examples/walker.tscn"
}
