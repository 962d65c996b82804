/* Medians of runs that take turns, and delays. The speed of a shared machine changes, so all
 * that is to be compared runs in turn, round after round, until its time is used up. Main
 * thread. */
#ifndef APP_BENCH_SAMPLE_H
#define APP_BENCH_SAMPLE_H

#include "model/weights/model.h"

#include <stdbool.h>
#include <stddef.h>

struct bench_budget {
    double seconds; /* for each runner, on average */
    int rounds;     /* that are made in any case, at least 1 */
};

/* Quartiles and median of n runs. */
struct bench_spread {
    double low, median, high;
    int n;
};

struct bench_runner {
    /* *seconds: what the run took, without what it did to get ready. */
    enum model_status (*run)(void *arg, double *seconds);
    void *arg;                  /* borrowed */
    struct bench_spread spread; /* of the seconds */
};

/* Runs one round that is not counted, for the caches, and then as the budget says. Stops at
 * the first run that fails and returns its status. */
enum model_status bench_interleave(struct bench_runner *r, int n,
                                   const struct bench_budget *budget);

/* Of x[n], n > 0; sorts x. */
struct bench_spread bench_spread_of(double *x, int n);

/* -- delays: a user feels the worst ones, not the median -- */

struct delays {
    double *seconds; /* owned; zero-initialise */
    size_t n, cap;
    bool incomplete; /* memory ran out */
};

void delays_add(struct delays *d, double seconds);
void delays_fini(struct delays *d);

/* Milliseconds; all 0 if there are no delays. */
struct delay_figures {
    double median, percentile_99, worst;
    size_t n;
};

/* Sorts the delays. */
struct delay_figures delays_figures(struct delays *d);

/* A thread that is scheduled as the player's is and wakes every 5 ms, about as often as an
 * audio callback. */
struct metronome;

struct metronome *metronome_start(void); /* NULL: no memory or threads */
/* Joins it and stores in `late`, which is empty, how late it woke each time. NULL is fine. */
void metronome_stop(struct metronome *m, struct delays *late);

#endif
