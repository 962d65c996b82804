/* What the files of the decoder share: decoder.c owns the memory and the public
 * calls, decoder_step.c appends one token, decoder_prefill.c many;
 * decoder_relation.c adds what scores owe to distance, decoder_fourier.c mixes
 * where there is no attention.
 *
 * The cache, per layer and head, over the whole context rounded up to tiles:
 *   keys   [tile][d_head][KEY_TILE]   transposed within a tile, scores by vectors
 *   values [position][d_value]        d_value is d_head padded to VALUE_PAD */
#ifndef MODEL_DECODER_INTERNAL_H
#define MODEL_DECODER_INTERNAL_H

#include "model/decoder.h"
#include "model/kernels.h"

enum {
    CHUNK = 256,  /* tokens prefilled at once: what the arena holds */
    QUERIES = 64, /* queries attended at once in prefill */
};

struct decoder {
    /* Constant after create. */
    struct model_config c;
    const struct model_weights *w; /* the model's */
    const struct kernels *k;
    struct pool *pool;
    int d_head, d_value, n_tiles;
    float scale; /* of scores: 1 / sqrt(d_head) */

    const atomic_bool *cancel; /* others write it */

    /* The arena, n_arena bytes, and its parts. */
    float *arena;
    size_t n_arena;
    float *keys, *values;
    int32_t *times; /* [context] of the tokens in the cache */
    float *spectra; /* Fourier: [layer][context][2d] instead of keys and values */
    float *waves;   /* Fourier: [2d, d] the transform of one token */
    float *circle;  /* Fourier: [2, block] cosines and sines of a turn in steps */
    float *turns;   /* rotary: [CHUNK, d_head] */
    const uint8_t *time_rows; /* position_time_rows */
    float *x;                 /* [CHUNK, d]: the residual stream */
    float *h;                 /* [CHUNK, d]: what a norm gave */
    float *qkv;               /* [CHUNK, 3d] */
    float *mixed;             /* [CHUNK, d]: what the heads gave */
    float *hidden;            /* [CHUNK, d_ff] */
    float *scratch;           /* [n_threads, n_scratch] */
    size_t n_scratch;

    int length; /* tokens in the cache */
};

/* First float of a head's cache in a layer. */
static inline float *head_keys(const struct decoder *d, int layer, int head)
{
    size_t i = (size_t)layer * (size_t)d->c.n_heads + (size_t)head;
    return d->keys + i * (size_t)d->n_tiles * (size_t)d->d_head * KEY_TILE;
}

static inline float *head_values(const struct decoder *d, int layer, int head)
{
    size_t i = (size_t)layer * (size_t)d->c.n_heads + (size_t)head;
    return d->values + i * (size_t)d->n_tiles * KEY_TILE * (size_t)d->d_value;
}

static inline float *thread_scratch(const struct decoder *d, int thread)
{
    return d->scratch + (size_t)thread * d->n_scratch;
}

/* The first key that a query sees. */
static inline int first_key(const struct decoder *d, int query)
{
    int block = d->c.block;
    return block && query >= block ? (query / block - 1) * block : 0;
}

/* What the scores of some queries of one head owe to distance. A query's products
 * with every row of the tables are made once; a key then only looks its distance up.
 * This is Huang et al. 2018's memory, and their skewing is the reading of a row from
 * where its distance begins: no [L, L, D] tensor is ever built. */
struct relation {
    const struct decoder *d;
    const struct layer_weights *w;
    int n_near;      /* distances told apart here; column c stands for n_near - 1 - c */
    float *by_index; /* [rows, n_near], or NULL */
    float *by_time;  /* [rows, MODEL_TIME_BUCKETS], or NULL */
    float *weights;  /* Shaw: [rows, n_near] attention, summed by distance; or NULL */
};

size_t relation_scratch(const struct decoder *d, int rows); /* in floats */
/* q [rows] of d_head floats, ld apart, the last of them at place `last`; products are
 * multiplied by `scale`. */
void relation_init(struct relation *r, const struct decoder *d,
                   const struct layer_weights *w, int head, float *scratch,
                   const float *q, int ld, int rows, int last, float scale);
/* scores[n] of the keys from `key` on, for row `row`, which stands at `query`. */
void relation_add(const struct relation *r, int row, int query, int key, int n,
                  float *scores);
/* Shaw's values: collects weights as they become known, shrinks them with the sum
 * they belong to, and adds what they stand for to mixed[d_head]. */
void relation_collect(struct relation *r, int row, int query, int key, int n,
                      const float *weights);
void relation_shrink(struct relation *r, int row, float by);
void relation_mix(const struct relation *r, int row, float *mixed);

/* The scratch that one thread needs, in floats. */
size_t decoder_step_scratch(const struct decoder *d);
size_t decoder_attention_scratch(const struct decoder *d);

bool decoder_cancelled(const struct decoder *d);
/* x[row] = the embedding of a token at a position; its turns, too. */
void decoder_embed(struct decoder *d, int row, int32_t token, int position);
/* Turns q and k of every head of one row. */
void decoder_turn(const struct decoder *d, int row);
/* The norm's output becomes the stream, where it follows the sum (post-norm). */
void decoder_swap(struct decoder *d);
/* mixed [rows, d] from qkv [rows, 3d] of a chunk that begins at `position`, and the
 * cache. */
void decoder_attention(struct decoder *d, int layer, int position, int rows);
/* Fourier mixing: mixed [rows, d] from x [rows, d]. */
void decoder_fourier_init(struct decoder *d);
void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x);
/* Puts one position's key and value of one head in the cache. */
void decoder_store(struct decoder *d, int layer, int head, int position,
                   const float *key, const float *value);
void decoder_activate(const struct decoder *d, float *x, int n);
/* logits [vocab] from the residual stream of one position. */
void decoder_logits(struct decoder *d, const float *x, float *logits);

/* One token or many, once they are known to be good; the length is the caller's
 * to change. */
enum model_status decoder_run_step(struct decoder *d, int32_t token, float *logits);
enum model_status decoder_run_chunk(struct decoder *d, const int32_t *tokens, int n,
                                    int position, bool all, float *logits);

#endif
