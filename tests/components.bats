#!/usr/bin/env bats
# Curves of single components are joined in front of everything that needs whole transforms, without another step in the line.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	file=$DATA/poses/components.fbx
}

@test "steps that need whole rotations join components, and so do figures" {
	for step in --mirror --pin --in-place "--retarget $ROOT/examples/walker.tscn" "--reduce 1mm@10cm"; do
		run -0 anim-convert --force $step "$file" x.tscn
		[[ "$output" != *"left out"* && "$output" != *"anim-bake"* ]] || { echo "$step: $output" && false; }
	done
	run -0 anim-plot -q --strip 4 -o x.svg "$file"
	anim-parse -q "$file" | anim-bake -q -r 60 -o baked.axs
	anim-plot -q --strip 4 -o y.svg baked.axs
	[ "$(grep -c '<path' x.svg)" -eq "$(grep -c '<path' y.svg)" ]
}

@test "a mirrored clip of components is the mirrored clip of whole rotations" {
	anim-convert -q --mirror "$file" x.glb
	anim-parse -q "$file" | anim-bake -q -r 240 | anim-mirror -q -o y.axs
	run -0 anim-diff -q --world --max 0.3mm x.glb y.axs
}

@test "a BVH of components and constants has the poses of the source" {
	anim-convert -q -r 30 --to-unit m "$file" x.bvh
	anim-parse -q "$file" | anim-bake -q -r 30 | anim-emit -q bvh --to-unit m -o y.bvh
	run -0 anim-diff -q --unit m --world --max 0.01mm x.bvh y.bvh
}

@test "components are joined before keys are removed, and all tracks reach the scene" {
	anim-convert -q --reduce 1mm@10cm --skeleton Skeleton3D "$file" x.tscn
	run -0 anim-diff -q --world --match name --max 1.2mm "$file" x.tscn
	[ "$(grep -c '^tracks/.*/type' x.tscn)" -eq 4 ]
	[ "$(anim-info --json x.tscn | grep -o '"keys":[0-9]*' | head -n 1 | tr -dc 0-9)" -lt 200 ]
}
