/* Fills the slots of a rhythm in order: the next slot, and its possible pitches.
 * Slots of one onset of a track are a chord; as many of them are filled as possible,
 * and slots without a pitch are skipped. */
#ifndef MIDI_RHYTHM_CONSTRAINT_H
#define MIDI_RHYTHM_CONSTRAINT_H

#include "midi/tokens/occupancy.h"

struct rhythm_constraint {
    const struct grid_note *slots; /* canonical order; pitches are ignored */
    size_t n_slots, next;          /* next is n_slots at the end */
    bool takes[N_PITCHES];         /* pitches for the next slot */
};

/* Call before the first note. Borrows the slots. */
void rhythm_constraint_begin(struct rhythm_constraint *r, const struct grid_note *slots,
                             size_t n, const struct occupancy *room);
/* Call after each note, once it is in `room`. */
void rhythm_constraint_pass(struct rhythm_constraint *r, const struct grid_note *note,
                            const struct occupancy *room);
/* The next slot; NULL: none. */
const struct grid_note *rhythm_constraint_slot(const struct rhythm_constraint *r);

#endif
