#!/usr/bin/env bats
# Clips inside models of a Unity project: an FBX file, and the .meta file beside it, which cuts the clips from its takes.

load helper

GUID=0a1b2c3d4e5f60718293a4b5c6d7e8f1
OTHER=0a1b2c3d4e5f60718293a4b5c6d7e8f2

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p ProjectSettings Assets/Models
	take >takes.axt
	anim-undump takes.axt | anim-emit -q fbx -o Assets/Models/Mover.fbx
}

# take: one take of 61 frames at 60 per second, "Armature|Walk", and one of 31, "Armature|Jump", as text of a stream. The bones are
# below a node that does not move.
take() {
	local name frame last
	cat <<-'END'
		anim-dump 1
		tree root="Mover" source="Mover.fbx" axes=gltf axes2d=unknown
		node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Armature" type="" kind=node has=position,rotation,scale parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Armature/Hips" type="" kind=bone has=position,rotation,scale parent=1 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		node path="Armature/Hips/Spine" type="" kind=bone has=position,rotation,scale parent=2 position=0,0.5,0 rotation=0,0,0,1 scale=1,1,1
	END
	for name in "Walk 60" "Jump 30"; do
		last=${name#* }
		echo "clip name=\"Armature|${name% *}\" root=\".\" source=\"fbx\" start=0 end=$(awk "BEGIN { printf \"%.9g\", $last / 60 }") loop=none axes=gltf axes2d=unknown flags=in_tree rate=60/1"
		echo "track node=\"Armature/Hips\" property=\"position\" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=$((last + 1))"
		echo "	columns time value"
		awk "BEGIN { for (i = 0; i <= $last; i++) printf \"\t%.9g %.9g,%.9g,%.9g\n\", i / 60, i / 10, 1 + (i % 7) / 100, $last < 60 ? i / 20 : 0 }"
		echo "track node=\"Armature/Hips/Spine\" property=\"euler\" component=- kind=Curve type=float3 rules=plain flags=degrees before=hold after=hold interp=Linear keys=$((last + 1))"
		echo "	attr \"order\" \"ZYX\""
		echo "	columns time value"
		awk "BEGIN { for (i = 0; i <= $last; i++) printf \"\t%.9g %d,%d,%d\n\", i / 60, i, i % 11, i % 5 }"
	done
	echo end
}

# meta FILE GUID TABLE CLIPS [SETTING...]: import settings of a model. Each SETTING is "key: value" of the members `animations`,
# `meshes` and the importer's own.
meta() {
	local file=$1 guid=$2 table=$3 clips=$4 type=2 setting
	shift 4
	{
		printf 'fileFormatVersion: 2\nguid: %s\nModelImporter:\n  serializedVersion: 22200\n' "$guid"
		printf '%s\n' "${table:-  internalIDToNameTable: []}"
		printf '  animations:\n    resampleCurves: 1\n    animationWrapMode: 0\n    clipAnimations:%s\n' "${clips:- []}"
		printf '  meshes:\n    useFileUnits: 1\n'
		local uses="useFileScale: 1"
		for setting in "$@"; do
			case $setting in
			useFileScale*) uses=$setting ;;
			globalScale*) printf '    %s\n' "$setting" ;;
			esac
		done
		printf '    %s\n  importAnimation: 1\n  humanDescription:\n    serializedVersion: 3\n    human: []\n    skeleton: []\n    globalScale: 0.01\n' "$uses"
		for setting in "$@"; do
			case $setting in
			useFileScale* | globalScale*) ;;
			animationType*) type=${setting#*: } ;;
			*) printf '  %s\n' "$setting" ;;
			esac
		done
		printf '  animationType: %s\n' "$type"
	} >"$file"
}

# item NAME TAKE FIRST LAST ID [MORE...]: a clip of the settings.
item() {
	printf '\n    - serializedVersion: 16\n      name: %s\n      takeName: %s\n      internalID: %s\n      firstFrame: %s\n      lastFrame: %s' "$1" "$2" "$5" "$3" "$4"
	shift 5
	local more
	for more in "$@"; do printf '\n      %s' "$more"; done
}

# controller FILE ID...: a controller with a state for each clip "ID GUID".
controller() {
	local file=$1 number=0 clip
	shift
	{
		printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!91 &9100000\nAnimatorController:\n  m_Name: Mover\n  m_AnimatorLayers:\n  - m_Name: Base\n    m_StateMachine: {fileID: 1}\n'
		printf -- '--- !u!1107 &1\nAnimatorStateMachine:\n  m_Name: Base\n  m_ChildStates:\n'
		for clip in "$@"; do printf '  - m_State: {fileID: %d}\n' $((100 + number++)); done
		number=0
		for clip in "$@"; do
			printf -- '--- !u!1102 &%d\nAnimatorState:\n  m_Name: S%d\n  m_Motion: {fileID: %s, guid: %s, type: 3}\n' $((100 + number)) "$number" "${clip% *}" "${clip#* }"
			number=$((number + 1))
		done
	} >"$file"
}

# listed FILE: name, length, loop and file of each clip.
listed() {
	anim-parse -q "$@" | anim-dump | awk -F'" ' '/^clip /{ print }' | sed -E 's/^clip name="([^"]*)".* start=([^ ]*) end=([^ ]*) loop=([^ ]*) .*/\1 \2 \3 \4/'
}

