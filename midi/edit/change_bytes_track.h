/* An inner part of midi/edit/change_bytes.h: EDIT_TRACK, EDIT_TRACK_INFO, EDIT_TRACK_GONE and
 * EDIT_CHUNK_MOVE as bytes. The notes told last are not looked at. */
#ifndef MIDI_CHANGE_BYTES_TRACK_H
#define MIDI_CHANGE_BYTES_TRACK_H

#include "midi/base/bytes.h"
#include "midi/edit/edit.h"

struct note_fields;

void change_bytes_put_track(struct bytes_out *to, struct note_fields *last,
                            const struct edit *e);
/* Its kind is known. Whether it fits a score is seen when it is applied. */
void change_bytes_get_track(struct bytes_in *from, struct note_fields *last,
                            struct edit *e);

#endif
