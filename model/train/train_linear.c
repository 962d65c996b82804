/* Linear layers. The pool always divides the work at the same points, so a sum does not
 * depend on the thread that computes it. */
#include "model/train/train_internal.h"

#include <string.h>

enum { PACKED_COLUMNS = 4 * PRODUCT_COLUMNS }; /* by one task */

static int n_pack_tasks(const struct linear_weight *w)
{
    return (w->columns + PACKED_COLUMNS - 1) / PACKED_COLUMNS;
}

static void pack_task(void *arg, int i, int thread)
{
    const struct trainer *t = arg;
    const struct linear_weight *w = t->packed;
    (void)thread;
    for (; i >= n_pack_tasks(w); w++)
        i -= n_pack_tasks(w);
    const int from = i * PACKED_COLUMNS, left = w->columns - from;
    t->products->pack(w->panels + (size_t)from * product_words(t->products, w->k),
                      w->w + (w->forward ? (size_t)from * w->n_in : (size_t)from),
                      w->n_in, w->forward,
                      left < PACKED_COLUMNS ? left : PACKED_COLUMNS, w->k);
}

/* Packs those that the model has. */
static void pack(struct trainer *t, const struct linear_weight *weights, int n,
                 bool forward)
{
    uint32_t *panels = t->packed_panels;
    int tasks = 0;
    t->n_packed = 0;
    if (!t->products->pack)
        return;
    for (int i = 0; i < n; i++) {
        struct linear_weight *w = &t->packed[t->n_packed];
        if (!weights[i].w)
            continue;
        *w = weights[i];
        w->panels = panels;
        w->columns = forward ? w->n_out : w->n_in;
        w->k = forward ? w->n_in : w->n_out;
        w->forward = forward;
        panels += product_packed(t->products, w->columns, w->k);
        tasks += n_pack_tasks(w);
        t->n_packed++;
    }
    pool_run(t->pool, pack_task, t, tasks);
}

void linear_pack_layer(struct trainer *t, int layer, bool forward)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const int d = t->config.d_model, ff = t->config.d_ff;
    const struct linear_weight all[] = {
        {.w = w->qkv_w, .n_in = d, .n_out = 3 * d},
        {.w = w->qkv_w ? NULL : t->waves, .n_in = d, .n_out = 2 * d},
        {.w = w->out_w, .n_in = d, .n_out = d},
        {.w = w->ff1_w, .n_in = d, .n_out = ff},
        {.w = w->ff2_w, .n_in = ff, .n_out = d},
        {.w = w->cross_q_w, .n_in = d, .n_out = d},
        {.w = w->cross_kv_w, .n_in = d, .n_out = 2 * d},
        {.w = w->cross_out_w, .n_in = d, .n_out = d},
    };
    pack(t, all, sizeof all / sizeof *all, forward);
}

void linear_pack_head(struct trainer *t, bool forward)
{
    const struct linear_weight head = {
        .w = t->at.head, .n_in = t->config.d_model, .n_out = t->config.vocab};
    pack(t, &head, 1, forward);
}

/* Rounded up to whole panels in either direction, with one value a word. */
size_t linear_n_packed(const struct trainer *t)
{
    const size_t d = (size_t)t->config.d_model + PRODUCT_COLUMNS,
                 ff = (size_t)t->config.d_ff + PRODUCT_COLUMNS,
                 vocab = (size_t)t->config.vocab + PRODUCT_COLUMNS;
    const size_t layer = d * (4 * d + 2 * ff + (t->encoder ? 4 * d : 0));
    return layer > d * vocab ? layer : d * vocab;
}

/* The panels of w if it is packed, or NULL. */
static const uint32_t *panels_of(const struct trainer *t, const float *w)
{
    for (int i = 0; i < t->n_packed; i++)
        if (t->packed[i].w == w)
            return t->packed[i].panels;
    return NULL;
}

/* Whether the products leave out zeros that ReLU makes. */
static bool leaves_out_zeros(const struct trainer *t)
{
    return t->products->leaves_out_zeros && t->config.activation == ACTIVATION_RELU;
}

