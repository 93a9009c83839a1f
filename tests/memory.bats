#!/usr/bin/env bats
# Peak memory follows the largest track, never the file: at most 8 MB + 3 x that track, from a file and from a pipe.

load helper

MB=1048576

setup_file() {
	load helper
	! sanitized || return 0
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o "$BATS_FILE_TMPDIR/peak" "$ROOT/tests/bench/peak.c"
	cd "$BATS_FILE_TMPDIR"
	"${CC:-cc}" -O2 -std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/lib" -o generate "$ROOT/tests/bench/generate.c" $(ls "$ROOT"/lib/base/*.c | grep -v system_windows) \
		"$ROOT"/lib/math/*.c -lz -lm
	./generate tscn 50 3600 >large.tscn
	anim-parse large.tscn -o large.axs
	anim-resample 30 large.axs -o baked.axs
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	PATH=$BATS_FILE_TMPDIR:$PATH
	large=$BATS_FILE_TMPDIR/large
	baked=$BATS_FILE_TMPDIR/baked.axs
	not_sanitized "their own memory would be measured"
}

# within BYTES COMMAND...: the command succeeds and its process held at most so many bytes.
within() {
	local peak
	peak 3>peak "${@:2}" >/dev/null 2>messages || { cat messages; return 1; }
	peak=$(($(cat peak) * 1024))
	[ "$peak" -gt 0 ]
	[ "$peak" -le "$1" ] || { echo "${*:2}: $peak bytes, at most $1 are allowed"; return 1; }
}

@test "the measure itself sees what a program holds" {
	run ! within $((8 * MB)) bash -c 'x=$(head -c 12000000 /dev/zero | tr "\0" x); [ ${#x} -gt 0 ]'
	within $((8 * MB)) true
}

@test "20 MB of scene are read in the memory of a few tracks" {
	local track limit
	[ "$(wc -c <"$large.tscn")" -gt $((18 * MB)) ]
	track=$(wc -L <"$large.tscn")
	limit=$((8 * MB + 3 * track))
	within $limit anim-parse "$large.tscn"
	within $limit anim-parse <"$large.tscn"
	cat "$large.tscn" | within $limit anim-parse
	gzip -1c "$large.tscn" | within $limit anim-parse
	within $limit anim-info "$large.tscn"
	ANIM_STORE_MEMORY=0 within $limit anim-parse "$large.tscn"
}

@test "16 MB of a binary scene are read in the memory of a few tracks" {
	local limit=$((8 * MB + 3 * 7300 * 24))
	generate res 50 7300 >large.res
	[ "$(wc -c <large.res)" -gt $((15 * MB)) ]
	within $limit anim-parse large.res
	cat large.res | within $limit anim-parse
	gzip -1c large.res | within $limit anim-parse
	ANIM_STORE_MEMORY=0 within $limit anim-parse large.res
}

@test "filters, writers and anim-info hold a few tracks of a stream" {
	local limit=$((8 * MB + 3 * 3600 * 20))
	for command in "anim-axes unity" "anim-resample 30" "anim-info" "anim-info --json" "anim-dump"; do
		within $limit $command "$large.axs"
		cat "$large.axs" | within $limit $command
	done
	for command in "anim-emit animj --axes keep" "anim-emit animj --axes keep --pretty" "anim-emit unity --axes keep" \
		"anim-emit fbx" "anim-dump"; do
		within $limit $command "$baked"
		cat "$baked" | within $limit $command
	done
	within $limit anim-emit animj --axes keep "$baked" --each '%c.animj'
}

@test "25 MB of GLB are read in the memory of a few tracks" {
	local track=$((18000 * 20)) limit
	generate glb 50 18000 >l.glb
	[ "$(wc -c <l.glb)" -gt $((24 * MB)) ]
	limit=$((8 * MB + 3 * track))
	within $limit anim-parse l.glb
	cat l.glb | within $limit anim-parse
	gzip -1c l.glb | within $limit anim-parse
	ANIM_STORE_MEMORY=0 within $limit anim-parse --keep-going l.glb
	# The same in base64, which is one string of the document.
	size=$(od -An -tu4 -j 12 -N 4 l.glb | tr -d ' ')
	json=$(tail -c +21 l.glb | head -c "$size")
	{
		printf '%s"buffers":[{"uri":"data:;base64,' "${json%%\"buffers\":*}"
		tail -c +$((29 + size)) l.glb | base64 -w 0
		printf '",%s' "${json#*\"buffers\":\[\{}"
	} >l.gltf
	within $limit anim-parse l.gltf
	cat l.gltf | within $limit anim-parse
	[ "$(anim-parse --source-name x <l.gltf | anim-emit json | cksum)" = "$(anim-parse --source-name x <l.glb | anim-emit json | cksum)" ]
}

