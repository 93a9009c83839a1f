#!/usr/bin/env bats
# What is there already: files that hold more than animation stay, what these programs wrote goes, several files come together.

load helper

# A scene with more than nodes and animation.
hero() {
	cat <<-'EOF'
		[gd_scene load_steps=9 format=3 uid="uid://b1hero"]

		[ext_resource type="Script" path="res://hero.gd" id="1"]
		[ext_resource type="Script" path="res://foe.gd" id="2"]
		[ext_resource type="Theme" path="res://a.tres" id="3"]
		[ext_resource type="Theme" path="res://b.tres" id="4"]
		[ext_resource type="Environment" path="res://c.tres" id="5"]
		[ext_resource type="AudioStream" path="res://step.ogg" id="6"]

		[sub_resource type="BoxMesh" id="m"]

		[sub_resource type="Animation" id="a"]
		length = 1.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Body")
		tracks/0/interp = 1
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 2, 3)
		tracks/1/type = "audio"
		tracks/1/path = NodePath("Voice")
		tracks/1/keys = {
		"clips": [{
		"end_offset": 0.0,
		"start_offset": 0.0,
		"stream": ExtResource("6")
		}],
		"times": PackedFloat32Array(0.5)
		}

		[sub_resource type="AnimationLibrary" id="l"]
		_data = {
		"walk": SubResource("a")
		}

		[node name="Hero" type="Node3D"]
		script = ExtResource("1")

		[node name="Body" type="MeshInstance3D" parent="."]
		mesh = SubResource("m")

		[node name="Voice" type="AudioStreamPlayer" parent="."]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {
		"": SubResource("l")
		}
	EOF
}

# stays FILE MESSAGE COMMAND...: the command fails with the message, and the file is what it was.
stays() {
	cp "$1" before
	run --separate-stderr "${@:3}"
	[ "$status" -eq "$([[ $3 == anim-lint || $3 == anim-diff ]] && echo 2 || echo 1)" ] || { echo "$status $stderr" && false; }
	[ "$stderr" = "$2" ] || { echo "$stderr" && false; }
	cmp "$1" before
	[ -z "$(ls -A | grep -F .anim-)" ]
}

@test "a scene with more than nodes and animation is not written over without --force" {
	local left='2 scripts, a mesh and 3 ext_resources' lost='2 scripts, a mesh and 3 ext_resources, a uid'
	hero >h.tscn
	anim-parse h.tscn | anim-retime --speed 2 >h.axs
	stays h.tscn "anim-emit: h.tscn: holds $lost that would be lost; --into h.tscn changes its clips and keeps the rest, --force replaces it" anim-emit -o h.tscn h.axs
	stays h.tscn "anim-emit: h.tscn: holds 3 nodes (Body (MeshInstance3D), Voice (AudioStreamPlayer), AnimationPlayer (AnimationPlayer)), $lost that would be lost; write another file, or use --force" anim-emit animj --axes keep -q -o h.tscn h.axs
	run -0 --separate-stderr anim-emit --force -o h.tscn h.axs
	[ "$stderr" = "anim-emit: h.tscn: note: only nodes and animation are written; left out: $left" ]
	run -0 --separate-stderr anim-emit -q -o h.tscn h.axs
	[ -z "$stderr" ]
	run -0 --separate-stderr anim-emit tres h.axs
	[ -z "$stderr" ]
}

@test "what else a scene holds is counted" {
	hero >h.tscn
	printf '\n[sub_resource type="%s" id="s%d"]\n' BoxShape3D 1 StandardMaterial3D 2 Gradient 3 GradientTexture2D 4 ArrayMesh 5 >>h.tscn
	printf '_surfaces = [{\n"aabb": AABB(0, 0, 0, 1, 1, 1)\n}]\n' >>h.tscn
	printf '\n[node name="Lamp" type="OmniLight3D" parent="." groups=["lights"]]\nlight_energy = 2.0\nomni_range = 3.0\n' >>h.tscn
	printf '\n[connection signal="ready" from="." to="." method="go"]\n' >>h.tscn
	anim-parse -q h.tscn >h.axs
	stays h.tscn "anim-emit: h.tscn: holds 2 scripts, 2 meshes, a shape, a material, a texture, 3 ext_resources, a sub_resource, 2 settings of nodes, a node's groups and a connection, a uid that would be lost; --into h.tscn changes its clips and keeps the rest, --force replaces it" \
		anim-emit -o h.tscn h.axs
	printf '[gd_resource type="Theme" format=3]\n\n[resource]\ndefault_font_size = 12\n' >t.tres
	stays t.tres "anim-emit: t.tres: holds a resource of type Theme that would be lost; write another file, or use --force" anim-emit -o t.tres h.axs
	printf '[gd_scene format=3]\n\n[node name="A" type="Node3D"\n' >cut.tscn
	run -1 --separate-stderr anim-emit -q -o cut.tscn h.axs
	[[ $stderr == "anim-emit: cut.tscn: its content would be lost and cannot be read: "*"; write another file, or use --force" ]]
}

