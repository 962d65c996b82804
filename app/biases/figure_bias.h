/* Keeps the figure of an accompaniment: an Alberti bass, the riff of a blues, an oom-pah. A
 * track that is not the highest has a rhythm if most of its notes begin at positions where
 * most of its bars have notes. It has intervals if most of its notes have the usual
 * interval of their position to the first note of the bar. Notes of the take that keep this
 * rhythm and these intervals become likelier, on any chord. A bounded bias of the logits.
 * Pure functions, any thread. */
#ifndef APP_FIGURE_BIAS_H
#define APP_FIGURE_BIAS_H

#include "app/biases/place.h"

enum { FIGURE_PLACES = 16, FIGURE_INTERVALS = 36 };

struct figure {
    bool has_rhythm, has_intervals;
    /* The first notes of its bars: the lowest and the highest, their pitch classes, and the
     * most bars in a row that begin with the same one. */
    int low, high;
    uint16_t classes;
    int longest_run;
    /* The bars that the track plays in; those that begin with a chord, whose intervals say its
     * inversion; and the places where notes begin, in steps from the bar line. */
    uint8_t n_bars, n_chords, n_places;
    int32_t places[FIGURE_PLACES];
    /* The number of notes there; their usual length in steps, by majority vote (Boyer & Moore,
     * "MJRTY", 1981); and by how many notes it leads. */
    uint8_t n_notes[FIGURE_PLACES], lead[FIGURE_PLACES];
    int32_t lengths[FIGURE_PLACES];
    /* Bars in which notes begin there; and which have this interval from their first note. */
    uint8_t n_at[FIGURE_PLACES], n_with[FIGURE_PLACES][FIGURE_INTERVALS];
};

struct figure_bias {
    struct figure tracks[TOKEN_MAX_TRACKS];
};

/* Of the notes in the 16 bars before step `from`. */
void figure_bias_init(struct figure_bias *f, const struct piece *p, int64_t from);
/* Of tracks, velocities, pitches and lengths. */
void figure_bias_apply(const struct figure_bias *f, const struct place *at);

#endif
