#!/bin/sh
# bench.sh BUILD: measures the bars of speed and memory on generated files of about 50 MB, each as ratios within one run. Other
# programs are measured where they are in PATH. BENCH_ROUNDS (7) and BENCH_KEYS (9000) change the length of a run.
set -eu

bin=$1/bin
rounds=${BENCH_ROUNDS:-7}
keys=${BENCH_KEYS:-9000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PATH=$bin:$PATH
export PATH

ratio() { bench_ratio -n "$rounds" "$@"; }
stage() { bench_ratio -n "$rounds" -s "$@"; }
title() { printf '\n%s\n' "$*"; }
# have PROGRAM: whether it can be measured; says so where not
have() { command -v "$1" >/dev/null || { printf '  %-34s not installed\n' "$1"; return 1; }; }

echo "files of 50 bones x $keys keys, $rounds rounds, medians; first/this above 1: the first command is slower"
bench_generate tscn 50 "$keys" >"$dir/l.tscn"
bench_generate tscn64 50 "$keys" >"$dir/l64.tscn"
bench_generate glb 50 "$keys" >"$dir/l.glb"
anim-parse -o "$dir/l.axs" "$dir/l.tscn"
anim-resample 30 -o "$dir/baked.axs" "$dir/l.axs"
anim-emit animj -o "$dir/l.animj" "$dir/baked.axs" 2>/dev/null

# against_floats FILE: the CPU of anim-parse against that of the exact float parser alone over the file's number tokens.
against_floats() {
	ratio "anim-parse" "anim-parse '$1' >/dev/null" | tee "$dir/parse.txt"
	bench_number floats "$1" >"$dir/floats.txt"
	awk 'FNR == NR { for (i = 1; i < NF; i++) if ($i == "cpu") ms = $(i + 1); next }
		{ printf "  %-34s cpu %8.1f ms  (%d numbers)  anim-parse is %.2f x\n", "float parser alone", 1000 * $1, $2, ms / 1000 / $1 }' \
		"$dir/parse.txt" "$dir/floats.txt"
}

title ".tscn -> stream: at most 1.3 x the float parser alone"
against_floats "$dir/l.tscn"
title "... with 16 and 17 digit doubles"
against_floats "$dir/l64.tscn"

bench_generate_animj 50 "$((keys / 2))" >"$dir/curves.animj"
bench_generate_animj --pretty 50 "$((keys / 2))" >"$dir/pretty.animj"
title "AnimJ -> stream: at least 1.5 x faster than a process that tokenises the whole file with jsmn"
ratio "jsmn, whole file" "bench_jsmn_whole '$dir/curves.animj' >/dev/null" "anim-parse" "anim-parse '$dir/curves.animj' >/dev/null" \
	"anim-parse, pipe" "cat '$dir/curves.animj' | anim-parse >/dev/null"
title "... one member a line: at most 1.5 x the time for the same numbers"
ratio "anim-parse, pretty" "anim-parse '$dir/pretty.animj' >/dev/null" "anim-parse, one line" "anim-parse '$dir/curves.animj' >/dev/null"
rm "$dir/curves.animj" "$dir/pretty.animj"

title "glTF -> stream: at most 3 x cat"
ratio "cat" "cat '$dir/l.glb' | cat >/dev/null" "anim-parse" "anim-parse '$dir/l.glb' >/dev/null" \
	"anim-parse, pipe" "cat '$dir/l.glb' | anim-parse >/dev/null"

title ".glb -> 30 Hz -> .glb: at most the CPU of gltfpack -af 30 -kn, 10 x less than gltf-transform resample"
set -- "anim-parse|resample|emit" "anim-parse '$dir/l.glb' | anim-resample 30 | anim-emit glb -q >'$dir/out.glb'"
if have gltf-transform; then set -- "$@" "gltf-transform resample" "gltf-transform resample '$dir/l.glb' '$dir/o1.glb' >/dev/null 2>&1"; fi
if have gltfpack; then set -- "$@" "gltfpack -af 30 -kn" "gltfpack -af 30 -kn -i '$dir/l.glb' -o '$dir/o2.glb' >/dev/null"; fi
ratio "$@"
rm "$dir/out.glb"
title "a stream into a .glb, and in a new one: no bar, cat beside it"
ratio "cat" "cat '$dir/l.axs' | cat >/dev/null" "anim-emit glb" "anim-emit -q glb '$dir/l.axs' >/dev/null" \
	"anim-emit --into" "anim-emit -q --into '$dir/l.glb' -o '$dir/out.glb' '$dir/l.axs'"
rm "$dir/out.glb"

bench_generate_unity 50 "$((keys / 8))" >"$dir/curves.anim"
title "Unity .anim -> stream: at least 20 x libfyaml's bare event loop, at most 8 MB + 3 x the largest track (0.5 MB of text)"
ratio "libfyaml, events alone" "bench_fyaml_events '$dir/curves.anim' >/dev/null" "anim-parse" "anim-parse '$dir/curves.anim' >/dev/null" \
	"anim-parse, pipe" "cat '$dir/curves.anim' | anim-parse >/dev/null"
title "Unity .anim -> .tres, whose player has other curves: at most 21 x anim-parse alone, 0.38 of what the fit began with"
ratio "anim-parse|emit tres" "anim-parse '$dir/curves.anim' | anim-emit -q --axes keep tres >/dev/null 2>&1" \
	"anim-parse" "anim-parse '$dir/curves.anim' >/dev/null"
rm "$dir/curves.anim"

title "resample at the source's rate: at most 2 x cat"
stage "$dir/l.axs" "anim-resample" "anim-resample 30" "cat" "cat"
title "sampling, ns per sample (position + rotation: at most 21, 10 with wider vectors; cubic rotation of Godot: at most 200)"
bench_sample

title "a filter that keeps all, anim-cat: at most 1.5 x cat"
stage "$dir/l.axs" "anim-filter" "anim-filter -n '*'" "anim-cat" "anim-cat" "cat" "cat"

title "axes: at most 1.5 x cat is for filters that keep all; this one changes every value"
stage "$dir/l.axs" "anim-axes" "anim-axes unity" "cat" "cat"

bench_generate tscn 60 $((8 * keys)) | anim-parse -q | anim-retime -q --speed 4 -o "$dir/joints.axs"
anim-resample -q 60 -o "$dir/joints60.axs" "$dir/joints.axs"
title "anim-diff --world, 60 joints at 120 Hz for $((8 * keys / 120)) s: at most 5 s for 600"
ratio "anim-diff --world" "anim-diff --world -q '$dir/joints.axs' '$dir/joints60.axs' >/dev/null || true"
anim-filter -q -p rotation -o "$dir/turns.axs" "$dir/joints.axs"
bench_generate tscn 60 2 | sed 's/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1/rest = Transform3D(0, 0, 1, 1, 0, 0, 0, 1, 0/' >"$dir/other.tscn"
title "anim-retarget onto bones of other axes: at least 50 million keys/s"
ratio "anim-retarget" "anim-retarget -q --to '$dir/other.tscn' '$dir/turns.axs' >/dev/null" \
	"and feet" "anim-retarget --to '$dir/other.tscn' '$dir/turns.axs' >/dev/null 2>&1" "cat" "cat '$dir/turns.axs' | cat >/dev/null" | tee "$dir/retarget.txt"
awk -v keys="$((8 * 60 * keys))" 'NR == 1 { for (i = 1; i < NF; i++) if ($i == "cpu") ms = $(i + 1)
	printf "  anim-retarget brings over %.0f million keys/s\n", keys / 1000 / ms }' "$dir/retarget.txt"
