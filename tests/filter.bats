#!/usr/bin/env bats
# anim-filter: which tracks pass, and that what passes is the same bytes.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-parse -q "$ROOT/examples/box.tscn" -o box.axs
	anim-cat crane.axs box.axs -o all.axs
}

# kept OPTION...: the tracks that pass, as "clip:node.property", one after another.
kept() {
	anim-filter -q "$@" all.axs | anim-dump |
		sed -nE 's/^clip name="([^"]*)".*/c \1/p; s/^track node="([^"]*)" property="([^"]*)" component=(\S+).*/t \1.\2/p' |
		awk '$1 == "c" { clip = $2 } $1 == "t" { printf "%s%s:%s", (n++ ? " " : ""), clip, $2 } END { print "" }'
}

ALL='lift:Skeleton3D:base.rotation lift:Skeleton3D:arm.rotation lift:Skeleton3D:hook.position lift:Lamp.visible lift:Lamp.light_energy RESET:Box.scale scale_down:Box.scale'

@test "without options everything passes, byte for byte but for the own provenance" {
	[ "$(kept)" = "$ALL" ]
	anim-filter --no-provenance all.axs -o a.axs
	anim-cat --no-provenance all.axs -o b.axs
	same a.axs b.axs
	run -0 bash -c 'anim-filter all.axs | anim-info --json'
	[[ $output == *'anim-filter'* ]]
}

@test "several values of one option are or'ed, different options are and'ed" {
	[ "$(kept -n Lamp)" = 'lift:Lamp.visible lift:Lamp.light_energy' ]
	[ "$(kept -n Lamp -n Box)" = 'lift:Lamp.visible lift:Lamp.light_energy RESET:Box.scale scale_down:Box.scale' ]
	[ "$(kept -n Lamp -n Box -p scale -p visible)" = 'lift:Lamp.visible RESET:Box.scale scale_down:Box.scale' ]
	[ "$(kept -c lift -p 'rot*')" = 'lift:Skeleton3D:base.rotation lift:Skeleton3D:arm.rotation' ]
	[ "$(kept -c AnimationPlayer:lift -n '*:hook')" = 'lift:Skeleton3D:hook.position' ]
}

@test "a glob without a slash is matched against the last name" {
	[ "$(kept -n hook)" = 'lift:Skeleton3D:hook.position' ]
	[ "$(kept -n Skeleton3D)" = '' ]
	[ "$(kept -n 'Skeleton3D:*')" = 'lift:Skeleton3D:base.rotation lift:Skeleton3D:arm.rotation lift:Skeleton3D:hook.position' ]
}

@test "-E takes extended regular expressions, which may fit any part" {
	[ "$(kept -E -n '^(Lamp|Box)$' -p 'e$')" = 'lift:Lamp.visible RESET:Box.scale scale_down:Box.scale' ]
	[ "$(kept -E -n '3D:.*o')" = 'lift:Skeleton3D:hook.position' ]
	[ "$(kept -E -c ':lift$')" = "$(kept -c lift)" ]
	run -2 --separate-stderr anim-filter -E -n '(' all.axs
	[[ ${stderr_lines[0]} == "anim-filter: '(' is not a valid regular expression: "* ]]
}

@test "-v keeps just what the same options would drop" {
	for options in '-n Lamp' '-c lift -p rotation' '--type float3' '--kind discrete' '--constant' '--min-keys 3'; do
		# shellcheck disable=SC2086 # options are words
		both=$({ kept $options; kept -v $options; } | tr ' ' '\n' | sed '/^$/d' | sort)
		[ "$both" = "$(tr ' ' '\n' <<<"$ALL" | sort)" ]
	done
	[ "$(kept -v -n Lamp -p visible)" = "${ALL/ lift:Lamp.visible/}" ]
}

@test "tracks are selected by type, kind and number of keys" {
	[ "$(kept --type bool)" = 'lift:Lamp.visible' ]
	[ "$(kept --type 'float?' --type bool)" = 'lift:Skeleton3D:base.rotation lift:Skeleton3D:arm.rotation lift:Skeleton3D:hook.position lift:Lamp.visible RESET:Box.scale scale_down:Box.scale' ]
	[ "$(kept --kind Discrete)" = 'lift:Lamp.visible' ]
	[ "$(kept --kind raw)" = '' ]
	[ "$(kept --min-keys 3)" = 'lift:Skeleton3D:base.rotation lift:Skeleton3D:arm.rotation lift:Lamp.visible' ]
	run -2 --separate-stderr anim-filter --type flaot all.axs
	[ "${stderr_lines[0]}" = "anim-filter: --type 'flaot' is not a value type such as float, float3, floatQ or bool" ]
	run -2 --separate-stderr anim-filter --kind bezier all.axs
	[ "${stderr_lines[0]}" = "anim-filter: --kind: 'bezier' is not one of raw, discrete, curve" ]
}

