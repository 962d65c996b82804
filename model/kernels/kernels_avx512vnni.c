/* The kernels for x86 processors with AVX-512 and AVX512-VNNI. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define LANES   16
#define DOTS    1
#define NAME    "avx512vnni"
#define KERNELS kernels_avx512vnni

#include "model/kernels/kernels_body.h"

#endif
