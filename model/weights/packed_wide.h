/* The weights of prefill, packed once for products of many rows in bf16
 * (model/kernels/train_product.h), where a model runs in bf16 or int8 and the processor
 * multiplies bf16: int8 weights are only for single steps, which wait for memory. */
#ifndef MODEL_PACKED_WIDE_H
#define MODEL_PACKED_WIDE_H

#include "model/weights/model.h"
#include "model/kernels/train_product.h"

/* Of a layer of either kind; NULL: it has no such matrix. */
struct wide_layer {
    const uint32_t *qkv, *out, *cross_q, *cross_kv, *cross_out, *ff1, *ff2;
};

struct packed_wide {
    const struct product_set *set;
    struct wide_layer *layers; /* the decoder's, then the encoder's */
    const uint32_t *head;
    uint32_t *block;
};

/* NULL: no memory. */
struct packed_wide *packed_wide_create(const struct model_config *c,
                                       const struct model_weights *w,
                                       const struct product_set *set);
void packed_wide_destroy(struct packed_wide *p); /* NULL is fine */

#endif
