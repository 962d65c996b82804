/* All results of a request, to compare with another run's: every field of every note and the
 * takes' figures, bit for bit. */
#ifndef TESTS_APP_MADE_TAKES_H
#define TESTS_APP_MADE_TAKES_H

#include "tests/app/random_music.h"

struct made {
    enum continuation_state end;
    int n_takes;
    struct take takes[CONTINUATION_MAX_TAKES];
};

static inline void made_fini(struct made *m)
{
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++)
        take_fini(&m->takes[i]);
}

/* Runs the request on one thread until DONE or ERROR. *m: zeroed, or made before. */
static inline void make_takes(struct continuation *c, const struct score *s,
                              const struct continuation_options *o, struct made *m)
{
    made_fini(m);
    m->n_takes = o->n_takes;
    for (int i = 0; i < o->n_takes; i++)
        m->takes[i].seed = o->sampling.seed + (uint64_t)i;
    m->end = continuation_begin(c, s, o, m->takes, o->n_takes);
    while (m->end == CONTINUATION_BEGUN)
        m->end = continuation_next(c);
}

static inline void assert_same_note(const struct continued_note *a,
                                    const struct continued_note *b)
{
    assert_int_equal(a->track, b->track);
    assert_memory_equal(&a->note, &b->note, sizeof a->note);
    assert_int_equal(a->n_tokens, b->n_tokens);
    assert_memory_equal(&a->log_prob, &b->log_prob, sizeof a->log_prob);
    assert_memory_equal(&a->masked, &b->masked, sizeof a->masked);
}

/* Whether take i of one equals take k of the other. */
static inline void assert_same_take(const struct made *a, int i, const struct made *b,
                                    int k)
{
    const struct take *one = &a->takes[i], *other = &b->takes[k];
    const struct continuation_stats *x = &one->stats, *y = &other->stats;
    assert_int_equal(a->end, b->end);
    assert_int_equal(one->n_notes, other->n_notes);
    for (size_t j = 0; j < one->n_notes; j++)
        assert_same_note(&one->notes[j], &other->notes[j]);
    if (a->end != CONTINUATION_DONE)
        return;
    assert_int_equal(one->style, other->style);
    assert_true(x->from_tick == y->from_tick && x->to_tick == y->to_tick);
    assert_int_equal(x->n_tokens, y->n_tokens);
    assert_memory_equal(&x->log_prob, &y->log_prob, sizeof x->log_prob);
    assert_memory_equal(&x->own_log_prob, &y->own_log_prob, sizeof x->own_log_prob);
    assert_memory_equal(&x->masked, &y->masked, sizeof x->masked);
}

static inline void assert_same_takes(const struct made *a, const struct made *b)
{
    assert_int_equal(a->n_takes, b->n_takes);
    for (int i = 0; i < a->n_takes; i++)
        assert_same_take(a, i, b, i);
}

#endif
