/* Drawing windows of tokens from the pieces. A training window is a random
 * run of bars, transposed and made louder or softer, under its style or under
 * none; rows are filled with one window after another. Every choice comes from
 * a generator seeded by (seed, step, row), so nothing needs to be saved. */
#include "app/corpus.h"

#include "app/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOWEST = 21, /* the piano's keys: transposing stays on them */
    HIGHEST = 108,
    MAX_LOUDER = 4,
    MAX_WINDOWS = 4096, /* in one row: more would be a bug */
};

struct window {
    const struct corpus_piece *from;
    int32_t first_bar;
    int transpose, louder;
    enum style style;
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

/* Bars from `first` that fill n tokens, or all that are left: a note takes two
 * tokens at least, a bar one. */
static int32_t bars_for(const struct corpus_piece *p, int32_t first, int n)
{
    size_t last = piece_note_at(&p->piece, p->bars[first]) + (size_t)n / 2 + 1;
    int32_t end = p->piece.n_bars;
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
        low = at_most(low, p->notes[i].pitch);
        high = at_least(high, p->notes[i].pitch);
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

static void shift(struct piece *p, const struct window *w)
{
    for (size_t i = 0; i < p->n_notes; i++) {
        p->notes[i].pitch = (uint8_t)(p->notes[i].pitch + w->transpose);
        p->notes[i].velocity = (uint8_t)(p->notes[i].velocity + w->louder);
    }
}

/* At least n tokens, or up to the EOS of the piece. */
static enum midi_status encode(struct tokens *t, const struct window *w, int n)
{
    struct piece part = {0};
    int32_t bars = bars_for(w->from, w->first_bar, n);
    bool to_end = w->first_bar + bars == w->from->piece.n_bars;
    enum midi_status st = piece_window(&part, &w->from->piece, w->first_bar, bars);
    if (st)
        return st;
    shift(&part, w);
    part.style = w->style;
    st = tokens_encode(t, &part, to_end);
    piece_fini(&part);
    return st;
}

/* Appends a window to the row; *n of `capacity` are filled. */
static enum midi_status append(int32_t *row, int *n, int capacity,
                               const struct window *w)
{
    struct tokens t = {0};
    enum midi_status st = encode(&t, w, capacity - *n);
    if (st)
        return st;
    int take = at_most((int)t.n, capacity - *n);
    memcpy(row + *n, t.id, (size_t)take * sizeof *row);
    *n += take;
    tokens_fini(&t);
    return MIDI_OK;
}

/* row [length + 1] becomes tokens and what follows each; nothing follows the
 * end of a window, or padding. */
static void split_row(const int32_t *row, int length, int32_t *tokens, int32_t *targets)
{
    memcpy(tokens, row, (size_t)length * sizeof *tokens);
    for (int i = 0; i < length; i++) {
        int32_t next = row[i + 1];
        targets[i] = next == TOKEN_BOS || next == TOKEN_PAD ? -1 : next;
    }
}

enum midi_status corpus_draw(const struct corpus *c, uint64_t seed, uint64_t step,
                             int row, int length, int32_t *tokens, int32_t *targets)
{
    struct rng r = draw_rng(seed, step, row);
    int32_t *ids = calloc((size_t)length + 1, sizeof *ids);
    enum midi_status st = ids ? MIDI_OK : MIDI_NO_MEMORY;

    for (int n = 0, windows = 0; !st && n <= length && windows < MAX_WINDOWS;
         windows++) {
        struct window w = draw_window(c, &r);
        st = append(ids, &n, length + 1, &w);
    }
    if (!st)
        split_row(ids, length, tokens, targets);
    free(ids);
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
    int n = 0;
    int32_t *ids = calloc((size_t)length + 1, sizeof *ids);
    enum midi_status st = ids ? MIDI_OK : MIDI_NO_MEMORY;

    if (!st)
        st = fixed_window(c, split, index, count, &w) ? append(ids, &n, length + 1, &w)
                                                      : MIDI_EMPTY;
    if (!st)
        split_row(ids, length, tokens, targets);
    free(ids);
    return st;
}

/* P(b) with one added to each count; P(b|a) with BACKED tokens' worth of it
 * added to the counts after a. */
enum { BACKED = 10 };

struct counts {
    double unigram[TOKEN_COUNT], after[TOKEN_COUNT], total;
};

static void count(const struct corpus *c, struct counts *k)
{
    memset(k, 0, sizeof *k);
    for (int a = 0; a < TOKEN_COUNT; a++)
        for (int b = 0; b < TOKEN_COUNT; b++) {
            double n = c->bigrams[(size_t)a * TOKEN_COUNT + (size_t)b];
            k->unigram[b] += n;
            k->after[a] += n;
            k->total += n;
        }
}

void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum)
{
    struct counts k;
    count(c, &k);
    for (size_t i = 0; i < n; i++) {
        if (targets[i] < 0)
            continue;
        size_t a = (size_t)tokens[i], b = (size_t)targets[i];
        double alone = (k.unigram[b] + 1.0) / (k.total + TOKEN_COUNT);
        double after =
            (c->bigrams[a * TOKEN_COUNT + b] + BACKED * alone) / (k.after[a] + BACKED);
        sum->unigram -= log(alone);
        sum->bigram -= log(after);
        sum->n_tokens++;
        sum->n_notes += token_kind(targets[i]) == TOKEN_PITCH;
    }
}
