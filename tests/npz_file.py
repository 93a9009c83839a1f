"""npz_file.py: makes arrays of numpy without numpy, and evaluates them on its own.

npz_file.py make KIND FILE [OPTION...]   writes a file: amass, smplx, smpl, parts, aist, joints, ...
npz_file.py form FORM FILE               writes the motion of `make smpl` with other numbers per joint: matrix, wxyz, ...
npz_file.py points FORM FILE             writes positions of joints: 52, mm, mdm, ...
npz_file.py poses FILE.npz FILE.jsonl    prints the largest difference between the rotations of both
npz_file.py places JOINTS.npy FILE.jsonl prints the largest distance between joints, in metres
"""
import io
import json
import math
import struct
import sys
import zipfile

BODY = ("pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3 left_foot "
        "right_foot neck left_collar right_collar head left_shoulder right_shoulder left_elbow right_elbow left_wrist "
        "right_wrist").split()
PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21]
FINGERS = ["%s_%s%d" % (side, finger, i) for side in ("left", "right")
           for finger in ("index", "middle", "pinky", "ring", "thumb") for i in (1, 2, 3)]
FACE = ["jaw", "left_eye_smplhf", "right_eye_smplhf"]
ORDERS = {22: BODY, 24: BODY + ["left_hand", "right_hand"], 52: BODY + FINGERS, 55: BODY + FACE + FINGERS}


def npy(descr, shape, data, fortran=False, version=1):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" % (
        descr, fortran, "".join("%d, " % n for n in shape).rstrip() if shape else "")
    head = 10 if version == 1 else 12
    text += " " * (-(len(text) + 1 + head) % 64) + "\n"
    return (b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) +
            text.encode() + data)


def numbers(code, values):
    return struct.pack("%s%d%s" % (code[0], len(values), code[1]), *values)


DESCR = {"<d": "<f8", ">d": ">f8", "<f": "<f4", ">f": ">f4", "<e": "<f2", "<h": "<i2", "<q": "<i8", "<B": "|u1"}


def array(shape, values, code="<d", **options):
    return npy(DESCR[code], shape, numbers(code, values), **options)


def text_array(text, wide=True):
    if wide:
        return npy("<U%d" % len(text), (), text.encode("utf-32-le"))
    return npy("|S%d" % len(text), (), text.encode())


def archive(path, arrays, deflated=False):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as out:
        for name, data in arrays:
            info = zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
            with out.open(info, "w", force_zip64=True) as file:
                file.write(data)


def motion(frames, joints, z_up=True):
    """Axis-angles that cover small, usual and large angles, and translations."""
    poses = []
    for k in range(frames):
        for j in range(joints):
            t = 0.37 * j + 0.11 * k
            if j == 0:
                # upright along Z: a quarter turn about X, turning a little
                poses += [math.pi / 2 if z_up else 0.01 * k, 0.02 * math.sin(t), 0.01]
            elif j % 7 == 3:
                poses += [1e-9 * math.sin(t), 0, 0]
            else:
                poses += [0.8 * math.sin(t), 0.5 * math.cos(1.3 * t), (3 if j % 5 == 0 else 0.3) * math.sin(0.7 * t)]
    return poses, [c for k in range(frames) for c in (0.01 * k, 0.5 + 0.001 * k, 0.9)]


def columns(values, width):
    return [values[i] for c in range(width) for i in range(c, len(values), width)]


