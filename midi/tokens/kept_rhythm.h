/* Filling the slots of a rhythm one after the other: which is next, and what pitches it
 * may have. Slots of one track's onset are a chord, in which as many are filled as can
 * be; one that no pitch is left for is passed over. Of places. */
#ifndef MIDI_KEPT_RHYTHM_H
#define MIDI_KEPT_RHYTHM_H

#include "midi/tokens/occupancy.h"

struct kept_rhythm {
    const struct grid_note *slots; /* canonical order; pitches mean nothing */
    size_t n_slots, next;          /* next is n_slots once none is left */
    bool takes[N_PITCHES];         /* the pitches for the next slot */
};

/* Before the first note. The slots are borrowed. */
void kept_rhythm_begin(struct kept_rhythm *r, const struct grid_note *slots, size_t n,
                       const struct occupancy *room);
/* After each note, once it is in the room. */
void kept_rhythm_pass(struct kept_rhythm *r, const struct grid_note *note,
                      const struct occupancy *room);
/* The slot to be filled; NULL: there is none. */
const struct grid_note *kept_rhythm_slot(const struct kept_rhythm *r);

#endif
