/* The set for ARM with dot products of bytes and of bf16. */
#if defined(__aarch64__)

#define TARGET   __attribute__((target("arch=armv8.2-a+dotprod+bf16")))
#define LANES    4
#define NEON     1
#define DOT_INT8 1
#define DOT_BF16 1
#define NAME     "neonbf16"
#define KERNELS  packed_neonbf16

#include "model/weights/packed_body.h"

#endif
