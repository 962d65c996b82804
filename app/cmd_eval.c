/* continuo eval: how well a model predicts music it has not seen, beside two
 * baselines counted from the music it has.
 *
 * Measured on the windows that training validates on, so the figures are those
 * of the model's own provenance. A window's cost is in nats for each token it
 * has, and for each note. */
#include "app/commands.h"

#include "app/corpus.h"
#include "app/describe.h"
#include "app/likelihood.h"
#include "app/metadata.h"
#include "app/options.h"
#include "app/paths.h"
#include "app/say.h"
#include "model/decoder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct verb VERB = {
    .name = "eval",
    .arguments = "MODEL --data DIR [options]",
    .about =
        "Measures a model on the held-out music of DIR: nats for each token and each\n"
        "note, beside a unigram and a bigram of the training music there.",
    .n_files = 1,
    .takes = OPTION_DATA | OPTION_THREADS | OPTION_JSON,
    .needs = OPTION_DATA,
};

struct sums {
    double nats; /* the model's */
    struct baseline baseline;
};

struct evaluation {
    const struct options *options;
    enum corpus_split split;
    struct corpus *corpus;
    struct model *model;
    struct pool *pool;
    struct decoder *decoder;
    int length, vocab;
    int32_t *tokens, *targets; /* [length] */
    float *logits;             /* [length, vocab] */
    struct sums *groups;       /* [n_groups] */
    struct sums all;
};

static bool read_split(const char *name, enum corpus_split *split)
{
    static const char *const NAMES[CORPUS_SPLITS] = {"train", "valid", "test"};
    for (int i = 0; i < CORPUS_SPLITS; i++)
        if (!strcmp(name, NAMES[i])) {
            *split = (enum corpus_split)i;
            return true;
        }
    return false;
}

/* The corpus that window `index` is of: they take turns. */
static int group_of(const struct evaluation *e, int index)
{
    int n = 0;
    for (int g = 0; g < e->corpus->n_groups; g++)
        n += e->corpus->groups[g].n_pieces[e->split] > 0;
    int turn = n ? index % n : 0;
    for (int g = 0; g < e->corpus->n_groups; g++)
        if (e->corpus->groups[g].n_pieces[e->split] > 0 && turn-- == 0)
            return g;
    return 0;
}

static int count_used(const struct evaluation *e)
{
    int n = e->length;
    while (n > 0 && e->targets[n - 1] < 0)
        n--;
    return n;
}

static void add(struct sums *to, const struct sums *s)
{
    to->nats += s->nats;
    to->baseline.unigram += s->baseline.unigram;
    to->baseline.bigram += s->baseline.bigram;
    to->baseline.n_tokens += s->baseline.n_tokens;
    to->baseline.n_notes += s->baseline.n_notes;
}

static enum model_status measure_window(struct evaluation *e, int group)
{
    int n = count_used(e);
    if (n == 0)
        return MODEL_OK;
    struct sums s = {0};
    decoder_truncate(e->decoder, 0);
    enum model_status st = decoder_prefill(e->decoder, e->tokens, NULL, n, true, e->logits);
    if (st)
        return st;
    for (int i = 0; i < n; i++)
        if (e->targets[i] >= 0)
            s.nats -= likelihood_log(e->logits + (size_t)i * (size_t)e->vocab, e->vocab,
                                     e->targets[i]);
    corpus_baseline(e->corpus, e->tokens, e->targets, (size_t)n, &s.baseline);
    add(&e->groups[group], &s);
    add(&e->all, &s);
    return MODEL_OK;
}

static int measure(struct evaluation *e)
{
    const struct options *o = e->options;
    for (int i = 0; i < o->windows; i++) {
        enum midi_status st = corpus_window(e->corpus, e->split, i, o->windows,
                                            e->length, e->tokens, e->targets);
        if (st == MIDI_EMPTY)
            return say_error(o->data, "holds no music of that split");
        if (st)
            return say_midi_error(o->data, st);
        enum model_status measured = measure_window(e, group_of(e, i));
        if (measured)
            return say_model_error(o->file, measured, NULL);
    }
    return 0;
}

static void print_row(const char *name, const struct sums *s)
{
    const struct baseline *b = &s->baseline;
    if (b->n_tokens == 0)
        return;
    double tokens = (double)b->n_tokens, notes = b->n_notes ? (double)b->n_notes : NAN;
    char safe[32];
    printf("%-14s %8lld %7lld   %7.4f %7.4f %7.4f   %7.3f %7.3f %7.3f\n",
           say_copy(safe, sizeof safe, name), (long long)b->n_tokens,
           (long long)b->n_notes, s->nats / tokens, b->unigram / tokens,
           b->bigram / tokens, s->nats / notes, b->unigram / notes, b->bigram / notes);
}

