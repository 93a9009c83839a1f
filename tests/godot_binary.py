#!/usr/bin/env python3
"""godot_binary.py: writes files of Godot for tests, the same content as text and as binary files of every format.

    scene FORMAT [big] [double] [inline]   a scene, binary, to standard output
    text FORMAT                            the same as text
    clip KEYS TRACKS                       an Animation with so many keys in each of so many tracks
    packed MODE BLOCK FORMAT [big] ...     the scene in compressed blocks: fastlz, deflate, gzip, brotli or a number
    files                                  of each line of the input, FILE and one of the above, that file
"""
import math
import struct
import sys
import zlib


class Type:
    """A value: its code and numbers in binary, its word in text (of Godot 2, 3 and 4)."""

    def __init__(self, code, words, data, real='r'):
        self.code, self.words, self.data, self.real = code, words, list(data), real


def vector3(*numbers): return Type(12, ('Vector3',) * 3, numbers)
def transform(*numbers): return Type(17, ('Transform', 'Transform', 'Transform3D'), numbers)
def color(*numbers): return Type(20, ('Color',) * 3, numbers, 'f')
def floats(*numbers): return Type(33, ('FloatArray', 'PoolRealArray', 'PackedFloat32Array'), numbers, 'f')
def ints(*numbers): return Type(32, ('IntArray', 'PoolIntArray', 'PackedInt32Array'), numbers, 'i')
def bytes_(*numbers): return Type(31, ('ByteArray', 'PoolByteArray', 'PackedByteArray'), numbers, 'B')


class Path(str): pass
class Name(str): pass


class Sub:
    def __init__(self, number): self.number = number


class Ext:
    def __init__(self, number): self.number = number


