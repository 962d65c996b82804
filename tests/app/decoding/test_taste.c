/* Takes written by hand, and a model that has no opinion of its own: what leans, leans because of
 * the marks. That takes of a model lean, too: tests/app/generation/test_requested_fills.c. */
#include "tests/check.h"
#include "app/decoding/taste.h"
#include "tests/app/hand_piece.h"

#include <math.h>
#include <stdlib.h>

#define auto_taste __attribute__((cleanup(free_taste))) struct taste
FREES(taste, taste_destroy)

enum { BARS = 4, STEPS = BARS * 4 * QUARTER };

/* Rises in quarters, and leaps in dotted ones. */
static struct hand_piece rising, leaping;

FIXTURE(make_pieces)
{
    hand_begin(&rising, BARS);
    hand_play(&rising, 0, 0, STEPS, 0, "1q: 60 62 64 65 67 69 71 72");
    hand_begin(&leaping, BARS);
    hand_play(&leaping, 0, 0, 10 * 36, 0, "36: 60 53 65 57 48 64");
    return 0;
}

static void add(struct taste *t, const struct hand_piece *h, float how_much)
{
    assert_true(taste_add(t, &h->piece, h->notes, h->piece.n_notes, how_much));
}

/* One take liked or disliked, and one heard beside it. */
static struct taste *make_taste(const struct hand_piece *marked, float how_much,
                                const struct hand_piece *heard)
{
    struct taste *t = taste_create();
    assert_non_null(t);
    add(t, marked, how_much);
    add(t, heard, 0);
    taste_start(t, TASTE_WEIGHT);
    return t;
}

/* Stands before the first note of a plain sequence in common time. */
static const int32_t START[] = {TOKEN_BOS,    TOKEN_STYLE,     TOKEN_TRACK,
                                TOKEN_FAMILY, TOKEN_TRACK + 1, TOKEN_FAMILY,
                                TOKEN_BAR,    TOKEN_NUM + 3,   TOKEN_DEN + 2};
enum { N_START = sizeof START / sizeof *START };

/* These tokens, one after another. */
#define FEED(t, ...)                                                                   \
    for (size_t fed = 0; fed < sizeof((int32_t[]){__VA_ARGS__}) / 4; fed++)            \
    taste_feed(t, ((int32_t[]){__VA_ARGS__})[fed])

/* As far as a first C for a quarter, at the bar line. */
static void feed_first_note(struct taste *t)
{
    taste_read(t, START, N_START, 0);
    FEED(t, TOKEN_POS, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60,
         TOKEN_DUR + QUARTER - 1);
}

struct table {
    uint8_t allowed[TOKEN_COUNT];
    float logits[TOKEN_COUNT];
};

static struct table table;

/* What is added to flat logits of these tokens and those; the first one's. */
static const float *ask_two(const struct taste *t, int first, int n, int second, int m)
{
    table = (struct table){0};
    memset(table.allowed + first, 1, (size_t)n);
    memset(table.allowed + second, 1, (size_t)m);
    taste_bias(t, table.allowed, table.logits);
    return table.logits + first;
}

static const float *ask(const struct taste *t, int first, int n)
{
    return ask_two(t, first, n, first, n);
}

TEST(without_marks_there_is_no_bias)
{
    auto_taste *t = make_taste(&rising, 0, &rising);
    feed_first_note(t);
    ask(t, 0, TOKEN_COUNT);
    for (int i = 0; i < TOKEN_COUNT; i++)
        assert_true(table.logits[i] == 0);
}

