/* A controller in the lane. A value holds until the next event: bars from the foot, bends
 * from a line in the middle; where an event says it the bar is bright, where it is only
 * held it is quieter. So a pedal shows as blocks, with a bright edge at each press. What
 * other chunks say on the channel lies behind, quieter still. */
#include "tui/roll/lane_paint.h"

struct walk {
    const struct control_point *points;
    size_t n, at; /* at: the first that has not been passed */
    int value;    /* what the last that was passed says; -1: none */
};

static struct walk walk_from(const struct control_point *points, size_t n, int64_t tick)
{
    struct walk w = {points, n, control_first_point(points, n, tick), -1};
    if (w.at > 0)
        w.value = points[w.at - 1].value;
    return w;
}

/* To `tick`; whether a point was passed. */
static bool walk_to(struct walk *w, int64_t tick)
{
    size_t before = w->at;
    while (w->at < w->n && w->points[w->at].tick < tick)
        w->value = w->points[w->at++].value;
    return w->at > before;
}

enum { SWITCH_SHARE = 60 }; /* percent of the lane's height that a pressed pedal has */

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
        hi = lo + 1; /* an event is seen, whatever it says */
    lane_bar(p, r, column, lo, hi, colour, is_held);
}

static void paint_others(const struct paint *p, int64_t left)
{
    size_t n;
    const struct control_point *points = lane_points_other(p->lane, &n);
    const struct region *r = &p->l.lane;
    struct walk w = walk_from(points, n, left);
    uint32_t colour = theme_mix(p->t->panel, p->t->faint, 0.5);
    for (int column = r->column; n && column < r->column + r->columns; column++) {
        bool is_new = walk_to(&w, layout_tick(&p->l, &p->port, column + 1));
        if (w.value >= 0)
            value_bar(p, column, w.value, colour, !is_new);
    }
}

/* A stroke of the mouse replaces what it passes over, and holds on after it. */
static void paint_own(const struct paint *p, int64_t left)
{
    size_t n;
    const struct control_point *points = lane_points_own(p->lane, &n);
    const struct region *r = &p->l.lane;
    struct walk w = walk_from(points, n, left);
    uint32_t colour = theme_note(p->t, paint_hue(p, p->v->track), 127, PRESENCE_ACTIVE);
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

/* Where bends are at rest. */
static void paint_middle(const struct paint *p)
{
    const struct region *r = &p->l.lane;
    bool is_odd = r->rows % 2;
    int row = r->row + r->rows / 2 - !is_odd;
    for (int column = r->column; column < r->column + r->columns; column++)
        cells_put(p->c, column, row, is_odd ? 0x2500 : 0x2581, p->t->faint, COLOUR_KEEP,
                  0);
}

void paint_control_lane(const struct paint *p)
{
    int64_t left = layout_tick(&p->l, &p->port, p->l.lane.column);
    if (p->v->lane.control.kind == CONTROL_BEND)
        paint_middle(p);
    paint_others(p, left);
    paint_own(p, left);
}
