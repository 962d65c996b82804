/* The line of tracks at the foot of tall screens: which of them a cell is of. Pure. */
#ifndef TUI_TRACK_LINE_H
#define TUI_TRACK_LINE_H

#include "tui/view/layout.h"

/* The track at this column of layout.tracks; -1: none. `active` is the edited one. */
int track_line_at(const struct layout *l, const struct score *s, int active,
                  int column);

/* "MS" and so on: what is on of mute, solo, arm and hide; buf is returned. */
const char *track_marks(const struct track *t, char buf[16]);

#endif
