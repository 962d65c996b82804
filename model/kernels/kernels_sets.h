/* The tables of kernels, one or more per SIMD level. A processor of a lower level may
 * read a table, but not call its functions. */
#ifndef MODEL_KERNELS_SETS_H
#define MODEL_KERNELS_SETS_H

#include "model/kernels/kernels.h"

extern const struct kernels kernels_plain, kernels_avx2, kernels_avx2vnni,
    kernels_avx512, kernels_avx512vnni, kernels_avx512bf16, kernels_neon,
    kernels_neondot, kernels_neonbf16;

#endif
