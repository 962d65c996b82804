/* What a continuation promises, on a model of random weights: they know no
 * music, so whatever holds here is held by the program alone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/random_continuation.h"

enum { QUARTER = 480, MAX_NOTES = 8192 };

struct result {
    struct continued_note notes[MAX_NOTES];
    size_t n;
    int64_t from, to;
    int n_tokens;
    double masked;
};

static void put(struct score *s, int track, int64_t start, int64_t length, int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = 80,
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_int_not_equal(score_add_note(s, track, n), 0);
}

/* n_quarters quarter notes on two tracks; a third track stays empty. */
static struct score *make_score(int ticks_per_quarter, int n_quarters)
{
    struct score *s = score_create(ticks_per_quarter);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "one", 0, 0), 0);
    assert_int_equal(score_add_track(s, "empty", 1, 0), 1);
    assert_int_equal(score_add_track(s, "two", 2, 0), 2);
    for (int i = 0; i < n_quarters; i++) {
        int64_t start = (int64_t)i * ticks_per_quarter;
        put(s, 0, start, ticks_per_quarter, 60 + i % 5);
        put(s, 2, start, ticks_per_quarter, 48 - i % 3);
    }
    return s;
}

static struct continuation_options options(int bars, uint64_t seed)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = bars;
    o.style = STYLE_CHORALE;
    o.sampling.seed = seed;
    return o;
}

static enum continuation_state run(struct fixture *f, const struct score *s,
                                   const struct continuation_options *o,
                                   struct result *r)
{
    struct continuation_stats stats;
    r->n = 0;
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        state = continuation_next(f->continuation, &r->notes[r->n]);
        r->n += state == CONTINUATION_NOTE;
    }
    continuation_stats(f->continuation, 0, &stats);
    r->from = stats.from_tick;
    r->to = stats.to_tick;
    r->n_tokens = stats.n_tokens;
    r->masked = stats.masked;
    return state;
}

static void assert_same(const struct result *a, const struct result *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_tokens, b->n_tokens);
    for (size_t i = 0; i < a->n; i++) {
        const struct note *x = &a->notes[i].note, *y = &b->notes[i].note;
        assert_int_equal(a->notes[i].track, b->notes[i].track);
        assert_int_equal(x->start, y->start);
        assert_int_equal(x->length, y->length);
        assert_int_equal(x->pitch, y->pitch);
        assert_int_equal(x->velocity, y->velocity);
        assert_memory_equal(&a->notes[i].log_prob, &b->notes[i].log_prob,
                            sizeof(float));
    }
}

/* Inside its hole, on tracks with notes, and nothing sounds over itself. */
static void assert_legal(const struct result *r)
{
    static int64_t silent_from[3][128];
    memset(silent_from, 0, sizeof silent_from);
    for (size_t i = 0; i < r->n; i++) {
        const struct continued_note *n = &r->notes[i];
        assert_true(n->track == 0 || n->track == 2);
        assert_true(n->note.start >= r->from);
        assert_true(n->note.length > 0);
        assert_true(n->note.start + n->note.length <= r->to);
        assert_true(n->note.start >= silent_from[n->track][n->note.pitch]);
        silent_from[n->track][n->note.pitch] = n->note.start + n->note.length;
        assert_in_range(n->note.pitch, 46 - 12, 64 + 12);
        assert_in_range(n->note.velocity, 1, 127);
        assert_true(n->log_prob <= 0.0f && n->masked >= 0.0f && n->masked <= 1.0f);
        assert_true(n->n_tokens >= 2);
        if (i)
            assert_true(n->note.start >= r->notes[i - 1].note.start);
    }
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static struct result one, three;
    struct fixture f;
    struct score *s = make_score(QUARTER, 16);
    struct continuation_options o = options(2, 7);
    o.style = CONTINUATION_STYLE_GUESS;
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &one), CONTINUATION_DONE);
    tear_down(&f);
    set_up(&f, 256, TOKEN_COUNT, 3);
    assert_int_equal(run(&f, s, &o, &three), CONTINUATION_DONE);
    tear_down(&f);
    assert_true(one.n > 0);
    assert_same(&one, &three);
    score_destroy(s);
}

static void test_stays_in_its_hole(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 16);
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct continuation_options o = options(2, seed);
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_int_equal(r.from, 16 * QUARTER);
        assert_int_equal(r.to, 24 * QUARTER);
        assert_legal(&r);
    }
    tear_down(&f);
    score_destroy(s);
}

/* Six quarters: the second bar is completed, then come the two asked for. */
static void test_completes_a_bar_begun(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 6);
    struct continuation_options o = options(2, 3);
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_int_equal(r.from, 6 * QUARTER);
    assert_int_equal(r.to, 16 * QUARTER);
    assert_legal(&r);
    tear_down(&f);
    score_destroy(s);
}

