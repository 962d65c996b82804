/* Keeps active tracks playing, and others resting. If a track began notes in most bars and now
 * rests longer than it does in the piece, or for a bar, its tokens become likelier, and more so
 * the longer it rests. The same goes for every track of a score without notes. A track that
 * began notes in few bars, as stabs of brass, begins none in more of the take's bars. If every bar
 * has notes that begin in it, the next ones should have, too. A bounded bias of the logits. Pure functions, any
 * thread. */
#ifndef APP_ACTIVITY_BIAS_H
#define APP_ACTIVITY_BIAS_H

#include "app/biases/place.h"

struct activity_bias {
    uint64_t steady;                /* bit t: track t plays in most bars */
    bool is_full;                   /* some track plays in every bar */
    int64_t from;                   /* step where the take begins */
    int64_t newest;                 /* step where the newest note of all begins */
    int64_t last[TOKEN_MAX_TRACKS]; /* step where its newest note begins; -1: none */
    int64_t rest[TOKEN_MAX_TRACKS]; /* steps to its next, seldom more */
    /* Of a track that plays seldom: its share of the bars, else 1; and the most in a row. */
    float share[TOKEN_MAX_TRACKS];
    int run[TOKEN_MAX_TRACKS];
    int n_played[TOKEN_MAX_TRACKS]; /* bars of the take in which it began notes */
    float most;                     /* nats */
};

/* As the last bars before step `from` have it. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* A note was written. p: the piece, for its bars. */
void activity_bias_add(struct activity_bias *a, const struct piece *p,
                       const struct grid_note *n);
/* Of tracks, BAR and FILL_END. */
void activity_bias_apply(const struct activity_bias *a, const struct place *at);

#endif
