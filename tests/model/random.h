/* Numbers for tests, the same in every run of a program. */
#ifndef TESTS_MODEL_RANDOM_H
#define TESTS_MODEL_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* [-1, 1); Knuth's and Lewis's generator modulo 2^32. */
static inline float random_number(void)
{
    static uint32_t x = 1;
    x = x * 1664525u + 1013904223u;
    return (float)(x >> 8) / 0x1p23f - 1.0f;
}

/* x [n] within [-most, most). */
static inline void fill_random(float *x, size_t n, float most)
{
    for (size_t i = 0; i < n; i++)
        x[i] = most * random_number();
}

#endif
