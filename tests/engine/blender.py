"""blender.py FILE [TRUTH.json [KEYS.json]] [-- FILE ...]: what Blender makes of each .glb, .gltf, .bvh or .fbx, in one process, for it
takes a second to start: blender -b -P blender.py -- ...

TRUTH is what anim-emit json printed of the file's one clip, sampled in world space (anim-bake --world): every node that both
have must stand there at every sample. Of a .glb the keys of Blender's curves must be those of the file, of a .bvh those of
KEYS, which is the file as anim-emit json prints it. Prints counts and the largest distance, in parts of the model."""
import json, math, os, re, sys

import bpy
import io_anim_bvh.import_bvh
import numpy
from mathutils import Matrix, Quaternion, Vector

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import gltf_keys

# Debian 12's importers are older than its numpy and its Python.
numpy.bool = bool
io_anim_bvh.import_bvh.open = lambda path, mode: open(path)
LIMIT = 1e-4
UP = Matrix.Rotation(math.pi / 2, 4, 'X')  # from Y up to Z up


def records(path):
    return [json.loads(line) for line in open(path, encoding='utf-8')]


def plain(name):
    """Names as paths have them."""
    return re.sub('[/:]', '_', name)


def last(path):
    """Behind a skeleton's ':' stands a bone; another ':' is a letter of a name."""
    return plain(re.sub('^[^:]*Skeleton[^:]*:', '', path.split('/')[-1]))


def by_name(pairs):
    """What one alone is called."""
    pairs = list(pairs)
    names = [name for name, _ in pairs]
    return {name: what for name, what in pairs if names.count(name) == 1}


def nodes():
    """Blender's bones and objects by name, but for those that it moves on its own: skinned meshes, and what it aims."""
    for thing in bpy.data.objects:
        if thing.type == 'ARMATURE':
            yield from ((plain(bone.name), (thing, bone)) for bone in thing.pose.bones)
        if thing.type in ('EMPTY', 'MESH', 'ARMATURE') and not any(m.type == 'ARMATURE' for m in thing.modifiers):
            yield plain(thing.name), (thing, None)


def world(thing, bone, keeps_axes=False):
    """In glTF's axes; a bone's own axes are those of its node, and those of an object too if the importer keeps them."""
    if bone:
        return UP.inverted() @ thing.matrix_world @ bone.matrix
    if keeps_axes:
        return UP.inverted() @ thing.matrix_world
    return UP.inverted() @ thing.matrix_world @ UP


def places(truth, first, keeps_axes=False):
    """The largest distance from the truth; with turns where the file's own axes of bones are kept."""
    tracks = {}
    for record in truth:
        if 'track' in record:
            track = record['track']
            tracks[track['node'], track['property']] = track['columns']['value']
    wanted = by_name((last(node), node) for node, what in tracks if what == 'position')
    found = by_name(nodes())
    both = sorted(set(wanted) & set(found))
    size = max(max(abs(x) for v in tracks[wanted[name], 'position'] for x in v) for name in both)
    worst, at = 0, None
    for frame in range(max(len(values) for values in tracks.values())):
        bpy.context.scene.frame_set(first + frame)
        for name in both:
            matrix = world(*found[name], keeps_axes)
            expected = tracks[wanted[name], 'position']
            off = (matrix.to_translation() - Vector(expected[min(frame, len(expected) - 1)])).length / max(size, 1)
            turns = tracks.get((wanted[name], 'rotation')) if first == 0 else None
            if turns:
                x, y, z, w = turns[min(frame, len(turns) - 1)]
                turn = matrix.to_quaternion().normalized()
                other = Quaternion((w, x, y, z)).normalized()
                off = max(off, min((turn - other).magnitude, (turn + other).magnitude))
            if off > worst:
                worst, at = off, (name, frame)
    print('%d of %d nodes, %d frames, %.1e off at %s' % (len(both), len(wanted), frame + 1, worst, at))
    assert worst <= LIMIT


def curves(thing, path):
    """Blender's curves of one property, and of a bone's: its rest, which they are relative to."""
    for owner, bone in [thing]:
        data = 'pose.bones["%s"].%s' % (bpy.utils.escape_identifier(bone.name), path) if bone else path
        action = owner.animation_data and owner.animation_data.action
        rest = bone.bone.matrix_local if bone else Matrix()
        if bone and bone.parent:
            rest = bone.parent.bone.matrix_local.inverted() @ rest
        return [c for c in (action.fcurves if action else []) if c.data_path == data], rest


