#!/usr/bin/env python3
"""How takes that should close end, beside the pieces they are taken from.

close.py BIN DATA [--pieces N] [--bars N] [--takes N] [--seed S] [--kinds chorale,song,band]
    of each kind N (10) pieces of DATA/CORPUS/valid lose their last N (4) bars, and `continue --close` writes as many.
close.py file BARS CUT.mid WHOLE.mid TAKE.mid...
    judges takes that were made elsewhere.

BIN may carry a setting before and options after it, as in exam.py. Pieces that do not end on a triad over its root
say nothing of a tonic and are left out. A line is: kind, piece, take, and for each of these 1 or 0:
    tonic      the lowest note that sounds at the end has the pitch class of the piece's own last bass
    dominant   the bass before it that is neither the tonic nor its third is V or VII, or has both above it; of a tune,
               one of V7
    whole      each pitched track that plays in the last eight given bars sounds in the last bar that sounds
    all        all of them
The last lines are shares by kind. One generation runs at a time."""

import os, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import smf
from exam import Song, program, take

KINDS = {
    "chorale": ["jsb-chorales", "open-hymnal"],
    "song": ["openscore-lieder", "season-songs", "polish-scores"],
    "band": ["arranged-pop", "arranged-rock", "arranged-folk", "arranged-jazz", "arranged-blues"],
}


def number(x):
    b = [x & 127]
    while x > 127:
        x >>= 7
        b.append(x & 127 | 128)
    return bytes(reversed(b))


def cut(src, out, tick):
    """The music before the tick; notes that sound there end there."""
    _, div, tracks = smf.read(src)
    chunks = []
    for track in tracks:
        body, last, sounding = b"", 0, {}
        for t, e in track:
            if t >= tick and not (t == tick and e[0] >> 4 == 8):
                break
            if e[:2] == b"\xff\x2f":
                break
            if e[0] == 0xFF or e[0] in (0xF0, 0xF7):
                n = e[1:2] if e[0] == 0xFF else b""
                e = e[:1] + n + number(len(e) - 1 - len(n)) + e[1 + len(n) :]
            elif e[0] >> 4 == 9 and e[2]:
                sounding[e[0] & 15, e[1]] = 1
            elif e[0] >> 4 in (8, 9):
                sounding.pop((e[0] & 15, e[1]), 0)
            body += number(t - last) + e
            last = t
        for c, p in sounding:
            body += number(tick - last) + bytes([0x80 | c, p, 64])
            last = tick
        body += number(max(tick - last, 0)) + b"\xff\x2f\x00"
        chunks.append(b"MTrk" + struct.pack(">I", len(body)) + body)
    with open(out, "wb") as f:
        f.write(b"MThd" + struct.pack(">IHHH", 6, 1, len(chunks), div) + b"".join(chunks))


def pitched(song, f=0, t=1 << 40):
    """Notes by track, of those that begin in [f, t)."""
    return {
        (q[0], q[2]): [n for n in q[4] if f <= n[0] < t]
        for q in song.parts
        if q[2] != 9 and any(f <= n[0] < t for n in q[4])
    }


def last_chord(notes, slack):
    """(when its bass begins, the bass's pitch class, all pitch classes) of what sounds at the end."""
    end = max(n[1] for n in notes)
    at = max(n[0] for n in notes)
    here = [n for n in notes if n[0] == at or n[1] > min(at + slack, end - 1)]
    held = [n for n in here if n[1] >= end - slack] or here
    low = min(held, key=lambda n: n[2])
    return low[0], low[2] % 12, {n[2] % 12 for n in held}


