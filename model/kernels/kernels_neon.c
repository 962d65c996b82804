/* The kernels for 64-bit ARM, which always has NEON. */
#if defined(__aarch64__)

#define TARGET
#define LANES   4
#define NEON    1
#define NAME    "neon"
#define KERNELS kernels_neon

#include "model/kernels/kernels_body.h"

#endif
