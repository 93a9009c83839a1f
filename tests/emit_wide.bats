#!/usr/bin/env bats
# anim-emit csv --wide and npz: a clip as one table, a row a time and a column a component; --angles.

load helper

sampled() {
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-resample 30
}

# A clip with a track of each kind of number, on one grid of three times.
numbers() {
	sed 's/^  /\t/' <<-'TEXT' | anim-undump
		anim-dump 1
		clip name="n" root="." source="unity" start=0 end=1 loop=none axes=unity axes2d=unknown flags=- rate=0/0
		track node="A,\"ü" property="position" component=1 kind=Raw type=float rules=unity flags=- before=hold after=hold interp=Hold keys=3 start=0 step=0 rate=2/1
		  columns value
		  0.1
		  inf
		  nan
		track node="B" property="on" component=- kind=Raw type=bool2 rules=unity flags=- before=hold after=hold interp=Hold keys=3 start=0 step=0 rate=2/1
		  columns value
		  0,1
		  1,0
		  1,1
		track node="C" property="n" component=- kind=Discrete type=long rules=unity flags=- before=hold after=hold interp=Hold keys=3
		  columns time value
		  0 -9007199254740993
		  0.5 9007199254740992
		  1 7
		track node="C" property="d" component=- kind=Discrete type=double rules=unity flags=- before=hold after=hold interp=Hold keys=3
		  columns time value
		  0 0.1
		  0.5 1e300
		  1 -0
		track node="C" property="word" component=- kind=Discrete type=string rules=unity flags=- before=hold after=hold interp=Hold keys=1
		  columns time value
		  0.3 "x"
		end
	TEXT
}

@test "csv --wide has a row for each time and a column for each number, all exactly" {
	numbers >n.axs
	run -0 --separate-stderr anim-emit csv --wide n.axs
	[ "$output" = 'time,"A,""ü position.y",B on.x,B on.y,C n,C d
0,0.1,0,1,-9007199254740993,0.1
0.5,inf,1,0,9007199254740992,1e300
1,nan,1,1,7,-0' ] || { echo "$output" && false; }
	[ "$stderr" = "anim-emit: n.axs: 'n': warning: track 'C word': left out, because a table holds only numbers" ] || { echo "$stderr" && false; }
	run -1 --separate-stderr anim-emit --strict csv --wide n.axs
	[ -z "$output" ]
}

@test "a table says of tracks at times of their own, of a second clip and of unknown intervals what to do" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	for format in 'csv --wide' npz; do
		run -1 --separate-stderr anim-emit $format -o out crane.axs
		[[ $stderr == *"has its own times, but a table has the same times for all: put 'anim-resample --all 30' before this" ]] || { echo "$stderr" && false; }
		[ ! -e out ]
		anim-resample --all 30 crane.axs | anim-emit -q $format >/dev/null
		anim-parse -q "$ROOT/examples/crane.tscn" "$ROOT/examples/walker.tscn" | anim-resample --all 30 >two.axs
		run -1 --separate-stderr anim-emit $format -o out two.axs
		[[ $stderr == *"holds one clip, but there are 2: lift, walk; pick one with -c NAME, or write all with --each"* ]] || { echo "$stderr" && false; }
		anim-emit -q $format -c walk two.axs >one
	done
	anim-emit -q --each '%c.npz' two.axs
	[ -s lift.npz ] && cmp one walk.npz
	run -2 --separate-stderr anim-emit --wide json crane.axs
	[ "${stderr_lines[0]}" = "anim-emit: --wide is for csv, not for json" ]
	run -1 --separate-stderr anim-emit npz "$DATA/axs/good/tree_only.axs"
	[ "$stderr" = "anim-emit: no clip to write, because no animation was read" ]
}

@test "npz is the same bytes each time, from memory and from a temporary file, and may be written over" {
	sampled >w.axs
	anim-emit -o a.npz w.axs
	ANIM_STORE_MEMORY=0 anim-emit npz w.axs >b.npz
	same a.npz b.npz
	ANIM_STORE_MEMORY=0 anim-emit csv --wide w.axs | cmp - <(anim-emit csv --wide w.axs)
	anim-emit -o a.npz w.axs
	echo mine >m.npz
	run -1 anim-emit -o m.npz w.axs
	anim-emit -o a.csv --wide w.axs
	anim-emit -o a.csv --wide w.axs
	run -0 anim-info a.npz
}

@test "an npz is a zip archive whose files, sizes and sums are right" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	numbers | anim-emit -q npz >n.npz 2>err
	sampled | anim-emit npz >w.npz
	numbers | anim-dump | sed '/^track/,/^end/{/^end/!d}' | anim-undump | anim-emit npz >none.npz
	python3 - *.npz <<-'PY'
		import ast, sys, zipfile
		for name in sys.argv[1:]:
		    with zipfile.ZipFile(name) as z:
		        assert z.testzip() is None and z.namelist() == ["times.npy", "names.npy", "values.npy"], name
		        for entry in z.infolist():
		            data = z.read(entry)
		            assert entry.compress_type == 0 and entry.date_time == (1980, 1, 1, 0, 0, 0)
		            size = 10 + int.from_bytes(data[8:10], "little")
		            assert data[:8] == b"\x93NUMPY\1\0" and size % 64 == 0 and data[size - 1] == 10, name
		            head = ast.literal_eval(data[10:size].decode())
		            count = int(head["descr"][2:]) * (4 if "U" in head["descr"] else 1)
		            for n in head["shape"]: count *= n
		            assert len(data) == size + count, (name, entry.filename, head)
	PY
}

