/* A pool of threads that runs one job at a time, split into tasks by index.
 *
 * The caller works too, so a pool of one has no threads. Which thread runs a
 * task never changes a result: a task writes only its own outputs and sums in
 * its own fixed order. Usually it is the same thread for the same i and n, so that
 * what it reads again is still in its cache; a thread that is done helps the others.
 * Between jobs threads spin for a fraction of a millisecond, then sleep, so an
 * idle program uses no processor. pool_run is for the pool's one user. */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

#include <stddef.h>

enum { POOL_MOST_TASKS = (1 << 20) - 1 };

struct pool;

/* n_threads 0: one for each processor this process may use. NULL: no memory or no threads. */
struct pool *pool_create(int n_threads);
void pool_destroy(struct pool *p);
int pool_n_threads(const struct pool *p);

/* Calls task(arg, i, thread) for i in [0, n); n at most POOL_MOST_TASKS. Returns when all
 * are done, and everything they wrote can be read.
 * `thread` in [0, n_threads) names scratch memory, nothing else. */
void pool_run(struct pool *p, void (*task)(void *arg, int i, int thread), void *arg,
              int n);

#endif
