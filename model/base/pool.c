/* A pool of threads. See pool.h.
 *
 * A job of n tasks is divided into lanes, one per thread: lane t holds the tasks [t
 * n/T, (t+1) n/T). A thread runs its own lane, whose weights are still in its cache
 * from the token before; then it helps with the other lanes, so that no job waits for a
 * thread that has lost its processor.
 *
 * Every job has a serial number. A lane's counter holds the serial of the last job from
 * which a task was claimed, and how many were. So nothing is reset between jobs, and a
 * late thread cannot take a task of a job it has not read: it finds that its job has no
 * tasks left and looks for the next job.
 *
 * Publishing a job is one store, which spinning threads see. A system call is made only
 * when a thread sleeps. */
#include "model/base/pool.h"
#include "model/base/wakeup.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE = 128,    /* bytes: two cache lines, as some processors fetch them in pairs */
    COUNT = 20,    /* bits of a job's number of tasks, below the bits of its serial */
    SPIN_US = 200, /* a worker, before it sleeps */
    GRACE = 32,    /* checks, about a microsecond, whether a job ends before helping */
    LOOKS = 64,    /* checks for a job between two readings of the clock */
    SPINS = 4000,  /* the caller, before it yields; some tens of microseconds */
};

_Static_assert(POOL_MOST_TASKS == (1 << COUNT) - 1, "a job's number has room for n");

/* Counters of one thread's lane, on cache lines that other data does not share. */
struct lane {
    /* serial << COUNT | tasks claimed. Only grows. An older serial than the job's:
     * none. */
    alignas(LINE) _Atomic uint64_t claimed;

    /* Tasks this thread has done, of all jobs and in any lane. It alone writes. */
    alignas(LINE) _Atomic uint64_t done;
    struct pool *pool; /* constant, as all below */
    int thread;        /* 1.. ; the caller is 0 */
    pthread_t id;
};

struct pool {
    int n_threads;
    const atomic_bool *cancel; /* others write it; NULL: nobody */
    bool crowded;    /* more threads than processors, so spinning would be in the way */
    uint64_t wanted; /* tasks of all jobs so far; only the caller reads and writes it */

    /* The job. Its task and argument are written before its serial is published, and
     * stay constant until all of its tasks are done. At 260,000 jobs a second, serials
     * last two years. */
    alignas(LINE) _Atomic uint64_t job; /* serial << COUNT | n */
    void (*task)(void *arg, int i, int thread);
    void *arg;
    atomic_bool quit;
    struct wakeup wakeup;

    struct lane lanes[];
};

static bool is_cancelled(const struct pool *p)
{
    return p->cancel && atomic_load_explicit(p->cancel, memory_order_relaxed);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int lane_start(const struct pool *p, int n, int lane)
{
    return (int)((int64_t)n * lane / p->n_threads);
}

/* Claims a task of the lane and returns its index in the lane. Returns n if all are
 * claimed, or if the job is over and the counter belongs to a later one.
 *
 * Relaxed order is enough. The thread has read the job's number, so it sees the task
 * and the argument. They are still this job's, because a task was unclaimed; the
 * read-modify-write sees the counter's latest value. */
static int claim(struct lane *l, uint64_t serial, int n)
{
    const uint64_t first = serial << COUNT;
    uint64_t claimed = atomic_load_explicit(&l->claimed, memory_order_relaxed);
    for (;;) {
        const uint64_t i = claimed < first ? 0 : claimed - first;
        if (i >= (uint64_t)n)
            return n;
        if (atomic_compare_exchange_weak_explicit(&l->claimed, &claimed, first + i + 1,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int)i;
    }
}

/* Runs the rest of a lane, then counts it as done; the caller may be waiting for it. */
static void work_lane(struct pool *p, uint64_t job, int lane, int thread)
{
    const int n = (int)(job & POOL_MOST_TASKS);
    const int start = lane_start(p, n, lane), size = lane_start(p, n, lane + 1) - start;
    unsigned n_run = 0;
    for (int i; (i = claim(&p->lanes[lane], job >> COUNT, size)) < size; n_run++)
        if (!is_cancelled(p))
            p->task(p->arg, start + i, thread);
    if (n_run)
        atomic_fetch_add_explicit(&p->lanes[thread].done, n_run, memory_order_release);
}

/* Each count only grows and never includes an unfinished task. So the sum reaches
 * `wanted` only when everything is done, whenever each count was read. */
static bool is_done(const struct pool *p)
{
    uint64_t done = 0;
    for (int i = 0; i < p->n_threads; i++)
        done += atomic_load_explicit(&p->lanes[i].done, memory_order_acquire);
    return done == p->wanted;
}

/* True if the job ends within GRACE looks, as far as the caller or a worker can see. */
static bool ends_soon(const struct pool *p, uint64_t job, int thread)
{
    for (int i = 0; i < GRACE; i++, relax())
        if (thread ? atomic_load_explicit(&p->job, memory_order_relaxed) != job
                   : is_done(p))
            return true;
    return false;
}

/* Runs the thread's own lane, then those of the threads after it. Helping at once would
 * gain nanoseconds, but move tasks and contend for other lanes' counters. */
static void work(struct pool *p, uint64_t job, int thread)
{
    work_lane(p, job, thread, thread);
    if (ends_soon(p, job, thread))
        return;
    for (int i = 1; i < p->n_threads; i++)
        work_lane(p, job, (thread + i) % p->n_threads, thread);
}

/* Spins, for SPIN_US at most, until there is a job other than the one seen. */
static bool spin_for_job(const struct pool *p, uint64_t seen)
{
    for (int64_t until = 0;;) {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&p->job, memory_order_acquire) != seen)
                return true;
            relax();
        }
        const int64_t now = now_us();
        if (!until)
            until = now + SPIN_US;
        else if (now >= until)
            return false;
        if (p->crowded)
            sched_yield();
    }
}

