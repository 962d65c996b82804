/* The last bar of what shall close, leant on: the bass to the tonic, the others to its
 * triad, the last of them to be held, and no end before the bass is there. A bounded bias
 * of the logits that grows to the middle of the bar, beside what the model makes of being
 * asked, as app/decoding/nudge.h does for other wishes. The bass is the lowest of the tracks asked
 * for, in the notes there are. Pure functions, any thread. */
#ifndef APP_CADENCE_H
#define APP_CADENCE_H

#include "midi/tokens/fill.h"

/* Nats, the most that it takes from one token. */
#define CADENCE_BOUND 6.0f

struct cadence {
    float weight;     /* 0: nothing is done */
    int tonic;        /* pitch class */
    uint16_t triad;   /* bit 0 is C */
    int bass;         /* the token track */
    int64_t from, to; /* the last bar, steps */
};

/* Where a token is chosen; steps count as those of the cadence. */
struct cadence_place {
    int64_t step; /* the onset it stands at */
    int track;
    int lowest;   /* pitch that sounds there so far; 128: none */
    int32_t last; /* token drawn; of a duration, the pitch or the DURX before it, */
    int pitch;    /* and the pitch that it is of */
};

/* To close [.., to) of the piece; a weight of 1 is the bound in full. What has no key, or
 * only drums to be written, has none. */
struct cadence cadence_for(const struct piece *p, const struct fill_request *wishes,
                           int64_t from, int64_t to, float weight);
/* There is something to lean there. */
bool cadence_wants(const struct cadence *c, int64_t step);
/* Adds to the logits [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. */
void cadence_bias(const struct cadence *c, const struct cadence_place *at,
                  const uint8_t *allowed, float *logits);

#endif
