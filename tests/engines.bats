#!/usr/bin/env bats
# What differs between engines beside their formats: axes of two dimensions, names of properties, and what their numbers mean.

load helper

ENGINES=$ROOT/tests/data/engines

# quiet COMMAND...: runs it, with its messages in $stderr.
quiet() {
	run -0 --separate-stderr "$@"
}

NOTE="note: converted from Godot's pixels with +Y down to units with +Y up: 100 pixels are one unit (--ppu)"

@test "two dimensions become units with +Y up in every format, with a note, as in Unity with --ppu 100" {
	for suffix in anim glb animj animx fbx; do
		quiet anim convert "$ENGINES/two_d.tscn" "x.$suffix"
		[[ $stderr == *"$NOTE"* ]] || { echo "$suffix: $stderr"; return 1; }
		anim-parse -q "x.$suffix" | anim-dump >"$suffix.txt"
		grep -q '^	0 1,-0.5,0' "$suffix.txt"
		grep -q '^	1 2,0.5,0' "$suffix.txt"
		run ! grep -q 'type=float2' "$suffix.txt"
		anim diff --max 0.1mm,0.01deg "$ENGINES/two_d.tscn" "x.$suffix"
	done
	grep -q -- '0,0,-90.00' anim.txt # clockwise with +Y down is clockwise with +Y up
	grep -q -- '0,0,-0.70710' glb.txt
	grep -q '^node path="N".*position=1,-0.5,0' glb.txt
	anim convert -q --ppu 100 "$ENGINES/two_d.tscn" ppu.anim
	same ppu.anim x.anim
	anim convert -q -r 10 "$ENGINES/two_d.tscn" x.bvh
	grep -q '^2 0.5 0 -90.00' x.bvh
	quiet anim convert --ppu 50 "$ENGINES/two_d.tscn" half.anim
	anim-parse half.anim | anim-dump | grep -q '^	1 4,1,0'
	quiet anim convert --axes keep "$ENGINES/two_d.tscn" kept.anim
	[[ $stderr != *"$NOTE"* ]]
	anim-parse kept.anim | anim-dump | grep -q '^	1 200,-50,0'
}

@test "a clip of Unity with sprites becomes two-dimensional, and is the scene again that it was" {
	anim convert -q "$ENGINES/two_d_tint.tscn" tint.anim
	quiet anim convert tint.anim back.tscn
	[[ $stderr == *"note: converted from units with +Y up to Godot's pixels with +Y down: one unit is 100 pixels (--ppu)"* ]]
	grep -q 'NodePath("N:position")' back.tscn
	grep -qF '"values": [Vector2(100, 50), Vector2(200, -50)]' back.tscn
	grep -qF '"values": [0.0, 1.5708]' back.tscn
	# Curves of meshes show that the clip is in space.
	sed 's/classID: 212/classID: 23/' tint.anim >mesh.anim
	quiet anim convert mesh.anim mesh.tscn
	[[ $stderr != *pixels* ]]
	grep -q '^tracks/./type = "position_3d"' mesh.tscn
}

@test "a clip that may be two-dimensional gets a note with the option that makes it so" {
	local note="note: motion only in the plane z = 0; if that is two-dimensional, use --axes godot2d" suffix
	for suffix in anim animj glb; do
		anim convert -q "$ENGINES/two_d.tscn" "x.$suffix"
		quiet anim convert "x.$suffix" space.tscn --force
		[[ $stderr == *"'a': $note"* ]]
		quiet anim convert -r 10 --axes godot2d "x.$suffix" flat.tscn --force
		[[ $stderr != *"plane"* ]]
		grep -qF '"values": [Vector2(100, 50), ' flat.tscn
		grep -q '"values": \[0.0, .*, 1.5708\]' flat.tscn
		run ! grep -q 3D flat.tscn # the root, too
		anim-parse -q "x.$suffix" | anim-emit -q --axes godot2d tscn | grep -qF 'Vector2(200, -50)'
	done
	sed 's,path: N$,path: Body/N,' x.anim >deeper.anim
	anim convert -q --axes godot2d deeper.anim deeper.tscn
	grep -q 'name="Body" type="Node2D"' deeper.tscn # between the root and the node
	printf 'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Yposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0\n1 0\n' >bone.bvh
	quiet anim convert bone.bvh bone.tscn # a bone is in space
	[[ $stderr != *plane* ]]
	# Of several clips each one is judged. A third dimension, a scene or the option says enough.
	sed 's/m_Name: a/m_Name: b/; s/z: 0}/z: 1}/' x.anim >deep.anim
	quiet anim convert --force x.anim deep.anim two.tscn
	[[ $stderr == *"'a': $note"* && $stderr != *"clips: motion only"* ]]
	anim convert -q --axes keep x.anim keep.tscn
	quiet anim convert --force --axes godot x.anim space.tscn
	[[ $stderr != *plane* ]]
	quiet anim convert --force --rest "$ROOT/examples/box.tscn" --skeleton none x.anim rest.tres
	[[ $stderr != *plane* ]]
}

