/* See bench.h. */
#include "app/benchmark/bench.h"

#include "midi/base/array.h"
#include "midi/base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_ROUNDS = 400 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_spread bench_spread_of(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return (struct bench_spread){x[n / 4], x[n / 2], x[n - 1 - n / 4], n};
}

static enum model_status run_round(struct bench_runner *r, int n, double *samples,
                                   int round)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = r[i].run(r[i].arg, &samples[(size_t)i * MOST_ROUNDS + (size_t)round]);
    return st;
}

enum model_status bench_interleave(struct bench_runner *r, int n,
                                   const struct bench_budget *budget)
{
    double *samples = calloc((size_t)n * MOST_ROUNDS, sizeof *samples);
    if (!samples)
        return MODEL_NO_MEMORY;
    enum model_status st = run_round(r, n, samples, 0);
    double end = clock_now_seconds() + n * budget->seconds;
    int rounds = 0;
    while (!st && rounds < MOST_ROUNDS &&
           (rounds < budget->rounds || clock_now_seconds() < end))
        st = run_round(r, n, samples, rounds++);
    for (int i = 0; !st && i < n; i++)
        r[i].spread = bench_spread_of(samples + (size_t)i * MOST_ROUNDS, rounds);
    free(samples);
    return st;
}

/* -- delays -- */

enum { PERIOD_NS = 5000000, SECOND_NS = 1000000000 };

void delays_add(struct delays *d, double seconds)
{
    double *grown = array_grow(d->seconds, d->n, &d->cap, sizeof *grown);
    d->incomplete = d->incomplete || !grown;
    if (!grown)
        return;
    d->seconds = grown;
    d->seconds[d->n++] = seconds;
}

void delays_fini(struct delays *d)
{
    free(d->seconds);
    *d = (struct delays){0};
}

struct delay_figures delays_figures(struct delays *d)
{
    struct delay_figures f = {.n = d->n};
    if (!d->n)
        return f;
    qsort(d->seconds, d->n, sizeof *d->seconds, compare);
    f.median = 1e3 * d->seconds[d->n / 2];
    f.percentile_99 = 1e3 * d->seconds[d->n * 99 / 100];
    f.worst = 1e3 * d->seconds[d->n - 1];
    return f;
}

struct metronome {
    pthread_t thread;
    atomic_bool stop;
    struct delays late; /* the thread's until it is joined */
};

static void add_period(struct timespec *t)
{
    t->tv_nsec += PERIOD_NS;
    t->tv_sec += t->tv_nsec / SECOND_NS;
    t->tv_nsec %= SECOND_NS;
}

static void *tick(void *arg)
{
    struct metronome *m = arg;
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!atomic_load(&m->stop)) {
        add_period(&due);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        delays_add(&m->late, clock_now_seconds() -
                                 ((double)due.tv_sec + 1e-9 * (double)due.tv_nsec));
    }
    return NULL;
}

struct metronome *metronome_start(void)
{
    struct metronome *m = calloc(1, sizeof *m);
    if (m && pthread_create(&m->thread, NULL, tick, m)) {
        free(m);
        return NULL;
    }
    return m;
}

void metronome_stop(struct metronome *m, struct delays *late)
{
    if (!m)
        return;
    atomic_store(&m->stop, true);
    pthread_join(m->thread, NULL);
    *late = m->late;
    free(m);
}
