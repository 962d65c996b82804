/* Random numbers from a seed: PCG32 (O'Neill 2014). The same seed gives the same numbers
 * everywhere. Plain data of one thread. */
#ifndef MODEL_RNG_H
#define MODEL_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};
void rng_seed(struct rng *r, uint64_t seed);
uint32_t rng_next(struct rng *r);
float rng_uniform(struct rng *r); /* [0, 1) */
float rng_normal(struct rng *r);

#endif
