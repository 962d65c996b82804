#!/usr/bin/env python3
"""Figures of missing parts: what a program, or a person, wrote for a band or a quartet that lacks one player.

parts.py BIN SET_DIR [SET_DIR...] [--seeds N] [--only ID,...] [--keep DIR]
    runs each request whose kind has 'missing' with the seeds 1 to N (4) and prints figures by kind, then over all.
    BIN may carry a setting before and options after it, as in exam.py. DIR/ID-SEED.mid are the takes, if they are to stay.
parts.py file SET_DIR ID FILE [FILE...]
    the same figures for parts made elsewhere: a MIDI file with the tracks of the request's piece, or a sheet of exam.py.

A line is: kind, figure, share, the number behind it (tabs between). '-' is a share of nothing. Figures of several takes
are pooled: all their beats, notes or bars are one heap. Read them together; each alone can be had cheaply (an empty
part is never off the chord, a part that copies the tune seldom is). Takes differ: of one program some have
the backbeat in all bars, some in none, so that four seeds of two pieces know that figure to 0.2, sixteen to 0.1.
One generation runs at a time.
What people wrote for set A: pop bass chord 0.93, strong 1, root 0.67 (it has thirds in the bass); jazz bass 0.84, 1, 0.90;
second violin 1, 1, doubled 0.08; drums 2 and 4 in all bars, fill 0.50, fill else 0, patterns 0.38; empty 0, in range 1.

The harmony comes from the other tracks, never from the part alone. Where the piece carries chord symbols these are it
(written tensions belong to the chord, a slash names the bass). Elsewhere each half bar (each whole bar where the beats
do not halve) is compared with the triads and sevenths on twelve roots: what sounds in the other tracks, drums left out,
is weighed by its length, half as much again if it begins on a strong beat and lasts a beat, twice for the lowest voice if
it lies below E3. A chord earns the weight of its tones, loses the weight of the others and a little for each of its tones
that is missing (less for the fifth, and for a seventh unless the part is a bass; more outside the key) and for being rarer
than a triad, and gains where the bass has its root. What differs from the best by at most IN_DOUBT fits as well (C E G A
is C or A minor 7; a tune alone allows several), and then the one counts that suits the part best, or else the one before
goes on: the doubt is the writer's. The constants were chosen with people's parts in view, whose figures are thus no proof.

Pitched parts
    chord      share of the part's sounding time that is on tones of the chord, in beats (quarters)
    strong     share of its notes that begin on a strong beat (the first, and the middle where there is one) that are chord tones
    root       basses: share of the chord changes at which its lowest note begins with the root (or the bass the symbol names)
    scale      share of its time in the scale of the key signature (minor with both sixths and sevenths)
    doubled    share of its time in which it says what another track says: begins with it, in the same pitch classes whatever
               the octave, or in pitches of its chord, and both begin their next notes together
    unison     share of its time in which another track sounds the same pitch, whenever both began
    one pitch  share of its time on the pitch it uses most: a drone has 1
    empty      share of bars in which nothing of it sounds
    in range   share of its notes within what the instrument can play; the lowest and the highest note
Drums
    2 and 4    share of the 4/4 bars with snare, rim or clap on both, and none on 1, nor on 3 (every fourth bar may); soft
               hits do not count. Where a backbeat is to be expected: not in jazz, bossa, waltzes and dances, unless drums
               given elsewhere in the piece have it (then they decide)
    kick on 1  share of bars
    fill       share of the fourth, eighth ... bars with a snare or tom where the commonest bar has none
    fill else  the same of the other bars: should be much lower, or there is no pattern to leave
    empty      share of bars
    patterns   number of different bars (sounds and sixteenths) as a share of all bars that are not empty
"""

import os, re, sys, tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exam import DRUMS, note, options, region, requests, run, take
from smf import Song

