#!/usr/bin/env python3
"""How many small faults the tests catch.

    make built
    tests/mutate.py draw faults.json --seed 1 --number 40 --since COMMIT
    tests/mutate.py try faults.json results.tsv

draw picks faults at random over the lines of all rooms (a bound, a sign, a lost call, swapped
arguments and the like). A fault that does not compile, that mixes types, or that compiles to the
same code is drawn again. With --since, a line and its neighbours must be as they were in COMMIT,
so that the same faults can be tried there: run this script with that tree as the working folder.

try compiles the files of the faults for gcc's coverage, runs each test once with them, and notes
whether it passes, and which tests run the line of which fault (results.cover.json). Then each
fault is compiled, and only these tests are linked with it and run, the cheap and near ones first,
until one fails twice or hangs. A process that is killed or calls _exit writes no coverage: tests
with such processes (ABRUPT) run last, for each fault that no other test catches. A stopped run
goes on.

The tree itself stays as it is: what is made lies in build/mutate, a folder for each fault. Where
much else runs, a test that takes too long, or waits for a sound, catches nothing: try those by hand.
Programs that are held to one processor (taskset) do not tell whether idle threads sleep.

Thirty faults (draw --seed 11 --number 30 --since 78a71304 on 489e6288), each tried on the twelve
nearest tests that run its line, or are of its room, and on those that might catch it by what they
prove; in the older tree on the latter and on those that caught it in the other:

    tests of 78a71304              21 caught,  6 not
    tests of 489e6288              21 caught,  the same 6 not
    and a row for each of the six  27 caught
    change nothing that is seen     3

These three: the lowest given pitch of a track without notes (128 for 127, read only where there are
notes); the first value of a table of which each entry is set before it is read; and that threads
yield, too, where there are as many as processors, which changes no more than how long work takes.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOMS = ("app", "midi", "model", "tui")
BUILD, SCRATCH = pathlib.Path("build/release"), pathlib.Path("build/mutate")
SIDES = (" < ", " <= "), (" > ", " >= "), (" == ", " != "), (" + ", " - "), (" && ", " || ")
WORD = r"[A-Za-z][\w.\->]*"  # not a text, which is underscores here
ABRUPT = r"_exit\(|SIGKILL|kill -9|app/terminal\.h|at_keyboard\.h"
TYPES = "-Werror=incompatible-pointer-types -Werror=int-conversion"


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
        found.append(("lost call", re.match(r"\s*", line)[0] + ";"))
    for m in re.finditer(rf"\(({WORD}), ({WORD})([,)])", code):
        a, b = line[m.start(1):m.end(1)], line[m.start(2):m.end(2)]
        found.append(("swapped", line[: m.start(1)] + f"{b}, {a}" + line[m.end(2):]))
    return found


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout


def lines_of(name):
    path = pathlib.Path(name)
    return path.read_text().split("\n") if path.exists() else []


class Tree:
    """The commands by which make builds this tree."""

    def __init__(self):
        self.compiles, self.links = {}, {}  # by what they make
        for line in output_of("make", "-n", "-B", "V=1", "built").split("\n"):
            made = re.search(r" -o (build/\S+)$", line)
            if made and re.search(rf" -c (\S+\.c) -o ", line):
                self.compiles[made[1]] = line
            elif made and ".a " in line:
                self.links[made[1]] = line
            elif link := re.search(r"ln -sf (\w+) (build/\S+)/(\w+)$", line):  # each a program here
                whole = f"{link[2]}/{link[1]}"
                self.links[f"{link[2]}/{link[3]}"] = self.links[whole].replace(
                    f" -o {whole}", f" -o {link[2]}/{link[3]}")
        self.tests = [t for t in self.links if re.search(r"/(test|fuzz)_\w+$", t)]
        self.tests += sorted(str(p) for p in pathlib.Path("tests").rglob("test_*.sh"))

    def objects_of(self, name):
        """The objects that contain code of a file."""
        if name.endswith(".c"):
            return [o for o, c in self.compiles.items() if f" -c {name} " in c]
        return [o for o in self.compiles if name in output_of("cat", o[:-1] + "d").split()]

    def compile(self, made, folder, flags=TYPES):
        """Compiles with the files that lie in the folder before the tree's. The path, or None."""
        source = re.search(r" -c (\S+) ", self.compiles[made])[1]
        mine = folder / source
        out = folder / pathlib.Path(made).relative_to(BUILD)
        out.parent.mkdir(parents=True, exist_ok=True)
        command = self.compiles[made].replace(" -I. ", f" -I{folder} -I. ").replace(" -MMD -MP", "")
        command = command.replace(f" -c {source} -o {made}",
                                  f" {flags} -c {mine if mine.exists() else source} -o {out}")
        done = subprocess.run(command, shell=True, capture_output=True)
        return out if done.returncode == 0 else None

    def link(self, made, folder, objects, flags=""):
        """Links a program of the tree into the folder, with some objects in place of the tree's."""
        command, first = self.links[made], []
        for o in objects:
            old = str(BUILD / o.relative_to(folder))
            if f" {old} " in command:
                command = command.replace(f" {old} ", f" {o} ")
            elif f"{BUILD}/{o.relative_to(folder).parts[0]}.a " in command:
                first.append(str(o))
        out = folder / pathlib.Path(made).relative_to(BUILD)
        out.parent.mkdir(parents=True, exist_ok=True)
        # A stand-in of the test itself comes first, as before an archive.
        command = re.sub(rf" {BUILD}/\w+\.a ", lambda m: " " + " ".join(first) + m[0], command, count=1)
        command = command.replace(f" -o {made}", f" -Wl,-z,muldefs -fuse-ld=gold {flags} -o {out}")
        return subprocess.run(command, shell=True, capture_output=True).returncode == 0


