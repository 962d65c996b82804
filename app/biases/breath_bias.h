/* Tracks rest at the ends of phrases, as they did before. A phrase ends with each fourth bar before
 * the take. A track that began its last note of such a bar earlier than it does in other bars rests
 * after that place in every eighth bar from there on, or in every fourth if the phrase before ended
 * so, too; what it begins at that place it holds. A bounded bias. Pure functions, any thread. */
#ifndef APP_BREATH_BIAS_H
#define APP_BREATH_BIAS_H

#include "app/biases/place.h"

/* Where in a bar a track begins notes for the last time, and how long they are within the bar, steps. */
struct last_onset {
    int16_t place, length; /* -1: nowhere */
};

struct breath_bias {
    int64_t bar;    /* the last given one, */
    int64_t length; /* and its steps */
    uint64_t plays; /* tracks with notes in the given bars that are read */
    /* By track: the bars after which it rests again, 0: it does not; and its last onset then. */
    uint8_t period[TOKEN_MAX_TRACKS];
    struct last_onset last[TOKEN_MAX_TRACKS];
};

/* Of pitched tracks, by the bars before `from`, steps. */
struct breath_bias breath_bias_of(const struct piece *p, int64_t from);
/* The tracks that rest at the end of the bar that begins at this step. */
uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar);
/* Whether all tracks rest in the bar that begins at this step, after one onset on its first step. */
bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar);
/* Of tracks and their notes; of lengths at the last onset; of positions at which only tracks that
 * rest would play, and of leaving the bar where all rest. */
void breath_bias_apply(const struct breath_bias *b, const struct place *at);

#endif
