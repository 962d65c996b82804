/* What the files of the decoder share: decoder.c owns the memory and the public
 * calls, decoder_step.c appends one token (and decoder_step.h has what is its own),
 * decoder_prefill.c many, decoder_encode.c reads a source, decoder_copy.c copies what
 * was read; decoder_cache.c keeps keys and values, decoder_attention.c attends for many
 * rows, decoder_relation.c adds what scores owe to distance, decoder_fourier.c mixes
 * where there is no attention; decoder_watch.c keeps what attention is made again from
 * (attention_rows.c), and mutes heads.
 *
 * The cache, per layer and head, over the whole context rounded up to tiles of KEY_TILE
 * positions; keys are transposed within a tile, so that scores are summed by vectors,
 * and d_value is d_head padded to VALUE_PAD:
 *   f32   keys   [tile][d_head][KEY_TILE]          values [position][d_value]
 *   bf16  keys   [tile][d_head / 2][KEY_TILE][2]   values [position / 2][d_value][2] */
#ifndef MODEL_DECODER_INTERNAL_H
#define MODEL_DECODER_INTERNAL_H

#include "model/decoder/attention.h"
#include "model/kernels/kernels.h"
#include "model/weights/packed_kernels.h"
#include "model/weights/packed_model.h"
#include "model/weights/packed_wide.h"

enum {
    CHUNK = 256,                /* tokens prefilled at once: what the arena holds */
    QUERIES = 64,               /* queries attended at once in prefill */
    PRODUCT_COLUMNS_MOST = 128, /* columns of a product that a thread makes at once */
    STATE_EVERY = 64,           /* tokens from one state that is kept to the next */
};

enum { TOGETHER = DECODER_MOST_TOGETHER };
_Static_assert((int)TOGETHER == (int)PACKED_MOST_VECTORS, "one product serves all");

/* A few vectors made ready for products: [TOGETHER] of ld bytes. */
struct ready {
    uint8_t *x;
    float scale[TOGETHER];
    size_t ld;
};

/* What a step needs of the arena besides the rows of x, h and mixed. */
struct step_arena {
    struct ready input; /* what the stream says to the next part */
    float *parts;       /* [parts][TOGETHER][width]: of the sums of a part */
    int width;          /* d_model, whole panels */
    float *logits;      /* [TOGETHER][n_logits] */
    int n_logits;       /* vocab, whole panels */
    uint8_t *time_rows, *source_rows; /* [TOGETHER][n_rows], of the places so far */
    int n_rows;
};

struct decoder {
    /* Constant after create. */
    struct model_config c;
    const struct model_weights *w; /* the model's */
    const struct packed_model *packed;
    const struct kernels *k;
    const struct packed_kernels *pk;
    const struct packed_wide *wide;     /* NULL: weights of prefill as they are */
    const struct product_set *products; /* of many rows */
    struct pool *pool;
    enum model_cache_kind cache;
    const struct model_state_kind *kind; /* NULL: without state */
    int d_head, d_value, n_tiles;
    size_t key_tile, value_tile; /* bytes of one head's tile in the cache */
    float scale;                 /* of scores: 1 / sqrt(d_head) */

    const atomic_bool *cancel; /* others write it */
    struct watch *watch; /* model/decoder/decoder_watch.h; NULL: queries are not kept */
    struct {
        struct attention_head head;
        float *row;     /* the caller's, or NULL */
        uint64_t stamp; /* of the token that left it */
    } shown;

    /* The arena, n_arena bytes, and its parts. */
    float *arena;
    size_t n_arena;
    uint8_t *keys, *values;
    int32_t *times;   /* [context] of the tokens in the cache, */
    int32_t *ids;     /* which they are, */
    uint64_t *stamps; /* and which call put each there: decoder_copy.c */
    /* With a state table (decoder_state.c): what the tokens so far amount to, and what
     * all those before each STATE_EVERY-th did. */
    uint8_t *state, *states;
    bool *muted; /* [2][layer][head], of the past and of a source: those that give
                    nothing */
    /* With an encoder: */
    struct {
        uint8_t *keys, *values;         /* as above, of what the encoder gave */
        uint8_t *own_keys, *own_values; /* of the encoder's layer at work */
        int32_t *times;                 /* [context] */
        float *x, *qkv, *turns;         /* [context, ...] as below */
        int length;                     /* tokens read; 0: no source */
        uint64_t stamp;                 /* which call read them */
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
    struct step_arena step;
    uint8_t *chunk_rows; /* [CHUNK, n_tiles * KEY_TILE]: rows of time tables */
    float *scratch;      /* [n_threads, n_scratch] */
    uint32_t *panels;    /* [n_threads, product_scratch] */
    size_t n_scratch;

