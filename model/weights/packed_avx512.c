/* The set for AVX-512 F, BW, DQ and VL. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES   16
#define NAME    "avx512"
#define KERNELS packed_avx512

#include "model/weights/packed_body.h"

#endif
