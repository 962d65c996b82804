/* The lane under the roll: velocities of the edited track, or one of its
 * controllers. */
#include "tui/roll/roll.h"
#include "midi/base/array.h"
#include "tui/base/text.h"

enum { LOWER_EIGHTH = 0x2581, UPPER_HALF = 0x2580, LINE = 0x2500, SHADE = 0x2592 };

/* Fills eighths [from, to) of a cell. Blocks that hang from the top are reversed ones,
 * since Unicode has eighths for the foot only. */
static void fill_cell(const struct paint *p, int column, int row, int from, int to,
                      uint32_t colour, bool is_held)
{
    bool paints = theme_paints(p->t);
    uint32_t ground = cells_at(p->c, column, row)->bg;
    if (from == 0 && to == LANE_EIGHTHS && is_held && !paints)
        paint_put(p, column, row, SHADE, colour, 0);
    else if (from == 0 && to == LANE_EIGHTHS && colour != COLOUR_DEFAULT)
        /* A full cell is background: many fonts leave gaps between full blocks. */
        cells_put(p->c, column, row, ' ', colour, colour, 0);
    else if (from == 0)
        paint_put(p, column, row, LOWER_EIGHTH + (uint32_t)to - 1, colour, 0);
    else if (to < LANE_EIGHTHS)
        paint_put(p, column, row, LINE, colour, 0);
    else if (p->t->ascii)
        paint_put(p, column, row, UPPER_HALF, colour, 0);
    else if (paints)
        cells_put(p->c, column, row, LOWER_EIGHTH + (uint32_t)from - 1, ground, colour,
                  0);
    else
        paint_put(p, column, row, LOWER_EIGHTH + (uint32_t)from - 1, colour,
                  ATTR_REVERSE);
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

static int lane_height(const struct region *r, struct control k, int value)
{
    int most = control_most(k);
    return (int)(((int64_t)value * r->rows * LANE_EIGHTHS + most / 2) / most);
}

static int lane_stroke(const struct paint *p, int column)
{
    int i = column - p->l.roll.column;
    return p->v->lane.stroke && i >= 0 && i < CELLS_MAX ? p->v->lane.stroke[i] : -1;
}

void lane_paint_ground(const struct paint *p, const struct region *r, const char *name)
{
    struct region left = {0, r->row, r->column, r->rows};
    cells_fill(p->c, left, ' ', p->t->faint, p->t->panel);
    cells_fill(p->c, *r, ' ', p->t->faint, p->t->panel);
    bool is_entered = p->v->mode == MODE_LANE && r == &p->l.lane;
    paint_text(p, 0, r->row, r->column, name, is_entered ? p->t->accent : p->t->quiet,
               is_entered ? ATTR_BOLD : 0);
}

/* For each column the loudest note that begins there, and whether one of them is
 * selected. */
struct loudest {
    int velocity[CELLS_MAX];
    bool is_chosen[CELLS_MAX];
};

static void paint_velocities(const struct paint *p)
{
    const struct region *r = &p->l.lane;
    const struct track *t = paint_track(p);
    struct loudest loudest = {{0}, {false}};
    if (t) {
        int64_t right = paint_right_tick(p);
        for (size_t i =
                 score_first_note_at(p->v->score, p->v->track, p->port.left_tick);
             i < t->n_notes && t->notes[i].start < right; i++) {
            int64_t column = layout_column(&p->l, &p->port, t->notes[i].start);
            if (column < 0 || column >= CELLS_MAX ||
                paint_is_replaced(p, t->notes[i].id))
                continue;
            int velocity = t->notes[i].velocity, drawn = lane_stroke(p, (int)column);
            bool is_chosen = paint_is_selected(p, t->notes[i].id);
            if (drawn >= 0 && (is_chosen || p->v->selection.n < 2))
                velocity = drawn;
            if (velocity > loudest.velocity[column])
                loudest.velocity[column] = velocity;
            loudest.is_chosen[column] |= is_chosen;
        }
    }
    for (int column = r->column; column < r->column + r->columns; column++) {
        int velocity = loudest.velocity[column];
        uint32_t colour = lane_stroke(p, column) >= 0 ? p->t->accent
                          : loudest.is_chosen[column]
                              ? p->t->selected
                              : theme_note(p->t, paint_colour_index(p, p->v->track),
                                           velocity, PRESENCE_ACTIVE);
        lane_bar(p, r, column, 0, lane_height(r, p->v->lane.control, velocity), colour,
                 false);
    }
}

struct walk {
    const struct control_point *points;
    size_t n, at; /* at: the first point not passed */
    int value;    /* of the last point passed; -1: none */
};

static struct walk walk_from(const struct control_point *points, size_t n, int64_t tick)
{
    struct walk w = {points, n, ARRAY_FIRST_AT(points, n, tick), -1};
    if (w.at > 0)
        w.value = points[w.at - 1].value;
    return w;
}

/* Walks to `tick`. Returns whether a point was passed. */
static bool walk_to(struct walk *w, int64_t tick)
{
    size_t before = w->at;
    while (w->at < w->n && w->points[w->at].tick < tick)
        w->value = w->points[w->at++].value;
    return w->at > before;
}

enum { SWITCH_SHARE = 60 }; /* percent of the lane's height for a pressed pedal */

static void value_bar(const struct paint *p, int column, int value, uint32_t colour,
                      bool is_held)
{
    const struct region *r = &p->l.lane;
    struct control k = p->v->lane.control;
    int hi = lane_height(r, k, value), lo = 0;
    if (control_is_switch(k))
        hi = hi * SWITCH_SHARE / 100;
    if (k.kind == CONTROL_BEND) {
        int middle = r->rows * LANE_EIGHTHS / 2;
        lo = hi < middle ? hi : middle;
        hi = hi < middle ? middle : hi;
    }
    if (hi == lo && !is_held)
        hi = lo + 1; /* an event of any value is visible */
    lane_bar(p, r, column, lo, hi, colour, is_held);
}

/* The mouse's stroke replaces the points under it, and its last value holds after it. */
static void paint_own(const struct paint *p, int64_t left)
{
    size_t n;
    const struct control_point *points = survey_points(p->survey, true, &n);
    const struct region *r = &p->l.lane;
    struct walk w = walk_from(points, n, left);
    uint32_t colour =
        theme_note(p->t, paint_colour_index(p, p->v->track), 127, PRESENCE_ACTIVE);
    uint32_t quieter = theme_mix(p->t->panel, colour,
                                 control_is_switch(p->v->lane.control) ? 0.35 : 0.55);
    for (int column = r->column; column < r->column + r->columns; column++) {
        bool is_new = walk_to(&w, layout_tick(&p->l, &p->port, column + 1));
        int drawn = lane_stroke(p, column);
        if (drawn >= 0)
            w.value = drawn;
        if (w.value >= 0)
            value_bar(p, column, w.value,
                      drawn >= 0 ? p->t->accent
                      : is_new   ? colour
                                 : quieter,
                      !is_new && drawn < 0);
    }
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
            paint_tint(p, (int)column, row, share);
}

void paint_lane(const struct paint *p)
{
    const struct view *v = p->v;
    char name[CONTROL_NAME_BYTES + 2] = " ";
    if (!p->l.lane.rows)
        return;
    control_short_name(v->lane.control, name + 1);
    lane_paint_ground(p, &p->l.lane, name);
    if (v->lane.control.kind == CONTROL_VELOCITY)
        paint_velocities(p);
    else {
        int64_t left = layout_tick(&p->l, &p->port, p->l.lane.column);
        if (p->v->lane.control.kind == CONTROL_BEND) {
            /* The line of a bend at rest. */
            const struct region *r = &p->l.lane;
            bool is_odd = r->rows % 2;
            int row = r->row + r->rows / 2 - !is_odd;
            for (int column = r->column; column < r->column + r->columns; column++)
                paint_put(p, column, row, is_odd ? 0x2500 : 0x2581, p->t->faint, 0);
        }
        size_t n;
        const struct control_point *points = survey_points(p->survey, false, &n);
        const struct region *r = &p->l.lane;
        struct walk w = walk_from(points, n, left);
        uint32_t colour = theme_mix(p->t->panel, p->t->faint, 0.5);
        for (int column = r->column; n && column < r->column + r->columns; column++) {
            bool is_new = walk_to(&w, layout_tick(&p->l, &p->port, column + 1));
            if (w.value >= 0)
                value_bar(p, column, w.value, colour, !is_new);
        }
        paint_own(p, left);
    }
    if (v->lane.to > v->lane.from)
        mark_lane_time(p, v->lane.from, v->lane.to, 0.2);
    if (v->mode == MODE_LANE)
        mark_lane_time(p, v->cursor.tick, v->cursor.tick + v->grid.ticks, 0.3);
    /* Writes the value at the cursor below the lane's name. */
    const struct region *r = &p->l.lane;
    char text[CONTROL_NAME_BYTES + 2] = " ";
    if (r->rows < 2 || !p->v->lane.has_value)
        return;
    control_value_name(p->v->lane.control, p->v->lane.value, text + 1);
    const char *shown = text_columns(text) <= r->column ? text : text + 1;
    paint_text(p, 0, r->row + 1, r->column, shown,
               p->v->mode == MODE_LANE ? p->t->text : p->t->quiet, 0);
}
