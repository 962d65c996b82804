/* The attention of a step: one row for each of the decoders that go together, head by
 * head, from the stream to the head's part of the output projection's sums. What the
 * rows have in common they read in common: a head's weights and its tables of
 * distances, and, tile by tile, the keys and values of the tokens that all of them keep
 * (decoder_copy). Each row is summed in the order it would be alone. */
#include "model/decoder/query_cache.h"

#include <assert.h>
#include <string.h>

/* One layer's attention. */
struct heads_job {
    const struct step_batch *t;
    enum attention_kind kind;
    int layer;
    const struct packed *in, *out; /* [heads]: q (k, v); the output projection */
    const struct packed *index_table, *time_table; /* [heads], or NULL */
    const struct kv_view *m;                       /* of each row */
    const uint8_t *time_rows;                      /* [n][n_rows] */
    const float *rotations;
    int n_shared; /* keys that are every row's, from the first one seen */
};

/* One head's rows at work. */
struct row {
    const struct kv_view *m;
    int query, first, n;          /* its place; the keys it sees */
    const uint8_t *keys, *values; /* of the first of them */
    float sum;                    /* of the weights */
};

/* What is made of a head's rows: row r has r `ld` floats after row 0. */
struct heads_work {
    const float *q; /* [d_head], ldq apart */
    float *scores;  /* [n], then weights */
    float *mixed;   /* [d_value] */
    size_t ldq, ld;
};

static size_t n_scores(const struct decoder *d)
{
    return (size_t)d->n_tiles * KEY_TILE;
}

/* Of one row. Not a power of two, which would put all rows in the same few sets of the
 * processor's cache. */
static size_t work_size(const struct decoder *d)
{
    return n_scores(d) + (size_t)d->d_value;
}

static size_t ready_size(const struct decoder *d)
{
    size_t bytes = packed_vector_size(WEIGHTS_F32, d->d_head);
    return bytes / sizeof(float); /* the largest of all kinds */
}

size_t decoder_heads_scratch(const struct decoder *d)
{
    size_t projected = 3 * (size_t)packed_panels(d->d_head) * PANEL;
    size_t row = projected + work_size(d) + ready_size(d);
    return MAX_BATCH * row + relative_scratch(d, MAX_BATCH);
}

static struct heads_work work_init(const struct decoder *d, const float *q, int ldq,
                                   int n, struct arena *scratch)
{
    struct heads_work work = {.q = q, .ldq = (size_t)ldq, .ld = work_size(d)};
    work.scores = arena_floats(scratch, (size_t)n * work.ld);
    work.mixed = work.scores + n_scores(d);
    for (size_t r = 0; r < (size_t)n; r++)
        memset(work.mixed + r * work.ld, 0, d->d_value * sizeof *work.mixed);
    return work;
}

static struct row row_of(const struct heads_job *job, int r, int head)
{
    const struct decoder *d = job->t->d[0];
    const struct kv_view *m = &job->m[r];
    struct row row = {.m = m, .query = job->t->d[r]->length};
    row.first = first_key(d, m, row.query);
    row.n = end_key(m, row.query) - row.first;
    row.keys = decoder_keys(d, m, head, row.first);
    row.values = decoder_values(d, m, head, row.first);
    return row;
}

/* Rows from r on, over keys from the place `from` on, which begins a tile. */
static void score_from(const struct decoder *d, const struct heads_work *work, size_t r,
                       int n_rows, const struct row *row, int from, int end)
{
    const size_t tile = (size_t)from / KEY_TILE;
    d->k->score_keys[d->cache](
        &(struct scoring){.scores = work->scores + r * work->ld + from,
                          .ld = work->ld,
                          .q = work->q + r * work->ldq,
                          .ldq = work->ldq,
                          .keys = row->keys + tile * d->key_tile,
                          .n_rows = n_rows,
                          .n = end - from,
                          .d = d->d_head});
}

static void mix_from(const struct decoder *d, const struct heads_work *work, size_t r,
                     int n_rows, const struct row *row, int from, int end)
{
    const size_t tile = (size_t)from / KEY_TILE;
    d->k->mix_values[d->cache](
        &(struct mixing){.y = work->mixed + r * work->ld,
                         .ldy = work->ld,
                         .p = work->scores + r * work->ld + from,
                         .ldp = work->ld,
                         .values = row->values + tile * d->value_tile,
                         .n_rows = n_rows,
                         .n = end - from,
                         .width = d->d_value});
}

/* A tile on its way to the second cache. The first of each row's own is seldom near. */
static void foresee(const uint8_t *at, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch(at + i, 0, 2);
}

/* Scores or mixes all rows. The tiles that all have go by once; then each reads its
 * own. */