static void print_table(const struct evaluation *e)
{
    printf("%-14s %8s %7s   %-23s   %-23s\n", "", "", "", "nats a token",
           "nats a note");
    printf("%-14s %8s %7s   %7s %7s %7s   %7s %7s %7s\n", "corpus", "tokens", "notes",
           "model", "unigram", "bigram", "model", "unigram", "bigram");
    for (int g = 0; g < e->corpus->n_groups; g++)
        print_row(e->corpus->groups[g].name, &e->groups[g]);
    print_row("all", &e->all);
}

static cJSON *row_json(const char *name, const struct sums *s)
{
    const struct baseline *b = &s->baseline;
    double tokens = (double)b->n_tokens, notes = b->n_notes ? (double)b->n_notes : 1;
    char safe[128];
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "corpus", say_copy(safe, sizeof safe, name));
    cJSON_AddNumberToObject(j, "tokens", tokens);
    cJSON_AddNumberToObject(j, "notes", (double)b->n_notes);
    cJSON_AddNumberToObject(j, "nats_per_token", s->nats / tokens);
    cJSON_AddNumberToObject(j, "nats_per_note", s->nats / notes);
    cJSON_AddNumberToObject(j, "unigram_nats_per_token", b->unigram / tokens);
    cJSON_AddNumberToObject(j, "unigram_nats_per_note", b->unigram / notes);
    cJSON_AddNumberToObject(j, "bigram_nats_per_token", b->bigram / tokens);
    cJSON_AddNumberToObject(j, "bigram_nats_per_note", b->bigram / notes);
    return j;
}

static void print_json(const struct evaluation *e)
{
    cJSON *j = describe_model(e->model, e->options->file);
    cJSON_AddStringToObject(j, "split", e->options->split);
    cJSON_AddNumberToObject(j, "windows", e->options->windows);
    cJSON *rows = cJSON_AddArrayToObject(j, "corpora");
    for (int g = 0; g < e->corpus->n_groups; g++)
        if (e->groups[g].baseline.n_tokens)
            cJSON_AddItemToArray(rows,
                                 row_json(e->corpus->groups[g].name, &e->groups[g]));
    cJSON_AddItemToObject(j, "all", row_json("all", &e->all));
    char *text = cJSON_Print(j);
    puts(text ? text : "{}");
    cJSON_free(text);
    cJSON_Delete(j);
}

static enum model_status set_up(struct evaluation *e)
{
    const struct model_config *c = model_config(e->model);
    if (c->vocab != TOKEN_COUNT)
        return MODEL_BAD_CONFIG;
    e->length = c->context;
    e->vocab = c->vocab;
    size_t n = (size_t)e->length;
    e->tokens = calloc(n, sizeof *e->tokens);
    e->targets = calloc(n, sizeof *e->targets);
    e->logits = calloc(n * (size_t)e->vocab, sizeof *e->logits);
    e->groups = calloc((size_t)e->corpus->n_groups + 1, sizeof *e->groups);
    e->pool = pool_create(e->options->threads);
    if (!e->tokens || !e->targets || !e->logits || !e->groups || !e->pool)
        return MODEL_NO_MEMORY;
    return decoder_create(&e->decoder, e->model, e->pool);
}

static void clean_up(struct evaluation *e)
{
    decoder_destroy(e->decoder);
    pool_destroy(e->pool);
    model_close(e->model);
    corpus_close(e->corpus);
    free(e->tokens);
    free(e->targets);
    free(e->logits);
    free(e->groups);
}

static int open_model(struct evaluation *e)
{
    char path[4096], detail[96] = "";
    if (!paths_model(path, sizeof path, e->options->file))
        return say_error(e->options->file, "the name is too long");
    errno = 0;
    enum model_status st = model_open(&e->model, path, detail, sizeof detail);
    return st ? say_model_error(path, st, detail) : 0;
}

static int open_data(struct evaluation *e)
{
    const struct options *o = e->options;
    errno = 0;
    enum midi_status st = corpus_open(&e->corpus, o->data, o->corpora, NULL);
    if (st == MIDI_EMPTY)
        return say_error(o->data, "holds no MIDI file that can be used");
    return st ? say_midi_error(o->data, st) : 0;
}

static int run(struct evaluation *e)
{
    if (open_model(e) || open_data(e))
        return 1;
    enum model_status st = set_up(e);
    if (st)
        return say_model_error(e->options->file, st, NULL);
    if (measure(e))
        return 1;
    if (e->options->json)
        print_json(e);
    else
        print_table(e);
    return 0;
}

int cmd_eval(int argc, char **argv)
{
    struct options o;
    struct evaluation e = {.options = &o};
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    if (!read_split(o.split, &e.split)) {
        say_error("--split", "is one of train, valid, test");
        return 2;
    }
    status = run(&e);
    clean_up(&e);
    return status;
}
