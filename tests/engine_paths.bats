#!/usr/bin/env bats
# A real Godot (4.6 or later, the command that GODOT names) imports models, and clips of these models play in what it made.

load helper

setup() {
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	command -v python3 >/dev/null || skip "python3 is not installed"
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p p/models p/in
	touch p/project.godot
}

# import: lets the editor import the models of the project.
import() {
	"$GODOT" --headless --import --path "$PWD/p" >log 2>&1
}

# engine SCRIPT ARGUMENT...: runs it on the project. Its lines are in said.
engine() {
	local script=$1
	shift
	cp "$ROOT/tests/engine/$script" p/
	"$GODOT" --headless --path "$PWD/p" --script "res://$script" -- "$@" >said 2>errors
}

@test "every track of a library finds its node or bone in the model that the editor has imported" {
	python3 "$ROOT/tests/engine/models.py" p/models 60
	cp "$DATA/godot/imported/"*.gl* p/models/
	for file in "${ANIM_CORPUS:-/nowhere}"/{gltf/{CesiumMan,Fox,RobotExpressive}.glb,fbx/*.fbx}; do
		[ -e "$file" ] && cp "$file" p/models/
	done
	for file in p/models/*; do
		case $file in
		*.fbx) anim convert -q "$file" "p/in/${file##*/}.tres" 2>/dev/null || true ;; # some have no clips
		*) anim convert -q "$file" "p/in/${file##*/}.tres" 2>>warnings ;;
		esac
	done
	import
	engine paths.gd
	cat said
	# What the importer leaves out has been named.
	[ "$(grep -c . warnings)" -eq 2 ]
	# Properties that files of other programs have in addition are no properties of Godot's nodes.
	grep '^DEAD.*:\(User_\|FocalLength$\|Color$\|Intensity$\)' said >user || true
	[ "$(grep -c ^DEAD said)" -eq $((8 + $(wc -l <user))) ]
	[ "$(grep -c '^DEAD \(outside.gltf: Out\|suffixes.gltf: Car/Ghost-noimp\)' said)" -eq 8 ]
	[ "$(sed -n 's/^TRACKS //p' said)" -gt 2300 ]
}

@test "a scene that inherits a model keeps its clips, and plays a new one in the same player" {
	python3 "$ROOT/tests/engine/models.py" p/models
	cp p/models/skin.gltf p/hero.gltf
	rm -r p/models
	printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://hero.gltf" id="1"]\n\n[node name="Hero" instance=ExtResource("1")]\n' >p/hero.tscn
	printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://hero.tscn" id="1"]\n\n[node name="Level" type="Node3D"]\n\n[node name="Hero" parent="." instance=ExtResource("1")]\n\n[node name="Anim" type="AnimationPlayer" parent="."]\n' >p/level.tscn
	import
	for scene in hero level; do
		anim convert -q --speed 2 -e 's/.*/fast/' --on clip p/hero.gltf --into p/$scene.tscn 2>/dev/null
	done
	engine players.gd hero.tscn level.tscn
	cat said errors
	[ "$(sed 1,2d said)" = 'hero.tscn AnimationPlayer: hero/fast move
  hero/fast at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)
  move at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)
level.tscn Hero/AnimationPlayer: hero/fast move
  hero/fast at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)
  move at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)
level.tscn Anim: fast
  fast at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)' ]
}

@test "a level that instances a model twice gets a player at the one that --player names" {
	python3 "$ROOT/tests/engine/models.py" p/models
	cp p/models/skin.gltf p/hero.gltf
	cp p/models/joints.gltf p/other.gltf
	rm -r p/models
	for other in other hero; do
		printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://%s.gltf" id="1"]\n[ext_resource type="PackedScene" path="res://hero.gltf" id="2"]\n\n[node name="Level" type="Node3D"]\n\n[node name="Hero" parent="." instance=ExtResource("2")]\n\n[node name="Other" parent="." instance=ExtResource("1")]\n' $other >p/$other.tscn
	done
	import
	into=(anim convert -q -e 's/.*/fast/' --on clip p/hero.gltf --into)
	run -1 --separate-stderr "${into[@]}" p/other.tscn
	[ "$stderr" = "anim-convert: p/other.tscn: it has no AnimationPlayer for 'fast'; create one at the model: --player Hero/Clips" ]
	run -1 --separate-stderr "${into[@]}" p/other.tscn --player Hero/AnimationPlayer
	[ "$stderr" = "anim-convert: p/other.tscn: the player 'Hero/AnimationPlayer' is in a scene that it instances; create another one beside it: --player Hero/Clips" ]
	run -1 --separate-stderr anim convert -q -e 's/.*/fast/' --on clip p/other.gltf --into p/other.tscn
	[[ $stderr == *"--player Other/Clips" ]]
	"${into[@]}" p/other.tscn --player Hero/Clips
	"${into[@]}" p/hero.tscn --player Other/Clips
	engine players.gd other.tscn
	grep -A1 '^other.tscn Hero/Clips: fast' said | grep -q 'fast at its half: Hips_2 (0.5, 1.0, 1.5), Sword (0.5, 1.0, 1.5)'
	grep -q '^tracks/0/path = NodePath("Other/Armature")' p/hero.tscn
}

@test "clips of a model in a level play one after the other as in the import of the model" {
	cp "$DATA/poses/partial_tracks.glb" p/m.glb
	import
	for player in Anim M/Clips; do
		printf '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://m.glb" id="1"]\n\n[node name="L" type="Node3D"]\n\n[node name="M" parent="." instance=ExtResource("1")]\n' >"p/${player##*/}.tscn"
		anim convert -q --player $player p/m.glb --into "p/${player##*/}.tscn"
	done
	engine sequence.gd m.glb Anim.tscn Clips.tscn
	[ "$(grep -c '^a b a: ' said)" -eq 3 ]
	[ "$(sort -u said | grep -c '^a b a: ')" -eq 1 ]
}
