/* The products in f32 with the vectors of model/kernels/kernels_avx2.c. */
#if defined(__x86_64__)

#define TARGET         __attribute__((target("avx2,fma")))
#define LANES          8
/* Twelve sums, two vectors of b and a word of a take fifteen of the sixteen registers. */
#define WIDE_VECTORS   2
#define WIDE_ROWS      6

#define NAME(what)     f32_##what
#define PRODUCT_TARGET TARGET
#define PER_WORD       1
#define SPREAD(word)   ((lane_words){0} + (word))
#define ADD_TO(sum, x, y)                                                              \
    sum = (lanes)_mm256_fmadd_ps((__m256)(x), (__m256)(y), (__m256)(sum))
#include "model/kernels/product_panels.h"

const struct product_set product_avx2 = {f32_multiply, f32_pack, 1, true, true};

#endif
