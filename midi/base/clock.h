/* The one clock of the program is CLOCK_MONOTONIC; its zero is arbitrary. Only a test
 * makes it jump (clock_skip_ms). Any thread may call these functions; only clock_wait
 * blocks. */
#ifndef MIDI_CLOCK_H
#define MIDI_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

double clock_now_ms(void);    /* milliseconds, with fractions */
int64_t clock_whole_ms(void); /* rounded down */
double clock_now_seconds(void);

/* Returns the moment `ms` milliseconds from now. */
struct timespec clock_after_ms(int ms);
/* Converts a moment of this clock to CLOCK_MONOTONIC, for system calls that wait. The
 * two differ by what tests have skipped. */
struct timespec clock_of_system(const struct timespec *moment);

/* For tests: moves the clock forward by `ms` at once. A wait that has begun already
 * does not end sooner. */
void clock_skip_ms(double ms);

/* Initialises a condition variable for clock_wait. */
void clock_init_condition(pthread_cond_t *c);
/* Waits, with the mutex locked, until the condition is signalled or the moment `until`
 * comes; NULL means without end. Returns false if the moment came. */
bool clock_wait(pthread_cond_t *c, pthread_mutex_t *lock, const struct timespec *until);

#endif
