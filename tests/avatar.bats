#!/usr/bin/env bats
# Skeletons that name the bones of a human: avatars and import settings of Unity, and what anim-retarget makes of them.

load helper

corpus="$ANIM_CORPUS/humanoid"
guid=5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e

# A humanoid in Unity's axes whose bones have other names: odd.json, beside hero.json. Clips: tpose.json, walk.json.
odd() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-axes -q unity | anim-emit -q -o hero.json
	sed 's/Skeleton3D:/Skeleton3D:b_/g' hero.json >odd.json
	python3 "$ROOT/tests/humanoid.py" clips
}

# The skeleton of odd.json as Unity writes it: unity KIND TREE OUT [ARGUMENT].
unity() {
	python3 "$ROOT/tests/avatar.py" "$@"
}

# The tree of a file without its names.
tree_of() {
	anim-parse -q "$@" | anim-dump | sed -n '/^node/,$p'
}

# Give the nodes of odd.json attributes: attributes OUT 'BONE KEY VALUE'...
attributes() {
	python3 - "$@" <<-'PYTHON'
		import json, sys
		rows = [json.loads(line) for line in open("odd.json")]
		for row in rows:
		    name = row.get("node", {}).get("path", "").split(":b_")
		    if len(name) > 1:
		        row["node"]["attributes"]["unity.human"] = name[1]
		        for bone, key, value in (text.split() for text in sys.argv[2:]):
		            if bone == name[1]: row["node"]["attributes"][key] = value
		open(sys.argv[1], "w").writelines(json.dumps(row) + "\n" for row in rows)
	PYTHON
}

tracks_of() {
	anim-dump "$1" | sed -n '/^track/,$p' | sed 's/:b_/:/'
}

@test "nodes that say which bone of a human they are need no names" {
	odd
	attributes named.json
	anim-retarget -q --to named.json tpose.json >a.axs
	anim-retarget -q --to hero.json tpose.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
}

@test "limits and twists of the target's bones count, and Unity's own limits change nothing" {
	odd
	attributes usual.json 'Spine unity.limits -40,-40.000001,-40,40,40,40' 'LeftUpperArm unity.twist 0.5'
	anim-retarget -q --to usual.json walk.json >a.axs
	anim-retarget -q --to hero.json walk.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
	# twice the range is twice the value
	attributes wide.json 'Spine unity.limits -80,-80,-80,80,80,80,0,0,0'
	sed '/"property": "Spine Left-Right"/s/"value": \[0, 0.4\]/"value": [0, 0.8]/' walk.json >double.json
	run cmp -s walk.json double.json
	[ "$status" = 1 ]
	anim-retarget -q --to wide.json walk.json >a.axs
	anim-retarget -q --to hero.json double.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
	# an arm that keeps all its twist leaves the forearm alone
	attributes stiff.json 'RightUpperArm unity.twist 0'
	anim-retarget -q --to stiff.json walk.json >a.axs
	run diff <(tracks_of a.axs) <(anim-retarget -q --to hero.json walk.json | tracks_of -)
	[ "$status" = 1 ]
	[ "$(grep -c '^[<>].*track' <<<"$output")" = 0 ]
	anim-emit -q -o a.json a.axs
	python3 - <<-'PYTHON'
		import json
		tracks = [json.loads(line).get("track") for line in open("a.json")]
		values = next(t["columns"]["value"] for t in tracks if t and t["node"].endswith("b_RightLowerArm"))
		assert len(values) == 11 and all(v == values[0] for v in values), values
	PYTHON
}

@test "attributes of bones that are not numbers are one error" {
	odd
	local value
	for value in 1,2,3,4,5 1,2,3,4,5,6,7 x '1,2,3,4,5,6,' 1,2,3,4,5,1e999 1,2,3,4,5,6,7,8,9,10; do
		attributes bad.json "Spine unity.limits $value"
		run -1 --separate-stderr anim-retarget -o x.axs --to bad.json walk.json
		[[ $stderr == *"the target's Spine has unity.limits that are not 6 or 9 numbers" ]]
		[ ! -e x.axs ]
	done
	attributes bad.json 'LeftUpperArm unity.twist half'
	run -1 --separate-stderr anim-retarget -o x.axs --to bad.json walk.json
	[[ $stderr == *": the target's LeftUpperArm has a unity.twist that is not a number" ]]
}

