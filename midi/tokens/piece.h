/* A piece: a score on a grid of 24 steps a quarter, the form that models read.
 *
 * A piece is canonical if all of this holds. Notes strictly ascend by (step, track,
 * pitch, length, velocity), and each begins in a bar. A track with notes is declared,
 * which means that it has a family. The notes of a drum track are hits: keys HIT_FIRST
 * and up, HIT_COUNT of them, HIT_STEPS long, each key once a step. Chords strictly
 * ascend, lie in the bars, and differ from the one before. No meter repeats the one in
 * force.
 *
 * Bars follow from the meters. Each meter starts a bar; bars of meter_steps follow
 * without a gap; and a meter that comes sooner cuts the bar before it. Canonical pieces
 * and token sequences (midi/tokens/tokens.h) are exact inverses. Only piece_from_score
 * loses something.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef MIDI_PIECE_H
#define MIDI_PIECE_H

#include "midi/score/score.h"
#include "midi/tokens/gate.h"

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
    TOKEN_MAX_STEPS = 1 << 24, /* four days at 120 a minute; no note ends later */
};

enum style {
    STYLE_ANY = 0, /* unknown; some training sequences use it */
    STYLE_CHORALE,
    STYLE_PIANO,
    STYLE_SONG, /* voice and piano */
    STYLE_QUARTET,
    STYLE_FOLK, /* dance tunes, one line */
    STYLE_HYMN,
    STYLE_LEADSHEET, /* a melody and block chords */
    STYLE_ENSEMBLE,  /* choirs, church music, chamber music */
    STYLE_ORCHESTRA,
    STYLE_BAND, /* rock and metal with drums */
    STYLE_DRUMS,
    STYLE_POP,
    STYLE_JAZZ,
    STYLE_BLUES,
    STYLE_LATIN,
    STYLE_COUNT, /* the vocabulary has room for 16 */
};

/* What plays a track: one of General MIDI's 16 families (MMA RP-003: program / 8), or a
 * drum kit, whose notes are hits. */
enum {
    FAMILY_DRUMS = 16,
    FAMILY_COUNT,
    FAMILY_NONE = 255, /* not declared, without notes */
    HIT_FIRST = 35,    /* lowest key; General MIDI level 1 has 35 to 81 */
    HIT_COUNT = 47,
    HIT_STEPS = 1, /* length of a hit, whatever the file has */
};

struct grid_note {
    int32_t step, length;           /* step >= 0, length >= 1 */
    uint8_t track, pitch, velocity; /* velocity: a level, 0..31 */
    uint64_t id;                    /* id of the score's note; 0: none. Not encoded */
};

struct grid_meter {
    int32_t step; /* a bar line */
    int16_t numerator, denominator;
};

/* A chord symbol, in force until the next one. */
struct grid_chord {
    int32_t step;
    uint8_t root;    /* pitch class; CHORD_NO_ROOT: no chord */
    uint8_t quality; /* enum chord_quality */
    uint8_t bass;    /* pitch class; the root if no other is given */
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
    uint8_t families[TOKEN_MAX_TRACKS]; /* of the declared tracks; else FAMILY_NONE */
    struct grid_note *notes;            /* in canonical order */
    size_t n_notes;
    struct grid_chord *chords; /* ascending, each different from the one before */
    size_t n_chords;
    struct grid_meter *meters; /* ascending; the first at step 0 */
    size_t n_meters;
    int32_t n_bars; /* all bars, also empty ones at the end */
    bool resumes;   /* other bars came before, so the music does not begin here */
};

/* Returns the family of a score's track. */
uint8_t piece_family(const struct track *t);
/* Returns the gate without which the ends of the track's notes are read. Drums have
 * none. */
struct gate piece_gate(const struct track *t, int ticks_per_quarter);

/* init makes an empty piece that declares nothing. alloc also makes room for so many
 * notes, chords and meters, and one more of each; on failure the piece has none. */
void piece_init(struct piece *p, enum style style);
enum midi_status piece_alloc(struct piece *p, enum style style, size_t n_notes,
                             size_t n_chords, size_t n_meters);
/* Sets of tracks, bit t: track t. declared: those with a family; drums: those of them
 * that are drums. */