def folder_for(name):
    """An empty folder of what is made for one fault; what needs no change is the tree's."""
    folder = SCRATCH / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for shared in ("soundfonts", "standin"):
        (folder / shared).symlink_to((BUILD / shared).absolute())
    return folder


def put_fault(folder, name, at, now):
    lines = lines_of(name)
    lines[at] = now
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("\n".join(lines))


# ---- draw


def places():
    """(file, index of line) of all lines that have a fault to offer. Kernels are in headers, too."""
    for name in output_of("git", "ls-files", *ROOMS).split():
        if not name.endswith(".c") and not re.match(r"model/kernels/.*\.h", name):
            continue
        in_comment = False
        for n, line in enumerate(lines_of(name)):
            in_comment = in_comment or "/*" in line
            if not in_comment and line[:1] not in ("#", "") and faults_of(line):
                yield name, n
            if "*/" in line:
                in_comment = False


def older_place(name, n, since):
    """The name of the file in which the line and its neighbours stood in `since`, if they did."""
    blame = output_of("git", "blame", "-M", "-C", "--line-porcelain", "-L", f"{n},{n + 2}",
                      f"{since}..HEAD", "--", name)
    commits = re.findall(r"^([0-9a-f]{40}) (\d+) \d+", blame, re.M)
    files = re.findall(r"^filename (.*)$", blame, re.M)
    first = int(commits[0][1]) if commits else 0
    stood = [(since, str(first + i)) for i in range(3)]
    return files[0] if commits == stood and len(set(files)) == 1 else None


def changes_code(tree, name, n, now):
    """Whether the file compiles with a fault, and to other code."""
    folder = folder_for(f"draw{n}{abs(hash(now))}")
    put_fault(folder, name, n, now)
    differ, objects = False, tree.objects_of(name)
    for old in objects:
        new = tree.compile(old, folder)
        if not new:
            objects = []
            break
        bare = [folder / "old", folder / "new"]
        for whole, stripped in zip((old, new), bare):
            subprocess.run(["objcopy", "--strip-debug", whole, stripped], check=True)
        differ = differ or bare[0].read_bytes() != bare[1].read_bytes()
    shutil.rmtree(folder)
    return bool(objects) and differ


