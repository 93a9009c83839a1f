"""values.py RATE ENGINE.json FOLDER: what our programs sample from FOLDER's files against what an engine returned.

A lane may be off 4 ulp of the largest number that it holds in the track; whole numbers and texts not at all. Prints what
is farther off, then a line of counts; exit status 1 where anything is.
"""
import json, math, struct, subprocess, sys

ULP = 4


def single(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def stream(line, path, rate):
    """The stream's JSON that a line of programs writes."""
    text = subprocess.run(["bash", "-c", "set -o pipefail; " + line, "-", path, rate], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()
    return [json.loads(line) for line in filter(None, text.split("\n"))]


def tracks_of(items):
    """The tracks that Godot plays: markers are none of its."""
    tracks = [item["track"] for item in items if "track" in item]
    return [t for t in tracks if t["property"] != "@marker" and t["keys"] > 0 and "disabled" not in t["flags"]]


def name_of(track):
    return track["node"], track["property"], track.get("component")


def ours(path, rate):
    """The values of the file's tracks in their order, a list of one or, of an AABB, of two; and the clip's end.

    A track without a value inside the clip is an empty list: anim-resample leaves it out.
    """
    items = stream('anim-parse -q "$1" | anim-resample -q --all "$2" | anim-emit json', path, rate)
    tracks, sampled = [], {}
    for track in tracks_of(items):
        sampled.setdefault(name_of(track), []).append(track["columns"].get("value", []))
    for source in tracks_of(stream('anim-parse -q "$1" | anim-emit json', path, rate)):
        same = sampled.get(name_of(source), [])
        values = [same.pop(0)] if same else []
        if source["attributes"].get("godot.variant") == "AABB" and source["property"].endswith(":size"):
            tracks[-1] += values
        else:
            tracks.append(values)
    return tracks, next(item["clip"]["end"] for item in items if "clip" in item)


def number(x):
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(x, x) if isinstance(x, str) else float(x)


def row(value):
    return [number(x) for x in value] if isinstance(value, list) else [number(value)]


def plain(text):
    """The text of a StringName, which is written as Godot's files do."""
    return json.loads(text[1:], strict=False) if text.startswith('&"') else text


def off_by(rows, want):
    """The largest difference in ulp of the track's largest numbers; vectors count as a whole."""
    size = max((abs(x) for r in want for x in r if math.isfinite(x)), default=0)
    ulp = math.ldexp(1, math.frexp(max(size, 1e-38))[1] - 24)
    worst, at = 0, 0
    for k, (a, b) in enumerate(zip(rows, want)):
        for x, y in zip(map(single, a), map(single, b)):
            same = x == y or (x != x and y != y)
            off = 0 if same else abs(x - y) / ulp if math.isfinite(x) and math.isfinite(y) else math.inf
            if off > worst:
                worst, at = off, k
    return worst, at


def compare(theirs, tracks, count):
    """The largest difference of one of the engine's tracks and its sample."""
    if theirs["texts"]:
        shown = [bytes.fromhex(t).decode() for t in theirs["texts"][:count]]
        return next(((math.inf, k) for k in range(count) if plain(tracks[0][k]) != shown[k]), (0, 0))
    data = bytes.fromhex(theirs["numbers"])
    values = struct.unpack("<%dd" % (len(data) // 8), data)
    lanes = len(values) // theirs["count"]
    rows = [sum((row(t[k]) for t in tracks), []) for k in range(count)] # an AABB is two tracks
    return off_by(rows, [values[k * lanes:(k + 1) * lanes] for k in range(count)])


def main(rate, engine, folder):
    files, counts, bad = {}, [0, 0], 0
    for line in open(engine, encoding="utf-8"):
        theirs = json.loads(line)
        name = theirs["file"].split("/")[-1]
        if name not in files:
            files[name] = ours(folder + "/" + name, rate)
        tracks, end = files[name]
        if not theirs["numbers"] and not theirs["texts"]:
            continue # no key inside the clip
        count = sum(1 for k in range(theirs["count"]) if k / float(rate) <= end)
        worst, at = compare(theirs, tracks[theirs["track"]], count)
        counts[0] += 1
        counts[1] += count
        if worst > ULP:
            bad += 1
            print("%s: track %d, '%s': %g ulp off at sample %d" % (name, theirs["track"], theirs["path"], worst, at))
    print("%d tracks, %d samples, %d tracks off" % (*counts, bad))
    return 1 if bad else 0


sys.exit(main(*sys.argv[1:]))
