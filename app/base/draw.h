/* What training windows are drawn with. Every choice comes from a generator seeded
 * by (seed, step, row), so nothing needs to be saved. Pure functions. */
#ifndef APP_DRAW_H
#define APP_DRAW_H

#include "model/decoder/sampler.h"

#include <stdint.h>

struct rng draw_rng(uint64_t seed, uint64_t step, int row);
int draw_below(struct rng *r, int n); /* 0 to n - 1 */
/* One of n, by the chance of each and all before it. */
int draw_weighted(struct rng *r, const double *cumulative, int n);

static inline int at_least(int a, int b)
{
    return a > b ? a : b;
}

static inline int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* -- likelihood -- */

/* How likely a model found a token. Pure. */

/* log softmax(logits)[token], in nats; logits [vocab]. */
double likelihood_log(const float *logits, int vocab, int32_t token);

#endif
