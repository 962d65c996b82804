/* The program's one clock: CLOCK_MONOTONIC, which never jumps. Its start is arbitrary.
 * Any thread; never blocks. */
#ifndef MIDI_CLOCK_H
#define MIDI_CLOCK_H

#include <stdint.h>
#include <time.h>

double clock_now_ms(void);    /* milliseconds, with fractions */
int64_t clock_whole_ms(void); /* the same, rounded down */
double clock_now_seconds(void);

/* The moment `ms` milliseconds from now, for sem_clockwait and the like. */
struct timespec clock_after_ms(int ms);

#endif
