/* Keeps pitched tracks on the chords: those that are written in the piece, or, for a part that is
 * missing, those that the other tracks play. A pitch class that the chord in force lacks is less
 * likely, more so on a beat. The lowest track begins a chord or a bar with the chord's bass. A
 * note ends before a chord that lacks it. In styles that have them ninths and thirteenths, which
 * symbols lack here (midi/tokens/grid_chord.h), are as free above the bass. Just before the next
 * chord, notes that approach its bass are free. Bounded biases of the logits [TOKEN_COUNT] of
 * tokens that are allowed [TOKEN_COUNT]. Pure functions, any thread. */
#ifndef APP_CHORD_BIAS_H
#define APP_CHORD_BIAS_H

#include "midi/tokens/piece.h"

struct chord_bias {
    const struct grid_chord *chords; /* ascending; borrowed */
    size_t n;
    int bass;     /* the track that plays the chords' basses; -1: none */
    float weight; /* 0: nothing is biased; 1: a band's */
    bool has_tensions;
};

/* The sum of these costs by pitch class over the chord's classes. */
float chord_bias_cost(const struct grid_chord *chord, const float cost[12]);
/* The class of the third of the dominant that is in force at a step; -1: it is none. */
int chord_bias_leading(const struct chord_bias *b, int64_t step);
/* The chord in force at a step, and the one after it; NULL: none. */
const struct grid_chord *chord_bias_in_force(const struct chord_bias *b, int64_t step);
const struct grid_chord *chord_bias_next(const struct chord_bias *b, int64_t step);
/* Of pitches, for a note of this track at this step of p. */
void chord_bias_pitches(const struct chord_bias *b, const struct piece *p, int track,
                        int64_t step, const uint8_t *allowed, float *logits);
/* Of lengths, for a note of this pitch at this step. */
void chord_bias_lengths(const struct chord_bias *b, int64_t step, int pitch,
                        const uint8_t *allowed, float *logits);
/* Where the next bar or chord begins, those who carry the chords begin a note: of positions that
 * pass by it, which count from `base` after the bar line at step `bar`, and of what leaves the
 * bar. last: the step of the track's newest note. */
void chord_bias_onsets(const struct chord_bias *b, const struct piece *p, int64_t step,
                       int64_t bar, int64_t last, int64_t base, const uint8_t *allowed,
                       float *logits);

#endif
