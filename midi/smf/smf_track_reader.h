/* What reading a chunk knows, for the two files that do it: an inner part of
 * midi/smf/smf_track.h. smf_track.c reads events; smf_track_made.c makes tracks of the notes. */
#ifndef MIDI_SMF_TRACK_READER_H
#define MIDI_SMF_TRACK_READER_H

#include "midi/smf/smf_track.h"
#include "midi/smf/smf_voice.h"
#include "midi/score/score.h"

/* What the tracks of one chunk are called, while it is read: an inner part of
 * midi/smf/smf_track.c. Names that follow a channel prefix are that channel's (SMF 1.0, FF 20);
 * the first of each kind counts. Plain data. */

enum { SMF_CHANNELS = 16, SMF_NAME_BYTES = sizeof((struct track *)0)->name };

struct smf_name {
    bool is_known;
    char text[SMF_NAME_BYTES]; /* cut to what fits; zeros after it */
};

struct smf_names {
    struct smf_name chunk, channel[SMF_CHANNELS];
    int prefix; /* the channel that names are of now; -1: of none */
};

void smf_names_init(struct smf_names *names);
/* The contents of a prefix, and of a name. Any bytes. */
void smf_names_begin_prefix(struct smf_names *names, const uint8_t *channel, size_t n);
void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n);
void smf_names_end_prefix(struct smf_names *names); /* at the next message */

/* SMF_NAME_BYTES of it, a zero at the end. is_only: the chunk has no other channel; of
 * several, its name is not any one's. */
const char *smf_names_of(const struct smf_names *names, int channel, bool is_only);

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
