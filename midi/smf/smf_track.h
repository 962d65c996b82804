/* Reading one MTrk chunk; used by midi/smf/smf_read.c only. */
#ifndef MIDI_SMF_TRACK_H
#define MIDI_SMF_TRACK_H

#include "midi/score/score.h"

/* What reading dropped or repaired, counted over the whole file, the worst first. Those
 * before N_DROPPED drop bytes, which saving would lose. */
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

struct track_reader; /* about 40 kB, reused for each chunk */

/* Adds the tracks to `s`, which is borrowed. NULL: out of memory. */
struct track_reader *track_reader_create(struct score *s, size_t losses[N_LOSSES]);
void track_reader_destroy(struct track_reader *r);

/* Reads the bytes into the last chunk of the score, which is zeroed except for its
 * type. An end mark that events follow, to the end of the bytes, is passed over. *n_used is
 * less than n_bytes if the track ends early. */
enum midi_status track_reader_read(struct track_reader *r, const uint8_t *bytes,
                                   size_t n_bytes, size_t *n_used);

/* Call after all chunks: a channel whose own chunk chooses no program gets the first
 * program that any chunk chose for it. */
void track_reader_finish(struct track_reader *r);

/* -- for smf_track.c, which reads events, and smf_track_made.c, which makes tracks of the
 * notes -- */

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

/* Takes the contents of a name event; any bytes. */
void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n);

/* -- the notes of one channel. Note-ons wait in a queue for their pitch; a
 * note-off ends the first of them. Those that wait when the chunk ends are hanging notes.
 * -- */

enum { VOICE_PITCHES = 128 };

/* Until the chunk ends, a note's id is the number (from 1) of the next note that waits
 * at its pitch; 0: it is the last. Starts zeroed. The owner frees the notes. */
struct voice {
    struct note *notes;
    size_t n, cap;
    size_t first[VOICE_PITCHES], last[VOICE_PITCHES]; /* waiting, from 1; 0: none */
};

/* false: out of memory. */
bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
                 uint8_t velocity);
/* Ends the note that has sounded longest; there must be one. The caller sets
 * off_velocity and flags. */
struct note *voice_end(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch);

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
    bool reads_on;          /* events follow an end mark */
    uint8_t *data, *data_end;
    size_t block_size;
    struct smf_names names;
    uint8_t programs_here[SMF_CHANNELS]; /* first chosen in this chunk */
    struct voice voices[SMF_CHANNELS];
};

/* Makes the tracks of the chunk that was read. */
enum midi_status track_reader_make_tracks(struct track_reader *r);

#endif
