/* What the files of the matrix products share. product.c chooses among the sets;
 * product_avx2.c, product_avx512.c and product_neon.c compile our own from
 * product_panels.h and product_amx.h. A processor without a set's instructions may read
 * its table, but not call its functions. */
#ifndef MODEL_PRODUCT_SETS_H
#define MODEL_PRODUCT_SETS_H

#include "model/kernels/product.h"

enum {
    PRODUCT_SLICE = 256, /* words of k in one slice */
    PRODUCT_GROUP = 48,  /* rows of a in a panel; a multiple of the rows of a tile */
};

extern const struct product_set product_avx2, product_avx512, product_avx512bf16,
    product_amx, product_neon;

#endif
