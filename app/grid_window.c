/* Windows of the pieces: drawn to train on, laid out to measure on. They begin a
 * whole number of bars into their piece, so that a model that knows its place in
 * the window knows the beat. */
#include "app/grid_corpus.h"

#include "app/draw.h"

#include <stdlib.h>

enum { STEPS_PER_BAR = 16, LOWEST_SHIFT = -5, HIGHEST_SHIFT = 6 };

/* Steps that `length` tokens and what follows the last of them speak of. */
static int steps_for(int length)
{
    return (length + GRID_VOICES - 1) / GRID_VOICES;
}

static const struct grid *draw_piece(const struct grid_corpus *c, struct rng *r)
{
    int i = draw_weighted(r, c->cumulative, c->n_pieces[CORPUS_TRAIN]);
    return &c->pieces[CORPUS_TRAIN][i];
}

/* Drawn as if windows could stick out half their length on both sides, then
 * moved in: the first and the last bars are heard as often as any. */
static int draw_first_step(struct rng *r, const struct grid *g, int n_steps)
{
    int slack = g->n_steps - n_steps;
    if (slack <= 0)
        return 0;
    int last = at_most((slack + STEPS_PER_BAR - 1) / STEPS_PER_BAR,
                       (g->n_steps - 1) / STEPS_PER_BAR); /* one step at least */
    int out = n_steps / 2 / STEPS_PER_BAR;
    int bar = draw_below(r, last + 2 * out + 1) - out;
    return STEPS_PER_BAR * at_most(at_least(bar, 0), last);
}

static int draw_shift(struct rng *r, const struct grid_corpus *c, const struct grid *g)
{
    int low = LOWEST_SHIFT, high = HIGHEST_SHIFT;
    for (int i = 0; i < g->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            int pitch = grid_at(g, i, v)->pitch;
            if (pitch < 0)
                continue;
            low = at_least(low, c->low[v] - pitch);
            high = at_most(high, c->high[v] - pitch);
        }
    return low + draw_below(r, high - low + 1); /* 0 is always among them */
}

static void transpose(int32_t *ids, size_t n, int shift)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] >= GRID_PITCH)
            ids[i] += shift;
}

/* The window's tokens and what follows each, all counted, then padding. */
static enum midi_status write_row(const struct grid *g, int first_step, int shift,
                                  int length, int32_t *tokens, int32_t *targets)
{
    int n_steps = at_most(steps_for(length), g->n_steps - first_step);
    size_t n = grid_n_tokens(n_steps);
    int32_t *ids = calloc(n, sizeof *ids);
    if (!ids)
        return MIDI_NO_MEMORY;
    grid_encode(g, first_step, n_steps, false, ids);
    transpose(ids, n, shift);
    for (size_t i = 0; i < (size_t)length; i++) {
        tokens[i] = i + 1 < n ? ids[i] : GRID_PAD;
        targets[i] = i + 1 < n ? ids[i + 1] : -1;
    }
    free(ids);
    return MIDI_OK;
}

enum midi_status grid_corpus_draw(const struct grid_corpus *c, uint64_t seed,
                                  uint64_t step, int row, int length, int32_t *tokens,
                                  int32_t *targets)
{
    struct rng r = draw_rng(seed, step, row);
    const struct grid *g = draw_piece(c, &r);
    int first_step = draw_first_step(&r, g, steps_for(length));
    int shift = draw_shift(&r, c, g);
    return write_row(g, first_step, shift, length, tokens, targets);
}

/* The window whose first cell to count is `from`: as late as leaves half the
 * length before it, at a bar where that advances, else at a beat's step. */
static struct grid_window window_at(const struct grid *g, int piece, int from,
                                    int length)
{
    int unit =
        GRID_VOICES * (length / 2 >= GRID_VOICES * STEPS_PER_BAR ? STEPS_PER_BAR : 1);
    int first = from ? at_least(from - length / 2, 0) / unit * unit : 0;
    return (struct grid_window){
        .piece = piece,
        .first_step = first / GRID_VOICES,
        .from = from,
        .to = at_most(first + length, g->n_steps * GRID_VOICES),
    };
}

/* NULL list: only counts. */
static int list_windows(const struct grid_corpus *c, enum corpus_split split,
                        int length, struct grid_window *list)
{
    int n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const struct grid *g = &c->pieces[split][i];
        for (int from = 0; from < g->n_steps * GRID_VOICES; n++) {
            struct grid_window w = window_at(g, i, from, length);
            if (list)
                list[n] = w;
            from = w.to;
        }
    }
    return n;
}

int grid_corpus_windows(const struct grid_corpus *c, enum corpus_split split,
                        int length, struct grid_window **out)
{
    int n = list_windows(c, split, length, NULL);
    *out = calloc((size_t)n + 1, sizeof **out);
    if (!*out)
        return -1;
    return list_windows(c, split, length, *out);
}

enum midi_status grid_corpus_window(const struct grid_corpus *c,
                                    enum corpus_split split,
                                    const struct grid_window *w, int length,
                                    int32_t *tokens, int32_t *targets)
{
    const struct grid *g = &c->pieces[split][w->piece];
    int first = w->first_step * GRID_VOICES;
    enum midi_status st = write_row(g, w->first_step, 0, length, tokens, targets);
    for (int i = 0; !st && i < length; i++)
        if (first + i < w->from || first + i >= w->to)
            targets[i] = -1;
    return st;
}
