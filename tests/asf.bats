#!/usr/bin/env bats
# Acclaim skeletons and motion: bones are where the format's own words put them, and wrong files are refused with their line.

load helper

METRES=0.05644444444444444

# leg: a skeleton of three bones, and a motion for it.
leg() {
	cat >leg.asf <<-'EOT'
		# made by hand
		:version 1.10
		:name leg
		:units
		  mass 1.0
		  length 0.45
		  angle deg
		:documentation
		   begin
		:root
		   order TX TY TZ RX RY RZ
		   axis XYZ
		   position 0 0 0
		   orientation 0 0 0
		:bonedata
		  begin
		     id 1
		     name hip
		     direction 1 0 0
		     length 1.8
		     axis 0 0 0  XYZ
		  end
		  begin
		     id 2
		     name thigh
		     direction 0 -1 0
		     length 7.2
		     axis 0 0 20  XYZ
		    dof rx ry rz
		    limits (-160.0 20.0)
		           (-70.0 70.0)
		           (-60.0 70.0)
		  end
		  begin
		     id 3
		     name shin
		     direction 0 -1 0
		     length 7.5
		     axis 0 0 20  XYZ
		    dof rx
		    limits (-10.0 170.0)
		  end
		:hierarchy
		  begin
		    root hip
		    hip thigh
		    thigh shin
		  end
	EOT
	cat >leg_01.amc <<-'EOT'
		#!OML:ASF F:\LEG.ASF
		:FULLY-SPECIFIED
		:DEGREES
		1
		root 0 18 0 0 0 0
		thigh 0 0 0
		shin 0
		2
		root 1.8 18 0 0 90 0
		thigh 10 2.5e-015 -3
		shin 45.5
	EOT
}

# poses FILE.asf FILE.amc STREAM...: the largest distance is below a millionth of the skeleton.
poses() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/asf_poses.py" "${SCALE:-$METRES}" "$@" >poses.txt || return 1
	awk '!($5 <= 1e-6) { bad = 1 } END { exit bad || NR == 0 }' poses.txt || { cat poses.txt && return 1; }
}

@test "bones are a tree in metres, their motion is rotations, and the rate is 120 with a note" {
	leg
	run -0 --separate-stderr anim-parse leg_01.amc --force -o leg.axs
	[ "$stderr" = "anim-parse: leg_01.amc: note: no frame rate, so 120 per second is assumed; to change it, use -x fps=RATE" ]
	run -0 --separate-stderr anim-info leg.axs
	same <(printf '%s\n' "$output" | head -n 5) - <<-'EOT'
		leg_01: 0.0083 s, 120/s, from asf, gltf axes
		  node                 property  type    kind       keys  time         values
		  root                 position  float3  Raw 120/s     2  0 .. 0.0083  0 .. 1.016
		  root                 rotation  floatQ  Raw 120/s     2  0 .. 0.0083
		  root/hip/thigh       rotation  floatQ  Raw 120/s     2  0 .. 0.0083
	EOT
	run -0 anim-info --tree leg.axs
	[[ $output == *"shin_end bone position (0, -0.4233, 0)"* ]]
	run -0 --separate-stderr anim-parse -x fps=30 leg_01.amc --force -o b.axs
	[ -z "$stderr" ]
	pipe "anim-info b.axs | head -n 1"
	[ "$output" = "leg_01: 0.0333 s, 30/s, from asf, gltf axes" ]
	sed 's/^:DEGREES/:SAMPLES-PER-SECOND 60\n&/' leg_01.amc >leg_02.amc
	run -0 --separate-stderr anim-parse leg_02.amc --force -o b.axs
	[ -z "$stderr" ]
	pipe "anim-info b.axs | head -n 1"
	[ "$output" = "leg_02: 0.0167 s, 60/s, from asf, gltf axes" ]
	sed 's/^:DEGREES/:SAMPLES-PER-SECOND 33.3333333\n&/' leg_01.amc >leg_02.amc
	pipe "anim-parse leg_02.amc | anim-info | head -n 3"
	[[ $output == "leg_02: 0.03 s, from asf"*"Raw every 0.03 s"* ]]
	run -2 --separate-stderr anim-parse -x fps=0 leg_01.amc
	[[ ${stderr_lines[0]} == "anim-parse: -x fps: "* ]]
}

@test "an independent evaluator sees every bone where it is, for all orders of axes and degrees of freedom" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	local seed
	for seed in {0..23}; do
		python3 "$ROOT/tests/asf_poses.py" make $seed "take"
		anim-parse -q take_01.amc | anim-emit json >a.json
		poses take.asf take_01.amc a.json || { echo "seed $seed" && false; }
	done
	leg
	anim-parse -q leg_01.amc | anim-emit json >a.json
	poses leg.asf leg_01.amc a.json
}

