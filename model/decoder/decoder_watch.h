/* What a decoder that watches keeps beside its cache: the queries of its tokens, for
 * attention to be computed again from (model/decoder/attention.h), and the little that is needed
 * for that. */
#ifndef MODEL_DECODER_WATCH_H
#define MODEL_DECODER_WATCH_H

#include "model/decoder/attention.h"
#include "model/decoder/decoder_internal.h"

/* One mapping of n_bytes, which begins with this. Pages that no token reaches are never
 * touched. */
struct watch {
    size_t n_bytes;
    /* [context]: which call kept a token's queries. They are there where it is the call
     * that put the token in the cache, by its stamp (decoder_copy.c). */
    uint64_t *stamps;
    float *queries[2];  /* of either attention, [layer][context][d_model], turned; NULL:
                           it has none */
    uint8_t *time_rows; /* [n_threads][TOGETHER][step.n_rows] */
};

/* The queries of a layer's tokens, [context][d_model]. */
static inline float *watch_queries(const struct decoder *d, enum attention_of of,
                                   int layer)
{
    return d->watch->queries[of] +
           (size_t)layer * (size_t)d->c.context * (size_t)d->c.d_model;
}

/* All below do nothing where the decoder does not watch. */

/* Of n tokens that follow, queries will be kept under this stamp. */
void watch_expect(struct decoder *d, uint64_t stamp, int n);
/* The queries of all heads of tokens from `position` on, [rows], ld apart. */
void watch_keep(struct decoder *d, enum attention_of of, int layer, int position,
                const float *q, int ld, int rows);
/* That of one head of the token that is being read. */
void watch_keep_head(struct decoder *d, enum attention_of of, int layer, int head,
                     const float *q);
/* That token leaves the weights of a head, [end - first] times `by`, of a key on, where
 * that is the row that is shown; of n keys. Also where the decoder does not watch. */
void watch_show(struct decoder *d, struct attention_head h, const float *weights,
                int first, int end, int n, float by);
/* `to` has the first n tokens of `from`, and now their queries, where both watch. */
void watch_copy(struct decoder *to, const struct decoder *from, int n);

#endif
