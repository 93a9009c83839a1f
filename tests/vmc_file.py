#!/usr/bin/env python3
"""vmc_file.py: takes of the VMC protocol and packets of OSC, made and read without anim-tools.

vmc_file.py MADE FILE: write a small take: "frames", "hostile", "first", or "rare".
vmc_file.py list FILE: print the time, size and messages of each datagram.
vmc_file.py lose FILE OUT: lose 5 % of the datagrams, and exchange others with the next one.
"""
import random
import struct
import sys


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *values):
    types = "," + "".join("s" if isinstance(v, str) else "i" if isinstance(v, int) else "f" for v in values)
    body = b"".join(text(v) if isinstance(v, str) else struct.pack(">i" if isinstance(v, int) else ">f", v) for v in values)
    return text(address) + text(types) + body


def bundle(*packets):
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">I", len(p)) + p for p in packets)


def bone(name, *place):
    return message("/VMC/Ext/Bone/Pos", name, *place)


def write(path, datagrams):
    with open(path, "wb") as out:
        out.write(b"AnimVMC1")
        for time_s, data in datagrams:
            out.write(struct.pack("<QI", round(time_s * 1e9), len(data)) + data)


def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"AnimVMC1"
    at = 8
    while at < len(data):
        time_ns, size = struct.unpack_from("<QI", data, at)
        yield time_ns / 1e9, data[at + 12 : at + 12 + size]
        at += 12 + size


def parse(packet):
    """Return the messages of a packet."""
    if packet.startswith(b"#bundle\0"):
        at, found = 16, []
        while at < len(packet):
            (size,) = struct.unpack_from(">I", packet, at)
            found += parse(packet[at + 4 : at + 4 + size])
            at += 4 + size
        return found
    at = 0

    def take():
        nonlocal at
        end = packet.index(b"\0", at)
        value = packet[at:end].decode()
        at = end + 4 - (end % 4)
        return value

    address, types, values = take(), take(), []
    for kind in types[1:]:
        if kind == "s":
            values.append(take())
        else:
            values.append(struct.unpack_from(">i" if kind == "i" else ">f", packet, at)[0])
            at += 4
    return [(address, *values)]


REST = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
TURN = (0.0, 0.5, 0.0, 0.6, 0.0, 0.0, 0.8)


def frame(k):
    return [
        message("/VMC/Ext/Root/Pos", "root", *REST),
        bone("Hips", 0.0, 1.0 + k / 8, 0.0, 0.0, 0.0, 0.0, 1.0),
        bone("Spine", *(TURN if k % 2 else REST[:1] + (0.5,) + REST[2:])),
        message("/VMC/Ext/Blend/Val", "Joy", k / 4),
        message("/VMC/Ext/Blend/Val", "custom", 1.0 - k / 4),
        message("/VMC/Ext/Blend/Apply"),
        message("/VMC/Ext/OK", 1),
        message("/VMC/Ext/T", 100 + k / 8),
    ]


def made(kind):
    if kind == "frames":
        return [(k / 8, bundle(*frame(k))) for k in range(4)]
    if kind == "first":  # the time first, and each message in a datagram of its own
        return [(k / 8, m) for k in range(4) for m in frame(k)[-1:] + frame(k)[:-1]]
    if kind == "rare":  # the jaw in one frame, the head until frame 6, no spine in frame 3, and arguments of wrong types in frame 2
        found = []
        for k in range(10):
            now = [bone("Hips", 0.0, 1.0 + k / 8, *REST[2:])]
            now += [bone("Spine", *TURN)] * (k != 3) + [bone("Jaw", *REST)] * (k == 5) + [bone("Head", *REST)] * (k < 7)
            if k == 2:
                now += [message("/VMC/Ext/Bone/Pos", "Hips", 1, 2), message("/VMC/Ext/T", 3), message("/VMC/Ext/Blend/Val", "Joy")]
                now += [message("/VMC/Ext/Root/Pos", 1.0), message("/VMC/Ext/Blend/Val", "Joy", "x")]
            found.append((k / 8, bundle(*now, message("/VMC/Ext/T", k / 8))))
        return found
    nan = float("nan")
    deep = frame(1)[1]
    for _ in range(6):
        deep = bundle(deep)
    return [
        (0, bundle(*frame(0))),
        (0.125, b"no OSC"),
        (0.125, deep),
        (0.125, bundle(bone("Hips", nan, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), bone("Hips", *REST[:6], 0.5), bone("Tail", *REST))),
        (0.125, bundle(message("/VMC/Ext/Blend/Val", "x" * 300, 1.0), message("/VMC/Ext/Blend/Val", 1, 1))),
        (0.125, bundle(message("/VMC/Ext/Bone/Pos", "Hips", 1.0), message("/VMC/Ext/Blend/Val", "Joy", nan))),
        (0.125, bundle(*frame(1))),
        (0.25, bundle(*frame(2))),
    ]


def main():
    if sys.argv[1] == "list":
        for time_s, data in read(sys.argv[2]):
            print(f"{time_s:.9g} {len(data)}", *("%s(%s)" % (m[0], " ".join(str(v) for v in m[1:])) for m in parse(data)))
    elif sys.argv[1] == "lose":
        datagrams = list(read(sys.argv[2]))
        chance = random.Random(1)
        kept = [d for d in datagrams if chance.random() >= 0.05]
        for i in range(0, len(kept) - 1, 10):
            (a, x), (b, y) = kept[i], kept[i + 1]
            kept[i], kept[i + 1] = (a, y), (b, x)
        write(sys.argv[3], kept)
    else:
        write(sys.argv[2], made(sys.argv[1]))


if __name__ == "__main__":
    main()
