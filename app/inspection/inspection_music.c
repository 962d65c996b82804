/* Which music is read, and bringing a decoder to have read it: a window of a piece, a
 * take as it was written, four voices. See inspection.h. */
#include "app/inspection/inspection_internal.h"

#include "app/decoding/learnt_styles.h"
#include "app/decoding/style_guess.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* -- the windows of a piece: tokens are counted bar by bar in one encoding of all of it; each window
 * needs a few more, for repeated state -- */

enum { SAID_AGAIN = 6 }; /* BOS STYLE NUM DEN TRACK VEL */

/* at [n_bars + 1]: the tokens before each bar, the last: all of them. */
static enum midi_status count_tokens(const struct piece *p, size_t **at)
{
    struct tokens t;
    enum midi_status st = tokens_encode(&t, p, false);
    if (st)
        return st;
    *at = calloc((size_t)p->n_bars + 1, sizeof **at);
    int32_t bar = 0;
    for (size_t i = 0; *at && i < t.n; i++)
        if (t.id[i] == TOKEN_BAR && bar < p->n_bars)
            (*at)[bar++] = i;
    while (*at && bar <= p->n_bars)
        (*at)[bar++] = t.n;
    tokens_fini(&t);
    return *at ? MIDI_OK : MIDI_NO_MEMORY;
}

static bool divide_bars(struct inspection_windows *w, const size_t *at, size_t room)
{
    const int32_t n_bars = w->piece.n_bars;
    for (int32_t own = 0, end; own < n_bars; own = end) {
        const size_t most = own ? room / 4 : room; /* but one bar at least */
        int32_t first = own;
        for (end = own + 1; end < n_bars && at[end + 1] - at[own] <= most;)
            end++;
        while (first > 0 && at[end] - at[first - 1] <= room)
            first--;
        if (!ARRAY_GROW(w->list, (size_t)w->n, w->cap))
            return false;
        w->list[w->n++] = (struct inspection_window){first, end, own};
    }
    return true;
}

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens)
{
    size_t *at = NULL;
    *w = (struct inspection_windows){.ticks_per_quarter = s->ticks_per_quarter};
    enum midi_status st = piece_from_score(&w->piece, s, STYLE_ANY, w->track_map, 0);
    if (!st)
        st = count_tokens(&w->piece, &at);
    if (!st && !divide_bars(w, at, (size_t)max_tokens - SAID_AGAIN))
        st = MIDI_NO_MEMORY;
    free(at);
    if (st)
        inspection_windows_fini(w);
    return st;
}

void inspection_windows_fini(struct inspection_windows *w)
{
    piece_fini(&w->piece);
    free(w->list);
    *w = (struct inspection_windows){0};
}

int inspection_windows_at(const struct inspection_windows *w, int64_t tick)
{
    int64_t step = step_from_tick(tick < 0 ? 0 : tick, w->ticks_per_quarter);
    int64_t bar = piece_bar_at(&w->piece, step);
    size_t after;
    ARRAY_PASS(after, (size_t)w->n, w->list[after].own_bar <= bar);
    return after ? (int)after - 1 : 0;
}

int inspection_window_at(const struct inspection *i, int64_t tick)
{
    return i->windows.n ? inspection_windows_at(&i->windows, tick) : 0;
}

/* -- reading -- */

static enum inspection_state find_windows(struct inspection *i, const struct score *s,
                                          const struct inspection_request *r)
{
    if (r->version && r->version == i->windows_of)
        return INSPECTION_DONE;
    inspection_windows_fini(&i->windows);
    i->windows_of = 0;
    enum midi_status st = inspection_windows_init(&i->windows, s, i->c.context);
    if (!st)
        i->windows_of = r->version;
    return inspection_end_midi(i, st);
}

static enum inspection_state choose_style(struct inspection *i, int wanted)
{
    if (wanted != CONTINUATION_STYLE_GUESS) {
        i->style = wanted > 0 && wanted < STYLE_COUNT ? (enum style)wanted : STYLE_ANY;
        return INSPECTION_DONE;
    }
    enum midi_status st = MIDI_OK;
    if (!i->style_is_known)
        st = style_guess(&i->guessed, &i->windows.piece, learnt_styles(i->model));
    i->style = i->guessed;
    i->style_is_known = !st;
    return inspection_end_midi(i, st);
}

/* Takes `what` once it is read, if it could be made, and counts surprise. */
static enum inspection_state read_all(struct inspection *i, enum midi_status made,
                                      struct reading *what)
{
    if (made)
        return inspection_end_midi(i, made);
    const struct model_input in = reading_input(what, what->n_tokens);
    const int known = model_reader_n_known(i->main, &in);
    i->n_nats = known < i->n_nats ? known : i->n_nats;
    enum model_status st = model_reader_read_input(i->main, &in);
    if (st) {
        reading_fini(what);
        return inspection_end(i, st);
    }
    i->now = *what;
    for (; i->n_nats < in.n; i->n_nats++)
        i->nats[i->n_nats] =
            i->n_nats ? (float)inspection_nats(i->main, what, i->n_nats) : 0;
    for (int k = 1; k < i->now.n_tokens; k++) {
        struct inspected_token *t = &i->now.tokens[k];
        t->surprise = i->nats[k];
        if (t->note < 0 || t->part >= INSPECTED_NOTE_PARTS)
            continue;
        i->now.notes[t->note].surprise += t->surprise;
        i->now.notes[t->note].surprise_of[t->part] += t->surprise;
    }
    return INSPECTION_DONE;
}

