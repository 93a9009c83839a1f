#!/bin/sh
# area.sh FILE...: prints which tests are about these files of the source tree, one a line: bats files, and "unit SUBJECT" for
# subjects of the unit tests. `make quick` runs them, and mutate.sh.
set -eu
cd "$(dirname "$0")/.."

# The subjects whose tests include a header of this folder, or what the tests share that includes one.
subjects() {
	shared=$(grep -lE "\"$1/[a-z_0-9]+\\.h\"" tests/*.h tests/unit/*.h | sed 's|.*/\(.*\)\.h|\1|' | paste -sd '|' -)
	grep -lE "\"(\\.\\./)?($1/[a-z_0-9]+${shared:+|$shared})\\.h\"" tests/unit/*.c | xargs -r grep -lE '^TEST\(' |
		sed 's|tests/unit/\(.*\)\.c|unit \1|' || true
}

bats() { for name; do echo "$name.bats"; done; }

for file; do
	case $file in
	tests/*.bats) echo "${file#tests/}" ;;
	tests/unit/*.c) echo "unit $(basename "$file" .c)" ;;
	tests/errors/*) bats errors ;;
	lib/format/godot/motion_scale.*) bats motion_scale godot emit_godot ;;
	lib/format/godot/*) bats godot godot_binary emit_godot into ;;
	lib/format/unity/package.*) bats unitypackage ;;
	lib/format/unity/*) bats unity unitypackage unity_segments emit_unity into ;;
	lib/format/gltf/*) bats gltf gltf_emit gltf_into ;;
	lib/format/bvh/*) bats bvh ;;
	lib/format/asf/*) bats asf ;;
	lib/format/fbx/*) bats fbx fbx_emit ;;
	lib/format/animj/*) bats animj emit ;;
	lib/format/animx/*) bats animx ;;
	lib/format/dump/*) bats dump undump ;;
	lib/format/mmd/*) bats mmd mmd_out ;;
	lib/format/vmc/*) bats vmc udp ;;
	lib/format/npz/*) bats npz emit_wide ;;
	lib/format/face/* | lib/clip/face.*) bats face ;;
	lib/format/*) bats emit_text emit_wide cli refused ;;
	lib/filter/plot/*) bats plot viewer ;;
	lib/filter/bind*) bats resonite emit ;;
	lib/filter/compare/pair.*) bats diff plot ;;
	lib/filter/compare/*) bats diff ;;
	lib/filter/lint/*) bats anim_lint ;;
	lib/filter/convert/*) bats convert emit fbx_emit ;;
	lib/filter/retarget/*) bats retarget humanoid ;;
	lib/filter/common/feet.*) bats anim_lint retarget ;;
	lib/filter/common/pos*) bats bake world root reduce && echo "unit reduce" ;;
	lib/filter/common/*) bats filter emit split ;;
	lib/filter/[a-z]*/*) name=${file#lib/filter/} && bats "${name%%/*}" ;;
	lib/filter/bake.* | lib/filter/world.*) bats bake world root reduce && echo "unit reduce" ;;
	lib/filter/resample.*) bats resample ;;
	lib/filter/delta.*) bats delta ;;
	lib/filter/clips.* | lib/filter/cut.*) bats filter emit split unpack ;;
	lib/filter/*) bats filter emit split ;;
	lib/stream/archive*) bats stream pack unpack split refused ;;
	lib/stream/*) bats stream pack unpack split ;;
	lib/clip/diagnostics.*) bats attribution resample convert emit ;;
	lib/clip/* | lib/math/*) bats resample convert emit ;;
	lib/base/output*) bats replace pipeline cli errors stream ;;
	lib/base/json*) bats cli errors stream animj && echo "unit animj_reader" ;;
	lib/base/*) bats cli errors stream ;;
	lib/cli/open.*) bats cli hints into ;;
	lib/cli/*) bats cli hints completion ;;
	lib/api/*) bats api python ;;
	integrations/blender/* | tests/engine/blender_addon.py) bats blender_addon ;;
	integrations/godot/* | tests/engine/addon.gd) bats godot_addon ;;
	lib/run/anim-convert.c | lib/run/step*.* | lib/run/source.* | cmd/programs.*) bats anim_convert cli ;;
	cmd/anim-lint.c) bats anim_lint ;;
	lib/run/anim-parse.c) bats cli godot ;;
	cmd/anim-*.c | lib/run/anim-*.c) name=$(basename "$file" .c) && bats "${name#anim-}" ;;
	cmd/* | lib/run/*) bats anim cli ;;
	packaging/wasm/* | packaging/npm/*) bats npm ;;
	man/* | *.md) bats pages ;;
	examples/resonite/*) bats resonite ;;
	examples/*) bats examples pages ;;
	esac
	case $file in lib/*/*) folder=${file#lib/} && subjects "${folder%/*}" ;; esac
done | sort -u | while read -r what name; do
	case $what in
	unit) [ ! -e "tests/unit/$name.c" ] || echo "unit $name" ;;
	*) [ ! -e "tests/$what" ] || echo "$what" ;;
	esac
done
