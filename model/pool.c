/* A pool of threads. See pool.h.
 *
 * Tasks are claimed from one counter, so whoever has a processor works and nobody
 * waits for a thread that has none: a job is over when its tasks are done, whether
 * or not every thread came. A thread that comes late finds nothing to claim, or
 * something of the next job, which is as good.
 *
 * Threads spin for a short while between jobs (a token needs dozens in a row),
 * then sleep on a condition. */
#include "model/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { SPINS = 4000 }; /* some tens of microseconds */

struct worker {
    struct pool *pool;
    int thread; /* 1.. ; the caller is 0 */
};

struct pool {
    int n_threads;
    pthread_t *threads;
    struct worker *workers;

    /* The job. Written before `unclaimed` is released, read only by who has
     * claimed a task, constant until `undone` is 0. */
    void (*task)(void *arg, int i, int thread);
    void *arg;

    atomic_int unclaimed; /* tasks; who takes it from i + 1 to i has task i */
    atomic_int undone;
    atomic_uint generation; /* bumped once a job; workers wait for a change */
    atomic_bool quit;

    pthread_mutex_t lock; /* guards n_asleep, with the condition */
    pthread_cond_t wake;
    int n_asleep;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void work(struct pool *p, int thread)
{
    int left;
    while ((left = atomic_fetch_sub_explicit(&p->unclaimed, 1, memory_order_acquire)) >
           0) {
        p->task(p->arg, left - 1, thread);
        atomic_fetch_sub_explicit(&p->undone, 1, memory_order_release);
    }
}

/* Until there is a job newer than `seen`; its generation. */
static unsigned await_job(struct pool *p, unsigned seen)
{
    for (int i = 0; i < SPINS; i++) {
        unsigned now = atomic_load_explicit(&p->generation, memory_order_acquire);
        if (now != seen)
            return now;
        relax();
    }
    pthread_mutex_lock(&p->lock);
    p->n_asleep++;
    unsigned now;
    while ((now = atomic_load(&p->generation)) == seen)
        pthread_cond_wait(&p->wake, &p->lock);
    p->n_asleep--;
    pthread_mutex_unlock(&p->lock);
    return now;
}

static void *run_worker(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    unsigned seen = 0;
    for (;;) {
        seen = await_job(p, seen);
        if (atomic_load(&p->quit))
            return NULL;
        work(p, w->thread);
    }
}

/* The generation changes under the lock, so that a thread about to sleep either
 * sees it or is counted asleep and woken. */
static void publish(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->generation, 1);
    if (p->n_asleep)
        pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

void pool_run(struct pool *p, void (*task)(void *arg, int i, int thread), void *arg,
              int n)
{
    if (p->n_threads == 1 || n <= 1) {
        for (int i = 0; i < n; i++)
            task(arg, i, 0);
        return;
    }
    p->task = task;
    p->arg = arg;
    atomic_store_explicit(&p->undone, n, memory_order_relaxed);
    atomic_store_explicit(&p->unclaimed, n, memory_order_release);
    publish(p);
    work(p, 0);
    for (int spins = 0; atomic_load_explicit(&p->undone, memory_order_acquire) > 0;)
        if (++spins < SPINS)
            relax();
        else
            sched_yield(); /* a worker may have lost its processor: lend it ours */
}

static void stop(struct pool *p, int n_started)
{
    atomic_store(&p->quit, true);
    publish(p);
    for (int i = 1; i < n_started; i++)
        pthread_join(p->threads[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
    free(p->threads);
    free(p->workers);
    free(p);
}

struct pool *pool_create(int n_threads)
{
    if (n_threads <= 0)
        n_threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (n_threads < 1)
        n_threads = 1;
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->n_threads = n_threads;
    p->threads = calloc((size_t)n_threads, sizeof *p->threads);
    p->workers = calloc((size_t)n_threads, sizeof *p->workers);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (int i = 1; p->threads && p->workers && i < n_threads; i++) {
        p->workers[i] = (struct worker){p, i};
        if (pthread_create(&p->threads[i], NULL, run_worker, &p->workers[i])) {
            stop(p, i);
            return NULL;
        }
    }
    if (!p->threads || !p->workers) {
        stop(p, 1);
        return NULL;
    }
    return p;
}

void pool_destroy(struct pool *p)
{
    if (p)
        stop(p, p->n_threads);
}

int pool_n_threads(const struct pool *p)
{
    return p->n_threads;
}
