/* Measured on the windows that training validates on, so the figures are those
 * of the model's own provenance. A window is of one piece, and one prefill. */
#include "app/lab/evaluation/eval_loss.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/base/draw.h"
#include "app/decoding/metadata.h"
#include "midi/tokens/token_time.h"
#include "model/decoder/decoder.h"

#include <math.h>
#include <stdlib.h>

struct run {
    const struct options *o;
    const struct corpus *corpus;
    struct eval_loss *loss;
    struct decoder *decoder;
    int length, vocab;
    int32_t *tokens, *targets, *times; /* [length] */
    float *logits;                     /* [length, vocab] */
};

static void add(struct loss_sums *to, const struct loss_sums *s)
{
    to->nats += s->nats;
    to->baseline.unigram += s->baseline.unigram;
    to->baseline.bigram += s->baseline.bigram;
    to->baseline.n_tokens += s->baseline.n_tokens;
    to->baseline.n_notes += s->baseline.n_notes;
}

static enum model_status read_window(struct run *r, int n)
{
    enum model_status st = MODEL_OK;
    if (!r->o->has_precision)
        return decoder_prefill(r->decoder, r->tokens, r->times, n, true, r->logits);
    for (int i = 0; !st && i < n; i++)
        st = decoder_step(r->decoder, r->tokens[i], r->times[i],
                          r->logits + (size_t)i * (size_t)r->vocab);
    return st;
}

static void add_heard(struct heard_sums *heard, int n_heard, double nats)
{
    int span = 0;
    while (span < HEARD_SPANS - 1 && n_heard > HEARD_LEAST << span)
        span++;
    heard[span].nats += nats;
    heard[span].n_tokens++;
}

static enum model_status measure_window(struct run *r, int group)
{
    const struct corpus *c = r->corpus;
    struct loss_sums s = {0};
    int n = r->length;
    while (n > 0 && r->targets[n - 1] < 0)
        n--;
    if (n == 0)
        return MODEL_OK;
    decoder_truncate(r->decoder, 0);
    token_times(r->tokens, (size_t)n, r->times);
    enum model_status st = read_window(r, n);
    if (st)
        return st;
    for (int i = 0; i < n; i++) {
        if (r->targets[i] < 0) /* none is learnt there */
            continue;
        const double nats = -likelihood_log(r->logits + (size_t)i * (size_t)r->vocab,
                                            r->vocab, r->targets[i]);
        s.nats += nats;
        if (n == r->length)
            add_heard(r->loss->heard, i + 1, nats);
    }
    corpus_baseline(c, r->tokens, r->targets, (size_t)n, &s.baseline);
    add(&r->loss->groups[group], &s);
    add(&r->loss->styles[c->groups[group].style], &s);
    add(&r->loss->all, &s);
    return MODEL_OK;
}

static int measure(struct run *r, enum corpus_split split, enum corpus_window_kind kind,
                   int n)
{
    const struct options *o = r->o;
    for (int i = 0, n_groups; i < n; i++) {
        enum midi_status st = corpus_window(r->corpus, split, kind, i, n, r->length,
                                            r->tokens, r->targets);
        if (st == MIDI_EMPTY)
            return say_error(o->data, "holds no music of that split");
        if (st)
            return say_midi_error(o->data, st);
        enum model_status measured =
            measure_window(r, corpus_group_in_turn(r->corpus, split, i, &n_groups));
        if (measured)
            return say_model_error(o->file, measured, NULL);
    }
    return 0;
}

static enum model_status set_up(struct run *r, const struct model *m, struct pool *pool)
{
    const size_t n = (size_t)m->config.context, n_groups = (size_t)r->corpus->n_groups;
    r->length = m->config.context;
    r->vocab = m->config.vocab;
    r->tokens = calloc(n, sizeof *r->tokens);
    r->targets = calloc(n, sizeof *r->targets);
    r->times = calloc(n, sizeof *r->times);
    r->logits = calloc(n * (size_t)r->vocab, sizeof *r->logits);
    r->loss->groups = calloc(n_groups + 1, sizeof *r->loss->groups);
    if (!r->tokens || !r->targets || !r->times || !r->logits || !r->loss->groups)
        return MODEL_NO_MEMORY;
    return decoder_create(&r->decoder, m, pool);
}

