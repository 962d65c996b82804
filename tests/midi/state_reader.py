"""The musical state of score tokens, written from models/FORMAT.md. Reads lines of token
ids, each line a sequence, and writes for each token a line of its rows."""
import sys

FIRST = {
    "BOS": 1, "EOS": 2, "BAR": 3, "STYLE": 4, "NUM": 20, "DEN": 84, "POS": 92, "POSX": 188,
    "TRACK": 251, "FAMILY": 315, "VEL": 332, "PITCH": 364, "DUR": 492, "DURX": 588,
    "HIT": 651, "CHORD": 698, "BASS": 819, "HOLE": 831, "RESUME": 832, "FILL": 833,
    "ASK": 834, "FILL_END": 881,
}


def kind_and_value(token):
    name = max((n for n in FIRST if FIRST[n] <= token), key=FIRST.get)
    return name, token - FIRST[name]


class Time:
    """Bars and the time of each token."""

    def __init__(self):
        self.starts, self.length, self.numerator = [], None, None
        self.bar = self.now = self.far = 0
        self.cut = None  # the place of a POS directly before
        self.stage = "bars"  # from, to, turn, hole
        self.index = 0
        self.source = self.target = None  # from and to

    def end(self):
        return self.starts[-1] + (self.length or 0)

    def line(self, index):
        """Of the bar, also past the last."""
        if index < len(self.starts):
            return self.starts[index]
        return self.end() + (index - len(self.starts)) * self.length

    def enter(self):
        self.stage = "hole"
        self.index = 0
        while self.line(self.index + 1) <= self.source:
            self.index += 1
        self.bar, self.now = self.line(self.index), self.source

    def feed(self, name, value):
        if self.stage == "turn":
            self.enter()
        if name == "BAR" and self.stage == "hole":
            self.index += 1
            self.bar = self.now = self.line(self.index)
        elif name == "BAR":
            line = self.cut if self.cut is not None else self.end() if self.starts else 0
            self.starts.append(line)
            self.bar = self.now = line
        elif name == "NUM":
            self.numerator = value + 1
        elif name == "DEN":
            bottom = 1 << value
            self.length = max(1, (2 * 96 * self.numerator + bottom) // (2 * bottom))
        elif name == "POSX":
            self.far = 96 * (value + 1)
        elif name == "POS":
            self.place(self.far + value)
            self.far = 0
        elif name in ("HOLE", "RESUME") and self.starts and self.cut is None:
            self.now = self.end()
        elif name == "FILL":
            self.stage = "from"
        self.cut = self.now if name == "POS" else None

    def place(self, steps):
        if self.stage == "from":
            self.source = self.now = steps
            self.stage = "to"
        elif self.stage == "to":
            self.target = self.now = steps
            self.stage = "turn"
        else:
            self.now = self.bar + steps

    def bar_length(self):
        if self.stage == "hole":
            return self.line(self.index + 1) - self.line(self.index)
        return self.length


def latest(items, now):
    """(step, ...) that begins last, now or before; of several the last in the list."""
    best = None
    for item in items:
        if item[0] <= now and (best is None or item[0] >= best[0]):
            best = item
    return best


class State:
    def __init__(self):
        self.time = Time()
        self.notes, self.chords = [], []  # (step, end, track, key, velocity), (step, symbol, bass)
        self.track = None
        self.families, self.said = {}, {}
        self.pitch, self.length = None, 0

    def last(self):
        return latest([n for n in self.notes[-1024:] if n[2] == self.track], self.time.now)

    def velocity(self):
        last = self.last()
        return self.said.get(self.track, last[4] if last else None)

    def tell(self, key, length):
        now = self.time.now
        self.notes.append((now, now + length, self.track, key, self.velocity()))

    def feed(self, token):
        name, value = kind_and_value(token)
        if name == "BOS":
            self.__init__()
        self.time.feed(name, value)
        if name == "FILL":
            self.said = {}
        elif name == "TRACK":
            self.track = value
        elif name == "FAMILY":
            self.families[self.track] = value
        elif name == "VEL":
            self.said[self.track] = value
        elif name == "PITCH":
            self.pitch, self.length = value, 0
        elif name == "DURX":
            self.length += 96 * (value + 1)
        elif name == "DUR":
            self.tell(self.pitch, self.length + value + 1)
        elif name == "HIT":
            self.tell(128 + value, 1)
        elif name == "CHORD":
            self.chords.append((self.time.now, value, value // 10 if value < 120 else None))
        elif name == "BASS":
            self.chords[-1] = self.chords[-1][:2] + (value,)

    def rows(self):
        """In the order of the page's table."""
        t, last = self.time, self.last()
        placed = bool(t.starts) and t.stage in ("bars", "hole")
        length = t.bar_length() if placed else None
        chord = latest(self.chords[-256:], t.now)
        left = max(0, t.target - t.now) // 24 if t.stage == "hole" else None
        table = [
            (0, t.now - t.bar if placed else None, 191),
            (193, (length + 6) // 12 if length else None, 31),
            (226, self.track, 63),
            (291, self.families.get(self.track), 16),
            (309, self.velocity(), 31),
            (342, last[3] if last else None, 174),
            (518, last[1] - last[0] - 1 if last else None, 96),
            (616, chord[1] if chord else None, 120),
            (738, chord[2] if chord else None, 11),
            (751, left, 16),
        ]
        rows = [first + (most + 1 if v is None else min(v, most)) for first, v, most in table]
        sounding = {n[3] for n in self.notes[-1024:] if n[0] <= t.now < n[1] and n[3] < 128}
        return rows + [769 + pitch for pitch in sorted(sounding)[:22]]


def main():
    for line in sys.stdin:
        state = State()
        for token in line.split():
            state.feed(int(token))
            print(*state.rows())


main()
