/* Reading what is given, all tokens at once, before the first new one. */
#include "app/benchmark/bench_report.h"
#include "app/benchmark/bench_subject.h"
#include "app/training/train_report.h"
#include "model/decoder/decoder.h"

#include <stdlib.h>

static const int LENGTHS[] = {512, 1024};
enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };

struct reading {
    const struct model_config *c;
    struct decoder *d;
    float *logits;
    int n;
};

static enum model_status run(void *arg, double *seconds)
{
    const struct reading *r = arg;
    double start = monotonic_seconds();
    enum model_status st = subject_read(r->d, r->c, r->n, r->logits);
    *seconds = monotonic_seconds() - start;
    return st;
}

static int list_figures(struct figure *f, struct reading *readings,
                        const struct reading *r, const char *name,
                        const struct precision_row *p)
{
    int n = 0;
    for (int i = 0; i < N_LENGTHS && LENGTHS[i] <= r->c->context; i++, n++) {
        readings[n] = *r;
        readings[n].n = LENGTHS[i];
        f[n] = (struct figure){
            .subject = name,
            .precision = p->name,
            .n = LENGTHS[i],
            .tokens = LENGTHS[i],
            .work = work_of_prefill(r->c, p, LENGTHS[i]),
            .weight_peak = peak_or_f32(p->weight_peak),
            .cache_peak = peak_or_f32(p->cache_peak),
            .run = run,
            .arg = &readings[n],
        };
    }
    return n;
}

static int measure(const struct bench *b, const struct model *m, const char *name,
                   const struct precision_row *p)
{
    struct figure f[N_LENGTHS];
    struct reading r = {.c = model_config(m)}, readings[N_LENGTHS];
    int n = list_figures(f, readings, &r, name, p);
    enum model_status st = decoder_create(&r.d, m, b->pool);
    r.logits = calloc((size_t)r.c->vocab, sizeof *r.logits);
    if (!st && !r.logits)
        st = MODEL_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        readings[i].d = r.d;
        readings[i].logits = r.logits;
    }
    if (!st)
        st = bench_race(b, f, n);
    for (int i = 0; !st && i < n; i++)
        report_figure(b, "prefill", "tokens", &f[i]);
    free(r.logits);
    decoder_destroy(r.d);
    return report_status(name, st);
}

int bench_prefill(const struct bench *b)
{
    report_heading(b, "Prefill: reading a context of so many tokens in one go",
                   "tokens");
    return subjects_each(b, true, measure);
}
