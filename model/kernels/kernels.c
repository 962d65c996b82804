#include "model/kernels/kernels.h"
#include "model/kernels/train_kernels.h"

#include "model/kernels/kernels_sets.h"
#include "model/base/cpu_level.h"

#include <stddef.h>

/* Plainest first: each with its level, and whether it needs dot products of integers. */
static const struct {
    const struct kernels *set;
    enum cpu_level level;
    bool dot;
} SETS[] = {
    {&kernels_plain, CPU_LEVEL_PLAIN, false},
#if defined(__x86_64__)
    {&kernels_avx2, CPU_LEVEL_AVX2, false},
    {&kernels_avx2vnni, CPU_LEVEL_AVX2, true},
    {&kernels_avx512, CPU_LEVEL_AVX512, false},
    {&kernels_avx512vnni, CPU_LEVEL_AVX512, true},
#elif defined(__aarch64__)
    {&kernels_neon, CPU_LEVEL_NEON, false},
#endif
};

static const struct train_kernels *const TRAIN_SETS[] = {
    &train_kernels_of_plain,
#if defined(__x86_64__)
    &train_kernels_of_avx2,
    &train_kernels_of_avx512,
#elif defined(__aarch64__)
    &train_kernels_of_neon,
#endif
};

/* Set i of those that a level may run, or the last one. */
static const struct kernels *find_set(enum cpu_level level, int i, bool last)
{
    const struct kernels *found = NULL;
    for (size_t at = 0; at < sizeof SETS / sizeof *SETS; at++) {
        if (SETS[at].level > level ||
            (SETS[at].dot && !cpu_level_has_dot(SETS[at].level)))
            continue;
        if (i-- == 0)
            return SETS[at].set;
        found = SETS[at].set;
    }
    return last ? found : NULL;
}

const struct kernels *kernels_at(int i)
{
    return find_set(cpu_level_of_processor(), i, false);
}

const struct kernels *kernels_best(void)
{
    return find_set(cpu_level_to_use(), -1, true);
}

const struct train_kernels *train_kernels_at(int i)
{
    return i >= 0 && i <= (int)cpu_level_of_processor() ? TRAIN_SETS[i] : NULL;
}

const struct train_kernels *train_kernels_best(void)
{
    return TRAIN_SETS[cpu_level_to_use()];
}