@test "files of other kinds are not written over by any program without --force" {
	hero | anim-parse -q >h.axs
	printf '{"asset":{"version":"2.0"},"meshes":[{},{}],"materials":[{}],"skins":[{"joints":[]}]}' >h.gltf
	printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: a\n--- !u!4 &2\nTransform:\n  a: 1\n--- !u!4 &3\nTransform:\n  a: 1\n--- !u!74 &4\nAnimationClip:\n  m_Name: b\n' >h.prefab
	printf '{"name": "mine", "version": 1}\n' >package.json
	printf '\211PNG\r\n\32\n\0\0' >h.png
	echo 'All my notes' >notes
	local end='that would be lost; write another file, or use --force'
	stays h.gltf "anim-emit: h.gltf: holds 2 meshes, a material and a skin $end" anim-emit --axes keep -q -o h.gltf h.axs
	stays h.prefab "anim-emit: h.prefab: holds 1 clip (b), 3 nodes (?2, ?3, a), 1 GameObject and 2 Transforms that would be lost; --into h.prefab changes its clips and keeps the rest, --force replaces it" anim-emit unity --axes keep -q -o h.prefab h.axs
	stays package.json "anim-info: package.json: holds JSON without animation $end" anim-info --json -o package.json h.axs
	for program in anim-parse 'anim-axes unity' 'anim-bake' anim-cat 'anim-filter -n Body' anim-pack 'anim-rename -e s/a/b/' 'anim-resample 30' \
		'anim-retime --speed 2' anim-unpack 'anim-emit tscn' anim-info anim-lint anim-dump; do
		stays h.png "${program%% *}: h.png: holds a picture $end" $program -o h.png h.axs
	done
	stays h.png "anim-parse: h.png: holds a picture $end" anim-parse --depfile h.png --target x -o x.axs h.axs
	stays notes "anim-resample: notes: holds data other than animation $end" anim-resample 30 -o notes h.axs
	anim-resample --force -q 30 -o notes h.axs
	anim-resample -q 30 h.axs | cmp - notes
}

@test "text for people replaces text that is called like a report, but neither other text nor animation" {
	hero | anim-parse -q >h.axs
	cp h.axs keep.axs
	anim-emit -q -o keep.animj --axes keep h.axs 2>/dev/null
	for file in y.svg y.html Makefile notes.md; do echo 'All mine' >$file; done
	local end='that would be lost; write another file, or use --force'
	for file in y.svg y.html; do
		stays $file "anim-plot: $file: holds data other than animation $end" anim-plot -o $file h.axs
	done
	for program in anim-info anim-lint; do
		for file in y.svg y.html Makefile notes.md; do
			stays $file "$program: $file: holds data other than animation $end" $program -o $file h.axs
		done
		stays keep.axs "$program: keep.axs: holds a stream $end" $program -o keep.axs h.axs
		stays keep.animj "$program: keep.animj: holds AnimJ $end" $program -o keep.animj h.axs
	done
	echo '[1, 2, 3]' >list.json
	echo 'Hips,pelvis' >bones.csv
	echo 'all: mine' >rules.d
	for file in list.json bones.csv rules.d; do
		stays $file "anim-info: $file: holds data other than animation $end" anim-info --json -o $file h.axs
	done
	for begin in '"target":"es5","files"' '"a":"b","clips"' '"clips":[],"hats"'; do
		printf '{%s:[]}\n' "$begin" >own.json
		stays own.json "anim-diff: own.json: holds JSON without animation $end" anim-diff --json -o own.json h.axs h.axs
	done
	stays Makefile "anim-diff: Makefile: holds data other than animation $end" anim-diff -o Makefile h.axs h.axs
	stays keep.axs "anim-reduce: keep.axs: holds a stream $end" anim-reduce -q --json keep.axs -o x.axs h.axs
	stays keep.axs "anim-parse: keep.axs: holds a stream $end" anim-parse --depfile keep.axs --target x -o x.axs keep.animj
	[ ! -e x.axs ]
	echo 'All mine' >n.txt
	anim-info -o n.txt h.axs
	anim-plot --force -o y.svg h.axs
	anim-plot -o y.svg h.axs
}