@test "anim diff --world compares two-dimensional nodes with those of other formats" {
	local suffix
	sed 's/Vector2(200, -50)/Vector2(210, -50)/' "$ENGINES/two_d.tscn" >moved.tscn
	for suffix in anim animj glb fbx tscn; do
		anim convert -q "$ENGINES/two_d.tscn" "x.$suffix"
		anim diff --world --max 0.1mm,0.01px "$ENGINES/two_d.tscn" "x.$suffix" >same.txt
		grep -q '^a: 1 track compared' same.txt
		run -1 anim diff --world "x.$suffix" moved.tscn
		[[ $output == *"worst: 0.1 m, "*"N world at 1 s" || $output == *"worst: 10 px, N world at 1 s" ]]
	done
	anim convert -q x.glb space.tscn # in units, and the scene counts pixels
	run -0 --separate-stderr anim diff --world "$ENGINES/two_d.tscn" space.tscn
	[ "$stderr" = "anim-diff: warning: node 'N': not compared, because of two dimensions in one file and three in the other" ]
}

# prefab CLASS: a Unity prefab of a root and an arm with such a component, 1 unit right and 2 up.
prefab() {
	cat <<-TEXT
		%YAML 1.1
		%TAG !u! tag:unity3d.com,2011:
		--- !u!1 &10
		GameObject:
		  m_Component:
		  - component: {fileID: 11}
		  m_Name: Hero
		--- !u!4 &11
		Transform:
		  m_GameObject: {fileID: 10}
		  m_LocalPosition: {x: 0, y: 0, z: 0}
		  m_Children:
		  - {fileID: 21}
		  m_Father: {fileID: 0}
		--- !u!1 &20
		GameObject:
		  m_Component:
		  - component: {fileID: 21}
		  - component: {fileID: 22}
		  m_Name: Arm
		--- !u!4 &21
		Transform:
		  m_GameObject: {fileID: 20}
		  m_LocalRotation: {x: 0, y: 0, z: 0.70710678, w: 0.70710678}
		  m_LocalPosition: {x: 1, y: 2, z: 0}
		  m_LocalScale: {x: 1, y: 1, z: 1}
		  m_Children: []
		  m_Father: {fileID: 11}
		--- !u!$1 &22
		$2:
		  m_GameObject: {fileID: 20}
	TEXT
}

@test "a prefab of sprites is a two-dimensional scene, one with meshes is not" {
	prefab 212 SpriteRenderer >sprites.prefab
	prefab 23 MeshRenderer >meshes.prefab
	sprites=$(anim-parse -q sprites.prefab | anim-dump)
	meshes=$(anim-parse -q meshes.prefab | anim-dump)
	[[ $sprites == *'"2d"'* && $meshes != *'"2d"'* ]]
	anim-parse -q sprites.prefab | anim-axes godot >space.axs
	anim-parse -q sprites.prefab | anim-axes godot2d >flat.axs
	anim-info --tree space.axs | grep -q 'Arm mesh SpriteRenderer position (1, 2, 0)' # left for two dimensions
	anim-info --tree flat.axs | grep -q 'Arm mesh SpriteRenderer position (100, -200) rotation (0, 0, -0.7071, 0.7071)'
	anim-parse -q meshes.prefab | anim-axes godot | anim-info --tree | grep -q 'Arm mesh MeshRenderer position (-1, 2, 0)'
}

@test "clips of any engine become two-dimensional for the nodes of a two-dimensional scene" {
	for suffix in anim glb fbx; do
		anim convert -q "$ENGINES/two_d.tscn" "x.$suffix"
		cp "$ENGINES/two_d.tscn" into.tscn
		quiet anim convert -c a "x.$suffix" --into into.tscn
		[[ $stderr == *"note: into.tscn is two-dimensional: one unit is 100 of its pixels (--ppu)"* ]]
		anim diff --max 0.1px,0.01deg "$ENGINES/two_d.tscn" into.tscn
		quiet anim convert --rest "$ENGINES/two_d.tscn" --skeleton none "x.$suffix" rest.tres
		grep -qF 'Vector2(200, -50)' rest.tres
	done
}

# old_scene: a scene of Godot 3 with a node and a track for each line of the table of names.
old_scene() {
	awk -F'\t' 'BEGIN {
		print "[gd_scene format=2]\n\n[sub_resource type=\"Animation\" id=1]\nresource_name = \"a\"\nlength = 1.0"
	} {
		printf "tracks/%d/type = \"value\"\ntracks/%d/path = NodePath(\"N%d:%s\")\ntracks/%d/interp = 0\n", NR - 1, NR - 1, NR, $2, NR - 1
		printf "tracks/%d/keys = {\n\"times\": PoolRealArray( 0 ),\n\"transitions\": PoolRealArray( 1 ),\n\"update\": 1,\n\"values\": [ %s ]\n}\n", NR - 1, $3
		nodes = nodes "\n[node name=\"N" NR "\" type=\"" $1 "\" parent=\".\"]\n"
	} END {
		printf "\n[node name=\"Root\" type=\"Node\"]\n%s\n[node name=\"AnimationPlayer\" type=\"AnimationPlayer\" parent=\".\"]\nanims/a = SubResource( 1 )\n", nodes
	}' "$ENGINES/godot3_to_4.tsv"
}