size_t linear_n_turned(const struct trainer *t)
{
    const size_t block = (size_t)t->products->block;
    return leaves_out_zeros(t) ? block * block : 0;
}

/* Whether rows of n values are hidden ones after ReLU, or their gradients, and that pays. (Of
 * other rows as long the product asks in vain.) */
static bool is_sparse(const struct trainer *t, int n)
{
    return leaves_out_zeros(t) && n == t->config.d_ff;
}

void linear_forward(const struct block *b, float *y, int ld_y, const float *x,
                    const float *w, const float *bias, int n_in, int n_out)
{
    const struct product_set *set = b->t->products;
    for (int r = 0; bias && !set->adds_bias && r < b->rows; r++)
        memcpy(y + (size_t)r * ld_y, bias, n_out * sizeof *y);
    struct product p = product_of(b->rows, n_out, n_in, row_major(x, n_in),
                                  transposed(w, n_in), y, ld_y);
    p.beta = bias && !set->adds_bias ? 1.0f : 0.0f;
    p.bias = set->adds_bias ? bias : NULL;
    p.packed = panels_of(b->t, w);
    p.sparse = is_sparse(b->t, n_in);
    set->multiply(&p, b->t->scratch[b->thread].panels);
}

void linear_backward(const struct block *b, float *dx, const float *dy, int ld_dy,
                     const float *w, int n_in, int n_out)
{
    struct product p = product_of(b->rows, n_in, n_out, row_major(dy, ld_dy),
                                  row_major(w, n_in), dx, n_in);
    p.packed = panels_of(b->t, w);
    p.sparse = is_sparse(b->t, n_out);
    b->t->products->multiply(&p, b->t->scratch[b->thread].panels);
}

struct gradient_job {
    struct trainer *t;
    const struct linear_gradient *g;
};

static int n_blocks(const struct trainer *t, int n)
{
    return (n + t->products->block - 1) / t->products->block;
}

static int n_parts(const struct trainer *t, const struct linear_gradient *g)
{
    return g->w ? n_blocks(t, g->n_out) * n_blocks(t, g->n_in) : 0;
}

static int block_size(const struct trainer *t, int n, int from)
{
    return n - from < t->products->block ? n - from : t->products->block;
}

static void gradient_task(void *arg, int i, int thread)
{
    const struct gradient_job *job = arg;
    const struct trainer *t = job->t;
    const struct linear_gradient *g = job->g;
    for (; i >= n_parts(t, g); g++)
        i -= n_parts(t, g);
    const int across = n_blocks(t, g->n_in), row = i / across * t->products->block,
              column = i % across * t->products->block;
    const int n = block_size(t, g->n_out, row), m = block_size(t, g->n_in, column),
              rows = trainer_n_rows(t);
    const struct scratch *s = &t->scratch[thread];
    float *dw = trainer_gradient_of(t, g->w) + (size_t)row * g->n_in + column;
    struct matrix dy = transposed(g->dy + row, g->ld_dy),
                  x = row_major(g->x + column, g->n_in);
    struct product p = product_of(n, m, rows, dy, x, dw, g->n_in);
    p.sparse = is_sparse(t, g->n_out);
    if (is_sparse(t, g->n_in)) { /* x is the sparse one: its transpose goes first */
        dy.transposed = false;
        x.transposed = true;
        p = product_of(m, n, rows, x, dy, s->turned, n);
        p.sparse = true;
    }
    t->products->multiply(&p, s->panels);
    if (p.c != dw)
        transpose(dw, g->n_in, s->turned, n, m, n);
    if (g->b && !column)
        t->kernels->sum_columns(trainer_gradient_of(t, g->b) + row, g->dy + row,
                                g->ld_dy, rows, n);
}

void linear_gradients(struct trainer *t, const struct linear_gradient *g, int n)
{
    struct gradient_job job = {t, g};
    int tasks = 0;
    for (int i = 0; i < n; i++)
        tasks += n_parts(t, &g[i]);
    pool_run(t->pool, gradient_task, &job, tasks);
}
