#!/bin/sh
# The scripts that measure models by driving the verbs: what they say of music whose figures are known,
# and that they run on a model of a few steps.
set -eu
command -v python3 >/dev/null || { echo "python3 is missing"; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
say() { echo "$1"; cat "$out/said"; exit 1; }
# has FILE WORDS...: they stand on one line of the file.
has() { file=$1; shift; lines=$(cat "$file"); for word; do lines=$(printf '%s\n' "$lines" | grep -F -- "$word") || say "no line has $*"; done; }

# Sixteen equal bars of a tune over a bass; four voices in parallel fifths; a training piece like both.
python3 -B - "$out" <<'END'
import json, os, sys
sys.path.insert(0, "models")
import evaluate, smf

out = sys.argv[1]
events = [[], []]
for bar in range(16):
    for i, pitch in enumerate((72, 76, 79, 76)):
        at = 480 * (4 * bar + i)
        events[0] += [(at, bytes([0x90, pitch, 80])), (at + 480, bytes([0x80, pitch, 64]))]
    at = 480 * 4 * bar
    events[1] += [(at, bytes([0x91, 48, 80])), (at + 1920, bytes([0x81, 48, 64]))]
for split in ("train", "valid"):
    os.makedirs(f"{out}/data/same/{split}")
    smf.write(f"{out}/data/same/{split}/a.mid", 480, events)
piece = [[p, p - 7, p - 14, p - 21] for p in (72, 74, 76, 77, 79, 81, 83, 84) for _ in range(4)]
with open(f"{out}/four.json", "w") as f:
    json.dump({"train": [piece] * 3, "valid": [piece] * 2, "test": [piece]}, f)

# a read file is what was written; bars and their figures
assert smf.notes(f"{out}/data/same/train/a.mid")[1] == sorted(
    (k, *n) for k in (0, 1) for n in smf.track_notes(events[k])), "notes are not as they were"
music = evaluate.read_music(f"{out}/data/same/train/a.mid")
assert len(music.bars) == 17 and len(music.notes) == 80, "bars or notes are lost"
figures = evaluate.measure_bars(music)
assert abs(figures["notes_a_quarter"] - 1.25) < 1e-9 and figures["groove"] == 1 and figures["polyphony"] == 2, figures
copies = evaluate.Copies([music])
assert copies.longest(music) == 64, copies.longest(music)
up = evaluate.Music([(t, s, e, p + 3, hit) for t, s, e, p, hit in music.notes], music.bars)
assert copies.longest(up) == 64, "a transposed copy is not found"
other = evaluate.Music([(0, 24 * i, 24 * i + 11, 60 + i * i % 7, False) for i in range(9)], music.bars)
assert copies.longest(other) == 0, copies.longest(other)
four = evaluate.grid_music(piece, range(4))
chords, faults = evaluate.count_faults(four, evaluate.find_voices(four))
assert (chords, faults["fifths"], faults["octaves"], faults["crossed"]) == (8, 7 * 3, 0, 0), (chords, faults)
assert evaluate.spearman([1, 2, 3, 4], [1, 4, 9, 16]) == 1 and evaluate.spearman([1, 2, 3], [3, 2, 1]) == -1
END

tiny="--preset tiny --width 16 --heads 2 --layers 1 --threads 1 --steps 2"
"$CONTINUO_BIN" train --data "$out/data" -o "$out/m.safetensors" $tiny --context 512 --length 64 --batch 1 2>"$out/said" || say "no training"
"$CONTINUO_BIN" info "$out/m.safetensors" --json >"$out/said" && has "$out/said" '"d_ff":' 64 # four times the width
python3 -B models/evaluate.py holes "$CONTINUO_BIN" "$out/data" --model "$out/m.safetensors" --n 2 --controls 1 --args "--draws 1 --threads 1" >"$out/said"
# A copy of an equal bar is the bar: nothing is apart.
has "$out/said" '"corpus": "all"' '"holes": 2' '"before": 1.0, "after": 1.0' '"groove"'
has "$out/said" '"control": "density"' '"rank_correlation"'
python3 -B models/evaluate.py music "$CONTINUO_BIN" "$out/data" --model "$out/m.safetensors" --n 1 --bars 2 --args "--draws 1 --threads 1" >"$out/said"
has "$out/said" '"of": "held_out"' '"longest_copied_run": 8' '"groove": 1.0'
has "$out/said" '"of": "written"' '"pieces": 1'
python3 -B models/compare.py "$CONTINUO_BIN" "$out/four.json" "$out/variants" --variants music,fourier-16 --context 64 --batch 1 $tiny >"$out/said" 2>&1 || say "no comparison"
has "$out/said" '| music |' '0.00 M |' '**'
has "$out/said" '| *counting* | unigram |'
[ -f "$out/variants/fourier-16.safetensors" ] || say "a variant was not kept"
before=$(cat "$out/variants/music.json")
python3 -B models/compare.py "$CONTINUO_BIN" "$out/four.json" "$out/variants" --variants music --context 64 --batch 1 $tiny >"$out/said" 2>&1 || say "no second run"
[ "$before" = "$(cat "$out/variants/music.json")" ] || say "a finished variant was trained again"
if python3 -B models/compare.py "$CONTINUO_BIN" "$out/four.json" "$out/variants" --variants loud $tiny >"$out/said" 2>&1; then say "there is a variant loud"; fi
has "$out/said" "there is no loud"

cp "$CONTINUO_HOME/models/accompany.safetensors" "$out" 2>/dev/null || exit 0
python3 -B models/evaluate.py music "$CONTINUO_BIN" "$out/four.json" --model "$out/accompany.safetensors" --split test --n 1 >"$out/said"
has "$out/said" '"of": "held_out"' '"fifths_in_100_chords": 262.5'