/* Drops what was read, and what is known of another piece. */
static void drop_reading(struct inspection *i, uint64_t piece)
{
    if (i->piece != piece) {
        i->style_is_known = false;
        i->windows_of = 0;
        i->last_window = (struct inspection_window){0};
    }
    i->piece = piece;
    reading_fini(&i->now);
    replay_fini(&i->take);
    i->error = "";
}

/* After an edit windows may begin elsewhere. The last window is used as long as it has that
 * bar and fits, so that only the part after the edit is read again; but not if the piece is
 * now short enough to be read whole. */
static bool fits_last_window(struct inspection *i, int64_t bar)
{
    const struct inspection_window *w = &i->last_window;
    struct reading what;
    if (i->windows.n == 1 || bar < w->own_bar || bar >= w->end_bar ||
        w->end_bar > i->windows.piece.n_bars ||
        reading_plain(&what, &i->windows, w, i->style, i->c.context))
        return false;
    const bool fits = !what.is_cut;
    reading_fini(&what);
    return fits;
}

/* Around the note, or the tick. */
static enum inspection_state read_piece(struct inspection *i, const struct score *s,
                                        const struct inspection_request *r)
{
    const struct inspection_windows *w = &i->windows;
    enum inspection_state state = find_windows(i, s, r);
    if (state == INSPECTION_DONE)
        state = choose_style(i, r->style);
    if (state)
        return state;
    int64_t tick = r->tick;
    for (size_t k = w->piece.n_notes; r->note && k-- > 0;)
        if (w->piece.notes[k].id == r->note)
            tick = tick_from_step(w->piece.notes[k].step, w->ticks_per_quarter);
    const int64_t step = step_from_tick(tick < 0 ? 0 : tick, w->ticks_per_quarter);
    const struct inspection_window *best = &w->list[inspection_windows_at(w, tick)];
    struct reading what;
    if (best->first_bar == i->last_window.first_bar ||
        !fits_last_window(i, piece_bar_at(&w->piece, step)))
        i->last_window = *best;
    return read_all(i, reading_plain(&what, w, &i->last_window, i->style, i->c.context),
                    &what);
}

static enum inspection_state read_take(struct inspection *i, const struct score *s,
                                       const struct inspection_request *r)
{
    struct reading what;
    enum midi_status st =
        replay_take(&i->take, s, r->take, r->note, i->c.context, i->c.vocab);
    if (st == MIDI_EMPTY)
        return inspection_fail(
            i, "the model did not write this note, or its tokens were not kept");
    if (st)
        return inspection_end_midi(i, st);
    st = reading_take(&what, &i->take, s->ticks_per_quarter, i->c.context);
    i->style = r->take->style;
    i->wanted = r->note;
    return read_all(i, st, &what);
}

enum inspection_state inspection_read(struct inspection *i, const struct score *s,
                                      const struct inspection_request *r)
{
    drop_reading(i, r->piece);
    if (i->is_grid && r->take)
        return inspection_fail(i, "this model wrote no takes");
    const struct continuation_options *o = r->take ? r->take->options : NULL;
    enum inspection_state state =
        inspection_mute_heads(i, o ? o->muted : NULL, o ? o->n_muted : 0);
    if (state)
        return state;
    if (!i->is_grid)
        return r->take ? read_take(i, s, r) : read_piece(i, s, r);
    const struct note *n = NULL;
    struct reading what;
    for (size_t t = 0; r->note && !n && t < s->n_tracks; t++)
        n = score_find_note(s, (int)t, r->note);
    return read_all(
        i, reading_grid(&what, s, &i->lesson, -1, n ? n->start : r->tick, i->c.context),
        &what);
}

enum inspection_state inspection_read_window(struct inspection *i,
                                             const struct score *s,
                                             const struct inspection_request *r,
                                             int index, int *own)
{
    struct reading what;
    *own = 0;
    drop_reading(i, r->piece);
    enum inspection_state state = inspection_mute_heads(i, NULL, 0);
    if (!state && !i->is_grid)
        state = find_windows(i, s, r);
    if (!state && (index < 0 || (!i->is_grid && index >= i->windows.n)))
        state = inspection_fail(i, "there is no such window");
    if (!state && !i->is_grid)
        state = choose_style(i, r->style);
    if (state)
        return state;
    enum midi_status made =
        i->is_grid ? reading_grid(&what, s, &i->lesson, index, 0, i->c.context)
                   : reading_plain(&what, &i->windows, &i->windows.list[index],
                                   i->style, i->c.context);
    state = read_all(i, made, &what);
    if (state)
        return state;
    /* The first note that begins there or later. */
    const int64_t step =
        i->is_grid ? (int64_t)i->now.own_step * GRID_STEP
                   : piece_bar_start(&i->windows.piece, i->windows.list[index].own_bar);
    const int64_t tick = tick_from_step(step, i->now.ticks_per_quarter);
    while (*own < i->now.n_notes && i->now.notes[*own].note.start < tick)
        ++*own;
    return INSPECTION_DONE;
}