/* Other seeds, other music: what was read for them must not show. */
static void test_the_past_changes_nothing(void **state)
{
    (void)state;
    static struct result fresh, again;
    struct fixture f;
    struct score *s = make_score(QUARTER, 70), *other = make_score(QUARTER, 66);
    struct continuation_options o = options(1, 11), another = options(1, 12);
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &fresh), CONTINUATION_DONE);
    assert_int_equal(run(&f, s, &another, &again), CONTINUATION_DONE);
    assert_int_equal(run(&f, other, &o, &again), CONTINUATION_DONE);
    assert_int_equal(run(&f, s, &o, &again), CONTINUATION_DONE);
    assert_same(&fresh, &again);
    tear_down(&f);
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, other, &another, &again), CONTINUATION_DONE);
    assert_int_equal(run(&f, s, &o, &again), CONTINUATION_DONE);
    assert_same(&fresh, &again);
    tear_down(&f);
    score_destroy(s);
    score_destroy(other);
}

static void test_seeds_differ(void **state)
{
    (void)state;
    static struct result a, b;
    struct fixture f;
    struct score *s = make_score(QUARTER, 8);
    struct continuation_options o = options(2, 1), p = options(2, 2);
    set_up(&f, 256, TOKEN_COUNT, 1);
    run(&f, s, &o, &a);
    run(&f, s, &p, &b);
    assert_false(a.n == b.n && a.n_tokens == b.n_tokens &&
                 a.notes[0].note.pitch == b.notes[0].note.pitch);
    tear_down(&f);
    score_destroy(s);
}

/* A context far shorter than what is asked for. */
static void test_slides(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 40);
    int n_slid = 0;
    set_up(&f, 96, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct continuation_options o = options(12, seed);
        o.max_polyphony = 4; /* a line may become chords */
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        n_slid += r.n_tokens > 2 * 96;
        assert_int_equal(r.to, 88 * QUARTER);
        assert_legal(&r);
    }
    assert_true(n_slid >= 10);
    tear_down(&f);
    score_destroy(s);
}

/* A bar with more notes than the context has tokens. */
static void test_a_bar_too_full(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 4);
    struct continuation_options o = options(1, 1);
    for (int i = 0; i < 96; i++)
        put(s, 0, 4 * QUARTER + i * 20, 20, 50 + i % 12);
    o.style = CONTINUATION_STYLE_GUESS;
    set_up(&f, 64, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_int_equal(r.from, 8 * QUARTER);
    assert_legal(&r);
    tear_down(&f);
    score_destroy(s);
}

static void test_one_voice(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 8);
    struct continuation_options o = options(4, 5);
    o.max_polyphony = 1;
    o.tracks = 1u << 2;
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_true(r.n > 1);
    for (size_t i = 0; i < r.n; i++) {
        assert_int_equal(r.notes[i].track, 2);
        if (i)
            assert_true(r.notes[i].note.start >=
                        r.notes[i - 1].note.start + r.notes[i - 1].note.length);
    }
    tear_down(&f);
    score_destroy(s);
}

/* Four ticks a quarter: most of the model's steps fall between them. */
static void test_coarse_ticks(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(4, 7);
    struct continuation_options o = options(4, 2);
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    assert_int_equal(r.from, 28);
    assert_int_equal(r.to, 96);
    assert_legal(&r);
    tear_down(&f);
    score_destroy(s);
}

static void test_begins_an_empty_score(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = score_create(QUARTER);
    struct continuation_options o = options(2, 4);
    o.style = CONTINUATION_STYLE_GUESS;
    set_up(&f, 256, TOKEN_COUNT, 1);
    static const enum style STYLES[] = {STYLE_PIANO, STYLE_DRUMS, STYLE_BAND};
    for (int n_tracks = 0; n_tracks <= 2; n_tracks++) {
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        assert_int_equal(continuation_style(f.continuation), STYLES[n_tracks]);
        assert_int_equal(r.from, 0);
        assert_int_equal(r.to, 8 * QUARTER);
        assert_true(r.n > 0);
        for (size_t i = 0; i < r.n; i++)
            assert_int_equal(r.notes[i].track, n_tracks == 2 ? 1 : 0);
        /* drums first: they are passed over */
        assert_true(score_add_track(s, "t", n_tracks == 0 ? 9 : 0, 0) >= 0);
    }
    tear_down(&f);
    score_destroy(s);
}

