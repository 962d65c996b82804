/* Biases a take towards the density, length, register and number of voices that a request asks
 * for. The model reads the request as tokens, too, but learns little about them in a style whose
 * music rarely varies in that way.
 *
 * Each bias is quadratic in the distance from the request, in octaves of length, pitch or rate,
 * like a Gaussian prior; the bias of density is also linear in the missing notes. Each is bounded.
 * Pure functions, any thread. */
#ifndef APP_CONTROL_BIAS_H
#define APP_CONTROL_BIAS_H

#include "app/biases/place.h"
#include "midi/tokens/fill.h"

/* Nats: the largest bias of one token. */
#define CONTROL_BIAS_BOUND 4.0f

enum { CONTROL_BIAS_ENDS = 32 };

/* Steps count from the same point in all. */
struct control_bias {
    double density;  /* notes in a quarter, of all tracks together; 0: any */
    double length;   /* of a note, steps; 0: any */
    double pitch;    /* 0: any */
    int voices;      /* 0: any */
    float weight;    /* of all biases; 0: none */
    int64_t from;    /* where the hole begins */
    int64_t n_notes; /* in it so far, */
    int64_t ends[CONTROL_BIAS_ENDS]; /* and where the newest end; a ring */
};

/* For the controls of a request that names its tracks. */
struct control_bias control_bias_for(const struct fill_request *request, int64_t from,
                                     float weight);
bool control_bias_is_needed(const struct control_bias *n);
/* Counts a note that was written. */
void control_bias_add(struct control_bias *n, const struct piece *p,
                      const struct grid_note *note);
void control_bias_apply(const struct control_bias *n, const struct place *at);

#endif
