/* The set for AVX2, FMA and AVX-VNNI. */
#if defined(__x86_64__)

#define TARGET   __attribute__((target("avx2,fma,avxvnni")))
#define LANES    8
#define DOT_INT8 1
#define NAME     "avx2vnni"
#define KERNELS  packed_avx2vnni

#include "model/weights/packed_body.h"

#endif
