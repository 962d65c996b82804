/* The second promise: the same file, model, seed and settings give the same notes. To the
 * bit, whatever the number of threads, whoever else is decoding, whatever was asked
 * before and however the music came, and whoever looks. Requests are random
 * (tests/app/random_music.h), of a model of random weights and, less often, of the bundled one, in
 * every precision; tests/app/cli/test_same_bytes.c does it from process to process. */
#include "tests/check.h"
#include "tests/app/made_takes.h"
#include "tests/app/tiny_model.h"
#include "tests/midi/score_of.h"

enum { QUARTER = 480, LONG_NOTES = 130, GROWN_IN = 9 };
enum { CONTEXT = 128, MOST_THREADS = 3, N_TINY = 12, MOST_KINDS = 3 };

static const struct model_precision KINDS[MOST_KINDS] = {
    {WEIGHTS_F32, CACHE_F32}, {WEIGHTS_BF16, CACHE_INT8}, {WEIGHTS_INT8, CACHE_INT8}};

/* A model, and who writes with it: on a pool of each size. */
struct writers {
    struct model *model;
    struct pool *pools[MOST_THREADS];
    struct continuation *of[MOST_THREADS];
};

static atomic_bool cancel; /* of all writers */

static void open_writers(struct writers *w)
{
    for (int i = 0; i < MOST_THREADS; i++) {
        w->pools[i] = pool_create(i + 1);
        assert_non_null(w->pools[i]);
        assert_ok(continuation_create(&w->of[i], w->model, w->pools[i], &cancel));
    }
}

static struct writers tiny_writers(struct model_precision p)
{
    struct writers w = {0};
    struct model_config c = tiny_config(CONTEXT);
    c.position = POSITION_NONE;
    c.relative = RELATIVE_ROTARY;
    c.time = TIME_ROTARY;
    assert_ok(model_random(&w.model, &c, 7));
    w.model->precision = p;
    open_writers(&w);
    return w;
}

static struct writers bundled_writers(struct model_precision p)
{
    struct writers w = {.model = bundled_model(NULL)};
    w.model->precision = p;
    open_writers(&w);
    return w;
}

static void close_writers(struct writers *w)
{
    for (int i = 0; i < MOST_THREADS; i++) {
        continuation_destroy(w->of[i]);
        pool_destroy(w->pools[i]);
    }
    model_close(w->model);
}

static void each_kind(void (*compare)(const struct writers *w, uint64_t number))
{
    for (int k = 0; k < MOST_KINDS; k++) {
        struct writers w = tiny_writers(KINDS[k]);
        for (uint64_t i = 0; i < N_TINY; i++)
            compare(&w, i);
        close_writers(&w);
    }
}

/* -- threads, and takes beside one another -- */

static void check_company(const struct writers *w, uint64_t number)
{
    static struct made all, some;
    auto_asking a;
    random_asking(&a, number, CONTINUATION_MAX_TAKES);
    make_takes(w->of[0], a.given, &a.o, &all);
    for (int i = 1; i < MOST_THREADS; i++) {
        make_takes(w->of[i], a.given, &a.o, &some);
        assert_same_takes(&all, &some);
    }
    const uint64_t seed = a.o.sampling.seed;
    for (int n = 4; n >= 1; n -= 3)
        for (int i = 0; i < CONTINUATION_MAX_TAKES; i += 3) {
            a.o.n_takes = n;
            a.o.sampling.seed = seed + (uint64_t)i;
            make_takes(w->of[i % MOST_THREADS], a.given, &a.o, &some);
            for (int k = 0; k < n && i + k < CONTINUATION_MAX_TAKES; k++)
                assert_same_take(&all, i + k, &some, k);
        }
}

TEST(threads_and_company_change_no_bit)
{
    each_kind(check_company);
    for (int k = 0; k < MOST_KINDS; k++) {
        struct writers w = bundled_writers(KINDS[k]);
        check_company(&w, (uint64_t)k);
        close_writers(&w);
    }
}

/* -- what went before -- */

