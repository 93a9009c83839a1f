#!/usr/bin/env bats
# Rest poses: skeletons whose rest is a T-pose, another pose, or none, on each other.

load helper

# moved FILE: how far bones are rotated away from the rest, in degrees, at most; a T-pose that comes out as a T-pose gives 0.
turned() {
	anim-dump "$1" | awk '/^node/ { rest[$2] = $0; sub(/.*rotation=/, "", rest[$2]); sub(/ .*/, "", rest[$2]); sub(/^path=/, "", $2); at[$2] = rest["path=" $2] }
		/^track/ { sub(/^node=/, "", $2); own = at[$2]; rotates = /property="rotation"/ }
		/^\t[-0-9]/ && rotates { n = split($NF, v, ","); split(own, r, ","); d = 0; for (i = 1; i <= 4; i++) d += v[i] * r[i]; d = d < 0 ? -d : d; if (1 - d > most) most = 1 - d; count++ }
		END { printf "%d %.7f\n", count, most }'
}

@test "one walk on one figure is the same, whatever poses or axes the two skeletons rest in" {
	not_bytewise "an evaluator in Python looks at values"
	command -v python3 >/dev/null || skip "python3 is not installed"
	local target source up yaw
	for target in T T_frames A45 A45_elbow20 N88 fwd30_down30 legs20_carried A45_yaw180; do
		for source in z1_world_axes z2_x_axes z4_x_axes_zero_offsets z5_hips_at_zero z6_z_up; do
			up="" yaw=0
			[ $source != z6_z_up ] || up="--up z"
			[ $target != A45_yaw180 ] || yaw=180
			# shellcheck disable=SC2086 # options are several words
			anim convert -q --unit cm $up --retarget "$DATA/rests/rest_$target.gltf" "$DATA/rests/$source.bvh" m.json --force
			case $source in
			z1*) set -- 0.1 0.1 0.1 0.001 ;;
			z[56]*) set -- 0.1 0.1 0.1 0.02 ;;
			*) set -- 0.1 2 8 0.02 ;;
			esac
			python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json "$@" $yaw
		done
	done
}

@test "the axis of an elbow counts for both of its bones, also if random axes leave the arm straight at rest" {
	local source
	for source in z1_world_axes z7_random_axes; do
		cp "$DATA/rests/$source.bvh" take.bvh
		anim-parse -q --unit cm take.bvh | anim-retarget -q --to "$DATA/rests/rest_T.gltf" | anim-filter -n '*Arm' >"$source.axs"
	done
	run anim-diff --max 1mm,5deg z1_world_axes.axs z7_random_axes.axs
	[[ $output == *"4 tracks compared, 4 off within their limits"* ]]
}

@test "a head that looks aside where the body is most upright looks ahead in the rest of the motion" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim convert -q --unit cm -r 30 "$DATA/rests/z7_random_axes.bvh" z7.glb
	anim-parse -q z7.glb | anim-resample -q 30 | anim-emit -q json >z7.json
	# at the end the person stands for 12 frames and turns the head by 34 degrees
	python3 - <<-'PY'
		import json, math
		def mul(a, b):
		    x, y, z, w = a; X, Y, Z, W = b
		    return [w*X + x*W + y*Z - z*Y, w*Y + y*W + z*X - x*Z, w*Z + z*W + x*Y - y*X, w*W - x*X - y*Y - z*Z]
		k, count = 20, 12
		rows = [json.loads(line) for line in open("z7.json")]
		turns = {r["track"]["node"]: r["track"]["columns"]["value"] for r in rows if "track" in r and r["track"]["property"] == "rotation"}
		head = next(n for n in turns if n.endswith("Head"))
		above, parts = [0, 0, 0, 1], head.split("/")
		for i in range(1, len(parts)): above = mul(above, turns["/".join(parts[:i])][k])
		back = [-above[0], -above[1], -above[2], above[3]]
		aside = mul(mul(back, [0, math.sin(.3), 0, math.cos(.3)]), mul(above, turns[head][k]))
		for r in rows:
		    if "clip" in r: r["clip"]["end"] += count / 30
		    if "track" in r:
		        t = r["track"]; values = t["columns"]["value"]; t["keys"] += count
		        values += [aside if t["node"] == head and t["property"] == "rotation" else values[k]] * count
		open("aside.json", "w").writelines(json.dumps(r) + "\n" for r in rows)
	PY
	anim-retarget -q --to "$DATA/rests/rest_T.gltf" z7.json >own.axs
	anim-retarget -q --to "$DATA/rests/rest_T.gltf" aside.json | anim-retime -q -t 0..1.3 >aside.axs
	run anim-diff --max 1mm,17deg own.axs aside.axs # it also compares the length of the clips, which a cut rounds
	[[ $output == *"23 tracks compared, 22 off within their limits"* && $output != *differ* ]]
}

