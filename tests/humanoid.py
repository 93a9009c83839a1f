"""humanoid.py: meta FILE TREE MAP [AXES] | pair TREE RESULT GENERIC MAP | avatar FILE TREE CLIP | check FILE CLIP RESULT | centre FILE RESULT |
clips | stands TREE RESULT DEGREES | flip TREE OUT | flipped TREE RESULT OTHER RESULT | bones FILE TREE CLIP CURVES | same CURVES RESULT [DEGREES] |
goals FILE CLIP RESULT | motion RESULT CURVES SCALE | moves RESULT MUSCLE LEAST MOST STEP: skeletons that Unity wrote, and what a humanoid clip makes of them, evaluated without any of the library."""
import json, math, random, re, sys
from skeleton import inv, mul, turn, unit

def degrees(a, b): return 2 * math.degrees(math.asin(min(1, math.sqrt(sum(x*x for x in mul(inv(a), b)[:3])))))
def between(a, b):
    dot = sum(x*y for x, y in zip(a, b)) / math.sqrt(sum(x*x for x in a) * sum(x*x for x in b))
    return math.degrees(math.acos(max(-1, min(1, dot))))
def numbers(text): return [float(x) for x in re.findall(r"[xyzw]: ([-+.\deE]+)", text)]

def write(out, axes, nodes): # (path, parent, position, rotation, scale)
    rows = [{"anim_json": 1}, {"tree": {"root": "root", "source": "root", "axes": axes, "axes2d": "unknown", "attributes": {}}}]
    for path, parent, position, rotation, scale in nodes:
        rows.append({"node": {"path": path, "type": "", "kind": "node", "has": ["position", "rotation", "scale"], "parent": parent,
                              "position": position, "rotation": rotation, "scale": scale, "attributes": {}}})
    open(out, "w").writelines(json.dumps(row) + "\n" for row in rows + [{"end": True}])

def meta(file, tree, map):
    """The skeleton of a model's import settings, and which bones it calls what."""
    text = open(file).read()
    names = re.findall(r"boneName: (.*)\n\s*humanName: (.*)\n", text)
    open(map, "w").writelines("%s,%s\n" % (human.replace(" ", ""), bone) for bone, human in names)
    nodes, number = [], {}
    for name, parent, rest in re.findall(r"    - name: (.*)\n      parentName: ?(.*)\n((?:      \w+: .*\n){3})", text):
        lines = rest.split("\n")
        path = "." if not nodes else name if parent == nodes[0][5] else nodes[number[parent]][0] + "/" + name
        if name in number: continue
        number[name] = len(nodes)
        nodes.append((path, number.get(parent), numbers(lines[0]), unit(numbers(lines[1])), numbers(lines[2]), name))
    write(tree, "unity", [n[:5] for n in nodes])

def flip(tree, out):
    """The same skeleton in glTF's axes, looking the other way, as VRM 0.x has it."""
    nodes = [(path, parent, [-p[0], p[1], p[2]], [q[0], -q[1], -q[2], q[3]], s) for path, parent, p, q, s in load(tree)]
    nodes = [(path, parent, turn((0, 1, 0, 0), p) if parent == 0 else p, mul((0, 1, 0, 0), q) if parent == 0 else q, s) for path, parent, p, q, s in nodes]
    write(out, "gltf", nodes)

def load(tree):
    nodes = [json.loads(line).get("node") for line in open(tree)]
    return [(n["path"], n["parent"], n["position"], n["rotation"], n["scale"]) for n in nodes if n]

def tracks(file):
    found = {}
    for line in open(file):
        track = json.loads(line).get("track")
        if track and track["property"] in ("position", "rotation") and track["component"] is None:
            found[track["node"], track["property"]] = track["columns"]["value"]
    return found

def pose(nodes, moves, k):
    """World places and rotations at sample k, by path."""
    world = []
    for path, parent, p, q, s in nodes:
        at = lambda part, rest: moves[path, part][min(k, len(moves[path, part]) - 1)] if (path, part) in moves else rest
        p, q = at("position", p), unit(at("rotation", q))
        if parent is not None:
            P, Q, S = world[parent]
            p, q, s = [a + b for a, b in zip(P, turn(Q, [x * y for x, y in zip(S, p)]))], mul(Q, q), [x * y for x, y in zip(S, s)]
        world.append((p, q, s))
    return {n[0]: w for n, w in zip(nodes, world)}

