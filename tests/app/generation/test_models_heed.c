/* The shipped model does what it is asked: for each constraint, what is asked and what is got
 * rise together. Holes in the bundled example, several takes of each; the figures are
 * those of midi/tokens/fill.h. */
#include "tests/check.h"
#include "tests/app/auto.h"
#include "tests/app/made_takes.h"
#include "app/document/rewrite.h"
#include "app/generation/steer.h"
#include "app/generation/take.h"
#include "midi/smf/smf.h"

enum { TAKES = 8, FIRST = 1, ALL = 15 };

static struct engine engine;
static struct score *example;

static int set_up(void **state)
{
    return !engine_open(&engine, "continuo", PRECISION_DEFAULT, 2) ||
           smf_load(&example, "models/example.mid", NULL);
}

static int tear_down(void **state)
{
    engine_close(&engine);
    score_destroy(example);
    return 0;
}

/* Of one of the notes of a take. */
typedef double measure(const struct continued_note *notes, size_t n, size_t i);

static double voices(const struct continued_note *notes, size_t n, size_t i)
{
    int count = 0;
    for (size_t k = 0; k < n; k++)
        count += notes[k].note.start <= notes[i].note.start &&
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
static double ask(const struct steering *constraints, uint64_t tracks, measure *of)
{
    static struct made made;
    auto_score *s = score_clone(example);
    struct continuation_options o = CONTINUATION_DEFAULT;
    const int64_t bar = timeline_bar(&example->timeline, 0).length;
    double n = 0, sum = 0;
    steer_apply(constraints, &o);
    o.hole.from_tick = 2 * bar;
    o.hole.to_tick = 6 * bar;
    o.tracks = tracks;
    o.n_takes = TAKES;
    rewrite_take_out(s, &o, NULL);
    make_takes(engine.continuation, s, &o, &made);
    assert_int_equal(made.end, CONTINUATION_DONE);
    for (int k = 0; k < TAKES; k++, n += (double)made.n[k - 1])
        for (size_t i = 0; of && i < made.n[k]; i++)
            sum += of(made.notes[k], made.n[k], i);
    assert_true(n > 0);
    return of ? sum / n : n;
}

/* From each value to the next. */
static void assert_rises(uint64_t tracks, measure *of, const char *name,
                         const char *const *values)
{
    double last = -INFINITY;
    for (; *values; values++) {
        struct steering constraints = STEERING_DEFAULT;
        assert_true(steer_set(steer_find(name), &constraints, *values));
        double got = ask(&constraints, tracks, of);
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
        assert_rises(CASES[i].tracks, CASES[i].of, CASES[i].name, CASES[i].values);
}

GROUP(set_up, tear_down)
