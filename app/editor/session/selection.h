/* The selected notes: in a box from an anchor to the cursor, in whole bars, or any. The
 * ids stay selected after the box is gone, until Escape. UI thread only. */
#ifndef APP_SELECTION_H
#define APP_SELECTION_H

#include "tui/view/view.h"

struct session;

/* The selection before, for gv: ids, and the box that chose them if there was one. */
struct selected_before {
    uint64_t *ids;
    size_t n, cap;
    bool has_box, bars, all_tracks;
    int track; /* the active one */
    struct box box;
};

struct selection {
    bool bars;       /* selecting whole bars, of every pitch, */
    bool all_tracks; /* and, then, of every track that is seen */
    bool is_of_take; /* and TAKES is where it began */
    bool has_box;
    struct roll_point anchor;
    struct box box;
    uint64_t box_tracks; /* that have notes in it: a bit for each of the first 64 */
    uint64_t *ids;       /* [n] of notes of any track, ascending; owned */
    size_t n, cap;
    int n_tracks; /* the number of tracks they are on */
    struct selected_before before;
};

bool select_has(const struct session *s, uint64_t id);
bool select_had(const struct session *s, uint64_t id); /* in the selection before */
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay selected */
void select_forget_missing(struct session *s);
/* Leaves SELECT, and the box; the notes stay selected. */
void select_leave_box(struct session *s);
void session_clear_selection(struct session *s);
/* Recomputes the box from the anchor and the cursor, and selects what is in it. */
void select_box(struct session *s);
/* Enters SELECT, with a box from the anchor to the cursor. bars, all_tracks: as above. */
void select_begin_box(struct session *s, struct roll_point anchor, bool bars,
                      bool all_tracks);

/* Replaces the selection by every note that `has` accepts, of the active track or of
 * all tracks that are not hidden. `has` finds the old selection in selected_before, if
 * there was one. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
};
void select_where(struct session *s, const struct choice *c);
/* The same, and tells the user how many; or "no note here is WHAT". c NULL: only tells of the
 * present selection (edit/choose.c). */
void select_aloud(struct session *s, const struct choice *c, const char *what);
/* Selects what is selected again, and all notes with ids from first_new on. */
void select_with_new(struct session *s, uint64_t first_new);

#endif
