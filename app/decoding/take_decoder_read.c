/* Gives the model its context: feeds the last bars, or those around a part of a hole, to the
 * grammar and the model. See take_decoder.h. */
#include "app/decoding/take_decoder.h"

#include <stdlib.h>

enum {
    SPARE = 16,     /* tokens a note or a bar line takes, with plenty to spare */
    TEN_NOTES = 33, /* tokens that ten notes take, as music of all kinds has */
    LEAST_BAR = 24, /* tokens, judging a bar */
    MOST_BARS = 32, /* filled at once */
};

/* Nothing else is written on those steps of the music: of a voice, which counts among those at
 * once, or of what only blocks its pitch. */
static enum midi_status block(struct take_decoder *t, int64_t from, int64_t to,
                              int track, int pitch, bool is_voice)
{
    to -= t->origin;
    from = from < t->origin ? 0 : from - t->origin;
    if (to <= from || from >= t->part_to - t->origin)
        return MIDI_OK;
    return (is_voice ? grammar_hold : grammar_block)(t->grammar, track, pitch, from,
                                                     to - from);
}

/* Notes that may sound in the hole and not be in the tokens: those before them, and
 * around a hole any. Voices are for a hole the drawn notes, which have no id; else all. */
static enum midi_status block_sounding(struct take_decoder *t, size_t first_note)
{
    const struct context *c = &t->music;
    const size_t n_notes = c->is_hole ? c->music.n_notes : first_note;
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n_notes; i++) {
        const struct grid_note *n = &c->music.notes[i];
        const bool is_voice = !c->is_hole || (n->id == 0 && n->step <= t->part_from);
        st = block(t, n->step, (int64_t)n->step + n->length, n->track, n->pitch,
                   is_voice);
    }
    for (size_t i = 0; !st && i < c->n_standing; i++) {
        const struct standing *n = &c->standing[i];
        st = block(t, n->from, n->to, n->track, n->pitch, false);
    }
    return st;
}

static enum midi_status feed_window(struct take_decoder *t,
                                    const struct context_window *w)
{
    struct hole hole = t->music.hole;
    hole.from = t->part_from - w->origin;
    hole.to = t->part_to - w->origin;
    t->origin = w->origin;
    grammar_start(t->grammar, &hole);
    /* What this part keeps of the notes that were in it. */
    const struct hole_plan *plan = t->motif.is_varying ? &t->motif.plan : &t->plan;
    struct hole_plan part = {0};
    enum midi_status st = MIDI_OK;
    if (plan->kind != HOLE_PLAN_NONE)
        st = hole_plan_part(&part, plan, t->part_from, t->part_to, t->origin);
    if (!st && plan->kind != HOLE_PLAN_NONE)
        st = grammar_keep(t->grammar, &part);
    hole_plan_fini(&part);
    /* Chords that are still to come in this part are written with its notes. */
    const struct piece *p = &t->music.music;
    struct grid_chord *due = st ? NULL : calloc(p->n_chords + 1, sizeof *due);
    size_t n = 0;
    for (size_t i = 0; due && i < p->n_chords; i++)
        if (p->chords[i].step >= t->music.chords_to_come &&
            p->chords[i].step < t->part_to) {
            due[n] = p->chords[i];
            due[n++].step -= (int32_t)t->origin;
        }
    if (!st)
        st = due ? grammar_harmonise(t->grammar, due, n,
                                     t->harmony.free_from - t->origin,
                                     t->harmony.free_to - t->origin)
                 : MIDI_NO_MEMORY;
    free(due);
    if (!st)
        st = block_sounding(t, w->first_note);
    for (size_t i = 0; !st && i < w->tokens.n; i++)
        st = grammar_feed(t->grammar, w->tokens.id[i]);
    return st;
}

