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