@test "motion capture is read and written in the memory of a few tracks, as one line too" {
	local limit=$((8 * MB + 3 * 3600 * 12))
	anim-emit bvh -q -o large.bvh "$baked"
	[ "$(wc -c <large.bvh)" -gt $((8 * MB)) ]
	within $limit anim-parse large.bvh
	cat large.bvh | within $limit anim-parse
	tr '\n' ' ' <large.bvh >one.bvh
	within $limit anim-parse one.bvh
	ANIM_STORE_MEMORY=0 within $limit anim-parse large.bvh
	anim-parse -q large.bvh -o large.axs
	within $limit anim-emit bvh large.axs
	cat large.axs | within $limit anim-emit bvh
	ANIM_STORE_MEMORY=0 within $limit anim-emit bvh large.axs
}

@test "FBX is read in the memory of its largest curve; meshes are passed over, packed and plain, as bytes and as text" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	PYTHONPATH=$DATA/fbx python3 - <<-'PY'
		import make
		scene = make.Scene()
		scene.objects.append(make.Node("Geometry", make.Long(500), make.Name("Geometry", ""), "Mesh", below=[
		    make.Node("Vertices", make.Array("d", [0.25 * (i % 7919) for i in range(1000000)]))]))
		layer = scene.layer(scene.stack("big", 0, 100 * make.SECOND))
		for i in range(20):
		    bone = scene.model(f"bone{i}", "LimbNode", more=[make.p("RotationActive", "bool", "", "", 1),
		                                                     make.vector("PreRotation", 0, 0, 30)])
		    scene.drive(layer, bone, "Lcl Rotation", [scene.curve([(k / 30, (k * (i + c)) % 90, make.LINEAR, make.NO_DATA)
		                                                           for k in range(2000)]) for c in range(3)])
		nodes = scene.nodes(7400, make.settings(), make.definitions())
		for name, data in (("plain", make.Binary(7400).file(nodes)), ("packed", make.Binary(7400, packed=True).file(nodes)),
		                   ("text", make.text_file(nodes, 7400))):
		    open(name + ".fbx", "wb").write(data)
	PY
	[ "$(wc -c <plain.fbx)" -gt $((8 * MB)) ]
	# A key of a curve takes 64 bytes while its node is made, three of which are at hand, and 52 in its track.
	local limit=$((8 * MB + 2000 * 400))
	for file in plain packed text; do
		within $limit anim-parse -q "$file.fbx"
		ANIM_STORE_MEMORY=0 within $limit anim-parse -q "$file.fbx"
	done
	cat plain.fbx | within $limit anim-parse -q
}

@test "what is no animation is passed over without being held" {
	{
		printf '[gd_scene format=3]\n\n[sub_resource type="ArrayMesh" id="1"]\n_surfaces = [{\n"vertex_data": PackedByteArray('
		yes '1, 22, 255, ' | head -n 2500000 | tr -d '\n'
		printf '0)\n}]\n\n[sub_resource type="Shader" id="2"]\ncode = "'
		yes 'void fragment() { ALBEDO = vec3(1.0); }' | head -n 100000
		printf '"\n\n'
		sed -e '1d' "$ROOT/examples/crane.tscn"
	} >mesh.tscn
	[ "$(wc -c <mesh.tscn)" -gt $((30 * MB)) ]
	within $((8 * MB)) anim-parse mesh.tscn
	cat mesh.tscn | within $((8 * MB)) anim-parse
	# All but the word of what stays behind.
	anim-parse -q --no-provenance --source-name crane.tscn mesh.tscn | anim-dump | grep -v '"godot.left"' >a
	anim-parse -q --no-provenance "$ROOT/examples/crane.tscn" | anim-dump | grep -v '"godot.left"' >b
	same a b
}

# nodes COUNT: a scene of so many nodes, each with a place.
nodes() {
	printf '[gd_scene format=3]\n\n[node name="Root" type="Node3D"]\n'
	awk -v n="$1" 'BEGIN { for (i = 1; i < n; i++)
		printf "\n[node name=\"Node%d\" type=\"Node3D\" parent=\".\"]\ntransform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, %d, 0, 0)\n", i, i }'
}

@test "a node costs about 200 bytes" {
	nodes 20000 >nodes.tscn
	within $((8 * MB + 20000 * 250)) anim-parse -q nodes.tscn
	anim-parse -q nodes.tscn -o nodes.axs
	[ "$(anim-dump nodes.axs | grep -c '^node ')" -eq 20000 ]
	for command in "anim-axes unity" "anim-resample 30" "anim-info" "anim-info --tree" "anim-info --json" "anim-dump"; do
		within $((8 * MB + 20000 * 250)) $command nodes.axs
	done
}

