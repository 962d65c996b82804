/* The kernels for 64-bit ARM with dot products of bytes. */
#if defined(__aarch64__)

#define TARGET  __attribute__((target("arch=armv8.2-a+dotprod")))
#define LANES   4
#define NEON    1
#define DOTS    1
#define NAME    "neondot"
#define KERNELS kernels_neondot

#include "model/kernels/kernels_body.h"

#endif
