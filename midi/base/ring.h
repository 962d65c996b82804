/* A queue of small records between exactly two threads. Only the writer pushes, only
 * the reader pops; neither blocks or allocates. Create and destroy it while one
 * thread alone uses it. */
#ifndef MIDI_RING_H
#define MIDI_RING_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>

struct ring;

/* Holds `slots` records of `slot_size` bytes; rounds slots up to a power of two.
 * NULL: out of memory, or a size is 0. */
struct ring *ring_create(size_t slots, size_t slot_size);
void ring_destroy(struct ring *r); /* NULL is fine */

/* Copies slot_size bytes in or out. */
REALTIME bool ring_push(struct ring *r, const void *record); /* false: full */
REALTIME bool ring_pop(struct ring *r, void *record);        /* false: empty */

#endif
