/* Drums turn at the ends of phrases, as the given ones do. A phrase ends with each fourth bar
 * before the take. The last of these bars whose hits differ from the groove is the turn: what it
 * has instead of the groove is likelier every eight bars from it on, or every four if the phrase
 * before turned, too. A bounded bias. Pure functions, any thread. */
#ifndef APP_TURN_BIAS_H
#define APP_TURN_BIAS_H

#include "app/biases/place.h"

struct turn_bias {
    int period; /* bars; 0: the given drums do not turn */
    int track;
    int64_t turn, groove; /* given bars: the turn, and one before, of the groove */
};

/* Of the bars before `from`, steps. */
struct turn_bias turn_bias_of(const struct piece *p, int64_t from);
/* The drums that turn in the bar that begins at this step; bit t: track t. */
uint64_t turn_bias_due(const struct turn_bias *b, const struct piece *p, int64_t bar);
/* Of hits, of the drums' track, and of positions at which no other track plays. */
void turn_bias_apply(const struct turn_bias *b, const struct place *at);

#endif
