# SPDX-License-Identifier: MIT
"""Read streams of anim-tools, with libanim and its module anim.py, or as JSON sampled by the programs. Write streams as JSON."""

import importlib
import json
import os
import re
from types import SimpleNamespace

import numpy as np

from . import curves, programs

# Without libanim, curves are sampled so many times in each frame of the scene.
SAMPLES = 4


def library(program):
    """Return the module anim, or None if there is no libanim beside it, beside the programs or in the system."""
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(program))), "lib", "libanim.so.1")
    if not os.environ.get("ANIM_LIBRARY") and os.path.isfile(beside):
        os.environ["ANIM_LIBRARY"] = beside
    try:
        return importlib.import_module(".anim", __package__)
    except (ImportError, AttributeError):
        return None


def read(program, path, rate, folder):
    """Return the clips of a stream: Clips of anim.py, or ours with the same fields."""
    module = library(program)
    if module is not None:
        try:
            return list(module.open(path, warn=False))
        except module.Error as error:
            raise programs.Error(str(error)) from None
    text = os.path.join(folder, "sampled.json")
    programs.run(program, "convert", "-q", "--force", "--axes", "keep", "--rate", f"{rate * SAMPLES:.6f}", "-o", text, path)
    clips, nodes = [], []
    with open(text, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            (word, fields), = json.loads(line).items()
            if word == "tree":
                nodes, root_name = [], fields["root"]
            elif word == "node":
                name = root_name if fields["path"] == "." else re.split("[/:]", fields["path"])[-1]
                nodes.append(SimpleNamespace(**fields, name=name, number=len(nodes)))
            elif word == "clip":
                clips.append(_Clip())
                clips[-1].__dict__.update(fields, nodes=nodes if "in_tree" in fields["flags"] else [])
            elif word == "track" and fields["keys"]:
                clips[-1].append(_Track(fields))
    return clips


class _Clip(list):
    def find_driven(self, track):
        place = track.node if self.root == "." else self.root if track.node == "." else \
            self.root + ("" if track.node.startswith(":") else "/") + track.node
        return next((node for node in self.nodes if node.path == place), None)


class _Track:
    """A track of samples or of keys that are held."""

    left = right = left_x = right_x = None

    def __init__(self, fields):
        self.__dict__.update(fields, count=fields["keys"], is_text=fields["type"] == "string", is_degrees="degrees" in fields["flags"],
                             is_disabled="disabled" in fields["flags"])
        self.modes = ["Hold" if self.kind == "Discrete" else self.interp] * self.count
        self.values = fields["columns"]["value"]
        if not self.is_text:
            self.values = np.array(self.values, float).reshape(self.count, -1)
            if self.type == "floatQ":
                self.values = curves.continuous(self.values)
        rate = fields.get("rate")  # null if a step is used
        step = rate["den"] / rate["num"] if rate and rate["num"] else fields.get("step", 0)
        self.times = np.array(fields["columns"].get("time") or fields["start"] + np.arange(self.count) * step, float)

    def sample(self, times):
        if self.modes[0] == "Hold":
            return self.values[np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, None)]
        return np.stack([np.interp(times, self.times, column) for column in self.values.T], 1)


# ---- Writing ----

class Writer:
    """A stream with one tree in glTF's axes, as JSON."""

    axes = {"axes": "gltf", "axes2d": "unknown"}

    def __init__(self, root_name):
        self.lines = [{"anim_json": 1}, {"tree": {"root": root_name, "source": "", **self.axes, "attributes": {}}}]

    def node(self, path, kind, parent, transform, name=None):
        """Add a node and return its number. transform: (position, rotation, scale)."""
        numbers = {part: np.asarray(values, np.float32).astype(float).tolist() for part, values in zip(curves.PARTS, transform)}
        self.lines.append({"node": {"path": path, "type": "", "kind": kind, "has": list(numbers), "parent": parent, **numbers,
                                    "attributes": {"gltf.name": name} if name else {}}})
        return len(self.lines) - 3  # the nodes are before the clips

    def clip(self, name, start, end, loop, rate):
        num, den = (round(rate * 1001), 1001) if abs(rate - round(rate)) > 1e-6 else (round(rate), 1)
        self.rate = {"num": num, "den": den}
        self.lines.append({"clip": {"name": name, "root": ".", "source": "gltf", "start": start, "end": end, "loop": "wrap" if loop else "none",
                                    **self.axes, "flags": ["in_tree"], "rate": self.rate, "attributes": {}}})

    def track(self, node, property, type, values, start=0.0, keys=None):
        """Add samples, or curves: keys is (times, values, codes, left, right) of curves.fit()."""
        def plain(v):
            return np.asarray(v, float)[:, 0].tolist() if type == "float" else np.asarray(v, float).tolist()

        fields = {"node": node, "property": property, "component": None, "kind": "Raw", "type": type, "rules": "plain", "flags": [],
                  "before": "hold", "after": "hold", "interp": "Linear", "keys": len(values if keys is None else keys[0]), "attributes": {}}
        if keys is None:
            fields.update(start=start, step=0, rate=self.rate, columns={"value": plain(values)})
        else:
            times, values, codes, left, right = keys
            modes = [("Hold", "Hermite" if type == "floatQ" else "Linear", "Hermite")[code] for code in codes]
            modes[-1:] = modes[-2:-1] or modes
            columns = {"time": np.asarray(times).tolist(), "value": plain(values)}
            if len(set(modes)) > 1:
                columns["interp"] = modes
            if "Hermite" in modes:
                columns.update(left=plain(left), right=plain(right))
            fields.update(kind="Curve", interp=modes[0] if len(set(modes)) == 1 else None, columns=columns)
        self.lines.append({"track": fields})

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in [*self.lines, {"end": True}])
