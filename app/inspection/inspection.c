/* See inspection.h. An inspection chooses which music is read, a window of a piece, a take as it
 * was written or four voices, brings a decoder to have read it, and lends what was read: tokens,
 * notes, names, alternatives. */
#include "app/inspection/inspection_internal.h"

#include "app/base/draw.h"
#include "app/decoding/learnt_styles.h"
#include "app/decoding/metadata.h"
#include "app/decoding/style_guess.h"
#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/chord.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CONTEXT = 16 };

enum inspection_state inspection_fail(struct inspection *i, const char *why)
{
    i->error = why;
    return INSPECTION_FAILED;
}

enum inspection_state inspection_end(struct inspection *i, enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return INSPECTION_CANCELLED;
    return st ? inspection_fail(i, model_strerror(st)) : INSPECTION_DONE;
}

enum inspection_state inspection_end_midi(struct inspection *i, enum midi_status st)
{
    if (st == MIDI_EMPTY)
        return inspection_fail(i, "there is no music to read there");
    if (st == MIDI_BAD_TOKEN)
        return inspection_fail(i, "that take cannot be read again");
    return st ? inspection_fail(i, midi_strerror(st)) : INSPECTION_DONE;
}

bool inspection_is_cancelled(const struct inspection *i)
{
    return i->cancel && atomic_load_explicit(i->cancel, memory_order_relaxed);
}

enum model_status inspection_create(struct inspection **out, const struct model *model,
                                    struct pool *pool)
{
    struct inspection *i = calloc(1, sizeof *i);
    if (!i)
        return MODEL_NO_MEMORY;
    i->model = model;
    i->pool = pool;
    i->c = model->config;
    i->error = "";
    i->is_grid = metadata_grid_lesson(model, &i->lesson);
    i->row = calloc(2 * (size_t)i->c.context, sizeof *i->row);
    i->nats = calloc((size_t)i->c.context, sizeof *i->nats);
    enum model_status st = i->row && i->nats ? MODEL_OK : MODEL_NO_MEMORY;
    if (!i->is_grid && (!metadata_fits_score(model) || i->c.n_encoder_layers))
        st = MODEL_OTHER_TOKENS;
    if (i->c.context < LEAST_CONTEXT)
        st = MODEL_BAD_CONFIG;
    if (!st)
        st = model_reader_create(&i->main, model, pool);
    if (!st)
        st = model_reader_keep_all(i->main, true);
    if (st) {
        inspection_destroy(i);
        return st;
    }
    *out = i;
    return MODEL_OK;
}

void inspection_destroy(struct inspection *i)
{
    if (!i)
        return;
    model_reader_destroy(i->main);
    model_reader_destroy(i->other);
    inspection_windows_fini(&i->windows);
    reading_fini(&i->now);
    replay_fini(&i->take);
    free(i->row);
    free(i->nats);
    free(i->muted);
    free(i);
}

void inspection_set_cancel(struct inspection *i, const atomic_bool *flag)
{
    i->cancel = flag;
    model_reader_set_cancel(i->main, flag);
    if (i->other)
        model_reader_set_cancel(i->other, flag);
}

/* These n heads give nothing from now on, and no others. */
static enum inspection_state mute_heads(struct inspection *i,
                                        const struct attention_head *heads, size_t n)
{
    if (n == i->n_muted && (n == 0 || !memcmp(heads, i->muted, n * sizeof *heads)))
        return INSPECTION_DONE;
    struct attention_head *own = array_copy(heads, n, sizeof *own);
    if (!own)
        return inspection_end(i, MODEL_NO_MEMORY);
    free(i->muted);
    i->muted = own;
    i->n_muted = n;
    i->n_nats = 0;
    enum model_status st = model_reader_mute(i->main, own, n);
    if (!st && i->other)
        st = model_reader_mute(i->other, own, n);
    if (st) { /* no reader leaves any out; without heads this needs no memory */
        i->n_muted = 0;
        model_reader_mute(i->main, NULL, 0);
        if (i->other)
            model_reader_mute(i->other, NULL, 0);
    }
    return inspection_end(i, st);
}

double inspection_nats(const struct model_reader *read, const struct reading *what,
                       int at)
{
    return -likelihood_log(model_reader_logits(read, at - 1), model_reader_vocab(read),
                           what->ids[at]);
}

/* -- what was read -- */

struct inspected inspection_now(const struct inspection *i)
{
    const struct reading *r = &i->now;
    const bool is_grid = r->kind == READING_GRID;
    const int tpq = r->ticks_per_quarter > 0 ? r->ticks_per_quarter : 1;
    struct inspected now = {
        .tokens = r->tokens,
        .source = r->source,
        .n_tokens = r->n_tokens,
        .n_source = r->n_source,
        .notes = r->notes,
        .n_notes = r->n_notes,
        .from_tick = tick_from_step(r->origin * (is_grid ? GRID_STEP : 1), tpq),
        .n_windows = i->is_grid ? r->n_windows : i->windows.n,
        .style = i->style,
        .decoder = model_reader_decoder(i->main),
        .error = i->error,
    };
    now.to_tick = now.from_tick;
    for (int k = 0; k < r->n_notes; k++)
        now.to_tick =
            larger(now.to_tick, r->notes[k].note.start + r->notes[k].note.length);
    return now;
}

