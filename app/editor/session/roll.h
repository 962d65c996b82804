/* Places on the roll: the grid, the rows, the loop, and scrolling to them. UI thread only. */
#ifndef APP_ROLL_H
#define APP_ROLL_H

#include "midi/edit/edit.h"
#include "tui/view/view.h"

struct session;

/* How the user shows the roll and moves in it. */
struct roll_options {
    bool snaps, folds;   /* notes snap to the scale; rows outside it are hidden */
    bool snaps_to_chord; /* notes snap to the chord first */
    bool folds_for_take; /* rows without notes of the takes are hidden */
    bool frames_pitches; /* takes of other tracks are framed, too: no rows of a kit */
    bool whole_kit;   /* a drum track shows all sounds, not only used and common ones */
    bool follow;      /* the view follows the playhead and arriving notes */
    int rows_covered; /* at the foot of the roll, by the tutor */
};

/* A span of the piece that plays again and again. It belongs to the piece and is saved
 * beside it (app/document/store_session.h). Undo does not change it. */
struct loop_span {
    int64_t from, to; /* ticks; equal: there is none */
    uint64_t state;   /* of the history, in which they are ticks */
    bool on;
    bool waits; /* session_hold_loop */
};

/* What the mouse is doing (app/editor/edit/mouse.h). */
enum drag {
    DRAG_NONE,
    DRAG_NEW,   /* a note is drawn */
    DRAG_MOVE,  /* notes, */
    DRAG_LEFT,  /* their beginnings, */
    DRAG_RIGHT, /* their ends */
    DRAG_ERASE,
    DRAG_BOX,
    DRAG_LANE, /* values are drawn in the lane */
    DRAG_RULER,
    DRAG_KEYS,
    DRAG_MAP,
    DRAG_PAN,
    DRAG_COUNT
};

/* -- grid.c -- */

int64_t session_grid_ticks(const struct session *s);       /* one step of the grid */
int64_t session_grid_span(const struct session *s, int n); /* n steps */
/* The grid line at or before, after, or before a tick. Bar lines are grid lines. */
int64_t grid_floor(const struct session *s, int64_t tick);
int64_t grid_next(const struct session *s, int64_t tick);
int64_t grid_previous(const struct session *s, int64_t tick);

/* -- targets.c: notes there -- */

/* Returns the last note of that track and pitch that sounds in [from, to) or, on the rows of a
 * kit, begins there; or NULL. */
const struct note *session_note_at(const struct session *s, int track, int64_t from,
                                   int64_t to, int pitch);
const struct note *session_note_under_cursor(const struct session *s);

/* -- scroll.c -- */

void session_show_cursor(struct session *s);
/* Moves the cursor to that tick, at least 0, and scrolls to it; the second also to that pitch. */
void session_go_to(struct session *s, int64_t tick);
void session_go_to_place(struct session *s, int64_t tick, int pitch);
/* Returns the pitch nearest the cursor's among the active track's notes in the visible time.
 * If one of them is visible already, or there are none, it is the cursor's pitch. */
int scroll_pitch_of_track(struct session *s);
/* Moves the cursor to the nearest of the notes that a change adds, removes or alters,
 * unless one of them is visible. */
void scroll_to_change(struct session *s, const struct change *c);

/* -- loop.c -- */

/* Turns on the loop [from, to), in either order. An empty span changes nothing. */
void session_set_loop(struct session *s, int64_t from, int64_t to);
void session_say_loop(struct session *s);        /* tells the user what it is now */
void session_send_loop(const struct session *s); /* tells the player */
/* Suspends the loop while user and model play together, or a free take is recorded. */
void session_hold_loop(struct session *s, bool waits);
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);

/* -- rows: scale.c, chords.c, fold.c -- */

/* scale.c: returns the pitch classes of the scale; 0: no scale is set. */
uint16_t session_scale_mask(const struct session *s);
/* Returns the pitch classes that notes snap to: of the chord at the cursor or of the scale; 0:
 * notes do not snap. */
uint16_t session_snap_mask(const struct session *s);
/* chords.c: returns the symbol in force at that tick in the row of chords, or NULL. */
const char *session_chord_at(const struct session *s, int64_t tick);
/* Returns the pitch `by` of the cursor's steps higher, or the last one there is. */
int session_step_pitch(const struct session *s, int pitch, int by);
/* Returns the pitch that a new note gets: that pitch, snapped if snapping is on. */
int session_snap_pitch(const struct session *s, int pitch);
/* Returns the new pitch of a note that moves with the note `leader`, which moves by
 * `semitones`. With snapping it moves by as many steps of the scale; it stops at the last
 * pitch. */
int session_carry_pitch(const struct session *s, int pitch, int semitones, int leader);
/* fold.c: chooses the rows for the active track, of a kit or of the keys, and hides the rows
 * that must not show now. */
void session_fold(struct session *s);
/* Whether that track's notes have rows now: with a kit, only those of drum tracks. */
bool session_has_rows_for(const struct session *s, int track);
/* Returns the sound of the kit for a letter of the computer's keyboard; -1: none. */
int session_kit_key(const struct session *s, uint32_t letter);

#endif