def orientation(at):
    """The body's, from where arms and legs begin."""
    def sub(a, b): return [x - y for x, y in zip(a, b)]
    def cross(a, b): return [a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0]]
    la, ra, ll, rl = [at(b) for b in ("LeftUpperArm", "RightUpperArm", "LeftUpperLeg", "RightUpperLeg")]
    x, y = unit([a + b - c - d for a, b, c, d in zip(ra, rl, la, ll)]), unit([a + b - c - d for a, b, c, d in zip(la, ra, ll, rl)])
    z = unit(cross(x, y))
    x = cross(y, z)
    w = math.sqrt(max(0, 1 + x[0] + y[1] + z[2])) / 2
    return unit([(y[2] - z[1]) / 4 / w, (z[0] - x[2]) / 4 / w, (x[1] - y[0]) / 4 / w, w])

def equal_rotations(one, other):
    """The rotations in two results are the same to a thousandth, in any order and with any names."""
    a, b = [[v for (_, property), v in tracks(file).items() if property == "rotation"] for file in (one, other)]
    def apart(u, v): return max(min(max(abs(x - s * y) for x, y in zip(p, q)) for s in (1, -1)) for p, q in zip(u, v)) if len(u) == len(v) else 9
    worst = max(min(apart(u, v) for v in b) for u in a)
    print("%d and %d rotations, worst %.2g" % (len(a), len(b), worst))
    sys.exit(not (len(a) == len(b) > 10 and worst < 1e-3))

