#!/bin/sh
# models/heads.py: heads that do one thing are named after it, ones that do nothing are not; and a survey of
# a model of a few steps.
set -eu
python() { sh tests/python_with.sh numpy "$@"; }
python -c "" || exit 77
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/data/ex/train" "$out/data/ex/valid"
cp models/example.mid "$out/data/ex/train"
cp models/example.mid "$out/data/ex/valid"
"$CONTINUO_BIN" train --data "$out/data" -o "$out/m.safetensors" --preset tiny --width 16 --heads 2 --layers 2 --threads 1 \
  --steps 1 --context 128 --length 64 --batch 1 2>"$out/said" || { cat "$out/said"; exit 1; }
"$CONTINUO_BIN" tokens --data "$out/data" --split valid --windows 1 --length 128 --holes 0 --chords 0 -o "$out/w.npy" 2>"$out/said"
python - "$out" <<'END'
import json, sys
sys.path.insert(0, "models")
import numpy as np
import heads

out = sys.argv[1]
rows = np.load(f"{out}/w.npy").astype(int)
kinds = json.load(open(f"{out}/w.json"))["tokenizer"]["kinds"]
note_of, names, notes = heads.read_notes(rows[0, 0], rows[2, 0], kinds)
assert len(notes) > 20 and names[0] == "BOS" and (notes[:, 0] >= notes[:, 3]).all(), "no notes are read"
assert all(a <= b for a, b in zip(notes[:, 0], notes[1:, 0])), "notes are out of order"
queries, sets = heads.relate(note_of, names, notes)
seen = np.tril(np.ones((len(note_of), len(note_of))))[queries]
chance = heads.Profile()
chance.add(seen / seen.sum(-1, keepdims=True), queries, sets)
for r, name in enumerate(heads.RELATIONS):
    at = sets[r].astype(float)
    if not at.sum(-1).all():
        at[:, 0] += at.sum(-1) == 0  # where there is none it looks at the beginning
    p = heads.Profile()
    p.add(at / at.sum(-1, keepdims=True), queries, sets)
    if p.shares[r] / p.rows > 0.9 and name in ("last token", "token before", "previous bar", "octave", "bar lines", "beginning"):
        assert p.name(chance)[0] == name, (name, p.name(chance))
even = heads.Profile()
even.add(seen / seen.sum(-1, keepdims=True), queries, sets)
assert even.name(chance) == ("broad", None), even.name(chance)
END
python models/heads.py "$CONTINUO_BIN" "$out/m.safetensors" "$out/data" --windows 1 --length 64 -o "$out/m.heads.json" >"$out/table" 2>"$out/said"
[ "$(grep -c '^| 2\.' "$out/table")" = 2 ] || { cat "$out/table" "$out/said"; exit 1; }
python - "$out" <<'END'
import json, sys
j = json.load(open(sys.argv[1] + "/m.heads.json"))
assert len(j["heads"]) == 4 and j["model"]["layers"] == 2 and len(j["model"]["hash"]) == 16
assert all(h["lost_when_muted"]["all"]["windows"] == 1 for h in j["heads"])
assert any(h["lost_when_muted"]["all"]["nats_a_token"] != 0 for h in j["heads"]), "muting a head changes nothing"
END
# The program takes the names.
mkdir -p "$out/data/continuo/models"
cp "$out/m.safetensors" "$out/m.heads.json" "$out/data/continuo/models"
XDG_DATA_HOME="$out/data" "$CONTINUO_BIN" attention models/example.mid --model m --layer 1 --head 1 -o "$out/a.json"
grep -q '"name":"[a-z]' "$out/a.json" || { head -c 400 "$out/a.json"; exit 1; }
