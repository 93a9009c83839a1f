#!/usr/bin/env bats
# anim-retarget of Unity's humanoid clips: muscles to bones, against avatars and generic clips that Unity wrote.

load helper

corpus="$ANIM_CORPUS/humanoid"
evaluate() {
	python3 "$ROOT/tests/humanoid.py" "$@"
}

# Small clips, and a Godot humanoid: hero.axs, hero.json.
models() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim-parse -q -o hero.axs "$ROOT/examples/walker.tscn"
	anim-emit -q -o hero.json hero.axs
	evaluate clips
}

tracks_of() {
	anim-dump "$1" | sed -n '/^track/,$p'
}

@test "muscles turn bones as avatars of Unity say, to 1e-5, and the body is where RootQ and RootT have it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	for name in cat lip vroid; do
		evaluate avatar "$corpus/av_$name.asset" tree.json clip.json
		anim-retarget -q --strict --to tree.json clip.json | anim-emit -q -o result.json --force
		evaluate check "$corpus/av_$name.asset" clip.json result.json
		evaluate clips
		anim-retarget -q --strict --to tree.json high.json | anim-emit -q json >result.json
		evaluate centre "$corpus/av_$name.asset" result.json
	done
}

@test "a humanoid clip moves its model as the generic clip of the same motion does" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	evaluate meta "$corpus/Zombie1.FBX.meta" tree.json map.csv
	for name in Walk Idle; do
		anim-retarget -q --to tree.json --map map.csv -o m.axs --force "$corpus/zombie_${name}_humanoid.anim"
		anim-emit -q -o m.json --force m.axs
		anim-parse -q "$corpus/zombie_${name}_generic.anim" | anim-bake -q -r 30 | anim-emit -q -o g.json --force
		evaluate pair tree.json m.json g.json map.csv
	done
	# no muscle straightens this model's knee to less than 8.4 degrees: its hinge is not across its thigh
	anim-retarget -q --to tree.json --map map.csv -o m.axs --force "$corpus/zombie_FallingBack_humanoid.anim"
	anim-emit -q -o m.json --force m.axs
	anim-parse -q "$corpus/zombie_FallingBack_generic.anim" | anim-bake -q -r 30 | anim-emit -q -o g.json --force
	evaluate pair tree.json m.json g.json map.csv 9 12
	anim-retarget -q --to tree.json --map map.csv "$corpus/zombie_Idle_humanoid.anim" | anim-emit -q -o m.json --force
	# in the axes of glTF, and looking the other way as VRM 0.x does
	evaluate flip tree.json other.json
	anim-retarget -q --to other.json --map map.csv "$corpus/zombie_Idle_humanoid.anim" | anim-emit -q -o o.json
	evaluate flipped tree.json m.json other.json o.json
}

@test "the values that Unity gives a T-pose stretch the limbs of a Godot humanoid, and its hips are where they rest" {
	not_bytewise "an evaluator in Python looks at values"
	models
	run -0 --separate-stderr anim-retarget --to hero.axs -o t.axs tpose.json
	[[ $stderr != *warning* ]]
	anim-emit -q -o t.json t.axs
	evaluate stands hero.json t.json 1.5
	# only what has muscles moves, at the clip's rate
	anim-dump t.axs | grep -c '^track.*Raw.*keys=11.*rate=10/1' | grep -qx 17
	[ "$(anim-dump t.axs | grep -c '^track.*\(Toes\|Shoulder\|Index\|Eye\)')" = 0 ]
	anim-dump t.axs | grep -q '^clip name="go" root="." source="unity" .*axes=godot .*flags=in_tree'
}

@test "m_Mirror swaps the sides, settings that are ignored and bones that are lacking are named" {
	models
	run -0 --separate-stderr anim-retarget --to hero.axs -o w.axs walk.json
	[[ $stderr == *"warning: the setting m_OrientationOffsetY of the humanoid clip was ignored"* ]]
	[[ $stderr == *"warning: 2 bones are missing in the target: Jaw, LeftIndexProximal; their muscles were left out"* ]]
	run -0 --separate-stderr anim-retarget --to hero.axs -o m.axs mirrored.json
	diff <(tracks_of w.axs) <(tracks_of m.axs)
	[ "$(anim-dump m.axs | grep -c m_Mirror)" = 0 ]
	run -1 --separate-stderr anim-retarget --strict --to hero.axs -o s.axs walk.json
	[ ! -e s.axs ]
}

@test "goals are left out with a note, translations with a warning, and other curves stay" {
	models
	run -0 --separate-stderr anim-retarget --to hero.axs -o m.axs "$DATA/unity/clip_humanoid.anim"
	[[ $stderr == *"note: the goals of hands and feet (for Foot IK) were left out"* ]]
	[[ $stderr == *"warning: 2 humanoid curves were left out: translations of bones (TDOF) and MotionT and MotionQ are not supported"* ]]
	anim-dump m.axs | grep '^track' | cut -d' ' -f2,3 >tracks.txt
	diff tracks.txt - <<-'TEXT'
		node="." property="Grip"
		node="." property="field:angle"
		node="Skeleton3D:Hips" property="position"
		node="Skeleton3D:Hips" property="rotation"
		node="Skeleton3D:Spine" property="rotation"
	TEXT
	anim-dump m.axs | grep -q '^clip .*flags=in_tree'
}

