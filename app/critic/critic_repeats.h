/* How bars repeat earlier bars: their notes, rhythm, shape, drums, bass. The similarity of
 * two bars is the share of their notes that both have (Jaccard), 0..1. Pure functions, any
 * thread. */
#ifndef APP_CRITIC_REPEATS_H
#define APP_CRITIC_REPEATS_H

#include "app/critic/critic_facts.h"

enum repeat_kind {
    REPEAT_EXACT,  /* place, track and pitch */
    REPEAT_RHYTHM, /* place and track */
    REPEAT_SHAPE,  /* place, track and what it is above the track's first note there */
    REPEAT_DRUMS,  /* of drum tracks alone, exactly */
    REPEAT_BASS,   /* of the bass track alone, exactly */
    REPEAT_KINDS,
};

/* Means over the bars [first, end) that have anything of the kind. */
struct repeats {
    double before[REPEAT_KINDS]; /* the bar just before */
    double best[REPEAT_KINDS];   /* the likest of all before */
    double two, four, eight;     /* exactly, so many bars back */
    double loops;                /* share that is the bar before, exactly */
    double groove;               /* drums: the likest of all before `first` */
    bool has[REPEAT_KINDS];
};

/* Keys of the notes of a scene, sorted within each bar. */
struct bar_keys;
/* NULL: out of memory. bass_track -1: none. */
struct bar_keys *bar_keys_create(const struct scene *c, int bass_track);
void bar_keys_destroy(struct bar_keys *k); /* NULL is fine */

/* Those of the bars [first, end), each beside all bars before it. */
void repeats_find(struct repeats *r, const struct bar_keys *k, int first, int end);

#endif
