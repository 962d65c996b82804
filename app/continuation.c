/* The engine: context tokens are read in matrix form, then tokens are drawn one
 * by one under the grammar until it is done.
 *
 * The context is read in blocks of READ_BLOCK tokens that always begin at the
 * same places. So what is kept of an earlier reading has the very bits a fresh
 * one would have, and keeping it can change no note. Tokens that were drawn are
 * never kept: they went through other kernels. */
#include "app/continuation.h"

#include "app/context.h"
#include "app/style_guess.h"
#include "midi/clock.h"
#include "midi/grammar.h"
#include "model/decoder.h"

#include <stdlib.h>
#include <string.h>

enum {
    READ_BLOCK = 128,
    SPARE = 16, /* tokens a note or a bar line takes, with plenty to spare */
    MIN_CONTEXT = 64,
};

/* What was drawn, of a take or of a note. */
struct tally {
    int n_tokens;
    double log_prob, masked; /* sums */
};

struct continuation {
    /* constant after create */
    int context; /* tokens the model holds */
    int vocab;   /* of the score tokens, all or the plain ones */
    struct decoder *decoder;
    struct style_guess *guess;
    struct grammar *grammar;
    float *logits;  /* [vocab] after the last token read */
    int32_t *read;  /* [context] the tokens in the decoder's cache */
    int32_t *times; /* [context] of the tokens being read */
    struct clock clock;
    int n_read; /* of these, those read as context */

    /* of this request */
    struct context music;
    struct sampler *sampler;
    enum style style;
    int64_t origin;  /* step where the tokens in the cache begin */
    int32_t pending; /* drawn but not yet in the cache; -1: none */
    struct tally take, note;
    enum continuation_state state;
    const char *error;

    uint8_t allowed[TOKEN_COUNT];
};

static enum model_status create_parts(struct continuation *c, const struct model *model,
                                      struct pool *pool)
{
    const struct model_config *config = model_config(model);
    c->context = config->context;
    c->vocab = config->vocab;
    c->logits = calloc((size_t)config->vocab, sizeof *c->logits);
    c->read = calloc((size_t)config->context, sizeof *c->read);
    c->times = calloc((size_t)config->context, sizeof *c->times);
    c->grammar = grammar_create();
    if (!c->logits || !c->read || !c->times || !c->grammar)
        return MODEL_NO_MEMORY;
    enum model_status st = decoder_create(&c->decoder, model, pool);
    return st ? st : style_guess_create(&c->guess, model, pool);
}

enum model_status continuation_create(struct continuation **out,
                                      const struct model *model, struct pool *pool)
{
    const struct model_config *config = model_config(model);
    if (!tokens_fit(config->vocab) || config->context < MIN_CONTEXT)
        return MODEL_BAD_CONFIG;
    struct continuation *c = calloc(1, sizeof *c);
    if (!c)
        return MODEL_NO_MEMORY;
    c->pending = -1;
    c->state = CONTINUATION_DONE;
    c->error = "";
    enum model_status st = create_parts(c, model, pool);
    if (st) {
        continuation_destroy(c);
        return st;
    }
    *out = c;
    return MODEL_OK;
}

void continuation_destroy(struct continuation *c)
{
    if (!c)
        return;
    context_fini(&c->music);
    sampler_destroy(c->sampler);
    style_guess_destroy(c->guess);
    decoder_destroy(c->decoder);
    grammar_destroy(c->grammar);
    free(c->logits);
    free(c->read);
    free(c->times);
    free(c);
}

void continuation_set_cancel(struct continuation *c, const atomic_bool *flag)
{
    decoder_set_cancel(c->decoder, flag);
    style_guess_set_cancel(c->guess, flag);
}

static enum continuation_state end(struct continuation *c,
                                   enum continuation_state state, const char *error)
{
    c->state = state;
    c->error = error;
    return state;
}

static enum continuation_state end_midi(struct continuation *c, enum midi_status st)
{
    return end(c, CONTINUATION_ERROR, midi_strerror(st));
}

static enum continuation_state end_model(struct continuation *c, enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return end(c, CONTINUATION_CANCELLED, "");
    if (st == MODEL_TOO_LONG)
        return end(c, CONTINUATION_ERROR, "the music is too dense for this model");
    return end(c, CONTINUATION_ERROR, model_strerror(st));
}

/* How many of these tokens need not be read again. The last block always is,
 * for its logits. */
static int already_read(const struct continuation *c, const struct tokens *t)
{
    int n = 0;
    while (n < c->n_read && n + 1 < (int)t->n && c->read[n] == t->id[n])
        n++;
    return n / READ_BLOCK * READ_BLOCK;
}