/* Waits for a job other than the one seen; returns its number. */
static uint64_t await_job(struct pool *p, uint64_t seen)
{
    while (!spin_for_job(p, seen)) {
        const unsigned marked = wakeup_mark(&p->wakeup);
        if (atomic_load(&p->job) == seen)
            wakeup_wait(&p->wakeup, marked);
    }
    return atomic_load_explicit(&p->job, memory_order_acquire);
}

/* Stores the job, then notifies, as wakeup.h asks. Returns the job's number. */
static uint64_t publish(struct pool *p, int n)
{
    const uint64_t serial = (atomic_load(&p->job) >> COUNT) + 1;
    const uint64_t job = serial << COUNT | (uint64_t)n;
    atomic_store(&p->job, job);
    wakeup_notify(&p->wakeup);
    return job;
}

/* Spins, then yields: a worker that takes longer has lost its processor. */
static void await_done(const struct pool *p)
{
    const int n_spins = p->crowded ? LOOKS : SPINS;
    for (int looks = 0; !is_done(p); looks++)
        if (looks < n_spins)
            relax();
        else
            sched_yield();
}

static void *run_worker(void *arg)
{
    struct lane *own = arg;
    struct pool *p = own->pool;
    uint64_t job = 0;
#ifdef __linux__
    char name[32];
    snprintf(name, sizeof name, "pool %d", own->thread);
    pthread_setname_np(pthread_self(), name);
#endif
    for (;;) {
        job = await_job(p, job);
        if (atomic_load(&p->quit))
            return NULL;
        work(p, job, own->thread);
    }
}

/* As glibc gives; macOS gives 512 KB, and musl 128 KB. */
enum { STACK_BYTES = 8 << 20 };

static bool start_worker(struct lane *own)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int error = pthread_create(&own->id, &attributes, run_worker, own);
    pthread_attr_destroy(&attributes);
    return !error;
}

void pool_run(struct pool *p, void (*task)(void *arg, int i, int thread), void *arg,
              int n)
{
    if (p->n_threads == 1 || n <= 1) {
        for (int i = 0; i < n && !is_cancelled(p); i++)
            task(arg, i, 0);
        return;
    }
    assert(n <= POOL_MOST_TASKS);
    p->task = task;
    p->arg = arg;
    p->wanted += (uint64_t)n;
    work(p, publish(p, n), 0);
    await_done(p);
}

void pool_set_cancel(struct pool *p, const atomic_bool *flag)
{
    p->cancel = flag;
}

static void stop(struct pool *p, int n_started)
{
    atomic_store(&p->quit, true);
    publish(p, 0);
    for (int i = 1; i < n_started; i++)
        pthread_join(p->lanes[i].id, NULL);
    wakeup_fini(&p->wakeup);
    free(p);
}

/* The processors this process may use, where the system tells. */
static int count_processors(void)
{
#if defined(__linux__) && !defined(CONTINUO_PORTABLE)
    cpu_set_t ours;
    if (!sched_getaffinity(0, sizeof ours, &ours))
        return CPU_COUNT(&ours);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

struct pool *pool_create(int n_threads)
{
    const int n_processors = count_processors();
    if (n_threads <= 0)
        n_threads = n_processors;
    const size_t size = sizeof(struct pool) + (size_t)n_threads * sizeof(struct lane);
    struct pool *p = aligned_alloc(LINE, size);
    if (!p)
        return NULL;
    memset(p, 0, size);
    p->n_threads = n_threads;
    p->crowded = n_threads > n_processors;
    wakeup_init(&p->wakeup);
    for (int i = 1; i < n_threads; i++) {
        struct lane *own = &p->lanes[i];
        own->pool = p;
        own->thread = i;
        if (!start_worker(own)) {
            stop(p, i);
            return NULL;
        }
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
