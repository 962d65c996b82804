/* The musical state at each token of a score sequence: the position in the bar, the
 * track, the pitches that sound, and so on. A model adds a few rows of a table for it
 * to the token's embedding. The state is what the tokens up to this one imply, computed
 * once instead of in every layer. models/FORMAT.md describes this, too.
 *
 * A feature is a range of rows. One row of it applies to a token; its last row means
 * unknown. Of the sounding pitches each has its row, the lowest first, as many as fit.
 * While a hole is filled, time is back among earlier notes; the state is then that of
 * the notes around and of those filled so far.
 *
 * Plain data, copied freely; pure functions, no allocation, any thread. Any tokens are
 * accepted. A token takes less than 100 ns, in a hole up to some microseconds. */
#ifndef MIDI_TOKEN_STATE_H
#define MIDI_TOKEN_STATE_H

#include "midi/tokens/token_time.h"
#include "midi/tokens/tokens.h"
#include "midi/tokens/piece.h"

/* The last 1024 notes of a token sequence, and what they tell about a moment: which
 * pitches sound, and which note of a track began last. Time may go back, as when a hole
 * is filled among earlier notes. */

enum { DECODED_NOTES_MOST = 1024, DECODED_HIT = 128 };

struct decoded_note {
    int32_t step, end;
    uint8_t track;
    uint8_t key;      /* a pitch, or DECODED_HIT + a hit, which never sounds */
    uint8_t velocity; /* TOKEN_VELOCITIES: unknown */
};

struct decoded_notes {
    struct decoded_note notes[DECODED_NOTES_MOST]; /* note i is at i modulo the size */
    int64_t n;                                     /* number of all notes so far */
    int32_t now, latest; /* the present moment, and the last onset */
    bool is_rising;      /* no note came after one that begins later */

    uint64_t sounding[2]; /* a bit for each pitch that sounds now */
    int32_t ends[128];    /* where those pitches end */
    /* The number, from 1, of the last note of each track, while time rises; 0: none. */
    int64_t last[TOKEN_MAX_TRACKS];
};

enum {
    TOKEN_STATE_MOST = 32, /* rows of one token */
    TOKEN_STATE_CHORDS = 256,
};

/* The first row of each feature. */
enum {
    STATE_PLACE = 0,               /* position in the bar: steps 0..190, more */
    STATE_BAR = STATE_PLACE + 193, /* length of the bar: eighths 0..30, more */
    STATE_TRACK = STATE_BAR + 33,  /* the present track */
    STATE_FAMILY = STATE_TRACK + TOKEN_MAX_TRACKS + 1, /* its family */
    STATE_VELOCITY = STATE_FAMILY + FAMILY_COUNT + 1,  /* its velocity */
    STATE_KEY = STATE_VELOCITY + TOKEN_VELOCITIES + 1, /* its last note: pitches,
                                                        * hits */
    STATE_LENGTH = STATE_KEY + 128 + HIT_COUNT + 1,    /* of that note: 1..96, more */
    STATE_CHORD = STATE_LENGTH + 98,                   /* chord in force: its symbol */
    STATE_BASS = STATE_CHORD + 12 * CHORD_QUALITIES + 2, /* and its bass */
    STATE_LEFT = STATE_BASS + 13,     /* of the hole: quarters 0..15, more; outside */
    STATE_SOUNDING = STATE_LEFT + 18, /* pitches that sound */
    TOKEN_STATE_ROWS = STATE_SOUNDING + 128,
};

struct token_state {
    struct token_time clock;
    struct decoded_notes notes;
    int track;                          /* present track; -1: none */
    int pitch;                          /* pitch of the note being read; -1: none */
    int32_t length;                     /* steps from DURX so far */
    int64_t hole_end;                   /* -1: outside a hole */
    uint8_t families[TOKEN_MAX_TRACKS]; /* FAMILY_COUNT: unknown */
    /* Last VEL of each track, in a hole since FILL; TOKEN_VELOCITIES: none. */
    uint8_t velocities[TOKEN_MAX_TRACKS];
    struct state_chord {
        int32_t step;
        uint8_t symbol, bass;     /* 12: no bass */
    } chords[TOKEN_STATE_CHORDS]; /* chord i is at index i modulo the size */
    int64_t n_chords;
    bool chords_rise; /* no chord came after one of a later step */
};

/* Nothing is known, as at BOS. */
void token_state_start(struct token_state *s);
/* Feeds a token. Writes the rows that apply after it, ascending and below
 * TOKEN_STATE_ROWS, and returns their number. */
int token_state_next(struct token_state *s, int32_t token,
                     uint16_t rows[TOKEN_STATE_MOST]);

#endif
