/* The state of reading a chunk, shared by smf_track.c, which reads events, and
 * smf_track_made.c, which makes tracks of the notes. */
#ifndef MIDI_SMF_TRACK_READER_H
#define MIDI_SMF_TRACK_READER_H

#include "midi/smf/smf_track.h"
#include "midi/smf/smf_voice.h"
#include "midi/score/score.h"

/* The names of a chunk's tracks. Names after a channel prefix belong to that channel
 * (SMF 1.0, FF 20). The first name of each kind counts. Plain data. */

enum { SMF_CHANNELS = 16, SMF_NAME_BYTES = sizeof((struct track *)0)->name };

struct smf_name {
    bool is_known;
    char text[SMF_NAME_BYTES]; /* cut to fit; zeros follow */
};

struct smf_names {
    struct smf_name chunk, channel[SMF_CHANNELS];
    int prefix; /* the channel that names belong to; -1: none */
};

void smf_names_init(struct smf_names *names);
/* Take the contents of a prefix event and of a name event; any bytes. */
void smf_names_begin_prefix(struct smf_names *names, const uint8_t *channel, size_t n);
void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n);
/* The next message ends the prefix. */
void smf_names_end_prefix(struct smf_names *names);

/* Returns SMF_NAME_BYTES bytes with a zero at the end. is_only: the chunk has no
 * other channel; else the chunk's own name belongs to none. */
const char *smf_names_of(const struct smf_names *names, int channel, bool is_only);

enum { SMF_NO_PROGRAM = 0xFF };

struct track_reader {
    struct score *score;
    size_t *losses;
    uint8_t programs[SMF_CHANNELS]; /* first chosen in any chunk */
    size_t cap_tracks;

    /* the chunk being read */
    struct chunk *chunk;
    const uint8_t *at, *end;
    int64_t tick, last_tick; /* now, and of the last kept event */
    uint32_t order;
    uint8_t running_status; /* 0: none yet */
    uint8_t *data, *data_end;
    size_t block_size;
    struct smf_names names;
    uint8_t programs_here[SMF_CHANNELS]; /* first chosen in this chunk */
    struct voice voices[SMF_CHANNELS];
};

/* Makes the tracks of the chunk that was read. */
enum midi_status track_reader_make_tracks(struct track_reader *r);

#endif
