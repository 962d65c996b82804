/* The matrices of a model, packed in the order in which a single step reads them
 * (model/kernels/packed.h), one packed matrix per task.
 *
 * In attention a task is one head: its rows of q, k and v together, and its columns of
 * the output projection. In the feed-forward layers a task is one slice of the hidden
 * values: its rows of ff1 and its columns of ff2. So a task needs no other task's result,
 * and gives one term of the sum that is the layer's output. The number of terms does not
 * depend on the number of threads. Fourier mixing has its own products
 * (decoder_fourier.c). */
#ifndef MODEL_PACKED_MODEL_H
#define MODEL_PACKED_MODEL_H

#include "model/kernels/product.h"
#include "model/kernels/packed.h"
#include "model/weights/model.h"

struct packed_layer {
    struct packed *qkv, *out;           /* [heads]; NULL with Fourier mixing */
    struct packed *cross_q, *cross_out; /* [heads]; NULL without an encoder */
    struct packed *ff1, *ff2;           /* [slices] */
    /* Tables of distances, as in struct layer_weights; NULL where the model has none. */
    struct packed *relative_key;              /* [heads]; [1] with RELATIVE_SHAW */
    struct packed *time_key, *cross_time_key; /* [heads] */
};

struct packed_model {
    enum model_weights_kind kind;
    int slice, n_slices;         /* hidden values of a slice; the last may have fewer */
    struct packed_layer *layers; /* the decoder's */
    struct packed *head;         /* [1] */
    /* The memory of all of the above: */
    struct packed *all;
    void *block;
};

/* NULL: no memory. */
struct packed_model *packed_model_create(const struct model_config *c,
                                         const struct model_weights *w,
                                         enum model_weights_kind kind);
void packed_model_destroy(struct packed_model *p); /* NULL is fine */

/* The weights of prefill, packed once for products of many rows
 * (model/kernels/product.h). They exist for a model in bf16 or int8, where products in
 * bf16 are the fastest of this processor. Otherwise prefill multiplies in f32, and each
 * task packs the part that it needs: packed f32 weights would take as much memory as the
 * weights themselves, to save a twentieth of the time of a whole chunk of tokens. Weights
 * in int8 would not help prefill: they save memory traffic, which bounds single steps
 * only. */
struct packed_prefill {
    const struct product_set *set;
    struct prefill_matrix {
        const float *w;
        const uint32_t *panels;
    } * all; /* [n]: the matrices of all linear layers, and the head */
    size_t n;
    void *block;
};

/* The panels of the model's matrix w; NULL if p is NULL. */
const uint32_t *packed_prefill_find(const struct packed_prefill *p, const float *w);

/* NULL: no memory. */
struct packed_prefill *packed_prefill_create(const struct model_config *c,
                                             const struct model_weights *w,
                                             const struct product_set *set);
void packed_prefill_destroy(struct packed_prefill *p); /* NULL is fine */

#endif