# tracks FILE: "N1:property value" of each track, sorted.
tracks() {
	awk '/\/path = /{split($0, p, "\""); path = p[2]} /^"values": \[/{v = $0; sub(/^"values": \[ ?/, "", v); sub(/ ?\]$/, "", v); gsub(/\( /, "(", v); gsub(/ \)/, ")", v); print path "\t" v}' "$1" | sort -V
}

@test "every name of Godot 3 gets its name and its meaning in Godot 4, and back" {
	old_scene >old.tscn
	anim convert old.tscn new.tscn 2>told
	awk -F'\t' '{print "N" NR ":" ($4 == "-" ? $2 : $4) "\t" ($4 == "-" ? $3 : $5)}' "$ENGINES/godot3_to_4.tsv" | sort -V >wanted
	diff wanted <(tracks new.tscn)
	gone=$(awk -F'\t' '$4 == "-"' "$ENGINES/godot3_to_4.tsv" | wc -l)
	grep -q "warning: $gone tracks: no effect, because the target does not have the property (first 'N3 current'" told
	anim convert -q --godot 3 new.tscn again.tscn
	awk -F'\t' '$6 == "" {print "N" NR ":" $2 "\t" $3}' "$ENGINES/godot3_to_4.tsv" | sort -V >wanted
	awk -F'\t' '$6 != "" {print "N" NR ":"}' "$ENGINES/godot3_to_4.tsv" >skipped
	diff wanted <(tracks again.tscn | grep -vFf skipped)
	# Names stay if that was asked for, and so do the numbers.
	anim convert -q -x keep-names old.tscn kept.tscn
	grep -qF 'NodePath("N1:zoom")' kept.tscn
	grep -qF 'Vector2(2, 0.5)' kept.tscn
}

@test "Godot 4 has all the properties that names of Godot 3 become" {
	[ -n "${GODOT-}" ] || skip "GODOT does not name an engine"
	mkdir project
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/names.gd project/
	old_scene >old.tscn
	anim convert -q old.tscn project/new.tscn
	(cd project && $GODOT --headless --path . --script names.gd -- new.tscn) >played 2>&1
	[ "$(grep -c '^ok ' played)" -ge 140 ]
	gone=$(awk -F'\t' '$4 == "-"' "$ENGINES/godot3_to_4.tsv" | wc -l)
	[ "$(grep -c '^missing ' played)" -eq "$gone" ] || { grep '^missing' played; return 1; }
}

@test "a zoom of Godot 3 is the inverse in Godot 4, between its keys and in its components" {
	anim convert -q "$ENGINES/camzoom3.tscn" zoom.tscn
	anim convert -q -r 4 "$ENGINES/camzoom3.tscn" sampled.tscn
	tracks sampled.tscn >sampled
	grep -qF 'Vector2(1, 1), Vector2(0.8, 1.1428572), Vector2(0.6666667, 1.3333334), Vector2(0.5714286, 1.6), Vector2(0.5, 2)' sampled
	anim-parse zoom.tscn | anim-resample 4 | anim-dump | sed -n '/^	[0-9]/p' >values # zoom:x, then zoom:y
	awk '{i = (NR - 1) % 5; z = NR <= 5 ? 1 / (1 + i / 4) : 1 / (1 - i / 8); if (($1 - z) ^ 2 > 1e-8) exit 1} END {exit NR != 10}' values
	# A hyperbola needs few curves, although it needs 75 straight lines. A zoom that stays is the same track.
	[ "$(grep -o '"times": [^)]*' zoom.tscn | tr , '\n' | wc -l)" -lt 12 ]
	sed 's/Vector2( 2, 0.5 )/Vector2( 1, 1 )/' "$ENGINES/camzoom3.tscn" >still.tscn
	anim convert -q still.tscn still4.tscn
	[ "$(tracks still4.tscn)" = "Cam:zoom	Vector2(1, 1), Vector2(1, 1)" ]
	# And back: a straight line again, within the tolerance.
	anim convert -q --godot 3 zoom.tscn back.tscn
	anim diff --max 0.0003m,0.0003deg,0.03%,0.0003px "$ENGINES/camzoom3.tscn" back.tscn
	# One component, with a scene and without.
	sed 's/Cam:zoom/Cam:zoom:x/; s/Vector2( 1, 1 ), Vector2( 2, 0.5 )/1.0, 2.0/' "$ENGINES/camzoom3.tscn" >one.tscn
	anim convert -q -r 1 one.tscn ends.tscn
	[ "$(tracks ends.tscn)" = "Cam:zoom:x	1.0, 0.5" ]
	# Another class has a zoom that did not change.
	sed 's/type="Camera2D"/type="GraphEdit"/' "$ENGINES/camzoom3.tscn" >other.tscn
	anim convert -q other.tscn kept.tscn
	[ "$(tracks kept.tscn)" = "Cam:zoom	Vector2(1, 1), Vector2(2, 0.5)" ]
}

