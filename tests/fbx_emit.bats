#!/usr/bin/env bats
# anim-emit fbx: keys and tangents as they are, rotations as Euler curves within what is reported, in files that other programs take:
# Godot (the command that GODOT names), Blender (BLENDER, else blender) and assimp (ASSIMP, else assimp). What is not there is skipped.

load helper

FBX=$DATA/fbx
: "${BLENDER:=blender}" "${ASSIMP:=assimp}"

need_python() {
	command -v python3 >/dev/null || skip "python3 is not installed, which reads what is written"
}

# checked FILE...: their bytes, by a reader of the raw format.
checked() {
	python3 "$ROOT/tests/fbx_file.py" "$@"
}

# clip NAME START END [RATE [LOOP]]: the head of a clip as a line of JSON.
clip() {
	printf '{"clip":{"name":"%s","root":".","source":"x","start":%s,"end":%s,"loop":"%s","axes":"gltf","axes2d":"unknown","flags":[],"rate":%s,"attributes":{}}}\n' \
		"$1" "$2" "$3" "${5:-none}" "${4:-null}"
}
# track NODE PROPERTY TYPE KIND INTERP N COLUMNS [BEFORE,AFTER [COMPONENT [FLAG [ATTRIBUTES]]]]
track() {
	local ends=${8:-hold,hold}
	printf '{"track":{"node":"%s","property":"%s","component":%s,"kind":"%s","type":"%s","rules":"plain","flags":[%s],"before":"%s","after":"%s","interp":%s,"keys":%s,"attributes":{%s},"columns":{%s}}}\n' \
		"$1" "$2" "${9:-null}" "$4" "$3" "${10:-}" "${ends%,*}" "${ends#*,}" "$5" "$6" "${11:-}" "$7"
}
# stream: from lines of the above.
stream() {
	{ echo '{"anim_json":1}'; cat; echo '{"end":true}'; } | anim-parse -f json
}

# keys FILE: its tracks, a line each, sorted. The mode of a single key says nothing, and the last tangent leads nowhere.
keys() {
	anim-parse -q --no-provenance "$1" 2>/dev/null | anim-dump |
		awk '/^clip/ { sub(/ flags=[^ ]*/, ""); clip = $0 } /^track/ { if (line != "") print line; line = clip " " $0 }
			/^\t/ { if (line != "") line = line " |" $0 } END { if (line != "") print line }' |
		sed -E 's/interp=[A-Za-z]+ keys=1 /interp=any keys=1 /' | sort
}

@test "FBX to FBX keeps every key: times, values, slopes, weights, modes, bit by bit" {
	need_python
	for file in walk takes; do
		anim-convert -q "$FBX/$file.fbx" "$file.fbx" 2>/dev/null
		# Rotations that are more than angles in the file come back as angles.
		diff <(keys "$FBX/$file.fbx" | grep -v 'property="rotation"') <(keys "$file.fbx" | grep -v 'node="Hero/Hips/Arm" property="euler"')
		anim-convert -q "$file.fbx" again.fbx
		diff <(keys "$file.fbx") <(keys again.fbx)
		anim-convert -q again.fbx third.fbx
		same again.fbx third.fbx
		rm again.fbx third.fbx
	done
	checked walk.fbx takes.fbx
}

