#!/usr/bin/env bats
# anim-retarget: one skeleton's animation on another, measured from rest.

load helper

corpus="$ANIM_CORPUS/gltf"
evaluate() {
	python3 "$ROOT/tests/retarget.py" "$@"
}

# skeletons KIND: a clip on a skeleton of Mixamo's names, s.axs, and another skeleton of Unity's, t.axs.
skeletons() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	evaluate make "$1"
	anim-parse -q -o s.axs --force source.json
	anim-parse -q -o t.axs --force target.json
	anim-emit -q -o s.json --force s.axs
}

# there [OPTION...]: onto the target, as JSON Lines.
there() {
	anim-retarget -q --to t.axs "$@" -o m.axs --force s.axs
	anim-emit -q -o m.json --force m.axs
}

keys_of() {
	anim-info -q "$1" | tail -n 2 | head -n 1 | grep -o '[0-9]* tracks*, [0-9]* keys'
}
tracks() {
	anim-dump "$1" | grep '^track'
}

@test "curves whose player asks what the clip says of itself come over, too" {
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-axes gltf -o s.axs
	run -0 --separate-stderr anim-retarget --to s.axs -o m.axs s.axs
	[[ $stderr == *"note: feet slide on the ground by at most "*" of a leg ("* ]]
	anim-diff s.axs m.axs
}

@test "every bone rotates from its rest as its partner does, to 1e-6 degrees at 1000 times, and there and back is the source to 4 ulp" {
	local kind
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	for kind in double back; do # back: the target looks the other way
		skeletons $kind
		there
		evaluate turns s.json m.json 1e-6
		[ "$(keys_of s.axs)" = "$(keys_of m.axs)" ]
		anim-retarget -q --to s.axs m.axs | anim-emit -q json >b.json
		evaluate same s.json b.json 4
	done
	skeletons float
	there
	evaluate turns s.json m.json 1e-4 100
	anim-retarget -q --to s.axs m.axs | anim-emit -q json >b.json
	evaluate same s.json b.json 4
	anim-retarget -q --no-provenance --to s.axs s.axs >i.axs
	anim-filter --no-provenance -n '*' s.axs | cmp - i.axs
}

@test "a skeleton at rest in another pose is brought into the source's, with a note; --silhouette says from where on" {
	skeletons pose
	there
	evaluate points s.json m.json 1e-4
	anim-retarget -q --to s.axs m.axs | anim-emit -q json >b.json
	evaluate same s.json b.json 4
	run -0 --separate-stderr anim-retarget --to t.axs -o m.axs --force s.axs
	[[ $stderr == *"note: the rest pose of the target was matched to the rest pose of the source: 'LeftUpperArm' and 5 more point in another direction, by up to 45 degrees"* ]]
	run -0 --separate-stderr anim-retarget --silhouette 46 --to t.axs -o m.axs --force s.axs
	[[ $stderr != *"rest pose"* && $stderr != *"another pose"* ]]
	# a bone that stands still stands as the source's does
	anim-filter -q -v -n '*LeftShoulder' s.axs >still.axs
	anim-emit -q json still.axs >s.json
	anim-retarget -q --to t.axs still.axs | anim-emit -q json >m.json
	evaluate points s.json m.json 1e-4
	run -2 anim-retarget --silhouette 1e9 --to t.axs s.axs
}

@test "rotations of bones that the target lacks go into those below, exactly at the keys, with a bound between them" {
	not_bytewise "an evaluator in Python looks at values"
	skeletons missing
	run -0 --separate-stderr anim-retarget --to t.axs -o m.axs s.axs
	[[ ${stderr_lines[0]} == *"note: 3 rotations: now with the motion of parent bones that the target lacks (Spine2, Head, LeftArm), at most 0.01 degrees off" ]]
	anim-emit -q -o m.json m.axs
	evaluate turns s.json m.json 0.03 200
	skeletons baked # samples stay samples of the same rate
	there
	evaluate turns s.json m.json 1e-4 21
	tracks m.axs | grep -q 'UpperChest.*kind=Raw'
	# a root that carries the hips away: their place goes along
	skeletons root
	there
	evaluate turns s.json m.json 0.02 200 1e-3
	# one alone is kept key by key
	skeletons missing
	anim-filter -q -n '*LeftShoulder' -o s.axs --force s.axs
	there
	[ "$(keys_of s.axs)" = "$(keys_of m.axs)" ]
	tracks m.axs | grep -q 'node="Hips/Spine/UpperChest/LeftUpperArm" property="rotation"'
}

