/* Notices stalls of the machine: a thread asks to be woken every two milliseconds and notes when
 * it was not. Whatever was late at such a moment may only have lacked a processor. Include
 * cmocka.h before it. */
#ifndef TESTS_APP_STALLS_H
#define TESTS_APP_STALLS_H

#include "midi/base/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { STALLS_MOST = 4096, STALL_STEP_MS = 2, STALL_LEAST_MS = 10 };

struct stalls {
    pthread_t thread;
    atomic_bool quit;
    atomic_int n; /* the thread writes; those before it may be read */
    struct {
        double at_ms, ms; /* CLOCK_MONOTONIC, when it was over; how long */
    } list[STALLS_MOST];
};

static inline void *stalls_watch(void *stalls)
{
    struct stalls *w = stalls;
    double before = clock_now_ms();
    while (!atomic_load(&w->quit)) {
        nanosleep(&(struct timespec){.tv_nsec = STALL_STEP_MS * 1000000}, NULL);
        double now = clock_now_ms(), late = now - before - STALL_STEP_MS;
        int n = atomic_load(&w->n);
        if (late >= STALL_LEAST_MS && n < STALLS_MOST) {
            w->list[n].at_ms = now;
            w->list[n].ms = late;
            atomic_store(&w->n, n + 1);
        }
        before = now;
    }
    return NULL;
}

static inline void stalls_begin(struct stalls *w)
{
    atomic_store(&w->quit, false);
    atomic_store(&w->n, 0);
    assert_int_equal(pthread_create(&w->thread, NULL, stalls_watch, w), 0);
}

static inline void stalls_end(struct stalls *w)
{
    atomic_store(&w->quit, true);
    assert_int_equal(pthread_join(w->thread, NULL), 0);
}

/* The longest that was over in [from_ms, to_ms]; 0: there was none. */
static inline double stalls_longest(struct stalls *w, double from_ms, double to_ms)
{
    double most = 0;
    for (int i = 0; i < atomic_load(&w->n); i++)
        if (w->list[i].at_ms >= from_ms && w->list[i].at_ms <= to_ms)
            most = fmax(most, w->list[i].ms);
    return most;
}

#endif
