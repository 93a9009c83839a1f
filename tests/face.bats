#!/usr/bin/env bats
# Face capture: tables and JSON in all their spellings, their times, and the names of shapes.

load helper

# live_link FIRST STEP ROWS: a table as Live Link Face writes it, from this number of a frame on, at 60 frames a second.
live_link() {
	echo Timecode,BlendShapeCount,EyeBlinkLeft,EyeBlinkRight,JawOpen,MouthSmileLeft,HeadYaw,LeftEyePitch
	awk -v first="$1" -v step="$2" -v rows="$3" 'BEGIN {
		for (k = 0; k < rows; k++) {
			frame = first + k * step
			printf "14:03:%02d:%02d.207,61,%.4f,0.25,%.5f,0,-0.1,0.2\n", int(frame / 60), frame % 60, k / 100, k / 7
		}
	}'
}

# values FILE PROPERTY: the values of a track, separated by blanks.
values() {
	anim-parse -q "$1" | anim-emit -q json | grep "\"property\":\"$2\"" | sed 's/.*"value":\[//; s/\].*//; s/,/ /g'
}

@test "a table of Live Link Face becomes blend shapes at the rate of its timecodes" {
	live_link 50 1 20 >face.csv
	run -0 --separate-stderr anim-info face.csv
	same <(printf '%s\n' "$output" | head -n 8) - <<-'EOT'
		face: 0.3167 s, 60/s, from face, gltf axes
		  node  property                    type   kind      keys  time         values
		  .     blend_shape/eyeBlinkLeft    float  Raw 60/s    20  0 .. 0.3167  0 .. 0.19
		  .     blend_shape/eyeBlinkRight   float  Raw 60/s    20  0 .. 0.3167  0.25
		  .     blend_shape/jawOpen         float  Raw 60/s    20  0 .. 0.3167  0 .. 2.7143
		  .     blend_shape/mouthSmileLeft  float  Raw 60/s    20  0 .. 0.3167  0
		  .     HeadYaw                     float  Raw 60/s    20  0 .. 0.3167  -0.1
		  .     LeftEyePitch                float  Raw 60/s    20  0 .. 0.3167  0.2
	EOT
	[ -z "$stderr" ]
	[ "$(values face.csv blend_shape/jawOpen | cut -d ' ' -f 1-3)" = "0 0.14286 0.28571" ]
	anim-parse -q face.csv | anim-dump | grep -q 'face.timecode.*14:03:00:50.207'
	live_link 0 2 60 >half.csv
	[[ $(anim-info half.csv) == "half: "*", 30/s"* ]]
}

@test "without the end of a second the rate is a guess, which a note reports and an option changes" {
	live_link 0 1 10 >face.csv
	run -0 --separate-stderr anim-parse face.csv --force -o a.axs
	[ "$stderr" = "anim-parse: face.csv: note: no frame rate: 60 frames per second are assumed; to choose another one, use -x fps=RATE" ]
	run -0 --separate-stderr anim-parse -x fps=24 face.csv --force -o a.axs
	[ -z "$stderr" ]
	[[ $(anim-info a.axs) == "face: 0.375 s, 24/s"* ]]
}

# shapes [FIRST LINE]: a table of three shapes whose times are read from standard input.
shapes() {
	local k=0 time
	printf '%s,EyeBlinkLeft,JawOpen,MouthClose\n' "${1:-Timecode}"
	while read -r time; do
		printf '%s,%s,0.5,0\n' "$time" "0.$((k++ % 10))"
	done
}

# clock HEAD NOTE: face.csv has this first line of anim-info, and this note.
clock() {
	run -0 --separate-stderr anim-parse face.csv -o face.axs --force
	[[ $stderr == ${2:+"anim-parse: face.csv: note: "}$2 ]] || { echo "$stderr"; return 1; }
	[[ $(anim-info face.axs) == "face: $1"* ]] || { anim-info face.axs | head -n 3; return 1; }
}