@test "an Avatar as text and the import settings of a model are trees whose bones are named" {
	odd
	unity asset odd.json Avatar.asset
	unity settings odd.json Hero.fbx.meta
	run -0 --separate-stderr anim-parse Avatar.asset --force -o a.axs
	[ -z "$stderr" ]
	anim-info -q Avatar.asset | grep -qx '0 clips, 0 tracks, 0 keys, 0 bytes, 29 nodes'
	anim-info -q Hero.fbx.meta | grep -qx '0 clips, 0 tracks, 0 keys, 0 bytes, 29 nodes'
	diff <(tree_of Avatar.asset | grep -v unity.limits) <(tree_of Hero.fbx.meta)
	tree_of Avatar.asset >tree.txt
	diff - <(sed -n '/b_Spine"/,/^node.*b_Chest"/p' tree.txt | sed '$d; s/^	//') <<-'TEXT'
		node path="Skeleton3D/b_Hips/b_Spine" type="Transform" kind=node has=position,rotation,scale parent=2 position=0,0.1,0 rotation=0,0,0,1 scale=1,1,1
			attr "unity.human" "Spine"
			attr "unity.limits" "-40,-40,-40,40,40,40"
	TEXT
	[ "$(grep -c 'unity.twist" "0.25"' tree.txt)" = 2 ]
	[ "$(grep -c 'unity.human' tree.txt)" = 21 ]
	anim-parse -q Avatar.asset | anim-dump | grep -q '^tree root="HeroAvatar" source="Avatar.asset" axes=unity'
	anim-parse -q Hero.fbx.meta | anim-dump | grep -q '^tree root="Hero" source="Hero.fbx.meta" axes=unity'
	# old versions have no level "data", no upper chest, and another table of paths
	unity asset odd.json old.asset old
	diff <(tree_of old.asset) tree.txt
	# standard input has no folder
	diff <(anim-parse -q - <Hero.fbx.meta | anim-dump | sed -n '/^node/,$p') <(tree_of Hero.fbx.meta)
}

@test "humanoid clips move the bones of an Avatar, of import settings and of a prefab alike" {
	odd
	mkdir Assets
	unity asset odd.json Avatar.asset
	unity settings odd.json Assets/Hero.fbx.meta
	touch Assets/Hero.fbx
	unity prefab odd.json Assets/Hero.prefab "$guid"
	for file in Avatar.asset Assets/Hero.fbx.meta Assets/Hero.prefab; do
		anim-retarget -q --to "$file" tpose.json | anim-dump | sed -n '/^track/,$p' >"${file##*/}.txt"
	done
	anim-retarget -q --to hero.json tpose.json | anim-dump | sed -n '/^track/,$p' | grep -v godot.bone >hero.txt
	grep -c '^track' hero.txt | grep -qx 17
	diff Hero.fbx.meta.txt Hero.prefab.txt
	# an Avatar beside the prefab, found by its guid, and one in the file of the prefab
	local other
	other=$(printf 'b%.0s' {1..32})
	cp Avatar.asset Assets
	printf 'fileFormatVersion: 2\nguid: %s\nNativeFormatImporter:\n  userData: \n' "$other" >Assets/Avatar.asset.meta
	unity prefab odd.json Assets/Beside.prefab "$other"
	{
		sed 's/guid: [0-9a-f]*, type: 3/type: 0/; s/, type: 0//' Assets/Beside.prefab
		sed 1,2d Avatar.asset
	} >Inside.prefab
	for file in Assets/Beside.prefab Inside.prefab; do
		anim-retarget -q --to "$file" tpose.json | anim-dump | sed -n '/^track/,$p' >got.txt
		diff Avatar.asset.txt got.txt
	done
	# the Avatar's limits of 57 degrees are not the usual ones
	run diff Hero.fbx.meta.txt Avatar.asset.txt
	[ "$status" = 1 ]
	grep '^	' Hero.fbx.meta.txt >a.txt
	grep '^	' hero.txt >b.txt
	diff a.txt b.txt
}

@test "a prefab that rests in another pose than its avatar gives the same, without a note" {
	odd
	unity settings odd.json Hero.fbx.meta
	touch Hero.fbx
	sed '/b_LeftUpperArm"/s/"rotation":\[[^]]*\]/"rotation":[0,0,0.38268343,0.9238795]/; /b_RightLowerArm"/s/"rotation":\[[^]]*\]/"rotation":[0.1,-0.2,0,0.9746794]/' odd.json >posed.json
	unity prefab odd.json Hero.prefab "$guid"
	unity prefab posed.json Posed.prefab "$guid"
	[ "$(tree_of Hero.prefab | grep -c unity.tpose)" = 0 ]
	[ "$(tree_of Posed.prefab | grep -c 'unity.tpose" "0,0,0,1"')" = 2 ]
	anim-retarget -q --to Hero.prefab walk.json >h.axs
	run -0 --separate-stderr anim-retarget --to Posed.prefab -o p.axs walk.json
	[[ $stderr != *aligned* ]]
	diff <(tracks_of h.axs) <(tracks_of p.axs)
}

@test "a prefab with a model has the nodes of the model's import settings, and plays clips on them" {
	odd
	unity settings odd.json Hero.fbx.meta
	touch Hero.fbx
	printf -- '--- !u!1 &1\nGameObject:\n  m_Name: Level\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n' >Level.unity
	for id in 10 20; do
		printf -- '--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 2}\n    m_Modifications:\n' $id
		printf '    - target: {fileID: 919132149155446097, guid: %s, type: 3}\n      propertyPath: m_Name\n      value: Hero%d\n      objectReference: {fileID: 0}\n' $guid $id
		printf '  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n' $guid
	done >>Level.unity
	run -0 --separate-stderr anim-parse Level.unity --force -o l.axs
	[[ $stderr == *"Level.unity:8:1: note: 2 models: not read ('Hero.fbx'); nodes come from the skeleton in the import settings"* ]]
	[[ $stderr != *"?ID"* ]]
	anim-dump l.axs >l.txt
	for hero in Hero10 Hero20; do
		[ "$(grep -c "^node path=\"$hero" l.txt)" = 29 ]
		grep -q "^node path=\"$hero/Skeleton3D/b_Hips/b_Spine\"" l.txt
	done
	[ "$(grep -c 'unity.human" "Spine"' l.txt)" = 2 ]
	# a bone right below the root, which has another name in the scene
	sed 's/b_Hips/pelvis/; s/parentName: Skeleton3D/parentName: Hero(Clone)/; s/boneName: b_Hips/boneName: pelvis/; s/parentName: b_Hips/parentName: pelvis/' Hero.fbx.meta >own.meta
	mv own.meta Hero.fbx.meta
	anim-parse -q Level.unity | anim-dump | grep -A9 '^node path="Hero10/pelvis"' | grep -q 'unity.human" "Hips"'
	# in a prefab of its own
	sed -n '/&10$/,/&20$/p' Level.unity | sed '$d; s/m_TransformParent: .*/m_TransformParent: {fileID: 0}/' >Hero.prefab
	anim-retarget -q --to Hero.prefab walk.json >h.axs
	anim-retarget -q --to Hero.fbx.meta walk.json >m.axs
	diff <(tracks_of h.axs) <(tracks_of m.axs)
}

@test "nodes of a model get fileIDs that no other object has" {
	odd
	unity settings odd.json Hero.fbx.meta
	touch Hero.fbx
	# the fileIDs of these instances would give their nodes the fileIDs from 1 and 2 on
	for id in {1..20}; do printf -- '--- !u!1 &%d\nGameObject:\n  m_Name: Other\n' "$id"; done >Level.unity
	for id in -1018231460777725123 -2036462921555450246; do
		printf -- '--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n' "$id"
		printf '  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n' "$guid"
	done >>Level.unity
	[ "$(anim-parse -q Level.unity | anim-dump | grep -c '^node path=".*b_Hips')" -eq $((2 * $(anim-parse -q Hero.fbx.meta | anim-dump | grep -c '^node path=".*b_Hips'))) ]
}

@test "a model that copies its avatar has the bones of the other model" {
	odd
	unity settings odd.json Hero.fbx.meta
	unity prefab odd.json Hero.prefab "$(printf 'a%.0s' {1..32})"
	printf 'fileFormatVersion: 2\nguid: %s\nModelImporter:\n  humanDescription:\n    human: []\n    skeleton: []\n  lastHumanDescriptionAvatarSource: {fileID: 9000000, guid: %s, type: 3}\n' \
		"$(printf 'a%.0s' {1..32})" $guid >Run.fbx.meta
	touch Hero.fbx Run.fbx
	anim-retarget -q --to Hero.fbx.meta walk.json >h.axs
	for file in Run.fbx.meta Hero.prefab; do
		anim-retarget -q --to "$file" walk.json >r.axs
		diff <(tracks_of h.axs) <(tracks_of r.axs)
	done
	rm Hero.fbx.meta
	run -1 --separate-stderr anim-retarget --to Run.fbx.meta walk.json
	[ "$stderr" = "anim-retarget: Run.fbx.meta: the model has the avatar of another one (guid $guid), which was not found" ]
	# two models that copy each other
	sed "s/guid: a*$/guid: $guid/; s/guid: $guid, type/guid: $(printf 'a%.0s' {1..32}), type/" Run.fbx.meta >Hero.fbx.meta
	run -1 --separate-stderr anim-parse Run.fbx.meta
	[[ $stderr == "anim-parse: Run.fbx.meta: the model has the avatar of another one"* ]]
	# a prefab without an avatar that can be read is read as before
	run -0 --separate-stderr anim-parse -q Hero.prefab --force -o h.axs
	[ "$(anim-dump h.axs | grep -c unity.human)" = 0 ]
	[ "$(anim-dump h.axs | grep -c '^node')" = 29 ]
}

@test "import settings without a skeleton are one error that says why" {
	odd
	unity settings odd.json flat.fbx.meta flat
	run -1 --separate-stderr anim-parse flat.fbx.meta
	[ "$stderr" = "anim-parse: flat.fbx.meta: the skeleton has no parents, as in Unity 5 and earlier; read the model itself" ]
	# but a prefab finds its bones by their names
	touch flat.fbx
	unity prefab odd.json Hero.prefab "$guid"
	[ "$(tree_of Hero.prefab | grep -c unity.human)" = 21 ]
	printf 'fileFormatVersion: 2\nguid: %s\nModelImporter:\n  humanDescription:\n    human: []\n    skeleton: []\n' "$guid" >generic.fbx.meta
	run -1 --separate-stderr anim-parse generic.fbx.meta
	[ "$stderr" = "anim-parse: generic.fbx.meta: the import settings have no skeleton: the model is not a humanoid; read the model itself" ]
}

@test "limits that somebody changed in import settings count, with their centre" {
	odd
	unity settings odd.json Hero.fbx.meta
	python3 - <<-'PYTHON'
		text = open("Hero.fbx.meta").read()
		at = text.index("b_Spine")
		changed = text[at:].replace("min: {x: 0, y: 0, z: 0}", "min: {x: -80, y: -80, z: -80}", 1).replace("max: {x: 0, y: 0, z: 0}", "max: {x: 80, y: 80, z: 80.5}", 1)
		open("Wide.fbx.meta", "w").write(text[:at] + changed.replace("modified: 0", "modified: 1", 1))
		open("Off.fbx.meta", "w").write(text[:at] + changed.replace("modified: 0", "modified: 1", 1).replace("value: {x: 0", "value: {x: 5", 1))
	PYTHON
	tree_of Wide.fbx.meta | grep -q '"unity.limits" "-80,-80,-80,80,80,80.5"'
	tree_of Off.fbx.meta | grep -q '"unity.limits" "-80,-80,-80,80,80,80.5,5,0,0"'
	sed '/"property": "Spine Left-Right"/s/"value": \[0, 0.4\]/"value": [0, 0.8]/' walk.json >double.json
	anim-retarget -q --to Wide.fbx.meta walk.json >a.axs
	anim-retarget -q --to Hero.fbx.meta double.json >b.axs
	diff <(tracks_of a.axs) <(tracks_of b.axs)
}

@test "Avatars and import settings that are damaged are one error with its line" {
	odd
	unity asset odd.json good.asset
	unity settings odd.json good.fbx.meta
	bad() {
		sed "$2" "good.$1" >"bad.$1"
		run cmp -s "good.$1" "bad.$1"
		[ "$status" = 1 ]
		run -1 --separate-stderr anim-parse "bad.$1" --force -o bad.axs
		[[ "${stderr_lines[0]}" =~ ^anim-parse:\ bad\.$1:[0-9]+:[0-9]+:\ $3$ ]] || { echo "$2: $stderr"; return 1; }
		[ "${#stderr_lines[@]}" -le 2 ]
		[ ! -e bad.axs ]
	}
	bad asset '0,/m_ParentId: 2/s//m_ParentId: 3/' 'm_ParentId 3 of node 3 is not an earlier node'
	bad asset '0,/m_ParentId: 2/s//m_ParentId: 9/' 'm_ParentId 9 of node 3 is not an earlier node'
	bad asset '0,/m_ParentId: 2/s//m_ParentId: -2/' 'm_ParentId -2 of node 3 is not an earlier node'
	bad asset '0,/m_ParentId: 2/s//m_ParentId: x/' ".*m_ParentId.*"
	bad asset '0,/m_ID: 00000000/s//m_ID: 000000/' 'm_ID: not an array of 32-bit integers in hexadecimal digits'
	bad asset '0,/m_ID: 00000000/s//m_ID: 0000000g/' 'm_ID: not an array of 32-bit integers in hexadecimal digits'
	bad asset '0,/m_ID: 00000000/s//m_ID: /' 'the Avatar has 29 nodes, but 28 ids and 29 transforms'
	bad asset '0,/m_X:/s//m_Y:/' 'the Avatar has 29 nodes, but 29 ids and 0 transforms'
	bad asset '0,/m_AvatarSkeleton:/s//m_Nothing:/' 'the Avatar has no skeleton'
	bad asset '0,/m_Avatar:/s//m_Nothing:/' 'the Avatar has no m_Avatar'
	bad asset 's/m_HumanSkeletonIndexArray: ......../m_HumanSkeletonIndexArray: ff000000/' 'm_HumanSkeletonIndexArray has 255, but there are 29 nodes'
	bad asset 's/m_HumanSkeletonIndexArray: ......../m_HumanSkeletonIndexArray: ffffffff/' 'm_HumanSkeletonIndexArray has -1, but there are 29 nodes'
	bad asset 's/m_HumanSkeletonIndexArray: ......../m_HumanSkeletonIndexArray: /' 'the human has 22 nodes, but m_HumanSkeletonIndexArray has 21'
	bad asset 's/m_HumanBoneIndex: ......../m_HumanBoneIndex: 16000000/' 'm_HumanBoneIndex has node 22, but the human has 22 nodes'
	bad asset 's/m_HumanBoneIndex: ......../m_HumanBoneIndex: feffffff/' 'm_HumanBoneIndex has node -2, but the human has 22 nodes'
	bad asset 's/m_HumanBoneIndex: ................/m_HumanBoneIndex: /' 'm_HumanBoneIndex has 23 bones, not 24 or 25'
	bad asset '0,/m_HandBoneIndex: ......../s//m_HandBoneIndex: /' 'm_HandBoneIndex has 14 bones, not 15'
	bad asset '0,/m_HandBoneIndex: ......../s//m_HandBoneIndex: 00000080/' 'm_HandBoneIndex has node -2147483648, but the human has 22 nodes'
	bad asset 's/m_AxesId: 7$/m_AxesId: 22/' 'm_AxesId 22 of node 7 is not in m_AxesArray'
	bad asset 's/m_AxesId: 7$/m_AxesId: 99999999999/' 'm_AxesId 2147483647 of node 7 is not in m_AxesArray'
	bad asset 's/m_Min: {x: -1,/m_Min: {x: nan,/' ".m_Min. is not finite"
	bad asset 's/m_ForeArmTwist: 0.25/m_ForeArmTwist: x/' ".*m_ForeArmTwist.*"
	bad asset '0,/t: {x: 0,/s//t: {x: inf,/' ".t. is not finite"
	bad fbx.meta 's/foreArmTwist: 0.25/foreArmTwist: x/' ".foreArmTwist. is not a number"
	bad fbx.meta '0,/position: {x: 0,/s//position: {x: q,/' "x is not a number: 'q'"
	bad fbx.meta '0,/modified: 0/s//modified: yes/' ".*modified.*"
	[[ "$stderr" == "anim-parse: bad.fbx.meta:14:"* ]] # the line of the file
	bad fbx.meta '/  skeleton:/s/:/: [/' ".*"
	# every beginning is refused or is harmless
	for size in $(seq 1 997 "$(stat -c %s good.asset)"); do
		head -c "$size" good.asset >part.asset
		run anim-parse -q part.asset -o part.axs --force
		[ "$status" -le 1 ]
	done
	# parents in a ring are left out with a warning
	sed '/- name: b_Spine/,/parentName/s/parentName: .*/parentName: b_Chest/' good.fbx.meta >ring.fbx.meta
	run -0 --separate-stderr anim-parse ring.fbx.meta --force -o ring.axs
	[[ $stderr == *"Transforms are in a cycle of parents and are left out"* ]]
}

@test "the axes and lengths of Unity's avatars follow from their trees, and clips rotate their bones, to 1e-5" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	for name in cat lip vroid; do
		anim-parse -q "$corpus/av_$name.asset" | anim-emit -q -o tree.json --force
		python3 "$ROOT/tests/humanoid.py" axes "$corpus/av_$name.asset" tree.json
		python3 "$ROOT/tests/humanoid.py" avatar "$corpus/av_$name.asset" other.json clip.json
		anim-retarget -q --strict --to "$corpus/av_$name.asset" clip.json | anim-bake -q | anim-emit -q -o result.json --force
		python3 "$ROOT/tests/humanoid.py" check "$corpus/av_$name.asset" clip.json result.json tree.json
	done
}

@test "humanoid clips move glTF and VRM models, FBX with the names of Mixamo, BVH, and any tree with a map" {
	odd
	not_bytewise "an evaluator in Python looks at values"
	local file
	anim-retarget -q --to hero.json tpose.json | anim-emit -q -o want.json
	anim-retarget -q --to hero.json walk.json | anim-emit -q -o want_walk.json
	anim-emit -q -o names.glb hero.json
	anim-emit -q -o odd.gltf odd.json
	anim-rename -q --humanoid godot:mixamo hero.json >mixamo.axs
	anim-emit -q -o mixamo.fbx mixamo.axs
	anim-resample -q 10 mixamo.axs | anim-emit -q -o mixamo.bvh
	python3 - <<-'PYTHON'
		import json
		document = json.load(open("odd.gltf"))
		bones = {}
		for i, node in enumerate(document["nodes"]):
		    if node["name"].startswith("b_") and not node["name"].endswith(("End", "Top", "Fingers")):
		        bones[node["name"][2].lower() + node["name"][3:]] = i
		        node["name"] = "n%d" % i
		document["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "meta": {}, "humanoid": {"humanBones": {b: {"node": i} for b, i in bones.items()}}}}
		json.dump(document, open("new.vrm", "w"))
		document["extensions"] = {"VRM": {"humanoid": {"humanBones": [{"bone": b, "node": i} for b, i in bones.items()]}}}
		json.dump(document, open("old.vrm", "w"))
	PYTHON
	for file in names.glb new.vrm old.vrm mixamo.fbx mixamo.bvh "$ROOT/examples/walker.tscn"; do
		anim-retarget -q --to "$file" tpose.json | anim-emit -q -o got.json --force
		python3 "$ROOT/tests/humanoid.py" equal_rotations want.json got.json
	done
	# a tree whose names say nothing
	sed 's/b_/_/g; s/Arm/Rod/g; s/Leg/Strut/g; s/Hips/Base/g; s/Spine/Pole/g' odd.json >mute.json
	for bone in Hips Spine Chest Neck Head {Left,Right}{Shoulder,UpperArm,LowerArm,Hand,UpperLeg,LowerLeg,Foot,Toes}; do
		echo "$bone,_$(sed 's/Arm/Rod/; s/Leg/Strut/; s/Hips/Base/; s/Spine/Pole/' <<<"$bone")"
	done >map.csv
	run -1 --separate-stderr anim-retarget -q --to mute.json -o x.axs walk.json
	anim-retarget -q --to mute.json --map map.csv walk.json | anim-emit -q -o got.json --force
	python3 "$ROOT/tests/humanoid.py" equal_rotations want_walk.json got.json
}

@test "a generic clip leaves its skeleton by way of the import settings of its model" {
	odd
	unity settings odd.json Hero.fbx.meta
	anim-emit -q -o walk.anim odd.json
	anim-retarget -q --from Hero.fbx.meta --to hero.json walk.anim | anim-emit -q -o got.json
	grep -q '"node":"Skeleton3D:LeftUpperArm","property":"rotation"' got.json
}
