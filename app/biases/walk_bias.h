/* A bass that is written anew for a swinging band walks: it begins a note on each beat, hardly
 * another between two, holds each until the next, does not repeat it, and comes to the bass of the
 * next chord by a step. Tones of the chords are left to chord_bias. A bounded bias of the logits
 * [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. Pure functions, any thread. */
#ifndef APP_WALK_BIAS_H
#define APP_WALK_BIAS_H

#include "midi/tokens/piece.h"

/* Whether a bass walks there: in jazz, and where others swing over a ride cymbal on the beats. */
bool walk_bias_is_due(const struct piece *p, enum style style);

/* Where a token is chosen: steps of the music. */
struct walk_place {
    int track;
    int64_t step, bar, base; /* the current onset, its bar, the POSX before it, or 0 */
    int64_t end;             /* of what is written: no beat comes there or later */
    const struct grid_chord *next; /* the chord after the one in force; NULL: none */
};

/* Of positions, pitches and lengths. p: with the notes that are written so far. */
void walk_bias_apply(const struct piece *p, const struct walk_place *at,
                     const uint8_t *allowed, float *logits);

#endif
