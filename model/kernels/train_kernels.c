#include "model/kernels/train_kernels.h"

#include "model/kernels/kernels_sets.h"
#include "model/base/level.h"

const struct train_kernels *train_kernels_at(int i)
{
    /* by level */
    static const struct train_kernels *const SETS[] = {
        &train_kernels_of_plain,
#if defined(__x86_64__)
        &train_kernels_of_avx2,
        &train_kernels_of_avx512,
#endif
    };
    return i >= 0 && i <= (int)level_of_processor() ? SETS[i] : NULL;
}

const struct train_kernels *train_kernels_best(void)
{
    return train_kernels_at((int)level_to_use());
}
