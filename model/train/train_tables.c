/* Tables that are looked up: the rows of the state table for each token, and the
 * gradients of tables, which are sums of rows of the batch. A task takes some columns of
 * all rows, in order. So no two tasks add to the same number, and the sums do not depend
 * on the threads.
 *
 * At the end come the tables of distances (train_attention.c): the buckets of a pass, and
 * the gradients of a layer's tables, summed from the parts of its heads. */
#include "model/decoder/position.h"
#include "model/kernels/kernels.h"
#include "model/train/train_internal.h"

#include <assert.h>
#include <string.h>

enum { COLUMNS = 64 }; /* the columns of one task */

size_t trainer_state_size(const struct trainer *t)
{
    return whole_parts(t->kind->size, 64);
}

/* Computes the state after each token of one sequence. */
static void state_task(void *arg, int sequence, int thread)
{
    const struct trainer *t = arg;
    const int length = t->options.length;
    void *state = t->states + (size_t)thread * trainer_state_size(t);
    size_t row = (size_t)sequence * length;
    t->kind->start(state);
    for (int i = 0; i < length; i++, row++) {
        uint16_t *rows = t->state_rows + row * MODEL_STATE_MOST;
        int n = t->kind->next(state, t->pass.tokens[row], rows);
        assert(n >= 0 && n <= MODEL_STATE_MOST);
        for (int k = 0; k < n; k++)
            assert(rows[k] < t->config.state);
        t->n_state_rows[row] = (uint8_t)n;
    }
}

void trainer_find_state(struct trainer *t)
{
    if (t->kind)
        pool_run(t->pool, state_task, t, t->options.batch);
}

void trainer_add_state(const struct trainer *t, float *x, int row)
{
    const size_t d = (size_t)t->config.d_model;
    if (!t->kind)
        return;
    const uint16_t *rows = t->state_rows + (size_t)row * MODEL_STATE_MOST;
    for (int i = 0; i < t->n_state_rows[row]; i++)
        t->k->add(x, t->at.state + rows[i] * d, (int)d);
}

void trainer_add_values(const struct trainer *t, int layer, float *qkv, size_t from,
                        int rows)
{
    const float *table = t->at.layers[layer].value_embedding;
    const size_t d = (size_t)t->config.d_model;
    for (size_t r = 0; table && r < (size_t)rows; r++)
        t->k->add(qkv + (3 * r + 2) * d, table + (size_t)t->pass.tokens[from + r] * d,
                  (int)d);
}

/* Some columns of the gradients of a layer's value embeddings. */
static void values_task(void *arg, int part, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const size_t d = (size_t)t->config.d_model, first = (size_t)part * COLUMNS;
    const int n = part_size((int)d, COLUMNS, part), rows = trainer_n_rows(t);
    const float *dv = t->deltas.attention[BRANCH_MIX].q + 2 * d + first;
    float *to =
        trainer_gradient_of(t, t->at.layers[job->layer].value_embedding) + first;
    (void)thread;
    for (int i = 0; i < t->config.vocab; i++)
        memset(to + (size_t)i * d, 0, n * sizeof *to);
    for (int r = 0; r < rows; r++, dv += 3 * d)
        t->k->add(to + (size_t)t->pass.tokens[r] * d, dv, n);
}

void trainer_values_backward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    if (t->at.layers[layer].value_embedding)
        pool_run(t->pool, values_task, &job, n_parts(t->config.d_model, COLUMNS));
}

/* Some columns of the gradients of all tables that are added to the embedding. */
static void embed_task(void *arg, int part, int thread)
{
    const struct trainer *t = arg;
    const size_t d = (size_t)t->config.d_model, first = (size_t)part * COLUMNS;
    const int n = part_size((int)d, COLUMNS, part), rows = trainer_n_rows(t);
    const float *from = t->deltas.stream + first;
    float *token = trainer_gradient_of(t, t->at.token) + first;
    float *place =
        t->at.position ? trainer_gradient_of(t, t->at.position) + first : NULL;
    float *state = t->kind ? trainer_gradient_of(t, t->at.state) + first : NULL;
    (void)thread;
    for (int r = 0; r < rows; r++, from += d) {
        if (t->pass.tokens[r] < 0)
            continue;
        t->k->add(token + (size_t)t->pass.tokens[r] * d, from, n);
        if (place)
            t->k->add(place + (size_t)(r % t->options.length) * d, from, n);
        for (int i = 0; state && i < t->n_state_rows[r]; i++)
            t->k->add(state + t->state_rows[(size_t)r * MODEL_STATE_MOST + i] * d, from,
                      n);
    }
}

