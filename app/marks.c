/* See marks.h. */
#include "app/marks.h"

#include <stdlib.h>

/* -1: the tokens have no name for it. */
static int token_track(const struct context *music, int track)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (music->track_map[t] == track)
            return t;
    return -1;
}

static struct grid_note on_grid(const struct context *music, const struct note *n,
                                int track)
{
    const int tpq = music->ticks_per_quarter;
    int64_t from = step_from_tick(n->start, tpq);
    int64_t to = step_from_tick(n->start + n->length, tpq);
    return (struct grid_note){.step = (int32_t)from,
                              .length = to > from ? (int32_t)(to - from) : 1,
                              .track = (uint8_t)track,
                              .pitch = n->pitch,
                              .velocity = (uint8_t)velocity_level(n->velocity)};
}

/* What can be said in tokens, in canonical order; how many. */
static size_t grid_notes(struct grid_note *out, const struct context *music,
                         const struct continuation_mark *m)
{
    struct piece p = {.notes = out};
    for (size_t i = 0; i < m->n_notes; i++) {
        const struct note *n = &m->notes[i].note;
        int track = token_track(music, m->notes[i].track);
        if (track >= 0 && step_from_tick(n->start + n->length,
                                         music->ticks_per_quarter) < TOKEN_MAX_STEPS)
            out[p.n_notes++] = on_grid(music, n, track);
    }
    piece_sort(&p);
    return p.n_notes;
}

static bool add_mark(struct taste *t, const struct context *music,
                     const struct continuation_mark *m)
{
    struct grid_note *notes = calloc(m->n_notes + 1, sizeof *notes);
    bool ok = notes && taste_add(t, &music->music, notes, grid_notes(notes, music, m),
                                 m->how_much);
    free(notes);
    return ok;
}

static bool are_told_apart(const struct continuation_options *o)
{
    for (size_t i = 0; i < o->n_marks; i++)
        if (o->marks[i].how_much != 0.0f)
            return true;
    return false;
}

enum midi_status marks_taste(struct taste **out, const struct context *music,
                             const struct continuation_options *o)
{
    *out = NULL;
    if (!are_told_apart(o))
        return MIDI_OK;
    struct taste *t = taste_create();
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < o->n_marks; i++)
        ok = add_mark(t, music, &o->marks[i]);
    if (!ok) {
        taste_destroy(t);
        return MIDI_NO_MEMORY;
    }
    taste_start(t, TASTE_WEIGHT);
    *out = t;
    return MIDI_OK;
}
