/* A plan is a sorted copy of notes. */
#include "midi/tokens/hole_plan.h"

#include <stdlib.h>

/* Removes all but the longest of several notes of one pitch at one onset. They are
 * neighbours, the longest last. */
static void drop_unisons(struct hole_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->n_notes; i++) {
        const struct grid_note *n = &plan->notes[i];
        struct grid_note *last = kept ? &plan->notes[kept - 1] : NULL;
        if (last && grid_notes_are_chord(last, n) && last->pitch == n->pitch)
            *last = *n;
        else
            plan->notes[kept++] = *n;
    }
    plan->n_notes = kept;
}

static void count_together(struct hole_plan *plan)
{
    uint8_t n = 0;
    for (size_t i = 0; i < plan->n_notes; i++) {
        const struct grid_note *note = &plan->notes[i];
        n = (uint8_t)(i > 0 && grid_notes_are_chord(note - 1, note) ? n + 1 : 1);
        if (n > plan->most_together[note->track])
            plan->most_together[note->track] = n;
    }
}

static enum midi_status alloc_notes(struct hole_plan *plan, size_t n)
{
    plan->notes = calloc(n ? n : 1, sizeof *plan->notes);
    return plan->notes ? MIDI_OK : MIDI_NO_MEMORY;
}

enum midi_status hole_plan_make(struct hole_plan *plan, enum hole_plan_kind kind,
                                const struct grid_note *notes, size_t n)
{
    *plan = (struct hole_plan){.kind = kind};
    enum midi_status st = alloc_notes(plan, n);
    for (size_t i = 0; !st && i < n; i++) {
        const struct grid_note *from = &notes[i];
        if (from->step < 0 || from->step > TOKEN_MAX_STEPS || from->length < 1 ||
            from->length > TOKEN_MAX_STEPS || from->track >= TOKEN_MAX_TRACKS ||
            from->pitch >= 128)
            st = MIDI_BAD_TOKEN;
        plan->notes[i] = *from;
    }
    if (st) {
        hole_plan_fini(plan);
        return st;
    }
    plan->n_notes = n;
    qsort(plan->notes, n, sizeof *plan->notes, grid_note_compare);
    drop_unisons(plan);
    count_together(plan);
    return MIDI_OK;
}

void hole_plan_fini(struct hole_plan *plan)
{
    free(plan->notes);
    *plan = (struct hole_plan){0};
}

/* Cuts a note to the part and moves it. Returns false if it is outside the part, or no
 * sequence can hold it. */
static bool cut(struct grid_note *n, int64_t from, int64_t to, int64_t origin)
{
    if (n->length == 0 || n->step < from || n->step >= to || n->step < origin ||
        origin < n->step - (int64_t)TOKEN_MAX_STEPS)
        return false;
    if (n->length > to - n->step)
        n->length = (int32_t)(to - n->step);
    n->step -= (int32_t)origin;
    return true;
}

enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin)
{
    *part = *whole;
    part->n_notes = 0;
    enum midi_status st = alloc_notes(part, whole->n_notes);
    for (size_t i = 0; !st && i < whole->n_notes; i++) {
        struct grid_note n = whole->notes[i];
        if (whole->kind == HOLE_PLAN_PITCHES && n.step < from &&
            from <= TOKEN_MAX_STEPS)
            n.step = (int32_t)from;
        if (cut(&n, from, to, origin))
            part->notes[part->n_notes++] = n;
    }
    if (st)
        hole_plan_fini(part);
    return st;
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
