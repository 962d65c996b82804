/* A take that has gone on in quarters and repeated notes is drawn back to its piece's eighths
 * and steps. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { Q = QUARTER, TUNE = 0, KIT = 1, BRIEF = 2, N = 32, END = N * Q, LATE = 4 * END };

static struct drift_bias drift;

static void apply(int64_t step, int track)
{
    struct rules r = {.drift = drift};
    drift_bias_apply(&r, place_at(step, track));
    drift_bias_copies(&r, place_at(step, track));
}

/* A tune of quarters and eighths, or chords of such, hits beside it, and a track of a single
 * note. */
static void begin(bool has_chords)
{
    hand_begin(&h, N / 4);
    h.piece.families[KIT] = FAMILY_DRUMS;
    hand_note(&h, BRIEF, 0, Q, 60);
    hand_play(&h, TUNE, 0, END, 0, has_chords ? "2q/1e: 60+64+68" : "2q/1e: 60");
    hand_play(&h, TUNE, Q, END, 0, has_chords ? "2q/1q: 61+65+69" : "2q/1q: 61");
    hand_play(&h, KIT, 0, END, 0, "1q: 42");
    drift_bias_init(&drift, &h.piece, END);
}

/* A quarter note of the take, the n-th. */
static void add(int track, int n, int pitch)
{
    const struct grid_note note = {
        .step = n * Q, .length = Q, .track = (uint8_t)track, .pitch = (uint8_t)pitch};
    drift_bias_add(&drift, &note);
}

static void write_quarters(int n)
{
    for (int i = 0; i < n; i++) {
        add(TUNE, N + i, 60);
        add(KIT, N + i, 42);
    }
}

TEST(a_take_begins_without_bias)
{
    begin(false);
    assert_true(drift.biased);
    says(END, TUNE, "d1q = 0, d2q = 0, p60 = 0");
}

TEST(what_came_too_often_is_made_less_likely)
{
    double before = 0;
    for (int n = 4; n <= 64; n *= 4) {
        begin(false);
        write_quarters(n);
        says(LATE, TUNE, "d1q > -2");
        assert_true(nats("d1q") < before);
        before = nats("d1q");
    }
    says(LATE, TUNE, "d1e > 0.5, p60 < -0.5, p61 > 0.5, p59 > 0.5"); /* by step */
    assert_true(before < nats_at((N + 16) * Q, TUNE, "d1q"));
}

/* A piece of 64 quarters that goes round, or does not; the take goes round four pitches. */
static void go_round(bool piece_does)
{
    static const int ROUND[] = {60, 64, 62, 67};
    hand_begin(&h, 16);
    for (int i = 0; i < 64; i++)
        hand_note(&h, TUNE, i * Q, Q,
                  piece_does ? ROUND[i % 4] : 60 + (i * 7919 >> 5) % 13);
    drift_bias_init(&drift, &h.piece, 64 * Q);
    for (int i = 0; i < 32; i++)
        add(TUNE, 64 + i, ROUND[i % 4]);
}

/* Later it is no circle, nor is it one where the piece goes round. */
TEST(a_take_does_not_go_round_in_circles)
{
    go_round(false);
    says(96 * Q, TUNE, "p60 < p69 - 1.5");
    const double next = nats("p60");
    assert_true(nats_at(120 * Q, TUNE, "p60") > next + 1);
    go_round(true);
    says(96 * Q, TUNE, "p60 > -0.5");
}

TEST(a_line_does_not_stick_to_one_pitch)
{
    begin(false);
    for (int i = 0; i < 8; i++)
        add(TUNE, N + i, 60);
    says((N + 8) * Q, TUNE, "p60 < -3"); /* however soon */
}

/* Steps are from the lowest note of one chord to that of the next. */
TEST(nor_do_chords_to_one_chord)
{
    begin(true);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            add(TUNE, N + i, 60 + 4 * k);
    says((N + 8) * Q, TUNE, "p60 < -3, p60 < p68 - 1");
}

/* Five notes of the given bars in a row, after as many steps as they may last; where a phrase ends they
 * may come. */
TEST(a_tune_does_not_copy)
{
    hand_begin(&h, 12);
    hand_play(&h, TUNE, 0, END, 0, "1q: 60 62 64 65 67 69 71 72");
    drift_bias_init(&drift, &h.piece, END);
    for (int i = 0; i < 4; i++)
        add(TUNE, N + i, (const int[]){60, 62, 64, 65}[i]);
    const double free = nats_at((N + 4) * Q, TUNE, "p67"),
                 in_last_bar = nats_at((N + 12) * Q, TUNE, "p67");
    drift.fresh = 1 << TUNE;
    drift.copied_to = END;
    assert_true(nats_at((N + 4) * Q, TUNE, "p67") < free - 2);
    assert_true(nats_at((N + 12) * Q, TUNE, "p67") == in_last_bar);
    drift.may_copy = 2 * END; /* the given bars go round, too */
    assert_true(nats_at((N + 4) * Q, TUNE, "p67") == free);
}

/* A second note at the same onset has not moved from the first: it is one for the chord. */
TEST(chords_keep_their_size)
{
    const int last = (N + 31) * Q;
    begin(false);
    write_quarters(32);
    says(last, TUNE, "p60 <= 0");
    begin(true);
    says(END - Q, TUNE, "p60 < -3"); /* a fourth note, of which none had */
    write_quarters(32);              /* of one note: it has two at once */
    says(last, TUNE, "p60 > 3");
    const double second = nats("p72");
    assert_true(nats_at(LATE, TUNE, "p72") != second);
}

TEST(drums_and_tracks_of_few_notes_have_none)
{
    begin(false);
    write_quarters(32);
    says_nothing(LATE, KIT);
    says_nothing(LATE, BRIEF);
    says_nothing(LATE, -1);
}

/* From 60 to 61; it widens. */
TEST(notes_stay_near_the_range)
{
    begin(false);
    says(END + Q, TUNE, "p72 < p67 - 2, p48 < p53 - 2");
    const double far = nats("p72");
    assert_true(nats_at((N + 97) * Q, TUNE, "p72") > far + 2);
}

/* Its lengths, chords and pitches may be others; its range is kept unless pitches are asked
 * for. */
TEST(a_request_is_not_held_to_the_habits)
{
    for (int in_pitch = 0; in_pitch <= 1; in_pitch++) {
        begin(false);
        write_quarters(32);
        assert_true(nats_at(LATE, TUNE, "p61") != 0);
        drift_bias_let_differ(&drift, in_pitch);
        says(LATE, TUNE,
             in_pitch ? "d1q = 0, p61 = 0, p84 >= -2" : "d1q = 0, p61 = 0, p84 < -2");
    }
}
