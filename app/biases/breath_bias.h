/* Tracks rest at the ends of phrases, as they did before. A phrase ends with each fourth bar before
 * the take. A track rests in the last of these bars if it begins its last note there a beat earlier
 * than in any bar within phrases. It rests again in every eighth bar from there on, or in every
 * fourth if it rested at the end of the phrase before, too. A bounded bias. Pure functions, any
 * thread. */
#ifndef APP_BREATH_BIAS_H
#define APP_BREATH_BIAS_H

#include "app/biases/place.h"

/* Where in a bar a track begins notes for the last time, -1: nowhere; and how long these are
 * within the bar, steps. */
struct last_onset {
    int16_t place, length;
};

struct breath_bias {
    int64_t bar;    /* the last given one, */
    int64_t length; /* and its steps */
    /* Bit t: track t has notes in the bars that are read; rests in every eighth bar; and of these,
     * in every fourth, and second. */
    uint64_t plays, in_eight, in_four, in_two;
    struct last_onset last[TOKEN_MAX_TRACKS]; /* in bars where the track rests */
};

/* Of pitched tracks, by the bars before `from`, steps. */
struct breath_bias breath_bias_of(const struct piece *p, int64_t from);
/* Of a tune that begins a score without notes: it rests after the middle of every second bar. */
struct breath_bias breath_bias_of_nothing(const struct piece *p, int64_t from,
                                          int tune);
/* The tracks that rest at the end of the bar that begins at this step. */
uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar);
/* Whether the bar that begins at this step has one chord: all tracks rest after its first step. */
bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar);
/* Of tracks and their notes; of lengths at the last onset; of positions at which only tracks that
 * rest would play, and of leaving the bar where all rest. */
void breath_bias_apply(const struct breath_bias *b, const struct place *at);
/* These tracks rest at this place for all of the bar. */
void breath_bias_silence(const struct breath_bias *b, const struct place *at,
                         uint64_t tracks);

#endif
