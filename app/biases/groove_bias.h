/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. New drums may have a backbeat: it counts as two
 * more bars, and its snares are due in each. A kick may join each note of a bass. Each fourth bar
 * ends with a fill. A bounded bias of the logits [TOKEN_COUNT] of tokens that are allowed
 * [TOKEN_COUNT]. Pure functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "midi/tokens/piece.h"

/* Whether more notes between the beats begin on triplets than on eighths. */
bool groove_swings(const struct piece *p);
/* Whether drums of this style that are written anew have a backbeat: not in jazz and latin, and not
 * in folk or art music; nor where others swing. */
bool groove_has_backbeat(const struct piece *p, enum style style);

/* Where a token is chosen: steps of the music. */
struct groove_place {
    int track;
    int64_t from;            /* phrases of four bars begin here */
    int64_t step, bar, base; /* the current onset, its bar, the POSX before it, or 0 */
    bool has_backbeat;       /* the drums are new, and have one */
};

/* Of hits of the track, and of positions. */
void groove_bias_apply(const struct piece *p, const struct groove_place *at,
                       const uint8_t *allowed, float *logits);

#endif