cut_clips() {
	item Step 'Armature|Walk' 0 30 8349542763059015795 'loopTime: 1'
	item 'Step half' 'Armature|Walk' 7.5 22.5 5611411592097144684 'loopTime: 0' 'level: 0.25' 'mirror: 0'
	item Up 'Armature|Jump' 10 20 0 'events:' '- time: 0.5' '  functionName: Land' '  data: soft' \
		'curves:' '- name: Height' '  curve:' '    serializedVersion: 2' '    m_Curve:' '    - time: 0' '      value: 1' \
		'      inSlope: 0' '      outSlope: 2' '    - time: 1' '      value: 3' '      inSlope: 2' '      outSlope: 0'
}

@test "a model with import settings shows the clips that Unity cuts from its takes" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	run -0 listed Assets/Models/Mover.fbx
	[ "$output" = "Step 0 0.5 wrap
Step half 0 0.25 none
Up 0 0.16666667 none" ]
	anim-parse -q Assets/Models/Mover.fbx | anim-dump >out.txt
	grep -q '^tree root="Mover" source="Mover.fbx" axes=gltf' out.txt
	grep -q 'attr "unity.m_AnimationClipSettings.m_Level" "0.25"' out.txt
	# event and curve have times that are fractions of the length
	grep -A9 'property="@event"' out.txt | grep -q '0.083333336 .*Land'
	grep -A5 'property="Height"' out.txt | grep -q '	0.16666667 3 .*12'
	# the format by name reads the takes themselves
	run -0 listed -f fbx Assets/Models/Mover.fbx
	[ "$output" = "Armature|Walk 0 1 none
Armature|Jump 0 0.5 none" ]
	rm Assets/Models/Mover.fbx.meta
	run -0 listed Assets/Models/Mover.fbx
	[ "$output" = "Armature|Walk 0 1 none
Armature|Jump 0 0.5 none" ]
}

# values CLIP PROPERTY: the values of the keys, in order.
values() {
	sed -n "/^clip name=\"$1\"/,/^\(clip\|end\)  */p" | awk -v property="property=\"$2\"" '/^track/ { on = index($0, property) } on && /^\t[-0-9]/ { print $2 }'
}

@test "the poses of a cut clip are those of the take at its frames" {
	local property
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)" "preserveHierarchy: 1"
	anim-parse -q -f fbx Assets/Models/Mover.fbx | anim-dump >takes.txt
	anim-parse -q Assets/Models/Mover.fbx | anim-dump >clips.txt
	for property in position euler; do
		diff <(values 'Armature|Jump' $property <takes.txt | sed -n 11,21p) <(values Up $property <clips.txt)
		diff <(values 'Armature|Walk' $property <takes.txt | sed -n 1,31p) <(values Step $property <clips.txt | sed -n 1,31p)
		# the segments at both ends of a part between frames keep their keys
		diff <(values 'Armature|Walk' $property <takes.txt | sed -n 8,24p) <(values 'Step half' $property <clips.txt)
	done
}

@test "a part late in a long take begins with the key of its first frame" {
	{
		sed '/^clip/,$d' takes.axt
		echo 'clip name="Long" root="." source="fbx" start=0 end=70 loop=none axes=gltf axes2d=unknown flags=in_tree rate=30/1'
		echo 'track node="Armature/Hips" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2101'
		echo '	columns time value'
		awk 'BEGIN { for (i = 0; i <= 2100; i++) printf "\t%.9g %d,0,0\n", i / 30, i }'
		echo end
	} | anim-undump | anim-emit -q fbx -o Assets/Models/Long.fbx
	meta Assets/Models/Long.fbx.meta $GUID "" "$(item Late Long 1976 1979 0)"
	run -0 listed Assets/Models/Long.fbx
	[ "$output" = "Late 0 0.1 none" ]
	anim-parse -q Assets/Models/Long.fbx | anim-dump | awk '/^\t[-0-9]/ { print $1, $2 }' >keys
	[ "$(wc -l <keys)" = 4 ]
	[ "$(head -n 1 keys)" = "0 1976,0,0" ]
}

@test "a fileID finds its clip by the tables, by internalID and by the hash of the take" {
	meta Assets/Models/Mover.fbx.meta $GUID $'  internalIDToNameTable:\n  - first:\n      74: 7400002\n    second: Step half\n  - first:\n      43: 4300000\n    second: Up' "$(cut_clips)"
	cp Assets/Models/Mover.fbx Assets/Models/Old.fbx
	meta Assets/Models/Old.fbx.meta $OTHER $'  fileIDToRecycleName:\n    100000: //RootNode\n    7400000: Armature|Jump\n    7400002: __preview__Armature|Walk' ""
	controller Assets/A.controller "7400002 $GUID" "8349542763059015795 $GUID" "1079665108409675491 $GUID" "7400000 $OTHER" "7400002 $OTHER"
	run -0 listed Assets/A.controller
	[ "$output" = "Step half 0 0.25 none
Step 0 0.5 wrap
Up 0 0.16666667 none
Armature|Jump 0 0.5 none
Armature|Walk 0 1 none" ]
	anim-parse -q Assets/A.controller | anim-dump | grep -q 'attr "file" "Assets/Models/Mover.fbx"'
	# without lists and tables, the number is the hash of the take's name
	meta Assets/Models/Mover.fbx.meta $GUID "" ""
	controller Assets/A.controller "8349542763059015795 $GUID" "1079665108409675491 $GUID"
	run -0 listed Assets/A.controller
	[ "$output" = "Armature|Walk 0 1 none
Armature|Jump 0 0.5 none" ]
}

@test "paths begin below a lone node at the top that is no bone, and x is mirrored" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	controller Assets/A.controller "8349542763059015795 $GUID"
	anim-parse -q Assets/A.controller | anim-dump >out.txt
	grep -q '^track node="Hips" property="position"' out.txt
	grep -q '^track node="Hips/Spine" property="euler"' out.txt
	grep -A3 'node="Hips" property="position"' out.txt | grep -q '	0.016666668 -0.1,1.01,0'
	grep -A4 'node="Hips/Spine" property="euler"' out.txt | grep -q '	0.016666668 1,-1,-1'
	grep -q 'name="Step".* axes=unity' out.txt
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)" "preserveHierarchy: 1"
	anim-parse -q Assets/A.controller | anim-dump | grep -q '^track node="Armature/Hips" property="position"'
}

@test "lengths follow globalScale, and the unit of the file unless useFileScale is 0" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)" "globalScale: 2"
	controller Assets/A.controller "8349542763059015795 $GUID"
	anim-parse -q Assets/A.controller | anim-dump | grep -A3 'node="Hips" property="position"' | grep -q '	0.016666668 -0.2,2.02,0'
	anim-parse -q Assets/Models/Mover.fbx | anim-dump | grep -q 'node path="Hips" .* position=0,2,0'
	# the writer's unit is a metre, so only the factor counts
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)" "useFileScale: 0" "globalScale: 0.5"
	anim-parse -q Assets/A.controller | anim-dump | grep -A3 'node="Hips" property="position"' | grep -q '	0.016666668 -0.05,0.505,0'
}

