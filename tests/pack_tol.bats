#!/usr/bin/env bats
# anim-pack --tol: archives with an error that stays within its limits, at the samples and between them.

load helper

# take FRAMES NOISE: a BVH of a body with an arm and a leg, in metres, at 30 frames per second.
take() {
	awk -v frames="$1" -v noise="$2" 'function joint(name, x, y, z, depth) {
		printf "JOINT %s\n{\nOFFSET %g %g %g\nCHANNELS 3 Zrotation Xrotation Yrotation\n", name, x, y, z
	}
	BEGIN {
		srand(7)
		print "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
		joint("Chest", 0, 0.4, 0); joint("Arm", 0.2, 0.1, 0); joint("Forearm", 0.3, 0, 0); joint("Hand", 0.25, 0, 0)
		print "End Site\n{\nOFFSET 0.1 0 0\n}\n}\n}\n}\n}"
		joint("Leg", 0.1, -0.1, 0); joint("Shin", 0, -0.4, 0); joint("Foot", 0, -0.4, 0)
		print "End Site\n{\nOFFSET 0 -0.05 0.1\n}\n}\n}\n}\n}"
		printf "MOTION\nFrames: %d\nFrame Time: 0.0333333\n", frames
		for (k = 0; k < frames; k++) {
			printf "%.6f %.6f %.6f", 0.01 * k, 1 + 0.03 * sin(k / 4), 0.1 * sin(k / 30)
			for (i = 0; i < 24; i++)
				printf " %.5f", (i == 2 ? 1.5 * k : 40 * sin(k / (7 + i) + i)) + noise * (rand() - 0.5)
			print ""
		}
	}' >take.bvh
	anim-parse -q --unit m take.bvh | anim-bake -q >take.axs
}

# bound ARCHIVE SHELL: the largest distance from take.axs, measured by a program of its own.
bound() {
	anim-dump take.axs >source.txt
	anim-unpack "$1" | anim-dump >result.txt
	python3 "$ROOT/tests/archive_bound.py" "$2" 5 source.txt result.txt
}

# below A B: A < B for numbers of any form.
below() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'
}

@test "joints stay within the tolerance, at samples and between them, in a much smaller archive" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	take 240 0.2
	exact=$(anim-pack take.axs | wc -c)
	for tolerance in 1 0.1 0.01; do
		anim-pack -q --tol ${tolerance}mm@3cm take.axs --force -o t.axs.gz
		off=$(bound t.axs.gz 0.03)
		size=$(wc -c <t.axs.gz)
		echo "$tolerance mm: $size of $exact bytes, $off m off"
		below "$off" "$(awk "BEGIN { print $tolerance / 1000 }")"
		[ "$size" -lt $((exact * 6 / 10)) ]
		anim-pack --test t.axs.gz
		anim-pack --test --against take.axs t.axs.gz
	done
	below 0.000005 "$off"
}

@test "-l shows the tolerance and the bound that was reached, and a note says it" {
	take 60 0
	run --separate-stderr anim-pack --tol 0.1mm@3cm take.axs --force -o t.axs.gz
	[[ $stderr =~ ^"anim-pack: take."(axs|bvh)": note: clip 'take': joints at most 0."(09[0-9]*|1)" mm off"$ ]] || { echo "$stderr"; false; }
	anim-pack -l t.axs.gz | grep -qE '^  joints: at most 0\.(09[0-9]*|1) mm off at 30 mm \(limit 0\.1 mm\)$'
	anim-pack take.axs | anim-pack -l /dev/stdin 2>/dev/null | grep -q limit && false
	anim-dump t.axs.gz | grep -q '^record tag="bOND"'
}

