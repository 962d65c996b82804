/* What counting the training pieces predicts: the least a model should beat. */
#include "app/lab/dataset/corpus.h"

#include <math.h>
#include <stdlib.h>

/* P(b) with one added to each count; P(b|a) with BACKED tokens' worth of it
 * added to the counts after a. */
enum { BACKED = 10 };

struct counts {
    size_t vocab;
    const uint32_t *pairs; /* [vocab, vocab] a token, and another after it */
    double alone[TOKEN_COUNT], after[TOKEN_COUNT]; /* P(b); counts after a */
};

static struct counts count_pairs(const uint32_t *pairs, size_t vocab)
{
    struct counts k = {.vocab = vocab, .pairs = pairs};
    double total = (double)vocab;
    for (size_t a = 0; a < vocab; a++)
        for (size_t b = 0; b < vocab; b++) {
            const double n = pairs[a * vocab + b];
            k.alone[b] += n;
            k.after[a] += n;
            total += n;
        }
    for (size_t b = 0; b < vocab; b++)
        k.alone[b] = (k.alone[b] + 1.0) / total;
    return k;
}

static void add_token(struct baseline *sum, const struct counts *k, size_t a, size_t b,
                      bool is_note)
{
    const double pairs = k->pairs[a * k->vocab + b];
    sum->unigram -= log(k->alone[b]);
    sum->bigram -= log((pairs + BACKED * k->alone[b]) / (k->after[a] + BACKED));
    sum->n_tokens++;
    sum->n_notes += is_note;
}

void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum)
{
    const struct counts k = count_pairs(c->bigrams, TOKEN_COUNT);
    for (size_t i = 0; i < n; i++) {
        if (targets[i] < 0)
            continue;
        const enum token kind = token_kind(targets[i]);
        add_token(sum, &k, (size_t)tokens[i], (size_t)targets[i],
                  kind == TOKEN_PITCH || kind == TOKEN_HIT);
    }
}

/* Counts the pairs of a split's cells or, with counts and a sum, adds the cells to it. */
static enum midi_status visit_cells(const struct corpus *c, struct grid_form form,
                                    int apart, enum corpus_split split, uint32_t *pairs,
                                    const struct counts *k, struct baseline *sum)
{
    for (int piece = 0; piece < c->n_pieces[split]; piece++) {
        const struct grid *g = &c->pieces[split][piece].grid;
        const int n = (int)grid_n_tokens(form, g->n_steps);
        int32_t *ids = calloc((size_t)n, sizeof *ids);
        if (!ids)
            return MIDI_NO_MEMORY;
        grid_encode(g, form, 0, g->n_steps, ids);
        for (int i = 1; i < n; i++) {
            const size_t a = (size_t)ids[i > apart ? i - apart : 0], b = (size_t)ids[i];
            if (k && sum)
                add_token(sum, k, a, b, true);
            else
                pairs[a * GRID_COUNT + b]++;
        }
        free(ids);
    }
    return MIDI_OK;
}

enum midi_status corpus_grid_baseline(const struct corpus *c, struct grid_form form,
                                      int apart, enum corpus_split split,
                                      struct baseline *sum)
{
    uint32_t pairs[GRID_COUNT * GRID_COUNT] = {0};
    enum midi_status st = visit_cells(c, form, apart, CORPUS_TRAIN, pairs, NULL, NULL);
    const struct counts k = count_pairs(pairs, GRID_COUNT);
    return st ? st : visit_cells(c, form, apart, split, pairs, &k, sum);
}
