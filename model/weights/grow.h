/* Starts training from a smaller trained model: one with fewer tokens or layers; without
 * musical time, state or value embeddings; or with a tied head. The grown model keeps its
 * weights. New tokens start random, as in a fresh model. New tables of time, state and
 * values start at zero, so the grown model's output for the old tokens is unchanged. So does
 * what a further copy of a layer adds: twelve layers of six are 0 0 1 1 2 2 ... (Du et al.
 * 2024, "Stacking Your Transformers", with copies that begin as identities).
 *
 * An untied head lets tokens that are read but never predicted have useful embeddings:
 * a tied head pushes all of them in the same direction. */
#ifndef MODEL_GROW_H
#define MODEL_GROW_H

#include "model/weights/model.h"

/* True if `large` is `small`, or adds to it any of: more tokens, time in buckets, a
 * state table, value embeddings, an untied head; more layers, with pre-norm. */
bool model_grows_into(const struct model_config *small,
                      const struct model_config *large);

/* Fills a block laid out by model_tensors(c); model_grows_into must hold. like
 * [c->vocab] or NULL: a token whose embedding is added to this one's if this one is new
 * or the head was tied, and whose values are added if it is new; negative: none. */
enum model_status model_grow(float *block, const struct model_config *c,
                             const struct model *from, const int32_t *like,
                             uint64_t seed);

#endif
