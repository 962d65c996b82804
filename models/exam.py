#!/usr/bin/env python3
"""Runs a set of requests and prints what came out, for a reader who does not know the program.

exam.py BIN SET_DIR OUT_DIR [--seed S] [--only ID,...]       OUT_DIR/ID.mid, ID.txt, time.tsv, marks.tsv (to be filled in)
exam.py pair BIN1 BIN2 SET_DIR OUT_DIR [--seed S] [--only ID,...] [--order N]
                                                             OUT_DIR/ID-X.txt, ID-Y.txt (and .mid); which is which: OUT_DIR-key.tsv
exam.py sheet SET_DIR ID OUT.mid                             prints the sheet of a file made elsewhere, by a person for example

BIN may carry a setting before and options after it: "CONTINUO_HOME=/a /a/build/release/continuo --model m.safetensors".
Without the setting, CONTINUO_HOME is the folder above build/ if that has models, else it is left as it is.
SET_DIR has requests.tsv: id, kind, piece, arguments (a verb first), what a musician expects. One request runs at a time.
"""

import os, random, shlex, subprocess, sys, time
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from smf import Song

DRUMS = {
    35: "kick",
    36: "kick",
    37: "stick",
    38: "snare",
    39: "clap",
    40: "snare2",
    41: "lowfloor",
    42: "hat",
    43: "floor",
    44: "foothat",
    45: "lowtom",
    46: "openhat",
    47: "midtom",
    48: "himid",
    49: "crash",
    50: "hightom",
    51: "ride",
    52: "china",
    53: "bell",
    54: "tamb",
    55: "splash",
    56: "cowbell",
    57: "crash2",
    58: "vibraslap",
    59: "ride2",
    60: "hibongo",
    61: "lobongo",
    62: "muteconga",
    63: "openconga",
    64: "lowconga",
    65: "hitimbale",
    66: "lotimbale",
    67: "hiagogo",
    68: "loagogo",
    69: "cabasa",
    70: "maracas",
    75: "claves",
    76: "hiblock",
    77: "loblock",
    82: "shaker",
}
ORDER = [
    "crash",
    "crash2",
    "china",
    "splash",
    "ride",
    "bell",
    "hat",
    "openhat",
    "foothat",
    "stick",
    "snare",
    "clap",
    "hightom",
    "midtom",
    "floor",
    "kick",
]
GM = (
    "Grand Piano,Bright Piano,Electric Grand,Honky-tonk,Electric Piano 1,Electric Piano 2,Harpsichord,Clavinet,Celesta,Glockenspiel,Music Box,Vibraphone,Marimba,Xylophone,Tubular Bells,Dulcimer,"
    "Drawbar Organ,Percussive Organ,Rock Organ,Church Organ,Reed Organ,Accordion,Harmonica,Bandoneon,Nylon Guitar,Steel Guitar,Jazz Guitar,Clean Guitar,Muted Guitar,Overdriven Guitar,Distortion Guitar,Guitar Harmonics,"
    "Acoustic Bass,Fingered Bass,Picked Bass,Fretless Bass,Slap Bass 1,Slap Bass 2,Synth Bass 1,Synth Bass 2,Violin,Viola,Cello,Contrabass,Tremolo Strings,Pizzicato Strings,Harp,Timpani,"
    "Strings 1,Strings 2,Synth Strings 1,Synth Strings 2,Choir Aahs,Voice Oohs,Synth Voice,Orchestra Hit,Trumpet,Trombone,Tuba,Muted Trumpet,Horn,Brass Section,Synth Brass 1,Synth Brass 2,"
    "Soprano Sax,Alto Sax,Tenor Sax,Baritone Sax,Oboe,English Horn,Bassoon,Clarinet,Piccolo,Flute,Recorder,Pan Flute,Bottle,Shakuhachi,Whistle,Ocarina,"
    "Square Lead,Saw Lead,Calliope Lead,Chiff Lead,Charang Lead,Voice Lead,Fifths Lead,Bass Lead,New Age Pad,Warm Pad,Polysynth,Choir Pad,Bowed Pad,Metallic Pad,Halo Pad,Sweep Pad,"
    "FX Rain,FX Soundtrack,FX Crystal,FX Atmosphere,FX Brightness,FX Goblins,FX Echoes,FX Sci-fi,Sitar,Banjo,Shamisen,Koto,Kalimba,Bagpipe,Fiddle,Shanai,"
    "Tinkle Bell,Agogo,Steel Drums,Woodblock,Taiko,Melodic Tom,Synth Drum,Reverse Cymbal,Fret Noise,Breath,Seashore,Birds,Telephone,Helicopter,Applause,Gunshot"
).split(",")


