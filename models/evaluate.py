#!/usr/bin/env python3
"""What a model writes, held against held-out music by driving the program's verbs. Prints a line of
JSON for each corpus, kind of hole or control, and for all. Standard library only.

  evaluate.py holes BIN DATA [--n 6]        fills N holes in each corpus (`inpaint`): one, two and four
      bars of all tracks or of one. f1: notes equal in track, onset and pitch; pitch_classes: total
      variation of the histograms, 0 equal; groove: onsets alike, 1 equal. Each for the model and for
      a copy of the bars before and after. nats_a_note (`score`): of the piece's own notes there and of
      the written ones, each given the music before. `eval --holes` measures them given both sides.
      --controls N: fills N holes of each corpus again, asking for density, voices, length and register;
      says what came, and the rank correlation of both.
  evaluate.py music BIN DATA [--n 8] [--bars 16]   continues the first four bars of N pieces of each
      corpus (`continue`). Figures of the written bars, of the pieces' own and of training pieces' bars;
      distances of their histograms from the held-out ones'; of four voices, faults in a hundred chords;
      the longest run of notes that stands in a training piece, in any key. If DATA is a file of four
      voices, the melodies of N pieces are accompanied instead (`accompany`).

Options of both: --model FILE  --split valid  --corpora A,B  --seed 1  --args "OPTIONS OF THE VERB"
DATA/CORPUS/SPLIT/*.mid are the pieces. The same options give the same holes for every model.
Groove and entropy are those of Wu & Yang 2020, "The Jazz Transformer on the Front Line"; histograms
are compared as by Yang & Lerch 2020, "On the evaluation of generative models in music".
"""
import argparse
import json
import math
import os
import random
import shlex
import struct
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import smf

STEPS, POSITIONS = 24, 64  # steps a quarter, positions in a bar
BESIDE = 24  # bars kept on each side of a hole: more than models read
DRUMS = 9  # the channel
CONTEXT, LEAST = 4, 4  # bars that are given, and must follow
RANGES = [(60, 79), (55, 74), (48, 67), (40, 62)]  # of soprano, alto, tenor and bass


class Music:
    """Notes (track, start, end, pitch, is a hit) and bar lines, the last at the end, in steps. Its voices are
    those of the whole piece: four tracks may have one note at a time in a few bars, and chords elsewhere."""

    def __init__(self, notes, bars, piece=None):
        self.notes, self.bars = sorted(notes, key=lambda n: (n[1], n[0], n[3])), bars
        self.voices = piece.voices if piece else find_voices(self)

    def between(self, first, end):
        """The bars [first, end), from step 0 on; notes end with them."""
        a, b = self.bars[first], self.bars[min(end, len(self.bars) - 1)]
        notes = [(t, s - a, min(e, b) - a, p, hit) for t, s, e, p, hit in self.notes if a <= s < b]
        return Music(notes, [x - a for x in self.bars[first : end + 1]], self)


def to_step(tick, div):
    return (tick * STEPS * 2 + div) // (2 * div)


def read_music(path, bars=None):
    """A track for each channel of a chunk that has notes; bars up to the last note, unless they are given."""
    _, div, tracks = smf.read(path)
    parts, notes = {}, []
    for k, s, e, channel, pitch, _ in smf.notes(path)[1]:
        t, start = parts.setdefault((k, channel), len(parts)), to_step(s, div)
        notes.append((t, start, max(to_step(e, div), start + 1), pitch, channel == DRUMS))
    if not bars:
        end = max((n[2] for n in notes), default=0)
        bars = [b for b in (to_step(x, div) for x in smf.bar_starts(div, tracks)) if b < end] + [end]
    return Music(notes, bars)


def list_corpora(o):
    """[(name, {split: paths})] of those that have pieces of the split."""
    for name in sorted(os.listdir(o.data)):
        if o.corpora and name not in o.corpora.split(","):
            continue
        found = {}
        for split in (o.split, "train"):
            found[split] = sorted(os.path.join(where, n) for where, _, names in os.walk(os.path.join(o.data, name, split))
                                  for n in names if n.endswith(".mid"))
        if found[o.split]:
            yield name, found


def run(o, verb, *words):
    """What it printed, as JSON, if it was asked for that."""
    model = ["--model", o.model] if o.model and verb != "info" else []
    command = [o.bin, verb, *map(str, words), *model]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if done.returncode:
        raise OSError(done.stderr.strip())
    return json.loads(done.stdout) if "--json" in command else None