def pair(tree, result, generic, map, straight="0", far="8"):
    """How far two animations of one skeleton are apart: degrees of limbs, hands, feet and head to the hips, of the body, millimetres of the hips.
    Legs whose knee is bent by less than `straight` degrees in the generic clip do not count."""
    nodes, a, b = load(tree), tracks(result), tracks(generic)
    names = dict(line.strip().split(",") for line in open(map))
    paths = {human: next(n[0] for n in nodes if n[0].split("/")[-1] == bone) for human, bone in names.items()}
    count = max(len(v) for v in a.values())
    if len(a) < 30 or count < 10: sys.exit("only %d tracks of %d samples" % (len(a), count))
    off = {}
    for k in range(count):
        A, B = pose(nodes, a, k), pose(nodes, b, k)
        for side in ("Left", "Right"):
            thigh, shin = [[y - x for x, y in zip(B[paths[side + p]][0], B[paths[side + q]][0])] for p, q in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"))]
            for bone, end in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")):
                if "Leg" in bone and between(thigh, shin) < float(straight): continue
                ways = [turn(inv(W[paths["Hips"]][1]), [x - y for x, y in zip(W[paths[side + end]][0], W[paths[side + bone]][0])]) for W in (A, B)]
                off.setdefault(bone, []).append(between(*ways))
            for bone in ("Hand", "Foot"):
                off.setdefault(bone, []).append(degrees(*[mul(inv(W[paths["Hips"]][1]), W[paths[side + bone]][1]) for W in (A, B)]))
        off.setdefault("Head", []).append(degrees(*[mul(inv(W[paths["Hips"]][1]), W[paths["Head"]][1]) for W in (A, B)]))
        off.setdefault("body", []).append(degrees(*[orientation(lambda x: W[paths[x]][0]) for W in (A, B)]))
        off.setdefault("millimetres", []).append(1000 * math.dist(A[paths["Hips"]][0], B[paths["Hips"]][0]))
    bad = 0
    for what, values in off.items():
        values.sort()
        median, worst = values[len(values) // 2], values[-1]
        limits = {"millimetres": (8, float(far)), "body": (.8, 3.5)}.get(what, (1.2, 3.5))
        bad += median > limits[0] or worst > limits[1]
        print("%-12s median %.3f worst %.3f of %d" % (what, median, worst, len(values)))
    sys.exit(bad > 0)

# Unity's bones in the order of its avatars, and their muscles: twist, swing, swing.
LIMBS = {"UpperLeg": ("Upper Leg Twist In-Out", "Upper Leg In-Out", "Upper Leg Front-Back"), "LowerLeg": ("Lower Leg Twist In-Out", None, "Lower Leg Stretch"),
         "Foot": (None, "Foot Twist In-Out", "Foot Up-Down"), "Shoulder": (None, "Shoulder Front-Back", "Shoulder Down-Up"),
         "UpperArm": ("Arm Twist In-Out", "Arm Front-Back", "Arm Down-Up"), "LowerArm": ("Forearm Twist In-Out", None, "Forearm Stretch"),
         "Hand": (None, "Hand In-Out", "Hand Down-Up"), "Toes": (None, None, "Toes Up-Down"), "Eye": (None, "Eye In-Out", "Eye Down-Up")}
MUSCLES = {b: (b + " Twist Left-Right", b + " Left-Right", b + " Front-Back") for b in ("Spine", "Chest", "UpperChest")}
MUSCLES.update({b: (b + " Turn Left-Right", b + " Tilt Left-Right", b + " Nod Down-Up") for b in ("Neck", "Head")})
MUSCLES["Jaw"] = (None, "Jaw Left-Right", "Jaw Close")
FINGERS = [f + j for f in ("Thumb", "Index", "Middle", "Ring", "Little") for j in ("Proximal", "Intermediate", "Distal")]
for side in ("Left", "Right"):
    MUSCLES.update({side + b: tuple(m and side + " " + m for m in muscles) for b, muscles in LIMBS.items()})
    for i, finger in enumerate(FINGERS):
        of = "%sHand.%s." % (side, re.match("[A-Z][a-z]+", finger)[0])
        MUSCLES[side + finger] = (None, of + "Spread" if i % 3 == 0 else None, of + "%d Stretched" % (i % 3 + 1))
BODY = ["Hips"] + [s + b for b in ("UpperLeg", "LowerLeg", "Foot") for s in ("Left", "Right")] + ["Spine", "Chest", "UpperChest", "Neck", "Head"]
BODY += [s + b for b in ("Shoulder", "UpperArm", "LowerArm", "Hand", "Toes", "Eye") for s in ("Left", "Right")] + ["Jaw"]

class Avatar:
    """An asset of class 90 as text: nodes as of `load`, and of each bone its axes."""
    def __init__(self, file):
        text = open(file).read()
        text = text[text.index("\n    m_Human:"):text.index("\n    m_HumanSkeletonIndexArray")]
        parents = [(int(a), int(b)) for a, b in re.findall(r"m_ParentId: (-?\d+)\s+m_AxesId: (-?\d+)", text)]
        axes = re.findall(r"- m_PreQ: (.*)\n\s+m_PostQ: (.*)\n\s+m_Sgn: (.*)\n\s+m_Limit:\n\s+m_Min: (.*)\n\s+m_Max: (.*)\n\s+m_Length: (.*)\n", text)
        pose = re.findall(r"- t: (.*)\n\s+q: (.*)\n\s+s: (.*)\n", text[text.index("m_SkeletonPose"):])
        def indices(name, after=0):
            word = re.search(name + r": ([0-9a-f]+)\n", text[after:])[1]
            return [int.from_bytes(bytes.fromhex(word[i:i + 8]), "little", signed=True) for i in range(0, len(word), 8)]
        self.bones = dict(zip(BODY, indices("m_HumanBoneIndex")))
        for side in ("Left", "Right"):
            self.bones.update(zip([side + f for f in FINGERS], indices("m_HandBoneIndex", text.index("m_%sHand:" % side))))
        self.bones = {b: n for b, n in self.bones.items() if n >= 0}
        names, self.nodes = {n: b for b, n in self.bones.items()}, []
        for n, (parent, _) in enumerate(parents):
            own = names.get(n, "n%d" % n)
            path = "." if parent < 0 else own if parent == 0 else self.nodes[parent][0] + "/" + own
            t, q, s = [numbers(x) for x in pose[n]]
            self.nodes.append((path, parent if parent >= 0 else None, t, unit(q), s))
        self.axes = {b: [numbers(x) for x in axes[parents[n][1]][:5]] for b, n in self.bones.items() if parents[n][1] >= 0}
        self.lengths = {b: float(axes[parents[n][1]][5]) for b, n in self.bones.items() if parents[n][1] >= 0}
        root = re.search(r"m_RootX:\s+t: (.*)\n\s+q: (.*)\n", text)
        self.centre, self.base = numbers(root[1]), numbers(root[2])

def avatar(file, tree, clip):
    """The avatar's skeleton, and a clip of all its muscles at random values."""
    random.seed(file.split("/")[-1])
    a = Avatar(file)
    write(tree, "unity", a.nodes)
    rows = [{"anim_json": 1}, {"clip": {"name": "go", "root": ".", "source": "unity", "start": 0, "end": 1, "loop": "none", "axes": "unity", "axes2d": "unknown",
                                        "flags": [], "rate": {"num": 10, "den": 1}, "attributes": {}}}]
    def add(name, kind, values):
        rows.append({"track": {"node": ".", "property": name, "component": None, "kind": "Curve", "type": "double", "rules": "unity", "flags": [],
                               "before": "hold", "after": "hold", "interp": "Linear", "keys": len(values), "attributes": {"unity.class": "95", "unity.humanoid": kind},
                               "columns": {"time": [k / 10 for k in range(len(values))], "value": values}}})
    for bone in a.bones:
        for name in filter(None, MUSCLES.get(bone, ())):
            add(name, "muscle", [0] + [random.uniform(-1.2, 1.2) for _ in range(10)])
    for name in ("RootT.x", "RootT.y", "RootT.z"): add(name, "root", [random.uniform(-1, 1) for _ in range(11)])
    turns = [unit([random.gauss(0, 1) for _ in range(4)]) for _ in range(11)]
    for i, name in enumerate("xyzw"): add("RootQ." + name, "root", [2 * q[i] for q in turns])
    open(clip, "w").writelines(json.dumps(row) + "\n" for row in rows + [{"end": True}])

def clip(out, curves, seconds=1, settings={}, source="unity", flags=(), axes="unity", tree=None):
    """A clip of constant curves, or of linear ones from a value to another; behind a tree if it has one."""
    head = open(tree).readlines()[:-1] if tree else [json.dumps({"anim_json": 1}) + "\n"]
    rows = [{"clip": {"name": "go", "root": ".", "source": source, "start": 0, "end": seconds, "loop": "none", "axes": axes, "axes2d": "unknown",
                      "flags": list(flags), "rate": {"num": 10, "den": 1}, "attributes": {"unity.m_AnimationClipSettings." + k: v for k, v in settings.items()}}}]
    for name, values in curves.items():
        kind = {"T": "root", "Q": "root"}.get(name[4:5]) if name.startswith("Root") else "muscle"
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        times = [0, seconds][:len(values)] if len(values) < 3 else [k / 10 for k in range(len(values))]
        rows.append({"track": {"node": ".", "property": name, "component": None, "kind": "Curve", "type": "float", "rules": "unity", "flags": [],
                               "before": "hold", "after": "hold", "interp": "Linear", "keys": len(values), "attributes": {"unity.class": "95", "unity.humanoid": kind},
                               "columns": {"time": times, "value": values}}})
    open(out, "w").writelines(head + [json.dumps(row) + "\n" for row in rows + [{"end": True}]])

# What Unity shows of a T-pose in its editor for muscles, to two digits.
T_POSE = {s + " " + m: v for s in ("Left", "Right") for m, v in {"Upper Leg Front-Back": .6, "Lower Leg Stretch": 1, "Arm Down-Up": .39, "Arm Front-Back": .29,
          "Forearm Stretch": 1, "Foot Up-Down": 0, "Hand Down-Up": 0}.items()}
T_POSE.update({"Spine Front-Back": 0, "Chest Front-Back": 0, "Head Nod Down-Up": 0})
STAND = {"RootT.x": 0, "RootT.y": 1, "RootT.z": 0, "RootQ.x": 0, "RootQ.y": 0, "RootQ.z": 0, "RootQ.w": 1}

def clips():
    """tpose.json, high.json, walk.json, and mirrored.json, whose setting mirrors what walk.json has on the other side."""
    clip("tpose.json", {**T_POSE, **STAND})
    clip("high.json", {"RootT.y": 2, "RootQ.w": 1})
    walk = {**T_POSE, **STAND, "RootT.x": [.1, .4], "RootT.z": [0, 1], "RootQ.y": [0, .3], "RootQ.z": .1, "Left Upper Leg Front-Back": [.2, .9],
            "Right Arm Twist In-Out": [0, .5], "Spine Left-Right": [0, .4], "LeftHand.Index.1 Stretched": [0, 1], "Neck Turn Left-Right": .2, "Jaw Close": [0, 1]}
    clip("walk.json", walk, settings={"m_OrientationOffsetY": "30"})
    swap = lambda n: n.replace("Left", "\0").replace("Right", "Left").replace("\0", "Right") if re.match("Left|Right", n) else n
    over = lambda n, v: [-x for x in v] if isinstance(v, list) else -v
    clip("mirrored.json", {swap(n): over(n, v) if "Left-Right" in n or n in ("RootT.x", "RootQ.y", "RootQ.z") else v for n, v in walk.items()},
         settings={"m_Mirror": "1"})

def stands(tree, result, degrees_most):
    """Arms go out level, legs straight down, the head is upright, and the hips are where they rest, but for what the mass centre is off."""
    nodes, moves = load(tree), tracks(result)
    paths = {n[0].split("/")[-1].split(":")[-1]: n[0] for n in nodes}
    rest, world, worst = pose(nodes, {}, 0), pose(nodes, moves, 0), 0
    for side in ("Left", "Right"):
        for bone, end in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")):
            a, b = [world[paths[side + x]][0] for x in (bone, end)]
            outward = world[paths[side + "UpperArm"]][0][0] - world[paths["Hips"]][0][0]
            worst = max(worst, between([y - x for x, y in zip(a, b)], [outward, 0, 0] if "Arm" in bone else [0, -1, 0]))
    far = math.dist(world[paths["Hips"]][0], rest[paths["Hips"]][0])
    print("worst %.3g degrees, hips %.3g" % (worst, far))
    sys.exit(not (len(moves) > 12 and worst < float(degrees_most) and far < .02))

def swing_twist(x, y, z):
    n = math.hypot(y, z)
    s = math.sin(n / 2) / n if n else .5
    return mul([0, y * s, z * s, math.cos(n / 2)], [math.sin(x / 2), 0, 0, math.cos(x / 2)])

LIMB = "(Left|Right)(UpperArm|LowerArm|UpperLeg|LowerLeg)"

def locals_of(a, values):
    """Rotations of an avatar's bones relative to their parents, by its own axes, from the values of muscles."""
    angles, found = {}, {}
    for bone, (pre, post, sign, low, high) in a.axes.items():
        own = [values.get(m, 0) for m in MUSCLES.get(bone, (None,) * 3)]
        angles[bone] = [s * v * (h if v >= 0 else -l) for s, v, h, l in zip(sign, own, high, low)]
    for bone, (pre, post, *_) in a.axes.items():
        parent = a.nodes[a.bones[bone]][1]
        x, y, z = angles[bone]
        q = mul(mul(pre, swing_twist(x / 2 if re.fullmatch(LIMB, bone) else x, y, z)), inv(post))
        above = next((b for b, n in a.bones.items() if n == parent), None)
        if above and re.fullmatch(LIMB, above):
            q = mul(mul(mul(a.axes[above][1], swing_twist(angles[above][0] / 2, 0, 0)), inv(a.axes[above][1])), q)
        if bone != "Hips": found[bone] = q
    return found

def named(tree):
    """The paths of a human's bones, as a tree names them."""
    rows = [json.loads(line).get("node") for line in open(tree)]
    return {n["attributes"]["unity.human"]: n["path"] for n in rows if n and "unity.human" in n["attributes"]}

def check(file, clip, result, tree=None):
    """Local rotations by the avatar's own axes, signs and limits, and where the body then is. `tree`: the avatar as anim-parse reads it."""
    a, found = Avatar(file), tracks(result)
    paths = named(tree) if tree else {b: a.nodes[n][0] for b, n in a.bones.items()}
    curves = {t["property"]: t["columns"]["value"] for t in (json.loads(line).get("track") for line in open(clip)) if t}
    worst, seen, base = 0, 0, 0
    for k in range(11):
        for bone, q in locals_of(a, {m: v[k] for m, v in curves.items()}).items():
            own = found[paths[bone], "rotation"][k]
            worst, seen = max(worst, min(max(abs(u - s * v) for u, v in zip(unit(q), own)) for s in (1, -1))), seen + 1
        world = pose(load(tree) if tree else a.nodes, found, k)
        root = unit([curves["RootQ." + i][k] for i in "xyzw"])
        b = orientation(lambda bone: world[paths[bone]][0])
        base = max(base, degrees(b, mul(root, a.base)))
    print("%d rotations, worst component %.2g; body %.2g degrees" % (seen, worst, base))
    sys.exit(not (seen > 400 and worst < 1e-5 and base < 1e-3))

# The reference axis of a bone, and the rotation of the neutral pose as x, y, z over w = 1, of the left bone of a pair.
REFERENCE = {b: ([-1, 0, 0], [0, 0, 0]) for b in ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")}
REFERENCE.update({"Jaw": ([1, 0, 0], [.09, 0, 0]), "Eye": ([1, 0, 0], [0, 0, 0]), "Shoulder": ([0, 0, 1], [0, 0, 0]), "Hand": ([0, 0, 1], [0, 0, 0]),
                  "UpperArm": ([0, 0, 1], [0, .268, .364]), "LowerArm": ([0, 1, 0], [0, .839, 0]), "UpperLeg": ([1, 0, 0], [-.268, 0, 0]),
                  "LowerLeg": ([1, 0, 0], [.839, 0, 0]), "Foot": ([1, 0, 0], [0, 0, 0]), "Toes": ([1, 0, 0], [0, 0, 0])})
for finger, y, z in (("Index", .08, .3), ("Middle", .04, .3), ("Ring", -.04, .3), ("Little", -.08, .3), ("Thumb", .125, .125)):
    REFERENCE[finger + "Proximal"] = ([0, 1, 0] if finger == "Thumb" else [0, 0, 1], [0, y, z])
    for joint in ("Intermediate", "Distal"):
        REFERENCE[finger + joint] = ([0, 1, 0], [0, -.2, 0]) if finger == "Thumb" else ([0, 0, 1], [0, 0, .33])
FIXED = {"Foot": [0, -1, 0], "Head": [0, 1, 0], "Toes": [0, 0, 1], "Eye": [0, 0, 1], "Jaw": [0, 0, 1]}

def axes(file, tree):
    """The axes and lengths that an avatar has follow from its skeleton, as anim-parse reads it: to 1e-5."""
    a, nodes, paths = Avatar(file), load(tree), named(tree)
    world = pose(nodes, {}, 0)
    by_path, worst, longest, bones, measured = {n[0]: n for n in nodes}, 0, 0, 0, 0
    trunk = [b for b in ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head") if b in paths]
    following = dict(zip(trunk, trunk[1:]))
    for side in ("Left", "Right"):
        for chain in (["Shoulder", "UpperArm", "LowerArm", "Hand"], ["UpperLeg", "LowerLeg", "Foot"], *([f + j for j in ("Proximal", "Intermediate", "Distal")] for f in ("Thumb", "Index", "Middle", "Ring", "Little"))):
            chain = [side + b for b in chain if side + b in paths]
            following.update(zip(chain, chain[1:]))
    before = {b: a for a, b in following.items()}
    def way(bone): return [y - x for x, y in zip(world[paths[bone]][0], world[paths[following[bone]]][0])]
    for bone in a.axes:
        side, kind = re.fullmatch("(Left|Right)?(.*)", bone).groups()
        x = FIXED.get(kind) or way(bone if bone in following else before[bone])
        r, neutral = REFERENCE[kind]
        neutral = neutral if side != "Right" else [neutral[0], -neutral[1], -neutral[2]]
        cross = lambda u, v: [u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]]
        x = unit(list(x))
        y = unit(cross(r, x))
        z = cross(x, y)
        m = [[x[i], y[i], z[i]] for i in range(3)]
        # the largest of the four components first, so that no square root is of a small number
        squares = [1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]]
        k = squares.index(max(squares))
        q = ([squares[0], m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] - m[1][2]], [m[1][0] + m[0][1], squares[1], m[2][1] + m[1][2], m[0][2] - m[2][0]],
             [m[0][2] + m[2][0], m[2][1] + m[1][2], squares[2], m[1][0] - m[0][1]], [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], squares[3]])[k]
        parent = by_path[paths[bone]][1]
        post = mul(inv(world[paths[bone]][1]), unit(q))
        above = [0, 0, 0, 1] if bone == "Hips" else world[nodes[parent][0]][1] # the human begins with a node that is not rotated
        pre = mul(mul(inv(above), unit(neutral + [1])), unit(q))
        for own, other in ((pre, a.axes[bone][0]), (post, a.axes[bone][1])):
            off = min(max(abs(u - s * v) for u, v in zip(own, other)) for s in (1, -1))
            worst, bones = max(worst, off), bones + 1
        length = lambda b: math.sqrt(sum(u * u for u in way(b)))
        expected = length(bone) if bone in following else world[paths[bone]][0][1] if kind == "Foot" else length(before[bone]) / 4 if kind == "Hand" else length(before[bone]) if kind == "Head" else None
        if expected is not None:
            longest, measured = max(longest, abs(expected - a.lengths[bone])), measured + 1
    print("%d rotations, worst component %.2g; %d lengths, worst %.2g" % (bones, worst, measured, longest))
    sys.exit(not (bones > 90 and worst < 1e-5 and measured > 30 and longest < 1e-5))

