/* Measures this machine: arithmetic, memory, the cost of a job of the pool, and the matrix
 * product that prefill and training use; on one thread and on all. */
#include "app/benchmark/bench.h"
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"
#include "app/base/json_fields.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- the report -- */

/* A figure of this machine. */
struct line {
    char title[32];
    const char *unit; /* "GB/s" */
    double work;      /* the figure is per second; 0: nanoseconds */
    enum model_status (*run)(void *arg, double *seconds);
    enum peak peak;
    size_t n_bytes;
    struct turn_spread one, all; /* on one thread, on all of the pool */
    bool all_only;               /* no figure for one thread */
};

/* Columns of the line, or an object of that name. */
static void report_side(cJSON *line, const char *name, const struct turn_spread *s)
{
    char quartiles[48] = "";
    if (isfinite(s->median))
        snprintf(quartiles, sizeof quartiles, "%.0f - %.0f", s->low, s->high);
    report_columns(
        cJSON_AddObjectToObject(line, name),
        " median %9.0f -quartiles %17s .lower_quartile %g .upper_quartile %g",
        s->median, quartiles, s->low, s->high);
}

/* Prints it, or adds it to the JSON's machine.limits. */
static void report_line(const struct bench *b, const struct line *l)
{
    static const struct turn_spread NONE = {.median = NAN};
    cJSON *list = report_list(cJSON_GetObjectItem(b->json, "machine"), "limits");
    cJSON *line = json_append(list, " ");
    report_columns(line, "what %-26s unit %5s", l->title, l->unit);
    if (!l->all_only)
        report_side(line, "one_thread", &l->one);
    else if (!line)
        report_side(NULL, "", &NONE);
    if (pool_n_threads(b->pool) > 1)
        report_side(line, "all_threads", &l->all);
    if (!line)
        puts("");
    fflush(stdout);
}

/* -- measuring -- */

enum { ONE, ALL, N_SIDES };
enum { MB = 1000000, JOBS = 2000, MOST_LINES = 16 };
enum { ROWS = 512, WIDE = 2048, DEEP = 512 }; /* M's feed-forward over 512 tokens */

static const int MEGABYTES[] = {1, 8, 24, 100, 400};
enum { N_SIZES = sizeof MEGABYTES / sizeof *MEGABYTES };

struct machine {
    const struct bench *b;
    struct bench_memory memory;
    float *left, *right, *product; /* [ROWS, DEEP], [WIDE, DEEP], [ROWS, WIDE] */
    struct line lines[MOST_LINES];
    int n_lines;
};

/* A line on one thread, or on all. */
struct side {
    const struct machine *m;
    const struct line *line;
    struct pool *pool;
};

static enum model_status run_peak(void *arg, double *seconds)
{
    const struct side *s = arg;
    *seconds = peak_seconds(s->line->peak, s->pool);
    return MODEL_OK;
}

static enum model_status run_reading(void *arg, double *seconds)
{
    const struct side *s = arg;
    *seconds = bench_memory_read(&s->m->memory, s->pool, s->line->n_bytes);
    return MODEL_OK;
}

static void no_task(void *arg, int i, int thread)
{
    (void)arg;
    (void)i;
    (void)thread;
}

static enum model_status run_jobs(void *arg, double *seconds)
{
    const struct side *s = arg;
    const int n = pool_n_threads(s->pool);
    pool_run(s->pool, no_task, NULL, n);
    double start = clock_now_seconds();
    for (int i = 0; i < JOBS; i++)
        pool_run(s->pool, no_task, NULL, n);
    *seconds = (clock_now_seconds() - start) / JOBS;
    return MODEL_OK;
}

/* The rows are split, as the decoder does it: each thread has its own call. */
static void multiply(void *arg, int i, int thread)
{
    const struct side *s = arg;
    const struct machine *m = s->m;
    const int n_tasks = pool_n_threads(s->pool), from = ROWS * i / n_tasks;
    const int rows = ROWS * (i + 1) / n_tasks - from;
    (void)thread;
    if (rows)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, WIDE, DEEP, 1,
                    m->left + (size_t)from * DEEP, DEEP, m->right, DEEP, 0,
                    m->product + (size_t)from * WIDE, WIDE);
}

static enum model_status run_product(void *arg, double *seconds)
{
    const struct side *s = arg;
    double start = clock_now_seconds();
    pool_run(s->pool, multiply, arg, pool_n_threads(s->pool));
    *seconds = clock_now_seconds() - start;
    return MODEL_OK;
}

