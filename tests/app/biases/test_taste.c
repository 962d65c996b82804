/* Takes written by hand, and a model that has no opinion of its own: what leans, leans because of
 * the marks. That takes of a model lean, too: tests/app/generation/test_requested_fills.c. */
#include "tests/check.h"
#include "app/biases/taste.h"
#include "midi/tokens/parser.h"
#include "tests/app/biases/rule.h"

enum { BARS = 4, STEPS = BARS * 4 * QUARTER };

/* Rises in quarters, and leaps in dotted ones. */
static struct hand_piece rising, leaping;
static struct taste *t;

/* What a decoder says of the tokens so far. */
static struct parser reading;
static int64_t origin; /* step of the music where they begin */

static void apply(int64_t step, int track)
{
    const int64_t bar = origin + reading.bar_start;
    said.bar = bar;
    said.step = bar + (reading.onset > 0 ? reading.onset : 0);
    said.base = reading.state == AFTER_POSX ? reading.high : 0;
    said.held = token_kind(said.last) == TOKEN_DURX
                    ? TOKEN_RADIX * (said.last - TOKEN_DURX + 1)
                    : 0;
    said.track = reading.track;
    said.allowed = allowed;
    said.logits = logits;
    taste_apply(t, &said);
}

/* A window of the music, BOS ... */
static void read_window(const int32_t *ids, size_t n, int64_t from)
{
    parser_init(&reading);
    origin = from;
    for (size_t i = 0; i < n; i++)
        assert_true(parser_feed(&reading, said.last = ids[i]));
}

FIXTURE(make_pieces)
{
    hand_begin(&rising, BARS);
    hand_play(&rising, 0, 0, STEPS, 0, "1q: 60 62 64 65 67 69 71 72");
    hand_begin(&leaping, BARS);
    hand_play(&leaping, 0, 0, 10 * 36, 0, "36: 60 53 65 57 48 64");
    return 0;
}

FIXTURE(forget)
{
    taste_destroy(t);
    t = NULL;
    return 0;
}

#define TASTE_TEST(name) TEST_IN(name, NULL, forget)

static void add(const struct hand_piece *of, float how_much)
{
    assert_true(taste_add(t, &of->piece, of->notes, of->piece.n_notes, how_much));
}

/* One take liked or disliked, and one heard beside it. */
static void learn(const struct hand_piece *marked, float how_much,
                  const struct hand_piece *heard)
{
    forget(NULL);
    t = taste_create();
    assert_non_null(t);
    add(marked, how_much);
    add(heard, 0);
    taste_start(t, TASTE_WEIGHT);
}

/* Stands before the first note of a plain sequence in common time. */
static const int32_t START[] = {TOKEN_BOS,    TOKEN_STYLE,     TOKEN_TRACK,
                                TOKEN_FAMILY, TOKEN_TRACK + 1, TOKEN_FAMILY,
                                TOKEN_BAR,    TOKEN_NUM + 3,   TOKEN_DEN + 2};
enum { N_START = sizeof START / sizeof *START };

/* These tokens, by their names, one after another. */
static void feed(const char *tokens)
{
    for (const char *at = tokens; *at; at += strspn(at, " ")) {
        const int32_t token = read_token(&at);
        assert_true(token >= 0);
        assert_true(parser_feed(&reading, said.last = token));
        struct grid_note n = reading.note;
        n.step += (int32_t)origin;
        if (reading.event == PARSER_NOTE)
            taste_hear(t, &n);
    }
}

/* As far as a first C for a quarter, at the bar line. */
static void feed_first_note(void)
{
    read_window(START, N_START, 0);
    feed("@0 t0 v p60 d1q");
}

/* What is added where these tokens and those may come, and no others. */
static void ask_two(int first, int n, int second, int m)
{
    allow(first, n);
    memset(allowed + second, 1, (size_t)m);
    apply(0, 0);
    memcpy(added, logits, sizeof added);
}

/* Of n tokens together: of their likelihoods, the sum. */
static double likelihood(int first, int n)
{
    double sum = 0;
    for (int i = first; i < first + n; i++)
        sum += exp((double)added[i]);
    return sum;
}

TASTE_TEST(without_marks_there_is_no_bias)
{
    learn(&rising, 0, &rising);
    feed_first_note();
    says_nothing(0, 0);
}

/* A quarter later, or three eighths; a step up, or a fall; as long. */
TASTE_TEST(what_was_liked_comes_sooner_and_what_was_not_later)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        learn(&rising, (float)sign, &leaping);
        feed_first_note();
        says(0, 0, sign > 0 ? "@1q > @36 + 0.5" : "@36 > @1q + 0.5");
        feed("@1q");
        says(0, 0, sign > 0 ? "p62 > p53 + 0.5" : "p53 > p62 + 0.5");
        feed("p62");
        says(0, 0, sign > 0 ? "d1q > d36 + 0.5" : "d36 > d1q + 0.5");
    }
}

/* What the takes share is no reason to lean. */
TASTE_TEST(what_all_takes_do_is_left_alone)
{
    learn(&rising, 1, &rising);
    feed_first_note();
    ask(0, 0);
    for (int i = 0; i < TOKEN_RADIX; i++)
        assert_true(fabsf(added[TOKEN_POS + i]) < 0.3f);
}

