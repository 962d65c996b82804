/* What reading a chunk knows, for the two files that do it: an inner part of
 * midi/smf/smf_track.h. smf_track.c reads events; smf_track_made.c makes tracks of the notes. */
#ifndef MIDI_SMF_TRACK_READER_H
#define MIDI_SMF_TRACK_READER_H

#include "midi/smf/smf_names.h"
#include "midi/smf/smf_track.h"
#include "midi/smf/smf_voice.h"

enum { SMF_NO_PROGRAM = 0xFF };

struct track_reader {
    struct score *score;
    size_t *losses;
    uint8_t programs[SMF_CHANNELS]; /* first chosen in any chunk */
    size_t cap_tracks;

    /* of the chunk being read */
    struct chunk *chunk;
    const uint8_t *at, *end;
    int64_t tick, last_tick; /* now, and of the last event kept */
    uint32_t order;
    uint8_t running_status; /* 0: none yet */
    uint8_t *data, *data_end;
    size_t block_size;
    struct smf_names names;
    uint8_t programs_here[SMF_CHANNELS]; /* first chosen in this chunk */
    struct voice voices[SMF_CHANNELS];
};

/* Of the chunk that was read. */
enum midi_status track_reader_make_tracks(struct track_reader *r);

#endif
