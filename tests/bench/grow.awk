# grow.awk: writes inputs whose size is n of one kind: awk -v kind=clips -v n=1000 -f grow.awk. For tests/cost.bats.

function brackets(n,    i) {
	for (i = 0; i < n; i++)
		printf "["
	for (i = 0; i < n; i++)
		printf "]"
}

function animation(id, name, node) {
	printf "[sub_resource type=\"Animation\" id=\"%s\"]\nresource_name = \"%s\"\nlength = 1.0\n", id, name
	printf "tracks/0/type = \"position_3d\"\ntracks/0/path = NodePath(\"%s\")\n", node
	print "tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 2, 3)"
}

# A scene: n clips of one player, or (same) a player for each clip, all of which have one name; `nodes` more nodes, of which with
# `own` each clip moves one.
function clips(n, same, nodes, own,    c) {
	print "[gd_scene format=3]"
	for (c = 0; c < n; c++)
		animation("a" c, same ? "take" : "clip" c, own ? "N" c : "Box")
	if (!same) {
		print "[sub_resource type=\"AnimationLibrary\" id=\"l\"]\n_data = {"
		for (c = 0; c < n; c++)
			printf "&\"clip%d\": SubResource(\"a%d\")%s\n", c, c, (c < n - 1 ? "," : "")
		print "}"
	}
	for (c = 0; c < n && same; c++)
		printf "[sub_resource type=\"AnimationLibrary\" id=\"l%d\"]\n_data = {&\"take\": SubResource(\"a%d\")}\n", c, c
	print "[node name=\"Root\" type=\"Node3D\"]\n[node name=\"Box\" type=\"Node3D\" parent=\".\"]"
	for (c = 0; c < (same ? n : 1); c++)
		printf "[node name=\"P%d\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {&\"\": SubResource(\"l%s\")}\n", c, (same ? c : "")
	for (c = 0; c < nodes; c++)
		printf "[node name=\"N%d\" type=\"Node3D\" parent=\".\"]\n", c
}

# As anim-dump prints a stream: n trees, each with a clip of one name.
function trees(n,    t) {
	print "anim-dump 1"
	for (t = 0; t < n; t++) {
		printf "tree root=\"Root\" source=\"s%d.tscn\" axes=godot axes2d=godot\n", t
		print "node path=\".\" type=\"Node3D\" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1"
		print "clip name=\"take\" root=\".\" source=\"godot4\" start=0 end=1 loop=none axes=godot axes2d=godot flags=in_tree rate=0/0"
	}
	print "end"
}

# One clip of a scene; what grows is the number of its tracks, and with `nodes` the nodes that they move.
function tracks(n, nodes,    i) {
	print "[gd_scene format=3]\n[sub_resource type=\"Animation\" id=\"a\"]\nresource_name = \"run\"\nlength = 1.0"
	for (i = 0; i < n; i++) {
		printf "tracks/%d/type = \"position_3d\"\ntracks/%d/path = NodePath(\"N%d\")\n", i, i, i
		printf "tracks/%d/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 2, 3)\n", i
	}
	print "[node name=\"Root\" type=\"Node3D\"]"
	for (i = 0; i < n && nodes; i++)
		printf "[node name=\"N%d\" type=\"Node3D\" parent=\".\"]\n", i
}

# One clip that turns every bone of a chain of n.
function chain(n,    i) {
	print "[gd_scene format=3]\n[sub_resource type=\"Animation\" id=\"a\"]\nresource_name = \"run\"\nlength = 1.0"
	for (i = 0; i < n; i++) {
		printf "tracks/%d/type = \"rotation_3d\"\ntracks/%d/path = NodePath(\"S:B%d\")\n", i, i, i
		printf "tracks/%d/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0.0%d, 1)\n", i, i % 7
	}
	print "[sub_resource type=\"AnimationLibrary\" id=\"l\"]\n_data = {&\"run\": SubResource(\"a\")}"
	print "[node name=\"Root\" type=\"Node3D\"]\n[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]"
	for (i = 0; i < n; i++)
		printf "bones/%d/name = \"B%d\"\nbones/%d/parent = %d\nbones/%d/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0)\n", i, i, i, i - 1, i
	print "[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {&\"\": SubResource(\"l\")}"
}

function sub_resources(n,    i) {
	print "[gd_scene format=3]"
	for (i = 0; i < n; i++)
		printf "[sub_resource type=\"BoxMesh\" id=\"m%d\"]\nsize = Vector3(1, 1, %d)\n", i, i
	animation("a", "run", "Box")
	print "[node name=\"Root\" type=\"Node3D\"]"
}

function ext_resources(n,    i) {
	print "[gd_scene format=3]"
	for (i = 0; i < n; i++)
		printf "[ext_resource type=\"Texture2D\" path=\"res://t%d.png\" id=\"%d\"]\n", i, i
	animation("a", "run", "Box")
	print "[node name=\"Root\" type=\"Node3D\"]"
}

