#!/usr/bin/env bats
# anim-pin: feet and hands that touch stay in place.

load helper

corpus="$ANIM_CORPUS/bvh"

# A walk over the ground: walk.axs, whose feet slide.
walk() {
	local track='{"track":{"node":"Skeleton3D","property":"position","component":null,"kind":"Curve","type":"float3","rules":"plain","flags":[],"before":"hold","after":"hold","interp":"Linear","keys":2,"attributes":{},"columns":{"time":[0,1.2],"value":[[0,0,0],[0,0,1.2]]}}}'

	anim-parse -q "$ROOT/examples/walker.tscn" | anim-emit -q json | sed "/^{\"clip\"/s/\$/\\n${track//\//\\/}/" |
		anim-parse -q - >walk.axs
}

# in_space FILE RATE: the clip in space, as FILE.json.
in_space() {
	anim-bake -q --world -r "$2" "$1" | anim-emit -q --force -o "$1.json"
}

# holds BEFORE AFTER RATE: the evaluator finds no slide, no flipped knee, no fast joint, no foot below the ground.
holds() {
	command -v python3 >/dev/null || return 0
	in_space "$1" "$3"
	in_space "$2" "$3"
	python3 "$ROOT/tests/pin.py" "$1.json" "$2.json" >said
	cat said
	awk '$1 == "slide" && ($2 < 5 || $3 > 2) || $1 == "knee" && $2 > 5 || $1 == "speed" && $2 > 1.2 || $1 == "below" && $2 > .1 { exit 1 }' said
}

tracks_of() {
	anim-dump "$1" | sed -n "/^track node=\"Skeleton3D:$2\"/,/^track node=\"Skeleton3D:[^\"]*\" property=\"[a-z]*\"/p" | sed '$d'
}

@test "feet that touch the ground stay in place, knees bend in their plane, and the message says by how much" {
	not_sanitized "an evaluator in Python looks at values"
	walk
	run -0 --separate-stderr anim-pin -o pinned.axs walk.axs
	[[ $stderr == *": note: pinned 4 contacts; feet slid by at most "*" % of a leg and now slide by 0.0 %; joints moved by at most "*" %, and the hips were lowered by at most "*" %" ]]
	holds walk.axs pinned.axs 60
}

@test "sampled tracks stay sampled, and all other tracks are unchanged" {
	not_sanitized "an evaluator in Python looks at values"
	walk
	anim-bake -q -r 30 walk.axs >baked.axs
	anim-pin -q baked.axs >pinned.axs
	holds baked.axs pinned.axs 30
	[ "$(anim-info -q pinned.axs | grep -c ' Raw ')" -eq "$(anim-info -q baked.axs | grep -c ' Raw ')" ]
	for node in '*Arm' Spine Chest Neck '*Toes'; do
		anim-filter --no-provenance -q -n "*:$node" baked.axs >a
		anim-filter --no-provenance -q -n "*:$node" pinned.axs | cmp - a
	done
}

@test "keys stay with their modes where nothing touches" {
	walk
	printf 'bone,from,to\nLeftToes, 0.2 ,0.4\n' >contacts.csv
	anim-pin -q --ease 0.05 --lower 0 --contacts contacts.csv walk.axs >pinned.axs
	anim-filter -q -n '*:Right*' walk.axs >a
	anim-filter -q -n '*:Right*' pinned.axs | anim-diff - a
	# the segments from 0.15 to 0.45 s are samples; the keys around them are those of the curve
	tracks_of pinned.axs LeftLowerLeg >keys
	cat keys
	grep -q 'kind=Curve' keys
	grep -q 'interp=Hermite\|interp=column' keys
	[ "$(grep -c '^	0\.[6-9]\|^	1\.' keys)" -lt 30 ]
}

@test "hands are pinned by a file of contacts, and bones that are no foot, toes or hand are named" {
	walk
	printf 'RightHand,0.2,0.5\nNose,0,1\n' >contacts.csv
	run -0 --separate-stderr anim-pin --contacts contacts.csv -o pinned.axs walk.axs
	[[ $stderr == *"note: pinned 1 contact; "* ]]
	[[ $stderr == *"anim-pin: contacts.csv:2:1: warning: contact 'Nose': not in the skeleton, which has no such foot, toes or hand"* ]]
	# the hand is where it is within 0.3 mm, also between the samples
	anim-bake -q --world -r 100 pinned.axs | anim-filter -q -n '*:RightHand' -p position | anim-retime -q -t 0.2..0.5 |
		anim-dump | grep -E '^	-?[0-9.e-]+,-?[0-9.e-]+,-?[0-9.e-]+$' >places
	[ "$(wc -l <places)" -ge 30 ]
	awk -F, 'NR == 1 { x = $1; y = $2; z = $3 } ($1 - x) ^ 2 + ($2 - y) ^ 2 + ($3 - z) ^ 2 > 1e-7 { print; bad = 1 } END { exit bad }' places
	run -1 anim-pin --strict --contacts contacts.csv walk.axs
}

