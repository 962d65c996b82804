#include "app/training/compare_speed.h"

#include "app/training/train_report.h"

#include <stdlib.h>

enum { ROUNDS = 7, STEPS = 64 };

struct contest {
    const int32_t *tokens, *times;
    int half, n_steps;
    float *logits;
    struct runner {
        struct decoder *decoder;
        double seconds[ROUNDS];
    } * runners;
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum model_status run(const struct contest *c, struct runner *r, int round)
{
    enum model_status st = MODEL_OK;
    decoder_truncate(r->decoder, c->half);
    double start = monotonic_seconds();
    for (int i = c->half; !st && i < c->half + c->n_steps; i++)
        st = decoder_step(r->decoder, c->tokens[i], c->times[i], c->logits);
    r->seconds[round] = monotonic_seconds() - start;
    return st;
}

static enum model_status line_up(const struct contest *c, struct runner *r,
                                 const struct model *m, struct pool *pool)
{
    enum model_status st = decoder_create(&r->decoder, m, pool);
    if (!st)
        st = decoder_prefill(r->decoder, c->tokens, c->times, c->half, false, NULL);
    return st ? st : run(c, r, 0); /* once, for the caches */
}

static enum model_status race(const struct contest *c, struct compare_speed *list,
                              int n, struct pool *pool)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = line_up(c, &c->runners[i], list[i].model, pool);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; !st && i < n; i++)
            st = run(c, &c->runners[i], k);
    for (int i = 0; !st && i < n; i++) {
        double *seconds = c->runners[i].seconds;
        qsort(seconds, ROUNDS, sizeof *seconds, compare);
        list[i].tokens_per_second = c->n_steps / seconds[ROUNDS / 2];
    }
    return st;
}

enum model_status compare_speed_measure(struct compare_speed *list, int n,
                                        struct pool *pool, const int32_t *tokens,
                                        const int32_t *times)
{
    if (n == 0)
        return MODEL_OK;
    const struct model_config *config = model_config(list[0].model);
    int left = config->context - config->context / 2;
    struct contest c = {
        .tokens = tokens,
        .times = times,
        .half = config->context / 2,
        .n_steps = left < STEPS ? left : STEPS,
        .logits = calloc((size_t)config->vocab, sizeof *c.logits),
        .runners = calloc((size_t)n, sizeof *c.runners),
    };
    enum model_status st =
        c.logits && c.runners ? race(&c, list, n, pool) : MODEL_NO_MEMORY;
    for (int i = 0; c.runners && i < n; i++)
        decoder_destroy(c.runners[i].decoder);
    free(c.runners);
    free(c.logits);
    return st;
}
