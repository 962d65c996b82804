/* The musical state at each token of a score sequence: where in the bar it stands, on
 * which track, what sounds, and so on, as a few rows of a table that a model adds to the
 * token's embedding. It is what the tokens up to this one tell, found once instead of by
 * every layer. models/FORMAT.md has the same for strangers.
 *
 * A feature is a range of rows, of which one applies to a token, with one for "not known";
 * but of the sounding pitches every one applies, the lowest first, as many as there is
 * room for. Where a hole is filled, time is back in what was told before, and the state is
 * that of the notes around and those filled so far.
 *
 * Plain data, copied freely; pure functions, no allocation, any thread. Any tokens are
 * taken. A token costs under 100 ns, in a hole up to some microseconds. */
#ifndef MIDI_TOKEN_STATE_H
#define MIDI_TOKEN_STATE_H

#include "midi/tokens/clock.h"
#include "midi/tokens/told_notes.h"
#include "midi/tokens/tokens.h"

enum {
    TOKEN_STATE_MOST = 32, /* rows of one token */
    TOKEN_STATE_CHORDS = 256,
};

/* Where each feature begins. */
enum {
    STATE_PLACE = 0,               /* in the bar: steps 0..190, beyond */
    STATE_BAR = STATE_PLACE + 193, /* its length: eighths 0..30, beyond */
    STATE_TRACK = STATE_BAR + 33,  /* the last one spoken */
    STATE_FAMILY = STATE_TRACK + TOKEN_MAX_TRACKS + 1, /* what plays it */
    STATE_VELOCITY = STATE_FAMILY + FAMILY_COUNT + 1,  /* on the track */
    STATE_KEY =
        STATE_VELOCITY + TOKEN_VELOCITIES + 1,      /* its last note: pitches, hits */
    STATE_LENGTH = STATE_KEY + 128 + HIT_COUNT + 1, /* that note's: 1..96, beyond */
    STATE_CHORD = STATE_LENGTH + 98,                /* in force: its symbol */
    STATE_BASS = STATE_CHORD + 12 * CHORD_QUALITIES + 2, /* and bass; none: not known */
    STATE_LEFT = STATE_BASS + 13,     /* of the hole: quarters 0..15, more; outside */
    STATE_SOUNDING = STATE_LEFT + 18, /* pitches */
    TOKEN_STATE_ROWS = STATE_SOUNDING + 128,
};

struct token_state {
    struct clock clock;
    struct told_notes notes;
    int track;                            /* the last one spoken; -1: none */
    int pitch;                            /* being spoken; -1: none */
    int32_t length;                       /* what DURX said of it so far */
    int64_t hole_end;                     /* -1: outside */
    uint8_t families[TOKEN_MAX_TRACKS];   /* FAMILY_COUNT: not known */
    uint8_t velocities[TOKEN_MAX_TRACKS]; /* said last, in a hole since its FILL;
                                           * TOKEN_VELOCITIES: none */
    struct state_chord {
        int32_t step;
        uint8_t symbol, bass;     /* 12: no bass */
    } chords[TOKEN_STATE_CHORDS]; /* the i-th of all at i mod the size */
    int64_t n_chords;
    bool chords_rise; /* none was said after one of a later step */
};

/* Nothing is known: as at a BOS. */
void token_state_start(struct token_state *s);
/* Feeds a token. The rows that apply after it, below TOKEN_STATE_ROWS, ascending; how many. */
int token_state_next(struct token_state *s, int32_t token,
                     uint16_t rows[TOKEN_STATE_MOST]);

#endif
