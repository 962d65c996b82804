/* The style is the one under which the model finds the piece's first tokens likeliest. Only
 * styles that fit the tracks are tried; those far behind after a few tokens are dropped.
 * The guess has its own decoder, so that the continuation's decoder keeps its cache. */
#include "app/decoding/style_guess.h"

#include "app/decoding/learnt_styles.h"
#include "app/base/draw.h"
#include "app/biases/chord_plan.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

/* After FIRST_TOKENS at most FINALISTS are read on, and only those within MARGIN nats of the best:
 * the first takes wait for this guess. */
enum { MAX_TOKENS = 256, FIRST_TOKENS = 16, FINALISTS = 4 };
#define MARGIN  6.0
/* What is known without the model, in nats: any style is preferred to "any"; a blues has its
 * changes or is rare. */
#define ANY     (-3.0)
#define CHANGES 1.5
#define NONE    (-0.5)

/* What one style makes of the tokens. */
struct candidate {
    enum style style;
    double sum; /* log likelihood */
};

struct style_guess {
    /* Those the model has learnt (learnt_styles); unknown music is likeliest under "any". */
    uint64_t styles;
    int vocab, max_tokens;
    struct decoder *decoder;
    float *logits;  /* [max_tokens, vocab] */
    int32_t *times; /* [max_tokens] of the tokens at hand */

    /* The guess at hand, which goes on where it was cancelled: */
    int32_t *known; /* [max_tokens] its tokens, */
    size_t n_known; /* 0: none, */
    bool is_blues;
    struct candidate list[STYLE_COUNT]; /* the styles that are left, */
    int n,
        n_read; /* of which some are read in this round, in the end the likeliest first; */
    bool is_last; /* the round that reads all tokens */
};

enum model_status style_guess_create(struct style_guess **out,
                                     const struct model *model, struct pool *pool)
{
    const struct model_config *config = &model->config;
    struct style_guess *g = calloc(1, sizeof *g);
    if (!g)
        return MODEL_NO_MEMORY;
    g->vocab = config->vocab;
    g->styles = learnt_styles(model);
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

/* How many tokens stand before the first bar: BOS STYLE, and the tracks declared. They are
 * given and never written, so the model has not learnt to predict them. */
static size_t count_given(const struct tokens *t)
{
    size_t i = 0;
    while (i < t->n && token_kind(t->id[i]) != TOKEN_BAR)
        i++;
    return i;
}

/* Of the tokens up to n from the first bar on. Lengths and velocities depend on who made the
 * file, a sequencer or a pianist, as much as on the style, so they count less. */
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
    for (size_t i = count_given(t); i + 1 < n; i++) {
        const float *row = g->logits + i * (size_t)g->vocab;
        const enum token kind = token_kind(t->id[i + 1]);
        const bool is_less =
            kind == TOKEN_DUR || kind == TOKEN_DURX || kind == TOKEN_VEL;
        *sum += (is_less ? 0.25 : 1) * likelihood_log(row, g->vocab, t->id[i + 1]);
    }
    return MODEL_OK;
}

static int likelier(const void *a, const void *b)
{
    double x = ((const struct candidate *)a)->sum,
           y = ((const struct candidate *)b)->sum;
    return (x < y) - (x > y);
}

static double prior(enum style s, bool is_blues)
{
    const double of_blues = is_blues ? CHANGES : NONE;
    return s == STYLE_ANY ? ANY : s == STYLE_BLUES ? of_blues : 0;
}

/* Reads the first n tokens under each style that is left, and sorts these, the likeliest first. */
static enum model_status rank(struct style_guess *g, struct tokens *t, size_t n)
{
    for (; g->n_read < g->n; g->n_read++) {
        struct candidate *c = &g->list[g->n_read];
        t->id[1] = TOKEN_STYLE + (int32_t)c->style;
        enum model_status st = log_likelihood(g, t, n, &c->sum);
        if (st)
            return st;
        c->sum += prior(c->style, g->is_blues);
    }
    qsort(g->list, (size_t)g->n, sizeof *g->list, likelier);
    return MODEL_OK;
}

/* The styles that the declared tracks play: TRACK FAMILY pairs before the first bar. */
static uint64_t fitting_styles(const struct tokens *t)
{
    int n_tracks = 0;
    uint64_t families = 0;
    for (size_t i = 0; i < count_given(t); i++)
        if (t->id[i] >= TOKEN_FAMILY && t->id[i] < TOKEN_FAMILY + FAMILY_COUNT) {
            families |= UINT64_C(1) << (t->id[i] - TOKEN_FAMILY);
            n_tracks++;
        }
    return styles_for_players(n_tracks, families);
}

static bool is_at_hand(const struct style_guess *g, const struct tokens *t,
                       bool is_blues)
{
    return t->n == g->n_known && is_blues == g->is_blues &&
           !memcmp(t->id, g->known, t->n * sizeof *t->id);
}

static void begin(struct style_guess *g, const struct tokens *t, bool is_blues)
{
    const uint64_t fitting = fitting_styles(t) & g->styles;
    memcpy(g->known, t->id, t->n * sizeof *t->id);
    g->n_known = t->n;
    g->is_blues = is_blues;
    g->n = g->n_read = 0;
    for (int s = 0; s < STYLE_COUNT; s++)
        if (fitting >> s & 1)
            g->list[g->n++].style = (enum style)s;
    g->is_last = t->n <= count_given(t) + FIRST_TOKENS;
}

/* Begins the last round with the likeliest ones; of a single one nothing need be read. */
static void drop_unlikely(struct style_guess *g)
{
    int n = 0;
    while (n < FINALISTS && n < g->n && g->list[n].sum > g->list[0].sum - MARGIN)
        n++;
    g->n = n;
    g->n_read = n == 1;
    g->is_last = true;
}

enum model_status style_guess_run(struct style_guess *g, struct tokens *t,
                                  const struct piece *p, enum style *out)
{
    bool is_blues;
    if (chord_plan_hear_blues(&is_blues, p))
        return MODEL_NO_MEMORY;
    t->id[1] = TOKEN_STYLE + STYLE_ANY;
    if (!is_at_hand(g, t, is_blues))
        begin(g, t, is_blues);
    enum model_status st = MODEL_OK;
    if (!g->is_last && !(st = rank(g, t, count_given(t) + FIRST_TOKENS)))
        drop_unlikely(g);
    if (!st)
        st = rank(g, t, t->n);
    if (!st)
        *out = g->list[0].style;
    return st;
}