static enum model_status read_tokens(struct continuation *c, const struct tokens *t)
{
    int n = (int)t->n;
    if (n > c->context)
        return MODEL_TOO_LONG;
    c->n_read = already_read(c, t);
    clock_init(&c->clock);
    for (int i = 0; i < n; i++)
        c->times[i] = clock_next(&c->clock, t->id[i]);
    decoder_truncate(c->decoder, c->n_read);
    while (c->n_read < n) {
        int left = n - c->n_read, block = left < READ_BLOCK ? left : READ_BLOCK;
        const int32_t *ids = t->id + c->n_read;
        float *logits = block == left ? c->logits : NULL;
        enum model_status st = decoder_prefill(c->decoder, ids, c->times + c->n_read,
                                               block, false, logits);
        if (st)
            return st;
        memcpy(c->read + c->n_read, ids, (size_t)block * sizeof *ids);
        c->n_read += block;
    }
    c->pending = -1;
    return MODEL_OK;
}

/* Notes before the window that still sound in the hole are not in the tokens. */
static enum midi_status block_sounding(struct continuation *c)
{
    const struct piece *p = &c->music.music;
    for (size_t i = 0; i < p->n_notes && p->notes[i].step < c->origin; i++) {
        const struct grid_note *n = &p->notes[i];
        int64_t left = n->step + (int64_t)n->length - c->origin;
        enum midi_status st =
            left > 0 ? grammar_block(c->grammar, n->track, n->pitch, 0, left) : MIDI_OK;
        if (st)
            return st;
    }
    return MIDI_OK;
}

static enum midi_status feed_window(struct continuation *c,
                                    const struct context_window *w)
{
    struct hole hole = c->music.hole;
    hole.from -= w->origin;
    hole.to -= w->origin;
    c->origin = w->origin;
    grammar_start(c->grammar, &hole);
    enum midi_status st = block_sounding(c);
    for (size_t i = 0; !st && i < w->tokens.n; i++)
        st = grammar_feed(c->grammar, w->tokens.id[i]);
    return st;
}

/* Reads a window and stands at its end. Takes the window. */
static enum continuation_state stand_at(struct continuation *c,
                                        struct context_window *w)
{
    w->tokens.id[1] = TOKEN_STYLE + (int32_t)c->style;
    enum midi_status fed = feed_window(c, w);
    enum model_status st = fed ? MODEL_OK : read_tokens(c, &w->tokens);
    tokens_fini(&w->tokens);
    if (fed)
        return end_midi(c, fed);
    return st ? end_model(c, st) : CONTINUATION_BEGUN;
}

/* Tokens to leave free for what is asked, judged by how many a bar takes now. */
static size_t room_for(const struct continuation *c, const struct context_window *w,
                       int bars)
{
    size_t n_bars = w->n_bars > 0 ? (size_t)w->n_bars : 1;
    size_t need = (w->tokens.n / n_bars + 1) * (size_t)(bars + 1) * 3 / 2;
    size_t least = (size_t)c->context / 4, most = (size_t)c->context / 2;
    return need < least ? least : need > most ? most : need;
}

static enum continuation_state begin_window(struct continuation *c, int bars)
{
    struct context_window w;
    size_t context = (size_t)c->context;
    enum midi_status st = context_encode(&c->music, context * 3 / 4, &w);
    if (st)
        return end_midi(c, st);
    size_t room = room_for(c, &w, bars);
    if (w.tokens.n + room > context) {
        tokens_fini(&w.tokens);
        st = context_encode(&c->music, context - room, &w);
        if (st)
            return end_midi(c, st);
    }
    return stand_at(c, &w);
}

static enum continuation_state choose_style(struct continuation *c, int wanted)
{
    if (wanted != CONTINUATION_STYLE_GUESS) {
        c->style = wanted > 0 && wanted < STYLE_COUNT ? (enum style)wanted : STYLE_ANY;
        return CONTINUATION_BEGUN;
    }
    if (c->music.music.n_notes == 0) {
        c->style = STYLE_PIANO;
        return CONTINUATION_BEGUN;
    }
    struct context_window w;
    enum midi_status st =
        context_encode(&c->music, style_guess_max_tokens(c->guess), &w);
    if (st)
        return end_midi(c, st);
    enum model_status guessed = style_guess_run(c->guess, &w.tokens, &c->style);
    tokens_fini(&w.tokens);
    return guessed ? end_model(c, guessed) : CONTINUATION_BEGUN;
}

enum continuation_state continuation_begin(struct continuation *c,
                                           const struct score *s,
                                           const struct continuation_options *options)
{
    context_fini(&c->music);
    sampler_destroy(c->sampler);
    c->take = c->note = (struct tally){0};
    c->sampler = sampler_create(c->vocab, &options->sampling);
    if (!c->sampler)
        return end_midi(c, MIDI_NO_MEMORY);
    enum midi_status st = context_init(&c->music, s, options);
    if (st)
        return end_midi(c, st);
    enum continuation_state state = choose_style(c, options->style);
    if (state == CONTINUATION_BEGUN)
        state = begin_window(c, options->bars);
    if (state == CONTINUATION_BEGUN)
        end(c, state, "");
    return state;
}

