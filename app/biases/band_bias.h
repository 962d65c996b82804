/* Keep a band to its chords, and its drums to their groove. Bounded biases of the logits
 * [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. Pure functions, any thread. */
#ifndef APP_BAND_BIAS_H
#define APP_BAND_BIAS_H

#include "midi/tokens/piece.h"

/* Pitch classes that the chord in force lacks are made less likely, more so on a beat; and a
 * bass is led to the chord's own bass where the chord or a bar begins. A note of this pitch
 * ends before a chord that lacks it. */
void chord_bias_apply(const struct piece *p, bool is_bass, int64_t step, int pitch,
                      const uint8_t *allowed, float *logits);

/* Where the next bar or chord begins, those who carry the chords begin a note: of positions
 * that pass by it, which count from `base` after the bar line at step `bar`, and of what
 * leaves the bar. last: the step of the track's newest note. */
void chord_bias_onsets(const struct piece *p, int64_t step, int64_t bar, int64_t last,
                       int64_t base, const uint8_t *allowed, float *logits);

/* What came in most of the last four bars at a place is likelier there, and what came in none
 * is less likely: of hits of the track at this step of the bar that begins at step `bar`, and
 * of positions from `base` after its line. Bars that are missing to two are a backbeat. */
void groove_bias_apply(const struct piece *p, int track, int64_t step, int64_t bar,
                       int64_t base, const uint8_t *allowed, float *logits);

#endif
