/* How late things are, or how far apart, and the spread of that. */
#ifndef TESTS_MIDI_SPREAD_H
#define TESTS_MIDI_SPREAD_H

#include "tests/check.h"

struct spread {
    double x[20000];
    int n;
};

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void spread_add(struct spread *s, double x)
{
    if (s->n < (int)(sizeof s->x / sizeof s->x[0]))
        s->x[s->n++] = fabs(x);
}

static inline double spread_at(struct spread *s, double share)
{
    qsort(s->x, (size_t)s->n, sizeof s->x[0], by_size);
    return s->n ? s->x[(int)(share * (s->n - 1) + 0.5)] : 0;
}

static inline void spread_print(const char *what, struct spread *s)
{
    print_message(
        "%s: %d, off by %.2f ms (half of them), %.2f (99 in 100), %.2f (all)\n", what,
        s->n, spread_at(s, 0.5), spread_at(s, 0.99), spread_at(s, 1));
}

#endif
