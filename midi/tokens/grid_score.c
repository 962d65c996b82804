/* Grids from scores and back: ticks to sixteenths, tracks to voices. */
#include "midi/tokens/grid.h"

#include "midi/base/larger.h"
#include "midi/score/notes.h"

#include <stdlib.h>

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

static int64_t track_end(const struct score *s, const struct track *t)
{
    int64_t from, to = 0, end = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        note_span(s, t, i, &from, &to);
        end = larger(end, to);
    }
    return end;
}

static void write_voice(struct grid *g, int voice, const struct score *s,
                        const struct track *t)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        int64_t from, to;
        note_span(s, t, i, &from, &to);
        for (int64_t k = from; k < to; k++)
            *grid_at(g, (int)k, voice) =
                (struct grid_cell){(int16_t)(t->notes[i].pitch & 127), k == from};
    }
}

static enum midi_status write_voices(struct grid *g, const struct score *s,
                                     const struct track *const voices[GRID_VOICES])
{
    int64_t end = 0;
    for (int v = 0; v < GRID_VOICES; v++)
        end = larger(end, voices[v] ? track_end(s, voices[v]) : 0);
    enum midi_status st = grid_init(g, (int)smaller(end, GRID_MAX_STEPS + 1));
    for (int v = 0; !st && v < GRID_VOICES; v++)
        if (voices[v])
            write_voice(g, v, s, voices[v]);
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

struct score *grid_to_score(const struct grid *g)
{
    enum { TICKS_PER_QUARTER = 480, CHURCH_ORGAN = 19, VELOCITY = 80 };
    struct score *s = score_create(TICKS_PER_QUARTER);
    for (int v = 0; s && v < GRID_VOICES; v++) {
        int t = score_add_track(s, grid_voice_names[v], (uint8_t)v, CHURCH_ORGAN);
        if (t < 0 || !grid_voice_to_track(g, v, s, t, VELOCITY)) {
            score_destroy(s);
            s = NULL;
        }
    }
    return s;
}
