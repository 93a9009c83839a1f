"""Make a small Unity project of sprites.

sprites.py image FILE WIDTH HEIGHT: a PNG in which each pixel has its own colour, or the head of a JPEG.
sprites.py meta FILE GUID [KEY=VALUE...] [NAME:X,Y,W,H[,PX,PY]...]: FILE.meta; rectangles count from the lower edge.
sprites.py clip FILE [KEY=VALUE...] IMAGE_GUID:FILE_ID...: a clip of 10 sprites a second; 0 shows nothing.
The fileID of the sprite number I of a .meta is 100 + I.
"""
import os
import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def image(path, width, height):
    width, height = int(width), int(height)
    if path.endswith((".jpg", ".jpeg")):
        comment = b"\xff\xfe" + struct.pack(">H", 60002) + bytes(60000)
        frame = b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
        data = b"\xff\xd8" + comment + b"\xff\xff" + frame
    else:
        rows = b"".join(b"\0" + b"".join(bytes((x % 256, y % 256, x // 256 + 16 * (y // 256))) for x in range(width))
                        for y in range(height))
        data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    with open(path, "wb") as file:
        file.write(data)


def settings_of(words):
    return dict(word.split("=", 1) for word in words if "=" in word), [word for word in words if "=" not in word]


def meta(path, guid, *words):
    settings, sprites = settings_of(words)
    out = ["fileFormatVersion: 2", "guid: " + guid, "TextureImporter:", "  internalIDToNameTable: []",
           "  serializedVersion: 11", "  maxTextureSize: 32", "  spriteMode: " + settings.get("mode", "2"),
           "  alignment: " + settings.get("alignment", "0"), "  spritePivot: {x: 0.5, y: 0.5}",
           "  spritePixelsToUnits: " + settings.get("ppu", "100"), "  spriteSheet:", "    serializedVersion: 2",
           "    sprites:" + ("" if sprites else " []")]
    for number, sprite in enumerate(sprites):
        name, numbers = sprite.split(":")
        x, y, width, height, *pivot = numbers.split(",")
        px, py = pivot or ("0", "0")
        out += ["    - serializedVersion: 2", "      name: " + name, "      rect:", "        serializedVersion: 2",
                f"        x: {x}", f"        y: {y}", f"        width: {width}", f"        height: {height}",
                "      alignment: " + ("9" if pivot else "0"), f"      pivot: {{x: {px}, y: {py}}}",
                "      internalID: " + str(100 + number)]
    with open(path + ".meta", "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def clip(path, *words):
    settings, keys = settings_of(words)
    script = "{fileID: 11500000, guid: fe87c0e1cc204ed48ad3b37840f39efc, type: 3}"
    out = ["%YAML 1.1", "%TAG !u! tag:unity3d.com,2011:", "--- !u!74 &7400000", "AnimationClip:",
           "  m_Name: " + os.path.splitext(os.path.basename(path))[0], "  serializedVersion: 6", "  m_SampleRate: 10",
           "  m_PPtrCurves:", "  - curve:"]
    for number, key in enumerate(keys):
        guid, _, sprite = key.partition(":")
        value = "{fileID: 0}" if key == "0" else f"{{fileID: {sprite}, guid: {guid}, type: 3}}"
        out += [f"    - time: {number / 10}", "      value: " + value]
    kind = settings.get("class", "212")
    out += ["    attribute: m_Sprite", "    path: " + settings.get("path", "Body"), "    classID: " + kind,
            "    script: " + (script if kind == "114" else "{fileID: 0}"),
            f"  m_AnimationClipSettings: {{m_StartTime: 0, m_StopTime: {len(keys) / 10}, m_LoopTime: 1}}"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    {"image": image, "meta": meta, "clip": clip}[sys.argv[1]](*sys.argv[2:])
