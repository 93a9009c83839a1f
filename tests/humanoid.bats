#!/usr/bin/env bats
# anim-retarget of Unity's humanoid clips: muscles to bones and back, against avatars and clips that Unity wrote.

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

@test "muscles rotate bones as avatars of Unity say, to 1e-5, and the body is where RootQ and RootT have it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	for name in cat lip vroid; do
		evaluate avatar "$corpus/av_$name.asset" tree.json clip.json
		anim-retarget -q --strict --to tree.json clip.json | anim-bake -q | anim-emit -q -o result.json --force
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
		anim-bake -q -r 30 m.axs | anim-emit -q -o m.json --force
		anim-parse -q "$corpus/zombie_${name}_generic.anim" | anim-bake -q -r 30 | anim-emit -q -o g.json --force
		evaluate pair tree.json m.json g.json map.csv
	done
	# no muscle straightens this model's knee to less than 8.4 degrees: its hinge is not across its thigh
	anim-retarget -q --to tree.json --map map.csv -o m.axs --force "$corpus/zombie_FallingBack_humanoid.anim"
	anim-bake -q -r 30 m.axs | anim-emit -q -o m.json --force
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
	[[ $stderr == *"warning: setting of a humanoid clip 'm_OrientationOffsetY': ignored"* ]]
	[[ $stderr == *"warning: 2 bones: missing in the target (Jaw, LeftIndexProximal); the muscles were left out"* ]]
	run -0 --separate-stderr anim-retarget --to hero.axs -o m.axs mirrored.json
	diff <(tracks_of w.axs) <(tracks_of m.axs)
	[ "$(anim-dump m.axs | grep -c m_Mirror)" = 0 ]
	run -1 --separate-stderr anim-retarget --strict --to hero.axs -o s.axs walk.json
	[ ! -e s.axs ]
}

@test "goals are left out, translations with a warning, and other curves stay" {
	models
	run -0 --separate-stderr anim-retarget --to hero.axs -o m.axs "$DATA/unity/clip_humanoid.anim"
	[[ $stderr == *"warning: translations of bones (TDOF), MotionT and MotionQ are not supported and were left out (2 curves)"* ]]
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
	sed 's/Skeleton3D:/Skeleton3D:b_/g; s/LeftLowerLeg/strut/g; s/LeftFoot/peg/g; s/Hips/pedestal/g' hero.json >odd.json
	sed 's/peg/LeftFoot/g' odd.json >knee.json # whose joint between two named ones needs no name
	anim-retarget -q -o x.axs --force --to knee.json tpose.json
	rm x.axs
	run -1 --separate-stderr anim-retarget -o x.axs --to odd.json tpose.json
	[[ $stderr == *"the target lacks 2 bones that humanoid clips need: LeftLowerLeg, LeftFoot; name them with --map FILE, in lines 'LeftLowerLeg,BONE', 'LeftFoot,BONE'"* ]]
	anim-dump hero.axs | sed -n 's/^node path="Skeleton3D:\([A-Za-z]*\)".*/\1/p' >names.txt
	sed 's/Skeleton3D:[A-Z]/Skeleton3D:b_&_/g; s/Upper/upper/g; s/Hand/paw/g' hero.json >odder.json
	run -1 --separate-stderr anim-retarget -o x.axs --to odder.json tpose.json
	[[ $stderr == *"the target lacks "*" bones that humanoid clips need: "*", ...; name them with --map FILE, in lines '"*",BONE', '"*",BONE', '"*",BONE', ..." ]] || { echo "$stderr" && false; }
	while read -r name; do
		local odd=${name/LeftLowerLeg/strut}
		odd=${odd/LeftFoot/peg}
		echo "$name,b_${odd/Hips/pedestal}"
	done <names.txt >map.csv
	anim-retarget -q --to odd.json --map map.csv tpose.json >o.axs
	anim-retarget -q --to hero.axs tpose.json >t.axs
	diff <(tracks_of o.axs | sed 's/:b_/:/; s/strut/LeftLowerLeg/; s/peg/LeftFoot/; s/pedestal/Hips/') <(tracks_of t.axs)
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
	[[ $stderr == *"warning: track 'Tail rotation': left out, because the clip is humanoid, so only its muscles move the target"* ]]
	sed "2a $track\n${track/Tail/Ear}" tpose.json >tails.json
	run -0 --separate-stderr anim-retarget --to hero.axs -o two.axs tails.json
	[[ $stderr == *"warning: 2 tracks: left out, because the clip is humanoid, so only its muscles move the target (first 'Tail rotation')"* ]]
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

# ---- Bones to muscles ----

@test "rotations that an avatar of Unity gives its bones have the muscles that made them, to 3e-4, also in straight limbs" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	for name in cat lip vroid; do
		# in nearly straight limbs the axes of the avatar, which are floats, leave the twist unsure by 1e-4
		evaluate bones "$corpus/av_$name.asset" tree.json bones.json curves.json
		anim-retarget --strict --muscles bones.json | anim-emit -q -o muscles.json --force
		evaluate same curves.json muscles.json 3e-4
		evaluate goals "$corpus/av_$name.asset" bones.json muscles.json
		# there and back, within a millionth
		anim-retarget -q --to tree.json curves.json | anim-retarget -q --muscles | anim-emit -q -o back.json --force
		evaluate same curves.json back.json 2e-6
		# and all muscles beyond their limits, with the body anywhere
		evaluate avatar "$corpus/av_$name.asset" tree.json beyond.json
		anim-retarget -q --to tree.json beyond.json | anim-retarget -q --muscles | anim-emit -q -o back.json --force
		evaluate same beyond.json back.json 2e-6
	done
}

