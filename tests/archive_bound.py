#!/usr/bin/env python3
"""archive_bound.py SHELL DENSE SOURCE RESULT [SKIP]: print the largest distance, in metres, between where two streams put points.

SOURCE and RESULT are texts of anim-dump with one clip that samples rotations and positions at a constant rate. The points are on
spheres of SHELL metres around the nodes of the tree. Both clips are played at the samples and at DENSE - 1 times between each two
of them: positions on straight lines, rotations along the shorter arc. Nodes whose path ends in SKIP are not compared. This
evaluator shares no code with the programs: it reads text and computes poses on its own."""
import math
import re
import sys


def read(path):
    nodes, tracks, track = [], {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("node "):
                word = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line))
                parent = -1 if word["parent"] == "-" else int(word["parent"])
                nodes.append((word["path"].strip('"'), parent, *(
                    [float(x) for x in word[part].split(",")] for part in ("position", "rotation"))))
            elif line.startswith("track "):
                word = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line))
                track = tracks[word["node"].strip('"'), word["property"].strip('"')] = []
            elif line.startswith("\t") and track is not None and re.match(r"\t[-0-9.]", line):
                track.append([float(x) for x in line.strip().split(",")])
            elif not line.startswith("\t"):
                track = None
    return nodes, tracks


def normalised(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    if dot > 1 - 1e-12:
        return normalised([x + (y - x) * t for x, y in zip(a, b)])
    angle = math.acos(min(dot, 1))
    first, second = math.sin((1 - t) * angle), math.sin(t * angle)
    return normalised([first * x + second * y for x, y in zip(a, b)])


def value(samples, k, t, turns):
    if len(samples) == 1:
        return normalised(samples[0]) if turns else samples[0]
    a, b = samples[k], samples[min(k + 1, len(samples) - 1)]
    if turns:
        a, b = normalised(a), normalised(b)
        return a if t == 0 else slerp(a, b, t)
    return [x + (y - x) * t for x, y in zip(a, b)]


def multiply(a, b):
    x, y, z, w = a
    i, j, k, r = b
    return [w * i + x * r + y * k - z * j, w * j - x * k + y * r + z * i, w * k + x * j - y * i + z * r,
            w * r - x * i - y * j - z * k]


def rotate(q, v):
    x, y, z, w = q
    a, b, c = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return [v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a]


def pose(nodes, tracks, k, t):
    placed = []
    for path, parent, position, rotation in nodes:
        if (path, "position") in tracks:
            position = value(tracks[path, "position"], k, t, False)
        rotation = value(tracks[path, "rotation"], k, t, True) if (path, "rotation") in tracks else normalised(rotation)
        if parent >= 0:
            above, turned = placed[parent]
            position = [a + b for a, b in zip(above, rotate(turned, position))]
            rotation = multiply(turned, rotation)
        placed.append((position, rotation))
    return placed


def apart(a, b, shell):
    moved = math.dist(a[0], b[0])
    same = math.sqrt(sum((x - y) ** 2 for x, y in zip(a[1], b[1])))
    other = math.sqrt(sum((x + y) ** 2 for x, y in zip(a[1], b[1])))
    half = 2 * math.asin(min(min(same, other) / 2, 1))  # half of the angle between the rotations
    return moved + 2 * math.sin(min(half, math.pi / 2)) * shell


def main():
    shell, dense = float(sys.argv[1]), int(sys.argv[2])
    (nodes, source), (others, result) = read(sys.argv[3]), read(sys.argv[4])
    skip = sys.argv[5] if len(sys.argv) > 5 else "\0"
    if [n[:2] for n in nodes] != [n[:2] for n in others] or \
            {k: len(v) for k, v in source.items()} != {k: len(v) for k, v in result.items()}:
        sys.exit("archive_bound: other nodes, tracks or keys")
    worst = 0.0
    last = max(len(samples) for samples in source.values()) - 1
    for k in range(last + 1):
        for i in range(dense if k < last else 1):
            pairs = zip(nodes, pose(nodes, source, k, i / dense), pose(nodes, result, k, i / dense))
            worst = max(worst, max(apart(a, b, shell) for node, a, b in pairs if not node[0].endswith(skip)))
    print(f"{worst:.9f}")


main()
