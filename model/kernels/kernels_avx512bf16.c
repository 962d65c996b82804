/* The kernels for x86 processors with AVX-512, AVX512-VNNI and AVX512-BF16. */
#if defined(__x86_64__)

#define TARGET                                                                         \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,"             \
                          "avx512bf16")))
#define LANES   16
#define DOTS    2
#define NAME    "avx512bf16"
#define KERNELS kernels_avx512bf16

#include "model/kernels/kernels_body.h"

#endif
