/* Whatever bytes are said to be a critic: one that is taken has finite weights in range, for
 * a feature at least, and one that is refused has none. */
#include "app/critic/critic.h"
#include "tests/fuzz_replay.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct critic c;
    double features[N_FEATURES] = {0};
    float gives[N_FEATURES];
    bool is_taken = !critic_parse(&c, (const char *)bytes, n_bytes);
    int n = 0;
    for (int i = 0; i < N_FEATURES; i++) {
        const struct critic_weight *w = &c.features[i];
        n += w->scale > 0;
        require(isfinite(w->mean) && isfinite(w->scale) && w->scale >= 0);
        for (int k = 0; k < N_CRITIC_KINDS; k++) {
            require(fabsf(w->weights[k]) <= 1e3f);
            require(w->scale > 0 || w->weights[k] == 0);
        }
    }
    require(is_taken == (n > 0));
    for (int k = 0; k < N_CRITIC_KINDS; k++)
        require(isfinite(critic_merit(&c, (enum critic_kind)k, features, gives)));
    return 0;
}
