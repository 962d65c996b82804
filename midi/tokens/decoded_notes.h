/* The last 1024 notes of a token sequence, and what they say of a moment: which
 * pitches sound, and which note of a track began last. Time may go back, as when a
 * hole is filled among earlier notes. Plain data, copied freely; no allocation. */
#ifndef MIDI_DECODED_NOTES_H
#define MIDI_DECODED_NOTES_H

#include "midi/tokens/piece.h"

enum { DECODED_NOTES_MOST = 1024, DECODED_HIT = 128 };

struct decoded_note {
    int32_t step, end;
    uint8_t track;
    uint8_t key; /* a pitch, or DECODED_HIT + a hit, which never counts as sounding */
    uint8_t velocity; /* TOKEN_VELOCITIES: unknown */
};

struct decoded_notes {
    struct decoded_note notes[DECODED_NOTES_MOST]; /* note i at i modulo the size */
    int64_t n;                                     /* all notes so far */
    int32_t now, latest; /* the moment asked about, and the last onset */
    bool is_rising;      /* no note came after one that begins later */

    uint64_t sounding[2]; /* a bit for each pitch sounding now */
    int32_t ends[128];    /* where those end */
    /* 1 + the number of a note; 0: none */
    int64_t last[TOKEN_MAX_TRACKS]; /* the last of each track, while time rises */
    int64_t here;                   /* what decoded_notes_last found for `track` */
    int track;                      /* -1: search again */
};

void decoded_notes_start(struct decoded_notes *t);
/* Moves the moment to this step. */
void decoded_notes_move(struct decoded_notes *t, int32_t now);
/* Adds a note that begins now. */
void decoded_notes_add(struct decoded_notes *t, const struct decoded_note *note);
/* Returns the track's note that begins last, now or before; of several, the one that
 * came last. Valid until the next note is added. NULL: none. */
const struct decoded_note *decoded_notes_last(struct decoded_notes *t, int track);

#endif