# new_scene FILE: a scene of Godot 4 with a node and a track for each line of the table: type, property, value.
new_scene() {
	awk -F'\t' 'BEGIN {
		print "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"1\"]\nresource_name = \"a\"\nlength = 1.0"
	} {
		printf "tracks/%d/type = \"value\"\ntracks/%d/path = NodePath(\"N%d:%s\")\ntracks/%d/interp = 0\n", NR - 1, NR - 1, NR, $2, NR - 1
		printf "tracks/%d/keys = {\n\"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n\"update\": 1,\n\"values\": [%s]\n}\n", NR - 1, $3
		nodes = nodes "\n[node name=\"N" NR "\" type=\"" $1 "\" parent=\".\"]\n"
	} END {
		printf "\n[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {\n\"a\": SubResource(\"1\")\n}\n\n[node name=\"Root\" type=\"Node\"]\n%s\n[node name=\"AnimationPlayer\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n\"\": SubResource(\"2\")\n}\n", nodes
	}' "$1"
}

@test "the fields of Unity's components have Godot's names and meanings, and back" {
	new_scene "$ENGINES/unity.tsv" >new.tscn
	anim convert -q new.tscn x.anim
	awk '/^        value: /{v = $2} /^    attribute: /{a = $0; sub(/^ *attribute: /, "", a)} /^    path: /{p = $2} /^    classID: /{print p "\t" $2 "\t" a "\t" v}' x.anim | sort -V >got
	awk -F'\t' '{print "N" NR "\t" $4 "\t" $5 "\t" $6}' "$ENGINES/unity.tsv" | sort -V >wanted
	diff wanted got
	# With the scene, whose nodes tell which of several names is meant.
	anim convert -q --rest new.tscn --skeleton none x.anim back.tres
	diff <(tracks new.tscn) <(tracks back.tres)
	# Without it, the first name is taken, and the numbers are the same.
	anim convert -q x.anim alone.tscn
	[[ $(tracks alone.tscn) == *"N4:size	10.0"*"N8:spot_angle	15.0"* ]]
	[ -z "${GODOT-}" ] || {
		mkdir project
		touch project/project.godot
		cp "$BATS_TEST_DIRNAME"/engine/names.gd new.tscn project/
		(cd project && $GODOT --headless --path . --script names.gd -- new.tscn) >played 2>&1
		[ "$(grep -c '^ok ' played)" -eq "$(wc -l <"$ENGINES/unity.tsv")" ]
	}
}

@test "an orthographic size of Unity is half the height, and decibels become a linear volume" {
	anim convert -q "$ENGINES/ortho.anim" ortho.tscn
	grep -q '"points": PackedFloat32Array(10, .* 20, ' ortho.tscn # handles too
	printf 'AudioStreamPlayer\tvolume_db\t-20.0\nSpotLight3D\tspot_angle\t45.0\n' >two.tsv
	new_scene two.tsv >two.tscn
	anim convert -q two.tscn two.anim
	grep -q '^        value: 0.1$' two.anim
	grep -q '^        value: 90$' two.anim

}

@test "a linear volume becomes decibels for versions of Godot that have no linear volume" {
	run -0 --separate-stderr anim convert --godot 4.5 "$ENGINES/volume.anim" new.tscn
	[ -z "$stderr" ] # the node of a volume is a player of sound
	grep -q 'name="Aud" type="AudioStreamPlayer"' new.tscn
	[ "$(tracks new.tscn)" = "Aud:volume_linear	0.0, 1.0" ]
	for version in 3 4.2; do
		anim convert -q --force --godot $version "$ENGINES/volume.anim" old.tscn
		anim-parse -q old.tscn | anim-resample -q --all 10 | anim-dump | awk '/^	/ && !/columns|attr/{print $1}' >shown
		[ "$(sed -n '1p; 2p; 6p; 11p' shown | awk '{printf "%.2f ", $1}')" = "-80.00 -20.00 -6.02 0.00 " ]
		[ "$(grep -o '"times": [^)]*' old.tscn | tr , '\n' | wc -l)" -lt 100 ]
		# From Godot 4 as well, and back to Unity.
		anim convert -q --force --godot $version new.tscn again.tscn
		anim diff -q --max 1% old.tscn again.tscn
		anim convert -q --force old.tscn back.anim
		anim diff -q --max 1% "$ENGINES/volume.anim" back.anim
	done
	# Players in space had another name in Godot 3.
	sed 's/type="AudioStreamPlayer"/type="AudioStreamPlayer3D"/' new.tscn >space.tscn
	anim convert -q --godot 3 space.tscn space3.tscn
	grep -q 'Aud:unit_db' space3.tscn
}

