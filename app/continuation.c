/* The engine: context tokens are read, then tokens are drawn one by one under the
 * grammar until it is done. */
#include "app/continuation_internal.h"

#include <stdlib.h>

enum { MIN_CONTEXT = 64 };

static enum model_status create_parts(struct continuation *c, const struct model *model,
                                      struct pool *pool)
{
    c->grammar = grammar_create();
    if (!c->grammar)
        return MODEL_NO_MEMORY;
    enum model_status st = model_reader_create(&c->reader, model, pool);
    return st ? st : style_guess_create(&c->guess, model, pool);
}

enum model_status continuation_create(struct continuation **out,
                                      const struct model *model, struct pool *pool)
{
    const struct model_config *config = model_config(model);
    if (!tokens_fit(config->vocab))
        return MODEL_OTHER_TOKENS;
    if (config->context < MIN_CONTEXT)
        return MODEL_BAD_CONFIG;
    struct continuation *c = calloc(1, sizeof *c);
    if (!c)
        return MODEL_NO_MEMORY;
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
    model_reader_destroy(c->reader);
    grammar_destroy(c->grammar);
    free(c);
}

void continuation_set_cancel(struct continuation *c, const atomic_bool *flag)
{
    model_reader_set_cancel(c->reader, flag);
    style_guess_set_cancel(c->guess, flag);
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
        return continuation_end_midi(c, st);
    enum model_status guessed = style_guess_run(c->guess, &w.tokens, &c->style);
    tokens_fini(&w.tokens);
    return guessed ? continuation_end_model(c, guessed) : CONTINUATION_BEGUN;
}

enum continuation_state continuation_begin(struct continuation *c,
                                           const struct score *s,
                                           const struct continuation_options *options)
{
    context_fini(&c->music);
    sampler_destroy(c->sampler);
    c->take = c->note = (struct tally){0};
    c->sampler = sampler_create(model_reader_vocab(c->reader), &options->sampling);
    if (!c->sampler)
        return continuation_end_midi(c, MIDI_NO_MEMORY);
    if (options->hole.to_tick > 0 && model_reader_vocab(c->reader) != TOKEN_COUNT)
        return continuation_end(c, CONTINUATION_ERROR,
                                "this model has not learnt to fill holes");
    enum midi_status st = context_init(&c->music, s, options);
    if (st == MIDI_EMPTY)
        return continuation_end(c, CONTINUATION_ERROR,
                                "there is no room for a note in that hole");
    if (st == MIDI_TOO_LONG && options->hole.to_tick > 0)
        return continuation_end(
            c, CONTINUATION_ERROR,
            "that hole, or its tracks, are out of the model's reach");
    if (st)
        return continuation_end_midi(c, st);
    enum continuation_state state = choose_style(c, options->style);
    if (state == CONTINUATION_BEGUN)
        state = c->music.is_hole ? continuation_read_hole(c, c->music.hole.from)
                                 : continuation_read_end(c, options->bars);
    if (state == CONTINUATION_BEGUN)
        continuation_end(c, state, "");
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
    const float *logits;
    enum model_status st = model_reader_next(c->reader, &logits);
    if (st)
        return st;
    if (grammar_allow(c->grammar, c->allowed) == 0)
        return MODEL_BAD_TOKEN;
    struct sampled s = sampler_draw(c->sampler, logits, c->allowed);
    if (grammar_feed(c->grammar, s.token))
        return MODEL_BAD_TOKEN;
    model_reader_push(c->reader, s.token);
    c->after_bar = s.token == TOKEN_BAR;
    count(&c->take, &s);
    if (c->after_bar && !c->music.is_hole)
        context_add_bar(&c->music);
    if (!c->after_bar && s.token != TOKEN_FILL_END)
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

/* With this part, and it was the last; one that is done makes way for the next. */
static bool is_done(struct continuation *c)
{
    while (c->state == CONTINUATION_BEGUN && grammar_done(c->grammar)) {
        if (!c->music.is_hole || c->part_to >= c->music.hole.to)
            return true;
        continuation_read_hole(c, c->part_to);
    }
    return false;
}

enum continuation_state continuation_next(struct continuation *c,
                                          struct continued_note *out)
{
    if (c->state != CONTINUATION_BEGUN)
        return c->state;
    while (!is_done(c)) {
        bool has_note;
        if (c->state != CONTINUATION_BEGUN ||
            continuation_make_room(c) != CONTINUATION_BEGUN)
            return c->state;
        enum model_status st = draw_token(c);
        if (st)
            return continuation_end_model(c, st);
        enum midi_status kept = take_note(c, out, &has_note);
        if (kept)
            return continuation_end_midi(c, kept);
        if (has_note)
            return CONTINUATION_NOTE;
    }
    return continuation_end(c, CONTINUATION_DONE, "");
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