@test "cameras and lights are converted to the axes of FBX without a change of their keys" {
	need_python
	cat >x.tscn <<-'TSCN'
		[gd_scene load_steps=3 format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "look"
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Eye:rotation")
		tracks/0/interp = 1
		tracks/0/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [Vector3(0, 0.25, 0), Vector3(0.5, 1, -0.75)]}
		tracks/1/type = "value"
		tracks/1/path = NodePath("Eye/Box:position")
		tracks/1/interp = 1
		tracks/1/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [Vector3(1, 2, 3), Vector3(4, 5, 6)]}
		tracks/2/type = "value"
		tracks/2/path = NodePath("Spot:rotation:y")
		tracks/2/interp = 1
		tracks/2/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [0.5, 1.5]}
		tracks/3/type = "value"
		tracks/3/path = NodePath("Eye:scale")
		tracks/3/interp = 1
		tracks/3/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [Vector3(1, 2, 3), Vector3(4, 5, 6)]}
		[sub_resource type="AnimationLibrary" id="l"]
		_data = {"look": SubResource("a")}
		[node name="Main" type="Node3D"]
		[node name="Eye" type="Camera3D" parent="."]
		transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3)
		[node name="Box" type="Node3D" parent="Eye"]
		[node name="Lamp" type="OmniLight3D" parent="Eye/Box"]
		[node name="Lens" type="Camera3D" parent="Eye/Box/Lamp"]
		[node name="Beam" type="SpotLight3D" parent="Eye/Box/Lamp/Lens"]
		[node name="Spot" type="SpotLight3D" parent="."]
		[node name="Sun" type="DirectionalLight3D" parent="."]
		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {"": SubResource("l")}
	TSCN
	anim-convert -q x.tscn x.fbx
	checked x.fbx
	# What is read back is what was written.
	anim-info --tree x.fbx | grep -v AnimationPlayer >tree
	[ "$(sed -n 's/ position.*//; 3,$p' tree)" = '    Eye camera
      Box
        Lamp light
          Lens camera
            Beam light SpotLight
    Spot light SpotLight
    Sun light DirectionalLight' ]
	run -0 anim-diff -q --max 0.1mm --world x.tscn x.fbx
	keys x.fbx | tr -s '\t|' ' ' >read
	grep -q 'node="Eye" property="euler" .* interp=Linear keys=2 .*"YXZ" .* 0 0,14.32[0-9]*,0 1 28.64' read
	grep -q 'node="Eye/Box" property="position" .* keys=2 .* 0 1,2,3 1 4,5,6' read
	grep -q 'node="Eye" property="scale" .* keys=2 .* 0 1,2,3 1 4,5,6' read
	anim-convert -q --force x.fbx y.fbx
	diff <(keys x.fbx) <(keys y.fbx)
	if command -v "$BLENDER" >/dev/null; then
		cat >look.py <<-'PY'
			import bpy
			bpy.ops.wm.read_factory_settings(use_empty=True)
			bpy.ops.import_scene.fbx(filepath="x.fbx")
			bpy.context.scene.frame_set(1)
			for name in ("Eye", "Spot", "Sun"):
			    thing = bpy.data.objects[name]
			    look = -thing.matrix_world.col[2].xyz.normalized()
			    kind = thing.type if thing.type == "CAMERA" else thing.data.type
			    print("looks", name, kind, *("%.3f" % (round(v, 3) + 0) for v in (look.x, look.z, -look.y)))
		PY
		"$BLENDER" -b --factory-startup --python look.py 2>/dev/null </dev/null | grep '^looks' >looks
		same looks - <<-'END'
			looks Eye CAMERA -0.247 0.000 -0.969
			looks Spot SPOT -0.479 0.000 -0.878
			looks Sun SUN 0.000 0.000 -1.000
		END
	fi
}

@test "what the reader fits to a file comes back within what is reported" {
	for file in walk layers turned mixamo; do
		anim-convert -q "$FBX/$file.fbx" "$file.fbx" 2>/dev/null
		anim-diff -q --max 1e-6m,0.0001%,1e-6px,0.0001deg "$FBX/$file.fbx" "$file.fbx"
	done
}

@test "nodes, bones, names and rests come back; a root that nothing moves is the root of the file" {
	anim-convert -q "$FBX/walk.fbx" walk.fbx 2>/dev/null
	nodes() {
		anim-parse -q "$1" 2>/dev/null | anim-dump | grep -A1 '^node' | grep -v '^--' | grep -v '^clip' | sed 's/kind=mesh/kind=node/'
	}
	diff <(nodes "$FBX/walk.fbx") <(nodes walk.fbx)
	{
		clip fall 0 1
		track . position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[0,1,0]]'
		track Skeleton3D:Hips position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[0,1,0]]'
	} | stream | anim-emit -q -o root.fbx
	run -0 anim-info root.fbx
	[[ $output == *"  Root  "* ]]
}

# bones [-v] FILE: its bones, or with -v its other nodes but the root.
bones() {
	anim-parse -q "${@: -1}" 2>/dev/null | anim-dump | grep '^node' | grep -v 'path="\."' | grep ${2:+$1} 'kind=bone' | cut -d'"' -f2
}

@test "bones of a human are bones, and so are nodes that only tracks name if they are a skeleton" {
	need_python
	anim-convert -q "$DATA/gltf/vrm.vrma" human.fbx 2>/dev/null
	same <(bones human.fbx) - <<<$'vrm/Bip01\nvrm/Bip01/Bip01 Spine'
	turn='"time":[0,1],"value":[[0,0,0,1],[0,0,0.6,0.8]]'
	{
		clip walk 0 1
		for node in Rig/A Rig/A/B Rig/A/B/C Lid Lid/Hand Zoo/Hips; do track $node rotation floatQ Curve '"Linear"' 2 "$turn"; done
		track Rig/A/B/End position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[0,1,0]]'
		track Rig/A/B/C/Face blend_shape/smile float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
	} | stream | anim-emit -q -o clip.fbx
	same <(bones clip.fbx | sort | tr '\n' ' ') <(printf 'Rig/A Rig/A/B Rig/A/B/C Rig/A/B/End Zoo/Hips ')
	same <(bones -v clip.fbx | sort | tr '\n' ' ') <(printf 'Lid Lid/Hand Rig Rig/A/B/C/Face Zoo ')
	anim-convert -q "$ROOT/examples/walker.tscn" walker.fbx 2>/dev/null
	PYTHONPATH=$ROOT/tests python3 - walker.fbx clip.fbx <<-'PY'
		import sys
		from fbx_file import records, of
		for file, sizes in zip(sys.argv[1:], ([0.1, 0.16, 0.24], [0.1, 0.1, 0.1])):
		    data = open(file, "rb").read()
		    objects = of(records(data, 27, len(data))[0], "Objects")[0][2]
		    bones = [below for _, values, below in of(objects, "NodeAttribute") if values[2] == b"LimbNode"]
		    found = [of(of(below, "Properties70")[0][2], "P")[0][1] for below in bones]
		    assert all(size[0] == b"Size" and size[4] > 0 for size in found)
		    assert [round(size[4], 3) for size in found][:3] == sizes, found
	PY
}

