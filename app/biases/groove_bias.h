/* Keeps a band's drums in their groove: what came in most of the last four bars at a place is
 * likelier there, and what came in none is less likely. A bounded bias of the logits. Pure
 * functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "midi/tokens/piece.h"

/* Adds to the logits [TOKEN_COUNT] of hits and positions that are allowed [TOKEN_COUNT],
 * for a hit of the track at this step of the bar that begins at step `bar`; positions count
 * from `base` after its line. Adds nothing if two bars like it have no hits. */
void groove_bias_apply(const struct piece *p, int track, int64_t step, int64_t bar,
                       int64_t base, const uint8_t *allowed, float *logits);

#endif
