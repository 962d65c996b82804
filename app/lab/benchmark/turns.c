#include "app/lab/benchmark/turns.h"

#include "midi/base/clock.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 400 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct turn_spread turn_spread_of(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return (struct turn_spread){x[n / 4], x[n / 2], x[n - 1 - n / 4], n};
}

static enum model_status run_round(struct turn_runner *r, int n, double *samples,
                                   int round)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = r[i].run(r[i].arg, &samples[(size_t)i * MOST_ROUNDS + (size_t)round]);
    return st;
}

enum model_status turns_run(struct turn_runner *r, int n,
                            const struct turn_budget *budget)
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
        r[i].spread = turn_spread_of(samples + (size_t)i * MOST_ROUNDS, rounds);
    free(samples);
    return st;
}
