/* "More like this" and "less like this": takes that the composer liked or disliked bias the
 * takes to come.
 *
 * A cache model (Kuhn and De Mori 1990) counts what the marked takes do, of rhythm, chord
 * size, pitch and duration. The bias of the logits is the log
 * ratio of a liked take's habits to those of the request's other takes, and the reverse for
 * a disliked one, as in contrastive decoding (Li et al. 2023): only what is particular to a
 * take counts. It is bounded, and zero where nothing is known.
 *
 * Made anew from all marks when one changes. Deterministic; one thread at a time. */
#ifndef APP_TASTE_H
#define APP_TASTE_H

#include "app/biases/place.h"

struct taste;

/* Nats, the most that taste_apply adds or takes. */
#define TASTE_BOUND  3.0f
/* The usual weight. Much above it a disliked take is avoided at the cost of the music. */
#define TASTE_WEIGHT 1.0f

struct taste *taste_create(void);    /* NULL: out of memory */
void taste_destroy(struct taste *t); /* NULL is fine */

/* Adds a take: notes in canonical order, with steps from the start of the music `bars` and
 * with the token tracks of the takes to come. Only meters and families of `bars` are read.
 * Both are borrowed for the call. how_much above 0: liked; below: disliked; 0: neither, which
 * shows what all takes have in common. 1 counts its notes once. false: out of memory; the
 * take then counts in part. */
bool taste_add(struct taste *t, const struct piece *bars, const struct grid_note *notes,
               size_t n, float how_much);

/* Call before the first token of a take. weight scales the log ratios; 0: no bias. */
void taste_start(struct taste *t, float weight);
/* A note of the take was written; steps count from the start of the music. */
void taste_hear(struct taste *t, const struct grid_note *n);
/* Of logits that are finite. Allocates nothing. */
void taste_apply(const struct taste *t, const struct place *at);

#endif
