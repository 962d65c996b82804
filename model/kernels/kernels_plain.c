/* The kernels for any processor, the reference for the others' tests. Vectors of four floats
 * are native to SSE2 (all x86-64) and NEON (64-bit ARM); for others the compiler emulates them. */
#define TARGET
#define LANES   4
#define NAME    "plain"
#define KERNELS kernels_plain

#include "model/kernels/kernels_body.h"
