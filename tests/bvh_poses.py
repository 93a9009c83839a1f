#!/usr/bin/env python3
"""bvh_poses.py SCALE A B...: where every joint stands in space, frame by frame, by the words of the format alone: no code of
the programs. A and B are .bvh files, or streams as anim-emit json writes them. Prints for each B the largest distance between
joints of one name, in parts of the height, and fails where joints or frames differ. B's places are multiplied by SCALE."""
import json
import math
import re
import sys


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]]][axis]


def times(a, b):
    (p, q, r), (s, t, u), (v, w, x) = b
    return [[i * p + j * s + k * v, i * q + j * t + k * w, i * r + j * u + k * x] for i, j, k in a]


def quaternion(q):
    n = math.sqrt(sum(v * v for v in q))
    x, y, z, w = (v / n for v in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def place(parents, poses):
    """poses: (matrix, position) of each joint in its parent's space -> where they stand."""
    world, places = [], []
    for parent, (m, p) in zip(parents, poses):
        if parent >= 0:
            wm, wp = world[parent]
            x, y, z = p
            p = [o + i * x + j * y + k * z for o, (i, j, k) in zip(wp, wm)]
            m = times(wm, m)
        world.append((m, p))
        places.append(p)
    return places


def read_bvh(text):
    head, motion = re.split(r"\bMOTION\b", text, maxsplit=1, flags=re.I)
    names, parents, offsets, channels, stack = [], [], [], [], [-1]
    for line in re.finditer(r"(ROOT|JOINT|End Site)[ \t]*([^\n\r{]*)|OFFSET\s+(\S+)\s+(\S+)\s+(\S+)|"
                            r"CHANNELS\s+\d+((?:\s+[XYZ](?:position|rotation))*)|([{}])", head, re.I):
        kind, name, x, y, z, list_, brace = line.groups()
        if kind:
            names.append(name.strip() or names[stack[-1]] + "_end")
            parents.append(stack[-1])
            offsets.append([0.0] * 3)
            channels.append([])
        elif x:
            offsets[stack[-1]] = [float(x), float(y), float(z)]
        elif list_:
            channels[stack[-1]] = [("XYZ".index(c[0].upper()), c[1:].lower()) for c in list_.split()]
        elif brace == "{":
            stack.append(len(names) - 1)
        elif brace:
            stack.pop()
    numbers = motion.split()
    count, values = int(numbers[1]), [float(v) for v in numbers[5:]] if numbers[0].endswith(":") else None
    width, frames = sum(map(len, channels)), []
    for f in range(count):
        row, poses = iter(values[f * width:(f + 1) * width]), []
        for offset, list_ in zip(offsets, channels):
            m, p = [[float(i == j) for j in range(3)] for i in range(3)], list(offset)
            for axis, what in list_:
                if what == "position":
                    p[axis] = next(row)
                else:
                    m = times(m, turn(axis, next(row)))
            poses.append((m, p))
        frames.append(place(parents, poses))
    return names, frames


def read_stream(lines):
    nodes, tracks = [], {}
    for record in map(json.loads, lines):
        if "node" in record:
            nodes.append(record["node"])
        elif "track" in record:
            track = record["track"]
            tracks[track["node"], track["property"]] = track
    count, frames = max(t["keys"] for t in tracks.values()), []

    def value(node, name, f, other):
        track = tracks.get((node["path"], name))
        return other if track is None else track["columns"]["value"][min(f, track["keys"] - 1)]

    for f in range(count):
        poses = []
        for node in nodes:
            euler = tracks.get((node["path"], "euler"))
            m = quaternion(value(node, "rotation", f, node["rotation"]))
            if euler is not None:
                angles, m = value(node, "euler", f, None), turn(0, 0)
                for letter in euler["attributes"]["order"]:
                    m = times(m, turn("XYZ".index(letter), angles["XYZ".index(letter)]))
            m = [[m[i][j] * node["scale"][j] for j in range(3)] for i in range(3)]
            poses.append((m, value(node, "position", f, node["position"])))
        frames.append(place([-1 if n["parent"] is None else n["parent"] for n in nodes], poses))
    return [re.split("[/:]", n["path"])[-1] for n in nodes], frames


def read(path):
    text = open(path, encoding="latin-1", newline="").read()
    return read_stream(open(path, encoding="utf-8")) if text.startswith("{") else read_bvh(text)


def compare(names, first, others, second, scale):
    common = [(names.index(n), others.index(n)) for n in names if n in others and n != "."]
    if len(first) != len(second) or len(common) < len([n for n in names if n != "." and not n.endswith("_end")]):
        sys.exit("%d and %d frames, %d of %d joints in both" % (len(first), len(second), len(common), len(names)))
    ys = [first[0][i][1] for i, _ in common]
    size = max(max(ys) - min(ys), 1e-9)
    worst = max(math.dist(a[i], [scale * v for v in b[j]]) for a, b in zip(first, second) for i, j in common)
    print("%d joints, %d frames, %.3g of the height" % (len(common), len(first), worst / size))


def main():
    names, first = read(sys.argv[2])
    for path in sys.argv[3:]:
        compare(names, first, *read(path), float(sys.argv[1]))


if __name__ == "__main__":
    main()
