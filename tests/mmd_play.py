#!/usr/bin/env python3
"""mmd_play.py FILE.vmd: plays a motion on the usual skeleton of MikuMikuDance, without IK, as limbs.py needs it.

FILE.pmx: writes that skeleton. Reads the bytes of the file itself. Prints the sections and their counts. read() returns the names of joints and, for each frame, their
places in metres, in the axes of glTF."""
import math
import struct
import sys

# Places at rest in MikuMikuDance's unit, x to the left, z to the front, and the joint above.
SKELETON = {"センター": ((0, 8, 0), None), "下半身": ((0, 12, 0), "センター"), "上半身": ((0, 12, 0), "センター"),
            "上半身2": ((0, 13.2, 0), "上半身"), "首": ((0, 16.4, 0), "上半身2"), "頭": ((0, 17.1, 0), "首")}
for side, sign in (("左", 1), ("右", -1)):
    for name, (x, y, z), above in (("肩", (0.25, 16, 0), "上半身2"), ("腕", (1.3, 15.8, 0), "肩"), ("ひじ", (3.4, 14.274, 0), "腕"),
                                   ("手首", (5.26, 12.923, 0), "ひじ"), ("足", (0.95, 10.6, 0), "下半身"),
                                   ("ひざ", (0.95, 6, 0.05), "足"), ("足首", (0.95, 1.4, -0.1), "ひざ"), ("足先EX", (0.95, 0.35, 1), "足首")):
        SKELETON[side + name] = ((sign * x, y, z), above if above in SKELETON else side + above)
PARTS = {"hips": "下半身", "spine": "上半身", "neck": "首"}
for side, sign in (("L", "左"), ("R", "右")):
    for part, name in zip("upperarm forearm hand thigh shin foot".split(), "腕 ひじ 手首 足 ひざ 足首".split()):
        PARTS[side + part] = sign + name


def load(path):
    """All sections of a file. Bone keys by name: lists of (frame, position, rotation, curves)."""
    data = open(path, "rb").read()
    at = 50
    found = {"signature": data[:30], "model": text(data[30:50])}

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values

    def count():
        """Files of others may end after any section."""
        return take("I")[0] if at < len(data) else 0
    bones, morphs = {}, {}
    for _ in range(count()):
        name, frame, *values = take("15sI7f64s")
        bones.setdefault(text(name), []).append((frame, values[:3], values[3:7], values[7]))
    for _ in range(count()):
        name, frame, weight = take("15sIf")
        morphs.setdefault(text(name), []).append((frame, weight))
    found.update(bones=bones, morphs=morphs, cameras=[take("If3f3f24sIB") for _ in range(count())],
                 lights=[take("I6f") for _ in range(count())], shadows=[take("IBf") for _ in range(count())], switches=[])
    for _ in range(count()):
        frame, shown, bones_switched = take("IBI")
        found["switches"].append((frame, shown, {text(n): on for n, on in (take("20sB") for _ in range(bones_switched))}))
    assert at == len(data), "%d bytes are left" % (len(data) - at)
    return found


def text(raw):
    return raw.split(b"\0")[0].decode("cp932", "replace")


def product(a, b):
    return (a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])


def turn(q, v):
    x, y, z, _ = product(product(q, (*v, 0)), (-q[0], -q[1], -q[2], q[3]))
    return x, y, z


def between(keys, frame):
    """Position and rotation at a frame, on straight lines."""
    after = next((k for k, key in enumerate(keys) if key[0] >= frame), len(keys) - 1)
    a, b = keys[max(after - (keys[after][0] > frame and after > 0), 0)], keys[after]
    share = (frame - a[0]) / (b[0] - a[0]) if b[0] > a[0] and frame > a[0] else 0
    cosine = sum(p * q for p, q in zip(a[2], b[2]))
    sign = -1 if cosine < 0 else 1
    angle = math.acos(min(abs(cosine), 1))
    weights = (1 - share, share) if angle < 1e-6 else (math.sin((1 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle))
    return ([p + share * (q - p) for p, q in zip(a[1], b[1])],
            [weights[0] * p + sign * weights[1] * q for p, q in zip(a[2], b[2])])


def read(path):
    found = load(path)
    last = max((key[0] for keys in found["bones"].values() for key in keys), default=0)
    for frame, _, switches in found["switches"][:1]:
        assert frame == 0 and not any(switches.values()), "IK is on"
    keys = {name: sorted(found["bones"].get(name, [(0, (0, 0, 0), (0, 0, 0, 1), b"")])) for name in SKELETON}
    frames = []
    for frame in range(last + 1):
        world = {}
        for name, (place, above) in SKELETON.items():
            moved, turned = between(keys[name], frame)
            # the axes of glTF mirror z
            offset = [p - q for p, q in zip(place, SKELETON[above][0] if above else (0, 0, 0))]
            offset = [offset[0] + moved[0], offset[1] + moved[1], offset[2] - moved[2]]
            turned = (-turned[0], -turned[1], turned[2], turned[3])
            at, q = world[above] if above else ((0, 0, 0), (0, 0, 0, 1))
            world[name] = ([p + d for p, d in zip(at, turn(q, offset))], product(q, turned))
        frames.append([[0.08 * p for p in world[name][0]] for name in SKELETON])
    return list(SKELETON), frames


def model():
    """The skeleton as PMX 2.0, without anything else."""
    def words(value):
        raw = value.encode("utf-16-le")
        return struct.pack("<i", len(raw)) + raw
    names = list(SKELETON)
    data = b"PMX " + struct.pack("<f", 2) + bytes([8, 0, 0, 2, 2, 2, 2, 2, 2]) + words("人") + 3 * words("") + bytes(16)
    data += struct.pack("<i", len(names))
    for name, ((x, y, z), above) in SKELETON.items():
        data += words(name) + words("") + struct.pack("<3fhiH3f", x, y, -z, names.index(above) if above else -1, 0, 0x1E, 0, -1, 0)
    return data + bytes(16)  # no morphs, frames, bodies and joints


if __name__ == "__main__" and sys.argv[1].endswith(".pmx"):
    with open(sys.argv[1], "wb") as out:
        out.write(model())
elif __name__ == "__main__":
    motion = load(sys.argv[1])
    for section in "bones morphs".split():
        for bone, listed in motion[section].items():
            print(section[:-1], bone, len(listed))
    for section in "cameras lights shadows switches".split():
        for row in motion[section]:
            print(section, *row)
