/* A change as bytes and back, for the stored history (app/document/store_history.h).
 * The change must have been applied, so that every note has its id. To add a kind of
 * edit, add its two functions to the table in change_bytes.c; a test tries every
 * kind. */
#ifndef MIDI_CHANGE_BYTES_H
#define MIDI_CHANGE_BYTES_H

#include "midi/base/bytes.h"
#include "midi/edit/edit.h"

void change_write(const struct change *c, struct bytes_out *to);

/* Reads a change from untrusted bytes; the caller owns it. Its values are valid for
 * a score, though perhaps not for this one. NULL: malformed or out of memory;
 * from->failed is set. */
struct change *change_read(struct bytes_in *from);

#endif
