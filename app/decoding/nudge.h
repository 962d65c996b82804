/* What is wished for, leant on: a bounded bias of the logits towards the density, the
 * length, the register and the number of voices that were asked of a hole, beside what
 * the model makes of being asked. Music of a style where such a wish never came up
 * teaches a model little of it; this says it outright, as far as the model's own
 * likelihoods leave a choice.
 *
 * Each bias is quadratic in the distance from what was asked, in octaves of length, of
 * pitch and of rate, as a Gaussian prior would have it; of density, also linear in the
 * notes that are missing. Pure functions. */
#ifndef APP_NUDGE_H
#define APP_NUDGE_H

#include "midi/tokens/fill.h"

/* Nats, the most that it takes from one token. */
#define NUDGE_BOUND 4.0f

/* Steps count from anywhere, the same in all. */
struct nudge {
    double density;  /* notes in a quarter, of all tracks together; 0: no wish */
    double length;   /* of a note, steps; 0: no wish */
    double pitch;    /* 0: no wish */
    int voices;      /* 0: no wish */
    float weight;    /* of all; 0: nothing is done */
    int64_t from;    /* where the hole begins */
    int64_t n_notes; /* in it so far */
};

/* Where a token is chosen. */
struct nudge_place {
    int64_t step;               /* the onset it stands at, */
    int64_t bar, next_bar, end; /* its bar, the next, and the end of the hole */
    int64_t base;               /* of a position, what POSX said before; else 0 */
    int n_sounding;             /* notes of the hole at that onset */
};

/* For the controls of a request that names its tracks. */
struct nudge nudge_for(const struct fill_request *wishes, int64_t from, float weight);
bool nudge_wants(const struct nudge *n);
/* Adds to the logits [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT]. */
void nudge_bias(const struct nudge *n, const struct nudge_place *at,
                const uint8_t *allowed, float *logits);

#endif