# ---- words


def spell(pc, key):
    """The name nearest to the key on the line of fifths; sharps are nearer in minor."""
    lo = key[0] - (2 if key[1] else 4)
    for f in range(lo, lo + 12):
        if f * 7 % 12 == pc:
            return "FCGDAEB"[(f + 1) % 7] + (
                "#" * ((f + 1) // 7) if f >= 6 else "b" * -((f + 1) // 7)
            )
    return "?"


def note(p, key):
    s = spell(p % 12, key)
    o = p // 12 - 1
    return s + str(o + (s == "Cb") - (s in ("B#",)))


def key_name(key):
    sf, minor = key
    n = lambda f: "FCGDAEB"[(f + 1) % 7] + (
        "#" * ((f + 1) // 7) if f >= 6 else "b" * -((f + 1) // 7)
    )
    return n(sf + 3) + " minor" if minor else n(sf) + " major"


def num(x):
    return f"{x:.2f}".rstrip("0").rstrip(".")


def snap(x, slack):
    c = min((abs(x - k / m), k / m) for m in (4, 3) for k in (round(x * m),))
    return c[1] if c[0] <= slack and c[1] > 0 else x


def length(x):
    return snap(x, min(0.13, max(0.06, x * 0.055)))


# ---- a sheet


def region(verb, opt, inp):
    """(first tick, last tick, chunks or None) of what is new; None: new tracks."""
    if verb == "continue":
        return inp.bars() * inp.bar, 1 << 40, None
    if verb == "inpaint":
        tr = sorted({q[0] for q in inp.parts})
        n = opt.get("--tracks")
        pick = [tr[int(i) - 1] for i in n.split(",")] if n else tr
        return (int(opt["--from"]) - 1) * inp.bar, (int(opt["--to"]) - 1) * inp.bar, pick
    return None


def options(args):
    w = shlex.split(args)
    return w[0], {a: b for a, b in zip(w[1:], w[2:] + [""]) if a.startswith("--")}


def sheet(req, inp_path, out_path):
    rid, kind, _, args, asked = req
    verb, opt = options(args)
    inp, out = Song(inp_path), Song(out_path)
    sf = inp.key
    reg = region(verb, opt, inp)
    old = {(q[0], q[2]) for q in inp.parts}
    had = {(q[0], q[2], n[0], n[2]) for q in inp.parts for n in q[4]}

    def new(q, n):
        if reg is None:
            return (q[0], q[2]) not in old
        if verb == "continue":
            return (q[0], q[2], n[0], n[2]) not in had
        return reg[0] <= n[0] < reg[1] and (reg[2] is None or q[0] in reg[2])

    bars = max(out.bars(), inp.bars())
    L = []
    beat = {4: "quarters", 8: "eighths", 2: "halves"}.get(out.den, "beats")
    L += [
        f"{rid}  {kind}",
        f"Piece: {inp.title}; {key_name(inp.key)}, {inp.num}/{inp.den}, {num(inp.tempo)} quarters a minute; {bars} bars",
        f"Asked: {asked}",
    ]
    pos = {(q[0], q[2]): i for i, q in enumerate(inp.parts)}
    L += [
        "Tracks: "
        + "; ".join(
            f'{q[1]} ({"drum kit" if q[2] == 9 else GM[q[3]]})'
            + ("" if (q[0], q[2]) in pos else " ADDED")
            for q in out.parts
        )
    ]
    names = lambda c: ", ".join(q[1] for q in out.parts if q[0] in c)
    if reg is None:
        L += [
            f"Given: bars 1-{inp.bars()} of {names([q[0] for q in inp.parts])}. NEW: the added tracks."
        ]
    elif verb == "continue":
        L += [
            (f"Given: bars 1-{inp.bars()}. " if inp.bars() else "Given: nothing but the tracks. ")
            + f"NEW: from bar {inp.bars()+1} on, all tracks"
            + (f' ({opt["--bars"]} bars were asked for).' if "--bars" in opt else ".")
        ]
    else:
        L += [
            f'Given: all but the hole. NEW: bars {opt["--from"]}-{int(opt["--to"])-1} of {names(reg[2])}.'
        ]
    if opt.get("--motif"):
        L += [
            f'The motif that must return: bars {opt["--motif"]} of {out.parts[int(opt.get("--motif-track") or 1) - 1][1]}.'
        ]
    # what was given must still be there
    a = {x for x in had if verb != "inpaint" or not (reg[0] <= x[2] < reg[1] and x[0] in reg[2])}
    b = {(q[0], q[2], n[0], n[2]) for q in out.parts for n in q[4] if not new(q, n)}
    if a != b:
        L += [f"!! {len(a ^ b)} of the given notes are not as they were."]
    L += [
        f"Notation: NAME@beat/length in {beat}, C4 is middle C, + joins a chord; drums: sound@beats, a soft hit in (). A line (or in a given line a note) with * is NEW, [= bar N] says that it is note for note as there; > continues a note from the bar before.",
        "",
    ]
    w = max([len(q[1]) for q in out.parts] + [5])
    seen = defaultdict(dict)
    for k in range(bars):
        f, t = k * out.bar, (k + 1) * out.bar
        ch = [(x, c) for x, c in out.chords if f <= x < t]
        allnew = reg is not None and reg[0] <= f < reg[1]
        whole = allnew and (reg[2] is None or all(q[0] in reg[2] for q in out.parts))
        L += [
            f"bar {k+1}"
            + ("  NEW" if whole else "")
            + (
                "   chords: " + "  ".join(f"{c}@{num((x - f) / out.unit + 1)}" for x, c in ch)
                if ch
                else ""
            )
        ]
        for q in out.parts:
            here = [n for n in q[4] if f <= n[0] < t]
            isnew = (
                reg is not None
                and allnew
                and (reg[2] is None or q[0] in reg[2])
                or reg is None
                and (q[0], q[2]) not in old
            )
            mark = "*" if isnew else " "
            words = []
            star = lambda n: "*" if mark == " " and new(q, n) else ""
            at = lambda n: num(snap((n[0] - f) / out.unit + 1, 0.02))
            if q[2] == 9:
                g = defaultdict(list)
                for n in here:
                    g[DRUMS.get(n[2], f"key{n[2]}")].append(
                        star(n) + (at(n) if n[3] >= 60 else f"({at(n)})")
                    )
                words = [
                    f"{s}@" + ",".join(g[s])
                    for s in sorted(g, key=lambda s: (ORDER.index(s) if s in ORDER else 99, s))
                ]
                sep = "  "
            else:
                held = [n for n in q[4] if n[0] < f and n[1] > f + out.div // 16]
                if held:
                    words.append(
                        ">"
                        + "+".join(note(n[2], sf) for n in sorted(held, key=lambda n: n[2]))
                        + "/"
                        + num(length((max(n[1] for n in held) - f) / out.unit))
                    )
                g = defaultdict(list)
                for n in here:
                    g[n[0], num(length((n[1] - n[0]) / out.unit))].append(n)
                for (x, ln), c in sorted(g.items()):
                    words.append(
                        star(c[0])
                        + "+".join(note(n[2], sf) for n in sorted(c, key=lambda n: n[2]))
                        + f"@{at(c[0])}/{ln}"
                    )
                sep = " "
            line = sep.join(words) or "(rests)"
            same = seen[q[0], q[2]].get(line)
            seen[q[0], q[2]][line] = k + 1
            if words or isnew:
                L += [
                    f"  {mark}{q[1]:<{w}}  {line}"
                    + (f"   [= bar {same}]" if isnew and same and words else "")
                ]
    silent = [
        q[1]
        for q in out.parts
        if (reg is not None and (reg[2] is None or q[0] in reg[2]) or (q[0], q[2]) not in old)
        and not any(new(q, n) for n in q[4])
    ]
    if silent:
        L += ["", "No new note at all in: " + ", ".join(silent)]
    return "\n".join(L) + "\n"


# ---- running


def program(s):
    w, env = shlex.split(s), dict(os.environ)
    own = False
    while "=" in w[0] and not os.path.exists(w[0]):
        k, v = w.pop(0).split("=", 1)
        env[k] = v
        own |= k == "CONTINUO_HOME"
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(w[0]))))
    if not own and os.path.isdir(os.path.join(home, "models")):
        env["CONTINUO_HOME"] = home
    return w, env


