#!/usr/bin/env bats
# anim-resample against keys that lie on its grid.

load helper

# steps RULES RATE COLUMNS MODE MORE: a clip with a key on every frame of 20 seconds, number k on frame k, as text.
steps() {
	awk -v rules="$1" -v rate="$2" -v columns="$3" -v mode="$4" -v more="$5" 'BEGIN {
		n = 20 * rate
		print "anim-dump 1"
		printf "clip name=\"steps\" root=\".\" source=\"test\" start=0 end=20 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n"
		printf "track node=\"A\" property=\"v\" component=- kind=Curve type=float rules=%s flags=- before=hold after=hold interp=%s keys=%d\n", rules, mode, n + 1
		print "\tcolumns " columns
		for (k = 0; k <= n; k++) printf "\t%.17g %d%s\n", k / rate, k, more
		print "end" }'
}

# The samples of a stream at a rate, one a line.
samples() {
	anim-resample --all "$1" | anim-dump | sed -n '/columns/,/^end/s/^\t\([0-9-].*\)$/\1/p'
}

# What sample k of such a clip is: k, or what the step before it left.
expected() {
	awk -v n="$((20 * $1))" -v late="$2" 'BEGIN { for (k = 0; k <= n; k++) print (k > late ? k - late : 0) }'
}

@test "a step on frame k shows in sample k: Unity, Godot and tracks of no engine, at every usual rate" {
	for rate in 12 24 25 30 60 120; do
		expected $rate 0 >want
		for rules in unity godot4 godot3 plain; do
			steps $rules $rate "time value" Hold "" | anim-undump | samples $rate >got
			same got want || { echo "$rules $rate"; return 1; }
		done
		steps unity $rate "time value left right" Hermite " inf inf" | anim-undump | samples $rate >got
		same got want || { echo "unity's slopes $rate"; return 1; }
	done
}

@test "at a key's very time Resonite shows the step before it still, and a straight line its end: in every sample alike" {
	for rate in 12 24 25 30 60 120; do
		steps resonite $rate "time value" Hold "" | anim-undump | samples $rate >got
		expected $rate 1 >want
		same got want || { echo "Hold $rate"; return 1; }
		steps resonite $rate "time value" Linear "" | anim-undump | samples $rate >got
		expected $rate 0 >want
		same got want || { echo "Linear $rate"; return 1; }
	done
}

@test "anim-bake shows a step of Unity's on frame k in sample k" {
	for rate in 12 24 30 60; do
		expected $rate 0 >want
		steps unity $rate "time value left right" Hermite " inf inf" | sed 's/component=-/component=1/;s/"v"/"position"/' |
			anim-undump | anim-bake -q -r $rate 2>/dev/null | anim-dump |
			sed -n '/columns/,/^end/s/^\t0,\([0-9-]*\),0$/\1/p' >got
		same got want || { echo "$rate"; return 1; }
	done
}

@test "a clip that takes more samples than anybody records is refused, unless its size is trusted" {
	sed 's/^>/\t/' >long.dump <<-'DUMP'
		anim-dump 1
		clip name="long" root="" source="" start=0 end=1000000 loop=ping-pong axes=unknown axes2d=unknown flags=- rate=0/0
		track node="A" property="x" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=2
		>columns time value
		>0 0
		>1000000 1
		end
	DUMP
	anim-undump long.dump -o long.axs
	for command in 'anim-resample 5' 'anim-bake -r 5' 'anim-bake -r 1 --loops 3'; do
		run --separate-stderr $command long.axs -o out.axs
		[ "$status" -eq 1 ]
		[[ $stderr == *"clip 'long' of 1000000 s would take "*" samples, more than 4194304; allow it with --trust-size" ]]
		[ ! -e out.axs ]
	done
	anim-resample 4 long.axs -o out.axs
	anim-resample --trust-size 5 long.axs -o out.axs
	[[ $(anim-info out.axs) == *" 5000001 "* ]]
	anim-bake -r 1 --loops 3 --trust-size long.axs -o out.axs
	[[ $(anim-info out.axs) == *" 6000001 "* ]]
	run --separate-stderr anim-diff --world long.axs long.axs
	[ "$status" -eq 2 ]
}

# way RULES KEY...: rotations of node A, each key "TIME X,Y,Z,W".
way() {
	echo "anim-dump 1"
	echo 'clip name="way" root="." source="test" start=0 end=0.2 loop=none axes=unknown axes2d=unknown flags=- rate=0/0'
	echo "track node=\"A\" property=\"rotation\" component=- kind=Curve type=floatQ rules=$1 flags=- before=hold after=hold interp=Linear keys=$(($# - 1))"
	printf '\tcolumns time value\n'
	printf '\t%s\n' "${@:2}"
	echo end
}

