/* What counting the training pieces predicts: the least a model should beat. */
#include "app/dataset/corpus.h"

#include <math.h>
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
