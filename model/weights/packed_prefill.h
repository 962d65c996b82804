/* The weights of prefill, packed once in bf16 for products of many rows
 * (model/kernels/product.h). A model in bf16 or int8 uses them if the processor
 * multiplies bf16. int8 only helps single steps, which are bound by memory traffic. */
#ifndef MODEL_PACKED_PREFILL_H
#define MODEL_PACKED_PREFILL_H

#include "model/weights/model.h"
#include "model/kernels/product.h"

/* The matrices of one layer; NULL: it has no such matrix. */
struct prefill_layer {
    const uint32_t *qkv, *out, *cross_q, *cross_kv, *cross_out, *ff1, *ff2;
};

struct packed_prefill {
    const struct product_set *set;
    struct prefill_layer *layers; /* the decoder's, then the encoder's */
    const uint32_t *head;
    uint32_t *block;
};

/* NULL: no memory. */
struct packed_prefill *packed_prefill_create(const struct model_config *c,
                                             const struct model_weights *w,
                                             const struct product_set *set);
void packed_prefill_destroy(struct packed_prefill *p); /* NULL is fine */

#endif
