/* The lane under the roll: the values it shows, and edits of them. An edit acts on a
 * stretch of time: the chosen span, else the cursor's grid cell. Every edit is one
 * change. UI thread only. */
#ifndef APP_LANE_H
#define APP_LANE_H

#include "app/editor/session/edit.h"

/* The lane under the roll. */
struct lane {
    bool has_anchor; /* a span is chosen, from `anchor` to the cursor */
    int64_t anchor;
    char label[96];
};

/* The track's values in that time, by tick. A controller gives its own events.
 * Velocities give the notes that begin there: only the selected ones if any is (in more
 * than a grid step: if several notes are). The caller owns *out, also when it is empty.
 * false: out of memory, and the user was told. */
bool lane_read(struct session *s, struct edit_span t, struct control_point **out,
               size_t *n);
/* Replaces the values that lane_read gives, as one step of history. Velocities: as many
 * as it gave, in its order. Values out of range are clamped. false: it failed, and the
 * user was told. */
bool lane_write(struct session *s, struct edit_span t, struct control_point *points,
                size_t n);

/* The track's own events of the lane's controller; valid until the score changes. */
const struct control_point *lane_own(const struct session *s, size_t *n);

bool lane_is_of_notes(const struct session *s); /* it shows velocities */

#endif
