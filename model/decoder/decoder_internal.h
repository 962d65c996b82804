/* What the files of the decoder share:
 *   decoder.c             memory and public calls
 *   decoder_prefill.c     many tokens at once, and a source
 *   decoder_step.c        one token each of a batch; attention_step.c is their attention
 *   decoder_copy.c        copies what another decoder has read
 *   kv_cache.c            keys and values
 *   relative_scores.c     the part of a score that depends on distance
 *   decoder_fourier.c     Fourier mixing, in place of attention
 *   attention_probe.c     attention shown: queries kept, rows computed again; muted heads
 *
 * The key-value cache holds, per layer and head, whole tiles of KEY_TILE positions. Keys
 * are transposed within a tile, so that vectors sum scores; d_value is d_head padded to
 * VALUE_PAD:
 *   f32   keys   [tile][d_head][KEY_TILE]          values [position][d_value]
 *   int8  as model/kernels/kernels.h has it: the scales of a tile come first
 * All keys come before all values. Both have room for the tiles in use and grow by half
 * when they are full, up to the context; so a short sequence touches little of the memory
 * that is reserved. */
#ifndef MODEL_DECODER_INTERNAL_H
#define MODEL_DECODER_INTERNAL_H

#include "model/base/arena.h"
#include "model/decoder/attention_probe.h"
#include "model/kernels/kernels.h"
#include "model/weights/packed_model.h"

enum {
    CHUNK = 256,                /* tokens that prefill takes at once */
    QUERIES = 64,               /* queries that a task of prefill attends for */
    PRODUCT_COLUMNS_MOST = 128, /* columns of a product that a task computes */
    STATE_EVERY = 64,           /* a state is kept after each so many tokens */
    FIRST_ROOM = 4,             /* tiles per head that the cache begins with */
};

enum { MAX_BATCH = DECODER_MAX_BATCH };
_Static_assert((int)MAX_BATCH == (int)PACKED_MOST_VECTORS, "one product serves all");

/* A few vectors prepared for packed products: [MAX_BATCH] of ld bytes. */
struct prepared {
    uint8_t *x;
    float scale[MAX_BATCH];
    size_t ld;
};

/* What a step has in the arena besides the rows of x, h and mixed. */
struct step_arena {
    struct prepared input; /* the input of the next part of a layer */
    float *parts;          /* [parts][MAX_BATCH][width]: summed into the stream */
    int width;             /* d_model, whole panels */
    float *logits;         /* [MAX_BATCH][n_logits] */
    int n_logits;          /* vocab, whole panels */
    uint8_t *time_rows, *source_rows; /* [MAX_BATCH][n_rows], of the places so far */
    int n_rows;
};

struct decoder {
    /* Constant after create. */
    struct model_config c;
    const struct model_weights *w; /* the model's */
    const struct packed_model *packed;
    const struct kernels *k;
    const struct packed_prefill
        *prefill_weights;               /* NULL: weights of prefill as they are */
    const struct product_set *products; /* of many rows */
    struct pool *pool;
    enum model_cache_kind cache;
    const struct model_state_kind *kind; /* NULL: without state */
    int d_head, d_value, n_tiles;        /* tiles of the whole context */
    size_t key_tile, value_tile;         /* bytes of one head's tile in the cache */
    float scale;                         /* of scores: 1 / sqrt(d_head) */

    const atomic_bool *cancel;       /* others write it */
    struct query_cache *query_cache; /* attention_probe.c; NULL: queries are not kept */

    /* The arena, n_arena bytes, and its parts. */
    uint8_t *arena;
    size_t n_arena;
    uint8_t *keys, *values; /* [layer][head][room] tiles; a larger room moves them */
    int room;
    int32_t *times;   /* [context] of the tokens in the cache, */
    int32_t *ids;     /* which they are, */
    uint64_t *stamps; /* and which call put each there: decoder_copy.c */
    /* With a state table: the state of the tokens so far, and a copy
     * after each STATE_EVERY-th token. */
    uint8_t *state, *states;
    bool *muted; /* [2][layer][head], of the past and of a source: those that give
                    nothing */
    /* With an encoder: */
    struct {
        uint8_t *keys, *values; /* [layer][head][n_tiles], of the encoder's output */
        uint8_t *own_keys, *own_values; /* of the encoder's layer at work */
        int32_t *times;                 /* [context] */
        float *x, *qkv, *rotations;     /* [context, ...] as below */
        int length;                     /* tokens read; 0: no source */
        uint64_t stamp;                 /* which call read them */
    } source;
    float *spectra; /* Fourier: [layer][context][2d] instead of keys and values */
    float *waves;   /* Fourier: [2d, d] the transform of one token */
    struct packed packed_waves; /* and for steps */
    float *circle;    /* Fourier: [2, block] cosines and sines of a turn in steps */
    float *rotations; /* rotary: [CHUNK, d_head], */
    float *cross_rotations;   /* and towards a source */
    const uint8_t *time_rows; /* position_time_rows */
    float *x;                 /* [CHUNK, d]: the residual stream */
    float *h;                 /* [CHUNK, d]: output of a norm */
    float *qkv;               /* [CHUNK, 3d] */
    float *mixed;             /* [CHUNK, d]: output of the heads */
    float *hidden;            /* [CHUNK, d_ff] */
    struct step_arena step;
    uint8_t *chunk_rows; /* [CHUNK, n_tiles * KEY_TILE]: rows of time tables */
    float *scratch;      /* [n_threads, n_scratch] */
    uint32_t *panels;    /* [n_threads, product_scratch] */
    size_t n_scratch;

