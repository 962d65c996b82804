/* See packed_model.h. The matrices are gone through twice: once to count what they
 * take, once to pack them. */
#include "model/packed_model.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Hidden values of a slice: enough for a task to be worth its claiming, and slices
 * enough for more threads than most machines have. */
enum { SLICE_LEAST = 128, SLICES_MOST = 16 };

/* First without memory, counting. */
struct builder {
    const struct model_config *c;
    enum model_weights_kind kind;
    struct packed *all;
    uint8_t *block;
    size_t n, n_bytes;
};

static struct packed *add(struct builder *b, enum model_weights_kind kind,
                          const struct packing *pieces, int n_pieces, int n)
{
    struct packed *to = b->all ? &b->all[b->n] : NULL;
    if (to)
        *to = packed_make(kind, pieces, n_pieces, n, b->block + b->n_bytes);
    b->n++;
    b->n_bytes += packed_size(kind, pieces, n_pieces, n);
    return to;
}

static int head_size(const struct model_config *c)
{
    return c->d_model / c->n_heads;
}

/* Each head's rows of the first n_parts of [n_parts d, d]. */
static struct packed *add_projections(struct builder *b, const float *w,
                                      const float *bias, int n_parts)
{
    const int d = b->c->d_model, e = head_size(b->c);
    struct packed *first = b->all ? &b->all[b->n] : NULL;
    for (int head = 0; head < b->c->n_heads; head++) {
        struct packing parts[3];
        for (int i = 0; i < n_parts; i++) {
            size_t row = (size_t)i * (size_t)d + (size_t)head * (size_t)e;
            parts[i] = (struct packing){w + row * (size_t)d, bias + row, d, e};
        }
        add(b, b->kind, parts, n_parts, d);
    }
    return first;
}

/* Each head's columns of [d, d]; biases are added once, to the sum of all. */
static struct packed *add_outputs(struct builder *b, const float *w)
{
    const int d = b->c->d_model, e = head_size(b->c);
    struct packed *first = b->all ? &b->all[b->n] : NULL;
    for (int head = 0; head < b->c->n_heads; head++)
        add(b, b->kind, &(struct packing){w + (size_t)head * (size_t)e, NULL, d, d}, 1,
            e);
    return first;
}

/* Tables [n_tables rows, e]. */
static struct packed *add_tables(struct builder *b, const float *w, int n_tables,
                                 int rows)
{
    const int e = head_size(b->c);
    struct packed *first = b->all ? &b->all[b->n] : NULL;
    for (int i = 0; w && i < n_tables; i++)
        add(b, b->kind == WEIGHTS_INT8 ? WEIGHTS_BF16 : b->kind,
            &(struct packing){w + (size_t)i * (size_t)rows * (size_t)e, NULL, e, rows},
            1, e);
    return w ? first : NULL;
}

static void add_feed(struct builder *b, const struct packed_model *p,
                     struct packed_layer *to, const struct layer_weights *w)
{
    const int d = b->c->d_model, ff = b->c->d_ff;
    to->ff1 = b->all ? &b->all[b->n] : NULL;
    for (int i = 0; i < p->n_slices; i++) {
        size_t row = (size_t)i * (size_t)p->slice;
        add(b, b->kind,
            &(struct packing){w->ff1_w + row * (size_t)d, w->ff1_b + row, d,
                              packed_slice(p, ff, i)},
            1, d);
    }
    to->ff2 = b->all ? &b->all[b->n] : NULL;
    for (int i = 0; i < p->n_slices; i++)
        add(b, b->kind,
            &(struct packing){w->ff2_w + (size_t)i * (size_t)p->slice, NULL, ff, d}, 1,
            packed_slice(p, ff, i));
}

static void add_layer(struct builder *b, const struct packed_model *p,
                      struct packed_layer *to, const struct layer_weights *w)
{
    const struct model_config *c = b->c;
    if (c->mixing == MIXING_ATTENTION) {
        to->qkv = add_projections(b, w->qkv_w, w->qkv_b, 3);
        to->out = add_outputs(b, w->out_w);
    }
    if (c->n_encoder_layers) {
        to->cross_q = add_projections(b, w->cross_q_w, w->cross_q_b, 1);
        to->cross_out = add_outputs(b, w->cross_out_w);
    }
    add_feed(b, p, to, w);
    int tables = c->relative == RELATIVE_MUSIC ? c->n_heads : 1;
    to->relative_key = add_tables(b, w->relative_key, tables, c->reach);
    to->time_key = add_tables(b, w->time_key, c->n_heads, MODEL_TIME_BUCKETS);
    to->cross_time_key =
        add_tables(b, w->cross_time_key, c->n_heads, MODEL_TIME_BUCKETS);
}

static void add_all(struct builder *b, struct packed_model *p,
                    const struct model_weights *w)
{
    b->n = b->n_bytes = 0;
    for (int i = 0; i < b->c->n_layers; i++)
        add_layer(b, p, &p->layers[i], &w->layers[i]);
    p->head =
        add(b, b->kind, &(struct packing){w->head, NULL, b->c->d_model, b->c->vocab}, 1,
            b->c->d_model);
}

void *packed_block_create(size_t n_bytes)
{
    const size_t page = (size_t)1 << 21;
    if (n_bytes < 2 * page)
        return aligned_alloc(64, (n_bytes + 63) / 64 * 64);
    size_t n = (n_bytes + page - 1) / page * page;
    void *block = aligned_alloc(page, n);
    if (block)
        madvise(block, n, MADV_HUGEPAGE);
    return block;
}

static int choose_slice(int d_ff)
{
    int even = (d_ff + SLICES_MOST - 1) / SLICES_MOST;
    int slice = even > SLICE_LEAST ? even : SLICE_LEAST;
    return (slice + PANEL - 1) / PANEL * PANEL;
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
    p->slice = choose_slice(c->d_ff);
    p->n_slices = (c->d_ff + p->slice - 1) / p->slice;
    p->layers = calloc((size_t)c->n_layers, sizeof *p->layers);
    if (p->layers) {
        add_all(&b, p, w);
        p->all = b.all = calloc(b.n, sizeof *p->all);
        p->block = b.block = packed_block_create(b.n_bytes);
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
