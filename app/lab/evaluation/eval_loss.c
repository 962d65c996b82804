/* Measured on the windows that training validates on, so the figures are those of the model's own
 * provenance. A window is of one piece, and one prefill. With an encoder, it first reads the
 * window's melody. */
#include "app/lab/evaluation/eval_loss.h"

#include "app/base/draw.h"
#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/decoding/metadata.h"
#include "model/decoder/decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CONTEXT = 8 };

struct run {
    const struct eval_loss_request *q;
    struct eval_loss *loss;
    struct decoder *decoder;
    struct corpus_batch rows; /* one */
    int vocab;
    float *logits; /* [length, vocab] */
};

static void add_heard(struct heard_sums *heard, int n_heard, double nats)
{
    int span = 0;
    while (span < HEARD_SPANS - 1 && n_heard > HEARD_LEAST << span)
        span++;
    heard[span].nats += nats;
    heard[span].n_tokens++;
}

static void add(struct loss_row *to, double nats, const struct baseline *b)
{
    to->nats += nats;
    to->baseline.unigram += b->unigram;
    to->baseline.bigram += b->bigram;
    to->baseline.n_tokens += b->n_tokens;
    to->baseline.n_notes += b->n_notes;
}

/* The logits of the first n tokens, given the melody. */
static enum model_status read_window(struct run *r, const struct corpus_sequence *row,
                                     int n)
{
    enum model_status st = MODEL_OK;
    int n_heard = 0;
    decoder_truncate(r->decoder, 0);
    while (n_heard < r->rows.source_length && row->sources[n_heard] >= 0)
        n_heard++;
    if (r->rows.source_length)
        st = decoder_encode(r->decoder, row->sources, row->source_times, n_heard);
    if (!st && !r->q->by_steps)
        return decoder_prefill(r->decoder, row->tokens, row->times, n, true, r->logits);
    for (int i = 0; !st && i < n; i++)
        st = decoder_step(r->decoder, row->tokens[i], row->times[i],
                          r->logits + (size_t)i * (size_t)r->vocab);
    return st;
}

/* Window `index` of a folder counts for its corpus and style, a cell for its voice. */
static enum model_status measure_window(struct run *r, int index)
{
    const struct corpus *c = r->q->corpus;
    const struct corpus_sequence row = corpus_batch_at(&r->rows, 0);
    double sum = 0;
    int n = row.length, n_groups;
    while (n > 0 && row.targets[n - 1] < 0) /* what follows is of no use */
        n--;
    enum model_status st = n ? read_window(r, &row, n) : MODEL_OK;
    for (int i = 0; !st && i < n; i++) {
        if (row.targets[i] < 0) /* none is learnt there */
            continue;
        const double nats = -likelihood_log(r->logits + (size_t)i * (size_t)r->vocab,
                                            r->vocab, row.targets[i]);
        const struct baseline cell = {.n_tokens = 1, .n_notes = 1};
        sum += nats;
        if (c->is_grid) {
            add(&r->loss->rows[i % c->lesson.told.n], nats, &cell);
            add(&r->loss->all, nats, &cell);
        } else if (n == row.length) {
            add_heard(r->loss->heard, i + 1, nats);
        }
    }
    if (st || c->is_grid || !n)
        return st;
    struct baseline b = {0};
    const int group = corpus_group_in_turn(c, r->q->split, index, &n_groups);
    corpus_baseline(c, row.tokens, row.targets, (size_t)n, &b);
    add(&r->loss->rows[group], sum, &b);
    add(&r->loss->rows[c->n_groups + (int)c->groups[group].style], sum, &b);
    add(&r->loss->all, sum, &b);
    return MODEL_OK;
}

/* What counting predicts; the cells are counted as they are measured. */
static enum midi_status count_voices(struct loss_row *to, const struct corpus *c,
                                     enum corpus_split split, struct grid_form form)
{
    struct baseline before = {0}, own = {0};
    enum midi_status st = corpus_grid_baseline(c, form, 1, split, &before);
    if (!st)
        st = corpus_grid_baseline(c, form, form.n, split, &own);
    to->baseline.unigram = before.unigram;
    to->baseline.bigram = before.bigram;
    to->own_voice = own.bigram;
    return st;
}

static enum midi_status make_rows(struct eval_loss *l, const struct corpus *c,
                                  enum corpus_split split)
{
    const struct grid_form told = c->lesson.told;
    enum midi_status st = MIDI_OK;
    l->n_rows = c->is_grid ? told.n : c->n_groups + STYLE_COUNT;
    l->rows = calloc((size_t)l->n_rows + 1, sizeof *l->rows);
    l->all = (struct loss_row){
        .kind = c->is_grid ? "voice" : "corpus", .name = "all", .own_voice = NAN};
    if (!l->rows)
        return MIDI_NO_MEMORY;
    for (int i = 0; !st && i < l->n_rows; i++) {
        struct loss_row *r = &l->rows[i];
        *r = l->all;
        if (c->is_grid) {
            const struct grid_form one = {told.first + i, 1, told.hold};
            r->name = grid_voice_names[one.first];
            st = count_voices(r, c, split, one);
        } else if (i < c->n_groups) {
            r->name = c->groups[i].name;
        } else {
            r->kind = "style";
            r->name = style_name((enum style)(i - c->n_groups));
        }
    }
    return st || !c->is_grid ? st : count_voices(&l->all, c, split, told);
}

