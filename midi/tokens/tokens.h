/* The *score* tokenizer: a score on a grid of 24 steps a quarter, as events.
 *
 *   BOS STYLE [RESUME] {TRACK FAMILY} { BAR [NUM DEN] { [POS] [CHORD [BASS]] [TRACK] [VEL] note } } EOS
 *   note: PITCH DUR, or HIT on a drum track
 *
 * RESUME says that other bars came before the first one; without it the music begins
 * here. Then the tracks are declared, ascending, each with its family; every track with
 * notes is declared. After that, tokens tell only changes. NUM DEN comes at the first
 * bar and at each change of meter; POS once for each onset; CHORD at a position, before
 * its notes, when the harmony changes, with BASS if that is not the root. TRACK comes
 * if the track is not the last one, and VEL if the track's last note had another
 * velocity, so always at a track's first note. A plain note takes two tokens, a hit
 * one. Durations replace note-offs, so no note hangs.
 *
 * The order is canonical: by step, track, pitch, duration, velocity. Bars follow one
 * another without a gap. POS counts steps from the bar line. A POS before BAR ends the
 * bar early, at that position; then another meter begins, or the same one begins again.
 * Large values are written in 96s, the four quarters of 4/4:
 *
 *   position p  = [POSX p/96] POS p%96            (POSX only when p >= 96)
 *   duration d  = DURX k (96 k steps) ... DUR r    (1 <= r <= 96; several DURX
 *                 of the largest kind for very long notes, the largest first)
 *
 * midi/tokens/fill.h has the tokens for filling holes.
 *
 * A piece (midi/tokens/piece.h) is a score on that grid. Encode and decode are exact
 * inverses between canonical pieces and token sequences. Only piece_from_score loses
 * something: starts and ends go to the nearest step, lengths are at least one step,
 * velocity has 32 levels, and meters go up to 64/128.
 *
 * Pure functions, any thread. models/FORMAT.md describes this, too. */
#ifndef MIDI_TOKENS_H
#define MIDI_TOKENS_H

#include "midi/tokens/piece.h"

enum {
    FILL_DENSITIES = 12,
    FILL_POLYPHONIES = 8,
    FILL_LENGTHS = 12,
    FILL_REGISTERS = 14,
};

/* The vocabulary, in order. Each kind is a range of ids. */
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
    TOKEN_CHORD = TOKEN_HIT + HIT_COUNT, /* 121: root x 10 + quality; last: none */
    TOKEN_BASS = TOKEN_CHORD + 12 * CHORD_QUALITIES + 1, /* 12: of that chord */

    /* For holes (midi/tokens/fill.h): */
    TOKEN_HOLE = TOKEN_BASS + 12,                      /* the hole begins */
    TOKEN_RESUME,                                      /* and ends; see also above */
    TOKEN_FILL,                                        /* the request follows */
    TOKEN_DENSITY,                                     /* 12 levels */
    TOKEN_POLYPHONY = TOKEN_DENSITY + FILL_DENSITIES,  /* 8 */
    TOKEN_LENGTH = TOKEN_POLYPHONY + FILL_POLYPHONIES, /* 12 */
    TOKEN_REGISTER = TOKEN_LENGTH + FILL_LENGTHS,      /* 14 */
    TOKEN_CLOSE = TOKEN_REGISTER + FILL_REGISTERS, /* the piece ends with the hole */
    TOKEN_FILL_END,                                /* after the notes of the hole */
    TOKEN_COUNT,

    TOKEN_MAX_DURX = 63, /* in 96s: the most of one DURX */
};

/* The kinds of tokens, in order; each ends where the next one begins. `value` is the meaning of its first
 * id, and each further id adds `each`; a denominator is 2 to that power. The last row, at TOKEN_COUNT,
 * has no name. */
struct token_kind {
    const char *name;
    int first, value, each;
};
extern const struct token_kind TOKEN_KINDS[];

/* Returns the first id of the kind that an id belongs to, or TOKEN_PAD if it has
 * none. */
enum token token_kind(int32_t id);

/* Whether the token is a control of a request, such as density or length. */
static inline bool token_is_control(int32_t id)
{
    return id >= TOKEN_DENSITY && id < TOKEN_FILL_END;
}

/* Whether a model with a vocabulary of this size uses these tokens. */
static inline bool tokens_fit(int vocab)
{
    return vocab == TOKEN_COUNT;
}

struct tokens {
    int32_t *id;
    int32_t *note; /* index of the piece's note that a token belongs to; -1: none */
    size_t n;
};

/* Encodes a piece. with_eos false leaves the sequence open, to be continued. Refuses a
 * piece that is not canonical, as piece_check does. MIDI_TOO_LONG: also for more than
 * TOKEN_WRITER_MOST tokens. */
enum midi_status tokens_encode(struct tokens *t, const struct piece *p, bool with_eos);
void tokens_fini(struct tokens *t);

/* The exact inverse, with or without EOS. Also reads a window of a longer sequence that
 * begins at a bar, if it repeats NUM DEN, TRACK and VEL, as the encoding of a
 * piece_window does. MIDI_BAD_TOKEN: encode could not have made it. */
enum midi_status tokens_decode(struct piece *p, const int32_t *ids, size_t n);

/* Writes "PITCH 60" or "BAR" to buf, which has at least 24 bytes. Values are shown as
 * musicians count: "DEN 4", "DURX 96". Returns buf. */
const char *token_name(int32_t id, char *buf, size_t n_buf);

#endif
