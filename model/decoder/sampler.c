/* See sampler.h. The candidates are sorted by logit from the highest on, and by id if
 * logits are equal. So every cut (top-k, top-p, min-p) takes a prefix of one list, and
 * ties fall the same way everywhere. */
#include "model/decoder/sampler.h"

#include <math.h>
#include <stdlib.h>

struct candidate {
    float logit;
    int32_t token;
    double p; /* its weight at the requested temperature, relative to the first */
};

struct sampler {
    int vocab;
    struct sampling how;
    struct rng rng;
    struct candidate *list; /* [vocab] */
};

struct sampler *sampler_create(int vocab, const struct sampling *s)
{
    struct sampler *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->vocab = vocab;
    made->how = *s;
    made->list = calloc((size_t)vocab, sizeof *made->list);
    rng_seed(&made->rng, s->seed);
    if (!made->list) {
        free(made);
        return NULL;
    }
    return made;
}

void sampler_destroy(struct sampler *s)
{
    if (!s)
        return;
    free(s->list);
    free(s);
}

static int by_logit(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit > y->logit ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* The logarithm of the sum of exp(logit) over the allowed tokens; allowed NULL: over all.
 * -INFINITY if there are none. */
static double log_sum(const float *logits, const uint8_t *allowed, int n)
{
    double highest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        if ((!allowed || allowed[i]) && isfinite(logits[i]) && logits[i] > highest)
            highest = logits[i];
    for (int i = 0; i < n; i++)
        if ((!allowed || allowed[i]) && isfinite(logits[i]))
            sum += exp(logits[i] - highest);
    return sum > 0 ? highest + log(sum) : -INFINITY;
}

/* Computes the candidates' weights and returns how many of them the cuts leave, at least
 * one; *total is the sum of their weights. */
static int cut(struct sampler *s, int n, double *total)
{
    const struct sampling *how = &s->how;
    double highest = s->list[0].logit, sum = 0, kept = 0;
    if (how->top_k > 0 && how->top_k < n)
        n = how->top_k;
    for (int i = 0; i < n; i++) {
        s->list[i].p = exp((s->list[i].logit - highest) / how->temperature);
        sum += s->list[i].p;
    }
    int k = 0;
    while (k < n) {
        if (k > 0 && (kept >= how->top_p * sum || s->list[k].p < how->min_p))
            break;
        kept += s->list[k++].p;
    }
    *total = kept;
    return k;
}

static int draw(struct sampler *s, int n)
{
    double total;
    if (s->how.temperature <= 0 || !isfinite(s->list[0].logit))
        return 0;
    n = cut(s, n, &total);
    double x = rng_uniform(&s->rng) * total;
    for (int i = 0; i < n - 1; i++) {
        x -= s->list[i].p;
        if (x < 0)
            return i;
    }
    return n - 1;
}

struct sampled sampler_judge(const float *logits, const uint8_t *allowed, int vocab,
                             int32_t token)
{
    double legal = log_sum(logits, allowed, vocab);
    if (!isfinite(legal)) /* no allowed token has a finite logit */
        return (struct sampled){token, -INFINITY, 1};
    double share = exp(legal - log_sum(logits, NULL, vocab));
    float logit = isfinite(logits[token]) ? logits[token] : -INFINITY;
    return (struct sampled){token, (float)((double)logit - legal),
                            share < 1 ? (float)(1 - share) : 0};
}

/* An allowed token whose logit is not finite stays in the list as the least likely, so
 * that there is always something to draw. */
int32_t sampler_choose(struct sampler *s, const float *logits, const uint8_t *allowed)
{
    int n = 0;
    for (int i = 0; i < s->vocab; i++)
        if (!allowed || allowed[i])
            s->list[n++] =
                (struct candidate){isfinite(logits[i]) ? logits[i] : -INFINITY, i, 0};
    qsort(s->list, (size_t)n, sizeof *s->list, by_logit);
    return n ? s->list[draw(s, n)].token : -1;
}

struct sampled sampler_draw(struct sampler *s, const float *logits,
                            const uint8_t *allowed)
{
    const int32_t token = sampler_choose(s, logits, allowed);
    return token < 0 ? (struct sampled){-1, -INFINITY, 1}
                     : sampler_judge(logits, allowed, s->vocab, token);
}
