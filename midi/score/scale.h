/* Scales by name, and the pitch classes they have: what "F# minor" allows a note to be.
 *
 *   tonic [kind]     C, F# minor, B♭ dorian, d, Am, E melodic minor, chromatic
 *
 * A tonic alone is major, in lower case minor. Kinds are read in any case, with or
 * without spaces, hyphens and underscores. Plain data; pure functions, any thread. */
#ifndef MIDI_SCALE_H
#define MIDI_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scale_kind {
    SCALE_MAJOR,
    SCALE_MINOR, /* natural */
    SCALE_HARMONIC_MINOR,
    SCALE_MELODIC_MINOR, /* as it rises */
    SCALE_DORIAN,
    SCALE_PHRYGIAN,
    SCALE_LYDIAN,
    SCALE_MIXOLYDIAN,
    SCALE_LOCRIAN,
    SCALE_MAJOR_PENTATONIC,
    SCALE_MINOR_PENTATONIC,
    SCALE_BLUES,
    SCALE_WHOLE_TONE,
    SCALE_CHROMATIC,
    N_SCALE_KINDS,
};

enum { SCALE_TEXT = 24 }; /* bytes that hold every name */

struct scale {
    char letter;    /* 'A'..'G' */
    int accidental; /* semitones: -1 flat, 0, 1 sharp */
    enum scale_kind kind;
};

/* false: not the name of a scale, and nothing changed. The text may be anything. */
bool scale_parse(const char *text, struct scale *out);
/* "F# minor", in ASCII, which scale_parse reads back; `text` is returned. */
const char *scale_format(const struct scale *s, char text[SCALE_TEXT]);

int scale_tonic(const struct scale *s); /* its pitch class; 0 is C */
/* The signature it is written with, -7..7, flats negative: that of the major or minor
 * scale which it is nearest to. Where that has more, of its enharmonic twin. */
int scale_sharps(const struct scale *s);
/* Bit 0 is C, as in struct hole; never 0. */
uint16_t scale_mask(const struct scale *s);
/* The first scale with just these pitch classes, by kind and then from C up. The modes
 * share theirs, so that of D dorian gives C major. false: none. */
bool scale_from_mask(uint16_t mask, struct scale *out);

/* Going by the steps of a scale, told by its pitch classes (scale_mask, midi/score/scale.h).
 * Pitches are 0..127; mask is never 0. Pure functions, any thread. */

bool scale_has(uint16_t mask, int pitch);
/* So many steps up, or down where `by` is negative. From between two steps the first of
 * them leads onto the scale. -1: there is no such pitch. */
int scale_step(uint16_t mask, int pitch, int by);
/* Of two as near, the lower. */
int scale_nearest(uint16_t mask, int pitch);

/* Moving by steps of a scale (as midi/score/scale.h does), but so that what is outside it
 * stays so. The scale is given by its pitch classes (scale_mask of midi/score/scale.h; never 0).
 * Pitches may be any numbers, also beyond MIDI's. Pure functions, any thread. */

/* The highest pitch of the scale that is not above this one. */
int degree_floor(uint16_t mask, int pitch);
/* So many steps up, or down; a pitch outside the scale stays as far above the step below
 * it as it was. */
int degree_move(uint16_t mask, int pitch, int steps);

#endif
