/* Numbers for the tests of the kernels, and sizes with every kind of tail. */
#ifndef TESTS_MODEL_KERNEL_DATA_H
#define TESTS_MODEL_KERNEL_DATA_H

#include "model/kernels/kernels.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

enum { MAX = 1 << 16 };
static float a[MAX], b[MAX], got[MAX], plain[MAX];
static const int SIZES[] = {1, 2, 15, 16, 17, 31, 64, 67, 100, 256, 259};
#define FOR_SIZES(n)                                                                   \
    for (int at_##n = 0, n;                                                            \
         at_##n < (int)(sizeof SIZES / sizeof *SIZES) && ((n) = SIZES[at_##n], 1);     \
         at_##n++)
#define FOR_SETS(k) for (int at_##k = 0; (k = kernels_at(at_##k)); at_##k++)

/* a and b; a group's set-up. */
static inline int fill(void **state)
{
    uint32_t x = 1;
    (void)state;
    for (int i = 0; i < MAX; i++) {
        x = x * 1664525u + 1013904223u;
        a[i] = (float)(x >> 8) / 0x1p23f - 1.0f;
        x = x * 1664525u + 1013904223u;
        b[i] = (float)(x >> 8) / 0x1p23f - 1.0f;
    }
    return 0;
}

/* The plainest set's result is kept; the others must repeat it. */
static inline void assert_same_bits(const struct kernels *k, int n)
{
    if (k == kernels_at(0))
        memcpy(plain, got, (size_t)n * sizeof *got);
    assert_memory_equal(plain, got, (size_t)n * sizeof *got);
}

#endif
