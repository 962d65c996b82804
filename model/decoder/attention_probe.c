/* Attention made again: queries that were kept against the keys of the cache, with the
 * kernels and tables of a step, so that a step's weights come out to the bit. Questions
 * are shared out over the pool by groups of rows, so there are never more weights at once
 * than a group for each thread. See attention_probe.h. */
#include "model/decoder/attention_probe.h"
#include "model/decoder/query_cache.h"
#include "model/kernels/fourier.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One head of one layer and what its queries attend to. */
struct recompute {
    struct decoder *d;
    struct attention_head h;
    struct kv_view m; /* not with Fourier mixing */
    const struct packed *index_table, *time_table;
};

/* What is made of a few queries, in a thread's scratch. */
struct work {
    const struct recompute *l;
    int query, n;   /* the first of them; how many */
    int first, end; /* keys that any of them sees */
    float *q;       /* [MAX_BATCH][ldq], scaled */
    float *scores;  /* [MAX_BATCH][ld], of key `first` on */
    uint8_t *times; /* rows of a time table, [MAX_BATCH][n_rows], likewise; or NULL */
    size_t ldq, ld;
    struct relative_scores relation;
};

bool attention_is_fixed(const struct decoder *d)
{
    return d->c.mixing == MIXING_FOURIER;
}

int attention_n_keys(const struct decoder *d, struct attention_head h)
{
    if (!has_head(d, h))
        return 0;
    return h.kind == ATTENTION_SELF ? d->length : d->source.length;
}

void attention_visible(const struct decoder *d, struct attention_head h, int query,
                       int *first, int *end)
{
    *first = 0;
    *end = attention_n_keys(d, h);
    if (h.kind == ATTENTION_CROSS || query >= *end)
        return;
    *first = attention_is_fixed(d) ? fourier_first(query, d->c.block)
                                   : first_of_blocks(d->c.block, query);
    *end = query + 1;
}

/* For queries of the tokens [from, from + n). */
static enum model_status recompute_init(struct recompute *l, struct decoder *d,
                                        struct attention_head h, int from, int n)
{
    const bool past = h.kind == ATTENTION_SELF,
               is_there = past || (h.kind == ATTENTION_CROSS && d->source.length > 0);
    if (!is_there || !has_head(d, h) || from < 0 || n < 0 || from > d->length - n)
        return MODEL_NO_HEAD;
    if (!d->query_cache)
        return MODEL_NO_QUERIES;
    for (int i = from; i < from + n; i++)
        if (d->query_cache->stamps[i] != d->stamps[i])
            return MODEL_NO_QUERIES;
    *l = (struct recompute){.d = d, .h = h};
    if (attention_is_fixed(d))
        return MODEL_OK;
    const struct packed_layer *w = &d->packed->layers[h.layer];
    l->m =
        past ? kv_view_of_past(d, h.layer, d->length) : kv_view_of_source(d, h.layer);
    l->index_table = past ? w->relative_key : NULL;
    l->time_table = past ? w->time_key : w->cross_time_key;
    return MODEL_OK;
}

/* Local blocks are whole groups: MODEL_LOCAL_BLOCK is. */
_Static_assert((int)MODEL_LOCAL_BLOCK % (int)MAX_BATCH == 0,
               "groups see from one key on");

/* How many queries from `query` on, before `end`, are computed together. The groups never
 * depend on what is asked, so neither do the bits. */
static int group_size(int query, int end)
{
    int next = (query / MAX_BATCH + 1) * MAX_BATCH;
    return (next < end ? next : end) - query;
}

/* Not a power of two apart: see attention_step.c, whose scratch holds all this,
 * too. */
