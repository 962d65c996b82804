/* What all biases do: they add nats to the logits [TOKEN_COUNT] of tokens that are allowed
 * [TOKEN_COUNT]. */
#ifndef APP_BIAS_ADD_H
#define APP_BIAS_ADD_H

#include <math.h>
#include <stdint.h>

/* To n tokens from `first` on. */
static inline void bias_add(float nats, int first, int n, const uint8_t *allowed,
                            float *logits)
{
    for (int i = first; nats != 0 && i < first + n; i++)
        if (allowed[i])
            logits[i] += nats;
}

/* Returns the nats that n tokens from `first` on have together: the logarithm of the sum of
 * their exponentials; -INFINITY: none is allowed. */
static inline float bias_sum(int first, int n, const uint8_t *allowed,
                             const float *logits)
{
    float most = -INFINITY, sum = 0;
    for (int i = first; i < first + n; i++)
        most = allowed[i] ? fmaxf(most, logits[i]) : most;
    for (int i = first; i < first + n; i++)
        sum += allowed[i] ? expf(logits[i] - most) : 0;
    return sum > 0 ? most + logf(sum) : -INFINITY;
}

/* Makes them have this many again: what was added says which of them comes, and not whether
 * one does. */
static inline void bias_keep_sum(float nats, int first, int n, const uint8_t *allowed,
                                 float *logits)
{
    const float lost = nats - bias_sum(first, n, allowed, logits);
    bias_add(isfinite(lost) ? lost : 0, first, n, allowed, logits);
}

#endif