def centre(file, result):
    """The mass centre of a T-pose whose RootT is 0 2 0 is where the avatar has it, to 0.8 millimetres."""
    a, found = Avatar(file), tracks(result)
    path = a.nodes[a.bones["Hips"]][0]
    place, rest = found[path, "position"][0], pose(a.nodes, {}, 0)[path][0]
    off = [x - r + c for x, r, c in zip(place, rest, a.centre)]
    off[1] -= 2 * a.centre[1] # the scale, twice: once as RootT, once as the height of the centre
    print("off by %s millimetres" % [round(1000 * x, 3) for x in off])
    sys.exit(not all(abs(x) < .0008 for x in off))

def flipped(tree, result, other, turned):
    """What two trees of `flip` do with one clip is the same, to a ten-thousandth of a unit."""
    a, b, worst = tracks(result), tracks(turned), 0
    for k in range(max(len(v) for v in a.values())):
        A, B = pose(load(tree), a, k), pose(load(other), b, k)
        worst = max([worst] + [math.dist(A[n][0], [B[n][0][0], B[n][0][1], -B[n][0][2]]) for n in A])
    print("worst %.2g" % worst)
    sys.exit(not worst < 1e-4)

def curves_of(file):
    found = {}
    for line in open(file):
        track = json.loads(line).get("track")
        if track and track["attributes"].get("unity.humanoid"): found[track["property"]] = track["columns"]["value"]
    return found

