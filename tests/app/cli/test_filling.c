/* Holes filled by models of random weights: whatever holds here is held by the program alone.
 * Always to the end, in as many parts as it takes; and what cannot be filled is said. Of random
 * holes tests/app/inspection/test_model_holes.c tells, and
 * tests/app/decoding/test_same_notes.c of threads. */
#include "tests/check.h"
#include "tests/app/filled_holes.h"

static struct fixture f;
static struct result r;
static struct score *s;

FIXTURE(end)
{
    tear_down(&f);
    score_destroy(s);
    return 0;
}

/* Far past the music, the whole of a long piece, and bars of four whole notes: in as
 * many parts as it takes, each hearing the ones before. */
TEST(however_long_it_is)
{
    static const struct {
        int n, numerator, denominator;
        int64_t from, to;
    } CASES[] = {
        {3, 4, 4, 300 * 1920, 301 * 1920},
        {0, 4, 4, 0, 150 * 1920},
        {5, 4, 1, 0, 30 * 7680},
        {2, 64, 1, 0, 3 * (int64_t)64 * 1920},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct meter meter = {.numerator = CASES[i].numerator,
                                    .denominator = CASES[i].denominator};
        struct continuation_options o = whole_hole(CASES[i].to);
        s = CASES[i].n ? some_score(CASES[i].n) : score_of("480 | a:");
        set_up(&f, 256, TOKEN_COUNT, 1);
        timeline_fini(&s->timeline);
        assert_ok(timeline_init(&s->timeline, QUARTER, NULL, 0, &meter, 1));
        o.hole.from_tick = CASES[i].from;
        o.hole.min_notes = 1;
        o.tracks = 1;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_legal(s, &o, &r);
        assert_true(r.n >= 1);
        end(state);
    }
}

TEST_IN(what_cannot_be_is_said, NULL, end)
{
    struct continuation_options o = whole_hole(960);
    s = some_score(1);
    set_up(&f, 256, TOKEN_COUNT, 1);
    o.hole.from_tick = 950; /* less than a step */
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    assert_string_equal(continuation_error(f.continuation),
                        "that hole has no room for a note");
    o = whole_hole((int64_t)1 << 60);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
}