@test "a component is called by its property and by both its names" {
	{
		printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "parts"\nlength = 1.0\n'
		n=0
		for path in Box:position:x Box:position:y Box:modulate:a Box:position; do
			value=1.0
			[ "$path" != Box:position ] || value='Vector3(1, 2, 3)'
			printf 'tracks/%s/type = "value"\ntracks/%s/path = NodePath("%s")\ntracks/%s/keys = {\n' $n $n $path $n
			printf '"times": PackedFloat32Array(0),\n"transitions": PackedFloat32Array(1),\n"update": 0,\n"values": [%s]\n}\n' "$value"
			n=$((n + 1))
		done
	} >parts.tres
	anim-parse -q parts.tres -o parts.axs
	count() { anim-filter -q "$@" parts.axs | anim-dump | grep -c '^track '; }
	[ "$(count)" -eq 4 ]
	[ "$(count -p position)" -eq 3 ]
	[ "$(count -p position.y)" -eq 1 ]
	anim-filter -p position.y parts.axs | anim-dump | grep -q 'property="position" component=1 '
	[ "$(count -p modulate.a)" -eq 1 ]
	[ "$(count -p '*.?')" -eq 3 ]
	[ "$(count -E -p '^position$')" -eq 3 ]
	[ "$(count -E -p '[.][xa]$')" -eq 2 ]
}

@test "--constant keeps what never changes" {
	[ "$(kept --constant)" = 'RESET:Box.scale' ]
}

@test "a clip without a track left goes, trees stay, a clip that never had tracks passes where -c lets it" {
	anim-filter -q -n Lamp all.axs | anim-dump >dump
	[ "$(grep -c '^clip ' dump)" -eq 1 ]
	[ "$(grep -c '^tree ' dump)" -eq 2 ]
	printf '[gd_resource type="Animation" format=3]\n\n[resource]\nresource_name = "still"\nlength = 2.0\n' >still.tres
	anim-parse still.tres -o still.axs
	[ "$(anim-filter -q still.axs | anim-dump | grep -c '^clip ')" -eq 1 ]
	[ "$(anim-filter -q -n Lamp still.axs | anim-dump | grep -c '^clip ')" -eq 1 ]
	[ "$(anim-filter -q -c 'st*' still.axs | anim-dump | grep -c '^clip ')" -eq 1 ]
	[ "$(anim-filter -q -c run still.axs | anim-dump | grep -c '^clip ')" -eq 0 ]
	[ "$(anim-filter -q -v -c still still.axs | anim-dump | grep -c '^clip ')" -eq 0 ]
}

@test "nothing left is a note and success, with --require a failure that leaves no output" {
	run -0 --separate-stderr anim-filter -n Nobody all.axs -o none.axs
	[ "$stderr" = "anim-filter: note: no node has the path -n 'Nobody'; run anim-info to list the tracks" ]
	[ "$(anim-dump none.axs | grep -c '^track')" -eq 0 ]
	run -0 --separate-stderr anim-filter -q -n Nobody all.axs -o none.axs
	[ "$stderr" = "" ]
	rm none.axs
	run -1 --separate-stderr anim-filter --require -n Nobody all.axs -o none.axs
	[ "$stderr" = "anim-filter: no node has the path -n 'Nobody'; run anim-info to list the tracks" ]
	[ ! -e none.axs ]
}

@test "a damaged key is found although keys are not looked at" {
	size=$(wc -c <all.axs)
	cp all.axs bad.axs
	printf '\377' | dd of=bad.axs bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null
	run ! cmp -s all.axs bad.axs
	run -1 --separate-stderr anim-filter bad.axs -o out.axs
	[[ $stderr == *'its CRC does not match' ]]
	head -c $((size - 8)) all.axs >cut.axs
	run -1 anim-filter cut.axs -o out.axs
	[ ! -e out.axs ]
}

@test "archives and pipes give the same tracks as files" {
	anim-pack all.axs -o all.axs.gz
	anim-filter --no-provenance -n Lamp all.axs -o a.axs
	anim-filter --no-provenance -n Lamp <all.axs >b.axs
	anim-filter --no-provenance -n Lamp all.axs.gz | anim-dump >c
	same a.axs b.axs
	anim-dump a.axs >d
	same c d
	anim-filter --constant all.axs.gz | anim-dump | grep -q '^clip name="RESET"'
}

