/* A gap in music that repeats is filled with the parallel passage; other gaps are left
 * alone. The opening of a piece returns at the end of a long take; a phrase may begin like an earlier
 * one. */
#include "tests/check.h"
#include "app/biases/parallel_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

#include <string.h>

enum { BAR = 4 * QUARTER };

/* A pitch of the tune: no two bars of the same sixteen are alike. */
static int tune(int quarter)
{
    return 60 + (quarter * quarter * 7 + quarter * 3) % 23;
}

/* Bars of the tune, which begins again after `period` bars, over a bass that does so, too;
 * but without the notes of `track` in [from, to) quarters. */
static struct hand_piece *piece_with_gap(int n_bars, int period, int track, int from,
                                         int to)
{
    static struct hand_piece h;
    hand_begin(&h, n_bars);
    for (int i = 0; i < 4 * n_bars; i++)
        for (int t = 0; t < 2; t++)
            if (t != track || i < from || i >= to)
                hand_note(&h, t, i * QUARTER, QUARTER, tune(i % (4 * period)) - 24 * t);
    return &h;
}

/* The most likely token; TOKEN_PAD: all are equal. Velocities and positions do not follow a
 * position. pitch: the last one that was said. */
static int32_t likeliest(const struct parallel_bias *b, const struct piece *p,
                         int quarter, int track, int32_t last, int pitch)
{
    static uint8_t allowed[TOKEN_COUNT];
    float logits[TOKEN_COUNT] = {0};
    int32_t best = TOKEN_PAD;
    const int64_t bar = quarter / 4 * BAR;
    memset(allowed, 1, sizeof allowed);
    memset(allowed + TOKEN_POS, token_kind(last) != TOKEN_POS, TOKEN_RADIX);
    memset(allowed + TOKEN_VEL, token_kind(last) != TOKEN_POS, TOKEN_VELOCITIES);
    parallel_bias_apply(b, p,
                        &(struct parallel_position){.step = quarter * QUARTER,
                                                    .bar = bar,
                                                    .next_bar = bar + BAR,
                                                    .track = track,
                                                    .last = last,
                                                    .pitch = pitch},
                        allowed, logits);
    for (int32_t i = 0; i < TOKEN_COUNT; i++)
        best = logits[i] > logits[best] ? i : best;
    return best;
}

TEST(the_notes_of_the_parallel_passage_are_likelier)
{
    const struct hand_piece *h = piece_with_gap(16, 8, 0, 40, 44);
    struct parallel_bias b = parallel_bias_of(&h->piece, 10 * BAR, 11 * BAR, 1);
    assert_int_equal(b.by, -8 * BAR);
    for (int i = 40; i < 44; i++) {
        const int pitch = tune(i - 32), position = (i - 40) * QUARTER;
        const struct grid_note n = {.step = i * QUARTER, .pitch = (uint8_t)pitch};
        assert_int_equal(likeliest(&b, &h->piece, 40, -1, TOKEN_FILL, -1),
                         TOKEN_POS + position);
        assert_int_equal(likeliest(&b, &h->piece, i, -1, TOKEN_POS, -1), TOKEN_TRACK);
        assert_int_equal(likeliest(&b, &h->piece, i, 0, TOKEN_POS, -1),
                         TOKEN_PITCH + pitch);
        assert_int_equal(likeliest(&b, &h->piece, i, 0, TOKEN_PITCH, pitch),
                         TOKEN_DUR + QUARTER - 1);
        parallel_bias_add(&b, &n);
    }
    assert_int_equal(likeliest(&b, &h->piece, 43, 0, TOKEN_DUR, -1), TOKEN_FILL_END);
}

TEST(other_tracks_in_the_gap_tell_the_passage)
{
    const struct hand_piece *h = piece_with_gap(16, 8, 1, 32, 64);
    const struct parallel_bias b = parallel_bias_of(&h->piece, 8 * BAR, 16 * BAR, 2);
    assert_int_equal(b.by, -8 * BAR);
}

TEST(music_that_does_not_repeat_has_no_passage)
{
    const struct hand_piece *h = piece_with_gap(12, 16, 0, 20, 24);
    const struct parallel_bias b = parallel_bias_of(&h->piece, 5 * BAR, 6 * BAR, 1);
    assert_int_equal(b.to, 0);
    assert_int_equal(likeliest(&b, &h->piece, 20, 0, TOKEN_POS, -1), TOKEN_PAD);
}

TEST(tracks_that_are_silent_in_the_passage_have_none)
{
    const struct hand_piece *h = piece_with_gap(16, 8, 1, 0, 64);
    const struct parallel_bias b = parallel_bias_of(&h->piece, 8 * BAR, 16 * BAR, 2);
    assert_int_equal(b.to, 0);
}

TEST(hits_and_long_notes_return)
{
    static struct hand_piece h;
    hand_begin(&h, 8);
    h.piece.families[1] = FAMILY_DRUMS;
    for (int bar = 0; bar < 8; bar++) {
        hand_note(&h, 2, bar * BAR, BAR, 60 + bar % 4 * 2);
        if (bar != 6)
            hand_note(&h, 0, bar * BAR, 2 * BAR, 40 + bar % 4 * 3);
        for (int i = 0; i < 4 && bar != 6; i++)
            hand_note(&h, 1, bar * BAR + i * QUARTER, 1, 36 + 2 * (i % 2));
    }
    struct parallel_bias b = parallel_bias_of(&h.piece, 6 * BAR, 7 * BAR, 3);
    assert_int_equal(b.by, -4 * BAR);
    assert_int_equal(likeliest(&b, &h.piece, 24, 0, TOKEN_PITCH, 46), TOKEN_DURX);
    assert_int_equal(likeliest(&b, &h.piece, 24, 0, TOKEN_DURX, 46),
                     TOKEN_DUR + TOKEN_RADIX - 1);
    parallel_bias_add(&b, &(struct grid_note){.step = 6 * BAR, .pitch = 46});
    assert_int_equal(likeliest(&b, &h.piece, 24, 1, TOKEN_POS, -1), TOKEN_HIT + 1);
}

