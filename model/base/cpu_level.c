#include "model/base/cpu_level.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const char *const WORDS[] = {[CPU_LEVEL_PLAIN] = "plain",
                                    [CPU_LEVEL_AVX2] = "avx2",
                                    [CPU_LEVEL_AVX512] = "avx512"};

enum cpu_level cpu_level_of_processor(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return CPU_LEVEL_PLAIN;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return CPU_LEVEL_AVX512;
    return CPU_LEVEL_AVX2;
#else
    return CPU_LEVEL_PLAIN;
#endif
}

bool cpu_level_has_vnni(enum cpu_level level)
{
#if defined(__x86_64__)
    enum { AVX_VNNI = 1 << 4 };
    unsigned a, b, c, d;
    if (level == CPU_LEVEL_AVX512)
        return __builtin_cpu_supports("avx512vnni");
    if (level == CPU_LEVEL_AVX2)
        return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & AVX_VNNI);
#endif
    (void)level;
    return false;
}

/* The level that the environment names, or one past the last if it names none. */
static int named_level(void)
{
    const int n = sizeof WORDS / sizeof *WORDS;
    const char *word = getenv("CONTINUO_KERNELS");
    int i = 0;
    while (i < n && !(word && !strcmp(word, WORDS[i])))
        i++;
    return i;
}

enum cpu_level cpu_level_to_use(void)
{
    int level = cpu_level_of_processor(), named = named_level();
    return (enum cpu_level)(named < level ? named : level);
}

bool cpu_level_is_free(void)
{
    return named_level() > CPU_LEVEL_AVX512;
}
