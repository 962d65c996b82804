/* The model thread's takes that are not shown at once. See generator_state.h. */
#include "app/generation/generator_state.h"
#include "midi/base/array.h"

#include <stdlib.h>

bool drawn_init(struct drawn *d, int n)
{
    d->n = n;
    d->takes = calloc((size_t)n + CONTINUATION_MAX_TAKES, sizeof *d->takes);
    return d->takes != NULL;
}

void drawn_fini(struct drawn *d)
{
    for (int i = 0; d->takes && i < d->n; i++)
        free(d->takes[i].notes);
    free(d->takes);
    *d = (struct drawn){0};
}

bool drawn_keep(struct drawn *d, int take, const struct continued_note *n)
{
    if (take < 0 || take >= d->n)
        return false;
    struct drawn_take *t = &d->takes[take];
    return array_add(&t->notes, &t->n_notes, &t->cap_notes, n, sizeof *n);
}

/* A round of the decoder, from take `first` on. */
static bool draw_round(struct drawn *d, struct generator *g, const struct score *s,
                       const struct continuation_options *o, int first)
{
    struct continued_note n;
    struct continuation_stats stats;
    enum continuation_state state = continuation_begin(g->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        state = continuation_next(g->continuation, &n);
        double drawn = first; /* those before, and what there is of this round */
        for (int i = 0; i < o->n_takes; i++) {
            continuation_stats(g->continuation, i, &stats);
            drawn += continuation_share(&stats);
        }
        generator_tell_drawn(g, drawn);
        if (generator_is_over(g) ||
            (state == CONTINUATION_NOTE && !drawn_keep(d, first + n.take, &n)))
            return false;
    }
    for (int i = 0; i < o->n_takes; i++)
        continuation_stats(g->continuation, i, &d->takes[first + i].stats);
    return state == CONTINUATION_DONE;
}

bool drawn_go_on(struct drawn *d, struct generator *g, const struct score *s,
                 const struct generation *wanted)
{
    struct continuation_options o = wanted->options;
    o.style = (int)continuation_style(g->continuation); /* not guessed again */
    bool ok = true;
    for (int i = wanted->options.n_takes; ok && i < d->n; i += o.n_takes) {
        o.n_takes = continuation_room(g->continuation, d->n - i);
        o.sampling.seed =
            draws_seed(wanted->options.sampling.seed, wanted->options.n_takes, i);
        ok = draw_round(d, g, s, &o, i);
    }
    return ok;
}

bool drawn_choose(struct drawn *d, const struct generator *g, const struct score *s,
                  const struct generation *wanted, struct generator_choice *out)
{
    struct draw draws[DRAWS_MOST];
    int chosen[DRAWS_MOST];
    for (int i = 0; i < d->n; i++)
        draws[i] =
            (struct draw){d->takes[i].notes, d->takes[i].n_notes, &d->takes[i].stats};
    if (d->n > 1)
        draws_judge(draws, d->n, &wanted->options, g->has_critic ? &g->critic : NULL,
                    s);
    int n = draws_choose(draws, d->n, wanted->options.n_takes, chosen);
    for (int i = 0; i < n; i++) {
        const struct drawn_take *from = &d->takes[chosen[i]];
        out->takes[i] = (struct chosen_take){
            .notes = array_copy(from->notes, from->n_notes, sizeof *from->notes),
            .n_notes = from->n_notes,
            .seed = draws_seed(wanted->options.sampling.seed, wanted->options.n_takes,
                               chosen[i]),
            .stats = from->stats};
        out->n++;
        if (!out->takes[i].notes) {
            generator_choice_free(out);
            return false;
        }
    }
    return true;
}
