/* See bench_race.h. Figures that read nearly the same number of bytes share one measurement
 * of reading, and those with the same arithmetic share one peak. */
#include "app/benchmark/bench_race.h"

#include "app/base/draw.h"

#include <assert.h>

/* One measurement of the machine: reading this many bytes, or one peak. */
struct limit_run {
    const struct bench *b;
    const struct bench_memory *memory;
    double bytes; /* 0: the peak */
    enum peak peak;
};

struct race {
    struct bench_memory memory; /* as large as the most that is read */
    struct limit_run limit_runs[MOST_FIGURES + N_PEAKS];
    struct turn_runner runners[2 * MOST_FIGURES + N_PEAKS]; /* figures, then limits */
    int n_figures, n_limit_runs;
    /* Index of each figure's own: */
    int reading[MOST_FIGURES], weight_peak[MOST_FIGURES], cache_peak[MOST_FIGURES];
};

/* Of one operation, or of reading. */
static enum model_status run_limit(void *arg, double *seconds)
{
    const struct limit_run *r = arg;
    *seconds = r->bytes > 0 ? bench_memory_read(r->memory, r->b->pool, (size_t)r->bytes)
                            : peak_seconds(r->peak, r->b->pool);
    return MODEL_OK;
}

/* The index of reading nearly as many bytes or, where they are 0, of a peak: added if it is
 * new. The widest f32 does the work of instructions that are not there. */
static int limit_run_for(struct race *r, const struct bench *b, double bytes,
                         enum peak peak)
{
    int i = 0;
    const struct limit_run wanted = {b, &r->memory, bytes, peak_or_f32(peak)};
    for (; i < r->n_limit_runs; i++) {
        const struct limit_run *l = &r->limit_runs[i];
        if (bytes > 0 ? bytes > 0.98 * l->bytes && bytes < 1.02 * l->bytes
                      : !(l->bytes > 0) && l->peak == wanted.peak)
            return i;
    }
    r->n_limit_runs++;
    r->limit_runs[i] = wanted;
    r->runners[r->n_figures + i] =
        (struct turn_runner){.run = run_limit, .arg = &r->limit_runs[i]};
    return i;
}

static void take_results(const struct race *r, struct figure *f)
{
    const struct turn_runner *limit_runs = r->runners + r->n_figures;
    for (int i = 0; i < r->n_figures; i++) {
        const int reading = r->reading[i];
        /* The limit_run's bytes are nearly as many. */
        double by = f[i].work.bytes / r->limit_runs[reading].bytes;
        const struct rates rates = {
            .bytes = by * limit_runs[reading].spread.median,
            .weight_operation = limit_runs[r->weight_peak[i]].spread.median,
            .cache_operation = limit_runs[r->cache_peak[i]].spread.median,
        };
        f[i].seconds = r->runners[i].spread;
        f[i].limit = limit_of(&f[i].work, &rates);
    }
}

enum model_status bench_race(const struct bench *b, const char *part,
                             const char *n_name, struct figure *f, int n)
{
    assert(n <= MOST_FIGURES);
    double most = 0;
    for (int i = 0; i < n; i++)
        most = f[i].work.bytes > most ? f[i].work.bytes : most;
    struct race r = {.n_figures = n};
    if (!bench_memory_init(&r.memory, (size_t)most))
        return MODEL_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        r.runners[i] = (struct turn_runner){.run = f[i].run, .arg = f[i].arg};
        r.reading[i] = limit_run_for(&r, b, f[i].work.bytes, PEAK_PLAIN);
        r.weight_peak[i] = limit_run_for(&r, b, 0, f[i].precision->weight_peak);
        r.cache_peak[i] = limit_run_for(&r, b, 0, f[i].precision->cache_peak);
    }
    enum model_status st = turns_run(r.runners, n + r.n_limit_runs, &b->budget);
    bench_memory_fini(&r.memory);
    if (!st)
        take_results(&r, f);
    for (int i = 0; !st && i < n; i++)
        report_figure(b, part, n_name, &f[i]);
    return st;
}

/* -- limits -- */

/* Letters: d the width, n the keys that a query sees. */