@test "a generic clip gives the muscles, the body and the goals of the humanoid clip of the same motion" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name
	evaluate meta "$corpus/Zombie1.FBX.meta" tree.json map.csv
	sed 's/\(.*\),\(.*\)/\2,\1/' map.csv >back.csv
	for name in Walk Idle; do
		run -0 --separate-stderr anim-retarget --muscles --from tree.json --map back.csv -o m.axs --force "$corpus/zombie_${name}_generic.anim"
		[[ $stderr == *"bones: the position was dropped, because humanoid clips have rotations only ("* ]]
		[[ $stderr == *"no muscle reaches some rotations: RightIndexDistal is up to "*" degrees off, and "*" other bones by less"* ]]
		anim-emit -q -o m.json --force m.axs
		anim-parse -q "$corpus/zombie_${name}_humanoid.anim" | anim-bake -q -r 30 | anim-emit -q -o h.json --force
		evaluate motion m.json h.json 0.9
	done
}

@test "muscles come back from the bones that they moved, in the axes of any engine" {
	not_bytewise "an evaluator in Python looks at values"
	models
	local axes
	anim-retarget -q --to hero.axs walk.json >w.axs
	# the model has no jaw and no fingers
	grep -v '"Jaw\|Hand\.Index' walk.json | sed 1d >body.json
	{ sed 1q walk.json; cat body.json; } | anim-bake -q | anim-emit -q json >known.json
	for axes in godot unity gltf resonite; do
		anim-axes -q "$axes" w.axs | anim-retarget -q --strict --muscles >m.axs
		anim-dump m.axs | grep -q '^clip .*axes=unity .*flags=in_tree rate=10/1'
		anim-emit -q json m.axs >back.json
		evaluate same known.json back.json 1e-5
		# on the same model, the bones move as before
		anim-axes -q "$axes" w.axs >before.axs
		anim-axes -q "$axes" hero.axs >tree.axs
		anim-retarget -q --to tree.axs m.axs | anim-emit -q json | grep -v '^{"track":.*\(Shoulder\|Toes\)' >after.json
		anim-diff -q --max '0.001deg,0.00001m,0.001%,0.00001px' before.axs after.json
	done
}

