"""retarget.py make KIND | turns SOURCE RESULT DEGREES [TIMES [NEAR [NAMING]]] | naming NAMING OUT | namings | apart MODEL OUT | points SOURCE RESULT DEGREES | same A B ULPS | vrm FILE RESULT | model FILE OUT | settings IMPORT | rests TRUTH RESULT LIMBS TRUNK FEET HIPS [YAW]:
skeletons of
humans with bones' axes that are any (source.json, target.json: JSON Lines), and whether a clip turns the bones of the one as
those of the other, evaluated without any of the library."""
import base64, json, math, random, struct, sys
from skeleton import inv, mul, some, turn, unit

def single(x): return struct.unpack("f", struct.pack("f", x))[0]
def degrees(a, b): return 2 * math.degrees(math.asin(min(1, math.sqrt(sum(x*x for x in mul(inv(a), b)[:3])))))

# Unity's name, Mixamo's, the one above, and the way from there.
BONES = [("Hips", "Hips", None, (0, 1, 0)), ("Spine", "Spine", 0, (0, .1, 0)), ("Chest", "Spine1", 1, (0, .15, 0)), ("UpperChest", "Spine2", 2, (0, .15, 0)),
         ("Neck", "Neck", 3, (0, .1, 0)), ("Head", "Head", 4, (0, .1, 0))]
for side, x in (("Left", 1), ("Right", -1)):
    n = len(BONES)
    BONES += [(side + "Shoulder", side + "Shoulder", 3, (.05 * x, .05, 0)), (side + "UpperArm", side + "Arm", n, (.1 * x, 0, 0)),
              (side + "LowerArm", side + "ForeArm", n + 1, (.3 * x, 0, 0)), (side + "Hand", side + "Hand", n + 2, (.25 * x, 0, 0)),
              (side + "UpperLeg", side + "UpLeg", 0, (.1 * x, -.02, 0)), (side + "LowerLeg", side + "Leg", n + 4, (0, -.45, 0)),
              (side + "Foot", side + "Foot", n + 5, (0, -.45, 0)), (side + "Toes", side + "ToeBase", n + 6, (0, -.05, .15))]
PARENT = {b[0]: BONES[b[2]][0] if b[2] is not None else None for b in BONES}
UNITY = {"mixamorig:" + b[1]: b[0] for b in BONES}
OTHERS = {} # names of VRM and of an avatar, from a list

