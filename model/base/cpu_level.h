/* Which SIMD instructions may be used. Kernels come in several levels; every module that
 * has some of its own asks here. */
#ifndef MODEL_CPU_LEVEL_H
#define MODEL_CPU_LEVEL_H

#include <stdbool.h>

enum cpu_level {
    CPU_LEVEL_PLAIN,                 /* C for any processor */
    CPU_LEVEL_AVX2,                  /* AVX2 and FMA */
    CPU_LEVEL_AVX512,                /* AVX-512 F, BW, DQ and VL */
    CPU_LEVEL_NEON = CPU_LEVEL_AVX2, /* that of 64-bit ARM */
};

/* plain, avx2, avx512; on ARM plain, neon. NULL past the last. */
const char *cpu_level_name(int level);
/* The highest level of this processor. Any thread. */
enum cpu_level cpu_level_of_processor(void);
/* Whether this processor, which has the level, multiplies its vectors by dot products: of
 * integers (AVX-VNNI for those of AVX2, AVX512-VNNI for those of AVX-512, DotProd for NEON's), or
 * of bf16. Any thread. */
bool cpu_level_has_dot(enum cpu_level level);
bool cpu_level_has_bf16(enum cpu_level level);
/* The level to use: the processor's, or a lower one that the environment variable
 * CONTINUO_KERNELS names (other words are ignored). Any thread while
 * none changes the environment. */
enum cpu_level cpu_level_to_use(void);
/* True if the environment names no level; then AMX, which is in no level, may be used. */
bool cpu_level_is_free(void);

#endif
