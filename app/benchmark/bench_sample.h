/* Medians over interleaved runs. A shared machine's speed comes and goes, so all that
 * is to be compared takes turns, round after round, until the time for it is spent. */
#ifndef APP_BENCH_SAMPLE_H
#define APP_BENCH_SAMPLE_H

#include "model/weights/model.h"

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

/* One round that is not counted, for the caches, and then as the budget says. Stops at
 * the first run that fails, with its status. */
enum model_status bench_interleave(struct bench_runner *r, int n,
                                   const struct bench_budget *budget);

/* Of x[n], n > 0, which they sort. */
double bench_median(double *x, int n);
struct bench_spread bench_spread_of(double *x, int n);

#endif
