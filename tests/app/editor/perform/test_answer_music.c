/* What an answer is promised to be, on a model of random weights: it begins with a note
 * where it was asked to, ends in time, and hears no more than it should. */
#include "tests/check.h"
#include "midi/tokens/piece.h"
#include "tests/app/random_continuation.h"

enum { QUARTER = 480, STEP = QUARTER / STEPS_PER_QUARTER, BAR = 4 * QUARTER };
enum { MOST = 2048 };

struct result {
    struct continued_note notes[MOST];
    size_t n;
};

static void put(struct score *s, int64_t start, int64_t length, int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = 80,
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_int_not_equal(score_add_note(s, 0, n), 0);
}

/* Eight bars of quarters, the last of which sounds far into what follows. */
static struct score *make_score(int first_pitch)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "one", 0, 0), 0);
    for (int i = 0; i < 32; i++)
        put(s, i * QUARTER, i < 31 ? QUARTER : 6 * QUARTER,
            i ? 60 + 2 * (i % 5) : first_pitch);
    return s;
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

static void run(struct fixture *f, const struct score *s,
                const struct continuation_options *o, struct result *r)
{
    r->n = 0;
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MOST);
        state = continuation_next(f->continuation, &r->notes[r->n]);
        r->n += state == CONTINUATION_NOTE;
    }
    assert_int_equal(state, CONTINUATION_DONE);
}

static void assert_same(const struct result *a, const struct result *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->notes[i].note.start, b->notes[i].note.start);
        assert_int_equal(a->notes[i].note.pitch, b->notes[i].note.pitch);
        assert_int_equal(a->notes[i].note.length, b->notes[i].note.length);
    }
}

static int open_model(void **state)
{
    static struct fixture f;
    set_up(&f, 512, TOKEN_COUNT, 1);
    *state = &f;
    return 0;
}

static int close_model(void **state)
{
    tear_down(*state);
    return 0;
}

/* At every step of some bars, also where a note sounds on, in the middle of a bar, in a
 * bar that the music has not reached, and right after a note has begun. */
TEST_IN(it_begins_and_ends_where_it_was_asked_to, open_model, close_model)
{
    static struct result r;
    struct fixture *f = *state;
    struct score *s = make_score(60);
    for (int i = 1; i < 300; i += 7) {
        int64_t begin = 31 * QUARTER + i * STEP, end = begin + BAR + i * STEP;
        struct continuation_options o = options(begin - STEP / 2, end);
        run(f, s, &o, &r);
        assert_true(r.n > 0);
        assert_int_equal(r.notes[0].note.start, begin);
        for (size_t k = 0; k < r.n; k++) {
            const struct note *n = &r.notes[k].note;
            assert_true(n->start >= begin && n->start + n->length <= end);
            bool sounds_already = n->pitch == 62 && n->start < 37 * QUARTER;
            assert_false(sounds_already); /* the last note of the score does */
        }
    }
    score_destroy(s);
}

TEST_IN(it_begins_after_what_has_begun, open_model, close_model)
{
    static struct result r;
    struct fixture *f = *state;
    struct score *s = make_score(60);
    struct continuation_options o = options(4 * QUARTER, 5 * BAR);
    run(f, s, &o, &r);
    assert_int_equal(r.notes[0].note.start, 31 * QUARTER + STEP);
    score_destroy(s);
}

/* Keys are let go when they are, not on a step: none that is down is struck again, and
 * where all are down the answer begins a step later. */
TEST_IN(it_waits_for_keys_that_are_down, open_model, close_model)
{
    static struct result r;
    struct fixture *f = *state;
    struct score *s = make_score(60);
    const int64_t begin = 40 * QUARTER, end = 44 * QUARTER;
    for (int pitch = 21; pitch <= 108; pitch++)
        put(s, 38 * QUARTER, 2 * QUARTER + STEP / 3, pitch);
    struct continuation_options o = options(begin, end);
    run(f, s, &o, &r);
    assert_true(r.n > 0);
    assert_int_equal(r.notes[0].note.start, begin + STEP);
    score_destroy(s);
}

/* The last note of the score is the one that may sound; it does so for six quarters. */
TEST_IN(it_waits_for_a_voice, open_model, close_model)
{
    static struct result r;
    struct fixture *f = *state;
    struct score *s = make_score(60);
    struct continuation_options o = options(34 * QUARTER, 40 * QUARTER);
    o.max_polyphony = 1;
    run(f, s, &o, &r);
    assert_true(r.n > 0);
    assert_int_equal(r.notes[0].note.start, 37 * QUARTER);
    o.end_tick = 36 * QUARTER;
    run(f, s, &o, &r);
    assert_int_equal(r.n, 0);
    score_destroy(s);
}

TEST_IN(what_was_read_before_changes_no_note, open_model, close_model)
{
    static struct result fresh, after;
    struct fixture *f = *state;
    struct score *s = make_score(60), *less = make_score(60);
    struct continuation_options o = options(9 * BAR, 10 * BAR);
    less->tracks[0].n_notes -= 5;
    run(f, s, &o, &fresh);
    struct continuation_options early = options(7 * BAR, 8 * BAR);
    assert_int_equal(continuation_begin(f->continuation, less, &early),
                     CONTINUATION_BEGUN);
    run(f, s, &o, &after);
    assert_same(&fresh, &after);
    less->tracks[0].n_notes += 5;
    score_destroy(less);
    score_destroy(s);
}

TEST_IN(it_does_not_hear_what_was_long_ago, open_model, close_model)
{
    static struct result one, other;
    struct fixture *f = *state;
    struct score *s = make_score(62), *t = make_score(64);
    struct continuation_options o = options(9 * BAR, 10 * BAR);
    o.hear_tick = 2 * BAR + 5;
    run(f, s, &o, &one);
    run(f, t, &o, &other);
    assert_same(&one, &other);
    o.hear_tick = 400 * BAR; /* past the end: the last bar */
    run(f, s, &o, &one);
    assert_true(one.n > 0);
    score_destroy(s);
    score_destroy(t);
}

TEST_IN(what_the_grid_cannot_hold_is_refused, open_model, close_model)
{
    struct fixture *f = *state;
    struct score *s = make_score(60);
    struct continuation_options o = options(INT64_MAX / 2, INT64_MAX - 1);
    assert_int_equal(continuation_begin(f->continuation, s, &o), CONTINUATION_ERROR);
    o = options(INT64_MIN, 9 * BAR);
    assert_int_equal(continuation_begin(f->continuation, s, &o), CONTINUATION_BEGUN);
    score_destroy(s);
}
