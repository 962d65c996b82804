/* Every task of a job runs once, before pool_run returns, on a thread of the pool, and
 * as a rule on the same one each time; between jobs the pool uses no processor. */
#include "tests/check.h"
#include "tests/model/auto.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TASKS = 1000, MAX_THREADS = 8 };

struct job {
    int runs[MAX_TASKS]; /* plain, so that TSan sees a task run by two threads */
    int n_threads;
    atomic_int strangers; /* tasks given a thread outside the pool */
};

static void count(void *arg, int i, int thread)
{
    struct job *job = arg;
    job->runs[i]++;
    if (thread < 0 || thread >= job->n_threads)
        atomic_fetch_add(&job->strangers, 1);
}

static bool runs_once(struct pool *p, struct job *job, int n)
{
    memset(job->runs, 0, sizeof job->runs);
    pool_run(p, count, job, n);
    for (int i = 0; i < MAX_TASKS; i++)
        if (job->runs[i] != (i < n))
            return false;
    return atomic_load(&job->strangers) == 0;
}

/* More threads than most machines have processors, and fewer tasks than threads. */
TEST(every_task_runs_once)
{
    static struct job job;
    for (int n_threads = 1; n_threads <= MAX_THREADS; n_threads++) {
        auto_pool *p = pool_create(n_threads);
        assert_non_null(p);
        assert_int_equal(pool_n_threads(p), n_threads);
        job.n_threads = n_threads;
        for (int n = 0; n < 40; n++)
            assert_true(runs_once(p, &job, n));
        assert_true(runs_once(p, &job, MAX_TASKS));
    }
}

/* Pauses about as long as a worker spins, so that jobs meet it spinning, marking the
 * bell, asleep and waking. */
TEST(jobs_back_to_back_and_after_pauses)
{
    static struct job job;
    unsigned random = 1;
    for (int n_threads = 2; n_threads <= 4; n_threads++) {
        auto_pool *p = pool_create(n_threads);
        job.n_threads = n_threads;
        for (int round = 0; round < 2000; round++) {
            assert_true(runs_once(p, &job, round % 20));
            random = random * 1664525 + 1013904223;
            if (round % 8 == 0)
                usleep(random >> 24); /* 0 to 255, and what the system adds */
        }
    }
}

static void add_one(void *arg, int i, int thread)
{
    atomic_fetch_add_explicit((atomic_uint *)arg, 1, memory_order_relaxed);
}

TEST(the_largest_job)
{
    auto_pool *p = pool_create(3);
    atomic_uint n = 0;
    pool_run(p, add_one, &n, POOL_MOST_TASKS);
    assert_int_equal(atomic_load(&n), POOL_MOST_TASKS);
    pool_run(p, add_one, &n, 5);
    assert_int_equal(atomic_load(&n), POOL_MOST_TASKS + 5);
}

/* A chain of jobs, each reading what other threads wrote in the one before. */
struct chain {
    int from[64], to[64];
};

static void mix(void *arg, int i, int thread)
{
    struct chain *c = arg;
    c->to[i] = c->from[(i + 1) % 64] + c->from[(i + 63) % 64] % 1000;
}

static void take_over(void *arg, int i, int thread)
{
    struct chain *c = arg;
    c->from[63 - i] = c->to[63 - i] % 100000;
}

static void follow_chain(struct chain *c, int n_threads)
{
    auto_pool *p = pool_create(n_threads);
    for (int i = 0; i < 64; i++)
        c->from[i] = i;
    for (int step = 0; step < 2000; step++) {
        pool_run(p, mix, c, 64);
        pool_run(p, take_over, c, 64);
    }
}

