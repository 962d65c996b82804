/* Windows of four voices: drawn to train on, laid out to measure on. They begin at a bar
 * line, so that the position in the window gives the beat. */
#include "app/lab/dataset/corpus_row.h"

#include "app/base/draw.h"

#include <stdlib.h>

enum { STEPS_PER_BAR = 16, LOWEST_SHIFT = -5, HIGHEST_SHIFT = 6 };

/* Steps that `length` tokens and what follows the last of them speak of. */
static int steps_for(const struct corpus *c, int length)
{
    return grid_n_steps(c->lesson.told, length + 1);
}

/* Drawn as if windows could stick out half their length on both sides, then
 * moved in: the first and the last bars are drawn as often as any. */
static int sample_first_step(struct rng *r, const struct grid *g, int n_steps)
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

static int sample_shift(struct rng *r, const struct corpus *c, const struct grid *g)
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

static void encode(const struct grid *g, struct grid_form form, int first_step,
                   int n_steps, int shift, int32_t *ids)
{
    grid_encode(g, form, first_step, n_steps, ids);
    for (size_t i = 0; i < grid_n_tokens(form, n_steps); i++)
        ids[i] += ids[i] >= GRID_PITCH ? shift : 0;
}

/* Tokens and what follows each, all counted, then padding; and the melody. */
static enum midi_status write_window(const struct corpus *c, const struct grid *g,
                                     int first_step, int shift,
                                     const struct corpus_sequence *to)
{
    const struct grid_form told = c->lesson.told, heard = c->lesson.heard;
    const int n_steps = at_most(steps_for(c, to->length), g->n_steps - first_step);
    const size_t n = grid_n_tokens(told, n_steps), length = (size_t)to->length,
                 n_sources = (size_t)corpus_source_length(c, to->length);
    int32_t *ids = calloc(n, sizeof *ids);
    if (!ids)
        return MIDI_NO_MEMORY;
    encode(g, told, first_step, n_steps, shift, ids);
    for (size_t i = 0; i < length; i++) {
        to->tokens[i] = i + 1 < n ? ids[i] : GRID_PAD;
        to->targets[i] = i + 1 < n ? ids[i + 1] : -1;
    }
    free(ids);
    grid_times(told, length, to->times);
    if (!n_sources)
        return MIDI_OK;
    encode(g, heard, first_step, n_steps, shift, to->sources);
    for (size_t i = grid_n_tokens(heard, n_steps); i < n_sources; i++)
        to->sources[i] = -1;
    grid_times(heard, n_sources, to->source_times);
    return MIDI_OK;
}

enum midi_status grid_window_sample(const struct corpus *c, const struct grid *g,
                                    struct rng *r, const struct corpus_sequence *to)
{
    const int first_step = sample_first_step(r, g, steps_for(c, to->length));
    return write_window(c, g, first_step, sample_shift(r, c, g), to);
}

int grid_window_find(const struct corpus *c, enum corpus_split split, int length,
                     int index, struct grid_window *out)
{
    int n = 0;
    for (int i = 0; i < c->n_pieces[split]; i++) {
        const int n_steps = c->pieces[split][i].grid.n_steps;
        for (int from = 0; from < n_steps * c->lesson.told.n; n++) {
            struct grid_window w =
                grid_window_from(n_steps, c->lesson.told, from, length);
            w.piece = i;
            if (n == index)
                *out = w;
            from = w.to;
        }
    }
    return n;
}

enum midi_status grid_window_fill(const struct corpus *c, enum corpus_split split,
                                  int index, const struct corpus_sequence *to)
{
    struct grid_window w = {0};
    if (index >= grid_window_find(c, split, to->length, index, &w))
        return MIDI_EMPTY;
    const int first = w.first_step * c->lesson.told.n;
    enum midi_status st =
        write_window(c, &c->pieces[split][w.piece].grid, w.first_step, 0, to);
    for (int i = 0; !st && i < to->length; i++)
        if (first + i < w.from || first + i >= w.to)
            to->targets[i] = -1;
    return st;
}
