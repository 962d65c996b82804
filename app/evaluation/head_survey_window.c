/* One window of music: the profile of each head, and the nats lost without it. */
#include "app/evaluation/head_survey.h"

#include "app/base/draw.h"
#include "app/base/say.h"

#include <stdlib.h>

enum { ROWS_AT_ONCE = 32 };

struct window {
    struct head_survey *survey;
    const struct inspected_token *tokens, *source;
    int n_tokens, n_source;
    struct head_note *notes;
    int ticks_per_quarter;
    struct head_keys keys[ROWS_AT_ONCE];
    int queries[ROWS_AT_ONCE], n_queries; /* rows that choose a note, a few at a time */
    float *weights;                       /* [the more of tokens and source] */
    int32_t *ids, *times;                 /* as weights */
    float *logits;                        /* [n_tokens, vocab] */
};

static bool window_init(struct window *w, struct head_survey *s,
                        const struct score *score)
{
    *w = (struct window){.survey = s, .ticks_per_quarter = score->ticks_per_quarter};
    w->tokens = inspection_tokens(s->inspection, &w->n_tokens);
    w->source = inspection_keys(s->inspection, ATTENTION_CROSS, &w->n_source);
    const int n = at_least(w->n_tokens, w->n_source);
    const size_t vocab = (size_t)s->model->config.vocab;
    bool ok = true;
    for (int i = 0; ok && i < ROWS_AT_ONCE; i++)
        ok = head_keys_init(&w->keys[i], n);
    w->notes = head_notes(s->inspection, &score->timeline);
    w->weights = calloc((size_t)n + 1, sizeof *w->weights);
    w->ids = calloc((size_t)n + 1, sizeof *w->ids);
    w->times = calloc((size_t)n + 1, sizeof *w->times);
    w->logits = calloc((size_t)w->n_tokens + 1, vocab * sizeof *w->logits);
    return ok && w->notes && w->weights && w->ids && w->times && w->logits;
}

/* The next rows that choose a token of a note, from *at on; false: there are none. */
static bool next_queries(struct window *w, int *at)
{
    w->n_queries = 0;
    for (; w->n_queries < ROWS_AT_ONCE && *at + 1 < w->n_tokens; (*at)++)
        if (w->tokens[*at + 1].note >= 0)
            w->queries[w->n_queries++] = *at;
    return w->n_queries > 0;
}

/* For this side, the same for all heads; an even row gives the chance level. */
static void prepare_keys(struct window *w, enum attention_kind of)
{
    struct decoder *d = inspection_decoder(w->survey->inspection);
    for (int i = 0; i < w->n_queries; i++) {
        int query = w->queries[i];
        struct head_row row = {.note = w->tokens[query + 1].note,
                               .own = of == ATTENTION_SELF ? query : -1};
        attention_visible(d, (struct attention_head){of, 0, 0}, query, &row.first,
                          &row.end);
        head_keys_fill(&w->keys[i], w->notes, &row,
                       of == ATTENTION_SELF ? w->tokens : w->source,
                       w->ticks_per_quarter);
        head_profile_add_even(&w->survey->chance[of], &w->keys[i]);
    }
}

static enum model_status add_rows(struct window *w, struct surveyed_head *h)
{
    struct decoder *d = inspection_decoder(w->survey->inspection);
    const int n = h->head.kind == ATTENTION_SELF ? w->n_tokens : w->n_source;
    enum model_status st = MODEL_OK;
    for (int i = 0; !st && i < w->n_queries; i++) {
        st = attention_rows(d, h->head, w->queries[i], 1, w->weights, (size_t)n);
        if (!st)
            head_profile_add(&h->profile, &w->keys[i], w->weights);
    }
    return st;
}

static enum model_status profile(struct window *w, enum attention_kind of)
{
    struct head_survey *s = w->survey;
    enum model_status st = MODEL_OK;
    for (int at = 0; !st && next_queries(w, &at);) {
        prepare_keys(w, of);
        s->n_rows += of == ATTENTION_SELF ? w->n_queries : 0;
        for (int i = 0; !st && i < s->n_heads; i++)
            if (s->heads[i].head.kind == of)
                st = add_rows(w, &s->heads[i]);
    }
    return st;
}

