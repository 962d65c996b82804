/* Names of the General MIDI level 1 instruments and drums (MMA RP-003) and of the
 * level 2 drum kits (RP-024), and a search by a few letters. Static text; pure
 * functions. */
#ifndef MIDI_GENERAL_MIDI_H
#define MIDI_GENERAL_MIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GM_PROGRAMS = 128, GM_DRUM_CHANNEL = 9, GM_KICK = 36 };

/* "Acoustic Grand Piano" for 0; "" when out of range. */
const char *gm_program_name(int program);
/* Drum kits: "Standard Kit" for 0; "" for none. */
const char *gm_kit_name(int program);
/* "Bass Drum 1" for key 36; "" for keys without a drum. */
const char *gm_drum_name(int pitch);

/* Returns the lowest and the highest key of a program's instrument: the usual
 * orchestral ranges (Adler, The Study of Orchestration); for keyboards and
 * synthesizers those of GM sound sets. false: no such program. */
bool gm_program_range(int program, int *low, int *high);

/* Returns the program of a voice that has to reach down to this pitch: the program itself, or the
 * next of its family below it, as a viola or a cello of a violin. Keyboards, guitars and others of
 * one size stay as they are. */
int gm_program_reaching(int program, int pitch);

/* Finds the programs whose names match the words, best first. Writes at most `most` into
 * `found` and returns their number. The letters of a word match the beginning of a word of
 * the name, or of several in turn ("epia": Electric Piano), or a part of it, or at least
 * its letters in order; words may come in any order. Common names are found too ("e-piano",
 * "saxophone"). A number is a program, counted from 1. No words match all. Case does not
 * matter. is_drums: searches the kits. */
size_t gm_find(const char *words, bool is_drums, uint8_t *found, size_t most);

/* Whether a track's name names an instrument: "Bass", "2nd Violin", "e-piano (left)". It has
 * to have the instrument's noun, whole: "Soprano" is no saxophone. */
bool gm_named(const char *name, uint8_t *program);

#endif
