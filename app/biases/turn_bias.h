/* Drums turn at the ends of phrases, as the given ones do, and keep to their groove before. A phrase
 * ends with each fourth bar before the take. The last of these bars whose hits differ from the groove
 * is the turn: what it has instead of the groove is likelier every eight bars from it on, or every
 * four if the phrase before turned, too. In the other bars of a phrase a hit is less likely where no
 * given bar has it, and where it passes by one that each of them has; of a groove of two bars, every
 * second given bar. A bounded bias. Pure functions, any thread. */
#ifndef APP_TURN_BIAS_H
#define APP_TURN_BIAS_H

#include "app/biases/place.h"

struct turn_bias {
    uint64_t pairs; /* bit t: track t has a groove of two bars */
    int64_t end;    /* of the given bars, */
    int n;          /* of which, of the last that are read, drums play in so many */
    int period;     /* bars; 0: the given drums do not turn */
    int track;
    int64_t turn, groove; /* given bars: the turn, and one before, of the groove */
};

/* Of the bars before `from`, steps. */
struct turn_bias turn_bias_of(const struct piece *p, int64_t from);
/* The drums that turn in the bar that begins at this step; bit t: track t. */
uint64_t turn_bias_due(const struct turn_bias *b, const struct piece *p, int64_t bar);
/* Of hits, of the drums' track, and of positions at which no other track plays. rests: tracks that
 * rest in this bar do not turn. */
void turn_bias_apply(const struct turn_bias *b, const struct place *at, uint64_t rests);

#endif
