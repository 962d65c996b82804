/* From the start to the first token: the work of a new process before it can write a note.
 * The file is already in the system's cache. */
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"

#include "model/decoder/decoder.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>

enum { TOTAL, OPEN, CREATE, STEP, N_PARTS };

/* One start gives a sample to each part: that of TOTAL comes first and runs it. */
struct start {
    const struct bench *b;
    struct model_precision precision;
    double seconds[N_PARTS];
};

static enum model_status first_token(struct start *s, const struct model *m)
{
    struct decoder *d = NULL;
    struct pool *pool = pool_create(pool_n_threads(s->b->pool));
    float *logits = calloc((size_t)m->config.vocab, sizeof *logits);
    enum model_status st =
        pool && logits ? decoder_create(&d, m, pool) : MODEL_NO_MEMORY;
    s->seconds[CREATE] = clock_now_seconds();
    if (!st)
        st = decoder_step(d, subject_token(&m->config, 1), 0, logits);
    s->seconds[STEP] = clock_now_seconds();
    decoder_destroy(d);
    pool_destroy(pool);
    free(logits);
    return st;
}

static enum model_status run_start(void *arg, double *seconds)
{
    struct start *s = arg;
    double begun = clock_now_seconds();
    struct model *m = NULL;
    if (subject_open(&m, s->b, SUBJECT_FILE, s->precision))
        return MODEL_NO_FILE;
    s->seconds[OPEN] = clock_now_seconds();
    enum model_status st = first_token(s, m);
    model_close(m);
    *seconds = s->seconds[STEP] - begun;
    for (int i = STEP; i > OPEN; i--)
        s->seconds[i] -= s->seconds[i - 1];
    s->seconds[OPEN] -= begun;
    return st;
}

static enum model_status take_part(void *arg, double *seconds)
{
    *seconds = *(const double *)arg;
    return MODEL_OK;
}

static void report(const struct bench *b, const char *precision,
                   const struct turn_runner *r)
{
    char quartiles[40];
    const struct turn_spread *total = &r[TOTAL].spread;
    snprintf(quartiles, sizeof quartiles, "%.1f - %.1f", 1e3 * total->low,
             1e3 * total->high);
    report_row(report_list(b->json, "start"),
               "-model %-8s numbers %-7s total_ms %9.1f -quartiles %15s "
               "open_ms %17.2f create_ms %17.2f first_token_ms %17.2f",
               subject_name(SUBJECT_FILE), precision, 1e3 * total->median, quartiles,
               1e3 * r[OPEN].spread.median, 1e3 * r[CREATE].spread.median,
               1e3 * r[STEP].spread.median);
    fflush(stdout);
}

static enum model_status measure(const struct bench *b, const struct precision_row *p)
{
    struct start s = {.b = b, .precision = p->precision};
    struct turn_runner runners[N_PARTS] = {[TOTAL] = {.run = run_start, .arg = &s}};
    for (int i = OPEN; i < N_PARTS; i++)
        runners[i] = (struct turn_runner){.run = take_part, .arg = &s.seconds[i]};
    enum model_status st = turns_run(runners, N_PARTS, &b->budget);
    if (!st)
        report(b, p->name, runners);
    return st;
}

int bench_start(const struct bench *b)
{
    enum model_status st = MODEL_OK;
    if (!subject_wanted(b, SUBJECT_FILE))
        return 0;
    if (!b->json)
        puts("\n"
             "From the start to the first token, milliseconds\n"
             "\n"
             "model    numbers    in all       quartiles  opening the file threads and "
             "cache   the first token");
    for (int i = 0; !st && i < N_PRECISIONS; i++)
        st = measure(b, &PRECISIONS[i]);
    if (st == MODEL_NO_FILE)
        return 1; /* was printed */
    return report_status(subject_name(SUBJECT_FILE), st);
}
