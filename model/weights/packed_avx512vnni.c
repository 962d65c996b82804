/* The set for AVX-512 and its VNNI. */
#if defined(__x86_64__)

#define TARGET   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define LANES    16
#define DOT_INT8 1
#define NAME     "avx512vnni"
#define KERNELS  packed_avx512vnni

#include "model/weights/packed_body.h"

#endif
