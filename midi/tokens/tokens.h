/* The *score* tokenizer: a score on a grid of 24 steps a quarter, as events.
 *
 *   BOS STYLE {TRACK FAMILY} { BAR [NUM DEN] { [POS] [CHORD [BASS]] [TRACK] [VEL] note } } EOS
 *   note: PITCH DUR, or HIT on a drum track
 *
 * The tracks are declared first, ascending, each with what plays it; a track that has
 * notes is declared. From there on state is only spoken when it changes: NUM DEN at the
 * first bar and at every change of meter; POS once per onset; CHORD at a position, before
 * its notes, when the harmony changes, with BASS when that is not the root; TRACK when it
 * is not the last one spoken; VEL when the track's last note had another (so always at a
 * track's first). A plain note costs two tokens, a hit one. Durations, not note-offs:
 * nothing hangs.
 *
 * Order is canonical: by step, then track, then pitch, then duration, then
 * velocity. Bars run without a gap from the first. POS counts steps from the
 * bar line; a POS followed by BAR says the bar ends early, there (a meter
 * change in mid-bar, or the same meter begun again). Large values are spelled
 * in 96s, the four quarters of common time:
 *
 *   position p  = [POSX p/96] POS p%96            (POSX only when p >= 96)
 *   duration d  = DURX k (96 k steps) ... DUR r    (1 <= r <= 96; several DURX
 *                 of the largest kind for very long notes, the largest first)
 *
 * A hole in it may be asked to be filled; midi/tokens/fill.h has that part of the language.
 *
 * A piece (midi/tokens/piece.h) is a score on that grid; encode and decode are exact
 * inverses between canonical pieces and token sequences. The only loss is
 * piece_from_score, the grid itself: onsets and ends to the nearest step, a
 * length of at least one step, velocity to 32 levels, meters to 64/128.
 *
 * Pure functions, any thread. models/FORMAT.md repeats this for strangers. */
#ifndef MIDI_TOKENS_H
#define MIDI_TOKENS_H

#include "midi/tokens/piece.h"

enum {
    FILL_DENSITIES = 12,
    FILL_POLYPHONIES = 8,
    FILL_LENGTHS = 12,
    FILL_REGISTERS = 14,
};

/* The vocabulary, in order: each kind is a range of ids. */
enum token {
    TOKEN_PAD = 0,
    TOKEN_BOS = 1,
    TOKEN_EOS = 2,
    TOKEN_BAR = 3,
    TOKEN_STYLE = 4,                               /* 16: enum style */
    TOKEN_NUM = TOKEN_STYLE + 16,                  /* 64: numerator 1..64 */
    TOKEN_DEN = TOKEN_NUM + TOKEN_MAX_NUMERATOR,   /* 8: denominator 2^0..2^7 */
    TOKEN_POS = TOKEN_DEN + 8,                     /* 96: 0..95 */
    TOKEN_POSX = TOKEN_POS + TOKEN_RADIX,          /* 63: 96 x 1..63 */
    TOKEN_TRACK = TOKEN_POSX + 63,                 /* 64 */
    TOKEN_FAMILY = TOKEN_TRACK + TOKEN_MAX_TRACKS, /* 17: families and drums */
    TOKEN_VEL = TOKEN_FAMILY + FAMILY_COUNT,       /* 32 */
    TOKEN_PITCH = TOKEN_VEL + TOKEN_VELOCITIES,    /* 128 */
    TOKEN_DUR = TOKEN_PITCH + 128,                 /* 96: 1..96 */
    TOKEN_DURX = TOKEN_DUR + TOKEN_RADIX,          /* 63: 96 x 1..63 */
    TOKEN_HIT = TOKEN_DURX + 63,                   /* 47: drums, keys 35..81 */
    TOKEN_CHORD = TOKEN_HIT + HIT_COUNT, /* 121: root x 10 + quality; the last: none */
    TOKEN_BASS = TOKEN_CHORD + 12 * CHORD_QUALITIES + 1, /* 12: of the chord before */

    /* of holes (midi/tokens/fill.h) */
    TOKEN_HOLE = TOKEN_BASS + 12,                     /* the hole begins here, */
    TOKEN_RESUME,                                     /* and ends here */
    TOKEN_FILL,                                       /* what is asked of it follows, */
    TOKEN_DENSITY,                                    /* 12 levels */
    TOKEN_POLYPHONY = TOKEN_DENSITY + FILL_DENSITIES, /* 8 */
    TOKEN_LENGTH = TOKEN_POLYPHONY + FILL_POLYPHONIES, /* 12 */
    TOKEN_REGISTER = TOKEN_LENGTH + FILL_LENGTHS,      /* 14 */
    TOKEN_CLOSE = TOKEN_REGISTER + FILL_REGISTERS,     /* the piece ends with it */
    TOKEN_FILL_END,                                    /* and its notes before this */
    TOKEN_COUNT,

    TOKEN_MAX_DURX = 63, /* in 96s, the most one DURX says */
};

/* The first id of the range an id belongs to; TOKEN_PAD for ids of no kind. */
enum token token_kind(int32_t id);

/* A model of so many tokens speaks this language. */
static inline bool tokens_fit(int vocab)
{
    return vocab == TOKEN_COUNT;
}

struct tokens {
    int32_t *id;
    int32_t *note; /* index into piece.notes of the note a token speaks of
                    * (its POSX POS TRACK VEL PITCH DURX DUR), -1 for the rest */
    size_t n;
};

/* with_eos false leaves the sequence open, for continuing. A piece that is not
 * canonical is refused as piece_check says; MIDI_TOO_LONG also for one that
 * would take tens of millions of tokens. */
enum midi_status tokens_encode(struct tokens *t, const struct piece *p, bool with_eos);
void tokens_fini(struct tokens *t);

/* The exact inverse, with or without EOS. A window of a longer sequence that
 * begins at a bar is read too, once it says NUM DEN, TRACK and VEL again, as
 * the encoding of a piece_window does. MIDI_BAD_TOKEN: not a sequence that
 * encode could have made. */
enum midi_status tokens_decode(struct piece *p, const int32_t *ids, size_t n);

/* "PITCH 60", "BAR", for messages and the inspector: the value as a musician
 * counts it, so "DEN 4" and "DURX 96". buf holds at least 24 bytes and is
 * returned. */
const char *token_name(int32_t id, char *buf, size_t n_buf);

#endif
