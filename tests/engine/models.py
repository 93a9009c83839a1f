#!/usr/bin/env python3
"""models.py FOLDER [COUNT]: write glTF and FBX models whose nodes the importer of Godot arranges and names anew.

Each model has a clip that moves every node, and every blend shape. COUNT models of each are random, always the same ones.
"""
import base64
import json
import random
import struct
import sys


def model(path, nodes, skins=(), roots=None):
    data, views, accessors = b"", [], []

    def accessor(values, kind, components, code="f", component=5126):
        nonlocal data
        data += b"\0" * (-len(data) % 4)
        piece = struct.pack(f"<{len(values)}{code}", *values)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(piece)})
        data += piece
        rows = [values[i : i + components] for i in range(0, len(values), components)]
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": len(rows),
                          "min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]})
        return len(accessors) - 1

    times = accessor([0, 1], "SCALAR", 1)
    corners = accessor([0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 3)
    joints = accessor([0] * 12, "VEC4", 4, "B", 5121)
    weights = accessor([1, 0, 0, 0] * 3, "VEC4", 4)
    outputs = {"translation": accessor([0, 0, 0, 1, 2, 3], "VEC3", 3), "rotation": accessor([0, 0, 0, 1, 0, 1, 0, 0], "VEC4", 4),
               "weights": accessor([0, 1], "SCALAR", 1)}
    meshes = [{"weights": [0], "extras": {"targetNames": ["smile"]},
               "primitives": [{"attributes": dict(skinned, POSITION=corners), "targets": [{"POSITION": corners}]}]}
              for skinned in ({"JOINTS_0": joints, "WEIGHTS_0": weights}, {})]
    channels, samplers = [], []
    for number, node in enumerate(nodes):
        for target in ("translation", "rotation") + (("weights",) if "mesh" in node else ()):
            channels.append({"sampler": len(samplers), "target": {"node": number, "path": target}})
            samplers.append({"input": times, "output": outputs[target]})
    below = {child for node in nodes for child in node.get("children", [])}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "nodes": nodes, "meshes": meshes,
        "scenes": [{"nodes": [n for n in range(len(nodes)) if n not in below] if roots is None else roots}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}],
        "animations": [{"name": "move", "channels": channels, "samplers": samplers}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    if skins:
        document["skins"] = [{"joints": list(skin)} for skin in skins]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def node(name=None, *children, **members):
    made = dict(members) if name is None else dict(members, name=name)
    return dict(made, children=list(children)) if children else made


FBX_MESH = """Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
		PolygonVertexIndex: *3 { a: 0,1,-3 }"""


def fbx(path, nodes, skins=()):
    """The same for FBX. A node with the member `bone` is a bone without a skin."""
    objects, links = [], []

    def add(kind, title, sort, text=""):
        number = 1000 + len(objects)
        objects.append(f'\t{kind}: {number}, "{title}", "{sort}" {{\n\t\t{text}\n\t}}')
        return number

    def link(child, parent, name=None):
        links.append(f'\tC: "{"OO" if name is None else "OP"}",{child},{parent}' + ("" if name is None else f', "{name}"'))

    def animate(target, name):
        curve_node = add("AnimationCurveNode", "AnimCurveNode::T", "")
        link(curve_node, layer)
        link(curve_node, target, name)
        link(curve, curve_node, "d|DeformPercent" if name == "DeformPercent" else "d|X")

    layer, stack = add("AnimationLayer", "AnimLayer::Base", ""), add("AnimationStack", "AnimStack::move", "")
    link(layer, stack)
    curve = add("AnimationCurve", "AnimCurve::", "", "KeyTime: *2 { a: 0,46186158000 }\n\t\tKeyValueFloat: *2 { a: 0,90 }\n"
                "\t\tKeyAttrFlags: *1 { a: 4 }\n\t\tKeyAttrDataFloat: *4 { a: 0,0,0,0 }\n\t\tKeyAttrRefCount: *1 { a: 2 }")
    parents = {child: number for number, made in enumerate(nodes) for child in made.get("children", [])}
    models, deformers = [], []
    for made in nodes:
        sort = "Mesh" if "mesh" in made else "Camera" if "camera" in made else "LimbNode" if made.get("bone") else "Null"
        models.append(add("Model", "Model::" + made.get("name", "").replace('"', "&quot;"), sort, "Version: 232"))
    for number, made in enumerate(nodes):
        link(models[number], models[parents[number]] if number in parents else 0)
        animate(models[number], "Lcl Translation")
        animate(models[number], "Lcl Rotation")
        if "mesh" in made:
            geometry = add("Geometry", "Geometry::", "Mesh", FBX_MESH)
            link(geometry, models[number])
            blend, channel = add("Deformer", "Deformer::", "BlendShape"), add("Deformer", "SubDeformer::smile", "BlendShapeChannel")
            shape = add("Geometry", "Geometry::smile", "Shape", "Indexes: *1 { a: 0 }\n\t\tVertices: *3 { a: 0,0,1 }")
            for pair in ((blend, geometry), (channel, blend), (shape, channel)):
                link(*pair)
            animate(channel, "DeformPercent")
            if "skin" in made:
                deformers.append((made["skin"], geometry))
        elif "camera" in made or made.get("bone"):
            link(add("NodeAttribute", "NodeAttribute::", "Camera" if "camera" in made else "LimbNode"), models[number])
    for skin, geometry in deformers:
        deformer = add("Deformer", "Deformer::", "Skin")
        link(deformer, geometry)
        for joint in skins[skin]:
            cluster = add("Deformer", "SubDeformer::", "Cluster", "Indexes: *1 { a: 0 }\n\t\tWeights: *1 { a: 1 }")
            link(cluster, deformer)
            link(models[joint], cluster)
    with open(path, "w", encoding="utf-8") as file:
        file.write("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n" + "\n".join(objects) +
                   "\n}\nConnections:  {\n" + "\n".join(links) + "\n}\n")


CASES = {
    "root": ([node("rig", 1), node("leg")],),
    "skin": ([node("Armature", 1, 2), node("Hips", 3, 4, 9), node("Body", mesh=0, skin=0), node("Spine", 5, 6), node("Sword", 7, mesh=1),
              node("Spine"), node("Cam", camera=0), node("Tip"), node("Hips"), node("a:b/c.d")], [[1, 3]]),
    "joints": ([node("Arm", 1, 6), node("Hand.R", 2, 3, 4), node("Finger:1", 5, mesh=1), node("Eye", camera=0),
                node("Glove", mesh=0, skin=0), node("Tip"), node("Sleeve", 7, mesh=0, skin=0), node("Button")], [[1, 2, 3]]),
    "gaps": ([node("R", 1, 5), node("J", 2), node("n1", 3), node("n2", 4, 6), node("J2"), node("M", mesh=0, skin=0), node("n3"),
              node("S", 8, 10), node("s1", 9), node("T1"), node("T2"), node("N", mesh=0, skin=1), node("B", 13, 14), node("P"),
              node("Q"), node("O", mesh=0, skin=2), node("U", mesh=0, skin=3)], [[1, 4], [9, 10], [13], [14]]),
    "names": ([node(None, 1), node(None, 2, 3), node(), node(mesh=1), node("bone"), node("A", 6), node("A", 7), node("A"),
               node(mesh=0, skin=0), node('x"y%z@w.1'), node("..."), node("Skeleton3D"), node("Mesh"), node(camera=0)], [[1, 2]]),
    "suffixes": ([node("Car-vehicle", 1, 2, 3), node("Front_Wheel"), node("Back-wheel2", 4), node("Ghost-noimp", 5), node("Hub"),
                  node("Inner"), node("Box-col", mesh=1), node("Box", mesh=1), node("Wall-col", mesh=1), node("plain-col")],),
    "outside": ([node("In"), node("Out", 2), node("Out2")], [], [0]),
}

FBX_CASES = {
    "rig": ([node("Arm", 1, 2, 9), node("Hips", 3, 4), node("Body", mesh=0, skin=0), node("Spine", 5, 6, 8), node("Sword", 7, mesh=1),
             node("Sword", mesh=1), node("Cam", camera=0), node("Tip"), node("Hand.R", bone=True), node("Hips"), node("Skin"),
             node(), node(mesh=1), node("Tail", 14, bone=True), node("Tail", bone=True), node("Lid-col", mesh=1)], [[1, 3]]),
}


def shuffled(seed):
    rng = random.Random(seed)
    names = ["A", "B", "Hips", "a.b", "x:y", "", "bone", "Mesh", "Skeleton3D", "L/R", "Hand.R", "A2", "A_2", 'q"%@', None, "Spine"]
    count = rng.randint(3, 16)
    nodes = [node(rng.choice(names)) for _ in range(count)]
    order = rng.sample(range(count), count)  # parents come before children here, but not in the file
    for i in range(1, count):
        if rng.random() < 0.85:
            nodes[order[rng.randrange(i)]].setdefault("children", []).append(order[i])
    skins = [rng.sample(range(count), rng.randint(1, min(5, count))) for _ in range(rng.randint(0, 3))]
    for number, made in enumerate(nodes):
        kind = rng.random()
        if kind < 0.15:
            made["mesh"] = 1
        elif kind < 0.22:
            made["camera"] = 0
        elif kind < 0.4 and skins and not made.get("children") and not any(number in skin for skin in skins):
            made.update(mesh=0, skin=rng.randrange(len(skins)))
    return nodes, skins


for name, case in CASES.items():
    model(f"{sys.argv[1]}/{name}.gltf", *case)
for name, case in FBX_CASES.items():
    fbx(f"{sys.argv[1]}/{name}.fbx", *case)
for seed in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
    model(f"{sys.argv[1]}/random{seed:03}.gltf", *shuffled(seed))
    nodes, skins = shuffled(seed)
    for number, made in enumerate(nodes):
        made["bone"] = (number + seed) % 3 == 0
    fbx(f"{sys.argv[1]}/random{seed:03}.fbx", nodes, skins)
