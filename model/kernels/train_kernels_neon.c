/* The kernels of training on the vectors of model/kernels/kernels_neon.c. */
#if defined(__aarch64__)

#define TARGET
#define LANES   4
#define NEON    1
#define KERNELS train_kernels_of_neon

#include "model/kernels/train_kernels_body.h"

#endif
