/* The products in f32 with the vectors of model/kernels/kernels_neon.c. */
#if defined(__aarch64__)

#define TARGET
#define LANES          4
#define NEON           1
/* Twenty-four sums, four vectors of b and a word of a, in thirty-two registers. */
#define WIDE_VECTORS   4
#define WIDE_ROWS      6

#define NAME(what)     f32_##what
#define PRODUCT_TARGET TARGET
#define PER_WORD       1
#define SPREAD(word)   vcreate_f32(word) /* only the first lane is read */
#define ADD_TO(sum, x, y)                                                              \
    __asm__("fmla %0.4s, %2.4s, %1.s[0]" : "+w"(sum) : "w"(x), "w"(y))
#include "model/kernels/product_panels.h"

const struct product_set product_neon = {f32_multiply, f32_pack, 1, true, true};

#endif