def tonic_of(song):
    """The pitch class that the piece ends on; None if that is no triad over its root."""
    notes = [n for v in pitched(song).values() for n in v]
    if not notes:
        return None
    _, low, classes = last_chord(notes, song.div // 8)
    return low if classes <= {low, (low + 3) % 12, (low + 4) % 12, (low + 7) % 12} else None


def judge(given, tick, tonic, path):
    """(tonic, dominant, whole) of one take that begins at the tick."""
    out = Song(path)
    new = pitched(out, tick)
    notes = sorted(n for v in new.values() for n in v)
    if not notes:
        return 0, 0, 0
    slack = out.div // 8
    since, low, _ = last_chord(notes, slack)
    # the basses before the last one, the newest first; the tonic and its third may lie between
    is_low = lambda n: not any(m[2] < n[2] and m[0] <= n[0] and m[1] > n[0] for m in notes)
    lows = [n for n in reversed(notes) if n[0] < since - slack and is_low(n)]
    lows = [n for n in lows if (n[2] - tonic) % 12 not in (0, 3, 4)]
    dominant = False
    if lows and lows[0][0] >= since - 2 * out.bar:
        bass = lows[0]
        with_it = {n[2] % 12 for n in notes if n[0] < bass[1] - slack and n[1] > bass[0] + slack}
        dominant = (bass[2] - tonic) % 12 in (7, 11) or (
            {(tonic + 11) % 12, (tonic + 7) % 12} <= with_it
            if len(new) > 1
            else (bass[2] - tonic) % 12 in (2, 5)
        )
    end = max(n[1] for n in notes)
    bar = (end - 1 - slack) // out.bar * out.bar
    plays = [k for k, v in pitched(given, tick - 8 * given.bar).items() if v]
    whole = all(any(n[1] > bar + slack for n in new.get(k, [])) for k in plays)
    return int(low == tonic), int(dominant), int(whole)


def pieces(data, kind, n, bars, tmp):
    """[(name, cut, song of it, tick, tonic)]; every so many of the corpora in turn."""
    found = []
    lists = []
    for c in KINDS[kind]:
        d = os.path.join(data, c, "valid")
        if os.path.isdir(d):
            lists.append(sorted(os.path.join(d, x) for x in os.listdir(d) if x.endswith(".mid")))
    k = 0
    while len(found) < n and any(lists):
        of = lists[k % len(lists)]
        k += 1
        if not of:
            continue
        path = of.pop(len(of) * 2 // 5)
        try:
            song = Song(path)
        except Exception:
            continue
        tonic = tonic_of(song)
        tick = (song.bars() - bars) * song.bar
        if tonic is None or len(song.meters) > 1 or song.bars() < 3 * bars:
            continue
        if kind == "song" and len(pitched(song)) < 2:
            continue
        out = os.path.join(tmp, os.path.basename(path))
        cut(path, out, tick)
        given = Song(out)
        if pitched(given):
            found.append((os.path.basename(path), out, given, tick, tonic))
    return found


def main(a):
    if len(a) < 2 or a[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    if a[0] == "file":
        whole, given = Song(a[3]), Song(a[2])
        tick = (whole.bars() - int(a[1])) * whole.bar
        for path in a[4:]:
            print(path, *judge(given, tick, tonic_of(whole), path))
        return 0
    n, bars = int(take(a, "--pieces", 10)), int(take(a, "--bars", 4))
    takes, seed = int(take(a, "--takes", 1)), take(a, "--seed", "1")
    kinds = take(a, "--kinds", ",".join(KINDS)).split(",")
    keep = take(a, "--keep", "")
    words, env = program(a[0])
    tmp = keep or tempfile.mkdtemp()
    os.makedirs(tmp, exist_ok=True)
    for kind in kinds:
        sums, n_takes = [0] * 4, 0
        for name, src, given, tick, tonic in pieces(a[1], kind, n, bars, tmp):
            out = os.path.join(tmp, "take-" + name)
            p = subprocess.run(
                words[:1]
                + ["continue", src, "-o", out, "--bars", str(bars), "--close", "--seed", seed]
                + ["--takes", str(takes), "--draws", str(takes)]
                + words[1:],
                env=env,
                capture_output=True,
                text=True,
            )
            if p.returncode:
                print(kind, name, p.stderr.strip()[-120:], file=sys.stderr)
                continue
            for i in range(takes):
                path = out if takes == 1 else f"{out[:-4]}-{i + 1}.mid"
                got = judge(given, tick, tonic, path)
                got += (int(all(got)),)
                print(kind, name, i + 1, *got, sep="\t", flush=True)
                sums = [x + y for x, y in zip(sums, got)]
                n_takes += 1
        shares = [f"{x / n_takes:.2f}" for x in sums] if n_takes else ["-"] * 4
        print(f"{kind}: {n_takes} takes; tonic, dominant, whole, all:", *shares, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