@test "--unit sets the length of the unit, and without a unit in the file it is an inch, with a note" {
	leg
	anim-parse -q --unit cm leg_01.amc | anim-emit json >a.json
	SCALE=0.01 poses leg.asf leg_01.amc a.json
	anim-parse -q --unit cmu leg_01.amc | anim-emit json >a.json
	poses leg.asf leg_01.amc a.json
	sed -i '/length 0.45/d' leg.asf
	run -0 --separate-stderr anim-parse -x fps=120 leg_01.amc --force -o a.axs
	[ "$stderr" = "anim-parse: leg_01.amc: note: no unit of length, so an inch is assumed; to change it: --unit cm, m or the length of the unit in metres" ]
	anim-emit json a.axs >a.json
	SCALE=0.0254 poses leg.asf leg_01.amc a.json
}

@test "--up z rotates the skeleton so that Y points up" {
	leg
	anim-parse -q leg_01.amc | anim-bake --world | anim-emit csv | grep shin,position | tail -n 1 | cut -d, -f10-12 >y
	anim-parse -q --up z leg_01.amc | anim-bake --world | anim-emit csv | grep shin,position | tail -n 1 | cut -d, -f10-12 >z
	paste -d, y z | awk -F, 'function near(a, b) { return a - b < 1e-6 && b - a < 1e-6 } { exit !(near($4, $1) && near($5, $3) && near($6, -$2)) }'
}

@test "the skeleton is the file of the same name, or of its beginning, or the named one" {
	leg
	anim-parse -q --no-provenance leg_01.amc --force -o wanted.axs
	mkdir other && mv leg.asf other/any.asf
	run -1 --separate-stderr anim-parse -q leg_01.amc --force -o a.axs
	[ "$stderr" = "anim-parse: leg_01.amc: the skeleton of a motion is in an .asf file, and the folder has no 'leg.asf'; to name it, use -x asf=FILE" ]
	[ ! -e a.axs ]
	anim-parse -q --no-provenance -x asf=other/any.asf leg_01.amc --force -o a.axs
	same wanted.axs a.axs
	anim-parse -q --no-provenance -x asf=other/any.asf --source-name leg_01.amc <leg_01.amc >a.axs
	same wanted.axs a.axs
	cp other/any.asf leg_01.asf
	anim-parse -q --no-provenance --depfile a.d --target a leg_01.amc --force -o a.axs
	same wanted.axs a.axs
	grep -q leg_01.asf a.d
	cp leg_01.amc a_b_01_120.amc && cp other/any.asf a_b.asf
	anim-parse -q --no-provenance --source-name leg_01.amc "$PWD/a_b_01_120.amc" --force -o a.axs
	same wanted.axs a.axs
	gzip -k leg_01.amc && mv leg_01.amc plain
	anim-parse -q --no-provenance --source-name leg_01.amc leg_01.amc.gz --force -o a.axs
	same wanted.axs a.axs
	mv plain leg_01.amc
	run -1 --separate-stderr anim-parse -q -x asf=gone.asf leg_01.amc --force -o b.axs
	[ "$stderr" = "anim-parse: gone.asf: cannot open: No such file or directory" ]
	run -1 --separate-stderr anim-parse -q --no-external leg_01.amc --force -o b.axs
	[[ $stderr == "anim-parse: leg_01.amc: the skeleton of a motion is in an .asf file; to name it, use -x asf=FILE" ]]
	run -1 --separate-stderr bash -c 'anim-parse -q <leg_01.amc >b.axs'
	[[ $stderr == "anim-parse: -: the skeleton of a motion is in an .asf file; to name it, use -x asf=FILE" ]]
}

@test "names of bones may begin with a digit or be a number, and Ctrl-Z may end the files" {
	leg
	sed 's/thigh/3rd/;s/shin/7/' leg.asf >digit.asf
	sed 's/thigh/3rd/;s/shin/7/' leg_01.amc >digit.amc
	printf '\032' >>digit.asf
	printf '\032' >>digit.amc
	anim-parse -q --no-provenance --source-name x leg_01.amc | anim-dump | sed 's/thigh/3rd/g;s/shin/7/g' >wanted.axt
	anim-parse -q --no-provenance --source-name x digit.amc | anim-dump >digit.axt
	same wanted.axt digit.axt
}

@test "a skeleton by itself is a tree, and serves as one" {
	leg
	run -0 --separate-stderr anim-parse leg.asf --force -o leg.axs
	[ "$stderr" = "anim-parse: leg.asf: warning: no animation in this file; the motion for the skeleton is in .amc files" ]
	run -0 anim-info --tree leg.axs
	[[ $output == *"thigh bone position (0.1016, 0, 0)"* ]]
	run -0 --separate-stderr anim convert -q --retarget leg.asf leg_01.amc a.bvh
	anim-parse -q leg_01.amc | anim-emit -q bvh >b.bvh
	grep -q 'End Site' b.bvh
	[ "$(grep -c JOINT b.bvh)" -eq 3 ]
	run -0 --separate-stderr anim diff --max 0.01mm a.bvh b.bvh
}

