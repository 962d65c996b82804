/* "More like this" and "less like this": takes that the composer liked or disliked
 * lean the takes to come.
 *
 * It is a cache model (Kuhn and De Mori 1990): counts of what the marked takes do, of
 * rhythm, chord size, pitch and duration (app/decoding/taste_events.h has the list). What it adds
 * to the big model's logits is the log ratio of a liked take's habits to those of the
 * other takes of the same request, and against a disliked one the reverse, as in
 * contrastive decoding (Li et al. 2023). So only what is particular to a take counts.
 * The lean is bounded and zero where nothing is known: the grammar and the big model
 * keep their say.
 *
 * Made from all marks anew when one changes. Pure and deterministic; one thread at a
 * time. */
#ifndef APP_TASTE_H
#define APP_TASTE_H

#include "midi/tokens/tokens.h"

struct taste;

/* Nats, the most that taste_bias adds or takes. */
#define TASTE_BOUND  3.0f
/* What takes lean by when nothing else is wished. Much above it a disliked take is
 * fled at the cost of the music. */
#define TASTE_WEIGHT 1.0f

struct taste *taste_create(void);    /* NULL: out of memory */
void taste_destroy(struct taste *t); /* NULL is fine */

/* A take: notes in canonical order, with steps from the start of the music `bars`, of
 * which only the meters and the families are read, and token tracks as the takes to come
 * have them.
 * Neither is needed afterwards. how_much above 0: liked; below: disliked; 0: heard, and
 * neither, which tells what all takes have in common. 1 counts its notes once.
 * false: out of memory; it then counts in part. */
bool taste_add(struct taste *t, const struct piece *bars, const struct grid_note *notes,
               size_t n, float how_much);

/* Before the first token of a take. weight scales the log ratios; 0: none. */
void taste_start(struct taste *t, float weight);
/* What the model has read, up to where it draws from: BOS ... ; at the start, and
 * whenever it reads anew within the take. origin: the step of the music at which the
 * tokens begin. */
void taste_read(struct taste *t, const int32_t *ids, size_t n, int64_t origin);
/* A token that was drawn. */
void taste_feed(struct taste *t, int32_t token);
/* Leans the logits [TOKEN_COUNT] of those tokens that are allowed [TOKEN_COUNT] and
 * finite; no other is touched. Allocates nothing. */
void taste_bias(const struct taste *t, const uint8_t *allowed, float *logits);

/* How alike two takes are, 0 to 1: the mean of three overlaps of histograms (Swain and
 * Ballard 1991), each of pairs: the places in the bar of an onset and the next, the
 * pitch classes of a note and the next of its track, and two intervals in a row there.
 * 1 for two takes without notes; negative: out of memory. */
double taste_similarity(const struct piece *bars, const struct grid_note *a, size_t n_a,
                        const struct grid_note *b, size_t n_b);

#endif
