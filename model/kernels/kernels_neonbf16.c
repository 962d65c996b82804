/* The kernels for 64-bit ARM with dot products of bytes and of bf16. */
#if defined(__aarch64__)

#define TARGET  __attribute__((target("arch=armv8.2-a+dotprod+bf16")))
#define LANES   4
#define NEON    1
#define DOTS    2
#define NAME    "neonbf16"
#define KERNELS kernels_neonbf16

#include "model/kernels/kernels_body.h"

#endif
