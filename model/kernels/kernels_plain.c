/* The kernels for any processor: compilers have vectors of four floats on all that
 * matter (SSE2 belongs to x86-64, NEON to 64-bit ARM), and make do on others. */
#define TARGET
#define LANES   4
#define NAME    "plain"
#define KERNELS kernels_plain

#include "model/kernels/kernels_body.h"
