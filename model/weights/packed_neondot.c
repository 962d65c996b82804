/* The set for ARM with dot products of bytes. */
#if defined(__aarch64__)

#define TARGET   __attribute__((target("arch=armv8.2-a+dotprod")))
#define LANES    4
#define NEON     1
#define DOT_INT8 1
#define NAME     "neondot"
#define KERNELS  packed_neondot

#include "model/weights/packed_body.h"

#endif
