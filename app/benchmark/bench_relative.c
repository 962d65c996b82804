/* Relative attention's logits in the two published forms, memory and time. */
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"

#include "model/decoder/relative_forms.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Both forms for one length, with their data. */
struct forms {
    struct relative_shape shape;
    float *q, *e, *logits;
    struct bench_memory tensor; /* of the direct form */
    double direct, skewed;      /* seconds, medians */
};

static enum model_status run_direct(void *arg, double *seconds)
{
    struct forms *f = arg;
    double start = clock_now_seconds();
    relative_direct(&f->shape, f->q, f->e, (float *)(void *)f->tensor.at, f->logits);
    *seconds = clock_now_seconds() - start;
    return MODEL_OK;
}

static enum model_status run_skewed(void *arg, double *seconds)
{
    struct forms *f = arg;
    double start = clock_now_seconds();
    relative_skewed(&f->shape, f->q, f->e, f->logits);
    *seconds = clock_now_seconds() - start;
    return MODEL_OK;
}

static enum model_status measure(struct forms *f, int length)
{
    f->shape = (struct relative_shape){length, 8, 512};
    const size_t n = (size_t)length * 512, n_bytes = relative_direct_bytes(&f->shape);
    const struct turn_budget budget = {.rounds = length < 1000 ? 5 : 3};
    struct turn_runner r[] = {{.run = run_direct, .arg = f},
                              {.run = run_skewed, .arg = f}};
    /* What is free now; a limit on this process alone is not seen. */
    const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const bool fits = pages < 0 || page <= 0 || n_bytes / (size_t)page < (size_t)pages;
    f->q = bench_numbers(n);
    f->e = bench_numbers(n);
    f->logits = bench_numbers((size_t)length * (size_t)length * 8);
    const bool ok =
        f->q && f->e && f->logits && fits && bench_memory_init(&f->tensor, n_bytes);
    enum model_status st = ok ? turns_run(r, 2, &budget) : MODEL_NO_MEMORY;
    f->direct = r[0].spread.median;
    f->skewed = r[1].spread.median;
    bench_memory_fini(&f->tensor);
    free(f->q);
    free(f->e);
    free(f->logits);
    return st;
}

static void report(cJSON *list, const struct forms *f)
{
    const double direct = (double)relative_direct_bytes(&f->shape);
    const double skewed = (double)relative_skewed_bytes(&f->shape);
    report_row(list,
               "length %5d -tensor %13.1f_MB -skewed %10.1f_MB .direct_bytes %g "
               ".skewed_bytes %g -tensor %10.1f_ms -skewed %10.1f_ms "
               ".direct_seconds %g .skewed_seconds %g -times %8.1f",
               f->shape.length, direct / 1e6, skewed / 1e6, direct, skewed,
               1e3 * f->direct, 1e3 * f->skewed, f->direct, f->skewed,
               f->direct / f->skewed);
}

int bench_relative(const struct bench *b)
{
    static const int LENGTHS[] = {650, 2048};
    cJSON *list = b->json ? cJSON_CreateArray() : NULL;
    if (!list)
        puts("Relative logits of 8 heads, 512 wide, one thread: the tensor of Shaw et "
             "al. 2018\nbeside skewing (Huang et al. 2018).\n\n"
             "    L   tensor memory  skewed memory   tensor time  skewed time   times");
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        struct forms f = {0};
        if (measure(&f, LENGTHS[i])) {
            fprintf(stderr, "continuo: bench: not enough memory for length %d\n",
                    LENGTHS[i]);
            continue;
        }
        report(list, &f);
    }
    if (list)
        say_json_once(stdout, list);
    return 0;
}