# What others call the same bones, in the order of BONES without the right side; "-": they have none. {}: the side, as in SIDES.
NAMINGS = {
    "biovision": "Hips Chest - Chest2 Neck Head {}Collar {}Shoulder {}Elbow {}Wrist {}Hip {}Knee {}Ankle {}Toe",
    "collarless": "Hips Chest - Chest2 Neck Head - {}Shoulder {}Elbow {}Wrist {}Hip {}Knee {}Ankle {}Toe",
    "bandai": "Hips Spine - Chest Neck Head Shoulder_{} UpperArm_{} LowerArm_{} Hand_{} UpperLeg_{} LowerLeg_{} Foot_{} Toes_{}",
    "humanik": "Character1_Hips Character1_Spine Character1_Spine1 Character1_Spine2 Character1_Neck Character1_Head Character1_{}Shoulder "
               "Character1_{}Arm Character1_{}ForeArm Character1_{}Hand Character1_{}UpLeg Character1_{}Leg Character1_{}Foot Character1_{}ToeBase",
    "mixamo12": "mixamorig12:Hips mixamorig12:Spine mixamorig12:Spine1 mixamorig12:Spine2 mixamorig12:Neck mixamorig12:Head mixamorig12:{}Shoulder "
                "mixamorig12:{}Arm mixamorig12:{}ForeArm mixamorig12:{}Hand mixamorig12:{}UpLeg mixamorig12:{}Leg mixamorig12:{}Foot mixamorig12:{}ToeBase",
    "rigify": "spine spine.001 spine.002 spine.003 spine.004 spine.006 shoulder.{} upper_arm.{} forearm.{} hand.{} thigh.{} shin.{} foot.{} toe.{}",
    "deform": "DEF-spine DEF-spine.001 DEF-spine.002 DEF-spine.003 DEF-spine.004 DEF-spine.006 DEF-shoulder.{} DEF-upper_arm.{} DEF-forearm.{} "
              "DEF-hand.{} DEF-thigh.{} DEF-shin.{} DEF-foot.{} DEF-toe.{}",
    "rokoko": "Hips Spine1 Spine2 Spine3 Neck Head {}Shoulder {}Arm {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe",
    "daz": "hip abdomenLower abdomenUpper chestLower neckLower head {}Collar {}ShldrBend {}ForearmBend {}Hand {}ThighBend {}Shin {}Foot {}Toe",
    "daz9": "hip spine1 spine2 spine3 neck1 head {}_shoulder {}_upperarm {}_forearm {}_hand {}_thigh {}_shin {}_foot {}_toes",
    "unreal": "pelvis spine_01 spine_02 spine_03 neck_01 head clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}",
    "biped": "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Spine2 Bip01_Neck Bip01_Head Bip01_{}_Clavicle Bip01_{}_UpperArm Bip01_{}_Forearm "
             "Bip01_{}_Hand Bip01_{}_Thigh Bip01_{}_Calf Bip01_{}_Foot Bip01_{}_Toe0",
    "cmu": "Hips LowerBack Spine Spine1 Neck Head {}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase",
    "asf": "root lowerback upperback thorax lowerneck head {}clavicle {}humerus {}radius {}hand {}femur {}tibia {}foot {}toes",
    "vroid": "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head J_Bip_{}_Shoulder J_Bip_{}_UpperArm "
             "J_Bip_{}_LowerArm J_Bip_{}_Hand J_Bip_{}_UpperLeg J_Bip_{}_LowerLeg J_Bip_{}_Foot J_Bip_{}_ToeBase",
    "counted": "Hips_01 Spine_02 Chest_03 UpperChest_04 Neck_05 Head_06 Shoulder_{}_07 Arm_{}_08 Forearm_{}_09 Hand_{}_010 Leg_{}_020 Shin_{}_021 Foot_{}_022 Toes_{}_023",
    "lower": "hips spine chest upperchest neck head {}collarbone {}uparm {}lowerarm {}hand {}upleg {}lowerleg {}foot {}toe",
    "classic": "Hips Chest - Chest2 Neck Head {}Collar {}UpArm {}LowArm {}Hand {}UpLeg {}LowLeg {}Foot {}Toe",
    "mocopi": "root torso_1 torso_2 torso_3 neck_1 head {}_shoulder {}_up_arm {}_low_arm {}_hand {}_up_leg {}_low_leg {}_foot {}_toes",
    "mmd": "腰 上半身 - 上半身2 首 頭 {}肩 {}腕 {}ひじ {}手首 {}足 {}ひざ {}足首 {}つま先",
    "mmd_en": "center upper_body - upper_body2 neck head shoulder_{} arm_{} elbow_{} wrist_{} leg_{} knee_{} ankle_{} toe_{}",
    "autorig": "root.x spine_01.x spine_02.x spine_03.x neck.x head.x shoulder.{} arm_stretch.{} forearm_stretch.{} hand.{} thigh_stretch.{} "
               "leg_stretch.{} foot.{} toes_01.{}",
    "deepmotion": "hips_JNT spine_JNT spine1_JNT spine2_JNT neck_JNT head_JNT {}_shoulder_JNT {}_arm_JNT {}_forearm_JNT {}_hand_JNT {}_upleg_JNT "
                  "{}_leg_JNT {}_foot_JNT {}_toebase_JNT",
    "arkit": "hips_joint spine_1_joint spine_4_joint spine_7_joint neck_1_joint head_joint {}_shoulder_1_joint {}_arm_joint {}_forearm_joint "
             "{}_hand_joint {}_upLeg_joint {}_leg_joint {}_foot_joint {}_toes_joint",
    "kyle": "Hip Spine - Ribs Neck Head {}_Shoulder_Joint_01 {}_Upper_Arm_Joint_01 {}_Forearm_Joint_01 {}_Wrist_Joint_01 {}_Thigh_Joint_01 "
            "{}_Knee_Joint_01 {}_Ankle_Joint_01 {}_Toe_Joint_01",
    "makehuman": "Hips Spine1 Spine2 Spine3 Neck Head Clavicle_{} UpArm_{} LoArm_{} Hand_{} UpLeg_{} LoLeg_{} Foot_{} Toe_{}",
    "makehuman2": "root spine05 spine03 spine01 neck01 head clavicle.{} upperarm01.{} lowerarm01.{} wrist.{} upperleg01.{} lowerleg01.{} foot.{} toe1-1.{}",
    "anatomy": "Pelvis Lumbar - Thorax Neck Skull {}_Clavicle {}_Humerus {}_Radius {}_Wrist {}_Femur {}_Tibia {}_Foot {}_Toe",
    "advanced": "Root_M Spine1_M Spine2_M Chest_M Neck_M Head_M Scapula_{} Shoulder_{} Elbow_{} Wrist_{} Hip_{} Knee_{} Ankle_{} Toes_{}",
    "optitrack": "Hip Ab - Chest Neck Head {}Shoulder {}UArm {}FArm {}Hand {}Thigh {}Shin {}Foot {}Toe",
    "french": "bassin colonne - torse cou tete epaule_{} bras_{} avant_bras_{} main_{} cuisse_{} jambe_{} pied_{} orteil_{}",
    "german": "Becken Wirbel - Brust Hals Kopf {}Schulter {}Oberarm {}Unterarm {}Hand {}Oberschenkel {}Unterschenkel {}Fuss {}Zeh",
    "secondlife": "mPelvis mTorso - mChest mNeck mHead mCollar{} mShoulder{} mElbow{} mWrist{} mHip{} mKnee{} mAnkle{} mToe{}",
    "kinect": "SpineBase SpineMid - SpineShoulder Neck Head Clavicle{} Shoulder{} Elbow{} Wrist{} Hip{} Knee{} Ankle{} Foot{}",
    "cats": "Hips Spine - Chest Neck Head {}_shoulder {}_arm {}_elbow {}_wrist {}_leg {}_knee {}_ankle {}_toe",
    "supercyan": "basic_rig_Pelvis basic_rig_Spine - basic_rig_Spine1 basic_rig_Neck basic_rig_Head basic_rig_{}_Clavicle basic_rig_{}_UpperArm "
                 "basic_rig_{}_Forearm basic_rig_{}_Hand basic_rig_{}_Thigh basic_rig_{}_Calf basic_rig_{}_Foot basic_rig_{}_Toe0",
    "cat": "Base_HumanPelvis Base_HumanSpine1 Base_HumanSpine2 Base_HumanRibcage Base_HumanNeck Base_HumanHead Base_Human{}ArmCollarbone "
           "Base_Human{}ArmUpperarm Base_Human{}ArmForearm Base_Human{}ArmPalm Base_Human{}LegThigh Base_Human{}LegCalf Base_Human{}LegFoot Base_Human{}LegToe",
    "ellen": "Ellen_Hips Ellen_Spine Ellen_Chest Ellen_UpperChest Ellen_Neck Ellen_Head Ellen_{}_Shoulder Ellen_{}_UpperArm Ellen_{}_Arm Ellen_{}_Hand "
             "Ellen_{}_UpperLeg Ellen_{}_LowerLeg Ellen_{}_Foot Ellen_{}_Toes",
    "trailing": "Pelvis Abdomen Chest Thorax Neck Head Clavicle{} UpperArm{} ForeArm{} Hand{} Thigh{} Calf{} Foot{} Toes{}",
}
SIDES = {"mocopi": ("l", "r"), "autorig": ("l", "r"), "deepmotion": ("l", "r"), "mmd": ("左", "右"), "arkit": ("left", "right"), "french": ("gauche", "droite"),
         "german": ("Links", "Rechts"), "daz": ("l", "r"), "daz9": ("l", "r"), "unreal": ("l", "r"), "asf": ("l", "r"), "lower": ("left", "right")}