static void count(struct tally *t, const struct sampled *s)
{
    t->n_tokens++;
    t->log_prob += (double)s->log_prob;
    t->masked += (double)s->masked;
}

/* Bar lines count for the take, and for no note. */
static enum model_status draw_token(struct continuation *c)
{
    if (c->pending >= 0) {
        enum model_status st = decoder_step(
            c->decoder, c->pending, clock_next(&c->clock, c->pending), c->logits);
        if (st)
            return st;
        c->pending = -1;
    }
    if (grammar_allow(c->grammar, c->allowed) == 0)
        return MODEL_BAD_TOKEN;
    struct sampled s = sampler_draw(c->sampler, c->logits, c->allowed);
    if (grammar_feed(c->grammar, s.token))
        return MODEL_BAD_TOKEN;
    c->pending = s.token;
    count(&c->take, &s);
    if (s.token == TOKEN_BAR)
        context_add_bar(&c->music);
    else
        count(&c->note, &s);
    return MODEL_OK;
}

/* In the score's ticks. false: those are so coarse that the note vanishes. */
static bool place_note(const struct continuation *c, const struct grid_note *n,
                       struct continued_note *out)
{
    int tpq = c->music.ticks_per_quarter;
    int64_t start = tick_from_step(n->step, tpq);
    int64_t stop = tick_from_step((int64_t)n->step + n->length, tpq);
    *out = (struct continued_note){
        .track = c->music.track_map[n->track],
        .note = {.start = start,
                 .length = stop - start,
                 .pitch = n->pitch,
                 .velocity = (uint8_t)velocity_from_level(n->velocity),
                 .off_velocity = 64,
                 .on_order = ORDER_LAST,
                 .off_order = ORDER_FIRST},
        .n_tokens = c->note.n_tokens,
        .log_prob = (float)c->note.log_prob,
        .masked = (float)(c->note.masked / c->note.n_tokens),
    };
    return stop > start;
}

/* The note the last token completed, if any, joins the music. */
static enum midi_status take_note(struct continuation *c, struct continued_note *out,
                                  bool *has_note)
{
    struct grid_note n;
    *has_note = false;
    if (!grammar_note(c->grammar, &n))
        return MIDI_OK;
    n.step += (int32_t)c->origin;
    *has_note = place_note(c, &n, out);
    c->note = (struct tally){0};
    return context_add_note(&c->music, &n);
}

/* Between notes, a cache that may not hold the next one is given up for a
 * window of half its size. */
static enum continuation_state make_room(struct continuation *c)
{
    struct grid_note n;
    bool between = c->pending == TOKEN_BAR || grammar_note(c->grammar, &n);
    int used = decoder_length(c->decoder) + (c->pending >= 0);
    if (!between || used + SPARE <= c->context)
        return CONTINUATION_BEGUN;
    struct context_window w;
    enum midi_status st = context_encode(&c->music, (size_t)c->context / 2, &w);
    return st ? end_midi(c, st) : stand_at(c, &w);
}

enum continuation_state continuation_next(struct continuation *c,
                                          struct continued_note *out)
{
    if (c->state != CONTINUATION_BEGUN)
        return c->state;
    while (!grammar_done(c->grammar)) {
        bool has_note;
        if (make_room(c) != CONTINUATION_BEGUN)
            return c->state;
        enum model_status st = draw_token(c);
        if (st)
            return end_model(c, st);
        enum midi_status kept = take_note(c, out, &has_note);
        if (kept)
            return end_midi(c, kept);
        if (has_note)
            return CONTINUATION_NOTE;
    }
    return end(c, CONTINUATION_DONE, "");
}

void continuation_stats(const struct continuation *c, int64_t *from_tick,
                        int64_t *to_tick, int64_t *at_tick, int *n_tokens,
                        double *log_prob, double *masked)
{
    int tpq = c->music.ticks_per_quarter > 0 ? c->music.ticks_per_quarter : 1;
    const struct hole *hole = &c->music.hole;
    int64_t at = c->origin + grammar_step(c->grammar);
    at = at < hole->from ? hole->from : at > hole->to ? hole->to : at;
    *from_tick = tick_from_step(hole->from, tpq);
    *to_tick = tick_from_step(hole->to, tpq);
    *at_tick = tick_from_step(at, tpq);
    *n_tokens = c->take.n_tokens;
    *log_prob = c->take.log_prob;
    *masked = c->take.n_tokens ? c->take.masked / c->take.n_tokens : 0.0;
}

enum style continuation_style(const struct continuation *c)
{
    return c->style;
}

const char *continuation_error(const struct continuation *c)
{
    return c->error;
}
