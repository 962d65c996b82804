/* The inverse of grid_encode (midi/tokens/grid.h). */
#ifndef TESTS_MIDI_GRID_DECODE_H
#define TESTS_MIDI_GRID_DECODE_H

#include "midi/tokens/grid.h"

static inline bool cell_equal(struct grid_cell a, struct grid_cell b)
{
    return a.pitch == b.pitch && a.is_struck == b.is_struck;
}

static inline bool grid_equal(const struct grid *a, const struct grid *b)
{
    if (a->n_steps != b->n_steps)
        return false;
    for (size_t i = 0; i < (size_t)a->n_steps * GRID_VOICES; i++)
        if (!cell_equal(a->cells[i], b->cells[i]))
            return false;
    return true;
}

/* The index in the grid of a sequence's i-th cell. */
static inline size_t grid_cell_index(struct grid_form form, size_t i)
{
    size_t n = (size_t)form.n;
    return i / n * GRID_VOICES + (size_t)form.first + i % n;
}

/* Reads cell i from its token; HOLD needs a note to hold. */
static inline bool read_cell(struct grid *g, size_t i, int32_t id)
{
    struct grid_cell *cell = &g->cells[i];
    if (id == GRID_REST)
        return true;
    if (id >= GRID_PITCH && id < GRID_COUNT) {
        *cell = (struct grid_cell){(int16_t)(id - GRID_PITCH), true};
        return true;
    }
    if (id != GRID_HOLD || i < GRID_VOICES || cell[-GRID_VOICES].pitch < 0)
        return false;
    *cell = (struct grid_cell){cell[-GRID_VOICES].pitch, false};
    return true;
}

static inline enum midi_status read_cells(struct grid *g, struct grid_form form,
                                          const int32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((ids[i] == GRID_HOLD && !form.hold) ||
            !read_cell(g, grid_cell_index(form, i), ids[i]))
            return MIDI_BAD_TOKEN;
    if (!form.hold)
        grid_join_repeats(g);
    return MIDI_OK;
}

/* Voices outside the form are silent. MIDI_BAD_TOKEN: grid_encode could not have made
 * this sequence in that form. */
static inline enum midi_status grid_decode(struct grid *g, struct grid_form form,
                                           const int32_t *ids, size_t n)
{
    const size_t voices = (size_t)form.n;
    *g = (struct grid){0};
    if (n < 1 || (n - 1) % voices || (ids[0] != GRID_BOS && ids[0] != GRID_INSIDE))
        return MIDI_BAD_TOKEN;
    if ((n - 1) / voices > GRID_MAX_STEPS)
        return MIDI_TOO_LONG;
    enum midi_status st = grid_init(g, (int)((n - 1) / voices));
    if (!st)
        st = read_cells(g, form, ids + 1, n - 1);
    if (st)
        grid_fini(g);
    return st;
}

#endif
