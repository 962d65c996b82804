/* A passage in some sixty figures that a musician would name: how it keeps the key, leads
 * its voices, repeats earlier bars, fills its bars, moves and ends, compared with the bars
 * before it. Most are 0 where the passage does as those bars do. The critic
 * (app/critic/critic.h) weighs them. Pure functions, any thread. */
#ifndef APP_CRITIC_FEATURES_H
#define APP_CRITIC_FEATURES_H

#include "app/critic/critic_facts.h"

/* How bars repeat earlier bars: their notes, rhythm, shape, drums, bass. The similarity of
 * two bars is the share of their notes that both have (Jaccard), 0..1. */

enum repeat_kind {
    REPEAT_EXACT,  /* place, track and pitch */
    REPEAT_RHYTHM, /* place and track */
    REPEAT_SHAPE,  /* position, track and interval above the track's first note there */
    REPEAT_DRUMS,  /* of drum tracks alone, exactly */
    REPEAT_BASS,   /* of the bass track alone, exactly */
    REPEAT_KINDS,
};

/* Means over the bars [first, end) that have anything of the kind. */
struct repeats {
    double before[REPEAT_KINDS]; /* the bar just before */
    double best[REPEAT_KINDS];   /* the likest of all before */
    double two, four, eight;     /* an exact repeat, by bars back */
    double loops;                /* share that is the bar before, exactly */
    double groove;               /* drums: the likest of all before `first` */
    bool has[REPEAT_KINDS];
};

/* Keys of the notes of a scene, sorted within each bar. */
struct bar_keys;
/* NULL: out of memory. bass_track -1: none. */
struct bar_keys *bar_keys_create(const struct scene *c, int bass_track);
void bar_keys_destroy(struct bar_keys *k); /* NULL is fine */

/* The repeats of the bars [first, end), each compared with all bars before it. */
void repeats_find(struct repeats *r, const struct bar_keys *k, int first, int end);

enum { FEATURES_MOST = 80 };

/* What features are computed from. */
struct critic_view {
    const struct scene *scene;
    struct facts heard, now;
    struct repeats heard_repeats, repeats;
    int tonic; /* of the bars before */
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
double feature_fading(const struct critic_view *v);       /* fell silent, or drop out */
/* The similarity, 0..1, that drums lack to be as similar to the bars before as those are to
 * each other. */
double feature_lost_groove(const struct critic_view *v);
/* Octaves beyond a fifth that tracks leap to their next notes after the passage. */
double feature_leaps_out(const struct critic_view *v);
double feature_drones(const struct critic_view *v); /* tracks stuck on two pitches */
double feature_loops(const struct critic_view *v);  /* repeats beyond the piece's */
double feature_ends_on_tonic(const struct critic_view *v); /* 1 or 0 */

#endif
