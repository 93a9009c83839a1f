#!/usr/bin/env python3
"""make.py: writes the files of this folder anew, the same bytes each time."""
import base64, json, math, random, struct

random.seed(14)


class Asset:
    """A document whose accessors are added one by one; one buffer."""

    def __init__(self, **members):
        self.doc = {'asset': {'version': '2.0', 'generator': 'make.py'}, **members, 'accessors': [], 'bufferViews': [], 'buffers': []}
        self.data = b''

    def view(self, data, **members):
        self.data += bytes(-len(self.data) % 4)
        self.doc['bufferViews'].append({'buffer': 0, 'byteOffset': len(self.data), 'byteLength': len(data), **members})
        self.data += data
        return len(self.doc['bufferViews']) - 1

    def accessor(self, code, lanes, values, **members):
        flat = [x for v in values for x in (v if lanes > 1 else [v])]
        types = {'b': 5120, 'B': 5121, 'h': 5122, 'H': 5123, 'I': 5125, 'f': 5126}
        self.doc['accessors'].append({'bufferView': self.view(struct.pack('<%d%s' % (len(flat), code), *flat)),
                                      'componentType': types[code], 'count': len(values),
                                      'type': ['', 'SCALAR', 'VEC2', 'VEC3', 'VEC4'][lanes], **members})
        return len(self.doc['accessors']) - 1

    def json(self, name, uri=None):
        uri = uri or 'data:application/octet-stream;base64,' + base64.b64encode(self.data).decode()
        self.doc['buffers'] = [{'byteLength': len(self.data), 'uri': uri}]
        open(name, 'w').write(json.dumps(self.doc, indent=1, ensure_ascii=False) + '\n')

    def glb(self, name, buffers=None):
        self.doc['buffers'] = [{'byteLength': len(self.data)}] + (buffers or [])
        text = json.dumps(self.doc, separators=(',', ':')).encode()
        text += b' ' * (-len(text) % 4)
        data = self.data + bytes(-len(self.data) % 4)
        open(name, 'wb').write(struct.pack('<4sIII4s', b'glTF', 2, 28 + len(text) + len(data), len(text), b'JSON') + text +
                               struct.pack('<I4s', len(data), b'BIN\0') + data)


def turn(degrees, axis=1):
    q = [0, 0, 0, math.cos(math.radians(degrees) / 2)]
    q[axis] = math.sin(math.radians(degrees) / 2)
    return q


def channel(sampler, node, path):
    return {'sampler': sampler, 'target': {'node': node, 'path': path}}


