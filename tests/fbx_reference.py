#!/usr/bin/env python3
"""fbx_reference.py TABLE FILE.jsonl...: compares curves of FBX files, as anim-emit json writes them, with values that were sampled
in Maya and MotionBuilder. Prints the largest difference of each file; fails above 0.002, which is how far the samples were
rounded, and where no file fits the table."""
import sys

from fbx_oracle import read


def main(table, files):
    seen, good = 0, True
    for line in open(table, encoding="utf-8"):
        _, stem, _, _, component, time, values = line.rstrip("\n").split("\t")
        # The table of resampled keys is of another reader's sampling.
        if component in ("?", "component") or stem == "maya_resampled":
            continue
        for file in files:
            name = file.split("/")[-1].rsplit("_", 2)[0]
            if name != stem:
                continue
            _, clips = read(file)
            clip = list(clips.values())[0]
            track = [k for k in clip.tracks if k[1] == "position"][0]
            worst = max(abs(clip.component(*track, 0, i / 24 + (1e-6 if "0.000001" in time else 0)) * 100 - float(v))
                        for i, v in enumerate(values.split(",")))
            print(f"{file}: {worst:.5f}")
            seen += 1
            good &= worst <= 0.002
    return seen > 0 and good


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1], sys.argv[2:]) else 1)