    int length; /* tokens in the cache */
};

static inline float *decoder_scratch(const struct decoder *d, int thread)
{
    return d->scratch + (size_t)thread * d->n_scratch;
}

/* Where a thread packs the factors of its products: room for so many words. */
static inline size_t decoder_panels_size(const struct decoder *d)
{
    return product_scratch(CHUNK, larger((size_t)d->d_value, PRODUCT_COLUMNS_MOST));
}

static inline uint32_t *decoder_panels(const struct decoder *d, int thread)
{
    return d->panels + (size_t)thread * decoder_panels_size(d);
}

/* The keys and values that the queries of one layer attend to: this sequence's or a
 * source's. */
struct kv_view {
    uint8_t *keys, *values;             /* of head 0; the others follow, */
    int n_tiles;                        /* so many each */
    int n;                              /* keys, those of the queries included */
    bool causal;                        /* a query sees no key after its own position */
    const int32_t *times, *query_times; /* by position: of keys, of queries */
    /* The layer's tables, or NULL; index tables have n_rows, `zero` is the row of
     * distance 0, and heads own one each or share it. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero;
    const bool *muted; /* [heads] whose output is zero, or NULL */
};

/* What a head's weights, which add up to `sum`, are multiplied by: 0 if it is muted. */
static inline float kv_view_row_scale(const struct kv_view *m, int head, float sum)
{
    return m->muted && m->muted[head] ? 0.0f : 1.0f / sum;
}

/* [heads]: the muted heads of one layer, of self-attention or of cross-attention. */
static inline bool *decoder_muting(const struct decoder *d, bool of_source, int layer)
{
    int row = (of_source ? d->c.n_layers : 0) + layer;
    return d->muted + (size_t)row * d->c.n_heads;
}

struct kv_view kv_view_of_past(const struct decoder *d, int layer, int n);
struct kv_view kv_view_of_source(const struct decoder *d, int layer);
/* Of n tokens of a source, in the encoder's layer at work, which sees both ways. */
struct kv_view kv_view_of_encoder(const struct decoder *d, int layer, int n);

/* The first key that a query sees: local attention sees its own block and the one before,
 * other attention everything. */
static inline int first_of_blocks(int block, int query)
{
    return block && query >= block ? (query / block - 1) * block : 0;
}

/* The first key that a query sees. */
static inline int first_key(const struct decoder *d, const struct kv_view *m, int query)
{
    return m->causal ? first_of_blocks(d->c.block, query) : 0;
}

/* One past the last key that a query sees. */
static inline int end_key(const struct kv_view *m, int query)
{
    return m->causal ? query + 1 : m->n;
}

/* The part of a score that depends on distance, for some queries of one head. A query's
 * products with the rows of the tables are computed once; each key then looks up its
 * distance. This needs only the memory of Huang et al. 2018, and reading a row from where
 * its distance begins is their skewing: no [L, L, D] tensor is ever built. */
struct relative_scores {
    const struct decoder *d;
    const struct kv_view *m;
    int n, zero; /* table rows that occur, a column each; the column of distance 0 */
    float *by_index; /* [rows, n], ld_index apart, or NULL */
    float *by_time;  /* [rows, MODEL_TIME_BUCKETS], ld_time apart, or NULL */
    int ld_index, ld_time;
    float *weights; /* Shaw: [rows, n] attention, summed by distance; or NULL */
};

size_t relative_scratch(const struct decoder *d, int rows); /* in floats */
/* Takes room for the products from the scratch; relative_multiply computes them. The last
 * of the rows stands at position `last`. */
