/* Keeps active tracks playing. If a track began notes in most bars and now rests longer
 * than it does in the piece, or for a bar, its tokens become likelier, and more so the
 * longer it rests. The same goes for every track of a score without notes. If every bar has
 * notes that begin in it, the next ones should have, too. A bounded bias of the logits. Pure
 * functions, any thread. */
#ifndef APP_ACTIVITY_BIAS_H
#define APP_ACTIVITY_BIAS_H

#include "midi/tokens/piece.h"

struct activity_bias {
    uint64_t steady;                /* bit t: track t plays in most bars */
    bool is_full;                   /* some track plays in every bar */
    int64_t newest;                 /* step where the newest note of all begins */
    int64_t last[TOKEN_MAX_TRACKS]; /* step where its newest note begins; -1: none */
    int64_t rest[TOKEN_MAX_TRACKS]; /* steps to its next, seldom more */
    float most;                     /* nats */
};

/* As the last bars before step `from` have it. */
struct activity_bias activity_bias_of(const struct piece *p, int64_t from);
/* A note was written. */
void activity_bias_add(struct activity_bias *a, const struct grid_note *n);
/* Adds to the logits [TOKEN_COUNT] of tracks and BAR that are allowed [TOKEN_COUNT], in the bar
 * that begins at step `bar`. */
void activity_bias_apply(const struct activity_bias *a, int64_t step, int64_t bar,
                         const uint8_t *allowed, float *logits);

/* For a hole of one track that should play in every bar: adds to the logits of tokens that
 * leave the bar at step `bar` without a note, or that end before the last bar, at `last`. */
void activity_bias_fill_bars(const struct activity_bias *a, int track, int64_t bar,
                             int64_t last, const uint8_t *allowed, float *logits);

#endif
