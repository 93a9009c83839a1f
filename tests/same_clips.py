#!/usr/bin/env python3
"""same_clips.py <LINES: each line is TOLERANCE A B..., texts of anim-dump. Whether each B holds the nodes and clips of its A,
whatever the clips' order and whatever file they came from. Zero has no sign. Numbers may differ by TOLERANCE of the larger, or
of 1."""
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


def compare(a, b, tolerance):
    if len(a) != len(b):
        return f'{len(a) - 1} clips, {len(b) - 1} clips'
    for x, y in zip(a, b):
        for line, other in zip(x.splitlines(), y.splitlines()):
            if line != other and not same(line, other, tolerance):
                return f'{x.splitlines()[0][:60]}:\n< {line[:300]}\n> {other[:300]}'
        if len(x.splitlines()) != len(y.splitlines()):
            return f'{x.splitlines()[0][:60]}: {len(x.splitlines())} lines, {len(y.splitlines())} lines'


bad = 0
for tolerance, first, *others in map(str.split, sys.stdin):
    wanted = clips(first)
    for path in others:
        fault = compare(wanted, clips(path), float(tolerance))
        if fault:
            print(f'{path}: {fault}')
            bad = 1
sys.exit(bad)