@test "several frames of one time are spread, and the others keep their times" {
	local spread="several frames have the same time, so they are spread evenly until the next one"
	for ((k = 0; k < 120; k++)); do printf '10:00:%02d:%02d\n' $((k / 60)) $((k % 60 / 2)); done | shapes >face.csv
	clock "1.9833 s, 60/s" "$spread"
	{ head -n 1 face.csv; tail -n +3 face.csv; } >cut.csv && mv cut.csv face.csv
	clock "1.9667 s, 60/s" "$spread"
	for ((k = 0; k < 300; k++)); do printf '10:00:%02d:%02d\n' $((k / 100)) $((k % 100 / 4)); done | shapes >face.csv
	clock "2.99 s, 100/s" "$spread"
	for ((k = 0; k < 8; k++)); do printf '10:00:00:%02d\n' $((k / 2)); done | shapes >face.csv
	clock "0.1167 s, 60/s" "no frame rate: 60 frames per second are assumed"*"$spread"
	anim-parse -q -x fps=50 face.csv -o face.axs --force
	[[ $(anim-info face.axs) == "face: 0.14 s, 50/s"* ]]
	printf '0\n0\n0.04\n0.04\n0.08\n0.08\n' | shapes time >face.csv
	clock "0.1 s, 50/s" "$spread"
}

@test "timecodes with milliseconds, after midnight and with dropped numbers are times" {
	for ((k = 0; k < 90; k++)); do printf '00:00:%02d:%03d\n' $((k / 30)) $((k % 30 * 1000 / 30)); done | shapes >face.csv
	clock "2.9667 s, 30/s" "the last numbers of timecodes are read as milliseconds, because they have three digits"
	printf '00:00:00:%s\n' 000 033 067 100 | shapes >face.csv
	clock "0.1 s, 30/s" "the last numbers of timecodes are read as milliseconds, because they have three digits"
	printf '%s\n' 23:59:59:57.000 23:59:59:58.000 23:59:59:59.000 00:00:00:00.000 00:00:00:01.000 00:00:00:02.000 | shapes >face.csv
	clock "0.0833 s, 60/s"
	printf '%s\n' 23:59:59.9 23:59:59.95 00:00:00.0 00:00:00.05 | shapes >face.csv
	clock "0.15 s, 20/s"
	printf '%s\n' 10:00:00:05 09:00:00:05 | shapes >face.csv
	run -1 --separate-stderr anim-parse face.csv
	[[ $stderr == *"frame 2 is earlier than the one before it" ]]
	local drop="timecodes are drop-frame, so their rate is 29.97 or 59.94 per second"
	printf '%s\n' 10:00:59:27 10:00:59:28 10:00:59:29 10:01:00:02 10:01:00:03 | shapes >face.csv
	clock "0.1335 s, 29.97/s" "$drop"
	printf '%s\n' '10:08:59;28' '10:08:59;29' '10:09:00;02' '10:09:00;03' | shapes >face.csv
	clock "0.1001 s, 29.97/s" "$drop"
	printf '%s\n' '10:09:59;28' '10:09:59;29' '10:10:00;00' '10:10:00;01' | shapes >face.csv
	clock "0.1001 s, 29.97/s" "$drop"
	printf '%s\n' 10:00:59:58 10:00:59:59 10:01:00:04 10:01:00:05 | shapes >face.csv
	clock "0.0501 s, 59.9401/s" "$drop"
	printf '%s\n' 10:00:59:28 10:00:59:29 10:01:00:00 10:01:00:01 | shapes >face.csv
	clock "0.1 s, 30/s"
}

@test "the unit of plain times is found from their distance, with a note that names the option" {
	printf '%s\n' 1700000000000 1700000000033 1700000000066 | shapes timestamp >face.csv
	clock "0.066 s, 30.303/s" "no unit of times: milliseconds are assumed, because frames are 33 apart; for seconds, use -x read-as=seconds"
	anim-parse -q -x read-as=seconds face.csv -o face.axs --force
	[[ $(anim-info face.axs) == "face: 66 s,"* ]]
	printf '%s\n' 0 33333 66667 100000 | shapes time >face.csv
	clock "0.1 s, 30/s" *"microseconds are assumed"*
	printf '%s\n' 1700000000000000000 1700000000033333504 1700000000066667008 | shapes timestamp >face.csv
	clock "0.0667 s, 30/s" *"nanoseconds are assumed"*
	printf '%s\n' 1700000000.000 1700000000.040 1700000000.080 | shapes timestamp >face.csv
	clock "0.08 s, 25/s"
	printf '%s\n' 0 33 66 99 | shapes timestamp_ms >face.csv
	clock "0.099 s, 30.303/s"
	printf '%s\n' 0 5 10 | shapes seconds >face.csv
	clock "10 s,"
	printf '[{"timestamp":0,"blendshapes":{"eyeBlinkLeft":0,"jawOpen":0,"mouthClose":0}},{"timestamp":33,"blendshapes":{"eyeBlinkLeft":0,"jawOpen":0.1,"mouthClose":0}},{"timestamp":66,"blendshapes":{"eyeBlinkLeft":0,"jawOpen":0.2,"mouthClose":0}},{"timestamp":99,"blendshapes":{"eyeBlinkLeft":0,"jawOpen":0.3,"mouthClose":0}}]' >face.json
	run -0 --separate-stderr anim-parse face.json -o face.axs --force
	[[ $stderr == *"milliseconds are assumed, because frames are 33 apart"* && $(anim-info face.axs) == "face: 0.099 s,"* ]]
}

