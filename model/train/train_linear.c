/* Linear layers. The pool cuts the work, always in the same places, so a sum
 * never depends on who computes it. */
#include "model/train/train_internal.h"

#include <string.h>

enum { PANELS = 4 }; /* packed in one task */

struct pack_job {
    struct trainer *t;
    bool forward;
};

/* Forwards its rows are the columns of a product, backwards its columns are. */
static int n_columns(const struct linear_weight *w, bool forward)
{
    return forward ? w->n_out : w->n_in;
}

static int depth(const struct linear_weight *w, bool forward)
{
    return forward ? w->n_in : w->n_out;
}

static int n_pack_tasks(const struct linear_weight *w, bool forward)
{
    const int columns = PANELS * PRODUCT_COLUMNS;
    return (n_columns(w, forward) + columns - 1) / columns;
}

static void pack_task(void *arg, int i, int thread)
{
    const struct pack_job *job = arg;
    const struct product_set *set = job->t->products;
    const struct linear_weight *w = job->t->packed;
    (void)thread;
    for (; i >= n_pack_tasks(w, job->forward); w++)
        i -= n_pack_tasks(w, job->forward);
    const int most = PANELS * PRODUCT_COLUMNS, from = i * most;
    const int left = n_columns(w, job->forward) - from, k = depth(w, job->forward);
    set->pack(w->panels + (size_t)from * product_words(set, k),
              w->w + (job->forward ? (size_t)from * (size_t)w->n_in : (size_t)from),
              w->n_in, job->forward, left < most ? left : most, k);
}

void linear_pack(struct trainer *t, const struct linear_weight *weights, int n,
                 bool forward)
{
    struct pack_job job = {t, forward};
    uint32_t *panels = t->packed_panels;
    int tasks = 0;
    t->n_packed = 0;
    if (!t->products->pack)
        return;
    for (int i = 0; i < n; i++) {
        struct linear_weight *w = &t->packed[t->n_packed++];
        *w = weights[i];
        w->panels = panels;
        panels += product_packed(t->products, n_columns(w, forward), depth(w, forward));
        tasks += n_pack_tasks(w, forward);
    }
    pool_run(t->pool, pack_task, &job, tasks);
}

/* All matrices of a layer; how many. */
static int layer_matrices(const struct trainer *t, int layer, struct linear_weight *to)
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
    int n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].w)
            to[n++] = all[i];
    return n;
}

void linear_pack_layer(struct trainer *t, int layer, bool forward)
{
    struct linear_weight weights[MAX_PACKED];
    int n = layer_matrices(t, layer, weights);
    linear_pack(t, weights, n, forward);
}

void linear_pack_head(struct trainer *t, bool forward)
{
    const struct linear_weight head = {
        .w = t->at.head, .n_in = t->config.d_model, .n_out = t->config.vocab};
    linear_pack(t, &head, 1, forward);
}

/* Rounded up to whole panels either way, and words of one value. */
size_t linear_n_packed(const struct trainer *t)
{
    const size_t d = (size_t)t->config.d_model + PRODUCT_COLUMNS,
                 ff = (size_t)t->config.d_ff + PRODUCT_COLUMNS,
                 vocab = (size_t)t->config.vocab + PRODUCT_COLUMNS;
    const size_t layer = d * (4 * d + 2 * ff + (t->encoder ? 4 * d : 0));
    return layer > d * vocab ? layer : d * vocab;
}

/* The product reads panels of w, if it is packed. */
static void use_packed(const struct trainer *t, struct product *p, const float *w)
{
    for (int i = 0; i < t->n_packed; i++)
        if (t->packed[i].w == w) {
            p->packed = t->packed[i].panels;
            p->panel = product_words(t->products, p->k) * PRODUCT_COLUMNS;
        }
}

void linear_forward(const struct trainer *t, int thread, float *y, int ld_y,
                    const float *x, const float *w, const float *b, int rows, int n_in,
                    int n_out)
{
    const bool added = t->products->adds_bias;
    for (int r = 0; b && !added && r < rows; r++)
        memcpy(y + (size_t)r * ld_y, b, (size_t)n_out * sizeof *y);
    struct product p = {
        .m = rows,
        .n = n_out,
        .k = n_in,
        .alpha = 1.0f,
        .a = x,
        .ld_a = n_in,
        .b = w,
        .ld_b = n_in,
        .b_across = true,
        .beta = b && !added ? 1.0f : 0.0f,
        .c = y,
        .ld_c = ld_y,
        .bias = added ? b : NULL,
    };
    use_packed(t, &p, w);
    t->products->multiply(&p, t->scratch[thread].panels);
}

void linear_backward(const struct trainer *t, int thread, float *dx, const float *dy,
                     int ld_dy, const float *w, int rows, int n_in, int n_out)
{
    struct product p = {
        .m = rows,
        .n = n_in,
        .k = n_out,
        .alpha = 1.0f,
        .a = dy,
        .ld_a = ld_dy,
        .b = w,
        .ld_b = n_in,
        .c = dx,
        .ld_c = n_in,
    };
    use_packed(t, &p, w);
    t->products->multiply(&p, t->scratch[thread].panels);
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
    return n_blocks(t, g->n_out) * n_blocks(t, g->n_in);
}

static int block_size(const struct trainer *t, int n, int from)
{
    return n - from < t->products->block ? n - from : t->products->block;
}

static void gradient_part(struct trainer *t, const struct linear_gradient *g, int part,
                          int thread)
{
    const int across = n_blocks(t, g->n_in), row = part / across * t->products->block,
              column = part % across * t->products->block;
    int n = block_size(t, g->n_out, row), rows = trainer_n_rows(t);
    struct product p = {
        .m = n,
        .n = block_size(t, g->n_in, column),
        .k = rows,
        .alpha = 1.0f,
        .a = g->dy + row,
        .ld_a = g->ld_dy,
        .a_across = true,
        .b = g->x + column,
        .ld_b = g->n_in,
        .c = g->dw + (size_t)row * g->n_in + column,
        .ld_c = g->n_in,
    };
    t->products->multiply(&p, t->scratch[thread].panels);
    if (g->db && !column)
        t->kernels->sum_columns(g->db + row, g->dy + row, g->ld_dy, rows, n);
}

static void gradient_task(void *arg, int i, int thread)
{
    const struct gradient_job *job = arg;
    const struct linear_gradient *g = job->g;
    for (; i >= n_parts(job->t, g); g++)
        i -= n_parts(job->t, g);
    gradient_part(job->t, g, i, thread);
}

void linear_gradients(struct trainer *t, const struct linear_gradient *g, int n)
{
    struct gradient_job job = {t, g};
    int tasks = 0;
    for (int i = 0; i < n; i++)
        tasks += n_parts(t, &g[i]);
    pool_run(t->pool, gradient_task, &job, tasks);
}
