/* Delays, of which the worst count: what a user feels is not the median. And a thread
 * that has to be punctual, as sound has. */
#ifndef APP_BENCH_DELAY_H
#define APP_BENCH_DELAY_H

#include <stdbool.h>
#include <stddef.h>

struct delays {
    double *seconds; /* owned; zero-initialise */
    size_t n, cap;
    bool incomplete; /* memory ran out */
};

void delays_add(struct delays *d, double seconds);
void delays_fini(struct delays *d);

/* Milliseconds; all 0 when there is none. */
struct delay_figures {
    double median, percentile_99, worst;
    size_t n;
};

/* Sorts them. */
struct delay_figures delays_figures(struct delays *d);

/* A thread, scheduled as the player's and the pool's are, that wants to wake every 5 ms,
 * about as often as an audio callback. */
struct metronome;

struct metronome *metronome_start(void); /* NULL: no memory or threads */
/* Joins it; into `late`, which is empty: how late each waking was. NULL is fine. */
void metronome_stop(struct metronome *m, struct delays *late);

#endif
