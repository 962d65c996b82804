/* Samples a token from logits: applies a mask, the temperature, top-k, top-p (Holtzman et
 * al. 2020) and min-p (Nguyen et al. 2024), then draws from a seeded generator. Allocates
 * nothing after sampler_create. One thread at a time. */
#ifndef MODEL_SAMPLER_H
#define MODEL_SAMPLER_H

#include "model/base/rng.h"

#include <stdint.h>

struct sampling {
    float temperature; /* 0: always the likeliest token */
    int top_k;         /* 0: off */
    float top_p;       /* 1: off */
    float min_p;       /* least share of the likeliest token's probability; 0: off */
    uint64_t seed;
};

#define SAMPLING_DEFAULT                                                               \
    ((struct sampling){.temperature = 1.0f, .top_p = 1.0f, .min_p = 0.02f})

struct sampled {
    int32_t token;
    float log_prob; /* in nats, under the masked distribution at temperature 1 */
    float masked;   /* the probability that the mask removed, 0 to 1 */
};

struct sampler;

struct sampler *sampler_create(int vocab,
                               const struct sampling *s); /* NULL: no memory */
void sampler_destroy(struct sampler *s);

/* Samples a token. allowed[vocab] holds 0 or 1, at least one of them 1; NULL: all are
 * allowed. Logits that are not finite count as impossible. */
struct sampled sampler_draw(struct sampler *s, const float *logits,
                            const uint8_t *allowed);
/* The same, but returns the token alone. */
int32_t sampler_choose(struct sampler *s, const float *logits, const uint8_t *allowed);
/* What sampler_draw returns when it draws this token from these logits. */
struct sampled sampler_judge(const float *logits, const uint8_t *allowed, int vocab,
                             int32_t token);

#endif