@test "an override has a limit of its own, which counts for the joints that carry it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	take 120 0.1
	anim-pack -q --tol 1mm@3cm take.axs -o wide.axs.gz
	anim-pack -q --tol 1mm@3cm --override '*Hand*=0.05mm@3cm' take.axs --force -o t.axs.gz
	anim-pack -l t.axs.gz | grep -qE '^  joints \*Hand\*: at most 0\.0[0-9]* mm off at 30 mm \(limit 0\.05 mm\)$'
	[ "$(wc -c <wide.axs.gz)" -lt "$(wc -c <t.axs.gz)" ]
	below "$(bound t.axs.gz 0.03)" 0.001
	pipe "anim-pack --tol 1mm@3cm --override 'Tail=1mm@3cm' take.axs"
	[[ $stderr == *"'Tail' matches no track or joint"* ]]
}

@test "numbers stay within their own limits, and times, steps, events and texts are exact" {
	{
		cat <<-'TEXT'
			anim-dump 1
			clip name="face" root="." source="x" start=0 end=9 loop=none axes=godot axes2d=godot flags=- rate=30/1
			track node="Face" property="smile" component=- kind=Raw type=float rules=plain flags=- before=hold after=hold interp=Linear keys=240 start=0 step=0 rate=30/1
			>columns value
		TEXT
		awk 'BEGIN { srand(3); for (k = 0; k < 240; k++) printf "\t%.7g\n", 0.5 + 0.5 * sin(k / 9) + 0.001 * rand() }'
		cat <<-'TEXT'
			track node="Face" property="jaw" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=200
			>columns time value
		TEXT
		awk 'BEGIN { srand(4); for (k = 0; k < 200; k++) printf "\t%.7g %.7g\n", k / 30 + k * k / 1e5, cos(k / 5) + 0.002 * rand() }'
		cat <<-'TEXT'
			track node="Face" property="blink" component=- kind=Discrete type=float rules=plain flags=- before=hold after=hold interp=Hold keys=3
			>columns time value
			>0 0.1234567
			>1 1
			>2 0.3
			track node="Face" property="word" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=2
			>columns time value
			>0 "a"
			>1 "b"
			end
		TEXT
	} | sed 's/^>/\t/' >face.txt
	anim-undump face.txt >face.axs
	anim-pack -q --tol 1% face.axs -o t.axs.gz
	[ "$(wc -c <t.axs.gz)" -lt "$(anim-pack face.axs | wc -c)" ]
	anim-unpack t.axs.gz | anim-diff --max 1% face.axs -
	! anim-unpack t.axs.gz | anim-diff -q --max 0.01% face.axs - || false
	anim-pack -l t.axs.gz | grep -qE '^  numbers: at most [01][0-9.]*% off \(limit 1%\)$'
	anim-pack --test --against face.axs t.axs.gz
	for part in '/"jaw"/,/"blink"/s/ [^ ]*$//p' '/"blink"/,$p'; do
		anim-unpack t.axs.gz | anim-dump | sed -n "$part" >got
		sed -n "$part" face.txt | same - got
	done
}

@test "gunzip gives a stream that all programs read, and that they write as version 1" {
	take 100 0.1
	anim-pack -q --tol 0.1mm@3cm take.axs --force -o t.axs.gz
	gunzip <t.axs.gz >two.axs
	[ "$(head -c 7 two.axs | tail -c 1 | od -An -tu1 | tr -d ' ')" = 2 ]
	anim-unpack t.axs.gz >one.axs
	[ "$(head -c 7 one.axs | tail -c 1 | od -An -tu1 | tr -d ' ')" = 1 ]
	anim-diff --max 0 one.axs two.axs
	for program in anim-filter anim-cat "anim-retime --speed 1" "anim-split -o -" anim-unpack; do
		case $program in *split*) continue ;; esac
		$program two.axs >out.axs
		[ "$(head -c 7 out.axs | tail -c 1 | od -An -tu1 | tr -d ' ')" = 1 ]
		anim-diff --max 0 one.axs out.axs
	done
	anim-pack two.axs | anim-unpack | anim-diff --max 0 one.axs -
	anim-info two.axs | grep -q anim-pack
}

