/* How `continuo bench` prints: tables of at most 100 columns, or JSON. Main thread. */
#ifndef APP_BENCH_REPORT_H
#define APP_BENCH_REPORT_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"

/* Prints the heading of a table; n names what the figures' n counts: "takes". Prints nothing
 * for JSON. */
void report_heading(const struct bench *b, const char *title, const char *n);
/* Prints a line, or adds an object to the array `part` of the JSON, with n by the name `n`. */
void report_figure(const struct bench *b, const char *part, const char *n,
                   const struct figure *f);

/* The array `part` of the JSON; it is made if it is missing. */
struct cJSON *report_list(const struct bench *b, const char *part);

/* Writes 1234567 as "1 234 567" into text, which it returns. x is not negative. */
enum { REPORT_NUMBER_BYTES = 32 };
const char *report_number(char *text, double x);

/* Says what went wrong with `subject` and returns 1; 0 for MODEL_OK. */
int report_status(const char *subject, enum model_status st);

/* Prints what machine this is, or adds it to the JSON as "machine". */
void bench_about(const struct bench *b);

/* Whether OpenBLAS runs the kernels of a core without AVX-512 on a processor that has it. */
bool about_core_is_slow(const char *core, bool has_avx512);

#endif
