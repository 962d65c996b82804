/* A queue of small records between exactly two threads. Only the writer pushes, and
 * only the reader pops. Neither blocks or allocates. Create and destroy it while a
 * single thread uses it. */
#ifndef MIDI_RING_H
#define MIDI_RING_H

#include "midi/base/midi.h"

#include <stdbool.h>
#include <stddef.h>

struct ring;

/* Makes a ring for `slots` records of `slot_size` bytes; `slots` is rounded up to a
 * power of two. Returns NULL if memory is out or a size is 0. */
struct ring *ring_create(size_t slots, size_t slot_size);
void ring_destroy(struct ring *r); /* NULL is fine */

/* Copy one record of slot_size bytes into the ring or out of it. */
REALTIME bool ring_push(struct ring *r, const void *record); /* false: full */
REALTIME bool ring_pop(struct ring *r, void *record);        /* false: empty */

#endif
