#!/usr/bin/env bats
# lib/api/anim.py on the library as it was built: with numpy where that is there, and without it.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	not_sanitized "python itself has no sanitizers in it"
	export ANIM_LIBRARY=$ANIM_BUILD/lib/libanim.so.1 PYTHONPATH=$ROOT/lib/api PYTHONDONTWRITEBYTECODE=1
	cp "$ROOT"/examples/*.tscn .
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

@test "motion capture has its unit and the axis that points up told, as anim-parse has" {
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
		    assert file.messages == ["odd.tres:4:1: warning: loop mode 5 is not known; read as none"], file.messages
		    assert anim.open(scene, warn=False).messages and len(told) == 1
	PY
}

@test "a pipe runs without a shell; each program that fails is told, the first one's words" {
	python3 - <<-'PY'
		import os
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
		try:
		    anim.pipe("parse walker.tscn |")
		except ValueError:
		    pass
		else:
		    assert False
	PY
}

@test "the library is looked for where ANIM_LIBRARY says, and named where it is not" {
	ANIM_LIBRARY=$PWD/none.so run -1 --separate-stderr python3 -c 'import anim'
	[[ $stderr == *"ImportError: $PWD/none.so"* ]]
}

@test "the lines of the README do what it shows" {
	need_numpy
	sed -n '/^The same in Python/,/^## /s/^    //p' "$ROOT/README.md" >section
	sed -n '/^import anim/,/^$/p' section | grep -v '^\$' >lines.py
	python3 lines.py | diff <(sed -n '/^\$ python3/,$p' section | sed 1d) -
}
