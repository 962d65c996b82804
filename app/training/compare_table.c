/* See compare.h. */
#include "app/training/compare.h"

#include "app/base/json_fields.h"
#include "app/training/train_report.h"
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

/* Of counting alone, in nats a cell. */
struct counted {
    const char *name;
    double valid, test;
};

static double mean(double nats, int64_t n)
{
    return n ? nats / (double)n : NAN;
}

static enum midi_status count(const struct compare *c, struct counted *k)
{
    struct grid_baseline v, t;
    enum midi_status st = grid_corpus_baseline(c->corpus, GRID_ALL, CORPUS_VALID, &v);
    if (!st)
        st = grid_corpus_baseline(c->corpus, GRID_ALL, CORPUS_TEST, &t);
    if (st)
        return st;
    k[0] = (struct counted){"unigram", mean(v.unigram, v.n_cells),
                            mean(t.unigram, t.n_cells)};
    k[1] = (struct counted){"bigram: after the token before", mean(v.bigram, v.n_cells),
                            mean(t.bigram, t.n_cells)};
    k[2] = (struct counted){"bigram: after the same voice's sixteenth before",
                            mean(v.voice, v.n_cells), mean(t.voice, t.n_cells)};
    return MIDI_OK;
}

static const struct compare_row *best_row(const struct compare *c)
{
    const struct compare_row *best = &c->rows[0];
    for (int i = 1; i < c->n_rows; i++)
        if (c->rows[i].record.valid < best->record.valid)
            best = &c->rows[i];
    return best;
}

static const char *cell(char *text, size_t n, double x, bool is_best)
{
    const char *mark = is_best ? "**" : "";
    if (isfinite(x))
        snprintf(text, n, "%s%.4f%s", mark, x, mark);
    else
        snprintf(text, n, "–");
    return text;
}

static void print_row(const struct compare_row *row, bool is_best, FILE *to)
{
    const struct compare_record *r = &row->record;
    char valid[32], test[32];
    fprintf(to, "| %s | %s | %.2f M | %.2f M | %.1f | %s | %s | %.0f |\n",
            row->variant->name, row->variant->about, r->parameters / 1e6,
            r->tokens_seen / 1e6, r->minutes,
            cell(valid, sizeof valid, r->valid, is_best),
            cell(test, sizeof test, r->test, false), row->tokens_per_second);
}

enum midi_status compare_table_print(const struct compare *c, FILE *to)
{
    struct counted counts[N_BASELINES];
    const struct compare_row *best = best_row(c);
    enum midi_status st = count(c, counts);
    if (st)
        return st;
    fputs("| variant | | parameters | tokens seen | minutes | valid, nats a note | "
          "test | decoded tokens/s |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|\n",
          to);
    for (int i = 0; i < c->n_rows; i++)
        print_row(&c->rows[i], &c->rows[i] == best, to);
    for (int i = 0; i < N_BASELINES; i++) {
        char valid[32], test[32];
        fprintf(to, "| *counting* | %s | | | | %s | %s | |\n", counts[i].name,
                cell(valid, sizeof valid, counts[i].valid, false),
                cell(test, sizeof test, counts[i].test, false));
    }
    for (int i = 0; i < N_PUBLISHED; i++)
        fprintf(to, "| *published* | %s | | | | %.3f | | |\n", PUBLISHED[i].name,
                PUBLISHED[i].nats);
    return MIDI_OK;
}

static void add_row(cJSON *list, const struct compare_row *row)
{
    const struct compare_record *r = &row->record;
    json_append(list,
                "name %s about %s parameters %g steps %g tokens_seen %g minutes %g "
                "valid_nats %g test_nats %g decoded_tokens_per_second %g",
                row->variant->name, row->variant->about, r->parameters, r->steps,
                r->tokens_seen, r->minutes, r->valid, r->test, row->tokens_per_second);
}

cJSON *compare_table_json(const struct compare *c)
{
    const struct train_request *q = &c->settings->request;
    struct counted counts[N_BASELINES];
    if (count(c, counts))
        return NULL;
    cJSON *j = json_add(cJSON_CreateObject(), "data %s context %d batch %d",
                        c->corpus->name, q->config.context, q->options.batch);
    if (q->minutes > 0)
        json_add(j, "budget_minutes %g", q->minutes);
    else
        json_add(j, "budget_steps %lld", (long long)q->options.max_steps);
    cJSON *rows = cJSON_AddArrayToObject(j, "variants");
    for (int i = 0; i < c->n_rows; i++)
        add_row(rows, &c->rows[i]);
    rows = cJSON_AddArrayToObject(j, "baselines");
    for (int i = 0; i < N_BASELINES; i++)
        json_append(rows, "name %s valid_nats %g test_nats %g", counts[i].name,
                    counts[i].valid, counts[i].test);
    rows = cJSON_AddArrayToObject(j, "published");
    for (int i = 0; i < N_PUBLISHED; i++)
        json_append(rows, "name %s valid_nats %g", PUBLISHED[i].name,
                    PUBLISHED[i].nats);
    return j;
}

/* -- speed -- */

enum { ROUNDS = 7, STEPS = 64 };

struct contest {
    const int32_t *tokens, *times;
    int half, n_steps;
    float *logits;
    struct runner {
        struct decoder *decoder;
        double seconds[ROUNDS];
    } * runners;
};

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum model_status run(const struct contest *c, struct runner *r, int round)
{
    enum model_status st = MODEL_OK;
    decoder_truncate(r->decoder, c->half);
    double start = clock_now_seconds();
    for (int i = c->half; !st && i < c->half + c->n_steps; i++)
        st = decoder_step(r->decoder, c->tokens[i], c->times[i], c->logits);
    r->seconds[round] = clock_now_seconds() - start;
    return st;
}

static enum model_status line_up(const struct contest *c, struct runner *r,
                                 const struct model *m, struct pool *pool)
{
    enum model_status st = decoder_create(&r->decoder, m, pool);
    if (!st)
        st = decoder_prefill(r->decoder, c->tokens, c->times, c->half, false, NULL);
    return st ? st : run(c, r, 0); /* once, for the caches */
}

static enum model_status race(const struct contest *c, struct compare_speed *list,
                              int n, struct pool *pool)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n; i++)
        st = line_up(c, &c->runners[i], list[i].model, pool);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; !st && i < n; i++)
            st = run(c, &c->runners[i], k);
    for (int i = 0; !st && i < n; i++) {
        double *seconds = c->runners[i].seconds;
        qsort(seconds, ROUNDS, sizeof *seconds, compare_seconds);
        list[i].tokens_per_second = c->n_steps / seconds[ROUNDS / 2];
    }
    return st;
}

enum model_status compare_speed_measure(struct compare_speed *list, int n,
                                        struct pool *pool, const int32_t *tokens,
                                        const int32_t *times)
{
    if (n == 0)
        return MODEL_OK;
    const struct model_config *config = model_config(list[0].model);
    int left = config->context - config->context / 2;
    struct contest c = {
        .tokens = tokens,
        .times = times,
        .half = config->context / 2,
        .n_steps = left < STEPS ? left : STEPS,
        .logits = calloc((size_t)config->vocab, sizeof *c.logits),
        .runners = calloc((size_t)n, sizeof *c.runners),
    };
    enum model_status st =
        c.logits && c.runners ? race(&c, list, n, pool) : MODEL_NO_MEMORY;
    for (int i = 0; c.runners && i < n; i++)
        decoder_destroy(c.runners[i].decoder);
    free(c.runners);
    free(c.logits);
    return st;
}
