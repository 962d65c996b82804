/* The kernels of training on the vectors of model/kernels/kernels_avx2.c. */
#if defined(__x86_64__)

#define TARGET  __attribute__((target("avx2,fma")))
#define LANES   8
#define KERNELS train_kernels_of_avx2

#include "model/kernels/train_kernels_body.h"

#endif
