"""Independent Standard MIDI File reader, for checking.

smf.py notes FILE            one line a note: track start end channel pitch velocity (ticks)
smf.py events FILE           one line an event: track tick hex-bytes (running status expanded)
smf.py same A B              exit 0 when both hold the same events, track by track
smf.py prefix A B            exit 0 when every event of A but its end-of-track stands in B, in order
smf.py hole A B F T LO HI TRACKS   exit 0 when A and B differ only in notes starting in [F,T) ticks, pitch LO..HI, TRACKS (0-based, comma)
smf.py make FILE             write a small two-track test score
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


def notes(path):
    _, div, tracks = read(path)
    out = []
    for k, ev in enumerate(tracks):
        open_ = {}
        last = ev[-1][0] if ev else 0
        for t, e in ev:
            s = e[0] >> 4
            if s == 9 and e[2]:
                open_.setdefault((e[0] & 15, e[1]), []).append((t, e[2]))
            elif s == 8 or s == 9:
                q = open_.get((e[0] & 15, e[1]))
                if q:
                    a, v = q.pop(0)
                    out.append((k, a, t, e[0] & 15, e[1], v))
        for (c, p), q in open_.items():
            out += [(k, a, last, c, p, v) for a, v in q]
    return div, sorted(out)


def make(path):
    def v(n):
        o = [n & 127]
        n >>= 7
        while n:
            o.insert(0, 128 | n & 127)
            n >>= 7
        return bytes(o)

    def trk(ev):
        o, t = b"", 0
        for a, e in sorted(ev, key=lambda x: x[0]):
            o += v(a - t) + e
            t = a
        o += b"\0\xff\x2f\0"
        return b"MTrk" + struct.pack(">I", len(o)) + o

    t0 = [
        (0, b"\xff\x03\x07Melody\x01"),
        (0, b"\xff\x51\x03\x07\xa1\x20"),
        (0, b"\xff\x58\x04\x04\x02\x18\x08"),
        (0, b"\xc0\x00"),
        (0, b"\xb0\x07\x64"),
        (960, b"\xe0\x00\x50"),
        (1000, b"\xf0\x04\x7e\x7f\x09\xf7"),
        (1440, b"\xff\x05\x02la"),
    ]
    for i, p in enumerate([60, 62, 64, 65, 67, 65, 64, 62, 60, 64, 67, 72, 71, 67, 62, 60]):
        t0 += [(i * 480, bytes([0x90, p, 80])), (i * 480 + 470, bytes([0x80, p, 40]))]
    t1 = [(0, b"\xff\x03\x04Bass"), (0, b"\xc1\x00")]
    for i, p in enumerate([48, 43, 48, 43, 45, 40, 43, 48]):
        t1 += [(i * 960, bytes([0x91, p, 70])), (i * 960 + 940, bytes([0x81, p, 0]))]
    open(path, "wb").write(b"MThd" + struct.pack(">IHHH", 6, 1, 2, 480) + trk(t0) + trk(t1))


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
    elif a[0] == "make":
        make(a[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
