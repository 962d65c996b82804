/* See inspection.h. An inspection chooses which music is read, a window of a piece, a take as it
 * was written or four voices, brings a decoder to have read it, and lends what was read: tokens,
 * notes, names, alternatives. */
#include "app/inspection/inspection.h"

#include "app/base/draw.h"
#include "app/decoding/styles.h"
#include "app/decoding/metadata.h"
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
                                    struct pool *pool, const atomic_bool *cancel)
{
    struct inspection *i = calloc(1, sizeof *i);
    if (!i)
        return MODEL_NO_MEMORY;
    i->model = model;
    i->pool = pool;
    i->cancel = cancel;
    i->c = model->config;
    i->error = "";
    i->is_grid = metadata_grid_lesson(model, &i->lesson);
    i->row = calloc(2 * (size_t)i->c.context, sizeof *i->row);
    enum model_status st = i->row ? MODEL_OK : MODEL_NO_MEMORY;
    if (!i->is_grid && (!metadata_fits_score(model) || i->c.n_encoder_layers))
        st = MODEL_OTHER_TOKENS;
    if (i->c.context < LEAST_CONTEXT)
        st = MODEL_BAD_CONFIG;
    if (!st)
        st = model_reader_create(&i->main, model, pool, cancel);
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
    free(i->row);
    free(i);
}

double inspection_nats(const struct inspection *i, const struct model_reader *read,
                       const struct reading *what, int at)
{
    return -likelihood_log(model_reader_logits(read, at - 1), i->c.vocab,
                           what->ids[at]);
}

/* -- what was read -- */

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
        i->now.notes[note].id != i->now.wanted || !i->now.is_known[part];
    struct inspect_guess own = {.token = i->now.ids[at], .is_written = true};
    const double all = (double)logits[own.token] -
                       likelihood_log(logits, vocab, own.token); /* log sum exp */
    int n = 0, k = 0;
    for (int32_t t = 0; t < vocab; t++) {
        const struct inspect_guess a = {
            .token = t,
            .probability = (float)exp((double)logits[t] - all),
            .is_written = t == own.token,
            .is_allowed = is_free || i->now.allowed[part][t]};
        own = a.is_written ? a : own;
        /* It goes behind those that are likelier; the last falls out if there are too many. */
        if (n == most && out[n - 1].probability >= a.probability)
            continue;
        int place = n < most ? n++ : n - 1;
        for (; place > 0 && out[place - 1].probability < a.probability; place--)
            out[place] = out[place - 1];
        out[place] = a;
    }
    while (k < n && !out[k].is_written)
        k++;
    if (k == n)
        out[n - 1] = own;
    return n;
}

int inspection_n_given(const struct inspection *i, int note, enum inspected_part part)
{
    const struct reading *r = &i->now;
    const bool is_of_take = note >= 0 && note < r->n_notes && r->notes[note].is_take;
    const int at = is_of_take ? find_part(i, note, part) : -1;
    return at < 0 || at < r->n_read /* it was drawn in another reading */
               ? -1
               : (int)r->n_before + at - r->n_read;
}

/* -- which music is read -- */

/* Takes `what` once it is read, if it could be made, and counts surprise. */
static enum inspection_state read_all(struct inspection *i, enum midi_status made,
                                      struct reading *what)
{
    if (made)
        return inspection_end_midi(i, made);
    const struct model_input in = reading_input(what, what->n_tokens);
    enum model_status st = model_reader_read_input(i->main, &in);
    if (st) {
        reading_fini(what);
        return inspection_end(i, st);
    }
    i->now = *what;
    struct reading *r = &i->now;
    r->from_tick = r->to_tick =
        tick_from_step(r->origin * (i->is_grid ? GRID_STEP : 1), r->ticks_per_quarter);
    for (int k = 0; k < r->n_notes; k++)
        r->to_tick =
            larger(r->to_tick, r->notes[k].note.start + r->notes[k].note.length);
    for (int k = 1; k < r->n_tokens; k++) {
        struct inspected_token *t = &r->tokens[k];
        t->surprise = (float)inspection_nats(i, i->main, r, k);
        if (t->note < 0 || t->part >= INSPECTED_NOTE_PARTS)
            continue;
        r->notes[t->note].surprise += t->surprise;
        r->notes[t->note].surprise_of[t->part] += t->surprise;
    }
    return INSPECTION_DONE;
}

/* Forgets what was read, and what is known of another piece; finds its windows and style; and mutes these
 * heads. */
