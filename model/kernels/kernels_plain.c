/* The kernels for any processor. They are also the reference against which the others are
 * tested. Vectors of four floats are native to SSE2 (every x86-64) and NEON; elsewhere
 * the compiler emulates them. */
#define TARGET
#define LANES   4
#define NAME    "plain"
#define KERNELS kernels_plain

#include "model/kernels/kernels_body.h"
