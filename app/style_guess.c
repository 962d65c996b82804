/* One reading of the tokens for each style. The decoder is our own, so that
 * guessing does not cost the continuation what it has read. */
#include "app/style_guess.h"

#include "app/likelihood.h"
#include "midi/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 256 };

/* Those the shipped models know; unknown music is likeliest under "any". */
static const enum style CANDIDATES[] = {STYLE_ANY, STYLE_CHORALE, STYLE_PIANO,
                                        STYLE_SONG, STYLE_QUARTET};
enum { N_CANDIDATES = sizeof CANDIDATES / sizeof CANDIDATES[0] };

struct style_guess {
    int vocab, max_tokens;
    struct decoder *decoder;
    float *logits;    /* [max_tokens, vocab] */
    int32_t *times;   /* [max_tokens] of the tokens at hand */
    int32_t *known;   /* [max_tokens] the tokens of the last guess, */
    size_t n_known;   /* 0: none, */
    enum style guess; /* and their style */
};

enum model_status style_guess_create(struct style_guess **out,
                                     const struct model *model, struct pool *pool)
{
    const struct model_config *config = model_config(model);
    struct style_guess *g = calloc(1, sizeof *g);
    if (!g)
        return MODEL_NO_MEMORY;
    g->vocab = config->vocab;
    g->max_tokens = config->context < MAX_TOKENS ? config->context : MAX_TOKENS;
    size_t n_tokens = (size_t)g->max_tokens;
    g->logits = calloc(n_tokens * (size_t)g->vocab, sizeof *g->logits);
    g->known = calloc(n_tokens, sizeof *g->known);
    g->times = calloc(n_tokens, sizeof *g->times);
    enum model_status st = g->logits && g->known && g->times
                               ? decoder_create(&g->decoder, model, pool)
                               : MODEL_NO_MEMORY;
    if (st) {
        style_guess_destroy(g);
        return st;
    }
    *out = g;
    return MODEL_OK;
}

void style_guess_destroy(struct style_guess *g)
{
    if (!g)
        return;
    decoder_destroy(g->decoder);
    free(g->logits);
    free(g->known);
    free(g->times);
    free(g);
}

void style_guess_set_cancel(struct style_guess *g, const atomic_bool *flag)
{
    decoder_set_cancel(g->decoder, flag);
}

size_t style_guess_max_tokens(const struct style_guess *g)
{
    return (size_t)g->max_tokens;
}

/* Of what follows the style token. */
static enum model_status log_likelihood(struct style_guess *g, const struct tokens *t,
                                        double *sum)
{
    decoder_truncate(g->decoder, 0);
    clock_times(t->id, t->n, g->times);
    enum model_status st =
        decoder_prefill(g->decoder, t->id, g->times, (int)t->n, true, g->logits);
    if (st)
        return st;
    *sum = 0;
    for (size_t i = 1; i + 1 < t->n; i++) {
        const float *row = g->logits + i * (size_t)g->vocab;
        *sum += likelihood_log(row, g->vocab, t->id[i + 1]);
    }
    return MODEL_OK;
}

static bool is_known(const struct style_guess *g, const struct tokens *t)
{
    return t->n == g->n_known && !memcmp(t->id, g->known, t->n * sizeof *t->id);
}

enum model_status style_guess_run(struct style_guess *g, struct tokens *t,
                                  enum style *out)
{
    double best = -INFINITY;
    enum style guess = STYLE_ANY;
    t->id[1] = TOKEN_STYLE + STYLE_ANY;
    if (is_known(g, t)) {
        *out = g->guess;
        return MODEL_OK;
    }
    for (int i = 0; i < N_CANDIDATES; i++) {
        double sum;
        t->id[1] = TOKEN_STYLE + (int32_t)CANDIDATES[i];
        enum model_status st = log_likelihood(g, t, &sum);
        if (st)
            return st;
        if (sum > best) {
            best = sum;
            guess = CANDIDATES[i];
        }
    }
    t->id[1] = TOKEN_STYLE + STYLE_ANY;
    memcpy(g->known, t->id, t->n * sizeof *t->id);
    g->n_known = t->n;
    *out = g->guess = guess;
    return MODEL_OK;
}
