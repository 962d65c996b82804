/* See context.h. Windows of the music as tokens: the last bars, or those around a part of a hole. */
#include "app/decoding/context.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/token_time.h"

#include <string.h>

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

/* The bars of [from, to), a part of the hole, and `beside` bars before it, as far as they exist, and some
 * after it: none after a part that is not the last, since what is still to be written would look silent.
 * Both numbers of bars were measured: the nearest bars help most. */
static void choose_bars(const struct context *c, int64_t from, int64_t to,
                        int32_t beside, int32_t *first, int32_t *end)
{
    enum { BARS_AFTER = 2 };
    const int64_t own = piece_bar_at(&c->music, from),
                  own_end = piece_bar_at(&c->music, to - 1) + 1,
                  missing = larger(beside - own, 0), /* that do not exist before it */
        after = smaller(beside, BARS_AFTER + missing);
    const int32_t all = c->music.n_bars,
                  n = to < c->open_to && own_end < all ? (int32_t)own_end : all;
    /* A part that begins where the bars end has the last one. */
    *first = (int32_t)larger(smaller(own - beside, n - 1), 0);
    *end = (int32_t)smaller(own_end + after, n);
}

/* Keeps the notes that are at most four quarters, divided by `thin`, away from the hole, and of those in its
 * time one in `thin`. */
static void thin_out(struct fill *f, int64_t thin)
{
    const int64_t far = STEPS_PER_QUARTER * 4 / thin;
    struct grid_note *notes = f->around.notes;
    int64_t n_beside = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->around.n_notes; i++) {
        const int64_t after = notes[i].step - f->request.to,
                      before =
                          f->request.from - (notes[i].step + (int64_t)notes[i].length),
                      away = larger(larger(after, before), 0);
        if (away <= far && (away > 0 || n_beside++ % thin == 0))
            notes[n++] = notes[i];
    }
    f->around.n_notes = n;
}

/* The bars with `beside` others, and of notes that are too many fewer, the larger `less` is, from 1 on: of
 * a continuation the last ones. MIDI_TOO_LONG: more bars or steps than a request can speak of. */
static enum midi_status encode_bars(const struct context *c, int64_t from, int64_t to,
                                    int32_t beside, size_t less,
                                    struct context_window *w)
{
    struct fill f = {.request = c->request};
    struct piece *p = &f.around;
    int32_t end = c->music.n_bars, first = end - 1 - beside;
    if (c->is_hole)
        choose_bars(c, from, to, beside, &first, &end);
    const int64_t origin = piece_bar_start(&c->music, first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = end - first,
                                 .first_note = piece_note_at(&c->music, origin)};
    if (c->is_hole && (to - origin > FILL_MAX_STEP || w->n_bars > BAR_TABLE_SIZE))
        return MIDI_TOO_LONG;
    f.request.from = (int32_t)(from - origin);
    f.request.to = (int32_t)(to - origin);
    f.request.close = c->request.close && to == c->hole.to;
    enum midi_status st = piece_window(p, &c->music, first, w->n_bars);
    if (!st && c->is_hole && less > 1) {
        thin_out(&f, (int64_t)less);
    } else if (!st && less > 1) {
        const size_t skipped = less / 2 < p->n_notes ? less / 2 : p->n_notes;
        p->n_notes -= skipped;
        w->first_note += skipped;
        memmove(p->notes, p->notes + skipped, p->n_notes * sizeof *p->notes);
    }
    /* A window declares the tracks of the hole, with or without notes. */
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++)
        if (c->hole.tracks[t])
            p->families[t] = c->music.families[t];
    if (!st) {
        hide_chords(c, p, origin);
        st = c->is_hole ? fill_encode(&w->tokens, &f, false)
                        : tokens_encode(&w->tokens, p, false);
    }
    fill_fini(&f);
    return st;
}

/* Doubles the bars that are read beside the least ones until they do not fit, then bisects. */
enum midi_status context_encode(const struct context *c, int64_t from, int64_t to,
                                size_t max_tokens, struct context_window *out)
{
    enum { LEAST = 1 << 20 }; /* of `less`: hardly a note is left */
    const int32_t all = c->music.n_bars - (c->is_hole ? 0 : c->first_bar + 1);
    int32_t fits = -1, too_many = all + 1;
    enum midi_status st = MIDI_OK;
    *out = (struct context_window){0};
    while (too_many - fits > 1) {
        const int32_t twice = fits < all / 2 ? 2 * fits + 2 : all,
                      beside = too_many <= all ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        st = encode_bars(c, from, to, beside, 1, &tried);
        if (st && st != MIDI_TOO_LONG) {
            tokens_fini(&out->tokens);
            return st;
        }
        const bool is_better = !st && tried.tokens.n <= max_tokens;
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (is_better)
            *out = tried;
        fits = is_better ? beside : fits;
        too_many = is_better ? too_many : beside;
    }
    if (fits >= 0)
        return MIDI_OK;
    /* Even the least bars have too many notes: only some of them are read. */
    for (size_t less = 2; less <= LEAST; less *= 2) {
        st = encode_bars(c, from, to, 0, less, out);
        if (st || out->tokens.n <= max_tokens)
            return st;
        tokens_fini(&out->tokens);
    }
    return MIDI_TOO_LONG;
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
