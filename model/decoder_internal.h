/* What the files of the decoder share: decoder.c owns the memory and the public
 * calls, decoder_step.c appends one token (and decoder_step.h has what is its own),
 * decoder_prefill.c many, decoder_encode.c reads a source, decoder_copy.c copies what
 * was read; decoder_attention.c attends for many rows, decoder_relation.c adds what
 * scores owe to distance, decoder_fourier.c mixes where there is no attention.
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
    int32_t *times;   /* [context] of the tokens in the cache, */
    uint64_t *stamps; /* and which call put each there: decoder_copy.c */
    /* With an encoder: */
    struct {
        float *keys, *values;         /* as above, of what the encoder gave */
        float *own_keys, *own_values; /* of the encoder's layer at work */
        int32_t *times;               /* [context] */
        float *x, *qkv, *turns;       /* [context, ...] as below */
        int length;                   /* tokens read; 0: no source */
        uint64_t stamp;               /* which call read them */
    } source;
    float *spectra;     /* Fourier: [layer][context][2d] instead of keys and values */
    float *waves;       /* Fourier: [2d, d] the transform of one token */
    float *circle;      /* Fourier: [2, block] cosines and sines of a turn in steps */
    float *turns;       /* rotary: [CHUNK, d_head], */
    float *cross_turns; /* and towards a source */
    const uint8_t *time_rows; /* position_time_rows */
    float *x;                 /* [CHUNK, d]: the residual stream */
    float *h;                 /* [CHUNK, d]: what a norm gave */
    float *qkv;               /* [CHUNK, 3d] */
    float *mixed;             /* [CHUNK, d]: what the heads gave */
    float *hidden;            /* [CHUNK, d_ff] */
    float *logits;            /* [DECODER_MOST_TOGETHER, vocab] */
    float *scratch;           /* [n_threads, n_scratch] */
    size_t n_scratch;

    int length; /* tokens in the cache */
};

/* Floats from one head's cache to the next one's. */
static inline size_t keys_stride(const struct decoder *d)
{
    return (size_t)d->n_tiles * (size_t)d->d_head * KEY_TILE;
}

static inline size_t values_stride(const struct decoder *d)
{
    return (size_t)d->n_tiles * KEY_TILE * (size_t)d->d_value;
}

static inline float *thread_scratch(const struct decoder *d, int thread)
{
    return d->scratch + (size_t)thread * d->n_scratch;
}

