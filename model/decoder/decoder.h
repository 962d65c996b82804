/* Runs a model, token by token. A decoder has a key-value cache and all other memory in
 * one arena that is sized when it is created, so generating a token allocates nothing.
 * One thread uses a decoder at a time. Several decoders may share a model and, one after
 * another, a pool of threads. The results do not depend on the number of threads. */
#ifndef MODEL_DECODER_H
#define MODEL_DECODER_H

#include "model/weights/model.h"
#include "model/base/pool.h"

#include <stdatomic.h>

struct decoder;

/* The model and the pool are borrowed and must outlive the decoder. */
enum model_status decoder_create(struct decoder **out, const struct model *m,
                                 struct pool *pool);
void decoder_destroy(struct decoder *d);

/* Sets the cancel flag; NULL: none. While *flag is true, prefill and step stop within one
 * layer, return MODEL_CANCELLED and leave the length as it was. */
void decoder_set_cancel(struct decoder *d, const atomic_bool *flag);

/* Reads a whole source, to which the tokens that follow attend, and forgets every earlier
 * token. Only a model with an encoder has a source, and it must have one before prefill
 * or a step: otherwise MODEL_NO_SOURCE. After a cancelled call there is no source. */
enum model_status decoder_encode(struct decoder *d, const int32_t *tokens,
                                 const int32_t *times, int n);

int decoder_length(const struct decoder *d);     /* tokens in the cache */
void decoder_truncate(struct decoder *d, int n); /* forgets all but the first n */

/* Prefill: appends n tokens by matrix products. `times` are the tokens' times; NULL:
 * their positions. Times matter only to a model whose configuration uses them. `logits`,
 * unless NULL, receives [n, vocab] if `all` is true, else [vocab] of the last token. */
enum model_status decoder_prefill(struct decoder *d, const int32_t *tokens,
                                  const int32_t *times, int n, bool all, float *logits);
/* A step: appends one token by the single-step kernels. `logits`, unless NULL, receives
 * [vocab]. */
enum model_status decoder_step(struct decoder *d, int32_t token, int32_t time,
                               float *logits);

/* A step of n different decoders of one model and pool, which may have different lengths:
 * each appends one token. Each gets the same bits as from decoder_step alone. But the
 * weights are read once for all decoders, and so are the keys and values of those first
 * tokens that all of them have in common through decoder_copy. `logits` holds for each
 * decoder [vocab] or NULL. If one decoder's token is refused or cancelled, all are, and
 * all keep their lengths. */
enum { DECODER_MAX_BATCH = 16 };
enum model_status decoder_step_many(struct decoder *const *d, int n,
                                    const int32_t *tokens, const int32_t *times,
                                    float *const *logits);

/* Makes `to` a copy of the first n tokens of `from`, a decoder of the same model, and of
 * its source. Keys and values are copied bit for bit; what `to` already has from `from`
 * is not copied again. MODEL_TOO_LONG: `from` has fewer than n tokens. */
enum model_status decoder_copy(struct decoder *to, const struct decoder *from, int n);

#endif
