/* Under the roll, where there are rows to spare: the lane, of how loud the edited track's
 * notes are or of one of its controllers, and a map of the whole piece with the seen part
 * bright. */
#include "tui/roll/lane_paint.h"
#include "tui/roll/map_density.h"
#include "tui/base/text.h"

enum { LOWER_EIGHTH = 0x2581, UPPER_HALF = 0x2580, LINE = 0x2500, SHADE = 0x2592 };

/* Eighths [from, to) of one cell. What hangs from its top is the reverse of what stands
 * at its foot: there are glyphs for the latter alone. */
static void fill_cell(const struct paint *p, int column, int row, int from, int to,
                      uint32_t colour, bool is_held)
{
    bool paints = theme_paints(p->t);
    uint32_t ground = cells_at(p->c, column, row)->bg;
    if (from == 0 && to == LANE_EIGHTHS && is_held && !paints)
        cells_put(p->c, column, row, SHADE, colour, COLOUR_KEEP, 0);
    else if (from == 0 && to == LANE_EIGHTHS && colour != COLOUR_DEFAULT)
        /* A whole cell as ground: many fonts leave gaps between full blocks. */
        cells_put(p->c, column, row, ' ', colour, colour, 0);
    else if (from == 0)
        cells_put(p->c, column, row, LOWER_EIGHTH + (uint32_t)to - 1, colour,
                  COLOUR_KEEP, 0);
    else if (to < LANE_EIGHTHS)
        cells_put(p->c, column, row, LINE, colour, COLOUR_KEEP, 0);
    else if (p->t->ascii)
        cells_put(p->c, column, row, UPPER_HALF, colour, COLOUR_KEEP, 0);
    else if (paints)
        cells_put(p->c, column, row, LOWER_EIGHTH + (uint32_t)from - 1, ground, colour,
                  0);
    else
        cells_put(p->c, column, row, LOWER_EIGHTH + (uint32_t)from - 1, colour,
                  COLOUR_KEEP, ATTR_REVERSE);
}

static int clamp_eighths(int x)
{
    return x < 0 ? 0 : x > LANE_EIGHTHS ? LANE_EIGHTHS : x;
}

void lane_bar(const struct paint *p, const struct region *r, int column, int lo, int hi,
              uint32_t colour, bool is_held)
{
    for (int i = 0; i < r->rows; i++) {
        int from = clamp_eighths(lo - i * LANE_EIGHTHS);
        int to = clamp_eighths(hi - i * LANE_EIGHTHS);
        if (to > from)
            fill_cell(p, column, r->row + r->rows - 1 - i, from, to, colour, is_held);
    }
}

int lane_height(const struct region *r, struct control k, int value)
{
    int most = control_most(k);
    return (int)(((int64_t)value * r->rows * LANE_EIGHTHS + most / 2) / most);
}

int lane_stroke(const struct paint *p, int column)
{
    int i = column - p->l.roll.column;
    return p->v->lane.stroke && i >= 0 && i < CELLS_MAX ? p->v->lane.stroke[i] : -1;
}

/* The lane itself, and the margin with its name. */
static void paint_lane_ground(const struct paint *p, const struct region *r,
                              const char *name)
{
    struct region left = {0, r->row, r->column, r->rows};
    cells_fill(p->c, left, ' ', p->t->faint, p->t->panel);
    cells_fill(p->c, *r, ' ', p->t->faint, p->t->panel);
    bool is_entered = p->v->mode == MODE_LANE && r == &p->l.lane;
    cells_text(p->c, 0, r->row, r->column, name,
               is_entered ? p->t->accent : p->t->quiet, COLOUR_KEEP,
               is_entered ? ATTR_BOLD : 0);
}

/* Per column the loudest note that begins there, and whether it is a chosen one. */
struct loudest {
    int velocity[CELLS_MAX];
    bool is_chosen[CELLS_MAX];
};

static void find_loudest(const struct paint *p, const struct track *t,
                         struct loudest *out)
{
    int64_t right = p->port.left_tick + p->port.ticks_per_column * p->l.roll.columns;
    for (size_t i = score_first_note_at(p->v->score, p->v->track, p->port.left_tick);
         i < t->n_notes && t->notes[i].start < right; i++) {
        int64_t column = layout_column(&p->l, &p->port, t->notes[i].start);
        if (column < 0 || column >= CELLS_MAX || paint_goes(p, t->notes[i].id))
            continue;
        int velocity = t->notes[i].velocity, drawn = lane_stroke(p, (int)column);
        bool is_chosen = paint_is_selected(p, t->notes[i].id);
        if (drawn >= 0 && (is_chosen || p->v->selection.n < 2))
            velocity = drawn;
        if (velocity > out->velocity[column])
            out->velocity[column] = velocity;
        out->is_chosen[column] |= is_chosen;
    }
}

