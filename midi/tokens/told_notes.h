/* The notes that a sequence of tokens has told so far, the last 1024 of them, and what
 * they say of a moment: which pitches sound, and which note of a track came last. Time may
 * go back, as it does where a hole is filled among notes told before.
 * Plain data, copied freely; no allocation. */
#ifndef MIDI_TOLD_NOTES_H
#define MIDI_TOLD_NOTES_H

#include "midi/tokens/piece.h"

enum { TOLD_NOTES_MOST = 1024, TOLD_HIT = 128 };

struct told_note {
    int32_t step, end;
    uint8_t track;
    uint8_t key;      /* a pitch, or TOLD_HIT + a hit, which never counts as sounding */
    uint8_t velocity; /* TOKEN_VELOCITIES: not known */
};

struct told_notes {
    struct told_note notes[TOLD_NOTES_MOST]; /* the i-th of all at i mod the size */
    int64_t n;                               /* all that were told */
    int32_t now, latest; /* the moment asked about, and the last onset told */
    bool is_rising;      /* no note was told after one that begins later */

    uint64_t sounding[2]; /* a bit for each pitch that sounds now */
    int32_t ends[128];    /* where it ends, of those */
    /* 1 + a note's place among all; 0: none */
    int64_t last[TOKEN_MAX_TRACKS]; /* of each track, while time rises */
    int64_t here;                   /* what told_notes_last found, for `track`; */
    int track;                      /* -1: to be looked for again */
};

void told_notes_start(struct told_notes *t);
/* The moment is this step from now on. */
void told_notes_move(struct told_notes *t, int32_t now);
/* A note that begins now. */
void told_notes_add(struct told_notes *t, const struct told_note *note);
/* The note of the track that begins last, now or before; of several, the one told last.
 * NULL: none is known. It is there until the next note is added. */
const struct told_note *told_notes_last(struct told_notes *t, int track);

#endif