@test "one name for two things to write is refused, and leaves what was there" {
	hero >h.tscn
	run -1 --separate-stderr anim-parse -q --depfile z.axs --target z -o z.axs h.tscn
	[ "$stderr" = "anim-parse: z.axs: is named as two different outputs" ]
	[ ! -e z.axs ]
	anim-parse -q -o z.axs h.tscn
	ln -s z.axs z.d
	run -1 --separate-stderr anim-parse -q --force --depfile ./z.d --target z -o z.axs h.tscn
	[[ $stderr == "anim-parse: "*"is named as two different outputs" ]]
	for name in ./new.axs "$PWD/new.axs" "../${PWD##*/}/new.axs"; do
		run -1 --separate-stderr anim-parse -q --depfile "$name" --target z -o new.axs h.tscn
		[ "$stderr" = "anim-parse: new.axs: is named as two different outputs" ]
		[ ! -e new.axs ]
	done
	[ -z "$(ls -A | grep -F .anim-)" ]
}

@test "a make rule is known by what it says, whatever its name; one that says more is somebody's" {
	hero >h.tscn
	anim-parse -q --depfile rule --target h.axs -o h.axs h.tscn h.tscn
	for more in '\techo mine\n' 'x = 1\n' 'other.tscn:\n' '#\n'; do
		{ cat rule && printf "$more"; } >mine
		stays mine "anim-parse: mine: holds data other than animation that would be lost; write another file, or use --force" anim-parse -q --depfile mine --target h.axs -o h.axs h.tscn
	done
	for rule in 'h.axs: h.tscn\n' 'h.axs: h.tscn; echo\nh.tscn:\n' 'h.axs: h.tscn\nh.tscn: x\n' ': h.tscn\nh.tscn:\n' 'h.axs : h.tscn\nh.tscn:\n'; do
		printf "$rule" >mine
		stays mine "anim-parse: mine: holds data other than animation that would be lost; write another file, or use --force" anim-parse -q --depfile mine --target h.axs -o h.axs h.tscn
	done
}

# again COMMAND...: the command, which writes -o, does so twice.
again() {
	"$@" || { echo "the first $*" && false; }
	"$@" || { echo "the second $*" && false; }
}

