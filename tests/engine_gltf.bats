#!/usr/bin/env bats
# Other programs load the .glb and .bvh that anim-emit writes, and show what the stream says: Godot (the command that GODOT
# names), Blender (BLENDER, else blender) and assimp (ASSIMP, else assimp). What is not there is skipped.

load helper

: "${BLENDER:=blender}" "${ASSIMP:=assimp}"

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "other programs load the same bytes"
}

need_python() {
	command -v python3 >/dev/null || skip "python3 is not installed"
}

need_blender() {
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
}

need_assimp() {
	command -v "$ASSIMP" >/dev/null || skip "ASSIMP names no assimp"
}

# imported FILE [TRUTH [KEYS]] [-- FILE ...]: what it says of the files, in said; fails where it says otherwise than the truth.
imported() {
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P "$ROOT/tests/engine/blender.py" -- "$@" >said 2>&1 || {
		grep '^== ' said | tail -n 1
		tail -n 12 said
		false
	}
	grep -E '^==|kept|off' said
}

# all_said N TEXT: of each of so many files.
all_said() {
	[ "$(grep -c "^[1-9][0-9]* $2" said)" -eq "$1" ]
}

# sources: FILE CLIP of what is tried, the repository's own and others'.
sources() {
	printf '%s\n' "$ROOT/examples/crane.tscn lift" "$ROOT/examples/assets/scenes/hero.tscn *" "$DATA/rename/dance.anim *" \
		"$DATA/unity/mixamo.anim *" "$DATA/gltf/interpolations.gltf walk"
	while read -r file clip; do
		[ ! -e "$ANIM_CORPUS/$file" ] || echo "$ANIM_CORPUS/$file $clip"
	done <<-'TEXT'
		gltf/RobotExpressive.glb Robot_Walking
		gltf/Fox.glb Survey
		gltf/CesiumMan.glb CesiumMan
		gltf/03_skinned_cylinder.gltf *
		godot/g40_enemy3d.tscn idle
		godot/g46_gdbot_skin.tscn attack
		godot/g4_CharacterSkin.tscn fall
		godot/g30_fps_example.tscn Aiming
	TEXT
}

# clip FILE CLIP: its first clip of that name, in glTF's axes, in clip.axs.
clip() {
	anim-parse -q -c "$2" "$1" 2>/dev/null | anim-split -q --to one.%p.%c.axs
	set -- one.*
	anim-axes -q gltf "$1" >clip.axs
	rm one.*
}

# truth RATE OUT GLB: where the nodes of clip.axs stand; where no tree of the source tells it, that of the file does.
truth() {
	anim-bake -q --world -r "$1" clip.axs 2>told | anim-emit -q json >"$2"
	! grep -q "still in the space of the parent" told || anim-parse -q "$3" | anim-bake -q --world -r "$1" | anim-emit -q json >"$2"
}

# written_into FILE: a model of others with one clip of another speed in it, which is in clip.axs, too.
written_into() {
	anim-parse -q -c Run "$ANIM_CORPUS/gltf/Fox.glb" | anim-retime --speed 0.5 | anim-resample -q 30 >clip.axs
	anim-emit -q --only --into "$ANIM_CORPUS/gltf/Fox.glb" -o "$1" clip.axs
}

@test "Godot plays the files it imports as the stream says, bones and nodes, at 97 times a second" {
	local at=0

	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/gltf.gd" project/
	while read -r file name; do
		at=$((at + 1))
		clip "$file" "$name"
		anim-resample -q 30 clip.axs >raw.axs 2>/dev/null # which is what the engine makes of every file
		mv raw.axs clip.axs
		anim-emit -q -o "project/in/$at.glb" clip.axs 2>/dev/null
		truth 97 "project/in/$at.json" "project/in/$at.glb"
	done < <(sources)
	if [ -d "$ANIM_CORPUS/gltf" ]; then # a model that was written into
		at=$((at + 1))
		written_into "project/in/$at.glb"
		truth 97 "project/in/$at.json" "project/in/$at.glb"
	fi
	"$GODOT" --headless --path "$PWD/project" --script res://gltf.gd >said 2>errors
	cat said errors
	run ! grep -E 'FAULT|ERROR' said errors
	[ "$(grep -c ' off$' said)" -eq "$at" ]
}

@test "Blender keeps every key of a .glb, and its bones and nodes are at each frame where the stream says" {
	need_blender
	local at=0 files=()
	while read -r file name; do
		at=$((at + 1))
		echo "$at: $file"
		clip "$file" "$name"
		anim-emit -q -o "exact$at.glb" clip.axs 2>/dev/null
		anim-resample -q 30 clip.axs >raw.axs 2>/dev/null # its rotations are no slerps: compared at keys alone
		mv raw.axs clip.axs
		anim-emit -q -o "frames$at.glb" clip.axs 2>/dev/null
		truth 30 "truth$at.json" "frames$at.glb"
		files+=("exact$at.glb" -- "frames$at.glb" "truth$at.json" --)
	done < <(sources)
	imported "${files[@]}"
	all_said $((2 * at)) 'keys kept'
	all_said "$at" 'of .* off'
}

@test "Blender imports a model that was written into, its mesh and all" {
	need_blender
	[ -d "$ANIM_CORPUS/gltf" ] || skip "no files of others in ANIM_CORPUS"
	written_into hero.glb
	truth 30 truth.json hero.glb
	imported hero.glb truth.json
	grep '2[0-9] of .* off' said
}

@test "Blender keeps the frames of a .bvh, and its joints are where they should be" {
	need_blender
	local at=0 files=()
	for file in "$DATA"/bvh/arm.bvh "$ANIM_CORPUS"/bvh/*.bvh; do
		[ -e "$file" ] && [[ $file != *cmu_01_01* ]] || continue # whose 2752 frames take it minutes
		at=$((at + 1))
		echo "$at: $file"
		anim-parse -q "$file" | anim-emit -q --order XZY -o "written$at.bvh"
		anim-parse -q --up y "written$at.bvh" >clip.axs # as Blender reads it
		truth source "truth$at.json" "written$at.bvh"
		anim-emit -q json clip.axs >"keys$at.json"
		files+=("$PWD/written$at.bvh" "truth$at.json" "keys$at.json" --)
	done
	imported "${files[@]}"
	all_said "$at" 'of .* off'
	all_said "$at" 'keys kept'
}

@test "assimp reads what is written, and sees the joints of a .bvh where they are" {
	need_assimp
	need_python
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-emit -q -o crane.glb
	"$ASSIMP" info crane.glb --raw >said
	grep -q "'lift'" said
	for file in "$DATA"/bvh/arm.bvh "$ANIM_CORPUS"/bvh/*.bvh; do
		[ -e "$file" ] || continue
		anim-parse -q "$file" | anim-emit -q --force -o written.bvh
		"$ASSIMP" export written.bvh theirs.glb -fglb2 >said
		anim-parse -q theirs.glb 2>/dev/null | anim-emit -q json >theirs.json
		top=$(sed -n 's/^ROOT //p' written.bvh) # which is the root of their tree, where it is no joint to them
		grep -q "\"path\":\"$top\"" theirs.json || sed -i -E "s/\"(path|node)\":\"\.\"/\"\1\":\"$top\"/" theirs.json
		python3 "$ROOT/tests/bvh_poses.py" 1 written.bvh theirs.json >off
		echo "$file: $(cat off)"
		awk '$5 <= 1e-5 { good = 1 } END { exit !good }' off
	done
}
