"""What takes do to a composer's own pieces: user_takes.py BIN PIECES.mid...   (4 bars, 4 takes, 4 seeds)
in key: share of new notes whose pitch class makes up more than 1.5 % of the piece's (drums left out); silent: tracks of the
piece that say nothing, a take; out: share of notes beyond the track's own range by more than 5 semitones; drone: melodic
tracks with one or two pitches where the piece's has more; loop: share of bars that repeat the bar before exactly (piece's
own share in brackets); groove: likeness of the drum track's bars to the piece's (1: the same hits).
"""

import sys, os, json, subprocess, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import smf

BIN, files = sys.argv[1], sys.argv[2:]
tmp = tempfile.mkdtemp()


def bars(notes, a, b, bar):
    return [
        frozenset((x[0], (x[1] - s), x[4]) for x in notes if s <= x[1] < s + bar)
        for s in range(a, b, bar)
    ]


def loops(bs):
    bs = [x for x in bs]
    return sum(x == y and len(x) > 0 for x, y in zip(bs, bs[1:])) / max(1, len(bs) - 1)


def judge(src, new, a, b, bar):
    m = {}
    drum = {x[0] for x in src if x[3] == 9}
    s = [x for x in src if x[0] not in drum]
    n = [x for x in new if x[0] not in drum]
    pcs = [x[4] % 12 for x in s]
    ok = {p for p in pcs if pcs.count(p) > 0.015 * len(pcs)}
    m["in key"] = sum(x[4] % 12 in ok for x in n) / len(n) if n else float("nan")
    tr = {x[0] for x in src}
    m["silent"] = len([t for t in tr if not any(x[0] == t for x in new)])
    rng = {
        t: (min(x[4] for x in s if x[0] == t) - 5, max(x[4] for x in s if x[0] == t) + 5)
        for t in {x[0] for x in s}
    }
    m["out"] = sum(
        not rng.get(x[0], (0, 127))[0] <= x[4] <= rng.get(x[0], (0, 127))[1] for x in n
    ) / max(1, len(n))
    m["drone"] = sum(
        1
        for t in rng
        if 0 < len({x[4] for x in n if x[0] == t}) < 3 and len({x[4] for x in s if x[0] == t}) > 4
    )
    m["loop"] = loops(bars(n, a, b, bar))
    m["own"] = loops(bars(s, 0, a, bar))
    g = [x for x in bars([x for x in src if x[0] in drum], 0, a, bar) if x]
    h = bars([x for x in new if x[0] in drum], a, b, bar)
    m["groove"] = (
        sum(max((len(x & y) / max(1, len(x | y)) for y in g), default=0) for x in h) / len(h)
        if g
        else float("nan")
    )
    return m


nan = lambda v: [x for x in v if x == x]
print("%-12s %6s | %s" % ("piece", "which", "in key  silent  out    drone  loop (own)   groove"))
tot = {}
for f in files:
    all_, first = [], []
    for seed in (1, 5, 9, 13):
        r = subprocess.run(
            [
                BIN,
                "continue",
                f,
                "-o",
                tmp + "/o.mid",
                "--bars",
                "4",
                "--takes",
                "4",
                "--seed",
                str(seed),
                "--json",
            ]
            + os.environ.get("CONTINUO_ARGS", "").split(),
            capture_output=True,
            text=True,
            timeout=300,
        )
        if r.returncode:
            print(f, "failed", r.stderr.strip()[-80:])
            break
        j = json.loads(r.stdout)
        for i, t in enumerate(j["takes"]):
            d0, src = smf.notes(f)
            d1, out = smf.notes(t["file"])
            a, b = t["from_tick"], t["to_tick"]
            have = {tuple(x[:6]) for x in src}
            new = [x for x in out if x[1] >= a and tuple(x[:6]) not in have]
            m = judge(src, new, a, b, (b - a) // 4)
            all_.append(m)
            if t.get("rank") == 1:
                first.append(m)
    for name, v in (("all", all_), ("rank 1", first)):
        if not v:
            continue
        k = {
            q: (
                sum(nan([x[q] for x in v])) / max(1, len(nan([x[q] for x in v])))
                if nan([x[q] for x in v])
                else float("nan")
            )
            for q in v[0]
        }
        print(
            "%-12s %6s | %.2f    %.2f    %.2f   %.2f   %.2f (%.2f)  %.2f"
            % (
                os.path.basename(f)[:12],
                name,
                k["in key"],
                k["silent"],
                k["out"],
                k["drone"],
                k["loop"],
                k["own"],
                k["groove"],
            )
        )
        tot.setdefault(name, []).append(k)
for name, v in tot.items():
    k = {q: sum(nan([x[q] for x in v])) / max(1, len(nan([x[q] for x in v]))) for q in v[0]}
    print(
        "%-12s %6s | %.2f    %.2f    %.2f   %.2f   %.2f (%.2f)  %.2f"
        % (
            "mean",
            name,
            k["in key"],
            k["silent"],
            k["out"],
            k["drone"],
            k["loop"],
            k["own"],
            k["groove"],
        )
    )
