/* What counting the training pieces predicts: the least a model should beat. */
#include "app/lab/dataset/corpus.h"
#include "app/lab/dataset/grid_corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* P(b) with one added to each count; P(b|a) with BACKED tokens' worth of it
 * added to the counts after a. */
enum { BACKED = 10 };

struct counts {
    double unigram[TOKEN_COUNT], after[TOKEN_COUNT], total;
};

static void count(const struct corpus *c, struct counts *k)
{
    memset(k, 0, sizeof *k);
    for (int a = 0; a < TOKEN_COUNT; a++)
        for (int b = 0; b < TOKEN_COUNT; b++) {
            double n = c->bigrams[(size_t)a * TOKEN_COUNT + (size_t)b];
            k->unigram[b] += n;
            k->after[a] += n;
            k->total += n;
        }
}

void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum)
{
    struct counts k;
    count(c, &k);
    for (size_t i = 0; i < n; i++) {
        if (targets[i] < 0)
            continue;
        size_t a = (size_t)tokens[i], b = (size_t)targets[i];
        double alone = (k.unigram[b] + 1.0) / (k.total + TOKEN_COUNT);
        double after =
            (c->bigrams[a * TOKEN_COUNT + b] + BACKED * alone) / (k.after[a] + BACKED);
        sum->unigram -= log(alone);
        sum->bigram -= log(after);
        sum->n_tokens++;
        enum token kind = token_kind(targets[i]);
        sum->n_notes += kind == TOKEN_PITCH || kind == TOKEN_HIT;
    }
}

/* -- four voices -- */

enum { PAIRS = GRID_COUNT * GRID_COUNT };

/* A cell after the token before it, and after its own voice's a step before (the
 * first token, in the first step). */
struct grid_counts {
    double after_token[PAIRS], after_voice[PAIRS];
    double alone[GRID_COUNT];
    double token_totals[GRID_COUNT], voice_totals[GRID_COUNT];
};

static size_t pair(int32_t a, int32_t b)
{
    return (size_t)a * GRID_COUNT + (size_t)b;
}

static void count_cell(struct grid_counts *k, int32_t before, int32_t voice, int32_t id)
{
    k->after_token[pair(before, id)]++;
    k->token_totals[before]++;
    k->after_voice[pair(voice, id)]++;
    k->voice_totals[voice]++;
    k->alone[id]++;
}

static double nats_after(const double *pairs, const double *totals, double alone,
                         int32_t a, int32_t b)
{
    return -log((pairs[pair(a, b)] + BACKED * alone) / (totals[a] + BACKED));
}

static void add_cell(struct grid_baseline *sum, const struct grid_counts *k,
                     int32_t before, int32_t voice, int32_t id)
{
    double alone = k->alone[id];
    sum->unigram -= log(alone);
    sum->bigram += nats_after(k->after_token, k->token_totals, alone, before, id);
    sum->voice += nats_after(k->after_voice, k->voice_totals, alone, voice, id);
    sum->n_cells++;
}

/* Counts the cells or, if there is a sum, adds them to it. */
static enum midi_status visit_split(const struct grid_corpus *c, struct grid_form told,
                                    enum corpus_split split, struct grid_counts *k,
                                    struct grid_baseline *sum)
{
    const size_t voices = (size_t)told.n;
    for (int piece = 0; piece < c->n_pieces[split]; piece++) {
        const struct grid *g = &c->pieces[split][piece];
        const size_t n = grid_n_tokens(told, g->n_steps);
        int32_t *ids = calloc(n, sizeof *ids);
        if (!ids)
            return MIDI_NO_MEMORY;
        grid_encode(g, told, 0, g->n_steps, ids);
        for (size_t i = 1; i < n; i++) {
            const int32_t voice = ids[i > voices ? i - voices : 0];
            if (sum)
                add_cell(sum, k, ids[i - 1], voice, ids[i]);
            else
                count_cell(k, ids[i - 1], voice, ids[i]);
        }
        free(ids);
    }
    return MIDI_OK;
}

enum midi_status grid_corpus_baseline(const struct grid_corpus *c,
                                      struct grid_form told, enum corpus_split split,
                                      struct grid_baseline *b)
{
    struct grid_counts *k = calloc(1, sizeof *k);
    double total = 0;
    *b = (struct grid_baseline){0};
    if (!k)
        return MIDI_NO_MEMORY;
    enum midi_status st = visit_split(c, told, CORPUS_TRAIN, k, NULL);
    for (int i = 0; i < GRID_COUNT; i++)
        total += ++k->alone[i];
    for (int i = 0; i < GRID_COUNT; i++)
        k->alone[i] /= total;
    if (!st)
        st = visit_split(c, told, split, k, b);
    free(k);
    return st;
}
