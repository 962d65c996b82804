/* The musical state at each token of a score sequence: position in the bar, track,
 * sounding pitches and so on, as a few rows of a table that a model adds to the
 * token's embedding. It says what the tokens up to this one imply, computed once
 * instead of in every layer. models/FORMAT.md describes this, too.
 *
 * A feature is a range of rows; one of them applies to a token, the last one means
 * unknown. Of the sounding pitches each applies, the lowest first, as many as fit.
 * When a hole is filled, time is back among earlier notes; the state is that of the
 * notes around and those filled so far.
 *
 * Plain data, copied freely; pure functions, no allocation, any thread. Accepts any
 * tokens. A token takes under 100 ns, in a hole up to some microseconds. */
#ifndef MIDI_TOKEN_STATE_H
#define MIDI_TOKEN_STATE_H

#include "midi/tokens/token_time.h"
#include "midi/tokens/tokens.h"
#include "midi/tokens/piece.h"

/* The last 1024 notes of a token sequence, and what they say of a moment: which pitches
 * sound, and which note of a track began last. Time may go back, as when a hole is filled
 * among earlier notes. */

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
    int64_t here;                   /* the last of `track` */
    int track;                      /* -1: search again */
};

enum {
    TOKEN_STATE_MOST = 32, /* rows of one token */
    TOKEN_STATE_CHORDS = 256,
};

/* Where each feature begins. */
enum {
    STATE_PLACE = 0,               /* position in the bar: steps 0..190, more */
    STATE_BAR = STATE_PLACE + 193, /* its length: eighths 0..30, more */
    STATE_TRACK = STATE_BAR + 33,  /* the present one */
    STATE_FAMILY = STATE_TRACK + TOKEN_MAX_TRACKS + 1, /* of that track */
    STATE_VELOCITY = STATE_FAMILY + FAMILY_COUNT + 1,  /* of that track */
    STATE_KEY =
        STATE_VELOCITY + TOKEN_VELOCITIES + 1,      /* its last note: pitches, hits */
    STATE_LENGTH = STATE_KEY + 128 + HIT_COUNT + 1, /* that note's: 1..96, more */
    STATE_CHORD = STATE_LENGTH + 98,                /* in force: its symbol */
    STATE_BASS = STATE_CHORD + 12 * CHORD_QUALITIES + 2, /* and bass; or unknown */
    STATE_LEFT = STATE_BASS + 13,     /* of the hole: quarters 0..15, more; outside */
    STATE_SOUNDING = STATE_LEFT + 18, /* pitches */
    TOKEN_STATE_ROWS = STATE_SOUNDING + 128,
};

struct token_state {
    struct token_time clock;
    struct decoded_notes notes;
    int track;                          /* the present one; -1: none */
    int pitch;                          /* being read; -1: none */
    int32_t length;                     /* from DURX so far */
    int64_t hole_end;                   /* -1: outside */
    uint8_t families[TOKEN_MAX_TRACKS]; /* FAMILY_COUNT: unknown */
    /* Last read, in a hole since FILL; TOKEN_VELOCITIES: none. */
    uint8_t velocities[TOKEN_MAX_TRACKS];
    struct state_chord {
        int32_t step;
        uint8_t symbol, bass;     /* 12: no bass */
    } chords[TOKEN_STATE_CHORDS]; /* chord i at i modulo the size */
    int64_t n_chords;
    bool chords_rise; /* no chord came after one of a later step */
};

/* Nothing is known, as at BOS. */
void token_state_start(struct token_state *s);
/* Feeds a token. Writes the rows that apply after it, below TOKEN_STATE_ROWS,
 * ascending; returns their number. */
int token_state_next(struct token_state *s, int32_t token,
                     uint16_t rows[TOKEN_STATE_MOST]);

#endif
