/* See features.h. */
#include "app/critic/features.h"

#include <math.h>
#include <string.h>

#define FEATURE(name, ...) {__VA_ARGS__},
const struct feature_row FEATURES[N_FEATURES] = {
#include "app/critic/feature_list.h"
};

int feature_find(const char *name)
{
    for (int i = 0; i < N_FEATURES; i++)
        if (!strcmp(FEATURES[i].name, name))
            return i;
    return -1;
}

const char *feature_word(int feature, bool praises)
{
    return praises ? FEATURES[feature].praise : FEATURES[feature].blame;
}

bool feature_tells(int feature, double x, bool praises)
{
    const double at =
        praises ? FEATURES[feature].praise_at : FEATURES[feature].blame_at;
    return FEATURES[feature].is_merit == praises ? x >= at : x <= at;
}

bool features_measure(const struct scene *c, double out[N_FEATURES])
{
    for (int i = 0; i < N_FEATURES; i++)
        out[i] = 0;
    features_harmony(c, out);
    features_rhythm(c, out);
    features_form(c, out);
    const bool ok = features_lines(c, out);
    for (int i = 0; i < N_FEATURES; i++)
        out[i] = isfinite(out[i]) ? out[i] : 0;
    return ok;
}