/* Reads a window; the position is then its end. Takes the window. */
static enum continuation_state stand_at(struct take_decoder *t,
                                        struct context_window *w)
{
    if (t->n_bars <= 0) {
        /* Of the first window: how many of the bars before the hole it has. */
        const struct piece *p = &t->music.music;
        const int64_t from = t->music.hole.from, bar = piece_bar_at(p, from),
                      end = bar + (piece_bar_start(p, bar) < from);
        t->n_bars = (int32_t)(end - t->music.first_bar);
        t->n_bars_read = (int32_t)(end - piece_bar_at(p, w->origin));
    }
    w->tokens.id[1] = TOKEN_STYLE + (int32_t)t->style;
    t->last = w->tokens.id[w->tokens.n - 1];
    enum midi_status fed = feed_window(t, w);
    enum model_status st = fed ? MODEL_OK : model_reader_read(t->reader, &w->tokens);
    if (!fed && !st && t->guidance != 1.0f) {
        /* The same without controls; most of it is copied. */
        size_t n = 0;
        for (size_t i = 0; i < w->tokens.n; i++)
            if (!token_is_control(w->tokens.id[i]))
                w->tokens.id[n++] = w->tokens.id[i];
        w->tokens.n = n;
        st = model_reader_copy(t->unconditional, t->reader);
        if (!st)
            st = model_reader_read(t->unconditional, &w->tokens);
    }
    t->after_bar = false;
    tokens_fini(&w->tokens);
    if (fed)
        return take_decoder_end_midi(t, fed);
    return st ? take_decoder_end_model(t, st) : CONTINUATION_BEGUN;
}

