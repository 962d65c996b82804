/* Kernels in a table, each beside its plain twin: what the kernel makes of a shape is near what
 * the twin says of each result, every instruction set gives the same bits, each row is as it is
 * alone, and nothing beside the rows is written.
 *
 *   static const struct kernel TABLE[] = {
 *       {"scale", run_scale, twin_scale, .error = 1e-6, .n = SIZES}, ...
 *   };
 *   TEST(kernels) { CHECK_KERNELS(TABLE); } */
#ifndef TESTS_MODEL_KERNEL_TABLE_H
#define TESTS_MODEL_KERNEL_TABLE_H

#include "model/kernels/kernels.h"
#include "tests/check.h"
#include "tests/model/random.h"

enum { MAX = 1 << 16, GAP = 3 };
/* What kernels are given, and what results hold before they are written or added to. */
static float a[MAX], b[MAX], c[MAX], start[MAX];

/* Lists end with END. */
enum { END = -1 };
#define LIST(...)                                                                      \
    (const int[])                                                                      \
    {                                                                                  \
        __VA_ARGS__, END                                                               \
    }
/* Sizes with every kind of tail. */
#define SIZES LIST(1, 2, 15, 16, 17, 31, 64, 67, 100, 256, 259)

/* n: what is summed over, where anything is. with: whatever else a kernel is told. */
struct shape {
    int n, width, rows, with, first;
};

/* The distance of rows of results. */
static inline int ld(struct shape s)
{
    return s.width + GAP;
}

struct kernel {
    const char *name;
    /* Makes rows first, first + 1, ... from `out` on. false: there is no such set. */
    bool (*run)(int set, float *out, struct shape s);
    /* Result i of a row, after `run` of the same shape. None: the first set is right. */
    double (*twin)(struct shape s, int row, int i);
    double error, relative; /* allowed: their sum, `relative` of the result */
    bool sets_differ;       /* in their last bits */
    const int *n;           /* none: 1 */
    const int *width;       /* none: n */
    const int *rows;        /* none: 1 */
    const int *with;        /* none: 0 */
};

/* RUN and TWIN begin the functions of a kernel; `k` is its set. */
#define RUN(name)                                                                      \
    static void name##_of(const struct kernels *k, float *out, struct shape s);        \
    static bool name(int set, float *out, struct shape s)                              \
    {                                                                                  \
        const struct kernels *k = kernels_at(set);                                     \
        if (k)                                                                         \
            name##_of(k, out, s);                                                      \
        return k;                                                                      \
    }                                                                                  \
    static void name##_of(const struct kernels *k, float *out, struct shape s)
#define TWIN(name) static double name(struct shape s, int r, int i)
/* at_k is the set's number. */
#define FOR_SETS(k)                                                                    \
    for (int at_##k = 0; at_##k >= 0; at_##k = -1)                                     \
        for (const struct kernels *k; (k = kernels_at(at_##k)); at_##k++)

static inline void check_alone(const struct kernel *k, int set, const float *out,
                               struct shape s)
{
    static float alone[MAX];
    for (int r = 0; s.rows > 1 && r < s.rows; r++) {
        const struct shape one = {s.n, s.width, 1, s.with, r};
        memcpy(alone, start + r * ld(s), (size_t)ld(s) * sizeof *alone);
        k->run(set, alone, one);
        if (memcmp(alone, out + r * ld(s), (size_t)s.width * sizeof *alone) != 0)
            fail_msg(
                "%s, set %d: row %d of %d is another alone (n %d, width %d, with %d)",
                k->name, set, r, s.rows, s.n, s.width, s.with);
    }
}

static inline void check_shape(const struct kernel *k, struct shape s)
{
    static float first[MAX], out[MAX];
    static double wanted[MAX];
    const int size = s.rows * ld(s) + GAP;
    assert_true(size <= MAX);
    for (int set = 0;; set++) {
        memcpy(out, start, (size_t)size * sizeof *out);
        if (!k->run(set, out, s))
            break;
        for (int at = 0; at < size; at++) {
            const int r = at / ld(s), i = at % ld(s);
            const bool is_result = r < s.rows && i < s.width;
            if (set == 0)
                wanted[at] = !is_result ? start[at]
                             : k->twin  ? k->twin(s, r, i)
                                        : out[at];
            const double allowed = k->error + k->relative * fabs(wanted[at]);
            const bool is_near = is_result && allowed > 0
                                     ? fabs(out[at] - wanted[at]) <= allowed
                                     : out[at] == (float)wanted[at];
            if (!is_near || (set && !k->sets_differ &&
                             memcmp(out + at, first + at, sizeof *out) != 0))
                fail_msg(
                    "%s, set %d, n %d, width %d, %d rows, with %d: [%d][%d] is %.9g, "
                    "not %.9g (the first set: %.9g)",
                    k->name, set, s.n, s.width, s.rows, s.with, r, i, (double)out[at],
                    wanted[at], (double)first[at]);
        }
        if (set == 0)
            memcpy(first, out, (size_t)size * sizeof *out);
        check_alone(k, set, out, s);
    }
}

#define CHECK_KERNELS(table) check_kernels(table, sizeof(table) / sizeof *(table))
static inline void check_kernels(const struct kernel *table, size_t n)
{
    for (const struct kernel *k = table; k < table + n; k++)
        for (const int *of = k->n ? k->n : LIST(1); *of != END; of++)
            for (const int *width = k->width ? k->width : LIST(*of); *width != END;
                 width++)
                for (const int *rows = k->rows ? k->rows : LIST(1); *rows != END;
                     rows++)
                    for (const int *with = k->with ? k->with : LIST(0); *with != END;
                         with++)
                        check_shape(k, (struct shape){*of, *width, *rows, *with, 0});
}

/* A group's set-up. */
static inline int fill(void **state)
{
    fill_random(a, MAX, 1.0f);
    fill_random(b, MAX, 1.0f);
    fill_random(c, MAX, 1.0f);
    fill_random(start, MAX, 1.0f);
    return 0;
}

#endif
