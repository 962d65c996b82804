#!/bin/sh
# models/styles.py: weights that are fitted to two styles tell these apart, and the program's own guess is
# measured by style.
set -eu
python() { sh tests/python_with.sh numpy "$@"; }
python -c "" || exit 77
[ -f models/continuo.safetensors ] || { echo "no bundled model"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/jsb-chorales/train" "$out/groove-drums/train"
cp models/example.mid "$out/jsb-chorales/train"
python - "$out" "$CONTINUO_BIN" <<'END'
import re, shutil, sys
sys.path.insert(0, "models")
import numpy as np
import smf, styles

out, program = sys.argv[1:]
hits = [(240 * i, key) for i in range(128) for key in (42, 36 if i % 4 == 0 else 38 if i % 4 == 2 else 42)]
events = [e for at, key in hits for e in ((at, bytes([0x99, key, 90])), (at + 60, bytes([0x89, key, 64])))]
smf.write(f"{out}/groove-drums/train/beat.mid", 480, [sorted(events)])
rows = styles.gather(program, out, "train", 9)
assert {r[2] for r in rows} == {"beginning", "8 bars", "few tracks"}, "samples are missing"
of = ["chorale", "drums"]
shutil.copy("app/decoding/style_feature_list.h", f"{out}/list.h")
styles.write_weights(f"{out}/list.h", rows[0][5], styles.fit(rows, of, steps=50))
table = re.findall(r'FEATURE\(\w+, "[^"]+", (-?\d+), (-?\d+)\)', open(f"{out}/list.h").read())
weights = np.array(table, float)
assert len(weights) == len(rows[0][3]) + 1, "not a row for each feature"
assert all(of[int(np.argmax(np.array(r[3] + [1]) @ weights))] == r[1] for r in rows), "styles are taken for each other"
END
python models/styles.py test "$CONTINUO_BIN" "$out" --split train >"$out/said"
grep -Eq "^drums +1 +1.00" "$out/said" && grep -Eq "^chorale +1 +[01].00" "$out/said" || { cat "$out/said"; exit 1; }
