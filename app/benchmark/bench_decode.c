/* Decoding one token at a time: one take, and several takes after the same tokens, after
 * few tokens and after many; and reading many tokens at once. */
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"
#include "app/base/draw.h"
#include "app/base/json_fields.h"
#include "model/decoder/decoder.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 16, MOST = DECODER_MAX_BATCH };
static const int CONTEXTS[] = {0, 1000, SUBJECT_MOST_READ}, TAKES[] = {1, 4, MOST};
enum {
    N_CONTEXTS = sizeof CONTEXTS / sizeof *CONTEXTS,
    N_TAKES = sizeof TAKES / sizeof *TAKES,
};

struct stage {
    const struct model_config *c;
    struct decoder *reader, *takes[MOST];
    float *logits[MOST];
    int n_read; /* by the reader: what all share, as much as leaves room for the steps */
};

/* n takes after `context` tokens. */
struct scene {
    const struct stage *stage;
    int context, n;
};

static enum model_status stage_init(struct stage *s, const struct bench *b,
                                    const struct model *m)
{
    const int room = m->config.context - STEPS - 1; /* one step is not counted */
    *s = (struct stage){.c = &m->config, .n_read = at_most(SUBJECT_MOST_READ, room)};
    enum model_status st = decoder_create(&s->reader, m, b->pool);
    for (int i = 0; !st && i < MOST; i++) {
        st = decoder_create(&s->takes[i], m, b->pool);
        s->logits[i] = calloc((size_t)s->c->vocab, sizeof **s->logits);
        if (!s->logits[i])
            st = MODEL_NO_MEMORY;
    }
    return st || s->n_read <= 0 ? st : subject_read(s->reader, s->c, s->n_read, NULL);
}

static void stage_fini(struct stage *s)
{
    for (int i = 0; i < MOST; i++) {
        decoder_destroy(s->takes[i]);
        free(s->logits[i]);
    }
    decoder_destroy(s->reader);
}

static enum model_status step(const struct scene *s, int at)
{
    int32_t tokens[MOST], times[MOST];
    for (int i = 0; i < s->n; i++) {
        tokens[i] = subject_token(s->stage->c, at * MOST + i);
        times[i] = subject_time(s->context + at);
    }
    return decoder_step_many(s->stage->takes, s->n, tokens, times, s->stage->logits);
}

/* Of one step, after one that wakes the threads and warms the caches. */
static enum model_status run(void *arg, double *seconds)
{
    const struct scene *s = arg;
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < s->n; i++)
        st = decoder_copy(s->stage->takes[i], s->stage->reader, s->context);
    if (!st)
        st = step(s, 0);
    double start = clock_now_seconds();
    for (int i = 1; !st && i <= STEPS; i++)
        st = step(s, i);
    *seconds = (clock_now_seconds() - start) / STEPS;
    return st;
}

static int list_figures(struct figure *f, struct scene *scenes, const struct stage *s,
                        const char *name, const struct precision_row *p)
{
    int n = 0;
    for (int i = 0; i < N_CONTEXTS && CONTEXTS[i] <= s->n_read; i++)
        for (int k = 0; k < N_TAKES; k++, n++) {
            scenes[n] = (struct scene){s, CONTEXTS[i], TAKES[k]};
            f[n] = (struct figure){
                .subject = name,
                .precision = p,
                .context = CONTEXTS[i],
                .n = TAKES[k],
                .work = work_of_step(s->c, p, CONTEXTS[i], TAKES[k]),
                .run = run,
                .arg = &scenes[n],
            };
        }
    return n;
}

static int measure(const struct bench *b, const struct model *m, const char *name,
                   const struct precision_row *p)
{
    struct stage s;
    struct figure f[N_CONTEXTS * N_TAKES];
    struct scene scenes[N_CONTEXTS * N_TAKES];
    enum model_status st = stage_init(&s, b, m);
    if (!b->json)
        puts("");
    if (!st)
        st = bench_race(b, "decode", "takes", f, list_figures(f, scenes, &s, name, p));
    stage_fini(&s);
    return report_status(name, st);
}

