/* Loads a soundfont on a thread of its own, which may take a second, so that a synth that
 * sounds can be given it ready made. FluidSynth lets a font be moved from one synth to
 * another: it is loaded into one that nothing plays. One thread at a time, but is_done. */
#ifndef MIDI_FONT_LOADER_H
#define MIDI_FONT_LOADER_H

#include <fluidsynth.h>
#include <stdbool.h>

struct font_loader;

struct font_loader *font_loader_start(const char *path); /* NULL: memory or threads */
void font_loader_destroy(struct font_loader *l);         /* waits; NULL is fine */
const char *font_loader_path(const struct font_loader *l);

bool font_loader_is_done(const struct font_loader *l);
bool font_loader_is_bad(
    const struct font_loader *l); /* when done: it is no soundfont */
/* When done and not bad, once: the font in the place of the one with that id, or of none
 * where that is negative. Its id; what sounds by the other ends as it would. */
int font_loader_give(struct font_loader *l, fluid_synth_t *synth, int instead_of);

#endif