def bones(file, tree, clip_file, curves_file):
    """A clip of an avatar's bones, made from random muscles within their limits by the avatar's own axes; and these muscles."""
    random.seed(file.split("/")[-1] + "bones")
    a, count = Avatar(file), 30
    names = [m for b in a.bones for m in MUSCLES.get(b, ()) if m]
    curves = {m: [random.uniform(-1, 1) for _ in range(count)] for m in names}
    for m in curves: # some limbs are straight, or nearly
        if m.endswith(" Stretch"): curves[m][:6] = [79.9933 / 80, .999, 1, .99, 1.01, .95]
    tracks = {}
    for k in range(count):
        for bone, q in locals_of(a, {m: v[k] for m, v in curves.items()}).items(): tracks.setdefault((bone, "rotation"), []).append(unit(q))
    tracks["Hips", "rotation"] = [unit([random.gauss(0, 1) for _ in range(4)]) for _ in range(count)]
    tracks["Hips", "position"] = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(count)]
    write(tree, "unity", a.nodes)
    rows = [{"clip": {"name": "go", "root": ".", "source": "unity", "start": 0, "end": (count - 1) / 10, "loop": "wrap", "axes": "unity", "axes2d": "unknown",
                      "flags": ["in_tree"], "rate": {"num": 10, "den": 1}, "attributes": {}}}]
    for (bone, part), values in tracks.items():
        rows.append({"track": {"node": a.nodes[a.bones[bone]][0], "property": part, "component": None, "kind": "Raw", "type": "floatQ" if part == "rotation" else "float3",
                               "rules": "plain", "flags": [], "before": "hold", "after": "hold", "interp": "Linear", "keys": count, "start": 0, "step": 0,
                               "rate": {"num": 10, "den": 1}, "attributes": {}, "columns": {"value": values}}})
    head = open(tree).readlines()[:-1]
    open(clip_file, "w").writelines(head + [json.dumps(row) + "\n" for row in rows + [{"end": True}]])
    clip(curves_file, {m: v for m, v in curves.items()}, seconds=(count - 1) / 10)