rm "$dir/turns.axs" "$dir/other.tscn"
rm "$dir"/joints*.axs

# keys_a_second KEYS: after rows of `ratio` over a stream, how many of its keys each reduces in a second of CPU
keys_a_second() {
	awk -v keys="$1" '{ for (i = NF; i > 0; i--) if ($i == "cpu") ms = $(i + 1)
		print; printf "  %34s %.1f M keys/s\n", "", keys / 1000 / ms }'
}

title "anim-reduce: at least 20 M keys/s with --fast, 2 M with the shortest path, also where more may be off; cat beside it"
ratio "fast, by track" "anim-reduce -q --fast --tol 0.1mm,0.1deg '$dir/l.axs' >/dev/null" \
	"fewest, by track" "anim-reduce -q --tol 0.1mm,0.1deg '$dir/l.axs' >/dev/null" \
	"fewest, half a degree" "anim-reduce -q --tol 0.5mm,0.5deg '$dir/l.axs' >/dev/null" \
	"anim-cat" "anim-cat '$dir/l.axs' >/dev/null" | keys_a_second $((100 * keys))
# 50 bones one behind the other are so far out that float32 alone is more than the limit
bench_generate tscn 8 "$keys" | anim-parse -q | anim-retime -q --speed 0.25 -o "$dir/few.axs"
title "... joints in space: with --fast at most 10 x --fast by track; no bar without it"
ratio "fast, by track" "anim-reduce -q --fast --tol 0.1mm,0.1deg '$dir/few.axs' >/dev/null" \
	"fast, in space" "anim-reduce -q --fast --tol 1mm@10cm '$dir/few.axs' >/dev/null" \
	"fewest, in space" "anim-reduce -q --tol 1mm@10cm '$dir/few.axs' >/dev/null" | keys_a_second $((16 * keys))
