/* Many changes as one; for midi/edit/history.c only. */
#ifndef MIDI_COMPOSE_H
#define MIDI_COMPOSE_H

#include "midi/edit/edit.h"

/* A change and the direction to apply it in. */
struct change_step {
    const struct change *change;
    bool is_forwards;
};

/* Whether the change edits notes only, as most do. */
bool change_is_of_notes(const struct change *c);

/* Returns one new change that does what n changes do in sequence. A note that the
 * first adds and the last removes is left out. Takes n log n of their notes. NULL:
 * out of memory, or the changes do not follow one another. */
struct change *change_compose(const struct change_step *steps, size_t n);

#endif