@test "what these programs wrote is written over, whatever it is" {
	not_sanitized "hundreds of files, each written twice"
	local file how count=0
	for file in "$ROOT"/examples/*.tscn "$DATA"/godot/*.t??? "$DATA"/unity/*.anim; do
		anim-parse -q "$file" >s.axs 2>/dev/null || continue
		for how in '--godot 4.5 -o o.tscn' '--godot 3 -o o.tscn' '--godot 4.2 -o o.tscn' '--godot 4.6 -o o.tscn' '--godot 3 -o o.tres' \
			'--library -o o.tres' '-o o.anim' '-o o.csv' '-o o.json'; do
			rm -f "o.${how##*.}"
			anim-emit -q --axes keep $how s.axs 2>/dev/null || continue
			anim-emit -q --axes keep $how s.axs 2>err || { echo "$file, $how: $(cat err)" && false; }
			count=$((count + 1))
		done
	done
	[ "$count" -gt 100 ]
	anim-parse "$ROOT/examples/crane.tscn" | anim-axes resonite >s.axs
	again anim-emit -q -o o.animj s.axs
	again anim-emit -q --pretty -o o.animj s.axs
	again anim-emit -q -o o.animx s.axs
	again anim-pack -o o.gz s.axs
	again anim-pack -l -o o.list o.gz
	again anim-resample -q 30 -o o.axs s.axs
	again anim-dump -o o.dump s.axs
	again anim-info -o o.txt s.axs
	again anim-info --tree -o o.txt s.axs
	again anim-info --json -o o.txt s.axs
	again anim-info --csv -o o.txt s.axs
	again anim-info --csv -o csv s.axs
	again anim-info --json -o json.md s.axs
	anim-filter -q -n nothing s.axs | tee none.axs | anim-info --json -o none.md
	again anim-info --json -o none.md none.axs
	printf 'anim-dump 1\nend\n' | anim-undump -o empty.axs
	again anim-info --json -o empty.md empty.axs
	again anim-diff --json -o diff.md empty.axs empty.axs
	again anim-reduce -q --json r.md -o r.axs empty.axs
	again anim-lint --json -o lint.md empty.axs
	again anim-diff --all -o diff.txt s.axs s.axs
	again anim-diff --json -o diff.txt s.axs s.axs
	again anim-rename --dry-run -e s/a/b/ -o names.txt s.axs
	again anim-plot -o o.svg s.axs
	again anim-plot -o o.html s.axs
	again anim-reduce -q --json r.json --force -o r.axs s.axs
	again anim-reduce -q --json r.json -o r.axs s.axs
	again anim-parse --depfile o.d --target o.axs -o o.axs "$ROOT/examples/crane.tscn"
	again anim-parse --depfile rules --target o.axs -o o.axs "$ROOT/examples/crane.tscn"
	cp "$ROOT/examples/crane.tscn" 'a b:c\ d#$.tscn'
	again anim-parse -q --depfile o.mk --target 'a b.axs' -o o.axs "$ROOT/examples/crane.tscn" 'a b:c\ d#$.tscn'
	rm o.axs # it holds two clips, the next one holds one
	again anim-parse -q --depfile o.mk --target 'a b:c\ d#$.tscn' -o o.axs 'a b:c\ d#$.tscn'
	for _ in 1 2; do anim-parse -q --depfile o.mk --target o.axs -o o.axs <"$ROOT/examples/crane.tscn"; done
	for _ in 1 2; do
		run -1 anim-lint --for bvh -o o.log s.axs
		run -1 anim-lint --json --for bvh -o o.log s.axs
		run -1 anim-lint --format sarif --for bvh -o o.sarif s.axs
		run -1 anim-lint --format github --for bvh -o o.md s.axs
	done
	: >empty
	anim-emit -q tscn -o empty s.axs
	anim-emit -q --axes keep -o o.animx o.axs 2>/dev/null # one kind over another
	anim-emit -q --axes keep tscn -o o.animx o.axs 2>/dev/null
}

@test "a scene is written over whose sounds and blend shapes are only those of its tracks" {
	hero | grep -v -e Script -e Theme -e Environment -e script -e BoxMesh -e mesh | sed 's/ uid=.*"//' >h.tscn
	printf '\n[sub_resource type="ArrayMesh" id="m"]\n_blend_shape_names = PackedStringArray("smile")\n' >>h.tscn
	anim-parse -q h.tscn >h.axs
	run -0 --separate-stderr anim-emit -o h.tscn h.axs
	[ -z "$stderr" ]
	grep -qF 'res://step.ogg' h.tscn
	anim-emit -o h.tscn h.axs
}

# A pipe into COMMAND that holds the stream's last byte back until `then` was run and so many temporaries are there.
held_back() { # STREAM TEMPORARIES THEN COMMAND...
	local stream=$1 count=$2 then=$3 i
	rm -f pipe && mkfifo pipe
	"${@:4}" <pipe 2>err &
	exec 9>pipe
	head -c -1 "$stream" >&9
	for i in $(seq 100); do
		[ "$(find . -name '.anim-*.tmp' | wc -l)" -ge "$count" ] && break
		sleep 0.05
	done
	[ "$i" -lt 100 ]
	eval "$then"
	tail -c 1 "$stream" >&9
	exec 9>&-
	status=0
	wait $! || status=$?
}

@test "one rule for files that exist, whatever names them: animation goes, all else stays, and the status is 1" {
	hero | anim-parse -q --source-name h.tscn >h.axs
	local end='that would be lost; write another file, or use --force'
	for command in 'anim-emit -q --axes keep --each %c.animj' 'anim-emit -q --axes keep -o walk.animj' 'anim convert -q --axes keep' \
		'anim-split --to %c.animj'; do
		rm -f walk.animj
		last=
		[[ $command != 'anim convert'* ]] || last=walk.animj
		for _ in 1 2; do $command h.axs $last; done
		printf '{"name": "mine"}\n' >walk.animj
		cp walk.animj before
		run -1 --separate-stderr $command h.axs $last
		[[ $stderr == "anim-"*": walk.animj: holds JSON without animation that would be lost"* ]] || { echo "$command: $stderr" && false; }
		cmp walk.animj before
		$command --force h.axs $last
		run ! cmp -s walk.animj before
	done
	[ -z "$(ls -A | grep -F .anim-)" ]
}

@test "the .bin of a .gltf goes with it, and no other does" {
	hero | anim-parse -q >h.axs
	mkdir 'a b'
	for file in walk.gltf 'a b/my walk.gltf'; do
		for _ in 1 2; do anim-emit -q --bin -o "$file" h.axs; done
		cp "${file%.gltf}.bin" before
		anim-emit -q --force -o "$file" h.axs
		run -1 --separate-stderr anim-emit -q --bin -o "$file" h.axs
		[[ $stderr == "anim-emit: ${file%.gltf}.bin: holds data other than animation that would be lost"* ]]
		cmp "${file%.gltf}.bin" before
	done
}

# calls COMMAND...: the calls by which it gives files to the disk and names them, one a line.
calls() {
	strace -f -o said -e trace=fsync,fdatasync,rename,renameat,renameat2 "$@" || return
	grep -o -E '(fsync|rename)[a-z0-9]*\(.*' said | sed -E 's/fsync\([0-9]+\).*/fsync/; s/rename[a-z0-9]*\(.*"([^"]*)"\).*/rename \1/; s/[^ ]*\///'
}

