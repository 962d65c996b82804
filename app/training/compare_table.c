#include "app/training/compare.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/base/turns.h"
#include "app/decoding/model_file.h"
#include "midi/base/clock.h"

#include <math.h>
#include <stdlib.h>

/* Note-wise validation nats on the same pieces and split, as Huang et al. 2018
 * (Music Transformer) give them. */
static const struct published {
    const char *name;
    double nats;
} PUBLISHED[] = {
    {"Transformer", 0.417},
    {"with concatenated positional sinusoids", 0.398},
    {"with those and instrument labels", 0.370},
    {"relative (Music Transformer)", 0.357},
    {"relative, with sinusoids and instrument labels", 0.347},
    {"relative pitch and time", 0.335},
};
enum { N_PUBLISHED = sizeof PUBLISHED / sizeof PUBLISHED[0], N_BASELINES = 3 };

static const char *const COUNTED[N_BASELINES] = {
    "unigram", "bigram: after the token before",
    "bigram: after the same voice's sixteenth before"};

/* Nats a cell of the i-th way to count. */
static double counted(const struct grid_baseline *b, int i)
{
    const double nats[N_BASELINES] = {b->unigram, b->bigram, b->voice};
    return b->n_cells ? nats[i] / (double)b->n_cells : NAN;
}

static enum midi_status count(const struct compare *c, struct grid_baseline *valid,
                              struct grid_baseline *test)
{
    enum midi_status st =
        grid_corpus_baseline(c->corpus, GRID_ALL, CORPUS_VALID, valid);
    return st ? st : grid_corpus_baseline(c->corpus, GRID_ALL, CORPUS_TEST, test);
}

static const struct compare_row *best_row(const struct compare *c)
{
    const struct compare_row *best = &c->rows[0];
    for (int i = 1; i < c->n_rows; i++)
        if (c->rows[i].record.valid < best->record.valid)
            best = &c->rows[i];
    return best;
}

static void print_nats(FILE *to, double x, bool is_best)
{
    const char *mark = is_best ? "**" : "";
    if (isfinite(x))
        fprintf(to, " %s%.4f%s |", mark, x, mark);
    else
        fputs(" – |", to);
}

static void print_row(const struct compare_row *row, bool is_best, FILE *to)
{
    const struct compare_record *r = &row->record;
    fprintf(to, "| %s | %s | %.2f M | %.2f M | %.1f |", row->variant->name,
            row->variant->about, r->parameters / 1e6, r->tokens_seen / 1e6, r->minutes);
    print_nats(to, r->valid, is_best);
    print_nats(to, r->test, false);
    fprintf(to, " %.0f |\n", row->tokens_per_second);
}

enum midi_status compare_table_print(const struct compare *c, FILE *to)
{
    struct grid_baseline valid, test;
    const struct compare_row *best = best_row(c);
    enum midi_status st = count(c, &valid, &test);
    if (st)
        return st;
    fputs("| variant | | parameters | tokens seen | minutes | valid, nats per note | "
          "test | decoded tokens/s |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|\n",
          to);
    for (int i = 0; i < c->n_rows; i++)
        print_row(&c->rows[i], &c->rows[i] == best, to);
    for (int i = 0; i < N_BASELINES; i++) {
        fprintf(to, "| *counting* | %s | | | |", COUNTED[i]);
        print_nats(to, counted(&valid, i), false);
        print_nats(to, counted(&test, i), false);
        fputs(" |\n", to);
    }
    for (int i = 0; i < N_PUBLISHED; i++)
        fprintf(to, "| *published* | %s | | | | %.3f | | |\n", PUBLISHED[i].name,
                PUBLISHED[i].nats);
    return MIDI_OK;
}

cJSON *compare_table_json(const struct compare *c)
{
    const struct train_request *q = &c->settings->request;
    struct grid_baseline valid, test;
    if (count(c, &valid, &test))
        return NULL;
    cJSON *j = json_add(cJSON_CreateObject(), "data %s context %d batch %d",
                        c->corpus->name, q->config.context, q->options.batch);
    if (q->minutes > 0)
        json_add(j, "budget_minutes %g", q->minutes);
    else
        json_add(j, "budget_steps %lld", (long long)q->options.max_steps);
    cJSON *rows = cJSON_AddArrayToObject(j, "variants");
    for (int i = 0; i < c->n_rows; i++) {
        const struct compare_row *row = &c->rows[i];
        const struct compare_record *r = &row->record;
        json_append(rows,
                    "name %s about %s parameters %g steps %g tokens_seen %g minutes %g "
                    "valid_nats %g test_nats %g decoded_tokens_per_second %g",
                    row->variant->name, row->variant->about, r->parameters, r->steps,
                    r->tokens_seen, r->minutes, r->valid, r->test,
                    row->tokens_per_second);
    }
    rows = cJSON_AddArrayToObject(j, "baselines");
    for (int i = 0; i < N_BASELINES; i++)
        json_append(rows, "name %s valid_nats %g test_nats %g", COUNTED[i],
                    counted(&valid, i), counted(&test, i));
    rows = cJSON_AddArrayToObject(j, "published");
    for (int i = 0; i < N_PUBLISHED; i++)
        json_append(rows, "name %s valid_nats %g", PUBLISHED[i].name,
                    PUBLISHED[i].nats);
    return j;
}

