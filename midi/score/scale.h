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

#endif
