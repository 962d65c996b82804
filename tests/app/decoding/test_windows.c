/* Windows for writing are those of training: a piece with a gap gives the same tokens both
 * ways, but for the gap. */
#include "tests/check.h"
#include "app/decoding/take_decoder.h"
#include "midi/base/array.h"
#include "tests/app/random_continuation.h"

enum { QUARTER = 480, BAR = 4 * STEPS_PER_QUARTER, TICKS = 4 * QUARTER };
enum { VIOLINS = 2, TRACKS = 4, BARS = 8, ALL = (1 << TRACKS) - 1 };

static const uint8_t PROGRAMS[TRACKS] = {40, 40, 41, 42};

/* Four players; a bit of `silent` is a track that is empty from bar `from` up to bar `to`.
 * Notes last `percent` of what is written. */
static struct score *quartet(int silent, int from, int to, int percent)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < TRACKS; t++)
        assert_int_equal(score_add_track(s, "a player", (uint8_t)t, PROGRAMS[t]), t);
    for (int t = 0; t < TRACKS; t++)
        for (int i = 0; i < 8 * BARS; i++) {
            const int64_t length = (i + t) % 3 || i % 8 == 7 ? QUARTER / 2 : QUARTER;
            const bool is_silent = silent >> t & 1 && i / 8 >= from && i / 8 < to;
            if (!is_silent && (i + t) % 3 != 2)
                put_note(s, t, (int64_t)i * QUARTER / 2, length * percent / 100,
                         76 - 9 * t + i % 7);
        }
    return s;
}

struct gap {
    int tracks, from, to; /* bars */
};

static struct continuation_options options_of(struct gap g)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.tracks = (uint64_t)g.tracks;
    o.hole.from_tick = (int64_t)g.from * TICKS;
    o.hole.to_tick = (int64_t)g.to * TICKS;
    return o;
}

/* The lesson: the whole piece, of which the gap is taken out. */
static void encode_lesson(struct tokens *t, struct gap g)
{
    const struct fill_request q = {.from = g.from * BAR,
                                   .to = g.to * BAR,
                                   .pitch_hi = 127,
                                   .tracks = (uint64_t)g.tracks,
                                   FILL_ANYTHING};
    auto_score *s = quartet(0, 0, 0, 100);
    auto_piece p;
    auto_fill f;
    assert_ok(piece_from_score(&p, s, STYLE_ANY, NULL, 0));
    assert_int_equal(p.n_bars, BARS);
    assert_ok(fill_split(&f, &p, &q, NULL));
    assert_ok(fill_encode(t, &f, false));
}

static void assert_same_tokens(const struct tokens *a, const struct tokens *b)
{
    char name[2][32];
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->id[i] != b->id[i])
            fail_msg("token %zu: %s, not %s", i, token_name(b->id[i], name[0], 32),
                     token_name(a->id[i], name[1], 32));
    assert_int_equal(a->n, b->n);
}

/* A part that was never written, one that has a gap, an end and a beginning; as it was
 * written, and as a sequencer exports it. */
TEST(a_gap_gives_the_tokens_of_a_lesson)
{
    static const struct gap GAPS[] = {
        {1 << 1, 0, BARS}, {1 << 3, 0, BARS}, {1 << 1, 2, 4},
        {1 << 0, 5, 8},    {ALL, 6, BARS},    {ALL, 0, 2},
    };
    for (size_t i = 0; i < sizeof GAPS / sizeof *GAPS; i++)
        for (int percent = 95; percent <= 100; percent += 5) {
            const struct gap g = GAPS[i];
            const struct continuation_options o = options_of(g);
            auto_score *s = quartet(g.tracks, g.from, g.to, percent);
            auto_tokens lesson;
            struct context c;
            struct context_window w;
            encode_lesson(&lesson, g);
            assert_ok(context_init(&c, s, &o));
            assert_ok(context_encode(&c, c.hole.from, c.hole.to, 0, 4000, &w));
            assert_same_tokens(&lesson, &w.tokens);
            tokens_fini(&w.tokens);
            context_fini(&c);
        }
}

/* What is continued is a piece that has not ended. */
TEST(an_end_gives_the_tokens_of_a_lesson)
{
    for (int percent = 95; percent <= 100; percent += 5) {
        const struct continuation_options o = CONTINUATION_DEFAULT;
        auto_score *s = quartet(ALL, 5, BARS, percent), *whole = quartet(0, 0, 0, 100);
        auto_piece p;
        auto_tokens lesson;
        struct context c;
        struct context_window w;
        assert_ok(piece_from_score(&p, whole, STYLE_ANY, NULL, 0));
        assert_ok(tokens_encode(&lesson, &p, false));
        assert_ok(context_init(&c, s, &o));
        assert_int_equal(c.hole.from, 5 * BAR);
        assert_ok(context_encode(&c, 0, 0, 0, 4000, &w));
        assert_true(w.tokens.n < lesson.n);
        assert_int_equal(lesson.id[w.tokens.n], TOKEN_BAR);
        lesson.n = w.tokens.n;
        assert_same_tokens(&lesson, &w.tokens);
        tokens_fini(&w.tokens);
        context_fini(&c);
    }
}

