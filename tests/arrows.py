#!/usr/bin/env python3
"""Holds every #include to the rooms of README's map.

The map is the table between the two marks in README.md: a row for each room, lower rooms
first, with the rooms that it may include: sub-rooms of its own room by their names, other
rooms as wholes. It may include only what stands above it, so the table allows no circle; the laboratory (app/lab) only by itself and by app/cli. A file belongs to the row with the longest
folder that it lies in. Within a room, files may call each other in circles of at most
MOST_IN_A_CIRCLE; a room has at most MOST_FILES files and MOST_LINES lines.

Every file, test and `name_of_code` in README must exist.
"""
import collections
import pathlib
import re
import sys

MOST_FILES, MOST_LINES, MOST_IN_A_CIRCLE = 60, 8000, 10
faults = []


def read_map():
    text = pathlib.Path("README.md").read_text()
    table = text.split("<!-- rooms -->")[1].split("<!-- end of rooms -->")[0]
    rooms = {}
    for row in table.splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        room = cells[0].strip("`/")
        rooms[room] = {room}
        for name in re.findall(r"[\w/]+", cells[2]):
            own = f"{room.split('/')[0]}/{name}"
            below = [r for r in rooms if r != room and (r == own or r.startswith((own + "/", name + "/")))]
            if not below:
                faults.append(f"README.md: {room} may include {name}, which is no row before it")
            rooms[room].update(below)
        if not room.startswith("app/lab/") and room != "app/cli" and any(r.startswith("app/lab/") for r in rooms[room]):
            faults.append(f"README.md: {room} is of the instrument and may not include the laboratory")
    return rooms


def room_of(path, rooms):
    holders = [r for r in rooms if path.startswith(r + "/")]
    return max(holders, key=len) if holders else None


def circles(calls):
    """The sets of units that reach each other (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in calls[unit]:
            if other not in index:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == index[unit]:
            at = stack.index(unit)
            found.append(stack[at:])
            del stack[at:]

    for unit in list(calls):
        if unit not in index:
            visit(unit)
    return found


def check_names():
    text = pathlib.Path("README.md").read_text()
    named = re.findall(r"\b(?:app|midi|model|models|tests|tui)(?:/\w+)+(?:\.\w+)?", text)
    tests = re.findall(r"\b(?:test|fuzz)_\w+", text)
    for name in sorted(n for n in set(named) if "NAME" not in n):
        if not list(pathlib.Path(".").glob(name)) and not list(pathlib.Path(".").glob(name + ".c")):
            faults.append(f"README.md: there is no {name}")
    for name in sorted(set(tests)):
        if not list(pathlib.Path("tests").rglob(name + ".*")):
            faults.append(f"README.md: there is no test {name}")
    code = "".join(p.read_text() for top in ("app", "midi", "model", "tui") for p in pathlib.Path(top).rglob("*.[ch]"))
    for name in sorted(set(re.findall(r"`([A-Za-z]+_[A-Za-z_]+)`", text))):
        if not re.search(rf"\b{name}\b", code):
            faults.append(f"README.md: there is no {name}")


def main():
    sys.setrecursionlimit(10000)
    rooms = read_map()
    check_names()
    n_files, n_lines = collections.Counter(), collections.Counter()
    calls = collections.defaultdict(lambda: collections.defaultdict(set))
    sources = [str(p) for top in ("app", "midi", "model", "tui") for p in sorted(pathlib.Path(top).rglob("*.[ch]"))]
    for path in sources:
        room = room_of(path, rooms)
        if not room:
            faults.append(f"{path}: lies in no room of README's map")
            continue
        lines = pathlib.Path(path).read_text().splitlines()
        n_files[room] += 1
        n_lines[room] += len(lines)
        unit = path[:-2]
        calls[room][unit]
        for n, line in enumerate(lines, 1):
            other = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not other:
                continue
            other = other.group(1)
            if room_of(other, rooms) not in rooms[room]:
                faults.append(f"{path}:{n}: {room} may not include {other}")
            elif room_of(other, rooms) == room and other[:-2] != unit:
                calls[room][unit].add(other[:-2])
    for room in rooms:
        if n_files[room] > MOST_FILES or n_lines[room] > MOST_LINES:
            faults.append(f"{room}: {n_files[room]} files, {n_lines[room]} lines")
        for circle in circles(calls[room]):
            if len(circle) > MOST_IN_A_CIRCLE:
                faults.append(f"{room}: {len(circle)} files call each other: " + ", ".join(sorted(circle)))
    print("\n".join(f"lint: {fault}" for fault in faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