# keeps_way RATE: samples at that rate, of the stream in way.axs, turn as it does; after anim-resample and anim-bake.
keeps_way() {
	for program in "anim-resample $1" "anim-bake -q -r $1"; do
		$program way.axs >sampled.axs
		anim-diff --max 0.15deg way.axs sampled.axs >told || { echo "$program"; cat told; return 1; }
	done
}

@test "samples that are 180 degrees apart rotate as the source does" {
	for z in 0.70710678 -0.70710678; do
		for w in 1 -1; do
			way plain "0 0,0,0,1" "0.05 0,0,$z,0.70710678" "0.1 0,0,$w,0" "0.2 0,0,$w,0" | anim-undump >way.axs
			keeps_way 10 || { echo "$z $w"; return 1; }
		done
	done
}

@test "if a source's own keys are 180 degrees apart, its samples go its way" {
	way godot4 "0 -0.391419,-0.58889,-0.588889,0.39142" "0.0333333351 -0.633999,-0.313122,-0.313122,0.633999" \
		"0.0666666701 0.172025,0.685863,-0.685863,0.172025" "0.1 0.178949,0.684089,-0.684089,0.178949" |
		anim-undump >way.axs
	keeps_way 30
	keeps_way 60
}

@test "anim-bake keeps the way of Euler angles that rotate by 180 degrees" {
	for turn in 180 -180; do
		way plain "0 33,30,0" "0.1 33,$((30 + turn)),0" "0.2 33,$((30 + turn)),0" |
			sed 's/"rotation"/"euler"/; s/floatQ/float3/; s/flags=- before/flags=degrees before/' | anim-undump >euler.axs
		anim-bake -q -r 20 euler.axs >way.axs
		keeps_way 10 || { echo "$turn"; return 1; }
	done
}

# shown FILE: the x of the position at 0.07 and 0.08 s, as the file's own player shows it.
shown() {
	python3 - "$1" <<-'PY'
		import sys, anim
		track = next(track for track in anim.open(sys.argv[1], warn=False)[0] if track.property == "position" and track.component in (None, 0))
		print(*(f"{abs(v[0]):.3f}" for v in ([a for a in memoryview(track.sample([t])).cast("B").cast("d")] for t in (0.07, 0.08))))
	PY
}

# A clip of 0.08 s that moves by 100 units per second, at 30 samples per second.
@test "a clip that ends between two samples shows its last value at its end, in every format and after every program" {
	not_windows "there is no library for Python"
	export ANIM_LIBRARY=$ANIM_BUILD/lib/libanim.so.1 PYTHONPATH=$ROOT/lib/api
	! sanitized || skip "Python has no sanitizers"
	cp "$DATA/bvh/last_sample_25_to_30.bvh" a.bvh
	anim-parse -q --unit m a.bvh | anim-resample -q 30 >a.axs
	anim-dump a.axs | grep -q 'flags=last_at_end'
	diff <(anim-dump a.axs | grep -A9 '^clip') <(anim-resample -q 30 a.axs | anim-dump | grep -A9 '^clip')
	for format in glb gltf tscn tres animj animx anim fbx; do
		anim convert -q --unit m -r 30 a.bvh "out.$format"
		[ "$(shown "out.$format")" = "7.000 8.000" ] || { echo "$format: $(shown "out.$format")"; return 1; }
		anim convert -q a.axs "from.$format"
		anim-diff --max 1e-5m a.axs "from.$format" || [[ $format == t* ]]
	done
	anim-retime --speed 2 a.axs -o fast.axs
	anim-retime --speed 0.5 fast.axs -o b.axs
	[ "$(shown b.axs)" = "7.000 8.000" ]
	anim-retime -q -t 0..0.06 a.axs | anim-dump | grep '^track' >part
	run ! grep last_at_end part
	for option in --bake "--reduce 1mm" "--bake --drop-constant"; do
		anim convert -q --unit m -r 30 $option a.bvh b.glb
		[ "$(shown b.glb)" = "7.000 8.000" ] || { echo "$option"; return 1; }
	done
	# A track that does not move at the end stays one of samples.
	printf 'anim-dump 1\nclip name="c" root="." source="" start=0 end=0.08 loop=none axes=resonite axes2d=unknown flags=- rate=30/1\ntrack node="A" property="position" component=- kind=Raw type=float3 rules=plain flags=last_at_end before=hold after=hold interp=Linear keys=4 start=0 step=0 rate=30/1\n\tcolumns value\n\t0,0,0\n\t1,0,0\n\t2,0,0\n\t2,0,0\nend\n' |
		anim-undump | anim-emit animj | grep -q '"trackType":"Raw"'
}