@test "the same stream gives the same bytes, with a store in memory and in a file" {
	need_python
	anim-parse -q "$ROOT/examples/walker.tscn" -o a.axs
	anim-emit -q -o a.fbx a.axs
	anim-emit -q fbx <a.axs >b.fbx
	ANIM_STORE_MEMORY=0 anim-emit -q -o c.fbx a.axs
	same a.fbx b.fbx
	same a.fbx c.fbx
	checked a.fbx
}

@test "several clips become several takes, each with its range and the rate of the first that has one" {
	need_python
	{
		clip idle 0 0.5
		track A position float3 Curve '"Linear"' 2 '"time":[0,0.5],"value":[[0,0,0],[0,1,0]]'
		clip run -0.25 2 '{"num":24000,"den":1001}' wrap
		track A position float3 Curve '"Hold"' 2 '"time":[-0.25,2],"value":[[0,0,0],[0,1,0]]'
	} | stream >two.axs
	run -0 --separate-stderr anim-emit -o two.fbx two.axs
	[[ $stderr == *"note: clip 'run': the loop mode is not kept, because FBX has none"* ]]
	run -0 checked two.fbx
	[ "$output" = "two.fbx: 1 models, 6 curves, 12 keys, takes idle, run" ]
	run -0 anim-info two.fbx
	[[ $output == *"idle: 0.5 s, 23.976/s, from fbx, gltf axes"* ]]
	[[ $output == *"run: 2.25 s (-0.25 .. 2), 23.976/s"* ]]
	anim-diff -q --max 0 <(anim-filter -p position two.axs) two.fbx
}

@test "the four modes are written as they are; of two keys at one time the second counts" {
	{
		clip walk 0 2
		track A position float3 Curve null 4 \
			'"interp":["Hold","Linear","Hermite","Linear"],"time":[0,0.5,1,2],"value":[[0,0,0],[1,2,3],[4,5,6],[7,8,9]],"left":[[0,0,0],[1,2,3],[0.1,0.2,0.3],[4,5,6]],"right":[[0,0,0],[1,1,1],[0.7,0.8,0.9],[0,0,0]]'
		track B position float Curve '"Weighted"' 2 \
			'"time":[0,2],"value":[0,1],"left":[0,2],"right":[3,0],"left_x":[0.33333334,0.25],"right_x":[0.9,0.33333334],"weighted":[2,1]' hold,hold 1
		track C scale float3 Curve '"Linear"' 3 '"time":[0,1,1],"value":[[1,1,1],[2,2,2],[3,3,3]]'
	} | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[ -z "$stderr" ]
	third=0.33333334
	keys a.fbx | grep -q "node=\"B\".*|	0 0,0,0 0,0,0 0,3,0 $third,$third,$third $third,0.9,$third 2 |	2 0,1,0 0,2,0 0,0,0 $third,0.25,$third"
	anim-diff -q --max 0 a.axs a.fbx
	anim-parse -q a.fbx | anim-dump | grep -A4 'node="C" property="scale"' >c
	grep -qx $'\t1 2,2,2' c
	grep -qx $'\t1 3,3,3' c
}

@test "lengths of handles are ten-thousandths; others are rounded within what is reported" {
	weighted() { # weighted LENGTH
		clip walk 0 1
		track A position float3 Curve '"Weighted"' 2 \
			'"time":[0,1],"value":[[0,0,0],[1,2,3]],"left":[[0,0,0],[1,2,3]],"right":[[1,0,0],[0,0,0]],"left_x":[[0.33333334,0.33333334,0.33333334],['"$1,$1,$1"']],"right_x":[['"$1,$1,$1"'],[0.33333334,0.33333334,0.33333334]],"weighted":[2,1]'
	}
	weighted 0.1234 | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[ -z "$stderr" ]
	diff <(keys a.axs | cut -d'|' -f2-) <(keys a.fbx | cut -d'|' -f2-)
	weighted 0.123456 | stream >b.axs
	run -0 --separate-stderr anim-emit -o b.fbx b.axs
	[[ $stderr == *"curves: approximated, at most "*" units off"* ]]
	anim-diff -q --max 1e-4m,1e-4deg,0.01%,1e-4px b.axs b.fbx
	run -1 --separate-stderr anim-emit --strict --tol 0.00001mm -o c.fbx b.axs
	[[ $stderr == *"can only be approximated in fbx: stopped by --strict"* ]]
	[ ! -e c.fbx ]
	anim-emit -q --strict -o c.fbx b.axs
}

