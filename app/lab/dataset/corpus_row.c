#include "app/lab/dataset/corpus_row.h"

#include "app/base/draw.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>

enum {
    LEAST_HOLE = 96, /* tokens; a shorter rest of a row stays plain */
    MISSING_BARS = 8,
};

/* counts NULL: all. Never the declared tracks, which are given and not guessed. */
static void append(struct corpus_row *row, const struct tokens *t, const bool *counts)
{
    int take = at_most((int)t->n, row->capacity - row->n);
    bool declares = true;
    for (int i = 0; i < take; i++) {
        enum token kind = token_kind(t->id[i]);
        declares = declares && kind != TOKEN_BAR;
        bool is_given = declares && (kind == TOKEN_RESUME || kind == TOKEN_TRACK ||
                                     kind == TOKEN_FAMILY);
        row->ids[row->n + i] = t->id[i];
        row->counts[row->n + i] = !is_given && (!counts || counts[i]);
    }
    row->n += take;
}

enum midi_status corpus_row_add_plain(struct corpus_row *row,
                                      const struct corpus_view *w, bool gives_chords)
{
    struct piece part = {0};
    struct tokens t = {0};
    bool to_end;
    enum midi_status st = corpus_view_cut(&part, w, row->capacity - row->n, &to_end);
    if (!st)
        st = tokens_encode(&t, &part, to_end);
    piece_fini(&part);
    bool *counts = gives_chords ? calloc(t.n + 1, sizeof *counts) : NULL;
    if (gives_chords && !counts)
        st = MIDI_NO_MEMORY;
    if (!st && counts)
        corpus_chord_counts(&t, counts);
    if (!st)
        append(row, &t, counts);
    free(counts);
    tokens_fini(&t);
    return st;
}

/* Adds a hole and what is around it, if that fits whole. */
static enum midi_status append_fill(struct corpus_row *row, const struct fill *f)
{
    struct tokens t = {0};
    enum midi_status st = fill_encode(&t, f, true);
    bool *counts = calloc(t.n + 1, sizeof *counts);
    if (!st && (int)t.n > row->capacity - row->n)
        st = MIDI_TOO_LONG;
    if (!st && !counts)
        st = MIDI_NO_MEMORY;
    if (!st) {
        corpus_hole_counts(&t, counts);
        append(row, &t, counts);
    }
    free(counts);
    tokens_fini(&t);
    return st;
}

/* A hole drawn in bars that hold n / 2 notes. */
static enum midi_status append_hole_in(struct corpus_row *row,
                                       const struct corpus_view *w, int n,
                                       struct rng *r)
{
    struct piece part = {0};
    struct fill f = {0};
    bool to_end;
    enum midi_status st = corpus_view_cut(&part, w, n, &to_end);
    if (!st)
        st = corpus_hole_sample(&f, &part, to_end, r);
    if (!st)
        st = append_fill(row, &f);
    piece_fini(&part);
    fill_fini(&f);
    return st;
}

uint64_t corpus_nth_track(uint64_t used, int k)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (used >> t & 1 && k-- == 0)
            return UINT64_C(1) << t;
    return 0;
}

enum midi_status corpus_row_add_missing(struct corpus_row *row,
                                        const struct corpus_view *w, int turn)
{
    enum midi_status st = MIDI_TOO_LONG;
    for (int bars = MISSING_BARS; st == MIDI_TOO_LONG && bars > 0; bars--) {
        struct piece part = {0};
        struct fill f = {0};
        st = piece_window(&part, &w->from->piece, w->first_bar, bars);
        part.n_chords = 0;
        part.style = w->style;
        const uint64_t used = piece_tracks(&part);
        const uint64_t track =
            used ? corpus_nth_track(used, turn % __builtin_popcountll(used)) : 0;
        if (!st && used == track)
            st = MIDI_EMPTY;
        if (!st)
            st = corpus_hole_of_tracks(&f, &part, track);
        if (!st)
            st = append_fill(row, &f);
        piece_fini(&part);
        fill_fini(&f);
    }
    return st;
}

/* Fills most of the rest of the row or all of it, estimated by three to four tokens per
 * note; uses fewer bars if they need more. */
enum midi_status corpus_row_add_hole(struct corpus_row *row,
                                     const struct corpus_view *w, struct rng *r)
{
    enum midi_status st = MIDI_TOO_LONG;
    const int left = row->capacity - row->n;
    for (int n = left / 2 + draw_below(r, left / 4 + 1); n >= LEAST_HOLE / 4;
         n = n * 3 / 4) {
        st = append_hole_in(row, w, n, r);
        if (st != MIDI_TOO_LONG)
            break;
    }
    return st;
}

enum midi_status corpus_row_add(struct corpus_row *row, const struct corpus_view *w,
                                struct rng *r)
{
    if (w->has_hole && row->capacity - row->n >= LEAST_HOLE) {
        enum midi_status st = corpus_row_add_hole(row, w, r);
        if (st != MIDI_EMPTY && st != MIDI_TOO_LONG)
            return st;
    }
    return corpus_row_add_plain(row, w, false);
}

void corpus_row_split(const struct corpus_row *row, const struct corpus_sequence *to)
{
    for (int i = 0; i < to->length; i++) {
        int32_t next = row->ids[i + 1];
        bool is_end = next == TOKEN_BOS || next == TOKEN_PAD;
        to->tokens[i] = row->ids[i];
        to->targets[i] = is_end || !row->counts[i + 1] ? -1 : next;
    }
    token_times(to->tokens, (size_t)to->length, to->times);
}

enum midi_status corpus_row_init(struct corpus_row *row, int length)
{
    *row = (struct corpus_row){.capacity = length + 1};
    row->ids = calloc((size_t)length + 1, sizeof *row->ids);
    row->counts = calloc((size_t)length + 1, sizeof *row->counts);
    return row->ids && row->counts ? MIDI_OK : MIDI_NO_MEMORY;
}

void corpus_row_fini(struct corpus_row *row)
{
    free(row->ids);
    free(row->counts);
}
