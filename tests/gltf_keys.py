"""gltf_keys.py FILE: every key of a .glb or .gltf as a line: clip, target, mode, time, numbers. It shares no code with the tools."""
import base64, json, os, struct, sys, urllib.parse

FORMATS = {5120: 'b', 5121: 'B', 5122: 'h', 5123: 'H', 5125: 'I', 5126: 'f'}
LANES = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4}


def load(name):
    data = open(name, 'rb').read()
    if data[:4] == b'glTF':
        version, total = struct.unpack_from('<II', data, 4)
        size, kind = struct.unpack_from('<II', data, 12)
        assert version == 2 and total == len(data) and kind == 0x4E4F534A and size % 4 == 0
        rest = data[20 + size:]
        assert not rest or (struct.unpack_from('<I', rest)[0] <= len(rest) - 8 and rest[4:8] == b'BIN\0')
        document, binary = json.loads(data[20:20 + size]), rest[8:]
    else:
        document, binary = json.loads(data.decode('utf-8-sig')), b''
    return document, [load_buffer(name, buffer.get('uri'), binary) for buffer in document.get('buffers', [])]


def load_buffer(name, uri, binary):
    if uri is None:
        return binary
    if uri.startswith('data:'):
        return base64.b64decode(uri.split(',', 1)[1], validate=True)
    return open(os.path.join(os.path.dirname(name), urllib.parse.unquote(uri)), 'rb').read()


def numbers(document, buffers, index):
    accessor = document['accessors'][index]
    view = document['bufferViews'][accessor['bufferView']]
    lanes = LANES[accessor['type']]
    at = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
    code = FORMATS[accessor['componentType']]
    found = struct.unpack_from('<%d%s' % (accessor['count'] * lanes, code), buffers[view['buffer']], at)
    if 'min' in accessor and lanes == 1:
        assert min(found) == struct.unpack('f', struct.pack('f', accessor['min'][0]))[0]
        assert max(found) == struct.unpack('f', struct.pack('f', accessor['max'][0]))[0]
    return found


def target_of(document, target):
    if target['path'] == 'pointer':
        return target['extensions']['KHR_animation_pointer']['pointer']
    return '%s.%s' % (document['nodes'][target['node']].get('name', target['node']), target['path'])


def main():
    document, buffers = load(sys.argv[1])
    for animation in document.get('animations', []):
        for channel in animation['channels']:
            sampler = animation['samplers'][channel['sampler']]
            times = numbers(document, buffers, sampler['input'])
            values = numbers(document, buffers, sampler['output'])
            width = len(values) // len(times)
            for k, time in enumerate(times):
                cells = ' '.join('%.9g' % v for v in values[k * width:(k + 1) * width])
                print(animation.get('name', ''), target_of(document, channel['target']),
                      sampler.get('interpolation', 'LINEAR'), '%.9g' % time, cells)


if __name__ == "__main__":
    main()
