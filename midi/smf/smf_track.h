/* Reading one MTrk chunk: an inner part of midi/smf/smf_read.c. */
#ifndef MIDI_SMF_TRACK_H
#define MIDI_SMF_TRACK_H

#include "midi/score/score.h"

/* What reading gave up or repaired, counted over the whole file. */
enum loss {
    LOSS_WRAPPER,
    LOSS_FORMAT,
    LOSS_DIVISION,
    LOSS_COUNT_OF_TRACKS,
    LOSS_CUT_CHUNK,
    LOSS_CUT_EVENT,
    LOSS_NO_END,
    LOSS_NONSENSE,
    LOSS_BAD_NOTE,
    LOSS_HANGING,
    LOSS_AFTER_END,
    LOSS_AFTER_LAST,
    N_LOSSES,
};

struct track_reader; /* about 40 kB, used for one chunk after another */

/* Notes become tracks of `s`, which is borrowed. NULL: out of memory. */
struct track_reader *track_reader_create(struct score *s, size_t losses[N_LOSSES]);
void track_reader_destroy(struct track_reader *r);

/* Reads the chunk's bytes into the last chunk of the score, which is zeroed
 * but for its type. *n_used is less than n_bytes when the track ends early. */
enum midi_status track_reader_read(struct track_reader *r, const uint8_t *bytes,
                                   size_t n_bytes, size_t *n_used);

/* Once all chunks are read: a channel whose own chunk chooses no program is
 * given the first that any chunk chose for it. */
void track_reader_finish(struct track_reader *r);

#endif
