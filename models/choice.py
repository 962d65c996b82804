#!/usr/bin/env python3
"""Fits the critic to what readers hear: draws takes, prints them for blind readers, gathers
their marks, and fits the weights of models/critic.json. Standard library only.

  choice.py pick DATA SET [--n 48] [--seed S]    cuts requests from the pieces of DATA/CORPUS/SPLIT
  choice.py draw BIN SET [--draws 12] [--seed 1] [--model FILE]
  choice.py sheets SET [--seed S]                SET/sheets/ID.txt; SET/key.tsv stays with you
  choice.py gather SET MARKS.tsv ...             readers' lines into SET/marks.tsv
  choice.py fit BIN --set NAME=DIR ... --marks FILE ... --takes DIR ... --on A,B [--test C]
                [-o models/critic.json] [--table models/critic-marks.tsv]

SET/requests.tsv has: id, kind, piece, arguments (a verb first), what is asked. The new bars are
those after the piece, or of the hole. Takes are SET/takes/ID-K.mid, a person's answer is
SET/answers/ID.mid where there is one. A sheet has the given bars and all takes of a request
under letters in random order. A reader, who knows MARKING (below) only, writes for each take a
line of tabs: id, letter, mark, figure, reason, note.

fit measures features with `continuo critic rank`, so that there is one implementation of them.
A mark counts by how far it is from the mean of its request. The weights are ridge regression
towards equal weights in the direction that a musician expects, and never against it: with few
marks that is better than no expectation. Music from other hands is not in this repository;
its marks may be (--table).
"""
import argparse, csv, json, math, os, random, shlex, struct, subprocess, sys
from collections import defaultdict

import smf
from exam import sheet
from smf import Song

MARKING = """Judge only the new bars (*), in the music around them. Mark each take: K I leave it as it is;
E I keep it after changing at most a tenth of its notes; R more than that, or the request is not
met. The figure, 1 to 10: 9-10 a good professional, 7-8 a working one, 5-6 a good student, 3-4
faults that every listener hears, 1-2 broken; no K below 6. The reason, for E and R: chord, clash,
bass, drop, loop, phrase, ending, groove, range, drums, style or plain. The note says what and where.
"""

def write_cut(song, path, first, end, without=None):
    """Bars [first, end) as a file; the part `without` keeps its track, but no notes."""
    origin, until = first * song.bar, end * song.bar
    tracks = [[(0, b"\xff\x51" + round(60e6 / song.tempo).to_bytes(3, "big")),
               (0, b"\xff\x58" + bytes([song.num, song.den.bit_length() - 1, 24, 8])),
               (0, b"\xff\x59" + struct.pack("bB", *song.key))]]
    for part in song.parts:
        _, name, channel, program, notes = part
        events = [(0, b"\xff\x03" + name.encode()), (0, bytes([0xC0 | channel, program]))]
        for start, stop, pitch, velocity in notes if part is not without else []:
            if origin <= start < until:
                stop = min(stop, until)
                events.append((start - origin, bytes([0x90 | channel, pitch, velocity])))
                events.append((max(stop, start + 1) - origin, bytes([0x80 | channel, pitch, 64])))
        tracks.append(events)
    smf.write(path, song.div, tracks)


# --- requests ---

REQUEST_COLUMNS = ["id", "kind", "piece", "arguments", "what is asked"]


