#!/usr/bin/env python3
"""mmd_same.py A.vmd B.vmd: whether two motions have the same keys: names, frames, values to the last bits, and curves.

Not compared: bytes that no player reads, curves of a camera between equal values, which shape nothing, whether the camera has a
perspective, names of IK after 15 bytes, and that of the model after 19."""
import math
import sys
from mmd_play import load


def curves(raw):
    """The four curves of a bone's key, from the bytes that players read, and whether physics is off."""
    off = raw[2:4] == bytes((99, 15)) != raw[17:19]
    return [raw[16 * c:16 * c + 16:4] for c in range(4)], off


def shape(raw, i):
    """A curve of a camera. All lines are the same."""
    x1, x2, y1, y2 = raw[4 * i:4 * i + 4]
    return (0, 0, 0, 0) if x1 == y1 and x2 == y2 else (x1, x2, y1, y2)


def near(a, b):
    return all(abs(p - q) <= 2.5e-7 * max(1, abs(p)) for p, q in zip(a, b))


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q] if length > 0 else [0, 0, 0, 1]


def fail(*what):
    sys.exit(" ".join(map(str, what)))


a, b = load(sys.argv[1]), load(sys.argv[2])
if not a["model"].startswith(b["model"]) or len(a["model"]) > len(b["model"]) + 1:
    fail("model", a["model"], b["model"])
for section in ("bones", "morphs"):
    if set(a[section]) != set(b[section]):
        fail(section, sorted(set(a[section]) ^ set(b[section])))
    for name in a[section]:
        first, second = dict((k[0], k) for k in a[section][name]), dict((k[0], k) for k in b[section][name])
        if set(first) != set(second):
            fail(name, "frames", sorted(set(first) ^ set(second))[:5])
        for frame, key in first.items():
            other = second[frame]
            if section == "morphs" and key != other:
                fail(name, key, other)
            if section == "bones" and not (near(key[1], other[1]) and near(unit(key[2]), unit(other[2])) and curves(key[3]) == curves(other[3])):
                fail(name, key, other)
before = None
for x, y in zip(sorted(a["cameras"]), sorted(b["cameras"])):
    parts = [x[2:3], x[3:4], x[4:5], x[5:8], x[1:2], x[9:10]]
    shapes = [shape(x[8], i) == shape(y[8], i) or before is None or before[0] + 1 == x[0] or before[1][i] == part
              for i, part in enumerate(parts)]
    if x[0] != y[0] or not near(x[1:8], y[1:8]) or not all(shapes) or x[9] != y[9]:
        fail("camera", x, y)
    before = x[0], parts
for section in ("lights", "shadows"):
    if sorted(a[section]) != sorted(b[section]):
        fail(section, a[section][:2], b[section][:2])
for x, y in zip(sorted(a["switches"]), sorted(b["switches"])):
    cut = [{name.encode("cp932")[:15]: on for name, on in s[2].items()} for s in (x, y)]
    if x[:2] != y[:2] or cut[0] != cut[1]:
        fail("switches", x, y)
for section in ("cameras", "lights", "shadows", "switches"):
    if len(a[section]) != len(b[section]):
        fail(section, len(a[section]), len(b[section]))