static enum inspection_state begin_reading(struct inspection *i, const struct score *s,
                                           const struct inspection_request *r)
{
    const struct continuation_options *o = r->take;
    if (i->piece != r->piece) {
        i->style_is_known = false;
        i->windows_of = 0;
        i->last_window = (struct inspection_window){0};
    }
    i->piece = r->piece;
    i->error = "";
    reading_fini(&i->now);
    if (i->is_grid && r->take)
        return inspection_fail(i, "this model wrote no takes");
    const enum model_status muted =
        model_reader_mute(i->main, o ? o->muted : NULL, o ? o->n_muted : 0);
    if (muted || r->take)
        return inspection_end(i, muted);
    if (!r->version || r->version != i->windows_of) {
        inspection_windows_fini(&i->windows);
        i->windows_of = 0;
        enum midi_status st = inspection_windows_init(
            &i->windows, s, i->is_grid ? &i->lesson : NULL, i->c.context);
        if (st)
            return inspection_end_midi(i, st);
        i->windows_of = r->version;
    }
    if (i->is_grid)
        return INSPECTION_DONE;
    enum midi_status st = MIDI_OK;
    const bool is_guess = r->style == CONTINUATION_STYLE_GUESS;
    if (is_guess && !i->style_is_known) {
        st = style_guess(&i->guessed, &i->windows.whole.fill.around,
                         learnt_styles(i->model));
        i->style_is_known = !st;
    }
    i->style = is_guess                                 ? i->guessed
               : r->style > 0 && r->style < STYLE_COUNT ? (enum style)r->style
                                                        : STYLE_ANY;
    return inspection_end_midi(i, st);
}

enum inspection_state inspection_read(struct inspection *i, const struct score *s,
                                      const struct inspection_request *r)
{
    const struct inspection_windows *w = &i->windows;
    const struct piece *p = &w->whole.fill.around;
    struct reading what;
    enum inspection_state state = begin_reading(i, s, r);
    if (state)
        return state;
    if (r->take) {
        const enum midi_status st = reading_take(&what, s, r, i->model);
        i->style = (enum style)r->take->style;
        return st == MIDI_EMPTY
                   ? inspection_fail(i, "the model did not write this note, "
                                        "or its tokens were not kept")
                   : read_all(i, st, &what);
    }
    /* The window is that around the note, or the tick. */
    int64_t tick = r->tick;
    for (size_t t = 0; i->is_grid && r->note && t < s->n_tracks; t++) {
        const struct note *n = score_find_note(s, (int)t, r->note);
        tick = n ? n->start : tick;
    }
    for (size_t k = p->n_notes; r->note && k-- > 0;)
        if (p->notes[k].id == r->note)
            tick = tick_from_step(p->notes[k].step, w->whole.ticks_per_quarter);
    const struct inspection_window *best = &w->list[inspection_windows_at(w, tick)];
    /* After an edit windows may begin elsewhere; the last window serves as long as it has that bar and fits,
     * so that only the part after the edit is read again; but not if the piece is now short enough to be
     * read whole. */
    const struct inspection_window *last = &i->last_window;
    const int64_t bar =
        piece_bar_at(p, step_from_tick(larger(tick, 0), w->whole.ticks_per_quarter));
    bool fits = !i->is_grid && w->n > 1 && best->first != last->first &&
                bar >= last->own && bar < last->end && last->end <= p->n_bars &&
                !reading_window(&what, w, last, i->style);
    if (fits) {
        fits = !what.is_cut;
        reading_fini(&what);
    }
    if (!fits)
        i->last_window = *best;
    return read_all(i, reading_window(&what, w, &i->last_window, i->style), &what);
}

enum inspection_state inspection_read_window(struct inspection *i,
                                             const struct score *s,
                                             const struct inspection_request *r,
                                             int index, int *own)
{
    struct inspection_request of_piece = *r;
    struct reading what;
    of_piece.take = NULL;
    *own = 0;
    enum inspection_state state = begin_reading(i, s, &of_piece);
    if (!state && (index < 0 || index >= (int)i->windows.n))
        state = inspection_fail(i, "there is no such window");
    if (!state)
        state = read_all(
            i, reading_window(&what, &i->windows, &i->windows.list[index], i->style),
            &what);
    if (state)
        return state;
    /* The first note that begins there or later. */
    const struct inspection_windows *w = &i->windows;
    const struct piece *p = &w->whole.fill.around;
    const int32_t first = w->list[index].own;
    const int64_t step =
        i->is_grid ? (int64_t)first * GRID_STEP : piece_bar_start(p, first);
    const int64_t tick = tick_from_step(step, w->whole.ticks_per_quarter);
    while (*own < i->now.n_notes && i->now.notes[*own].note.start < tick)
        ++*own;
    return INSPECTION_DONE;
}