static void lay_out(struct work *w, int thread, struct arena *scratch)
{
    const struct decoder *d = w->l->d;
    w->ldq = ((size_t)d->d_head + 15) / 16 * 16;
    w->ld = (size_t)d->n_tiles * KEY_TILE + 16;
    *scratch = decoder_scratch(d, thread);
    w->q = arena_floats(scratch, MAX_BATCH * w->ldq);
    w->scores = arena_floats(scratch, MAX_BATCH * w->ld);
    if (d->query_cache->time_rows)
        w->times =
            d->query_cache->time_rows + (size_t)thread * MAX_BATCH * d->step.n_rows;
}

static void fetch_queries(struct work *w)
{
    const struct recompute *l = w->l;
    const struct decoder *d = l->d;
    const size_t n = (size_t)d->c.d_model, e = (size_t)d->d_head;
    const float *kept = query_cache_layer(d, l->h.kind, l->h.layer) +
                        (size_t)w->query * n + (size_t)l->h.head * e;
    for (size_t r = 0; r < (size_t)w->n; r++, kept += n) {
        memcpy(w->q + r * w->ldq, kept, e * sizeof *kept);
        d->k->scale(w->q + r * w->ldq, d->scale, d->d_head);
    }
}

static uint8_t *times_of(const struct work *w, int r)
{
    return w->times ? w->times + (size_t)r * w->l->d->step.n_rows : NULL;
}

/* Scores by content, and the products that distances are looked up in. */
static void begin(struct work *w, const struct recompute *l, int query, int n,
                  int thread)
{
    struct decoder *d = l->d;
    const int last = query + n - 1;
    struct arena scratch;
    *w = (struct work){.l = l, .query = query, .n = n};
    assert(n > 0 && n <= MAX_BATCH);
    lay_out(w, thread, &scratch);
    attention_visible(l->d, l->h, last, &w->first, &w->end);
    float *room =
        arena_floats(&scratch, MAX_BATCH * packed_vector_size(WEIGHTS_F32, d->d_head) /
                                   sizeof *room);
    relative_init(&w->relation, d, &l->m, &scratch, n, last);
    assert(scratch.n_bytes <= d->n_scratch * sizeof(float));
    fetch_queries(w);
    d->k->score_keys[d->cache](
        &(struct scoring){.scores = w->scores,
                          .ld = w->ld,
                          .q = w->q,
                          .ldq = w->ldq,
                          .keys = decoder_keys(d, &l->m, l->h.head, w->first),
                          .n_rows = n,
                          .n = w->end - w->first,
                          .d = d->d_head});
    relative_multiply_few(&w->relation, l->h.head, l->index_table, l->time_table, w->q,
                          (int)w->ldq, n, room);
    for (int r = 0; w->times && r < w->n; r++)
        relative_time_rows(w->l->d, times_of(w, r), &w->l->m, w->query + r, w->first,
                           w->end - w->first);
}

static void weigh_row(const struct work *w, int r, struct attention_row *row)
{
    const struct kernels *k = w->l->d->k;
    float *scores = w->scores + (size_t)r * w->ld;
    attention_visible(w->l->d, w->l->h, w->query + r, &row->first, &row->end);
    const int n = row->end - row->first;
    relative_add(&w->relation, r, w->query + r, row->first, n, times_of(w, r), scores);
    row->weights = scores;
    row->by = 1.0f / k->exp_sum(scores, n, k->highest(scores, n));
}

/* Of the last W tokens there is always one whose cosine is 1. */
void recompute_fixed_row(const struct decoder *d, int query, float *room,
                         struct attention_row *row)
{
    const int w = d->c.block;
    float sum = 0.0f;
    row->first = fourier_first(query, w);
    row->end = query + 1;
    for (int j = row->first; j < row->end; j++) {
        float weight = fabsf(d->circle[fourier_step(query, j, w)]);
        room[j - row->first] = weight;
        sum += weight;
    }
    row->weights = room;
    row->by = 1.0f / sum;
}

