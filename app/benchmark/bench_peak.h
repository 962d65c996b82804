/* The peak arithmetic of this processor's threads: independent multiply-adds on registers and
 * nothing else. An operation is a multiplication or an addition, so a fused multiply-add is
 * two operations a lane. Main thread. */
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
/* p if it is present, else the widest f32, which does the work then. */
enum peak peak_or_f32(enum peak p);

/* Seconds for one operation while every thread of the pool works, measured over some
 * milliseconds. */
double peak_seconds(enum peak p, struct pool *pool);

/* How fast memory is read. Each thread of a pool reads its own part over and over, so a small
 * working set stays in the cache. */

struct bench_memory {
    char *at;
    size_t n_bytes;
};

/* Allocates the memory and writes it once, so that its pages exist. false: not enough. */
bool bench_memory_init(struct bench_memory *m, size_t n_bytes);
void bench_memory_fini(struct bench_memory *m);

/* Seconds to read the first n_bytes once with all threads, by the faster of two methods,
 * measured over some milliseconds of repetitions. n_bytes is at most the memory's. */
double bench_memory_read(const struct bench_memory *m, struct pool *pool,
                         size_t n_bytes);

#endif
