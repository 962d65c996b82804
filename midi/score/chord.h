/* Chords by symbol, and the chords of a scale.
 *
 *   symbol   [root] [kind] [/bass]   G7/B, Bbm7, C, sus4, m7, dim/Eb
 *
 * The root and the bass are a capital letter with # or b. Kinds: none or maj, m, dim
 * (o), aug (+), 5, sus2, sus4 (sus), 6, m6, 69, m69, 7, maj7 (M7), m7, mM7 (mmaj7),
 * dim7 (o7), m7b5, aug7 (+7), augM7, 7sus4, 7b5, add9, madd9, 9, maj9 (M9), m9, mM9,
 * 9sus4, 7b9, 7#9, 11, m11, maj7#11, 7#11, 13, maj13 (M13), m13. Pure functions, any
 * thread. */
#ifndef MIDI_CHORD_H
#define MIDI_CHORD_H

#include <stdbool.h>
#include <stdint.h>

enum { CHORD_MOST = 8, CHORD_TEXT = 48 };

struct chord {
    int n;
    uint8_t pitches[CHORD_MOST]; /* ascending */
};

/* Places the chord near `pitch`: its lowest note is the nearest of its class, or
 * `pitch` itself if the symbol has neither root nor bass. Leaves out notes above
 * 127. false: `symbol` is no chord symbol. */
bool chord_parse(const char *symbol, int pitch, struct chord *out);

/* A chord symbol and the tick where it begins; in force until the next. */
struct chord_mark {
    int64_t tick;
    char symbol[CHORD_TEXT];
};

/* The meaning of a symbol with a root. Bit 0 of `classes` is C. "N.C." is no chord: its
 * root and bass are 12, and it has no classes. */
struct chord_symbol {
    uint8_t root, bass; /* pitch classes; the root if the symbol has no other bass */
    uint16_t classes;   /* of all notes, the bass too */
};
/* false: not a symbol, or one without a root; *out is undefined. */
bool chord_symbol_read(const char *symbol, struct chord_symbol *out);

/* "Eb" or "D#"; class: 0..11. */
const char *chord_class_name(int class, bool flats);

/* Returns n notes (1..7): every second note of the scale, from `pitch` up. 3 are a
 * triad, 4 a seventh chord. mask holds the scale's pitch classes and is never 0. For
 * a pitch outside the scale: the scale's third, fifth and so on above it. */
struct chord chord_in_scale(uint16_t mask, int pitch, int n);

/* Returns buf: "Dm7", "G7/B"; the notes of a chord without a name, "C D E". */
const char *chord_name(const struct chord *c, bool flats, char buf[CHORD_TEXT]);

#endif
