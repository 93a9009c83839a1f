#!/usr/bin/env python3
"""mmd_values.py VALUES.tsv [WORD...] <STREAM: compares a stream with values of MikuMikuDance players.

STREAM has the places of all bones in space as anim-emit json writes them, at a rate that has all frames of VALUES.tsv.
VALUES.tsv has lines of frame, number, bone, place, rotation in space, local rotation, and how far players are apart in
units and half degrees. Prints the number of compared lines, of those that are outside the bars, and the largest distances in
units, of bones outside the legs and of legs, then the worst lines. Bones whose name contains a WORD are left out.

mmd_values.py --camera VALUES.tsv <STREAM: the same for frame, eye, direction, up and view angle of the camera."""
import json
import math
import sys

UNIT = 0.08
LEGS = ("足", "ひざ", "つま先")


def own_names(lines):
    tracks, rate = {}, None
    for record in map(json.loads, lines):
        if "track" in record:
            track = record["track"]
            name = track["node"].split("/")[-1]
            tracks.setdefault((name, track["property"]), track["columns"]["value"])
            if track["kind"] == "Raw":
                rate = track["rate"]["num"] / track["rate"]["den"]
    return tracks, rate


def rows(path):
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        cells = line.rstrip("\n").split("\t")
        yield float(cells[0]), cells[2], [float(c) for c in cells[3:]]


def rotated(q, v):
    def cross(a, b):
        return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]

    once = cross(q[:3], v)
    return [v[i] + 2 * q[3] * once[i] + 2 * c for i, c in enumerate(cross(q[:3], once))]


def camera(tracks, rate, path):
    """Compare a camera. Players differ from the exact curves by up to 0.0035 units if these are steep."""
    worst, compared = 0.0, 0
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            continue
        v = [float(cell) for cell in line.split("\t")]
        k = min(round(v[0] / 30 * rate), len(tracks["camera", "position"]) - 1)
        x, y, z = tracks["camera", "position"][k]
        q = tracks["camera", "rotation"][k]
        axes = [rotated(q, axis) for axis in ((0, 0, -1), (0, 1, 0))]
        off = max(math.dist((x / UNIT, y / UNIT, -z / UNIT), v[1:4]),
                  *(10 * math.dist((a, b, -c), want) for (a, b, c), want in zip(axes, (v[4:7], v[7:10]))),
                  abs(tracks["camera", "fov"][k] - v[10]))
        worst, compared = max(worst, off), compared + 1
    print("%d compared, worst %.2g" % (compared, worst))
    sys.exit(not (compared > 0 and worst < 0.005))


def main():
    tracks, rate = own_names(sys.stdin)
    if sys.argv[1] == "--camera":
        camera(tracks, rate, sys.argv[2])
    compared = bad = 0
    worst = {True: 0.0, False: 0.0}
    told = []
    for frame, bone, v in rows(sys.argv[1]):
        position, rotation = tracks.get((bone, "position")), tracks.get((bone, "rotation"))
        if position is None or any(word in bone for word in sys.argv[2:]):
            continue
        k = frame / 30 * rate
        if abs(k - round(k)) > 1e-3:
            sys.exit("frame %g is not a sample" % frame)
        k = min(int(round(k)), len(position) - 1)
        x, y, z = (c / UNIT for c in position[k])
        off = math.dist((x, y, -z), v[:3])
        q, w = rotation[min(k, len(rotation) - 1)], v[3:7]
        cosine = abs(-q[0] * w[0] - q[1] * w[1] + q[2] * w[2] + q[3] * w[3])
        turn = math.degrees(2 * math.acos(min(1, cosine / math.hypot(*q) / math.hypot(*w))))
        leg = any(word in bone for word in LEGS)
        compared += 1
        worst[leg] = max(worst[leg], off)
        excess = max(off / max(0.03 if leg else 0.002, 1.2 * v[11]), turn / max(0.5 if leg else 0.05, 2.4 * v[12]))
        bad += excess > 1
        told.append((excess, bone, frame, off, turn, v[11], v[12]))
    print("%d compared, %d outside, worst %.2g, legs %.2g" % (compared, bad, worst[False], worst[True]))
    for line in sorted(told, reverse=True)[:5]:
        if line[0] > 1:
            print("  %.3g times the bar: %s at %g: %.3g units, %.3g degrees (players: %.3g, %.3g)" % line)
    sys.exit(bad > 0 or compared == 0)


main()
