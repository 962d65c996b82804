/* Chooses a table of kernels for the processor. See kernels.h. */
#include "model/base/cpu_level.h"
#include "model/kernels/kernels_sets.h"

/* All tables, from the plainest, with the SIMD level and the dot products that each
 * needs. */
static const struct {
    const struct kernels *set;
    enum cpu_level level;
    bool dot, bf16;
} SETS[] = {
    {&kernels_plain, CPU_LEVEL_PLAIN, false, false},
#if defined(__x86_64__)
    {&kernels_avx2, CPU_LEVEL_AVX2, false, false},
    {&kernels_avx2vnni, CPU_LEVEL_AVX2, true, false},
    {&kernels_avx512, CPU_LEVEL_AVX512, false, false},
    {&kernels_avx512vnni, CPU_LEVEL_AVX512, true, false},
    {&kernels_avx512bf16, CPU_LEVEL_AVX512, true, true},
#elif defined(__aarch64__)
    {&kernels_neon, CPU_LEVEL_NEON, false, false},
    {&kernels_neondot, CPU_LEVEL_NEON, true, false},
    {&kernels_neonbf16, CPU_LEVEL_NEON, true, true},
#endif
};

/* Table i of those that the processor can run up to a level. `last`: the last one of them
 * if i is not reached, which is always so for -1. */
static const struct kernels *find_set(enum cpu_level level, int i, bool last)
{
    const struct kernels *found = NULL;
    for (size_t at = 0; at < sizeof SETS / sizeof *SETS; at++) {
        if (SETS[at].level > level ||
            (SETS[at].dot && !cpu_level_has_dot(SETS[at].level)) ||
            (SETS[at].bf16 && !cpu_level_has_bf16(SETS[at].level)))
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
