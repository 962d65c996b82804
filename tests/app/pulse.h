/* Checks the metronome in a captured sound: an even pulse, but where playback began again,
 * which may be at any time after the click before. Include cmocka.h before it. */
#ifndef TESTS_APP_PULSE_H
#define TESTS_APP_PULSE_H

#include "midi/base/clock.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* -- stalls of the machine -- */

/* Notices stalls of the machine: a thread asks to be woken every two milliseconds and notes when
 * it was not. Whatever was late at such a moment may only have lacked a processor. */
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

enum { PULSE_MOST_BEGINNINGS = 256 };

struct pulse {
    double period_s;
    double late_s;  /* how far a click may be off */
    double slack_s; /* and how much later than at first a restart may sound */
    double begun_ms[PULSE_MOST_BEGINNINGS]; /* when playback began, CLOCK_MONOTONIC */
    int n_begun;
    struct stalls stalls; /* meanwhile */
};

struct pulse_report {
    int n_off;
    int n_stalled;   /* of them: where the machine stood still for longer than that */
    double worst_ms; /* off the pulse */
    double
        begins_ms; /* the worst of what is heard late or early when it begins again */
};

static inline void pulse_begin(struct pulse *p)
{
    if (p->n_begun < PULSE_MOST_BEGINNINGS)
        p->begun_ms[p->n_begun++] = clock_now_ms();
}

/* Where a beginning's first click is due: as long after the very first click as the two
 * beginnings are apart. */
static inline double pulse_due(const struct pulse *p, int begun, double first_s)
{
    return first_s + (p->begun_ms[begun] - p->begun_ms[0]) / 1e3;
}

/* The beginning after `last` that shows between two clicks; `last`: there is none. It may skip
 * beginnings: one at the moment a click was due cannot be told from that click. */
static inline int pulse_next_begun(const struct pulse *p, int last, const double *s,
                                   int i)
{
    for (int begun = last + 1; begun < p->n_begun; begun++) {
        double due = pulse_due(p, begun, s[0]);
        if (due > s[i - 1] - p->slack_s)
            return due <= s[i] + p->slack_s ? begun : last;
    }
    return last;
}

/* The click of a beginning, unless it follows the one before too closely to tell them apart. */
static inline void pulse_note_begun(struct pulse_report *r, const struct pulse *p,
                                    int begun, double first_s, double at_s)
{
    double late = fabs(at_s - pulse_due(p, begun, first_s));
    if (late < p->period_s / 2)
        r->begins_ms = fmax(r->begins_ms, 1e3 * late);
}

/* Clicks are handed over up to a tenth of a second before they are due. */
static inline void pulse_note_off(struct pulse_report *r, struct pulse *p,
                                  const double *s, int i, double off_s)
{
    double at_ms = p->begun_ms[0] + 1e3 * (s[i] - s[0]);
    double stall = stalls_longest(&p->stalls, at_ms - 700, at_ms + 200);
    r->n_off++;
    r->n_stalled += stall > 1e3 * fabs(off_s);
    print_message(
        "at %.3f s a click is %.1f ms off; the machine stood still for %.0f ms\n", s[i],
        1e3 * off_s, stall);
}

/* s: the onsets, n of them, in seconds. */
static inline struct pulse_report pulse_check(struct pulse *p, const double *s, int n)
{
    struct pulse_report r = {0};
    for (int i = 1, last = 0; i < n; i++) {
        double off = s[i] - s[i - 1] - p->period_s;
        int begun = fabs(off) > p->late_s ? pulse_next_begun(p, last, s, i) : last;
        if (begun > last) {
            pulse_note_begun(&r, p, begun, s[0], s[i]);
            last = begun;
            continue;
        }
        r.worst_ms = fmax(r.worst_ms, 1e3 * fabs(off));
        if (fabs(off) > p->late_s)
            pulse_note_off(&r, p, s, i, off);
    }
    return r;
}

#endif
