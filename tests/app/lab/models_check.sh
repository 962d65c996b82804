#!/bin/sh
# Whether the shipped models are good, as the verbs measure it (make models-check): what is asked and what
# is got rise together, and rounding weights costs little, those of tables that relate tokens, too. The music
# is the example, or twice the example, which no model was taught.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

python3 -B - "$out" <<'END'
import json, os, subprocess, sys
sys.path.insert(0, "models")
import smf

out, program = sys.argv[1], os.environ["CONTINUO_BIN"]
_, div, tracks = smf.read("models/example.mid")
end = smf.bar_starts(div, tracks)[-1]
for split in ("train", "valid"):
    os.makedirs(f"{out}/data/twice/{split}")
    smf.write(f"{out}/data/twice/{split}/a.mid", div,
              [[e for e in t if e[1][:2] != b"\xff\x2f"] + [(x + end, e) for x, e in t if e[0] < 0xF0] for t in tracks])
voices = sorted({k for k, *_ in smf.notes("models/example.mid")[1]})
at = {(voices.index(k), t): pitch for k, start, stop, _, pitch, _ in smf.notes("models/example.mid")[1] for t in range(start, stop)}
piece = [[at.get((v, t), -1) for v in range(4)] for t in range(0, end, div // 4)]
with open(f"{out}/four.json", "w") as f:
    json.dump({"train": [piece], "valid": [piece], "test": [piece]}, f)


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


for model, data in (("continuo", "data"), ("chorales/music", "four.json"), ("chorales/shaw", "four.json"), ("chorales/music+time", "four.json")):
    losses = [json.loads(run(program, "eval", f"models/{model}.safetensors", "--data", f"{out}/{data}", "--precision", p, "--json"))["all"]["nats_per_token"]
              for p in ("f32", "bf16", "int8")]
    print(model, losses)
    assert 0.1 < losses[0] < 2, "it does not know what music is"
    assert all(abs(x / losses[0] - 1) < bound for x, bound in zip(losses[1:], (0.001, 0.005))), "rounding costs too much"

for line in run("python3", "-B", "models/evaluate.py", "holes", program, f"{out}/data", "--n", "0", "--controls", "3").splitlines():
    print(line)
    came = list(json.loads(line)["came"].values())
    assert came[-1] > came[0] and json.loads(line)["rank_correlation"] > 0.2, "what is asked is not got"
END
