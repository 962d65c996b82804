/* Places on the roll: the grid, the rows, the loop, and scrolling to them. UI thread only. */
#ifndef APP_ROLL_H
#define APP_ROLL_H

#include "midi/edit/edit.h"
#include "tui/view/view.h"

struct session;

/* How the roll is shown and navigated. */
struct roll_options {
    bool snaps, folds;   /* to the scale: notes that move; the rows shown */
    bool snaps_to_chord; /* before the scale */
    bool folds_for_take; /* rows without notes of the takes are folded away */
    bool frames_pitches; /* takes of other tracks too are framed: no kit */
    bool whole_kit;      /* on a drum track: all sounds, not those in use alone */
    bool follow;         /* the view follows the playhead and arriving notes */
    int rows_covered;    /* at the foot of the roll, by the tutor */
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

/* The last note of that track and pitch that sounds in [from, to), or with a kit's rows
 * begins there; NULL: none does. */
const struct note *session_note_at(const struct session *s, int track, int64_t from,
                                   int64_t to, int pitch);
const struct note *session_note_under_cursor(const struct session *s);

/* -- scroll.c -- */

void session_show_cursor(struct session *s);
/* Moves the cursor to that tick, at least 0, and scrolls to it. */
void session_go_to(struct session *s, int64_t tick);
/* Of the active track's notes in the visible time, the pitch nearest the cursor's. If
 * one of them is visible, or there are none: the cursor's pitch. */
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

/* scale.c: the scale's pitch classes; 0: none is set. */
uint16_t session_scale_mask(const struct session *s);
/* What notes snap to: the pitch classes of the chord at the cursor, or of the scale; 0: to
 * none. */
uint16_t session_snap_mask(const struct session *s);
/* chords.c: the symbol in force in the row of chords; NULL: there is none. */
const char *session_chord_at(const struct session *s, int64_t tick);
/* The pitch `by` steps up or down, as the cursor moves; it stops at the last one. */
int session_step_pitch(const struct session *s, int pitch, int by);
/* The pitch that a new note there gets: on the scale or the chord, if snapping is on. */
int session_snap_pitch(const struct session *s, int pitch);
/* The new pitch of a note moved along with `leader`, which moves by `semitones`: the
 * same, or with snapping as many scale steps as the leader; at most the last pitch. */
int session_carry_pitch(const struct session *s, int pitch, int semitones, int leader);
/* fold.c: chooses the rows, for the active track: of a kit or of the keys, and folds away
 * those that must not show now. */
void session_fold(struct session *s);
/* Whether the rows are a kit's. Then hits are one cell: their length means nothing. */
bool session_shows_kit(const struct session *s);
/* Whether that track's notes have rows now: with a kit, only those of drum tracks. */
bool session_has_rows_for(const struct session *s, int track);
/* The kit's sound for a letter of the computer's keyboard; -1: none. */
int session_kit_key(const struct session *s, uint32_t letter);

#endif
