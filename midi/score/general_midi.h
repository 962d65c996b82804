/* Names and ranges of the General MIDI instruments, drums (level 1, MMA RP-003) and
 * drum kits (level 2, RP-024), and a search by name. Static text; pure functions. */
#ifndef MIDI_GENERAL_MIDI_H
#define MIDI_GENERAL_MIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GM_PROGRAMS = 128, GM_DRUM_CHANNEL = 9, GM_KICK = 36 };

/* Returns "Acoustic Grand Piano" for 0, or "" for a number out of range. */
const char *gm_program_name(int program);
/* Returns the name of a drum kit, "Standard Kit" for 0, or "" if no kit has the
 * number. */
const char *gm_kit_name(int program);
/* Returns "Bass Drum 1" for key 36, or "" for a key without a drum. */
const char *gm_drum_name(int pitch);

/* Sets *low and *high to the lowest and the highest key of a program: the usual
 * orchestral ranges (Adler, The Study of Orchestration), or for keyboards and
 * synthesizers those of General MIDI sound sets. Returns false if there is no such
 * program. */
bool gm_program_range(int program, int *low, int *high);

/* Returns a program for a voice that reaches down to `pitch`. That is the program
 * itself, or the next lower instrument of its family: for a violin a viola or a cello.
 * Programs without such a family, as keyboards and guitars, stay as they are. */
int gm_program_reaching(int program, int pitch);

/* Finds the programs whose names match the words, best first. Writes at most `most` of
 * them to `found` and returns their number.
 *
 * Words may come in any order, and case does not matter. The letters of a word match
 * the beginning of a word of the name, or of several words in turn ("epia": Electric
 * Piano), or a part of the name, or letters of the name in order. Common names are
 * found, too ("e-piano", "saxophone"). A number is a program, counted from 1. Without
 * words all programs match. is_drums: searches the drum kits instead. */
size_t gm_find(const char *words, bool is_drums, uint8_t *found, size_t most);

/* Whether the name of a track names an instrument: "Bass", "2nd Violin", "e-piano
 * (left)". The name must contain the whole noun of the instrument's name, so "Soprano"
 * is no saxophone. *program receives the instrument. */
bool gm_named(const char *name, uint8_t *program);

#endif
