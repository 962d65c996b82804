/* The clock of what is played and sent; a file of its own, for programs with no sound. */
#include "midi/transport/live.h"

#include <time.h>

double live_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
