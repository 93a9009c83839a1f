# SPDX-License-Identifier: MIT
"""The numbers of F-curves: local transforms of a node at any times, and cubic segments through them. No Blender in here."""

import numpy as np

CONSTANT, LINEAR, BEZIER = 0, 1, 2
IDENTITY = np.eye(4)
# The parts of a transform: Blender's path, the index there of each component, the value at rest and the type in a stream.
PARTS = {"position": ("location", (0, 1, 2), (0.0, 0.0, 0.0), "float3"),
         "rotation": ("rotation_quaternion", (1, 2, 3, 0), (0.0, 0.0, 0.0, 1.0), "floatQ"),
         "scale": ("scale", (0, 1, 2), (1.0, 1.0, 1.0), "float3")}
_U = np.arange(7) / 6


def quaternion_product(a, b):
    """Return a * b, x y z w, of arrays of quaternions."""
    ax, ay, az, aw = np.moveaxis(np.asarray(a, float), -1, 0)
    bx, by, bz, bw = np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack([aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                     aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz], -1)


def matrix(position, rotation, scale):
    """Return the 4 x 4 matrix of a transform."""
    x, y, z, w = np.asarray(rotation, float) / (np.linalg.norm(rotation) or 1)
    out = np.eye(4)
    out[:3, :3] = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]) * np.asarray(scale, float)
    out[:3, 3] = position
    return out


def normal(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-30)


def rotation_part(m):
    """Return the rotation nearest to the basis of a matrix, as 3 x 3."""
    return matrix((0, 0, 0), quaternion(m), (1, 1, 1))[:3, :3]


