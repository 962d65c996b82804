/* The models that are measured: three shapes with random weights, which decode as fast as
 * trained ones, and the bundled one. Main thread. */
#ifndef APP_BENCH_SUBJECT_H
#define APP_BENCH_SUBJECT_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"

/* S, M, L and the bundled one (or that of --model). */
enum { SUBJECT_S, SUBJECT_M, SUBJECT_L, SUBJECT_FILE, N_SUBJECTS };

const char *subject_name(int i); /* "S", "M", "L", "bundled" */
/* Whether b requests it. */
bool subject_wanted(const struct bench *b, int i);
/* The shape of subject i, which is not the bundled one. */
struct model_config subject_shape(const struct bench *b, int i);

/* Opens the model; the caller closes it. Returns the exit status, after saying what went
 * wrong. */
int subject_open(struct model **m, const struct bench *b, int i,
                 struct model_precision p);

/* The i-th token to read (any that the model has) and its time. */
int32_t subject_token(const struct model_config *c, int i);
int32_t subject_time(int i);
/* The decoder reads n tokens in matrix form, from an empty cache; logits [vocab] of the
 * last, or NULL. */
struct decoder;
enum { SUBJECT_MOST_READ = 1900 };
enum model_status subject_read(struct decoder *d, const struct model_config *c, int n,
                               float *logits);

/* Calls run for every wanted model at every precision (of prefill, or of single steps).
 * Returns the exit status. */
int subjects_each(const struct bench *b, bool prefill,
                  int (*run)(const struct bench *b, const struct model *m,
                             const char *name, const struct precision_row *p));

#endif
