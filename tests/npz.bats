#!/usr/bin/env bats
# Numpy arrays: SMPL bodies, positions of joints, the tables of anim-emit, and files that must be refused.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
}

make_file() {
	python3 "$ROOT/tests/npz_file.py" make "$@"
}

# below LIMIT COMMAND...: the number that tests/npz_file.py prints is at most the limit.
below() {
	local limit=$1 found
	shift
	found=$(python3 "$ROOT/tests/npz_file.py" "$@") || return 1
	awk -v found="$found" -v limit="$limit" 'BEGIN { exit !(found <= limit) }' || { echo "$*: $found"; return 1; }
}

lines() {
	anim-parse -q "$1" | anim-emit -q json -o "$1.jsonl" --force
}

@test "rotations of all models, types and orders equal those of an evaluator of its own" {
	for kind in amass smplx smpl body big float bigfloat fortran cube version3 deflated bytes late whole; do
		make_file $kind $kind.npz
		lines $kind.npz
		below 1e-6 poses $kind.npz $kind.npz.jsonl || { echo "$kind"; return 1; }
	done
	make_file half half.npz
	lines half.npz
	below 1e-6 poses half.npz half.npz.jsonl
}

@test "arrays of single parts give the same tracks as one array" {
	make_file smplx whole.npz
	make_file parts parts.npz
	anim-parse -q --source-name x whole.npz | anim-dump >whole.axt
	anim-parse -q --source-name x parts.npz | anim-dump >parts.axt
	same whole.axt parts.axt
}

@test "the tree has the joints of the model, the clip its rate, gender and shape" {
	make_file amass walk.npz
	run -0 --separate-stderr anim-info walk.npz
	[ "${lines[0]}" = "walk: 0.05 s, 120/s, from smpl, gltf axes" ]
	[ -z "$stderr" ]
	[ "$(anim-info --tree walk.npz | grep -c ' position ')" -eq 52 ]
	anim-parse -q walk.npz | anim-dump | grep -q 'smpl.betas.*0.5 -1 2'
	anim-parse -q walk.npz | anim-dump | grep -q 'smpl.gender.*neutral'
	run -0 --separate-stderr anim-parse walk.npz --force -o walk.axs
	[[ $stderr == *"no skeleton, so joints get the mean lengths of adults"*"anim-retarget --to MODEL"* ]]
}

@test "all spellings of frame rates are read; without one the note names the option" {
	make_file late a.npz
	[[ $(anim-info a.npz) == "a: 0.1001 s, 59.9401/s"* ]]
	make_file whole b.npz
	[[ $(anim-info b.npz) == "b: 0.2 s, 30/s"* ]]
	make_file none c.npz
	run -0 --separate-stderr anim-parse c.npz --force -o c.axs
	[[ $stderr == *"note: no frame rate: 30 frames per second are assumed; to choose another one, use -x fps=RATE"* ]]
	run -0 --separate-stderr anim-parse -x fps=24 c.npz --force -o c.axs
	[[ $stderr != *"frame rate"* ]] && [[ $(anim-info c.axs) == "c: 0.25 s, 24/s"* ]]
	run -2 anim-parse -x fps=quick c.npz
}

@test "Z up becomes Y up, and the body shows which axis is up" {
	make_file amass z.npz
	make_file yup y.npz
	run -0 --separate-stderr anim-parse y.npz --force -o y.axs
	[[ $stderr == *"note: no upward axis: the body is upright along Y, so this axis is taken; if that is wrong, use --up z"* ]]
	anim-emit -q json y.axs >y.jsonl
	below 1e-6 poses y.npz y.jsonl y
	anim-parse -q --up z y.npz | anim-emit -q json >z.jsonl
	below 1e-6 poses y.npz z.jsonl
	make_file aist aist.npz
	lines aist.npz
	below 1e-6 poses aist.npz aist.npz.jsonl y
}

@test "a single array of rotations is read, and positions of joints become rotations" {
	make_file single s.npy
	[[ $(anim-info s.npy) == "s: "* ]]
	for kind in joints hands; do
		make_file $kind $kind.npy 6
		run -0 --separate-stderr anim-parse $kind.npy -o $kind.axs
		[[ $stderr == *"rotations are found from positions of joints"*" mm from their positions"* ]]
		[[ $stderr == *"20 frames per second are assumed, as in HumanML3D"* ]]
		anim-bake -q --world -r 20 $kind.axs | anim-emit -q json >$kind.jsonl
		below 1e-6 places $kind.npy $kind.jsonl
	done
}