@test "a take with the names of Carnegie Mellon University is put on another human" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/asf_poses.py" human 01
	anim-parse -q 01_01.amc | anim-emit json >a.json
	poses 01.asf 01_01.amc a.json
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-emit -q -o robot.glb
	run -0 --separate-stderr anim convert -q --retarget robot.glb 01_01.amc a.axs
	pipe "anim-resample 120 a.axs | anim-emit csv | grep 'LeftUpperArm,rotation' | tail -n 1 | cut -d, -f10-13"
	[ -n "$output" ]
	awk -F, -v q="$output" 'BEGIN { split(q, v, ","); w = v[4] < 0 ? -v[4] : v[4]; exit !(w < 0.95) }'
}

@test "windows of one byte, a store in a file, gzip and other line ends read the same" {
	leg
	anim-parse -q --no-provenance leg_01.amc --force -o wanted.axs
	ANIM_READ_MAX=1 anim-parse -q --no-provenance leg_01.amc --force -o got.axs
	same wanted.axs got.axs
	ANIM_STORE_MEMORY=0 anim-parse -q --no-provenance leg_01.amc --force -o got.axs
	same wanted.axs got.axs
	sed -i 's/$/\r/' leg_01.amc leg.asf
	anim-parse -q --no-provenance leg_01.amc --force -o got.axs
	same wanted.axs got.axs
	sed -i '1s/^/\xef\xbb\xbf/; s/^thigh /Thigh\t/; s/45.5/+45.5/; s/root 0/root  -0/' leg_01.amc
	sed -i '1s/^/\xef\xbb\xbf/; s/^:BONEDATA/:bonedata/; s/dof rx/DOF RX/' leg.asf
	anim-parse -q leg_01.amc | anim-emit json >a.json
	poses leg.asf leg_01.amc a.json
}

@test "a motion with many frames is read in the memory of a tile and a track" {
	not_sanitized "its own memory would be measured"
	not_bytewise "it is about memory"
	leg
	awk 'BEGIN { print ":DEGREES"; for (i = 1; i <= 200000; i++) printf "%d\nroot %g 18 0 0 %g 0\nthigh %g 1.5 -3\nshin 45.5\n", i, i / 100, i % 360, i % 90 }' >leg_9.amc
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o peak "$ROOT/tests/bench/peak.c"
	./peak 3>size anim-parse -q leg_9.amc --force -o a.axs
	[ "$(cat size)" -le $((8192 + 3 * 200000 * 16 / 1024)) ] || { cat size && false; }
	anim-parse -q --no-provenance leg_9.amc --force -o a.axs
	ANIM_STORE_MEMORY=100000000 anim-parse -q --no-provenance leg_9.amc --force -o b.axs
	same a.axs b.axs
}

# refused SED MESSAGE: a motion that is changed like this is refused with this message, after the name of the file.
refused() {
	sed "$1" leg_01.amc >bad_01.amc
	cp leg.asf bad.asf
	run -1 --separate-stderr anim-parse -q bad_01.amc --force -o bad.axs
	[ "$stderr" = "anim-parse: bad_01.amc:$2" ] || { echo "$1: $stderr" && false; }
	[ ! -e bad.axs ]
}

@test "a wrong motion is refused with its line" {
	leg
	refused 's/^shin 0/shin/' "7:5: 'shin' has fewer numbers than degrees of freedom in bad.asf, which are 1"
	refused 's/^shin 0/shin 0 1/' "7:8: 'shin' has more numbers than degrees of freedom in bad.asf, which are 1"
	refused 's/^shin 0/shank 0/' "7:1: 'shank' is not a bone of bad.asf"
	refused 's/^shin 0/shin x/' "7:6: 'x' is not a number"
	refused 's/^shin 0/shin 1e99/' "7:6: '1e99' is not a number"
	refused 's/^thigh 10.*/thigh 1 2 nan/' "10:11: 'nan' is not a number"
	refused 's/^shin 0/thigh 1 2 3/' "7:12: a second line for 'thigh' in frame 1"
	refused 's/^shin 0//' "11:10: 'shin' has no line in the first frame"
	refused 's/^shin 45.5//' "11:1: frame 2 has no line for 'shin'"
	refused '4d' "4:1: the number of a frame expected"
	refused 's/^2$/2x/' "8:1: '2x' is not a bone of bad.asf"
	refused 's/^2$/:RADIANS/' "8:1: a keyword inside the motion"
	refused 's/^:DEGREES/:SAMPLES-PER-SECOND 0/' "3:22: a rate from 0.001 to 1e6 expected"
}