@test "every long option is in the manual page, and its examples parse" {
	for option in $(anim-filter --help | grep -oE -- '--[a-z-]+' | sort -u); do
		grep -qF -- "Fl -${option#--}" "$ROOT/man/anim-filter.1"
	done
	anim-filter -vE -n 'Thumb|Index|Middle|Ring|Pinky|Little' all.axs >coarse.axs
	anim-filter -v --constant all.axs -o moving.axs
}

@test "a glob after ! excludes: alone all others stay, beside others they decide first" {
	nodes() { anim-dump "$1" | sed -n 's/^track node="\([^"]*\)".*/\1/p' | sort -u; }
	nodes all.axs >every
	anim-filter -n '!Lamp' all.axs -o rest.axs
	grep -v -e '/Lamp$' -e '^Lamp$' every | diff - <(nodes rest.axs)
	anim-filter -n '*' -n '!Lamp' all.axs | anim-dump | grep -c '^track' | diff - <(anim-dump rest.axs | grep -c '^track')
	anim-filter -n Lamp -n '!*' all.axs -o none.axs
	[ -z "$(nodes none.axs)" ]
	anim-filter -p '!rotation' all.axs -o unturned.axs
	run ! grep -q 'property="rotation"' <(anim-dump unturned.axs)
	anim-pack all.axs -o all.axs.gz
	anim-unpack -n '!Lamp' all.axs.gz -o part.axs
	nodes part.axs | diff - <(nodes rest.axs)
}

@test "a glob after ! that leaves nothing out is a warning" {
	run -0 --separate-stderr anim-filter -n '!*Finger*' -n '!Lamp' -p '!positoin' -p '!rotation' all.axs -o rest.axs
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == *"warning: no track matches '*Finger*', so it leaves nothing out" ]]
	[[ ${stderr_lines[1]} == *"warning: no track matches 'positoin', so it leaves nothing out" ]]
	run -0 --separate-stderr anim-filter -v -n '!Lamp' all.axs -o lamp.axs
	[ -z "$stderr" ]
}

@test "a build with assertions prints the sinks of a chain and what they receive" {
	case $ANIM_BUILD in */release | */wine) skip "a release prints none" ;; esac
	ANIM_TRACE=1 anim-filter -n Lamp all.axs -o lamp.axs 2>trace
	grep -E '^sink lib/filter/select.c: [0-9]+ trees, [1-9]' trace
}

@test "what matches nothing is named, with the clips there are or a glob that matches" {
	named() { # named WORDS OPTION...: for a file, whose lack of tracks is an error without --require
		run -1 --separate-stderr anim-filter "${@:2}" "$ROOT/examples/walker.tscn" -o none.glb
		[ "$stderr" = "anim-filter: $ROOT/examples/walker.tscn: $1" ] || { echo "$stderr" && false; }
		[ ! -e none.glb ]
	}
	named "no clip matches -c 'wlak'; the clips are walk" -c wlak
	named "no node has the path -n 'Foot'; '*Foot*' matches a part of it" -n Foot
	named "no track has the property -p 'rot'; '*rot*' matches a part of it" -p rot
	named "no track has the property -p 'rto'; run anim-info to list the tracks" -p rto
	named "no track matches; run anim-info to list the tracks" -n '*Spine' -p position
	named "no track matches; run anim-info to list the tracks" -v -n '*'
	cp "$ROOT/examples/walker.tscn" .
	run -1 --separate-stderr anim convert --node Foot walker.tscn none.glb
	[ "$stderr" = "anim-convert: walker.tscn: no node has the path -n 'Foot'; '*Foot*' matches a part of it" ]
}

# nodes FILE: the last names of the nodes with tracks, in order.
nodes() { anim-info --csv "$1" | tail -n +2 | cut -d, -f3 | sed 's/.*[/:]//' | uniq | tr '\n' ' '; }

@test "parts of a human are selected by their bones, in any naming, with the nodes below them" {
	local arm='LeftUpperArm LeftLowerArm '
	anim-filter -q -n left-arm "$ROOT/examples/walker.tscn" -o arm.axs
	[ "$(nodes arm.axs)" = "$arm" ] || { nodes arm.axs && false; }
	anim-rename -q --humanoid godot:mmd "$ROOT/examples/walker.tscn" -o mmd.axs
	anim-filter -q -n left-arm mmd.axs -o arm2.axs
	[ "$(nodes arm2.axs)" = "左腕 左ひじ " ]
	# Without a tree, names decide, and in VRM names spine is a node.
	anim convert -q "$ROOT/examples/walker.tscn" walk.animj
	anim-filter -q -n left-arm walk.animj -o arm3.axs
	[ "$(nodes arm3.axs)" = "$arm" ]
	anim-rename -q --humanoid godot:vrm "$ROOT/examples/walker.tscn" | anim-filter -q -n spine -o spine.axs
	[ "$(nodes spine.axs)" = "spine " ]
	# The parts together are everything but the root.
	anim-filter -q -n '!upper-body' -n '!lower-body' "$ROOT/examples/walker.tscn" -o none.axs
	[ "$(nodes none.axs)" = "" ] || { nodes none.axs && false; }
}