@test "anim convert --muscles writes a clip that is the same humanoid clip when it is read back" {
	models
	anim-retarget -q --to hero.axs walk.json >w.axs
	run -2 --separate-stderr anim-convert --muscles w.axs walk.glb
	[ "${stderr_lines[0]}" = "anim-convert: --muscles is for Unity's .anim files, because no other player moves muscles" ]
	anim-convert -q --muscles w.axs walk.anim
	[ "$(grep -c 'classID: 95' walk.anim)" -gt 60 ]
	[ "$(grep -c 'm_LoopBlendOrientation: 1\|m_LoopBlendPositionY: 1\|m_LoopBlendPositionXZ: 1\|m_KeepOriginal[A-Za-z]*: 1' walk.anim)" = 6 ]
	grep -q 'm_SampleRate: 10' walk.anim
	grep -q 'm_RotationCurves: \[\]' walk.anim
	anim-retarget -q --muscles w.axs | anim-diff -q --max 0.000001m,0.000001deg,0.0001%,0.000001px - walk.anim
	# the generic clip of the same model, whose rest poses are in another file
	anim-emit -q -o generic.anim w.axs
	run -1 --separate-stderr anim-convert --muscles generic.anim other.anim
	[[ $stderr == *"moves a node whose rest pose is unknown; set it with --rest FILE"* ]]
	anim-axes -q unity hero.axs >rest.axs
	anim-convert -q --muscles --rest rest.axs generic.anim other.anim
	anim-diff -q --max 0.0001m,0.0001deg,0.01%,0.0001px walk.anim other.anim
	[[ $(anim-convert --dry-run --muscles --mirror --in-place w.axs new.anim) == *"anim-mirror | anim-root --in-place | anim-retarget --muscles | anim-emit"* ]]
	[ "$(anim-convert --dry-run --muscles --rest rest.axs generic.anim new.anim)" = "anim-parse generic.anim | anim-retarget --muscles --from rest.axs | anim-emit --rest rest.axs -o new.anim" ]
}