class Writer:
    def __init__(self, form, big=False, double=False, inline=False, base=0):
        self.form, self.inline, self.double, self.base = form, inline, double, base
        self.order = '>' if big else '<'
        self.names = []

    def u32(self, number): return struct.pack(self.order + 'I', number)
    def u64(self, number): return struct.pack(self.order + 'Q', number)

    def text(self, text):
        data = text.encode() + b'\0'
        return self.u32(len(data)) + data

    def name(self, text):
        if self.inline and self.form >= 2:
            data = text.encode() + b'\0'
            return self.u32(0x80000000 | len(data)) + data
        if text not in self.names:
            self.names.append(text)
        return self.u32(self.names.index(text))

    def numbers(self, data, real):
        real = {'r': 'd' if self.double else 'f'}.get(real, real)
        return struct.pack(self.order + str(len(data)) + real, *data)

    def path(self, path):
        names, *subnames = path.split(':')
        absolute = names.startswith('/')
        names = [n for n in names.split('/') if n]
        count = len(subnames) if self.form >= 3 else max(0, len(subnames) - 1)
        out = struct.pack(self.order + 'HH', len(names), count | (0x8000 if absolute else 0))
        out += b''.join(self.name(n) for n in names + subnames)
        return out + (self.name('') if self.form < 3 and not subnames else b'')

    def value(self, value):
        u32 = self.u32
        if value is None: return u32(1)
        if isinstance(value, bool): return u32(2) + u32(value)
        if isinstance(value, int):
            return u32(3) + struct.pack(self.order + 'i', value) if abs(value) < 1 << 31 else \
                u32(40) + struct.pack(self.order + 'q', value)
        if isinstance(value, float):
            if struct.unpack('f', struct.pack('f', value))[0] == value:
                return u32(4) + self.numbers([value], 'r')
            return u32(41) + self.numbers([value], 'd')
        if isinstance(value, Path): return u32(22) + self.path(value)
        if isinstance(value, Name): return u32(44 if self.form >= 4 else 5) + self.text(value)
        if isinstance(value, str): return u32(5) + self.text(value)
        if isinstance(value, Sub):
            return u32(24) + u32(2) + u32(value.number - 1 if self.form >= 4 else value.number)
        if isinstance(value, Ext): return u32(24) + u32(3) + u32(value.number)
        if isinstance(value, dict):
            return u32(26) + u32(len(value)) + b''.join(self.value(k) + self.value(v) for k, v in value.items())
        if isinstance(value, list) and value and all(isinstance(v, str) and not isinstance(v, Path) for v in value):
            return u32(34) + u32(len(value)) + b''.join(map(self.text, value))
        if isinstance(value, list): return u32(30) + u32(len(value)) + b''.join(map(self.value, value))
        count = u32(len(value.data)) if value.code in (31, 32, 33) else b''
        return u32(value.code) + count + self.numbers(value.data, value.real) + \
            (b'\0' * (-len(value.data) % 4) if value.code == 31 else b'')

    def file(self, kind, externals, resources):
        """resources: (class, properties); the last is the main one."""
        def path(i): return 'res://main' if i + 1 == len(resources) else f'local://{i + 1}'
        bodies = [self.text(c) + self.u32(len(p)) + b''.join(self.name(k) + self.value(v) for k, v in p.items())
                  for c, p in resources]
        flags = (3 if self.form >= 4 else 0) | (4 if self.double else 0) | (8 if self.form >= 5 else 0)
        table = self.u32(len(self.names)) + b''.join(map(self.text, self.names)) + self.u32(len(externals))
        for c, p in externals:
            table += self.text(c) + self.text(p) + (self.u64(2 ** 64 - 1) if self.form >= 4 else b'')
        table += self.u32(len(resources))
        major = {0: 1, 1: 2, 2: 3, 3: 3}.get(self.form, 4)
        head = b'RSRC' + struct.pack('<II', self.order == '>', 0) + self.u32(major) + self.u32(0) + self.u32(self.form)
        head += self.text(kind)
        script = self.text('Hero') if flags & 8 else b''
        at = self.base + len(head) + 8 + 4 + 8 + len(script) + 44 + len(table)
        at += sum(len(self.text(path(i))) + 8 for i in range(len(resources)))
        for i, body in enumerate(bodies):
            table += self.text(path(i)) + self.u64(at)
            at += len(body)
        metadata = b''
        if self.form <= 1:
            metadata = self.text('importer') + self.u32(1) + self.text('a.dae') + self.text('0123') + self.u32(1) + \
                self.text('fps') + self.value(15)
        head += self.u64(at if metadata else 0) + self.u32(flags) + self.u64(2 ** 64 - 1) + script + b'\0' * 44
        return head + table + b''.join(bodies) + metadata + b'RSRC'


class Text:
    def __init__(self, form): self.old, self.word = form < 4, 0 if form <= 1 else 1 if form <= 3 else 2

    def value(self, value):
        if value is None: return 'null'
        if isinstance(value, bool): return str(value).lower()
        if isinstance(value, (int, float)): return repr(value)
        if isinstance(value, Path): return f'NodePath("{value}")'
        if isinstance(value, Name): return ('' if self.old else '&') + f'"{value}"'
        if isinstance(value, str): return f'"{value}"'
        if isinstance(value, Sub): return f'SubResource( {value.number} )' if self.old else f'SubResource("{value.number}")'
        if isinstance(value, Ext):
            return f'ExtResource( {value.number + 1} )' if self.old else f'ExtResource("{value.number + 1}")'
        if isinstance(value, dict):
            return '{' + ', '.join(self.value(k) + ': ' + self.value(v) for k, v in value.items()) + '}'
        if isinstance(value, list): return '[' + ', '.join(map(self.value, value)) + ']'
        return value.words[self.word] + '( ' + ', '.join(f'{n:.9g}' for n in value.data) + ' )'

    def properties(self, properties): return ''.join(f'{k} = {self.value(v)}\n' for k, v in properties.items())


