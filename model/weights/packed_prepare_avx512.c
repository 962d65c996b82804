/* Vectors made ready, for processors with AVX-512. */
#if defined(__x86_64__)

#define TARGET       __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES        16
#define PREPARE_INT8 packed_int8_avx512
#define PREPARE_BF16 packed_bf16_avx512

#include "model/weights/packed_prepare.h"

#endif