@test "matrices, quaternions and six numbers per joint are rotations, in any order of the axes" {
	make_file smpl truth.npz
	for form in axis matrix xyzw wxyz 6d-rows 6d-columns 6d-pairs; do
		for layout in rows flat split batch last middle fortran; do
			python3 "$ROOT/tests/npz_file.py" form $form:$layout form.npz
			run -0 --separate-stderr anim-parse form.npz -o form.axs --force
			case $form in
				xyzw) [[ $stderr == *"quaternions x y z w, because the last is the largest on average; for w x y z, use -x read-as=wxyz"* ]] ;;
				wxyz) [[ $stderr == *"quaternions w x y z, because the first is the largest on average; for x y z w, use -x read-as=xyzw"* ]] ;;
				6d-rows) [[ $stderr == *"six numbers per joint are read as two rows of a rotation matrix"*"for columns, use -x read-as=6d-columns"* ]] ;;
				6d-columns) [[ $stderr == *"six numbers per joint are read as two columns of a rotation matrix"*"for rows, use -x read-as=6d-rows"* ]] ;;
			esac || { echo "$form $layout: $stderr"; return 1; }
			lines form.npz
			below 1e-6 poses truth.npz form.npz.jsonl || { echo "$form $layout"; return 1; }
		done
	done
	for form in wxyz xyzw 6d-rows 6d-columns; do
		python3 "$ROOT/tests/npz_file.py" form $form form.npz
		run -0 --separate-stderr anim-parse -x read-as=$form form.npz -o form.axs --force
		[[ $stderr != *"per joint"* ]]
		anim-emit -q json form.axs >form.jsonl
		below 1e-6 poses truth.npz form.jsonl
	done
	python3 "$ROOT/tests/npz_file.py" form xyzw form.npz
	anim-parse -q -x read-as=wxyz form.npz | anim-emit -q json >form.jsonl
	run -1 below 1e-6 poses truth.npz form.jsonl
	run -2 --separate-stderr anim-parse -x read-as=wxzy form.npz
	[[ ${stderr_lines[0]} == "anim-parse: -x read-as: 'wxzy' is not one or more of: positions, rotations, wxyz"* ]]
}

@test "angles that are too large for radians are degrees, with a note" {
	make_file smpl truth.npz
	for layout in rows split; do
		python3 "$ROOT/tests/npz_file.py" form degrees:$layout form.npz
		run -0 --separate-stderr anim-parse form.npz -o form.axs --force
		[[ $stderr == *"angles of rotations are read as degrees, because they are too large for radians: "*" on average"* ]]
		anim-emit -q json form.axs >form.jsonl
		below 1e-6 poses truth.npz form.jsonl
	done
	run -0 --separate-stderr anim-parse truth.npz -o form.axs --force
	[[ $stderr != *degrees* ]]
}

@test "a body whose head is down along Y is in the axes of a camera" {
	make_file smpl truth.npz
	python3 "$ROOT/tests/npz_file.py" form matrix:camera all.npz
	python3 "$ROOT/tests/npz_file.py" form matrix:split split.npz
	lines split.npz
	below 1e-6 poses truth.npz split.npz.jsonl
	mkdir x && cd x
	python3 -m zipfile -e ../all.npz .
	python3 -m zipfile -c ../camera.npz poses.npy
	cd .. && mv x/poses.npy x/smpl_poses.npy
	(cd x && python3 -m zipfile -c ../camera.npz smpl_poses.npy)
	run -0 --separate-stderr anim-parse camera.npz --force -o camera.axs
	[[ $stderr == *"note: no upward axis: the body is upright along -Y, so this axis is taken; if that is wrong, use --up y"* ]]
	anim-emit -q json camera.axs >camera.jsonl
	below 1e-6 poses truth.npz camera.jsonl
}

@test "Motion-X has its parts in a row of 322 numbers, and of WHAM's arrays those in the world count" {
	make_file smplx truth.npz
	python3 "$ROOT/tests/npz_file.py" form motion-x x.npy
	lines x.npy
	below 1e-6 poses truth.npz x.npy.jsonl
	grep -q '"node":"pelvis","property":"position"' x.npy.jsonl
	make_file smpl truth.npz
	python3 "$ROOT/tests/npz_file.py" form wham wham.npz
	lines wham.npz
	below 1e-6 poses truth.npz wham.npz.jsonl
}

