/* See attention_probe.h. Queries are stored beside the key-value cache. Attention is
 * computed again from them and the cache's keys by the functions of a step, so it has the
 * bits of a step's weights.
 *
 * A question visits rows of weights, one query after another. The pool divides it into
 * groups of queries, so at any time each thread has the weights of one group. */
#include "model/decoder/attention_probe.h"
#include "model/decoder/decoder_internal.h"
#include "model/kernels/fourier.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

/* -- Heads -- */

bool attention_is_fixed(const struct decoder *d)
{
    return d->c.mixing == MIXING_FOURIER;
}

static bool is_place(const struct decoder *d, struct attention_head h)
{
    return h.layer >= 0 && h.layer < d->c.n_layers && h.head >= 0 &&
           h.head < d->c.n_heads;
}

static bool has_heads(const struct decoder *d, enum attention_kind kind)
{
    return kind == ATTENTION_SELF
               ? !attention_is_fixed(d)
               : kind == ATTENTION_CROSS && d->c.n_encoder_layers > 0;
}

int attention_n_keys(const struct decoder *d, struct attention_head h)
{
    return !is_place(d, h)             ? 0
           : h.kind == ATTENTION_SELF  ? d->length
           : h.kind == ATTENTION_CROSS ? d->source.length
                                       : 0;
}

void attention_visible(const struct decoder *d, struct attention_head h, int query,
                       int *first, int *end)
{
    *first = 0;
    *end = attention_n_keys(d, h);
    if (h.kind == ATTENTION_CROSS || query >= *end)
        return;
    *first = attention_is_fixed(d) ? fourier_first(query, d->c.block)
                                   : position_first_key(d->c.block, query);
    *end = query + 1;
}

enum model_status decoder_mute_heads(struct decoder *d,
                                     const struct attention_head *heads, size_t n)
{
    const size_t all = 2 * (size_t)d->c.n_layers * (size_t)d->c.n_heads;
    memset(d->muted, 0, all * sizeof *d->muted);
    for (size_t i = 0; i < n; i++) {
        const struct attention_head h = heads[i];
        if (!has_heads(d, h.kind) || !is_place(d, h)) {
            memset(d->muted, 0, all * sizeof *d->muted);
            return MODEL_NO_HEAD;
        }
        decoder_muting(d, h.kind == ATTENTION_CROSS, h.layer)[h.head] = true;
    }
    return MODEL_OK;
}

/* One query's weights for the keys that it sees, [first, end). Multiplied by `by` they
 * sum to one. */
struct attention_row {
    int first, end;
    const float *weights; /* [end - first] */
    float by;
};

/* -- Storing queries -- */

/* One memory mapping of n_bytes, which begins with this struct. Pages that no token
 * reaches are never touched. */
struct query_cache {
    size_t n_bytes;
    /* [context] the stamp of the call that stored a token's queries (decoder_copy.c).
     * They are valid if it equals the token's stamp in the decoder. */
    uint64_t *stamps;
    float *queries[2];  /* by kind: [layer][context][d_model], rotated; or NULL */
    uint8_t *time_rows; /* [n_threads][MAX_BATCH][step.n_rows] */
};

/* The queries of a layer for the tokens from a position on, [d_model] each. */
static float *queries_at(const struct decoder *d, enum attention_kind kind, int layer,
                         int position)
{
    return d->query_cache->queries[kind] +
           ((size_t)layer * d->c.context + (size_t)position) * d->c.d_model;
}

/* Points the parts of w into a block, behind room for w itself. Returns the bytes. */
static size_t lay_out(const struct decoder *d, void *block, struct query_cache *w)
{
    const size_t context = (size_t)d->c.context;
    const size_t n = (size_t)d->c.n_layers * context * d->c.d_model;
    struct arena at = {.block = block};
    arena_bytes(&at, sizeof *w);
    w->stamps = arena_bytes(&at, context * sizeof *w->stamps);
    for (int kind = 0; kind < 2; kind++)
        w->queries[kind] =
            has_heads(d, (enum attention_kind)kind) ? arena_floats(&at, n) : NULL;
    if (d->c.time == TIME_BUCKETS)
        w->time_rows = arena_bytes(&at, (size_t)pool_n_threads(d->pool) * MAX_BATCH *
                                            d->step.n_rows);
    return at.n_bytes;
}

