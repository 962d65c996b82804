/* Reading one MTrk chunk; used by midi/smf/smf_read.c only. */
#ifndef MIDI_SMF_TRACK_H
#define MIDI_SMF_TRACK_H

#include "midi/score/score.h"

/* What reading dropped or repaired, counted over the whole file. */
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

struct track_reader; /* about 40 kB, reused for each chunk */

/* Adds the tracks to `s`, which is borrowed. NULL: out of memory. */
struct track_reader *track_reader_create(struct score *s, size_t losses[N_LOSSES]);
void track_reader_destroy(struct track_reader *r);

/* Reads the bytes into the last chunk of the score, which is zeroed except for its
 * type. *n_used is less than n_bytes if the track ends early. */
enum midi_status track_reader_read(struct track_reader *r, const uint8_t *bytes,
                                   size_t n_bytes, size_t *n_used);

/* Call after all chunks: a channel whose own chunk chooses no program gets the first
 * program that any chunk chose for it. */
void track_reader_finish(struct track_reader *r);

#endif
