/* A piece: a score on a grid of 24 steps a quarter, which is all the model
 * ever hears of it.
 *
 * A piece is canonical when its notes strictly ascend by (step, track, pitch,
 * length, velocity), every onset lies in a spoken bar, and no meter is said
 * that would have held anyway. A track with notes is declared: it has a family. The
 * notes of a drum track are hits: keys HIT_FIRST and up, HIT_COUNT of them, HIT_STEPS
 * long, one of a key at a step. Chords strictly ascend inside the spoken bars, each
 * unlike the one before. Bars follow from the meters: each meter starts
 * a bar, bars of meter_steps follow without a gap, and a meter that comes
 * sooner cuts the bar before it short. Canonical pieces and token sequences
 * (midi/tokens/tokens.h) are exact inverses; the only loss is piece_from_score.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef MIDI_PIECE_H
#define MIDI_PIECE_H

#include "midi/score/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STEPS_PER_QUARTER = 24,
    TOKEN_RADIX = 96,
    TOKEN_MAX_TRACKS = 64,
    TOKEN_VELOCITIES = 32,
    TOKEN_MAX_NUMERATOR = 64,
    TOKEN_MAX_BARS = 1 << 20,
    TOKEN_MAX_STEPS = 1 << 24, /* four days at 120; no note ends later */
};

enum style {
    STYLE_ANY = 0, /* not known: also a share of training sequences */
    STYLE_CHORALE,
    STYLE_PIANO,
    STYLE_SONG, /* voice and piano */
    STYLE_QUARTET,
    STYLE_FOLK, /* dance tunes of one line */
    STYLE_HYMN,
    STYLE_LEADSHEET, /* a melody and block chords */
    STYLE_ENSEMBLE,  /* choirs, church music, chamber music */
    STYLE_ORCHESTRA,
    STYLE_BAND, /* rock and metal with drums */
    STYLE_DRUMS,
    STYLE_COUNT, /* up to 16 without changing the vocabulary */
};

/* What plays a track: one of General MIDI's 16 families (MMA RP-003: program / 8), or a
 * drum kit, whose notes are hits. */
enum {
    FAMILY_DRUMS = 16,
    FAMILY_COUNT,
    FAMILY_NONE = 255, /* the track is not declared and has no notes */
    HIT_FIRST = 35,    /* the percussion of General MIDI level 1: keys 35 to 81 */
    HIT_COUNT = 47,
    HIT_STEPS = 1, /* a hit's length, whatever the file says */
};

struct grid_note {
    int32_t step, length;           /* step >= 0, length >= 1 */
    uint8_t track, pitch, velocity; /* velocity: level 0..31 */
    uint64_t id;                    /* of the score's note, 0 if none; not encoded */
};

struct grid_meter {
    int32_t step; /* a bar line */
    int16_t numerator, denominator;
};

/* A chord symbol, in force until the next. */
struct grid_chord {
    int32_t step;
    uint8_t root;    /* pitch class; CHORD_NO_ROOT: no chord */
    uint8_t quality; /* enum chord_quality */
    uint8_t bass;    /* pitch class, the root when there is no other */
};
enum chord_quality {
    CHORD_MAJOR,
    CHORD_MINOR,
    CHORD_DIMINISHED,
    CHORD_AUGMENTED,
    CHORD_DOMINANT7,
    CHORD_MAJOR7,
    CHORD_MINOR7,
    CHORD_HALF_DIMINISHED7,
    CHORD_DIMINISHED7,
    CHORD_SUSPENDED4,
    CHORD_QUALITIES,
    CHORD_NO_ROOT = 12,
};

struct piece {
    enum style style;
    uint8_t families[TOKEN_MAX_TRACKS]; /* of the declared tracks; FAMILY_NONE */
    struct grid_note *notes;            /* canonical order */
    size_t n_notes;
    struct grid_chord *chords; /* ascending, each unlike the one before */
    size_t n_chords;
    struct grid_meter *meters; /* ascending; the first at step 0 */
    size_t n_meters;
    int32_t n_bars; /* bars spoken, also empty ones at the end */
};