/* What the queries of one layer attend to: this sequence, or a source. */
struct memory {
    float *keys, *values; /* of head 0; the others follow by their strides */
    int n;                /* keys there are, those of the queries included */
    bool causal;          /* a query sees no key after its own place */
    const int32_t *times, *query_times; /* by place; of the keys, of the queries */
    /* The layer's tables, or NULL; index tables have n_rows, `zero` is the row of
     * distance 0, and heads own one each or share it. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero;
};

struct memory memory_of_past(const struct decoder *d, int layer, int n);
struct memory memory_of_source(const struct decoder *d, int layer);

/* The first key that a query sees. */
static inline int first_key(const struct decoder *d, const struct memory *m, int query)
{
    int block = d->c.block;
    return m->causal && block && query >= block ? (query / block - 1) * block : 0;
}

/* How many keys there are up to the last that a query sees. */
static inline int end_key(const struct memory *m, int query)
{
    return m->causal ? query + 1 : m->n;
}

/* What the scores of some queries of one head owe to distance. A query's products
 * with the rows of the tables are made once; a key then only looks its distance up.
 * This is Huang et al. 2018's memory, and their skewing is the reading of a row from
 * where its distance begins: no [L, L, D] tensor is ever built. */
struct relation {
    const struct decoder *d;
    const struct memory *m;
    int n, zero;     /* columns: of the table's rows those that occur; of distance 0 */
    float *by_index; /* [rows, n], or NULL */
    float *by_time;  /* [rows, MODEL_TIME_BUCKETS], or NULL */
    float *weights;  /* Shaw: [rows, n] attention, summed by distance; or NULL */
};

size_t relation_scratch(const struct decoder *d, int rows); /* in floats */
/* q [rows] of d_head floats, ld apart, the last of them at place `last`; products are
 * multiplied by `scale`. */
void relation_init(struct relation *r, const struct decoder *d, const struct memory *m,
                   int head, float *scratch, const float *q, int ld, int rows, int last,
                   float scale);
/* scores[n] of the keys from `key` on, for row `row`, which stands at `query`. */
void relation_add(const struct relation *r, int row, int query, int key, int n,
                  float *scores);
/* Shaw's values: collects weights as they become known, shrinks them with the sum
 * they belong to, and adds what they stand for to mixed[d_head]. */
void relation_collect(struct relation *r, int row, int query, int key, int n,
                      const float *weights);
void relation_shrink(struct relation *r, int row, float by);
void relation_mix(const struct relation *r, int row, float *mixed);

/* Some rows' attention: d->mixed [rows, d] from queries [rows], ld apart, of which
 * the first stands at `position`. */
void decoder_attend(struct decoder *d, const struct memory *m, const float *q, int ld,
                    int position, int rows);

/* y = x W' + b, or y += x W' + b, with what follows it; rows of n_in and n_out
 * floats. */
struct product {
    const struct decoder *d;
    const float *w, *b, *x;
    float *y;
    int rows, n_out, n_in;
    enum { PRODUCT_SET, PRODUCT_ADD, PRODUCT_ACTIVATE } how;
};
void decoder_product(const struct product *p);
/* h = norm(x). */
void decoder_norm(const struct decoder *d, const float *w, const float *b, int rows);
/* x += the feed-forward of `from`. */
void decoder_feed(struct decoder *d, const struct layer_weights *w, int rows,
                  const float *from);

/* The scratch that one thread needs, in floats. */
size_t decoder_step_scratch(const struct decoder *d);
size_t decoder_attention_scratch(const struct decoder *d);

bool decoder_cancelled(const struct decoder *d);
/* x [d] = the embedding of a token at a position. */
void decoder_embed(const struct decoder *d, float *x, int32_t token, int position);
/* The turns of one row, from its place and time; of a chunk's rows. */
void decoder_place_row(struct decoder *d, int row, int position, int32_t time);
void decoder_place(struct decoder *d, int position, int rows);
/* x [rows] of n heads each, rows ld apart: every head of row r turns by turns[r]. */
void decoder_turn(const struct decoder *d, float *x, int ld, int n_heads,
                  const float *turns, int rows);
/* The norm's output becomes the stream, where it follows the sum (post-norm). */
void decoder_swap(struct decoder *d);
/* Fourier mixing: mixed [rows, d] from x [rows, d]. */
void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x);
/* Puts one position's key and value of one head there. */
void decoder_store(const struct decoder *d, const struct memory *m, int head,
                   int position, const float *key, const float *value);
/* The same for many rows of all heads: k [rows] ld apart, v d_model after it. */
void decoder_store_rows(const struct decoder *d, const struct memory *m, int position,
                        const float *k, int ld, int rows);
/* Reads a source that is known to be good; its length is the caller's to set. */
enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n);
void decoder_activate(const struct decoder *d, float *x, int n);
/* logits [rows, vocab] from the residual stream x [rows, d] of a few positions. */
void decoder_logits(struct decoder *d, const float *x, int rows, float *logits);

/* Whether n tokens may follow. */
enum model_status decoder_check(const struct decoder *d, const int32_t *tokens, int n);
/* Keeps the times of n tokens (NULL: their places), and stamps them, before they are
 * run; a cancelled call leaves both past the length, where nobody looks. */
void decoder_expect(struct decoder *d, const int32_t *times, int n);

/* A number for one call that puts something in a cache, never given again. */
uint64_t decoder_new_stamp(void);
/* How many first tokens both keep, bit for bit, because one has them from the other
 * or both from a third; and whether their sources are so. */
int decoder_n_shared(const struct decoder *a, const struct decoder *b);
bool decoder_source_shared(const struct decoder *a, const struct decoder *b);

/* Many tokens, once they are known to be good; the length is the caller's to change. */
enum model_status decoder_run_chunk(struct decoder *d, const int32_t *tokens, int n,
                                    int position, bool all, float *logits);

#endif
