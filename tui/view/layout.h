/* Where things are: screen regions, and roll cells <-> musical time and pitch.
 *
 * The roll's column c shows ticks [left + c*tpc, left + (c+1)*tpc); its row r
 * shows pitch top - r / rows_per_pitch, where pitches that are folded away do not
 * count. Pure functions. */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "tui/cells/cells.h"
#include "tui/view/view.h"

enum { LAYOUT_MIN_COLUMNS = 40, LAYOUT_MIN_ROWS = 12 };

struct layout {
    int columns, rows;
    bool too_small;
    int lane_grown; /* rows that layout_grow_lane has given */
    /* Regions with rows == 0 are left out at this size. */
    struct region bar, ruler, signs, keys, roll, lane, map, tracks, status, hints;
    /* With the inspector: beside the roll, where there is room; under it; and what a page
     * of it may cover, the roll with its ruler and keys. */
    struct region side, strip, page;
    struct region takes; /* the list of takes, beside the roll; no columns: none */
};

struct layout layout_for(int columns, int rows);
/* The same, with the map of the piece or without, whatever room there is. */
struct layout layout_with_map(int columns, int rows, enum map_wish map);
/* Makes the lane under the roll tall, while it is edited, at the roll's cost, or as it was
 * before. */
void layout_grow_lane(struct layout *l, bool tall);
/* Makes room for the list of takes beside the roll, so that it covers no notes. */
void layout_list_takes(struct layout *l);
/* Makes room for the inspector, of a layout that has none yet (tui/view/layout_inspect.c). */
void layout_inspect(struct layout *l);

/* Screen column of a tick, and the row of a pitch's first line; may lie far
 * outside the roll. A pitch that is folded away has the row of the next below it. */
int64_t layout_column(const struct layout *l, const struct viewport *p, int64_t tick);
int layout_row(const struct layout *l, const struct viewport *p, int pitch);
/* A row's pitch; -1: it is below the lowest or above the highest. */
int layout_row_pitch(const struct layout *l, const struct viewport *p, int row);
/* The tick at a column's left edge, never negative. */
int64_t layout_tick(const struct layout *l, const struct viewport *p, int column);
int layout_pitch(const struct layout *l, const struct viewport *p,
                 int row); /* 0..127, the nearest that is shown */
bool region_has(const struct region *r, int column, int row);

/* For the mouse: false outside the roll; tick and pitch are clamped to it. */
bool layout_point(const struct layout *l, const struct viewport *p, int column, int row,
                  int64_t *tick, int *pitch);

/* Puts an out-of-range viewport right: at least 1 tick a column, 1..3 rows a
 * pitch, keys 0..127 without blank rows where there are enough. */
void viewport_clamp(struct viewport *p, const struct layout *l);
/* Scrolls just enough that the tick and the pitch are seen with some room. */
void viewport_show(struct viewport *p, const struct layout *l, int64_t tick, int pitch);
/* Turns the page when the playhead leaves it. */
void viewport_follow(struct viewport *p, const struct layout *l, int64_t tick);
/* A zoom at which bars and note names can be read, at the first notes. */
void viewport_fit(struct viewport *p, const struct layout *l, const struct score *s);
void viewport_scroll(struct viewport *p, const struct layout *l, int columns, int rows);
/* Folds these pitches away and shows all others; `pitch`, which is shown before and
 * after, keeps its row if it can. */
void viewport_fold(struct viewport *p, const struct layout *l, struct pitch_set hidden,
                   int pitch);
/* So many rows up, or down where `by` is negative, as far as there are any. */
int viewport_step_pitch(const struct viewport *p, int pitch, int by);

#endif