def requests(d, only):
    for line in open(os.path.join(d, "requests.tsv"), encoding="utf8"):
        r = line.rstrip("\n").split("\t")
        if len(r) == 5 and r[0] != "id" and (not only or r[0] in only):
            yield r


def run(bin_, d, req, out, seed):
    w, env = program(bin_)
    a = shlex.split(req[3])
    src = os.path.join(d, req[2])
    t = time.time()
    try:
        p = subprocess.run(
            w[:1] + [a[0], src, "-o", out] + a[1:] + ["--seed", str(seed)] + w[1:],
            env=env,
            capture_output=True,
            text=True,
            timeout=900,
        )
        rc, err = p.returncode, p.stderr.strip()
    except subprocess.TimeoutExpired:
        rc, err = 124, "more than 900 s"
    s = time.time() - t
    if rc == 0 and os.path.exists(out):
        text = sheet(req, src, out)
    else:
        text = f"{req[0]}  {req[1]}\nAsked: {req[4]}\nNothing was written (status {rc}).\n"
    return s, rc, text, err


def take(a, name, default=None):
    if name in a:
        i = a.index(name)
        v = a[i + 1]
        del a[i : i + 2]
        return v
    return default


MARKS = "id\tkind\tmark\treason\tbars\tharmony\tmelody\trhythm\ttogether\tform\tnote"