@test "a rate near a usual one is kept if the take is so long that it is another one" {
	for ((k = 0; k <= 3000; k++)); do awk "BEGIN { printf \"%.3f\\n\", $k / 29.98 }"; done | shapes time >face.csv
	clock "100.0667 s, 29.98/s"
	for ((k = 0; k <= 300; k++)); do awk "BEGIN { printf \"%.3f\\n\", $k / 30 }"; done | shapes time >face.csv
	clock "10 s, 30/s"
}

@test "weights in percent become weights, with a note; other large ones stay with a warning" {
	printf 'Timecode,EyeBlinkLeft,JawOpen,MouthClose,HeadYaw\n0,0,40,100,50\n0.1,0,41,0,50\n' >face.csv
	clock "0.1 s, 10/s" "weights of up to 100 are read as percent; if they are not, use -x read-as=weights"
	[ "$(values face.axs blend_shape/jawOpen)" = "0.4 0.41" ]
	[ "$(values face.axs HeadYaw)" = "50 50" ]
	anim-convert -q -e 's/^[.]$/Face/' face.csv face.anim
	grep -q 'value: 40$' face.anim
	anim-parse -q -x read-as=weights face.csv -o face.axs --force
	[ "$(values face.axs blend_shape/jawOpen)" = "40 41" ]
	printf 'Timecode,EyeBlinkLeft,JawOpen,MouthClose\n0,0,2,1\n0.1,0,1,0\n' >face.csv
	clock "0.1 s, 10/s"
	anim-parse -q -x read-as=percent face.csv -o face.axs --force
	[ "$(values face.axs blend_shape/jawOpen)" = "0.02 0.01" ]
	printf 'Timecode,EyeBlinkLeft,JawOpen,MouthClose\n0,0,255,1\n0.1,0,1,0\n' >face.csv
	run -0 --separate-stderr anim-parse face.csv -o face.axs --force
	[[ $stderr == *"warning: weights of up to 255 are too large for percent; they stay unchanged, and -x read-as=percent divides them by 100" ]]
}

@test "columns of Audio2Face-3D, decimal commas and Ctrl-Z at the end are read" {
	printf 'timeCode,blendShapes.EyeBlinkLeft,blendShapes.JawOpen,blendShapes.MouthSmileLeft,blendShapes.Own\n0.00000,0.0,0.0,0.0,1\n0.03333,0.1,0.2,0.3,1\n0.06667,0.2,0.4,0.6,1\n' >face.csv
	clock "0.0667 s, 30/s"
	[ "$(values face.axs blend_shape/jawOpen)" = "0 0.2 0.4" ]
	[ "$(values face.axs blend_shape/Own)" = "1 1 1" ]
	printf 'Timecode;EyeBlinkLeft;JawOpen;MouthClose\n0,00;0,1;0,25;1\n0,04;,2;-0,5;1\n\032' >face.csv
	clock "0.04 s, 25/s"
	[ "$(values face.axs blend_shape/jawOpen)" = "0.25 -0.5" ]
	printf 'Timecode;EyeBlinkLeft;JawOpen;MouthClose\n0,00;0,1;0,2,5;1\n' >face.csv
	run -1 --separate-stderr anim-parse face.csv
	[ "$stderr" = "anim-parse: face.csv:2:10: '0,2,5' is not a number" ]
}