def pointer(sampler, text):
    return {'sampler': sampler, 'target': {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': text}}}}


def interpolations():
    a = Asset(scene=0, scenes=[{'nodes': [3, 0]}], nodes=[
        {'name': 'rig', 'children': [1, 2, 4]},
        {'name': 'arm/left:upper', 'translation': [0, 1, 0], 'rotation': turn(30), 'scale': [2, 2, 2]},
        {'name': 'twin'}, {'camera': 0, 'matrix': [0, 0, -1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 3, 4, 5, 1]}, {'name': 'twin', 'mesh': 0, 'skin': 0}],
        cameras=[{'type': 'perspective', 'perspective': {'yfov': 1, 'znear': 0.1}}], skins=[{'joints': [0, 1]}],
        meshes=[{'primitives': [{'attributes': {}, 'targets': [{}, {}]}], 'extras': {'targetNames': ['smile', 'Ä']}}])
    times = a.accessor('f', 1, [0.25, 0.5, 1.25], min=[0.25], max=[1.25])
    moves = a.accessor('f', 3, [[0, 1, 0], [0.1, 1.5, -2], [3, 1, 0.3]])
    turns = a.accessor('f', 4, [turn(0), turn(100), [-x for x in turn(150)]])
    cubic = a.accessor('f', 4, [v for k in range(3) for v in ([0.1 * k, 0, 0.2, 0], turn(70 * k, 2), [0, 0.3, -0.1 * k, 0.4])])
    sizes = a.accessor('f', 3, [[k + j, 1, 1 - j] for k in range(3) for j in range(3)])
    shapes = a.accessor('f', 1, [0, 1, 0.5, 0.25, 1, 0])
    cubic_shapes = a.accessor('f', 1, [k * 10 + j for k in range(3) for j in range(6)])
    a.doc['animations'] = [
        {'name': 'walk', 'samplers': [{'input': times, 'output': moves, 'interpolation': 'STEP'}, {'input': times, 'output': turns},
                                      {'input': times, 'output': cubic, 'interpolation': 'CUBICSPLINE'},
                                      {'input': times, 'output': sizes, 'interpolation': 'CUBICSPLINE'},
                                      {'input': times, 'output': moves, 'interpolation': 'LINEAR'}],
         'channels': [channel(0, 1, 'translation'), channel(1, 1, 'rotation'), channel(2, 2, 'rotation'), channel(3, 4, 'scale'),
                      channel(4, 0, 'translation')]},
        {'samplers': [{'input': times, 'output': shapes}], 'channels': [channel(0, 4, 'weights')]},
        {'samplers': [{'input': times, 'output': cubic_shapes, 'interpolation': 'CUBICSPLINE'}], 'channels': [channel(0, 4, 'weights')]}]
    a.json('interpolations.gltf')
    a.json('external.gltf', 'some%20keys.bin')
    open('some keys.bin', 'wb').write(a.data)


def types():
    a = Asset(nodes=[{'name': 'face', 'mesh': 0}, {'name': 'spin'}],
              meshes=[{'primitives': [{'attributes': {}, 'targets': [{}, {}, {}]}], 'weights': [0, 0, 0]}])
    times = a.accessor('f', 1, [0, 0.5, 1, 2])
    small = [[0, 0, 0, 127], [0, 90, 0, 90], [-128, 0, 0, 0], [64, -64, 64, 64]]
    wide = [[0, 0, 0, 32767], [0, 23170, 0, 23170], [-32768, 0, 0, 0], [16384, -16384, 16384, 16384]]
    outputs = [a.accessor('b', 4, small, normalized=True), a.accessor('h', 4, wide, normalized=True),
               a.accessor('B', 4, [[0, 0, 0, 255], [0, 180, 0, 180], [255, 0, 0, 0], [128, 128, 128, 128]], normalized=True),
               a.accessor('H', 4, [[0, 0, 0, 65535], [0, 46340, 0, 46340], [65535, 0, 0, 0], [32768] * 4], normalized=True)]
    tight = a.accessor('f', 4, [turn(20 * k) for k in range(4)])
    a.data += bytes(-len(a.data) % 4)
    rows = b''.join(struct.pack('<5f', *turn(35 * k, 0), 99) for k in range(4))
    a.doc['bufferViews'].append({'buffer': 0, 'byteOffset': len(a.data), 'byteLength': len(rows), 'byteStride': 20})
    a.data += rows
    a.doc['accessors'].append({'bufferView': len(a.doc['bufferViews']) - 1, 'componentType': 5126, 'count': 4, 'type': 'VEC4'})
    outputs += [tight, len(a.doc['accessors']) - 1]
    plain = a.accessor('B', 1, [0, 64, 255, 1, 2, 3, 10, 20, 30, 40, 50, 255], normalized=True)
    where, what = a.view(struct.pack('<3H', 1, 5, 11)), a.view(struct.pack('<3f', 0.5, 1, 0.125))
    sparse = {'count': 3, 'indices': {'bufferView': where, 'componentType': 5123}, 'values': {'bufferView': what}}
    a.doc['accessors'].append({'componentType': 5126, 'count': 12, 'type': 'SCALAR', 'sparse': sparse})
    zeros = len(a.doc['accessors']) - 1
    based = a.accessor('f', 1, [0.1 * k for k in range(12)], sparse=sparse)
    a.doc['animations'] = [
        {'name': 'rotation %d' % i, 'samplers': [{'input': times, 'output': o}], 'channels': [channel(0, 1, 'rotation')]}
        for i, o in enumerate(outputs)] + [
        {'name': 'weights %d' % i, 'samplers': [{'input': times, 'output': o}], 'channels': [channel(0, 0, 'weights')]}
        for i, o in enumerate([plain, zeros, based])]
    a.json('types.gltf')


def pointers():
    a = Asset(extensionsUsed=['KHR_animation_pointer', 'KHR_node_visibility'], scenes=[{'nodes': [0, 1]}],
              nodes=[{'name': 'lamp', 'mesh': 0, 'extensions': {'KHR_node_visibility': {'visible': False}}}, {'name': 'eye', 'camera': 0, 'mesh': 1}],
              cameras=[{'type': 'perspective', 'perspective': {'yfov': 0.5, 'znear': 0.1}}], materials=[{}],
              meshes=[{'primitives': [{'attributes': {}, 'targets': [{}, {}]}]}] * 2)
    times = a.accessor('f', 1, [0, 1])
    outputs = [a.accessor('B', 1, [1, 0]), a.accessor('f', 1, [0.5, 1]), a.accessor('f', 4, [[1, 0, 0, 1], [0, 0.5, 1, 0]]),
               a.accessor('f', 3, [[0, 0, 0], [1, 2, 3]]), a.accessor('f', 1, [0.25, 0.75]), a.accessor('f', 1, [1, 2, 3, 4]),
               a.accessor('B', 1, [0, 255], normalized=True)]
    names = ['/nodes/0/extensions/KHR_node_visibility/visible', '/cameras/0/perspective/yfov',
             '/materials/0/pbrMetallicRoughness/baseColorFactor', '/nodes/1/translation', '/nodes/0/weights/1', '/meshes/1/weights',
             '/materials/0/alphaCutoff']
    a.doc['animations'] = [{'name': 'all', 'samplers': [{'input': times, 'output': o, 'interpolation': 'LINEAR' if i else 'STEP'}
                                                        for i, o in enumerate(outputs)],
                            'channels': [pointer(i, name) for i, name in enumerate(names)]}]
    a.json('pointers.gltf')


def vrm():
    a = Asset(scene=0, scenes=[{'nodes': [0, 2, 3]}], extensionsUsed=['VRMC_vrm_animation'],
              nodes=[{'name': 'Bip01', 'children': [1], 'translation': [0, 0.9, 0]}, {'name': 'Bip01 Spine'}, {'name': 'face_happy'},
                     {'name': 'look'}],
              extensions={'VRMC_vrm_animation': {'specVersion': '1.0', 'humanoid': {'humanBones': {'hips': {'node': 0}, 'spine': {'node': 1}}},
                                                 'expressions': {'preset': {'happy': {'node': 2}}}, 'lookAt': {'node': 3}}})
    times = a.accessor('f', 1, [0, 0.5, 1])
    outputs = [a.accessor('f', 3, [[0, 0.9, 0], [0, 1, 0], [0, 0.9, 0.1]]), a.accessor('f', 4, [turn(0), turn(20), turn(-20)]),
               a.accessor('f', 3, [[0, 0, 0], [1, 0, 0], [0.5, 0, 0]])]
    a.doc['animations'] = [{'samplers': [{'input': times, 'output': o} for o in outputs],
                            'channels': [channel(0, 0, 'translation'), channel(1, 1, 'rotation'), channel(2, 2, 'translation')]}]
    a.glb('vrm.vrma')


def zigzag(d, bits):
    d &= (1 << bits) - 1
    return (d << 1 ^ ((1 << bits) - 1 if d >> (bits - 1) else 0)) & ((1 << bits) - 1)


def planes(elements, stride, channels, last):
    """What the decoder adds up: a byte of each element for each byte position."""
    out = [[] for _ in range(stride)]
    for e in elements:
        for k in range(0, stride, 4):
            mode, r = channels[k // 4] & 15, channels[k // 4] >> 4
            if mode == 2:
                x = struct.unpack_from('<I', e, k)[0] ^ struct.unpack_from('<I', last, k)[0]
                z = struct.pack('<I', (x << r | x >> (32 - r)) & 0xffffffff)
            else:
                code, step = ('B', 'H')[mode], mode + 1
                z = b''.join(struct.pack('<' + code, zigzag(struct.unpack_from('<' + code, e, k + b)[0] - struct.unpack_from('<' + code, last, k + b)[0],
                                                            8 * step)) for b in range(0, 4, step))
            for b in range(4):
                out[k + b].append(z[b])
        last = e
    return out, last


def group(values, width):
    if width in (0, 8):
        return bytes(values) if width else b''
    escape, codes, more = (1 << width) - 1, 0, b''
    for i, v in enumerate(values):
        code = min(v, escape)
        more += bytes([v]) if code == escape else b''
        codes |= code << (i * width if width == 1 else 8 * (i * width // 8) + 8 - width - i * width % 8)
    return codes.to_bytes(2 * width, 'little') + more


def plane(values, widths):
    """In groups, each with a width that fits, by turns not the smallest one."""
    values = values + [0] * (-len(values) % 16)
    head, body = 0, b''
    for g in range(len(values) // 16):
        part = values[16 * g:16 * g + 16]
        fits = [i for i, w in enumerate(widths) if w > 0 or not any(part)]
        pick = random.choice(fits)
        head |= pick << (2 * g)
        body += group(part, widths[pick])
    return head.to_bytes((len(values) // 16 + 3) // 4, 'little') + body


def meshopt(elements, stride, version):
    channels = [random.choice([0, 1, 2 | random.randrange(32) << 4 & 0xf0]) if version else 0 for _ in range(stride // 4)]
    first = last = elements[0]
    most, out = min(8192 // stride & ~15, 256), bytes([0xa0 | version])
    for at in range(0, len(elements), most):
        deltas, last = planes(elements[at:at + most], stride, channels, last)
        controls, body = 0, b''
        for k, values in enumerate(deltas):
            control = random.choice([0, 1, 3] if any(values) else [0, 1, 2, 3])
            controls |= control << (2 * k)
            if not version:
                body += plane(values, (0, 2, 4, 8))
            elif control == 3:
                body += bytes(values)
            elif control < 2:
                body += plane(values, ((0, 1, 2, 4), (1, 2, 4, 8))[control])
        out += (controls.to_bytes(stride // 4, 'little') if version else b'') + body
    tail = first + (bytes(channels) if version else b'')
    return out + bytes(max(0, (24 if version else 32) - len(tail))) + tail


def packed():
    n, a = 300, Asset(nodes=[{'name': 'old'}, {'name': 'new'}])
    times = struct.pack('<%df' % n, *[k / 30 for k in range(n)])
    rotations = []
    for k in range(n):
        q = turn(3 * k, k % 3)
        drop = max(range(4), key=lambda i: abs(q[i]))
        q = [-x for x in q] if q[drop] < 0 else q
        one = 2047
        rotations.append(struct.pack('<4h', *[round(q[(drop + i) % 4] * math.sqrt(2) * one) for i in (1, 2, 3)], one & ~3 | drop))
    moves = [struct.pack('<3I', *[(random.randrange(-5000, 5000) & 0xffffff) | (-10 & 0xff) << 24 for _ in range(3)]) for _ in range(n)]
    places = [(5126, 'SCALAR', 4, [times[4 * k:4 * k + 4] for k in range(n)], 'NONE', {}),
              (5122, 'VEC4', 8, rotations, 'QUATERNION', {'normalized': True}), (5126, 'VEC3', 12, moves, 'EXPONENTIAL', {})]
    for version in (0, 1):
        for component, kind, stride, elements, how, members in places:
            data, size = meshopt(elements, stride, version), stride * n
            view = {'buffer': 1, 'byteOffset': 0, 'byteLength': size, 'extensions': {
                ('EXT', 'KHR')[version] + '_meshopt_compression': {'buffer': 0, 'byteOffset': len(a.data), 'byteLength': len(data),
                                                                   'byteStride': stride, 'count': n, 'mode': 'ATTRIBUTES', 'filter': how}}}
            a.doc['bufferViews'].append(view)
            a.data += data + bytes(-len(data) % 4)
            a.doc['accessors'].append({'bufferView': len(a.doc['bufferViews']) - 1, 'componentType': component, 'count': n, 'type': kind,
                                       **members})
    a.doc['animations'] = [{'name': ('EXT', 'KHR')[v], 'samplers': [{'input': 3 * v, 'output': 3 * v + 1}, {'input': 3 * v, 'output': 3 * v + 2}],
                            'channels': [channel(0, v, 'rotation'), channel(1, v, 'translation')]} for v in (0, 1)]
    a.glb('packed.glb', [{'byteLength': 24 * n}])


for make in (interpolations, types, pointers, vrm, packed):
    make()
