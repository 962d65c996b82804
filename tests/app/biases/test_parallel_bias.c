/* A gap in music that repeats is filled with the parallel passage; other gaps are left
 * alone. The opening of a piece returns at the end of a long take; a phrase begins like an
 * earlier one. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { BAR = 4 * QUARTER };

static struct parallel_bias b;
static int32_t last;   /* token, */
static int last_pitch; /* and pitch that was said */

/* Velocities and positions do not follow a position. */
static void apply(int64_t step, int track)
{
    said.last = last;
    said.pitch = last_pitch;
    if (last == TOKEN_POS) {
        memset(allowed + TOKEN_POS, 0, TOKEN_RADIX);
        memset(allowed + TOKEN_VEL, 0, TOKEN_VELOCITIES);
    }
    parallel_bias_apply(&b, place_at(step, track));
}

/* The most likely token; TOKEN_PAD: all are equal. */
static int32_t likeliest(int quarter, int track, int32_t before, int pitch)
{
    int32_t best = TOKEN_PAD;
    last = before;
    last_pitch = pitch;
    ask(quarter * QUARTER, track);
    for (int32_t i = 0; i < TOKEN_COUNT; i++)
        best = added[i] > added[best] ? i : best;
    return best;
}

/* A pitch of the tune: no two bars of the same sixteen are alike. */
static int tune(int quarter)
{
    return 60 + (quarter * quarter * 7 + quarter * 3) % 23;
}

/* Bars of the tune, which begins again after `period` bars, over a bass that does so, too;
 * but without the notes of `track` in [from, to) quarters. */
static void piece_with_gap(int n_bars, int period, int track, int from, int to)
{
    hand_begin(&h, n_bars);
    for (int i = 0; i < 4 * n_bars; i++)
        for (int t = 0; t < 2; t++)
            if (t != track || i < from || i >= to)
                hand_note(&h, t, i * QUARTER, QUARTER, tune(i % (4 * period)) - 24 * t);
}

TEST(the_notes_of_the_parallel_passage_are_likelier)
{
    piece_with_gap(16, 8, 0, 40, 44);
    b = parallel_bias_of(&h.piece, 10 * BAR, 11 * BAR, 1);
    assert_int_equal(b.by, -8 * BAR);
    for (int i = 40; i < 44; i++) {
        const int pitch = tune(i - 32), position = (i - 40) * QUARTER;
        const struct grid_note n = {.step = i * QUARTER, .pitch = (uint8_t)pitch};
        assert_int_equal(likeliest(40, -1, TOKEN_FILL, -1), TOKEN_POS + position);
        assert_int_equal(likeliest(i, -1, TOKEN_POS, -1), TOKEN_TRACK);
        assert_int_equal(likeliest(i, 0, TOKEN_POS, -1), TOKEN_PITCH + pitch);
        assert_int_equal(likeliest(i, 0, TOKEN_PITCH, pitch), TOKEN_DUR + QUARTER - 1);
        parallel_bias_add(&b, &n);
    }
    assert_int_equal(likeliest(43, 0, TOKEN_DUR, -1), TOKEN_FILL_END);
}

/* Other tracks in the gap tell the passage; music that does not repeat has none, nor have tracks
 * that are silent there. */
