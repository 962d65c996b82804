/* Grids as tokens, and the musical times of tokens. */
#include "midi/tokens/grid.h"

#include <stdio.h>
#include <stdlib.h>

const char *const grid_voice_names[GRID_VOICES] = {"soprano", "alto", "tenor", "bass"};

enum midi_status grid_init(struct grid *g, int n_steps)
{
    *g = (struct grid){0};
    if (n_steps < 0 || n_steps > GRID_MAX_STEPS)
        return MIDI_TOO_LONG;
    size_t n = (size_t)n_steps * GRID_VOICES;
    g->cells = malloc((n ? n : 1) * sizeof *g->cells);
    if (!g->cells)
        return MIDI_NO_MEMORY;
    g->n_steps = n_steps;
    for (size_t i = 0; i < n; i++)
        g->cells[i] = (struct grid_cell){.pitch = GRID_SILENT};
    return MIDI_OK;
}

void grid_fini(struct grid *g)
{
    free(g->cells);
    *g = (struct grid){0};
}

struct grid_cell *grid_at(const struct grid *g, int step, int voice)
{
    return &g->cells[(size_t)step * GRID_VOICES + (size_t)voice];
}

/* Whether cell i has the pitch of the cell before it in its voice. */
static bool repeats(const struct grid *g, size_t i)
{
    return i >= GRID_VOICES && g->cells[i].pitch == g->cells[i - GRID_VOICES].pitch;
}

void grid_join_repeats(struct grid *g)
{
    for (size_t i = 0; i < (size_t)g->n_steps * GRID_VOICES; i++)
        g->cells[i].is_struck = g->cells[i].pitch >= 0 && !repeats(g, i);
}

size_t grid_n_tokens(struct grid_form form, int n_steps)
{
    return 1 + (size_t)n_steps * (size_t)form.n;
}

int grid_n_steps(struct grid_form form, int n_tokens)
{
    return (n_tokens + form.n - 2) / form.n;
}

static int32_t cell_token(const struct grid *g, size_t i, bool may_hold)
{
    struct grid_cell cell = g->cells[i];
    if (cell.pitch < 0)
        return GRID_REST;
    if (may_hold && !cell.is_struck && repeats(g, i))
        return GRID_HOLD;
    return GRID_PITCH + cell.pitch;
}

void grid_encode(const struct grid *g, struct grid_form form, int first_step,
                 int n_steps, int32_t *ids)
{
    *ids++ = first_step ? GRID_INSIDE : GRID_BOS;
    for (int step = 0; step < n_steps; step++) {
        size_t at = (size_t)(first_step + step) * GRID_VOICES + (size_t)form.first;
        for (int voice = 0; voice < form.n; voice++)
            *ids++ = cell_token(g, at++, form.hold && step > 0);
    }
}

int32_t grid_time(struct grid_form form, size_t i)
{
    size_t n = (size_t)form.n;
    return (int32_t)((i + n - 1) / n * GRID_STEP);
}

void grid_times(struct grid_form form, size_t n, int32_t *times)
{
    for (size_t i = 0; i < n; i++)
        times[i] = grid_time(form, i);
}

const char *grid_token_name(int32_t id, char *buf, size_t n_buf)
{
    static const char *const NAMES[GRID_PITCH] = {"PAD", "BOS", "INSIDE", "REST",
                                                  "HOLD"};
    if (id >= 0 && id < GRID_PITCH)
        snprintf(buf, n_buf, "%s", NAMES[id]);
    else if (id >= GRID_PITCH && id < GRID_COUNT)
        snprintf(buf, n_buf, "PITCH %d", (int)(id - GRID_PITCH));
    else
        snprintf(buf, n_buf, "?");
    return buf;
}