@test "a contact inside another one changes nothing, and a foot below an ankle is no second leg" {
	walk
	printf 'LeftFoot,0.1,0.4\nLeftFoot,0.2,0.3\nLeftFoot,0.1,0.2\n' >inside.csv
	echo 'LeftFoot,0.1,0.4' >alone.csv
	anim-pin -q --no-provenance --contacts inside.csv walk.axs -o inside.axs
	anim-pin -q --no-provenance --contacts alone.csv walk.axs -o alone.axs
	same inside.axs alone.axs
	anim-emit -q json walk.axs | sed 's/LeftToes/LeftAnkle/g' | anim-parse -q - >ankle.axs
	anim-pin -q ankle.axs -o pinned.axs
	[ "$(anim-info -q pinned.axs | grep -c 'LeftLowerLeg *rotation')" -eq 1 ]
}

@test "wrong contacts and models without feet are errors, and a clip without contacts stays as it is" {
	walk
	echo 'LeftFoot,0.5' >bad.csv
	run -1 --separate-stderr anim-pin --contacts bad.csv walk.axs
	[[ $stderr == "anim-pin: bad.csv:1:1: a line has 2 fields instead of three, which are bone,from,to" ]]
	printf 'bone,from,to\nLeftFoot,0.5,x\n' >bad.csv
	run -1 --separate-stderr anim-pin --contacts bad.csv walk.axs
	[[ $stderr == "anim-pin: bad.csv:2:1: a contact needs a bone and two times in seconds, as in LeftFoot,0.5,1.2" ]]
	printf 'LeftFoot,0.5,0.2\n' >bad.csv
	run -1 --separate-stderr anim-pin --contacts bad.csv walk.axs
	[[ $stderr == "anim-pin: bad.csv:1:1: a contact ends before it begins" ]]
	printf 'LeftFoot,5,6\n' >late.csv
	run -0 --separate-stderr anim-pin --contacts late.csv -o late.axs walk.axs
	[[ $stderr == *": warning: unchanged, because none of the contacts of --contacts is in the clip" ]]
	run -2 --separate-stderr anim-pin --height low walk.axs
	[[ $stderr == *"--height: 'low' is not a percentage of 0 or more"* ]]
	run -2 --separate-stderr anim-pin --ease soon walk.axs
	[[ $stderr == *"--ease: 'soon' is not a time from 0 to 10 seconds"* ]]
	run -1 --separate-stderr anim-pin "$ROOT/examples/crane.tscn"
	[[ $stderr == *"no feet: no nodes have names of legs, such as LeftUpLeg, LeftLeg and LeftFoot below each other; if the tree has legs, rename with anim-rename"* ]]
	anim-parse -q "$ROOT/examples/walker.tscn" >spot.axs
	run -0 --separate-stderr anim-pin --no-provenance -o same.axs spot.axs
	[[ $stderr == *"note: no foot touches the ground; use --height and --speed to find more contacts, or --contacts" ]]
	anim-diff same.axs spot.axs
}

@test "anim convert --pin pins after retargeting" {
	walk
	anim convert -q --pin walk.axs pinned.glb
	anim-pin -q walk.axs | anim-emit -q -o pipe.glb
	cmp pinned.glb pipe.glb
	run -0 anim convert --dry-run --retarget hero.glb --pin walk.axs x.glb
	[[ $output == *"anim-retarget --to hero.glb"*"| anim-pin"* ]]
}

