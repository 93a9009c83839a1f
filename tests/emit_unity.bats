#!/usr/bin/env bats
# anim-emit unity: clips that Unity's editor loads, and what is said of what they cannot hold.

load helper

UNITY=$DATA/unity

# keyframes FILE: the lines of the keyframes in the lists that are played.
keyframes() {
	sed -n '/^  m_RotationCurves:/,/^  m_PPtrCurves:/p' "$1" | tr -d '\r' |
		grep -E '^ +(- serializedVersion: 3$|(time|value|inSlope|outSlope|tangentMode|weightedMode|inWeight|outWeight): )'
}

# in_version_3 FILE: true where keyframes are played, all are of the newest version, and none is packed.
in_version_3() {
	keyframes "$1" >keys
	[ -s keys ] && [ "$(grep -c 'tangentMode:' keys)" = "$(grep -c 'serializedVersion: 3$' keys)" ] &&
		grep -q '^  m_CompressedRotationCurves: \[\]' "$1"
}

@test "a clip with every list, field and kind of scalar comes back byte for byte" {
	for name in emit_all emit_legacy; do
		anim-parse -q "$UNITY/$name.anim" >in.axs
		anim-emit unity in.axs >out.anim
		same "$UNITY/$name.anim" out.anim
	done
}

@test "there and back through Godot's axes every byte is the same, but that a mirrored zero has no sign" {
	for name in emit_all emit_legacy; do
		pipe "anim-parse -q '$UNITY/$name.anim' | anim-axes godot | anim-axes unity | anim-emit unity --strict >out.anim"
		[ "$status" -eq 0 ]
		[ "$stderr" = "" ]
		same <(sed 's/: -0\([,}]\)/: 0\1/g' "$UNITY/$name.anim") <(sed 's/: -0\([,}]\)/: 0\1/g' out.anim)
	done
}

