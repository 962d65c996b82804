/* The SIMD instructions that this program may use, as a level. Kernels are compiled once
 * per level, and the highest one that the processor has is chosen at run time. Any thread
 * may ask. */
#ifndef MODEL_CPU_LEVEL_H
#define MODEL_CPU_LEVEL_H

#include <stdbool.h>

enum cpu_level {
    CPU_LEVEL_PLAIN,                 /* C for any processor */
    CPU_LEVEL_AVX2,                  /* AVX2 and FMA */
    CPU_LEVEL_AVX512,                /* AVX-512 F, BW, DQ and VL */
    CPU_LEVEL_NEON = CPU_LEVEL_AVX2, /* every 64-bit ARM has it */
};

/* "plain", "avx2" or "avx512"; on ARM "plain" or "neon". NULL past the last level. */
const char *cpu_level_name(int level);
/* The highest level of this processor. */
enum cpu_level cpu_level_of_processor(void);
/* Whether the processor, which must have the level, also multiplies the level's vectors
 * by dot products. has_dot: of integers (AVX-VNNI for AVX2, AVX512-VNNI for AVX-512,
 * DotProd for NEON). has_bf16: of bf16 numbers. */
bool cpu_level_has_dot(enum cpu_level level);
bool cpu_level_has_bf16(enum cpu_level level);
/* The level to use: the processor's, or a lower one that the environment variable
 * CONTINUO_KERNELS names. Other words in the variable are ignored. No thread may change
 * the environment meanwhile. */
enum cpu_level cpu_level_to_use(void);
/* True if the environment names no level. Only then may AMX be used, which belongs to no
 * level. */
bool cpu_level_is_free(void);

#endif
