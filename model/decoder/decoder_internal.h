/* What the files of the decoder share:
 *   decoder.c             memory and public calls
 *   decoder_prefill.c     many tokens of one decoder at once; the encoder
 *   decoder_step.c        one token for each of some decoders
 *   attention_step.c      attention in such a step
 *   kv_cache.c            storing and reading keys and values
 *   decoder_copy.c        copying what another decoder has read
 *   relative_scores.c     the part of a score that depends on distance
 *   decoder_fourier.c     Fourier mixing, in place of attention
 *   attention_probe.c     observing attention; muting heads
 *
 * The key-value cache holds, for each layer and head, whole tiles of KEY_TILE positions:
 *   f32   keys [tile][d_head][KEY_TILE]    values [position][d_value]
 *   int8  the tiles of model/kernels/kernels.h
 * Keys are transposed within a tile, so that one vector sums the scores of many positions.
 * d_value is d_head, padded to a multiple of VALUE_PAD. All keys come before all values. A
 * head has room for some tiles, which grows by half whenever it is full, up to the context.
 * So a short sequence touches little of the memory that is reserved. */
#ifndef MODEL_DECODER_INTERNAL_H
#define MODEL_DECODER_INTERNAL_H

#include "model/base/arena.h"
#include "model/decoder/attention_probe.h"
#include "model/decoder/position.h"
#include "model/kernels/kernels.h"
#include "model/weights/packed_model.h"

enum {
    CHUNK = 256,  /* tokens that prefill takes through the layers at once */
    QUERIES = 64, /* queries of one task of prefill */
    PRODUCT_COLUMNS_MOST = 128, /* columns of a product that one task computes */
    STATE_EVERY = 64,           /* tokens from one stored state to the next */
    FIRST_ROOM = 4,             /* tiles per head with which the cache starts */
};

enum { MAX_BATCH = DECODER_MAX_BATCH };
_Static_assert((int)MAX_BATCH == (int)PACKED_MOST_VECTORS, "one product serves all");

/* Some vectors, prepared for products with packed weights: [MAX_BATCH] of ld bytes. */
struct prepared {
    uint8_t *x;
    float scale[MAX_BATCH];
    size_t ld;
};

/* What steps have in the arena besides the rows of x, h and mixed. */
struct step_arena {
    struct prepared input; /* the input of the next part of a layer */
    float *parts;          /* [parts][MAX_BATCH][width] terms to sum into the stream */
    int width;             /* d_model, rounded up to whole panels */
    float *logits;         /* [MAX_BATCH][n_logits] */
    int n_logits;          /* vocab, rounded up to whole panels */
    uint8_t *time_rows, *source_rows; /* [MAX_BATCH][n_rows] of time tables */
    int n_rows;
};

struct decoder {
    /* Constant after decoder_create: */
    struct model_config c;
    const struct model_weights *w; /* the model's */
    const struct packed_model *packed;
    const struct kernels *k;
    const struct packed_prefill *prefill_weights; /* NULL: prefill uses `w` */
    const struct product_set *products;           /* of prefill */
    struct pool *pool;
    enum model_cache_kind cache;
    const struct model_state_kind *kind; /* NULL: the model has no state table */
    int d_head, d_value, n_tiles;        /* n_tiles hold the whole context */
    size_t key_tile, value_tile;         /* bytes of one head's tile in the cache */
    float scale;                         /* factor of scores: 1 / sqrt(d_head) */

    const atomic_bool *cancel;       /* another thread writes it; NULL: no flag */
    struct query_cache *query_cache; /* of attention_probe.c, or NULL */

    /* The arena of n_arena bytes, and its parts. `d` in a shape is d_model. */
    uint8_t *arena;
    size_t n_arena;
    uint8_t *keys, *values; /* [layer][head][room] tiles; a larger room moves them */
    int room;
    int32_t *times;   /* [context] the times of the tokens in the cache */
    int32_t *ids;     /* [context] their ids */
    uint64_t *stamps; /* [context] the calls that put them there: see decoder_copy.c */
    /* With a state table: the state after all tokens, and copies of earlier states, one
     * for every STATE_EVERY tokens. */
    uint8_t *state, *states;
    bool *muted; /* [2][layer][head] in self-attention and in cross-attention */
    /* With an encoder: */
    struct {
        uint8_t *keys, *values; /* [layer][head][n_tiles] of the encoder's output */
        uint8_t *own_keys, *own_values; /* [head][n_tiles] of its current layer */
        int32_t *times;                 /* [context] */
        float *x, *qkv, *rotations;     /* [context, ...]; otherwise as below */
        int length;                     /* the number of tokens; 0: no source */
        uint64_t stamp;                 /* the call that read them */
    } source;
    float *spectra; /* [layer][context][2d] Fourier mixing: the tokens' transforms */
    float *waves;   /* [2d, d] Fourier mixing: the matrix that transforms a token */
    struct packed packed_waves; /* the same, packed for steps */
    float *circle;          /* [2, block] Fourier mixing: cosines and sines of a turn */
    float *rotations;       /* [CHUNK, d_head] with rotary positions */
    float *cross_rotations; /* [CHUNK, d_head] likewise, for cross-attention */
    const uint8_t *time_rows; /* position_time_rows */
    float *x;                 /* [CHUNK, d]: the residual stream */
    float *h;                 /* [CHUNK, d]: the output of a norm */
    float *qkv;               /* [CHUNK, 3d] */
    float *mixed;             /* [CHUNK, d]: the output of the heads */
    float *hidden;            /* [CHUNK, d_ff] */
    struct step_arena step;
    uint8_t *chunk_rows; /* [CHUNK, n_tiles * KEY_TILE]: rows of time tables, by key */
    float *scratch;      /* [n_threads, n_scratch] */
    uint32_t *panels;    /* [n_threads, product_scratch] */
    size_t n_scratch;

