/* See packed_prefill.h. Two passes, as in model/weights/packed_model.c. */
#include "model/weights/packed_prefill.h"

#include "model/weights/packed_model.h"

#include <stdlib.h>

/* The first pass has no block and only counts words. */
struct builder {
    const struct product_set *set;
    uint32_t *block;
    size_t n;
};

/* Packs w [rows, n]; NULL stays NULL. */
static const uint32_t *add(struct builder *b, const float *w, int rows, int n)
{
    uint32_t *to = b->block ? b->block + b->n : NULL;
    if (!w)
        return NULL;
    if (to)
        b->set->pack(to, w, n, true, rows, n);
    b->n += product_packed(b->set, rows, n);
    return to;
}

static void add_all(struct builder *b, struct packed_prefill *p,
                    const struct model_config *c, const struct model_weights *w)
{
    const int d = c->d_model;
    b->n = 0;
    for (int i = 0; i < model_n_layers(c); i++) {
        const struct layer_weights *from = &w->layers[i];
        struct prefill_layer *to = &p->layers[i];
        to->qkv = add(b, from->qkv_w, 3 * d, d);
        to->out = add(b, from->out_w, d, d);
        to->cross_q = add(b, from->cross_q_w, d, d);
        to->cross_kv = add(b, from->cross_kv_w, 2 * d, d);
        to->cross_out = add(b, from->cross_out_w, d, d);
        to->ff1 = add(b, from->ff1_w, c->d_ff, d);
        to->ff2 = add(b, from->ff2_w, d, c->d_ff);
    }
    p->head = add(b, w->head, c->vocab, d);
}

struct packed_prefill *packed_prefill_create(const struct model_config *c,
                                             const struct model_weights *w,
                                             const struct product_set *set)
{
    struct packed_prefill *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    struct builder b = {.set = set};
    p->set = set;
    p->layers = calloc((size_t)model_n_layers(c), sizeof *p->layers);
    if (p->layers) {
        add_all(&b, p, c, w);
        p->block = b.block = packed_block_create(b.n * sizeof *b.block);
    }
    if (!p->block) {
        packed_prefill_destroy(p);
        return NULL;
    }
    add_all(&b, p, c, w);
    return p;
}

void packed_prefill_destroy(struct packed_prefill *p)
{
    if (!p)
        return;
    free(p->layers);
    free(p->block);
    free(p);
}
