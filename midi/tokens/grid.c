/* Grids as tokens, the musical times of tokens, and grids from scores and back. */
#include "midi/tokens/grid.h"

#include "midi/base/larger.h"
#include "midi/score/notes.h"

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

/* -- from scores and back: ticks to sixteenths, tracks to voices -- */

/* Returns the nearest step, halves up. A tick past TICK_MAX is past every grid. */
static int64_t step_at(int64_t tick, int ticks_per_quarter)
{
    tick = larger(0, tick);
    return tick > TICK_MAX ? TICK_MAX
                           : (4 * tick + ticks_per_quarter / 2) / ticks_per_quarter;
}

/* Finds the span [from, to) of note i of a track. It reaches at most to the next note,
 * and is empty if that begins at once. */
static void note_span(const struct score *s, const struct track *t, size_t i,
                      int64_t *from, int64_t *to)
{
    const struct note *n = &t->notes[i];
    int64_t left = larger(0, TICK_MAX - n->start);
    *from = step_at(n->start, s->ticks_per_quarter);
    *to = step_at(n->start + smaller(n->length, left), s->ticks_per_quarter);
    *to = larger(*to, *from + 1);
    if (i + 1 < t->n_notes)
        *to = smaller(*to, step_at(n[1].start, s->ticks_per_quarter));
}

static enum midi_status write_voices(struct grid *g, const struct score *s,
                                     const struct track *const voices[GRID_VOICES])
{
    int64_t from, to, end = 0;
    for (int v = 0; v < GRID_VOICES; v++)
        for (size_t i = 0; voices[v] && i < voices[v]->n_notes; i++) {
            note_span(s, voices[v], i, &from, &to);
            end = larger(end, to);
        }
    enum midi_status st = grid_init(g, (int)smaller(end, GRID_MAX_STEPS + 1));
    for (int v = 0; !st && v < GRID_VOICES; v++)
        for (size_t i = 0; voices[v] && i < voices[v]->n_notes; i++) {
            const int16_t pitch = voices[v]->notes[i].pitch & 127;
            note_span(s, voices[v], i, &from, &to);
            for (int64_t k = from; k < to; k++)
                *grid_at(g, (int)k, v) = (struct grid_cell){pitch, k == from};
        }
    return st;
}

enum midi_status grid_from_score(struct grid *g, const struct score *s)
{
    const struct track *voices[GRID_VOICES] = {0};
    int n = 0;
    for (size_t t = 0; t < s->n_tracks && n < GRID_VOICES; t++)
        if (s->n_tracks == GRID_VOICES || s->tracks[t].n_notes)
            voices[n++] = &s->tracks[t];
    return write_voices(g, s, voices);
}

enum midi_status grid_from_track(struct grid *g, int voice, const struct score *s,
                                 int track)
{
    const struct track *voices[GRID_VOICES] = {0};
    voices[voice] = &s->tracks[track];
    return write_voices(g, s, voices);
}

/* Returns the tick nearest to a step. */
static int64_t step_tick(const struct score *s, int step)
{
    return ((int64_t)step * s->ticks_per_quarter + 2) / 4;
}

bool grid_voice_to_track(const struct grid *g, int voice, struct score *s, int track,
                         uint8_t velocity)
{
    for (int from = 0, to; from < g->n_steps; from = to) {
        struct grid_cell cell = *grid_at(g, from, voice);
        to = from + 1;
        if (cell.pitch < 0)
            continue;
        while (to < g->n_steps && !grid_at(g, to, voice)->is_struck &&
               grid_at(g, to, voice)->pitch == cell.pitch)
            to++;
        int64_t start = step_tick(s, from), end = step_tick(s, to);
        struct note n = {.start = start,
                         .length = end > start ? end - start : 1,
                         .pitch = (uint8_t)cell.pitch,
                         .velocity = velocity};
        if (!score_add_note(s, track, n))
            return false;
    }
    return true;
}
