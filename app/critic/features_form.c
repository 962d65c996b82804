/* Form: bars that repeat themselves or the given ones. See features.h. */
#include "app/critic/features.h"

#include <math.h>

/* Likeness of a track's bars that counts as usual where none are given. */
#define USUAL_HABIT 0.5
/* Bars of that likeness are the same to the ear. */
#define SAME        0.75

/* How like a bar is to the bar of [from, to) most like it. */
static double find_likest(const struct scene *c, int track, int bar, int from, int to)
{
    double best = 0;
    for (int i = from; i < to; i++)
        best = fmax(best, scene_compare_bars(c, track, bar, i));
    return best;
}

/* How like the bars [from, to) are to earlier ones of them. */
static double measure_loops(const struct scene *c, int track, int from, int to)
{
    struct mean likest = {0};
    size_t first = 0;
    for (int i = from; i < to; i++)
        if (scene_bar_notes(c, track, i, &first))
            mean_add(&likest, find_likest(c, track, i, from, i), 1);
    return mean_of(&likest, 0);
}

/* The longest run of bars alike, counted from the second one on. */
static int find_run(const struct scene *c, int track, int from, int to)
{
    int run = 0, best = 0;
    for (int i = from + 1; i < to; i++) {
        run = scene_compare_bars(c, track, i, i - 1) > SAME ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

void features_form(const struct scene *c, double out[N_FEATURES])
{
    const int from = c->first_new, to = c->end_new, tune = scene_tune(c);
    struct mean copied = {0};
    for (int t = 0; t < c->n_tracks; t++) {
        const struct scene_track *track = &c->tracks[t];
        if (track->is_drums || !track->is_asked || !track->n_new)
            continue;
        const bool has_given = track->n_given > 0;
        const double habit = has_given ? measure_loops(c, t, 0, from) : USUAL_HABIT;
        struct mean copies = {0};
        for (int i = from; i < to; i++)
            mean_add(&copies, find_likest(c, t, i, 0, from), 1);
        mean_add(&copied, beyond(mean_of(&copies, 0), habit), 1);
        if (t != tune)
            continue;
        out[FEATURE_LOOPS] = beyond(measure_loops(c, t, from, to), habit);
        out[FEATURE_SAME_BAR] =
            beyond(find_run(c, t, from, to), has_given ? find_run(c, t, 0, from) : 1);
    }
    out[FEATURE_COPIES] = mean_of(&copied, 0);
}
