/* Delays, and the thread that is late. See bench.h. */
#include "app/benchmark/bench.h"

#include "midi/base/array.h"
#include "midi/base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { PERIOD_NS = 5000000, SECOND_NS = 1000000000 };

void delays_add(struct delays *d, double seconds)
{
    d->incomplete |= !array_add(&d->seconds, &d->n, &d->cap, &seconds, sizeof seconds);
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
    f.median = 1e3 * turn_spread_of(d->seconds, (int)d->n).median;
    f.percentile_99 = 1e3 * d->seconds[d->n * 99 / 100];
    f.worst = 1e3 * d->seconds[d->n - 1];
    return f;
}

struct metronome {
    pthread_t thread;
    atomic_bool stop;
    struct delays late; /* the thread's until it is joined */
};

static void *tick(void *arg)
{
    struct metronome *m = arg;
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!atomic_load(&m->stop)) {
        due.tv_nsec += PERIOD_NS;
        due.tv_sec += due.tv_nsec / SECOND_NS;
        due.tv_nsec %= SECOND_NS;
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