static void paint_velocities(const struct paint *p)
{
    const struct region *r = &p->l.lane;
    const struct track *t = paint_track(p);
    struct loudest loudest = {{0}, {false}};
    if (t)
        find_loudest(p, t, &loudest);
    for (int column = r->column; column < r->column + r->columns; column++) {
        int velocity = loudest.velocity[column];
        uint32_t colour = lane_stroke(p, column) >= 0 ? p->t->accent
                          : loudest.is_chosen[column]
                              ? p->t->selected
                              : theme_note(p->t, paint_hue(p, p->v->track), velocity,
                                           PRESENCE_ACTIVE);
        lane_bar(p, r, column, 0, lane_height(r, p->v->lane.control, velocity), colour,
                 false);
    }
}

static void mark_lane_cell(const struct paint *p, int column, int row, double share)
{
    struct cell *cell = cells_at(p->c, column, row);
    if (theme_paints(p->t))
        cell->bg = theme_mix(cell->bg, p->t->accent, share);
    else if (cell->glyph == ' ' && cell->bg == COLOUR_DEFAULT)
        cells_put(p->c, column, row, 0xB7, p->t->accent, COLOUR_KEEP, 0);
}

static void mark_lane_time(const struct paint *p, int64_t from, int64_t to,
                           double share)
{
    const struct region *r = &p->l.lane;
    int64_t first = layout_column(&p->l, &p->port, from);
    int64_t last = layout_column(&p->l, &p->port, to > from ? to - 1 : from);
    first = first < r->column ? r->column : first;
    last = last < r->column + r->columns ? last : r->column + r->columns - 1;
    for (int64_t column = first; column <= last; column++)
        for (int row = r->row; row < r->row + r->rows; row++)
            mark_lane_cell(p, (int)column, row, share);
}

/* The value under the cursor in figures, below the lane's name. */
static void paint_lane_value(const struct paint *p)
{
    const struct region *r = &p->l.lane;
    char text[CONTROL_NAME_BYTES + 2] = " ";
    if (r->rows < 2 || !p->v->lane.has_value)
        return;
    control_value_name(p->v->lane.control, p->v->lane.value, text + 1);
    const char *shown = text_columns(text) <= r->column ? text : text + 1;
    cells_text(p->c, 0, r->row + 1, r->column, shown,
               p->v->mode == MODE_LANE ? p->t->text : p->t->quiet, COLOUR_KEEP, 0);
}

static void paint_lane(const struct paint *p)
{
    const struct view *v = p->v;
    char name[CONTROL_NAME_BYTES + 2] = " ";
    control_short_name(v->lane.control, name + 1);
    paint_lane_ground(p, &p->l.lane, name);
    if (v->lane.control.kind == CONTROL_VELOCITY)
        paint_velocities(p);
    else
        paint_control_lane(p);
    if (v->lane.to > v->lane.from)
        mark_lane_time(p, v->lane.from, v->lane.to, 0.2);
    if (v->mode == MODE_LANE)
        mark_lane_time(p, v->cursor.tick, v->cursor.tick + v->grid.ticks, 0.3);
    paint_lane_value(p);
}

/* Of the part of the piece a map column stands for. */
static int map_height(const struct map_density *d, int column, int columns)
{
    int most = map_density_most(d, column * SURVEY_BINS / columns,
                                (column + 1) * SURVEY_BINS / columns);
    return d->most > 0 ? (most * LANE_EIGHTHS + d->most - 1) / d->most : 0;
}

/* Whether the roll shows part of what this column of the map stands for. */
static bool map_is_seen(const struct paint *p, int column, int columns)
{
    double end = (double)survey_end_tick(p->survey) + 1;
    double from = end * column / columns, to = end * (column + 1) / columns;
    double left = (double)p->port.left_tick;
    double right = left + (double)p->port.ticks_per_column * p->l.roll.columns;
    return to > left && from < right;
}

static void paint_map(const struct paint *p)
{
    const struct region *r = &p->l.map;
    struct map_density density;
    map_density_count(&density, p);
    paint_lane_ground(p, r, " map");
    for (int i = 0; i < r->columns; i++) {
        bool seen = map_is_seen(p, i, r->columns);
        lane_bar(p, r, r->column + i, 0, map_height(&density, i, r->columns),
                 seen ? p->t->quiet : p->t->faint, false);
        struct cell *cell = cells_at(p->c, r->column + i, r->row);
        if (seen && cell->glyph != ' ')
            cell->bg = theme_mix(p->t->panel, p->t->quiet, 0.28);
    }
    double at = (double)p->v->cursor.tick / ((double)survey_end_tick(p->survey) + 1);
    if (at >= 0 && at < 1)
        cells_put(p->c, r->column + (int)(at * r->columns), r->row, 0x2503,
                  p->t->accent, COLOUR_KEEP, 0);
}

void paint_lanes(const struct paint *p)
{
    if (p->l.lane.rows)
        paint_lane(p);
    if (p->l.map.rows)
        paint_map(p);
}
