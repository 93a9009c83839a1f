# SPDX-License-Identifier: MIT
"""Make actions from clips: for the bones of an armature, an object, shape keys and a camera."""

import math
import os

import bpy
import numpy as np
from mathutils import Matrix

from . import curves, programs
from .clips import Writer, read
from .curves import IDENTITY, rest

C = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])  # from y up to Blender's z up
C_INVERSE = C.T
GAP_FRAMES = 0.011  # since 4.0, Blender merges keys within 0.01 frames


# ---- Actions ----

def new_action(name, ident, sharing=None):
    """Make an action the current one of a data-block. Return it and a function (path, index=, group=) that adds an F-curve.

    Since Blender 4.4 the data-blocks of a clip share one action and have a slot each.
    """
    data = ident.animation_data or ident.animation_data_create()
    action = sharing if sharing is not None and hasattr(sharing, "slots") else bpy.data.actions.new(name)
    action.use_fake_user = True
    if not hasattr(action, "slots"):
        data.action = action
        return action, lambda path, index, group: action.fcurves.new(path, index=index, action_group=group)
    slot = action.slots.new(id_type=ident.id_type, name=ident.name)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    data.action = action
    data.action_slot = slot
    bag = strip.channelbag(slot, ensure=True)
    return action, lambda path, index, group: bag.fcurves.new(path, index=index, group_name=group)


