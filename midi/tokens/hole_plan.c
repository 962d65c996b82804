/* A plan is a sorted copy of notes. */
#include "midi/tokens/hole_plan.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <stdlib.h>

enum midi_status hole_plan_make(struct hole_plan *plan, enum hole_plan_kind kind,
                                const struct grid_note *notes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (notes[i].step < 0 || notes[i].step > TOKEN_MAX_STEPS ||
            notes[i].length < 1 || notes[i].length > TOKEN_MAX_STEPS ||
            notes[i].track >= TOKEN_MAX_TRACKS || notes[i].pitch >= 128) {
            *plan = (struct hole_plan){0};
            return MIDI_BAD_TOKEN;
        }
    *plan = (struct hole_plan){.notes = array_copy(notes, n, sizeof *notes)};
    if (!plan->notes)
        return MIDI_NO_MEMORY;
    plan->kind = kind;
    qsort(plan->notes, n, sizeof *plan->notes, grid_note_compare);
    /* Notes of one pitch at one onset are neighbours, the longest last, which stays. */
    uint8_t n_together = 0;
    for (size_t i = 0; i < n; i++) {
        const struct grid_note note = plan->notes[i];
        struct grid_note *last = plan->n_notes ? &plan->notes[plan->n_notes - 1] : NULL;
        const bool joins = last && grid_notes_are_chord(last, &note);
        if (joins && last->pitch == note.pitch) {
            *last = note;
            continue;
        }
        plan->notes[plan->n_notes++] = note;
        n_together = (uint8_t)(joins ? n_together + 1 : 1);
        if (n_together > plan->most_together[note.track])
            plan->most_together[note.track] = n_together;
    }
    return MIDI_OK;
}

void hole_plan_fini(struct hole_plan *plan)
{
    free(plan->notes);
    *plan = (struct hole_plan){0};
}

enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin)
{
    *part = *whole;
    part->n_notes = 0;
    part->notes = calloc(whole->n_notes + 1, sizeof *part->notes);
    if (!part->notes) {
        hole_plan_fini(part);
        return MIDI_NO_MEMORY;
    }
    for (size_t i = 0; i < whole->n_notes; i++) {
        struct grid_note n = whole->notes[i];
        if (whole->kind == HOLE_PLAN_PITCHES && n.step < from &&
            from <= TOKEN_MAX_STEPS)
            n.step = (int32_t)from;
        if (n.length == 0 || n.step < from || n.step >= to || n.step < origin ||
            origin < n.step - (int64_t)TOKEN_MAX_STEPS) /* no sequence can hold it */
            continue;
        n.length = (int32_t)smaller(n.length, to - n.step);
        n.step -= (int32_t)origin;
        part->notes[part->n_notes++] = n;
    }
    return MIDI_OK;
}

void hole_plan_pass(struct hole_plan *whole, const struct grid_note *note)
{
    const bool is_rhythm = whole->kind == HOLE_PLAN_RHYTHM;
    size_t at = 0;
    if (whole->kind == HOLE_PLAN_NONE)
        return;
    for (; at < whole->n_notes; at++) {
        const struct grid_note *n = &whole->notes[at];
        if (is_rhythm ? grid_notes_are_chord(n, note) && n->length == note->length
                      : n->track == note->track && n->pitch == note->pitch && n->length)
            break;
    }
    if (at == whole->n_notes)
        return;
    /* Passing a pitch also passes those before it, which were skipped. */
    for (size_t i = is_rhythm ? at : 0; i <= at; i++)
        if (whole->notes[i].track == note->track)
            whole->notes[i].length = 0;
}
