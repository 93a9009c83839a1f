"""avatar.py: asset TREE OUT [old] | settings TREE OUT [flat] | prefab TREE OUT GUID: the skeleton of a tree (JSON Lines, in Unity's axes) as Unity writes it:
an Avatar, the import settings of a model, and a prefab whose Animator has the Avatar of that guid. Nodes with names of human bones, also after b_, are bones of a human."""
import json, sys, zlib

SIDES = ("Left", "Right")
BODY = ["Hips"] + [s + b for b in ("UpperLeg", "LowerLeg", "Foot") for s in SIDES] + ["Spine", "Chest", "UpperChest", "Neck", "Head"]
BODY += [s + b for b in ("Shoulder", "UpperArm", "LowerArm", "Hand", "Toes", "Eye") for s in SIDES] + ["Jaw"]
FINGERS = [f + j for f in ("Thumb", "Index", "Middle", "Ring", "Little") for j in ("Proximal", "Intermediate", "Distal")]

def load(tree):
    """Nodes: name, parent, path, position, rotation, scale."""
    nodes = []
    for node in filter(None, (json.loads(line).get("node") for line in open(tree))):
        name = "" if node["parent"] is None else node["path"].replace(":", "/").split("/")[-1]
        above = "" if node["parent"] is None else nodes[node["parent"]][2]
        nodes.append((name, -1 if node["parent"] is None else node["parent"], above + "/" + name if above else name, node["position"], node["rotation"], node["scale"]))
    return nodes

def vector(values): return "{%s}" % ", ".join("%s: %.9g" % pair for pair in zip("xyzw", values))
def integers(values): return b"".join(v.to_bytes(4, "little", signed=v < 0) for v in values).hex()
def human(name): return name.removeprefix("b_") if name.removeprefix("b_") in BODY + [s + f for s in SIDES for f in FINGERS] else None

def asset(tree, out, old=""):
    nodes, lines = load(tree), []
    def put(depth, text): lines.append("  " * depth + text)
    def level(depth, key, old=bool(old)): # old versions have one level less
        put(depth, key + ":")
        if not old: put(depth + 1, "data:")
        return depth + (1 if old else 2)
    def skeleton(depth, key, chosen, axes):
        d, numbers = level(depth, key), {n: i for i, n in enumerate(chosen)}
        put(d, "m_Node:")
        for i, n in enumerate(chosen):
            put(d, "- m_ParentId: %d" % numbers.get(nodes[n][1], -1))
            put(d + 1, "m_AxesId: %d" % (i if axes else -1))
        put(d, "m_ID: " + integers([zlib.crc32(nodes[n][2].encode()) for n in chosen]))
        put(d, "m_AxesArray:" + ("" if axes else " []"))
        for n in chosen if axes else ():
            put(d, "- m_PreQ: {x: 0, y: 0, z: 0, w: 1}")
            put(d + 1, "m_Limit:")
            angle = .6981317 if human(nodes[n][0]) == "Spine" else 1
            for key, sign in (("m_Min", -1), ("m_Max", 1)): put(d + 2, key + ": " + vector([sign * angle] * 3))
    def pose(depth, key, chosen):
        d = level(depth, key)
        put(d, "m_X:")
        for n in chosen:
            for mark, key, values in zip("-  ", "tqs", nodes[n][3:]): put(d, "%s %s: %s" % (mark, key, vector(values)))
    put(0, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!90 &9000000\nAvatar:")
    put(1, "m_Name: HeroAvatar")
    put(1, "m_Avatar:")
    skeleton(2, "m_AvatarSkeleton", range(len(nodes)), False)
    if not old: pose(2, "m_AvatarSkeletonPose", range(len(nodes)))
    pose(2, "m_DefaultPose", range(len(nodes)))
    d = level(2, "m_Human")
    chosen = [i for i, n in enumerate(nodes) if human(n[0]) or any(human(m[0]) and m[1] == i for m in nodes)]
    bones = {human(nodes[n][0]): i for i, n in enumerate(chosen)}
    skeleton(d, "m_Skeleton", chosen, True)
    pose(d, "m_SkeletonPose", chosen)
    for key, side in zip(("m_LeftHand", "m_RightHand"), SIDES):
        put(level(d, key), "m_HandBoneIndex: " + integers([bones.get(side + f, -1) for f in FINGERS]))
    put(d, "m_HumanBoneIndex: " + integers([bones.get(b, -1) for b in BODY if not old or b != "UpperChest"]))
    put(d, "m_ArmTwist: 0.5\n%sm_ForeArmTwist: 0.25" % ("  " * d))
    put(2, "m_HumanSkeletonIndexArray: " + integers(chosen))
    put(1, "m_TOS:")
    for n in nodes:
        if old: put(2, "data:\n      first: %d\n      second: %s" % (zlib.crc32(n[2].encode()), n[2]))
        else: put(2, "%d: %s" % (zlib.crc32(n[2].encode()), n[2]))
    open(out, "w").write("\n".join(lines) + "\n")

def settings(tree, out, flat=""):
    nodes = load(tree)
    names = [n[0] or "Hero(Clone)" for n in nodes]
    text = "fileFormatVersion: 2\nguid: 5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e\nModelImporter:\n  serializedVersion: 26\n  humanDescription:\n    human:\n"
    for name in filter(human, names):
        text += "    - boneName: %s\n      humanName: %s\n      limit:\n        min: {x: 0, y: 0, z: 0}\n" % (name, human(name))
        text += "        max: {x: 0, y: 0, z: 0}\n        value: {x: 0, y: 0, z: 0}\n        length: 0\n        modified: 0\n"
    text += "    skeleton:\n"
    for name, n in zip(names, nodes):
        text += "    - name: %s\n      parentName: %s\n" % (name, "" if flat or n[1] < 0 else names[n[1]])
        text += "".join("      %s: %s\n" % pair for pair in zip(("position", "rotation", "scale"), map(vector, n[3:])))
    text += "    armTwist: 0.5\n    foreArmTwist: 0.25\n    upperLegTwist: 0.5\n    legTwist: 0.5\n  lastHumanDescriptionAvatarSource: {instanceID: 0}\n"
    open(out, "w").write(text)

def prefab(tree, out, guid):
    text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
    for i, (name, parent, _, *pose) in enumerate(load(tree)):
        text += "--- !u!1 &%d\nGameObject:\n  m_Name: %s\n" % (1000 + i, name or "Hero")
        text += "--- !u!4 &%d\nTransform:\n  m_GameObject: {fileID: %d}\n" % (2000 + i, 1000 + i)
        text += "".join("  m_Local%s: %s\n" % pair for pair in zip(("Position", "Rotation", "Scale"), map(vector, pose)))
        text += "  m_Father: {fileID: %d}\n" % (2000 + parent if parent >= 0 else 0)
    text += "--- !u!95 &3000\nAnimator:\n  m_GameObject: {fileID: 1000}\n  m_Avatar: {fileID: 9000000, guid: %s, type: 3}\n  m_Controller: {fileID: 0}\n" % guid
    open(out, "w").write(text)

if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