WORDS = ("biovision", "classic", "kyle", "secondlife", "kinect", "cats", "collarless", "humanik", "ellen", "mixamo12", "rokoko", "cmu")

def names_of(naming):
    """Unity's names -> theirs, and Unity's names of what they lack."""
    names, words = {}, NAMINGS[naming].split()
    for bone in BONES:
        right = bone[0].startswith("Right")
        word = words[[b[0] for b in BONES].index(bone[0].replace("Right", "Left"))]
        sides = SIDES.get(naming) or (("Left", "Right") if naming in WORDS else ("L", "R"))
        names[bone[0]] = word.format(sides[right])
    return {b: n for b, n in names.items() if n != "-"}, [b for b, n in names.items() if n == "-"]

def rename(naming, out):
    """A target with their names."""
    random.seed(naming)
    names, lacks = names_of(naming)
    lengths = {b[0]: random.uniform(.6, 1.6) for b in BONES}
    lengths = {b: lengths[b.replace("Right", "Left")] for b in lengths}
    rows = skeleton(naming, lengths.get, lacks, naming=names.get)
    open(out, "w").writelines(json.dumps(row) + "\n" for row in rows + [{"end": True}])

def path_of(bone, name, lacks, top=""):
    up = PARENT[bone]
    while up in lacks: up = PARENT[up]
    return top + name(bone) if up is None else path_of(up, name, lacks, top) + "/" + name(bone)

def node(path, parent, position, rotation):
    return {"node": {"path": path, "type": "", "kind": "node", "has": ["position", "rotation", "scale"], "parent": parent,
                     "position": position, "rotation": rotation, "scale": [1, 1, 1], "attributes": {}}}

def skeleton(name, stretch, lacks=(), bend=None, facing=(0, 0, 0, 1), naming=lambda b: b, top=""):
    rows, world, place, number = [{"anim_json": 1}, {"tree": {"root": name, "source": name, "axes": "gltf", "axes2d": "unknown", "attributes": {}}},
                                  node(".", None, [0, 0, 0], [0, 0, 0, 1])], {}, {}, {None: 0}
    if top: rows.append(node(top[:-1], 0, [0, .1, 0], [0, 0, 0, 1])); number[None] = 1; place[None] = [0, .1, 0]
    for bone, _, up, way in BONES:
        above = BONES[up][0] if up is not None else None
        if up is None: # on the ground, with toes that are 3 cm high
            way = (0, (.03 + sum(d * stretch("Left" + b) for b, d in (("UpperLeg", .02), ("LowerLeg", .45), ("Foot", .45), ("Toes", .05)))) / stretch("Hips"), 0)
        if bend and any(bone.endswith(b) for b in bend[0]): way = turn(bend[1] if way[0] > 0 else inv(bend[1]), way)
        place[bone] = [p + w * stretch(bone) for p, w in zip(place.get(above, (0, 0, 0)), turn(facing, way))]
        if bone in lacks: continue
        while above in lacks: above = PARENT[above]
        q = some()
        local = unit([single(x) for x in (mul(inv(world[above]), q) if above else q)])
        world[bone] = mul(world[above], local) if above else local
        offset = [a - b for a, b in zip(place[bone], place.get(above, (0, 0, 0)))]
        rows.append(node(path_of(bone, naming, lacks, top), number[above], turn(inv(world[above]), offset) if above else offset, local))
        number[bone] = len(rows) - 3
    return rows