rm "$dir/few.axs"
if [ -f "${ANIM_CORPUS:-}/bvh/cmu_01_01.bvh" ]; then
	anim-parse -q --unit cmu "$ANIM_CORPUS/bvh/cmu_01_01.bvh" -o "$dir/cmu.axs"
	title "... motion capture, 88,064 keys of Euler angles, joints in space: 1 M keys/s is the aim, --fast and cat beside it"
	ratio "1mm@10cm" "anim-reduce -q '$dir/cmu.axs' >/dev/null" "5mm@10cm" "anim-reduce -q --tol 5mm@10cm '$dir/cmu.axs' >/dev/null" \
		"--fast" "anim-reduce -q --fast '$dir/cmu.axs' >/dev/null" "anim-cat" "anim-cat '$dir/cmu.axs' >/dev/null" | keys_a_second 88064
	rm "$dir/cmu.axs"
fi

bench_generate tscn 50 "$((keys / 4))" | anim-parse -q | anim-retime -q --speed 0.25 -o "$dir/turns.axs"
anim-emit -q --force -o "$dir/turns.fbx" "$dir/turns.axs" 2>/dev/null
title "$((25 * keys / 2)) rotations and positions to Euler angles of FBX, and back: at most 1 us a rotation; .glb beside it"
ratio "anim-emit fbx" "anim-emit -q fbx '$dir/turns.axs' >/dev/null 2>&1" \
	"anim-emit glb" "anim-emit -q glb '$dir/turns.axs' >/dev/null 2>&1" \
	"fbx to glb" "anim-emit -q glb '$dir/turns.fbx' >/dev/null 2>&1"
rm "$dir"/turns.*

title "what reads each key alone: --reverse at most 6 x cat; text beside it"
ratio "anim-cat" "anim-cat '$dir/l.axs' >/dev/null" "anim-retime --reverse" "anim-retime -q --reverse '$dir/l.axs' >/dev/null" \
	"anim-dump" "anim-dump '$dir/l.axs' >/dev/null" "anim-emit csv" "anim-emit -q csv '$dir/l.axs' >/dev/null"

title "stream -> AnimJ: at least 6 x a printf writer, at least 0.8 GB/s of text"
ratio "printf writer" "bench_emit_reference '$dir/baked.axs' >/dev/null" "anim-emit" "anim-emit animj '$dir/baked.axs' >/dev/null 2>&1"
echo "  the AnimJ is $(wc -c <"$dir/l.animj") bytes"

title "a binary Godot file of 16 MB of keys -> stream: at most 3 x cat"
bench_generate res 50 7300 >"$dir/l.res"
ratio "cat" "cat '$dir/l.res' | cat >/dev/null" "anim-parse" "anim-parse '$dir/l.res' >/dev/null" \
	"anim-parse, pipe" "cat '$dir/l.res' | anim-parse >/dev/null"
rm "$dir/l.res"

title "AnimX: to the stream and back; no bar, cat beside it"
anim-emit animx -o "$dir/l.animx" "$dir/l.axs" 2>/dev/null
echo "  the AnimX is $(wc -c <"$dir/l.animx") bytes"
ratio "cat" "cat '$dir/l.animx' | cat >/dev/null" "anim-parse" "anim-parse '$dir/l.animx' >/dev/null" \
	"anim-parse, pipe" "cat '$dir/l.animx' | anim-parse >/dev/null"
anim-parse "$dir/l.animx" >"$dir/x.axs" 2>/dev/null
ratio "cat" "cat '$dir/x.axs' | cat >/dev/null" "plain" "anim-emit animx '$dir/x.axs' >/dev/null" \
	"LZ4" "anim-emit animx --encoding lz4 '$dir/x.axs' >/dev/null"
rm "$dir/l.animx" "$dir/x.axs"

anim-emit bvh -q -o "$dir/l.bvh" "$dir/baked.axs"
title "BVH to the stream ($(wc -c <"$dir/l.bvh") bytes): at least 300 MB/s of text; cat beside it; and back"
ratio "anim-parse" "anim-parse -q '$dir/l.bvh' >/dev/null" "anim-parse, pipe" "cat '$dir/l.bvh' | anim-parse -q >/dev/null" \
	"cat" "cat '$dir/l.bvh' | cat >/dev/null" "anim-emit" "anim-emit bvh '$dir/baked.axs' >/dev/null" | tee "$dir/bvh.txt"
awk -v bytes="$(wc -c <"$dir/l.bvh")" 'NR == 1 { for (i = 1; i < NF; i++) if ($i == "cpu") ms = $(i + 1)
	printf "  anim-parse reads %.0f MB/s\n", bytes / 1000 / ms }' "$dir/bvh.txt"
rm "$dir/l.bvh"

