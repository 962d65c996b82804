/* See critic.h. */
#include "app/critic/critic.h"

#include <math.h>

float critic_merit(const struct critic *c, enum critic_kind kind,
                   const double features[N_FEATURES], float gives[N_FEATURES])
{
    float sum = 0;
    for (int i = 0; i < N_FEATURES; i++) {
        const struct critic_weight *w = &c->features[i];
        const float z = w->scale > 0 ? ((float)features[i] - w->mean) / w->scale : 0;
        gives[i] = w->weights[kind] * fminf(fmaxf(z, -CRITIC_FAR), CRITIC_FAR);
        sum += gives[i];
    }
    return sum;
}

void critic_judge(const struct critic *c, const struct score *s,
                  const struct critic_request *r, const struct continued_note *notes,
                  size_t n, struct critic_verdict *out)
{
    double features[N_FEATURES];
    float gives[N_FEATURES];
    struct scene scene;
    *out = (struct critic_verdict){0};
    if (!n || scene_init(&scene, s, r, notes, n))
        return;
    if (features_measure(&scene, features)) {
        const enum critic_kind kind = r->close     ? CRITIC_CLOSE
                                      : r->is_hole ? CRITIC_HOLE
                                                   : CRITIC_CONTINUE;
        out->merit = critic_merit(c, kind, features, gives);
        out->is_judged = true;
        out->n_faults = critic_find_words(features, gives, out->words);
    }
    scene_fini(&scene);
}
