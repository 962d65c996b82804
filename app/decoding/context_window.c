/* See context.h. Windows of the music as tokens: the last bars, or those around a part of a hole. */
#include "app/decoding/context.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/token_time.h"

#include <string.h>

enum { MOST_THIN = 1 << 12 };

/* Removes chords that are still to come from a window that begins at step `origin`. */
static void hide_chords(const struct context *c, struct piece *window, int64_t origin)
{
    size_t n = 0;
    for (size_t i = 0; i < window->n_chords; i++) {
        const int64_t step = origin + window->chords[i].step;
        const bool is_to_come = step >= c->chords_to_come && step < c->hole.to;
        if (!is_to_come &&
            !(n && grid_chord_equal(&window->chords[n - 1], &window->chords[i])))
            window->chords[n++] = window->chords[i];
    }
    window->n_chords = n;
}

/* Makes a window declare the tracks of the hole, with or without notes. */
static void declare_tracks(const struct context *c, struct piece *part)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (c->hole.tracks[t])
            part->families[t] = c->music.families[t];
}

/* The last n_bars, without their first `skipped` notes. */
static enum midi_status encode_last(const struct context *c, int32_t n_bars,
                                    size_t skipped, struct context_window *w)
{
    struct piece part = {0};
    int32_t first = c->music.n_bars - n_bars;
    int64_t origin = piece_bar_start(&c->music, first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = n_bars,
                                 .first_note = piece_note_at(&c->music, origin)};
    enum midi_status st = piece_window(&part, &c->music, first, n_bars);
    if (st)
        return st;
    skipped = skipped < part.n_notes ? skipped : part.n_notes;
    part.n_notes -= skipped;
    w->first_note += skipped;
    memmove(part.notes, part.notes + skipped, part.n_notes * sizeof *part.notes);
    declare_tracks(c, &part);
    hide_chords(c, &part, origin);
    st = tokens_encode(&w->tokens, &part, false);
    piece_fini(&part);
    return st;
}

static void add_token(struct tokens *t, int32_t id)
{
    t->id[t->n] = id;
    t->note[t->n++] = -1;
}

enum midi_status context_say_where(const struct context *c, struct context_window *w)
{
    enum { MOST = 2 };
    struct tokens *t = &w->tokens;
    const int64_t from = c->hole.from;
    if (!c->begins_there)
        return MIDI_OK;
    int32_t *id = array_resize(t->id, t->n + MOST, sizeof *id);
    t->id = id ? id : t->id;
    int32_t *note = array_resize(t->note, t->n + MOST, sizeof *note);
    t->note = note ? note : t->note;
    if (!id || !note)
        return MIDI_NO_MEMORY;
    int32_t bar = (int32_t)piece_bar_at(&c->music, from);
    int32_t position = (int32_t)(from - piece_bar_start(&c->music, bar));
    if (position >= TOKEN_RADIX)
        add_token(t, TOKEN_POSX + position / TOKEN_RADIX - 1);
    add_token(t, TOKEN_POS + position % TOKEN_RADIX);
    return MIDI_OK;
}

/* Doubles the number of bars until it is too much, then halves the doubt. */
enum midi_status context_encode(const struct context *c, size_t max_tokens,
                                struct context_window *out)
{
    int32_t all = c->music.n_bars - c->first_bar, fits = 0, too_many = all + 1;
    *out = (struct context_window){0};
    while (too_many - fits > 1) {
        bool is_bounded = too_many <= all;
        int32_t twice = fits == 0 ? 1 : fits > all / 2 ? all : 2 * fits;
        int32_t n = is_bounded ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        enum midi_status st = encode_last(c, n, 0, &tried);
        bool is_better = !st && tried.tokens.n <= max_tokens;
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (st) {
            tokens_fini(&out->tokens);
            return st;
        }
        if (is_better) {
            *out = tried;
            fits = n;
        } else {
            too_many = n;
        }
    }
    if (fits > 0)
        return MIDI_OK;
    /* A bar does not fit alone: twice as many of its first notes are left out until it does. */
    for (size_t skipped = 1;; skipped *= 2) {
        enum midi_status st = encode_last(c, 1, skipped, out);
        if (st || out->tokens.n <= max_tokens || skipped > c->music.n_notes)
            return st;
        tokens_fini(&out->tokens);
    }
}

