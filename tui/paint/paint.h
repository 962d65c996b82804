/* What the painters of a frame share; frame.c fills it and calls them in order.
 * Each paints its own region and leaves the others alone. Internal to tui/. */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include "tui/cells/cells.h"
#include "tui/view/layout.h"
#include "tui/base/names.h"
#include "tui/view/survey.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

struct paint {
    struct cells *c;
    const struct view *v;
    const struct theme *t;
    const struct survey *survey;    /* up to date, or empty for want of memory */
    const struct lane_points *lane; /* likewise */
    struct layout l;
    struct viewport port; /* the view's, clamped */
    int sharps;           /* how pitches are spelled in this frame */
    bool has_key, minor;  /* what the file says, at the cursor */
    int key_sharps;
    int rows[128];              /* layout_row of each pitch */
    int16_t pitches[CELLS_MAX]; /* of each row of the screen; -1: it has none */
};

/* Whether a pitch is of the scale that is set. */
static inline bool paint_in_scale(const struct paint *p, int pitch)
{
    return p->v->scale.pitches >> pitch % 12 & 1;
}
/* Rows in the second shade: out of the scale, or of black keys where none is set. */
bool paint_is_shaded(const struct paint *p, int pitch);

/* What begins inside a screen column of the roll. */
enum mark { MARK_NONE, MARK_BEAT, MARK_BAR };
/* *bar: the bar's index, for MARK_BAR. Bars and beats too close to tell apart
 * are thinned out. */
enum mark paint_mark_at(const struct paint *p, int column, int64_t *bar);

void paint_ground(const struct paint *p);
void paint_notes(const struct paint *p);
void paint_ghosts(const struct paint *p);
void paint_selection(const struct paint *p);
void paint_hole(const struct paint *p);
void paint_frontier(const struct paint *p);
void paint_drafts(const struct paint *p);
void paint_take_list(const struct paint *p);
void paint_map_list(const struct paint *p);
void paint_found(const struct paint *p);
void paint_playhead(const struct paint *p);
void paint_cursor(const struct paint *p);

void paint_ruler(const struct paint *p);
void paint_signs(const struct paint *p);
void paint_loop(const struct paint *p);
void paint_tap_lines(const struct paint *p); /* under the notes */
void paint_taps(const struct paint *p);
void paint_piece_map(const struct paint *p);
void paint_keyboard(const struct paint *p);
void paint_edges(const struct paint *p);
void paint_lanes(const struct paint *p);
void paint_track_list(const struct paint *p);
void paint_instruments(const struct paint *p);
void paint_top(const struct paint *p);
void paint_tracks(const struct paint *p);
void paint_status(const struct paint *p);
void paint_hints(const struct paint *p);
void paint_steer_panel(const struct paint *p);
void paint_history_list(const struct paint *p);
/* What is wished for, in the status line from `column` to `end`, if there is room. */
void paint_wishes(const struct paint *p, int column, int end);
void paint_help(const struct paint *p);
void paint_which_key(const struct paint *p);
void paint_palette(const struct paint *p);
void paint_banner(const struct paint *p);
/* The line being typed, with the terminal's cursor in it. */
void paint_input(const struct paint *p, int column, int row, int columns);

const struct track *paint_track(const struct paint *p); /* the edited one, or NULL */
/* What theme_track wants of a track: its own colour, or that of its place. */
int paint_hue(const struct paint *p, int track);
/* Whether a track is heard, with mutes and solos of all. */
bool paint_is_heard(const struct paint *p, int track);
/* Whether the note is selected; and whether it goes when the take is accepted. */
bool paint_is_selected(const struct paint *p, uint64_t id);
bool paint_goes(const struct paint *p, uint64_t id);
/* The note of the edited track under the cursor, or NULL. */
const struct note *paint_note_at_cursor(const struct paint *p);

#endif
