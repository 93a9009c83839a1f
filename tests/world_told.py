#!/usr/bin/env python3
"""world_told.py TARGET... < FILES: convert each file to each target, and compare the poses in world space with those of the source.

They may differ by the errors that the conversion reported, once for each joint of a chain of ten, and by the rounding of floats. Prints
each conversion that differs by more. If the conversion reported a loss without a number, it is counted but not compared."""
import json
import re
import subprocess
import sys

JOINTS = 10  # of a chain, whose errors add up
NOISE = 2e-6  # of the size, for the rounding of floats
HARMLESS = re.compile(r"note: |'_' replaces |became quaternions$|became Euler angles$|were normalised")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def size_of(path):
    """Return the largest coordinate of a node, or 0 if no clip moves a tree, and the latest end of a clip."""
    command = 'anim-parse -q "$0" | anim-axes -q gltf | anim-bake -q --world -r 4 | anim-emit -q json'
    largest = end = 0
    for line in run("sh", "-c", command, path).stdout.splitlines():
        record = json.loads(line)
        track = record.get("track")
        end = max(end, record.get("clip", {}).get("end", 0))
        if track and track["property"] == "position":
            largest = max(largest, *(abs(number) for value in track["columns"]["value"] for number in value))
    return largest, end


def main():
    compared = skipped = faults = 0
    for path in sys.stdin.read().splitlines():
        size, end = size_of(path)
        for target in sys.argv[1:]:
            out = f"out.{target}"
            done = run("anim-convert", "--force", path, out)
            lines = [line for line in done.stderr.splitlines() if not HARMLESS.search(line)]
            told = {"degrees": 0.0, "units": 0.0}
            for number, unit in re.findall(r"at most ([0-9.e+-]+) (degrees|units) off", done.stderr):
                told[unit] = max(told[unit], float(number))
            if size == 0 or done.returncode != 0 or any(not re.search(r"at most \S+ (degrees|units) off", line) for line in lines):
                skipped += 1
                continue
            # anim-diff also compares points 10 cm around each joint. Times are floats: a node may move by its size each second.
            noise = NOISE + 2**-24 * end
            limit = JOINTS * (told["units"] + (size + 0.1) * (told["degrees"] * 3.15 / 180 + noise))
            found = run("anim-diff", "-q", "--world", path, out)
            if "points of comparison" in found.stderr:  # a clip of days
                found = run("anim-diff", "-q", "--world", "-r", "0.001", path, out)
            rows = re.findall(r"^  .* world +([0-9.e+-]+) (?:m|px) .*?(?:against (.*))?$", found.stdout, re.M)
            # Godot's importer puts meshes with a skin below the skeleton. Their places have no effect.
            worst = [number for number, other in rows if not re.search(r"Skeleton3D/[^:]+$", other)]
            if found.returncode > 1 or (found.returncode == 1 and not rows and "world" in found.stdout):
                print(f"{path} to {target}: {found.stderr.strip()}")
                faults += 1
            compared += 1
            for number in worst:
                if float(number) > limit:
                    faults += 1
                    print(f"{path} to {target}: {number} m off, but at most {limit:.3g} m was reported")
    print(f"{compared} conversions compared, {skipped} skipped, {faults} faults")
    return faults > 0


sys.exit(main())