@test "a T-pose comes out as a T-pose, wherever the joints are" {
	local pair
	for pair in "b01_eyes_low.vrma b01_eyes_front.vrm" "b10_neck_behind.vrma b10_target.vrm" "b09_smpl_tpose.npz b09_target.vrm"; do
		# shellcheck disable=SC2086 # two names
		set -- $pair
		[ "${1##*.}" != npz ] || set -- "$@" --up y
		anim convert -q "${@:3}" --retarget "$DATA/rests/$2" "$DATA/rests/$1" m.axs --force 2>/dev/null
		run -0 turned m.axs
		echo "# $pair: $output"
		[[ $output =~ ^[1-9][0-9]*" 0.0000000"$ ]]
	done
}

@test "a rest that is no pose is recognised, and the note says what to do" {
	run -0 --separate-stderr anim convert --unit cm --retarget "$DATA/rests/rest_T.gltf" "$DATA/rests/z2_x_axes.bvh" m.axs
	[[ $stderr == *"note: the rest of the skeleton is not a pose, so the axes of bones were found in the motion; if they are wrong, name a T-pose with --rest FILE@SECONDS"* ]]
	# a target has no motion that could show its axes
	run -1 --separate-stderr anim convert -q --unit cm --retarget "$DATA/rests/z2_x_axes.bvh" "$DATA/rests/z1_world_axes.bvh" n.axs
	[[ $stderr == *"the rest of the target is not a pose of a human; name a file with a T-pose, or a time at which a clip of it shows one, with --retarget FILE@SECONDS" ]]
	# but the skeleton of the clip itself needs none
	anim convert -q --unit cm --retarget "$DATA/rests/z2_x_axes.bvh" "$DATA/rests/z2_x_axes.bvh" same.axs
	anim convert -q --unit cm "$DATA/rests/z2_x_axes.bvh" own.axs
	anim-bake -q own.axs >baked.axs
	anim-diff --max 0.001mm,0.0001deg same.axs baked.axs
}

# freeze FILE KEY: make the rests of FILE.axs, which has samples, a frame of its motion; writes frame.axs.
freeze() {
	anim-dump "$1.axs" | awk -v key="$2" '
		/^track/ { split($2 "=" $3, f, "="); k = 0 }
		/^\t[-0-9]/ && k++ == key { value[f[2] FS f[4]] = $NF }
		{ lines[NR] = $0 }
		END { for (n = 1; n <= NR; n++) {
			$0 = lines[n]
			for (i = 3; /^node/ && i <= NF; i++) {
				split($i, f, "="); split($2, name, "="); at = name[2] FS "\"" f[1] "\""
				if (at in value) $i = f[1] "=" value[at]
			}
			print
		} }' >frame.txt
	anim-undump frame.txt -o frame.axs --force
}

