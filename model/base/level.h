/* Which instructions may be used: the kernels come for several levels, and every module
 * that has some of its own asks here. */
#ifndef MODEL_LEVEL_H
#define MODEL_LEVEL_H

#include <stdbool.h>

enum level {
    LEVEL_PLAIN,  /* what every processor of the architecture has */
    LEVEL_AVX2,   /* AVX2 and FMA */
    LEVEL_AVX512, /* AVX-512 F, BW, DQ and VL */
};

/* The highest level that this processor has. Any thread. */
enum level level_of_processor(void);
/* The highest to use: the processor's, or a lower one that the environment's
 * CONTINUO_KERNELS names (plain, avx2, avx512; any other word is as none). Any thread
 * while none changes the environment. */
enum level level_to_use(void);
/* Does the environment name no level? Then what is newer than all of them, AMX, may be
 * used, too. */
bool level_is_free(void);

#endif
