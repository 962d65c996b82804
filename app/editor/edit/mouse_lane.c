/* Draws values into the lane. The stroke has one value for each column it passed over,
 * with a straight line between the cells that the mouse reports. The release replaces
 * what was there. */
#include "app/editor/edit/mouse.h"
#include "app/editor/edit/lane.h"
#include "tui/base/names.h"

#include <stdlib.h>

void mouse_press_lane(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    int value = lane_value_at(&s->layout, lane_shown(s), c->row);
    if (c->button != 1 || !lane_is_editable(s))
        return;
    for (int i = 0; i < CELLS_MAX; i++)
        m->stroke[i] = -1;
    m->pan_column = m->stroke_first = m->stroke_last = c->column;
    m->stroke_value = value;
    s->drag = DRAG_LANE;
    mouse_drag_lane(s, c);
}

/* From the cell of the last report to this one. */
void mouse_drag_lane(struct session *s, const struct command *c)
{
    struct mouse *m = s->parts.mouse;
    char name[CONTROL_NAME_BYTES], text[CONTROL_NAME_BYTES];
    const struct region *r = &s->layout.lane;
    int last = r->column + r->columns - 1;
    int column = c->column < r->column ? r->column
                 : c->column > last    ? last
                                       : c->column;
    int value = lane_value_at(&s->layout, lane_shown(s), c->row);
    int from = m->pan_column, n = abs(column - from);
    for (int i = 0; i <= n; i++) {
        int passed = from + (column < from ? -i : i), k = passed - r->column;
        if (k < 0 || k >= CELLS_MAX)
            continue;
        m->stroke[k] =
            (int16_t)(n ? m->stroke_value + (value - m->stroke_value) * i / n : value);
        m->stroke_first = passed < m->stroke_first ? passed : m->stroke_first;
        m->stroke_last = passed > m->stroke_last ? passed : m->stroke_last;
    }
    m->pan_column = column;
    m->stroke_value = value;
    s->view.cursor.tick = grid_floor(s, layout_tick(&s->layout, &s->view.port, column));
    session_say(s, "%s %s", control_name(lane_shown(s), name),
                control_value_name(lane_shown(s), value, text));
}

/* The stroke's columns in ticks. A click that hits no note means the nearest. */
static struct edit_span stroke_time(const struct session *s, int room)
{
    const struct mouse *m = s->parts.mouse;
    return (struct edit_span){
        layout_tick(&s->layout, &s->view.port, m->stroke_first - room),
        layout_tick(&s->layout, &s->view.port, m->stroke_last + 1 + room)};
}

/* A value where the stroke begins, and wherever it changes. */
static void drop_control(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    size_t n = 0, most = (size_t)(m->stroke_last - m->stroke_first) + 1;
    struct control_point *points = calloc(most, sizeof *points);
    if (!points) {
        session_no_memory(s);
        return;
    }
    for (int column = m->stroke_first; column <= m->stroke_last; column++) {
        int64_t tick = layout_tick(&s->layout, &s->view.port, column);
        int value = m->stroke[column - s->layout.roll.column];
        if (n == 0 || points[n - 1].value != value)
            points[n++] = (struct control_point){tick, value};
    }
    lane_write(s, stroke_time(s, 0), points, n);
    free(points);
}

void mouse_drop_lane(struct session *s)
{
    const struct mouse *m = s->parts.mouse;
    struct control_point *points = NULL;
    size_t n = 0;
    if (!lane_is_of_notes(s)) {
        drop_control(s);
        return;
    }
    struct edit_span t = stroke_time(s, 0);
    if (!lane_read(s, t, &points, &n))
        return;
    if (n == 0 && m->stroke_first == m->stroke_last) {
        free(points);
        t = stroke_time(s, 1);
        if (!lane_read(s, t, &points, &n))
            return;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t column = layout_column(&s->layout, &s->view.port, points[i].tick);
        column = column < m->stroke_first  ? m->stroke_first
                 : column > m->stroke_last ? m->stroke_last
                                           : column;
        points[i].value = m->stroke[column - s->layout.roll.column];
    }
    if (n == 0)
        session_say(s, "no note begins here");
    else
        lane_write(s, t, points, n);
    free(points);
}
