/* Putting music before the model: the last bars, or those around a part of a hole, fed
 * to the grammar and read. See continuation_internal.h. */
#include "app/continuation_internal.h"

enum {
    SPARE = 16,     /* tokens a note or a bar line takes, with plenty to spare */
    LEAST_BAR = 16, /* tokens, judging a bar */
    MOST_BARS = 32, /* filled at once */
};

enum continuation_state continuation_end(struct continuation *c,
                                         enum continuation_state state,
                                         const char *error)
{
    c->state = state;
    c->error = error;
    return state;
}

enum continuation_state continuation_end_midi(struct continuation *c,
                                              enum midi_status st)
{
    return continuation_end(c, CONTINUATION_ERROR, midi_strerror(st));
}

enum continuation_state continuation_end_model(struct continuation *c,
                                               enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return continuation_end(c, CONTINUATION_CANCELLED, "");
    if (st == MODEL_TOO_LONG)
        return continuation_end(c, CONTINUATION_ERROR,
                                "the music is too dense for this model");
    return continuation_end(c, CONTINUATION_ERROR, model_strerror(st));
}

static enum midi_status block_standing(struct continuation *c)
{
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < c->music.n_standing; i++) {
        const struct standing *n = &c->music.standing[i];
        int64_t from = n->from - c->origin, to = n->to - c->origin;
        from = from < 0 ? 0 : from;
        if (to > from && from < c->part_to - c->origin)
            st = grammar_block(c->grammar, n->track, n->pitch, from, to - from);
    }
    return st;
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
    return st ? st : block_standing(c);
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
        return continuation_end_midi(c, fed);
    return st ? continuation_end_model(c, st) : CONTINUATION_BEGUN;
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

enum continuation_state continuation_read_end(struct continuation *c, int bars)
{
    c->part_from = c->music.hole.from;
    c->part_to = c->music.hole.to;
    struct context_window w;
    size_t context = (size_t)model_reader_context(c->reader);
    enum midi_status st = context_encode(&c->music, context * 3 / 4, &w);
    if (st)
        return continuation_end_midi(c, st);
    size_t room = room_for(c, &w, bars);
    if (w.tokens.n + room > context) {
        tokens_fini(&w.tokens);
        st = context_encode(&c->music, context - room, &w);
        if (st)
            return continuation_end_midi(c, st);
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
    int64_t most = piece_bar_start(p, (int32_t)first) + FILL_MAX_STEP;
    if (from >= most) { /* the last step of a bar of 64 whole notes has no name */
        from = piece_bar_start(p, (int32_t)++first);
        most = from + FILL_MAX_STEP;
    }
    while (bars < MOST_BARS && tokens_for(c, bars + 1) <= room &&
           piece_bar_start(p, (int32_t)(first + bars + 1)) <= most)
        bars++;
    int64_t to = piece_bar_start(p, (int32_t)(first + bars));
    to = to < most ? to : most;
    c->part_from = from;
    c->part_to = to < c->music.hole.to ? to : c->music.hole.to;
}

/* The bars around that part, as far as they leave it room. */
enum continuation_state continuation_read_hole(struct continuation *c, int64_t from)
{
    struct context_window w;
    size_t context = (size_t)model_reader_context(c->reader);
    choose_part(c, from);
    from = c->part_from;
    if (from >= c->music.hole.to)
        return continuation_end(c, CONTINUATION_DONE, "");
    int64_t bars = piece_bar_at(&c->music.music, c->part_to - 1) -
                   piece_bar_at(&c->music.music, from) + 1;
    size_t room = tokens_for(c, bars);
    room = room < context / 4 ? context / 4 : room > context / 2 ? context / 2 : room;
    enum midi_status st =
        context_encode_hole(&c->music, from, c->part_to, context - room, &w);
    if (st == MIDI_TOO_LONG)
        return continuation_end_model(c, MODEL_TOO_LONG);
    return st ? continuation_end_midi(c, st) : stand_at(c, &w);
}

/* What is left of the hole after the last note, or from the bar line on. */
static enum continuation_state go_on_in_hole(struct continuation *c)
{
    int64_t from = c->origin + grammar_step(c->grammar) + !c->after_bar;
    if (from < c->music.hole.to)
        return continuation_read_hole(c, from);
    return continuation_end(c, CONTINUATION_DONE, "");
}

/* Between notes, a cache that may not hold the next one is given up for a
 * window of half its size. */
enum continuation_state continuation_make_room(struct continuation *c)
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
    return st ? continuation_end_midi(c, st) : stand_at(c, &w);
}