# refused_asf SED MESSAGE: the same for a skeleton.
refused_asf() {
	sed "$1" leg.asf >bad.asf
	cp leg_01.amc bad_01.amc
	run -1 --separate-stderr anim-parse -q bad_01.amc --force -o bad.axs
	[ "$stderr" = "anim-parse: bad.asf:$2" ] || { echo "$1: $stderr" && false; }
	[ ! -e bad.axs ]
}

@test "a wrong skeleton is refused with its line" {
	leg
	refused_asf 's/name shin/name thigh/' "36:11: a second bone with this name"
	refused_asf 's/name shin/name root/' "36:11: a second bone with this name"
	refused_asf 's/name shin/name a\/b/' "36:11: a bone cannot have this name"
	refused_asf 's/name shin/name ../' "36:11: a bone cannot have this name"
	refused_asf "s/name shin/name $(printf 'a%.0s' {1..241})/" "36:11: a name of 1 to 240 bytes expected"
	refused_asf 's/name shin//' "42:3: a bone without a name"
	refused_asf 's/thigh shin/thigh/' "34:1: 'shin' is not connected to the root"
	refused_asf 's/thigh shin/thigh foot/' "47:11: unknown bone 'foot'"
	refused_asf 's/thigh shin/thigh root/' "47:11: the root is not a child"
	refused_asf 's/thigh shin/hip shin\n thigh shin/' "48:8: a second parent of this bone"
	refused_asf 's/root hip/shin hip/' "16:1: 'hip' is in a cycle, or deeper than 256 bones"
	refused_asf 's/direction 1 0 0/direction 1 0/' "19:19: direction needs 3 numbers"
	refused_asf 's/length 7.5/length 7.5 x/' "38:17: length needs 1 number"
	refused_asf 's/dof rx ry rz/dof rx rq rz/' "29:12: a degree of freedom expected: tx ty tz rx ry rz l"
	refused_asf 's/dof rx ry rz/dof rx ry rx/' "29:15: a degree of freedom is listed twice"
	refused_asf 's/axis 0 0 20  XYZ/axis 0 0 20 XYX/' "28:18: an order of axes such as XYZ expected"
	refused_asf 's/length 0.45/length 0/' "6:11: a length unit from 1e-6 to 1e6 expected"
	refused_asf '/:hierarchy/,$d' "42:3: the file ends before :hierarchy"
	sed '/limits (-10/,$d' leg.asf >bad.asf
	run -1 --separate-stderr anim-parse -q bad.asf --force -o bad.axs
	[[ $stderr == "anim-parse: bad.asf:40:"*": the file ends inside a bone" ]]
}

@test "frames with a gap, bones without motion and bones that change their length give a warning" {
	leg
	sed 's/^2$/4/' leg_01.amc >leg_02.amc
	run -0 --separate-stderr anim-parse -q leg_02.amc --force -o a.axs
	[ "$stderr" = "anim-parse: leg_02.amc:8:1: warning: frame 4 comes after frame 1; frames are read as if no frame were missing" ]
	sed '/^shin/d' leg_01.amc >leg_02.amc
	run -0 --separate-stderr anim-parse -q leg_02.amc --force -o a.axs
	[ "$stderr" = "anim-parse: leg_02.amc: warning: bone 'shin': free to move, but without motion in the file" ]
	sed -i 's/dof rx$/dof rx l/' leg.asf
	sed '/^shin/s/$/ 1/' leg_01.amc >leg_02.amc
	run -0 --separate-stderr anim-parse -q leg_02.amc --force -o a.axs
	[ "$stderr" = "anim-parse: leg_02.amc: warning: bone 'shin': changes of length are not read" ]
	sed -i 's/orientation 0 0 0/orientation 0 90 0/; s/dof rx l/dof rx/' leg.asf
	run -0 --separate-stderr anim-parse -q leg_01.amc --force -o a.axs
	[[ $stderr == "anim-parse: leg_01.amc: warning: the root of the skeleton has an orientation, which programs read differently"* ]]
}

@test "every beginning of a motion that ends inside a frame is refused" {
	leg
	local cut size
	size=$(wc -c <leg_01.amc)
	for ((cut = 1; cut < size - 9; cut++)); do
		head -c $cut leg_01.amc >cut.amc
		run --separate-stderr anim-parse -q -f amc -x asf=leg.asf --force -o cut.axs cut.amc
		# A first frame without some bones gives a warning.
		[ "$status" -eq 1 ] || [[ $stderr == *"without motion in the file"* ]] ||
			[ "$(tail -n 1 cut.amc | cut -c 1-5)" = "shin " ] || { echo "$cut: $status $stderr" && false; }
		[ "$status" -le 1 ]
	done
}
