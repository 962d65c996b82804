/* All matrices of a single step, packed (model/kernels/packed.h) by task. A head has
 * its rows of q, k and v together and its columns of the output projection. The
 * feed-forward is cut into slices of its hidden values; each has its rows of ff1 and
 * its columns of ff2. So a task needs no other's results and gives one term of a sum.
 * The number of terms does not depend on the threads. Fourier mixing has its own
 * products (decoder_fourier.c). */
#ifndef MODEL_PACKED_MODEL_H
#define MODEL_PACKED_MODEL_H

#include "model/kernels/product.h"
#include "model/kernels/packed.h"
#include "model/weights/model.h"

struct packed_layer {
    struct packed *qkv, *out;           /* [heads], as cross_*; NULL: Fourier mixing */
    struct packed *cross_q, *cross_out; /* [heads]; NULL without an encoder */
    struct packed *ff1, *ff2;           /* [slices] */
    /* Tables of distances; NULL where the model has none. */
    struct packed *relative_key;              /* [heads], Shaw [1] */
    struct packed *time_key, *cross_time_key; /* [heads] */
};

struct packed_model {
    enum model_weights_kind kind;
    int slice, n_slices;         /* hidden values in a slice; the last may have fewer */
    struct packed_layer *layers; /* the decoder's */
    struct packed *head;         /* [1] */
    /* Own the memory of all the above. */
    struct packed *all;
    void *block;
};

/* NULL: no memory. */
struct packed_model *packed_model_create(const struct model_config *c,
                                         const struct model_weights *w,
                                         enum model_weights_kind kind);
void packed_model_destroy(struct packed_model *p); /* NULL is fine */

/* The weights of prefill, packed once for products of many rows (model/kernels/product.h). A
 * model in bf16 or int8 has them where products in bf16 are the fastest. Elsewhere prefill
 * multiplies in f32, and each task packs its part: panels of f32 would take as much memory as
 * the weights, and spare a whole chunk of tokens a twentieth of its time. int8 only helps
 * single steps, which are bound by memory traffic. */

struct packed_prefill {
    const struct product_set *set;
    struct prefill_matrix {
        const float *w;
        const uint32_t *panels;
    } * all; /* [n]: those of all linear layers, and the head */
    size_t n;
    void *block;
};

/* The panels of the model's matrix w. p NULL: NULL. */
const uint32_t *packed_prefill_find(const struct packed_prefill *p, const float *w);

/* NULL: no memory. */
struct packed_prefill *packed_prefill_create(const struct model_config *c,
                                             const struct model_weights *w,
                                             const struct product_set *set);
void packed_prefill_destroy(struct packed_prefill *p); /* NULL is fine */

#endif
