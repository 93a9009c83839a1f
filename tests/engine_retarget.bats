#!/usr/bin/env bats
# Godot's importer, with its rest fixer, brings models onto its own humanoid as anim-retarget does (the command that GODOT names, an
# editor: other builds import nothing).

load helper

@test "Godot's importer brings three models onto its humanoid to 1e-5 as anim-retarget does but for feet, one of them out of an A-pose" {
	local kind clip others
	not_sanitized "another program imports the same bytes"
	[ -n "${GODOT:-}" ] || skip "GODOT names no engine"
	command -v python3 >/dev/null || skip "python3 is not installed"
	mkdir project
	touch project/project.godot
	for kind in float double pose; do
		python3 "$ROOT/tests/retarget.py" make $kind
		anim-parse -q -o s.axs --force source.json
		anim-parse -q -o t.axs --force target.json
		[ $kind = float ] || anim-retarget -q --to t.axs s.axs >onto.axs
		[ $kind = float ] || anim-rename -q --humanoid unity:mixamo -o s.axs --force onto.axs
		# the engine samples all clips so
		anim-rename -q --humanoid mixamo:neuron s.axs | anim-resample -q 30 | anim-emit -q --force -o raw.gltf
		python3 "$ROOT/tests/retarget.py" model raw.gltf project/$kind.gltf
	done
	cp "$ROOT/tests/engine/retarget.gd" project/
	"$GODOT" --headless --import --path "$PWD/project" >said 2>&1 || true
	[ -e project/float.gltf.import ] || skip "GODOT imports nothing: it is no editor"
	for kind in float double pose; do
		python3 "$ROOT/tests/retarget.py" settings project/$kind.gltf.import
	done
	rm -r project/.godot
	"$GODOT" --headless --import --path "$PWD/project" >said 2>&1
	"$GODOT" --headless --path "$PWD/project" --script res://retarget.gd >>said 2>&1
	for kind in float double pose; do
		grep -q 'bones/0/name = "Hips"' project/$kind.tscn
		anim-parse -q project/$kind.gltf | anim-axes -q godot | anim-retarget -q --to project/$kind.tscn >ours.axs
		anim-parse -q project/$kind.tscn >theirs.axs
		# Its rest fixer lifts the feet of the profile, which anim-retarget only estimates. By the places of joints it also
		# lets the collar bones of the A-pose hang, which anim-retarget leaves to the upper arms.
		others=(-n '*Foot' -n '*Toes')
		[ $kind != pose ] || others+=(-n '*Shoulder' -n '*UpperArm')
		for clip in ours theirs; do anim-filter -q -v "${others[@]}" $clip.axs >$clip.body.axs; done
		alike --match name --max 0.01mm,0.0005deg ours.body.axs theirs.body.axs # 1e-5, in radians 9e-6
		[ $kind = pose ] || anim-diff -q --match name --max 0.01mm,4deg ours.axs theirs.axs
		run anim-diff --match name ours.axs theirs.axs
		[[ $output == "go: 23 tracks compared,"* ]]
	done
}
