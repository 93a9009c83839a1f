#!/usr/bin/env bats
# Godot (the command that GODOT names) imports FBX files with its own reader, and shows the same poses as the stream.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "another program reads the same files"
}

@test "Godot imports files with skeletons, and their bones have the poses of the stream" {
	local at=0

	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT"/tests/engine/{gltf,fbx}.gd project/
	# Godot does not compensate for uneven scales that are inherited along axes, so files with such scales are not here.
	# The rates are those of the keys, or of Godot's samples if the curves are cubic. Between them Godot interpolates linearly.
	while read -r name rate; do
		at=$((at + 1))
		cp "$ANIM_CORPUS/fbx/$name.fbx" project/in/
		clip=$(anim-parse -q "project/in/$name.fbx" 2>/dev/null | anim-dump | sed -n 's/^clip name="\([^"]*\)".*/\1/p' | head -n 1)
		# Godot has the name of the file, with other characters.
		anim-parse -q "project/in/$name.fbx" 2>/dev/null | anim-dump | sed -n 's/^clip name="\([^"]*\)".*/\1/p; s/^\tattr "old_name" "\(.*\)"$/\1/p' |
			head -n 2 | tail -n 1 | tr . _ >"project/in/$name.clip"
		anim-parse -q -c "$clip" "project/in/$name.fbx" 2>/dev/null | anim-bake -q --world -r "$rate" |
			anim-emit -q json >"project/in/$name.json"
	done <<-'TEXT'
		assimp_animation_with_skeleton 25
		assimp_huesitos 25
		blender_279_sausage_6100_ascii 24
		max7_skin_5000_binary 30
		max_transformed_skin_7500_binary 30
		maya_axes_anim_7700_ascii 30
		maya_game_sausage_6100_binary_spin 24
		maya_game_sausage_7500_ascii_wiggle 24
		maya_scale_no_inherit_7700_ascii 24
		quaternius_AnimatedChest 24
		quaternius_Chick 24
		quaternius_Fish3 24
	TEXT
	"$GODOT" --headless --path "$PWD/project" --script res://fbx.gd >said 2>errors
	cat said errors
	run ! grep -E 'FAULT|ERROR' said errors
	[ "$(grep -c ' off$' said)" -eq "$at" ]
}
