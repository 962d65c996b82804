/* Chords: by symbol, and those that a scale has.
 *
 *   symbol   [root] [kind] [/bass]   G7/B, Bbm7, C, sus4, m7, dim/Eb
 *
 * The root and the bass are a capital letter with # or b. Kinds: none or maj, m, dim (o),
 * aug (+), 5, sus2, sus4 (sus), 6, m6, 69, m69, 7, maj7 (M7), m7, mM7 (mmaj7), dim7 (o7),
 * m7b5, aug7 (+7), augM7, 7sus4, 7b5, add9, madd9, 9, maj9 (M9), m9, mM9, 9sus4, 7b9,
 * 7#9, 11, m11, maj7#11, 7#11, 13, maj13 (M13), m13. Pure functions, any thread. */
#ifndef MIDI_CHORD_H
#define MIDI_CHORD_H

#include <stdbool.h>
#include <stdint.h>

enum { CHORD_MOST = 8, CHORD_TEXT = 48 };

struct chord {
    int n;
    uint8_t pitches[CHORD_MOST]; /* rising */
};

/* Near a pitch: its lowest note is the nearest such, or the pitch itself where the symbol
 * has neither root nor bass. Notes above MIDI's highest are left out. false: no such
 * symbol. The text may be anything. */
bool chord_parse(const char *symbol, int pitch, struct chord *out);

/* n notes, every second of the scale (its pitch classes, never 0) from the pitch up: 3
 * are a triad, 4 a seventh. On a pitch outside the scale: what the scale has a third, a
 * fifth and so on above it. n is 1..7. */
struct chord chord_in_scale(uint16_t mask, int pitch, int n);

/* "Dm7", "G7/B"; of a chord without a name its notes, "C D E". buf is returned. */
const char *chord_name(const struct chord *c, bool flats, char buf[CHORD_TEXT]);

#endif
