/* Questions about attention, shared out over the pool by groups of rows. Of the whole
 * there are never more weights at once than a group for each thread. See attention_probe.h. */
#include "model/decoder/attention_probe.h"
#include "model/decoder/attention_recompute.h"
#include "model/decoder/decoder_step.h"
#include "model/kernels/fourier.h"

#include <math.h>
#include <string.h>

bool attention_is_fixed(const struct decoder *d)
{
    return d->c.mixing == MIXING_FOURIER;
}

int attention_n_keys(const struct decoder *d, struct attention_head h)
{
    if (h.layer < 0 || h.layer >= d->c.n_layers || h.head < 0 || h.head >= d->c.n_heads)
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

/* The queries [from, end), a task for each group of them. */
struct rows_job {
    const struct recompute *l;
    int from, end;
    float *out;
    size_t ld;            /* rows of weights; of a column, 1 */
    int key_from, key_to; /* of a column */
};

static int n_groups(const struct rows_job *job)
{
    if (job->end <= job->from)
        return 0;
    return (job->end - 1) / MAX_BATCH - job->from / MAX_BATCH + 1;
}

/* Group i, weighed; how many rows it has, *query being the first. */
static int weigh_group(const struct rows_job *job, int i, int thread, int *query,
                       struct attention_row rows[MAX_BATCH])
{
    *query = i ? (job->from / MAX_BATCH + i) * MAX_BATCH : job->from;
    int n = recompute_group(*query, job->end);
    recompute_rows(job->l, *query, n, thread, rows);
    return n;
}

static void run_rows(struct rows_job *job, decoder_task *task)
{
    struct decoder *d = job->l->d;
    size_t n_products = (size_t)(job->end - job->from) *
                        (size_t)attention_n_keys(d, job->l->h) * (size_t)d->d_head;
    decoder_run_tasks(d, task, job, n_groups(job), n_products);
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
        memcpy(to + rows[r].first, rows[r].weights, (size_t)seen * sizeof *to);
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

enum model_status attention_scores(struct decoder *d, struct attention_head h,
                                   int query, float *content, float *index, float *time)
{
    struct recompute l;
    enum model_status st = recompute_init(&l, d, h, query, 1);
    if (!st)
        recompute_scores(&l, query, content, index, time);
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
    float *cells = job->cells + (size_t)i * (size_t)job->n_columns;
    struct attention_row rows[MAX_BATCH];
    memset(cells, 0, (size_t)job->n_columns * sizeof *cells);
    for (int query = job->row_edges[i], n; query < end; query += n) {
        n = recompute_group(query, end);
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