def make(kind, path, frames=7):
    joints = {"smpl": 24, "aist": 24, "smplx": 55, "parts": 55, "body": 22}.get(kind, 52)
    poses, trans = motion(frames, joints, kind not in ("aist", "yup"))
    width = 3 * joints
    code = {"big": ">d", "float": "<f", "bigfloat": ">f", "half": "<e"}.get(kind, "<d")
    pose_array = array((frames, width), poses, code, version=3 if kind == "version3" else 1)
    if kind == "fortran":
        pose_array = array((frames, width), columns(poses, width), fortran=True)
    if kind == "cube":
        pose_array = array((frames, joints, 3), poses)
    if kind == "nan":
        poses[2 * width + 5] = math.nan
        pose_array = array((frames, width), poses, code)
    rates = {"late": [("mocap_frame_rate", array((), [59.94]))], "none": [], "single": [],
             "whole": [("fps", array((1,), [30], "<q"))]}
    rest = [("trans", array((frames, 3), trans)), ("betas", array((3,), [0.5, -1, 2])),
            ("gender", text_array("neutral", kind != "bytes"))]
    rate = rates.get(kind, [("mocap_framerate", array((), [120.0]))])
    if kind == "single":
        open(path, "wb").write(pose_array)
    elif kind == "aist":
        archive(path, [("smpl_poses", pose_array), ("smpl_trans", array((frames, 3), [93.0 * x for x in trans])),
                       ("smpl_scaling", array((1,), [93.0])), ("fps", array((), [60.0]))])
    elif kind == "parts":
        rows = [poses[k * width:(k + 1) * width] for k in range(frames)]

        def part(first, count):
            return array((frames, 3 * count), [x for row in rows for x in row[3 * first:3 * (first + count)]])
        archive(path, [("root_orient", part(0, 1)), ("pose_body", part(1, 21)), ("pose_jaw", part(22, 1)),
                       ("pose_eye", part(23, 2)), ("pose_hand", part(25, 30))] + rest + rate)
    else:
        extra = [("marker_labels", npy("|S3", (2,), b"abcdef")), ("marker_data", array((2, 3), range(6)))]
        archive(path, [("poses", pose_array)] + extra + rest + rate, kind == "deflated")
    return poses, trans


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def rotate(q, v):
    return product(product(q, list(v) + [0]), [-q[0], -q[1], -q[2], q[3]])[:3]


def quaternion(v):
    angle = math.sqrt(sum(x * x for x in v))
    scale = math.sin(angle / 2) / angle if angle > 0 else 0.5
    return [x * scale for x in v] + [math.cos(angle / 2)]


def matrix(v):
    """Rows of the rotation matrix of an axis-angle."""
    return [list(row) for row in zip(*(rotate(quaternion(v), axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))))]


FORMS = {
    "axis": lambda v: list(v),
    "matrix": lambda v: sum(matrix(v), []),
    "xyzw": quaternion,
    "wxyz": lambda v: quaternion(v)[3:] + quaternion(v)[:3],
    "6d-rows": lambda v: matrix(v)[0] + matrix(v)[1],
    "6d-columns": lambda v: [r[0] for r in matrix(v)] + [r[1] for r in matrix(v)],
    "degrees": lambda v: [math.degrees(x) for x in v],
    "6d-pairs": lambda v: sum((r[:2] for r in matrix(v)), []),
}


def permuted(values, shape, order):
    """The numbers of an array in the order that its axes get."""
    steps = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    out = [0]
    for i in order:
        out = [base + k * steps[i] for base in out for k in range(shape[i])]
    return [values[i] for i in out]


def form_file(form, path, frames=7):
    """The motion of `make smpl` in another form: NUMBERS[:LAYOUT]."""
    kind, layout = (form + ":rows").split(":")[:2]
    joints = 24
    poses, trans = motion(frames, joints)
    if layout == "camera":  # Z up, then Y down
        for k in range(frames):
            q = product([math.sqrt(0.5), 0, 0, math.sqrt(0.5)], quaternion(poses[72 * k:72 * k + 3]))
            half = math.acos(q[3])
            poses[72 * k:72 * k + 3] = [2 * half * x / math.sin(half) for x in q[:3]]
    triples = [poses[i:i + 3] for i in range(0, len(poses), 3)]
    numbers = [FORMS[kind](v) for v in triples]
    size = len(numbers[0])
    values, inner = sum(numbers, []), {"matrix": (3, 3), "6d-pairs": (3, 2)}.get(kind, (size,))
    shape = (frames, joints) + inner
    if layout == "flat":
        return archive(path, [("poses", array((frames, joints * size), values)), ("trans", array((frames, 3), trans))])
    if layout == "split":
        first = sum((numbers[k * joints] for k in range(frames)), [])
        rest = sum((numbers[i] for i in range(frames * joints) if i % joints), [])
        return archive(path, [("global_orient", array((frames, 1) + inner, first)),
                              ("body_pose", array((frames, joints - 1) + inner, rest)),
                              ("transl", array((1, frames, 3), trans))])
    if layout == "batch":
        data = array((1,) + shape, values, "<f")
    elif layout == "last":  # frames last
        data = array(shape[1:] + (frames,), permuted(values, shape, list(range(1, len(shape))) + [0]))
    elif layout == "middle":
        data = array((joints, frames) + inner, permuted(values, shape, [1, 0] + list(range(2, len(shape)))))
    elif layout == "fortran":
        data = array(shape, permuted(values, shape, list(range(len(shape)))[::-1]), fortran=True)
    else:
        data = array(shape, values)
    return archive(path, [("poses", data), ("trans", array((frames, 3), trans))])


