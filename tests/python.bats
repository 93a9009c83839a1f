#!/usr/bin/env bats
# lib/api/anim.py on the library as it was built: with numpy where that is there, and without it.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	if sanitized; then with_sanitizers; fi
	export ANIM_LIBRARY=$ANIM_BUILD/lib/libanim.so.1 PYTHONPATH=$ROOT/lib/api PYTHONDONTWRITEBYTECODE=1
	cp "$ROOT"/examples/*.tscn .
}

# Python has no sanitizers, so their runtime is loaded before it; the programs that a test starts have their own.
with_sanitizers() {
	SANITIZER=$(${CC:-cc} -print-file-name=libasan.so)
	[[ $SANITIZER == /* ]] || skip "the compiler has no libasan.so"
	mkdir site
	echo 'import os; os.environ.pop("LD_PRELOAD", None)' >site/sitecustomize.py
	python3() {
		LD_PRELOAD=$SANITIZER ASAN_OPTIONS=detect_leaks=0 \
			PYTHONPATH=$PWD/site:$PYTHONPATH command python3 "$@"
	}
}

# refused CODE WORDS...: the Python expression raises an exception whose type and text have these words.
refused() {
	cat <<-PY
		try:
		    $1
		except Exception as error:
		    text = f"{type(error).__name__}: {error}"
		    assert "$2" in text, text
		else:
		    assert False, """$1"""
	PY
}

without_numpy() {
	mkdir none
	echo 'raise ImportError' >none/numpy.py
	export PYTHONPATH=$PWD/none:$PYTHONPATH
}

@test "clips, tracks, nodes, keys and values come as the programs show them" {
	need_numpy
	python3 - <<-'PY'
		import csv, io, subprocess
		import anim, numpy
		with anim.open("crane.tscn") as file:
		    (clip,) = file
		    assert (clip.name, clip.duration, len(clip), clip.axes, clip.loop) == ("lift", 2, 5, "godot", "none")
		    assert clip is not file["lift"] and file[-1].name == "lift" and file[:1][0].name == "lift"
		    track = clip["Skeleton3D:base", "rotation"]
		    assert (track.type, track.kind, track.mode, track.count, track.component) == ("floatQ", "Curve", "Linear", 3, None)
		    assert track.attributes["godot.type"] == "rotation_3d" and clip.attributes["player"] == "AnimationPlayer"
		    values = track.sample(30)
		    assert values.shape == (61, 4) and values.dtype == numpy.float64
		    table = subprocess.run("anim-parse crane.tscn | anim-resample 30 | anim-emit csv", shell=True, check=True, capture_output=True, text=True)
		    rows = [row for row in csv.DictReader(io.StringIO(table.stdout)) if row["node"] == "Skeleton3D:base"]
		    assert (values.astype("f") == numpy.array([[row[f"v{i}"] for i in range(4)] for row in rows], "f")).all()
		    assert (track.sample([0.25, 1]) == track.sample(numpy.array([0.25, 1]), dtype="f")).all()
		    assert track.times.tolist() == [0, 1, 2] and track.values.shape == (3, 4) and track.left is None
		    light = clip["Lamp", "light_energy"]
		    assert light.modes == ["Bezier2D"] * 2 and light.left.shape == (2, 1)
		    shown, present = clip["Lamp", "visible"].sample([0, 0.75], present=True)
		    assert shown.tolist() == [[0], [1]] and present.all()
		    assert ("Lamp", "visible") in clip and ("Lamp", "size") not in clip
		    assert clip.world([0, 1, 2]).shape == (3, 7, 3, 4)
		    assert (clip.world([0.5])[0, 4] == clip.world([0.5], "Skeleton3D:hook")[0]).all()
		    assert clip.tree["Skeleton3D:hook"].parent == 3 and clip.nodes[2].kind == "bone"
		    both = clip.sample("rotation", 30)
		    assert both.shape == (61, 2, 4) and (both[:, 0] == values.astype("f")).all()
		    assert clip.times(24).shape == (49,) and clip.times("30000/1001", end="grid")[-1] <= 2
	PY
}

@test "motion capture takes its unit and its up axis as options, as anim-parse does" {
	cp "$DATA/bvh/arm.bvh" .
	anim-parse -q --unit cm --up z arm.bvh -o arm.axs
	python3 - <<-'PY'
		import anim
		with anim.open("arm.bvh", unit="cm", up="z") as told, anim.open("arm.axs") as parsed, anim.open("arm.bvh") as plain:
		    places = [memoryview(file[0].world([0, 0.05])).tobytes() for file in (told, parsed, plain)]
		    assert places[0] == places[1] != places[2]
		    assert not told.messages and "unit" in plain.messages[0]
		for wrong in (dict(unit="furlong"), dict(up="x")):
		    try:
		        anim.open("arm.bvh", **wrong)
		    except (ValueError, anim.Error):
		        pass
		    else:
		        assert False
	PY
}

@test "without numpy the same numbers lie in flat arrays" {
	without_numpy
	python3 - <<-'PY'
		import anim
		assert anim.numpy is None
		with anim.open("crane.tscn") as file:
		    clip = file["lift"]
		    hook = clip["Skeleton3D:hook", "position"]
		    assert hook.sample([0, 0.5]).tolist() == [1.5, -0.25, 0, 1.5, -0.625, 0]
		    assert hook.times.tolist() == [0, 2] and len(hook.values) == 6
		    assert len(clip.world([0, 1])) == 2 * 7 * 12
		    frames = clip.sample("rotation", 1)
		    assert frames.typecode == "f" and len(frames) == 3 * 2 * 4 and frames[:4].tolist() == [0, 0, 0, 1]
		with anim.create("made.axs") as out:
		    out.clip("made", end=1)
		    out.track("A", "position", "float3", [[0, 0, 0], [1, 2, 3]], times=[0, 1])
		with anim.open("made.axs") as file:
		    assert file[0]["A", "position"].sample([0.5]).tolist() == [0.5, 1, 1.5]
	PY
}

@test "what is written is read back, copied, and not there after an exception" {
	python3 - <<-'PY'
		import os
		import anim
		with anim.create("a.axs", program="mine", version="2") as out:
		    out.tree("House", axes="godot")
		    out.node(".")
		    out.node("Door", 0, kind="bone", position=(2, 0, 0))
		    out.clip("open", end=1.5, loop="wrap", rate="30000/1001", attributes={"b": "1", "a": "2"})
		    out.track("Door", "word", "string", ["a", None], times=[0, 1])
		    out.track("Door", "light", "float", [[0], [1]], times=[0, 1], mode="Hermite", left=[0, 0], right=[2, 0])
		    out.track("Door", "on", "bool", [[0], [1]], times=[0, 1], mode="Step")
		    out.track("Door", "euler", "float", [[0], [1], [2]], rate=2, component=1, flags=4)
		before = open("crane.tscn", "rb").read()
		try:
		    anim.create("crane.tscn")
		    assert False
		except anim.Error as error:
		    assert "crane.tscn: holds a Godot scene that would be lost" in str(error), error
		assert open("crane.tscn", "rb").read() == before
		open("a.axs", "ab").close()
		with anim.create("empty.axs") as out:
		    out.clip("open", end=1)
		with anim.create("empty.axs") as out: # again
		    out.clip("shut", end=1)
		with anim.open("a.axs") as file, anim.create("b.axs") as out:
		    clip = file["open"]
		    assert clip.attributes == {"a": "2", "b": "1"} and str(clip.rate) == "30000/1001" and clip.loop == "wrap"
		    assert [track.kind for track in clip] == ["Discrete", "Curve", "Discrete", "Raw"]
		    assert clip["Door", "word"].values == ["a", None] == clip["Door", "word"].sample([0, 1])
		    assert clip["Door", "euler"].is_degrees and clip["Door", "euler", 1].rate == 2
		    assert clip["Door", "light"].sample([0.5])[0] == 0.75
		    assert clip.nodes[1].position == (2, 0, 0)
		    out.copy(clip.tree)
		    out.copy(clip)
		for wrong in (dict(values=[1, 2], times=[0]), dict(values=[1], times=[0], mode="Hermite", left=[0, 1], right=[0])):
		    try:
		        with anim.create("c.axs") as out:
		            out.clip("x", end=1)
		            out.track("A", "b", "float", **wrong)
		    except ValueError:
		        assert not os.path.exists("c.axs")
		    else:
		        assert False
		with anim.open("a.axs") as file:
		    try:
		        with anim.create("c.axs") as out:
		            out.copy(file)
		    except TypeError:
		        assert not os.path.exists("c.axs")
		    else:
		        assert False
		try:
		    with anim.create("c.axs") as out:
		        out.clip("x", end=1)
		        raise KeyError
		except KeyError:
		    assert not os.path.exists("c.axs")
	PY
	anim-dump a.axs | grep -qx 'prog program="mine" version="2"'
	diff <(anim-dump a.axs | grep -v ^prog) <(anim-dump b.axs)
}

@test "errors are exceptions with place, warnings are warnings, and both are the programs' words" {
	printf '[gd_resource type="Animation" format=3]\n[resource]\nlength = what\n' >broken.tres
	python3 - <<-'PY'
		import warnings
		import anim
		for name, line in (("broken.tres", 3), ("nothing", 0)):
		    try:
		        anim.open(name)
		    except anim.Error as error:
		        assert str(error).startswith(name + ":") and error.line == line, error
		    else:
		        assert False
		file = anim.open(b'[gd_resource type="Animation" format=3]\n[resource]\nlength = 1\nnonsense = 3\n', name="odd.tres")
		file.close()
		try:
		    len(file)
		except ValueError as error:
		    assert str(error) == "the file is closed"
		with warnings.catch_warnings(record=True) as told:
		    warnings.simplefilter("always")
		    scene = b'[gd_resource type="Animation" format=3]\n\n[resource]\nloop_mode = 5\n'
		    file = anim.open(scene, name="odd.tres")
		    assert len(told) == 1 and told[0].category is anim.Warning and str(told[0].message) == file.messages[0]
		    assert file.messages == ["odd.tres:4:1: warning: an unknown loop mode is read as none: 5"], file.messages
		    assert anim.open(scene, warn=False).messages and len(told) == 1
	PY
}

@test "a pipe runs without a shell; each program that fails is named, with the words of the first one" {
	python3 - <<-'PY'
		import os
		import shutil
		import anim
		os.rename("crane.tscn", "my crane; x.tscn")
		with anim.pipe("parse 'my crane; x.tscn' | axes unity | anim-resample 30") as file:
		    assert file["lift"].axes == "unity" and file["lift"][0].kind == "Raw" and file["lift"][0].count == 61
		scene = open("walker.tscn", "rb").read()
		with anim.pipe("parse -f godot - | resample 10", input=scene) as file:
		    assert len(file) == 1
		for command, words in (("parse none.tscn | axes unity", "anim-parse: none.tscn: cannot open"), ("nonsense", "nonsense"),
		                       ("parse walker.tscn | resample 0", "anim-resample: ")):
		    try:
		        anim.pipe(command)
		    except anim.Error as error:
		        assert words in str(error), error
		    else:
		        assert False, command
		folder = os.path.dirname(shutil.which("anim"))
		os.environ["PATH"] = "/nowhere"
		with anim.pipe("parse walker.tscn | resample 10", programs=folder) as file:
		    assert len(file) == 1
		for programs, words in ((None, "anim: No such file"), ("empty", "empty/anim: No such file")):
		    try:
		        anim.pipe("parse walker.tscn", programs=programs)
		    except anim.Error as error:
		        assert words in str(error) and "programs=" in str(error), error
		    else:
		        assert False, programs
		try:
		    anim.pipe("parse walker.tscn |")
		except ValueError:
		    pass
		else:
		    assert False
	PY
}

@test "the handles and transitions of keys, and the node that a track animates" {
	need_numpy
	python3 - <<-PY
		import anim
		clip = anim.open("$DATA/fbx/walk.fbx")[0]
		weighted = next(track for track in clip if track.mode == "Weighted")
		assert weighted.left_x.shape == weighted.right_x.shape == (weighted.count, 1) and weighted.ease is None
		assert clip.find_driven(weighted).path == weighted.node and clip.find_driven("no such node") is None
		bezier = next(track for track in anim.open("crane.tscn")["lift"] if track.mode == "Bezier2D")
		assert (bezier.right_x >= 0).all() and (bezier.left_x <= 0).all() and bezier.left is not None
		bone = anim.open("crane.tscn")["lift"]["Skeleton3D:base", "rotation"]
		assert bone.clip.find_driven(bone).name == "base" and bone.left_x is None
		easing = anim.open("$DATA/oracle/godot-4.2/easing.tres", warn=False)[0]
		assert any(track.ease is not None and track.ease.shape == (track.count,) for track in easing)
	PY
}

@test "make lib_alone makes a library that needs only the C library, and opens the same files" {
	not_sanitized "the runtime of the sanitizers is another library"
	for name in z fyaml lz4 lzma zstd; do
		[ -e "$(${CC:-cc} -print-file-name=lib$name.a)" ] || skip "lib$name.a is not installed"
	done
	make -s -C "$ROOT" B="$ANIM_BUILD" flags="$(cat "$ANIM_BUILD/flags")" lib_alone >/dev/null
	ldd "$ANIM_BUILD/lib/alone/libanim.so.1" >needs
	run ! grep -vE 'linux-vdso|lib(c|m|pthread)\.so|ld-linux' needs
	mkdir addon
	cp "$ROOT/lib/api/anim.py" "$ANIM_BUILD/lib/alone/libanim.so.1" addon
	ANIM_LIBRARY='' PYTHONPATH=addon python3 - "$DATA" <<-'PY'
		import sys
		import anim
		assert anim._library._name.endswith("addon/libanim.so.1"), anim._library._name
		for file in "unity/clip_editor.anim", "godot-binary/walk.plain.res", "godot-binary/library.zstd.res":
		    assert len(anim.open(sys.argv[1] + "/" + file)) > 0, file
	PY
}

@test "the library is looked for where ANIM_LIBRARY says, and named where it is not" {
	ANIM_LIBRARY=$PWD/none.so run -1 --separate-stderr python3 -c 'import anim'
	[[ $stderr == *"ImportError: $PWD/none.so"* ]]
}

@test "the lines of the cookbook do what it shows" {
	need_numpy
	sed -n '/^The Python module/,/^## /s/^    //p' "$ROOT/COOKBOOK.md" >section
	sed -n '/^import anim/,/^$/p' section | grep -v '^\$' >lines.py
	python3 lines.py | diff <(sed -n '/^\$ python3/,$p' section | sed 1d) -
}

arguments() {
	cat <<-'PY'
		import anim
		file, other = anim.open("crane.tscn"), anim.open("walker.tscn")
		clip = file["lift"]
		track = clip["Skeleton3D:base", "rotation"]
	PY
	refused 'track.sample(30, dtype="float16")' "TypeError: dtype is float64 or float32"
	refused 'track.sample(30, dtype="i8")' TypeError
	refused 'track.sample(["a"])' "TypeError: numbers are needed"
	refused 'track.sample([float("nan")])' "time 0 is not finite"
	refused 'track.sample(rate=30, times=[0])' "TypeError: give one of"
	refused 'track.sample("often")' "ValueError: 'often' is not a rate"
	refused 'track.sample(0)' ValueError
	refused 'track.sample(-30)' ValueError
	refused 'clip.times(30, end="middle")' "ValueError: end is one of cover"
	refused 'clip.sample([other[0][0]], 30)' "ValueError: <anim.Track"
	refused 'clip.sample(["rotation"], 30)' "TypeError: a Track is needed"
	refused 'clip.world([0], node=-8)' "IndexError: node -8"
	refused 'clip.world([0], node=7)' "IndexError: node 7"
	refused 'clip.world([0], node="nobody")' KeyError
	refused 'clip.world([0], node=other[0].nodes[0])' "ValueError: <anim.Node"
	refused 'clip.world([0], node=1.5)' TypeError
	refused 'clip[5]' IndexError
	refused 'file[-2]' IndexError
	cat <<-'PY'
		for at in ([0, 1], (0, 1), (t for t in (0, 1)), range(2)):
		    assert len(memoryview(track.sample(at)).tobytes()) == 2 * 4 * 8
		for dtype in ("f", "float32"):
		    assert len(memoryview(track.sample(30, dtype=dtype)).tobytes()) == 61 * 4 * 4
		assert len(memoryview(clip.world([0], node=-1)).tobytes()) == 12 * 8
		assert len(memoryview(clip.world(rate=1)).tobytes()) == 3 * 7 * 12 * 8 == len(memoryview(clip.world(1)).tobytes())
	PY
}

@test "an argument that makes no sense is an exception, with numpy and without it" {
	need_numpy
	arguments >arguments.py
	python3 arguments.py
	python3 - <<-'PY'
		import anim, numpy
		track = anim.open("crane.tscn")["lift"]["Skeleton3D:base", "rotation"]
		for dtype in (numpy.float32, numpy.dtype("float32"), "<f4"):
		    assert track.sample(30, dtype=dtype).dtype == numpy.float32
		assert track.sample(numpy.float32(30)).shape == track.sample(numpy.int64(30)).shape == (61, 4)
	PY
	without_numpy
	python3 arguments.py
}

@test "files, clips and trees are sequences; two objects for one part are equal" {
	python3 - <<-'PY'
		import anim
		file, other = anim.open("crane.tscn"), anim.open("crane.tscn")
		clip = file[0]
		assert "lift" in file and "walk" not in file and clip in file and other[0] not in file and 3 not in file
		assert file.index("lift") == file.index(clip) == 0 and file.count(clip) == 1 and list(reversed(file)) == [clip]
		track = clip[1]
		assert track in clip and clip[1] == track != clip[0] and other[0][1] not in clip and "rotation" not in clip
		assert clip.index(track) == 1 and clip[1:3] == [clip[1], clip[2]] and len({clip[1], clip[1], clip[2]}) == 2
		tree = clip.tree
		assert "Lamp" in tree and "Bulb" not in tree and tree["Lamp"] in tree and tree[1:2] == [tree[1]] and tree[-1] in tree
		assert tree.index(tree["Lamp"]) == tree["Lamp"].number and other[0].nodes[0] not in tree
	PY
}

@test "a file object is read from its position on, with a descriptor or without one" {
	python3 - <<-'PY'
		import io
		import anim
		data = open("crane.tscn", "rb").read()
		for handle in (open("crane.tscn", "rb"), open("crane.tscn"), io.BytesIO(data)):
		    handle.read(4)
		    handle.seek(0)
		    assert anim.open(handle, name="crane.tscn")[0].name == "lift"
		with open("shifted", "wb") as out:
		    out.write(b"head" + data)
		for handle in (open("shifted", "rb"), open("shifted", "rb", buffering=0), io.BytesIO(b"head" + data)):
		    handle.read(4)
		    assert anim.open(handle)[0].duration == 2
		try:
		    anim.open(io.StringIO("text"))
		except TypeError as error:
		    assert "binary mode" in str(error)
		else:
		    assert False
	PY
}

@test "a note is kept and is no warning, from a file as from a pipe" {
	python3 -W error - <<-'PY'
		import anim
		file = anim.pipe("parse crane.tscn | resample 7/3")
		assert any(": note: " in text for text in file.messages), file.messages
	PY
}

@test "a rate gives the same samples in Python, in C and on the command line" {
	need_numpy
	${CC:-cc} $(sanitized && echo "-fsanitize=address,undefined") -I"$ROOT/lib/api" -x c - -x none "$ANIM_LIBRARY" -o count <<-'C'
		#include <anim.h>
		#include <stdio.h>

		int main(int argc, char **argv)
		{
			struct anim *h = anim_open("crane.tscn", NULL, NULL);
			uint32_t num, den;

			for (int i = 1; i < argc; i++)
				if (anim_parse_rate(argv[i], &num, &den, NULL) == 0)
					printf("%u/%u %td\n", num, den, anim_clip_times(h, 0, num, den, ANIM_TIMES_COVER, NULL, 0, NULL));
			anim_close(h);
			return 0;
		}
	C
	python3 - <<-'PY'
		import fractions, os, subprocess
		import anim, numpy
		clip = anim.open("crane.tscn")[0]
		library = os.path.dirname(os.environ["ANIM_LIBRARY"])
		rates = [(30, 30), (29.97, fractions.Fraction(2997, 100)), (30000 / 1001, fractions.Fraction(30000, 1001)),
		         ("30000/1001", fractions.Fraction(30000, 1001)), (24000 / 1001, fractions.Fraction(24000, 1001)),
		         (100 / 3, fractions.Fraction(100, 3)), (1 / 0.0333333, fractions.Fraction(10000000, 333333)),
		         (fractions.Fraction(60000, 1001), fractions.Fraction(60000, 1001)), (numpy.float32(30), 30), (numpy.int16(24), 24),
		         (numpy.float64(30000 / 1001), fractions.Fraction(30000, 1001)), ("24fps", 24)]
		told = subprocess.run(["./count", *(str(rate) for rate, _ in rates)], capture_output=True, text=True, check=True,
		                      env={**os.environ, "LD_LIBRARY_PATH": library}).stdout.splitlines()
		for (rate, exact), line in zip(rates, told, strict=True):
		    times = clip.times(rate)
		    assert line == f"{fractions.Fraction(exact).numerator}/{fractions.Fraction(exact).denominator} {len(times)}", (rate, line)
		    assert times[1] == fractions.Fraction(exact).denominator / fractions.Fraction(exact).numerator, rate
		    with anim.pipe(f"parse crane.tscn | resample -q {rate}") as file:
		        assert file[0][0].rate == exact and file[0][0].count == len(times), rate
		        assert (file[0][0].values == clip[0].sample(rate, dtype="f")).all(), rate
		for rate in (1e12, 1e-9, float("nan"), float("inf"), True, "1/0"):
		    try:
		        clip.times(rate)
		    except ValueError:
		        pass
		    else:
		        assert False, rate
	PY
}

@test "two threads on one file get the values of the tracks they asked for, texts and attributes included" {
	python3 - <<-'PY'
		import sys, threading
		import anim
		sys.setswitchinterval(1e-5)
		with anim.create("words.axs") as out:
		    out.clip("words", end=1)
		    for i in range(6):
		        out.track(f"N{i}", "word", "string", [f"{i} {k} " + "x" * 200 for k in range(40)], times=range(40), attributes={"n": str(i)})
		    for i in range(6):
		        out.track(f"N{i}", "size", "float3", [[i, k, 0] for k in range(40)], times=range(40))
		file = anim.open("words.axs")
		clip = file[0]
		def look(i):
		    track = clip[i]
		    return track.node, track.values if i < 6 else list(memoryview(track.values).tobytes()), track.attributes, track.modes, \
		        track.sample([0, 7.5, 3]) if i < 6 else memoryview(track.sample([0, 7.5, 3])).tobytes()
		right, wrong = [look(i) for i in range(12)], []
		def run(first):
		    for k in range(300):
		        i = (first + k) % 12
		        try:
		            if look(i) != right[i]:
		                wrong.append(i)
		        except Exception as error:
		            wrong.append(error)
		threads = [threading.Thread(target=run, args=(3 * k,)) for k in range(4)]
		for thread in threads:
		    thread.start()
		for thread in threads:
		    thread.join()
		assert not wrong, (len(wrong), wrong[:3])
	PY
}

@test "a file may be closed while other threads read it, and its parts then say so" {
	python3 - <<-'PY'
		import gc, threading, time
		import anim
		for turn in range(20):
		    file = anim.open("crane.tscn")
		    clip, track, tree = file[0], file[0][1], file[0].tree
		    iterators, said = (iter(file), iter(clip), iter(tree)), []
		    def run():
		        try:
		            while True:
		                track.sample(1000), clip.world(30), file[0].tracks, track.attributes, [node.path for node in tree]
		        except ValueError as error:
		            said.append(str(error))
		    threads = [threading.Thread(target=run) for _ in range(2)]
		    for thread in threads:
		        thread.start()
		    time.sleep(0.01)
		    values = track.sample(30)
		    file.close()
		    file.close()
		    for thread in threads:
		        thread.join()
		    assert said == ["the file is closed"] * 2, said
		    del file
		    gc.collect()
		    assert len(memoryview(values).tobytes()) == 61 * 4 * 8
		    for part in (lambda: track.sample(30), lambda: track.attributes, lambda: track.values, lambda: clip.world([0]), lambda: clip.times(30),
		                 lambda: clip.tree, lambda: tree["Lamp"], lambda: clip["Lamp", "visible"], *(lambda i=i: next(i) for i in iterators)):
		        try:
		            part()
		        except ValueError as error:
		            assert str(error) == "the file is closed"
		        else:
		            assert False
	PY
	# The end of Python does not close a file that a thread still reads.
	python3 -c 'import anim, threading; f = anim.open("crane.tscn")
threading.Thread(target=lambda: [f[0][1].sample(1000) for _ in iter(int, 1)], daemon=True).start()'
}

@test "threads that share a writer write whole records" {
	python3 - <<-'PY'
		import threading
		import anim
		with anim.open("crane.tscn") as file, anim.create("a.axs") as out:
		    out.clip("all", end=40)
		    def run(name):
		        for k in range(50):
		            out.track(f"{name}{k}", "size", "float3", [[k, k, k]] * 40, times=range(40))
		            out.copy(file[0][k % 4])
		    threads = [threading.Thread(target=run, args=(name,)) for name in "abcd"]
		    for thread in threads:
		        thread.start()
		    for thread in threads:
		        thread.join()
		with anim.open("a.axs") as file:
		    assert len(file[0]) == 400 and list(memoryview(file[0]["c7", "size"].values).cast("B").cast("d"))[:3] == [7, 7, 7]
	PY
}

@test "a child of a fork reads on, and leaves the file that its parent writes alone" {
	python3 - <<-'PY'
		import gc, os, sys, threading
		import anim
		def child(work):
		    """Run it in a child, which ends as Python ends. Return its exit status."""
		    sys.stdout.flush()
		    pid = os.fork()
		    if pid == 0:
		        try:
		            work()
		        except anim.Error as error:
		            assert "belongs to the process that opened it" in str(error), error
		            sys.exit(3)
		        sys.exit(0)
		    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		file = anim.open("crane.tscn")
		track, right = file[0][1], memoryview(file[0][1].sample(30)).tobytes()
		def begin():
		    global out
		    out = anim.create("made.axs")
		    out.copy(file[0].tree)
		def drop():
		    global out
		    del out
		    gc.collect()
		def same():
		    assert memoryview(track.sample(30)).tobytes() == right
		def other():
		    with anim.create("other.axs") as own:
		        own.copy(file[0].tree)
		        own.copy(file[0])
		begin()
		for work, status in ((lambda: None, 0), (drop, 0), (lambda: out.close(), 0), (same, 0), (other, 0), (lambda: out.copy(file[0]), 3),
		                     (lambda: out.commit(), 3), (lambda: out.clip("x", end=1), 3), (lambda: out.__exit__(None, None, None), 3)):
		    assert child(work) == status, work
		out.copy(file[0])
		out.commit()
		os.rename("made.axs", "first.axs")
		# A thread is in a call at the moment of the fork.
		begin()
		going = True
		def busy():
		    while going:
		        track.sample(10000)
		threads = [threading.Thread(target=busy) for _ in range(2)]
		for thread in threads:
		    thread.start()
		for turn in range(20):
		    assert child(same) == 0
		inside = []
		forking = threading.Thread(target=lambda: inside.append(child(same)))
		forking.start()
		forking.join()
		going = False
		for thread in threads:
		    thread.join()
		assert inside == [0]
		out.copy(file[0])
		out.commit()
		assert open("made.axs", "rb").read() == open("first.axs", "rb").read()
		with anim.open("other.axs") as copy:
		    assert copy[0].name == "lift"
		import multiprocessing
		with anim.create("third.axs") as out:
		    out.copy(file[0].tree)
		    with multiprocessing.get_context("fork").Pool(2) as pool:
		        assert pool.map(len, [b"a", b"bc"]) == [1, 2]
		    out.copy(file[0])
		assert open("third.axs", "rb").read() == open("first.axs", "rb").read()
	PY
	[ -z "$(ls -A | grep '\.tmp$')" ]
}

@test "convert writes what anim convert writes, files of filters too, with messages, progress and threads" {
	python3 -W error <<-'PY'
		import os, subprocess, threading, anim
		from pathlib import Path
		def program(*words):
		    subprocess.run(["anim", "convert", "-q", *words], check=True)
		    return Path(words[-1]).read_bytes()
		want = program("-r", "30", "walker.tscn", "want.glb")
		told = []
		assert anim.convert("walker.tscn", "got.glb", rate=30, message=told.append) is None
		assert Path("got.glb").read_bytes() == want
		assert [item["level"] for item in told] == ["note"] * len(told) and told[0]["text"] and told[0]["count"] == 1, told
		assert anim.convert("walker.tscn", name="x.glb", rate=30) == want
		assert anim.convert(Path("walker.tscn").read_bytes(), format="glb", rate=30, quiet=True)[:4] == b"glTF"
		with open("walker.tscn", "rb") as file, open("fd.glb", "wb") as out:
		    assert anim.convert(file.fileno(), out.fileno(), name="x.glb", rate=30) is None
		    file.seek(0)
		    assert anim.convert(file, name="x.glb", rate=30) == Path("fd.glb").read_bytes() == want
		assert anim.convert(["walker.tscn", "crane.tscn"], name="two.tres") == program("walker.tscn", "crane.tscn", "two.tres")
		with anim.open(anim.convert("walker.tscn", name="x.axs", node=["!*Foot", "!*Toes"], no_external=None, world=False)) as kept:
		    assert len(kept[0]) > 5 and not [track for track in kept[0] if "Foot" in track.node]
		with anim.open("walker.tscn") as file:
		    with file.apply("resample", rate=10) as sampled, sampled.apply("axes", "unity") as turned:
		        assert turned[0].axes == "unity" and turned[0].tracks[0].kind == "Raw" and len(file) == 1
		        assert file[0].axes == "godot"
		        again = turned.write(name="x.axs")
		        with anim.open(again) as same:
		            assert same[0].tracks[0].sample(10).tolist() == turned[0].tracks[0].sample(10).tolist()
		        assert anim.convert([file, file], name="x.tres", warn=False)
		    program("walker.tscn", "model.glb")
		    with file.retarget("model.glb") as moved:
		        assert moved.write(name="x.glb")[:4] == b"glTF"
		    for call, words in ((lambda: file.apply("none"), "not a filter"), (lambda: file.apply("axes", "mars"), "'mars'"),
		                        (lambda: file.retarget("no.glb"), "no.glb: cannot open"), (lambda: file.write("x.gbl"), ".glb?"),
		                        (lambda: anim.convert("no.tscn", "x.glb"), "no.tscn: cannot open"),
		                        (lambda: anim.convert("walker.tscn", "x.glb", strict=True, tol="1e-9mm,1e-9deg", format="animj"), "strict"),
		                        (lambda: anim.convert("walker.tscn", "x.glb", dry_run=True), "for the program"),
		                        (lambda: anim.convert("walker.tscn", "x.glb", progress=lambda done, whole: True), "cancelled")):
		        try:
		            call()
		            assert False, words
		        except anim.Error as error:
		            assert words in str(error), error
		        assert not os.path.exists("x.glb")
		told.clear()
		assert anim.convert("walker.tscn", "got.glb", no_clobber=True, message=told.append) is None
		assert [item["text"] for item in told] == ["note: got.glb exists, so it is kept"], told
		try:
		    anim.convert("walker.tscn", "x.glb", progress=lambda done, whole: 1 / 0)
		    assert False
		except ZeroDivisionError:
		    pass
		results = [None] * 8
		def look():
		    with anim.open("crane.tscn") as seen:
		        return [memoryview(track.sample(30)).tobytes() for track in seen[0] if not track.is_text]
		seen, wrong = look(), []
		def work(i):
		    results[i] = anim.convert("walker.tscn", name="x.glb", rate=30)
		    if look() != seen:
		        wrong.append(i)
		threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
		for thread in threads:
		    thread.start()
		for thread in threads:
		    thread.join()
		assert results == [want] * 8 and not wrong
		Path("finished").touch()
	PY
	rm -f x.glb
	[ -e finished ] # the library never ends the process
	python3 -c 'import anim; anim.convert("crane.tscn", "c.glb")' 2>err >out
	[ ! -s out ]
	grep -q 'anim.Warning\|Warning: crane.tscn' err
}

@test "outputs of several files become parts in memory, and files that sources refer to are found by name" {
	anim convert -q --bin walker.tscn one.gltf
	anim convert -q walker.tscn '%c-%f.animj'
	python3 -W error - <<-'PY'
		import os, anim
		from pathlib import Path
		before = sorted(os.listdir("."))
		parts = anim.convert("walker.tscn", name="one.gltf", bin=True, parts=True)
		assert parts == {"one.gltf": Path("one.gltf").read_bytes(), "one.bin": Path("one.bin").read_bytes()}
		each = anim.convert("walker.tscn", name="%c-%f.animj", parts=True)
		assert each and all(Path(name).read_bytes() == data for name, data in each.items()), list(each)
		want = anim.convert("one.gltf", name="x.animj")
		assert anim.convert(parts["one.gltf"], name="x.animj", aside={"one.bin": parts["one.bin"]}) == want
		assert list(anim.convert("walker.tscn", name="x.glb", parts=True)) == ["x.glb"]
		# a model in memory, for a clip in memory
		model = anim.convert("walker.tscn", name="model.glb", humanoid="godot:vrm")
		Path("model.glb").write_bytes(model)
		want = anim.convert("walker.tscn", name="x.animj", retarget="model.glb")
		os.remove("model.glb")
		assert anim.convert("walker.tscn", name="x.animj", retarget="hero.glb", aside={"hero.glb": model}) == want
		assert anim.convert(Path("walker.tscn").read_bytes(), name="x.tres", retarget="hero.glb", aside={"hero.glb": model})[:4] == b"[gd_"
		for call, words in ((lambda: anim.convert(parts["one.gltf"], name="x.animj"), "one.bin"),
		                    (lambda: anim.convert(parts["one.gltf"], name="x.animj", aside={"one.bin": b"short"}), "one.bin: the file has 5 bytes"),
		                    (lambda: anim.convert("walker.tscn", name="x.gltf", bin=True), "second file")):
		    try:
		        call()
		        assert False, words
		    except anim.Error as error:
		        assert words in str(error), error
		assert sorted(os.listdir(".")) == before, os.listdir(".")
		Path("finished").touch()
	PY
	[ -e finished ]
}

@test "a clip and a track like others have all but what is given" {
	python3 -W error - <<-'PY'
		import anim
		from pathlib import Path
		with anim.open("crane.tscn") as file, anim.create("like.axs") as out:
		    clip = file["lift"]
		    out.copy(clip.tree)
		    out.clip(like=clip, name="half", rate=30)
		    for track in clip:
		        if track.type.startswith("float"):
		            values = track.sample(30, dtype="f")
		            out.track(like=track, values=values, times=[time / 2 for time in clip.times(30)])
		    for call in (lambda: out.clip("x"), lambda: out.track("N", "position", "float3"), lambda: out.track(like=clip[0])):
		        try:
		            call()
		            assert False
		        except TypeError:
		            pass
		with anim.open("like.axs") as made, anim.open("crane.tscn") as file:
		    a, b = file["lift"], made["half"]
		    for name in ("start", "end", "loop", "axes", "axes2d", "source", "root"):
		        assert getattr(a, name) == getattr(b, name), name
		    assert b.rate == 30 and len(b) == len([track for track in a if track.type.startswith("float")])
		    for old, new in zip((track for track in a if track.type.startswith("float")), b):
		        for name in ("node", "property", "type", "component", "rules", "pre", "post", "attributes", "components"):
		            assert getattr(old, name) == getattr(new, name), name
		Path("finished").touch()
	PY
	[ -e finished ]
}

@test "the types say what the module has" {
	python3 - "$ROOT/lib/api" <<-'PY'
		import ast, sys
		def shapes(path):
		    found = {}
		    def visit(body, owner):
		        for item in body:
		            if isinstance(item, ast.ClassDef):
		                visit(item.body, item.name)
		            elif isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
		                a = item.args
		                kinds = [[x.arg for x in part] for part in (a.args, a.kwonlyargs)]
		                rest = [x and x.arg for x in (a.vararg, a.kwarg)]
		                is_property = [ast.unparse(x).endswith("property") for x in item.decorator_list]
		                found[owner, item.name] = kinds, rest, len(a.defaults), [x is not None for x in a.kw_defaults], is_property
		    tree = ast.parse(open(path).read())
		    visit(tree.body, None)
		    return found, tree
		module, tree = shapes(sys.argv[1] + "/anim.py")
		types, stub = shapes(sys.argv[1] + "/anim-stubs/__init__.pyi")
		import anim
		public = {key: value for key, value in module.items() if key[0] is None or not key[0].startswith("_")}
		assert public == types, set(map(str, public.items())) ^ set(map(str, types.items()))
		# each attribute that the types have is there
		file = anim.open("crane.tscn")
		for name, thing in (("File", file), ("Clip", file[0]), ("Track", file[0][0]), ("Tree", file[0].tree), ("Node", file[0].nodes[0])):
		    body = next(item.body for item in stub.body if isinstance(item, ast.ClassDef) and item.name == name)
		    wanted = {item.target.id for item in body if isinstance(item, ast.AnnAssign)}
		    own = {key for key in vars(thing) if not key.startswith("_")}
		    assert wanted == own, (name, wanted ^ own)
	PY
}

@test "pip builds the module and its types with the version of the programs" {
	[ "$(sed -n 's/^version = "\(.*\)"/\1/p' "$ROOT/pyproject.toml")" = "$(anim-cat --version | sed 's/.* //')" ]
	python3 - "$ROOT/pyproject.toml" <<-'PY' || skip "Python has no tomllib"
		import sys
		try:
		    import tomllib
		except ImportError:
		    sys.exit(1)
		project = tomllib.load(open(sys.argv[1], "rb"))
		assert project["tool"]["setuptools"]["py-modules"] == ["anim"]
	PY
	/usr/bin/python3 -c 'import setuptools' 2>/dev/null || skip "setuptools is not installed"
	mkdir -p source/lib/api
	cp "$ROOT/pyproject.toml" "$ROOT/README.md" "$ROOT/LICENSE" source
	cp -R "$ROOT"/lib/api/anim.py "$ROOT/lib/api/anim-stubs" source/lib/api
	# as pip does, which needs wheel
	(cd source && /usr/bin/python3 -c 'from setuptools import setup; setup()' -q build_py -d ../got 2>../log) || { cat log && false; }
	cmp got/anim.py "$ROOT/lib/api/anim.py"
	cmp got/anim-stubs/__init__.pyi "$ROOT/lib/api/anim-stubs/__init__.pyi"
}

@test "wrong arguments of open, create, track and pipe are named" {
	anim convert -q "$ROOT/examples/walker.tscn" a.glb
	python3 - <<-'PY'
		import anim
		def told(kind, words, call):
		    try:
		        call()
		    except kind as error:
		        assert words in str(error), error
		    else:
		        assert False, words
		told(anim.Error, "the option unit is for files without a length unit, such as bvh, not for gltf", lambda: anim.open("a.glb", unit="cm"))
		told(anim.Error, "the option z_up is for motion capture, such as bvh, not for gltf", lambda: anim.open("a.glb", up="z"))
		told(ValueError, "bytes need a format: format=, or the suffix of name=", lambda: anim.convert("a.glb"))
		import warnings
		with warnings.catch_warnings(record=True) as seen:
		    warnings.simplefilter("always")
		    file = anim.open("a.glb").apply("reduce", tol="50%")
		    assert len(seen) == 1 and "has no effect" in str(seen[0].message) and len(file.messages) == 2, file.messages
		told(KeyError, "no clip 'Walk'; clips: walk", lambda: anim.open("a.glb")["Walk"])
		told(anim.Error, "out.glb: a Writer writes streams (.axs); for .glb, convert the stream", lambda: anim.create("out.glb"))
		told(ValueError, "'<' and '>' open no files", lambda: anim.pipe("parse a.glb > o.axs"))
		told(anim.Error, "convert wrote no stream to read here", lambda: anim.pipe("convert -q a.glb b.glb"))
		with anim.create("o.axs") as out:
		    out.clip("x", end=1)
		    told(ValueError, "'quat' is no type of values", lambda: out.track("n", "rotation", "quat", [0, 0, 0, 1], times=[0]))
		    told(TypeError, "the third argument is the type of the values", lambda: out.track("n", "rotation", [0, 0, 0, 1], [0]))
		    told(ValueError, "1 keys of type float3 need 1 numbers in times", lambda: out.track("n", "position", "float3", [0, 0, 0], times=[0, 1]))
		    out.track("n", "rotation", "floatQ", [0, 0, 0, 1], times=[0])
	PY
}
