/* Loads a soundfont on a thread of its own, which may take a second, so that a
 * playing synth gets it ready. FluidSynth can move a font between synths: it is
 * loaded into one that plays nothing. One thread at a time, except is_done. */
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
bool font_loader_is_bad(const struct font_loader *l); /* when done: not a soundfont */
/* Once, when done and not bad: gives `synth` the font instead of the one with that
 * id, or of none if it is negative. Returns its id; notes of the old font finish. */
int font_loader_give(struct font_loader *l, fluid_synth_t *synth, int instead_of);

#endif
