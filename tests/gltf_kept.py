"""gltf_kept.py BEFORE AFTER [CLIP...]: what --into --compact has to keep: every accessor and view that a mesh, a skin, an image, a node
or one of these clips refers to has the same bytes as before, as well aligned, and all of the document that is no list of them is
the same. Prints how many bytes of numbers there were and are. It shares no code with the tools."""
import base64, json, os, struct, sys, urllib.parse

SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
LANES = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT2': 4, 'MAT3': 9, 'MAT4': 16}
LISTS = ('accessors', 'bufferViews', 'buffers', 'animations', 'extensionsUsed')


class File:
    def __init__(self, path):
        raw = open(path, 'rb').read()
        self.bin, self.tail, self.folder = None, b'', os.path.dirname(path)
        if raw[:4] == b'glTF':
            assert struct.unpack_from('<I', raw, 8)[0] == len(raw)
            size = struct.unpack_from('<I', raw, 12)[0]
            rest, raw = raw[20 + size:], raw[20:20 + size]
            if rest[4:8] == b'BIN\0':
                size = struct.unpack_from('<I', rest)[0]
                self.bin, rest = rest[8:8 + size], rest[8 + size:]
            self.tail = rest
        self.doc = json.loads(raw.decode('utf-8-sig'))
        self.buffers = [self.load(i, b) for i, b in enumerate(self.doc.get('buffers', []))]

    def load(self, number, buffer):
        uri = buffer.get('uri')
        if uri is None:
            return self.bin if number == 0 and self.bin is not None else b''
        if uri.startswith('data:'):
            data = base64.b64decode(uri.split(',', 1)[1], validate=True)
            assert len(data) == buffer['byteLength'], 'a data URI of another length'
            return data
        return open(os.path.join(self.folder, urllib.parse.unquote(uri)), 'rb').read()

    def view(self, number):
        """(its bytes, those that it is packed into, how they are aligned)"""
        view, places = self.doc['bufferViews'][number], []
        for part in [view] + [e for name, e in view.get('extensions', {}).items() if name.endswith('_meshopt_compression')]:
            at = part.get('byteOffset', 0)
            places.append((self.buffers[part['buffer']][at:at + part['byteLength']], at % 4))
        return places

    def bytes_of(self, number):
        """An accessor's elements; of one whose view is packed that whole."""
        a = self.doc['accessors'][number]
        parts = [a] if 'bufferView' in a else []
        size = SIZES[a['componentType']] * LANES[a['type']]
        out = [{k: v for k, v in a.items() if k not in ('byteOffset', 'sparse')}]
        sizes = [(size, a['count'])]
        if 'sparse' in a:
            s = a['sparse']
            out.append((s['count'], s['indices']['bufferView'], s['values']['bufferView']))
            parts += [s['indices'], s['values']]
            sizes = sizes[:len(parts) - 2] + [(SIZES[s['indices']['componentType']], s['count']), (size, s['count'])]
        for part, (size, count) in zip(parts, sizes):
            view, at = self.doc['bufferViews'][part['bufferView']], part.get('byteOffset', 0)
            stride = view.get('byteStride', size)
            data, aligned = self.view(part['bufferView'])[0]
            if 'extensions' in view:
                out.append((self.view(part['bufferView']), at))
                continue
            out.append((stride, (aligned + at) % 4, [data[at + i * stride:at + i * stride + size] for i in range(count)]))
            assert at + stride * (count - 1) + size <= view['byteLength']
        return out

    def used(self):
        accessors, views = set(), set()
        for mesh in self.doc.get('meshes', []):
            for p in mesh['primitives']:
                accessors.update(p['attributes'].values())
                accessors.update(i for t in p.get('targets', []) for i in t.values())
                accessors.update([p['indices']] if 'indices' in p else [])
        accessors.update(s['inverseBindMatrices'] for s in self.doc.get('skins', []) if 'inverseBindMatrices' in s)
        views.update(i['bufferView'] for i in self.doc.get('images', []) if 'bufferView' in i)
        for node in self.doc.get('nodes', []):
            accessors.update(node.get('extensions', {}).get('EXT_mesh_gpu_instancing', {}).get('attributes', {}).values())
        return accessors, views


before, after = File(sys.argv[1]), File(sys.argv[2])
for key in set(before.doc) | set(after.doc):
    if key not in LISTS:
        assert before.doc[key] == after.doc[key], key
assert before.tail == after.tail
accessors, views = before.used()
for animation in before.doc.get('animations', []):
    if animation.get('name') in sys.argv[3:]:
        assert animation in after.doc['animations']
        accessors.update(i for s in animation['samplers'] for i in (s['input'], s['output']))
for i in accessors:
    assert before.bytes_of(i) == after.bytes_of(i), 'accessor %d' % i
for i in views:
    assert before.view(i) == after.view(i), 'view %d' % i
for i, view in enumerate(after.doc['bufferViews']):
    assert view.get('byteOffset', 0) + view['byteLength'] <= after.doc['buffers'][view['buffer']]['byteLength'], 'view %d' % i
print(sum(map(len, before.buffers)), sum(map(len, after.buffers)))