/* rows [n] = the weights of one group, which lie in the thread's scratch. */
static void recompute_rows(const struct recompute *l, int query, int n, int thread,
                           struct attention_row *rows)
{
    struct work w = {.l = l};
    struct arena scratch;
    if (attention_is_fixed(l->d)) {
        lay_out(&w, thread, &scratch);
        for (int r = 0; r < n; r++)
            recompute_fixed_row(l->d, query + r, w.scores + (size_t)r * w.ld, &rows[r]);
        return;
    }
    begin(&w, l, query, n, thread);
    for (int r = 0; r < n; r++)
        weigh_row(&w, r, &rows[r]);
}

static void fill(float *x, int n, float value)
{
    for (int i = 0; x && i < n; i++)
        x[i] = value;
}

static void fixed_scores(const struct recompute *l, int query, float *cosines,
                         float *sines)
{
    const int w = l->d->c.block;
    int first, end;
    attention_visible(l->d, l->h, query, &first, &end);
    fill(cosines, l->d->length, 0.0f);
    for (int j = first; j < end; j++) {
        int step = fourier_step(query, j, w);
        if (cosines)
            cosines[j] = l->d->circle[step];
        if (sines)
            sines[j] = -l->d->circle[w + step];
    }
}

enum model_status attention_scores(struct decoder *d, struct attention_head h,
                                   int query, float *content, float *index, float *time)
{
    const int n_keys = attention_n_keys(d, h);
    struct recompute l;
    struct work w;
    enum model_status st = recompute_init(&l, d, h, query, 1);
    if (st)
        return st;
    fill(content, n_keys, -INFINITY);
    fill(index, n_keys, 0.0f);
    fill(time, n_keys, 0.0f);
    if (attention_is_fixed(d)) {
        fixed_scores(&l, query, content, index);
        return MODEL_OK;
    }
    begin(&w, &l, query, 1, 0);
    const int n = w.end - w.first;
    struct relative_scores by_index = w.relation, by_time = w.relation;
    by_index.by_time = NULL;
    by_time.by_index = NULL;
    if (content)
        memcpy(content + w.first, w.scores, n * sizeof *content);
    if (index)
        relative_add(&by_index, 0, query, w.first, n, w.times, index + w.first);
    if (time)
        relative_add(&by_time, 0, query, w.first, n, w.times, time + w.first);
    return MODEL_OK;
}

/* The queries [from, end), a task for each group of them. */
struct rows_job {
    const struct recompute *l;
    int from, end;
    float *out;
    size_t ld;            /* rows of weights; of a column, 1 */
    int key_from, key_to; /* of a column */
};

/* Group i, weighed; how many rows it has, *query being the first. */
static int weigh_group(const struct rows_job *job, int i, int thread, int *query,
                       struct attention_row rows[MAX_BATCH])
{
    *query = i ? (job->from / MAX_BATCH + i) * MAX_BATCH : job->from;
    int n = group_size(*query, job->end);
    recompute_rows(job->l, *query, n, thread, rows);
    return n;
}

static void run_rows(struct rows_job *job, decoder_task *task)
{
    struct decoder *d = job->l->d;
    size_t n_products = (size_t)(job->end - job->from) *
                        attention_n_keys(d, job->l->h) * (size_t)d->d_head;
    const int n_groups = (job->end - 1) / MAX_BATCH - job->from / MAX_BATCH + 1;
    decoder_run_tasks(d, task, job, job->end > job->from ? n_groups : 0, n_products);
}

static void rows_task(void *arg, int i, int thread)
{
    const struct rows_job *job = arg;
    const struct decoder *d = job->l->d;
    const size_t n_keys = (size_t)attention_n_keys(d, job->l->h);
    struct attention_row rows[MAX_BATCH];
    int query, n = weigh_group(job, i, thread, &query, rows);
    for (int r = 0; r < n; r++) {
        float *to = job->out + (size_t)(query - job->from + r) * job->ld;
        int seen = rows[r].end - rows[r].first;
        memset(to, 0, n_keys * sizeof *to);
        memcpy(to + rows[r].first, rows[r].weights, seen * sizeof *to);
        d->k->scale(to + rows[r].first, rows[r].by, seen);
    }
}

