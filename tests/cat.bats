#!/usr/bin/env bats
# anim-cat: several streams as one, side by side, merged, or one after another in time.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-parse -q "$ROOT/examples/box.tscn" -o box.axs
}

# clip NAME LENGTH [PATH INTERP TIMES VALUES]...: an animation of Godot's, as a stream NAME.axs.
clip() {
	local name=$1 n=0
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "%s"\nlength = %s\n' "$name" "$2" >"$name.tres"
	shift 2
	while [ $# -gt 0 ]; do
		printf 'tracks/%s/type = "value"\ntracks/%s/path = NodePath("%s")\ntracks/%s/interp = %s\n' "$n" "$n" "$1" "$n" "$2"
		printf 'tracks/%s/keys = {\n"times": PackedFloat32Array(%s),\n"transitions": PackedFloat32Array(%s),\n' "$n" "$3" \
			"$(sed -E 's/[0-9.]+/1/g' <<<"$3")"
		printf '"update": 0,\n"values": [%s]\n}\n' "$4"
		shift 4
		n=$((n + 1))
	done >>"$name.tres"
	anim-parse -q "$name.tres" -o "$name.axs"
}

# keys PROPERTY: the keys of the stream on stdin, "time value" joined by semicolons.
keys() {
	anim-dump | awk -v p="property=\"$1\"" '/^track/ { on = index($0, p) } /^end/ { on = 0 }
		on && /^\t[-0-9]/ { printf "%s%s %s", (n++ ? "; " : ""), $1, $2 } END { print "" }'
}

# samples FILE RATE: a line for each sample: node, property, number, value.
samples() {
	anim-resample -q --all --end grid "$2" "$1" | anim-dump |
		awk '/^track/ { name = $2 " " $3 " " $4; n = 0 } /^\t[-0-9]/ { print name, n++, $1 }'
}

@test "streams come one after another, each with its trees, provenance first" {
	anim-cat crane.axs box.axs -o all.axs
	run -0 bash -c "anim-dump all.axs | sed -nE 's/^(prog|tree|clip) [a-z]+=\"([^\"]*)\".*/\1 \2/p'"
	[ "${lines[0]}" = 'prog anim-parse' ]
	[ "${lines[1]}" = 'prog anim-parse' ]
	[ "${lines[2]}" = 'tree Crane' ]
	[ "${lines[3]}" = 'clip lift' ]
	[[ ${lines[4]} == 'tree '* ]]
	[ "${lines[5]}" = 'clip RESET' ]
	[ "${lines[6]}" = 'clip scale_down' ]
	[ "${#lines[@]}" -eq 7 ]
}

@test "one stream comes out as it is, from a file, a pipe and a gzip file" {
	anim-cat crane.axs -o a
	same crane.axs a
	anim-cat <crane.axs >a
	same crane.axs a
	gzip -c crane.axs >crane.gz
	anim-cat crane.gz >a
	same crane.axs a
}

@test "files, pipes and standard input may be mixed" {
	not_windows "there is no /dev/fd"
	anim-cat crane.axs box.axs crane.axs -o files
	anim-cat <(cat crane.axs) box.axs - <crane.axs >mixed
	same files mixed
	run -2 --separate-stderr anim-cat - - <crane.axs
	[ "${stderr_lines[0]}" = "anim-cat: '-' is standard input, which can be read once" ]
}

@test "an archive's index does not come along" {
	anim-pack crane.axs -o crane.axs.gz
	anim-cat crane.axs.gz box.axs -o a
	run ! grep -q iNDX a
	anim-dump a >/dev/null
}

@test "provenance that came before and a tree that is the last one again are not repeated" {
	anim-cat crane.axs crane.axs -o twice
	[ "$(anim-dump twice | grep -c '^prog ')" -eq 1 ]
	[ "$(anim-dump twice | grep -c '^tree ')" -eq 1 ]
	[ "$(anim-dump twice | grep -c '^clip ')" -eq 2 ]
	anim-cat crane.axs box.axs crane.axs -o thrice
	[ "$(anim-dump thrice | grep -c '^tree ')" -eq 3 ]
	[ "$(anim-cat --no-provenance crane.axs box.axs | anim-dump | grep -c '^prog ')" -eq 0 ]
}

@test "many files need not be open at one time" {
	mkdir many
	for i in $(seq 300); do cp crane.axs "many/$i"; done
	(ulimit -n 32 && anim-cat many/*) >all.axs
	[ "$(anim-dump all.axs | grep -c '^clip ')" -eq 300 ]
}

@test "a damaged or foreign input is named and leaves no file" {
	head -c $(($(wc -c <box.axs) - 8)) box.axs >cut.axs
	run -1 --separate-stderr anim-cat -o out.axs crane.axs cut.axs
	[[ $stderr == "anim-cat: cut.axs: byte "* ]]
	[ ! -e out.axs ]
	run -1 --separate-stderr anim-cat -o out.axs crane.axs "$ROOT/README.md"
	[[ $stderr == "anim-cat: $ROOT/README.md: unknown file format"* ]]
	[ ! -e out.axs ]
	anim-cat -o out.axs crane.axs "$ROOT/examples/box.tscn"
	[ "$(anim-info -l out.axs | grep -c '^[a-z].*: ')" -ge 2 ]
}

@test "--merge makes one clip of those of one name" {
	clip walk 1 A:x 1 '0, 1' '0.0, 1.0' A:y 1 '0, 1' '0.0, 1.0'
	mv walk.axs body.axs
	clip walk 2 B:x 1 '0, 2' '5.0, 6.0'
	run -0 --separate-stderr anim-cat --merge body.axs walk.axs -o all.axs
	[ -z "$stderr" ]
	run -0 bash -c "anim-dump all.axs | sed -nE 's/^clip (name=\"[^\"]*\").*(start=\S+ end=\S+).*/\1 \2/p; s/^track (node=\"[^\"]*\" property=\"[^\"]*\").*/\1/p'"
	[ "$output" = 'name="walk" start=0 end=2
node="A" property="x"
node="A" property="y"
node="B" property="x"' ]
}

@test "--merge keeps the last of tracks that are the same, with a warning, --strict refuses" {
	clip walk 1 A:x 1 '0, 1' '0.0, 1.0' A:y 1 '0, 1' '0.0, 1.0'
	mv walk.axs body.axs
	clip walk 1 A:x 1 '0, 1' '7.0, 8.0'
	run -0 --separate-stderr anim-cat --merge body.axs walk.axs -o all.axs
	[ "$stderr" = "anim-cat: warning: track 'A x' of clip 'walk' in body.axs: also in a later input, which is used" ]
	[ "$(keys x <all.axs)" = '0 7; 1 8' ]
	[ "$(keys y <all.axs)" = '0 0; 1 1' ]
	run -1 anim-cat --strict --merge body.axs walk.axs -o strict.axs
	[ ! -e strict.axs ]
}

@test "--merge joins the only clips of inputs whatever their names are, and says if it joined nothing" {
	clip body 1 A:x 1 '0, 1' '0.0, 1.0'
	clip face 2 B:x 1 '0, 2' '5.0, 6.0'
	run -0 --separate-stderr anim-cat --merge body.axs face.axs -o all.axs
	[ -z "$stderr" ]
	[ "$(anim-dump all.axs | grep -c '^clip ')" -eq 1 ]
	anim-dump all.axs | grep -q '^clip name="body".* end=2 '
	anim-cat body.axs face.axs -o both.axs
	clip other 1 A:x 1 '0, 1' '0.0, 1.0'
	run -0 --separate-stderr anim-cat --merge both.axs other.axs -o all.axs
	[[ $stderr == *"warning: no clips were joined"*"; rename them before, with anim-rename --on clip" ]]
}

@test "--merge keeps only the body's nodes beside the morphs of a model, in both orders" {
	python3 "$ROOT/tests/mmd_file.py" leg.vmd dance.vmd && python3 "$ROOT/tests/mmd_file.py" leg.pmx model.pmx
	anim-filter -q -p 'blend_shape/*' dance.vmd -o face.axs
	[ "$(anim-dump face.axs | grep -c '^node')" -gt 1 ]
	[ "$(anim-dump face.axs | grep -c '^track')" -gt 0 ]
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-axes gltf >body.axs
	anim-dump body.axs | grep '^node' >want
	for pair in "body face" "face body"; do
		set -- $pair
		run -0 --separate-stderr anim-cat --merge "$1.axs" "$2.axs" -o "$1.both.axs"
		[[ $stderr != *skeleton* && $stderr != *node* ]] || { echo "$stderr" && false; }
		anim-dump "$1.both.axs" | grep '^node' | diff want -
		[[ $(anim-dump "$1.both.axs") == *blend_shape* ]]
	done
	# Two faces keep both trees.
	anim-cat -q --merge face.axs face.axs | anim-dump | grep '^node' | diff <(anim-dump face.axs | grep '^node') -
	# A clip without tracks is no face: its skeleton stays.
	{ anim-dump body.axs | sed '/^track/,$d' && echo end; } | anim-undump >still.axs
	anim-cat -q --merge still.axs face.axs | anim-dump | grep '^node' | diff want -
	anim-cat -q --merge face.axs still.axs | anim-dump | grep '^node' | diff want -
}

@test "--merge never joins clips of one input, and distinguishes equal names by their players" {
	anim-cat box.axs box.axs -o two.axs
	[ "$(anim-cat --merge two.axs | anim-dump | grep -c '^clip ')" -eq 4 ]
	[ "$(anim-cat -q --merge box.axs box.axs 2>/dev/null | anim-dump | grep -c '^clip ')" -eq 2 ]
}

@test "--merge joins several clips of one name in their order" {
	not_windows "there is no /dev/fd"
	for i in 1 2 3; do
		clip "n$i" 1 A:x 1 '0, 1' "0, $i"
		sed -e 's/A:x/B:y/' "n$i.tres" | anim-parse -q -f tres -o "m$i.axs"
	done
	anim-rename --on clip -e 's/.*/take/' <(anim-cat n1.axs n2.axs n3.axs) -o n.axs
	anim-rename --on clip -e 's/.*/take/' <(anim-cat m1.axs m2.axs m3.axs) -o m.axs
	[ "$(anim-cat --merge n.axs m.axs | anim-dump | awk '/^clip/ { printf ";" } $1 == 1 { printf "%s ", $2 }')" = ';1 1 ;2 2 ;3 3 ' ]
}

@test "--merge refuses clips of different axes" {
	anim-axes unity crane.axs -o unity.axs
	run -1 --separate-stderr anim-cat --merge crane.axs unity.axs -o out.axs
	[ "$stderr" = "anim-cat: clip 'lift' is in godot axes, but in unity.axs it is in unity axes; convert one of them with anim-axes" ]
	[ ! -e out.axs ]
}

@test "anim-convert joins later files in the axes of the first one" {
	anim-axes unity crane.axs -o unity.axs
	for how in --merge --append; do
		anim-convert -q --force $how crane.axs crane.axs same.axs
		anim-convert -q --force $how crane.axs unity.axs out.axs
		[[ $(anim-dump out.axs | grep '^clip') == *axes=godot* ]]
		anim-diff same.axs out.axs
	done
}

@test "trees of joined clips become one, with the nodes of both" {
	sed -e 's/name="Lamp"/name="Torch"/' -e 's/NodePath("Lamp/NodePath("Torch/' "$ROOT/examples/crane.tscn" >torch.tscn
	anim-parse -q torch.tscn -o torch.axs
	run -0 --separate-stderr anim-cat --merge crane.axs torch.axs -o all.axs
	anim-dump all.axs >dump
	[ "$(grep -c '^tree ' dump)" -eq 1 ]
	[ "$(grep -c '^node path="Lamp"' dump)" -eq 1 ]
	[ "$(grep -c '^node path="Torch"' dump)" -eq 1 ]
	[ "$(grep -c '^node path="Skeleton3D:arm"' dump)" -eq 1 ]
	[ "$(grep -c '^track node="Torch"' dump)" -eq 2 ]
}

@test "--append puts each clip after the one before, whatever the only clips are called" {
	clip one 1 A:x 1 '0, 1' '0.0, 10.0'
	clip two 2 A:x 1 '0, 2' '4.0, 6.0'
	anim-cat --append one.axs two.axs one.axs -o all.axs
	anim-dump all.axs | grep -q '^clip name="one".* start=0 end=4 '
	[ "$(keys x <all.axs)" = '0 0; 1 10; 1 4; 3 6; 3 0; 4 10' ]
}

@test "--append joins by name where there are several, and merges RESET" {
	anim-cat -q --append box.axs box.axs 2>/dev/null | anim-dump >dump
	grep -q '^clip name="scale_down".* end=3 ' dump
	[ "$(grep -c '^clip ' dump)" -eq 2 ]
	clip one 1 A:x 1 '0, 1' '0.0, 10.0'
	clip two 1 A:x 1 '0, 1' '0.0, 10.0'
	anim-cat one.axs two.axs -o both.axs
	[ "$(anim-cat --append both.axs two.axs | anim-dump | sed -nE 's/^clip name="([^"]*)".* end=(\S+).*/\1 \2/p' | tr '\n' ' ')" = 'one 1 two 2 ' ]
}

@test "--append with one input joins all its clips in the order of -c, and a warning says if nothing is joined" {
	clip one 1 A:x 1 '0, 1' '0.0, 10.0'
	clip two 2 A:x 1 '0, 2' '4.0, 6.0'
	clip three 3 A:x 1 '0, 3' '7.0, 8.0'
	anim-cat one.axs two.axs three.axs -o all.axs
	gzip -c all.axs >all.axs.gz
	ends() { anim-dump "$1" | sed -nE 's/^clip name="([^"]*)".* end=(\S+).*/\1 \2/p' | tr '\n' ' '; }
	run -0 --separate-stderr anim-cat --append all.axs -o joined.axs
	[[ $stderr == *"note: 2 clips: joined to a clip of another name, which is kept (first 'two')"* ]]
	[ "$(ends joined.axs)" = 'one 6 ' ]
	[ "$(keys x <joined.axs)" = '0 0; 1 10; 1 4; 3 6; 3 7; 6 8' ]
	anim-rename --on clip -e 's/.*/same/' all.axs | anim-cat --append --blend 0.5 -o same.axs
	[ "$(ends same.axs)" = 'same 5 ' ]
	anim-convert -q --append -c three -c 't*' -c one all.axs turned.axs
	[ "$(keys x <turned.axs)" = '0 7; 3 8; 3 4; 5 6; 5 0; 6 10' ]
	run -0 --separate-stderr anim-convert --force --append -c two all.axs joined.axs
	[ "$stderr" = 'anim-parse: warning: no clips were joined: the input has only one' ] || { echo "$stderr"; return 1; }
	run -0 --separate-stderr anim-cat --merge all.axs -o merged.axs
	[[ $stderr == *'warning: no clips were joined: only clips of different inputs are merged, and there is one input; write each clip to a file first, '* ]]
	for input in all.axs all.axs.gz; do
		anim-convert -q --force --append -c two -c one "$input" some.axs
		[ "$(keys x <some.axs)" = '0 4; 2 6; 2 0; 3 10' ]
	done
}

@test "keys that do not reach the seam hold to it" {
	clip one 1 A:x 1 '0, 0.5' '0.0, 10.0'
	clip two 1 A:x 1 '0.25, 1' '4.0, 6.0'
	[ "$(anim-cat --append one.axs two.axs | keys x)" = '0 0; 0.5 10; 1 10; 1 4; 1.25 4; 2 6' ]
}

@test "keys outside their clip are cut off where another clip begins" {
	clip one 1 A:x 1 '0, 2' '0.0, 10.0'
	clip two 1 A:x 1 '0, 1' '4.0, 6.0'
	anim-cat --append one.axs two.axs -o all.axs
	samples one.axs 8 | head -8 >expected
	samples all.axs 8 | head -8 >found
	same expected found
}

@test "every mode shows after the seam what it showed before" {
	local cubic='0, 0.25, 0.5, 0.75' values='1.0, 5.0, -3.0, 2.0'
	clip one 1 A:l 1 "$cubic" "$values" A:c 2 "$cubic" "$values" A:n 0 "$cubic" "$values" A:a 3 "$cubic" "$values" A:b 4 "$cubic" "$values"
	clip two 1 A:l 1 "$cubic" '9.0, 9.0, 7.0, 1.0' A:c 2 "$cubic" '9.0, 0.0, 7.0, 1.0' A:n 0 "$cubic" '9.0, 0.0, 7.0, 1.0' \
		A:a 3 "$cubic" '3.0, 0.0, 2.0, 1.0' A:b 4 "$cubic" '1.0, 0.0, 2.0, 1.0'
	anim-cat --append one.axs two.axs -o all.axs
	{
		samples one.axs 32 | awk '$4 < 32'
		samples two.axs 32 | awk '$4 > 0 { $4 += 32; print }'
	} | sort >expected
	samples all.axs 32 | awk '$4 != 32' | sort >found
	[ "$(wc -l <expected)" -ge 256 ]
	same expected found
}

@test "events move with their clip and are not made up" {
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "e"\nlength = 1.0\ntracks/0/type = "method"\ntracks/0/path = NodePath("A")\ntracks/0/keys = {\n"times": PackedFloat32Array(0.25),\n"transitions": PackedFloat32Array(1),\n"values": [{"args": [], "method": &"step"}]\n}\n' >e.tres
	anim-parse -q e.tres -o e.axs
	[ "$(anim-cat --append e.axs e.axs | keys @method | grep -oE '(^|; )[0-9.]+' | tr -d '\n')" = '0.25; 1.25' ]
}

@test "samples at one rate stay samples" {
	clip one 1 A:x 1 '0, 1' '0.0, 8.0'
	anim-resample 4 one.axs -o one4.axs
	anim-cat --append one4.axs one4.axs -o all.axs 2>/dev/null
	run -0 bash -c "anim-dump all.axs | awk '/^track/ { print \$5 } /^\t[-0-9]/ { printf \"%s \", \$1 }'"
	[ "$output" = 'kind=Raw
0 2 4 6 0 2 4 6 8 ' ]
	anim-resample 5 one.axs -o one5.axs
	run -1 --separate-stderr anim-cat --append one4.axs one5.axs -o out.axs
	[ "$stderr" = "anim-cat: track 'A x' of clip 'one' in one5.axs has another sample rate than in the previous clip, or none; put 'anim-bake -r 30' before this to give all the same rate" ]
	run -1 --separate-stderr anim-cat --append one4.axs one.axs -o out.axs
	[[ $stderr == *"is of another kind (curve, samples or steps) than in the previous clip; put 'anim-bake -r 30' before this to make them equal" ]]
	[ ! -e out.axs ]
}

@test "samples of other units or another order of angles are refused by what differs, with the way out" {
	for order in ZXY ZYX; do
		sed 's/^  /\t/' <<-TEXT | anim-undump >$order.axs
			anim-dump 1
			clip name="$order" root="." source="bvh" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=- rate=1/1
			track node="Hips" property="euler" component=- kind=Raw type=float3 rules=plain flags=degrees before=hold after=hold interp=Linear keys=2 start=0 step=0 rate=1/1
			  attr "order" "$order"
			  columns value
			  0,0,0
			  0,0,0
			end
		TEXT
	done
	anim-dump ZXY.axs | sed 's/flags=degrees/flags=-/' | anim-undump >radians.axs
	anim-dump ZXY.axs | sed 's/"euler"/"angle"/; s/float3/float/; s/0,0,0/0/; /order/d' | anim-undump >angle.axs
	anim-dump angle.axs | sed 's/flags=degrees/flags=-/' | anim-undump >angle-radians.axs
	while read -r one other rest; do
		run -1 --separate-stderr anim-cat --append "$one.axs" "$other.axs" -o out.axs
		[ "$stderr" = "anim-cat: track 'Hips $rest" ] || { echo "$stderr" && false; }
	done <<-'TEXT'
		ZXY ZYX euler' of clip 'ZYX' in ZYX.axs has Euler angles in the order ZYX, but ZXY in the previous clip; put 'anim-bake' before this to make them equal
		ZXY radians euler' of clip 'ZXY' in radians.axs is in radians, but in degrees in the previous clip; put 'anim-bake' before this to make them equal
		angle-radians angle angle' of clip 'ZXY' in angle.axs is in degrees, but in radians in the previous clip; convert both to the same units, for example with anim-emit
	TEXT
	for i in ZXY ZYX radians; do
		anim-bake -q $i.axs >$i-baked.axs
	done
	anim-cat -q --append ZXY-baked.axs ZYX-baked.axs radians-baked.axs -o out.axs
	[[ $(anim-info out.axs) == *"rotation  floatQ  Raw 1/s"* ]]
	[[ $(anim-info out.axs) != *euler* ]]
}

@test "samples that jump at a seam are warned of, those that go on are not" {
	clip one 1 A:x 1 '0, 1' '0.0, 8.0'
	anim-resample 4 one.axs -o one4.axs
	run -0 --separate-stderr anim-cat --append one4.axs one4.axs -o all.axs
	[ "$stderr" = "anim-cat: warning: sampled track 'A x' (at the start of one4.axs): a jump between two clips takes one frame, at most 8 units off" ]
	anim-retime -t 0..0.5 one4.axs -o a.axs
	anim-retime -t 0.5..1 one4.axs -o b.axs
	run -0 --separate-stderr anim-cat --append a.axs b.axs -o all.axs
	[ -z "$stderr" ]
	same <(anim-dump all.axs | grep '^.[0-9]') <(anim-dump one4.axs | grep '^.[0-9]')
}

@test "the way over the end of Godot's loops goes on after the seam as it did" {
	clip one 1 A:x 1 '0.25, 0.75' '0.0, 8.0'
	sed -i 's/^length = .*/&\nloop_mode = 1/; s/^tracks.0.interp.*/&\ntracks\/0\/loop_wrap = true/' one.tres
	anim-parse -q one.tres -o one.axs
	run -0 --separate-stderr anim-cat --append one.axs one.axs -o all.axs
	[ -z "$stderr" ]
	samples one.axs 8 | head -8 >expected
	for from in 0 8; do
		samples all.axs 8 | awk -v from=$from '$4 >= from && $4 < from + 8 { $4 -= from; print }' >found
		same expected found
	done
}

@test "what waits may lie in a file, and the bytes are the same" {
	anim-cat --append crane.axs crane.axs -o a
	ANIM_STORE_MEMORY=0 anim-cat --append crane.axs crane.axs -o b
	same a b
	anim-cat --merge crane.axs box.axs -o a
	ANIM_STORE_MEMORY=0 anim-cat --merge crane.axs box.axs -o b
	same a b
}

@test "--merge and --append cannot be combined, and both are in the manual page" {
	run -2 --separate-stderr anim-cat --merge --append crane.axs
	[ "${stderr_lines[0]}" = "anim-cat: --merge and --append cannot be combined" ]
	for option in $(anim-cat --help | grep -oE -- '--[a-z-]+' | sort -u); do
		grep -qF -- "Fl -${option#--}" "$ROOT/man/anim-cat.1"
	done
}

# walks: ahead.axs, the walk of the example with a way over the ground, and aside.axs, the same turned and elsewhere.
walks() {
	anim convert -q "$ROOT/examples/walker.tscn" walk.glb
	anim-parse -q walk.glb -o walk.axs

	anim emit json walk.axs | python3 -c "$(cat <<-'PY'
		import json, math, sys
		half = math.sqrt(0.5)
		outs = [open("ahead.jsonl", "w"), open("aside.jsonl", "w")]
		def place(value, way, aside):
		    x, y, z = value[0], value[1], value[2] + way
		    return [z, y, -x] if aside else [x, y, z]
		def turn(value, aside):
		    x, y, z, w = value
		    return [half * (x + z), half * (y + w), half * (z - x), half * (w - y)] if aside else value
		for line in sys.stdin:
		    for aside, out in enumerate(outs):
		        record = json.loads(line)
		        track = record.get("track", {"node": ""})
		        if track["node"].endswith("Hips"):
		            for name, column in track["columns"].items():
		                if name == "time":
		                    continue
		                for k, value in enumerate(column):
		                    if track["property"] == "position":
		                        column[k] = place(value, track["columns"]["time"][k] if name == "value" else 1, aside)
		                        if name == "value" and aside:
		                            column[k] = [column[k][0] + 7, column[k][1], column[k][2] + 3]
		                    elif track["property"] == "rotation":
		                        column[k] = turn(value, aside)
		        out.write(json.dumps(record) + "\n")
		for out in outs:
		    out.close()
		PY
	)"
	anim-parse -q -f json ahead.jsonl -o ahead.axs
	anim-parse -q -f json aside.jsonl -o aside.axs
}

@test "--blend lets clips overlap, from the same place and heading, by slerps" {
	need_numpy
	walks
	anim-cat --append --blend 0.25 ahead.axs ahead.axs -o straight.axs
	anim-cat --append --blend 0.25 ahead.axs aside.axs -o turned.axs
	# where the second walk came from does not matter, and nothing jumps
	anim diff --max 0.1mm@10cm straight.axs turned.axs
	anim info -l straight.axs | grep -q '^walk: 2.15 s'
	anim convert -q --world -r 60 straight.axs straight.npz
	anim convert -q --world -r 60 ahead.axs ahead.npz
	python3 - <<-'PY'
		import numpy
		one, two = (numpy.load(name) for name in ("ahead.npz", "straight.npz"))
		names = [str(name) for name in one["names"]]
		place = [k for k, name in enumerate(names) if " position." in name]
		step = lambda values: abs(numpy.diff(values[:, place], axis=0)).max()
		assert step(two["values"]) < 1.3 * step(one["values"]), (step(two["values"]), step(one["values"]))
		hips = names.index(next(name for name in names if name.endswith("Hips position.z")))
		assert abs(two["values"][-1, hips] - 2.15) < 0.02, two["values"][-1, hips]
		# before and after the blend it is the walk itself
		last = int(0.9 * 60)
		assert numpy.allclose(one["values"][:last], two["values"][:last], atol=1e-4)
	PY
	# samples: in whole frames
	for clip in ahead aside; do anim-resample -q 30 $clip.axs -o $clip-30.axs; done
	anim-cat --append --blend 0.26 ahead-30.axs aside-30.axs -o samples.axs
	anim-dump samples.axs | grep -q '^clip .* start=0 end=2.13'
	anim-dump samples.axs | grep -qi '^track.*raw.*keys=65'
	# three of them
	run -0 anim convert -q --append --blend 0.2 ahead.axs aside.axs ahead.axs three.glb
	anim info -l three.glb | grep -q '^walk: 3.2 s'
}

@test "--blend without --append, of no time, or longer than a clip is an error" {
	need_numpy
	walks
	run -2 --separate-stderr anim-cat --blend 0.3 ahead.axs aside.axs
	[[ $stderr == *"--blend requires --append"* ]]
	for bad in 0 -1 x 1s; do run -2 anim-cat --append --blend $bad ahead.axs aside.axs; done
	run -1 --separate-stderr anim-cat --append --blend 2 ahead.axs aside.axs -o x.axs
	[[ $stderr == *"clip 'walk' of ahead.axs lasts 1.2 s, which is too short for a blend of 2 s"* ]] || { echo "$stderr" && false; }
	run -1 anim-cat --append --blend 0.7 ahead.axs aside.axs ahead.axs -o x.axs
	[ ! -e x.axs ]
}

@test "--append joins a part in slow motion with the parts before and after it" {
	local at
	not_windows "a program for Windows cannot open a pipe of the shell by its name"
	anim-parse -q "$ROOT/examples/walker.tscn" -o w.axs
	anim-cat -q --append <(anim-retime -q -t ..0.4 w.axs) <(anim-retime -q -t 0.4..0.8 --speed 0.5 w.axs) \
		<(anim-retime -q -t 0.8.. w.axs) -o slow.axs
	[[ $(anim-info -l slow.axs) == "walk: 1.6 s,"* ]]
	for at in 0.2/0.2 0.6/0.8 1/1.4; do
		anim-retime -q -t "${at%/*}..${at%/*}" w.axs -o a.axs
		anim-retime -q -t "${at#*/}..${at#*/}" slow.axs -o b.axs
		anim-diff --max 0.1mm,0.05deg a.axs b.axs
	done
}
