#!/usr/bin/env python3
"""Fits the guess of a piece's style (app/decoding/styles.h) to the training corpora, and tests it.

styles.py fit BIN DATA [-o app/decoding/style_feature_list.h] [--most 200]
styles.py test BIN DATA [--split valid]     shares guessed right, by style: whole beginnings, eight bars
                                            from the beginning and from the middle, some of the tracks

Features are measured by `continuo info --json`, so that there is one implementation of them. Of each
file there are up to four samples: the file itself (the program reads 16 bars), eight bars from its
beginning, eight from its middle, and eight with only some of the tracks. Each style weighs the same,
and in it each corpus by the square root of its files. Needs NumPy.
"""
import argparse, concurrent.futures, json, os, random, re, subprocess, sys, tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from choice import write_cut
from smf import Song

HERE = Path(__file__).resolve().parent
KINDS = ["beginning", "8 bars", "middle", "few tracks"]
RARE = {"blues": 2.2, "latin": 2.5}  # nats against styles that are rarer with users than in the corpora


def learnt_styles(program):
    """Of those that the bundled model has learnt, by its provenance; "any" teaches nothing."""
    model = subprocess.run([program, "info", HERE / "continuo.safetensors", "--json"], capture_output=True, text=True)
    corpora = json.loads(model.stdout)["provenance"]["corpora"]
    return {c["name"]: c["style"] for c in corpora if c["style"] != "any"}


def measure(program, path):
    out = subprocess.run([program, "info", path, "--json"], capture_output=True, text=True).stdout
    style = json.loads(out or "{}").get("style")
    return style and (list(style["features"].values()), style["guess"], list(style["features"]))


def samples(program, path, rng):
    """[(kind, features, guess, names)] of a file; none of one that cannot be cut."""
    out = []
    try:
        out.append(("beginning", measure(program, path)))
        song = Song(path)
        n_bars = song.bars()
        middle = [("middle", rng.randrange(8, n_bars - 8))] if n_bars > 24 else []
        cuts = [("8 bars", 0), *middle, ("few tracks", 0)]
        with tempfile.TemporaryDirectory() as folder:
            for kind, first in cuts:
                if kind == "few tracks":
                    song.parts = [p for p in song.parts if rng.random() < 0.6]
                write_cut(song, f"{folder}/cut.mid", first, first + 8)
                out.append((kind, measure(program, f"{folder}/cut.mid")))
    except Exception as e:  # of a file that is no music, or not as smf.py reads it
        print(f"{path}: {e!r}", file=sys.stderr)
    return [(kind, *m) for kind, m in out if m]


def gather(program, data, split, most):
    rng = random.Random(1)
    files = []
    for corpus, style in learnt_styles(program).items():
        found = sorted(Path(data, corpus, split).glob("*.mid"))
        rng.shuffle(found)
        files += [(corpus, style, str(f), rng.random()) for f in found[:most]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda f: samples(program, f[2], random.Random(f[3])), files)
        return [(corpus, style, *s) for (corpus, style, _, _), list_ in zip(files, found) for s in list_]


def weigh(rows):
    n = Counter((r[1], r[0]) for r in rows)
    of_style = defaultdict(float)
    for (style, _), k in n.items():
        of_style[style] += k**0.5
    w = np.array([1 / (n[r[1], r[0]] ** 0.5 * of_style[r[1]]) for r in rows])
    return w / w.sum()


def fit(rows, styles, decay=3e-4, steps=400):
    """Weights of the features as they are, and the constant, [features + 1, styles]: Adam."""
    x = np.array([r[3] for r in rows])
    mean, scale = x.mean(0), x.std(0) + 1e-6
    x = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    told = np.eye(len(styles))[[styles.index(r[1]) for r in rows]]
    rate_of = weigh(rows)[:, None]
    b = np.zeros((x.shape[1], len(styles)))
    m, v = np.zeros_like(b), np.zeros_like(b)
    for t in range(1, steps + 1):
        logits = x @ b
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        g = x.T @ ((p - told) * rate_of) + decay * b
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        b -= 0.05 * (1 - t / steps) * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    b[:-1] /= scale[:, None]
    b[-1] -= mean @ b[:-1]
    for style, nats in RARE.items():
        if style in styles:
            b[-1, styles.index(style)] -= nats
    return b


def write_weights(path, names, b):
    """Puts the weights into the rows of the list, which has the features and their names."""
    weights = {name: ", ".join(f"{round(100 * float(w))}" for w in row) for row, name in zip(b, names + ["each"])}
    text = Path(path).read_text()
    row = r'(FEATURE\(\w+, "([^"]+)")[^)]*\)'
    Path(path).write_text(re.sub(row, lambda m: f"{m[1]}, {weights[m[2]]})", text))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("what", choices=["fit", "test"])
    a.add_argument("program")
    a.add_argument("data")
    a.add_argument("-o", default=HERE.parent / "app/decoding/style_feature_list.h")
    a.add_argument("--split")
    a.add_argument("--most", type=int, default=200)
    o = a.parse_args()
    rows = gather(o.program, o.data, o.split or ("train" if o.what == "fit" else "valid"), o.most)
    if not rows:
        sys.exit("no music was found")
    if o.what == "fit":
        source = (HERE.parent / "midi/tokens/piece.h").read_text()
        styles = [s.lower() for s in re.findall(r"STYLE_([A-Z]+)[ ,=]", source) if s not in ("ANY", "COUNT")]
        write_weights(o.o, rows[0][5], fit(rows, styles))
        return
    print("style      files  " + "  ".join(f"{k:>10}" for k in KINDS))
    total = defaultdict(list)
    for style in sorted({r[1] for r in rows}):
        of = [[r[4] == style for r in rows if r[1] == style and r[2] == k] for k in KINDS]
        print(f"{style:10} {len(of[0]):5}  " + "  ".join(f"{np.mean(c) if c else np.nan:10.2f}" for c in of))
        for k, c in zip(KINDS, of):
            total[k] += [np.mean(c)] if c else []
    print("mean of styles    " + "  ".join(f"{np.mean(total[k] or [np.nan]):10.2f}" for k in KINDS))


if __name__ == "__main__":
    main()
