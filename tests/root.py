"""root.py make FILE [still] | check SOURCE RESULT WHAT METRES DEGREES: a skeleton whose nodes are turned and scaled anyhow, and whether
the hips and the root of RESULT (both: JSON Lines of anim-emit, of the same times) do what they should: `same`, the hips stand
where they stood; `place`, they stand where they do when yaw and ground are taken away; `ground`, the same without yaw."""
import json, math, random, sys
from skeleton import Model, inv, mul, some, turn, unit

def about(axis, angle): return unit([math.sin(angle / 2) * x for x in unit(axis)] + [math.cos(angle / 2)])

def make(file, still):
    random.seed(7)
    # all turned anyhow; scaled alike along all axes
    names = ["Armature", "Body", "Spacer", "Hips", "Head"]
    scales = [0.01, 2, 0.5, 1, 1]
    rests = [some() for _ in names]
    model, world, scale = Model(), [0, 0, 0, 1], 1
    nodes = model.nodes
    place = [0, 0, 0]
    wanted = [[0, 0, 0], [0.1, 0, 0], [0.1, 0.5, 0.1], [0.2, 1, 0.05], [0.2, 1.6, 0]]
    worlds, outer = [], []
    for i, name in enumerate(names):
        outer.append((world, scale, place))
        offset = [x / scale for x in turn(inv(world), [a - b for a, b in zip(wanted[i], place)])]
        nodes.append({"name": name, "translation": offset, "rotation": rests[i], "scale": [scales[i]] * 3})
        if i + 1 < len(names): nodes[i]["children"] = [i + 1]
        world, scale, place = mul(world, rests[i]), scale * scales[i], wanted[i]
        worlds.append(world)
    def drive(node, path, count, value, lanes):
        times = [3 * k / (count - 1) for k in range(count)]
        model.drive(node, path, model.put(times, 1), [x for t in times for x in value(t)], lanes)
    # the hips walk a bow and turn two thirds of a whole turn, leaning
    def way(t): return [0.2 + 1.5 * math.sin(t), 1 + 0.1 * math.cos(5 * t) + 0.02 * t, 0.05 + 1.5 * t]
    def lean(t): return mul(about([0, 1, 0], 1.4 * t), mul(about([1, 0, 0.3], 0.3 * math.sin(4 * t)), worlds[3]))
    q, s, p = outer[3]
    drive(3, "translation", 16, lambda t: [x / s for x in turn(inv(q), [a - b for a, b in zip(way(t), p)])], 3)
    if not still: drive(3, "rotation", 25, lambda t: mul(inv(q), lean(t)), 4)
    if not still:
        q0, s0, p0 = outer[1]
        drive(1, "translation", 7, lambda t: [x / s0 for x in turn(inv(q0), [0.1 - 0.2 * t, 0.05 * math.sin(t), 0.1 * t])], 3)
        drive(1, "rotation", 9, lambda t: mul(inv(q0), mul(about([0.1, 1, 0], 0.2 * t), worlds[1])), 4)
    drive(4, "rotation", 5, lambda t: mul(rests[4], about([0, 0, 1], 0.1 * t)), 4)
    model.save(file)

def read(name):
    nodes, tracks = [], {}
    for line in open(name):
        (kind, d), = json.loads(line).items()
        if kind == "node": nodes.append(d)
        elif kind == "track":
            tracks[d["node"].replace(":", "/").split("/")[-1], d["property"]] = d["columns"]["value"]
    return nodes, tracks

def world(nodes, tracks, k):
    out = {}
    turns, places, scales = [], [], []
    for d in nodes:
        own = d["path"].replace(":", "/").split("/")[-1]
        q, p = tracks.get((own, "rotation")), tracks.get((own, "position"))
        q, p = unit(q[k] if q else d.get("rotation", [0, 0, 0, 1])), p[k] if p else d.get("position", [0, 0, 0])
        s, up = d.get("scale", [1, 1, 1])[0], d["parent"]
        if up is None: turns.append(q); places.append(p); scales.append(s)
        else:
            turns.append(mul(turns[up], q)); scales.append(scales[up] * s)
            places.append([a + scales[up] * b for a, b in zip(places[up], turn(turns[up], list(p)))])
        out[own] = turns[-1], places[-1]
    return out

def check(source, result, what, metres, degrees):
    nodes, own = read(source)
    _, other = read(result)
    counts = {len(v) for v in list(own.values()) + list(other.values()) if len(v) > 1}
    assert len(counts) == 1, counts
    rest = world(nodes, {}, 0)["Hips"]
    moved = turned = 0
    for k in range(counts.pop()):
        (q, p), (q2, p2) = world(nodes, own, k)["Hips"], world(nodes, other, k)["Hips"]
        if what != "same":
            n = mul(q, inv(rest[0]))
            yaw = about([0, 1, 0], 2 * math.atan2(n[1], n[3])) if what == "place" else [0, 0, 0, 1]
            p = [rest[1][0], p[1], rest[1][2]]
            q = mul(inv(yaw), q)
        moved = max(moved, math.dist(p, p2))
        turned = max(turned, 2 * math.degrees(math.asin(min(1, math.sqrt(sum(x*x for x in mul(inv(q), q2)[:3]))))))
    print("%.2g m, %.2g degrees off" % (moved, turned))
    assert moved <= metres and turned <= degrees

if sys.argv[1] == "make": make(sys.argv[2], "still" in sys.argv)
else: check(sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]), float(sys.argv[6]))
