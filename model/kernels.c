#include "model/kernels.h"

#include "model/kernels_sets.h"
#include "model/level.h"

#include <stddef.h>

/* By level. */
static const struct kernels *const SETS[] = {
    &kernels_plain,
#if defined(__x86_64__)
    &kernels_avx2,
    &kernels_avx512,
#endif
};

const struct kernels *kernels_at(int i)
{
    return i >= 0 && i <= (int)level_of_processor() ? SETS[i] : NULL;
}

const struct kernels *kernels_best(void)
{
    return SETS[level_to_use()];
}
