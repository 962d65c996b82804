/* Scales by name, and their pitch classes.
 *
 *   tonic [kind]     C, F# minor, B♭ dorian, d, Am, E melodic minor, chromatic
 *
 * A tonic alone means major, in lower case minor. Case, spaces, hyphens and underscores
 * in a kind do not matter. A mask is a set of pitch classes; bit 0 is C. It is never 0.
 * Plain data; pure functions, any thread. */
#ifndef MIDI_SCALE_H
#define MIDI_SCALE_H

#include <stdbool.h>
#include <stdint.h>

enum scale_kind {
    SCALE_MAJOR,
    SCALE_MINOR, /* natural */
    SCALE_HARMONIC_MINOR,
    SCALE_MELODIC_MINOR, /* ascending */
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

enum { SCALE_TEXT = 24 }; /* bytes for any name */

struct scale {
    char letter;    /* 'A'..'G' */
    int accidental; /* semitones: -1 flat, 0, 1 sharp */
    enum scale_kind kind;
};

/* Returns false, with *out unchanged, if no scale has this name. */
bool scale_parse(const char *text, struct scale *out);
/* Writes a name in ASCII that scale_parse reads back, such as "F# minor". Returns
 * `text`. */
const char *scale_format(const struct scale *s, char text[SCALE_TEXT]);

/* Moves *text past "#", "b" or their signs in Unicode, if one is there. Returns 1, -1
 * or 0 semitones. */
int scale_read_accidental(const char **text);
int scale_tonic(const struct scale *s); /* pitch class; 0 is C */
/* Returns the key signature, -7..7; flats are negative. It is that of the nearest major
 * or minor scale, or of the enharmonic equivalent if that has fewer accidentals. */
int scale_sharps(const struct scale *s);
uint16_t scale_mask(const struct scale *s);
/* Finds the first scale with these pitch classes, by kind and then from C up. Modes
 * share pitch classes: the mask of D dorian gives C major. Returns false if there is
 * none. */
bool scale_from_mask(uint16_t mask, struct scale *out);

/* Whether the pitch is in the scale. */

bool scale_has(uint16_t mask, int pitch);
/* Moves a pitch by steps of the scale; a negative number moves down. From between two
 * steps, the first move leads onto the scale. Returns -1 if the pitch would be out of
 * range. */
int scale_step(uint16_t mask, int pitch, int by);
/* Returns the pitch of the scale nearest to `pitch`; of two, the lower. */
int scale_nearest(uint16_t mask, int pitch);

/* Scale degrees. These two functions accept and return pitches outside 0..127. */

/* Returns the highest pitch of the scale that is not above `pitch`. */
int degree_floor(uint16_t mask, int pitch);
/* Moves a pitch by steps of the scale. A pitch outside the scale keeps its distance
 * from the step below it. */
int degree_move(uint16_t mask, int pitch, int steps);

#endif
