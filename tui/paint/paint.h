/* What the painters of a frame share. tui/terminal/frame.c fills it and calls them in
 * order. Each painter paints its own region only. Internal to tui/. */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include "tui/cells/cells.h"
#include "tui/view/layout.h"
#include "tui/base/names.h"
#include "tui/view/survey.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

#include <glib.h>

struct paint {
    struct cells *c;
    const struct view *v;
    const struct theme *t;
    const struct survey *survey; /* up to date, or empty if memory is out */
    struct layout l;
    struct viewport port; /* the view's, clamped */
    int sharps;           /* how this frame spells pitches */
    bool has_solo;        /* some track is solo */
    bool has_key, minor;  /* the key signature at the cursor */
    int key_sharps;
    int rows[128];              /* layout_row of each pitch */
    int16_t pitches[CELLS_MAX]; /* pitch of each screen row; -1: none */
};

/* Whether the chosen scale has this pitch. */
static inline bool paint_in_scale(const struct paint *p, int pitch)
{
    return p->v->scale.pitches >> pitch % 12 & 1;
}
/* Whether the roll's rows show that track: with a kit they show only drum tracks. */
bool paint_has_rows_for(const struct paint *p, int track);
/* Whether a pitch's row is shaded: it is out of the scale, or without a scale a black
 * key. */
bool paint_is_shaded(const struct paint *p, int pitch);

/* cells_text and cells_put on the present colour. */
static inline int paint_text(const struct paint *p, int column, int row, int columns,
                             const char *text, uint32_t ink, int attr)
{
    return cells_text(p->c, column, row, columns, text, ink, COLOUR_KEEP, attr);
}
static inline void paint_put(const struct paint *p, int column, int row, uint32_t glyph,
                             uint32_t ink, int attr)
{
    cells_put(p->c, column, row, glyph, ink, COLOUR_KEEP, attr);
}

/* The first tick right of the roll. */
static inline int64_t paint_right_tick(const struct paint *p)
{
    return p->port.left_tick + p->port.ticks_per_column * p->l.roll.columns;
}

/* What begins inside a screen column of the roll. */
enum mark { MARK_NONE, MARK_BEAT, MARK_BAR };
/* Sets *bar to the bar's index for MARK_BAR. Marks too close to tell apart are thinned
 * out. */
enum mark paint_mark_at(const struct paint *p, int column, int64_t *bar);

/* Tints a cell of the roll or the lane with the accent. Without RGB a blank cell gets a
 * dot. */
void paint_tint(const struct paint *p, int column, int row, double share);

/* Paints one thing, if it is shown. */
typedef void painter(const struct paint *p);
painter paint_ground, paint_notes, paint_ghosts, paint_selection, paint_hole,
    paint_frontier, paint_drafts, paint_found, paint_playhead, paint_cursor;
painter paint_ruler, paint_signs, paint_chords, paint_loop, paint_taps, paint_piece_map,
    paint_keyboard, paint_offscreen_notes, paint_lane;
painter paint_lists, paint_help, paint_which_key, paint_banner, paint_top, paint_tracks,
    paint_status, paint_hints;
/* Writes the line being typed and places the terminal's cursor in it. */
void paint_input(const struct paint *p, int column, int row, int columns);

/* Bar and beat of a tick, from 1, and the ticks past that beat. */
struct position {
    int64_t bar, beat, past;
};
struct position paint_position_of(const struct score *s, int64_t tick);

const struct track *paint_track(const struct paint *p); /* the edited one, or NULL */
/* The index for theme_track: the track's own colour, or its number. */
int paint_colour_index(const struct paint *p, int track);
/* Whether a track sounds, given all mutes and solos. */
bool paint_is_heard(const struct paint *p, int track);
/* Whether a note is selected; whether accepting the shown take replaces it. */
bool paint_is_selected(const struct paint *p, uint64_t id);
bool paint_is_replaced(const struct paint *p, uint64_t id);
/* The note of the edited track under the cursor, or NULL. */
const struct note *paint_note_at_cursor(const struct paint *p);

#endif
