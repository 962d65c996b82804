/* See bench.h: turns, lines, the machine, delays, and the thread that is late. */
#include "app/lab/benchmark/bench.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"
#include "model/kernels/kernels.h"

#include <cblas.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- turns -- */

enum { MOST_ROUNDS = 400 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct turn_spread turn_spread_of(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return (struct turn_spread){x[n / 4], x[n / 2], x[n - 1 - n / 4], n};
}

static enum model_status run_round(struct turn_runner *r, int n, double *samples,
                                   int round)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = r[i].run(r[i].arg, &samples[(size_t)i * MOST_ROUNDS + (size_t)round]);
    return st;
}

enum model_status turns_run(struct turn_runner *r, int n,
                            const struct turn_budget *budget)
{
    double *samples = calloc((size_t)n * MOST_ROUNDS, sizeof *samples);
    if (!samples)
        return MODEL_NO_MEMORY;
    enum model_status st = run_round(r, n, samples, 0);
    double end = clock_now_seconds() + n * budget->seconds;
    int rounds = 0;
    while (!st && rounds < MOST_ROUNDS &&
           (rounds < budget->rounds || clock_now_seconds() < end))
        st = run_round(r, n, samples, rounds++);
    for (int i = 0; !st && i < n; i++)
        r[i].spread = turn_spread_of(samples + (size_t)i * MOST_ROUNDS, rounds);
    free(samples);
    return st;
}

/* -- lines -- */

/* cJSON prints without spaces; a person reads it more easily with them. */
void bench_print(const struct bench *b, cJSON *line)
{
    char *text = cJSON_PrintUnformatted(line);
    bool is_quoted = false;
    for (const char *at = text; at && *at; at++) {
        is_quoted ^= *at == '"' && (at == text || at[-1] != '\\');
        fputc(*at, b->to);
        if (!is_quoted && (*at == ':' || *at == ','))
            fputc(' ', b->to);
    }
    fputc('\n', b->to);
    fflush(b->to);
    cJSON_free(text);
    cJSON_Delete(line);
}

int bench_status(const char *subject, enum model_status st)
{
    return st ? say_error(subject, model_strerror(st)) : 0;
}

/* -- the machine -- */

enum { NAME_BYTES = 96 };

/* Its name on x86; elsewhere a program is not told. */
static void read_processor(char name[NAME_BYTES])
{
    strcpy(name, "unknown");
#if defined(__x86_64__) || defined(__i386__)
    unsigned words[3][4];
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002 + i, &words[i][0], &words[i][1], &words[i][2],
                         &words[i][3]))
            return;
    snprintf(name, NAME_BYTES, "%.*s", (int)sizeof words, (const char *)words);
#endif
}

/* With the variables that make OpenBLAS, and us, choose other kernels than we would. */
void bench_about(const struct bench *b)
{
    static const char *const MEDDLERS[] = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
                                           "CONTINUO_KERNELS"};
    char processor[NAME_BYTES];
    read_processor(processor);
    cJSON *line = json_add(cJSON_CreateObject(),
                           "processor %s threads %d kernels %s openblas_core %s",
                           processor, pool_n_threads(b->pool), kernels_best()->name,
                           openblas_get_corename());
#ifdef CONTINUO_COMMIT
    json_add(line, "commit %s", CONTINUO_COMMIT);
#endif
    for (size_t i = 0; i < sizeof MEDDLERS / sizeof *MEDDLERS; i++)
        json_add(line, "%s %s", MEDDLERS[i], getenv(MEDDLERS[i]));
    bench_print(b, line);
}

/* -- delays -- */

static const double PERIOD = 0.005; /* seconds */

void delays_add(struct delays *d, double seconds)
{
    d->incomplete |= !array_add(&d->seconds, &d->n, &d->cap, &seconds, sizeof seconds);
}

void delays_fini(struct delays *d)
{
    free(d->seconds);
    *d = (struct delays){0};
}

struct delay_figures delays_figures(struct delays *d)
{
    struct delay_figures f = {.n = d->n};
    if (!d->n)
        return f;
    f.median = 1e3 * turn_spread_of(d->seconds, (int)d->n).median;
    f.percentile_99 = 1e3 * d->seconds[d->n * 99 / 100];
    f.worst = 1e3 * d->seconds[d->n - 1];
    return f;
}

double bench_cpu_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct metronome {
    pthread_t thread;
    atomic_bool stop;
    struct delays late; /* the thread's until it is joined */
};

static void *tick(void *arg)
{
    struct metronome *m = arg;
    double due = clock_now_seconds();
    while (!atomic_load(&m->stop)) {
        due += PERIOD;
        const double ns = 1e9 * (due - clock_now_seconds());
        nanosleep(&(struct timespec){0, (long)(ns > 0 ? ns : 0)}, NULL);
        delays_add(&m->late, clock_now_seconds() - due);
    }
    return NULL;
}

struct metronome *metronome_start(void)
{
    struct metronome *m = calloc(1, sizeof *m);
    if (m && pthread_create(&m->thread, NULL, tick, m)) {
        free(m);
        return NULL;
    }
    return m;
}

void metronome_stop(struct metronome *m, struct delays *late)
{
    if (!m)
        return;
    atomic_store(&m->stop, true);
    pthread_join(m->thread, NULL);
    *late = m->late;
    free(m);
}
