/* Starting from a trained model that is smaller: one that knows fewer tokens, or no
 * musical time. What it has is kept; new tokens begin as random as those of a fresh
 * model, and new tables of time at zero, so that for the tokens it knew the grown
 * model says what it said before. */
#ifndef MODEL_GROW_H
#define MODEL_GROW_H

#include "model/model.h"

/* `large` is `small` with more tokens, or with time in buckets, or both, or neither. */
bool model_grows_into(const struct model_config *small,
                      const struct model_config *large);

/* Fills a block laid out by model_tensors(c), for which model_grows_into holds. */
enum model_status model_grow(float *block, const struct model_config *c,
                             const struct model *from, uint64_t seed);

#endif