uint64_t piece_declared(const struct piece *p);
uint64_t piece_drums(const struct piece *p);
uint64_t piece_tracks(const struct piece *p); /* those with notes */
static inline bool piece_is_hit(const struct piece *p, const struct grid_note *n)
{
    return p->families[n->track] == FAMILY_DRUMS;
}
static inline bool is_hit_key(int key)
{
    return key >= HIT_FIRST && key < HIT_FIRST + HIT_COUNT;
}
/* Whether both notes begin together on one track. */
static inline bool grid_notes_are_chord(const struct grid_note *a,
                                        const struct grid_note *b)
{
    return a->step == b->step && a->track == b->track;
}
/* Whether a canonical piece may have this note; and whether b may follow a, that is,
 * comes later in the order and is not the same hit. */
bool piece_note_valid(const struct piece *p, const struct grid_note *n);
bool piece_notes_ascend(const struct piece *p, const struct grid_note *a,
                        const struct grid_note *b);
/* Ignores the step. */
bool grid_chord_equal(const struct grid_chord *a, const struct grid_chord *b);
/* Whether the chords strictly ascend in [from, to), each different from the one
 * before. */
bool piece_chords_canonical(const struct piece *p, int64_t from, int64_t to);

/* Steps to ticks and back, to nearest; exact if 24 divides the quarter. Arguments are
 * not negative. INT64_MAX: overflow. */
int64_t step_from_tick(int64_t tick, int ticks_per_quarter);
int64_t tick_from_step(int64_t step, int ticks_per_quarter);
int velocity_level(int velocity);   /* 1..127 -> 0..31 */
int velocity_from_level(int level); /* the middle of the level, 1..127 */

/* Returns the steps of a full bar of this meter, at least 1. */
int32_t meter_steps(int numerator, int denominator);

/* Compares two struct grid_note in canonical order, for qsort. Ignores ids. */
int grid_note_compare(const void *a, const void *b);

/* Makes a piece, without chords, of a score. Numbers the tracks that have notes and are
 * not muted from 0, in score order. Leaves out tracks past the 64th, and drum keys
 * without a General MIDI level 1 sound. A kit that is split over tracks
 * (score_split_kit) becomes one token track, its first. Ends are read without the gates
 * of tracks (midi/tokens/gate.h).
 *
 * track_map is NULL, or receives the score track of each of TOKEN_MAX_TRACKS token
 * tracks (-1: none). n_bars reaches to the end of the last note and to `step`, and is
 * at least 1. MIDI_TOO_LONG: a note ends past TOKEN_MAX_STEPS or TOKEN_MAX_BARS. */
enum midi_status piece_from_score(struct piece *p, const struct score *s,
                                  enum style style, int *track_map, int64_t step);
/* The same; the tracks of the score with a bit in `named` have a number without notes, too. */
enum midi_status piece_from_tracks(struct piece *p, const struct score *s,
                                   enum style style, int *track_map, int64_t step,
                                   uint64_t named);

/* Makes a piece of the bars [first_bar, first_bar + n_bars), as far as they exist. It
 * has the notes that begin in these bars, uncut, with steps from its first bar, and not
 * those that begin before. The meter and the chord in force are repeated. Tracks
 * without notes are not declared. A cut bar at the end becomes whole. It resumes if
 * first_bar is not the first. */
enum midi_status piece_window(struct piece *out, const struct piece *p,
                              int32_t first_bar, int32_t n_bars);
void piece_fini(struct piece *p);
/* Returns the index of the first note at or after a step, or n_notes. */
size_t piece_note_at(const struct piece *p, int64_t step);

/* Makes a piece canonical that was made by hand: sorts notes, chords and meters, drops
 * duplicates and repeated chords and meters, keeps the loudest of equal hits, and sets
 * the lengths of hits. */
void piece_sort(struct piece *p);

/* MIDI_OK: canonical. MIDI_BAD_TOKEN: not canonical. MIDI_TOO_LONG: past the limits
 * above. */
enum midi_status piece_check(const struct piece *p);

/* Returns the first step of a bar. Bars go on past the end in the last meter, so
 * piece_bar_start(p, p->n_bars) is the end of the piece. Takes time in proportion to
 * n_meters. */
int64_t piece_bar_start(const struct piece *p, int64_t bar);
/* Returns the bar that holds a step. */
int64_t piece_bar_at(const struct piece *p, int64_t step);
/* Writes the starts of all bars to starts[n_bars + 1]; the last entry is the end of the
 * piece. */
void piece_bar_starts(const struct piece *p, int32_t *starts);

#endif