enum model_status attention_rows(struct decoder *d, struct attention_head h, int from,
                                 int n_rows, float *weights, size_t ld)
{
    struct recompute l;
    enum model_status st = recompute_init(&l, d, h, from, n_rows);
    if (!st)
        run_rows(&(struct rows_job){&l, from, from + n_rows, weights, ld, 0, 0},
                 rows_task);
    return st;
}

static int between(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static void column_task(void *arg, int i, int thread)
{
    const struct rows_job *job = arg;
    struct attention_row rows[MAX_BATCH];
    int query, n = weigh_group(job, i, thread, &query, rows);
    for (int r = 0; r < n; r++) {
        const struct attention_row *row = &rows[r];
        int from = between(job->key_from, row->first, row->end),
            to = between(job->key_to, row->first, row->end);
        float sum = 0.0f;
        for (int key = from; key < to; key++)
            sum += row->weights[key - row->first] * row->by;
        job->out[query - job->from + r] = sum;
    }
}

enum model_status attention_column(struct decoder *d, struct attention_head h,
                                   int key_from, int key_to, int from, int n,
                                   float *mass)
{
    struct recompute l;
    enum model_status st = recompute_init(&l, d, h, from, n);
    if (!st && (key_from < 0 || key_from > key_to || key_to > attention_n_keys(d, h)))
        st = MODEL_NO_HEAD;
    if (!st)
        run_rows(&(struct rows_job){&l, from, from + n, mass, 1, key_from, key_to},
                 column_task);
    return st;
}

struct pool_job {
    const struct recompute *l;
    const int *row_edges, *column_edges;
    int n_columns;
    float *cells;
};

/* A row's weights go to the cells of its columns. Those of all keys are positive, so 0
 * is below them. */
static void raise_cells(const struct pool_job *job, const struct attention_row *row,
                        float *cells)
{
    const struct kernels *k = job->l->d->k;
    const int *edges = job->column_edges;
    for (int c = 0; c < job->n_columns && edges[c] < row->end; c++) {
        int from = between(edges[c], row->first, row->end),
            to = between(edges[c + 1], row->first, row->end);
        if (from >= to)
            continue;
        const float *weights = row->weights + (from - row->first);
        float high = to - from == 1 ? *weights : k->highest(weights, to - from);
        cells[c] = fmaxf(cells[c], high * row->by);
    }
}

static void pool_task(void *arg, int i, int thread)
{
    const struct pool_job *job = arg;
    const int end = job->row_edges[i + 1];
    float *cells = job->cells + (size_t)i * job->n_columns;
    struct attention_row rows[MAX_BATCH];
    memset(cells, 0, job->n_columns * sizeof *cells);
    for (int query = job->row_edges[i], n; query < end; query += n) {
        n = group_size(query, end);
        recompute_rows(job->l, query, n, thread, rows);
        for (int r = 0; r < n; r++)
            raise_cells(job, &rows[r], cells);
    }
}

static bool are_edges(const int *edges, int n, int end)
{
    for (int i = 0; i < n; i++)
        if (edges[i] > edges[i + 1])
            return false;
    return edges[0] >= 0 && edges[n] <= end;
}

enum model_status attention_pool(struct decoder *d, struct attention_head h,
                                 const int *row_edges, int n_rows,
                                 const int *column_edges, int n_columns, float *cells)
{
    struct recompute l;
    if (!are_edges(row_edges, n_rows, d->length) ||
        !are_edges(column_edges, n_columns, attention_n_keys(d, h)))
        return MODEL_NO_HEAD;
    enum model_status st =
        recompute_init(&l, d, h, row_edges[0], row_edges[n_rows] - row_edges[0]);
    if (!st)
        pool_run(d->pool, pool_task,
                 &(struct pool_job){&l, row_edges, column_edges, n_columns, cells},
                 n_rows);
    return st;
}
