/* Where the next note of a hole may be: anywhere free, or where the hole's plan wants
 * it. The grammar uses only the functions of struct note_constraints. */
#ifndef MIDI_NOTE_CONSTRAINTS_H
#define MIDI_NOTE_CONSTRAINTS_H

#include "midi/tokens/occupancy.h"
#include "midi/tokens/hole_plan.h"

/* The pitches of a plan. A track's next note has its next pitch. Each pitch has a latest
 * step, so that those after it can still come, and no legal token goes past that
 * step. */
struct planned_pitch {
    uint8_t pitch;
    uint8_t n_chord; /* how many, from this one on, come at the latest step */
    int64_t latest;  /* step */
};

struct planned_line {
    struct planned_pitch *pitches; /* in order; once begun, only those that fit */
    size_t n, next;
    bool has_begun;
    int most_together;     /* notes at one onset */
    int64_t step;          /* of the last note */
    int n_together, pitch; /* number of notes at that step, and the highest */
};

struct pitch_constraint {
    struct planned_pitch *pool; /* pitches of all lines */
    struct planned_line lines[TOKEN_MAX_TRACKS];
    int64_t deadline; /* earliest of the next pitches' latest steps; INT64_MAX: none */
};

struct note_constraints {
    struct occupancy room;
    struct hole_plan plan;    /* a copy; HOLE_PLAN_NONE: no plan */
    enum hole_plan_kind kept; /* kind of the plan, once the hole has begun */
    size_t slot;              /* index of the rhythm's next slot in the plan */
    bool takes[N_PITCHES];    /* pitches that it may take */
    struct pitch_constraint pitches;
};

/* Starts without a plan. `p` starts zeroed; start may be called again. */
void constraints_start(struct note_constraints *p, const struct hole *hole);
void constraints_fini(struct note_constraints *p);
/* Copies a plan. Call it before the hole begins. */
enum midi_status constraints_set_plan(struct note_constraints *p,
                                      const struct hole_plan *plan);

/* Narrows the hole to a part of what start was given, and applies the plan. May be
 * called again for more tracks while the hole has no note. */
void constraints_narrow(struct note_constraints *p, const struct hole *part);
void constraints_add(struct note_constraints *p, const struct grid_note *n);

/* Like the functions of occupancy with these names. */
int64_t constraints_next_step(const struct note_constraints *p, int64_t step);
bool constraints_track_fits(const struct note_constraints *p, int track, int low,
                            int64_t step);
int constraints_first_pitch(const struct note_constraints *p, int track, int low,
                            int64_t step);

/* Return the lengths, in steps, of a note that may begin there. */
int64_t constraints_shortest(const struct note_constraints *p);
int64_t constraints_longest(const struct note_constraints *p, int track, int pitch,
                            int64_t step);

#endif
