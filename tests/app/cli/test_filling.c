/* Holes filled by models of random weights: whatever holds here is held by the
 * program alone. Nothing outside, nothing over itself or over what stands, always to
 * the end, in parts where the model is small, the same on any threads. */
#include "tests/check.h"
#include "tests/app/filled_holes.h"

enum { HOLES = 60 };

static struct continuation_options random_hole(uint64_t *r, int64_t end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    int low = draw(r, 2) ? 0 : 30 + draw(r, 50);
    o.style = STYLE_PIANO;
    o.sampling.seed = (uint64_t)draw(r, 1000);
    o.tracks = draw(r, 3) ? 0 : 1 + (uint64_t)draw(r, 7);
    o.max_polyphony = draw(r, 4) ? 0 : 1;
    o.n_takes = 1 + draw(r, 3);
    o.guidance = draw(r, 2) ? 1.0f : (float)draw(r, 5);
    o.hole = (struct continuation_hole){
        .from_tick = draw(r, (int)end + 2000),
        .pitch_lo = (uint8_t)low,
        .pitch_hi = (uint8_t)(low + draw(r, 128 - low)),
        .min_notes = draw(r, 3),
        .density = draw(r, FILL_DENSITIES + 1) - 1,
        .polyphony = draw(r, FILL_POLYPHONIES + 1) - 1,
        .length = draw(r, FILL_LENGTHS + 1) - 1,
        .height = draw(r, FILL_REGISTERS + 1) - 1,
    };
    o.hole.to_tick = o.hole.from_tick + 40 + draw(r, draw(r, 3) ? 4000 : 30000);
    return o;
}

static void fill_many(int context, int n_notes, int *n_filled)
{
    static struct result r;
    struct fixture f;
    uint64_t state = (uint64_t)context;
    set_up(&f, context, TOKEN_COUNT, 1);
    for (int i = 0; i < HOLES; i++) {
        struct score *s = random_score(&state, n_notes);
        struct continuation_options o = random_hole(&state, (int64_t)n_notes * 200);
        enum continuation_state end = run(&f, s, &o, &r);
        if (end == CONTINUATION_ERROR) /* too dense around, or no place at all */
            assert_true(*continuation_error(f.continuation));
        else
            assert_int_equal(end, CONTINUATION_DONE);
        assert_legal(s, &o, &r);
        *n_filled += r.n > 0;
        score_destroy(s);
    }
    tear_down(&f);
}

TEST(nothing_outside_and_nothing_over_itself)
{
    int n_filled = 0;
    fill_many(512, 60, &n_filled);
    assert_true(n_filled > HOLES / 2);
}

/* Far more music than the model hears, and holes it takes in parts. */
TEST(so_it_is_in_parts)
{
    int n_filled = 0;
    fill_many(128, 300, &n_filled);
    assert_true(n_filled > HOLES / 4);
}

/* Far past the music, the whole of a long piece, and bars of four whole notes: in as
 * many parts as it takes, each hearing the ones before. */
TEST(however_long_it_is)
{
    static struct result r;
    static const struct {
        int n_notes, numerator, denominator;
        int64_t from, to;
    } CASES[] = {
        {40, 4, 4, 300 * 1920, 301 * 1920},
        {0, 4, 4, 0, 150 * 1920},
        {60, 4, 1, 0, 30 * 7680},
        {20, 64, 1, 0, 3 * (int64_t)64 * 1920},
    };
    struct fixture f;
    uint64_t random = 8;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct score *s = random_score(&random, CASES[i].n_notes);
        const struct meter meter = {.numerator = CASES[i].numerator,
                                    .denominator = CASES[i].denominator};
        timeline_fini(&s->timeline);
        assert_ok(timeline_init(&s->timeline, QUARTER, NULL, 0, &meter, 1));
        struct continuation_options o = whole_hole(CASES[i].to);
        o.hole.from_tick = CASES[i].from;
        o.hole.min_notes = 1;
        o.tracks = 1;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_legal(s, &o, &r);
        assert_true(r.n >= 1);
        score_destroy(s);
    }
    tear_down(&f);
}

TEST(threads_and_history_do_not_matter)
{
    static struct result a, b;
    struct fixture one, three;
    uint64_t r = 5;
    struct score *s = random_score(&r, 40), *other = random_score(&r, 40);
    struct continuation_options o = whole_hole(8000);
    set_up(&one, 256, TOKEN_COUNT, 1);
    set_up(&three, 256, TOKEN_COUNT, 3);
    assert_int_equal(run(&one, s, &o, &a), CONTINUATION_DONE);
    run(&three, other, &o, &b);
    assert_int_equal(run(&three, s, &o, &b), CONTINUATION_DONE);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_int_equal(a.notes[i].note.start, b.notes[i].note.start);
        assert_int_equal(a.notes[i].note.pitch, b.notes[i].note.pitch);
        assert_int_equal(a.notes[i].note.length, b.notes[i].note.length);
    }
    assert_true(a.n > 0);
    tear_down(&one);
    tear_down(&three);
    score_destroy(s);
    score_destroy(other);
}

/* A track without notes, when it is named: harmonising begins so. */
TEST(an_empty_track_can_be_filled)
{
    static struct result r;
    struct fixture f;
    uint64_t random = 6;
    struct score *s = random_score(&random, 40);
    struct continuation_options o = whole_hole(8000);
    o.tracks = 1u << 1;
    o.hole.min_notes = 5;
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_true(r.n >= 5);
    for (size_t i = 0; i < r.n; i++)
        assert_int_equal(r.notes[i].track, 1);
    tear_down(&f);
    score_destroy(s);
}

TEST(what_cannot_be_is_said)
{
    static struct result r;
    struct fixture f;
    uint64_t random = 7;
    struct score *s = random_score(&random, 10);
    struct continuation_options o = whole_hole(960);
    set_up(&f, 256, TOKEN_COUNT, 1);
    o.hole.from_tick = 950; /* less than a step */
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    assert_string_equal(continuation_error(f.continuation),
                        "there is no room for a note in that hole");
    o = whole_hole((int64_t)1 << 60);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    tear_down(&f);
    score_destroy(s);
}
