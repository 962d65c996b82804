#!/bin/sh
# Windows of four-voice music as `continuo tokens` writes them and `continuo train` draws them: each is a window
# of a piece, in another key, with the melody that is heard; every held-out cell counts once, after half a
# context; and what is no such music is refused with the place, before anything is written.
set -eu
command -v python3 >/dev/null || { echo "python3 is missing"; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
home=$(realpath "$CONTINUO_HOME") program=$(realpath "$CONTINUO_BIN")
cd "$out"
python3 -B - "$home" "$program" <<'END'
import array, json, os, random, shutil, subprocess, sys

home, program = sys.argv[1:]
sys.path.insert(0, f"{home}/models")
import smf

PAD, BOS, INSIDE, REST, HOLD, PITCH = range(6)


def run(*words):
    done = subprocess.run([program, "tokens", *words], capture_output=True, text=True)
    return done.returncode, done.stderr


def numbers(name):
    with open(name, "rb") as f:
        raw = f.read()
    shape = eval(raw[10:128].decode().split("'shape':")[1].split(")")[0] + ")")
    data = array.array("h", raw[128:])
    assert len(data) == shape[0] * shape[1] * shape[2], "numbers are missing"
    row = lambda k, i: data[(k * shape[1] + i) * shape[2]:][:shape[2]]
    return [[row(k, i) for k in range(shape[0])] for i in range(shape[1])]


def windows(length, *words):
    """Each is tokens, targets and times, and of a melody its tokens and times."""
    status, says = run("--data", "four.json", "-o", "w.npy", "--force", "--length", str(length), *words)
    assert status == 0, says
    with open("w.json", encoding="utf8") as f:
        return numbers("w.npy"), json.load(f), says


# Three pieces to train on, two to measure, one to test, each a tone higher than the one before: pitches that last
# one to four steps, and some rests.
rng = random.Random(7)


def piece(n, up=0):
    voices = []
    for base in (72, 65, 58, 46):
        cells = []
        while len(cells) < n:
            cells += [-1 if rng.random() < 0.05 else base + 2 * up + rng.randrange(6)] * rng.randint(1, 4)
        voices.append(cells[:n])
    return [list(step) for step in zip(*voices)]


pieces = {"train": [piece(90 + 5 * i, i) for i in range(3)], "valid": [piece(50), piece(55)], "test": [piece(9)]}
with open("four.json", "w", encoding="utf8") as f:
    json.dump(pieces, f)
low, high = ([f(s[v] for p in pieces["train"] for s in p if s[v] >= 0) for v in range(4)] for f in (min, max))


def token(p, first, step, voice, shift, hold):
    if step >= len(p):
        return -1
    pitch = p[step][voice]
    holds = hold and step > first and pitch == p[step - 1][voice]
    return REST if pitch < 0 else HOLD if holds else PITCH + pitch + shift


def is_window(w, p, first, shift, told, hold, held_out):
    n, length = len(told), len(w[0])
    for i in range(length):
        cell = token(p, first, first + i // n, told[i % n], shift, hold)
        counts = w[1][i] >= 0 or not held_out
        if (w[1][i] != cell and counts) or (cell < 0 and w[0][i] != PAD) or (cell >= 0 and w[2][i] != (i + n - 1) // n * 6):
            return False
        if i + 1 < length and first + (i + 1) // n < len(p) and w[0][i + 1] != cell:
            return False
    if len(w) == 5:
        heard = 1 + (length + n - 1) // n
        for i in range(length):
            cell = token(p, first, first + i - 1, 0, shift, hold) if 0 < i < heard else w[0][0] if i == 0 else -1
            if w[3][i] != cell or (cell >= 0 and w[4][i] != i * 6):
                return False
    return w[0][0] == (INSIDE if first else BOS)


def find(w, split, told, hold, shifts=range(-5, 7), after=(-1, 0)):
    """The first after that piece and step; short ones may be found twice."""
    for k, p in enumerate(pieces[split]):
        for first in range(len(p)):
            for shift in shifts:
                if (k, first) > after and is_window(w, p, first, shift, told, hold, split == "valid"):
                    return k, first, shift
    raise AssertionError("it is no window")


LESSONS = [(hold, melody) for hold in (False, True) for melody in (False, True)]
for hold, melody in LESSONS:
    told = [1, 2, 3] if melody else [0, 1, 2, 3]
    more = ["--hold"] * hold + ["--melody"] * melody
    # What is drawn, also of pieces shorter than a row.
    found = []
    for length, n in ((100, 90), (512, 8)):
        drawn, about, _ = windows(length, "--split", "train", "--windows", str(n), *more)
        found += [find(w, "train", told, hold) for w in drawn]
        for w in drawn:
            for i, x in enumerate(w[1]):
                assert x < PITCH or low[told[i % len(told)]] <= x - PITCH <= high[told[i % len(told)]], "out of range"
    assert sum(first == 0 for _, first, _ in found) > 8 and sum(first >= 64 for _, first, _ in found) > 8
    assert 20 < sum(shift != 0 for *_, shift in found) < len(found)
    tokenizer = about["tokenizer"]
    assert about["vocab"] == 133 and tokenizer["hold"] == hold and about["provenance"]["corpora"] == ["four"]
    assert len(tokenizer["voices"]) == len(told) and tokenizer.get("heard") == (["soprano"] if melody else None)
    # What is held out.
    for length in (8, 9, 17, 30, 64, 127, 128, 129, 200, 512):
        held, about, _ = windows(length, "--windows", "999", *more)
        counted = [[0] * len(p) * len(told) for p in pieces["valid"]]
        k = first = -1
        for w in held:
            k, first, _ = find(w, "valid", told, hold, (0,), (k, first))
            for i, x in enumerate(w[1]):
                if x >= 0:
                    assert first == 0 or i >= length // 2, "it counts before half a context"
                    counted[k][first * len(told) + i] += 1
        assert all(n == 1 for cells in counted for n in cells), f"a cell does not count once of {length}"
        assert about["provenance"]["windows"] == len(held)
    # However little of a piece a row holds, there is something in it to learn.
    for length in (8, 11, 23, 50, 77):
        drawn, *_ = windows(length, "--split", "train", "--windows", "200", *more)
        assert all(w[1][0] >= 0 and w[0][0] != PAD for w in drawn), "an empty row"

# Corpora are drawn by a power of their size.
for name, n in (("a", 1), ("b", 3)):
    os.makedirs(f"two/{name}/train")
    for i in range(n):
        pitches = [(60 + 12 * n + k * (i + 2) % 11) for k in range(64)]
        smf.write(f"two/{name}/train/{i}.mid", 480, [[e for k, p in enumerate(pitches) for e in (
            (480 * k, bytes([0x90, p, 80])), (480 * k + 480, bytes([0x80, p, 64])))]])
for power in ("0", "1"):
    assert run("--data", "two", "-o", f"{power}.npy", "--split", "train", "--windows", "40", "--length", "32", "--power", power)[0] == 0
assert numbers("0.npy") != numbers("1.npy")

# Fewer windows are the first; these tokens have no state.
one, _, says = windows(50, "--split", "test")
assert len(one) == 1 and "the first" not in says
two, _, says = windows(50, "--windows", "2")
assert len(two) == 2 and "the first 2 windows; --windows " in says and two[0][0][0] == BOS
assert not os.path.exists("w.state.npy")


def refused(why, *words):
    status, says = run("-o", "no.npy", *words)
    assert status == 1 and why in says, f"{words}: {status}, {says}"
    assert not os.path.exists("no.npy") and not os.path.exists("no.json")


os.makedirs("folder/songs")
shutil.copy(f"{home}/models/example.mid", "folder/songs/a.mid")
none = "continuo: folder: is not a file of four voices, which --melody and --hold need"
for words, why in (
        (("folder", "--melody"), none), (("folder", "--hold"), none),
        (("four.json", "--corpora", "songs"), "continuo: four.json: is one"),
        (("four.json", "--split", "best"), "continuo: best: must be train"),
        (("four.json", "--length", "7"), "continuo: --length: is too short"),
        (("four.json", "--length", "2", "--melody", "--split", "train"), "continuo: --length: is too short"),
        (("w.npy",), "continuo: w.npy: is not JSON")):
    refused(why, "--data", *words)
pitch = "step 2 of piece 1 of train has a pitch that is not a number from -1 to 127"
for text, why in (
        ("", "is not JSON"), ("[1, 2]", "is not a JSON object of pieces"), ('{"train": [[[60,60,60,60]]]', "is not JSON"),
        ("{}", "holds no pieces to train on"), ('{"train": []}', "holds no pieces to train on"),
        ('{"train": {}}', "has a split that is not a list of pieces"),
        ('{"train": [7]}', "piece 1 of train is not a list of steps"),
        ('{"train": [[]]}', "piece 1 of train is not a list of steps"),
        ('{"train": [[[60,60,60]]]}', "step 1 of piece 1 of train must be four pitches"),
        ('{"train": [[[1,2,3,4]]], "test": [[[1,2,3,4],{}]]}', "step 2 of piece 1 of test must be four pitches"),
        *((f'{{"train": [[[1,2,3,4],[1,2,3,{x}]]]}}', pitch) for x in ("128", "-2", "1e300", "60.5", '"60"')),
        ('{"train": [[[60, 55, 50, 45]]]}', "holds no music of that")):
    with open("bad.json", "w", encoding="utf8") as f:
        f.write(text)
    refused(f"continuo: bad.json: {why}", "--data", "bad.json")
END