def motion_x(path, frames=7):
    poses, trans = motion(frames, 55)
    rows = []
    for k in range(frames):
        row = poses[165 * k:165 * (k + 1)]
        rows += row[:66] + row[75:] + row[66:69] + [0.5] * 150 + trans[3 * k:3 * k + 3] + [0] * 10
    open(path, "wb").write(array((frames, 322), rows, "<f"))


def wham(path, frames=7):
    poses, trans = motion(frames, 24)
    archive(path, [("pose", array((frames, 72), [0.1] * 72 * frames)), ("trans", array((frames, 3), [5] * 3 * frames)),
                   ("pose_world", array((frames, 72), poses)), ("trans_world", array((frames, 3), trans))])


def points(form, path, frames=6):
    """Positions of joints: a count of joints, then the layout."""
    count, layout = (form + ":rows").split(":")[:2]
    count = int(count)
    extra = {45: 24, 73: 52, 127: 55}.get(count, count)
    inner, values = body(frames, extra), []
    for k in range(frames):
        values += inner[3 * extra * k:3 * extra * (k + 1)] + [0.1 * k] * 3 * (count - extra)
    shape = (frames, count, 3)
    if layout == "flat":
        data = array((frames, 3 * count), values)
    elif layout == "mm":
        data = array(shape, [1000 * x for x in values], "<f")
    elif layout == "cm":
        data = array(shape, [100 * x for x in values])
    elif layout == "last":
        data = array((count, 3, frames), permuted(values, shape, [1, 2, 0]))
    elif layout == "z-up":
        data = array(shape, sum(([values[i], -values[i + 2], values[i + 1]] for i in range(0, len(values), 3)), []))
    else:
        data = array(shape, values)
    open(path, "wb").write(data)
    open(path + ".truth", "wb").write(array((frames, extra, 3), inner))