/* Chords of one take and single notes of the other: only that tells them apart. */
TASTE_TEST(chords_that_were_liked_come)
{
    static struct hand_piece chords;
    hand_begin(&chords, BARS);
    hand_play(&chords, 0, 0, STEPS, 0,
              "1q: 60+80 62+80 64+80 65+80 67+80 69+80 71+80 72+80");
    learn(&chords, 1, &rising);
    feed_first_note();
    ask_two(TOKEN_POS, TOKEN_RADIX, TOKEN_PITCH + 61, 60);
    assert_true(likelihood(TOKEN_PITCH + 61, 60) / likelihood(TOKEN_POS, TOKEN_RADIX) >
                1.5 * 60 / TOKEN_RADIX);
}

/* Whatever the marks: bounded, and only on what may come. */
TASTE_TEST(the_bias_is_bounded_and_keeps_to_what_is_allowed)
{
    float largest = 0;
    learn(&rising, INFINITY, &leaping);
    add(&leaping, -1000);
    add(&leaping, NAN);
    taste_start(t, 1e9f);
    feed_first_note();
    allow(0, 0);
    for (int i = 0; i < TOKEN_COUNT; i++)
        allowed[i] = i % 3 != 0;
    logits[TOKEN_POS + QUARTER] = -INFINITY;
    apply(0, 0);
    assert_true(isinf(logits[TOKEN_POS + QUARTER]));
    logits[TOKEN_POS + QUARTER] = 0;
    for (int i = 0; i < TOKEN_COUNT; i++) {
        assert_true(allowed[i] || logits[i] == 0);
        largest = fmaxf(largest, fabsf(logits[i]));
    }
    assert_true(largest > 1 && largest <= TASTE_BOUND);
}

/* Reading on from a later bar in the middle of a take forgets nothing of the take. */
TASTE_TEST(a_window_that_slides_changes_nothing)
{
    float before[128];
    learn(&leaping, 1, &rising);
    feed_first_note();
    feed("bar @12 p66 d12 bar @24");
    ask(0, 0);
    memcpy(before, added + TOKEN_PITCH, sizeof before);
    read_window(START, N_START, (int64_t)2 * 4 * QUARTER);
    feed("@24 t0");
    ask(0, 0);
    assert_memory_equal(before, added + TOKEN_PITCH, sizeof before);
}

/* The bars two and three, asked for; the liked take fills them with one chord and
 * leaves the second of them empty. */
TASTE_TEST(a_hole_is_followed_through)
{
    static struct hand_piece chord;
    const struct fill_request request = {
        .from = 96, .to = 288, .pitch_hi = 127, .tracks = 1, FILL_ANYTHING};
    auto_fill fill;
    auto_tokens tokens;
    hand_begin(&chord, BARS);
    hand_play(&chord, 0, 96 + 48, 96 + 49, 0, "1q: 60+68");
    assert_ok(fill_split(&fill, &rising.piece, &request, NULL));
    assert_ok(fill_encode(&tokens, &fill, false));
    learn(&chord, 1, &leaping);
    read_window(tokens.id, tokens.n, 0);
    says(0, 0, "@48 > @0 + 0.5");
    feed("@48 t0 v");
    says(0, 0, "p60 > p61 + 0.5");
    feed("p60 d1q");
    says(0, 0, "p68 > p67 + 0.5");
    ask_two(TOKEN_POS + 49, 47, TOKEN_BAR, 1);
    assert_true(nats("bar") > nats("@60") + 0.5);
}

/* However strongly a mark pulls, an end is as likely as the model has it. */
TASTE_TEST(the_end_is_left_to_the_model)
{
    float largest = 0;
    learn(&rising, -1, &leaping);
    feed_first_note();
    ask_two(TOKEN_POS + 1, TOKEN_RADIX - 1, TOKEN_FILL_END, 1);
    for (int i = 0; i < TOKEN_COUNT; i++)
        largest = fmaxf(largest, fabsf(added[i]));
    const double end = likelihood(TOKEN_FILL_END, 1),
                 all = end + likelihood(TOKEN_POS + 1, TOKEN_RADIX - 1);
    assert_true(largest > 0.5f && fabs(end / all - 1.0 / TOKEN_RADIX) < 1e-5);
}

/* Bars, places and durations past what one token says. */
TASTE_TEST(long_bars_and_notes_count_too)
{
    int32_t start[N_START];
    memcpy(start, START, sizeof start);
    start[N_START - 2] = TOKEN_NUM + 11;
    start[N_START - 1] = TOKEN_DEN + 1;
    hand_begin(&h, 2);
    h.meters[0] = (struct grid_meter){0, 12, 2};
    for (int bar = 0; bar < 2; bar++)
        hand_note(&h, 0, bar * 576 + 300, 200, 60);
    learn(&h, 1, &rising);
    read_window(start, N_START, 0);
    says(0, 0, "@@2 > @@ + 0.5");
    feed("@@2");
    says(0, 0, "@12 > @0 + 0.5");
    feed("@12 t0 v p60");
    says(0, 0, "dx1 > dx + 0.5");
    feed("dx1");
    says(0, 0, "d8 > d2 + 0.5");
}

GROUP(make_pieces, NULL)