/* A few notes, and then it is given up. */
static void begin_another(struct continuation *c, uint64_t number)
{
    struct made some = {.n_takes = 3};
    auto_asking a;
    random_asking(&a, number, 3);
    if (continuation_begin(c, a.given, &a.o, some.takes, 3) == CONTINUATION_BEGUN)
        for (int i = 0; i < 25 && continuation_next(c) == CONTINUATION_BEGUN; i++)
            continue;
    made_fini(&some);
}

static void cancel_another(struct continuation *c, uint64_t number)
{
    auto_asking a;
    random_asking(&a, number, 2);
    cancel = true;
    continuation_begin(c, a.given, &a.o, (struct take[2]){{0}}, 2);
    cancel = false;
}

/* By one that was never asked anything, and by one that was asked a lot. */
static void check_history(const struct writers *w, uint64_t number)
{
    static struct made fresh, after;
    struct continuation *c;
    auto_asking a;
    assert_ok(continuation_create(&c, w->model, w->pools[1], NULL));
    random_asking(&a, number, 2);
    make_takes(c, a.given, &a.o, &fresh);
    continuation_destroy(c);
    begin_another(w->of[1], number + 1);
    make_takes(w->of[1], a.given, &a.o, &after);
    assert_same_takes(&fresh, &after);
    make_takes(w->of[1], a.given, &a.o, &after);
    assert_same_takes(&fresh, &after);
    cancel_another(w->of[1], number + 2);
    make_takes(w->of[1], a.given, &a.o, &after);
    assert_same_takes(&fresh, &after);
}

TEST(what_was_asked_before_changes_no_bit)
{
    each_kind(check_history);
}

/* -- how the music came -- */

/* The music as it was when this much of it had been played. */
static struct score *played_so_far(const struct score *s, int64_t tick)
{
    struct score *part = score_clone(s);
    assert_non_null(part);
    for (int t = 0; t < (int)part->n_tracks; t++)
        part->tracks[t].n_notes = score_first_note_at(part, t, tick);
    return part;
}

/* Three voices that go on for longer than a reader's block, and past a short context. */
static struct score *long_music(uint64_t *r)
{
    struct score *s = score_of("480 | a: | b: | c:");
    for (int i = 0; i < LONG_NOTES; i++) {
        const int64_t start = (int64_t)(i / 3) * QUARTER / 2 + random_below(r, 20);
        const int pitch = 40 + 12 * (i % 3) + random_below(r, 12);
        assert_true(
            score_add_note(s, i % 3, music_note(start, QUARTER / 2 - 20, pitch, 80)));
    }
    return s;
}

/* Read ahead as it grows, as an answer's music is, or all at once. */
static void assert_growing_is_whole(const struct writers *w, const struct score *s,
                                    const struct continuation_options *o)
{
    static struct made at_once, grown;
    struct continuation *c;
    assert_ok(continuation_create(&c, w->model, w->pools[0], NULL));
    make_takes(w->of[0], s, o, &at_once);
    const int64_t end = score_end_tick(s) + 1;
    for (int i = 1; i <= GROWN_IN; i++) {
        auto_score *part = played_so_far(s, end * i / GROWN_IN);
        continuation_begin(c, part, o, &(struct take){0}, 1);
    }
    make_takes(c, s, o, &grown);
    assert_same_takes(&at_once, &grown);
    continuation_destroy(c);
}

static void check_played(const struct writers *w, uint64_t number)
{
    auto_asking a;
    random_asking(&a, number, 2);
    assert_growing_is_whole(w, a.given, &a.o);
    if (number % 3)
        return;
    auto_score *s = long_music(&number);
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.bars = 1;
    assert_growing_is_whole(w, s, &o);
    o.begin_tick = score_end_tick(s) - 10; /* an answer, while a key is down */
    o.end_tick = o.begin_tick + 2 * QUARTER;
    assert_growing_is_whole(w, s, &o);
}

TEST(how_the_music_came_changes_no_bit)
{
    each_kind(check_played);
}
