/* The products with the vectors of model/kernels/kernels_avx512.c: in f32, in bf16, and
 * in bf16 by AMX. */
#if defined(__x86_64__)

#define TARGET         __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES          16
/* This shape of a tile reads fewer words per multiplication than a squarer one, and no
 * more rows than the first-level cache has ways. */
#define WIDE_VECTORS   4
#define WIDE_ROWS      6

#define NAME(what)     f32_##what
#define PRODUCT_TARGET TARGET
#define PER_WORD       1
#define SPREAD(word)   ((lane_words){0} + (word))
#define ADD_TO(sum, x, y)                                                              \
    sum = (lanes)_mm512_fmadd_ps((__m512)(x), (__m512)(y), (__m512)(sum))
#include "model/kernels/product_panels.h"

const struct product_set product_avx512 = {f32_multiply, f32_pack, 1, true, true};

#define NAME(what) bf16_##what
#define PRODUCT_TARGET                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))
#define PER_WORD     2
#define SPREAD(word) ((lane_words){0} + (word))
#define ADD_TO(sum, x, y)                                                              \
    sum = (lanes)_mm512_dpbf16_ps((__m512)(sum), (__m512bh)(x), (__m512bh)(y))
#include "model/kernels/product_panels.h"

const struct product_set product_avx512bf16 = {bf16_multiply, bf16_pack, 2, true, true};

#include "model/kernels/product_amx.h"

const struct product_set product_amx = {amx_multiply, bf16_pack, 2, true, false};

#endif