/* -- speed: all decode a piece that was held out, from half the context on, in turns -- */

enum { ROUNDS = 7, STEPS = 64 };

struct contest {
    struct grid_row row; /* of the piece; [context] */
    int half, n_steps;
    float *logits;
};

struct entrant {
    const struct contest *contest;
    struct model *model;
    struct decoder *decoder;
};

static enum model_status run(void *arg, double *seconds)
{
    const struct entrant *e = arg;
    const struct contest *c = e->contest;
    enum model_status st = MODEL_OK;
    decoder_truncate(e->decoder, c->half);
    double start = clock_now_seconds();
    for (int i = c->half; !st && i < c->half + c->n_steps; i++)
        st = decoder_step(e->decoder, c->row.tokens[i], c->row.times[i], c->logits);
    *seconds = clock_now_seconds() - start;
    return st;
}

static enum model_status race(struct compare *c, const struct contest *contest,
                              struct entrant *entrants)
{
    const struct turn_budget budget = {.rounds = ROUNDS};
    struct turn_runner runners[N_VARIANTS];
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < c->n_rows; i++) {
        struct entrant *e = &entrants[i];
        e->contest = contest;
        runners[i] = (struct turn_runner){.run = run, .arg = e};
        st = decoder_create(&e->decoder, e->model, c->pool);
        if (!st)
            st = decoder_prefill(e->decoder, contest->row.tokens, contest->row.times,
                                 contest->half, false, NULL);
    }
    if (!st)
        st = turns_run(runners, c->n_rows, &budget);
    for (int i = 0; !st && i < c->n_rows; i++)
        c->rows[i].tokens_per_second = contest->n_steps / runners[i].spread.median;
    return st;
}

static enum model_status set_up_race(struct compare *c, struct entrant *entrants)
{
    const struct grid_lesson lesson = grid_lesson_for(false, false);
    const struct grid_window w = {.to = 1};
    const int n = c->settings->request.config.context, left = n - n / 2;
    int32_t *numbers = calloc(3 * (size_t)n, sizeof *numbers);
    struct contest contest = {
        .row = {.length = n,
                .tokens = numbers,
                .targets = numbers ? numbers + n : NULL,
                .times = numbers ? numbers + 2 * (size_t)n : NULL},
        .half = n / 2,
        .n_steps = left < STEPS ? left : STEPS,
        .logits = calloc(GRID_COUNT, sizeof *contest.logits),
    };
    enum model_status st = MODEL_NO_MEMORY;
    if (numbers && contest.logits &&
        !grid_corpus_window(c->corpus, &lesson, CORPUS_VALID, &w, &contest.row))
        st = race(c, &contest, entrants);
    free(contest.logits);
    free(numbers);
    return st;
}

static int open_model(const struct compare *c, int i, struct model **m)
{
    char path[COMPARE_PATH_BYTES], detail[96] = "";
    compare_path(path, c->settings, c->rows[i].variant->name, "safetensors");
    enum model_status st = model_file_open(m, path, detail, sizeof detail);
    if (!st && ((*m)->config.vocab != GRID_COUNT ||
                (*m)->config.context != c->settings->request.config.context))
        st = MODEL_BAD_CONFIG; /* not the one we wrote */
    return st ? say_model_error(path, st, detail) : 0;
}

int compare_speeds(struct compare *c)
{
    struct entrant entrants[N_VARIANTS] = {0};
    int status = 0;
    for (int i = 0; !status && i < c->n_rows; i++)
        status = open_model(c, i, &entrants[i].model);
    enum model_status st = status ? MODEL_OK : set_up_race(c, entrants);
    for (int i = 0; i < c->n_rows; i++) {
        decoder_destroy(entrants[i].decoder);
        model_close(entrants[i].model);
    }
    return st ? say_model_error("decoding", st, NULL) : status;
}
