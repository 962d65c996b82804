/* The lane under the roll: which values it shows, and putting others in their place. What
 * it is asked for acts on a stretch of time: the chosen span, else the cursor's grid cell.
 * Every edit is one change. UI thread only. */
#ifndef APP_LANE_H
#define APP_LANE_H

#include "app/editor/session/session.h"
#include "tui/view/lane.h"

/* The lane under the roll (act_lane.c). */
struct lane {
    struct control shown;
    struct lane_points *points; /* of that */
    bool has_anchor;            /* a span of it is chosen, to the cursor */
    int64_t anchor;
    bool is_tall; /* the layout is as MODE_LANE wants it */
    char label[96];
};

/* Ticks [from, to). */
struct lane_time {
    int64_t from, to;
};

/* What an edit acts on; *is_span: it was chosen, and is not only the cursor's cell. */
struct lane_time lane_time(const struct session *s, bool *is_span);

/* The track's values in that time, by tick: of a controller its own events, of velocities
 * the notes that begin there, or those of them that are selected if any is (in more than a
 * grid step: if several notes are). *out is the caller's, also when it is empty. false: out
 * of memory, which is said. */
bool lane_read(struct session *s, struct lane_time t, struct control_point **out,
               size_t *n);
/* Puts these in the place of what lane_read gives, as one step of history. Velocities: as
 * many as that gave, in its order. Values out of range are brought into it. false: it
 * could not be done, which is said. */
bool lane_write(struct session *s, struct lane_time t, struct control_point *points,
                size_t n);

/* The track's own events of the lane's controller, kept until the score changes. */
const struct control_point *lane_own(const struct session *s, size_t *n);
/* What holds at `tick`: of a controller; of velocities the loudest note that begins in the
 * grid cell there, or -1. */
int lane_held(const struct session *s, int64_t tick);

/* A pedal pressed here for `steps` of the grid (0: to the bar's end) or until it is pressed
 * again; lifted here, when it is down; or, where it is pressed here, not pressed. */
void lane_toggle_switch(struct session *s, int steps);

/* The lane is edited: also behind a prompt or the help. */
bool lane_is_entered(const struct session *s);
/* Says that the lane's values cannot be changed; false: they can. */
bool lane_refuses(struct session *s);

bool lane_escape(struct session *s); /* Escape; true: it took it */

#endif
