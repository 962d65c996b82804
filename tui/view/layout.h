/* Screen regions, and roll cells <-> musical time and pitch.
 *
 * Column c of the roll shows ticks [left + c*tpc, left + (c+1)*tpc). Row r shows pitch
 * top - r / rows_per_pitch; folded pitches do not count. Pure functions. */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "tui/cells/cells.h"
#include "tui/view/view.h"

enum { LAYOUT_MIN_COLUMNS = 40, LAYOUT_MIN_ROWS = 12 };

struct layout {
    int columns, rows;
    bool too_small;
    bool is_picture; /* of layout_picture */
    /* A region with rows == 0 is not shown at this size. */
    struct region bar, ruler, signs, chords, keys, roll, lane, map, tracks, status,
        hints;
    /* The inspector's: the panel beside the roll, the strip under it, and the page that
     * replaces roll, ruler and keys. */
    struct region side, strip, page;
    struct region takes; /* the list of takes beside the roll; columns == 0: none */
};

/* The layout of a screen of this size: what the view shows has its room, and the roll has
 * the rest. Reads piece_map, kit.is_shown, chords.is_shown, lane.is_tall, inspect, whether
 * LIST_TAKES is open, and picture_columns, for which it is layout_picture's. */
struct layout layout_of(const struct view *v, int columns, int rows);
/* The layout of a picture (app/picture): a page of the inspector, or ruler, keys, roll and
 * strip, of so many columns, below a row for the legend. */
struct layout layout_picture(int columns, int rows, int page_columns);

/* The column of a tick and the first row of a pitch, possibly far outside the roll. A
 * folded pitch has the row of the next shown one below it. */
int64_t layout_column(const struct layout *l, const struct viewport *p, int64_t tick);
int layout_row(const struct layout *l, const struct viewport *p, int pitch);
/* The pitch of a row; -1: none. */
int layout_row_pitch(const struct layout *l, const struct viewport *p, int row);
/* The tick at a column's left edge, never negative. */
int64_t layout_tick(const struct layout *l, const struct viewport *p, int column);
/* The nearest shown pitch, 0..127. */
int layout_pitch(const struct layout *l, const struct viewport *p, int row);
bool region_has(const struct region *r, int column, int row);

/* For the mouse. false: outside the roll; tick and pitch are clamped to it. */
bool layout_point(const struct layout *l, const struct viewport *p, int column, int row,
                  int64_t *tick, int *pitch);

/* The value at a row of the lane: the middle of the row's range. Above the lane it is
 * the highest value, below it the lowest. A switch is on in the upper half. */
int lane_value_at(const struct layout *l, struct control k, int row);

/* Puts a viewport into range: at least 1 tick a column, 1..3 rows a pitch, pitches
 * 0..127, and no blank rows if there are enough pitches. */
void viewport_clamp(struct viewport *p, const struct layout *l);
/* Scrolls until the tick and the pitch are in view with some margin. */
void viewport_show(struct viewport *p, const struct layout *l, int64_t tick, int pitch);
/* Turns the page when the playhead leaves the view. */
void viewport_follow(struct viewport *p, const struct layout *l, int64_t tick);
/* Chooses a zoom at which bars and note names can be read, and shows the first
 * notes. */
void viewport_fit(struct viewport *p, const struct layout *l, const struct score *s);
void viewport_scroll(struct viewport *p, const struct layout *l, int columns, int rows);
/* Folds the `hidden` pitches away and shows all others. `pitch`, shown before and
 * after, stays in its row if possible. */
void viewport_fold(struct viewport *p, const struct layout *l, struct pitch_set hidden,
                   int pitch);
/* The pitch `by` rows up, or down if negative, as far as there are rows. */
int viewport_step_pitch(const struct viewport *p, int pitch, int by);

#endif
