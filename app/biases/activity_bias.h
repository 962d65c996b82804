/* Keeps active tracks playing, and others resting. A track that began notes in most bars and now
 * rests longer than it does in the piece, or for a bar, becomes likelier, the more the longer it
 * rests; so does every track of a score without notes. A track that began notes in few bars, as
 * stabs of brass, begins notes in as small a share of the take's bars. If notes begin in every bar
 * of the piece, a bar line after a bar without any becomes less likely. The bias is bounded. Pure
 * functions, any thread. */
#ifndef APP_ACTIVITY_BIAS_H
#define APP_ACTIVITY_BIAS_H

#include "app/biases/place.h"

struct activity_bias {
    uint64_t steady; /* bit t: track t plays in most bars */
    bool is_full;    /* notes begin in every bar */
    int64_t from;    /* the step where the take begins */
    int64_t newest;  /* the step where the newest note of all begins */
    /* By track: */
    int64_t last[TOKEN_MAX_TRACKS]; /* the step of its newest note; -1: none */
    int64_t rest[TOKEN_MAX_TRACKS]; /* steps from a note to its next, seldom more */
    float share[TOKEN_MAX_TRACKS];  /* of the bars, if it plays seldom; else 1 */
    int run[TOKEN_MAX_TRACKS];      /* the most bars in a row */
    int n_played[TOKEN_MAX_TRACKS]; /* bars of the take in which it began notes */
    float most;                     /* nats */
};

/* Reads the last bars before step `from`. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* Counts a note that was written. p: the piece, for its bars. */
void activity_bias_add(struct activity_bias *a, const struct piece *p,
                       const struct grid_note *n);
/* Biases tracks and bar lines. */
void activity_bias_apply(const struct activity_bias *a, const struct place *at);

#endif