def animation(old):
    keys = {'times': floats(0, 0.5, 1.25), 'transitions': floats(1, 0.5, 1), 'update': 0}
    clip = {'resource_name': 'walk', 'length': 1.5, 'loop' if old else 'loop_mode': True if old else 1, 'step': 0.1}
    tracks = [('value', 'Body:translation' if old else 'Body:position',
               {**keys, 'values': [vector3(0, 0, 0), vector3(0.1, 2.5, -3), vector3(1, 1, 1)]}),
              ('value', 'Body:mixed', {**keys, 'values': [1, 0.5, 2]}),
              ('value', 'Lamp:color', {**keys, 'values': [color(1, 0.5, 0, 1), color(0, 0, 0, 0), color(1, 1, 1, 1)]}),
              ('value', 'Lamp:data', {**keys, 'update': 1, 'values': [bytes_(1, 2, 3), ints(4, -5), None]}),
              ('value', 'Lamp:what', {**keys, 'update': 1, 'values': [Path('../Body'), Sub(1), Ext(1)]}),
              ('method', '.', {'times': floats(0.25), 'transitions': floats(1),
                               'values': [{'method': Name('hit'), 'args': [True, 'loud', {'a': 1.5}]}]})]
    if old:
        tracks.append(('transform', 'Skeleton:hip', floats(0, 1, 0, 0.5, 0, 0, 0, 0, 1, 1, 1, 1)))
    else:
        tracks.append(('position_3d', 'Skeleton:hip', floats(0, 1, 0, 0.5, 0, 1, 1, 0, 0.75, 0)))
        tracks.append(('bezier', 'Lamp:energy', {'times': floats(0, 1), 'points':
                                                 floats(0, -0.25, 0, 0.25, 0, 1, -0.25, 0, 0.25, 0),
                                                 'handle_modes': ints(0, 0)}))
    for i, (kind, path, keys) in enumerate(tracks):
        clip.update({f'tracks/{i}/type': kind, f'tracks/{i}/path': Path(path), f'tracks/{i}/interp': 1,
                     f'tracks/{i}/keys': keys})
    return clip


def content(form):
    """(external class, path)s, (class, properties)s, nodes: (parent, name, type, properties)."""
    old = form < 4
    node = 'Spatial' if old else 'Node3D'
    resources = [('Resource', {'resource_name': 'inner'}), ('Animation', animation(old))]
    player = {'anims/walk': Sub(2)}
    if not old:
        resources.append(('AnimationLibrary', {'_data': {Name('walk'): Sub(2)}}))
        player = {'libraries': {Name(''): Sub(3)}}
    rest = transform(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0)
    skeleton = {'bones/0/name': 'hip', 'bones/0/parent': -1, 'bones/0/rest': rest}
    nodes = [(-1, 'Hero', node, {}), (0, 'Body', node, {'transform': transform(0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3)}),
             (1, 'Lamp', 'OmniLight', {}), (0, 'Skeleton', 'Skeleton' if old else 'Skeleton3D', skeleton),
             (0, 'Player', 'AnimationPlayer', player)]
    return [('Texture', 'res://icon.png'), ('Texture', 'res://other.png')], resources, nodes


def bundle(nodes, form):
    names, variants, out = [], [], []

    def index(name):
        if name not in names:
            names.append(name)
        return names.index(name)
    for parent, name, kind, properties in nodes:
        out += [parent, -1 if parent < 0 else 0, index(kind), index(name), -1, len(properties)]
        for key, value in properties.items():
            out += [index(key), len(variants)]
            variants.append(value)
        out += [1, index('group')]
    connections = [1, 0, index('ready'), index('run'), 2, 0] + ([0] if form >= 4 else [])
    packed = {'names': names, 'variants': variants, 'node_count': len(nodes), 'nodes': ints(*out), 'conn_count': 1,
              'conns': ints(*connections), 'node_paths': [], 'editable_instances': []}
    return packed if form == 0 else {**packed, 'version': 3 if form >= 4 else 2}


