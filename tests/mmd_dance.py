#!/usr/bin/env python3
"""mmd_dance.py dancer.pmx|dance.vmd FILE: writes the files of examples/dance: a skeleton of MikuMikuDance with IK of legs, and a
dance of four seconds for it, whose legs follow the goals of IK."""
import math
import struct
import sys
from mmd_file import EASE, LINE, bone_key, morph_key, section, show, turn, vmd
from mmd_play import SKELETON

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
NAMES = list(SKELETON) + ["左足ＩＫ", "右足ＩＫ"]
MORPHS = ["まばたき", "笑い", "あ"]


def pmx():
    """Places are in the axes of the file, in which the model looks along -Z."""
    def text(value):
        data = value.encode("utf-16-le")
        return struct.pack("<i", len(data)) + data

    def bone(number):
        name, flags, rest = NAMES[number], 0x1E, b""
        side = name[0]
        (x, y, z), above = SKELETON[side + "足首" if name.endswith("ＩＫ") else name]
        if name.endswith("ＩＫ"):
            above, flags = None, flags | 0x20
            limits = struct.pack("<6f", -math.pi, 0, 0, math.radians(-0.5), 0, 0)
            rest = struct.pack("<hifi", NAMES.index(side + "足首"), 40, 2, 2)
            rest += struct.pack("<hB", NAMES.index(side + "ひざ"), 1) + limits + struct.pack("<hB", NAMES.index(side + "足"), 0)
        parent = NAMES.index(above) if above else -1
        return text(name) + text("") + struct.pack("<3fhiH3f", x, y, -z, parent, 0, flags, 0, -1, 0) + rest

    def morph(name):
        return text(name) + text("") + bytes([2, 1]) + struct.pack("<i", 0)

    head = b"PMX " + struct.pack("<f", 2) + bytes([8, 0, 0, 2, 2, 2, 2, 2, 2]) + text("踊り子") + text("dancer") + 2 * text("")
    # no vertices, faces, textures and materials, and no frames, bodies and joints
    return (head + bytes(16) + section([bone(i) for i in range(len(NAMES))]) + section([morph(name) for name in MORPHS]) + bytes(12))


def product(a, b):
    return (a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])


def dance():
    """Eight beats of half a second: the weight goes from one leg to the other, and the free foot taps beside and in front."""
    keys, ease = [], (EASE, EASE, EASE, EASE)
    for beat in range(9):
        frame, side, last = 15 * beat, 1 if beat % 2 else -1, beat == 8
        shift = 0 if beat in (0, 8) else side
        keys.append(bone_key("センター", frame, (0.7 * shift, -0.5, 0), curves=ease))
        if not last:
            keys.append(bone_key("センター", frame + 7, (0.35 * shift, -1.3, 0), curves=ease))
        keys.append(bone_key("下半身", frame, q=product(turn(Y, 12 * shift), turn(Z, 5 * shift)), curves=ease))
        keys.append(bone_key("上半身", frame, q=product(turn(Y, -15 * shift), turn(Z, -6 * shift)), curves=ease))
        keys.append(bone_key("頭", frame, q=turn(Z, 8 * shift), curves=ease))
        for name, sign in (("左", 1), ("右", -1)):
            free = shift == -sign
            steps = (1.2 * sign, 0, -0.6) if free and beat % 4 < 2 else (0.3 * sign, 0, -1.8) if free else (0, 0, 0)
            keys.append(bone_key(name + "足ＩＫ", frame, steps, turn(Y, -20 * sign if free else 0), ease))
            if not last and beat > 0:
                keys.append(bone_key(name + "足ＩＫ", frame + 7, (0.2 * sign, 0.9, -0.4), curves=ease) if free else
                            bone_key(name + "足ＩＫ", frame + 7))
            # the arms wave, one up and one down, and both up in the second half
            up = 75 if free or 4 < beat < 8 else 0
            keys.append(bone_key(name + "腕", frame, q=turn(Z, sign * up), curves=ease))
            keys.append(bone_key(name + "ひじ", frame, q=turn(Y, sign * (50 if up else 20)), curves=ease))
            keys.append(bone_key(name + "手首", frame, q=turn(Z, sign * (20 if beat % 2 else -20)), curves=ease))
    morphs = [morph_key("笑い", 0, 0), morph_key("笑い", 30, 1), morph_key("笑い", 120, 1)]
    morphs += [morph_key("まばたき", frame, weight) for frame, weight in ((0, 0), (50, 0), (53, 1), (56, 0), (120, 0))]
    morphs += [morph_key("あ", frame, frame // 15 % 2 * 0.8) for frame in range(0, 121, 15)]
    return vmd("踊り子", keys, morphs, shows=[show(0, 1, ("左足ＩＫ", 1), ("右足ＩＫ", 1))])


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as out:
        out.write({"dancer.pmx": pmx, "dance.vmd": dance}[sys.argv[1]]())