TEST(a_gap_has_its_passage)
{
    static const struct {
        int n_bars, period, track, from, to, tracks, by;
    } CASES[] = {{16, 8, 1, 32, 64, 2, -8 * BAR},
                 {12, 16, 0, 20, 24, 1, 0},
                 {16, 8, 1, 0, 64, 2, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const int from = CASES[i].from ? CASES[i].from : 32;
        piece_with_gap(CASES[i].n_bars, CASES[i].period, CASES[i].track, CASES[i].from,
                       CASES[i].to);
        b = parallel_bias_of(&h.piece, from * QUARTER, CASES[i].to * QUARTER,
                             (uint64_t)CASES[i].tracks);
        assert_int_equal(b.to ? b.by : 0, CASES[i].by);
        if (!CASES[i].by)
            assert_int_equal(likeliest(from, 0, TOKEN_POS, -1), TOKEN_PAD);
    }
}

TEST(hits_and_long_notes_return)
{
    hand_begin(&h, 8);
    h.piece.families[1] = FAMILY_DRUMS;
    for (int bar = 0; bar < 8; bar++) {
        hand_note(&h, 2, bar * BAR, BAR, 60 + bar % 4 * 2);
        if (bar == 6)
            continue;
        hand_note(&h, 0, bar * BAR, 2 * BAR, 40 + bar % 4 * 3);
        hand_play(&h, 1, bar * BAR, (bar + 1) * BAR, 0, "1q/1: 36 38");
    }
    b = parallel_bias_of(&h.piece, 6 * BAR, 7 * BAR, 3);
    assert_int_equal(b.by, -4 * BAR);
    assert_int_equal(likeliest(24, 0, TOKEN_PITCH, 46), TOKEN_DURX);
    assert_int_equal(likeliest(24, 0, TOKEN_DURX, 46), TOKEN_DUR + TOKEN_RADIX - 1);
    parallel_bias_add(&b, &(struct grid_note){.step = 6 * BAR, .pitch = 46});
    assert_int_equal(likeliest(24, 1, TOKEN_POS, -1), TOKEN_HIT + 1);
}

/* After eight bars of new music, in whole phrases of eight bars. */
TEST(the_opening_returns_at_the_end_of_a_long_take)
{
    piece_with_gap(12, 12, 0, 0, 0);
    b = parallel_bias_of_return(&h.piece, 12 * BAR, 28 * BAR);
    assert_true(b.from == 20 * BAR && b.to == 28 * BAR && b.by == -20 * BAR);
    assert_int_equal(likeliest(4 * 19, 0, TOKEN_BAR, 60), TOKEN_PAD);
    assert_int_equal(likeliest(4 * 20, 0, TOKEN_POS, 60), TOKEN_PITCH + tune(0));
    assert_int_equal(likeliest(4 * 21 + 1, 0, TOKEN_POS, 60), TOKEN_PITCH + tune(5));
    b.to -= BAR; /* the last bar is free: a close comes in it */
    assert_int_equal(likeliest(4 * 27, 0, TOKEN_BAR, 60), TOKEN_PAD);
    /* a take that is too short, a piece with too little to return, and other meters */
    assert_int_equal(parallel_bias_of_return(&h.piece, 12 * BAR, 27 * BAR).to, 0);
    assert_int_equal(parallel_bias_of_return(&h.piece, 7 * BAR, 40 * BAR).to, 0);
    h.meters[1] = (struct grid_meter){4 * BAR, 3, 4};
    h.piece.n_meters = 2;
    assert_int_equal(parallel_bias_of_return(&h.piece, 12 * BAR, 40 * BAR).to, 0);
}

TEST(a_phrase_begins_like_an_earlier_one)
{
    struct grid_chord chords[] = {
        {.step = 0},
        {.step = 5 * BAR, .root = 5},
        {.step = 12 * BAR},
        {.step = 13 * BAR, .root = 5, .quality = CHORD_MINOR}};
    piece_with_gap(12, 12, 0, 0, 0);
    b = parallel_bias_repeat(&h.piece, 12, 8, 4);
    assert_true(b.from == 12 * BAR && b.to == 16 * BAR && b.by == -8 * BAR);
    assert_int_equal(likeliest(4 * 12, 0, TOKEN_POS, 60), TOKEN_PITCH + tune(16));
    h.piece.chords = chords;
    h.piece.n_chords = 3;
    /* it has the passage's chords, too, and ends where its notes do */
    assert_int_equal(likeliest(4 * 13, -1, TOKEN_POS, -1),
                     TOKEN_CHORD + 5 * CHORD_QUALITIES);
    b.last = (struct grid_note){.step = 16 * BAR - QUARTER, .track = 1, .pitch = 127};
    assert_int_equal(likeliest(4 * 16 - 1, 0, TOKEN_DUR, -1), TOKEN_BAR);
    /* where the harmony returns: of chords that are known, those of bar 5 on are to come again
     * from bar 13 on */
    assert_true(parallel_bias_fits(&b, chords, 4) && parallel_bias_fits(&b, NULL, 0));
    chords[3].root = 7;
    assert_false(parallel_bias_fits(&b, chords, 4));
}
