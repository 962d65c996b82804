#include "model/base/rng.h"

#include <math.h>

/* PCG32 (O'Neill 2014), XSH RR, with one fixed stream. */
void rng_seed(struct rng *r, uint64_t seed)
{
    r->state = 0;
    rng_next(r);
    r->state += seed;
    rng_next(r);
}

uint32_t rng_next(struct rng *r)
{
    uint64_t old = r->state;
    r->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return x >> turn | x << (-turn & 31);
}

float rng_uniform(struct rng *r)
{
    return (float)(rng_next(r) >> 8) * 0x1p-24f;
}

/* Box and Muller 1958, the cosine half only: no state to keep. */
float rng_normal(struct rng *r)
{
    float u = 1.0f - rng_uniform(r), v = rng_uniform(r);
    return sqrtf(-2.0f * logf(u)) * cosf(6.28318531f * v);
}