@test "tracks that the target cannot hold are dropped and reported, tracks at rest are not reported" {
	skeletons float
	anim-emit -q json s.axs >all.json
	python3 - <<-'PY'
		import json
		rows = [json.loads(line) for line in open("all.json")]
		hips = next(r["track"] for r in rows if "track" in r and r["track"]["property"] == "position")
		def add(node, part, values, type="float3"):
		    t = dict(hips, node=node, property=part, type=type, interp="Linear", keys=2, columns={"time": [0, 1], "value": values})
		    rows.insert(-1, {"track": t})
		at = {r["node"]["path"]: r["node"] for r in rows if "node" in r}
		spine, head = (next(p for p in at if p.endswith(n)) for n in (":Spine", ":Head"))
		add(spine, "position", [at[spine]["position"]] * 2)
		add(spine, "scale", [[1, 1, 1]] * 2)
		add(head, "position", [[0, .1, 0], [0, .2, 0]])
		add(head, "scale", [[1, 1, 1], [2, 2, 2]])
		add("Nowhere", "position", [[0, 0, 0], [1, 1, 1]])
		add(spine, "visible", [True, False], "bool")
		rows[-2]["track"].update(kind="Discrete"); del rows[-2]["track"]["interp"]
		open("more.json", "w").writelines(json.dumps(r) + "\n" for r in rows)
	PY
	anim-parse -q -o s.axs --force more.json
	run -0 --separate-stderr anim-retarget --to t.axs -o m.axs s.axs
	[[ $stderr == *"warning: bone 'Head': the position was dropped, because the target has its own bone lengths"* ]]
	[[ $stderr == *"warning: bone 'Head': the scale was dropped; --scale keeps it"* ]]
	[[ $stderr == *"warning: track 'Nowhere position': dropped, because the rest pose is unknown"* ]]
	[[ $stderr != *Spine* ]]
	tracks m.axs | grep -q 'node="Hips/Spine" property="visible"'
	run -1 anim-retarget --strict --to t.axs -o n.axs s.axs
	anim-retarget -q --scale --to t.axs s.axs 2>/dev/null >n.axs
	tracks n.axs | grep -q 'Head" property="scale"'
	anim-retarget -q --keep-positions --to s.axs s.axs 2>/dev/null >n.axs
	tracks n.axs | grep -q 'Head" property="position"'
}

@test "bones are found by --map, by the names of humanoids, by equal names; none found, no rest and other axes are errors" {
	skeletons float
	anim-rename -q --on name -e 's/.*/&_q/' t.axs >x.axs
	run -1 --separate-stderr anim-retarget --to x.axs s.axs
	[ "$stderr" = "anim-retarget: no bone of the clip's skeleton has the name of a target bone; match them with --map FILE" ]
	there
	anim-rename -q --on name -e 's/.*/&_q/' m.axs | anim-emit -q json >want.json
	anim-info --tree t.axs | sed -n 's/^ *\([A-Z][A-Za-z]*\) position.*/\1,\1_q/p' >to.csv
	anim-rename -q --humanoid mixamo:unity s.axs >u.axs
	anim-retarget -q --map to.csv --to x.axs u.axs | anim-emit -q json >got.json
	diff <(grep '^.\"track' want.json) <(grep '^.\"track' got.json)
	echo Hips,Nobody >map.csv
	run -1 --separate-stderr anim-retarget -q --map map.csv --to t.axs s.axs
	[[ $stderr == *"the target has no bone 'Nobody', which --map names; main bones have no partner: 'Hips' of the clip's skeleton ("*"); 'Hips' of the target (t.axs)" ]]
	run -0 --separate-stderr anim-retarget -q --partial --map map.csv --to t.axs -o m.axs --force s.axs
	[[ $stderr == *"warning: name of the map 'Nobody': not a bone of the target, or matched already"* ]]
	anim-axes -q unity s.axs >unity.axs
	anim-retarget -q --to t.axs unity.axs >turned.axs
	anim-axes -q gltf unity.axs | anim-retarget -q --to t.axs | anim-emit -q json | grep '"track' | cmp - <(anim-emit -q json turned.axs | grep '"track')
	there
	anim-emit -q -o w.animj --axes keep m.axs 2>/dev/null
	anim-parse -q w.animj | anim-axes -q gltf >w.axs
	run -1 --separate-stderr anim-retarget --to s.axs w.axs
	[[ $stderr == *"moves a node whose rest pose is unknown; set it with --from FILE" ]]
	anim-retarget -q --from t.axs --to s.axs w.axs >n.axs
	[ "$(tracks n.axs | grep -c mixamorig)" = 23 ]
	run -2 --separate-stderr anim-retarget s.axs
	[ "${stderr_lines[0]}" = "anim-retarget: --to FILE is missing: the skeleton that the clips are for" ]
	printf '%s\n' '{"anim_json":1}' '{"end":true}' >none.json
	run -1 --separate-stderr anim-retarget --to none.json s.axs
	[ "$stderr" = "anim-retarget: none.json: has no nodes, so no skeleton; use a scene" ]
	anim-parse -q source.json target.json >two.axs
	run -1 --separate-stderr anim-retarget --to two.axs s.axs
	[ "$stderr" = "anim-retarget: two.axs: holds 2 trees; name a file that contains only the skeleton" ]
}

