/* The most arithmetic a thread of this processor does: independent multiply-adds on
 * registers and nothing else. An operation is a multiplication or an addition, so a
 * fused multiply-add is two of them a lane. */
#ifndef APP_BENCH_PEAK_H
#define APP_BENCH_PEAK_H

#include "model/base/pool.h"

#include <stdbool.h>

enum peak {
    PEAK_PLAIN,  /* f32, C without intrinsics, in vectors of four */
    PEAK_AVX2,   /* f32, fused, eight lanes */
    PEAK_AVX512, /* f32, fused, sixteen lanes */
    PEAK_BF16,   /* vdpbf16ps: pairs of bf16, added up in f32 */
    PEAK_INT8,   /* vpdpbusd: fours of 8-bit whole numbers, added up in 32 bits */
    N_PEAKS,
};

const char *peak_name(enum peak p);
/* Whether this processor has the instructions; the others must not be run. */
bool peak_present(enum peak p);
/* The widest f32 here. */
enum peak peak_f32(void);
/* p where it is present, else the widest f32, which then has to do its work. */
enum peak peak_or_f32(enum peak p);

/* Seconds that one operation takes while every thread of the pool does as many as it
 * can, measured over some milliseconds. */
double peak_seconds(enum peak p, struct pool *pool);

#endif
