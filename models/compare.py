#!/usr/bin/env python3
"""Trains every variant of the decoder on four voices with the same size, data and budget, and prints
a table of nats a note on held-out pieces, with published figures. Standard library only.

  compare.py BIN FILE.json DIR [--variants A,B] [OPTIONS OF `continuo train`]

Each model is DIR/NAME.safetensors, its record DIR/NAME.json; the table is DIR/table.md. A second run
keeps the finished models and resumes the interrupted one.
"""
import json
import os
import subprocess
import sys

# name, what it is, its options of `continuo train`; {context}, {quarter} and {local} are by the context
VARIANTS = [
    ("none", "no positions; only the causal mask", "--position none"),
    ("learned", "a learned vector for each position", "--position learned"),
    ("sinusoidal", "sinusoids (Vaswani et al. 2017)", "--position sinusoidal"),
    ("shaw", "relative keys and values, clipped (Shaw et al. 2018)", "--position none --relative shaw --reach {quarter}"),
    ("music", "relative keys, by skewing (Huang et al. 2018)", "--position none --relative music --reach {context}"),
    ("rotary", "rotated by position (Su et al. 2021)", "--position none --relative rotary"),
    ("time-buckets", "relative keys by musical time alone", "--position none --time buckets"),
    ("music+time", "music and time-buckets", "--position none --relative music --reach {context} --time buckets"),
    ("rotary+time", "one half rotated by position, the other by musical time", "--position none --relative rotary --time rotary"),
    ("local", "music, limited to a token's own block and the one before (Huang et al. 2018)",
     "--position none --relative music --reach {context} --block {local}"),
    ("post-norm", "sinusoidal, norms after the sums (Vaswani et al. 2017)", "--position sinusoidal --norm post"),
    ("fourier", "no attention: a causal Fourier transform (Lee-Thorp et al. 2022)", "--position learned --mixing fourier"),
    ("fourier-16", "the same, over the last 16 tokens", "--position learned --mixing fourier --block 16"),
]
# Note-wise validation nats on the same pieces and split, as Huang et al. 2018 (Music Transformer) give them.
PUBLISHED = [("Transformer", 0.417), ("with concatenated positional sinusoids", 0.398), ("with those and instrument labels", 0.370),
             ("relative (Music Transformer)", 0.357), ("relative, with sinusoids and instrument labels", 0.347),
             ("relative pitch and time", 0.335)]
COUNTED = [("unigram", "unigram_nats_per_token"), ("bigram: after the token before", "bigram_nats_per_token"),
           ("bigram: after the same voice's sixteenth before", "own_voice_nats_per_token")]


def ask(program, *words):
    """What it prints, value by value of JSON."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    values, text = [], done.stdout.strip()
    while text:
        value, n = json.JSONDecoder().raw_decode(text)
        values.append(value)
        text = text[n:].lstrip()
    return values


def make_variant(program, data, folder, name, options):
    """Trains and measures it, unless its record is there."""
    at = lambda ending: os.path.join(folder, f"{name}.{ending}")
    if os.path.exists(at("json")):
        with open(at("json"), encoding="utf8") as f:
            record = json.load(f)
        if record["options"] != options:
            sys.exit(f"{at('json')}: was trained with other options; use the same ones or another folder")
        return record
    resume = ["--resume"] if os.path.exists(at("state")) else []
    if subprocess.run([program, "train", "--data", data, "-o", at("safetensors"), "--log", at("log"), *options, *resume]).returncode:
        sys.exit(f"{name}: training failed")
    about = ask(program, "info", at("safetensors"), "--json")[0]
    record = {"options": options, "parameters": about["parameters"], "tokens": about["provenance"]["tokens_seen"],
              "minutes": about["provenance"]["minutes"]}
    for split in ("valid", "test"):
        record[split] = ask(program, "eval", at("safetensors"), "--data", data, "--split", split, "--json")[0]["all"]
    with open(at("json"), "w", encoding="utf8") as f:
        json.dump(record, f)
    if os.path.exists(at("state")):
        os.remove(at("state"))  # three times the model, and of no more use
    return record


def main(a):
    if len(a) < 3:
        sys.exit(__doc__)
    program, data, folder, *options = a
    chosen = [v[0] for v in VARIANTS]
    if "--variants" in options:
        i = options.index("--variants")
        chosen = options[i + 1].split(",")
        del options[i : i + 2]
    unknown = [c for c in chosen if c not in [v[0] for v in VARIANTS]]
    if unknown:
        sys.exit(f"--variants: there is no {unknown[0]}; there are {', '.join(v[0] for v in VARIANTS)}")
    context = int(options[options.index("--context") + 1]) if "--context" in options else 512
    sizes = {"context": context, "quarter": context // 4, "local": 64 * max(context // 4 // 64, 1)}
    os.makedirs(folder, exist_ok=True)
    rows, record = [], None
    for name, about, of in VARIANTS:
        if name in chosen:
            record = make_variant(program, data, folder, name, options + of.format(**sizes).split())
            speeds = ask(program, "bench", "decode", "--model", os.path.join(folder, name + ".safetensors"))
            speed = next((s["tokens_per_second"] for s in speeds if s.get("takes") == 1 and s.get("context") == 0), 0)
            rows.append((name, about, record, speed))
    best = min(r["valid"]["nats_per_token"] for _, _, r, _ in rows)
    lines = ["| variant | | parameters | tokens seen | minutes | valid, nats per note | test | decoded tokens/s |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    for name, about, r, speed in rows:
        valid = r["valid"]["nats_per_token"]
        mark = "**" if valid == best else ""
        lines.append(f"| {name} | {about} | {r['parameters'] / 1e6:.2f} M | {r['tokens'] / 1e6:.2f} M | {r['minutes']:.1f} | "
                     f"{mark}{valid:.4f}{mark} | {r['test']['nats_per_token']:.4f} | {speed:.0f} |")
    lines += [f"| *counting* | {name} | | | | {record['valid'][key]:.4f} | {record['test'][key]:.4f} | |" for name, key in COUNTED]
    lines += [f"| *published* | {name} | | | | {x:.3f} | | |" for name, x in PUBLISHED]
    print("\n".join(lines))
    with open(os.path.join(folder, "table.md"), "w", encoding="utf8") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
