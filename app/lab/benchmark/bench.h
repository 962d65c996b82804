/* The parts of continuo bench. Each prints its figures as lines of JSON, one figure a line, and
 * returns the exit status, after saying what went wrong. Runs that are to be compared take turns,
 * since the speed of a machine varies. Main thread, one part at a time. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "midi/score/score.h"
#include "model/base/pool.h"
#include "model/weights/model.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <time.h>

/* -- medians of runs that take turns, round after round, until their time is used up -- */

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

/* -- the parts -- */

struct bench {
    FILE *to; /* where the lines go */
    struct pool *pool;
    struct turn_budget budget; /* seconds and rounds for one figure */
    const char *model;         /* as --model has it, NULL for the bundled one */
    const char *shape_name;    /* "S", "M" or "L", in place of a model file; or NULL */
    bool large;                /* vast: a million notes besides */
    size_t n_notes;            /* of the vast piece, for tests; 0: as many as usual */
    const struct model_config *shape; /* in place of S, M and L, for tests; or NULL */
};

int bench_start(const struct bench *b);   /* from nothing to the first token */
int bench_decode(const struct bench *b);  /* a token at a time, one take to eight */
int bench_takes(const struct bench *b);   /* several takes decoded together, and one */
int bench_prefill(const struct bench *b); /* reading a context */
int bench_train(const struct bench *b);   /* a step of 8 x 512 tokens of a shape */
int bench_frames(
    const struct bench *b);            /* the workstation: start, frames, keys, idle */
int bench_vast(const struct bench *b); /* the same with 100,000 notes and more */

/* Prints what machine this is. */
void bench_about(const struct bench *b);
/* Prints an object as one line, and deletes it. */
void bench_print(const struct bench *b, cJSON *line);
/* Says what went wrong with `subject` and returns 1; 0 for MODEL_OK. */
int bench_status(const char *subject, enum model_status st);
bool bench_is_shape(const char *word); /* "S", "M" or "L" */
/* What a thread or the process has used of the processors. */
double bench_cpu_seconds(clockid_t clock);

/* -- delays: a user feels the worst ones, not the median -- */

struct delays {
    double *seconds; /* owned; zero-initialise */
    size_t n, cap;
    bool incomplete; /* memory ran out */
};

void delays_add(struct delays *d, double seconds);
void delays_fini(struct delays *d);

/* Milliseconds; all 0 without delays. */
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

/* The music of `continuo bench vast`: as dense and as various as a long film score. */

enum { VAST_TRACKS = 8 };

/* A score of eight tracks in 4/4. The first track, which is edited, has half of the notes,
 * and one note of it lasts from the beginning to the end. The same number gives the same
 * music. The caller owns it; NULL: out of memory. */
struct score *vast_music(size_t n_notes);

#endif
