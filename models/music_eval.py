"""How near to held-out music what the program writes is: paired continuations of test pieces.

music_eval.py BIN DATA OUT [N] [BARS] [SPLIT]
For N pieces of a split (corpora that may train shipped weights): 8 bars heard, BARS written by
BIN and BARS that really follow. Prints features of both, and how well a random forest, cross-validated
by piece, tells them apart (0.5: not at all). CONTINUO_ARGS adds options to the program's. Needs python3-sklearn, python3-numpy.
"""

import sys, os, glob, struct, subprocess, hashlib, random, math

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import smf
import numpy as np

BIN, DATA, OUT = sys.argv[1:4]
N = int(sys.argv[4]) if len(sys.argv) > 4 else 120
BARS = int(sys.argv[5]) if len(sys.argv) > 5 else 8
SPLIT = sys.argv[6] if len(sys.argv) > 6 else "valid"
SHIP = "jsb-chorales piano-midi-de polish-scores chopin-first-editions openscore-lieder openscore-quartets mutopia".split()
HEAR = 8


MAJ = np.array([1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1])
HM = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1])
NM = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0])


def features(div, notes, starts, a, b, before):
    """notes (track,on,off,ch,pitch,vel) inside [a,b)"""
    f = {}
    n = [x for x in notes if a <= x[1] < b]
    q = (b - a) / div
    if len(n) < 4:
        return None
    P = np.array([x[4] for x in n])
    on = np.array([(x[1] - a) / div for x in n])
    du = np.array([(x[2] - x[1]) / div for x in n])
    h = np.bincount(P % 12, minlength=12) / len(P)
    hb = np.bincount(np.array([x[4] for x in before] or [0]) % 12, minlength=12) / max(
        1, len(before)
    )
    f["density"] = len(n) / q
    f["entropy"] = -(h[h > 0] * np.log(h[h > 0])).sum()
    f["scale"] = max((h * np.roll(s, k)).sum() for s in (MAJ, HM, NM) for k in range(12))
    f["pc_dist"] = abs(h - hb).sum() / 2
    f["range"] = P.max() - P.min()
    f["mean"] = P.mean()
    hd = lambda x: np.histogram(
        np.log2(np.maximum(x, 1 / 24)),
        bins=[-9, -3.5, -2.5, -1.8, -1.2, -0.8, -0.2, 0.3, 0.8, 1.3, 9],
    )[0] / len(x)
    f.update({f"dur{i}": v for i, v in enumerate(hd(du))})
    f["durvar"] = np.log2(np.maximum(du, 1 / 24)).std()
    g = np.round(on * 4) / 4
    f["offgrid"] = (abs(on - g) > 0.02).mean()
    ph = np.bincount((np.round(on * 4).astype(int)) % 16, minlength=16) / len(n)
    f.update({f"ph{i}": v for i, v in enumerate(ph[:4])})
    f["beat"] = ph[::4].sum()
    f["half"] = ph[::2].sum()
    ev = sorted({x[1] for x in n})
    f["onsets"] = len(ev) / q
    # sounding sets
    par = dis = ntr = chords = cross = 0
    prev = None
    ns = sorted(n, key=lambda x: x[1])
    poly = []
    sil = 0
    for t in ev:
        s = sorted({x[4] for x in ns if x[1] <= t < x[2]})
        poly.append(len(s))
        if len(s) > 1:
            ntr += 1
            d = {(y - x) % 12 for i, x in enumerate(s) for y in s[i + 1 :]}
            dis += bool(d & {1, 2, 6, 10, 11})
            chords += len({x % 12 for x in s}) >= 3
            if any((y - x) in (1, 2) for x, y in zip(s, s[1:])):
                cross += 1
    f["poly"] = np.mean(poly)
    f["polystd"] = np.std(poly)
    f["dis"] = dis / max(1, ntr)
    f["close"] = cross / max(1, ntr)
    f["chords"] = chords / max(1, ntr)
    cov = np.zeros(int(q * 4) + 1)
    for o, d in zip(on, du):
        cov[int(o * 4) : max(int(o * 4) + 1, int(math.ceil((o + d) * 4)))] = 1
    f["silence"] = 1 - cov[: int(q * 4)].mean()
    # per track melody
    steps, rep, leaps, big, dirc = [], 0, 0, 0, []
    parallel = 0
    moves = 0
    tops = {}
    for t in {x[0] for x in n}:
        m = sorted([x for x in n if x[0] == t], key=lambda x: (x[1], -x[4]))
        seq = []
        for x in m:
            if not seq or x[1] != seq[-1][1]:
                seq.append(x)
        iv = np.diff([x[4] for x in seq])
        steps += list(iv)
        tops[t] = {x[1]: x[4] for x in seq}
        s = np.sign(iv)
        dirc += list(s[1:] * s[:-1] < 0)
    iv = abs(np.array(steps or [0]))
    f["rep"] = (iv == 0).mean()
    f["step"] = ((iv > 0) & (iv < 3)).mean()
    f["leap"] = (iv > 4).mean()
    f["bigleap"] = (iv > 12).mean()
    f["turn"] = np.mean(dirc or [0])
    ts = sorted(tops)
    for i in range(len(ts)):
        for j in range(i + 1, len(ts)):
            c = sorted(set(tops[ts[i]]) & set(tops[ts[j]]))
            for u, v in zip(c, c[1:]):
                x, y = tops[ts[i]], tops[ts[j]]
                if x[u] != x[v] and y[u] != y[v]:
                    moves += 1
                    parallel += (x[u] - y[u]) == (x[v] - y[v]) and (x[u] - y[u]) % 12 in (0, 7)
    f["parallel"] = parallel / max(1, moves)
    # repetition: rhythm and pitch of bars
    bars = []
    for s, e in zip(starts, starts[1:] + [10**12]):
        if s < b:
            bars.append((s, [x for x in notes if s <= x[1] < e and x[1] < b]))
    rhy = lambda bar: frozenset((x[0], (x[1] - bar[0]) * 24 // div) for x in bar[1])
    pat = lambda bar: frozenset((x[0], (x[1] - bar[0]) * 24 // div, x[4]) for x in bar[1])

    def j(x, y):
        return len(x & y) / max(1, len(x | y))

    rr, pp, last = [], [], []
    for i, bar in enumerate(bars):
        if bar[0] < a or not bar[1]:
            continue
        r = [j(rhy(bar), rhy(o)) for o in bars[:i] if o[1]]
        p = [j(pat(bar), pat(o)) for o in bars[:i] if o[1]]
        if r:
            rr.append(max(r))
            pp.append(max(p))
            last.append(r[-1])
    f["rhythm_rep"] = np.mean(rr or [0])
    f["pitch_rep"] = np.mean(pp or [0])
    f["rhythm_last"] = np.mean(last or [0])
    vel = np.array([x[5] for x in n])
    f["velstd"] = vel.std()
    f["tracks"] = len({x[0] for x in n})
    tl = [sum(1 for x in n if x[0] == t) for t in {x[0] for x in n}]
    f["balance"] = min(tl) / max(tl)
    lastn = [x for x in n if x[2] >= max(y[2] for y in n) - div // 8]
    f["n"] = len(n)
    return f


random.seed(5)
os.makedirs(OUT, exist_ok=True)
files = []
for c in SHIP:
    g = sorted(glob.glob(f"{DATA}/{c}/{SPLIT}/*.mid"))
    random.shuffle(g)
    files += [(c, x) for x in g[: max(2, N // 5)]]
random.shuffle(files)
rows, ids, kinds = [], [], []
done = 0
for c, path in files:
    if done >= N:
        break
    try:
        _, div, tracks = smf.read(path)
        bars = smf.bar_starts(div, tracks)
        if len(bars) < HEAR + BARS + 2:
            continue
        k = random.randrange(0, len(bars) - HEAR - BARS - 1) if c != "jsb-chorales" else 0
        a, m, b = bars[k], bars[k + HEAR], bars[k + HEAR + BARS]
        tag = hashlib.md5(path.encode()).hexdigest()[:8]
        pr, re_, ge = (f"{OUT}/{c}-{tag}-{s}.mid" for s in ("prompt", "real", "ours"))
        smf.write(pr, div, smf.cut(tracks, a, m))
        smf.write(re_, div, smf.cut(tracks, a, b))
        r = subprocess.run(
            [BIN, "continue", pr, "-o", ge, "--bars", str(BARS), "--seed", "1"]
            + os.environ.get("CONTINUO_ARGS", "").split(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        if r.returncode:
            print("failed", path, r.stderr.strip()[-100:])
            continue
        d1, nr = smf.notes(re_)
        d2, ng = smf.notes(ge)
        rel = [x - a for x in bars[k : k + HEAR + BARS + 1]]
        before = [x for x in nr if x[1] < m - a]
        fr = features(d1, nr, rel, m - a, b - a, before)
        fg = features(d2, ng, rel, m - a, b - a, before)
        if not fr or not fg:
            print("few notes", c, tag, bool(fr), bool(fg))
            continue
        rows += [fr, fg]
        ids += [done, done]
        kinds += [0, 1]
        done += 1
    except (IndexError, AssertionError, struct.error, subprocess.TimeoutExpired) as e:
        print("skip", path, repr(e)[:80])
names = sorted(rows[0])
X = np.array([[r[k] for k in names] for r in rows])
y = np.array(kinds)
g = np.array(ids)

from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GroupKFold, cross_val_score

acc = [
    cross_val_score(
        RandomForestClassifier(400, min_samples_leaf=2, random_state=s),
        X,
        y,
        groups=g,
        cv=GroupKFold(8),
    ).mean()
    for s in range(3)
]
# paired: which of the two is ours
D = X[1::2] - X[0::2]
XX = np.concatenate([D, -D])
yy = np.r_[np.ones(len(D)), np.zeros(len(D))]
gg = np.r_[np.arange(len(D))]
gg = np.r_[gg, gg]
accp = [
    cross_val_score(
        RandomForestClassifier(400, min_samples_leaf=2, random_state=s),
        XX,
        yy,
        groups=gg,
        cv=GroupKFold(8),
    ).mean()
    for s in range(3)
]
print(f"{done} pieces; told apart alone {np.mean(acc):.3f}, as a pair {np.mean(accp):.3f}")
imp = (
    RandomForestClassifier(400, min_samples_leaf=2, random_state=0).fit(XX, yy).feature_importances_
)
print("feature         real    ours   difference in sd   importance")
for i in np.argsort(-imp)[:18]:
    print(
        f"{names[i]:12s} {X[0::2, i].mean():8.3f} {X[1::2, i].mean():8.3f} {(X[1::2, i].mean() - X[0::2, i].mean()) / (X[0::2, i].std() + 1e-9):8.2f} {imp[i]:8.3f}"
    )
