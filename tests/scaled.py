#!/usr/bin/env python3
"""scaled.py model FILE.glb FACTOR OUT.gltf [top]: the nodes of a model in another size, without meshes and animations; top: by the
scale of its root alone. scaled.py far FACTOR SOURCE RESULT: the largest distance of any node of RESULT from where FACTOR puts that of
SOURCE, of all clips in both, which anim-emit json wrote with the same samples; in parts of the height. Fails above 0.001."""
import json
import struct
import sys
from bvh_poses import read_stream


def model(name, factor, out, top):
    data = open(name, "rb").read()
    text = data[20:20 + struct.unpack_from("<I", data, 12)[0]] if data[:4] == b"glTF" else data
    d = json.loads(text)
    for node in d["nodes"]:
        node.pop("mesh", None)
        if top:
            continue
        if "translation" in node:
            node["translation"] = [factor * x for x in node["translation"]]
        if "matrix" in node:
            node["matrix"][12:15] = [factor * x for x in node["matrix"][12:15]]
    if top:
        roots = d["scenes"][d.get("scene", 0)]["nodes"]
        for n in roots:
            if "matrix" in d["nodes"][n]:
                d["nodes"][n]["matrix"][:12] = [factor * x for x in d["nodes"][n]["matrix"][:12]]
            else:
                d["nodes"][n]["scale"] = [factor * x for x in d["nodes"][n].get("scale", [1, 1, 1])]
    skins = [{"joints": s["joints"]} for s in d.get("skins", [])]
    kept = {k: d[k] for k in ("asset", "scene", "scenes", "nodes")}
    kept["scene"] = d.get("scene", 0)
    if skins:
        kept["skins"] = skins
    for node in kept["nodes"]:
        node.pop("skin", None)
    json.dump(kept, open(out, "w"))


def clips_of(name):
    """One stream for each clip of several."""
    tree, clips = [], []
    for line in open(name):
        if line.startswith('{"clip"'):
            clips.append([])
        (clips[-1] if clips else tree).append(line)
    return [tree + clip for clip in clips]


def far(factor, source, result):
    worst = count = 0
    for a, b in zip(clips_of(source), clips_of(result)):
        (names, first), (others, second) = read_stream(a), read_stream(b)
        assert names == others and len(first) == len(second), (len(names), len(others), len(first), len(second))
        size = factor * (max(p[1] for p in first[0]) - min(p[1] for p in first[0]))
        off = max(max(abs(factor * x - y) for x, y in zip(p, q)) for f, g in zip(first, second) for p, q in zip(f, g))
        worst, count = max(worst, off / size), count + 1
    print("%d clips, %.1e of the height off" % (count, worst))
    assert count > 0 and worst <= 0.001


if sys.argv[1] == "model":
    model(sys.argv[2], float(sys.argv[3]), sys.argv[4], "top" in sys.argv[5:])
else:
    far(float(sys.argv[2]), sys.argv[3], sys.argv[4])
