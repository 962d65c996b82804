/* Where a hole is filled in parts, what was drawn in one and sounds into the next is a voice
 * there, too: a limit of them holds throughout. Of a model of random weights, whose context
 * is full in the middle of bars, since many tracks have short notes and long ones. */
#include "tests/check.h"
#include "tests/app/made_takes.h"
#include "tests/app/random_continuation.h"

enum { QUARTER = 480, TRACKS = 8, SEEDS = 8, MOST_VOICES = 2, CONTEXT = 128 };

/* Bars without a note but at their ends, on each track. */
static struct score *empty_bars(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    for (int t = 0; t < TRACKS; t++) {
        const struct note n = {.start = (int64_t)8 * 4 * QUARTER,
                               .length = QUARTER,
                               .pitch = (uint8_t)(40 + 5 * t),
                               .velocity = 80,
                               .on_order = ORDER_LAST};
        assert_int_equal(score_add_track(s, "a track", (uint8_t)t, 0), t);
        assert_int_not_equal(score_add_note(s, t, n), 0);
    }
    return s;
}

static int count_voices(const struct made *m, int take, const struct continued_note *n)
{
    int count = 0;
    for (size_t i = 0; i < m->n[take]; i++) {
        const struct continued_note *other = &m->notes[take][i];
        count += other->track == n->track && other->note.start <= n->note.start &&
                 n->note.start < other->note.start + other->note.length;
    }
    return count;
}

static struct continuation_options options(int seed, int voices)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.hole.to_tick = (int64_t)8 * 4 * QUARTER;
    o.max_polyphony = voices;
    o.n_takes = 4;
    o.sampling.seed = (uint64_t)(100 * seed);
    return o;
}

TEST(a_limit_holds_throughout)
{
    static struct made m;
    struct fixture f;
    struct score *s = empty_bars();
    set_up(&f, CONTEXT, TOKEN_COUNT, 1);
    for (int seed = 0; seed < SEEDS; seed++) {
        struct continuation_options o = options(seed, 1 + seed % MOST_VOICES);
        make_takes(f.continuation, s, &o, &m);
        assert_int_equal(m.end, CONTINUATION_DONE);
        for (int take = 0; take < o.n_takes; take++)
            for (size_t i = 0; i < m.n[take]; i++)
                assert_in_range(count_voices(&m, take, &m.notes[take][i]), 1,
                                o.max_polyphony);
        assert_true(m.n[0] > TRACKS);
    }
    tear_down(&f);
    score_destroy(s);
}
