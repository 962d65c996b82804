/* The *score* tokenizer: a score on a grid of 24 steps a quarter, as events.
 *
 *   BOS STYLE { BAR [NUM DEN] { [POS] [TRACK] [VEL] PITCH DUR } } EOS
 *
 * State is only spoken when it changes: NUM DEN at the first bar and at every
 * change of meter; POS once per onset; TRACK and VEL when they differ from the
 * last ones spoken (both are always spoken before the first note). So a plain
 * note costs two tokens, PITCH and DUR. Durations, not note-offs: nothing
 * hangs.
 *
 * Order is canonical: by step, then track, then pitch, then duration, then
 * velocity. Bars run without a gap from the first. POS counts steps from the
 * bar line; a POS followed by BAR says the bar ends early, there (a meter
 * change in mid-bar). Large values are spelled in 96s, the four quarters of
 * common time:
 *
 *   position p  = [POSX p/96] POS p%96            (POSX only when p >= 96)
 *   duration d  = DURX k (96 k steps) ... DUR r    (1 <= r <= 96; several DURX
 *                 of the largest kind for very long notes)
 *
 * A piece is a score on that grid; encode and decode are exact inverses
 * between canonical pieces and token sequences. The only loss is
 * piece_from_score, the grid itself: onsets and ends to the nearest step, a
 * length of at least one step, velocity to 32 levels, meters to 64/128.
 *
 * Pure functions, any thread. models/FORMAT.md repeats this for strangers. */
#ifndef MIDI_TOKENS_H
#define MIDI_TOKENS_H

#include "midi/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STEPS_PER_QUARTER = 24,
    TOKEN_RADIX = 96,
    TOKEN_MAX_TRACKS = 64,
    TOKEN_VELOCITIES = 32,
    TOKEN_MAX_BARS = 1 << 20,
};

/* The vocabulary, in order: each kind is a range of ids. */
enum token {
    TOKEN_PAD = 0,
    TOKEN_BOS = 1,
    TOKEN_EOS = 2,
    TOKEN_BAR = 3,
    TOKEN_STYLE = 4,                                  /* 12: enum style */
    TOKEN_NUM = TOKEN_STYLE + 12,                     /* 64: numerator 1..64 */
    TOKEN_DEN = TOKEN_NUM + 64,                       /* 8: denominator 2^0..2^7 */
    TOKEN_POS = TOKEN_DEN + 8,                        /* 96: 0..95 */
    TOKEN_POSX = TOKEN_POS + TOKEN_RADIX,             /* 63: 96 x 1..63 */
    TOKEN_TRACK = TOKEN_POSX + 63,                    /* 64 */
    TOKEN_VEL = TOKEN_TRACK + TOKEN_MAX_TRACKS,       /* 32 */
    TOKEN_PITCH = TOKEN_VEL + TOKEN_VELOCITIES,       /* 128 */
    TOKEN_DUR = TOKEN_PITCH + 128,                    /* 96: 1..96 */
    TOKEN_DURX = TOKEN_DUR + TOKEN_RADIX,             /* 63: 96 x 1..63 */
    TOKEN_COUNT = TOKEN_DURX + 63,
};

enum style {
    STYLE_ANY = 0, /* not known: also a share of training sequences */
    STYLE_CHORALE,
    STYLE_PIANO,
    STYLE_SONG,
    STYLE_QUARTET,
    STYLE_FOLK,
    STYLE_COUNT, /* up to 12 without changing the vocabulary */
};

struct grid_note {
    int32_t step, length; /* step >= 0, length >= 1 */
    uint8_t track, pitch, velocity; /* velocity: level 0..31 */
    uint64_t id; /* of the score's note, 0 if none; not encoded */
};

struct grid_meter {
    int32_t step; /* a bar line */
    int16_t numerator, denominator;
};

struct piece {
    enum style style;
    struct grid_note *notes; /* canonical order */
    size_t n_notes;
    struct grid_meter *meters; /* ascending; the first at step 0 */
    size_t n_meters;
    int32_t n_bars; /* bars spoken, also empty ones at the end */
};

/* Steps <-> ticks, to nearest; exact wherever 24 divides the quarter. */
int64_t step_from_tick(int64_t tick, int ticks_per_quarter);
int64_t tick_from_step(int64_t step, int ticks_per_quarter);
int velocity_level(int velocity);    /* 1..127 -> 0..31 */
int velocity_from_level(int level);  /* the middle of the level; 1..127 */

/* Length in steps of a full bar of this meter, at least 1. */
int32_t meter_steps(int numerator, int denominator);

/* Tracks with notes are numbered from 0 in their order in the score; past the
 * 64th they are left out. track_map, if not NULL, holds TOKEN_MAX_TRACKS ints
 * and receives the score track of each token track (-1: none). Muted tracks
 * count. n_bars covers the last note's onset... its end. */
enum midi_status piece_from_score(struct piece *p, const struct score *s,
                                  enum style style, int *track_map);
void piece_fini(struct piece *p);
/* Sorts into canonical order, drops exact duplicates. For hand-made pieces. */
void piece_sort(struct piece *p);

struct tokens {
    int32_t *id;
    int32_t *note; /* index into piece.notes of the note a token speaks of
                    * (its POSX POS TRACK VEL PITCH DURX DUR), -1 for the rest */
    size_t n;
};

/* with_eos false leaves the sequence open, for continuing. */
enum midi_status tokens_encode(struct tokens *t, const struct piece *p, bool with_eos);
void tokens_fini(struct tokens *t);

/* The exact inverse. Also reads windows that begin at any BAR after BOS STYLE.
 * MIDI_BAD_TOKEN: not a sequence that encode could have made. */
enum midi_status tokens_decode(struct piece *p, const int32_t *ids, size_t n);

/* "PITCH 60", "BAR", for messages and the inspector. Static buffer per call
 * site: buf holds at least 24 bytes; returns buf. */
const char *token_name(int32_t id, char *buf, size_t n_buf);

#endif
