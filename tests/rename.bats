#!/usr/bin/env bats
# anim-rename as a program: options, lists, maps, CRCs, bones, and that records it does not touch pass as they are.

load helper

# renamed FILE OPTION...: the nodes of the tracks of a file, renamed, one a line.
renamed() {
	local file=$DATA/rename/$1
	shift
	anim-parse "$file" | anim-rename "$@" | anim-info --json | grep -o '"node":"[^"]*"' | cut -d'"' -f4
}

# lists FILE OPTION...: what a dry run prints.
lists() {
	local file=$DATA/rename/$1
	shift
	run -0 --separate-stderr bash -o pipefail -c 'anim-parse "$0" | anim-rename --dry-run "$@"' "$file" "$@"
}

@test "an expression renames nodes, and what is below them follows" {
	[ "$(renamed dance.anim -e 's/Spine$/Chest/' -e 's|^Armature/||')" = 'Hips
Hips/Chest
Hips/Chest/Hand_L
Hips
Body' ]
}

@test "an expression without g that matches again in later names of paths is noted, others are not" {
	local note="an expression without g changes the first match alone; it matches again in 3 paths, so add g: s/OLD/NEW/g"
	anim-parse "$DATA/rename/dance.anim" | anim-rename -e 's/^Armature/mix:A/' -e 's/Hips/mix:Hips/' -e 's/Spine/mix:Spine/' >mix.axs
	run -0 --separate-stderr bash -c 'anim-rename -e s/mix:// mix.axs | anim-info --csv'
	[[ $stderr == "anim-rename: "*"note: $note" ]]
	for flags in '-e s/mix://g' '--on name -e s/mix://' '-e s/d/t/ -n Body'; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr bash -c "anim-rename $flags mix.axs | anim-info --csv"
		[ "$stderr" = '' ]
		[[ $flags == *Body || $output != *mix:* ]]
	done
}

@test "expressions go through names one by one with --on name, through properties and clips where these are asked for" {
	[ "$(renamed dance.anim --on name -e 's/[aei]/_/' | sort -u)" = 'Arm_ture/H_ps
Arm_ture/H_ps/Sp_ne
Arm_ture/H_ps/Sp_ne/H_nd_L
Body' ]
	pipe 'anim-parse "$ANIM_DATA/rename/dance.anim" | anim-rename --on property -e "s/Smile/Joy/" |
		anim-rename --on clip -e "s/ance/usk/" | anim-info'
	[ "$status" -eq 0 ]
	[[ $output == "Dusk: "* ]]
	[[ $output == *"  blend_shape/Joy  "* ]]
	[[ $output != *Smile* ]]
}

# wrote FORMAT: what a stream is called in it, once each.
wrote() { anim-emit -q "$1" --axes keep 2>/dev/null | grep -oE "$2" | sort -u; }

@test "a ':' in the name of a joint is a letter in every format, whether it came so or a map, a naming or an expression wrote it" {
	sed -E 's/(ROOT|JOINT) /&rig:/' "$DATA/bvh/arm.bvh" >rig.bvh
	printf '%s\n' Hips,rig:Hips Arm,rig:Arm Hand,rig:Hand Hand_end,rig:Hand_end >rig.csv
	anim-parse -q --unit cm rig.bvh | anim-bake -q >came.axs
	anim-parse -q --unit cm "$DATA/bvh/arm.bvh" | anim-bake -q | tee arm.axs | anim-rename -q --map rig.csv >map.axs
	anim-rename -q --on name -e 's/^(Hips|Arm|Hand)/rig:&/' arm.axs >name.axs
	anim-rename -q -e 's,(Hips|Arm|Hand)(_end)?,rig:&,g' arm.axs >path.axs
	for s in came map name path; do
		[ "$(wrote unity ' path: r.*' <$s.axs)" = $' path: rig:Hips\n path: rig:Hips/rig:Arm\n path: rig:Hips/rig:Arm/rig:Hand' ]
		[ "$(wrote tres 'NodePath(.*)' <$s.axs | tail -n 1)" = 'NodePath("rig_Hips/rig_Arm/rig_Hand")' ]
		[ "$(wrote tscn 'name="rig_Hand" .*' <$s.axs)" = 'name="rig_Hand" type="Node3D" parent="rig_Hips/rig_Arm"]' ]
		[ "$(wrote animj '"node":[^,]*' <$s.axs)" = $'"node":"rig:Arm"\n"node":"rig:Hand"\n"node":"rig:Hips"' ]
		[ "$(wrote bvh '(ROOT|JOINT) .*' <$s.axs)" = $'JOINT rig:Arm\nJOINT rig:Hand\nROOT rig:Hips' ]
		[ "$(wrote gltf '"name":"rig[^"]*[a-z]"' <$s.axs | grep -v _end)" = $'"name":"rig:Arm"\n"name":"rig:Hand"\n"name":"rig:Hips"' ]
		[ "$(anim-info --tree $s.axs | grep -c 'rig:[A-Z][a-z]* bone')" = 3 ]
		run -0 anim-diff --world came.axs $s.axs
	done
	anim-rename -q --humanoid cmu:mixamo arm.axs | wrote unity ' path: m.*' | grep -qx ' path: mixamorig:Hips'
	[ "$(anim-rename --on name -e s/rig:// came.axs | anim-info --tree)" = "$(anim-info --tree arm.axs | sed s/arm/rig/g)" ]
	anim-rename --bones Skeleton3D came.axs | anim-info --tree | grep -q '^        rig_Arm bone'
	[ "$(anim-rename -q --bones A/My came.axs | wrote animj '"node":[^,]*' | head -n 1)" = '"node":"rig_Arm"' ]
	anim-rename -q --bones A/My arm.axs | anim-rename -q -e 's/My:Arm$/My:rig:Arm/' | wrote tres 'NodePath("A/My:rig_Arm")'
}

@test "names of a map that match nothing are reported by all that read one, if others match" {
	printf '%s\n' Hips,Hips Arm,Arm Hand,Hand Hipz,B Arm/Hnd,c >map.csv
	anim-parse -q --unit cm "$DATA/bvh/arm.bvh" | anim-bake -q >arm.axs
	anim-emit -q -o arm.glb arm.axs
	for program in "rename --map" "retarget --to arm.glb --map" "mirror --pairs"; do
		run -0 --separate-stderr anim-$program map.csv -o out.axs arm.axs
		[[ $stderr == *": note: 2 names of the map: no match (Hipz, Arm/Hnd)" ]]
	done
	printf 'Hipz,B\n' >none.csv
	run -0 --separate-stderr anim-rename --map none.csv -o out.axs arm.axs
	[[ $stderr == *"nothing was renamed"* && $stderr != *"no match"* ]]
}

@test "a dry run lists each name that would change once, aligned, and writes no stream" {
	lists dance.anim -e 's/Hips/Pelvis/'
	[ "$output" = 'Armature/Hips              -> Armature/Pelvis
Armature/Hips/Spine        -> Armature/Pelvis/Spine
Armature/Hips/Spine/Hand_L -> Armature/Pelvis/Spine/Hand_L' ]
	[ -z "$stderr" ]
	lists dance.anim --on property -e 's/Smile/Joy/'
	[ "$output" = 'blend_shape/Smile -> blend_shape/Joy' ]
	lists dance.anim --on clip -e 's/D/d/'
	[ "$output" = 'Dance -> dance' ]
	lists dance.tscn --bones Armature/Skeleton3D
	[ "$output" = 'Armature/Hips                    -> Armature/Skeleton3D:Hips
Armature/Hips/Spine/Hand_L       -> Armature/Skeleton3D:Hand_L
Armature/Hips/Spine/Hand_L       -> Armature/Skeleton3D/Hand_L
Armature/Hips/Spine/Hand_L/Sword -> Armature/Skeleton3D/Hand_L/Sword' ]
}

@test "a dry run writes to -o, names safe to show" {
	anim-parse "$DATA/rename/dance.anim" | anim-rename --dry-run --on clip -e "s/D/$(printf '\033')/" -o list
	[ "$(cat list)" = 'Dance -> \x1bance' ]
}

@test "what is no regular expression is refused in the words of the C library" {
	run -2 --separate-stderr anim-rename -e 's/(a/b/' </dev/null
	[[ ${stderr_lines[0]} == "anim-rename: -e 's/(a/b/': '(a' is not a valid regular expression: "[A-Z]* ]]
}

@test "a name that matches nothing is warned of" {
	lists dance.anim -e 's/Tail/Tale/'
	[ -z "$output" ]
	[ "$stderr" = 'anim-rename: warning: nothing was renamed: no name matches' ]
	run -1 bash -c 'anim-parse "$ANIM_DATA/rename/dance.anim" | anim-rename --strict -e s/Tail/Tale/ | anim-info'
}

@test "a map renames by name and by path, several maps are one" {
	printf 'from,to\r\nHips,"pel,vis"\r\n' >one.csv
	printf 'Armature/Hips/Spine,Rig/Chest\n./Body,Mesh' >two.csv
	[ "$(renamed dance.anim --map one.csv --map two.csv)" = 'Armature/pel,vis
Rig/Chest
Rig/Chest/Hand_L
Armature/pel,vis
Mesh' ]
}

@test "bones of a human get another engine's names wherever they are in a path" {
	anim-parse "$DATA/rename/dance.anim" | anim-rename -e 's/Hand_L/LeftHand/' | anim-rename --humanoid unity:mixamo >m.axs
	anim-info m.axs | grep -q ' Armature/mixamorig:Hips/mixamorig:Spine/mixamorig:LeftHand '
	anim-rename --humanoid mixamo:vrm m.axs | anim-info | grep -q ' Armature/hips/spine/leftHand '
}

@test "bones of a human are found in the tree, whatever they are called, by all names or those that the file records" {
	anim-rename --dry-run --humanoid auto:vrm "$DATA/rename/classic_names.bvh" >list
	[ "$(wc -l <list)" -eq 18 ]
	grep -q '/LeftUpArm/LeftLowArm  *-> hips/spine/leftShoulder/leftUpperArm/leftLowerArm$' list
	grep -q '^Hips/RightUpLeg/RightLowLeg/RightFoot  *-> hips/rightUpperLeg/rightLowerLeg/rightFoot$' list
	anim-rename --dry-run --humanoid auto:mixamo "$ROOT/examples/walker.tscn" | grep -qx 'Skeleton3D:LeftLowerArm  *-> Skeleton3D:mixamorig:LeftForeArm'
	anim-rename -q --humanoid auto:vrm "$DATA/rename/classic_names.bvh" | anim-rename --dry-run --humanoid auto:unity - | grep -q ' -> Hips/Spine/Neck$'
	run -0 --separate-stderr anim-rename --humanoid auto:vrm "$ROOT/examples/crane.tscn"
	[ "${stderr_lines[0]##*: }" = "no bones of a human have known names, so nothing is renamed" ]
	anim-parse -q "$DATA/rename/dance.anim" >loose.axs
	run -1 --separate-stderr anim-rename --humanoid auto:vrm loose.axs
	[[ "$stderr" == *"which this clip lacks; name the set of its names, as in --humanoid mixamo:vrm" ]]
	run -2 --separate-stderr anim-rename --humanoid auto:vrm -c a loose.axs
	run -2 --separate-stderr anim-rename --humanoid vrm:auto loose.axs
}

@test "CRCs of paths get them back from a list, a scene or a stream, others stay and are warned of" {
	printf 'Top/Armature/Hips\r\nArmature/Hips/Spine/Hand_L' >names.txt
	anim-parse "$DATA/rename/dance.tscn" >names.axs
	for names in names.txt names.axs "$DATA/rename/dance.tscn" "$DATA/rename/dance.anim"; do
		lists ripped.anim --crc "$names"
		[ "$output" = '3561920168      -> Armature/Hips
path_2927803205 -> Hips/Spine/Hand_L' ]
		[ "$stderr" = "anim-rename: warning: CRC '17': unchanged, because no known path matches" ]
	done
}

@test "CRCs of bones are those of the path through the bones above them" {
	# crc32 of "Skeleton3D/base/arm"
	sed 's/3561920168/3373140418/' "$DATA/rename/ripped.anim" >bones.anim
	anim-parse bones.anim | anim-rename -q --crc "$ROOT/examples/crane.tscn" | anim-info | grep -q '^  Skeleton3D/base/arm '
}

@test "--bones makes a skeleton of nodes: every transform track is of a bone, rests stay" {
	pipe 'anim-parse "$ANIM_DATA/rename/dance.anim" | anim-axes godot | anim-rename --bones Armature/Skeleton3D | anim-info --json'
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(grep -o '"node":"[^"]*"' <<<"$output" | cut -d'"' -f4)" = 'Armature/Skeleton3D:Hips
Armature/Skeleton3D:Spine
Armature/Skeleton3D:Hand_L
Armature/Skeleton3D:Hips
Body' ]
	pipe 'anim-parse "$ANIM_DATA/rename/dance.tscn" | anim-rename --bones Armature/Skeleton3D | anim-info --tree'
	[ "$output" = 'tree of Hero, from dance.tscn, godot axes
  . Node3D
    Armature Node3D position (5, 0, 0) rotation (0, 0, 0, 1) scale (1, 1, 1)
      Skeleton3D Skeleton3D
        Hips bone position (0, 1, 0) rotation (0, 0, 0, 1) scale (1, 1, 1)
          Spine bone
            Hand_L bone
              Thumb_L bone
        Hand_L BoneAttachment3D
          Sword mesh MeshInstance3D
            Gem light OmniLight3D
    Body mesh MeshInstance3D
    Player AnimationPlayer' ]
}

@test "--bones leaves nodes that neither are joints nor lead to any, if the file has joints" {
	pipe 'anim-parse "$ANIM_DATA/rename/joints_and_prop.glb" | anim-axes godot | anim-rename --bones Arm/Skeleton3D | anim-emit -o x.tscn'
	[ "$(sed -n 's/^bones.*name = "\(.*\)"/\1/p' x.tscn | xargs)" = "Hip.L Leg_1 Leg_2" ]
	grep -q '^tracks/3/path = NodePath("Body")' x.tscn
	grep -q '^\[node name="Body" type="Node3D" parent="."\]' x.tscn
	# A node below a joint is below the attachment of the joint.
	python3 - "$DATA/rename/joints_and_prop.glb" <<-'PY'
		import json, struct, sys
		data = open(sys.argv[1], "rb").read()
		size = struct.unpack("<I", data[12:16])[0]
		document = json.loads(data[20:20 + size])
		document["nodes"][0]["children"].remove(4)
		document["nodes"][1]["children"].append(4)
		document["nodes"][4] = {"name": "Prop", "children": [6]}
		document["nodes"].append({"name": "Tip"})
		text = json.dumps(document).encode()
		text += b" " * (-len(text) % 4)
		rest = data[20 + size:]
		open("prop.glb", "wb").write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
	PY
	pipe 'anim-parse prop.glb | anim-axes godot | anim-rename --bones Arm/Skeleton3D | anim-emit -o y.tscn'
	[ "$(sed -n 's/^bones.*name = "\(.*\)"/\1/p' y.tscn | xargs)" = "Hip.L Leg_1 Leg_2" ]
	grep -q '^tracks/3/path = NodePath("Arm/Skeleton3D/Hip_L/Prop")' y.tscn
	grep -A1 'type="BoneAttachment3D" parent="Arm/Skeleton3D"' y.tscn | grep -q 'bone_name = "Hip.L"'
}

@test "a Unity clip whose nodes became bones binds in Godot, every transform track to a bone of the scene's skeleton" {
	pipe 'anim-parse "$ANIM_DATA/rename/dance.tscn" | anim-rename --bones Armature/Skeleton3D | anim-emit -o scene.tscn'
	[ "$status" -eq 0 ]
	pipe 'anim-parse "$ANIM_DATA/rename/dance.anim" | anim-axes godot | anim-rename --bones Armature/Skeleton3D |
		anim-emit -o dance.tres'
	[ "$status" -eq 0 ]
	grep -A 3 -E 'type = "(position|rotation|scale)_3d"' dance.tres | sed -n 's/.*path = NodePath("\(.*\)")/\1/p' >tracks
	[ "$(wc -l <tracks)" -eq 4 ]
	anim-info --json scene.tscn | grep -o '"path":"[^"]*","type":"","kind":"bone"' | cut -d'"' -f4 >bones
	[ "$(wc -l <bones)" -eq 4 ]
	[ -z "$(sort -u tracks | grep -vxFf bones)" ]
}

@test "restored, mapped, matched and made bones, in this order" {
	printf 'Hips,mixamorig:Hips\n' >map.csv
	[ "$(renamed ripped.anim -q --crc "$DATA/rename/dance.tscn" --map map.csv --humanoid mixamo:vrm -e 's/hips/hip/' \
		--bones Skeleton3D 2>/dev/null)" = 'Skeleton3D:hip
Skeleton3D:Hand_L
Skeleton3D:17
.' ]
}

@test "selections keep all else as it is, tree and bytes" {
	anim-parse --no-provenance "$DATA/rename/dance.tscn" >in.axs
	anim-rename --no-provenance -c other -e 's/Hips/X/' in.axs >out.axs 2>warned
	[ "$(cat warned)" = 'anim-rename: warning: nothing was renamed: no name matches' ]
	same in.axs out.axs
	anim-rename -p visible -e 's/Hand_L/Hand_R/' in.axs >turned.axs
	[ "$(anim-info turned.axs | grep -c 'Hand_R.* visible')" -eq 2 ]
	[ "$(anim-info turned.axs | grep -c 'Hand_L.* position')" -eq 1 ]
	same <(anim-info --tree turned.axs) <(anim-info --tree in.axs)
}

@test "renamed there and back again, a scene is the same" {
	anim-parse "$DATA/rename/dance.tscn" >in.axs
	anim-rename -e 's|^Armature/Hips|Body/Deep/Hips|' in.axs |
		anim-rename -e 's|^Body/Deep/Hips|Armature/Hips|' >out.axs
	same <(anim-info in.axs | head -8) <(anim-info out.axs | head -8)
	same <(anim-info --tree in.axs | sort) <(anim-info --tree out.axs | sort | grep -v '^ *Deep *$')
}

@test "a cut stream fails, in a dry run too, and with bones" {
	anim-parse "$DATA/rename/dance.tscn" | head -c 900 >cut.axs
	run -1 --separate-stderr anim-rename -e s/a/b/ cut.axs -o out.axs
	run -1 --separate-stderr anim-rename --bones Skeleton3D cut.axs -o out.axs
	run -1 --separate-stderr anim-rename --dry-run --bones Skeleton3D cut.axs
	[ -z "$output" ]
	[ ! -e out.axs ]
}

@test "clips that wait for their tree's end may be larger than memory" {
	anim-parse "$DATA/rename/dance.tscn" "$DATA/rename/dance.anim" "$DATA/rename/dance.tscn" >in.axs
	anim-rename --bones Armature/Skeleton3D in.axs >large.axs
	ANIM_STORE_MEMORY=0 anim-rename --bones Armature/Skeleton3D in.axs >small.axs
	same large.axs small.axs
	[ "$(anim-info large.axs | grep -c 'Skeleton3D:Hips ')" -eq 4 ]
}

@test "a skeleton may be named by its unique name" {
	anim-parse "$DATA/rename/dance.anim" | anim-axes godot | anim-rename --bones %GeneralSkeleton | anim-emit -q -o dance.tres
	grep -q 'NodePath("%GeneralSkeleton:Hips")' dance.tres
	run ! grep -q '_GeneralSkeleton' dance.tres
}

@test "a clip's player is called as its node is" {
	anim-parse "$ROOT/examples/crane.tscn" >in.axs
	anim-rename -e 's/^AnimationPlayer/Rig\/Player/' in.axs >out.axs
	[ "$(anim-dump out.axs | sed -n 's/^\tattr "player" //p')" = '"Rig/Player"' ]
	[ "$(anim-emit tscn out.axs | grep -c 'type="AnimationPlayer"')" -eq 1 ]
	anim-rename -e 's/^Rig\/Player/AnimationPlayer/' out.axs | anim-dump | grep -v '^node path="Rig"' >back
	same <(grep '^clip' -A 4 back) <(anim-dump in.axs | grep '^clip' -A 4)
}

@test "records of other programs stay after the nodes that they followed" {
	anim-parse "$ROOT/examples/crane.tscn" | anim-dump |
		awk '/^\t/ { print; next } behind { print "record tag=\"abcd\" bytes=1"; printf "\t%02x\n", ++n }
			{ behind = /^(tree|node)/; print }' |
		anim-undump >in.axs
	anim-rename -e 's/Lamp/Light/' in.axs | anim-dump | grep -A 1 -E '^(tree|node|record)' >found
	anim-dump in.axs | sed 's/"Lamp"/"Light"/' | grep -A 1 -E '^(tree|node|record)' >expected
	[ "$(grep -c '^record' expected)" -eq 8 ]
	same expected found
}