void trainer_embed_backward(struct trainer *t)
{
    float *stream = t->deltas.stream;
    t->k->drop(stream, stream, (size_t)trainer_n_rows(t) * t->config.d_model,
               trainer_dropout(t, 0), 0);
    pool_run(t->pool, embed_task, t, n_parts(t->config.d_model, COLUMNS));
}

/* Finds the buckets of a block's rows with the keys of their sequence: the rows
 * themselves or, in cross-attention, those of the source. */
static void buckets_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t, *keys = job->which ? t->encoder : t;
    const uint8_t *rows = position_time_rows();
    const int n = keys->options.length;
    const int from = block * BLOCK_ROWS, to = from + trainer_block_rows(t, block);
    (void)thread;
    for (int row = from; row < to; row++) {
        const int first = row / t->options.length * n;
        const int last = keys->both_ways ? first + n - 1 : row;
        const int64_t now = trainer_time(t, row);
        uint8_t *bucket =
            (job->which ? t->cross_buckets : t->buckets) + (size_t)row * n;
        for (int key = first; key <= last; key++)
            bucket[key - first] =
                (uint8_t)position_time_row(rows, now - trainer_time(keys, key));
    }
}

/* The least bucket of a sequence. If no key's time is later than its query's, only the
 * buckets from difference 0 on can occur. */
static int find_first_bucket(const struct trainer *t, int sequence)
{
    const int first = sequence * t->options.length;
    if (t->both_ways)
        return 0;
    for (int i = 1; i < t->options.length; i++)
        if (trainer_time(t, first + i) < trainer_time(t, first + i - 1))
            return 0;
    return position_time_row(position_time_rows(), 0);
}

void relative_find_buckets(struct trainer *t)
{
    struct layer_job job = {.t = t};
    if (!t->buckets)
        return;
    for (int i = 0; i < t->options.batch; i++)
        t->first_bucket[i] = find_first_bucket(t, i);
    pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
    job.which = BRANCH_CROSS;
    if (t->cross_buckets)
        pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
}

int trainer_n_distances(const struct trainer *t)
{
    int max_distance = t->config.max_distance;
    return max_distance && t->both_ways ? 2 * max_distance - 1 : max_distance;
}

struct sum_job {
    const struct trainer *t;
    float *gradient;
    size_t at, n;
    int n_tables;
};

/* The gradient of table i: the sum of the parts of all heads, or of one head of each
 * sequence. */
static void sum_task(void *arg, int i, int thread)
{
    const struct sum_job *job = arg;
    const struct trainer *t = job->t;
    float *gradient = job->gradient + (size_t)i * job->n;
    (void)thread;
    memset(gradient, 0, job->n * sizeof *gradient);
    for (int head = i; head < t->options.batch * t->config.n_heads;
         head += job->n_tables) {
        const float *part = t->relative_parts + (size_t)head * t->n_relative + job->at;
        for (size_t j = 0; j < job->n; j++)
            gradient[j] += part[j];
    }
}

/* Sums the gradients of n_tables tables of n floats, whose parts begin at `at`. tables
 * NULL: there are none. */
static void sum_parts(const struct trainer *t, const float *tables, size_t at, size_t n,
                      int n_tables)
{
    if (!tables)
        return;
    struct sum_job job = {t, trainer_gradient_of(t, tables), at, n, n_tables};
    pool_run(t->pool, sum_task, &job, n_tables);
}

void relative_gradients(struct trainer *t, int layer, int which)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const int heads = t->config.n_heads,
              tables = t->config.relative == RELATIVE_MUSIC ? heads : 1;
    size_t e = (size_t)t->config.d_model / (size_t)heads;
    size_t n = (size_t)trainer_n_distances(t) * e, buckets = MODEL_TIME_BUCKETS * e;
    if (which == BRANCH_CROSS) {
        sum_parts(t, w->cross_time_key, 0, buckets, heads);
        return;
    }
    sum_parts(t, w->relative_key, 0, n, tables);
    sum_parts(t, w->relative_value, n, n, 1);
    sum_parts(t, w->time_key, t->n_relative - buckets, buckets, heads);
}
