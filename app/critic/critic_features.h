/* A passage in some sixty figures that a musician would name: how it keeps the key, leads
 * its voices, repeats earlier bars, fills its bars, moves and ends, compared with the bars
 * before it. Most are 0 where the passage does as those bars do. The critic
 * (app/critic/critic.h) weighs them. Pure functions, any thread. */
#ifndef APP_CRITIC_FEATURES_H
#define APP_CRITIC_FEATURES_H

#include "app/critic/critic_repeats.h"

enum { FEATURES_MOST = 80 };

/* What features are computed from. */
struct critic_view {
    const struct scene *scene;
    struct facts heard, now;
    struct repeats heard_repeats, repeats;
    int tonic; /* of the bars that are heard */
    bool is_minor;
    double local_time[12]; /* shares of pitch classes in the last four of them */
};

/* false: out of memory. */
bool critic_view_find(struct critic_view *v, const struct scene *c);

int features_count(void); /* at most FEATURES_MOST */
/* A word or two; the critic's file has them, so they never change. */
const char *feature_name(int feature);
int feature_find(const char *name); /* -1: there is none */
/* All of them, finite. */
void features_find(const struct critic_view *v, float out[FEATURES_MOST]);

/* For words and faults, and for the table of critic_features.c. */
double feature_key(const struct critic_view *v); /* share of notes in the piece's key */
double feature_out_of_range(const struct critic_view *v); /* share of notes */
double feature_silent(const struct critic_view *v);       /* tracks that fell silent */
double
feature_fading(const struct critic_view *v); /* those, and tracks that drop out */
/* What drums lack, of 0..1, to be as like the bars heard as those are to each other. */
double feature_lost_groove(const struct critic_view *v);
/* Octaves that tracks leap, beyond a fifth each, to where they go on after the passage. */
double feature_leaps_out(const struct critic_view *v);
double feature_drones(const struct critic_view *v); /* tracks stuck on two pitches */
double
feature_loops(const struct critic_view *v); /* exact repeats beyond the piece's */
double feature_ends_on_tonic(const struct critic_view *v); /* 1 or 0 */

#endif
