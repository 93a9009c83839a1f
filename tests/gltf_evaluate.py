#!/usr/bin/env python3
"""gltf_evaluate.py FILE [RATE] <LINES: what anim-emit json printed of FILE's tracks against the file itself, read and played
here by the text of the glTF 2.0 specification, with nothing of ours. Without RATE the keys must be the accessors' numbers bit for
bit; with it the tracks were resampled at so many a second, and the values must agree to 1e-6."""
import base64, bisect, json, math, os, struct, sys, urllib.parse

path, rate = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0
raw = open(path, 'rb').read()
binary = b''
if raw[:4] == b'glTF':
    size = struct.unpack_from('<I', raw, 12)[0]
    binary, raw = raw[20 + size + 8:], raw[20:20 + size]
doc = json.loads(raw.decode('utf-8-sig').rstrip('\0'))


def buffer(i):
    uri = doc['buffers'][i].get('uri')
    if uri is None:
        return binary
    if uri.startswith('data:'):
        return base64.b64decode(uri.split(',', 1)[1])
    return open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), 'rb').read()


def elements(view, offset, component, lanes, count):
    view = doc['bufferViews'][view]
    code = {5120: 'b', 5121: 'B', 5122: 'h', 5123: 'H', 5125: 'I', 5126: 'f'}[component] * lanes
    stride = view.get('byteStride') or struct.calcsize('<' + code)
    data, at = buffer(view['buffer']), view.get('byteOffset', 0) + offset
    return [list(struct.unpack_from('<' + code, data, at + i * stride)) for i in range(count)]


def accessor(i):
    a = doc['accessors'][i]
    lanes, component = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4}[a['type']], a['componentType']
    out = [[0] * lanes for _ in range(a['count'])]
    if 'bufferView' in a:
        out = elements(a['bufferView'], a.get('byteOffset', 0), component, lanes, a['count'])
    if 'sparse' in a:
        s = a['sparse']
        where = elements(s['indices']['bufferView'], s['indices'].get('byteOffset', 0), s['indices']['componentType'], 1, s['count'])
        what = elements(s['values']['bufferView'], s['values'].get('byteOffset', 0), component, lanes, s['count'])
        for [k], v in zip(where, what):
            out[k] = v
    most = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}.get(component) if a.get('normalized') else None
    return [[max(x / most, -1) if most else x for x in v] for v in out]


def play(times, keys, interp, rotation, t):
    k = bisect.bisect_right(times, t) - 1
    if k < 0 or k + 1 >= len(times) or t == times[k] or interp == 'STEP':
        return keys[max(k, 0)][1]
    d = times[k + 1] - times[k]
    s, a, b = (t - times[k]) / d, keys[k][1], keys[k + 1][1]
    if interp == 'CUBICSPLINE':
        h = (2 * s**3 - 3 * s**2 + 1, d * (s**3 - 2 * s**2 + s), 3 * s**2 - 2 * s**3, d * (s**3 - s**2))
        return [h[0] * p + h[1] * u + h[2] * q + h[3] * v for p, u, q, v in zip(a, keys[k][2], b, keys[k + 1][0])]
    f, g = 1 - s, s
    if rotation:
        dot = sum(p * q for p, q in zip(a, b))
        angle = math.acos(min(abs(dot), 1))
        if angle > 1e-9:
            f, g = math.sin(f * angle) / math.sin(angle), math.sin(g * angle) / math.sin(angle)
        g = math.copysign(g, dot)
    return [f * p + g * q for p, q in zip(a, b)]


def tracks(animation):
    """(times, keys of in-tangent, value, out-tangent, mode, is it a rotation?) of each track in order."""
    seen = set()
    for channel in animation['channels']:
        target, sampler = channel['target'], animation['samplers'][channel['sampler']]
        pointer = target.get('extensions', {}).get('KHR_animation_pointer', {}).get('pointer')
        pointer = pointer or '/nodes/%d/%s' % (target['node'], target['path'])
        if pointer in seen:
            continue
        seen.add(pointer)
        times, out = [t for [t] in accessor(sampler['input'])], accessor(sampler['output'])
        mode, parts = sampler.get('interpolation', 'LINEAR'), 3 if sampler.get('interpolation') == 'CUBICSPLINE' else 1
        n = len(out) // (len(times) * parts)
        keys = [[out[(k * parts + p) * n:(k * parts + p + 1) * n] for p in range(parts)] for k in range(len(times))]
        unit = 180 / math.pi if pointer.endswith('/perspective/yfov') else 1
        lanes = range(1) if any(e.get('node') == target.get('node') for e in expressions) else range(len(out[0]))
        for i in range(n):
            yield (times, [[[v[i][lane] * unit for lane in lanes] for v in (key if parts == 3 else [None, key[0], None]) if v]
                           for key in keys], mode, pointer.endswith('/rotation') and len(lanes) == 4)


def unit(v):
    length = math.sqrt(sum(x * x for x in v)) or 1
    return [x / length for x in v]


def numbers(v):
    return [float(x) for x in v] if isinstance(v, list) else [float(v)]


narrow = lambda v: [struct.unpack('f', struct.pack('f', x))[0] for x in v]
faces = doc.get('extensions', {}).get('VRMC_vrm_animation', {}).get('expressions', {})
expressions = [e for kind in faces.values() for e in kind.values()]
lines = [json.loads(line)['track'] for line in sys.stdin if line.startswith('{"track"')]
wanted = [(a.get('name'), t) for a in doc['animations'] for t in tracks(a)]
if len(lines) != len(wanted):
    sys.exit('%s: %d tracks, the file has %d' % (path, len(lines), len(wanted)))
worst, count = 0, 0
for line, (name, (times, keys, mode, rotation)) in zip(lines, wanted):
    columns, full = line['columns'], [key if len(key) == 3 else [None, key[0], None] for key in keys]
    where = '%s: %s: %s %s' % (path, name, line['node'], line['property'])
    if not rate:
        same = narrow(columns['time']) == times and len(columns['value']) == len(full)
        for column, part in (('value', 1), ('left', 0), ('right', 2)):
            if column in columns:
                same = same and [narrow(numbers(v)) for v in columns[column]] == [narrow(key[part]) for key in full]
        if not same or ('left' in columns) != (mode == 'CUBICSPLINE'):
            sys.exit(where + ': other keys')
        count += len(times)
        continue
    largest = max([1] + [abs(x) for key in full for x in key[1]])
    for k, value in enumerate(columns['value']):
        [t], value = narrow([k / rate]), numbers(value)  # a player's times are float32
        expected = play(times, full, mode, rotation, t)
        expected = [float(x != 0) for x in expected] if line['type'] == 'bool' else expected
        value, expected = (unit(value), unit(expected)) if rotation else (value, expected)
        off = max(abs(x - y) for x, y in zip(value, expected)) / largest
        worst, count = max(worst, off), count + 1
        if off > 1e-6:
            sys.exit('%s: at %g: %s, not %s' % (where, t, value, expected))
print('%d %s, at most %.1e off' % (count, 'samples' if rate else 'keys', worst))