@test "all float and object curves of a clip of version 7 come back with their version and flags" {
	# curves FILE: the version of the clip, and of each float and object curve its own and its flags, - where it has none
	curves() {
		awk '/^  serializedVersion:/ { print $2 }
			/^  m_FloatCurves:/ { wanted = 1 }
			behind { print version, /^    flags:/ ? $2 : "-" }
			/^  - / { version = /serializedVersion/ ? $3 : "-" }
			{ behind = wanted && /^    script:/ }' "$1"
	}
	anim-parse -q "$UNITY/clip_weighted.anim" >in.axs
	anim-emit -q unity in.axs >out.anim
	[ "$(curves out.anim)" = "7
2 16
2 0
2 2
2 0" ]
	same <(curves "$UNITY/clip_weighted.anim") <(curves out.anim)
	pipe "anim-axes godot in.axs | anim-axes unity | anim-emit -q unity >out.anim"
	same <(curves "$UNITY/clip_weighted.anim") <(curves out.anim)
	sed 's/^  serializedVersion: 7$/  serializedVersion: 6/; /^    flags:/d; s/^  - serializedVersion: 2$/  - XX/' \
		"$UNITY/clip_weighted.anim" | sed '/^  - XX$/{N;s/.*\n    /  - /;}' >six.anim
	anim-parse -q six.anim | anim-emit -q unity >out.anim
	[ "$(curves out.anim)" = "6
- -
- -
- -
- -" ]
}

@test "keyframes of every clip at hand are the same bytes" {
	count=0
	for file in "$UNITY"/*.anim "$ANIM_CORPUS"/unity/*.anim; do
		[ -f "$file" ] && in_version_3 "$file" || continue
		! keyframes "$file" | grep -qE 'nan|#' || continue # spelled otherwise
		anim-parse "$file" >in.axs 2>/dev/null || continue
		anim-emit -q unity in.axs >out.anim
		diff <(keyframes "$file") <(keyframes out.anim) || { echo "$file" && false; }
		count=$((count + 1))
	done
	[ "$count" -ge 4 ]
}

@test "what is read of a clip is read of the one that is written" {
	for file in "$UNITY"/*.anim; do
		name=$(basename "$file")
		anim-parse -q "$file" >in.axs 2>/dev/null || continue
		anim-emit -q unity in.axs >"$name"
		anim-parse -q "$name" >out.axs 2>/dev/null
		diff <(anim-dump in.axs | grep -v -e '"unity.*ompressed"' -e old_name) <(anim-dump out.axs) || { echo "$file" && false; }
	done
}

@test "the same bytes come from memory and from a store on disk, from a file and a pipe" {
	anim-parse -q "$UNITY/emit_all.anim" >in.axs
	ANIM_STORE_MEMORY=0 ANIM_READ_MAX=7 anim-emit unity in.axs >disk.anim
	same "$UNITY/emit_all.anim" disk.anim
	anim-emit -o file.anim <in.axs
	same "$UNITY/emit_all.anim" file.anim
}

@test "a Godot scene becomes a clip with Unity's paths, names and steps" {
	pipe "anim-parse '$ROOT/examples/crane.tscn' | anim-axes unity | anim-emit -q unity >crane.anim"
	[ "$status" -eq 0 ]
	[ "$(grep '^    path: ' crane.anim)" = "    path: Skeleton3D/base
    path: Skeleton3D/base/arm
    path: Skeleton3D/base/arm/hook
    path: Lamp
    path: Lamp" ]
	[ "$(grep '^    attribute: ' crane.anim)" = "    attribute: m_IsActive
    attribute: m_Intensity" ]
	sed -n '/^  m_FloatCurves:/,/attribute: m_IsActive/p' crane.anim >active
	[ "$(grep '  time: ' active)" = "        time: 0
        time: 0.5
        time: 1.5" ]
	[ "$(grep '  value: ' active)" = "        value: 0
        value: 1
        value: 0" ]
	[ "$(grep -c 'Slope: Infinity' active)" -eq 6 ]
	grep -q '^    m_StopTime: 2$' crane.anim
	grep -q '^    m_LoopTime: 0$' crane.anim
}

@test "what is written of a Godot scene plays as the scene does" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	anim-parse "$ROOT/examples/crane.tscn" | anim-axes unity >scene.axs
	anim-emit -q -o crane.anim scene.axs
	anim-resample 30 --all scene.axs 2>/dev/null | anim-dump | grep -v '^	attr' >scene
	anim-parse crane.anim | anim-resample 30 --all 2>/dev/null | anim-dump | grep -v '^	attr' >clip
	python3 - scene clip <<-'TEXT'
		import sys
		def tracks(path):
		    found, rows = {}, None
		    for line in open(path):
		        if line.startswith("track "):
		            rows = found.setdefault(line.split('property="')[1].split('"')[0] + str(len(found)), [])
		        elif rows is not None and line.startswith("\t") and line[1] in "-0123456789":
		            rows.append([float(x) for x in line.replace(",", " ").split()])
		    return found
		a, b = (list(tracks(path).values()) for path in sys.argv[1:])
		assert len(a) == len(b) == 5, (len(a), len(b))
		for x, y in zip(a, b):
		    assert len(x) == len(y) == 61, (len(x), len(y))
		    for p, q in zip(x, y):
		        same = max(abs(s - t) for s, t in zip(p, q))
		        turned = max(abs(s + t) for s, t in zip(p, q)) if len(p) == 4 else same
		        assert min(same, turned) < 2e-4, (p, q)
	TEXT
}

@test "sampled and joined values are Linear keys, angles in degrees" {
	cat >euler.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "turn"
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Box:rotation")
		tracks/0/interp = 1
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [Vector3(0, 0, 0), Vector3(0, 3.1415927, 0)]
		}
		[node name="A" type="Node3D"]
	TEXT
	anim-parse euler.tscn 2>/dev/null | anim-axes unity | anim-emit unity >turn.anim
	grep -q '^  m_EulerCurves:$' turn.anim
	grep -q '^        value: {x: 0, y: -180, z: 0}$' turn.anim
	grep -q '^      m_RotationOrder: 4$' turn.anim
	anim-parse euler.tscn 2>/dev/null | anim-axes unity | anim-resample 2 | anim-emit unity >samples.anim
	[ "$(grep -c '^        time: ' samples.anim)" -eq 3 ]
}

@test "a two-dimensional rotation is Euler angles about z, key for key, and an angle again on the way back" {
	cat >spin.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "spin"
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Sprite:rotation")
		tracks/0/interp = 1
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 1),
		"transitions": PackedFloat32Array(1, 1),
		"update": 0,
		"values": [0.5, 12.5]
		}
		[node name="A" type="Node2D"]
		[node name="Sprite" type="Sprite2D" parent="."]
	TEXT
	pipe "anim-parse spin.tscn | anim-axes unity2d | anim-emit unity --strict >spin.anim"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "$(grep -c '^        time: ' spin.anim)" -eq 2 ]
	grep -q '^        value: {x: 0, y: 0, z: -28.64789}$' spin.anim
	grep -q '^  m_RotationCurves: \[\]$' spin.anim
	pipe "anim-parse spin.anim | anim-axes godot2d | anim-emit -o back.tres"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	grep -q '^tracks/0/path = NodePath("Sprite:rotation")$' back.tres
	anim-diff --max 0.0001deg spin.tscn back.tres
}

@test "nodes of Unity's that became bones are bound where they lay, under the name that they have by now" {
	in=$DATA/rename/dance.anim
	anim-parse "$in" | anim-emit -q unity >straight.anim
	grep -q '^    path: Armature/Hips/Spine/Hand_L$' straight.anim
	anim-parse "$in" | anim-rename --bones Armature/Skeleton3D >bones.axs
	anim-emit -q unity bones.axs >out.anim
	same straight.anim out.anim
	anim-rename -e 's/Hand_L$/LeftHand/' bones.axs | anim-emit -q unity >out.anim
	sed 's,Hips/Spine/Hand_L,Hips/Spine/LeftHand,' straight.anim >wanted.anim
	diff <(grep '^    path: ' wanted.anim) <(grep '^    path: ' out.anim)
	sed 's,Spine/Hand_L,mixamorig:Spine/mixamorig:Hand_L,' "$in" >colon.anim
	anim-parse colon.anim | anim-rename --bones Armature/Skeleton3D | anim-emit -q unity >out.anim
	anim-parse colon.anim | anim-emit -q unity >straight.anim
	same straight.anim out.anim
}

@test "what comes of the crafted streams is refused, or a clip that is read again" {
	count=0
	for file in "$DATA"/axs/good/*.axs; do
		anim-emit --axes keep unity "$file" >out.anim 2>err && status=0 || status=$?
		[ "$status" -le 1 ] || { echo "$file: $status" && false; }
		if [ "$status" -eq 0 ]; then
			anim-parse -q out.anim 2>err | anim-info >/dev/null || { echo "$file" && cat err && false; }
			count=$((count + 1))
		else
			[ -s err ] || { echo "$file" && false; }
		fi
	done
	[ "$count" -ge 14 ]
}

@test "slots of Resonite are looked for below the animated object, and reported once" {
	slot() {
		echo "{\"trackType\":\"Discrete\",\"valueType\":\"$3\",\"data\":{\"node\":\"$1\",\"property\":\"$2\",\"keyframes\":[{\"time\":0,\"value\":$4}]}}"
	}
	echo "{\"name\":\"wave\",\"globalDuration\":1,\"tracks\":[$(slot Hips Position float3 '{"x":1,"y":2,"z":3}'),
		$(slot mixamorig:Head BlendShape.Smile float 0.5),$(slot '' Active bool true)]}" >wave.animj
	pipe "anim-parse wave.animj | anim-emit unity"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: wave.animj: 'wave': warning: 2 tracks: no path of the node; Unity expects it directly below the animated object (first 'Hips position'; anim-lint --for unity lists all)" ]
	[ "$(grep '^    path: ' <<<"$output")" = "    path: Hips
    path: mixamorig:Head
    path: " ]
	[[ $output == *"        value: 50"* ]]
}

@test "a sprite's frame and a method's calls are left out and reported, each with its reason" {
	cat >frames.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "run"
		length = 1.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Sprite2D:frame")
		tracks/0/interp = 1
		tracks/0/keys = {
		"times": PackedFloat32Array(0, 0.5),
		"transitions": PackedFloat32Array(1, 1),
		"update": 1,
		"values": [0, 1]
		}
		tracks/1/type = "method"
		tracks/1/path = NodePath("Sprite2D")
		tracks/1/interp = 1
		tracks/1/keys = {
		"times": PackedFloat32Array(0.5),
		"transitions": PackedFloat32Array(1),
		"values": [{"args": [], "method": &"step"}]
		}
		[node name="A" type="Node2D"]
	TEXT
	anim-parse frames.tscn >frames.axs 2>/dev/null
	run -1 --separate-stderr anim-emit unity frames.axs
	[ "$stderr" = "anim-emit: frames.tscn: 'run': warning: track 'Sprite2D frame': left out, because Unity's clips choose images by references to assets
anim-emit: frames.tscn: 'run': warning: track 'Sprite2D @method': left out: calls or events of another engine
anim-emit: no file is written: unity can hold none of the tracks (2)" ]
	run -1 --separate-stderr anim-emit unity --strict -o frames.anim frames.axs
	[ ! -e frames.anim ]
}

@test "loops and autoplay: a wrap is m_LoopTime, a ping-pong is reported, --strict lets notes pass" {
	pipe "anim-parse '$ROOT/examples/box.tscn' | anim-axes unity | anim-emit unity --strict"
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: box.tscn: note: clip 'scale_down': will loop from the start, because Unity's Animator does not support ping-pong" ]
	[[ $output == *"m_LoopTime: 1"* && $output == *"m_WrapMode: 4"* ]]
}

@test "the name of -o selects the format; several clips need a choice or a pattern" {
	anim-parse -q "$UNITY/emit_all.anim" "$UNITY/emit_legacy.anim" >two.axs
	run -1 --separate-stderr anim-emit -o x.anim two.axs
	[ "$stderr" = "anim-emit: unity holds one clip, but there are 2: walk: all, idle; pick one with -c NAME, or write all with --each '%c.anim' in place of the output" ]
	[ ! -e x.anim ]
	anim-emit -c idle -o x.anim two.axs
	same "$UNITY/emit_legacy.anim" x.anim
	mkdir each
	anim-emit --each 'each/%c.anim' two.axs
	[ "$(ls each)" = "idle.anim
walk__all.anim" ]
	same "$UNITY/emit_all.anim" each/walk__all.anim
}

@test "--meta auto gives a clip in a file a guid that stays, whatever the folder's name is before Assets" {
	anim-parse -q "$UNITY/emit_legacy.anim" >idle.axs
	mkdir -p one/Assets/hero two/Assets/hero
	anim-emit --meta auto -o one/Assets/hero/idle.anim idle.axs
	(cd two/Assets/hero && anim-emit --meta auto -o idle.anim "$BATS_TEST_TMPDIR/idle.axs")
	same one/Assets/hero/idle.anim.meta two/Assets/hero/idle.anim.meta
	[ "$(cat one/Assets/hero/idle.anim.meta)" = "fileFormatVersion: 2
guid: 6a6bcb8ec1791dfedf2f298d3aedb2db
NativeFormatImporter:
  externalObjects: {}
  mainObjectFileID: 7400000
  userData: 
  assetBundleName: 
  assetBundleVariant: " ]
	anim-emit --meta auto -o one/Assets/other.anim idle.axs
	run ! cmp -s one/Assets/hero/idle.anim.meta one/Assets/other.anim.meta
}

@test "--meta does not touch a .meta that says something else, unless --force is given" {
	anim-parse -q "$UNITY/emit_legacy.anim" >idle.axs
	guid=0123456789ABCDEF0123456789abcdef
	anim-emit --meta $guid -o a.anim idle.axs
	grep -qx 'guid: 0123456789abcdef0123456789abcdef' a.anim.meta
	anim-emit --meta $guid -o a.anim idle.axs
	run -1 --separate-stderr anim-emit --meta auto -o a.anim idle.axs
	[ "$stderr" = "anim-emit: a.anim.meta: already exists with different contents; use --force to overwrite it" ]
	grep -qx 'guid: 0123456789abcdef0123456789abcdef' a.anim.meta
	anim-emit --meta auto --force -o a.anim idle.axs
	run ! grep -q 0123456789abcdef a.anim.meta
	mkdir each
	anim-emit --meta auto --each 'each/%c.anim' idle.axs
	[ "$(ls each)" = "idle.anim
idle.anim.meta" ]
}

@test "--meta is refused if there is no file beside which it could be" {
	anim-parse -q "$UNITY/emit_legacy.anim" >idle.axs
	run -2 --separate-stderr anim-emit unity --meta auto idle.axs
	[ "${stderr_lines[0]}" = "anim-emit: --meta writes beside a file; name it with -o or --each" ]
	run -2 --separate-stderr anim-emit --meta auto -o x.animj idle.axs
	[ "${stderr_lines[0]}" = "anim-emit: --meta is for unity" ]
	run -2 --separate-stderr anim-emit --meta 12 -o x.anim idle.axs
	[ "${stderr_lines[0]}" = "anim-emit: --meta '12' must be auto or a guid of 32 hexadecimal digits" ]
	run -2 --separate-stderr anim-emit --meta 0123456789abcdef0123456789abcdef --each '%c.anim' idle.axs
	[ "${stderr_lines[0]}" = "anim-emit: --meta GUID is for one file, --each takes --meta auto" ]
}

@test "a cut stream, a full disk and a name that is a folder leave neither file" {
	anim-parse -q "$UNITY/emit_all.anim" >all.axs
	head -c 2000 all.axs >cut.axs
	run -1 anim-emit --meta auto -o x.anim cut.axs
	run -1 --separate-stderr bash -c 'anim-emit unity all.axs >/dev/full'
	[[ $stderr == *"No space left on device"* ]]
	mkdir y.anim.meta
	run -1 anim-emit --meta auto -o y.anim all.axs
	[ ! -e x.anim ]
	[ ! -e x.anim.meta ]
	[ ! -e y.anim ]
}

# Which float curves of the files are parts of a Transform.
transform_lanes() {
	awk '/^  m_FloatCurves/ {f = 1} /^  m_PPtrCurves/ {f = 0} f && /attribute: (m_Local|localEuler)/ {print FILENAME": "$0}' "$@"
}

# uneven_lanes RULES: three lanes of a position with keys at other times each.
uneven_lanes() {
	printf 'anim-dump 1\nclip name="u" root="." source="test" start=0 end=2 loop=none axes=unity axes2d=unknown flags=- rate=0/0\n'
	awk -v rules="$1" 'BEGIN {
		split("0 0.4 2|0 0.7 1.1 2|0.25 1.5", times, "|"); split("Bezier2D Linear Hold", modes, " ")
		for (i = 1; i <= 3; i++) {
			n = split(times[i], t, " ")
			printf "track node=\"A\" property=\"position\" component=%d kind=Curve type=float rules=%s flags=- before=hold after=hold interp=%s keys=%d\n", i - 1, rules, modes[i], n
			print "\tcolumns time value" (i == 1 ? " left right left_x right_x" : "")
			for (k = 1; k <= n; k++) printf "\t%s %g%s\n", t[k], (k * i * 7) % 5, i == 1 ? " 0.5 -0.25 -0.1 0.15" : ""
		}
		print "end" }'
}

@test "of Godot's clips no part of a Transform is a float curve" {
	[ -d "$ANIM_CORPUS/godot" ] || skip "the corpus is not here"
	mkdir each
	for file in "$ANIM_CORPUS"/godot/*.*scn "$ANIM_CORPUS"/godot/*.tres; do
		anim-parse -q "$file" 2>/dev/null | anim-emit -q --axes keep --each "each/${file##*/}-%p-%c.anim" 2>/dev/null || true
	done
	[ "$(ls each | wc -l)" -ge 92 ]
	[ -z "$(transform_lanes each/*.anim)" ]
}

@test "components with keys at other times are one curve with the keys of all, and play as they did" {
	for rules in godot4 plain; do
		uneven_lanes $rules | anim-undump >in.axs
		run --separate-stderr anim-emit in.axs -o out-$rules.anim
		[ "$status" -eq 0 ]
		[ -z "$stderr" ] || [ "$rules" = godot4 ]
		[ -z "$(transform_lanes out-$rules.anim)" ]
		[ "$(grep -c 'path: A$' out-$rules.anim)" -eq 1 ]
		alike --max 0.0002m in.axs out-$rules.anim
	done
	[ "$(grep -A400 m_PositionCurves out-plain.anim | grep ' time: ' | tr -d '\n')" = "        time: 0        time: 0.25        time: 0.4        time: 0.7        time: 1.1        time: 1.5        time: 2" ]
}

@test "components keep handles, steps and lines of their own in the joined curve" {
	anim-parse "$UNITY/lanes.tres" | anim-emit -q --axes keep -o lanes.anim 2>err
	[[ $(cat err) == "anim-emit: "*"warning: track 'Box euler.y': single components were joined with 0 (scales with 1), because the rest pose is unknown; set it with --rest FILE"* ]]
	[ -z "$(transform_lanes lanes.anim)" ]
	[ "$(grep -c 'time: ' lanes.anim)" -eq 4 ]
	grep -q 'outWeight: {x: 0.25, y: 0.25, z: 0.25}' lanes.anim
	grep -q 'value: {x: 0, y: 171.88734, z: 0}' lanes.anim
}

@test "components without track have the rest, else 0 and scales 1" {
	printf '[gd_scene format=3]\n[sub_resource type="Animation" id="1"]\nresource_name = "a"\nlength = 1.0\n' >rest.tscn
	for lane in position:y scale:x; do
		printf 'tracks/%d/type = "value"\ntracks/%d/path = NodePath("A:%s")\ntracks/%d/keys = {"times": PackedFloat32Array(0, 1), "transitions": PackedFloat32Array(1, 1), "update": 0, "values": [0.5, 2.0]}\n' \
			"$((n))" "$((n))" $lane "$((n++))" >>rest.tscn
	done
	{
		printf '[sub_resource type="AnimationLibrary" id="2"]\n_data = {"a": SubResource("1")}\n[node name="Root" type="Node3D"]\n'
		printf '[node name="A" type="Node3D" parent="."]\ntransform = Transform3D(1, 0, 0, 0, 3, 0, 0, 0, 4, 5, 6, 7)\n'
		printf '[node name="P" type="AnimationPlayer" parent="."]\nlibraries = {"": SubResource("2")}\n'
	} >>rest.tscn
	anim-parse rest.tscn | anim-emit --axes keep -o told.anim
	grep -q 'value: {x: 5, y: 0.5, z: 7}' told.anim
	grep -q 'value: {x: 0.5, y: 3, z: 4}' told.anim
	anim-parse rest.tscn | anim-dump | sed '/^tree\|^node/d;s/in-tree/-/;s/flags=in_tree/flags=-/' | anim-undump >bare.axs
	run --separate-stderr anim-emit --axes keep bare.axs -o bare.anim
	[ "$status" -eq 0 ]
	[ "$stderr" = "anim-emit: bare.axs: 'a': warning: 2 tracks: single components were joined with 0 (scales with 1), because the rest pose is unknown; set it with --rest FILE (first 'A position.y')" ]
	grep -q 'value: {x: 0, y: 0.5, z: 0}' bare.anim
	grep -q 'value: {x: 0.5, y: 1, z: 1}' bare.anim
}

@test "what is of two dimensions gets a third, and a note about pixels and no advice about the axes of space" {
	run --separate-stderr bash -c "anim-parse '$UNITY/spr.tres' | anim-emit unity"
	[ "$status" -eq 0 ]
	[[ $stderr == *"note: converted from Godot's pixels"* && ${#stderr_lines[@]} -eq 1 ]]
	[[ $output == *"m_PositionCurves:"*"value: {x: 1, y: -0.5, z: 0}"*"m_FloatCurves: []"* ]]
}

@test "letters beyond 16 bits are written as YAML has them" {
	printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: "\\U0001F600 \\u65E5"\n  m_Events: []\n' >smile.anim
	anim-parse smile.anim | anim-emit -o out.anim
	grep -q '^  m_Name: "\\U0001F600 \\u65E5"$' out.anim
	same <(anim-parse smile.anim | anim-dump | grep -o '^clip name="[^"]*"') <(anim-parse out.anim | anim-dump | grep -o '^clip name="[^"]*"')
}

@test "one component of a property stays one through AnimJ, and Resonite's limit is reported" {
	for name in material._MainTex_ST.x material._Color.a m_AnchoredPosition.x; do
		sed "s/material._MainTex_ST.x/$name/" "$UNITY/uv_lane.anim" >one.anim
		run -0 --separate-stderr anim-convert --force one.anim one.animj
		[[ $stderr == *"warning: track 'Body $name': single components, which"* && ${#stderr_lines[@]} -eq 1 ]]
		grep -qF "\"valueType\":\"float\",\"data\":{\"node\":\"Body\",\"property\":\"$name\"" one.animj
		anim-diff --match name --max 1e-6m,1e-6deg,0.0001%,1e-6px one.anim one.animj
	done
}

@test "muscle curves come back from formats without classes as curves of an Animator" {
	sed 's/path: Body/path: /; s/classID: 137/classID: 95/' "$UNITY/uv_lane.anim" >one.anim
	for name in "Jaw Close" "LeftHand.Index.1 Stretched" RootT.x LeftFootQ.w ChestTDOF.y; do
		sed "s/material._MainTex_ST.x/$name/" one.anim >muscle.anim
		for through in animj tres; do
			anim-convert -q --force muscle.anim "x.$through"
			anim-convert -q --force "x.$through" back.anim
			[ "$(grep -A2 'attribute:' back.anim | xargs)" = "attribute: $name path: classID: 95" ]
		done
	done
}

@test "a humanoid clip keeps its curves and their values through formats without classes" {
	local clip=$ANIM_CORPUS/humanoid/zombie_Idle_humanoid.anim
	[ -e "$clip" ] || skip "no humanoid clips in ANIM_CORPUS"
	for through in animj animx tres json; do
		anim-convert -q --force "$clip" "x.$through" 2>warnings
		anim-convert -q --force "x.$through" back.anim 2>>warnings
		same <(grep -B1 'classID: 95' "$clip" | grep path | sort | uniq -c) <(grep -B1 'classID: 95' back.anim | grep path | sort | uniq -c)
		same <(grep 'attribute:' "$clip" | sort -u) <(grep 'attribute:' back.anim | sort -u)
		anim-diff --max 1e-4m,1e-4deg,0.01%,1e-4px "$clip" back.anim
	done
}
