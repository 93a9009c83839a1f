# SPDX-License-Identifier: MIT
"""Read a stream of anim-tools: with libanim and its module anim.py, or without them as text, sampled by the programs."""

import importlib
import os
import re

import numpy as np

from . import programs

# Without libanim, curves are sampled so many times in each frame of the scene.
SAMPLES = 4


def library(program):
    """Return the module anim, or None if there is no libanim beside it, beside the programs or in the system."""
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(program))), "lib", "libanim.so.1")
    if not os.environ.get("ANIM_LIBRARY") and os.path.isfile(beside):
        os.environ["ANIM_LIBRARY"] = beside
    for name, package in ((".anim", __package__), ("anim", None)):
        try:
            return importlib.import_module(name, package)
        except (ImportError, AttributeError):
            continue
    return None


def read(program, path, rate, folder):
    """Return the clips of a stream, as the Clips of anim.py or as ours."""
    module = library(program)
    if module is not None:
        try:
            return list(module.open(path, warn=False))
        except module.Error as error:
            raise programs.Error(str(error)) from None
    text = os.path.join(folder, "sampled.axt")
    programs.run(program, "convert", "-q", "--force", "--axes", "keep", "--rate", f"{rate * SAMPLES:.6f}", path, "-o", text)
    with open(text, encoding="utf-8", errors="surrogateescape") as file:
        return _parse(file)


class _Part:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class _Clip(_Part, list):
    """A list of tracks with the fields of anim.Clip that the import needs."""

    def find_driven(self, track):
        place = track.node if self.root == "." else self.root if track.node == "." else \
            self.root + ("" if track.node.startswith(":") else "/") + track.node
        return self.paths.get(place)


class _Track(_Part):
    """A track of samples."""

    left = right = left_x = right_x = None

    def sample(self, times):
        if self.type == "floatQ" and len(self.values):
            flips = np.cumprod(np.where((self.values[1:] * self.values[:-1]).sum(1) < 0, -1.0, 1.0))
            self.values[1:] *= flips[:, None]
        columns = [np.interp(times, self.times, column) for column in self.values.T]
        if self.mode == "Hold":
            rows = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, None)
            return self.values[rows]
        return np.stack(columns, 1)

    @property
    def modes(self):
        return [self.mode] * self.count


def _unquote(text):
    def plain(found):
        word = found[1]
        return {"n": "\n", "t": "\t"}.get(word, chr(int(word[1:], 16)) if word[0] == "x" and len(word) == 3 else word)
    return re.sub(r"\\(x[0-9a-f]{2}|.)", plain, text[1:-1]) if text.startswith('"') else text


def _fields(line):
    return {name: _unquote(value) for name, value in re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|\S*)', line)}


def _floats(text):
    return tuple(float(number) for number in text.split(","))


def _parse(lines):
    """Return the clips of the text of anim-dump(1)."""
    clips, nodes, root_name, last = [], [], "", None
    for line in lines:
        word, fields = line.split(" ", 1)[0].strip(), None
        if line.startswith("\t"):
            attribute = re.match(r'\tattr ("(?:\\.|[^"\\])*") ("(?:\\.|[^"\\])*")', line)
            if attribute and last is not None:
                last.attributes[_unquote(attribute[1])] = _unquote(attribute[2])
            elif isinstance(last, _Track) and last.type != "string" and not line.startswith(("\tcolumns", "\tprepared", "\tother")):
                row = line.split()
                last.rows.append([*(() if last.kind == "Raw" else (float(row[0]),)), *_floats(row[-1] if last.kind == "Raw" else row[1])])
            continue
        fields = _fields(line)
        if word == "tree":
            nodes, root_name, last = [], fields["root"], None
        elif word == "node":
            path = fields["path"]
            parent = None if fields["parent"] == "-" else int(fields["parent"])
            name = root_name if path == "." else re.split(r"[/:]", path)[-1]
            last = _Part(path=path, name=name, kind=fields["kind"], parent=parent, number=len(nodes), attributes={}, tree=_Part(root_name=root_name),
                         **{part: _floats(fields[part]) for part in ("position", "rotation", "scale")})
            nodes.append(last)
        elif word == "clip":
            last = _Clip(name=fields["name"], root=fields["root"], start=float(fields["start"]), end=float(fields["end"]),
                         loop=fields["loop"], attributes={}, nodes=nodes if "in_tree" in fields["flags"] else [])
            last.paths = {node.path: node for node in last.nodes}
            clips.append(last)
        elif word == "track":
            flags = fields["flags"].split(",")
            last = _Track(node=fields["node"], property=fields["property"], kind=fields["kind"], type=fields["type"], attributes={}, rows=[],
                          component=None if fields["component"] == "-" else int(fields["component"]), rules=fields["rules"],
                          mode="Hold" if fields["kind"] == "Discrete" else fields["interp"], is_text=fields["type"] == "string",
                          is_degrees="degrees" in flags, is_disabled="disabled" in flags, count=int(fields["keys"]), raw=fields)
            clips[-1].append(last)
    for clip in clips:
        clip[:] = [track for track in clip if track.rows]
        for track in clip:
            rows = np.array(track.rows)
            if track.kind == "Raw":
                num, den = (int(number) for number in track.raw["rate"].split("/"))
                step = den / num if num else float(track.raw["step"])
                track.times, track.values = float(track.raw["start"]) + step * np.arange(len(rows)), rows
            else:
                track.times, track.values = rows[:, 0], rows[:, 1:]
    return clips
