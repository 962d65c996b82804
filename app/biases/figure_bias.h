/* Keeps the figure of an accompaniment: an Alberti bass, the riff of a blues, an oom-pah. A
 * track that is not the highest has a rhythm if most of its notes begin at places where notes of
 * most of its bars do; and it has intervals if most of its notes lie as far from the first note of their bar as the
 * notes at their place in most bars do. Notes of the take that keep to them become likelier,
 * over whatever chord the bar begins with. A bounded bias of the logits. Pure functions, any
 * thread. */
#ifndef APP_FIGURE_BIAS_H
#define APP_FIGURE_BIAS_H

#include "midi/tokens/piece.h"

enum { FIGURE_PLACES = 16, FIGURE_INTERVALS = 36 };

struct figure {
    bool has_rhythm, has_intervals;
    int low,
        high; /* pitches of the first notes of its bars: the lowest and the highest */
    uint8_t n_bars; /* that the track plays in, */
    uint8_t
        n_places; /* and the places where its notes begin, in steps from the bar line: */
    int32_t places[FIGURE_PLACES];
    /* The notes there; those of them that are as long as the one before; and the last one's
     * length in steps. */
    uint8_t n_notes[FIGURE_PLACES], n_alike[FIGURE_PLACES];
    int32_t lengths[FIGURE_PLACES];
    /* Bars in which notes begin there; and which have this interval from their first note. */
    uint8_t n_at[FIGURE_PLACES], n_with[FIGURE_PLACES][FIGURE_INTERVALS];
};

struct figure_bias {
    struct figure tracks[TOKEN_MAX_TRACKS];
};

/* Of the notes in the 16 bars before step `from`. */
void figure_bias_init(struct figure_bias *f, const struct piece *p, int64_t from);
/* Adds to the logits [TOKEN_COUNT] of tracks, velocities, pitches and lengths that are
 * allowed [TOKEN_COUNT], for a note at this step; `track` is the one that the tokens said last. p: the
 * piece as it is now, with what was written. */
void figure_bias_apply(const struct figure_bias *f, const struct piece *p, int track,
                       int64_t step, const uint8_t *allowed, float *logits);

#endif