@test "a name of the map is a bone's before that of a mesh beside the skeleton, on both sides" {
	sed 's/^+/\t/' >t.txt <<-'TEXT'
		anim-dump 1
		tree root="R" source="" axes=gltf axes2d=unknown
		node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Torso" type="" kind=mesh has=- parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Hips" type="" kind=bone has=position parent=0 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		node path="Hips/Torso" type="" kind=bone has=position parent=2 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		clip name="a" root="." source="" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=in_tree rate=0/0
		track node="Hips/Torso" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=1
		+columns time value
		+0 0.6,0,0,0.8
		end
	TEXT
	anim-undump -o t.axs t.txt
	sed 's/Hips/Pelvis/; s/Torso/Chest/' t.txt | anim-undump -o s.axs
	printf 'Chest,Torso\nPelvis,Hips\n' >map.csv
	anim-retarget -q --strict --to t.axs --map map.csv s.axs | anim-dump | grep '^track' >tracks.txt
	[ "$(cut -d' ' -f2 tracks.txt)" = 'node="Hips/Torso"' ]
}

@test "Unity's muscles stay as they are in other programs, and the message says what can be done" {
	skeletons float
	anim-parse -q "$DATA/unity/clip_humanoid.anim" >h.axs
	{
		sed '/^{"end/d' target.json
		anim-emit -q json h.axs | sed '1d; s/"axes":"unity"/"axes":"gltf"/; s/"flags":\[\],"rate"/"flags":["in_tree"],"rate"/'
	} | anim-parse -q -f json >in.axs
	for program in delta; do
		run -0 --separate-stderr anim-$program -o m.axs --force in.axs
		[[ $stderr == *"warning: "*"humanoid curves: unchanged, because muscles are not bones"* ]]
		diff <(anim-filter -p 'Root*' h.axs | anim-dump | grep -A9 '^track') <(anim-filter -p 'Root*' m.axs | anim-dump | grep -A9 '^track')
	done
}

@test "whole jobs: Mixamo's walk on a Godot humanoid, a BVH take on a Unity rig, a VRM animation on an avatar's own names" {
	skeletons float
	anim-emit -q -o walk.gltf s.axs
	anim-parse walk.gltf | anim-axes godot | anim-retarget -q --to hero.tscn | anim-emit -q -o hero-walk.tres
	grep -q 'NodePath("Skeleton3D:LeftUpperArm")' hero-walk.tres
	anim-parse walk.gltf | anim-axes godot | anim-retarget -q --to hero.tscn | anim-axes -q gltf | anim-emit -q json >m.json
	evaluate turns s.json m.json 1e-4 50
	anim-parse --unit cm take.bvh | anim-axes unity | anim-bake -q >take.axs
	anim-retarget -q --to rig.prefab -o onto.axs take.axs
	anim-emit -q -o take.anim onto.axs
	grep -q '^    path: Hips/Spine/Chest$' take.anim
	anim-emit -q -o a.json take.axs
	anim-emit -q -o b.json onto.axs
	evaluate turns a.json b.json 1e-4 20
	anim-rename -q --humanoid mixamo:vrm s.axs | anim-emit -q -o dance.vrma
	anim-parse dance.vrma | anim-retarget -q --map avatar.csv --to avatar.gltf >onto.axs
	anim-axes resonite onto.axs | anim-emit -q -o dance.animj
	grep -q '"node":"l_upperarm"' dance.animj
	anim-parse dance.vrma | anim-emit -q json >a.json
	anim-emit -q -o b.json --force onto.axs
	evaluate turns a.json b.json 1e-4 50
}