# chord tones above the root, what it costs to be rarer than a triad
TYPES = {
    "": ((0, 4, 7), 0),
    "m": ((0, 3, 7), 0),
    "7": ((0, 4, 7, 10), 0.03),
    "m7": ((0, 3, 7, 10), 0.03),
    "maj7": ((0, 4, 7, 11), 0.05),
    "dim": ((0, 3, 6), 0.06),
    "m7b5": ((0, 3, 6, 10), 0.06),
    "dim7": ((0, 3, 6, 9), 0.08),
    "aug": ((0, 4, 8), 0.12),
}
MISSING = (
    0.12,
    0.1,
    0.03,
    0.06,
)  # a root, third, fifth, seventh that does not sound in the others, or hardly
INNER = MISSING[:3] + (
    0.03,
)  # the same for a part that is no bass: it may be the one to add the seventh
FOREIGN = 0.12  # more, if the scale of the key lacks it
BASS_ROOT, BASS_OFF, IN_DOUBT = 0.15, 0.1, 0.08
RANGES = {
    range(32, 40): (28, 67),
    range(40, 41): (55, 100),
    range(41, 42): (48, 88),
    range(42, 43): (36, 76),
    range(43, 44): (28, 67),
    range(58, 59): (26, 65),
}
SNARE, KICK, TOM = {37, 38, 39, 40}, {35, 36}, {41, 43, 45, 47, 48, 50}
NO_BACKBEAT = re.compile("jazz|bossa|latin|samba|waltz|reel|jig|march|swing")


# ---- harmony


def symbol(s):
    """(root, pitch classes, bass) of a written chord, None if it is none."""
    m = re.fullmatch(
        r"([A-G])([#b]?)([^/]*)(?:/([A-G])([#b]?))?", s.strip().replace("6/9", "6add9")
    )
    if not m:
        return None
    pc = lambda a, b: ("C D EF G A B".index(a) + (b == "#") - (b == "b")) % 12
    r, q = pc(m[1], m[2]), m[3].replace("(", "").replace(")", "").replace("Δ", "maj7").replace(
        "ø", "m7b5"
    ).replace("M7", "maj7")
    if not re.fullmatch(r"(maj|min|m|-|dim|o|°|aug|\+|sus[24]?|add|alt|[b#]?\d+)*", q):
        return None
    minor = re.match(r"m(?!aj)|min|-", q)
    dim = re.match(r"dim|o|°", q)
    tones = {
        0,
        3 if minor or dim else 4,
        6 if dim or "b5" in q else 8 if re.search(r"aug|\+|#5", q) else 7,
    }
    if "sus" in q:
        tones = tones - {4} | {2 if "sus2" in q else 5}
    if re.search(r"(?<![b#])(7|9|11|13)", q) and "add" not in q:
        tones.add(11 if "maj" in q else 9 if dim else 10)
    for t, x in (("b9", 1), ("#9", 3), ("#11", 6), ("b13", 8)):
        if t in q:
            tones.add(x)
    if re.search(r"(?<![b#\d])9", q):
        tones.add(2)
    if re.search(r"(?<![b#\d])(6|13)", q):
        tones.add(9)
    return r, frozenset((r + x) % 12 for x in tones), pc(m[4], m[5]) if m[4] else r


CHORDS = [
    (r, frozenset((r + x) % 12 for x in iv), r, iv, cost)
    for r in range(12)
    for iv, cost in TYPES.values()
]


def scale(key):
    sf, minor = key
    return {x * 7 % 12 for x in range(sf - 1, sf + 6)} | (
        {(sf * 7 + x) % 12 for x in (6, 8)} if minor else set()
    )


def fitting(song, others, f, t, missing):
    """The chords that fit what the other tracks play from f to t, the best first; none if they rest."""
    w, low, key = [0.0] * 12, defaultdict(float), scale(song.key)
    here = [n for n in others if n[0] < t and n[1] > f]
    for n in here:
        x = (min(n[1], t) - max(n[0], f)) / (t - f)
        if n[1] - n[0] >= song.unit * 0.9 and any(
            abs(n[0] - b) <= song.div // 12 for b in strong_beats(song, f, t)
        ):
            x *= 1.5
        if n[2] < 52 and not any(m[2] < n[2] and m[0] < n[1] and m[1] > n[0] for m in here):
            x *= 2
            low[n[2] % 12] += x
        w[n[2] % 12] += x
    total = sum(w)
    if not total:
        return []
    w = [x / total for x in w]
    bass = max(low, key=low.get) if low else None
    out = []
    for r, pcs, b, iv, cost in CHORDS:
        s = (
            sum(w[p] for p in pcs) * 2
            - 1
            - cost
            - sum(
                m + FOREIGN * ((r + x) % 12 not in key)
                for x, m in zip(iv, missing)
                if w[(r + x) % 12] < 0.08
            )
        )
        if bass is not None:
            s += BASS_ROOT if bass == r else 0 if bass in pcs else -BASS_OFF
        out.append((s, r, pcs, b))
    out.sort(key=lambda c: -c[0])
    return [c[1:] for c in out if c[0] >= out[0][0] - IN_DOUBT]


