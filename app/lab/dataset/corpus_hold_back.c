/* Few pieces may all be in one split. Training is measured on held-out music, so some must
 * be held back: whole pieces if there are enough, else bars of one. */
#include "app/lab/dataset/corpus_build.h"

#include "midi/base/array.h"

#include <string.h>

enum {
    FEW_PIECES = 5, /* below that bars are held back, and no pieces */
    ONE_IN = 8,     /* pieces */
    LEAST_BARS = 16,
    PART = 4, /* of the bars, the last quarter */
};

static enum midi_status move(struct corpus *c, int from, int i, int to)
{
    struct corpus_piece *p = &c->pieces[from][i];
    size_t n = (size_t)c->n_pieces[to];
    if (!array_add(&c->pieces[to], &n, &c->capacity[to], p, sizeof *p))
        return MIDI_NO_MEMORY;
    c->n_pieces[to]++;
    c->n_pieces[from]--;
    memmove(p, p + 1, (size_t)(c->n_pieces[from] - i) * sizeof *p);
    return MIDI_OK;
}

/* Adds the bars [first, first + n) of a piece, if they have notes. */
static enum midi_status add_bars(struct corpus *c, const struct corpus_piece *whole,
                                 int first, int n, enum corpus_split split)
{
    struct corpus_piece part = {.group = whole->group,
                                .goes_on = first + n < whole->piece.n_bars};
    enum midi_status st = piece_window(&part.piece, &whole->piece, first, n);
    if (!st)
        st = corpus_add(c, &part, split);
    return st == MIDI_EMPTY ? MIDI_OK : st;
}

/* Of the longest piece. */
static enum midi_status hold_bars(struct corpus *c)
{
    struct corpus_piece *pieces = c->pieces[CORPUS_TRAIN];
    int i = 0;
    for (int k = 1; k < c->n_pieces[CORPUS_TRAIN]; k++)
        if (pieces[k].piece.n_bars > pieces[i].piece.n_bars)
            i = k;
    struct corpus_piece whole = pieces[i];
    const int n = whole.piece.n_bars, held = n / PART;
    if (n < LEAST_BARS)
        return MIDI_OK;
    c->n_pieces[CORPUS_TRAIN]--;
    memmove(&pieces[i], &pieces[i + 1],
            (size_t)(c->n_pieces[CORPUS_TRAIN] - i) * sizeof whole);
    enum midi_status st = add_bars(c, &whole, 0, n - held, CORPUS_TRAIN);
    if (!st)
        st = add_bars(c, &whole, n - held, held, CORPUS_VALID);
    corpus_piece_fini(&whole);
    return st;
}

enum midi_status corpus_hold_back(struct corpus *c)
{
    enum midi_status st = MIDI_OK;
    if (!c->n_pieces[CORPUS_TRAIN] == !c->n_pieces[CORPUS_VALID])
        return st;
    while (!st && c->n_pieces[CORPUS_VALID])
        st = move(c, CORPUS_VALID, 0, CORPUS_TRAIN);
    if (!st && c->n_pieces[CORPUS_TRAIN] < FEW_PIECES)
        st = hold_bars(c);
    else
        for (int i = ONE_IN / 2; !st && i < c->n_pieces[CORPUS_TRAIN]; i += ONE_IN - 1)
            st = move(c, CORPUS_TRAIN, i, CORPUS_VALID);
    return st ? st : corpus_recount(c);
}
