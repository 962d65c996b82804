/* Drawing windows of tokens from the pieces. A training window is a random
 * run of bars, transposed and made louder or softer, under its style or under
 * none, plain or with a hole in it that is filled at its end; rows are filled with
 * one window after another. Every choice comes from
 * a generator seeded by (seed, step, row), so nothing needs to be saved. */
#include "app/corpus.h"

#include "app/corpus_hole.h"
#include "app/draw.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOWEST = 21, /* the piano's keys: transposing stays on them */
    HIGHEST = 108,
    MAX_LOUDER = 4,
    MAX_WINDOWS = 4096, /* in one row: more would be a bug */
    HOLE_SEED = 1,      /* of the holes that are measured */
    LEAST_HOLE = 96,    /* tokens; what is left of a row below that stays plain */
};

/* A row being filled: ids, and whether each is to be learnt. */
struct row {
    int32_t *ids;
    bool *counts;
    int n, capacity;
};

struct window {
    const struct corpus_piece *from;
    int32_t first_bar;
    int transpose, louder;
    enum style style;
    bool has_hole, has_chords;
};

/* The bar a step lies in, by the piece's table. */
static int32_t bar_at(const struct corpus_piece *p, int32_t step)
{
    int32_t low = 0, high = p->piece.n_bars - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (p->bars[middle] <= step)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Bars from `first` that fill n tokens, or all that are left: a hit takes a token at
 * least, a note two, a bar one. */
static int32_t bars_for(const struct corpus_piece *p, int32_t first, int n)
{
    size_t last = piece_note_at(&p->piece, p->bars[first]);
    int32_t end = p->piece.n_bars;
    for (int left = n; left >= 0 && last < p->piece.n_notes; last++)
        left -= piece_is_hit(&p->piece, &p->piece.notes[last]) ? 1 : 2;
    if (last < p->piece.n_notes)
        end = bar_at(p, p->piece.notes[last].step) + 1;
    return end - first < n ? end - first : n;
}

/* Anything in [low, high], or 0 when that leaves no room for 0. */
static int draw_shift(struct rng *r, int low, int high)
{
    return low <= high && low <= 0 && high >= 0 ? low + draw_below(r, high - low + 1)
                                                : 0;
}

/* Shifts that keep every note of the piece in range, so none collide. */
static void draw_shifts(struct window *w, struct rng *r)
{
    const struct piece *p = &w->from->piece;
    int low = 127, high = 0, soft = TOKEN_VELOCITIES, loud = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!piece_is_hit(p, &p->notes[i])) {
            low = at_most(low, p->notes[i].pitch);
            high = at_least(high, p->notes[i].pitch);
        }
        soft = at_most(soft, p->notes[i].velocity);
        loud = at_least(loud, p->notes[i].velocity);
    }
    w->transpose =
        draw_shift(r, at_least(-5, LOWEST - low), at_most(6, HIGHEST - high));
    w->louder = draw_shift(r, at_least(-MAX_LOUDER, -soft),
                           at_most(MAX_LOUDER, TOKEN_VELOCITIES - 1 - loud));
}

static const struct corpus_piece *draw_piece(const struct corpus *c, struct rng *r)
{
    int i = draw_weighted(r, c->cumulative, c->n_pieces[CORPUS_TRAIN]);
    return &c->pieces[CORPUS_TRAIN][i];
}

static struct window draw_window(const struct corpus *c, struct rng *r)
{
    struct window w = {.from = draw_piece(c, r)};
    if (draw_below(r, 4))
        w.first_bar = draw_below(r, w.from->piece.n_bars);
    w.style = draw_below(r, 5) ? w.from->piece.style : STYLE_ANY;
    draw_shifts(&w, r);
    return w;
}

static uint8_t shift_class(uint8_t pitch_class, int by)
{
    return (uint8_t)((pitch_class + by + 12) % 12);
}

/* Drums stay what they are. */
static void shift(struct piece *p, const struct window *w)
{
    for (size_t i = 0; i < p->n_chords; i++) {
        struct grid_chord *c = &p->chords[i];
        if (c->root == CHORD_NO_ROOT)
            continue;
        c->root = shift_class(c->root, w->transpose);
        c->bass = shift_class(c->bass, w->transpose);
    }
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!piece_is_hit(p, &p->notes[i]))
            p->notes[i].pitch = (uint8_t)(p->notes[i].pitch + w->transpose);
        p->notes[i].velocity = (uint8_t)(p->notes[i].velocity + w->louder);
    }
}