static struct line *add_line(struct machine *m, const char *unit, double work,
                             enum model_status (*run)(void *, double *))
{
    struct line *l = &m->lines[m->n_lines++];
    *l = (struct line){.unit = unit, .work = work, .run = run};
    return l;
}

static void list_lines(struct machine *m)
{
    for (int p = 0; p < N_PEAKS; p++) {
        if (!peak_present(p))
            continue;
        struct line *l = add_line(m, "Gop/s", 1e-9, run_peak);
        snprintf(l->title, sizeof l->title, "%s", peak_name(p));
        l->peak = p;
    }
    for (int i = 0; i < N_SIZES && (size_t)MEGABYTES[i] * MB <= m->memory.n_bytes;
         i++) {
        struct line *l = add_line(m, "GB/s", MEGABYTES[i] * 1e-3, run_reading);
        snprintf(l->title, sizeof l->title, "reading %d MB", MEGABYTES[i]);
        l->n_bytes = (size_t)MEGABYTES[i] * MB;
    }
    if (pool_n_threads(m->b->pool) > 1) {
        struct line *jobs = add_line(m, "ns", 0, run_jobs);
        snprintf(jobs->title, sizeof jobs->title, "an empty job of the pool");
        jobs->all_only = true;
    }
    struct line *product = add_line(m, "Gop/s", 2e-9 * ROWS * WIDE * DEEP, run_product);
    snprintf(product->title, sizeof product->title, "sgemm, %d rows", ROWS);
}

static bool machine_init(struct machine *m, const struct bench *b)
{
    *m = (struct machine){.b = b};
    m->left = bench_numbers((size_t)ROWS * DEEP);
    m->right = bench_numbers((size_t)WIDE * DEEP);
    m->product = bench_numbers((size_t)ROWS * WIDE);
    int largest = N_SIZES - 1;
    while (largest > 0 && (size_t)MEGABYTES[largest] * MB > b->most_memory)
        largest--;
    return m->left && m->right && m->product &&
           bench_memory_init(&m->memory, (size_t)MEGABYTES[largest] * MB);
}

static struct turn_spread figures(const struct line *l, const struct turn_spread *s)
{
    if (!l->work)
        return (struct turn_spread){1e9 * s->low, 1e9 * s->median, 1e9 * s->high, s->n};
    return (struct turn_spread){l->work / s->high, l->work / s->median,
                                l->work / s->low, s->n};
}

static enum model_status measure(struct machine *m)
{
    struct side sides[MOST_LINES * N_SIDES];
    struct turn_runner runners[MOST_LINES * N_SIDES];
    const int n_sides = pool_n_threads(m->b->pool) > 1 ? N_SIDES : ALL;
    int n = 0;
    for (int i = 0; i < m->n_lines; i++)
        for (int k = 0; k < n_sides; k++, n++) {
            struct pool *pool = k == ONE ? m->b->alone : m->b->pool;
            sides[n] = (struct side){m, &m->lines[i], pool};
            runners[n] = (struct turn_runner){.run = m->lines[i].run, .arg = &sides[n]};
        }
    enum model_status st = turns_run(runners, n, &m->b->budget);
    for (int i = 0; !st && i < m->n_lines; i++) {
        const struct turn_runner *r = &runners[i * n_sides];
        struct line *l = &m->lines[i];
        l->one = figures(l, &r[ONE].spread);
        if (n_sides > ALL)
            l->all = figures(l, &r[ALL].spread);
    }
    return st;
}

int bench_machine(const struct bench *b)
{
    struct machine m;
    openblas_set_num_threads(1); /* the pool is the only one to share work out */
    enum model_status st = machine_init(&m, b) ? MODEL_OK : MODEL_NO_MEMORY;
    if (!st) {
        list_lines(&m);
        st = measure(&m);
    }
    if (!b->json) {
        const int n = pool_n_threads(b->pool);
        printf("\n%-26s %5s %9s %17s", "", "", "1 thread", "quartiles");
        if (n > 1)
            printf(" %d threads %17s", n, "quartiles");
        puts("");
    }
    for (int i = 0; !st && i < m.n_lines; i++)
        report_line(b, &m.lines[i]);
    bench_memory_fini(&m.memory);
    free(m.left);
    free(m.right);
    free(m.product);
    return report_status("bench machine", st);
}
