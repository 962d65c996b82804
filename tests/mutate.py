#!/usr/bin/env python3
"""How many small faults the tests catch.

Draws faults at random over the lines of all rooms (a bound, a sign, a lost call, swapped
arguments and the like), puts one at a time into this tree and runs the tests: those of its
own room within the room, then those of the whole room, then all. The first run that fails
has caught it. The tree must have no changes; each file is put back.

    tests/mutate.py --seed 1 --faults 40 --log mutants.tsv

With --log a stopped run goes on, and the same faults are tried on another commit by
`--again mutants.tsv`: each is found by its line, and skipped where the line is gone.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

ROOMS = ("app", "midi", "model", "tui")
SIDES = (" < ", " <= "), (" > ", " >= "), (" == ", " != "), (" + ", " - "), (" && ", " || ")
WORD = r"[A-Za-z][\w.\->]*"  # not a text, which is underscores here


def faults_of(line):
    """All (kind, changed line) of a line."""
    code = re.sub(r'"(\\.|[^"\\])*"', lambda m: "_" * len(m[0]), line)  # texts stay
    code = re.sub(r"/\*.*", "", code)
    found = []
    for pair in SIDES:
        for a, b in (pair, pair[::-1]):
            for m in re.finditer(re.escape(a), code):
                found.append((f"{a.strip()} to {b.strip()}",
                              line[: m.start()] + b + line[m.end():]))
    for m in re.finditer(r"(?<![\w.])(\d+)(?![\w.])", code):
        found.append(("number", line[: m.start()] + str(int(m[1]) + 1) + line[m.end():]))
    for m in re.finditer(r"\b(true|false)\b", code):
        other = "false" if m[1] == "true" else "true"
        found.append(("truth", line[: m.start()] + other + line[m.end():]))
    for m in re.finditer(r"\+\+|--", code):
        found.append(("step", line[: m.start()] + ("--" if m[0] == "++" else "++") + line[m.end():]))
    if re.match(rf"\s+{WORD}\(.*\);\s*$", code):
        found.append(("lost call", re.match(r"\s*", line)[0] + ";\n"))
    for m in re.finditer(rf"\(({WORD}), ({WORD})([,)])", code):
        a, b = line[m.start(1):m.end(1)], line[m.start(2):m.end(2)]
        found.append(("swapped", line[: m.start(1)] + f"{b}, {a}" + line[m.end(2):]))
    return found


def places():
    """(file, number of line) of all lines that have a fault to offer."""
    names = subprocess.run(["git", "ls-files", *ROOMS], capture_output=True, text=True).stdout
    for name in names.split():
        if not name.endswith(".c"):
            continue
        in_comment = False
        for n, line in enumerate(pathlib.Path(name).read_text().splitlines(True)):
            if "/*" in line:
                in_comment = True
            if not in_comment and line[0] not in "#\n" and faults_of(line):
                yield name, n
            if "*/" in line:
                in_comment = False


def run(command, seconds):
    try:
        done = subprocess.run(command, shell=True, capture_output=True, text=True,
                              timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return 124, "timeout"
    return done.returncode, done.stdout + done.stderr


def try_fault(name, n, changed, options):
    """What became of it: "no program", "caught by ..." or "lives"."""
    path = pathlib.Path(name)
    before = path.read_text()
    lines = before.splitlines(True)
    lines[n] = changed
    path.write_text("".join(lines))
    try:
        if run(f"make -s all {options.make}", 600)[0]:
            return "no program"
        near = str(path.parent)
        for only in dict.fromkeys((near, name.split("/")[0], "")):
            code, text = run(f"make check ONLY='{only}' {options.make}", 1500)
            if code == 0 or text.rstrip().endswith("no test has such a path"):
                continue
            failed = re.findall(r"^failed: *(.*)$", text, re.M)
            if failed or code == 124:
                return "caught by " + (failed[-1] if failed else "a test that hangs")
        return "lives"
    finally:
        path.write_text(before)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--faults", type=int, default=40)
    p.add_argument("--log", type=pathlib.Path, default=pathlib.Path("build/mutants.tsv"))
    p.add_argument("--again", type=pathlib.Path)
    p.add_argument("--make", default="", help="more words for make")
    options = p.parse_args()
    if subprocess.run(["git", "diff", "--quiet"]).returncode:
        sys.exit("the tree has changes")
    chance = random.Random(options.seed)
    old = options.log.read_text().splitlines() if options.log.exists() else []
    rows = [r.split("\t") for r in old]
    done = {(r[0], r[3], r[4]) for r in rows}
    everywhere = list(places())
    wanted = []
    if options.again:
        for name, _, kind, line, changed, _ in (
                r.split("\t") for r in options.again.read_text().splitlines()):
            lines = pathlib.Path(name).read_text().splitlines() if pathlib.Path(name).exists() else []
            at = [n for n, text in enumerate(lines) if text == line]
            if at:
                wanted.append((name, at[0], kind, line, changed))
    count = 0
    while count < (len(wanted) if options.again else options.faults):
        if options.again:
            name, n, kind, line, changed = wanted[count]
        else:
            name, n = chance.choice(everywhere)
            line = pathlib.Path(name).read_text().splitlines()[n]
            kind, changed = chance.choice(faults_of(line + "\n"))
            changed = changed.rstrip("\n")
        if (name, line, changed) in done:
            count += 1
            continue
        what = try_fault(name, n, changed + "\n", options)
        if what == "no program":
            continue
        count += 1
        row = [name, str(n + 1), kind, line, changed, what]
        print(f"{count} {name}:{n + 1} {kind}: {what}\n  - {line.strip()}\n  + {changed.strip()}",
              flush=True)
        with options.log.open("a") as log:
            log.write("\t".join(row) + "\n")
        rows.append(row)
    lives = [r for r in rows if r[5] == "lives"]
    print(f"{len(rows) - len(lives)} of {len(rows)} caught")


main()
