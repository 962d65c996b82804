/* Which SIMD instructions may be used. Kernels come in several levels; every module that
 * has some of its own asks here. */
#ifndef MODEL_CPU_LEVEL_H
#define MODEL_CPU_LEVEL_H

#include <stdbool.h>

enum cpu_level {
    CPU_LEVEL_PLAIN,  /* what every processor of the architecture has */
    CPU_LEVEL_AVX2,   /* AVX2 and FMA */
    CPU_LEVEL_AVX512, /* AVX-512 F, BW, DQ and VL */
};

/* The highest level of this processor. Any thread. */
enum cpu_level cpu_level_of_processor(void);
/* Whether this processor, which has the level, has VNNI for its vectors: AVX-VNNI for those of
 * AVX2, AVX512-VNNI for those of AVX-512. Any thread. */
bool cpu_level_has_vnni(enum cpu_level level);
/* The level to use: the processor's, or a lower one that the environment variable
 * CONTINUO_KERNELS names (plain, avx2, avx512; other words are ignored). Any thread while
 * none changes the environment. */
enum cpu_level cpu_level_to_use(void);
/* True if the environment names no level; then AMX, which is in no level, may be used. */
bool cpu_level_is_free(void);

#endif
