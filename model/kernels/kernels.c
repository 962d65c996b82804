#include "model/kernels/kernels.h"
#include "model/kernels/train_kernels.h"

#include "model/kernels/kernels_sets.h"
#include "model/base/cpu_level.h"

#include <stddef.h>

/* By level; after the highest level, the sets that need more than it. */
static const struct kernels *const SETS[] = {
    &kernels_plain,
#if defined(__x86_64__)
    &kernels_avx2,
    &kernels_avx512,
    &kernels_avx512bf16,
#endif
};

static const struct train_kernels *const TRAIN_SETS[] = {
    &train_kernels_of_plain,
#if defined(__x86_64__)
    &train_kernels_of_avx2,
    &train_kernels_of_avx512,
#endif
};

/* The last set that may run at a level: above the highest, some processors run more. */
static int last_set(enum cpu_level level)
{
#if defined(__x86_64__)
    if (level == CPU_LEVEL_AVX512 && __builtin_cpu_supports("avx512bf16"))
        return (int)level + 1;
#endif
    return (int)level;
}

const struct kernels *kernels_at(int i)
{
    return i >= 0 && i <= last_set(cpu_level_of_processor()) ? SETS[i] : NULL;
}

const struct kernels *kernels_best(void)
{
    return SETS[last_set(cpu_level_to_use())];
}

const struct train_kernels *train_kernels_at(int i)
{
    return i >= 0 && i <= (int)cpu_level_of_processor() ? TRAIN_SETS[i] : NULL;
}

const struct train_kernels *train_kernels_best(void)
{
    return TRAIN_SETS[cpu_level_to_use()];
}