const struct precision_row PRECISIONS[] = {
    {"f32", {WEIGHTS_F32, CACHE_F32}, 4, 4, PEAK_AVX512, PEAK_AVX512, true},
    {"bf16", {WEIGHTS_BF16, CACHE_INT8}, 2, 1, PEAK_BF16, PEAK_INT8, true},
    {"int8", {WEIGHTS_INT8, CACHE_INT8}, 1, 1, PEAK_INT8, PEAK_INT8, false},
};
const int N_PRECISIONS = sizeof PRECISIONS / sizeof *PRECISIONS;

/* Positions that the token after `context` others sees, itself included. */
static int n_seen(const struct model_config *c, int context)
{
    if (c->mixing == MIXING_FOURIER && c->block)
        return at_most(context + 1, c->block);
    if (!c->block || context < c->block)
        return context + 1;
    return context + 1 - (context / c->block - 1) * c->block;
}

/* Numbers in one layer's matrices. Fourier mixing transforms a token by one of its
 * own. */
static double matrices(const struct model_config *c)
{
    double d = c->d_model;
    double mixing = c->mixing == MIXING_FOURIER ? 2 * d * d : 4 * d * d;
    return mixing + 2 * d * c->d_ff;
}

/* Biases and norms. */
static double vectors(const struct model_config *c)
{
    return 9.0 * c->d_model + c->d_ff;
}

/* The rows of the tables of distance that occur among n keys, which a query is
 * multiplied with. */
static double tables(const struct model_config *c, int n)
{
    double d = c->d_model, rows = 0;
    if (c->relative == RELATIVE_MUSIC)
        rows = at_most(c->max_distance, n);
    if (c->relative == RELATIVE_SHAW) /* keys and values, the same for all heads */
        rows = 2.0 * at_most(c->max_distance, n) / c->n_heads;
    if (c->time == TIME_BUCKETS)
        rows += at_most(MODEL_TIME_BUCKETS, n);
    return rows * d;
}

static double head(const struct model_config *c)
{
    return (double)c->vocab * c->d_model;
}

/* Scores and weighted values: n products with keys and n with values, each d wide. */
static double attention(const struct model_config *c, int n)
{
    return 2.0 * c->d_model * n;
}

struct work work_of_step(const struct model_config *c, const struct precision_row *p,
                         int context, int takes)
{
    const int n = n_seen(c, context);
    double layer = matrices(c) + vectors(c) + tables(c, n);
    double weights = c->n_layers * layer + head(c) + takes * (double)c->d_model;
    double cache = c->n_layers * attention(c, n - 1); /* its own is not yet there */
    return (struct work){
        .bytes = weights * p->weight_bytes + cache * p->cache_bytes,
        .weight_products = takes * (c->n_layers * matrices(c) + head(c)),
        .cache_products = takes * c->n_layers * (tables(c, n) + attention(c, n)),
    };
}

/* Of all layers, over n tokens from the first. */
static double mixing_of(const struct model_config *c, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += attention(c, n_seen(c, i)) + tables(c, n_seen(c, i));
    return c->n_layers * sum;
}

struct work work_of_prefill(const struct model_config *c, const struct precision_row *p,
                            int n)
{
    double layer = matrices(c) + vectors(c) + tables(c, n_seen(c, n - 1));
    double weights = c->n_layers * layer + head(c) + (double)n * c->d_model;
    return (struct work){
        .bytes =
            weights * p->weight_bytes + c->n_layers * attention(c, n) * p->cache_bytes,
        .weight_products = n * c->n_layers * matrices(c) + head(c),
        .cache_products = mixing_of(c, n),
    };
}

struct work work_of_training(const struct model_config *c, int batch, int length)
{
    double weights = c->n_layers * (matrices(c) + vectors(c)) + head(c);
    double products = length * (c->n_layers * matrices(c) + head(c));
    return (struct work){
        .bytes = weights * 6 * sizeof(float),
        .weight_products = 3.0 * batch * products,
        .cache_products = 3.0 * batch * mixing_of(c, length),
    };
}

struct limit limit_of(const struct work *w, const struct rates *r)
{
    double arithmetic = 2 * w->weight_products * r->weight_operation +
                        2 * w->cache_products * r->cache_operation;
    bool by_memory = r->bytes > arithmetic;
    return (struct limit){by_memory ? r->bytes : arithmetic, by_memory};
}