@test "a VRM model names its bones, 1.0 and 0.x, whatever they are called" {
	skeletons float
	python3 - <<-'PY'
		import json
		d = json.load(open("avatar.gltf"))
		names = dict(reversed(line.strip().split(",")) for line in open("avatar.csv"))
		bones = {names[n["name"]]: {"node": i} for i, n in enumerate(d["nodes"]) if n["name"] in names}
		d["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "meta": {}, "humanoid": {"humanBones": bones}}}
		json.dump(d, open("new.vrm", "w"))
		old = [{"bone": n, "node": b["node"], "useDefaultValues": True} for n, b in bones.items()] + [{"bone": "jaw", "node": -1}]
		d["extensions"] = {"VRM": {"humanoid": {"humanBones": old, "armStretch": 0.05}}}
		json.dump(d, open("old.vrm", "w"))
		old[:] = [{"bone": "leftThumbProximal", "node": 1}]
		json.dump(d, open("thumb.vrm", "w"))
	PY
	anim-rename -q --humanoid mixamo:vrm s.axs | anim-retarget -q --map avatar.csv --to avatar.gltf | anim-dump >want.txt
	local file
	for file in new.vrm old.vrm; do
		anim-retarget -q --to $file s.axs | anim-dump >got.txt
		diff <(grep -A9 '^track' want.txt) <(grep -A9 '^track' got.txt)
	done
	anim-parse -q thumb.vrm | anim-dump | grep -q '"gltf.vrm" "leftThumbMetacarpal"'
}

@test "what is above a skeleton is not brought into the source's pose, unless the map calls it a bone" {
	printf '%s\n' HIERARCHY 'ROOT A' '{ OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation' \
		'JOINT B { OFFSET 0 1 0 CHANNELS 0 } }' MOTION 'Frames: 2' 'Frame Time: 0.1' '0 0 0' '10 0 0' >from.bvh
	printf '{"asset":{"version":"2.0"},"skins":[{"joints":[1,2]}],"nodes":[{"rotation":[0.6,0,0,0.8],"children":[1]},%s,%s]}' \
		'{"name":"A","translation":[1,0,0],"children":[2]}' '{"name":"B","translation":[1,0,0]}' >to.gltf
	turned() { anim-parse -q --unit m from.bvh | anim-bake -q | anim-retarget -q --to to.gltf "$@" | anim-dump | grep -o '^track node="[^"]*"'; }
	[ "$(turned)" = 'track node="A"' ]
	printf '.,.\n' >map.csv
	[ "$(turned --map map.csv)" = $'track node="A"\ntrack node="."' ]
}

@test "a map that pairs left with right gives a warning, or the reason why the target has no pose" {
	skeletons float
	printf 'mixamorig:%s,%s\n' LeftUpLeg RightUpperLeg LeftLeg RightLowerLeg RightUpLeg LeftUpperLeg RightLeg LeftLowerLeg >map.csv
	run -1 --separate-stderr anim-retarget --map map.csv --to t.axs s.axs
	[ "$stderr" = "anim-retarget: the map pairs 'LeftUpLeg' with 'RightUpperLeg', which is on the other side, so the rest of the target is not a pose of a human" ]
	printf 'mixamorig:%s,%s\n' LeftFoot RightFoot RightFoot LeftFoot >map.csv
	run -0 --separate-stderr anim-retarget --map map.csv --to t.axs -o m.axs s.axs
	[[ $stderr == *"warning: 2 bones: paired by the map with the other side of the target (first 'LeftFoot')"* ]]
}

@test "a foot that is not below its leg in the target follows the end of the leg" {
	local file
	skeletons float
	anim-emit -q -o t.json --force t.axs
	# the feet become children of the root, at the same places
	evaluate apart t.json apart.json
	anim-parse -q -o apart.axs apart.json
	printf 'mixamorig:%s,%s\n' LeftFoot LeftFoot RightFoot RightFoot LeftToeBase LeftToes RightToeBase RightToes >map.csv
	run -0 --separate-stderr anim-retarget --map map.csv --to apart.axs -o two.axs s.axs
	[[ $stderr == *"note: bone 'LeftFoot': not below 'LeftLowerLeg' in the target, so it got positions too"* ]]
	[[ $stderr == *"feet slide on the ground by at most "* ]]
	anim-retarget -q --map map.csv --to t.axs -o one.axs s.axs
	for file in one two; do
		anim convert -q --world -r 24 -n LeftFoot -n RightToes -p position --wide "$file.axs" "$file.csv"
	done
	python3 - <<-'PY'
		import csv
		one, two = (sorted(zip(*list(csv.reader(open(f)))), key=lambda c: c[0][c[0].rfind("/") + 1:]) for f in ("one.csv", "two.csv"))
		assert len(one) == len(two) == 7 and len(one[0]) > 2
		off = max(abs(float(a) - float(b)) for x, y in zip(one, two) for a, b in zip(x[1:], y[1:]))
		assert off < 1e-3, off
	PY
}

@test "how far feet slide is reported, before and after; -q does not ask" {
	skeletons float
	run -0 --separate-stderr anim-retarget --to t.axs -o m.axs s.axs
	[[ $stderr =~ ^"anim-retarget: a: note: feet slide on the ground by at most "[0-9.]+" % of a leg ('"(Left|Right)(Foot|Toes)"'), before by "[0-9.]+" %; the lowest foot is "[0-9.]+" % of a leg "(above|below)" the ground, before "[0-9.]+" % "(above|below)$ ]]
	run -0 --separate-stderr anim-retarget -q --to t.axs -o m.axs --force s.axs
	[ "$stderr" = "" ]
	anim-rename -q --on name -e 's/^(Left|Right)(Foot|Toes)$/\1Stump\2/' -o footless.axs t.axs
	run -1 --separate-stderr anim-retarget --to footless.axs s.axs
	[[ $stderr == *"main bones have no partner: 'LeftFoot', 'RightFoot' of the clip's skeleton ("*"); pair them"* ]]
	run -0 --separate-stderr anim-retarget --partial --to footless.axs -o m.axs --force s.axs
	[[ $stderr != *"feet slide"* && $stderr == *Foot* ]]
	[[ $stderr =~ "the size of the motion, "([0-9.]+)" of the source, is a guess" ]]
	local ratio=${BASH_REMATCH[1]}
	# the thighs decide, and hands with no partner do not change it
	anim-rename -q --on name -e 's/^(Left|Right)Hand$/\1Stick/' -o handless.axs footless.axs
	run -0 --separate-stderr anim-retarget --partial --to handless.axs -o m.axs --force s.axs
	[[ $stderr == *"the size of the motion, $ratio of the source, is a guess"* ]]
}

@test "models of others on themselves are what they were; VRM's own formula gives the same of its test file" {
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	local file
	for file in CesiumMan.glb Fox.glb RobotExpressive.glb test.vrma; do
		anim-parse -q "$corpus/$file" | anim-filter -q --no-provenance -n '*' >s.axs
		anim-retarget -q --no-provenance --to "$corpus/$file" s.axs | cmp - s.axs
	done
	anim-parse -q "$corpus/test.vrma" >v.axs
	skeletons double
	anim-retarget -q --to t.axs v.axs 2>/dev/null | anim-emit -q json >m.json
	anim-emit -q -o v.json v.axs
	evaluate vrm v.json m.json
}

@test "bones are found by what any naming calls them, with any prefix and mark of the sides, and by what hangs on what" {
	local naming
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	skeletons float
	for naming in $(evaluate namings); do
		echo "# $naming"
		evaluate naming "$naming" t.json
		anim-parse -q -o t.axs --force t.json
		anim-retarget --to t.axs -o m.axs --force s.axs
		anim-emit -q -o m.json --force m.axs
		evaluate turns s.json m.json 0.05 9 1e-4 "$naming"
		anim-retarget -q --to s.axs m.axs | anim-emit -q json >b.json
		evaluate turns m.json b.json 0.05 5 1e-4 "$naming"
	done
}

@test "what is called a hand and does not hang on a forearm is none, a mesh beside the skeleton neither" {
	skeletons float
	there
	python3 - <<-'PY'
		import json
		rows = [json.loads(line) for line in open("target.json")]
		nodes = [r["node"] for r in rows if "node" in r]
		for n in nodes[1:]: n["parent"] += 3 if n["parent"] else 0; n["kind"] = "bone"
		beside = [dict(nodes[1], path=p, parent=0, kind=k) for p, k in (("LeftHand", "bone"), ("RightFoot", "bone"), ("Head", "mesh"))]
		rows[3:3] = [{"node": n} for n in beside]
		open("beside.json", "w").writelines(json.dumps(r) + "\n" for r in rows)
	PY
	anim-parse -q beside.json >beside.axs
	anim-retarget -q --to beside.axs s.axs | anim-dump >got.txt
	diff <(anim-dump m.axs | grep -A9 '^track') <(grep -A9 '^track' got.txt)
}

@test "of several characters the first is used, with a warning, or the one that --character names" {
	skeletons float
	there
	python3 - <<-'PY'
		import json
		rows = [json.loads(line) for line in open("source.json")]
		nodes = [r["node"] for r in rows if "node" in r][1:]
		head = [r for r in rows if "anim_json" in r or "tree" in r]
		two = head + [next(r for r in rows if "node" in r)]
		for who, first in (("Alice", 1), ("Bob", len(nodes) + 2)):
		    two.append({"node": {"path": who, "kind": "node", "has": [], "parent": 0}})
		    two += [{"node": dict(n, path=who + "/" + n["path"], parent=first if n["parent"] == 0 else n["parent"] + first, kind="bone")} for n in nodes]
		clip = next(i for i, r in enumerate(rows) if "clip" in r)
		two.append(rows[clip])
		for r in rows[clip + 1:-1]: # Alice only stands
		    if "track" in r and r["track"]["property"] == "rotation": two.append({"track": dict(r["track"], node="Bob/" + r["track"]["node"])})
		open("two.json", "w").writelines(json.dumps(r) + "\n" for r in two + [rows[-1]])
	PY
	anim-parse -q two.json >two.axs
	run -0 --separate-stderr anim-retarget --to t.axs -o a.axs two.axs
	[[ "$stderr" == *"tracks of other characters were left out: 'Alice' is used, and --character Bob chooses another"* ]]
	anim-retarget --to t.axs --character Bob -o b.axs two.axs 2>told
	run -1 grep characters told
	anim-filter -q -p rotation m.axs | anim-diff -q --max 0,0deg - b.axs
	# onto both, both stay
	anim-retarget -q --to two.axs two.axs | anim-diff -q --max 0.001mm,0.001deg - two.axs
	anim-retarget -q --muscles --character Bob two.axs | anim-info | grep -q 'Spine Front-Back'
	run -1 --separate-stderr anim-retarget --to t.axs --character Rob two.axs
	[[ "$stderr" == *"--character: the tree has no node 'Rob'; list its nodes with 'anim-info --tree FILE'" ]]
	run -2 --separate-stderr anim-convert --character Bob two.json x.json
}

@test "a skeleton in another size is moved as the source is, whatever it is; what moves its whole is its topmost bone that does" {
	sed 's/^+/\t/' >s.txt <<-'TEXT'
		anim-dump 1
		tree root="R" source="" axes=gltf axes2d=unknown
		node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Core" type="" kind=bone has=position parent=0 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		node path="Core/Foot" type="" kind=bone has=position parent=1 position=1,-1,0 rotation=0,0,0,1 scale=1,1,1
		node path="Core/Body" type="" kind=bone has=position parent=1 position=0,1,0 rotation=0,0,0,1 scale=1,1,1
		node path="Core/Body/Nose" type="" kind=bone has=position parent=3 position=0,0,3 rotation=0,0,0,1 scale=1,1,1
		node path="Core/Body/Ear" type="" kind=bone has=position parent=3 position=0,0,1 rotation=0,0,0,1 scale=1,1,1
		clip name="a" root="." source="" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=in_tree rate=0/0
		track node="Core/Foot" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2
		+columns time value
		+0 1,-1,0
		+1 1,0,0
		track node="Core/Body" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2
		+columns time value
		+0 0,1,0
		+1 3,1,1
		track node="Core" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=1
		+columns time value
		+0 0,1,0
		end
	TEXT
	anim-undump -o s.axs s.txt
	moved() { anim-dump "$1" | grep -A3 "^track node=\"$2\""; }
	# twice as large
	sed '/^clip/,/^\tcolumns/{/^clip/!d}; s/=0,1,0/=0,2,0/; s/=1,-1,0/=2,-2,0/; s/=0,0,3/=0,0,6/; s/=0,0,1 /=0,0,2 /' s.txt | sed '/^node/!{/^tree\|^anim/!d}' >t.txt
	echo end >>t.txt
	anim-undump -o t.axs t.txt
	anim-retarget --strict --to t.axs -o m.axs s.axs
	moved m.axs Core/Body | grep -P '^\t1 6,2,2$'
	moved m.axs Core/Foot | grep -P '^\t1 2,0,0$'
	# with another ear
	sed 's/=0,0,2 /=0,0,4 /' t.txt | anim-undump -o ear.axs
	run -0 --separate-stderr anim-retarget --to ear.axs -o m.axs --force s.axs
	[[ $stderr == *"warning: bone 'Foot': the position was dropped, because the target has its own bone lengths; --hips NAME keeps the position of bone NAME, which moves the body"* ]]
	moved m.axs Core/Body | grep -P '^\t1 6,2,2$'
	run ! moved m.axs Core/Foot
	run -0 --separate-stderr anim-retarget --hips Foot --to ear.axs -o m.axs --force s.axs
	[[ $stderr == *"warning: bone 'Body': the position was dropped"* ]]
	moved m.axs Core/Foot | grep -P '^\t1 2,0,0$'
	run ! moved m.axs Core/Body
	run -1 --separate-stderr anim-retarget --hips Tail --to ear.axs s.axs
	[ "$stderr" = "anim-retarget: --hips: 'Tail' is not a bone of the clip's skeleton" ]
	sed 's/Foot/Paw/g' t.txt | anim-undump -o paw.axs
	run -1 --separate-stderr anim-retarget --hips Foot --to paw.axs s.axs
	[ "$stderr" = "anim-retarget: --hips: 'Foot' is not a bone of the target; match it with --map FILE" ]
	# the target lacks the bone that moves
	sed 's/Core/Root/g' t.txt | sed 's/=0,0,2 /=0,0,4 /' | anim-undump -o root.axs
	sed 's/^track node="Core\/Body"/track node="Core"/; s/^track node="Core" \(.*keys=1\)/track node="Core\/Body" \1/' s.txt | anim-undump -o core.axs
	anim-retarget -q --to root.axs core.axs >m.axs 2>/dev/null
	moved m.axs Root/Body | grep -P '^\t1 6,2,2$'
}

@test "a scene on itself is what it was, with tracks of scenes inside it, whose rests it does not have" {
	cat >s.tscn <<-'TEXT'
		[gd_scene format=3]

		[ext_resource type="PackedScene" path="res://body.glb" id="1"]

		[sub_resource type="Animation" id="a"]
		resource_name = "go"
		length = 1.0
		tracks/0/type = "rotation_3d"
		tracks/0/path = NodePath("Armature/Skeleton3D:Hips")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0.6, 0.8)
		tracks/1/type = "position_3d"
		tracks/1/path = NodePath("../Beside")
		tracks/1/keys = PackedFloat32Array(0, 1, 1, 2, 3)

		[sub_resource type="AnimationLibrary" id="l"]
		_data = {"go": SubResource("a")}

		[node name="Hero" type="Node3D"]

		[node name="Beside" type="Node3D" parent="."]

		[node name="Body" parent="." instance=ExtResource("1")]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="Body"]
		libraries = {"": SubResource("l")}
	TEXT
	anim-parse -q --no-external s.tscn | anim-filter -q --no-provenance -n '*' >s.axs
	anim-retarget --strict --no-provenance --to s.tscn s.axs | cmp - s.axs
	# onto another one they have no place
	sed 's/^.node name="Beside".*/&\nposition = Vector3(1, 0, 0)/' s.tscn >t.tscn
	run -0 --separate-stderr anim-retarget --to t.tscn -o m.axs s.axs
	[[ $stderr == *"warning: track 'Armature/Skeleton3D:Hips rotation': dropped, because the rest pose is unknown" ]]
}