    int length; /* tokens in the cache */
};

static inline float *decoder_scratch(const struct decoder *d, int thread)
{
    return d->scratch + (size_t)thread * d->n_scratch;
}

/* The words in which a thread packs the factors of its products. */
static inline size_t decoder_panels_size(const struct decoder *d)
{
    return product_scratch(CHUNK, larger((size_t)d->d_value, PRODUCT_COLUMNS_MOST));
}

static inline uint32_t *decoder_panels(const struct decoder *d, int thread)
{
    return d->panels + (size_t)thread * decoder_panels_size(d);
}

/* A view of the keys and values that the queries of one layer attend to: those of the
 * decoder's tokens, of the encoder's tokens or of the source. */
struct kv_view {
    uint8_t *keys, *values; /* of head 0, then of the others */
    int n_tiles;            /* of each head */
    int n;                  /* keys, including those of the queries' tokens */
    bool causal;            /* a query sees no key after its own position */
    const int32_t *times, *query_times; /* of keys, of queries; by position */
    /* The layer's tables of distances, or NULL. A table by index has n_rows, of which row
     * `zero` is distance 0. Each head has its own, or all heads share one. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero;
    const bool *muted; /* [heads] true: the head's output is zero; NULL: none */
};

/* The factor of a head's output, whose weights add up to `sum`. It is 0 if the head is
 * muted. */
static inline float kv_view_row_scale(const struct kv_view *m, int head, float sum)
{
    return m->muted && m->muted[head] ? 0.0f : 1.0f / sum;
}

/* [heads] which heads of one layer are muted, in self-attention or in cross-attention. */
static inline bool *decoder_muting(const struct decoder *d, bool of_source, int layer)
{
    int row = (of_source ? d->c.n_layers : 0) + layer;
    return d->muted + (size_t)row * d->c.n_heads;
}

/* The views of n of the decoder's own tokens; of the source; and, in a layer of the encoder,
 * of n tokens of the source while they are being read. */
struct kv_view kv_view_of_past(const struct decoder *d, int layer, int n);
struct kv_view kv_view_of_source(const struct decoder *d, int layer);
struct kv_view kv_view_of_encoder(const struct decoder *d, int layer, int n);

/* The first key that a query sees through a view. */
static inline int first_key(const struct decoder *d, const struct kv_view *m, int query)
{
    return m->causal ? position_first_key(d->c.block, query) : 0;
}

/* One past the last key that a query sees. */
static inline int end_key(const struct kv_view *m, int query)
{
    return m->causal ? query + 1 : m->n;
}

/* The part of the scores that depends on distance, for some queries of one head.
 *
 * Each query is multiplied once with the rows of the tables; each key then looks up the
 * product of its distance. This takes as little memory as Huang et al. 2018 do. Reading a
 * row of products from the column of the first key's distance on is what they call
 * skewing; no [L, L, D] tensor is ever made. */
struct relative_scores {
    const struct decoder *d;
    const struct kv_view *m;
    int n, zero;     /* table rows that occur; which of them is distance 0 */
    float *by_index; /* [rows, n] products with those rows, ld_index apart, or NULL */
    float *by_time;  /* [rows, MODEL_TIME_BUCKETS], ld_time apart, or NULL */
    int ld_index, ld_time;
    float *weights; /* RELATIVE_SHAW: [rows, n] weights, summed by distance; or NULL */
};

size_t relative_scratch(const struct decoder *d, int rows); /* floats that it takes */
/* Takes room for the products of some queries from the scratch. relative_multiply
 * computes them. `last` is the position of the last query. */
void relative_init(struct relative_scores *r, const struct decoder *d,
                   const struct kv_view *m, struct arena *scratch, int rows, int last);
