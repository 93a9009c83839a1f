#!/usr/bin/env python3
"""Compare a clip before and after anim-pin.

usage: pin.py BEFORE AFTER [HEIGHT SPEED]

Both are the output of `anim-bake --world -r RATE | anim-emit json`. Contacts of feet and toes are looked for in BEFORE: at
most HEIGHT of the leg above the lowest position (0.05), at most SPEED legs per second (0.4), for 0.06 s or longer. Their edges,
at which the foot is further than 1.5 % of the leg from its place, do not count. Prints

    slide BEFORE AFTER   the largest distance of a point from its place in the middle of a contact, in mm, except for
                         30 % of the samples: a foot may leave early to be at its next place in time
    knee DEGREES         the largest change of the direction of a knee's axis, of knees bent by 15 degrees or more
    bend LEAST MOST      of all knees after, in degrees, negative if the axis is opposite to the mean axis before, which says
                         something of bodies that do not turn
    speed RATIO JOINT    the joint whose top speed rose most
    below MM             how far a point is below its lowest position before
"""
import json
import math
import sys


def load(name):
    rate, nodes = 0, {}
    for line in open(name):
        track = json.loads(line).get("track")
        if track and track["property"] == "position":
            nodes[track["node"].replace(":", "/").split("/")[-1]] = track["columns"]["value"]
            rate = track["rate"]["num"] / track["rate"]["den"]
    return rate, nodes


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def norm(a):
    return math.sqrt(sum(x * x for x in a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def angle(a, b):
    size = norm(a) * norm(b)
    return 0 if size == 0 else math.degrees(math.acos(max(-1, min(1, sum(x * y for x, y in zip(a, b)) / size))))


def contacts(way, low, slow, rate):
    lowest = min(p[1] for p in way)
    count = len(way)
    touching = []
    for k in range(count):
        a, b = max(k - 1, 0), min(k + 1, count - 1)
        touching.append(way[k][1] <= lowest + low and norm(sub(way[b], way[a])) * rate / (b - a) <= slow)
    found, first = [], 0
    for k in range(count + 1):
        if k < count and touching[k]:
            continue
        if k > first and found and (first - found[-1][1]) / rate < 0.04:
            found[-1][1] = k - 1
        elif k > first:
            found.append([first, k - 1])
        first = k + 1
    return [(a, b) for a, b in found if (b - a) / rate >= 0.06]


def mean(points):
    return [sum(p[i] for p in points) / len(points) for i in range(3)]


def trim(way, first, last, far, rate):
    """The part of a contact in which the foot has landed: its edges are near the mean place, as anim-pin finds them."""
    most = min(0.15, 0.3 * (last - first) / rate) * rate
    low, high = first + most, last - most
    for _ in range(3):
        place = mean(way[first:last + 1])
        while first + 1 <= low and (last - first - 1) / rate >= 0.06 and norm(sub(way[first], place)) > far:
            first += 1
        while last - 1 >= high and (last - 1 - first) / rate >= 0.06 and norm(sub(way[last], place)) > far:
            last -= 1
    return first, last


LEGS = [["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"], ["LeftUpperLeg", "LeftLowerLeg", "LeftFoot", "LeftToes"],
        ["UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"], ["LeftHip", "LeftKnee", "LeftAnkle", "LeftAnkle_end"]]


def find_legs(nodes):
    found = []
    for pattern in LEGS:
        for left, right in (("", ""), ("Left", "Right"), ("_L", "_R")):
            names = [n.replace(left, right) if left else n for n in pattern]
            own = []
            for n in names:
                match = [k for k in nodes if k.lower() == n.lower() or k.lower().endswith(n.lower())]
                own.append(match[0] if match else None)
            if all(own[:3]) and own not in found:
                found.append(own)
    return found


def main(before, after, low="0.05", slow="0.4"):
    rate, a = load(before)
    _, b = load(after)
    slid, knee, below, bends = [0, 0], 0, 0, []
    for leg in find_legs(a):
        up, mid, end = (a[n] for n in leg[:3])
        length = max(norm(sub(end[k], up[k])) for k in range(len(end)))
        for name in leg[2:]:
            if name is None:
                continue
            below = max(below, min(p[1] for p in a[name]) - min(p[1] for p in b[name]))
            for first, last in contacts(a[name], float(low) * length, float(slow) * length, rate):
                first, last = trim(a[name], first, last, 0.015 * length, rate)
                for i, way in enumerate((a[name], b[name])):
                    far = sorted(norm(sub(way[k], way[(first + last) // 2])) for k in range(first, last + 1))
                    slid[i] = max(slid[i], far[int(0.7 * (len(far) - 1))])
        forward, signed = [0, 0, 0], []
        for k in range(len(end)):
            axes, bent = [], []
            for n in a, b:
                thigh, shin = sub(n[leg[1]][k], n[leg[0]][k]), sub(n[leg[2]][k], n[leg[1]][k])
                axes.append(cross(thigh, shin))
                bent.append(angle(thigh, shin))
                if n is a and bent[0] >= 15:
                    forward = [x + y for x, y in zip(forward, axes[0])]
            if min(bent) >= 15:
                knee = max(knee, angle(*axes))
            signed.append((axes[1], bent[1]))
        if norm(forward) == 0 and leg[3]:  # always straight: the toes show where its knee goes
            foot, thigh = sub(a[leg[3]][0], a[leg[2]][0]), sub(a[leg[1]][0], a[leg[0]][0])
            forward = cross(foot, thigh)
        bends += [bent * (1 if sum(x * y for x, y in zip(axis, forward)) >= 0 else -1) for axis, bent in signed]
    ratio, joint = 0, ""
    for name, way in a.items():
        if name not in b:
            continue
        tops = [max((norm(sub(w[k + 1], w[k])) for k in range(len(w) - 1)), default=0) for w in (way, b[name])]
        if tops[0] * rate > 0.01 and tops[1] / tops[0] > ratio:
            ratio, joint = tops[1] / tops[0], name
    print("slide %.3f %.3f" % (1000 * slid[0], 1000 * slid[1]))
    print("knee %.2f" % knee)
    print("bend %.2f %.2f" % (min(bends), max(bends)))
    print("speed %.3f %s" % (ratio, joint))
    print("below %.3f" % (1000 * below))


main(*sys.argv[1:])
