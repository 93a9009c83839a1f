#!/usr/bin/env python3
"""same_clips.py A B [TOLERANCE]: whether two texts of anim-dump hold the same nodes and clips, whatever the clips' order and
whatever file they came from. Zero has no sign. Numbers may differ by TOLERANCE (0) of the larger, or of 1."""
import re
import sys

NUMBER = re.compile(r'(?<![\w.])-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf|nan)(?![\w.])')
FILES = re.compile(r'^\s*(attr "files?" |.*source_file=).*\n', re.M)


def clips(path):
    text = FILES.sub('', open(path).read())
    text = re.sub(r'^(tree root=)"[^"]*" source="[^"]*"', r'\1', text, flags=re.M)
    head, *parts = re.split(r'^(?=clip )', text, flags=re.M)
    return [head] + sorted(part.removesuffix('end\n').rstrip() for part in parts)


def near(a, b, tolerance):
    a, b = float(a), float(b)
    return a == b or (a != a and b != b) or abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def same(a, b, tolerance):
    if NUMBER.sub('#', a) != NUMBER.sub('#', b):
        return False
    return all(near(x, y, tolerance) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))


tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0
a, b = clips(sys.argv[1]), clips(sys.argv[2])
if len(a) != len(b):
    sys.exit(f'{len(a) - 1} clips, {len(b) - 1} clips')
for x, y in zip(a, b):
    for line, other in zip(x.splitlines(), y.splitlines()):
        if not same(line, other, tolerance):
            sys.exit(f'{x.splitlines()[0][:60]}:\n< {line[:300]}\n> {other[:300]}')
    if len(x.splitlines()) != len(y.splitlines()):
        sys.exit(f'{x.splitlines()[0][:60]}: {len(x.splitlines())} lines, {len(y.splitlines())} lines')