static void test_cancels(void **state)
{
    (void)state;
    static struct result r, after;
    struct fixture f;
    atomic_bool cancel = true;
    struct continued_note n;
    struct score *s = make_score(QUARTER, 16);
    struct continuation_options o = options(2, 9);
    set_up(&f, 256, TOKEN_COUNT, 2);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);

    continuation_set_cancel(f.continuation, &cancel);
    o.style = STYLE_PIANO; /* so that there is something to read */
    assert_int_equal(continuation_begin(f.continuation, s, &o), CONTINUATION_CANCELLED);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_CANCELLED);

    o.style = STYLE_CHORALE;
    cancel = false;
    assert_int_equal(continuation_begin(f.continuation, s, &o), CONTINUATION_BEGUN);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_NOTE);
    cancel = true;
    int late = 0;
    while (continuation_next(f.continuation, &n) == CONTINUATION_NOTE)
        late++;
    assert_true(late <= 1);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_CANCELLED);

    cancel = false;
    assert_int_equal(run(&f, s, &o, &after), CONTINUATION_DONE);
    assert_same(&r, &after);
    tear_down(&f);
    score_destroy(s);
}

/* Notes of one take, in their order. */
static size_t take_of(const struct result *all, int take, struct result *one)
{
    one->n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (all->notes[i].take == take)
            one->notes[one->n++] = all->notes[i];
    return one->n;
}

static void test_takes_are_those_drawn_alone(void **state)
{
    (void)state;
    static struct result all, mine, alone;
    struct fixture f;
    struct score *s = make_score(QUARTER, 16);
    for (int bars = 2; bars <= 24; bars += 22) { /* the longer ones slide */
        struct continuation_options o = options(bars, 3);
        o.n_takes = 5;
        set_up(&f, 256, TOKEN_COUNT, 2);
        assert_int_equal(run(&f, s, &o, &all), CONTINUATION_DONE);
        for (int take = 0; take < 5; take++) {
            struct continuation_stats together, apart;
            o.n_takes = 5;
            assert_int_equal(run(&f, s, &o, &all), CONTINUATION_DONE);
            continuation_stats(f.continuation, take, &together);
            assert_true(take_of(&all, take, &mine) > 0);
            o.n_takes = 1;
            o.sampling.seed = 3 + (uint64_t)take;
            assert_int_equal(run(&f, s, &o, &alone), CONTINUATION_DONE);
            o.sampling.seed = 3;
            continuation_stats(f.continuation, 0, &apart);
            mine.n_tokens = together.n_tokens;
            assert_same(&mine, &alone);
            assert_true(together.log_prob == apart.log_prob && together.is_done);
            assert_true(continuation_merit(&together) <=
                        together.log_prob / together.n_tokens);
        }
        tear_down(&f);
    }
    score_destroy(s);
}

static void test_refuses_other_models(void **state)
{
    (void)state;
    struct continuation *c = NULL;
    struct model *m;
    struct pool *pool = pool_create(1);
    struct model_config other = tiny_config(256), narrow = tiny_config(16);
    other.vocab = 100;
    assert_int_equal(model_random(&m, &other, 1), MODEL_OK);
    assert_int_equal(continuation_create(&c, m, pool), MODEL_OTHER_TOKENS);
    model_close(m);
    assert_int_equal(model_random(&m, &narrow, 1), MODEL_OK);
    assert_int_equal(continuation_create(&c, m, pool), MODEL_BAD_CONFIG);
    model_close(m);
    pool_destroy(pool);
}

static void test_says_what_is_too_long(void **state)
{
    (void)state;
    static struct result r;
    struct fixture f;
    struct score *s = make_score(QUARTER, 4);
    struct continuation_options o = options(2, 1);
    struct continuation_stats none;
    set_up(&f, 256, TOKEN_COUNT, 1);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    put(s, 0, INT64_C(1) << 40, QUARTER, 60);
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_ERROR);
    assert_true(strlen(continuation_error(f.continuation)) > 0);
    for (int take = 0; take < CONTINUATION_MAX_TAKES;
         take++) { /* that were not begun */
        continuation_stats(f.continuation, take, &none);
        assert_true(none.n_tokens == 0 && none.to_tick == 0);
    }
    tear_down(&f);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_stays_in_its_hole),
        cmocka_unit_test(test_completes_a_bar_begun),
        cmocka_unit_test(test_the_past_changes_nothing),
        cmocka_unit_test(test_seeds_differ),
        cmocka_unit_test(test_slides),
        cmocka_unit_test(test_a_bar_too_full),
        cmocka_unit_test(test_one_voice),
        cmocka_unit_test(test_coarse_ticks),
        cmocka_unit_test(test_begins_an_empty_score),
        cmocka_unit_test(test_cancels),
        cmocka_unit_test(test_takes_are_those_drawn_alone),
        cmocka_unit_test(test_refuses_other_models),
        cmocka_unit_test(test_says_what_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
