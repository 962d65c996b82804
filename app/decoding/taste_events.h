/* What a taste counts: each decision that makes a take is an event, an outcome in a context.
 * Learning a take counts the same events that biasing the next token looks up.
 *
 * A walk remembers the take so far. Steps count from the start of the music; notes before and
 * around the take are not in it. Counts are of liked, disliked and neutral takes: a hash table
 * that only grows. Plain data, one owner. */
#ifndef APP_TASTE_EVENTS_H
#define APP_TASTE_EVENTS_H

#include "midi/tokens/tokens.h"

enum taste_opinion { TASTE_LIKED, TASTE_DISLIKED, TASTE_NEUTRAL, TASTE_OPINIONS };

/* An outcome in a context. */
struct taste_event {
    uint8_t kind;     /* 1 and up */
    uint32_t context; /* its meaning and the outcome's depend on the kind */
    uint16_t outcome; /* below TASTE_ANY */
};

/* Those of one decision. */
struct taste_events {
    int n;
    struct taste_event of[5];
};

enum { TASTE_ANY = UINT16_MAX }; /* as an outcome: all of the context's together */

struct taste_count {
    uint64_t key; /* kind, context, outcome: 16, 32, 16 bits; 0: the slot is free */
    float seen[TASTE_OPINIONS];
};

/* Starts zeroed. */
struct taste_counts {
    /* [n_slots], a power of two, at most half of them used. */
    struct taste_count *slots;
    size_t n_slots, n_used;
    bool has_lost; /* something was not counted: out of memory */
};

void taste_counts_fini(struct taste_counts *c);
/* The counts of an outcome, or of all (TASTE_ANY), in the event's context: [TASTE_OPINIONS];
 * the table owns them. */
const float *taste_counts_seen(const struct taste_counts *c,
                               const struct taste_event *e, uint16_t outcome);

/* An onset on a track is a note, or a chord from its lowest note up. A melody goes from
 * lowest note to lowest note. */
enum taste_kind {
    TASTE_RHYTHM = 1, /* the next onset's place in the bar, or none, after the last's */
    TASTE_CHORD, /* enum taste_chord, after this many notes of the onset, on that track */
    TASTE_INTERVAL, /* from the note before, in the melody or within the chord */
    TASTE_MOTIF,    /* the same after the melody's last interval, or the chord's span */
    TASTE_CLASS,    /* pitch class, in the melody or within the chord */
    TASTE_CLASS_PAIR, /* after that of the note before */
    TASTE_PLACE,      /* the pitch, at that step on that track */
    TASTE_LENGTH,     /* duration */
    TASTE_LENGTH_AT,  /* duration at that place in the bar */
    TASTE_KINDS,
};

enum taste_chord { TASTE_SAME_TRACK, TASTE_OTHER_TRACK, TASTE_NEXT_ONSET };

/* Numbers from 0 as tokens spell them: v below 96 is v; else TASTE_FAR + v/96 comes
 * first and v%96 after it. */
enum { TASTE_FAR = 128, TASTE_NO_ONSET = 256 };

struct taste_voice {
    int64_t step;        /* of its last onset, -1: none yet */
    uint8_t first, last; /* pitches of it */
    int n;               /* notes of it */
    int leap;            /* from the first note of the onset before */
};

struct taste_walk {
    int64_t step; /* of the last onset on any track, -1: none yet */
    int track;    /* of the last note */
    struct taste_voice voices[TOKEN_MAX_TRACKS];
};

void taste_walk_start(struct taste_walk *w);
void taste_walk_note(struct taste_walk *w, int64_t step, int track, int pitch);

/* Each returns the events of one decision. far: the first token of a number, v/96, or 0. */
struct taste_events taste_ask_onset(const struct taste_walk *w, int64_t bar_start,
                                    int far, int outcome);
struct taste_events taste_ask_chord(const struct taste_walk *w,
                                    enum taste_chord outcome);
struct taste_events taste_ask_pitch(const struct taste_walk *w, int64_t step, int track,
                                    int pitch);
/* place: steps from the bar line; the duration less one. */
struct taste_events taste_ask_length(int64_t place, int far, int outcome);

/* Counts all decisions of a take; arguments as taste_add. Check has_lost afterwards. */
void taste_learn(struct taste_counts *c, const struct piece *bars,
                 const struct grid_note *notes, size_t n, enum taste_opinion opinion,
                 float amount);

#endif
