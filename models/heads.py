#!/usr/bin/env python3
"""What each head of a model of score tokens attends to, and what it is worth. Needs NumPy.

  heads.py BIN MODEL DATA -o MODEL.heads.json [--windows 24] [--length 512] [--split valid] [--corpora A,B]

Reads windows of `continuo tokens` with reader.py, once for what heads attend to, and once for each
head with that head muted, which shows the nats a token lost without it. Beside the model, the file
names its heads in the inspector. Prints a table.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reader

NEAR = 6  # steps: a sixteenth
LEAST_SHARE, LEAST_BITS, BROAD = 0.25, 0.05, 0.75
RULES = ("Shares are of the attention of the rows that choose the tokens of notes; chance is the share that an even "
         "spread over all that is seen would give. The name is that of the relation furthest above chance, by relative "
         "entropy in bits a row, of those with a share of 0.25 and 0.05 bits or more; else broad with an evenness "
         "(entropy over its most) of 0.75 or more; else mixed. A bar back and the same place are to within a sixteenth; "
         "octaves are not unisons; the bass is the lowest of two or more notes that begin together; the voice is the "
         "track, and its last note any of its last onset; after the same pitch: told after such a note as the one told "
         "before.")
# The names are those of app/inspection/head_names.c.
RELATIONS = ["last token", "token before", "own note", "previous note", "chord", "same voice", "voice's last note",
             "same pitch", "octave", "bass", "previous bar", "same place in the bar", "after the same pitch",
             "bar lines", "beginning"]


def read_notes(ids, times, kinds):
    """For each token the index of its note, -1: none, and its kind; and the notes: step, track, pitch,
    bar's start and length, step of the onset before on the track, pitch written before, is the bass."""
    first = sorted((k["first"], k["name"]) for k in kinds)
    name_of = lambda t: next(n for f, n in reversed(first) if f <= t)
    start_of = {n: f for f, n in first}
    names = [name_of(t) for t in ids]
    note_of, notes, pending = np.full(len(ids), -1), [], []
    track, pitch, lines, in_music = 0, 0, [], False
    for i, (name, token) in enumerate(zip(names, ids)):
        if name == "TRACK":
            track = token - start_of["TRACK"]
        if name == "BAR":
            lines.append(times[i])
            in_music = True
        if name in ("BAR", "NUM", "DEN", "CHORD", "BASS", "EOS", "PAD") or not in_music:
            pending = [] if name != "CHORD" else pending
            continue
        pending.append(i)
        if name == "PITCH":
            pitch = token - start_of["PITCH"]
        if name in ("DUR", "HIT"):
            pitch = token - start_of["HIT"] + 128 if name == "HIT" else pitch
            note_of[pending] = len(notes)
            notes.append([times[i], track, pitch, lines[-1], 0, -1, notes[-1][2] if notes else -1, 0])
            pending = []
    lines.append(max(times) + 1)
    for k, n in enumerate(notes):
        n[4] = next((b - a for a, b in zip(lines, lines[1:]) if a == n[3]), 1)
        before = [m[0] for m in notes[:k] if m[1] == n[1] and m[0] < n[0]]
        n[5] = before[-1] if before else -1
        chord = [m[2] for m in notes if m[0] == n[0]]
        n[7] = len(chord) > 1 and n[2] == min(chord)
    return note_of, names, np.array(notes)


