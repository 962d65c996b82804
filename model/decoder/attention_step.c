/* Attention in a step: one query for each of the decoders that go together. A task is one
 * head, from the prepared input to the head's part of the output projection's sums.
 *
 * What the rows have in common is read once for all: the head's weights, its tables of
 * distances and, tile by tile, the keys and values of the first tokens that all decoders
 * have in common (decoder_copy). Each row is summed in the order in which it would be
 * summed alone. */
#include "model/decoder/decoder_internal.h"

#include <assert.h>
#include <string.h>

/* One layer's attention. */
struct heads_job {
    const struct step_batch *t;
    enum attention_kind kind;
    int layer;
    const struct packed *in, *out; /* [heads] q (with k and v); the output projection */
    const struct packed *index_table, *time_table; /* [heads], or NULL */
    const struct kv_view *m;                       /* [n] the view of each row */
    const uint8_t *time_rows;                      /* [n][n_rows] */
    const float *rotations;
    int n_shared; /* the first keys that all rows have in common */
};

static size_t n_scores(const struct decoder *d)
{
    return (size_t)d->n_tiles * KEY_TILE;
}

/* The floats of one row's scores and mix. They are not a power of two, which would put
 * all rows in the same few sets of the processor's cache. */
static size_t work_size(const struct decoder *d)
{
    return n_scores(d) + (size_t)d->d_value;
}

static size_t ready_size(const struct decoder *d)
{
    size_t bytes = packed_vector_size(WEIGHTS_F32, d->d_head);
    return bytes / sizeof(float); /* f32 needs the most of all kinds */
}

size_t decoder_heads_scratch(const struct decoder *d)
{
    size_t projected = 3 * (size_t)packed_panels(d->d_head) * PANEL;
    size_t row = projected + work_size(d) + ready_size(d);
    return MAX_BATCH * row + relative_scratch(d, MAX_BATCH);
}

void head_rows_init(struct head_rows *a, const struct kv_view *m, size_t m_apart,
                    const int *queries, struct arena *scratch)
{
    const struct decoder *d = a->d;
    int last = 0;
    a->ld = work_size(d);
    a->scores = arena_floats(scratch, (size_t)a->n * a->ld);
    a->mixed = a->scores + n_scores(d);
    a->room = arena_floats(scratch, MAX_BATCH * ready_size(d));
    for (int r = 0; r < a->n; r++) {
        const struct kv_view *view = m + (size_t)r * m_apart;
        const int query = queries[r], first = first_key(d, view, query);
        a->rows[r] = (struct head_row){
            .m = view,
            .query = query,
            .first = first,
            .n = end_key(view, query) - first,
            .keys = decoder_keys(d, view, a->head, first),
            .values = decoder_values(d, view, a->head, first),
        };
        last = query > last ? query : last;
        d->k->scale(a->q + (size_t)r * a->ldq, d->scale, d->d_head);
    }
    relative_init(&a->relation, d, m, scratch, a->n, last);
    assert(scratch->n_bytes <= d->n_scratch * sizeof(float));
}

/* Scores n_rows rows from r on, over the keys from place `from`, which begins a tile, to
 * `end`. Places count from the first key that the row sees. */
static void score_from(const struct head_rows *a, size_t r, int n_rows, int from,
                       int end)
{
    const size_t tile = (size_t)from / KEY_TILE;
    a->d->k->score_keys[a->d->cache](
        &(struct scoring){.scores = a->scores + r * a->ld + from,
                          .ld = a->ld,
                          .q = a->q + r * a->ldq,
                          .ldq = a->ldq,
                          .keys = a->rows[r].keys + tile * a->d->key_tile,
                          .n_rows = n_rows,
                          .n = end - from,
                          .d = a->d->d_head});
}

/* Adds values to the mix of these rows, likewise. */
static void mix_from(const struct head_rows *a, size_t r, int n_rows, int from, int end)
{
    const size_t tile = (size_t)from / KEY_TILE;
    a->d->k->mix_values[a->d->cache](
        &(struct mixing){.y = a->mixed + r * a->ld,
                         .ldy = a->ld,
                         .p = a->scores + r * a->ld + from,
                         .ldp = a->ld,
                         .values = a->rows[r].values + tile * a->d->value_tile,
                         .n_rows = n_rows,
                         .n = end - from,
                         .width = a->d->d_value});
}

