#!/usr/bin/env python3
"""mmd_file.py leg.vmd|copies.vmd|camera.vmd|leg.pmx|leg8.pmx|leg.pmd FILE: writes a small file of MikuMikuDance.

leg: a model of a leg with IK, a bone that copies half of the rotation of the thigh, a bone with a fixed axis, and morphs;
and a motion for it. copies.vmd: another one, in which copying bones and bones of morphs have keys of their own. leg8.pmx has texts in UTF-8 and long indices. camera.vmd: a camera that is cut, a light and a shadow."""
import math
import struct
import sys

LINE = (20, 20, 107, 107)
EASE = (64, 0, 64, 127)
BONES = [  # name, place, parent, layer, flags and their data
    ("全ての親", (0, 0, 0), -1),
    ("センター", (0, 8, 0), 0),
    ("左足", (1, 10, 0), 1),
    ("左ひざ", (1, 5.5, -0.1), 2),
    ("左足首", (1, 1, 0), 3),
    ("左足ＩＫ", (1, 1, 0), 0),
    ("左足D", (1, 10, 0), 1),
    ("左腕捩", (2, 14, 0), 1),
    ("mouthLowerDownLeftOuter", (0, 15, -1), 1),
]


def name(text, size):
    return text.encode("cp932")[:size].ljust(size, b"\0")


def bone_key(text, frame, place=(0, 0, 0), q=(0, 0, 0, 1), curves=(LINE,) * 4):
    first = bytes(curves[c][p] for p in (0, 1, 2, 3) for c in range(4))
    rows = b"".join((first[i:] + bytes(i))[:16] for i in range(4))
    return name(text, 15) + struct.pack("<I7f", frame, *place, *q) + rows


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * a for a in axis) + (math.cos(half),)


def section(records):
    return struct.pack("<I", len(records)) + b"".join(records)


def vmd(model, bones=(), morphs=(), cameras=(), lights=(), shadows=(), shows=()):
    head = b"Vocaloid Motion Data 0002".ljust(30, b"\0") + name(model, 20)
    return head + b"".join(map(section, (bones, morphs, cameras, lights, shadows, shows)))


def morph_key(text, frame, weight):
    return name(text, 15) + struct.pack("<If", frame, weight)


def show(frame, on, *iks):
    return struct.pack("<IBI", frame, on, len(iks)) + b"".join(name(n, 20) + bytes([e]) for n, e in iks)


def leg_motion():
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    keys = [
        bone_key("左足ＩＫ", 30, (0, 3, -4), turn(x, 20), (EASE, LINE, EASE, LINE)),
        bone_key("センター", 0, (0, -1.5, 0)),
        bone_key("左足ＩＫ", 0),
        bone_key("センター", 20, (1, -2, 0), turn(y, 40), (EASE, LINE, LINE, EASE)),
        bone_key("センター", 60, (0, -1.25, 0.5), turn(y, -40), (LINE, EASE, LINE, LINE)),
        bone_key("左足ＩＫ", 60),
        bone_key("左腕捩", 0, q=turn(x, 30)),
        bone_key("左腕捩", 40, q=turn((0.6, 0.8, 0), -50)),
        bone_key("mouthLowerDownLeftOuter", 10, (0, 0.1, 0)),
        bone_key("知らない", 5, q=turn(z, 10)),
    ]
    morphs = [morph_key("笑い", 0, 0), morph_key("笑い", 30, 1), morph_key("動く", 60, 0.5), morph_key("群", 0, 1)]
    shows = [show(0, 1, ("左足ＩＫ", 1)), show(50, 1, ("左足ＩＫ", 0))]
    return vmd("試験", keys, morphs, shows=shows)


def copies_motion():
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    keys = [
        bone_key("センター", 0, (0, -1, 0), turn(y, 20)),
        bone_key("センター", 36, (1, -2, 0.5), turn(z, 20)),
        bone_key("左足ＩＫ", 0),
        bone_key("左足ＩＫ", 12, (0, 2, -3), turn(x, 30)),
        bone_key("左足ＩＫ", 36),
        bone_key("左足D", 0, q=turn(z, 25)),
        bone_key("左足D", 24, q=turn(y, -40)),
        bone_key("左腕捩", 0, q=turn(x, -30)),
        bone_key("左腕捩", 36, q=turn(x, 50)),
    ]
    return vmd("試験", keys, [morph_key("動く", 0, 0), morph_key("動く", 30, 1), morph_key("群", 0, 0), morph_key("群", 20, 0.5)])