def relate(note_of, names, notes):
    """The rows that choose a token of a note, and for each relation what keys have it: [15, rows, keys]."""
    n = len(note_of)
    rows = np.array([q for q in range(n - 1) if note_of[q + 1] >= 0], dtype=int)
    key, of = np.arange(n)[None, :], note_of[None, :]
    own = note_of[rows + 1][:, None]
    step, track, pitch, _, bar, before, said, bass = (c for c in notes.T)
    a = lambda column: column[own]
    b = lambda column: column[np.maximum(of, 0)]
    is_note, other = of >= 0, (of >= 0) & (of != own)
    back, length = a(step) - b(step), np.maximum(a(bar), 1)
    off = np.abs(back) % length
    apart = a(pitch) - b(pitch)
    of_kind = lambda *kinds: np.array([k in kinds for k in names])[None, :] & ~is_note
    sets = [key == rows[:, None], key == rows[:, None] - 1, of == own, other & (of == own - 1), other & (back == 0),
            other & (a(track) == b(track)), other & (a(track) == b(track)) & (b(step) == a(before)), other & (apart == 0),
            other & (apart != 0) & (apart % 12 == 0), other & (b(bass) == 1), other & (np.abs(back - length) <= NEAR),
            other & (back > length // 2) & ((off <= NEAR) | (length - off <= NEAR)), other & (b(said) == a(said)),
            of_kind("BAR", "NUM", "DEN"), of_kind("BOS", "STYLE")]
    seen = key <= rows[:, None]
    return rows, np.stack([np.broadcast_to(s, seen.shape) & seen for s in sets])


class Profile:
    def __init__(self):
        self.rows, self.shares, self.entropy, self.evenness = 0, np.zeros(len(RELATIONS)), 0.0, 0.0

    def add(self, weights, rows, sets):
        """weights [rows, keys]"""
        bits = -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(-1)
        self.rows += len(rows)
        self.shares += [float(weights[s].sum()) for s in sets]
        self.entropy += float(bits.sum())
        self.evenness += float((bits / np.maximum(np.log2(rows + 1), 1e-9))[rows > 0].sum())

    def bits(self, chance, r):
        share, even = min(self.shares[r] / self.rows, 1.0), chance.shares[r] / chance.rows
        if share <= even or not 0 < even < 1:
            return 0.0
        rest = (1 - share) * math.log2((1 - share) / (1 - even)) if share < 1 else 0.0
        return share * math.log2(share / even) + rest

    def name(self, chance):
        known = [(self.bits(chance, r), -r) for r in range(len(RELATIONS)) if self.shares[r] / self.rows >= LEAST_SHARE]
        best = max(known, default=(0.0, 0))
        if best[0] >= LEAST_BITS:
            return RELATIONS[-best[1]], -best[1]
        return "broad" if self.evenness / self.rows >= BROAD else "mixed", None


class Loss:
    """Sums of nats and tokens over windows, with the error of their ratio (Cochran 1977, section 6.4)."""

    def __init__(self):
        self.windows = []

    def mean(self):
        return sum(n for n, _ in self.windows) / max(sum(t for _, t in self.windows), 1)

    def error(self):
        n, mean = len(self.windows), self.mean()
        off = sum((nats - mean * tokens) ** 2 for nats, tokens in self.windows)
        return math.sqrt(off * n / (n - 1)) / sum(t for _, t in self.windows) if n > 1 else None

    def json(self):
        error = self.error()
        return {"nats_a_token": round(self.mean(), 4), "standard_error": error and round(error, 4), "windows": len(self.windows)}


def nats(config, tensors, x, targets):
    """Sum and number of the targets that count."""
    if config["norm"] == "pre":
        x = reader.layer_norm(tensors, "norm", x)
    out = x @ tensors["token_embedding.weight" if config["tied"] else "head.weight"].T
    out = out - out.max(-1, keepdims=True)
    at = targets >= 0
    return float((np.log(np.exp(out).sum(-1)) - out[np.arange(len(out)), targets])[at].sum()), int(at.sum())


def survey_window(config, tensors, window, kinds, heads, chance, plain, lost):
    ids, targets, times, state = window
    note_of, names, notes = read_notes(ids, times, kinds)
    if not len(notes):
        return
    rows, sets = relate(note_of, names, notes)
    even = np.tril(np.ones((len(ids), len(ids)), np.float32))[rows] / (rows[:, None] + 1)
    chance.add(even, rows, sets)
    x = reader.embed(config, tensors, ids)
    if config["state"]:
        x = x + reader.add_state(tensors, state)
    run = lambda layer, x: reader.run_layer(config, tensors, f"layers.{layer}", x, times, True, None, None, ids)
    inputs = []
    for layer in range(config["n_layers"]):
        inputs.append(x)

        def look(weights, layer=layer):
            for head in range(config["n_heads"]):
                heads[layer][head].add(weights[head][rows], rows, sets)
            return weights

        reader.watch = look
        x = run(layer, x)
    reader.watch = None
    whole, n = nats(config, tensors, x, targets)
    plain.windows.append((whole, n))
    for layer in range(config["n_layers"]):
        for head in range(config["n_heads"]):
            def mute(weights, head=head):
                reader.watch = None  # this layer alone
                weights = weights.copy()
                weights[head] = 0
                return weights

            reader.watch = mute
            x = inputs[layer]
            for k in range(layer, config["n_layers"]):
                x = run(k, x)
            lost[layer][head].windows.append((nats(config, tensors, x, targets)[0] - whole, n))


def read_windows(o):
    """Tokens, targets, times and state of each window, the kinds of tokens, and the corpora."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "w.npy")
        subprocess.run([o.bin, "tokens", "--data", o.data, "--split", o.split, "--windows", str(o.windows), "--length",
                        str(o.length), "--holes", "0", "--chords", "0", "-o", out,
                        *(["--corpora", o.corpora] if o.corpora else [])], check=True)
        rows, state = np.load(out).astype(int), np.load(out.replace(".npy", ".state.npy")).astype(int)
        with open(out.replace(".npy", ".json"), encoding="utf8") as f:
            about = json.load(f)
    windows = []
    for i in range(rows.shape[1]):
        n = int(np.flatnonzero(rows[1, i] >= 0).max(initial=-1)) + 1
        if n:
            windows.append((rows[0, i, :n], rows[1, i, :n], rows[2, i, :n], state[i, :n]))
    return windows, about["tokenizer"]["kinds"], about["provenance"]["corpora"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--windows", type=int, default=24)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--split", default="valid")
    parser.add_argument("--corpora")
    o = parser.parse_args()
    about = json.loads(subprocess.run([o.bin, "info", o.model, "--json"], check=True, capture_output=True, text=True).stdout)
    config, tensors = reader.load(o.model)
    tensors = {k: v.astype(np.float32) for k, v in tensors.items()}
    every = lambda make: [[make() for _ in range(config["n_heads"])] for _ in range(config["n_layers"])]
    heads, lost, chance, plain = every(Profile), every(Loss), Profile(), Loss()
    windows, kinds, corpora = read_windows(o)
    for i, window in enumerate(windows):
        print(f"window {i + 1} of {len(windows)}", file=sys.stderr)
        survey_window(config, tensors, window, kinds, heads, chance, plain, lost)
    if not chance.rows:
        sys.exit("heads.py: the music has no notes")
    model = {"file": os.path.basename(o.model), "hash": about["hash"], "layers": config["n_layers"], "heads": config["n_heads"]}
    survey = {"split": o.split, "windows": len(plain.windows), "rows": chance.rows, "corpora": corpora, "rules": RULES,
              "loss": {"all": plain.json()}}
    shares = lambda p: {r: round(float(x) / p.rows, 4) for r, x in zip(RELATIONS, p.shares)}
    lines = []
    print("| head | name | share | by chance | entropy, bits | muted |\n|---|---|--:|--:|--:|--:|")
    for layer in range(config["n_layers"]):
        for head in range(config["n_heads"]):
            p = heads[layer][head]
            name, r = p.name(chance)
            line = {"layer": layer + 1, "head": head + 1, "of": "past", "name": name}
            if r is not None:
                line.update(share=shares(p)[name], by_chance=shares(chance)[name], bits=round(p.bits(chance, r), 4))
            line.update(lost_when_muted={"all": lost[layer][head].json()}, relations=shares(p),
                        entropy=round(p.entropy / p.rows, 4), evenness=round(p.evenness / p.rows, 4))
            lines.append(json.dumps(line))
            print(f"| {layer + 1}.{head + 1} | {name} | {line.get('share', '')} | {line.get('by_chance', '')} | "
                  f"{line['entropy']:.1f} | {lost[layer][head].mean():.4f} |")
    with open(o.output, "w", encoding="utf8") as f:
        f.write('{"model": %s, "survey": %s, "chance": [%s], "heads": [\n%s]}\n' % (
            json.dumps(model), json.dumps(survey), json.dumps({"of": "past", "relations": shares(chance)}), ",\n".join(lines)))


if __name__ == "__main__":
    main()
