/* Fills a gap as the piece has it elsewhere. The notes around the gap, in two bars on each
 * side and in the tracks that play during it, are compared with those around every passage
 * as long. The passage with the most equal ones, if they are half or more, is the parallel
 * one: its notes become likelier. A bounded bias of the logits, like the cache of Grave,
 * Joulin & Usunier, "Improving neural language models with a continuous cache" (ICLR 2017).
 * Pure functions, any thread. */
#ifndef APP_PARALLEL_BIAS_H
#define APP_PARALLEL_BIAS_H

#include "midi/tokens/piece.h"

struct parallel_bias {
    int64_t from, to; /* the gap, steps; to is 0: there is no such passage */
    int64_t by;       /* from the gap to the passage */
    uint64_t tracks;  /* bit t: token track t */
    struct grid_note
        last; /* written in the gap; if none was, its step is before the gap */
};

/* Where a token is chosen; steps of the music. */
struct parallel_position {
    int64_t step, bar, next_bar; /* the current onset, its bar, the next */
    int64_t base;                /* of a position: the POSX before it; else 0 */
    int track;
    int32_t last; /* token drawn */
    int pitch;    /* the last one in the tokens */
};

/* For a gap [from, to) in these tracks. They have no notes there, but in the passage. */
struct parallel_bias parallel_bias_of(const struct piece *p, int64_t from, int64_t to,
                                      uint64_t tracks);
/* A note was written. */
void parallel_bias_add(struct parallel_bias *b, const struct grid_note *n);
/* Adds to the logits [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. */
void parallel_bias_apply(const struct parallel_bias *b, const struct piece *p,
                         const struct parallel_position *at, const uint8_t *allowed,
                         float *logits);

#endif