def parse(data):
    size = struct.unpack("<H", data[8:10])[0] if data[6] == 1 else struct.unpack("<I", data[8:12])[0]
    start = (10 if data[6] == 1 else 12) + size
    head = eval(data[start - size:start], {"__builtins__": {}})
    code = {v: k for k, v in DESCR.items()}[head["descr"]]
    values = struct.unpack("%s%d%s" % (code[0], (len(data) - start) // struct.calcsize(code), code[1]), data[start:])
    if head["fortran_order"] and len(head["shape"]) == 2:
        values = columns(values, head["shape"][0])
    return head["shape"], values


def tracks(path):
    return [json.loads(line)["track"] for line in open(path) if line.startswith('{"track"')]


def compare_poses(path, lines, z_up=True):
    data = {name[:-4]: archive_file for name, archive_file in
            ((n, zipfile.ZipFile(path).read(n)) for n in zipfile.ZipFile(path).namelist())}
    shape, poses = parse(data.get("poses", data.get("smpl_poses")))
    width = 1
    for n in shape[1:]:
        width *= n
    order = ORDERS[width // 3]
    scale = parse(data["smpl_scaling"])[1][0] if "smpl_scaling" in data else 1
    trans = parse(data.get("trans", data.get("smpl_trans")))[1]
    worst, seen = 0, 0
    for track in tracks(lines):
        name = track["node"].split("/")[-1]
        values = track["columns"]["value"]
        assert len(values) == shape[0]
        seen += 1
        for k, value in enumerate(values):
            if track["property"] == "position":
                at = [x / scale + y for x, y in zip(trans[3 * k:3 * k + 3], (0, -0.22, 0.03))]
                wanted = [at[0], at[2], -at[1]] if z_up else at
            else:
                j = order.index(name)
                wanted = quaternion(poses[k * width + 3 * j:k * width + 3 * j + 3])
                if j == 0 and z_up:
                    wanted = product([-math.sqrt(0.5), 0, 0, math.sqrt(0.5)], wanted)
            off = max(abs(a - b) for a, b in zip(value, wanted))
            if track["property"] == "rotation":
                off = min(off, max(abs(a + b) for a, b in zip(value, wanted)))
                assert k == 0 or sum(a * b for a, b in zip(value, values[k - 1])) >= 0, "the long way"
            worst = max(worst, off)
    assert len(order) - 2 <= seen <= len(order) + 1, seen
    print("%.3g" % worst)


def body(frames, count=22):
    """Positions of joints of a body that moves, and stretches by `stretch`."""
    rest = {"hip": (.07, -.09, -.01), "knee": (.04, -.38, -.01), "ankle": (-.01, -.4, -.04), "foot": (.03, -.05, .12)}
    offsets, parents = [(0, 0, 0)] * 60, list(PARENTS)
    table = {3: (0, .11, -.03), 6: (0, .14, 0), 9: (0, .05, .03), 12: (0, .21, -.04), 15: (0, .07, .05)}
    for i, key in enumerate(("hip", "knee", "ankle", "foot")):
        table[1 + 3 * i], table[2 + 3 * i] = rest[key], (-rest[key][0],) + rest[key][1:]
    for i, at in zip((13, 16, 18, 20, 22), ((.08, .12, -.04), (.09, .03, -.01), (.26, -.01, -.03), (.25, .01, 0),
                                            (.08, -.01, -.01))):
        table[i], table[i + 1] = at, (-at[0],) + at[1:]
    if count > 24:  # fingers, and the face before them
        face = 3 if count == 55 else 0
        parents = PARENTS[:22] + [15] * face
        for i, at in enumerate([(0, -.01, .02), (.03, .06, .07), (-.03, .06, .07)][:face]):
            table[22 + i] = at
        for side in (0, 1):
            for finger in range(5):
                for joint in range(3):
                    x, z = (.1, .02 * (2 - finger)) if joint == 0 else (.03, 0)
                    table[len(parents)] = ((-x if side else x), -.01 if joint == 0 else 0, z)
                    parents.append(20 + side if joint == 0 else len(parents) - 1)
    for i, at in table.items():
        offsets[i] = at
    places = []
    for k in range(frames):
        world, at = [], []
        for j in range(count):
            t = 0.4 * j + 0.2 * k
            local = quaternion([0.4 * math.sin(t), 0.3 * math.cos(t) if j in (0, 9) else 0, 0.3 * math.sin(0.6 * t)])
            p = parents[j]
            world.append(local if p < 0 else product(world[p], local))
            at.append([0.1 * k, 1, 0] if p < 0 else [a + b for a, b in zip(at[p], rotate(world[p], offsets[j]))])
        places += [c for joint in at for c in joint]
    return places


def compare_places(path, lines):
    shape, values = parse(open(path, "rb").read())
    order = ORDERS[shape[1]]
    places = {t["node"].split("/")[-1]: t["columns"]["value"] for t in tracks(lines) if t["property"] == "position"}
    worst = 0
    for k in range(shape[0]):
        for j, name in enumerate(order):
            at = values[3 * (k * shape[1] + j):][:3]
            worst = max(worst, math.dist(at, places[name][k]))
    print("%.3g" % worst)


def main(command, *words):
    if command == "make" and words[0] in ("joints", "hands"):
        count = 22 if words[0] == "joints" else 24
        frames = int(words[2]) if len(words) > 2 else 5
        open(words[1], "wb").write(array((frames, count, 3), body(frames, count), "<f"))
    elif command == "form":
        {"motion-x": motion_x, "wham": wham}.get(words[0], lambda path: form_file(words[0], path))(words[1])
    elif command == "points":
        points(*words)
    elif command == "make":
        make(words[0], words[1], *(int(n) for n in words[2:]))
    elif command == "npy":  # npy FILE DESCR SHAPE BYTES
        open(words[0], "wb").write(npy(words[1], eval(words[2]), b"\0" * int(words[3])))
    elif command == "zip":  # zip FILE NAME=FILE...
        archive(words[0], [(w.split("=")[0], open(w.split("=")[1], "rb").read()) for w in words[1:]])
    elif command == "poses":
        compare_poses(words[0], words[1], len(words) < 3)
    else:
        compare_places(words[0], words[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
