/* Asks the processor: by CPUID on x86, by the kernel's auxiliary vector on ARM. See
 * cpu_level.h. */
#include "model/base/cpu_level.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

static const char *const WORDS[] = {"plain", "avx2", "avx512"};
#else
static const char *const WORDS[] = {"plain", "neon"};
#endif
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

enum cpu_level cpu_level_of_processor(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return CPU_LEVEL_PLAIN;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return CPU_LEVEL_AVX512;
    return CPU_LEVEL_AVX2;
#elif defined(__aarch64__)
    return CPU_LEVEL_NEON;
#else
    return CPU_LEVEL_PLAIN;
#endif
}

bool cpu_level_has_dot(enum cpu_level level)
{
#if defined(__x86_64__)
    enum { AVX_VNNI = 1 << 4 };
    unsigned a, b, c, d;
    if (level == CPU_LEVEL_AVX512)
        return __builtin_cpu_supports("avx512vnni");
    if (level == CPU_LEVEL_AVX2)
        return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & AVX_VNNI);
#elif defined(__aarch64__) && defined(__linux__)
    enum { DOT_PRODUCTS = 1 << 20 };
    if (level == CPU_LEVEL_NEON)
        return getauxval(AT_HWCAP) & DOT_PRODUCTS;
#elif defined(__ARM_FEATURE_DOTPROD)
    return level == CPU_LEVEL_NEON;
#endif
    (void)level;
    return false;
}

bool cpu_level_has_bf16(enum cpu_level level)
{
#if defined(__x86_64__)
    if (level == CPU_LEVEL_AVX512)
        return __builtin_cpu_supports("avx512bf16");
#elif defined(__aarch64__) && defined(__linux__)
    enum { BF16 = 1 << 14 };
    if (level == CPU_LEVEL_NEON)
        return getauxval(AT_HWCAP2) & BF16;
#endif
    (void)level;
    return false;
}

const char *cpu_level_name(int level)
{
    return level < (int)(sizeof WORDS / sizeof *WORDS) ? WORDS[level] : NULL;
}

/* The level that the environment variable names. If it names none, a number past the last
 * level. */
static int named_level(void)
{
    const char *word = getenv("CONTINUO_KERNELS"), *name;
    int i = 0;
    while ((name = cpu_level_name(i)) && !(word && !strcmp(word, name)))
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
    return !cpu_level_name(named_level());
}
