/* Where the next note of a hole may be: anywhere free, or where the hole's plan
 * wants it. The grammar asks only these functions. */
#ifndef MIDI_NOTE_CONSTRAINTS_H
#define MIDI_NOTE_CONSTRAINTS_H

#include "midi/tokens/pitch_constraint.h"
#include "midi/tokens/rhythm_constraint.h"

struct note_constraints {
    struct occupancy room;
    struct hole_plan plan;    /* a copy; HOLE_PLAN_NONE: no plan */
    enum hole_plan_kind kept; /* kind of the plan, once the hole has begun */
    struct rhythm_constraint rhythm;
    struct pitch_constraint pitches;
};

/* `p` starts zeroed; start may be called again, and removes the plan. */
void constraints_start(struct note_constraints *p, const struct hole *hole);
void constraints_fini(struct note_constraints *p);
/* Call before the hole begins. Copies the plan. */
enum midi_status constraints_set_plan(struct note_constraints *p,
                                      const struct hole_plan *plan);

/* Narrows the hole to a part of what start was given, and applies the plan. May be
 * called again for more tracks, while the hole has no note. */
void constraints_narrow(struct note_constraints *p, const struct hole *part);
/* Of the hole. */
void constraints_add(struct note_constraints *p, const struct grid_note *n);

/* Like the functions of occupancy of these names. They are asked for every pitch, so
 * the case without a plan is inline. */
int64_t constraints_plan_next_step(const struct note_constraints *p, int64_t step);
bool constraints_plan_track_fits(const struct note_constraints *p, int track, int low,
                                 int64_t step);
int constraints_plan_first_pitch(const struct note_constraints *p, int track, int low,
                                 int64_t step);

static inline int64_t constraints_next_step(const struct note_constraints *p,
                                            int64_t step)
{
    return p->kept ? constraints_plan_next_step(p, step)
                   : occupancy_next_step(&p->room, step);
}

static inline bool constraints_track_fits(const struct note_constraints *p, int track,
                                          int low, int64_t step)
{
    return p->kept ? constraints_plan_track_fits(p, track, low, step)
                   : occupancy_track_fits(&p->room, track, low, step);
}

static inline int constraints_first_pitch(const struct note_constraints *p, int track,
                                          int low, int64_t step)
{
    return p->kept ? constraints_plan_first_pitch(p, track, low, step)
                   : occupancy_first_pitch(&p->room, track, low, step);
}

/* In steps, for a note that may begin there. */
int64_t constraints_shortest(const struct note_constraints *p);
int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step);

#endif