@test "rotations become Euler curves: straight ones stay straight, with keys between where that is not enough" {
	{
		clip walk 0 1 '{"num":30,"den":1}'
		track A rotation floatQ Curve '"Linear"' 3 '"time":[0,0.5,1],"value":[[0,0,0,1],[0,0,0.70710678,0.70710678],[0,0.6,0.8,0]]'
		track B rotation floatQ Raw '"Linear"' 3 '"value":[[0,0,0,1],[0.1,0,0,0.99498744],[0,0.1,0,-0.99498744]]'
		track C rotation floatQ Discrete '"Hold"' 2 '"time":[0,0.5],"value":[[0,0,0,1],[0,0.70710678,0,0.70710678]]'
		track D rotation floatQ Curve '"Hermite"' 2 \
			'"time":[0,1],"value":[[0,0,0,1],[0,0.70710678,0,0.70710678]],"left":[[0,0,0,0],[0,1,0,0]],"right":[[1,0,0,0],[0,0,0,0]]'
	} | sed '/"B"/s/"columns"/"start":0,"step":0,"rate":{"num":30,"den":1},"columns"/' | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[[ $stderr == *"rotations: became Euler angles, at most 0.0"*" degrees off"* ]]
	anim-diff -q --max 0.01deg a.axs a.fbx
	anim-parse -q a.fbx | anim-dump >a
	[ "$(grep -c 'property="euler" component=- .* flags=degrees' a)" -eq 4 ]
	grep -A4 'node="C" property="euler"' a | grep -qx $'\t0.5 0,90,0.*'
	grep 'node="C" property="euler"' a | grep -q 'interp=Hold keys=2'
	run -1 --separate-stderr anim-emit --strict --tol 0.0000001deg -o b.fbx a.axs
	[[ $stderr == *"can only be approximated in fbx: stopped by --strict"* ]]
	[ ! -e b.fbx ]
}

@test "rotations go on beyond 180 degrees, and pass 90 degrees about Y" {
	{
		clip spin 0 4
		track A rotation floatQ Curve '"Linear"' 5 '"time":[0,1,2,3,4],"value":[[0,0,0,1],[0,0,1,0],[0,0,0,-1],[0,0,-1,0],[0,0,0,1]]'
		track B rotation floatQ Curve '"Linear"' 3 '"time":[0,2,4],"value":[[0,0,0,1],[0.05,0.7071,0,0.7053],[0,1,0,0]]'
	} | stream >a.axs
	anim-emit -q -o a.fbx a.axs
	anim-diff -q --max 0.01deg a.axs a.fbx
	# About Z, never back by a whole turn.
	anim-parse -q a.fbx | anim-dump | sed -n '/node="A"/,/^track node="B"/p' | awk '/^\t[0-9]/ { split($2, v, ","); if (n++ && (v[3] - last) ^ 2 > 200 ^ 2) exit 1; last = v[3] }'
}

@test "angles keep the order that their node has first; others of the node become angles of that order" {
	{
		clip one 0 1
		track A euler float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[10,20,30],[40,50,60]]' hold,hold null '"degrees"' '"order":"XZY"'
		clip two 0 1
		track A euler float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0.1,0.2,0.3],[0.2,0.3,0.4]]' hold,hold null '' '"order":"YXZ"'
		track B euler float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[1,0,0]]'
	} | stream >a.axs
	anim-emit -q -o a.fbx a.axs
	anim-diff -q --max 0.01deg a.axs a.fbx
	anim-parse -q a.fbx | anim-dump >a
	[ "$(grep -c 'attr "order" "XZY"' a)" -eq 2 ]
	[ "$(grep -c 'attr "order" "YXZ"' a)" -eq 1 ]
	grep -qx $'\t1 40,50,60' a
	grep -qx $'\t1 57.29578,0,0' a
}

