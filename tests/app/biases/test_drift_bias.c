/* A take that has gone on in quarters and repeated notes is drawn back to its piece's eighths
 * and steps. */
#include "tests/check.h"
#include "app/biases/drift_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

#include <string.h>

enum { Q = STEPS_PER_QUARTER, TUNE = 0, KIT = 1, BRIEF = 2, N = 32, LATE = 4 * N * Q };

static struct drift_bias drift;

/* A tune of quarters and eighths in chords of so many notes, hits beside it, and a track of a
 * single note. */
static void begin(int n_chord)
{
    static struct hand_piece h;
    hand_begin(&h, N / 4);
    h.piece.families[KIT] = FAMILY_DRUMS;
    hand_note(&h, BRIEF, 0, Q, 60);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < n_chord; k++)
            hand_note(&h, TUNE, i * Q, i % 2 ? Q : Q / 2, 60 + i % 2 + 4 * k);
        hand_note(&h, KIT, i * Q, Q, 42);
    }
    drift_bias_init(&drift, &h.piece, N * Q);
}

static float bias_of(int track, int64_t step, int32_t token)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    const bool is_length = token >= TOKEN_DUR; /* either may come, never both */
    memset(allowed, !is_length, sizeof allowed);
    memset(allowed + TOKEN_DUR, is_length, sizeof allowed - TOKEN_DUR);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = allowed[TOKEN_DUR] = 0;
    drift_bias_apply(&drift, track, step, allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0 && logits[TOKEN_DUR] == 0);
    return logits[token];
}

static void write_quarters(int n)
{
    for (int i = 0; i < n; i++) {
        struct grid_note tune = {.step = (N + i) * Q, .length = Q, .pitch = 60},
                         hit = {.step = tune.step, .length = Q, .pitch = 42};
        hit.track = KIT;
        drift_bias_add(&drift, &tune);
        drift_bias_add(&drift, &hit);
    }
}

enum {
    OF_QUARTER = TOKEN_DUR + Q - 1,
    OF_EIGHTH = TOKEN_DUR + Q / 2 - 1,
    C = TOKEN_PITCH + 60
};

TEST(a_take_begins_without_bias)
{
    begin(1);
    assert_true(drift.biased);
    assert_true(bias_of(TUNE, N * Q, OF_QUARTER) == 0);
    assert_true(bias_of(TUNE, N * Q, OF_QUARTER + Q) == 0);
    assert_true(bias_of(TUNE, N * Q, C) == 0);
}

TEST(chords_of_a_progression_are_not_held_for_longer)
{
    begin(3);
    drift.has_progression = true;
    assert_true(bias_of(TUNE, N * Q, OF_QUARTER) == 0);
    assert_true(bias_of(TUNE, N * Q, OF_QUARTER + Q) < -1);
    assert_true(bias_of(TUNE, N * Q, TOKEN_DURX) < -1); /* a whole note and more */
}

TEST(what_came_too_often_is_made_less_likely)
{
    float before = 0;
    for (int n = 4; n <= 64; n *= 4) {
        begin(1);
        write_quarters(n);
        const float quarter = bias_of(TUNE, LATE, OF_QUARTER);
        assert_true(quarter < before && quarter > -2);
        before = quarter;
    }
    assert_true(bias_of(TUNE, LATE, OF_EIGHTH) > 0.5f);
    assert_true(bias_of(TUNE, LATE, C) < -0.5f); /* repeated; by step: */
    assert_true(bias_of(TUNE, LATE, C + 1) > 0.5f && bias_of(TUNE, LATE, C - 1) > 0.5f);
    assert_true(bias_of(TUNE, LATE, OF_QUARTER) <
                bias_of(TUNE, (N + 16) * Q, OF_QUARTER));
}

static const int ROUND[] = {60, 64, 62, 67};

