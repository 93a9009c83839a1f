#!/usr/bin/env bats
# The add-on of integrations/blender in a real Blender (BLENDER, else blender): import, export, errors.

load helper

: "${BLENDER:=blender}"

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "Blender runs the programs on the same bytes"
	not_bytewise "Blender runs the programs on the same bytes"
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
	[ -e "$ANIM_BUILD/lib/libanim.so.1" ] || make -s -C "$ROOT" lib >/dev/null
	mkdir -p addon
	cp -R "$ROOT/integrations/blender/anim_tools" addon
	cp "$ROOT/lib/api/anim.py" addon/anim_tools
	export BLENDER_USER_CONFIG=$PWD/config BLENDER_USER_SCRIPTS=$PWD/scripts
}

# poses WORD...: imports the files and compares the poses. The result is in said.
poses() {
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P "$ROOT/tests/engine/blender_addon.py" -- addon "$@" >said 2>&1 || {
		cat said
		false
	}
	[ "$(grep -c ' poses, ' said)" -eq $# ]
	! grep OFF said
}

# script: runs the Python of standard input in Blender, with the add-on.
script() {
	cat - >script.py
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P script.py </dev/null >said 2>&1 || {
		cat said
		false
	}
}

start='
import os, sys, bpy
sys.path.insert(0, "addon")
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="anim_tools")
load, save = bpy.ops.import_scene.anim_tools, bpy.ops.export_scene.anim_tools
def refused(call, **options):
    try:
        call(**options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError(options)
'

@test "bones are where the files of every format put them, at frames and between them" {
	local walker=$ROOT/examples/walker.tscn suffix

	for suffix in animj animx anim tres axt json fbx glb vrma bvh; do
		anim-convert -q $([ $suffix != vrma ] || echo "--humanoid auto:vrm") "$walker" "w.$suffix" 2>/dev/null
	done
	poses "$walker" "$ROOT/examples/crane.tscn" "$DATA/rests/b01_eyes_low.vrma" "$DATA/vrm/look.vrma" "$DATA/limb/knee.bvh" \
		"$DATA/fbx/walk.fbx" "$DATA/fbx/mixamo.fbx" "$DATA/rests/b09_smpl_tpose.npz" w.json w.fbx w.glb w.vrma w.bvh
	poses "w.animj=$walker" "w.animx=$walker" "w.anim=$walker" "w.tres=$walker" "w.axt=$walker" "w.bvh=$walker" "w.vrma=$walker" "$DATA/rests/b01_eyes_low.vrma=$walker"
}

@test "bones of files by others are where the files put them" {
	local file files=()

	for file in gltf/CesiumMan.glb gltf/RobotExpressive.glb gltf/Fox.glb bvh/cmu_12_01_walk.bvh bvh/test_mocapbank.bvh gltf/test.vrma \
		fbx/quaternius_Shark.fbx fbx/blender_293_barbarian_7400_binary.fbx gltf/24_animation_pointer.gltf \
		"mmd/made/dance.vmd::-x model=$ANIM_CORPUS/mmd/made/biped.pmx" "humanoid/zombie_Run_humanoid.anim=$ROOT/examples/walker.tscn"; do
		[ ! -e "$ANIM_CORPUS/${file%%[:=]*}" ] || files+=("$ANIM_CORPUS/$file")
	done
	[ ${#files[@]} -gt 0 ] || skip "ANIM_CORPUS has no files"
	poses "${files[@]}"
}