@test "a clip of an arm gets the muscles of that arm, a clip of a leg gets the whole body" {
	models
	anim-retarget -q --to hero.axs walk.json >w.axs
	anim-filter -q -n '*:LeftLowerArm' w.axs | anim-retarget -q --muscles >arm.axs
	anim-dump arm.axs | sed -n 's/^track node="." property="\([^"]*\)".*/\1/p' >names.txt
	diff names.txt - <<-'TEXT'
		Left Arm Twist In-Out
		Left Arm Front-Back
		Left Arm Down-Up
		Left Forearm Twist In-Out
		Left Forearm Stretch
		Left Hand In-Out
		Left Hand Down-Up
	TEXT
	anim-filter -q -n '*:RightLowerLeg' w.axs | anim-retarget -q --muscles >leg.axs
	[ "$(anim-dump leg.axs | grep -c '^track.*"Root[TQ]\.\|^track.*\(Foot\|Hand\)[TQ]\.')" = 35 ]
	anim-dump leg.axs | grep -q '^track.*"Spine Front-Back".*keys=1$'
	[ "$(anim-dump leg.axs | grep -c '^track.*"\(Left Eye\|LeftHand\.\)')" = 0 ]
}

@test "blend shapes and other nodes stay, positions and rotations that no muscle reaches are named" {
	models
	anim-retarget -q --to hero.axs tpose.json | anim-emit -q json >t.json
	{
		sed '$d' t.json
		echo '{"track": {"node": "Body", "property": "blend_shape/Smile", "component": null, "kind": "Curve", "type": "float", "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 2, "attributes": {}, "columns": {"time": [0, 1], "value": [0, 1]}}}'
		echo '{"track": {"node": "Skeleton3D:Head", "property": "position", "component": null, "kind": "Curve", "type": "float3", "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 2, "attributes": {"godot.bone": "true"}, "columns": {"time": [0, 1], "value": [[0, 0, 0], [0, 1, 0]]}}}'
		echo '{"track": {"node": "Skeleton3D:LeftShoulder", "property": "scale", "component": null, "kind": "Curve", "type": "float3", "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 2, "attributes": {"godot.bone": "true"}, "columns": {"time": [0, 1], "value": [[1, 1, 1], [2, 1, 1]]}}}'
		echo '{"track": {"node": "Skeleton3D:LeftToes", "property": "rotation", "component": null, "kind": "Curve", "type": "floatQ", "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 2, "attributes": {"godot.bone": "true"}, "columns": {"time": [0, 1], "value": [[0, 0, 0, 1], [0, 0, 0.5, 0.8660254]]}}}'
		echo '{"end": true}'
	} >more.json
	run -0 --separate-stderr anim-retarget --muscles -o m.axs more.json
	[[ $stderr == *"warning: bone 'Head': the position was dropped, because humanoid clips have rotations only"* ]]
	[[ $stderr == *"warning: bone 'LeftShoulder': the scale was dropped, because humanoid clips have none"* ]]
	[[ $stderr == *"warning: no muscle reaches some rotations: LeftToes is up to "*" degrees off"* ]]
	anim-dump m.axs | grep -q '^track node="Body" property="blend_shape/Smile".*kind=Curve.*keys=2'
	run -1 --separate-stderr anim-retarget --strict --muscles -o s.axs more.json
	[ ! -e s.axs ]
}

@test "--muscles names what is missing: bones, names of a map, a T-pose" {
	models
	anim-retarget -q --to hero.axs tpose.json | anim-emit -q json >t.json
	run -2 --separate-stderr anim-retarget --muscles --to hero.axs t.json
	[[ $stderr == *"--muscles and --to cannot be combined"* ]]
	run -2 --separate-stderr anim-retarget --muscles --hips Hips t.json
	[[ $stderr == *"--muscles and --hips cannot be combined"* ]]
	run -2 --separate-stderr anim-convert --muscles --retarget hero.axs t.json x.anim
	[[ $stderr == *"--retarget and --muscles cannot be combined: muscles move every humanoid, so leave out --retarget"* ]]
	run -2 --separate-stderr anim-convert --muscles --root-motion t.json x.anim
	[[ $stderr == *"--root-motion and --muscles cannot be combined: Unity takes the motion of the object from the muscle clip, by the settings of the clip"* ]]
	sed 's/Skeleton3D:/Skeleton3D:b_/g; s/LeftLowerLeg/strut/g; s/LeftFoot/peg/g; s/Hips/pedestal/g' t.json >odd.json
	run -1 --separate-stderr anim-retarget --muscles -o x.axs odd.json
	[[ $stderr == *"the skeleton lacks 2 bones that humanoid clips need: LeftLowerLeg, LeftFoot; name them with --map FILE, in lines 'BONE,LeftLowerLeg', 'BONE,LeftFoot'"* ]]
	anim-dump hero.axs | sed -n '/Top"\|Fingers"\|End"/d; s/^node path="Skeleton3D:\([A-Za-z]*\)".*/\1/p' >names.txt
	while read -r name; do
		local odd=${name/LeftLowerLeg/strut}
		odd=${odd/LeftFoot/peg}
		echo "b_${odd/Hips/pedestal},$name"
	done <names.txt >map.csv
	anim-retarget -q --muscles --map map.csv odd.json >o.axs
	anim-retarget -q --muscles t.json >m.axs
	diff <(tracks_of o.axs) <(tracks_of m.axs)
	# the same names with a prefix
	sed 's/^/Skeleton3D:/' map.csv >long.csv
	run -0 --separate-stderr anim-retarget --muscles --map long.csv -o l.axs odd.json
	[[ $stderr != *"no match"* ]]
	diff <(tracks_of l.axs) <(tracks_of m.axs)
	sed 's/,LeftHand$/,Paw/' map.csv >bad.csv
	run -1 --separate-stderr anim-retarget --muscles --map bad.csv odd.json
	[[ $stderr == *"'Paw', which --map names for 'b_LeftHand', is not a bone of Unity, such as LeftUpperArm"* ]]
	run -1 --separate-stderr anim-retarget --muscles nobody.json
	[[ $stderr == *"nobody.json"* ]]
}

@test "a clip that moves no bone stays, and one with its end between two samples ends there" {
	models
	anim-retarget -q --to hero.axs walk.json >w.axs
	anim-retarget -q --muscles w.axs >m.axs
	run -0 --separate-stderr anim-retarget --muscles -o again.axs m.axs
	[[ $stderr == *"note: clip '"*"': humanoid already; unchanged"* && $stderr != *warning* ]]
	diff <(tracks_of m.axs) <(tracks_of again.axs)
	run -0 --separate-stderr anim-retarget --muscles -o none.axs "$DATA/animj/example_discrete.animj"
	[[ $stderr == *"note: clip '"*"': unchanged, because no bones move"* ]]
	anim-emit -q json w.axs | sed 's/"end":1,/"end":0.95,/' | anim-retarget -q --muscles >short.axs
	anim-dump short.axs | grep -q 'property="RootT.x".*kind=Curve.*keys=11'
	anim-dump short.axs | grep -q '^	0.95 '
	[ "$(anim-dump short.axs | grep -c '^	1 ')" = 0 ]
}

@test "a skeleton that lies at rest, or rests with its hips at 0, has the same muscles" {
	not_bytewise "an evaluator in Python looks at values"
	models
	anim-retarget -q --to hero.axs walk.json | anim-emit -q json >w.json
	anim-retarget -q --muscles w.json | anim-emit -q json | grep -v '"[A-Za-z]*[TQ]\.[xyzw]"' >m.json
	sed '/^{"node":{"path":"\.",/s/"rotation":\[[^]]*\]/"rotation":[0.70710678,0,0,0.70710678]/' w.json >lying.json
	sed '/^{"node":{"path":"Skeleton3D:Hips",/s/"position":\[[^]]*\]/"position":[0,0,0]/' w.json >low.json
	local name
	# the root of the model is anywhere
	sed '/^{"node":{"path":"\.",/s/"position":\[[^]]*\]/"position":[1,-3,2]/; s/^\({"node":{"path":"."[^[]*\)"has":\[\]/\1"has":["position"]/' w.json >far.json
	for name in lying low far; do
		[ "$(diff w.json $name.json | grep -c '^>')" = 1 ]
		anim-retarget -q --strict --muscles $name.json | anim-emit -q -o back.json --force
		evaluate same m.json back.json 1e-5
	done
}

@test "motion capture becomes muscles, also if its legs point up at rest" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	run -0 --separate-stderr anim-retarget --muscles -o m.axs "$ANIM_CORPUS/bvh/bn_dataset-1_bow_feminine_001.bvh"
	[[ $stderr == *"note: the rest of the skeleton is not a pose, so the axes of bones were found in the motion"* ]]
	anim-dump -c '*' m.axs | grep -q 'Spine Front-Back'
	rm m.axs
	# it has a bone between neck and head, and hips and spine at one place
	run -0 --separate-stderr anim-retarget --muscles -o m.axs "$ANIM_CORPUS/bvh/cmu_01_01.bvh"
	[[ $stderr == *"note: bone 'Neck1': no muscle, so the next bone turns instead"* ]]
	# the feet are where they were
	anim-retarget -q --to "$ANIM_CORPUS/bvh/cmu_01_01.bvh" -o back.axs m.axs
	anim-bake -q --world "$ANIM_CORPUS/bvh/cmu_01_01.bvh" | anim-filter -q -n '*Foot' -p position >before.axs
	anim-bake -q --world back.axs | anim-filter -q -n '*Foot' -p position | anim-diff -q --max 0.01m,0.01deg,1%,0.01px before.axs -
}

@test "noise in nearly straight limbs does not spin them, and clear bends keep their hinges" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	not_bytewise "an evaluator in Python looks at values"
	local name
	for name in cone plane knee; do
		anim-retarget -q --muscles "$DATA/limb/$name.bvh" | anim-emit -q -o $name.json
	done
	# bent by 3 and 2 degrees in a direction that turns round
	evaluate moves cone.json "Left Arm Twist In-Out" -.19 .19 .13
	evaluate moves cone.json "Left Forearm Stretch" .962 1.037 .08
	evaluate moves cone.json "Right Upper Leg Twist In-Out" -.09 .1 .07
	# from 0 to 40 degrees, 30 degrees off the hinge
	evaluate moves plane.json "Left Arm Twist In-Out" 0 .316 .04
	evaluate moves plane.json "Left Forearm Stretch" .508 1 .02
	# a knee that is overstretched by 4 degrees stays so
	evaluate moves knee.json "Left Upper Leg Twist In-Out" -.02 .02 .03
	evaluate moves knee.json "Left Lower Leg Stretch" .687 1.05 .02
	# hands and feet are where they were
	for name in cone knee; do
		anim-retarget -q --to "$DATA/limb/$name.bvh" $name.json | anim-bake -q --world | anim-filter -q -n '*Hand' -n '*Foot' >after.axs
		anim-bake -q --world "$DATA/limb/$name.bvh" | anim-filter -q -n '*Hand' -n '*Foot' >before.axs
		anim-diff -q --max 0.0001m,0.01deg,1%,0.01px before.axs after.axs
	done
}

