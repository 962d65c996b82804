/* Loads a soundfont on a thread of its own, since that may take a second, and hands it
 * to a synth that plays. FluidSynth can move a font between synths, so the font is
 * loaded into one that plays nothing. One thread at a time, except for is_done. */
#ifndef MIDI_FONT_LOADER_H
#define MIDI_FONT_LOADER_H

#include <fluidsynth.h>
#include <stdbool.h>

struct font_loader;

struct font_loader *
font_loader_start(const char *path);             /* NULL: out of memory or threads */
void font_loader_destroy(struct font_loader *l); /* waits; NULL is fine */
const char *font_loader_path(const struct font_loader *l);

bool font_loader_is_done(const struct font_loader *l);
bool font_loader_is_bad(const struct font_loader *l); /* once done: not a soundfont */
/* Gives the font to `synth`, instead of the one with the id `instead_of` (negative:
 * none). Call it once, when the loader is done and the font is good. Returns the font's
 * id. Notes of the old font finish. */
int font_loader_give(struct font_loader *l, fluid_synth_t *synth, int instead_of);

#endif
