/* Random draws, and how likely a model finds a token. Each training row has a generator of
 * its own, seeded by (seed, step, row), so a resumed run needs no saved state. Pure
 * functions. */
#ifndef APP_DRAW_H
#define APP_DRAW_H

#include "model/decoder/sampler.h"

#include <stdint.h>

struct rng draw_rng(uint64_t seed, uint64_t step, int row);
int draw_below(struct rng *r, int n); /* 0 to n - 1 */
/* One of n. cumulative[i] is the chance of drawing i or one before it. */
int draw_weighted(struct rng *r, const double *cumulative, int n);

static inline int at_least(int a, int b)
{
    return a > b ? a : b;
}

static inline int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* log softmax(logits)[token], in nats; logits [vocab]. */
double likelihood_log(const float *logits, int vocab, int32_t token);

#endif