def gltf_channels(path):
    document, data = gltf_keys.load(path)
    for animation in document['animations']:
        for channel in animation['channels']:
            sampler, target = animation['samplers'][channel['sampler']], channel['target']
            times = gltf_keys.numbers(document, data, sampler['input'])
            values = gltf_keys.numbers(document, data, sampler['output'])
            mode, lanes = sampler.get('interpolation', 'LINEAR'), {'rotation': 4}.get(target['path'], 3)
            parts = 3 if mode == 'CUBICSPLINE' else 1
            if 'node' in target and target['path'] in ('translation', 'rotation', 'scale'):
                keys = [values[(k * parts + parts // 2) * lanes:][:lanes] for k in range(len(times))]
                yield plain(document['nodes'][target['node']].get('name', '')), target['path'], mode, times, keys


def gltf_keys_kept(path):
    """Blender's curves have the file's times, values and modes; the rests of bones are taken out again."""
    found, count, fps = by_name(nodes()), 0, bpy.context.scene.render.fps
    for name, what, mode, times, keys in gltf_channels(path):
        if name not in found or not found[name][1] and found[name][0].parent_type == 'BONE':
            continue  # an object at a bone stands at the bone's other end
        lanes, rest = curves(found[name], {'translation': 'location', 'rotation': 'rotation_quaternion'}.get(what, what))
        bone = found[name][1]
        turned = Matrix() if bone and bone.parent else UP  # a bone's children stand in the axes of its node
        assert len(lanes) == len(keys[0]), (name, what)
        for lane in lanes:
            assert len(lane.keyframe_points) == len(times), (name, what)
            for point, time in zip(lane.keyframe_points, times):
                assert abs(point.co[0] - time * fps) <= 1e-6 * max(1, time * fps), (name, what, time)
                assert point.interpolation == {'STEP': 'CONSTANT', 'LINEAR': 'LINEAR', 'CUBICSPLINE': 'BEZIER'}[mode]
        for k, key in enumerate(keys):
            value = [lane.keyframe_points[k].co[1] for lane in lanes]
            if what == 'translation':
                value = turned.inverted() @ rest @ Vector(value) if bone else UP.inverted() @ Vector(value)
            elif what == 'rotation':
                turn, up = Quaternion(value), turned.to_quaternion()
                turn = up.inverted() @ rest.to_quaternion() @ turn if bone else up.inverted() @ turn @ up
                key, other = Quaternion((key[3], *key[:3])), [turn.x, turn.y, turn.z, turn.w]
                value = other if turn.dot(key) > 0 else [-v for v in other]
                key = [key.x, key.y, key.z, key.w]
            elif not bone:
                value = [value[0], value[2], value[1]]
            size = max(1, *(abs(x) for x in key))
            assert max(abs(a - b) for a, b in zip(value, key)) < 1e-5 * size, (name, what, k, list(value), key)
        count += len(keys)
    return count


def bvh_keys_kept(path, keys):
    """The numbers of each frame are those of Blender's objects."""
    bpy.ops.import_anim.bvh(filepath=path, target='OBJECT', use_fps_scale=False)
    found, count = {thing.name: thing for thing in bpy.context.selected_objects}, 0
    for record in keys:
        if record.get('track', {}).get('property') != 'euler':
            continue
        name, values = last(record['track']['node']), record['track']['columns']['value']
        lanes = [c for c in found[name].animation_data.action.fcurves if c.data_path == 'delta_rotation_euler']
        for lane in lanes:
            points = lane.keyframe_points[-len(values):]  # before them stands Blender's own frame of rest
            for point, value in zip(points, values):
                assert abs(point.co[1] - math.radians(value[lane.array_index])) < 1e-6, (name, point.co[0])
        count += len(values) * len(lanes) // 3
    return count


def look(path, truth=None, keys=None):
    print('== ' + path, flush=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith('.bvh'):
        bpy.ops.import_anim.bvh(filepath=path, use_fps_scale=False)
        places(records(truth), 1)
        print('%d keys kept' % bvh_keys_kept(path, records(keys)))
        return
    if path.endswith('.fbx'):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0)
        assert bpy.context.scene.render.fps == 30, bpy.context.scene.render.fps
        places(records(truth), 0, keeps_axes=True)
        return
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=path, bone_heuristic='BLENDER')
    if truth:
        places(records(truth), 0)
    print('%d keys kept' % gltf_keys_kept(path))


def main(words):
    group = []
    for word in words + ['--']:
        if word != '--':
            group.append(word)
        elif group:
            look(*group)
            group = []


main(sys.argv[sys.argv.index('--') + 1:])
