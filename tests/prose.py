#!/usr/bin/env python3
"""prose.py [--update]: count phrases that are hard to read in manual pages, Markdown, comments and messages.

Each file has a budget in tests/prose.txt. A file without a line there has a budget of 0. A count above the budget is an
error. A count below it also is, because a budget may only fall: --update writes the lower numbers and never a higher one.
"""
import os
import re
import subprocess
import sys

PHRASES = [
    r"\bwhere\b",  # use "if" for conditions and "when" for time
    r"\bwhat\b",  # name the thing
    r"\b(?:tells?|told)\b",  # report, say, record
    r"\bst(?:ands?|ood)\b",  # is, means
    r"\b(?:that|those) of\b",  # repeat the noun
    r"\bbehind\b",  # after
    r"\b(?:is|are) (?:no|none|neither)\b|\bin no\b",
    r"\b(?:lies?|goes)\b",
    r", too\b|\btoo[,.;:)]",  # also
    r"\bas (?:it|they) (?:is|are|was|were)\b|\bthat (?:is|are) there\b",  # unchanged, existing
    r"\blanes?\b",  # component
    r"\b(?:kin|anew|mend(?:s|ed)?|nobody|for want of|gives? way|thereof)\b",
]
SEMICOLON = r";"
BUDGETS = "tests/prose.txt"


def texts(path):
    """Return the text of comments and pages, and the text of messages."""
    content = open(path, encoding="utf8").read()
    if path.endswith((".c", ".h")):
        comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
        strings = re.findall(r'"((?:[^"\\\n]|\\.)*)"', comment.sub("", content))
        return "\n".join(comment.findall(content)), "\n".join(s for s in strings if len(s.split()) > 2)
    if path.endswith(".md"):
        return "\n".join(line for line in content.splitlines() if not line.startswith(("    ", "|"))), ""
    content = re.sub(r"^\.Bd -literal.*?^\.Ed", "", content, flags=re.S | re.M)
    return "\n".join(line for line in content.splitlines() if not line.startswith((".", "'"))), ""


def count(path):
    prose, messages = texts(path)
    return sum(len(re.findall(p, prose + "\n" + messages, re.I)) for p in PHRASES) + len(re.findall(SEMICOLON, prose))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    names = ["*.md", "lib/*.md", "tests/*.md", "packaging/*.md", "man/*.[1357]", "lib/*.[ch]", "cmd/*.[ch]"]
    files = subprocess.run(["git", "ls-files"] + names, capture_output=True, text=True, check=True).stdout.split()
    counts = {path: count(path) for path in sorted(files) if os.path.exists(path)}
    budgets = {}
    if os.path.exists(BUDGETS):
        budgets = {path: int(number) for number, path in (line.split() for line in open(BUDGETS, encoding="utf8"))}
    first = not budgets
    above = [p for p, n in counts.items() if n > budgets.get(p, 0)] if not first else []
    for path in above:
        print(f"prose: {path}: {counts[path]} hard phrases, {budgets.get(path, 0)} allowed. Rewrite the sentence.")
    if "--update" in sys.argv[1:]:
        with open(BUDGETS, "w", encoding="utf8") as out:
            for path, n in counts.items():
                n = n if first else min(n, budgets.get(path, 0))
                if n > 0:
                    out.write(f"{n} {path}\n")
    else:
        below = [p for p, n in budgets.items() if counts.get(p, 0) < n]
        for path in below:
            print(f"prose: {path}: fewer hard phrases than allowed. Run tests/prose.py --update.")
        above += below
    sys.exit(1 if above else 0)


main()
