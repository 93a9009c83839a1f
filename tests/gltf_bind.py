"""gltf_bind.py FILE <LINES: whether the rests of joints that anim-emit json printed of FILE are where its skins were bound: the
rest of each in the world times its inverse bind matrix must be the same as its parent joint's. Joints without one above them, and
all other nodes, must be where the file's nodes are. It shares no code with the tools."""
import base64, json, os, struct, sys, urllib.parse

path = sys.argv[1]
raw, binary = open(path, 'rb').read(), b''
if raw[:4] == b'glTF':
    size = struct.unpack_from('<I', raw, 12)[0]
    binary, raw = raw[20 + size + 8:], raw[20:20 + size]
doc = json.loads(raw.decode('utf-8-sig'))


def buffer(number):
    uri = doc['buffers'][number].get('uri')
    if uri is None:
        return binary
    if uri.startswith('data:'):
        return base64.b64decode(uri.split(',', 1)[1])
    return open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), 'rb').read()


def matrices(number):
    accessor = doc['accessors'][number]
    view = doc['bufferViews'][accessor['bufferView']]
    at, data = view.get('byteOffset', 0) + accessor.get('byteOffset', 0), buffer(view['buffer'])
    columns = [struct.unpack_from('<16f', data, at + 64 * i) for i in range(accessor['count'])]
    return [[[c[4 * k + r] for k in range(4)] for r in range(4)] for c in columns]


def compose(t, q, s):
    x, y, z, w = q
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[r[i][j] * s[j] for j in range(3)] + [t[i]] for i in range(3)] + [[0, 0, 0, 1]]


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def off(a, b):
    largest = max([1e-9] + [abs(x) for row in a + b for x in row])
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q)) / largest


def own(node):
    if 'matrix' in node:
        return [[node['matrix'][4 * k + r] for k in range(4)] for r in range(4)]
    return compose(node.get('translation', [0] * 3), node.get('rotation', [0, 0, 0, 1]), node.get('scale', [1] * 3))


world, local, parents, order = {}, {}, {}, []
for line in sys.stdin:
    if not line.startswith('{"node"'):
        continue
    node = json.loads(line)['node']
    number = node['attributes'].get('gltf.node')
    number = -1 if number is None else int(number)
    parent = node['parent']
    parents[number] = None if parent is None or parent < 0 else order[parent]
    order.append(number)
    local[number] = compose(node['position'], node['rotation'], node['scale'])
    above = world.get(parents[number])
    world[number] = multiply(above, local[number]) if above else local[number]

bound, count = set(), 0
for skin in doc.get('skins', []):
    if 'inverseBindMatrices' not in skin:
        continue
    inverse = dict(zip(skin['joints'], matrices(skin['inverseBindMatrices'])))
    for joint in skin['joints']:
        above = parents.get(joint)
        while above is not None and above not in inverse:
            above = parents.get(above)
        if above is None or joint in bound:
            continue
        a, b = (multiply(world[k], inverse[k]) for k in (above, joint))
        assert off(a, b) < 1e-4, (joint, a, b)
        bound.add(joint)
        count += 1
for number, matrix in local.items():
    assert number < 0 or number in bound or off(matrix, own(doc['nodes'][number])) < 1e-6, number
print('%d joints' % count)
