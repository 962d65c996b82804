/* The compiled sets of kernels, one or more a level. A processor of a lower level may
 * read their tables but not call their functions. */
#ifndef MODEL_KERNELS_SETS_H
#define MODEL_KERNELS_SETS_H

#include "model/kernels/kernels.h"
#include "model/kernels/train_kernels.h"

extern const struct kernels kernels_plain, kernels_avx2, kernels_avx2vnni,
    kernels_avx512, kernels_avx512vnni, kernels_neon;
extern const struct train_kernels train_kernels_of_plain, train_kernels_of_avx2,
    train_kernels_of_avx512, train_kernels_of_neon;

#endif