@test "positions are known by the lengths of bones, with fingers and points after the joints, in any unit and order" {
	for form in 22 24 52 55 45 73 127 52:flat 22:flat 52:mm 55:cm 22:last 52:z-up 127:flat; do
		python3 "$ROOT/tests/npz_file.py" points $form p.npy
		run -0 --separate-stderr anim-parse -x fps=20 p.npy -o p.axs --force
		[[ $stderr == *"three numbers per joint are read as positions, because bones have the lengths of a body; for axes and angles of rotations, use -x read-as=rotations"* || ${form%:*} =~ ^(45|73|127)$ ]] || { echo "$form: $stderr"; return 1; }
		[[ $form != *m || $stderr == *"bones are 1"*" times as long as in metres: "*" is assumed; to choose another one, use --unit"* ]] || { echo "$form: $stderr"; return 1; }
		anim-bake -q --world -r 20 p.axs | anim-emit -q json >p.jsonl
		below 2e-6 places p.npy.truth p.jsonl || { echo "$form"; return 1; }
	done
	python3 "$ROOT/tests/npz_file.py" points 22:mm p.npy
	anim-parse -q --unit cm -x fps=20 p.npy | anim-bake -q --world -r 20 | anim-emit -q json >p.jsonl
	run -1 below 1 places p.npy.truth p.jsonl
	make_file single s.npy
	run -0 --separate-stderr anim-parse s.npy --force -o s.axs
	[[ $stderr == *"three numbers per joint are read as axes and angles of rotations, because as positions bones would not keep their lengths; for positions, use -x read-as=positions"* ]]
	run -0 --separate-stderr anim-parse -x read-as=positions s.npy -o s.axs --force
	[[ $stderr == *"rotations are found from positions of joints"* && $stderr != *"three numbers per joint"* ]]
}

@test "a frame rate can be text; another one is left out, and does not matter with -x fps" {
	make_file smpl a.npz 6
	rate() { # FILE: the same with this array as its rate
		python3 -c 'import sys, zipfile
with zipfile.ZipFile("a.npz") as old, zipfile.ZipFile("b.npz", "w") as new:
    for name in old.namelist():
        new.writestr(name, open(sys.argv[1], "rb").read() if name == "mocap_framerate.npy" else old.read(name))' "$1"
	}
	python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import npz_file as n
open("text", "wb").write(n.text_array("59.94")); open("word", "wb").write(n.text_array("fast", False))
open("two", "wb").write(n.array((2,), [30, 30]))
open("time", "wb").write(n.array((), [.0333]))
open("odd", "wb").write(n.array((), [33.33333]))' "$ROOT/tests"
	rate text
	[[ $(anim-info b.npz) == "b: 0.0834 s, 59.9401/s"* ]]
	rate odd
	anim convert -q b.npz j.json
	anim-info j.json
	for kind in word two time; do
		rate $kind
		run -0 --separate-stderr anim-parse b.npz -o b.axs --force
		[[ $stderr == *"warning: array 'mocap_framerate' is left out: it is not a frame rate from 1 to 1000000; to set one, use -x fps=RATE"* ]]
		run -0 --separate-stderr anim-parse -x fps=60 b.npz -o b.axs --force
		[[ $stderr != *"mocap_framerate"* && $(anim-info b.axs) == "b: 0.0833 s, 60/s"* ]]
	done
}

@test "a height that is too large for metres gets a note" {
	make_file smpl a.npz 6
	run -0 --separate-stderr anim-parse --unit 100 a.npz --force -o a.axs
	[[ $stderr != *"unit"* ]]
	python3 -c 'import sys, zipfile; sys.path.insert(0, sys.argv[1]); import npz_file as n
poses, trans = n.motion(6, 24)
n.archive("b.npz", [("poses", n.array((6, 72), poses)), ("trans", n.array((6, 3), [100 * x for x in trans]))])' "$ROOT/tests"
	run -0 --separate-stderr anim-parse b.npz --force -o b.axs
	[[ $stderr == *"note: no unit of length: in metres, the root is at a height of 90; if that is wrong, use --unit cm or a number of metres"* ]]
	anim-parse -q --unit cm b.npz | anim-emit -q json >b.jsonl
	below 1e-6 poses a.npz b.jsonl
}

@test "what anim-emit npz wrote is read back, and written again with the same bytes" {
	make_file amass walk.npz
	anim-convert -q walk.npz a.npz
	anim-convert -q a.npz b.npz
	same a.npz b.npz
	anim-resample -q --all 29.97 walk.npz -o c.axs
	anim-emit -q npz c.axs -o c.npz
	[[ $(anim-info c.npz) == "c: "*", 29.97/s, from npz"* ]]
	anim-convert -q c.npz d.npz
	same c.npz d.npz
}

