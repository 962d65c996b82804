/* Keeps a band to the chords that are written for it: pitch classes that the chord in force
 * lacks are made less likely, more so on a beat; and a bass is led to the chord's own bass where
 * the chord or a bar begins. A note ends, where the next chord lacks it, before that. A bounded bias of the logits. Pure functions, any thread. */
#ifndef APP_CHORD_BIAS_H
#define APP_CHORD_BIAS_H

#include "midi/tokens/piece.h"

/* Adds to the logits [TOKEN_COUNT] of pitches and lengths that are allowed [TOKEN_COUNT], for a
 * note at this step; of lengths, for a note of this pitch. */
void chord_bias_apply(const struct piece *p, bool is_bass, int64_t step, int pitch,
                      const uint8_t *allowed, float *logits);

/* Where the next bar or chord begins, those who carry the chords begin a note: adds to the logits
 * of positions that pass by it, which count from `base` after the bar line at step `bar`, and
 * of what leaves the bar. last: the step of the track's newest note. */
void chord_bias_onsets(const struct piece *p, int64_t step, int64_t bar, int64_t last,
                       int64_t base, const uint8_t *allowed, float *logits);

#endif
