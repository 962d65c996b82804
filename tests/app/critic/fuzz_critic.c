/* Whatever bytes are said to be a critic: one that is taken has finite weights in range, for
 * a feature at least, and one that is refused has none. */
#include "app/critic/critic.h"
#include "tests/fuzz_replay.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct critic c;
    float features[FEATURES_MOST] = {0}, gives[FEATURES_MOST];
    bool is_taken = !critic_parse(&c, (const char *)bytes, n_bytes);
    int n = 0;
    for (int i = 0; i < FEATURES_MOST; i++) {
        const struct critic_weight *w = &c.weights[i];
        n += w->scale > 0;
        require(isfinite(w->mean) && isfinite(w->scale) && w->scale >= 0);
        require(fabsf(w->linear) <= 1e3f && fabsf(w->square) <= 1e3f);
        require(w->scale > 0 || (w->linear == 0 && w->square == 0));
    }
    require(is_taken == (n > 0));
    require(isfinite(critic_merit(&c, features, gives)));
    return 0;
}