def make(kind):
    random.seed(kind)
    mixamo = {b[0]: "mixamorig:" + b[1] for b in BONES}.get
    lacks = {"missing": ("Chest", "Neck", "LeftShoulder"), "baked": ("Chest", "Neck")}.get(kind, ())
    down = (("UpperArm", "LowerArm", "Hand"), (0, 0, -math.sin(math.pi / 8), math.cos(math.pi / 8)))
    top = "Top/" if kind == "root" else ""
    source = skeleton("a", lambda b: 1, naming=mixamo, top=top)
    lengths = {b[0]: random.uniform(.6, 1.6) for b in BONES}
    lengths = {b: lengths[b.replace("Right", "Left")] for b in lengths}
    target = skeleton("b", lengths.get, lacks, down if kind == "pose" else None, (0, 1, 0, 0) if kind == "back" else (0, 0, 0, 1))
    kinds = ("float3", "floatQ") if kind in ("float", "baked") else ("double3", "doubleQ")
    source.append({"clip": {"name": "go", "root": ".", "source": "gltf", "start": 0, "end": 2, "loop": "none", "axes": "gltf", "axes2d": "unknown",
                            "flags": ["in_tree"], "rate": None, "attributes": {}}})
    for i, (bone, _, up, way) in enumerate(BONES):
        cubic, n = i % 3 == 1 and kind != "baked", 5 + i % 4 if kind != "baked" else 21
        times = [0] + sorted(single(random.uniform(.1, 1.9)) for _ in range(n - 2)) + [2] if kind != "baked" else []
        def track(part, values, slopes, type, path=path_of(bone, mixamo, (), top)):
            columns = {"time": times, "value": values} if times else {"value": values}
            if cubic: columns["left"] = columns["right"] = slopes
            row = {"node": path, "property": part, "component": None, "kind": "Curve" if times else "Raw", "type": type, "rules": "plain", "flags": [],
                   "before": "hold", "after": "hold", "interp": "Hermite" if cubic else "Linear", "keys": n, "attributes": {}, "columns": columns}
            if not times: row.update(start=0, step=.1, rate=None); del row["interp"]
            source.append({"track": row})
        own = source[i + 3 + (kind == "root")]["node"]["rotation"]
        swing = lambda: mul(own, unit([random.gauss(0, .05 if kind == "baked" else .3) for _ in range(3)] + [1]))
        track("rotation", [swing() for _ in range(n)], [[random.gauss(0, .2) for _ in range(4)] for _ in range(n)], kinds[1])
        if i == 0 and top: # a run in a curve
            track("rotation", [unit([0, .1 * k, 0, 1]) for k in range(n)], None, kinds[1], "Top")
            track("position", [[.3 * k, .1, .05 * k * k] for k in range(n)], None, kinds[0], "Top")
        if i == 0: track("position", [[random.gauss(0, .05) + w for w in way] for _ in range(n)], [[random.gauss(0, .2) for _ in range(3)] for _ in range(n)], kinds[0])
    for name, rows in (("source.json", source), ("target.json", target)):
        with open(name, "w") as out:
            for row in rows + [{"end": True}]: out.write(json.dumps(row) + "\n")
    godot(target), unity(target), avatar(target), bvh()

# ---- The same target in other formats ----

def godot(rows):
    text = ["[gd_scene format=3]\n", '[node name="Hero" type="Node3D"]\n', '[node name="Skeleton3D" type="Skeleton3D" parent="."]']
    for i, row in enumerate(rows[3:]):
        d = row["node"]
        axes = [turn(d["rotation"], [j == k for k in range(3)]) for j in range(3)]
        text += ['bones/%d/name = "%s"' % (i, d["path"].split("/")[-1]), "bones/%d/parent = %d" % (i, d["parent"] - 1),
                 "bones/%d/rest = Transform3D(%s)" % (i, ", ".join(repr(float(x)) for x in [axes[k][j] for j in range(3) for k in range(3)] + list(d["position"])))]
    open("hero.tscn", "w").write("\n".join(text + ['\n[node name="AnimationPlayer" type="AnimationPlayer" parent="."]\n']))