/* Bars of the window that fill n tokens, in its key. */
static enum midi_status cut(struct piece *part, const struct window *w, int n,
                            bool *to_end)
{
    int32_t bars = bars_for(w->from, w->first_bar, n);
    *to_end = w->first_bar + bars == w->from->piece.n_bars;
    enum midi_status st = piece_window(part, &w->from->piece, w->first_bar, bars);
    if (st)
        return st;
    if (!w->has_chords)
        part->n_chords = 0;
    shift(part, w);
    part->style = w->style;
    return MIDI_OK;
}

/* At least n tokens, or up to the EOS of the piece. */
static enum midi_status encode(struct tokens *t, const struct window *w, int n)
{
    struct piece part = {0};
    bool to_end;
    enum midi_status st = cut(&part, w, n, &to_end);
    if (!st)
        st = tokens_encode(t, &part, to_end);
    piece_fini(&part);
    return st;
}

static void append(struct row *row, const struct tokens *t, const bool *counts)
{
    int take = at_most((int)t->n, row->capacity - row->n);
    for (int i = 0; i < take; i++) {
        row->ids[row->n + i] = t->id[i];
        row->counts[row->n + i] = !counts || counts[i];
    }
    row->n += take;
}

static enum midi_status append_plain(struct row *row, const struct window *w)
{
    struct tokens t = {0};
    enum midi_status st = encode(&t, w, row->capacity - row->n);
    if (!st)
        append(row, &t, NULL);
    tokens_fini(&t);
    return st;
}

/* MIDI_TOO_LONG: it does not fit whole. */
static enum midi_status append_whole(struct row *row, const struct tokens *t)
{
    if ((int)t->n > row->capacity - row->n)
        return MIDI_TOO_LONG;
    bool *counts = calloc(t->n, sizeof *counts);
    if (!counts)
        return MIDI_NO_MEMORY;
    corpus_hole_counts(t, counts);
    append(row, t, counts);
    free(counts);
    return MIDI_OK;
}

/* A hole drawn in bars that hold n / 2 notes. */
static enum midi_status append_hole_in(struct row *row, const struct window *w, int n,
                                       struct rng *r)
{
    struct piece part = {0};
    struct fill f = {0};
    struct tokens t = {0};
    bool to_end;
    enum midi_status st = cut(&part, w, n, &to_end);
    if (!st)
        st = corpus_hole_draw(&f, &part, to_end, r);
    if (!st)
        st = fill_encode(&t, &f, true);
    if (!st)
        st = append_whole(row, &t);
    piece_fini(&part);
    fill_fini(&f);
    tokens_fini(&t);
    return st;
}

/* In most of what is left of the row or all of it, judged by three to four tokens for a
 * note; in fewer bars where they take more. */
static enum midi_status append_hole(struct row *row, const struct window *w,
                                    struct rng *r)
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

/* With its hole where one fits. */
static enum midi_status append_window(struct row *row, const struct window *w,
                                      struct rng *r)
{
    if (w->has_hole && row->capacity - row->n >= LEAST_HOLE) {
        enum midi_status st = append_hole(row, w, r);
        if (st != MIDI_EMPTY && st != MIDI_TOO_LONG)
            return st;
    }
    return append_plain(row, w);
}

/* The row becomes tokens and what follows each; nothing follows the end of a window,
 * or padding. */
static void split_row(const struct row *row, int32_t *tokens, int32_t *targets)
{
    int length = row->capacity - 1;
    for (int i = 0; i < length; i++) {
        int32_t next = row->ids[i + 1];
        bool is_end = next == TOKEN_BOS || next == TOKEN_PAD;
        tokens[i] = row->ids[i];
        targets[i] = is_end || !row->counts[i + 1] ? -1 : next;
    }
}

