/* A pool of threads that runs one job at a time. A job is a function and a number of
 * tasks; each task is one call with its index.
 *
 * The calling thread works too, so a pool of one thread starts none. Results do not
 * depend on which thread runs a task, as long as a task writes only its own outputs and
 * sums in a fixed order. A task with the same index out of the same number usually runs
 * on the same thread, whose cache still holds what the task read last time. A thread that
 * has finished its share helps the others. Between jobs the threads spin for a fraction
 * of a millisecond and then sleep, so an idle program uses no processor. Only one thread
 * may call pool_run. */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

#include <stdatomic.h>

enum { POOL_MOST_TASKS = (1 << 20) - 1 };

struct pool;

/* n_threads 0: one per processor that this process may use. NULL: out of memory or
 * threads. */
struct pool *pool_create(int n_threads);
void pool_destroy(struct pool *p);
int pool_n_threads(const struct pool *p);

/* Calls task(arg, i, thread) for every i in [0, n), where n is at most POOL_MOST_TASKS.
 * Returns when all calls have returned, and the caller sees everything that they wrote.
 * `thread` is in [0, n_threads); a task uses it only to choose scratch memory. While the
 * flag of pool_set_cancel is true, tasks may be left out; their outputs are then
 * undefined. */
void pool_run(struct pool *p, void (*task)(void *arg, int i, int thread), void *arg,
              int n);

/* Sets the cancel flag; NULL: none. While *flag is true, tasks that have not begun are
 * left out, so pool_run returns as soon as the longest running task does. Call it between
 * two jobs. */
void pool_set_cancel(struct pool *p, const atomic_bool *flag);

#endif
