/* The lane under the roll: the values it shows, kept between frames, and which value a
 * row of it stands for. Internal to tui/ and app/. UI thread only. */
#ifndef TUI_LANE_H
#define TUI_LANE_H

#include "midi/edit/controllers.h"
#include "tui/view/layout.h"

/* The events of one control on a track's channel: its own, and those of other chunks,
 * which a format 1 file may hold as well. By tick. */
struct lane_points;

struct lane_points *lane_points_create(void); /* NULL: out of memory */
void lane_points_destroy(struct lane_points *p);
/* Reads the score when `version`, its address, the track or the control differ from the
 * last time. track -1: there is none. false: out of memory; it is then empty. */
bool lane_points_update(struct lane_points *p, const struct score *s, uint64_t version,
                        int track, struct control k);
/* Borrowed until the next update; NULL where *n is 0. */
const struct control_point *lane_points_own(const struct lane_points *p, size_t *n);
const struct control_point *lane_points_other(const struct lane_points *p, size_t *n);

/* The value a row of the lane stands for: the middle of the row's share; above the lane
 * the most, below it the least. What is switched is on in the upper half. */
int lane_value_at(const struct layout *l, struct control k, int row);

enum { CONTROL_NAME_BYTES = 32 };
/* "sustain pedal", "controller 22"; and as the lane's margin has room for: "ped". buf is
 * returned. */
const char *control_name(struct control k, char buf[CONTROL_NAME_BYTES]);
const char *control_short_name(struct control k, char buf[CONTROL_NAME_BYTES]);
/* "down", "L 12", "+300", "96". buf is returned. */
const char *control_value_name(struct control k, int value,
                               char buf[CONTROL_NAME_BYTES]);
/* What a word names: a name, the beginning of one, or a controller's number. */
bool control_find(const char *word, struct control *out);

#endif
