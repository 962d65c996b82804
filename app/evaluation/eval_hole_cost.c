/* See eval_hole_cost.h. What is around is read without its logits. */
#include "app/evaluation/eval_hole_cost.h"

#include "app/dataset/likelihood.h"
#include "midi/tokens/clock.h"
#include "model/decoder/decoder.h"

#include <stdlib.h>

struct eval_hole_meter {
    struct decoder *decoder;
    size_t context, vocab;
    int32_t *times; /* [context] */
    float *logits;  /* [context, vocab] */
};

enum model_status eval_hole_meter_create(struct eval_hole_meter **out,
                                         const struct model *model, struct pool *pool,
                                         const atomic_bool *cancel)
{
    const struct model_config *c = model_config(model);
    struct eval_hole_meter *m = calloc(1, sizeof *m);
    if (!m)
        return MODEL_NO_MEMORY;
    m->context = (size_t)c->context;
    m->vocab = (size_t)c->vocab;
    m->times = calloc(m->context, sizeof *m->times);
    m->logits = calloc(m->context * m->vocab, sizeof *m->logits);
    enum model_status st = MODEL_NO_MEMORY;
    if (m->times && m->logits)
        st = decoder_create(&m->decoder, model, pool);
    if (st) {
        eval_hole_meter_destroy(m);
        return st;
    }
    decoder_set_cancel(m->decoder, cancel);
    *out = m;
    return MODEL_OK;
}

void eval_hole_meter_destroy(struct eval_hole_meter *m)
{
    if (!m)
        return;
    decoder_destroy(m->decoder);
    free(m->times);
    free(m->logits);
    free(m);
}

/* Logits after each token from `first` - 1 to the last but one. */
static enum model_status read_tokens(struct eval_hole_meter *m, const struct tokens *t,
                                     size_t first)
{
    const size_t before = first - 1;
    enum model_status st = MODEL_OK;
    decoder_truncate(m->decoder, 0);
    clock_times(t->id, t->n, m->times);
    if (before > 0)
        st = decoder_prefill(m->decoder, t->id, m->times, (int)before, false, NULL);
    if (st)
        return st;
    return decoder_prefill(m->decoder, t->id + before, m->times + before,
                           (int)(t->n - first), true, m->logits);
}

enum model_status eval_hole_measure(struct eval_hole_meter *m, const struct tokens *t,
                                    size_t first, struct eval_hole_cost *cost)
{
    *cost = (struct eval_hole_cost){0};
    if (t->n > m->context)
        return MODEL_TOO_LONG;
    enum model_status st = read_tokens(m, t, first);
    for (size_t i = first; !st && i < t->n; i++) {
        const float *row = m->logits + (i - first) * m->vocab;
        double nats = -likelihood_log(row, (int)m->vocab, t->id[i]);
        cost->nats += nats;
        cost->note_nats += t->note[i] >= 0 ? nats : 0;
    }
    return st;
}
