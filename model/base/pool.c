/* A pool of threads. See pool.h.
 *
 * A job of n tasks is divided into lanes, one per thread. Lane t of T holds the tasks from
 * t n/T up to, but without, (t+1) n/T. A thread first runs its own lane, because the
 * weights that those tasks read are still in its cache from the previous token. Then it
 * helps with the other lanes, so that no job waits for a thread that the system has taken
 * off its processor.
 *
 * Every job has a serial number. A lane's counter holds the serial of the last job from
 * which a task was claimed, and the number of tasks claimed from that job. So no counter
 * is reset between jobs. A late thread cannot take a task of a newer job: it compares the
 * serial, finds no task left of its own job, and looks for the next one.
 *
 * Publishing a job is one atomic store, which spinning threads see. A system call is made
 * only if a thread sleeps. */
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
    LINE = 128,    /* bytes: two cache lines; some processors fetch them in pairs */
    COUNT = 20,    /* bits for a job's number of tasks, below the bits of its serial */
    SPIN_US = 200, /* how long a worker spins before it sleeps */
    GRACE = 32,    /* checks for the end of a job before helping; about 1 us */
    LOOKS = 64,    /* checks for a new job between two readings of the clock */
    SPINS = 4000,  /* checks before the caller yields; some tens of us */
};

_Static_assert(POOL_MOST_TASKS == (1 << COUNT) - 1, "a job's number has room for n");

/* The counters of one thread, on cache lines that no other thread's data shares. */
struct lane {
    /* serial << COUNT | number of tasks claimed. Only grows. If the serial is older than
     * the job's, no task of the job has been claimed. */
    alignas(LINE) _Atomic uint64_t claimed;

    /* The tasks that this thread has run, of all jobs and lanes. Only this thread writes
     * it. */
    alignas(LINE) _Atomic uint64_t done;
    struct pool *pool; /* constant, as are the fields below */
    int thread;        /* from 1; the caller of pool_run is thread 0 */
    pthread_t id;
};

struct pool {
    int n_threads;
    const atomic_bool *cancel; /* another thread writes it; NULL: no flag */
    bool crowded;    /* more threads than processors, so spinning would steal time */
    uint64_t wanted; /* the tasks of all jobs so far; only the caller uses it */

    /* The current job. `task` and `arg` are written before `job` is published and stay
     * constant until all tasks are done. The serial's 44 bits last two years at 260,000
     * jobs a second. */
    alignas(LINE) _Atomic uint64_t job; /* serial << COUNT | number of tasks */
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

/* Claims a task of the lane and returns its index in the lane. Returns n if no task is
 * left, either because all are claimed or because the counter already belongs to a later
 * job.
 *
 * Relaxed order is enough. The thread has read the job's number with acquire, so it sees
 * the job's task and argument. While a task of the job is unclaimed, the job is not done,
 * so the task and argument are still this job's. The compare-and-exchange always works on
 * the counter's latest value. */
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

/* Runs the unclaimed tasks of a lane, then adds them to this thread's `done`. The release
 * order lets the caller, who may be waiting for that sum, see what the tasks wrote. */
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

/* True if all tasks are done. Counts only grow and include finished tasks alone. So their
 * sum equals `wanted` only if everything is done, at whatever moments the counts were
 * read. */
static bool is_done(const struct pool *p)
{
    uint64_t done = 0;
    for (int i = 0; i < p->n_threads; i++)
        done += atomic_load_explicit(&p->lanes[i].done, memory_order_acquire);
    return done == p->wanted;
}

/* True if the job ends within GRACE checks: for the caller when all tasks are done, for a
 * worker when a newer job is published. */
static bool ends_soon(const struct pool *p, uint64_t job, int thread)
{
    for (int i = 0; i < GRACE; i++, relax())
        if (thread ? atomic_load_explicit(&p->job, memory_order_relaxed) != job
                   : is_done(p))
            return true;
    return false;
}

/* Runs the thread's own lane, then helps with the lanes of the threads after it. Helping
 * without the short wait would gain nanoseconds, but would move tasks to threads with
 * cold caches and contend for the other lanes' counters. */
static void work(struct pool *p, uint64_t job, int thread)
{
    work_lane(p, job, thread, thread);
    if (ends_soon(p, job, thread))
        return;
    for (int i = 1; i < p->n_threads; i++)
        work_lane(p, job, (thread + i) % p->n_threads, thread);
}

/* Spins until there is a job other than `seen`, for SPIN_US at most. False: there is
 * none. */
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

/* Waits for a job other than `seen`, if necessary asleep. Returns the job's number. */
static uint64_t await_job(struct pool *p, uint64_t seen)
{
    while (!spin_for_job(p, seen)) {
        const unsigned marked = wakeup_mark(&p->wakeup);
        if (atomic_load(&p->job) == seen)
            wakeup_wait(&p->wakeup, marked);
    }
    return atomic_load_explicit(&p->job, memory_order_acquire);
}

/* Stores the job's number, then notifies: the order that wakeup.h requires. Returns the
 * number. */
static uint64_t publish(struct pool *p, int n)
{
    const uint64_t serial = (atomic_load(&p->job) >> COUNT) + 1;
    const uint64_t job = serial << COUNT | (uint64_t)n;
    atomic_store(&p->job, job);
    wakeup_notify(&p->wakeup);
    return job;
}

/* Waits for all tasks. Spins first. A worker that takes longer has lost its processor;
 * yielding may give it this one. */
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

/* The size of stack that glibc gives. macOS would give 512 KB, and musl 128 KB. */
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

/* The number of processors that this process may use. Where the system does not tell, the
 * number of processors online. */
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