@test "dropped frames leave keys at their own times" {
	live_link 50 1 20 | sed 5,7d >face.csv
	run -0 anim-info face.csv
	[[ $output == *"blend_shape/jawOpen         float  Curve Linear    17  0 .. 0.3167"* ]]
}

@test "names in any case and spelling, other separators, quotes, marks and line ends are the same" {
	printf 'time,jawOpen,eyeBlinkLeft,mouthSmileRight\n0,0.1,0.2,0.3\n0.04,0.4,0.5,0.6\n' >a.csv
	printf '\xef\xbb\xbftime;JawOpen;eye_blink_left;MouthSmile_R\r\n0;0.1;0.2;0.3\r\n0.04;.4;0.5;6e-1\r\n' >b.csv
	printf '"Time"\t"jaw_open"\t"EYEBLINK_L"\t"mouth-smile-right"\n"0"\t"0.1"\t0.2\t0.3\n\n0.04\t0.4\t0.5\t0.6' >c.csv
	printf 'timestamp_ms,frame,jaw open,eyeBlink.L,mouthSmileR\n0,7,0.1,0.2,0.3\n40,8,0.4,0.5,0.6\n' >d.csv
	anim-parse -q --source-name x a.csv | anim-dump >a
	grep -q 'rate 25' a || grep -q '25/1' a || grep -q 25 a
	for name in b c d; do
		anim-parse -q --source-name x $name.csv | anim-dump >$name
		same a $name
	done
}