void relative_init(struct relative_scores *r, const struct decoder *d,
                   const struct kv_view *m, struct arena *scratch, int rows, int last);
/* In prefill: the products of q [rows] of d_head floats, ld apart, times `scale`. */
void relative_multiply(const struct relative_scores *r, int head, const float *q,
                       int ld, int rows, float scale, uint32_t *panels);
/* In a step: the same for a few rows, which are scaled already, with the packed tables
 * [heads] of distances by index (Shaw: one) and by time, or NULL. room: for the prepared
 * rows. */
void relative_multiply_few(struct relative_scores *r, int head,
                           const struct packed *index, const struct packed *time,
                           const float *q, int ldq, int n, float *room);
/* The row of the table that column 0 holds. */
static inline int relative_first_row(const struct relative_scores *r)
{
    return r->m->zero - r->zero;
}
/* to[n] = the rows of a time table for a query and the keys from `key` on. */
void relative_time_rows(const struct decoder *d, uint8_t *to, const struct kv_view *m,
                        int query, int key, int n);
/* scores[n] += the part that depends on distance, for row `row` at position `query` and the
 * keys from `key` on. time_rows [n] is read only if there is a time table. */
void relative_add(const struct relative_scores *r, int row, int query, int key, int n,
                  const uint8_t *time_rows, float *scores);
/* Shaw's values: collect sums a row's weights by distance, shrink multiplies those sums,
 * and mix adds their rows of the value table to mixed[d_head]. */
void relative_collect(struct relative_scores *r, int row, int query, int key, int n,
                      const float *weights);
void relative_shrink(struct relative_scores *r, int row, float by);
void relative_mix(const struct relative_scores *r, int row, float *mixed);

/* The scratch that one thread needs, in floats. */
size_t decoder_heads_scratch(const struct decoder *d);
size_t decoder_feed_scratch(const struct decoder *d);
size_t decoder_attention_scratch(const struct decoder *d);

/* Prepares n_x vectors of n values, ldx floats apart, for products with weights of a kind.
 * They go to `room`, aligned to 64 bytes. */
struct prepared decoder_prepare(const struct decoder *d, enum model_weights_kind kind,
                                void *room, const float *x, int ldx, int n_x, int n);
/* y [n_x], ldy apart = w x + bias, for some panels of w. */
void decoder_multiply(const struct decoder *d, float *y, int ldy,
                      const struct packed *w, int panel, int n_panels,
                      const struct prepared *x, int n_x);

bool decoder_cancelled(const struct decoder *d);
/* The state of models with a state table; for other models these do nothing.
 * Takes the token at the next position, which is in d->ids, and adds the rows of the state
 * table that the state names to its embedding x [d]. */
void decoder_add_state(const struct decoder *d, float *x, int position);
/* Goes back to the state after the first n tokens. */
void decoder_restore_state(const struct decoder *d, int n);
/* Copies the states kept between tokens `at` and n; both decoders agree before `at`. */
void decoder_copy_states(const struct decoder *to, const struct decoder *from, int at,
                         int n);
/* x [d] = the embedding of a token at a position, without its state. */
void decoder_embed(const struct decoder *d, float *x, int32_t token, int position);
/* Sets the rotation of one row, from its position and time. */
void decoder_set_rotation(struct decoder *d, int row, int position, int32_t time);
/* Fourier mixing: mixed [rows, d] from x [rows, d]. */
void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x);
/* One head's keys or values from `position` on, which begins a tile. */
const uint8_t *decoder_keys(const struct decoder *d, const struct kv_view *m, int head,
                            int position);
const uint8_t *decoder_values(const struct decoder *d, const struct kv_view *m,
                              int head, int position);
/* A tile in f32, keys [d_head][KEY_TILE] or values [KEY_TILE][d_value]: in place if the
 * cache is f32, else converted into `room`, which holds a line more. */
const float *decoder_tile_f32(const struct decoder *d, const uint8_t *tile,
                              bool is_keys, float *room);
/* Prefetches the cache lines that decoder_store will write. They are many and far apart,
 * and after a step they are in no cache, so the stores would wait for memory in turn. */
void decoder_prefetch_store(const struct decoder *d, const struct kv_view *m, int head,
                            int position);
/* Makes room in the cache for n_tokens in all. */
void decoder_reserve(struct decoder *d, int n_tokens);
/* Stores the key and value of one head at a position. */
void decoder_store(const struct decoder *d, const struct kv_view *m, int head,
                   int position, const float *key, const float *value);
