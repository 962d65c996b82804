/* Rows are given out from the edges inwards; the roll takes the rest. Extra lanes
 * appear only if the roll keeps two octaves.
 *
 * A pitch's rank is the number of shown pitches up to and including it. A row is a rank
 * counted from the top. Without folding a rank is pitch + 1. */
#include "tui/view/layout.h"

#include <glib.h>

/* Places a region that ends above `bottom` and returns its top. */
static int place_above(struct region *r, int bottom, int column, int columns)
{
    r->row = bottom - r->rows;
    r->column = column;
    r->columns = columns;
    return r->row;
}

struct layout layout_of(const struct view *v, int columns, int rows)
{
    enum { WIDE_COLUMNS = 112, WIDE_ROWS = 30, LEAST_SIDE = 44, MOST_SIDE = 80 };
    const bool has_takes = v->lists[LIST_TAKES].is_open && !v->inspect;
    struct layout l = {.columns = columns, .rows = rows};
    if (v->picture_columns)
        return layout_picture(columns, rows, v->picture_columns);
    l.too_small = columns < LAYOUT_MIN_COLUMNS || rows < LAYOUT_MIN_ROWS;
    if (l.too_small)
        return l;

    /* With the names of a kit's sounds in 80 columns the roll keeps 64: four bars of
     * sixteenths. */
    const int keys =
        v->kit.is_shown ? (columns >= 60 ? 16 : 10) : (columns >= 60 ? 6 : 5);
    /* The list of takes has all columns, most of them, or the numbers. */
    if (has_takes)
        l.takes.columns = columns >= 100 ? 48 : columns >= 60 ? 31 : 17;
    if (v->inspect && columns >= WIDE_COLUMNS && rows >= WIDE_ROWS)
        l.side.columns = CLAMP(columns * 3 / 8, LEAST_SIDE, MOST_SIDE);
    const int beside = l.takes.columns + l.side.columns,
              right = columns - keys - beside;

    l.signs.rows = rows >= 30;
    l.map.rows =
        v->piece_map == MAP_WHERE_ROOM ? rows >= 30 : v->piece_map == MAP_SHOWN;
    l.tracks.rows = rows >= 34;
    l.lane.rows = rows >= 46 ? 3 : rows >= 36 ? 2 : 0;
    /* An edited lane has an odd number of rows, so that a bend's centre is the middle of
     * one. */
    if (v->lane.is_tall)
        l.lane.rows = rows >= 46 ? 9 : rows >= 30 ? 7 : rows >= 18 ? 5 : 3;
    if (v->inspect) {
        l.strip.rows = l.lane.rows ? l.lane.rows : 1;
        l.lane.rows = 0;
    }
    l.chords.rows = v->chords.is_shown;
    l.status.rows = l.hints.rows = 1;

    l.bar = (struct region){0, 0, columns, 1};
    l.ruler = (struct region){keys, 1, right, 1};
    int bottom = place_above(&l.hints, rows, 0, columns);
    bottom = place_above(&l.status, bottom, 0, columns);
    bottom = place_above(&l.tracks, bottom, 0, columns);
    const int beside_rows = bottom - 1;
    bottom = place_above(&l.map, bottom, keys, right);
    bottom = place_above(&l.lane, bottom, keys, right);
    bottom = place_above(&l.strip, bottom, keys, right);
    l.signs = (struct region){keys, 2, right, l.signs.rows};
    l.chords = (struct region){keys, 2 + l.signs.rows, right, l.chords.rows};
    const int top = l.chords.row + l.chords.rows;
    l.keys = (struct region){0, top, keys, bottom - top};
    l.roll = (struct region){keys, top, right, bottom - top};
    const struct region room = {columns - beside, 1, beside, beside_rows};
    if (l.takes.columns)
        l.takes = room;
    if (l.side.columns)
        l.side = room;
    if (v->inspect)
        l.page = (struct region){0, 1, columns - beside, bottom - 1};
    return l;
}

struct layout layout_picture(int columns, int rows, int page_columns)
{
    enum { KEYS = 6, TOP = 2, STRIP = 4 }; /* TOP: the legend, and the ruler */
    const int right = page_columns - KEYS, height = rows - TOP - STRIP;
    return (struct layout){.columns = columns,
                           .rows = rows,
                           .is_picture = true,
                           .page = {0, 0, page_columns, rows},
                           .ruler = {KEYS, 1, right, 1},
                           .keys = {0, TOP, KEYS, height},
                           .roll = {KEYS, TOP, right, height},
                           .strip = {KEYS, TOP + height, right, STRIP}};
}