static int measure(struct run *r)
{
    const struct eval_loss_request *q = r->q;
    const struct corpus *c = q->corpus;
    const struct model_config *config = &q->model->config;
    const int length = config->context;
    if (length < LEAST_CONTEXT || config->vocab != corpus_vocab(c) ||
        (config->n_encoder_layers > 0) != (c->lesson.heard.n > 0))
        return say_model_error(q->model_name, MODEL_BAD_CONFIG, NULL);
    const int n = corpus_n_windows(c, q->split, q->n_windows, length);
    if (n == 0)
        return say_error(q->data_name, "holds no music of that split");
    enum midi_status st = corpus_batch_init(&r->rows, c, 1, length);
    if (!st)
        st = make_rows(r->loss, c, q->split);
    r->vocab = config->vocab;
    r->logits = calloc((size_t)length * (size_t)r->vocab, sizeof *r->logits);
    enum model_status measured =
        r->logits ? decoder_create(&r->decoder, q->model, q->pool) : MODEL_NO_MEMORY;
    for (int i = 0; !st && !measured && i < n; i++) {
        const struct corpus_sequence row = corpus_batch_at(&r->rows, 0);
        say_progress("windows read:", i, n);
        st = corpus_window(c, q->split, q->kind, i, n, &row);
        measured = st ? MODEL_OK : measure_window(r, i);
    }
    say_progress("", 1, 1);
    if (st)
        return say_midi_error(q->data_name, st);
    return measured ? say_model_error(q->model_name, measured, NULL) : 0;
}

int eval_loss_measure(struct eval_loss *l, const struct eval_loss_request *q)
{
    struct run r = {.q = q, .loss = l};
    *l = (struct eval_loss){0};
    int status = measure(&r);
    decoder_destroy(r.decoder);
    corpus_batch_fini(&r.rows);
    free(r.logits);
    return status;
}

void eval_loss_fini(struct eval_loss *l)
{
    free(l->rows);
    *l = (struct eval_loss){0};
}

/* -- the report -- */

/* The figure in a column; "-": there is none. */
static void print_figure(int width, int decimals, double x)
{
    if (isfinite(x))
        printf(" %*.*f", width, decimals, x);
    else
        printf(" %*s", width, "-");
}

/* A line, or fields of an object. */
static void report(cJSON *to, const struct loss_row *r)
{
    const struct baseline *b = &r->baseline;
    const double tokens = (double)b->n_tokens;
    const double notes = b->n_notes ? (double)b->n_notes : NAN;
    const bool has_own_voice = isfinite(r->own_voice);
    json_add(to,
             "%s %s tokens %lld notes %lld nats_per_token %g nats_per_note %g "
             "unigram_nats_per_token %g unigram_nats_per_note %g "
             "bigram_nats_per_token %g bigram_nats_per_note %g",
             r->kind, r->name, (long long)b->n_tokens, (long long)b->n_notes,
             r->nats / tokens, r->nats / notes, b->unigram / tokens, b->unigram / notes,
             b->bigram / tokens, b->bigram / notes);
    if (to && has_own_voice)
        json_add(to, "own_voice_nats_per_token %g", r->own_voice / tokens);
    if (to)
        return;
    char name[128];
    printf("%-26s %8lld %7lld", say_copy(name, sizeof name, r->name),
           (long long)b->n_tokens, (long long)b->n_notes);
    print_figure(9, 4, r->nats / tokens);
    print_figure(7, 4, b->unigram / tokens);
    print_figure(7, 4, b->bigram / tokens);
    if (has_own_voice) {
        print_figure(9, 4, r->own_voice / tokens);
    } else {
        print_figure(9, 3, r->nats / notes);
        print_figure(7, 3, b->unigram / notes);
        print_figure(7, 3, b->bigram / notes);
    }
    putchar('\n');
}

static void report_heard(const struct eval_loss *l, cJSON *j)
{
    cJSON *rows = cJSON_AddArrayToObject(j, "heard");
    if (!j && l->heard[0].n_tokens)
        puts("tokens before, at most; in windows that fill the context");
    for (int k = 0; k < HEARD_SPANS; k++) {
        const int most = HEARD_LEAST << k;
        const long long n = l->heard[k].n_tokens;
        const double nats = l->heard[k].nats / (double)n;
        if (n && j)
            json_add(json_item(rows), "most %d tokens %lld nats_per_token %g", most, n,
                     nats);
        else if (n)
            printf("%-26d %8lld %17.4f\n", most, n, nats);
    }
}

void eval_loss_report(const struct eval_loss *l, cJSON *j)
{
    const bool is_grid = isfinite(l->all.own_voice);
    const char *kind = "";
    cJSON *list = NULL;
    if (!j)
        printf("%-26s %8s %7s   %-23s   %s\n%-26s %8s %7s   %7s %7s %7s   %s\n", "", "",
               "", "nats per token", is_grid ? "" : "nats per note", l->all.kind,
               "tokens", "notes", "model", "unigram", "bigram",
               is_grid ? "own voice" : "  model unigram  bigram");
    for (int i = 0; i < l->n_rows; i++) {
        const struct loss_row *r = &l->rows[i];
        if (strcmp(kind, r->kind) != 0) {
            if (!j && *kind)
                puts(r->kind);
            list = cJSON_AddArrayToObject(j, *r->kind == 'c'   ? "corpora"
                                             : *r->kind == 's' ? "styles"
                                                               : "voices");
            kind = r->kind;
        }
        if (r->baseline.n_tokens)
            report(json_item(list), r);
    }
    report(cJSON_AddObjectToObject(j, "all"), &l->all);
    if (!is_grid)
        report_heard(l, j);
    else if (!j)
        puts(
            "unigram, bigram (the cell before) and own voice (the step before) are "
            "counted in "
            "the\ntraining pieces: for one voice in that voice, for all in all voices");
    fflush(stdout); /* there may be minutes before the rest */
}
