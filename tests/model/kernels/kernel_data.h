/* Numbers for the tests of the kernels, and sizes with every kind of tail. */
#ifndef TESTS_MODEL_KERNEL_DATA_H
#define TESTS_MODEL_KERNEL_DATA_H

#include "tests/check.h"
#include "tests/model/random.h"
#include "model/kernels/kernels.h"

enum { MAX = 1 << 16 };
static float a[MAX], b[MAX], got[MAX], plain[MAX];
static const int SIZES[] = {1, 2, 15, 16, 17, 31, 64, 67, 100, 256, 259};
#define FOR_SIZES(n)                                                                   \
    for (int at_##n = 0, n;                                                            \
         at_##n < (int)(sizeof SIZES / sizeof *SIZES) && ((n) = SIZES[at_##n], 1);     \
         at_##n++)
/* at_k is the set's number. */
#define FOR_SETS(k)                                                                    \
    for (int at_##k = 0; at_##k >= 0; at_##k = -1)                                     \
        for (const struct kernels *k; (k = kernels_at(at_##k)); at_##k++)

/* A test of its own for a check of every set at every size. */
#define TEST_SIZES(name, check)                                                        \
    TEST(name)                                                                         \
    {                                                                                  \
        FOR_SIZES(n)                                                                   \
        FOR_SETS(k)                                                                    \
        check(k, n);                                                                   \
    }

/* a and b; a group's set-up. */
static inline int fill(void **state)
{
    fill_random(a, MAX, 1.0f);
    fill_random(b, MAX, 1.0f);
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
