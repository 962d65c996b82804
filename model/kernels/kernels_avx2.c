/* The kernels for x86 processors with AVX2 and FMA. int8 products use vpmaddubsw: on a
 * Skylake this measured up to a seventh faster than widening bytes to 16 bits. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx2,fma")))
#define LANES   8
#define NAME    "avx2"
#define KERNELS kernels_avx2

#include "model/kernels/kernels_body.h"

#endif
