#!/usr/bin/env python3
"""Whether the critic's words are true: each is checked against the notes, without the critic's code.

words.py BIN SET [--only ID,...] [--show]
    SET is one of choice.py: SET/requests.tsv, SET/pieces, SET/takes/ID-K.mid. Each take's reasons come from
    `continuo critic rank`; a fact of its notes says whether a listener would agree. A fact has some room: the critic
    measures by rules of its own, and a word is false only if the notes contradict it. --show names each false one.

A line is: word, times said, times true."""

import json, math, os, subprocess, sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exam import options, program, region, requests, take
from smf import Song

MAJOR = (0, 2, 4, 5, 7, 9, 11)
PROFILES = (
    (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
)
SNARES, KICKS = range(37, 41), (35, 36)
CYMBALS = {42, 44, 46, 49, 51, 52, 53, 55, 57, 59, 54, 70, 69, 82}


def mean(xs):
    xs = list(xs)
    return sum(xs) / len(xs) if xs else 0


def entropy(shares):
    return -sum(x * math.log(x) for x in shares.values() if x > 0)


class Facts:
    """What a take has, new and given: notes by track and by bar."""

    def __init__(self, given, out, f, t, pick):
        self.song, self.f, self.t = out, f, t
        self.bar, self.beat = out.bar, out.unit
        self.slack = out.div // 12
        had = {(q[0], q[2], n[0], n[2]) for q in given.parts for n in q[4]}
        is_new = lambda q, n: (q[0], q[2], n[0], n[2]) not in had
        self.asked = [
            q
            for q in out.parts
            if (pick is None and any(x[0] == q[0] and x[4] for x in given.parts))
            or (pick is not None and q[0] in pick)
        ]
        lo = max(f - 16 * self.bar, 0)
        self.new = {id(q): [n for n in q[4] if is_new(q, n)] for q in out.parts}
        self.old = {
            id(q): [n for n in q[4] if not is_new(q, n) and n[1] > lo and n[0] < t + 8 * self.bar]
            for q in out.parts
        }
        self.bars = range(f // self.bar * self.bar, t, self.bar)
        self.given_bars = [b for b in range(lo, f, self.bar)]
        self.pitched = [q for q in self.asked if q[2] != 9]
        self.drums = [q for q in self.asked if q[2] == 9]
        sounds = [0.0] * 12
        old = any(self.old[id(q)] for q in out.parts if q[2] != 9)
        for q in out.parts:
            if q[2] != 9:
                for n in (self.old if old else self.new)[id(q)]:
                    sounds[n[2] % 12] += n[1] - n[0]
        self.sounds = sounds
        sf, minor = out.key
        signed = {(x + 7 * sf) % 12 for x in MAJOR}
        all_ = sum(sounds) or 1
        fits = sum(sounds[p] for p in signed) / all_ >= 0.9
        best = max(
            (
                sum(
                    (sounds[(k + i) % 12] - all_ / 12) * (PROFILES[m][i] - mean(PROFILES[m]))
                    for i in range(12)
                )
                / sum((x - mean(PROFILES[m])) ** 2 for x in PROFILES[m]) ** 0.5,
                k,
                m,
            )
            for k in range(12)
            for m in (0, 1)
            if not fits or (k + 3 * m) % 12 == 7 * sf % 12
        )
        self.tonic, self.minor = best[1:]
        if fits and minor:
            self.tonic, self.minor = (7 * sf + 9) % 12, 1
        rel = (self.tonic + 3 * self.minor) % 12
        self.scale = {(rel + x) % 12 for x in MAJOR}
        if self.minor:
            self.scale |= {(self.tonic + 9) % 12, (self.tonic + 11) % 12}

    def notes(self, which, tracks=None):
        return sorted(n for q in (tracks or self.pitched) for n in which[id(q)])

    def line(self, which, q):
        """The highest note of each onset."""
        by = {}
        for n in which[id(q)]:
            by.setdefault(n[0], n)
            if n[2] > by[n[0]][2]:
                by[n[0]] = n
        return [by[k] for k in sorted(by)]

    def tune(self):
        high = [
            (mean(n[2] for n in (self.old[id(q)] or self.new[id(q)])), i)
            for i, q in enumerate(self.pitched)
            if self.old[id(q)] or self.new[id(q)]
        ]
        return self.pitched[max(high)[1]] if high else None

    def silent(self, which, q, bars):
        return mean(
            not any(n[0] < b + self.bar - self.slack and n[1] > b + self.slack for n in which[id(q)])
            for b in bars
        )

    def given_since(self, q):
        """The given bars from its first note on."""
        first = min((n[0] for n in self.old[id(q)]), default=0) + self.slack
        return [b for b in self.given_bars if b + self.bar > first]

    def density(self, q):
        """New notes a bar, and given ones; of a track without, those of the others."""
        new = len(self.new[id(q)]) / max(len(self.bars), 1)
        of = [q] if self.old[id(q)] else [x for x in self.song.parts if (x[2] == 9) == (q[2] == 9)]
        given = [
            len([n for n in self.old[id(x)] if n[0] < self.f]) / len(self.given_since(x))
            if self.given_since(x)
            else len(self.old[id(x)]) / max(len({n[0] // self.bar for n in self.old[id(x)]}), 1)
            for x in of
            if self.old[id(x)]
        ]
        return new, mean(given)

    def histogram(self, which, of, tracks):
        c = Counter()
        for q in tracks:
            for n in which[id(q)]:
                c[of(q, n)] += 1
        s = sum(c.values()) or 1
        return {k: v / s for k, v in c.items()}

    def sounds_of(self, which):
        """The share of each pitch class in the time of the tracks that were to be written."""
        c = Counter()
        for q in self.pitched:
            for n in which[id(q)]:
                c[n[2] % 12] += n[1] - n[0]
        return {k: v / sum(c.values()) for k, v in c.items()}

    def common(self, of, tracks):
        a, b = self.histogram(self.new, of, tracks), self.histogram(self.old, of, tracks)
        return sum(min(a[k], b.get(k, 0)) for k in a)

    def hits(self, which, q, b):
        return {
            (round((n[0] - b) / self.song.div * 4), n[2])
            for n in which[id(q)]
            if b - self.slack <= n[0] < b + self.bar - self.slack
        }

    def lost(self, has):
        """Of drums: the share of new bars without, if the given ones have it."""
        out = []
        for q in self.drums:
            given = [b for b in self.given_bars if self.hits(self.old, q, b)]
            if given and mean(has(self.hits(self.old, q, b)) for b in given) < 0.5:
                continue
            out.append(mean(not has(self.hits(self.new, q, b)) for b in self.bars))
        return max(out, default=0)

    def outside(self):
        s = sum(self.sounds) or 1
        own = {p for p in range(12) if self.sounds[p] / s >= 0.04}
        return mean(n[2] % 12 not in self.scale | own for n in self.notes(self.new))

    def slices(self, which=None):
        """(from, to, notes of all pitched tracks that sound) for each half bar that is new."""
        everything = sorted(
            n for q in self.song.parts if q[2] != 9 for n in self.new[id(q)] + self.old[id(q)]
        )
        step = self.bar // 2 if self.song.num % 2 == 0 else self.bar
        for a in range(self.f // step * step, self.t, step):
            here = [n for n in everything if n[0] < a + step - self.slack and n[1] > a + self.slack]
            if here:
                yield a, a + step, here

    def foreign_chords(self):
        def leaves(a, b, here):
            w = [0.0] * 12
            for n in here:
                w[n[2] % 12] += min(n[1], b) - max(n[0], a)
            return any(w[p] > 0.12 * sum(w) for p in range(12) if p not in self.scale)

        return mean(leaves(*s) for s in self.slices())

    def end(self):
        notes = self.notes(self.new)
        last = self.bars[-1]
        here = [n for n in notes if n[0] >= last - self.slack]
        if not here:
            return None, None
        at = max(n[0] for n in here)
        held = [
            n
            for q in self.song.parts
            if q[2] != 9
            for n in self.new[id(q)] + self.old[id(q)]
            if n[0] <= at + self.slack and n[1] > at
        ]
        return min(n[2] for n in held) % 12, max(n[2] for n in held) % 12

    def interval_share(self, which, test, by=1):
        q = self.tune()
        line = self.line(which, q) if q else []
        return mean(test(line, i) for i in range(by, len(line)))

    def height(self, which):
        return mean(n[2] for n in self.line(which, self.tune()))

    def likest(self, which, q, b, bars):
        a = self.hits(which, q, b)
        best = 0
        for c in bars:
            for w in (self.new, self.old):
                d = self.hits(w, q, c)
                if a | d and c != b:
                    best = max(best, len(a & d) / len(a | d))
        return best

    def voices(self, which, test):
        """Share of the onsets of two lines for which the test holds."""
        lines = []
        both = lambda q: sorted(self.new[id(q)] + self.old[id(q)])
        for q in self.song.parts:
            ns = both(q)
            if q[2] != 9 and ns and len(ns) <= 1.2 * len({n[0] for n in ns}):
                lines.append((mean(n[2] for n in self.old[id(q)] or ns), q, ns))
        lines.sort(key=lambda x: -x[0])
        at = lambda ns, t: next(
            (n for n in reversed(ns) if n[0] <= t + self.slack and n[1] > t + self.slack), None
        )
        out = []
        for i, (_, qa, a) in enumerate(lines):
            for _, qb, b in lines[i + 1 :]:
                for k in range(1, len(a)):
                    x, y, p = a[k], at(b, a[k][0]), a[k - 1]
                    q = at(b, p[0])
                    new = x in self.new[id(qa)] or (y and y in self.new[id(qb)])
                    if y and bool(new) == (which is self.new):
                        got = test(p, x, q, y)
                        if got is not None:
                            out.append(got)
        return mean(out)

    def semitones(self, which):
        def clashes(a, b, here):
            return any(
                (n[2] - m[2]) % 12 in (1, 11)
                and (n in new or m in new)
                and min(n[1], m[1], b) - max(n[0], m[0], a) >= 0.4 * self.beat
                for i, n in enumerate(here)
                for m in here[:i]
            )

        new = {n for q in self.song.parts for n in which[id(q)]}
        return mean(clashes(*s) for s in self.slices())


def more(name, least):
    """The take has more of a fact than the given bars."""
    return lambda f: getattr(f, name)(f.new) - getattr(f, name)(f.old) >= least


def density_change(f, sign):
    pairs = [f.density(q) for q in f.asked]
    return mean(max(sign * math.log((a + 0.3) / (b + 0.3)), 0) for a, b in pairs if b)


def repeated(line, i):
    return line[i][2] == line[i - 1][2]


def seesaw(line, i):
    return i > 1 and line[i][2] == line[i - 2][2] != line[i - 1][2]


def tune_more(test, least):
    return lambda f: f.interval_share(f.new, test) - f.interval_share(f.old, test) >= least


def onset(q, n, f):
    return q[0], round((n[0] % f.bar) / f.song.div * 12)


def run(f):
    q, best, now = f.tune(), 0, 0
    bars = list(f.bars)
    for a, b in zip(bars, bars[1:]):
        x, y = f.hits(f.new, q, a), f.hits(f.new, q, b)
        now = now + 1 if x | y and len(x & y) > 0.65 * len(x | y) else 0
        best = max(best, now)
    return best


CYMBAL = lambda h: sum(any(k in CYMBALS and abs(p - 4 * b) <= 1 for p, k in h) for b in range(4))
TRUE = {
    "notes outside the key": lambda f: f.outside() >= 0.04,
    "keeps the key": lambda f: f.outside() <= 0.02,
    "chords leave the key": lambda f: f.foreign_chords() >= 0.12,
    "chords of the key": lambda f: f.foreign_chords() <= 0.25,
    "a part falls silent": lambda f: max(f.silent(f.new, q, f.bars) for q in f.asked) >= 0.35,
    "silent bars": lambda f: mean(
        max(f.silent(f.new, q, f.bars) - f.silent(f.old, q, f.given_since(q)), 0) for q in f.asked
    )
    >= 0.05,
    "sparser than the given music": lambda f: density_change(f, -1) >= 0.2,
    "busier than the given music": lambda f: density_change(f, 1) >= 0.2,
    "the tune thins out": lambda f: f.density(f.tune())[0] <= 0.7 * f.density(f.tune())[1],
    "backbeat lost": lambda f: f.lost(
        lambda h: all(any(p == x and k in SNARES for p, k in h) for x in (4, 12))
    )
    >= 0.15,
    "no kick on one": lambda f: f.lost(lambda h: any(p == 0 and k in KICKS for p, k in h)) >= 0.2,
    "no steady hat": lambda f: f.lost(lambda h: CYMBAL(h) >= 4) >= 0.2,
    "one note again and again": tune_more(repeated, 0.15),
    "swings between two notes": tune_more(seesaw, 0.1),
    "the tune leaves its register": lambda f: abs(f.height(f.new) - f.height(f.old)) >= 5,
    "voices cross": lambda f: f.voices(f.new, lambda p, x, q, y: x[2] < y[2])
    >= f.voices(f.old, lambda p, x, q, y: x[2] < y[2]) + 0.05,
    "semitones clash": more("semitones", 0.05),
    "closes on the tonic": lambda f: f.end()[0] == f.tonic,
    "does not close": lambda f: f.end()[0] != f.tonic,
    "rhythm as given": lambda f: f.common(lambda q, n: onset(q, n, f), f.asked) >= 0.7,
    "another rhythm": lambda f: f.common(lambda q, n: onset(q, n, f), f.asked) <= 0.75,
    "pitches as given": lambda f: f.common(lambda q, n: n[2] % 12, f.pitched) >= 0.7,
    "other pitches than given": lambda f: f.common(lambda q, n: n[2] % 12, f.pitched) <= 0.8,
    "few pitches": lambda f: entropy(f.sounds_of(f.new)) < entropy(f.sounds_of(f.old)) - 0.2,
    "keeps the groove": lambda f: mean(
        f.likest(f.new, q, b, f.given_bars) for q in f.drums for b in f.bars
    )
    >= 0.75,
    "another groove": lambda f: mean(
        f.likest(f.new, q, b, f.given_bars) for q in f.drums for b in f.bars
    )
    <= 0.65,
    "the same bar again and again": lambda f: run(f) >= 2,
    "loops": lambda f: mean(f.likest(f.new, f.tune(), b, f.bars) for b in f.bars) >= 0.2,
    "copies the given bars": lambda f: mean(
        f.likest(f.new, q, b, f.given_bars) for q in f.pitched for b in f.bars
    )
    >= 0.3,
}


def main(a):
    if len(a) < 2 or a[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    only = set(filter(None, take(a, "--only", "").split(",")))
    show = "--show" in a
    words, env = program(a[0])
    said, true = Counter(), Counter()
    n = 0
    for req in requests(a[1], only):
        src = os.path.join(a[1], req[2])
        verb, opt = options(req[3])
        place = [w for k, v in opt.items() if k in PLACES for w in ((k, v) if v else (k,))]
        takes = [os.path.join(a[1], "takes", f"{req[0]}-{k}.mid") for k in range(1, 100)]
        takes = [t for t in takes if os.path.exists(t)]
        if not takes or verb not in ("continue", "inpaint"):
            continue
        out = subprocess.run(
            words[:1] + ["critic", "rank", src] + takes + place + ["--json"] + words[1:],
            env=env,
            capture_output=True,
            text=True,
        )
        if out.returncode:
            print(req[0], out.stderr.strip()[-120:], file=sys.stderr)
            continue
        given = Song(src)
        f, t, pick = region(verb, opt, given)
        for one in json.loads(out.stdout)["takes"]:
            song = Song(one["file"])
            end = min(t, max(f + given.bar, song.bars() * song.bar))
            if verb == "continue":
                end = f + int(opt.get("--bars", 4)) * given.bar
            facts = Facts(given, song, f, end, pick)
            n += 1
            for w in one["reasons"]:
                if w not in TRUE:
                    said[w + " (not checked)"] += 1
                    continue
                said[w] += 1
                try:
                    ok = bool(TRUE[w](facts))
                except ZeroDivisionError:
                    ok = False
                true[w] += ok
                if show and not ok:
                    print(f"{one['file']}: {w}")
    print(n, "takes")
    for w, k in said.most_common():
        print(w, k, true[w], sep="\t")
    return 0


PLACES = {"--from", "--to", "--tracks", "--close", "--bars", "--scale"}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