/* The same for many rows of all heads: k [rows] ld apart, v d_model after it. */
void decoder_store_rows(const struct decoder *d, const struct kv_view *m, int position,
                        const float *k, int ld, int rows);
/* Reads a source whose tokens are checked; the caller sets its length. */
enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n);
void decoder_activate(const struct decoder *d, float *x, int n);
/* logits [vocab] from a row of the stream, by the single-step kernels. */
void decoder_logits(struct decoder *d, const float *x, float *logits);

/* Whether n tokens may follow. */
enum model_status decoder_check(const struct decoder *d, const int32_t *tokens, int n);
/* Writes n tokens, their times (NULL: their positions) and a stamp past the length, before
 * they are run. A cancelled call leaves them there, where nobody looks. */
void decoder_stage_tokens(struct decoder *d, const int32_t *tokens,
                          const int32_t *times, int n);

/* A number that identifies one call that fills a cache; never given twice. */
uint64_t decoder_new_stamp(void);
/* How many first tokens both have, bit for bit, because of decoder_copy; and whether they
 * have the same source. */
int decoder_n_shared(const struct decoder *a, const struct decoder *b);
bool decoder_source_shared(const struct decoder *a, const struct decoder *b);

/* Runs the n staged tokens from `position` on; the caller changes the length. */
enum model_status decoder_run_chunk(struct decoder *d, int position, int n, bool all,
                                    float *logits);

/* Decoders that take one step together. The arena of the first holds the rows of all. */
struct step_batch {
    struct decoder *const *d;
    int n;
    /* How many first tokens all have, bit for bit, and whether they share a source. */
    int n_shared;
    bool source_shared;
};
struct step_batch step_batch_of(struct decoder *const *d, int n);

/* Runs n tasks, on the pool if there is work enough for it; the numbers are the same. */
typedef void decoder_task(void *arg, int i, int thread);
void decoder_run_tasks(const struct decoder *d, decoder_task *task, void *arg, int n,
                       size_t n_products);

/* Part i of what will be added to the rows of the stream. */
static inline float *decoder_part(const struct step_arena *a, int i)
{
    return a->parts + (size_t)i * MAX_BATCH * a->width;
}

/* Rows of one head that go together, MAX_BATCH at most: their weights are computed here for a
 * step, and again for who asks (attention_probe.c), to the same bits. */
struct head_rows {
    const struct decoder *d; /* whose kernels and memory these are */
    int n, head;
    int n_shared; /* keys that are every row's, from the first one seen */
    float *q;     /* [d_head], ldq apart; scaled by head_rows_init */
    size_t ldq;
    const uint8_t *time_rows; /* [n][n_rows] of a time table, by place */
    float *scores, *mixed;    /* [n], then weights; [d_value]: both ld apart */
    size_t ld;
    float *room; /* for prepared rows */
    struct relative_scores relation;
    struct head_row {
        const struct kv_view *m;
        int query, first, n;          /* its place; the keys it sees */
        const uint8_t *keys, *values; /* of the first of them */
        float sum;                    /* of the weights */
    } rows[MAX_BATCH];
};
/* The caller has set all down to time_rows. Row r sees by the view m[r m_apart] what a query
 * at queries[r] does. */
void head_rows_init(struct head_rows *a, const struct kv_view *m, size_t m_apart,
                    const int *queries, struct arena *scratch);
/* Scores by content, and the products in which distances are looked up. */
void head_rows_score(struct head_rows *a, const struct packed *index_table,
                     const struct packed *time_table);
/* A row's scores become weights. The products with the tables are all rows', the times its
 * own. */
void head_rows_weigh(struct head_rows *a, int r);

/* In a decoder that keeps queries (others: nothing): those of the n tokens that follow are kept
 * under this stamp; keeps those [rows], ld apart, of some heads for the tokens from
 * `position` on; `to`, which has the first n tokens of `from`, gets their queries. */
void decoder_expect_queries(struct decoder *d, uint64_t stamp, int n);
void decoder_keep_query(struct decoder *d, enum attention_kind kind, int layer,
                        int position, int head, int n_heads, const float *q, int ld,
                        int rows);
void decoder_copy_queries(struct decoder *to, const struct decoder *from, int n);

/* Looks up the rows of the time tables, for the tokens so far and the source. */
void decoder_step_times(const struct step_batch *t);
/* Attention of the input to the past or to the source: each head leaves one part. */
void decoder_step_attend(const struct step_batch *t, enum attention_kind kind,
                         int layer);
/* mixed [n, d] from x [n, d], whose transforms it stores in the caches. */
void decoder_fourier_step(const struct step_batch *t, int layer, const float *x);

#endif
