/* Observing attention. It is not stored but recomputed when somebody asks: keys are in the
 * key-value cache, and a decoder can keep its queries beside them (decoder_keep_queries).
 * The same kernels give the same weights as when the tokens were read, and no matrix of
 * tokens times tokens is ever built.
 *
 * Weights are softmax((q . k + what distance adds) / sqrt(d_head)), Vaswani et al. 2017,
 * eq. 1, with the terms for distance of models/FORMAT.md; values take no part.
 *
 * Fourier mixing has no heads (attention_is_fixed). Its weights depend on positions alone
 * and are the same for every layer and head: |cos w(t j)| of model/kernels/fourier.h, over
 * their sum.
 *
 * The decoder's user calls these between two tokens, one thread at a time. They change no
 * result of the decoder, use its pool, and do not depend on the number of threads. Only
 * decoder_keep_queries allocates. On failure, output buffers hold anything. */
#ifndef MODEL_ATTENTION_PROBE_H
#define MODEL_ATTENTION_PROBE_H

#include "model/decoder/decoder.h"

#include <stddef.h>

/* true: from now on prefill and steps keep the queries of every token, at the cost of
 * copying d_model floats per token and layer (twice with an encoder). false: frees them.
 * Tokens read before have none. decoder_truncate forgets them with their tokens;
 * decoder_copy copies them if both decoders keep queries. MODEL_NO_MEMORY. */
enum model_status decoder_keep_queries(struct decoder *d, bool on);

/* Self-attention: to the tokens so far. Cross-attention: to the source, in models with an
 * encoder. */
enum attention_kind { ATTENTION_SELF, ATTENTION_CROSS };
/* One head of one of the decoder's layers. */
struct attention_head {
    enum attention_kind kind;
    int layer, head;
};

/* Mutes a head, or unmutes it: while muted its output is zero, in prefill and in steps.
 * Tokens already in the cache stay as they were; to know them without the head, read them
 * again. decoder_truncate keeps it, decoder_copy does not copy it. MODEL_NO_HEAD: there is
 * no such head, as with Fourier mixing. */
enum model_status decoder_mute_head(struct decoder *d, struct attention_head h,
                                    bool is_muted);

/* True for Fourier mixing: see above. */
bool attention_is_fixed(const struct decoder *d);
/* Keys that the head could see: tokens read, or tokens of the source; 0: no such head. */
int attention_n_keys(const struct decoder *d, struct attention_head h);
/* The keys [*first, *end) that the query at a position sees: with local attention, its own
 * block and the one before. */
void attention_visible(const struct decoder *d, struct attention_head h, int query,
                       int *first, int *end);

/* Of all that follow: MODEL_NO_HEAD: no such head, or no such token; MODEL_NO_QUERIES:
 * the query of one of these tokens was not kept. */

/* weights [n_rows], ld floats apart, ld at least attention_n_keys: row r has the query
 * at place from + r, column k the key at place k. What a query does not see is zero;
 * each row sums to one. */
enum model_status attention_rows(struct decoder *d, struct attention_head h, int from,
                                 int n_rows, float *weights, size_t ld);

/* One query's scores before the softmax, [attention_n_keys] each, by what they owe to:
 * content, q . k (with rotary positions, the whole score); the tables of distances by
 * index; the table of distances in time. NULL: not wanted. The row is the softmax of
 * their sum: of a key that is not seen, content is -INFINITY and the others 0. Fixed
 * layers: content cos w(t j), with which c goes to t, and index -sin w(t j), with which
 * s does; a key that is not seen has 0 in both. */
enum model_status attention_scores(struct decoder *d, struct attention_head h,
                                   int query, float *content, float *index,
                                   float *time);

/* cells [n_rows][n_columns] = the largest weight that a query of [row_edges[r],
 * row_edges[r + 1]) gives to a key of [column_edges[c], column_edges[c + 1]): the very
 * number of attention_rows, so no spike is lost. Edges, one more than there are rows or
 * columns, never go back; an empty row or column is 0. */
enum model_status attention_pool(struct decoder *d, struct attention_head h,
                                 const int *row_edges, int n_rows,
                                 const int *column_edges, int n_columns, float *cells);

/* mass [n] = the weight that each query from position `from` on gives to the keys
 * [key_from, key_to). */
enum model_status attention_column(struct decoder *d, struct attention_head h,
                                   int key_from, int key_to, int from, int n,
                                   float *mass);

#endif
