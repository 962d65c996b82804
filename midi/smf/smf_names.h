/* What the tracks of one chunk are called, while it is read: an inner part of
 * midi/smf/smf_track.c. Names that follow a channel prefix are that channel's (SMF 1.0, FF 20);
 * the first of each kind counts. Plain data. */
#ifndef MIDI_SMF_NAMES_H
#define MIDI_SMF_NAMES_H

#include "midi/score/score.h"

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

#endif