/* Prefetches a tile into the second-level cache. The first tile that a row does not share
 * with the others is seldom in a cache. */
static void foresee(const uint8_t *at, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch(at + i, 0, 2);
}

/* Scores or mixes all rows: first the tiles that all rows share, once for all; then, row
 * by row, the other tiles. */
static void over_tiles(const struct head_rows *a,
                       void (*step)(const struct head_rows *a, size_t r, int n_rows,
                                    int from, int end))
{
    const int shared = a->n_shared / KEY_TILE * KEY_TILE;
    if (shared)
        step(a, 0, a->n, 0, shared);
    for (int r = 0; r < a->n; r++)
        step(a, (size_t)r, 1, shared, a->rows[r].n);
}

void head_rows_score(struct head_rows *a, const struct packed *index_table,
                     const struct packed *time_table)
{
    const size_t own = (size_t)(a->n_shared / KEY_TILE) * a->d->key_tile;
    relative_multiply_few(&a->relation, a->head, index_table, time_table, a->q,
                          (int)a->ldq, a->n, a->room);
    for (int r = 0; r < a->n; r++)
        foresee(a->rows[r].keys + own, a->d->key_tile);
    over_tiles(a, score_from);
}

void head_rows_weigh(struct head_rows *a, int r)
{
    const struct decoder *d = a->d;
    struct head_row *row = &a->rows[r];
    float *scores = a->scores + (size_t)r * a->ld;
    relative_add(&a->relation, r, row->query, row->first, row->n,
                 a->time_rows + (size_t)r * d->step.n_rows + row->first, scores);
    row->sum = d->k->exp_sum(scores, row->n, d->k->highest(scores, row->n));
}

/* Mixes the values of each row by its weights and divides by the weights' sum; a muted
 * head gives 0. */
static void mix(struct head_rows *a)
{
    const struct decoder *d = a->d;
    for (int r = 0; r < a->n; r++)
        memset(a->mixed + (size_t)r * a->ld, 0, d->d_value * sizeof *a->mixed);
    over_tiles(a, mix_from);
    for (int r = 0; r < a->n; r++) {
        float *mixed = a->mixed + (size_t)r * a->ld;
        relative_mix(&a->relation, r, mixed);
        d->k->scale(mixed, kv_view_row_scale(a->rows[r].m, a->head, a->rows[r].sum),
                    d->d_head);
    }
}

/* Attention of one head for q [n], ldq apart. Writes the head's part of the output
 * projection. */
static void attend(const struct heads_job *job, int head, float *q, int ldq,
                   struct arena *scratch)
{
    const struct decoder *d = job->t->d[0];
    const struct packed *out = &job->out[head];
    struct head_rows a = {.d = d,
                          .n = job->t->n,
                          .head = head,
                          .n_shared = job->n_shared,
                          .q = q,
                          .ldq = (size_t)ldq,
                          .time_rows = job->time_rows};
    int queries[MAX_BATCH];
    for (int r = 0; r < a.n; r++)
        queries[r] = job->t->d[r]->length;
    head_rows_init(&a, job->m, 1, queries, scratch);
    head_rows_score(&a, job->index_table, job->time_table);
    for (int r = 0; r < a.n; r++) {
        const struct head_row *row = &a.rows[r];
        const float *weights = a.scores + (size_t)r * a.ld;
        foresee(row->values + (size_t)(a.n_shared / KEY_TILE) * d->value_tile,
                d->value_tile);
        head_rows_weigh(&a, r);
        relative_collect(&a.relation, r, row->query, row->first, row->n, weights);
    }
    mix(&a);
    const struct prepared mixed =
        decoder_prepare(d, out->kind, a.room, a.mixed, (int)a.ld, a.n, d->d_head);
    decoder_multiply(d, decoder_part(&d->step, head), d->step.width, out, 0,
                     out->rows / PANEL, &mixed, a.n);
}

/* Self-attention: stores the rows' keys and values in the cache before the rows attend.
 * Adds the value embeddings of the rows' tokens, if the layer has any, to the values. */
