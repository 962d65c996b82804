/* The notes that are selected: a box from an anchor to the cursor, whole bars, or any. The ids
 * stay selected after the box is gone, until Escape. UI thread only. */
#ifndef APP_SELECTION_H
#define APP_SELECTION_H

#include "tui/view/view.h"

struct session;

bool select_has(const struct session *s, uint64_t id);
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay chosen */
void select_forget_missing(struct session *s);
void session_clear_selection(struct session *s);
/* Recomputes the box from the anchor and the cursor, and what is selected from it. */
void select_box(struct session *s);
enum mode select_mode_after(const struct session *s); /* where SELECT began */

/* Selects, in the place of what was, every note of a choice: of the active track, or of
 * all that are not hidden. `has` may look at what was selected in selected_before, if
 * anything was. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
};
void select_where(struct session *s, const struct choice *c);

#endif