@test "walks of motion capture, as they are and on other skeletons, hold their feet" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local name unit rate from
	while read -r name unit rate from; do
		# the first sample of CMU's takes is a T-pose
		anim-parse -q --unit "$unit" "$corpus/$name.bvh" | anim-retime -q -t "$from".. >"$name.axs"
		anim-pin -q "$name.axs" >pinned.axs
		holds "$name.axs" pinned.axs "$rate"
	done <<-'TEXT'
		cmu_12_01_walk cmu 120 0.05
		cmu_01_01 cmu 120 0.05
		walk01 cm 24 0
		bn_dataset-2_walk-turn-right_elderly_021 cm 30 0
		test_mocapbank cm 30 0
	TEXT
	anim-retarget -q --to cmu_12_01_walk.axs walk01.axs >hero.axs 2>/dev/null
	anim-pin -q hero.axs >pinned.axs
	holds hero.axs pinned.axs 24
	anim-retarget -q --to test_mocapbank.axs bn_dataset-2_walk-turn-right_elderly_021.axs >hero.axs 2>/dev/null
	anim-pin -q hero.axs >pinned.axs
	holds hero.axs pinned.axs 30
}

# bends FILE LEAST MOST SPEED: the bends of all knees of the pinned clip, in degrees, and the top speed by the one before.
bends() {
	anim-parse -q "$DATA/limb/$1.bvh" >before.axs
	anim-pin -q before.axs >after.axs
	in_space before.axs 30
	in_space after.axs 30
	python3 "$ROOT/tests/pin.py" before.axs.json after.axs.json >said
	cat said
	awk -v least="$2" -v most="$3" -v speed="$4" '
		$1 == "slide" && $3 > 0.1 || $1 == "below" && $2 > 0.1 || $1 == "speed" && $2 > speed { exit 1 }
		$1 == "bend" && ($2 < least || $3 > most) { exit 1 }' said
}

@test "straight and overstretched knees bend forward, and none bends over" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	# hips that circle over straight legs, with half a degree to and fro in the knees
	bends sway 14.3 15.1 1.7
	# overstretched by 6 degrees, then a squat
	bends overstretched 7.3 59.6 1.05
	# overstretched by 4 degrees while the hips sway: these legs never bend to the right side before
	bends hyperextended 8.9 30 1.05
}

@test "hips that are the root of the tree are lowered" {
	anim-parse -q "$DATA/limb/overstretched.bvh" | anim-emit -q json |
		sed '/^{"node":{"path":"\."/d; s|"path":"Hips"|"path":"."|; s|"path":"Hips/|"path":"|; s|"node":"Hips"|"node":"."|; s|"node":"Hips/|"node":"|; /^{"tree"/s|"root":"[^"]*"|"root":"Hips"|' |
		awk '/^."node":/ { if (match($0, /"parent":[0-9]+/)) { n = substr($0, RSTART + 9, RLENGTH - 9); p = n == 0 ? "null" : n - 1; $0 = substr($0, 1, RSTART + 8) p substr($0, RSTART + RLENGTH) } } { print }' >rooted.json
	run -0 --separate-stderr anim-pin -o rooted.axs rooted.json
	[[ $stderr == *"the hips were lowered by at most 1.1 %"* ]]
}

@test "a clip whose keys repeat for an hour is pinned in seconds, and what repeats still does" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	not_sanitized "it measures time"
	anim-parse -q "$DATA/limb/overstretched.bvh" | anim-emit -q json >take.json
	python3 - <<-'PY'
		import json
		rows = [json.loads(line) for line in open("take.json")]
		for row in rows:
		    if "clip" in row: row["clip"]["end"] = 3600
		    track = row.get("track")
		    if not track: continue
		    for name in ("rate", "start", "step"): track.pop(name, None)
		    values = track["columns"]["value"]
		    track.update(kind="Curve", before="loop", after="loop", keys=len(values))
		    track["columns"]["time"] = [k / 30 for k in range(len(values))]
		open("hour.json", "w").writelines(json.dumps(row) + "\n" for row in rows)
	PY
	timeout 30 anim-pin -q -o hour.axs hour.json 2>/dev/null
	anim-info -q hour.axs | grep -q 'Spine  *rotation .* 150  0 .. 4.966.* repeats'
	anim-info -q hour.axs | grep -q 'LeftLeg  *rotation .* 0 .. 3600'
	# the knees bend in the 700th period as in the second
	anim-retime -q -t 4.9666667..9.8 hour.axs | anim-filter -q -n '*LeftLeg' >second.axs
	anim-retime -q -t 3476.6666667..3481.5 hour.axs | anim-filter -q -n '*LeftLeg' >late.axs
	[[ $(anim-diff --max 1deg second.axs late.axs) == *"1 track compared, 1 off within its limit"* ]] # the ends differ by rounding
}
