#!/usr/bin/env python3
"""prefab.py NAME FOLDER <JSON: write NAME.prefab, with the nodes of anim-emit json in Unity axes, an Animator, its controller, and a .meta
file for it and for each .anim file of FOLDER. The anim-tools write no prefabs."""
import glob
import json
import os
import sys

name, folder = sys.argv[1:]
records = [json.loads(line) for line in sys.stdin]
nodes = [record["node"] for record in records if "node" in record]
trees = [record["tree"] for record in records if "tree" in record]


def save(path, guid, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n" + text)
    with open(path + ".meta", "w", encoding="utf-8") as file:
        file.write("fileFormatVersion: 2\nguid: %032x\n" % guid)


def flow(names, values):
    return "{" + ", ".join("%s: %.9g" % pair for pair in zip(names, values)) + "}"


assert len(trees) == 1, "several trees"
text = ""
for i, node in enumerate(nodes):
    father = 0 if node["parent"] is None else 20000 + node["parent"]
    own = trees[0]["root"] or "Root" if node["path"] == "." else node["path"].split("/")[-1]
    text += f"--- !u!1 &{10000 + i}\nGameObject:\n  m_Name: {json.dumps(own)}\n  m_IsActive: 1\n"
    text += f"--- !u!4 &{20000 + i}\nTransform:\n  m_GameObject: {{fileID: {10000 + i}}}\n"
    text += f"  m_LocalRotation: {flow('xyzw', node['rotation'])}\n  m_LocalPosition: {flow('xyz', node['position'])}\n"
    text += f"  m_LocalScale: {flow('xyz', node['scale'])}\n  m_Father: {{fileID: {father}}}\n"
text += "--- !u!95 &9500\nAnimator:\n  m_GameObject: {fileID: 10000}\n  m_Controller: {fileID: 9100000, guid: %032x, type: 2}\n" % 1
save(f"{folder}/{name}.prefab", 2, text)

text = "--- !u!91 &9100000\nAnimatorController:\n  m_AnimatorLayers:\n  - m_StateMachine: {fileID: 110700}\n"
states = ""
text += "--- !u!1107 &110700\nAnimatorStateMachine:\n  m_ChildStates:\n"
for i, path in enumerate(sorted(glob.glob(glob.escape(folder) + "/*.anim"))):
    with open(path + ".meta", "w", encoding="utf-8") as file:
        file.write("fileFormatVersion: 2\nguid: %032x\n" % (16 + i))
    text += f"  - m_State: {{fileID: {200000 + i}}}\n"
    states += f"--- !u!1102 &{200000 + i}\nAnimatorState:\n  m_Motion: {{fileID: 7400000, guid: {16 + i:032x}, type: 2}}\n"
save(f"{folder}/{name}.controller", 1, text + states)
