/* Starting from a trained model that is smaller: one that knows fewer tokens, or no
 * musical time, no state or no value embeddings, or whose output head is its token
 * embedding. What it has is kept; new tokens begin as random as those of a fresh model,
 * and new tables of time, state and values at zero, so that for the tokens it knew the
 * grown model says what it said before.
 *
 * A head of its own lets tokens that are only ever read, never predicted, have
 * embeddings of their own: a tied head pushes all of them the same way. */
#ifndef MODEL_GROW_H
#define MODEL_GROW_H

#include "model/weights/model.h"

/* `large` is `small` with more tokens, or with time in buckets, a state table, value
 * embeddings, or with a head that is not tied, or any of these, or none. */
bool model_grows_into(const struct model_config *small,
                      const struct model_config *large);

/* Fills a block laid out by model_tensors(c), for which model_grows_into holds. like
 * [c->vocab], or NULL: a token whose embedding is added to that of this one, if this one
 * is new or the head was tied before, and whose values, if it is new; negative: none. */
enum model_status model_grow(float *block, const struct model_config *c,
                             const struct model *from, const int32_t *like,
                             uint64_t seed);

#endif