static void over_tiles(const struct heads_job *job, const struct row *rows,
                       const struct heads_work *work,
                       void (*step)(const struct decoder *d,
                                    const struct heads_work *work, size_t r, int n_rows,
                                    const struct row *row, int from, int end))
{
    const struct decoder *d = job->t->d[0];
    const int shared = job->n_shared / KEY_TILE * KEY_TILE;
    if (shared)
        step(d, work, 0, job->t->n, rows, 0, shared);
    for (int r = 0; r < job->t->n; r++)
        step(d, work, (size_t)r, 1, rows + r, shared, rows[r].n);
}

/* Scores become weights. The products with the tables are all rows', the times their
 * own. */
static void weigh(const struct heads_job *job, const struct relative_scores *of_all,
                  int r, struct row *row, float *scores)
{
    struct relative_scores relation = *of_all;
    const struct decoder *d = relation.d;
    const uint8_t *times = job->time_rows + (size_t)r * d->step.n_rows;
    relation.m = row->m;
    relative_add(&relation, r, row->query, row->first, row->n, times + row->first,
                 scores);
    row->sum = d->k->exp_sum(scores, row->n, d->k->highest(scores, row->n));
    relative_collect(&relation, r, row->query, row->first, row->n, scores);
}

/* The rows' q [n], ldq apart, are scaled here; what the head makes of them goes to its
 * part. */
static void attend(const struct heads_job *job, int head, float *q, int ldq,
                   struct arena *scratch)
{
    const struct decoder *d = job->t->d[0];
    const struct attention_head h = {job->kind, job->layer, head};
    const int n = job->t->n, e = d->d_head;
    struct row rows[MAX_BATCH];
    struct relative_scores relation;
    int last = 0;
    assert(n > 0);
    float *room = arena_floats(scratch, MAX_BATCH * ready_size(d));
    for (int r = 0; r < n; r++) {
        d->k->scale(q + (size_t)r * ldq, d->scale, e);
        rows[r] = row_of(job, r, head);
        last = rows[r].query > last ? rows[r].query : last;
    }
    const struct heads_work work = work_init(d, q, ldq, n, scratch);
    relative_init(&relation, d, job->m, scratch, n, last);
    relative_multiply_few(&relation, head, job->index_table, job->time_table, q, ldq, n,
                          room);
    const size_t own = (size_t)(job->n_shared / KEY_TILE);
    for (int r = 0; r < n; r++)
        foresee(rows[r].keys + own * d->key_tile, d->key_tile);
    over_tiles(job, rows, &work, score_from);
    for (int r = 0; r < n; r++) {
        foresee(rows[r].values + own * d->value_tile, d->value_tile);
        weigh(job, &relation, r, &rows[r], work.scores + (size_t)r * work.ld);
    }
    over_tiles(job, rows, &work, mix_from);

    const struct packed *out = &job->out[head];
    struct prepared mixed = {.x = (uint8_t *)room,
                             .ld = packed_vector_size(out->kind, e)};
    for (int r = 0; r < n; r++) {
        float *row = work.mixed + (size_t)r * work.ld;
        decoder_write_shown_row(job->t->d[r], h, work.scores + (size_t)r * work.ld,
                                rows[r].first, rows[r].first + rows[r].n, rows[r].m->n,
                                1.0f / rows[r].sum);
        relative_mix(&relation, r, row);
        d->k->scale(row, kv_view_row_scale(rows[r].m, head, rows[r].sum), e);
    }
    decoder_prepare(d, out->kind, &mixed, work.mixed, (int)work.ld, n, e);
    decoder_multiply(d, decoder_part(&d->step, head), d->step.width, out, 0,
                     out->rows / PANEL, &mixed, n);
}

/* Of the past: the rows' keys, and their values with what their tokens are worth to this
 * head, go to the cache before they attend. */
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
    struct arena scratch = decoder_scratch(d, thread);
    float *q = arena_floats(&scratch, (size_t)MAX_BATCH * ld);
    for (int r = 0; of_past && r < n; r++)
        decoder_prefetch_store(d, &job->m[r], head, all[r]->length);
    decoder_multiply(d, q, ld, &job->in[head], 0, ld / PANEL, &d->step.input, n);
    d->k->rotate(q, ld, 1, job->rotations, d->d_head, n, false);
    if (of_past)
        store(job, head, q + ld / 3, q + ld / 3 * 2, ld);
    for (int r = 0; r < n; r++)
        query_cache_put(all[r], job->kind, job->layer, all[r]->length, head, 1,
                        q + (size_t)r * ld, ld, 1);
    attend(job, head, q, ld, &scratch);
}

/* Keys that all rows see and that are the same. Rows may be in different blocks of
 * local attention: then none. */
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
