/* The set for any processor, the reference for the others' tests: see
 * model/kernels/kernels_plain.c. */
#define TARGET
#define LANES   4
#define NAME    "plain"
#define KERNELS packed_plain

#include "model/weights/packed_body.h"