@test "Unity's own arm twist comes out of nearly straight arms" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	evaluate meta "$corpus/Zombie1.FBX.meta" tree.json map.csv
	sed 's/\(.*\),\(.*\)/\2,\1/' map.csv >back.csv
	anim-retarget -q --muscles --from tree.json --map back.csv "$corpus/zombie_FallingForward_generic.anim" | anim-emit -q -o m.json
	evaluate moves m.json "Left Arm Twist In-Out" -.4 .21 .25
	evaluate moves m.json "Left Forearm Twist In-Out" -.27 .49 .3
}

@test "a mirrored humanoid clip has the muscles, the body and the goals of the mirrored bones" {
	not_bytewise "an evaluator in Python looks at values"
	models
	anim-retarget -q --to hero.axs walk.json | anim-retarget -q --muscles >m.axs
	run -0 --separate-stderr anim-mirror --strict -o mirrored.axs m.axs
	[ -z "$stderr" ]
	anim-emit -q -o mirrored.json mirrored.axs
	anim-retarget -q --to hero.axs walk.json | anim-mirror -q | anim-retarget -q --muscles | anim-emit -q -o wanted.json
	# the mass centre of Unity's human is not symmetric: the left forearm weighs at the upper arm
	evaluate same wanted.json mirrored.json 6e-3
	grep '^{"track".*Q\.[xyzw]\|^{"track".*\(Arm\|Leg\|Foot [TU]\|Twist\)' wanted.json >turns.json
	evaluate same turns.json mirrored.json 1e-5
	# twice is once
	anim-mirror --strict mirrored.axs | anim-diff - m.axs
	run -0 --separate-stderr anim-mirror -o t.axs "$DATA/unity/clip_humanoid.anim"
	[[ $stderr != *Root* ]]
}