int eval_loss_measure(struct eval_loss *l, const struct options *o,
                      const struct corpus *c, enum corpus_split split,
                      enum corpus_window_kind kind, int n, const struct model *m,
                      struct pool *pool)
{
    *l = (struct eval_loss){0};
    struct run r = {.o = o, .corpus = c, .loss = l};
    enum model_status st = set_up(&r, m, pool);
    int status = st ? say_model_error(o->file, st, NULL) : measure(&r, split, kind, n);
    decoder_destroy(r.decoder);
    free(r.tokens);
    free(r.targets);
    free(r.times);
    free(r.logits);
    return status;
}

void eval_loss_fini(struct eval_loss *l)
{
    free(l->groups);
    *l = (struct eval_loss){0};
}

/* -- the report -- */

/* A line, or fields of an object. kind: "corpus" or "style". */
static void report(cJSON *to, const char *kind, const char *name,
                   const struct loss_sums *s)
{
    const struct baseline *b = &s->baseline;
    const double tokens = (double)b->n_tokens;
    const double notes = b->n_notes ? (double)b->n_notes : NAN;
    report_columns(
        to,
        "%s %-26s tokens %8lld notes %7lld nats_per_token %9.4f "
        ".nats_per_note %g unigram_nats_per_token %7.4f "
        ".unigram_nats_per_note %g bigram_nats_per_token %7.4f "
        ".bigram_nats_per_note %g -note %9.3f -unigram %7.3f -bigram %7.3f\n",
        kind, name, (long long)b->n_tokens, (long long)b->n_notes, s->nats / tokens,
        s->nats / notes, b->unigram / tokens, b->unigram / notes, b->bigram / tokens,
        b->bigram / notes, s->nats / notes, b->unigram / notes, b->bigram / notes);
}

static void report_heard(const struct eval_loss *l, cJSON *j)
{
    cJSON *rows = cJSON_AddArrayToObject(j, "heard");
    if (!j && l->heard[0].n_tokens)
        puts("tokens before, at most; in windows that fill the context");
    for (int k = 0; k < HEARD_SPANS; k++)
        if (l->heard[k].n_tokens)
            report_row(rows, "most %-26d tokens %8lld nats_per_token %17.4f",
                       HEARD_LEAST << k, (long long)l->heard[k].n_tokens,
                       l->heard[k].nats / (double)l->heard[k].n_tokens);
}

void eval_loss_report(const struct eval_loss *l, const struct corpus *c, cJSON *j)
{
    if (!j)
        printf("%-26s %8s %7s   %-23s   %-23s\n%-26s %8s %7s   %7s %7s %7s   %7s %7s "
               "%7s\n",
               "", "", "", "nats per token", "nats per note", "corpus", "tokens",
               "notes", "model", "unigram", "bigram", "model", "unigram", "bigram");
    cJSON *rows = cJSON_AddArrayToObject(j, "corpora");
    for (int g = 0; g < c->n_groups; g++)
        if (l->groups[g].baseline.n_tokens)
            report(json_append(rows, " "), "corpus", c->groups[g].name, &l->groups[g]);
    if (!j)
        puts("style");
    rows = cJSON_AddArrayToObject(j, "styles");
    for (int s = 0; s < STYLE_COUNT; s++)
        if (l->styles[s].baseline.n_tokens)
            report(json_append(rows, " "), "style", style_name((enum style)s),
                   &l->styles[s]);
    report(cJSON_AddObjectToObject(j, "all"), "corpus", "all", &l->all);
    report_heard(l, j);
    fflush(stdout); /* there may be minutes before the rest */
}
