"""api_values.py EXPECTED GOT: rows of anim-emit csv, all samples, against those of examples/api/evaluate.c; number for number."""
import csv
import struct
import sys


def rounded(number, wide):
    number = float(number)
    return number if wide else struct.unpack("f", struct.pack("f", number))[0]


def value(word, type_name):
    if type_name == "string":
        return word.split("\n")[0].split("\t")[0]  # the rest would be rows of their own in the other file
    if word in ("true", "false"):
        return float(word == "true")
    return rounded(word, not type_name.startswith(("float", "color")) or type_name == "color32")


def plain(text):
    return text.replace("\\\\", "\\").replace('\\"', '"')


def same(a, b):
    return len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))


expected = {}
csv.field_size_limit(1 << 30)
with open(sys.argv[1], newline="") as file:
    for row in csv.reader(file):
        if row[0] == "clip" and row[1] == "node":
            continue
        clip, node, name, component, type_name, _, key, _, _ = row[:9]
        values = [value(word, type_name) for word in row[9:25] if word != ""]
        expected.setdefault((clip, node, name, component, key), []).append((type_name, values))

seen = 0
for line in open(sys.argv[2], newline="\n"):
    parts = line.rstrip("\n").split("\t")
    if len(parts) < 5 or not parts[4].isdigit():
        continue  # behind a line feed in a text
    clip, node, name, component, key, *words = parts
    names = {"0": "x", "1": "y", "2": "z", "3": "w"}
    rows = None
    for word in ("" if component == "-1" else component, names.get(component), dict(zip("0123", "rgba")).get(component)):
        rows = expected.get((clip, node, name, word, key)) if word is not None and rows is None else rows
    if rows is None:
        continue  # what is disabled or has no keys anim-resample leaves out
    type_name, _ = rows[0]
    if type_name == "string":  # a table has what source text of Godot means, so that this may have quotes around it
        fits = any(plain("".join(row)) in plain("".join(words[:1])) for _, row in rows)
    else:
        fits = any(same([value(word, own) for word in words], row) for own, row in rows)
    if not fits:
        sys.exit(f"{clip} {node} {name} {component} {key}: {words}, not {rows}")
    seen += 1
if seen < 1000:
    sys.exit(f"only {seen} values were compared")
