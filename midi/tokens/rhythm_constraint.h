/* Filling the slots of a rhythm one after the other: which is next, and what pitches it
 * may have. Slots of one track's onset are a chord, in which as many are filled as can
 * be; one that no pitch is left for is passed over. Of places. */
#ifndef MIDI_RHYTHM_CONSTRAINT_H
#define MIDI_RHYTHM_CONSTRAINT_H

#include "midi/tokens/occupancy.h"

struct rhythm_constraint {
    const struct grid_note *slots; /* canonical order; pitches mean nothing */
    size_t n_slots, next;          /* next is n_slots once none is left */
    bool takes[N_PITCHES];         /* the pitches for the next slot */
};

/* Before the first note. The slots are borrowed. */
void rhythm_constraint_begin(struct rhythm_constraint *r, const struct grid_note *slots,
                             size_t n, const struct occupancy *room);
/* After each note, once it is in the room. */
void rhythm_constraint_pass(struct rhythm_constraint *r, const struct grid_note *note,
                            const struct occupancy *room);
/* The slot to be filled; NULL: there is none. */
const struct grid_note *rhythm_constraint_slot(const struct rhythm_constraint *r);

#endif
