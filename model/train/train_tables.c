/* Lookup tables: which state rows each token has, and the gradients of the tables,
 * which are sums of rows of the batch. A task takes some columns of all rows, in order.
 * So no two tasks add to the same number, and threads do not affect the sums. */
#include "model/kernels/kernels.h"
#include "model/train/train_internal.h"

#include <assert.h>
#include <string.h>

enum { COLUMNS = 64 }; /* of a table, for one task */

size_t trainer_state_size(const struct trainer *t)
{
    return (t->kind->size + 63) / 64 * 64;
}

/* One sequence of the batch, from its first token on. */
static void state_task(void *arg, int sequence, int thread)
{
    const struct trainer *t = arg;
    const int length = t->options.length;
    void *state = t->states + (size_t)thread * trainer_state_size(t);
    size_t row = (size_t)sequence * (size_t)length;
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
    const struct kernels *k = kernels_best();
    if (!t->kind)
        return;
    const uint16_t *rows = t->state_rows + (size_t)row * MODEL_STATE_MOST;
    for (int i = 0; i < t->n_state_rows[row]; i++)
        k->add(x, t->at.state + rows[i] * d, (int)d);
}

void trainer_add_values(const struct trainer *t, int layer, float *qkv, size_t from,
                        int rows)
{
    const float *table = t->at.layers[layer].value_embedding;
    const size_t d = (size_t)t->config.d_model;
    const struct kernels *k = kernels_best();
    for (size_t r = 0; table && r < (size_t)rows; r++)
        k->add(qkv + (3 * r + 2) * d, table + (size_t)t->pass.tokens[from + r] * d,
               (int)d);
}

struct scatter {
    const struct trainer *t;
    int layer;
    const struct kernels *k;
};

static int n_parts(const struct trainer *t)
{
    return (t->config.d_model + COLUMNS - 1) / COLUMNS;
}

static int part_width(const struct trainer *t, int part)
{
    int left = t->config.d_model - part * COLUMNS;
    return left < COLUMNS ? left : COLUMNS;
}

static void values_task(void *arg, int part, int thread)
{
    const struct scatter *s = arg;
    const struct trainer *t = s->t;
    const size_t d = (size_t)t->config.d_model, first = (size_t)part * COLUMNS;
    const int n = part_width(t, part), rows = trainer_n_rows(t);
    const float *dv = t->deltas.qkv + 2 * d + first;
    float *to = trainer_gradient_of(t, t->at.layers[s->layer].value_embedding) + first;
    (void)thread;
    for (int i = 0; i < t->config.vocab; i++)
        memset(to + (size_t)i * d, 0, (size_t)n * sizeof *to);
    for (int r = 0; r < rows; r++, dv += 3 * d)
        s->k->add(to + (size_t)t->pass.tokens[r] * d, dv, n);
}

void trainer_values_backward(struct trainer *t, int layer)
{
    struct scatter s = {t, layer, kernels_best()};
    if (t->at.layers[layer].value_embedding)
        pool_run(t->pool, values_task, &s, n_parts(t));
}

static void add_state_gradient(const struct scatter *s, float *to, const float *from,
                               int row, int n)
{
    const struct trainer *t = s->t;
    const uint16_t *rows = t->state_rows + (size_t)row * MODEL_STATE_MOST;
    for (int i = 0; i < t->n_state_rows[row]; i++)
        s->k->add(to + rows[i] * (size_t)t->config.d_model, from, n);
}

/* Some columns of the gradients of everything added to the embeddings. */
static void embed_task(void *arg, int part, int thread)
{
    const struct scatter *s = arg;
    const struct trainer *t = s->t;
    const size_t d = (size_t)t->config.d_model, first = (size_t)part * COLUMNS;
    const int n = part_width(t, part), rows = trainer_n_rows(t);
    const float *from = t->deltas.stream + first;
    float *token = trainer_gradient_of(t, t->at.token) + first;
    float *place =
        t->at.position ? trainer_gradient_of(t, t->at.position) + first : NULL;
    float *state = t->kind ? trainer_gradient_of(t, t->at.state) + first : NULL;
    (void)thread;
    for (int r = 0; r < rows; r++, from += d) {
        if (t->pass.tokens[r] < 0)
            continue;
        s->k->add(token + (size_t)t->pass.tokens[r] * d, from, n);
        if (place)
            s->k->add(place + (size_t)(r % t->options.length) * d, from, n);
        if (state)
            add_state_gradient(s, state, from, r, n);
    }
}

void trainer_embed_backward(struct trainer *t)
{
    struct scatter s = {.t = t, .k = kernels_best()};
    float *stream = t->deltas.stream;
    t->kernels->drop(stream, stream, (size_t)trainer_n_rows(t) * t->config.d_model,
                     trainer_dropout(t, 0), 0);
    pool_run(t->pool, embed_task, &s, n_parts(t));
}
