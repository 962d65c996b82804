/* Vectors made ready, for processors with AVX2 and FMA. */
#if defined(__x86_64__)

#define TARGET       __attribute__((target("avx2,fma")))
#define LANES        8
#define PREPARE_INT8 packed_int8_avx2
#define PREPARE_BF16 packed_bf16_avx2

#include "model/weights/packed_prepare.h"

#endif