# clips COUNT: a library of so many animations with one track each.
clips() {
	printf '[gd_resource type="AnimationLibrary" format=3]\n'
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "\n[sub_resource type=\"Animation\" id=\"A%d\"]\nlength = 1.0\ntracks/0/type = \"position_3d\"\n" \
				"tracks/0/path = NodePath(\"Hips\")\ntracks/0/interp = 1\n" \
				"tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, %d, 0, 0)\n", i, i
		printf "\n[resource]\n_data = {\n"
		for (i = 0; i < n; i++)
			printf "%s&\"clip%d\": SubResource(\"A%d\")", (i > 0 ? ",\n" : ""), i, i
		printf "\n}\n" }'
}

@test "many small clips cost their names, and each becomes a file" {
	local limit=$((8 * MB + 12000 * 620))
	clips 12000 >clips.tres
	within $limit anim-parse clips.tres
	cat clips.tres | within $limit anim-parse
	anim-parse clips.tres -o clips.axs
	anim-resample 30 clips.axs -o baked-clips.axs
	[ "$(anim-dump baked-clips.axs | grep -c '^clip ')" -eq 12000 ]
	for command in "anim-axes unity" "anim-resample 30" "anim-info" "anim-info --json" "anim-dump"; do
		within $limit $command clips.axs
	done
	within $limit anim-emit animj --axes keep -c clip11999 baked-clips.axs
	mkdir out # all appear together at the end: until then each has its output, its name and that of its temporary
	within $((8 * MB + 12000 * 1000)) anim-emit animj --axes keep --each 'out/%c.animj' baked-clips.axs
	[ "$(find out -name '*.animj' | wc -l)" -eq 12000 ]
}

@test "of what a scene changes in a prefab only what counts here is held" {
	awk 'BEGIN {
		print "--- !u!1001 &5\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications:"
		for (i = 1; i <= 120000; i++)
			printf "    - target: {fileID: %d, guid: 0123456789abcdef0123456789abcdef, type: 3}\n" \
				"      propertyPath: m_Materials.Array.data[0]\n      value: \n" \
				"      objectReference: {fileID: %d, guid: 0123456789abcdef0123456789abcdef, type: 2}\n", i, i
		print "  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}"
	}' >changes.prefab
	[ "$(wc -c <changes.prefab)" -gt $((20 * MB)) ]
	within $((8 * MB)) anim-parse changes.prefab
}

@test "a long string in a member that nobody reads is not held" {
	{
		printf '{"globalDuration":1,"notes":["'
		head -c 30000000 /dev/zero | tr '\0' x
		printf '"],"tracks":[]}'
	} >notes.animj
	within $((8 * MB)) anim-parse notes.animj
	cat notes.animj | within $((8 * MB)) anim-parse -f animj
}

@test "an AnimX track of strings is held once" {
	# 2,000,000 samples that are null, one a second: a track of 8 MB.
	{
		printf '\5AnimX\1\0\0\0\1\0\0\200\77\0\0\0\47\1A\1p\200\211\172\0\0\200\77'
		head -c 2000000 /dev/zero
	} >nulls.animx
	within $((8 * MB + 3 * 8 * MB)) anim-parse nulls.animx
}

# many_tracks COUNT PROPERTY: an AnimJ clip of so many tracks of a key.
many_tracks() {
	awk -v n="$1" -v property="$2" 'BEGIN {
		printf "{\"globalDuration\":1,\"tracks\":["
		for (i = 0; i < n; i++)
			printf "%s{\"trackType\":\"Discrete\",\"valueType\":\"bool\",\"data\":{\"node\":\"Node_number_%d\",\"property\":\"%s\",\"keyframes\":[{\"time\":0,\"value\":true}]}}", (i > 0 ? "," : ""), i, property
		printf "]}"
	}'
}

@test "anim-emit to AnimJ holds less than 300 bytes of each track" {
	many_tracks 100000 Active >tracks.animj
	anim-parse -q tracks.animj -o tracks.axs
	within $((4 * MB + 300 * 100000)) anim-emit -q animj tracks.axs
}

@test "tracks that wait, for the clip's end or for their number, leave nothing in memory" {
	export ANIM_STORE_MEMORY=0
	many_tracks 100000 Active >bind.animj
	many_tracks 100000 Other >wait.animj
	for name in bind wait; do
		anim-parse -q $name.animj -o $name.axs
		for format in animj animx; do
			within $((4 * MB + 202 * 100000)) anim-emit -q $format $name.axs
		done
	done
}