# curve ATTRIBUTE PATH: a curve of a light in a clip of Unity.
curve() {
	printf -- '  - curve:\n      m_Curve:\n      - {time: 0, value: 10, inSlope: 0, outSlope: 0}\n      - {time: 1, value: 40, inSlope: 0, outSlope: 0}\n'
	printf '    attribute: %s\n    path: %s\n    classID: 108\n    script: {fileID: 0}\n' "$1" "$2"
}

# paths FILE: the paths of the tracks in a scene.
paths() {
	sed -n 's/^tracks.*NodePath("\(.*\)").*/\1/p' "$1" | xargs
}

# classes FILE: the name and the class of each light in a scene.
classes() {
	sed -n 's/^\[node name="\(.*\)" type="\(.*Light3D\)".*/\1 \2/p' "$1" | xargs
}

@test "suns and spots get their classes, and a spot's range its name" {
	anim convert -q "$ENGINES/lights.glb" gltf.tscn
	[ "$(classes gltf.tscn)" = "Sun DirectionalLight3D Spot SpotLight3D Bulb OmniLight3D" ]
	{
		printf '; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n\tAnimationStack: 1, "AnimStack::a", "" {\n\t}\n'
		printf '\tAnimationLayer: 2, "AnimLayer::b", "" {\n\t}\n\tAnimationCurve: 3, "AnimCurve::", "" {\n\t\tKeyTime: *2 { a: 0,46186158000 }\n'
		printf '\t\tKeyValueFloat: *2 { a: 0,90 }\n\t\tKeyAttrFlags: *1 { a: 4 }\n\t\tKeyAttrDataFloat: *4 { a: 0,0,0,0 }\n\t\tKeyAttrRefCount: *1 { a: 2 }\n\t}\n'
		for i in 0 1 2; do
			printf '\tModel: 1%d, "Model::L%d", "Light" {\n\t}\n\tAnimationCurveNode: 3%d, "AnimCurveNode::T", "" {\n\t}\n' $i $i $i
			printf '\tNodeAttribute: 2%d, "NodeAttribute::", "Light" {\n\t\tProperties70:  {\n\t\t\tP: "LightType", "enum", "", "",%d\n\t\t}\n\t}\n' $i $i
		done
		printf '}\nConnections:  {\n\tC: "OO",2,1\n'
		for i in 0 1 2; do
			printf '\tC: "OO",1%d,0\n\tC: "OO",2%d,1%d\n\tC: "OO",3%d,2\n\tC: "OP",3%d,1%d, "Lcl Translation"\n\tC: "OP",3,3%d, "d|X"\n' $i $i $i $i $i $i $i
		done
		printf '}\n'
	} >lights.fbx
	anim convert -q lights.fbx fbx.tscn
	[ "$(classes fbx.tscn)" = "L0 OmniLight3D L1 DirectionalLight3D L2 SpotLight3D" ]
	anim convert -q --skeleton none --godot 3 lights.fbx fbx3.tscn
	grep -q 'name="L2" type="SpotLight"' fbx3.tscn
	# A clip of Unity without a scene: the angle tells that the light is a spot, also after the range.
	{
		printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: lamps\n  m_FloatCurves:\n'
		curve m_Range Spot
		curve m_SpotAngle Spot
		curve m_Range Spots
	} >lamps.anim
	quiet anim convert lamps.anim unity.tscn
	[ -z "$stderr" ]
	[ "$(classes unity.tscn)" = "Spot SpotLight3D Spots OmniLight3D" ]
	[ "$(paths unity.tscn)" = "Spot:spot_range Spot:spot_angle Spots:omni_range" ]
	# The angle is that of the whole cone in Unity, and of half of it in Godot.
	grep -A8 'Spot:spot_angle' unity.tscn | grep -q '5, .*20'
	# A prefab tells the types.
	{
		printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n'
		for i in 1 2 3 4; do
			printf -- '--- !u!1 &%d00\nGameObject:\n  m_Component:\n  - component: {fileID: %d01}\n' $i $i
			[ $i = 1 ] || printf -- '  - component: {fileID: %d02}\n' $i
			[ $i != 1 ] || printf -- '  - component: {fileID: 105}\n'
			printf -- '  m_Name: N%d\n  m_IsActive: 1\n--- !u!4 &%d01\nTransform:\n  m_GameObject: {fileID: %d00}\n' $i $i $i
			printf -- '  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n'
			[ $i != 1 ] && printf -- '  m_Children: []\n  m_Father: {fileID: 101}\n--- !u!108 &%d02\nLight:\n  m_GameObject: {fileID: %d00}\n  m_Type: %d\n' $i $i $((i - 2))
			[ $i != 1 ] || printf -- '  m_Children:\n  - {fileID: 201}\n  - {fileID: 301}\n  - {fileID: 401}\n  m_Father: {fileID: 0}\n'
		done
		printf -- '--- !u!111 &105\nAnimation:\n  m_GameObject: {fileID: 100}\n  m_Animation: {fileID: 7400000, guid: 00000000000000000000000000000001, type: 2}\n  m_Animations:\n  - {fileID: 7400000, guid: 00000000000000000000000000000001, type: 2}\n'
	} >lights.prefab
	{
		printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: lamps\n  m_Legacy: 1\n  m_FloatCurves:\n'
		curve m_Range N2
		curve m_Intensity N3
		curve m_Range N4
	} >lamps.anim
	printf 'fileFormatVersion: 2\nguid: 00000000000000000000000000000001\n' >lamps.anim.meta
	anim convert -q lights.prefab prefab.tscn
	[ "$(classes prefab.tscn)" = "N2 SpotLight3D N3 DirectionalLight3D N4 OmniLight3D" ]
	[ "$(paths prefab.tscn)" = "N2:spot_range N3:light_energy N4:omni_range" ]
}

