#!/bin/sh
# The scripts that show takes to readers and count what missing parts hold: a request for the
# bundled example, one bar long, and a part that copies the tune.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 1; }
mkdir "$out/set"
cp models/example.mid "$out/set"
printf 'id\tkind\tpiece\targuments\twhat\n' >"$out/set/requests.tsv"
printf 'T1\thymn: continue\texample.mid\tcontinue --bars 1 --draws 1\tone bar more\n' >>"$out/set/requests.tsv"
printf 'T2\tquartet: missing alto\texample.mid\tinpaint --tracks 2 --from 1 --to 3\tthe alto\n' >>"$out/set/requests.tsv"

python3 -B models/exam.py "$CONTINUO_BIN" "$out/set" "$out/takes" --seed 3 --only T1
grep -q 'hymn' "$out/takes/T1.txt" || { echo "the sheet does not name the request"; exit 1; }
[ "$(grep -c '^ *[*]' "$out/takes/T1.txt")" -ge 4 ] || { echo "the sheet lacks new notes"; cat "$out/takes/T1.txt"; exit 1; }
if python3 -B models/exam.py sheet "$out/set" T1 models/example.mid | grep -q '^ *[*].*[A-G]'; then
  echo "given notes are shown as new"; exit 1
fi
python3 -B models/parts.py file "$out/set" T2 models/example.mid >"$out/parts"
grep -q 'chord' "$out/parts" || { echo "no figures of a missing part"; cat "$out/parts"; exit 1; }
# The example as what follows nothing: bar 1 is a G, bar 2 no C, and bar 3 lacks what makes a Gm7.
python3 -B - <<'END'
import sys
sys.path.insert(0, "models")
from forms import failures
from smf import Song

class Nothing(Song):
    def bars(self):
        return 0

example = "models/example.mid"
found = failures(Nothing(example), example, ["G", "C", "Gm7"])
assert found == [(2, "C", 45, True), (3, "Gm7", 55, False)], found
END
printf 'T1\tD\n' >"$out/set/changes.tsv"
python3 -B models/forms.py file "$out/set" T1 models/example.mid >"$out/forms"
grep -q '^T1-1	loses	0 of 1 bars' "$out/forms" || { echo "bars that are missing keep a form"; cat "$out/forms"; exit 1; }
