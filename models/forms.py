#!/usr/bin/env python3
"""Whether what follows a form that repeats keeps its changes: choruses of a blues, a ground, a verse.

forms.py BIN SET_DIR [--seeds N] [--only ID,...] [--keep DIR]
    continues each piece that SET_DIR/changes.tsv names with the seeds 1 to N (1) and prints the takes, then their sum.
    BIN may carry a setting before and options after it, as in exam.py. DIR/ID-SEED.mid are the takes, if they are to stay.
forms.py file SET_DIR ID FILE [FILE...]
    the same of takes made elsewhere.

SET_DIR has requests.tsv (see exam.py) and changes.tsv: id, one chord a bar of what is written, that of its first beat
(A7 D7 ...). A bar keeps its chord if the bass sounds its root on the first beat and some track its third or seventh,
or in a triad its third or fifth, within the bar. The bass is the track of a bass instrument, or the lowest on the mean.
A take keeps the form if at most one bar in six does not: ten of twelve. A line is a bar that does not: its chord, what the
bass has on its first beat, and "-" if neither third nor seventh sounds.
"""

import os, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exam import note, requests, run, take
from parts import symbol
from smf import Song


def find_bass(song, start):
    pitched = [q for q in song.parts if q[2] != 9 and any(n[0] >= start for n in q[4])]
    basses = [q for q in pitched if 32 <= q[3] < 40] or pitched
    mean = lambda q: sum(n[2] for n in q[4]) / len(q[4])
    return min(basses, key=mean)[4] if basses else []


def failures(given, path, changes):
    """[(bar, chord, bass note or None, whether third or seventh sounds)] of the bars that do not keep theirs."""
    song = Song(path)
    start, slack = given.bars() * given.bar, given.div // 12
    notes = [n for q in song.parts if q[2] != 9 for n in q[4]]
    bass, out = find_bass(song, start), []
    for k, name in enumerate(changes):
        t = start + k * given.bar
        root, tones, _ = symbol(name)
        begun = [n[2] for n in bass if abs(n[0] - t) <= slack]
        held = [n[2] for n in bass if n[0] <= t < n[1]]
        low = min(begun or held, default=None)
        is_triad = len(tones) == 3
        colours = {c for c in tones if (c - root) % 12 in (3, 4, 7 if is_triad else 10, 9, 11)}
        has = any(n[2] % 12 in colours for n in notes if t - slack <= n[0] < t + given.bar - slack)
        if low is None or low % 12 != root or not has:
            out.append((given.bars() + k + 1, name, low, has))
    return out


def show(name, given, path, changes):
    """Prints a take; returns whether it keeps the form."""
    bad = failures(given, path, changes)
    keeps = 6 * len(bad) <= len(changes)
    print(f'{name}\t{"keeps" if keeps else "loses"}\t{len(changes) - len(bad)} of {len(changes)} bars')
    for bar, chord, low, has in bad:
        heard = "rests" if low is None else note(low, given.key)
        print(f'  bar {bar}\t{chord}\tbass {heard}{"" if has else chr(9) + "-"}')
    sys.stdout.flush()
    return keeps


def main(a):
    if len(a) < 2 or a[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    seeds, only, keep = int(take(a, "--seeds", "1")), take(a, "--only"), take(a, "--keep")
    is_file = a[0] == "file"
    folder = a[1]
    wanted = {a[2]} if is_file else set(only.split(",")) if only else None
    with open(os.path.join(folder, "changes.tsv"), encoding="utf8") as f:
        changes = {k: v.split() for k, v in (line.rstrip("\n").split("\t") for line in f)}
    n_takes = n_keep = n_failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        if keep:
            os.makedirs(keep, exist_ok=True)
        for r in requests(folder, wanted):
            if r[0] not in changes:
                continue
            given = Song(os.path.join(folder, r[2]))
            takes = [(p, 0, "") for p in a[3:]] if is_file else []
            for seed in range(1, 1 if is_file else seeds + 1):
                out = os.path.join(keep or tmp, f"{r[0]}-{seed}.mid")
                _, rc, _, err = run(a[0], folder, r, out, seed)
                takes.append((out, rc, err))
            for k, (path, rc, err) in enumerate(takes):
                if rc:
                    n_failed += 1
                    print(r[0], err, file=sys.stderr)
                    continue
                n_takes += 1
                n_keep += show(f"{r[0]}-{k + 1}", given, path, changes[r[0]])
    print(f"{n_keep} of {n_takes} takes keep their form")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
