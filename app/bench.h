/* The parts of continuo bench. Each prints a table, or JSON, and returns the exit
 * status. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include <stdbool.h>

int bench_relative(bool json);
/* model: as --model has it, NULL for the bundled one. threads 0: one a processor. */
int bench_takes(const char *model, int threads, bool json);

/* Of x[n], n > 0, which it sorts. */
double bench_median(double *x, int n);

#endif
