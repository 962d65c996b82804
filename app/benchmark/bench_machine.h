/* A line of what is measured of this machine, and how it is told. */
#ifndef APP_BENCH_MACHINE_H
#define APP_BENCH_MACHINE_H

#include "app/benchmark/bench.h"

struct machine_line {
    char title[32];
    const char *unit;             /* "GB/s" */
    struct bench_spread one, all; /* on one thread, on all of the pool */
    bool all_only;                /* there is no figure for one */
};

void machine_report_heading(const struct bench *b);
/* Prints it, or adds it to the JSON's machine.limits. */
void machine_report_line(const struct bench *b, const struct machine_line *l);

#endif
