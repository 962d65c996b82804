/* A pool of threads that runs one job at a time, split into tasks by index.
 *
 * The caller works too, so a pool of one has no threads. Results do not depend on which
 * thread runs a task: a task writes only its own outputs and sums in its own fixed
 * order. The same i and n usually get the same thread, whose cache still holds what the
 * task reads again; a thread that is done helps the others. Between jobs threads spin
 * for a fraction of a millisecond, then sleep, so an idle program uses no processor.
 * Only one thread calls pool_run. */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

#include <stdatomic.h>

enum { POOL_MOST_TASKS = (1 << 20) - 1 };

struct pool;

/* n_threads 0: one for each processor it may use. NULL: no memory or no threads. */
struct pool *pool_create(int n_threads);
void pool_destroy(struct pool *p);
int pool_n_threads(const struct pool *p);

/* Calls task(arg, i, thread) for i in [0, n); n is at most POOL_MOST_TASKS. Returns
 * when all are done; the caller then sees everything they wrote. `thread` in [0,
 * n_threads) only selects scratch memory. While the flag of pool_set_cancel is set, tasks
 * may be left out, so outputs hold anything. */
void pool_run(struct pool *p, void (*task)(void *arg, int i, int thread), void *arg,
              int n);

/* While *flag is true, tasks that have not begun are left out: a caller whose results nobody
 * wants any more comes back within the longest task. NULL: none is. Between two jobs. */
void pool_set_cancel(struct pool *p, const atomic_bool *flag);

#endif
