/* The changes that a take makes beside its notes (midi/edit/held.h), as part of the change that adds
 * them. A take that follows the music has its usual meter, tempo, volume, bend and pedal; a take that
 * rewrites a hole takes the gestures of the replaced notes along. Pure functions. */
#ifndef APP_SURROUNDINGS_H
#define APP_SURROUNDINGS_H

#include "midi/edit/held.h"

/* A take, or the part of one that is accepted. */
struct surroundings {
    bool is_hole;     /* it rewrites a part of the music; else it follows the music */
    bool is_meter;    /* only the meter of the bars that follow is given */
    int64_t from, to; /* ticks, of the hole, or from where new notes begin */
    uint64_t tracks;  /* bit i: track i gets or loses notes */
    struct held_kinds out; /* what was restored after the music */
};

/* stays: the score without the notes that go; used for a hole. */
enum midi_status surroundings_add(struct surroundings *u, struct change *c,
                                  const struct score *s, const struct score *stays);
/* The same on a copy of the score from which the notes are gone already. */
enum midi_status surroundings_apply(struct surroundings *u, struct score *s);

/* Gives the copy of the score that the model reads the meter of the bars that follow. */
static inline enum midi_status surroundings_set_meter(struct score *s)
{
    struct surroundings u = {.is_meter = true};
    return surroundings_apply(&u, s);
}

#endif
