#!/usr/bin/python3
"""Search all pairs of samples for the loop with the smallest seam, as anim-retime(1) defines it: loop_search.py WORLD.npz
FROM TO prints the seam of that loop divided by the smallest one. WORLD.npz: positions and rotations in space."""
import sys

import numpy as np

LEAST_S, AHEAD_S, REACH = 0.3, 0.1, 0.05
file = np.load(sys.argv[1])
times, values = file["times"].copy(), file["values"].astype(float)
if len(sys.argv) > 4:  # the last sample has the value at the end of the clip
    times[-1] = min(times[-1], float(sys.argv[4]))
names = [str(name) for name in file["names"]]
parts = {}
for column, name in enumerate(names):
    path, part = name.rsplit(" ", 1)
    parts.setdefault(path, {})[part] = values[:, column]
paths = [path for path in parts if "position.x" in parts[path]]
place = np.stack([np.stack([parts[path]["position." + c] for c in "xyz"], 1) for path in paths], 1)
moves = np.ptp(place, 0).max(1) > 0
turn = np.stack([np.stack([parts[path]["rotation." + c] for c in "xyzw"], 1) for path in paths], 1)
moves |= np.ptp(turn, 0).max(1) > 0
place, turn = place[:, moves], turn[:, moves]
paths = [path for path, moving in zip(paths, moves) if moving]
size = np.ptp(place[0], 0).max()
body = next((i for i, path in enumerate(paths) if path.split("/")[-1].split(":")[-1].lower().endswith("hips")), None)
if body is None:
    body = int(np.argmax(np.ptp(place, 0).max(1) > 1e-3 * size))



def axes(q):
    x, y, z, w = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)], -1), np.stack(
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)], -1)


def product(a, b):
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack([aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
                     aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz], -1)


xs, ys = axes(turn)
points = np.stack([place, REACH * size * xs, REACH * size * ys], 2)
speed = np.gradient(points, times, axis=0) * AHEAD_S
travels = np.ptp(place[:, body, ::2], 0).max() > 0.5 * size
if travels:
    since = product(turn[:, body], turn[:1, body] * [-1, -1, -1, 1])
    yaw = -2 * np.arctan2(since[:, 1], since[:, 3])
    points[:, :, 0, 0] -= place[:, body, 0][:, None]
    points[:, :, 0, 2] -= place[:, body, 2][:, None]
    c, s = np.cos(yaw)[:, None, None], np.sin(yaw)[:, None, None]
    for a in (points, speed):
        a[..., 0], a[..., 2] = c * a[..., 0] + s * a[..., 2], c * a[..., 2] - s * a[..., 0]
pose = np.concatenate([points, speed], 2).reshape(len(times), -1)
square = (pose * pose).sum(1)
apart = np.maximum(0, square[:, None] + square[None] - 2 * pose @ pose.T)
leaves = 0.5 * pose.var(0).sum()
best, at = np.inf, None
for start in range(len(times)):
    row = apart[start, start + 1:]
    left = np.maximum.accumulate(row) >= leaves
    fit = left & (times[start + 1:] - times[start] >= LEAST_S - 1e-9)
    if fit.any() and row[fit].min() < best:
        best = row[fit].min()
        at = (times[start], times[start + 1 + np.flatnonzero(fit)[np.argmin(row[fit])]])
one, other = (int(np.argmin(abs(times - float(t)))) for t in sys.argv[2:4])
print(f"{np.sqrt(apart[one, other] / best):.4f}", f"{at[0]:.4f}..{at[1]:.4f}", "travels" if travels else "in place")