/* Rounds towards minus infinity. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t zoom_of(const struct viewport *p)
{
    return MAX(p->ticks_per_column, 1);
}

static int height_of(const struct viewport *p)
{
    return CLAMP(p->rows_per_pitch, 1, 3);
}

static int n_shown(const struct viewport *p)
{
    return 128 - __builtin_popcountll(p->hidden.at[0]) -
           __builtin_popcountll(p->hidden.at[1]);
}

/* Outside 0..127 every pitch counts as shown. */
static int rank_of(const struct viewport *p, int pitch)
{
    if (pitch < 0 || pitch > 127)
        return pitch < 0 ? pitch + 1 : n_shown(p) + pitch - 127;
    uint64_t up_to = UINT64_MAX >> (63 - pitch % 64);
    if (pitch < 64)
        return __builtin_popcountll(~p->hidden.at[0] & up_to);
    return __builtin_popcountll(~p->hidden.at[0]) +
           __builtin_popcountll(~p->hidden.at[1] & up_to);
}

/* -1: no pitch has this rank. */
static int pitch_of_rank(const struct viewport *p, int rank)
{
    if (!p->hidden.at[0] && !p->hidden.at[1])
        return rank > 0 && rank <= 128 ? rank - 1 : -1;
    for (int pitch = 0; rank > 0 && pitch < 128; pitch++)
        if (!pitch_set_has(&p->hidden, pitch) && --rank == 0)
            return pitch;
    return -1;
}

static int nearest_of_rank(const struct viewport *p, int rank)
{
    int pitch = pitch_of_rank(p, CLAMP(rank, 1, n_shown(p)));
    return pitch < 0 ? 0 : pitch;
}

/* How many pitches the roll has rows for. */
static int pitches_seen(const struct viewport *p, const struct layout *l)
{
    return CLAMP(l->roll.rows / height_of(p), 1, MAX(n_shown(p), 1));
}

int64_t layout_column(const struct layout *l, const struct viewport *p, int64_t tick)
{
    /* Avoids overflow: such ticks are off the screen in any case. */
    const int64_t far = INT64_MAX / 2;
    tick = CLAMP(tick, -far, far);
    return l->roll.column + floor_div(tick - p->left_tick, zoom_of(p));
}

int layout_row(const struct layout *l, const struct viewport *p, int pitch)
{
    return l->roll.row + (rank_of(p, p->top_pitch) - rank_of(p, pitch)) * height_of(p);
}

int64_t layout_tick(const struct layout *l, const struct viewport *p, int column)
{
    int64_t tick = p->left_tick + (column - l->roll.column) * zoom_of(p);
    return MAX(tick, 0);
}

static int rank_of_row(const struct layout *l, const struct viewport *p, int row)
{
    return rank_of(p, p->top_pitch) - (int)floor_div(row - l->roll.row, height_of(p));
}

int layout_row_pitch(const struct layout *l, const struct viewport *p, int row)
{
    return pitch_of_rank(p, rank_of_row(l, p, row));
}

int layout_pitch(const struct layout *l, const struct viewport *p, int row)
{
    return nearest_of_rank(p, rank_of_row(l, p, row));
}

bool region_has(const struct region *r, int column, int row)
{
    return column >= r->column && column < r->column + r->columns && row >= r->row &&
           row < r->row + r->rows;
}

bool layout_point(const struct layout *l, const struct viewport *p, int column, int row,
                  int64_t *tick, int *pitch)
{
    const struct region *r = &l->roll;
    if (l->too_small)
        return false;
    *tick = layout_tick(l, p, CLAMP(column, r->column, r->column + r->columns - 1));
    *pitch = layout_pitch(l, p, CLAMP(row, r->row, r->row + r->rows - 1));
    return region_has(r, column, row);
}

void viewport_clamp(struct viewport *p, const struct layout *l)
{
    /* The largest left tick that no zoom makes overflow. */
    const int64_t furthest = INT64_MAX / 4, widest = INT64_MAX / (8 * CELLS_MAX);
    p->rows_per_pitch = height_of(p);
    p->ticks_per_column = MIN(zoom_of(p), widest);
    p->left_tick = CLAMP(p->left_tick, 0, furthest);
    int top = rank_of(p, CLAMP(p->top_pitch, 0, 127)), seen = pitches_seen(p, l);
    p->top_pitch = nearest_of_rank(p, top < seen ? seen : top);
}