@test "models of others in twice and half their size are moved as they are, to a thousandth of their height" {
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local model factor top
	for model in RobotExpressive CesiumMan Fox; do
		anim-parse -q "$corpus/$model.glb" | anim-bake -q -r 6 -o s.axs --force
		anim-emit -q -o s.json --force s.axs
		for factor in 2 0.5; do
			for top in no top; do
				python3 "$ROOT/tests/scaled.py" model "$corpus/$model.glb" $factor t.gltf $top
				anim-retarget --strict --to t.gltf s.axs | anim-emit -q json >m.json
				python3 "$ROOT/tests/scaled.py" far $factor s.json m.json
			done
		done
	done
}

@test "limbs of others' motion capture point where they did on a Unity rig, to 3 degrees, and its ankles are as high" {
	[ -d "$corpus" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	not_bytewise "an evaluator in Python looks at values"
	not_sanitized "an evaluator in Python looks at values"
	local file
	for file in "$ANIM_CORPUS"/bvh/{test_mocapbank,bn_*,cmu_12_01_walk,walk01,pybvh_bvh_test2}.bvh; do
		anim-parse -q --unit cm "$file" | anim-axes unity | anim-bake -q |
			anim-retarget -q --silhouette 0 --to "$ANIM_CORPUS/humanoid/CandyRockStar.prefab" | anim-emit -q -o m.json --force
		python3 "$ROOT/tests/limbs.py" "$file" m.json 3 0.05 mirror stands=0.11
	done
}

# legs SCALE: a BVH file of a body whose lengths are multiplied.
legs() {
	awk -v s="$1" '/OFFSET/ { print "OFFSET", $2 * s, $3 * s, $4 * s; next } { gsub("HIGH", s); print }' <<-'TEXT'
		HIERARCHY
		ROOT Hips
		{
		OFFSET 0 1 0
		CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
		JOINT Spine
		{
		OFFSET 0 0.2 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
		OFFSET 0 0.2 0
		}
		}
		}
		MOTION
		Frames: 2
		Frame Time: 0.5
		0 HIGH 0 0 0 0 0 0 0
		0 HIGH 0 0 0 0 10 0 0
	TEXT
}

