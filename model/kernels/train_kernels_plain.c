/* The kernels of training on the vectors of model/kernels/kernels_plain.c. */
#define TARGET
#define LANES   4
#define KERNELS train_kernels_of_plain

#include "model/kernels/train_kernels_body.h"