@test "fast muscles get more keys than the clip's rate has, and the error between keys is a bound" {
	models
	sed 's/"rate": {"num": 10,/"rate": {"num": 3,/' walk.json >fast.json
	run -0 --separate-stderr anim-retarget --to hero.axs -o few.axs fast.json
	[[ $stderr =~ "note: between its keys, rotations are at most "([0-9.e-]+)" degrees off, and the hips "([0-9.e-]+)" % of their height" ]]
	awk -v a="${BASH_REMATCH[1]}" -v b="${BASH_REMATCH[2]}" 'BEGIN { exit !(a > 0 && a < 0.3 && b < 0.1) }'
	anim-resample -q -r 960 fast.json | anim-retarget -q --to hero.axs >many.axs
	anim-diff -q --max "${BASH_REMATCH[1]}deg,0.001m" few.axs many.axs
	# bones that move evenly stay samples
	anim-info -q few.axs | grep -q ' Raw '
}

@test "anim-root takes the motion of a humanoid clip out of its body, or leaves it to Unity" {
	not_bytewise "an evaluator in Python looks at values"
	models
	# the keys of all other curves stay
	run -0 --separate-stderr anim-root --in-place -o place.axs walk.json
	[[ $stderr == *"note: removed a motion of "*" times the height of the body's centre and 0 degrees" ]]
	[ "$(anim-info -q place.axs | grep -c 'RootT.[xz] .* 1  0  *0 ')" = 2 ]
	diff <(anim-dump place.axs | grep -A9 'property="RootQ\|Arm Twist') <(anim-parse -q walk.json | anim-dump | grep -A9 'property="RootQ\|Arm Twist')
	# the yaw: the body does not turn
	anim-root -q --in-place --yaw -o yaw.axs walk.json
	anim-info -q yaw.axs | awk '/RootQ.y/ { found = 1; exit !($0 ~ / 0 / || $0 ~ /e-1[0-9]/) } END { exit !found }'
	# a loop ends as it begins
	anim-root -q --in-place --yaw --loop -o loop.axs walk.json
	anim-lint --loop-seam loop.axs | grep 'Root[TQ]' && false
	# the motion that moves the object is a setting
	anim-root -q --for unity walk.json | anim-emit -q -o moves.anim
	[ "$(grep -c 'm_LoopBlend\(Orientation\|PositionY\|PositionXZ\): 0' moves.anim)" = 3 ]
	anim-root -q walk.json | anim-emit -q -o over.anim
	[ "$(grep 'm_LoopBlend\(Orientation\|PositionY\|PositionXZ\):' over.anim | grep -o '[01]$' | tr -d '\n')" = 110 ]
	anim-root -q --fold over.anim | anim-emit -q -o whole.anim
	[ "$(grep -c 'm_LoopBlend\(Orientation\|PositionY\|PositionXZ\): 1' whole.anim)" = 3 ]
	# a clip of bones without a tree still needs one
	printf '{"anim_json":1}\n{"clip":{"name":"a","root":".","loop":"none","start":0,"end":1,"flags":[],"attributes":{}}}\n{"track":{"node":"Hips","property":"position","component":null,"kind":"Curve","type":"float3","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"Linear","keys":1,"attributes":{},"columns":{"time":[0],"value":[[0,1,0]]}}}\n{"end":true}\n' >bare.json
	run -1 --separate-stderr anim-root --in-place bare.json
	[[ $stderr == *"clip 'a' has no node tree"* ]]
}