@test "columns of angles are left out with a warning, since their unit is not known" {
	anim-parse -q --unit cm "$DATA/bvh/arm.bvh" | anim-emit -q npz -o e.npz
	run -0 --separate-stderr anim-parse e.npz --force -o e.axs
	[ "$stderr" = "anim-parse: e.npz: warning: 3 columns: left out, because npz files do not say the unit and the order of angles; put 'anim-bake' before this (first 'Hips euler.x')" ]
	[[ $(anim-info e.axs) == *"1 clip, 1 track"* ]]
}

@test "bones of a SMPL body are known by their names: it can be retargeted" {
	make_file amass walk.npz
	run -0 --separate-stderr anim-retarget --to "$DATA/vrm/look.vrma" walk.npz -o out.axs
	[[ $(anim-info out.axs) == *leftLowerLeg_n* ]]
	run -0 --separate-stderr anim-retarget -q --to "$ROOT/examples/walker.tscn" walk.npz --force -o out.axs
	[[ $(anim-info out.axs) == *LeftFoot*LeftToes* ]]
}

@test "a SMPL body with the names of VRM is a VRM animation" {
	make_file smplx walk.npz
	anim-convert -q --humanoid smpl:vrm walk.npz walk.vrma
	run -0 anim-info walk.vrma
	[[ $output == *"leftUpperArm"*"leftLittleDistal"* ]]
}

