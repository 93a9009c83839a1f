# SPDX-License-Identifier: MIT
"""Make actions from clips: for the bones of an armature, an object, shape keys and a camera."""

import math
import os

import bpy
import numpy as np
from mathutils import Matrix

from . import curves, programs
from .clips import Writer, library, read

C = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])  # from y up to Blender's z up
C_INVERSE = C.T
IDENTITY = np.eye(4)


# ---- Actions ----

def new_action(name, ident, sharing=None):
    """Return (action, place for F-curves) for a data-block and make the action its current one. Since 4.4 the data-blocks of a clip share one."""
    data = ident.animation_data or ident.animation_data_create()
    action = sharing if sharing is not None and hasattr(sharing, "slots") else bpy.data.actions.new(name)
    action.use_fake_user = True
    if not hasattr(action, "slots"):
        data.action = action
        return action, action
    slot = action.slots.new(id_type=ident.id_type, name=ident.name)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    data.action = action
    data.action_slot = slot
    return action, strip.channelbag(slot, ensure=True)


def curves_of(action, ident):
    """Return the F-curves of an action, since 4.4 those of the slot of a data-block. ident: None: of all."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    slot = ident.animation_data.action_slot if ident is not None and ident.animation_data else None
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags
            if slot is None or bag.slot_handle == slot.handle for curve in bag.fcurves]


def write_curve(place, path, index, group, keys, rate):
    """Add one F-curve. keys: (times, values, codes, left, right), with slopes per second or handles as (seconds, value)."""
    times, values, codes, left, right = keys
    if hasattr(place, "slots") or isinstance(place, bpy.types.Action):
        curve = place.fcurves.new(path, index=index, action_group=group)
    else:
        curve = place.fcurves.new(path, index=index, group_name=group)
    n, frames = len(times), np.asarray(times) * rate
    if left.ndim == 1:
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


def write_transform(place, prefix, group, motion, before, after, size, rate):
    """Write ten F-curves: before * L(t) * after, where L is the motion of a node."""
    basis, turn = before[:3, :3], after[:3, :3]
    grown = abs(np.linalg.det(basis)) ** (1 / 3)
    q_before, q_after = curves.quaternion(curves.rotation_part(before)), curves.quaternion(turn)

    def location(times):
        return motion.position(times) @ basis.T + before[:3, 3]

    def rotation(times):
        return to_blender(motion.rotation(times))

    def to_blender(q):
        return curves.quaternion_product(curves.quaternion_product(q_before, q), q_after)[..., [3, 0, 1, 2]]

    def scale(times):
        return motion.scale(times) @ (turn * turn) * grown

    for path, function, limit, properties in (
            ("location", location, curves.POSITION_LIMIT * size, ("position",)),
            ("rotation_quaternion", rotation, curves.ROTATION_LIMIT, ("rotation", "euler", "angle")), ("scale", scale, 1e-5, ("scale",))):
        tracks = motion.of(*properties)
        keys = None
        if path == "rotation_quaternion" and len(tracks) == 1 and tracks[0].property == "rotation":
            keys = curves.exact(tracks[0], motion.clip)
            if keys is not None:
                keys = (keys[0], to_blender(keys[1]), keys[2], to_blender(keys[3]), to_blender(keys[4]))
        if keys is None and tracks:
            keys = curves.fit(function, *motion.breaks(*properties), limit, path == "rotation_quaternion")
        elif keys is None:
            keys = curves.fit(function, np.array([motion.clip.start]), None, limit)
        for i in range(keys[1].shape[1]):
            write_curve(place, prefix + path, i, group, (keys[0], keys[1][:, i], keys[2], keys[3][:, i], keys[4][:, i]), rate)


def write_number(place, path, track, clip, rate, change=None):
    """Write the F-curve of a track of one number."""
    keys = curves.handles(track) if change is None else None
    if keys is None:
        motion = curves.Motion(clip, None)
        motion.add(track)
        times, values, codes, left, right = curves.fit(
            lambda at: (change or (lambda v: v))(np.array(track.sample(at), float)), *motion.breaks(track.property), 1e-6)
        keys = times, values[:, 0], codes, left[:, 0], right[:, 0]
    write_curve(place, path, 0, "Shape keys" if "key_blocks" in path else "Camera", keys, rate)


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
        above = C if bone.parent is None else bone_matrix(bone.parent)
        plain = bone.name.replace("/", "_").replace(":", "_")
        paths[bone.name] = plain if bone.parent is None else f"{paths[bone.parent.name]}/{plain}"
        numbers[bone.name] = writer.node(paths[bone.name], "bone", numbers[bone.parent.name] if bone.parent else 0,
                                         parts(np.linalg.inv(above) @ bone_matrix(bone)), bone.name)
    return writer, paths


def bone_matrix(bone):
    """Return the rest of the node of a bone in the space of the armature object, in the axes that the node had when it was imported."""
    return matrix_of(bone.matrix_local) @ stored_axes(bone).T


def parts(m):
    """Return the position, rotation and scale of a matrix."""
    size = np.linalg.norm(m[:3, :3], axis=0)
    if np.linalg.det(m[:3, :3]) < 0:
        size = -size
    return m[:3, 3], curves.quaternion(m[:3, :3] / np.where(size == 0, 1, size)), size


def node_worlds(nodes):
    out = []
    for node in nodes:
        local = curves.matrix(node.position, node.rotation, node.scale)
        out.append(local if node.parent is None else out[node.parent] @ local)
    return out


def toward(direction):
    """Return the rotation of 24 that turns y to the axis nearest to a direction."""
    axis = int(np.argmax(np.abs(direction)))
    sign = 1.0 if direction[axis] >= 0 else -1.0
    y = np.eye(3)[axis] * sign
    x = np.eye(3)[(axis + 2) % 3]
    return np.stack([x, y, np.cross(x, y)], 1)


def create_armature(context, clip, motions, name):
    """Make an armature from the nodes of a clip: its bones, or if it has none all its nodes, and whatever else moves."""
    nodes, worlds = clip.nodes, node_worlds(clip.nodes)
    bones = {node.number for node in nodes if node.kind == "bone"} or {node.number for node in nodes if node.kind not in ("camera", "light")}
    bones |= {number for number, motion in motions.items() if motion.is_moving and nodes[number].kind not in ("camera", "light")}
    if len(bones) > 1 and 0 not in motions and nodes[0].kind != "bone":
        bones.discard(0)
    data = bpy.data.armatures.new(name)
    ob = bpy.data.objects.new(name, data)
    context.collection.objects.link(ob)
    for other in context.selected_objects:
        other.select_set(False)
    ob.select_set(True)
    context.view_layer.objects.active = ob
    heads = np.array([(C @ worlds[number])[:3, 3] for number in bones])
    size = float(np.ptp(heads, axis=0).max()) or 1.0
    parents, children = {}, {}
    for number in bones:
        above = nodes[number].parent
        while above is not None and above not in bones:
            above = nodes[above].parent
        parents[number] = above
        children.setdefault(above, []).append(number)
    bpy.ops.object.mode_set(mode="EDIT")
    made = {}
    for number in sorted(bones):
        node, m = nodes[number], C @ worlds[number]
        rest = curves.rotation_part(m)
        spans = [rest.T @ ((C @ worlds[child])[:3, 3] - m[:3, 3]) for child in children.get(number, ())]
        span = np.mean(spans, axis=0) if spans else np.zeros(3)
        length = float(np.linalg.norm(span))
        turn = toward(span) if length > 1e-5 * size else np.eye(3)
        bone = data.edit_bones.new(node.name)
        bone.head, bone.tail = (0, 0, 0), (0, length if length > 1e-3 * size else size / 20, 0)
        edit = np.eye(4)
        edit[:3, :3], edit[:3, 3] = rest @ turn, m[:3, 3]
        bone.matrix = Matrix(edit)
        if parents[number] is not None:
            bone.parent = made[parents[number]]
        bone["anim_node"] = node.path
        bone["anim_axes"] = curves.quaternion(turn).tolist()
        made[number] = bone
    names = {number: bone.name for number, bone in made.items()}
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob, names


def match_bones(ob, clip):
    """Return {number of the node: name of the bone} for an existing armature."""
    paths = {bone["anim_node"]: bone.name for bone in ob.data.bones if bone.get("anim_node")}
    out, anywhere = {}, not any(node.kind == "bone" for node in clip.nodes)
    for node in clip.nodes:
        if anywhere or node.kind == "bone":
            name = node.attributes.get("gltf.name", node.name)
            name = name if name in ob.data.bones else paths.get(node.path)
            if name is not None and name not in out.values():
                out[node.number] = name
    return out


def write_bones(place, ob, clip, motions, names, rate):
    """Write the F-curves of all bones. Bones without tracks get one key of their rest, so that no pose of another action stays."""
    nodes, worlds = clip.nodes, node_worlds(clip.nodes)
    world = matrix_of(ob.matrix_world)
    rest = {bone.name: matrix_of(bone.matrix_local) for bone in ob.data.bones}
    size = float(np.ptp([m[:3, 3] for m in rest.values()], axis=0).max()) or 1.0
    turned = {}
    for number in sorted(names):
        name = names[number]
        m = rest[name]
        turned[number] = np.eye(4)
        turned[number][:3, :3] = curves.rotation_part(np.linalg.inv(C @ worlds[number]) @ world @ m)
        between, above = IDENTITY, nodes[number].parent
        while above is not None and above not in names:
            node = nodes[above]
            between = curves.matrix(node.position, node.rotation, node.scale) @ between
            above = node.parent
        parent = ob.data.bones[name].parent
        if parent is None or above is None:
            before = np.linalg.inv(world @ m) @ C @ between
        else:
            before = np.linalg.inv(np.linalg.inv(rest[names[above]]) @ m) @ turned[above].T @ between
        bone = ob.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        motion = motions.get(number) or curves.Motion(clip, nodes[number])
        write_transform(place, f'pose.bones["{bpy.utils.escape_identifier(name)}"].', name, motion, before, turned[number], size, rate)


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
    count = 0
    for mesh in meshes:
        keys, place = mesh.data.shape_keys, None
        for block in keys.key_blocks[1:]:
            track = shapes.get(block.name) or next((shapes[name] for name in shapes if name.rsplit(".", 1)[-1] == block.name), None)
            if track is None:
                continue
            if place is None:
                _, place = new_action(f"{clip.name} {mesh.name}", keys, action)
            values = np.asarray(track.values, float)
            block.slider_max, block.slider_min = max(block.slider_max, min(values.max(), 10)), min(block.slider_min, max(values.min(), -10))
            write_number(place, f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value', track, clip, rate)
            count += 1
    return count


def write_object(place, ob, clip, motions, number, rate):
    """Write the motion of an object that is no bone: its world transform is C W C^-1, and that of a camera or a light C W."""
    between, above = IDENTITY, clip.nodes[number].parent if clip.nodes else None
    while above is not None:
        node = clip.nodes[above]
        between = curves.matrix(node.position, node.rotation, node.scale) @ between
        above = node.parent
    ob.rotation_mode = "QUATERNION"
    after = IDENTITY if ob.type in ("CAMERA", "LIGHT") else C_INVERSE
    inverse = np.linalg.inv(matrix_of(ob.parent.matrix_world @ ob.matrix_parent_inverse)) if ob.parent else IDENTITY
    write_transform(place, "", "Object", motions[number], inverse @ C @ between, after, 1.0, rate)


def write_camera(ob, clip, tracks, rate, action):
    for track in tracks:
        _, place = new_action(f"{clip.name} {ob.name} lens", ob.data, action)
        ob.data.sensor_fit = "VERTICAL"
        half, degrees = ob.data.sensor_height / 2, track.is_degrees or np.max(track.values) > math.pi
        write_number(place, "lens", track, clip, rate, lambda fov: half / np.tan((np.radians(fov) if degrees else fov) / 2))


def rate_of(scene):
    return scene.render.fps / scene.render.fps_base


def convert(program, path, ob, words, fitting, editing, folder):
    """Run the programs for one file. Return the path of the stream in glTF's axes, on the armature if there is one, and the messages."""
    streams = [os.path.join(folder, f"clip{i}.axs") for i in range(3)]
    told = programs.run(program, "convert", "--axes", "gltf", *words, "--force", "-o", streams[0], path)
    if ob is not None and ob.type == "ARMATURE":
        target = os.path.join(folder, "armature.json")
        write_armature(ob)[0].save(target)
        lines = programs.run(program, "info", "-q", "--json", streams[0])
        if "--from" not in fitting and any('"tree":null' in line for line in lines):
            source = ob.get("anim_source", "")
            fitting = ["--from", source if os.path.isfile(source) else target, *fitting]
        told += programs.run(program, "retarget", "--to", target, *fitting, "--force", "-o", streams[1], streams[0])
        streams[0] = streams[1]
    if editing:
        told += programs.run(program, "convert", *editing, "--force", "-o", streams[2], streams[0])
        streams[0] = streams[2]
    return streams[0], told