enum model_status decoder_keep_queries(struct decoder *d, bool on)
{
    struct query_cache w = {0};
    if (on == (d->query_cache != NULL))
        return MODEL_OK;
    if (!on) {
        munmap(d->query_cache, d->query_cache->n_bytes);
        d->query_cache = NULL;
        return MODEL_OK;
    }
    w.n_bytes = lay_out(d, NULL, &w);
    void *block = mmap(NULL, w.n_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return MODEL_NO_MEMORY;
    lay_out(d, block, &w);
    d->query_cache = block;
    *d->query_cache = w;
    return MODEL_OK;
}

void decoder_expect_queries(struct decoder *d, uint64_t stamp, int n)
{
    for (int i = 0; d->query_cache && i < n; i++)
        d->query_cache->stamps[d->length + i] = stamp;
}

void decoder_keep_query(struct decoder *d, enum attention_kind kind, int layer,
                        int position, int head, int n_heads, const float *q, int ld,
                        int rows)
{
    const size_t e = (size_t)d->d_head;
    for (int r = 0; d->query_cache && r < rows; r++)
        memcpy(queries_at(d, kind, layer, position + r) + head * e,
               q + (ptrdiff_t)r * ld, n_heads * e * sizeof *q);
}

void decoder_copy_queries(struct decoder *to, const struct decoder *from, int n)
{
    int at = 0;
    if (!to->query_cache || !from->query_cache || to == from)
        return;
    while (at < n && to->query_cache->stamps[at] == to->stamps[at])
        at++;
    for (int kind = ATTENTION_SELF; kind <= ATTENTION_CROSS; kind++)
        for (int i = 0; to->query_cache->queries[kind] && i < to->c.n_layers; i++)
            memcpy(queries_at(to, (enum attention_kind)kind, i, at),
                   queries_at(from, (enum attention_kind)kind, i, at),
                   (size_t)(n - at) * to->c.d_model * sizeof(float));
    memcpy(to->query_cache->stamps + at, from->query_cache->stamps + at,
           (n - at) * sizeof *to->query_cache->stamps);
}

/* -- Visiting rows -- */

/* A question to one head: which of its queries are asked for, and which function looks at
 * their rows. */
struct question {
    struct decoder *d;
    struct attention_head h;
    struct kv_view m; /* unused with Fourier mixing */
    const struct packed *index_table, *time_table;
    /* `look` is called for each query of [from, end). A task is one group of MAX_BATCH
     * queries or, if there are edges [n_tasks + 1], the queries between two edges. */
    void (*look)(const struct question *q, int task, int query,
                 const struct attention_row *row);
    int from, end, n_tasks;
    const int *edges;
    /* For `look`: */
    float *out;
    size_t ld;
    const int *columns;
    int n_columns;
};

/* Begins a question about the queries of n tokens from `from` on. */
static enum model_status question_init(struct question *q, struct decoder *d,
                                       struct attention_head h, int from, int n)
{
    const bool past = h.kind == ATTENTION_SELF,
               is_there = past || (h.kind == ATTENTION_CROSS && d->source.length > 0);
    *q = (struct question){.d = d, .h = h, .from = from};
    if (!is_there || !is_place(d, h) || from < 0 || n < 0 || from > d->length - n)
        return MODEL_NO_HEAD;
    q->end = from + n;
    if (!d->query_cache)
        return MODEL_NO_QUERIES;
    for (int i = from; i < q->end; i++)
        if (d->query_cache->stamps[i] != d->stamps[i])
            return MODEL_NO_QUERIES;
    if (attention_is_fixed(d))
        return MODEL_OK;
    const struct packed_layer *w = &d->packed->layers[h.layer];
    q->m =
        past ? kv_view_of_past(d, h.layer, d->length) : kv_view_of_source(d, h.layer);
    q->index_table = past ? w->relative_key : NULL;
    q->time_table = past ? w->time_key : w->cross_time_key;
    return MODEL_OK;
}

/* A block of local attention consists of whole groups, since MODEL_LOCAL_BLOCK does. */
_Static_assert((int)MODEL_LOCAL_BLOCK % (int)MAX_BATCH == 0,
               "groups see from one key on");

/* How many queries from `query` on, before `end`, are computed together. Groups begin at
 * fixed positions whatever is asked, so the bits do not depend on the question. */
static int group_size(int query, int end)
{
    return least((query / MAX_BATCH + 1) * MAX_BATCH, end) - query;
}

/* Computes the scores of n queries, in the thread's scratch. */
static void score_queries(struct head_rows *a, const struct question *q, int query,
                          int n, int thread)
{
    const struct decoder *d = q->d;
    const size_t n_rows = (size_t)d->step.n_rows;
    struct arena scratch = {(uint8_t *)decoder_scratch(d, thread), 0};
    uint8_t *times = d->query_cache->time_rows ? d->query_cache->time_rows +
                                                     (size_t)thread * MAX_BATCH * n_rows
                                               : NULL;
    int queries[MAX_BATCH] = {0};
    *a = (struct head_rows){.d = d,
                            .n = n,
                            .head = q->h.head,
                            .ldq = (size_t)d->d_head,
                            .time_rows = times ? times : d->step.time_rows};
    a->q = arena_floats(&scratch, MAX_BATCH * a->ldq);
    for (int r = 0; r < n; r++) {
        queries[r] = query + r;
        memcpy(a->q + (size_t)r * a->ldq,
               queries_at(d, q->h.kind, q->h.layer, query + r) +
                   (size_t)q->h.head * a->ldq,
               a->ldq * sizeof *a->q);
    }
    head_rows_init(a, &q->m, 0, queries, &scratch);
    a->n_shared = a->rows[0].n;
    head_rows_score(a, q->index_table, q->time_table);
    for (int r = 0; times && r < n; r++)
        relative_time_rows(d, times + (size_t)r * n_rows + a->rows[r].first, &q->m,
                           query + r, a->rows[r].first, a->rows[r].n);
}

/* The row of Fourier mixing, which depends on positions alone. room: a float for each
 * position up to the query's. The sum is never 0, because one of the last W tokens has
 * the cosine 1. */
static struct attention_row fixed_row(const struct decoder *d, int query, float *room)
{
    const int w = d->c.block;
    struct attention_row row = {fourier_first(query, w), query + 1, room, 0};
    float sum = 0.0f;
    for (int j = row.first; j < row.end; j++) {
        float weight = fabsf(d->circle[fourier_step(query, j, w)]);
        room[j - row.first] = weight;
        sum += weight;
    }
    row.by = 1.0f / sum;
    return row;
}

static void look_at_group(const struct question *q, int task, int query, int n,
                          int thread)
{
    struct head_rows a;
    struct attention_row row;
    if (!attention_is_fixed(q->d))
        score_queries(&a, q, query, n, thread);
    for (int r = 0; r < n; r++) {
        if (attention_is_fixed(q->d)) {
            row = fixed_row(q->d, query + r, decoder_scratch(q->d, thread));
        } else {
            head_rows_weigh(&a, r);
            const struct head_row *of = &a.rows[r];
            row = (struct attention_row){of->first, of->first + of->n,
                                         a.scores + (size_t)r * a.ld, 1.0f / of->sum};
        }
        q->look(q, task, query + r, &row);
    }
}

static void look_task(void *arg, int i, int thread)
{
    const struct question *q = arg;
    const int first = q->edges ? q->edges[i] : (q->from / MAX_BATCH + i) * MAX_BATCH,
              end = q->edges ? q->edges[i + 1] : q->end;
    for (int query = first < q->from ? q->from : first, n; query < end; query += n) {
        n = group_size(query, end);
        look_at_group(q, i, query, n, thread);
        if (!q->edges)
            return;
    }
}

static enum model_status visit_rows(struct question *q)
{
    const size_t n = (size_t)(q->end - q->from);
    if (!q->edges && n)
        q->n_tasks = (q->end - 1) / MAX_BATCH - q->from / MAX_BATCH + 1;
    decoder_run_tasks(q->d, look_task, q, q->n_tasks,
                      n * attention_n_keys(q->d, q->h) * (size_t)q->d->d_head);
    return MODEL_OK;
}

static void copy_row(const struct question *q, int task, int query,
                     const struct attention_row *row)
{
    float *out = q->out + (size_t)(query - q->from) * q->ld;
    const int n = row->end - row->first;
    (void)task;
    memset(out, 0, attention_n_keys(q->d, q->h) * sizeof *out);
    memcpy(out + row->first, row->weights, n * sizeof *out);
    q->d->k->scale(out + row->first, row->by, n);
}

enum model_status attention_rows(struct decoder *d, struct attention_head h, int from,
                                 int n_rows, float *weights, size_t ld)
{
    struct question q;
    enum model_status st = question_init(&q, d, h, from, n_rows);
    q.look = copy_row;
    q.out = weights;
    q.ld = ld;
    return st ? st : visit_rows(&q);
}

/* The weights of the keys of column c that the row sees; *n is their number. */
static const float *seen_column(const struct question *q,
                                const struct attention_row *row, int c, int *n)
{
    const int *edges = q->columns + c;
    const int from = edges[0] > row->first ? edges[0] : row->first,
              to = edges[1] < row->end ? edges[1] : row->end;
    *n = to > from ? to - from : 0;
    return row->weights + (from - row->first);
}

static void sum_column(const struct question *q, int task, int query,
                       const struct attention_row *row)
{
    int n;
    const float *weights = seen_column(q, row, 0, &n);
    float sum = 0.0f;
    (void)task;
    for (int i = 0; i < n; i++)
        sum += weights[i] * row->by;
    q->out[query - q->from] = sum;
}

enum model_status attention_column(struct decoder *d, struct attention_head h,
                                   int key_from, int key_to, int from, int n,
                                   float *mass)
{
    const int columns[] = {key_from, key_to};
    struct question q;
    enum model_status st = question_init(&q, d, h, from, n);
    if (!st && (key_from < 0 || key_from > key_to || key_to > attention_n_keys(d, h)))
        st = MODEL_NO_HEAD;
    q.look = sum_column;
    q.out = mass;
    q.columns = columns;
    return st ? st : visit_rows(&q);
}

/* Raises the cells of the row's columns to its largest weights. No weight is negative, so
 * cells start at 0. */
static void raise_cells(const struct question *q, int task, int query,
                        const struct attention_row *row)
{
    float *cells = q->out + (size_t)task * q->n_columns;
    (void)query;
    for (int c = 0, n; c < q->n_columns && q->columns[c] < row->end; c++) {
        const float *weights = seen_column(q, row, c, &n);
        if (n)
            cells[c] = fmaxf(cells[c], q->d->k->highest(weights, n) * row->by);
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
    struct question q;
    if (!are_edges(row_edges, n_rows, d->length) ||
        !are_edges(column_edges, n_columns, attention_n_keys(d, h)))
        return MODEL_NO_HEAD;
    enum model_status st =
        question_init(&q, d, h, row_edges[0], row_edges[n_rows] - row_edges[0]);
    if (st)
        return st;
    memset(cells, 0, (size_t)n_rows * n_columns * sizeof *cells);
    q.look = raise_cells;
    q.out = cells;
    q.edges = row_edges;
    q.n_tasks = n_rows;
    q.columns = column_edges;
    q.n_columns = n_columns;
    return visit_rows(&q);
}

static void fill(float *x, int n, float value)
{
    for (int i = 0; x && i < n; i++)
        x[i] = value;
}

static void fixed_scores(const struct decoder *d, int query, float *cosines,
                         float *sines)
{
    const int w = d->c.block;
    fill(cosines, d->length, 0.0f);
    for (int j = fourier_first(query, w); j <= query; j++) {
        int step = fourier_step(query, j, w);
        if (cosines)
            cosines[j] = d->circle[step];
        if (sines)
            sines[j] = -d->circle[w + step];
    }
}

enum model_status attention_scores(struct decoder *d, struct attention_head h,
                                   int query, float *content, float *index, float *time)
{
    const int n_keys = attention_n_keys(d, h);
    struct question q;
    struct head_rows a;
    enum model_status st = question_init(&q, d, h, query, 1);
    if (st)
        return st;
    fill(content, n_keys, -INFINITY);
    fill(index, n_keys, 0.0f);
    fill(time, n_keys, 0.0f);
    if (attention_is_fixed(d)) {
        fixed_scores(d, query, content, index);
        return MODEL_OK;
    }
    score_queries(&a, &q, query, 1, 0);
    const int first = a.rows[0].first, n = a.rows[0].n;
    struct relative_scores by_index = a.relation, by_time = a.relation;
    by_index.by_time = NULL;
    by_time.by_index = NULL;
    if (content)
        memcpy(content + first, a.scores, n * sizeof *content);
    if (index)
        relative_add(&by_index, 0, query, first, n, NULL, index + first);
    if (time)
        relative_add(&by_time, 0, query, first, n, a.time_rows + first, time + first);
    return MODEL_OK;
}
