/* The selected notes. A box from an anchor to the cursor or whole bars select them, or a
 * command. Notes stay selected after the box is gone, until Escape. UI thread only. */
#ifndef APP_SELECTION_H
#define APP_SELECTION_H

#include "tui/view/view.h"

struct session;

/* The previous selection, for gv, with its box if it had one. */
struct selected_before {
    uint64_t *ids;
    size_t n, cap;
    bool has_box, bars, all_tracks;
    int track; /* the active one */
    struct box box;
};

struct selection {
    bool bars;       /* the box is of whole bars and all pitches */
    bool all_tracks; /* with bars: of all visible tracks */
    bool has_box;
    struct roll_point anchor;
    struct box box;
    uint64_t box_tracks; /* bit i: track i has notes in the box, of the first 64 */
    uint64_t *ids;       /* [n] ascending; owned */
    size_t n, cap;
    int n_tracks; /* the number of tracks they are on */
    struct selected_before before;
};

bool select_has(const struct session *s, uint64_t id);
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay selected */
void select_forget_missing(struct session *s);
/* Leaves SELECT and removes the box; the notes stay selected. */
void select_leave_box(struct session *s);
/* Returns the box that is being selected, or NULL. */
const struct box *session_box(const struct session *s);
/* Finds the time of that box, else of the loop. false: there is neither. */
bool session_marked_time(const struct session *s, int64_t *from, int64_t *to);
void session_clear_selection(struct session *s);
/* Recomputes the box from the anchor and the cursor, and selects what is in it. */
void select_box(struct session *s);
/* Enters SELECT, with a box from the anchor to the cursor. bars, all_tracks: as above. */
void select_begin_box(struct session *s, struct roll_point anchor, bool bars,
                      bool all_tracks);

/* Replaces the selection by the notes that `has` accepts (NULL: all), of the active track or of
 * all tracks that are not hidden; only among the notes that were selected, or that were not. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
    enum { AMONG_ALL, AMONG_SELECTED, AMONG_OTHERS } among;
};
void select_where(struct session *s, const struct choice *c);
/* The same, and tells the user how many; or "no note here is WHAT". c NULL: only tells of the
 * present selection (edit/choose.c). */
void select_aloud(struct session *s, const struct choice *c, const char *what);
/* Selects the selected notes again, as they are now, and all notes with ids from first_new on. */
void select_with_new(struct session *s, uint64_t first_new);

#endif
