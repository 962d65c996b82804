/* The kernels for x86 processors with AVX2, FMA and AVX-VNNI, but without AVX-512. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx2,fma,avxvnni")))
#define LANES   8
#define DOTS    1
#define NAME    "avx2vnni"
#define KERNELS kernels_avx2vnni

#include "model/kernels/kernels_body.h"

#endif
