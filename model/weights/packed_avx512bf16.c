/* The set for AVX-512, its VNNI and its BF16. */
#if defined(__x86_64__)

#define TARGET                                                                         \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,"             \
                          "avx512bf16")))
#define LANES    16
#define DOT_INT8 1
#define DOT_BF16 1
#define NAME     "avx512bf16"
#define KERNELS  packed_avx512bf16

#include "model/weights/packed_body.h"

#endif
