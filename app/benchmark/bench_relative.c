/* Relative attention's logits in the two published forms, memory and time. */
#include "midi/base/clock.h"
#include "app/benchmark/bench.h"

#include "app/training/train_report.h"
#include "model/decoder/relative_forms.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RUNS = 5 };

struct measured {
    struct relative_shape shape;
    double direct, skewed; /* seconds, medians */
};

static float *random_floats(size_t n)
{
    float *x = malloc(n * sizeof *x);
    if (!x)
        return NULL;
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((i * 2654435761u) % 1000) / 1000.0f - 0.5f;
    return x;
}

/* Interleaved: what slows one down slows the other. */
static void measure(struct measured *m, int runs, const float *q, const float *e,
                    float *r, float *logits)
{
    double direct[MOST_RUNS] = {0}, skewed[MOST_RUNS] = {0};
    relative_direct(&m->shape, q, e, r, logits); /* once, for the page tables */
    for (int i = 0; i < runs; i++) {
        double start = clock_now_seconds();
        relative_skewed(&m->shape, q, e, logits);
        double middle = clock_now_seconds();
        relative_direct(&m->shape, q, e, r, logits);
        skewed[i] = middle - start;
        direct[i] = clock_now_seconds() - middle;
    }
    m->direct = bench_median(direct, runs);
    m->skewed = bench_median(skewed, runs);
}

/* What is free now; a limit on this process alone is not seen. */
static bool fits_in_memory(size_t n_bytes)
{
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages < 0 || page <= 0 || n_bytes / (size_t)page < (size_t)pages;
}

/* Large pages where the system has them: the time is to be the arithmetic's. */
static float *large(size_t n_bytes)
{
    if (!fits_in_memory(n_bytes))
        return NULL;
    void *at =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, n_bytes, MADV_HUGEPAGE);
    return at;
}

static bool measure_relative(struct measured *m, int length)
{
    m->shape = (struct relative_shape){length, 8, 512};
    size_t n = (size_t)length * 512, n_logits = (size_t)length * (size_t)length * 8;
    size_t n_bytes = relative_direct_bytes(&m->shape);
    float *q = random_floats(n), *e = random_floats(n),
          *logits = random_floats(n_logits);
    float *r = large(n_bytes);
    bool ok = q && e && logits && r;
    if (ok)
        measure(m, length < 1000 ? 5 : 3, q, e, r, logits);
    if (r)
        munmap(r, n_bytes);
    free(q);
    free(e);
    free(logits);
    return ok;
}

static void report(cJSON *list, const struct measured *m)
{
    const double direct = (double)relative_direct_bytes(&m->shape);
    const double skewed = (double)relative_skewed_bytes(&m->shape);
    if (list)
        json_append(list,
                    "length %d direct_bytes %g skewed_bytes %g direct_seconds %g "
                    "skewed_seconds %g",
                    m->shape.length, direct, skewed, m->direct, m->skewed);
    else
        printf("%5d  %12.1f MB  %9.1f MB  %9.1f ms  %9.1f ms  %7.1f\n", m->shape.length,
               direct / 1e6, skewed / 1e6, 1e3 * m->direct, 1e3 * m->skewed,
               m->direct / m->skewed);
}

int bench_relative(bool json)
{
    static const int LENGTHS[] = {650, 2048};
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    if (!json)
        puts("Relative logits of 8 heads, 512 wide, one thread: the tensor of Shaw et "
             "al. 2018\nbeside skewing (Huang et al. 2018).\n\n"
             "    L   tensor memory  skewed memory   tensor time  skewed time   times");
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        struct measured m = {0};
        if (!measure_relative(&m, LENGTHS[i])) {
            fprintf(stderr, "continuo: bench: not enough memory for length %d\n",
                    LENGTHS[i]);
            continue;
        }
        report(list, &m);
    }
    if (json)
        say_json_once(stdout, list);
    return 0;
}
