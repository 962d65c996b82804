"""Standard MIDI Files for the scripts beside this one; independent of the program, so that it can check it.

smf.py notes FILE            one line a note: track start end channel pitch velocity (ticks)
smf.py events FILE           one line an event: track tick hex-bytes (running status expanded)
smf.py same A B              exit 0 when both hold the same events, track by track
smf.py prefix A B            exit 0 when every event of A but its end-of-track stands in B, in order
smf.py hole A B F T LO HI TRACKS   exit 0 when A and B differ only in notes starting in [F,T) ticks, pitch LO..HI, TRACKS (0-based, comma)
"""

import struct, sys


def read(path):
    b = open(path, "rb").read()
    if b[:4] == b"RIFF":
        b = b[20:]
    assert b[:4] == b"MThd", "no header"
    hl, fmt, ntr, div = struct.unpack(">IHHH", b[4:14])
    p, tracks = 8 + hl, []
    while p + 8 <= len(b):
        kind, ln = b[p : p + 4], struct.unpack(">I", b[p + 4 : p + 8])[0]
        body = b[p + 8 : p + 8 + ln]
        p += 8 + ln
        if kind == b"MTrk":
            tracks.append(track(body))
    return fmt, div, tracks


def vlq(b, i):
    v = 0
    while True:
        c = b[i]
        i += 1
        v = v << 7 | c & 127
        if c < 128:
            return v, i


def track(b):
    i, t, st, out = 0, 0, 0, []
    try:
        while i < len(b):
            d, i = vlq(b, i)
            t += d
            c = b[i]
            if c == 0xFF:
                n, j = vlq(b, i + 2)
                out.append((t, bytes([0xFF, b[i + 1]]) + b[j : j + n]))
                i = j + n
                if out[-1][1][1] == 0x2F:
                    break
            elif c in (0xF0, 0xF7):
                n, j = vlq(b, i + 1)
                out.append((t, bytes([c]) + b[j : j + n]))
                i = j + n
            else:
                if c >= 128:
                    st = c
                    i += 1
                n = 1 if st >> 4 in (12, 13) else 2
                out.append((t, bytes([st]) + b[i : i + n]))
                i += n
    except IndexError:
        pass
    return out


def track_notes(events):
    """[(start, end, channel, pitch, velocity)]; what never ends does so with the track."""
    out, open_ = [], {}
    for tick, e in events:
        kind, key = e[0] >> 4, (e[0] & 15, *e[1:2])
        if kind == 9 and e[2]:
            open_.setdefault(key, []).append((tick, e[2]))
        elif kind in (8, 9) and open_.get(key):
            start, velocity = open_[key].pop(0)
            out.append((start, tick, *key, velocity))
    last = events[-1][0] if events else 0
    for key, waiting in open_.items():
        out += [(start, last, *key, velocity) for start, velocity in waiting]
    return out


def notes(path):
    """(ticks a quarter, [(track, start, end, channel, pitch, velocity)])"""
    _, div, tracks = read(path)
    return div, sorted((k, *n) for k, events in enumerate(tracks) for n in track_notes(events))