# A prefab instance with n modifications of one object.
function overrides(n,    i) {
	print "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &11\nGameObject:\n  m_Name: Root\n  m_Component:\n  - component: {fileID: 41}"
	print "--- !u!4 &41\nTransform:\n  m_GameObject: {fileID: 11}\n  m_Children: []\n  m_Father: {fileID: 0}"
	print "--- !u!1001 &70\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 41}\n    m_Modifications:"
	for (i = 0; i < n; i++)
		printf "    - target: {fileID: %d, guid: 0123456789abcdef0123456789abcdef, type: 3}\n      propertyPath: m_LocalPosition.x\n      value: %d\n      objectReference: {fileID: 0}\n", 100 + i, i
	print "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}"
	print "--- !u!74 &74\nAnimationClip:\n  m_Name: run\n  m_SampleRate: 30"
}

function keys_tres(n,    i) {
	print "[gd_resource type=\"Animation\" format=3]\n[resource]\nlength = " n / 10 ".0"
	printf "tracks/0/type = \"position_3d\"\ntracks/0/path = NodePath(\"Box\")\ntracks/0/keys = PackedFloat32Array("
	for (i = 0; i < n; i++)
		printf "%s%.1f, 1, %d, 0, 0", (i > 0 ? ", " : ""), i / 10, i % 7
	print ")"
}

function keys_animj(n,    i) {
	printf "{\"name\":\"run\",\"globalDuration\":%d,\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"float\",\"data\":{\"node\":\"Box\",\"property\":\"BlendShape.Smile\",\"keyframes\":[", n
	for (i = 0; i < n; i++)
		printf "%s{\"time\":%d,\"value\":%d,\"interpolation\":\"Linear\"}", (i > 0 ? "," : ""), i, i % 7
	print "]}}]}"
}

function keys_unity(n,    i) {
	print "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: run\n  m_FloatCurves:\n  - curve:\n      m_Curve:"
	for (i = 0; i < n; i++)
		printf "      - time: %d\n        value: %d\n        inSlope: 0\n        outSlope: 0\n", i, i % 7
	print "    attribute: m_Weight\n    path: Box\n    classID: 114\n  m_SampleRate: 30"
}

# Brackets in brackets, which are refused.
function depth(n, format) {
	if (format == "animj")
		printf "{\"globalDuration\":1,\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"float\",\"data\":{\"keyframes\":[{\"time\":0,\"value\":"
	else if (format == "anim")
		printf "--- !u!74 &1\nAnimationClip:\n  a: "
	else
		printf "[gd_resource type=\"Animation\" format=3]\n[resource]\nx = "
	brackets(n)
	print format == "animj" ? "}]}}]}" : ""
}

# n members of one object.
function members(n, format,    i) {
	if (format == "animj") {
		printf "{\"name\":\"run\",\"globalDuration\":1,\"tracks\":[{\"trackType\":\"Curve\",\"valueType\":\"float\",\"data\":{\"node\":\"B\",\"property\":\"W\",\"keyframes\":[{"
		for (i = 0; i < n; i++)
			printf "\"m%d\":1,\"time\":0,", i
		print "\"time\":0,\"value\":1,\"interpolation\":\"Linear\"}]}}]}"
	} else if (format == "anim") {
		print "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: run\n  m_SampleRate: 30\n  other:"
		for (i = 0; i < n; i++)
			printf "    m%d: 1\n", i
	} else {
		print "[gd_resource type=\"Animation\" format=3]\n[resource]\nlength = 1.0\nmetadata/x = {"
		for (i = 0; i < n; i++)
			printf "\"m%d\": 1,\n", i
		print "\"z\": 0}"
	}
}

BEGIN {
	if (kind == "clips" || kind == "same")
		clips(n, kind == "same", 0, 0)
	else if (kind == "crowd" || kind == "own")
		clips(n, 0, n, kind == "own")
	else if (kind == "chain")
		chain(n)
	else if (kind == "trees")
		trees(n)
	else if (kind == "tracks" || kind == "nodes")
		tracks(n, kind == "nodes")
	else if (kind == "sub_resources")
		sub_resources(n)
	else if (kind == "ext_resources")
		ext_resources(n)
	else if (kind == "overrides")
		overrides(n)
	else if (kind ~ /^keys_tres/)
		keys_tres(n)
	else if (kind ~ /^keys_animj/)
		keys_animj(n)
	else if (kind ~ /^keys_anim/)
		keys_unity(n)
	else if (kind ~ /^depth_/)
		depth(n, substr(kind, 7))
	else if (kind ~ /^members_/)
		members(n, substr(kind, 9))
	else
		exit 1
}