@test "single components stay single; those of rotations are joined" {
	{
		echo '{"tree":{"root":"Hero","source":"x","axes":"gltf","axes2d":"unknown","attributes":{}}}'
		echo '{"node":{"path":".","type":"","kind":"node","has":[],"parent":null,"position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}'
		echo '{"node":{"path":"A","type":"","kind":"node","has":["position","rotation","scale"],"parent":0,"position":[1,2,3],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}'
		clip walk 0 1 | sed 's/"flags":\[\]/"flags":["in_tree"]/'
		track A position float Curve '"Linear"' 2 '"time":[0,1],"value":[4,5]' hold,hold 1
		track A rotation float Curve '"Linear"' 2 '"time":[0,1],"value":[0,0.70710678]' hold,hold 2
		track A rotation float Curve '"Linear"' 2 '"time":[0,1],"value":[1,0.70710678]' hold,hold 3
	} | stream >a.axs
	anim-emit -q -o a.fbx a.axs 2>/dev/null
	anim-parse -q a.fbx | anim-dump >a
	grep -A3 'property="position"' a | grep -qx $'\t1 1,5,3'
	grep -A40 'property="euler"' a | grep -qE $'^\t1 0,-?0,90$|^\t1 (-?[0-9.e-]+),(-?[0-9.e-]+),90'
}

@test "visibility steps, blend shapes and other numbers are properties of the node; what has no place is reported" {
	need_python
	{
		clip walk 0 1
		track A visible bool Discrete '"Hold"' 2 '"time":[0,0.5],"value":[true,false]'
		track A blend_shape/smile float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		track A blend_shape/scale float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		track A blend_shape/Visibility float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		track A light_energy float Curve '"Linear"' 2 '"time":[0,1],"value":[0,16]'
		track A light_color float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,1],[0,1,0]]'
		track A X float Curve '"Linear"' 2 '"time":[0,1],"value":[0,2]'
		track A Visibility float Curve '"Linear"' 2 '"time":[0,1],"value":[0,2]'
		track A fov float Curve '"Linear"' 2 '"time":[0,1],"value":[60,75]'
		track A tint color Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,1,1],[0,1,0,1]]'
		track A @step string Discrete '"Hold"' 1 '"time":[0],"value":["left"]'
	} | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[[ $stderr == *"2 tracks: left out, because FBX has no place for the property"* ]]
	[[ $stderr == *"track 'A @step': left out, because FBX has no events"* ]]
	checked a.fbx
	diff <(keys a.axs | grep -vE 'property="(fov|tint|Visibility|@step)"' | sed -E 's/.* (property="[^"]*").*keys/\1/') \
		<(keys a.fbx | sed -E 's/.* (property="[^"]*").*keys/\1/')
}

@test "blend shapes are channels of a mesh of no size, in percent; those of a bone are user properties, with a warning" {
	need_python
	shape='"time":[0,1],"value":[0.25,1],"left":[0,2],"right":[0.5,0]'
	{
		echo '{"tree":{"root":"Hero","source":"x","axes":"gltf","axes2d":"unknown","attributes":{}}}'
		echo '{"node":{"path":".","type":"","kind":"node","has":[],"parent":null,"position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}'
		echo '{"node":{"path":"Head","type":"","kind":"bone","has":["position","rotation","scale"],"parent":0,"position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,1,1],"attributes":{}}}'
		clip talk 0 1
		track Head blend_shape/smile float Curve '"Hermite"' 2 "$shape"
		track Face blend_shape/scale float Curve '"Hermite"' 2 "$shape"
		track Face smile float Curve '"Hermite"' 2 "$shape"
		track Face blend_shape/smile float Curve '"Hermite"' 2 "$shape"
	} | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[[ $stderr == *"warning: track 'Head blend_shape/smile': weights of blend shapes of a bone, which has no mesh, became user properties" ]]
	run -0 checked a.fbx
	diff <(keys a.axs | cut -d'|' -f2- | sort) <(keys a.fbx | cut -d'|' -f2- | sort)
	PYTHONPATH=$ROOT/tests python3 - a.fbx <<-'PY'
		import sys
		from fbx_file import records, of
		data = open(sys.argv[1], "rb").read()
		objects, connections = (of(records(data, 27, len(data))[0], name)[0][2] for name in ("Objects", "Connections"))
		channels = {values[0]: below for _, values, below in of(objects, "Deformer") if values[2] == b"BlendShapeChannel"}
		assert [of(below, "DeformPercent")[0][1] for below in channels.values()] == [[25.0], [25.0]]
		driven = [values[2] for _, values, _ in of(connections, "C") if values[0] == b"OP" and values[2] in channels]
		assert sorted(driven) == sorted(channels), (driven, channels)
		assert [25.0, 100.0] in [of(below, "KeyValueFloat")[0][1][0] for _, _, below in of(objects, "AnimationCurve")]
	PY
}

