/* The compiled sets behind model/weights/packed_kernels.h, as model/kernels/kernels_sets.h. */
#ifndef MODEL_PACKED_SETS_H
#define MODEL_PACKED_SETS_H

#include "model/weights/packed_kernels.h"

extern const struct packed_kernels packed_plain, packed_avx2, packed_avx2vnni,
    packed_avx512, packed_avx512vnni, packed_avx512bf16, packed_neon, packed_neondot,
    packed_neonbf16;

#endif