def at(values, k): return values[min(k, len(values) - 1)]

def same(wanted, result, most="1e-4"):
    """All muscles, RootT and RootQ of one file are in the other, with the same values."""
    a, b, worst, count = curves_of(wanted), curves_of(result), 0, 0
    samples = max(len(v) for v in a.values())
    for name in sorted(a):
        if name.startswith("RootQ"): continue
        for k in range(samples): worst, count = max(worst, abs(at(a[name], k) - at(b[name], k))), count + 1
    turns = 0
    for k in range(samples if "RootQ.w" in a else 0):
        turns = max(turns, degrees(*[unit([at(c["RootQ." + i], k) if "RootQ." + i in c else 0 for i in "xyzw"]) for c in (a, b)]))
    print("%d values of %d curves, worst %.2g; body %.2g degrees" % (count, len(a), worst, turns))
    sys.exit(not (count > 20 and worst < float(most) and turns < .1))

def goals(file, clip, result):
    """The body is where the limbs begin, and the goals are the wrists and soles of an avatar whose bones move so."""
    a, moves, c = Avatar(file), tracks(clip), curves_of(result)
    scale, off = a.centre[1], {}
    for k in range(30):
        world = pose(a.nodes, moves, k)
        of = lambda bone: world[a.nodes[a.bones[bone]][0]]
        curve = lambda name, letters: [at(c[name + "." + i], k) for i in letters]
        root, place = unit(curve("RootQ", "xyzw")), curve("RootT", "xyz")
        off.setdefault("body", []).append(degrees(mul(root, a.base), orientation(lambda bone: of(bone)[0])))
        for side in ("Left", "Right"):
            for bone in ("Foot", "Hand"):
                own = mul(of(side + bone)[1], a.axes[side + bone][1])
                sole = turn(own, [a.lengths[side + bone] if bone == "Foot" else 0, 0, 0])
                end = [x + y for x, y in zip(of(side + bone)[0], sole)]
                told = [scale * (x + y) for x, y in zip(place, turn(root, curve(side + bone + "T", "xyz")))]
                off.setdefault(bone + " mm", []).append(1000 * math.dist(end, told))
                off.setdefault(bone + " degrees", []).append(degrees(mul(root, unit(curve(side + bone + "Q", "xyzw"))), own))
    for what, values in sorted(off.items()): print("%-12s worst %.3g" % (what, max(values)))
    sys.exit(any(max(v) > (4 if what.endswith("mm") else .01) for what, v in off.items()))