TEST(what_was_liked_comes_sooner_and_what_was_not_later)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        auto_taste *t = make_taste(&rising, (float)sign, &leaping);
        feed_first_note(t);
        /* a quarter later, or three eighths */
        const float *at = ask(t, TOKEN_POS, TOKEN_RADIX);
        assert_true((float)sign * (at[QUARTER] - at[36]) > 0.5f);
        taste_feed(t, TOKEN_POS + QUARTER);
        at = ask(t, TOKEN_PITCH, 128); /* a step up, or a fall */
        assert_true((float)sign * (at[62] - at[53]) > 0.5f);
        taste_feed(t, TOKEN_PITCH + 62);
        at = ask(t, TOKEN_DUR, TOKEN_RADIX) - 1;
        assert_true((float)sign * (at[QUARTER] - at[36]) > 0.5f);
    }
}

/* What the takes share is no reason to lean. */
TEST(what_all_takes_do_is_left_alone)
{
    auto_taste *t = make_taste(&rising, 1, &rising);
    feed_first_note(t);
    ask(t, TOKEN_POS, TOKEN_RADIX);
    for (int i = 0; i < TOKEN_RADIX; i++)
        assert_true(fabsf(table.logits[TOKEN_POS + i]) < 0.3f);
}

/* Chords of one take and single notes of the other: only that tells them apart. */
TEST(chords_that_were_liked_come)
{
    static struct hand_piece chords;
    chords = rising;
    chords.piece.notes = chords.notes;
    chords.piece.meters = chords.meters;
    hand_play(&chords, 0, 0, STEPS, 0, "1q: 80");
    auto_taste *t = make_taste(&chords, 1, &rising);
    feed_first_note(t);
    ask_two(t, TOKEN_POS, TOKEN_RADIX, TOKEN_PITCH + 61, 60);
    double on = 0, more = 0;
    for (int i = 0; i < TOKEN_RADIX; i++)
        on += exp((double)table.logits[TOKEN_POS + i]);
    for (int i = 61; i < 121; i++)
        more += exp((double)table.logits[TOKEN_PITCH + i]);
    assert_true(more / on > 1.5 * 60 / TOKEN_RADIX);
}

/* Whatever the marks: bounded, and only on what may come. */
TEST(the_bias_is_bounded_and_keeps_to_what_is_allowed)
{
    auto_taste *t = make_taste(&rising, INFINITY, &leaping);
    add(t, &leaping, -1000);
    add(t, &leaping, NAN);
    taste_start(t, 1e9f);
    feed_first_note(t);
    table = (struct table){0};
    float largest = 0;
    for (int i = 0; i < TOKEN_COUNT; i++)
        table.allowed[i] = i % 3 != 0;
    table.logits[TOKEN_POS + QUARTER] = -INFINITY;
    taste_bias(t, table.allowed, table.logits);
    for (int i = 0; i < TOKEN_COUNT; i++) {
        bool is_impossible = i == TOKEN_POS + QUARTER;
        assert_true(table.allowed[i] || is_impossible || table.logits[i] == 0);
        if (!is_impossible)
            largest = fmaxf(largest, fabsf(table.logits[i]));
    }
    assert_true(isinf(table.logits[TOKEN_POS + QUARTER]));
    assert_true(largest > 1 && largest <= TASTE_BOUND);
}

/* Reading on from a later bar in the middle of a take forgets nothing of the take. */
TEST(a_window_that_slides_changes_nothing)
{
    struct table a;
    auto_taste *t = make_taste(&leaping, 1, &rising);
    feed_first_note(t);
    FEED(t, TOKEN_BAR, TOKEN_POS + 12, TOKEN_PITCH + 66, TOKEN_DUR + 11, TOKEN_BAR,
         TOKEN_POS + 24);
    ask(t, TOKEN_PITCH, 128);
    a = table;
    taste_read(t, START, N_START, (int64_t)2 * 4 * QUARTER);
    FEED(t, TOKEN_POS + 24, TOKEN_TRACK);
    ask(t, TOKEN_PITCH, 128);
    assert_memory_equal(&a, &table, sizeof a);
}

/* The bars two and three, asked for; the liked take fills them with one chord and
 * leaves the second of them empty. */