def read_table(path):
    with open(path, encoding="utf8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def write_table(path, rows, columns):
    with open(path, "w", encoding="utf8") as f:
        print(*columns, sep="\t", file=f)
        for r in rows:
            print(*[r.get(c, "") for c in columns], sep="\t", file=f)


def pick_request(song, rng):
    """(kind, first bar, the part that is missing) or None: eight bars, or sixteen to continue."""
    bars = max(n[0] for p in song.parts for n in p[4]) // song.bar + 1
    if len(song.meters) != 1 or bars < 17 or song.bar > 8 * song.div or len(song.parts) > 12:
        return None
    kind = rng.choice(["continue", "continue", "missing part", "close"])
    first = bars - 16 if kind == "close" else 8 * rng.randrange((bars - 16) // 8 + 1)
    played = [len({n[0] // song.bar for n in p[4] if first <= n[0] // song.bar < first + 8}) for p in song.parts]
    if kind == "missing part":
        whole = [p for p, n in zip(song.parts, played) if n >= 7]
        return (kind, first, rng.choice(whole)) if len(whole) >= 2 else None
    return (kind, first, None) if max(played) >= 7 else None


def pick_requests(o):
    rng, rows = random.Random(o.seed), []
    for d in ("pieces", "answers"):
        os.makedirs(os.path.join(o.set, d), exist_ok=True)
    files = defaultdict(list)
    for corpus in sorted(os.listdir(o.data)):
        for where, _, names in os.walk(os.path.join(o.data, corpus, o.split)):
            files[corpus] += [os.path.join(where, n) for n in names if n.endswith(".mid")]
    corpora = sorted(c for c in files if files[c])
    for c in corpora:
        files[c].sort()
        rng.shuffle(files[c])
    for turn in range(o.n * 40):
        corpus = corpora[turn % len(corpora)]
        if len(rows) >= o.n or not files[corpus]:
            continue
        try:
            song = Song(files[corpus].pop())
        except (AssertionError, IndexError, struct.error):
            continue
        song.parts = [p for p in song.parts if p[4]]
        found = pick_request(song, rng) if song.parts else None
        if not found:
            continue
        kind, first, missing = found
        name = f"{o.prefix}{len(rows) + 1:02d}"
        write_cut(song, os.path.join(o.set, "pieces", name + ".mid"), first, first + 8, missing)
        write_cut(song, os.path.join(o.set, "answers", name + ".mid"), first, first + (8 if missing else 16))
        track = song.parts.index(missing) + 1 if missing else 0
        rows.append({"id": name, "kind": f"{corpus}: {kind}", "piece": f"pieces/{name}.mid",
                     "arguments": f"inpaint --tracks {track} --from 1 --to 9" if missing
                     else "continue --bars 8" + (" --close" if kind == "close" else ""),
                     "what is asked": f"the missing part ({missing[1]}): it completes what the others play" if missing
                     else "the next eight bars" + (", which end the piece with a full close" if kind == "close" else "")})
    write_table(os.path.join(o.set, "requests.tsv"), rows, REQUEST_COLUMNS)
    print(f"{len(rows)} requests in {o.set}/requests.tsv")


def draw_takes(o):
    os.makedirs(os.path.join(o.set, "takes"), exist_ok=True)
    drawn = []
    for r in read_table(os.path.join(o.set, "requests.tsv")):
        verb, *arguments = shlex.split(r["arguments"])
        out = os.path.join(o.set, "takes", r["id"] + ".mid")
        command = [o.bin, verb, os.path.join(o.set, r["piece"]), "-o", out, *arguments, "--seed", str(o.seed), "--takes",
                   str(o.draws), "--draws", str(o.draws), *(["--model", o.model] if o.model else []), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{r['id']}: {done.stderr.strip()}", file=sys.stderr)
            continue
        drawn += [{"request": r["id"], "file": os.path.basename(t["file"]), "seed": t["seed"], "rank": t["rank"]}
                  for t in json.loads(done.stdout)["takes"]]
        print(r["id"], file=sys.stderr)
        write_table(os.path.join(o.set, "draws.tsv"), drawn, ["request", "file", "seed", "rank"])


# --- sheets ---


def print_sheet(where, r, takes):
    """exam.py's sheet of each take: the given bars once, then the new ones of all."""
    request = [r["id"], r["kind"], r["piece"], r["arguments"], r["what is asked"]]
    lines = []
    for letter, path in takes:
        text = sheet(request, os.path.join(where, r["piece"]), path)
        head, *bars = text.split("\nbar ")
        lines += [] if lines else [head, MARKING] + ["bar " + b for b in bars if "\n  *" not in b]
        lines += [f"--- {letter}"] + ["bar " + b for b in bars if "\n  *" in b]
    return "\n".join(lines) + "\n"


def print_sheets(o):
    rng, key = random.Random(o.seed), []
    os.makedirs(os.path.join(o.set, "sheets"), exist_ok=True)
    drawn = defaultdict(list)
    for d in read_table(os.path.join(o.set, "draws.tsv")):
        drawn[d["request"]].append({**d, "path": os.path.join(o.set, "takes", d["file"])})
    for r in read_table(os.path.join(o.set, "requests.tsv")):
        takes = list(drawn[r["id"]])
        answer = os.path.join(o.set, "answers", r["id"] + ".mid")
        if takes and os.path.exists(answer):
            takes.append({"request": r["id"], "file": os.path.basename(answer), "seed": "person", "path": answer})
        rng.shuffle(takes)
        for i, t in enumerate(takes):
            t["letter"] = chr(ord("A") + i)
        key += takes
        with open(os.path.join(o.set, "sheets", r["id"] + ".txt"), "w", encoding="utf8") as f:
            f.write(print_sheet(o.set, r, [(t["letter"], t["path"]) for t in takes]))
    write_table(os.path.join(o.set, "key.tsv"), key, ["request", "letter", "file", "seed"])


def gather_marks(o):
    """Lines: id, letter, mark, figure, reason, note."""
    key = {(k["request"], k["letter"]): k for k in read_table(os.path.join(o.set, "key.tsv"))}
    name, rows = os.path.basename(os.path.normpath(o.set)), []
    for path in o.marks:
        for line in open(path, encoding="utf8"):
            words = (line.rstrip("\n").split("\t") + [""] * 6)[:6]
            k = key.get((words[0], words[1]))
            try:
                figure = float(words[3])
            except ValueError:
                continue
            if k and words[2] in ("K", "E", "R") and 1 <= figure <= 10:
                rows.append({"set": name, "request": words[0], "file": k["file"], "seed": k["seed"], "mark": words[2],
                             "model": "person" if k["seed"] == "person" else "drawn", "figure": words[3],
                             "reason": words[4], "note": words[5]})
    write_table(os.path.join(o.set, "marks.tsv"), rows, MARK_COLUMNS)
    print(f"{len(rows)} of {len(key)} takes are marked")


# --- fitting ---

MARK_COLUMNS = ["set", "request", "file", "model", "seed", "mark", "figure", "reason", "note"]
PLACE = {"--bars": 1, "--from": 1, "--to": 1, "--tracks": 1, "--scale": 1, "--close": 0}
KINDS = ["continue", "hole", "close"]
LEAST_SCALE = 0.08  # a feature that hardly varied when marked is not believed more than others
FAR = 4.0  # CRITIC_FAR
EXPECTED = {"close": 2}  # a request that is not met is rejected, whatever else is good


def find_kind(arguments):
    return "close" if "--close" in arguments else "hole" if arguments[0] == "inpaint" else "continue"


def measure_takes(o, sets):
    """Rows of marks, with features; and which features are merits."""
    rows, merits, asked = defaultdict(list), {}, {}
    for path in o.marks:
        for m in read_table(path):
            take = next((os.path.join(d, m["file"]) for d in o.takes if os.path.exists(os.path.join(d, m["file"]))), None)
            if m["set"] in sets and m["model"] != "person" and take:
                rows[m["set"], m["request"]].append({**m, "path": take, "figure": float(m["figure"])})
    for name, where in sets.items():
        for r in read_table(os.path.join(where, "requests.tsv")):
            asked[name, r["id"]] = os.path.join(where, r["piece"]), shlex.split(r["arguments"])
    for request in list(rows):
        piece, arguments = asked[request]
        if arguments[0] not in ("continue", "inpaint"):
            del rows[request]
            continue
        options = [w for i, a in enumerate(arguments) if a in PLACE for w in arguments[i : i + 1 + PLACE[a]]]
        done = subprocess.run([o.bin, "critic", "rank", piece, *[r["path"] for r in rows[request]], *options, "--json"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{request}: {done.stderr}")
        said = json.loads(done.stdout)
        merits = {f["name"]: f["is_merit"] for f in said["features"]}
        for r, t in zip(rows[request], said["takes"]):
            r.update(features=[t["features"][n] for n in merits], kind=find_kind(arguments), group=(*request, r["model"]))
    return [r for rs in rows.values() for r in rs], merits


def centre(rows, key):
    sums = defaultdict(lambda: [0, 0])
    for r in rows:
        sums[r["group"]][0] += r[key]
        sums[r["group"]][1] += 1
    for r in rows:
        r["t"] = r[key] - sums[r["group"]][0] / sums[r["group"]][1]


def scale_features(rows, n):
    """The mean of each feature, and its deviation within requests."""
    means, scales = [], []
    for k in range(n):
        groups = defaultdict(list)
        for r in rows:
            groups[r["group"]].append(r["features"][k])
        within = sum((x - sum(g) / len(g)) ** 2 for g in groups.values() for x in g) / len(rows)
        means.append(sum(r["features"][k] for r in rows) / len(rows))
        scales.append(max(math.sqrt(within), LEAST_SCALE))
    return means, scales


def standardise(rows, means, scales):
    for r in rows:
        r["z"] = [min(max((x - m) / s, -FAR), FAR) for x, m, s in zip(r["features"], means, scales)]
    groups = defaultdict(list)
    for r in rows:
        groups[r["group"]].append(r)
    for g in groups.values():
        middle = [sum(r["z"][k] for r in g) / len(g) for k in range(len(means))]
        for r in g:
            r["zc"] = [z - m for z, m in zip(r["z"], middle)]


def fit_weights(rows, signs, towards, ridge):
    """Least squares with w near `towards` and never against its sign: by coordinates."""
    n = len(signs)
    gram = [[0.0] * n for _ in range(n)]
    right = [0.0] * n
    for r in rows:
        z = r["zc"]
        for i in range(n):
            if z[i]:
                right[i] += z[i] * r["t"]
                row = gram[i]
                for k in range(n):
                    row[k] += z[i] * z[k]
    w = list(towards)
    for _ in range(200):
        moved = 0.0
        for i in range(n):
            rest = right[i] - sum(gram[i][k] * w[k] for k in range(n)) + gram[i][i] * w[i]
            new = (rest + ridge * towards[i]) / (gram[i][i] + ridge)
            new = new if new * signs[i] > 0 else 0.0
            moved = max(moved, abs(new - w[i]))
            w[i] = new
        if moved < 1e-5:
            break
    return w


def fit_critic(rows, merits, o):
    """Weights by kind: those of all requests, then those of the kind near them."""
    signs = [1 if m else -1 for m in merits.values()]
    shared = fit_weights(rows, signs, [s * o.prior * EXPECTED.get(n, 1) for n, s in zip(merits, signs)], o.ridge)
    if not o.kind_ridge:
        return {k: shared for k in KINDS}
    return {k: fit_weights([r for r in rows if r["kind"] == k], signs, shared, o.kind_ridge) for k in KINDS}


def rank_values(xs):
    order, ranks = sorted(range(len(xs)), key=lambda i: xs[i]), [0.0] * len(xs)
    i = 0
    while i < len(xs):
        k = i
        while k + 1 < len(xs) and xs[order[k + 1]] == xs[order[i]]:
            k += 1
        for m in range(i, k + 1):
            ranks[order[m]] = (i + k) / 2
        i = k + 1
    return ranks


def correlate(xs, ys):
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    xy = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    xx, yy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    return xy / math.sqrt(xx * yy) if xx and yy else 0.0


def report(what, rows):
    """Spearman's coefficient within requests, and what the first choice is worth."""
    groups, rho, first, best, mean = defaultdict(list), [], [], [], []
    for r in rows:
        groups[r["group"]].append(r)
    for g in groups.values():
        if len(g) < 3:
            continue
        figures, scores = [r["figure"] for r in g], [r["score"] for r in g]
        rho.append(correlate(rank_values(scores), rank_values(figures)))
        first.append(figures[scores.index(max(scores))])
        best.append(max(figures))
        mean.append(sum(figures) / len(figures))
    n = len(rho)
    if not n:
        return {}
    m = lambda x: sum(x) / n
    error = math.sqrt(sum((x - m(rho)) ** 2 for x in rho) / n / n)
    way = (m(first) - m(mean)) / (m(best) - m(mean)) if m(best) > m(mean) else 0
    print(f"{what:<28} Spearman {m(rho):.2f} ± {error:.2f}; first choice {m(first):.2f}, any {m(mean):.2f}, "
          f"best {m(best):.2f}: {100 * way:.0f} % of the way ({n} requests)")
    return {"spearman": round(m(rho), 3), "way": round(way, 3), "requests": n}


def score_takes(rows, weights):
    for r in rows:
        r["score"] = sum(w * z for w, z in zip(weights[r["kind"]], r["z"]))


def fit(o):
    sets = dict(s.split("=", 1) for s in o.set)
    rows, merits = measure_takes(o, sets)
    names = list(merits)
    on = [r for r in rows if r["set"] in o.on.split(",")]
    centre(rows, "figure")
    means, scales = scale_features(on, len(names))
    standardise(rows, means, scales)
    requests = sorted({(r["set"], r["request"]) for r in on})
    for q in requests:
        inside = [r for r in on if (r["set"], r["request"]) == q]
        score_takes(inside, fit_critic([r for r in on if (r["set"], r["request"]) != q], merits, o))
    card = {"marks": len(on), "cross_validated": report("fitted on other requests", on)}
    for k in KINDS:
        report(f"    {k}", [r for r in on if r["kind"] == k])
    weights = fit_critic(on, merits, o)
    for name in filter(None, o.test.split(",")):
        test = [r for r in rows if r["set"] == name]
        score_takes(test, weights)
        card["tested"] = report(f"set {name}, not fitted on", test)
        for k in KINDS:
            report(f"    {k}", [r for r in test if r["kind"] == k])
    features = [{"name": n, "mean": m, "scale": s, **{k: weights[k][i] for k in KINDS}}
                for i, (n, m, s) in enumerate(zip(names, means, scales))]
    if o.output:
        lines = ",\n  ".join(json.dumps({k: v if k == "name" else float(f"{v:.4g}") for k, v in f.items()}) for f in features)
        with open(o.output, "w", encoding="utf8") as f:
            f.write('{"format": "continuo-critic-2",\n "card": %s,\n "features": [\n  %s]}\n' % (json.dumps(card), lines))
    if o.table:
        write_table(o.table, [{**r, "kind": r["kind"]} for r in rows],
                    ["set", "file", "request", "kind", "model", "seed", "mark", "figure"])
    for i in sorted(range(len(names)), key=lambda i: -abs(weights["continue"][i])):
        print(f"  {names[i]:<24}", *[f"{k} {weights[k][i]:+.2f}" for k in KINDS])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    p = verbs.add_parser("pick")
    p.set_defaults(run=pick_requests)
    p.add_argument("data")
    p.add_argument("set")
    p.add_argument("--n", type=int, default=48)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--split", default="valid")
    p.add_argument("--prefix", default="D", help="of the requests' ids")
    p = verbs.add_parser("draw")
    p.set_defaults(run=draw_takes)
    p.add_argument("bin")
    p.add_argument("set")
    p.add_argument("--draws", type=int, default=12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--model")
    p = verbs.add_parser("sheets")
    p.set_defaults(run=print_sheets)
    p.add_argument("set")
    p.add_argument("--seed", type=int, default=1)
    p = verbs.add_parser("gather")
    p.set_defaults(run=gather_marks)
    p.add_argument("set")
    p.add_argument("marks", nargs="+")
    p = verbs.add_parser("fit")
    p.set_defaults(run=fit)
    p.add_argument("bin")
    p.add_argument("--set", action="append", required=True, metavar="NAME=DIR")
    p.add_argument("--marks", action="append", required=True)
    p.add_argument("--takes", action="append", required=True)
    p.add_argument("--on", required=True, help="sets to fit on")
    p.add_argument("--test", default="", help="sets to test on")
    p.add_argument("--prior", type=float, default=0.1, help="the weight expected of each feature")
    p.add_argument("--ridge", type=float, default=300, help="how firmly it is expected")
    p.add_argument("--kind-ridge", type=float, default=0, help="the same of weights by kind; 0: one for all")
    p.add_argument("-o", "--output")
    p.add_argument("--table", help="write the marks without notes")
    o = parser.parse_args()
    o.run(o)


if __name__ == "__main__":
    main()