@test "what replaces a file is on the disk before it has the name, and then its folder; new files need no waiting" {
	strace -f -o said true 2>/dev/null || skip "strace is not installed, or may not look here"
	not_sanitized "the leak check cannot run under strace"
	hero >h.tscn
	anim-parse -q -o h.axs h.tscn
	[ "$(calls anim-resample -q 30 -o x.axs h.axs)" = "rename x.axs" ]
	[ "$(calls anim-resample -q 30 -o x.axs h.axs)" = $'fsync\nrename x.axs\nfsync' ]
	[ "$(calls anim-resample -q --no-sync 30 -o x.axs h.axs)" = "rename x.axs" ]
	[ "$(calls anim-emit --into h.tscn h.axs)" = $'fsync\nrename h.tscn\nfsync' ]
	[ "$(calls anim-emit --no-sync --into h.tscn h.axs)" = "rename h.tscn" ]
	[ "$(calls anim-emit -q --axes keep --each %c.animj h.axs)" = "rename walk.animj" ]
	[ "$(calls anim-emit -q --axes keep --each %c.animj h.axs)" = $'fsync\nrename walk.animj\nfsync' ]
	[ "$(calls anim convert -q --no-sync h.tscn walk.animj)" = "rename walk.animj" ]
	anim-parse -q --depfile h.d --target h.axs -o h.axs h.tscn
	[ "$(calls anim-parse -q --depfile h.d --target h.axs -o h.axs h.tscn)" = $'fsync\nfsync\nrename h.d\nrename h.axs\nfsync' ]
}

@test "of several files all appear or none, also where the last cannot get its name" {
	{
		hero | sed '/^\[node name="Hero"/,$d; s/"walk": SubResource("a")/"a": SubResource("a"),\n"b": SubResource("a")/'
		printf '[node name="Hero" type="Node3D"]\n\n[node name="P" type="AnimationPlayer" parent="."]\nlibraries = {\n"": SubResource("l")\n}\n'
	} >two.tscn
	anim-parse -q two.tscn >two.axs
	anim-parse -q -c a two.tscn | anim-axes unity >one.axs

	held_back two.axs 2 'mkdir b.animj' anim-emit -q --axes keep --each %c.animj
	[ "$status" -eq 1 ]
	[ ! -e a.animj ]
	[ "$(cat err)" = "anim-emit: b.animj: cannot create: Is a directory" ]
	rmdir b.animj

	echo old >a.animj
	ln a.animj kept
	echo old >b.animj
	held_back two.axs 2 'rm b.animj; mkdir b.animj' anim-emit -q --axes keep --force --each %c.animj
	[ "$status" -eq 1 ]
	[ "$(cat a.animj)" = old ]
	[ a.animj -ef kept ]
	rmdir b.animj

	held_back two.axs 2 'mkdir b.axs' anim-split
	[ "$status" -eq 1 ]
	[ ! -e a.axs ]
	rmdir b.axs

	held_back one.axs 1 'mkdir one.anim' anim-emit -q --meta auto -o one.anim
	[ "$status" -eq 1 ] && [ ! -e one.anim.meta ] && rmdir one.anim

	held_back two.tscn 1 'mkdir s.axs' anim-parse -q --depfile s.d --target s.axs -o s.axs
	[ "$status" -eq 1 ] && [ ! -e s.d ] && rmdir s.axs
	[ -z "$(ls -A | grep -F .anim-)" ]

	anim-emit -q --axes keep --force --each %c.animj two.axs
	[ "$(cat kept)" = old ]
	[ "$(head -c 11 a.animj)" = '{"name":"a"' ]
	[ -z "$(ls -A | grep -F .anim-)" ]
}

# names FILE: its clips and nodes, as the programs name them.
names() {
	anim-parse -q "$1" 2>/dev/null | anim-dump | sed -nE 's/^(clip name="[^"]*").*/\1/p; s/^(node path="[^"]*").*/\1/p' | sort
}

# kinds: files of each kind with two clips or one, and with work in them.
kinds() {
	local suffix
	mkdir kinds
	cp "$DATA/hints/two.tscn" kinds
	cp "$DATA/replace/level_of_nodes.tscn" "$DATA/replace/nodes_only.gltf" kinds
	for suffix in tres glb gltf fbx axs axs.gz json axt; do
		anim convert -q --axes keep two.tscn "kinds/two.$suffix" 2>/dev/null
	done
	for suffix in animj animx anim bvh vrma; do
		anim convert -q -c idle two.tscn "kinds/one.$suffix" 2>/dev/null || rm -f "kinds/one.$suffix"
	done
	hero >kinds/hero.tscn
}