    int length; /* tokens in the cache */
};

static inline float *thread_scratch(const struct decoder *d, int thread)
{
    return d->scratch + (size_t)thread * d->n_scratch;
}

/* Where a thread packs the factors of its products: room for so many words. */
static inline size_t decoder_panels_size(const struct decoder *d)
{
    int columns = d->d_value > PRODUCT_COLUMNS_MOST ? d->d_value : PRODUCT_COLUMNS_MOST;
    return product_scratch(CHUNK, (size_t)columns);
}

static inline uint32_t *decoder_panels(const struct decoder *d, int thread)
{
    return d->panels + (size_t)thread * decoder_panels_size(d);
}

/* Packed matrices of one layer, of either kind; none of them, where none is packed. */
static inline struct wide_layer decoder_wide(const struct decoder *d, int layer)
{
    return d->wide ? d->wide->layers[layer] : (struct wide_layer){0};
}

/* What the queries of one layer attend to: this sequence, or a source. */
struct memory {
    uint8_t *keys, *values; /* of head 0; the others follow, n_tiles each */
    int n;                  /* keys there are, those of the queries included */
    bool causal;            /* a query sees no key after its own place */
    const int32_t *times, *query_times; /* by place; of the keys, of the queries */
    /* The layer's tables, or NULL; index tables have n_rows, `zero` is the row of
     * distance 0, and heads own one each or share it. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero;
    const bool *muted; /* [heads] those that give nothing, or NULL */
};

/* What the weights of a head, which come to `sum`, are divided by, the other way up. */
static inline float memory_part(const struct memory *m, int head, float sum)
{
    return m->muted && m->muted[head] ? 0.0f : 1.0f / sum;
}

/* One layer's heads, towards the past or a source: [heads]. */
static inline bool *decoder_muting(const struct decoder *d, bool of_source, int layer)
{
    int row = (of_source ? d->c.n_layers : 0) + layer;
    return d->muted + (size_t)row * (size_t)d->c.n_heads;
}

struct memory memory_of_past(const struct decoder *d, int layer, int n);
struct memory memory_of_source(const struct decoder *d, int layer);

/* The first key of local attention, which sees its own block and the one before; of all
 * others, that of token 0. */
static inline int first_of_blocks(int block, int query)
{
    return block && query >= block ? (query / block - 1) * block : 0;
}

/* The first key that a query sees. */
static inline int first_key(const struct decoder *d, const struct memory *m, int query)
{
    return m->causal ? first_of_blocks(d->c.block, query) : 0;
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
    float *by_index; /* [rows, n], ld_index apart, or NULL */
    float *by_time;  /* [rows, MODEL_TIME_BUCKETS], ld_time apart, or NULL */
    int ld_index, ld_time;
    float *weights; /* Shaw: [rows, n] attention, summed by distance; or NULL */
};

size_t relation_scratch(const struct decoder *d, int rows); /* in floats */
/* Room for the products is taken from *scratch; the caller makes them. The last of the
 * rows stands at place `last`. */
void relation_init(struct relation *r, const struct decoder *d, const struct memory *m,
                   float **scratch, int rows, int last);
/* The products of q [rows] of d_head floats, ld apart, times `scale`, in prefill. */
void relation_multiply(const struct relation *r, int head, const float *q, int ld,
                       int rows, float scale, uint32_t *panels);
/* The same of a few rows, by the single-step kernels, which have scaled q: from packed
 * tables [heads] of distances by index (Shaw: one) and by time, or NULL. room: for the
 * rows made ready, whole lines. */
void relation_multiply_few(struct relation *r, int head, const struct packed *index,
                           const struct packed *time, const float *q, int ldq, int n,
                           float *room);
/* The table's row that stands in column 0. */
static inline int relation_first_row(const struct relation *r)
{
    return r->m->zero - r->zero;
}
/* to[n]: the rows of a time table for a query and the keys from `key` on. */
void relation_time_rows(const struct decoder *d, uint8_t *to, const struct memory *m,
                        int query, int key, int n);
/* scores[n] of the keys from `key` on, for row `row`, which stands at `query`;
 * time_rows [n] is of use where there is a time table. */
void relation_add(const struct relation *r, int row, int query, int key, int n,
                  const uint8_t *time_rows, float *scores);
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
struct dense {
    const struct decoder *d;
    const float *w;
    const uint32_t *packed; /* the same, or NULL */
    const float *b, *x;
    float *y;
    int rows, n_out, n_in;
    enum { DENSE_SET, DENSE_ADD, DENSE_ACTIVATE } how;
};
void decoder_dense(const struct dense *p);
/* h = norm(x). */
void decoder_norm(const struct decoder *d, const float *w, const float *b, int rows);
/* x += the feed-forward of `from`. */
void decoder_feed(struct decoder *d, int layer, int rows, const float *from);

/* The scratch that one thread needs, in floats. */
size_t decoder_step_scratch(const struct decoder *d);
size_t decoder_attention_scratch(const struct decoder *d);

bool decoder_cancelled(const struct decoder *d);
/* Of models with a state table; of others these do nothing. Of no token: */
void decoder_start_state(struct decoder *d);
/* takes one more, which stands at a position and is in d->ids, and adds the rows it tells
 * of to its embedding x [d]; */
void decoder_add_state(const struct decoder *d, float *x, int position);
/* is that of the first n tokens again, and no more; */
void decoder_restore_state(const struct decoder *d, int n);
/* and those kept after the tokens from `at` to n, of a decoder that has the same before. */
void decoder_copy_states(const struct decoder *to, const struct decoder *from, int at,
                         int n);
size_t decoder_state_size(const struct decoder *d); /* in bytes, whole lines */
/* x [d] = the embedding of a token at a position, without its state. */
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
/* One head's keys or values, from a position on that begins a tile. */
const uint8_t *decoder_keys(const struct decoder *d, const struct memory *m, int head,
                            int position);
const uint8_t *decoder_values(const struct decoder *d, const struct memory *m, int head,
                              int position);
/* The kernels of model/kernels/kernels.h, for the kind that the cache is of. */
void decoder_score(const struct decoder *d, const struct scoring *s);
void decoder_mix(const struct decoder *d, const struct mixing *m);
/* A tile in f32, [d_head][KEY_TILE] or [KEY_TILE][d_value]: where it is, or in `room`,
 * which has that many. */
const float *decoder_wide_keys(const struct decoder *d, const uint8_t *tile,
                               float *room);
const float *decoder_wide_values(const struct decoder *d, const uint8_t *tile,
                                 float *room);
/* Asks for the lines that decoder_store will write, which are as many as half a key is
 * long and far apart: at the end of a step they are out of every cache, and the stores
 * would wait for memory one after the other. */
void decoder_foresee(const struct decoder *d, const struct memory *m, int head,
                     int position);
/* Puts one position's key and value of one head there. */
void decoder_store(const struct decoder *d, const struct memory *m, int head,
                   int position, const float *key, const float *value);
/* The same for many rows of all heads: k [rows] ld apart, v d_model after it. */
void decoder_store_rows(const struct decoder *d, const struct memory *m, int position,
                        const float *k, int ld, int rows);
/* Reads a source that is known to be good; its length is the caller's to set. */
enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n);
void decoder_activate(const struct decoder *d, float *x, int n);
/* logits [vocab] from a row of the stream, by the single-step kernels. */
void decoder_logits(struct decoder *d, const float *x, float *logits);

/* Whether n tokens may follow. */
enum model_status decoder_check(const struct decoder *d, const int32_t *tokens, int n);
/* Keeps n tokens and their times (NULL: their places), and stamps them, before they are
 * run; a cancelled call leaves them past the length, where nobody looks. */
void decoder_expect(struct decoder *d, const int32_t *tokens, const int32_t *times,
                    int n);

/* A number for one call that puts something in a cache, never given again. */
uint64_t decoder_new_stamp(void);
/* How many first tokens both keep, bit for bit, because one has them from the other
 * or both from a third; and whether their sources are so. */
int decoder_n_shared(const struct decoder *a, const struct decoder *b);
bool decoder_source_shared(const struct decoder *a, const struct decoder *b);

/* The n tokens from a position on, which are expected; the length is the caller's to
 * change. */
enum model_status decoder_run_chunk(struct decoder *d, int position, int n, bool all,
                                    float *logits);

#endif