@test "fingers include bones of the palm and tips; the face includes blend shapes; muscles have parts" {
	python3 - >hand.json <<-'PY'
		import json
		bones = ["Hips", "Spine", "LeftUpLeg", "RightUpLeg", "LeftArm", "RightArm", "LeftForeArm", "RightForeArm", "LeftHand", "Head",
		    "LeftInHandIndex", "LeftHandIndex1", "LeftHandIndex4", "LeftArmTwist"]
		parents = dict(Spine="Hips", LeftUpLeg="Hips", RightUpLeg="Hips", LeftArm="Spine", RightArm="Spine", LeftForeArm="LeftArm",
		    RightForeArm="RightArm", LeftHand="LeftForeArm", Head="Spine", LeftInHandIndex="LeftHand",
		    LeftHandIndex1="LeftInHandIndex", LeftHandIndex4="LeftHandIndex1", LeftArmTwist="LeftArm")
		paths = {}
		for bone in bones:
		    paths[bone] = (paths[parents[bone]] + "/" if bone in parents else "") + bone
		print('{"anim_json":1}')
		print('{"tree":{"root":"x","source":"","axes":"gltf","axes2d":"unknown","attributes":{}}}')
		print(json.dumps({"node": {"path": ".", "kind": "node", "type": "", "has": [], "parent": None, "position": [0, 0, 0],
		    "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "attributes": {}}}))
		for bone in bones:
		    print(json.dumps({"node": {"path": paths[bone], "kind": "bone", "type": "", "has": [],
		        "parent": bones.index(parents[bone]) + 1 if bone in parents else 0, "position": [0, 1, 0],
		        "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "attributes": {}}}))
		print(json.dumps({"clip": {"name": "x", "root": ".", "source": "gltf", "start": 0, "end": 1, "loop": "none",
		    "axes": "gltf", "axes2d": "unknown", "flags": ["in_tree"], "rate": None, "attributes": {}}}))
		def track(node, name, kind, value):
		    print(json.dumps({"track": {"node": node, "property": name, "component": None, "kind": "Curve",
		        "type": kind, "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": 1,
		        "attributes": {}, "columns": {"time": [0], "value": [value]}}}))
		for bone in bones:
		    track(paths[bone], "rotation", "floatQ", [0, 0, 0, 1])
		track("Body", "blend_shape/smile", "float", 1)
		print('{"end":true}')
	PY
	anim-parse -q hand.json -o hand.axs
	anim-filter -q -n fingers hand.axs -o part.axs
	[ "$(nodes part.axs)" = "LeftInHandIndex LeftHandIndex1 LeftHandIndex4 " ] || { nodes part.axs && false; }
	# a robot without a hand, whose fingers only have their names
	sed 's/LeftInHandIndex/Palm1.L/g; s/LeftHandIndex1/Index.L/g; s/LeftHandIndex4/Index2.L/g; s/LeftHand/Box/g' hand.json >robot.json
	run -0 --separate-stderr bash -c "anim-parse robot.json | anim-filter -n '!fingers' -o robot.axs"
	[[ $stderr != *warning* && $(nodes robot.axs) == *Palm1.L* && $(nodes robot.axs) != *Index* ]] || { nodes robot.axs && false; }
	anim-filter -q -n arms -n '!hands' hand.axs -o part.axs
	[ "$(nodes part.axs)" = "LeftArm RightArm LeftForeArm RightForeArm LeftArmTwist " ] || { nodes part.axs && false; }
	anim-filter -q -n face hand.axs -o part.axs
	[ "$(nodes part.axs)" = "Body " ] || { nodes part.axs && false; }
	anim-filter -q -n left-fingers "$DATA/unity/clip_humanoid.anim" | anim-info --csv | tail -n +2 | cut -d, -f4 >muscles
	run ! grep -v '^LeftHand\.' muscles
	run -0 --separate-stderr bash -c 'anim-filter -n right-fingers hand.axs >part.axs'
	[ "$stderr" = "anim-filter: hand.axs: note: no node has the path -n 'right-fingers', and no track moves this part of a human; run anim-info --bones to list its bones" ]
}