@test "a higher version is refused by its number, and so is a lattice in version 1" {
	take 100 0.1
	anim-pack -q --tol 0.1mm@3cm take.axs | gunzip >two.axs
	{ head -c 6 two.axs; printf '\003'; tail -c +8 two.axs; } >three.axs
	pipe "anim-info three.axs"
	[ "$status" -eq 1 ]
	[[ $stderr == *"three.axs: byte 6: stream version 3: it needs a newer version of these programs" ]] || { echo "$stderr"; false; }
	{ head -c 6 two.axs; printf '\001'; tail -c +8 two.axs; } >one.axs
	pipe "anim-info one.axs"
	[ "$status" -eq 1 ]
	[[ $stderr == *"form 2 of column 1"* ]] || { echo "$stderr"; false; }
}

@test "parts are read by time and track, as from the whole" {
	# a block has 8192 keys, and ends at 273.07 s
	take "$(sanitized && echo 9000 || echo 20000)" 0.1
	anim-pack -q --tol 0.1mm@3cm take.axs --force -o t.axs.gz
	anim-unpack t.axs.gz >whole.axs
	for range in 0..1 270..275 272.9..273.2 299..; do
		anim-unpack -t $range -n '*Hand*' -n '*Leg' t.axs.gz >part.axs
		anim-unpack -t $range -n '*Hand*' -n '*Leg' whole.axs | same - part.axs
	done
	pipe "anim-unpack --stats -t 270..272 -n '*Hand' t.axs.gz >/dev/null"
	read=$(echo "$stderr" | sed -n 's/.*: \([0-9]*\) of \([0-9]*\) bytes read.*/\1 * 8 < \2/p')
	[ -n "$read" ] && [ $((read)) -eq 1 ] || { echo "$stderr"; false; }
}

@test "an archive that would not become smaller is the exact one, byte for byte" {
	anim-parse "$ROOT/examples/crane.tscn" >x.axs
	anim-pack x.axs >exact.axs.gz
	anim-pack -q --tol 0.1mm@3cm x.axs | same - exact.axs.gz
	take 60 0
	anim-pack take.axs >exact.axs.gz
	pipe "anim-pack --tol 0.0000001mm@3cm take.axs | cmp - exact.axs.gz"
	[ "$status" -eq 0 ]
	[[ $stderr == *"clip 'take' stays exact: with errors within the limits it would not be smaller" ]] || { echo "$stderr"; false; }
}

@test "samples of Euler angles become rotations, within the tolerance" {
	take 100 0.1
	anim-parse -q --unit m take.bvh >euler.axs
	anim-pack -q --tol 0.1mm@3cm euler.axs -o t.axs.gz
	anim-unpack t.axs.gz | anim-info | grep -q rotation
	anim-unpack t.axs.gz | anim-diff --world --max 0.1mm@3cm take.axs -
	[ "$(wc -c <t.axs.gz)" -lt "$(anim-pack euler.axs | wc -c)" ]
}

@test "rotations through full revolutions, with signs that change, keep their limit under every player" {
	for rules in plain unity resonite; do
		{
			cat <<-TEXT
				anim-dump 1
				clip name="c" root="." source="x" start=0 end=20 loop=none axes=unity axes2d=godot flags=- rate=30/1
				track node="A" property="rotation" component=- kind=Raw type=floatQ rules=$rules flags=- before=hold after=hold interp=Linear keys=600 start=0 step=0 rate=30/1
			TEXT
			awk -v flip="$([ $rules = plain ] && echo 1)" 'BEGIN { print "\tcolumns value"; for (k = 0; k < 600; k++) {
				a = k / 40; s = flip && k % 7 == 3 ? -1 : 1
				printf "\t%.9g,%.9g,0,%.9g\n", s * 0.6 * sin(a), s * 0.8 * sin(a), s * cos(a) } print "end" }'
		} >turns.txt
		anim-undump turns.txt >turns.axs
		anim-pack -q --tol 0.01deg turns.axs -o t.axs.gz
		anim-unpack t.axs.gz | anim-diff --max 0.01deg turns.axs -
		echo "$rules $(wc -c <t.axs.gz) of $(anim-pack turns.axs | wc -c)"
	done
}