@test "files of others give numpy's numbers" {
	[ -d "$ANIM_CORPUS/npz" ] || skip "no files of others in ANIM_CORPUS"
	for file in "$ANIM_CORPUS"/npz/*.npz; do
		cp "$file" x.npz
		lines x.npz
		below 1e-6 poses x.npz x.npz.jsonl
	done
}

# refused FILE TEXT: the file is refused with one line, and nothing is written.
refused() {
	rm -f out.axs
	run -1 --separate-stderr anim-parse "$1" --force -o out.axs
	[ "${#stderr_lines[@]}" -eq 1 ] && [[ $stderr == "anim-parse: $1:"*"$2"* ]] && [ ! -e out.axs ] || { echo "$1: $stderr"; return 1; }
}

@test "pickled objects, other arrays and wrong shapes are refused by name" {
	npy() { python3 "$ROOT/tests/npz_file.py" npy "$@"; }
	npy o.npy '|O' '(3,)' 24
	refused o.npy "holds pickled Python objects, which are never loaded"
	npy f.npy '<f4' '(2,263)' 2104
	refused f.npy "features of HumanML3D"
	npy w.npy '<f4' '(2,60)' 480
	refused w.npy "the shape (2, 60) is not frames x joints x numbers: known are 24, 52, 55 and 22 joints"
	npy batch.npy '<f4' '(4,22,3,5)' 5280
	refused batch.npy "the shape (4, 22, 3, 5) is not frames x joints x numbers; if its first axis counts motions, save one of them with numpy.save('one.npy', a[0])"
	npy zeros.npy '<f4' '(2,24,3,3)' 1728
	refused zeros.npy "9 numbers of joint 0 in frame 0 are not a rotation"
	npy zeros.npy '<f4' '(2,24,4)' 768
	refused zeros.npy "4 numbers of joint 0 in frame 0 are not a rotation"
	printf '\200\004\225abc' >x.pkl
	refused x.pkl "a pickle of Python is not read; loading it runs its code; if you trust it, make an npz of its arrays: python3 -c"
	python3 -c 'import zipfile; zipfile.ZipFile("x.pt", "w").writestr("archive/data.pkl", "x")'
	refused x.pt "a file of PyTorch is not read"
	npy t.npy '<U3' '(2,3)' 72
	refused t.npy "holds no numbers"
	npy long.npy '<f8' '(4000000000,4000000000,4000000000)' 8
	refused long.npy "the shape is too large"
	npy cut.npy '<f8' '(1000000000,156)' 800
	refused cut.npy "the file ends too early"
	npy more.npy '<f8' '(2,72)' 1160
	refused more.npy "bytes after the last number"
	python3 "$ROOT/tests/npz_file.py" zip other.npz motion=o.npy
	refused other.npz "array 'motion': holds pickled Python objects, which are never loaded; if you trust the file, make an npz of its arrays: python3 -c"
	python3 "$ROOT/tests/npz_file.py" zip none.npz features=f.npy
	refused none.npz "no motion among the arrays (features)"
	npy times.npy '<f8' '(1,)' 8
	npy names.npy '<U0' '(200000000,)' 0
	python3 "$ROOT/tests/npz_file.py" zip empty.npz times=times.npy names=names.npy
	refused empty.npz "array 'names': needs one text per column"
	npy root.npy '<f8' '(2,3)' 48
	npy pca.npy '<f8' '(2,10)' 160
	python3 "$ROOT/tests/npz_file.py" zip pca.npz root_orient=root.npy left_hand_pose=pca.npy
	run -0 --separate-stderr anim-parse pca.npz --force -o out.axs
	[[ $stderr == *"array 'left_hand_pose' is left out: its shape (2, 10) is not rotations of its joints"* ]]
	npy betas.npy '<f8' '(10,500)' 40000
	python3 "$ROOT/tests/npz_file.py" zip betas.npz root_orient=root.npy betas=betas.npy
	run -0 --separate-stderr anim-parse betas.npz --force -o out.axs
	[[ $stderr == *"warning: array 'betas' is left out: it is not the shape of one body"* ]]
	npy a.npy '<f8' '(2,156)' 2496
	npy b.npy '<f8' '(3,3)' 72
	python3 "$ROOT/tests/npz_file.py" zip frames.npz poses=a.npy trans=b.npy
	refused frames.npz "arrays have different numbers of frames: the root has 2, the translation 3"
}

@test "numbers that are not finite are refused with their frame" {
	make_file nan nan.npz 4
	refused nan.npz "array 'poses': a number in frame 2 is not finite or too large"
}

@test "every prefix of an archive is refused; a flipped byte is refused or changes nothing but names" {
	make_file body s.npz 2
	size=$(stat -c %s s.npz)
	for ((n = 1; n < size; n += $(stride 97))); do
		head -c $n s.npz >cut.npz
		run -1 anim-parse -f npz cut.npz --force -o out.axs
		[ ! -e out.axs ] || { echo $n; return 1; }
	done
	{ cat s.npz; echo; } >more.npz
	refused more.npz "bytes after the end of the archive"
	for ((n = 0; n < size; n += $(stride 61))); do
		python3 -c "d = bytearray(open('s.npz', 'rb').read()); d[$n] ^= 5; open('bad.npz', 'wb').write(d)"
		run anim-parse -q -f npz bad.npz --force -o out.axs
		[ "$status" -le 1 ]
		rm -f out.axs
	done
}

@test "an archive that swells, is encrypted or was written to a pipe is refused" {
	python3 - "$ROOT/tests" <<-'PY'
		import sys, zipfile
		sys.path.insert(0, sys.argv[1])
		import npz_file
		zeros = npz_file.npy("<f8", (80000, 156), bytes(8 * 156 * 80000))
		npz_file.archive("bomb.npz", [("poses", zeros)], True)
		class Pipe:
		    def __init__(self, path): self.file = open(path, "wb")
		    def write(self, data): return self.file.write(data)
		    def flush(self): self.file.flush()
		with zipfile.ZipFile(Pipe("pipe.npz"), "w") as out:
		    out.writestr("poses.npy", npz_file.array((1, 72), [0] * 72))
		data = bytearray(open("pipe.npz", "rb").read())
		data[6] = 1
		open("locked.npz", "wb").write(data)
	PY
	refused bomb.npz "'poses.npy' unpacks to more than 256 times its size; if that is right, use -x trust-size"
	refused pipe.npz "the size of 'poses.npy' follows its bytes"
	refused locked.npz "'poses.npy' is encrypted"
	not_sanitized "it takes long"
	anim-parse -q -x trust-size bomb.npz --force -o out.axs
}

@test "100 MB of rotations are read in the memory of a tile and a track" {
	not_sanitized "their own memory would be measured"
	not_bytewise "it takes long"
	command -v /usr/bin/time >/dev/null || skip "time is not installed"
	python3 - "$ROOT/tests" <<-'PY'
		import sys
		sys.path.insert(0, sys.argv[1])
		import npz_file
		frames, row = 80000, npz_file.numbers("<d", [0.001 * i for i in range(156)])
		npz_file.archive("large.npz", [("poses", npz_file.npy("<f8", (frames, 156), row * frames))])
	PY
	/usr/bin/time -f %M -o kib anim-parse -q large.npz --force -o large.axs
	# a track of 80,000 quaternions has 1.25 MiB
	[ "$(cat kib)" -le 16384 ] || { cat kib; return 1; }
}
