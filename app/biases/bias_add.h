/* What all biases do: they add nats to the logits [TOKEN_COUNT] of tokens that are allowed
 * [TOKEN_COUNT]. */
#ifndef APP_BIAS_ADD_H
#define APP_BIAS_ADD_H

#include <stdint.h>

/* To n tokens from `first` on. */
static inline void bias_add(float nats, int first, int n, const uint8_t *allowed,
                            float *logits)
{
    for (int i = first; nats != 0 && i < first + n; i++)
        if (allowed[i])
            logits[i] += nats;
}

#endif
