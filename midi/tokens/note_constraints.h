/* Where the next note of a hole may come: anywhere free, or where the plan that the hole
 * keeps has it. One set of questions for the grammar to ask. */
#ifndef MIDI_NOTE_CONSTRAINTS_H
#define MIDI_NOTE_CONSTRAINTS_H

#include "midi/tokens/pitch_constraint.h"
#include "midi/tokens/rhythm_constraint.h"

struct note_constraints {
    struct occupancy room;
    struct hole_plan plan;    /* a copy; HOLE_PLAN_NONE: none */
    enum hole_plan_kind kept; /* the plan's, once its hole has begun */
    struct rhythm_constraint rhythm;
    struct pitch_constraint pitches;
};

/* `p` starts zeroed; start may be called again, and forgets the plan. */
void constraints_start(struct note_constraints *p, const struct hole *hole);
void constraints_fini(struct note_constraints *p);
/* Before the hole begins. The plan is copied. */
enum midi_status constraints_set_plan(struct note_constraints *p,
                                      const struct hole_plan *plan);

/* The hole is only this part of what start was given, and it keeps the plan. May be
 * called again for more tracks; no note is in it yet. */
void constraints_narrow(struct note_constraints *p, const struct hole *part);
void constraints_add(struct note_constraints *p,
                     const struct grid_note *n); /* it is in the hole */

/* As the functions of occupancy of that name. They are asked for every pitch, so that
 * a hole without a plan is told apart at once. */
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

/* In steps, of a note that may begin there. */
int64_t constraints_shortest(const struct note_constraints *p);
int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step);

#endif
