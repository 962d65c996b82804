#include "model/kernels/train_kernels.h"

#include "model/kernels/kernels_sets.h"
#include "model/base/cpu_level.h"

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
    return i >= 0 && i <= (int)cpu_level_of_processor() ? SETS[i] : NULL;
}

const struct train_kernels *train_kernels_best(void)
{
    return train_kernels_at((int)cpu_level_to_use());
}
