/* Numbers for tests that try anything, the same in each run. */
#ifndef TESTS_TUI_NOISE_H
#define TESTS_TUI_NOISE_H

#include <stdint.h>

/* A linear congruential generator, without its low bits. */
static inline uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

#endif
