/* Whether the notes lie on the grid of the score's beats. Music that was played without
 * a click, or to another tempo than the file's, does not: its bars mean nothing until
 * it is laid on them (midi/edit/tempo_fit.h). Music that swings, or is a little out of
 * time, does lie on the grid. Pure function, any thread. */
#ifndef MIDI_OFF_GRID_H
#define MIDI_OFF_GRID_H

#include "midi/score/score.h"

/* Returns false also if there are too few notes to tell, or if the file counts frames
 * (SMPTE). */
bool score_is_off_grid(const struct score *s);

#endif
