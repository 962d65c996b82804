/* Music that a model of random weights goes on with, or in which it fills holes: the model, the
 * music and the take of the test that runs. Include tests/check.h before it. */
#ifndef TESTS_APP_ONE_FIXTURE_H
#define TESTS_APP_ONE_FIXTURE_H

#include "tests/app/random_continuation.h"
#include "tests/app/take_checks.h"
#include "tests/midi/score_of.h"

enum { QUARTER = 480 };

/* Notes of all lengths on two of three tracks, so many times a dozen. */
static inline struct score *some_score(int n)
{
    return score_of("480 | a: (52e 67:700 r:220 60s 71q [55 64]:1900 r:100)*%d | b: | "
                    "c: (48q. 64e@30 [43 50]h r 76:90 r:30)*%d",
                    n, n);
}

static inline void assert_legal(const struct score *s,
                                const struct continuation_options *o,
                                const struct result *r)
{
    check_notes(s, o, &r->stats, r->notes, r->n);
}

static inline struct continuation_options whole_hole(int64_t to)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_PIANO;
    o.hole = CONTINUATION_HOLE_DEFAULT;
    o.hole.to_tick = to;
    return o;
}

static inline bool same_notes(const struct result *a, const struct result *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->notes[i].note.start == b->notes[i].note.start &&
               a->notes[i].note.pitch == b->notes[i].note.pitch &&
               a->notes[i].note.length == b->notes[i].note.length;
    return same;
}

static struct fixture f;
static __attribute__((unused)) struct score *music;
static __attribute__((unused)) struct result r;

static inline int begin_tiny(void **state)
{
    set_up(&f, 512, TOKEN_COUNT, 1);
    return 0;
}

static inline int end(void **state)
{
    tear_down(&f);
    score_destroy(music);
    music = NULL;
    return 0;
}

#endif