def draw(options):
    chance = random.Random(options.seed)
    tree = Tree()
    since = options.since and output_of("git", "rev-parse", options.since).strip()
    everywhere = list(places())
    drawn = {}
    for _ in range(100 * options.number):
        name, n = chance.choice(everywhere)
        kind, now = chance.choice(faults_of(lines_of(name)[n]))
        if (name, n, now) not in drawn:
            old = older_place(name, n, since) if since else name
            if old:
                drawn[name, n, now] = kind, old
        if len(drawn) == 2 * options.number:
            break
    faults = []
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        good = pool.map(lambda d: len(faults) < options.number and changes_code(tree, *d), drawn)
        for ((name, n, now), (kind, old)), fine in zip(drawn.items(), good):
            if fine and len(faults) < options.number:
                was = lines_of(name)[n - 1 : n + 2]
                faults.append({"file": name, "line": n + 1, "old": old, "kind": kind, "was": was,
                               "now": now})
                print(f"{len(faults)} {name}:{n + 1} {kind}\n  - {was[1].strip()}\n"
                      f"  + {now.strip()}", flush=True)
    options.faults.write_text(json.dumps(faults, indent=1) + "\n")
    print(f"{len(everywhere)} lines have a fault to offer")


# ---- try


def find(fault):
    """(file, index of line) of a fault in this tree, or (None, 0)."""
    moved = output_of("git", "grep", "-lF", "-e", fault["was"][1], "--", *ROOMS).split()
    for name in (fault["file"], fault["old"], *moved):
        lines = lines_of(name)
        at = [n for n in range(1, len(lines)) if lines[n - 1 : n + 2] == fault["was"]]
        if at:
            return name, min(at, key=lambda n: abs(n + 1 - fault["line"]))
    return None, 0


def run_test(test, folder, limit, **more):
    """Runs a test that is linked into the folder. (whether it passed, whether it hung, seconds)"""
    script = test.endswith(".sh")
    env = {**os.environ, "FLAVOUR": str(folder.relative_to("build")), "LIMIT": str(int(limit)),
           "ONLY": test.removeprefix("tests/") if script else "-", **more}
    program = [] if script else [str(folder / pathlib.Path(test).relative_to(BUILD))]
    began = time.monotonic()
    done = subprocess.run(["sh", "tests/run.sh", *program], env=env, capture_output=True,
                          text=True, errors="replace")
    return done.returncode == 0, "(exit 124)" in done.stdout, time.monotonic() - began


def runs_line(report, name, number):
    """Whether a report of gcov says that a line was run; a table, that anything of its file was."""
    for file in report["files"]:
        if file["file"] != name:
            continue
        within = [f for f in file["functions"] if f["start_line"] <= number <= f["end_line"]]
        for f in within or [None]:
            counts = [(e["line_number"], e["count"]) for e in file["lines"]
                      if not f or f["start_line"] <= e["line_number"] <= number]
            if f:  # a statement counts on its first line
                counts = [c for c in counts if c[0] == max(counts)[0]]
            if any(count for _, count in counts):
                return True
    return False


def cover(tree, faults, path, at_once):
    """{test: {"passed", "seconds", "faults": the numbers of those whose lines it runs}}"""
    covered = json.loads(path.read_text()) if path.exists() else {}
    missing = [t for t in tree.tests if t not in covered]
    if not missing:
        return covered
    at = [find(f) for f in faults]
    folder = folder_for("cover")
    made = sorted({o for name in {name for name, _ in at if name} for o in tree.objects_of(name)})
    pool = concurrent.futures.ThreadPoolExecutor(at_once)
    flags = "--coverage -fprofile-update=single"
    objects = list(pool.map(lambda o: tree.compile(o, folder, flags), made))
    if None in objects or not tree.link(str(BUILD / "continuo"), folder, objects, "--coverage"):
        sys.exit("the tree with coverage does not build")

    def look(test):
        data_of = (folder / "data" / test.replace("/", "_")).absolute()
        if not test.endswith(".sh") and not tree.link(test, folder, objects, "--coverage"):
            sys.exit(f"{test} does not link")
        passed, _, seconds = run_test(test, folder, 600, GCOV_PREFIX=str(data_of))
        found = set()
        for data in data_of.rglob("*.gcda"):
            notes = pathlib.Path("/", data.relative_to(data_of)).with_suffix(".gcno")
            if not notes.exists():
                continue
            data.with_suffix(".gcno").symlink_to(notes)
            text = output_of("gcov", "--json-format", "--stdout", str(data))
            for report in map(json.loads, filter(None, text.split("\n"))):
                found |= {i for i, (name, n) in enumerate(at) if runs_line(report, name, n + 1)}
        shutil.rmtree(data_of, ignore_errors=True)
        return test, {"passed": passed, "seconds": round(seconds, 1), "faults": sorted(found)}

    for done in concurrent.futures.as_completed([pool.submit(look, t) for t in missing]):
        test, row = done.result()
        covered[test] = row
        path.write_text(json.dumps(covered, indent=0) + "\n")
    return covered


