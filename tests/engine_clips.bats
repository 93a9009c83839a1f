#!/usr/bin/env bats
# Godot (the command that GODOT names) plays all clips of converted scenes, and their nodes have the poses of the source: in a new scene,
# after another clip, and in a deterministic mixer.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "another program reads the same files"
	not_bytewise "another program reads the same files"
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
}

# play FILE...: convert the files to scenes, and compare each clip in the engine. `said` has a line for each clip that was played.
play() {
	local file name paths

	rm -rf project
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/clips.gd" project/
	for file; do
		name=$(basename "$file" | tr '. ' __)
		case $file in *.gl* | *.fbx) paths='-x godot-paths' ;; *) paths= ;; esac # as anim-convert reads them
		# Files without clips, and tracks that move no node, have nothing to compare. No key is at a sample of this rate.
		anim-convert -q "$file" "project/in/$name.tscn" 2>/dev/null || continue
		# shellcheck disable=SC2086 # words
		anim-parse -q $paths "$file" 2>/dev/null | anim-axes -q godot | anim-bake -q --world -r 37 |
			anim-emit -q json >"project/in/$name.json" 2>/dev/null || rm "project/in/$name.tscn"
	done
	"$GODOT" --headless --path "$PWD/project" --script res://clips.gd >said 2>errors
	grep -e FAULT -e ERROR said errors || true
	run ! grep -q -e FAULT -e 'SCRIPT ERROR' said errors
}

# unity FILE...: make a Unity project of each file, as models of other programs become prefabs, and play its prefab.
unity() {
	local file name

	rm -rf units
	for file; do
		name=$(basename "$file" | tr '. ' __)
		mkdir -p "units/$name"
		anim convert -q "$file" --each "units/$name/%c.anim" 2>/dev/null
		anim-parse -q "$file" | anim-axes -q unity | anim-emit -q json 2>/dev/null | python3 "$ROOT/tests/engine/prefab.py" "$name" "units/$name"
	done
	play units/*/*.prefab
}

@test "each part that a clip animates has its rest value in the other clips" {
	play "$DATA/poses/partial_tracks.glb" "$DATA/poses/two_clips_components.fbx" "$DATA/poses/components.fbx"
	[ "$(grep -c ' off, ' said)" -eq 13 ]
	sed -n 's/.*times, \([^,]*\),.*/\1/p' said | sort -g | tail -n 1 | awk '{ exit !($1 < 1e-4) }'
}

# play_into FILE OTHER: make a scene of all clips but OTHER, add OTHER to it, and play OTHER in the engine. Then also name the scene as an
# input, and play all clips.
play_into() {
	rm -rf project base.tscn
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/clips.gd" project/
	anim-parse -q "$1" | anim-axes -q godot | anim-bake -q --world -r 37 >clips.axs
	anim-filter -q -c "$2" clips.axs | anim-emit -q json >project/in/one.json
	anim-emit -q json clips.axs >project/in/all.json
	anim-parse -q "$1" | anim-filter -q -v -c "$2" | anim-emit -q -o base.tscn
	anim-parse -q "$1" | anim-filter -q -c "$2" >other.axs
	cp base.tscn project/in/one.tscn
	anim convert -q other.axs --into project/in/one.tscn
	cp base.tscn project/in/all.tscn
	anim convert -q project/in/all.tscn other.axs --into project/in/all.tscn
	"$GODOT" --headless --path "$PWD/project" --script res://clips.gd >said 2>errors
	grep -e FAULT -e ERROR said errors || true
	run ! grep -q -e FAULT -e 'SCRIPT ERROR' said errors
}

@test "each part that a clip of an existing scene animates has its rest value in the clips that are added" {
	play_into "$DATA/poses/partial_tracks.glb" b
	play_into "$DATA/poses/partial_tracks.glb" a
}

@test "real FBX and glTF files play in the poses of the source" {
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	play "$ANIM_CORPUS"/fbx/*.fbx "$ANIM_CORPUS"/gltf/*.gl{b,tf} "$ANIM_CORPUS"/bvh/*walk*.bvh
	[ "$(grep -c ' off, ' said)" -ge 250 ]
}

@test "prefabs and scenes of Unity play in the poses of the source, each clip by its own player" {
	cp -R "$DATA/unity/scene_project" .
	play scene_project/Assets/*.{prefab,unity,controller,overrideController,playable}
	[ "$(grep -c ' off, ' said)" -eq 75 ]
	anim-parse "$ROOT/examples/walker.tscn" -o walker.axs
	anim-emit -q walker.axs -o walker.glb
	unity "$DATA/poses/partial_tracks.glb" "$DATA/poses/two_clips_components.fbx" "$DATA/poses/components.fbx" walker.glb
	[ "$(grep -c ' off, ' said)" -eq 14 ]
}

@test "prefabs with real clips play in the poses of the source" {
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	unity "$ANIM_CORPUS"/gltf/{Fox,CesiumMan,RobotExpressive}.glb "$ANIM_CORPUS"/fbx/quaternius_{Fish3,Chick,AnimatedChest}.fbx \
		"$ANIM_CORPUS"/fbx/maya_{late_stepped_tangents_7700_ascii,axes_anim_7700_ascii}.fbx
	[ "$(grep -c ' off, ' said)" -ge 60 ]
}