@test "numpy loads what csv --wide prints: times, values of every column, and their names" {
	need_numpy
	not_bytewise "nothing is read here but streams"
	sampled >w.axs
	numbers >n.axs
	for stream in w n; do
		anim-emit -q csv --wide $stream.axs >$stream.csv 2>err
		anim-emit -q npz $stream.axs -o $stream.npz 2>err
	done
	python3 - <<-'PY'
		import csv, numpy
		for name, kind in ("w", "f4"), ("n", "f8"):
		    with numpy.load(name + ".npz") as d:
		        assert sorted(d.files) == ["names", "times", "values"]
		        times, names, values = d["times"], d["names"], d["values"]
		    rows = list(csv.reader(open(name + ".csv", encoding="utf-8")))
		    assert list(names) == rows[0][1:] and times.dtype == "f8" and values.dtype == kind, name
		    assert values.shape == (len(times), len(names)) == (len(rows) - 1, len(rows[0]) - 1)
		    assert [float(r[0]) for r in rows[1:]] == list(times)
		    # A float's text is the shortest of that float, not of the double it becomes beside doubles.
		    told = numpy.array([[float(c) for c in r[1:]] for r in rows[1:]])
		    exact = [n.startswith("C ") for n in names]
		    assert sum(exact) == (2 if name == "n" else 0)
		    assert numpy.array_equal(told[:, exact], values[:, exact])
		    with numpy.errstate(over="ignore"):
		        assert numpy.array_equal(told.astype("f4"), values.astype("f4"), equal_nan=True), name
		hips = numpy.load("w.npz")
		turn = hips["values"][:, [n.startswith("Skeleton3D:Hips rotation.") for n in hips["names"]]]
		assert turn.shape[1] == 4 and abs((turn ** 2).sum(1) - 1).max() < 1e-6
	PY
	run -0 --separate-stderr anim-emit npz n.axs -o n.npz
	[[ $stderr == *"track 'C n': large integers are rounded to doubles"* ]] || { echo "$stderr" && false; }
}

@test "names that would swell an npz are refused" {
	{
		printf 'anim-dump 1\nclip name="n" root="." source="unity" start=0 end=1 loop=none axes=unity axes2d=unknown flags=- rate=0/0\n'
		awk 'BEGIN { for (i = 0; i < 60000; i++) long = long "x"; for (i = 0; i < 80; i++) printf "track node=\"%s\" property=\"m%d\" component=- kind=Discrete type=float4x4 rules=plain flags=- before=hold after=hold interp=Hold keys=1\n\tcolumns time value\n\t0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n", i ? "A" : long, i }'
		echo end
	} | anim-undump >long.axs
	run -1 --separate-stderr anim-emit npz -o out.npz long.axs
	[[ $stderr == "anim-emit: the names of 1280 columns are too large, because numpy stores each with the length of the longest (600"* ]] || { echo "$stderr" && false; }
	[ ! -e out.npz ]
}

# The first three angles of each row are the hips', in the order of the file.
@test "rotations become angles in degrees" {
	cat >leg.bvh <<-'TEXT'
		HIERARCHY
		ROOT Hips
		{ OFFSET 0 1 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Knee
		{ OFFSET 0 -0.5 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Ankle
		{ OFFSET 0 -0.5 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{ OFFSET 0 0 0.2 } } } }
		MOTION
		Frames: 3
		Frame Time: 0.5
		0 0 0 0 0 0 0 0 0
		10 20 30 0 90 0 0 0 170
		10 20 30 0 90 25 0 0 190
	TEXT
	anim-parse -q --unit m leg.bvh >leg.axs
	anim-emit -q csv --wide --angles zxy leg.axs >angles.csv
	anim-emit -q csv --wide --angles flexion leg.axs >bends.csv
	anim-emit -q npz --angles flexion leg.axs -o bends.npz
	head -n 1 bends.csv | grep -q '^time,Hips bend,Hips twist,Hips swing,Hips/Knee bend,'
	python3 - <<-'PY'
		import csv, math
		def table(name):
		    return [[float(c) for c in row] for row in list(csv.reader(open(name)))[1:]]
		def near(a, b):
		    assert len(a) == len(b) and all(abs(x - y) < 1e-4 for x, y in zip(a, b)), (a, b)
		zxy, flexion = table("angles.csv"), table("bends.csv")
		# Angles are x, y, z in any order, and the ankle turns on from 170 to 190 degrees.
		near(zxy[1], [0.5, 20, 30, 10, 90, 0, 0, 0, 170, 0])
		near(zxy[2], [1, 20, 30, 10, 90, 25, 0, 0, 190, 0])
		# The knee is straight, then at a right angle, then the shin also turns about itself (its bone points down).
		near(sum((row[4:7] for row in flexion), []), [0, 0, 0, 90, 0, 90, 90, -25, 90])
		# cos(swing) of the hips is the element y, y of Rz(10) Rx(20) Ry(30).
		near([math.cos(math.radians(flexion[1][3]))], [math.cos(math.radians(10)) * math.cos(math.radians(20))])
		# The foot points forward, so a turn about the leg is a swing.
		near([row[8] for row in flexion], [0, 0, 0])
	PY
	anim-emit -q csv --wide bends.npz | cmp - bends.csv
	run -2 --separate-stderr anim-emit --angles xyz leg.axs -o leg.glb
	[[ $stderr == "anim-emit: --angles is for csv and npz, not for glb"* ]] || { echo "$stderr" && false; }
	anim-emit -q animj leg.axs -o bare.animj
	run -0 --separate-stderr anim-emit csv --angles flexion bare.animj
	[[ $stderr == *"3 tracks: no rest pose, left out"* ]] || { echo "$stderr" && false; }
}