def curves_of(action, ident):
    """Return the F-curves of an action, since 4.4 those of the slot of a data-block. ident: None: of all."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    slot = ident.animation_data.action_slot if ident is not None and ident.animation_data else None
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags
            if slot is None or bag.slot_handle == slot.handle for curve in bag.fcurves]


def write_curve(curve, keys, rate, column=0):
    """Write the keys of a new F-curve: of handles(), or one column of fit()."""
    times, values, codes, left, right = keys
    n, frames = len(times), np.asarray(times) * rate
    if values.ndim == 2:
        values, left, right = values[:, column], left[:, column], right[:, column]
        before, after = np.append(0, np.diff(times)) / 3, np.append(np.diff(times), 0) / 3
        left, right = np.stack([-before, -left * before], 1), np.stack([after, right * after], 1)
    points = curve.keyframe_points
    points.add(n)
    center = np.stack([frames, values], 1)
    points.foreach_set("co", center.ravel())
    points.foreach_set("interpolation", np.asarray(codes, np.int32))
    if (np.asarray(codes) == curves.BEZIER).any():
        # Automatic handles would be replaced. Blender 3.4 ignores foreach_set() for their types.
        for point in points:
            point.handle_left_type = point.handle_right_type = "FREE"
    for side, offset in (("left", left), ("right", right)):
        points.foreach_set(f"handle_{side}", (center + offset * (rate, 1)).ravel())
    curve.update()


def write_transform(new_curve, prefix, group, motion, change, rate):
    """Write ten F-curves: the motion of a node, changed to the axes of its bone."""
    gap = GAP_FRAMES / rate
    for part, (path, indices, _, _) in curves.PARTS.items():
        tracks = motion.of(part, "euler", "angle") if part == "rotation" else motion.of(part)
        keys = curves.exact(tracks[0], motion.clip, gap) if len(tracks) == 1 and tracks[0].property == "rotation" else None
        if keys is not None:
            keys = change.keys(part, keys)
        else:
            times, held = motion.breaks(tracks, gap) if tracks else (np.array([motion.clip.start]), None)
            keys = curves.fit(lambda at: change.values(part, motion.values(part, at)), times, held, change.limits[part],
                              part == "rotation", max(2e-3, 2 * gap))
        for index, i in enumerate(np.argsort(indices)):
            write_curve(new_curve(prefix + path, index=index, group=group), keys, rate, i)


def write_number(curve, track, clip, rate, change=None):
    """Write the F-curve of a track of one number."""
    gap = GAP_FRAMES / rate
    keys = curves.handles(track, gap) if change is None else None
    if keys is None:
        times, held = curves.Motion(clip, None).breaks([track], gap)
        keys = curves.fit(lambda at: (change or np.asarray)(np.array(track.sample(at), float)), times, held, 1e-6)
    write_curve(curve, keys, rate)


# ---- Armatures ----

def matrix_of(value):
    return np.array([list(row) for row in value])


def stored_axes(bone):
    """Return the rotation from the axes of the node, which the import kept, to the axes of the bone."""
    kept = bone.get("anim_axes")
    return IDENTITY if kept is None else curves.matrix((0, 0, 0), list(kept), (1, 1, 1))


def write_armature(ob):
    """Return (Writer with the rest pose of an armature, with y up, {bone or None: path of its node}), for retargeting and export."""
    writer, paths, numbers = Writer(ob.name), {None: "."}, {}
    writer.node(".", "node", None, parts(C_INVERSE @ matrix_of(ob.matrix_world) @ C))
    for bone in ob.data.bones:
        plain = bone.name.replace("/", "_").replace(":", "_")
        paths[bone.name] = plain if bone.parent is None else f"{paths[bone.parent.name]}/{plain}"
        numbers[bone.name] = writer.node(paths[bone.name], "bone", numbers[bone.parent.name] if bone.parent else 0,
                                         parts(np.linalg.inv(matrix_above(bone)) @ bone_matrix(bone)), bone.name)
    return writer, paths


def bone_matrix(bone):
    """Return the transform of the node of a bone in the space of the armature object, at rest, or of a pose bone in its pose."""
    if isinstance(bone, bpy.types.Bone):
        return matrix_of(bone.matrix_local) @ stored_axes(bone).T
    return matrix_of(bone.matrix) @ stored_axes(bone.bone).T


def matrix_above(bone):
    return C if bone.parent is None else bone_matrix(bone.parent)


def parts(m):
    """Return the position, rotation and scale of a matrix."""
    size = np.linalg.norm(m[:3, :3], axis=0) * (-1 if np.linalg.det(m[:3, :3]) < 0 else 1)
    return m[:3, 3], curves.quaternion(m[:3, :3] / np.where(size == 0, 1, size)), size


def node_worlds(nodes):
    out = []
    for node in nodes:
        out.append(rest(node) if node.parent is None else out[node.parent] @ rest(node))
    return out


def above(nodes, number, chosen=()):
    """Return (the nearest chosen node above a node, or None; the transform of what is between them)."""
    between, above = IDENTITY, nodes[number].parent
    while above is not None and above not in chosen:
        between, above = rest(nodes[above]) @ between, nodes[above].parent
    return above, between


def size_of(positions):
    return float(np.ptp(positions, axis=0).max()) or 1.0


def toward(direction):
    """Return the rotation of 24 that turns y to the axis nearest to a direction."""
    axis = int(np.argmax(np.abs(direction)))
    x, y = np.eye(3)[(axis + 2) % 3], np.eye(3)[axis] * (1.0 if direction[axis] >= 0 else -1.0)
    return np.stack([x, y, np.cross(x, y)], 1)


def new_object(context, type, name):
    """Make an object, which becomes the active one."""
    bpy.ops.object.add(type=type, enter_editmode=False, align="WORLD", location=(0, 0, 0), rotation=(0, 0, 0))
    context.object.name = context.object.data.name = name
    return context.object


def create_armature(context, clip, motions, name):
    """Make an armature from the nodes of a clip: its bones, or if it has none all its nodes, and whatever else moves."""
    nodes, worlds = clip.nodes, node_worlds(clip.nodes)
    able = [node.number for node in nodes if node.kind not in ("camera", "light")]
    bones = {n for n in able if nodes[n].kind == "bone"} or set(able)
    bones |= {n for n in able if n in motions and motions[n].is_moving}
    if len(bones) > 1 and 0 not in motions and nodes[0].kind != "bone":
        bones.discard(0)
    ob = new_object(context, "ARMATURE", name)
    size = size_of([(C @ worlds[number])[:3, 3] for number in bones])
    children, made = {}, {}
    for number in bones:
        children.setdefault(above(nodes, number, bones)[0], []).append(number)
    bpy.ops.object.mode_set(mode="EDIT")
    for number in sorted(bones):
        edit = C @ worlds[number]
        axes = curves.rotation_part(edit)
        span = np.mean([axes.T @ ((C @ worlds[n])[:3, 3] - edit[:3, 3]) for n in children.get(number, ())] or [np.zeros(3)], axis=0)
        length = float(np.linalg.norm(span))
        turn = toward(span) if length > 1e-5 * size else np.eye(3)
        bone = made[number] = ob.data.edit_bones.new(nodes[number].name)
        bone.head, bone.tail = (0, 0, 0), (0, length if length > 1e-3 * size else size / 20, 0)
        edit[:3, :3] = axes @ turn
        bone.matrix = Matrix(edit)
        bone.parent = made.get(above(nodes, number, bones)[0])
        bone["anim_node"], bone["anim_axes"] = nodes[number].path, curves.quaternion(turn).tolist()
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def match_bones(ob, clip):
    """Return {number of the node: name of the bone}: by the paths that the import kept, otherwise by names."""
    paths = {bone["anim_node"]: bone.name for bone in ob.data.bones if bone.get("anim_node")}
    out, free, anywhere = {}, set(ob.data.bones.keys()), not any(node.kind == "bone" for node in clip.nodes)
    for node in clip.nodes:
        names = [paths.get(node.path)]
        if anywhere or node.kind == "bone":
            names += [node.attributes.get("gltf.name"), node.name]
        name = next((name for name in names if name in free), None)
        if name is not None:
            out[node.number] = name
            free.remove(name)
    return out


def write_bones(new_curve, ob, clip, motions, names, rate):
    """Write the F-curves of all bones. Bones without tracks get one key of their rest, so that no pose of another action stays."""
    nodes, worlds, world = clip.nodes, node_worlds(clip.nodes), matrix_of(ob.matrix_world)
    rests = {bone.name: matrix_of(bone.matrix_local) for bone in ob.data.bones}
    size, turned = size_of([m[:3, 3] for m in rests.values()]), {}
    for number, name in sorted(names.items()):
        m, bone = rests[name], ob.pose.bones[name]
        turned[number] = np.eye(4)
        turned[number][:3, :3] = curves.rotation_part(np.linalg.pinv(C @ worlds[number]) @ world @ m)
        parent, between = above(nodes, number, names)
        if bone.parent is None or parent is None:
            before = np.linalg.inv(world @ m) @ C @ between
        else:
            before = np.linalg.inv(np.linalg.inv(rests[names[parent]]) @ m) @ turned[parent].T @ between
        bone.rotation_mode = "QUATERNION"
        motion = motions.get(number) or curves.Motion(clip, nodes[number])
        change = curves.Change(before, turned[number], size)
        write_transform(new_curve, f'pose.bones["{bpy.utils.escape_identifier(name)}"].', name, motion, change, rate)


# ---- The import ----

def motions_of(clip):
    out = {}
    for track in clip:
        node = clip.find_driven(track) if not track.is_text and not track.is_disabled else None
        if node is not None:
            out.setdefault(node.number, curves.Motion(clip, node)).add(track)
    return out


def write_shapes(meshes, clip, rate, action):
    """Write the weights of shape keys. Return how many F-curves there are."""
    shapes = {track.property.split("/", 1)[1]: track for track in clip
              if track.property.startswith("blend_shape/") and track.component is None and not track.is_disabled}
    shapes = {**{name.rsplit(".", 1)[-1]: track for name, track in reversed(shapes.items())}, **shapes}
    count = 0
    for mesh in meshes:
        found = [(block, shapes[block.name]) for block in mesh.data.shape_keys.key_blocks[1:] if block.name in shapes]
        new_curve = new_action(f"{clip.name} {mesh.name}", mesh.data.shape_keys, action)[1] if found else None
        for block, track in found:
            values = np.asarray(track.values, float)
            block.slider_max, block.slider_min = max(block.slider_max, min(values.max(), 10)), min(block.slider_min, max(values.min(), -10))
            path = f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value'
            write_number(new_curve(path, index=0, group="Shape keys"), track, clip, rate)
        count += len(found)
    return count


def write_object(new_curve, ob, clip, motion, rate):
    """Write the motion of an object that is no bone: its world transform is C W C^-1, and that of a camera or a light C W."""
    ob.rotation_mode = "QUATERNION"
    inverse = np.linalg.inv(matrix_of(ob.parent.matrix_world @ ob.matrix_parent_inverse)) if ob.parent else IDENTITY
    before = inverse @ C @ above(clip.nodes, motion.node.number)[1]
    change = curves.Change(before, IDENTITY if ob.type in ("CAMERA", "LIGHT") else C_INVERSE, 1.0)
    write_transform(new_curve, "", "Object", motion, change, rate)


def write_lens(ob, clip, rate, action):
    """Write the lens of a camera from its field of view. Return whether there is one."""
    track = next((track for track in clip if track.property == "fov" and ob.type == "CAMERA"), None)
    if track is not None:
        ob.data.sensor_fit = "VERTICAL"
        half, degrees = ob.data.sensor_height / 2, track.is_degrees or np.max(track.values) > math.pi
        curve = new_action(f"{clip.name} {ob.name} lens", ob.data, action)[1]("lens", index=0, group="Camera")
        write_number(curve, track, clip, rate, lambda fov: half / np.tan((np.radians(fov) if degrees else fov) / 2))
    return track is not None


def write_clip(ob, clip, motions, label, rate):
    """Write what a clip has for an object, its lens and its meshes. Return whether there is anything."""
    nodes, moving = clip.nodes, [n for n, motion in sorted(motions.items()) if motion.is_moving]
    names = match_bones(ob, clip) if ob.type == "ARMATURE" else {}
    # An object moves as the node with its name. If there is none, a camera moves as a camera, and others as the first node that moves.
    own = [n for n in moving if n not in names and nodes[n].name == ob.name]
    if ob.type != "ARMATURE" and not own:
        cameras = [n for n in motions if nodes[n].kind == "camera" and ob.type == "CAMERA"]
        own = [n for n in cameras or moving if n in moving]
    action = None
    if own or names and moving:
        action, new_curve = new_action(label, ob)
        if names:
            write_bones(new_curve, ob, clip, motions, names, rate)
        if own:
            write_object(new_curve, ob, clip, motions[own[0]], rate)
        action.use_frame_range, action.frame_start, action.frame_end = True, clip.start * rate, clip.end * rate
        action.use_cyclic = clip.loop == "wrap"
    lens = write_lens(ob, clip, rate, action)
    return bool(write_shapes(shaped_meshes(ob), clip, rate, action) or lens or action)


def shaped_meshes(ob):
    """Return the meshes of an object, itself or below it, that have shape keys."""
    return [mesh for mesh in (ob, *ob.children) if mesh.type == "MESH" and mesh.data.shape_keys]


def rate_of(scene):
    return scene.render.fps / scene.render.fps_base


def convert(program, path, ob, words, fitting, editing, folder):
    """Run the programs for one file. Return the path of the stream in glTF's axes, on the armature if there is one, and the messages."""
    streams, told = [path], []

    def step(*words):
        streams.append(os.path.join(folder, f"clip{len(streams) - 1}.axs"))
        told.extend(programs.run(program, *words, "--force", "-o", streams[-1], streams[-2]))

    step("convert", "--axes", "gltf", *words)
    if ob is not None and ob.type == "ARMATURE":
        target = os.path.join(folder, "armature.json")
        write_armature(ob)[0].save(target)
        if "--from" not in fitting and any('"tree":null' in line for line in programs.run(program, "info", "-q", "--json", streams[-1])):
            source = ob.get("anim_source", "")
            fitting = ["--from", source if os.path.isfile(source) else target, *fitting]
        step("retarget", "--to", target, *fitting)
    if editing:
        step("convert", *editing)
    return streams[-1], told