@test "ends that repeat are written as such, and unrolled by the reader" {
	{
		clip walk 0 2
		track A position float3 Curve '"Linear"' 2 '"time":[0,0.5],"value":[[0,0,0],[1,0,0]]' hold,loop
		track B position float3 Curve '"Linear"' 2 '"time":[0,0.5],"value":[[0,0,0],[1,0,0]]' hold,ping-pong
	} | stream >a.axs
	anim-emit -q -o a.fbx a.axs
	[ "$(grep -oa 'Post-Extrapolation' a.fbx | wc -l)" -eq 6 ]
	run -0 --separate-stderr anim-parse a.fbx -o b.axs
	[[ $stderr == *"note: 6 curves: only the part inside the clip is kept, because it continues beyond the keys"* ]]
	anim-dump b.axs | grep -A6 'node="B"' | grep -qx $'\t1 0,0,0'
}

@test "times are whole frames where the keys are, and a clip that FBX cannot time is refused" {
	need_python
	{
		clip walk 0 1 '{"num":30,"den":1}'
		track A position float3 Curve '"Linear"' 3 '"time":[0,0.033333335,0.7],"value":[[0,0,0],[1,0,0],[2,0,0]]'
	} | stream | anim-emit -q -o a.fbx
	python3 - <<-'PY'
		import struct
		data = open("a.fbx", "rb").read()
		at = data.index(b"KeyTime") + 7
		assert struct.unpack_from("<3q", data, at + 13) == (0, 1539538600, 21 * 1539538600)
	PY
	{
		clip walk 0 1e9
		track A position float3 Curve '"Linear"' 2 '"time":[0,1e9],"value":[[0,0,0],[1,0,0]]'
	} | stream >far.axs
	run -1 --separate-stderr anim-emit -o far.fbx far.axs
	[ "$stderr" = "anim-emit: 'walk' has a time of 1e+09 s; FBX holds 289 days: cut it with anim-retime --time first" ]
}

@test "--tol takes units: rotations have a limit of their own" {
	{
		clip walk 0 1
		track A rotation floatQ Curve '"Linear"' 2 '"time":[0,1],"value":[[0.1,0.2,0.3,0.92736185],[0.5,0.5,0.5,0.5]]'
	} | stream >a.axs
	for tol in 0.001deg 1mm,0.001deg; do
		run -0 --separate-stderr anim-emit --tol $tol --force -o a.fbx a.axs
		anim-diff -q --max 0.001deg a.axs a.fbx
	done
	anim-emit -q --tol 0.01mm,0.001deg,0.001% -o b.fbx a.axs 2>/dev/null
	same a.fbx b.fbx
	run -0 anim-convert -q --force --tol 0.1deg a.axs b.fbx
	run ! cmp -s a.fbx b.fbx
	for tol in 1mm@10cm 0deg -1 fast; do
		run -2 --separate-stderr anim-emit --tol $tol -o c.fbx a.axs
		[[ ${stderr_lines[0]} == "anim-emit: --tol"* ]]
	done
}

@test "clips of one name become stacks of different names" {
	{
		for name in walk walk walk-2 walk; do
			clip $name 0 1
			track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[0,1,0]]'
		done
	} | stream >a.axs
	run -0 --separate-stderr anim-emit -o a.fbx a.axs
	[[ $stderr == *"warning: 3 clips: renamed, because another clip has the same name (first "* ]]
	[ "$(anim-parse -q a.fbx | anim-dump | grep '^clip' | cut -d'"' -f2 | tr '\n' ' ')" = 'walk walk-2 walk-2-2 walk-3 ' ]
}

@test "a rotation always has three curves with the same times, as three.js needs them" {
	need_python
	{
		clip turn 0 1
		track A euler float Curve '"Hermite"' 3 '"time":[0,0.25,1],"value":[0,40,90],"left":[0,0,0],"right":[0,0,0]' hold,hold 2 '"degrees"' '"order":"ZYX"'
	} | stream | anim-emit -q -o a.fbx
	run -0 checked a.fbx
	[ "$output" = "a.fbx: 1 models, 3 curves, 9 keys, takes turn" ]
	anim-parse -q a.fbx | anim-dump | grep -A4 'property="euler"' | grep -qE '^	0.25 0,0,40|^	0.25 0'
}

@test "lint says what FBX has no place for" {
	{
		clip walk 0 1 null wrap
		track A fov float Curve '"Linear"' 2 '"time":[0,1],"value":[60,75]'
		track A euler float3 Curve '"Hermite"' 1 '"time":[0],"value":[[0,0,0]],"left":[[0,0,0]],"right":[[0,0,0]]'
		track A position float3 Curve '"Linear"' 2 '"time":[0,1],"value":[[0,0,0],[0,1,0]]' hold,loop
	} | stream >a.axs
	run -1 anim-lint --for fbx a.axs
	same <(printf '%s\n' "$output" | sort) - <<-'TEXT'
		a.axs: clip 'walk': track 'A fov': left out, because the view angle needs a camera, and none is written to FBX
	TEXT
}

