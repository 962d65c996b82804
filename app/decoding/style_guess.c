/* One reading of the tokens for each style; of those that are well behind after the first
 * few tokens, no more than these. The decoder is our own, so that guessing does not cost
 * the continuation what it has read. */
#include "app/decoding/style_guess.h"

#include "app/decoding/learnt_styles.h"
#include "app/base/draw.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

/* After FIRST_TOKENS at most FINALISTS are read on up to LAST_TOKENS, and only such as are
 * within MARGIN nats of the best. Reading all of 256 tokens under all five takes four times
 * as long: of 154 pieces, 14 of each of eleven collections, 91 in a hundred get the same
 * style either way, and the others one that is nearly as likely: what is lost is 0.12 nats
 * of 196 on average, and 6 at worst. */
enum { MAX_TOKENS = 256, FIRST_TOKENS = 32, LAST_TOKENS = 96, FINALISTS = 3 };
#define MARGIN 3.0

struct style_guess {
    /* Those the model has learnt; unknown music is likeliest under "any". */
    enum style candidates[STYLE_COUNT];
    int n_candidates;
    int vocab, max_tokens;
    struct decoder *decoder;
    float *logits;    /* [max_tokens, vocab] */
    int32_t *times;   /* [max_tokens] of the tokens at hand */
    int32_t *known;   /* [max_tokens] the tokens of the last guess, */
    size_t n_known;   /* 0: none, */
    enum style guess; /* and their style */
};

static void choose_candidates(struct style_guess *g, const struct model *model)
{
    uint64_t styles = learnt_styles(model);
    for (int s = 0; s < STYLE_COUNT; s++)
        if (learnt_has(styles, s))
            g->candidates[g->n_candidates++] = (enum style)s;
}

enum model_status style_guess_create(struct style_guess **out,
                                     const struct model *model, struct pool *pool)
{
    const struct model_config *config = model_config(model);
    struct style_guess *g = calloc(1, sizeof *g);
    if (!g)
        return MODEL_NO_MEMORY;
    g->vocab = config->vocab;
    choose_candidates(g, model);
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

void style_guess_warm_up(struct style_guess *g)
{
    int32_t ids[FIRST_TOKENS];
    for (int i = 0; i < FIRST_TOKENS; i++) {
        ids[i] = TOKEN_BOS;
        g->times[i] = 0;
    }
    decoder_truncate(g->decoder, 0);
    decoder_prefill(g->decoder, ids, g->times, FIRST_TOKENS, true, g->logits);
    decoder_truncate(g->decoder, 0);
}

size_t style_guess_max_tokens(const struct style_guess *g)
{
    return (size_t)g->max_tokens;
}

/* Of the tokens up to n that follow the style token. */
static enum model_status log_likelihood(struct style_guess *g, const struct tokens *t,
                                        size_t n, double *sum)
{
    decoder_truncate(g->decoder, 0);
    token_times(t->id, n, g->times);
    enum model_status st =
        decoder_prefill(g->decoder, t->id, g->times, (int)n, true, g->logits);
    if (st)
        return st;
    *sum = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        const float *row = g->logits + i * (size_t)g->vocab;
        *sum += likelihood_log(row, g->vocab, t->id[i + 1]);
    }
    return MODEL_OK;
}

/* What one style makes of the tokens. */
struct beat_tracker {
    enum style style;
    double sum; /* log likelihood */
};

static int likelier(const void *a, const void *b)
{
    double x = ((const struct beat_tracker *)a)->sum,
           y = ((const struct beat_tracker *)b)->sum;
    return (x < y) - (x > y);
}

/* Hears the first n tokens under each, and brings the likeliest to the front. */
static enum model_status hear(struct style_guess *g, struct tokens *t, size_t n,
                              struct beat_tracker *list, int n_list)
{
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < n_list; i++) {
        t->id[1] = TOKEN_STYLE + (int32_t)list[i].style;
        st = log_likelihood(g, t, n, &list[i].sum);
    }
    qsort(list, (size_t)n_list, sizeof *list, likelier);
    return st;
}

static int count_finalists(const struct beat_tracker *list, int n_list)
{
    int n = 1;
    while (n < FINALISTS && n < n_list && list[n].sum > list[0].sum - MARGIN)
        n++;
    return n;
}

static enum model_status find_likeliest(struct style_guess *g, struct tokens *t,
                                        enum style *out)
{
    struct beat_tracker list[STYLE_COUNT] = {{0}};
    int n = g->n_candidates;
    enum model_status st = MODEL_OK;
    for (int i = 0; i < n; i++)
        list[i] = (struct beat_tracker){.style = g->candidates[i]};
    const size_t last = t->n < LAST_TOKENS ? t->n : LAST_TOKENS;
    if (last > FIRST_TOKENS) {
        st = hear(g, t, FIRST_TOKENS, list, n);
        n = count_finalists(list, n);
    }
    if (!st && n > 1)
        st = hear(g, t, last, list, n);
    *out = list[0].style;
    return st;
}

static bool is_known(const struct style_guess *g, const struct tokens *t)
{
    return t->n == g->n_known && !memcmp(t->id, g->known, t->n * sizeof *t->id);
}

enum model_status style_guess_run(struct style_guess *g, struct tokens *t,
                                  enum style *out)
{
    enum style guess;
    t->id[1] = TOKEN_STYLE + STYLE_ANY;
    if (is_known(g, t)) {
        *out = g->guess;
        return MODEL_OK;
    }
    enum model_status st = find_likeliest(g, t, &guess);
    if (st)
        return st;
    t->id[1] = TOKEN_STYLE + STYLE_ANY;
    memcpy(g->known, t->id, t->n * sizeof *t->id);
    g->n_known = t->n;
    *out = g->guess = guess;
    return MODEL_OK;
}
