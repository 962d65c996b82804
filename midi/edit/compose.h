/* Many changes as one: an inner part of midi/edit/history.c. */
#ifndef MIDI_COMPOSE_H
#define MIDI_COMPOSE_H

#include "midi/edit/edit.h"

/* A change and the direction it is gone through. */
struct change_step {
    const struct change *change;
    bool is_forwards;
};

/* Whether it speaks of notes alone, as most do. */
bool change_is_of_notes(const struct change *c);

/* What n such changes do one after the other, in a change that has been applied nowhere;
 * what the first of them did and the last undid is not in it. In n log n of their notes.
 * NULL: out of memory, or they do not follow upon each other. */
struct change *change_compose(const struct change_step *steps, size_t n);

#endif