@test "no command loses a clip or a node of a file of any kind that exists" {
	not_sanitized "some hundreds of commands"
	local file name suffix command count=0 kept=0
	cp "$DATA/hints/two.tscn" .
	cp "$DATA/bvh/arm.bvh" "other take.bvh"
	anim-parse -q "other take.bvh" >other.axs
	kinds
	for file in kinds/*; do
		name=${file##*/} suffix=${file#*.}
		[ "$suffix" != gz ] || suffix=axs.gz
		while IFS= read -r command; do
			rm -rf work && mkdir work && cp "$file" work && cp two.tscn other* work
			(cd work && eval "$command" >/dev/null 2>../said) || true
			count=$((count + 1))
			cmp -s "$file" "work/$name" && kept=$((kept + 1)) && continue
			[ -z "$(comm -23 <(names "$file") <(names "work/$name"))" ] || { echo "$command loses $(comm -23 <(names "$file") <(names "work/$name"))" && false; }
		done <<-END
			anim convert -q 'other take.bvh' $name
			anim convert -q -o $name 'other take.bvh'
			anim convert -q -c idle -o $name $name
			anim convert -q -c idle $name $name
			anim convert -q -c idle --each '%f.$suffix' $name
			anim convert -q -c run two.tscn $name
			anim convert -q --into $name 'other take.bvh'
			anim convert -q --axes keep two.tscn $name
			anim-parse -q -c idle $name -o $name
			anim-parse -q --depfile $name --target x -o x.axs two.tscn
			anim-filter -q -c idle $name -o $name
			anim-filter -q -n nothing $name -o $name
			anim-cat other.axs -o $name
			anim-emit -q -c idle -o $name $name
			anim-emit -q --each '%f.$suffix' $name
			anim-split --to '%f.$suffix' $name
			anim-split --to $name other.axs
			anim-resample -q 30 other.axs -o $name
			anim-rename -q --on clip -e "s/idle/walk/" $name -o $name
			anim-unpack -q -c idle -o $name $name
			anim-pack -o $name other.axs
			anim-reduce -q --json $name -o x.axs other.axs
			anim-info -o $name other.axs
			anim-plot -o $name other.axs
			anim-dump -o $name other.axs
		END
	done
	echo "$count commands, $kept files kept"
	[ "$count" -gt 300 ]
	[ "$kept" -gt 150 ]
	[ "$kept" -lt "$count" ]
	[ -z "$(find . -name '.anim-*')" ]
}

@test "a command that writes what is there is repeated without --force, whatever the format" {
	not_sanitized "each format is written in other tests, too"
	local suffix
	cp "$DATA/hints/two.tscn" .
	for suffix in tres tscn glb gltf fbx axs axs.gz json axt csv; do
		again anim convert -q --axes keep two.tscn -o "two$suffix.$suffix" 2>/dev/null
		again anim convert -q -r 30 --axes keep two.tscn -o "two$suffix.$suffix" 2>/dev/null # another version of the same clips
	done
	for suffix in animj animx anim npz; do
		again anim convert -q -c idle --axes keep two.tscn -o "idle.$suffix" 2>/dev/null
		again anim convert -q --axes keep --each "each/%c.$suffix" two.tscn 2>/dev/null
	done
	again anim convert -q "$DATA/bvh/arm.bvh" -o x.bvh
	again anim-split --to '%c.axs' two.tscn
	again anim-pack -o two.gz two.tscn
	again anim convert -q --into two.tscn -c idle --speed 2 two.tscn
	# Clips may be added.
	anim convert -q -c idle two.tscn grows.fbx
	anim convert -q -o grows.fbx two.tscn
}

@test "what would be lost is listed, whatever option names the output, and also if it is an input" {
	cp "$DATA/hints/two.tscn" "$DATA/replace/level_of_nodes.tscn" "$DATA/replace/nodes_only.gltf" .
	anim-parse -q "$DATA/bvh/arm.bvh" >arm.axs
	local end='that would be lost; write another file, or use --force' into='that would be lost; --into two.tscn changes its clips and keeps the rest, --force replaces it'
	anim convert -q two.tscn two.fbx 2>/dev/null
	stays two.fbx "anim-filter: two.fbx: holds 1 clip (run) $end" anim-filter -q -c idle -o two.fbx two.fbx
	stays two.fbx "anim-convert: two.fbx: holds 1 clip (run) $end" anim convert -q -c idle --each '%f.fbx' two.fbx
	stays level_of_nodes.tscn "anim-emit: level_of_nodes.tscn: holds 4 nodes (Spawn1 (Marker3D), Spawn2 (Marker3D), Body (CharacterBody3D), ...), a uid $end" anim-emit -q -o level_of_nodes.tscn arm.axs
	stays nodes_only.gltf "anim-emit: nodes_only.gltf: holds 2 nodes (Spawn, P2), a copyright and an object with extras $end" anim-emit -q -o nodes_only.gltf arm.axs
	anim-parse -q two.tscn >two.axs
	stays two.axs "anim-filter: two.axs: holds 1 clip (run) $end" anim-filter -q -c idle -o two.axs two.axs
	anim convert -q two.tscn two.glb
	stays two.glb 'anim-filter: two.glb: holds 1 clip (run) that would be lost; anim convert --into two.glb changes its clips and keeps the rest, --force replaces it' \
		anim-filter -q -c idle -o two.glb two.glb
	anim-filter -q --force -c idle -o two.axs two.axs
	[ "$(anim-info two.axs | grep -c ' s, ')" -eq 1 ]
}