void viewport_show(struct viewport *p, const struct layout *l, int64_t tick, int pitch)
{
    if (l->too_small)
        return;
    viewport_clamp(p, l);
    int64_t zoom = p->ticks_per_column, columns = l->roll.columns;
    int64_t column = floor_div(tick - p->left_tick, zoom), room = columns / 10;
    if (column < room)
        p->left_tick = tick - (column < 0 ? columns / 3 : room) * zoom;
    else if (column >= columns - room)
        p->left_tick =
            tick - (column >= columns ? columns / 3 : columns - room - 1) * zoom;
    int seen = pitches_seen(p, l), margin = seen > 8 ? 2 : 0;
    int rank = rank_of(p, pitch), top = rank_of(p, p->top_pitch);
    if (rank > top - margin)
        top = rank + margin;
    else if (rank < top - seen + 1 + margin)
        top = rank + seen - 1 - margin;
    p->top_pitch = nearest_of_rank(p, top);
    viewport_clamp(p, l);
}

void viewport_follow(struct viewport *p, const struct layout *l, int64_t tick)
{
    if (l->too_small)
        return;
    int64_t zoom = zoom_of(p), span = zoom * l->roll.columns;
    if (tick < p->left_tick || tick >= p->left_tick + span - span / 20)
        p->left_tick = tick - span / 20 / zoom * zoom;
    viewport_clamp(p, l);
}

void viewport_fit(struct viewport *p, const struct layout *l, const struct score *s)
{
    int lo = 127, hi = 0;
    int64_t first = INT64_MAX;
    for (const struct track *t = s->tracks; t < s->tracks + s->n_tracks; t++) {
        if (t->n_notes && t->notes[0].start < first)
            first = t->notes[0].start;
        /* The first 256 notes of a track show where it lies. */
        for (size_t i = 0; i < t->n_notes && i < 256; i++) {
            lo = MIN(lo, t->notes[i].pitch);
            hi = MAX(hi, t->notes[i].pitch);
        }
    }
    const bool any = lo <= hi;
    int64_t quarter = s->ticks_per_quarter > 0 ? s->ticks_per_quarter : 1;
    /* A sixteenth takes two columns if nearly four bars fit so, else one. */
    p->ticks_per_column = quarter / (l->roll.columns >= 120 ? 8 : 4);
    p->rows_per_pitch = 1;
    p->left_tick = timeline_bar_at(&s->timeline, any ? first : 0).start;
    int middle = any ? (lo + hi + 1) / 2 : 60;
    if (any && 2 * (hi - lo + 5) <= l->roll.rows)
        p->rows_per_pitch = 2;
    p->top_pitch = middle + (pitches_seen(p, l) - 1) / 2;
    /* If not all fits, shows the top, where the melody likely is. */
    if (any && hi - lo >= pitches_seen(p, l))
        p->top_pitch = hi + 2;
    viewport_clamp(p, l);
}

void viewport_scroll(struct viewport *p, const struct layout *l, int columns, int rows)
{
    p->left_tick += columns * zoom_of(p);
    p->top_pitch = viewport_step_pitch(p, p->top_pitch, -rows);
    viewport_clamp(p, l);
}

void viewport_fold(struct viewport *p, const struct layout *l, struct pitch_set hidden,
                   int pitch)
{
    int below_top = rank_of(p, p->top_pitch) - rank_of(p, pitch);
    p->hidden = hidden;
    p->top_pitch = nearest_of_rank(p, rank_of(p, pitch) + below_top);
    viewport_clamp(p, l);
}

int viewport_step_pitch(const struct viewport *p, int pitch, int by)
{
    return nearest_of_rank(p, rank_of(p, pitch) + by);
}

int lane_value_at(const struct layout *l, struct control k, int row)
{
    int rows = l->lane.rows > 0 ? l->lane.rows : 1, most = control_most(k);
    int above = l->lane.row + rows - 1 - row; /* rows below this one */
    int value = above < 0 ? 0
                : above >= rows
                    ? most
                    : (int)((2 * above + 1) * (int64_t)(most + 1) / (2 * rows));
    if (control_is_switch(k))
        return 2 * value > most ? most : 0;
    return value < control_least(k) ? control_least(k) : value;
}
