#!/usr/bin/env python3
"""asf_poses.py make SEED NAME: write a random skeleton NAME.asf and a motion NAME_01.amc for it.
asf_poses.py human NAME: write a human with the names of Carnegie Mellon University, and a motion of its left arm and knee.
asf_poses.py METRES A.asf A.amc STREAM...: compare the place of each bone in space, frame by frame, with streams as anim-emit json
writes them. It is computed by the words of the format alone, with matrices and without code of the programs. Prints for each
stream the largest distance in parts of the size of the skeleton. METRES is the length of the unit of the file."""
import math
import random
import sys

from bvh_poses import read_stream, times, turn

DOFS = ["tx", "ty", "tz", "rx", "ry", "rz"]


def words(path):
    for line in open(path, encoding="utf-8-sig"):
        line = line.split("#")[0].replace(",", " ").replace("(", " ").replace(")", " ").split()
        if line:
            yield line


def product(angles, order):
    """Rotate about the axes of the order, the first one first, all of them fixed axes."""
    m = turn(0, 0)
    for axis in order:
        m = times(turn("xyz".index(axis), angles["xyz".index(axis)]), m)
    return m


def transposed(m):
    return [list(row) for row in zip(*m)]


def apply(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def read_asf(path):
    degrees, section, bone = 1.0, "", None
    bones = {"root": {"dof": DOFS, "length": 0.0, "direction": [0, 0, 0], "axis": turn(0, 0), "children": [], "position": [0, 0, 0]}}
    for first, *rest in words(path):
        key = first.lower()
        if key.startswith(":"):
            section = key
        elif section == ":units" and key == "angle" and rest[0] == "rad":
            degrees = 180 / math.pi
        elif section == ":root" and key == "order":
            bones["root"]["dof"] = [word.lower() for word in rest]
        elif section == ":root" and key == "position":
            bones["root"]["position"] = [float(v) for v in rest]
        elif section == ":bonedata" and key == "begin":
            bone = {"dof": [], "children": []}
        elif section == ":bonedata" and key == "name":
            bones[rest[0].lower()] = bone
            bone["name"] = rest[0]
        elif section == ":bonedata" and key in ("direction", "length"):
            bone[key] = [float(v) for v in rest] if key == "direction" else float(rest[0])
        elif section == ":bonedata" and key == "axis":
            bone["axis"] = product([float(v) * degrees for v in rest[:3]], (rest[3] if len(rest) > 3 else "xyz").lower())
        elif section == ":bonedata" and key == "dof":
            bone["dof"] = [word.lower() for word in rest]
        elif section == ":hierarchy" and key not in ("begin", "end"):
            bones[key]["children"] += [word.lower() for word in rest]
    return bones, degrees


def read_amc(path, degrees):
    frames = []
    for first, *rest in words(path):
        if first.lower() in (":degrees", ":radians"):
            degrees = 1.0 if first.lower() == ":degrees" else 180 / math.pi
        elif first.isdigit():
            frames.append({})
        elif not first.startswith(":"):
            frames[-1][first.lower()] = [float(v) for v in rest]
    return frames, degrees


def places(bones, frame, degrees):
    """The beginning of each bone, and the end of each bone without children."""
    out = {}

    def visit(name, m, start):
        bone, values = bones[name], dict(zip(bones[name]["dof"], frame.get(name, [])))
        local = product([values.get("r" + axis, 0) * degrees for axis in "xyz"], [d[1] for d in bone["dof"] if d[0] == "r"])
        moved = apply(bone["axis"], [values.get("t" + axis, 0) for axis in "xyz"])
        start = [a + b for a, b in zip(start, apply(m, moved))]
        m = times(m, times(bone["axis"], times(local, transposed(bone["axis"]))))
        end = [a + bone["length"] * b for a, b in zip(start, apply(m, bone["direction"]))]
        out[name] = start
        if not bone["children"]:
            out[name + "_end"] = end
        for child in bone["children"]:
            visit(child, m, end)

    visit("root", turn(0, 0), bones["root"]["position"])
    return out


def compare(metres, asf, amc, streams):
    bones, degrees = read_asf(asf)
    frames, degrees = read_amc(amc, degrees)
    wanted = [places(bones, frame, degrees) for frame in frames]
    size = max(math.dist(a, b) for a in wanted[0].values() for b in wanted[0].values()) * metres
    for path in streams:
        names, got = read_stream(open(path, encoding="utf-8").read().splitlines())
        number = {name.lower(): i for i, name in enumerate(names)}
        if len(got) != len(wanted) or len(number) != len(wanted[0]) + 1:
            sys.exit(f"{len(got)} and {len(wanted)} frames, {len(number) - 1} and {len(wanted[0])} bones")
        worst = max(math.dist([metres * v for v in place], frame[number[name]])
                    for row, frame in zip(wanted, got) for name, place in row.items())
        print(f"{len(wanted[0])} bones, {len(wanted)} frames, {worst / size:.3g}")


def make(seed, name):
    random.seed(seed)
    number = lambda low, high: "%.6g" % random.uniform(low, high)
    orders, count = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "zyx"], random.randint(3, 20)
    radians = seed % 3 == 2
    dofs, children = {"root": random.sample(DOFS, 6) if seed % 2 else DOFS}, {}
    with open(name + ".asf", "w", encoding="utf-8", newline="\r\n" if seed % 4 == 3 else "\n") as out:
        out.write("# a skeleton\n:version 1.10\n:name test\n:units\n  mass 1.0\n  length 0.45\n  angle %s\n" % ("rad" if radians else "deg"))
        out.write(":documentation\n   length 7 begin end\n   more\n:root\n   order %s\n   axis XYZ\n" % " ".join(dofs["root"]).upper())
        out.write("   position %s %s %s\n   orientation 0 0 0\n:bonedata\n" % tuple(number(-1, 1) for _ in range(3)))
        for i in range(count):
            bone, turn_ = "Bone%d" % i, math.pi if radians else 180
            direction = [random.gauss(0, 1) for _ in range(3)]
            length = math.sqrt(sum(v * v for v in direction))
            some = random.sample(DOFS[3:], random.randint(0, 3)) + random.sample(DOFS[:3], random.choice([0, 0, 0, 2]))
            out.write("  begin\n    id %d\n    name %s\n    direction %.6g %.6g %.6g\n" % (i + 1, bone, *(v / length for v in direction)))
            out.write("    length %s\n    axis %s %s %s" % (number(0.5, 5), *(number(-turn_, turn_) for _ in range(3))))
            out.write("  %s\n" % random.choice(orders) if seed % 5 else "  XYZ\n")
            if some:
                out.write("    dof %s\n    limits (-160.0 20.0)\n           (-70.0 70.0)\n" % " ".join(some))
            out.write("    bodymass 1\n  end\n")
            dofs[bone] = some
            children.setdefault(random.choice(["root"] + ["Bone%d" % k for k in range(i)]), []).append(bone)
        out.write(":hierarchy\n  begin\n")
        for parent in ["root"] + ["Bone%d" % k for k in range(count)]:
            if parent in children:
                out.write("    %s %s\n" % (parent if seed % 2 else parent.upper(), " ".join(children[parent])))
        out.write("  end\n:skin none\n")
    with open(name + "_01.amc", "w", encoding="utf-8", newline="\r\n" if seed % 4 == 2 else "\n") as out:
        out.write("#!OML:ASF test.asf\n:FULLY-SPECIFIED\n%s\n" % (":RADIANS" if radians and seed % 2 else ":DEGREES"))
        turn_ = math.pi if radians and seed % 2 else 180
        for frame in range(random.randint(2, 30)):
            out.write("%d\n" % (frame + 1))
            for bone in dofs:
                if dofs[bone]:
                    values = [number(-3, 3) if d[0] == "t" else number(-turn_, turn_) for d in dofs[bone]]
                    out.write("%s %s\n" % (bone, " ".join(values)))


