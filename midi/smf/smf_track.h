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

/* -- shared by smf_track.c, which reads events, and smf_track_made.c, which makes
 * tracks of the notes -- */

/* The names of a chunk's tracks. A name after a channel prefix belongs to that channel
 * (SMF 1.0, FF 20). The first name for the chunk and for each channel counts. Plain
 * data. */

enum { SMF_CHANNELS = 16, SMF_NAME_BYTES = sizeof((struct track *)0)->name };

struct smf_name {
    bool is_known;
    char text[SMF_NAME_BYTES]; /* cut to fit; zeros follow */
};

struct smf_names {
    struct smf_name chunk, channel[SMF_CHANNELS];
    int prefix; /* channel of the names that follow; -1: none */
};

/* Takes the contents of a name event, which may be any bytes. */
void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n);

/* -- the notes of one channel. A note-on waits in a queue for its pitch, and a note-off
 * ends the first note in it. Notes that still wait when the chunk ends are hanging.
 * -- */

enum { VOICE_PITCHES = 128 };

/* The notes of a channel, with a queue for each pitch. Until the chunk ends, a note's
 * id is the number, from 1, of the next note in its queue, or 0 for the last. Starts
 * zeroed; the owner frees `notes`. */
struct voice {
    struct note *notes;
    size_t n, cap;
    size_t first[VOICE_PITCHES], last[VOICE_PITCHES]; /* queue ends, from 1; 0: none */
};

/* false: out of memory. */
bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
                 uint8_t velocity);
/* Ends the note of this pitch that has sounded longest; there must be one. The caller
 * sets off_velocity and flags. */
struct note *voice_end(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch);

enum { SMF_NO_PROGRAM = 0xFF };

struct track_reader {
    struct score *score;
    size_t *losses;
    uint8_t programs[SMF_CHANNELS]; /* first one chosen in any chunk */
    size_t cap_tracks;

    /* The chunk being read. */
    struct chunk *chunk;
    const uint8_t *at, *end;
    int64_t tick, last_tick; /* the present tick, and that of the last kept event */
    uint32_t order;
    uint8_t running_status; /* 0: none yet */
    bool reads_on;          /* events follow an end mark */
    uint8_t *data, *data_end;
    size_t block_size;
    struct smf_names names;
    uint8_t programs_here[SMF_CHANNELS]; /* first one chosen in this chunk */
    struct voice voices[SMF_CHANNELS];
};

/* Makes the tracks of the chunk that was read. */
enum midi_status track_reader_make_tracks(struct track_reader *r);

#endif
