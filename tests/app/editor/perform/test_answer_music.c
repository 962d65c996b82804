/* What an answer is promised to be, on a model of random weights: it begins with a note
 * where it was asked to, ends in time, and hears no more than it should. */
#include "tests/check.h"
#include "tests/app/one_fixture.h"

enum { STEP = QUARTER / STEPS_PER_QUARTER, BAR = 4 * QUARTER };

/* Eight bars of quarters, the last of which sounds far into what follows. */
static struct score *make_score(int first_pitch)
{
    return score_of("480 | one: %dq 62 64 66 68 (60 62 64 66 68)*5 60 62:2880",
                    first_pitch);
}

static struct continuation_options options(int64_t begin, int64_t end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.sampling.seed = 3;
    o.begin_tick = begin;
    o.end_tick = end;
    return o;
}

GROUP(begin_tiny, end)

static void answer(const struct score *s, const struct continuation_options *o)
{
    assert_int_equal(run(&f, s, o, &r), CONTINUATION_DONE);
}

/* At every step of some bars, also where a note sounds on, in the middle of a bar, in a
 * bar that the music has not reached, and right after a note has begun. */
TEST(it_begins_and_ends_where_it_was_asked_to)
{
    auto_score *s = make_score(60);
    for (int i = 1; i < 300; i += 7) {
        int64_t begin = 31 * QUARTER + i * STEP, end = begin + BAR + i * STEP;
        struct continuation_options o = options(begin - STEP / 2, end);
        answer(s, &o);
        assert_true(r.n > 0);
        assert_int_equal(r.notes[0].note.start, begin);
        for (size_t k = 0; k < r.n; k++) {
            const struct note *n = &r.notes[k].note;
            assert_true(n->start >= begin && n->start + n->length <= end);
            bool sounds_already = n->pitch == 62 && n->start < 37 * QUARTER;
            assert_false(sounds_already); /* the last note of the score does */
        }
    }
}

static void assert_begins(const struct score *s, const struct continuation_options *o,
                          int64_t wanted)
{
    answer(s, o);
    assert_true(r.n > 0);
    assert_int_equal(r.notes[0].note.start, wanted);
}

TEST(it_begins_after_what_has_begun)
{
    auto_score *s = make_score(60);
    struct continuation_options o = options(4 * QUARTER, 5 * BAR);
    assert_begins(s, &o, 31 * QUARTER + STEP);
}

/* Keys are let go when they are, not on a step: none that is down is struck again, and
 * where all are down the answer begins a step later. */
TEST(it_waits_for_keys_that_are_down)
{
    auto_score *s = make_score(60);
    for (int pitch = 21; pitch <= 108; pitch++)
        put_note(s, 0, 38 * QUARTER, 2 * QUARTER + STEP / 3, pitch);
    struct continuation_options o = options(40 * QUARTER, 44 * QUARTER);
    assert_begins(s, &o, 40 * QUARTER + STEP);
}

/* The last note of the score is the one that may sound; it does so for six quarters. */
TEST(it_waits_for_a_voice)
{
    auto_score *s = make_score(60);
    struct continuation_options o = options(34 * QUARTER, 40 * QUARTER);
    o.max_polyphony = 1;
    assert_begins(s, &o, 37 * QUARTER);
    o.end_tick = 36 * QUARTER;
    answer(s, &o);
    assert_int_equal(r.n, 0);
}

TEST(it_does_not_hear_what_was_long_ago)
{
    static struct result one;
    auto_score *s = make_score(62);
    auto_score *t = make_score(64);
    struct continuation_options o = options(9 * BAR, 10 * BAR);
    o.hear_tick = 2 * BAR + 5;
    answer(s, &o);
    one = r;
    answer(t, &o);
    assert_true(same_notes(&one, &r));
    o.hear_tick = 400 * BAR; /* past the end: the last bar */
    answer(s, &o);
    assert_true(r.n > 0);
}

TEST(what_the_grid_cannot_hold_is_refused)
{
    auto_score *s = make_score(60);
    struct continuation_options o = options(INT64_MAX / 2, INT64_MAX - 1);
    struct take take = {0};
    assert_int_equal(continuation_begin(f.continuation, s, &o, &take, 1),
                     CONTINUATION_ERROR);
    o = options(INT64_MIN, 9 * BAR);
    assert_int_equal(continuation_begin(f.continuation, s, &o, &take, 1),
                     CONTINUATION_BEGUN);
    take_fini(&take);
}
