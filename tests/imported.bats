#!/usr/bin/env bats
# Clips of a glTF or FBX file for Godot: the paths are those of the scene that Godot 4.6.3 imports from the file.

load helper

setup() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cd "$BATS_TEST_TMPDIR" || return
	mkdir models
	python3 "$ROOT/tests/engine/models.py" models
}

# paths FILE: the paths in a Godot file, each once.
paths() {
	sed -n 's/^tracks.*NodePath("\(.*\)").*/\1/p' "$1" | uniq
}

@test "the scene that Godot imports has a root of its own" {
	anim convert -q models/root.gltf root.tres
	[ "$(paths root.tres | xargs)" = "rig rig/leg" ]
	anim convert -q models/root.gltf root.tscn
	[ "$(paths root.tscn | xargs)" = "rig rig/leg" ]
	[ "$(grep '^\[node' root.tscn | head -3)" = '[node name="root" type="Node3D"]
[node name="rig" type="Node3D" parent="."]
[node name="leg" type="Node3D" parent="rig"]' ]
	anim convert -q --skeleton none models/root.gltf plain.tres
	[ "$(paths plain.tres | xargs)" = ". leg" ]
}

@test "the skeleton of the imported scene may be named, and other nodes keep their places in that scene" {
	anim convert -q "$DATA/rename/joints_and_prop.glb" own.tres
	anim convert -q --skeleton Arm/Skeleton3D "$DATA/rename/joints_and_prop.glb" named.tres
	cmp own.tres named.tres
	paths named.tres | grep -qx 'Arm/Body'
	# in another skeleton, each bone of the clip is a bone of it
	anim convert -q --skeleton Arm/Other "$DATA/rename/joints_and_prop.glb" other.tres
	[ "$(paths other.tres | grep -c '^Arm/Other:')" -eq "$(paths named.tres | grep -c '^Arm/Skeleton3D:')" ]
}

@test "joints become bones, other nodes are below attachments, and meshes with skins below the skeleton" {
	run -0 --separate-stderr anim convert models/skin.gltf skin.tres
	[ "$stderr" = "anim-parse: models/skin.gltf: note: 2 channels: left out, because a skeleton moves the skinned mesh" ]
	[ "$(paths skin.tres)" = 'Armature
Armature/Skeleton3D:Hips_2
Armature/Skeleton3D/Body:smile
Armature/Skeleton3D:Spine_2
Armature/Skeleton3D/Hips_2/Sword
Armature/Skeleton3D/Hips_2/Sword:smile
Armature/Skeleton3D/Spine_2/Spine
Armature/Skeleton3D/Spine_2/Cam
Armature/Skeleton3D/Hips_2/Sword/Tip
Hips
Armature/Skeleton3D/Hips_2/a_b_c_d' ]
	anim convert -q --skeleton Armature/Skeleton3D models/skin.gltf named.tres
	cmp skin.tres named.tres
	anim convert -q models/joints.gltf joints.tres
	[ "$(paths joints.tres)" = 'Arm
Arm/Skeleton3D:Hand.R
Arm/Skeleton3D:Finger_1
Arm/Skeleton3D/Finger_1/Finger_1:smile
Arm/Skeleton3D:Eye
Arm/Skeleton3D/Glove:smile
Arm/Skeleton3D/Finger_1/Finger_1/Tip
Arm/Sleeve
Arm/Skeleton3D/Sleeve:smile
Arm/Sleeve/Button' ]
}

@test "nodes between joints become bones, and skins that are siblings share a skeleton" {
	anim convert -q models/gaps.gltf gaps.tres
	[ "$(paths gaps.tres | xargs)" = "R R/Skeleton3D:J R/Skeleton3D:n1 R/Skeleton3D:n2 R/Skeleton3D:J2 R/Skeleton3D/M:smile \
R/Skeleton3D/n2/n3 S S/Skeleton3D:s1 S/Skeleton3D:T1 S/Skeleton3D:T2 S/Skeleton3D/N:smile \
B B/Skeleton3D:P B/Skeleton3D:Q B/Skeleton3D/O:smile B/Skeleton3D/U:smile" ]
}

@test "names are unique in the file, and characters that Godot refuses are replaced" {
	anim convert -q models/names.gltf names.tres
	[ "$(paths names.tres | xargs)" = "Node Node/Skeleton3D:bone_2 Node/Skeleton3D:bone_3 Node/Skeleton3D/bone_2/Mesh \
Node/Skeleton3D/bone_2/Mesh:smile bone A A/A2 A/A2/A3 Node/Skeleton3D/Mesh2:smile x_y_z_w_1 ___ Skeleton3D2 Mesh3 Camera" ]
}

@test "suffixes for the importer are removed, and nodes that it leaves out are named" {
	run -0 --separate-stderr anim convert models/suffixes.gltf suffixes.tres
	[ "$stderr" = "anim-parse: models/suffixes.gltf: warning: 4 tracks: the node is not in the scene that Godot imports (first 'Ghost-noimp')" ]
	[ "$(paths suffixes.tres | grep -v Ghost | xargs)" = "Car Car/Front Car/Back2 Car/Back2/Hub Box-col Box-col:smile Box Box:smile Wall Wall:smile plain-col" ]
	run -0 --separate-stderr anim convert models/outside.gltf outside.tres
	[ "$stderr" = "anim-parse: models/outside.gltf: warning: 4 tracks: the node is not in the scene that Godot imports (first 'Out')" ]
}

@test "FBX: each node below a bone has its own attachment, and bones get their names first" {
	run -0 --separate-stderr anim convert models/rig.fbx rig.tres
	[ "$(grep -c 'skeleton' <<<"$stderr")" -eq 1 ]
	[ "$(paths rig.tres)" = 'Arm
Arm/Skeleton3D:Hips
Arm/Skeleton3D:Spine
Arm/Skeleton3D/Sword2/Sword2
Arm/Skeleton3D/Sword2/Sword2:smile
Arm/Skeleton3D/Cam/Cam
Arm/Skeleton3D:Hand.R
Arm/Skeleton3D/Sword/Sword
Arm/Skeleton3D/Sword/Sword:smile
Arm/Skeleton3D/Sword/Sword/Tip
Arm/Skeleton3D/Body:smile
Arm/Hips2
Skin4
Node2
Mesh2
Mesh2:smile
Skeleton3D:Tail
Skeleton3D:Tail_2
Lid
Lid:smile' ]
	anim convert -q --skeleton none models/rig.fbx plain.tres
	[ "$(paths plain.tres | head -2 | xargs)" = "Arm Arm/Hips" ]
	anim convert -q models/rig.fbx rig.tscn
	grep -A1 '^\[node name="Sword2" type="BoneAttachment3D" parent="Arm/Skeleton3D"\]' rig.tscn | grep -q 'bone_name = "Spine"'
	run -0 anim diff --world --max 1e-5m,1e-3deg,0.0001%,1e-6px rig.tscn <(anim-parse -q -x godot-paths models/rig.fbx | anim-axes -q godot)
}

@test "FBX: skins of files before version 6000 are links of their meshes" {
	file="${ANIM_CORPUS:-/nowhere}/fbx/max7_skin_5000_binary.fbx"
	[ -e "$file" ] || skip "ANIM_CORPUS has no such file"
	run -0 bash -c "anim-parse -q -x godot-paths '$file' | anim-dump | sed -n 's/^node path=\"\\([^\"]*\\)\".*/\\1/p' | grep Box01"
	[ "$output" = "Fbx_Root/Skeleton3D/Box01" ]
}

@test "a scene has the skeleton, its bones and its attachments, and shows the same poses" {
	anim convert -q models/skin.gltf skin.tscn
	grep -A1 '^\[node name="Hips_2" type="BoneAttachment3D" parent="Armature/Skeleton3D"\]' skin.tscn | grep -q 'bone_name = "Hips_2"'
	grep -q '^bones/1/name = "Spine_2"' skin.tscn
	run -0 anim diff --world --max 1e-6m,1e-6deg,0.0001%,1e-6px skin.tscn <(anim-parse -q -x godot-paths models/skin.gltf | anim-axes -q godot)
	anim-parse -q skin.tscn | anim-axes gltf | anim-emit -q -o back.gltf
	run -0 anim diff --world --max 1e-6m,1e-6deg,0.0001%,1e-6px back.gltf skin.tscn
}

@test "the same nodes are found below the instance of the model in a scene" {
	cat >level.tscn <<-'TEXT'
		[gd_scene format=3]

		[node name="Level" type="Node3D"]

		[node name="Player" type="Node3D" parent="."]

		[node name="Model" type="Node3D" parent="Player"]

		[node name="Armature" type="Node3D" parent="Player/Model"]

		[node name="Skeleton3D" type="Skeleton3D" parent="Player/Model/Armature"]
		bones/0/name = "Hips_2"
		bones/0/parent = -1
		bones/1/name = "Spine_2"
		bones/1/parent = 0

		[node name="Body" type="Node3D" parent="Player/Model/Armature/Skeleton3D"]

		[node name="Hips" type="Node3D" parent="Player/Model"]

		[node name="Anim" type="AnimationPlayer" parent="Player"]
	TEXT
	cp level.tscn before.tscn
	run -0 --separate-stderr anim convert -n Hips -n Hips_2 -n Spine_2 models/skin.gltf --into level.tscn
	[ "$(paths level.tscn | xargs)" = "Model/Armature/Skeleton3D:Hips_2 Model/Armature/Skeleton3D:Spine_2 Model/Hips" ]
	# Another skeleton, with other names around it, gets its bones from the last names.
	sed -e 's/Armature/Rig/' -e 's/_2"/"/' before.tscn >other.tscn
	anim convert -q -n Spine models/skin.gltf --into other.tscn
	[ "$(paths other.tscn | head -1)" = "../Player/Model/Rig/Skeleton3D:Spine" ]
}

@test "a player that is created animates the same root as the clip" {
	printf '[gd_scene format=3]\n\n[node name="Hero" type="Node3D"]\n\n[node name="rig" type="Node3D" parent="."]\n\n[node name="leg" type="Node3D" parent="rig"]\n' >hero.tscn
	anim convert -q --player rig/leg/Anim models/root.gltf --into hero.tscn
	grep -A1 '^\[node name="Anim" type="AnimationPlayer" parent="rig/leg"\]' hero.tscn | grep -q '^root_node = NodePath("../../..")$'
	anim-info hero.tscn | grep -q '^  rig/leg  *position'
	anim convert -q --player Anim -e 's/.*/two/' --on clip models/root.gltf --into hero.tscn
	[ "$(grep -c root_node hero.tscn)" -eq 1 ]
}

@test "skins that visit too many nodes are refused" {
	python3 - <<-'PY'
		import json
		count, skins = 12000, 6000
		nodes = [{"children": [i + 1]} for i in range(count - 2)] + [{"children": [count - 1, count]}, {}, {}]
		nodes[0]["children"].append(count + 1)
		nodes += [{}]
		json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
		           "skins": [{"joints": [count - 1, count + 1]}] * skins}, open("deep.gltf", "w"))
	PY
	run -1 --separate-stderr anim-parse -x godot-paths deep.gltf
	[ "$stderr" = "anim-parse: deep.gltf: the skins have too many joints" ]
}
