/* Where a decoder looked. Attention is not stored but computed again when somebody
 * asks, from what the decoder has: its keys are in the cache, and a decoder that
 * *watches* keeps its queries beside them. The same kernels give the same weights as
 * when the tokens were read; nothing is ever as large as the square of the tokens.
 *
 * Weights are softmax((q . k + what distance adds) / sqrt(d_head)), Vaswani et al. 2017,
 * eq. 1, with Shaw et al. 2018's, Huang et al. 2018's or this program's own terms for
 * distance (models/FORMAT.md); values take no part in them.
 *
 * With Fourier mixing there are no heads (attention_is_fixed): weights come from places
 * alone, and every head of a layer, and every layer, gives the same, |cos w(t j)| of
 * model/kernels/fourier.h, the part of token j's transform c that goes to t, over their sum.
 *
 * The decoder's user calls these, between two tokens: one thread at a time, as all of
 * model/decoder/decoder.h. They change nothing in it, share out work over its pool, and their
 * numbers do not depend on the number of threads. Nothing is allocated but by
 * decoder_watch. Where they fail, what they were to fill holds anything. */
#ifndef MODEL_ATTENTION_H
#define MODEL_ATTENTION_H

#include "model/decoder/decoder.h"

#include <stddef.h>

/* From now on the queries of every token are kept, by prefill and steps; false: forgets
 * and frees them. Costs a copy of d_model floats for a token and layer (twice with an
 * encoder) and, of the memory, as much as is used: when off, nothing. Queries of tokens
 * read before are not there. decoder_truncate forgets them with their tokens, and
 * decoder_copy takes them along where both decoders watch. MODEL_NO_MEMORY. */
enum model_status decoder_watch(struct decoder *d, bool on);
bool decoder_watches(const struct decoder *d);

/* Attention to the tokens before and the query itself; by cross-attention, to the
 * source, in models with an encoder. */
enum attention_of { ATTENTION_PAST, ATTENTION_SOURCE };
/* One head of one of the decoder's layers. */
struct attention_head {
    enum attention_of of;
    int layer, head;
};

/* From now on each token that a step reads leaves the head's row in `row`, of as many
 * floats as the context has: the very bits of attention_rows, for the price of copying
 * them, and whether or not the decoder watches. The row stays the caller's, until another
 * is given or NULL, in which case h may be anything. MODEL_NO_HEAD, and none is left. */
enum model_status decoder_show_row(struct decoder *d, struct attention_head h,
                                   float *row);
/* The newest token has left its row: it was read by a step, since then. */
bool decoder_row_is_shown(const struct decoder *d);

/* From now on the head gives nothing, its mixed values being zero, in prefill and in
 * steps, until it is heard again. What is in the cache stays as it was: what the
 * tokens there would have been without the head, only reading them again can tell.
 * Survives decoder_truncate; decoder_copy does not take it along. MODEL_NO_HEAD: there
 * is none, as with Fourier mixing. */
enum model_status decoder_mute_head(struct decoder *d, struct attention_head h,
                                    bool is_muted);
bool decoder_head_is_muted(const struct decoder *d, struct attention_head h);

/* Fourier mixing: see above. */
bool attention_is_fixed(const struct decoder *d);
/* Keys that the head could see: tokens read, or those of the source; 0: no such head. */
int attention_n_keys(const struct decoder *d, struct attention_head h);
/* The keys [*first, *end) that the query at a place sees: of local attention, its own
 * block and the one before. */
void attention_seen(const struct decoder *d, struct attention_head h, int query,
                    int *first, int *end);

/* Of all that follow: MODEL_NO_HEAD: no such head, or no such token; MODEL_NOT_WATCHED:
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

/* Who looks at some keys: mass [n], of each query from the place `from` on, that it
 * gives to the keys [key_from, key_to). */
enum model_status attention_column(struct decoder *d, struct attention_head h,
                                   int key_from, int key_to, int from, int n,
                                   float *mass);

#endif