@test "a scene, a glTF, a Unity clip and motion capture become FBX within 0.01 degrees and 0.0001 units" {
	need_python
	for file in "$ROOT/examples/crane.tscn" "$ROOT/examples/walker.tscn" "$DATA/unity/mixamo.anim" "$DATA/bvh/arm.bvh" \
		"$DATA/gltf/interpolations.gltf"; do
		anim-convert -q "$file" "$(basename "$file").fbx" 2>/dev/null
		anim-parse -q "$file" 2>/dev/null | anim-axes -q gltf 2>/dev/null >a.axs
		run anim-diff --max 0.0001m,0.01%,0.0001px,0.01deg a.axs "$(basename "$file").fbx"
		[[ $output != *"beyond"* && $output == *compared* ]]
	done
	checked ./*.fbx
}

@test "clips are not put into an FBX file, and nothing is left of a run that fails" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	cp "$FBX/walk.fbx" .
	run -2 --separate-stderr anim-emit --into walk.fbx crane.axs
	[[ ${stderr_lines[0]} == "anim-emit: --into 'walk.fbx': clips can be added only to files with the suffix "* ]]
	same walk.fbx "$FBX/walk.fbx"
	[ ! -c /dev/full ] || run -1 anim-emit -q -o /dev/full fbx crane.axs
	head -c 300 crane.axs | { run -1 --separate-stderr anim-emit -o b.fbx; [ ! -e b.fbx ]; }
	pipe "anim-emit -q fbx crane.axs | head -c 10 >cut"
	[ -z "$stderr" ]
	run -1 --separate-stderr anim-emit -o c.fbx <(anim-filter -p fov crane.axs)
	[ ! -e c.fbx ]
}

@test "the writer's own file is replaced; one of others with a mesh is not" {
	anim-convert -q "$ROOT/examples/crane.tscn" a.fbx
	anim-convert -q "$ROOT/examples/crane.tscn" a.fbx
	cp "$FBX/walk_text.fbx" walk.fbx
	run -1 --separate-stderr anim-convert -q "$ROOT/examples/crane.tscn" walk.fbx
	[[ $stderr == *"walk.fbx: holds 1 clip (Walk), "*"mesh"*" that would be lost; write another file, or use --force" ]]
	same walk.fbx "$FBX/walk_text.fbx"
	anim-convert -q --force "$ROOT/examples/crane.tscn" walk.fbx
	head -c 2000 "$FBX/walk.fbx" >cut.fbx
	run -1 --separate-stderr anim-convert -q "$ROOT/examples/crane.tscn" cut.fbx
	[[ $stderr == *"cut.fbx: its content would be lost and cannot be read: "* ]]
}

@test "files of others come back: all keys of plain curves, and every pose within what is reported" {
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	not_bytewise "what is written is the same"
	local count=0
	for file in "$ANIM_CORPUS"/fbx/*.fbx; do
		rm -f a.axs a.fbx
		anim-parse -q --no-provenance "$file" 2>/dev/null | anim-axes -q gltf >a.axs 2>/dev/null || continue
		anim-dump a.axs | grep -q '^track' || continue
		anim-emit -q -o a.fbx a.axs 2>/dev/null
		anim-diff -q --max 0.0001m,0.01%,0.0001px,0.01deg a.axs a.fbx || { echo "$file"; return 1; }
		count=$((count + 1))
	done
	[ "$count" -ge 45 ]
}

# sources: FILE CLIP of what other programs are to show.
sources() {
	printf '%s\n' "$ROOT/examples/crane.tscn lift" "$ROOT/examples/assets/scenes/hero.tscn *" "$DATA/rename/dance.anim *" \
		"$DATA/unity/mixamo.anim *"
	while read -r file clip; do
		[ ! -e "$ANIM_CORPUS/$file" ] || echo "$ANIM_CORPUS/$file $clip"
	done <<-'TEXT'
		gltf/RobotExpressive.glb Robot_Walking
		gltf/Fox.glb Survey
		gltf/CesiumMan.glb CesiumMan
		godot/g40_enemy3d.tscn idle
		godot/g46_gdbot_skin.tscn attack
		godot/g4_CharacterSkin.tscn fall
		godot/g30_fps_example.tscn Aiming
	TEXT
}

# written RATE FOLDER: of each source its first clip of that name at 30 frames a second, as N.fbx, and beside it N.json: where its
# nodes are, so many times a second; *at: how many.
written() {
	at=0
	while read -r file name; do
		at=$((at + 1))
		anim-parse -q -c "$name" "$file" 2>/dev/null | anim-split -q --to one.%p.%c.axs
		set -- "$1" "$2" one.*
		anim-axes -q gltf "$3" | anim-resample -q --end grid 30 >clip.axs 2>/dev/null
		rm one.*
		anim-emit -q -o "$2/$at.fbx" clip.axs 2>/dev/null
		anim-bake -q --world -r "$1" clip.axs 2>told | anim-emit -q json >"$2/$at.json"
		! grep -q "still in the space of the parent" told ||
			anim-parse -q "$2/$at.fbx" | anim-bake -q --world -r "$1" | anim-emit -q json >"$2/$at.json"
	done < <(sources)
}

@test "Blender shows the nodes and bones of a .fbx at each frame where the stream says" {
	not_sanitized "other programs load the same bytes"
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
	local at i files=()
	written 30 .
	for ((i = 1; i <= at; i++)); do files+=("$i.fbx" "$i.json" --); done
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P "$ROOT/tests/engine/blender.py" -- "${files[@]}" >said 2>&1 || {
		tail -n 12 said
		false
	}
	[ "$(grep -c 'off at' said)" -eq "$at" ]
}

@test "Blender plays the weights of blend shapes" {
	not_sanitized "other programs load the same bytes"
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
	{
		clip talk 0 1 '{"num":24,"den":1}'
		track Face blend_shape/smile float Curve '"Linear"' 2 '"time":[0,1],"value":[0,1]'
		track Face blend_shape/wink float Curve '"Linear"' 2 '"time":[0,1],"value":[0.5,0.25]'
	} | stream | anim-emit -q -o face.fbx
	cat >look.py <<-'PY'
		import bpy, numpy
		numpy.bool = bool
		bpy.ops.wm.read_factory_settings(use_empty=True)
		bpy.ops.import_scene.fbx(filepath="face.fbx", anim_offset=0)
		bpy.context.scene.frame_set(12)
		keys = bpy.data.objects["Face"].data.shape_keys.key_blocks
		print("weights", *("%s %.3f" % (key.name, key.value) for key in keys[1:]))
	PY
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P look.py >said 2>&1
	grep -qx 'weights smile 0.500 wink 0.375' said
}

@test "Blender makes an armature of the bones, also of a human's and of a clip's without a tree" {
	not_sanitized "other programs load the same bytes"
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
	anim-convert -q "$DATA/gltf/vrm.vrma" human.fbx 2>/dev/null
	anim-convert -q "$DATA/unity/mixamo.anim" clip.fbx 2>/dev/null
	cat >look.py <<-'PY'
		import sys, bpy, numpy
		numpy.bool = bool
		for file in sys.argv[sys.argv.index("--") + 1:]:
		    bpy.ops.wm.read_factory_settings(use_empty=True)
		    bpy.ops.import_scene.fbx(filepath=file)
		    print(file, *sorted(bone.name for o in bpy.data.objects if o.type == "ARMATURE" for bone in o.data.bones), sep=",")
	PY
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P look.py -- human.fbx clip.fbx >said 2>&1
	grep -qx 'human.fbx,Bip01,Bip01 Spine' said
	grep -qx 'clip.fbx,mixamorig:Hips,mixamorig:Spine' said
}

@test "Godot shows the nodes and bones of a .fbx where the stream says, as near as its importer's 30 samples a second are" {
	not_sanitized "other programs load the same bytes"
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	local at
	mkdir -p project/in
	touch project/project.godot
	cp "$ROOT/tests/engine/gltf.gd" project/
	written 97 project/in
	"$GODOT" --headless --path "$PWD/project" --script res://gltf.gd >said 2>errors
	cat said
	run ! grep FAULT said
	[ "$(grep -c ' off$' said)" -eq "$at" ]
}

@test "assimp reads what is written: takes, nodes and channels" {
	not_sanitized "other programs load the same bytes"
	command -v "$ASSIMP" >/dev/null || skip "ASSIMP names no assimp"
	anim-convert -q "$FBX/walk.fbx" walk.fbx 2>/dev/null
	"$ASSIMP" info walk.fbx --raw >said
	grep -q "'Walk'" said
	grep -Eq 'Animation Channels: *3' said
	grep -q 'Hips' said
}

@test "angles of motion capture become curves as they are, without full rotations between two frames" {
	printf '%s\n' HIERARCHY 'ROOT A' '{' 'OFFSET 0 0 0' 'CHANNELS 3 Zrotation Yrotation Xrotation' 'End Site' '{' 'OFFSET 0 1 0' '}' '}' \
		MOTION 'Frames: 4' 'Frame Time: 0.03125' '1.1 2.3 -3.7' '179.3 2.4 -3.6' '-179.6 2.5 -3.4' '-178.9 2.6 -3.3' >a.bvh
	anim convert -q a.bvh a.fbx
	anim-parse -q a.fbx | anim-dump >a
	grep 'property="euler"' a | grep -q 'order ZYX\|order=.*ZYX' || grep -q '"order" "ZYX"' a
	grep -qx $'\t0 -3.7,2.3,1.1.*' a
	grep -qx $'\t0.03125 -3.6,2.4,179.3.*' a
	grep -qx $'\t0.0625 -3.4,2.5,180.4.*' a
	anim diff -q --max 0.01deg a.bvh a.fbx
}
