#!/usr/bin/env python3
"""make.py [FOLDER]: writes the .fbx files of this folder: the same few scenes as text and as bytes, in several versions."""
import os
import struct
import sys
import zlib

SECOND = 46186158000
WEIGHTS = 0x0D050D05  # a third on both sides


class Name:
    """A name with its type."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name


class Long(int):
    pass


class Letter(str):
    pass


class Array:
    """kind: f d i l; a list of numbers. Bits are floats that hold packed integers."""

    def __init__(self, kind, numbers, bits=False):
        self.kind, self.numbers, self.bits = kind, list(numbers), bits


class Node:
    def __init__(self, name, *values, below=None):
        self.name, self.values, self.below = name, values, below


def bits_of(number):
    return number if isinstance(number, int) else struct.unpack("<i", struct.pack("<f", number))[0]


# ---- text ----

def text_number(x):
    return repr(x)[:-2] if isinstance(x, float) and repr(x).endswith(".0") else repr(x) if isinstance(x, float) else str(int(x))


def float_of_bits(b):
    return struct.unpack("<f", struct.pack("<I", b & 0xFFFFFFFF))[0]


def text_value(value):
    if isinstance(value, Name):
        return text_value(f"{value.kind}::{value.name}")
    if isinstance(value, Letter):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace('"', "&quot;") + '"'
    return text_number(value)


def text_node(node, version, depth=0):
    tabs = "\t" * depth
    if len(node.values) == 1 and isinstance(node.values[0], Array):
        array = node.values[0]
        if array.bits and version < 7200:
            numbers = [f"{float_of_bits(bits_of(x)):.9g}" for x in array.numbers]
        elif array.bits:
            numbers = [str(bits_of(x)) for x in array.numbers]
        else:
            numbers = [text_number(x) for x in array.numbers]
        return f"{tabs}{node.name}: *{len(numbers)} {{\n{tabs}\ta: {','.join(numbers)}\n{tabs}}} \n"
    line = f"{tabs}{node.name}: " + ",".join(text_value(v) for v in node.values)
    if node.below is None:
        return line + "\n"
    return line + " {\n" + "".join(text_node(n, version, depth + 1) for n in node.below) + tabs + "}\n"


def text_file(nodes, version):
    digits = f"{version // 1000}.{version // 100 % 10}.{version // 10 % 10}"
    return (f"; FBX {digits} project file\n; made by make.py\n\n" + "\n".join(text_node(n, version) for n in nodes)).encode()


# ---- bytes ----

class Binary:
    def __init__(self, version, big=False, packed=False, told=None):
        self.version, self.end, self.packed = version, ">" if big else "<", packed
        self.head = b"Kaydara FBX Binary  \0\x1a" + (b"\1" if big else b"\0") + struct.pack(self.end + "I", told or version)

    def value(self, value):
        end = self.end
        if isinstance(value, Name):
            value = value.name + "\0\1" + value.kind
        if isinstance(value, Letter):
            return b"C" + str(value).encode()
        if isinstance(value, str):
            data = value.encode()
            return b"S" + struct.pack(end + "I", len(data)) + data
        if isinstance(value, float):
            return b"D" + struct.pack(end + "d", value)
        if isinstance(value, Long) or isinstance(value, int) and abs(value) >= 2 ** 31:
            return b"L" + struct.pack(end + "q", value)
        if isinstance(value, int):
            return b"I" + struct.pack(end + "i", value)
        numbers = value.numbers
        if value.bits:
            data = struct.pack(f"{end}{len(numbers)}I", *[bits_of(x) & 0xFFFFFFFF for x in numbers])
        else:
            data = struct.pack(f"{end}{len(numbers)}{value.kind.replace('l', 'q')}", *numbers)
        count, encoding = len(numbers), 0
        if self.packed:
            data, encoding = zlib.compress(data), 1
        return value.kind.encode() + struct.pack(end + "III", count, encoding, len(data)) + data

    def node(self, node, at):
        word = "Q" if self.version >= 7500 else "I"
        values = b"".join(self.value(v) for v in node.values)
        name = node.name.encode()
        head = struct.calcsize(self.end + 3 * word) + 1
        body = b""
        start = at + head + len(name) + len(values)
        if node.below is not None:
            for child in node.below:
                body += self.node(child, start + len(body))
            body += bytes(head)
        return (struct.pack(self.end + 3 * word, start + len(body), len(node.values), len(values)) +
                bytes([len(name)]) + name + values + body)

    def file(self, nodes):
        data = self.head
        for node in nodes:
            data += self.node(node, len(data))
        data += bytes(25 if self.version >= 7500 else 13)
        return data + bytes(range(16)) + struct.pack(self.end + "I", self.version) + bytes(120)


# ---- scenes from 7000 on ----

def p(name, kind, label, flags, *values):
    return Node("P", name, kind, label, flags, *values)


def vector(name, *v):
    return p(name, "Vector3D", "Vector", "", *map(float, v))


def properties(*list_):
    return Node("Properties70", below=list(list_))


def header(version, *more):
    return Node("FBXHeaderExtension", below=[Node("FBXHeaderVersion", 1003), Node("FBXVersion", version), *more])


def settings(up=1, front=2, front_sign=1, unit=1.0, mode=6):
    def integer(name, value):
        return p(name, "int", "Integer", "", value)
    return Node("GlobalSettings", below=[Node("Version", 1000), properties(
        integer("UpAxis", up), integer("UpAxisSign", 1), integer("FrontAxis", front), integer("FrontAxisSign", front_sign),
        integer("CoordAxis", 0), integer("CoordAxisSign", 1), p("UnitScaleFactor", "double", "Number", "", unit),
        p("TimeMode", "enum", "", "", mode))])


def definitions(*of_model):
    return Node("Definitions", below=[Node("Version", 100), Node("ObjectType", "Model", below=[
        Node("Count", 1), Node("PropertyTemplate", "FbxNode", below=[properties(
            p("RotationActive", "bool", "", "", 0), p("InheritType", "enum", "", "", 0),
            p("Lcl Scaling", "Lcl Scaling", "", "A", 1.0, 1.0, 1.0), *of_model)])])])


class Scene:
    def __init__(self):
        self.objects, self.connections, self.next = [], [], 1000

    def id(self):
        self.next += 1
        return Long(self.next)

    def model(self, name, kind="Null", parent=Long(0), t=(0, 0, 0), r=(0, 0, 0), s=(1, 1, 1), more=()):
        number = self.id()
        self.objects.append(Node("Model", number, Name("Model", name), kind, below=[Node("Version", 232), properties(
            p("Lcl Translation", "Lcl Translation", "", "A", *map(float, t)),
            p("Lcl Rotation", "Lcl Rotation", "", "A", *map(float, r)),
            p("Lcl Scaling", "Lcl Scaling", "", "A", *map(float, s)), *more)]))
        self.connect(number, parent)
        return number

    def connect(self, child, parent, prop=None):
        self.connections.append(Node("C", "OP" if prop else "OO", child, parent, *([prop] if prop else [])))

    def stack(self, name, start=0, stop=SECOND, layers=1):
        stack = self.id()
        self.objects.append(Node("AnimationStack", stack, Name("AnimStack", name), "", below=[properties(
            p("LocalStart", "KTime", "Time", "", Long(start)), p("LocalStop", "KTime", "Time", "", Long(stop)))]))
        return stack

    def layer(self, stack, name="BaseLayer", *more):
        layer = self.id()
        self.objects.append(Node("AnimationLayer", layer, Name("AnimLayer", name), "", below=[properties(*more)]))
        self.connect(layer, stack)
        return layer

    def drive(self, layer, target, prop, curves, constants=(0.0, 0.0, 0.0), names="XYZ"):
        node = self.id()
        self.objects.append(Node("AnimationCurveNode", node, Name("AnimCurveNode", prop[-1]), "", below=[properties(
            *[p("d|" + c, "Number", "", "A", float(v)) for c, v in zip(names, constants)])]))
        self.connect(node, layer)
        self.connect(node, target, prop)
        for name, curve in zip(names, curves):
            if curve:
                self.connect(curve, node, "d|" + name)
        return node

    def curve(self, keys, *ends):
        """keys: (time in seconds, value, flags, four numbers of data)"""
        number = self.id()
        self.objects.append(Node("AnimationCurve", number, Name("AnimCurve", ""), "", below=[
            Node("Default", 0.0), Node("KeyVer", 4009),
            Node("KeyTime", Array("l", [Long(round(k[0] * SECOND)) for k in keys])),
            Node("KeyValueFloat", Array("f", [float(k[1]) for k in keys])),
            Node("KeyAttrFlags", Array("i", [k[2] for k in keys])),
            Node("KeyAttrDataFloat", Array("f", [x for k in keys for x in k[3]], bits=True)),
            Node("KeyAttrRefCount", Array("i", [1 for _ in keys])), *ends]))
        return number

    def nodes(self, version, *before):
        return [header(version), *before, Node("Objects", below=self.objects), Node("Connections", below=self.connections)]


NO_DATA = (0.0, 0.0, WEIGHTS, 0)
CONSTANT, NEXT, LINEAR = 0x2, 0x102, 0x4
USER, AUTO, TCB = 0x408, 0x108, 0x208
MAYA_AUTO = 0x6108
WEIGHTED = 0x3000408


def extrapolation(which, kind, count=-1):
    return Node(which + "-Extrapolation", below=[Node("Type", Letter(kind)), Node("Repetition", count)])


def walk(version):
    """Every kind of key, a pre-rotation, a pivot, a blend shape, visibility; a mesh that is passed over."""
    scene = Scene()
    scene.objects.append(Node("Geometry", Long(500), Name("Geometry", ""), "Mesh", below=[
        Node("Vertices", Array("d", [0.5 * i for i in range(300)])), Node("PolygonVertexIndex", Array("i", range(100)))]))
    root = scene.model("Hero")
    hips = scene.model("Hips", "LimbNode", root, t=(0, 90, 0), more=[p("RotationOrder", "enum", "", "", 4),
                                                                     p("RotationActive", "bool", "", "", 1)])
    arm = scene.model("Arm", "LimbNode", hips, t=(10, 0, 0), more=[vector("PreRotation", 0, 0, 90),
                                                                  p("RotationActive", "bool", "", "", 1)])
    door = scene.model("Door", "Mesh", root, more=[vector("RotationPivot", 50, 0, 0)])
    mesh = scene.model("Face \"x\"/y", "Mesh", root)
    scene.connect(Long(500), mesh)
    shapes, smile = scene.id(), scene.id()
    scene.objects += [Node("Deformer", shapes, Name("Deformer", ""), "BlendShape", below=[Node("Version", 100)]),
                      Node("Deformer", smile, Name("SubDeformer", "smile"), "BlendShapeChannel", below=[
                          Node("DeformPercent", 0.0), Node("FullWeights", Array("d", [100.0]))])]
    scene.connect(shapes, Long(500))
    scene.connect(smile, shapes)
    stack = scene.stack("Walk")
    layer = scene.layer(stack)
    user = [(0, 0, USER, (10.0, 20.0, WEIGHTS, 0)), (0.5, 5, USER, (20.0, -4.0, WEIGHTS, 0)), (1, 0, USER, NO_DATA)]
    weighted = [(0, 0, WEIGHTED, (10.0, 0.0, 0x1388 << 16 | 0x07D0, 0)), (0.5, 5, WEIGHTED, (0.0, -4.0, 0x03E8 << 16 | 0x2328, 0)),
                (1, 0, USER, NO_DATA)]
    steps = [(0, 1, CONSTANT, NO_DATA), (0.25, 2, NEXT, NO_DATA), (0.5, 4, LINEAR, NO_DATA), (1, 3, LINEAR, NO_DATA)]
    scene.drive(layer, hips, "Lcl Translation", [scene.curve(user), scene.curve(weighted), scene.curve(steps)])
    scene.drive(layer, hips, "Lcl Rotation", [scene.curve([(t, v, MAYA_AUTO, NO_DATA) for t, v in
                                                          ((0, 0), (0.25, 30), (0.75, 40), (1, -10))]),
                                              scene.curve([(t, v, AUTO, NO_DATA) for t, v in
                                                           ((0, 0), (0.25, 30), (0.75, 40), (1, -10))]),
                                              scene.curve([(t, v, TCB, (0.5, 0.25, -0.5, 0)) for t, v in
                                                           ((0, 0), (0.25, 30), (0.75, 40), (1, -10))])])
    scene.drive(layer, hips, "Lcl Scaling", [None, None, None], (2, 2, 2))
    bend = [(0, 0, LINEAR, NO_DATA), (1, 90, LINEAR, NO_DATA)]
    scene.drive(layer, arm, "Lcl Rotation", [scene.curve(bend), None, None], (0, 0, 20))
    scene.drive(layer, door, "Lcl Rotation", [None, scene.curve(bend), None])
    scene.drive(layer, door, "Visibility", [scene.curve([(0, 1, CONSTANT, NO_DATA), (0.5, 0, CONSTANT, NO_DATA)])], (1,), ["Visibility"])
    scene.drive(layer, smile, "DeformPercent", [scene.curve([(0, 0, LINEAR, NO_DATA), (1, 100, LINEAR, NO_DATA)])], (0,), ["DeformPercent"])
    scene.stack("Empty")
    return scene.nodes(version, settings(), definitions())


def turned(version):
    """Z up, metres; curves that go on before and after their keys."""
    scene = Scene()
    box = scene.model("Box", "Mesh", t=(1, 2, 3))
    inner = scene.model("Inner", "Null", box, t=(1, 2, 3))
    layer = scene.layer(scene.stack("Turn", -SECOND, 2 * SECOND))
    bend = [(0, 0, LINEAR, NO_DATA), (0.5, 10, CONSTANT, NO_DATA), (1, 4, LINEAR, NO_DATA)]

    def curves(kind):
        return scene.curve(bend, extrapolation("Pre", kind), extrapolation("Post", kind, 1))
    scene.drive(layer, box, "Lcl Translation", [curves("R"), curves("M"), curves("A")])
    scene.drive(layer, box, "Lcl Rotation", [None, None, scene.curve(bend[:2])])
    scene.drive(layer, inner, "Lcl Translation", [curves("K"), curves("C"), None])
    return scene.nodes(version, settings(up=2, front=1, front_sign=-1, unit=100.0, mode=11), definitions())


def layers(version):
    """Three layers, one of them with a weight that moves; a scale that the child does not inherit."""
    scene = Scene()
    arm = scene.model("Arm", "LimbNode", s=(2, 2, 2))
    hand = scene.model("Hand", "LimbNode", arm, more=[p("InheritType", "enum", "", "", 2)])
    stack = scene.stack("Wave")
    base = scene.layer(stack)
    added = scene.layer(stack, "Add", p("BlendMode", "enum", "", "", 0))
    over = scene.layer(stack, "Over", p("Weight", "Number", "", "A", 0.0), p("BlendMode", "enum", "", "", 2))
    bend = [(0, 0, LINEAR, NO_DATA), (1, 90, LINEAR, NO_DATA)]
    for layer in base, added, over:
        scene.drive(layer, arm, "Lcl Rotation", [None, None, scene.curve(bend)])
        scene.drive(layer, arm, "Lcl Translation", [scene.curve(bend), None, None])
    scene.drive(over, over, "Weight", [scene.curve([(0, 0, LINEAR, NO_DATA), (1, 100, LINEAR, NO_DATA)])], (0,), ["Weight"])
    scene.drive(base, hand, "Lcl Rotation", [scene.curve(bend), None, None])
    return scene.nodes(version, settings(), definitions())


def mixamo(version):
    """What Mixamo writes: names with a prefix, pre-rotations, the take "mixamo.com" and an empty one."""
    scene = Scene()
    active = p("RotationActive", "bool", "", "", 1)
    hips = scene.model("mixamorig:Hips", "LimbNode", t=(0, 99, 0), more=[active])
    leg = scene.model("mixamorig:LeftLeg", "LimbNode", hips, t=(0, -40, 0), more=[vector("PreRotation", 0, 0, 180), active])
    scene.stack("Take 001")
    layer = scene.layer(scene.stack("mixamo.com", 0, SECOND // 3))
    times = [k / 30 for k in range(11)]
    for model in hips, leg:
        scene.drive(layer, model, "Lcl Rotation", [scene.curve([(t, 3 * k * (1 + i), LINEAR, NO_DATA) for k, t in enumerate(times)])
                                                   for i in range(3)])
    scene.drive(layer, hips, "Lcl Translation", [scene.curve([(t, 90 + i + k / 7, LINEAR, NO_DATA) for k, t in enumerate(times)])
                                                 for i in range(3)])
    return scene.nodes(version, settings(), definitions())


# ---- takes, before 7000 ----

def take(model):
    def channel(name, keys=None, default=0.0):
        if keys is None:
            return Node("Channel", Letter(name), below=[Node("Default", default)])
        return Node("Channel", Letter(name) if len(name) == 1 else name, below=[
            Node("Default", default), Node("KeyVer", 4005), Node("KeyCount", len(keys)),
            Node("Key", *[v for key in keys for v in key])])
    t = [Long(i * SECOND // 2) for i in range(5)]
    u, c = Letter("U"), Letter("C")
    moves = [(t[0], 0.0, u, Letter("s"), 10.0, 20.0, Letter("n")), (t[1], 5.0, u, Letter("b"), 20.0, -4.0, Letter("a"), 0.25, 0.5),
             (t[2], 1.0, c, Letter("n")), (t[3], 2.0, c, Letter("s")), (t[4], 3.0, Letter("L"))]
    autos = [(t[0], 0.0, u, Letter("a"), Letter("n")), (t[1], 5.0, u, Letter("p"), 1.0, 2.0, Letter("n"), Letter("r"), 0.25),
             (t[2], 1.0, u, Letter("t"), 0.0, 0.0, 0.0), (t[3], 2.0, u, Letter("d"), 1.0, Letter("l"), 0.5), (t[4], 3.0, Letter("L"))]
    return Node("Takes", below=[Node("Current", "Take 001"), Node("Take", "Take 001", below=[
        Node("LocalTime", Long(0), Long(2 * SECOND)), Node("ReferenceTime", Long(0), Long(2 * SECOND)),
        Node("Model", model, below=[Node("Version", 1.1), Node("Channel", "Transform", below=[
            Node("Channel", Letter("T"), below=[channel("X", moves), channel("Y", autos), channel("Z", None, 7.0)]),
            Node("Channel", Letter("R"), below=[channel("X", [(t[0], 0.0, Letter("L")), (t[4], 90.0, Letter("L"))]),
                                                channel("Y"), channel("Z")]),
            Node("Channel", Letter("S"), below=[channel("X", None, 1.0), channel("Y", None, 1.0), channel("Z", None, 1.0)])]),
            channel("smile", [(t[0], 0.0, Letter("L")), (t[4], 100.0, Letter("L"))]),
            channel("Color", [(t[0], 0.0, Letter("L"))])]),
        Node("Model", Name("Model", "gone"), below=[])])])


def takes(version):
    def prop(name, kind, flags, *v):
        return Node("Property", name, kind, flags, *v)
    box = Name("Model", "Box")
    return [header(version), Node("Objects", below=[
        Node("Model", box, "Mesh", below=[Node("Version", 232), Node("Properties60", below=[
            prop("Lcl Translation", "Lcl Translation", "A+", 1.0, 2.0, 3.0), prop("Lcl Rotation", "Lcl Rotation", "A+", 0.0, 0.0, 0.0),
            prop("Lcl Scaling", "Lcl Scaling", "A+", 1.0, 1.0, 1.0)]), Node("Vertices", *[0.25 * i for i in range(90)]),
            Node("Shape", "smile", below=[Node("Indexes", 0, 1)])]),
        Node("GlobalSettings", below=[Node("Properties60", below=[prop("UpAxis", "int", "", 1), prop("UnitScaleFactor", "double", "", 1.0)])])]),
        Node("Connections", below=[Node("Connect", "OO", box, Name("Model", "Scene"))]), take(box),
        Node("Version5", below=[Node("Settings", below=[Node("FrameRate", "24")])])]


def old(version):
    def channel(name, *v):
        return Node("Channel", Letter(name), below=[Node("Channel", Letter(c), below=[Node("Default", float(x))]) for c, x in zip("XYZ", v)])
    box = Name("Model", "Box")
    top = Name("Model", "Top")
    return [header(version),
            Node("Model", top, below=[Node("Version", 194), Node("TypeFlags", "Skeleton"), Node("Children", box)]),
            Node("Model", box, below=[Node("Version", 194), Node("Vertices", *[0.25 * i for i in range(30)]), Node("Channel", "Transform", below=[
                channel("T", 1, 2, 3), channel("R", 0, 0, 0), channel("S", 1, 1, 1)]), Node("Shape", "smile", below=[Node("Indexes", 0)])]),
            take(box), Node("Settings", below=[Node("FrameRate", "24")])]


def main(folder):
    files = {
        "walk_text.fbx": text_file(walk(7700), 7700),
        "walk_text_7100.fbx": text_file(walk(7100), 7100),
        "walk.fbx": Binary(7400, packed=True).file(walk(7400)),
        "walk_7700.fbx": Binary(7700).file(walk(7700)),
        "walk_big.fbx": Binary(7500, big=True, packed=True).file(walk(7500)),
        "turned.fbx": Binary(7400, packed=True).file(turned(7400)),
        "layers.fbx": Binary(7400, packed=True).file(layers(7400)),
        "mixamo.fbx": Binary(7400, packed=True).file(mixamo(7400)),
        "takes_text.fbx": text_file(takes(6100), 6100),
        "takes.fbx": Binary(6100).file(takes(6100)),
        "old_text.fbx": text_file(old(5800), 5800),
        "old.fbx": Binary(5000, told=3000).file(old(5000)),
    }
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
