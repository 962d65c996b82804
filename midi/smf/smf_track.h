/* Reading one MTrk chunk; for midi/smf/smf_read.c only. */
#ifndef MIDI_SMF_TRACK_H
#define MIDI_SMF_TRACK_H

#include "midi/score/score.h"

/* What reading dropped or repaired, counted over the whole file, the worst first. Those
 * before N_DROPPED dropped bytes, which saving would lose. */
enum loss {
    LOSS_AFTER_LAST,
    LOSS_AFTER_END,
    LOSS_CUT_CHUNK,
    LOSS_CUT_EVENT,
    LOSS_NONSENSE,
    LOSS_WRAPPER,
    N_DROPPED,
    LOSS_BAD_NOTE = N_DROPPED,
    LOSS_FORMAT,
    LOSS_DIVISION,
    LOSS_COUNT_OF_TRACKS,
    LOSS_EARLY_END,
    LOSS_NO_END,
    LOSS_HANGING,
    N_LOSSES,
};

struct track_reader; /* about 40 kB; the same for all chunks */

/* Makes a reader that adds tracks to `s`, which is borrowed. NULL: out of memory. */
struct track_reader *track_reader_create(struct score *s, size_t losses[N_LOSSES]);
void track_reader_destroy(struct track_reader *r);

/* Reads n_bytes into the last chunk of the score, which is zeroed except for its type.
 * An end mark is passed over if only events follow it. *n_used is less than n_bytes if
 * the track ends early. */
enum midi_status track_reader_read(struct track_reader *r, const uint8_t *bytes,
                                   size_t n_bytes, size_t *n_used);

/* Completes the tracks after all chunks are read: decodes names, and gives a channel
 * whose own chunk chooses no program the first program that any chunk chose for it. */
void track_reader_finish(struct track_reader *r);

#endif