title ".tscn -> 30 Hz -> .animj, file to file"
line="anim-parse '$dir/l.tscn' | anim-resample 30 | anim-emit animj -q >'$dir/out.animj' 2>/dev/null"
set -- "anim-parse|resample|emit" "$line"
if have gltf-transform; then set -- "$@" "gltf-transform resample" "gltf-transform resample '$dir/l.glb' '$dir/o1.glb' >/dev/null 2>&1"; fi
if have gltfpack; then set -- "$@" "gltfpack -af 30" "gltfpack -af 30 -kn -i '$dir/l.glb' -o '$dir/o2.glb' >/dev/null"; fi
ratio "$@"

title "peak memory: at most 8 MB + 3 x the largest track (here about 1.1 MB of text)"
ratio "parse, file" "anim-parse '$dir/l.tscn' >/dev/null" "parse, pipe" "cat '$dir/l.tscn' | anim-parse >/dev/null" \
	"resample, file" "anim-resample 30 '$dir/l.axs' >/dev/null" "resample, pipe" "cat '$dir/l.axs' | anim-resample 30 >/dev/null" \
	"emit, file" "anim-emit animj '$dir/baked.axs' >/dev/null 2>&1" "emit, pipe" "cat '$dir/baked.axs' | anim-emit animj >/dev/null 2>&1"

# packed FILE: what packs it, against gzip -6: time, then bytes
packed() {
	set -- "$1" "gzip -6" "gzip -6c" "gzip -1" "gzip -1c" "gzip -9" "gzip -9c" "anim-pack -j 1" "anim-pack -j 1" \
		"anim-pack -j 2" "anim-pack -j 2" "anim-pack -6 -j 1" "anim-pack -6 -j 1"
	if have zstd; then set -- "$@" "zstd -3" "zstd -3qc"; fi
	file=$1
	shift
	commands=
	while [ $# -gt 0 ]; do
		commands="$commands '$1' '$2 \"$file\" >\"$file.$(echo "$1" | tr -d ' ')\"'"
		shift 2
	done
	eval "bench_ratio -n 3 $commands"
	for out in "$file".*; do
		echo "$(wc -c <"$out")" "$(wc -c <"$file.gzip-6")" "${out##*/}" |
			awk '{ printf "  %-34s %10d bytes  %.3f of gzip -6\n", $3, $1, $1 / $2 }'
	done
}

bench_generate_stream smooth 50 "$((8 * keys))" >"$dir/smooth.axs"
title "archive of smooth baked motion ($(wc -c <"$dir/smooth.axs") bytes): 0.6 x the size of gzip -6, 5 x faster, 2 threads 1.6 x"
packed "$dir/smooth.axs"
for set in noisy random; do
	bench_generate_stream $set 10 "$keys" >"$dir/$set.axs"
	title "archive, $set: never larger than gzip -6"
	packed "$dir/$set.axs"
done
bench_generate_stream strings 10 "$keys" >"$dir/strings.axs"
title "archive, strings: never larger than gzip -6"
packed "$dir/strings.axs"
title "archive -> stream: at least 300 MB/s, which gunzip's time stands beside; then 2 s of one track"
ratio "gunzip" "gzip -dc '$dir/smooth.axs.anim-pack-j1' >/dev/null" \
	"anim-unpack" "anim-unpack '$dir/smooth.axs.anim-pack-j1' >/dev/null" \
	"anim-unpack, one track, 2 s" "anim-unpack -n '*bone7' -p rotation -t 60..62 '$dir/smooth.axs.anim-pack-j1' >/dev/null"

# A clip of ten seconds at 60 Hz is played and recorded. The machine must have nothing else to do.
title "anim-udp: 99 % of the datagrams arrive within 3 ms of their times"
port=39593
python3 - "$dir/udp.vmc" <<-'PY'
	import struct, sys
	data = b"/VMC/Ext/T\0\0,f\0\0\0\0\0\0"
	with open(sys.argv[1], "wb") as out:
	    out.write(b"AnimVMC1")
	    for k in range(600):
	        out.write(struct.pack("<QI", k * 1000000000 // 60, len(data)) + data)
PY
anim-udp record -q -o "$dir/came.vmc" "$port" &
recorder=$!
sleep 0.5
anim-udp play -q "$dir/udp.vmc" "127.0.0.1:$port"
sleep 0.2
kill -TERM "$recorder"
wait "$recorder"
python3 - "$dir/came.vmc" <<-'PY'
	import struct, sys
	data = open(sys.argv[1], "rb").read()
	times = [struct.unpack_from("<Q", data, at)[0] / 1e6 for at in range(8, len(data), 32)]
	off = sorted(abs(t - k * 1000 / 60) for k, t in enumerate(times))
	print(f"{len(times)} of 600 datagrams, median {off[len(off) // 2]:.3f} ms, 99 % {off[len(off) * 99 // 100]:.3f} ms")
PY

title "beside the last tag"
"$(dirname "$0")/before.sh" "$1"
