/* See bench_race.h. Figures that read nearly the same number of bytes share the one
 * reading, and those of one kind of arithmetic the one peak. */
#include "app/benchmark/bench_race.h"

#include "app/benchmark/bench_read.h"

#include <assert.h>

/* One measurement of the machine: of reading so many bytes, or of one peak. */
struct rival {
    const struct bench *b;
    const struct bench_memory *memory;
    double bytes;
    enum peak peak;
};

struct race {
    struct bench_memory memory; /* as large as the most that is read */
    struct rival rivals[MOST_FIGURES + N_PEAKS];
    struct bench_runner runners[2 * MOST_FIGURES + N_PEAKS]; /* figures, then rivals */
    int n_figures, n_rivals;
    /* Each figure's rivals: */
    int reading[MOST_FIGURES], weight_peak[MOST_FIGURES], cache_peak[MOST_FIGURES];
};

static enum model_status run_reading(void *arg, double *seconds)
{
    const struct rival *r = arg;
    *seconds = bench_memory_read(r->memory, r->b->pool, (size_t)r->bytes);
    return MODEL_OK;
}

/* Of one operation. */
static enum model_status run_peak(void *arg, double *seconds)
{
    const struct rival *r = arg;
    *seconds = peak_seconds(r->peak, r->b->pool);
    return MODEL_OK;
}

/* Where among the rivals it is. */
static int add_rival(struct race *r, struct rival rival,
                     enum model_status (*run)(void *, double *))
{
    const int at = r->n_rivals++;
    r->rivals[at] = rival;
    r->runners[r->n_figures + at] =
        (struct bench_runner){.run = run, .arg = &r->rivals[at]};
    return at;
}

static int reading_for(struct race *r, const struct bench *b, double bytes)
{
    for (int i = 0; i < r->n_rivals; i++) {
        double other = r->rivals[i].bytes;
        if (bytes > 0.98 * other && bytes < 1.02 * other)
            return i;
    }
    struct rival rival = {.b = b, .memory = &r->memory, .bytes = bytes};
    return add_rival(r, rival, run_reading);
}

static int peak_for(struct race *r, const struct bench *b, enum peak peak)
{
    for (int i = 0; i < r->n_rivals; i++)
        if (r->runners[r->n_figures + i].run == run_peak && r->rivals[i].peak == peak)
            return i;
    return add_rival(r, (struct rival){.b = b, .peak = peak}, run_peak);
}

static void line_up(struct race *r, const struct bench *b, const struct figure *f,
                    int n)
{
    r->n_figures = n;
    for (int i = 0; i < n; i++) {
        r->runners[i] = (struct bench_runner){.run = f[i].run, .arg = f[i].arg};
        r->reading[i] = reading_for(r, b, f[i].work.bytes);
        r->weight_peak[i] = peak_for(r, b, f[i].weight_peak);
        r->cache_peak[i] = peak_for(r, b, f[i].cache_peak);
    }
}

static void take_results(const struct race *r, struct figure *f)
{
    const struct bench_runner *rivals = r->runners + r->n_figures;
    for (int i = 0; i < r->n_figures; i++) {
        const int reading = r->reading[i];
        /* The rival's bytes are nearly as many. */
        double by = f[i].work.bytes / r->rivals[reading].bytes;
        const struct rates rates = {
            .bytes = by * rivals[reading].spread.median,
            .weight_operation = rivals[r->weight_peak[i]].spread.median,
            .cache_operation = rivals[r->cache_peak[i]].spread.median,
        };
        f[i].seconds = r->runners[i].spread;
        f[i].limit = limit_of(&f[i].work, &rates);
    }
}

enum model_status bench_race(const struct bench *b, struct figure *f, int n)
{
    assert(n <= MOST_FIGURES);
    double most = 0;
    for (int i = 0; i < n; i++)
        most = f[i].work.bytes > most ? f[i].work.bytes : most;
    struct race r = {0};
    if (!bench_memory_init(&r.memory, (size_t)most))
        return MODEL_NO_MEMORY;
    line_up(&r, b, f, n);
    enum model_status st = bench_interleave(r.runners, n + r.n_rivals, &b->budget);
    if (!st)
        take_results(&r, f);
    bench_memory_fini(&r.memory);
    return st;
}