TEST(a_hole_is_followed_through)
{
    static struct hand_piece chord;
    const struct fill_request request = {.from = 96,
                                         .to = 288,
                                         .pitch_hi = 127,
                                         .tracks = 1,
                                         .density = FILL_ANY,
                                         .polyphony = FILL_ANY,
                                         .length = FILL_ANY,
                                         .height = FILL_ANY};
    const float *at;
    auto_fill fill;
    auto_tokens tokens;
    hand_begin(&chord, BARS);
    hand_note(&chord, 0, 96 + 48, QUARTER, 60);
    hand_note(&chord, 0, 96 + 48, QUARTER, 68);
    assert_ok(fill_split(&fill, &rising.piece, &request, NULL));
    assert_ok(fill_encode(&tokens, &fill, false));
    auto_taste *t = make_taste(&chord, 1, &leaping);
    taste_read(t, tokens.id, tokens.n, 0);
    at = ask(t, TOKEN_POS, TOKEN_RADIX);
    assert_true(at[48] > at[0] + 0.5f);
    FEED(t, TOKEN_POS + 48, TOKEN_TRACK, TOKEN_VEL);
    at = ask(t, TOKEN_PITCH, 128);
    assert_true(at[60] > at[61] + 0.5f);
    FEED(t, TOKEN_PITCH + 60, TOKEN_DUR + QUARTER - 1);
    at = ask(t, TOKEN_PITCH, 128);
    assert_true(at[68] > at[67] + 0.5f);
    ask_two(t, TOKEN_POS + 49, 47, TOKEN_BAR, 1);
    assert_true(table.logits[TOKEN_BAR] > table.logits[TOKEN_POS + 60] + 0.5f);
}

/* However strongly a mark pulls, an end is as likely as the model has it. */
TEST(the_end_is_left_to_the_model)
{
    auto_taste *t = make_taste(&rising, -1, &leaping);
    feed_first_note(t);
    ask_two(t, TOKEN_POS + 1, TOKEN_RADIX - 1, TOKEN_FILL_END, 1);
    double sum = 0, largest = 0;
    for (int i = 0; i < TOKEN_COUNT; i++) {
        sum += table.allowed[i] ? exp((double)table.logits[i]) : 0;
        largest = fmax(largest, fabs((double)table.logits[i]));
    }
    double end = exp((double)table.logits[TOKEN_FILL_END]) / sum;
    assert_true(largest > 0.5 && fabs(end - 1.0 / TOKEN_RADIX) < 1e-5);
}

/* Bars, places and durations past what one token says. */
TEST(long_bars_and_notes_count_too)
{
    static struct hand_piece h;
    static const int32_t start[] = {TOKEN_BOS,    TOKEN_STYLE,     TOKEN_TRACK,
                                    TOKEN_FAMILY, TOKEN_TRACK + 1, TOKEN_FAMILY,
                                    TOKEN_BAR,    TOKEN_NUM + 11,  TOKEN_DEN + 1};
    const float *at;
    hand_begin(&h, 2);
    h.meters[0] = (struct grid_meter){0, 12, 2};
    for (int bar = 0; bar < 2; bar++)
        hand_note(&h, 0, bar * 576 + 300, 200, 60);
    auto_taste *t = make_taste(&h, 1, &rising);
    taste_read(t, start, N_START, 0);
    at = ask(t, TOKEN_POSX, 5);
    assert_true(at[2] > at[0] + 0.5f);
    taste_feed(t, TOKEN_POSX + 2);
    at = ask(t, TOKEN_POS, TOKEN_RADIX);
    assert_true(at[12] > at[0] + 0.5f);
    FEED(t, TOKEN_POS + 12, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60);
    at = ask(t, TOKEN_DURX, 5);
    assert_true(at[1] > at[0] + 0.5f);
    taste_feed(t, TOKEN_DURX + 1);
    at = ask(t, TOKEN_DUR, TOKEN_RADIX);
    assert_true(at[7] > at[0] + 0.5f);
}

GROUP(make_pieces, NULL)
