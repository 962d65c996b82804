/* See places.h. Each question goes to the one who knows. */
#include "midi/tokens/places.h"

void places_start(struct places *p, const struct hole *hole)
{
    occupancy_start(&p->room, hole);
    hole_plan_fini(&p->plan);
    p->kept = HOLE_PLAN_NONE;
}

void places_fini(struct places *p)
{
    occupancy_fini(&p->room);
    hole_plan_fini(&p->plan);
    kept_pitches_fini(&p->pitches);
}

enum midi_status places_keep(struct places *p, const struct hole_plan *plan)
{
    hole_plan_fini(&p->plan);
    enum midi_status st = hole_plan_part(&p->plan, plan, 0, INT64_MAX, 0);
    if (!st && plan->kind == HOLE_PLAN_PITCHES)
        st = kept_pitches_init(&p->pitches, plan);
    return st;
}

/* A hit takes one step, however long it sounded. */
static void shorten_hits(struct hole_plan *plan, uint64_t drums)
{
    for (size_t i = 0; i < plan->n_notes; i++)
        if (drums >> plan->notes[i].track & 1)
            plan->notes[i].length = HIT_STEPS;
}

void places_narrow(struct places *p, const struct hole *part)
{
    occupancy_narrow(&p->room, part);
    shorten_hits(&p->plan, part->drums);
    p->kept = p->plan.kind;
    if (p->kept == HOLE_PLAN_RHYTHM)
        kept_rhythm_begin(&p->rhythm, p->plan.notes, p->plan.n_notes, &p->room);
    for (int t = 0; t < TOKEN_MAX_TRACKS && p->kept == HOLE_PLAN_PITCHES; t++)
        if (p->room.hole.tracks[t])
            kept_pitches_begin(&p->pitches, t, &p->room);
}

void places_add(struct places *p, const struct grid_note *n)
{
    occupancy_add(&p->room, n);
    if (p->kept == HOLE_PLAN_RHYTHM)
        kept_rhythm_pass(&p->rhythm, n, &p->room);
    if (p->kept == HOLE_PLAN_PITCHES)
        kept_pitches_pass(&p->pitches, n);
}

static int64_t next_slot_step(const struct kept_rhythm *r, int64_t step)
{
    const struct grid_note *slot = kept_rhythm_slot(r);
    return slot && slot->step >= step ? slot->step : INT64_MAX;
}

static bool is_slot(const struct kept_rhythm *r, int track, int64_t step)
{
    const struct grid_note *slot = kept_rhythm_slot(r);
    return slot && slot->track == track && slot->step == step;
}

static int first_slot_pitch(const struct kept_rhythm *r, int track, int pitch,
                            int64_t step)
{
    if (!is_slot(r, track, step))
        return N_PITCHES;
    while (pitch < N_PITCHES && !r->takes[pitch])
        pitch++;
    return pitch;
}

int64_t places_kept_next_step(const struct places *p, int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return next_slot_step(&p->rhythm, step);
    return kept_pitches_next_step(&p->pitches, &p->room, step);
}

bool places_kept_track_fits(const struct places *p, int track, int low, int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return first_slot_pitch(&p->rhythm, track, low, step) < N_PITCHES;
    return kept_pitches_track_fits(&p->pitches, &p->room, track, low, step);
}

int places_kept_first_pitch(const struct places *p, int track, int low, int64_t step)
{
    if (p->kept == HOLE_PLAN_RHYTHM)
        return first_slot_pitch(&p->rhythm, track, low, step);
    return kept_pitches_first_pitch(&p->pitches, &p->room, track, low, step);
}

int64_t places_shortest(const struct places *p)
{
    const struct grid_note *slot =
        p->kept == HOLE_PLAN_RHYTHM ? kept_rhythm_slot(&p->rhythm) : NULL;
    return slot ? slot->length : 1;
}

int64_t places_longest(const struct places *p, int track, int pitch, int64_t step)
{
    const struct grid_note *slot =
        p->kept == HOLE_PLAN_RHYTHM ? kept_rhythm_slot(&p->rhythm) : NULL;
    if (slot)
        return slot->length;
    if (p->kept == HOLE_PLAN_PITCHES)
        return kept_pitches_longest(&p->pitches, &p->room, track, pitch, step);
    return occupancy_longest(&p->room, track, pitch, step);
}
