/* How the figures of continuo bench look: tables of at most 100 columns, or JSON. */
#ifndef APP_BENCH_REPORT_H
#define APP_BENCH_REPORT_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"

/* The heading of a table of figures; n: what the figures' n counts, "takes". Nothing
 * with JSON. */
void report_heading(const struct bench *b, const char *title, const char *n);
/* One line, or an object in the array `part` of the JSON, where n is called `n`. */
void report_figure(const struct bench *b, const char *part, const char *n,
                   const struct figure *f);

/* The array `part` of the JSON, which is made if it is not there. */
struct cJSON *report_list(const struct bench *b, const char *part);

/* 1234567 as "1 234 567" into text, which is returned. Not for negative numbers. */
enum { REPORT_NUMBER_BYTES = 32 };
const char *report_number(char *text, double x);

/* What went wrong while measuring `subject`: says it and returns 1; 0 for MODEL_OK. */
int report_status(const char *subject, enum model_status st);

/* -- bench_about -- */

/* What the figures of continuo bench were measured on. */

/* Prints it, or adds it to the JSON's "machine". */
void bench_about(const struct bench *b);

/* Whether OpenBLAS, having chosen the kernels of `core`, leaves half of a processor with
 * AVX-512 unused: those for AVX2 and older do. */
bool about_core_is_slow(const char *core, bool has_avx512);

#endif
