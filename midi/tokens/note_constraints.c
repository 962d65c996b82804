#include "midi/tokens/note_constraints.h"

void constraints_start(struct note_constraints *p, const struct hole *hole)
{
    occupancy_start(&p->room, hole);
    hole_plan_fini(&p->plan);
    p->kept = HOLE_PLAN_NONE;
}

void constraints_fini(struct note_constraints *p)
{
    occupancy_fini(&p->room);
    hole_plan_fini(&p->plan);
    pitch_constraint_fini(&p->pitches);
}

enum midi_status constraints_set_plan(struct note_constraints *p,
                                      const struct hole_plan *plan)
{
    hole_plan_fini(&p->plan);
    enum midi_status st = hole_plan_part(&p->plan, plan, 0, INT64_MAX, 0);
    if (!st && plan->kind == HOLE_PLAN_PITCHES)
        st = pitch_constraint_init(&p->pitches, plan);
    return st;
}

/* A hit takes one step, however long it was. */
static void shorten_hits(struct hole_plan *plan, uint64_t drums)
{
    for (size_t i = 0; i < plan->n_notes; i++)
        if (drums >> plan->notes[i].track & 1)
            plan->notes[i].length = HIT_STEPS;
}

void constraints_narrow(struct note_constraints *p, const struct hole *part)
{
    occupancy_narrow(&p->room, part);
    shorten_hits(&p->plan, part->drums);
    p->kept = p->plan.kind;
    if (p->kept == HOLE_PLAN_RHYTHM)
        rhythm_constraint_begin(&p->rhythm, p->plan.notes, p->plan.n_notes, &p->room);
    for (int t = 0; t < TOKEN_MAX_TRACKS && p->kept == HOLE_PLAN_PITCHES; t++)
        if (p->room.hole.tracks[t])
            pitch_constraint_begin(&p->pitches, t, &p->room);
}

void constraints_add(struct note_constraints *p, const struct grid_note *n)
{
    occupancy_add(&p->room, n);
    if (p->kept == HOLE_PLAN_RHYTHM)
        rhythm_constraint_pass(&p->rhythm, n, &p->room);
    if (p->kept == HOLE_PLAN_PITCHES)
        pitch_constraint_pass(&p->pitches, n);
}

static int64_t next_slot_step(const struct rhythm_constraint *r, int64_t step)
{
    const struct grid_note *slot = rhythm_constraint_slot(r);
    return slot && slot->step >= step ? slot->step : INT64_MAX;
}

static bool is_slot(const struct rhythm_constraint *r, int track, int64_t step)
{
    const struct grid_note *slot = rhythm_constraint_slot(r);
    return slot && slot->track == track && slot->step == step;
}

static int first_slot_pitch(const struct rhythm_constraint *r, int track, int pitch,
                            int64_t step)
{
    if (!is_slot(r, track, step))
        return N_PITCHES;
    while (pitch < N_PITCHES && !r->takes[pitch])
        pitch++;
    return pitch;
}

int64_t constraints_plan_next_step(const struct note_constraints *p, int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return next_slot_step(&p->rhythm, step);
    return pitch_constraint_next_step(&p->pitches, &p->room, step);
}

bool constraints_plan_track_fits(const struct note_constraints *p, int track, int low,
                                 int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return first_slot_pitch(&p->rhythm, track, low, step) < N_PITCHES;
    return pitch_constraint_track_fits(&p->pitches, &p->room, track, low, step);
}

int constraints_plan_first_pitch(const struct note_constraints *p, int track, int low,
                                 int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return first_slot_pitch(&p->rhythm, track, low, step);
    return pitch_constraint_first_pitch(&p->pitches, &p->room, track, low, step);
}

int64_t constraints_shortest(const struct note_constraints *p)
{
    const struct grid_note *slot =
        p->kept == HOLE_PLAN_RHYTHM ? rhythm_constraint_slot(&p->rhythm) : NULL;
    return slot ? slot->length : 1;
}

int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step)
{
    const struct grid_note *slot =
        p->kept == HOLE_PLAN_RHYTHM ? rhythm_constraint_slot(&p->rhythm) : NULL;
    if (slot)
        return slot->length;
    if (p->kept == HOLE_PLAN_PITCHES)
        return pitch_constraint_longest(&p->pitches, &p->room, track, pitch, step);
    return occupancy_longest(&p->room, track, pitch, step);
}
