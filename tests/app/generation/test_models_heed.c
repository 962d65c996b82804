/* The shipped model does what it is asked: for each constraint, what is asked and what is got
 * rise together. Holes in the bundled example, several takes of each; the figures are
 * those of midi/tokens/fill.h. */
#include "tests/check.h"
#include "app/decoding/model_file.h"
#include "app/document/rewrite.h"
#include "app/generation/steer.h"
#include "midi/smf/smf.h"

enum { TAKES = 8, FIRST = 1, ALL = 15 };

struct engine {
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
    struct score *score;
};

static int set_up(void **state)
{
    struct engine *e = calloc(1, sizeof *e);
    char detail[96];
    *state = e;
    if (!e || model_file_open(&e->model, "models/continuo.safetensors", detail,
                              sizeof detail))
        return -1;
    e->pool = pool_create(2);
    return continuation_create(&e->continuation, e->model, e->pool) ||
           smf_load(&e->score, "models/example.mid", NULL);
}

static int tear_down(void **state)
{
    struct engine *e = *state;
    continuation_destroy(e->continuation);
    pool_destroy(e->pool);
    model_close(e->model);
    score_destroy(e->score);
    free(e);
    return 0;
}

/* Of one of some notes, all takes together. */
typedef double measure(const struct continued_note *notes, size_t n, size_t i);

static double voices(const struct continued_note *notes, size_t n, size_t i)
{
    int count = 0;
    for (size_t k = 0; k < n; k++)
        count += notes[k].take == notes[i].take &&
                 notes[k].note.start <= notes[i].note.start &&
                 notes[k].note.start + notes[k].note.length > notes[i].note.start;
    return count;
}

static double log_length(const struct continued_note *notes, size_t n, size_t i)
{
    return log2((double)notes[i].note.length);
}

static double pitch(const struct continued_note *notes, size_t n, size_t i)
{
    return notes[i].note.pitch;
}

/* Bars 3 to 6 of these tracks, written with these constraints: the mean over their notes, or
 * without a measure how many there are. */
static double ask(struct engine *e, const struct steering *constraints, uint64_t tracks,
                  measure *of)
{
    static struct continued_note notes[8192];
    struct score *s = score_clone(e->score);
    struct continuation_options o = CONTINUATION_DEFAULT;
    int64_t bar = timeline_bar(&s->timeline, 0).length;
    steer_apply(constraints, &o);
    o.hole.from_tick = 2 * bar;
    o.hole.to_tick = 6 * bar;
    o.tracks = tracks;
    o.n_takes = TAKES;
    rewrite_take_out(s, &o, NULL);
    enum continuation_state state = continuation_begin(e->continuation, s, &o);
    size_t n = 0;
    while (n < sizeof notes / sizeof notes[0] &&
           (state = continuation_next(e->continuation, &notes[n])) == CONTINUATION_NOTE)
        n++;
    assert_int_equal(state, CONTINUATION_DONE);
    assert_true(n > 0);
    score_destroy(s);
    double sum = 0;
    for (size_t i = 0; of && i < n; i++)
        sum += of(notes, n, i);
    return of ? sum / (double)n : (double)n;
}

/* From each value to the next. */
static void assert_rises(struct engine *e, uint64_t tracks, measure *of,
                         const char *name, const char *const *values)
{
    double last = -INFINITY;
    for (; *values; values++) {
        struct steering constraints = STEERING_DEFAULT;
        assert_true(steer_set(steer_find(name), &constraints, *values));
        double got = ask(e, &constraints, tracks, of);
        if (got <= last)
            fail_msg("%s %s: %g, not above %g", name, *values, got, last);
        last = got;
    }
}

TEST(what_is_got_rises_with_what_is_asked)
{
    static const struct {
        const char *name, *values[4];
        uint64_t tracks;
        measure *of;
    } CASES[] = {
        {"density", {"0.35", "0.71", "1.41"}, FIRST, NULL},
        {"voices", {"1", "4"}, ALL, voices},
        {"note-length", {"0.25", "1", "4"}, FIRST, log_length},
        {"register", {"54", "66", "84"}, FIRST, pitch},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_rises(*state, CASES[i].tracks, CASES[i].of, CASES[i].name,
                     CASES[i].values);
}

GROUP(set_up, tear_down)
