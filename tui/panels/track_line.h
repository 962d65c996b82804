/* The line of tracks at the foot of tall screens. Pure. */
#ifndef TUI_TRACK_LINE_H
#define TUI_TRACK_LINE_H

#include "tui/view/layout.h"

/* The track at a column of the line; -1: none. active: the edited track. */
int track_line_at(const struct layout *l, const struct score *s, int active,
                  int column);

#endif
