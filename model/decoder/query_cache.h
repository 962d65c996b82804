/* The queries of a decoder's tokens, kept beside the key-value cache so that attention can
 * be recomputed (model/decoder/attention_probe.h). */
#ifndef MODEL_QUERY_CACHE_H
#define MODEL_QUERY_CACHE_H

#include "model/decoder/attention_probe.h"
#include "model/decoder/decoder_internal.h"

/* One memory mapping of n_bytes, which begins with this struct. Pages that no token reaches
 * are never touched. */
struct query_cache {
    size_t n_bytes;
    /* [context]: the stamp of the call that kept a token's queries (decoder_copy.c). They
     * are valid where it equals the token's stamp in the decoder. */
    uint64_t *stamps;
    float *queries[2];  /* by attention_kind: [layer][context][d_model], after rotation;
                           NULL: the model has none */
    uint8_t *time_rows; /* [n_threads][MAX_BATCH][step.n_rows] */
};

/* The queries of a layer's tokens, [context][d_model]. */
static inline float *query_cache_layer(const struct decoder *d,
                                       enum attention_kind kind, int layer)
{
    return d->query_cache->queries[kind] + (size_t)layer * d->c.context * d->c.d_model;
}

static inline bool has_head(const struct decoder *d, struct attention_head h)
{
    return h.layer >= 0 && h.layer < d->c.n_layers && h.head >= 0 &&
           h.head < d->c.n_heads;
}

/* All below do nothing in a decoder that keeps no queries. */

/* The queries of the n tokens that follow will be kept under this stamp. */
void query_cache_expect(struct decoder *d, uint64_t stamp, int n);
/* Keeps the queries [rows], ld apart, of some heads for the tokens from `position` on. */
void query_cache_put(struct decoder *d, enum attention_kind kind, int layer,
                     int position, int head, int n_heads, const float *q, int ld,
                     int rows);
/* If decoder_show_row asked for this head, writes the row of the token being read: over n
 * keys, weights [end - first] times `by` from key `first` on. Needs no kept queries. */
void decoder_write_shown_row(struct decoder *d, struct attention_head h,
                             const float *weights, int first, int end, int n, float by);
/* `to` already has the first n tokens of `from`; copies their queries if both keep them. */
void query_cache_copy(struct decoder *to, const struct decoder *from, int n);

/* A query's weights over the keys it sees, [first, end); times `by` they sum to one. */
struct attention_row {
    int first, end;
    float *weights; /* from key `first` on */
    float by;
};
/* Those of Fourier mixing, which depend on positions alone. room: a float for each
 * position up to the query's. */
void recompute_fixed_row(const struct decoder *d, int query, float *room,
                         struct attention_row *row);

#endif
