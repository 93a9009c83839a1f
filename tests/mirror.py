"""mirror.py make KIND FILE | check SOURCE MIRRORED PLANE PAIRS MAX | places SOURCE MIRRORED MAX | flip SOURCE: skeletons whose bones' axes are any but whose places are mirror images,
and whether a clip (both files: JSON Lines of anim-emit) turns every bone away from its rest as the mirrored one turns its partner;
whether it brings all joints to mirrored places; the same clip on bones whose axes on the right are opposite, as Maya mirrors them."""
import json, math, random, re, sys
from skeleton import Model, inv, mul, some, turn, unit

# name, parent, place; %s stands for the side. Numbers that differ: the left hand's partner is not the one of its number.
NAMES = {"numbers": ["Arm_%s_1", "Hand_%s_1", "Finger_%s_1", "Finger_%s_2"],
         "bare": [("arm_L_1", "arm_R_4"), ("hand.L.2", "hand.R.9"), ("finger_L_4", "finger_R_1"), ("finger_L_1", "finger_R_4")],
         "places": [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")],
         "words": ["%sUpperArm", "mixamorig_%sHand", "thumb %s", "%sIndex"]}

def make(kind, file):
    random.seed(kind)
    axis = 2 if kind == "places" else 0
    bones = [("Hips", None, [0, 1, 0.1]), ("Spine", 0, [0, 1.5, 0])]
    parts = [(1, [0.3, 1.5, 0]), (-2, [0.8, 1.5, 0.1]), (-2, [0.9, 1.5, 0.3]), (-4, [0.9, 1.4, -0.1])]
    for (up, place), name in zip(parts, NAMES[kind]):
        sides = name if isinstance(name, tuple) else [name % s for s in (("left", "right") if kind == "words" and name[-2:] == "%s" else ("Left", "Right") if kind == "words" else ("L", "R"))]
        count = len(bones)
        for side in (0, 1):
            at = [place[0] if side == 0 else -place[0], place[1], place[2]]
            bones.append((sides[side], 1 if up == 1 else count + up + side, at))
    if axis == 2: bones = [(n, p, [a[2], a[1], a[0]]) for n, p, a in bones]
    world = [some() for _ in bones]
    model = Model()
    nodes = model.nodes
    times = model.put([0, 0.5, 1], 1)
    for i, (name, parent, at) in enumerate(bones):
        local = world[i] if parent is None else mul(inv(world[parent]), world[i])
        offset = at if parent is None else turn(inv(world[parent]), [a - b for a, b in zip(at, bones[parent][2])])
        nodes.append({"name": name, "translation": offset, "rotation": local, "children": [k for k, b in enumerate(bones) if b[1] == i]})
        if not nodes[i]["children"]: del nodes[i]["children"]
        cubic = i % 2 == 1
        keys = [x for _ in range(3) for x in ([0.1 * random.gauss(0, 1) for _ in range(4)] if cubic else []) + some() + ([0.1 * random.gauss(0, 1) for _ in range(4)] if cubic else [])]
        model.drive(i, "rotation", times, keys, 4, "CUBICSPLINE" if cubic else "LINEAR")
        if i in (0, 2): model.drive(i, "translation", times, [x + random.gauss(0, 0.1) for _ in range(3) for x in offset], 3, "LINEAR")
    model.save(file)

def read(name):
    nodes, tracks, clip = [], {}, None
    for line in open(name):
        (kind, d), = json.loads(line).items()
        if kind == "node": nodes.append(d)
        elif kind == "clip": clip, root = d["name"], d["root"]
        elif kind == "track":
            path = d["node"] if root == "." else root if d["node"] == "." else root + "/" + d["node"]
            tracks[clip, path, d["property"]] = d["columns"]["value"]
    return nodes, tracks

def place(nodes, tracks, clip, k):
    turns, places = [], []
    for d in nodes:
        q = unit(tracks[clip, d["path"], "rotation"][k]) if (clip, d["path"], "rotation") in tracks else unit(d["rotation"])
        p = tracks[clip, d["path"], "position"][k] if (clip, d["path"], "position") in tracks else d["position"]
        up = d["parent"]
        turns.append(q if up is None else mul(turns[up], q))
        places.append(p if up is None else [a + b for a, b in zip(places[up], turn(turns[up], p))])
    return turns, places

def check(source, mirrored, plane, partners):
    nodes, own = read(source)
    _, other = read(mirrored)
    rests, _ = place(nodes, {}, None, 0)
    pairs = dict(line.split(",") for line in partners.split())
    pairs.update({b: a for a, b in pairs.items()})
    number = {d["path"].split("/")[-1].replace(" ", "_"): i for i, d in enumerate(nodes)}
    turned = moved = count = 0
    for clip, n in {(c, len(v)) for (c, _, p), v in own.items() if p == "rotation"}:
        for k in range(n):
            (a, at), (b, to) = place(nodes, own, clip, k), place(nodes, other, clip, k)
            for name, i in number.items():
                j = number[pairs.get(name, name)]
                want = mul(a[i], inv(rests[i]))
                want = [x if m in (plane, 3) else -x for m, x in enumerate(want)]
                got = mul(b[j], inv(rests[j]))
                turned = max(turned, 2 * math.degrees(math.sqrt(sum(x*x for x in mul(inv(want), got)[:3]))))
                moved = max(moved, max(abs((-x if m == plane else x) - y) for m, (x, y) in enumerate(zip(at[i], to[j]))))
                count += 1
    print("%d places, turns %.1e degrees off, places %.1e" % (count, turned, moved))
    assert count > 0 and turned < 2e-4 and moved < float(sys.argv[6])

def places(source, mirrored):
    """At x = 0; partners are named by Left and Right. As a share of the height."""
    nodes, own = read(source)
    others, other = read(mirrored)
    swap = {"Left": "Right", "Right": "Left"}
    number = {d["path"]: i for i, d in enumerate(others)}
    count, worst, low, high = 0, 0, math.inf, -math.inf
    for clip, n in {(c, len(v)) for (c, _, p), v in own.items() if p == "rotation"}:
        for k in range(n):
            at, to = place(nodes, own, clip, k)[1], place(others, other, clip, k)[1]
            for i, d in enumerate(nodes):
                j = number[re.sub("Left|Right", lambda m: swap[m.group()], d["path"])]
                worst = max(worst, math.dist([-at[i][0], *at[i][1:]], to[j]))
                low, high = min(low, at[i][1]), max(high, at[i][1])
                count += 1
    print("%d places, %.1e of the height off" % (count, worst / (high - low)))
    assert count > 0 and worst < float(sys.argv[4]) * (high - low)

def flip(source):
    half = lambda path: [0, 0, 1, 0] if re.search("Right(Arm|UpLeg)", path) else [0, 0, 0, 1]
    for line in open(source):
        (kind, d), = json.loads(line).items()
        path = d.get("path", d.get("node", "")) if isinstance(d, dict) else ""
        own, above = half(path), half(path.rpartition("/")[0])
        if kind == "node" and "position" in d: d["position"] = turn(inv(above), d["position"])
        if kind == "track" and d["property"] == "position": d["columns"]["value"] = [turn(inv(above), p) for p in d["columns"]["value"]]
        if kind == "track" and d["property"] == "rotation": d["columns"]["value"] = [mul(mul(inv(above), q), own) for q in d["columns"]["value"]]
        print(json.dumps({kind: d}))

if sys.argv[1] == "places": places(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "flip": flip(sys.argv[2])
elif sys.argv[1] == "make": make(sys.argv[2], sys.argv[3])
else: check(sys.argv[2], sys.argv[3], "xyz".index(sys.argv[4]), open(sys.argv[5]).read())
