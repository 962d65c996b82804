#include "model/base/level.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const WORDS[] = {
    [LEVEL_PLAIN] = "plain", [LEVEL_AVX2] = "avx2", [LEVEL_AVX512] = "avx512"};

#if defined(__x86_64__)

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

enum level level_of_processor(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return LEVEL_PLAIN;
    return has_avx512() ? LEVEL_AVX512 : LEVEL_AVX2;
}

#else

enum level level_of_processor(void)
{
    return LEVEL_PLAIN;
}

#endif

/* The level that the environment names; past the last, none. */
static int named_level(void)
{
    const int n = sizeof WORDS / sizeof *WORDS;
    const char *word = getenv("CONTINUO_KERNELS");
    int i = 0;
    while (i < n && !(word && !strcmp(word, WORDS[i])))
        i++;
    return i;
}

enum level level_to_use(void)
{
    int level = level_of_processor(), named = named_level();
    return (enum level)(named < level ? named : level);
}

bool level_is_free(void)
{
    return named_level() > LEVEL_AVX512;
}
