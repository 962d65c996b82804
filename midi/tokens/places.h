/* Where the next note of a hole may come: anywhere free, or where the plan that the hole
 * keeps has it. One set of questions for the grammar to ask. */
#ifndef MIDI_PLACES_H
#define MIDI_PLACES_H

#include "midi/tokens/kept_pitches.h"
#include "midi/tokens/kept_rhythm.h"

struct places {
    struct occupancy room;
    struct hole_plan plan;    /* a copy; HOLE_PLAN_NONE: none */
    enum hole_plan_kind kept; /* the plan's, once its hole has begun */
    struct kept_rhythm rhythm;
    struct kept_pitches pitches;
};

/* `p` starts zeroed; start may be called again, and forgets the plan. */
void places_start(struct places *p, const struct hole *hole);
void places_fini(struct places *p);
/* Before the hole begins. The plan is copied. */
enum midi_status places_keep(struct places *p, const struct hole_plan *plan);

/* The hole is only this part of what start was given, and it keeps the plan. May be
 * called again for more tracks; no note is in it yet. */
void places_narrow(struct places *p, const struct hole *part);
void places_add(struct places *p, const struct grid_note *n); /* it is in the hole */

/* As the functions of occupancy of that name. They are asked for every pitch, so that
 * a hole without a plan is told apart at once. */
int64_t places_kept_next_step(const struct places *p, int64_t step);
bool places_kept_track_fits(const struct places *p, int track, int low, int64_t step);
int places_kept_first_pitch(const struct places *p, int track, int low, int64_t step);

static inline int64_t places_next_step(const struct places *p, int64_t step)
{
    return p->kept ? places_kept_next_step(p, step)
                   : occupancy_next_step(&p->room, step);
}

static inline bool places_track_fits(const struct places *p, int track, int low,
                                     int64_t step)
{
    return p->kept ? places_kept_track_fits(p, track, low, step)
                   : occupancy_track_fits(&p->room, track, low, step);
}

static inline int places_first_pitch(const struct places *p, int track, int low,
                                     int64_t step)
{
    return p->kept ? places_kept_first_pitch(p, track, low, step)
                   : occupancy_first_pitch(&p->room, track, low, step);
}

/* In steps, of a note that may begin there. */
int64_t places_shortest(const struct places *p);
int64_t places_longest(const struct places *p, int track, int pitch, int64_t step);

#endif