def unity(rows):
    text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
    for i, row in enumerate(rows[2:]):
        d = row["node"]
        (x, y, z, w), (px, py, pz) = d["rotation"], d["position"]
        text += "--- !u!1 &%d\nGameObject:\n  m_Component:\n  - component: {fileID: %d}\n  m_Name: %s\n  m_IsActive: 1\n" % (
            1000 + i, 4000 + i, d["path"].split("/")[-1] if i else "Rig")
        text += "--- !u!4 &%d\nTransform:\n  m_GameObject: {fileID: %d}\n  m_LocalRotation: {x: %r, y: %r, z: %r, w: %r}\n" % (4000 + i, 1000 + i, x, -y, -z, w)
        text += "  m_LocalPosition: {x: %r, y: %r, z: %r}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children:\n" % (-px, py, pz)
        text += "".join("  - {fileID: %d}\n" % (4000 + k) for k, other in enumerate(rows[2:]) if other["node"]["parent"] == i)
        text += "  m_Father: {fileID: %d}\n" % (0 if i == 0 else 4000 + d["parent"])
    open("rig.prefab", "w").write(text)

def avatar(rows):
    """With names that no table knows, and the list of them."""
    name = lambda n: ("l_" if n.startswith("left") else "r_" if n.startswith("right") else "c_") + n.replace("left", "").replace("right", "").lower()
    nodes, names = [], []
    for i, row in enumerate(rows[2:]):
        d = row["node"]
        own = d["path"].split("/")[-1]
        own = own[:1].lower() + own[1:]
        if i: names.append("%s,%s\n" % (own, name(own)))
        nodes.append({"name": name(own) if i else "Avatar", "translation": d["position"], "rotation": d["rotation"],
                      "children": [k for k, other in enumerate(rows[2:]) if other["node"]["parent"] == i]})
        if not nodes[i]["children"]: del nodes[i]["children"]
    json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}, open("avatar.gltf", "w"))
    open("avatar.csv", "w").write("from,to\n" + "".join(names))

