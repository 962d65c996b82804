/* Chords by symbol, and chords built on a scale.
 *
 *   symbol   [root] [kind] [/bass]   G7/B, Bbm7, C, sus4, m7, dim/Eb
 *
 * The root and the bass are a capital letter, with # or b. Kinds, with other names in
 * brackets: none (maj, M), m (min), dim (o), aug (+), 5, sus2, sus4 (sus), 6, m6, 69,
 * m69, 7, maj7 (M7), m7 (min7), mM7 (mmaj7), dim7 (o7), m7b5, aug7 (+7), augM7, 7sus4,
 * 7b5, add9, madd9, 9, maj9 (M9), m9, mM9, 9sus4, 7b9, 7#9, m7b9, m7b5b9, 11, m11,
 * maj7#11, 7#11, 13, maj13 (M13), m13. Pure functions, any thread. */
#ifndef MIDI_CHORD_H
#define MIDI_CHORD_H

#include <stdbool.h>
#include <stdint.h>

enum { CHORD_MOST = 8, CHORD_TEXT = 48 };

struct chord {
    int n;
    uint8_t pitches[CHORD_MOST]; /* ascending */
};

/* Places the chord near `pitch`: its lowest note is the nearest of its class. If the
 * symbol has neither root nor bass, the root is `pitch` itself. Notes above 127 are
 * left out. Returns false if `symbol` is no chord symbol. */
bool chord_parse(const char *symbol, int pitch, struct chord *out);

/* A chord symbol and the tick where it begins. It is in force until the next one. */
struct chord_mark {
    int64_t tick;
    char symbol[CHORD_TEXT];
};

/* What a symbol with a root means. Bit 0 of `classes` is C. "N.C." means no chord: its
 * root and bass are 12, and `classes` is 0. */
struct chord_symbol {
    uint8_t root, bass; /* pitch classes; if only the root is named, both are it */
    uint16_t classes;   /* of all notes, with the bass */
};
/* Returns false, with *out undefined, if `symbol` is no symbol or has no root. */
bool chord_symbol_read(const char *symbol, struct chord_symbol *out);

/* Returns "Eb" or "D#" for a pitch class 0..11. */
const char *chord_class_name(int class, bool flats);

/* Returns the chord of n notes (1..7) that takes every second note of the scale from
 * `pitch` up: n = 3 is a triad, 4 a seventh chord. mask has the scale's pitch classes
 * and is never 0. Above a pitch outside the scale come the third, fifth and so on of
 * the scale. */
struct chord chord_in_scale(uint16_t mask, int pitch, int n);

/* Returns buf with "Dm7" or "G7/B", or with the names of the notes ("C D E") if the
 * chord has no name. */
const char *chord_name(const struct chord *c, bool flats, char buf[CHORD_TEXT]);

#endif