/* For prefill: multiplies q [rows] of d_head floats, ld apart, times `scale`. */
void relative_multiply(const struct relative_scores *r, int head, const float *q,
                       int ld, int rows, float scale, uint32_t *panels);
/* For a step: multiplies a few rows, which are scaled already, with the packed tables
 * [heads] of distances by index (RELATIVE_SHAW: one table) and by time; either may be
 * NULL. `room` is for the prepared rows. */
void relative_multiply_few(struct relative_scores *r, int head,
                           const struct packed *index, const struct packed *time,
                           const float *q, int ldq, int n, float *room);
/* The row of the table whose products are column 0. */
static inline int relative_first_row(const struct relative_scores *r)
{
    return r->m->zero - r->zero;
}
/* to[n] = the rows of the time table for a query and n keys from `key` on. */
void relative_time_rows(const struct decoder *d, uint8_t *to, const struct kv_view *m,
                        int query, int key, int n);
/* scores[n] += the part that depends on distance, for the row `row`, which is the query
 * at a position, and n keys from `key` on. time_rows [n] is read only if there is a time
 * table. */
void relative_add(const struct relative_scores *r, int row, int query, int key, int n,
                  const uint8_t *time_rows, float *scores);
/* Shaw's tables for values. collect adds a row's weights by distance; shrink multiplies
 * these sums; mix adds the rows of the value table, times these sums, to mixed[d_head]. */
void relative_collect(struct relative_scores *r, int row, int query, int key, int n,
                      const float *weights);
void relative_shrink(struct relative_scores *r, int row, float by);
void relative_mix(const struct relative_scores *r, int row, float *mixed);

/* The scratch that one thread needs for each kind of task, in floats. */
size_t decoder_heads_scratch(const struct decoder *d);
size_t decoder_feed_scratch(const struct decoder *d);
size_t decoder_attention_scratch(const struct decoder *d);

/* Prepares n_x vectors of n numbers, ldx floats apart, for products with weights of a
 * kind. The result is in `room`, which is aligned to 64 bytes. */
struct prepared decoder_prepare(const struct decoder *d, enum model_weights_kind kind,
                                void *room, const float *x, int ldx, int n_x, int n);
/* y [n_x], ldy apart, = w x + bias for some panels of w. */
void decoder_multiply(const struct decoder *d, float *y, int ldy,
                      const struct packed *w, int panel, int n_panels,
                      const struct prepared *x, int n_x);

bool decoder_cancelled(const struct decoder *d);
/* The next three functions are for models with a state table (model.h) and do nothing for
 * others. add_state advances the state by the token at `position`, which must be the next
 * one, and adds the rows of the state table that the state then names to x [d]. */
void decoder_add_state(const struct decoder *d, float *x, int position);
/* Returns to the state after the first n tokens. */
void decoder_restore_state(const struct decoder *d, int n);
/* Copies the states stored between tokens `at` and n. Both decoders have the same tokens
 * before `at`. */
void decoder_copy_states(const struct decoder *to, const struct decoder *from, int at,
                         int n);
/* x [d] = the embedding of a token at a position, without the rows of its state. */
void decoder_embed(const struct decoder *d, float *x, int32_t token, int position);
/* Sets the rotations of a row of the chunk from its position and time. */
void decoder_set_rotation(struct decoder *d, int row, int position, int32_t time);
/* Fourier mixing in prefill: d->mixed [rows, d] from x [rows, d]. */
void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x);
/* The keys or the values of one head from `position` on, which must begin a tile. */
const uint8_t *decoder_keys(const struct decoder *d, const struct kv_view *m, int head,
                            int position);
const uint8_t *decoder_values(const struct decoder *d, const struct kv_view *m,
                              int head, int position);
/* A tile in f32: keys [d_head][KEY_TILE] or values [KEY_TILE][d_value]. If the cache is
 * in 8 bits the tile is converted into `room`, which must hold one more line. */
const float *decoder_tile_f32(const struct decoder *d, const uint8_t *tile,
                              bool is_keys, float *room);
/* Prefetches the memory that decoder_store will write. It is many cache lines, far apart,
 * which are in no cache after a step, so the stores would wait for memory one after
 * another. */
void decoder_prefetch_store(const struct decoder *d, const struct kv_view *m, int head,
                            int position);
/* Gives the cache room for n_tokens in all. */
void decoder_reserve(struct decoder *d, int n_tokens);
/* Stores the key and the value of one head at a position. */
void decoder_store(const struct decoder *d, const struct kv_view *m, int head,
                   int position, const float *key, const float *value);
/* The same for many rows and all heads. A row of k, ld apart, has the keys; the values
 * are d_model floats further on. */
void decoder_store_rows(const struct decoder *d, const struct kv_view *m, int position,
                        const float *k, int ld, int rows);