def strong_beats(song, f, t):
    step = song.bar // 2 if song.num % 2 == 0 else song.bar
    return range(-(-f // step) * step, t, step)


def harmony(song, others, part, f, t, missing=MISSING):
    """[(from, to, root, pitch classes, bass)]; a piece of time in which nothing says the chord is left out."""
    written = sorted((x, c) for x, s in song.chords for c in [symbol(s)] if c)
    cuts = sorted({f, t} | set(strong_beats(song, f, t)) | {x for x, _ in written if f < x < t})
    out = []
    for a, b in zip(cuts, cuts[1:]):
        now = [c for x, c in written if x <= a]
        if now:
            out.append((a, b) + now[-1])
            continue
        mine = [(min(n[1], b) - max(n[0], a), n) for n in part if n[0] < b and n[1] > a]
        first = min((n[2] for _, n in mine if abs(n[0] - a) <= song.div // 12), default=-1)
        fits = fitting(song, others, a, b, missing)
        suits = lambda c: (
            sum(x for x, n in mine if n[2] % 12 in c[1]),
            first >= 0 and first % 12 == c[0],
            bool(out) and out[-1][2:] == c,
        )
        if fits:
            out.append((a, b) + max(fits, key=suits))
    return out


# ---- figures: {name: [share's upper part, its lower part, unit]}


def groups(notes, slack):
    """[onset, sounding time, pitches] of what begins together."""
    g = []
    for n in notes:
        if g and n[0] - g[-1][0] <= slack:
            g[-1][1] += n[1] - n[0]
            g[-1][2].add(n[2])
        else:
            g.append([n[0], n[1] - n[0], {n[2]}])
    return g


def twins(mine, his, slack, end):
    """Which groups of mine say what his say, as long as his do."""
    after = lambda g, i: g[i + 1][0] if i + 1 < len(g) else end
    same = lambda a, b: {p % 12 for p in a} == {p % 12 for p in b} or a <= b
    return {
        i
        for i, m in enumerate(mine)
        for k, h in enumerate(his)
        if abs(h[0] - m[0]) <= slack
        and same(m[2], h[2])
        and abs(after(mine, i) - after(his, k)) <= slack
    }


def pitched(song, part, others, program_, f, t):
    """others: notes by track. Times in ticks."""
    flat = [n for o in others for n in o]
    bass = 32 <= program_ <= 39 or program_ in (43, 58)
    slack, q = song.div // 12, song.div
    h = harmony(song, flat, part, f, t, MISSING if bass else INNER)
    g = defaultdict(lambda: [0, 0])

    def add(name, a, b):
        g[name][0] += a
        g[name][1] += b

    for a, b, root, pcs, _ in h:
        for n in part:
            x = (min(n[1], b) - max(n[0], a)) / q
            if x > 0:
                add("chord", x * (n[2] % 12 in pcs), x)
            if a - slack <= n[0] < b - slack and any(
                abs(n[0] - s) <= slack for s in strong_beats(song, a, b)
            ):
                add("strong", n[2] % 12 in pcs, 1)
    last = None
    for a, b, root, _, low in h if bass else []:
        at = [n[2] for n in part if abs(n[0] - a) <= slack]
        if (root, low) != last:
            add("root", bool(at) and min(at) % 12 == low, 1)
        last = root, low
    key = scale(song.key)
    pitch = Counter()
    for n in part:
        x = (n[1] - n[0]) / q
        pitch[n[2]] += x
        add("scale", x * (n[2] % 12 in key), x)
    mine = groups(part, slack)
    twin = {i for o in others for i in twins(mine, groups(o, slack), slack, t)}
    for i, (_, x, _) in enumerate(mine):
        add("doubled", x / q * (i in twin), x / q)
    for n in part:
        end, x = n[0], 0
        for a, b in sorted(m[:2] for m in flat if m[2] == n[2] and m[0] < n[1] and m[1] > n[0]):
            x += max(min(b, n[1]) - max(a, end), 0)
            end = max(end, b)
        add("unison", x / q, (n[1] - n[0]) / q)
    if part:
        add("one pitch", max(pitch.values()), sum(pitch.values()))
    for b in range(f, t, song.bar):
        add("empty", not any(n[0] < b + song.bar and n[1] > b + slack for n in part), 1)
    lo, hi = next((v for k, v in RANGES.items() if program_ in k), (21, 108))
    add("in range", sum(lo <= n[2] <= hi for n in part), len(part))
    unit = dict(strong="notes", root="changes", empty="bars", **{"in range": "notes"})
    order = [
        "chord",
        "strong",
        "root",
        "scale",
        "doubled",
        "unison",
        "one pitch",
        "empty",
        "in range",
    ]
    return {k: g[k] + [unit.get(k, "beats")] for k in order if k in g or k != "root"}, [
        n[2] for n in part
    ]


def drums(song, part, given, kind, f, t):
    """given: drums of the same piece outside the part."""
    n = lambda x: sum(map(bool, x))
    bars = list(range(f, t, song.bar))
    slack = song.div // 12
    at = lambda notes, b, beat, sounds: any(
        abs(m[0] - b - beat * song.unit) <= slack and m[2] in sounds for m in notes
    )
    hard = lambda notes, b, beat: at([m for m in notes if m[3] >= 60], b, beat, SNARE)
    back = (
        lambda notes, b: hard(notes, b, 1)
        and hard(notes, b, 3)
        and not hard(notes, b, 0)
        and (not hard(notes, b, 2) or (b - f) // song.bar % 4 == 3)
    )
    known = sorted({m[0] // song.bar * song.bar for m in given})
    four = (song.num, song.den) == (4, 4)
    expect = four and (
        n(back(given, b) for b in known) * 2 >= len(known)
        if known
        else not NO_BACKBEAT.search(kind)
    )
    here = lambda b: [m for m in part if b - slack <= m[0] < b + song.bar - slack]
    hits = lambda b: frozenset(
        (
            round((m[0] - b) / song.div * 4),
            "snare" if m[2] in SNARE else "tom" if m[2] in TOM else DRUMS.get(m[2], m[2]),
        )
        for m in here(b)
    )
    full = [b for b in bars if here(b)]
    ends = [b for k, b in enumerate(bars) if k % 4 == 3]
    loud = lambda b: frozenset(x for x in hits(b) if x[1] in ("snare", "tom"))
    base = Counter(loud(b) for b in full).most_common(1)[0][0] if full else frozenset()
    fill = lambda b: bool(loud(b) - base)
    g = {"2 and 4": [n(back(part, b) for b in bars), len(bars), "bars"]} if expect else {}
    g["kick on 1"] = [n(at(part, b, 0, KICK) for b in bars), len(bars), "bars"]
    g["fill"] = [n(fill(b) for b in ends), len(ends), "bars"]
    g["fill else"] = [n(fill(b) for b in bars if b not in ends), len(bars) - len(ends), "bars"]
    g["empty"] = [len(bars) - len(full), len(bars), "bars"]
    g["patterns"] = [len({hits(b) for b in full}), len(full), "bars"]
    return g


def sheet_notes(path, out):
    """The new notes of a sheet of exam.py, put on the tracks of the Song out, by name."""
    lines = open(path, encoding="utf8").read().splitlines()
    k = 0
    pc = lambda s: ("C D EF G A B".index(s[0]) + s.count("#") - s.count("b"))
    keys = {v: k for k, v in sorted(DRUMS.items(), reverse=True)}
    for line in lines:
        if re.match(r"bar \d+", line):
            k = (int(line.split()[1]) - 1) * out.bar
        m = re.match(r"  \*(.+?)  +(.*?)(   \[= bar \d+\])?$", line)
        q = next((q for q in out.parts if m and q[1] == m[1].strip()), None)
        if not q:
            continue
        for w in m[2].split():
            x = re.fullmatch(r"(.+)@([^/]+)(?:/(.+))?", w)
            if not x:
                continue
            if q[2] == 9:
                for s in x[2].split(","):
                    a = k + round((float(s.strip("()")) - 1) * out.unit)
                    q[4].append((a, a + out.div // 8, keys[x[1]], 50 if "(" in s else 90))
            else:
                a = k + round((float(x[2]) - 1) * out.unit)
                for p in x[1].split("+"):
                    y = re.fullmatch(r"([A-G][#b]*)(-?\d+)", p)
                    q[4].append(
                        (a, a + round(float(x[3]) * out.unit), 12 * (int(y[2]) + 1) + pc(y[1]), 80)
                    )


def asks(req):
    return "missing" in req[1] and options(req[3])[0] == "inpaint"


def measure(req, d, path):
    """[(figures, pitches)] of one take: one for each missing track."""
    _, kind, piece, args, _ = req
    src = os.path.join(d, piece)
    verb, opt = options(args)
    inp = Song(src)
    f, t, pick = region(verb, opt, inp)
    if path.endswith(".txt"):
        out = Song(src)
        sheet_notes(path, out)
    else:
        out = Song(path)
    t = min(t, max(inp.bars(), out.bars()) * inp.bar)
    res = []
    for q in (q for q in inp.parts if q[0] in pick):
        same = [x for x in out.parts if (x[0], x[2]) == (q[0], q[2])]
        mine = sorted(n for x in same for n in x[4] if f <= n[0] < t)
        mine = [(a, min(b, t), p, v) for a, b, p, v in mine]
        others = [x[4] for x in out.parts if x[0] not in pick and x[2] != 9 and x[4]]
        if q[2] == 9:
            res.append((drums(inp, mine, [n for n in q[4] if not f <= n[0] < t], kind, f, t), []))
        else:
            g, p = pitched(inp, mine, others, q[3], f, t)
            res.append((g, p))
    return res


# ---- printing


class Heap:
    def __init__(self):
        self.g, self.pitches, self.takes = {}, [], 0

    def add(self, g, pitches):
        self.takes += 1
        self.pitches += pitches
        for k, (a, b, unit) in g.items():
            x = self.g.setdefault(k, [0, 0, unit])
            x[0] += a
            x[1] += b

    def show(self, name):
        print(f'{name:<30}\t{"takes":<10}\t{self.takes:>5}')
        for k, (a, b, unit) in self.g.items():
            share = f"{a / b:.2f}" if b else "-"
            what = f"of {b:.0f} {unit}" + (
                f", {note(min(self.pitches), (0, 0))} to {note(max(self.pitches), (0, 0))}"
                if k == "in range" and self.pitches
                else ""
            )
            print(f"{name:<30}\t{k:<10}\t{share:>5}\t{what}")
        print(flush=True)


def main(a):
    if not a or a[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    kinds, every = {}, {"all pitched": Heap(), "all drums": Heap()}
    bad = 0

    def count(req, d, path):
        for g, p in measure(req, d, path):
            for heap in (
                kinds.setdefault(req[1], Heap()),
                every["all pitched" if "chord" in g else "all drums"],
            ):
                heap.add(g, p)

    if a[0] == "file":
        if len(a) < 4:
            print(__doc__)
            return 2
        req = next((r for r in requests(a[1], {a[2]}) if asks(r)), None)
        if not req:
            print(f"{a[2]}: no request for a missing part in {a[1]}", file=sys.stderr)
            return 2
        for path in a[3:]:
            count(req, a[1], path)
        every = {}
    else:
        seeds = int(take(a, "--seeds", "4"))
        only = take(a, "--only")
        only = set(only.split(",")) if only else None
        keep = take(a, "--keep")
        if len(a) < 2:
            print(__doc__)
            return 2
        with tempfile.TemporaryDirectory() as tmp:
            if keep:
                os.makedirs(keep, exist_ok=True)
            for d in a[1:]:
                for r in requests(d, only):
                    if not asks(r):
                        continue
                    for seed in range(1, seeds + 1):
                        out = os.path.join(keep or tmp, f"{r[0]}-{seed}.mid")
                        _, rc, _, err = run(a[0], d, r, out, seed)
                        if rc:
                            bad += 1
                            print(r[0], seed, err, file=sys.stderr)
                        else:
                            count(r, d, out)
    for k in kinds:
        kinds[k].show(k)
    for k, h in every.items():
        if h.takes:
            h.show(k)
    if bad:
        print(f"{bad} takes failed", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
