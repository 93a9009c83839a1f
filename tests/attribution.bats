# attribution.bats: whose message it is: in a batch each one names the source, the clip and the track.
load helper

# scene CLIP TRACKS: a scene with one clip, so many rotations of B0, B1, ...
scene() {
	cat <<-TEXT
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "$1"
		length = 1.0
		loop_mode = 2
	TEXT
	for ((i = 0; i < $2; i++)); do
		printf 'tracks/%d/type = "rotation_3d"\ntracks/%d/path = NodePath("B%d")\n' $i $i $i
		printf 'tracks/%d/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1)\n' $i
	done
	printf '[node name="Root" type="Node3D"]\n'
}

# odd CLIP TRACKS: the same with single components of a property, of which writers warn.
odd() {
	scene "$1" "$2" | awk '/^tracks.*type/ { sub("rotation_3d", "value") } /^tracks.*path/ { sub("\")$", ":wobble:x\")") }
		/^tracks.*keys/ { sub("= .*", "= {\"times\": PackedFloat32Array(0), \"transitions\": PackedFloat32Array(1), \"update\": 0, \"values\": [0.0]}") } { print }'
}

@test "a message names the source and the clip, and of several tracks the first" {
	odd run 2 >run.tscn
	pipe "anim-parse run.tscn | anim-emit -q animj"
	[ "$stderr" = "anim-emit: run.tscn: 'run': warning: 2 tracks: single components, which Resonite cannot bind; animate the whole value (first 'B0 wobble.x'; anim-lint --for animj lists all)" ]
	pipe "anim-parse run.tscn | anim-resample 1.3 | anim-retime --duration 9"
	[ "$stderr" = "anim-resample: run.tscn: note: clip 'run': no sample at the end; the last sample has the final pose" ]
}

@test "equal messages of many clips and files are one line, which counts them and names the first" {
	odd run 2 >run.tscn
	odd jump 1 >jump.tscn
	pipe "anim-parse run.tscn jump.tscn | anim-emit --each '%c.animj'"
	[ "$stderr" = "anim-emit: warning: 3 tracks: single components, which Resonite cannot bind; animate the whole value (first 'B0 wobble.x' in 'run' of run.tscn; 2 clips of 2 files; anim-lint --for animj lists all)
anim-emit: note: 2 clips: the loop mode is not kept, because animj has none; the Animator sets it (first 'run' of run.tscn; 2 clips of 2 files)" ]
	pipe "anim-parse run.tscn jump.tscn | anim-emit -q -o all.animj -c jump"
	[[ $stderr == "anim-emit: jump.tscn: 'jump': warning: track 'B0 wobble.x': single components, which"* ]]
}

@test "messages that are kept back name the clip that they came with" {
	for name in run jump; do
		scene $name 0 >$name.tscn
		cat >>$name.tscn <<-TEXT
			[node name="Box" type="Node3D" parent="."]
		TEXT
		sed -i '/^loop_mode/a tracks/0/type = "value"\
tracks/0/path = NodePath("Box:position:x")\
tracks/0/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [0.0, 1.0]}' $name.tscn
	done
	pipe "anim-parse run.tscn jump.tscn | anim-emit -q --axes keep --each '%c.animj'"
	[[ $stderr == *"2 "*"(first 'Box position.x' in 'run' of run.tscn; 2 clips of 2 files"* ]]
	sed -i 's/0.0, 1.0/0.0, "a"/' jump.tscn
	pipe "anim-parse -q run.tscn jump.tscn | anim-emit -q --axes keep --each 'b-%c.animj'"
	[[ $stderr == "anim-emit: run.tscn: 'run': warning: track 'Box position.x'"* ]]
}

# batch: ten files of every format that is read, each with a clip `run` that loops back and forth, two rotations.
batch() {
	scene run 2 >seed.tscn
	anim-parse -q seed.tscn -o seed.axs
	for ((n = 0; n < 10; n++)); do
		cp seed.tscn s$n.tscn
		for suffix in tres anim animj animx; do
			anim-emit -q --axes keep -o s$n.$suffix seed.axs
		done
	done
	[ "$(ls s?.* | wc -l)" -eq 50 ]
}

@test "in a batch of 50 files of every format each message names its file" {
	batch
	for file in s?.*; do
		case $file in *.animj | *.animx) to=unity axes=godot ;; *.anim) to=animj axes=godot ;; *) to=animj axes=unity ;; esac
		pipe "anim-parse -q $file | anim-resample -q 1.3 | anim-axes -q $axes | anim-retime -t 0..9 |
			anim-bake --loops 2 | anim-emit $to"
		while read -r line; do
			[[ $line == anim-*": $file: "* ]] || { echo "$file: $line"; return 1; }
		done <<<"$stderr"
		[ -n "$stderr" ]
	done
}

@test "in a batch of 50 files of every format each clip knows its file, in names of files, tables and messages" {
	batch
	anim-parse -q s?.* -o all.axs
	anim-emit -q --axes keep --each 'out-%f.animj' all.axs 2>/dev/null
	[ "$(ls out-*.animj | wc -l)" -eq 50 ]
	[ -e out-s3.animj ]
	[ -e out-s3-5.animj ]
	[ ! -e out-_.animj ]
	anim-split --to 'part-%f.axs' all.axs
	[ "$(ls part-s?*.axs | wc -l)" -eq 50 ]
	ls s?.* | sort >files
	anim-emit -q csv all.axs | sed 1d | cut -d, -f26 | sort -u | cmp - files
	anim-info --csv all.axs | sed 1d | cut -d, -f17 | sort -u | cmp - files
	anim-info --csv s?.* 2>/dev/null | sed 1d | cut -d, -f17 | sort -u | cmp - files
	anim-info -q s?.* 2>/dev/null | sed -n 's/^run: .*file \([^, ]*\).*/\1/p' | sort | cmp - files
	anim-info -q s3.anim | grep -vq 'file s3'
	pipe "anim-emit --each 'more-%f.animj' all.axs"
	[[ $stderr == *" of s0.anim; "*" files)"* ]]
	while read -r line; do
		[[ $line == *"files)" || $line == anim-emit:*s?.*:* ]] || { echo "$line"; return 1; }
	done <<<"$stderr"
}

@test "a pipe names no file, --source-name does, and but for it the bytes are the same" {
	batch
	for suffix in tscn tres anim animj animx; do
		anim-parse -q --no-provenance s1.$suffix -o file.axs
		anim-parse -q --no-provenance --source-name s1.$suffix -o named.axs <s1.$suffix
		cmp file.axs named.axs
		anim-parse -q --no-provenance -c '*' -o pipe.axs <s1.$suffix
		run ! grep -q "s1.$suffix" <(anim-dump pipe.axs)
	done
}