/* A piece of 64 quarters that goes round, or does not; the take goes round four pitches. */
static void go_round(bool piece_does, int n)
{
    static struct hand_piece h;
    hand_begin(&h, 16);
    for (int i = 0; i < 64; i++)
        hand_note(&h, TUNE, i * Q, Q,
                  piece_does ? ROUND[i % 4] : 60 + (i * 7919 >> 5) % 13);
    drift_bias_init(&drift, &h.piece, 64 * Q);
    for (int i = 0; i < n; i++) {
        const struct grid_note note = {
            .step = (64 + i) * Q, .length = Q, .pitch = (uint8_t)ROUND[i % 4]};
        drift_bias_add(&drift, &note);
    }
}

TEST(a_take_does_not_go_round_in_circles)
{
    const int32_t next = TOKEN_PITCH + ROUND[0], other = TOKEN_PITCH + 69;
    go_round(false, 32);
    assert_true(bias_of(TUNE, 96 * Q, next) < bias_of(TUNE, 96 * Q, other) - 1.5f);
    /* Later it is no circle, nor is it one where the piece goes round. */
    assert_true(bias_of(TUNE, 120 * Q, next) > bias_of(TUNE, 96 * Q, next) + 1);
    go_round(true, 32);
    assert_true(bias_of(TUNE, 96 * Q, next) > -0.5f);
}

TEST(a_line_does_not_stick_to_one_pitch)
{
    begin(1);
    for (int i = 0; i < 8; i++) {
        const struct grid_note note = {.step = (N + i) * Q, .length = Q, .pitch = 60};
        drift_bias_add(&drift, &note);
    }
    assert_true(bias_of(TUNE, (N + 8) * Q, C) < -3); /* however soon */
}

/* A second note at the same onset has not moved from the first: it is one for the chord. */
TEST(chords_keep_their_size)
{
    begin(1);
    write_quarters(32);
    assert_true(bias_of(TUNE, (N + 31) * Q, C) <= 0);
    begin(3);
    assert_true(bias_of(TUNE, (N - 1) * Q, C) <
                -3);    /* a fourth note, of which none had */
    write_quarters(32); /* of one note: it has two at once */
    assert_true(bias_of(TUNE, (N + 31) * Q, C) > 3);
    assert_true(bias_of(TUNE, LATE, C + 12) != bias_of(TUNE, (N + 31) * Q, C + 12));
}

TEST(drums_and_tracks_of_few_notes_have_none)
{
    static const int TRACKS[] = {KIT, BRIEF, -1};
    begin(1);
    write_quarters(32);
    for (int i = 0; i < 3; i++)
        for (int t = 0; t < TOKEN_COUNT; t++)
            assert_true(bias_of(TRACKS[i], LATE, t) == 0);
}

TEST(notes_stay_near_the_range)
{
    begin(1); /* from 60 to 61 */
    const int64_t step = (N + 1) * Q;
    assert_true(bias_of(TUNE, step, C + 12) < bias_of(TUNE, step, C + 7) - 2);
    assert_true(bias_of(TUNE, step, C - 12) < bias_of(TUNE, step, C - 7) - 2);
    /* which widens */
    assert_true(bias_of(TUNE, step + 96 * Q, C + 12) > bias_of(TUNE, step, C + 12) + 2);
}

/* Its lengths, chords and pitches may be others; its range is kept unless pitches are asked
 * for. */
TEST(a_request_is_not_held_to_the_habits)
{
    for (int in_pitch = 0; in_pitch <= 1; in_pitch++) {
        begin(1);
        write_quarters(32);
        const float moved = bias_of(TUNE, LATE, C + 1);
        drift_bias_let_differ(&drift, in_pitch);
        assert_true(bias_of(TUNE, LATE, OF_QUARTER) == 0);
        assert_true(bias_of(TUNE, LATE, C + 1) == 0 && moved != 0);
        assert_true((bias_of(TUNE, LATE, C + 24) < -2) == !in_pitch);
    }
}