TEST(a_job_sees_all_of_the_one_before)
{
    struct chain one, three;
    follow_chain(&one, 1);
    follow_chain(&three, 3);
    assert_memory_equal(one.to, three.to, sizeof one.to);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Until `n` tasks have come to this point; false when they have not in ten seconds. */
static bool meet(atomic_int *come, int n)
{
    const double start = seconds(CLOCK_MONOTONIC);
    atomic_fetch_add(come, 1);
    while (atomic_load(come) < n) {
        if (seconds(CLOCK_MONOTONIC) - start > 10)
            return false;
        sched_yield();
    }
    return true;
}

struct meeting {
    int n;
    atomic_int come, missed, elsewhere;
};

/* Every thread is held in the first task it takes, so none can help another. It has a name,
 * so that a profile or a debugger tells the pool's threads from the others. */
static void stay_in_lane(void *arg, int i, int thread)
{
    struct meeting *m = arg;
    char name[16] = "", wanted[32];
    pthread_getname_np(pthread_self(), name, sizeof name);
    snprintf(wanted, sizeof wanted, "pool %d", thread);
    if (i != thread || (thread && strcmp(name, wanted) != 0))
        atomic_fetch_add(&m->elsewhere, 1);
    if (!meet(&m->come, m->n))
        atomic_fetch_add(&m->missed, 1);
}

/* All come, while they spin and long after. */
TEST(a_task_has_its_thread)
{
    for (int n_threads = 2; n_threads <= MAX_THREADS; n_threads++) {
        auto_pool *p = pool_create(n_threads);
        for (int round = 0; round < 5; round++) {
            struct meeting m = {.n = n_threads};
            usleep(round % 2 ? 5000 : 0);
            pool_run(p, stay_in_lane, &m, n_threads);
            assert_int_equal(atomic_load(&m.missed), 0);
            assert_int_equal(atomic_load(&m.elsewhere), 0);
        }
    }
}

/* Task 0 ends only when the seven others have been run: by helpers, as most of its own
 * lane is behind it. */
static void wait_for_the_rest(void *arg, int i, int thread)
{
    struct meeting *m = arg;
    if (i)
        atomic_fetch_add(&m->come, 1);
    else if (!meet(&m->come, m->n))
        atomic_fetch_add(&m->missed, 1);
}

TEST(who_is_held_up_is_helped)
{
    for (int n_threads = 2; n_threads <= 4; n_threads++) {
        auto_pool *p = pool_create(n_threads);
        for (int round = 0; round < 20; round++) {
            struct meeting m = {.n = 8};
            pool_run(p, wait_for_the_rest, &m, 8);
            assert_int_equal(atomic_load(&m.missed), 0);
        }
    }
}

static void *run_many(void *arg)
{
    static struct job jobs[2];
    struct job *job = &jobs[*(int *)arg];
    auto_pool *p = pool_create(3);
    job->n_threads = 3;
    bool ok = p;
    for (int round = 0; ok && round < 1000; round++)
        ok = runs_once(p, job, round % 30);
    return ok ? job : NULL;
}

TEST(two_pools_at_once)
{
    pthread_t threads[2];
    int which[] = {0, 1};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, &which[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *ok = NULL;
        pthread_join(threads[i], &ok);
        assert_non_null(ok);
    }
}

/* Measured from the end of the job, so a millisecond of spinning a worker would show. */
TEST(an_idle_pool_sleeps)
{
    static struct job job;
    for (int n_threads = 2; n_threads <= 4; n_threads++) {
        auto_pool *p = pool_create(n_threads);
        job.n_threads = n_threads;
        assert_true(runs_once(p, &job, 40));
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        usleep(300000);
        assert_true(seconds(CLOCK_PROCESS_CPUTIME_ID) - start <
                    0.001 * (n_threads - 1));
    }
}

TEST(sizes_of_none)
{
    static struct job job = {.n_threads = 1};
    auto_pool *p = pool_create(0); /* as many as there are processors */
    cpu_set_t ours;
    assert_int_equal(sched_getaffinity(0, sizeof ours, &ours), 0);
    assert_int_equal(pool_n_threads(p), CPU_COUNT(&ours));
    pool_run(p, count, &job, 0);
    assert_int_equal(job.runs[0], 0);
    pool_destroy(NULL);
}
