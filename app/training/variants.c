#include "app/training/compare.h"

#include "app/decoding/model_shape.h"
#include "app/base/values.h"

#include <string.h>

/* Fields that are not given have the value 0: none, attention, pre-norm. */
const struct variant VARIANTS[N_VARIANTS] = {
    {.name = "none", .about = "no positions; only the causal mask"},
    {.name = "learned",
     .about = "a learned vector for each position",
     .position = POSITION_LEARNED},
    {.name = "sinusoidal",
     .about = "sinusoids (Vaswani et al. 2017)",
     .position = POSITION_SINUSOIDAL},
    {.name = "shaw",
     .about = "relative keys and values, clipped (Shaw et al. 2018)",
     .relative = RELATIVE_SHAW,
     .max_distance_part = 4},
    {.name = "music",
     .about = "relative keys, by skewing (Huang et al. 2018)",
     .relative = RELATIVE_MUSIC,
     .max_distance_part = 1},
    {.name = "rotary",
     .about = "rotated by position (Su et al. 2021)",
     .relative = RELATIVE_ROTARY},
    {.name = "time-buckets",
     .about = "relative keys by musical time alone",
     .time = TIME_BUCKETS},
    {.name = "music+time",
     .about = "music and time-buckets",
     .relative = RELATIVE_MUSIC,
     .time = TIME_BUCKETS,
     .max_distance_part = 1},
    {.name = "rotary+time",
     .about = "one half rotated by position, the other by musical time",
     .relative = RELATIVE_ROTARY,
     .time = TIME_ROTARY},
    {.name = "local",
     .about =
         "music, limited to a token's own block and the one before (Huang et al. 2018)",
     .relative = RELATIVE_MUSIC,
     .max_distance_part = 1,
     .is_local = true},
    {.name = "post-norm",
     .about = "sinusoidal, norms after the sums (Vaswani et al. 2017)",
     .position = POSITION_SINUSOIDAL,
     .norm = NORM_POST},
    {.name = "fourier",
     .about = "no attention: a causal Fourier transform (Lee-Thorp et al. 2022)",
     .position = POSITION_LEARNED,
     .mixing = MIXING_FOURIER},
    {.name = "fourier-16",
     .about = "the same, over the last 16 tokens",
     .position = POSITION_LEARNED,
     .mixing = MIXING_FOURIER,
     .block = 16},
};

static bool is_variant(const char *name, size_t n)
{
    for (int i = 0; i < N_VARIANTS; i++)
        if (strlen(VARIANTS[i].name) == n && !memcmp(VARIANTS[i].name, name, n))
            return true;
    return false;
}

int variants_choose(const char *names, const struct variant *chosen[N_VARIANTS])
{
    int n = 0;
    for (const char *at = names; at && *at; at += strspn(at, ",")) {
        size_t span = strcspn(at, ",");
        if (!is_variant(at, span))
            return 0;
        at += span;
    }
    for (int i = 0; i < N_VARIANTS; i++)
        if (value_is_named(names, VARIANTS[i].name))
            chosen[n++] = &VARIANTS[i];
    return n;
}

struct model_config variant_config(const struct variant *v,
                                   const struct model_config *sizes)
{
    struct model_config c = *sizes;
    c.values = false;
    c.state = 0;
    c.position = v->position;
    c.relative = v->relative;
    c.time = v->time;
    c.mixing = v->mixing;
    c.norm = v->norm;
    c.max_distance = v->max_distance_part ? c.context / v->max_distance_part : 0;
    int blocks = c.context / 4 / MODEL_LOCAL_BLOCK;
    c.block = v->is_local ? MODEL_LOCAL_BLOCK * (blocks > 1 ? blocks : 1) : v->block;
    model_shape_suit(&c);
    return c;
}
