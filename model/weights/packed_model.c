/* See packed_model.h. add_all walks over the matrices twice: first it counts their sizes,
 * then it packs them. The memory is in the order in which a thread reads: a head's two
 * matrices, then the next head's; a slice's two matrices, then the next slice's. */
#include "model/weights/packed_model.h"

#include "model/base/arena.h"

#include <stdlib.h>

/* A slice has enough hidden values to be worth claiming as a task, and there are enough
 * slices for more threads than most machines have. */
enum { SLICE_LEAST = 128, SLICES_MOST = 16 };

/* State of one walk. On the first walk `all` and the block's memory are NULL. */
struct builder {
    const struct model_config *c;
    enum model_weights_kind kind;
    struct packed *all;
    size_t n;
    struct arena block;
};

/* Room for n packed matrices; NULL on the first walk. */
static struct packed *take(struct builder *b, int n)
{
    struct packed *first = b->all ? &b->all[b->n] : NULL;
    b->n += (size_t)n;
    return first;
}

/* Packs the pieces, of n columns each, into element i of `places`. On the first walk it
 * only counts their size. */
static void add(struct builder *b, struct packed *places, int i,
                const struct packing *pieces, int n_pieces, int n)
{
    void *at = arena_bytes(&b->block, packed_size(b->kind, pieces, n_pieces, n));
    if (places)
        places[i] = packed_make(b->kind, pieces, n_pieces, n, at);
}

/* Packs the matrices of each head: its rows of each of the n_parts of w [n_parts d, d],
 * and its columns of out_w [d, d]. The output projection's bias is not packed, because it
 * is added once, to the sum of all heads. */
static void add_heads(struct builder *b, struct packed **in, struct packed **out,
                      const float *w, const float *bias, int n_parts,
                      const float *out_w)
{
    const int d = b->c->d_model, e = b->c->d_model / b->c->n_heads;
    struct packing parts[3];
    *in = take(b, b->c->n_heads);
    *out = take(b, b->c->n_heads);
    for (int head = 0; head < b->c->n_heads; head++) {
        for (int i = 0; i < n_parts; i++) {
            size_t row = (size_t)i * d + (size_t)head * e;
            parts[i] = (struct packing){w + row * (size_t)d, bias + row, d, e};
        }
        add(b, *in, head, parts, n_parts, d);
        add(b, *out, head, &(struct packing){out_w + (size_t)head * e, NULL, d, d}, 1,
            e);
    }
}

/* Packs the tables w [n_tables rows, e], each by itself. NULL if w is NULL. */
static struct packed *add_tables(struct builder *b, const float *w, int n_tables,
                                 int rows)
{
    const int e = b->c->d_model / b->c->n_heads;
    struct packed *to = w ? take(b, n_tables) : NULL;
    for (int i = 0; w && i < n_tables; i++)
        add(b, to, i, &(struct packing){w + (size_t)i * rows * e, NULL, e, rows}, 1, e);
    return to;
}

static void add_all(struct builder *b, struct packed_model *p,
                    const struct model_weights *w)
{
    const struct model_config *c = b->c;
    const int d = c->d_model, ff = c->d_ff,
              tables = c->relative == RELATIVE_MUSIC ? c->n_heads : 1;
    b->n = b->block.n_bytes = 0;
    for (int layer = 0; layer < c->n_layers; layer++) {
        const struct layer_weights *from = &w->layers[layer];
        struct packed_layer *to = &p->layers[layer];
        if (c->mixing == MIXING_ATTENTION)
            add_heads(b, &to->qkv, &to->out, from->qkv_w, from->qkv_b, 3, from->out_w);
        if (c->n_encoder_layers)
            add_heads(b, &to->cross_q, &to->cross_out, from->cross_q_w, from->cross_q_b,
                      1, from->cross_out_w);
        to->ff1 = take(b, p->n_slices);
        to->ff2 = take(b, p->n_slices);
        for (int i = 0; i < p->n_slices; i++) {
            const int hidden = part_size(ff, p->slice, i);
            const size_t first = (size_t)i * p->slice;
            add(b, to->ff1, i,
                &(struct packing){from->ff1_w + first * (size_t)d, from->ff1_b + first,
                                  d, hidden},
                1, d);
            add(b, to->ff2, i, &(struct packing){from->ff2_w + first, NULL, ff, d}, 1,
                hidden);
        }
        to->relative_key = add_tables(b, from->relative_key, tables, c->max_distance);
        to->time_key = add_tables(b, from->time_key, c->n_heads, MODEL_TIME_BUCKETS);
        to->cross_time_key =
            add_tables(b, from->cross_time_key, c->n_heads, MODEL_TIME_BUCKETS);
    }
    p->head = take(b, 1);
    add(b, p->head, 0, &(struct packing){w->head, NULL, d, c->vocab}, 1, d);
}

struct packed_model *packed_model_create(const struct model_config *c,
                                         const struct model_weights *w,
                                         enum model_weights_kind kind)
{
    struct packed_model *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    struct builder b = {.c = c, .kind = kind};
    p->kind = kind;
    const int even = n_parts(c->d_ff, SLICES_MOST);
    p->slice = packed_panels(even > SLICE_LEAST ? even : SLICE_LEAST) * PANEL;
    p->n_slices = n_parts(c->d_ff, p->slice);
    p->layers = calloc((size_t)c->n_layers, sizeof *p->layers);
    if (p->layers) {
        add_all(&b, p, w);
        p->all = b.all = calloc(b.n, sizeof *p->all);
        p->block = b.block.block = arena_block(b.block.n_bytes);
    }
    if (!p->layers || !p->all || !p->block) {
        packed_model_destroy(p);
        return NULL;
    }
    add_all(&b, p, w);
    return p;
}

void packed_model_destroy(struct packed_model *p)
{
    if (!p)
        return;
    free(p->layers);
    free(p->all);
    free(p->block);
    free(p);
}

/* Packs all matrices into the block; without a block it only counts them. Returns the
 * bytes. */
static size_t pack_all(struct packed_prefill *p, const struct model_tensor *list,
                       size_t n_listed, const float *head)
{
    struct arena a = {.block = p->block};
    p->n = 0;
    for (const struct model_tensor *t = list; t < list + n_listed; t++) {
        const int rows = (int)t->shape[0], n = (int)t->shape[1];
        if (!t->is_linear && t->at != head)
            continue;
        uint32_t *to = arena_floats(&a, product_packed(p->set, rows, n));
        if (to)
            p->set->pack(to, t->at, n, true, rows, n);
        p->all[p->n++] = (struct prefill_matrix){t->at, to};
    }
    return a.n_bytes;
}

struct packed_prefill *packed_prefill_create(const struct model_config *c,
                                             const struct model_weights *w,
                                             const struct product_set *set)
{
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(c, w, &list, &n_floats);
    struct packed_prefill *p = calloc(1, sizeof *p);
    if (p && n) {
        p->set = set;
        p->all = calloc(n, sizeof *p->all);
        if (p->all)
            p->block = arena_block(pack_all(p, list, n, w->head));
        if (p->block)
            pack_all(p, list, n, w->head);
    }
    free(list);
    if (p && p->block)
        return p;
    packed_prefill_destroy(p);
    return NULL;
}

const uint32_t *packed_prefill_find(const struct packed_prefill *p, const float *w)
{
    for (size_t i = 0; p && i < p->n; i++)
        if (p->all[i].w == w)
            return p->all[i].panels;
    return NULL;
}

void packed_prefill_destroy(struct packed_prefill *p)
{
    if (!p)
        return;
    free(p->all);
    free(p->block);
    free(p);
}