HUMAN = """lowerback root 0 1 0 2 rx ry rz
upperback lowerback 0 1 0 2 rx ry rz
thorax upperback 0 1 0 2 rx ry rz
lowerneck thorax 0 1 0 1.7 rx ry rz
upperneck lowerneck 0 1 0 1.7 rx ry rz
head upperneck 0 1 0 1.7 rx ry rz
lclavicle thorax 0.95 0.31 0 3 ry rz
lhumerus lclavicle 1 0 0 5 rx ry rz
lradius lhumerus 1 0 0 3.5 rx
lwrist lradius 1 0 0 1.7 ry
lhand lwrist 1 0 0 0.7 rx rz
lhipjoint root 0.6 -0.75 0.3 2.4
lfemur lhipjoint 0.3 -0.95 0 7 rx ry rz
ltibia lfemur 0.3 -0.95 0 7.2 rx
lfoot ltibia 0 -0.2 0.98 2.4 rx rz
ltoes lfoot 0 0 1 1.2 rx"""


def human(name):
    rows = [line.split() for line in HUMAN.splitlines()]
    for bone, parent, x, *rest in list(rows):
        if bone.startswith("l") and not bone.startswith("lower"):
            rows.append(["r" + bone[1:], "r" + parent[1:] if parent.startswith("l") else parent, str(-float(x)), *rest])
    with open(name + ".asf", "w", encoding="utf-8") as out:
        out.write(":version 1.10\n:name human\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:root\n   order TX TY TZ RX RY RZ\n"
                  "   axis XYZ\n   position 0 0 0\n   orientation 0 0 0\n:bonedata\n")
        for number, (bone, _, x, y, z, length, *dofs) in enumerate(rows, 1):
            out.write(f"  begin\n    id {number}\n    name {bone}\n    direction {x} {y} {z}\n    length {length}\n    axis 0 0 0 XYZ\n")
            out.write(f"    dof {' '.join(dofs)}\n  end\n" if dofs else "  end\n")
        out.write(":hierarchy\n  begin\n")
        for bone, parent, *_ in rows:
            out.write(f"    {parent} {bone}\n")
        out.write("  end\n")
    with open(name + "_01.amc", "w", encoding="utf-8") as out:
        out.write(":FULLY-SPECIFIED\n:DEGREES\n")
        for frame in range(13):
            out.write(f"{frame + 1}\nroot 0 17 {frame / 10} 0 0 0\n")
            for bone, _, _, _, _, _, *dofs in rows:
                angles = ["%g" % (5 * frame if (bone, dof) in (("lhumerus", "rz"), ("ltibia", "rx")) else 0) for dof in dofs]
                out.write(f"{bone} {' '.join(angles)}\n" if dofs else "")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "human":
        human(sys.argv[2])
    else:
        compare(float(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