def table(path, head):
    """Lines by their first word; what is filled in is kept."""
    old = open(path, encoding="utf8").read().splitlines() if os.path.exists(path) else [head]
    return {x.split("\t")[0]: x for x in old if x}


def main(a):
    seed = take(a, "--seed", "1")
    only = take(a, "--only")
    only = set(only.split(",")) if only else None
    order = take(a, "--order")
    if len(a) == 4 and a[0] == "sheet":
        req = next(requests(a[1], {a[2]}))
        sys.stdout.write(sheet(req, os.path.join(a[1], req[2]), a[3]))
        return 0
    if len(a) == 5 and a[0] == "pair":
        _, b1, b2, d, out = a
        os.makedirs(out, exist_ok=True)
        rng = random.Random(order) if order else random.SystemRandom()
        with open(out.rstrip("/") + "-key.tsv", "w") as key:
            print("id\tX\tY\tseconds X\tseconds Y", file=key)
            for r in requests(d, only):
                sides = [b1, b2]
                rng.shuffle(sides)
                sec = []
                for s, b in zip("XY", sides):
                    x, rc, text, err = run(b, d, r, os.path.join(out, f"{r[0]}-{s}.mid"), seed)
                    sec.append(x)
                    open(os.path.join(out, f"{r[0]}-{s}.txt"), "w", encoding="utf8").write(
                        text.replace(r[0], f"{r[0]}-{s}", 1)
                    )
                    if rc:
                        print(r[0], err, file=sys.stderr)
                print(
                    r[0],
                    *("1" if b is b1 else "2" for b in sides),
                    *(f"{x:.1f}" for x in sec),
                    sep="\t",
                    file=key,
                    flush=True,
                )
        return 0
    if len(a) == 3:
        b, d, out = a
        os.makedirs(out, exist_ok=True)
        times, marks = table(out + "/time.tsv", "id\tseconds\tstatus"), table(
            out + "/marks.tsv", MARKS
        )
        for r in requests(d, only):
            s, rc, text, err = run(b, d, r, os.path.join(out, r[0] + ".mid"), seed)
            open(os.path.join(out, r[0] + ".txt"), "w", encoding="utf8").write(text)
            times[r[0]] = f"{r[0]}\t{s:.1f}\t{rc}"
            marks.setdefault(r[0], "\t".join([r[0], r[1]] + [""] * 9))
            for f, x in (("time.tsv", times), ("marks.tsv", marks)):
                open(os.path.join(out, f), "w").write("\n".join(x[k] for k in x) + "\n")
            print(r[0], f"{s:.1f} s", err if rc else "", file=sys.stderr, flush=True)
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
