/* The values that the lane under the roll shows, kept between frames, and the value of each
 * of its rows. UI thread only. */
#ifndef TUI_LANE_H
#define TUI_LANE_H

#include "midi/edit/controllers.h"
#include "tui/view/layout.h"

/* The events of one control on a track's channel, by tick: those of the track's own
 * chunk, and those of other chunks, which a format 1 file may hold as well. */
struct lane_points;

struct lane_points *lane_points_create(void); /* NULL: out of memory */
void lane_points_destroy(struct lane_points *p);
/* Reads the score again if `version`, its address, the track or the control changed.
 * track -1: none. false: out of memory, and the lane is empty. */
bool lane_points_update(struct lane_points *p, const struct score *s, uint64_t version,
                        int track, struct control k);
/* Borrowed until the next update; NULL where *n is 0. */
const struct control_point *lane_points_own(const struct lane_points *p, size_t *n);
const struct control_point *lane_points_other(const struct lane_points *p, size_t *n);

/* The value at a row of the lane: the middle of the row's range. Above the lane it is
 * the highest value, below it the lowest. A switch is on in the upper half. */
int lane_value_at(const struct layout *l, struct control k, int row);

#endif