static void store(const struct heads_job *job, int head, float *k, float *v, int ld)
{
    struct decoder *const *all = job->t->d, *d = all[0];
    const float *table = d->w->layers[job->layer].value_embedding;
    const size_t width = (size_t)d->c.d_model, first = (size_t)head * (size_t)d->d_head;
    d->k->rotate(k, ld, 1, job->rotations, d->d_head, job->t->n, false);
    for (int r = 0; r < job->t->n; r++, k += ld, v += ld) {
        const size_t id = (size_t)all[r]->ids[all[r]->length];
        if (table)
            d->k->add(v, table + id * width + first, d->d_head);
        decoder_store(d, &job->m[r], head, all[r]->length, k, v);
    }
}

static void head_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *const *all = job->t->d, *d = all[0];
    const int n = job->t->n, ld = job->in[head].rows;
    const bool of_past = job->kind == ATTENTION_SELF;
    struct arena scratch = {(uint8_t *)decoder_scratch(d, thread), 0};
    float *q = arena_floats(&scratch, (size_t)MAX_BATCH * ld);
    for (int r = 0; of_past && r < n; r++)
        decoder_prefetch_store(d, &job->m[r], head, all[r]->length);
    decoder_multiply(d, q, ld, &job->in[head], 0, ld / PANEL, &d->step.input, n);
    d->k->rotate(q, ld, 1, job->rotations, d->d_head, n, false);
    if (of_past)
        store(job, head, q + ld / 3, q + ld / 3 * 2, ld);
    for (int r = 0; r < n; r++)
        decoder_keep_query(all[r], job->kind, job->layer, all[r]->length, head, 1,
                           q + (size_t)r * ld, ld, 1);
    attend(job, head, q, ld, &scratch);
}

/* The number of first keys that all rows see and have in common. Rows may be in different
 * blocks of local attention, and then there are none. */
static int shared_keys(const struct step_batch *t, const struct kv_view *m)
{
    const struct decoder *d = t->d[0];
    if (t->n < 2)
        return 0;
    int first = first_key(d, m, d->length);
    for (int r = 1; r < t->n; r++)
        if (first_key(d, m + r, t->d[r]->length) != first)
            return 0;
    return t->n_shared > first ? t->n_shared - first : 0;
}

void decoder_step_times(const struct step_batch *t)
{
    struct decoder *d = t->d[0];
    const size_t ld = (size_t)d->step.n_rows;
    if (d->c.time != TIME_BUCKETS)
        return;
    for (int r = 0; r < t->n; r++) {
        struct kv_view past = kv_view_of_past(t->d[r], 0, t->d[r]->length + 1);
        int query = t->d[r]->length, first = first_key(d, &past, query);
        relative_time_rows(d, d->step.time_rows + (size_t)r * ld + first, &past, query,
                           first, past.n - first);
        if (!d->c.n_encoder_layers)
            continue;
        struct kv_view source = kv_view_of_source(t->d[r], 0);
        relative_time_rows(d, d->step.source_rows + (size_t)r * ld, &source, query, 0,
                           source.n);
    }
}

void decoder_step_attend(const struct step_batch *t, enum attention_kind kind,
                         int layer)
{
    struct decoder *d = t->d[0];
    const struct packed_layer *w = &d->packed->layers[layer];
    const bool of_past = kind == ATTENTION_SELF;
    const size_t n = (size_t)d->c.d_model, matrices = of_past ? 4 : 2;
    struct kv_view m[MAX_BATCH];
    size_t n_products = 0;
    for (int r = 0; r < t->n; r++) {
        m[r] = of_past ? kv_view_of_past(t->d[r], layer, t->d[r]->length + 1)
                       : kv_view_of_source(t->d[r], layer);
        n_products += n * (matrices * n + 2 * (size_t)m[r].n);
    }
    const int source = t->source_shared ? d->source.length : 0;
    struct heads_job job = {
        .t = t,
        .kind = kind,
        .layer = layer,
        .in = of_past ? w->qkv : w->cross_q,
        .out = of_past ? w->out : w->cross_out,
        .index_table = of_past ? w->relative_key : NULL,
        .time_table = of_past ? w->time_key : w->cross_time_key,
        .m = m,
        .time_rows = of_past ? d->step.time_rows : d->step.source_rows,
        .rotations = of_past ? d->rotations : d->cross_rotations,
        .n_shared = of_past ? shared_keys(t, m) : source,
    };
    decoder_run_tasks(d, head_task, &job, d->c.n_heads, n_products);
}