@test "of several columns with times, the first one counts, and a name that appears twice is refused" {
	printf 'Timecode,time,frame,frame,jawOpen,jawLeft,jawRight\n' >clocks.csv
	for k in 0 1 2 3; do echo "00:00:00:0$k,$k.5,$k,9,0,0,0"; done >>clocks.csv
	[[ $(anim-info -q clocks.csv) == "clocks: 0.05 s, 60/s"* ]]
	printf 'frame,time,jawOpen,jawLeft,JawOpen\n0,0,1,2,3\n1,2,1,2,4\n' >same.csv
	[[ $(anim-info -q same.csv) == "same: 2 s"*blend_shape/jawOpen*"  1
"*blend_shape/JawOpen*"3 .. 4
"* ]] || { anim-info same.csv; return 1; }
	printf 'jawOpen,jawLeft,jawOpen\n1,2,3\n' >twice.csv
	run -1 --separate-stderr anim-parse twice.csv --force -o a.axs
	[ "$stderr" = "anim-parse: twice.csv:1:17: 'jawOpen' appears twice" ]
	[ ! -e a.axs ]
	printf 'JawOpen,jawLeft,JawOpen\n1,2,3\n' >twice.csv # it is read as jawOpen
	run -1 --separate-stderr anim-parse twice.csv --force -o a.axs
	[ "$stderr" = "anim-parse: twice.csv:1:17: 'JawOpen' appears twice" ]
	[ ! -e a.axs ]
	# 100,000 columns of frames cost as much as other columns
	{
		printf 'frame,%.0s' {1..100000} && echo jawOpen,jawLeft,jawRight
		printf '1,%.0s' {1..100000} && echo 0,0,0
		printf '2,%.0s' {1..100000} && echo 0,0,0
	} >many.csv
	timeout 10 anim-parse -q -f face many.csv --force -o a.axs
}

@test "empty cells repeat the row before them, rows of other lengths and words are refused" {
	printf 'time,jawOpen,jawLeft,jawRight\n0,.1,.2,.3\n1,,.2,.3\n' >gap.csv
	run -0 --separate-stderr anim-parse gap.csv --force -o a.axs
	[ "$stderr" = "anim-parse: gap.csv: warning: empty cells get the value of the row before them" ]
	[ "$(values gap.csv blend_shape/jawOpen)" = "0.1 0.1" ]
	refuse() { # TEXT MESSAGE
		printf 'time,jawOpen,jawLeft,jawRight\n%b' "$1" >bad.csv
		rm -f a.axs
		run -1 --separate-stderr anim-parse bad.csv --force -o a.axs
		[ "$stderr" = "anim-parse: bad.csv:$2" ] && [ ! -e a.axs ] || { echo "$stderr"; return 1; }
	}
	refuse '0,1,2\n' "2:6: the row has fewer cells than the first line"
	refuse '0,1,2,3,4\n' "2:9: the row has more cells than the first line"
	refuse '0,1,x,3\n' "2:5: 'x' is not a number"
	refuse 'noon,1,2,3\n' "2:1: 'noon' is not a time"
	refuse '0,1,2,3\n00:00:00:01,1,2,3\n' "3:1: '00:00:00:01' is not a time like those before it"
	refuse '1,1,2,3\n0,1,2,3\n' " frame 2 is earlier than the one before it"
	refuse '0,1,2,1e99\n' "2:7: '1e99' is not a number"
}

@test "our own tables are not taken for faces" {
	live_link 0 1 3 >face.csv
	anim-convert -q face.csv own.csv
	run -1 anim-info own.csv
	[[ $output == *"csv is not read"* ]]
	anim-convert -q --wide face.csv wide.csv
	run -1 anim-info wide.csv
	[[ $output == *"csv is not read"* ]]
	anim-convert -q face.csv lines.json
	[ "$(anim-info lines.json | sed 1d)" = "$(anim-info face.csv | sed 1d)" ]
}

@test "JSON of Audio2Face, by names and by categories gives the same weights" {
	printf '{"exportFps": 25, "trackPath": "a.wav", "numPoses": 3, "facsNames": ["jawOpen", "jawLeft", "tongueUp"], "weightMat": [[0.5, 0.25, 1], [1, 0, 0.125]], "joints": []}' >a.json
	printf '{"frames": [{"weights": [0.5, 0.25, 1], "time": 0, "rotation": []}, {"weights": [1, 0, 0.125], "time": 0.04}], "names": ["jawOpen", "JawLeft", "tongueUp"], "metadata": {"fps": 25, "blend_shapes": ["jawRight"]}}' >b.json
	printf '[{"time": 3, "blendshapes": {"jawOpen": 0.5, "jaw_left": 0.25, "tongueUp": 1, "x": "jawRight"}}, {"time": 3.04, "blendshapes": {"jawOpen": 1, "jaw_left": 0, "tongueUp": 0.125}}]' >c.json
	printf '{"fps": 30, "frames": [{"timestampMs": 80, "faceBlendshapes": [{"categories": [{"index": 0, "score": 0.5, "categoryName": "jawOpen"}, {"index": 1, "score": 0.25, "categoryName": "jawLeft", "displayName": "jawRight"}, {"score": 1, "categoryName": "tongueUp"}]}]}, {"timestampMs": 120, "faceBlendshapes": [{"categories": [{"index": 0, "score": 1, "categoryName": "jawOpen"}, {"index": 1, "score": 0, "categoryName": "jawLeft"}, {"score": 0.125, "categoryName": "tongueUp"}]}]}]}' >d.json
	for name in a b c d; do
		[ "$(values $name.json blend_shape/jawOpen)" = "0.5 1" ] || { echo $name; return 1; }
		[ "$(values $name.json blend_shape/jawLeft)" = "0.25 0" ]
		[ "$(values $name.json blend_shape/tongueUp)" = "1 0.125" ]
		[[ $(anim-info $name.json) == "$name: 0.04 s, 25/s"* ]] || { anim-info $name.json; return 1; }
	done
}

@test "frames without a face leave a gap, and frames that differ are refused with their number" {
	shape() { printf '{"timestampMs": %s, "blendshapes": %s}' "$1" "$2"; }
	all='{"jawOpen": 0.5, "jawLeft": 0, "jawRight": 0}'
	echo "[$(shape 0 "$all"), $(shape 33 '[]'), $(shape 66 "$all"), $(shape 99 "$all")]" >gap.json
	[[ $(anim-info gap.json) == *"Curve Linear     3  0 .. 0.099"* ]]
	refuse() { # TEXT MESSAGE
		echo "$1" >bad.json
		run -1 --separate-stderr anim-parse bad.json --force -o a.axs
		[[ $stderr == "anim-parse: bad.json:"*"$2" ]] && [ ! -e a.axs ] || { echo "$stderr"; return 1; }
	}
	refuse "[$(shape 0 "$all"), $(shape 1 '{"jawOpen": 1, "cheekPuff": 1}')]" "frame 2: has a shape that the frames before it do not have"
	refuse "[$(shape 0 "$all"), {\"blendshapes\": $all}]" "frame 2: has no time"
	refuse '{"facsNames": ["jawOpen", "jawLeft", "jawRight"], "weightMat": [[1, 2, 3], [1, 2]]}' "frame 2: has fewer weights than the frames before it"
	refuse '{"facsNames": ["jawOpen", "jawLeft", "jawRight"], "weightMat": [[1, 2]]}' "frames have 2 weights, but there are 3 names"
	refuse '{"facsNames": ["jawOpen", "jawLeft", "jawRight"], "weightMat": []}' "no frame has weights"
}

@test "names of shapes change between ARKit, Unified Expressions, Perfect Sync and VRM" {
	live_link 0 1 3 >face.csv
	anim-rename -q --face arkit:unified face.csv -o u.axs
	[[ $(anim-info u.axs) == *blend_shape/EyeClosedLeft*blend_shape/MouthSmileLeft* ]]
	anim-rename -q --face unified:arkit u.axs | anim-dump >back
	anim-parse -q face.csv | anim-rename -q --face arkit:arkit | anim-dump >same
	same <(grep -E '^(track|attr)' back) <(grep -E '^(track|attr)' same)
	anim-rename -q -e 's/^[.]$/Body/' face.csv | anim-rename -q --face arkit:perfectsync | anim-info | grep -q '^  \.     expression/JawOpen '
	run -0 --separate-stderr anim-rename -q --face arkit:vrm face.csv -o v.axs
	[[ $(anim-info v.axs) == *expression/blinkLeft*expression/blinkRight*blend_shape/jawOpen* ]]
	run -0 --separate-stderr anim-rename --face arkit:vrm u.axs -o v.axs
	[[ $stderr == *"name kept, because"* ]]
	run -2 --separate-stderr anim-rename --face arkit:maya face.csv
	[[ $stderr == "anim-rename: --face: 'arkit:maya' is not FROM:TO, each one of arkit, unified, perfectsync, vrm"* ]]
	run -1 --separate-stderr anim-rename --strict --face vrm:arkit "$DATA/bvh/arm.bvh" -o v.axs
	[[ $stderr == *"no shape has a name of vrm"* ]]
}

@test "shapes of two meshes that become one expression give a warning" {
	printf 'time,jawOpen,eyeBlinkLeft,eyeBlinkRight\n0,0,0,0\n1,1,0,0\n' >face.csv
	anim-parse -q face.csv | anim-emit -q json | sed '/"track"/{h; s/"node":"[^"]*"/"node":"Head"/p; g; s/"node":"[^"]*"/"node":"Teeth"/}' |
		anim-parse -q - >two.axs
	run -0 --separate-stderr anim-rename --face arkit:vrm -o vrm.axs two.axs
	[[ $stderr == *"warning: 2 tracks: same new name as another track of the clip (first '. expression/blinkLeft')"* ]]
}

@test "a file of others has the numbers of its table" {
	[ -d "$ANIM_CORPUS/face" ] || skip "no files of others in ANIM_CORPUS"
	for file in "$ANIM_CORPUS"/face/*.csv; do
		for shape in jawOpen eyeBlinkLeft mouthFunnel; do
			column=$(head -n 1 "$file" | tr ',' '\n' | grep -inx $shape | cut -d : -f 1)
			paste <(values "$file" blend_shape/$shape | tr ' ' '\n') <(sed 1d "$file" | cut -d , -f "$column") |
				awk '{ d = $1 - $2; if (d > 1e-6 || d < -1e-6 || NF != 2) bad = 1 } END { exit bad || NR < 2 }'
		done
	done
}

@test "100 MB of a table are read in the memory of a tile and a track" {
	not_sanitized "their own memory would be measured"
	not_bytewise "it takes long"
	command -v /usr/bin/time >/dev/null || skip "time is not installed"
	awk 'BEGIN {
		printf "time,jawOpen,jawLeft,jawRight"
		for (i = 0; i < 60; i++) printf ",shape%d", i
		row = ""
		for (i = 0; i < 63; i++) row = row ",0.1234567"
		print ""
		for (k = 0; k < 150000; k++) print k / 64 row
	}' >large.csv
	/usr/bin/time -f %M -o kib anim-parse -q large.csv --force -o large.axs
	[ "$(cat kib)" -le 20480 ] || { cat kib; return 1; }
}
