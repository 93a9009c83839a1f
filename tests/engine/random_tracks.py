"""random_tracks.py SEED COUNT FOLDER: Godot 4 animations of every value type, mode, loop, transition and odd key times.

One track in ten has numbers that no editor writes: integers beyond 32 bits or beside floats, rotations of any length.
"""
import math, random, sys

LANES = {"Vector2": 2, "Vector3": 3, "Vector4": 4, "Rect2": 4, "AABB": 6, "Projection": 16, "Plane": 4}
WHOLE = {"Vector2i": 2, "Vector3i": 3, "Vector4i": 4, "Rect2i": 4}
TYPES = ["bool", "int", "float", "float", "String", "StringName", "Color", "Quaternion", "Basis", "Transform2D",
         "Transform3D", *LANES, *WHOLE]
ODD = ["long", "mixed", "Quaternion", *WHOLE]
EASES = [1, 1, 0, 2, 0.5, -0.5, -2, 0.1, 8, -7.5, 0.001, 64]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.odd = False

    def reals(self, n, scale):
        return [self.r.choice([self.r.uniform(-scale, scale), self.r.randint(-3, 3)]) for _ in range(n)]

    def quaternion(self):
        q = [self.r.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(x * x for x in q))
        if self.odd:
            size *= self.r.choice([1, 1.0004, 0.9996, 1.0006, 1.4, 1e-3])
        return [x / size for x in q]

    def basis(self):
        x, y, z, w = self.quaternion()
        s = [self.r.uniform(0.3, 3) for _ in range(3)]
        rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        return [rows[i][k] * s[k] for i in range(3) for k in range(3)]

    def value(self, kind, scale):
        r = self.r
        if kind == "bool":
            return r.choice(["true", "false"])
        if kind == "int":
            return str(r.randint(-10**6, 10**6))
        if kind == "long":
            return str(r.randint(-2**63, 2**63 - 1) >> r.choice([0, 10, 32]))
        if kind == "mixed":
            return self.value(r.choice(["int", "float"]), scale)
        if kind == "float":
            return "%r" % float(self.reals(1, scale)[0])
        if kind in ("String", "StringName"):
            text = "".join(r.choice("abcxyz 12") for _ in range(r.randint(0, 8)))
            return ("&" if kind == "StringName" else "") + '"%s"' % text
        if kind in WHOLE:
            numbers = [r.randint(-self.whole, self.whole) for _ in range(WHOLE[kind])]
        elif kind == "Color":
            numbers = [r.uniform(0, 1.5) for _ in range(4)]
        elif kind == "Quaternion":
            numbers = self.quaternion()
        elif kind == "Transform2D":
            a, s, t = r.uniform(-4, 4), r.uniform(0.3, 3), r.uniform(0.3, 3)
            numbers = [math.cos(a) * s, math.sin(a) * s, -math.sin(a) * t, math.cos(a) * t] + self.reals(2, scale)
        elif kind in ("Basis", "Transform3D"):
            numbers = self.basis() + (self.reals(3, scale) if kind == "Transform3D" else [])
        else:
            numbers = self.reals(LANES[kind], scale)
        return "%s(%s)" % (kind, ", ".join("%r" % x for x in numbers))

    def times(self, length):
        r, n = self.r, self.r.choice([1, 2, 3, 4, 8])
        style = r.randrange(4)
        if style == 0:
            return [k * length / max(1, n - 1) for k in range(n)]
        if style == 1:
            return sorted(r.uniform(0, 1.4 * length) for _ in range(n))
        if style == 2:
            return sorted(r.uniform(-length, length) for _ in range(n))
        t = [r.uniform(0, length)]
        while len(t) < n:
            t.append(t[-1] + r.choice([0, 1e-6, 1e-5, 1e-4, 0.001, 0.3]))
        return t

    def keys(self, kind, t, scale):
        r = self.r
        ease = [r.choice(EASES) for _ in t] if r.random() < 0.5 else [1] * len(t)
        packed = lambda numbers: "PackedFloat32Array(%s)" % ", ".join("%.9g" % x for x in numbers)
        if kind == "value":
            of = r.choice(ODD if self.odd else TYPES)
            return '{\n"times": %s,\n"transitions": %s,\n"update": %d,\n"values": [%s]\n}' % (
                packed(t), packed(ease), r.choice([0, 0, 1, 2]), ", ".join(self.value(of, scale) for _ in t))
        if kind == "bezier":
            points = []
            for _ in t:
                reach = r.choice([0, 0.1, 0.5, 2])
                points += self.reals(1, scale) + [-reach * r.random()] + self.reals(1, scale)
                points += [reach * r.random()] + self.reals(1, scale)
            return '{\n"points": %s,\n"times": %s\n}' % (packed(points), packed(t))
        numbers = []
        for at, transition in zip(t, ease):
            lanes = 1 if kind == "blend_shape" else 3
            numbers += [at, transition]
            numbers += self.quaternion() if kind == "rotation_3d" else self.reals(lanes, scale)
        return packed(numbers)

    def animation(self):
        r = self.r
        length = r.choice([0.5, 1.0, 2.0, r.uniform(0.1, 3)])
        lines = ['[gd_resource type="Animation" format=3]', "", "[resource]", "length = %r" % length,
                 "loop_mode = %d" % r.randrange(3)]
        for i in range(12):
            kind = r.choice(["value"] * 7 + ["bezier"] * 2 + ["position_3d", "rotation_3d", "scale_3d", "blend_shape"])
            name = {"value": ":prop", "bezier": ":prop", "blend_shape": ":shape"}.get(kind, "")
            t, at = self.times(length), "tracks/%d/" % i
            self.odd = r.random() < 0.1
            self.whole = 2**31 - 1 if self.odd else 1000
            if not name and t[0] > length:
                t[0] = 0 # the engine has no value at all without a key inside
            lines += [at + 'type = "%s"' % kind, at + "imported = false", at + "enabled = true",
                      at + 'path = NodePath("N%d%s")' % (i, name), at + "interp = %d" % r.choice(
                          [0, 1, 1, 2, 2, 3, 4] if kind == "value" else [0, 1, 2]),
                      at + "loop_wrap = %s" % r.choice(["true", "false"]),
                      at + "keys = " + self.keys(kind, t, r.choice([1, 10, 1e-6, 1e6]))]
        return "\n".join(lines) + "\n"


for number in range(int(sys.argv[2])):
    with open("%s/random%d.tres" % (sys.argv[3], number), "w") as out:
        out.write(Maker("%s/%d" % (sys.argv[1], number)).animation())
