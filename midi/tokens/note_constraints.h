/* Where the next note of a hole may be: anywhere free, or where the hole's plan
 * wants it. The grammar asks only the functions of struct note_constraints. */
#ifndef MIDI_NOTE_CONSTRAINTS_H
#define MIDI_NOTE_CONSTRAINTS_H

#include "midi/tokens/occupancy.h"
#include "midi/tokens/hole_plan.h"

/* -- pitch_constraint.c: places pitches in a given order, track by track: a track's next
 * note has its next pitch. Each pitch has a latest step, so that those after it can still
 * come; no legal token goes past it. -- */

struct planned_pitch {
    uint8_t pitch;
    uint8_t n_chord; /* how many, from this one on, come at the latest step */
    int64_t latest;  /* step */
};

struct planned_line {
    struct planned_pitch *pitches; /* in order; once begun, those that fit */
    size_t n, next;
    bool has_begun;
    int most_together;     /* notes at one onset */
    int64_t step;          /* of the last note */
    int n_together, pitch; /* how many came at it, and the highest */
};

struct pitch_constraint {
    struct planned_pitch *pool; /* all lines' pitches */
    struct planned_line lines[TOKEN_MAX_TRACKS];
    int64_t deadline; /* the first of the next pitches' latest steps; INT64_MAX: none */
};

/* `k` starts zeroed; init may be called again. No line is begun. */
enum midi_status pitch_constraint_init(struct pitch_constraint *k,
                                       const struct hole_plan *plan);
void pitch_constraint_fini(struct pitch_constraint *k);

/* Begins the track's line in `room`, which holds only blocked notes so far. Does
 * nothing if it is begun. */
void pitch_constraint_begin(struct pitch_constraint *k, int track,
                            const struct occupancy *room);
/* Call after each note, once it is in `room`. */
void pitch_constraint_pass(struct pitch_constraint *k, const struct grid_note *note);

/* Like the functions of occupancy of these names, for the next pitch. */
int64_t pitch_constraint_next_step(const struct pitch_constraint *k,
                                   const struct occupancy *room, int64_t step);
int pitch_constraint_first_pitch(const struct pitch_constraint *k,
                                 const struct occupancy *room, int track, int low,
                                 int64_t step);
int64_t pitch_constraint_longest(const struct pitch_constraint *k,
                                 const struct occupancy *room, int track, int pitch,
                                 int64_t step);

struct note_constraints {
    struct occupancy room;
    struct hole_plan plan;    /* a copy; HOLE_PLAN_NONE: no plan */
    enum hole_plan_kind kept; /* kind of the plan, once the hole has begun */
    size_t slot;              /* the next of a rhythm: a note of the plan */
    bool takes[N_PITCHES];    /* pitches for it */
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
void constraints_add(struct note_constraints *p, const struct grid_note *n);

/* Like the functions of occupancy of these names. */
int64_t constraints_next_step(const struct note_constraints *p, int64_t step);
bool constraints_track_fits(const struct note_constraints *p, int track, int low,
                            int64_t step);
int constraints_first_pitch(const struct note_constraints *p, int track, int low,
                            int64_t step);

/* In steps, for a note that may begin there. */
int64_t constraints_shortest(const struct note_constraints *p);
int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step);

#endif