/* A note that the encoder reads may also be written: the written one counts. */
int inspection_find(const struct inspection *i, uint64_t id)
{
    for (int k = 0; id && k < i->now.n_notes; k++)
        if (i->now.notes[k].id == id)
            return k;
    return -1;
}

const char *inspected_pitch_name(char *buf, size_t n, int pitch)
{
    snprintf(buf, n, "%s%d", chord_class_name(pitch % 12, false),
             (pitch & 127) / 12 - 1);
    return buf;
}

const char *inspection_token_name(const struct inspection *i, int32_t token, char *buf,
                                  size_t n_buf)
{
    return i->is_grid ? grid_token_name(token, buf, n_buf)
                      : token_name(token, buf, n_buf);
}

/* -- what else there could have been -- */

/* The first token of the note with that part; -1: none. */
static int find_part(const struct inspection *i, int note, enum inspected_part part)
{
    for (int t = 1; t < i->now.n_tokens; t++)
        if (i->now.tokens[t].note == note && i->now.tokens[t].part == part)
            return t;
    return -1;
}

/* Into its place among those that are likelier; the last falls out. */
static int insert_alternative(struct inspect_guess *out, int n, int most,
                              struct inspect_guess a)
{
    if (n == most && out[n - 1].probability >= a.probability)
        return n;
    int at = n < most ? n++ : n - 1;
    for (; at > 0 && out[at - 1].probability < a.probability; at--)
        out[at] = out[at - 1];
    out[at] = a;
    return n;
}

int inspection_alternatives(const struct inspection *i, int note,
                            enum inspected_part part, struct inspect_guess *out,
                            int most)
{
    const int at = find_part(i, note, part), vocab = i->c.vocab;
    if (at < 0 || most < 1 || part >= INSPECTED_NOTE_PARTS)
        return 0;
    const float *logits = model_reader_logits(i->main, at - 1);
    /* For a take: what the grammar allows at the note that it was read for. */
    const bool is_free =
        !i->take.ids || i->now.notes[note].id != i->wanted || !i->take.is_known[part];
    struct inspect_guess own = {.token = i->now.ids[at], .is_written = true};
    const double all = (double)logits[own.token] -
                       likelihood_log(logits, vocab, own.token); /* log sum exp */
    int n = 0, k = 0;
    for (int32_t t = 0; t < vocab; t++) {
        const struct inspect_guess a = {
            .token = t,
            .probability = (float)exp((double)logits[t] - all),
            .is_written = t == own.token,
            .is_allowed = is_free || i->take.allowed[part][t]};
        own = a.is_written ? a : own;
        n = insert_alternative(out, n, most, a);
    }
    while (k < n && !out[k].is_written)
        k++;
    if (k == n)
        out[n - 1] = own;
    return n;
}

int inspection_n_given(const struct inspection *i, int note, enum inspected_part part)
{
    const struct replay *r = &i->take;
    const bool is_of_take =
        note >= 0 && note < i->now.n_notes && i->now.notes[note].is_take;
    const int at = is_of_take ? find_part(i, note, part) : -1;
    return at < 0 || at < r->n_read /* it was drawn in another reading */
               ? -1
               : (int)r->n_before + at - r->n_read;
}

/* -- which music is read -- */

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

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s, int max_tokens)
{
    const size_t room = (size_t)max_tokens - SAID_AGAIN;
    size_t *at = NULL;
    *w = (struct inspection_windows){.ticks_per_quarter = s->ticks_per_quarter};
    enum midi_status st = piece_from_score(&w->piece, s, STYLE_ANY, w->track_map, 0);
    const int32_t n_bars = w->piece.n_bars;
    if (!st)
        st = count_tokens(&w->piece, &at);
    for (int32_t own = 0, end; !st && own < n_bars; own = end) {
        const size_t most = own ? room / 4 : room; /* but one bar at least */
        int32_t first = own;
        for (end = own + 1; end < n_bars && at[end + 1] - at[own] <= most;)
            end++;
        while (first > 0 && at[end] - at[first - 1] <= room)
            first--;
        if (ARRAY_GROW(w->list, (size_t)w->n, w->cap))
            w->list[w->n++] = (struct inspection_window){first, end, own};
        else
            st = MIDI_NO_MEMORY;
    }
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
    enum midi_status st = replay_take(&i->take, s, r->take, r->note, i->model);
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
        mute_heads(i, o ? o->muted : NULL, o ? o->n_muted : 0);
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
    enum inspection_state state = mute_heads(i, NULL, 0);
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
