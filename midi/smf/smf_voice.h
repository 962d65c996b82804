/* The notes of one channel while its chunk is read: an inner part of
 * midi/smf/smf_track.c.
 *
 * Note-ons wait in a queue of their pitch until a note-off takes the first of
 * them; what still waits when the chunk ends hangs. */
#ifndef MIDI_SMF_VOICE_H
#define MIDI_SMF_VOICE_H

#include "midi/score/score.h"

enum { VOICE_PITCHES = 128 };

/* Until voice_finish, a note's id is the number (from 1) of the next note that
 * waits at its pitch, 0 for the last. Starts zeroed; notes are the owner's. */
struct voice {
    struct note *notes;
    size_t n, cap;
    size_t first[VOICE_PITCHES], last[VOICE_PITCHES]; /* waiting, from 1; 0: none */
};

/* false: out of memory. */
bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
                 uint8_t velocity);
bool voice_is_sounding(const struct voice *v, uint8_t pitch);
/* Ends the note that has sounded longest; there must be one. The caller says
 * how it ended, in off_velocity and flags. */
struct note *voice_end(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch);

/* Ends what hangs, gives out ids and sorts. Returns how many hung. */
size_t voice_finish(struct voice *v, int64_t end_tick, uint64_t *next_id);
/* Gives the notes to `t` and is empty, for the next chunk. false: out of memory. */
bool voice_hand_over(struct voice *v, struct track *t);

#endif
