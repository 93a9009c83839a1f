"""
Import files with the add-on and compare the bones with anim.py, at frames and between them.

blender -b --factory-startup -P blender_addon.py -- ADDON_FOLDER FILE[=ARMATURE][::OPTIONS] ...
"""

import os
import random
import sys
import warnings

import bpy
import numpy

arguments = sys.argv[sys.argv.index("--") + 1:]
addon, files = arguments[0], arguments[1:]
warnings.simplefilter("ignore")
sys.path.insert(0, addon)
import anim_tools
import anim_tools.programs
import anim_tools.clips
import anim_tools.importing as importing

bpy.ops.preferences.addon_enable(module="anim_tools")
anim = anim_tools.clips.library(anim_tools.programs.find())
C = importing.C


def worst_of(ob, clip, action, rate):
    """Return (largest distance of a head from ours, size, number of poses) at frames and between them."""
    ob.animation_data.action = action
    random.seed(7)
    names = importing.match_bones(ob, clip) if ob.get("checked") else {
        node.number: bone.name for bone in ob.data.bones for node in clip.nodes if node.path == bone.get("anim_node")}
    last = max(int((clip.end - clip.start) * rate), 1)
    frames = [clip.start * rate + k for k in numpy.linspace(0, last, min(last + 1, 12), dtype=int)]
    frames += [clip.start * rate + random.random() * (clip.end - clip.start) * rate for _ in range(16)]
    frames = [float(numpy.float32(frame)) for frame in frames if frame <= clip.end * rate]
    world = clip.world(numpy.array(frames) / rate)
    size = numpy.ptp([(C @ m)[:3, 3] for m in importing.node_worlds(clip.nodes)], axis=0).max()
    size = max(size, 1e-6) if len(clip.nodes) > 2 else 1.0
    far = 0.0
    for k, frame in enumerate(frames):
        bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        for number, name in names.items():
            m = numpy.array(ob.matrix_world @ ob.pose.bones[name].matrix)
            ours = C @ numpy.vstack([world[k, number], [0, 0, 0, 1]])
            d = numpy.abs(m[:3, 3] - ours[:3, 3]).max()
            far = max(far, d)
    return far, size, len(names) * len(frames)


bad = 0
for word in files:
    word, _, further = word.partition("::")
    path, _, target = word.partition("=")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="anim_tools")
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    try:
        if target:
            bpy.ops.import_scene.anim_tools(filepath=target, to_active=False)
            bpy.context.object["checked"] = 1
            for action in list(bpy.data.actions):
                bpy.data.actions.remove(action)
        bpy.ops.import_scene.anim_tools(filepath=path, further=further)
    except RuntimeError as error:
        print("==", os.path.basename(path), "refused:", str(error).strip().splitlines()[-1][:160])
        bad += 1
        continue
    ob = bpy.context.object
    rate = importing.rate_of(bpy.context.scene)
    clips = [clip for clip in anim.open(os.path.join(bpy.app.tempdir, "clip1.axs" if target else "clip0.axs"), warn=False)]
    far, size, count, keys = 0, 1, 0, 0
    actions = list(bpy.data.actions)
    for clip in clips[:3]:
        action = next((a for a in actions if a.name == clip.name or a.name.startswith(clip.name + ".")), None)
        if action is None or ob.type != "ARMATURE":
            continue
        result = worst_of(ob, clip, action, rate)
        far, size, count = max(far, result[0] / result[1]), result[1], count + result[2]
    keys = sum(len(curve.keyframe_points) for action in actions for curve in importing.curves_of(action, None))
    ok = far <= 1e-4 and keys
    bad += not ok
    print("==", os.path.basename(path), f"onto {os.path.basename(target)}:" if target else ":",
          f"{len(actions)} actions, {count} poses, {keys} keys, worst {far:.2g} of {size:.3g}", "" if ok else "OFF")
sys.exit(bad != 0)
