#!/usr/bin/env python3
"""mmd_curves.py MOTION.vmd RATE <STREAM: compares the bones of a stream with the curves of a motion.

STREAM is MOTION.vmd without a model, sampled at RATE, as anim-emit json writes it. The curves are computed by the words of
anim-MMD(5) alone, without code of the programs. Prints the largest error of positions, in parts of the change of a segment,
and of rotations, in degrees."""
import json
import math
import struct
import sys

UNIT = 0.08


def weight(curve, s):
    x1, y1, x2, y2 = (c / 127 for c in curve)
    if s <= 0 or s >= 1 or (x1 == y1 and x2 == y2):
        return min(1, max(0, s))
    low, high = 0.0, 1.0
    for _ in range(60):
        u = (low + high) / 2
        if 3 * (1 - u) ** 2 * u * x1 + 3 * (1 - u) * u * u * x2 + u ** 3 < s:
            low = u
        else:
            high = u
    return 3 * (1 - u) ** 2 * u * y1 + 3 * (1 - u) * u * u * y2 + u ** 3


def read_keys(path):
    data = open(path, "rb").read()
    count, bones = struct.unpack_from("<I", data, 50)[0], {}
    for i in range(count):
        at = 54 + 111 * i
        name = data[at:at + 15].split(b"\0")[0].decode("cp932", "replace")
        frame, *numbers = struct.unpack_from("<I7f", data, at + 15)
        curves = [tuple(data[at + 47 + 16 * c + k] for k in (0, 4, 8, 12)) for c in range(4)]
        bones.setdefault(name, {})[frame] = numbers, curves
    return {name: sorted(keys.items()) for name, keys in bones.items()}


def slerp(a, b, w):
    dot = sum(x * y for x, y in zip(a, b))
    b = [-x for x in b] if dot < 0 else b
    angle = math.acos(min(1, abs(dot)))
    if angle < 1e-9:
        return a
    return [(math.sin((1 - w) * angle) * x + math.sin(w * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def unit(q):
    return [x / math.hypot(*q) for x in q]


def exact(keys, frame):
    """Return the position, the rotation, and the size of the change in the segment."""
    after = next((i for i, key in enumerate(keys) if key[0] > frame), len(keys))
    if after in (0, len(keys)):
        numbers = keys[min(after, len(keys) - 1)][1][0]
        return numbers[:3], unit(numbers[3:]), (0, 0, 0)
    (first, (a, _)), (last, (b, curves)) = keys[after - 1], keys[after]
    s = (frame - first) / (last - first)
    place = [x + (y - x) * weight(c, s) for x, y, c in zip(a, b, curves)]
    return place, slerp(unit(a[3:]), unit(b[3:]), weight(curves[3], s)), [abs(y - x) for x, y in zip(a[:3], b)]


def near(frame):
    """Return times around a frame. Keys have float32 times, so a steep curve may be that much earlier or later."""
    step = max(frame, 1) * 1.2e-7
    return [frame] + [frame + sign * step * part / 16 for part in range(1, 17) for sign in (1, -1)]


def off_place(value, keys, frame):
    """Return the distance from the values that the curve has around a frame, in parts of the change of the segment."""
    around = [exact(keys, at) for at in (near(frame)[0], *near(frame)[-2:])]
    off = 0
    for i, sign in enumerate((1, 1, -1)):
        got, values = value[i] * sign / UNIT, [place[i] for place, _, _ in around]
        rest = max(min(values) - got, got - max(values), 0) - 2e-7 * abs(got)  # a float32 has seven digits
        off = max(off, rest / (around[0][2][i] or 1))
    return off


def off_turn(value, keys, frame):
    """Return the angle from the nearest rotation around a frame, in degrees."""
    least = math.inf
    for at in near(frame):
        _, (x, y, z, w), _ = exact(keys, at)
        gap = min(math.dist(value, [s * c for c in (-x, -y, z, w)]) for s in (1, -1))
        least = min(least, math.degrees(2 * gap))
        if least < 0.005:
            break
    return least


def main():
    bones, rate = read_keys(sys.argv[1]), float(sys.argv[2])
    worst, compared = {"position": 0.0, "rotation": 0.0}, 0
    for record in map(json.loads, sys.stdin):
        track = record.get("track", {"property": ""})
        if track["property"] in worst and track["node"] in bones:
            off = off_place if track["property"] == "position" else off_turn
            for k, value in enumerate(track["columns"]["value"]):
                compared += 1
                here = off(value, bones[track["node"]], k / rate * 30)
                worst[track["property"]] = max(worst[track["property"]], here)
    print("%d compared, positions %.3g, rotations %.3g degrees" % (compared, worst["position"], worst["rotation"]))
    sys.exit(not (compared > 0 and worst["position"] <= 1e-5 and worst["rotation"] <= 0.0055))


main()
