#!/usr/bin/env python3
"""Prints segments.tsv: samples of curve segments by Unity's rule, computed in 40 decimal digits by bisection.

A row: the two keys of a segment (float32, printed exactly enough to read back), a time (binary64), and the value there.
    time value outSlope outWeight mode   time value inSlope inWeight mode   t   expected
Weights count where bit 2 of the first key's weightedMode, bit 1 of the second's is set; else they are a third.
"""
import random
import struct
from decimal import Decimal, getcontext

getcontext().prec = 45
THIRD = Decimal(1) / 3


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def shortest(x):
    for digits in range(1, 10):
        text = "%.*g" % (digits, x)
        if single(float(text)) == x:
            return text
    raise AssertionError(x)


def bezier(a, b, c, d, u):
    v = 1 - u
    return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d


def parameter(right, left, s):
    low, high = Decimal(0), Decimal(1)
    for _ in range(150):
        middle = (low + high) / 2
        if bezier(Decimal(0), right, 1 - left, Decimal(1), middle) < s:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def expected(a, b, t):
    t0, v0, m0, w0, mode0 = a
    t1, v1, m1, w1, mode1 = b
    if abs(m0) == float("inf") or abs(m1) == float("inf"):
        return Decimal(v0)
    t0, v0, m0, w0 = (Decimal(x) for x in (t0, v0, m0, w0))
    t1, v1, m1, w1 = (Decimal(x) for x in (t1, v1, m1, w1))
    length = t1 - t0
    s = (Decimal(t) - t0) / length
    if not (mode0 & 2 or mode1 & 1):
        h = [2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, -2 * s**3 + 3 * s**2, s**3 - s**2]
        return h[0] * v0 + h[1] * m0 * length + h[2] * v1 + h[3] * m1 * length
    right = w0 if mode0 & 2 else THIRD
    left = w1 if mode1 & 1 else THIRD
    u = parameter(right, left, s)
    return bezier(v0, v0 + right * m0 * length, v1 - left * m1 * length, v1, u)


def row(a, b, t):
    keys = ["\t".join([shortest(x) for x in key[:4]] + [str(key[4])]) for key in (a, b)]
    value = expected(a, b, t)
    print("\t".join(keys + [repr(t), format(value, ".24e")]))


def rows(a, b, shares):
    for share in shares:
        row(a, b, a[0] + (b[0] - a[0]) * share)


def key(time, value, slope, weight, mode):
    return (single(time), single(value), single(slope), single(weight), mode)


def main():
    dice = random.Random(2018)
    shares = [0.0, 0.01, 0.21, 0.5, 0.68, 0.999]
    inf = float("inf")
    print("# made by segments.py; its head says what a row holds")
    for mode in range(4):  # smooth ones of each choice of sides
        for _ in range(8):
            start = dice.uniform(-2, 5)
            rows(key(start, dice.uniform(-3, 3), dice.uniform(-9, 9), dice.uniform(0, 1), mode & 2),
                 key(start + dice.uniform(0.02, 3), dice.uniform(-3, 3), dice.uniform(-9, 9), dice.uniform(0, 1), mode & 1),
                 shares)
    for right in (0, 1e-6, 1 / 3, 0.9, 1):  # the bounds of weights
        for left in (0, 1e-6, 1 / 3, 0.9, 1):
            rows(key(0, 0, 2, right, 2), key(1, 1, -1, left, 1), [0.003, 0.25, 0.4999, 0.5, 0.5003, 0.97])
    for right, left in ((0.334, 0.3333), (0.3332, 0.33333), (0.3343, 0.3323)):  # where a cubic solver turns quadratic
        rows(key(0, -5, 30, right, 3), key(0.5, 5, 12, left, 3), shares)
    for scale, length in ((1e-20, 1), (1e20, 1), (1, 1e-3), (1, 1000), (360, 0.033333335)):  # sizes
        rows(key(0, scale, 3 * scale / length, 0.7, 2), key(length, -scale, scale / length, 0.2, 1), shares)
        rows(key(0, scale, 3 * scale / length, 0.7, 0), key(length, -scale, scale / length, 0.2, 2), shares)
    rows(key(3600, 1, 4, 0.5, 3), key(3600.5, 2, -4, 0.5, 3), shares)  # an hour into the clip
    for out, into in ((inf, 0), (-inf, 0), (0, inf), (0, -inf), (inf, -inf)):  # steps
        rows(key(0, 3, out, 0.5, 3), key(1, 8, into, 0.5, 3), [0.0, 0.999])


main()