static size_t between(size_t x, size_t low, size_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* The last bars of the music, and where it continues. */
static enum midi_status encode_end(struct take_decoder *t, int bars,
                                   struct context_window *w)
{
    size_t context = (size_t)model_reader_context(t->reader);
    enum midi_status st = context_encode(&t->music, context * 3 / 4, w);
    if (st)
        return st;
    /* Tokens to leave free for the request, estimated from the tokens per bar so far. */
    const size_t n_bars = w->n_bars > 0 ? (size_t)w->n_bars : 1,
                 need = (w->tokens.n / n_bars + 1) * (size_t)(bars + 1) * 3 / 2,
                 room = between(need, context / 4, context / 2);
    if (w->tokens.n + room > context) {
        tokens_fini(&w->tokens);
        st = context_encode(&t->music, context - room, w);
    }
    if (!st)
        st = context_say_where(&t->music, w);
    if (st)
        tokens_fini(&w->tokens);
    return st;
}

enum continuation_state take_decoder_read_end(struct take_decoder *t, int bars)
{
    struct context_window w;
    t->part_to = t->music.hole.to;
    for (;;) {
        t->part_from = t->music.hole.from;
        enum midi_status st = encode_end(t, bars, &w);
        if (st)
            return take_decoder_end_midi(t, st);
        /* The most allowed notes sound there, or every pitch does. */
        bool is_in_vain = t->music.begins_there && !feed_window(t, &w) &&
                          grammar_allow(t->grammar, t->allowed) == 0;
        if (!is_in_vain) {
            context_keep_meter(&t->music);
            return stand_at(t, &w);
        }
        tokens_fini(&w.tokens);
        if (!context_begin_later(&t->music))
            return take_decoder_end(t, CONTINUATION_DONE, "");
    }
}

/* Notes in a bar of what the track has in its usual bars; of a track without notes, as many
 * as its kind has in busy bars. */
static size_t notes_in_bar(const struct piece *p, int track)
{
    enum { BUSY_DRUMS = 20, BUSY = 12 };
    size_t n = 0, n_bars = 0;
    int64_t next = 0; /* the first step after the bars counted */
    for (size_t i = 0; i < p->n_notes; i++) {
        if (p->notes[i].track != track)
            continue;
        n++;
        if (p->notes[i].step < next)
            continue;
        n_bars++;
        next = piece_bar_start(p, piece_bar_at(p, p->notes[i].step) + 1);
    }
    if (!n_bars)
        return p->families[track] == FAMILY_DRUMS ? BUSY_DRUMS : BUSY;
    return (n + n_bars - 1) / n_bars;
}

/* The tokens that this many bars may take, with half as many to spare: those to be written
 * on its tracks. */
static size_t tokens_for(const struct take_decoder *t, int64_t bars)
{
    const struct piece *p = &t->music.music;
    size_t a_bar = 0;
    for (int track = 0; track < TOKEN_MAX_TRACKS; track++)
        if (t->is_band ? t->turn.track == track : t->music.hole.tracks[track])
            a_bar += notes_in_bar(p, track) * TEN_NOTES * 3 / 2 / 10;
    a_bar = a_bar < LEAST_BAR ? LEAST_BAR : a_bar;
    return a_bar * (size_t)bars;
}

/* The tokens of these bars as they are. */
static size_t tokens_of(const struct piece *p, int64_t first, int64_t bars)
{
    const size_t n = piece_note_at(p, piece_bar_start(p, first + bars)) -
                     piece_note_at(p, piece_bar_start(p, first));
    return n * TEN_NOTES / 10 + (size_t)bars + SPARE;
}

/* From this step up to a bar line or to the end of the hole or of a band's turn: as much as
 * half the model's context is enough for in all likelihood, beside these bars as they are. */
static void choose_part(struct take_decoder *t, int64_t from)
{
    const struct piece *p = &t->music.music;
    const size_t context = (size_t)model_reader_context(t->reader);
    int64_t first = piece_bar_at(p, from), bars = 1;
    int64_t most = piece_bar_start(p, first) + FILL_MAX_STEP;
    if (from >= most) { /* the last step of a bar of 64 whole notes has no name */
        from = piece_bar_start(p, ++first);
        most = from + FILL_MAX_STEP;
    }
    const int64_t end = t->is_band ? t->turn.to : t->music.hole.to;
    while (bars < MOST_BARS && tokens_for(t, bars + 1) <= context / 2 &&
           tokens_for(t, bars + 1) + tokens_of(p, first, bars + 1) <= context &&
           piece_bar_start(p, first + bars + 1) <= most)
        bars++;
    int64_t to = piece_bar_start(p, first + bars);
    to = to < most ? to : most;
    t->part_from = from;
    t->part_to = to < end ? to : end;
    if (t->music.chords_to_come < from)
        t->music.chords_to_come = from;
}

/* The bars around that part, as far as they leave it room. */
enum continuation_state take_decoder_read_hole(struct take_decoder *t, int64_t from)
{
    struct context_window w;
    if (from >= t->music.hole.to && t->motif.is_varying) { /* the rest comes next */
        enum midi_status settled = motif_settle(&t->motif, &t->music);
        if (settled)
            return take_decoder_end_midi(t, settled);
        from = t->music.hole.from;
    }
    if (t->is_band && from >= t->turn.to && take_decoder_next_turn(t))
        from = t->turn.from;
    choose_part(t, from);
    from = t->part_from;
    if (from >= t->part_to)
        return take_decoder_end(t, CONTINUATION_DONE, "");
    context_add_bars_to(&t->music, from);
    rules_aim_again(&t->rules, &t->music, from);
    /* How much of the music around it is read: the rest of the tokens for a hole, but with
     * room in case the part needs far more than expected. */
    int64_t bars = piece_bar_at(&t->music.music, t->part_to - 1) -
                   piece_bar_at(&t->music.music, from) + 1;
    size_t context = (size_t)model_reader_context(t->reader),
           most = (size_t)context_for_hole((int)context), need = tokens_for(t, bars),
           room = between(need, context / 4, context / 2),
           own = tokens_of(&t->music.music, piece_bar_at(&t->music.music, from), bars),
           around = between(most - between(need, 0, most / 2),
                            between(own, 0, context - room), context - room);
    enum midi_status st = context_encode_hole(&t->music, from, t->part_to, around, &w);
    if (st == MIDI_TOO_LONG)
        return take_decoder_end_model(t, MODEL_TOO_LONG);
    return st ? take_decoder_end_midi(t, st) : stand_at(t, &w);
}

/* Between notes, a cache that may not hold the next one is given up for a
 * window of half its size. */
enum continuation_state take_decoder_make_room(struct take_decoder *t)
{
    struct grid_note n;
    bool between = t->after_bar || grammar_note(t->grammar, &n);
    int context = model_reader_context(t->reader);
    if (!between || model_reader_length(t->reader) + SPARE <= context)
        return CONTINUATION_BEGUN;
    /* What is left of a hole is that after the last note, or from the bar line on; of a
     * rhythm, also what else begins with that note. */
    bool is_passed = !t->after_bar && t->plan.kind != HOLE_PLAN_RHYTHM;
    if (t->music.is_hole)
        return take_decoder_read_hole(t,
                                      t->origin + grammar_step(t->grammar) + is_passed);
    struct context_window w;
    enum midi_status st = context_encode(&t->music, (size_t)context / 2, &w);
    return st ? take_decoder_end_midi(t, st) : stand_at(t, &w);
}
