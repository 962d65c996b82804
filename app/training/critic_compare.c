/* What the model writes after a passage, beside what follows. See critic_passages.h. */
#include "app/training/critic_passages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NOTES = 4 };

struct written {
    struct continued_note *notes;
    size_t n, cap;
};

static bool keep(struct written *w, const struct continued_note *n)
{
    if (w->n == w->cap) {
        size_t cap = 2 * w->cap + 64;
        struct continued_note *grown = reallocarray(w->notes, cap, sizeof *grown);
        if (!grown)
            return false;
        w->notes = grown;
        w->cap = cap;
    }
    w->notes[w->n++] = *n;
    return true;
}

static bool write_takes(struct written takes[], const struct critic_passage *p,
                        struct continuation *c, const struct continuation_options *o)
{
    struct continued_note n;
    enum continuation_state state = continuation_begin(c, p->heard, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        state = continuation_next(c, &n);
        if (state == CONTINUATION_NOTE && !keep(&takes[n.take], &n))
            return false;
    }
    return state == CONTINUATION_DONE;
}

static bool find_features(float out[FEATURES_MOST], const struct critic_passage *p,
                          const struct continuation_stats *where,
                          const struct continued_note *notes, size_t n)
{
    struct scene scene;
    struct critic_view v;
    if (scene_init(&scene, p->heard, where->from_tick, where->to_tick, notes, n))
        return false;
    bool ok = critic_view_find(&v, &scene);
    if (ok)
        features_find(&v, out);
    scene_fini(&scene);
    return ok;
}

/* -- likelihood of what follows -- */

static enum midi_status encode(struct tokens *t, const struct score *s,
                               enum style style)
{
    struct piece piece;
    enum midi_status st = piece_from_score(&piece, s, style, NULL);
    if (st)
        return st;
    st = tokens_encode(t, &piece, false);
    piece_fini(&piece);
    return st;
}

/* The tokens that come after those of what is heard, to be given to a take. */
static bool find_given(const struct critic_passage *p, enum style style,
                       struct tokens *all, size_t *first)
{
    struct tokens heard = {0};
    struct score *s = score_clone(p->heard);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < p->n_follows; i++)
        ok = score_add_note(s, p->follows[i].track, p->follows[i].note);
    ok = ok && !encode(all, s, style) && !encode(&heard, p->heard, style);
    *first = heard.n;
    ok =
        ok && all->n > heard.n && !memcmp(all->id, heard.id, heard.n * sizeof *all->id);
    tokens_fini(&heard);
    score_destroy(s);
    return ok;
}

/* Nats a token, up to where the last of them is drawn. */
static double likelihood(const struct critic_passage *p,
                         const struct passage_request *q)
{
    struct tokens all = {0};
    struct continuation_stats stats = {0};
    struct continued_note n;
    struct continuation_options o = CONTINUATION_DEFAULT;
    size_t first;
    double found = NAN;
    o.bars = p->bars;
    if (find_given(p, continuation_style(q->continuation), &all, &first)) {
        o.style = (int)continuation_style(q->continuation);
        o.given = all.id + first;
        o.n_given = all.n - first;
        enum continuation_state s = continuation_begin(q->continuation, p->heard, &o);
        while ((s == CONTINUATION_BEGUN || s == CONTINUATION_NOTE) &&
               (size_t)stats.n_tokens < o.n_given) {
            s = continuation_next(q->continuation, &n);
            continuation_stats(q->continuation, 0, &stats);
        }
        if (s == CONTINUATION_NOTE || s == CONTINUATION_DONE)
            found = continuation_nats(&stats);
    }
    tokens_fini(&all);
    return found;
}

/* -- pairs -- */

static void compare(struct passage_pairs *out, const struct critic_passage *p,
                    const struct passage_request *q, struct written takes[])
{
    float real[FEATURES_MOST] = {0};
    struct continuation_stats stats;
    continuation_stats(q->continuation, 0, &stats);
    if (!find_features(real, p, &stats, p->follows, p->n_follows))
        return;
    for (int i = 0; i < PASSAGE_TAKES; i++) {
        struct critic_pair *pair = &out->pairs[out->n];
        continuation_stats(q->continuation, i, &stats);
        if (takes[i].n < LEAST_NOTES ||
            !find_features(pair->ours, p, &stats, takes[i].notes, takes[i].n))
            continue;
        memcpy(pair->real, real, sizeof real);
        out->takes_log_prob[out->n++] = continuation_nats(&stats);
    }
}

void critic_passage_compare(struct passage_pairs *out, const struct critic_passage *p,
                            const struct passage_request *q)
{
    struct written takes[PASSAGE_TAKES] = {{0}};
    struct continuation_options o = CONTINUATION_DEFAULT;
    *out = (struct passage_pairs){.log_prob = NAN};
    o.bars = p->bars;
    o.n_takes = PASSAGE_TAKES;
    o.sampling = q->sampling;
    if (write_takes(takes, p, q->continuation, &o))
        compare(out, p, q, takes);
    if (out->n && q->wants_likelihood)
        out->log_prob = likelihood(p, q);
    for (int i = 0; i < PASSAGE_TAKES; i++)
        free(takes[i].notes);
}