def motion(result, wanted, scale):
    """Muscles, body and goals that a generic clip gives are as in the humanoid clip of the same motion: medians, in degrees and millimetres."""
    a, b, scale = curves_of(result), curves_of(wanted), float(scale)
    samples, off = max(len(v) for v in b.values()), {}
    for name in set(a) & set(b):
        if not re.search("[TQ][.][xyzw]$|Hand[.]|Jaw|Eye", name): # fingers and face of this character have joints that no muscle moves
            off.setdefault("muscles", []).append(sorted(abs(at(a[name], k) - at(b[name], k)) for k in range(samples))[samples // 2])
    for goal in ("Root", "LeftFoot", "RightFoot", "LeftHand", "RightHand"):
        far = sorted(1000 * scale * math.dist(*[[at(c[goal + "T." + i], k) for i in "xyz"] for c in (a, b)]) for k in range(samples))
        turned = sorted(degrees(*[unit([at(c[goal + "Q." + i], k) for i in "xyzw"]) for c in (a, b)]) for k in range(samples))
        off.setdefault("mm", []).append(far[samples // 2])
        off.setdefault("degrees", []).append(turned[samples // 2])
    for what, values in off.items(): print("%-8s worst median %.3g of %d" % (what, max(values), len(values)))
    sys.exit(not (len(off["muscles"]) > 40 and max(off["muscles"]) < .02 and max(off["mm"]) < 8 and max(off["degrees"]) < .5))

def moves(result, name, least, most, step):
    """The range of a muscle is this, to 0.02, and it moves at most so much between two samples."""
    values = [at(curves_of(result)[name], k) for k in range(max(len(v) for v in curves_of(result).values()))]
    fastest = max(abs(a - b) for a, b in zip(values, values[1:]))
    print("%s from %.4f to %.4f, %.4f at once" % (name, min(values), max(values), fastest))
    sys.exit(not (abs(min(values) - float(least)) < .02 and abs(max(values) - float(most)) < .02 and fastest < float(step)))

if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
