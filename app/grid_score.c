/* One prefill for each window, all of whose logits are looked at. */
#include "app/grid_score.h"

#include "app/likelihood.h"

#include <stdlib.h>

enum { LEAST_CONTEXT = 8 };

struct run {
    const struct grid_corpus *corpus;
    enum corpus_split split;
    struct decoder *decoder;
    struct grid_window *windows;
    int n_windows;
    int length, vocab;
    int32_t *tokens, *targets, *times; /* [length] */
    float *logits;                     /* [length, vocab] */
};

/* Up to the last target: what follows is of no use. */
static int count_used(const struct run *r)
{
    int n = r->length;
    while (n > 0 && r->targets[n - 1] < 0)
        n--;
    return n;
}

static enum model_status measure_window(struct run *r, const struct grid_window *w,
                                        struct grid_score *score)
{
    if (grid_corpus_window(r->corpus, r->split, w, r->length, r->tokens, r->targets))
        return MODEL_NO_MEMORY;
    int n = count_used(r);
    decoder_truncate(r->decoder, 0);
    enum model_status st =
        decoder_prefill(r->decoder, r->tokens, r->times, n, true, r->logits);
    for (int i = 0; !st && i < n; i++) {
        if (r->targets[i] < 0)
            continue;
        score->nats -= likelihood_log(r->logits + (size_t)i * (size_t)r->vocab,
                                      r->vocab, r->targets[i]);
        score->n_cells++;
    }
    return st;
}

static enum model_status set_up(struct run *r, const struct model *m, struct pool *pool)
{
    const size_t n = (size_t)r->length;
    r->tokens = calloc(n, sizeof *r->tokens);
    r->targets = calloc(n, sizeof *r->targets);
    r->times = calloc(n, sizeof *r->times);
    r->logits = calloc(n * (size_t)r->vocab, sizeof *r->logits);
    r->n_windows = grid_corpus_windows(r->corpus, r->split, r->length, &r->windows);
    if (!r->tokens || !r->targets || !r->times || !r->logits || r->n_windows < 0)
        return MODEL_NO_MEMORY;
    grid_times(n, r->times);
    return decoder_create(&r->decoder, m, pool);
}

enum model_status grid_score_measure(struct grid_score *score, const struct model *m,
                                     struct pool *pool, const struct grid_corpus *c,
                                     enum corpus_split split, const atomic_bool *cancel)
{
    const struct model_config *config = model_config(m);
    struct run r = {
        .corpus = c, .split = split, .length = config->context, .vocab = config->vocab};
    *score = (struct grid_score){0};
    if (r.vocab != GRID_COUNT || r.length < LEAST_CONTEXT || config->n_encoder_layers)
        return MODEL_BAD_CONFIG;
    enum model_status st = set_up(&r, m, pool);
    if (!st)
        decoder_set_cancel(r.decoder, cancel);
    for (int i = 0; !st && i < r.n_windows; i++)
        st = measure_window(&r, &r.windows[i], score);
    decoder_destroy(r.decoder);
    free(r.windows);
    free(r.tokens);
    free(r.targets);
    free(r.times);
    free(r.logits);
    return st;
}
