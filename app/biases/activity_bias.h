/* Keeps tracks resting that play seldom: one that began notes in few of the last bars, as stabs of
 * brass, begins notes in as small a share of the take's bars. In a score without notes each track
 * plays: it becomes likelier, the more the longer it rests. The bias is bounded. Pure functions, any
 * thread. */
#ifndef APP_ACTIVITY_BIAS_H
#define APP_ACTIVITY_BIAS_H

#include "app/biases/place.h"

struct activity_bias {
    int64_t from;  /* the step where the take begins */
    bool is_empty; /* the score had no notes */
    /* By track: */
    float share[TOKEN_MAX_TRACKS]; /* of the bars, if it plays seldom; else 1 */
    int run[TOKEN_MAX_TRACKS];     /* the most bars in a row */
};

/* Reads the last bars before step `from`. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* Biases tracks. */
void activity_bias_apply(const struct activity_bias *a, const struct place *at);

#endif
