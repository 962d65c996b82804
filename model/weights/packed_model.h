/* All matrices of a single step, packed (model/weights/packed.h) by task. A head has
 * its rows of q, k and v together and its columns of the output projection. The
 * feed-forward is cut into slices of its hidden values; each has its rows of ff1 and
 * its columns of ff2. So a task needs no other's results and gives one term of a sum.
 * The number of terms does not depend on the threads. Fourier mixing has its own
 * products (decoder_fourier.c). */
#ifndef MODEL_PACKED_MODEL_H
#define MODEL_PACKED_MODEL_H

#include "model/weights/packed.h"

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
/* For free(): whole lines, on large pages where the system has them, since it is mostly
 * read sequentially. NULL: no memory. */
void *packed_block_create(size_t n_bytes);
void packed_model_destroy(struct packed_model *p); /* NULL is fine */

/* Hidden values in slice i. */
static inline int packed_slice(const struct packed_model *p, int d_ff, int i)
{
    int left = d_ff - i * p->slice;
    return left < p->slice ? left : p->slice;
}

#endif
