/* A change as bytes, and back: what a history is kept as
 * (app/document/store_history.h).
 *
 * Only of changes that have been applied: then every note has its id. To add a kind of
 * edit, add its two functions to the table in change_bytes.c; a test asks for every
 * kind. */
#ifndef MIDI_CHANGE_BYTES_H
#define MIDI_CHANGE_BYTES_H

#include "midi/base/bytes.h"
#include "midi/edit/edit.h"

void change_write(const struct change *c, struct bytes_out *to);

/* Reads on from `from`, which is not trusted: what it gives back holds only what a score
 * can hold, though not necessarily this score. The caller's; NULL: malformed, or out of
 * memory, and from->failed. */
struct change *change_read(struct bytes_in *from);

#endif
