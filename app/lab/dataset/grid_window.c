/* Windows of the pieces: drawn to train on, laid out to measure on. They begin at a bar
 * line, so that the position in the window gives the beat. */
#include "app/lab/dataset/grid_corpus.h"

#include "app/base/draw.h"

#include <stdlib.h>

enum { STEPS_PER_BAR = 16, LOWEST_SHIFT = -5, HIGHEST_SHIFT = 6 };

/* Steps that `length` tokens and what follows the last of them speak of. */
static int steps_for(const struct grid_lesson *lesson, int length)
{
    return grid_n_steps(lesson->told, length + 1);
}

/* Drawn as if windows could stick out half their length on both sides, then
 * moved in: the first and the last bars are drawn as often as any. */
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

/* What part of a piece a row is of. */
struct excerpt {
    const struct grid *grid;
    int first_step, n_steps, shift;
};

static void encode(const struct excerpt *e, struct grid_form form, size_t n,
                   int32_t *ids)
{
    grid_encode(e->grid, form, e->first_step, e->n_steps, ids);
    for (size_t i = 0; i < n; i++)
        ids[i] += ids[i] >= GRID_PITCH ? e->shift : 0;
}

/* Tokens and what follows each, all counted, then padding. */
static enum midi_status tell(const struct excerpt *e, struct grid_form form,
                             const struct grid_row *row)
{
    const size_t n = grid_n_tokens(form, e->n_steps);
    int32_t *ids = calloc(n, sizeof *ids);
    if (!ids)
        return MIDI_NO_MEMORY;
    encode(e, form, n, ids);
    for (size_t i = 0; i < (size_t)row->length; i++) {
        row->tokens[i] = i + 1 < n ? ids[i] : GRID_PAD;
        row->targets[i] = i + 1 < n ? ids[i + 1] : -1;
    }
    grid_times(form, (size_t)row->length, row->times);
    free(ids);
    return MIDI_OK;
}

static enum midi_status write_row(const struct grid *g, int first_step, int shift,
                                  const struct grid_lesson *l,
                                  const struct grid_row *row)
{
    struct excerpt e = {.grid = g, .first_step = first_step, .shift = shift};
    e.n_steps = at_most(steps_for(l, row->length), g->n_steps - first_step);
    enum midi_status st = tell(&e, l->told, row);
    if (st || !l->heard.n)
        return st;
    const size_t n = grid_n_tokens(l->heard, e.n_steps),
                 length = (size_t)grid_lesson_source_length(l, row->length);
    encode(&e, l->heard, n, row->sources);
    for (size_t i = n; i < length; i++)
        row->sources[i] = -1;
    grid_times(l->heard, length, row->source_times);
    return MIDI_OK;
}

enum midi_status grid_corpus_draw(const struct grid_corpus *c,
                                  const struct grid_lesson *lesson, uint64_t seed,
                                  uint64_t step, int index, const struct grid_row *row)
{
    struct rng r = draw_rng(seed, step, index);
    const int piece = draw_weighted(&r, c->cumulative, c->n_pieces[CORPUS_TRAIN]);
    const struct grid *g = &c->pieces[CORPUS_TRAIN][piece];
    int first_step = draw_first_step(&r, g, steps_for(lesson, row->length));
    int shift = draw_shift(&r, c, g);
    return write_row(g, first_step, shift, lesson, row);
}

int grid_corpus_find_window(const struct grid_corpus *c,
                            const struct grid_lesson *lesson, enum corpus_split split,
                            int length, int index, struct grid_window *out)
{
    const struct grid_form told = lesson->told;
    int n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const struct grid *g = &c->pieces[split][i];
        for (int from = 0; from < g->n_steps * told.n; n++) {
            struct grid_window w = grid_window_from(g->n_steps, told, from, length);
            w.piece = i;
            if (n == index)
                *out = w;
            from = w.to;
        }
    }
    return n;
}

enum midi_status grid_corpus_window(const struct grid_corpus *c,
                                    const struct grid_lesson *lesson,
                                    enum corpus_split split,
                                    const struct grid_window *w,
                                    const struct grid_row *row)
{
    const struct grid *g = &c->pieces[split][w->piece];
    int first = w->first_step * lesson->told.n;
    enum midi_status st = write_row(g, w->first_step, 0, lesson, row);
    for (int i = 0; !st && i < row->length; i++)
        if (first + i < w->from || first + i >= w->to)
            row->targets[i] = -1;
    return st;
}