def scene(form, *options, base=0):
    writer = Writer(form, *[o in options for o in ('big', 'double', 'inline')], base=base)
    externals, resources, nodes = content(form)
    return writer.file('PackedScene', externals, resources + [('PackedScene', {'_bundled': bundle(nodes, form)})])


def scene_text(form):
    text, (externals, resources, nodes) = Text(form), content(form)
    out = f'[gd_scene format={[1, 1, 2, 2, 3, 3, 4][form]}]\n\n'
    quote = '' if form < 4 else '"'
    for i, (kind, path) in enumerate(externals):
        out += f'[ext_resource path="{path}" type="{kind}" id={quote}{i + 1}{quote}]\n'
    for i, (kind, properties) in enumerate(resources):
        out += f'\n[sub_resource type="{kind}" id={quote}{i + 1}{quote}]\n' + text.properties(properties)
    paths = []
    for parent, name, kind, properties in nodes:
        above = '' if parent < 0 else f' parent="{paths[parent]}"'
        paths.append('.' if parent < 0 else name if paths[parent] == '.' else paths[parent] + '/' + name)
        out += f'\n[node name="{name}" type="{kind}"{above} groups=["group"]]\n' + text.properties(properties)
    return out + '\n[connection signal="ready" from="Body" to="." method="run"]\n'


def clip(keys, tracks):
    properties = {'resource_name': 'long', 'length': keys / 30}
    for i in range(tracks):
        rows = [n for k in range(keys) for n in (k / 30, 1, math.sin(k + i), math.cos(k), 0.5)]
        properties.update({f'tracks/{i}/type': 'position_3d', f'tracks/{i}/path': Path(f'A/Skeleton3D:Bone{i}'),
                           f'tracks/{i}/keys': floats(*rows)})
    return Writer(6).file('Animation', [], [('Animation', properties)])


def fastlz(block):
    """Level 1: runs of one byte as copies from one byte before, else literals."""
    block += b'\0' * (16 - len(block))
    out, at, plain = bytearray(), 0, bytearray()

    def flush():
        for i in range(0, len(plain), 32):
            out.append(len(plain[i:i + 32]) - 1)
            out.extend(plain[i:i + 32])
        plain.clear()
    while at < len(block):
        run = 0
        while at > 0 and run < 264 and at + run < len(block) and block[at + run] == block[at - 1]:
            run += 1
        if run < 3:
            plain.append(block[at])
            at += 1
            continue
        flush()
        out += bytes([(run - 2) << 5, 0] if run < 9 else [7 << 5, run - 9, 0])
        at += run
    flush()
    return bytes(out)


def gzip(block):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(block) + packer.flush()


def packed(mode, size, form, *options):
    """Offsets count from the first byte behind the magic, which compressed files do not have."""
    modes = {'fastlz': (0, fastlz), 'deflate': (1, zlib.compress), 'gzip': (3, gzip), 'brotli': (4, bytes)}
    number, pack = modes.get(mode) or (int(mode), bytes)
    body = scene(form, *options, base=-4)[4:]
    blocks = [pack(body[i * size:(i + 1) * size]) for i in range(len(body) // size + 1)]
    return b'RSCC' + struct.pack('<III', number, size, len(body)) + b''.join(struct.pack('<I', len(b)) for b in blocks) + \
        b''.join(blocks) + b'RSCC'


def made(command, *rest):
    if command == 'scene':
        return scene(int(rest[0]), *rest[1:])
    if command == 'text':
        return scene_text(int(rest[0])).encode()
    if command == 'clip':
        return clip(int(rest[0]), int(rest[1]))
    return packed(rest[0], int(rest[1]), int(rest[2]), *rest[3:])


if sys.argv[1] == 'files':
    for name, *how in map(str.split, sys.stdin):
        with open(name, 'wb') as out:
            out.write(made(*how))
else:
    sys.stdout.buffer.write(made(*sys.argv[1:]))
