#!/usr/bin/env python3
"""limbs.py SOURCE RESULT DEGREES HEIGHT [mirror] [stands=ANKLE]: whether the limbs of a human point where those of another do, frame by frame.

SOURCE and RESULT are .bvh or .vmd files, or streams as anim-emit json writes them, of clips with the same frames. Their joints are told
by the lists of names below, which are those of the files that the tests use and of no table of the programs. Prints for each limb
the median and the largest angle, then the median of all; fails where that is above DEGREES. Also prints how far the line of the
hips and that of the shoulders are off, which a body that is turned about itself shows, and how high the lower ankle is; fails
where that differs by more than HEIGHT, in parts of the leg, from SOURCE or from ANKLE. Places alone count. mirror: x of SOURCE is the other way round."""
import math
import re
import sys
import bvh_poses
import mmd_play

NAMINGS = {
    "biovision": "Hips Chest Neck {}Shoulder {}Elbow {}Wrist {}Hip {}Knee {}Ankle",
    "bandai": "Hips Spine Neck UpperArm_{} LowerArm_{} Hand_{} UpperLeg_{} LowerLeg_{} Foot_{}",
    "humanik": "Hips Spine Neck {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot",
    "unity": "Hips Spine Neck {}UpperArm {}LowerArm {}Hand {}UpperLeg {}LowerLeg {}Foot",
}
PARTS = "hips spine neck upperarm forearm hand thigh shin foot".split()
LIMBS = [(s + a, s + b) for s in "LR" for a, b in (("upperarm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot"))]
LINES = [("hips", "neck"), ("Lthigh", "Rthigh"), ("Lupperarm", "Rupperarm")]


def read(path):
    return (mmd_play if path.endswith(".vmd") else bvh_poses).read(path)


def joints(names):
    """Which joint is which part, by the naming that knows all of its parts."""
    if "下半身" in names:
        return {part: names.index(name) for part, name in mmd_play.PARTS.items()}
    plain = {re.sub(r"^(Character1_|mixamorig\d*[:_]?)", "", n): i for i, n in reversed(list(enumerate(names)))}
    for naming in NAMINGS.values():
        found = {}
        for part, name in zip(PARTS, naming.split()):
            for side in ("L", "R") if "{}" in name else ("",):
                word = side if name.endswith("_{}") else {"L": "Left", "R": "Right"}.get(side)
                found[side + part] = plain.get(name.format(word))
        if None not in found.values():
            return found
    sys.exit("no naming knows " + " ".join(names[:12]))


def angle(u, v):
    cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    return math.degrees(math.atan2(math.hypot(*cross), sum(a * b for a, b in zip(u, v))))


def median(values):
    return sorted(values)[len(values) // 2]


def height(frames, part):
    """How high the lower ankle is, the median of all frames, in parts of the leg."""
    leg = max(math.dist(f[part[s + "thigh"]], f[part[s + "foot"]]) for f in frames for s in "LR")
    lowest = [min(f[part["Lfoot"]][1], f[part["Rfoot"]][1]) / leg for f in frames]
    return median(lowest)


def main():
    (names, first), (others, second) = read(sys.argv[1]), read(sys.argv[2])
    ours, theirs = joints(names), joints(others)
    count = min(len(first), len(second))
    mirror = -1 if "mirror" in sys.argv[5:] else 1
    step = max(1, count // 200)
    off = {}
    for f in range(0, count, step):
        for a, b in LIMBS + LINES:
            u = [q - p for p, q in zip(first[f][ours[a]], first[f][ours[b]])]
            v = [q - p for p, q in zip(second[f][theirs[a]], second[f][theirs[b]])]
            off.setdefault((a, b), []).append(angle([mirror * u[0]] + u[1:], v))
    for (a, b), angles in off.items():
        print("%-20s median %.2f, at most %.2f degrees" % (a + " " + b, median(angles), max(angles)))
    before, after = height(first, ours), height(second, theirs)
    before = next((float(a[7:]) for a in sys.argv[5:] if a.startswith("stands=")), before)
    print("ankles at %.3f of the leg, should be at %.3f" % (after, before))
    every = median([a for limb in LIMBS for a in off[limb]])
    print("all limbs: median %.2f degrees" % every)
    if every > float(sys.argv[3]) or abs(after - before) > float(sys.argv[4]):
        sys.exit(1)


main()
