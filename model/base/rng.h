/* Random numbers from a seed. The generator is PCG32 (O'Neill 2014) in its XSH-RR form,
 * with one fixed stream. The same seed gives the same numbers on every machine. The state
 * is plain data and belongs to one thread. */
#ifndef MODEL_RNG_H
#define MODEL_RNG_H

#include <math.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint32_t rng_next(struct rng *r)
{
    uint64_t old = r->state;
    r->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return x >> turn | x << (-turn & 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
    r->state = 0;
    rng_next(r);
    r->state += seed;
    rng_next(r);
}

/* A number from [0, 1). */
static inline float rng_uniform(struct rng *r)
{
    return (float)(rng_next(r) >> 8) * 0x1p-24f;
}

/* A number from the normal distribution of mean 0 and variance 1, by the Box-Muller
 * transform (Box and Muller 1958). Only the cosine half is used, so no second number has
 * to be stored. */
static inline float rng_normal(struct rng *r)
{
    float u = 1.0f - rng_uniform(r), v = rng_uniform(r);
    return sqrtf(-2.0f * logf(u)) * cosf(6.28318531f * v);
}

#endif
