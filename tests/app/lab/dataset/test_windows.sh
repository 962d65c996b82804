#!/bin/sh
# Windows of music as `continuo tokens` writes them and `continuo train` draws them: what is found in folders and
# how it is split; all is learnt but what is given; windows are like requests: with holes, missing tracks, chords,
# notes that end early.
set -eu
command -v python3 >/dev/null || { echo "python3 is missing"; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
home=$(realpath "$CONTINUO_HOME") program=$(realpath "$CONTINUO_BIN")
cd "$out"
python3 -B - "$home" "$program" <<'END'
import array, json, os, re, resource, subprocess, sys

home, program = sys.argv[1:]
sys.path.insert(0, f"{home}/models")
import smf

LENGTH, BAR = 300, 96


def write(path, voices):
    """Quarters."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    smf.write(path, 480, [[e for k, p in enumerate(v) for e in ((480 * k, bytes([0x90 | c, p, 80])),
                           (480 * k + 480, bytes([0x80 | c, p, 64])))] for c, v in enumerate(voices)])


def walk(path, bars, first):
    """A walk up and down a scale over one note."""
    write(path, [[first + i % 12 for i in range(4 * bars)], [first - 12] * (4 * bars)])


def run(data, *words, name="w.npy"):
    done = subprocess.run([program, "tokens", "--data", data, "-o", name, "--force", *words], capture_output=True, text=True)
    return done.returncode, done.stderr


def pieces(data, *words):
    """How many each corpus has to train on and to measure, by what is said."""
    status, says = run(data, "--split", "train", "--windows", "1", *words)
    assert status == 0, says
    return {name: (style, int(a), int(b)) for name, style, a, b in re.findall(r"^(\S+): (\S+), (\d+) \+ (\d+) pieces", says, re.M)}, says


kinds = []


def rows(data, n, *words, length=LENGTH):
    """[(tokens, targets)]"""
    status, says = run(data, "--length", str(length), "--windows", str(n), *words)
    assert status == 0, says
    with open("w.npy", "rb") as f:
        data = f.read()
    assert f"'shape': (3, {n}, {length})".encode() in data[:128]
    data = array.array("h", data[128:])
    with open("w.json", encoding="utf8") as f:
        about = json.load(f)
    kinds[:] = [(k["name"], i, k["value"] + i * k["each"]) for k in about["tokenizer"]["kinds"] for i in range(k["count"])]
    assert len(kinds) == about["vocab"]
    count = len(data) // 3 // length
    return [(data[i * length:][:length], data[(count + i) * length:][:length]) for i in range(count)]


def kind(token):
    return kinds[token][0]


def windows(row):
    """The windows of a row, [from, to), and whether each is whole."""
    tokens = row[0]
    begins = [i for i, t in enumerate(tokens) if kind(t) == "BOS"]
    assert begins[0] == 0, "a row begins in the midst of music"
    for a, b in zip(begins, begins[1:] + [len(tokens)]):
        yield a, b, b < len(tokens)


class Window:
    """Notes are (step, track, pitch, length), around a hole and in it."""

    def __init__(self, tokens):
        names = [kinds[t] for t in tokens]
        self.names = [n for n, *_ in names]
        self.resumes = self.names[2:3] == ["RESUME"]
        self.tracks = self.names[:self.names.index("BAR") if "BAR" in self.names else None].count("TRACK")
        self.around, self.inside, self.asked, self.n_bars, self.is_hole = [], [], set(), 0, "FILL" in self.names
        at = bar = track = start = pitch = 0
        notes, request, far = self.around, [], 0
        for name, _, value in names:
            if name == "FILL":
                notes, self.positions, request = self.inside, [], ["POS", "POS", "PITCH", "PITCH", "TRACK"]
            elif request and name in ("POSX", request[0]):
                far = value if name == "POSX" else 0 if name == "POS" and not self.positions.append(far + value) else far
                if name == "TRACK":
                    self.asked.add(value)
                elif name != "POSX":
                    request.pop(0)
            elif request and name in ("DENSITY", "POLYPHONY", "LENGTH", "REGISTER", "CLOSE", "FILL_END"):
                request = []
            else:
                if request and request[0] == "TRACK":
                    request = []
                if notes is self.inside and self.inside == [] and name in ("BAR", "POS", "VEL", "PITCH", "CHORD") and not hasattr(self, "went"):
                    bar, at, self.went = self.positions[0] // BAR, self.positions[0] % BAR, True
                if name == "BAR":
                    bar, at = (bar + 1, 0) if notes is self.inside else (self.n_bars, 0)
                    self.n_bars += notes is self.around
                elif name in ("POS", "POSX"):
                    at, far = (far + value, 0) if name == "POS" else (at, value)
                elif name == "TRACK":
                    track = value
                elif name == "PITCH":
                    pitch = value
                elif name == "DURX":
                    far = value
                elif name == "DUR":
                    notes.append((bar * BAR + at, track, pitch, far + value))
                    far = 0


def check_row(row):
    """All is to be learnt but where windows begin and the tracks that they declare."""
    tokens, targets = row
    declares = True
    for i in range(len(tokens) - 1):
        name = kind(tokens[i + 1])
        declares = name == "BOS" or (declares and name != "BAR")
        is_given = name == "BOS" or (declares and name != "STYLE")
        assert targets[i] == (-1 if is_given else tokens[i + 1]), f"target {i} of {name}"


def check_hole(row, a, b):
    """Notes and bars are learnt, marks and what is asked are not."""
    tokens, targets = row
    is_asked = False
    for i in range(a, b - 1):
        name = kind(tokens[i + 1])
        is_asked |= name == "FILL"
        if name in ("HOLE", "RESUME") or is_asked:
            assert targets[i] == -1, f"{name} is learnt"
        if name in ("FILL_END", "DUR"):
            assert targets[i] == tokens[i + 1], f"{name} is not learnt"
        if is_asked and targets[i + 1] >= 0 and (name == "TRACK" or name in ("DENSITY", "POLYPHONY", "LENGTH", "REGISTER", "CLOSE")):
            is_asked = False  # the last that is asked
    assert not is_asked


# What is found, and how it is split.
walk("all/bach-chorales/train/a.mid", 40, 60)
walk("all/bach-chorales/train/deep/b.MID", 3, 62)
walk("all/bach-chorales/valid/c.mid", 20, 64)
for i in range(40):
    walk(f"all/unsplit/{i}.mid", 2, 60)
with open("all/unsplit/broken.mid", "w", encoding="utf8") as f:
    f.write("no music")
found, says = pieces("all")
assert found["bach-chorales"] == ("chorale", 2, 1) and found["unsplit"][0] == "any", found
assert found["unsplit"][1] + found["unsplit"][2] == 40 and 1 <= found["unsplit"][2] <= 12, found
assert "1 files could not be used" in says and "broken.mid" in says
found, says = pieces("all", "--corpora", "other,bach-chorales")
assert found == {"bach-chorales": ("chorale", 2, 1)} and "broken" not in says
assert run("all", "--corpora", "bach")[0] == 1 and run("nowhere") == (1, "continuo: nowhere: No such file or directory\n")
assert pieces("all/bach-chorales/")[0] == {"bach-chorales": ("chorale", 2, 1)}  # a corpus can be the folder
assert run("all", "--split", "test")[0] == 1
assert run("all", name="w.txt") == (1, "continuo: w.txt: must end in .npy or .excerpts\n")

# The last bars of one piece are held back, but not of a few; any number of pieces has both splits.
walk("one.mid", 40, 60)
walk("short.mid", 8, 60)
assert Window(rows("one.mid", 1, length=2000)[0][0]).n_bars == 10
assert pieces("one.mid")[0]["one.mid"][1:] == (1, 1) and pieces("short.mid")[0]["short.mid"][1:] == (1, 0)
for n in range(1, 25):
    walk(f"many/piece {n}.mid", 16, 60)
    (_, a, b), = pieces("many")[0].values()
    assert a > 0 and b > 0 and n <= a + b <= n + 1, f"{a} and {b} of {n}"

# Rows are music, each another, and the same again.
plain = rows("all", 60, "--split", "train", "--holes", "0", "--chords", "0")
assert rows("all", 60, "--split", "train", "--holes", "0", "--chords", "0") == plain
assert len({bytes(r[0]) for r in plain}) > 55
for row in plain:
    check_row(row)
    for a, b, is_whole in windows(row):
        w = Window(row[0][a:b])
        assert not w.is_hole and all(60 - 12 - 5 <= p <= 64 + 11 + 6 for _, _, p, _ in w.around)

# The state of a token stands beside it: some rows of a table, and then -1; 226 and more for the present track. Each
# window begins anew.
with open("w.state.npy", "rb") as f:
    data = f.read()
assert b"'shape': (60, 300, 32)" in data[:128] and len(data) == 128 + 60 * LENGTH * 32 * 2
states = array.array("h", data[128:])
bags = [list(states[i:i + 32]) for i in range(0, len(states), 32)]
for k, (tokens, _) in enumerate(plain):
    assert bags[k * LENGTH] == bags[0]
    for token, bag in zip(tokens, bags[k * LENGTH:]):
        n = bag.index(-1)
        assert n >= 10 and all(row == -1 for row in bag[n:]), bag
        assert kind(token) != "TRACK" or 226 + kinds[token][1] in bag, bag
full = subprocess.run([program, "tokens", "--data", "all", "-o", "w.npy", "--force"], capture_output=True, text=True,
                      restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)))
assert full.returncode == 1 and "continuo: w.state.npy: File too large" in full.stderr, full

# Fixed ones are as written.
row = rows("all", 4, "--corpora", "bach-chorales")[0]
assert kinds[row[0][1]][:2] == ("STYLE", 1)
assert 52 <= Window(row[0]).around[0][2] <= 64, "it is transposed"

# Holes can be filled.
n_holes = n_plain = 0
for row in rows("all", 200, "--split", "train", "--holes", "0.5", "--chords", "0"):
    for a, b, is_whole in windows(row):
        w = Window(row[0][a:b])
        n_plain += is_whole and not w.is_hole
        if w.is_hole:
            check_hole(row, a, b)
            assert not is_whole or w.inside, "nothing fills it"
            n_holes += 1
assert n_holes > 60 and n_plain > 60

# An excerpt that goes on does not teach that music ends there.
walk("long.mid", 60, 60)
for tokens, _ in rows("long.mid", 200, "--split", "train", "--holes", "0.5", "--chords", "0.5"):
    assert not {"EOS", "CLOSE"} & {kind(t) for t in tokens}

# Chords are said in the share of windows that is asked for, and learnt, but for those around a hole.
said = []
for share in ("0", "0.5", "1"):
    drawn = rows("all", 100, "--split", "train", "--holes", "0", "--chords", share)
    for row in drawn:
        check_row(row)
    said.append(sum(kind(t) == "CHORD" for _, targets in drawn for t in targets if t >= 0))
assert said[0] == 0 and said[2] > 100 and said[2] / 3 <= said[1] <= said[2] * 2 / 3, said
n_said = n_learnt = 0
for row in rows("all", 50, "--split", "train", "--holes", "1", "--chords", "1"):
    for a, b, _ in windows(row):
        names = [kind(t) for t in row[0][a:b]]
        fill = names.index("FILL") if "FILL" in names else None
        for i in range(len(names) - 1) if fill else ():
            if names[i + 1] == "CHORD":
                assert row[1][a + i] == (row[0][a + i + 1] if i >= fill else -1)
                n_learnt += i >= fill
                n_said += i < fill
assert n_said > 30 and n_said / 8 <= n_learnt <= n_said, (n_said, n_learnt)

# Windows are like requests. Three tracks of quarters in six bars: about a third end early, a quarter lacks tracks,
# and a window says that it is not the beginning unless it is.
trio = [[p + i % 5 for i in range(24)] for p in (72, 60, 48)]
write("trio/train/a.mid", trio)
write("trio/valid/b.mid", trio)
seen = [Window(row[0][a:b]) for row in rows("trio", 300, "--split", "train", "--holes", "0", "--chords", "0", length=600)
        for a, b, is_whole in windows(row) if is_whole]
seen = [w for w in seen if w.around]
for w in seen:
    assert len({n[3] for n in w.around}) == 1 and 16 <= w.around[0][3] <= 24 and all(n[0] % 24 == 0 for n in w.around)
    assert {n[1] for n in w.around} <= set(range(w.tracks))
n = len(seen)
assert n > 300
assert n / 4 <= sum(w.around[0][3] < 24 for w in seen) <= n * 5 / 12
assert n / 8 <= sum(len({x[1] for x in w.around}) < 3 for w in seen) <= n / 3
assert n / 5 <= sum(not w.resumes and w.n_bars == 6 for w in seen) <= n / 2
assert n / 3 <= sum(w.resumes for w in seen) <= n * 4 / 5

# In a fifth of the holes whole tracks are missing: one, or all but one, never all.
seen = [Window(row[0][a:b]) for row in rows("trio", 300, "--split", "train", "--holes", "1", "--chords", "0", length=600)
        for a, b, is_whole in windows(row) if is_whole]
missing = [(w, {x[1] for x in w.around}) for w in seen if w.is_hole and w.around and w.positions[0] == 0 and w.positions[1] >= w.n_bars * BAR
           and not w.asked & {x[1] for x in w.around}]
assert len(seen) > 300 and len(seen) / 8 <= len(missing) <= len(seen) / 3, (len(seen), len(missing))
one = sum(len(w.asked) == 1 and len(around) == 2 for w, around in missing)
assert len(missing) / 4 <= one <= len(missing) * 3 / 4
assert len(missing) / 10 <= sum(len(w.asked) == 2 for w, _ in missing) <= len(missing) * 2 / 3
END
