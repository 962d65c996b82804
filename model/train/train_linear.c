/* Linear layers. The pool always divides the work at the same points, so a sum does not
 * depend on which thread computes it. */
#include "model/train/train_internal.h"

#include <string.h>

enum { PACKED_COLUMNS = 4 * PRODUCT_COLUMNS }; /* the columns that one task packs */

void linear_list(const struct trainer *t, int layer, struct linear *list)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_activations *kept = &t->kept[layer];
    const struct attention *mix = &t->deltas.attention[BRANCH_MIX],
                           *cross = &t->deltas.attention[BRANCH_CROSS],
                           *kept_mix = &kept->attention[BRANCH_MIX],
                           *kept_cross = &kept->attention[BRANCH_CROSS];
    const int d = t->config.d_model, ff = t->config.d_ff, n = trainer_n_rows(t),
              n_source = t->encoder ? trainer_n_rows(t->encoder) : 0;
    const float *to_mix = branch_input(t, &kept->branches[BRANCH_MIX]),
                *to_cross = branch_input(t, &kept->branches[BRANCH_CROSS]),
                *to_feed = branch_input(t, &kept->branches[BRANCH_FEED]),
                *source = t->encoder ? encoder_output(t) : NULL;
    const struct linear all[MAX_LINEAR] = {
        {w->ff2_w, w->ff2_b, ff, d, t->deltas.feed, kept->hidden, d, n},
        {w->ff1_w, w->ff1_b, d, ff, t->deltas.hidden, to_feed, ff, n},
        {w->qkv_w, w->qkv_b, d, 3 * d, mix->q, to_mix, 3 * d, n},
        {w->qkv_w ? NULL : t->waves, NULL, d, 2 * d, NULL, NULL, 0, 0},
        {w->out_w, w->out_b, d, d, mix->out, kept_mix->mixed, d, n},
        {w->cross_q_w, w->cross_q_b, d, d, cross->q, to_cross, d, n},
        {w->cross_out_w, w->cross_out_b, d, d, cross->out, kept_cross->mixed, d, n},
        {w->cross_kv_w, w->cross_kv_b, d, 2 * d, cross->kv, source, 2 * d, n_source},
    };
    memcpy(list, all, sizeof all);
}

struct linear linear_head(const struct trainer *t)
{
    return (struct linear){
        .w = t->at.head,
        .n_in = t->config.d_model,
        .n_out = t->config.vocab,
        .dy = t->logits,
        .x = t->config.norm == NORM_POST ? t->x_last : t->normed_last,
        .ld_dy = t->ld_logits,
        .rows = trainer_n_rows(t),
    };
}

static void pack_task(void *arg, int i, int thread)
{
    const struct trainer *t = arg;
    const struct packed_linear *w = t->packed;
    (void)thread;
    for (; i >= n_parts(w->columns, PACKED_COLUMNS); w++)
        i -= n_parts(w->columns, PACKED_COLUMNS);
    const int from = i * PACKED_COLUMNS;
    t->products->pack(w->panels + (size_t)from * product_words(t->products, w->k),
                      w->w + (w->forward ? (size_t)from * w->n_in : (size_t)from),
                      w->n_in, w->forward, part_size(w->columns, PACKED_COLUMNS, i),
                      w->k);
}

void linear_pack(struct trainer *t, const struct linear *list, int n, bool forward)
{
    uint32_t *panels = t->packed_panels;
    int tasks = 0;
    t->n_packed = 0;
    for (int i = 0; t->products->pack && i < n; i++) {
        const int n_in = list[i].n_in, n_out = list[i].n_out,
                  columns = forward ? n_out : n_in, k = forward ? n_in : n_out;
        if (!list[i].w)
            continue;
        t->packed[t->n_packed++] =
            (struct packed_linear){list[i].w, panels, n_in, columns, k, forward};
        panels += product_packed(t->products, columns, k);
        tasks += n_parts(columns, PACKED_COLUMNS);
    }
    pool_run(t->pool, pack_task, t, tasks);
}

/* Rounded up to whole panels in either direction, with one value in a word. */
size_t linear_n_packed(const struct trainer *t)
{
    const size_t d = (size_t)t->config.d_model + PRODUCT_COLUMNS,
                 ff = (size_t)t->config.d_ff + PRODUCT_COLUMNS,
                 vocab = (size_t)t->config.vocab + PRODUCT_COLUMNS;
    const size_t layer = d * (4 * d + 2 * ff + (t->encoder ? 4 * d : 0));
    return larger(layer, d * vocab);
}

/* The panels of w if it is packed, or NULL. */
static const uint32_t *panels_of(const struct trainer *t, const float *w)
{
    for (int i = 0; i < t->n_packed; i++)
        if (t->packed[i].w == w)
            return t->packed[i].panels;
    return NULL;
}

/* Whether the products skip the zeros that ReLU makes. */
static bool leaves_out_zeros(const struct trainer *t)
{
    return t->products->leaves_out_zeros && t->config.activation == ACTIVATION_RELU;
}

size_t linear_n_turned(const struct trainer *t)
{
    return leaves_out_zeros(t) ? (size_t)PRODUCT_BLOCK * PRODUCT_BLOCK : 0;
}

/* Whether rows of n values may be hidden values after ReLU, or their gradients, whose
 * zeros can be skipped. (Other rows of the same length cost a look for zeros in vain.) */
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
    const struct linear *list;
};

static int n_gradient_tasks(const struct linear *g)
{
    const int block = PRODUCT_BLOCK;
    return g->w && g->dy ? n_parts(g->n_out, block) * n_parts(g->n_in, block) : 0;
}

static void gradient_task(void *arg, int i, int thread)
{
    const struct gradient_job *job = arg;
    const struct trainer *t = job->t;
    const struct linear *g = job->list;
    for (; i >= n_gradient_tasks(g); g++)
        i -= n_gradient_tasks(g);
    const int block = PRODUCT_BLOCK, across = n_parts(g->n_in, block),
              row = i / across * block, column = i % across * block;
    const int n = part_size(g->n_out, block, i / across),
              m = part_size(g->n_in, block, i % across);
    const struct scratch *s = &t->scratch[thread];
    float *dw = trainer_gradient_of(t, g->w) + (size_t)row * g->n_in + column;
    struct matrix dy = transposed(g->dy + row, g->ld_dy),
                  x = row_major(g->x + column, g->n_in);
    struct product p = product_of(n, m, g->rows, dy, x, dw, g->n_in);
    p.sparse = is_sparse(t, g->n_out);
    if (is_sparse(t, g->n_in)) { /* x is the sparse factor: its transpose goes first */
        dy.transposed = false;
        x.transposed = true;
        p = product_of(m, n, g->rows, x, dy, s->turned, n);
        p.sparse = true;
    }
    t->products->multiply(&p, s->panels);
    if (p.c != dw)
        transpose(dw, g->n_in, s->turned, n, m, n);
    if (g->b && !column)
        t->k->sum_columns(trainer_gradient_of(t, g->b) + row, g->dy + row, g->ld_dy,
                          g->rows, n);
}

void linear_gradients(struct trainer *t, const struct linear *list, int n)
{
    struct gradient_job job = {t, list};
    int tasks = 0;
    for (int i = 0; i < n; i++)
        tasks += n_gradient_tasks(&list[i]);
    pool_run(t->pool, gradient_task, &job, tasks);
}