@test "a skeleton whose rest is a frame of its motion moves its own T-pose, or another copy of itself, as the file does" {
	local target key
	for target in rest_T rest_T_frames; do
		anim convert -q --unit cm --retarget "$DATA/rests/$target.gltf" "$DATA/rests/z1_world_axes.bvh" dance.axs --force
		for key in 0 13 26; do
			freeze dance "$key"
			run -0 --separate-stderr anim-retarget --to "$DATA/rests/$target.gltf" -o own.axs --force frame.axs
			[[ $stderr == *"is not a pose, so the axes of bones were taken from the target, which has the same bones"* ]]
			anim-diff --max 0.001mm,0.001deg own.axs dance.axs
			# and the other way
			anim-parse -q "$DATA/rests/$target.gltf" >model.axs
			anim-retarget -q --to frame.axs dance.axs >back.axs
			anim-diff --max 0.001mm,0.001deg back.axs dance.axs
		done
	done
	# the roll of arms that rest forward and down does not have to be guessed for the same bones
	anim convert -q --unit cm --retarget "$DATA/rests/rest_fwd30_down30.gltf" "$DATA/rests/z1_world_axes.bvh" m.json
	python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 0.1 0.1 0.001
}

@test "the bind pose of a target that rests in a frame of its motion shows its axes" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	# rest_T_frames.gltf with a skin, in the middle of a jump
	python3 - "$DATA/rests/rest_T_frames.gltf" <<-'PY'
		import base64, json, math, struct, sys
		def mul(a, b):
		    x, y, z, w = a; X, Y, Z, W = b
		    return [w*X + x*W + y*Z - z*Y, w*Y + y*W + z*X - x*Z, w*Z + z*W + x*Y - y*X, w*W - x*X - y*Y - z*Z]
		def turn(q, v): return mul(mul(q, list(v) + [0]), [-q[0], -q[1], -q[2], q[3]])[:3]
		d = json.load(open(sys.argv[1]))
		above = {c: n for n, node in enumerate(d["nodes"]) for c in node.get("children", [])}
		def world(n):
		    node = d["nodes"][n]; p, q = node.get("translation", [0, 0, 0]), node.get("rotation", [0, 0, 0, 1])
		    if n not in above: return p, q
		    P, Q = world(above[n])
		    return [a + b for a, b in zip(P, turn(Q, p))], mul(Q, q)
		data = b""
		for n in d["skins"][0]["joints"]:
		    p, q = world(n); back = [-q[0], -q[1], -q[2], q[3]]; o = turn(back, p)
		    columns = [turn(back, axis) + [0] for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] + [[-x for x in o] + [1]]
		    data += struct.pack("<16f", *sum(columns, []))
		d["buffers"] = [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]
		d["bufferViews"] = [{"buffer": 0, "byteOffset": 0, "byteLength": len(data)}]
		d["accessors"] = [{"bufferView": 0, "componentType": 5126, "count": len(data) // 64, "type": "MAT4"}]
		d["skins"][0]["inverseBindMatrices"] = 0
		d["meshes"] = [{"primitives": [{"attributes": {}}]}]
		for degrees, name in ((70, "LeftUpLeg"), (-40, "RightUpLeg"), (60, "RightLeg"), (80, "LeftArm"), (50, "RightForeArm"), (20, "Spine"), (30, "Hips")):
		    node = next(node for node in d["nodes"] if node["name"] == name); a = math.radians(degrees) / 2
		    node["rotation"] = mul(node["rotation"], [math.sin(a), 0, 0, math.cos(a)])
		json.dump(d, open("jump.gltf", "w"))
	PY
	anim convert -q --unit cm --retarget "$DATA/rests/rest_T_frames.gltf" "$DATA/rests/z2_x_axes.bvh" right.axs
	run -0 --separate-stderr anim convert --unit cm --retarget jump.gltf "$DATA/rests/z2_x_axes.bvh" jump.axs
	[[ $stderr == *"note: the target does not rest in a T-pose, so the axes of its bones were taken from the pose in which its skin was bound"* ]]
	# glTF does not say how the hips were bound, so the trunk, which leans by a degree, is taken for upright
	anim-diff --max 1mm,2deg jump.axs right.axs
	# the file keeps its rest
	anim-parse -q jump.gltf | anim-dump | grep '^node' >own.txt
	anim-dump jump.axs | grep '^node' | diff own.txt -
}

@test "hips at the root of the tree, and skeletons in scaled nodes" {
	anim convert -q --unit m --retarget "$DATA/rests/hips_is_root_no_skin.gltf" "$DATA/rests/straight_leg.bvh" m.axs
	anim-dump m.axs | grep -q '^track node="Spine/Chest" property="rotation"'
	anim convert -q --retarget "$DATA/rests/unscaled_target.gltf" "$DATA/rests/scaled_source.gltf" s.axs
	anim-dump s.axs | grep -A3 '^track.*property="scale"' | grep -q '	0 1,1,1$'
}

@test "a BVH file in which Z points up is rotated with a note; --up y leaves it, and only a motion gives a warning" {
	anim-parse -q "$DATA/rests/z1_world_axes.bvh" | anim-emit -q --to-up z -o up.bvh
	run -0 --separate-stderr anim-parse --unit cm -o guessed.axs up.bvh
	[[ $stderr == *"note: no upward axis: the body is upright along Z, so this axis is taken; if that is wrong, use --up y" ]]
	anim-parse -q --unit cm "$DATA/rests/z1_world_axes.bvh" >own.axs
	anim-diff --max 0.01mm,0.001deg guessed.axs own.axs
	anim-emit -q guessed.axs -o back.bvh
	run -0 --separate-stderr anim-parse --unit cm --up y -o lying.axs up.bvh
	[[ $stderr != *upright* ]]
	run -1 anim-diff -q --max 10cm lying.axs own.axs
	run -0 --separate-stderr anim-parse --unit cm -o z6.axs "$DATA/rests/z6_z_up.bvh"
	[[ $stderr == *"warning: no upward axis: the body is upright along Z in the motion, but not at rest; if it should not be on its back, use --up z" ]]
	run -0 --separate-stderr anim-parse --unit cm -o z2.axs "$DATA/rests/z2_x_axes.bvh"
	[[ $stderr != *upright* ]]
}

@test "VRM animations, FBX and muscles get a T-pose on the ground for a rest, from any source" {
	not_bytewise "an evaluator in Python looks at values"
	command -v python3 >/dev/null || skip "python3 is not installed"
	local source
	for source in z1_world_axes z2_x_axes z4_x_axes_zero_offsets z5_hips_at_zero; do
		anim convert -q --unit cm --humanoid mixamo:vrm "$DATA/rests/$source.bvh" w.vrma --force 2>/dev/null
		anim-dump w.vrma | awk '/^node path="hips"/ { sub(/.*position=[^,]*,/, ""); y = $0 + 0; exit !(y > 0.85 && y < 0.98) }'
		anim convert -q --retarget "$DATA/rests/rest_A45.gltf" w.vrma m.json --force
		python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 2 8 0.021
		anim convert -q --unit cm --muscles "$DATA/rests/$source.bvh" w.anim --force
		anim convert -q --retarget "$DATA/rests/rest_T.gltf" w.anim m.json --force
		python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.3 2 8 0.021
	done
	# a T-pose stays as it is
	anim-parse -q "$DATA/rests/b01_eyes_low.vrma" -o a.axs
	anim convert -q a.axs b.vrma
	anim-dump a.axs | grep '^node' | sed 's/ has=[^ ]*//' >a.txt
	anim-dump b.vrma | grep '^node' | sed 's/ has=[^ ]*//' | diff a.txt -
	# the model can be the target of others now
	run -0 --separate-stderr anim convert --unit cm "$DATA/rests/z2_x_axes.bvh" model.fbx
	[[ $stderr == *"note: the rest of the skeleton became a T-pose on the ground, which players expect; the motion is the same"* ]]
	anim convert -q --unit cm --retarget model.fbx "$DATA/rests/z1_world_axes.bvh" m.json --force
	python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 2 8 0.021
}

@test "a figure that faces backward at rest is seen from the front" {
	anim convert -q --unit cm --retarget "$DATA/rests/rest_A45.gltf" "$DATA/rests/z1_world_axes.bvh" ahead.axs
	anim convert -q --unit cm --retarget "$DATA/rests/rest_A45_yaw180.gltf" "$DATA/rests/z1_world_axes.bvh" back.axs
	anim-plot --strip 3 -w 60 ahead.axs >ahead.txt
	anim-plot --strip 3 -w 60 back.axs | same - ahead.txt
}

@test "FILE@SECONDS names a pose for the rest of the source, and of the target" {
	not_bytewise "an evaluator in Python looks at values"
	command -v python3 >/dev/null || skip "python3 is not installed"
	run -0 --separate-stderr anim convert --unit cm --rest "$DATA/rests/z2_tpose.bvh@0" --retarget "$DATA/rests/rest_A45.gltf" "$DATA/rests/z2_x_axes.bvh" m.json
	[[ $stderr != *"not a pose"* ]]
	python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 0.1 0.1 0.001
	anim convert -q --unit cm --retarget "$DATA/rests/z2_tpose.bvh@0" "$DATA/rests/z1_world_axes.bvh" m.json --force
	python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 0.1 0.1 0.02
	# also for a stream, and for a target with other axes
	anim convert -q --unit cm --rest "$DATA/rests/z2_tpose.bvh@0" --retarget "$DATA/rests/rest_A45.gltf" "$DATA/rests/z2_x_axes.bvh" m.axs
	anim convert -q m.axs m.json --force
	python3 "$ROOT/tests/retarget.py" rests "$DATA/rests/walk_truth.csv" m.json 0.1 0.1 0.1 0.001
	anim convert -q --unit cm --rest "$DATA/rests/z2_tpose.bvh@0" --retarget "$ROOT/examples/walker.tscn" "$DATA/rests/z2_x_axes.bvh" w.axs
	anim-parse -q --unit cm "$DATA/rests/z2_x_axes.bvh" |
		anim-retarget -q --unit cm --from "$DATA/rests/z2_tpose.bvh@0" --to "$ROOT/examples/walker.tscn" >v.axs
	anim-diff --max 0.01mm,0.001deg v.axs w.axs
	run -1 --separate-stderr anim-retarget --from "$DATA/rests/rest_T.gltf@0" --to "$DATA/rests/rest_T.gltf" m.json
	[[ $stderr == *"rest_T.gltf: has no clip, so no pose at a time" ]]
	run -2 --separate-stderr anim convert --rest a.bvh@1 "$DATA/rests/z1_world_axes.bvh" x.glb
	[[ $stderr == *"--rest FILE@SECONDS requires --retarget, --muscles or --mirror"* ]]
}

@test "three-vrm shows the same rotations of all bones, and the hips of what is written are at their height" {
	not_sanitized "another program shows the same files"
	[ -n "${ANIM_NODE_MODULES:-}" ] || skip "ANIM_NODE_MODULES names no folder with three, @pixiv/three-vrm and @pixiv/three-vrm-animation"
	local model source
	ln -s "$ANIM_NODE_MODULES" node_modules
	cp "$ROOT/tests/vrm_play.mjs" .
	for source in z1_world_axes z2_x_axes z4_x_axes_zero_offsets z5_hips_at_zero; do
		anim convert -q --unit cm --humanoid mixamo:vrm "$DATA/rests/$source.bvh" $source.vrma 2>/dev/null
	done
	cp "$DATA"/rests/*.vrma .
	[ ! -d "$ANIM_CORPUS/gltf" ] || cp "$ANIM_CORPUS/gltf/test.vrma" .
	for model in b01_eyes_front b09_target b10_target; do
		for source in *.vrma; do
			run -0 node vrm_play.mjs "$(command -v anim)" "$DATA/rests/$model.vrm" "$source"
			echo "# $model $source: $output"
			read -r count degrees low high <<<"$output"
			awk -v n="$count" -v d="$degrees" -v a="$low" -v b="$high" 'BEGIN { exit !(n > 200 && d <= 0.01 && a > 0.85 && b < 1.1) }'
		done
	done
}
