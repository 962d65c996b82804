/* See taste.h. */
#include "app/decoding/taste.h"

#include <stdlib.h>
#include <string.h>

/* The notes that tokens can hold, in canonical order. The caller owns them. NULL: out of
 * memory. */
static struct grid_note *grid_notes(const struct context *music,
                                    const struct continued_note *notes, size_t n,
                                    size_t *n_out)
{
    struct piece p = {.notes = calloc(n + 1, sizeof *p.notes)};
    memcpy(p.families, music->music.families, sizeof p.families);
    for (size_t i = 0; p.notes && i < n; i++) {
        const struct note *note = &notes[i].note;
        int track = context_token_track(music, notes[i].track);
        int64_t end =
            step_from_tick(note->start + note->length, music->ticks_per_quarter);
        if (track >= 0 && end < TOKEN_MAX_STEPS)
            p.notes[p.n_notes++] = context_grid_note(music, note, track);
    }
    if (p.notes)
        piece_sort(&p);
    *n_out = p.n_notes;
    return p.notes;
}

static bool add_mark(struct taste *t, const struct context *music,
                     const struct continuation_mark *m)
{
    size_t n;
    struct grid_note *notes = grid_notes(music, m->notes, m->n_notes, &n);
    bool ok = notes && taste_add(t, &music->music, notes, n, m->how_much);
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

/* A hole without notes has nothing to keep and is filled freely. If some notes may stay and
 * none is to be replaced, all of them stay. */
static bool keeps(const struct continuation_options *o)
{
    bool held_notes = o->n_replaced > 0 || o->stays > 0.0f;
    return o->keep != HOLE_PLAN_NONE && o->hole.to_tick > 0 && held_notes;
}

enum midi_status marks_plan(struct hole_plan *out, const struct context *music,
                            const struct continuation_options *o)
{
    size_t n;
    *out = (struct hole_plan){0};
    if (!keeps(o))
        return MIDI_OK;
    struct grid_note *notes = grid_notes(music, o->replaced, o->n_replaced, &n);
    if (!notes)
        return MIDI_NO_MEMORY;
    enum midi_status st = hole_plan_make(out, o->keep, notes, n);
    free(notes);
    return st;
}