class Song:
    """The first tempo, meter and key, chords (text events), and parts: [chunk, name, channel, program,
    notes (start, end, pitch, velocity)], also parts without notes but with a program."""

    def __init__(self, path):
        _, self.div, tracks = read(path)
        self.tempo, self.meters, self.key, self.chords = 120.0, [], None, []
        self.title, self.parts = "", []
        for k, events in enumerate(tracks):
            self.add_chunk(k, events)
        self.meters = sorted(self.meters) or [(0, 4, 4)]
        _, self.num, self.den = self.meters[0]
        self.unit = self.div * 4 / self.den
        self.bar = int(self.unit * self.num)
        self.key = self.key or (0, 0)

    def add_chunk(self, k, events):
        name, programs = "", {}
        for tick, e in events:
            kind, data = e[:2], e[2:]
            if kind == b"\xff\x03" and not name:
                name = data.decode("utf8", "replace")
            elif kind == b"\xff\x51" and tick == 0:
                self.tempo = 60e6 / int.from_bytes(data, "big")
            elif kind == b"\xff\x58":
                self.meters.append((tick, data[0], 1 << data[1]))
            elif kind == b"\xff\x59" and not self.key:
                self.key = (struct.unpack("b", data[:1])[0], data[1])
            elif kind == b"\xff\x01":
                self.chords.append((tick, data.decode("utf8", "replace")))
            elif e[0] >> 4 == 12:
                programs.setdefault(e[0] & 15, e[1])
        by_channel = {}
        for start, end, channel, pitch, velocity in track_notes(events):
            by_channel.setdefault(channel, []).append((start, end, pitch, velocity))
        for channel in sorted(set(by_channel) | set(programs)):
            self.parts.append([k, name or f"Track {k}", channel, programs.get(channel, 0),
                               sorted(by_channel.get(channel, []))])
        if not programs and not by_channel and k == 0:
            self.title = name

    def bars(self):
        end = max([n[1] - self.div // 16 for q in self.parts for n in q[4]] or [0])
        return max(-(-end // self.bar), 0)

def bar_starts(div, tracks):
    """The ticks at which bars begin, up to the last event."""
    end = max((t[-1][0] for t in tracks if t), default=0)
    meters = sorted((tick, e[2], e[3]) for t in tracks for tick, e in t if e[:2] == b"\xff\x58" and len(e) > 3)
    if not meters or meters[0][0] > 0:
        meters.insert(0, (0, 4, 2))
    starts, at, i = [], 0, 0
    while at < end and len(starts) < 4000:
        while i + 1 < len(meters) and meters[i + 1][0] <= at:
            i += 1
        starts.append(at)
        at += max(1, meters[i][1] * 4 * div // (1 << meters[i][2]))
        if i + 1 < len(meters) and meters[i + 1][0] < at:
            at = meters[i + 1][0]
    return starts


def cut(tracks, first, end):
    """The events of [first, end) from tick 0 on, with the state before them; notes end at the end."""
    out = []
    for t in tracks:
        state, kept = {}, []
        for tick, e in t:
            is_meta, kind = e[0] == 0xFF, e[0] >> 4
            if is_meta and e[1] in (0x51, 0x58, 0x59) or kind == 12:
                if tick < first:
                    state[e[:2] if is_meta else e[:1]] = e
                elif tick < end:
                    kept.append((tick - first, e))
            elif is_meta and e[1] == 3:
                state[e[:2]] = e
        for start, stop, channel, pitch, velocity in track_notes(t):
            if first <= start < end:
                kept.append((start - first, bytes([0x90 | channel, pitch, velocity])))
                kept.append((max(min(stop, end), start + 1) - first, bytes([0x80 | channel, pitch, 64])))
        out.append([(0, e) for e in state.values()] + kept + [(end - first, b"\xff\x2f")])
    return out


def write_vlq(n):
    out = bytes([n & 127])
    while n > 127:
        n >>= 7
        out = bytes([n & 127 | 128]) + out
    return out


def write(path, div, tracks):
    """Of one tick other events come first, then ends of notes, then notes; the end of a track is last."""
    order = lambda x: (x[0], x[1][:2] == b"\xff\x2f", {8: 1, 9: 2}.get(x[1][0] >> 4, 0))
    chunks = b""
    for t in tracks:
        last, body = 0, b""
        for tick, e in sorted(t, key=order):
            size = write_vlq(len(e) - 2) if e[0] == 0xFF else write_vlq(len(e) - 1) if e[0] >= 0xF0 else b""
            split = 2 if e[0] == 0xFF else 1
            body += write_vlq(tick - last) + e[:split] + size + e[split:]
            last = tick
        if not t or not any(e[:2] == b"\xff\x2f" for _, e in t):
            body += b"\0\xff\x2f\0"
        chunks += b"MTrk" + struct.pack(">I", len(body)) + body
    with open(path, "wb") as f:
        f.write(b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), div) + chunks)


def main(a):
    if a[0] == "notes":
        div, n = notes(a[1])
        print("# division", div)
        for x in n:
            print(*x)
    elif a[0] == "events":
        for k, ev in enumerate(read(a[1])[2]):
            for t, e in ev:
                print(k, t, e.hex())
    elif a[0] == "same":
        A, B = read(a[1]), read(a[2])
        if A != B:
            for k, (x, y) in enumerate(zip(A[2], B[2])):
                for u, w in zip(x, y):
                    if u != w:
                        print("track", k, "tick", u[0], u[1].hex(), "->", w[0], w[1].hex())
                        break
            print("differ:", A[:2], B[:2], [len(x) for x in A[2]], [len(x) for x in B[2]])
            return 1
    elif a[0] == "prefix":
        A, B = read(a[1]), read(a[2])
        for k, ev in enumerate(A[2]):
            it = iter(B[2][k]) if k < len(B[2]) else iter(())
            for x in ev:
                if x[1][:2] == b"\xff\x2f":
                    continue
                if not any(x == y for y in it):
                    print("track", k, "tick", x[0], x[1].hex(), "is gone")
                    return 1
        print("notes", len(notes(a[1])[1]), "->", len(notes(a[2])[1]))
        if len(notes(a[2])[1]) <= len(notes(a[1])[1]):
            print("no notes added")
            return 1
    elif a[0] == "hole":
        f, t, lo, hi = map(int, a[3:7])
        trs = set(map(int, a[7].split(",")))
        inside = lambda n: f <= n[1] < t and lo <= n[4] <= hi and n[0] in trs
        A, B = notes(a[1])[1], notes(a[2])[1]
        out = lambda L: [n for n in L if not inside(n)]
        if out(A) != out(B):
            print("outside changed:", list(set(out(A)) ^ set(out(B)))[:5])
            return 1
        ins = [n for n in B if inside(n)]
        late = [n for n in ins if n[2] > t]
        if late:
            print("past the end:", late[:3])
            return 1
        over = 0
        for n in ins:
            over += any(
                m is not n and m[0] == n[0] and m[4] == n[4] and m[1] < n[2] and n[1] < m[2]
                for m in B
            )
        if over:
            print(over, "overlaps")
            return 1
        print("inside", len(ins))
        return 0 if ins else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
