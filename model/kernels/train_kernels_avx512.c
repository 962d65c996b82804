/* The kernels of training on the vectors of model/kernels/kernels_avx512.c. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES   16
#define KERNELS train_kernels_of_avx512

#include "model/kernels/train_kernels_body.h"

#endif
