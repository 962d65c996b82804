/* See critic.h. */
#include "app/critic/critic.h"

#include <math.h>

/* Shares below these are not faults. */
#define FEW_OUT     0.02
#define FEW_LOOPS   0.03

/* Of notes in the piece's key: real continuations have 96.5 in a hundred on the mean. What
 * lacks to this costs so much each, of 1, beside what the weights say. */
#define MOST_IN_KEY 0.97
#define ASTRAY      40.0f

float critic_merit(const struct critic *c, const float features[FEATURES_MOST],
                   float gives[FEATURES_MOST])
{
    float sum = 0;
    for (int i = 0; i < features_count(); i++) {
        const struct critic_weight *w = &c->weights[i];
        float z = w->scale > 0 ? (features[i] - w->mean) / w->scale : 0;
        z = fminf(fmaxf(z, -CRITIC_FAR), CRITIC_FAR);
        gives[i] = w->linear * z + w->square * z * z;
        sum += gives[i];
    }
    return sum;
}

float critic_faults(const struct critic_view *v, int *n)
{
    double out = feature_out_of_range(v), loops = feature_loops(v);
    double astray = fmax(0, MOST_IN_KEY - feature_key(v));
    *n = (int)feature_fading(v) + (int)feature_drones(v) + (out > FEW_OUT) +
         (loops > FEW_LOOPS);
    return CRITIC_FAULT * ((float)*n + (float)(out + loops)) + ASTRAY * (float)astray +
           CRITIC_FAULT / 2 * (float)feature_silent(v);
}

static void judge(const struct critic *c, const struct critic_view *v,
                  struct critic_verdict *out)
{
    float features[FEATURES_MOST], gives[FEATURES_MOST];
    features_find(v, features);
    out->merit = critic_merit(c, features, gives) - critic_faults(v, &out->n_faults);
    out->is_judged = true;
    critic_find_words(v, gives, out->words);
}

void critic_judge(const struct critic *c, const struct score *s, int64_t from_tick,
                  int64_t to_tick, const struct continued_note *notes, size_t n,
                  struct critic_verdict *out)
{
    struct scene scene;
    struct critic_view view;
    *out = (struct critic_verdict){0};
    if (scene_init(&scene, s, from_tick, to_tick, notes, n))
        return;
    if (critic_view_find(&view, &scene))
        judge(c, &view, out);
    scene_fini(&scene);
}
