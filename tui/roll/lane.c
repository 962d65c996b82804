/* The lane under the roll: velocities of the edited track, or one of its
 * controllers. */
#include "tui/roll/roll.h"
#include "midi/base/array.h"
#include "tui/base/text.h"

enum { LOWER_EIGHTH = 0x2581, UPPER_HALF = 0x2580, LINE = 0x2500, SHADE = 0x2592 };

/* Fills eighths [from, to) of each cell. Blocks that hang from the top are reversed ones, since
 * Unicode has eighths for the foot only. A full cell is background: many fonts leave gaps
 * between full blocks. */
void lane_bar(const struct paint *p, const struct region *r, int column, int lo, int hi,
              uint32_t colour, bool is_held)
{
    const bool paints = theme_paints(p->t);
    for (int i = 0; i < r->rows; i++) {
        const int row = r->row + r->rows - 1 - i,
                  from = CLAMP(lo - i * LANE_EIGHTHS, 0, LANE_EIGHTHS),
                  to = CLAMP(hi - i * LANE_EIGHTHS, 0, LANE_EIGHTHS);
        const bool is_full = from == 0 && to == LANE_EIGHTHS;
        if (to <= from)
            continue;
        if (is_full && is_held && !paints)
            paint_put(p, column, row, SHADE, colour, 0);
        else if (is_full && colour != COLOUR_DEFAULT)
            cells_put(p->c, column, row, ' ', colour, colour, 0);
        else if (from == 0)
            paint_put(p, column, row, LOWER_EIGHTH + (uint32_t)to - 1, colour, 0);
        else if (to < LANE_EIGHTHS)
            paint_put(p, column, row, LINE, colour, 0);
        else if (p->t->ascii)
            paint_put(p, column, row, UPPER_HALF, colour, 0);
        else if (paints)
            cells_put(p->c, column, row, LOWER_EIGHTH + (uint32_t)from - 1,
                      cells_at(p->c, column, row)->bg, colour, 0);
        else
            paint_put(p, column, row, LOWER_EIGHTH + (uint32_t)from - 1, colour,
                      ATTR_REVERSE);
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

/* For each column the loudest note of the edited track that begins there. */
static void paint_velocities(const struct paint *p)
{
    const struct region *r = &p->l.lane;
    const struct track *t = paint_track(p);
    const int64_t right = paint_right_tick(p);
    int loudest[CELLS_MAX] = {0};
    bool is_chosen[CELLS_MAX] = {false}; /* a note of that column is selected */
    size_t i = t ? score_first_note_at(p->v->score, p->v->track, p->port.left_tick) : 0;
    for (; t && i < t->n_notes && t->notes[i].start < right; i++) {
        const struct note *n = &t->notes[i];
        int64_t column = layout_column(&p->l, &p->port, n->start);
        if (column < 0 || column >= CELLS_MAX || paint_is_replaced(p, n->id))
            continue;
        const bool is_selected = paint_is_selected(p, n->id);
        const int drawn = lane_stroke(p, (int)column);
        const bool is_drawn = drawn >= 0 && (is_selected || p->v->selection.n < 2);
        loudest[column] = MAX(loudest[column], is_drawn ? drawn : n->velocity);
        is_chosen[column] |= is_selected;
    }
    for (int column = r->column; column < r->column + r->columns; column++) {
        uint32_t colour = lane_stroke(p, column) >= 0 ? p->t->accent
                          : is_chosen[column]
                              ? p->t->selected
                              : theme_note(p->t, paint_colour_index(p, p->v->track),
                                           loudest[column], PRESENCE_ACTIVE);
        lane_bar(p, r, column, 0, lane_height(r, p->v->lane.control, loudest[column]),
                 colour, false);
    }
}

enum { SWITCH_SHARE = 60 }; /* percent of the lane's height for a pressed pedal */

/* Paints the values of the track's own chunk, or of the others. The mouse's stroke replaces
 * the own points under it, and its last value holds after it. */
static void paint_points(const struct paint *p, bool own)
{
    const struct control_points *all = own ? &p->survey->own : &p->survey->other;
    const struct control_point *points = all->at;
    const struct region *r = &p->l.lane;
    const struct control k = p->v->lane.control;
    const int middle = r->rows * LANE_EIGHTHS / 2;
    const size_t n = all->n;
    size_t at = ARRAY_FIRST_AT(points, n, layout_tick(&p->l, &p->port, r->column));
    int value = at > 0 ? points[at - 1].value : -1;
    uint32_t colour = theme_mix(p->t->panel, p->t->faint, 0.5), held = colour;
    if (own) {
        colour =
            theme_note(p->t, paint_colour_index(p, p->v->track), 127, PRESENCE_ACTIVE);
        held = theme_mix(p->t->panel, colour, control_is_switch(k) ? 0.35 : 0.55);
    }
    for (int column = r->column; column < r->column + r->columns; column++) {
        const int64_t end = layout_tick(&p->l, &p->port, column + 1);
        const int drawn = own ? lane_stroke(p, column) : -1;
        const size_t before = at;
        while (at < n && points[at].tick < end)
            value = points[at++].value;
        if (drawn >= 0)
            value = drawn;
        const bool is_held = at == before && drawn < 0;
        if (value < 0)
            continue;
        int hi = lane_height(r, k, value), lo = 0;
        if (control_is_switch(k))
            hi = hi * SWITCH_SHARE / 100;
        if (k.kind == CONTROL_BEND) {
            lo = MIN(hi, middle);
            hi = MAX(hi, middle);
        }
        if (hi == lo && !is_held)
            hi = lo + 1; /* an event of any value is visible */
        lane_bar(p, r, column, lo, hi,
                 drawn >= 0 ? p->t->accent
                 : is_held  ? held
                            : colour,
                 is_held);
    }
}

static void mark_lane_time(const struct paint *p, int64_t from, int64_t to,
                           double share)
{
    const struct region *r = &p->l.lane;
    const int64_t last = layout_column(&p->l, &p->port, MAX(to - 1, from)),
                  end = MIN(last + 1, r->column + r->columns);
    int64_t column = MAX(layout_column(&p->l, &p->port, from), r->column);
    for (; column < end; column++)
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
        if (p->v->lane.control.kind == CONTROL_BEND) {
            /* The line of a bend at rest. */
            const struct region *r = &p->l.lane;
            bool is_odd = r->rows % 2;
            int row = r->row + r->rows / 2 - !is_odd;
            for (int column = r->column; column < r->column + r->columns; column++)
                paint_put(p, column, row, is_odd ? 0x2500 : 0x2581, p->t->faint, 0);
        }
        paint_points(p, false);
        paint_points(p, true);
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
