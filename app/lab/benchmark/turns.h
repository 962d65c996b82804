/* Medians of runs that take turns. The speed of a shared machine changes, so all runs to
 * compare take turns, round after round, until their time is used up. One thread. */
#ifndef APP_TURNS_H
#define APP_TURNS_H

#include "model/weights/model.h"

struct turn_budget {
    double seconds; /* for each runner, on average */
    int rounds;     /* that are made in any case, at least 1 */
};

/* Quartiles and median of n runs. */
struct turn_spread {
    double low, median, high;
    int n;
};

struct turn_runner {
    /* *seconds: the time of the run without its preparation. */
    enum model_status (*run)(void *arg, double *seconds);
    void *arg;                 /* borrowed */
    struct turn_spread spread; /* of the seconds */
};

/* Runs one uncounted round, to warm the caches, and then rounds within the budget, up to the
 * first run that fails. */
enum model_status turns_run(struct turn_runner *r, int n,
                            const struct turn_budget *budget);

/* Of x[n], n > 0; sorts x. */
struct turn_spread turn_spread_of(double *x, int n);

#endif