/* What a track of a score is declared as. */
uint8_t piece_family(const struct track *t);

/* Empty: nothing is declared. */
void piece_init(struct piece *p, enum style style);
/* Bit t: track t is declared; or, of them, is a drum kit. */
uint64_t piece_declared(const struct piece *p);
uint64_t piece_drums(const struct piece *p);
static inline bool piece_is_hit(const struct piece *p, const struct grid_note *n)
{
    return p->families[n->track] == FAMILY_DRUMS;
}
static inline bool is_hit_key(int key)
{
    return key >= HIT_FIRST && key < HIT_FIRST + HIT_COUNT;
}
/* What a canonical piece may have on its tracks; a that comes before b, in order, without
 * saying the same hit twice. */
bool piece_note_valid(const struct piece *p, const struct grid_note *n);
bool piece_notes_ascend(const struct piece *p, const struct grid_note *a,
                        const struct grid_note *b);
/* The same harmony, wherever. */
bool grid_chord_equal(const struct grid_chord *a, const struct grid_chord *b);

/* Steps <-> ticks, to nearest; exact wherever 24 divides the quarter. Neither
 * may be negative; what would overflow is INT64_MAX. */
int64_t step_from_tick(int64_t tick, int ticks_per_quarter);
int64_t tick_from_step(int64_t step, int ticks_per_quarter);
int velocity_level(int velocity);   /* 1..127 -> 0..31 */
int velocity_from_level(int level); /* the middle of the level; 1..127 */

/* Length in steps of a full bar of this meter, at least 1. */
int32_t meter_steps(int numerator, int denominator);

/* Negative, zero or positive, in canonical order; ids are not looked at. */
int grid_note_compare(const struct grid_note *a, const struct grid_note *b);

/* Tracks with notes that are not muted are numbered from 0 in their order in the score;
 * past the 64th they are left out, as are drum keys that General MIDI level 1 has no
 * sound for. track_map, if not NULL, holds TOKEN_MAX_TRACKS ints and receives the score
 * track of each token track (-1: none). No chords are known. n_bars reaches to the last note's end and is 1 for an empty score.
 * MIDI_TOO_LONG: a note ends past TOKEN_MAX_STEPS or TOKEN_MAX_BARS. */
enum midi_status piece_from_score(struct piece *p, const struct score *s,
                                  enum style style, int *track_map);
/* The same, with the bars and meters up to this step, at least. */
enum midi_status piece_from_score_to(struct piece *p, const struct score *s,
                                     enum style style, int *track_map, int64_t step);

/* The bars [first_bar, first_bar + n_bars), as far as they exist, as a piece
 * of its own: notes that begin in them, at their full length, steps counted
 * from the first; the meter and the chord in force are said again. Tracks without
 * notes there are not declared. Notes sounding across the left edge are left out. A cut
 * bar that comes last loses its cut. */
enum midi_status piece_window(struct piece *out, const struct piece *p,
                              int32_t first_bar, int32_t n_bars);
void piece_fini(struct piece *p);
/* Index of the first note at or after a step; n_notes: none. */
size_t piece_note_at(const struct piece *p, int64_t step);

/* Sorts notes, chords and meters into canonical order, drops exact duplicates, chords
 * and meters that say nothing new, and all but the loudest hit of a key at a step; hits
 * get their length. For hand-made pieces. */
void piece_sort(struct piece *p);

/* MIDI_OK when canonical; else MIDI_BAD_TOKEN, or MIDI_TOO_LONG for a piece
 * past the limits above. */
enum midi_status piece_check(const struct piece *p);

/* First step of a bar; bars past the last meter go on in it for ever, so
 * piece_bar_start(p, p->n_bars) is where the piece ends. Linear in n_meters. */
int64_t piece_bar_start(const struct piece *p, int32_t bar);
/* The bar a step lies in. */
int64_t piece_bar_at(const struct piece *p, int64_t step);
/* All at once: starts holds n_bars + 1 and the last is the piece's end. */
void piece_bar_starts(const struct piece *p, int32_t *starts);

#endif
