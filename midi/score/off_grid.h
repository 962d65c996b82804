/* Whether the notes lie on the grid of the score's beats. Music that was played without a
 * click, or to another tempo than the file's, does not: its bars mean nothing until it
 * is laid on them (midi/edit/tempo_fit.h). Playing that swings or is not quite in time
 * lies on the grid. Pure function, any thread. */
#ifndef MIDI_OFF_GRID_H
#define MIDI_OFF_GRID_H

#include "midi/score/score.h"

/* false: also if there are too few notes to tell, or the file counts frames (SMPTE). */
bool score_is_off_grid(const struct score *s);

#endif
