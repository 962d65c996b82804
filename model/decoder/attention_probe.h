/* Observing attention. Attention weights are not stored; they are computed again when
 * somebody asks. The keys are in the key-value cache, and a decoder can store its queries
 * beside them (decoder_keep_queries). The same kernels give the same weights as when the
 * tokens were read. No matrix of tokens by tokens is ever made.
 *
 * The weights are softmax((q . k + the terms for distance) / sqrt(d_head)), which is
 * Vaswani et al. 2017, eq. 1, with the terms for distance of models/FORMAT.md. Values
 * take no part in them.
 *
 * Fourier mixing has no heads (attention_is_fixed). Its weights depend on positions alone
 * and are the same for every layer and head: |cos w(t j)| of model/kernels/fourier.h,
 * divided by their sum.
 *
 * The thread that uses the decoder may call these functions between two tokens. They do
 * not change any result of the decoder. They use its pool, and do not depend on the
 * number of threads. Only decoder_keep_queries allocates. On failure the contents of
 * output buffers are undefined. */
#ifndef MODEL_ATTENTION_PROBE_H
#define MODEL_ATTENTION_PROBE_H

#include "model/decoder/decoder.h"

#include <stddef.h>

/* Starts or stops storing queries. true: from now on prefill and steps store the queries
 * of every token, at the cost of copying d_model floats per token and layer (twice with
 * an encoder). Tokens that were read before have none. decoder_truncate forgets queries
 * with their tokens; decoder_copy copies them if both decoders store queries. false:
 * frees them. MODEL_NO_MEMORY. */
enum model_status decoder_keep_queries(struct decoder *d, bool on);

/* Self-attention is to the tokens so far; cross-attention is to the source, in models
 * with an encoder. */
enum attention_kind { ATTENTION_SELF, ATTENTION_CROSS };
/* One head of one layer of the decoder. */
struct attention_head {
    enum attention_kind kind;
    int layer, head;
};

/* Mutes these heads and no others. The output of a muted head is zero, in prefill and in steps.
 * Tokens that are in the cache already stay as they were; read them again to know them
 * without the head. decoder_truncate keeps the muting, decoder_copy does not copy it.
 * MODEL_NO_HEAD: there is no such head, as with Fourier mixing; then none is muted. */
enum model_status decoder_mute_heads(struct decoder *d,
                                     const struct attention_head *heads, size_t n);

/* True with Fourier mixing: see above. */
bool attention_is_fixed(const struct decoder *d);
/* The number of keys that the head can see: the tokens so far, or the tokens of the
 * source. 0: there is no such head. */
int attention_n_keys(const struct decoder *d, struct attention_head h);
/* The keys [*first, *end) that the query at a position sees. With local attention these
 * are its own block and the one before. */
void attention_visible(const struct decoder *d, struct attention_head h, int query,
                       int *first, int *end);

/* All functions below return MODEL_NO_HEAD if there is no such head or token, and
 * MODEL_NO_QUERIES if the query of one of the tokens is not stored. */

/* The weights of some queries: weights [n_rows], ld floats apart, where ld is at least
 * attention_n_keys. Row r has the query at position from + r, column k the key at
 * position k. The weight of a key that a query does not see is zero. Each row sums to
 * one. */
enum model_status attention_rows(struct decoder *d, struct attention_head h, int from,
                                 int n_rows, float *weights, size_t ld);

/* One query's scores before the softmax, as sums of three terms, [attention_n_keys] each:
 * `content` is q . k (with rotary positions, the whole score); `index` comes from the
 * tables of distances by index; `time` comes from the table of distances in time. NULL:
 * not wanted. The row of weights is the softmax of their sum. For a key that the query
 * does not see, content is -INFINITY and the others are 0. With Fourier mixing, content
 * is cos w(t j), the factor of c, and index is -sin w(t j), the factor of s. Both are 0
 * for a key that the query does not see. */
enum model_status attention_scores(struct decoder *d, struct attention_head h,
                                   int query, float *content, float *index,
                                   float *time);

/* A matrix of weights, reduced for display: cells [n_rows][n_columns] = the largest
 * weight that a query of [row_edges[r], row_edges[r + 1]) gives to a key of
 * [column_edges[c], column_edges[c + 1]). A cell has the very number of attention_rows,
 * so no spike is lost. There is one more edge than there are rows or columns, and edges
 * never decrease; an empty row or column is 0. */
enum model_status attention_pool(struct decoder *d, struct attention_head h,
                                 const int *row_edges, int n_rows,
                                 const int *column_edges, int n_columns, float *cells);

/* mass [n] = for each query from position `from` on, the sum of its weights for the keys
 * [key_from, key_to). */
enum model_status attention_column(struct decoder *d, struct attention_head h,
                                   int key_from, int key_to, int from, int n,
                                   float *mass);

#endif