@test "a target of another length unit gives a warning, and --unit reads it in the unit of the clip" {
	legs 1 >m.bvh
	legs 100 >cm.bvh
	anim-parse -q m.bvh >m.axs
	run -0 --separate-stderr anim-retarget --to cm.bvh -o out.axs m.axs
	[[ $stderr == *"warning: the target (cm.bvh) is 100 times as large as the source; if its length unit is wrong, set it with --unit"* ]]
	anim-parse -q cm.bvh >cm.axs
	run -0 --separate-stderr anim-retarget --to m.axs -o out.axs --force cm.axs
	[[ $stderr != *large* ]] # the motion is scaled down
	run -0 --separate-stderr anim-retarget --unit cm --to cm.bvh -o out.axs --force m.axs
	[[ $stderr != *large* ]]
	anim-diff --max 0.01mm,0.001deg out.axs m.axs
	run -0 --separate-stderr anim-convert --unit cm --retarget cm.bvh cm.bvh both.axs
	[[ $stderr != *large* ]]
	anim-diff --max 0.01mm,0.001deg both.axs m.axs
	run -0 anim-convert --dry-run --unit cm --retarget cm.bvh m.axs out.glb
	[ "$output" = "anim-axes gltf m.axs | anim-retarget --to cm.bvh --unit cm | anim-emit -o out.glb" ]
	run -0 anim-convert --dry-run --unit cm --retarget m.axs cm.bvh out.glb
	[ "$output" = "anim-parse --unit cm cm.bvh | anim-retarget --to m.axs | anim-emit -o out.glb" ]
	run -1 --separate-stderr anim-retarget --unit cm --to m.axs m.axs
	[[ $stderr == *"--unit is for a bvh, amc or asf that --to or --from names; to read the clips in this unit, use anim-parse --unit first"* ]]
	run -2 --separate-stderr anim-retarget --unit yard --to m.axs m.axs
	[[ $stderr == *"--unit 'yard' is not a unit"* ]]
	run -2 --separate-stderr anim-convert --unit cm m.axs out.glb
	[[ $stderr == *"--unit is for files, but the input is a stream"* ]]
}

