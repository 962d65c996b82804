/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. Bars that are missing to two are a backbeat. A
 * kick may join each note of a bass. Each fourth bar ends with a fill. A bounded bias of the logits
 * [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. Pure functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "midi/tokens/piece.h"

/* Whether drums of this style that are written anew have a backbeat: not in jazz and latin, and not
 * in folk or art music; nor where most notes between the beats begin on triplets. */
bool groove_has_backbeat(const struct piece *p, enum style style);

/* Of hits of the track at this step of the bar that begins at step `bar`, and of positions from
 * `base` after its line. from: the step where phrases of four bars begin. */
void groove_bias_apply(const struct piece *p, int track, int64_t from, int64_t step,
                       int64_t bar, int64_t base, const uint8_t *allowed,
                       float *logits);

#endif