# value_scene PATH INTERP UPDATE VALUE...: a scene with a sprite N and a clip of these values, evenly in one second.
value_scene() {
	local path=$1 interp=$2 update=$3 times ones
	shift 3
	times=$(awk -v n=$# 'BEGIN {for (i = 0; i < n; i++) printf "%s%g", (i ? ", " : ""), (n == 1 ? 0 : i / (n - 1))}')
	ones=${times//[^,]/}
	printf '[gd_scene format=3]\n[sub_resource type="Animation" id="1"]\nlength = 1.0\n'
	printf 'tracks/0/type = "value"\ntracks/0/path = NodePath("%s")\ntracks/0/interp = %s\n' "$path" "$interp"
	printf 'tracks/0/keys = {\n"times": PackedFloat32Array(%s),\n"transitions": PackedFloat32Array(1%s),\n"update": %s,\n"values": [%s]\n}\n' \
		"$times" "${ones//,/, 1}" "$update" "$(printf ', %s' "$@" | cut -c3-)"
	printf '[sub_resource type="AnimationLibrary" id="2"]\n_data = {\n"a": SubResource("1")\n}\n[node name="R" type="Node2D"]\n'
	printf '[node name="N" type="Sprite2D" parent="."]\n[node name="AP" type="AnimationPlayer" parent="."]\nlibraries = {\n"": SubResource("2")\n}\n'
}

@test "Godot rounds a track that begins with a whole number, and so do we" {
	anim convert -q "$ENGINES/int_then_float.tscn" x.animj
	anim-parse x.animj | anim-resample --all 10 | anim-dump | awk '/^	[-0-9]/' | tr -d '\t' | tr '\n' ' ' >shown
	[ "$(cat shown)" = "0 0 0 0 0 0 1 1 1 1 1 " ] # the step is at 0.5
	mkdir project
	value_scene N:modulate:a 1 0 0 2.5 >project/1.tscn
	value_scene N:modulate:a 2 0 -1 -2.5 3 >project/2.tscn
	value_scene N:modulate:a 0 0 1 1.5 2 >project/3.tscn
	value_scene N:modulate:a 1 1 1 2.5 >project/4.tscn
	value_scene N:modulate:a 1 2 1 2.5 >project/5.tscn
	value_scene N:modulate:a 1 0 1.0 2 >project/6.tscn
	value_scene N:position 1 0 'Vector2i(0, 0)' 'Vector2(3.5, -2.5)' >project/7.tscn
	value_scene N:position 1 0 'Vector2(0, 0)' 'Vector2i(3, -2)' >project/8.tscn
	for i in 1 2 3 4 5 6 7 8; do
		anim-parse -q project/$i.tscn | anim-resample -q --all 10 | anim-dump | awk '/^	/ && !/columns|attr/{split($1, v, ","); printf "%s ", v[1]}' >ours.$i
	done
	[ "$(cat ours.1)" = "0 0 1 1 1 1 2 2 2 2 3 " ] # 2.5 is 3
	[ "$(cat ours.4)" = "1 1 1 1 1 1 1 1 1 1 2.5 " ] # discrete tracks are not rounded
	[ "$(cat ours.6)" = "1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 " ]
	[ "$(cat ours.7)" = "0 0 0 0 0 0 0 0 0 0 4 " ]
	[ -n "${GODOT-}" ] || return 0
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/play.gd project/
	for i in 1 2 3 4 5 6 7 8; do
		(cd project && $GODOT --headless --path . --script play.gd -- $i.tscn a) 2>&1 |
			awk '/^a /{sub(/[(,].*/, "", $5); gsub(/[(,]/, "", $4); printf "%g ", $4}' >godot.$i
		awk '{for (i = 1; i <= NF; i++) printf "%g ", $i}' ours.$i | same - godot.$i || { cat ours.$i godot.$i; return 1; }
	done
}

@test "a track that is int in one clip and float in another is reported, because Godot gives it one type in all clips" {
	local say="Godot plays it with the type of another clip,"

	cp "$ENGINES/int_clip_beside_float_clip.tscn" ints.tscn
	quiet anim-parse -o x.axs ints.tscn
	[[ $stderr == *"'N:scale:x' of clip 'b' (starts with a float): $say 'a'; write floats in both" ]]
	# The first is RESET, then the order of the names counts. Ints alone are ints beside floats, too.
	sed 's/^&"a"/\&"RESET"/; s/^&"b"/\&"A"/' ints.tscn >reset.tscn
	quiet anim-parse --force -o x.axs reset.tscn
	[[ $stderr == *"of clip 'A' (starts with a float): $say 'RESET'"* ]]
	sed 's/^&"a"/\&"c"/' ints.tscn >last.tscn
	quiet anim-parse --force -o x.axs last.tscn
	[ -z "$stderr" ]
	sed 's/\[1, 2\]/[1, 2.5]/' last.tscn >mixed.tscn
	quiet anim-parse --force -o x.axs mixed.tscn
	[[ $stderr == *"of clip 'c' (starts with an int): $say 'b'"* ]]
	sed 's/"update": 0/"update": 1/' ints.tscn >discrete.tscn
	quiet anim-parse --force -o x.axs discrete.tscn
	[ -z "$stderr" ]
	[ -n "${GODOT-}" ] || return 0
	mkdir project
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/play.gd ints.tscn reset.tscn last.tscn mixed.tscn project/
	for said in "ints b 2.0" "reset A 2.0" "last c 2.0" "mixed c 1.75"; do
		read -r file clip value <<<"$said"
		(cd project && $GODOT --headless --path . --script play.gd -- "$file.tscn" "$clip") >"shown.$file" 2>&1
		grep -qx "$clip N:scale:x 0.500 $value" "shown.$file" || { cat "shown.$file"; return 1; }
	done
}

@test "a discrete track that starts late begins with its rest value in other engines, as Godot leaves it" {
	cp "$ENGINES/late_discrete.tscn" late.tscn
	anim convert -q -c a late.tscn x.animj
	grep -qF '[{"time":0,"value":false},{"time":0.5,"value":true}]' x.animj
	anim convert -q -c a late.tscn x.anim
	[ "$(awk '/^        (time|value): /{printf "%s ", $2}' x.anim)" = "0 0 0.5 1 " ]
	anim convert -q -x pointer -c a late.tscn x.glb
	[ "$(anim-parse -q x.glb | anim-dump | grep -c '^	0 0$')" -eq 1 ]
	anim convert -q -r 4 -c a late.tscn sampled.animj
	same x.animj sampled.animj
	# For Godot nothing changes. Without a rest value, or from the start, the keys stay, too.
	anim convert -q late.tscn again.tscn
	[ "$(grep -c 'times.*(0.5)' again.tscn)" -eq 1 ]
	sed 's/RESET/other/' late.tscn >no_reset.tscn
	anim convert -q -c a no_reset.tscn y.animj
	grep -qF '"keyframes":[{"time":0.5,"value":true}]' y.animj
	# A colour; a number whose RESET is an int; a position, whose rest is in the tree.
	sed 's/N:visible/N:modulate/; s/\[false\]/[Color(0.25, 0.5, 1, 1)]/; s/\[true\]/[Color(1, 0, 0, 1)]/' late.tscn >colour.tscn
	anim convert -q -c a colour.tscn colour.animj
	grep -q '"time":0,"value":{"r":0.25,"g":0.5,"b":1,"a":1}' colour.animj
	sed 's/N:visible/N:light_energy/; s/\[false\]/[3]/; s/\[true\]/[1.5]/' late.tscn >number.tscn
	anim convert -q -c a number.tscn number.animj
	grep -q '"time":0,"value":3},{"time":0.5,"value":1.5}' number.animj
	sed 's/N:visible/N:position/; s/\[true\]/[Vector3(1, 2, 3)]/; s/^visible = false/position = Vector3(4, 5, 6)/' no_reset.tscn >place.tscn
	anim convert -q -c a place.tscn place.animj
	grep -q '"time":0,"value":{"x":-4,"y":5,"z":6}' place.animj
	[ -n "${GODOT-}" ] || return 0
	mkdir project
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/play.gd late.tscn project/
	(cd project && $GODOT --headless --path . --script play.gd -- late.tscn a) >shown 2>&1
	[ "$(grep -c '^a N:visible 0.[0-4]00 false' shown)" -eq 5 ]
	[ "$(grep -c '^a N:visible [01].[0-9]00 true' shown)" -eq 6 ]
}

@test "a number that Godot takes for a bool is on unless it is 0" {
	anim convert -q "$ENGINES/visible_floats.tscn" x.animj
	grep -q '"time":0,"value":false},{"time":[0-9.]*e-6,"value":true' x.animj
	anim convert -q "$ENGINES/visible_floats.tscn" x.anim
	[ "$(awk '/^        time: /{t = $2} /^        value: /{print t, $2}' x.anim | awk '$1 > 0 && $1 < 0.5 && $2 == 1' | wc -l)" -eq 1 ]
	sed 's/"values": \[0.0, 1.0\]/"values": [0.25, -0.25]/; s/interp = 1/interp = 0/' "$ENGINES/visible_floats.tscn" >held.tscn
	anim convert -q held.tscn held.animj
	[ "$(grep -o '"value":true' held.animj | wc -l)" -eq 2 ]
	run ! grep -q false held.animj
}

@test "lights of FBX get Godot's energy and colour, and what follows from a lens is reported" {
	cat >lights.txt <<-'END'
		anim-dump 1
		tree root="R" source="l.fbx" axes=gltf axes2d=unknown
		node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Lamp" type="" kind=light has=- parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Beam" type="SpotLight" kind=light has=- parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		node path="Eye" type="" kind=camera has=- parent=0 position=0,0,0 rotation=0,0,0,1 scale=1,1,1
		clip name="c" root="." source="fbx" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=in_tree rate=24/1
	END
	local node property
	while read -r node property; do
		printf 'track node="%s" property="%s" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 50\n\t1 150\n' \
			"$node" "$property" >>lights.txt
	done <<-'END'
		Lamp Intensity
		Beam OuterAngle
		Eye FocalLength
	END
	echo end >>lights.txt
	anim-undump <lights.txt >l.axs
	run -0 --separate-stderr anim convert l.axs l.tscn
	[[ $stderr == *"warning: track 'Eye FocalLength': no effect, because the target does not have the property" ]]
	[ "$(tracks l.tscn)" = "Beam:spot_angle	25.0, 75.0
Eye:FocalLength	50.0, 150.0
Lamp:light_energy	0.5, 1.5" ]
	sed 's/^\t1 150/\t1 50/' lights.txt | anim-undump >still.axs
	run -0 --separate-stderr anim convert still.axs still.tscn
	[[ $stderr == *"note: track 'Eye FocalLength': left out, because it never changes and the target does not have the property" ]]
	anim convert -q l.axs l.anim
	[ "$(grep -c 'attribute: m_SpotAngle\|attribute: m_Intensity' l.anim)" -eq 2 ]
}

@test "properties that only Godot 4 has are reported for Godot 3, and modulate colours a sprite of Unity" {
	local type property
	while read -r type property; do
		cat >"$property.tscn" <<-END
			[gd_scene format=3]
			[sub_resource type="Animation" id="1"]
			length = 1.0
			tracks/0/type = "value"
			tracks/0/path = NodePath("N:$property")
			tracks/0/interp = 1
			tracks/0/keys = {
			"times": PackedFloat32Array(0),
			"transitions": PackedFloat32Array(1),
			"update": 0,
			"values": [$([ "$type" = Sprite2D ] && echo 'Color(1, 0, 0, 1)' || echo 0.5)]
			}
			[sub_resource type="AnimationLibrary" id="2"]
			_data = {
			"c": SubResource("1")
			}
			[node name="R" type="Node3D"]
			[node name="N" type="$type" parent="."]
			[node name="P" type="AnimationPlayer" parent="."]
			libraries = {
			"": SubResource("2")
			}
		END
	done <<-'END'
		OmniLight3D shadow_opacity
		SpotLight3D light_temperature
		Sprite2D modulate
	END
	for property in shadow_opacity light_temperature; do
		run -0 --separate-stderr anim convert --godot 3 "$property.tscn" "$property-3.tscn"
		[[ $stderr == *"track 'N $property': no effect, because the target does not have the property"* ]]
	done
	anim convert -q modulate.tscn modulate.anim
	grep -q 'attribute: m_Color.r' modulate.anim
}

@test "tracks of a RectTransform that is not known are left out and counted" {
	run --separate-stderr anim convert "$ENGINES/rect_transform.anim" rect.tscn
	[[ $stderr == *"warning: 3 tracks: not the offset of a Control: the rest of its rectangle is unknown; convert the prefab or scene that has it (first 'Panel m_AnchoredPosition.x'"* ]]
	run -1 grep AnchoredPosition rect.tscn
	grep -qF 'NodePath("Panel:modulate:a")' rect.tscn
}

@test "a Bone2D is written with its rest pose, which the engine inverts" {
	sed 's/type="Node2D"/type="Skeleton2D"/; s/type="Sprite2D"/type="Bone2D"/; s/^position = .*/position = Vector2(100, 50)\nrotation = 0.5\nscale = Vector2(2, 1)/' \
		"$ENGINES/two_d.tscn" >bones.tscn
	anim convert -q bones.tscn new.tscn
	grep -qF 'rest = Transform2D(1.7551651, 0.9588511, -0.47942555, 0.87758255, 100, 50)' new.tscn
	run -0 --separate-stderr anim convert -o new.tscn bones.tscn # again
	[[ $stderr != *setting* ]]
	[ -n "${GODOT-}" ] || return 0
	mkdir project
	touch project/project.godot
	cp "$BATS_TEST_DIRNAME"/engine/play.gd new.tscn project/
	(cd project && $GODOT --headless --path . --script play.gd -- new.tscn a) >played 2>&1
	run ! grep -i error played
	grep -q 'N:position 1.000 (200' played
}
