/* All results of a request, to compare with another run's: every field of every note and the
 * takes' figures, bit for bit. */
#ifndef TESTS_APP_MADE_TAKES_H
#define TESTS_APP_MADE_TAKES_H

#include "tests/app/random_music.h"

enum { MADE_MOST = 4096 };

struct made {
    enum continuation_state end;
    enum style style;
    int n_takes;
    struct continued_note notes[CONTINUATION_MAX_TAKES][MADE_MOST];
    size_t n[CONTINUATION_MAX_TAKES];
    struct continuation_stats stats[CONTINUATION_MAX_TAKES];
};

static inline void made_add(struct made *m, const struct continued_note *n)
{
    assert_in_range(n->take, 0, CONTINUATION_MAX_TAKES - 1);
    struct continued_note *notes = m->notes[n->take];
    const size_t n_notes = m->n[n->take]++;
    assert_true(n_notes < MADE_MOST);
    for (size_t i = 0; n->is_hit && i < n_notes; i++)
        if (notes[i].track == n->track)
            continued_cut(&notes[i].note, n);
    notes[n_notes] = *n;
}

static inline void made_begin(struct made *m, int n_takes)
{
    m->n_takes = n_takes;
    memset(m->n, 0, sizeof m->n);
}

/* Runs the request on one thread until DONE or ERROR. */
static inline void make_takes(struct continuation *c, const struct score *s,
                              const struct continuation_options *o, struct made *m)
{
    struct continued_note n;
    made_begin(m, o->n_takes);
    m->end = continuation_begin(c, s, o);
    while (m->end == CONTINUATION_BEGUN || m->end == CONTINUATION_NOTE) {
        m->end = continuation_next(c, &n);
        if (m->end == CONTINUATION_NOTE)
            made_add(m, &n);
    }
    m->style = continuation_style(c);
    for (int i = 0; i < o->n_takes; i++)
        continuation_stats(c, i, &m->stats[i]);
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
    const struct continuation_stats *x = &a->stats[i], *y = &b->stats[k];
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->n[i], b->n[k]);
    for (size_t j = 0; j < a->n[i]; j++)
        assert_same_note(&a->notes[i][j], &b->notes[k][j]);
    if (a->end != CONTINUATION_DONE)
        return;
    assert_int_equal(a->style, b->style);
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