def say(**row):
    rounded = lambda x: (None if math.isnan(x) else round(x, 4)) if isinstance(x, float) else \
        {k: rounded(v) for k, v in x.items()} if isinstance(x, dict) else x
    print(json.dumps(rounded(row)), flush=True)


def mean(xs):
    xs = [x for x in xs if x == x]
    return sum(xs) / len(xs) if xs else math.nan


# --- figures ---


def total_variation(a, b):
    n, m = sum(a.values()), sum(b.values())
    return sum(abs(a[k] / n - b[k] / m) for k in set(a) | set(b)) / 2 if n and m else math.nan


def onset_positions(notes, start, length):
    return {(s - start) * POSITIONS // length for _, s, _, _, _ in notes if start <= s < start + length}


def count_sounding(notes):
    """Of notes that are no hits: those that sound at each onset."""
    pitched = [n for n in notes if not n[4]]
    return [sum(s <= at < e for _, s, e, _, _ in pitched) for at in {n[1] for n in pitched}]


def histograms(music):
    """Pitch classes, lengths, and intervals from one onset of a track to the next, by the highest notes."""
    classes, lengths, intervals, before = Counter(), Counter(), Counter(), {}
    top = {}
    for t, s, e, p, hit in music.notes:
        if not hit:
            classes[p % 12] += 1
            lengths[min(e - s, 97)] += 1
            top[t, s] = max(p, top.get((t, s), 0))
    for (t, s), p in sorted(top.items(), key=lambda x: x[0][1]):
        if t in before:
            intervals[max(-24, min(24, p - before[t]))] += 1
        before[t] = p
    return {"pitch_classes": classes, "lengths": lengths, "intervals": intervals}


def measure_bars(music):
    """Per piece: notes a quarter, notes sounding at an onset, bits of pitch class in a bar, groove."""
    spans = list(zip(music.bars, music.bars[1:]))
    bits, patterns = [], []
    for a, b in spans:
        here = [n for n in music.notes if a <= n[1] < b]
        classes = Counter(n[3] % 12 for n in here if not n[4])
        total = sum(classes.values())
        if total:
            bits.append(-sum(c / total * math.log2(c / total) for c in classes.values()))
        patterns.append(onset_positions(here, a, b - a))
    alike = [1 - len(x ^ y) / POSITIONS for i, x in enumerate(patterns) for y in patterns[:i]]
    return {"notes_a_quarter": len(music.notes) * STEPS / max(music.bars[-1], 1),
            "polyphony": mean(count_sounding(music.notes)), "bar_entropy_bits": mean(bits), "groove": mean(alike)}


def count_faults(music, voices):
    """(chords, faults in them) of four tracks, soprano first."""
    now, before, faults, chords = {}, None, Counter(), 0
    for at in sorted({n[1] for n in music.notes}):
        for t, s, e, p, _ in music.notes:
            if s == at and t in voices:
                v = voices.index(t)
                now[v] = (p, e)
                faults["out_of_range"] += not RANGES[v][0] <= p <= RANGES[v][1]
        chord = {v: p for v, (p, e) in now.items() if e > at}
        if len(chord) > 1:
            chords += 1
            pitches = [chord[v] for v in sorted(chord)]
            faults["crossed"] += any(a < b for a, b in zip(pitches, pitches[1:]))
            for v in chord:
                for w in chord:
                    if v < w and before and v in before and w in before:
                        apart = abs(chord[v] - chord[w]) % 12
                        if abs(before[v] - before[w]) % 12 == apart and (chord[v] - before[v]) * (chord[w] - before[w]) > 0:
                            faults["fifths"] += apart == 7
                            faults["octaves"] += apart == 0
        before = chord
    return chords, faults


def find_voices(music):
    """The tracks from the highest down; None: not four of one note at a time."""
    tracks, until = defaultdict(list), {}
    for t, s, e, p, hit in music.notes:
        if hit or s < until.get(t, 0):
            return None
        until[t] = e
        tracks[t].append(p)
    return sorted(tracks, key=lambda t: -mean(tracks[t])) if len(tracks) == 4 else None


class Copies:
    """The training pieces as text: a letter for each pair of neighbouring notes of a track."""

    def __init__(self, pieces):
        self.letters = {}
        self.text = "\n".join(line for p in pieces for line in self.lines(p))

    def lines(self, music):
        tracks = defaultdict(list)
        for t, s, e, p, _ in music.notes:
            tracks[t].append((e - s, p))
        for notes in tracks.values():
            yield "".join(chr(self.letters.setdefault((a[0], b[0], b[1] - a[1]), 0x100 + len(self.letters)))
                          for a, b in zip(notes, notes[1:]))

    def longest(self, music):
        """Notes of the longest run that stands in a training piece."""
        longest = 0
        for line in self.lines(music):
            for i in range(len(line)):
                while i + longest < len(line) and line[i : i + longest + 1] in self.text:
                    longest += 1
        return longest + (longest > 0)


def rank(xs):
    """Ranks from 0; equals have the mean of theirs."""
    return [sum(y < x for y in xs) + (sum(y == x for y in xs) - 1) / 2 for x in xs]


def spearman(xs, ys):
    a, b = rank(xs), rank(ys)
    m = (len(xs) - 1) / 2
    xx, yy = sum((x - m) ** 2 for x in a), sum((y - m) ** 2 for y in b)
    return sum((x - m) * (y - m) for x, y in zip(a, b)) / math.sqrt(xx * yy) if xx and yy else math.nan


# --- holes ---

KINDS = [(bars, one) for one in (False, True) for bars in (1, 2, 4)]
ASKED = {"density": (0.5, 1, 2, 4), "voices": (1, 2, 3, 4), "note-length": (0.25, 0.5, 1, 2), "register": (42, 54, 66, 78)}


def draw_hole(o, paths, kind, rng, folder):
    """A hole of at least three notes in the middle of a piece, in one meter: the file, which has the bars
    around it, too; the numbers of its tracks; its bars; its piece. None: none was found."""
    n, one = kind
    for _ in range(100):
        path = rng.choice(paths)
        try:
            _, div, tracks = smf.read(path)
        except (AssertionError, struct.error, OSError):
            continue
        lines = smf.bar_starts(div, tracks)
        if len(lines) < 3 * n + 1:
            continue
        bar = rng.randrange(n, len(lines) - 2 * n)
        around = lines[bar - n : bar + 2 * n + 1]
        if len({b - a for a, b in zip(around, around[1:])}) > 1:
            continue
        first, end = max(bar - BESIDE, 0), min(bar + n + BESIDE, len(lines) - 1)
        file = os.path.join(folder, "piece.mid")
        smf.write(file, div, smf.cut(tracks, lines[first], lines[end]))
        music = read_music(file, [to_step(x - lines[first], div) for x in lines[first : end + 1]])
        a, b = music.bars[bar - first], music.bars[bar - first + n]
        inside = [x for x in music.notes if a <= x[1] < b]
        if not 3 <= len(inside) <= 128:
            continue
        chosen = {rng.choice(inside)[0]} if one else {x[0] for x in music.notes}
        there = [x for x in inside if x[0] in chosen and x[2] <= b]
        numbers = [t["track"] for t in run(o, "info", file, "--json")["tracks"] if t["notes"]] if len(there) > 2 else []
        if numbers and len(numbers) == len({x[0] for x in music.notes}):
            return file, chosen, [numbers[t] for t in sorted(chosen)], (bar - first, bar - first + n), (a, b), music, there
    return None


def fill_hole(o, hole, seed, extra=()):
    """The notes that the model writes."""
    file, chosen, numbers, (first, end), (a, b), music, there = hole
    out = file + ".out.mid"
    run(o, "inpaint", file, "-o", out, "--from", first + 1, "--to", end + 1, "--tracks",
        ",".join(map(str, numbers)), "--seed", seed, *shlex.split(o.args), *extra)
    filled = read_music(out, music.bars)
    stays = Counter(n for n in music.notes if n not in there)
    return [n for n in filled.notes if a <= n[1] < b and n[0] in chosen and not stays[n]], out


def compare_notes(there, notes, a, b, n_bars):
    key = lambda xs: {(t, s, p) for t, s, _, p, _ in xs}
    classes = lambda xs: Counter(p % 12 for _, _, _, p, hit in xs if not hit)
    length = (b - a) // n_bars
    apart = total_variation(classes(there), classes(notes))
    grooves = [1 - len(onset_positions(there, x, length) ^ onset_positions(notes, x, length)) / POSITIONS
               for x in range(a, a + n_bars * length, length)]
    return {"f1": 2 * len(key(there) & key(notes)) / max(len(key(there)) + len(key(notes)), 1),
            "pitch_classes": 1.0 if apart != apart else apart, "groove": mean(grooves)}


def nats_of(o, file, numbers, span):
    """(nats, notes) of the hole's notes, each given what is before it."""
    _, div, _ = smf.read(file)
    notes = [n for n in run(o, "score", file, "--json")["note_list"]
             if n["track"] in numbers and span[0] <= to_step(n["tick"], div) < span[1]]
    return sum(n["nats"] for n in notes), len(notes)


def measure_hole(o, hole, seed):
    file, chosen, numbers, _, (a, b), music, there = hole
    notes, out = fill_hole(o, hole, seed)
    span, n_bars = b - a, hole[3][1] - hole[3][0]
    row = {"model": compare_notes(there, notes, a, b, n_bars)}
    for name, shift in (("before", span), ("after", -span)):
        copied = [(t, s + shift, min(e + shift, b), p, hit) for t, s, e, p, hit in music.notes
                  if a <= s + shift < b and t in chosen]
        row[name] = compare_notes(there, copied, a, b, n_bars)
    return row, nats_of(o, file, numbers, (a, b)), nats_of(o, out, numbers, (a, b))


def control_figures(notes, quarters):
    pitched = [n for n in notes if not n[4]]
    return {"density": len(notes) / quarters, "voices": mean(count_sounding(notes)),
            "note-length": math.exp(mean([math.log((e - s) / STEPS) for _, s, e, _, _ in pitched])) if pitched else math.nan,
            "register": mean([p for _, _, _, p, _ in pitched])}


def say_holes(name, what, rows):
    if rows:
        kinds = ("model", "before", "after")
        nats = lambda k: sum(r[k][0] for r in rows) / max(sum(r[k][1] for r in rows), 1)
        say(**{name: what}, holes=len(rows), notes=sum(r[1][1] for r in rows),
            nats_a_note={"own": nats(1), "written": nats(2)},
            **{f: {k: mean([r[0][k][f] for r in rows]) for k in kinds} for f in ("f1", "pitch_classes", "groove")})


def evaluate_holes(o):
    rows, answers = [], defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for corpus, paths in list_corpora(o):
            for i in range(o.n):
                kind = KINDS[i % len(KINDS)]
                hole = draw_hole(o, paths[o.split], kind, random.Random(f"{corpus} {i}"), folder)
                if hole:
                    rows.append((*measure_hole(o, hole, o.seed + i), corpus, kind))
            for i in range(o.controls):
                hole = draw_hole(o, paths[o.split], (4, True), random.Random(f"{corpus} control {i}"), folder)
                for control, levels in ASKED.items() if hole else ():
                    for level in levels:
                        notes, _ = fill_hole(o, hole, o.seed + i, (f"--{control}", str(level), "--draws", "1"))
                        got = control_figures(notes, (hole[4][1] - hole[4][0]) / STEPS)[control]
                        answers[control].append((level, got))
            say_holes("corpus", corpus, [r for r in rows if r[3] == corpus])
    for n, one in KINDS:
        say_holes("hole", f"{n} bar{'s' * (n > 1)}, {'one track' if one else 'all tracks'}",
                  [r for r in rows if r[4] == (n, one)])
    for control, pairs in answers.items():
        came = [(x, y) for x, y in pairs if y == y]
        say(control=control, holes=len(pairs) // 4, came={str(x): mean([y for z, y in came if z == x]) for x in ASKED[control]},
            rank_correlation=spearman([x for x, _ in came], [y for _, y in came]))
    say_holes("corpus", "all", rows)


# --- music ---


def spread(paths, n, usable):
    """N of the usable ones, at even distances."""
    found = []
    for path in paths:
        try:
            music = read_music(path)
        except (AssertionError, struct.error, OSError):
            continue
        if usable(music):
            found.append((path, music))
    n = min(n, len(found))
    return [found[i * len(found) // n] for i in range(n)]


def continue_pieces(o, paths, folder):
    """[(piece's name, its own bars, the written bars)]"""
    usable = lambda m: len(m.bars) - 1 >= CONTEXT + LEAST and m.notes and m.notes[0][1] < m.bars[CONTEXT]
    for i, (path, music) in enumerate(spread(paths[o.split], o.n, usable)):
        _, div, tracks = smf.read(path)
        lines = smf.bar_starts(div, tracks)
        given, out = os.path.join(folder, "given.mid"), os.path.join(folder, "out.mid")
        smf.write(given, div, smf.cut(tracks, 0, lines[CONTEXT]))
        bars = min(o.bars, len(music.bars) - 1 - CONTEXT)
        take = run(o, "continue", given, "-o", out, "--bars", bars, "--seed", o.seed + i, *shlex.split(o.args), "--json")["takes"][0]
        written = read_music(out)
        a, b = to_step(take["from_tick"], div), to_step(take["to_tick"], div)
        length = max((b - a) // bars, 1)
        notes = [(t, s - a, min(e, b) - a, p, hit) for t, s, e, p, hit in written.notes if a <= s < b]
        yield music.between(CONTEXT, CONTEXT + bars), Music(notes, [k * length for k in range(bars + 1)], music)


def grid_music(piece, voices):
    """Rows of four pitches, -1 for silence, a sixteenth each. Repeats are joined."""
    notes = []
    for v in voices:
        for i, row in enumerate(piece):
            if row[v] >= 0 and (i == 0 or piece[i - 1][v] != row[v]):
                end = next((k for k in range(i, len(piece)) if piece[k][v] != row[v]), len(piece))
                notes.append((v, 6 * i, 6 * end, row[v], False))
    return Music(notes, list(range(0, 6 * len(piece) + 96, 96)))


def accompany_pieces(o, pieces, folder):
    for i in range(min(o.n, len(pieces))):
        piece = pieces[i * len(pieces) // min(o.n, len(pieces))]
        own = grid_music(piece, range(4))
        melody, out = os.path.join(folder, "melody.mid"), os.path.join(folder, "out.mid")
        sung = [n for n in own.notes if n[0] == 0]
        smf.write(melody, STEPS, [[(s, bytes([0x90, p, 80])) for _, s, _, p, _ in sung] +
                                  [(e, bytes([0x80, p, 64])) for _, _, e, p, _ in sung]])
        run(o, "accompany", melody, "-o", out, "--seed", o.seed + i, *shlex.split(o.args))
        yield own, read_music(out, own.bars)


def say_music(name, pairs, training, copies):
    """pairs: (own, written)."""
    sides = {"written": [w for _, w in pairs], "held_out": [h for h, _ in pairs], "training": training}
    sums = {}
    for side, pieces in sides.items():
        sums[side] = {k: sum((histograms(m)[k] for m in pieces), Counter()) for k in ("pitch_classes", "lengths", "intervals")}
    for side, pieces in sides.items():
        figures = [measure_bars(m) for m in pieces]
        row = {k: mean([f[k] for f in figures]) for k in figures[0]} if figures else {}
        if side != "held_out":
            row.update({k + "_apart": total_variation(sums[side][k], sums["held_out"][k]) for k in sums[side]})
        chords, faults = 0, Counter()
        for m in pieces:
            if m.voices:
                n, f = count_faults(m, m.voices)
                chords, faults = chords + n, faults + f
        if chords:
            row.update({k + "_in_100_chords": 100 * faults[k] / chords for k in ("fifths", "octaves", "crossed", "out_of_range")})
        if side != "training":
            runs = [copies.longest(m) for m in pieces]
            row.update(longest_copied_run=max(runs, default=0), mean_copied_run=mean(runs))
        say(corpus=name, of=side, pieces=len(pieces), notes=sum(len(m.notes) for m in pieces), **row)


def evaluate_music(o):
    with tempfile.TemporaryDirectory() as folder:
        if os.path.isfile(o.data):
            with open(o.data, encoding="utf8") as f:
                data = json.load(f)
            lower = lambda m: Music([n for n in m.notes if n[0] > 0], m.bars)
            pairs = list(accompany_pieces(o, data[o.split], folder))
            training = [grid_music(p, range(4)) for p in data["train"]]
            copies = Copies([lower(m) for m in training])
            say_music(os.path.basename(o.data), pairs, training, copies)
            return
        for corpus, paths in list_corpora(o):
            pairs = list(continue_pieces(o, paths, folder))
            training = [m for _, m in spread(paths["train"], len(paths["train"]), lambda m: len(m.bars) > 1)]
            if pairs:
                say_music(corpus, pairs, [m.between(CONTEXT, CONTEXT + o.bars) for m in training[:: max(len(training) // len(pairs), 1)]
                                          if len(m.bars) > CONTEXT + 1], Copies(training))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["holes", "music"])
    parser.add_argument("bin")
    parser.add_argument("data")
    parser.add_argument("--n", type=int)
    parser.add_argument("--controls", type=int, default=0)
    parser.add_argument("--bars", type=int, default=16)
    parser.add_argument("--model")
    parser.add_argument("--split", default="valid")
    parser.add_argument("--corpora")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--args", default="")
    o = parser.parse_args()
    o.n = o.n if o.n is not None else 6 if o.what == "holes" else 8
    try:
        (evaluate_holes if o.what == "holes" else evaluate_music)(o)
    except OSError as fault:
        sys.exit(f"evaluate.py: {fault}")


if __name__ == "__main__":
    main()