static enum midi_status row_init(struct row *row, int length)
{
    *row = (struct row){.capacity = length + 1};
    row->ids = calloc((size_t)length + 1, sizeof *row->ids);
    row->counts = calloc((size_t)length + 1, sizeof *row->counts);
    return row->ids && row->counts ? MIDI_OK : MIDI_NO_MEMORY;
}

static void row_fini(struct row *row)
{
    free(row->ids);
    free(row->counts);
}

static bool draw_share(struct rng *r, double share)
{
    return share > 0 && (double)rng_uniform(r) < share;
}

enum midi_status corpus_draw(const struct corpus *c, struct corpus_shares shares,
                             uint64_t seed, uint64_t step, int index, int length,
                             int32_t *tokens, int32_t *targets)
{
    struct rng r = draw_rng(seed, step, index);
    struct row row;
    enum midi_status st = row_init(&row, length);
    for (int windows = 0; !st && row.n < row.capacity && windows < MAX_WINDOWS;
         windows++) {
        struct window w = draw_window(c, &r);
        w.has_hole = draw_share(&r, shares.holes);
        w.has_chords = draw_share(&r, shares.chords);
        st = append_window(&row, &w, &r);
    }
    if (!st)
        split_row(&row, tokens, targets);
    row_fini(&row);
    return st;
}

/* The k-th of the groups that have pieces in this split; their number when
 * there is no such. */
static int nth_group(const struct corpus *c, enum corpus_split split, int k, int *n)
{
    int found = -1;
    *n = 0;
    for (int i = 0; i < c->n_groups; i++)
        if (c->groups[i].n_pieces[split] && (*n)++ == k)
            found = i;
    return found;
}

static const struct corpus_piece *nth_piece(const struct corpus *c,
                                            enum corpus_split split, int group, int k)
{
    for (int i = 0; i < c->n_pieces[split]; i++)
        if (c->pieces[split][i].group == group && k-- == 0)
            return &c->pieces[split][i];
    return NULL;
}

/* Groups in turn; within one, pieces evenly; every other window begins its
 * piece, the others begin in the middle. */
static bool fixed_window(const struct corpus *c, enum corpus_split split, int index,
                         int count, struct window *w)
{
    int n_groups;
    nth_group(c, split, 0, &n_groups);
    if (!n_groups)
        return false;
    int group = nth_group(c, split, index % n_groups, &n_groups);
    int turn = index / n_groups, turns = (count + n_groups - 1) / n_groups;
    int k = (int)((int64_t)turn * c->groups[group].n_pieces[split] / turns);
    const struct corpus_piece *p = nth_piece(c, split, group, k);
    *w = (struct window){
        .from = p,
        .first_bar = turn % 2 ? p->piece.n_bars / 2 : 0,
        .style = p->piece.style,
    };
    return true;
}

enum midi_status corpus_window(const struct corpus *c, enum corpus_split split,
                               int index, int count, int length, int32_t *tokens,
                               int32_t *targets)
{
    struct window w;
    struct row row;
    enum midi_status st = row_init(&row, length);
    if (!st)
        st = fixed_window(c, split, index, count, &w) ? append_plain(&row, &w)
                                                      : MIDI_EMPTY;
    if (!st)
        split_row(&row, tokens, targets);
    row_fini(&row);
    return st;
}

/* Only the hole's own notes, and its end, are measured. */
static void forget_around(int length, const int32_t *tokens, int32_t *targets)
{
    for (int i = 0; i < length && tokens[i] != TOKEN_FILL; i++)
        targets[i] = -1;
}

enum midi_status corpus_hole_window(const struct corpus *c, enum corpus_split split,
                                    int index, int count, int length, int32_t *tokens,
                                    int32_t *targets)
{
    struct rng r = draw_rng(HOLE_SEED, (uint64_t)index, 0);
    struct window w;
    struct row row;
    enum midi_status st = row_init(&row, length);
    if (!st && !fixed_window(c, split, index, count, &w))
        st = MIDI_EMPTY;
    if (!st)
        st = append_hole(&row, &w, &r);
    if (!st || st == MIDI_EMPTY || st == MIDI_TOO_LONG) {
        split_row(&row, tokens, targets);
        forget_around(length, tokens, targets);
        st = MIDI_OK;
    }
    row_fini(&row);
    return st;
}