def quaternion(m):
    """Return the quaternion, x y z w, of the rotation nearest to the basis of a matrix, by Davenport's method."""
    k = np.array([[m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0], [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
                  [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
                  [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]]])
    out = np.linalg.eigh(k)[1][:, -1]
    return out if out[3] >= 0 else -out


def rest(node):
    return matrix(node.position, node.rotation, node.scale)


def continuous(quaternions):
    """Return the quaternions with signs such that neighbours are near each other."""
    turns = (quaternions[1:] * quaternions[:-1]).sum(1) < 0
    return quaternions * np.cumprod(np.append(1.0, np.where(turns, -1.0, 1.0)))[:, None]


class Change:
    """before * L * after, where L is a local transform: linear in its position, rotation and scale. size: of the skeleton."""

    def __init__(self, before, after, size):
        self.basis, self.offset, self.after = before[:3, :3], before[:3, 3], after[:3, :3]
        self.around = quaternion(before), quaternion(after)
        self.limits = {"position": 1e-5 * size, "rotation": 2e-5, "scale": 1e-5}

    def values(self, part, values, slopes=False):
        if part == "position":
            return values @ self.basis.T + (0 if slopes else self.offset)
        if part == "rotation":
            return quaternion_product(quaternion_product(self.around[0], values), self.around[1])
        return values @ (self.after * self.after) * abs(np.linalg.det(self.basis)) ** (1 / 3)

    def keys(self, part, keys):
        times, values, codes, left, right = keys
        return times, self.values(part, values), codes, self.values(part, left, True), self.values(part, right, True)


class Motion:
    """The transform of one node in the space of its parent, from the tracks that animate the node."""

    def __init__(self, clip, node):
        self.clip, self.node, self.tracks = clip, node, {}

    def add(self, track):
        # A later track replaces an earlier one, as in the players.
        self.tracks[track.property, track.component] = track

    def of(self, *properties):
        return [track for (name, _), track in self.tracks.items() if name in properties]

    @property
    def is_moving(self):
        return bool(self.of("position", "rotation", "euler", "angle", "scale"))

    def _vector(self, name, times, rest):
        out = np.tile(np.asarray(rest, float), (len(times), 1))
        if (name, None) in self.tracks:
            values = np.asarray(self.tracks[name, None].sample(times))
            out[:, :values.shape[1]] = values  # two columns if it is two-dimensional
        for i in range(3):
            if (name, i) in self.tracks:
                out[:, i] = self.tracks[name, i].sample(times)[:, 0]
        return out

    def values(self, part, times):
        """Return positions, scales, or rotations as unit quaternions, x y z w."""
        angles = self.of("euler", "angle")
        if part != "rotation" or ("rotation", None) in self.tracks or not angles:
            out = self._vector(part, times, getattr(self.node, part))
            return normal(out) if part == "rotation" else out
        order = angles[0].attributes.get("order") or self.node.attributes.get("rotation_order") or "YXZ"
        rest = _euler_of(self.node.rotation, order)
        turns = self._vector("euler", times, np.degrees(rest) if angles[0].is_degrees else rest)
        if ("angle", None) in self.tracks:
            turns[:, 2] = self.tracks["angle", None].sample(times)[:, 0]
        half = (np.radians(turns) if angles[0].is_degrees else turns) / 2
        out = np.array([0.0, 0, 0, 1])
        for axis in ("XYZ".index(letter) for letter in order):
            part = np.zeros((len(half), 4))
            part[:, axis], part[:, 3] = np.sin(half[:, axis]), np.cos(half[:, axis])
            out = quaternion_product(out, part)
        return out

    def breaks(self, tracks, gap):
        """Return the times of the clip at which segments begin or end, moved apart to a gap, and which segments are held."""
        start, end, tracks = self.clip.start, self.clip.end, [track for track in tracks if track.count]
        times = np.unique(np.concatenate([[start, end], *(np.asarray(track.times, float) for track in tracks)]))
        times = times[(times >= start) & (times <= end)]
        times = times[np.diff(times, prepend=-np.inf) > 1e-6]
        kept = [times[0]]
        for time in times[1:]:
            time = max(time, kept[0] + gap)
            if len(kept) > 1 and time - kept[-1] < gap:
                if time - kept[-2] < 2 * gap:
                    kept.pop()
                else:
                    kept[-1] = time - gap
            kept.append(time)
        times = np.array(kept if end > start else kept[:1])
        held = np.ones(max(len(times) - 1, 0), bool)
        for track in tracks:
            modes = np.array(track.modes) == "Hold"
            held &= modes[np.clip(np.searchsorted(np.asarray(track.times), times[:-1], side="right") - 1, 0, None)]
        return times, held & bool(tracks)


def _euler_of(rotation, order):
    """Return the angles about x, y, z of a quaternion in this order."""
    i, j, k = ("XYZ".index(letter) for letter in order)
    m, sign = matrix((0, 0, 0), rotation, (1, 1, 1)), 1 if (j - i) % 3 == 1 else -1
    out = np.zeros(3)
    out[i] = np.arctan2(-sign * m[j, k], m[k, k])
    out[j] = np.arcsin(np.clip(sign * m[i, k], -1, 1))
    out[k] = np.arctan2(-sign * m[i, j], m[i, i])
    return out


def fit(function, times, held, limit, unit=False, shortest=2e-3):
    """Return (times, values, codes, left, right) of cubic segments through a function, within a limit: slopes are per second.

    A segment between two times is kept if a line or a cubic is near enough, and halved otherwise. Held segments are constant.
    unit: the values are quaternions, which the player normalises. shortest: shorter segments are not halved.
    """
    shown = normal if unit else np.asarray
    if len(times) == 1:
        value = function(times)
        return times, value, np.array([LINEAR]), np.zeros_like(value), np.zeros_like(value)
    done, a, b = [], times[:-1], times[1:]
    for round in range(12):
        at = a[:, None] + (b - a)[:, None] * _U
        at[:, 6] = b
        v = function(at.ravel())
        v = v.reshape(len(a), 7, -1)
        if unit:
            v = v * np.where((v * v[:, :1]).sum(2, keepdims=True) < 0, -1.0, 1.0)
        u = _U[None, :, None]
        line = v[:, :1] + (v[:, 6:] - v[:, :1]) * u
        m0, m1 = (-11 * v[:, 0] + 18 * v[:, 2] - 9 * v[:, 4] + 2 * v[:, 6]) / 2, (-2 * v[:, 0] + 9 * v[:, 2] - 18 * v[:, 4] + 11 * v[:, 6]) / 2
        cubic = ((2 * u**3 - 3 * u**2 + 1) * v[:, :1] + (u**3 - 2 * u**2 + u) * m0[:, None] + (3 * u**2 - 2 * u**3) * v[:, 6:] +
                 (u**3 - u**2) * m1[:, None])
        code = np.where(held, CONSTANT, np.where(np.abs(shown(line) - v).max((1, 2)) <= limit, LINEAR, BEZIER))
        last = b - a < shortest if round < 11 else np.ones(len(a), bool)
        kept = (code != BEZIER) | (np.abs(shown(cubic) - v).max((1, 2)) <= limit) | last
        d = (b - a)[:, None]
        chord = (v[:, 6] - v[:, 0]) / d
        straight = (code != BEZIER)[:, None]
        done.append([part[kept] for part in (a, b, v[:, 0], v[:, 6], np.where(straight, chord, m0 / d), np.where(straight, chord, m1 / d), code)])
        a, b, middle = a[~kept], b[~kept], (a[~kept] + b[~kept]) / 2
        if not len(a):
            break
        a, b = np.stack([a, middle], 1).ravel(), np.stack([middle, b], 1).ravel()
        held = np.zeros(len(a), bool)
    columns = [np.concatenate(parts) for parts in zip(*done)]
    a, b, first, second, m0, m1, code = (column[np.argsort(columns[0], kind="stable")] for column in columns)
    if unit:
        signs = np.cumprod(np.concatenate([[1.0], np.where((second[:-1] * first[1:]).sum(1) < 0, -1.0, 1.0)]))[:, None]
        first, second, m0, m1 = first * signs, second * signs, m0 * signs, m1 * signs
    return (np.append(a, b[-1]), np.concatenate([first, second[-1:]]), np.append(code, LINEAR),
            np.concatenate([m0[:1], m1]), np.concatenate([m0, m1[-1:]]))


def exact(track, clip, gap):
    """Return the keys of a quaternion track as fit() does, if Blender plays them as they are; otherwise None."""
    codes = {"Hermite": BEZIER, "Hold": CONSTANT, **({"Linear": LINEAR} if track.rules in ("unity", "resonite") else {})}
    times, values, modes = np.asarray(track.times, float), np.asarray(track.values, float), list(track.modes)
    left, right = (np.zeros_like(values) if part is None else np.asarray(part, float) for part in (track.left, track.right))
    if track.count < 2 or track.component is not None or track.kind == "Raw" or getattr(track, "post", "hold") not in ("hold", "") or \
            times[0] < clip.start or times[-1] > clip.end or (np.diff(times) < gap).any() or not set(modes[:-1]) <= set(codes) or \
            not (np.isfinite(left).all() and np.isfinite(right).all()):
        return None
    return times, values, np.array([codes.get(mode, BEZIER) for mode in modes]), left, right


def handles(track, gap):
    """Return (times, values, codes, left, right) of a track of one number, with handles as (seconds, value) from the key; or None.

    Blender shortens handles that are longer than the segment, so the result is None if there are such handles.
    """
    times, modes = np.asarray(track.times, float), np.array(track.modes)
    spans = np.diff(times)
    if track.count < 2 or track.left is None or (spans < gap).any() or not set(modes[:-1]) <= {"Weighted", "Bezier2D"}:
        return None
    values, left, right = (np.asarray(part, float)[:, 0] for part in (track.values, track.left, track.right))
    third = np.full(len(times), 1 / 3)
    lx, rx = (third if part is None else np.asarray(part, float)[:, 0] for part in (track.left_x, track.right_x))
    if modes[0] == "Weighted":
        lx, rx = -np.append(0, lx[1:] * spans), np.append(rx[:-1] * spans, 0)
        left, right = left * lx, right * rx
    if not (np.isfinite(left).all() and np.isfinite(right).all()) or (-lx[1:] > spans).any() or (rx[:-1] > spans).any() or \
            (lx > 0).any() or (rx < 0).any():
        return None
    return times, values, np.full(len(times), BEZIER), np.stack([lx, left], 1), np.stack([rx, right], 1)
