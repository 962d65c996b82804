/* What counting the training pieces predicts: the least a model should beat. */
#include "app/grid_corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* P(b) with one added to each count; P(b|a) with BACKED tokens' worth of it
 * added to the counts after a. */
enum { BACKED = 10 };

struct counts {
    double alone[GRID_COUNT];
    double token_totals[GRID_COUNT], voice_totals[GRID_COUNT];
};

static void count(const struct grid_corpus *c, struct counts *k)
{
    double total = (double)c->n_cells[CORPUS_TRAIN] + GRID_COUNT;
    memset(k, 0, sizeof *k);
    for (size_t a = 0; a < GRID_COUNT; a++)
        for (size_t b = 0; b < GRID_COUNT; b++) {
            k->alone[b] += c->after_token[a * GRID_COUNT + b];
            k->token_totals[a] += c->after_token[a * GRID_COUNT + b];
            k->voice_totals[a] += c->after_voice[a * GRID_COUNT + b];
        }
    for (size_t b = 0; b < GRID_COUNT; b++)
        k->alone[b] = (k->alone[b] + 1.0) / total;
}

static double nats_after(const uint32_t *pairs, const double *totals, double alone,
                         int32_t a, int32_t b)
{
    double n = pairs[(size_t)a * GRID_COUNT + (size_t)b];
    return -log((n + BACKED * alone) / (totals[a] + BACKED));
}

static void add_baseline(const struct grid_corpus *c, const struct counts *k,
                         const int32_t *ids, size_t n, struct grid_baseline *b)
{
    for (size_t i = 1; i < n; i++) {
        int32_t voice = ids[i > GRID_VOICES ? i - GRID_VOICES : 0];
        double alone = k->alone[ids[i]];
        b->unigram -= log(alone);
        b->bigram +=
            nats_after(c->after_token, k->token_totals, alone, ids[i - 1], ids[i]);
        b->voice += nats_after(c->after_voice, k->voice_totals, alone, voice, ids[i]);
        b->n_cells++;
    }
}

enum midi_status grid_corpus_baseline(const struct grid_corpus *c,
                                      enum corpus_split split, struct grid_baseline *b)
{
    struct counts k;
    count(c, &k);
    *b = (struct grid_baseline){0};
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const struct grid *g = &c->pieces[split][i];
        size_t n = grid_n_tokens(g->n_steps);
        int32_t *ids = calloc(n, sizeof *ids);
        if (!ids)
            return MIDI_NO_MEMORY;
        grid_encode(g, 0, g->n_steps, false, ids);
        add_baseline(c, &k, ids, n, b);
        free(ids);
    }
    return MIDI_OK;
}
