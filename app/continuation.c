/* The engine: context tokens are read, then tokens are drawn one by one under the
 * grammar until it is done. */
#include "app/continuation.h"

#include "app/context.h"
#include "app/model_reader.h"
#include "app/style_guess.h"
#include "midi/grammar.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPARE = 16, /* tokens a note or a bar line takes, with plenty to spare */
    MIN_CONTEXT = 64,
    LEAST_BAR = 16, /* tokens, judging a bar */
    MOST_BARS = 32, /* filled at once */
};

/* What was drawn, of a take or of a note. */
struct tally {
    int n_tokens;
    double log_prob, masked; /* sums */
};

struct continuation {
    /* constant after create */
    struct model_reader *reader;
    struct style_guess *guess;
    struct grammar *grammar;

    /* of this request */
    struct context music;
    struct sampler *sampler;
    enum style style;
    int64_t origin;             /* step where the tokens in the cache begin */
    int64_t part_from, part_to; /* of the hole, being filled; all of it, in general */
    bool after_bar;             /* the last token drawn was a bar line */
    struct tally take, note;
    enum continuation_state state;
    const char *error;

    uint8_t allowed[TOKEN_COUNT];
};

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
    if (!tokens_fit(config->vocab) || config->context < MIN_CONTEXT)
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

/* Notes that may sound in the hole and not be in the tokens: those before them, and
 * around a hole any. */
static enum midi_status block_sounding(struct continuation *c, size_t first_note)
{
    const struct piece *p = &c->music.music;
    size_t n_notes = c->music.is_hole ? p->n_notes : first_note;
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        int64_t from = n->step - c->origin, to = from + n->length;
        from = from < 0 ? 0 : from;
        if (to > from && from < c->part_to - c->origin)
            st = grammar_block(c->grammar, n->track, n->pitch, from, to - from);
    }
    return st;
}

static enum midi_status feed_window(struct continuation *c,
                                    const struct context_window *w)
{
    struct hole hole = c->music.hole;
    hole.from = c->part_from - w->origin;
    hole.to = c->part_to - w->origin;
    c->origin = w->origin;
    grammar_start(c->grammar, &hole);
    enum midi_status st = block_sounding(c, w->first_note);
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
    enum model_status st = fed ? MODEL_OK : model_reader_read(c->reader, &w->tokens);
    c->after_bar = false;
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
    size_t context = (size_t)model_reader_context(c->reader);
    size_t least = context / 4, most = context / 2;
    return need < least ? least : need > most ? most : need;
}

static enum continuation_state begin_window(struct continuation *c, int bars)
{
    c->part_from = c->music.hole.from;
    c->part_to = c->music.hole.to;
    struct context_window w;
    size_t context = (size_t)model_reader_context(c->reader);
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

/* Tokens that so many bars may take, judged by how many notes there are in one. */
static size_t tokens_for(const struct continuation *c, int64_t bars)
{
    const struct piece *p = &c->music.music;
    size_t a_bar = 4 * p->n_notes / (size_t)p->n_bars;
    a_bar = a_bar < LEAST_BAR ? LEAST_BAR : a_bar;
    return a_bar * (size_t)bars * 3 / 2;
}

/* From this step up to a bar line, so that half the model's context is enough for it
 * in all likelihood, or to the hole's end. */
static void choose_part(struct continuation *c, int64_t from)
{
    const struct piece *p = &c->music.music;
    size_t room = (size_t)model_reader_context(c->reader) / 2;
    int64_t first = piece_bar_at(p, from), bars = 1;
    while (bars < MOST_BARS && tokens_for(c, bars + 1) <= room)
        bars++;
    int64_t to = piece_bar_start(p, (int32_t)(first + bars));
    c->part_from = from;
    c->part_to = to < c->music.hole.to ? to : c->music.hole.to;
}

/* The bars around that part, as far as they leave it room. */
static enum continuation_state begin_part(struct continuation *c, int64_t from)
{
    struct context_window w;
    size_t context = (size_t)model_reader_context(c->reader);
    choose_part(c, from);
    int64_t bars = piece_bar_at(&c->music.music, c->part_to - 1) -
                   piece_bar_at(&c->music.music, from) + 1;
    size_t room = tokens_for(c, bars);
    room = room < context / 4 ? context / 4 : room > context / 2 ? context / 2 : room;
    enum midi_status st =
        context_encode_hole(&c->music, from, c->part_to, context - room, &w);
    if (st == MIDI_TOO_LONG)
        return end_model(c, MODEL_TOO_LONG);
    return st ? end_midi(c, st) : stand_at(c, &w);
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
    c->sampler = sampler_create(model_reader_vocab(c->reader), &options->sampling);
    if (!c->sampler)
        return end_midi(c, MIDI_NO_MEMORY);
    if (options->hole.to_tick > 0 && model_reader_vocab(c->reader) != TOKEN_COUNT)
        return end(c, CONTINUATION_ERROR, "this model has not learnt to fill holes");
    enum midi_status st = context_init(&c->music, s, options);
    if (st == MIDI_EMPTY)
        return end(c, CONTINUATION_ERROR, "there is no room for a note in that hole");
    if (st)
        return end_midi(c, st);
    enum continuation_state state = choose_style(c, options->style);
    if (state == CONTINUATION_BEGUN)
        state = c->music.is_hole ? begin_part(c, c->music.hole.from)
                                 : begin_window(c, options->bars);
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

/* What is left of the hole after the last note, or from the bar line on. */
static enum continuation_state go_on_in_hole(struct continuation *c)
{
    int64_t from = c->origin + grammar_step(c->grammar) + !c->after_bar;
    if (from < c->music.hole.to)
        return begin_part(c, from);
    return end(c, CONTINUATION_DONE, "");
}

/* Between notes, a cache that may not hold the next one is given up for a
 * window of half its size. */
static enum continuation_state make_room(struct continuation *c)
{
    struct grid_note n;
    bool between = c->after_bar || grammar_note(c->grammar, &n);
    int context = model_reader_context(c->reader);
    if (!between || model_reader_length(c->reader) + SPARE <= context)
        return CONTINUATION_BEGUN;
    if (c->music.is_hole)
        return go_on_in_hole(c);
    struct context_window w;
    enum midi_status st = context_encode(&c->music, (size_t)context / 2, &w);
    return st ? end_midi(c, st) : stand_at(c, &w);
}

/* With this part, and it was the last; one that is done makes way for the next. */
static bool is_done(struct continuation *c)
{
    while (c->state == CONTINUATION_BEGUN && grammar_done(c->grammar)) {
        if (!c->music.is_hole || c->part_to >= c->music.hole.to)
            return true;
        begin_part(c, c->part_to);
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
        if (c->state != CONTINUATION_BEGUN || make_room(c) != CONTINUATION_BEGUN)
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