/* Says a token if it may come. */
static void say(struct take_decoder *t, int32_t token)
{
    if (!grammar_allow(t->grammar, t->allowed) || !t->allowed[token])
        return;
    assert_non_null(array_push(&t->given, &t->n_given, &token, sizeof token));
    assert_int_equal(t->n_given, t->out->n_tokens + 1);
    take_decoder_draw(t, NULL);
}

/* The parts that a hole is filled in, while the model writes nothing. */
static int n_parts(struct take_decoder *t, const struct score *s, struct gap g,
                   int64_t ends[BARS])
{
    const struct continuation_options o = options_of(g);
    struct context c;
    int n = 0;
    assert_ok(context_init(&c, s, &o));
    struct take take = {.seed = 1};
    assert_int_equal(take_decoder_begin(t, &c, &o, &take, NULL), CONTINUATION_BEGUN);
    while (t->state == CONTINUATION_BEGUN) {
        const struct model_reading r = model_reader_reading(t->readers[0]);
        int last_bar = -1;
        for (int i = 0; i < r.n; i++)
            last_bar += r.tokens[i] == TOKEN_BAR;
        /* Bars to be written are not read as silent ones. */
        if (t->part_to < t->music.hole.to)
            assert_int_equal(t->origin / BAR + last_bar, t->part_to / BAR - 1);
        assert_true(n < BARS);
        ends[n++] = t->part_to;
        say(t, TOKEN_FILL_END);
        take_decoder_prepare(t);
    }
    assert_int_equal(t->state, CONTINUATION_DONE);
    take_fini(&take);
    return n;
}

/* A part of four quarter notes in each bar, then the rest: its rhythm is that of the first part. */
TEST(a_part_goes_on_as_the_one_before)
{
    enum { PLAYER = 1 };
    auto_score *s = quartet(1 << PLAYER, 0, BARS, 100);
    const struct continuation_options o =
        options_of((struct gap){1 << PLAYER, 0, BARS});
    struct take_decoder t = {0};
    struct take take = {.seed = 1};
    struct context c;
    assert_ok(take_decoder_init(
        &t, &(struct model){.config = {.context = 512, .vocab = TOKEN_COUNT}}, NULL,
        NULL));
    assert_ok(context_init(&c, s, &o));
    assert_int_equal(take_decoder_begin(&t, &c, &o, &take, NULL), CONTINUATION_BEGUN);
    const int64_t end = t.part_to;
    assert_true(end >= 4 * BAR && end < BARS * BAR);
    assert_int_equal(t.rules.due.period[PLAYER], 0);
    for (int i = 0; i < end / BAR * 4; i++) {
        if (i && i % 4 == 0)
            say(&t, TOKEN_BAR);
        say(&t, TOKEN_POS + i % 4 * STEPS_PER_QUARTER);
        say(&t, TOKEN_TRACK + PLAYER);
        say(&t, TOKEN_VEL + 16);
        say(&t, TOKEN_PITCH + 67 + i % 2);
        say(&t, TOKEN_DUR + STEPS_PER_QUARTER - 1);
    }
    say(&t, TOKEN_FILL_END);
    assert_int_equal(take_decoder_prepare(&t), CONTINUATION_BEGUN);
    assert_int_equal(t.part_from, end);
    assert_true(t.rules.due.period[PLAYER] == 1 && t.rules.due.from == end);
    assert_int_equal(t.rules.missing, 1 << PLAYER);
    take_decoder_fini(&t);
    take_fini(&take);
}

/* One player of four is written at once, all four where they do not fit. */
TEST(a_hole_is_cut_only_where_it_does_not_fit)
{
    int64_t ends[BARS];
    auto_score *s = quartet(1 << 1, 0, BARS, 100), *empty = quartet(ALL, 1, BARS, 100);
    struct take_decoder t = {0};
    assert_ok(take_decoder_init(
        &t, &(struct model){.config = {.context = 1024, .vocab = TOKEN_COUNT}}, NULL,
        NULL));
    assert_int_equal(n_parts(&t, s, (struct gap){1 << 1, 0, BARS}, ends), 1);
    assert_int_equal(n_parts(&t, empty, (struct gap){ALL, 1, BARS}, ends), 2);
    assert_int_equal(ends[1], BARS * BAR);
    take_decoder_fini(&t);
}