/* -- around a hole -- */

/* [first, end): the bars of the hole and `beside` bars before it, as far as they exist. */
struct bars {
    int32_t first, end;
};

/* None after a part that is not the last: what is still to be written would look silent. */
static struct bars bars_around(const struct context *c, int64_t from, int64_t to,
                               int32_t beside)
{
    const int64_t own_end = piece_bar_at(&c->music, to - 1) + 1;
    const int32_t all = c->music.n_bars,
                  n = to < c->open_to && own_end < all ? (int32_t)own_end : all;
    int64_t own = piece_bar_at(&c->music, from), first = own - beside;
    int32_t left = first < 0 ? (int32_t)own : beside;
    int64_t end = own_end + context_bars_after(beside, left);
    first = first < n ? first : n - 1; /* it begins where they end: the last one */
    return (struct bars){(int32_t)(first < 0 ? 0 : first),
                         (int32_t)(end < n ? end : n)};
}

/* MIDI_TOO_LONG: more bars or steps than a request can speak of. thin: 1, or how many
 * times too full the bars are. */
static enum midi_status encode_bars(const struct context *c, int64_t from, int64_t to,
                                    struct bars b, size_t thin,
                                    struct context_window *w)
{
    struct fill f = {.request = c->request};
    int64_t origin = piece_bar_start(&c->music, b.first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = b.end - b.first,
                                 .first_note = piece_note_at(&c->music, origin)};
    if (to - origin > FILL_MAX_STEP || w->n_bars > BAR_TABLE_SIZE)
        return MIDI_TOO_LONG;
    f.request.from = (int32_t)(from - origin);
    f.request.to = (int32_t)(to - origin);
    f.request.close = c->request.close && to == c->hole.to;
    enum midi_status st = piece_window(&f.around, &c->music, b.first, w->n_bars);
    if (!st &&
        thin >
            1) { /* keeps what is near the hole, and every so-manieth note in its time */
        const int64_t far = STEPS_PER_QUARTER * 4 / (int64_t)thin;
        struct grid_note *notes = f.around.notes;
        size_t n = 0, n_beside = 0;
        for (size_t i = 0; i < f.around.n_notes; i++) {
            const int64_t after = notes[i].step - f.request.to,
                          before = f.request.from -
                                   (notes[i].step + (int64_t)notes[i].length),
                          away = larger(larger(after, before), 0);
            if (away <= far && (away > 0 || n_beside++ % thin == 0))
                notes[n++] = notes[i];
        }
        f.around.n_notes = n;
    }
    if (!st) {
        declare_tracks(c, &f.around);
        hide_chords(c, &f.around, origin);
        st = fill_encode(&w->tokens, &f, false);
    }
    fill_fini(&f);
    return st;
}

/* Doubles the bars around the hole until they do not fit, then bisects. */
enum midi_status context_encode_hole(const struct context *c, int64_t from, int64_t to,
                                     size_t max_tokens, struct context_window *out)
{
    const int32_t all = c->music.n_bars;
    int32_t fits = -1, too_many = all + 1;
    *out = (struct context_window){0};
    while (too_many - fits > 1) {
        int32_t twice = fits < all / 2 ? 2 * fits + 2 : all;
        int32_t beside = too_many <= all ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        enum midi_status st =
            encode_bars(c, from, to, bars_around(c, from, to, beside), 1, &tried);
        if (st && st != MIDI_TOO_LONG) {
            tokens_fini(&out->tokens);
            return st;
        }
        const bool is_better = !st && tried.tokens.n <= max_tokens;
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (is_better) {
            *out = tried;
            fits = beside;
        } else {
            too_many = beside;
        }
    }
    if (fits >= 0)
        return MIDI_OK;
    /* The hole's own bars have too many notes: only some of them are read. */
    const struct bars own = bars_around(c, from, to, 0);
    for (size_t thin = 2; thin <= MOST_THIN; thin *= 2) {
        enum midi_status st = encode_bars(c, from, to, own, thin, out);
        if (st || out->tokens.n <= max_tokens)
            return st;
        tokens_fini(&out->tokens);
    }
    return MIDI_TOO_LONG;
}