@test "a model without names of a humanoid needs --map with Unity's names, and bones that lack are named" {
	models
	sed 's/Skeleton3D:/Skeleton3D:b_/g; s/LeftLowerLeg/strut/g; s/Hips/pedestal/g' hero.json >odd.json
	run -1 --separate-stderr anim-retarget -o x.axs --to odd.json tpose.json
	[[ $stderr == *"the target lacks 2 bones that humanoid clips need: LeftLowerLeg, LeftFoot; name them with --map FILE, in lines 'LeftLowerLeg,BONE', 'LeftFoot,BONE'"* ]]
	anim-dump hero.axs | sed -n 's/^node path="Skeleton3D:\([A-Za-z]*\)".*/\1/p' >names.txt
	sed 's/Skeleton3D:[A-Z]/Skeleton3D:b_&_/g; s/Upper/upper/g; s/Hand/paw/g' hero.json >odder.json
	run -1 --separate-stderr anim-retarget -o x.axs --to odder.json tpose.json
	[[ $stderr == *"the target lacks "*" bones that humanoid clips need: "*", ...; name them with --map FILE, in lines '"*",BONE', '"*",BONE', '"*",BONE', ..." ]] || { echo "$stderr" && false; }
	while read -r name; do
		local odd=${name/LeftLowerLeg/strut}
		echo "$name,b_${odd/Hips/pedestal}"
	done <names.txt >map.csv
	anim-retarget -q --to odd.json --map map.csv tpose.json >o.axs
	anim-retarget -q --to hero.axs tpose.json >t.axs
	diff <(tracks_of o.axs | sed 's/:b_/:/; s/strut/LeftLowerLeg/; s/pedestal/Hips/') <(tracks_of t.axs)
	sed 's/b_pedestal/nowhere/' map.csv >bad.csv
	run -1 --separate-stderr anim-retarget --to odd.json --map bad.csv tpose.json
	[[ $stderr == *"the target has no bone 'nowhere', which --map names for Hips"* ]]
}

@test "a clip with its own tree gives the same, and tracks of other nodes are left out with a warning" {
	models
	anim-retarget -q --to hero.axs tpose.json >t.axs
	{
		anim-axes -q unity hero.axs | anim-emit -q json | grep '^{"\(node\|tree\|anim_json\)"'
		sed 1d tpose.json | sed 's/"flags": \[\], "rate"/"flags": ["in_tree"], "rate"/'
	} >scene.json
	anim-retarget -q --to hero.axs scene.json >s.axs
	diff <(tracks_of t.axs) <(tracks_of s.axs)
	# a tail, of which no rest pose is known
	track='{"track": {"node": "Tail", "property": "rotation", "component": null, "kind": "Curve", "type": "floatQ", "rules": "unity", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 1, "attributes": {}, "columns": {"time": [0], "value": [[0, 0, 0, 1]]}}}'
	sed "2a $track" tpose.json >tail.json
	run -0 --separate-stderr anim-retarget --to hero.axs -o m.axs tail.json
	[[ $stderr == *"warning: the tracks of other nodes in the humanoid clip were left out, because their rest poses are unknown"* ]]
	diff <(tracks_of t.axs) <(tracks_of m.axs)
	sed 3,200d tail.json >only.json
	echo "$track" >>only.json
	echo '{"end": true}' >>only.json
	run -1 --separate-stderr anim-retarget --to hero.axs only.json
	[[ $stderr == *"'Tail rotation' moves a node whose rest pose is unknown"* ]]
}

@test "anim convert --retarget writes a humanoid clip as glTF, as AnimJ and as a clip that Unity plays on bones" {
	models
	anim-convert -q --retarget hero.axs walk.json walk.glb
	anim-parse -q walk.glb | anim-dump | grep -q '^track node="Skeleton3D/Hips/Spine" property="rotation"\|^track.*Spine.*property="rotation"'
	anim-convert -q --retarget hero.axs walk.json walk.animj
	grep -q 'LeftUpperArm' walk.animj
	anim-convert -q --retarget hero.axs walk.json walk.anim
	[ "$(grep -c 'RootT\.\|classID: 95' walk.anim)" = 0 ]
	grep -q 'm_RotationCurves' walk.anim
}

@test "the last key of a clip whose end is not a sample is at the end, and clips that are too long are refused" {
	models
	sed 's/"end": 1,/"end": 0.95,/' walk.json >short.json
	anim-retarget -q --to hero.axs -o m.axs short.json
	anim-dump m.axs | grep -q 'property="rotation".*kind=Curve.*keys=11'
	anim-dump m.axs | grep -q '^	0.95 '
	[ "$(anim-dump m.axs | grep -c '^	1 ')" = 0 ]
	sed 's/"end": 1,/"end": 1000000,/' walk.json >long.json
	run -1 --separate-stderr anim-retarget -q --to hero.axs -o l.axs long.json
	[[ $stderr == *"the humanoid clip 'go' of 1000000 s would take 10000001 samples, more than 4194304; cut it with anim-retime --time first"* ]]
}
