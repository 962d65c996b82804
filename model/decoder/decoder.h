/* Running a model: a key-value cache and one arena, sized at creation, so that
 * a generated token allocates nothing. One thread uses a decoder at a time;
 * several decoders may share a model and, one at a time, a pool. The numbers
 * do not depend on the number of threads. */
#ifndef MODEL_DECODER_H
#define MODEL_DECODER_H

#include "model/weights/model.h"
#include "model/base/pool.h"

#include <stdatomic.h>

struct decoder;

/* m and pool are borrowed and must outlive the decoder. */
enum model_status decoder_create(struct decoder **out, const struct model *m,
                                 struct pool *pool);
void decoder_destroy(struct decoder *d);

/* *flag is read at least once a layer; when it is true, prefill and step stop
 * with MODEL_CANCELLED and the cache keeps the length it had. NULL: none. */
void decoder_set_cancel(struct decoder *d, const atomic_bool *flag);

/* Reads a source, all of it at once, for the tokens that follow to attend to, and
 * forgets every token so far. Only for a model with an encoder, which without a source
 * runs nothing: MODEL_NO_SOURCE. When cancelled there is none. */
enum model_status decoder_encode(struct decoder *d, const int32_t *tokens,
                                 const int32_t *times, int n);

int decoder_length(const struct decoder *d);     /* tokens in the cache */
void decoder_truncate(struct decoder *d, int n); /* forget all but the first n */

/* Appends n tokens in matrix form, each with its time; times NULL: their
 * places in the sequence. Times matter only to a model whose configuration has them.
 * If logits is not NULL it receives [n, vocab] when all is true, else [vocab] of the
 * last. */
enum model_status decoder_prefill(struct decoder *d, const int32_t *tokens,
                                  const int32_t *times, int n, bool all, float *logits);
/* Appends one token with the single-step kernels; logits [vocab], or NULL. */
enum model_status decoder_step(struct decoder *d, int32_t token, int32_t time,
                               float *logits);

/* One token for each of n decoders, all different, of one model and pool; they may
 * have different lengths. Each gets the very bits that decoder_step would give it
 * alone, but the weights are read once for all, and so are the keys and values of
 * those first tokens that all have from one of them (decoder_copy). logits: n times
 * [vocab] or NULL. What is refused or cancelled for one is so for all, and all keep
 * their lengths. */
enum { DECODER_MAX_BATCH = 16 };
enum model_status decoder_step_many(struct decoder *const *d, int n,
                                    const int32_t *tokens, const int32_t *times,
                                    float *const *logits);

/* `to` forgets what it has and takes the first n tokens of `from`, a decoder of the
 * same model, and its source: all that was computed, bit for bit. What it has from
 * there already is not copied again. MODEL_TOO_LONG: `from` has no n tokens. */
enum model_status decoder_copy(struct decoder *to, const struct decoder *from, int n);

#endif
