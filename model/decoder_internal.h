/* What the files of the decoder share: decoder.c owns the memory and the public
 * calls, decoder_step.c appends one token, decoder_prefill.c many.
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
    float *x;       /* [CHUNK, d]: the residual stream */
    float *h;       /* [CHUNK, d]: what a norm gave */
    float *qkv;     /* [CHUNK, 3d] */
    float *mixed;   /* [CHUNK, d]: what the heads gave */
    float *hidden;  /* [CHUNK, d_ff] */
    float *scratch; /* [n_threads, n_scratch] */
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

/* The scratch that one thread needs, in floats. */
size_t decoder_step_scratch(const struct decoder *d);
size_t decoder_prefill_scratch(const struct decoder *d);

bool decoder_cancelled(const struct decoder *d);
/* x = the embedding of a token at a position. */
void decoder_embed(const struct decoder *d, float *x, int32_t token, int position);
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
