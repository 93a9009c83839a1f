#!/usr/bin/env python3
"""fbx_file.py FILE...: whether each file is a binary FBX file of version 7400 as the SDK writes them, by the bytes alone: records end
where they say, arrays have the size that they tell, objects are counted and have numbers of their own, connections lead to objects
that are there, the times of every curve rise, its attributes are those of its keys, and the footer is whole. Prints what is in it."""
import struct
import sys

WIDTH = {"Y": 2, "C": 1, "B": 1, "Z": 1, "I": 4, "F": 4, "D": 8, "L": 8}
FORMS = {"Y": "<h", "C": "<c", "B": "<B", "Z": "<b", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
ARRAYS = {"f": "f", "d": "d", "i": "i", "l": "q"}
FOOT = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")


def value(data, at):
    kind = chr(data[at])
    at += 1
    if kind in WIDTH:
        return struct.unpack_from(FORMS[kind], data, at)[0], at + WIDTH[kind]
    if kind in "SR":
        size = struct.unpack_from("<I", data, at)[0]
        return data[at + 4:at + 4 + size], at + 4 + size
    count, packed, size = struct.unpack_from("<III", data, at)
    form = "<%d%s" % (count, ARRAYS[kind])
    assert packed == 0 and size == struct.calcsize(form), (kind, count, packed, size)
    return list(struct.unpack_from(form, data, at + 12)), at + 12 + size


def records(data, at, end):
    """(name, values, children) of a list, which ends with an empty record."""
    found = []
    while True:
        assert at + 13 <= end, at
        last, count, size, length = struct.unpack_from("<IIIB", data, at)
        if last == 0:
            assert data[at:at + 13] == bytes(13), at
            return found, at + 13
        name = data[at + 13:at + 13 + length].decode()
        at += 13 + length
        values, place = [], at
        for _ in range(count):
            one, place = value(data, place)
            values.append(one)
        assert place == at + size <= last <= end, (name, place, at + size, last)
        children = []
        if place < last:
            children, place = records(data, place, last)
        assert place == last, (name, place, last)
        found.append((name, values, children))
        at = last


def of(found, name):
    return [record for record in found if record[0] == name]


def check_curve(curve):
    parts = {name: values for name, values, _ in curve}
    times, values = parts["KeyTime"][0], parts["KeyValueFloat"][0]
    flags, data, counts = parts["KeyAttrFlags"][0], parts["KeyAttrDataFloat"][0], parts["KeyAttrRefCount"][0]
    assert len(times) == len(values) > 0 and all(a < b for a, b in zip(times, times[1:])), times
    assert len(flags) == len(counts) and len(data) == 4 * len(flags) and sum(counts) == len(times) and min(counts) > 0
    assert parts["Default"][0] == values[0]
    return len(times)


def check(path):
    data = open(path, "rb").read()
    assert data[:23] == b"Kaydara FBX Binary  \0\x1a\0" and struct.unpack_from("<I", data, 23)[0] == 7400
    top, end = records(data, 27, len(data))
    assert len(data) % 16 == 12 and data[-16:] == FOOT and data[-136:-16] == bytes(120)
    assert struct.unpack_from("<I", data, len(data) - 140)[0] == 7400 and 20 < len(data) - 140 - end <= 36
    assert [name for name, _, _ in top] == ["FBXHeaderExtension", "FileId", "CreationTime", "Creator", "GlobalSettings", "Documents",
                                            "References", "Definitions", "Objects", "Connections", "Takes"]
    objects = of(top, "Objects")[0][2]
    ids = {values[0]: name for name, values, _ in objects}
    assert len(ids) == len(objects) and 0 not in ids
    told = {values[0].decode(): of(children, "Count")[0][1][0]
            for _, values, children in of(of(top, "Definitions")[0][2], "ObjectType")}
    there = {name: len(of(objects, name)) for name in {name for name, _, _ in objects}}
    assert told == dict(there, GlobalSettings=1), (told, there)
    driven = set()
    for name, values, _ in of(top, "Connections")[0][2]:
        assert name == "C" and values[1] in ids and (values[2] in ids or values[2] == 0), values
        driven.add(values[1])
    assert {number for number, name in ids.items() if name not in ("Pose", "AnimationStack")} == driven
    keys = sum(check_curve(children) for _, _, children in of(objects, "AnimationCurve"))
    takes = [values[0].decode() for _, values, _ in of(of(top, "Takes")[0][2], "Take")]
    print("%s: %d models, %d curves, %d keys, takes %s" %
          (path, there["Model"], there.get("AnimationCurve", 0), keys, ", ".join(takes)))


for name in sys.argv[1:]:
    check(name)
