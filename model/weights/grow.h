/* Starts training from a smaller trained model. The smaller one may have fewer tokens or
 * layers; may lack time buckets, a state table or value embeddings; and may have a tied
 * head where the larger one has its own.
 *
 * The larger model keeps the smaller one's weights. New tokens start random, as in a
 * fresh model. New tables of times, states and values start at zero, so the output for
 * the old tokens does not change. New layers are copies: twelve layers grown from six are
 * 0 0 1 1 2 2 ... (Du et al. 2024, "Stacking Your Transformers"). The second copy's
 * output projections start at zero, so that the copy begins as the identity and the
 * output does not change either.
 *
 * A head of its own serves models in which some tokens are read but never predicted. A
 * tied head pushes the embeddings of all such tokens in the same direction; without it
 * they can become useful. */
#ifndef MODEL_GROW_H
#define MODEL_GROW_H

#include "model/weights/model.h"

/* True if `large` equals `small` or adds any of these: tokens, time in buckets, a state
 * table, value embeddings, an untied head; and, with norm "pre", layers. */
bool model_grows_into(const struct model_config *small,
                      const struct model_config *large);

/* Fills a block that is laid out by model_tensors(c); model_grows_into must hold.
 *
 * `like` [c->vocab], or NULL, names for each token another token that it resembles, or a
 * negative number. That token's embedding is added to the token's own if the token is new
 * or the head was tied and no longer is. Its values are added if the token is new. */
enum model_status model_grow(float *block, const struct model_config *c,
                             const struct model *from, const int32_t *like,
                             uint64_t seed);

#endif