@test "tracks of an output that is also an input are not lost, whatever drops them" {
	local end='that would be lost; write another file, or use --force' file command suffix
	cp "$ROOT/examples/walker.tscn" w.tscn
	for suffix in animj animx axs axs.gz tres glb gltf fbx anim npz json; do
		anim convert -q w.tscn w.$suffix 2>/dev/null
	done
	anim convert -q --bin w.tscn bin.gltf 2>/dev/null
	stays w.animj "anim-convert: w.animj: holds 15 tracks (Spine rotation, Chest rotation, Neck rotation, ...) $end" anim convert -n '*Hips' -o w.animj w.animj
	stays w.animj "anim-convert: w.animj: holds 1 track (Hips position) $end" anim convert -p rotation -o w.animj w.animj
	stays w.anim "anim-convert: w.anim: holds 1 track (Skeleton3D/Hips position) $end" anim convert -q -p rotation -o w.anim w.anim
	ln -s w.animj link.animj
	stays w.animj "anim-convert: link.animj: holds 1 track (Hips position) $end" anim convert -p rotation -o link.animj ./w.animj
	stays w.animj "anim-filter: w.animj: holds 1 track (Hips position) $end" eval 'anim-filter -p rotation -o w.animj <w.animj'
	# The joints of a BVH file have values without a track, too, and the components of a track are counted.
	anim convert -q -r 30 w.tscn w.bvh 2>/dev/null
	stays w.bvh "anim-convert: w.bvh: holds 15 tracks (Hips/Spine rotation, Hips/Spine/Chest rotation, Hips/Spine/Chest/Neck rotation, ...) $end" \
		anim convert -q -n '*Hips' -o w.bvh w.bvh
	anim-parse "$DATA/poses/components.fbx" -o parts.axs
	stays parts.axs "anim-convert: parts.axs: holds 4 tracks (mixamorig:Hips position, mixamorig:Hips/mixamorig:Spine rotation, \
mixamorig:Hips/mixamorig:Spine/mixamorig:Neck/mixamorig:Head rotation, ...) $end" anim convert -q -p euler.x -o parts.axs parts.axs
	# A selection with names that change on purpose.
	stays w.animj "anim-convert: w.animj: holds 13 tracks (Hips position, Hips rotation, Spine rotation, ...) $end" anim convert -n '*Leg' -e 's/$/_x/' -o w.animj w.animj
	for file in w.* bin.gltf; do
		for command in "anim convert -n *Arm -o $file" "anim convert -n *Arm --into $file" "anim convert -n *Arm --each %f.${file#*.}" "anim-filter -n *Arm -o $file" \
			"anim-unpack -n *Arm -o $file" "anim-cat -n *Arm -o $file" "anim-emit -n *Arm -o $file"; do
			cp $file before
			run $command $file
			cmp $file before || { echo "$command" && false; }
		done
		# Edits that keep the tracks, also under other names.
		for command in "-r 30" "--speed 2" "--bake -r 30" "--reduce 1mm@10cm" "--in-place" "--mirror" "--retarget w.tscn"; do
			[ $file != w.tscn ] || continue
			anim convert -q $command -o $file $file 2>err || ! grep -F 'would be lost' err || { echo "$command $file" && false; }
			anim convert -q $command --into $file $file 2>err || ! grep -F 'would be lost' err || { echo "--into $command $file" && false; }
		done
	done
	anim convert -q -e 's/Leg/Bein/' -o w.animj w.animj
	# The sources of a file may have other tracks than before.
	cp w.anim src.anim
	anim convert -q src.anim -o walk.animj
	anim convert -q -n '*Hips' src.anim -o walk.animj
	mkdir src
	cp w.animj src
	anim convert -q -n '*Hips' src/w.animj -o w.animj
	[ "$(anim-info w.animj | grep -c Hips)" -eq 2 ]
	anim convert -q --force -p rotation -o w.animj w.animj
	[ "$(anim-info w.animj | grep -c Hips)" -eq 1 ]
}

@test "a mesh and an extension that were added to a glTF file of ours are not lost" {
	anim convert -q "$ROOT/examples/walker.tscn" w.gltf
	anim convert -q "$ROOT/examples/walker.tscn" w.gltf
	sed -i '0,/{/s//{"meshes":[{"primitives":[{"attributes":{"POSITION":1}}]}],"extensions":{"KHR_lights_punctual":{"lights":[]}},/' w.gltf
	stays w.gltf 'anim-convert: w.gltf: holds a mesh, a skin and an extension that would be lost; --into w.gltf changes its clips and keeps the rest, --force replaces it' \
		anim convert -q "$ROOT/examples/walker.tscn" w.gltf
}