@test "the bytes do not depend on threads, pipes or how much is read at a time" {
	take 300 0.2
	anim-pack -q --tol 0.1mm@3cm -j 1 <take.axs >one.axs.gz
	anim-pack -q --tol 0.1mm@3cm -j 5 <take.axs | same - one.axs.gz
	ANIM_READ_MAX=1000 anim-pack -q --tol 0.1mm@3cm <take.axs | same - one.axs.gz
}

@test "each flipped byte is refused or harmless, and so is each prefix" {
	take 40 0.5
	anim-pack -q --tol 0.1mm@3cm take.axs --force -o t.axs.gz
	anim-unpack t.axs.gz >whole.axs
	size=$(wc -c <t.axs.gz)
	for ((at = 0; at < size; at += $(stride 41))); do
		head -c $at t.axs.gz >cut.axs.gz
		run ! anim-unpack cut.axs.gz >/dev/null 2>&1
		byte=$(od -An -tu1 -j $at -N 1 t.axs.gz)
		{ cat cut.axs.gz; printf "\\$(printf %o $((byte ^ 16)))"; tail -c +$((at + 2)) t.axs.gz; } >flip.axs.gz
		if anim-unpack flip.axs.gz >got.axs 2>/dev/null; then same got.axs whole.axs; fi
		if anim-pack --test flip.axs.gz 2>/dev/null; then anim-unpack -n '*' flip.axs.gz | same - whole.axs; fi
	done
}

@test "anim convert packs within limits, and refuses them for a stream" {
	take 100 0.1
	anim convert -q --tol 0.1mm@3cm --override '*Hand*=0.05mm@3cm' take.axs t.axs.gz
	anim-pack -q --tol 0.1mm@3cm --override '*Hand*=0.05mm@3cm' take.axs -o u.axs.gz
	same t.axs.gz u.axs.gz
	pipe "anim convert --tol 0.1mm@3cm take.axs out.axs"
	[ "$status" -eq 2 ]
	[ ! -e out.axs ]
}

@test "options that cannot be are refused, and a failure leaves no archive" {
	take 20 0
	for options in "--tol" "--tol 5parsec" "--override A=1mm" "--tol 1% --override A" "--against take.axs" "--tol 1% --override A=1mm@3cm"; do
		pipe "anim-pack $options take.axs -o t.axs.gz"
		[ "$status" -ne 0 ] && [ ! -e t.axs.gz ] || { echo "$options"; false; }
	done
	head -c 3000 take.axs >cut.axs
	pipe "anim-pack --tol 1mm@3cm cut.axs -o t.axs.gz"
	[ "$status" -eq 1 ]
	[ ! -e t.axs.gz ]
	anim-pack -q --tol 1mm@3cm take.axs --force -o t.axs.gz
	take 21 0
	pipe "anim-pack --test --against take.axs t.axs.gz"
	[ "$status" -eq 1 ]
	[[ $stderr == *"differs from take.axs by more than its limits" ]] || { echo "$stderr"; false; }
}

@test "anim-reduce says that its keys take more space in an archive, and names --tol" {
	take 240 0.2
	pipe "anim-reduce --tol 0.1mm@3cm take.axs >/dev/null"
	[[ $stderr == *"use anim-pack --tol instead" ]] || { echo "$stderr"; false; }
}

@test "takes of others at two tolerances: within them, and never larger than exact" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no files of others in ANIM_CORPUS"
	command -v python3 >/dev/null || skip "python3 is not installed"
	not_sanitized "their values are the subject"
	for file in walk01 bn_dataset-2_raise-up-left-hand_active_096 test_mocapbank; do
		anim-parse -q --unit cm "$ANIM_CORPUS/bvh/$file.bvh" | anim-bake -q >take.axs
		for tolerance in 0.1 0.01; do
			anim-pack -q --tol ${tolerance}mm@3cm take.axs --force -o t.axs.gz
			echo "$file $tolerance"
			below "$(bound t.axs.gz 0.03)" "$(awk "BEGIN { print $tolerance / 1000 }")"
			[ "$(wc -c <t.axs.gz)" -lt $(($(anim-pack take.axs | wc -c) * 6 / 10)) ]
		done
	done
}
