/* The program's one clock: CLOCK_MONOTONIC, which jumps only where a test lets it. Its start is arbitrary.
 * Any thread; only clock_wait blocks. */
#ifndef MIDI_CLOCK_H
#define MIDI_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

double clock_now_ms(void);    /* milliseconds, with fractions */
int64_t clock_whole_ms(void); /* the same, rounded down */
double clock_now_seconds(void);

/* The moment `ms` milliseconds from now. */
struct timespec clock_after_ms(int ms);
/* The same moment as CLOCK_MONOTONIC has it, to wait for. */
struct timespec clock_of_system(const struct timespec *moment);

/* Tests let time pass at once: it is so much later from now on. Who waits already waits as long as
 * before. */
void clock_skip_ms(double ms);

/* A condition variable for clock_wait. */
void clock_init_condition(pthread_cond_t *c);
/* Waits with the mutex locked until the condition is signalled or that moment comes; NULL:
 * without end. false: the moment came. */
bool clock_wait(pthread_cond_t *c, pthread_mutex_t *lock, const struct timespec *until);

#endif
