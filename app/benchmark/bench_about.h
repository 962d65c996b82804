/* What the figures of continuo bench were measured on. */
#ifndef APP_BENCH_ABOUT_H
#define APP_BENCH_ABOUT_H

#include "app/benchmark/bench.h"

/* Prints it, or adds it to the JSON's "machine". */
void bench_about(const struct bench *b);

/* Whether OpenBLAS, having chosen the kernels of `core`, leaves half of a processor with
 * AVX-512 unused: those for AVX2 and older do. */
bool about_core_is_slow(const char *core, bool has_avx512);

#endif
