/* Every task of a job runs once, before pool_run returns, on a thread of the
 * pool; between jobs the pool uses no processor. */
#include "model/pool.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TASKS = 1000 };

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

static void check_job(struct pool *p, struct job *job, int n)
{
    memset(job->runs, 0, sizeof job->runs);
    pool_run(p, count, job, n);
    for (int i = 0; i < MAX_TASKS; i++)
        assert_int_equal(job->runs[i], i < n);
}

static void every_task_runs_once(void **state)
{
    static struct job job;
    (void)state;
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        struct pool *p = pool_create(n_threads);
        assert_non_null(p);
        assert_int_equal(pool_n_threads(p), n_threads);
        job.n_threads = n_threads;
        for (int round = 0; round < 100; round++)
            check_job(p, &job, round * 7 % 50);
        check_job(p, &job, MAX_TASKS);
        pool_destroy(p);
    }
    assert_int_equal(atomic_load(&job.strangers), 0);
}

/* A chain of jobs, each reading what other threads wrote in the one before. */
struct chain {
    int from[64], to[64];
};

static void mix(void *arg, int i, int thread)
{
    struct chain *c = arg;
    (void)thread;
    c->to[i] = c->from[(i + 1) % 64] + c->from[(i + 63) % 64] % 1000;
}

static void a_job_sees_all_of_the_one_before(void **state)
{
    struct chain results[2];
    (void)state;
    for (int which = 0; which < 2; which++) {
        struct chain *c = &results[which];
        struct pool *p = pool_create(which ? 3 : 1);
        for (int i = 0; i < 64; i++)
            c->from[i] = i;
        for (int step = 0; step < 2000; step++) {
            pool_run(p, mix, c, 64);
            for (int i = 0; i < 64; i++)
                c->from[i] = c->to[i] % 100000;
        }
        pool_destroy(p);
    }
    assert_memory_equal(results[0].to, results[1].to, sizeof results[0].to);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void an_idle_pool_sleeps_and_wakes(void **state)
{
    static struct job job = {.n_threads = 3};
    struct pool *p = pool_create(3);
    (void)state;
    for (int round = 0; round < 3; round++) {
        check_job(p, &job, 40);
        usleep(50000); /* long after the spinning */
        double start = processor_seconds();
        usleep(100000);
        assert_true(processor_seconds() - start < 0.02);
    }
    pool_destroy(p);
}

static void sizes_of_none(void **state)
{
    static struct job job = {.n_threads = 1};
    (void)state;
    struct pool *p = pool_create(0); /* as many as there are processors */
    assert_int_equal(pool_n_threads(p), sysconf(_SC_NPROCESSORS_ONLN));
    pool_run(p, count, &job, 0);
    assert_int_equal(job.runs[0], 0);
    pool_destroy(p);
    pool_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(a_job_sees_all_of_the_one_before),
        cmocka_unit_test(an_idle_pool_sleeps_and_wakes),
        cmocka_unit_test(sizes_of_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