@test "a legacy clip loops as its wrap mode says" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(item Swing 'Armature|Walk' 0 30 8349542763059015795 'wrapMode: 4')" "animationType: 1"
	run -0 listed Assets/Models/Mover.fbx
	[ "$output" = "Swing 0 0.5 ping-pong" ]
}

@test "a mask of the model leaves out nodes, and what is not applied is noted once" {
	local body=01000000000000000100000001000000010000000100000001000000010000000100000001000000010000000100000001000000
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(item One 'Armature|Walk' 0 30 1 'maskType: 0' 'transformMask:' '- path: ' '  weight: 1' '- path: Hips' '  weight: 1' '- path: Hips/Spine' '  weight: 0')$(
		item Two 'Armature|Walk' 0 30 2 'maskType: 3' 'transformMask:' '- path: Hips' '  weight: 0' 'mirror: 1' 'cycleOffset: 0.5' 'hasAdditiveReferencePose: 1' 'additiveReferencePoseFrame: 6' "bodyMask: $body")$(
		item Three 'Armature|Walk' 0 30 3 'maskType: 1' 'maskSource: {fileID: 31900000, guid: 0a1b2c3d4e5f60718293a4b5c6d7e8f5, type: 2}' 'mirror: 1')"
	controller Assets/A.controller "1 $GUID" "2 $GUID"
	anim-parse Assets/A.controller 2>notes | anim-dump >out.txt
	[ "$(grep -c '^track node="Hips/Spine"' out.txt)" = 1 ]
	[ "$(grep -c '^track node="Hips"' out.txt)" = 2 ]
	[ "$(grep -c 'mirrored by the engine' notes)" = 1 ]
	[ "$(grep -c 'offset of the cycle' notes)" = 1 ]
	[ "$(grep -c 'reference pose of an additive layer' notes)" = 1 ]
	run -1 grep 'mask is in another file\|parts of the body' notes
	grep -q 'attr "unity.m_AnimationClipSettings.m_AdditiveReferencePoseTime" "0.1"' out.txt
	controller Assets/A.controller "3 $GUID"
	anim-parse Assets/A.controller 2>notes >out.axs
	[ "$(grep -c 'all nodes are read, because the mask is in another file' notes)" = 1 ]
	human
	printf '  clipAnimations:%s\n' "$(item walk walk 0 30 7400000 'maskType: 0' "bodyMask: $body")" | sed 's/^    -/  -/; s/^      /    /' >>Assets/Models/Human.fbx.meta
	controller Assets/A.controller "7400000 $OTHER"
	anim-parse Assets/A.controller 2>notes >out.axs
	[ "$(grep -c 'all parts of the body are read, even parts that a mask leaves out' notes)" = 1 ]
}