@test "references, metadata of animations and the bones of a human are not lost" {
	local end='--into level.tscn changes its clips and keeps the rest, --force replaces it'
	cp "$DATA/hints/two.tscn" two.tscn
	cp "$ROOT/examples/walker.tscn" w.tscn
	anim convert -q two.tscn -x library lib.tres
	anim convert -q -o level.tscn two.tscn
	sed -i '1a\\n[ext_resource type="AnimationLibrary" path="res://lib.tres" id="7_l"]' level.tscn
	sed -i '/^&"": SubResource/s/^/\&"more": ExtResource("7_l"),\n/' level.tscn
	stays level.tscn "anim-convert: level.tscn: holds an ext_resource that would be lost; $end" anim convert -q -o level.tscn two.tscn
	anim convert -q two.tscn --into level.tscn
	grep -qF 'ExtResource("7_l")' level.tscn
	anim convert -q --force -o level.tscn two.tscn
	sed -i 's/^tracks.0.type = .*/&\nmetadata\/mood = "sad"/' level.tscn
	stays level.tscn "anim-convert: level.tscn: holds 2 settings of animations that would be lost; $end" anim convert -q -o level.tscn two.tscn
	sed -i 's/^_data = /metadata\/by = "me"\n&/' lib.tres
	stays lib.tres "anim-convert: lib.tres: holds a setting of an animation that would be lost; --into lib.tres changes its clips and keeps the rest, --force replaces it" \
		anim convert -q two.tscn -x library lib.tres
	anim convert -q --humanoid godot:vrm -o ours.vrma w.tscn
	anim convert -q --humanoid godot:vrm -o ours.vrma w.tscn
	stays ours.vrma "anim-convert: ours.vrma: holds an extension that would be lost; write another file, or use --force" \
		anim convert -q --humanoid godot:vrm -f glb -o ours.vrma w.tscn
}

@test "--into names the clips that it replaces, and --keep refuses" {
	cp "$DATA/hints/two.tscn" .
	anim-parse -q --source-name other.tscn -c idle two.tscn | anim-retime --speed 3 >other.axs
	cp two.tscn before
	run -1 --separate-stderr anim convert -q --keep --into two.tscn other.axs
	[ "$stderr" = "anim-convert: two.tscn: has a clip 'idle', which --keep does not replace" ]
	cmp two.tscn before
	run -0 --separate-stderr anim convert --into two.tscn other.axs
	[ "$stderr" = "anim-emit: two.tscn: warning: 1 clip is replaced: idle" ]
	run -0 --separate-stderr anim convert --into two.tscn other.axs # the same again
	[ -z "$stderr" ]
	cp before two.tscn
	run -1 --separate-stderr anim convert --strict --into two.tscn other.axs
	cmp two.tscn before
	run -0 --separate-stderr anim convert --force --into two.tscn other.axs
	[ "$stderr" = "anim-emit: two.tscn: note: 1 clip is replaced: idle" ]
	cp before two.tscn
	run -0 --separate-stderr anim convert --speed 2 --into two.tscn two.tscn
	[ "$stderr" = "anim-emit: two.tscn: note: 2 clips are replaced: idle, run" ]
	anim convert -q -c run two.tscn x.glb 2>/dev/null
	cp x.glb before
	run -1 --separate-stderr anim convert -q --keep --into x.glb two.tscn
	[ "$stderr" = "anim-convert: x.glb: has a clip 'run', which --keep does not replace" ]
	cmp x.glb before
	anim convert -q -c run two.tscn run.anim 2>/dev/null
	run -1 --separate-stderr anim convert -q --keep -c idle --into run.anim two.tscn
	[ "$stderr" = "anim-convert: run.anim: has a clip 'run', which --keep does not replace" ]
}

@test "--backup keeps the target of a link, and refuses before anything is replaced" {
	anim convert -q "$ROOT/examples/box.tscn" p.animj
	cp p.animj old.animj
	mkdir sub
	ln -s ../p.animj sub/s.animj
	anim convert -q --backup "$DATA/bvh/arm.bvh" sub/s.animj
	cmp p.animj~ old.animj
	[ -L sub/s.animj ]
	[ "$(ls -A sub)" = s.animj ]
	run ! cmp -s p.animj old.animj
	mkdir q.animj~
	cp old.animj q.animj
	run -1 --separate-stderr anim convert --backup "$DATA/bvh/arm.bvh" q.animj
	[ "$stderr" = "anim-convert: cannot keep 'q.animj' as 'q.animj~': it is a folder" ]
	cmp q.animj old.animj
	# the first of two files is not held any more if the second cannot be
	mkdir sheet.txt~
	echo >sheet.txt
	run -1 --separate-stderr anim convert --backup --bind-sheet sheet.txt "$DATA/bvh/arm.bvh" p.animj
	[[ "$stderr" == *"'sheet.txt~': it is a folder" ]]
	run ! ls ./*~[0-9]*
}