def model(source, target):
    """A glTF file of nodes below one, as bones of a skin, so that an engine takes them for a skeleton."""
    d = json.load(open(source))
    data = struct.pack("<9f12H12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, *[0] * 12, *[1, 0, 0, 0] * 3)
    views, accessors = len(d["bufferViews"]), len(d["accessors"])
    for at, size in ((0, 36), (36, 24), (60, 48)): d["bufferViews"].append({"buffer": len(d["buffers"]), "byteOffset": at, "byteLength": size})
    d["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
    d["accessors"] += [{"bufferView": views, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                       {"bufferView": views + 1, "componentType": 5123, "count": 3, "type": "VEC4"}, {"bufferView": views + 2, "componentType": 5126, "count": 3, "type": "VEC4"}]
    d["meshes"] = [{"primitives": [{"attributes": {"POSITION": accessors, "JOINTS_0": accessors + 1, "WEIGHTS_0": accessors + 2}}]}]
    above = {k for n in d["nodes"] for k in n.get("children", [])}
    d["nodes"][d["scenes"][0]["nodes"][0]]["name"] = "Model"
    d["skins"] = [{"joints": sorted(above)}]
    d["scenes"][0]["nodes"].append(len(d["nodes"]))
    d["nodes"].append({"name": "Skin", "mesh": 0, "skin": 0})
    json.dump(d, open(target, "w"))

def settings(name):
    """What Godot's importer is told of such a file, with bones called as Perception Neuron has them; and the map of these names."""
    text = open(name).read()
    told = {"bone_map": 'Resource("res://map.tres")', "bone_renamer/rename_bones": "true", "bone_renamer/unique_node/make_unique": "false",
            "rest_fixer/apply_node_transforms": "true", "rest_fixer/normalize_position_tracks": "false", "rest_fixer/retarget_method": "1",
            "rest_fixer/fix_silhouette/enable": "true", "rest_fixer/fix_silhouette/threshold": "15.0"}
    nodes = '{"nodes": {"PATH:AnimationPlayer": {"optimizer/enabled": false},\n"PATH:Model/Skeleton3D": {\n' + ",\n".join('"retarget/%s": %s' % i for i in told.items()) + "\n}}}"
    assert "_subresources={}" in text
    open(name, "w").write(text.replace("_subresources={}", "_subresources=" + nodes))
    with open(name.rsplit("/", 1)[0] + "/map.tres", "w") as out:
        out.write('[gd_resource type="BoneMap" load_steps=2 format=3]\n\n[sub_resource type="SkeletonProfileHumanoid" id="1"]\n\n[resource]\nprofile = SubResource("1")\n')
        for bone in BONES: out.write('bone_map/%s = &"%s"\n' % bone[:2])

def bvh():
    """Motion capture: in centimetres, bones along the axes, the hips' rest at 0."""
    text, count = "HIERARCHY\n", 20
    def joint(i, depth):
        pad = "  " * depth
        out = "%s%s %s\n%s{\n%s  OFFSET %g %g %g\n" % (pad, "JOINT" if i else "ROOT", BONES[i][1], pad, pad, *[100 * x if i else 0 for x in BONES[i][3]])
        out += "%s  CHANNELS %s\n" % (pad, "3 Zrotation Xrotation Yrotation" if i else "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
        children = [k for k, b in enumerate(BONES) if b[2] == i]
        out += "".join(joint(k, depth + 1) for k in children) or "%s  End Site\n%s  {\n%s    OFFSET 0 1 0\n%s  }\n" % (pad, pad, pad, pad)
        return out + pad + "}\n"
    text += joint(0, 0) + "MOTION\nFrames: %d\nFrame Time: 0.05\n" % count
    for k in range(count):
        numbers = [5 * math.sin(.3 * k), 95 + 3 * math.cos(.5 * k), 8 * k]
        text += " ".join("%.6f" % x for x in numbers + [25 * math.sin(.2 * k + j) for j in range(3 * len(BONES))]) + "\n"
    open("take.bvh", "w").write(text)

class Stream:
    def __init__(self, name):
        self.nodes, self.tracks, root = [], {}, "."
        for line in open(name):
            (kind, d), = json.loads(line).items()
            if kind == "node": # float32, in as few digits as tell it
                self.nodes.append(d)
                for part in ("position", "rotation"): d[part] = [single(x) for x in d[part]]
            elif kind == "clip": root, self.end = d["root"], d["end"]
            elif kind == "track":
                path = d["node"] if root == "." else root if d["node"] == "." else root + "/" + d["node"]
                self.tracks[path, d["property"]] = d
        self.name = [d["path"].split("/")[-1] for d in self.nodes]
        self.name = [OTHERS.get(n) or UNITY.get(n) or UNITY.get("mixamorig:" + n) or n.split(":")[-1] for n in self.name]
    def value(self, path, part, t):
        d = self.tracks.get((path, part))
        if d is None: return None
        c = d["columns"]
        times = c.get("time") or [d["start"] + k * (d["step"] or d["rate"]["den"] / d["rate"]["num"]) for k in range(d["keys"])]
        v = c["value"]
        k = max([i for i, x in enumerate(times) if x <= t], default=0)
        if t <= times[0] or k == len(times) - 1: return v[k]
        h = times[k + 1] - times[k]
        x = (t - times[k]) / h
        if d.get("interp") == "Hold": return v[k]
        if d.get("interp") == "Hermite":
            w = ((2*x - 3)*x*x + 1, ((x - 2)*x + 1)*x*h, (x - 1)*x*x*h, (3 - 2*x)*x*x)
            return [w[0]*p + w[1]*a + w[2]*b + w[3]*q for p, a, b, q in zip(v[k], c["right"][k], c["left"][k + 1], v[k + 1])]
        a, b = v[k], v[k + 1]
        if part == "position": return [p + (q - p) * x for p, q in zip(a, b)]
        a, b = unit(a), unit(b)
        along = sum(p * q for p, q in zip(a, b))
        if along < 0: b, along = [-q for q in b], -along
        angle = math.atan2(math.sqrt(sum((q - p * along) ** 2 for p, q in zip(a, b))), along)
        if angle < 1e-9: return a
        return [(p * math.sin((1 - x) * angle) + q * math.sin(x * angle)) / math.sin(angle) for p, q in zip(a, b)]
    def pose(self, t):
        turns, places = [], []
        for d in self.nodes:
            q = unit((t is not None and self.value(d["path"], "rotation", t)) or d["rotation"])
            p = (t is not None and self.value(d["path"], "position", t)) or d["position"]
            up = d["parent"]
            turns.append(q if up is None else mul(turns[up], q))
            places.append(p if up is None else [a + b for a, b in zip(places[up], turn(turns[up], p))])
        return turns, places

def times_of(a, count): return [a.end * k / (count - 1) for k in range(int(count))]

def legs_of(stream, rest):
    """Of a human at rest: length of the legs, how far below the hips they begin, and the ankles' height if it stands on the ground."""
    at = lambda n: rest[1][stream.name.index(n)]
    sides = [[at(side + n) for n in ("UpperLeg", "LowerLeg", "Foot")] for side in ("Left", "Right")]
    length = sum(math.dist(hip, knee) + math.dist(knee, foot) for hip, knee, foot in sides) / 2
    ankle = sum(foot[1] for _, _, foot in sides) / 2
    low = min(p[1] for p, n in zip(rest[1], stream.name) if n.endswith(("Foot", "Toes")))
    stands = -.01 * length <= ankle < .3 * length and at("Hips")[1] - ankle > .7 * length and low > -.04 * length
    drop = at("Hips")[1] - (sides[0][0][1] + sides[1][0][1]) / 2
    return length, drop, ankle if stands else None, ankle - low if .03 * length < ankle - low < .3 * length else None

def low_of(stream):
    """The height of the lower ankle that a twentieth of 200 samples are below."""
    feet = [stream.name.index(side + "Foot") for side in ("Left", "Right")]
    return sorted(min(p[1][f][1] for f in feet) for p in map(stream.pose, times_of(stream, 200)))[199 // 20]

def stand(legs, low=None):
    """How high the hips are on straight legs: the ankles are where they rest, or where the lower one is in the clip (low)."""
    length, drop, ankle, above = legs
    if low is None and ankle is None: ankle = above
    if low is not None and (ankle is None or abs(low - ankle) > .3 * length): ankle = low if low < .3 * length else None
    return length + drop + (.11 * length if ankle is None else ankle)

def turns(source, result, limit, count=1000, near=1e-6):
    a, b = Stream(source), Stream(result)
    rest_a, rest_b = a.pose(None), b.pose(None)
    pairs = [(a.name.index(n), i) for i, n in enumerate(b.name) if n in a.name and n != "."]
    hips = next(p for p in pairs if b.name[p[1]] == "Hips")
    legs = [legs_of(s, rest) for s, rest in ((a, rest_a), (b, rest_b))]
    ratio = legs[1][0] / legs[0][0]
    raise_by = [stand(legs[k], low_of(a) if k == 0 else None) - rest[1][hips[k]][1] for k, rest in enumerate((rest_a, rest_b))]
    faces = (rest_a[1][a.name.index("LeftHand")][0] > 0) == (rest_b[1][b.name.index("LeftHand")][0] > 0)
    about = (0, 0, 0, 1) if faces else (0, 1, 0, 0)
    worst = moved = 0
    for t in times_of(a, count):
        p, q = a.pose(t), b.pose(t)
        for i, k in pairs:
            want = mul(mul(about, mul(p[0][i], inv(rest_a[0][i]))), inv(about))
            worst = max(worst, degrees(want, mul(q[0][k], inv(rest_b[0][k]))))
        want = turn(about, [x - y for x, y in zip(p[1][hips[0]], rest_a[1][hips[0]])])
        want = [x + ratio * y for x, y in zip(rest_b[1][hips[1]], want)]
        want[1] += raise_by[1] - ratio * raise_by[0]
        moved = max(moved, max(abs(x - y) for x, y in zip(want, q[1][hips[1]])))
    print("%d bones at %d times, turns %.1e degrees off, hips %.1e" % (len(pairs), count, worst, moved))
    assert len(pairs) > 10 and worst <= limit and moved <= near

def points(source, result, limit):
    a, b = Stream(source), Stream(result)
    worst = 0
    for t in times_of(a, 50):
        p, q = a.pose(t), b.pose(t)
        for i, d in enumerate(b.nodes):
            if d["parent"] in (None, 0) or not b.name[i].endswith(("LowerArm", "Hand", "LowerLeg", "Foot")): continue
            k, j = a.name.index(b.name[i]), a.name.index(b.name[d["parent"]])
            u, v = ([x - y for x, y in zip(s[1][m], s[1][n])] for s, m, n in ((p, k, j), (q, i, d["parent"])))
            cross = [u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]]
            worst = max(worst, math.degrees(math.atan2(math.sqrt(sum(x*x for x in cross)), sum(x*y for x, y in zip(u, v)))))
    print("bones point %.1e degrees elsewhere" % worst)
    assert worst <= limit

def same(source, result, ulps):
    a, b = Stream(source), Stream(result)
    assert a.tracks.keys() == b.tracks.keys()
    worst = 0
    for key, d in a.tracks.items():
        e = b.tracks[key]
        assert d["keys"] == e["keys"] and d["columns"].get("time") == e["columns"].get("time") and d.get("interp") == e.get("interp")
        for column in ("value", "left", "right"):
            for v, w in zip(d["columns"].get(column, []), e["columns"].get(column, [])):
                grain = 2.0 ** (math.frexp(max(abs(x) for x in v))[1] - 24)
                worst = max(worst, max(abs(x - y) for x, y in zip(v, w)) / grain)
    print("at most %.2g ulp" % worst)
    assert worst <= ulps

def vrm(source, result):
    """The formula of VRMC_vrm_animation 1.0 for applying to a model: normalised by the file's rest, then by the model's."""
    a, b = Stream(source), Stream(result)
    rest_a, rest_b = a.pose(None)[0], b.pose(None)[0]
    a_named = Stream(source)
    a_named.name = [n[:1].upper() + n[1:] for n in a.name]
    legs = [legs_of(s, s.pose(None)) for s in (a_named, b)]
    count = worst = 0
    for i, d in enumerate(b.nodes):
        n = b.name[i][:1].lower() + b.name[i][1:]
        if n not in a.name or n == ".": continue
        k = a.name.index(n)
        own, made = a.tracks.get((a.nodes[k]["path"], "rotation")), b.tracks.get((d["path"], "rotation"))
        assert (own is None) == (made is None)
        for q, r in zip(own["columns"]["value"], made["columns"]["value"]) if own else ():
            up_a, up_b = (rest[s.nodes[x]["parent"]] for s, rest, x in ((a, rest_a, k), (b, rest_b, i)))
            plain = mul(mul(up_a, q), inv(rest_a[k]))
            want = mul(mul(inv(up_b), plain), rest_b[i])
            worst = max(worst, max(abs(x - y) for x, y in zip(want, r)))
            count += 1
    own, made = a.tracks.get(("hips", "position")), b.tracks.get((b.nodes[b.name.index("Hips")]["path"], "position"))
    for p, r in zip(own["columns"]["value"], made["columns"]["value"]) if own else ():
        scaled = [x * legs[1][0] / legs[0][0] for x in p]
        scaled[1] += stand(legs[1]) - stand(legs[0], low_of(a_named)) * legs[1][0] / legs[0][0]
        worst = max(worst, max(abs(x - y) for x, y in zip(scaled, r)))
    print("%d keys, %.1e off" % (count, worst))
    assert count > 0 and worst < 1e-6

def rests(truth, result, limbs, trunk, feet, height, yaw=0):
    """One walk, whatever the rests of source and target are: directions of limbs and trunk, turns of feet and head from the T-pose, hips."""
    import csv
    b, rows = Stream(result), {}
    b.name = [d["path"].split("/")[-1] for d in b.nodes]
    back = (0, -math.sin(math.radians(yaw) / 2), 0, math.cos(math.radians(yaw) / 2))
    for r in csv.DictReader(open(truth)):
        rows.setdefault(float(r["time"]), {})[r["bone"]] = [float(r[k]) for k in ("x", "y", "z", "turn_x", "turn_y", "turn_z", "turn_w")]
    def off(t, places, x, y):
        u = turn(back, [p - q for p, q in zip(places[b.name.index(y)], places[b.name.index(x)])])
        v = [p - q for p, q in zip(rows[t][y][:3], rows[t][x][:3])]
        cross = [u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]]
        return math.degrees(math.atan2(math.hypot(*cross), sum(p * q for p, q in zip(u, v))))
    sides = [(s + x, s + y) for s in ("Left", "Right") for x, y in (("Arm", "ForeArm"), ("ForeArm", "Hand"), ("UpLeg", "Leg"), ("Leg", "Foot"))]
    worst = {"limbs": 0, "trunk": 0, "feet": 0, "hips": 0}
    for t, truths in rows.items():
        turns, places = b.pose(t)
        for kind, pairs in (("limbs", sides + [("RightUpLeg", "LeftUpLeg")]), ("trunk", [("RightArm", "LeftArm"), ("Neck", "Head")]),
                            ("feet", [("LeftFoot", "LeftToeBase"), ("RightFoot", "RightToeBase")])):
            worst[kind] = max([worst[kind]] + [off(t, places, x, y) for x, y in pairs])
        worst["hips"] = max(worst["hips"], abs(places[b.name.index("Hips")][1] - truths["Hips"][1]))
    print(result, worst)
    assert len(rows) == 4 and worst["limbs"] <= limbs and worst["trunk"] <= trunk and worst["feet"] <= feet and worst["hips"] <= height

def apart(source, out):
    """Put the feet below the root, at the same places at rest."""
    rows = [json.loads(line) for line in open(source)]
    nodes, world, moved = [r["node"] for r in rows if "node" in r], [], {}
    for n in nodes:
        up, turned = world[n["parent"]] if n["parent"] is not None else ([0, 0, 0], [0, 0, 0, 1])
        world.append(([a + b for a, b in zip(up, turn(turned, n["position"]))], mul(turned, n["rotation"])))
    for n, (at, turned) in zip(nodes, world):
        above, _, name = n["path"].rpartition("/")
        if name in ("LeftFoot", "RightFoot"):
            moved[n["path"]] = name
            n.update(path=name, parent=0, position=at, rotation=turned)
        elif above in moved: n["path"] = moved[above] + "/" + name
    open(out, "w").writelines(json.dumps(r) + "\n" for r in rows)

import os
if len(sys.argv) > 4 and sys.argv[1] == "turns" and os.path.exists("avatar.csv"): # names of an avatar
    OTHERS.update({line.split(",")[1].strip(): line[:1].upper() + line.split(",")[0][1:] for line in open("avatar.csv")})
    OTHERS.update({b[0][:1].lower() + b[0][1:]: b[0] for b in BONES})
if sys.argv[1] == "turns" and len(sys.argv) > 7: OTHERS.update({n: b for b, n in names_of(sys.argv.pop())[0].items()})
if sys.argv[1] == "make": make(sys.argv[2])
elif sys.argv[1] == "rests": rests(sys.argv[2], sys.argv[3], *map(float, sys.argv[4:]))
elif sys.argv[1] == "naming": rename(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "namings": print(" ".join(NAMINGS))
elif sys.argv[1] == "apart": apart(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "model": model(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "settings": settings(sys.argv[2])
elif sys.argv[1] == "turns": turns(sys.argv[2], sys.argv[3], float(sys.argv[4]), *map(float, sys.argv[5:]))
elif sys.argv[1] == "points": points(sys.argv[2], sys.argv[3], float(sys.argv[4]))
elif sys.argv[1] == "same": same(sys.argv[2], sys.argv[3], float(sys.argv[4]))
else: vrm(sys.argv[2], sys.argv[3])