def import_file(context, program, path, words, fitting=(), editing=(), to_active=True):
    """Import the clips of a file. Return (names of the new actions, messages)."""
    ob = context.object if to_active else None
    folder, rate = bpy.app.tempdir, rate_of(context.scene)
    if ob is not None and ob.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    stream, told = convert(program, path, ob, words, fitting, editing, folder)
    clips = read(program, stream, rate, folder)
    made, names = [], None
    stem = os.path.splitext(os.path.basename(path))[0]
    for clip in clips:
        motions = motions_of(clip)
        if not len(clip):
            continue
        action, label = None, clip.name or stem
        moving = {number for number, motion in motions.items() if motion.is_moving}
        cameras = [number for number in motions if clip.nodes[number].kind == "camera"]
        if ob is None:
            if moving - set(cameras):
                ob, names = create_armature(context, clip, motions, clip.nodes[0].tree.root_name or stem)
                if any(node.kind == "bone" for node in clip.nodes):
                    ob["anim_source"] = os.path.abspath(path)
            elif cameras:
                ob = bpy.data.objects.new(clip.nodes[cameras[0]].name, bpy.data.cameras.new(clip.nodes[cameras[0]].name))
                context.collection.objects.link(ob)
                context.view_layer.objects.active = ob
            else:
                raise programs.Error(f"{os.path.basename(path)}: the file has no node that moves. Select the armature, the mesh or the camera "
                                     "that the clips belong to, and import again")
        if ob.type == "ARMATURE":
            if names is None:
                names = match_bones(ob, clip)
            if names and moving:
                action, place = new_action(label, ob)
                write_bones(place, ob, clip, motions, names, rate)
                root = next((n for n in moving if n not in names and clip.nodes[n].name == ob.name), None)
                if root is not None:
                    write_object(place, ob, clip, motions, root, rate)
        elif moving:
            own = [number for number in sorted(moving) if clip.nodes[number].name == ob.name]
            number = (own or (cameras if ob.type == "CAMERA" else []) or sorted(moving))[0]
            if number in moving:
                action, place = new_action(label, ob)
                write_object(place, ob, clip, motions, number, rate)
        if ob.type == "CAMERA":
            write_camera(ob, clip, [track for track in clip if track.property == "fov"][:1], rate, action)
        meshes = [mesh for mesh in ([ob] if ob.type == "MESH" else ob.children) if mesh.type == "MESH" and mesh.data.shape_keys]
        shapes = write_shapes(meshes, clip, rate, action)
        if action is None and not shapes and ob.type != "CAMERA":
            told.append(f"{os.path.basename(path)}: warning: nothing of the clip '{clip.name}' is for '{ob.name}'")
            continue
        if action is not None:
            action.use_frame_range, action.frame_start, action.frame_end = True, clip.start * rate, clip.end * rate
            action.use_cyclic = clip.loop == "wrap"
        made.append((label, clip.start * rate, clip.end * rate))
    if not made:
        raise programs.Error(f"{os.path.basename(path)}: there is no clip for this object in the file")
    return made, told