def create_object(context, clip, motions, path):
    """Make an armature for a clip, or a camera if it moves nothing else. Raise Error if it moves nothing."""
    cameras = [n for n in motions if clip.nodes[n].kind == "camera"]
    if any(motion.is_moving and n not in cameras for n, motion in motions.items()):
        ob = create_armature(context, clip, motions, clip.nodes[0].name or "Armature")
        if any(node.kind == "bone" for node in clip.nodes):
            ob["anim_source"] = os.path.abspath(path)
        return ob
    if not cameras:
        raise programs.Error(f"{os.path.basename(path)}: the file has no node that moves. Select the armature, the mesh or the camera "
                             "that the clips belong to, and import again")
    return new_object(context, "CAMERA", clip.nodes[cameras[0]].name)


def import_file(context, program, path, words, fitting=(), editing=(), to_active=True):
    """Import the clips of a file. Return [(name, first frame, last frame)] of the clips that were written, and messages."""
    ob = context.object if to_active else None
    folder, rate, made = bpy.app.tempdir, rate_of(context.scene), []
    stream, told = convert(program, path, ob, words, fitting, editing, folder)
    for clip in read(program, stream, rate, folder):
        motions, label = motions_of(clip), clip.name or os.path.splitext(os.path.basename(path))[0]
        if not len(clip):
            continue
        ob = ob or create_object(context, clip, motions, path)
        if write_clip(ob, clip, motions, label, rate):
            made.append((label, clip.start * rate, clip.end * rate))
        else:
            told.append(f"{os.path.basename(path)}: warning: nothing of the clip '{clip.name}' is for '{ob.name}'")
    if not made:
        raise programs.Error(f"{os.path.basename(path)}: there is no clip for this object in the file")
    return made, told
