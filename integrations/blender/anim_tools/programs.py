# SPDX-License-Identifier: MIT
"""Find and run the programs of anim-tools, and read the texts of their options."""

import os
import re
import shlex
import shutil
import subprocess

PLACES = ("~/.local/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "~/scoop/shims", "C:/Program Files/anim-tools")
MISSING = ("anim-tools is not installed, or its folder is not known. Install it (see the README of this add-on), then choose the folder "
           "of the program anim in Edit > Preferences > Add-ons > Animation (anim-tools)")


class Error(Exception):
    """An error with a text for the user."""


def find(chosen=""):
    """Return the path of `anim`: from the preferences, the variable ANIM_TOOLS, this add-on, PATH or a usual place. Raise Error."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    chosen = chosen.strip().strip('"\'')
    places = [chosen, os.path.dirname(chosen)] if chosen else [os.environ.get("ANIM_TOOLS", ""), own, os.environ.get("PATH", ""), *PLACES]
    found = shutil.which("anim", path=os.pathsep.join(os.path.expanduser(place) for place in places if place))
    if found:
        return os.path.abspath(found)
    raise Error(f"there is no program anim in {chosen}. " + MISSING if chosen else MISSING)


def run(program, *arguments):
    """Run `anim` with these arguments. Return its messages as lines, or raise Error with them."""
    hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
    try:
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **hidden)
    except OSError as error:
        raise Error(f"{program}: {error.strerror}. {MISSING}") from None
    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    if done.returncode != 0:
        raise Error("\n".join(lines) or f"{program}: exit status {done.returncode}")
    return [line for line in lines if not line.startswith("usage:")] + done.stdout.decode("utf-8", "replace").splitlines()


def words(text):
    """Split the text of further options into words."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Error(f"further options: {error}") from None


def help_texts(program):
    """Return {option: text} from the completions of the fish shell, which have one option per line."""
    found = [re.search(r" -l ([\w-]+) .*-d '(.*)'$", line) for name in ("retarget", "convert") for line in run(program, name, "--completion", "fish")]
    texts = {"--" + match[1]: match[2].replace("\\'", "'").replace("\\\\", "\\") for match in found if match}
    return {option: text[:1].upper() + text[1:] for option, text in texts.items()}


# ---- The options of both dialogs: attribute, option, kind (text, bool or file), label ----

READING = (
    ("clips", "--clip", "text", "Clips"), ("time", "--time", "text", "Time"), ("unit", "--unit", "text", "Unit"),
    ("up", "--up", "text", "Up axis"),
)
FITTING = (
    ("rest", "--from", "file", "Rest pose"), ("map", "--map", "file", "Bone list"), ("character", "--character", "text", "Character"),
    ("hips", "--hips", "text", "Hips"), ("partial", "--partial", "bool", "Partial"),
)
EDITING = (
    ("rate", "--rate", "text", "Rate"), ("loop", "--loop", "text", "Loop"), ("find_loop", "--find-loop", "bool", "Find loop"),
    ("trim", "--trim", "text", "Trim"), ("mirror", "--mirror", "bool", "Mirror"), ("pin", "--pin", "bool", "Pin feet"),
    ("in_place", "--in-place", "bool", "In place"), ("root_motion", "--root-motion", "bool", "Root motion"),
    ("reduce", "--reduce", "text", "Reduce"),
)
WRITING = (
    ("to_unit", "--to-unit", "text", "Unit"), ("retarget", "--retarget", "file", "Retarget to"), ("humanoid", "--humanoid", "text", "Humanoid"),
    ("muscles", "--muscles", "bool", "Muscles"), ("face", "--face", "text", "Face"), ("into", "--into", "file", "Put into"),
)


def arguments(source, table):
    """Return the words of the options that the user set."""
    out = []
    for attribute, option, kind, _ in table:
        value = getattr(source, attribute)
        if kind == "bool":
            out += [option] if value else []
        elif value.strip():
            out += [option, value.strip()]
    return out
