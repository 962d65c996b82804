/* A take in some figures that a musician would name: its harmony, its bass, its rhythm, its
 * lines, its form, its end. A figure is the same for every key and speed. Most compare the take
 * with the bars that were given, so that nothing is a fault that the piece does itself. The
 * critic (app/critic/critic.h) weighs them. Pure functions, any thread. */
#ifndef APP_FEATURES_H
#define APP_FEATURES_H

#include "app/critic/scene.h"

#define FEATURE(name, ...) FEATURE_##name,
enum feature {
#include "app/critic/feature_list.h"
    N_FEATURES
};
#undef FEATURE

/* The value of a feature of what was not asked, halfway between praise and blame. */
#define NOT_ASKED 0.5

/* Praise is true from praise_at on, blame from blame_at on, in the feature's good and bad
 * direction. */
extern const struct feature_row {
    const char *name;
    bool is_merit;
    const char *praise;
    double praise_at;
    const char *blame;
    double blame_at;
} FEATURES[N_FEATURES];

int feature_find(const char *name); /* -1: there is none */
/* What a musician would say of a take for that feature, in praise or in blame; NULL:
 * nothing. */
const char *feature_word(int feature, bool praises);
bool feature_tells(int feature, double x, bool praises); /* whether that is so */

/* All of them, finite. false: out of memory. */
bool features_measure(const struct scene *c, double out[N_FEATURES]);

/* Parts of it. */
void features_harmony(const struct scene *c, double out[N_FEATURES]);
void features_rhythm(const struct scene *c, double out[N_FEATURES]);
bool features_lines(const struct scene *c, double out[N_FEATURES]);
void features_form(const struct scene *c, double out[N_FEATURES]);

/* By how much x is beyond a limit; 0: it is not. */
static inline double beyond(double x, double limit)
{
    return x > limit ? x - limit : 0;
}

/* A mean of what was added. */
struct mean {
    double sum, weight;
};
static inline void mean_add(struct mean *m, double x, double weight)
{
    m->sum += x * weight;
    m->weight += weight;
}
static inline double mean_of(const struct mean *m, double of_nothing)
{
    return m->weight > 0 ? m->sum / m->weight : of_nothing;
}
/* By how much the mean of the new bars is beyond that of the given ones. */
static inline double mean_beyond(const struct mean *now, const struct mean *given)
{
    return beyond(mean_of(now, 0), mean_of(given, 0));
}

#endif
