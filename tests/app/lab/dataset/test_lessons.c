/* Training windows are like the requests: whole tracks are missing, only some tracks are there,
 * notes end early, a window says whether its music begins there. */
#include "tests/check.h"
#include "tests/app/lab/dataset/corpus_folder.h"

enum { BARS = 6, TRACKS = 3, NOTES = 4 * BARS, N_ROWS = 300, ROW = 600 };

/* One piece: three tracks of quarters, an octave apart. */
static int make_trio(void **state)
{
    if (make_own_folder(state))
        return -1;
    auto_score *s = score_of("480 | a: (72q 73 74 75 76)*4 72 73 74 75 | "
                             "b: (60q 61 62 63 64)*4 60 61 62 63 | "
                             "c: (48q 49 50 51 52)*4 48 49 50 51");
    assert_ok(mkdir(in_folder("trio"), 0700));
    assert_ok(mkdir(in_folder("trio/train"), 0700));
    assert_ok(mkdir(in_folder("trio/valid"), 0700));
    assert_ok(smf_save(s, in_folder("trio/train/a.mid")));
    assert_ok(smf_save(s, in_folder("trio/valid/b.mid")));
    return 0;
}

/* Calls `see` with each whole window of rows drawn with this share of holes, and returns their
 * number. */
static int each_window(struct corpus *c, double holes,
                       void (*see)(const int32_t *ids, size_t n, void *to), void *to)
{
    int32_t tokens[ROW], targets[ROW];
    const struct corpus_sequence row = sequence_in(ROW, tokens, targets);
    int n_windows = 0;
    c->shares.holes = holes;
    for (uint64_t step = 0; step < N_ROWS; step++) {
        assert_ok(corpus_draw(c, 1, step, 0, &row));
        for (int from = 0, at = 1; at < ROW; at++) {
            if (tokens[at] != TOKEN_BOS)
                continue;
            see(tokens + from, (size_t)(at - from), to);
            n_windows++;
            from = at;
        }
    }
    return n_windows;
}

struct seen {
    int resumes, begins, fewer, gated, missing, missing_one, missing_some;
};

static void see_plain(const int32_t *ids, size_t n, void *to)
{
    struct seen *seen = to;
    auto_piece p;
    assert_ok(tokens_decode(&p, ids, n));
    if (!p.n_notes)
        return;
    seen->resumes += p.resumes;
    seen->begins += !p.resumes && p.n_bars == BARS;
    seen->fewer += __builtin_popcountll(piece_tracks(&p)) < TRACKS;
    seen->gated += p.notes[0].length < STEPS_PER_QUARTER;
    for (size_t i = 0; i < p.n_notes; i++) {
        assert_int_equal(p.notes[i].length, p.notes[0].length);
        assert_in_range(p.notes[i].length, STEPS_PER_QUARTER * 2 / 3,
                        STEPS_PER_QUARTER);
        assert_int_equal(p.notes[i].step % STEPS_PER_QUARTER, 0);
    }
    /* Those that are there are numbered from 0. */
    const uint64_t tracks = piece_tracks(&p);
    assert_int_equal(tracks & (tracks + 1), 0);
}

/* About a third end early, a quarter of the windows lacks tracks (a few keep all by chance), and a
 * window says that it is not the beginning unless it is. */
TEST(windows_have_gates_and_fewer_tracks)
{
    auto_corpus *c = open_all(NULL);
    struct seen seen = {0};
    const int n = each_window(c, 0, see_plain, &seen);
    assert_true(n > 300);
    assert_in_range(seen.gated, n / 4, n * 5 / 12);
    assert_in_range(seen.fewer, n / 8, n / 3);
    assert_in_range(seen.begins, n / 5,
                    n / 2); /* a quarter, and one bar in six of the rest */
    assert_in_range(seen.resumes, n / 3, n * 4 / 5);
}

static void see_hole(const int32_t *ids, size_t n, void *to)
{
    struct seen *seen = to;
    auto_fill f;
    if (fill_decode(&f, ids, n))
        return; /* a plain one */
    const int32_t end = (int32_t)piece_bar_start(&f.around, f.around.n_bars);
    const uint64_t asked = f.request.tracks, around = piece_tracks(&f.around);
    if (!around || asked & around || f.request.from > 0 || f.request.to < end ||
        f.request.pitch_lo > 0 || f.request.pitch_hi < 127)
        return;
    const int n_asked = __builtin_popcountll(asked),
              n_around = __builtin_popcountll(around);
    seen->missing++;
    seen->missing_one += n_asked == 1 && n_around == 2;
    seen->missing_some += n_asked == 2;
}

/* In a fifth of the holes of music that has several tracks: one, or all but one, never all. */
TEST(whole_tracks_are_missing)
{
    auto_corpus *c = open_all(NULL);
    struct seen seen = {0};
    const int n = each_window(c, 1, see_hole, &seen);
    assert_true(n > 300);
    assert_in_range(seen.missing, n / 8, n / 3);
    assert_in_range(seen.missing_one, seen.missing / 4, seen.missing * 3 / 4);
    assert_in_range(seen.missing_some, seen.missing / 10, seen.missing * 2 / 3);
}

/* The measure takes the tracks in turn, all of their notes, over all bars, and counts only
 * those. */
TEST(a_missing_part_is_measured)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[ROW], targets[ROW];
    const struct corpus_sequence row = sequence_in(ROW, tokens, targets);
    uint64_t tracks = 0;
    for (int i = 0; i < 3; i++) {
        assert_ok(corpus_window(c, CORPUS_VALID, CORPUS_MISSING, i, 3, &row));
        size_t n = 0;
        int n_pitches = 0;
        while (tokens[n] != TOKEN_PAD && tokens[n] != TOKEN_FILL_END)
            n_pitches += token_kind(targets[n++]) == TOKEN_PITCH;
        int32_t ids[ROW + 1];
        memcpy(ids, tokens, n * sizeof *ids);
        ids[n] = TOKEN_FILL_END;
        auto_fill f;
        assert_ok(fill_decode(&f, ids, n + 1));
        assert_int_equal(f.inside.n_notes, n_pitches);
        assert_int_equal(f.inside.n_notes * 2, f.around.n_notes);
        assert_int_equal(targets[n - 1], TOKEN_FILL_END);
        assert_int_equal(piece_tracks(&f.inside), f.request.tracks);
        tracks |= f.request.tracks;
    }
    assert_int_equal(tracks, 7);
}

GROUP(make_trio, remove_own_folder)