/* After eight bars of new music, in whole phrases of eight bars. */
TEST(the_opening_returns_at_the_end_of_a_long_take)
{
    const struct hand_piece *h = piece_with_gap(12, 12, 0, 0, 0);
    struct parallel_bias b = parallel_bias_of_return(&h->piece, 12 * BAR, 28 * BAR);
    assert_true(b.from == 20 * BAR && b.to == 28 * BAR && b.by == -20 * BAR);
    assert_int_equal(likeliest(&b, &h->piece, 4 * 19, 0, TOKEN_BAR, 60), TOKEN_PAD);
    assert_int_equal(likeliest(&b, &h->piece, 4 * 20, 0, TOKEN_POS, 60),
                     TOKEN_PITCH + tune(0));
    assert_int_equal(likeliest(&b, &h->piece, 4 * 21 + 1, 0, TOKEN_POS, 60),
                     TOKEN_PITCH + tune(5));
    b.to -= BAR; /* the last bar is free: a close comes in it */
    assert_int_equal(likeliest(&b, &h->piece, 4 * 27, 0, TOKEN_BAR, 60), TOKEN_PAD);
    b = parallel_bias_of_return(&h->piece, 12 * BAR, 27 * BAR); /* too short, */
    assert_true(b.to == 0);
    b = parallel_bias_of_return(&h->piece, 7 * BAR,
                                40 * BAR); /* too little to return, */
    assert_true(b.to == 0);
    struct hand_piece other = *h; /* and other meters */
    other.piece.meters = other.meters;
    other.meters[1] = (struct grid_meter){4 * BAR, 3, 4};
    other.piece.n_meters = 2;
    b = parallel_bias_of_return(&other.piece, 12 * BAR, 40 * BAR);
    assert_true(b.to == 0);
}

/* Eight bars over C, and eight over C again, over chords that are heard in G but are of C, too, or over
 * the dominant of A flat. */
TEST(the_opening_is_due_after_another_key)
{
    static const int CHORDS[3][4][3] = {{{0, 4, 7}, {5, 9, 0}, {7, 11, 2}, {0, 4, 7}},
                                        {{7, 11, 2}, {4, 7, 11}, {9, 0, 4}, {7, 11, 2}},
                                        {{3, 7, 10}, {8, 0, 3}, {3, 7, 1}, {8, 0, 3}}};
    for (int second = 0; second < 3; second++) {
        const bool modulates = second == 2;
        struct hand_piece h;
        hand_begin(&h, 17);
        for (int i = 0; i < 64; i++)
            for (int k = 0; k < 3; k++)
                hand_note(&h, k, i * QUARTER, QUARTER,
                          60 + CHORDS[i >= 32 ? second : 0][i / 4 % 4][k]);
        struct parallel_bias b = parallel_bias_of_home(&h.piece, 16 * BAR, 26 * BAR);
        assert_int_equal(b.to, modulates ? 24 * BAR : 0);
        assert_int_equal(parallel_bias_returns(&b, 16 * BAR), modulates);
        assert_false(parallel_bias_returns(&b, 24 * BAR));
        if (modulates)
            assert_int_equal(likeliest(&b, &h.piece, 4 * 17, 0, TOKEN_POS, 60),
                             TOKEN_PITCH + 65);
        b = parallel_bias_of_home(&h.piece, 16 * BAR, 20 * BAR); /* a short take */
        assert_int_equal(b.to, 0);
        b = parallel_bias_of_home(&h.piece, 12 * BAR, 24 * BAR); /* no phrase ends */
        assert_int_equal(b.to, 0);
    }
}

TEST(a_phrase_may_begin_like_an_earlier_one)
{
    const struct hand_piece *h = piece_with_gap(12, 12, 0, 0, 0);
    const struct piece *p = &h->piece;
    int n_bars = 0;
    for (int i = 0; i < PARALLEL_CHANCES; i++) {
        const struct parallel_bias b = parallel_bias_of_phrase(p, 12 * BAR, 0, i);
        n_bars += (int)((b.to - b.from) / BAR);
        assert_true(b.to == 0 || (b.from == 12 * BAR && b.by >= -12 * BAR && b.by < 0));
        assert_int_equal(parallel_bias_of_phrase(p, 0, 0, i).to,
                         0); /* nothing before */
    }
    assert_in_range(n_bars, PARALLEL_CHANCES, 3 * PARALLEL_CHANCES); /* of four */
    const struct parallel_bias b = parallel_bias_of_phrase(p, 12 * BAR, 0, 0);
    assert_true(b.by == -8 * BAR);
    assert_int_equal(likeliest(&b, p, 4 * 12, 0, TOKEN_POS, 60),
                     TOKEN_PITCH + tune(16));
    /* but only where the harmony returns too */
    assert_true(parallel_bias_of_phrase(p, 12 * BAR, 4 * BAR, 0).to > 0);
    assert_int_equal(parallel_bias_of_phrase(p, 12 * BAR, 12 * BAR, 0).to, 0);
}
