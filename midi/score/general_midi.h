/* What General MIDI level 1 (MMA RP-003) calls its instruments and drums, and finding
 * an instrument by a few letters of its name. Kits are those of level 2 (RP-024), whose
 * first is level 1's. Static text; pure functions. */
#ifndef MIDI_GENERAL_MIDI_H
#define MIDI_GENERAL_MIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GM_PROGRAMS = 128, GM_DRUM_CHANNEL = 9 };

/* "Acoustic Grand Piano" for 0; "" when out of range. */
const char *gm_program_name(int program);
/* What a kit of the drum channel is called: "Standard Kit" for 0; "" for none. */
const char *gm_kit_name(int program);
/* "Bass Drum 1" for key 36; "" for keys without a drum. */
const char *gm_drum_name(int pitch);

/* The lowest and the highest key that a program's instrument sounds: orchestration's usual
 * ranges (Adler, The Study of Orchestration), for keyboards and synthesizers what GM sound
 * sets have. false: no such program. */
bool gm_program_range(int program, int *low, int *high);

/* The programs whose names the words fit, best first, at most `most` of them into
 * `found`; how many. Each word's letters begin a word of the name, or several in turn
 * ("epia" is Electric Piano), or stand in it, or at least come in this order. A number
 * is a program, counted from 1. No words: all, in their order. Capitals do not count.
 * With is_drums, the kits. */
size_t gm_find(const char *words, bool is_drums, uint8_t *found, size_t most);

#endif