int bench_decode(const struct bench *b)
{
    report_heading(
        b, "Decoding: tokens per second of all takes together; they share the context",
        "takes");
    return subjects_each(b, false, measure);
}

/* -- several takes of one request, compared with one -- */

static const int SIZES[] = {1, 2, 4, MOST};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES, TAKES_ROUNDS = 11 };

static enum model_status measure_takes(const struct stage *s, int context, cJSON *list)
{
    const struct turn_budget budget = {.rounds = TAKES_ROUNDS};
    struct scene scenes[N_SIZES];
    struct turn_runner r[N_SIZES];
    for (int i = 0; i < N_SIZES; i++) {
        scenes[i] = (struct scene){s, context, SIZES[i]};
        r[i] = (struct turn_runner){.run = run, .arg = &scenes[i]};
    }
    enum model_status st = turns_run(r, N_SIZES, &budget);
    for (int i = 0; !st && i < N_SIZES; i++) {
        const double seconds = r[i].spread.median;
        report_row(list,
                   "context %7d takes %6d tokens_per_second %13.0f -step %11.3f_ms "
                   ".step_seconds %g cost_of_one %10.2f",
                   context, SIZES[i], SIZES[i] / seconds, 1e3 * seconds, seconds,
                   seconds / r[0].spread.median);
    }
    return st;
}

int bench_takes(const struct bench *b)
{
    const struct model_precision f32 = {WEIGHTS_F32, CACHE_F32};
    cJSON *list = b->json ? cJSON_CreateArray() : NULL;
    struct model *m;
    struct stage s;
    if (subject_open(&m, b, SUBJECT_FILE, f32))
        return 1;
    enum model_status st = stage_init(&s, b, m);
    if (!list)
        printf("Takes decoded together after a shared context, %d threads.\n"
               "\n"
               "context  takes  tokens/s in all  a step  takes alone\n",
               pool_n_threads(b->pool));
    for (int i = 0, context = -1; !st && i < N_CONTEXTS && context < s.n_read; i++) {
        context = at_most(CONTEXTS[i], s.n_read); /* all of it, in a small model */
        st = measure_takes(&s, context, list);
    }
    if (list && !st)
        say_json(stdout, list);
    cJSON_Delete(list);
    stage_fini(&s);
    model_close(m);
    return report_status("bench takes", st);
}

/* -- prefill: reading the context, all tokens at once, before the first new one -- */

static const int LENGTHS[] = {512, 1024};
enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };

struct reading {
    const struct model_config *c;
    struct decoder *d;
    float *logits;
    int n;
};

static enum model_status run_reading(void *arg, double *seconds)
{
    const struct reading *r = arg;
    double start = clock_now_seconds();
    enum model_status st = subject_read(r->d, r->c, r->n, r->logits);
    *seconds = clock_now_seconds() - start;
    return st;
}

static int measure_reading(const struct bench *b, const struct model *m,
                           const char *name, const struct precision_row *p)
{
    struct figure f[N_LENGTHS];
    struct reading r = {.c = &m->config}, readings[N_LENGTHS];
    int n = 0;
    enum model_status st = decoder_create(&r.d, m, b->pool);
    r.logits = calloc((size_t)r.c->vocab, sizeof *r.logits);
    if (!st && !r.logits)
        st = MODEL_NO_MEMORY;
    for (; n < N_LENGTHS && LENGTHS[n] <= r.c->context; n++) {
        readings[n] = r;
        readings[n].n = LENGTHS[n];
        f[n] = (struct figure){.subject = name,
                               .precision = p,
                               .n = LENGTHS[n],
                               .work = work_of_prefill(r.c, p, LENGTHS[n]),
                               .run = run_reading,
                               .arg = &readings[n]};
    }
    if (!st)
        st = bench_race(b, "prefill", "tokens", f, n);
    free(r.logits);
    decoder_destroy(r.d);
    return report_status(name, st);
}

int bench_prefill(const struct bench *b)
{
    report_heading(b, "Prefill: reading a context of so many tokens at once", "tokens");
    return subjects_each(b, true, measure_reading);
}
