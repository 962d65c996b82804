/* What training windows are drawn with. See draw.h. */
#include "app/base/draw.h"

#include "midi/base/array.h"

#include <math.h>

struct rng draw_rng(uint64_t seed, uint64_t step, int row)
{
    struct rng r;
    rng_seed(&r, (seed * 0x9e3779b97f4a7c15u) ^ (step * 0xd1342543de82ef95u) ^
                     ((uint64_t)row * 0xff51afd7ed558ccdu));
    for (int i = 0; i < 4; i++)
        rng_next(&r);
    return r;
}

int draw_below(struct rng *r, int n)
{
    return (int)(rng_next(r) % (uint32_t)n);
}

int draw_weighted(struct rng *r, const double *cumulative, int n)
{
    double at = (double)rng_uniform(r);
    size_t i;
    ARRAY_PASS(i, n > 0 ? (size_t)n - 1 : 0, cumulative[i] <= at);
    return (int)i;
}

double likelihood_log(const float *logits, int vocab, int32_t token)
{
    float peak = logits[0];
    for (int i = 1; i < vocab; i++)
        peak = logits[i] > peak ? logits[i] : peak;
    double sum = exp((double)(logits[0] - peak));
    for (int i = 1; i < vocab; i++)
        sum += exp((double)(logits[i] - peak));
    return (double)(logits[token] - peak) - log(sum);
}
