/* How fast memory is read: all threads of a pool at once, each its own part over and
 * over, so that a small working set stays where the processor keeps it. */
#ifndef APP_BENCH_READ_H
#define APP_BENCH_READ_H

#include "model/base/pool.h"

#include <stdbool.h>

struct bench_memory {
    char *at;
    size_t n_bytes;
};

/* false: not enough memory. Written once, so that it is there. */
bool bench_memory_init(struct bench_memory *m, size_t n_bytes);
void bench_memory_fini(struct bench_memory *m);

/* Seconds that reading the first n_bytes once takes, all threads together, the faster
 * way of two: measured over enough repetitions to be some milliseconds. n_bytes is at
 * most the memory's. */
double bench_memory_read(const struct bench_memory *m, struct pool *pool,
                         size_t n_bytes);

#endif