@test "a target with a fault in its file gives this fault and its place" {
	legs 1 >m.bvh
	cp "$DATA/unity/clip_faults.anim" faults.anim
	run -1 --separate-stderr anim-parse faults.anim
	first=${stderr_lines[0]#anim-parse: }
	[[ $first == faults.anim:[0-9]* ]]
	run -1 --separate-stderr anim-retarget --to faults.anim m.bvh
	[ "$stderr" = "anim-retarget: $first" ]
}

@test "anim convert has --partial, and the error names both files" {
	legs 1 >m.bvh
	sed 's/Hips/pelvis_x/' m.bvh >other.bvh
	run -2 --separate-stderr anim-convert --partial m.bvh out.glb
	[[ $stderr == *"--partial requires --retarget"* ]]
	run -0 anim-convert --dry-run --partial --retarget other.bvh m.bvh out.glb
	[ "$output" = "anim-parse m.bvh | anim-retarget --to other.bvh --partial | anim-emit -o out.glb" ]
}

# chain FILE X Y NAME...: motion capture of a chain of joints with positions, each at X Y of the joint above.
chain() {
	local file=$1 x=$2 y=$3 name values='0 100 0 0 0 0' channels='CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation'
	shift 3
	{
		printf 'HIERARCHY\nROOT Base\n{\nOFFSET 0 100 0\n%s\n' "$channels"
		for name; do
			printf 'JOINT %s\n{\nOFFSET %s %s 0\n%s\n' "$name" "$x" "$y" "$channels"
			values+=" $x $y 0 10 20 30"
		done
		printf 'End Site\n{\nOFFSET %s %s 0\n}\n}\n' "$x" "$y"
		for name; do echo '}'; done
		printf 'MOTION\nFrames: 2\nFrame Time: 0.5\n%s\n%s\n' "$values" "${values// 10 / 40 }"
	} >"$file"
}

@test "a skeleton of --from whose bones have other axes than the bones of the clip is a warning" {
	chain own.bvh 0 40 A B C
	chain other.bvh 40 0 A B C
	anim-convert -q --unit cm own.bvh clip.animj
	anim-convert -q --axes gltf clip.animj clip.axs
	anim-retarget --unit cm --from own.bvh --to own.bvh clip.axs >same.axs 2>said
	run ! grep 'other axes' said
	anim-retarget --unit cm --from other.bvh --to own.bvh clip.axs >off.axs 2>said
	grep -q 'warning: the bones of other.bvh have other axes than the bones of the clip: the positions of 3 bones point elsewhere' said
}

@test "names that Godot spells with a '_' are found again, from a library and from a scene" {
	chain own.bvh 0 40 Thigh.L Foot.L 'Toe@x%'
	for suffix in tres tscn; do
		anim-convert -q --unit cm own.bvh "godot.$suffix" 2>/dev/null
		grep -q 'Base/Thigh_L/Foot_L/Toe_x_")' "godot.$suffix"
	done
	anim-convert -q --axes gltf godot.tres in.axs
	anim-retarget --unit cm --from own.bvh --to own.bvh in.axs 2>said | anim-emit -q -o tres.bvh bvh
	anim-convert --unit cm --retarget own.bvh godot.tscn tscn.bvh 2>>said
	run ! grep -E 'dropped|lacks' said
	for suffix in tres tscn; do
		[ "$(grep -c 'JOINT Thigh\.L$\|JOINT Foot\.L$\|JOINT Toe@x%$' $suffix.bvh)" -eq 3 ]
	done
}

@test "an error about main bones names the bone in the map that the target does not have" {
	anim convert -q -e 's/Left/odd/g' --on node "$ROOT/examples/walker.tscn" odd.glb
	echo 'oddUpperArm,Arm9' >map.csv
	run -1 --separate-stderr anim-retarget --map map.csv --to "$ROOT/examples/walker.tscn" odd.glb -o a.glb
	[[ $stderr == *"the target has no bone 'Arm9', which --map names; main bones have no partner: "* ]]
}