def source_of(test):
    at = re.sub(r"^build/\w+/(replay/|(?=tests/))", "", test)
    at = at if at.startswith("tests/") else "tests/" + at
    return pathlib.Path(at if at.endswith(".sh") else at + ".c")


def in_order(tests, covered, name):
    """Cheap tests first; what is a room away counts as twice as long."""
    room = pathlib.Path(name).parent.parts

    def cost(test):
        there = source_of(test).parent.parts[1:]
        shared = sum(1 for _ in itertools.takewhile(lambda p: p[0] == p[1], zip(room, there)))
        return (0.2 + covered[test]["seconds"]) * 2 ** (len(room) - shared)

    return sorted(tests, key=cost)


def try_fault(tree, i, fault, covered, first):
    name, n = find(fault)
    if not name:
        return "gone"
    running = [t for t in covered if i in covered[t]["faults"]]
    rooms = "app", name.split("/")[0]
    abrupt = [t for t in covered if t not in running and source_of(t).parts[1] in rooms
              and re.search(ABRUPT, source_of(t).read_text())]
    tests = in_order(running, covered, name) + in_order(abrupt, covered, name)
    tests.sort(key=lambda t: str(source_of(t)) not in first)
    folder = folder_for(str(i + 1))
    put_fault(folder, name, n, fault["now"])
    objects = [tree.compile(o, folder) for o in tree.objects_of(name)]
    if None in objects or not tree.link(str(BUILD / "continuo"), folder, objects):
        return "does not build"
    for test in tests:
        if not test.endswith(".sh") and not tree.link(test, folder, objects):
            return f"{test} does not link"
        limit = 60 + 4 * covered[test]["seconds"]
        passed, hung, _ = run_test(test, folder, limit)
        if not passed and (hung or not run_test(test, folder, limit)[0]):
            return f"caught by {source_of(test)}{' (hangs)' if hung else ''}"
    return f"lives: {len(running)} tests run its line"


def try_all(options):
    faults = json.loads(options.faults.read_text())
    tree = Tree()
    covered = cover(tree, faults, options.results.with_suffix(".cover.json"), options.at_once)
    for test in [t for t in covered if not covered[t]["passed"]]:
        print(f"left out, since it fails without a fault: {source_of(test)}")
        del covered[test]
    lines = options.results.read_text().splitlines() if options.results.exists() else []
    done = {line.split("\t")[0]: line.split("\t")[-1] for line in lines}
    hints = options.first.read_text() if options.first else ""

    def one(i):
        fault = faults[i]
        first = re.findall(rf"^{i + 1}\t.*caught by (\S+)", hints, re.M)
        what = try_fault(tree, i, fault, covered, first)
        shutil.rmtree(SCRATCH / str(i + 1), ignore_errors=True)
        row = [str(i + 1), f"{fault['file']}:{fault['line']}", fault["kind"],
               fault["was"][1].strip(), fault["now"].strip(), what]
        print("\t".join(row), flush=True)
        with options.results.open("a") as log:
            log.write("\t".join(row) + "\n")
        return what

    missing = [i for i in range(len(faults)) if str(i + 1) not in done]
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        results = [*done.values(), *pool.map(one, missing)]
    caught = sum(what.startswith("caught") for what in results)
    print(f"{caught} of {sum(what != 'gone' for what in results)} caught")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--at-once", type=int, default=4, help="how many compile or are tried at once")
    verbs = p.add_subparsers(required=True)
    d = verbs.add_parser("draw")
    d.add_argument("faults", type=pathlib.Path)
    d.add_argument("--seed", type=int, default=1)
    d.add_argument("--number", type=int, default=40)
    d.add_argument("--since", help="a commit in which the lines stood, too")
    d.set_defaults(do=draw)
    t = verbs.add_parser("try")
    t.add_argument("faults", type=pathlib.Path)
    t.add_argument("results", type=pathlib.Path)
    t.add_argument("--first", type=pathlib.Path,
                   help="the results of another tree: what caught a fault there is tried first")
    t.set_defaults(do=try_all)
    options = p.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
