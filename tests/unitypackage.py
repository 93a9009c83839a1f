#!/usr/bin/env python3
"""unitypackage.py PROJECT OUT [CHANGE...]: pack the assets of a Unity project that have a .meta file, as Unity does.

Each CHANGE alters the archive for a test: 'tar' leaves out gzip, 'last' puts the assets after their paths, 'dot' begins
names with './', 'old' adds a second line to each path, 'noise' adds entries that do not belong to a package, 'huge' adds a
texture of 64 MiB of zeros, 'path=TEXT' replaces the path of the first asset, 'name=TEXT' its entry, 'twice=LEAF' repeats an
entry of it, 'link=LEAF' makes an entry a link, 'guid=TEXT' changes its guid, 'upper' writes guids in
capitals, 'pax' and 'gnu' write the extra headers of other programs, 'noend' leaves out the end of the archive."""
import gzip
import io
import os
import re
import sys
import tarfile

project, out, *changes = sys.argv[1:]
change = dict(item.split("=", 1) if "=" in item else (item, "") for item in changes)
change = {key: value.encode().decode("unicode_escape") for key, value in change.items()}


def assets():
    for folder, folders, files in os.walk(project):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if path.endswith(".meta") and os.path.exists(path[:-5]):
                with open(path, encoding="utf-8") as meta:
                    guid = re.search(r"^guid: *([0-9a-fA-F]{32})", meta.read(), re.M).group(1)
                yield guid, path[:-5]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def entry(archive, name, data, kind=tarfile.REGTYPE):
    info = tarfile.TarInfo(name)
    info.size = len(data) if kind == tarfile.REGTYPE else 0
    info.type = kind
    if kind == tarfile.SYMTYPE:
        info.linkname = "../../etc/passwd"
    if "pax" in change:
        info.pax_headers = {"mtime": "1.5", "comment": "x" * 600}
    archive.addfile(info, io.BytesIO(data) if kind == tarfile.REGTYPE else None)


def parts(guid, path, first):
    name = os.path.relpath(path, project)
    text = (change["path"] if first and "path" in change else name) + ("\n00" if "old" in change else "")
    yield "asset", read(path)
    yield "asset.meta", read(path + ".meta")
    yield "pathname", text.encode("utf-8", "surrogateescape")


def noise(archive):
    entry(archive, "../../outside", b"x")
    entry(archive, "/tmp/outside", b"x")
    entry(archive, "0123456789abcdef0123456789abcdef/preview.png", b"\x89PNG")
    entry(archive, "0123456789abcdef0123456789abcdef/._asset", b"%YAML 1.1\n--- !u!74 &1\n")
    entry(archive, "0123456789abcdef0123456789abcdefg/asset", b"x")
    entry(archive, "0123456789abcdef0123456789abcdef/link", b"", tarfile.SYMTYPE)
    entry(archive, "0123456789abcdef0123456789abcdef/" + "long/" * 60 + "asset", b"x")


def pack(archive):
    if "noise" in change:
        noise(archive)
    for number, (guid, path) in enumerate(assets()):
        first = number == 0
        guid = change["guid"] if first and "guid" in change else guid.upper() if "upper" in change else guid
        all_parts = list(parts(guid, path, first))
        if "last" in change:
            all_parts.reverse()
        prefix = ("./" if "dot" in change else "") + guid
        entry(archive, prefix + "/", b"", tarfile.DIRTYPE)
        for leaf, data in all_parts:
            kind = tarfile.REGTYPE
            if first and leaf == change.get("link"):
                kind = tarfile.SYMTYPE
            entry(archive, change["name"] if first and leaf == "asset" and "name" in change else prefix + "/" + leaf, data, kind)
            if first and leaf == change.get("twice"):
                entry(archive, prefix + "/" + leaf, data)
    if "huge" in change:
        entry(archive, "0123456789abcdef" * 2 + "/asset", bytes(64 << 20))
        entry(archive, "0123456789abcdef" * 2 + "/pathname", b"Assets/big.png")


tar = io.BytesIO()
style = tarfile.PAX_FORMAT if "pax" in change else tarfile.GNU_FORMAT if "gnu" in change else tarfile.USTAR_FORMAT
with tarfile.open(fileobj=tar, mode="w", format=style if "noise" not in change else tarfile.GNU_FORMAT) as archive:
    pack(archive)
    end = archive.offset
data = tar.getvalue()[:end] if "noend" in change else tar.getvalue()
with open(out, "wb") as file:
    file.write(data if "tar" in change else gzip.compress(data, 6, mtime=0))
