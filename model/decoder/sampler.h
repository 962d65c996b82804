/* From logits to a token: mask, temperature, top-k, top-p (Holtzman et al.
 * 2020), min-p (Nguyen et al. 2024), then one draw from a seeded generator
 * (PCG32, O'Neill 2014). No allocation after create. */
#ifndef MODEL_SAMPLER_H
#define MODEL_SAMPLER_H

#include "model/base/rng.h"

#include <stdint.h>

struct sampling {
    float temperature; /* 0: the likeliest token */
    int top_k;         /* 0: off */
    float top_p;       /* 1: off */
    float min_p;       /* share of the likeliest token's probability; 0: off */
    uint64_t seed;
};

#define SAMPLING_DEFAULT                                                               \
    ((struct sampling){.temperature = 1.0f, .top_p = 1.0f, .min_p = 0.02f})

struct sampled {
    int32_t token;
    float log_prob; /* under the masked distribution at temperature 1, in nats */
    float masked;   /* probability the mask took away, 0..1 */
};

struct sampler;

struct sampler *sampler_create(int vocab,
                               const struct sampling *s); /* NULL: no memory */
void sampler_destroy(struct sampler *s);

/* allowed[vocab] of 0 or 1, or NULL; at least one must be 1. logits are not
 * changed; values that are not finite count as impossible. */
struct sampled sampler_draw(struct sampler *s, const float *logits,
                            const uint8_t *allowed);
/* The token alone. */
int32_t sampler_choose(struct sampler *s, const float *logits, const uint8_t *allowed);
/* What sampler_draw would say of drawing this token from these logits, both [vocab]. */
struct sampled sampler_judge(const float *logits, const uint8_t *allowed, int vocab,
                             int32_t token);

#endif