/* The loss of the tokens of a window, by kind. */
struct cost {
    double nats[INSPECTED_PARTS], tokens[INSPECTED_PARTS];
};

/* The style is given, not foretold. */
static enum model_status read_again(struct window *w, struct cost *c)
{
    const int vocab = w->survey->model->config.vocab;
    const int first = w->n_tokens > 1 && w->tokens[1].part == INSPECTED_STYLE ? 2 : 1;
    struct decoder *d = w->survey->decoder;
    decoder_truncate(d, 0);
    enum model_status st =
        decoder_prefill(d, w->ids, w->times, w->n_tokens, true, w->logits);
    *c = (struct cost){0};
    for (int i = first; !st && i < w->n_tokens; i++) {
        const float *logits = w->logits + (size_t)(i - 1) * (size_t)vocab;
        c->nats[w->tokens[i].part] -= likelihood_log(logits, vocab, w->ids[i]);
        c->tokens[w->tokens[i].part]++;
    }
    return st;
}

static void list(struct window *w, const struct inspected_token *tokens, int n)
{
    for (int i = 0; i < n; i++) {
        w->ids[i] = tokens[i].token;
        w->times[i] = tokens[i].time;
    }
}

static void add(struct window_sums by_style[STYLE_COUNT + 1],
                struct window_sums by_part[INSPECTED_PARTS], enum style style,
                const struct cost *c)
{
    double nats = 0, tokens = 0;
    for (int k = 0; k < INSPECTED_PARTS; k++) {
        nats += c->nats[k];
        tokens += c->tokens[k];
        if (c->tokens[k] > 0)
            window_sums_add(&by_part[k], c->nats[k], c->tokens[k]);
    }
    window_sums_add(&by_style[style], nats, tokens);
    window_sums_add(&by_style[STYLE_COUNT], nats, tokens);
}

static enum model_status mute_each(struct window *w, enum style style)
{
    struct head_survey *s = w->survey;
    struct cost plain, muted;
    enum model_status st = MODEL_OK;
    list(w, w->source, w->n_source);
    if (w->n_source)
        st = decoder_encode(s->decoder, w->ids, w->times, w->n_source);
    list(w, w->tokens, w->n_tokens);
    if (!st)
        st = read_again(w, &plain);
    if (!st)
        add(s->plain, s->plain_on, style, &plain);
    for (int i = 0; !st && i < s->n_heads; i++) {
        decoder_mute_head(s->decoder, s->heads[i].head, true);
        st = read_again(w, &muted);
        decoder_mute_head(s->decoder, s->heads[i].head, false);
        for (int k = 0; k < INSPECTED_PARTS; k++)
            muted.nats[k] -= plain.nats[k];
        if (!st)
            add(s->heads[i].lost, s->heads[i].lost_on, style, &muted);
    }
    return st;
}

int head_survey_window(struct head_survey *s, const struct score *score, int64_t tick,
                       enum style style, const char *name)
{
    const struct inspection_request r = {.tick = tick, .style = (int)style};
    struct window w;
    if (inspection_read(s->inspection, score, &r) != INSPECTION_DONE)
        return say_error(name, inspection_error(s->inspection));
    enum model_status st =
        window_init(&w, s, score) ? profile(&w, ATTENTION_SELF) : MODEL_NO_MEMORY;
    if (!st && w.n_source)
        st = profile(&w, ATTENTION_CROSS);
    if (!st)
        st = mute_each(&w, style);
    for (int i = 0; i < ROWS_AT_ONCE; i++)
        head_keys_fini(&w.keys[i]);
    free(w.notes);
    free(w.weights);
    free(w.ids);
    free(w.times);
    free(w.logits);
    s->n_windows += !st;
    return st ? say_model_error(name, st, NULL) : 0;
}
