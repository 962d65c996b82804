/* Figures of speed that take turns, and between them the limits they are held against:
 * reading as many bytes as each must read, and the peak of its arithmetic. */
#ifndef APP_BENCH_RACE_H
#define APP_BENCH_RACE_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_roofline.h"

struct figure {
    /* What is measured. Texts are borrowed. */
    const char *subject, *precision;   /* "S", "f32" */
    int context, n;                    /* tokens before; takes, or tokens of a run */
    double tokens;                     /* that one run makes or reads */
    struct work work;                  /* of one run */
    enum peak weight_peak, cache_peak; /* of its products, present here */
    enum model_status (*run)(void *arg, double *seconds); /* as bench_runner has it */
    void *arg;

    /* What is found, for one run. */
    struct bench_spread seconds;
    struct limit limit;
};

enum { MOST_FIGURES = 16 };

/* n is at most MOST_FIGURES. */
enum model_status bench_race(const struct bench *b, struct figure *f, int n);

#endif
