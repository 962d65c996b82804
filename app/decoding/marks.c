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

enum midi_status marks_taste(struct taste **out, const struct context *music,
                             const struct continuation_options *o)
{
    bool has_opinion = false;
    *out = NULL;
    for (size_t i = 0; i < o->n_marks; i++)
        has_opinion |= o->marks[i].how_much != 0.0f;
    if (!has_opinion)
        return MIDI_OK;
    struct taste *t = taste_create();
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < o->n_marks; i++) {
        const struct continuation_mark *m = &o->marks[i];
        size_t n;
        struct grid_note *notes = grid_notes(music, m->notes, m->n_notes, &n);
        ok = notes && taste_add(t, &music->music, notes, n, m->how_much);
        free(notes);
    }
    if (!ok) {
        taste_destroy(t);
        return MIDI_NO_MEMORY;
    }
    taste_start(t, TASTE_WEIGHT);
    *out = t;
    return MIDI_OK;
}

enum midi_status marks_plan(struct hole_plan *out, const struct context *music,
                            const struct continuation_options *o)
{
    size_t n;
    *out = (struct hole_plan){0};
    /* A hole without notes has nothing to keep and is filled freely. If some notes may stay
     * and none is to be replaced, all of them stay. */
    bool held_notes = o->n_replaced > 0 || o->stays > 0.0f;
    if (o->keep == HOLE_PLAN_NONE || o->hole.to_tick <= 0 || !held_notes)
        return MIDI_OK;
    struct grid_note *notes = grid_notes(music, o->replaced, o->n_replaced, &n);
    if (!notes)
        return MIDI_NO_MEMORY;
    enum midi_status st = hole_plan_make(out, o->keep, notes, n);
    free(notes);
    return st;
}
