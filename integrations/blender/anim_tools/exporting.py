# SPDX-License-Identifier: MIT
"""Write actions, NLA tracks or the range of the scene: as their curves, or sampled at each frame."""

import os

import bpy
import numpy as np

from . import curves, programs
from .clips import Writer
from .curves import IDENTITY
from .importing import (C, C_INVERSE, bone_matrix, curves_of, matrix_above, matrix_of, parts, rate_of, shaped_meshes, size_of, stored_axes,
                        write_armature)

ONE_CLIP = ("animj", "animx", "vrma", "bvh", "anim", "vmd", "csv")


def export_file(context, program, path, format, what, sampled, words):
    """Write a file. Return the messages."""
    ob = context.object
    if ob is None:
        raise programs.Error("select the armature, the mesh, the camera or the object whose animation is to be exported")
    writer, paths, rate, meshes = begin(ob)
    frame = context.scene.frame_current, context.scene.frame_subframe
    count = 0
    try:
        for name, action, first, last in clips_of(context, ob, what):
            writer.clip(name, first / rate, last / rate, action is not None and action.use_cyclic, rate)
            if action is not None and not sampled and can_keep(ob):
                keep_curves(writer, ob, action, paths, rate, first, last)
            else:
                sample(context, writer, ob, paths, rate, first, last)
            write_shapes(writer, meshes, rate, first, last)
            count += 1
    finally:
        context.scene.frame_set(frame[0], subframe=frame[1])
    if not count:
        raise programs.Error(f"'{ob.name}' has no action to export" if what != "NLA" else f"'{ob.name}' has no NLA strips")
    stream = os.path.join(bpy.app.tempdir, "export.json")
    writer.save(stream)
    base, ending = os.path.splitext(path)
    output = ("--each", f"{base}-%c{ending or '.' + format}") if count > 1 and format in ONE_CLIP else ("-o", path)
    return programs.run(program, "convert", "-f", "unity" if format == "anim" else format, *words, "--force", *output, stream)


def begin(ob):
    """Return (Writer with the tree, {bone or None: path of its node}, rate, meshes with shape keys and their paths)."""
    if ob.type == "ARMATURE":
        writer, paths = write_armature(ob)
    else:
        writer, paths = Writer("Scene"), {}
        writer.node(".", "node", None, ((0, 0, 0), (0, 0, 0, 1), (1, 1, 1)))
        paths[None] = ob.name.replace("/", "_")
        kind = {"CAMERA": "camera", "LIGHT": "light", "MESH": "mesh"}.get(ob.type, "node")
        writer.node(paths[None], kind, 0, parts(object_transform(ob, matrix_of(ob.matrix_world))))
    meshes = {}
    for mesh in shaped_meshes(ob):
        meshes[mesh] = paths[None] if mesh == ob else mesh.name.replace("/", "_")
        if mesh != ob:
            writer.node(meshes[mesh], "mesh", 0, parts(C_INVERSE @ matrix_of(ob.matrix_world.inverted() @ mesh.matrix_world) @ C))
    return writer, paths, rate_of(bpy.context.scene), meshes


def object_transform(ob, world):
    return C_INVERSE @ world @ (IDENTITY if ob.type in ("CAMERA", "LIGHT") else C)


def clips_of(context, ob, what):
    """Make each clip the one that plays, and yield (name, action or None, first frame, last frame)."""
    scene, data = context.scene, ob.animation_data
    if what == "SCENE" or data is None and what == "ACTIVE" and any(mesh.data.shape_keys.animation_data for mesh in shaped_meshes(ob)):
        yield scene.name, None, scene.frame_start, scene.frame_end
    if what == "SCENE" or data is None:
        return
    before = data.action, getattr(data, "action_slot", None), data.use_nla, [(track, track.is_solo, track.mute) for track in data.nla_tracks]
    try:
        if what == "NLA":
            data.action = None
            for track in data.nla_tracks:
                for other in data.nla_tracks:
                    other.is_solo, other.mute = False, other != track
                if track.strips:
                    yield track.name, None, min(s.frame_start for s in track.strips), max(s.frame_end for s in track.strips)
            return
        data.use_nla = False
        prefix = "pose.bones" if ob.type == "ARMATURE" else ""
        for action in [data.action] if what == "ACTIVE" else list(bpy.data.actions):
            if action is None or not any(c.data_path.startswith(prefix) for c in curves_of(action, None)):
                continue
            if action != data.action:
                data.action = action
                if hasattr(data, "action_slot") and data.action_slot is None and action.slots:
                    data.action_slot = next((slot for slot in action.slots if slot.target_id_type == "OBJECT"), None)
            first, last = (action.frame_start, action.frame_end) if action.use_frame_range else action.frame_range
            yield action.name, action, first, last
    finally:
        data.action = before[0]
        if before[1] is not None:
            data.action_slot = before[1]
        data.use_nla = before[2]
        for track, solo, mute in before[3]:
            track.is_solo, track.mute = solo, mute


