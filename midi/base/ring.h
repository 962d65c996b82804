/* Queue of small records between exactly two threads.
 * push: writer only. pop: reader only. Neither blocks or allocates.
 * Create and destroy while only one thread knows of it. */
#ifndef MIDI_RING_H
#define MIDI_RING_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>

struct ring;

/* `slots` records of `slot_size` bytes; slots is rounded up to a power of two.
 * NULL: out of memory, or a size of 0. */
struct ring *ring_create(size_t slots, size_t slot_size);
void ring_destroy(struct ring *r); /* NULL is fine */

/* Copies slot_size bytes in or out. */
REALTIME bool ring_push(struct ring *r, const void *record); /* false: full */
REALTIME bool ring_pop(struct ring *r, void *record);        /* false: empty */

#endif
