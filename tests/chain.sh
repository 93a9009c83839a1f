#!/bin/sh
# chain.sh BIN OUT: what the programs in the folder BIN make of about seventy files here, as files in the new folder OUT: streams,
# every format that is written, tables, pictures, messages. The same bytes on every machine; determinism.bats compares
# builds, and two machines compare by (cd OUT && find . -type f | sort | xargs cat | sha256sum).
# RUN is a command that runs the programs, such as qemu-aarch64-static. WITHOUT names parts that are left out, such as "scenes unity".
set -eu
locale=${LC_ALL:-C}
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$1
mkdir "$2"
cd "$2"

# run NAME PROGRAM ARGUMENT...: what it prints, and how it ends if that is no success, are in NAME.out and NAME.err.
run() {
	to=$1 program=$2
	shift 2
	# shellcheck disable=SC2086 # RUN is a command with its options
	LC_ALL=$locale ${RUN:-} "$bin/$program" "$@" >"$to.out" 2>"$to.err" </dev/null || echo "status $?" >>"$to.err"
}

# chain NAME FILE...: all steps on the clips of the files, without the nodes that few formats hold: those of numbers
# that are not finite or too large, and samples at no known rate.
chain() {
	g=$1
	case " ${WITHOUT:-} " in *" $g "*) return ;; esac
	shift
	mkdir "$g"
	run "$g/parse" anim-parse -o "$g/whole.axs" "$@"
	run "$g/filter" anim-filter -v -n X -n Sprite -n Endless -n Test -o "$g.axs" "$g/whole.axs"
	for axes in unity godot resonite gltf; do run "$g/$axes" anim-axes "$axes" -o "$g/$axes.axs" "$g.axs"; done
	run "$g/resample" anim-resample --all 29.97 -o "$g/sampled.axs" "$g.axs"
	run "$g/bake" anim-bake -r 24 -o "$g/baked.axs" "$g.axs"
	run "$g/world" anim-bake --world -r 24 -o "$g/world.axs" "$g.axs"
	run "$g/reduce" anim-reduce -o "$g/reduced.axs" "$g/baked.axs"
	run "$g/fast" anim-reduce --fast --for unity --tol 1mm,1deg,1% -o "$g/fast.axs" "$g/sampled.axs"
	run "$g/retime" anim-retime --speed 1.7 -o "$g/retimed.axs" "$g.axs"
	run "$g/curves" anim-plot -o "$g/curves.svg" "$g.axs"
	run "$g/heat" anim-plot --heat --against "$g/reduced.axs" -o "$g/heat.svg" "$g.axs"
	run "$g/strip" anim-plot --strip 4 -o "$g/strip.svg" "$g.axs"
	run "$g/page" anim-plot -o "$g/page.html" "$g.axs"
	run "$g/dump" anim-dump "$g/reduced.axs"
	run "$g/json" anim-info --json "$g.axs"
	run "$g/table" anim-info --reach "$g/baked.axs"
	run "$g/diff" anim-diff --world "$g.axs" "$g/fast.axs"
	run "$g/lint" anim-lint "$g.axs"
	for to in animj:animj animx:animx unity:anim tres:tres tscn:tscn glb:glb gltf:gltf bvh:bvh csv:csv npz:npz json:jsonl; do
		from=$g.axs
		case $to in bvh:* | npz:*) from=$g/sampled.axs ;; esac
		mkdir "$g/${to%:*}"
		run "$g/${to%:*}" anim-emit "${to%:*}" --each "$g/${to%:*}/%p-%c.${to#*:}" "$from"
	done
}

mkdir in
cp -R "$root"/examples/*.tscn "$root"/tests/data/godot "$root"/tests/data/godot-binary "$root"/tests/data/unity \
	"$root"/tests/data/animj "$root"/tests/data/gltf "$root"/tests/data/bvh "$root"/tests/data/bake in
mkdir in/engine
for name in bezier_loop0 compressed compressed_pages easing events interp_edge_loop2 odd range_loop1 rotations update_modes walk; do
	cp "$root/tests/data/oracle/godot-4.7/$name.tres" in/engine
done

chain scenes in/*.tscn in/godot/*.tscn in/godot/*.escn in/godot/project/*/*.t??? in/bake/*.tscn
chain engine in/engine/*
chain binary in/godot-binary/[!s]*.scn in/godot-binary/[!b]*.res
chain unity in/unity/clip_[!f]*.anim in/unity/emit_legacy.anim in/unity/mixamo.anim in/unity/*/*.prefab in/unity/*/*/*.prefab
chain animj in/animj/*.animj
chain gltf in/gltf/*.gltf in/gltf/*.glb in/gltf/*.vrma
chain bvh in/bvh/*.bvh
chain walker in/walker.tscn
run walker/mirror anim-mirror -o walker/mirrored.axs walker.axs
run walker/self anim-retarget --to walker.axs -o walker/self.axs walker.axs
run walker/muscles anim-retarget --muscles -o walker/muscles.axs walker.axs
run walker/bones anim-retarget --to walker.axs -o walker/bones.axs walker/muscles.axs
run walker/vrm anim-retarget --to in/gltf/vrm.vrma -o walker/vrm.axs walker/gltf.axs
run walker/bvh anim-retarget --to walker/gltf.axs -o walker/arm.axs bvh/gltf.axs