def camera_motion():
    line = bytes((20, 107, 20, 107))

    def key(frame, distance, target, angles, curves, view):
        return struct.pack("<I7f", frame, distance, *target, *angles) + curves + struct.pack("<IB", view, 0)

    ease = bytes((64, 64, 0, 127))
    cameras = [key(0, -45, (0, 10, 0), (0, 0, 0), line * 6, 30), key(20, -30, (1, 12, 0), (0.1, 1, 0.2), ease * 6, 40),
               key(21, -10, (0, 17, 0), (0, 3, 0), line * 6, 20), key(40, -12, (0, 17, 1), (0.2, 2, 0), line * 6, 20)]
    lights = [struct.pack("<I6f", 0, 0.6, 0.6, 0.6, -0.5, -1, 0.5), struct.pack("<I6f", 30, 1, 1, 1, 0, -1, 0)]
    shadows = [struct.pack("<IBf", 0, 1, 0.01), struct.pack("<IBf", 10, 2, 0.02)]
    return vmd("カメラ・照明", cameras=cameras, lights=lights, shadows=shadows)


def pmx(utf8, size):
    encoding = "utf-8" if utf8 else "utf-16-le"
    form = {1: "<b", 2: "<h", 4: "<i"}[size]

    def text(value):
        data = value.encode(encoding)
        return struct.pack("<i", len(data)) + data

    def index(value):
        return struct.pack(form, value)

    def bone(number):
        label, place, parent = BONES[number]
        flags, rest = 0x1E, b""
        if label == "左足D":
            flags, rest = flags | 0x100, index(2) + struct.pack("<f", 0.5)
        if label == "左腕捩":
            flags, rest = flags | 0x400, struct.pack("<3f", 1, 0, 0)
        if label == "左足ＩＫ":
            flags = flags | 0x20
            limits = struct.pack("<6f", -math.pi, 0, 0, math.radians(-0.5), 0, 0)
            rest = index(4) + struct.pack("<ifi", 40, 2, 2) + index(3) + b"\1" + limits + index(2) + b"\0"
        layer = 1 if label == "左足D" else 0
        return (text(label) + text("bone%d" % number) + struct.pack("<3f", *place) + index(parent) +
                struct.pack("<iH3f", layer, flags, 0, -1, 0) + rest)

    def morph(label, kind, parts):
        return text(label) + text("") + bytes([4, kind]) + struct.pack("<i", len(parts)) + b"".join(parts)

    head = b"PMX " + struct.pack("<f", 2.1 if utf8 else 2.0) + bytes([8, utf8, 1] + [size] * 6)
    head += text("脚") + text("leg") + text("comment") + text("")
    vertices = section([struct.pack("<8f4f", *range(12)) + b"\0" + index(0) + struct.pack("<f", 1)] * 3)
    faces = section([index(0), index(1), index(2)])
    textures = section([text("skin.png")])
    material = text("skin") + text("") + bytes(65) + index(0) + index(-1) + b"\0\1\0" + text("") + struct.pack("<i", 3)
    morphs = [
        morph("笑い", 1, [index(0) + struct.pack("<3f", 0, 1, 0)]),
        morph("動く", 2, [index(1) + struct.pack("<7f", 0, 0.5, 0, *turn((0, 0, 1), 30))]),
        morph("群", 0, [index(1) + struct.pack("<f", 0.25), index(0) + struct.pack("<f", 1)]),
    ]
    return (head + vertices + faces + textures + section([material]) + section([bone(i) for i in range(len(BONES))]) +
            section(morphs) + bytes(12))  # no frames, bodies and joints


def pmd():
    kinds = [1, 1, 0, 4, 6, 2, 5, 8, 0]
    head = b"Pmd" + struct.pack("<f", 1) + name("脚", 20) + bytes(256)
    bones = b"".join(name(label, 20) + struct.pack("<hhBh3f", parent, 8 if kinds[i] == 8 else 0, kinds[i],
                                                   2 if kinds[i] == 5 else 0, *place)
                     for i, (label, place, parent) in enumerate(BONES))
    ik = struct.pack("<hhBHf2h", 5, 4, 2, 40, 0.5, 3, 2)
    morphs = name("base", 20) + struct.pack("<IB", 0, 0) + name("笑い", 20) + struct.pack("<IBI3f", 1, 2, 0, 0, 1, 0)
    return (head + section([bytes(38)]) + section([]) + section([bytes(70)]) + struct.pack("<H", len(BONES)) + bones +
            struct.pack("<H", 1) + ik + struct.pack("<H", 2) + morphs)


def main():
    kind, path = sys.argv[1:]
    files = {"leg.vmd": leg_motion, "copies.vmd": copies_motion, "camera.vmd": camera_motion, "leg.pmx": lambda: pmx(0, 1),
             "leg8.pmx": lambda: pmx(1, 4), "leg.pmd": pmd}
    with open(path, "wb") as out:
        out.write(files[kind]())


if __name__ == "__main__":
    main()