@test "clips of a glTF file loop as the settings of UnityGLTF say" {
	anim-undump takes.axt | anim-emit -q gltf -o Assets/Models/Mover.glb
	{
		printf 'fileFormatVersion: 2\nguid: %s\nScriptedImporter:\n  script: {fileID: 11500000, guid: 804e1ce4c496647cfa3f1a1134187c71, type: 3}\n' $GUID
		printf '  _importAnimations: 2\n  _animationLoopTime: 1\n  _animationLoopSettingsPerClip: 0\n  animations:\n  - name: Armature|Walk\n    loopTime: 1\n  - name: Armature|Jump\n    loopTime: 0\n'
	} >Assets/Models/Mover.glb.meta
	run -0 listed Assets/Models/Mover.glb
	[ "$output" = "Armature|Walk 0 1 wrap
Armature|Jump 0 0.5 wrap" ]
	sed -i 's/PerClip: 0/PerClip: 1/' Assets/Models/Mover.glb.meta
	run -0 listed Assets/Models/Mover.glb
	[ "$output" = "Armature|Walk 0 1 wrap
Armature|Jump 0 0.5 none" ]
	run -0 listed -f gltf Assets/Models/Mover.glb
	[ "$output" = "Armature|Walk 0 1 none
Armature|Jump 0 0.5 none" ]
	cp Assets/Models/Mover.glb.meta known
	# settings of another package, and broken ones
	sed 's/804e1ce4/804e1ce5/' known >Assets/Models/Mover.glb.meta
	run -0 listed Assets/Models/Mover.glb
	[[ $output != *wrap* ]]
	{ cat known && printf '  a: [\n'; } >Assets/Models/Mover.glb.meta
	run -0 --separate-stderr anim-info -l Assets/Models/Mover.glb
	[[ $stderr == *"Mover.glb.meta"*"import settings are not used"* ]]
}

# gltf_meta SCRIPT [LINE...]: import settings of Mover.glb, for the package whose importer has this guid.
gltf_meta() {
	printf 'fileFormatVersion: 2\nguid: %s\nScriptedImporter:\n  script: {fileID: 11500000, guid: %s, type: 3}\n' $GUID "$1"
	shift
	printf '  %s\n' "$@"
}

@test "a fileID finds a clip of a glTF file by the hash of the name that the package gives it" {
	# two clips of one name
	sed 's/Armature|Jump/Armature|Walk/' takes.axt | anim-undump | anim-emit -q gltf -o Assets/Models/Mover.glb
	gltf_meta 804e1ce4c496647cfa3f1a1134187c71 '_importAnimations: 2' '_animationLoopTime: 1' '_removeEmptyRootObjects: 1' >Assets/Models/Mover.glb.meta
	controller Assets/A.controller "8349542763059015795 $GUID" "3800721468275536773 $GUID"
	run -0 listed Assets/A.controller
	[ "$output" = "Armature|Walk 0 1 wrap
Armature|Walk 0 0.5 wrap" ]
	# the root of the glTF file and Armature do not move, so paths begin below them. x is mirrored.
	anim-parse -q Assets/A.controller | anim-dump >out.txt
	[ "$(grep -c '^track node="Hips"' out.txt)" = 2 ]
	grep -q '^clip .* axes=unity ' out.txt
	grep -q '^	1 -6,' out.txt
	sed -i 's/Objects: 1/Objects: 0/' Assets/Models/Mover.glb.meta
	anim-parse -q Assets/A.controller | anim-dump >out.txt
	[ "$(grep -c '^track node="Armature/Hips"' out.txt)" -gt 0 ]
	# glTFast
	gltf_meta 715df9372183c47e389bb6e19fbc3b52 'importSettings:' '  animationMethod: 2' >Assets/Models/Mover.glb.meta
	controller Assets/A.controller "5388627772930726517 $GUID"
	run -0 listed Assets/A.controller
	[ "$output" = "Armature|Walk 0 0.5 wrap" ]
	anim-parse -q Assets/A.controller | anim-dump >out.txt
	[ "$(grep -c '^track node="Armature/Hips"' out.txt)" -gt 0 ]
	# no clips, and an unknown package
	sed -i 's/Method: 2/Method: 0/' Assets/Models/Mover.glb.meta
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[[ $stderr == *"not read from the model: its import settings import no animation" ]]
	gltf_meta cc45016b844e7624dae3aec10fb443ea 'm_reverseAxis: 0' >Assets/Models/Mover.glb.meta
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[[ $stderr == *"the model is read only as an input; give it instead" ]]
}

# human: a humanoid model, Human.fbx, whose clip is the walk of the example, in a project.
human() {
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-emit -q fbx -o Assets/Models/Human.fbx --force
	{ sed "s/^guid: .*/guid: $OTHER/" "$ROOT/tests/data/unity/humanoid.fbx.meta" && printf '  animationType: 3\n  fileIDToRecycleName:\n    7400000: walk\n'; } >Assets/Models/Human.fbx.meta
}

@test "a clip of a human becomes muscles where Unity is the target, and bones elsewhere" {
	human
	controller Assets/H.controller "7400000 $OTHER"
	anim-convert -q --muscles -x human=bones Assets/Models/Human.fbx known.anim
	anim-convert -q Assets/Models/Human.fbx own.anim
	anim-convert -q Assets/H.controller led.anim
	grep -q 'attribute: Left Arm Down-Up' own.anim
	run -1 grep -q 'path: .*Hips' led.anim
	local file
	for file in own led; do anim-diff -q --max 0.0005m,0.05deg,0.05%,1px known.anim $file.anim; done
	anim-parse Assets/H.controller 2>notes | anim-dump >bones.txt
	grep -q 'a human, whose clips are read as rotations of bones' notes
	grep -q '^track node="Skeleton3D/Hips/Spine" property="euler"' bones.txt
	[ "$(anim-convert --dry-run Assets/H.controller led.anim)" = "anim-parse -x human=muscles Assets/H.controller | anim-emit -o led.anim" ]
	[[ $(anim-convert --dry-run Assets/H.controller led.tres) != *muscles* ]]
	[[ $(anim-convert --dry-run --pin Assets/H.controller led.anim) != *human=* ]]
}

@test "a human without an avatar keeps its bones, and a body that is not one is named" {
	human
	controller Assets/H.controller "7400000 $OTHER"
	sed -i '/humanDescription/,/animationType/{/animationType/!d}' Assets/Models/Human.fbx.meta
	run -0 --separate-stderr anim-parse -x human=muscles Assets/H.controller -o x.axs
	[[ $stderr == *"warning: 1 model: a human whose avatar was not found, so its clips are read as rotations of bones"* ]]
	human
	sed -i 's/humanName: Hips/humanName: Jaw/' Assets/Models/Human.fbx.meta
	run -0 --separate-stderr anim-parse --force -x human=muscles Assets/H.controller -o x.axs
	[[ $stderr == *"not read from the model: clip 'walk': no muscles: "* ]]
	[ "$(grep -c 'no muscles' <<<"$stderr")" = 1 ]
	run -1 --separate-stderr anim-parse -x human=muscles "$ROOT/examples/walker.tscn" -o x.axs --force
	[[ $stderr == *"human is for "* ]]
}

@test "an instance of a model gets its nodes from the file if the settings have none" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	cat >Assets/Level.unity <<-END
		%YAML 1.1
		%TAG !u! tag:unity3d.com,2011:
		--- !u!1001 &5
		PrefabInstance:
		  m_Modification:
		    m_TransformParent: {fileID: 0}
		    m_Modifications:
		    - target: {fileID: 919132149155446097, guid: $GUID, type: 3}
		      propertyPath: m_Name
		      value: Hero
		      objectReference: {fileID: 0}
		  m_SourcePrefab: {fileID: 100100000, guid: $GUID, type: 3}
	END
	anim-parse -q Assets/Level.unity | anim-dump >out.txt
	grep -q 'node path="Hips" .*position=0,1,0' out.txt || grep -q 'node path="Hero/Hips" ' out.txt
	# a glTF file, whose upper nodes may be removed
	rm Assets/Models/Mover.fbx*
	anim-undump takes.axt | anim-emit -q gltf -o Assets/Models/Mover.glb
	gltf_meta 804e1ce4c496647cfa3f1a1134187c71 '_removeEmptyRootObjects: 0' >Assets/Models/Mover.glb.meta
	anim-parse -q Assets/Level.unity | anim-dump >kept.txt
	grep -q '^node path="Armature/Hips/Spine" .* parent=2 position=0,0.5,0' kept.txt
	sed -i 's/Objects: 0/Objects: 1/' Assets/Models/Mover.glb.meta
	anim-parse -q Assets/Level.unity | anim-dump >removed.txt
	grep -q '^node path="Hips/Spine" .* parent=1 position=0,0.5,0' removed.txt
}

@test "what a model lacks is named in one line" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(item Fly 'Armature|Fly' 0 30 5)"
	controller Assets/A.controller "5 $GUID"
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[ "$stderr" = "anim-parse: Assets/A.controller:14:1: warning: clip '5' in 'Assets/Models/Mover.fbx': not read from the model: clip 'Fly': the file has no moving take 'Armature|Fly'" ]
	controller Assets/A.controller "6 $GUID"
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[[ $stderr == *"not read from the model: neither its import settings nor its takes have such a clip" ]]
	printf 'version https://git-lfs.github.com/spec/v1\n' >Assets/Models/Mover.fbx
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[[ $stderr == *"not read from the model: a Git LFS pointer, not the file itself; run 'git lfs pull'" ]]
	rm Assets/Models/Mover.fbx
	run -0 --separate-stderr anim-parse --force Assets/A.controller -o x.axs
	[[ $stderr == *"not read from the model: no such file" ]]
}

@test "broken import settings are named, and the takes are read" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	printf '  a: [\n' >>Assets/Models/Mover.fbx.meta
	run -0 --separate-stderr anim-info -l Assets/Models/Mover.fbx
	[[ $stderr == *"Mover.fbx.meta"*"warning: "* ]]
}

@test "a package gives the same clips as its folder" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	controller Assets/A.controller "8349542763059015795 $GUID" "5611411592097144684 $GUID"
	meta Assets/A.controller.meta $OTHER "" ""
	sed -i 's/ModelImporter/NativeFormatImporter/' Assets/A.controller.meta
	python3 "$ROOT/tests/unitypackage.py" . a.unitypackage
	anim-parse -q Assets/A.controller | anim-dump | grep -v '^clip\|source=\|attr "\(file\|files\|asset\)"' >folder.txt
	anim-parse -q -x asset=Assets/A.controller a.unitypackage | anim-dump | grep -v '^clip\|source=\|attr "\(file\|files\|asset\)"' >package.txt
	diff folder.txt package.txt
	run -0 listed -x asset=Mover.fbx a.unitypackage
	[ "$output" = "Step 0 0.5 wrap
Step half 0 0.25 none
Up 0 0.16666667 none" ]
}

# graph FILE: a controller with a blend tree, three states and a machine inside the machine.
graph() {
	cat >"$1" <<-END
		%YAML 1.1
		%TAG !u! tag:unity3d.com,2011:
		--- !u!91 &9100000
		AnimatorController:
		  m_Name: Hero
		  m_AnimatorParameters:
		  - m_Name: Speed
		    m_Type: 1
		    m_DefaultFloat: 0.5
		  - m_Name: Jump
		    m_Type: 9
		  - m_Name: Level
		    m_Type: 3
		    m_DefaultInt: 2
		  m_AnimatorLayers:
		  - m_Name: Base
		    m_StateMachine: {fileID: 1}
		    m_DefaultWeight: 0
		  - m_Name: Arms
		    m_StateMachine: {fileID: 2}
		    m_BlendingMode: 1
		    m_DefaultWeight: 0.5
		    m_SyncedLayerIndex: -1
		--- !u!1107 &1
		AnimatorStateMachine:
		  m_Name: Base
		  m_ChildStates:
		  - m_State: {fileID: 10}
		  - m_State: {fileID: 11}
		  m_ChildStateMachines:
		  - m_StateMachine: {fileID: 3}
		  m_AnyStateTransitions:
		  - {fileID: 22}
		  m_DefaultState: {fileID: 10}
		--- !u!1107 &2
		AnimatorStateMachine:
		  m_Name: Arms
		--- !u!1107 &3
		AnimatorStateMachine:
		  m_Name: Air
		  m_ChildStates:
		  - m_State: {fileID: 12}
		  m_DefaultState: {fileID: 12}
		--- !u!1102 &10
		AnimatorState:
		  m_Name: Idle
		  m_Speed: 0.5
		  m_Motion: {fileID: 8349542763059015795, guid: $GUID, type: 3}
		  m_Transitions:
		  - {fileID: 20}
		--- !u!1102 &11
		AnimatorState:
		  m_Name: Move
		  m_Speed: 1
		  m_SpeedParameterActive: 1
		  m_SpeedParameter: Speed
		  m_Motion: {fileID: 30}
		  m_Transitions:
		  - {fileID: 21}
		--- !u!1102 &12
		AnimatorState:
		  m_Name: Jump
		  m_Speed: 1
		  m_Motion: {fileID: 1079665108409675491, guid: $GUID, type: 3}
		  m_Transitions:
		  - {fileID: 23}
		--- !u!1101 &20
		AnimatorStateTransition:
		  m_Conditions:
		  - m_ConditionMode: 3
		    m_ConditionEvent: Speed
		    m_EventTreshold: 0.1
		  - m_ConditionMode: 6
		    m_ConditionEvent: Level
		    m_EventTreshold: 2
		  m_DstState: {fileID: 11}
		  m_TransitionDuration: 0.25
		  m_HasFixedDuration: 1
		--- !u!1101 &21
		AnimatorStateTransition:
		  m_Conditions:
		  - m_ConditionMode: 4
		    m_ConditionEvent: Speed
		    m_EventTreshold: 0.1
		  m_DstState: {fileID: 10}
		  m_TransitionDuration: 0.5
		--- !u!1101 &22
		AnimatorStateTransition:
		  m_Conditions:
		  - m_ConditionMode: 1
		    m_ConditionEvent: Jump
		  m_DstState: {fileID: 12}
		  m_TransitionDuration: 0
		  m_HasFixedDuration: 1
		--- !u!1101 &23
		AnimatorStateTransition:
		  m_IsExit: 1
		  m_HasExitTime: 1
		  m_ExitTime: 0.75
		  m_TransitionDuration: 0
		  m_HasFixedDuration: 1
		--- !u!206 &30
		BlendTree:
		  m_Name: Walks
		  m_BlendType: 0
		  m_BlendParameter: Speed
		  m_Childs:
		  - m_Motion: {fileID: 8349542763059015795, guid: $GUID, type: 3}
		    m_Threshold: 0
		    m_TimeScale: 1
		  - m_Motion: {fileID: 1079665108409675491, guid: $GUID, type: 3}
		    m_Threshold: 1
		    m_TimeScale: 2
	END
}

@test "--graph prints states, blend trees and transitions of a controller" {
	meta Assets/Models/Mover.fbx.meta $GUID "" ""
	graph Assets/Hero.controller
	run -0 --separate-stderr anim-info --graph Assets/Hero.controller
	[ -z "$stderr" ]
	diff - <(echo "$output") <<-'END'
		controller Hero
		  parameter Speed: float, starts at 0.5
		  parameter Jump: trigger
		  parameter Level: int, starts at 2
		  layer Base: override, weight 1
		    starts with Idle
		    any -> Jump if Jump, fades 0 s
		    state Idle: speed 0.5, clip Armature|Walk (1 s, Assets/Models/Mover.fbx)
		      -> Move if Speed > 0.1 and Level = 2, fades 0.25 s
		    state Move: speed by Speed, blend 1d by Speed
		      0: clip Armature|Walk (1 s, Assets/Models/Mover.fbx)
		      1: speed 2, clip Armature|Jump (0.5 s, Assets/Models/Mover.fbx)
		      -> Idle if Speed < 0.1, fades 0.5 of the clip
		    machine Air
		      starts with Jump
		      state Jump: clip Armature|Jump (0.5 s, Assets/Models/Mover.fbx)
		        -> exit after 0.75 of the clip, fades 0 s
		  layer Arms: additive, weight 0.5
	END
	anim-info -q --graph --json Assets/Hero.controller >hero.json
	all_json hero.json
	run -0 python3 -c 'import json; g = json.load(open("hero.json")); m = g["layers"][0]["machine"]
print(m["first"], m["states"][1]["motion"]["points"][1]["x"], m["states"][0]["transitions"][0]["conditions"][1]["mode"], m["machines"][0]["states"][0]["transitions"][0]["kind"])'
	[ "$output" = "Idle 1.0 equals exit" ] || [ "$output" = "Idle 1 equals exit" ]
	run -1 --separate-stderr anim-info --graph Assets/Models/Mover.fbx
	[ "$stderr" = "anim-info: Assets/Models/Mover.fbx: no controller with states in this file" ]
}

@test "machines and blend trees that contain each other are printed once" {
	graph Assets/Hero.controller
	sed -i 's/m_StateMachine: {fileID: 3}/m_StateMachine: {fileID: 1}/; s/m_Motion: {fileID: 8349542763059015795.*/m_Motion: {fileID: 30}/' Assets/Hero.controller
	run -0 --separate-stderr anim-info --graph Assets/Hero.controller
	[[ $output == *"motion not found: its blend tree has another place already"* ]]
	anim-info -q --graph --json Assets/Hero.controller >hero.json
	all_json hero.json
}

@test "--graph writes an AnimationTree with the states, which Godot plays" {
	local project=project
	meta Assets/Models/Mover.fbx.meta $GUID "" ""
	graph Assets/Hero.controller
	anim convert -q Assets/Hero.controller hero.tscn --graph
	grep -qF '[node name="AnimationTree" type="AnimationTree" parent="."]' hero.tscn
	grep -qF 'advance_expression = "params[\"Speed\"] > 0.1 and params[\"Level\"] == 2"' hero.tscn
	# the empty layer needs nothing, and the first is the root
	[ "$(grep -c 'type="AnimationNodeStateMachine"' hero.tscn)" = 1 ]
	run -0 --separate-stderr anim convert --dry-run Assets/Hero.controller x.tscn --graph
	[[ $output == *"anim-emit --graph Assets/Hero.controller -o x.tscn" || $output == *"--graph Assets/Hero.controller"* ]]
	run -1 --separate-stderr anim convert Assets/Models/Mover.fbx x.tscn --graph
	[[ $stderr == *"no controller with states in this file"* ]]
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	mkdir -p $project
	cp hero.tscn "$ROOT/tests/engine/graph.gd" $project
	touch $project/project.godot
	"$GODOT" --headless --path "$PWD/$project" --script res://graph.gd >said 2>errors
	[ ! -s errors ] || { cat errors && false; }
	run -0 grep -v '^Godot\|^$' said
	[ "$output" = "start: Idle Walk
Speed 1: Move Jump
Speed 0: Idle Walk
Jump: Jump Jump
a second later: Idle Walk" ]
}

@test "-x states gives each state a clip with its name, speed and settings" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(cut_clips)"
	graph Assets/A.controller
	sed -i 's/1079665108409675491/8349542763059015795/' Assets/A.controller
	sed -i '/m_Name: Jump/{n;s/m_Speed: 1/m_Speed: -2\n  m_Mirror: 1\n  m_CycleOffset: 0.25/}' Assets/A.controller
	run -0 listed -x states Assets/A.controller
	[ "$output" = "Idle 0 1 wrap
Step 0 0.5 wrap
Jump 0 0.25 wrap" ]
	anim-parse -x states Assets/A.controller 2>notes | anim-dump >out.txt
	grep -q 'attr "unity.m_AnimationClipSettings.m_Mirror" "1"' out.txt
	grep -q 'attr "unity.m_AnimationClipSettings.m_CycleOffset" "0.25"' out.txt
	grep -A3 'node="Hips" property="position"' out.txt | grep -q '	0.033333335 -0.1,1.01,0'
	[ "$(grep -c "the clip is not played backwards" notes)" = 1 ]
	[ "$(grep -c "these settings are kept for Unity only" notes)" = 1 ]
	[ "$(grep -c "a parameter of the game is not known" notes)" = 1 ]
	run -1 --separate-stderr anim-parse -x states "$ROOT/examples/walker.tscn" -o x.axs
	[[ $stderr == *"states is for "* ]]
}

# states_tree FILE: the animation of each state of the tree, in order of the states: "Idle: Idle-2".
states_tree() {
	python3 - "$1" <<-'END'
		import re, sys
		text = open(sys.argv[1]).read()
		parts = re.split(r'\[sub_resource type="\w+" id="(\w+)"\]', text)
		subs = dict(zip(parts[1::2], parts[2::2]))
		def clip(name):
		    body = subs[name]
		    inner = re.search(r'nodes/Motion/node = SubResource\("(\w+)"\)', body)
		    if inner:
		        return clip(inner[1]) + ' scaled'
		    found = re.search(r'animation = &"(.*?)"', body)
		    return found[1] if found else '-'
		for state, name in re.findall(r'states/([^/]+)/node = SubResource\("(\w+)"\)', text):
		    print('%s: %s' % (state, clip(name)))
	END
}

@test "-x states and --graph: each state of the tree plays the clip that is made of it" {
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(item Step 'Armature|Walk' 0 30 8349542763059015795)$(item Up 'Armature|Jump' 10 20 1079665108409675491)"
	controller Assets/Two.controller "8349542763059015795 $GUID" "1079665108409675491 $GUID" "8349542763059015795 $GUID"
	# the first state is called like the other clip, and two states share a name
	sed -i 's/m_Name: S0/m_Name: Up\n  m_Speed: 2/; s/m_Name: S[12]/m_Name: Step\n  m_Speed: 0.5/' Assets/Two.controller
	run -0 --separate-stderr anim convert -x states --graph Assets/Two.controller two.tscn
	[[ $stderr != *"have no clip"* ]]
	run -0 states_tree two.tscn
	# the lengths say which clip it is: 0.5, 0.1667 and 0.5 s, at 2, 0.5 and 0.5 times the speed
	[ "$output" = "Up: Up
Step: Step
Step 2: Step-2" ]
	run -0 listed two.tscn
	[ "$(sort <<<"$output")" = "Step 0 0.33333334 none
Step-2 0 1 none
Up 0 0.25 none" ]
	# without it, the states change the speed
	anim convert -q --graph Assets/Two.controller two.tscn --force
	run -0 states_tree two.tscn
	[[ $output == "Up: Step scaled
Step: Up scaled"* ]]
}

@test "--graph of an override controller has the states of its controller with the other clips" {
	local i
	meta Assets/Models/Mover.fbx.meta $GUID "" "$(item Step 'Armature|Walk' 0 30 8349542763059015795)$(item Up 'Armature|Jump' 10 20 1079665108409675491)"
	controller Assets/Base.controller "8349542763059015795 $GUID" "1079665108409675491 $GUID"
	printf 'fileFormatVersion: 2\nguid: %032d\n' 7 >Assets/Base.controller.meta
	# the second one overrides the first one, which has priority
	for i in 1 2; do
		printf 'fileFormatVersion: 2\nguid: %032d\n' $i >Assets/Over$i.overrideController.meta
		{
			printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!221 &22100000\nAnimatorOverrideController:\n  m_Name: Over%d\n' $i
			printf '  m_Controller: {fileID: 9100000, guid: %032d, type: 2}\n  m_Clips:\n' "$((i == 1 ? 7 : 1))"
			printf '  - m_OriginalClip: {fileID: 8349542763059015795, guid: %s, type: 3}\n    m_OverrideClip: {fileID: %s, guid: %s, type: 3}\n' $GUID \
				"$([ $i = 1 ] && echo 1079665108409675491 || echo 8349542763059015795)" $GUID
		} >Assets/Over$i.overrideController
	done
	anim info --graph Assets/Over1.overrideController >over.txt
	[ "$(sed -n 's/^controller //p; s/.*: clip \([^ ]*\) .*/\1/p' over.txt | tr '\n' ' ')" = "Over1 Up Up " ]
	anim info --graph Assets/Over2.overrideController >over.txt
	[ "$(sed -n 's/^controller //p; s/.*: clip \([^ ]*\) .*/\1/p' over.txt | tr '\n' ' ')" = "Over2 Step Up " ]
	run -0 --separate-stderr anim convert --graph Assets/Over1.overrideController over.tscn
	[[ $stderr != *"have no clip"* ]]
	run -0 states_tree over.tscn
	[ "$output" = "S0: Up
S1: Up" ]
	# without the controller, and in a circle
	rm Assets/Base.controller
	run -1 --separate-stderr anim info --graph Assets/Over1.overrideController
	[[ $stderr == *"no controller with states in this file" ]]
	sed -i "s/guid: $(printf %032d 7)/guid: $(printf %032d 2)/" Assets/Over1.overrideController
	run -1 --separate-stderr anim info --graph Assets/Over1.overrideController
	[[ $stderr == *"no controller with states in this file" ]]
}

@test "--graph finds clips of one name by their files, also if they are called after these" {
	local name number=1
	for name in Run Sit; do
		sed "s/Armature|Walk/mixamo.com/; /^clip name=\"Armature|Jump/,/^end/{/^end/!d}" takes.axt | anim-undump | anim-emit -q fbx -o "Assets/$name.fbx"
		meta "Assets/$name.fbx.meta" "$(printf '%032d' $number)" "" ""
		number=$((number + 1))
	done
	controller Assets/Mixamo.controller "-203655887218126122 $(printf '%032d' 1)" "-203655887218126122 $(printf '%032d' 2)"
	run -0 --separate-stderr anim convert --graph Assets/Mixamo.controller m.tscn
	[[ $stderr != *"have no clip"* ]]
	run -0 states_tree m.tscn
	[ "$output" = "S0: Run
S1: Sit" ]
	# also if they are renamed
	run -0 --separate-stderr anim convert --graph --on clip -e 's/Run/Go/' -e 's/Go/Went/' Assets/Mixamo.controller m.tscn --force
	[[ $stderr != *"have no clip"* ]]
	run -0 states_tree m.tscn
	[ "$output" = "S0: Went
S1: Sit" ]
}

@test "--graph is refused where no tree can be written" {
	meta Assets/Models/Mover.fbx.meta $GUID "" ""
	graph Assets/Hero.controller
	run -2 --separate-stderr anim convert --graph Assets/Hero.controller --into "$ROOT/examples/walker.tscn"
	[[ $stderr == *"--graph cannot be combined with --into: "* ]]
	run -2 --separate-stderr anim convert --graph Assets/Hero.controller --each '%c.tscn'
	[[ $stderr == *"--graph cannot be combined with --each: "* ]]
	run -2 --separate-stderr anim convert --graph --godot 3 Assets/Hero.controller x.tscn
	[[ $stderr == *"--graph is for Godot 4"* ]]
}

@test "the project of the tutorial plays in Godot" {
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	mkdir -p project
	anim convert -q "$ROOT/examples/unity/Assets/Robot.controller" project/hero.tscn --graph
	cp "$ROOT/tests/engine/graph.gd" project
	touch project/project.godot
	"$GODOT" --headless --path "$PWD/project" --script res://graph.gd >said 2>errors
	[ ! -s errors ] || { cat errors && false; }
	run -0 grep -v '^Godot\|^$' said
	[ "$output" = "start: Idle Walk
Speed 1: Move Walk
Speed 0: Idle Walk
Jump: Jump Jump
a second later: Idle Walk" ]
}

@test "--graph names what has no counterpart in Godot" {
	meta Assets/Models/Mover.fbx.meta $GUID "" ""
	graph Assets/Hero.controller
	sed -i 's/m_TransitionDuration: 0.25/&\n  m_InterruptionSource: 2\n  m_TransitionOffset: 0.5/; s/m_Speed: 0.5/&\n  m_Mirror: 1/' Assets/Hero.controller
	run -0 --separate-stderr anim convert Assets/Hero.controller hero.tscn --graph
	[[ $stderr == *"warning: controller: 1 motions are not mirrored"* ]]
	[[ $stderr == *"warning: controller: 1 transitions cannot be interrupted here"* ]]
	[[ $stderr == *"warning: controller: 1 offsets of cycles and transitions are not written"* ]]
}

@test "components of positions in clips of models stay three-dimensional, also with --graph" {
	[ -d "$ANIM_CORPUS/unity-models" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	run -0 --separate-stderr anim convert --graph "$ANIM_CORPUS/unity-models/tank/Controller.controller" tank.tscn
	[[ $stderr != *"two-dimensional"* && $stderr != *"depth (z) was dropped"* ]]
	run ! grep 2D tank.tscn
	grep -q AnimationTree tank.tscn
}