/* Reads a source whose tokens have been checked. The caller sets its length. */
enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n);
/* x [n] = the activation function of x. */
void decoder_activate(const struct decoder *d, float *x, int n);
/* logits [vocab] from one row of the stream, by the single-step kernels. */
void decoder_logits(struct decoder *d, const float *x, float *logits);

/* MODEL_OK if n tokens may follow. */
enum model_status decoder_check(const struct decoder *d, const int32_t *tokens, int n);
/* Writes n tokens, their times (NULL: their positions) and a new stamp behind the tokens
 * of the cache, before they are run. If the call is cancelled they stay there, beyond the
 * length. */
void decoder_stage_tokens(struct decoder *d, const int32_t *tokens,
                          const int32_t *times, int n);

/* A number that identifies one call that fills a cache; it is never returned twice. */
uint64_t decoder_new_stamp(void);
/* How many first tokens two decoders have in common, bit for bit, through decoder_copy;
 * and whether they have the same source. */
int decoder_n_shared(const struct decoder *a, const struct decoder *b);
bool decoder_source_shared(const struct decoder *a, const struct decoder *b);

/* Runs n staged tokens from `position` on. The caller changes the length. */
enum model_status decoder_run_chunk(struct decoder *d, int position, int n, bool all,
                                    float *logits);

/* Decoders that take one step together. The arena of the first one holds the rows of all. */
struct step_batch {
    struct decoder *const *d;
    int n;
    /* How many first tokens all have in common, bit for bit; and whether all have the
     * same source. */
    int n_shared;
    bool source_shared;
};
struct step_batch step_batch_of(struct decoder *const *d, int n);

/* Runs n tasks, in the pool if n_products are worth waking it. The numbers are the same. */
typedef void decoder_task(void *arg, int i, int thread);
void decoder_run_tasks(const struct decoder *d, decoder_task *task, void *arg, int n,
                       size_t n_products);

/* Part i of the terms that will be added to the rows of the stream. */
static inline float *decoder_part(const struct step_arena *a, int i)
{
    return a->parts + (size_t)i * MAX_BATCH * a->width;
}

/* Some queries of one head, MAX_BATCH at most, whose attention weights are computed
 * together. Both a step and attention_probe.c use these functions, so the bits are the
 * same. */
struct head_rows {
    const struct decoder *d; /* the decoder whose kernels and memory are used */
    int n, head;
    int n_shared; /* the first keys that all rows have in common */
    float *q;     /* [n] of [d_head], ldq apart; head_rows_init scales them */
    size_t ldq;
    const uint8_t *time_rows; /* [n][n_rows] rows of a time table, by key */
    float *scores, *mixed;    /* [n] of weights, first scores; [n] of [d_value] */
    size_t ld;                /* from row to row of both */
    float *room;              /* for the prepared rows */
    struct relative_scores relation;
    struct head_row {
        const struct kv_view *m;
        int query, first, n;          /* its position; the keys that it sees */
        const uint8_t *keys, *values; /* of the first of them, which begins a tile */
        float sum;                    /* the sum of the weights */
    } rows[MAX_BATCH];
};
/* Begins: the caller has set the fields up to time_rows. Row r is the query at position
 * queries[r] and sees the keys of the view m[r * m_apart]. */
void head_rows_init(struct head_rows *a, const struct kv_view *m, size_t m_apart,
                    const int *queries, struct arena *scratch);
/* Computes the scores by content, and the products in which distances are looked up. */
void head_rows_score(struct head_rows *a, const struct packed *index_table,
                     const struct packed *time_table);
/* Turns a row's scores into weights, after adding the part that depends on distance. */
void head_rows_weigh(struct head_rows *a, int r);

/* Queries for attention_probe.c; in a decoder that does not store queries these do
 * nothing. expect: the queries of the next n tokens will be stored under this stamp.
 * keep: stores the queries [rows], ld apart, of n_heads heads from `head` on, for the
 * tokens from `position` on. copy: `to`, which has the first n tokens of `from`, gets
 * their queries. */
void decoder_expect_queries(struct decoder *d, uint64_t stamp, int n);
void decoder_keep_query(struct decoder *d, enum attention_kind kind, int layer,
                        int position, int head, int n_heads, const float *q, int ld,
                        int rows);
void decoder_copy_queries(struct decoder *to, const struct decoder *from, int n);

/* Finds the rows of the time tables for a step: for the tokens so far and for the source. */
void decoder_step_times(const struct step_batch *t);
/* Attention of the step's input to the past or to the source. Each head writes one part. */
void decoder_step_attend(const struct step_batch *t, enum attention_kind kind,
                         int layer);
/* Fourier mixing in a step: mixed [n, d] from x [n, d], whose transforms go to the
 * caches. */
void decoder_fourier_step(const struct step_batch *t, int layer, const float *x);

#endif