# ---- Curves ----

def can_keep(ob):
    """Return whether the curves of an action are all that moves the bones."""
    return ob.type == "ARMATURE" and not ob.constraints and not ob.animation_data.drivers and not any(
        bone.constraints or bone.rotation_mode != "QUATERNION" for bone in ob.pose.bones)


def fitted(found, neutral, rate, first, last, limit):
    """Return keys as curves.fit() does for some F-curves, with times in seconds. Where there is no F-curve, the value is neutral."""
    some = [curve for curve in found if curve is not None]
    times = [np.array([point.co.x for point in curve.keyframe_points]) for curve in some]
    frames = np.unique(np.concatenate([[first, last], *times]))
    frames = frames[(frames >= first) & (frames <= last)]
    if all(len(at) == 1 and not curve.modifiers for curve, at in zip(some, times)):
        frames = frames[:1]
    held = np.ones(len(frames) - 1, bool)
    for curve, at in zip(some, times):
        constant = np.array([point.interpolation == "CONSTANT" for point in curve.keyframe_points])
        constant[-1:] = True
        row = np.searchsorted(at, frames[:-1], side="right") - 1
        held &= (row < 0) | constant[row] if len(at) else False

    def values(at):
        return np.stack([np.full(len(at), d) if c is None else [c.evaluate(f) for f in at] for c, d in zip(found, neutral)], 1)

    times, out, codes, left, right = curves.fit(values, frames, held, limit)
    return times / rate, out, codes, left * rate, right * rate


def keep_curves(writer, ob, action, paths, rate, first, last):
    found = {(curve.data_path, curve.array_index): curve for curve in curves_of(action, ob)}
    size = size_of([bone.matrix_local.translation for bone in ob.data.bones])
    for bone in ob.data.bones:
        change = curves.Change(np.linalg.inv(matrix_above(bone)) @ matrix_of(bone.matrix_local), stored_axes(bone).T, size)
        for part, (path, indices, neutral, type) in curves.PARTS.items():
            some = [found.get((f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{path}', index)) for index in indices]
            if any(some):
                keys = change.keys(part, fitted(some, neutral, rate, first, last, change.limits[part]))
                writer.track(paths[bone.name], part, type, None, keys=keys)
    if any(path in ("location", "rotation_quaternion", "rotation_euler", "scale") for path, _ in found):
        sample(bpy.context, writer, ob, {None: "."}, rate, first, last)


def write_shapes(writer, meshes, rate, first, last):
    for mesh, path in meshes.items():
        keys = mesh.data.shape_keys
        data = keys.animation_data
        found = {c.data_path: c for c in curves_of(data.action, keys)} if data and data.action else {}
        for block in keys.key_blocks[1:]:
            c = found.get(f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value')
            if c is not None:
                writer.track(path, "blend_shape/" + block.name, "float", None, keys=fitted([c], (0,), rate, first, last, 1e-6))


# ---- Samples ----

def sample(context, writer, ob, paths, rate, first, last):
    """Write the transforms at each frame, as they are after constraints, drivers and the NLA."""
    frames = np.arange(int(np.ceil(last - first - 1e-4)) + 1) + first
    rows, lens = {key: [] for key in paths}, []
    for frame in frames:
        context.scene.frame_set(int(frame // 1), subframe=float(frame % 1))
        now = ob.evaluated_get(context.evaluated_depsgraph_get())
        for name, row in rows.items():
            bone = name and now.pose.bones[name]
            row.append(np.linalg.pinv(matrix_above(bone)) @ bone_matrix(bone) if bone else object_transform(ob, matrix_of(now.matrix_world)))
        if ob.type == "CAMERA":
            lens.append([2 * np.arctan(now.data.sensor_height / 2 / now.data.lens)])
    for key, matrices in rows.items():
        position, rotation, scale = (np.array(values) for values in zip(*[parts(m) for m in matrices]))
        for part, values in zip(curves.PARTS, (position, curves.continuous(rotation), scale)):
            if key is not None or np.ptp(values, axis=0).max() > 1e-6 or ob.type != "ARMATURE":
                writer.track(paths[key], part, curves.PARTS[part][3], values, first / rate)
    if lens and np.ptp(lens) > 1e-6:
        writer.track(paths[None], "fov", "float", lens, first / rate)
